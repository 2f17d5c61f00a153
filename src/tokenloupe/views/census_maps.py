"""Maps of the census: 16 x 16 bytes, Unicode blocks as gauges, and the code points of one block.

    maps = ByteMap("Bytes"); maps.set_desk(desk)
    blocks = BlockMap("Unicode blocks"); blocks.chosen.connect(show_block)
    grid = PointGrid("Code points"); grid.set_block(desk, block)

Depth of tone says how much, a hatch or an outline says what there is not, so that none of it hangs on colour alone.
"""

from __future__ import annotations

import unicodedata
from math import log1p

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from ..core.census import BlockCoverage, PointState
from ..core.unicode_names import described
from ..models.census import CensusDesk
from . import palette
from .census_charts import Chart

#: What a code point is in the vocabulary, by PointState.
STATE_WORDS = ("no character", "in no entry", "in longer entries", "an entry by itself")
#: The largest height of the grid of code points, in points.
TALLEST = 240


def _mix(a: QColor, b: QColor, share: float) -> QColor:
    return QColor.fromRgbF(a.redF() + (b.redF() - a.redF()) * share, a.greenF() + (b.greenF() - a.greenF()) * share,
                           a.blueF() + (b.blueF() - a.blueF()) * share)


def point_fills(c: palette.Palette) -> tuple[QColor, ...]:
    """By PointState."""
    _, strong = palette.counting(c)
    return c.window, c.base, _mix(c.base, strong, 0.3), strong


class Map(Chart):
    """A chart whose height follows from its width: heightForWidth() says it."""

    def heightForWidth(self, width: int) -> int:
        raise NotImplementedError

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def renew(self) -> None:
        super().renew()
        self._fit()

    def _fit(self) -> None:
        # A layout inside a scroll area asks for heights too early: it is told by a fixed one.
        if self.height() != (high := self.heightForWidth(self.width())):
            self.setFixedHeight(high)


