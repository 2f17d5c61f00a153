"""A merge list written as text -> ids, all merges at once: three look-ups a merge cost more than reading the file.

    >>> ids = SpanTable.of([b"a", b"b", b"ab"], [0, 1, 2])
    >>> merge_ids(ids, WrittenMerges.of_strings(["a b"])).result
    array([2])

What is not as it should be (a merge of three parts, one whose tokens are not there) is None: whoever asks then looks
merge by merge, and can say which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from .byte_letters import utf8_of
from .lookup import SpanTable, Text
from .vocabulary import Int64s, MergeTable


@dataclass(frozen=True, slots=True)
class WrittenMerges:
    """Merge i is blob[starts[i]:mids[i]] and blob[mids[i]+gap:ends[i]]; merges follow one another in order."""

    blob: bytes
    starts: Int64s
    mids: Int64s
    ends: Int64s
    gap: int = 1

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def rights(self) -> Int64s:
        """Where the second part of each begins."""
        return self.mids + self.gap

    @classmethod
    def of_strings(cls, merges: Sequence[str]) -> WrittenMerges | None:
        """Of "left right" each."""
        return cls.of_blob(*utf8_of(merges))

    @classmethod
    def of_pairs(cls, merges: Sequence[Sequence[str]]) -> WrittenMerges | None:
        """Of two strings each."""
        if set(map(len, merges)) != {2}:
            return None
        try:
            blob, edges = utf8_of(list(chain.from_iterable(merges)), "\0")
        except TypeError:  # no strings
            return None
        return cls._checked(blob, edges[:-1:2], edges[1::2] - 1, edges[2::2] - 1)

    @classmethod
    def of_blob(cls, blob: bytes, offsets: Int64s) -> WrittenMerges | None:
        """Of "left right" each, one behind the other."""
        return cls.of_spans(blob, offsets[:-1], offsets[1:])

    @classmethod
    def of_spans(cls, blob: bytes, starts: Int64s, ends: Int64s) -> WrittenMerges | None:
        """Of "left right" each, blob[starts:ends]; what stands between them may be anything."""
        spaces = np.flatnonzero(np.frombuffer(blob, np.uint8) == 32)
        owners = np.searchsorted(ends, spaces, side="right")
        return cls._checked(blob, starts, spaces[spaces >= starts.take(owners, mode="clip")], ends)

    @classmethod
    def _checked(cls, blob: bytes, starts: Int64s, mids: Int64s, ends: Int64s) -> WrittenMerges | None:
        """Nearly always every merge has one mark in its middle."""
        if len(mids) != len(starts) or not bool(((mids > starts) & (mids + 1 < ends)).all()):
            return None
        return cls(blob, starts, mids, ends)

    def parts(self) -> tuple[list[bytes], list[bytes]]:
        """(left, right) of every merge."""
        starts, mids, rights, ends = (a.tolist() for a in (self.starts, self.mids, self.rights, self.ends))
        return (list(map(self.blob.__getitem__, map(slice, starts, mids))),
                list(map(self.blob.__getitem__, map(slice, rights, ends))))


def merge_ids(ids: SpanTable, merges: WrittenMerges) -> MergeTable | None:
    """None when a part or a result is no token."""
    found = ids.find_parts(Text(merges.blob), merges.starts, merges.mids, merges.rights, merges.ends)
    if any(bool((part < 0).any()) for part in found):
        return None
    return MergeTable(*found)
