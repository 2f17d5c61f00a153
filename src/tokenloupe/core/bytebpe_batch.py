"""BPE of thousands of pieces at once: each round does one merge in every piece.

The pieces stand as columns of a matrix, the symbols they begin with as rows: bytes, or characters where those come
first for sure (bytebpe_atoms.py). A cell that starts a symbol holds the rank of the pair it makes with the next symbol,
and its own row number beneath: so the minimum of a column is the lowest rank and, of equal ranks, the leftmost, and one
`min` over the matrix finds the merge of every piece. Two look-ups a merge mend the cells beside it.

    >>> Merger.of_ranks(table).run([b"hello", b"abc"])      # ids of all pieces, and how many each has

Ranks are looked up by what a pair spells (rank files) or by its two ids (merge lists): the two subclasses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .bytebpe_atoms import Atoms
from .lookup import PairTable, Slots, SpanTable, Text
from .vocabulary import Int64s, MergeTable, join_bytes

#: Cells of one matrix: 2 MB of keys, which stay in the cache. A matrix costs its longest piece's rounds, so pieces of
#: like length stand together.
CELLS = 1 << 18

NONE = np.iinfo(np.int64).max
Columns = NDArray[np.int64]


class Merger(ABC):
    """byte_ids: int64 (256,), the token of each single byte. pair_ranks: int64 (65536,), of two bytes' merge; or -1."""

    byte_ids: Int64s
    pair_ranks: Int64s
    #: What to begin with instead of bytes.
    atoms: Atoms | None = None

    @staticmethod
    def of_ranks(table: SpanTable) -> Merger:
        return RankMerger(table)

    @staticmethod
    def of_merges(byte_ids: Int64s, merges: MergeTable) -> Merger:
        return ListMerger(byte_ids, merges)

    def run(self, pieces: Sequence[bytes], below: Int64s | None = None) -> tuple[Int64s, Int64s]:
        """(ids of all pieces in order, number of each). below: for each piece, only merges of a lower rank are made."""
        blob, offsets = join_bytes(pieces)
        start = self.begin(blob, offsets) if below is None else Start.of_bytes(self, blob, offsets)
        lengths = np.diff(start.first)
        counts = np.zeros(len(pieces), np.int64)
        parts: list[tuple[NDArray[np.int64], Int64s]] = []
        for some in _matrices(lengths):
            symbol, live, _ = self._grid(start, start.first[some], lengths[some],
                                         None if below is None else below[some])
            ids = symbol.T.ravel()[live.T.ravel()]
            counts[some] = live.sum(0)
            parts.append((some, ids))
        edges = np.cumsum(counts) - counts
        out = np.empty(int(counts.sum()), np.int64)
        for some, ids in parts:
            number = counts[some]
            inside = np.arange(len(ids)) - np.repeat(np.cumsum(number) - number, number)
            out[np.repeat(edges[some], number) + inside] = ids
        return out, counts

    def begin(self, blob: bytes, offsets: Int64s) -> Start:
        """What merging of the pieces between `offsets` begins with."""
        if self.atoms is None:
            return Start.of_bytes(self, blob, offsets)
        return Start(self, blob, *self.atoms.of(blob, offsets))

    def grid(self, pieces: Sequence[bytes]) -> tuple[Columns, NDArray[np.bool_], Int64s]:
        """Of short pieces, by bytes: (symbols (bytes, pieces), which of them begin there in the end, the highest rank
        that was merged in each piece; -1 where none was)."""
        blob, offsets = join_bytes(pieces)
        return self._grid(Start.of_bytes(self, blob, offsets), offsets[:-1], np.diff(offsets), None)

    def _grid(self, begin: Start, firsts: Int64s, lengths: Int64s,
              below: Int64s | None) -> tuple[Columns, NDArray[np.bool_], Int64s]:
        """The pieces that begin with the symbols `firsts`, merged: see grid()."""
        width, height = len(firsts), int(lengths.max())
        shift = max(height - 1, 1).bit_length()
        row = np.arange(height + 1, dtype=np.int64)[:, None]
        at = firsts + np.minimum(row, lengths)
        edges = begin.edges.take(at)
        at = np.minimum(at[:-1], len(begin.symbols) - 1)
        inside = row[:-1] < lengths
        # keys[j, c]: rank << shift | j of the pair that starts at symbol j of piece c.
        keys = np.full((height, width), NONE, np.int64)
        rank = begin.ranks.take(at[:-1])
        keys[:-1] = np.where((rank >= 0) & inside[1:], (rank << shift) | row[:-2], NONE)
        # stop[j, c]: where the symbol that starts at j ends. start[j, c]: where the one that ends at j starts.
        stop = np.repeat(row[1:], width, axis=1)
        start = np.repeat(row[:-1] - 1, width, axis=1)
        symbol = begin.symbols.take(at)
        live = inside.copy()
        top = np.full(width, -1, np.int64)
        self._merge(begin.text, edges, lengths, shift, below, keys, stop, start, symbol, live, top)
        return symbol, live, top

    def _merge(self, text: Text, edges: Columns, lengths: Int64s, shift: int, below: Int64s | None, keys: Columns,
               stop: Columns, start: Columns, symbol: Columns, live: NDArray[np.bool_], top: Int64s) -> None:
        """Rounds until no column has a merge left. The matrices and `top` are changed in place.

        edges: byte in the text at which each row starts, one row more than there are symbols."""
        width = keys.shape[1]
        flat_edges = edges.ravel()
        flat_keys, flat_stop, flat_start = keys.ravel(), stop.ravel(), start.ravel()
        flat_symbol, flat_live = symbol.ravel(), live.ravel()
        mask = (1 << shift) - 1
        columns = np.arange(width)
        active = keys
        while True:
            best = active.min(0)
            if below is None:
                going = best != NONE
            else:
                going = (best >> shift) < below[columns]
                going &= best != NONE
            number = int(np.count_nonzero(going))
            if number == 0:
                return
            if number < len(going):
                if active is not keys or number * 2 < len(going):
                    columns, best = columns[going], best[going]
                    active = keys[:, columns]  # a copy, mended beside the matrix below
                    col, local = columns, np.arange(number)
                else:
                    local = np.flatnonzero(going)
                    col, best = columns[local], best[local]
            else:
                col, local = columns, np.arange(number)
            left = best & mask
            here = left * width + col
            middle = flat_stop.take(here)
            second = middle * width + col
            right = flat_stop.take(second)
            size = lengths.take(col)
            ranks = best >> shift
            top[col] = np.maximum(top.take(col), ranks)
            made = self.made(ranks, flat_symbol, here, second)
            flat_stop[here] = right
            flat_live[second] = False
            flat_symbol[here] = made
            open_right = right < size
            third = np.minimum(right, len(keys) - 1) * width + col
            flat_start[third[open_right]] = left[open_right]
            flat_keys[second] = NONE
            if active is not keys:
                active[middle, local] = NONE
            # The pair that starts with the new symbol, and the one that ends with it.
            end = np.where(open_right, flat_stop.take(third), right)
            rank = self._rank(text, flat_edges, here, end * width + col, made, flat_symbol, third)
            key = np.where(open_right & (rank >= 0), (rank << shift) | left, NONE)
            flat_keys[here] = key
            if active is not keys:
                active[left, local] = key
            has_left = np.flatnonzero(left > 0)
            if len(has_left):
                col_, local_ = col[has_left], local[has_left]
                before = flat_start.take(here[has_left])
                place = before * width + col_
                rank = self._rank_before(text, flat_edges, place, right[has_left] * width + col_, flat_symbol,
                                         made[has_left])
                key = np.where(rank >= 0, (rank << shift) | before, NONE)
                flat_keys[place] = key
                if active is not keys:
                    active[before, local_] = key

    @abstractmethod
    def made(self, rank: Int64s, symbol: Int64s, first: Int64s, second: Int64s) -> Int64s:
        """The token a merge makes."""

    @abstractmethod
    def rank(self, text: Text, begins: Int64s, lengths: Int64s, symbols: Int64s, at: Int64s) -> Int64s:
        """Rank of the pairs (symbols[at], symbols[at + 1]), which spell the spans; -1 for none."""

    @abstractmethod
    def _rank(self, text: Text, edges: Int64s, first: Int64s, last: Int64s, made: Int64s, symbol: Int64s,
              after: Int64s) -> Int64s:
        """Rank of (made, symbol[after]), which spells the text from edges[first] to edges[last]; -1 for none."""

    @abstractmethod
    def _rank_before(self, text: Text, edges: Int64s, first: Int64s, last: Int64s, symbol: Int64s,
                     made: Int64s) -> Int64s:
        """Rank of (symbol[first], made), which spells the text from edges[first] to edges[last]."""


