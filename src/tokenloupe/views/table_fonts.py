"""The two monospaced fonts of a table that paints its rows itself: their measures at one zoom, and how texts are cut.

    fonts = TableFonts()
    fonts.set_zoom(1.5); fonts.row_height
    painter.setFont(fonts.small)
    fonts.draw_right(painter, left, width, fonts.small_base(top), "50,257")

What is in monospaced ASCII is as wide as it has characters: nothing of it is measured.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from . import palette


class TableFonts:
    """mono, small: the fonts. char: width of a character of `mono`. row_height: of every row."""

    def __init__(self) -> None:
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        self.mono = palette.mono_font(zoom, palette.MONO_SIZE - 1)
        self.small = QFont(self.mono)
        self.small.setPointSizeF(self.mono.pointSizeF() * 0.9)
        self._metrics, self._small_metrics = QFontMetricsF(self.mono), QFontMetricsF(self.small)
        self.char, self._small_char = self._metrics.horizontalAdvance("0"), self._small_metrics.horizontalAdvance("0")
        # Room for scripts that are taller than Latin; every row has the same height, or two million would be measured.
        self.row_height = round(max(self._metrics.height() * 1.55, 22))

    def centred(self, top: float, metrics: QFontMetricsF) -> float:
        """The base line of a text in the middle of the row that begins at `top`."""
        return top + (self.row_height + metrics.ascent() - metrics.descent()) / 2

    def mono_base(self, top: float) -> float:
        return self.centred(top, self._metrics)

    def small_base(self, top: float) -> float:
        return self.centred(top, self._small_metrics)

    def draw_right(self, painter: QPainter, left: float, width: float, base: float, text: str) -> None:
        """Digits in the small font against the right edge, cut at the right where there is no room."""
        text = self.cut(text, width)
        painter.drawText(QPointF(left + width - self._small_char * len(text), base), text)

    def cut(self, text: str, width: float) -> str:
        """As many characters of the small font as there is room for."""
        room = int(width / self._small_char)
        return text if len(text) <= room else text[: max(room - 1, 0)] + "…"

    def whole_bytes(self, text: str, width: float) -> str:
        """As many bytes as there is room for: "57 68 …" and never half a byte."""
        if self._small_char * len(text) <= width:
            return text
        return text[: 3 * max(int((width / self._small_char - 1) / 3), 0)] + "…"
