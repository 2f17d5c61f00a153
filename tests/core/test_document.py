"""Document: incremental == full, for every known pattern, and equal to tiktoken on the bundled vocabularies."""

from __future__ import annotations

import os
from functools import cache

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core import document_incremental, document_pieces, document_whole, longedit
from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.document import Change, Document
from tokenloupe.core.document_incremental import Incremental
from tokenloupe.core.document_whole import Whole
from tokenloupe.core.patterns import PATTERNS
from tokenloupe.core.tokenizer import SpecialMode
from tokenloupe.formats.bundled import load_bundled

from . import bytelevel_vocabularies
from .bytelevel_vocabularies import ranks_of, theirs

FRAGMENTS = [
    "a",
    "Z",
    "the",
    "'s",
    "'RE",
    "'",
    "S",
    "ſ",
    "\u212a",
    " ",
    "   ",
    "\n",
    "\r\n",
    "\t",
    "   \n",
    "1",
    "4567",
    ".",
    "//",
    "!!",
    "/\n",
    "é",
    "ß",
    "ǅ",
    "中",
    "文字",
    "あ",
    "한국",
    "\u0301",
    "😀",
    "👨‍👩‍👧",
    "Ⅷ",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\x00",
    "...\n\n",
    "<|end|>",
    "<|e",
    "nd|>",
    "<|end|>more",
    "<|",
    ">",
    "don't",
    "HelloWORLD",
]
SPECIAL = {"<|end|>": 1000, "<|end|>more": 1001, "nd": 1002}
RANKS = ranks_of(
    b"th",
    b"the",
    b"  ",
    b"   ",
    b"\n\n",
    b"..",
    "中".encode(),
    b"lo",
    b"ll",
    b"aa",
    b"aaa",
    b"aaaa",
    b" the",
    "文字".encode(),
    b"'s",
    b"\xf0\x9f",
    b"45",
    b"456",
    b"nd",
    b"<|",
)
EXAMPLES = 2000 if os.environ.get("TOKENLOUPE_LONG") else 40
DIFFERENT = sorted(set(PATTERNS.values()))
PIECES = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)
EDITS = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.integers(0, 6),
        st.lists(st.sampled_from(FRAGMENTS), max_size=3).map("".join),
        st.sampled_from([b""] * 12 + [b"\xff", b"\xe4\xb8", b"\x80"]),
        st.booleans(),
    ),
    max_size=12,
)


@cache
def ours(pattern: str, special: bool = False) -> ByteLevelTokenizer:
    return bytelevel_vocabularies.ours(RANKS, pattern, SPECIAL if special else None)


MODES: list[SpecialMode] = ["text", "parse", frozenset(["<|end|>"])]


def whole_characters(data: bytes, at: int, removed: int) -> tuple[int, int]:
    while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    while at + removed < len(data) and data[at + removed] & 0xC0 == 0x80:
        removed += 1
    return at, removed


def follow(document: Document, edits: list[tuple[float, int, str, bytes, bool]]) -> None:
    """Edit, and check each Change and the tokens after it against encoding the whole."""
    old = document.encoding()
    for place, removed, text, odd, aligned in edits:
        data = document.data
        at = round(place * len(data))
        removed = min(removed, len(data) - at)
        if aligned:
            at, removed = whole_characters(data, at, removed)
        inserted = text.encode() + odd
        change = document.edit(at, removed, inserted)
        assert document.data == data[:at] + inserted + data[at + removed :]
        new = document.encoding()
        full = document.tokenizer.encode(document.data, special=document.special)
        for got, right in (
            (new.ids, full.ids),
            (new.starts, full.starts),
            (new.ends, full.ends),
            (new.kinds, full.kinds),
        ):
            assert np.array_equal(got, right)
        assert new.exact == full.exact
        assert (change.byte_start, change.byte_removed, change.byte_inserted) == (at, removed, len(inserted))
        first, shift = change.first_token, change.byte_inserted - change.byte_removed
        gone, come = first + change.tokens_removed, first + change.tokens_inserted
        assert np.array_equal(new.ids[:first], old.ids[:first]) and np.array_equal(new.ends[:first], old.ends[:first])
        assert np.array_equal(new.ids[come:], old.ids[gone:])
        assert np.array_equal(new.starts[come:], old.starts[gone:] + shift)
        old = new


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    start=PIECES,
    edits=EDITS,
    mode=st.sampled_from(MODES),
    pattern=st.sampled_from(DIFFERENT),
    block=st.sampled_from([3, 512]),
)
def test_incremental_is_full(
    start: str, edits: list[tuple[float, int, str, bytes, bool]], mode: SpecialMode, pattern: str, block: int
) -> None:
    kept, document_pieces.BLOCK = document_pieces.BLOCK, block
    try:
        document = Document(ours(pattern, True), start.encode(), mode)
        follow(document, edits)
    finally:
        document_pieces.BLOCK = kept


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    start=PIECES, edits=EDITS, mode=st.sampled_from(MODES), pattern=st.sampled_from(DIFFERENT), size=st.integers(1, 60)
)
def test_an_unfinished_text_can_be_edited(
    start: str, edits: list[tuple[float, int, str, bytes, bool]], mode: SpecialMode, pattern: str, size: int
) -> None:
    tokenizer = ours(pattern, True)
    document = Document(tokenizer, b"", mode)
    document.store.replace(0, 0, start.encode())
    part = document._tokens
    steps = document.fill()
    for place, removed, text, _, _ in edits:
        if isinstance(part, Incremental):
            part._size = {True: size, False: size}
        next(steps, None)
        at, gone = whole_characters(document.data, round(place * len(document)), 0)
        gone = min(removed, len(document) - at)
        at, gone = whole_characters(document.data, at, gone)
        document.edit(at, gone, text.encode())
        full = tokenizer.encode(document.data, special=mode)
        count = document.token_count
        assert np.array_equal(document.tokens(0, count).ids, full.ids[:count])
        if isinstance(document._tokens, Incremental):
            assert document.complete_to == (int(full.ends[count - 1]) if count else 0)
    assert np.array_equal(document.encoding().ids, tokenizer.encode(document.data, special=mode).ids)


