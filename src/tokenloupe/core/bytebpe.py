"""The byte-level BPE engine: pre-tokens of a text -> ids, all at once, with a memory of what was seen.

    whole pre-token in the vocabulary (rank files, ignore_merges)  -> lookup.py, one array operation for all
    pre-token seen before                                          -> the memo: a dict, and a table made of it
    all others, each distinct one once                             -> bytebpe_batch.py, longpiece.py

    >>> engine = ByteBPE(blob, offsets, ids)
    >>> engine.encode(b"hello world", np.array([0, 5]), np.array([5, 11]))
    (array([24912,  2375]), array([1, 1]))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .bytebpe_atoms import Crossing
from .bytebpe_memo import MEMO_PIECES, Memo
from .bytebpe_tables import BpeTables
from .longpiece import merge_long, merge_serially
from .lookup import Slots, Text, distinct
from .vocabulary import Int64s, MergeTable

#: Up to so many pre-tokens a text goes piece by piece: arrays cost more than they save.
FEW = 24
#: Pieces longer than this are cut where no token can lie across.
LONG = 64
#: Long pieces of no more bytes than this, in one call or one alone, do without the table of cuts while there is none.
SPARE, SPARE_ONE = 1 << 15, 4096
#: One piece of so many bytes is merged by itself as fast as from cut to cut: of ASCII, and of others, which begin with
#: characters.
MIDDLING, MIDDLING_CHARS = 192, 768
#: Parts between cuts that are longer than this are merged each by itself.
UNCUT = 256
#: Up to so many pieces are looked for in the memo one by one: its table would be made anew for little.
EACH = 4096
#: Pieces longer than this are not remembered.
MEMO_PIECE = 1024
#: Texts are worked through in blocks of so many bytes.
BLOCK_BYTES = 1 << 20


Maker = Callable[[Sequence[bytes]], tuple[Int64s, Int64s]]


class ByteBPE(BpeTables):
    """The entries and merges as BpeTables has them.

    ignore_merges: a pre-token that is an entry is that token, whatever the merges say (always so in a rank file).
    Bytes without a token must not be in a text: see `missing`.
    """

    def __init__(self, blob: bytes, offsets: Int64s, ids: Int64s, merges: MergeTable | None = None,
                 ignore_merges: bool = False, known: tuple[Slots, Slots | None] | None = None,
                 crossing: Crossing | None = None) -> None:
        super().__init__(blob, offsets, ids, merges, known, crossing)
        self.whole_first = merges is None or ignore_merges
        self._memo = Memo()
        self._parts = Memo()
        self._small: dict[bytes, tuple[int, ...]] = {}

    # -- one piece ---------------------------------------------------------------------------------------------

    def encode_one(self, piece: bytes) -> tuple[int, ...]:
        """The ids of one pre-token."""
        got = self._small.get(piece)
        if got is None:
            got = self._encode_one(piece)
            if len(piece) <= MEMO_PIECE:
                if len(self._small) >= MEMO_PIECES:
                    self._small.clear()
                self._small[piece] = got
        return got

    def _encode_one(self, piece: bytes) -> tuple[int, ...]:
        if self.whole_first:
            found = self.table.get(piece)
            if found >= 0:
                return (found,)
        if self._goes_uncut(piece):
            return tuple(self._serial(piece))
        return tuple(self.merge_part(piece).tolist())

    def _goes_uncut(self, piece: bytes) -> bool:
        """Whether one piece is best merged as it is."""
        return (len(piece) <= MIDDLING or (len(piece) <= MIDDLING_CHARS and not piece.isascii())
                or self._spare_cuts(len(piece), SPARE_ONE))

    def _spare_cuts(self, size: int, most: int) -> bool:
        """Whether long pieces of so many bytes in all are better merged as they are: the table of cuts takes 0.15 s to
        make, which nobody should wait for at the first long word they type."""
        if "reach" in self.__dict__:
            return False
        self.wants_reach = True
        return size <= most

    def _serial(self, piece: bytes) -> list[int]:
        merger = self.merger
        none = int(np.iinfo(np.int64).max)
        if piece.isascii() or merger.atoms is None:
            starts = list(range(len(piece) + 1))
            ids: list[int] = merger.byte_ids.take(list(piece)).tolist()
            pairs = merger.pair_ranks.take([a << 8 | b for a, b in pairwise(piece)] or [0])
            ranks = np.where(pairs < 0, none, pairs).tolist()[: len(piece) - 1]
        else:  # from whole characters where those come first
            begin = merger.begin(piece, np.array([0, len(piece)], np.int64))
            starts, ids = begin.edges.tolist(), begin.symbols.tolist()
            ranks = np.where(begin.ranks < 0, none, begin.ranks).tolist()[: len(ids) - 1]
        return merge_serially(merger, piece, starts, ids, [*ranks, none])

    # -- parts of pieces: merges alone ---------------------------------------------------------------------------

    def merge_part(self, part: bytes) -> Int64s:
        """The ids that merges make of bytes between two cuts of a piece (or of a piece), of any length."""
        if _is_run(part):
            return merge_long(self.merger, part)
        if self._goes_uncut(part):
            return np.array(self._serial(part), np.int64)
        return self._merged(part, np.concatenate(([0], self.reach.cuts(part), [len(part)])))[0]

    def merge_cut(self, part: bytes, edges: Int64s) -> Int64s:
        """The same for a part whose cuts are known: edges are those, its start and its end."""
        return self._merged(part, edges)[0]

    def _merged(self, data: bytes, edges: Int64s) -> tuple[Int64s, Int64s]:
        """Ids, and how many each part between two edges has."""
        text = Text(data)
        sizes = np.diff(edges)
        ids: list[Int64s] = []
        counts: list[Int64s] = []
        low = 0
        for index in [*np.flatnonzero(sizes > UNCUT).tolist(), len(sizes)]:
            if index > low:
                made = self._remembered(self._parts, text, edges[low:index], sizes[low:index], self.merger.run)
                ids.append(made[0])
                counts.append(made[1])
            if index < len(sizes):
                long = merge_long(self.merger, data[edges[index] : edges[index + 1]])
                ids.append(long)
                counts.append(np.array([len(long)], np.int64))
            low = index + 1
        return _joined(ids), _joined(counts)

    # -- many pieces ---------------------------------------------------------------------------------------------

    def encode(self, data: bytes, starts: Int64s, ends: Int64s) -> tuple[Int64s, Int64s]:
        """(ids of the pre-tokens starts:ends in order, number of tokens of each), int64."""
        if len(ends) <= FEW:
            if not len(ends) or int((ends - starts).max()) > MEMO_PIECE:
                return self._block(data, starts, ends) if len(ends) else (starts, ends)
            each = [self.encode_one(data[a:b]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
            return np.array([i for ids in each for i in ids], np.int64), np.array(list(map(len, each)), np.int64)
        if int(ends[-1] - starts[0]) > BLOCK_BYTES:
            edges = [0, *np.flatnonzero(np.diff(starts // BLOCK_BYTES)).tolist(), len(starts)]
            made = [self._block(data, starts[a:b], ends[a:b]) for a, b in pairwise(edges) if b > a]
            return np.concatenate([m[0] for m in made]), np.concatenate([m[1] for m in made])
        return self._block(data, starts, ends)

    def _block(self, data: bytes, starts: Int64s, ends: Int64s) -> tuple[Int64s, Int64s]:
        huge = np.flatnonzero(ends - starts > MEMO_PIECE)
        if len(huge):
            ids: list[Int64s] = []
            counts: list[Int64s] = []
            low = 0
            for index in [*huge.tolist(), len(starts)]:
                if index > low:
                    made = self._block(data, starts[low:index], ends[low:index])
                    ids.append(made[0])
                    counts.append(made[1])
                if index < len(starts):
                    ids.append(self.encode_huge(data[starts[index] : ends[index]]))
                    counts.append(np.array([len(ids[-1])], np.int64))
                low = index + 1
            return _joined(ids), _joined(counts)
        begin = int(starts[0])
        text = Text(data[begin : int(ends[-1])])
        sizes = ends - starts
        starts = starts - begin
        if not self.whole_first:
            return self._remembered(self._memo, text, starts, sizes, self._pieces)
        whole = self.table.find(text, starts, sizes)
        rest = np.flatnonzero(whole < 0)
        number = np.ones(len(starts), np.int64)
        if not len(rest):
            return whole, number
        of_rest, number[rest] = self._remembered(self._memo, text, starts[rest], sizes[rest], self._pieces)
        out = np.repeat(whole, number)
        out[out < 0] = of_rest
        return out, number

    def encode_huge(self, piece: bytes) -> Int64s:
        """The ids of one pre-token of any length, as an array and not remembered."""
        found = self.table.get(piece) if self.whole_first else -1
        return self.merge_part(piece) if found < 0 else np.array([found], np.int64)

    def _remembered(self, memo: Memo, text: Text, starts: Int64s, sizes: Int64s, make: Maker) -> tuple[Int64s, Int64s]:
        """ids and counts of spans by the memo; what it lacks is made, each distinct piece once."""
        table = memo.lookup() if len(starts) > EACH else None
        numbers = np.full(len(starts), -1, np.int64) if table is None else table.find(text, starts, sizes)
        unknown = np.flatnonzero(numbers < 0)
        if len(unknown):
            begins, lengths = starts.take(unknown), sizes.take(unknown)
            kind, rows = distinct(text, begins, lengths)
            data = text.data
            first = begins.take(rows)
            pieces = [data[a:b] for a, b in zip(first.tolist(), (first + lengths.take(rows)).tolist(), strict=True)]
            fresh = [p for p in pieces if p not in memo.numbers]
            if fresh:
                held = len(memo.numbers)
                ids, counts = make(fresh)
                memo.add(fresh, ids, counts)
                if len(memo.numbers) < held + len(fresh):  # it was full and began anew: numbers are of no use
                    return self._remembered(memo, text, starts, sizes, make)
            found = np.fromiter(map(memo.numbers.__getitem__, pieces), np.int64, len(pieces))
            numbers[unknown] = found.take(kind)
        counts = memo.counts.take(numbers)
        total = np.cumsum(counts)
        if not len(total):
            return np.zeros(0, np.int64), counts
        at = np.arange(int(total[-1]))
        at += np.repeat(memo.first.take(numbers) - (total - counts), counts)
        return memo.ids.take(at), counts

    def _pieces(self, pieces: Sequence[bytes]) -> tuple[Int64s, Int64s]:
        """Ids and counts of distinct pre-tokens that are not in the vocabulary (or need not be what it says)."""
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        long = np.flatnonzero(lengths > LONG)
        is_run = _are_runs([pieces[i] for i in long.tolist()], lengths[long])
        if len(long) and self._spare_cuts(int(lengths[long].sum()), SPARE):
            long, is_run = long[is_run], is_run[is_run]
        if not len(long):
            return self.merger.run(pieces)
        short = np.ones(len(pieces), np.bool_)
        short[long] = False
        ids, counts = self.merger.run([pieces[i] for i in np.flatnonzero(short).tolist()])
        all_counts = np.zeros(len(pieces), np.int64)
        all_counts[short] = counts
        # All long ones as one text: an entry that lies over the seam of two only hides a cut.
        runs = {i: merge_long(self.merger, pieces[i]) for i in long[is_run].tolist()}
        cut = long[~is_run].tolist()
        joined = b"".join([pieces[i] for i in cut])
        seams = np.cumsum(lengths[cut])
        edges = np.sort(np.concatenate(([0], self.reach.cuts(joined), seams))) if cut else seams
        edges = edges[np.diff(edges, append=-1) != 0]
        made, number = self._merged(joined, edges) if cut else (seams, seams)
        if cut:
            firsts = np.searchsorted(edges, seams - lengths[cut])
            all_counts[cut] = np.add.reduceat(number, firsts)
        for i, got in runs.items():
            all_counts[i] = len(got)
        out = np.empty(int(all_counts.sum()), np.int64)
        owner = np.repeat(np.arange(len(pieces)), all_counts)
        kind = np.zeros(len(pieces), np.int8)
        kind[cut] = 1
        kind[list(runs)] = 2
        of = kind[owner]
        out[of == 0] = ids
        if cut:
            out[of == 1] = made
        out[of == 2] = _joined([runs[i] for i in sorted(runs)])
        return out, all_counts


def _joined(parts: Sequence[Int64s]) -> Int64s:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _is_run(piece: bytes) -> bool:
    return bool(_are_runs([piece], np.array([len(piece)], np.int64))[0])


def _are_runs(pieces: Sequence[bytes], lengths: Int64s) -> NDArray[np.bool_]:
    """Which of them (none is empty) are few runs of equal bytes: nothing to cut, and soon merged."""
    if not len(pieces):
        return np.zeros(0, np.bool_)
    data = np.frombuffer(b"".join(pieces), np.uint8)
    changes = np.zeros(len(data) + 1, np.int64)
    np.cumsum(data[1:] != data[:-1], out=changes[1:-1])  # of the bytes before each from the one before it
    ends = np.cumsum(lengths)
    return (changes.take(ends - 1) - changes.take(ends - lengths) + 1) * 16 < lengths
