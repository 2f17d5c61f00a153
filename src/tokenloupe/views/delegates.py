"""Painting the rows of the token table: the token's colour and pattern, the text of a cell, the row under the pointer.

All cells of the rows in sight are painted in one go from the model's page. A delegate called for each cell took four
times as long (160 calls a frame, each with an option object made for it), and the editor's keys waited for it. Nothing
here is rich text: a token `<s>` is three characters.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from ..models import token_rows as rows
from ..models.token_colours import TokenColours
from . import palette
from .table_fonts import TableFonts

PADDING = 7
#: Words for the kinds in the table, by core.vocabulary.TokenKind.
KIND_WORDS = ("", "special", "added", "byte", "unknown", "unused")


@dataclass(frozen=True, slots=True)
class Column:
    """Where a column lies in the viewport, in points."""

    number: int
    left: float
    width: float


class RowPainter(TableFonts):
    """hovered: (first, last) rows under the pointer, here or in another view."""

    def __init__(self, model: rows.TokenRows, colours: TokenColours) -> None:
        super().__init__()
        self._model, self._colours = model, colours
        self.hovered = (-1, -1)

    def width_of(self, text: str) -> int:
        return round(self._metrics.horizontalAdvance(text)) + 2 * PADDING

    def paint(self, painter: QPainter, row: int, top: float, columns: list[Column], right: float, *,
              selected: bool, current: bool) -> None:
        """One row, from `top` down; `right`: where the viewport ends."""
        page = self._model.page(row)
        i = row - page.first
        if not 0 <= i < len(page.ids):
            return
        colours, height = palette.current(), self.row_height
        if selected:
            painter.fillRect(QRectF(0, top, right, height), colours.selection)
        elif self.hovered[0] <= row <= self.hovered[1]:
            painter.fillRect(QRectF(0, top, right, height), colours.hover)
        strong = colours.selection_text if selected else colours.text
        quiet = colours.selection_text if selected else colours.muted
        small = self.small_base(top)
        painter.setFont(self.small)
        painter.setPen(quiet)
        for column in columns:
            number, left, width = column.number, column.left + PADDING, column.width - 2 * PADDING
            if number == rows.INDEX:
                self.draw_right(painter, left, width, small, str(row))
            elif number == rows.BYTES:
                painter.drawText(QPointF(left, small), self.whole_bytes(page.hexes[i], width))
            elif number == rows.SPAN:
                self.draw_right(painter, left, width, small, rows.span_text(*page.spans[i]))
            elif number == rows.KIND and page.kinds[i]:
                painter.setPen(quiet if selected else colours.special)
                painter.drawText(QPointF(left, small), KIND_WORDS[page.kinds[i]])
                painter.setPen(quiet)
        painter.setFont(self.mono)
        base = self.mono_base(top)
        for column in columns:
            left, width = column.left + PADDING, column.width - 2 * PADDING
            if column.number == rows.ID:
                text = page.ids[i]
                painter.setPen(strong)
                painter.drawText(QPointF(max(left, left + width - self.char * len(text)), base), text)
            elif column.number == rows.TEXT:
                self._chip(painter, QRectF(left, top, width, height), base, row, page.texts[i], page.kinds[i], colours)
        painter.setPen(colours.grid)
        painter.drawLine(QLineF(0, top + height - 0.5, right, top + height - 0.5))
        if current and columns:
            painter.fillRect(QRectF(columns[0].left, top, 3, height), colours.focus)

    def _chip(self, painter: QPainter, area: QRectF, base: float, row: int, text: str, kind: int,
              colours: palette.Palette) -> None:
        """The token as it looks in the editor: its fill, and beneath it the line whose pattern says the same."""
        wide = self.char * len(text) if text.isascii() else self._metrics.horizontalAdvance(text)
        if wide > area.width() - 10:
            text = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width() - 10)
            wide = min(self._metrics.horizontalAdvance(text), area.width() - 10)
        height = min(self._metrics.height() + 4, area.height() - 4)
        chip = QRectF(area.left(), area.top() + (area.height() - height) / 2, max(wide, 4) + 10, height)
        colour = self._colours.at(row)  # as in the editor, after edits too
        painter.fillRect(chip, colours.fill_of(colour))
        painter.setPen(colours.token_pen(colour))
        painter.drawLine(QLineF(chip.left(), chip.bottom(), chip.right(), chip.bottom()))
        if kind in (1, 2):
            painter.setPen(QPen(colours.special, 1.2))
            painter.drawRect(chip.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setPen(colours.token_text)
        painter.drawText(QPointF(chip.left() + 5, base), text)


def quiet_text(painter: QPainter, area: QRectF, text: str, ink: QColor) -> None:
    """A sentence in the middle of an empty view."""
    painter.setPen(ink)
    painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), text)
