"""Sources of streams: chunks in hex, ids of a tokenizer, recorded streams of servers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.core.stream_lanes import Run
from tokenloupe.core.stream_recordings import recording
from tokenloupe.core.stream_sources import chunks, library_text, of_ids, parse_ids, spelled
from tokenloupe.core.tokenizer import Encoding, SpecialMode, Tokenizer
from tokenloupe.core.vocabulary import TokenKind, Vocabulary


class Toy(Tokenizer):
    """Bytes, <0xNN> pieces from 256, a few words; `apart`: the first token loses its space, as Metaspace does."""

    name, format, sha256 = "toy", "toy", ""

    def __init__(self, apart: bool = False) -> None:
        entries = [(b, bytes([b])) for b in range(256)] + [(256 + b, bytes([b])) for b in range(256)]
        entries += [(600, b" hi"), (601, b"<s>"), (602, b"Go\xe2"), (603, b"\x82\xac")]
        kinds = {256 + b: TokenKind.BYTE for b in range(256)} | {601: TokenKind.SPECIAL}
        self.vocabulary = Vocabulary.build(entries, kinds=kinds)
        self.special_tokens, self.added_tokens, self.apart = {"<s>": 601}, {}, apart

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        raise NotImplementedError

    def decode(self, ids: object) -> bytes:
        out = super().decode(ids)  # type: ignore[arg-type]
        return out.removeprefix(b" ") if self.apart else out


def test_chunks() -> None:
    assert chunks("476fe2,82 AC e2 86 ,, ff").pieces == (b"Go\xe2", b"\x82\xac\xe2\x86", b"", b"\xff")
    assert chunks(" ").pieces == ()
    with pytest.raises(InputError, match="'x' is no hex digit, chunk 2"):
        chunks("00,0x")
    with pytest.raises(InputError, match="3 hex digits are not whole bytes, chunk 1"):
        chunks("abc")
    with pytest.raises(InputError, match="no hex digit"):
        chunks("٠٠")  # digits, but not these


def test_typed_ids() -> None:
    assert parse_ids("[464, 995;0 \n 7]") == [464, 995, 0, 7]
    assert parse_ids("") == []
    for text, wrong in (("1,x", "'x'"), ("-1", "'-1'"), ("1,,2,", "''"), ("²", "'²'"), ("9" * 30, "9999")):
        with pytest.raises(InputError, match=wrong):
            parse_ids(text)


def test_tokens_of_a_tokenizer() -> None:
    stream = of_ids(Toy(), [602, 603, 600])
    assert stream.pieces == stream.alone == (b"Go\xe2", b"\x82\xac", b" hi")
    assert stream.decode(0, 1) == "Go\ufffd" and stream.decode(0, 3) == "Go€ hi" and stream.ids == (602, 603, 600)
    prompted = of_ids(Toy(), [603], prompt_ids=[602])
    assert prompted.prompt == 1 and prompted.shown_from == 3 and len(prompted) == 2


def test_a_tokenizer_that_treats_the_first_token_apart() -> None:
    stream = of_ids(Toy(apart=True), [600, 600, 33])
    assert stream.pieces == (b"hi", b" hi", b"!") and stream.alone == (b"hi", b"hi", b"!")
    run = Run(stream, ("naive-go", "buffered"))
    assert [run.view(lane, run.steps).visible for lane in run.lanes] == ["hihi!", "hi hi!"]


def test_special_tokens_can_be_left_out() -> None:
    stream = of_ids(Toy(), [601, 65, 601], skip_special=True)
    assert stream.pieces == (b"", b"A", b"") and stream.skipped == {0, 2} and stream.decode(0, 3) == "A"
    assert of_ids(Toy(), [601, 65]).data == b"<s>A"


def test_unknown_ids_give_nothing_and_are_named() -> None:
    stream = of_ids(Toy(), [65, 9999, 2**62])
    assert stream.data == b"A" and "9999, 4611686018427387904" in stream.notes[0]


def test_byte_tokens_as_the_library_decodes_them() -> None:
    toy = Toy()
    y, e2 = 256 + 0x79, 256 + 0xE2
    assert library_text(toy, [65, y, e2, 65]) == "A\ufffd\ufffdA"  # of such a run the library keeps nothing
    assert library_text(toy, [e2, 256 + 0x82, 256 + 0xAC]) == "€"
    assert library_text(toy, [e2, 65, e2, 256 + 0x82]) == "\ufffdA\ufffd\ufffd"
    assert library_text(toy, [0xE2, 0x82]) == "\ufffd"  # ordinary tokens: one for each maximal subpart
    assert of_ids(toy, [e2]).alone == (b"\xe2",)


def test_spelled_tokens() -> None:
    stream = spelled(["▁hi", "▁hi"], decoder="metaspace")
    assert stream.decode(0, 2) == "hi hi" and stream.pieces == (b"hi", b" hi") and stream.alone == (b"hi", b"hi")
    assert stream.label(0) == "▁hi" and stream.decode(1, 2) == "hi"


def chunk(text: str | None, **more: object) -> str:
    delta = {} if text is None else {"content": text}
    return json.dumps({"choices": [{"index": 0, "delta": delta, **more}]}, ensure_ascii=False)


def sse(*events: str) -> bytes:
    return "".join(f"data: {e}\n\n" for e in events).encode()


def test_server_sent_events() -> None:
    data = sse(chunk("", role="assistant"), chunk("Hé"), chunk("llo €"), chunk(None, finish_reason="length"), "[DONE]")
    stream = recording(data)
    assert stream.pieces == ("Hé".encode(), "llo €".encode()) and stream.times is None
    assert stream.notes == ("finish_reason: length",)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_comments_fields_and_a_byte_order_mark(ending: str) -> None:
    lines = ["\ufeff: keep-alive", "event: message", "id: 7", "retry: 10", f"data:{chunk('a')}", "", ":", "",
             'data: {"choices":[{"index":0,', 'data: "delta":{"content":"b\u2028c"}}]}', "", "data: [DONE]", ""]
    stream = recording(ending.join(lines).encode())
    assert stream.pieces == (b"a", "b\u2028c".encode()) and stream.notes == ()


def test_lost_blank_lines_and_a_missing_end() -> None:
    stream = recording(f"data: {chunk('a')}\ndata: {chunk('b')}\ndata: {{\"choi".encode())
    assert stream.pieces == (b"a", b"b")
    assert stream.notes[0].startswith("line 3: not JSON") and "without [DONE]" in stream.notes[1]


def test_malformed_lines_are_named_by_number() -> None:
    data = "\n".join([
        f"data: {chunk('a')}", "", "data: {bad json}", "", "data: [1]", "", "hello there", f"data: {chunk('b')}", "",
        'data: {"choices": [{"delta": {"content": 5}}]}', "", 'data: {"choices": [7]}', "",
        'data: {"error": {"message": "overloaded"}}', "", "data: [DONE]", "", f"data: {chunk('c')}", "",
    ]).encode() + b"\xff"
    stream = recording(data)
    assert stream.pieces == (b"a", b"b", b"c")
    assert [n.split(":")[0] for n in stream.notes] == [
        "line 19", "line 3", "line 5", "line 7", "line 10", "line 12", "line 14", "line 18", "line 19"]
    assert "overloaded" in stream.notes[6] and "after [DONE]" in stream.notes[7]


def test_times_in_front_of_the_lines() -> None:
    events = [(0.5, chunk("a")), (0.62, chunk("b")), (1.5, chunk("c")), (1.5, "[DONE]")]
    stream = recording("".join(f"{t} data: {e}\n\n" for t, e in events).encode())
    assert stream.times is not None and stream.times.tolist() == pytest.approx([0, 120, 1000])
    clock = recording(b"[12:00:59.900] data: " + chunk("a").encode() + b"\n\n[12:01:00,100] data: "
                      + chunk("b").encode() + b"\n\n")
    assert clock.times is not None and clock.times.tolist() == pytest.approx([0, 200])


def test_times_in_the_objects() -> None:
    rows = [{"t": 1.0, "data": json.loads(chunk("a"))}, {"t": 1.25, "data": chunk("b")}, {"t": 2, "data": "[DONE]"}]
    stream = recording("\n".join(map(json.dumps, rows)).encode())
    assert stream.pieces == (b"a", b"b") and stream.times is not None and stream.times.tolist() == [0.0, 250.0]
    iso = recording(b'{"time": "2026-01-01T00:00:00Z", "text": "a"}\n{"time": "2026-01-01T00:00:00.5Z", "text": "b"}')
    assert iso.times is not None and iso.times.tolist() == [0.0, 500.0]
    some = recording(b'{"t_ms": 5, "text": "a"}\n{"text": "b"}')
    assert some.times is None and "simulated" in some.notes[0]
    back = recording(b'{"t_ms": 5, "text": "a"}\n{"t_ms": 3, "text": "b"}')
    assert back.times is not None and (np.diff(back.times) >= 0).all()


def test_the_bytes_of_tokens_are_used_where_the_server_gives_them() -> None:
    logprobs = {"content": [{"token": "\\xf0", "bytes": [240, 159]}, {"token": "x", "bytes": [153, 130]}]}
    stream = recording(sse(chunk("🙂", logprobs=logprobs), "[DONE]"))
    assert stream.pieces == (b"\xf0\x9f", b"\x99\x82")
    bad = {"content": [{"token": "x", "bytes": [999]}]}
    assert "line 3" in recording(sse(chunk("a"), chunk("b", logprobs=bad), "[DONE]")).notes[0]


def test_other_servers() -> None:
    native = recording(b'{"content":"a","stop":false}\n{"content":"b","stop":true,"stop_type":"eos"}')
    assert native.pieces == (b"a", b"b") and native.notes == ("finish_reason: eos",)
    chat = recording(b'{"message":{"role":"assistant","content":"a"},"done":false}\n'
                     b'{"done":true,"message":{"content":""}}')
    assert chat.pieces == (b"a",) and chat.notes == ("finish_reason: stop",)
    assert recording(b'{"hex":"f09f"}\n{"hex":"9982"}').pieces == (b"\xf0\x9f", b"\x99\x82")
    completions = recording(sse('{"choices":[{"text":"a","index":0}]}', '{"choices":[{"text":"B","index":1}]}',
                                "[DONE]"))
    assert completions.pieces == (b"a",) and completions.notes == ("1 piece of other choices is left out",)
    typed = recording(sse('{"type":"start"}', '{"type":"response.output_text.delta","delta":"x"}',
                          '{"type":"content_block_delta","delta":{"type":"text_delta","text":"y"}}', "[DONE]"))
    assert typed.pieces == (b"x", b"y")


def test_half_a_surrogate_pair_in_json() -> None:
    stream = recording(b'{"text":"\\ud83d"}\n{"text":"\\ude42"}')
    assert stream.pieces == (b"\xed\xa0\xbd", b"\xed\xb9\x82")
    run = Run(stream, ("buffered",))
    run.compute()
    assert "half of a surrogate pair" in run.cause(run.lanes[0].marks[0]).sentence


@pytest.mark.parametrize("data", [
    b"", b"hello", b"\xff\xfe", b"{}", b'{"text": ""}', b"data: [DONE]\n\n", b"[" * 100_000, b'{"choices": "x"}',
    b'{"hex": "0"}', b"null\n1\n",
], ids=range(10))
def test_nothing_to_play_is_said_in_one_sentence(data: bytes) -> None:
    with pytest.raises(InputError, match="no text is found in this recording, recorded stream; expected"):
        recording(data)


def test_many_bad_lines_are_counted() -> None:
    stream = recording(b'{"text":"a"}\n' + b"bad\n" * 50)
    assert len(stream.notes) == 21 and stream.notes[-1] == "30 more lines could not be read"
