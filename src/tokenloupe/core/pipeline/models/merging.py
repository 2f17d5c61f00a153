"""Byte pair encoding over a list of symbols: the lowest rank first, of equal rank the leftmost.

    >>> merge([0, 1, 2], [0, 1, 2], [1, 2, 3], {0 << 32 | 1: 0}, [7])
    ([7, 2], [0, 2], [2, 3])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise

from .base import Word

#: Up to this many symbols a scan for the lowest rank is faster than a heap.
SCAN_LIMIT = 160
NONE = 1 << 62


def merge(ids: list[int], lows: list[int], highs: list[int], ranks: Mapping[int, int], results: Sequence[int]) -> Word:
    """ranks: left << 32 | right -> rank; results: the id that the merge of each rank makes. The lists are consumed."""
    if len(ids) > SCAN_LIMIT:
        return _merge_long(ids, lows, highs, ranks, results)
    get = ranks.get
    pairs = [get(a << 32 | b, NONE) for a, b in pairwise(ids)]
    while pairs:
        rank = min(pairs)
        if rank == NONE:
            break
        at = pairs.index(rank)
        made = ids[at] = results[rank]
        if lows[at + 1] < lows[at]:
            lows[at] = lows[at + 1]
        if highs[at + 1] > highs[at]:
            highs[at] = highs[at + 1]
        del ids[at + 1], lows[at + 1], highs[at + 1], pairs[at]
        if at:
            pairs[at - 1] = get(ids[at - 1] << 32 | made, NONE)
        if at < len(pairs):
            pairs[at] = get(made << 32 | ids[at + 1], NONE)
    return ids, lows, highs


def merge_plain(ids: list[int], cuts: list[int], ranks: Mapping[int, int], results: Sequence[int]) -> Word:
    """The same for symbols that lie side by side: symbol i is cuts[i]:cuts[i + 1]. The lists are consumed."""
    if len(ids) > SCAN_LIMIT:
        return _merge_long(ids, cuts[:-1], cuts[1:], ranks, results)
    get = ranks.get
    pairs = [get(a << 32 | b, NONE) for a, b in pairwise(ids)]
    while pairs:
        rank = min(pairs)
        if rank == NONE:
            break
        at = pairs.index(rank)
        made = ids[at] = results[rank]
        after = at + 1
        del ids[after], cuts[after], pairs[at]
        if at:
            pairs[at - 1] = get(ids[at - 1] << 32 | made, NONE)
        if at < len(pairs):
            pairs[at] = get(made << 32 | ids[after], NONE)
    return ids, cuts[:-1], cuts[1:]


def _merge_long(ids: list[int], lows: list[int], highs: list[int], ranks: Mapping[int, int],
                results: Sequence[int]) -> Word:
    """The same in O(n log n): a heap of (rank, position), entries that no longer hold are thrown away."""
    count = len(ids)
    get = ranks.get
    after = list(range(1, count + 1))
    before = list(range(-1, count - 1))
    ranked = [get(a << 32 | b, NONE) for a, b in pairwise(ids)]
    ranked.append(NONE)
    # rank and position in one integer: comparing ints is several times faster than comparing tuples
    heap = [r << 32 | i for i, r in enumerate(ranked) if r != NONE]
    heapify(heap)
    gone = bytearray(count)
    while heap:
        top = heappop(heap)
        at, rank = top & 0xFFFFFFFF, top >> 32
        if gone[at] or ranked[at] != rank:
            continue
        right = after[at]
        made = ids[at] = results[rank]
        if lows[right] < lows[at]:
            lows[at] = lows[right]
        if highs[right] > highs[at]:
            highs[at] = highs[right]
        gone[right] = 1
        following = after[at] = after[right]
        if following < count:
            before[following] = at
            new = ranked[at] = get(made << 32 | ids[following], NONE)
            if new != NONE:
                heappush(heap, new << 32 | at)
        else:
            ranked[at] = NONE
        previous = before[at]
        if previous >= 0:
            new = ranked[previous] = get(ids[previous] << 32 | made, NONE)
            if new != NONE:
                heappush(heap, new << 32 | previous)
    kept = [i for i in range(count) if not gone[i]]
    return [ids[i] for i in kept], [lows[i] for i in kept], [highs[i] for i in kept]
