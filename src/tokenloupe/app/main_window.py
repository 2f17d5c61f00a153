"""The window: puts the parts together. What they do is theirs: files, docks, look, journal, actions.

    window = MainWindow(program)
    window.show()                       # painted before numpy or a tokenizer is imported
    window.begin([Path("a.txt")])       # then: the tokenizer, the text, the panels
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QEvent, QMimeData, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMainWindow, QMenuBar, QTabBar, QTabWidget, QVBoxLayout, QWidget

from ..models.session import Session
from ..views.counts import CountsBar
from ..views.status import NoticeBar, StatusLine
from ..views.theme_icons import program_icon
from ..views.tokenizer_picker import TokenizerPicker
from .actions import Actions
from .case_files import CaseFiles
from .commands import Commands
from .docks import Docks
from .exports import Exports
from .files import Files, bundled_offers
from .focused import Focused
from .look import Look
from .recents import Recents
from .recovery import Journal, Lost

if TYPE_CHECKING:
    from .main import Program

SIZE = (1280, 800)
#: The text is never narrower than this, in pixels, however wide a panel beside it wants to be.
TEXT_WIDTH = 300


class MainWindow(QMainWindow):
    """program: what all windows share (settings, theme, the other windows)."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program, self.settings, self.theme = program, program.settings, program.theme
        self.session = Session(parent=self)
        self.editor: Any = None
        self._begun = False  # has there been a tokenizer?
        self._warned = False  # that closing would lose the text
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptDrops(True)
        self.setWindowIcon(program_icon())
        self.picker, self.counts = TokenizerPicker(self.session), CountsBar(self.session)
        self.notice, self.tabs = NoticeBar(), QTabWidget()
        self._ground, self.menu_bar = QWidget(), QMenuBar()
        self._build()
        self.status = StatusLine(self.session, self)
        self.setStatusBar(self.status)
        self.docks = Docks(self, self.session, self.tabs)
        self.files, self.look, self.focused = Files(self), Look(self), Focused()
        self.cases, self.exports, self.recents = CaseFiles(self), Exports(self), Recents(self)
        self.commands = Commands(self)
        self.actions_ = Actions(self, self.menu_bar)
        self.recents.add_to(self.actions_.menus["&File"], self.actions_["save"])
        self.journal = Journal(self.session, program.journals, self)
        self._connect()
        self._restore_layout()
        self._titled()

    def _build(self) -> None:
        strip = QFrame()
        strip.setObjectName("strip")
        row = QHBoxLayout(strip)
        row.setContentsMargins(12, 8, 16, 8)
        row.setSpacing(16)
        row.addWidget(self.picker)
        row.addStretch(1)
        row.addWidget(self.counts)
        self.setMenuWidget(_column(self.menu_bar, strip, self.notice))
        self.tabs.setMinimumWidth(TEXT_WIDTH)
        self.tabs.addTab(self._ground, "Text")
        self.setCentralWidget(self.tabs)

    def _connect(self) -> None:
        session, picker = self.session, self.picker
        session.failed.connect(self.fail)
        session.state_changed.connect(self._titled)
        session.tokenizer_changed.connect(self._tokenizer_shown)
        picker.chosen.connect(self.files.open_tokenizer)
        picker.open_file.connect(self.files.ask_tokenizer)
        picker.open_folder.connect(self.files.ask_folder)
        picker.special_chosen.connect(self.commands.set_special)
        picker.about_to_show.connect(self._offer)
        self.theme.changed.connect(self._theme_changed)
        self.docks.changed.connect(self._panels_shown)
        self.actions_["undo"].setEnabled(False)
        self.actions_["redo"].setEnabled(False)

    # The start

    def begin(self, files: list[Path], lost: Lost | None = None) -> None:
        """What the first paint did not wait for: the text, which can be typed in at once, and the tokenizer in use,
        which a thread reads meanwhile. The panels follow when it is there."""
        self._make_editor()
        self.look.apply()
        if lost is not None:
            self.take_over(lost)
        self.focus_text()
        self.files.open_remembered()
        self.open_files(files)

    def _make_editor(self) -> None:
        from ..views.editor import EditorView

        self.editor = EditorView(self.session)
        self.editor.file_handler = self.open_files
        self.editor.where_asked = self.commands.go_to
        self.status.place = self.editor.place_of
        self.editor.zoom_changed.connect(self.look.set_zoom)
        self.editor.view_changed.connect(self.look.follow)
        self.tabs.removeTab(0)
        self.tabs.insertTab(0, self.editor, "Text")
        self.tabs.setCurrentIndex(0)
        for side in (self.tabs.tabBar().ButtonPosition.LeftSide, self.tabs.tabBar().ButtonPosition.RightSide):
            self.tabs.tabBar().setTabButton(0, side, None)
        self._ground.deleteLater()

    def take_over(self, lost: Lost) -> None:
        """Show the text of a window that is gone."""
        self.session.set_data(lost.data, lost.name, modified=True)
        self.journal.path, self.journal.stamp = lost.path, lost.stamp
        self.session.select(lost.caret, lost.caret)
        self.journal.adopt(lost)
        self.notice.tell(f"Your unsaved text{f' of {lost.name}' if lost.name else ''} is here again.", "info")

    def new_window(self) -> MainWindow:
        return self.program.open_window([])

    # What the actions and the parts call

    def open_files(self, paths: list[Path]) -> None:
        self.files.open_all(paths)

    def fail(self, sentence: str) -> None:
        self.notice.tell(sentence, "error")

    def focus_text(self) -> None:
        self.tabs.setCurrentIndex(0)
        if self.editor is not None:
            self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # Inside

    def _offer(self) -> None:
        self.picker.bundled = bundled_offers()
        self.picker.recent = [(p, Path(p).name, Path(p).parent.name)
                              for p in self.settings.recent("recent_tokenizers")]

    def _tokenizer_shown(self) -> None:
        if not self._begun:
            self._begun = True
            self.docks.begin()
            self.docks.open_tabs(self.settings.get("layout", dict[str, Any]()))
            self.look.apply()
        mode = self.session.special
        chosen = "special_choose" if isinstance(mode, frozenset) else f"special_{mode}"
        self.actions_[chosen].setChecked(True)
        if self.session.tokenizer.warnings:
            self.commands.show_warnings()

    def _titled(self) -> None:
        name = "".join(c if c.isprintable() else "\ufffd" for c in self.session.name[:200]).replace("[*]", "[*][*]")
        self.setWindowTitle(f"{name or 'Untitled'}[*] – Tokenloupe")
        self.setWindowModified(self.session.modified)
        self.actions_["undo"].setEnabled(self.session.can_undo)
        self.actions_["redo"].setEnabled(self.session.can_redo)

    def _theme_changed(self) -> None:
        self.actions_.renew_icons()
        self.docks.renew_icons()

    def _panels_shown(self) -> None:
        for panel_id in self.docks.ids:
            self.actions_[f"panel_{panel_id}"].setChecked(self.docks.is_shown(panel_id))
        # Qt keeps the tabs of panels that share no place any more: out of sight, and Tab would go there.
        for bar in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if bar.count() else Qt.FocusPolicy.NoFocus)
            bar.setAccessibleName("Panels that share a place")

    def _restore_layout(self) -> None:
        self.resize(*SIZE)
        geometry = self.settings.get("geometry", "")
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode("ascii", "replace")))
        self.docks.restore(self.settings.get("layout", dict[str, Any]()))
        self._panels_shown()

    # What Qt calls

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.look.show_checks()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.open_files(_paths(event.mimeData()))
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing is asked: a text that is in no file is here again at the next start. Where it cannot be kept for that
        the window stays open, once."""
        keep = self.session.modified and len(self.session) > 0
        if keep and not self.journal.keep() and not self._warned:
            self._warned = True
            self.fail("The text is in no file and could not be kept for the next start: save it, or close the window "
                      "again to lose it.")
            event.ignore()
            return
        self.settings.set("geometry", bytes(self.saveGeometry().toBase64().data()).decode("ascii"))
        self.settings.set("layout", self.docks.save())
        self.files.stop()
        self.session.jobs.cancel_all()
        self.journal.close(keep=keep)
        self.program.closed(self)
        event.accept()


def _column(*widgets: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget)
    return made


def _paths(mime: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
