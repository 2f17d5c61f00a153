"""Beside the block matrix: the map of the whole tensor by one figure a block, and histograms."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from . import palette


class MatrixMap(QWidget):
    """Every block (or every so many-th) as one pixel, coloured by a figure; the frame is what the matrix shows.

    asked(float share): a place in the tensor, 0..1, was pointed at.
    """

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None
        self._figures = np.zeros((1, 1))
        self.frame = (0.0, 1.0)
        self.setAccessibleName("Map of the tensor")
        self.setMinimumHeight(80)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    def set_figures(self, figures: np.ndarray) -> None:
        """One number a cell, (rows, columns)."""
        self._figures, self._image = figures, None
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = palette.current()
        if self._image is None:
            good = self._figures[np.isfinite(self._figures)]
            top = float(np.abs(good).max()) if good.size else 1.0
            share = np.clip(np.nan_to_num(self._figures / (top or 1), nan=0), -1, 1)
            table = np.array([palette.level_colour(colours, v, -127, 127).rgb() for v in range(-127, 128)], np.uint32)
            pixels = table[np.clip(np.rint(share * 127) + 127, 0, 254).astype(int)]
            pixels[~np.isfinite(self._figures)] = colours.warning.rgb()
            pixels = np.ascontiguousarray(pixels)
            rows, columns = pixels.shape
            self._image = QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGB32).copy()
        with QPainter(self) as p:
            p.drawImage(QRectF(self.rect()), self._image, QRectF(self._image.rect()))
            p.setPen(QPen(colours.border))
            p.drawRect(self.rect().adjusted(0, 0, -1, -1))
            p.setPen(QPen(colours.text, 2))
            top, bottom = (int(f * self.height()) for f in self.frame)
            p.drawRect(QRect(1, min(top, self.height() - 4), self.width() - 2, max(3, bottom - top)))

    def changeEvent(self, event: QEvent) -> None:
        self._image = None
        super().changeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.asked.emit(max(0.0, min(1.0, event.position().y() / max(1, self.height()))))

    mouseMoveEvent = mousePressEvent


class Bars(QWidget):
    """A histogram: (label, count) pairs as bars, the first and last label beneath."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.pairs: list[tuple[str, int]] = []
        self._name = name
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(2 * QFontMetrics(palette.small_font(self.font())).height() + 44)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)

    def set_pairs(self, pairs: list[tuple[str, int]]) -> None:
        self.pairs = pairs
        self.setAccessibleDescription(", ".join(f"{label}: {count}" for label, count in pairs[:64]))
        self.setToolTip(self._name)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = palette.current()
        with QPainter(self) as p:
            p.setFont(palette.small_font(self.font()))
            p.setPen(c.muted)
            line = p.fontMetrics().height()
            p.drawText(QRect(0, 0, self.width(), line), Qt.AlignmentFlag.AlignLeft, self._name)
            if not self.pairs:
                return
            top = max(count for _, count in self.pairs) or 1
            width = self.width() / len(self.pairs)
            room = self.height() - 2 * line - 2
            for i, (_, count) in enumerate(self.pairs):
                height = max(1 if count else 0, round(count / top * room))
                p.fillRect(QRectF(i * width, line + room - height, max(1.0, width - 1), height), c.accent)
            base = QRect(0, self.height() - line, self.width(), line)
            p.drawText(base, Qt.AlignmentFlag.AlignLeft, self.pairs[0][0])
            p.drawText(base, Qt.AlignmentFlag.AlignRight, self.pairs[-1][0])
