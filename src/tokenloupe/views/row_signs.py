"""What the tokens of a row leave out, drawn: tokens without bytes, bytes without a token, bytes that come back changed.

    paint_lost(painter, rects, colours)         # in place of a token's fill: a hatch, a dashed line beneath
    paint_changed(painter, strips, colours)     # a hatched strip over the text
    paint_pins(painter, pins, body, colours)    # a flag on a thin stem, in the token's colours, between two characters

The signs are those of the byte lane and its legend, in the size of a line of text. Each has a shape of its own, so that
none needs its colour to be told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from .palette import Palette

#: Half the width of a flag, its height, and how far beneath the one before the next flag at the same place hangs.
HALF, FLAG, NEXT = 4.0, 6.0, 7.0
#: Height of the strip over changed bytes.
STRIP = 3.0
#: More tokens without bytes at one place have no flag of their own; the tip names them.
MOST_FLAGS = 3


class Pin(NamedTuple):
    """A token without bytes: x of its place, the byte of the row, its colour index; level: how many hang above it."""

    x: float
    byte_pos: int
    colour: int
    level: int

    def area(self, body: float) -> QRectF:
        """What of the line stands for it under the pointer."""
        top = min(self.level, MOST_FLAGS) * NEXT
        return QRectF(self.x - HALF - 1, top, 2 * HALF + 2, max(min(FLAG + 2, body - top), 1.0))


def paint_lost(painter: QPainter, rects: Sequence[QRectF], body: float, colours: Palette) -> None:
    """Bytes that no token has. rects: as high as the line, its pattern line included."""
    tint = QColor(colours.error)
    tint.setAlpha(120)  # the text on it is to be read
    dashes = QPen(colours.error, 2.0, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    dashes.setDashPattern([2.0, 1.5])
    for rect in rects:
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), body), QBrush(tint, Qt.BrushStyle.FDiagPattern))
        painter.setPen(dashes)
        y = (body + rect.bottom()) / 2
        painter.drawLine(QLineF(rect.left(), y, rect.right(), y))


def paint_changed(painter: QPainter, strips: Sequence[QRectF], colours: Palette) -> None:
    """Bytes that a token has, but that decoding gives back as others."""
    for strip in strips:
        painter.fillRect(strip, colours.base)
        painter.fillRect(strip, QBrush(colours.error, Qt.BrushStyle.Dense5Pattern))
    painter.setPen(QPen(colours.error, 1.0))
    painter.drawLines([QLineF(s.left(), s.bottom(), s.right(), s.bottom()) for s in strips])


def paint_pins(painter: QPainter, pins: Sequence[Pin], body: float, colours: Palette) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for pin in pins:
        edge = colours.edge_of(pin.colour)
        if pin.level == 0:
            painter.setPen(QPen(edge, 1.2))
            painter.drawLine(QLineF(pin.x, 0.0, pin.x, body))
        if pin.level < MOST_FLAGS:
            top = 0.5 + pin.level * NEXT
            painter.setPen(QPen(edge, 1.2))
            painter.setBrush(colours.fill_of(pin.colour))
            painter.drawPolygon(QPolygonF([QPointF(pin.x - HALF, top), QPointF(pin.x + HALF, top),
                                           QPointF(pin.x, top + FLAG)]))
        elif pin.level == MOST_FLAGS:  # and more
            top = 1.0 + MOST_FLAGS * NEXT
            painter.setPen(QPen(edge, 1.4))
            painter.drawLines([QLineF(pin.x - 2.5, top + 2.5, pin.x + 2.5, top + 2.5),
                               QLineF(pin.x, top, pin.x, top + 5)])
    painter.restore()
