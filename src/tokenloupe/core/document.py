"""A text under edit with its tokens: edit(...) -> Change, always equal to encoding the whole text anew.

    >>> d = Document(tokenizer, b"hello world")
    >>> d.edit(5, 0, b"s")
    Change(byte_start=5, byte_removed=0, byte_inserted=1, first_token=0, tokens_removed=1, tokens_inserted=2)
    >>> d.window(0, 5).ids
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .document_anchor import CannotLex
from .document_incremental import MANY, Incremental
from .document_normal import NormalByteLevel, inside
from .document_pieces import TokenChange
from .document_whole import AT_ONCE, Whole
from .longedit import end_of_run
from .store import TextStore
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer, to_bytes
from .utf8 import is_valid
from .vocabulary import Int64s


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit did: bytes byte_start .. +byte_removed became byte_inserted bytes (counts, both), and of the tokens
    first_token .. +tokens_removed became tokens_inserted others. Tokens before are the same; those after only moved.
    """

    byte_start: int
    byte_removed: int
    byte_inserted: int
    first_token: int
    tokens_removed: int
    tokens_inserted: int


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """Tokens first_index .. +len: ids, starts, ends int64 (n,), kinds uint8 (n,) of TokenKind. Spans are byte offsets
    into the whole text; sorted and disjoint for byte-level tokenizers, any order otherwise.
    """

    first_index: int
    ids: Int64s
    starts: Int64s
    ends: Int64s
    kinds: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ids)


