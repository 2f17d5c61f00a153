"""File > Recent Texts and Examples. The recent ones, last opened or saved, are looked up when the menu is opened.

One that is gone is told when it is chosen, and is not offered again.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from ..resources import path as resource
from .text_file import shown_name, stamp_of

if TYPE_CHECKING:
    from .main_window import MainWindow


class Recents(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.menu = QMenu("Recent Texts", window)
        self.menu.aboutToShow.connect(self.fill)
        self.fill()
        self.examples = QMenu("Examples", window)
        for file in sorted(resource("demos").glob("*.txt")):
            title = file.stem.partition("-")[2].replace("-", " ").capitalize()
            self.examples.addAction(title).triggered.connect(partial(window.files.open_example, file.name))

    def add_to(self, menu: QMenu, before: QAction) -> None:
        menu.insertMenu(before, self.menu)
        menu.insertMenu(before, self.examples)

    def fill(self) -> None:
        self.menu.clear()
        for number, path in enumerate(map(Path, self._window.settings.recent("recent_texts")), 1):
            key = f"&{number}  " if number < 10 else ""
            name = f"{shown_name(path)}  ({shown_name(path.parent)})".replace("&", "&&")
            self.menu.addAction(key + name).triggered.connect(partial(self._open, path))
        if self.menu.isEmpty():
            self.menu.addAction("None yet").setEnabled(False)

    def _open(self, path: Path, _checked: bool = False) -> None:
        if stamp_of(path) is None:
            self._window.settings.forget("recent_texts", str(path))
        self._window.files.open(path)
