"""Dashes as textures: filling with one costs as much as with a plain colour; stroking dashes takes ten times as long.

    brush = texture(period(pen), 2, ratio, lambda painter: ...)     # painted once, repeated for ever
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPen, QTransform


def period(pen: QPen) -> int:
    """After so many pixels a pen's dashes are the same again; any number will do where it has none."""
    dashes = pen.dashPattern() if pen.style() != Qt.PenStyle.SolidLine else []
    return max(1, round(sum(dashes) * pen.widthF())) if dashes else 4


def texture(width: int, height: int, ratio: int, draw: Callable[[QPainter], None]) -> QBrush:
    """A brush that repeats what `draw` paints on width x height pixels. ratio: device pixels a pixel."""
    tile = QImage(ratio * width, ratio * height, QImage.Format.Format_ARGB32_Premultiplied)
    tile.fill(Qt.GlobalColor.transparent)
    with QPainter(tile) as painter:
        painter.scale(ratio, ratio)
        draw(painter)
    brush = QBrush(tile)
    if ratio != 1:
        brush.setTransform(QTransform.fromScale(1 / ratio, 1 / ratio))
    return brush
