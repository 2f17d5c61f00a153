"""How the window looks: theme, zoom, what the editor marks, full screen; each remembered, each for all windows to come.

    look.zoom_in()      look.theme("dark")      look.toggle("wrap")
    look.apply()        # all as it is remembered, for an editor that has just been made
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from .main_window import MainWindow

SMALLEST, LARGEST, STEP = 0.5, 4.0, 1.1
#: Switches of the editor: name (of setting and action) -> (first value, the editor's method, the sheet's field).
SWITCHES = {
    "wrap": (True, "set_wrap", "wrap"), "numbers": (False, "set_line_numbers", "numbers"),
    "spaces": (False, "set_show_spaces", "show_spaces"), "controls": (True, "set_show_controls", "show_controls"),
    "cells": (True, "set_show_cells", "cells"),
}


def usual_zoom() -> float:
    """1.0 with the system's fonts as they come (9 to 13 points); more for somebody who made them larger."""
    points = QFontInfo(QApplication.font()).pointSizeF()
    return 1.0 if points <= 13 else min(round(points / 12, 2), LARGEST)


class Look(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.zoom = min(max(window.settings.get("zoom", usual_zoom()), SMALLEST), LARGEST)
        self.on = {name: window.settings.get(name, first) for name, (first, _, _) in SWITCHES.items()}
        self._applying = False

    def apply(self) -> None:
        editor = self._window.editor
        if editor is not None:
            self._applying = True
            editor.set_zoom(self.zoom)
            for name, (_, method, _) in SWITCHES.items():
                getattr(editor, method)(self.on[name])
            self._applying = False
        self._window.docks.set_zoom(self.zoom)
        self.show_checks()

    def follow(self) -> None:
        """Something was switched in the editor itself, by its context menu."""
        if self._applying:
            return
        for name, (_, _, field) in SWITCHES.items():
            on = bool(getattr(self._window.editor.sheet, field))
            if on != self.on[name]:
                self.on[name] = on
                self._window.settings.set(name, on)
        self.show_checks()

    def show_checks(self) -> None:
        """The check marks in the menus."""
        actions = self._window.actions_
        for name, on in self.on.items():
            actions[name].setChecked(on)
        actions[f"theme_{self._window.theme.choice}"].setChecked(True)
        actions["full_screen"].setChecked(self._window.isFullScreen())

    def zoom_in(self) -> None:
        self.set_zoom(self.zoom * STEP)

    def zoom_out(self) -> None:
        self.set_zoom(self.zoom / STEP)

    def zoom_reset(self) -> None:
        self.set_zoom(usual_zoom())

    def set_zoom(self, zoom: float) -> None:
        zoom = min(max(round(zoom, 3), SMALLEST), LARGEST)
        if zoom != self.zoom:
            self.zoom = zoom
            self._window.settings.set("zoom", zoom)
            self._window.docks.set_zoom(zoom)
            if self._window.editor is not None:
                self._window.editor.set_zoom(zoom)
            self._window.session.message.emit(f"Zoom {zoom:.0%}")

    def toggle(self, name: str) -> None:
        """One of SWITCHES."""
        self.on[name] = not self.on[name]
        self._window.settings.set(name, self.on[name])
        if self._window.editor is not None:
            getattr(self._window.editor, SWITCHES[name][1])(self.on[name])
        self.show_checks()

    def toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)
        self.show_checks()

    def theme(self, choice: str) -> None:
        """"system", "light" or "dark"; for all windows."""
        self._window.settings.set("theme", choice)
        self._window.theme.choose(choice)
        self.show_checks()
