"""Positions in a text: bytes, code points, UTF-16 units (Qt, JavaScript), graphemes; and the maps between them.

Bytes are the coordinate everything shares. A view of bytes as text is a `TextView`: one code point after another, each
with the byte it starts at. A byte that is part of no valid UTF-8 is one U+FFFD of its own, so every byte has a place
for a caret.

    >>> view = decode_view("hé😀".encode() + b"\\xff")
    >>> view.text, view.byte_starts.tolist(), view.utf16_starts.tolist(), view.valid.tolist()
    ('hé😀\\ufffd', [0, 1, 3, 7, 8], [0, 1, 2, 4, 5], [True, True, True, False])
    >>> counts("👨‍👩‍👧".encode())
    Counts(bytes=18, code_points=5, graphemes=1)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import overload

import numpy as np
import regex
from numpy.typing import NDArray

from .utf8 import as_array, decode_per_byte
from .vocabulary import Int64s

#: One extended grapheme cluster (UAX #29), as the `regex` module has it.
GRAPHEME = regex.compile(r"\X", regex.DOTALL)


@dataclass(frozen=True)
class TextView:
    """text: n code points. byte_starts: int64 (n+1,), the last is the number of bytes. valid: bool (n,).

    The maps take an int or an int64 array and give the same; a position inside a code point maps to its start
    (`*_after` variants: to its end). Positions out of range are clipped.
    """

    text: str
    byte_starts: Int64s
    valid: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def utf16_starts(self) -> Int64s:
        """UTF-16 offset of each code point, int64 (n+1,)."""
        return utf16_starts(self.text)

    @cached_property
    def grapheme_starts(self) -> Int64s:
        """Code-point index of each grapheme and the end, int64 (g+1,)."""
        return grapheme_starts(self.text)

    @cached_property
    def grapheme_byte_starts(self) -> Int64s:
        """Byte offset of each grapheme and the end, int64 (g+1,)."""
        return self.byte_starts[self.grapheme_starts]

    @overload
    def cp_of_byte(self, byte_pos: int) -> int: ...
    @overload
    def cp_of_byte(self, byte_pos: Int64s) -> Int64s: ...
    def cp_of_byte(self, byte_pos: int | Int64s) -> int | Int64s:
        """The code point that holds the byte; n for the end."""
        return _at(self.byte_starts, byte_pos)

    @overload
    def byte_of_cp(self, cp_index: int) -> int: ...
    @overload
    def byte_of_cp(self, cp_index: Int64s) -> Int64s: ...
    def byte_of_cp(self, cp_index: int | Int64s) -> int | Int64s:
        return _take(self.byte_starts, cp_index)

    @overload
    def utf16_of_byte(self, byte_pos: int) -> int: ...
    @overload
    def utf16_of_byte(self, byte_pos: Int64s) -> Int64s: ...
    def utf16_of_byte(self, byte_pos: int | Int64s) -> int | Int64s:
        """The UTF-16 offset of the code point that holds the byte."""
        return _take(self.utf16_starts, _at(self.byte_starts, byte_pos))

    @overload
    def byte_of_utf16(self, utf16_pos: int) -> int: ...
    @overload
    def byte_of_utf16(self, utf16_pos: Int64s) -> Int64s: ...
    def byte_of_utf16(self, utf16_pos: int | Int64s) -> int | Int64s:
        """The byte offset of the code point at this UTF-16 offset (its start when inside a surrogate pair)."""
        return _take(self.byte_starts, _at(self.utf16_starts, utf16_pos))

    def utf16_after_byte(self, byte_pos: int) -> int:
        """As utf16_of_byte, but a position inside a code point maps to that code point's end."""
        index = int(np.searchsorted(self.byte_starts, byte_pos, side="left"))
        return int(self.utf16_starts[min(index, len(self.text))])

    def byte_after_utf16(self, utf16_pos: int) -> int:
        """As byte_of_utf16, but a position inside a surrogate pair maps to its end."""
        index = int(np.searchsorted(self.utf16_starts, utf16_pos, side="left"))
        return int(self.byte_starts[min(index, len(self.text))])

    def grapheme_at_byte(self, byte_pos: int) -> tuple[int, int]:
        """(byte_start, byte_end) of the grapheme that holds the byte; an empty range at the end of the text."""
        starts = self.grapheme_byte_starts
        index = int(_at(starts, byte_pos))
        return int(starts[index]), int(starts[min(index + 1, len(starts) - 1)])


def _at(starts: Int64s, position: int | Int64s) -> int | Int64s:
    """Index of the last start that is not after the position, clipped to 0 .. n."""
    found = np.searchsorted(starts, position, side="right") - 1
    clipped = np.clip(found, 0, len(starts) - 1)
    return clipped.astype(np.int64) if isinstance(position, np.ndarray) else int(clipped)


def _take(starts: Int64s, index: int | Int64s) -> int | Int64s:
    clipped = np.clip(index, 0, len(starts) - 1)
    return starts[clipped] if isinstance(index, np.ndarray) else int(starts[clipped])


def decode_view(data: bytes) -> TextView:
    """Bytes -> TextView; about 5 ms a MB of valid text, 40 ms a MB otherwise. Any bytes are taken."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text, starts, valid = decode_per_byte(data)
        return TextView(text, np.append(starts, len(data)), valid)
    return TextView(text, _starts_of_valid(data, text), np.ones(len(text), np.bool_))


def _starts_of_valid(data: bytes, text: str) -> Int64s:
    if len(text) == len(data):
        return np.arange(len(data) + 1, dtype=np.int64)
    starts = np.empty(len(text) + 1, np.int64)
    starts[:-1] = np.flatnonzero((as_array(data) & 0xC0) != 0x80)
    starts[-1] = len(data)
    return starts


def code_points(text: str) -> NDArray[np.uint32]:
    """The code points of a text, uint32 (n,); lone surrogates are kept."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def utf8_widths(points: NDArray[np.integer]) -> Int64s:
    """Bytes of each code point in UTF-8, int64 (n,); a lone surrogate has three."""
    return 1 + (points > 0x7F) + (points > 0x7FF) + (points > 0xFFFF).astype(np.int64)


