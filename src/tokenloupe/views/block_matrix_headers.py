"""Headers of the block matrix: above it the weights of a row, at its left the block and the scale of each row.

Where a block is one row and its codes are nibbles, a second line above says which half of a byte a weight comes from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter, QPen

from ..tensors import blocks
from ..tensors.blocktypes import BlockType
from . import palette

#: Weights a row: one block of Q4_0, an eighth of a block of Q4_K.
WIDTH = 32
#: Rows have headers from this height on, in pixels.
HEADER_FROM = 9.0

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def line(font: QFont) -> int:
    """Pixels of a line above the columns. font: of the matrix, here and below."""
    return QFontMetrics(palette.small_font(font)).height() + 2


def _scale_width(font: QFont) -> int:
    """Of the scale beside the block's number."""
    return max(56, QFontMetrics(palette.small_font(font)).horizontalAdvance("largest") + 8)


def width(block_type: BlockType, rows: int, font: QFont) -> int:
    """Of the row headers: room for the largest number there is."""
    last = max(rows, 1) * WIDTH // min(block_type.weights, WIDTH)
    digits = QFontMetrics(palette.mono_beside(font, 0.77)).horizontalAdvance("0") * max(5, len(str(last)))
    return 14 + max(digits, QFontMetrics(palette.small_font(font)).horizontalAdvance("weight")) + _scale_width(font)


def height(block_type: BlockType, font: QFont) -> int:
    """Of the column headers."""
    return line(font) * (2 if block_type.name in blocks.HALVES else 1) + 2


def titles(block_type: BlockType) -> tuple[str, str]:
    """What stands above the two columns of a row's header."""
    return ("weight", "largest") if block_type.weights < WIDTH else ("block", "scale")


def row_name(block_type: BlockType, row: int) -> str:
    """A row's number: its block, or within a block of several rows, which weights of it; of plain numbers the first."""
    per = block_type.weights // WIDTH
    if per == 0:
        return str(row * WIDTH)
    return str(row // per) if row % per == 0 else f"+{row % per * WIDTH}"


def paint_rows(p: QPainter, area: QRect, block_type: BlockType, first: int, scales: NDArray[np.float32], top: float,
               scale: float, font: QFont) -> None:
    """Left of the matrix: number and scale of each row. top: where the row `first` begins; scale: pixels a row."""
    colours = palette.current()
    p.fillRect(area, colours.window)
    usual = palette.mono_beside(font, 0.77)
    usual.setPointSizeF(max(6.0, min(usual.pointSizeF(), scale * 0.55)))
    p.setFont(usual)
    side = _scale_width(font)
    names = area.width() - side - 8
    for i, value in enumerate(scales.tolist()):
        y = top + i * scale
        name = row_name(block_type, first + i)
        p.setPen(colours.faint if name.startswith("+") else colours.text)
        p.drawText(QRectF(area.left(), y, names, scale), _RIGHT, name)
        p.setPen(colours.muted if np.isfinite(value) else colours.error)
        p.drawText(QRectF(area.left() + names, y, side, scale), _RIGHT, f"{value:.2g}")


def paint_columns(p: QPainter, area: QRect, block_type: BlockType, head: int, left: float, cell: float,
                  font: QFont) -> None:
    """Above the matrix: the weights 0 to 31 of a row, and the titles of the row headers, which do not scroll."""
    colours = palette.current()
    p.fillRect(area, colours.window)
    tall, side = line(font), _scale_width(font)
    numbers = QRectF(0, area.bottom() - tall, cell, tall)
    mono = palette.mono_beside(font, 0.73)
    digits = QFontMetricsF(mono).horizontalAdvance("00") + 2
    every = next((n for n in (1, 2, 4, 8) if cell * n >= digits), 16)
    start = area.left() + head - left
    p.save()
    p.setClipRect(area.adjusted(head, 0, 0, 0))
    p.setFont(mono)
    p.setPen(colours.muted)
    for weight in range(0, WIDTH, every):
        p.drawText(numbers.translated(start + weight * cell, 0), Qt.AlignmentFlag.AlignCenter, str(weight))
    if block_type.name in blocks.HALVES:
        _halves(p, area, start, cell, font)
    p.restore()
    p.setFont(palette.small_font(font))
    p.setPen(colours.muted)
    name, scale = titles(block_type)
    names = head - side - 8
    p.drawText(QRectF(area.left(), numbers.top(), names, tall), _RIGHT, name)
    p.drawText(QRectF(area.left() + names, numbers.top(), side, tall), _RIGHT, scale)
    p.setPen(QPen(colours.border))
    p.drawLine(area.left(), area.bottom(), area.right(), area.bottom())


def _halves(p: QPainter, area: QRect, start: float, cell: float, font: QFont) -> None:
    """Which half of its byte the weights of each half of the row come from."""
    colours = palette.current()
    half = cell * WIDTH / 2
    p.setFont(palette.small_font(font))
    for k, text in enumerate(("low nibbles of bytes 0 to 15", "high nibbles of bytes 0 to 15")):
        box = QRectF(start + k * half + 2, area.top() + 1, half - 4, line(font) - 1)
        p.fillRect(box, colours.raised)
        p.setPen(colours.text)
        metrics = QFontMetricsF(p.font())
        short = text if metrics.horizontalAdvance(text) < box.width() - 8 else text.split(" of")[0]
        p.drawText(box, Qt.AlignmentFlag.AlignCenter,
                   metrics.elidedText(short, Qt.TextElideMode.ElideRight, box.width()))
