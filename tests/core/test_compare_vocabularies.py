"""Two vocabularies side by side: against sets of byte strings and the plainest loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.census import Census
from tokenloupe.core.compare_vocabularies import VocabularyComparison
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.vocabulary import TokenKind, Vocabulary

PIECES = st.lists(st.tuples(
    st.integers(0, 2**31), st.sampled_from([b"", b"a", b"b", b"ab", "Ж".encode(), "漢".encode(), b"\xe6", b"\xff",
                                            b"x" * 15, b"x" * 16, b"x" * 17, b"y" * 40, b"1"]),
    st.sampled_from(list(TokenKind))), max_size=14, unique_by=lambda e: e[0])
Entries = list[tuple[int, bytes, TokenKind]]


def index_of(entries: Entries) -> VocabularyIndex:
    return VocabularyIndex(Vocabulary.build([(i, p) for i, p, _ in entries], kinds={i: k for i, _, k in entries}))


def counted(entries: Entries) -> dict[bytes, int]:
    """Each spelling with the id that counts: the lowest ordinary one, or the lowest."""
    out: dict[bytes, int] = {}
    ordered = sorted(entries, key=lambda e: (e[2] not in (TokenKind.NORMAL, TokenKind.ADDED), e[0]))
    for token_id, piece, _ in ordered:
        if piece:
            out.setdefault(piece, token_id)
    return out


@settings(max_examples=150, deadline=None)
@given(PIECES, PIECES, st.sampled_from([1, 3, 1 << 15]))
def test_any_two(left: Entries, right: Entries, slice_: int) -> None:
    a, b = counted(left), counted(right)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokenloupe.core.compare_vocabularies.SLICE", slice_)
        both = VocabularyComparison(index_of(left), index_of(right))
        *_, made = both.steps()
    assert made is both
    pairs = sorted((i, b[p]) for p, i in a.items() if p in b)
    assert both.shared.tolist() == [list(pair) for pair in pairs]
    assert both.moved.tolist() == [list(pair) for pair in pairs if pair[0] != pair[1]]
    assert both.only_left.tolist() == sorted(i for p, i in a.items() if p not in b)
    assert both.only_right.tolist() == sorted(i for p, i in b.items() if p not in a)
    scripts = {"Ж".encode(): "Cyrillic", "漢".encode(): "Han", b"1": "Common", b"\xe6": "no whole character",
               b"\xff": "no whole character"}
    wanted: dict[str, list[int]] = {}
    for piece in {*a, *b}:
        row = wanted.setdefault(scripts.get(piece, "Latin"), [0, 0, 0])
        row[0 if piece in a and piece in b else 1 if piece in a else 2] += 1
    assert {name: list(numbers) for name, *numbers in both.by_script} == wanted


@settings(max_examples=60, deadline=None)
@given(PIECES)
def test_ids_of_single_bytes(entries: Entries) -> None:
    of_byte = counted([e for e in entries if len(e[1]) == 1])
    found = Census(index_of(entries)).byte_ids
    assert found.tolist() == [of_byte.get(bytes([byte]), -1) for byte in range(256)]
    assert found.dtype == np.int64
