"""The characters of every entry of a vocabulary at once: code points, scripts, and how its bytes sit in UTF-8.

    >>> points = Points.of(Vocabulary.build([(0, b"hi"), (1, b"\\xe6\\x88"), (2, "да".encode())]))
    >>> points.classes.tolist(), [points.script_name(r) for r in range(3)]
    ([0, 2, 0], ['Latin', '', 'Cyrillic'])

The entries are looked at as one text in which a byte 0xFF follows each: that byte is never part of UTF-8, so no
character is seen across two entries, and everything is a few array operations over two megabytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from .unicode_tables import script_codes
from .utf8 import decode_per_byte, prefix_lengths
from .vocabulary import Int64s, Vocabulary

#: Of an entry whose characters are of several scripts (Common and Inherited apart).
MIXED = 255
#: Names that stand for no script of their own.
SHARED_SCRIPTS = ("Common", "Inherited")
#: Entries whose scripts are counted together.
AT_ONCE = 4096


class Utf8Class(IntEnum):
    """How the bytes of an entry sit in UTF-8. Each entry has exactly one of these."""

    WHOLE = 0  # whole characters
    STARTS_INSIDE = 1  # begins with continuation bytes of a character before it
    ENDS_INSIDE = 2  # its last character is cut
    BOTH = 3
    INTERIOR = 4  # continuation bytes alone, at most three: the inside (or the end) of one character
    INVALID = 5  # no well-formed UTF-8 contains these bytes, whatever stands around them
    EMPTY = 6

    @property
    def word(self) -> str:
        return _WORDS[self]


_WORDS = ("whole", "starts inside", "ends inside", "inside at both ends", "interior", "never valid", "empty")


@dataclass(frozen=True)
class Points:
    """points: uint32 (m,), an ill-formed byte is one U+FFFD; valid: bool (m,); offsets: int64 (n+1,) of each row's.

    classes: uint8 (n,) of Utf8Class.
    """

    points: NDArray[np.uint32]
    valid: NDArray[np.bool_]
    offsets: Int64s
    classes: NDArray[np.uint8]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Points:
        return cls.of_bytes(vocabulary.blob, vocabulary.offsets)

    @classmethod
    def of_bytes(cls, blob: bytes, offsets: Int64s) -> Points:
        """O(bytes): some 60 ms for 262,144 entries."""
        joined, separators = with_separators(blob, offsets)
        data = joined.tobytes()
        text, byte_starts, valid = decode_per_byte(data)
        points = np.frombuffer(text.encode("utf-32-le"), "<u4")
        edge = np.zeros(len(data), np.bool_)
        edge[separators] = True
        cuts = edge[byte_starts]
        kept = ~cuts
        at = np.flatnonzero(cuts)
        point_offsets = np.concatenate((np.zeros(1, np.int64), at - np.arange(len(at))))
        return cls(points[kept].astype(np.uint32), valid[kept], point_offsets, _classes(data, offsets))

    @classmethod
    def joined(cls, parts: Sequence[Points]) -> Points:
        """The points of entries that were looked at in parts, one or more, with what has been made of them."""
        sizes = np.cumsum([0, *(len(p.points) for p in parts)])
        out = cls(
            np.concatenate([p.points for p in parts]), np.concatenate([p.valid for p in parts]),
            np.concatenate([[0], *(p.offsets[1:] + size for p, size in zip(parts, sizes[:-1].tolist(), strict=True))]),
            np.concatenate([p.classes for p in parts]))
        made = out.__dict__
        if all("script" in p.__dict__ for p in parts):
            made["codes"] = np.concatenate([p.codes for p in parts])
            made["script"] = np.concatenate([p.script for p in parts])
        if all("script_counts" in p.__dict__ for p in parts):
            made["script_counts"] = np.sum([p.script_counts for p in parts], axis=0)
        return out

    @cached_property
    def rows(self) -> NDArray[np.int32]:
        """int32 (m,): the row of each code point."""
        return np.repeat(np.arange(len(self.classes), dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def codes(self) -> NDArray[np.uint8]:
        """uint8 (m,): script of each code point (see script_codes); 0 for bytes that are no character."""
        return np.where(self.valid, script_codes()[0][self.points], np.uint8(0))

    @cached_property
    def script(self) -> NDArray[np.uint8]:
        """uint8 (n,): the one script of an entry's letters; Common (or Inherited) where it has none; MIXED; 0 where
        nothing in it is a character."""
        names = script_codes()[1]
        common, inherited = (names.index(n) for n in SHARED_SCRIPTS)
        out = np.zeros(len(self.classes), np.uint8)
        out[self.rows[self.codes == inherited]] = inherited
        out[self.rows[self.codes == common]] = common
        own = (self.codes != 0) & (self.codes != common) & (self.codes != inherited)
        rows, codes = self.rows[own], self.codes[own]
        out[rows] = codes  # of several the last one stays: those that differ from it show that it is not alone
        out[rows[out[rows] != codes]] = MIXED
        return out

    @cached_property
    def script_counts(self) -> Int64s:
        """int64 (256,): how many entries have a character of each script, by code."""
        out = np.zeros(256, np.int64)
        for first in range(0, len(self.classes), AT_ONCE):
            begin, end = self.offsets[first], self.offsets[min(first + AT_ONCE, len(self.classes))]
            there = np.zeros((AT_ONCE, 256), np.bool_)
            there[self.rows[begin:end] - first, self.codes[begin:end]] = True
            out += np.count_nonzero(there, axis=0)
        return out

    def script_name(self, row: int) -> str:
        """ "Latin"; "Han + Hiragana" for several; "" where nothing is a character."""
        code = int(self.script[row])
        if code != MIXED:
            return names_of_codes()[code]
        names = names_of_codes()
        seen = dict.fromkeys(self.codes[self.offsets[row] : self.offsets[row + 1]].tolist())
        return " + ".join(names[c] for c in seen if c and names[c] not in SHARED_SCRIPTS)

    def with_script(self, name: str) -> NDArray[np.bool_]:
        """bool (n,): the entries that have a character of the script; KeyError when there is no such script."""
        plain = name.lower().replace("_", " ")
        names = script_codes()[1]
        code = next((i for i, n in enumerate(names) if i and n.lower().replace("_", " ") == plain), None)
        if code is None:
            raise KeyError(name)
        out = np.zeros(len(self.classes), np.bool_)
        out[self.rows[self.codes == code]] = True
        return out


@cache
def names_of_codes() -> tuple[str, ...]:
    """Script names for readers, by code; code 0 is ""."""
    return ("", *(n.replace("_", " ") for n in script_codes()[1][1:]))


def with_separators(blob: bytes, offsets: Int64s) -> tuple[NDArray[np.uint8], Int64s]:
    """(the entries with a byte 0xFF after each, the positions of those bytes)."""
    count = len(offsets) - 1
    separators = offsets[1:] + np.arange(count)
    joined = np.full(len(blob) + count, 0xFF, np.uint8)
    here = np.ones(len(joined), np.bool_)
    here[separators] = False
    joined[here] = np.frombuffer(blob, np.uint8)
    return joined, separators


def _classes(joined: bytes, offsets: Int64s) -> NDArray[np.uint8]:
    """Utf8Class of each entry; `joined` is with_separators' text."""
    count = len(offsets) - 1
    data = np.frombuffer(joined + b"\xff" * 4, np.uint8)
    rows = np.arange(count)
    starts, lengths = offsets[:-1] + rows, np.diff(offsets)
    # Continuation bytes at the front, three at most: a separator is none, so it ends the run.
    head = np.zeros(count, np.int64)
    going = np.ones(count, np.bool_)
    for k in range(3):
        going &= (data[starts + k] & 0xC0) == 0x80
        head += going
    have, whole = prefix_lengths(joined)
    inside = np.zeros(len(joined) + 1, np.int64)
    np.cumsum(np.where(whole, have, 0), out=inside[1:])
    covered = inside[starts + lengths] - inside[starts]
    # A character that is cut by the end of the entry: its prefix reaches up to the separator.
    tail = np.zeros(count, np.int64)
    for k in (1, 2, 3):
        fits = np.flatnonzero(lengths >= k)
        last = starts[fits] + lengths[fits] - k
        cut = (have[last] == k) & ~whole[last]
        tail[fits[cut]] = k
    out = np.full(count, Utf8Class.WHOLE, np.uint8)
    out[head > 0] = Utf8Class.STARTS_INSIDE
    out[tail > 0] = Utf8Class.ENDS_INSIDE
    out[(head > 0) & (tail > 0)] = Utf8Class.BOTH
    out[(head > 0) & (head == lengths)] = Utf8Class.INTERIOR
    out[head + covered + tail != lengths] = Utf8Class.INVALID
    out[lengths == 0] = Utf8Class.EMPTY
    return out
