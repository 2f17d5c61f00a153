"""Where the caret goes: by graphemes, words, lines and pages, over bytes that need not be text.

    moves.next(byte_pos), moves.previous(byte_pos)       # never inside a cluster
    moves.word_at(byte_pos)                              # (start, end) for a double click

Left and Right follow the direction of the paragraph, as in Qt's own editors: in a line that begins from right to left,
Right goes to the previous character. A byte that is no UTF-8 is a cluster of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import regex
from PySide6.QtCore import QTextBoundaryFinder

from ..core.text import decode_view
from .editor_sheet import Sheet
from .row_text import RowText

#: Clusters that Backspace takes whole: nobody wants half a flag. Others lose their last character (a tone, a vowel).
_WHOLE = regex.compile(r"[\p{Extended_Pictographic}\p{Regional_Indicator}\r\u20E3]")


class Place(NamedTuple):
    """byte_pos, and whether it is meant at the end of the visual line before a wrap."""

    byte_pos: int
    upstream: bool = False


class Moves:
    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def _row(self, row: int) -> tuple[int, RowText]:
        start, end = self._sheet.rows.span(row)
        return start, self._sheet.text(self._sheet.store.bytes(start, end))

    # Graphemes

    def next(self, byte_pos: int) -> int:
        rows = self._sheet.rows
        start, text = self._row(rows.row_at(byte_pos))
        cluster = text.cluster_at(byte_pos - start)
        return start + int(text.cluster_bytes[min(cluster + 1, len(text.cluster_bytes) - 1)])

    def previous(self, byte_pos: int) -> int:
        if byte_pos <= 0:
            return 0
        start, text = self._row(self._sheet.rows.row_at(byte_pos - 1))
        return start + int(text.cluster_bytes[text.cluster_at(byte_pos - 1 - start)])

    def snapped(self, byte_pos: int) -> int:
        """The start of the cluster that holds the byte."""
        start, text = self._row(self._sheet.rows.row_at(byte_pos))
        return start + int(text.cluster_bytes[text.cluster_at(byte_pos - start)])

    def backspace_from(self, byte_pos: int) -> int:
        """Where what Backspace takes begins: a whole emoji, CRLF or flag; of other clusters the last code point."""
        start = self.previous(byte_pos)
        view = decode_view(self._sheet.store.bytes(start, byte_pos))
        if len(view) < 2 or _WHOLE.search(view.text):
            return start
        return start + int(view.byte_starts[-2])

    def is_rtl(self, byte_pos: int) -> bool:
        """Does the paragraph run from right to left?"""
        _, text = self._row(self._sheet.rows.row_at(byte_pos))
        return text.starts_rtl

    # Words

    def _stretch(self, byte_pos: int) -> tuple[int, RowText]:
        """The row that holds the byte with the pieces of its line beside it: a word may lie over the cut."""
        rows = self._sheet.rows
        row = rows.row_at(byte_pos)
        start, end = rows.span(row)
        if rows.continued(row):
            start = max(rows.span(row - 1)[0], start - 400)
            start = self.snapped(start)
        if row + 1 < len(rows) and not rows.hard(row):
            end = self.snapped(min(rows.span(row + 1)[1], end + 400))
        return start, RowText.make(self._sheet.store.bytes(start, end), False)

    def word_right(self, byte_pos: int) -> int:
        """The start of the next word; the end of the line, then the next line."""
        start, text = self._stretch(byte_pos)
        local = byte_pos - start
        if local >= text.body:
            return self.next(byte_pos)
        finder = _finder(text)
        finder.setPosition(text.utf16_of(local))
        end = text.utf16_of(text.body)
        unit = finder.toNextBoundary()
        while 0 <= unit < end and (_is_space(text, unit) or _in_cluster(text, unit)):
            unit = finder.toNextBoundary()
        return start + self._byte(text, end if unit < 0 or unit > end else unit)

    def word_left(self, byte_pos: int) -> int:
        if byte_pos <= 0:
            return 0
        start, text = self._stretch(byte_pos)
        if byte_pos == start:
            return self.previous(byte_pos)
        finder = _finder(text)
        finder.setPosition(text.utf16_of(byte_pos - start))
        unit = finder.toPreviousBoundary()
        while unit > 0 and (_is_space(text, unit) or _in_cluster(text, unit)):
            unit = finder.toPreviousBoundary()
        return start + self._byte(text, max(unit, 0))

    def word_at(self, byte_pos: int) -> tuple[int, int]:
        """(byte_start, byte_end) of the word, space or sign at a byte."""
        start, text = self._stretch(byte_pos)
        if len(text.data) == 0:
            return byte_pos, byte_pos
        local = min(byte_pos - start, max(text.body - 1, 0))
        finder = _finder(text)
        unit = text.utf16_of(local)
        finder.setPosition(unit)
        low = unit if finder.isAtBoundary() else finder.toPreviousBoundary()
        while low > 0 and _in_cluster(text, low):
            low = finder.toPreviousBoundary()
        finder.setPosition(unit)
        high = finder.toNextBoundary()
        while high > 0 and _in_cluster(text, high):
            high = finder.toNextBoundary()
        low = max(low, 0)
        if high < 0:
            high = text.utf16_of(text.body)
        return start + self._byte(text, low), min(start + self._byte(text, high), start + text.body) \
            if local < text.body else start + len(text.data)

    @staticmethod
    def _byte(text: RowText, unit: int) -> int:
        return int(text.cluster_bytes[max(text.cluster_of_utf16(unit), 0)])

    # Lines

    def vertical(self, place: Place, lines: int, goal_x: float) -> Place | None:
        """So many visual lines down (up when negative), as near to goal_x as can be; None beyond the text."""
        sheet = self._sheet
        row, line, _ = sheet.place(place.byte_pos, place.upstream)
        step = 1 if lines > 0 else -1
        for _ in range(abs(lines)):
            line += step
            if line < 0:
                if row == 0:
                    return None
                row -= 1
                line = len(sheet.picture(row).layout.lines) - 1
            elif line >= len(sheet.picture(row).layout.lines):
                if row + 1 >= len(sheet.rows):
                    return None
                row, line = row + 1, 0
        byte_pos, upstream = sheet.picture(row).layout.byte_from_x(line, goal_x)
        return Place(sheet.rows.span(row)[0] + byte_pos, upstream)

    def line_start(self, place: Place) -> Place:
        row, line, _ = self._sheet.place(place.byte_pos, place.upstream)
        start = self._sheet.rows.span(row)[0]
        return Place(start + self._sheet.picture(row).layout.line_bytes(line)[0])

    def line_end(self, place: Place) -> Place:
        row, line, _ = self._sheet.place(place.byte_pos, place.upstream)
        start, end = self._sheet.rows.span(row)
        layout = self._sheet.picture(row).layout
        if line + 1 < len(layout.lines):
            return Place(start + layout.line_bytes(line)[1], True)
        return Place(start + layout.row.body, start + layout.row.body == end)

    def block(self, byte_pos: int) -> tuple[int, int]:
        """(byte_start, byte_end) of the whole line, its terminator included."""
        return self._sheet.rows.line_span(self._sheet.rows.row_at(byte_pos))

    def block_end(self, byte_pos: int) -> int:
        """The end of the line before its terminator."""
        _, end = self.block(byte_pos)
        row = self._sheet.rows.row_at(max(end - 1, 0))
        start, text = self._row(row)
        return start + text.body if end > byte_pos or end > start else end


def _finder(text: RowText) -> QTextBoundaryFinder:
    return QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text.text)


def _in_cluster(text: RowText, unit: int) -> bool:
    """A word may end inside a cluster (behind a sign written before numbers, U+0600): no caret stands there."""
    return int(text.cluster_utf16[max(text.cluster_of_utf16(unit), 0)]) != unit


def _is_space(text: RowText, unit: int) -> bool:
    if len(text.text) == int(text.cluster_utf16[-1]):  # no surrogate pairs: units are characters
        return text.text[unit : unit + 1].isspace()
    units = text.text.encode("utf-16-le", "surrogatepass")
    return units[2 * unit : 2 * unit + 2].decode("utf-16-le", "replace").isspace()
