"""A table of half a million rows that is painted from pages of text, in one go, without a call for each cell.

    table = PagedTable(rows, (Column("0" * 6, right=True), Column("x" * 20, stretch=1)), name="Entries")
    table.set_tone(lambda row, column, text: colours.error)      # another colour for a cell, optional

Widths come from what can stand in a column, never from its rows. Enter, a double click and the context menu act on the
chosen rows; everything is plain text, so a token `<s>` is three characters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, QLineF, QModelIndex, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from ..models.census_rows import PagedRows
from . import palette
from .delegates import PADDING, quiet_text

#: Rows that are copied at most.
MOST_COPIED = 100_000
#: Width of a column at least.
NARROWEST = 28
#: The colour of a cell; None for the usual one.
Tone = Callable[[int, int, str], QColor | None]


@dataclass(frozen=True, slots=True)
class Column:
    """widest: a text as wide as the column shall be. stretch: its part of the room that is left. plain: the interface's
    font instead of the monospaced one. narrow: below this width of the table the column is hidden."""

    widest: str
    right: bool = False
    stretch: int = 0
    plain: bool = False
    narrow: int = 0


class PagedTable(QTableView):
    """activated_rows(list of rows): Enter, a double click."""

    activated_row = Signal(object)
    current_row = Signal(object)

    def __init__(self, rows: PagedRows, columns: tuple[Column, ...], name: str, empty: str = "Nothing.",
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows, self.columns, self.empty = rows, columns, empty
        rows.number_columns = frozenset(i for i, c in enumerate(columns) if c.right)
        self._tone: Tone = lambda row, column, text: None
        self._hovered = -1
        self._by_hand = self._fitting = False
        self.setAccessibleName(name)
        self.setObjectName("tokens")  # its focus ring is painted here
        self.setModel(rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        down, across = self.verticalHeader(), self.horizontalHeader()
        down.hide()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        across.setSelectionModel(QItemSelectionModel(rows, across))  # see views/token_table.py
        across.setResizeContentsPrecision(0)
        across.setHighlightSections(False)
        across.setStretchLastSection(True)
        across.setMinimumSectionSize(NARROWEST)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.sectionResized.connect(self._resized_by_hand)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.current_row.emit(now.row()))
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        self._mono = palette.mono_font(zoom, palette.MONO_SIZE - 1.5)
        self._metrics = QFontMetricsF(self._mono)
        self.verticalHeader().setDefaultSectionSize(round(max(self._metrics.height() * 1.5, 21)))
        self._by_hand = False
        self._fit()

    def set_tone(self, tone: Tone) -> None:
        self._tone = tone

    def chosen_rows(self) -> list[int]:
        """Selected rows, ascending; the current one when none is selected."""
        out = sorted(r for s in self.selectionModel().selection() for r in range(s.top(), s.bottom() + 1))
        row = self.currentIndex().row()
        return out or ([row] if row >= 0 else [])

    def copy(self) -> None:
        """The chosen rows as tab-separated lines."""
        lines = ["\t".join(self.rows.cells(r)) for r in self.chosen_rows()[:MOST_COPIED]]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))

    def add_action(self, text: str, run: Callable[[], object]) -> QAction:
        """One more line of the context menu."""
        action = QAction(text, self)
        action.triggered.connect(lambda: run())
        self.addAction(action)
        return action

    # Inside

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.actions())
        menu.addAction("Copy Rows").triggered.connect(self.copy)
        for action in menu.actions():
            action.setEnabled(action.isEnabled() and bool(self.chosen_rows()))
        menu.popup(self.viewport().mapToGlobal(at))

    def _fit(self) -> None:
        if self._by_hand:
            return
        self._fitting = True
        room = self.viewport().width()
        plain = QFontMetricsF(self.font())
        widths = [max((plain if c.plain else self._metrics).horizontalAdvance(c.widest) + 2 * PADDING, NARROWEST)
                  for c in self.columns]
        shown = [room >= c.narrow for c in self.columns]
        rest = max(room - len(widths) - sum(w for w, s in zip(widths, shown, strict=True) if s), 0)
        parts = sum(c.stretch for c, s in zip(self.columns, shown, strict=True) if s) or 1
        for i, (column, width) in enumerate(zip(self.columns, widths, strict=True)):
            self.setColumnHidden(i, not shown[i])
            self.setColumnWidth(i, int(width + rest * column.stretch / parts))
        self._fitting = False

    def _resized_by_hand(self, column: int) -> None:
        if not self._fitting and column != len(self.columns) - 1:
            self._by_hand = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.activated_row.emit(self.currentIndex().row())
        elif event == event.StandardKey.Copy:
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(event.position().toPoint().y())
        if row >= 0:
            self.activated_row.emit(row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.rowAt(event.position().toPoint().y()))

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)  # type: ignore[arg-type]
        self._hover(-1)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.rows.rowCount():
            self.setCurrentIndex(self.rows.index(0, 0))
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        c = palette.current()
        with QPainter(self.viewport()) as p:
            p.fillRect(event.rect(), c.base)
            if self.rows.rowCount():
                self._paint_rows(p, event.rect())
            else:
                quiet_text(p, QRectF(self.viewport().rect()).adjusted(20, 12, -20, -12), self.empty, c.muted)
            if self.hasFocus():
                p.setPen(QPen(c.focus, 2))
                p.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))

    def _paint_rows(self, p: QPainter, area: QRect) -> None:
        c, across, height = palette.current(), self.horizontalHeader(), self.verticalHeader().defaultSectionSize()
        places = [(i, across.sectionViewportPosition(i), across.sectionSize(i)) for i in range(len(self.columns))
                  if not self.isColumnHidden(i)]
        first = max(self.rowAt(max(area.top(), 0)), 0)
        top = self.rowViewportPosition(first)
        chosen = [(r.top(), r.bottom()) for r in self.selectionModel().selection()]
        current, right = self.currentIndex().row(), self.viewport().width()
        plain = QFontMetricsF(self.font())
        for row in range(first, min(self.rows.rowCount(), first + (area.bottom() - top) // height + 1)):
            selected = any(a <= row <= b for a, b in chosen)
            if selected or row == self._hovered:
                p.fillRect(QRectF(0, top, right, height), c.selection if selected else c.hover)
            usual = c.selection_text if selected else c.text
            cells = self.rows.cells(row)
            for i, left, width in places:
                text, column = cells[i], self.columns[i]
                if not text:
                    continue
                metrics = plain if column.plain else self._metrics
                p.setFont(self.font() if column.plain else self._mono)
                tone = None if selected else self._tone(row, i, text)
                p.setPen(usual if tone is None else tone)
                room = width - 2 * PADDING
                if len(text) * metrics.averageCharWidth() > room * 0.6:
                    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
                base = top + (height + metrics.ascent() - metrics.descent()) / 2
                x = left + PADDING
                if column.right:
                    x = max(x, left + width - PADDING - metrics.horizontalAdvance(text))
                p.drawText(QPointF(x, base), text)
            p.setPen(c.grid)
            p.drawLine(QLineF(0, top + height - 0.5, right, top + height - 0.5))
            if row == current:
                p.fillRect(QRectF(0, top, 3, height), c.focus)
            top += height
