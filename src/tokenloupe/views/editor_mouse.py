"""The mouse: caret, selection by characters, words and lines, dragging, dropping, and what lies under the pointer.

One object that EditorView hands its mouse, drag and drop events to. Dragging beyond the viewport scrolls. Hovering
tells the session which token is under the pointer and never moves the selection.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDrag, QDragMoveEvent, QDropEvent, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication

from .editor_clipboard import bytes_of, files_of, has_text, mime_of
from .editor_moves import Place

if TYPE_CHECKING:
    from .editor import EditorView

_LEFT, _MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton


class Mouse(QObject):
    def __init__(self, view: EditorView) -> None:
        super().__init__(view)
        self._view = view
        self._unit = ""  # "char", "word", "line" while selecting
        self._origin = (0, 0)  # the unit the selection began with
        self._drag_from: QPointF | None = None  # pressed on the selection: a drag may begin
        self._last_double = 0.0
        self._double_at = QPointF()
        self._point = QPointF()
        self.drop_at: int | None = None
        self._dragging = False
        self._moved_here = False
        self._scroll = QTimer(self)
        self._scroll.setInterval(40)
        self._scroll.timeout.connect(self._autoscroll)

    # Selecting

    def press(self, event: QMouseEvent) -> None:
        view, point = self._view, event.position()
        view.ime.finish()
        if event.button() == _MIDDLE:
            self._paste_selection(point)
            return
        if event.button() != _LEFT:
            return
        byte_pos, upstream = view.sheet.byte_at(point)
        near = (point - self._double_at).manhattanLength() < QApplication.startDragDistance()
        interval = QApplication.doubleClickInterval() / 1000
        if near and time.monotonic() - self._last_double < interval:
            self._start("line", byte_pos)
            return
        low, high = view.session.selection
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._unit, self._origin = "char", (view.session.anchor, view.session.anchor)
            view.move_to(Place(byte_pos, upstream), True)
        elif low < high and low <= view.sheet.exact_byte_at(point) < high:
            self._drag_from = point
        else:
            self._unit, self._origin = "char", (byte_pos, byte_pos)
            view.move_to(Place(byte_pos, upstream), False)

    def double_click(self, event: QMouseEvent) -> None:
        if event.button() != _LEFT:
            return
        self._last_double, self._double_at = time.monotonic(), event.position()
        exact = self._view.sheet.exact_byte_at(event.position())
        byte_pos = exact if exact >= 0 else self._view.sheet.byte_at(event.position())[0]
        self._drag_from = None
        self._start("word", byte_pos)

    def _start(self, unit: str, byte_pos: int) -> None:
        self._unit = unit
        self._origin = self._unit_at(byte_pos)
        self._view.select(*self._origin)

    def _unit_at(self, byte_pos: int) -> tuple[int, int]:
        moves = self._view.moves
        if self._unit == "word":
            return moves.word_at(byte_pos)
        return moves.block(byte_pos) if self._unit == "line" else (byte_pos, byte_pos)

    def move(self, event: QMouseEvent) -> None:
        view, point = self._view, event.position()
        self._point = point
        if not event.buttons() & _LEFT:
            self.hover(point)
            return
        if self._drag_from is not None:
            if (point - self._drag_from).manhattanLength() >= QApplication.startDragDistance():
                self._drag_from = None
                self._drag()
        elif self._unit:
            self._extend(point)
            outside = point.y() < 0 or point.y() > view.sheet.height or \
                (not view.sheet.wrap and not 0 <= point.x() <= view.sheet.width)
            if outside and not self._scroll.isActive():
                self._scroll.start()
            elif not outside:
                self._scroll.stop()

    def _extend(self, point: QPointF) -> None:
        view = self._view
        byte_pos, upstream = view.sheet.byte_at(point)
        a, b = self._origin
        if self._unit == "char":
            view.move_to(Place(byte_pos, upstream), True, reveal=False)
            return
        low, high = self._unit_at(byte_pos)
        if byte_pos < a:
            view.select(b, low, reveal=False)
        else:
            view.select(a, max(high, b), reveal=False)

    def _autoscroll(self) -> None:
        sheet, y = self._view.sheet, self._point.y()
        step = y if y < 0 else max(0.0, y - sheet.height)
        if step:
            sheet.scroll_by(max(-300.0, min(300.0, step)))
        if not sheet.wrap:
            beyond = min(self._point.x(), 0.0) + max(self._point.x() - sheet.width, 0.0)
            sheet.x = max(0.0, min(sheet.x + beyond, max(sheet.widest - sheet.text_width + 40, 0.0)))
        self._view.scrolled()
        self._extend(QPointF(self._point.x(), min(max(y, 0.0), sheet.height - 1)))

    def release(self, event: QMouseEvent) -> None:
        if event.button() != _LEFT:
            return
        self._scroll.stop()
        view = self._view
        if self._drag_from is not None:  # a click on the selection after all
            self._drag_from = None
            view.move_to(Place(*view.sheet.byte_at(event.position())), False)
        self._unit = ""
        low, high = view.session.selection
        clipboard = QGuiApplication.clipboard()
        if low < high and clipboard.supportsSelection():
            clipboard.setMimeData(mime_of(view.bytes(low, high)), clipboard.Mode.Selection)

    def _paste_selection(self, point: QPointF) -> None:
        view, clipboard = self._view, QGuiApplication.clipboard()
        if view.read_only or not clipboard.supportsSelection():
            return
        data = bytes_of(clipboard.mimeData(clipboard.Mode.Selection))
        if data:
            byte_pos = view.sheet.byte_at(point)[0]
            view.replace(byte_pos, byte_pos, data, "paste")

    # Hover

    def hover(self, point: QPointF) -> None:
        view = self._view
        pin = view.sheet.pin_at(point)
        if pin >= 0:
            view.session.hover_at(pin, pin)
            return
        byte_pos = view.sheet.exact_byte_at(point)
        found = view.token_at(byte_pos) if byte_pos >= 0 else None
        view.session.hover_at(*(found[:2] if found is not None else (-1, -1)))

    def leave(self) -> None:
        self._view.session.hover_at(-1, -1)

    # Drag and drop

    def _drag(self) -> None:
        view = self._view
        low, high = view.session.selection
        drag = QDrag(view)
        drag.setMimeData(mime_of(view.bytes(low, high)))
        copy, move = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction
        self._dragging, self._moved_here = True, False
        done = drag.exec(copy if view.read_only else copy | move, copy)
        self._dragging = False
        if done == move and not self._moved_here and not view.read_only:
            view.replace(low, high, b"", "cut")

    def drag_over(self, event: QDragMoveEvent) -> None:
        """Also for entering: QDragEnterEvent is a QDragMoveEvent."""
        mime = event.mimeData()
        if files_of(mime) or (has_text(mime) and not self._view.read_only):
            self.set_drop(None if files_of(mime) else self._view.sheet.byte_at(event.position())[0])
            event.acceptProposedAction()
        else:
            event.ignore()

    def set_drop(self, byte_pos: int | None) -> None:
        if byte_pos != self.drop_at:
            self.drop_at = byte_pos
            self._view.viewport().update()

    def drop(self, event: QDropEvent) -> None:
        view, mime = self._view, event.mimeData()
        self.set_drop(None)
        if files := files_of(mime):
            event.acceptProposedAction()
            view.open_files(files)
            return
        if view.read_only or not has_text(mime):
            event.ignore()
            return
        data, target = bytes_of(mime), view.sheet.byte_at(event.position())[0]
        low, high = view.session.selection
        within = self._dragging or event.source() is view
        if within and event.dropAction() == Qt.DropAction.MoveAction:
            self._moved_here = True
            if not low <= target <= high:
                with view.session.group():
                    view.session.edit(low, high - low, b"", "cut")
                    target -= (high - low) if target > high else 0
                    view.session.edit(target, 0, data, "drop")
                view.select(target, target + len(data))
        else:
            view.session.edit(target, 0, data, "drop")
            view.select(target, target + len(data))
        event.acceptProposedAction()
        view.setFocus(Qt.FocusReason.MouseFocusReason)

    def global_point(self) -> QPoint:
        return self._view.viewport().mapToGlobal(self._point.toPoint())
