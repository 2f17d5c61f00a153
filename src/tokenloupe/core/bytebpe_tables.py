"""The tables of a byte-level BPE engine, each made when it is first needed, or in slices before.

    >>> tables = BpeTables(blob, offsets, ids)              # of gpt2
    >>> tables.table.get(b"he"), tables.byte_ids[104], tables.missing
    (258, 71, b'')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from .bytebpe_atoms import Atoms, Crossing, crossing_ranks
from .bytebpe_batch import ListMerger, Merger, RankMerger
from .derive_ranks import Parts, parts_of_ranks
from .longpiece import Reach
from .lookup import Slots, SpanTable
from .vocabulary import Int64s, MergeTable


class BpeTables:
    """blob, offsets, ids: the ordinary entries, no special ones. merges: None for a rank file, whose ids are ranks.

    known, crossing: the `slots` and the `crossing` of an engine made of the same entries and merges before.
    """

    def __init__(self, blob: bytes, offsets: Int64s, ids: Int64s, merges: MergeTable | None = None,
                 known: tuple[Slots, Slots | None] | None = None, crossing: Crossing | None = None) -> None:
        self._blob, self._offsets, self._ids = blob, offsets, ids
        self._known, self._crossing = known, crossing
        self.merges = merges

    @cached_property
    def table(self) -> SpanTable:
        """bytes -> id of the ordinary entries."""
        return SpanTable(self._blob, self._offsets, self._ids, self._known[0] if self._known else None)

    @cached_property
    def merger(self) -> Merger:
        merger: Merger
        if self.merges is None:
            merger = RankMerger(self.table)
        else:
            merger = ListMerger(self.byte_ids, self.merges, self._known[1] if self._known else None)
        merger.atoms = Atoms(merger, self.crossing)
        return merger

    @cached_property
    def crossing(self) -> Crossing:
        """The merges that reach into characters."""
        return self._crossing or crossing_ranks(self._blob, self._offsets, self._ids, self.merges)

    @property
    def slots(self) -> tuple[Slots, Slots | None]:
        """What the tables cost to make: of the entries, and of the merges (None for a rank file)."""
        merger = self.merger
        return self.table.table.slots, merger.table.table.slots if isinstance(merger, ListMerger) else None

    @cached_property
    def byte_ids(self) -> Int64s:
        """The token of each single byte, -1 for none."""
        return np.array([self.table.get(bytes([b])) for b in range(256)], np.int64)

    @cached_property
    def missing(self) -> bytes:
        """The bytes that have no token."""
        return bytes(np.flatnonzero(self.byte_ids < 0).tolist())

    @cached_property
    def reach(self) -> Reach:
        return Reach(self._blob, self._offsets, self.table)

    #: Was something merged for which `reach`, had it been there, would have been used?
    wants_reach = False

    def prepare(self) -> Iterator[None]:
        """What long pieces need, in steps of some milliseconds instead of all at once when it is first needed."""
        if "reach" not in self.__dict__:
            for made in Reach.steps(self._blob, self._offsets, self.table):
                if made is not None:
                    self.__dict__["reach"] = made  # where the cached property keeps it
                yield

    def derived_merges(self) -> Parts:
        """(left, right, result) of a rank file by rank: for every entry that two symbols make, which two."""
        *_, made = self.derived_merges_steps()
        assert not isinstance(made, float)
        return made

    def derived_merges_steps(self) -> Iterator[float | Parts]:
        """The same in slices: progress 0..1, at last the three."""
        return parts_of_ranks(self._blob, self._offsets, self._ids, self.table, lambda *a: self.merger.run(*a))
