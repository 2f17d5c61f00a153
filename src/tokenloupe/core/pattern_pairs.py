"""Boundaries of the well-known split patterns from pairs of neighbouring characters, for a whole text at once.

In these patterns nearly every boundary follows from two characters (a letter, then a blank) and a few from three (a
blank, then two full stops). So each pair becomes a byte, one table look-up of all of them says where a boundary is and
where more must be looked at, and a few array operations do that: contractions, digits by threes. What would need more
(blanks at the end of a line, marks without a letter, a newline and a slash after a full stop) is left to the matcher:
from the last boundary that no match can cross to the next one, a zone of some characters.

    >>> PairSplitter.of(splitter).ends(splitter.classes(b"It's 12345 words"))    # as the matcher says
    array([ 2,  4,  5,  8, 10, 16])

A boundary that no match can cross: between a letter and white space or punctuation that is no apostrophe. In every one
of these patterns a match that has a letter goes on with letters, marks and contractions only. That all is as the
matcher would have it is tested on random texts of the characters that matter, and against the libraries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .pattern_syntax import Set, parse
from .patterns import CL100K, GPT2, GPT2_ORIGINAL, LLAMA3, O200K, QWEN2, TEKKEN
from .vocabulary import Int64s

if TYPE_CHECKING:
    from .pattern import Splitter

#: Kinds of characters. LOWER: of all letters where a pattern does not tell them apart.
PUNCT, APOSTROPHE, SLASH, LOWER, UPPER, BOTH, MARK, NUMBER, SPACE, BLANK, NEWLINE = range(11)
_LETTERS = (LOWER, UPPER, BOTH)
_WHITE = (SPACE, BLANK, NEWLINE)
_POINTS = (PUNCT, APOSTROPHE, SLASH)

#: What a pair (the character before, this one) tells. EDGE: a boundary before this one. BACK: one before the one
#: before it. OPEN, JOIN: a boundary before a letter after punctuation (JOIN) when the pair before was OPEN, as the
#: punctuation is then not the first character of a match. HARD: left to the matcher. SURE: no match goes over it.
EDGE, BACK, OPEN, JOIN, HARD, SHORT, DIGITS, SURE = (1 << i for i in range(8))

#: A text with more zones than one in so many characters is left to the matcher as a whole.
ZONES = 128
#: Characters that zones may have in any text, however short; in a long one an eighth.
LEAST = 1024


@dataclass(frozen=True, slots=True)
class Family:
    """How the patterns differ. cased: a lower-case letter ends the match before an upper-case one; marks go with
    letters. suffix: 's belongs to the word before it (else it stands alone). digits: at most so many together, 0: any.
    only_space: before a word a space alone, and before digits too. slash: to punctuation belong the newlines and
    slashes after it.
    """

    cased: bool = False
    contractions: bool = True
    suffix: bool = False
    digits: int = 3
    only_space: bool = False
    slash: bool = False


_GPT2 = Family(digits=0, only_space=True)
FAMILIES: dict[str, Family] = {
    GPT2: _GPT2, GPT2_ORIGINAL: _GPT2,
    r"'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": _GPT2,
    CL100K: Family(), LLAMA3: Family(), QWEN2: Family(digits=1),
    O200K: Family(cased=True, suffix=True, slash=True),
    TEKKEN: Family(cased=True, contractions=False, digits=1, slash=True),
}


class PairSplitter:
    """first: a code point of each class byte; matcher: the compiled pattern over class bytes."""

    def __init__(self, family: Family, first: Int64s, engine: str, matcher: Any) -> None:
        self.family, self.matcher = family, matcher
        self._kind_of_class = _kinds(family, first, engine)
        self._kinds = bytes(self._kind_of_class + [0] * (256 - len(first)))
        # A pair is 16 * (kind before) + kind, a byte.
        self._pairs = bytes(_pair(family, a, b) if a <= NEWLINE and b <= NEWLINE else 0
                            for a in range(16) for b in range(16))
        self._short = self._contractions() if family.contractions else None

    @classmethod
    def of(cls, splitter: Splitter) -> PairSplitter | None:
        """None for a pattern that is not known."""
        family = FAMILIES.get(splitter.pattern)
        if family is not None and splitter.pattern == CL100K and splitter.engine == "oniguruma":
            family = replace(family, digits=0)  # there "{1,3}+" is one to three digits, any number of times
        return None if family is None else cls(family, splitter._first, splitter.engine, splitter._regex)

    def _contractions(self) -> NDArray[np.int8]:
        """[class, class]: letters in the contraction that begins with these behind an apostrophe; as the matcher says.
        """
        count = len(self._kind_of_class)
        out = np.zeros((256, 256), np.int8)
        letters = [c for c in range(count) if self._kind_of_class[c] in _LETTERS]
        quote = self._kind_of_class.index(APOSTROPHE)
        for a in letters:
            for b in range(count):
                if self.family.suffix:
                    out[a, b] = self.matcher.match(bytes([a, quote, a, b])).end() - 2
                else:
                    # A letter more tells a contraction from a word with an apostrophe before it.
                    end = self.matcher.match(bytes([quote, a, b, a])).end()
                    out[a, b] = end - 1 if end < 4 else 0
        return np.maximum(out, 0)

    def ends(self, classes: bytes) -> Int64s | None:
        """Where the matches end, in characters. None where the matcher alone would be faster."""
        n = len(classes)
        if n < 4:
            return None
        kinds = np.frombuffer(classes.translate(self._kinds), np.uint8)
        pairs = kinds[:-1] << 4
        pairs |= kinds[1:]
        # told[i]: of the pair (i, i + 1), so of a boundary before character i + 1.
        told = np.frombuffer(pairs.tobytes().translate(self._pairs), np.uint8)
        edge: NDArray[np.uint8] = (told & EDGE).astype(np.uint8, copy=False)
        edge[:-1] |= (told[1:] & BACK) >> 1
        edge[1:] |= ((told[:-1] << 1) & told[1:] & JOIN) >> 3
        hard = np.flatnonzero(told & HARD) + 1
        if len(hard) * ZONES > n + 4096:
            return None
        if kinds[0] == MARK:
            hard = np.insert(hard, 0, 0)
        if kinds[-1] >= SPACE:
            hard = np.append(hard, n - 1)
        if self._short is not None:
            more = self._shorten(classes, kinds, told, edge)
            if len(more):
                hard = np.sort(np.concatenate((hard, more)))
        if self.family.digits > 1:
            self._group(told, edge)
        ends = np.flatnonzero(edge) + 1
        if len(hard):
            mended = self._mended(classes, told, ends, hard)
            if mended is None:
                return None
            ends = mended
        return np.append(ends, n) if not len(ends) or ends[-1] < n else ends

    def _shorten(self, classes: bytes, kinds: NDArray[np.uint8], told: NDArray[np.uint8],
                 edge: NDArray[np.uint8]) -> Int64s:
        """Contractions. Returns characters that are left to the matcher."""
        assert self._short is not None
        n = len(classes)
        raw = np.frombuffer(classes, np.uint8)
        at = np.flatnonzero(told & SHORT)
        if self.family.suffix:
            at += 1  # the apostrophe, behind a letter
            at = at[at < n - 1]
        elif len(at):
            # The apostrophe, before a letter: at the start of a match when no space and no punctuation is before it.
            before = kinds.take(np.maximum(at - 1, 0))
            at = at[((before > SLASH) & (before != SPACE)) | (at == 0)]
        size = self._short[raw.take(at + 1), raw.take(np.minimum(at + 2, n - 1))].astype(np.int64)
        size[(size > 1) & (at + 2 >= n)] = 0
        at, size = at[size > 0], size[size > 0]
        edge[at] = 0
        if self.family.suffix:
            edge[at - 1] = 0
            edge[at[size == 2] + 1] = 0  # 'lL
        stop = at + 1 + size
        inside = stop < n
        stop = stop[inside]
        edge[stop - 1] = EDGE
        if not self.family.suffix:
            return stop[:0]
        then = kinds.take(stop)
        again: Int64s = stop[(then == APOSTROPHE) | (then == MARK)]
        return again

    def _group(self, told: NDArray[np.uint8], edge: NDArray[np.uint8]) -> None:
        """Boundaries in runs of more digits than may stand together."""
        at = np.flatnonzero(told & DIGITS)  # both characters of the pair are digits
        if not len(at):
            return
        first = np.ones(len(at), np.bool_)
        first[1:] = np.diff(at) > 1
        starts = np.flatnonzero(first)
        place = np.arange(1, len(at) + 1) - np.repeat(starts, np.diff(np.append(starts, len(at))))
        edge[at[place % self.family.digits == 0]] = EDGE

    def _mended(self, classes: bytes, told: NDArray[np.uint8], ends: Int64s, hard: Int64s) -> Int64s | None:
        """The ends with those in the zones around `hard` (sorted) by the matcher. None when the zones are long."""
        n = len(classes)
        sure = np.concatenate(([0], np.flatnonzero(told & SURE) + 1, [n]))
        zones = np.unique(np.searchsorted(sure, hard, "right") - 1)
        match = self.matcher.match
        parts: list[Int64s] = []
        done = 0
        lows, highs = sure[zones], sure[zones + 1]
        if int((highs - lows).sum()) > n // 8 + LEAST:
            return None
        # Boundaries at the zone's own edges are sure: only those between are made anew.
        firsts = np.searchsorted(ends, lows, "right").tolist()
        lasts = np.searchsorted(ends, highs, "left").tolist()
        for low, high, a, b in zip(lows.tolist(), highs.tolist(), firsts, lasts, strict=True):
            found = []
            while low < high:
                low = match(classes, low).end()
                found.append(low)
            parts.append(ends[done:a])
            parts.append(np.array(found[:-1], np.int64))
            done = b
        parts.append(ends[done:])
        return np.concatenate(parts)


def _kinds(family: Family, first: Int64s, engine: str) -> list[int]:
    """The kind of each class."""
    def has(text: str) -> NDArray[np.bool_]:
        node = parse(text, engine)
        assert isinstance(node, Set)
        return node.members[first]

    letter, number, white = has(r"\p{L}"), has(r"\p{N}"), has(r"\s")
    kinds = np.full(len(first), PUNCT)
    if family.contractions:
        kinds[first == ord("'")] = APOSTROPHE
    if family.slash:
        kinds[first == ord("/")] = SLASH
    kinds[letter] = LOWER
    if family.cased:
        upper, lower = has(r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"), has(r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]")
        kinds[letter & upper] = UPPER
        kinds[letter & upper & lower] = BOTH
        kinds[~letter & (upper | lower)] = MARK
    kinds[number] = NUMBER
    kinds[white] = BLANK
    kinds[first == ord(" ")] = SPACE
    if not family.only_space:
        kinds[has(r"[\r\n]")] = NEWLINE
    return [int(k) for k in kinds]


def _pair(family: Family, a: int, b: int) -> int:
    """What is told by a character of kind b after one of kind a."""
    told = 0
    if b == MARK:
        return 0 if a in _LETTERS or a == MARK else HARD
    a_letter, b_letter = a in _LETTERS or a == MARK, b in _LETTERS
    if a in _LETTERS and (b in _WHITE or b in (PUNCT, SLASH)):
        told |= SURE
    if a in _WHITE and b in _WHITE:
        if b == NEWLINE:
            return 0 if a == NEWLINE else HARD
        return EDGE if a == NEWLINE else 0
    if b in _WHITE:
        return told if b == NEWLINE and a in _POINTS else told | EDGE
    if a in _WHITE:
        if a == NEWLINE:
            return EDGE | (HARD if b == SLASH else 0)
        joins = a == SPACE if family.only_space or b in _POINTS else b_letter
        if family.only_space is False and b == NUMBER:
            joins = False
        return BACK | (0 if joins else EDGE) | (OPEN if a == SPACE and b in _POINTS else 0)
    if a_letter and b_letter:
        if not family.cased or b != UPPER or a == UPPER:
            return 0
        return EDGE if a == LOWER else HARD
    if a == NUMBER and b == NUMBER:
        return {0: 0, 1: EDGE}.get(family.digits, DIGITS)
    if a in _POINTS and b in _POINTS:
        return OPEN
    if a in _POINTS and b_letter:
        told = EDGE if family.only_space else JOIN
        return told | (SHORT if a == APOSTROPHE and not family.suffix else 0)
    if a_letter and b == APOSTROPHE:
        return EDGE | (SHORT if family.suffix else 0)
    return told | EDGE
