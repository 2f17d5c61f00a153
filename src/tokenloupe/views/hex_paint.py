"""Painting the hex view: what is in sight and no more, a string a row, rectangles of one colour together.

A row from bottom to top: token fills (in a file: what UTF-8 makes of each byte), selection, digits and letters,
brackets over the bytes of one character, dashes where tokens cut a character, the token's line beneath, hover, caret.
In the text column a character stands across all of its bytes, so that column and bytes never drift apart.
"""

from __future__ import annotations

import time
from functools import lru_cache
from itertools import pairwise
from math import ceil

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from ..core.hexsource import HexWindow
from ..core.utf8 import ByteRole
from ..models.hex_model import HexModel
from . import palette
from .hex_cells import Cells, Run, runs
from .hex_geometry import MARGIN, Column
from .hex_glyphs import FIRST, by_chance, glyph
from .texture import period, texture

#: Seconds of a patient frame that may go into characters never drawn before, and how many of them the first frame after
#: a move has, of scripts whose fonts are at hand: dots stand for the others, which follow in frames of their own.
LAYING, AT_ONCE = 0.012, 3


@lru_cache
def _dashes(theme: str, colour: int, ratio: int) -> QBrush:
    """A token's line as a texture. ratio: device pixels a pixel."""
    colours = palette.dark() if theme == "dark" else palette.light()
    pen = colours.token_pen(colour)
    if pen.style() == Qt.PenStyle.SolidLine:
        return QBrush(pen.color())
    width = period(pen)

    def draw(painter: QPainter) -> None:
        painter.setPen(pen)
        painter.drawLine(QPointF(0, 0.5), QPointF(width, 0.5))

    return texture(width, 1, ratio, draw)


