"""UTF-8 as bytes: what each byte is, where encodings begin and end, and which faults are where.

One table answers everything: Table 3-7 of the Unicode Standard ("Well-Formed UTF-8 Byte Sequences", chapter 3, D92).
It gives for each lead byte the length of its encoding and the range of its *second* byte; later bytes are 80..BF.

    >>> roles(b"a\\xe2\\x82\\xac\\xff").tolist()   # 'a', the three bytes of a euro sign, a byte that is never valid
    [0, 2, 4, 4, 5]
    >>> decode(b"\\xf0\\x9f\\x99 ok", "go"), decode(b"\\xf0\\x9f\\x99 ok", "unicode")
    ('\\ufffd\\ufffd\\ufffd ok', '\\ufffd ok')
    >>> pending(b"ok \\xf0\\x9f\\x99")                   # three bytes that the next ones may complete
    3
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

#: How ill-formed bytes become U+FFFD.
#: "go": one for each byte that is part of no well-formed encoding (Go's `range`, `[]rune(s)`, utf8.DecodeRune).
#: "unicode": one for each maximal subpart (Unicode 3.9, "U+FFFD Substitution of Maximal Subparts"; as WHATWG, Python
#:     and Rust do).
#: "run": one for each run of such bytes (Go's strings.ToValidUTF8).
Rule = Literal["go", "unicode", "run"]
RULES: tuple[Rule, ...] = ("go", "unicode", "run")


class ByteRole(IntEnum):
    """What a byte is in its text. LEAD2..LEAD4 and CONTINUATION: of a well-formed encoding only."""

    ASCII = 0
    LEAD2 = 1
    LEAD3 = 2
    LEAD4 = 3
    CONTINUATION = 4
    INVALID = 5  # can be no part of an encoding where it stands
    TRUNCATED = 6  # of an encoding that begins well and is cut short, by the end or by another byte

    @property
    def word(self) -> str:
        return _ROLE_WORDS[self]


_ROLE_WORDS = ("ASCII", "lead of 2", "lead of 3", "lead of 4", "continuation", "invalid", "cut short")


def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    length = np.zeros(256, np.uint8)
    length[:0x80] = 1
    length[0xC2:0xE0] = 2
    length[0xE0:0xF0] = 3
    length[0xF0:0xF5] = 4
    low = np.full(256, 0x80, np.uint8)
    high = np.full(256, 0xBF, np.uint8)
    low[0xE0], high[0xED], low[0xF0], high[0xF4] = 0xA0, 0x9F, 0x90, 0x8F
    return length, low, high


#: By lead byte: length of the encoding (0: the byte begins none), and the range of its second byte.
LENGTH, SECOND_LOW, SECOND_HIGH = _tables()
_LENGTHS: tuple[int, ...] = tuple(int(n) for n in LENGTH)
_ROLE_OF_BYTE = np.select(
    [np.arange(256) < 0x80, (np.arange(256) & 0xC0) == 0x80, LENGTH == 2, LENGTH == 3, LENGTH == 4],
    [ByteRole.ASCII, ByteRole.CONTINUATION, ByteRole.LEAD2, ByteRole.LEAD3, ByteRole.LEAD4],
    ByteRole.INVALID,
).astype(np.uint8)


def expected_length(lead: int) -> int:
    """Bytes in the encoding that this byte begins: 1..4, or 0 when it can begin none (80..C1, F5..FF)."""
    return _LENGTHS[lead]


def is_valid(data: bytes) -> bool:
    """Is all of it well-formed?"""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def as_array(data: bytes) -> NDArray[np.uint8]:
    """The bytes as a read-only uint8 array without a copy."""
    return np.frombuffer(data, np.uint8)


def prefix_lengths(data: bytes) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """For each byte as a possible lead: how many bytes from it begin a well-formed encoding, and do they end it?

    Returns (length uint8 (n,), whole bool (n,)); length is 0 for a byte that begins nothing. Well-formed encodings
    begin with a lead and go on with continuation bytes, so two of them never overlap.
    """
    lead = as_array(data)
    need = LENGTH[lead]
    after = np.zeros(len(lead) + 3, np.uint8)
    after[: len(lead)] = lead
    second, third, fourth = after[1:-2], after[2:-1], after[3:]
    two = (need >= 2) & (second >= SECOND_LOW[lead]) & (second <= SECOND_HIGH[lead])
    three = two & (need >= 3) & ((third & 0xC0) == 0x80)
    four = three & (need == 4) & ((fourth & 0xC0) == 0x80)
    have = (need > 0).astype(np.uint8) + two + three + four
    return have, (have == need) & (need > 0)


def covered(whole: NDArray[np.bool_], need: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which bytes are in a sequence that starts where `whole` and is `need` long (shape (n,) each)."""
    inside = whole.copy()
    for k in (1, 2, 3):
        inside[k:] |= (whole & (need > k))[:-k]
    return inside


def well_formed(data: bytes) -> NDArray[np.bool_]:
    """For each byte: is it part of a well-formed encoding?"""
    have, whole = prefix_lengths(data)
    return covered(whole, have)


def roles(data: bytes) -> NDArray[np.uint8]:
    """ByteRole of each byte, uint8 (n,)."""
    array = as_array(data)
    if is_valid(data):
        return _ROLE_OF_BYTE[array]
    have, whole = prefix_lengths(data)
    good = covered(whole, have)
    cut = covered((have > 0) & ~whole, have)
    out = np.where(good, _ROLE_OF_BYTE[array], np.uint8(ByteRole.INVALID))
    out[cut & ~good] = ByteRole.TRUNCATED
    return out.astype(np.uint8)


