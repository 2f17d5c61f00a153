"""A search as it is typed: the filter and the order of a table, answered at once where that takes a few milliseconds.

    search = VocabularySearch(desk, rows)
    search.set_filter(Filter("hello"))          # rows are renewed before this returns
    search.set_order(("length", True))
    search.set_filter(Filter("h.*o$", mode="regex"))    # what takes longer goes on in slices; shown() tells

Without an order chosen, entries that are exactly what was asked for come first, then the others by id.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from ..core.errors import InputError
from .jobs import Latest
from .paged_rows import PagedRows
from .vocabulary_desk import VocabularyDesk

if TYPE_CHECKING:
    from ..core.query import Filter
    from ..core.vocabulary import Int64s

#: Seconds a search may take before it goes on in slices.
AT_ONCE = 0.012
#: Columns whose order needs the merges.
OF_MERGES = ("rank", "left", "right")

Order = tuple[str, bool] | None


class RowSearch(QObject):
    """shown(): the table has what was asked for. problem(str): why it cannot be found, "" when all is well again."""

    shown = Signal()
    problem = Signal(str)

    def __init__(self, desk: VocabularyDesk, model: PagedRows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.desk, self.model = desk, model
        self.filter: Filter | None = None
        #: (column, descending), or None for the order of the search.
        self.order: Order = None
        #: Why the last one cannot be done, "" when it can.
        self.trouble = ""
        self._latest = Latest(desk.session.jobs)

    def set_filter(self, wanted: Filter | None) -> None:
        if wanted != self.filter:
            self.filter = wanted
            self.run()

    def set_order(self, order: Order) -> None:
        if order != self.order:
            self.order = order
            self.run()

    @property
    def running(self) -> bool:
        return self._latest.running

    def run(self) -> None:
        """Search again."""
        self._latest.cancel()
        self.trouble = ""
        if self.desk.index is None:
            return
        steps = self._steps()
        end = time.perf_counter() + AT_ONCE
        try:
            for step in steps:
                if not isinstance(step, float):
                    self._show(step)
                    return
                if time.perf_counter() > end:
                    break
        except InputError as error:
            self._fail(str(error))
            return
        self._latest.start("Searching", steps, done=self._show, failed=self._fail)

    def _fail(self, sentence: str) -> None:
        self.trouble = sentence
        self.problem.emit(sentence)

    def _show(self, rows: Int64s) -> None:
        self.model.set_rows(rows)
        self.problem.emit("")
        self.shown.emit()

    @abstractmethod
    def _steps(self) -> Iterator[Any]:
        """Progress 0..1, at last the rows in order."""


class VocabularySearch(RowSearch):
    """Over the entries; within the desk's listing where there is one."""

    def _steps(self) -> Iterator[Any]:
        import numpy as np

        index, wanted, listing = self.desk.index, self.filter, self.desk.listing
        assert index is not None
        rows: Any = np.arange(len(index))
        if wanted is not None:
            for step in index.search_steps(wanted):
                if isinstance(step, float):
                    yield step
                else:
                    rows = step
        if listing is not None:
            there = np.zeros(len(index), np.bool_)
            there[rows] = True
            rows = listing.rows[there[listing.rows]]
        order = self.order
        if order is not None and order[0] in OF_MERGES and not self.desk.merges_ready:
            self.desk.want_merges()
            order = None  # until they are known
        if order is not None:
            yield from index.order_steps(order[0])
            rows = index.sort(rows, *order)
        elif wanted is not None and listing is None:
            rows = index.best_first(rows, wanted)
        yield rows
