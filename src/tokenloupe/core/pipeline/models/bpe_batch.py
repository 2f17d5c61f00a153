"""BPE of thousands of words at once: every round makes one merge in each word that still has one.

Words are columns of a matrix, characters its rows. A cell that begins a symbol holds the rank of the pair it makes with
the next symbol, and beneath it its own row: the minimum of a column is the lowest rank, of equal ones the leftmost.

    ids, rows, counts = merge_columns(symbols, begins, lengths, pairs, results)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...lookup import PairTable
from ...ragged import places
from ...vocabulary import Int64s

#: Characters of the longest word of each matrix.
CLASSES = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
#: Words of more characters are taken where enough are of one class: each of them adds rounds for all.
LONG, ENOUGH = 64, 32
#: Cells of a matrix: what stays in the cache.
CELLS = 1 << 17
NONE = np.iinfo(np.int64).max


def worth(lengths: Int64s) -> NDArray[np.bool_]:
    """Which words of these numbers of characters are merged together faster than one by one."""
    which = np.searchsorted(CLASSES, lengths)
    counts = np.bincount(which, minlength=len(CLASSES) + 1)
    taken = np.append((np.array(CLASSES) <= LONG) | (counts[:-1] >= ENOUGH), False)  # none that is longer than all
    good: NDArray[np.bool_] = taken.take(which) & (lengths > 0)
    return good


def merge_columns(symbols: Int64s, begins: Int64s, lengths: Int64s, pairs: PairTable,
                  results: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    """symbols: the ids of all words' characters; word w is symbols[begins[w]:][:lengths[w]], of CLASSES[-1] at most.

    (ids, rows, counts): the tokens of all words in a row, the character each begins at, and how many a word has.
    """
    counts = np.zeros(len(begins), np.int64)
    parts: list[tuple[Int64s, Int64s, Int64s]] = []
    low = 0
    for high in CLASSES:
        chosen = np.flatnonzero((lengths > low) & (lengths <= high))
        low = high
        step = max(CELLS // high, 1)
        for at in range(0, len(chosen), step):
            some = chosen[at : at + step]
            ids, rows, number = _matrix(symbols, begins[some], lengths[some], pairs, results)
            counts[some] = number
            parts.append((some, ids, rows))
    edges = np.cumsum(counts) - counts
    total = int(counts.sum())
    out_ids, out_rows = np.empty(total, np.int64), np.empty(total, np.int64)
    for some, ids, rows in parts:
        place = places(edges[some], counts[some])
        out_ids[place], out_rows[place] = ids, rows
    return out_ids, out_rows, counts


def _matrix(symbols: Int64s, begins: Int64s, lengths: Int64s, pairs: PairTable,
            results: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    width, height = len(begins), int(lengths.max())
    shift = max(height - 1, 1).bit_length()
    mask = (1 << shift) - 1
    row = np.arange(height, dtype=np.int64)[:, None]
    ids = symbols.take(np.minimum(begins + row, len(symbols) - 1))
    live: NDArray[np.bool_] = row < lengths
    keys = np.full((height, width), NONE, np.int64)
    if height > 1:
        rank = pairs.find(ids[:-1].ravel(), ids[1:].ravel()).reshape(height - 1, width)
        keys[:-1] = np.where((rank >= 0) & live[1:], (rank << shift) | row[:-1], NONE)
    after = np.repeat(row + 1, width, axis=1)
    before = np.repeat(row - 1, width, axis=1)
    flat_ids, flat_live = ids.ravel(), live.ravel()
    flat_keys, flat_after, flat_before = keys.ravel(), after.ravel(), before.ravel()
    columns = np.arange(width)
    view = keys
    while True:
        best = view.min(0)
        going = np.flatnonzero(best != NONE)
        if not len(going):
            break
        if len(going) * 2 < len(best):  # most are done: look at the others alone from now on
            columns, best = columns[going], best[going]
            view = keys[:, columns]
            going = np.arange(len(columns))
        col, best = columns[going], best[going]
        left = best & mask
        here = left * width + col
        second = flat_after.take(here) * width + col
        third = flat_after.take(second)
        made = results.take(best >> shift)
        flat_ids[here] = made
        flat_after[here] = third
        flat_live[second] = False
        flat_keys[second] = NONE
        inside = third < lengths.take(col)
        next_ = np.minimum(third, height - 1) * width + col
        flat_before[next_[inside]] = left[inside]
        rank = np.where(inside, pairs.find(made, flat_ids.take(next_)), -1)
        key = np.where(rank >= 0, (rank << shift) | left, NONE)
        flat_keys[here] = key
        previous = flat_before.take(here)
        has = np.flatnonzero(previous >= 0)
        place = previous[has] * width + col[has]
        rank_before = pairs.find(flat_ids.take(place), made[has])
        key_before = np.where(rank_before >= 0, (rank_before << shift) | previous[has], NONE)
        flat_keys[place] = key_before
        if view is not keys:  # a copy of some columns: mended the same way
            view[second // width, going] = NONE
            view[left, going] = key
            view[previous[has], going[has]] = key_before
    keep = live.T
    return ids.T[keep], np.broadcast_to(row.T, (width, height))[keep], live.sum(0)
