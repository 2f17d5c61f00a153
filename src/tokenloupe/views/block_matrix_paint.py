"""How the block matrix is painted: rows of 32 levels, from one pixel for many blocks down to numbered cells.

    painter = MatrixPainter(by_name("Q4_0")); painter.set_blocks(uint8 (n, 18))
    painter.paint(p, rect, first_row=0.0, left=0, scale=20.0)          # 20 pixels a row

Levels become colours through one table, whole rows at a time; the numbers are copied from an atlas of ready cells, so a
frame of 1920 x 1080 takes a few milliseconds. The blocks may be a memory map: only the rows seen are decoded.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter

from ..tensors import blocks
from ..tensors.blocktypes import BlockType, Bytes
from . import block_matrix_headers as headers
from . import palette
from .block_matrix_headers import WIDTH

#: A cell shows its number from this height on, in pixels, and from a width that its characters need.
NUMBER_HEIGHT, CHARACTER = 14, 7

Rows = NDArray[np.int16]


class MatrixPainter:
    """Paints one tensor. levels of -32768 are NaN."""

    def __init__(self, block_type: BlockType) -> None:
        self.type = block_type
        self.font = QFont()  # of the text around the numbers, which follow the zoom of the matrix
        self._read: Callable[[int, int], Bytes | None] = lambda first, count: None
        self.rows = 0
        self._atlas: tuple[object, NDArray[np.uint32]] | None = None
        self._table: tuple[str, NDArray[np.uint32]] | None = None
        self._cache: tuple[tuple[int, int, int], Rows, NDArray[np.float32]] | None = None

    def set_blocks(self, data: Bytes) -> None:
        self.set_source(lambda first, count: data[first : first + count], len(data))

    def set_source(self, read: Callable[[int, int], Bytes | None], count: int) -> None:
        """read(first, count) -> blocks uint8 (count, nbytes); count: of all blocks."""
        self._read, self._cache = read, None
        self.rows = count * self.type.weights // WIDTH if self.type.weights >= WIDTH else -(-count // WIDTH)

    @property
    def plain(self) -> bool:
        """A type of plain numbers: a row is 32 of them, coloured against the largest of the row."""
        return self.type.weights < WIDTH

    def block_of(self, row: int) -> int:
        """The first block of a row of 32."""
        return row * WIDTH // self.type.weights

    def row_of(self, block: int) -> int:
        return block * self.type.weights // WIDTH

    # Levels

    def levels(self, first: int, count: int, step: int = 1) -> tuple[Rows, NDArray[np.float32]]:
        """Levels int16 (n, 32) and scale float32 (n,) of the rows first, first + step, .. (count of them at most)."""
        key = (first, count, step)
        if self._cache is None or self._cache[0] != key:
            self._cache = (key, *self._levels(first, count, step))
        return self._cache[1], self._cache[2]

    def _levels(self, first: int, count: int, step: int) -> tuple[Rows, NDArray[np.float32]]:
        count = max(0, min(count, -(-(self.rows - first) // step)))
        if not count:
            return np.zeros((0, WIDTH), np.int16), np.zeros(0, np.float32)
        if self.plain:
            data = self._read(first * WIDTH, ((count - 1) * step + 1) * WIDTH)
            return self._plain(data, step)
        per = self.type.weights // WIDTH
        rows = first + np.arange(count) * step
        chosen, place = np.unique(rows // per, return_inverse=True)
        data = self._read(int(chosen[0]), int(chosen[-1] - chosen[0]) + 1)
        if data is None or len(data) <= chosen[-1] - chosen[0]:
            return np.zeros((0, WIDTH), np.int16), np.zeros(0, np.float32)
        p = blocks.parts(self.type, np.ascontiguousarray(data[chosen - chosen[0]]))
        part = rows % per
        levels = np.rint(p.levels).astype(np.int16).reshape(-1, per, WIDTH)[place, part]
        scales = p.scales[place, part * WIDTH * p.scales.shape[1] // self.type.weights]
        levels[~np.isfinite(scales)] = -32768
        return levels, scales

    def _plain(self, data: Bytes | None, step: int) -> tuple[Rows, NDArray[np.float32]]:
        if data is None or not len(data):
            return np.zeros((0, WIDTH), np.int16), np.zeros(0, np.float32)
        if step > 1:
            whole = len(data) // WIDTH * WIDTH
            data = np.ascontiguousarray(data[:whole].reshape(-1, WIDTH * self.type.nbytes)[::step])
            data = data.reshape(-1, self.type.nbytes)
        with np.errstate(over="ignore"):
            values = blocks.decode(self.type, data).reshape(-1).astype(np.float32)
        values = np.pad(values, (0, -len(values) % WIDTH)).reshape(-1, WIDTH)
        with np.errstate(invalid="ignore", divide="ignore"):
            top = np.nan_to_num(np.abs(values), nan=0, posinf=0, neginf=0).max(axis=1)
            levels = np.where(np.isfinite(values), np.rint(values / np.where(top == 0, 1, top)[:, None] * 127), -32768)
        return levels.astype(np.int16), top

    @property
    def range(self) -> tuple[int, int]:
        return (-127, 127) if self.plain else self.type.level_range

    # Colours

    def table(self) -> NDArray[np.uint32]:
        """Colour of every level, and of NaN at the end: uint32 0xffRRGGBB."""
        colours = palette.current()
        if self._table is None or self._table[0] != colours.name:
            low, high = self.range
            made = [palette.level_colour(colours, v, low, high).rgb() for v in range(low, high + 1)]
            self._table = (colours.name, np.array([*made, colours.warning.rgb()], np.uint32))
        return self._table[1]

    def _index(self, levels: Rows) -> NDArray[np.intp]:
        low, high = self.range
        index = np.clip(levels.astype(np.intp) - low, 0, high - low)
        index[levels == -32768] = high - low + 1
        return index

    def atlas(self, width: int, height: int, font: QFont) -> NDArray[np.uint32]:
        """Every level as a ready cell: uint32 (height, levels, width)."""
        key = (palette.current().name, width, height, font.key())
        if self._atlas is None or self._atlas[0] != key:
            low, high = self.range
            texts = [*map(str, range(low, high + 1)), "NaN"]
            image = QImage(width * len(texts), height, QImage.Format.Format_RGB32)
            with QPainter(image) as p:
                p.setFont(font)
                for i, (text, rgb) in enumerate(zip(texts, self.table().tolist(), strict=True)):
                    cell = QRect(i * width, 0, width, height)
                    fill = palette.QColor.fromRgb(rgb)
                    p.fillRect(cell, fill)
                    p.setPen(palette.ink_on(fill))
                    p.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)
            whole = np.frombuffer(image.constBits(), np.uint32).reshape(height, -1)[:, : width * len(texts)]
            self._atlas = (key, whole.reshape(height, len(texts), width).copy())
        return self._atlas[1]

    # Painting

    def header(self, scale: float) -> int:
        """Pixels of the row headers, left of the matrix."""
        return headers.width(self.type, self.rows, self.font) if scale >= headers.HEADER_FROM else 0

    def top(self, scale: float) -> int:
        """Pixels of the column headers, above the matrix."""
        return headers.height(self.type, self.font) if scale >= headers.HEADER_FROM else 0

    @property
    def number_width(self) -> int:
        """Pixels that the longest number needs: 16 for Q4_0's -8."""
        return max(len(str(v)) for v in self.range) * CHARACTER + 2

    def cell_width(self, rect: QRect, scale: float) -> float:
        """Pixels a weight: the whole width shared, at least what a number needs once there are numbers."""
        shared = (rect.width() - self.header(scale)) / WIDTH
        return max(int(shared), self.number_width) if scale >= NUMBER_HEIGHT else shared

    def numbers(self, rect: QRect, scale: float) -> bool:
        low, high = self.range
        return scale >= NUMBER_HEIGHT and self.cell_width(rect, scale) >= self.number_width and high - low <= 300

    def paint(self, p: QPainter, rect: QRect, first_row: float, left: float, scale: float) -> None:
        """first_row: the row at the top (a fraction scrolls smoothly). left: pixels scrolled. scale: pixels a row.

        The column headers lie over the top of the rectangle, the matrix begins beneath them.
        """
        colours = palette.current()
        p.fillRect(rect, colours.base)
        if not self.rows:
            return
        if scale < 1:
            self._sampled(p, rect, first_row, scale)
            return
        head, above = self.header(scale), self.top(scale)
        body = rect.adjusted(0, above, 0, 0)
        first = int(first_row)
        levels, scales = self.levels(first, int(body.height() / scale) + 2)
        if not len(levels):
            return
        cell = self.cell_width(rect, scale)
        top = body.top() - (first_row - first) * scale
        if self.numbers(rect, scale):
            self._numbered(p, rect, levels, top, left, scale, cell, head)
        else:
            image = self._image(levels)
            p.drawImage(QRectF(rect.left() + head - left, top, cell * WIDTH, scale * len(levels)), image,
                        QRectF(0, 0, WIDTH, len(levels)))
        if head:
            side = QRect(body.left(), body.top(), head, body.height())
            headers.paint_rows(p, side, self.type, first, scales, top, scale, self.font)
            headers.paint_columns(p, QRect(rect.left(), rect.top(), rect.width(), above), self.type, head, left, cell,
                                  self.font)

    def _image(self, levels: Rows) -> QImage:
        pixels = np.ascontiguousarray(self.table()[self._index(levels)])
        return QImage(pixels.data, WIDTH, len(levels), WIDTH * 4, QImage.Format.Format_RGB32).copy()

    def _sampled(self, p: QPainter, rect: QRect, first_row: float, scale: float) -> None:
        """Less than a pixel a row: every so many-th row, one pixel each."""
        step = max(1, int(1 / scale))
        levels, _ = self.levels(int(first_row) // step * step, rect.height(), step)
        if len(levels):
            p.drawImage(QRectF(rect.left(), rect.top(), rect.width(), len(levels)), self._image(levels),
                        QRectF(0, 0, WIDTH, len(levels)))

    def _numbered(self, p: QPainter, rect: QRect, levels: Rows, top: float, left: float, scale: float, cell: float,
                  head: int) -> None:
        width, height = int(cell), int(scale)
        font = palette.mono_font(size=max(6.5, min(11.0, height * 0.5)))
        while QFontMetrics(font).horizontalAdvance(str(self.range[0])) > width - 2 and font.pointSizeF() > 6:
            font.setPointSizeF(font.pointSizeF() - 0.5)
        atlas = self.atlas(width, height, font)
        index = self._index(levels)
        image = np.empty((len(levels), height, WIDTH, width), np.uint32)
        for row in range(len(levels)):  # whole strips: a copy of `width` pixels a cell
            np.take(atlas, index[row], axis=1, out=image[row], mode="clip")
        picture = QImage(image.data, WIDTH * width, len(levels) * height, WIDTH * width * 4, QImage.Format.Format_RGB32)
        target = QRectF(rect.left() + head - left, top, cell * WIDTH, scale * len(levels))
        if abs(target.width() - picture.width()) < 1 and abs(target.height() - picture.height()) < 1:
            p.drawImage(target.topLeft(), picture)
        else:
            p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            p.drawImage(target, picture)
