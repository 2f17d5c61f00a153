"""What the byte-level engine remembers: pieces it has merged before, and their ids one after the other.

    >>> memo = Memo()
    >>> memo.add([b"ab", b"cde"], np.array([7, 8, 9]), np.array([1, 2]))
    >>> memo.numbers[b"cde"], memo.first[1], memo.counts[1]
    (1, 1, 2)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .lookup import SHORT, SpanTable
from .vocabulary import Int64s, join_bytes

#: Remembered pieces and tokens, after which all is forgotten: about 60 MB.
MEMO_PIECES = 400_000
MEMO_TOKENS = 4_000_000


class Memo:
    """piece -> its ids. `table` answers for many pieces at once and is made anew when the dict has outgrown it."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self.ids = np.zeros(1024, np.int64)
        self.used = 0
        self.first = np.zeros(256, np.int64)
        self.counts = np.zeros(256, np.int64)
        self.table: SpanTable | None = None
        self.tabled = 0

    def add(self, pieces: Sequence[bytes], ids: Int64s, counts: Int64s) -> None:
        """Pieces that are not there yet, their ids one after the other, and how many each has."""
        old, new = len(self.numbers), len(self.numbers) + len(pieces)
        if old and (new > MEMO_PIECES or self.used + len(ids) > MEMO_TOKENS):
            self.__init__()  # type: ignore[misc]
            old, new = 0, len(pieces)
        self.ids = _grown(self.ids, self.used, self.used + len(ids))
        self.first, self.counts = _grown(self.first, old, new), _grown(self.counts, old, new)
        self.ids[self.used : self.used + len(ids)] = ids
        self.first[old:new] = self.used + np.cumsum(counts) - counts
        self.counts[old:new] = counts
        self.used += len(ids)
        self.numbers.update(zip(pieces, range(old, new), strict=True))

    def lookup(self) -> SpanTable | None:
        """The table for pieces of up to 15 bytes; it lags behind the dict by a third at most."""
        if len(self.numbers) > 512 and len(self.numbers) * 3 > self.tabled * 4:
            keys = [k for k in self.numbers if len(k) <= SHORT]
            values = np.fromiter(map(self.numbers.__getitem__, keys), np.int64, len(keys))
            self.table, self.tabled = SpanTable(*join_bytes(keys), values), len(self.numbers)
        return self.table


def _grown(array: Int64s, used: int, needed: int) -> Int64s:
    if needed <= len(array):
        return array
    larger = np.zeros(max(needed, 2 * len(array)), np.int64)
    larger[:used] = array[:used]
    return larger
