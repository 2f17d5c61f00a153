"""Painting the hex view: what is in sight and no more, a string a row, rectangles of one colour together.

A row from bottom to top: token fills (in a file: what UTF-8 makes of each byte), selection, digits and letters,
brackets over the bytes of one character, dashes where tokens cut a character, the token's line beneath, hover, caret.
In the text column a character stands across all of its bytes, so that column and bytes never drift apart.
"""

from __future__ import annotations

import time
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QStaticText

from ..core.hexsource import HexWindow
from ..core.utf8 import ByteRole
from ..models.hex_model import HexModel
from . import palette
from .hex_geometry import MARGIN, Column, Geometry

#: Runs of neighbouring bytes in one row: (row in the window, first place, place after the last).
Run = tuple[int, int, int]
#: A byte in the text column, by itself: a letter, a dot for a control. What is no UTF-8 is a cross; a character of
#: several bytes is drawn over its blanks.
_LETTERS = np.array([chr(b) if 0x20 <= b < 0x7F else "·" if b < 0x80 else " " for b in range(256)])


@dataclass(frozen=True)
class Fonts:
    """hex: a word space is the gap between bytes. text: letters as far apart as cells. plain: offsets and glyphs."""

    plain: QFont
    hex: QFont
    text: QFont

    @classmethod
    def of(cls, plain: QFont, g: Geometry) -> Fonts:
        hexes, text = QFont(plain), QFont(plain)
        hexes.setWordSpacing(g.gap - g.advance)
        text.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, g.text_cell - g.advance)
        return cls(plain, hexes, text)


