"""The hex view itself: offset, hex and text columns with a caret, under mouse and keys.

    sheet = HexSheet(HexModel(session))
    sheet.column = "text"           # where typing goes; Enter changes it, a click too

Keys: arrows, Home, End, Page Up and Down, Ctrl+Home and End; Ctrl+Left and Right by token (in a file by character),
Alt+Left and Right by character; Shift extends. Insert: write over or push on. Digits write bytes in the hex column,
anything else in the text column. What the window binds to Ctrl+F, F3 and Ctrl+G means this view while it has the focus.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from ..core.hexsource import HexWindow, look
from ..core.tokenizer import to_bytes
from ..core.utf8 import ByteRole
from ..models.hex_model import HexModel, Where
from . import palette
from .delegates import quiet_text
from .hex_geometry import Column, Geometry
from .hex_paint import Fonts, HexPainter

#: A scroll bar counts in 32-bit integers: beyond this many rows it counts several at once.
MOST_STEPS = 1 << 30
NOTHING = "No bytes yet.\nType here or in the text, or open a file."
_KEY = Qt.Key
_CTRL, _SHIFT, _ALT = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier,
                       Qt.KeyboardModifier.AltModifier)
MOVES: dict[tuple[Qt.Key, Qt.KeyboardModifier], Where] = {
    (_KEY.Key_Left, Qt.KeyboardModifier.NoModifier): "left",
    (_KEY.Key_Right, Qt.KeyboardModifier.NoModifier): "right",
    (_KEY.Key_Up, Qt.KeyboardModifier.NoModifier): "up",
    (_KEY.Key_Down, Qt.KeyboardModifier.NoModifier): "down",
    (_KEY.Key_Home, Qt.KeyboardModifier.NoModifier): "row_start",
    (_KEY.Key_End, Qt.KeyboardModifier.NoModifier): "row_end",
    (_KEY.Key_PageUp, Qt.KeyboardModifier.NoModifier): "page_up",
    (_KEY.Key_PageDown, Qt.KeyboardModifier.NoModifier): "page_down",
    (_KEY.Key_Home, _CTRL): "start",
    (_KEY.Key_End, _CTRL): "end",
    (_KEY.Key_Left, _CTRL): "unit_left",
    (_KEY.Key_Right, _CTRL): "unit_right",
    (_KEY.Key_Left, _ALT): "character_left",
    (_KEY.Key_Right, _ALT): "character_right",
}
#: Window shortcuts that this view answers itself.
OWN_KEYS = {(_KEY.Key_F, _CTRL): "find", (_KEY.Key_G, _CTRL): "go_to", (_KEY.Key_F3, Qt.KeyboardModifier.NoModifier):
            "find_next", (_KEY.Key_F3, _SHIFT): "find_previous"}


class HexSheet(QAbstractScrollArea):
    """column_changed: typing goes to the other column. asked(what): "find", "go_to", "find_next", "find_previous"."""

    column_changed = Signal()
    asked = Signal(str)

    def __init__(self, model: HexModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.column: Column = "hex"
        self._zoom = 1.0
        self.rows_wanted = 0
        self._dragging = False
        self._press, self._pressed_at = 0, QPoint()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Hex view")
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._more = QTimer(self)
        self._more.setSingleShot(True)
        self._more.setInterval(0)
        self._more.timeout.connect(self._paint_more)
        self._patient = True
        self._drag = QTimer(self)
        self._drag.setInterval(40)
        self._drag.timeout.connect(self._drag_on)
        model.changed.connect(self._renew)
        model.source_changed.connect(self._other_source)
        model.moved.connect(self._moved)
        model.hovered.connect(self.viewport().update)
        self._renew()

    # Geometry

    def set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self._renew()

    def set_row(self, count: int) -> None:
        """Bytes a row; 0: the most that fit."""
        self.rows_wanted = count
        self._renew()
        self.show_caret()

    @property
    def _head(self) -> float:
        """Height of the column heads."""
        return self.geometry_.line

    @property
    def rows(self) -> int:
        """Rows there are, the one the caret can stand in behind the last byte included."""
        return len(self.model) // self.geometry_.row + 1

    @property
    def whole_rows(self) -> int:
        """Rows that are seen whole at once, at least 1."""
        return max(int((self.viewport().height() - self._head) // self.geometry_.line), 1)

    @property
    def first_row(self) -> int:
        return self.verticalScrollBar().value() * self._step

    def window_in_sight(self) -> HexWindow:
        row = self.geometry_.row
        start = self.first_row * row
        return look(self.model.source, start, min(start + (self.whole_rows + 1) * row, len(self.model)))

    def _renew(self) -> None:
        """Bytes, size or zoom changed: fit rows and scroll bars, keep the first byte in sight."""
        font = palette.mono_font(self._zoom, palette.MONO_SIZE - 1)
        first_byte = self.first_row * self.geometry_.row if hasattr(self, "geometry_") else 0
        self.geometry_ = Geometry.of(font, len(self.model), self.viewport().width(), self.rows_wanted)
        self.fonts = Fonts.of(font, self.geometry_)
        self.model.row, self.model.page = self.geometry_.row, self.whole_rows
        self._step = self.rows // MOST_STEPS + 1
        bar = self.verticalScrollBar()
        bar.setPageStep(max(self.whole_rows // self._step, 1))
        bar.setRange(0, max(self.rows - self.whole_rows, 0) // self._step)
        bar.setValue(first_byte // self.geometry_.row // self._step)
        across = self.horizontalScrollBar()
        across.setPageStep(self.viewport().width())
        across.setRange(0, max(int(self.geometry_.width) - self.viewport().width(), 0))
        self.viewport().update()

    def _other_source(self) -> None:
        self.verticalScrollBar().setValue(0)
        self._renew()

    def show_caret(self) -> None:
        """Scroll no more than needed; a caret far away comes to the middle."""
        row, first, seen = self.model.caret // self.geometry_.row, self.first_row, self.whole_rows
        if first <= row < first + seen:
            return
        near = first - seen <= row < first + 2 * seen
        want = (row if row < first else row - seen + 1) if near else row - seen // 2
        self.verticalScrollBar().setValue(max(want + self._step - 1, 0) // self._step)

    def _moved(self) -> None:
        self.show_caret()
        self.viewport().update()
        if QAccessible.isActive() and self.hasFocus():
            self.setAccessibleDescription(self.describe())

    def describe(self) -> str:
        """The place of the caret in words, for the line beneath and for screen readers."""
        model, at = self.model, self.model.caret
        start, end = model.selection
        parts = [f"Byte {at:,} ({at:#x})"]
        if start < end:
            parts = [f"{end - start:,} byte{'s' if end - start != 1 else ''} selected, {start:#x} to {end - 1:#x}"]
        here = look(model.source, at, at + 1)
        if here.data:
            parts.append(f"{here.data[0]:02x}, {ByteRole(int(here.roles[0])).word}")
            if here.characters:
                first, last, text = here.characters[0]
                shown = f" {text}" if text.isprintable() and not text.isspace() else ""
                place = f", byte {at - first + 1} of {last - first}" if last - first > 1 else ""
                parts.append(f"U+{ord(text):04X}{shown}{place}")
            owner = int(model.owners(at, at + 1)[0])
            if owner >= 0:
                parts.append(f"token {owner:,}")
        return "   ".join(parts)

    def byte_at(self, point: QPoint) -> tuple[Column, int, bool]:
        """(column, byte nearest to a point, does the point lie on a byte?)"""
        g = self.geometry_
        row = self.first_row + int((point.y() - self._head) // g.line)
        x = point.x() + self.horizontalScrollBar().value()
        column, place = g.hit(x)
        byte = max(row, 0) * g.row + place
        if row < 0:
            byte = 0 if self.first_row == 0 else max(self.first_row - 1, 0) * g.row + place
        left, right = (g.hex_x(0), g.hex_x(g.row)) if column == "hex" else (g.text_x(0), g.text_x(g.row))
        on = left <= x < right and point.y() >= self._head and 0 <= byte < len(self.model)
        return column, min(byte, len(self.model)), on

    # What Qt calls

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, g = palette.current(), self.geometry_
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), colours.base)
            painter.translate(-self.horizontalScrollBar().value(), 0)
            self._paint_head(painter)
            if len(self.model) or self.hasFocus():
                width = max(g.width, self.viewport().width() + self.horizontalScrollBar().value())
                painter.setClipRect(QRectF(0, self._head, width, self.viewport().height()))
                frame = HexPainter(painter, self.model, self.window_in_sight(), g, self.fonts, self._head, self.column,
                                   self.hasFocus(), self._patient)
                self._patient = False
                frame.paint()
                if frame.unfinished:
                    self._more.start()
                painter.setClipping(False)
            if not len(self.model):
                quiet_text(painter, QRectF(self.viewport().rect()).adjusted(24, 40, -24, -24), NOTHING, colours.muted)
            if self.hasFocus():
                painter.resetTransform()
                painter.setPen(colours.focus)
                painter.drawRect(QRectF(self.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_head(self, painter: QPainter) -> None:
        colours, g = palette.current(), self.geometry_
        right = max(g.width, float(self.viewport().width() + self.horizontalScrollBar().value()))
        painter.fillRect(QRectF(0, 0, right, self._head - 1), colours.window)
        painter.fillRect(QRectF(0, self._head - 1, right, 1), colours.border)
        y = g.ascent + 4
        painter.setPen(colours.muted)
        painter.setFont(self.fonts.hex)
        painter.drawText(round(g.hex_left), round(y), " ".join(f"{k:02X}" for k in range(g.row)))
        painter.setFont(self.fonts.plain)
        painter.drawText(round(g.text_left + 1), round(y), "Text"[: max(int(g.row * g.text_cell / g.advance), 1)])
        active = QRectF(g.hex_x(0), self._head - 2, g.row * g.cell, 2) if self.column == "hex" else QRectF(
            g.text_x(0), self._head - 2, g.row * g.text_cell, 2)
        painter.fillRect(active, colours.accent if self.hasFocus() else colours.border)

    def _paint_more(self) -> None:
        self._patient = True
        self.viewport().repaint()  # now, in an idle moment: asked for later, it would come with the next move

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._renew()
        self.show_caret()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.model.drop_half()
        self.viewport().update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            pressed = (_KEY(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
            if pressed in OWN_KEYS:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = (_KEY(event.key()), modifiers)
        plain = (pressed[0], modifiers & ~_SHIFT)
        if pressed in OWN_KEYS:
            self.asked.emit(OWN_KEYS[pressed])
        elif plain in MOVES:
            self.model.move(MOVES[plain], bool(modifiers & _SHIFT))
        elif pressed[0] == _KEY.Key_Insert and not modifiers:
            self.model.set_insert(not self.model.insert)
        elif pressed[0] in (_KEY.Key_Return, _KEY.Key_Enter) and not modifiers:
            self.set_column("text" if self.column == "hex" else "hex")
        elif pressed[0] in (_KEY.Key_Delete, _KEY.Key_Backspace) and not modifiers:
            self.model.remove(pressed[0] == _KEY.Key_Delete)
        elif pressed[0] == _KEY.Key_Escape and self.model.half is not None:
            self.model.drop_half()
        elif not self._typed(event):
            super().keyPressEvent(event)

    def _typed(self, event: QKeyEvent) -> bool:
        text = event.text()
        altgr = event.modifiers() & _CTRL and event.modifiers() & _ALT
        if not text or not text.isprintable() or (event.modifiers() & _CTRL and not altgr):
            return False
        if self.column == "text":
            self.model.put(to_bytes(text), "typing" if self.model.insert else "hex")
        elif len(text) == 1 and text in "0123456789abcdefABCDEF":
            self.model.digit(int(text, 16))
        else:
            return False
        return True

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if self.column == "text" and event.commitString():
            self.model.put(to_bytes(event.commitString()), "ime")
        event.accept()

    def set_column(self, column: Column) -> None:
        if column != self.column:
            self.column = column
            self.model.drop_half()
            self.viewport().update()
            self.column_changed.emit()

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        column, byte, _ = self.byte_at(event.position().toPoint())
        self.set_column(column)
        if event.modifiers() & _SHIFT:
            self._press = self.model.anchor
            self._extend_to(byte)
        else:
            self._press, self._pressed_at = byte, event.position().toPoint()
            self.model.select(byte, byte)
        self._dragging = True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._dragging and event.buttons() & Qt.MouseButton.LeftButton:
            if abs(point.x() - self._pressed_at.x()) + abs(point.y() - self._pressed_at.y()) < self.geometry_.advance:
                return  # a hand that trembles selects nothing
            self._extend_to(self.byte_at(point)[1])
            outside = not 0 <= point.y() < self.viewport().height()
            if outside and not self._drag.isActive():
                self._drag.start()
            elif not outside:
                self._drag.stop()
        else:
            _, byte, on = self.byte_at(point)
            self.model.hover_at(byte if on else -1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragging = False
        self._drag.stop()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The token; where there is none, the character."""
        _, byte, on = self.byte_at(event.position().toPoint())
        if on and event.button() == Qt.MouseButton.LeftButton:
            self.model.select(*self.model.unit_at(byte))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.model.hover_at(-1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & _CTRL:
            event.ignore()  # zooming is the window's
            return
        super().wheelEvent(event)

    def _extend_to(self, byte: int) -> None:
        """From the byte that was pressed to this one, both included."""
        if byte >= self._press:
            self.model.select(self._press, min(byte + 1, len(self.model)))
        else:
            self.model.select(min(self._press + 1, len(self.model)), byte)

    def _drag_on(self) -> None:
        self._extend_to(self.byte_at(self.viewport().mapFromGlobal(self.cursor().pos()))[1])

