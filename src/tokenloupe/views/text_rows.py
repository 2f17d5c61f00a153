"""Where the rows of a text lie: bytes <-> rows <-> lines <-> pixels down, without a look at any glyph.

A *row* is what one layout shows: a line with its terminator, or a piece of about 1,000 characters of a longer line, cut
between graphemes. Lines end at LF, CRLF, CR, U+2028 and U+2029. There always is a last row, which may be empty.

    >>> rows = TextRows(TextStore(b"one\\ntwo\\r\\n"))
    >>> len(rows), [rows.span(r) for r in range(3)]
    (3, [(0, 4), (4, 9), (9, 9)])

Rows are kept in blocks of up to 512 with the sums of their bytes, heights and lines, so that an edit in 300,000 rows
moves a few hundred numbers. Heights are estimates until a row has been laid out (`set_height`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .row_cut import cut_rows

BLOCK = 512
#: An edit this near to the end of a row may change whether its boundary stands: the neighbour is cut again too.
NEAR = 64
#: A piece of a line that has become shorter than this is joined with what follows it.
SMALL = 300


class Store(Protocol):
    """What is asked of core.store.TextStore."""

    def __len__(self) -> int: ...
    def bytes(self, start: int, end: int) -> bytes: ...


class RowsChanged(NamedTuple):
    """Rows first .. +removed became `inserted` others."""

    first: int
    removed: int
    inserted: int


class _Block:
    __slots__ = ("bytes", "hard", "height", "heights", "lengths", "lines")

    def __init__(self, lengths: NDArray[np.int64], heights: NDArray[np.int32], hard: NDArray[np.bool_]) -> None:
        self.lengths, self.heights, self.hard = lengths, heights, hard
        self.sum()

    def sum(self) -> None:
        self.bytes, self.height = int(self.lengths.sum()), int(self.heights.sum())
        self.lines = int(self.hard.sum())


class TextRows:
    """estimate(lengths in bytes) -> heights in pixels, int32, for rows that were not laid out yet."""

    def __init__(self, store: Store, estimate: Callable[[NDArray[np.int64]], NDArray[np.int32]] | None = None) -> None:
        self._estimate = estimate or (lambda lengths: np.ones(len(lengths), np.int32))
        self.reset(store)

    def reset(self, store: Store) -> None:
        """Another text."""
        self.store = store
        lengths, hard = cut_rows(store.bytes(0, len(store)), last=True)
        self._blocks = list(self._blocked(lengths, self._estimate(lengths), hard))
        self._changed()

    def _blocked(self, lengths: NDArray[np.int64], heights: NDArray[np.int32],
                 hard: NDArray[np.bool_]) -> Iterator[_Block]:
        for i in range(0, max(len(lengths), 1), BLOCK):
            yield _Block(lengths[i : i + BLOCK].copy(), heights[i : i + BLOCK].copy(), hard[i : i + BLOCK].copy())

    def _changed(self) -> None:
        self._rows = [0, *accumulate(len(b.lengths) for b in self._blocks)]
        self._bytes = [0, *accumulate(b.bytes for b in self._blocks)]
        self._lines = [0, *accumulate(b.lines for b in self._blocks)]
        self._y: list[int] | None = None

    def _ys(self) -> list[int]:
        if self._y is None:
            self._y = [0, *accumulate(b.height for b in self._blocks)]
        return self._y

    # Counting

    def __len__(self) -> int:
        return self._rows[-1]

    @property
    def lines(self) -> int:
        return self._lines[-1] + 1

    @property
    def size(self) -> int:
        """In bytes: the text's, once the rows have heard of its last edit."""
        return self._bytes[-1]

    @property
    def height(self) -> int:
        """Of all rows, in pixels; an estimate."""
        return self._ys()[-1]

    def _of_row(self, row: int) -> tuple[_Block, int, int]:
        k = min(bisect_right(self._rows, row) - 1, len(self._blocks) - 1)
        return self._blocks[k], row - self._rows[k], k

    def span(self, row: int) -> tuple[int, int]:
        """(byte_start, byte_end) of a row, its terminator included."""
        block, i, k = self._of_row(row)
        start = self._bytes[k] + int(block.lengths[:i].sum())
        return start, start + int(block.lengths[i])

    def spans(self, first: int, count: int) -> list[tuple[int, int]]:
        """span() of `count` rows from `first` on (fewer at the end)."""
        first = max(first, 0)
        out: list[tuple[int, int]] = []
        while first < len(self) and count > 0:
            block, i, k = self._of_row(first)
            ends = block.lengths.cumsum()[i : i + count] + self._bytes[k]
            lengths = block.lengths[i : i + count]
            out.extend(zip((ends - lengths).tolist(), ends.tolist(), strict=True))
            first += len(lengths)
            count -= len(lengths)
        return out

    def row_at(self, byte_pos: int) -> int:
        """The row that holds the byte; the last row for the end of the text."""
        k = bisect_right(self._bytes, byte_pos) - 1
        if k >= len(self._blocks):
            return len(self) - 1
        inside = self._blocks[k].lengths.cumsum()
        return min(self._rows[k] + int(inside.searchsorted(byte_pos - self._bytes[k], "right")), len(self) - 1)

    def hard(self, row: int) -> bool:
        """Does the row end with a line terminator? (The last one never does.)"""
        block, i, _ = self._of_row(row)
        return bool(block.hard[i])

    def continued(self, row: int) -> bool:
        """Does the row go on with the line of the row before?"""
        return row > 0 and not self.hard(row - 1)

    def line_of(self, row: int) -> int:
        """Number of the line, from 0."""
        block, i, k = self._of_row(row)
        return self._lines[k] + int(block.hard[:i].sum())

    def row_of_line(self, line: int) -> int:
        """The row a line begins with, clamped."""
        line = min(max(line, 0), self.lines - 1)
        if line == 0:
            return 0
        k = int(np.searchsorted(self._lines, line, "left")) - 1
        at = np.flatnonzero(self._blocks[k].hard)[line - 1 - self._lines[k]]
        return self._rows[k] + int(at) + 1

    def line_span(self, row: int) -> tuple[int, int]:
        """(byte_start, byte_end) of the whole line that holds a row."""
        first = last = row
        while self.continued(first):
            first -= 1
        while last + 1 < len(self) and not self.hard(last):
            last += 1
        return self.span(first)[0], self.span(last)[1]

    # Heights

    def height_of(self, row: int) -> int:
        block, i, _ = self._of_row(row)
        return int(block.heights[i])

    def set_height(self, row: int, height: int) -> int:
        """The height a layout found; returns by how much it differs from what was thought."""
        block, i, _ = self._of_row(row)
        more = height - int(block.heights[i])
        if more:
            block.heights[i] = height
            block.height += more
            self._y = None
        return more

    def y_of(self, row: int) -> int:
        block, i, k = self._of_row(row)
        return self._ys()[k] + int(block.heights[:i].sum())

    def row_at_y(self, y: int) -> int:
        ys = self._ys()
        k = min(max(bisect_right(ys, y) - 1, 0), len(self._blocks) - 1)
        inside = np.cumsum(self._blocks[k].heights)
        found = self._rows[k] + int(np.searchsorted(inside, y - ys[k], "right"))
        return min(max(found, 0), len(self) - 1)

    def estimate_all(self) -> None:
        """Forget all heights (another width, another font)."""
        for block in self._blocks:
            block.heights = self._estimate(block.lengths)
            block.sum()
        self._y = None

    # Editing

    def edit(self, byte_pos: int, removed: int, inserted: int) -> RowsChanged:
        """The store has replaced `removed` bytes at byte_pos by `inserted` others. Returns which rows are new."""
        first = self.row_at(byte_pos)
        last = self.row_at(byte_pos + removed) if removed else first
        if first > 0 and byte_pos - self.span(first)[0] < NEAR:
            first -= 1
        if last + 1 < len(self) and self.span(last)[1] - (byte_pos + removed) < NEAR:
            last += 1
        while True:
            start, end = self.span(first)[0], self.span(last)[1] + inserted - removed
            at_end = last + 1 >= len(self)
            lengths, hard = cut_rows(self.store.bytes(start, end), last=at_end)
            if at_end or len(lengths) == 0 or hard[-1] or lengths[-1] >= SMALL:
                break
            last += 1
        self._replace(first, last, lengths, hard)
        return RowsChanged(first, last + 1 - first, len(lengths))

    def _replace(self, first: int, last: int, lengths: NDArray[np.int64], hard: NDArray[np.bool_]) -> None:
        a, i, ka = self._of_row(first)
        b, j, kb = self._of_row(last)
        heights = self._estimate(lengths)
        kept = min(len(lengths), last + 1 - first)
        if ka == kb:
            heights[:kept] = a.heights[i : i + kept]  # most often a row that only changed its text
        block = (
            np.concatenate([a.lengths[:i], lengths, b.lengths[j + 1 :]]),
            np.concatenate([a.heights[:i], heights, b.heights[j + 1 :]]),
            np.concatenate([a.hard[:i], hard, b.hard[j + 1 :]]),
        )
        new = [_Block(*block)] if len(block[0]) <= 2 * BLOCK else list(self._blocked(*block))
        if len(block[0]) == 0 and len(self._blocks) > kb - ka + 1:
            new = []
        self._blocks[ka : kb + 1] = new
        self._changed()
