"""The token table: every token with its index, id, text, bytes, span and kind; linked with the text both ways.

Selecting rows selects their bytes everywhere; selecting text selects its rows; the pointer over a row lights the token
in the text and the other way round. Rows are copied as tab-separated lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QAction, QFocusEvent, QGuiApplication, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QVBoxLayout, QWidget

from ..core.bytelane_tokens import without_bytes
from ..core.wording import count_of
from ..models import token_rows as rows
from ..models.session import Session
from ..models.token_colours import TokenColours
from . import palette
from .delegates import Column, RowPainter, quiet_text

#: Rows turned into text between two looks at the event loop.
COPIED_AT_ONCE = 2000
#: ms
FOLLOW = 50
NOTHING = "No tokens yet.\nType or open a text, and each token is a row here."


class TokenTable(QWidget):
    """The panel. `view` is the QTableView, `model` its TokenRows."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.model = rows.TokenRows(session)
        self.view = _View(self.model, session, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)
        self.setFocusProxy(self.view)
        self._following = False  # the selection is being set from the session
        # A key held down in the editor does not wait for the table: it follows in the next pause, at most FOLLOW later.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(FOLLOW)
        self._soon.timeout.connect(self._follow)

        self._action("Copy Rows", self.copy)
        self._action("Copy Ids", lambda: self._copy(rows.ID, " "))
        self._action("Copy Text", self._copy_text)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._menu)

        self.view.selectionModel().selectionChanged.connect(self._selected_here)
        self.model.rows_settled.connect(self._settled)
        session.selection_changed.connect(self._follow_soon)
        session.hover_changed.connect(self._light)
        self._settled()

    def set_zoom(self, zoom: float) -> None:
        self.view.set_zoom(zoom)

    def selected_rows(self) -> range:
        """The selected rows; the current row when none is selected."""
        ranges = self.view.selectionModel().selection()
        if not ranges.isEmpty():
            return range(min(r.top() for r in ranges), max(r.bottom() for r in ranges) + 1)
        row = self.view.currentIndex().row()
        return range(row, row + 1) if row >= 0 else range(0)

    def copy(self) -> None:
        """The selected rows to the clipboard, as tab-separated lines; what Ctrl+C does here."""
        self._gather(lambda part: "\n".join(self.model.lines(iter(part))), "\n")

    # Inside

    def _action(self, text: str, run: Callable[[], None]) -> None:
        action = QAction(text, self.view)
        action.triggered.connect(lambda: run())
        self.view.addAction(action)

    def _menu(self, at: QPoint) -> None:
        menu = QMenu(self.view)
        menu.addActions(self.view.actions())
        for action in self.view.actions():
            action.setEnabled(len(self.selected_rows()) > 0)
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _copy(self, column: int, between: str) -> None:
        self._gather(lambda part: between.join(self.model.cell(row, column) for row in part), between)

    def _copy_text(self) -> None:
        start, end = self._bytes_of(self.selected_rows())
        data = self._session.document.store.bytes(start, end)
        QGuiApplication.clipboard().setText(data.decode("utf-8", "replace"))

    def _gather(self, make: Callable[[range], str], between: str) -> None:
        which = self.selected_rows()
        if not which:
            return

        def steps() -> Iterator[object]:
            parts = []
            for first in range(which.start, which.stop, COPIED_AT_ONCE):
                parts.append(make(range(first, min(first + COPIED_AT_ONCE, which.stop))))
                yield (first - which.start) / len(which)
            yield between.join(parts)

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self._session.message.emit(f"Copied {count_of(len(which), 'row')}")

        self._session.jobs.start("Copying", steps(), done=done)

    def _bytes_of(self, which: range) -> tuple[int, int]:
        """The bytes behind some rows. Spans need not be in order, so of a short range all are asked."""
        asked = which if len(which) <= 4096 else (which[0], which[-1])
        spans = [self.model.byte_span(row) for row in asked]
        return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else (0, 0)

    def _selected_here(self) -> None:
        if not self._following and (which := self.selected_rows()):
            self._session.select(*self._bytes_of(which))

    def _settled(self) -> None:
        self.view.fit_index_column()
        self.view.viewport().update()
        self._follow()

    def _follow_soon(self) -> None:
        if self._session.jobs.synchronous or self.view.hasFocus():
            self._follow()
        elif not self._soon.isActive():
            self._soon.start()

    def _follow(self) -> None:
        """Select the rows of the selected bytes; with a caret alone, mark its row."""
        byte_start, byte_end = self._session.selection
        first, last = self.model.rows_of(byte_start, byte_end)
        first, last = min(first, self.model.rowCount() - 1), min(last, self.model.rowCount() - 1)
        choice = self.view.selectionModel()
        self._following = True
        try:
            if first < 0:
                choice.clear()
            else:
                here = self.model.index(first, 0)
                if byte_start < byte_end:
                    picked = QItemSelection(here, self.model.index(last, len(rows.HEADERS) - 1))
                    if choice.selection() != picked:
                        choice.select(picked, QItemSelectionModel.SelectionFlag.ClearAndSelect)
                else:
                    choice.clearSelection()
                if not self.view.hasFocus() or self.view.currentIndex().row() < 0:
                    choice.setCurrentIndex(here, QItemSelectionModel.SelectionFlag.NoUpdate)
                    self.view.scrollTo(here)
                self.view.viewport().update()
        finally:
            self._following = False

    def _light(self, byte_start: int, byte_end: int) -> None:
        lit = self.model.rows_of(byte_start, byte_end) if byte_start >= 0 else (-1, -1)
        if byte_start == byte_end >= 0 and self._session.ready:  # a token without bytes is under the pointer
            empty = without_bytes(self._session.document, byte_start)
            lit = (min(empty), max(empty)) if empty else lit
        if lit != self.view.rows_.hovered:
            self.view.rows_.hovered = lit
            self.view.viewport().update()


