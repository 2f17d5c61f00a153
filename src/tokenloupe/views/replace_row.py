"""The second row of the find bar: what a match is replaced by, one at a time or all at once.

Enter in the field replaces the selected match and goes to the next; Ctrl+Enter (Cmd on macOS) replaces all.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from .status import flat_button


class ReplaceRow(QWidget):
    """one(text), all(text): the user asks for it."""

    one = Signal(str)
    all = Signal(str)
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("Replace by")
        self.field.setAccessibleName("Replace by")
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(70)
        self.field.installEventFilter(self)
        self.next_button = flat_button(self, "Replace", "Replace this match and go to the next (Enter)")
        self.all_button = flat_button(self, "All", "Replace all matches (Ctrl+Enter)")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.field, 1)
        row.addWidget(self.next_button)
        row.addWidget(self.all_button)
        self.next_button.clicked.connect(lambda: self.one.emit(self.field.text()))
        self.all_button.clicked.connect(lambda: self.all.emit(self.field.text()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.escaped.emit()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                every = event.modifiers() & Qt.KeyboardModifier.ControlModifier
                (self.all if every else self.one).emit(self.field.text())
                return True
        return super().eventFilter(watched, event)
