"""Legend: signs and what they mean, side by side, in more lines where it is narrow; subclasses draw the signs.

    class LaneLegend(Legend):
        ENTRIES = (("lead", "lead byte"), ...)
        def _sign(self, painter, colours, sign, room): ...
"""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from . import palette

#: Between a sign and its words.
SPACE = 6.0


class Legend(QWidget):
    """Lengths in pixels."""

    #: (sign, what it means)
    ENTRIES: ClassVar[tuple[tuple[str, str], ...]] = ()
    #: Free at the left and right of each line, and beneath the last one; between entries.
    LEFT, RIGHT, BENEATH, GAP = 0.0, 0.0, 0.0, 16.0
    #: A line is so much higher than its words, and a sign so far from the line's top.
    AIR, TOP = 7.0, 2.0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Legend")
        self.setAccessibleDescription("; ".join(f"{sign}: {words}" for sign, words in self.ENTRIES))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._set_fonts()

    def _set_fonts(self) -> None:
        self._small = palette.small_font(self.font(), 0.88)
        self._line = QFontMetricsF(self._small).height() + self.AIR

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._set_fonts()
            self.updateGeometry()
            self.update()

    def _places(self, width: float) -> tuple[list[QRectF], float]:
        """Where each entry stands, and the height of all."""
        metrics, x, y = QFontMetricsF(self._small), self.LEFT, 0.0
        out: list[QRectF] = []
        for sign, words in self.ENTRIES:
            need = self._sign_width(sign) + SPACE + metrics.horizontalAdvance(words) + self.GAP
            if x > self.LEFT and x + need - self.GAP + self.RIGHT > width:
                x, y = self.LEFT, y + self._line
            out.append(QRectF(x, y, need, self._line))
            x += need
        return out, y + self._line + self.BENEATH

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._places(float(width))[1])

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = palette.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for (sign, words), place in zip(self.ENTRIES, self._places(float(self.width()))[0], strict=True):
                room = QRectF(place.left(), place.top() + self.TOP, self._sign_width(sign),
                              place.height() - 2 * self.TOP - 1)
                self._sign(painter, colours, sign, room)
                painter.setFont(self._small)
                painter.setPen(colours.muted)
                painter.drawText(place.adjusted(room.width() + SPACE, 0, 0, 0),
                                 Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)

    def _sign_width(self, sign: str) -> float:
        raise NotImplementedError

    def _sign(self, painter: QPainter, colours: palette.Palette, sign: str, room: QRectF) -> None:
        raise NotImplementedError
