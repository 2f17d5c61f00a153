"""The inspector's lists: rows of a name and a value, or of a title over a quiet line; as high as what they hold.

    facts = RowList(Rows([...]), "Facts", pairs=True)
    places = RowList(OccurrenceRows(session), "Places", most=8)
    places.chosen.connect(lambda row: ...)          # Return, or a double click

One Tab stop a list; arrows move in it, Ctrl+C copies the row, Return goes where it points. Nothing is rich text.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication, QHelpEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from ..models.inspector_rows import ROW, Row, Rows
from . import palette

PAD = 8
#: Width of the sign (the character itself) before a row.
SIGN = 30


class RowDelegate(QStyledItemDelegate):
    """pairs: a quiet name (`detail`) before a value (`title`), on one line."""

    def __init__(self, pairs: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.pairs, self.signs = pairs, False
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        self.font = palette.mono_font(zoom, palette.MONO_SIZE - 1)
        self.small = palette.small_font(QGuiApplication.font(), 0.92)
        self.sign = palette.mono_font(zoom, palette.MONO_SIZE + 2)
        self._mono, self._quiet = QFontMetricsF(self.font), QFontMetricsF(self.small)
        # Scripts taller than Latin fit as well: rows are alike, or each would be measured.
        line = self._mono.height() * 1.2
        self.height = round(line * 1.25 if self.pairs else line + self._quiet.height() + PAD)
        self.names = round(max(self._quiet.horizontalAdvance(x) for x in ("In the text", "Spelling"))) + 2 * PAD

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem,
              index: QModelIndex | QPersistentModelIndex) -> None:
        row: Row | None = index.data(ROW)
        if row is None:
            return
        c = palette.current()
        rect: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, c.selection)
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, c.hover)
        strong, quiet = (c.selection_text, c.selection_text) if selected else (c.text, c.muted)
        tone = {"part": c.warning, "bad": c.error, "here": c.special, "lost": c.error}.get(row.mark)
        area = QRectF(rect).adjusted(PAD, 0, -PAD, 0)
        if self.pairs:
            painter.setFont(self.small)
            painter.setPen(quiet)
            flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
            painter.drawText(QRectF(area.left(), area.top(), self.names - PAD, area.height()), flags, row.detail)
            painter.setFont(self.font)
            painter.setPen(strong if selected or tone is None else tone)
            value = area.adjusted(self.names - PAD, 0, 0, 0)
            painter.drawText(value, flags, self._mono.elidedText(row.title, Qt.TextElideMode.ElideRight, value.width()))
            return
        if self.signs:
            painter.setFont(self.sign)
            painter.setPen(strong)
            sign = QRectF(area.left(), area.top(), SIGN, area.height())
            painter.save()
            painter.setClipRect(sign)
            painter.drawText(sign, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), row.sign)
            painter.restore()
            area.adjust(SIGN + 4, 0, 0, 0)
        if tone is not None and not selected:
            painter.fillRect(QRectF(rect.left(), rect.top() + 3, 3, rect.height() - 6), tone)
        top = area.top() + (area.height() - self._mono.height() - self._quiet.height()) / 2
        self._title(painter, row, QRectF(area.left(), top, area.width(), self._mono.height()), strong, quiet)
        painter.setFont(self.small)
        painter.setPen(strong if selected else quiet if row.mark == "lost" else tone or quiet)
        below = QRectF(area.left(), top + self._mono.height(), area.width(), self._quiet.height())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft),
                         self._quiet.elidedText(row.detail, Qt.TextElideMode.ElideRight, below.width()))

    def _title(self, painter: QPainter, row: Row, area: QRectF, strong: object, quiet: object) -> None:
        painter.setFont(self.font)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        title = row.title
        if row.before or row.after:  # the token between what stands around it, which gives way
            room = max(area.width() - self._mono.horizontalAdvance(title), 0) / 2
            before = self._mono.elidedText(row.before, Qt.TextElideMode.ElideLeft, room)
            width = self._mono.horizontalAdvance(before)
            painter.setPen(quiet)  # type: ignore[call-overload]
            painter.drawText(area, flags, before)
            area.adjust(width, 0, 0, 0)
            wide = self._mono.horizontalAdvance(title)
            after = area.adjusted(wide, 0, 0, 0)
            painter.drawText(after, flags,
                             self._mono.elidedText(row.after, Qt.TextElideMode.ElideRight, after.width()))
            painter.fillRect(QRectF(area.left(), area.bottom() - 1, min(wide, area.width()), 1.5),
                             palette.current().accent)
        painter.setPen(strong)  # type: ignore[call-overload]
        painter.drawText(area, flags, self._mono.elidedText(title, Qt.TextElideMode.ElideRight, area.width()))

    def elided(self, row: Row, width: float) -> bool:
        """Does a part of the row not fit?"""
        room = width - 2 * PAD - (self.names - PAD if self.pairs else (SIGN + 4) * self.signs)
        return (self._mono.horizontalAdvance(row.before + row.title + row.after) > room
                or (not self.pairs and self._quiet.horizontalAdvance(row.detail) > room))


class RowList(QListView):
    """chosen(Row): Return or a double click. most: rows shown before it scrolls by itself. alone: nothing around it
    scrolls, so the wheel is always its own."""

    chosen = Signal(object)

    def __init__(self, model: Rows, name: str, *, pairs: bool = False, most: int = 12, alone: bool = False,
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most, self._rows, self._alone = most, model, alone
        self.delegate = RowDelegate(pairs, self)
        self.setAccessibleName(name)
        self.setItemDelegate(self.delegate)
        self.setModel(model)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.doubleClicked.connect(lambda index: self._choose(index.row()))
        model.modelReset.connect(self._fit)
        self._fit()

    def set_zoom(self, zoom: float) -> None:
        self.delegate.set_zoom(zoom)
        self._fit()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(200, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height())

    def copy(self) -> None:
        """The current row to the clipboard; what Ctrl+C does here."""
        row = self._row(self.currentIndex().row())
        if row is not None:
            QGuiApplication.clipboard().setText(row.title if self.delegate.pairs else row.text)

    def copy_all(self) -> str:
        return "\n".join(self._rows.row(k).text for k in range(self._rows.rowCount()))

    def _height(self) -> int:
        return self.delegate.height * max(min(self._rows.rowCount(), self._most), 1) + 4

    def _fit(self) -> None:
        count = self._rows.rowCount()
        self.delegate.signs = any(self._rows.row(k).sign for k in range(min(count, self._most)))
        fits = count <= self._most
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.updateGeometry()

    def _row(self, number: int) -> Row | None:
        return self._rows.row(number) if 0 <= number < self._rows.rowCount() else None

    def _choose(self, number: int) -> None:
        row = self._row(number)
        if row is not None and row.value >= 0:
            self.chosen.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        if not self.currentIndex().isValid() and self._rows.rowCount():
            self.setCurrentIndex(self._rows.index(0, 0))
        self.viewport().update()

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.clearSelection()
        self.viewport().update()

    def wheelEvent(self, event: object) -> None:
        if self._alone or (self._rows.rowCount() > self._most and self.hasFocus()):
            super().wheelEvent(event)  # type: ignore[arg-type]
        else:
            event.ignore()  # type: ignore[attr-defined] # the panel scrolls

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self._row(self.indexAt(event.pos()).row())
            if row is not None and self.delegate.elided(row, self.viewport().width()):
                from html import escape

                text = "\n".join(filter(None, (row.before + row.title + row.after, row.detail)))
                QToolTip.showText(event.globalPos(), f"<p>{escape(text).replace(chr(10), '<br>')}</p>", self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def paintEvent(self, event: object) -> None:
        super().paintEvent(event)  # type: ignore[arg-type]
        if self.hasFocus():
            with QPainter(self.viewport()) as painter:
                painter.setPen(palette.current().focus)
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))


def heading_font(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    return bold
