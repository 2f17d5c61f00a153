"""The window's exports: the selection, or all of the text, to a file or the clipboard, as a job that can be cancelled.

    exports.save("pdf")     exports.copy("png")     exports.save_to("markdown", Path("tokens.md"))
"""

from __future__ import annotations

from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from ..core.errors import InputError
from ..core.wording import count_of
from ..models.jobs import Latest
from ..views.export_forms import FORMS
from .files import write_file

if TYPE_CHECKING:
    from ..views.export_make import Export
    from .main_window import MainWindow

#: Narrowest and widest picture, in points; between them it is as wide as the editor.
NARROWEST, WIDEST = 480, 1600


class Exports(QObject):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._job = Latest(window.session.jobs)

    def save(self, form_id: str) -> None:
        """Ask for a file and write it."""
        form = FORMS[form_id]
        if self._export() is None:  # said before a file is asked for
            return
        # The text's name may be anybody's: its last part, and no more.
        stem = PureWindowsPath(Path(self._window.session.name).name).stem or "tokens"
        start = Path(self._window.files._folder()) / f"{stem}{form.suffix}"
        name, _ = QFileDialog.getSaveFileName(self._window, f"Save {form.title}", str(start), form.filter)
        if name:
            self.save_to(form_id, Path(name if Path(name).suffix else name + form.suffix))

    def save_to(self, form_id: str, path: Path) -> None:
        from ..views.export_make import steps

        export = self._export()
        if export is None:
            return

        def done(data: bytes) -> None:
            if problem := write_file(path, data):
                self._window.fail(f"{path.name} was not written: {problem}; choose another folder")
                return
            self._window.session.message.emit(f"Saved {path.name}, {count_of(len(data), 'byte')}")

        self._job.start(f"Writing {path.name}", steps(form_id, export), done=done)

    def copy(self, form_id: str) -> None:
        """Into the clipboard."""
        from ..views.export_make import copy_steps

        form, export = FORMS[form_id], self._export()
        if export is None:
            return

        def done(data: bytes) -> None:
            QGuiApplication.clipboard().setMimeData(form.mime(data))
            self._window.session.message.emit(f"Copied {count_of(len(export.ids), 'token')}: {form.title}")

        self._job.start(f"Copying {form.title}", copy_steps(form_id, export), done=done)

    def _export(self) -> Export | None:
        """What is to be exported, as the editor shows it; None when there is nothing, which is told."""
        from ..views import palette
        from ..views.export_make import Export
        from ..views.segmentation_picture import Look

        window = self._window
        on, width = window.look.on, window.editor.viewport().width() if window.editor is not None else NARROWEST
        look = Look(min(max(width, NARROWEST), WIDEST), window.look.zoom, palette.current().dark, True, False,
                    on["spaces"], on["controls"], on["cells"])
        try:
            return Export.of(window.session, look)
        except InputError as error:
            window.fail(str(error))
            return None
