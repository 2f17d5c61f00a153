"""A table of text that is made a page at a time: a view asks for pages and paints them, and no cell is asked for alone.

    rows = PagedRows(("id", "bytes", "text"))
    rows.set_source(len(ids), lambda first, last: [(str(ids[i]), ..) for i in range(first, last)])
    rows.page(1000).cells[0]

`pages` counts those that were made: scrolling through 500,000 rows makes one a screenful at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
#: (first, last) -> the cells of rows first .. last-1.
Source = Callable[[int, int], Sequence[tuple[str, ...]]]

#: Rows in a page, and pages that are kept: the one in sight, its neighbours, and where one came from.
PAGE = 128
KEPT = 6

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Page:
    first: int
    cells: Sequence[tuple[str, ...]]


class PagedRows(QAbstractTableModel):
    """headers: of the columns."""

    def __init__(self, headers: tuple[str, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.headers = headers
        self.pages = 0
        #: Columns of numbers: their headers stand at the right, as the numbers do.
        self.number_columns: frozenset[int] = frozenset()
        self._count = 0
        self._source: Source = lambda first, last: []
        self._kept: dict[int, Page] = {}

    def set_source(self, count: int, source: Source) -> None:
        """Other rows."""
        self.beginResetModel()
        self._count, self._source = count, source
        self._kept.clear()
        self.endResetModel()

    def page(self, row: int) -> Page:
        """The page a row is on."""
        number = row // PAGE
        page = self._kept.get(number)
        if page is None:
            first = number * PAGE
            page = Page(first, self._source(first, min(first + PAGE, self._count)))
            self.pages += 1
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[number] = page
        return page

    def cells(self, row: int) -> tuple[str, ...]:
        page = self.page(row)
        return page.cells[row - page.first]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.headers)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        """For screen readers and tool tips; views paint from pages."""
        if role == _DISPLAY and index.isValid() and index.row() < self._count:
            return self.cells(index.row())[index.column()]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if role == _DISPLAY and orientation == Qt.Orientation.Horizontal and section < len(self.headers):
            return self.headers[section]
        if role == _ALIGNMENT and orientation == Qt.Orientation.Horizontal:
            return _RIGHT if section in self.number_columns else _LEFT
        return None
