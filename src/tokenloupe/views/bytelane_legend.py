"""LaneLegend: what the signs in the byte lane mean, drawn as the lane draws them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..core.bytelane import CutKind
from ..core.utf8 import ByteRole
from . import palette
from .bytelane_paint import byte_cell, changed_strip, cut_mark, cut_pen, pin

#: (sign, what it means); the signs are drawn by _sign().
ENTRIES = (
    ("code point", "cuts a code point"), ("grapheme", "cuts a grapheme"), ("lead", "lead byte"),
    ("continuation", "continuation"), ("invalid", "invalid"), ("truncated", "cut short"),
    ("empty", "token of no byte"), ("lost", "no token"), ("changed", "comes back changed"),
)


class LaneLegend(QWidget):
    """Wraps into more lines where it is narrow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Legend")
        self.setAccessibleDescription("; ".join(f"{sign}: {words}" for sign, words in ENTRIES))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._set_fonts()

    def _set_fonts(self) -> None:
        self._small = palette.small_font(self.font(), 0.88)
        self._mono = palette.mono_font(0.72)
        self._line = QFontMetricsF(self._small).height() + 8

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._set_fonts()
            self.updateGeometry()
            self.update()

    def _places(self, width: float) -> tuple[list[QRectF], float]:
        """Where each entry stands, and the height of all."""
        metrics, x, y = QFontMetricsF(self._small), 8.0, 0.0
        out: list[QRectF] = []
        for _, words in ENTRIES:
            need = 28 + metrics.horizontalAdvance(words) + 14
            if x > 8 and x + need - 14 > width:
                x, y = 8.0, y + self._line
            out.append(QRectF(x, y, need, self._line))
            x += need
        return out, y + self._line + 2

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._places(float(width))[1])

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, round(self._line))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = palette.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for (sign, words), place in zip(ENTRIES, self._places(float(self.width()))[0], strict=True):
                self._sign(painter, colours, sign, QRectF(place.left(), place.top() + 1, 22, place.height() - 3))
                painter.setFont(self._small)
                painter.setPen(colours.muted)
                painter.drawText(place.adjusted(28, 0, 0, 0),
                                 int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)

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
