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

from .store import TextStore
from .tokenizer import Encoding, SpecialMode, Tokenizer
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
    """data: the text, any bytes. special: how special tokens in it are treated (see tokenizer.SpecialMode)."""

    def __init__(self, tokenizer: Tokenizer, data: bytes = b"", special: SpecialMode | Iterable[str] = "text") -> None:
        self.store = TextStore(data)
        self.tokenizer = tokenizer
        self.special: SpecialMode = tokenizer.special_mode(special)
        self._encode()

    def _encode(self) -> None:
        self._encoding = self.tokenizer.encode(self.store.data, special=self.special)

    def __len__(self) -> int:
        return len(self.store)

    @property
    def data(self) -> bytes:
        return self.store.data

    @property
    def complete_to(self) -> int:
        """Tokens exist up to this byte. len(self) when all is done."""
        return len(self.store)

    @property
    def complete(self) -> bool:
        return self.complete_to >= len(self.store)

    @property
    def token_count(self) -> int:
        """Number of tokens there are so far."""
        return len(self._encoding)

    @property
    def exact(self) -> bool:
        """Do the tokens decode to the text, byte for byte?"""
        return self._encoding.exact

    def fill(self) -> Iterator[float]:
        """Make the tokens that are still missing in slices of about 8 ms; yields progress 0..1."""
        yield 1.0

    def edit(self, byte_pos: int, removed: int, inserted: bytes) -> Change:
        """Replace `removed` bytes at byte_pos by `inserted`. ValueError when the range is not in the text."""
        self.store.replace(byte_pos, removed, inserted)
        old = self._encoding
        self._encode()
        return _difference(old, self._encoding, byte_pos, removed, len(inserted))

    def set_data(self, data: bytes) -> None:
        """Another text."""
        self.store = TextStore(data)
        self._encode()

    def set_tokenizer(self, tokenizer: Tokenizer, special: SpecialMode | Iterable[str] | None = None) -> None:
        """Another tokenizer for the same text. Without `special` the mode stays where the new one can have it."""
        if special is None:
            special = self.special
            if isinstance(special, frozenset):
                special = frozenset(s for s in special if s in tokenizer.special_tokens) or "text"
        self.special = tokenizer.special_mode(special)
        self.tokenizer = tokenizer
        self._encode()

    def set_special(self, special: SpecialMode | Iterable[str]) -> None:
        self.special = self.tokenizer.special_mode(special)
        self._encode()

    def tokens(self, first: int, last: int) -> TokenWindow:
        """Tokens first .. last-1 (clamped)."""
        first = max(first, 0)
        e, cut = self._encoding, slice(first, max(last, first))
        return TokenWindow(first, e.ids[cut], e.starts[cut], e.ends[cut], e.kinds[cut])

    def window(self, byte_start: int, byte_end: int) -> TokenWindow:
        """The tokens that share a byte with byte_start .. byte_end (a position when equal: those it touches)."""
        e = self._encoding
        if byte_start >= byte_end:
            hit = np.flatnonzero((e.starts <= byte_start) & (e.ends >= byte_start))
        else:
            hit = np.flatnonzero((e.starts < byte_end) & (e.ends > byte_start))
        return self.tokens(int(hit[0]), int(hit[-1]) + 1) if len(hit) else self.tokens(0, 0)

    def token_at(self, byte_pos: int) -> int:
        """Index of the token that holds the byte at byte_pos; at the end of the text the last one; -1: none."""
        e = self._encoding
        if byte_pos >= len(self.store):
            return len(e) - 1
        hit = np.flatnonzero((e.starts <= byte_pos) & (e.ends > byte_pos))
        return int(hit[0]) if len(hit) else -1

    def encoding(self) -> Encoding:
        """All tokens as an Encoding of the whole text."""
        return self._encoding


def _difference(old: Encoding, new: Encoding, byte_pos: int, removed: int, inserted: int) -> Change:
    """The smallest run of tokens that differs: equal id and span before, equal id and moved span after the edit."""
    n = min(len(old), len(new))
    same = (old.ids[:n] == new.ids[:n]) & (old.starts[:n] == new.starts[:n]) & (old.ends[:n] == new.ends[:n])
    same &= old.ends[:n] <= byte_pos
    before = n if same.all() else int(np.argmin(same))
    room, shift = n - before, inserted - removed
    back = slice(None, None, -1)
    o, w = slice(len(old) - room, None), slice(len(new) - room, None)
    same = (old.ids[o] == new.ids[w]) & (old.starts[o] + shift == new.starts[w]) & (old.ends[o] + shift == new.ends[w])
    same &= old.starts[o] >= byte_pos + removed
    same = same[back]
    after = room if same.all() else int(np.argmin(same))
    return Change(byte_pos, removed, inserted, before, len(old) - before - after, len(new) - before - after)
