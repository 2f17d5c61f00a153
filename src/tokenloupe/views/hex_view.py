"""The hex panel: the sheet of bytes, the data inspector beside it, the bar to go and find, and a line about the caret.

    view = HexView(session)
    view.sheet, view.model

It is the text's bytes that are shown and edited; the selection, hover and undo are the session's, so the editor, the
token table and this view are always the same text. Any file can be looked at instead (☰, or dropped here): it is
mapped and never read whole, has a caret and a selection of its own, and cannot be edited.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ..core.byte_forms import FORMS
from ..core.errors import InputError
from ..core.hexsource import FileSource
from ..core.wording import count_of
from ..models.hex_model import HexModel
from ..models.session import Session
from .data_inspector import FOLLOW, DataInspector
from .editor_clipboard import bytes_of, files_of, from_hex, has_text, mime_of
from .hex_bar import HexBar
from .hex_geometry import ROWS, Geometry
from .hex_glyphs import Patience
from .hex_sheet import HexSheet
from .status import label, plain_button

#: More is not copied: other programs, and the clipboard, would choke on it.
COPIED = 16 << 20
#: From this width on the inspector stands beside the bytes, else beneath them; its least and greatest width; pixels at
#: zoom 1.
BESIDE = 850
INSPECTOR = (300, 440)
#: ms between two looks at whether the file that is shown has changed.
WATCH = 1000


class HexView(QWidget):
    """The panel. `sheet` is the QAbstractScrollArea, `model` its HexModel, `bar` goes and finds."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._zoom = session, 1.0
        self.model = HexModel(session, self)
        self.sheet = HexSheet(self.model, self)
        self.bar = HexBar(self.model, self)
        self.inspector = DataInspector(self.model, self)
        self._inspects: bool | None = None  # as the user chose; None: where there is room
        self.place = label(about="Byte at the caret")
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.mode = plain_button(self, "Overwrite", "Overwrite or insert (Insert)", lambda: self.model.set_insert(
            not self.model.insert))
        self.side = plain_button(self, "Hex", "Type in the hex or the text column (Enter)", self.sheet.other_column)
        self.inspect = plain_button(self, "Values", "Show or hide the data inspector", self._toggle_inspector)
        self.more = plain_button(self, "☰", "More: go to, find, copy as, bytes a row", lambda: self.menu().popup(
            self.more.mapToGlobal(QPoint(0, 0))))
        self._build()
        self.setFocusProxy(self.sheet)
        self.sheet.asked.connect(self._asked)
        self.bar.closed.connect(self._close_bar)
        self.sheet.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.sheet.customContextMenuRequested.connect(
            lambda at: self.menu().popup(self.sheet.viewport().mapToGlobal(at)))
        # A jump waits neither for the line beneath nor for the font of a character that stands in it.
        self._patience = Patience(self.place, session.jobs, self._tell)
        self._watch = QTimer(self)
        self._watch.setInterval(WATCH)
        self._watch.timeout.connect(self.look_again)
        self._gone = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(FOLLOW)
        self._soon.timeout.connect(self._tell)
        self.model.moved.connect(self._tell_soon)
        self.model.changed.connect(self._tell_soon)
        self.model.source_changed.connect(self._tell)
        self.sheet.column_changed.connect(self._tell)
        self._tell()

    def _build(self) -> None:
        self.foot = QHBoxLayout()
        self.foot.setContentsMargins(8, 2, 8, 2)
        self.foot.setSpacing(4)
        self.foot.addWidget(self.place, 1)
        for button in (self.inspect, self.side, self.mode, self.more):
            self.foot.addWidget(button)
        self.body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(1)
        self.body.addWidget(self.sheet, 3)
        self.body.addWidget(self.inspector, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addLayout(self.body, 1)
        column.addLayout(self.foot)
        self._arrange()
        self.setAcceptDrops(True)

    def sizeHint(self) -> QSize:
        return QSize(720, 260)

    def set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self.sheet.set_zoom(zoom)
        self.inspector.set_zoom(zoom)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """The inspector beside the bytes, beneath them in a narrow panel; shown at first where there is room."""
        least, greatest = (round(width * self._zoom) for width in INSPECTOR)
        wide = self.width() >= BESIDE * self._zoom
        self.body.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        most = 1 << 16
        if wide:  # the bytes have rows of 16 first
            room = self.width() - round(Geometry.of(self.sheet.fonts.plain, len(self.model), 0, 16).width) - 16
            most = min(max(room, least), greatest)
        self.inspector.setMaximumWidth(most)  # and no least one: it would keep the panel from becoming narrow
        shown = wide if self._inspects is None else self._inspects
        if shown != self.inspector.isVisibleTo(self):
            self.inspector.setVisible(shown)
            self.inspector.refresh()

    def _toggle_inspector(self) -> None:
        self._inspects = not self.inspector.isVisibleTo(self)
        self._arrange()

    def menu(self) -> QMenu:
        """What can be done here, by its names: the context menu and that of the button."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        start, end = self.model.selection
        copies = menu.addMenu("Copy As")
        copies.setEnabled(start < end)
        for name in FORMS:
            copies.addAction(name, partial(self.copy_as, name))
        menu.addAction("Select All", self.select_all)
        menu.addSeparator()
        menu.addAction("Find…\tCtrl+F", partial(self._asked, "find"))
        menu.addAction("Go to Offset…\tCtrl+G", partial(self._asked, "go_to"))
        menu.addSeparator()
        menu.addAction("Show a File…", self.ask_file)
        menu.addAction("Show the Text", self.show_text).setEnabled(not self.model.is_text)
        menu.addSeparator()
        rows = menu.addMenu("Bytes a Row")
        for count in (0, *ROWS[2:], 32):
            action = rows.addAction(str(count) if count else "As Fits", partial(self.sheet.set_row, count))
            action.setCheckable(True)
            action.setChecked(count == self.sheet.rows_wanted)
        return menu

    # Files

    def ask_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Show the Bytes of a File")
        if name:
            self.show_file(Path(name))

    def show_file(self, path: Path) -> None:
        """Look at any file, however large; one sentence when it cannot be read."""
        try:
            self.model.show(FileSource(path))
        except InputError as error:
            self._session.failed.emit(str(error))
        else:
            self._gone = False
            self._watch.start()

    def look_again(self) -> None:
        """Show the file as it is now, if it has become another; tell once when it is not there any more."""
        source = self.model.source
        if not isinstance(source, FileSource) or not self.isVisible():
            return
        news, size = source.news(), len(source)
        if news == "changed":
            try:
                self.model.renew(FileSource(source.path))
            except InputError:  # it is being replaced, or may not be read any more
                news = "gone"
            else:
                self._gone = False
                if len(self.model) < size:
                    self._session.message.emit(f"{source.name} has become shorter: it was {size:,} bytes")
        if news == "gone" and not self._gone:
            self._gone = True
            self._session.message.emit(f"{source.name} is not there any more; what was open is shown")

    def show_text(self) -> None:
        self._watch.stop()
        if not self.model.is_text:
            self.model.show(None)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_file(files_of(event.mimeData())[0])
        event.acceptProposedAction()

    def copy_as(self, form: str) -> None:
        """The selected bytes in one of core.byte_forms.FORMS."""
        data = self.selected_bytes()
        if data:
            QGuiApplication.clipboard().setText(FORMS[form](data))
            self._session.message.emit(f"Copied {count_of(len(data), 'byte')} ({form})")

    def _asked(self, what: str) -> None:
        if what in ("find_next", "find_previous"):
            self.bar.search(what == "find_next")
        elif what == "find":
            data = self.selected_bytes() if self.model.selection[1] - self.model.selection[0] <= 64 else b""
            text = self.sheet.column == "text"
            self.bar.what.setCurrentIndex(int(text))
            self.bar.open("find", "" if not data else data.decode("utf-8", "replace") if text else data.hex(" "))
        else:
            self.bar.open("go_to")

    def _close_bar(self) -> None:
        self.bar.hide()
        self.sheet.setFocus()

    # What the Edit menu asks of the view that has the focus

    def copy(self) -> None:
        """The selected bytes: as hex from the hex column, as text (and bytes) from the text column."""
        data = self.selected_bytes()
        if not data:
            return
        clipboard = QGuiApplication.clipboard()
        if self.sheet.column == "text":
            clipboard.setMimeData(mime_of(data))
        else:
            clipboard.setText(data.hex(" "))
        self._session.message.emit(f"Copied {count_of(len(data), 'byte')}")

    def cut(self) -> None:
        if self.model.is_text and self.selected_bytes():
            self.copy()
            self.model.remove()

    def paste(self) -> None:
        """Into the hex column what reads as hexadecimal is bytes; anything else, and all in the text column, is as it
        stands."""
        mime = QGuiApplication.clipboard().mimeData()
        if not has_text(mime):
            return
        data = bytes_of(mime)
        if self.sheet.column == "hex":
            with suppress(InputError):
                data = from_hex(data.decode("utf-8", "replace"))
        self.model.put(data, "paste")

    def select_all(self) -> None:
        self.model.select_all()

    def selected_bytes(self) -> bytes:
        """b"" when nothing is selected, or too much to copy (which is told)."""
        start, end = self.model.selection
        if end - start > COPIED:
            self._session.failed.emit(f"{end - start:,} bytes are too many to copy; select at most {COPIED >> 20} MiB")
            return b""
        return self.model.source.bytes(start, end)

    # Inside

    def _tell_soon(self) -> None:
        if self._session.jobs.synchronous:
            self._tell()
        elif not self._soon.isActive():
            self._soon.start()

    def _tell(self) -> None:
        where = "" if self.model.is_text else f"{self.model.source.name}, {len(self.model):,} bytes   "
        self._patience.begin()
        self.place.setText(self._patience.text(where + self.sheet.describe(), self.place.font()))
        self.mode.setText("Insert" if self.model.insert else "Overwrite")
        self.mode.setEnabled(self.model.is_text)
        self.side.setText("Hex" if self.sheet.column == "hex" else "Text")
