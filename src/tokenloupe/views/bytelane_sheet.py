"""The byte lane itself: a ruler with rows of cells, scrolled, zoomed, hovered and selected by mouse and keys.

    sheet = LaneSheet(LaneModel(session))
    sheet.zoom_by(1.15, x=300)          # the byte under x stays there

Keys: Left and Right by the cell of the current row, Up and Down choose the row; Shift extends; Home and End, Page Up
and Down along the ruler, Ctrl+Home and End in the text; Enter selects the current cell; + and - zoom, 0 as at first, F
fits the ruler in. The wheel scrolls, with Ctrl it zooms.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from ..models.bytelane import Cell, LaneModel, Where
from . import palette
from .bytelane_geometry import NARROWEST, NOTCH, PAD, WIDE, WIDEST, Geometry, Ruler, tick_step
from .bytelane_paint import LanePainter
from .bytelane_text import SMALL, Texts
from .delegates import quiet_text

NOTHING = "No bytes here.\nType in the text, or put the caret in another line."
#: A scroll bar counts in 32-bit integers.
MOST_STEPS = 1 << 30
#: Reach of the pointer to a flag that has no width, in pixels.
NEAR = 7.0
_KEY = Qt.Key
_CTRL, _SHIFT, _NONE = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier,
                        Qt.KeyboardModifier.NoModifier)
MOVES: dict[tuple[Qt.Key, Qt.KeyboardModifier], Where] = {
    (_KEY.Key_Left, _NONE): "left", (_KEY.Key_Right, _NONE): "right", (_KEY.Key_Home, _NONE): "home",
    (_KEY.Key_End, _NONE): "end", (_KEY.Key_PageUp, _NONE): "page_left", (_KEY.Key_PageDown, _NONE): "page_right",
    (_KEY.Key_Home, _CTRL): "start", (_KEY.Key_End, _CTRL): "finish",
}


class LaneSheet(QAbstractScrollArea):
    """pointed(Cell | None): what is under the pointer. scaled(): another zoom."""

    pointed = Signal(object)
    scaled = Signal()

    def __init__(self, model: LaneModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.scale = 1.0
        self._scroll = 0.0
        self._fonts_zoom = 1.0
        self._shown_range = (-1, -1)
        self._stale = True
        self._setting = False
        self._dragging = False
        self._pressed = Cell("byte", 0, 0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Byte lane")
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.horizontalScrollBar().valueChanged.connect(self._bar_moved)
        model.changed.connect(self.renew)
        model.moved.connect(self._moved)
        model.hovered.connect(self.viewport().update)
        self._set_fonts()

    # Geometry

    def set_zoom(self, zoom: float) -> None:
        """The window's zoom: the size of letters."""
        self._fonts_zoom = zoom
        self._set_fonts()
        self.renew()

    def _set_fonts(self) -> None:
        plain = palette.mono_font(self._fonts_zoom, palette.MONO_SIZE - 1)
        small = palette.mono_font(self._fonts_zoom, palette.MONO_SIZE - 3)
        self.titles = palette.small_font(self.font(), 0.92)
        self.texts = Texts(plain, small)
        self.geometry_ = Geometry.of(plain, small, self.titles, self.width() < WIDE)

    @property
    def cell(self) -> float:
        """Width of a byte in pixels."""
        return min(max(self.geometry_.base * self.scale, NARROWEST), WIDEST)

    @property
    def ruler(self) -> Ruler:
        return Ruler(self.geometry_, self.model.range[0], self.cell, self._scroll, float(self.viewport().width()))

    def _length(self) -> float:
        """Of the whole ruler in pixels, with room for a caret at its end."""
        low, high = self.model.range
        return (high - low) * self.cell + 12.0

    def _most(self) -> float:
        return max(self._length() - self.ruler.room, 0.0)

    @property
    def _top(self) -> float:
        """y of the first row."""
        return self.geometry_.head - self.verticalScrollBar().value()

    def renew(self) -> None:
        """Bytes, range, size or zoom changed."""
        if not self.isVisible():
            self._stale = True
            return
        self._stale = False
        shown = self.model.range
        if shown[0] != self._shown_range[0]:
            self._scroll = 0.0
        other = shown != self._shown_range
        self._shown_range = shown
        self.model.page = max(int(self.ruler.room / self.cell) - 1, 1)
        self._fit_bars()
        if other:
            self.reveal()
        self.viewport().update()

    def _fit_bars(self) -> None:
        self._setting = True
        try:
            bar, most = self.horizontalScrollBar(), self._most()
            self._step = most / MOST_STEPS if most > MOST_STEPS else 1.0
            self._scroll = min(max(self._scroll, 0.0), most)
            bar.setPageStep(max(int(self.ruler.room / self._step), 1))
            bar.setSingleStep(max(int(self.cell / self._step), 1))
            bar.setRange(0, int(most / self._step))
            bar.setValue(round(self._scroll / self._step))
            down = self.verticalScrollBar()
            room = self.viewport().height() - self.geometry_.head
            down.setPageStep(max(int(room), 1))
            down.setSingleStep(int(self.geometry_.line))
            down.setRange(0, max(int(self.geometry_.height - room + 1), 0))
        finally:
            self._setting = False

    def scroll_to(self, pixels: float) -> None:
        self._scroll = pixels
        self._fit_bars()
        self.viewport().update()

    def _bar_moved(self, value: int) -> None:
        if not self._setting:
            self._scroll = min(value * self._step, self._most())
            self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def zoom_by(self, factor: float, x: float | None = None) -> None:
        """Wider or narrower bytes; what is under x (or in the middle of what is in sight) stays there."""
        ruler = self.ruler
        x = ruler.geometry.gutter + ruler.room / 2 if x is None else max(x, ruler.geometry.gutter)
        place = ruler.place(x)
        base = self.geometry_.base
        self.scale = min(max(self.scale * factor, NARROWEST / base), WIDEST / base)
        self._scroll = (place - ruler.start) * self.cell - (x - ruler.geometry.gutter)
        self.renew()
        self.scaled.emit()

    def reset_scale(self) -> None:
        self.zoom_by(1.0 / self.scale)
        self.reveal()

    def fit(self) -> None:
        """All of the ruler in sight, or as much as can be."""
        low, high = self.model.range
        self.zoom_by((self.ruler.room - 14) / max(high - low, 1) / self.cell)
        self.reveal()

    def reveal(self) -> None:
        """Scroll no more than needed to show the current cell; one far away comes to the middle."""
        cell, ruler = self.model.current, self.ruler
        start, end = self.model.session.selection
        if start < end and (start, end) != (cell.start, cell.end) and not self.hasFocus():
            start, end = start, max(end, start + 1)
        else:
            start, end = cell.start, max(cell.end, cell.start + 1)
        left, right = (start - ruler.start) * self.cell, (end - ruler.start) * self.cell
        seen, margin = ruler.room, min(self.cell, 40.0)
        if left >= self._scroll and right <= self._scroll + seen:
            pass
        elif right - left > seen:
            if left > self._scroll or right < self._scroll + seen:
                self.scroll_to(left - margin)
        elif right < self._scroll - seen or left > self._scroll + 2 * seen:
            self.scroll_to((left + right - seen) / 2)
        else:
            self.scroll_to(left - margin if left < self._scroll else right - seen + margin)
        row, bar = self.geometry_.row(self.model.unit), self.verticalScrollBar()
        room = self.viewport().height() - self.geometry_.head
        if row.top < bar.value():
            bar.setValue(int(row.top))
        elif row.bottom > bar.value() + room:
            bar.setValue(int(row.bottom - room + 1))

    def _moved(self) -> None:
        if self.isVisible():
            self.reveal()
            self.viewport().update()

    # What is where

    def cell_at(self, point: QPoint) -> Cell | None:
        """The cell under a point; None in the margins and where a row has nothing."""
        ruler, y = self.ruler, point.y() - self._top
        if point.x() < ruler.geometry.gutter or point.y() < ruler.geometry.head or y >= ruler.geometry.height:
            return None
        row = ruler.geometry.row_at(y)
        byte = ruler.byte_at(point.x())
        low, high = self.model.range
        flags = row.unit in ("token", "change") and y - row.top < row.height / 2
        if flags and (pin := self._pin_at(point.x(), row.unit == "token")):
            return pin
        return self.model.cell_at(row.unit, byte, (y - row.top) / row.height) if low <= byte < high else None

    def _pin_at(self, x: float, tokens: bool) -> Cell | None:
        ruler = self.ruler
        frame = self.model.frame(ruler.first, ruler.last)
        if tokens:
            for token in frame.tokens:
                if token.start == token.end and abs(ruler.x(token.start) + 9 * token.level - x) < NEAR:
                    return Cell("token", token.start, token.end, token.index)
        for change in () if tokens else frame.changes or ():
            if change.start == change.end and abs(ruler.x(change.start) - x) < NEAR:
                return Cell("change", change.start, change.end)
        return None

    def describe(self) -> str:
        """The current cell in words."""
        return self.model.words(self.model.current)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, g = palette.current(), self.geometry_
        low, high = self.model.range
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), colours.base)
            ruler = self.ruler
            frame = self.model.frame(ruler.first, ruler.last)
            if low < high:
                painter.setClipRect(QRectF(g.gutter, g.head, ruler.room, self.viewport().height() - g.head))
                lane = LanePainter(painter, self.model, frame, ruler, self.texts, self._top)
                lane.paint()
                self._caret(painter, ruler)
                current = self.model.current
                lane.ring(current.start, current.end, current.index, self.hasFocus())
                painter.setClipping(False)
            else:
                area = QRectF(self.viewport().rect()).adjusted(g.gutter + 16, g.head, -16, -16)
                quiet_text(painter, area, NOTHING, colours.muted)
            self._paint_titles(painter)
            self._paint_ruler(painter, ruler)
            if self.hasFocus():
                painter.setPen(QPen(colours.focus, 1))
                painter.drawRect(QRectF(self.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _caret(self, painter: QPainter, ruler: Ruler) -> None:
        colours, x = palette.current(), ruler.x(self.model.session.caret)
        if self.model.session.anchor == self.model.session.caret and x >= ruler.geometry.gutter:
            painter.setPen(QPen(colours.focus, 2) if self.hasFocus() else QPen(colours.muted, 1))
            painter.drawLine(round(x), round(self._top), round(x), round(self._top + ruler.geometry.height))

    def _paint_titles(self, painter: QPainter) -> None:
        colours, g = palette.current(), self.geometry_
        painter.fillRect(QRectF(0, g.head, g.gutter - 1, self.viewport().height()), colours.window)
        painter.fillRect(QRectF(g.gutter - 1, g.head, 1, self.viewport().height()), colours.border)
        painter.setFont(self.titles)
        for row in g.rows:
            chosen = row.unit == self.model.unit
            area = QRectF(0, self._top + row.top, g.gutter, row.height)
            if chosen:
                painter.fillRect(area.adjusted(0, 0, -1, -1), colours.hover)
                painter.fillRect(QRectF(0, area.top(), 3, area.height() - 1),
                                 colours.accent if self.hasFocus() else colours.faint)
            painter.setPen(colours.grid)
            painter.drawLine(0, round(area.bottom() - 1), round(g.gutter) - 2, round(area.bottom() - 1))
            painter.setPen(colours.text if chosen else colours.muted)
            painter.drawText(area.adjusted(PAD + 1, 0, -2, 0),
                             int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), row.title)

    def _paint_ruler(self, painter: QPainter, ruler: Ruler) -> None:
        """Byte offsets into the whole text, and where the selection is."""
        colours, g = palette.current(), ruler.geometry
        low, high = self.model.range
        start, end = self.model.session.selection
        painter.fillRect(QRectF(0, 0, ruler.width, g.head - 1), colours.window)
        painter.fillRect(QRectF(0, g.head - 1, ruler.width, 1), colours.border)
        painter.setClipRect(QRectF(g.gutter, 0, ruler.room, g.head))
        if start < end:
            left = ruler.x(max(start, ruler.first - 1))
            painter.fillRect(QRectF(left, g.head - 4, ruler.x(min(end, ruler.last + 1)) - left, 3), colours.focus)
        label = (len(f"{high:,}") + 1) * g.letter + 6
        step = tick_step(ruler.cell, label)
        painter.setPen(colours.muted)
        for byte in range(max(ruler.first // step * step, 0), min(ruler.last, high) + 1, step):
            if low <= byte < high:
                x = ruler.x(byte)
                painter.drawLine(round(x), round(g.head - 5), round(x), round(g.head - 2))
                text = f"{byte:,}"
                self.texts.draw(painter, QRectF(x + 3, 1, len(text) * g.letter + 2, g.head - 4), text, SMALL, left=True)
        painter.setClipping(False)
        painter.setFont(self.titles)
        painter.setPen(colours.muted)
        painter.drawText(QRectF(PAD + 1, 0, g.gutter, g.head - 1),
                         int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), "Byte")

    # What Qt calls

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_fonts()
        self.renew()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.renew()
            self.reveal()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "texts"):
            self._set_fonts()
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cell = self.cell_at(event.pos())
            tip = escape(self.model.words(cell)) if cell is not None else ""
            QToolTip.showText(event.globalPos(), f"<p>{tip}</p>" if tip else "", self.viewport())
            return True
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key, shift = _KEY(event.key()), bool(modifiers & _SHIFT)
        if where := MOVES.get((key, modifiers & ~_SHIFT)):
            self.model.move(where, shift)
        elif modifiers & ~_SHIFT:
            super().keyPressEvent(event)
        elif key in (_KEY.Key_Up, _KEY.Key_Down) and not shift:
            self.model.next_unit(1 if key == _KEY.Key_Down else -1)
        elif key in (_KEY.Key_Return, _KEY.Key_Enter, _KEY.Key_Space):
            self.model.select_cell(self.model.current)
        elif key in (_KEY.Key_Plus, _KEY.Key_Equal):
            self.zoom_by(NOTCH)
        elif key in (_KEY.Key_Minus, _KEY.Key_Underscore):
            self.zoom_by(1 / NOTCH)
        elif key == _KEY.Key_0:
            self.reset_scale()
        elif key == _KEY.Key_F:
            self.fit()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn, pixels = event.angleDelta(), event.pixelDelta()
        if event.modifiers() & _CTRL:
            if turn.y():
                self.zoom_by(NOTCH ** (turn.y() / 120), event.position().x())
            event.accept()
            return
        down = self.verticalScrollBar().maximum() > 0 and not event.modifiers() & _SHIFT
        if down and abs(turn.y()) >= abs(turn.x()):
            super().wheelEvent(event)
            return
        moved = pixels.x() or pixels.y() if not pixels.isNull() else (turn.x() or turn.y()) * 0.8
        self.scroll_to(self._scroll - moved)
        event.accept()

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        y = point.y() - self._top
        if point.x() < self.geometry_.gutter:
            if point.y() >= self.geometry_.head and y < self.geometry_.height:
                self.model.set_unit(self.geometry_.row_at(y).unit)
            return
        cell = self.cell_at(point)
        if cell is not None:
            shift = bool(event.modifiers() & _SHIFT)
            anchor = self.model.session.anchor
            self._pressed = Cell(cell.unit, anchor, anchor) if shift else cell
            self.model.select_cell(cell, shift)
            self._dragging = True
        elif point.y() >= self.geometry_.head:
            low, high = self.model.range
            byte = min(max(self.ruler.byte_at(point.x() + self.cell / 2), low), high)
            self.model.session.select(byte, byte)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._dragging and event.buttons() & Qt.MouseButton.LeftButton:
            row = self.geometry_.row(self.model.unit)
            x = min(max(point.x(), round(self.geometry_.gutter)), self.viewport().width() - 1)
            cell = self.cell_at(QPoint(x, round(self._top + row.top + row.height * 0.75)))
            if cell is not None and cell != self.model.current:
                self._drag_to(cell)
            return
        cell = self.cell_at(point)
        self.model.hover_at(cell)
        self.pointed.emit(cell)

    def _drag_to(self, cell: Cell) -> None:
        """From the cell that was pressed to this one, both whole."""
        first = self._pressed
        if cell.start >= first.start:
            self.model.span(first.start, max(first.end, cell.end))
        else:
            self.model.span(first.end, cell.start)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragging = False
        super().mouseReleaseEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.model.hover_at(None)
        self.pointed.emit(None)
