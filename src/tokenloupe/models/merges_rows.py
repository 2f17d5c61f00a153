"""The merges of a vocabulary as rows of a table: rank, left, right, what they make, and whether they ever fire.

    model = MergeRows(parent)
    model.set_table(MergeIndex(lineage)); model.set_rows(table.search(None))
    search = MergeSearch(desk, model); search.part = "left"; search.set_filter(Filter("th"))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .paged_rows import Column, Page, PagedRows
from .readable import readable
from .vocabulary_search import RowSearch

if TYPE_CHECKING:
    from ..core.lineage_merges import MergeIndex, Part
    from ..core.vocabulary import Int64s

NEVER = "never fires"


class MergeRows(PagedRows):
    """rows: places in the merge table. firing: whether it is known which never fire."""

    columns = (
        Column("rank", "Rank", "number", 7, "The lower, the earlier; in a rank file, the id of what it makes"),
        Column("left", "Left", "token", 13, stretch=1),
        Column("right", "Right", "token", 13, stretch=1),
        Column("result", "Makes", "token", 15, "The token it makes, and its id", stretch=1),
        Column("length", "Length", "number", 6, "Bytes of what it makes", narrow=520),
        Column("fires", "Fires", "word", 11, "Merges that never fire, whatever the text: others always come first"),
    )

    def __init__(self, parent: object | None = None) -> None:
        super().__init__(parent)  # type: ignore[arg-type]
        self.table: MergeIndex | None = None
        self.firing = False

    def set_table(self, table: MergeIndex | None, firing: bool = False) -> None:
        """The merges of another vocabulary; no rows yet."""
        self.table, self.firing = table, firing
        self.set_rows(np.zeros(0, np.int64))

    def set_firing(self) -> None:
        self.firing = True
        self.forget()

    def ids_at(self, place: int) -> tuple[int, int, int] | None:
        """(left, right, result) of a row of the table, as ids."""
        if self.table is None or not 0 <= place < len(self.rows):
            return None
        merges, merge = self.table.lineage.merges, int(self.rows[place])
        return int(merges.left[merge]), int(merges.right[merge]), int(merges.result[merge])

    def _made(self, first: int, rows: Int64s) -> Page:
        assert self.table is not None
        lineage, v = self.table.lineage, self.table.index.vocabulary
        parts = [getattr(lineage.merges, side)[rows].tolist() for side in ("left", "right", "result")]
        texts = [[readable(v.bytes_of(i) or b"") for i in ids] for ids in parts]
        dead = lineage.dead[rows].tolist() if self.firing else [False] * len(rows)
        lengths = [f"{n:,}" for n in self.table.index.lengths[self.table.result[rows]].tolist()]
        return Page(first, [[f"{r:,}" for r in lineage.ranks[rows].tolist()], *texts, lengths,
                            [NEVER if d else "" for d in dead]],
                    {1 + i: list(map(str, ids)) for i, ids in enumerate(parts)}, dead)


class MergeSearch(RowSearch):
    """part: which part of a merge has to fit. dead: only merges that never fire. of: only merges with this id."""

    part: Part = "any"
    dead = False
    of: int | None = None
    table: MergeIndex | None = None

    def _steps(self) -> Iterator[Any]:
        table = self.table
        if table is None:
            yield np.zeros(0, np.int64)
            return
        rows: Any = None
        for step in table.search_steps(self.filter, self.part, dead=self.dead, of=self.of):
            if isinstance(step, float):
                yield step
            else:
                rows = step
        if self.order is not None:
            if self.order[0] == "fires":
                yield from table.lineage.firing_steps()
            rows = table.sort(rows, *self.order)
        elif self.of is not None and len(rows):
            # What makes it stands before what it feeds.
            makes = table.lineage.merges.result[rows] == self.of
            rows = np.concatenate((rows[makes], rows[~makes]))
        yield rows
