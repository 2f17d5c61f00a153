"""Tokens with their spans under edit: arrays with a gap where the last edit was, so that the next one near is cheap.

    >>> gap = TokenGap(ids, starts, ends, kinds)
    >>> gap.splice(10, 12, ids, starts, ends, kinds, shift=1)      # tokens 10 and 11 became others; what follows moved

Starts and ends ascend (`ascending`); tokens may share bytes, have none, or leave some out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .tokenizer import Lost
from .vocabulary import Int64s

#: Room that is made at once.
ROOM = 1024


def ascending(starts: Int64s, ends: Int64s) -> bool:
    """Can they be searched by place?"""
    return bool((starts[1:] >= starts[:-1]).all()) and bool((ends[1:] >= ends[:-1]).all())


class TokenGap:
    """ids, starts, ends: int64 (n,); kinds: uint8 (n,)."""

    def __init__(self, ids: Int64s, starts: Int64s, ends: Int64s, kinds: NDArray[np.uint8]) -> None:
        count = len(ids)
        self._low = self._high = count  # tokens before the gap; where those behind it begin
        self._shift = 0  # what is to be added to the places behind the gap
        self._columns: tuple[NDArray[np.signedinteger | np.unsignedinteger], ...] = (ids, starts, ends, kinds)
        self._widen(0)  # what was given is never written to

    def __len__(self) -> int:
        return self._low + len(self._columns[0]) - self._high

    def tokens(self, first: int, last: int) -> tuple[Int64s, Int64s, Int64s, NDArray[np.uint8]]:
        """ids, starts, ends, kinds of the tokens first .. last-1, which exist: copies, as edits move what is here."""
        low, more = self._low, self._high - self._low
        made = []
        for number, column in enumerate(self._columns):
            before = column[first : min(last, low)]
            if last <= low:
                made.append(before.copy())
                continue
            behind = column[max(first, low) + more : last + more]
            if number in (1, 2):
                behind = behind + self._shift
            made.append(np.concatenate((before, behind)))
        return made[0], made[1], made[2], made[3]  # type: ignore[return-value]

    def starting_before(self, byte_pos: int) -> int:
        """How many tokens start before the byte."""
        return self._found(1, byte_pos, "left")

    def ending_to(self, byte_pos: int) -> int:
        """How many tokens end before or at the byte."""
        return self._found(2, byte_pos, "right")

    def _found(self, column: int, byte_pos: int, side: str) -> int:
        places = self._columns[column]
        low = int(places[: self._low].searchsorted(byte_pos, side))  # type: ignore[call-overload]
        if low < self._low:
            return low
        return low + int(places[self._high :].searchsorted(byte_pos - self._shift, side))  # type: ignore[call-overload]

    def splice(self, first: int, last: int, ids: Int64s, starts: Int64s, ends: Int64s, kinds: NDArray[np.uint8],
               shift: int) -> None:
        """Put others in the place of tokens first .. last-1, and move those behind by `shift` bytes."""
        self._move(first)
        self._high += last - first
        self._shift += shift
        if self._high - self._low < len(ids):
            self._widen(len(ids))
        stop = self._low + len(ids)
        for column, new in zip(self._columns, (ids, starts, ends, kinds), strict=True):
            column[self._low : stop] = new  # type: ignore[call-overload]
        self._low = stop

    def _move(self, first: int) -> None:
        """The gap to before token `first`."""
        low, high = self._low, self._high
        by = first - low
        if not by:
            return
        for number, column in enumerate(self._columns):
            shift = self._shift if number in (1, 2) else 0
            if by > 0:
                column[low : low + by] = column[high : high + by] + shift if shift else column[high : high + by]
            else:
                column[high + by : high] = column[low + by : low] - shift if shift else column[low + by : low]
        self._low, self._high = low + by, high + by

    def _widen(self, count: int) -> None:
        room = count + max(ROOM, len(self) // 16)
        self._columns = tuple(np.concatenate((c[: self._low], np.zeros(room, c.dtype), c[self._high :]))
                              for c in self._columns)
        self._high = self._low + room


class LostTable:
    """Lost bytes, in order of their starts."""

    def __init__(self, lost: Sequence[Lost]) -> None:
        ordered = sorted(lost)
        self._starts = np.array([x.start for x in ordered], np.int64)
        self._ends = np.array([x.end for x in ordered], np.int64)
        self._stages = [x.stage for x in ordered]

    def __len__(self) -> int:
        return len(self._stages)

    def all(self) -> tuple[Lost, ...]:
        return tuple(map(Lost, self._starts.tolist(), self._ends.tolist(), self._stages))

    def touching(self, byte_start: int, byte_end: int) -> list[Lost]:
        """Those that share a byte with the range."""
        hit = np.flatnonzero((self._starts < byte_end) & (self._ends > byte_start)).tolist()
        return [Lost(int(self._starts[i]), int(self._ends[i]), self._stages[i]) for i in hit]

    def splice(self, old_low: int, old_high: int, new: Sequence[Lost], shift: int, to_end: bool) -> None:
        """Put what `new` has in the bytes that were old_low .. old_high in the place of what was there, and move the
        rest by `shift`. What lies across an edge is cut there. to_end: there is no rest."""
        low, high = old_low, old_high + shift
        if not len(self) and not new:
            return
        before = int(self._starts.searchsorted(old_low, "left"))
        behind = np.flatnonzero(((self._ends > old_high) | (self._starts >= old_high)) & (not to_end))
        here = [x for x in new if (x.end > low or x.start >= low) and (x.start < high or to_end)]
        self._starts = np.concatenate((
            self._starts[:before], np.array([max(x.start, low) for x in here], np.int64),
            np.maximum(self._starts[behind], old_high) + shift))
        self._ends = np.concatenate((
            np.minimum(self._ends[:before], old_low), np.array([min(x.end, high) for x in here], np.int64),
            self._ends[behind] + shift))
        first = int(behind[0]) if len(behind) else len(self._stages)
        tail = self._stages[first:] if len(behind) == len(self._stages) - first else [
            self._stages[i] for i in behind.tolist()]
        self._stages = [*self._stages[:before], *(x.stage for x in here), *tail]