def _matrices(lengths: Int64s) -> Iterator[Int64s]:
    """The rows of those that are not empty, short ones first, as many at a time as a matrix has room for."""
    order = np.argsort(lengths, kind="stable")
    ordered = lengths.take(order)
    at = int(np.searchsorted(ordered, 1))
    while at < len(order):
        # Cells of a matrix of the pieces from here on up to each of those that could still find room.
        most = CELLS // int(ordered[at])
        cells = ordered[at : at + most] * np.arange(1, len(ordered[at : at + most]) + 1)
        count = max(int(np.searchsorted(cells, CELLS, "right")), 1)
        yield order[at : at + count]
        at += count


class Start:
    """What merging begins with. symbols (n,); edges: bytes at which they start, and the end (n+1,); ranks: of each with
    the next (n,); first: the first symbol of each piece, and n."""

    def __init__(self, merger: Merger, blob: bytes, edges: Int64s, symbols: Int64s, first: Int64s) -> None:
        self.text = Text(blob)
        self.edges, self.symbols, self.first = edges, symbols, first
        data = np.frombuffer(blob, np.uint8).take(edges[:-1]).astype(np.int64)
        self.ranks = np.append(merger.pair_ranks.take((data[:-1] << 8) | data[1:]), -1)
        if len(symbols) < len(blob):
            wide = np.diff(edges) > 1
            at = np.flatnonzero(wide[:-1] | wide[1:])
            begins = edges.take(at)
            self.ranks[at] = merger.rank(self.text, begins, edges.take(at + 2) - begins, symbols, at)

    @staticmethod
    def of_bytes(merger: Merger, blob: bytes, offsets: Int64s) -> Start:
        return Start(merger, blob, np.arange(len(blob) + 1), merger.byte_ids.take(np.frombuffer(blob, np.uint8)),
                      offsets)


