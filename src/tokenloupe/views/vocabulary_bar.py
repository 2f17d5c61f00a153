"""The search box over a vocabulary: what is typed, how it is meant (text, spelling, bytes, ids, pattern), and filters.

    bar = SearchBar()
    bar.changed.connect(search.set_filter)       # a Filter, or None when nothing is asked for
    bar.wrong.connect(show)                      # one sentence; "" when it can be read again

Down leaves the box for the table, Esc empties it, and once more takes away the filters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from .flow import FlowLayout
from .panel_parts import type_into

if TYPE_CHECKING:
    from ..core.query import Filter, VocabularyIndex

#: (mode, name, what to type)
MODES = (
    ("text", "Text", "Search the text of tokens"),
    ("raw", "Spelling", "As in the file: Ġthe, ▁the, <0x0A>"),
    ("hex", "Bytes", "Bytes in hex: e6 88 91"),
    ("id", "Id", "Ids and ranges: 7, 10-20, 100-"),
    ("regex", "Pattern", "A regular expression: ^[A-Z]{3}$"),
)
RANKS = ("rank", "Rank", "Ranks and ranges: 7, 10-20, 100-")


class SearchBar(QWidget):
    """left(): to the table. field, mode, case, script, kind, utf8, length: the parts."""

    changed = Signal(object)
    wrong = Signal(str)
    left = Signal()

    def __init__(self, what: str, modes: Sequence[tuple[str, str, str]] = MODES, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.modes = modes
        self.field, self.mode, self.case = QLineEdit(), QComboBox(), QToolButton()
        self.script, self.kind, self.utf8, self.length = QComboBox(), QComboBox(), QComboBox(), QLineEdit()
        self._filling = False
        self.field.setAccessibleName(what)
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(100)
        for _, title, _ in modes:
            self.mode.addItem(title)
        self.mode.setAccessibleName("How the search is meant")
        self.case.setText("Aa")
        self.case.setCheckable(True)
        self.case.setObjectName("plain")
        self.case.setToolTip("Match case")
        self.case.setAccessibleName("Match case")
        for box, name, first in ((self.script, "Script", "Any script"), (self.kind, "Kind", "Any kind"),
                                 (self.utf8, "How it sits in UTF-8", "Any UTF-8")):
            box.setAccessibleName(name)
            box.addItem(first, None)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(9)
            box.currentIndexChanged.connect(self._tell)
        self.length.setAccessibleName("Length in bytes")
        self.length.setPlaceholderText("Length: 2-4")
        self.length.setToolTip("Bytes: 3, 2-4, 10-")
        self.length.setFixedWidth(self.fontMetrics().horizontalAdvance("Length: 20-40") + 26)
        self.filters = FlowLayout()
        for widget in (self.script, self.kind, self.utf8, self.length):
            self.filters.addWidget(widget)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.mode)
        line.addWidget(self.field, 1)
        line.addWidget(self.case)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(line)
        layout.addLayout(self.filters)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusProxy(self.field)
        self.field.installEventFilter(self)
        self.length.installEventFilter(self)
        self.field.textChanged.connect(self._tell)
        self.length.textChanged.connect(self._tell)
        self.case.toggled.connect(self._tell)
        self.mode.currentIndexChanged.connect(self._mode_chosen)
        self._mode_chosen()

    # What is asked for

    @property
    def mode_id(self) -> str:
        return self.modes[self.mode.currentIndex()][0]

    def filter(self) -> Filter | None:
        """What is asked for, None for nothing. InputError when the length cannot be read."""
        from ..core.query import Filter
        from ..core.query_forms import length_range

        wanted = Filter(self.field.text(), self.mode_id, not self.case.isChecked(),  # type: ignore[arg-type]
                        self.script.currentData(), self.kind.currentData(), self.utf8.currentData(),
                        length_range(self.length.text()))
        return None if wanted.empty else wanted

    def set_text(self, text: str, mode: str = "text") -> None:
        """Ask for something, as if it were typed."""
        self._filling = True
        self.mode.setCurrentIndex(next(i for i, m in enumerate(self.modes) if m[0] == mode))
        self.field.setText(text)
        self._filling = False
        self._tell()

    def clear(self) -> None:
        """Nothing is asked for."""
        self._filling = True
        self.field.clear()
        self.length.clear()
        for box in (self.script, self.kind, self.utf8):
            box.setCurrentIndex(0)
        self._filling = False
        self._tell()

    def type_into(self, text: str) -> None:
        """A key that was pressed in the table."""
        type_into(self.field, text)

    def set_index(self, index: VocabularyIndex | None, scripts: bool) -> None:
        """What this vocabulary has. scripts: they are counted (that needs the whole of it)."""
        import numpy as np

        from ..core.scripts import Utf8Class
        from ..core.vocabulary import TokenKind

        before = [box.currentData() for box in (self.script, self.kind, self.utf8)]
        self._filling = True
        for box in (self.script, self.kind, self.utf8):
            while box.count() > 1:
                box.removeItem(1)
        if index is not None:
            for kind, n in enumerate(np.bincount(index.vocabulary.kinds, minlength=6).tolist()):
                if n and kind < len(TokenKind):
                    self.kind.addItem(f"{TokenKind(kind).word}  {n:,}", TokenKind(kind))
            counts = np.bincount(index.classes, minlength=7).tolist() if scripts else [1] * 7
            for utf8, n in zip(Utf8Class, counts, strict=True):
                if n:
                    self.utf8.addItem(f"{utf8.word}  {n:,}" if scripts else utf8.word, utf8)
            if scripts:
                for name, n in index.scripts.items():
                    self.script.addItem(f"{name}  {n:,}", name)
        for box, data in zip((self.script, self.kind, self.utf8), before, strict=True):
            box.setCurrentIndex(max(box.findData(data), 0) if data is not None else 0)
            box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 24)
        self._filling = False

    # Kept

    def kept(self) -> dict[str, Any]:
        return {"mode": self.mode_id, "case": self.case.isChecked()}

    def restore(self, state: dict[str, Any]) -> None:
        at = next((i for i, m in enumerate(self.modes) if m[0] == state.get("mode")), 0)
        self.mode.setCurrentIndex(at)
        self.case.setChecked(state.get("case") is True)

    # Inside

    def _mode_chosen(self) -> None:
        mode, _, hint = self.modes[self.mode.currentIndex()]
        self.field.setPlaceholderText(hint)
        self.case.setEnabled(mode in ("text", "raw", "regex"))
        self._tell()

    def _tell(self) -> None:
        from ..core.errors import InputError

        if self._filling:
            return
        try:
            wanted = self.filter()
        except InputError as error:
            self.wrong.emit(str(error))
            return
        self.changed.emit(wanted)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.left.emit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                if watched is self.field and self.field.text():
                    self.field.clear()
                else:
                    self.clear()
                return True
        return super().eventFilter(watched, event)
