"""Policies in lockstep: the scenarios step by step, what holds for all streams, delays, causes, stop strings."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
import regex

from tokenloupe.core import utf8
from tokenloupe.core.errors import InputError
from tokenloupe.core.stream_lanes import LONGEST, Lane, Run, cause_of
from tokenloupe.core.stream_marks import char_starts, decode_marked, marks_of
from tokenloupe.core.stream_policies import DEFAULT_POLICIES, POLICIES
from tokenloupe.core.stream_scenarios import SCENARIOS, scenario
from tokenloupe.core.stream_sources import spelled
from tokenloupe.core.stream_tokens import Timing, TokenStream

ALL = tuple(p.name for p in POLICIES)
TELLING = bytes.fromhex("41 20 80 9f a0 bf c2 e0 e2 82 ac ed ef bd f0 9f 99 82 f4 ff")


def played(
    pieces: list[bytes], *policies: str, stops: tuple[str, ...] = (), prompt: int = 0, primed: bool = False
) -> Run:
    run = Run(TokenStream.of_chunks(pieces, prompt=prompt), policies or DEFAULT_POLICIES, stops, primed=primed)
    run.compute()
    return run


def emitted(run: Run, lane: Lane) -> list[str]:
    return [run.view(lane, p).emitted for p in range(1, run.steps + 1)]


def lane(run: Run, name: str) -> Lane:
    return next(x for x in run.lanes if x.name == name)


def random_pieces(r: random.Random) -> list[bytes]:
    characters = [c.encode() for c in ("a", "é", "€", "🙂", "\ufffd", "\u0301", "\u200d", "👩", "🇫", " ")]
    data = b"".join(r.choice(characters) if r.random() < 0.6 else bytes([r.choice(TELLING)])
                    for _ in range(r.randint(0, 14)))
    pieces = []
    while data:
        size = r.randint(0, 4)
        pieces.append(data[:size])
        data = data[size:]
    return pieces


def test_the_book_table() -> None:
    run = played([bytes.fromhex(h) for h in ("476fe2", "82ace286", "92f09f", "9982")])
    assert emitted(run, lane(run, "naive-go")) == ["Go\ufffd", "\ufffd" * 4, "\ufffd" * 3, "\ufffd" * 2, ""]
    assert emitted(run, lane(run, "naive-unicode")) == ["Go\ufffd", "\ufffd" * 3, "\ufffd" * 2, "\ufffd" * 2, ""]
    assert emitted(run, lane(run, "buffered")) == ["Go", "€", "→", "🙂", ""]
    assert [run.view(lane(run, "buffered"), p).held.hex() for p in range(6)] == ["", "e2", "e286", "f09f", "", ""]
    assert run.verdict(lane(run, "buffered")) == (True, "the text, exactly")
    assert run.verdict(lane(run, "naive-go")) == (False, "10 U+FFFD that are not in the text")


def test_what_holds_for_every_stream() -> None:
    r = random.Random(11)
    for _ in range(1500):
        pieces = random_pieces(r)
        data = b"".join(pieces)
        run = played(pieces, *ALL)
        whole = data.decode("utf-8", "replace")
        texts = {x.name: x.text for x in run.lanes}
        assert texts["buffered"] == texts["valid-prefix"] == texts["grapheme"] == whole
        assert texts["naive-go"] == "".join(utf8.decode(p, "go") for p in pieces)
        assert texts["naive-unicode"] == "".join(p.decode("utf-8", "replace") for p in pieces)
        assert whole.startswith(texts["hf-decode-stream"])
        for x in run.lanes:
            assert x.out_ends == sorted(x.out_ends) and x.shown_ends == sorted(x.shown_ends)
            assert x.taken == sorted(x.taken)  # what is dealt with is never held again
            replacements = [i for i, c in enumerate(x.text) if c == "\ufffd"]
            assert [m.char for m in x.marks] == replacements
            for mark in x.marks:
                assert 0 <= mark.byte_start < mark.byte_end <= len(data)
                assert run.cause(mark).kind in ("cut", "genuine", "end", "invalid")
        buffered = lane(run, "buffered")
        assert all(len(run.view(buffered, p).held) <= 3 for p in range(run.steps + 1))
        assert not any(run.cause(m).kind == "cut" for m in buffered.marks)


def test_graphemes_come_whole() -> None:
    r = random.Random(12)
    for _ in range(800):
        run = played(random_pieces(r), "grapheme")
        text = run.lanes[0].text
        edges = {m.start() for m in regex.finditer(r"\X", text)} | {len(text)}
        assert set(run.lanes[0].out_ends) <= edges, ascii(text)


def test_a_grapheme_without_end_is_not_waited_for() -> None:
    run = played([b"a", *[b"\xcc\x81"] * 400], "grapheme")
    assert max(len(run.view(run.lanes[0], p).held) for p in range(run.steps + 1)) <= 2 * 128 + 1
    assert run.lanes[0].text == "a" + "\u0301" * 400


def test_stepping_back_is_exact() -> None:
    r = random.Random(13)
    for _ in range(60):
        pieces = random_pieces(r)
        stops = ("a€", "🙂") if r.random() < 0.5 else ()
        forward = Run(TokenStream.of_chunks(pieces), ALL, stops)
        views = [[forward.view(x, p) for x in forward.lanes] for p in range(forward.steps + 1)]
        shuffled = list(range(forward.steps + 1))
        r.shuffle(shuffled)
        again = Run(TokenStream.of_chunks(pieces), ALL, stops)
        for position in shuffled:
            assert [again.view(x, position) for x in again.lanes] == views[position]
        for x, history in zip(forward.lanes, zip(*views, strict=True), strict=True):
            assert "".join(v.emitted for v in history) == history[-1].visible, x.name
            for a, b in itertools.pairwise(history):
                assert b.visible == a.visible + b.emitted


def test_slices_give_the_same_as_all_at_once() -> None:
    pieces = [bytes([b]) for b in "Go€→🙂 naïve 漢字\ufffd!".encode()] * 30
    whole, sliced = played(pieces, *ALL), Run(TokenStream.of_chunks(pieces), ALL)
    slices = 1
    while not sliced.compute(seconds=0.0):
        slices += 1
    assert slices > 10
    assert [(x.text, x.out_ends, x.taken, x.delays) for x in sliced.lanes] == [
        (x.text, x.out_ends, x.taken, x.delays) for x in whole.lanes]


@pytest.mark.parametrize("entry", SCENARIOS, ids=lambda s: s.id)
def test_scenarios_show_what_they_say(entry: object) -> None:
    run = scenario(entry.id).run()  # type: ignore[attr-defined]
    run.compute()
    right = {x.name: run.verdict(x)[0] for x in run.lanes}
    wrong = {
        "euro-arrow-smile": {"naive-go", "naive-unicode"},
        "prompt-ends-inside": set(DEFAULT_POLICIES),
        "invalid-then-valid": set(),
        "genuine-replacement": {"naive-go", "naive-unicode", "hf-decode-stream"},
        "space-inside": set(),
        "byte-fallback": {"naive-go", "naive-unicode"},
        "byte-fallback-breaks": {"hf-decode-stream"},
        "family": {"naive-go", "naive-unicode"},
        "special-skipped": {"naive-go", "naive-unicode"},
        "ends-inside": {"hf-decode-stream"},
        "metaspace": {"naive-go", "naive-unicode"},
        "stop-in-two-tokens": {"shared-utf8"},
        "stop-inside-character": {"naive-go", "naive-unicode", "shared-stop"},
    }[entry.id]  # type: ignore[attr-defined]
    assert {name for name, ok in right.items() if not ok} == wrong


def test_the_prompt_can_be_told() -> None:
    pieces = [b"I am ", b"\xf0\x9f", b"\x98\x80", b" today"]
    told = played(pieces, prompt=2, primed=True)
    assert emitted(told, lane(told, "buffered")) == ["😀", " today", ""]
    assert emitted(told, lane(told, "grapheme")) == ["", "😀 toda", "y"]
    assert told.view(lane(told, "buffered"), 0).held == b"\xf0\x9f"
    assert "the prompt as well" in told.view(lane(told, "hf-decode-stream"), 1).note
    untold = played(pieces, prompt=2)
    assert emitted(untold, lane(untold, "buffered")) == ["\ufffd\ufffd", " today", ""]
    assert "begins in the prompt" in untold.cause(lane(untold, "buffered").marks[0]).sentence


def test_delays_are_counted_from_the_oldest_byte_shown() -> None:
    run = played([b"a", b"\xf0", b"\x9f", b"\x99", b"\x82", b"b"], "buffered", "grapheme")
    buffered, grapheme = run.lanes
    assert [run.view(buffered, p).delay_tokens for p in range(1, 8)] == [0, 0, 0, 0, 3, 0, 0]
    assert [run.view(buffered, p).waiting_tokens for p in range(1, 8)] == [0, 0, 1, 2, 0, 0, 0]
    assert [run.view(grapheme, p).delay_tokens for p in range(1, 8)] == [0, 0, 0, 0, 4, 4, 0]
    timed = Run(run.stream, ("buffered",), timing=Timing(rate=100))
    assert timed.view(timed.lanes[0], 5).delay_ms == pytest.approx(30.0)


def test_stops_wait_in_a_buffer_of_their_own() -> None:
    run = played([b"Hi", b"\nUs", b"er:", b" more"], "buffered", "naive-go", stops=("\nUser:",))
    assert [run.view(run.lanes[0], p).stop_held for p in range(1, 6)] == ["", "\nUs", "", "", ""]
    last = run.view(run.lanes[0], run.steps)
    assert last.visible == "Hi" and last.matched == "\nUser:" and last.emitted == ""
    assert run.view(run.lanes[0], 2).waiting_tokens == 0 and run.view(run.lanes[0], 2).matched is None
    released = played([b"Hi", b"\nUs"], "buffered", stops=("\nUser:",))
    assert emitted(released, released.lanes[0]) == ["Hi", "", "\nUs"]
    assert released.view(released.lanes[0], 3).delay_tokens == 0


def test_a_shared_buffer_goes_wrong() -> None:
    in_two = played([b"Hi", b"\nUs", b"er:"], "buffered", "shared-utf8", stops=("\nUser:",))
    assert [x.matched for x in in_two.lanes] == ["\nUser:", None]
    inside = played([b"x\xc3", b"\xa9y"], "buffered", "shared-stop", stops=("é",))
    assert [x.matched for x in inside.lanes] == ["é", None]
    assert inside.lanes[1].text == "x\ufffd\ufffdy"


@pytest.mark.parametrize(("data", "span", "kind", "says"), [
    ("61 E2 82 AC", (1, 2), "cut", "“€” (E2 82 AC) was decoded before its 3 bytes were together: here E2"),
    ("EF BF BD", (0, 3), "genuine", "the text itself has U+FFFD"),
    ("61 F0 9F 99", (2, 3), "end", "F0 9F 99 is 3 of 4 bytes"),
    ("E2 82 41", (1, 2), "invalid", "cut short by the next byte: 2 of 3 bytes"),
    ("ED A0 80", (1, 2), "invalid", "a continuation byte without a lead byte"),
    ("FF", (0, 1), "invalid", "a byte that UTF-8 never uses"),
    ("61", (1, 1), "invalid", "no byte of the stream is behind it"),
])
def test_causes(data: str, span: tuple[int, int], kind: str, says: str) -> None:
    cause = cause_of(bytes.fromhex(data), *span)
    assert cause.kind == kind and says in cause.sentence


def test_marks() -> None:
    data = b"a\xe2\x82b\xff\xff\xef\xbf\xbd"
    for rule in ("go", "unicode"):
        text, marks = decode_marked(data, 100, rule)
        assert text == utf8.decode(data, rule)
        assert [text[m.char] for m in marks] == ["\ufffd"] * text.count("\ufffd")
        assert b"".join(data[m.byte_start - 100 : m.byte_end - 100] for m in marks) == b"\xe2\x82\xff\xff\xef\xbf\xbd"
    assert [(m.byte_start, m.byte_end) for m in marks_of("\ufffd\ufffd", b"xA", 1, 2)] == [(1, 2)] * 2
    assert char_starts("a\ufffdb", b"..a\xe2\x82b", 2, 6) == [2, 3, 5, 6]
    assert char_starts("aé!", "aé!".encode(), 0, 4) == [0, 1, 3, 4]
    assert char_starts("longer", b"ab", 0, 2) == [0, 1, 2, 2, 2, 2, 2]


def test_arrivals() -> None:
    assert Timing(rate=50).arrivals(3).tolist() == pytest.approx([20, 40, 60])
    jittered = Timing(rate=100, jitter=1.0, seed=5)
    times = jittered.arrivals(20_000)
    assert (np.diff(times) >= 0).all() and times.tolist() == jittered.arrivals(20_000).tolist()
    assert times[-1] / 20_000 == pytest.approx(10, rel=0.05)  # the rate is kept on average
    bursts = Timing(rate=100, burst=8, seed=5).arrivals(20_000)
    assert len(np.unique(bursts)) == pytest.approx(20_000 / 8, rel=0.1)
    assert Timing().arrivals(0).tolist() == []
    for wrong in (Timing(rate=0), Timing(rate=1, jitter=2), Timing(rate=1, burst=0), Timing(rate=float("nan"))):
        with pytest.raises(InputError, match="speed"):
            wrong.arrivals(1)


def test_refusals() -> None:
    with pytest.raises(InputError, match="choose from naive-go"):
        played([b"a"], "nonsense")
    with pytest.raises(InputError, match="empty"):
        played([b"a"], "buffered", stops=("",))
    with pytest.raises(InputError, match="too many to play"):
        Run(TokenStream.of_chunks([b"a"] * (LONGEST + 1)), ())
    assert played([]).steps == 1  # nothing but the end


def test_special_tokens_are_no_delay() -> None:
    stream = spelled(["<s>", "Hi", b"\xf0\x9f", "<s>", b"\x99\x82"], special=("<s>",), skip_special=True)
    run = Run(stream, ("buffered", "hf-decode-stream"))
    assert [emitted(run, x) for x in run.lanes] == [["", "Hi", "", "", "🙂", ""], ["", "Hi", "", "", "🙂", ""]]
