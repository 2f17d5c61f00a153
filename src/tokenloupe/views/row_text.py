"""What a row shows: its bytes as a string for QTextLayout, and where each cluster lies in both.

A character that has no picture of its own (a control, a byte order mark, a byte that is no UTF-8) is shown by a
placeholder of a width to be set, over which a small label is drawn. A bidi control keeps its effect behind its label.
What draws together (ZWJ in a family, a virama) stays, so that the text looks as it looks elsewhere.

    >>> t = RowText.make(b"a\\xffb\\r\\n")
    >>> t.text, t.cluster_bytes.tolist(), [(m.utf16_start, m.label) for m in t.marks]
    ('a=b ', [0, 1, 2, 3, 5], [(1, 'FF'), (3, 'CRLF')])

Positions inside are bytes of the row (`byte`) and UTF-16 units of the string shown (`utf16`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from ..core.text import decode_view, grapheme_starts

#: Stands for what is drawn as a label: a neutral character that every font has.
HOLDER = "="

#: What the labels of controls say.
NAMES = {
    0x00: "NUL", 0x01: "SOH", 0x02: "STX", 0x03: "ETX", 0x04: "EOT", 0x05: "ENQ", 0x06: "ACK", 0x07: "BEL",
    0x08: "BS", 0x0B: "VT", 0x0C: "FF", 0x0E: "SO", 0x0F: "SI", 0x10: "DLE", 0x11: "DC1", 0x12: "DC2", 0x13: "DC3",
    0x14: "DC4", 0x15: "NAK", 0x16: "SYN", 0x17: "ETB", 0x18: "CAN", 0x19: "EM", 0x1A: "SUB", 0x1B: "ESC",
    0x1C: "FS", 0x1D: "GS", 0x1E: "RS", 0x1F: "US", 0x7F: "DEL", 0x85: "NEL", 0xAD: "SHY", 0x61C: "ALM",
    0x180E: "MVS", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM", 0x2028: "LS",
    0x2029: "PS", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ",
    0x2061: "FA", 0x2062: "IT", 0x2063: "IS", 0x2064: "IP", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
    0x2069: "PDI", 0xFEFF: "BOM", 0xFFF9: "IAA", 0xFFFA: "IAS", 0xFFFB: "IAT", 0xFFFC: "OBJ",
}
#: Invisible, and marked only when controls are shown; these keep their effect on the text beside them.
_KEEP = frozenset((0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200B, 0x2060))
#: Of no width, and joining: marked above the text, never between what they join.
_JOIN = frozenset((0x200C, 0x200D))
_LINE_ENDS = frozenset((0x0A, 0x0D, 0x2028, 0x2029))

_SPECIAL = regex.compile(
    r"[\x00-\x08\x0A-\x1F\x7F-\x9F\xAD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFDD0-\uFDEF\uFEFF"
    r"\uFFF0-\uFFFD\p{Noncharacter_Code_Point}\p{Private_Use}]")
_RTL = regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}\p{Bidi_Class=AN}\u061C\u200F\u202A-\u202E\u2066-\u2069]")
_STRONG = regex.compile(r"([\p{Bidi_Class=R}\p{Bidi_Class=AL}])|\p{Bidi_Class=L}")


class Mark(NamedTuple):
    """A label in place of (or above) the string's units utf16_start .. +1.

    kind: "byte" (no UTF-8), "control", "end" (of a line), "above" (of no width). byte_start: in the row.
    """

    utf16_start: int
    label: str
    kind: str
    byte_start: int


class RowText(NamedTuple):
    """text: what is laid out. cluster_bytes, cluster_utf16: int64 (k+1,), where each cluster begins, and the ends.

    rtl: does anything run from right to left? body: bytes without the line's terminator.
    """

    data: bytes
    text: str
    cluster_bytes: NDArray[np.int64]
    cluster_utf16: NDArray[np.int64]
    marks: tuple[Mark, ...]
    rtl: bool
    body: int

    @classmethod
    def make(cls, data: bytes, controls: bool = True) -> RowText:
        """controls: label invisible characters (BOM, ZWSP, ZWJ, bidi controls); C0 and C1 controls always are."""
        body = len(data) - _terminator(data)
        if data.isascii() and not _odd(data[:body]):
            text = data[:body].decode("ascii")
            edges = np.arange(body + 1, dtype=np.int64)
            if body == len(data):
                return cls(data, text, edges, edges, (), False, body)
            label = "CRLF" if len(data) - body == 2 else "LF" if data[-1] == 10 else "CR"
            return cls(data, text + " ", np.append(edges, len(data)), np.append(edges, body + 1),
                       (Mark(body, label, "end", body),), False, body)
        return _general(data, body, controls)

    def cluster_at(self, byte_pos: int) -> int:
        """Index of the cluster that holds a byte of the row; the number of clusters for its end."""
        return int(self.cluster_bytes.searchsorted(byte_pos, "right")) - 1

    def utf16_of(self, byte_pos: int) -> int:
        """Where the cluster that holds the byte begins in the string."""
        return int(self.cluster_utf16[min(max(self.cluster_at(byte_pos), 0), len(self.cluster_utf16) - 1)])

    def cluster_of_utf16(self, utf16_pos: int) -> int:
        return int(self.cluster_utf16.searchsorted(utf16_pos, "right")) - 1

    @property
    def starts_rtl(self) -> bool:
        """Does the paragraph run from right to left? By its first strong character, as UAX #9 has it."""
        first = _STRONG.search(self.text) if self.rtl else None
        return first is not None and first.group(1) is not None


