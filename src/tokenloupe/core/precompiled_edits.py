"""What SentencePiece's rules change in a text, all places at once.

Nearly every rule that fires replaces one character whatever stands around it, so those are found by a table of code
points. Only where a character that begins a longer rule is followed by one that can continue it is the trie walked.

    >>> e = RuleEdits(rules).of("a½b", code_points("a½b"))
    >>> e.starts.tolist(), e.ends.tolist(), e.lengths.tolist(), e.points.tobytes().decode("utf-32-le")
    ([1], [2], [3], '1⁄2')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .precompiled import Precompiled
from .ragged import places
from .text import code_points
from .vocabulary import Int64s

Points = NDArray[np.uint32]

_OWN, _FIRST, _SECOND = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Edits:
    """Characters starts:ends become the next `lengths` of `points`; in order, none overlaps another."""

    starts: Int64s
    ends: Int64s
    lengths: Int64s
    points: Points

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def of(cls, edits: Sequence[tuple[int, int, str]]) -> Edits:
        """From (start, end, replacement)."""
        table = np.array([(a, b, len(new)) for a, b, new in edits], np.int64).reshape(-1, 3)
        return cls(table[:, 0], table[:, 1], table[:, 2], code_points("".join(e[2] for e in edits)))


class RuleEdits:
    """The rules as tables over code points."""

    def __init__(self, rules: Precompiled) -> None:
        self.rules = rules
        singles, firsts, seconds = rules.openings
        top = max([0, *singles, *firsts, *seconds])
        self._flags = np.zeros(top + 2, np.uint8)  # the last is for all that are greater
        for flag, points in ((_OWN, singles), (_FIRST, firsts), (_SECOND, seconds)):
            self._flags[points] |= flag
        replacements = list(rules.own.values())
        self._number = np.zeros(top + 2, np.int32)
        self._number[singles] = np.arange(len(singles))
        self._lengths = np.fromiter(map(len, replacements), np.int64, len(replacements))
        self._begins = np.cumsum(self._lengths) - self._lengths
        self._points = code_points("".join(replacements))
        self._quiet = bytes(np.flatnonzero(self._flags_of(np.arange(128)) & (_OWN | _SECOND) == 0))

    def _flags_of(self, points: NDArray[np.integer]) -> NDArray[np.uint8]:
        return self._flags.take(points, mode="clip")

    def of(self, text: str, points: Points) -> Edits | None:
        """None where nothing changes."""
        if text.isascii() and not text.encode().translate(None, self._quiet):
            return None
        flags = self._flags_of(points)
        at = np.flatnonzero(flags & _OWN)
        longer = np.flatnonzero((flags[:-1] & _FIRST > 0) & (flags[1:] & _SECOND > 0))
        found = self._longer(text, longer.tolist())
        if not len(at) and not found:
            return None
        numbers = self._number.take(points.take(at))
        lengths = self._lengths[numbers]
        edits = Edits(at, at + 1, lengths, self._points[places(self._begins[numbers], lengths)])
        return edits if not found else self._with(edits, found)

    def _longer(self, text: str, openings: list[int]) -> list[tuple[int, int, str]]:
        """Rules of more than one character that fire, from left to right."""
        found: list[tuple[int, int, str]] = []
        done = 0
        for at in openings:
            if at >= done and (rule := self.rules.longest_in_text(text, at)) is not None and rule[0] > 1:
                done = at + rule[0]
                found.append((at, done, rule[1]))
        return found

    @staticmethod
    def _with(single: Edits, found: list[tuple[int, int, str]]) -> Edits:
        """Longer rules go before the rules of the characters they take."""
        longer = Edits.of(found)
        owner = np.searchsorted(longer.starts, single.starts, side="right") - 1
        free = (owner < 0) | (single.starts >= longer.ends[owner])
        points = np.concatenate([single.points[np.repeat(free, single.lengths)], longer.points])
        starts = np.concatenate([single.starts[free], longer.starts])
        ends = np.concatenate([single.ends[free], longer.ends])
        lengths = np.concatenate([single.lengths[free], longer.lengths])
        begins = np.cumsum(lengths) - lengths
        order = np.argsort(starts, kind="stable")
        return Edits(starts[order], ends[order], lengths[order], points[places(begins[order], lengths[order])])
