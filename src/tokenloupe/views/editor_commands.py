"""The editor's actions by name: what menus, keys and other panels call.

A mixin of EditorView, so that `view.paste`, `view.find_next` or `view.go_to_token` can be handed to an action as they
are. Everything that changes the text goes through `replace`, and nothing does in read-only mode.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from ..core.errors import InputError
from . import editor_menu
from .editor_clipboard import bytes_of, files_of, from_hex, mime_of, unescape
from .editor_moves import Place

if TYPE_CHECKING:
    from .editor import EditorView as _View
else:
    _View = object

#: The smallest and largest zoom.
ZOOM = (0.4, 6.0)


class Commands:
    # Editing

    def replace(self: _View, start: int, end: int, data: bytes, kind: str) -> None:
        """Replace bytes start .. end, put the caret behind what came, and show it."""
        if self.read_only or (start == end and not data):
            return
        self._editing = True
        try:
            self.upstream = False
            self.session.edit(start, end - start, data, kind)
        finally:
            self._editing = False
        self._shown_caret()

    def _shown_caret(self: _View) -> None:
        self.goal_x = None
        if self.sheet.reveal(self.session.caret):
            self.scrolled()
        self._show_selection()

    def insert(self: _View, data: bytes, kind: str = "typing") -> None:
        """Type `data`: it takes the place of the selection (in overwrite mode, of the next character)."""
        start, end = self.session.selection
        if start == end and self.overwrite and kind in ("typing", "ime") and data not in (b"", b"\n"):
            stop = self.moves.block_end(start)
            end = min(self.moves.next(start), max(stop, start))
        self.replace(start, end, data, kind)

    def undo(self: _View) -> None:
        if not self.read_only and self.session.undo():
            self._shown_caret()

    def redo(self: _View) -> None:
        if not self.read_only and self.session.redo():
            self._shown_caret()

    def _delete(self: _View, start: int, end: int, kind: str) -> None:
        low, high = self.session.selection
        if low < high:
            start, end, kind = low, high, "cut"
        self.replace(min(start, end), max(start, end), b"", kind)

    def backspace(self: _View) -> None:
        caret = self.session.caret
        self._delete(self.moves.backspace_from(caret) if caret else 0, caret, "backspace")

    def delete(self: _View) -> None:
        self._delete(self.session.caret, self.moves.next(self.session.caret), "delete")

    def delete_word_left(self: _View) -> None:
        self._delete(self.moves.word_left(self.session.caret), self.session.caret, "delete word")

    def delete_word_right(self: _View) -> None:
        self._delete(self.session.caret, self.moves.word_right(self.session.caret), "delete word")

    def delete_to_line_end(self: _View) -> None:
        end = self.moves.block_end(self.session.caret)
        self._delete(self.session.caret, end if end > self.session.caret else self.moves.next(end), "delete line")

    def delete_line(self: _View) -> None:
        start, end = self.moves.block(self.session.caret)
        self.replace(start, end, b"", "delete line")

    # Clipboard

    def copy(self: _View) -> None:
        low, high = self.session.selection
        if low < high:
            QGuiApplication.clipboard().setMimeData(mime_of(self.bytes(low, high)))

    def cut(self: _View) -> None:
        low, high = self.session.selection
        if low < high:
            self.copy()
            self.replace(low, high, b"", "cut")

    def paste(self: _View) -> None:
        """The clipboard's bytes as they are: no line end, space or mark is changed."""
        mime = QGuiApplication.clipboard().mimeData()
        if mime is None or self.read_only:
            return
        data = bytes_of(mime)
        if data:
            self.insert(data, "paste")
        elif files := files_of(mime):
            self.open_files(files)

    def _paste_parsed(self: _View, parse: object) -> None:
        mime = QGuiApplication.clipboard().mimeData()
        if mime is None or self.read_only:
            return
        try:
            self.insert(parse(bytes_of(mime).decode("utf-8", "replace")), "paste")  # type: ignore[operator]
        except InputError as error:
            self.session.failed.emit(str(error))

    def paste_escapes(self: _View) -> None:
        r"""The clipboard's text with \xff, \u200d, \ud83d ... read as bytes and characters."""
        self._paste_parsed(unescape)

    def paste_hex(self: _View) -> None:
        """The clipboard's hexadecimal digits as bytes."""
        self._paste_parsed(from_hex)

    def copy_ids(self: _View) -> None:
        if ids := editor_menu.ids_of_selection(self):
            editor_menu.set_clipboard_text(" ".join(map(str, ids)))

    def copy_hex(self: _View) -> None:
        low, high = self.session.selection
        if low < high:
            editor_menu.set_clipboard_text(self.bytes(low, high).hex(" "))

    def open_files(self: _View, files: list[Path]) -> None:
        """Dropped or pasted files: the window's handler decides; without one the first becomes the text."""
        self.files_dropped.emit(files)
        if self.file_handler is not None:
            self.file_handler(files)
            return
        if self.read_only:
            return
        try:
            data = files[0].read_bytes()
        except OSError as error:
            self.session.failed.emit(f"{files[0].name} cannot be read: {error.strerror or error}")
            return
        self.session.set_data(data, files[0].name)

    # Selection and places

    def select_all(self: _View) -> None:
        self.select(0, len(self.session), reveal=False)

    def go_to_byte(self: _View, byte_pos: int) -> None:
        """The caret before a byte; inside a character it stands where the byte is."""
        self.move_to(Place(min(max(byte_pos, 0), len(self.session))), False)
        self.setFocus()

    def go_to_token(self: _View, token_index: int) -> None:
        """Select a token by its index in the document."""
        window = self.session.document.tokens(token_index, token_index + 1)
        if len(window):
            self.select(int(window.starts[0]), int(window.ends[0]))
            self.setFocus()

    # Looks

    def set_zoom(self: _View, zoom: float) -> None:
        zoom = min(max(zoom, ZOOM[0]), ZOOM[1])
        if zoom != self.zoom:
            self.zoom = zoom
            self.restyle()
            self.zoom_changed.emit(zoom)

    def zoom_in(self: _View) -> None:
        self.set_zoom(self.zoom * 1.1)

    def zoom_out(self: _View) -> None:
        self.set_zoom(self.zoom / 1.1)

    def set_wrap(self: _View, on: bool) -> None:
        self.sheet.wrap, self.sheet.x = on, 0.0
        self.restyle()

    def set_show_spaces(self: _View, on: bool) -> None:
        """Spaces, tabs and line ends as small signs."""
        self.sheet.show_spaces = on
        self.restyle()

    def set_show_controls(self: _View, on: bool) -> None:
        """Byte order marks, joiners, bidi controls and their like as labels."""
        self.sheet.show_controls = on
        self.restyle()

    def set_show_cells(self: _View, on: bool) -> None:
        """The bytes of split characters beneath their line."""
        self.sheet.cells = on
        self.restyle()

    def set_line_numbers(self: _View, on: bool) -> None:
        self.sheet.numbers = on
        self.restyle()

    def set_read_only(self: _View, on: bool) -> None:
        self.read_only = on
        self.updateMicroFocus()

    def scroll_lines(self: _View, lines: int) -> None:
        """Scroll without moving the caret."""
        self.sheet.scroll_by(lines * self.line_height)
        self.scrolled()
