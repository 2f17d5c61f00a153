"""BPE of one long piece: a megabyte of a letter, of spaces, of Chinese without a space, of any bytes.

Three ideas, each exact:

1. *Cuts.* No token can lie across a place that no vocabulary entry found in the text covers. So a long piece falls into
   parts that cannot touch each other, each short and often seen before. `Reach` finds these places for all positions
   at once. They depend on the text within one token's length on either side only, so an edit leaves the others alone.
2. *Rounds.* What cannot be cut is mostly periodic: all pairs of the lowest rank are merged at once, leftmost first
   ("aaaaa" gives aa|aa|a). That is the serial order unless a new pair ranks lower than the ones being merged, be it
   for a moment only (aa|a in between), which is checked; runs halve with every round.
3. *Heap.* The rest merges serially with a heap of pairs: O(n log n).
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from .bytebpe_batch import ListMerger, Merger, RankMerger
from .lookup import SHORT, TOP_BYTE, SpanTable, Text, UInt64s, WordTable, keys_of, shortened
from .vocabulary import Int64s

#: Rounds go on while each merges at least one in so many symbols; then the heap is cheaper.
SHARE = 48
#: The text is looked at in slices of so many bytes, to bound memory.
SLICE = 1 << 15
#: Tables over ids are made for ids below this only: an id may be anything below 2**32.
TABLED = 1 << 22


class Reach:
    """For every position of a text: the end of the longest vocabulary entry that begins there (or a place behind it).

    A table of all prefixes of up to 15 bytes of all entries; the longest that fits is found by four look-ups (a prefix
    of a prefix is one). For entries of more than 15 bytes the longest with the same 15 is taken: never too short.
    """

    def __init__(self, blob: bytes, offsets: Int64s, table: SpanTable) -> None:
        for _ in self._made(blob, offsets, table):
            pass

    @classmethod
    def steps(cls, blob: bytes, offsets: Int64s, table: SpanTable) -> Iterator[Reach | None]:
        """The same in steps, the longest of 40 ms for 200,000 entries; the last yields it."""
        made = cls.__new__(cls)
        yield from made._made(blob, offsets, table)
        yield made

    def _made(self, blob: bytes, offsets: Int64s, table: SpanTable) -> Iterator[None]:
        starts, lengths = offsets[:-1], np.diff(offsets)
        some = np.flatnonzero(lengths > 0)
        text = Text(blob)
        low, high = keys_of(text, starts[some], np.minimum(lengths[some], SHORT))
        order = _sorted(low.byteswap(), high.byteswap())
        low, high, lengths = low.take(order), high.take(order), lengths[some].take(order)
        high &= ~TOP_BYTE
        yield
        best = np.zeros(len(low), np.int64)
        lows, highs, values = [], [], []
        for size in range(1, SHORT + 1):
            if size > 1:
                keep = np.flatnonzero(lengths >= size)
                low, high = low.take(keep), high.take(keep)
                lengths, best = lengths.take(keep), best.take(keep)
            if not len(low):
                break
            head, rest = shortened(low, high, size)
            first = np.ones(len(low), np.bool_)
            first[1:] = (head[1:] != head[:-1]) | (rest[1:] != rest[:-1])
            head, rest = head[first], rest[first]
            is_token = table.values.take(table.table.find(head, rest)) >= 0
            # All that begin alike are told that this much of them is an entry.
            best[is_token.take(np.cumsum(first) - 1)] = size
            value = best[first]
            if size == SHORT:
                value = np.maximum(value, np.maximum.reduceat(lengths, np.flatnonzero(first)))
            lows.append(head)
            highs.append(rest)
            values.append(value)
            yield
        empty = np.zeros(0, np.uint64)
        self.table = WordTable(np.concatenate(lows or [empty]), np.concatenate(highs or [empty]))
        yield
        self.values = np.append(np.concatenate(values or [np.zeros(0, np.int64)]), 0)
        self.longest = table.longest
        # Two filters that settle most positions of most texts: what two bytes reach, and which three are a prefix.
        self.pairs = np.ones(1 << 16, np.int64)
        self.triples = np.zeros(1 << 21, np.uint8)
        if len(lows) > 1:
            self.pairs[(lows[1] & np.uint64(0xFFFF)).astype(np.int64)] = values[1]
        if len(lows) > 2:
            three = (lows[2] & np.uint64(0xFFFFFF)).astype(np.int64)
            np.bitwise_or.at(self.triples, three >> 3, (1 << (three & 7)).astype(np.uint8))

    def cuts(self, data: bytes, start: int = 0, end: int | None = None) -> Int64s:
        """Byte offsets in start < offset < end that no token can lie across. Text around the range is looked at too."""
        stop = len(data) if end is None else end
        found = []
        for low in range(start, stop, SLICE):
            high = min(low + SLICE, stop)
            first = max(low - self.longest, 0)
            part = data[first : high + self.longest]
            ends = np.maximum.accumulate(self._ends(part, high - first))
            places = np.flatnonzero(ends[:-1] <= np.arange(1, len(ends))) + 1 + first
            found.append(places[places > low] if low == start else places[places >= low])
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def _ends(self, part: bytes, count: int) -> Int64s:
        """Where the longest entry ends that begins at each of the first `count` bytes; the byte itself at least."""
        text = Text(part)
        words = text.words[:count]
        reach = self.pairs.take((words & np.uint64(0xFFFF)).astype(np.int64))
        three = (words & np.uint64(0xFFFFFF)).astype(np.int64)
        at = np.flatnonzero((self.triples.take(three >> 3) >> (three & 7).astype(np.uint8)) & 1)
        room = len(part) - at
        size = np.full(len(at), 3)
        for step in (8, 4, 2, 1):
            longer = np.minimum(size + step, SHORT)
            fits = self.table.find(*keys_of(text, at, longer)) != self.table.empty
            fits &= longer <= room
            size = np.where(fits, longer, size)
        reach[at] = self.values.take(self.table.find(*keys_of(text, at, size)))
        return np.arange(count) + np.maximum(reach, 1)


def _sorted(first: UInt64s, second: UInt64s) -> Int64s:
    """np.lexsort((second, first)): few are equal in the first, so only those are sorted by both."""
    order = np.argsort(first)
    held = first.take(order)
    same = np.zeros(len(held), np.bool_)
    same[1:] = held[1:] == held[:-1]
    same[:-1] |= same[1:]
    rows = np.flatnonzero(same)
    equal = order.take(rows)
    order[rows] = equal.take(np.lexsort((second.take(equal), first.take(equal))))
    return order


def merge_long(merger: Merger, piece: bytes) -> Int64s:
    """The ids of one piece of any length (no whole-piece look-up: merges alone)."""
    text = Text(piece)
    data = np.frombuffer(piece, np.uint8).astype(np.int64)
    n = len(piece)
    starts = np.arange(n + 1)
    symbols = merger.byte_ids.take(data)
    ranks = merger.pair_ranks.take(data[:-1] << 8 | data[1:])
    none = np.iinfo(np.int64).max
    ranks = np.append(np.where(ranks >= 0, ranks, none), none)  # ranks[i]: of symbols i and i + 1
    while len(symbols) > 1:
        lowest = int(ranks.min())
        if lowest == none:
            return symbols
        hits = np.flatnonzero(ranks == lowest)
        # Of pairs that overlap (a a a) the first, the third, .. are merged.
        fresh = np.ones(len(hits), np.bool_)
        fresh[1:] = np.diff(hits) > 1
        group = np.flatnonzero(fresh)
        odd = (np.arange(len(hits)) - np.repeat(group, np.diff(np.append(group, len(hits))))) & 1
        hits = hits[odd == 0]
        if len(hits) * SHARE < len(symbols):
            break
        merged = merger.made(np.full(len(hits), lowest), symbols, hits, hits + 1)
        if _interrupted(merger, text, starts, symbols, hits, merged, lowest):
            break
        keep = np.ones(len(symbols), np.bool_)
        keep[hits + 1] = False
        new_starts = np.append(starts[:-1][keep], n)
        new_symbols = symbols.copy()
        new_symbols[hits] = merged
        new_symbols = new_symbols[keep]
        new_ranks = ranks[keep]
        place = hits - np.arange(len(hits))  # where the merged ones are now
        right = place[:-1] if place[-1] == len(new_symbols) - 1 else place
        left = (place[1:] if place[0] == 0 else place) - 1
        low = none
        for at, other in ((right, right + 1), (left, left)):
            rank = _ranks_beside(merger, text, new_starts, new_symbols, at, other)
            rank[rank < 0] = none
            low = min(low, int(rank.min(initial=none)))
            new_ranks[at] = rank
        if low < lowest:
            break  # a pair made here would have gone before some of the others: one at a time, then
        new_ranks[-1] = none
        symbols, starts, ranks = new_symbols, new_starts, new_ranks
    return np.array(merge_serially(merger, piece, starts.tolist(), symbols.tolist(), ranks.tolist()), np.int64)


def _interrupted(merger: Merger, text: Text, starts: Int64s, symbols: Int64s, hits: Int64s, merged: Int64s,
                 lowest: int) -> bool:
    """Whether, one at a time, something would go between: where the next two symbols merge as well, the new symbol is
    beside the first of them for a moment (aa|a|a), and that pair may rank lower."""
    at = np.flatnonzero(np.diff(hits) == 2)
    if not len(at):
        return False
    other = symbols.take(hits[at] + 2)
    few = at
    if int(other.max()) < TABLED:
        last = np.full(int(other.max()) + 1, -1, np.int64)
        last[other] = at
        few = last[last >= 0]  # one of each: the new symbol is the same everywhere
    pairs = np.empty(2 * len(few), np.int64)
    pairs[0::2], pairs[1::2] = merged.take(few), symbols.take(hits[few] + 2)
    begin = starts.take(hits[few])
    rank = merger.rank(text, begin, starts.take(hits[few] + 3) - begin, pairs, np.arange(0, len(pairs), 2))
    return bool(((rank >= 0) & (rank < lowest)).any())


def _ranks_beside(merger: Merger, text: Text, starts: Int64s, symbols: Int64s, at: Int64s, other: Int64s) -> Int64s:
    """Ranks of the pairs at `at`. One side of each is the same token, the other is symbols[other]: in a long run few
    differ, and each is looked up once."""
    few = at
    seen = symbols.take(other)
    if len(at) > 4096 and int(seen.max()) < TABLED:
        last = np.full(int(seen.max()) + 1, -1, np.int64)
        last[seen] = at
        few = last[last >= 0]
    begin = starts.take(few)
    rank = merger.rank(text, begin, starts.take(few + 2) - begin, symbols, few)
    if few is at:
        return rank
    last[last >= 0] = rank
    return last.take(seen)


def merge_serially(merger: Merger, piece: bytes, starts: list[int], symbols: list[int], ranks: list[int]) -> list[int]:
    """Lowest rank first, leftmost of the lowest, with a heap. starts has one more entry than symbols: the end."""
    none = int(np.iinfo(np.int64).max)
    n = len(symbols)
    before, after = list(range(-1, n - 1)), list(range(1, n + 1))
    heap = [(rank, i) for i, rank in enumerate(ranks) if rank != none]
    heapify(heap)
    spelled: dict[bytes, int] = {}
    paired: dict[tuple[int, int], int] = {}
    table = merger.table if isinstance(merger, RankMerger) else None
    pairs = merger.table if isinstance(merger, ListMerger) else None
    result_of = merger.results.item if isinstance(merger, ListMerger) else None  # never all of them as a list: 7 ms
    longest = table.longest if table is not None else 0

    def rank_of(i: int, j: int) -> int:
        if table is not None:
            end = starts[after[j]]
            if end - starts[i] > longest:
                return none
            piece_ = piece[starts[i] : end]
            rank = spelled.get(piece_)
            if rank is None:
                got = table.get(piece_)
                rank = spelled[piece_] = none if got < 0 else got
            return rank
        assert pairs is not None
        pair = symbols[i], symbols[j]
        rank = paired.get(pair)
        if rank is None:
            got = pairs.get(*pair)
            rank = paired[pair] = none if got < 0 else got
        return rank

    while heap:
        rank, i = heappop(heap)
        if ranks[i] != rank:
            continue
        j = after[i]
        symbols[i] = rank if result_of is None else result_of(rank)
        symbols[j] = -1
        ranks[j] = none
        k = after[j]
        after[i] = k
        if k < n:
            before[k] = i
            ranks[i] = new = rank_of(i, k)
            if new != none:
                heappush(heap, (new, i))
        else:
            ranks[i] = none
        h = before[i]
        if h >= 0:
            ranks[h] = new = rank_of(h, i)
            if new != none:
                heappush(heap, (new, h))
    return [s for s in symbols if s >= 0]
