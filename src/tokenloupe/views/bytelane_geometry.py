"""Where things are in the byte lane: rows one beneath the other, bytes side by side, all of one width.

    g = Geometry.of(font, small, narrow=False)
    view = Ruler(g, start=120, cell=30.0, scroll=0.0, width=900.0)
    view.x(121), view.byte_at(400.0), g.row_at(60.0)

All in device-independent pixels. That every byte has the same width is what lets a line of any length scroll and zoom
by arithmetic alone: nothing has to be measured that is not in sight.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from PySide6.QtGui import QFont, QFontMetricsF

from ..core.bytelane import UNITS, Unit

#: Titles of the rows, and short ones for a narrow panel.
TITLES: dict[Unit, tuple[str, str]] = {
    "grapheme": ("Graphemes", "Graph."), "code point": ("Code points", "Points"), "byte": ("UTF-8 bytes", "Bytes"),
    "change": ("Normalizer", "Norm."), "pre-token": ("Pre-tokens", "Pre-tok."), "token": ("Tokens", "Tokens"),
}
#: From this width on titles are whole; pixels.
WIDE = 520
PAD = 8.0
#: Narrowest and widest byte; the step of a notch of the wheel.
NARROWEST, WIDEST, NOTCH = 2.0, 640.0, 1.15


@dataclass(frozen=True, slots=True)
class Row:
    unit: Unit
    title: str
    top: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass(frozen=True, slots=True)
class Geometry:
    """gutter: width of the titles. head: height of the ruler. base: width of a byte at scale 1. digit, letter: advance
    of a character of the plain and of the small font."""

    gutter: float
    head: float
    rows: tuple[Row, ...]
    base: float
    digit: float
    letter: float
    line: float
    small_line: float

    @classmethod
    def of(cls, plain: QFont, small: QFont, titles: QFont, narrow: bool) -> Geometry:
        """plain: bytes and glyphs; small: numbers and names (both monospaced); titles: of the rows."""
        metrics, smalls, words = QFontMetricsF(plain), QFontMetricsF(small), QFontMetricsF(titles)
        line, small_line = metrics.height(), smalls.height()
        heights: dict[Unit, float] = {
            "grapheme": line + 11, "code point": 2 * small_line + 7, "byte": line + 8, "change": small_line + 7,
            "pre-token": small_line + 7, "token": line + small_line + 8,
        }
        rows: list[Row] = []
        top = 0.0
        for unit in UNITS:
            height = float(round(heights[unit]))
            rows.append(Row(unit, TITLES[unit][narrow], top, height))
            top += height
        gutter = round(max(words.horizontalAdvance(row.title) for row in rows) + 2 * PAD + 2)
        digit = metrics.horizontalAdvance("0" * 64) / 64
        letter = smalls.horizontalAdvance("0" * 64) / 64
        base = float(round(max(2 * digit + 12, 4 * letter + 7)))  # "FF", and a small "0041"
        return cls(gutter, float(round(small_line + 6)), tuple(rows), base, digit, letter, line, small_line)

    @property
    def height(self) -> float:
        """Of all rows, the ruler not counted."""
        return self.rows[-1].bottom

    def row(self, unit: Unit) -> Row:
        return self.rows[UNITS.index(unit)]

    def row_at(self, y: float) -> Row:
        """The row nearest to a height beneath the ruler."""
        return next((row for row in self.rows if y < row.bottom), self.rows[-1])


@dataclass(frozen=True, slots=True)
class Ruler:
    """Bytes on the screen. start: the byte at scroll 0. scroll: pixels that lie to the left. width: of the viewport."""

    geometry: Geometry
    start: int
    cell: float
    scroll: float
    width: float

    def x(self, byte_pos: float) -> float:
        """Left edge of a byte in the viewport."""
        return self.geometry.gutter + (byte_pos - self.start) * self.cell - self.scroll

    def place(self, x: float) -> float:
        """The byte under an x, with its fraction."""
        return self.start + (x - self.geometry.gutter + self.scroll) / self.cell

    def byte_at(self, x: float) -> int:
        return floor(self.place(x))

    @property
    def room(self) -> float:
        """Pixels for bytes."""
        return max(self.width - self.geometry.gutter, 1.0)

    @property
    def first(self) -> int:
        return floor(self.place(self.geometry.gutter))

    @property
    def last(self) -> int:
        """One behind the last byte in sight."""
        return ceil(self.place(self.width))


def tick_step(cell: float, label: float) -> int:
    """Bytes from one labelled tick to the next, so that labels of a width keep apart: 1, 2, 4, 8, 16, 32, .."""
    step = 1
    while step * cell < label:
        step *= 2
    return step
