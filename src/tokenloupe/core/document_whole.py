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
#: Bytes before and behind a place that is previewed, which are encoded with it.
AROUND = 1024


class Whole:
    """`encoding` is of the text when `complete_to` is its length, else it has no tokens."""

    def __init__(self, tokenizer: Tokenizer, store: TextStore, special: SpecialMode) -> None:
        self.tokenizer, self.store, self.special = tokenizer, store, special
        self.complete_to = 0
        self._revision = 0
        self._nothing = replace(tokenizer.encode(b"", special=special), ids=np.zeros(0, np.int64),
                                starts=np.zeros(0, np.int64), ends=np.zeros(0, np.int64), kinds=np.zeros(0, np.uint8))
        self.encoding = self._nothing
        self._before = self._nothing  # the tokens before the edits since, which were at byte `_edited` and behind it
        self._edited = self._shift = 0

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
        if self._done:
            self._before, self._edited, self._shift = old, byte_pos, 0
        self._edited, self._shift = min(self._edited, byte_pos), self._shift + inserted - removed
        self.encoding, self.complete_to, self._done = self._nothing, 0, False
        self._revision += 1
        self.fill_slice()
        return difference(old, self.encoding, byte_pos, removed, inserted)

    def preview(self, byte_start: int, byte_end: int) -> tuple[int, Encoding]:
        """(a guess of the first one's index, tokens) near a place while there are none: from the text around it alone,
        between line ends where there are some."""
        low, high = max(byte_start - AROUND, 0), min(byte_end + AROUND, len(self.store))
        part = self.store.bytes(low, high)
        begin = part.find(b"\n", 0, byte_start - low) + 1 if low else 0
        end = part.rfind(b"\n", byte_end - low) + 1 if high < len(self.store) else len(part)
        made = self.tokenizer.encode(part[begin : end or len(part)], special=self.special)
        starts, ends = made.starts + low + begin, made.ends + low + begin
        hit = np.flatnonzero((starts < byte_end) & (ends > byte_start))
        cut = slice(int(hit[0]), int(hit[-1]) + 1) if len(hit) else slice(0, 0)
        made = replace(made, ids=made.ids[cut], starts=starts[cut], ends=ends[cut], kinds=made.kinds[cut], lost=())
        first = int(made.starts[0]) if len(made) else 0
        known = self._before.starts
        return int(np.searchsorted(known, first if first < self._edited else first - self._shift)), made


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
