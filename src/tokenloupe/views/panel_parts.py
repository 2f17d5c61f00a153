"""Small things that several panels need: going to another panel, and the label of a bar."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget


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
