"""The vocabulary as a table: every search and sort equals what a loop over the entries finds."""

from __future__ import annotations

import json

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.errors import InputError
from tokenloupe.core.query import COLUMNS, Filter, VocabularyIndex
from tokenloupe.core.query_export import export
from tokenloupe.core.query_text import folded, literal_of, sort_bytes, written_out
from tokenloupe.core.scripts import Points, Utf8Class
from tokenloupe.core.segments import completeness
from tokenloupe.core.vocabulary import MergeTable, TokenKind, Vocabulary, join_bytes
from tokenloupe.formats.bundled import load_bundled

PIECES = st.lists(
    st.one_of(st.binary(max_size=6), st.text(max_size=6).map(str.encode), st.sampled_from(
        [b"the", b"The", b" the", b"\xe6\x88", b"\x91", "Ж".encode(), "İ".encode(), b"\xff", b"abcdefghijklmnopqrstu",
         b"abcdefghijklmnopqrstuv", b"abcdefgh", b"abcdefgh\0", b""])), max_size=30)


def index_of(pieces: list[bytes]) -> VocabularyIndex:
    return VocabularyIndex(Vocabulary.build(list(enumerate(pieces))))


def class_of(piece: bytes) -> Utf8Class:
    """One entry at a time, by segments.completeness."""
    found = completeness(piece)
    if not piece:
        return Utf8Class.EMPTY
    if found.invalid:
        return Utf8Class.INVALID
    if all(0x80 <= b < 0xC0 for b in piece):
        return Utf8Class.INTERIOR
    if found.starts_inside and found.ends_inside:
        return Utf8Class.BOTH
    return (Utf8Class.STARTS_INSIDE if found.starts_inside else
            Utf8Class.ENDS_INSIDE if found.ends_inside else Utf8Class.WHOLE)


@settings(max_examples=150, deadline=None)
@given(PIECES, st.data())
def test_bytes_are_found_where_they_are(pieces: list[bytes], data: st.DataObject) -> None:
    index = index_of(pieces)
    needle = data.draw(st.one_of(st.binary(min_size=1, max_size=3), st.sampled_from([p[:3] or b"a" for p in pieces]
                                                                                    or [b"a"])))
    found = index.search(Filter(needle.hex(" "), mode="hex"))
    assert found.tolist() == [i for i, p in enumerate(pieces) if needle in p]
    half = index.search(Filter(needle.hex()[:-1], mode="hex")).tolist()
    low, high = needle[-1] & 0xF0, needle[-1] | 0x0F
    assert half == [i for i, p in enumerate(pieces) if any(needle[:-1] + bytes([b]) in p for b in range(low, high + 1))]


@settings(max_examples=150, deadline=None)
@given(PIECES)
def test_classes_and_points(pieces: list[bytes]) -> None:
    points = Points.of(Vocabulary.build(list(enumerate(pieces))))
    assert points.classes.tolist() == [class_of(p) for p in pieces]
    for row, piece in enumerate(pieces):
        got = points.points[points.offsets[row] : points.offsets[row + 1]]
        escaped = piece.decode("utf-8", "surrogateescape")
        assert got.tolist() == [0xFFFD if 0xDC80 <= ord(c) <= 0xDCFF else ord(c) for c in escaped]


@settings(max_examples=150, deadline=None)
@given(PIECES)
def test_order_of_bytes(pieces: list[bytes]) -> None:
    blob, offsets = join_bytes(pieces)
    wanted = sorted(range(len(pieces)), key=pieces.__getitem__)
    assert sort_bytes(blob, offsets).tolist() == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokenloupe.core.query_text.BUCKET", 3)  # as a large vocabulary is sorted
        assert sort_bytes(blob, offsets).tolist() == wanted


