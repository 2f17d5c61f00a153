"""What the hex view shows and does, without pixels: a source of bytes, a caret, a selection, moves and edits.

    model = HexModel(session)
    model.move("right", extend=True)        # the session's selection, so every view follows
    model.digit(2); model.digit(8)          # the byte under the caret is 0x28 now; session.undo() takes it back
    model.show(FileSource(path))            # any file instead of the text, to look at only

A caret is a place between bytes, as everywhere: it stands before the byte it is drawn on. A byte is written when its
second digit is typed; until then the first is `half`, and moving away drops it, so that no half byte gets into a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from ..core.bytelane_words import words_of
from ..core.hexsource import FileSource, Source, character_at
from .token_colours import TokenColours

if TYPE_CHECKING:
    from .session import Session

Where = Literal["left", "right", "up", "down", "row_start", "row_end", "start", "end", "page_up", "page_down",
                "unit_left", "unit_right", "character_left", "character_right"]


class _Text:
    """The session's text as a source."""

    name = ""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __len__(self) -> int:
        return len(self._session)

    def bytes(self, start: int, end: int) -> bytes:
        return self._session.document.store.bytes(start, end)


class HexModel(QObject):
    """source_changed: other bytes altogether. changed: bytes or tokens. moved: caret, selection, half byte or mode.

    row: bytes a row, set by the view. page: rows a page. insert: typed bytes push the others on; else they replace.
    """

    source_changed = Signal()
    changed = Signal()
    moved = Signal()
    hovered = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.colours = TokenColours.of(session)
        self._text = _Text(session)
        self.source: Source = self._text
        self.row, self.page = 16, 8
        self.insert = False
        #: The first digit of a byte that is being typed, None for none.
        self.half: int | None = None
        self._anchor = self._caret = 0  # of a file; the text's are the session's
        session.document_changed.connect(self._document_changed)
        session.tokenizer_changed.connect(self.changed)
        session.selection_changed.connect(self._selection_changed)
        session.hover_changed.connect(self._hover_changed)

    # What is shown

    @property
    def is_text(self) -> bool:
        return self.source is self._text

    def show(self, file: FileSource | None) -> None:
        """A file, to look at only; None: the text again. A file shown before is closed."""
        if isinstance(self.source, FileSource):
            self.source.close()
        self.source = self._text if file is None else file
        self._anchor = self._caret = 0
        self.half = None
        self.source_changed.emit()
        self.moved.emit()

    def renew(self, file: FileSource) -> None:
        """The file that is shown, opened again because it has changed: caret and place stay where they can."""
        if isinstance(self.source, FileSource):
            self.source.close()
        self.source = file
        self._anchor, self._caret = min(self._anchor, len(file)), min(self._caret, len(file))
        self.changed.emit()
        self.moved.emit()

    def __len__(self) -> int:
        return len(self.source)

    def owners(self, start: int, end: int) -> NDArray[np.int64]:
        """Token index of each byte start..end, int64 (end - start,); -1 where there is none (in a file: everywhere)."""
        owner = np.full(max(end - start, 0), -1, np.int64)
        if not self.is_text or start >= end:
            return owner
        window = self.session.document.window(start, end)
        starts, ends = window.starts - start, window.ends - start
        if len(window) and (np.diff(starts) >= 0).all() and (starts[1:] >= ends[:-1]).all():
            places = np.arange(len(owner))
            index = np.searchsorted(starts, places, "right") - 1
            inside = (index >= 0) & (places < ends[np.maximum(index, 0)])
            return np.where(inside, index + window.first_index, -1)
        for k in reversed(range(len(window))):  # out of order or overlapping: of several, the first has the byte
            owner[max(int(starts[k]), 0) : max(int(ends[k]), 0)] = window.first_index + k
        return owner

    def unit_at(self, byte_pos: int) -> tuple[int, int]:
        """The token that holds the byte; where there is none the character, at last the byte itself."""
        if self.is_text and 0 <= byte_pos < min(len(self), self.session.document.complete_to):
            document = self.session.document
            index = document.token_at(byte_pos)
            if index >= 0:
                window = document.tokens(index, index + 1)
                return int(window.starts[0]), int(window.ends[0])
        return self.character_span(byte_pos)

    def token_words(self, byte_pos: int) -> str:
        """The token that holds a byte, for a screen reader; "" where there is none, and in a file."""
        document = self.session.document if self.is_text else None
        if document is None or not 0 <= byte_pos < document.complete_to or (index := document.token_at(byte_pos)) < 0:
            return ""
        return words_of(document, document.tokens(index, index + 1), 0)

    def character_span(self, byte_pos: int) -> tuple[int, int]:
        found = character_at(self.source, byte_pos) if 0 <= byte_pos < len(self) else None
        return found[:2] if found else (byte_pos, min(byte_pos + 1, len(self)))

    # Caret and selection

    @property
    def caret(self) -> int:
        return self.session.caret if self.is_text else self._caret

    @property
    def anchor(self) -> int:
        return self.session.anchor if self.is_text else self._anchor

    @property
    def selection(self) -> tuple[int, int]:
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    def select(self, anchor: int, caret: int) -> None:
        half, self.half = self.half, None
        if self.is_text:
            before = self.session.anchor, self.session.caret
            self.session.select(anchor, caret)
            if half is None or (self.session.anchor, self.session.caret) != before:
                return  # the session has told it
        else:
            self._anchor, self._caret = (min(max(p, 0), len(self)) for p in (anchor, caret))
        self.moved.emit()

    def select_all(self) -> None:
        self.select(0, len(self))

    def move(self, where: Where, extend: bool = False) -> None:
        start, end = self.selection
        if start < end and not extend and where in ("left", "right"):
            place = start if where == "left" else end
        else:
            place = self._moved(where, self.caret)
        place = min(max(place, 0), len(self))
        self.select(self.anchor if extend else place, place)

    def _moved(self, where: Where, at: int) -> int:
        row, above = at % self.row, at // self.row
        if where in ("unit_left", "unit_right", "character_left", "character_right"):
            span = self.unit_at if where.startswith("unit") else self.character_span
            return span(at - 1)[0] if where.endswith("left") and at else span(at)[1] if at < len(self) else at
        # Up keeps its column: it ends in the first row.
        steps = {"left": -1, "right": 1, "up": -self.row * min(1, above), "down": self.row, "row_start": -row,
                 "row_end": self.row - 1 - row, "page_up": -self.row * min(self.page, above),
                 "page_down": self.row * self.page, "start": -at, "end": len(self) - at}
        return at + steps[where]

    # Editing

    def put(self, data: bytes, kind: str = "hex") -> None:
        """Write bytes at the caret: over what is there (never changing what follows), or, when inserting, in place of
        the selection. One step of undo."""
        if not data or not self._may_edit():
            return
        start, end = self.selection
        removed = end - start if self.insert else min(len(data), len(self) - start)
        self.half = None
        self.session.edit(start, removed, data, kind)

    def digit(self, value: int) -> None:
        """One hexadecimal digit, 0..15: the first half of a byte, or the second, which writes it."""
        if not self._may_edit():
            return
        if self.half is None:
            start = self.selection[0]
            if not self.insert and self.anchor != self.caret:
                self.session.select(start, start)
            self.half = value
            self.moved.emit()
        else:
            self.put(bytes([self.half << 4 | value]))

    def remove(self, forward: bool = True) -> None:
        """Delete the selection, or the byte at the caret (forward) or before it."""
        if self.half is not None:
            self.drop_half()
            return
        if not self._may_edit():
            return
        start, end = self.selection
        if start == end:
            start, end = (start, min(start + 1, len(self))) if forward else (max(start - 1, 0), start)
        if start < end:
            self.session.edit(start, end - start, b"", "hex")

    def drop_half(self) -> None:
        if self.half is not None:
            self.half = None
            self.moved.emit()

    def set_insert(self, on: bool) -> None:
        self.insert = on
        self.moved.emit()

    def _may_edit(self) -> bool:
        if not self.is_text:
            self.session.message.emit(f"{self.source.name} is shown, not edited: only the text can be edited here")
        return self.is_text

    # Hover

    @property
    def hover(self) -> tuple[int, int]:
        return self.session.hover if self.is_text else (-1, -1)

    def hover_at(self, byte_pos: int) -> None:
        """The token under the pointer lights in every view; -1: nothing is under it."""
        if self.is_text:
            self.session.hover_at(*(self.unit_at(byte_pos) if 0 <= byte_pos < len(self) else (-1, -1)))

    # Inside

    def _document_changed(self) -> None:
        if self.is_text:
            self.half = None
            self.changed.emit()

    def _selection_changed(self) -> None:
        if self.is_text:
            self.half = None
            self.moved.emit()

    def _hover_changed(self) -> None:
        if self.is_text:
            self.hovered.emit()
