"""Each distinct pre-token goes through the model once: its tokens are kept in flat arrays, and texts are put together
from them by numpy.

    table = WordTable(lambda word: ([5], [0], [len(word)]))
    ids, lows, highs, counts = table.encode(["a", "b", "a"])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..vocabulary import Int64s
from .models.base import Word

#: Tokens kept before the table starts anew (some 100 MB with the words).
MOST_TOKENS = 1 << 21


class _Places(dict[str, int]):
    """word -> its number, made on first sight: the fastest loop Python has is map() over __getitem__."""

    def __init__(self, table: WordTable) -> None:
        super().__init__()
        self.table = table

    def __missing__(self, word: str) -> int:
        number = self[word] = self.table.add(word)
        return number


class WordTable:
    """word: the model, with byte offsets into the word's UTF-8."""

    def __init__(self, word: Callable[[str], Word]) -> None:
        self.word = word
        self._reset()

    def _reset(self) -> None:
        self.places = _Places(self)
        self._words, self._tokens = 0, 0
        self._begin = np.zeros(1024, np.int64)
        self._count = np.zeros(1024, np.int64)
        self._flat = np.zeros((3, 4096), np.int64)

    def add(self, word: str) -> int:
        ids, lows, highs = self.word(word)
        number, begin, count = self._words, self._tokens, len(ids)
        if number == len(self._begin):
            self._begin = np.concatenate((self._begin, np.zeros_like(self._begin)))
            self._count = np.concatenate((self._count, np.zeros_like(self._count)))
        while begin + count > self._flat.shape[1]:
            self._flat = np.concatenate((self._flat, np.zeros_like(self._flat)), axis=1)
        self._begin[number] = begin
        self._count[number] = count
        if count == 1:
            flat = self._flat
            flat[0, begin], flat[1, begin], flat[2, begin] = ids[0], lows[0], highs[0]
        elif count:
            self._flat[:, begin : begin + count] = (ids, lows, highs)
        self._words += 1
        self._tokens += count
        return number

    def encode(self, words: Sequence[str]) -> tuple[Int64s, Int64s, Int64s, Int64s]:
        """(ids, lows, highs, counts): the tokens of all words in a row, and how many each word has."""
        if self._tokens > MOST_TOKENS:
            self._reset()
        numbers = np.fromiter(map(self.places.__getitem__, words), np.int64, len(words))
        counts = self._count[numbers]
        begins = self._begin[numbers]
        total = int(counts.sum())
        if total == len(words) and (not total or int(counts.min()) == 1):
            at = begins
        else:
            at = np.repeat(begins - (np.cumsum(counts) - counts), counts) + np.arange(total)
        ids, lows, highs = self._flat[:, at]
        return ids, lows, highs, counts