@settings(max_examples=100, deadline=None)
@given(PIECES)
def test_folding_keeps_lengths(pieces: list[bytes]) -> None:
    blob, offsets = join_bytes(pieces)
    low = folded(blob, offsets)
    assert len(low) == len(blob)
    for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        one = blob[a:b].decode("utf-8", "surrogateescape")
        assert low[a:b].decode("utf-8", "surrogateescape") == "".join(
            c.lower() if len(c.lower().encode("utf-8", "surrogateescape")) ==
            len(c.encode("utf-8", "surrogateescape")) and len(c.lower()) == 1 else c for c in one)


def test_bytes_that_stand_in_many_places_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenloupe.core.query_text.OFTEN", 2)
    pieces = [b"the", b"that", b"", b"a", b"TT", b"h", b"tea"]
    index = index_of(pieces)
    assert list(index._folded.letter_steps()) == [1 / 3, 2 / 3, 1.0]  # a and h thrice, t six times
    for letter in b"aehtT":
        wanted = [i for i, p in enumerate(pieces) if bytes([letter]).lower() in p.lower()]
        assert index.search(Filter(chr(letter))).tolist() == wanted


def test_text_with_and_without_case() -> None:
    index = index_of([b"the", b"The", b" THEN", "ЖУК".encode(), b"at", b"he"])
    assert index.search(Filter("the")).tolist() == [0, 1, 2]
    assert index.search(Filter("The", ignore_case=False)).tolist() == [1]
    assert index.search(Filter("жу")).tolist() == [3]
    assert index.search(Filter("thea")).tolist() == []  # "the" + "at" are two entries
    assert index.search(Filter()).tolist() == list(range(6))


def test_several_ids_with_one_text_are_all_found() -> None:
    vocabulary = Vocabulary.build([(3, b"e"), (100, b"e"), (4294967295, b"b")], kinds={3: TokenKind.BYTE},
                                  raw={3: "<0x65>", 100: "e", 4294967295: "▁b"})
    index = VocabularyIndex(vocabulary)
    assert vocabulary.ids[index.search(Filter("e"))].tolist() == [3, 100]
    assert index.search(Filter("0x6", mode="raw")).tolist() == [0]
    assert index.search(Filter("▁", mode="raw")).tolist() == [2]
    assert index.search(Filter("4294967295", mode="id")).tolist() == [2]
    assert index.search(Filter("4-", mode="id")).tolist() == [1, 2]
    assert index.search(Filter("1..3, 100", mode="id")).tolist() == [0, 1]
    assert index.search(Filter("e", kind=TokenKind.BYTE)).tolist() == [0]


def test_scripts() -> None:
    index = index_of([b"abc", "дa".encode(), "漢".encode(), b" 1", "漢字カ".encode(), b"\xe6"])
    assert [index.script_name(r) for r in range(6)] == [
        "Latin", "Cyrillic + Latin", "Han", "Common", "Han + Katakana", ""]
    assert index.search(Filter(script="han")).tolist() == [2, 4]
    assert index.scripts["Latin"] == 2
    with pytest.raises(InputError, match="Klingon"):
        index.search(Filter(script="Klingon"))


def test_lengths_and_classes() -> None:
    index = index_of([b"a", b"abc", b"\xe6\x88", b"abcdef"])
    assert index.search(Filter(length=(2, None))).tolist() == [1, 2, 3]
    assert index.search(Filter(length=(2, 3), utf8=Utf8Class.WHOLE)).tolist() == [1]


@pytest.mark.parametrize(
    "pattern", ["^hel", r"\d{2}", "(a|b)c$", "K", "ſ", r"\.", "x*", "lo+", r"h.l{2}", "[[:alpha:]]"])
@pytest.mark.parametrize("ignore_case", [True, False])
def test_patterns_equal_a_search_in_each_entry(pattern: str, ignore_case: bool) -> None:
    texts = ["hello", "Help", "help me", "12", "1a", "ac", "abc", "k", "\u212a", "s", "ſ", ".", "loo", "L", "haLL", ""]
    index = index_of([t.encode() for t in texts])
    compiled = regex.compile(pattern, regex.I if ignore_case else 0)
    wanted = [i for i, t in enumerate(texts) if compiled.search(t)]
    assert index.search(Filter(pattern, mode="regex", ignore_case=ignore_case)).tolist() == wanted


