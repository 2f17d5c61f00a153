"""The window's smaller commands: special tokens, warnings, Go to, help. Each is what one action does.

    commands.set_special("parse")      commands.show_warnings()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from ..core.errors import InputError

if TYPE_CHECKING:
    from ..core.tokenizer import SpecialMode
    from .main_window import MainWindow


class Commands(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def quit(self) -> None:
        QApplication.closeAllWindows()

    def special_text(self) -> None:
        self.set_special("text")

    def special_parse(self) -> None:
        self.set_special("parse")

    def set_special(self, mode: SpecialMode) -> None:
        try:
            self._window.session.set_special(mode)
        except InputError as error:
            self._window.fail(str(error))

    def show_warnings(self) -> None:
        """The tokenizer's warnings in the bar on top."""
        session = self._window.session
        warnings = session.tokenizer.warnings if session.ready else ()
        self._window.notice.tell("  ".join(_sentence(w) for w in warnings) or "This tokenizer has no warnings.",
                                 "warning" if warnings else "info")

    def go_to(self) -> None:
        from .dialogs import GoTo
        from .places import go_to

        if self._window.session.ready:
            GoTo(self._window, lambda text: go_to(self._window.session, text)).open()

    def input_as(self) -> None:
        from ..views.input_dialog import InputDialog

        InputDialog(self._window, self._window.session).open()

    def show_shortcuts(self) -> None:
        from .dialogs import Shortcuts

        Shortcuts(self._window).open()

    def show_about(self) -> None:
        from .dialogs import About

        About(self._window).open()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!")) else ".")
