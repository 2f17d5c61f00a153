"""Each distinct stretch of text is worked out once, all new ones of a text together; texts are put together by numpy.

    table = StretchTable(lambda words: Outcomes(ids, widths, counts))
    ids, widths = table.gather(table.numbers(["▁a", "b", "▁a"]))

A stretch's number is found by the fastest loop that Python has, map() over __getitem__; one that is new is given the
next number there and then, and its tokens when all new ones are known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .ragged import places
from .vocabulary import Int64s

T = TypeVar("T", bound=np.generic)
K = TypeVar("K", str, bytes)

#: Tokens kept before the table starts anew (some 100 MB with the words).
MOST_TOKENS = 1 << 21

#: A slice of work on the main loop, and the new stretches that are worked out before the clock is looked at.
SLICE_SECONDS = 0.006
SLICE_WORDS = 128


@dataclass(frozen=True, slots=True)
class Outcomes:
    """ids, widths: the tokens of some stretches in a row, and the UTF-8 bytes of text under each. counts: how many each
    stretch has. gaps, deepest: float64 or None, see sp_unigram."""

    ids: Int64s
    widths: Int64s
    counts: Int64s
    gaps: NDArray[np.float64] | None = None
    deepest: NDArray[np.float64] | None = None


def outcomes_of(found: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Outcomes:
    """From (ids, widths) of each stretch."""
    ids: list[int] = []
    widths: list[int] = []
    for own_ids, own_widths in found:
        ids += own_ids
        widths += own_widths
    counts = np.fromiter((len(f[0]) for f in found), np.int64, len(found))
    return Outcomes(np.array(ids, np.int64), np.array(widths, np.int64), counts)


class Numbers(dict[K, int]):
    """stretch -> its number. new: those that got theirs since the tokens were last worked out."""

    def __init__(self) -> None:
        super().__init__()
        self.new: list[K] = []
        self.given = 0

    def __missing__(self, stretch: K) -> int:
        number = self[stretch] = self.given
        self.given = number + 1
        self.new.append(stretch)
        return number

    def of(self, stretches: Sequence[K], learn: Callable[[list[K]], Any], forget: Callable[[], None]) -> Int64s:
        """The number of each stretch. learn: is given those that are new; forget: called where it fails."""
        found = np.fromiter(map(self.__getitem__, stretches), np.int64, len(stretches))
        if self.new:
            new, self.new = self.new, []
            try:
                learn(new)
            except BaseException:
                forget()
                raise
        return found


class StretchTable:
    """work: the model, for many stretches at once."""

    def __init__(self, work: Callable[[list[str]], Outcomes]) -> None:
        self.work = work
        #: How often the table has begun anew: numbers of before mean nothing since.
        self.beginnings = 0
        self.reset()

    def reset(self) -> None:
        self.beginnings += 1
        self._known: Numbers[str] = Numbers()
        #: Of each number the stretch it is of.
        self.texts: list[str] = []
        self._count = self._tokens = 0
        #: For the model's own notes about numbers.
        self.notes: dict[Any, Any] = {}
        #: Of each stretch: its first token, how many it has, its characters, and its outcome's gap and deepest.
        self.begins, self.counts, self.lengths = (np.zeros(0, np.int64) for _ in range(3))
        self.gaps, self.deepest = np.zeros(0), np.zeros(0)
        self._ids, self._widths = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def numbers(self, stretches: Sequence[str]) -> Int64s:
        """The number of each stretch, its tokens worked out."""
        if self._tokens > MOST_TOKENS:
            self.reset()
        return self._known.of(stretches, lambda new: self.add(self.work(new), new), self.reset)

    def add(self, made: Outcomes, stretches: Sequence[str]) -> int:
        """Tokens of further stretches (also other tokens for known ones); returns the number of the first."""
        first, count = self._count, len(made.counts)
        self._count = self._known.given = first + count
        total = len(made.ids)
        self.texts += stretches
        self.begins, self.counts = room(self.begins, self._count), room(self.counts, self._count)
        self.lengths = room(self.lengths, self._count)
        self.lengths[first : self._count] = list(map(len, stretches))
        self.gaps, self.deepest = room(self.gaps, self._count), room(self.deepest, self._count)
        self._ids, self._widths = room(self._ids, self._tokens + total), room(self._widths, self._tokens + total)
        self.counts[first : self._count] = made.counts
        self.begins[first : self._count] = self._tokens + np.cumsum(made.counts) - made.counts
        if made.gaps is not None and made.deepest is not None:
            self.gaps[first : self._count], self.deepest[first : self._count] = made.gaps, made.deepest
        self._ids[self._tokens : self._tokens + total] = made.ids
        self._widths[self._tokens : self._tokens + total] = made.widths
        self._tokens += total
        return first

    def gather(self, numbers: Int64s) -> tuple[Int64s, Int64s]:
        """(ids, widths) of the tokens of some stretches in a row."""
        at = self.places(numbers)
        return self._ids.take(at), self._widths.take(at)

    def places(self, numbers: Int64s) -> Int64s:
        """Where the tokens of some stretches are."""
        return places(self.begins.take(numbers), self.counts.take(numbers))

    def ids_at(self, places: Int64s) -> Int64s:
        return self._ids.take(places)

    def prepare(self, stretches: Sequence[str]) -> Iterator[float]:
        """Work out in slices of about 8 ms what is new; yields progress 0..1."""
        new = [s for s in dict.fromkeys(stretches) if s not in self._known]
        began = time.perf_counter()
        for done in range(0, len(new), SLICE_WORDS):
            self.numbers(new[done : done + SLICE_WORDS])
            if time.perf_counter() - began > SLICE_SECONDS:
                yield done / len(new)
                began = time.perf_counter()


def room(array: NDArray[T], size: int) -> NDArray[T]:
    """The array with room for at least `size` items."""
    if size <= len(array):
        return array
    wider = np.zeros(max(1024, 2 * size), array.dtype)
    wider[: len(array)] = array
    return wider
