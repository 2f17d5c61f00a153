"""The hex view's bar: go to an offset, find bytes or text. One line above the bytes, opened by Ctrl+F and Ctrl+G.

    bar.open("find", "f0 9f")       # Enter or F3: next; Shift+F3: previous; Escape: closed

What is wrong with what was typed stands beside the field; nothing pops up. Finding in a file reads a piece at a time
and can be cancelled in the status line like any other job.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from ..core.errors import InputError
from ..core.hexsource import find, go_to
from ..models.hex_model import HexModel
from ..models.jobs import Latest
from .status import label, plain_button, restyle
from .text_search import Query

Kind = Literal["find", "go_to"]
_PLACEHOLDERS = {"find": "Find", "go_to": "Offset: 496, 0x1f0, +16, 50%"}


class HexBar(QWidget):
    closed = Signal()

    def __init__(self, model: HexModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._kind: Kind = "find"
        self._typed: dict[str, str] = {"find": "", "go_to": ""}
        self._job = Latest(model.session.jobs)
        self.field, self.what = QLineEdit(), QComboBox()
        self.what.addItems(["Bytes", "Text", "Text, any case"])
        self.what.setAccessibleName("What to find")
        self.what.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.what.setMinimumContentsLength(5)
        self.answer = label(about="Result")
        self.answer.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.back, self.forth = plain_button(self, "↑", "Previous (Shift+F3)"), \
            plain_button(self, "↓", "Next (F3, Enter)")
        close = plain_button(self, "✕", "Close (Esc)")
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 4, 6, 4)
        row.setSpacing(4)
        for widget, stretch in ((self.field, 3), (self.what, 0), (self.back, 0), (self.forth, 0), (self.answer, 2),
                                (close, 0)):
            row.addWidget(widget, stretch)
        self.field.setMinimumWidth(80)
        self.field.returnPressed.connect(self.go)
        self.field.textEdited.connect(lambda: self._say(""))
        self.back.clicked.connect(lambda: self.search(False))
        self.forth.clicked.connect(lambda: self.search(True))
        close.clicked.connect(self.closed)
        self.hide()

    def open(self, kind: Kind, typed: str = "") -> None:
        """Show it for one of its two uses; each remembers what was typed."""
        self._typed[self._kind] = self.field.text()
        self._kind = kind
        self.field.setText(typed or self._typed[kind])
        self.field.setPlaceholderText(_PLACEHOLDERS[kind])
        self.field.setAccessibleName("Find" if kind == "find" else "Go to offset")
        for widget in (self.what, self.back, self.forth):
            widget.setVisible(kind == "find")
        self._say("")
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def go(self) -> None:
        """What Enter does."""
        if self._kind == "find":
            self.search(True)
            return
        try:
            place = go_to(self.field.text(), self._model.caret, len(self._model))
        except InputError as error:
            self._say(str(error), bad=True)
        else:
            self._model.select(place, place)
            self.closed.emit()

    def search(self, forward: bool) -> None:
        """From the selection on, around the end."""
        typed = self.field.text() if self._kind == "find" else self._typed["find"]
        try:
            query = self._query(typed)
        except InputError as error:
            self._say(str(error), bad=True)
            return
        if query is None:
            return
        model, source = self._model, self._model.source
        revision = model.session.revision
        start, end = model.selection
        at = end if forward else start
        self._say("")

        def steps() -> Iterator[object]:
            yield from find(source, query.pattern, query.backward, query.longest, at, forward)

        def done(found: object) -> None:
            if source is not model.source or (model.is_text and revision != model.session.revision):
                return  # these are other bytes now
            if isinstance(found, tuple):
                model.select(*found)
                around = found[0] < at if forward else found[1] > at
                self._say(f"at {found[0]:#x}" + (", around the end" if around else ""))
            else:
                self._say("not found", bad=True)

        self._job.start("Finding", steps(), done=done)

    def _query(self, typed: str) -> Query | None:
        if self.what.currentIndex() == 0:
            return Query.hex(typed)
        return Query.text(typed, case=self.what.currentIndex() == 1)

    def _say(self, text: str, bad: bool = False) -> None:
        restyle(self.answer, "bad" if bad else "quiet")
        self.answer.setText(text)
        self.answer.setToolTip(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
