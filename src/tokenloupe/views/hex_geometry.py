"""Where things are in the hex view: columns of a row, and the byte under a point.

    g = Geometry.of(font, size=len(source), width=viewport_width)
    g.hex_x(3), g.text_x(3)         # left edges of the cells of the row's fourth byte
    g.hit(x, column_was)            # ("hex", 3)

All in device-independent pixels. A cell is as wide as its digits and a gap, so that a row of digits is drawn as one
string (the font's word spacing makes the gaps).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from PySide6.QtGui import QFont, QFontMetricsF

Column = Literal["hex", "text"]

#: Bytes a row that are offered; the most that fit are taken, at most the last.
ROWS = (1, 2, 4, 8, 16)
MARGIN, BETWEEN = 6.0, 10.0


@dataclass(frozen=True)
class Geometry:
    """row: bytes a row. digits: of an offset. advance: of a digit. line: height of a row; text_top: of its letters."""

    row: int
    digits: int
    advance: float
    line: float
    ascent: float
    text_height: float

    @classmethod
    def of(cls, font: QFont, size: int, width: float, row: int = 0) -> Geometry:
        """row: 0 takes the most that fit into the width."""
        metrics = QFontMetricsF(font)
        advance = metrics.horizontalAdvance("0" * 64) / 64
        digits = max(4, (len(f"{max(size, 1):x}") + 1) // 2 * 2)
        made = cls(row or 1, digits, advance, metrics.height() + 9, metrics.ascent(), metrics.height())
        if row:
            return made
        fitting = (n for n in ROWS if cls(n, *made._rest()).width <= width)
        return cls(max(fitting, default=1), *made._rest())

    def _rest(self) -> tuple[int, float, float, float, float]:
        return self.digits, self.advance, self.line, self.ascent, self.text_height

    @cached_property
    def gap(self) -> float:
        """Between the digits of neighbouring bytes."""
        return round(self.advance * 0.7, 2)

    @cached_property
    def cell(self) -> float:
        return 2 * self.advance + self.gap

    @cached_property
    def text_cell(self) -> float:
        return self.advance + 1

    @cached_property
    def hex_left(self) -> float:
        return MARGIN + self.digits * self.advance + BETWEEN

    @cached_property
    def text_left(self) -> float:
        return self.hex_left + self.row * self.cell + BETWEEN - self.gap

    @property
    def width(self) -> float:
        return self.text_left + self.row * self.text_cell + MARGIN

    def hex_x(self, place: float) -> float:
        """Left edge of the cell of the row's byte `place`: half a gap before its digits."""
        return self.hex_left + place * self.cell - self.gap / 2

    def text_x(self, place: float) -> float:
        return self.text_left + place * self.text_cell

    def hit(self, x: float) -> tuple[Column, int]:
        """Column and byte of the row nearest to x, clamped into the row."""
        column: Column = "text" if x >= self.text_left - BETWEEN / 2 else "hex"
        place = (x - self.text_left) / self.text_cell if column == "text" else (x - self.hex_x(0)) / self.cell
        return column, min(max(int(place // 1), 0), self.row - 1)
