"""The two parts that every entry of a rank file is joined from, for all entries at once and without running merges.

    >>> blob, offsets = join_bytes([b"a", b"b", b"ab", b"abb"])
    >>> *_, (left, right, made) = parts_of_ranks(blob, offsets, np.arange(4), table, merger.run)
    >>> list(zip(left, right, made))                    # ab = a + b, abb = ab + b
    [(0, 1, 2), (2, 1, 3)]

In a rank file any two neighbours that join to an entry may merge, the lowest rank first. An entry is made of L + R when
both are entries of lower ranks that come about by themselves, and when nothing merges over the middle before both are
done. That is seen by undoing the two sides, later merges first, and asking each time whether the two symbols that meet
in the middle would have merged before the merge that is undone (the proof: lineage_firing.py; parts of lower ranks
than the whole are what it asks for). Every symbol is a stretch of the entry's own bytes, so that each question is one
look-up of a stretch. Shorter entries first: of their parts all is known.

Ranks that training did not give may make an entry of a part that comes about by merges of higher ranks than its own.
What is not found by the above, in such a file, is run through the merges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .lookup import SpanTable, Text
from .vocabulary import Int64s

#: Cuts that are looked at in one slice, and entries that are run in one: some 5 ms.
SLICE, SLICE_RUN = 1 << 14, 256
Parts = tuple[Int64s, Int64s, Int64s]
#: (pieces, for each of them the rank below which merges are made) -> (ids of all in order, number of each).
Run = Callable[[Sequence[bytes], Int64s], tuple[Int64s, Int64s]]


def parts_of_ranks(blob: bytes, offsets: Int64s, ids: Int64s, table: SpanTable, run: Run) -> Iterator[float | Parts]:
    """ids: rank of each entry. table: bytes -> id. Progress 0..1, at last the ids (left, right, made), by rank."""
    found = _Derivation(blob, offsets, ids, table)
    yield from found.steps()
    made = np.flatnonzero(found.left >= 0)
    parts = [(ids[found.left[made]], ids[found.right[made]], ids[made])]
    rest = np.flatnonzero(~found.known)
    for first in range(0, len(rest), SLICE_RUN):
        rows = rest[first : first + SLICE_RUN]
        symbols, counts = run([blob[offsets[r] : offsets[r + 1]] for r in rows.tolist()], ids[rows])
        begins = (np.cumsum(counts) - counts)[counts == 2]
        left, right = symbols[begins], symbols[begins + 1]
        there = (left >= 0) & (right >= 0)  # else a byte of it has no entry
        parts.append((left[there], right[there], ids[rows[counts == 2][there]]))
        yield first / len(rest)
    left, right, whole = (np.concatenate(side) for side in zip(*parts, strict=True))
    order = np.argsort(whole, kind="stable")
    yield left[order], right[order], whole[order]


class _Derivation:
    """rank: id of entries that merges make, -1 for single bytes. left, right: rows of the parts, -1 before they are
    known and for entries that no merges make."""

    def __init__(self, blob: bytes, offsets: Int64s, ids: Int64s, table: SpanTable) -> None:
        self.text, self.table, self.ids, self.starts = Text(blob), table, ids, offsets[:-1]
        self.lengths = np.diff(offsets)
        self.rank = np.where(self.lengths == 1, -1, ids)
        self.known = self.lengths <= 1
        self.left, self.right = (np.full(len(ids), -1, np.int64) for _ in range(2))
        self._order = np.argsort(ids, kind="stable")
        self._sorted = ids[self._order]
        self._dense = len(ids) == 0 or bool((self._sorted == np.arange(len(ids))).all())

    def steps(self) -> Iterator[float]:
        by_length = np.argsort(self.lengths, kind="stable")
        by_length = by_length[self.lengths[by_length] > 1]
        sizes = self.lengths[by_length]
        done = 0
        for size in np.unique(sizes).tolist():
            rows = by_length[np.searchsorted(sizes, size) : np.searchsorted(sizes, size, "right")]
            step = max(SLICE // (size - 1), 1)
            for first in range(0, len(rows), step):
                self._level(rows[first : first + step], size)
                done += len(rows[first : first + step])
                yield done / len(by_length)

    def _rows(self, starts: Int64s, lengths: Int64s) -> Int64s:
        """The entry of each stretch of bytes, as a row; -1 for none."""
        found = self.table.find(self.text, starts, lengths)
        if self._dense:
            return np.where(found >= 0, self._order[np.maximum(found, 0)], -1)
        places = np.minimum(np.searchsorted(self._sorted, found), len(self.ids) - 1)
        return np.where(found >= 0, self._order[places], -1)

    def _level(self, rows: Int64s, size: int) -> None:
        """Entries of one length: every cut in two entries of lower ranks is a way to make it, one at most is real."""
        whole = np.repeat(rows, size - 1)
        cut = np.tile(np.arange(1, size), len(rows))
        starts, rank = self.starts[whole], self.rank[whole]
        left = self._rows(starts, cut)
        on = np.flatnonzero((left >= 0) & self.known[left] & (self.rank[left] < rank))
        whole, cut, starts, rank, left = whole[on], cut[on], starts[on], rank[on], left[on]
        right = self._rows(starts + cut, size - cut)
        on = np.flatnonzero((right >= 0) & self.known[right] & (self.rank[right] < rank))
        whole, left, right = whole[on], left[on], right[on]
        real = self._meet(left, right, starts[on] + cut[on])
        whole, left, right = whole[real], left[real], right[real]
        self.left[whole], self.right[whole], self.known[whole] = left, right, True

    def _meet(self, a: Int64s, b: Int64s, middle: Int64s) -> NDArray[np.bool_]:
        """bool: nothing merges over the middle (a place in the text) before both sides are done."""
        real = np.ones(len(a), np.bool_)
        going = np.arange(len(a))
        while len(going):
            # Undo the side that was made later; of two equal ones the right, as the leftmost goes first.
            later = self.rank[a] > self.rank[b]
            limit = np.where(later, self.rank[a], self.rank[b] + 1)
            more = np.maximum(self.rank[a], self.rank[b]) >= 0  # else both are single bytes: all is undone
            going, later, limit, a, b, middle = going[more], later[more], limit[more], a[more], b[more], middle[more]
            a = np.where(later, self.right[a], a)
            b = np.where(later, b, self.left[b])
            across = self.table.find(self.text, middle - self.lengths[a], self.lengths[a] + self.lengths[b])
            taken = (across >= 0) & (across < limit)
            real[going[taken]] = False
            going, a, b, middle = going[~taken], a[~taken], b[~taken], middle[~taken]
        return real
