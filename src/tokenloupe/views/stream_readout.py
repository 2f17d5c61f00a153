"""Readout: a text of a fixed number of lines that changes often. Unlike a label it never asks for a new layout."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from . import palette


class Readout(QWidget):
    """lines: its height; text that needs more is elided. widest: a text whose width is kept free, or "" to expand."""

    def __init__(self, lines: int = 1, widest: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines, self._widest, self._text = lines, widest, ""
        horizontal = QSizePolicy.Policy.Fixed if widest else QSizePolicy.Policy.Expanding
        self.setSizePolicy(horizontal, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.setAccessibleDescription(text)
            self.update()

    def set_lines(self, lines: int) -> None:
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()

    def set_widest(self, text: str) -> None:
        if text != self._widest:
            self._widest = text
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = metrics.horizontalAdvance(self._widest) + 4 if self._widest else 200
        return QSize(round(width), round(metrics.lineSpacing() * self._lines + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width() if self._widest else 40, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self.updateGeometry()
            self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = palette.current()
        metrics = QFontMetricsF(self.font())
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colours.window)
            painter.setPen(colours.text)
            if self._lines == 1:
                text = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
                return
            layout = QTextLayout(self._text, self.font())
            option = QTextOption()
            option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
            layout.setTextOption(option)
            layout.beginLayout()
            for k in range(self._lines):
                line = layout.createLine()
                if not line.isValid():
                    break
                line.setLineWidth(self.width())
                if k == self._lines - 1 and line.textStart() + line.textLength() < len(self._text):
                    rest = metrics.elidedText(self._text[line.textStart() :], Qt.TextElideMode.ElideRight, self.width())
                    painter.drawText(QPointF(0, k * metrics.lineSpacing() + metrics.ascent()), rest)
                else:
                    line.draw(painter, QPointF(0, k * metrics.lineSpacing()))
            layout.endLayout()
