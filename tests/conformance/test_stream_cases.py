"""Every stream case of the public fault cases, by its id, through the policies of the theatre."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer as HfTokenizer
from tokenizers.decoders import DecodeStream

from tokenloupe.core.stop import StopMatcher
from tokenloupe.core.stream import StreamDecoder
from tokenloupe.core.stream_lanes import Run
from tokenloupe.core.stream_sources import spelled
from tokenloupe.core.stream_tokens import TokenStream


def out(pieces: list[bytes], policy: str) -> list[str]:
    """What one policy gives out at each step, and at the end."""
    run = Run(TokenStream.of_chunks(pieces), (policy,))
    return [run.view(run.lanes[0], p).emitted for p in range(1, run.steps + 1)]


def one_byte_each(text: str) -> list[bytes]:
    return [bytes([b]) for b in text.encode()]


def naive_emoji(shared: Path) -> None:
    pieces = [b"a ", *one_byte_each("👍"), b" b"]
    assert out(pieces, "naive-unicode")[:-1] == ["a ", *["\ufffd"] * 4, " b"]
    assert out(pieces, "naive-go")[:-1] == ["a ", *["\ufffd"] * 4, " b"]
    assert out(pieces, "buffered") == ["a ", "", "", "", "👍", " b", ""]
    assert out(pieces, "hf-decode-stream") == ["a ", "", "", "", "👍", " b", ""]


def literal_fffd_stalls(shared: Path) -> None:
    pieces = one_byte_each("a\ufffdb c")
    assert out(pieces, "buffered") == ["a", "", "", "\ufffd", "b", " ", "c", ""]
    assert out(pieces, "hf-decode-stream") == ["a", "", "", "", "\ufffdb", " ", "c", ""]
    last = one_byte_each("a\ufffd")
    assert "".join(out(last, "buffered")) == "a\ufffd" and "".join(out(last, "hf-decode-stream")) == "a"


def invalid_not_held(shared: Path) -> None:
    assert out([b"a", b"\xff", b"b"], "buffered") == ["a", "\ufffd", "b", ""]
    assert out([b"\xe2", b"\x82", b"A"], "buffered") == ["", "", "\ufffdA", ""]
    assert out([b"\x80", b"A"], "buffered") == ["\ufffd", "A", ""]
    assert out([b"a", b"\xff", b"b"], "hf-decode-stream") == ["a", "", "\ufffdb", ""]


def concat_invariant(shared: Path) -> None:
    import random

    r = random.Random(31598)
    for _ in range(3000):
        data = r.choice((r.randbytes(9), "A 世界ab€🙂".encode()[r.randint(0, 3) :]))
        decoder, text, sizes, at = StreamDecoder(), "", [], 0
        while at < len(data):
            step = r.randint(1, 4)
            text += decoder.push(data[at : at + step])
            sizes.append(len(text))
            at += step
        assert text + decoder.flush() == data.decode("utf-8", "replace") and sizes == sorted(sizes)


def sse_chunks(shared: Path) -> None:
    data = "你好世界 🌍".encode()
    cut = data.index(b"\xf0\x9f") + 2
    assert "".join(out([data[:cut], data[cut:]], "buffered")) == "你好世界 🌍"
    assert "".join(out([data[:cut], data[cut:]], "naive-unicode")).endswith("\ufffd\ufffd\ufffd")


def space_lost_per_token(shared: Path) -> None:
    reference = HfTokenizer.from_file(str(shared / "cases" / "files" / "tj_metaspace_always.json"))
    ids = reference.encode("hi hi").ids
    stream = spelled([reference.id_to_token(i) for i in ids], decoder="metaspace")
    run = Run(stream, ("naive-unicode", "hf-decode-stream", "buffered"))
    given = [[run.view(lane, p).emitted for p in (1, 2)] for lane in run.lanes]
    assert given == [["hi", "hi"], ["hi", " hi"], ["hi", " hi"]]
    library = DecodeStream()
    assert [library.step(reference, i) for i in ids] == given[1]


def fffd_strip_hack(shared: Path) -> None:
    pieces = one_byte_each("🔥")
    assert "".join(out(pieces, "buffered")) == "🔥"
    assert "".join(out(pieces, "naive-unicode")).replace("\ufffd", "") == ""


def stopped(pieces: list[str], *stops: str) -> tuple[list[str], str | None]:
    matcher = StopMatcher(stops)
    return [*map(matcher.push, pieces), matcher.flush()], matcher.matched


def stop_across_tokens(shared: Path) -> None:
    assert stopped(["DEF", "G", "HI", "J"], "DEFGHIJ") == ([""] * 5, "DEFGHIJ")
    assert stopped(["Hi", "\nUs", "er:"], "\nUser:") == (["Hi", "", "", ""], "\nUser:")


def stop_single_char(shared: Path) -> None:
    given, matched = stopped(["ab.c"], ".")
    assert "".join(given) == "ab" and matched == "."
    with pytest.raises(ValueError, match="empty"):
        StopMatcher([""])


def stop_self_overlap(shared: Path) -> None:
    for text, stop, shown in (("aaab", "aab", "a"), ("ababac", "abac", "ab")):
        given, matched = stopped(list(text), stop)
        assert "".join(given) == shown and matched == stop


def stop_split_bytes(shared: Path) -> None:
    run = Run(TokenStream.of_chunks([b"x\xc3", b"\xa9y"]), ("buffered", "naive-unicode"), ("é",))
    views = [run.view(lane, run.steps) for lane in run.lanes]
    assert (views[0].visible, views[0].matched) == ("x", "é") and views[1].matched is None


CASES: dict[str, Callable[[Path], None]] = {
    "st-naive-emoji": naive_emoji,
    "st-literal-fffd-stalls": literal_fffd_stalls,
    "st-invalid-not-held": invalid_not_held,
    "st-concat-invariant": concat_invariant,
    "st-sse-chunks": sse_chunks,
    "st-space-lost-per-token": space_lost_per_token,
    "st-fffd-strip-hack": fffd_strip_hack,
    "st-stop-across-tokens": stop_across_tokens,
    "st-stop-single-char": stop_single_char,
    "st-stop-self-overlap": stop_self_overlap,
    "st-stop-split-bytes": stop_split_bytes,
}


@pytest.mark.parametrize("case", CASES)
def test_case(case: str, shared: Path) -> None:
    CASES[case](shared)


def test_no_stream_case_is_forgotten(shared: Path) -> None:
    lines = (shared / "cases" / "cases.jsonl").read_text("utf-8").split("\n")
    areas = [json.loads(line) for line in lines if line]
    assert {c["id"] for c in areas if c["area"] == "stream"} == set(CASES)
