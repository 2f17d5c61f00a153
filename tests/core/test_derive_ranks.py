"""The parts of a rank file's entries: against running the merges of lower ranks over each, one after the other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.bytebpe import ByteBPE
from tokenloupe.core.vocabulary import join_bytes
from tokenloupe.formats.bundled import load_bundled


def parts(pieces: dict[bytes, int]) -> dict[int, tuple[int, int]]:
    """By the function under test: id -> (left, right)."""
    blob, offsets = join_bytes(list(pieces))
    ids = np.array(list(pieces.values()), np.int64)
    *_, found = ByteBPE(blob, offsets, ids).derived_merges_steps()
    assert not isinstance(found, float)
    left, right, made = (x.tolist() for x in found)
    assert made == sorted(made)
    return {m: (a, b) for a, b, m in zip(left, right, made, strict=True)}


def merged(piece: bytes, ranks: dict[bytes, int], below: int) -> list[bytes]:
    """The plainest byte pair encoding with the merges of lower ranks: the lowest first, of equal ones the leftmost."""
    symbols = [bytes([b]) for b in piece]
    while True:
        found = [(ranks[a + b], i) for i, (a, b) in enumerate(itertools.pairwise(symbols))
                 if ranks.get(a + b, below) < below]
        if not found:
            return symbols
        _, i = min(found)
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


def by_running(pieces: dict[bytes, int]) -> dict[int, tuple[int, int]]:
    out = {}
    for piece, rank in pieces.items():
        symbols = merged(piece, pieces, rank)
        if len(piece) > 1 and len(symbols) == 2:
            out[rank] = (pieces[symbols[0]], pieces[symbols[1]])
    return out


@settings(max_examples=120, deadline=None)
@given(st.lists(st.text("abc", min_size=2, max_size=7), unique=True, max_size=40), st.integers(1, 50))
def test_any_rank_file(texts: list[str], gap: int) -> None:
    """Ranks in any order, with gaps: entries that no merges make, too."""
    pieces = {b: n for n, b in enumerate((b"a", b"b", b"c"))}
    for n, text in enumerate(texts):
        pieces[text.encode()] = 3 + n * gap
    assert parts(pieces) == by_running(pieces)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=60))
def test_trained_rank_files(choices: list[tuple[int, int]]) -> None:
    """Each entry is joined of two that were there: long ones, and ones of a single letter."""
    known = [b"a", b"b"]
    for x, y in choices:
        made = known[x % len(known)] + known[y % len(known)]
        if made not in known and len(made) < 40:
            known.append(made)
    pieces = {piece: n for n, piece in enumerate(known)}
    assert parts(pieces) == by_running(pieces)


@pytest.mark.parametrize("first", [0, 100_000])
def test_ranks_of_a_real_vocabulary(first: int) -> None:
    """Every seventieth entry of cl100k_base, by running; and which entries have parts at all."""
    tokenizer = load_bundled("cl100k_base")
    table = tokenizer.merge_table
    v = tokenizer.vocabulary
    ranks = {v.bytes_at(r): int(i) for r, i in enumerate(v.ids.tolist()) if v.kinds[r] == 0}
    assert len(table) == len(ranks) - 256  # all but the single bytes
    for n in range(first // 2000, len(table), 70):
        made = int(table.result[n])
        symbols = merged(v.bytes_of(made) or b"", ranks, made)
        assert [ranks[s] for s in symbols] == [int(table.left[n]), int(table.right[n])]


def test_nothing_and_single_bytes() -> None:
    assert parts({}) == {}
    assert parts({b"a": 7, b"b": 3}) == {}
    assert parts({b"a": 7, b"ab": 8}) == {}  # there is no b
    assert parts({b"a": 9, b"b": 3, b"ab": 0}) == {0: (9, 3)}  # a rank of zero, below those of the bytes
