"""What a screen reader gets: the current line as the text of a hidden plain text edit, and the caret's token in words.

A text interface of our own is not possible (overriding `interface_cast` in Python crashes), so a 1x1 child, which Qt
knows how to expose, holds the caret's row, its caret and its selection. The editor is its focus proxy: to a screen
reader the child has the focus while the editor has it, so what is typed and moved over is read as in any text field.
It is fed after a pause and only while a screen reader is there; of an edit only what differs is told. When the caret
comes to another token, that one's words are announced and are the child's description:

    token 3, id 9468, bytes f0 9f 91, partial: ends inside a character

What an assistive program writes into the child (dictation, AT-SPI's EditableText) becomes an edit of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from ..core.bytelane_tokens import without_bytes
from ..core.bytelane_words import words_of
from ..core.text import TextView, decode_view, utf16_length
from ..core.tokenizer import to_bytes
from ..core.wording import count_of

if TYPE_CHECKING:
    from .editor import EditorView

#: ms
PAUSE = 100
#: So many tokens of a selection are named one by one.
MOST = 4


class Mirror(QPlainTextEdit):
    def __init__(self, view: EditorView) -> None:
        super().__init__(view.viewport())  # a scroll area's other children are none of its accessible ones
        self._view = view
        self.setAccessibleName("Current line of the text")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # it can be focused, but neither Tab nor the mouse gets there
        self.setFocusProxy(view)
        self.setUndoRedoEnabled(False)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setGeometry(-2, -2, 1, 1)
        self._feeding = False
        self._row: tuple[int, TextView] = (0, decode_view(b""))  # where the row begins, and what it is
        self._revision = -1
        self._said = ""
        self.document().contentsChange.connect(self._written)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self.feed)
        self._focus = QTimer(self)
        self._focus.setSingleShot(True)
        self._focus.setInterval(0)
        self._focus.timeout.connect(self._take_focus)

    def later(self) -> None:
        if QAccessible.isActive() and not self._timer.isActive():
            self._timer.start()

    def focused(self) -> None:
        """The editor got the focus: so has this, for a screen reader, once Qt has told of the editor's."""
        if QAccessible.isActive():
            self._focus.start()

    def _take_focus(self) -> None:
        if self._view.hasFocus():
            self.feed()
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Focus))

    def feed(self) -> None:
        """Copy the caret's row, caret and selection; tell of the caret's token when it is another one."""
        session, sheet = self._view.session, self._view.sheet
        start, end = sheet.rows.span(sheet.rows.row_at(session.caret))
        data = sheet.store.bytes(start, end)
        view = decode_view(data[: sheet.text(data).body])
        # Two surrogates that are alone cannot be in a QString of valid text; control characters would end the block.
        text = "".join(c if c.isprintable() or c in " \u200d\u200c" else "\ufffd" for c in view.text)
        self._feeding = True
        try:
            self.setReadOnly(self._view.read_only)
            self._show(text, same=self._row[0] == start)
            self._row = start, view
            cursor = self.textCursor()
            units = utf16_length(text)
            anchor, caret = (min(int(view.utf16_of_byte(min(max(p - start, 0), end - start))), units)
                             for p in (session.anchor, session.caret))
            if (cursor.anchor(), cursor.position()) != (anchor, caret):
                cursor.setPosition(anchor)
                cursor.setPosition(caret, QTextCursor.MoveMode.KeepAnchor)
                self.setTextCursor(cursor)
        finally:
            self._feeding = False
        self._tell()

    def words(self) -> str:
        """The token at the caret, as it is read out: after an edit the one that was typed, else the one that follows.

        Of a selection, how many tokens share it, and the first of them.
        """
        session = self._view.session
        if not session.ready or not session.document.token_count:
            return ""
        document, (low, high) = session.document, session.selection
        if low < high:
            window = document.window(low, high)
            head = f"{count_of(len(window), 'token')} selected"
            return "; ".join((head, *(words_of(document, window, k) for k in range(min(len(window), MOST)))))
        edited = self._revision not in (-1, session.revision)
        index = document.token_at(session.caret - 1 if edited and session.caret else session.caret)
        here = [document.tokens(index, index + 1)] if index >= 0 else []
        said = [words_of(document, window, 0) for window in here if len(window)]
        said += [words for i in without_bytes(document, session.caret)[:MOST]
                 if (words := words_of(document, document.tokens(i, i + 1), 0)) not in said]
        return "; ".join(said)

    def _tell(self) -> None:
        said = self.words()
        self._revision = self._view.session.revision
        if said != self._said:
            self._said = said
            self.setAccessibleDescription(said)
            if said and self._view.hasFocus() and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    def _show(self, text: str, same: bool) -> None:
        """Make the child's text this one; of the same row only what differs, so that only that is read out."""
        old = self.toPlainText()
        if text == old:
            return
        if not same:
            self.setPlainText(text)
            return
        head = next((i for i, (a, b) in enumerate(zip(old, text, strict=False)) if a != b), min(len(old), len(text)))
        room = min(len(old), len(text)) - head
        tail = next((i for i in range(room) if old[-1 - i] != text[-1 - i]), room)
        first, last = (utf16_length(part) for part in (old[:head], old[: len(old) - tail]))
        cursor = self.textCursor()
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[head : len(text) - tail])

    def _written(self, at: int, removed: int, added: int) -> None:
        """Somebody else than `feed` has changed the child's text: the same edit of the text itself."""
        if self._feeding or self._view.read_only:
            return
        session, (start, view) = self._view.session, self._row
        if self._revision == session.revision:  # else it was written into another text: that one comes back
            units = self.toPlainText().encode("utf-16-le", "surrogatepass")
            new = units[2 * at : min(2 * (at + added), len(units))].decode("utf-16-le", "surrogatepass")
            low, high = (view.byte_of_utf16(min(p, int(view.utf16_starts[-1]))) for p in (at, at + removed))
            self._view.replace(start + low, start + high, to_bytes(new), "typing")
        self._timer.start()
