"""What of the hex view's painting depends on its geometry alone, made once: rectangles, brackets, places of digits.

    cells = Cells(geometry, fonts, top)
    cells.rect("hex", (0, 2, 4))          # of bytes 2 and 3 of the first row in sight
    cells.digits(window.data)             # a QGlyphRun: all digits in sight, drawn in one call

A jump shows other bytes at the same places. Making a rectangle costs more than painting it, and laying out a row of
digits that all have the same width more than drawing it: so rectangles are kept by their place, and digits are glyphs
at fixed places of which a frame only says which glyph.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QFont, QGlyphRun, QRawFont

from .hex_geometry import MARGIN, Column, Geometry
from .hex_glyphs import Layouts

#: Runs of neighbouring bytes in one row: (row in the window, first place, place after the last).
Run = tuple[int, int, int]
#: A byte in the text column, by itself: a letter, a dot for a control. A character of several bytes is drawn over its
#: blanks.
_LETTERS = "".join(chr(b) if 0x20 <= b < 0x7F else "·" if b < 0x80 else " " for b in range(256))
#: In the place of a byte that is no UTF-8.
_CROSS = "×"
_DIGITS = "0123456789abcdef"
#: Random bytes have runs of every kind: no more rectangles, lines or characters of each kind are kept.
MOST_KEPT = 2500
#: Parts of tokens in a row: where they begin and end in it, for each row. Tokens are short, so most are met again.
MOST_PARTS = 4500
#: And their lines, which have one of three widths.
MOST_LINES = 9000


@dataclass(frozen=True)
class Fonts:
    """hex: a word space is the gap between bytes (the head of the column). plain: offsets and glyphs."""

    plain: QFont
    hex: QFont

    @classmethod
    def of(cls, plain: QFont, g: Geometry) -> Fonts:
        hexes = QFont(plain)
        hexes.setWordSpacing(g.gap - g.advance)
        return cls(plain, hexes)


@dataclass(frozen=True, slots=True)
class Character:
    """A character of several bytes: brackets over its bytes, frames in the text column, where its glyph stands (on the
    widest of its parts), and the other parts."""

    brackets: tuple[QLineF, ...]
    frames: tuple[QRectF, ...]
    place: QRectF
    others: tuple[QRectF, ...]


def runs(start: int, end: int, size: int, row: int) -> list[Run]:
    """Bytes start..end of a window of `size` bytes cut into its rows; what lies outside of it is left out."""
    at, end = max(start, 0), min(end, size)
    found = []
    while at < end:
        stop = min((at // row + 1) * row, end)
        found.append((at // row, at % row, at % row + stop - at))
        at = stop
    return found


def _bound(kept: dict[Any, Any], most: int = MOST_KEPT) -> None:
    """The older half goes when there are too many."""
    if len(kept) >= most:
        for key in list(kept)[: most // 2]:
            del kept[key]


class Cells:
    """top: y of the window's first row. What is returned is shared: it is not to be changed."""

    def __init__(self, g: Geometry, fonts: Fonts, top: float) -> None:
        self.g, self.fonts, self.top = g, fonts, top
        self._edges = {"hex": [g.hex_x(k) for k in range(g.row + 1)], "text": [g.text_x(k) for k in range(g.row + 1)]}
        self._rects: dict[tuple[Column, Run, float], QRectF] = {}
        self._fills: dict[Run, tuple[QRectF, QRectF]] = {}
        self._lines: dict[tuple[Run, float], tuple[QRectF, QRectF]] = {}
        self._characters: dict[tuple[int, int, int], Character] = {}
        self._bad: dict[int, tuple[QRectF, QRectF, QRectF, QRectF]] = {}
        self._rows = 0
        self.layouts = Layouts(fonts.plain)

    def y(self, row: int) -> float:
        return self.top + row * self.g.line

    def rect(self, column: Column, run: Run, inset: float = 0.0) -> QRectF:
        """The cells of a run in one column."""
        found = self._rects.get((column, run, inset))
        if found is None:
            _bound(self._rects)
            found = self._rects[column, run, inset] = self._rect(column, run, inset)
        return found

    def _rect(self, column: Column, run: Run, inset: float) -> QRectF:
        x, (row, first, last) = self._edges[column], run
        left = x[first] + inset
        return QRectF(left, self.y(row) + 1, x[last] - left - inset, self.g.line - 2)

    def fill(self, run: Run) -> tuple[QRectF, QRectF]:
        """The cells of a token's part, or of bytes of one kind, in both columns."""
        found = self._fills.get(run)
        if found is None:
            _bound(self._fills, MOST_PARTS)
            found = self._fills[run] = self._rect("hex", run, 0.5), self._rect("text", run, 0.5)
        return found

    def beneath(self, run: Run, width: float) -> tuple[QRectF, QRectF]:
        """The lines beneath a token's cells in both columns, `width` high."""
        found = self._lines.get((run, width))
        if found is None:
            _bound(self._lines, MOST_LINES)
            y, (_, first, last) = self.y(run[0]) + self.g.line - 2 - width / 2, run
            left, right = ((x[first] + 1.5, x[last] - x[first] - 3) for x in self._edges.values())
            found = self._lines[run, width] = (QRectF(left[0], y, left[1], width), QRectF(right[0], y, right[1], width))
        return found

    def bad(self, place: int) -> tuple[QRectF, QRectF, QRectF, QRectF]:
        """Of a byte in the window that is no UTF-8: its cell in both columns, and what is inside their frames."""
        found = self._bad.get(place)
        if found is None:
            row, at = divmod(place, self.g.row)
            # On whole pixels, so that a frame has the same width on each side.
            top, bottom = floor(self.y(row) + 1), ceil(self.y(row) + self.g.line - 1)
            (a, b), (c, d) = ((floor(x[at] + 1.5), ceil(x[at + 1] - 1.5) - 1) for x in self._edges.values())
            high = bottom - top
            found = self._bad[place] = (
                QRectF(a, top, b - a, high), QRectF(c, top, d - c, high),
                QRectF(a + 1, top + 1, b - a - 2, high - 2), QRectF(c + 1, top + 1, d - c - 2, high - 2))
        return found

    def character(self, start: int, end: int, size: int) -> Character:
        """Of bytes start..end of a window of `size` bytes, either of which may lie outside of it."""
        key = (start, end, size if end > size else -1)
        found = self._characters.get(key)
        if found is None:
            _bound(self._characters)
            found = self._characters[key] = self._character(start, end, size)
        return found

    def _character(self, start: int, end: int, size: int) -> Character:
        row, gap = self.g.row, self.g.gap
        parts = runs(start, end, size, row)
        brackets, frames = [], []
        for run in parts:
            cells = self.rect("hex", run)
            left, right, y = cells.left() + gap / 2, cells.right() - gap / 2, cells.top() + 2
            brackets.append(QLineF(left, y, right, y))
            if run[0] * row + run[1] == start:
                brackets.append(QLineF(left, y, left, y + 3))
            if run[0] * row + run[2] == end:
                brackets.append(QLineF(right, y, right, y + 3))
            frames.append(self.rect("text", run, 1.0).adjusted(0.5, 1.5, -0.5, -2.5))
        widest = max(parts, key=lambda run: run[2] - run[1])
        return Character(tuple(brackets), tuple(frames), self.rect("text", widest),
                         tuple(self.rect("text", run) for run in parts if run is not widest))

    # Glyphs at fixed places

    @cached_property
    def _raw(self) -> QRawFont:
        return QRawFont.fromFont(self.fonts.plain)

    def _indices(self, text: str) -> np.ndarray:
        """The glyph of each character, uint32 (n,)."""
        return np.array(self._raw.glyphIndexesForString(text), np.uint32)

    @cached_property
    def _glyphs(self) -> tuple[np.ndarray, np.ndarray, int]:
        """(glyph of each hexadecimal digit, of each byte in the text column and at last of the cross, of a space)."""
        return self._indices(_DIGITS), self._indices(_LETTERS + _CROSS), int(self._indices(" ")[0])

    def _grow(self, rows: int) -> None:
        """Have places for so many rows."""
        if rows <= self._rows:
            return
        g, self._rows = self.g, rows
        base = [self.y(row) + g.ascent + 4 for row in range(rows)]
        hexes, letters, offsets = [], [], []
        for y in base:
            offsets += [QPointF(MARGIN + k * g.advance, y) for k in range(g.digits)]
            for place in range(g.row):
                x = g.hex_left + place * g.cell
                hexes += (QPointF(x, y), QPointF(x + g.advance, y))
                letters.append(QPointF(g.text_x(place) + 0.5, y))
        self._runs = tuple(self._run(places) for places in (offsets, hexes, letters))

    def _run(self, places: list[QPointF]) -> QGlyphRun:
        made = QGlyphRun()
        made.setRawFont(self._raw)
        made.setPositions(places)
        return made

    def _filled(self, which: int, glyphs: np.ndarray, each: int) -> QGlyphRun:
        """One of the runs with these glyphs, and blanks in the places behind them."""
        all_ = np.full(self._rows * each, self._glyphs[2], np.uint32)
        all_[: len(glyphs)] = glyphs
        run = self._runs[which]
        run.setGlyphIndexes(all_.tolist())
        return run

    def digits(self, data: bytes) -> QGlyphRun:
        """All bytes of the window in hexadecimal."""
        array = np.frombuffer(data, np.uint8)
        self._grow(len(data) // self.g.row + 1)
        nibbles = np.stack((array >> 4, array & 15), axis=1).ravel()
        return self._filled(1, self._glyphs[0][nibbles], 2 * self.g.row)

    def letters(self, data: bytes, bad: np.ndarray) -> QGlyphRun:
        """The text column. bad: bool, which bytes are no UTF-8."""
        self._grow(len(data) // self.g.row + 1)
        which = np.frombuffer(data, np.uint8).astype(np.int64)
        which[bad] = len(_LETTERS)
        return self._filled(2, self._glyphs[1][which], self.g.row)

    def offsets(self, start: int, rows: int, but: int) -> QGlyphRun:
        """The offset of each row, in hexadecimal. but: a row that is left out, as it has another colour."""
        self._grow(rows)
        first = start + np.arange(rows, dtype=np.int64)[:, None] * self.g.row
        nibbles = first >> (4 * np.arange(self.g.digits - 1, -1, -1, dtype=np.int64)) & 15
        glyphs = self._upper[nibbles]
        if 0 <= but < rows:
            glyphs[but] = self._glyphs[2]
        return self._filled(0, glyphs.ravel(), self.g.digits)

    @cached_property
    def _upper(self) -> np.ndarray:
        return self._indices(_DIGITS.upper())
