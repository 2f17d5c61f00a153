"""Input methods: composing shown in place, commits with replacement, and what they ask about the text around the caret.

Positions an input method speaks of are UTF-16 units in the row that holds the caret (the "surrounding text"), which is
a view of its bytes; they are mapped back to bytes, so committed text never disturbs bytes that are no UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QTextCharFormat, QTextFormat

from ..core.text import TextView, decode_view
from ..core.tokenizer import to_bytes
from .row_layout import Preedit

if TYPE_CHECKING:
    from .editor import EditorView

_Q = Qt.InputMethodQuery
_ATTRIBUTE = QInputMethodEvent.AttributeType


class InputMethod:
    def __init__(self, view: EditorView) -> None:
        self._view = view
        self.composing = ""
        self.cursor_shown = True

    def _around(self) -> tuple[int, TextView]:
        """(byte_start, view) of the row of the caret, without its terminator."""
        sheet = self._view.sheet
        start, end = sheet.rows.span(sheet.rows.row_at(self._view.session.caret))
        data = sheet.store.bytes(start, end)
        return start, decode_view(data[: sheet.text(data).body])

    def event(self, event: QInputMethodEvent) -> None:
        view = self._view
        if view.read_only:
            event.ignore()
            return
        commit, preedit = event.commitString(), event.preeditString()
        if commit or event.replacementLength():
            kind = "ime" if self.composing else "typing"  # a dead key gives its letter at once, and is typing
            self._show("", ())
            self._commit(commit, event.replacementStart(), event.replacementLength(), kind)
        elif preedit and view.session.selection[0] != view.session.selection[1]:
            view.insert(b"", "ime")
        formats = []
        self.cursor_shown = True
        for attribute in event.attributes():
            if attribute.type == _ATTRIBUTE.TextFormat and attribute.length > 0:
                shape = attribute.value
                if isinstance(shape, QTextFormat):
                    formats.append((attribute.start, attribute.length, QTextCharFormat(shape.toCharFormat())))
            elif attribute.type == _ATTRIBUTE.Cursor:
                self.cursor_shown = attribute.length != 0
            elif attribute.type == _ATTRIBUTE.Selection and not commit:
                start, text = self._around()
                a, b = (start + int(text.byte_of_utf16(u)) for u in
                        (attribute.start, attribute.start + attribute.length))
                view.session.select(a, b)
        self._show(preedit, tuple(formats))
        event.accept()

    def _commit(self, text: str, start: int, length: int, kind: str) -> None:
        view = self._view
        if not length:
            view.insert(to_bytes(text), kind)
            return
        row_start, around = self._around()
        caret = int(around.utf16_of_byte(view.session.selection[0] - row_start))
        low = row_start + int(around.byte_of_utf16(caret + start))
        high = row_start + around.byte_after_utf16(caret + start + length)
        view.replace(low, max(high, low), to_bytes(text), "ime")

    def _show(self, text: str, formats: tuple[tuple[int, int, QTextCharFormat], ...]) -> None:
        if not text and not self.composing:
            return
        self.composing = text
        sheet, caret = self._view.sheet, self._view.session.caret
        row = sheet.rows.row_at(caret)
        preedit = Preedit(caret - sheet.rows.span(row)[0], text, formats) if text else None
        sheet.set_preedit(preedit, row if text else -1)
        self._view.viewport().update()
        self._view.updateMicroFocus()

    def finish(self) -> None:
        """A click: the input method commits what it has composed, where it was composed."""
        if self.composing:
            QGuiApplication.inputMethod().commit()
            self.drop()

    def drop(self) -> None:
        """The text changed otherwise, or the caret moved: what was composed is gone, and the input method is told."""
        if self.composing:
            self._show("", ())
            QGuiApplication.inputMethod().reset()

    def query(self, query: Qt.InputMethodQuery) -> Any:
        view = self._view
        if query == _Q.ImEnabled:
            return not view.read_only
        if query == _Q.ImReadOnly:
            return view.read_only
        if query == _Q.ImHints:
            return int(Qt.InputMethodHint.ImhMultiLine.value | Qt.InputMethodHint.ImhNoPredictiveText.value)
        if query == _Q.ImFont:
            return view.sheet.metrics.font
        if query in (_Q.ImCursorRectangle, _Q.ImAnchorRectangle):
            rect = view.caret_rect()
            if rect is None:
                return QRect()
            return rect.toRect().translated(view.viewport().pos())
        start, around = self._around()
        caret = int(around.utf16_of_byte(view.session.caret - start))
        if query == _Q.ImSurroundingText:
            return around.text
        if query == _Q.ImCursorPosition:
            return caret
        if query == _Q.ImAnchorPosition:
            return int(around.utf16_of_byte(max(view.session.anchor - start, 0)))
        if query == _Q.ImAbsolutePosition:
            return view.session.caret
        if query == _Q.ImCurrentSelection:
            a, b = view.session.selection
            return view.bytes(a, min(b, a + 10000)).decode("utf-8", "replace")
        index = int(around.cp_of_byte(view.session.caret - start))
        if query == _Q.ImTextBeforeCursor:
            return around.text[:index]
        if query == _Q.ImTextAfterCursor:
            return around.text[index:]
        return None
