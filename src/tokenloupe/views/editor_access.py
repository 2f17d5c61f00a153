"""What a screen reader gets: the current line as the text of a hidden plain text edit.

A text interface of our own is not possible (overriding `interface_cast` in Python crashes), so a 1x1 child, which Qt
knows how to expose, holds the caret's row, its caret and its selection. It is fed after a pause and only while a
screen reader is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from ..core.text import decode_view

if TYPE_CHECKING:
    from .editor import EditorView


class Mirror(QPlainTextEdit):
    def __init__(self, view: EditorView) -> None:
        super().__init__(view)
        self._view = view
        self.setAccessibleName("Current line")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(0, 0, 1, 1)
        self.lower()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(100)
        self._timer.timeout.connect(self.feed)

    def later(self) -> None:
        if QAccessible.isActive() and not self._timer.isActive():
            self._timer.start()

    def feed(self) -> None:
        """Copy the caret's row, caret and selection."""
        session, sheet = self._view.session, self._view.sheet
        start, end = sheet.rows.span(sheet.rows.row_at(session.caret))
        data = sheet.store.bytes(start, end)
        view = decode_view(data[: sheet.text(data).body])
        # Two surrogates that are alone cannot be in a QString of valid text; control characters would end the block.
        text = "".join(c if c.isprintable() or c in " \u200d\u200c" else "\ufffd" for c in view.text)
        if text != self.toPlainText():
            self.setPlainText(text)
        cursor = self.textCursor()
        units = len(text.encode("utf-16-le")) // 2
        cursor.setPosition(min(int(view.utf16_of_byte(min(max(session.anchor - start, 0), end - start))), units))
        cursor.setPosition(min(int(view.utf16_of_byte(session.caret - start)), units), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
