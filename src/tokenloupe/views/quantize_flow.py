"""A row of controls that wraps where a window is narrow, so that a panel is right from 320 pixels on."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """Items from left to right, in as many lines as they need."""

    def __init__(self, parent: QWidget | None = None, gap: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, move: bool) -> int:
        x, y, tallest = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            width = min(size.width(), rect.width())
            if x + width > rect.x() + rect.width() and x > rect.x():
                x, y, tallest = rect.x(), y + tallest + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), QSize(width, size.height())))
            x += width + self._gap
            tallest = max(tallest, size.height())
        return y + tallest - rect.y()


def go_to(widget: QWidget, panel_id: str) -> None:
    """Show another panel of the window that a widget stands in; nothing when it stands alone (tests, pictures)."""
    docks = getattr(widget.window(), "docks", None)
    if docks is not None and panel_id in docks.ids:
        docks.show(panel_id)


def label_bar(p: QPainter, bar: QRectF, right: float, text: str) -> None:
    """A bar's label: inside it where it fits, else beside it, never across its edge. right: where the room ends."""
    needed = p.fontMetrics().horizontalAdvance(text) + 10
    beside = needed > bar.width() and bar.right() + needed <= right
    left = bar.right() + 1 if beside else bar.left()
    p.drawText(QRectF(left + 5, bar.top(), right - left, bar.height()), Qt.AlignmentFlag.AlignVCenter, text)