class Document:
    """data: the text, any bytes; a store is taken over as it is. special: how special tokens in it are treated (see
    tokenizer.SpecialMode).

    A long text is not finished when made: `fill` goes on, `complete_to` says how far it is.
    """

    def __init__(
        self, tokenizer: Tokenizer, data: bytes | str | TextStore = b"",
        special: SpecialMode | Iterable[str] = "text",
    ) -> None:
        self.store = data if isinstance(data, TextStore) else TextStore(to_bytes(data))
        self.tokenizer = tokenizer
        self.special: SpecialMode = tokenizer.special_mode(special)
        self._kept: Encoding | None = None
        self._begin()

    def _begin(self) -> None:
        self._kept = None
        try:
            self._tokens: Incremental | Whole = Incremental(inside(self.tokenizer), self.store, self.special)
            self._tokens.fill_slice()
        except CannotLex:
            self._tokens = Whole(self.tokenizer, self.store, self.special)
            self._tokens.fill_slice()

    def __len__(self) -> int:
        return len(self.store)

    @property
    def data(self) -> bytes:
        return self.store.data

    @property
    def complete_to(self) -> int:
        """Tokens exist up to this byte. len(self) when all is done."""
        return self._tokens.complete_to

    @property
    def complete(self) -> bool:
        return self.complete_to >= len(self.store)

    @property
    def token_count(self) -> int:
        """Number of tokens there are so far."""
        return len(self._tokens)

    def take_settled(self) -> int:
        """Tokens up to this number are as they were when this was last asked, but for edits: filling may take back the
        last ones before bytes that are no UTF-8."""
        if not isinstance(self._tokens, Incremental):
            return self.token_count
        settled, self._tokens.settled_to = self._tokens.settled_to, MANY
        return min(settled, self.token_count)

    @property
    def exact(self) -> bool:
        """Do the tokens decode to the text, byte for byte? (Of an unfinished text: those there are.)"""
        if isinstance(self._tokens, Whole):
            return self._tokens.exact
        return self.tokenizer.decoding_keeps(self.store.data)

    def lost_in(self, byte_start: int, byte_end: int) -> list[Lost]:
        """What of these bytes does not come back, as far as that is known without work: after an edit, what the text
        around it tells. (`encoding` has the verdict on the whole.)"""
        if isinstance(self._tokens, Whole):
            return self._tokens.lost_in(byte_start, byte_end) if self.complete else []
        return [] if self.exact else [x for x in self.encoding().lost if x.start < byte_end and x.end > byte_start]

    def fill(self) -> Iterator[float]:
        """Make the tokens that are still missing in slices of about 8 ms; yields progress 0..1."""
        while not self.complete:
            try:
                for progress in (part := self._tokens).fill():
                    self._kept = None
                    yield progress
                    if part is not self._tokens:
                        break
            except CannotLex:
                self._tokens = Whole(self.tokenizer, self.store, self.special)
        yield 1.0

    def edit(self, byte_pos: int, removed: int, inserted: bytes | str) -> Change:
        """Replace `removed` bytes at byte_pos by `inserted`. ValueError when the range is not in the text."""
        inserted = to_bytes(inserted)
        before = self._tokens
        old_count = self.token_count
        gone = self.store.replace(byte_pos, removed, inserted)
        self._kept = None
        if not removed and not inserted:
            return Change(byte_pos, 0, 0, old_count, 0, 0)
        try:
            change = before.edit(end_of_run(self.store, byte_pos, gone, inserted), removed, len(inserted))
        except CannotLex:
            # All is encoded as a whole from here on.
            self._tokens = Whole(self.tokenizer, self.store, self.special)
            self._tokens.fill_slice()
            change = TokenChange(0, old_count, self.token_count)
        else:
            if isinstance(before, Whole) and self._was_broken():
                self._begin()
                if isinstance(self._tokens, Incremental):
                    change = TokenChange(0, old_count, self.token_count)
        return Change(byte_pos, removed, len(inserted), change.first, change.removed, change.inserted)

    def _was_broken(self) -> bool:
        """May all have been encoded as a whole for bytes alone that were no UTF-8, or not normalized, and are gone?"""
        tokenizer = inside(self.tokenizer)
        if tokenizer is None or (tokenizer.broken_utf8 and not tokenizer.engine.missing):
            return False
        if isinstance(tokenizer, NormalByteLevel) and len(self.store) > AT_ONCE:
            return False  # that takes too long at every edit
        return is_valid(self.store.data)

    def set_data(self, data: bytes) -> None:
        """Another text."""
        self.store = TextStore(data)
        self._begin()

    def set_tokenizer(self, tokenizer: Tokenizer, special: SpecialMode | Iterable[str] | None = None) -> None:
        """Another tokenizer for the same text. Without `special` the mode stays where the new one can have it."""
        if special is None:
            special = self.special
            if isinstance(special, frozenset):
                special = frozenset(s for s in special if s in tokenizer.special_tokens) or "text"
        before = self.special, self.tokenizer, self._tokens
        try:
            self.special = tokenizer.special_mode(special)
            self.tokenizer = tokenizer
            self._begin()
        except BaseException:  # a fault of the program: the one in use stays
            self.special, self.tokenizer, self._tokens = before
            raise

    def set_special(self, special: SpecialMode | Iterable[str]) -> None:
        self.special = self.tokenizer.special_mode(special)
        self._begin()

    def tokens(self, first: int, last: int) -> TokenWindow:
        """Tokens first .. last-1 (clamped)."""
        first = min(max(first, 0), self.token_count)
        last = min(max(last, first), self.token_count)
        return TokenWindow(first, *self._tokens.tokens(first, last))

    def window(self, byte_start: int, byte_end: int) -> TokenWindow:
        """The tokens that share a byte with byte_start .. byte_end (a position when equal: those it touches)."""
        return self.tokens(*self._tokens.touching(byte_start, byte_end))

    def preview(self, byte_start: int, byte_end: int) -> TokenWindow:
        """For what is on screen while a long text is being filled: the tokens behind `complete_to` that touch the
        range, as they will be, as far as a part of the text can tell; none where it cannot. first_index is a guess."""
        first, columns = self._tokens.preview(byte_start, byte_end)
        return TokenWindow(first, *columns)

    def token_at(self, byte_pos: int) -> int:
        """Index of the token that holds the byte; at the end of the text the last one; -1: none."""
        if byte_pos >= len(self.store):
            return self.token_count - 1
        return self._tokens.token_at(byte_pos)

    def pre_token_edges(self, byte_start: int, byte_end: int) -> Int64s | None:
        """Byte edges of the pre-tokens that touch the range, as far as there are tokens; None where none are kept."""
        if not isinstance(self._tokens, Incremental):
            return None
        table = self._tokens.table
        first = table.piece_at_byte(max(byte_start, 0))
        last = min(table.piece_at_byte(max(byte_end - 1, byte_start, 0)) + 1, len(table))
        return np.array([table.piece_start(i) for i in range(first, last + 1)], np.int64)

    def encoding(self) -> Encoding:
        """All tokens as an Encoding of the whole text; finishes it first."""
        for _ in self.fill():
            pass
        part = self._tokens
        if isinstance(part, Whole):
            return part.encoding
        if self._kept is None:
            w = self.tokens(0, self.token_count)
            self._kept = Encoding(self.store.data, w.ids, w.starts, w.ends, w.kinds, self.tokenizer.vocabulary)
        return self._kept
