"""Painting a row of a table over PagedRows: all its cells in one go, from the model's page.

Tokens are monospaced, with the part that a search found marked and an id in quieter ink beside; bytes are cut between
bytes; signs have their colour; nothing is rich text. A delegate called for each cell takes four times as long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

from ..core.text import utf16_length
from ..models.paged_rows import SIGNS, Column, Page
from ..models.readable import readable
from . import palette
from .table_fonts import TableFonts

PADDING = 8
#: Texts whose width is remembered.
WIDTHS_KEPT = 4096
#: Letters of scripts that run from right to left: Hebrew to Arabic and their presentation forms.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a column lies in the viewport, in points."""

    number: int
    column: Column
    left: float
    width: float


class CellPainter(TableFonts):
    """found: what is marked in the columns of tokens that `found_in` names."""

    def __init__(self) -> None:
        self.found = ""
        self.found_in: tuple[str, ...] = ()
        self.any_case = True
        super().__init__()

    def set_zoom(self, zoom: float) -> None:
        super().set_zoom(zoom)
        self._widths: dict[str, float] = {}
        self.set_prose(QFont())

    def mark(self, text: str = "", ignore_case: bool = True, columns: tuple[str, ...] = ()) -> None:
        """What was searched for, to be marked in these columns; "" for nothing."""
        shown = readable(text.encode("utf-8", "surrogatepass"))
        self.found, self.found_in, self.any_case = shown.lower() if ignore_case else shown, columns, ignore_case

    def set_prose(self, font: QFont) -> None:
        """The font of the interface, for columns of words."""
        self.prose, self._prose_metrics = font, QFontMetricsF(font)

    def width_of(self, column: Column) -> int:
        """Pixels of a column's own width."""
        if column.look == "prose":
            return round(self._prose_metrics.averageCharWidth() * column.width) + 2 * PADDING
        return self.width_for(column.width)

    def width_for(self, characters: int) -> int:
        """Pixels of so many monospaced characters, with the room beside them."""
        return round(self.char * characters) + 2 * PADDING

    def paint(self, painter: QPainter, page: Page, i: int, top: float, places: list[Place], right: float, *,
              selected: bool, current: bool, hovered: bool = False) -> None:
        """Row i of a page, from `top` down; `right`: where the row ends."""
        colours, height = palette.current(), self.row_height
        if selected or hovered:
            painter.fillRect(QRectF(0, top, right, height), colours.selection if selected else colours.hover)
        faded = bool(page.faded) and page.faded[i]
        strong = colours.selection_text if selected else colours.muted if faded else colours.text
        quiet = colours.selection_text if selected else colours.muted
        base, small = self.mono_base(top), self.small_base(top)
        painter.setFont(self.mono)
        for place in places:
            if place.column.look == "token":
                self._token(painter, page, i, place, top, base, strong)
            elif place.column.look == "sign":
                self._sign(painter, page.cells[place.number][i], place, base, strong if selected else None)
        self._prose(painter, page, i, top, places, strong)
        painter.setFont(self.small)
        painter.setPen(quiet)
        for place in places:
            look, text = place.column.look, page.cells[place.number][i]
            left, width = place.left + PADDING, place.width - 2 * PADDING
            if look == "token":
                if place.number in page.notes:
                    self._note(painter, page.notes[place.number][i], text, left, width, small)
            elif not text or look in ("sign", "prose"):
                continue
            elif look == "number":
                if place.column.strong:
                    painter.setPen(strong)
                self.draw_right(painter, left, width, small, text)
                painter.setPen(quiet)
            elif look == "bytes":
                painter.drawText(QPointF(left, small), self.whole_bytes(text, width))
            else:
                painter.drawText(QPointF(left, small), self.cut(text, width))
        painter.setPen(colours.grid)
        painter.drawLine(QLineF(0, top + height - 0.5, right, top + height - 0.5))
        if current:
            painter.fillRect(QRectF(0, top, 3, height), colours.focus)

    def _prose(self, painter: QPainter, page: Page, i: int, top: float, places: list[Place], ink: QColor) -> None:
        mine = [p for p in places if p.column.look == "prose"]
        if mine:
            painter.setFont(self.prose)
            painter.setPen(ink)
            base = self.centred(top, self._prose_metrics)
            for place in mine:
                text = page.cells[place.number][i]
                width = place.width - 2 * PADDING
                if len(text) * self._prose_metrics.averageCharWidth() > width * 0.6:
                    text = self._prose_metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
                painter.drawText(QPointF(place.left + PADDING, base), text)

    @staticmethod
    def _sign(painter: QPainter, text: str, place: Place, base: float, ink: QColor | None) -> None:
        if text:
            c = palette.current()
            painter.setPen(ink or dict(zip(SIGNS, (c.error, c.warning, c.muted), strict=True)).get(text, c.text))
            painter.drawText(QPointF(place.left + PADDING, base), text)

    def _token(self, painter: QPainter, page: Page, i: int, place: Place, top: float, base: float,
               strong: QColor) -> None:
        text = page.cells[place.number][i]
        if not text:
            return
        left, width = place.left + PADDING, place.width - 2 * PADDING
        if place.number in page.notes:
            width -= self._small_char * (len(page.notes[place.number][i]) + 1)
        if self._width(text) > width:
            text = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(width, 2 * self.char))
        if self.found and place.column.id in self.found_in:
            at = (text.lower() if self.any_case else text).find(self.found)
            if at >= 0:
                begin, wide = self.place_in(text, at, at + len(self.found))
                begin += left
                painter.fillRect(QRectF(begin, top + 3, wide, self.row_height - 7), palette.current().warning_fill)
                painter.setPen(palette.current().warning)
                under = top + self.row_height - 4.5
                painter.drawLine(QLineF(begin, under, begin + wide, under))
                painter.setPen(palette.current().text)
                painter.drawText(QPointF(left, base), text)
                return
        painter.setPen(strong)
        painter.drawText(QPointF(left, base), text)

    def place_in(self, text: str, start: int, end: int) -> tuple[float, float]:
        """(from the text's left end, width) of the characters start .. end, also where they run from right to left."""
        if not _RIGHT_TO_LEFT.search(text):
            return self._width(text[:start]), self._width(text[start:end])
        layout = QTextLayout(text, self.mono)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)  # as drawText() does it
        layout.setTextOption(option)
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        # Where the glyphs lie: where the direction turns, one place in the text has two in the line.
        first, last = (utf16_length(text[:at]) for at in (start, end))
        place = QRectF()
        for run in line.glyphRuns(first, last - first):
            place = place.united(run.boundingRect())
        return place.x(), place.width()

    def _note(self, painter: QPainter, note: str, text: str, left: float, width: float, base: float) -> None:
        if note:
            beside = left + self._width(text) + self._small_char
            painter.drawText(QPointF(min(beside, left + width - self._small_char * len(note)), base), note)

    def _width(self, text: str) -> float:
        if text.isascii():
            return self.char * len(text)
        wide = self._widths.get(text)
        if wide is None:
            if len(self._widths) >= WIDTHS_KEPT:
                self._widths.clear()
            wide = self._widths[text] = self._metrics.horizontalAdvance(text)
        return wide