class ByteMap(Map):
    """Rows are high halves, columns low ones. Deeper: in more entries. Hatched: in none. Dot: an entry by itself."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._desk: CensusDesk | None = None
        self._cell = 20.0

    def set_desk(self, desk: CensusDesk) -> None:
        self._desk = desk
        self.renew()

    def parts(self) -> int:
        return 256 if self._desk is not None and self._desk.census is not None else 0

    def across(self) -> int:
        return 16

    def _size(self) -> float:
        return max(min((self.width() - 24) / 16, 26.0), 10.0)

    def heightForWidth(self, width: int) -> int:
        return round(max(min((width - 24) / 16, 26.0), 10.0) * 16 + 20)

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(320))

    def place(self, part: int) -> QRectF:
        size = self._size()
        return QRectF(22 + part % 16 * size, 18 + part // 16 * size, size, size)

    def part_at(self, at: QPointF) -> int:
        size = self._size()
        x, y = (at.x() - 22) / size, (at.y() - 18) / size
        return int(y) * 16 + int(x) if 0 <= x < 16 and 0 <= y < 16 and self.parts() else -1

    def words(self, part: int) -> str:
        assert self._desk is not None
        return self._desk.about_byte(part)

    def paint(self, p: QPainter) -> None:
        assert self._desk is not None and self._desk.census is not None
        c, census, size = palette.current(), self._desk.census, self._size()
        used, own = census.bytes_used.tolist(), census.byte_ids.tolist()
        top = log1p(max(used)) or 1.0
        _, strong = palette.counting(c)
        p.setFont(palette.mono_font(size=max(6.5, min(8.5, size * 0.38))))
        p.setPen(c.muted)
        for i in range(16):
            p.drawText(QRectF(22 + i * size, 0, size, 16), Qt.AlignmentFlag.AlignCenter, f"{i:X}")
            p.drawText(QRectF(0, 18 + i * size, 18, size), Qt.AlignmentFlag.AlignCenter, f"{i:X}")
        for byte in range(256):
            area = self.place(byte).adjusted(0.5, 0.5, -0.5, -0.5)
            fill = _mix(c.base, strong, 0.08 + 0.55 * log1p(used[byte]) / top) if used[byte] else c.base
            p.fillRect(area, fill)
            if not used[byte]:
                p.fillRect(area, c.hatch_brush)
            if byte == self.hovered:
                p.setPen(QPen(c.text, 1.5))
                p.drawRect(area)
            ink = palette.ink_on(fill)
            if 0x21 <= byte < 0x7F and size >= 14:
                p.setPen(ink)
                p.drawText(area, Qt.AlignmentFlag.AlignCenter, chr(byte))
            elif own[byte] >= 0 and used[byte]:
                p.setRenderHint(QPainter.RenderHint.Antialiasing)
                p.setPen(Qt.PenStyle.NoPen)
                p.setBrush(ink)
                p.drawEllipse(area.center(), size * 0.07 + 0.4, size * 0.07 + 0.4)
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.setRenderHint(QPainter.RenderHint.Antialiasing, False)


class BlockMap(Map):
    """A gauge a Unicode block, in code-point order: strong: code points with an entry of their own; light: those that
    stand in longer entries only."""

    SIZE = 17.0

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.blocks: list[BlockCoverage] = []

    def set_blocks(self, blocks: list[BlockCoverage]) -> None:
        self.blocks = blocks
        self.renew()

    def parts(self) -> int:
        return len(self.blocks)

    def across(self) -> int:
        return max(int(self.width() // self.SIZE), 1)

    def heightForWidth(self, width: int) -> int:
        return round(-(-len(self.blocks) // max(int(width // self.SIZE), 1)) * self.SIZE) + 2

    def sizeHint(self) -> QSize:
        return QSize(340, self.heightForWidth(340))

    def place(self, part: int) -> QRectF:
        row, column = divmod(part, self.across())
        return QRectF(column * self.SIZE, row * self.SIZE, self.SIZE, self.SIZE)

    def part_at(self, at: QPointF) -> int:
        column, row = int(at.x() // self.SIZE), int(at.y() // self.SIZE)
        part = row * self.across() + column
        return part if column < self.across() and 0 <= part < len(self.blocks) else -1

    def words(self, part: int) -> str:
        return about_block(self.blocks[part])

    def paint(self, p: QPainter) -> None:
        c = palette.current()
        _, _, light, strong = point_fills(c)
        for i, block in enumerate(self.blocks):
            area = self.place(i).adjusted(1, 1, -1, -1)
            p.fillRect(area, c.base)
            for n, colour in ((block.used, light), (block.single, strong)):
                if n:
                    high = max(area.height() * n / block.assigned, 1.0)
                    p.fillRect(QRectF(area.left(), area.bottom() - high, area.width(), high), colour)
            p.setPen(QPen(c.text if i in (self.hovered, self.current) else c.border, 1))
            p.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))


def about_block(block: BlockCoverage) -> str:
    """One line of figures."""
    return (f"{block.name}, U+{block.first:04X} to U+{block.last:04X}: of {block.assigned:,} characters "
            f"{block.single:,} are entries, {block.used:,} stand in some entry ({block.used / block.assigned:.0%})")


class PointGrid(Map):
    """A cell a code point of one block; with its glyph where there is room."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.block: BlockCoverage | None = None
        self._states: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self._desk: CensusDesk | None = None

    def set_block(self, desk: CensusDesk, block: BlockCoverage | None) -> None:
        self._desk, self.block = desk, block
        self._states = desk.states(block) if block is not None else np.zeros(0, np.uint8)
        self.current = 0
        self.setAccessibleName(f"Code points of {block.name}" if block is not None else "Code points")
        self.renew()

    def code_point(self, part: int) -> int:
        assert self.block is not None
        return self.block.first + part

    def parts(self) -> int:
        return len(self._states)

    def _size(self, width: int) -> tuple[float, int]:
        """(side of a cell, cells in a row): as large as fits TALLEST, rows of 16 where that is possible."""
        count = max(len(self._states), 1)
        for side in (20.0, 17.0, 14.0, 11.0, 9.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0):
            across = max(int(width // side), 1)
            if across >= 16:
                across -= across % 16
            if -(-count // across) * side <= TALLEST:
                return side, across
        return 1.0, max(width, 1)

    def across(self) -> int:
        return self._size(self.width())[1]

    def heightForWidth(self, width: int) -> int:
        if not len(self._states):
            return 4
        side, across = self._size(width)
        return round(-(-len(self._states) // across) * side) + 2

    def sizeHint(self) -> QSize:
        return QSize(340, self.heightForWidth(340))

    def place(self, part: int) -> QRectF:
        side, across = self._size(self.width())
        return QRectF(part % across * side, part // across * side, side, side)

    def part_at(self, at: QPointF) -> int:
        side, across = self._size(self.width())
        column, row = int(at.x() // side), int(at.y() // side)
        part = row * across + column
        return part if 0 <= column < across and 0 <= part < len(self._states) else -1

    def words(self, part: int) -> str:
        point = self.code_point(part)
        char = chr(point)
        shown = f" {char}" if char.isprintable() and not unicodedata.combining(char) else ""
        return f"U+{point:04X}{shown} {described(point).name}: {STATE_WORDS[int(self._states[part])]}"

    def paint(self, p: QPainter) -> None:
        c = palette.current()
        side, across = self._size(self.width())
        fills = point_fills(c)
        if side < 5:
            self._pixels(p, fills, side, across)
            return
        font = palette.mono_font(size=max(side * 0.48, 5))
        p.setFont(font)
        for i, state in enumerate(self._states.tolist()):
            area = self.place(i).adjusted(0.5, 0.5, -0.5, -0.5)
            p.fillRect(area, fills[state])
            if state == PointState.ABSENT and side >= 7:
                p.setPen(c.border)
                p.drawRect(area.adjusted(0, 0, -0.5, -0.5))
            if i == self.hovered:
                p.setPen(QPen(c.text, 1.5))
                p.drawRect(area)
            char = chr(self.code_point(i))
            if side >= 14 and state != PointState.UNASSIGNED and char.isprintable() and char.strip():
                p.setPen(palette.ink_on(fills[state]))
                p.drawText(area.adjusted(-3, -3, 3, 3), Qt.AlignmentFlag.AlignCenter,
                           f"◌{char}" if unicodedata.combining(char) else char)

    def _pixels(self, p: QPainter, fills: tuple[QColor, ...], side: float, across: int) -> None:
        """Thousands of cells as one picture."""
        rows = -(-len(self._states) // across)
        cells = np.zeros(rows * across, np.uint8)
        cells[: len(self._states)] = self._states
        table = np.array([f.rgb() for f in fills], np.uint32)
        pixels = np.ascontiguousarray(table[cells].reshape(rows, across))
        image = QImage(pixels.data, across, rows, across * 4, QImage.Format.Format_RGB32)
        p.drawImage(QRectF(0, 0, across * side, rows * side), image)
        p.setPen(palette.current().border)
        p.drawRect(QRectF(0.5, 0.5, across * side - 1, rows * side - 1))
        if self.hovered >= 0:
            p.setPen(QPen(palette.current().text, 1))
            p.drawRect(self.place(self.hovered).adjusted(-1, -1, 1, 1))
