"""The census, counted one entry at a time beside it."""

from __future__ import annotations

from tokenloupe.core.census import Census, completing_heads
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.scripts import Utf8Class
from tokenloupe.core.vocabulary import TokenKind, Vocabulary
from tokenloupe.formats.bundled import load_bundled


def census_of(pieces: list[bytes], **more: object) -> Census:
    return Census(VocabularyIndex(Vocabulary.build(list(enumerate(pieces)), **more)))  # type: ignore[arg-type]


def test_counts() -> None:
    census = census_of(
        [b"a", b"ab", b"\xe6\x88", b"\x91x", b"\x91\xe6", b"\x91", b"\xff", b"", "漢".encode(), "\ufffd".encode()],
        kinds={1: TokenKind.SPECIAL, 8: TokenKind.UNUSED})
    c = census.counts
    assert (c.total, c.whole, c.ends_mid, c.starts_mid, c.both, c.interior, c.invalid, c.empty) == (
        10, 4, 1, 1, 1, 1, 1, 1)
    assert (c.byte, c.special, c.unused, c.characters, c.holes) == (3, 1, 1, 3, 0)
    assert c.replaced == 6  # the five that are ill-formed alone, and U+FFFD itself
    assert census.by_length.tolist() == [1, 3, 4, 2]
    assert census.by_script == [("no whole character", 5), ("Latin", 3), ("Common", 1), ("Han", 1)]
    assert census.bytes_used[0x91] == 3
    assert census.byte_ids[[0x61, 0x62, 0x91]].tolist() == [0, -1, 5]
    assert census.rows_of(Utf8Class.INTERIOR).tolist() == [5]


def test_gpt2_equals_a_count_by_hand() -> None:
    tokenizer = load_bundled("gpt2")
    v = tokenizer.vocabulary
    pieces = [v.bytes_at(r) for r in range(len(v))]
    counts = Census(VocabularyIndex(tokenizer)).counts
    assert counts.replaced == sum("\ufffd" in p.decode("utf-8", "replace") for p in pieces)
    whole = 0
    for piece in pieces:
        try:
            piece.decode("utf-8")
        except UnicodeDecodeError:
            continue
        whole += 1
    assert counts.whole == whole
    assert counts.byte == 256


def test_coverage_by_block() -> None:
    census = census_of([b"a", b" b", "xя".encode(), "漢".encode()])
    by_name = {b.name: b for b in census.coverage}
    assert (by_name["Basic Latin"].assigned, by_name["Basic Latin"].single, by_name["Basic Latin"].used) == (128, 2, 4)
    assert (by_name["Cyrillic"].single, by_name["Cyrillic"].used) == (0, 1)
    assert by_name["CJK Unified Ideographs"].used == 1
    assert "High Surrogates" not in by_name


def test_what_completes_a_token() -> None:
    census = census_of([b"\xe6\x88", b"\x91", b"\x91\x92", b"\x91 a", b"\xf0", b"\x9f\x98\x80", b"\x80\x80\x80", b"a"])
    assert census.completers(0).tolist() == [1, 3]  # 6 begins with a byte that fits, and goes on inside a character
    assert census.completers(4).tolist() == [5]  # F0 80 .. would be overlong
    assert census.completers(7).tolist() == []
    assert len(completing_heads(b"\xe6\x88")) == 64
    assert len(completing_heads(b"\xf4")) == 16 * 64 * 64
