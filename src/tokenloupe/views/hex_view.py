"""The hex panel: the sheet of bytes, and a line that says what is under the caret.

    view = HexView(session)
    view.sheet, view.model

It is the text's bytes that are shown and edited; the selection, hover and undo are the session's, so the editor, the
token table and this view are always the same text.
"""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ..core.errors import InputError
from ..models.hex_model import HexModel
from ..models.session import Session
from .editor_clipboard import bytes_of, from_hex, has_text, mime_of
from .hex_sheet import HexSheet
from .status import label

#: More is not copied: other programs, and the clipboard, would choke on it.
COPIED = 16 << 20


class HexView(QWidget):
    """The panel. `sheet` is the QAbstractScrollArea, `model` its HexModel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.model = HexModel(session, self)
        self.sheet = HexSheet(self.model, self)
        self.place = label()
        self.place.setAccessibleName("Byte at the caret")
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.mode = self._button("Overwrite", "Overwrite or insert (Insert)", lambda: self.model.set_insert(
            not self.model.insert))
        self.side = self._button("Hex", "Type in the hex or the text column (Enter)", lambda: self.sheet.set_column(
            "text" if self.sheet.column == "hex" else "hex"))
        self._build()
        self.setFocusProxy(self.sheet)
        self.model.moved.connect(self._tell)
        self.model.changed.connect(self._tell)
        self.model.source_changed.connect(self._tell)
        self.sheet.column_changed.connect(self._tell)
        self._tell()

    def _build(self) -> None:
        self.foot = QHBoxLayout()
        self.foot.setContentsMargins(8, 2, 8, 2)
        self.foot.setSpacing(4)
        self.foot.addWidget(self.place, 1)
        self.foot.addWidget(self.side)
        self.foot.addWidget(self.mode)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.sheet, 1)
        column.addLayout(self.foot)

    def _button(self, text: str, tip: str, run: object) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("plain")
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip.split(" (")[0])
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(run)
        return button

    def sizeHint(self) -> QSize:
        return QSize(720, 260)

    def set_zoom(self, zoom: float) -> None:
        self.sheet.set_zoom(zoom)

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
        self._session.message.emit(f"Copied {len(data):,} byte{'s' if len(data) != 1 else ''}")

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

    def _tell(self) -> None:
        self.place.setText(self.sheet.describe())
        self.mode.setText("Insert" if self.model.insert else "Overwrite")
        self.mode.setEnabled(self.model.is_text)
        self.side.setText("Hex" if self.sheet.column == "hex" else "Text")
