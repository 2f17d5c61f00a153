"""The merges of a vocabulary as a table that answers at once: searched by what stands in a merge, sorted by any column.

    >>> table = MergeIndex(Lineage(VocabularyIndex(load_bundled("gpt2"))))
    >>> rows = table.search(Filter(" world"), "result")         # merges that make an entry with " world" in it
    >>> table.sort(rows, "length", descending=True)

A row is a merge's place in the merge table. A search is one over the entries (query.py), taken over to the merges by
one `take` for each part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .lineage import Lineage
from .query import Filter
from .query_forms import id_ranges
from .query_text import sort_lengths
from .vocabulary import Int64s

Part = Literal["any", "result", "left", "right"]
PARTS: tuple[Part, ...] = ("any", "result", "left", "right")
COLUMNS = ("rank", "left", "right", "result", "length", "fires")


class MergeIndex:
    """lineage: of the vocabulary. Merges that are not known yet are made here (in slices: derive.merges_steps)."""

    def __init__(self, lineage: Lineage) -> None:
        self.lineage, self.index = lineage, lineage.index
        self._orders: dict[str, Int64s] = {}

    def __len__(self) -> int:
        return len(self.lineage.merges)

    # -- parts as rows of the vocabulary -------------------------------------------------------------------------

    @cached_property
    def left(self) -> Int64s:
        """int64 (merges,): the left part of each, as a row of the index."""
        return self._rows(self.lineage.merges.left)

    @cached_property
    def right(self) -> Int64s:
        return self._rows(self.lineage.merges.right)

    @cached_property
    def result(self) -> Int64s:
        return self._rows(self.lineage.merges.result)

    def _rows(self, ids: Int64s) -> Int64s:
        v = self.index.vocabulary
        return ids if v.dense else np.searchsorted(v.ids, ids)

    def _side(self, part: str) -> Int64s:
        return {"left": self.left, "right": self.right, "result": self.result}[part]

    # -- search --------------------------------------------------------------------------------------------------

    def search(self, wanted: Filter | None, part: Part = "any", *, dead: bool = False, of: int | None = None) -> Int64s:
        """The merges that fit, ascending, int64. wanted: of the entry that is `part` of the merge ("any": of one of
        the three); mode "rank": of the merge. dead: only those that never fire. of: only those that make or use this
        id. InputError as VocabularyIndex.search."""
        *_, rows = self.search_steps(wanted, part, dead=dead, of=of)
        assert not isinstance(rows, float)
        return rows

    def search_steps(
        self, wanted: Filter | None, part: Part = "any", *, dead: bool = False, of: int | None = None,
    ) -> Iterator[float | Int64s]:
        """The same in slices: progress 0..1, at last the rows."""
        keep: NDArray[np.bool_] | None = None
        if dead:
            yield from self.lineage.firing_steps()
            keep = self.lineage.dead
        if of is not None:
            there = np.zeros(len(self), np.bool_)
            there[self.lineage.merges_using(of)] = True
            there[self.lineage.merges_making(of)] = True
            keep = there if keep is None else keep & there
        if wanted is not None and wanted.mode == "rank":
            if wanted.text.strip():
                there = id_ranges(wanted.text, self.lineage.ranks, "rank")
                keep = there if keep is None else keep & there
            wanted = replace(wanted, text="", mode="text")
        if wanted is not None and not wanted.empty:
            for step in self.index.search_steps(wanted):
                if isinstance(step, float):
                    yield step
                else:
                    fits = np.zeros(len(self.index), np.bool_)
                    fits[step] = True
                    there = (fits[self.left] | fits[self.right] | fits[self.result] if part == "any"
                             else fits[self._side(part)])
                    keep = there if keep is None else keep & there
        yield np.arange(len(self)) if keep is None else np.flatnonzero(keep)

    # -- order ---------------------------------------------------------------------------------------------------

    def order(self, column: str) -> Int64s:
        """All merges by a column, ascending; equal ones by rank. Tokens are ordered by their bytes. Remembered."""
        if column not in COLUMNS:
            raise InputError(f"there is no column {column!r}", todo=f"columns are {', '.join(COLUMNS)}")
        if column not in self._orders:
            self._orders[column] = self._order(column)
        return self._orders[column]

    def _order(self, column: str) -> Int64s:
        if column == "rank":
            return np.arange(len(self))
        if column == "fires":
            return np.argsort(np.logical_not(self.lineage.dead), kind="stable")
        if column == "length":
            return sort_lengths(self.index.lengths[self.result])
        places = np.empty(len(self.index), np.int32)
        places[self.index.order("text")] = np.arange(len(self.index), dtype=np.int32)
        return np.argsort(places[self._side(column)], kind="stable")

    def sort(self, rows: Int64s, column: str, descending: bool = False) -> Int64s:
        """The rows in the order of a column (COLUMNS); "fires": those that never do come first."""
        order = self.order(column)
        if len(rows) < len(self):
            there = np.zeros(len(self), np.bool_)
            there[rows] = True
            order = order[there[order]]
        return order[::-1] if descending else order
