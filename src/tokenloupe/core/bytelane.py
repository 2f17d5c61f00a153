r"""The byte lane's model: what lies above and beneath some bytes of a text, and where the tokens cut them. No Qt.

    >>> source = LaneSource(Document(tokenizer, "a👍🏽".encode()))
    >>> lane = source.lane(0, 9)
    >>> lane.graphemes.tolist(), lane.code_points.tolist(), lane.roles.tolist()
    ([0, 1, 9], [0, 1, 5, 9], [0, 3, 4, 4, 4, 3, 4, 4, 4])
    >>> lane.cut_kinds.tolist()          # CutKind of each place in lane.cuts

Only the bytes that are asked for are looked at, with as much around them as is needed to be right: where a grapheme
cluster begins can depend on what stands before it (flags, emoji joined by ZWJ, Indic conjuncts), so the search for
clusters starts at a place that is a boundary whatever came before (`sure_boundary`), and what was found is kept.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from . import utf8
from .bytelane_stages import NormalChange, Stages
from .document import Document, TokenWindow
from .text import GRAPHEME, code_points, decode_view, grapheme_starts
from .vocabulary import Int64s

Unit = Literal["grapheme", "code point", "byte", "change", "pre-token", "token"]
UNITS: tuple[Unit, ...] = ("grapheme", "code point", "byte", "change", "pre-token", "token")
#: Bytes looked at beyond what was asked for, at first.
AROUND = 256
#: Bytes in which the end of a line is looked for at once.
CHUNK = 65536


class CutKind(IntEnum):
    """What a token boundary cuts."""

    BETWEEN = 0  # nothing: it lies between two grapheme clusters
    GRAPHEME = 1  # it lies inside a grapheme cluster, between two of its code points
    CODE_POINT = 2  # it lies inside a code point

    @property
    def word(self) -> str:
        return ("between graphemes", "inside a grapheme", "inside a code point")[self]


@dataclass(frozen=True, slots=True)
class Lane:
    """Bytes start .. end of a text, which are whole code points. All positions are byte offsets into the whole text.

    graphemes: int64, edges of the clusters; the first may lie before `start` and the last behind `end`.
    code_points: int64 (n+1,), edges. text: n code points (an ill-formed byte is one U+FFFD). valid: bool (n,).
    roles: uint8 (end - start,), ByteRole of each byte.
    tokens: those that touch the bytes. cuts: int64, where tokens begin or end from `start` to `end` inside the text,
    ascending; cut_kinds: uint8 of CutKind.
    """

    start: int
    end: int
    data: bytes
    graphemes: Int64s
    code_points: Int64s
    text: str
    valid: NDArray[np.bool_]
    roles: NDArray[np.uint8]
    tokens: TokenWindow
    cuts: Int64s
    cut_kinds: NDArray[np.uint8]


class LaneSource:
    """Lanes of one document. `renew()` after every change of its bytes or tokenizer."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.stages = Stages(document)
        self._clusters = np.zeros(0, np.int64)  # cluster edges of one stretch without a gap

    def renew(self) -> None:
        self._clusters = np.zeros(0, np.int64)
        self.stages = Stages(self.document)

    # -- what is there -------------------------------------------------------------------------------------------

    def lane(self, byte_start: int, byte_end: int) -> Lane:
        """The bytes from .. to, both clamped and moved outward to the next edge of a code point."""
        store = self.document.store
        size = len(store)
        byte_start = min(max(byte_start, 0), size)
        start = self.snap(byte_start, -1)
        end = self.snap(min(max(byte_end, byte_start), size), 1)
        before, after = max(start - 3, 0), min(end + 3, size)
        around = store.bytes(before, after)
        data = around[start - before : end - before]
        # A byte's role depends on the three on each side of it and on no others.
        roles = utf8.roles(around)[start - before : end - before]
        view = decode_view(data)
        code_points = view.byte_starts + start
        graphemes = self.graphemes(start, end)
        tokens = self.document.window(start, end)
        cuts = self._cuts(start, end)
        kinds = np.where(np.isin(cuts, graphemes), CutKind.BETWEEN,
                         np.where(np.isin(cuts, code_points), CutKind.GRAPHEME, CutKind.CODE_POINT))
        return Lane(start, end, data, graphemes, code_points, view.text, view.valid, roles, tokens, cuts,
                    kinds.astype(np.uint8))

    def _cuts(self, start: int, end: int) -> Int64s:
        # A byte more on either side: a token that ends where the lane begins shares no byte with it, yet cuts there.
        tokens = self.document.window(max(start - 1, 0), min(end + 1, len(self.document)))
        wide = tokens.ends > tokens.starts
        places = np.unique(np.concatenate((tokens.starts[wide], tokens.ends[wide])))
        inside = (places >= max(start, 1)) & (places <= min(end, len(self.document) - 1))
        return places[inside]

    def changes(self, lane: Lane) -> list[NormalChange] | None:
        """What the normalizer makes of the lane's bytes, in order; None where it is not known (see `stages.note`)."""
        return self.stages.changes(lane.start, lane.end)

    def pre_tokens(self, lane: Lane) -> tuple[Int64s, Int64s] | None:
        """(starts, ends) of the pre-tokens that touch the lane's bytes; None where there are none to know."""
        return self.stages.pre_tokens(lane.start, lane.end)

    def line(self, byte_start: int, byte_end: int) -> tuple[int, int]:
        """(start, end) of the line that holds a place, or of all lines that a range touches, with the last "\\n"."""
        store, size = self.document.store, len(self.document)
        byte_start, byte_end = min(max(byte_start, 0), size), min(max(byte_end, byte_start), size)
        start, end = byte_start, byte_end
        while start > 0:
            low = max(start - CHUNK, 0)
            found = store.bytes(low, start).rfind(b"\n")
            start = low if found < 0 else low + found + 1
            if found >= 0:
                break
        if byte_end > byte_start and store.bytes(byte_end - 1, byte_end) == b"\n":
            return start, end
        while end < size:
            high = min(end + CHUNK, size)
            found = store.bytes(end, high).find(b"\n")
            end = high if found < 0 else end + found + 1
            if found >= 0:
                break
        return start, end

    # -- moving --------------------------------------------------------------------------------------------------

    def span(self, unit: Unit, byte_pos: int) -> tuple[int, int]:
        """(start, end) of the unit that holds the byte; an empty range where there is none."""
        size = len(self.document)
        if not 0 <= byte_pos < size:
            place = min(max(byte_pos, 0), size)
            return place, place
        if unit == "byte":
            return byte_pos, byte_pos + 1
        starts, ends = self._spans(unit, byte_pos, byte_pos + 1)
        hit = np.flatnonzero((starts <= byte_pos) & (ends > byte_pos))
        return (int(starts[hit[0]]), int(ends[hit[0]])) if len(hit) else (byte_pos, byte_pos + 1)

    def step(self, unit: Unit, byte_pos: int, direction: int) -> int:
        """The next edge of a unit after (direction 1) or before (-1) a place; at the ends of the text those."""
        size = len(self.document)
        if direction > 0:
            return min(byte_pos + 1 if unit == "byte" else self.span(unit, byte_pos)[1], size)
        if byte_pos <= 0:
            return 0
        return byte_pos - 1 if unit == "byte" else min(self.span(unit, byte_pos - 1)[0], byte_pos)

    def _spans(self, unit: Unit, start: int, end: int) -> tuple[Int64s, Int64s]:
        if unit == "grapheme":
            edges = self.graphemes(self.snap(start, -1), self.snap(end, 1))
            return edges[:-1], edges[1:]
        if unit == "token":
            tokens = self.document.window(start, end)
            return tokens.starts, tokens.ends
        if unit == "pre-token":
            found = self.stages.pre_tokens(start, end)
            if found is not None:
                return found
        if unit == "change":
            changes = [c for c in self.stages.changes(start, end) or () if c.end > c.start]
            return (np.array([c.start for c in changes], np.int64), np.array([c.end for c in changes], np.int64))
        low, high = self.snap(start, -1), self.snap(end, 1)
        edges = decode_view(self.document.store.bytes(low, high)).byte_starts + low
        return edges[:-1], edges[1:]

    # -- edges ---------------------------------------------------------------------------------------------------

    def snap(self, byte_pos: int, direction: int) -> int:
        """The place itself, or where it lies inside a code point, that one's start (-1) or end (1)."""
        size = len(self.document)
        while 0 < byte_pos < size:
            low = max(byte_pos - 3, 0)
            if utf8.is_boundary(self.document.store.bytes(low, byte_pos + 4), byte_pos - low):
                break
            byte_pos += direction
        return byte_pos

    def graphemes(self, start: int, end: int) -> Int64s:
        """Cluster edges around bytes start .. end (edges of code points): from the last that is not after `start` to
        the first that is not before `end`."""
        known = self._clusters
        if not (len(known) and known[0] <= start and known[-1] >= end):
            known = self._find_clusters(start, end)
        first = int(np.searchsorted(known, start, "right")) - 1
        last = int(np.searchsorted(known, end, "left"))
        return known[max(first, 0) : last + 1]

    def _find_clusters(self, start: int, end: int) -> Int64s:
        known, size = self._clusters, len(self.document)
        kept = known[:0]
        if len(known) and known[0] <= start < known[-1]:
            kept, anchor = known[:-1], int(known[-1])  # go on where the known stretch ends
        else:
            anchor = self._sure_before(start)
        reach = AROUND
        while True:
            stop = self.snap(min(end + reach, size), 1)
            text = decode_view(self.document.store.bytes(anchor, stop))
            edges = text.byte_starts[grapheme_starts(text.text)] + anchor
            if stop < size:
                edges = edges[:-1]  # whether a cluster ends here is known only with what follows
            if stop >= size or int(edges[-1]) >= end:
                break
            reach *= 4
        self._clusters = np.concatenate((kept, edges))
        return self._clusters

    def _sure_before(self, start: int) -> int:
        """A place at or before `start` where a cluster begins whatever stands before it."""
        back = AROUND
        while start > 0:
            low = self.snap(max(start - back, 0), -1)
            high = self.snap(min(start + 4, len(self.document)), 1)
            view = decode_view(self.document.store.bytes(low, high))
            text, edges = view.text, view.byte_starts
            at = min(int(np.searchsorted(edges, start - low, "right")) - 1, len(text) - 1)
            while at > 0:
                run = _row_of_flags(text, at) if is_indicator(text[at]) and is_indicator(text[at - 1]) else at
                if run < at and (run > 0 or low == 0):  # a row of flags, counted in pairs from where it begins
                    even = run + (at - run) // 2 * 2
                    if even > run:
                        return low + int(edges[even])
                at = run
                if at > 0 and sure_boundary(text[at - 1], text[at]):
                    return low + int(edges[at])
                at -= 1
            if low == 0:
                return 0
            back *= 4
        return 0


def is_indicator(char: str) -> bool:
    """Half of a flag?"""
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _row_of_flags(text: str, at: int) -> int:
    """Where the row of regional indicators begins that one of them stands in. A row can be as long as the text."""
    back = 64
    while at > 0:
        low = max(at - back, 0)
        points = code_points(text[low:at])
        others = np.flatnonzero((points < 0x1F1E6) | (points > 0x1F1FF))
        if len(others):
            return low + int(others[-1]) + 1
        at, back = low, back * 8
    return 0


def sure_boundary(before: str, after: str) -> bool:
    r"""Is there a grapheme boundary between two code points, whatever stands before the first? (False: not known.)

    Of the rules of UAX #29 only three look further back than one code point: GB9c (a consonant after linkers and
    extenders), GB11 (a pictograph after ZWJ) and GB12/13 (one regional indicator after another).
    """
    if is_indicator(before) and is_indicator(after):
        return False
    if before > "\x7f" and (unicodedata.category(before) in ("Mn", "Mc", "Me", "Cf", "Cn")
                            or "\U0001f3fb" <= before <= "\U0001f3ff" or before in "\uff9e\uff9f"):
        return False
    first = GRAPHEME.match(before + after)
    return first is not None and first.end() == 1
