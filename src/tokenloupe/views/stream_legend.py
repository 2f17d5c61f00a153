"""StreamLegend: one line that says what the signs in the lanes mean, drawn as the lanes draw them."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen

from ..core.utf8 import ByteRole
from . import palette
from .legend import Legend


class StreamLegend(Legend):
    """Signs are drawn by _sign()."""

    ENTRIES = (
        ("held", "bytes held back"),
        ("stop", "text held for a stop string"),
        ("new", "new in this step"),
        ("cut", "put in by this way of decoding"),
        ("invalid", "bytes that are no character"),
        ("genuine", "in the text itself"),
    )
    RIGHT, GAP, AIR, TOP = 16.0, 16.0, 7.0, 2.0

    def _set_fonts(self) -> None:
        super()._set_fonts()
        self._mono = palette.mono_beside(self.font(), 0.8)

    def sizeHint(self) -> QSize:
        return QSize(600, self.heightForWidth(600))

    def _sign_width(self, sign: str) -> float:
        return {"held": 24.0, "stop": 24.0}.get(sign, 16.0)

    def _sign(self, painter: QPainter, colours: palette.Palette, sign: str, room: QRectF) -> None:
        centre = Qt.AlignmentFlag.AlignCenter
        painter.setFont(self._mono)
        if sign == "held":
            style = colours.byte_style(ByteRole.TRUNCATED)
            painter.setBrush(style.fill)
            painter.setPen(QPen(colours.muted, 1.2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(room, 3, 3)
            painter.setPen(style.text)
            painter.drawText(room, centre, "E2")
        elif sign == "stop":
            painter.setBrush(colours.base)
            painter.setPen(QPen(colours.special, 1.2, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(room, 4, 4)
            painter.setPen(colours.special)
            painter.drawText(room, centre, "##")
        else:
            tones = {"cut": colours.error, "invalid": colours.warning, "genuine": colours.muted}
            tone = tones.get(sign, colours.accent)
            fill = {"cut": colours.error_fill, "invalid": colours.warning_fill, "new": colours.hover}.get(sign)
            if fill is not None:
                painter.fillRect(room, fill)
            painter.setPen(colours.text if sign in ("new", "genuine") else tone)
            painter.drawText(room, centre, "a" if sign == "new" else "\ufffd")
            styles = {"invalid": Qt.PenStyle.DashLine, "genuine": Qt.PenStyle.DotLine}
            painter.setPen(QPen(tone, 1.5, styles.get(sign, Qt.PenStyle.SolidLine)))
            if sign == "cut":
                steps = [room.left() + k * 3 for k in range(int(room.width() // 3) + 1)]
                points = [(x, room.bottom() - (k % 2) * 2) for k, x in enumerate(steps)]
                for (x1, y1), (x2, y2) in pairwise(points):
                    painter.drawLine(int(x1), int(y1), int(x2), int(y2))
            else:
                painter.drawLine(int(room.left()), int(room.bottom()), int(room.right()), int(room.bottom()))
