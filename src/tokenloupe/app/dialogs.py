"""The small dialogs: the list of keyboard shortcuts, About, and Go to. None of them needs the mouse, none shows markup.

The list of shortcuts is read from the table of actions, so it is never out of date.
"""

from __future__ import annotations

import platform
from collections.abc import Callable

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from .. import __version__
from ..core.errors import InputError
from ..views.status import label, paragraph
from ..views.theme_icons import program_icon
from .actions import MENUS, all_specs


class Shortcuts(QDialog):
    """Every action with its keys, by menu, with a filter."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Keyboard Shortcuts")
        self.filter, self.tree = QLineEdit(), QTreeWidget()
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self.tree.setAccessibleName("Keyboard shortcuts")
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels(["Action", "Keys"])
        self.tree.setRootIsDecorated(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setStretchLastSection(False)
        for menu in MENUS:
            top = QTreeWidgetItem([menu.replace("&", ""), ""])
            font = top.font(0)
            font.setBold(True)
            top.setFont(0, font)
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.tree.addTopLevelItem(top)
            for spec in all_specs():
                if spec.menu == menu:
                    keys = QKeySequence(spec.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
                    top.addChild(QTreeWidgetItem([spec.title, keys]))
        self.tree.expandAll()
        _arrange(self, self.filter, self.tree)
        self.resize(460, 560)

    def _filter(self, text: str) -> None:
        for i in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(i)
            shown = 0
            for k in range(top.childCount()):
                item = top.child(k)
                hidden = text.casefold() not in f"{item.text(0)} {item.text(1)}".casefold()
                item.setHidden(hidden)
                shown += not hidden
            top.setHidden(not shown)


class About(QDialog):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Tokenloupe")
        picture = QLabel()
        picture.setPixmap(program_icon().pixmap(64, 64))
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        name, rest = label("figure"), paragraph("plain_text")
        font = name.font()
        font.setPointSizeF(font.pointSizeF() * 1.5)
        name.setFont(font)
        name.setText(f"Tokenloupe {__version__}")
        rest.setText(
            "Looks into LLM tokenizers and quantised tensors.\n\n"
            f"Python {platform.python_version()}, Qt {qVersion()}, {platform.system()} {platform.machine()}\n\n"
            "Apache License 2.0. The bundled vocabularies are OpenAI's, under the MIT licence.\n"
            "Everything stays on this machine. No connection is opened but to fetch a tokenizer that you ask for."
        )
        text = QVBoxLayout()
        text.setSpacing(8)
        text.addWidget(name)
        text.addWidget(rest)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(picture)
        row.addLayout(text, 1)
        _arrange(self, row)
        self.resize(480, 220)


class GoTo(QDialog):
    """A byte (`120`), a token (`#14`) or a line (`:3`). run: goes there, and says why not by InputError."""

    def __init__(self, parent: QWidget, run: Callable[[str], None]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Go to")
        self._run = run
        about, self.field, self.problem = label(), QLineEdit(), label("bad")
        about.setText("A byte offset (120), a token (#14) or a line (:3)")
        self.field.setAccessibleName("Byte, token or line")
        self.field.textEdited.connect(lambda: self.problem.setText(""))
        buttons = _arrange(self, about, self.field, self.problem, ok=True)
        buttons.accepted.connect(self._go)
        self.field.setFocus()
        self.resize(360, 0)

    def _go(self) -> None:
        try:
            self._run(self.field.text())
        except InputError as error:
            self.problem.setText(str(error))
            self.field.selectAll()
        else:
            self.accept()


def _arrange(dialog: QDialog, *parts: QWidget | QHBoxLayout, ok: bool = False) -> QDialogButtonBox:
    """Parts in a column with a row of buttons; the house's margins."""
    which = QDialogButtonBox.StandardButton
    buttons = QDialogButtonBox(which.Ok | which.Cancel if ok else which.Close)
    buttons.rejected.connect(dialog.reject)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(16, 16, 16, 16)
    column.setSpacing(10)
    for part in parts:
        if isinstance(part, QHBoxLayout):
            column.addLayout(part)
        else:
            column.addWidget(part)
    column.addWidget(buttons)
    return buttons
