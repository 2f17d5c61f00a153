"""Short texts for cells: laid out once and kept, cut to a width, nothing where not enough of them would be left.

    texts = Texts(plain, small)
    texts.draw(painter, rect, "U+00E9", SMALL)          # in the middle; not at all where it does not fit

Finding a font for a character costs more than painting a screen of cells, so what was drawn once is kept by its text.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QStaticText

from ..models.readable import readable

PLAIN, SMALL = 0, 1
_MOST = 8192


class Texts:
    """For two fonts, plain and small."""

    def __init__(self, plain: QFont, small: QFont) -> None:
        self.fonts = (plain, small)
        self._metrics = (QFontMetricsF(plain), QFontMetricsF(small))
        self._letters = tuple(m.horizontalAdvance("0" * 64) / 64 for m in self._metrics)
        self._laid: dict[tuple[str, int], tuple[QStaticText, QSizeF]] = {}
        self._cut: dict[tuple[str, int, int], str] = {}

    def laid(self, text: str, font: int) -> tuple[QStaticText, QSizeF]:
        found = self._laid.get((text, font))
        if found is None:
            if len(self._laid) >= _MOST:
                self._laid.clear()
            drawing = QStaticText(text)
            drawing.setTextFormat(Qt.TextFormat.PlainText)
            drawing.prepare(font=self.fonts[font])
            found = self._laid[text, font] = drawing, drawing.size()
        return found

    def width(self, text: str, font: int) -> float:
        return len(text) * self._letters[font] if text.isascii() else self.laid(text, font)[1].width()

    def draw(self, painter: QPainter, area: QRectF, text: str, font: int, *, left: bool = False,
             over: float = 0.0) -> bool:
        """In the middle of an area, or at its left; False and nothing where it does not fit. over: pixels by which it
        may stick out."""
        if not text or self.width(text, font) > area.width() + over:
            return False
        drawing, size = self.laid(text, font)
        if size.width() > area.width() + over:
            return False
        x = area.left() if left else area.left() + (area.width() - size.width()) / 2
        painter.setFont(self.fonts[font])
        painter.drawStaticText(QPointF(x, area.top() + (area.height() - size.height()) / 2), drawing)
        return True

    def fitting(self, text: str, width: float, font: int, least: int = 3) -> str:
        """The text, or its beginning and an ellipsis; "" where less than `least` characters of a longer one fit."""
        if self.width(text[:512], font) <= width and len(text) <= 512:
            return text
        letters = int(width / self._letters[font])
        if letters <= least:
            return ""
        if text.isascii():
            return text[: letters - 1] + "…"
        key = (text, font, int(width))
        if key not in self._cut:
            if len(self._cut) >= _MOST:
                self._cut.clear()
            self._cut[key] = self._metrics[font].elidedText(text[:512], Qt.TextElideMode.ElideRight, int(width))
        return self._cut[key]


@lru_cache(8192)
def cluster_text(data: bytes) -> str:
    """A cluster as its cell shows it: itself where that can be seen, else a sign or its number."""
    text = data.decode("utf-8", "replace")
    if len(text) == 1 or not any(c.isprintable() and not c.isspace() for c in text):
        return readable(data, 8)
    if unicodedata.category(text[0]).startswith("M"):
        return "\u25cc" + text[:32]
    return text[:32]  # what goes on is combining marks without end