def is_boundary(data: bytes, byte_pos: int) -> bool:
    """Is the position no inside of a well-formed encoding? 0 and the end always are boundaries."""
    if byte_pos <= 0 or byte_pos >= len(data) or (data[byte_pos] & 0xC0) != 0x80:
        return True
    for start in range(byte_pos - 1, max(byte_pos - 4, -1), -1):
        if (data[start] & 0xC0) != 0x80:
            need = _LENGTHS[data[start]]
            return start + need <= byte_pos or not is_valid(data[start : start + need])
    return True


def pending(data: bytes) -> int:
    """How many bytes at the end (0..3) begin an encoding that more bytes could complete: what a decoder must hold."""
    for back in range(1, min(3, len(data)) + 1):
        lead = data[-back]
        if (lead & 0xC0) != 0x80:
            if _LENGTHS[lead] <= back:
                return 0
            second_fits = back == 1 or SECOND_LOW[lead] <= data[1 - back] <= SECOND_HIGH[lead]
            return back if second_fits else 0
    return 0


def continuing(data: bytes) -> int:
    """How many bytes at the start (3 at most) can only be the end of a character that began before them.

    >>> continuing(b"\\x98\\x80ok"), continuing(b"ok")
    (2, 0)
    """
    return next((i for i, byte in enumerate(data[:3]) if not 0x80 <= byte < 0xC0), min(3, len(data)))


def subpart_length(data: bytes, start: int) -> int:
    """Bytes in the maximal subpart (or the whole encoding) that begins at `start`: at least 1; one U+FFFD if bad."""
    need = _LENGTHS[data[start]]
    end = min(start + need, len(data))
    if end - start < 2 or not SECOND_LOW[data[start]] <= data[start + 1] <= SECOND_HIGH[data[start]]:
        return 1
    at = start + 2
    while at < end and (data[at] & 0xC0) == 0x80:
        at += 1
    return at - start


def decode(data: bytes, rule: Rule = "unicode") -> str:
    """All of the bytes as text; ill-formed ones are U+FFFD by the rule."""
    if rule == "unicode" or is_valid(data):
        return data.decode("utf-8", "replace")
    if rule == "go":
        return decode_per_byte(data)[0]
    return "".join(
        "\ufffd" if bad else data[start:end].decode("utf-8") for start, end, bad in _stretches(well_formed(data))
    )


def _stretches(good: NDArray[np.bool_]) -> list[tuple[int, int, bool]]:
    edges = [0, *(np.flatnonzero(np.diff(good)) + 1).tolist(), len(good)]
    return [(a, b, not good[a]) for a, b in pairwise(edges) if a < b]


def decode_per_byte(data: bytes) -> tuple[str, NDArray[np.int64], NDArray[np.bool_]]:
    """Any bytes -> (text, byte offset of each code point int64 (n,), is it from well-formed bytes bool (n,)).

    Each byte outside well-formed encodings is one U+FFFD (Go's rule), so every byte belongs to exactly one code point.
    """
    # "surrogateescape" makes each such byte one lone surrogate, which well-formed UTF-8 cannot give.
    points = np.frombuffer(data.decode("utf-8", "surrogateescape").encode("utf-32-le", "surrogatepass"), "<u4").copy()
    ok = (points < 0xDC80) | (points > 0xDCFF)
    size = np.ones(len(points), np.int64)
    for first in (0x80, 0x800, 0x10000):
        size += (points >= first) & ok
    points[~ok] = 0xFFFD
    return points.tobytes().decode("utf-32-le"), np.cumsum(size) - size, ok


@dataclass(frozen=True, slots=True)
class Fault:
    """One maximal subpart of ill-formed bytes: what Python, browsers and Rust turn into one U+FFFD.

    start, end: byte offsets. reason: why it cannot be decoded, in words for a reader.
    """

    start: int
    end: int
    reason: str


def faults(data: bytes, limit: int | None = None) -> list[Fault]:
    """The ill-formed places in order, by maximal subparts; at most `limit` of them."""
    if is_valid(data):
        return []
    have, whole = prefix_lengths(data)
    cut = (have > 0) & ~whole
    first = ~covered(whole, have) & ~(covered(cut, have) & ~cut)
    starts = np.flatnonzero(first)[:limit]
    ends = starts + np.maximum(have[starts], 1)
    return [Fault(a, b, reason(data, a, b)) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]


def reason(data: bytes, start: int, end: int) -> str:
    """Why the maximal subpart data[start:end] is not a character."""
    lead, after = data[start], data[end] if end < len(data) else None
    if 0x80 <= lead < 0xC0:
        return "a continuation byte without a lead byte"
    if lead in (0xC0, 0xC1):
        return "an overlong encoding"
    if lead >= 0xF8:
        return "a byte that UTF-8 never uses"
    if lead >= 0xF5:
        return "beyond U+10FFFF"
    if after is None:
        return f"cut short by the end: {end - start} of {_LENGTHS[lead]} bytes"
    if end == start + 1 and (after & 0xC0) == 0x80:  # a continuation byte, but not one that this lead allows
        return {0xE0: "an overlong encoding", 0xF0: "an overlong encoding", 0xED: "half of a surrogate pair",
                0xF4: "beyond U+10FFFF"}[lead]
    return f"cut short by the next byte: {end - start} of {_LENGTHS[lead]} bytes"


#: A byte-level regex of one well-formed encoding (Table 3-7), for scans that need no arrays.
WELL_FORMED = re.compile(
    rb"[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
