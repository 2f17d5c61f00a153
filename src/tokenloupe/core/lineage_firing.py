"""Merges that can never fire, whatever the text: found for all merges at once, with a proof.

    >>> a, b, c, ab, bc, abc = range(6)                      # ranks: b+c first, then a+b, then ab+c
    >>> table = MergeTable(np.array([b, a, ab]), np.array([c, b, c]), np.array([bc, ab, abc]))
    >>> Firing(table, np.arange(6), np.array([1, 1, 1, 2, 2, 3]), np.arange(6) < 3).alive.tolist()
    [True, True, False]

The proof. Byte pair encoding takes the lowest rank there is, the leftmost of equals. Suppose that a merge (L, R) fires
in some text. Until then no merge went over the ends of L + R, so what happened inside depended on what is inside alone:
the same merges happen, in the same order, in a text that is L + R and nothing else. So (L, R) can fire if and only if
it is the last merge of its own result; and of several merges with one result one can fire at most.

Whether it is the last one is seen by undoing the two sides, later merges first, and asking at each step whether the two
symbols that meet in the middle would have merged before the merge that is undone. That holds where the merges of each
side have rising ranks, as training makes them; the few others are run through, merge by merge.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .lookup import PairTable
from .query_text import sort_lengths
from .vocabulary import Int64s, MergeTable

_NEVER = 2**63 - 1
#: Merges that are looked at, and looked up, in one slice: some 5 ms.
SLICE, SLICE_FOUND = 1 << 12, 1 << 16
#: A damaged table may make a token of more symbols than memory holds: from here on a merge is taken to be able to fire.
MOST_SYMBOLS = 4096


class Firing:
    """merges: as listed. ids: int64 (n,) of all tokens, ascending; lengths: of them, of which a
    result has the sum; symbols: bool (n,): those
    that a text is cut into before any merge.

    alive: bool (merges,). built: bool (n,): the token comes about by merges or is a symbol. making: int64 (n,): the
    merge that does it, -1 for symbols and for tokens that never come about.
    """

    def __init__(self, merges: MergeTable, ids: Int64s, lengths: Int64s, symbols: NDArray[np.bool_]) -> None:
        for _ in self._steps(merges, ids, lengths, symbols):
            pass

    @classmethod
    def steps(
        cls, merges: MergeTable, ids: Int64s, lengths: Int64s, symbols: NDArray[np.bool_],
    ) -> Iterator[float | Firing]:
        """The same in slices: progress 0..1, at last the Firing."""
        made = cls.__new__(cls)
        yield from made._steps(merges, ids, lengths, symbols)
        yield made

    def _steps(
        self, merges: MergeTable, ids: Int64s, lengths: Int64s, symbols: NDArray[np.bool_],
    ) -> Iterator[float]:
        self.merges = merges
        count, size = len(merges), len(ids)
        self._left, self._right, self._result = (_rows(ids, part) for part in
                                                 (merges.left, merges.right, merges.result))
        ranks = np.arange(count)
        self._pairs = PairTable(self._left, self._right, ranks)
        yield 0.1
        self.alive = np.zeros(count, np.bool_)
        self.built = symbols.copy()
        self.making = np.full(size, -1, np.int64)
        self._rank = np.full(size, -1, np.int64)  # of the merge that makes a token
        self._rising = np.ones(size, np.bool_)
        yield 0.12
        # Of a pair that is listed twice the later one counts, as in the libraries.
        kept = []
        for first in range(0, count, SLICE_FOUND):
            part = slice(first, first + SLICE_FOUND)
            kept.append(first + np.flatnonzero(self._pairs.find(self._left[part], self._right[part]) == ranks[part]))
            yield 0.12 + 0.08 * first / count
        order = np.concatenate(kept) if kept else ranks
        sizes = lengths[self._result[order]]
        order = order[sort_lengths(sizes)]
        edges = np.flatnonzero(np.diff(lengths[self._result[order]])) + 1
        yield 0.2
        done = 0
        for level in np.split(order, edges):
            for first in range(0, len(level), SLICE):
                self._level(level[first : first + SLICE], lengths)
                done += len(level[first : first + SLICE])
                yield 0.2 + 0.8 * done / max(len(order), 1)

    def _level(self, level: Int64s, lengths: Int64s) -> None:
        """Merges whose results are of one length, or some of them: the parts are shorter, so all is known of them."""
        left, right = self._left[level], self._right[level]
        sane = (lengths[left] < lengths[self._result[level]]) & (lengths[right] < lengths[self._result[level]])
        level = level[sane & self.built[left] & self.built[right]]
        left, right = self._left[level], self._right[level]
        rising = (self._rising[left] & self._rising[right] & (self._rank[left] < level) & (self._rank[right] < level))
        fires = np.zeros(len(level), np.bool_)
        fires[rising] = self._meet(left[rising], right[rising])
        self.built[self._result[level[fires]]] = True
        for i in np.flatnonzero(~rising & ~self.built[self._result[level]]).tolist():
            fires[i] = self._runs(int(left[i]), int(right[i]))
        done, made = level[fires], self._result[level[fires]]
        self.alive[done] = True
        self.built[made] = True
        self.making[made] = done
        self._rank[made] = done
        self._rising[made] = rising[fires]

    def _meet(self, a: Int64s, b: Int64s) -> NDArray[np.bool_]:
        """bool: nothing merges over the middle before both sides are done. a, b: rows of the two tokens."""
        fires = np.ones(len(a), np.bool_)
        going = np.arange(len(a))
        while len(going):
            # Undo the side that was made later; of two equal ones the right, as the leftmost goes first.
            left_later = self._rank[a] > self._rank[b]
            limit = np.where(left_later, self._rank[a], self._rank[b] + 1)
            more = limit > 0  # both are symbols: all is undone
            left_later, limit, going = left_later[more], limit[more], going[more]
            a, b = a[more], b[more]
            a = np.where(left_later, self._right[self.making[a]], a)
            b = np.where(left_later, b, self._left[self.making[b]])
            rank = self._pairs.find(a, b)
            taken = (rank >= 0) & (rank < limit)
            fires[going[taken]] = False
            going, a, b = going[~taken], a[~taken], b[~taken]
        return fires

    def _runs(self, left: int, right: int) -> bool:
        """The same by running the merges over the symbols of both."""
        symbols = [*self._symbols(left), *self._symbols(right)]
        if len(symbols) > MOST_SYMBOLS:
            return True
        ranks = [self._pair(*pair) for pair in pairwise(symbols)]
        while len(symbols) > 2:
            best = min(ranks)
            if best == _NEVER:
                return False
            at = ranks.index(best)
            symbols[at : at + 2] = [int(self._result[best])]
            del ranks[at]
            if at:
                ranks[at - 1] = self._pair(symbols[at - 1], symbols[at])
            if at < len(ranks):
                ranks[at] = self._pair(symbols[at], symbols[at + 1])
        return symbols == [left, right]

    def _pair(self, left: int, right: int) -> int:
        """Rank of the merge of two tokens, _NEVER for none."""
        rank = self._pairs.get(left, right)
        return rank if rank >= 0 else _NEVER

    def _symbols(self, row: int) -> list[int]:
        out: list[int] = []
        todo = [row]
        while todo and len(out) <= MOST_SYMBOLS:
            at = todo.pop()
            merge = int(self.making[at])
            if merge < 0:
                out.append(at)
            else:
                todo += [int(self._right[merge]), int(self._left[merge])]
        return out

    @cached_property
    def dead(self) -> NDArray[np.bool_]:
        return np.logical_not(self.alive)


def _rows(ids: Int64s, wanted: Int64s) -> Int64s:
    if len(ids) and int(ids[-1]) == len(ids) - 1:
        return wanted
    return np.searchsorted(ids, wanted)