def utf8_edges(points: NDArray[np.uint32]) -> Int64s:
    """UTF-8 offset of each code point and the end, int64 (n+1,)."""
    return np.concatenate([[0], np.cumsum(utf8_widths(points))])


def utf16_starts(text: str) -> Int64s:
    """UTF-16 offset of each code point and the end, int64 (n+1,)."""
    out = np.arange(len(text) + 1, dtype=np.int64)
    if text and not text.isascii():
        wide = code_points(text) > 0xFFFF
        if wide.any():
            out[1:] += np.cumsum(wide)
    return out


def utf16_length(text: str) -> int:
    """Its length in UTF-16 code units, as Qt counts; a lone surrogate is one."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


#: Ranges of characters that never join with one another, whatever stands around them (Grapheme_Cluster_Break=Other or
#: Control, no Extended_Pictographic, no Indic_Conjunct_Break): between two of them there always is a grapheme boundary.
#: Not complete, only common; a test checks every member against the `regex` module. 0x0D is out: it joins with 0x0A.
_PLAIN = (
    (0x00, 0x0C), (0x0E, 0xA8), (0xAA, 0xAC), (0xAF, 0x2FF), (0x370, 0x482), (0x48A, 0x58F), (0x5D0, 0x5EA),
    (0x620, 0x64A), (0x1E00, 0x1FFF), (0x2010, 0x2027), (0x2030, 0x203B), (0x20A0, 0x20BF), (0x3001, 0x3029),
    (0x3041, 0x3096), (0x30A0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF01, 0xFF9D),
    (0xFFFD, 0xFFFD), (0x20000, 0x2FA1F),
)


@cache
def _plain_table() -> NDArray[np.bool_]:
    table = np.zeros(0x110000, np.bool_)
    for first, last in _PLAIN:
        table[first : last + 1] = True
    return table


def grapheme_starts(text: str) -> Int64s:
    r"""Code-point index of each extended grapheme cluster (`regex` \X) and the end, int64 (g+1,). O(n).

    Only stretches that hold a character which could join its neighbours are given to the regex, and of a long row of
    flags only its first: for each flag the regex counts back to where the row begins, which is quadratic.
    """
    if not text:
        return np.zeros(1, np.int64)
    if text.isascii() and "\r" not in text:
        return np.arange(len(text) + 1, dtype=np.int64)
    points = code_points(text)
    flags = (points >= _FIRST_INDICATOR) & (points <= _LAST_INDICATOR)
    if int(flags.sum()) < _MANY_FLAGS:
        return _joined_starts(text, points)
    spare, starts = _spare_flags(flags)
    kept = np.flatnonzero(~spare)
    short = points[kept]
    found = _joined_starts(short.tobytes().decode("utf-32-le", "surrogatepass"), short)
    return np.sort(np.concatenate((np.append(kept, len(text))[found], starts)))


_FIRST_INDICATOR, _LAST_INDICATOR = 0x1F1E6, 0x1F1FF
#: From so many regional indicators on (halves of flags) rows of them are counted here; a few cost the regex nothing.
_MANY_FLAGS = 32


def _spare_flags(flags: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Int64s]:
    """Regional indicators that the regex need not see, bool (n,), and the clusters that begin at them.

    In a row of them clusters begin at every second one from its start, whatever stands before (UAX #29, GB12 and GB13).
    The first two stay, and the odd one at the end: they stand for all in what joins the row at either side.
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False]))))
    firsts, ends = edges[::2], edges[1::2]
    sizes = ends - firsts
    row = np.cumsum(np.bincount(firsts, minlength=len(flags))) - 1  # of each flag, the number of its row
    places = np.flatnonzero(flags)
    offset = places - firsts[row[places]]
    drop = places[(offset >= 2) & (offset < sizes[row[places]] // 2 * 2)]
    spare = np.zeros(len(flags), np.bool_)
    spare[drop] = True
    return spare, drop[(drop - firsts[row[drop]]) % 2 == 0].astype(np.int64)


def _joined_starts(text: str, points: NDArray[np.uint32]) -> Int64s:
    plain = _plain_table()[points]
    sure = np.ones(len(text) + 1, np.bool_)  # sure[i]: a boundary before i that needs no look
    sure[1:-1] = plain[1:] & plain[:-1]
    if sure.mean() < 0.3:
        return np.fromiter((*(m.start() for m in GRAPHEME.finditer(text)), len(text)), np.int64)
    known = np.flatnonzero(sure)
    found: list[int] = []
    for k in np.flatnonzero(np.diff(known) > 1).tolist():
        start, end = int(known[k]), int(known[k + 1])
        found.extend(m.start() for m in GRAPHEME.finditer(text, start, end))
    sure[found] = True
    return np.flatnonzero(sure).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Counts:
    """How long a text is, in three units. Bytes outside valid UTF-8 count as one code point each."""

    bytes: int
    code_points: int
    graphemes: int


def counts(data: bytes) -> Counts:
    """Bytes, code points and graphemes of any bytes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = decode_per_byte(data)[0]
    return Counts(len(data), len(text), len(grapheme_starts(text)) - 1)
