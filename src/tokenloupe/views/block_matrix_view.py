"""MatrixView: a tensor from afar down to its numbered codes, to scroll, zoom and walk in.

The wheel scrolls, with Ctrl it zooms about the pointer; dragging pans; plus and minus zoom. One block is the current
one, framed: a click or Up and Down choose it, a double click or Enter opens it. What is painted is MatrixPainter's
matter, which blocks there are is the panel's (block_matrix.py).
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from ..tensors import blocks
from . import palette
from .block_matrix_headers import HEADER_FROM, WIDTH
from .block_matrix_paint import MatrixPainter

SMALLEST, LARGEST = 0.02, 60.0


class MatrixView(QAbstractScrollArea):
    """The matrix alone. moved(): another part is seen. picked(block), opened(block)."""

    moved = Signal()
    picked = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.painter = MatrixPainter(blocks.by_name("Q4_0"))
        self.scale, self.first, self.left = 20.0, 0.0, 0.0
        self.current = 0
        self._grab: tuple[QPoint, float, float] | None = None
        self._following = False
        self.setAccessibleName("Block matrix")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(200, 120)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.horizontalScrollBar().valueChanged.connect(self._scrolled)

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    def set_painter(self, painter: MatrixPainter) -> None:
        self.painter = painter
        painter.font = self.font()
        self.first = self.left = 0.0
        self._bars()
        self.viewport().update()

    @property
    def visible_rows(self) -> float:
        """Rows beneath the column headers."""
        return max(self.viewport().height() - self.painter.top(self.scale), 1) / self.scale

    @property
    def _rest(self) -> float:
        """Rows that can be above the viewport: one more than is there, to see the end."""
        return max(0.0, self.painter.rows - self.visible_rows + 1)

    def _bars(self) -> None:
        """Scroll bars count in steps of the whole: a tensor may have more rows than a Qt integer has values."""
        self._following = True
        rest = self._rest
        self.first = max(0.0, min(self.first, rest))
        steps = min(100_000, int(rest * 4))
        bar = self.verticalScrollBar()
        bar.setRange(0, steps)
        bar.setPageStep(max(1, int(steps * self.visible_rows / max(1.0, rest))) if steps else 1)
        bar.setSingleStep(max(1, bar.pageStep() // 20))
        bar.setValue(round(self.first / rest * steps) if rest else 0)
        rect = self.viewport().rect()
        wide = self.painter.header(self.scale) + self.painter.cell_width(rect, self.scale) * WIDTH
        self.left = max(0.0, min(self.left, wide - rect.width()))
        side = self.horizontalScrollBar()
        side.setRange(0, max(0, int(wide - rect.width())))
        side.setPageStep(rect.width())
        side.setValue(int(self.left))
        self._following = False

    def _scrolled(self, _value: int) -> None:
        if not self._following:
            bar = self.verticalScrollBar()
            self.first = bar.value() / bar.maximum() * self._rest if bar.maximum() else 0.0
            self.left = float(self.horizontalScrollBar().value())
            self._moved()

    def _moved(self) -> None:
        self.viewport().update()
        self.moved.emit()

    def _settle(self) -> None:
        """After first, left or scale were set: within what there is, and shown."""
        self._bars()
        self._moved()

    def show_block(self, block: int) -> None:
        """Bring a block into the middle of the view, with its numbers."""
        self.scale = max(self.scale, 20.0)
        self.first = self.painter.row_of(block) - self.visible_rows / 2
        self._settle()

    def set_current(self, block: int) -> None:
        """Frame a block and say it; scroll as little as it takes to see it, or to its middle from over a page away."""
        self.current = block
        row, rows = self.painter.row_of(block), self._rows_of_block
        if row < self.first - self.visible_rows or row > self.first + 2 * self.visible_rows:
            self.show_block(block)
        elif row < self.first or row + rows > self.first + self.visible_rows:
            self.first = float(row) if row < self.first else row + rows - self.visible_rows
            self._settle()
        levels, scales = self.painter.levels(row, 1)
        if len(levels):
            shown = " ".join("NaN" if v == -32768 else str(v) for v in levels[0].tolist())
            self.setAccessibleDescription(f"Block {block}, scale {float(scales[0]):.3g}, levels {shown}")
        self.viewport().update()

    @property
    def _rows_of_block(self) -> int:
        return max(1, self.painter.type.weights // WIDTH)

    def _step(self, by: int) -> None:
        """Choose the next block or the one before: of plain numbers, a row of them."""
        last = max(0, self.painter.block_of(max(0, self.painter.rows - 1)))
        self.picked.emit(max(0, min(last, self.current + by * max(1, WIDTH // self.painter.type.weights))))

    def zoom(self, factor: float, y: float | None = None) -> None:
        """About the height y of the viewport (its middle by default)."""
        y = self.viewport().height() / 2 if y is None else y
        at = self.first + (y - self.painter.top(self.scale)) / self.scale
        fit = self.viewport().height() / max(1, self.painter.rows)
        self.scale = max(min(SMALLEST, fit) if fit < SMALLEST else min(1.0, fit), min(LARGEST, self.scale * factor))
        self.first = at - (y - self.painter.top(self.scale)) / self.scale
        self._settle()

    def block_at(self, pos: QPoint) -> int:
        row = int(self.first + (pos.y() - self.painter.top(self.scale)) / self.scale)
        return self.painter.block_of(max(0, min(row, self.painter.rows - 1)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as p:
            self.painter.paint(p, self.viewport().rect(), self.first, self.left, self.scale)
            if self.scale >= HEADER_FROM and self.painter.rows:
                above = self.painter.top(self.scale)
                top = above + (self.painter.row_of(self.current) - self.first) * self.scale
                p.save()
                p.setClipRect(self.viewport().rect().adjusted(0, above, 0, 0))
                p.setPen(QPen(palette.current().focus, 2))
                p.drawRect(QRectF(1, top, self.viewport().width() - 2, self._rows_of_block * self.scale))
                p.restore()
            if self.hasFocus():
                p.setPen(QPen(palette.current().focus, 1))
                p.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.painter.font = self.font()
            self._bars()
            self.viewport().update()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bars()
        self.moved.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1.0015 ** event.angleDelta().y(), event.position().y())
        else:
            self.first -= event.angleDelta().y() / 120 * max(3 * 20 / self.scale, 3)
            self.left -= event.angleDelta().x()
            self._settle()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grab = (event.position().toPoint(), self.first, self.left)
        self.picked.emit(self.block_at(event.position().toPoint()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grab is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = event.position().toPoint() - self._grab[0]
            self.first, self.left = self._grab[1] - moved.y() / self.scale, self._grab[2] - moved.x()
            self._settle()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grab = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.opened.emit(self.block_at(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, page = event.key(), self.visible_rows
        steps = {Qt.Key.Key_Up: -1.0, Qt.Key.Key_Down: 1.0, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page,
                 Qt.Key.Key_Home: -1e18, Qt.Key.Key_End: 1e18}
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.scale >= HEADER_FROM:
            self._step(1 if key == Qt.Key.Key_Down else -1)
        elif key in steps:
            self.first += steps[Qt.Key(key)]
            self._settle()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.left += 40.0 if key == Qt.Key.Key_Right else -40.0
            self._settle()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            self.zoom(1 / 1.25 if key == Qt.Key.Key_Minus else 1.25)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.current)
        else:
            super().keyPressEvent(event)
