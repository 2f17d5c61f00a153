"""How far splitting looks, for one pattern or several of which each cuts what those before it left.

    >>> stages.dead(stages.classes(b"one 2 three"), 0)      # no match begun before or here looked at what follows

Of several patterns the boundaries are those of all. From a boundary a part of a text is cut as the whole is when no
match of an earlier pattern goes over it (`free`): each pattern's search comes to that place as to a start. And they
stand when every pattern's matches up to there are dead (`dead`): what a later pattern takes for an end is where an
earlier one's match begins, and that one has been decided as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from .pattern import Splitter
from .pattern_reach import Reach


class Stages:
    def __init__(self, splitters: Sequence[Splitter], reaches: Sequence[Reach]) -> None:
        self.splitters, self.reaches = tuple(splitters), tuple(reaches)
        self.single = len(self.splitters) == 1

    @classmethod
    def of(cls, splitter: Splitter) -> Stages | None:
        """None where nothing can be told of one of them."""
        splitters = splitter.stages
        reaches = [] if splitters is None else [r for s in splitters if (r := s.reach) is not None]
        return cls(splitters, reaches) if splitters and len(reaches) == len(splitters) else None

    def classes(self, data: bytes) -> list[bytes]:
        """The class byte of each character, for each pattern. UnicodeDecodeError when it is not UTF-8."""
        return [s.classes(data) for s in self.splitters]

    def dead(self, classes: Sequence[bytes], at: int) -> int:
        """The first character that no match begun up to `at` can have looked at; -1 where one may go on to the end."""
        found = [r.dead_at(r.ANY, c, at) for r, c in zip(self.reaches, classes, strict=True)]
        return -1 if min(found) < 0 else max(found)

    def free(self, classes: Sequence[bytes], at: int) -> bool:
        """Does no match of a pattern but the last go over the place before character `at` (1 or more)?"""
        if at >= len(classes[0]):
            return True
        return all(r.dead_at(r.ANY, c[at - 1 : at + 1], 0) >= 0 for r, c in
                   zip(self.reaches[:-1], classes, strict=False))
