"""Tokens as boxes with their bytes: how wide each is, its picture, and the characters that its bytes make.

A box is measured and drawn once, at x = 0; the timeline moves it. Only so much is kept as a few pages need.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPixmap

from ..core.stream_lanes import Run
from ..core.stream_marks import quoted
from ..core.stream_words import character_at, short_label
from ..core.utf8 import ByteRole
from . import palette

#: Bytes of one token drawn as cells; of more, the first and the last.
CELLS = 6
#: Room between cells, and around a token's box in its picture for its outline.
_CELL_GAP, EDGE = 2.0, 2.0


@dataclass(frozen=True, slots=True)
class Chip:
    """A token on the screen: its index in the stream, its box, and the cells of its bytes (byte offset, box)."""

    index: int
    box: QRectF
    cells: tuple[tuple[int, QRectF], ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class Character:
    """A character of several bytes beneath the boxes, from x = left to x = right, with its bracket at y.

    first, last: the tokens that hold its ends. ok: it is well-formed. name: what is written beneath.
    """

    left: float
    right: float
    y: float
    first: int
    last: int
    ok: bool
    name: str

    @property
    def split(self) -> bool:
        """Does a token end inside it?"""
        return self.first != self.last


def _forget(kept: dict[int, Any], most: int = 400) -> None:
    """Drop the older half of what is kept when it has become too much."""
    if len(kept) >= most:
        for index in list(kept)[: most // 2]:
            del kept[index]


class TokenChips:
    """The boxes of a run's tokens in a widget's font and the present theme; renewed when one of the three changes."""

    def __init__(self, run: Run, font: QFont, ratio: float) -> None:
        self._run, self._ratio = run, ratio
        self.label_font = QFont(font)
        self.cell_font = palette.mono_beside(font, 0.82)
        self._labels, self._cells = QFontMetricsF(self.label_font), QFontMetricsF(self.cell_font)
        self.label_height = self._labels.height()
        self.cell_width = self._cells.horizontalAdvance("00") + 6
        self._widths: dict[int, float] = {}
        self._shapes: dict[int, Chip] = {}
        self._pictures: dict[int, QPixmap] = {}
        self._later: dict[int, QPixmap] = {}

    @property
    def height(self) -> float:
        """Of boxes, brackets and names together."""
        return 10 + self.label_height + 6 + self._cells.height() + 8 + 10 + self.label_height + 3

    def _label(self, index: int) -> str:
        stream = self._run.stream
        if index in stream.skipped or (stream.spellings is not None and not stream.spellings[index].isspace()):
            label = stream.label(index)
            return label if len(label) <= 16 else label[:15] + "…"
        return short_label(stream.pieces[index]) or "∅"

    def _shown_cells(self, index: int) -> list[int | None]:
        """Byte offsets of a token's cells; None is the ellipsis between."""
        start, end = self._run.edges[index], self._run.edges[index + 1]
        if end - start <= CELLS:
            return list(range(start, end))
        return [*range(start, start + 3), None, *range(end - 2, end)]

    def width(self, index: int) -> float:
        if index not in self._widths:
            _forget(self._widths)
            label = self._labels.horizontalAdvance(self._label(index))
            cells = len(self._shown_cells(index)) * (self.cell_width + _CELL_GAP)
            self._widths[index] = max(label, cells, 14.0) + 14
        return self._widths[index]

    def chip(self, index: int, x: float) -> Chip:
        """A token's geometry at x: worked out once at 0 and moved."""
        if index not in self._shapes:
            _forget(self._shapes)
            self._shapes[index] = self._shape(index)
        shape = self._shapes[index]
        x = round(x)
        return Chip(index, shape.box.translated(x, 0), tuple((o, box.translated(x, 0)) for o, box in shape.cells),
                    shape.cut)

    def _shape(self, index: int) -> Chip:
        height = self._cells.height() + 2
        box = QRectF(0, 8, round(self.width(index)), round(self.label_height + height + 12))
        shown, step = self._shown_cells(index), self.cell_width + _CELL_GAP
        left, top = box.center().x() - len(shown) * step / 2, box.bottom() - height - 5
        cells = tuple((offset, QRectF(left + k * step, top, self.cell_width, height))
                      for k, offset in enumerate(shown) if offset is not None)
        return Chip(index, box, cells, None in shown)

    def faded(self, chip: Chip) -> QPixmap:
        """A token that is still to come."""
        if chip.index not in self._later:
            _forget(self._later)
            whole = self.picture(chip)
            faded = QPixmap(whole.size())
            faded.setDevicePixelRatio(whole.devicePixelRatio())
            faded.fill(palette.current().base)
            with QPainter(faded) as painter:
                painter.setOpacity(0.6)
                painter.drawPixmap(QPointF(0, 0), whole)
            self._later[chip.index] = faded
        return self._later[chip.index]

    def picture(self, chip: Chip) -> QPixmap:
        """A token's box, drawn once; painting only moves it."""
        if chip.index not in self._pictures:
            _forget(self._pictures)
            ratio = self._ratio
            size = chip.box.size() + QSizeF(2 * EDGE, 2 * EDGE)
            picture = QPixmap(round(size.width() * ratio), round(size.height() * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(palette.current().base)
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.translate(QPointF(EDGE, EDGE) - chip.box.topLeft())
                self._draw_chip(painter, palette.current(), chip)
            self._pictures[chip.index] = picture
        return self._pictures[chip.index]

    def drawn_already(self, index: int) -> bool:
        """Is the picture of this token, still to come, there already?"""
        return index in self._later

    def characters(self, chips: list[Chip]) -> list[Character]:
        """The characters of several bytes, and the bytes that are none, of which these boxes show both ends."""
        data, roles = self._run.stream.data, self._run.roles
        where = {offset: (box, chip.index) for chip in chips for offset, box in chip.cells}
        out: list[Character] = []
        done = -1
        for offset, (left, first) in where.items():
            if offset < done or roles[offset] == ByteRole.ASCII:
                continue
            start, end, ok = character_at(data, offset)
            done = end
            if start != offset or end - 1 not in where:
                continue
            right, last = where[end - 1]
            name = quoted(data[start:end].decode("utf-8")).strip("“”") if ok else "✗"
            out.append(Character(left.left() + 2, right.right() - 2, left.bottom() + 11, first, last, ok, name))
        return out

    def _draw_chip(self, painter: QPainter, colours: palette.Palette, chip: Chip) -> None:
        stream = self._run.stream
        plain = chip.index < stream.prompt or chip.index in stream.skipped
        painter.setBrush(colours.raised if plain else colours.fill_of(chip.index))
        if plain:
            painter.setPen(QPen(colours.special, 1.2, Qt.PenStyle.DotLine))
        else:
            painter.setPen(QPen(colours.edge_of(chip.index), 1.2))
        painter.drawRoundedRect(chip.box, 5, 5)
        painter.setPen(colours.text if plain else colours.token_text)
        painter.setFont(self.label_font)
        label = QRectF(chip.box.left(), chip.box.top() + 3, chip.box.width(), self.label_height + 2)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self._label(chip.index))
        painter.setFont(self.cell_font)
        for offset, box in chip.cells:
            style = colours.byte_style(self._run.roles[offset], stream.data[offset])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.fill)
            painter.drawRoundedRect(box, 2, 2)
            painter.setPen(style.text)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{stream.data[offset]:02X}")
        if chip.cut:
            painter.setPen(colours.text if plain else colours.token_text)
            between = QRectF(chip.cells[2][1].right(), chip.cells[2][1].top(), self.cell_width + 2 * _CELL_GAP,
                             chip.cells[2][1].height())
            painter.drawText(between, Qt.AlignmentFlag.AlignCenter, "…")
