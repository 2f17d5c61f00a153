"""A table of half a million rows that scrolls as one of fifty: it paints what is in sight from the model's pages.

    table = PagedTable(VocabularyRows(), "Entries of the vocabulary", session)
    table.ordered.connect(search.set_order)         # a click on a header: up, down, as found
    table.typed.connect(bar.type_into)              # a letter typed here belongs to the search box

Columns are chosen in the header's menu, moved and resized by hand; kept() and restore() keep that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QTableView, QToolTip, QWidget

from ..models.paged_rows import PagedRows
from ..models.session import Session
from . import palette
from .delegates import quiet_text
from .paged_columns import ColumnTable
from .paged_paint import Place
from .panel_parts import copy_rows, grow

#: Rows turned into text between two looks at the event loop.
COPIED_AT_ONCE = 2000
#: Keys with one of these are commands, not text.
COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class PagedTable(ColumnTable):
    """moved(row): another row is the current one, by hand. typed(text): keys that are no commands of the table.
    opened(row, column id): a double click, or Enter (its column is ""). left_up(): Up in the first row.
    """

    moved = Signal(int)
    typed = Signal(str)
    opened = Signal(int, str)
    left_up = Signal()
    #: What is said where there are no rows.
    nothing = ""
    _placing, _hovered = False, -1

    def __init__(self, model: PagedRows, name: str, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self.session = session
        self.setAccessibleName(name)
        self.setObjectName("tokens")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # paintEvent fills all of it
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row(), model.columns[index.column()].id))
        model.renewed.connect(self._repaint)
        model.modelReset.connect(self._renewed)
        self.selectionModel().selectionChanged.connect(self._repaint)
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        self.cells.set_zoom(zoom)
        grow(zoom, self)
        self.verticalHeader().setDefaultSectionSize(self.cells.row_height)
        self.fit()

    # Rows

    def selected_rows(self) -> list[range]:
        """The selected rows, as ranges in order; the current row when none is selected."""
        ranges = sorted({(r.top(), r.bottom() + 1) for r in self.selectionModel().selection()})
        if not ranges and self.currentIndex().row() >= 0:
            return [range(self.currentIndex().row(), self.currentIndex().row() + 1)]
        return [range(*r) for r in ranges]

    def place(self, row: int, centred: bool = False) -> None:
        """Make a row the current and only selected one, without moved(); -1 for none."""
        self._placing = True
        try:
            if row < 0:
                self.selectionModel().clear()
            else:
                flags = QItemSelectionModel.SelectionFlag
                self.selectionModel().setCurrentIndex(self.rows_.index(row, self._first_column()),
                                                      flags.ClearAndSelect | flags.Rows)
                how = QAbstractItemView.ScrollHint
                self.scrollTo(self.currentIndex(), how.PositionAtCenter if centred else how.EnsureVisible)
        finally:
            self._placing = False
        self._repaint()

    # Copying

    def copy(self) -> None:
        """The selected rows to the clipboard, as tab-separated lines; what Ctrl+C does here."""
        self.gather(lambda rows: "\n".join(self.rows_.lines(rows, self.shown_columns())), "\n")

    def copy_column(self, column_id: str, between: str) -> None:
        column = self.rows_.column_of(column_id)

        def texts(rows: range) -> str:
            return between.join(self.rows_.page(r).cells[column][r - self.rows_.page(r).first] for r in rows)

        self.gather(texts, between)

    def gather(self, make: Callable[[range], str], between: str) -> None:
        """The selected rows as text, a slice at a time, to the clipboard."""
        ranges = self.selected_rows()
        total = sum(map(len, ranges))
        if not total:
            return

        def steps() -> Iterator[object]:
            parts: list[str] = []
            done = 0
            for which in ranges:
                for first in range(which.start, which.stop, COPIED_AT_ONCE):
                    part = range(first, min(first + COPIED_AT_ONCE, which.stop))
                    parts.append(make(part))
                    done += len(part)
                    yield done / total
            yield between.join(parts)

        copy_rows(self.session, steps(), total)

    def add_command(self, text: str, run: Callable[[], object], shortcut: str = "") -> QAction:
        """A line of the context menu. The shortcut works while the table has the focus."""
        action = QAction(text, self)
        if shortcut:
            action.setShortcut(shortcut)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: run())
        self.addAction(action)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return action

    # What Qt calls

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        self._repaint()  # the mark of the current row spans no cell of its own
        if not self._placing and not self.rows_.changing and current.isValid():
            self.moved.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, text = event.key(), event.text()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() in (
                Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
            if self.currentIndex().isValid():
                self.opened.emit(self.currentIndex().row(), "")
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif key == Qt.Key.Key_Up and self.currentIndex().row() <= 0 and not event.modifiers():
            self.left_up.emit()
        elif key == Qt.Key.Key_Escape:
            self.typed.emit("\x1b")
        elif key == Qt.Key.Key_Backspace:
            self.typed.emit("\b")
        elif text and text.isprintable() and not event.modifiers() & COMMANDS:
            self.typed.emit(text)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and not event.modifiers():
            last = self.rows_.rowCount() - 1
            row = 0 if key == Qt.Key.Key_Home else last
            if last >= 0:
                self.setCurrentIndex(self.rows_.index(row, self._first_column()))
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: Any) -> bool:
        if isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            text = self.rows_.tip(index.row(), index.column()) if index.isValid() else ""
            # A tooltip that begins with a tag would be rich text.
            shown = text.replace("&", "&amp;").replace("<", "&lt;")
            QToolTip.showText(event.globalPos(), f"<p style='white-space:pre-wrap'>{shown}</p>" if text else "", self)
            return True
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.rowAt(event.position().toPoint().y()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self._repaint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.selectionModel().hasSelection() and self.rows_.rowCount():
            self.place(max(self.currentIndex().row(), 0))
            self.moved.emit(self.currentIndex().row())
        self._repaint()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._repaint()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if self.hasFocus():
            self._repaint()  # the ring around the edge does not scroll

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows in sight, without a call of Python for each cell."""
        colours = palette.current()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), colours.base)
            if self.rows_.rowCount():
                self._paint_rows(painter, event.rect())
            elif self.nothing:
                room = QRectF(self.viewport().rect())
                edge = min(24.0, room.height() / 6)
                quiet_text(painter, room.adjusted(24, edge, -24, -edge), self.nothing,
                           colours.muted)
            if self.hasFocus():
                painter.setPen(colours.focus)
                painter.drawRect(QRectF(self.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_rows(self, painter: QPainter, area: QRect) -> None:
        across, height, model = self.horizontalHeader(), self.cells.row_height, self.rows_
        if self.cells.prose != self.font():
            self.cells.set_prose(self.font())
        places = []
        for c in self.shown_columns():
            left, width = across.sectionViewportPosition(c), across.sectionSize(c)
            if left < area.right() and left + width > area.left():
                places.append(Place(c, model.columns[c], left, width))
        first = max(self.rowAt(max(area.top(), 0)), 0)
        top = self.rowViewportPosition(first)
        chosen = [(r.top(), r.bottom()) for r in self.selectionModel().selection()]
        current, right = self.currentIndex().row(), max(self.viewport().width(), across.length())
        for row in range(first, min(model.rowCount(), first + (area.bottom() - top) // height + 1)):
            page = model.page(row)
            self.cells.paint(painter, page, row - page.first, top, places, right, current=row == current,
                             selected=any(low <= row <= high for low, high in chosen), hovered=row == self._hovered)
            top += height