ODD = st.sampled_from([b"\xff", b"\xe4\xb8", b"\x80", b"\xe4", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xad", b"\xc0\x80"])
BYTES = st.lists(
    st.one_of(st.sampled_from(FRAGMENTS).map(str.encode), st.sampled_from([b" ", b"\n\n", b" \n", b"<|end|>"]), ODD),
    max_size=30,
).map(b"".join)


@settings(max_examples=EXAMPLES * 2, deadline=None)
@given(
    start=BYTES,
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 4), st.just(""), st.one_of(ODD, BYTES), st.booleans()), max_size=12
    ),
    mode=st.sampled_from(MODES),
    pattern=st.sampled_from(DIFFERENT),
)
def test_incremental_is_full_where_bytes_are_no_utf8(
    start: bytes, edits: list[tuple[float, int, str, bytes, bool]], mode: SpecialMode, pattern: str
) -> None:
    follow(Document(ours(pattern, True), start, mode), edits)


def test_a_byte_that_is_no_utf8_costs_an_edit_no_more() -> None:
    """Before it, behind it, and where it comes and goes: only the tokens near the edit change."""
    text = "the word's 123 文字 ".encode() * 2000
    document = Document(ours(PATTERNS["o200k_base"], True), text, "parse")
    document.encoding()
    at = len(text) // 2
    document.edit(at, 0, b"\xff")  # one pre-token from here on
    document.encoding()
    for place, inserted in ((at + 20_000, b"x"), (10_000, b"y"), (0, b" "), (len(document), b"z"), (at + 9, b"\x80")):
        change = document.edit(place, 0, inserted)
        assert change.tokens_removed <= 40 and document.complete
        assert np.array_equal(document.encoding().ids, document.tokenizer.encode(document.data, special="parse").ids)
    document.edit(at + 5, 0, b"<|end|>")  # and only to there
    assert np.array_equal(document.encoding().ids, document.tokenizer.encode(document.data, special="parse").ids)
    assert isinstance(document._tokens, Incremental)