class RankMerger(Merger):
    """tiktoken: two symbols merge when their bytes together are a token; its rank is its id."""

    def __init__(self, table: SpanTable) -> None:
        self.table = table
        self.byte_ids = np.array([table.get(bytes([b])) for b in range(256)], np.int64)
        each = np.arange(256, dtype=np.uint8)
        pairs = Text(np.stack((np.repeat(each, 256), np.tile(each, 256)), axis=1).tobytes())
        starts = np.arange(0, 1 << 17, 2)
        self.pair_ranks = table.find(pairs, starts, np.full(len(starts), 2))

    def made(self, rank: Int64s, symbol: Int64s, first: Int64s, second: Int64s) -> Int64s:
        return rank

    def rank(self, text: Text, begins: Int64s, lengths: Int64s, symbols: Int64s, at: Int64s) -> Int64s:
        return self.table.find(text, begins, lengths)

    def _rank(self, text: Text, edges: Int64s, first: Int64s, last: Int64s, made: Int64s, symbol: Int64s,
              after: Int64s) -> Int64s:
        begins = edges.take(first)
        return self.table.find(text, begins, edges.take(last) - begins)

    def _rank_before(self, text: Text, edges: Int64s, first: Int64s, last: Int64s, symbol: Int64s,
                     made: Int64s) -> Int64s:
        begins = edges.take(first)
        return self.table.find(text, begins, edges.take(last) - begins)


class ListMerger(Merger):
    """Merge lists: two ids merge when the pair is listed; its rank is its place in the list."""

    def __init__(self, byte_ids: Int64s, merges: MergeTable, slots: Slots | None = None) -> None:
        self.byte_ids = byte_ids
        self.table = PairTable(merges.left, merges.right, np.arange(len(merges), dtype=np.int64), slots)
        self.results = merges.result
        both = np.arange(1 << 16)
        left, right = byte_ids.take(both >> 8), byte_ids.take(both & 255)
        self.pair_ranks = np.where((left >= 0) & (right >= 0),
                                   self.table.find(np.maximum(left, 0), np.maximum(right, 0)), -1)

    def made(self, rank: Int64s, symbol: Int64s, first: Int64s, second: Int64s) -> Int64s:
        return self.results.take(rank)

    def rank(self, text: Text, begins: Int64s, lengths: Int64s, symbols: Int64s, at: Int64s) -> Int64s:
        return self.table.find(symbols.take(at), symbols.take(at + 1))

    def _rank(self, text: Text, edges: Int64s, first: Int64s, last: Int64s, made: Int64s, symbol: Int64s,
              after: Int64s) -> Int64s:
        return self.table.find(made, symbol.take(after))

    def _rank_before(self, text: Text, edges: Int64s, first: Int64s, last: Int64s, symbol: Int64s,
                     made: Int64s) -> Int64s:
        return self.table.find(symbol.take(first), made)
