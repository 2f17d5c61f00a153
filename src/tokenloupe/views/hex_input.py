"""What the hex view takes: keys, the mouse and input methods, made into moves and edits of its model.

A base of HexSheet, which knows where things are (`byte_at`, `geometry_`) and paints them. Keys: arrows, Home, End, Page
Up and Down, Ctrl+Home and End; Ctrl+Left and Right by token (in a file by character), Alt+Left and Right by character;
Shift extends. Insert: write over or push on. Digits write bytes in the hex column, anything else in the text column.
What the window binds to Ctrl+F, F3 and Ctrl+G means this view while it has the focus.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from ..core.tokenizer import to_bytes
from ..models.hex_model import HexModel, Where
from .hex_geometry import Column, Geometry

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


class HexInput(QAbstractScrollArea):
    """column_changed: typing goes to the other column. asked(what): "find", "go_to", "find_next", "find_previous"."""

    column_changed = Signal()
    asked = Signal(str)
    geometry_: Geometry

    def __init__(self, model: HexModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.column: Column = "hex"
        self._dragging = False
        self._press, self._pressed_at = 0, QPoint()
        self._drag = QTimer(self)
        self._drag.setInterval(40)
        self._drag.timeout.connect(self._drag_on)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def byte_at(self, point: QPoint) -> tuple[Column, int, bool]:
        """(column, byte nearest to a point, does the point lie on a byte?)"""
        raise NotImplementedError

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
            self.other_column()
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

    def other_column(self) -> None:
        self.set_column("text" if self.column == "hex" else "hex")

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
