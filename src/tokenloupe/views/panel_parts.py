"""Small things that several panels need: ways to other panels, zoom, labels, copying, the menu of a button."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QSizePolicy, QWidget

from ..models.session import Session


def go_to(widget: QWidget, panel_id: str) -> None:
    """Show another panel of the window that a widget stands in; nothing when it stands alone (tests, pictures)."""
    docks = getattr(widget.window(), "docks", None)
    if docks is not None and panel_id in docks.ids:
        docks.show(panel_id)


def grow(zoom: float, *widgets: QWidget) -> None:
    """The text of widgets at a zoom of the application's font: of what is looked at, not of the buttons around it."""
    font = QFont(QApplication.font())
    font.setPointSizeF(QFontInfo(font).pointSizeF() * zoom)
    for widget in widgets:
        widget.setFont(font)


def show_text(widget: QWidget) -> None:
    """Show the text in the window that a widget stands in, with the focus; nothing when it stands alone."""
    show = getattr(widget.window(), "focus_text", None)
    if show is not None:
        show()


def popup(menu: QMenu, button: QWidget) -> None:
    """A menu beneath the button that asks for it."""
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))


def plain_label() -> QLabel:
    """An empty label of plain text, in as many lines as that needs."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def keep_width(label: QLabel, longest: str) -> None:
    """Room for the longest that a label will say, so that what stands beside it stays where it is."""
    label.setMinimumWidth(label.fontMetrics().horizontalAdvance(longest) + 2)


def copy_rows(session: Session, steps: Iterator[Any], count: int) -> None:
    """What the steps make of so many rows, to the clipboard."""
    def done(text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        session.message.emit(f"Copied {count:,} row{'s' if count != 1 else ''}")

    session.jobs.start("Copying", steps, done=done)


class Heading(QLabel):
    """One line in the font of a figure that ends in an ellipsis where there is no room for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("figure")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as p:
            text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
            self.style().drawItemText(p, self.rect(), int(Qt.AlignmentFlag.AlignVCenter), self.palette(),
                                      self.isEnabled(), text, self.foregroundRole())


def label_bar(p: QPainter, bar: QRectF, right: float, text: str, inside: QColor | None = None,
              outside: QColor | None = None) -> None:
    """A bar's label: inside it where it fits, else beside it, never across its edge. right: where the room ends.

    inside, outside: what is behind the text is painted over with these, where lines cross it.
    """
    needed = p.fontMetrics().horizontalAdvance(text) + 10
    beside = needed > bar.width() and bar.right() + needed <= right
    left = bar.right() + 3 if beside else bar.left()
    behind = outside if beside else inside
    if behind is not None:
        p.fillRect(QRectF(left + 3, bar.top() + 4, min(needed, right - left) - 4, bar.height() - 7), behind)
    p.drawText(QRectF(left + 5, bar.top(), right - left, bar.height()), Qt.AlignmentFlag.AlignVCenter, text)


def type_into(field: QLineEdit, text: str) -> None:
    """A key pressed in a table (PagedTable.typed) goes to a search box: a letter, "\\b", or "\\x1b" (selects all)."""
    field.setFocus(Qt.FocusReason.OtherFocusReason)
    if text == "\b":
        field.backspace()
    elif text == "\x1b":
        field.selectAll()
    else:
        field.insert(text)