def _terminator(data: bytes) -> int:
    if data.endswith(b"\r\n"):
        return 2
    if data.endswith((b"\n", b"\r")):
        return 1
    return 3 if data.endswith((b"\xe2\x80\xa8", b"\xe2\x80\xa9")) else 0


_ODD = bytes(b for b in range(256) if (b >= 32 or b == 9) and b != 127)


def _odd(data: bytes) -> bytes:
    """The controls among ASCII bytes."""
    return data.translate(None, _ODD)


def _general(data: bytes, body: int, controls: bool) -> RowText:
    view = decode_view(data)
    text, starts = view.text, view.byte_starts
    n = len(text)
    valid = view.valid
    whole = bool(valid.all())
    specials = [m.start() for m in _SPECIAL.finditer(text)]
    # A byte that is no UTF-8 joins with nothing: for the segmentation it is a control.
    segmented = text if whole else "".join(c if ok else "\0" for c, ok in zip(text, valid.tolist(), strict=True))
    clusters = grapheme_starts(segmented)
    units = np.ones(n + 1, np.int64)  # UTF-16 units each code point is shown by
    if n:
        units[:-1] += np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4") > 0xFFFF
    out: list[str] = []
    marks: list[tuple[int, str, str]] = []  # code point, label, kind
    at = 0
    for k in specials:
        shown, label, kind = _shown(text[k], bool(valid[k]), data, int(starts[k]), body, controls)
        if kind == "skip":
            continue
        out += (text[at:k], shown)
        units[k] = len(shown) if ord(text[k]) <= 0xFFFF or kind != "above" else 2
        if label:
            marks.append((k, label, kind))
        at = k + 1
    out.append(text[at:])
    shown_text = "".join(out)
    utf16 = np.zeros(n + 1, np.int64)
    np.cumsum(units[:-1], out=utf16[1:])
    return RowText(data, shown_text, starts[clusters], utf16[clusters],
                   tuple(Mark(int(utf16[k]), label, kind, int(starts[k])) for k, label, kind in marks),
                   _RTL.search(shown_text) is not None, body)


def _shown(char: str, valid: bool, data: bytes, byte: int, body: int, controls: bool) -> tuple[str, str, str]:
    """(string shown, label, kind) of a special character."""
    point = ord(char)
    if not valid:
        return HOLDER, f"{data[byte]:02X}", "byte"
    if byte >= body and point in _LINE_ENDS:
        if point == 0x0A and byte > body:
            return "", "", "end"  # the LF of a CRLF
        return " ", "CRLF" if data.endswith(b"\r\n") else "LF" if point == 0x0A else NAMES.get(point, "CR"), "end"
    if point in _JOIN:
        return char, NAMES[point] if controls else "", "above"
    if point in _KEEP:
        return (HOLDER + char, NAMES[point], "control") if controls else (char, "", "skip")
    if point in (0xAD, 0xFEFF, 0x180E) and not controls:
        return char, "", "skip"
    if point == 0xFFFD or 0xE000 <= point <= 0xF8FF or point >= 0xF0000:
        # A replacement character is itself; private characters may have a glyph in the user's font.
        return char, "", "skip"
    return HOLDER, NAMES.get(point) or f"{point:X}", "control"
