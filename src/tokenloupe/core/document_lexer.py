"""Pre-tokens of a part of a text, and proof of which of them are those of the whole text.

Three facts carry an edit:

*   A match that is dead (pattern_reach.py) before the edit cannot change. `anchor` finds a pre-token before which all
    are dead, and the text is lexed anew from there.
*   Where a part of the text ends, a match may take the end for the text's. `lex` keeps the pre-tokens that were dead
    before it.
*   A pattern that looks ahead only goes on from a boundary by what follows. So the first new boundary behind the edit
    that was one before is followed by what followed it before.

Special and added tokens are found first and cut the text into sections, each with an end of its own. Which are found
depends on at most the longest of their texts, and on those before it: at a place that none of the texts lies across it
depends on nothing before. `clear` finds such places.

Bytes that are no UTF-8 go as the tokenizer has them (`broken_utf8`). Where each is a character of its own, nothing is
different. By tiktoken's rule the first of them makes one pre-token of all up to the section's end, and takes back the
pre-token before it: its start is no boundary to go on from, and how far it reaches back may not be known from a part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .bytelevel import ByteLevelTokenizer, SpecialMatcher
from .document_pieces import Run
from .document_stages import Stages
from .pattern import Splitter, char_edges
from .store import TextStore
from .tokenizer import SpecialMode
from .vocabulary import Int64s

if TYPE_CHECKING:
    from .document_normal import Normal

#: Characters before a boundary from which a pre-token's own end is judged: what is dead after so many is dead.
SHORT = 16
#: The bytes that no UTF-8 has.
NEVER = frozenset((0xC0, 0xC1, *range(0xF5, 0x100)))


class CannotLex(Exception):
    """The tokenizer's pre-tokens cannot be had from a part of a text."""


class Uncertain(Exception):
    """The pre-tokens of a part cannot be told from its start on: from further back they can."""


@dataclass(frozen=True, slots=True)
class Lexed:
    """ends: byte offsets of the pre-tokens' ends, int64; ids: of the special or added token each is, -1 for text.
    seen: nothing from this byte on was looked at for them."""

    ends: Int64s
    ids: Int64s
    seen: int


