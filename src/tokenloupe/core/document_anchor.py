"""Places of a text from which pre-tokens can be cut anew after an edit, and those where that work may end.

    places.anchor(store, starts, byte_pos)      # the last boundary that no change from byte_pos on can move
    places.goes_on(store, place, unchanged)     # is what follows cut by itself as it is?

Three facts carry an edit:

*   A match that is dead (pattern_reach.py) before the edit cannot change. `anchor` finds a pre-token before which all
    are dead, and the text is lexed anew from there.
*   Where a part of the text ends, a match may take the end for the text's: `Lexer.lex` (document_lexer.py) keeps the
    pre-tokens that were dead before it.
*   A pattern that looks ahead only goes on from a boundary by what follows. So the first new boundary behind the edit
    that was one before is followed by what followed it before.

Special and added tokens are found first and cut the text into sections, each with an end of its own. Which are found
depends on at most the longest of their texts, and on those before it: at a place that none of the texts lies across it
depends on nothing before. `clear` finds such places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .bytelevel import ByteLevelTokenizer, SpecialMatcher
from .document_stages import Stages
from .pattern import Splitter, char_edges
from .store import TextStore
from .tokenizer import SpecialMode
from .vocabulary import Int64s

#: Characters before a boundary from which a pre-token's own end is judged: what is dead after so many is dead.
SHORT = 16
#: The bytes that no UTF-8 has.
NEVER = frozenset((0xC0, 0xC1, *range(0xF5, 0x100)))


class CannotLex(Exception):
    """The tokenizer's pre-tokens cannot be had from a part of a text."""


class Places:
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
