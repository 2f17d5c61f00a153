"""The columns of a table over PagedRows: which are shown, in which order, how wide; chosen by hand and kept.

    table.show_column("raw", True); table.kept()        # {"hidden": [..], "order": [..], "widths": {..}}

Widths come from what can stand in a column, never from its rows. A column may be left out because somebody hid it,
because there is nothing to see in it (absent), or because the table is too narrow for it.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView, QWidget

from ..models.paged_rows import PagedRows
from .paged_paint import CellPainter

#: Characters that a column of tokens has at least before the table is scrolled sideways.
LEAST = 9


class ColumnTable(QTableView):
    """ordered(None | (column id, descending)): asked for by a click on a header: up, down, as found."""

    ordered = Signal(object)

    def __init__(self, model: PagedRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows_, self.cells = model, CellPainter()
        self._order: tuple[str, bool] | None = None
        self._by_hand = self._fitting = False
        #: Ids of columns that are not shown.
        self.hidden: set[str] = set()
        #: Ids of columns that there is nothing to see in.
        self.absent: set[str] = set()
        self.setModel(model)
        down, across = self.verticalHeader(), self.horizontalHeader()
        down.hide()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        # A header asks of every row whether it is selected, to know whether its column is: these look at a selection
        # of their own, which is always empty.
        for header in (down, across):
            header.setSelectionModel(QItemSelectionModel(model, header))
        across.setResizeContentsPrecision(0)
        across.setHighlightSections(False)
        across.setSectionsMovable(True)
        across.setSectionsClickable(True)
        across.setMinimumSectionSize(24)
        across.sectionResized.connect(self._resized_by_hand)
        across.sectionMoved.connect(self._repaint)
        across.sectionClicked.connect(self._header_clicked)
        across.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        across.customContextMenuRequested.connect(lambda at: self.columns_menu().popup(across.mapToGlobal(at)))

    def _first_column(self) -> int:
        return next((c for c in range(len(self.rows_.columns)) if not self.isColumnHidden(c)), 0)

    # Columns

    def shown_columns(self) -> list[int]:
        """Numbers of the columns in sight, in the order in which they stand."""
        across = self.horizontalHeader()
        order = [across.logicalIndex(i) for i in range(across.count())]
        return [c for c in order if not across.isSectionHidden(c)]

    def show_column(self, column_id: str, on: bool) -> None:
        """Show or hide a column; the last one stays."""
        if not on and len(self.shown_columns()) <= 1:
            return
        (self.hidden.discard if on else self.hidden.add)(column_id)
        self._renewed()

    def set_absent(self, column_id: str, absent: bool) -> None:
        """Leave a column out that says nothing of this vocabulary, or have it back as it was chosen."""
        (self.absent.add if absent else self.absent.discard)(column_id)
        self._renewed()

    def columns_menu(self) -> QMenu:
        """Which columns are shown, as a menu with check marks."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column in self.rows_.columns:
            if column.id in self.absent:
                continue
            action = menu.addAction(column.title)
            action.setCheckable(True)
            action.setChecked(column.id not in self.hidden)
            action.toggled.connect(lambda on, i=column.id: self.show_column(i, on))
        return menu

    def set_order(self, order: tuple[str, bool] | None) -> None:
        """Show which order the rows are in."""
        self._order = order
        across = self.horizontalHeader()
        across.setSortIndicatorShown(order is not None)
        if order is not None:
            at = next((i for i, c in enumerate(self.rows_.columns) if c.id == order[0]), -1)
            across.setSortIndicatorShown(at >= 0)
            across.setSortIndicator(at, Qt.SortOrder.DescendingOrder if order[1] else Qt.SortOrder.AscendingOrder)

    def _header_clicked(self, section: int) -> None:
        """Up, down, as found."""
        column = self.rows_.columns[section].id
        self.ordered.emit((column, False) if self._order is None or self._order[0] != column else
                          (column, True) if not self._order[1] else None)

    def kept(self) -> dict[str, Any]:
        """What was chosen by hand, for settings."""
        columns = self.rows_.columns
        widths = {columns[c].id: self.columnWidth(c) for c in self.shown_columns()} if self._by_hand else {}
        return {"hidden": sorted(self.hidden), "order": [columns[c].id for c in self.shown_columns()], "widths": widths}

    def restore(self, state: dict[str, Any]) -> None:
        """What kept() gave; anything that makes no sense is left out."""
        hidden, order, widths = (state.get(k) for k in ("hidden", "order", "widths"))
        known = {c.id: i for i, c in enumerate(self.rows_.columns)}
        if isinstance(hidden, list) and set(known) - set(hidden):
            self.hidden = {c for c in hidden if isinstance(c, str)}
        self._renewed()
        across = self.horizontalHeader()
        for at, name in enumerate(n for n in order if n in known) if isinstance(order, list) else ():
            across.moveSection(across.visualIndex(known[name]), at)
        for name, width in widths.items() if isinstance(widths, dict) else ():
            if name in known and isinstance(width, int) and 20 <= width <= 4000:
                self._by_hand = True
                self.setColumnWidth(known[name], width)

    def fit(self) -> None:
        """Widths by what can stand in a column: nothing is measured row by row. The rest is shared by those that
        stretch."""
        self._fitting = True
        for i, column in enumerate(self.rows_.columns):
            self.setColumnHidden(i, column.id in self.hidden | self.absent or self.viewport().width() < column.narrow)
        if self._by_hand:
            self._fitting = False
            return
        shown = self.shown_columns()
        own = {c: self.cells.width_of(self.rows_.columns[c]) for c in shown}
        own = self._narrowed(own)
        parts = sum(self.rows_.columns[c].stretch for c in shown) or 1
        spare = max(self.viewport().width() - sum(own.values()), 0)
        for c in shown:
            self.setColumnWidth(c, own[c] + spare * self.rows_.columns[c].stretch // parts)
        self._fitting = False

    def _narrowed(self, own: dict[int, int]) -> dict[int, int]:
        """Where a little less for each token lets all columns be seen without scrolling, less it is."""
        missing = sum(own.values()) - self.viewport().width()
        spare = {c: width - self.cells.width_for(LEAST) for c, width in own.items()
                 if self.rows_.columns[c].look == "token"}
        room = sum(spare.values())
        if missing <= 0 or room < missing or any(s < 0 for s in spare.values()):
            return own
        return {c: width - -(-missing * spare.get(c, 0) // room) for c, width in own.items()}

    def _renewed(self) -> None:
        """Other columns."""
        self.set_order(self._order)
        self.fit()
        self._repaint()

    def _resized_by_hand(self) -> None:
        if not self._fitting and self.isVisible():
            self._by_hand = True
        self._repaint()

    def _repaint(self) -> None:
        self.viewport().update()
