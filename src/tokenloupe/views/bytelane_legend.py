"""LaneLegend: what the signs in the byte lane mean, drawn as the lane draws them."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen

from ..core.bytelane import CutKind
from ..core.utf8 import ByteRole
from . import palette
from .bytelane_paint import byte_cell, changed_strip, cut_mark, cut_pen, pin
from .legend import Legend


class LaneLegend(Legend):
    """Signs are drawn by _sign()."""

    ENTRIES = (
        ("code point", "cuts a code point"), ("grapheme", "cuts a grapheme"), ("lead", "lead byte"),
        ("continuation", "continuation"), ("invalid", "invalid"), ("truncated", "cut short"),
        ("empty", "token of no byte"), ("lost", "no token"), ("changed", "comes back changed"),
    )
    LEFT, BENEATH, GAP, AIR, TOP = 8.0, 2.0, 14.0, 8.0, 1.0

    def _set_fonts(self) -> None:
        super()._set_fonts()
        self._mono = palette.mono_font(0.72)

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, round(self._line))

    def _sign_width(self, sign: str) -> float:
        return 22.0

    def _sign(self, painter: QPainter, colours: palette.Palette, sign: str, room: QRectF) -> None:
        middle = room.center()
        if sign in ("code point", "grapheme"):
            kind = CutKind.CODE_POINT if sign == "code point" else CutKind.GRAPHEME
            painter.setPen(cut_pen(colours, kind))
            painter.drawLine(QLineF(middle.x(), middle.y(), middle.x(), room.bottom()))
            cut_mark(painter, colours, kind, middle.x(), middle.y() + 3, 1.2)
        elif sign == "empty":
            pin(painter, colours.edge_of(0), colours.fill_of(0), middle.x(), middle.y() - 4)
        elif sign == "lost":
            box = room.adjusted(1, 3, -1, -3)
            painter.fillRect(box, colours.hatch_brush)
            painter.setPen(QPen(colours.hatch, 1, Qt.PenStyle.DotLine))
            painter.drawRect(box)
        elif sign == "changed":
            changed_strip(painter, colours, room.adjusted(0, 6, 0, -5))
        else:
            role, byte = {"lead": (ByteRole.LEAD2, 0xC3), "continuation": (ByteRole.CONTINUATION, 0xA9),
                          "invalid": (ByteRole.INVALID, 0xFF), "truncated": (ByteRole.TRUNCATED, 0xE2)}[sign]
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            inner = byte_cell(painter, colours, role, byte, room)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._mono)
            painter.setPen(colours.byte_style(role, byte).text)
            painter.drawText(inner, int(Qt.AlignmentFlag.AlignCenter), f"{byte:02X}")