@pytest.mark.parametrize("text", ["中文字the" * 40, "aaaa" * 80, "ab" * 150])
def test_a_long_pre_token_is_made_in_parts(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LONGEST", 64), ("SLICE", 32)):
        monkeypatch.setattr(longedit, name, value)
    monkeypatch.setattr(document_incremental, "LONGEST", 64)
    monkeypatch.setattr(document_incremental, "SECONDS", 0.0)
    tokenizer = ours(PATTERNS["gpt2"])
    data = f"a {text} the end".encode()
    document = Document(tokenizer, data)
    assert not document.complete
    progress = list(document.fill())
    assert progress == sorted(progress) and document.complete
    assert document.encoding().ids.tolist() == tokenizer.encode(data).ids.tolist()
    # An edit while it is being made.
    document.set_data(data)
    next(document.fill())
    document.edit(0, 1, b"the")
    assert document.encoding().ids.tolist() == tokenizer.encode(b"the" + data[1:]).ids.tolist()


@pytest.mark.parametrize("mode", ["text", "parse"])
def test_what_is_seen_early_is_what_comes(mode: SpecialMode) -> None:
    text = ("the word's 123 文字,\n  <|end|>" * 8000).encode()
    document = Document(ours(PATTERNS["o200k_base"], True), text, mode)
    assert document.complete_to < 150_000
    places = [(150_000, 151_000), (199_999, 200_000), (len(text) - 300, len(text))]
    early = [document.preview(a, b) for a, b in places]
    count = document.token_count
    document.encoding()
    for (a, b), seen in zip(places, early, strict=True):
        assert len(seen) and seen.first_index >= count
        then = document.window(a, b)
        for name in ("ids", "starts", "ends", "kinds"):
            assert np.array_equal(getattr(seen, name), getattr(then, name))
    # Where a part cannot tell, nothing is shown.
    document = Document(ours(PATTERNS["gpt2"]), b"a" * 400_000)
    assert not len(document.preview(200_000, 201_000)) and not len(document.preview(400_000, 400_000))


def test_a_large_paste_is_filled_in_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_incremental, "FAR", 100)
    tokenizer = ours(PATTERNS["gpt2"])
    document = Document(tokenizer, b"the word " * 20)
    count = document.token_count
    change = document.edit(90, 0, b" the 123" * 30)
    assert document.token_count == count - change.tokens_removed + change.tokens_inserted
    assert not document.complete
    assert document.encoding().ids.tolist() == tokenizer.encode(document.data).ids.tolist()


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(
    start=st.text("aa中b", min_size=30, max_size=90),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 6), st.text("aab中 .", max_size=4), st.just(b""), st.just(True)),
        max_size=12,
    ),
)
def test_edits_inside_a_long_pre_token(start: str, edits: list[tuple[float, int, str, bytes, bool]]) -> None:
    kept, longedit.LONG, longedit.AROUND = (longedit.LONG, longedit.AROUND), 8, 1
    try:
        follow(Document(ours(PATTERNS["o200k_base"]), start.encode()), edits)
    finally:
        longedit.LONG, longedit.AROUND = kept


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_typing_a_text_gives_tiktoken_s_ids(name: str) -> None:
    tokenizer = load_bundled(name)
    reference = tiktoken.Encoding(
        name,
        pat_str=PATTERNS[name],
        special_tokens=tokenizer.special_tokens,
        mergeable_ranks={
            tokenizer.vocabulary.bytes_of(i) or b"": i
            for i in tokenizer.vocabulary.ids.tolist()
            if i not in tokenizer.special_tokens.values()
        },
    )
    document = Document(tokenizer, b"", "parse")
    for char in "I'VE   don't\r\n\r\n  <|endoftext|>东京 12345 नमस्ते 👨‍👩‍👧!! \u00a0x  ":
        document.edit(len(document), 0, char.encode())
        assert document.encoding().ids.tolist() == reference.encode(document.data.decode(), allowed_special="all")
    while len(document):
        at, removed = whole_characters(document.data, len(document) // 2, 1)
        document.edit(at, removed, b"")
        assert document.encoding().ids.tolist() == reference.encode(document.data.decode(), allowed_special="all")


def test_bytes_that_are_no_utf8_are_tiktoken_s() -> None:
    tokenizer, reference = ours(PATTERNS["o200k_base"]), theirs(RANKS, PATTERNS["o200k_base"])
    document = Document(tokenizer, b"the  \n\n")
    for at, inserted in ((7, b"\xff"), (3, b"\x80 the"), (0, b"ok "), (2, b"\xe4\xb8")):
        document.edit(at, 0, inserted)
        assert document.encoding().ids.tolist() == reference._encode_bytes(document.data)
        assert isinstance(document._tokens, Incremental)
    document.edit(0, len(document), b"the the")
    assert document.encoding().ids.tolist() == reference.encode("the the")


def test_windows_and_places() -> None:
    document = Document(ours(PATTERNS["gpt2"]), b"the aaaa the")
    assert [
        (document.tokens(i, i + 1).starts[0], document.tokens(i, i + 1).ends[0]) for i in range(document.token_count)
    ] == [(0, 3), (3, 4), (4, 8), (8, 12)]
    assert document.window(2, 5).starts.tolist() == [0, 3, 4]
    assert document.window(3, 3).starts.tolist() == [0, 3]  # a place between two tokens touches both
    assert document.window(5, 5).starts.tolist() == [4]
    assert document.window(99, 99).starts.tolist() == [8]
    assert [document.token_at(i) for i in (0, 3, 7, 8, 12, 99)] == [0, 1, 2, 3, 3, 3]
    assert len(document.tokens(2, 99)) == 2
    assert len(document.tokens(99, 120)) == 0
    empty = Document(ours(PATTERNS["gpt2"]))
    assert (empty.token_count, empty.token_at(0), len(empty.window(0, 0)), empty.complete) == (0, -1, 0, True)


def test_an_edit_changes_as_few_tokens_as_it_does() -> None:
    document = Document(ours(PATTERNS["gpt2"]), b"the the the")
    assert document.edit(4, 0, b"x") == Change(4, 0, 1, 1, 1, 3)  # " the" -> " ", "x", "the"
    assert document.edit(5, 0, b"") == Change(5, 0, 0, document.token_count, 0, 0)


def test_another_tokenizer_and_another_mode() -> None:
    document = Document(ours(PATTERNS["gpt2"], True), b"the<|end|>", frozenset(["<|end|>"]))
    assert document.encoding().ids.tolist()[-1] == 1000
    document.set_special("text")
    assert 1000 not in document.encoding().ids.tolist()
    document.set_special(["<|end|>"])
    document.set_tokenizer(ours(PATTERNS["o200k_base"]))
    assert document.special == "text"
    document.set_data(b"the")
    assert document.token_count == 1


def test_a_long_text_is_filled_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_incremental, "PLAIN", (1000, 1000, 1000))
    document = Document(ours(PATTERNS["cl100k_base"]), b"the word's 123\n" * 20_000)
    assert 0 < document.complete_to < len(document)
    progress = list(document.fill())
    assert document.complete and progress == sorted(progress) and progress[-1] == 1.0
    assert len(progress) > 3


