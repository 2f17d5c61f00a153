"""StreamDecoder: all short byte strings, all ways of cutting them; random long ones; the table in the book."""

from __future__ import annotations

import ast
import codecs
import itertools
import random
import sys
from pathlib import Path

import pytest

from tokenloupe.core import stop, stream, utf8
from tokenloupe.core.stream import StreamDecoder, incomplete_tail
from tokenloupe.core.utf8 import Rule

#: First, last and neighbours of every range in Table 3-7 of the Unicode Standard, and bytes that are never valid.
TELLING = bytes.fromhex("41 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f4 f5 f8 ff")


def run(pieces: list[bytes], rule: Rule = "unicode") -> tuple[list[str], str]:
    """Outputs and flush, with what must hold at each step checked."""
    decoder = StreamDecoder("go" if rule == "go" else "unicode")
    out = []
    for piece in pieces:
        out.append(decoder.push(piece))
        assert len(decoder.held) <= 3
        # Only bytes that more bytes can complete are held: Python's own incremental decoder keeps the same ones.
        if decoder.held:
            reference = codecs.getincrementaldecoder("utf-8")("strict")
            assert reference.decode(decoder.held) == "" and reference.getstate()[0] == decoder.held
    return out, decoder.flush()


def cuts(data: bytes) -> list[list[bytes]]:
    ways = []
    for places in itertools.product((False, True), repeat=max(len(data) - 1, 0)):
        edges = [0, *(i + 1 for i, cut in enumerate(places) if cut), len(data)]
        ways.append([data[a:b] for a, b in itertools.pairwise(edges)])
    return ways


def go_count(data: bytes) -> str:
    """Go's rule, straight from the specification: an invalid encoding is one U+FFFD and advances a single byte."""
    out, at = "", 0
    while at < len(data):
        match = utf8.WELL_FORMED.match(data, at)
        out += match[0].decode() if match else "\ufffd"
        at = match.end() if match else at + 1
    return out


def test_every_string_up_to_length_3_cut_everywhere() -> None:
    for length in range(4):
        for letters in itertools.product(TELLING, repeat=length):
            data = bytes(letters)
            unicode_text, go_text = data.decode("utf-8", "replace"), go_count(data)
            for pieces in cuts(data):
                out, flush = run(pieces)
                assert "".join(out) + flush == unicode_text, (data.hex(), pieces)
                decoder = StreamDecoder("go")
                assert "".join(map(decoder.push, pieces)) + decoder.flush() == go_text, (data.hex(), pieces)


def test_fifty_thousand_random_strings_cut_at_random() -> None:
    r = random.Random(42)
    characters = [c.encode() for c in "aé€→🙂漢\ufffd\u0301"]
    for _ in range(50_000):
        data = b"".join(r.choice(characters) if r.random() < 0.5 else bytes([r.choice(TELLING)])
                        for _ in range(r.randint(0, 12)))
        pieces, at = [], 0
        while at < len(data):
            step = r.randint(0, 4)
            pieces.append(data[at : at + step])
            at += step
        decoder, go = StreamDecoder(), StreamDecoder("go")
        text = ""
        for k, piece in enumerate(pieces):
            text += decoder.push(piece)
            seen = b"".join(pieces[: k + 1])
            assert len(decoder.held) <= 3 and seen.endswith(decoder.held)
            # What is out is final: whatever follows, the decoding of everything begins with it.
            assert seen[: len(seen) - len(decoder.held)].decode("utf-8", "replace") == text
        assert text + decoder.flush() == data.decode("utf-8", "replace"), data.hex()
        assert "".join(map(go.push, pieces)) + go.flush() == go_count(data), data.hex()


def test_the_table_in_the_book() -> None:
    pieces = [bytes.fromhex(h) for h in ("476fe2", "82ace286", "92f09f", "9982")]
    assert run(pieces) == (["Go", "€", "→", "🙂"], "")
    assert [utf8.decode(p, "go") for p in pieces] == ["Go\ufffd", "\ufffd" * 4, "\ufffd" * 3, "\ufffd" * 2]


@pytest.mark.parametrize(("pieces", "out", "flush"), [
    # The Unicode Standard, Table 3-11, byte by byte: each maximal subpart goes out when the next byte ends it.
    ("E1 80 E2 F0 91 92 F1 BF 41", ["", "", "\ufffd", "\ufffd", "", "", "\ufffd", "", "\ufffdA"], ""),
    ("61 FF 62", ["a", "\ufffd", "b"], ""),
    ("E2 82 41", ["", "", "\ufffdA"], ""),
    ("80 41", ["\ufffd", "A"], ""),
    ("EF BF BD", ["", "", "\ufffd"], ""),  # a genuine U+FFFD is a character like any other
    ("F0 9F 99", ["", "", ""], "\ufffd"),
    ("ED A0 80", ["", "\ufffd\ufffd", "\ufffd"], ""),
    ("F4 90 80 80", ["", "\ufffd\ufffd", "\ufffd", "\ufffd"], ""),
])
def test_byte_by_byte(pieces: str, out: list[str], flush: str) -> None:
    assert run([bytes.fromhex(b) for b in pieces.split()]) == (out, flush)


def test_incomplete_tail_agrees_with_the_tables() -> None:
    for length in range(4):
        for letters in itertools.product(TELLING, repeat=length):
            assert incomplete_tail(bytes(letters)) == utf8.pending(bytes(letters)), bytes(letters).hex()


@pytest.mark.parametrize("module", [stream, stop])
def test_the_files_can_be_copied(module: object) -> None:
    source = Path(str(module.__file__)).read_text("utf-8")  # type: ignore[attr-defined]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            assert all(alias.name in sys.stdlib_module_names for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and str(node.module).split(".")[0] in sys.stdlib_module_names
