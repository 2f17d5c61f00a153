"""ShareMenu: the theatre as a table, a page that plays, or an animated picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton

from ..core.errors import InputError
from ..core.stream_export import csv_table, html_page, markdown
from ..core.stream_lanes import Run
from .stream_picture import frames, write_animation

if TYPE_CHECKING:
    from .stream_theatre import StreamTheatre


WRITERS: dict[str, Callable[[Run], str]] = {".md": markdown, ".csv": csv_table, ".html": html_page}


class ShareMenu(QToolButton):
    """A button with a menu. Files are written by save(path), which goes by the suffix."""

    FILTERS = (
        ("Save a page that plays…", "Web page (*.html)", ".html"),
        ("Save an animated picture…", "Animated PNG (*.png *.apng)", ".png"),
        ("Save a table for a page…", "Markdown (*.md)", ".md"),
        ("Save a table for a spreadsheet…", "Comma-separated values (*.csv)", ".csv"),
    )

    def __init__(self, theatre: StreamTheatre) -> None:
        super().__init__()
        self._theatre = theatre
        self.setText("Share")
        self.setObjectName("chooser")
        self.setToolTip("The theatre as a page that plays, an animated picture, or a table")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.addAction("Copy a table for a page (Markdown)").triggered.connect(self.copy)
        menu.addSeparator()
        for words, kinds, suffix in self.FILTERS:
            menu.addAction(words).triggered.connect(lambda _=False, k=kinds, s=suffix: self._ask(k, s))
        self.setMenu(menu)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(markdown(self._theatre.player.run))
        self._theatre.session.message.emit("The table is in the clipboard")

    def _ask(self, kinds: str, suffix: str) -> None:
        path, _ = QFileDialog.getSaveFileName(self._theatre, "Save the stream", f"stream{suffix}", kinds)
        if path:
            self.save(path if Path(path).suffix else path + suffix)

    def save(self, path: str) -> bool:
        """Write the run to a file: .html, .md, .csv, .png or .apng. True when done; the theatre says what fails."""
        theatre = self._theatre
        theatre.player.pause()
        try:
            suffix = Path(path).suffix.lower()
            if suffix in (".png", ".apng"):
                write_animation(path, frames(theatre.player, theatre.picture()))
            elif suffix in WRITERS:
                text = WRITERS[suffix](theatre.player.run)
                try:
                    Path(path).write_bytes(text.encode("utf-8"))
                except OSError as error:
                    raise InputError(f"cannot be written ({error.strerror})", where=Path(path).name,
                                     todo="check the folder and its permissions") from error
            else:
                raise InputError(f"{suffix or 'no suffix'} is no format of this export", where=Path(path).name,
                                 todo="name the file .html, .png, .md or .csv")
        except InputError as error:
            theatre.show_problem(str(error))
            return False
        theatre.session.message.emit(f"{Path(path).name} is written")
        return True
