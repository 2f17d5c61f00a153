"""Two vocabularies side by side: entries that both have, that one has alone, and those whose ids differ; by script.

    >>> both = VocabularyComparison(VocabularyIndex(load_bundled("gpt2")), VocabularyIndex(load_bundled("p50k_base")))
    >>> both.counts
    ComparisonCounts(shared=50257, only_left=0, only_right=24, moved=0)

Entries are the same when their bytes are. An entry that one side has several times is counted once, by its lowest id
among ordinary ones. Entries without bytes are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from .lookup import SpanTable, Text
from .query import VocabularyIndex
from .scripts import MIXED, names_of_codes
from .vocabulary import Int64s, TokenKind

#: Entries that are looked up in one slice: some 5 ms.
SLICE = 1 << 15
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class ComparisonCounts:
    """moved: those of the shared ones that have another id on the other side."""

    shared: int
    only_left: int
    only_right: int
    moved: int


class VocabularyComparison:
    """left, right: the two vocabularies. Ids are of the side that is named."""

    def __init__(self, left: VocabularyIndex, right: VocabularyIndex) -> None:
        self.left, self.right = left, right

    def steps(self) -> Iterator[float | VocabularyComparison]:
        """Makes everything in slices: progress 0..1, at last itself. 0.2 s for 262,144 entries beside 200,000."""
        for number, index in enumerate((self.left, self.right)):
            for share in index.points_steps():
                yield 0.3 * (number + share)
        for name, index in (("_left", self.left), ("_right", self.right)):
            for step in _Side.steps(index):
                if isinstance(step, float):
                    yield 0.6 + 0.1 * step
                else:
                    self.__dict__.setdefault(name, step)
        for made in self._over_steps():
            if isinstance(made, float):
                yield 0.8 + 0.1 * made
            else:
                self.__dict__.setdefault("_over", made)
        for name in ("shared", "only_left", "only_right", "by_script"):
            getattr(self, name)
            yield 1.0
        yield self

    @cached_property
    def _left(self) -> _Side:
        return _last(_Side.steps(self.left))

    @cached_property
    def _right(self) -> _Side:
        return _last(_Side.steps(self.right))

    @cached_property
    def _over(self) -> Int64s:
        """For each of _left.rows the right id of the same bytes, -1 for none."""
        return _last(self._over_steps())

    def _over_steps(self) -> Iterator[float | Int64s]:
        left, right = self._left, self._right
        parts = [np.zeros(0, np.int64)]
        for first in range(0, len(left.rows), SLICE):
            rows = right.row_of(left.text, left.starts[left.rows[first : first + SLICE]],
                                left.lengths[left.rows[first : first + SLICE]])
            parts.append(np.where(rows >= 0, right.ids[rows] if len(right.ids) else -1, -1))
            yield first / len(left.rows)
        yield np.concatenate(parts)

    @property
    def _there(self) -> tuple[Int64s, Int64s, Int64s]:
        """(left ids, for each the right id of the same bytes or -1, right ids), b"" left out; ascending."""
        return self._left.ids[self._left.rows], self._over, self._right.ids[self._right.rows]

    @cached_property
    def shared(self) -> Int64s:
        """int64 (n, 2): (left id, right id) of entries with the same bytes, by left id."""
        left, over, _ = self._there
        pairs = np.stack((left[over >= 0], over[over >= 0]), axis=1)
        return np.asarray(pairs[np.argsort(pairs[:, 0], kind="stable")])

    @cached_property
    def moved(self) -> Int64s:
        """The shared ones whose ids differ, int64 (n, 2)."""
        return np.asarray(self.shared[self.shared[:, 0] != self.shared[:, 1]])

    @cached_property
    def only_left(self) -> Int64s:
        """Ids of the left entries that the right does not have, ascending."""
        left, over, _ = self._there
        return np.sort(left[over < 0])

    @cached_property
    def only_right(self) -> Int64s:
        """Ids of the right entries that the left does not have, ascending."""
        _, over, right = self._there
        return np.setdiff1d(right, over)

    @property
    def counts(self) -> ComparisonCounts:
        return ComparisonCounts(len(self.shared), len(self.only_left), len(self.only_right), len(self.moved))

    @cached_property
    def by_script(self) -> list[tuple[str, int, int, int]]:
        """(script, shared, only left, only right), the script with most entries first."""
        parts = (_scripts(self.left, self.shared[:, 0]), _scripts(self.left, self.only_left),
                 _scripts(self.right, self.only_right))
        names = script_names()
        shared, left, right = (p.tolist() for p in parts)
        rows = [(names[c], shared[c], left[c], right[c]) for c in range(256) if shared[c] or left[c] or right[c]]
        return sorted(rows, key=lambda r: (-(r[1] + r[2] + r[3]), r[0]))


def script_names() -> list[str]:
    """What by_script calls the scripts, by code."""
    names = [*names_of_codes(), *[""] * 256]
    names[0], names[MIXED] = "no whole character", "several scripts"
    return names


@dataclass(frozen=True)
class _Side:
    """One of the vocabularies, each spelling once. rows: int64, ascending, those that count. table: bytes -> the last
    row that has them; counts: for such a row, the one that counts."""

    ids: Int64s
    starts: Int64s
    lengths: Int64s
    text: Text
    table: SpanTable
    counts: Int64s
    rows: Int64s

    @classmethod
    def steps(cls, index: VocabularyIndex) -> Iterator[float | _Side]:
        """Progress 0..1, at last itself."""
        v, starts, lengths = index.vocabulary, index.vocabulary.offsets[:-1], index.lengths
        text, count = Text(v.blob), len(index.vocabulary)
        yield 0.1
        table = SpanTable(v.blob, v.offsets, np.arange(count))
        yield 0.3
        last = np.full(count, -1, np.int64)  # stays so for b""
        for first in range(0, count, SLICE):
            part = slice(first, first + SLICE)
            last[part] = table.find(text, starts[part], lengths[part])
            yield 0.3 + 0.6 * first / count
        counts = np.arange(count)
        there = np.flatnonzero(last >= 0)
        rows = there[np.bincount(last[there], minlength=count)[last[there]] > 1]
        ordinary = (v.kinds[rows] == TokenKind.NORMAL) | (v.kinds[rows] == TokenKind.ADDED)
        rows = rows[np.lexsort((rows, ~ordinary))][::-1]  # the lowest ordinary one is written last
        counts[last[rows]] = rows
        yield 0.9
        yield cls(v.ids, starts, lengths, text, table, counts, np.sort(counts[there[last[there] == there]]))

    def row_of(self, text: Text, starts: Int64s, lengths: Int64s) -> Int64s:
        """The row that counts for each span of a text, -1 for none."""
        found = self.table.find(text, starts, lengths)
        return np.where(found >= 0, self.counts[found] if len(self.counts) else -1, -1)


def _last(steps: Iterator[float | Made]) -> Made:
    """What steps make in the end."""
    *_, made = steps
    assert not isinstance(made, float)
    return made


def _scripts(index: VocabularyIndex, ids: Int64s) -> Int64s:
    rows = np.searchsorted(index.vocabulary.ids, ids)
    return np.bincount(index.script[rows], minlength=256).astype(np.int64)
