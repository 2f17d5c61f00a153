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

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .lookup import PairTable
from .vocabulary import Int64s, MergeTable

_NEVER = np.iinfo(np.int64).max
#: A damaged table may make a token of more symbols than memory holds: from here on a merge is taken to be able to fire.
MOST_SYMBOLS = 4096


class Firing:
    """merges: as listed. ids: int64 (n,) of all tokens, ascending; lengths: of their bytes; symbols: bool (n,): those
    that a text is cut into before any merge.

    alive: bool (merges,). built: bool (n,): the token comes about by merges or is a symbol. making: int64 (n,): the
    merge that does it, -1 for symbols and for tokens that never come about.
    """

    def __init__(self, merges: MergeTable, ids: Int64s, lengths: Int64s, symbols: NDArray[np.bool_]) -> None:
        self.merges = merges
        count, size = len(merges), len(ids)
        self._left, self._right, self._result = (_rows(ids, part) for part in
                                                 (merges.left, merges.right, merges.result))
        ranks = np.arange(count)
        self._pairs = PairTable(self._left, self._right, ranks)
        self.alive = np.zeros(count, np.bool_)
        self.built = symbols.copy()
        self.making = np.full(size, -1, np.int64)
        self._rank = np.full(size, -1, np.int64)  # of the merge that makes a token
        self._rising = np.ones(size, np.bool_)
        order = np.argsort(lengths[self._result], kind="stable")
        # Of a pair that is listed twice the later one counts, as in the libraries.
        order = order[self._pairs.find(self._left[order], self._right[order]) == order]
        edges = np.flatnonzero(np.diff(lengths[self._result[order]])) + 1
        for level in np.split(order, edges):
            self._level(level, lengths)

    def _level(self, level: Int64s, lengths: Int64s) -> None:
        """Merges whose results are of one length: their parts are shorter, so all is known of them."""
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
        while len(symbols) > 2:
            ranks = self._pairs.find(np.array(symbols[:-1]), np.array(symbols[1:]))
            ranks[ranks < 0] = _NEVER
            at = int(np.argmin(ranks))
            if ranks[at] == _NEVER:
                return False
            symbols[at : at + 2] = [int(self._result[ranks[at]])]
        return symbols == [left, right]

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
