"""How the window looks: theme, zoom, wrapped lines, invisible characters, full screen; each remembered.

    look.zoom_in()      look.theme_dark()      look.apply()      # apply(): all as the settings have it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

if TYPE_CHECKING:
    from .main_window import MainWindow

SMALLEST, LARGEST, STEP = 0.5, 4.0, 1.1


class Look(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.zoom = min(max(window.settings.get("zoom", 1.0), SMALLEST), LARGEST)
        self.wrap = window.settings.get("wrap", True)
        self.invisibles = window.settings.get("invisibles", False)

    def apply(self) -> None:
        """Everything as it is remembered; for a window whose editor has just been made."""
        editor = self._window.editor
        if editor is not None:
            editor.set_zoom(self.zoom)
            editor.set_wrap(self.wrap)
            editor.set_show_invisible(self.invisibles)
        self._window.docks.set_zoom(self.zoom)
        self.show_checks()

    def show_checks(self) -> None:
        """The check marks in the menus."""
        actions = self._window.actions_
        actions["wrap"].setChecked(self.wrap)
        actions["invisibles"].setChecked(self.invisibles)
        actions[f"theme_{self._window.theme.choice}"].setChecked(True)
        actions["full_screen"].setChecked(self._window.isFullScreen())

    def zoom_in(self) -> None:
        self._zoom(self.zoom * STEP)

    def zoom_out(self) -> None:
        self._zoom(self.zoom / STEP)

    def zoom_reset(self) -> None:
        self._zoom(1.0)

    def _zoom(self, zoom: float) -> None:
        self.zoom = min(max(round(zoom, 3), SMALLEST), LARGEST)
        self._window.settings.set("zoom", self.zoom)
        self.apply()
        self._window.session.message.emit(f"Zoom {self.zoom:.0%}")

    def toggle_wrap(self) -> None:
        self.wrap = not self.wrap
        self._window.settings.set("wrap", self.wrap)
        self.apply()

    def toggle_invisibles(self) -> None:
        self.invisibles = not self.invisibles
        self._window.settings.set("invisibles", self.invisibles)
        self.apply()

    def toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)
        self.show_checks()

    def theme_system(self) -> None:
        self._theme("system")

    def theme_light(self) -> None:
        self._theme("light")

    def theme_dark(self) -> None:
        self._theme("dark")

    def _theme(self, choice: str) -> None:
        self._window.settings.set("theme", choice)
        self._window.theme.choose(choice)
        self.show_checks()
