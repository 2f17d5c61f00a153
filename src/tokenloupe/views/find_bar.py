"""The find bar above the text: text, a regular expression or bytes, next and previous, all matches marked, replacing.

    bar = FindBar(view); bar.open("what is selected", replaces=True)

Signals: `searched` when the query changed (the view paints the matches anew). A query that is no hexadecimal or no
expression says so beside the field; nothing pops up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import InputError
from . import palette
from .replace_row import ReplaceRow
from .status import flat_button, label
from .text_search import Query
from .text_search_regex import Expression

if TYPE_CHECKING:
    from .editor import EditorView

#: Matches counted at most; beyond it the bar says "more than".
COUNTED = 10000
TEXT, BYTES, REGEX = range(3)


class FindBar(QWidget):
    searched = Signal()
    closed = Signal()

    def __init__(self, view: EditorView) -> None:
        super().__init__(view)
        self._view = view
        self.query: Query | Expression | None = None
        self._problem = ""
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Find")
        self.field.setAccessibleName("Find")
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(70)
        self.mode = QComboBox(self)
        self.mode.addItems(["Text", "Bytes", "Regex"])
        self.mode.setAccessibleName("What to find")
        self.mode.setToolTip("Text, bytes in hexadecimal such as f0 9f, or a regular expression")
        self.case = flat_button(self, "Aa", "Match case")
        self.case.setCheckable(True)
        self.back = flat_button(self, "↑", "Previous match (Shift+F3, Shift+Enter)")
        self.forth = flat_button(self, "↓", "Next match (F3, Enter)")
        self.close_button = flat_button(self, "✕", "Close (Esc)")
        self.count = label("", about="Matches")
        self.count.setMinimumWidth(self.fontMetrics().horizontalAdvance("no match"))
        self.count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.replacing = ReplaceRow(self)
        self.replacing.hide()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(6, 4, 6, 4)
        rows.setSpacing(4)
        self._row, self._tools = QBoxLayout(QBoxLayout.Direction.LeftToRight), QHBoxLayout()
        self._row.setSpacing(4)
        self._tools.setSpacing(2)
        self._row.addWidget(self.field, 3)
        self._row.addLayout(self._tools, 1)
        rows.addLayout(self._row)
        rows.addWidget(self.replacing)
        for widget, stretch in ((self.mode, 0), (self.case, 0), (self.back, 0), (self.forth, 0), (self.count, 1),
                                (self.close_button, 0)):
            self._tools.addWidget(widget, stretch)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(200)
        self._timer.timeout.connect(self.count_now)
        self.field.textChanged.connect(self._changed)
        self.field.installEventFilter(self)
        self.mode.currentIndexChanged.connect(self._changed)
        self.case.toggled.connect(self._changed)
        self.back.clicked.connect(view.find_previous)
        self.forth.clicked.connect(view.find_next)
        self.close_button.clicked.connect(self.closed)
        self.replacing.escaped.connect(self.closed)
        self.replacing.one.connect(view.replace_next)
        self.replacing.all.connect(view.replace_all)
        self.hide()

    def fit(self, width: int) -> None:
        """The field has a row of its own where it would be too narrow beside the rest."""
        wanted = self._tools.minimumSize().width() + 20 * self.fontMetrics().averageCharWidth()
        narrow = width < wanted + 24
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def open(self, text: str = "", replaces: bool = False) -> None:
        """Show the bar, with `text` in the field where there is any, and with the row for replacing."""
        self.replacing.setVisible(replaces)
        self.show()
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._changed()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = palette.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colours.raised)
            painter.setPen(colours.border)
            painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.closed.emit()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                (self._view.find_previous if back else self._view.find_next)()
                return True
        return super().eventFilter(watched, event)

    def _changed(self) -> None:
        self._problem, mode = "", self.mode.currentIndex()
        text, case = self.field.text(), self.case.isChecked()
        try:
            self.query = Query.hex(text) if mode == BYTES else \
                Expression.make(text, case) if mode == REGEX else Query.text(text, case)
        except InputError as error:
            self.query, self._problem = None, error.todo or str(error)
        self.case.setEnabled(mode != BYTES)
        self.tell(self._problem)
        self.recount()
        self.searched.emit()

    def tell(self, sentence: str) -> None:
        """What is wrong with the query, or how many matches there are."""
        self._timer.stop()
        self.count.setText(sentence)
        self.count.setToolTip(sentence)

    def recount(self) -> None:
        """The text or the query changed: count again in a moment."""
        if self.isVisible() and self.query is not None:
            self._timer.start()

    def count_now(self) -> None:
        if self.query is None:
            self.count.setText(self._problem)
            return
        start, end = self._view.session.selection
        total = here = 0
        try:
            for a, b in self.query.all(self._view.session.data, COUNTED + 1):
                total += 1
                if (a, b) == (start, end):
                    here = total
        except InputError as error:
            self.tell(str(error))
            return
        if total > COUNTED:
            text = f"more than {COUNTED:,}"
        elif total == 0:
            text = "no match"
        else:
            text = f"{here:,} of {total:,}" if here else f"{total:,} found"
        self.tell(text)
