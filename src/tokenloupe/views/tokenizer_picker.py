"""Which tokenizer, and what special tokens in the text are: two buttons with menus, and the dialog to choose some.

The picker asks and shows; opening is the window's business:

    picker.chosen.connect(window.open_tokenizer)      # "o200k_base", or the path of a file
    picker.special_chosen.connect(session.set_special)
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..models.readable import readable
from ..models.session import Session
from . import palette
from .status import label

#: What the window offers: (name or path, title, what it is).
Offer = tuple[str, str, str]


def menu_text(text: str) -> str:
    """A file's name or a token as a menu shows it: `&` is no mnemonic."""
    return text.replace("&", "&&")


class TokenizerPicker(QWidget):
    """bundled, recent: offers, set by the window at about_to_show(). loading(name): shown while one is opened."""

    about_to_show = Signal()
    chosen = Signal(str)
    open_file = Signal()
    open_folder = Signal()
    special_chosen = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.bundled: Sequence[Offer] = ()
        self.recent: Sequence[Offer] = ()
        self.button, self.special = _chooser("Tokenizer"), _chooser("Special tokens")
        self.menu, self.special_menu = QMenu(self.button), QMenu(self.special)
        for button, menu, fill in ((self.button, self.menu, self._fill_menu),
                                   (self.special, self.special_menu, self._fill_special)):
            button.setMenu(menu)
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(fill)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.button)
        row.addWidget(self.special)
        session.tokenizer_changed.connect(self._show)
        self._show()

    def loading(self, name: str) -> None:
        self.button.setText(f"Opening {menu_text(name)}…")

    def refresh(self) -> None:
        self._show()

    # Inside

    def _show(self) -> None:
        if not self._session.ready:
            self.button.setText("Tokenizer")
            self.special.setText("Specials as text")
            return
        tokenizer = self._session.tokenizer
        self.button.setText(menu_text(_short(tokenizer.name)))
        self.button.setToolTip(f"{tokenizer.format}, {len(tokenizer.vocabulary):,} entries")
        self.button.setAccessibleDescription(f"{tokenizer.name}, {tokenizer.format}")
        mode = self._session.special
        if isinstance(mode, frozenset):
            words = f"{len(mode)} of {len(tokenizer.special_tokens)} specials parsed"
        else:
            words = "Specials as text" if mode == "text" else "Specials parsed"
        self.special.setText(words)
        self.special.setEnabled(bool(tokenizer.special_tokens))
        self.special.setToolTip(
            "How special tokens such as <|endoftext|> in the text are taken".replace("<", "&lt;").replace(">", "&gt;")
            if tokenizer.special_tokens else "This tokenizer has no special tokens")

    def _fill_menu(self) -> None:
        self.about_to_show.emit()
        self.menu.clear()
        now = self._session.tokenizer.name if self._session.ready else ""
        for title, offers in (("Bundled", self.bundled), ("Recent", self.recent)):
            if offers:
                if not self.menu.isEmpty():
                    self.menu.addSeparator()
                heading = self.menu.addAction(title)  # not a section: its text is lost in a style sheet
                heading.setEnabled(False)
                heading.setFont(palette.small_font(self.font()))
            for value, name, about in offers:
                action = self.menu.addAction(menu_text(f"{name}\t{about}" if about else name))
                action.setCheckable(True)
                action.setChecked(name == now)
                action.triggered.connect(lambda _=False, value=value: self.chosen.emit(value))
        self.menu.addSeparator()
        self.menu.addAction("Open Tokenizer File…").triggered.connect(lambda: self.open_file.emit())
        self.menu.addAction("Open Tokenizer Folder…").triggered.connect(lambda: self.open_folder.emit())

    def _fill_special(self) -> None:
        self.special_menu.clear()
        group = QActionGroup(self.special_menu)
        mode = self._session.special
        for text, value in (("As Text", "text"), ("Parse All", "parse")):
            action = self.special_menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(mode == value)
            group.addAction(action)
            action.triggered.connect(lambda _=False, value=value: self.special_chosen.emit(value))
        action = QAction("Choose Which…", self.special_menu)
        action.setCheckable(True)
        action.setChecked(isinstance(mode, frozenset))
        group.addAction(action)
        action.triggered.connect(self.choose_special)
        self.special_menu.addAction(action)

    def choose_special(self) -> None:
        """Open the dialog of single special tokens."""
        if not self._session.ready or not self._session.tokenizer.special_tokens:
            return
        mode = self._session.special
        names = self._session.tokenizer.special_tokens
        picked = frozenset(names) if mode == "parse" else frozenset() if mode == "text" else frozenset(mode)
        dialog = SpecialDialog(names, picked, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.special_chosen.emit(dialog.mode()))
        dialog.open()


class SpecialDialog(QDialog):
    """Which special tokens are matched in the text: a list with check marks, and a filter."""

    def __init__(self, tokens: dict[str, int], picked: frozenset[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Special Tokens")
        self._size = len(tokens)
        self.filter, self.list = QLineEdit(), QListWidget()
        self.filter.setPlaceholderText("Filter")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName("Filter")
        self.list.setAccessibleName("Special tokens")
        self.list.setUniformItemSizes(True)
        for text, token_id in tokens.items():
            item = QListWidgetItem(f"{readable(text.encode('utf-8', 'surrogatepass'))}    {token_id}")
            item.setData(Qt.ItemDataRole.UserRole, text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if text in picked else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.filter.textChanged.connect(self._filter)
        about: QLabel = label()
        about.setText("Checked tokens are matched in the text; the others are ordinary text.")
        about.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        for widget in (about, self.filter, self.list, buttons):
            column.addWidget(widget)
        self.resize(420, 440)

    def mode(self) -> str | frozenset[str]:
        items = [self.list.item(i) for i in range(self.list.count())]
        chosen = frozenset(i.data(Qt.ItemDataRole.UserRole) for i in items if i.checkState() == Qt.CheckState.Checked)
        return "text" if not chosen else "parse" if len(chosen) == self._size else chosen

    def _filter(self, text: str) -> None:
        for i in range(self.list.count()):
            item = self.list.item(i)
            item.setHidden(text.casefold() not in str(item.data(Qt.ItemDataRole.UserRole)).casefold())


def _chooser(name: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName("chooser")
    button.setAccessibleName(name)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return button


def _short(name: str, longest: int = 32) -> str:
    """A long file name keeps its beginning and its end."""
    return name if len(name) <= longest else f"{name[: longest // 2]}…{name[-longest // 2 + 1 :]}"