class HexPainter:
    """One frame. patient: new characters may take their time. unfinished: some are missing that a patient frame will
    have."""

    def __init__(self, painter: QPainter, model: HexModel, window: HexWindow, cells: Cells, column: Column,
                 focused: bool, patient: bool) -> None:
        self.p, self.model, self.window, self.cells = painter, model, window, cells
        self.g, self.fonts = cells.g, cells.fonts
        self.column, self.focused = column, focused
        self.patient, self.unfinished = patient, False
        self.colours = palette.current()
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

    def _runs(self, start: int, end: int) -> list[Run]:
        """Bytes of the source as runs in sight."""
        return runs(start - self.window.start, end - self.window.start, len(self.window.data), self.g.row)

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
        cells = self.cells.fill
        groups: dict[object, list[QRectF]] = {}
        brushes: dict[object, object] = {}
        for run, _, colour in owned:
            brushes[colour] = self.colours.fill_of(colour)
            groups.setdefault(colour, []).extend(cells(run))
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
                    groups.setdefault(role, []).extend(cells(run))
        self.p.setPen(Qt.PenStyle.NoPen)
        for key, rects in groups.items():
            self.p.setBrush(brushes[key])  # type: ignore[arg-type]
            self.p.drawRects(rects)
        self.p.setBrush(Qt.BrushStyle.NoBrush)

    def _selection(self) -> None:
        for run in self._runs(*self.model.selection):
            for column in ("hex", "text"):
                cells = self.cells.rect(column, run)  # type: ignore[arg-type]
                self.p.fillRect(cells, self.colours.selection)
                self.p.setPen(QPen(self.colours.focus, 1))
                self.p.drawRect(cells.adjusted(0.5, 0.5, -0.5, -0.5))

    def _bad_bytes(self) -> None:
        """A fill in a frame (two fills are faster than an outline); where the byte is selected, the frame alone."""
        start, end = (place - self.window.start for place in self.model.selection)
        outer: list[QRectF] = []
        fills: dict[int, list[QRectF]] = {}
        frames: list[QRectF] = []
        roles, bad = self.window.roles, self.cells.bad
        for k in np.flatnonzero(roles >= ByteRole.INVALID).tolist():
            in_hex, in_text, *inner = bad(k)
            if start <= k < end:
                frames += (in_hex.adjusted(0.5, 0.5, -0.5, -0.5), in_text.adjusted(0.5, 0.5, -0.5, -0.5))
            else:
                outer += (in_hex, in_text)
                fills.setdefault(int(roles[k]), []).extend(inner)
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(self.colours.error)
        self.p.drawRects(outer)
        for role, rects in fills.items():
            self.p.setBrush(self.colours.byte_style(role).fill)
            self.p.drawRects(rects)
        self.p.setBrush(Qt.BrushStyle.NoBrush)
        if frames:
            self.p.setPen(QPen(self.colours.error, 1))
            self.p.drawRects(frames)

    def _digits(self) -> None:
        p, cells, window, row = self.p, self.cells, self.window, self.g.row
        ink = self.colours.token_text if (self.owner >= 0).any() else self.colours.text
        caret_row = self.model.caret // row - window.start // row
        rows = max(-(-len(window.data) // row), 1)
        origin = QPointF(0.0, 0.0)
        p.setPen(self.colours.faint)
        p.drawGlyphRun(origin, cells.offsets(window.start, rows, caret_row))
        p.setFont(self.fonts.plain)
        if 0 <= caret_row < rows:
            p.setPen(self.colours.text)
            p.drawText(QPointF(MARGIN, cells.y(caret_row) + self.g.ascent + 4),
                       f"{window.start + caret_row * row:0{self.g.digits}X}")
        p.setPen(ink)
        p.drawGlyphRun(origin, cells.digits(window.data))
        p.drawGlyphRun(origin, cells.letters(window.data, window.roles >= ByteRole.INVALID))

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
        base, size, cells = window.start, len(window.data), self.cells
        chance = None if self.model.is_text else by_chance(window.roles)
        for start, end, text in window.characters:
            if end - start == 1:
                continue
            at = cells.character(start - base, end - base, size)
            brackets += at.brackets
            frames += at.frames
            noise = chance is not None and ord(text) >= FIRST and chance[max(start - base, 0)]
            shown = "" if noise else glyph(text)
            if shown:
                glyphs.append((at.place, shown))
            else:
                dots.append(at.place)
            dots += at.others
        owner = self.owner
        inside = (owner[1:] != owner[:-1]) & (window.roles[1:] == ByteRole.CONTINUATION)
        for at_byte in (np.flatnonzero(inside) + 1).tolist():
            row, place = divmod(at_byte, g.row)
            if place:
                top = cells.y(row)
                low = top + g.line - 3
                cuts.append(QLineF(g.hex_x(place), top + 3, g.hex_x(place), low))
                cuts.append(QLineF(g.text_x(place), low - 5, g.text_x(place), low))  # not through the glyph
        p.setPen(QPen(self.colours.invisible, 1))
        p.drawLines(brackets)
        p.drawRects(frames)
        p.setPen(QPen(self.colours.warning, 1.5, Qt.PenStyle.DashLine))
        p.drawLines(cuts)
        centre = int(Qt.AlignmentFlag.AlignCenter)
        p.setPen(ink)
        layouts, until, left = cells.layouts, time.perf_counter() + LAYING, AT_ONCE
        for area, shown in glyphs:
            if (laid := layouts.get(shown)) is None:
                left -= 1
                if time.perf_counter() > until if self.patient else left < 0 or not layouts.hand.has(shown):
                    self.unfinished = True
                    p.drawText(area, centre, "·")
                    continue
                laid = layouts.lay(shown)
            drawing, extent = laid
            middle = area.center()
            p.drawStaticText(QPointF(middle.x() - extent.width() / 2, middle.y() - extent.height() / 2), drawing)
        p.setPen(faint)
        for area in dots:
            p.drawText(area, centre, "·")

    def _token_lines(self, owned: list[tuple[Run, int, int]]) -> None:
        groups: dict[int, list[QRectF]] = {}
        beneath = self.cells.beneath
        widths = [self.colours.token_pen(k).widthF() for k in range(len(self.colours.token_edge))]
        for run, _, colour in owned:
            groups.setdefault(colour, []).extend(beneath(run, widths[colour]))
        ratio = ceil(self.p.device().devicePixelRatioF())
        self.p.setPen(Qt.PenStyle.NoPen)
        for colour, lines in groups.items():
            self.p.setBrush(_dashes(self.colours.name, colour, ratio))
            self.p.drawRects(lines)
        self.p.setBrush(Qt.BrushStyle.NoBrush)

    def _hover(self) -> None:
        start, end = self.model.hover
        if start < 0:
            return
        self.p.setPen(QPen(self.colours.accent, 1.5))
        self.p.setBrush(Qt.BrushStyle.NoBrush)
        for run in self._runs(start, end):
            for column in ("hex", "text"):
                self.p.drawRect(self.cells.rect(column, run, 0.75))  # type: ignore[arg-type]

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
            cells = self.cells.rect(column, run)  # type: ignore[arg-type]
            if not active:
                p.setPen(QPen(self.colours.muted, 1, Qt.PenStyle.DotLine))
                p.drawRect(cells.adjusted(0.5, 0.5, -0.5, -0.5))
            elif model.half is not None and column == "hex":
                p.fillRect(cells, self.colours.base)
                p.setPen(strong)
                p.drawRect(cells.adjusted(1, 1, -1, -1))
                p.setPen(self.colours.text)
                p.drawText(QPointF(cells.left() + g.gap / 2, self.cells.y(run[0]) + g.ascent + 4), f"{model.half:x}_")
            elif model.insert:
                p.fillRect(QRectF(cells.left() - 1, cells.top(), 2, cells.height()), self.colours.focus)
            else:
                p.setPen(strong)
                p.drawRect(cells.adjusted(1, 1, -1, -1))
