"""The tree of merges that builds a token, drawn: the token on top, under each box the two that were joined to make it.

    tree = LineageTree()
    tree.set_boxes(boxes_of(lineage.built(995)), ranks=True)
    tree.opened.connect(desk.choose)        # Enter or a double click on a part: that one is looked at

Arrow keys go from box to box. A screen reader hears what the current box is.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ..models.lineage_tree import Box, moves
from . import palette

PADDING, GAP, MARGIN = 7, 3, 10
_KEYS = {Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Left: "left", Qt.Key.Key_Right: "right"}


class LineageTree(QWidget):
    """current: number of the box with the mark. opened(id), moved(rectangle of the current box, to be scrolled to)."""

    opened = Signal(object)
    moved = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: list[Box] = []
        self.ranks = True
        self.current, self.hovered = 0, -1
        self._edges: list[float] = [0.0]
        self.setAccessibleName("How the token is built")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        self._mono = palette.mono_font(zoom, palette.MONO_SIZE)
        self._small = QFont(self._mono)
        self._small.setPointSizeF(self._mono.pointSizeF() * 0.78)
        self._metrics, self._small_metrics = QFontMetricsF(self._mono), QFontMetricsF(self._small)
        self._row = round(self._metrics.height() + self._small_metrics.height() + 10)
        self._measure()

    def set_boxes(self, boxes: list[Box], ranks: bool) -> None:
        """ranks: whether a merge's rank says more than the id of what it makes."""
        self.boxes, self.ranks = boxes, ranks
        self.current, self.hovered = 0, -1
        self._measure()
        self._say()

    # Where the boxes are

    def _measure(self) -> None:
        """Columns as wide as the symbols in them, and wider where a box above them needs it."""
        count = self.boxes[0].last if self.boxes else 0
        widths = [0.0] * count
        for box in sorted(self.boxes, key=lambda b: b.last - b.first):
            span = range(box.first, box.last)
            missing = self._needed(box) - sum(widths[c] for c in span)
            if missing > 0:
                for c in span:
                    widths[c] += missing / len(span)
        self._edges = [0.0]
        for width in widths:
            self._edges.append(self._edges[-1] + width)
        self.setMinimumSize(self.sizeHint())
        self.updateGeometry()
        self.update()

    def _needed(self, box: Box) -> float:
        text = self._metrics.horizontalAdvance(box.text)
        note = self._small_metrics.horizontalAdvance(self._note(box))
        return max(min(text, self._metrics.horizontalAdvance("0") * 40), note) + 2 * PADDING + GAP

    def _note(self, box: Box) -> str:
        return f"{box.id} · rank {box.rank:,}" if self.ranks and box.rank >= 0 else str(box.id)

    def sizeHint(self) -> QSize:
        deepest = max((b.depth for b in self.boxes), default=0)
        return QSize(round(self._edges[-1]) + 2 * MARGIN, (deepest + 1) * (self._row + GAP) + 2 * MARGIN)

    def place(self, box: Box) -> QRectF:
        """Where a box is drawn."""
        left = MARGIN + self._edges[box.first]
        width = self._edges[box.last] - self._edges[box.first] - GAP
        return QRectF(left, MARGIN + box.depth * (self._row + GAP), width, self._row)

    def box_at(self, point: QPointF) -> int:
        """Number of the box under a point, -1 for none."""
        return next((b.number for b in self.boxes if self.place(b).contains(point)), -1)

    # Moving

    def go(self, number: int) -> None:
        """Make a box the current one."""
        if 0 <= number < len(self.boxes) and number != self.current:
            self.current = number
            self.update()
            self._say()
            self.moved.emit(self.place(self.boxes[number]).toAlignedRect())

    def describe(self, box: Box) -> str:
        """A box in words."""
        made = " + ".join(self.boxes[c].text for c in box.children)
        how = f", made of {made}" if made else ", a symbol that no merge makes"
        rank = f", rank {box.rank:,}" if box.rank >= 0 else ""
        return f"{box.text}, id {box.id}{rank}, bytes {box.bytes[:64].hex(' ')}{how}"

    def _say(self) -> None:
        self.setAccessibleDescription(self.describe(self.boxes[self.current]) if self.boxes else "")
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        where = _KEYS.get(Qt.Key(event.key()))
        if self.boxes and where is not None and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.go(moves(self.boxes, self.current).get(where, self.current))
        elif self.boxes and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.boxes[self.current].id)
        elif event.key() == Qt.Key.Key_Home:
            self.go(0)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.go(self.box_at(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self.box_at(event.position())
        if number >= 0:
            self.opened.emit(self.boxes[number].id)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self.box_at(event.position())
        if number != self.hovered:
            self.hovered = number
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered = -1
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            number = self.box_at(QPointF(event.pos()))
            if number >= 0:
                text = self.describe(self.boxes[number]).replace("&", "&amp;").replace("<", "&lt;")
                QToolTip.showText(event.globalPos(), f"<p>{text}</p>", self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, area = palette.current(), QRectF(event.rect())
        with QPainter(self) as painter:
            painter.fillRect(area, colours.base)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for box in self.boxes:
                place = self.place(box)
                if place.intersects(area):
                    self._paint_box(painter, box, place, colours)

    def _paint_box(self, painter: QPainter, box: Box, place: QRectF, colours: palette.Palette) -> None:
        chosen = box.number == self.current
        if chosen:
            fill, ink, quiet = colours.selection, colours.selection_text, colours.selection_text
        elif box.number == self.hovered:
            fill, ink, quiet = colours.hover, colours.text, colours.muted
        else:
            # The colour of its depth, so that each level of merges reads as one; symbols lie flat.
            fill = colours.window if not box.children else colours.fill_of(box.depth)
            ink = colours.text if not box.children else colours.token_text
            quiet = colours.muted if not box.children else colours.token_text
        painter.setPen(QPen(colours.border if not box.children else colours.edge_of(box.depth), 1.0))
        if chosen and self.hasFocus():
            painter.setPen(QPen(colours.focus, 2.0))
        painter.setBrush(fill)
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        inner = place.adjusted(PADDING, 4, -PADDING, -4)
        seen = QRectF(self.visibleRegion().boundingRect())
        left, right = max(inner.left(), seen.left() + PADDING), min(inner.right(), seen.right() - PADDING)
        needed = max(self._metrics.horizontalAdvance(box.text), self._small_metrics.horizontalAdvance(self._note(box)))
        if right - left < needed < inner.width():  # too little of it is in sight: the text stays within the box
            left, right = ((left, left + needed) if left > inner.left() + needed / 2 and left + needed <= inner.right()
                           else (max(right - needed, inner.left()), right) if right < inner.right()
                           else (inner.right() - needed, inner.right()))
        inner.setLeft(left)
        inner.setRight(right)
        painter.setPen(ink)
        painter.setFont(self._mono)
        text = self._metrics.elidedText(box.text, Qt.TextElideMode.ElideRight, inner.width() + 1)
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), text)
        painter.setPen(quiet)
        painter.setFont(self._small)
        note = self._small_metrics.elidedText(self._note(box), Qt.TextElideMode.ElideRight, inner.width() + 1)
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom), note)
