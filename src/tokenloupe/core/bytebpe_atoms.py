"""Where BPE of bytes may begin with whole characters, exactly: two to three times fewer merges in most scripts.

A character's own bytes merge first when every merge inside it ranks lower than every merge that could reach into it
from either side. Such a merge is betrayed by two bytes: it begins with the last bytes of a character and goes on with
the next (`after[last << 8 | next]`, its lowest rank), or ends with the first bytes of one (`before[previous << 8 |
lead]`). So what BPE makes of the character alone is what it makes of it there. It may be put in at once if nothing
merges with the whole character at a lower rank than its own merges have (`whole`): that would come too early. Between a
space and a Russian letter the test fails (" \\xd0" is an early entry): that character begins as bytes.

    >>> atoms = Atoms(merger, crossing_ranks(blob, offsets, ids))
    >>> atoms.of("天x".encode(), np.array([0, 4]))      # starts, symbols, first atom of each piece
    (array([0, 3, 4]), array([17022, 87]), array([0, 2]))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .vocabulary import Int64s, MergeTable

if TYPE_CHECKING:
    from .bytebpe_batch import Merger

#: The rank of a merge that does not exist.
NEVER = int(np.iinfo(np.int64).max)
#: Rows of characters: not learnt yet; to begin as bytes.
UNKNOWN, BYTES = 0, 1


class Crossing(NamedTuple):
    """The lowest ranks of merges into a character, int64 (65536,) each, and of merges with a whole one: code points,
    ascending, and ranks. See the module."""

    after: Int64s
    before: Int64s
    points: Int64s
    whole: Int64s


class Atoms:
    """merger: the BPE that characters are learnt by, when first met."""

    def __init__(self, merger: Merger, crossing: Crossing) -> None:
        self._merger, self._crossing = merger, crossing
        self.after, self.before = crossing.after.copy(), crossing.before
        # What is followed by a continuation byte is not the character that it seems to be.
        self.after.reshape(256, 256)[:, 0x80:0xC0] = -2
        self._row = np.zeros(0x110000, np.int32)
        self._row[:0x80] = self._row[0xDC80:0xDD00] = BYTES
        self._count = np.array([0, 0], np.int64)
        self._top = np.array([NEVER, NEVER], np.int64)
        self._symbols = np.zeros((2, 4), np.int64)
        self._offsets = np.array([[0, 1, 2, 3]] * 2, np.int64)

    def of(self, blob: bytes, offsets: Int64s) -> tuple[Int64s, Int64s, Int64s]:
        """(byte starts of the atoms and the end (n+1,), their symbols (n,), first atom of each piece and n).

        offsets: where the pieces of the blob start, and its end. Any bytes may be in it.
        """
        data = np.frombuffer(blob, np.uint8)
        if blob.isascii():
            return np.arange(len(blob) + 1), self._merger.byte_ids.take(data), offsets
        text = blob.decode("utf-8", "surrogateescape")
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
        rows = self._row.take(points)
        if not rows.all():
            self._learn(np.unique(points[rows == UNKNOWN]))
            rows = self._row.take(points)
        widths = 1 + (points >= 0x80) + (points >= 0x800) + (points >= 0x10000)
        widths[(points >= 0xDC80) & (points < 0xDD00)] = 1
        ends = np.cumsum(widths)
        starts = ends - widths
        wide = np.flatnonzero(rows > BYTES)
        rows[wide[~self._sure(data, offsets, starts[wide], ends[wide], self._top.take(rows[wide]))]] = BYTES
        counts = np.where(rows == BYTES, widths, self._count.take(rows))
        stops = np.cumsum(counts)
        owner = np.repeat(np.arange(len(points)), counts)
        inside = np.arange(len(owner)) - (stops - counts).take(owner)
        cell = rows.take(owner) * 4 + inside
        at = starts.take(owner) + self._offsets.ravel().take(cell)
        symbols = np.where(cell < 4 * (BYTES + 1), self._merger.byte_ids.take(data.take(at)),
                           self._symbols.ravel().take(cell))
        return np.append(at, len(blob)), symbols, np.searchsorted(at, offsets)

    def _sure(self, data: NDArray[np.uint8], offsets: Int64s, starts: Int64s, ends: Int64s,
              top: Int64s) -> NDArray[np.bool_]:
        """Does nothing reach into the character before its own merges, of which the last ranks `top`, are done?"""
        edge = np.zeros(len(data) + 1, np.bool_)
        edge[offsets] = True
        held = np.append(data, 0).astype(np.int64)
        sure = edge.take(ends) | (top < self.after.take(held.take(ends - 1) << 8 | held.take(ends)))
        sure &= edge.take(starts) | (top < self.before.take(held.take(starts - 1) << 8 | held.take(starts)))
        before = np.cumsum(edge)
        sure &= before.take(ends - 1) == before.take(starts)  # it does not lie in two pieces
        return sure

    def _learn(self, points: Int64s) -> None:
        pieces = [chr(p).encode("utf-8", "surrogatepass") for p in points.tolist()]
        symbol, live, top = self._merger.grid(pieces)
        count = live.sum(0)
        order = np.argsort(~live, axis=0, kind="stable")[:4]  # the living cells first
        height = len(order)
        symbols, offsets = np.zeros((len(points), 4), np.int64), np.zeros((len(points), 4), np.int64)
        symbols[:, :height] = np.take_along_axis(symbol, order, 0).T
        offsets[:, :height] = order.T
        self._row[points] = np.arange(len(self._count), len(self._count) + len(points))
        self._count = np.append(self._count, count)
        known = self._crossing.points
        if len(known):
            place = np.minimum(np.searchsorted(known, points), len(known) - 1)
            early = (known.take(place) == points) & (self._crossing.whole.take(place) <= top) & (count == 1)
            top[early] = NEVER
        self._top = np.append(self._top, top)
        self._symbols = np.concatenate((self._symbols, symbols))
        self._offsets = np.concatenate((self._offsets, offsets))


def crossing_ranks(blob: bytes, offsets: Int64s, ids: Int64s, merges: MergeTable | None = None) -> Crossing:
    """blob, offsets, ids: all entries. merges: None when an id is its rank."""
    tails, heads = _broken(blob, offsets)
    after, before = (np.full(1 << 16, NEVER, np.int64) for _ in range(2))
    span = [(blob[offsets[r] : offsets[r + 1]], r) for r in np.union1d(tails, heads).tolist()]
    if merges is None:
        for entry, row in span:
            rank = int(ids[row])
            cut = len(entry) - len(entry.lstrip(_CONTINUATIONS))
            if 0 < cut < len(entry):
                _lower(after, entry[cut - 1], entry[cut], rank)
            part = _partial(entry)
            if 0 < part < len(entry):
                _lower(before, entry[-part - 1], entry[-part], rank)
        first, last = _edge_points(blob, offsets)
        more = _width(first) < np.diff(offsets)  # than one character
        return Crossing(after, before, *_lowest(np.concatenate((first[more], last[more])),
                                                np.concatenate((ids[more], ids[more]))))
    # A merge list: the left or the right side is what is broken.
    in_order = bool((ids == np.arange(len(ids))).all())  # as a rule
    order = np.argsort(ids, kind="stable")
    known = ids[order]

    def rows_of(wanted: Int64s) -> Int64s:
        if in_order:
            return wanted
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        return order[place]

    is_tail, is_head = (np.isin(np.arange(len(ids)), rows) for rows in (tails, heads))
    left, right = rows_of(merges.left), rows_of(merges.right)
    entry_at = {row: entry for entry, row in span}

    def entry_of(row: int) -> bytes:
        return entry_at.get(row) or blob[offsets[row] : offsets[row + 1]]

    for rank in np.flatnonzero(is_tail[left] | is_head[right]).tolist():
        a, b = entry_of(int(left[rank])), entry_of(int(right[rank]))
        if is_tail[left[rank]] and not a.strip(_CONTINUATIONS):
            _lower(after, a[-1], b[0], rank)
        if is_head[right[rank]] and _partial(b) == len(b):
            _lower(before, a[-1], b[0], rank)
    first, _ = _edge_points(blob, offsets)
    single = np.where(_width(first) == np.diff(offsets), first, -1)  # the character that an entry is
    ranks = np.arange(len(merges), dtype=np.int64)
    return Crossing(after, before, *_lowest(np.concatenate((single[left], single[right])),
                                            np.concatenate((ranks, ranks))))


def _lowest(points: Int64s, ranks: Int64s) -> tuple[Int64s, Int64s]:
    """(code points of 0 and more, ascending, the lowest rank of each)."""
    order = np.lexsort((ranks, points))
    order = order[points[order] >= 0]
    points, ranks = points[order], ranks[order]
    new = np.ones(len(points), np.bool_)
    new[1:] = points[1:] != points[:-1]
    return points[new], ranks[new]


def _width(points: Int64s) -> Int64s:
    """Bytes of code points beyond ASCII; 0 for -1."""
    return np.where(points < 0, 0, 2 + (points >= 0x800) + (points >= 0x10000))


def _edge_points(blob: bytes, offsets: Int64s) -> tuple[Int64s, Int64s]:
    """The characters beyond ASCII that entries begin and end with, as code points; -1 for none."""
    data = np.frombuffer(bytes(4) + blob + bytes(4), np.uint8).astype(np.int64)
    lengths = np.diff(offsets)
    out = []
    for place in (lambda width: offsets[:-1] + 4, lambda width: offsets[1:] + 4 - width):
        found = np.full(len(lengths), -1, np.int64)
        for width, lead, room in ((2, 0xC0, 0x20), (3, 0xE0, 0x10), (4, 0xF0, 0x08)):
            at = place(width)
            point = data.take(at) - lead
            good = (point >= 0) & (point < room) & (lengths >= width)
            for k in range(1, width):
                rest = data.take(at + k) ^ 0x80
                good &= rest < 0x40
                point = point << 6 | rest
            found = np.where(good, point, found)
        out.append(found)
    return out[0], out[1]


_CONTINUATIONS = bytes(range(0x80, 0xC0))


def _lower(table: Int64s, first: int, second: int, rank: int) -> None:
    table[first << 8 | second] = min(int(table[first << 8 | second]), rank)


def _partial(entry: bytes) -> int:
    """Bytes of a character begun but not finished at the end of an entry."""
    for back in range(1, min(3, len(entry)) + 1):
        byte = entry[-back]
        if byte & 0xC0 != 0x80:
            return back if byte >= 0xC0 and back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else 0
    return 0


def _broken(blob: bytes, offsets: Int64s) -> tuple[Int64s, Int64s]:
    """Rows of entries that begin with a continuation byte, and of those that end within a character."""
    data = np.frombuffer(blob + bytes(4), np.uint8)
    lengths = np.diff(offsets)
    some = lengths > 0
    first = data.take(offsets[:-1])
    tails = np.flatnonzero(some & (first & 0xC0 == 0x80))
    ends = offsets[1:]
    open_end = np.zeros(len(lengths), np.bool_)
    for back, least in ((1, 0xC0), (2, 0xE0), (3, 0xF0)):
        open_end |= (lengths >= back) & (data.take(np.maximum(ends - back, 0)) >= least)
    return tails, np.flatnonzero(some & open_end)
