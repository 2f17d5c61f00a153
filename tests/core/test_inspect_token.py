"""The facts of a token: characters across its edges, entries that spell the same, places in the document."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.document import Document
from tokenloupe.core.inspect_token import characters, near, occurrences, same_bytes, token_facts, two_parts
from tokenloupe.core.vocabulary import TokenKind, Vocabulary

from .bytelevel_vocabularies import ours, ranks_of


def test_the_first_two_of_three_bytes() -> None:
    """歪 is U+6B6A, e6 ad aa."""
    document = Document(ours(ranks_of(b"\xe6\xad")), "歪".encode())
    first, last = token_facts(document, 0), token_facts(document, 1)
    assert (first.id, first.piece, first.source, first.rank) == (256, b"\xe6\xad", b"\xe6\xad", 256)
    (character,) = first.characters
    assert (character.data, character.whole, character.part) == (b"\xe6\xad", "歪".encode(), "first 2 of 3 bytes")
    assert character.code_point is not None
    assert (character.code_point.number, character.code_point.name) == ("U+6B6A", "CJK UNIFIED IDEOGRAPH-6B6A")
    assert first.completeness.ends_inside
    assert last.characters[0].part == "last 1 of 3 bytes"
    assert last.characters[0].whole == "歪".encode()
    assert last.completeness.starts_inside
    assert not first.completeness.whole


@given(st.text(max_size=12), st.data())
@settings(max_examples=200, deadline=None)
def test_characters_between_any_neighbours(text: str, data: st.DataObject) -> None:
    """Any cut of a text: the characters are those that have a byte in the token, their parts add up to it."""
    whole = text.encode("utf-8", "surrogatepass").replace(b"\xed", b"e")  # valid or not
    low = data.draw(st.integers(0, len(whole)))
    high = data.draw(st.integers(low, len(whole)))
    rows, more = characters(whole[low:high], whole[:low], whole[high:])
    assert more == 0
    assert b"".join(r.data for r in rows) == whole[low:high]
    at = 0
    for row in rows:
        assert row.byte_start == at
        at += len(row.data)
        assert row.data in row.whole
        assert (row.part == "") == (row.data == row.whole)
        if row.code_point is None:
            assert row.fault
        else:
            assert chr(row.code_point.point).encode() == row.whole
            assert row.code_point.category == unicodedata.category(chr(row.code_point.point))
    try:
        whole.decode()
    except UnicodeDecodeError:
        return
    # In valid text every byte belongs to a character, whole or in part.
    begins = [0]
    for char in whole.decode():
        begins.append(begins[-1] + len(char.encode()))
    inside = [c for c, a, b in zip(whole.decode(), begins, begins[1:], strict=False) if max(a, low) < min(b, high)]
    assert [chr(r.code_point.point) for r in rows if r.code_point] == inside


@pytest.mark.parametrize(
    ("piece", "fault"),
    [
        (b"\xff", "a byte that UTF-8 never uses"),
        (b"\xc0\x80", "an overlong encoding"),
        (b"\xed\xa0\x80", "half of a surrogate pair"),
        (b"\xf4\x90\x80\x80", "beyond U+10FFFF"),
        (b"\xe2\x82", "cut short by the end: 2 of 3 bytes"),
    ],
)
def test_bytes_that_are_no_character_say_why(piece: bytes, fault: str) -> None:
    rows, _ = characters(piece)
    assert rows[0].code_point is None
    assert rows[0].fault == fault


def test_same_text_by_other_ids() -> None:
    """'e' and '<0x65>' of SentencePiece: two ids, one text."""
    v = Vocabulary.build([(0, b"e"), (5, b"e"), (9, b"ee"), (2, b"f")], kinds={5: TokenKind.BYTE})
    assert same_bytes(v, b"e") == v.ids_of(b"e") == [0, 5]
    assert same_bytes(v, b"zz") == []
    assert same_bytes(v, b"") == []
    many = Vocabulary.build([(i, b"%c%c" % (i // 26 + 97, i % 26 + 97)) for i in range(600)] + [(1000, b"ab")])
    assert same_bytes(many, b"ab") == [1, 1000]


def test_two_parts_and_near_entries() -> None:
    ranks = ranks_of(b"he", b"llo", b"hell", b"hello", b" hello", b"Hello", b"HELLO")
    v = ours(ranks).vocabulary
    found, more = two_parts(v, b"hello")
    assert ([(p.left_bytes, p.right_bytes) for p in found], more) == ([(b"he", b"llo"), (b"hell", b"o")], 0)
    assert [(p.left, p.right) for p in found] == [(ranks[b"he"], ranks[b"llo"]), (ranks[b"hell"], ranks[b"o"])]
    assert dict(near(v, b"hello")) == {ranks[x]: x for x in (b" hello", b"Hello", b"HELLO")}
    assert near(v, b" ") == near(v, b"\xff") == ()


def test_all_places_of_a_token() -> None:
    tokenizer = ours(ranks_of(b"ab"))
    document = Document(tokenizer, b"abxab" * 50_000)
    document.encoding()  # all of it
    steps = list(occurrences(document, 256))
    assert [s for s in steps[:-1] if not 0 < float(s) <= 1] == []
    assert steps[-1].tolist() == [i for i in range(150_000) if i % 3 != 1]


def test_a_token_that_a_normalizer_made_shows_both_bytes() -> None:
    from tokenloupe.api import load  # noqa: F401 - the pipeline's parts register themselves
    from tokenloupe.formats import open_bytes

    tokenizer = open_bytes(
        b'{"added_tokens": [], "normalizer": {"type": "Lowercase"}, "pre_tokenizer": null, "post_processor": null,'
        b'"decoder": null, "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}', "tokenizer.json")
    facts = token_facts(Document(tokenizer, b"AB"), 0)
    assert (facts.piece, facts.source) == (b"a", b"A")


def test_there_is_no_such_token() -> None:
    document = Document(ours(ranks_of()), b"ab")
    for index in (-1, 2, 10**12):
        with pytest.raises(IndexError):
            token_facts(document, index)