class _View(QTableView):
    def __init__(self, model: rows.TokenRows, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._rows = model
        self.setAccessibleName("Tokens")
        self.setModel(model)
        self.rows_ = RowPainter(model, TokenColours.of(session))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)  # Tab leaves the table, as it leaves every other view
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setObjectName("tokens")
        self.setFrameShape(QTableView.Shape.NoFrame)
        down = self.verticalHeader()
        down.hide()
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        across = self.horizontalHeader()
        # A header asks of every row whether it is selected, to know whether its column is (60 s for 2.5 million
        # selected rows): this one looks at a selection of its own, which is always empty.
        across.setSelectionModel(QItemSelectionModel(model, across))
        across.setResizeContentsPrecision(0)
        across.setHighlightSections(False)
        across.setStretchLastSection(True)
        across.setMinimumSectionSize(36)
        across.sectionResized.connect(self._resized_by_hand)
        self._by_hand = False
        self._fitting = False
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        self.rows_.set_zoom(zoom)
        self.verticalHeader().setDefaultSectionSize(self.rows_.row_height)
        self._by_hand = False
        self.fit_index_column()

    def fit_index_column(self) -> None:
        """Widths by what can stand in a column: nothing is measured row by row."""
        if self._by_hand:
            return
        self._fitting = True
        width = self.rows_.width_of
        digits = len(str(max(self._rows.rowCount() - 1, 99)))
        size = len(str(len(self._session)))
        narrow = {
            rows.INDEX: width("0" * digits), rows.ID: width("000000"), rows.SPAN: width("0" * (2 * size) + "–"),
            rows.KIND: width("special"),
        }
        room = self.viewport().width() - sum(narrow.values())
        text = max(width("x" * 10), min(room // 2, width("x" * 26)))
        narrow[rows.TEXT] = text
        narrow[rows.BYTES] = max(width("00 00 00"), room - text)
        for column, size in narrow.items():
            self.setColumnWidth(column, size)
        self._fitting = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_index_column()

    def _resized_by_hand(self, column: int) -> None:
        if not self._fitting and column != rows.KIND:
            self._by_hand = True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self.rowAt(event.position().toPoint().y())
        self._session.hover_at(*(self._rows.byte_span(row) if row >= 0 else (-1, -1)))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()  # all of it: the ring runs around the edge

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._session.hover_at(-1, -1)

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()  # the mark of the current row spans no cell of its own

    def paintEvent(self, event: QPaintEvent) -> None:
        """The rows in sight, without a call of Python for each cell."""
        colours = palette.current()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), colours.base)
            if self._rows.rowCount():
                self._paint_rows(painter, event.rect())
            else:
                quiet_text(painter, QRectF(self.viewport().rect()).adjusted(24, 24, -24, -24), NOTHING, colours.muted)
            if self.hasFocus():
                painter.setPen(QPen(colours.focus, 2))
                painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))

    def _paint_rows(self, painter: QPainter, area: QRect) -> None:
        across, height = self.horizontalHeader(), self.verticalHeader().defaultSectionSize()
        places = [(c, across.sectionViewportPosition(c), across.sectionSize(c)) for c in range(len(rows.HEADERS))]
        columns = [Column(*p) for p in places if p[1] < area.right() and p[1] + p[2] > area.left()]
        first = max(self.rowAt(max(area.top(), 0)), 0)
        top = self.rowViewportPosition(first)
        chosen = [(r.top(), r.bottom()) for r in self.selectionModel().selection()]
        current, right = self.currentIndex().row(), self.viewport().width()
        for row in range(first, min(self._rows.rowCount(), first + (area.bottom() - top) // height + 1)):
            selected = any(low <= row <= high for low, high in chosen)
            self.rows_.paint(painter, row, top, columns, right, selected=selected, current=row == current)
            top += height
