"""Each distinct pre-token goes through the model once: its tokens are kept in flat arrays, and texts are put together
from them by numpy.

    table = WordTable(lambda word: ([5], [0], [len(word)]))
    ids, lows, highs, counts = table.encode(["a", "b", "a"])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..ragged import places
from ..vocabulary import Int64s
from .models.base import Word

#: Tokens kept before the table starts anew (some 100 MB with the words).
MOST_TOKENS = 1 << 21


#: From so many new words on they are given to the model together.
MANY = 48


@dataclass(frozen=True, slots=True)
class Batch:
    """which: the numbers of the words that are in it; their tokens in a row, and how many each has."""

    which: Int64s
    ids: Int64s
    lows: Int64s
    highs: Int64s
    counts: Int64s


class _Places(dict[str, int]):
    """word -> its number, made on first sight: the fastest loop Python has is map() over __getitem__."""

    def __init__(self, table: WordTable) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, word: str) -> int:
        number = self[word] = self.table.add(word)
        return number


class WordTable:
    """word: the model, with byte offsets into the word's UTF-8. batch: the same for `many` words or more, where it can.
    """

    def __init__(self, word: Callable[[str], Word], batch: Callable[[list[str]], Batch | None] | None = None,
                 many: int = MANY) -> None:
        self.word, self.batch, self.many = word, batch, many
        self._reset()

    def _reset(self) -> None:
        self.places = _Places(self)
        self._words, self._tokens = 0, 0
        self._begin, self._count = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self._flat = np.zeros((3, 0), np.int64)
        self._new: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])

    def add(self, word: str) -> int:
        """New words wait in lists: a list grows ten times faster than an array."""
        ids, lows, highs = self.word(word)
        new = self._new
        new[0].append(len(ids))
        new[1].extend(ids)
        new[2].extend(lows)
        new[3].extend(highs)
        self._words += 1
        return self._words - 1

    def _settle(self) -> None:
        if self._new[0]:
            new, self._new = self._new, ([], [], [], [])
            self._append(np.array(new[0], np.int64), new[1], new[2], new[3])

    def _add_many(self, words: Sequence[str]) -> None:
        assert self.batch is not None
        new = [w for w in dict.fromkeys(words) if w not in self.places]
        if len(new) < self.many:
            return
        made = self.batch(new)
        if made is not None and len(made.which):
            numbers = range(self._words, self._words + len(made.which))
            self.places.update(zip([new[i] for i in made.which.tolist()], numbers, strict=True))
            self._words += len(made.which)
            self._append(made.counts, made.ids, made.lows, made.highs)

    def _append(self, counts: Int64s, *columns: Int64s | list[int]) -> None:
        """The tokens of the last len(counts) words."""
        total = int(counts.sum())
        if self._words > len(self._begin):
            size = max(1024, 2 * self._words)
            self._begin, self._count = np.resize(self._begin, size), np.resize(self._count, size)
        if self._tokens + total > self._flat.shape[1]:
            wider = np.zeros((3, max(4096, 2 * (self._tokens + total))), np.int64)
            wider[:, : self._tokens] = self._flat[:, : self._tokens]
            self._flat = wider
        first = self._words - len(counts)
        self._count[first : self._words] = counts
        self._begin[first : self._words] = self._tokens + np.cumsum(counts) - counts
        for row in range(3):
            self._flat[row, self._tokens : self._tokens + total] = columns[row]
        self._tokens += total

    def encode(self, words: Sequence[str]) -> tuple[Int64s, Int64s, Int64s, Int64s]:
        """(ids, lows, highs, counts): the tokens of all words in a row, and how many each word has."""
        if self._tokens > MOST_TOKENS:
            self._reset()
        if self.batch is not None and len(words) >= self.many:
            self._add_many(words)
        try:
            numbers = np.fromiter(map(self.places.__getitem__, words), np.int64, len(words))
        finally:  # also when the model refused one word: those before it are numbered
            self._settle()
        counts = self._count[numbers]
        ids, lows, highs = self._flat[:, places(self._begin[numbers], counts)]
        return ids, lows, highs, counts