def runs(start: int, end: int, window: HexWindow, row: int) -> list[Run]:
    """Bytes start..end cut into rows of the window; what lies outside of it is left out."""
    start, end = max(start, window.start), min(end, window.end)
    found, at = [], start - window.start
    while at < end - window.start:
        stop = min((at // row + 1) * row, end - window.start)
        found.append((at // row, at % row, at % row + stop - at))
        at = stop
    return found


@lru_cache(4096)
def glyph(text: str) -> str:
    """A character as it can stand alone: a mark on a dotted circle, nothing for what cannot be seen."""
    if unicodedata.category(text).startswith("M"):
        return "\u25cc" + text
    return text if text.isprintable() and not text.isspace() else ""


#: Characters laid out once (finding a font for one costs more than drawing a row), by text and size of the font.
_LAID: dict[tuple[str, float], tuple[QStaticText, QSizeF]] = {}
_MOST_LAID = 8192
#: Seconds of a frame that may go into characters never seen before. Random bytes hold characters of a dozen scripts a
#: page, and each new script is looked for in every font there is (up to 200 ms): so the first frame after a move has
#: letters of Europe at once and dots for other new ones, which follow in frames of their own.
LAYING = 0.012
_AT_ONCE = "\u0530"


def _lay(text: str, font: QFont, points: float) -> tuple[QStaticText, QSizeF]:
    if len(_LAID) >= _MOST_LAID:
        _LAID.clear()
    drawing = QStaticText(text)
    drawing.setTextFormat(Qt.TextFormat.PlainText)
    drawing.prepare(font=font)
    _LAID[text, points] = drawing, drawing.size()
    return _LAID[text, points]


class HexPainter:
    """One frame. top: y of the window's first row. patient: new characters may take
    their time. unfinished: some are missing that a patient frame will have."""

    def __init__(self, painter: QPainter, model: HexModel, window: HexWindow, g: Geometry, fonts: Fonts, top: float,
                 column: Column, focused: bool, patient: bool) -> None:
        self.p, self.model, self.window, self.g, self.fonts = painter, model, window, g, fonts
        self.top, self.column, self.focused = top, column, focused
        self.patient, self.unfinished = patient, False
        self.colours = palette.current()
        self._line = g.line
        self._edges = {"hex": [g.hex_x(k) for k in range(g.row + 1)], "text": [g.text_x(k) for k in range(g.row + 1)]}
        self.owner = model.owners(window.start, window.end)

    def paint(self) -> None:
        owned = self._owned_runs()
        self._fills(owned)
        self._selection()
        self._bad_bytes()
        self._digits()
        self._characters()
        self._token_lines(owned)
        self._hover()
        self._caret()

    # Places

    def y(self, row: int) -> float:
        return self.top + row * self.g.line

    def cells(self, column: Column, run: Run, inset: float = 0.0) -> QRectF:
        """The cells of a run in one column."""
        x = self._edges[column]
        row, first, last = run
        left = x[first] + inset
        return QRectF(left, self.top + row * self._line + 1, x[last] - left - inset, self._line - 2)

    def _owned_runs(self) -> list[tuple[Run, int, int]]:
        """(run, token index, colour index) of every token's part of every row in sight."""
        owner, row = self.owner, self.g.row
        if not len(owner) or not (owner >= 0).any():
            return []
        edges = np.flatnonzero(np.diff(owner)) + 1
        cuts = np.unique(np.concatenate([edges, np.arange(0, len(owner), row), [len(owner)]])).tolist()
        at = self.model.colours.at
        found = []
        for a, b in pairwise(cuts):
            index = int(owner[a])
            if index >= 0:
                found.append(((a // row, a % row, a % row + b - a), index, at(index)))
        return found

    # Layers

    def _fills(self, owned: list[tuple[Run, int, int]]) -> None:
        groups: dict[object, list[QRectF]] = {}
        brushes: dict[object, object] = {}
        for run, _, colour in owned:
            brushes[colour] = self.colours.fill_of(colour)
            groups.setdefault(colour, []).extend((self.cells("hex", run, 0.5), self.cells("text", run, 0.5)))
        if not owned and not self.model.is_text:
            roles = self.window.roles
            cuts = np.unique(np.concatenate([np.flatnonzero(np.diff(roles)) + 1, np.arange(0, len(roles), self.g.row),
                                             [len(roles)]])).tolist() if len(roles) else []
            for a, b in pairwise(cuts):
                role = int(roles[a])
                if ByteRole.ASCII < role < ByteRole.INVALID:
                    brushes[role] = self.colours.byte_style(role).fill
                    row = a // self.g.row
                    run = (row, a % self.g.row, a % self.g.row + b - a)
                    groups.setdefault(role, []).extend((self.cells("hex", run, 0.5), self.cells("text", run, 0.5)))
        self.p.setPen(Qt.PenStyle.NoPen)
        for key, rects in groups.items():
            self.p.setBrush(brushes[key])  # type: ignore[arg-type]
            self.p.drawRects(rects)
        self.p.setBrush(Qt.BrushStyle.NoBrush)

    def _selection(self) -> None:
        for run in runs(*self.model.selection, self.window, self.g.row):
            for column in ("hex", "text"):
                cells = self.cells(column, run)  # type: ignore[arg-type]
                self.p.fillRect(cells, self.colours.selection)
                self.p.setPen(QPen(self.colours.focus, 1))
                self.p.drawRect(cells.adjusted(0.5, 0.5, -0.5, -0.5))

    def _bad_bytes(self) -> None:
        start, end = self.model.selection
        fills: dict[int, list[QRectF]] = {}
        frames: list[QRectF] = []
        for k in np.flatnonzero(self.window.roles >= ByteRole.INVALID).tolist():
            run = (k // self.g.row, k % self.g.row, k % self.g.row + 1)
            for column in ("hex", "text"):
                cell = self.cells(column, run, 1.5)  # type: ignore[arg-type]
                if not start <= k + self.window.start < end:
                    fills.setdefault(int(self.window.roles[k]), []).append(cell)
                frames.append(cell.adjusted(0.5, 0.5, -0.5, -0.5))
        self.p.setPen(Qt.PenStyle.NoPen)
        for role, rects in fills.items():
            self.p.setBrush(self.colours.byte_style(role).fill)
            self.p.drawRects(rects)
        self.p.setBrush(Qt.BrushStyle.NoBrush)
        self.p.setPen(QPen(self.colours.error, 1))
        self.p.drawRects(frames)

    def _digits(self) -> None:
        g, p, row = self.g, self.p, self.g.row
        ink = self.colours.token_text if (self.owner >= 0).any() else self.colours.text
        data, base = self.window.data, g.ascent + 4
        marks = np.where(self.window.roles >= ByteRole.INVALID, "×", _LETTERS[np.frombuffer(data, np.uint8)])
        shown = "".join(marks.tolist())
        caret_row = self.model.caret // row - self.window.start // row
        places = [(k, self.y(k // row) + base) for k in range(0, max(len(data), 1), row)]
        # Column by column: a change of font costs more than a string.
        p.setFont(self.fonts.plain)
        for k, y in places:
            p.setPen(self.colours.text if k // row == caret_row else self.colours.faint)
            p.drawText(QPointF(MARGIN, y), f"{self.window.start + k:0{g.digits}X}")
        p.setPen(ink)
        p.setFont(self.fonts.hex)
        for k, y in places:
            p.drawText(QPointF(g.hex_left, y), data[k : k + row].hex(" "))
        p.setFont(self.fonts.text)
        for k, y in places:
            if letters := shown[k : k + row].rstrip():
                p.drawText(QPointF(g.text_left + 0.5, y), letters)
        p.setFont(self.fonts.plain)

    def _characters(self) -> None:
        """Characters of several bytes: brackets, glyphs across their bytes, cuts inside."""
        p, window, g = self.p, self.window, self.g
        faint, ink = QPen(self.colours.invisible, 1), QPen(self.colours.token_text if self.model.is_text
                                                           else self.colours.text)
        brackets: list[QLineF] = []
        frames: list[QRectF] = []
        cuts: list[QLineF] = []
        glyphs: list[tuple[QRectF, str]] = []
        dots: list[QRectF] = []
        for start, end, text in window.characters:
            if end - start == 1:
                continue
            parts = runs(start, end, window, g.row)
            for run in parts:
                cells = self.cells("hex", run)
                left, right, y = cells.left() + g.gap / 2, cells.right() - g.gap / 2, cells.top() + 2
                brackets.append(QLineF(left, y, right, y))
                if window.start + run[0] * g.row + run[1] == start:
                    brackets.append(QLineF(left, y, left, y + 3))
                if window.start + run[0] * g.row + run[2] == end:
                    brackets.append(QLineF(right, y, right, y + 3))
                frames.append(self.cells("text", run, 1.0).adjusted(0.5, 1.5, -0.5, -2.5))
            widest = max(parts, key=lambda run: run[2] - run[1])
            shown = glyph(text)
            if shown:
                glyphs.append((self.cells("text", widest), shown))
            else:
                dots.append(self.cells("text", widest))
            dots.extend(self.cells("text", run) for run in parts if run is not widest)
            for at in range(max(start + 1, window.start + 1), min(end, window.end)):
                if self.owner[at - window.start] != self.owner[at - window.start - 1] and at % g.row:
                    row, place = (at - window.start) // g.row, (at - window.start) % g.row
                    low = self.y(row) + g.line - 3
                    cuts.append(QLineF(g.hex_x(place), self.y(row) + 3, g.hex_x(place), low))
                    cuts.append(QLineF(g.text_x(place), low - 5, g.text_x(place), low))  # not through the glyph
        p.setPen(QPen(self.colours.invisible, 1))
        p.drawLines(brackets)
        p.drawRects(frames)
        p.setPen(QPen(self.colours.warning, 1.5, Qt.PenStyle.DashLine))
        p.drawLines(cuts)
        centre = int(Qt.AlignmentFlag.AlignCenter)
        p.setPen(ink)
        points, until = self.fonts.plain.pointSizeF(), time.perf_counter() + (LAYING if self.patient else -1)
        for cells, shown in glyphs:
            if (laid := _LAID.get((shown, points))) is None:
                if shown >= _AT_ONCE and time.perf_counter() > until:
                    self.unfinished = True
                    p.drawText(cells, centre, "·")
                    continue
                laid = _lay(shown, self.fonts.plain, points)
            drawing, size = laid
            p.drawStaticText(QPointF(cells.center().x() - size.width() / 2, cells.center().y() - size.height() / 2),
                             drawing)
        p.setPen(faint)
        for cells in dots:
            p.drawText(cells, centre, "·")

    def _token_lines(self, owned: list[tuple[Run, int, int]]) -> None:
        groups: dict[int, list[QLineF]] = {}
        for run, _, colour in owned:
            for column in ("hex", "text"):
                cells = self.cells(column, run, 1.5)  # type: ignore[arg-type]
                groups.setdefault(colour, []).append(QLineF(cells.left(), cells.bottom() - 1, cells.right(),
                                                            cells.bottom() - 1))
        for colour, lines in groups.items():
            self.p.setPen(self.colours.token_pen(colour))
            self.p.drawLines(lines)

    def _hover(self) -> None:
        start, end = self.model.hover
        if start < 0:
            return
        self.p.setPen(QPen(self.colours.accent, 1.5))
        self.p.setBrush(Qt.BrushStyle.NoBrush)
        for run in runs(start, end, self.window, self.g.row):
            for column in ("hex", "text"):
                self.p.drawRect(self.cells(column, run, 0.75))  # type: ignore[arg-type]

    def _caret(self) -> None:
        """A bar before the byte when typing pushes the rest on; a box around the byte that typing replaces."""
        model, g, p = self.model, self.g, self.p
        at = model.caret - self.window.start
        if not 0 <= at <= len(self.window.data) or (at == len(self.window.data) and self.window.end < len(model)):
            return
        run = (at // g.row, at % g.row, at % g.row + 1)
        strong = QPen(self.colours.focus, 2)
        for column in ("hex", "text"):
            active = column == self.column and self.focused
            cells = self.cells(column, run)  # type: ignore[arg-type]
            if not active:
                p.setPen(QPen(self.colours.muted, 1, Qt.PenStyle.DotLine))
                p.drawRect(cells.adjusted(0.5, 0.5, -0.5, -0.5))
            elif model.half is not None and column == "hex":
                p.fillRect(cells, self.colours.base)
                p.setPen(strong)
                p.drawRect(cells.adjusted(1, 1, -1, -1))
                p.setPen(self.colours.text)
                p.drawText(QPointF(cells.left() + g.gap / 2, self.y(run[0]) + g.ascent + 4), f"{model.half:x}_")
            elif model.insert:
                p.fillRect(QRectF(cells.left() - 1, cells.top(), 2, cells.height()), self.colours.focus)
            else:
                p.setPen(strong)
                p.drawRect(cells.adjusted(1, 1, -1, -1))
