"""Cutting bytes into rows: at line terminators, and long lines at grapheme boundaries.

    >>> [a.tolist() for a in cut_rows(b"one\\ntwo", last=True)]
    [[4, 3], [True, False]]

Terminators are found by array comparisons (10 MB in about 20 ms). A long line is cut about every 1,000 characters or
1,600 bytes, whichever is less: a key lays out and paints its piece anew, and that is 2 ms at this size. The boundary is
looked for near the place wanted, from a character that surely begins a cluster, so a line of 1 MB is cut without
segmenting all of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.text import decode_view, grapheme_starts

Rows = tuple[NDArray[np.int64], NDArray[np.bool_]]

CHARACTERS = 1000
BYTES = 1600
#: A line up to this is one row.
WHOLE = 1600
#: How far back a boundary is looked for before any character boundary will do.
REACH = 800


def line_ends(data: bytes) -> NDArray[np.int64]:
    """Byte offsets just behind each line terminator (LF, CRLF, CR, U+2028, U+2029)."""
    array = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(array == 10) + 1
    more = []
    if b"\r" in data:
        lone = np.flatnonzero(array == 13)
        follows = np.append(array, 0)[lone + 1] == 10
        more.append(lone[~follows] + 1)
    if b"\xe2\x80\xa8" in data or b"\xe2\x80\xa9" in data:
        lead = np.flatnonzero(array[:-2] == 0xE2)
        lead = lead[(array[lead + 1] == 0x80) & ((array[lead + 2] | 1) == 0xA9)]
        more.append(lead + 3)
    return np.sort(np.concatenate([ends, *more])).astype(np.int64) if more else ends.astype(np.int64)


def cut_rows(data: bytes, last: bool) -> Rows:
    """Lengths in bytes, int64 (n,), and whether each row ends a line, bool (n,), of bytes that begin a row.

    last: the bytes end the text, so that a last row without terminator is there, empty or not. Without it the bytes
    end at a row's end, and an unfinished line just goes on in the row that follows.
    """
    ends = line_ends(data)
    hard = np.ones(len(ends), np.bool_)
    if (rest := len(data) - (int(ends[-1]) if len(ends) else 0)) or last:
        ends = np.append(ends, ends[-1] + rest if len(ends) else rest)
        hard = np.append(hard, False)
    lengths = np.diff(ends, prepend=0)
    if len(lengths) == 0 or int(lengths.max()) <= WHOLE:
        return lengths, hard
    out_lengths: list[int] = []
    out_hard: list[bool] = []
    for end, length, is_hard in zip(ends.tolist(), lengths.tolist(), hard.tolist(), strict=True):
        if length <= WHOLE:
            out_lengths.append(length)
            out_hard.append(is_hard)
            continue
        pieces = cut_line(data[end - length : end])
        out_lengths.extend(pieces)
        out_hard.extend([False] * (len(pieces) - 1))
        out_hard.append(is_hard)
    return np.array(out_lengths, np.int64), np.array(out_hard, np.bool_)


def cut_line(line: bytes) -> list[int]:
    """Lengths of the pieces of one long line; each piece ends between two graphemes where one is in reach."""
    starts = np.flatnonzero((np.frombuffer(line, np.uint8) & 0xC0) != 0x80)  # stray continuation bytes join, here
    pieces: list[int] = []
    at = 0
    while len(line) - at > WHOLE:
        k = int(np.searchsorted(starts, at)) + CHARACTERS
        want = min(int(starts[k]) if k < len(starts) else len(line), at + BYTES)
        if len(line) - want < WHOLE // 4:
            want = at + (len(line) - at) // 2  # two halves, not a piece and a crumb
        cut = boundary_before(line, at, want)
        pieces.append(cut - at)
        at = cut
    pieces.append(len(line) - at)
    return pieces


def boundary_before(line: bytes, low: int, want: int) -> int:
    """A grapheme boundary in low < b <= want, as near to `want` as can be found; a character boundary else."""
    # Between two printable ASCII characters there always is one.
    for at in range(want, max(low, want - 100), -1):
        if 0x20 <= line[at - 1] < 0x7F and at < len(line) and 0x20 <= line[at] < 0x7F:
            return at
    start = max(low, want - REACH)
    while start < want and line[start] & 0xC0 == 0x80:
        start += 1
    view = decode_view(line[start : want + 64])
    text = "".join(c if ok else "\0" for c, ok in zip(view.text, view.valid.tolist(), strict=True))
    edges = view.byte_starts[grapheme_starts(text)] + start
    # The first boundaries may be wrong when the window begins inside a cluster: what matters is the last.
    good = edges[(edges <= want) & (edges > start)]
    if len(good):
        return int(good[-1])
    whole = view.byte_starts[(view.byte_starts + start <= want) & (view.byte_starts > 0)]
    return int(whole[-1]) + start if len(whole) else want
