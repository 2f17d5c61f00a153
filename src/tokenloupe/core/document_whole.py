"""Tokens of a text of whose tokenizer nothing is known that would allow less: the whole is encoded anew.

A text of up to AT_ONCE bytes at every edit; a longer one loses its tokens at an edit and gets them back by `fill`.
Where the tokenizer has seams (seams.py) and two of them are near an edit, only what lies between them is encoded:

    ... | context | kept as it was  ^edit^  kept as it was | context | ...
        outer     inner                                  inner      outer

The text between the outer seams is encoded, and the tokens between the inner ones take the place of the old. What the
ends of that text do to it (a prefix, a space that is dropped) stays in the context.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .document_pieces import Columns, TokenChange, leading
from .roundtrip import UNEXPLAINED
from .seams import Seams
from .store import TextStore
from .token_gap import LostTable, TokenGap, ascending
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer

#: Bytes that are encoded in the course of an edit.
AT_ONCE = 1 << 16
#: Bytes before and behind a place that is previewed, which are encoded with it.
AROUND = 1024


class Whole:
    """Has tokens of all the text when `complete_to` is its length, else none."""

    def __init__(self, tokenizer: Tokenizer, store: TextStore, special: SpecialMode) -> None:
        self.tokenizer, self.store, self.special = tokenizer, store, special
        self._revision = 0
        self._nothing = replace(tokenizer.encode(b"", special=special), ids=np.zeros(0, np.int64),
                                starts=np.zeros(0, np.int64), ends=np.zeros(0, np.int64), kinds=np.zeros(0, np.uint8))
        self._encoding: Encoding | None = self._nothing  # None: what the gap has was not judged as a whole
        self._gap: TokenGap | None = None  # the tokens, once a part of them is looked for by place
        self._lost: LostTable | None = None  # what of the text, made with the gap
        self._done = False
        self._before = self._nothing  # the tokens before the edits since, which were at byte `_edited` and behind it
        self._edited = self._shift = 0

    @property
    def complete_to(self) -> int:
        return len(self.store) if self._done else 0

    @property
    def encoding(self) -> Encoding:
        """All tokens with their verdict. After an edit that left most of them alone this decodes the whole text."""
        if self._encoding is None:
            made = replace(self._unjudged(), data=self.store.data,
                           lost=tuple(x for x in self._located().all() if x.stage != UNEXPLAINED))
            self._encoding = self.tokenizer.judged(made, self.special)
            self._lost = LostTable(self._encoding.lost)
        return self._encoding

    @property
    def exact(self) -> bool:
        """Of tokens that were not judged as a whole: is nothing known to be lost?"""
        return self._encoding.exact if self._encoding is not None else not len(self._located())

    def lost_in(self, byte_start: int, byte_end: int) -> list[Lost]:
        """What of these bytes is lost, as far as is known."""
        return self._located().touching(byte_start, byte_end)

    def _located(self) -> LostTable:
        """What is lost. Made once for an encoding, and so is the gap where its tokens can be searched by place."""
        if self._lost is None:
            e = self.encoding
            self._lost = LostTable(e.lost)
            self._gap = TokenGap(e.ids, e.starts, e.ends, e.kinds) if ascending(e.starts, e.ends) else None
        return self._lost

    def __len__(self) -> int:
        return len(self._gap) if self._encoding is None and self._gap is not None else len(self.encoding)

    def tokens(self, first: int, last: int) -> Columns:
        """ids, starts, ends, kinds of tokens first .. last-1, which exist."""
        if self._encoding is None and self._gap is not None:
            return self._gap.tokens(first, last)
        e, cut = self.encoding, slice(first, last)
        return e.ids[cut], e.starts[cut], e.ends[cut], e.kinds[cut]

    def touching(self, byte_start: int, byte_end: int) -> tuple[int, int]:
        """(first, last + 1) of the tokens that share a byte with the range; of those that touch it when it is empty."""
        at_place = byte_start >= byte_end
        if self._gap is not None:
            gap = self._gap
            low = gap.ending_to(byte_start - 1 if at_place else byte_start)
            high = gap.starting_before(byte_start + 1 if at_place else byte_end)
            return (low, high) if low < high else (0, 0)
        e = self.encoding
        hit = np.flatnonzero((e.starts <= byte_start) & (e.ends >= byte_start) if at_place
                             else (e.starts < byte_end) & (e.ends > byte_start))
        return (int(hit[0]), int(hit[-1]) + 1) if len(hit) else (0, 0)

    def token_at(self, byte_pos: int) -> int:
        """The first token that holds the byte, -1 when none does."""
        if self._gap is not None:
            index = self._gap.ending_to(byte_pos)
            return index if index < self._gap.starting_before(byte_pos + 1) else -1
        e = self.encoding
        hit = np.flatnonzero((e.starts <= byte_pos) & (e.ends > byte_pos))
        return int(hit[0]) if len(hit) else -1

    def fill_slice(self) -> None:
        if len(self.store) <= AT_ONCE:
            for _ in self.fill():
                pass

    def fill(self) -> Iterator[float]:
        while not self._done:
            revision = self._revision
            for step in self.tokenizer.encode_steps(self.store.data, self.special):
                if isinstance(step, Encoding):
                    if len(self.store) > AT_ONCE:
                        Seams.of(self.tokenizer)  # what the first edit would wait for
                    self._encoding, self._gap, self._lost, self._done = step, None, None, True
                    yield 1.0
                else:
                    yield step
                if revision != self._revision:
                    break

    def edit(self, byte_pos: int, removed: int, inserted: int) -> TokenChange:
        """The store has been edited: tell which tokens changed."""
        if self._done and (change := self._between_seams(byte_pos, removed, inserted)) is not None:
            self._revision += 1
            return change
        old = self.encoding if self._encoding is not None else self._unjudged()
        if self._done:
            self._before, self._edited, self._shift = old, byte_pos, 0
        self._edited, self._shift = min(self._edited, byte_pos), self._shift + inserted - removed
        self._encoding, self._gap, self._lost, self._done = self._nothing, None, None, False
        self._revision += 1
        self.fill_slice()
        return difference(old, self.encoding, byte_pos, removed, inserted)

    def _unjudged(self) -> Encoding:
        assert self._gap is not None
        return _with(self._nothing, self._gap.tokens(0, len(self._gap)))

    def _between_seams(self, byte_pos: int, removed: int, inserted: int) -> TokenChange | None:
        """The edit done to the tokens between the seams around it; None when that cannot be."""
        seams, store, shift = Seams.of(self.tokenizer), self.store, inserted - removed
        if seams is None or inserted > AT_ONCE:
            return None
        low = self._outward(seams, byte_pos, -1)
        high = self._outward(seams, byte_pos + inserted, 1)
        outer, stop = self._outward(seams, low, -1), self._outward(seams, high, 1)
        if outer and store.bytes(outer, outer + 1) == b" ":
            outer += 1  # at the start of a text it may be dropped by the decoder: that is no loss of this one
        if stop - outer > AT_ONCE:
            return None
        known, gap = self._located(), self._gap
        if gap is None:
            return None
        first, last = _between(gap, low, high - shift, high == len(store))
        made = self.tokenizer.encode(store.bytes(outer, stop), special=self.special)
        if first < 0 or not ascending(made.starts, made.ends):
            return None
        fresh = TokenGap(made.ids, made.starts + outer, made.ends + outer, made.kinds)
        begin, end = _between(fresh, low, high, high == len(store))
        if begin < 0:
            return None
        old, new = gap.tokens(first, last), fresh.tokens(begin, end)
        gap.splice(first, last, *new, shift)
        lost = [Lost(x.start + outer, x.end + outer, x.stage) for x in made.lost]
        known.splice(low, high - shift, lost, shift, high == len(store))
        self._encoding = None
        change = difference(_with(self._nothing, old), _with(self._nothing, new), byte_pos, removed, inserted)
        return TokenChange(first + change.first, change.removed, change.inserted)

    def _outward(self, seams: Seams, byte_pos: int, way: int) -> int:
        """The next seam that an edit at byte_pos has no part in, before it (way -1) or behind it; else the text's
        start or end."""
        if way < 0:
            found = seams.last_before(self.store, byte_pos - seams.margin)
            return 0 if found is None else found
        found = seams.first_from(self.store, byte_pos + seams.margin)
        return len(self.store) if found is None else found

    def preview(self, byte_start: int, byte_end: int) -> tuple[int, Columns]:
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
        first = int(starts[hit[0]]) if len(hit) else 0
        guess = int(self._before.starts.searchsorted(first if first < self._edited else first - self._shift))
        return guess, (made.ids[cut], starts[cut], ends[cut], made.kinds[cut])


def _with(nothing: Encoding, columns: Columns) -> Encoding:
    ids, starts, ends, kinds = columns
    return replace(nothing, ids=ids, starts=starts, ends=ends, kinds=kinds)


def _between(tokens: TokenGap, low: int, high: int, to_end: bool) -> tuple[int, int]:
    """(first, last + 1) of the tokens from seam to seam (0: the text's start; to_end: its end); (-1, -1): one lies
    across."""
    first = tokens.starting_before(low) if low else 0
    last = len(tokens) if to_end else tokens.starting_before(high)
    if (low and tokens.ending_to(low) < first) or (not to_end and tokens.ending_to(high) < last):
        return -1, -1
    return first, last


def difference(old: Encoding, new: Encoding, byte_pos: int, removed: int, inserted: int) -> TokenChange:
    """The smallest run of tokens that differs: equal id and span before, equal id and moved span after the edit."""
    n = min(len(old), len(new))
    same = (old.ids[:n] == new.ids[:n]) & (old.starts[:n] == new.starts[:n]) & (old.ends[:n] == new.ends[:n])
    same &= old.ends[:n] <= byte_pos
    before = leading(same)
    room, shift = n - before, inserted - removed
    o, w = slice(len(old) - room, None), slice(len(new) - room, None)
    same = (old.ids[o] == new.ids[w]) & (old.starts[o] + shift == new.starts[w]) & (old.ends[o] + shift == new.ends[w])
    same &= old.starts[o] >= byte_pos + removed
    after = leading(same[::-1])
    return TokenChange(before, len(old) - before - after, len(new) - before - after)
