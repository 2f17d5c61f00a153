"""Cells of tokens on a ruler of bytes, lost bytes, and what is said of each: against spans worked out by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hf_oracle import open_bytes
from tokenloupe.core import bytelane_words as words
from tokenloupe.core.bytelane_stages import NormalChange
from tokenloupe.core.bytelane_tokens import LostBytes, lost_bytes, token_cells, tokens_around
from tokenloupe.core.document import Document
from tokenloupe.core.vocabulary import TokenKind
from tokenloupe.formats.bundled import load_bundled


def lower_words(normalizer: object) -> object:
    """A word-level tokenizer behind a normalizer: its spans are those of the words in the input."""
    value = {"normalizer": normalizer, "pre_tokenizer": {"type": "WhitespaceSplit"},
             "model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1, "ab": 2, "f": 3, "i": 4}, "unk_token": "?"}}
    return open_bytes(json.dumps(value).encode(), "made")


def cells_of(document: Document, start: int, end: int) -> list[tuple[int, int, int, int, int]]:
    cells = token_cells(tokens_around(document, start, end), start, end)
    return [(c.index, c.start, c.end, c.level, c.levels) for c in cells]


def test_byte_level_tokens_stand_side_by_side() -> None:
    document = Document(load_bundled("gpt2"), "Hi 漢!".encode())
    tokens = document.encoding().tokens
    assert cells_of(document, 0, 7) == [(t.index, t.start, t.end, 0, 1) for t in tokens]
    assert lost_bytes(document, [], 0, 7) == []


def test_letters_of_one_ligature_share_its_bytes() -> None:
    """NFKC makes "f" and "i" of U+FB01, three bytes: a character-level model gives two tokens with the same span."""
    value = {"normalizer": {"type": "NFKC"}, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "."},
                                                               "behavior": "Isolated", "invert": False},
             "model": {"type": "WordLevel", "vocab": {"?": 0, "f": 3, "i": 4, "a": 1}, "unk_token": "?"}}
    document = Document(open_bytes(json.dumps(value).encode(), "made"), "aﬁa".encode())
    assert cells_of(document, 0, 5) == [(0, 0, 1, 0, 1), (1, 1, 4, 0, 2), (2, 1, 4, 1, 2), (3, 4, 5, 0, 1)]


def test_a_prefix_that_no_byte_is_behind_has_a_place_and_no_width() -> None:
    document = Document(lower_words({"type": "Prepend", "prepend": "a "}), b"ab a")
    assert cells_of(document, 0, 4) == [(0, 0, 0, 0, 1), (1, 0, 2, 0, 1), (2, 3, 4, 0, 1)]
    assert cells_of(document, 1, 4) == [(1, 0, 2, 0, 1), (2, 3, 4, 0, 1)]


def test_lost_bytes_and_bytes_that_come_back_changed() -> None:
    document = Document(lower_words({"type": "Lowercase"}), b"A  ab")
    cells = token_cells(tokens_around(document, 0, 5), 0, 5)
    found = lost_bytes(document, cells, 0, 5)
    assert found[0] == LostBytes(0, 1, "Lowercase", True)  # token "a" has them, and decodes to other bytes
    assert [(g.start, g.end, g.held) for g in found[1:]] in ([(1, 3, False)], [(1, 2, False), (2, 3, False)])
    assert lost_bytes(document, cells, 3, 5) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), max_size=10))
def test_cells_that_overlap_never_share_a_level(spans: list[tuple[int, int]]) -> None:
    import numpy as np

    from tokenloupe.core.document import TokenWindow

    starts = np.array([a for a, _ in spans], np.int64)
    ends = starts + np.array([n for _, n in spans], np.int64)
    window = TokenWindow(0, np.arange(len(spans)), starts, ends, np.zeros(len(spans), np.uint8))
    cells = token_cells(window, 0, 20)
    assert sorted(c.index for c in cells) == list(range(len(spans)))
    for a in cells:
        assert 0 <= a.level < a.levels
        for b in cells:
            touch = (a.start, a.end) == (b.start, b.end) if a.start == a.end else a.start < b.end and b.start < a.end
            if a.index < b.index and touch and (b.start < b.end or a.start == a.end):
                assert a.level != b.level and a.levels == b.levels


def test_a_token_says_its_id_its_bytes_and_whether_it_is_partial() -> None:
    family = "👨".encode()
    assert words.token_words(3, 9468, family[:3], TokenKind.NORMAL) == (
        "token 3, id 9468, bytes f0 9f 91, partial: ends inside a character")
    assert words.token_words(4, 101, family[3:], TokenKind.BYTE).startswith(
        "token 4, id 101, bytes a8, partial: begins inside a character, byte")
    assert words.token_words(0, 2, "é".encode(), TokenKind.NORMAL) == "token 0, id 2, bytes c3 a9, whole"
    assert words.token_words(0, 2, b" a", 0, (4, 4), b"") == (
        "token 0, id 2, bytes 20 61, whole, made of no byte of the text")
    assert words.token_words(0, 2, b"a", 0, (4, 5), b"A") == "token 0, id 2, bytes 61, whole, made of 41"
    assert words.token_words(0, 2, b" " * 100, 0) == "token 0, id 2, bytes " + "20 " * 24 + "and 76 more, whole"


@pytest.mark.parametrize(("data", "at", "said"), [
    ("歪".encode(), 1, "byte 1, ad, continuation, byte 2 of 3 of U+6B6A CJK UNIFIED IDEOGRAPH-6B6A"),
    (b"a", 0, "byte 0, 61, ASCII, U+0061 LATIN SMALL LETTER A"),
    (b"\xff", 0, "byte 0, ff, invalid: a byte that UTF-8 never uses"),
    (b"\x80", 0, "byte 0, 80, invalid: a continuation byte without a lead byte"),
    (b"\xe2\x82(", 1, "byte 1, 82, cut short: cut short by the next byte: 2 of 3 bytes"),
])
def test_a_byte_says_its_role(data: bytes, at: int, said: str) -> None:
    assert words.byte_words(at, data) == said


def test_other_cells_in_words() -> None:
    assert words.code_point_words(4, "é".encode()) == (
        "U+00E9 LATIN SMALL LETTER E WITH ACUTE, bytes 4 to 5, c3 a9")
    assert words.code_point_words(4, b"\xff") == "byte 4, ff, part of no character"
    assert words.grapheme_words("e\u0301".encode()) == (
        "grapheme, 2 code points, 3 bytes: U+0065 LATIN SMALL LETTER E, U+0301 COMBINING ACUTE ACCENT")
    assert words.change_words(NormalChange(0, 3, "ﬁ", "fi")) == "the normalizer made “fi” of “ﬁ”"
    assert words.change_words(NormalChange(0, 3, "\u200b", "")) == "the normalizer dropped “[U+200B]”"
    assert words.change_words(NormalChange(3, 3, "", "▁")) == "the normalizer put in “▁”"
    assert words.pre_token_words(2, b" a") == "pre-token “ a”, 2 bytes from byte 2"
    assert words.lost_words(0, 2, "Strip") == "bytes 0 to 1 lost by Strip"
    assert words.lost_words(0, 1, "") == "no token has byte 0"
