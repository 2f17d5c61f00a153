"""Session: the one document, tokenizer, selection and hover that every view shares.

Byte offsets are the common coordinate. Views connect to the signals and never to each other; a view that caused a
change gets its own signal back and must cope (compare, then do nothing). Hovering never moves the selection.

    session = Session(tokenizer, "hi 😀".encode())
    session.document_changed.connect(view.tokens_changed)
    session.edit(2, 0, b"!")          # undoable; -> document_changed(Change), then selection_changed(3, 3)
    session.select(0, 2)              # every view marks bytes 0..2

A session made without a tokenizer (a window that has just opened, whose tokenizer is still being read) has text that
can be edited, but no `document` until set_tokenizer().
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ..core.store import TextStore
from .history import Edit, History
from .jobs import Jobs, Latest

if TYPE_CHECKING:
    from ..core.document import Change, Document
    from ..core.tokenizer import SpecialMode, Tokenizer

#: How often the views hear of new tokens while a large text is being tokenized, in seconds.
NEWS = 0.15


class Session(QObject):
    """Signals carry Python objects (`Signal(int)` is 32-bit).

    tokenizer_changed(): another tokenizer or special-token mode; everything is new.
    document_changed(Change): bytes or tokens changed; see core/document.py. While a large text is being tokenized it
        comes now and then with no bytes changed and tokens added at the end. Another text (opened, restored) is one
        Change that replaces everything.
    selection_changed(int byte_start, int byte_end): start <= end.   The caret is in `session.caret`.
    hover_changed(int byte_start, int byte_end): (-1, -1) when nothing is under the pointer.
    state_changed(): undo or redo became possible or not, the text became modified or saved, its name changed.
    message(str): one sentence for the status line.   failed(str): one sentence that something could not be done.
    """

    tokenizer_changed = Signal()
    document_changed = Signal(object)
    selection_changed = Signal(object, object)
    hover_changed = Signal(object, object)
    state_changed = Signal()
    message = Signal(str)
    failed = Signal(str)

    def __init__(self, tokenizer: Tokenizer | None = None, data: bytes = b"", *, special: SpecialMode = "text",
                 jobs: Jobs | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.jobs = jobs if jobs is not None else Jobs(self)
        self.jobs.failed.connect(self.failed)
        #: What the text is called: a file's name, or "".
        self.name = ""
        #: Counts the changes of the text; whoever keeps a copy compares it (crash recovery).
        self.revision = 0
        self._untokenized = TextStore(data)  # the text before there is a tokenizer
        self._special: SpecialMode = special
        self._document: Document | None = None
        self._history = History()
        self._anchor = self._caret = 0
        self._told = (0, 0)  # the selection that the views know of
        self._hover = (-1, -1)
        self._fill = Latest(self.jobs)
        self._stopped = False  # the user cancelled the tokenizing of a large text
        self._state = self._states()
        if tokenizer is not None:
            self.set_tokenizer(tokenizer)

    # What there is

    @property
    def ready(self) -> bool:
        """Is there a tokenizer, and with it a document?"""
        return self._document is not None

    @property
    def document(self) -> Document:
        """The text with its tokens. RuntimeError (a programming error) before there is a tokenizer."""
        if self._document is None:
            raise RuntimeError("the session has no tokenizer yet")
        return self._document

    @property
    def tokenizer(self) -> Tokenizer:
        return self.document.tokenizer

    @property
    def special(self) -> SpecialMode:
        return self._special if self._document is None else self._document.special

    @property
    def store(self) -> TextStore:
        """The text, with or without a tokenizer; to be read only."""
        return self._untokenized if self._document is None else self._document.store

    @property
    def data(self) -> bytes:
        """The whole text; O(n) after an edit, then free until the next."""
        return self.store.data

    def __len__(self) -> int:
        """Length of the text in bytes."""
        return len(self.store)

    @property
    def complete(self) -> bool:
        """False while a large text is still being tokenized (or that was cancelled)."""
        return self._document is None or self._document.complete

    # The text

    def edit(self, byte_pos: int, removed: int, inserted: bytes, kind: str = "edit",
             caret: int | None = None) -> Change:
        """Replace `removed` bytes at byte_pos by `inserted`, as one undoable edit.

        kind: "typing", "backspace" and "delete" coalesce into steps of a word; anything else ("paste", "cut", "drop",
        "replace", "ime") is a step of its own. caret: where it stands afterwards (default: behind what was inserted).
        ValueError when the range is not in the text.
        """
        if byte_pos < 0 or removed < 0 or byte_pos + removed > len(self):
            raise ValueError(f"bytes {byte_pos}..{byte_pos + removed} do not lie in a text of {len(self)} bytes")
        before = (self._anchor, self._caret)
        after = byte_pos + len(inserted) if caret is None else caret
        old = self.store.bytes(byte_pos, byte_pos + removed)
        edit = Edit(byte_pos, old, bytes(inserted), kind, before, (after, after))
        change = self._apply(edit)
        if old or inserted:
            self._history.push(edit)
        self._place(after, after)
        self._tell_state()
        return change

    @contextmanager
    def group(self) -> Iterator[None]:
        """All edits inside are taken back by one Undo (Replace all)."""
        self._history.begin_group()
        try:
            yield
        finally:
            self._history.end_group()

    def undo(self) -> bool:
        """Take the last step back; False when there is none."""
        return self._replay(self._history.undo())

    def redo(self) -> bool:
        return self._replay(self._history.redo())

    @property
    def can_undo(self) -> bool:
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        return self._history.can_redo

    @property
    def modified(self) -> bool:
        """Does the text differ from what was opened or last saved?"""
        return self._history.changed

    def mark_saved(self, name: str | None = None) -> None:
        self._history.mark_saved()
        if name is not None:
            self.name = name
        self._tell_state(always=True)

    def set_data(self, data: bytes, name: str = "", *, modified: bool = False) -> None:
        """Another text, from its start; there is nothing to undo. modified: it is not in any file (it was restored)."""
        from ..core.document import Change

        data = bytes(data)
        self._restart()
        self._history = History()
        if modified:
            self._history._saved = None
        self.name = name
        self.revision += 1
        old_bytes, old_tokens = len(self), 0
        if self._document is None:
            self._untokenized = TextStore(data)
        else:
            old_tokens = self._document.token_count
            self._document.set_data(data)
        self._hover_off()
        self._anchor = self._caret = 0
        tokens = 0 if self._document is None else self._document.token_count
        self.document_changed.emit(Change(0, old_bytes, len(data), 0, old_tokens, tokens))
        self._continue()
        self._place(0, 0, always=True)
        self._tell_state(always=True)

    # The tokenizer

    def set_tokenizer(self, tokenizer: Tokenizer, special: SpecialMode | Iterable[str] | None = None) -> None:
        """Another tokenizer for the same text. The special-token mode stays where the new one can have it."""
        from ..core.document import Document

        self._restart()
        if self._document is None:
            mode = self._special if special is None else special
            if isinstance(mode, frozenset):
                mode = frozenset(s for s in mode if s in tokenizer.special_tokens) or "text"
            self._document = Document(tokenizer, self._untokenized, mode)
        else:
            self._document.set_tokenizer(tokenizer, special)
        self._hover_off()
        self.tokenizer_changed.emit()
        self._continue()

    def set_special(self, special: SpecialMode | Iterable[str]) -> None:
        """"text", "parse", or the texts of the special tokens to match. InputError when one of them is unknown."""
        document = self.document
        mode = document.tokenizer.special_mode(special)
        if mode != document.special:
            self._restart()
            document.set_special(mode)
            self._hover_off()
            self.tokenizer_changed.emit()
            self._continue()

    def stop_filling(self) -> None:
        """Leave the rest of a large text without tokens; resume_filling() goes on."""
        self._fill.cancel()
        self._stopped = True

    def resume_filling(self) -> None:
        self._stopped = False
        self._continue()

    # Selection and hover, in bytes

    @property
    def selection(self) -> tuple[int, int]:
        """(byte_start, byte_end), start <= end; equal when nothing is selected."""
        return (self._anchor, self._caret) if self._anchor <= self._caret else (self._caret, self._anchor)

    @property
    def caret(self) -> int:
        return self._caret

    @property
    def anchor(self) -> int:
        """The end of the selection that does not move."""
        return self._anchor

    @property
    def hover(self) -> tuple[int, int]:
        return self._hover

    def select(self, byte_start: int, byte_end: int, caret: int | None = None) -> None:
        """Select byte_start .. byte_end (either order; clamped). caret: which of the two it is (default byte_end)."""
        size = len(self)
        a, b = min(max(byte_start, 0), size), min(max(byte_end, 0), size)
        if caret is not None and caret == byte_start and byte_start != byte_end:
            a, b = b, a
        if (a, b) != (self._anchor, self._caret):
            self._history.seal()
        self._place(a, b)

    def hover_at(self, byte_start: int, byte_end: int) -> None:
        """The bytes under the pointer; (-1, -1) for none."""
        if byte_start < 0:
            byte_start = byte_end = -1
        if (byte_start, byte_end) != self._hover:
            self._hover = (byte_start, byte_end)
            self.hover_changed.emit(byte_start, byte_end)

    # Inside

    def _apply(self, edit: Edit) -> Change:
        if self._document is None:
            from ..core.document import Change

            self._untokenized.replace(edit.byte_pos, len(edit.removed), edit.inserted)
            change = Change(edit.byte_pos, len(edit.removed), len(edit.inserted), 0, 0, 0)
        else:
            change = self._document.edit(edit.byte_pos, len(edit.removed), edit.inserted)
        self.revision += 1
        self._hover_off()
        # Before anyone hears of it: a selection must never lie outside the text.
        self._anchor, self._caret = min(self._anchor, len(self)), min(self._caret, len(self))
        self.document_changed.emit(change)
        self._continue()
        return change

    def _replay(self, edits: list[Edit]) -> bool:
        for edit in edits:
            self._apply(edit)
        if edits:
            self._place(*edits[-1].after)
            self._tell_state()
        return bool(edits)

    def _place(self, anchor: int, caret: int, always: bool = False) -> None:
        self._anchor, self._caret = anchor, caret
        if always or (anchor, caret) != self._told:
            self._told = (anchor, caret)
            self.selection_changed.emit(*self.selection)

    def _hover_off(self) -> None:
        self.hover_at(-1, -1)

    def _states(self) -> tuple[object, ...]:
        return self.can_undo, self.can_redo, self.modified, self.name

    def _tell_state(self, always: bool = False) -> None:
        state = self._states()
        if always or state != self._state:
            self._state = state
            self.state_changed.emit()

    def _continue(self) -> None:
        """Tokenize what of a large text has no tokens yet, in slices."""
        if self._document is None or self._document.complete or self._fill.running or self._stopped:
            return
        self._fill.start("Tokenizing", self._filling(self._document), cancelled=self._stop)

    def _stop(self) -> None:
        self._stopped = True

    def _restart(self) -> None:
        self._fill.cancel()
        self._stopped = False

    def _filling(self, document: Document) -> Iterator[float]:
        """document.fill(), telling the views of new tokens now and then."""
        from ..core.document import Change

        told, heard = document.token_count, time.monotonic()

        def on_change(change: Change) -> None:
            nonlocal told
            told += change.tokens_inserted - change.tokens_removed

        self.document_changed.connect(on_change)
        try:
            settled = told
            for fraction in document.fill():
                settled = min(settled, document.take_settled())
                now = time.monotonic()
                if now - heard > NEWS and document.token_count != told:
                    heard = now
                    settled = min(settled, told)
                    self.document_changed.emit(Change(document.complete_to, 0, 0, settled, told - settled,
                                                      document.token_count - settled))
                    settled = told
                yield fraction
            settled = min(settled, told)
            if document.token_count != settled:
                self.document_changed.emit(Change(len(document), 0, 0, settled, told - settled,
                                                  document.token_count - settled))
        finally:
            with suppress(RuntimeError):  # the session is gone already
                self.document_changed.disconnect(on_change)
