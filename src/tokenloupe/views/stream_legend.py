"""StreamLegend: one line that says what the signs in the lanes mean, drawn as the lanes draw them."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..core.utf8 import ByteRole
from . import palette

#: (sign, what it means); the signs are drawn by _sign().
ENTRIES = (
    ("held", "bytes held back"),
    ("stop", "text held for a stop string"),
    ("new", "new in this step"),
    ("cut", "put in by this way of decoding"),
    ("invalid", "bytes that are no character"),
    ("genuine", "in the text itself"),
)


class StreamLegend(QWidget):
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
        self._mono = palette.mono_beside(self.font(), 0.8)
        self._line = QFontMetricsF(self._small).height() + 7

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._set_fonts()
            self.updateGeometry()
            self.update()
        super().changeEvent(event)

    def _places(self, width: float) -> tuple[list[QRectF], float]:
        """Where each entry stands, and the height of all."""
        metrics, x, y = QFontMetricsF(self._small), 0.0, 0.0
        out: list[QRectF] = []
        for sign, words in ENTRIES:
            need = self._sign_width(sign) + 6 + metrics.horizontalAdvance(words) + 16
            if x and x + need > width:
                x, y = 0.0, y + self._line
            out.append(QRectF(x, y, need, self._line))
            x += need
        return out, y + self._line

    def _sign_width(self, sign: str) -> float:
        return {"held": 24.0, "stop": 24.0}.get(sign, 16.0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._places(float(width))[1])

    def sizeHint(self) -> QSize:
        return QSize(600, self.heightForWidth(600))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = palette.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for (sign, words), place in zip(ENTRIES, self._places(float(self.width()))[0], strict=True):
                room = QRectF(place.left(), place.top() + 2, self._sign_width(sign), place.height() - 5)
                self._sign(painter, colours, sign, room)
                painter.setFont(self._small)
                painter.setPen(colours.muted)
                painter.drawText(place.adjusted(room.width() + 6, 0, 0, 0),
                                 Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)

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
