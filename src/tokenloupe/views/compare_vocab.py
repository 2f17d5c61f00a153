"""Two vocabularies side by side: what both have, what one has alone, what has other ids; by script, and entry by entry.

The left one is the session's tokenizer, the right one is picked here: bundled, or a file. A part of the bar or a script
is chosen to list its entries; Enter on an entry of the left one shows it in the browser.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..models.compare_vocab import LISTS, CompareDesk, CompareRows, markdown
from ..models.session import Session
from .compare_vocab_charts import PARTS, Overlap, ScriptBars
from .flow import FlowLayout
from .paged_table import PagedTable
from .panel_parts import Heading, grow, type_into
from .status import label
from .tokenizer_picker import menu_text
from .vocabulary_go import show_entries, show_entry

WIDE = 700
SOON = 60
HINT = "Point at a part or a script; a click or Enter lists its entries."


class CompareVocabularies(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, CompareDesk.of(session)
        self.title, self.readout, self.found = Heading(), label(), label("caption")
        self.picker, self.copy = _chooser("Second vocabulary"), _chooser("Copy")
        self.swap = QPushButton("Swap")
        self.overlap, self.scripts = Overlap("Shared and not shared"), ScriptBars("By script")
        self.filter = QLineEdit()
        self.rows = CompareRows(self)
        self.table = PagedTable(self.rows, "Entries", session)
        self.buttons = {which: _toggle() for which in LISTS}
        self._which = "moved"
        self._order: tuple[str, bool] | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._build()
        self._connect()
        self._show()

    def _build(self) -> None:
        self.swap.setToolTip("The right one becomes the tokenizer of the text")
        self.copy.setText("Copy")
        menu = QMenu(self.copy)
        menu.addAction("Figures as Markdown").triggered.connect(self._copy_markdown)
        menu.addAction("Listed Entries as CSV").triggered.connect(self._copy_csv)
        self.copy.setMenu(menu)
        self.menu = QMenu(self.picker)
        self.picker.setMenu(self.menu)
        self.filter.setPlaceholderText("Filter by text or id")
        self.filter.setAccessibleName("Filter entries")
        self.filter.setClearButtonEnabled(True)
        self.found.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        top = FlowLayout()
        top.setContentsMargins(14, 8, 14, 6)
        for widget in (self.picker, self.swap, self.copy):
            top.addWidget(widget)
        head = QVBoxLayout()
        head.setContentsMargins(14, 2, 14, 8)
        head.setSpacing(6)
        head.addWidget(self.title)
        head.addWidget(self.overlap)
        area = QScrollArea()
        area.setAccessibleName("Entries by script")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 4, 8, 8)
        column.addWidget(self.scripts)
        column.addStretch(1)
        area.setWidget(inner)
        area.setMinimumHeight(44)
        self.table.setMinimumHeight(60)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        lists = FlowLayout(spacing=2)
        lists.setContentsMargins(8, 4, 8, 0)
        self._group = QButtonGroup(self)
        for button in self.buttons.values():
            lists.addWidget(button)
            self._group.addButton(button)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 6)
        bar.setSpacing(10)
        bar.addWidget(self.filter, 1)
        bar.addWidget(self.found, 1)
        column.addLayout(lists)
        column.addLayout(bar)
        column.addWidget(self.table, 1)
        self.split = QSplitter()
        self.split.addWidget(area)
        self.split.addWidget(right)
        self.split.setStretchFactor(0, 2)
        self.split.setStretchFactor(1, 3)
        self.split.setChildrenCollapsible(False)
        foot = QFrame()
        foot.setObjectName("foot")
        under = QVBoxLayout(foot)
        under.setContentsMargins(14, 4, 14, 6)
        self.readout.setWordWrap(True)
        self.readout.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        under.addWidget(self.readout)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addLayout(head)
        layout.addWidget(self.split, 1)
        layout.addWidget(foot)
        self.setMinimumHeight(320)
        self.setFocusProxy(self.picker)

    def _connect(self) -> None:
        self.menu.aboutToShow.connect(self._fill_menu)
        self.swap.clicked.connect(self.desk.swap)
        self.desk.changed.connect(self._show)
        self.desk.opening.connect(lambda name: self.picker.setText(f"Opening {menu_text(name)}…"))
        for which, button in self.buttons.items():
            button.clicked.connect(lambda _=False, w=which: self.list(w))
        self.overlap.chosen.connect(lambda part: self.list(PARTS[part]))
        self.scripts.chosen.connect(self._script_chosen)
        for chart in (self.overlap, self.scripts):
            chart.told.connect(lambda words: self.readout.setText(words or HINT))
        self.filter.textChanged.connect(lambda _: self._soon.start())
        self.filter.returnPressed.connect(self.table.setFocus)
        self._soon.timeout.connect(self._list)
        self.table.opened.connect(lambda row, _: self._to_browser(row))
        self.table.ordered.connect(self._ordered)
        self.table.typed.connect(lambda text: type_into(self.filter, text))
        self.table.left_up.connect(self.filter.setFocus)
        self.table.add_command("Show in Browser", lambda: self._to_browser(self.table.currentIndex().row()))
        self.table.add_command("List These in Browser", self._all_to_browser)
        self.table.add_command("Copy Rows", self.table.copy)

    # What there is

    def set_zoom(self, zoom: float) -> None:
        self.table.set_zoom(zoom)
        grow(zoom, self.overlap, self.scripts, self.readout, self.found)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.desk.begin()

    def _show(self) -> None:
        both, (left, right) = self.desk.both, self.desk.names
        self.picker.setText(menu_text(right) if self.desk.right is not None else "Choose a vocabulary")
        self.picker.setAccessibleDescription(right)
        self.swap.setEnabled(both is not None)
        self.copy.setEnabled(both is not None)
        self.readout.setText(HINT)
        if both is None:
            self.title.setText(f"{left} and {right}: comparing…" if right else left)
            self.overlap.set_counts(None, ("", ""))
            self.scripts.set_scripts([], ("", ""))
            self.rows.show(None)
            return
        c = both.counts
        self.title.setText(f"{left} ({len(both.left):,}) and {right} ({len(both.right):,})")
        self.overlap.set_counts(c, (left, right))
        self.scripts.set_scripts(both.by_script, (left, right))
        if self.scripts.chosen_script not in [s[0] for s in both.by_script]:
            self.scripts.chosen_script = ""
        for which, words, n in (("shared", "In both", c.shared), ("only_left", f"Only {_short(left)}", c.only_left),
                                ("only_right", f"Only {_short(right)}", c.only_right), ("moved", "Other id", c.moved)):
            self.buttons[which].setText(menu_text(f"{words}  {n:,}"))
        self.list(self._which if getattr(c, self._which) else "shared")

    def list(self, which: str) -> None:
        """One of LISTS in the table."""
        self._which = which
        self.buttons[which].setChecked(True)
        self._list()

    def _list(self) -> None:
        self._soon.stop()
        script = self.scripts.chosen_script
        self.rows.show(self.desk.both, self._which, self.filter.text(), script, self._order)
        n = self.rows.rowCount()
        where = f" of {script}" if script else ""
        self.found.setText(f"{n:,} entr{'y' if n == 1 else 'ies'}{where}")
        self.table.place(-1)
        self.table.scrollToTop()
        self.table.nothing = "No entry fits." if self.filter.text() or script else "There is no such entry."

    def _script_chosen(self, part: int) -> None:
        """A second time: all scripts again."""
        name = self.scripts.scripts[part][0]
        self.scripts.chosen_script = "" if self.scripts.chosen_script == name else name
        self.scripts.update()
        self._list()

    def _ordered(self, order: tuple[str, bool] | None) -> None:
        self._order = order
        self.table.set_order(order)
        self._list()

    # What can be done

    def _fill_menu(self) -> None:
        from ..formats.bundled import BUNDLED

        self.menu.clear()
        for name, about in BUNDLED.items():
            action = self.menu.addAction(f"{name}\t{menu_text(about.description)}")
            action.triggered.connect(lambda _=False, n=name: self.desk.open(n))
        self.menu.addSeparator()
        self.menu.addAction("Open Tokenizer File…").triggered.connect(self._open_file)

    def _open_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Second vocabulary")
        if name:
            self.desk.open(Path(name))

    def _to_browser(self, row: int) -> None:
        if not 0 <= row < self.rows.rowCount():
            return
        token_id = int(self.rows.left[row])
        if token_id >= 0:
            show_entry(self, self.session, token_id)
        else:
            self.session.message.emit(f"{self.desk.names[0]} does not have this entry; swap the two to browse it")

    def _all_to_browser(self) -> None:
        both, left = self.desk.both, self.rows.left
        if both is not None and len(left) and self._which != "only_right":
            words = {"shared": "also in", "only_left": "not in", "moved": "with another id in"}[self._which]
            show_entries(self, self.session, np.searchsorted(both.left.vocabulary.ids, left),
                         f"{words} {self.desk.names[1]}")

    def _copy_markdown(self) -> None:
        if self.desk.both is not None:
            QGuiApplication.clipboard().setText(markdown(self.desk.both, self.desk.names))
            self.session.message.emit("Copied the figures as Markdown")

    def _copy_csv(self) -> None:
        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self.session.message.emit("Copied the listed entries as CSV")

        self.session.jobs.start("Copying", self.rows.steps_of_csv(), done=done)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= WIDE
        if wide == (self.split.orientation() == Qt.Orientation.Horizontal) and event.oldSize().width() > 0:
            return
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        above = 60 if self.width() < 400 else 110
        self.split.setSizes([300, self.width() - 300] if wide else [above, max(self.height() - 250, 200)])


def _short(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:10]}…{name[-7:]}"


def _chooser(name: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName("chooser")
    button.setAccessibleName(name)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


def _toggle() -> QToolButton:
    button = QToolButton()
    button.setObjectName("plain")
    button.setCheckable(True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


