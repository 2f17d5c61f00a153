"""Pre-tokens of a part of a text, and proof of which of them are those of the whole text.

Why this may be done is told in document_anchor.py.

Bytes that are no UTF-8 go as the tokenizer has them (`broken_utf8`). Where each is a character of its own, nothing is
different. By tiktoken's rule the first of them makes one pre-token of all up to the section's end, and takes back the
pre-token before it: its start is no boundary to go on from, and how far it reaches back may not be known from a part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .document_anchor import CannotLex, Places, whole_chars
from .document_pieces import Run
from .store import TextStore
from .tokenizer import SpecialMode
from .vocabulary import Int64s

if TYPE_CHECKING:
    from .document_normal import Normal


class Uncertain(Exception):
    """The pre-tokens of a part cannot be told from its start on: from further back they can."""


@dataclass(frozen=True, slots=True)
class Lexed:
    """ends: byte offsets of the pre-tokens' ends, int64; ids: of the special or added token each is, -1 for text.
    seen: nothing from this byte on was looked at for them."""

    ends: Int64s
    ids: Int64s
    seen: int


class Lexer(Places):
    def __init__(self, tokenizer: ByteLevelTokenizer, special: SpecialMode) -> None:
        super().__init__(tokenizer, special)
        self._normal: Normal | None = getattr(tokenizer, "normal", None)

    def lex(self, store: TextStore, start: int, end: int) -> Lexed:
        """The pre-tokens from the boundary `start` on, as far as the text up to about `end` tells. May be none.

        Uncertain when bytes that are no UTF-8 may take back more than there is behind `start`."""
        whole = len(store)
        end = min(end, whole)
        while end < whole:
            part = whole_chars(store.bytes(start, end))
            end = start + len(part)
            if self.clear(store, end):
                break
            end = min(end + self.margin, whole)
        part = store.bytes(start, end)
        if self._normal is not None and not part.isascii() and not self._is_normal(store, start, end):
            raise CannotLex
        ends: list[Int64s] = []
        ids: list[Int64s] = []
        at = 0
        special: list[tuple[int, int, int]] = []
        if self._any_text is not None and self._any_text.search(part):
            special = self.tokenizer.matcher.matches(part, self.special)
        for a, b, token_id in [*special, (len(part), len(part), -1)]:
            if a > at:
                unfinished = a == len(part) and end < whole
                seen = a
                try:
                    found = self._section(part[at:a]) + at
                except UnicodeDecodeError as error:
                    if self.broken != "tail":
                        raise CannotLex from error
                    if unfinished:
                        return self.lex(store, start, self._section_end(store, start + at))
                    found = self._with_tail(part[at:a], error.start, at > 0 or start == 0) + at
                else:
                    if unfinished:
                        found, seen = self._settled(part, at, found)
                ends.append(found)
                ids.append(np.full(len(found), -1, np.int64))
                at = seen
            else:
                at = a
            if token_id >= 0:
                ends.append(np.array([b], np.int64))
                ids.append(np.array([token_id], np.int64))
                at = b
        none = [np.zeros(0, np.int64)]
        return Lexed(np.concatenate(ends or none) + start, np.concatenate(ids or none),
                     max(start + at, end + self.margin if self.margin else 0))

    def _is_normal(self, store: TextStore, start: int, end: int) -> bool:
        assert self._normal is not None
        try:
            return self._normal.is_normal(store, start, end)
        except UnicodeDecodeError as error:
            raise CannotLex from error

    def _section(self, section: bytes) -> Int64s:
        """Where the pre-tokens of a section end; UnicodeDecodeError when it is not for the pattern."""
        if self.broken is None:
            section.decode("utf-8")  # a splitter of its own may take bytes that are none
        try:
            starts, ends = self.splitter.spans(section)
        except UnicodeDecodeError:
            if self.broken != "each":
                raise
            classes, edges = self.splitter.broken_classes(section)
            starts, ends = (edges.take(x) for x in self.splitter.spans_of_classes(classes))
        if int((ends - starts).sum()) != len(section):
            raise CannotLex  # the pattern leaves something out
        return ends

    def _with_tail(self, section: bytes, good: int, is_start: bool) -> Int64s:
        """Where the pre-tokens of a section end whose UTF-8 goes wrong at `good`. is_start: nothing of it is before."""
        starts, ends = self.splitter.spans(section[:good])
        if int((ends - starts).sum()) != good:
            raise CannotLex
        starts, ends = self.tokenizer.with_tail(section, starts, ends)
        if not starts[-1] and not is_start:
            raise Uncertain
        return ends

    def _section_end(self, store: TextStore, start: int) -> int:
        """The end of the first special or added token from `start` on, or of the text."""
        if self._any_text is not None:
            rest = store.bytes(start, len(store))
            if self._any_text.search(rest) and (found := self.tokenizer.matcher.matches(rest, self.special)):
                return start + found[0][1]
        return len(store)

    def _settled(self, part: bytes, start: int, ends: Int64s) -> tuple[Int64s, int]:
        """Of pre-tokens up to the end of a part: those that did not see that end, and how far they saw."""
        back = 2
        while back <= len(ends):
            place = int(ends[-back])
            classes, edges = self._chars(part[place:])
            dead = self.stages.dead(classes, 0)
            if dead >= 0 and not self.stages.single and not self._is_free(part, place):
                back += 1
                continue
            if dead >= 0:
                seen = place + (dead if edges is None else int(edges[dead]))
                return ends[: len(ends) - back + 1], seen
            back += max(back // 2, 1)
        return ends[:0], start

    def encode(self, store: TextStore, start: int, ends: Int64s, ids: Int64s) -> Run:
        """The tokens of pre-tokens from `start` on."""
        edges = np.concatenate((np.array([start], np.int64), ends))
        stops = edges[1:] - start
        part = store.bytes(start, int(edges[-1]))
        if not (ids >= 0).any():
            made = self.tokenizer.encode_pieces(part, stops)
            return _checked(Run(np.diff(edges).astype(np.int32), made.counts.astype(np.int32), made.ids,
                                (made.ends - made.starts).astype(np.int32)))
        text = np.flatnonzero(ids < 0)
        made = self.tokenizer.encode_pieces(part, stops[text], edges[:-1][text] - start)
        counts = np.ones(len(ids), np.int64)
        counts[text] = made.counts
        first = np.cumsum(counts) - counts
        given = np.flatnonzero(ids >= 0)
        tokens = np.empty(int(counts.sum()), np.int64)
        lengths = np.empty(len(tokens), np.int32)
        is_text = np.ones(len(tokens), np.bool_)
        is_text[first[given]] = False
        tokens[is_text], lengths[is_text] = made.ids, made.ends - made.starts
        tokens[~is_text], lengths[~is_text] = ids[given], np.diff(edges)[given]
        return _checked(Run(np.diff(edges).astype(np.int32), counts.astype(np.int32), tokens, lengths))


def _checked(run: Run) -> Run:
    if int(run.lengths.sum()) != run.size:
        raise CannotLex  # some byte is in no token
    return run
