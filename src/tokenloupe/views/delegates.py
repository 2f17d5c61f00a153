"""Painting a row of the token table: the token's colour and its pattern, the text of a cell, the row under the pointer.

One delegate paints all columns from the model's page, so a frame asks the model for a few pages and not for a thousand
cells. Nothing here is rich text: a token `<s>` is five letters.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ..models import token_rows as rows
from . import palette

PADDING = 7
#: Words for the kinds in the table, by core.vocabulary.TokenKind.
KIND_WORDS = ("", "special", "added", "byte", "unknown", "unused")


Index = QModelIndex | QPersistentModelIndex


class TokenDelegate(QStyledItemDelegate):
    """hovered: (first, last) rows under the pointer, here or in another view; set by the table."""

    def __init__(self, model: rows.TokenRows, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered = (-1, -1)
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        self.mono = palette.mono_font(zoom, palette.MONO_SIZE - 1)
        self.small = QFont(self.mono)
        self.small.setPointSizeF(self.mono.pointSizeF() * 0.9)
        self._metrics = QFontMetricsF(self.mono)
        self._small_metrics = QFontMetricsF(self.small)
        # Room for scripts that are taller than Latin; every row has the same height, or two million would be measured.
        self.row_height = round(max(self._metrics.height() * 1.55, 22))

    def width_of(self, text: str) -> int:
        return round(self._metrics.horizontalAdvance(text)) + 2 * PADDING

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, self.row_height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, column = index.row(), index.column()
        page = self._model.page(row)
        i = row - page.first
        if i >= len(page.ids):
            return
        colours = palette.current()
        area = QRectF(option.rect)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(area, colours.selection)
        elif self.hovered[0] <= row <= self.hovered[1]:
            painter.fillRect(area, colours.hover)
        strong = colours.selection_text if selected else colours.text
        quiet = colours.selection_text if selected else colours.muted
        inner = area.adjusted(PADDING, 0, -PADDING, 0)
        if column == rows.INDEX:
            self._text(painter, inner, str(row), quiet, self.small, right=True)
            if bool(option.state & QStyle.StateFlag.State_HasFocus) or self._is_current(option, row):
                painter.fillRect(QRectF(area.left(), area.top(), 3, area.height()), colours.focus)
        elif column == rows.ID:
            self._text(painter, inner, page.ids[i], strong, self.mono, right=True)
        elif column == rows.TEXT:
            self._chip(painter, inner, row, page.texts[i], page.kinds[i], colours)
        elif column == rows.BYTES:
            self._text(painter, inner, self._whole_bytes(page.hexes[i], inner.width()), quiet, self.small)
        elif column == rows.SPAN:
            self._text(painter, inner, rows.span_text(*page.spans[i]), quiet, self.small, right=True)
        else:
            kind = page.kinds[i]
            ink = quiet if selected or kind == 0 else colours.special
            self._text(painter, inner, KIND_WORDS[kind] if kind < len(KIND_WORDS) else "", ink, self.small)
        painter.setPen(colours.grid)
        painter.drawLine(area.bottomLeft(), area.bottomRight())

    def _whole_bytes(self, text: str, width: float) -> str:
        """As many bytes as there is room for: "57 68 …" and never half a byte."""
        if self._small_metrics.horizontalAdvance(text) <= width:
            return text
        room = int((width - self._small_metrics.horizontalAdvance("…")) / self._small_metrics.horizontalAdvance("00 "))
        return text[: 3 * max(room, 0)] + "…"

    def _is_current(self, option: QStyleOptionViewItem, row: int) -> bool:
        view = option.widget
        return view is not None and hasattr(view, "currentIndex") and view.currentIndex().row() == row

    def _text(self, painter: QPainter, area: QRectF, text: str, ink: QColor, font: QFont, right: bool = False) -> None:
        metrics = self._metrics if font is self.mono else self._small_metrics
        if metrics.horizontalAdvance(text) > area.width():
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            right = False
        painter.setFont(font)
        painter.setPen(ink)
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text)

    def _chip(self, painter: QPainter, area: QRectF, row: int, text: str, kind: int, colours: palette.Palette) -> None:
        """The token as it looks in the editor: its fill, and beneath it the line whose pattern says the same."""
        metrics = self._metrics
        if metrics.horizontalAdvance(text) > area.width() - 10:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width() - 10)
        height = min(metrics.height() + 4, area.height() - 4)
        width = max(metrics.horizontalAdvance(text), 4) + 10
        chip = QRectF(area.left(), area.center().y() - height / 2 + 0.5, width, height)
        painter.save()
        painter.setClipRect(area.adjusted(-2, 0, 2, 0))
        painter.fillRect(chip, colours.fill_of(row))
        painter.setPen(colours.token_pen(row))
        painter.drawLine(QPointF(chip.left(), chip.bottom()), QPointF(chip.right(), chip.bottom()))
        if kind in (1, 2):
            painter.setPen(QPen(colours.special, 1.2))
            painter.drawRect(chip.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.setFont(self.mono)
        painter.setPen(colours.token_text)
        centred = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        painter.drawText(chip.adjusted(5, 0, 0, 0), centred, text)
        painter.restore()
