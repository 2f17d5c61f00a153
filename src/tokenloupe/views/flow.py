"""FlowLayout: widgets in a row that goes on in the next line when the width is used up."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Left to right, or right to left where the language does; each line is as high as its highest widget."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

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
        return self._arrange(QRect(0, 0, width, 0), place=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, place=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _arrange(self, rect: QRect, place: bool) -> int:
        """Put the items into the rectangle's width; returns the height that they need."""
        margins = self.contentsMargins()
        area = rect.adjusted(margins.left(), margins.top(), -margins.right(), -margins.bottom())
        x, y, line = area.left(), area.top(), 0
        row: list[tuple[QLayoutItem, QPoint, QSize]] = []

        def end_row() -> None:
            for item, corner, size in row:
                shifted = QRect(corner + QPoint(0, (line - size.height()) // 2), size)
                if place:
                    item.setGeometry(_mirrored(shifted, area, self.parentWidget()))
            row.clear()

        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(area.width(), item.minimumSize().width()), 10_000))
            if row and x + size.width() > area.right() + 1:
                end_row()
                x, y, line = area.left(), y + line + self.spacing(), 0
            row.append((item, QPoint(x, y), size))
            x += size.width() + self.spacing()
            line = max(line, size.height())
        end_row()
        return y + line - rect.top() + margins.bottom()


def _mirrored(rect: QRect, area: QRect, widget: QWidget | None) -> QRect:
    if widget is None or widget.layoutDirection() == Qt.LayoutDirection.LeftToRight:
        return rect
    moved = QRect(rect)
    moved.moveLeft(area.right() - (rect.right() - area.left()))
    return moved