class Lexer:
    """CannotLex when nothing is known of the tokenizer's way to split.

    margin: bytes that a decision on a special or added token may look ahead.
    """

    def __init__(self, tokenizer: ByteLevelTokenizer, special: SpecialMode) -> None:
        self.tokenizer, self.special = tokenizer, special
        self.splitter: Splitter = tokenizer.splitter
        self.broken = tokenizer.broken_utf8
        stages = Stages.of(self.splitter)
        missing = tokenizer.engine.missing
        if stages is None or not NEVER.issuperset(missing):
            raise CannotLex
        if missing:  # dropped, as bytes that no UTF-8 has
            self.broken = None
        self.stages = stages
        self._normal: Normal | None = getattr(tokenizer, "normal", None)
        texts = self._texts()
        self.margin = max(map(len, texts), default=0)
        self._any_text = re.compile(b"|".join(map(re.escape, sorted(texts, key=len, reverse=True)))) if texts else None
        self._firsts = frozenset(t[0] for t in texts)

    def _texts(self) -> Sequence[bytes]:
        """All that may be matched before the pattern runs, allowed or not."""
        tokenizer = self.tokenizer
        if isinstance(tokenizer.matcher, SpecialMatcher):
            names = {*tokenizer.added_tokens, *(tokenizer.special_tokens if self.special != "text" else ())}
        else:
            added = getattr(tokenizer, "added", None)
            if added is None or any(t.lstrip or t.rstrip or t.single_word for t in added.by_id.values()):
                raise CannotLex
            names = set(added.ids) | set(added.spelled.values())
        return [n.encode("utf-8", "surrogatepass") for n in names if n]

    def clear(self, store: TextStore, byte_pos: int) -> bool:
        """Does none of the texts lie across this place?"""
        if self._any_text is None:
            return True
        low = max(byte_pos - self.margin, 0)
        part = store.bytes(low, byte_pos + self.margin)
        place = byte_pos - low
        for at in range(place):
            if part[at] in self._firsts:
                match = self._any_text.match(part, at)
                if match and match.end() > place:
                    return False
        return True

    def anchor(self, store: TextStore, starts: Int64s, byte_pos: int) -> int | None:
        """The last of the boundaries `starts` (ascending; up to byte_pos; the pre-tokens between them are known) that
        no change from byte_pos on can move; the text before byte_pos is unchanged. None: none of them is known not to.
        """
        low = int(starts[0])
        room = byte_pos - low
        part = whole_chars(store.bytes(low, byte_pos))
        most = len(starts) - 1
        if self.broken == "tail":
            # The start of the last one may be that of the bytes that are no UTF-8, and so may any behind such bytes.
            most -= 1
            good = valid_to(part)
            if good < room:
                part = part[:good]
                most = min(most, int(starts.searchsorted(low + good, "right")) - 2)
        byte_pos = low + len(part)
        most = min(most, int(starts.searchsorted(byte_pos, "right")) - 1)
        if most < 0:
            return None
        classes, edges = self._chars(part)
        places = starts[: most + 1] - low
        if edges is not None:
            places = edges.searchsorted(places)
        at = places.tolist()
        last = len(at) - 1
        if self.stages.single:
            if low and self.stages.dead(classes, 0) < 0:
                return None
            last = self._dead_to(classes[0], at, int(starts.searchsorted(byte_pos - self.margin, "right")) - 1)
        for index in range(last, -1, -1):
            place = int(starts[index])
            if not place or (place <= byte_pos - self.margin and self.clear(store, place)
                             and (self.stages.single or self._stands(classes, at[index]))):
                return place
        return None

    def _dead_to(self, classes: bytes, at: Sequence[int], most: int) -> int:
        """Of one pattern: the last of the boundaries `at` (the first, to the `most`th) before which all is dead."""
        reach = self.stages.reaches[0]
        for index in range(min(len(at) - 1, most)):
            long = at[index + 1] - at[index] > SHORT
            state = reach.ANY if long else reach.START
            if reach.dead_at(state, classes, at[index + 1] - SHORT if long else at[index]) < 0:
                return index
        return max(min(len(at) - 1, most), 0)

    def _stands(self, classes: Sequence[bytes], at: int) -> bool:
        """Of several patterns: is the boundary before character `at` decided, and one to go on from?"""
        return at > 0 and self.stages.dead(classes, at) >= 0 and self.stages.free(classes, at)

    def goes_on(self, store: TextStore, place: int, unchanged: int) -> bool:
        """Is the rest of the text from a boundary on cut by itself as it is here, before and after an edit of bytes
        that end at `unchanged`?"""
        if self.stages.single or place >= len(store):
            return True
        low = max(place - 4, unchanged)
        part = whole_chars(store.bytes(low, min(place + 4, len(store))))
        begin = next((k for k, byte in enumerate(part) if byte & 0xC0 != 0x80), len(part))
        if low + begin >= place:
            return False
        classes, edges = self._chars(part[begin:])
        at = place - low - begin
        return self.stages.free(classes, at if edges is None else int(edges.searchsorted(at)))

    def _is_free(self, part: bytes, place: int) -> bool:
        """Does no match of a pattern but the last go over a place inside a part?"""
        low = place - 1
        while low > 0 and part[low] & 0xC0 == 0x80 and place - low < 4:
            low -= 1
        high = place + 4
        classes, edges = self._chars(whole_chars(part[low:high]) if high < len(part) else part[low:high])
        return self.stages.free(classes, place - low if edges is None else int(edges.searchsorted(place - low)))

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

    def _chars(self, data: bytes) -> tuple[list[bytes], Int64s | None]:
        """(class byte of each character, for each pattern; their byte edges, None when they are the bytes)."""
        if data.isascii():
            return self.stages.classes(data), None
        try:
            return self.stages.classes(data), char_edges(data)
        except UnicodeDecodeError:
            if self.broken != "each":
                raise
            made = [s.broken_classes(data) for s in self.stages.splitters]
            return [classes for classes, _ in made], made[0][1]

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
        tail = self.tokenizer.unstable_from(section, starts, ends) if len(ends) else 0
        if not tail and not is_start:
            raise Uncertain
        return np.append(np.minimum(ends[: int(starts.searchsorted(tail))], tail), len(section))

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


def whole_chars(part: bytes) -> bytes:
    """Without the beginning of a character that is cut off at the end; the rest is valid UTF-8 where `part` was."""
    for back in range(1, min(4, len(part)) + 1):
        byte = part[-back]
        if byte & 0xC0 != 0x80:
            width = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return part if width <= back else part[:-back]
    return part


def valid_to(part: bytes) -> int:
    """Bytes up to the first that is no UTF-8."""
    try:
        part.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return len(part)
