"""Tokens of a text of whose tokenizer nothing is known that would allow less: the whole is encoded anew.

A text of up to AT_ONCE bytes at every edit; a longer one loses its tokens at an edit and gets them back by `fill`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .document_incremental import TokenChange
from .store import TextStore
from .tokenizer import Encoding, SpecialMode, Tokenizer

#: Bytes that are encoded in the course of an edit.
AT_ONCE = 1 << 16


class Whole:
    """`encoding` is of the text when `complete_to` is its length, else it has no tokens."""

    def __init__(self, tokenizer: Tokenizer, store: TextStore, special: SpecialMode) -> None:
        self.tokenizer, self.store, self.special = tokenizer, store, special
        self.complete_to = 0
        self._revision = 0
        self._nothing = replace(tokenizer.encode(b"", special=special), ids=np.zeros(0, np.int64),
                                starts=np.zeros(0, np.int64), ends=np.zeros(0, np.int64), kinds=np.zeros(0, np.uint8))
        self.encoding = self._nothing

    def fill_slice(self) -> None:
        if len(self.store) <= AT_ONCE:
            for _ in self.fill():
                pass

    def fill(self) -> Iterator[float]:
        while self.complete_to < len(self.store) or not self._done:
            revision = self._revision
            for step in self.tokenizer.encode_steps(self.store.data, self.special):
                if isinstance(step, Encoding):
                    self.encoding, self.complete_to, self._done = step, len(self.store), True
                    yield 1.0
                else:
                    yield step
                if revision != self._revision:
                    break

    _done = False

    def edit(self, byte_pos: int, removed: int, inserted: int) -> TokenChange:
        """The store has been edited: tell which tokens changed."""
        old = self.encoding
        self.encoding, self.complete_to, self._done = self._nothing, 0, False
        self._revision += 1
        self.fill_slice()
        return difference(old, self.encoding, byte_pos, removed, inserted)


def difference(old: Encoding, new: Encoding, byte_pos: int, removed: int, inserted: int) -> TokenChange:
    """The smallest run of tokens that differs: equal id and span before, equal id and moved span after the edit."""
    n = min(len(old), len(new))
    same = (old.ids[:n] == new.ids[:n]) & (old.starts[:n] == new.starts[:n]) & (old.ends[:n] == new.ends[:n])
    same &= old.ends[:n] <= byte_pos
    before = n if same.all() else int(np.argmin(same))
    room, shift = n - before, inserted - removed
    o, w = slice(len(old) - room, None), slice(len(new) - room, None)
    same = (old.ids[o] == new.ids[w]) & (old.starts[o] + shift == new.starts[w]) & (old.ends[o] + shift == new.ends[w])
    same &= old.starts[o] >= byte_pos + removed
    same = same[::-1]
    after = room if same.all() else int(np.argmin(same))
    return TokenChange(before, len(old) - before - after, len(new) - before - after)
