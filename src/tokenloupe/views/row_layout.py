"""One row laid out: a QTextLayout, its visual lines, and the way between bytes and places in both directions.

    layout = RowLayout(RowText.make(b"hi \\xff"), Metrics.of(font), width=600.0)
    line = layout.line_of(3)                    # the visual line that shows byte 3
    layout.caret_x(line, 3), layout.byte_from_x(line, 41.0)

Tokens are no part of it: they are painted by the places of their clusters, so that a boundary between tokens breaks no
ligature and an edit that changes only tokens needs no new layout. Inside a cluster, where Qt knows no place, x is
interpolated between the cluster's edges by its share of bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from .row_text import HOLDER, Mark, RowText

_ON = QTextLine.CursorPosition.CursorOnCharacter
_LEADING, _TRAILING = QTextLine.Edge.Leading, QTextLine.Edge.Trailing
#: Wider than any row that is not wrapped.
UNBOUNDED = float(1 << 22)
#: Space below each line for the pattern line of its tokens, in device-independent pixels.
BELOW = 4.0
NOTHING = QColor(0, 0, 0, 0)


@dataclass(frozen=True)
class Metrics:
    """Sizes that follow from the font, in device-independent pixels. cell_*: of the hex cells of split clusters."""

    font: QFont
    label_font: QFont
    cell_font: QFont
    ascent: float
    line_height: float
    char: float
    holder: float
    tab: float
    cell_char: float
    cell_height: float
    label_char: float

    @classmethod
    def of(cls, font: QFont, tab_columns: int = 4) -> Metrics:
        label, cell = QFont(font), QFont(font)
        for small, factor in ((label, 0.62), (cell, 0.78)):
            small.setPointSizeF(max(font.pointSizeF() * factor, 5.0))
        m, c, s = QFontMetricsF(font), QFontMetricsF(cell), QFontMetricsF(label)
        char = m.horizontalAdvance("0")
        return cls(font, label, cell, m.ascent(), round(m.height()), char, m.horizontalAdvance(HOLDER),
                   tab_columns * m.horizontalAdvance(" "), c.horizontalAdvance("0"), round(c.height() + 2),
                   s.horizontalAdvance("0"))

    def label_width(self, label: str) -> float:
        """Room for a label over a placeholder."""
        return round(len(label) * self.label_char + 5)


class Preedit(NamedTuple):
    """Text an input method is composing, shown at a byte of the row; formats: (start, length, format) in UTF-16."""

    byte_pos: int
    text: str
    formats: tuple[tuple[int, int, QTextCharFormat], ...] = ()


class Line(NamedTuple):
    """One visual line: UTF-16 units start .. end of the row's string. top: of the text below the line's own y."""

    start: int
    end: int
    text_line: QTextLine
    top: float
    height: float


@lru_cache(256)
def _spacing(width: float, holder: float) -> QTextCharFormat:
    """A placeholder: invisible, `width` wide."""
    shape = QTextCharFormat()
    shape.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    shape.setFontLetterSpacing(max(width - holder, -holder + 1))
    shape.setForeground(NOTHING)
    return shape


class RowLayout:
    """width: where to wrap, None for no wrap. show_ends: give line ends the room of their label."""

    def __init__(self, row: RowText, metrics: Metrics, width: float | None, *, show_ends: bool = False,
                 preedit: Preedit | None = None) -> None:
        self.preedit_range = (0, 0)
        formats: list[QTextLayout.FormatRange] = []
        if preedit is not None and preedit.text:
            row, formats = self._with_preedit(row, preedit)
        self.row, self.metrics = row, metrics
        for mark in row.marks:
            if mark.kind != "above":
                formats.append(_range(mark.utf16_start, 1, _spacing(self.mark_width(mark, show_ends), metrics.holder)))
        layout = QTextLayout(row.text, metrics.font)
        option = QTextOption()
        option.setTabStopDistance(metrics.tab)
        if width is None:
            option.setWrapMode(QTextOption.WrapMode.NoWrap)
            option.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)
        else:
            option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            if row.starts_rtl:
                option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if row.starts_rtl else Qt.LayoutDirection.LeftToRight)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        if formats:
            layout.setFormats(formats)
        self._layout = layout
        self.lines = self._lay_out(UNBOUNDED if width is None else max(width, metrics.char * 4))
        self.width = max((ln.text_line.naturalTextWidth() for ln in self.lines), default=0.0)
        self.rtl = row.rtl

    def mark_width(self, mark: Mark, show_ends: bool) -> float:
        if mark.kind != "end":
            return self.metrics.label_width(mark.label)
        # Always some room: the end of a line is part of a token, and that token has a colour.
        wide = show_ends or mark.label not in ("LF", "CRLF")
        return self.metrics.label_width(mark.label) if wide else round(self.metrics.char * 0.6)

    def _with_preedit(self, row: RowText, preedit: Preedit) -> tuple[RowText, list[QTextLayout.FormatRange]]:
        at = row.utf16_of(preedit.byte_pos)
        units = row.text.encode("utf-16-le", "surrogatepass")
        middle = preedit.text.encode("utf-16-le", "surrogatepass")
        size = len(middle) // 2
        text = (units[: 2 * at] + middle + units[2 * at :]).decode("utf-16-le", "surrogatepass")
        self.preedit_range = (at, at + size)
        moved = row.cluster_utf16 + np.where(row.cluster_utf16 >= at, size, 0)
        marks = tuple(m._replace(utf16_start=m.utf16_start + (size if m.utf16_start >= at else 0)) for m in row.marks)
        plain = QTextCharFormat()
        plain.setFontUnderline(True)
        formats = [_range(at, size, plain)]
        formats += [_range(at + start, length, shape) for start, length, shape in preedit.formats if length > 0]
        return row._replace(text=text, cluster_utf16=moved, marks=marks), formats

    def _lay_out(self, width: float) -> list[Line]:
        lines: list[Line] = []
        layout, metrics = self._layout, self.metrics
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0.0, 0.0))  # where it is drawn is told when it is drawn
            top = max(0.0, metrics.ascent - line.ascent())
            height = max(metrics.line_height, round(top + line.height())) + BELOW
            start = line.textStart()
            lines.append(Line(start, start + line.textLength(), line, top, height))
        layout.endLayout()
        return lines

    # From bytes to places

    def line_of(self, byte_pos: int, upstream: bool = False) -> int:
        """Index of the visual line that shows a byte; upstream: at a wrap, the line that ends there."""
        unit = self.row.utf16_of(byte_pos)
        if self.preedit_range[0] < unit == self.preedit_range[1]:
            unit = self.preedit_range[0]
        for k, line in enumerate(self.lines):
            if unit < line.end or (upstream and unit == line.end > line.start):
                return k
        return len(self.lines) - 1

    def caret_x(self, line: int, byte_pos: int) -> float:
        """x of a caret before the byte. Inside a cluster: by its share of the cluster's bytes."""
        row = self.row
        cluster = min(row.cluster_at(byte_pos), len(row.cluster_bytes) - 1)
        start = int(row.cluster_bytes[cluster])
        if byte_pos > start and cluster + 1 < len(row.cluster_bytes):
            left, right, _ = self.cluster_edges(line, cluster)
            return left + (right - left) * (byte_pos - start) / (int(row.cluster_bytes[cluster + 1]) - start)
        return self.unit_x(line, int(row.cluster_utf16[cluster]))

    def unit_x(self, line: int, unit: int) -> float:
        at = self.lines[line]
        return at.text_line.cursorToX(min(max(unit, at.start), at.end))[0]  # type: ignore[no-any-return,index]

    def unit_left(self, line: int, unit: int) -> float:
        """x of the left edge of one UTF-16 unit, whichever way it runs."""
        text_line = self.lines[line].text_line
        lead = text_line.cursorToX(unit, _LEADING)[0]
        return min(lead, text_line.cursorToX(unit, _TRAILING)[0]) if self.rtl else lead

    def cluster_edges(self, line: int, cluster: int) -> tuple[float, float, bool]:
        """(x of its leading edge, x of its trailing edge, right to left?)"""
        units = self.row.cluster_utf16
        start, end = int(units[cluster]), int(units[cluster + 1])
        text_line = self.lines[line].text_line
        x0 = text_line.cursorToX(start, _LEADING)[0]
        if not self.rtl:
            x1 = text_line.cursorToX(end)[0]
        else:
            x1 = text_line.cursorToX(end - 1, _TRAILING)[0]
            if x0 == x1:  # where the direction changes Qt has one place for both edges: its glyphs know better
                return glyph_edges(text_line, start, end) or (x0, x1, False)
        return x0, x1, x1 < x0

    def spans_x(self, line: int, start: int, end: int) -> list[tuple[float, float]]:
        """What UTF-16 units start .. end cover on a line: (left, right) pairs; several where directions mix."""
        at = self.lines[line]
        start, end = max(start, at.start), min(end, at.end)
        if start >= end:
            return []
        if not self.rtl:
            to_x = at.text_line.cursorToX
            return [(to_x(start)[0], to_x(end)[0])]
        row, out = self.row, []
        first, last = row.cluster_of_utf16(start), row.cluster_of_utf16(end - 1)
        for cluster in range(first, min(last, len(row.cluster_utf16) - 2) + 1):
            x0, x1, _ = self.cluster_edges(line, cluster)
            left, right = min(x0, x1), max(x0, x1)
            if out and abs(out[-1][1] - left) < 0.6:
                out[-1] = (out[-1][0], right)
            elif out and abs(out[-1][0] - right) < 0.6:
                out[-1] = (left, out[-1][1])
            else:
                out.append((left, right))
        return out

    def bytes_x(self, line: int, low: int, high: int) -> list[tuple[float, float]]:
        """What bytes low .. high cover on a line, as spans_x; inside a cluster it ends where that byte's share ends."""
        row = self.row
        low, high = max(low, 0), min(high, int(row.cluster_bytes[-1]))
        if low >= high:
            return []
        units, at = row.cluster_utf16, self.lines[line]
        first, last = row.cluster_at(low), row.cluster_at(high - 1)
        whole_low = first if int(row.cluster_bytes[first]) == low else first + 1
        whole_high = last + 1 if int(row.cluster_bytes[last + 1]) == high else last
        spans = self.spans_x(line, int(units[whole_low]), int(units[whole_high])) if whole_high > whole_low else []
        for cluster in {first, last}:
            if (cluster < whole_low or cluster >= whole_high) and at.start <= int(units[cluster]) < at.end:
                x0, x1, _ = self.cluster_edges(line, cluster)
                a, b = int(row.cluster_bytes[cluster]), int(row.cluster_bytes[cluster + 1])
                u = x0 + (x1 - x0) * (max(low, a) - a) / (b - a)
                v = x0 + (x1 - x0) * (min(high, b) - a) / (b - a)
                spans.append((min(u, v), max(u, v)))
        return spans

    # From places to bytes

    def cluster_from_x(self, line: int, x: float) -> int:
        """The cluster drawn at x (the nearest where none is)."""
        at = self.lines[line]
        unit = min(max(at.text_line.xToCursor(x, _ON), at.start), max(at.end - 1, at.start))
        count = len(self.row.cluster_utf16) - 1
        return min(max(self.row.cluster_of_utf16(unit), 0), max(count - 1, 0))

    def byte_from_x(self, line: int, x: float) -> tuple[int, bool]:
        """(byte a caret gets by a click at x, upstream?). Between clusters, never behind the row's terminator."""
        row, at = self.row, self.lines[line]
        if len(row.cluster_utf16) < 2 or at.start >= at.end:
            return min(self._byte_of_unit(at.start), row.body), False
        cluster = self.cluster_from_x(line, x)
        x0, x1, _ = self.cluster_edges(line, cluster)
        byte_pos = int(row.cluster_bytes[cluster + (abs(x - x1) < abs(x - x0))])
        byte_pos = min(byte_pos, row.body)
        return byte_pos, line + 1 < len(self.lines) and row.utf16_of(byte_pos) >= at.end

    def exact_byte_from_x(self, line: int, x: float) -> int:
        """The byte drawn at x: inside a cluster by its share. -1 where nothing is drawn."""
        row, at = self.row, self.lines[line]
        if at.start >= at.end:
            return -1
        cluster = self.cluster_from_x(line, x)
        x0, x1, _ = self.cluster_edges(line, cluster)
        if not min(x0, x1) <= x <= max(x0, x1) or x0 == x1:
            return -1
        start, end = int(row.cluster_bytes[cluster]), int(row.cluster_bytes[cluster + 1])
        return min(start + int((end - start) * (x - x0) / (x1 - x0)), end - 1)

    def line_bytes(self, line: int) -> tuple[int, int]:
        """Bytes of the row a visual line shows."""
        at = self.lines[line]
        return self._byte_of_unit(at.start), self._byte_of_unit(at.end)

    def _byte_of_unit(self, unit: int) -> int:
        row = self.row
        found = int(row.cluster_utf16.searchsorted(unit, "left"))
        return int(row.cluster_bytes[min(found, len(row.cluster_bytes) - 1)])


def _range(start: int, length: int, shape: QTextCharFormat) -> QTextLayout.FormatRange:
    out = QTextLayout.FormatRange()
    out.start, out.length, out.format = start, length, shape
    return out


def glyph_edges(line: QTextLine, start: int, end: int) -> tuple[float, float, bool] | None:
    """As RowLayout.cluster_edges, from the glyphs of UTF-16 units start .. end; None when there are none to see."""
    left, right, rtl = float("inf"), float("-inf"), False
    for run in line.glyphRuns(start, end - start):
        rtl = run.isRightToLeft()
        for at, advance in zip(run.positions(), run.rawFont().advancesForGlyphIndexes(run.glyphIndexes()), strict=True):
            left, right = min(left, at.x()), max(right, at.x() + advance.x())
    if right <= left:
        return None
    return (right, left, True) if rtl else (left, right, False)