def test_a_tokenizer_of_which_nothing_is_known_is_encoded_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = ours(r"(?<=a)b|(?<!a)b|[^b]+")  # it looks behind
    document = Document(tokenizer, b"abba")
    assert isinstance(document._tokens, Whole)
    follow(document, [(0.5, 1, "ab", b"", True), (0, 0, "b", b"", True)])
    monkeypatch.setattr(document_whole, "AT_ONCE", 2)
    count = document.token_count
    assert document.edit(0, 0, b"a") == Change(0, 0, 1, 0, count, 0)
    assert not document.complete
    assert list(document.fill())[-1] == 1.0
    assert document.encoding().ids.tolist() == tokenizer.encode(document.data).ids.tolist()


def test_what_is_seen_stays_while_the_whole_is_encoded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_whole, "AT_ONCE", 2)
    monkeypatch.setattr(document_whole, "AROUND", 30)
    document = Document(ours(r"(?<=a)b|(?<!a)b|[^b]+"), b"abba the\nb the aaab\n" * 20)
    assert isinstance(document._tokens, Whole) and not document.complete
    for at, removed, inserted in ((0, 0, b""), (200, 3, b"x"), (100, 0, b"the"), (300, 0, b"b")):
        document.encoding()
        document.edit(at, removed, inserted)
        document._tokens.edit(at, 0, 0)  # once more, as if it were not done yet
        seen = {place: document.preview(place, place + 20) for place in (0, 90, 195, 250, len(document) - 20)}
        document.encoding()
        for place, early in seen.items():
            then = document.window(place, place + 20)
            assert np.array_equal(early.ids, then.ids) and np.array_equal(early.ends, then.ends)
            assert abs(early.first_index - then.first_index) <= 4


def test_text_may_be_a_str() -> None:
    """As in `Document(tokenizer, text).edit(...)`; a lone surrogate keeps its three bytes."""
    tokenizer = load_bundled("gpt2")
    document = Document(tokenizer, "hi \ud800")
    document.edit(2, 0, " é")
    assert document.data == "hi é ".encode() + b"\xed\xa0\x80"
    assert document.encoding().ids.tolist() == tokenizer.encode(document.data).ids.tolist()


@pytest.mark.parametrize("text", [" ", "a", "=", "\n"])
def test_runs_of_one_character(text: str) -> None:
    """One more or less of a long run changes the tokens at its end, wherever it was put."""
    tokenizer = load_bundled("cl100k_base")
    document = Document(tokenizer, "x" + text * 3000 + "y z")
    for place, removed, inserted in ((1500, 0, text), (5, 2, ""), (1, 0, text * 3), (2000, 0, "b"), (700, 1, ""),
                                     (0, 1, ""), (0, 0, text), (900, 1, text * 2), (2001, 1, text)):
        before = document.encoding()
        change = document.edit(place, removed, inserted)
        check = tokenizer.encode(document.data)
        found = document.encoding()
        assert np.array_equal(found.ids, check.ids) and np.array_equal(found.starts, check.starts)
        first, last = change.first_token, change.first_token + change.tokens_removed
        assert np.array_equal(before.starts[:first], check.starts[:first])
        assert np.array_equal(before.ids[:first], check.ids[:first])
        moved = before.starts[last:] + len(inserted) - removed
        assert np.array_equal(moved, check.starts[first + change.tokens_inserted :])
