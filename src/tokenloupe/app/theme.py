"""Light, dark, or as the system has it. The one place that sets the application's palette and style.

    theme = Theme(app)
    theme.choose("dark")       # "system", "light" or "dark"; every widget gets a PaletteChange event

`QStyleHints.setColorScheme` does nothing on some platforms, so the palette is our own; the system's wish is read from
`colorScheme()`, and followed when it changes.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QStyleFactory

from ..views import palette
from ..views.theme_style import style_sheet

CHOICES = ("system", "light", "dark")


class Theme(QObject):
    """changed(): the palette in use is another one now; icons must be made anew."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: str = "system") -> None:
        super().__init__(app)
        self._app = app
        self.choice = ""
        style = QStyleFactory.create("Fusion")
        if style is not None:
            app.setStyle(style)
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.choose(choice)

    def choose(self, choice: str) -> None:
        """An unknown word (from a settings file) means the system's."""
        self.choice = choice if choice in CHOICES else "system"
        self._apply()

    def _system_dark(self) -> bool:
        return self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def _system_changed(self) -> None:
        if self.choice == "system":
            self._apply()

    def _apply(self) -> None:
        dark = self.choice == "dark" or (self.choice == "system" and self._system_dark())
        colours = palette.dark() if dark else palette.light()
        if palette.current() is colours and self._app.styleSheet():
            return
        palette.use(colours)
        self._app.setPalette(palette.qpalette(colours))
        self._app.setStyleSheet(style_sheet(colours))
        self.changed.emit()
