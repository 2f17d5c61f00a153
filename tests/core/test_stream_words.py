"""The sentences of the theatre say what the bytes are."""

from __future__ import annotations

import pytest

from tokenloupe.core.stream_lanes import Lane, Run
from tokenloupe.core.stream_sources import spelled
from tokenloupe.core.stream_tokens import Timing, TokenStream
from tokenloupe.core.stream_words import character_at, hex_bytes, lane_sentence, new_causes, short_label, token_sentence


def run_of(*pieces: bytes, stops: tuple[str, ...] = (), prompt: int = 0) -> Run:
    return Run(TokenStream.of_chunks(list(pieces), prompt=prompt),
               ("naive-go", "buffered", "hf-decode-stream", "grapheme"), stops, timing=Timing(rate=20))


def lane(run: Run, name: str) -> Lane:
    return next(x for x in run.lanes if x.name == name)


def test_what_tokens_bring() -> None:
    run = run_of(b"Go\xe2", b"\x82", b"\xac\xe2\x86", b"\x92!", b"", b"a", b"\xff\x80", b"\xf0\x9f", b"\x99")
    assert [token_sentence(run, p) for p in range(11)] == [
        "9 tokens will come, one after another.",
        "Token 1 of 9, 47 6F E2: 2 whole characters, begins “€” (1 of its 3 bytes).",
        "Token 2 of 9, 82: goes on with “€” (now 2 of its 3 bytes).",
        "Token 3 of 9, AC E2 86: completes “€”, begins “→” (2 of its 3 bytes).",
        "Token 4 of 9, 92 21: completes “→”, one whole character, “!”.",
        "Token 5 of 9 brings no bytes.",
        "Token 6 of 9, 61: one whole character, “a”.",
        "Token 7 of 9, FF 80: bytes that are no character (FF 80).",
        "Token 8 of 9, F0 9F: begins a character that never ends (2 of its 4 bytes).",
        "Token 9 of 9, 99: goes on with a character that never ends (now 3 of its 4 bytes).",
        "The stream has ended: decoders give out what they still hold, if they can.",
    ]
    special = Run(spelled(["<s>", "a"], special=("<s>",), skip_special=True), ("buffered",))
    assert token_sentence(special, 1) == "Token 1 of 2, <s>: a special token, left out of the text."
    assert "The prompt’s 1 tokens came before." in token_sentence(run_of(b"a", b"b", prompt=1), 0)


def test_what_lanes_do() -> None:
    run = run_of(b"Go\xe2", b"\x82\xac", b"\xf0\x9f")
    assert lane_sentence(run, lane(run, "buffered"), 1) == "holds E2, the beginning of “€”"
    assert lane_sentence(run, lane(run, "buffered"), 2) == "shown 1 token late (50 ms)"
    assert lane_sentence(run, lane(run, "buffered"), 4) == "at worst 1 token late"
    assert lane_sentence(run, lane(run, "hf-decode-stream"), 1) == "holds 47 6F E2, with 2 whole characters in it"
    assert lane_sentence(run, lane(run, "hf-decode-stream"), 4) == (
        "at worst 1 token late; it has no flush: the last 2 bytes never come out")
    assert lane_sentence(run, lane(run, "grapheme"), 2) == (
        "holds E2 82 AC, with 1 whole character in it; shown 1 token late (50 ms)")
    assert lane_sentence(run, lane(run, "naive-go"), 1) == ""
    assert new_causes(run, lane(run, "naive-go"), 2) == [
        "“€” (E2 82 AC) was decoded before its 3 bytes were together (here 82, AC)"]
    assert new_causes(run, lane(run, "naive-go"), 3) == [
        "2 × the stream ends inside a character: F0 9F is 2 of 4 bytes"]
    assert new_causes(run, lane(run, "naive-go"), 0) == []


def test_stops_in_words() -> None:
    run = run_of(b"a", b"#", b"#", b"b", stops=("##",))
    assert lane_sentence(run, lane(run, "buffered"), 2) == "waits with '#', which may begin a stop string"
    assert lane_sentence(run, lane(run, "buffered"), 3) == "stopped at '##'"
    assert lane_sentence(run, lane(run, "buffered"), run.steps) == "never late"


@pytest.mark.parametrize(("piece", "label"), [
    (b"Go\xe2", "Go…"), (b"\x82\xac", "…"), (b" the", "␣the"), ("\ufffd".encode(), "\ufffd"), (b"\n", "↵"),
    (b"a very long token indeed", "a very long t…"),
])
def test_labels(piece: bytes, label: str) -> None:
    assert short_label(piece) == label


def test_characters_around_a_byte() -> None:
    data = "a€".encode() + b"\x80\xf0\x9f"
    assert [character_at(data, k) for k in range(len(data))] == [
        (0, 1, True), (1, 4, True), (1, 4, True), (1, 4, True), (4, 5, False), (5, 7, False), (5, 7, False)]
    assert hex_bytes(bytes(range(20))) == "00 01 02 03 04 05 … 0E 0F 10 11 12 13"
