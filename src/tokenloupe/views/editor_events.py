"""Qt's events, each handed to the part of the editor that deals with it.

A mixin of EditorView: painting, keys, mouse, input methods, drag and drop, focus. Nothing is decided here that a part
could decide, so this is the place to look up who hears of what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from . import editor_menu, palette
from .editor_keys import typed
from .editor_paint import paint

if TYPE_CHECKING:
    from .editor import EditorView as _View
else:
    _View = object


class Events(QAbstractScrollArea):
    def paintEvent(self: _View, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            paint(painter, self, QRectF(event.rect()))
            if self.hasFocus():
                colours = palette.current()
                painter.setPen(colours.focus)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def resizeEvent(self: _View, event: QResizeEvent) -> None:
        self._resized()

    def keyPressEvent(self: _View, event: QKeyEvent) -> None:
        if self._keys.press(event):
            event.accept()
        else:
            event.ignore()

    def event(self: _View, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and typed(event):
            event.accept()  # letters are for the text, whatever shortcuts a window has
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and not self.read_only \
                and event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.keyPressEvent(event)  # QWidget would go to the next control; F6, Ctrl+Tab and Shift+Tab lead out
            return True
        return super().event(event)

    def viewportEvent(self: _View, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            pin = self.sheet.pin_at(QPointF(event.pos()))
            byte_pos = self.sheet.exact_byte_at(QPointF(event.pos()))
            tip = editor_menu.pin_tip(self, pin) if pin >= 0 else \
                editor_menu.token_tip(self, byte_pos) if byte_pos >= 0 else ""
            QToolTip.showText(event.globalPos(), tip, self.viewport())
            return True
        if event.type() == QEvent.Type.Leave:
            self.mouse.leave()
        return super().viewportEvent(event)

    def changeEvent(self: _View, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationFontChange):
            self.viewport().update()

    def inputMethodEvent(self: _View, event: QInputMethodEvent) -> None:
        self.ime.event(event)
        self._restart_blink()

    def inputMethodQuery(self: _View, query: Qt.InputMethodQuery) -> Any:
        return self.ime.query(query)

    def focusInEvent(self: _View, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._restart_blink()
        self.viewport().update()
        self.mirror.focused()

    def focusOutEvent(self: _View, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._restart_blink()
        self.viewport().update()

    def wheelEvent(self: _View, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if step := event.angleDelta().y():
                self.set_zoom(self.zoom * 1.1 ** (step / 120))
            event.accept()
        else:
            super().wheelEvent(event)

    def mousePressEvent(self: _View, event: QMouseEvent) -> None:
        self.mouse.press(event)

    def mouseDoubleClickEvent(self: _View, event: QMouseEvent) -> None:
        self.mouse.double_click(event)

    def mouseMoveEvent(self: _View, event: QMouseEvent) -> None:
        self.mouse.move(event)

    def mouseReleaseEvent(self: _View, event: QMouseEvent) -> None:
        self.mouse.release(event)

    def contextMenuEvent(self: _View, event: QContextMenuEvent) -> None:
        menu = editor_menu.context_menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def dragEnterEvent(self: _View, event: QDragEnterEvent) -> None:
        self.mouse.drag_over(event)

    def dragMoveEvent(self: _View, event: QDragMoveEvent) -> None:
        self.mouse.drag_over(event)

    def dragLeaveEvent(self: _View, event: QDragLeaveEvent) -> None:
        self.mouse.set_drop(None)

    def dropEvent(self: _View, event: QDropEvent) -> None:
        self.mouse.drop(event)