@pytest.mark.parametrize(("pattern", "literal"), [
    ("^hel+o", "hel"), ("a|b", ""), ("abc?d", "ab"), (r"ab\.cd", "ab"), ("(ab)", ""), ("a{0}bc", ""), (r"\d+ing", ""),
    ("ab*c", "a"), ("", "")])
def test_only_what_every_match_contains_is_a_literal(pattern: str, literal: str) -> None:
    assert literal_of(pattern) == literal


@pytest.mark.parametrize(("text", "mode"), [("(", "regex"), ("0g", "hex"), ("x", "id"), ("5-x", "id")])
def test_what_cannot_be_read_is_said(text: str, mode: str) -> None:
    with pytest.raises(InputError):
        index_of([b"a"]).search(Filter(text, mode=mode))  # type: ignore[arg-type]


def test_a_pattern_that_blows_up_is_given_up() -> None:
    index = index_of([b"a" * 40 + b"b"] * 3)
    with pytest.raises(InputError, match="too long for one entry"):
        index.search(Filter("(a|a|aa)+$", mode="regex"))


def test_a_pattern_that_is_slow_everywhere_is_given_up_in_slices_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is ours: every look at it is a millisecond later for each entry that was searched in between."""
    looked = [0]

    class Pattern:
        def search(self, text: str, timeout: float) -> bool:
            looked[0] += 1
            return False

    monkeypatch.setattr("tokenloupe.core.query.regex.compile", lambda *_: Pattern())
    monkeypatch.setattr("tokenloupe.core.query.thread_time", lambda: looked[0] / 1000)
    index = index_of([b"%d" % n for n in range(5000)])
    slices: list[int] = []
    with pytest.raises(InputError, match="longer than 3 seconds"):
        for _ in index.search_steps(Filter("[0-9]", mode="regex")):
            slices.append(looked[0])
    assert 3000 < looked[0] < 3000 + 16
    steps = np.diff([s for s in slices if s]).tolist()
    assert max(steps[4:]) <= 8 and len(steps) > 300  # a slice takes what it should, or half of that


@pytest.mark.parametrize(("pattern", "items"), [
    ("abc", 3), ("a{5}", 5), ("a{5,}", 5), (r"\p{L}{4}", 4 + 3), ("[ab{9}]{3}", 3), (r"\{9}", 3),
    ("(ab){3}", 9), ("((a{10}){10}){10}", 1110), ("[]a]{2}", 2), ("[[:alpha:]--[a]]{2}", 2), ("a)", 2), ("(", 1)])
def test_counts_are_written_out(pattern: str, items: int) -> None:
    assert written_out(pattern) == items


@pytest.mark.parametrize("pattern", ["((a{1000}){1000}){1000}", "(?:a|b){999999999}", "a|" * 50_000,
                                     "a{9999999999999999999999}"])
def test_a_pattern_that_would_take_long_to_compile_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match=r"too large|cannot be used"):
        index_of([b"a" * 40]).search(Filter(pattern, mode="regex"))


def test_sorting_by_every_column() -> None:
    index = VocabularyIndex(load_bundled("gpt2"))
    everything = np.arange(len(index))
    some = everything[::50]
    values = {
        "id": index.vocabulary.ids, "length": index.lengths, "kind": index.vocabulary.kinds, "rank": index.ranks,
        "left": index.left, "right": index.right, "utf8": index.classes}
    for column in COLUMNS:
        for rows in (everything, everything[::3], some):
            ordered = index.sort(rows, column)
            assert sorted(ordered.tolist()) == rows.tolist()
            assert index.sort(rows, column, descending=True).tolist() == ordered.tolist()[::-1]
            if column in values:
                assert bool((np.diff(values[column][ordered].astype(np.int64)) >= 0).all())
    names = [index.script_name(r) for r in index.sort(some, "script").tolist()]
    plain = [n for n in names if "+" not in n]
    assert plain == sorted(plain)
    with pytest.raises(InputError, match="no column"):
        index.sort(some, "colour")


def test_prepare_leaves_nothing_to_do() -> None:
    index = index_of([b"a", b"b"])
    assert list(index.prepare())[-1] == 1.0


def test_an_empty_vocabulary() -> None:
    index = index_of([])
    assert index.search(Filter("a")).tolist() == []
    for column in COLUMNS:
        assert index.sort(np.zeros(0, np.int64), column).tolist() == []


def test_very_long_entries_are_sorted_by_their_length_too() -> None:
    sizes = [70_000, 3, 65_536, 100_000, 65_535, 65_534, 70_000, 0]
    index = index_of([b"x" * n for n in sizes])
    assert index.order("length").tolist() == sorted(range(len(sizes)), key=sizes.__getitem__)
    assert index.sort(np.arange(len(sizes)), "length", descending=True)[0] == 3


def test_what_is_made_in_slices_is_what_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenloupe.core.query_prepare.SLICE", 7)
    monkeypatch.setattr("tokenloupe.core.query_parts.SLICE", 3)
    pieces = [b"the", "Ж д".encode(), b"", b"\xe6\x88", "漢字カ".encode(), b"A" * 20, b"\xff", "ΑΣ ς".encode(), b"THE"]
    merges = MergeTable(*(np.array([rows[i] for rows in ((0, 1, 2), (3, 4, 5), (1, 0, 2), (4, 4, 0), (7, 7, 7))])
                          for i in range(3)))
    v = Vocabulary.build([(3 * i, p) for i, p in enumerate(pieces)], raw={0: "Ġthe", 3: "İx"}, merges=MergeTable(
        3 * merges.left, 3 * merges.right, 3 * merges.result))
    sliced, at_once = VocabularyIndex(v), VocabularyIndex(v)
    assert len([*sliced.prepare(), *sliced.parts.steps()]) > 20
    for name in ("_exact", "_folded", "_raw", "_raw_folded"):
        one, other = getattr(sliced, name), getattr(at_once, name)
        assert (one.data.tobytes(), one.counts.tolist(), one.rows.tolist()) == (
            other.data.tobytes(), other.counts.tolist(), other.rows.tolist())
    for name in ("points", "valid", "offsets", "classes", "codes", "rows", "script", "script_counts"):
        assert getattr(sliced.points, name).tolist() == getattr(at_once.points, name).tolist(), name
    assert sliced.order("text").tolist() == at_once.order("text").tolist()
    assert sliced.merge_of.tolist() == [3, -1, 0, -1, -1, 1, -1, 4, -1]  # the first that makes it
    assert sliced.left.tolist() == at_once.left.tolist()
    assert sliced.scripts == {"Latin": 3, "Common": 2, "Cyrillic": 1, "Greek": 1, "Han": 1, "Katakana": 1}


def test_scores_that_are_no_numbers_are_null_in_json() -> None:
    vocabulary = Vocabulary.build([(i, b"x") for i in range(4)], scores={0: float("nan"), 1: float("-inf"), 2: -1.5})
    index = VocabularyIndex(vocabulary)
    text = export(index, np.arange(4), ("id", "score"), "json")
    assert json.loads(text, parse_constant=pytest.fail) == [
        {"id": 0, "score": None}, {"id": 1, "score": None}, {"id": 2, "score": -1.5}, {"id": 3, "score": 0.0}]
    lines = export(index, np.arange(4), ("id", "score"), "csv").splitlines()
    assert lines == ["id,score", "0,nan", "1,-inf", "2,-1.5", "3,0.0"]
