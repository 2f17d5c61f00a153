"""A table of any number of rows over an array of row numbers, of which a page at a time becomes text.

    class Squares(PagedRows):
        columns = (Column("n", "n", "number"), Column("square", "Square", "number"))

        def _made(self, first, rows):                 # the rows of one page, int64
            return Page(first, [list(map(str, rows.tolist())), list(map(str, (rows ** 2).tolist()))])

    model.set_rows(np.arange(500_000)); model.page(70).cells[1][6]        # "4900"

A short list needs no class of its own: CellRows takes a function that makes some of its rows.

A view that paints from page() calls Python once a page while it scrolls, and data() never: that one is for screen
readers. Another order or another search is another array; the view is told of the new number of rows at the end, and
paints what is in sight anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

Index = QModelIndex | QPersistentModelIndex
#: How a column is painted. "token": a token's text, and a note (its id) beside it. "bytes": cut between bytes. "prose":
#: words in the font of the interface. "sign": one of SIGNS, in its colour.
Look = Literal["number", "token", "bytes", "word", "prose", "sign"]
#: Signs of what is wrong, what may be, and what is worth knowing.
SIGNS = ("✖", "▲", "•")

PAGE = 64
PAGES_KEPT = 64

# The short forms as plain integers: looking an enum member up costs 25 times as much, thousands of times a frame.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Column:
    """id: for settings, exports and sorting. width: in characters. tip: what it means, for its header. stretch: its
    part of the room that is left over. narrow: in a table of less than this many pixels it is not shown. strong: of
    numbers, in the ink of what the row is about.
    """

    id: str
    title: str
    look: Look
    width: int = 8
    tip: str = ""
    stretch: int = 0
    narrow: int = 0
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Rows first .. of PAGE. cells: text by column, then by row; notes: column -> text beside each, in quieter ink.

    faded: rows that are painted quieter as a whole.
    """

    first: int
    cells: list[list[str]]
    notes: dict[int, list[str]] = field(default_factory=dict)
    faded: list[bool] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.cells[0]) if self.cells else 0


class PagedRows(QAbstractTableModel):
    """columns: what there is to see. rows: int64, what each row of the table stands for.

    renewed(): the rows are others, or look different.
    """

    columns: tuple[Column, ...] = ()
    renewed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._pages: dict[int, Page] = {}
        #: While rows come and go: Qt moves the current row to a neighbour then, which nobody asked for.
        self.changing = False
        #: Pages made so far: what scrolling costs, for tests and benchmarks.
        self.pages_made = 0

    # What a subclass knows

    def _made(self, first: int, rows: NDArray[np.int64]) -> Page:
        """The texts of some rows."""
        raise NotImplementedError

    def tip(self, row: int, column: int) -> str:
        """What a cell has to say when the pointer rests on it: plain text, "" for nothing."""
        page = self.page(row)
        i = row - page.first
        return page.cells[column][i] if 0 <= i < len(page) else ""

    # What Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own signature)
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == Qt.Orientation.Horizontal and section < len(self.columns):
            column = self.columns[section]
            if role == _DISPLAY:
                return column.title
            if role == _TOOL_TIP:
                return column.tip or None
            if role == _ALIGNMENT:
                return _RIGHT if column.look == "number" else _LEFT
        return None

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if role in (_DISPLAY, _ACCESSIBLE):
            return self.cell(index.row(), index.column())
        if role == _ALIGNMENT:
            return _RIGHT if self.columns[index.column()].look == "number" else _LEFT
        return None

    # What views ask

    def page(self, row: int) -> Page:
        """The page that holds a row."""
        number = row // PAGE
        page = self._pages.get(number)
        if page is None:
            if len(self._pages) >= PAGES_KEPT:
                del self._pages[next(iter(self._pages))]
            self.pages_made += 1
            page = self._pages[number] = self._made(number * PAGE, self.rows[number * PAGE : (number + 1) * PAGE])
        return page

    def cell(self, row: int, column: int) -> str:
        """What stands in a cell, with its note; "" for a row that is gone."""
        page = self.page(row)
        i = row - page.first
        if not 0 <= i < len(page):
            return ""
        note = page.notes.get(column)
        return f"{page.cells[column][i]} {note[i]}".strip() if note else page.cells[column][i]

    def cells(self, row: int) -> tuple[str, ...]:
        """All cells of a row, without notes; () for a row that is gone."""
        page = self.page(row)
        i = row - page.first
        return tuple(column[i] if column else "" for column in page.cells) if 0 <= i < len(page) else ()

    def place_of(self, row: int) -> int:
        """Where one of `rows` stands in the table, -1 when it does not."""
        if 0 <= row < len(self.rows) and self.rows[row] == row:  # all of them, in order
            return row
        found = np.flatnonzero(self.rows == row)
        return int(found[0]) if len(found) else -1

    def lines(self, rows: Iterable[int], columns: Iterable[int]) -> Iterator[str]:
        """Rows as tab-separated lines, for the clipboard."""
        chosen = tuple(columns)
        for row in rows:
            yield "\t".join(self.cell(row, column) for column in chosen)

    def column_of(self, column_id: str) -> int:
        return next(i for i, c in enumerate(self.columns) if c.id == column_id)

    # Changes

    def set_rows(self, rows: NDArray[np.int64]) -> None:
        """Other rows, or the same in another order."""
        self._pages.clear()
        self.changing = True
        old, new = len(self.rows), len(rows)
        if new > old:
            self.beginInsertRows(QModelIndex(), old, new - 1)
            self.rows = rows
            self.endInsertRows()
        elif new < old:
            self.beginRemoveRows(QModelIndex(), new, old - 1)
            self.rows = rows
            self.endRemoveRows()
        else:
            self.rows = rows
        self.changing = False
        self.renewed.emit()

    def set_columns(self, columns: tuple[Column, ...], rows: NDArray[np.int64]) -> None:
        """Other columns (another kind of vocabulary): everything is new."""
        self.beginResetModel()
        self.columns, self.rows = columns, rows
        self._pages.clear()
        self.endResetModel()
        self.renewed.emit()

    def forget(self) -> None:
        """The texts are others now: what is in sight is painted anew."""
        self._pages.clear()
        self.renewed.emit()


class CellRows(PagedRows):
    """Rows whose cells a function makes.

        rows = CellRows((Column("n", "n", "number"),))
        rows.set_cells(1000, lambda first, last: [(str(n),) for n in range(first, last)])
    """

    def __init__(self, columns: tuple[Column, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self._source: Callable[[int, int], Sequence[tuple[str, ...]]] = lambda first, last: []

    def set_cells(self, count: int, source: Callable[[int, int], Sequence[tuple[str, ...]]]) -> None:
        """Other rows. source(first, last): the cells of rows first .. last-1, row by row."""
        self._source = source
        self.set_rows(np.arange(count))

    def _made(self, first: int, rows: NDArray[np.int64]) -> Page:
        return page_of(first, self._source(first, first + len(rows)), len(self.columns))


def page_of(first: int, rows: Sequence[tuple[str, ...]], columns: int, faded: list[bool] | None = None) -> Page:
    """Cells row by row as a page."""
    return Page(first, [[row[c] for row in rows] for c in range(columns)], faded=faded or [])
