"""Byte strings found in, folded in, and sorted as part of one blob: what query.py is fast with.

    >>> table = ByteSearch(b"theat", np.array([0, 3, 5]))        # "the", "at"
    >>> table.find(b"t").tolist(), table.find(b"ea").tolist()   # "ea" lies across two entries
    ([True, True], [False, False])
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .lookup import Text
from .scripts import with_separators
from .vocabulary import Int64s

Bools = NDArray[np.bool_]
#: Places from which on it pays to remember which entries have a byte.
OFTEN = 10_000
#: Entries that are sorted in one slice: some 5 ms.
BUCKET = 1 << 14


class ByteSearch:
    """Which entries contain some bytes. like: a table over the same offsets, whose rows are shared. counts: how often
    each byte stands in the blob, where that is known."""

    def __init__(self, blob: bytes, offsets: Int64s, like: ByteSearch | None = None,
                 counts: Int64s | None = None) -> None:
        self.data = np.frombuffer(blob, np.uint8)
        self.offsets = offsets
        self.rows: NDArray[np.int32] = like.rows if like is not None else np.repeat(
            np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
        self.counts = np.bincount(self.data, minlength=256) if counts is None else counts
        self._of_byte: dict[int, NDArray[np.int32]] = {}

    def letter_steps(self) -> Iterator[float]:
        """Remember the entries of each byte that stands in very many places, one byte a step: then one letter costs no
        more than ten. Progress 0..1."""
        often = np.flatnonzero(self.counts > OFTEN).tolist()
        for number, byte in enumerate(often, 1):
            if byte not in self._of_byte:
                self._of_byte[byte] = np.flatnonzero(self.find(bytes([byte]))).astype(np.int32)
            yield number / len(often)

    def find(self, needle: bytes, half: int | None = None) -> Bools:
        """bool (n,): the entries that contain the bytes (followed by one whose high half is `half`)."""
        out = np.zeros(len(self.offsets) - 1, np.bool_)
        size = len(needle) + (half is not None)
        if size == 0:
            out[:] = True
            return out
        if len(needle) == size == 1 and needle[0] in self._of_byte:
            out[self._of_byte[needle[0]]] = True
            return out
        room = len(self.data) - size + 1
        if room <= 0:
            return out
        if needle:
            rarest = min(range(len(needle)), key=lambda i: int(self.counts[needle[i]]))
            places = np.flatnonzero(self.data[rarest : rarest + room] == needle[rarest])
        else:
            assert half is not None
            rarest, places = -1, np.flatnonzero(self.data >> 4 == half)
        for i in sorted(range(len(needle)), key=lambda i: int(self.counts[needle[i]])):
            if i != rarest:
                places = places[self.data[places + i] == needle[i]]
        if half is not None and needle:
            places = places[self.data[places + len(needle)] >> 4 == half]
        rows = self.rows[places]
        if size > 1:
            rows = rows[self.rows[places + (size - 1)] == rows]
        out[rows] = True
        return out


@cache
def lower_case() -> NDArray[np.uint32]:
    """Code point -> its lower case where that is one code point of as many UTF-8 bytes, else itself."""
    table = np.arange(0x110000, dtype=np.uint32)
    for first, last in ((0, 0x3000), (0xA640, 0xABC0), (0xFF00, 0xFF60), (0x10400, 0x10600), (0x10C80, 0x10D00),
                        (0x118A0, 0x118E0), (0x16E40, 0x16E80), (0x1E900, 0x1E944)):
        # All at once; between noncharacters, so that no sigma takes itself for the last letter of a word.
        lower = "\uffff".join(map(chr, range(first, last))).lower().split("\uffff")
        for point, low in enumerate(lower, first):
            if len(low) == 1 and ord(low) != point and _utf8_size(ord(low)) == _utf8_size(point):
                table[point] = ord(low)
    return table


def _utf8_size(point: int) -> int:
    return 1 + (point >= 0x80) + (point >= 0x800) + (point >= 0x10000)


def folded(blob: bytes, offsets: Int64s) -> bytes:
    """The entries in lower case; every entry keeps its length and its ill-formed bytes."""
    if blob.isascii():
        return blob.lower()
    joined, separators = with_separators(blob, offsets)
    text = joined.tobytes().decode("utf-8", "surrogateescape").encode("utf-32-le", "surrogatepass")
    low = lower_case()[np.frombuffer(text, "<u4")].astype("<u4").tobytes()
    back = np.frombuffer(low.decode("utf-32-le", "surrogatepass").encode("utf-8", "surrogateescape"), np.uint8)
    keep = np.ones(len(back), np.bool_)
    keep[separators] = False
    return back[keep].tobytes()


def sort_bytes(blob: bytes, offsets: Int64s) -> Int64s:
    """The order of the entries as byte strings; equal ones stay in order."""
    *_, order = sort_steps(blob, offsets)
    assert not isinstance(order, float)
    return order


def sort_steps(blob: bytes, offsets: Int64s) -> Iterator[float | Int64s]:
    """The same in slices: progress 0..1, at last the order.

    The first eight bytes of each entry as one big-endian number part the entries into buckets of about BUCKET, which
    are sorted one by one.
    """
    starts, lengths = offsets[:-1], np.diff(offsets)
    words = Text(blob).words
    yield 0.05
    first = _key(words, starts, lengths)
    some = np.sort(first[:: max(len(first) // 1024, 1)])
    pivots = np.unique(some[:: max(len(some) * BUCKET // max(len(first), 1), 1)][1:]).tolist()
    yield 0.1
    parts: list[Int64s] = []
    for number, (low, high) in enumerate(zip([None, *pivots], [*pivots, None], strict=True), 1):
        there = np.ones(len(first), np.bool_) if low is None else first >= np.uint64(low)
        if high is not None:
            there &= first < np.uint64(high)
        rows = np.flatnonzero(there)
        parts.append(rows[_sorted(blob, words, first[rows], starts[rows], lengths[rows])])
        yield 0.1 + 0.9 * number / (len(pivots) + 1)
    yield np.concatenate(parts)


def _sorted(blob: bytes, words: NDArray[np.uint64], first: NDArray[np.uint64], starts: Int64s,
            lengths: Int64s) -> Int64s:
    """The order of some entries, first: their first eight bytes as numbers. Those that agree in them are sorted by the
    next eight and the length; what is still undecided (entries of more than 16 bytes with a common start) one by one.
    """
    order = np.argsort(first, kind="stable")
    same = first[order][1:] == first[order][:-1]
    tied = np.flatnonzero(np.concatenate(([False], same)) | np.concatenate((same, [False])))
    if not len(tied):
        return order
    rows = order[tied]
    rest = np.maximum(lengths[rows] - 8, 0)
    second = _key(words, np.minimum(starts[rows] + 8, len(words) - 1), rest)
    sizes = np.minimum(lengths[rows], 17)  # longer ones are told apart below
    # The groups keep their places, so their number is the most significant key.
    group = np.cumsum(np.concatenate(([True], first[rows][1:] != first[rows][:-1])))
    inner = np.lexsort((sizes, second, group))
    rows = rows[inner]
    order[tied] = rows
    key2, big = second[inner], sizes[inner] == 17
    pair = big[1:] & big[:-1] & (key2[1:] == key2[:-1]) & (group[inner][1:] == group[inner][:-1])
    edges = np.flatnonzero(np.diff(np.concatenate(([False], pair, [False])).astype(np.int8)))
    for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        some = rows[begin : end + 1].tolist()
        some.sort(key=lambda r: blob[starts[r] : starts[r] + lengths[r]])
        order[tied[begin : end + 1]] = some
    return order


def sort_lengths(lengths: Int64s) -> Int64s:
    """The order of lengths, the shortest first; equal ones stay in order. Small numbers are sorted digit by digit, ten
    times as fast as by comparing; only the few that are too long for that are compared."""
    order = np.argsort(np.minimum(lengths, 65535).astype(np.uint16), kind="stable")
    long = len(lengths) - int(np.count_nonzero(lengths >= 65535))
    order[long:] = order[long:][np.argsort(lengths[order[long:]], kind="stable")]
    return order


def _key(words: NDArray[np.uint64], starts: Int64s, lengths: Int64s) -> NDArray[np.uint64]:
    """Up to eight bytes of each entry as a number that sorts as they do (zeros past the end)."""
    size = np.minimum(lengths, 8)
    masks = np.array([(1 << (8 * n)) - 1 for n in range(9)], np.uint64)
    return (words[starts] & masks[size]).byteswap()


_COUNT = re.compile(r"\{(\d+)(?:,\d*)?\}")


def written_out(pattern: str) -> int:
    """How many items a regular expression has when its counts are written out, as compiling it does (about).

    >>> written_out("ab{3}"), written_out("(?:a|b){1000}") > 2000
    (4, True)
    """
    totals, last, i = [0], 0, 0
    while i < len(pattern):
        char, size = pattern[i], 1
        counted = _COUNT.match(pattern, i) if char == "{" else None
        if counted is not None:
            times = max(int(counted[1][:12]), 1)
            totals[-1] += last * (times - 1)
            last *= times
            i = counted.end()
            continue
        if char == "(":
            totals.append(1)
        elif char == ")" and len(totals) > 1:
            last = totals.pop()
            totals[-1] += last
        else:
            if char == "\\":
                size = 2
            elif char == "[":
                size = _set_size(pattern, i)
            last = 1
            totals[-1] += 1
        i += size
    return sum(totals)


def _set_size(pattern: str, start: int) -> int:
    """Characters of the set that begins at start: to its bracket, or to the end."""
    i, depth = start + 1, 1
    if pattern[i : i + 1] == "^":
        i += 1
    if pattern[i : i + 1] == "]":
        i += 1
    while i < len(pattern) and depth:
        if pattern[i] == "\\":
            i += 1
        else:
            depth += {"[": 1, "]": -1}.get(pattern[i], 0)
        i += 1
    return i - start


_SPECIAL = set("\\^$.|?*+()[]{}")


def literal_of(pattern: str, ignore_case: bool = True) -> str:
    """A text that every match of the pattern contains ("" when none is sure): the longest run of plain characters
    outside groups, sets and alternatives, none of which a quantifier makes optional. Without case, k and s are not
    sure: they match the Kelvin sign and the long s.

    >>> literal_of(r"^hel+o\\d"), literal_of("a|b")
    ('hel', '')
    """
    if any(c in pattern for c in "|(["):
        return ""
    runs, run, i = [""], "", 0
    while i < len(pattern):
        char = pattern[i]
        after = pattern[i + 1] if i + 1 < len(pattern) else ""
        if char == "\\":
            runs.append(run)
            run = ""
            if not after or after.isalnum():
                return max(runs, key=len) if after in "dDsSwWbB" and after else ""
            i += 2
            if i < len(pattern) and pattern[i] in "?*{":
                return max(runs, key=len)
            continue
        if char in _SPECIAL:
            runs.append(run)
            run = ""
            if char == "{":
                return max(runs, key=len)
        elif after and after in "?*{":
            runs.append(run)
            run = ""
        elif ord(char) < 0x80 and not (ignore_case and char in "kKsS"):  # others may have case pairs of other lengths
            run += char
        else:
            runs.append(run)
            run = ""
        i += 1
    return max([*runs, run], key=len)
