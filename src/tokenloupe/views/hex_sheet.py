"""The hex view itself: offset, hex and text columns with a caret, under mouse and keys.

    sheet = HexSheet(HexModel(session))
    sheet.column = "text"           # where typing goes; Enter changes it, a click too

What keys and mouse do is hex_input's; what is painted, hex_paint's. The caret's place is told in words (`describe`), to
screen readers with its token's id and bytes.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QWidget

from ..core.hexsource import HexWindow, look
from ..core.utf8 import ByteRole
from ..core.wording import count_of
from ..models.hex_model import HexModel
from . import palette
from .delegates import quiet_text
from .hex_cells import Cells, Fonts
from .hex_geometry import Column, Geometry
from .hex_input import HexInput
from .hex_paint import HexPainter

#: A scroll bar counts in 32-bit integers: beyond this many rows it counts several at once.
MOST_STEPS = 1 << 30
NOTHING = "No bytes yet.\nType here or in the text, or open a file."


class HexSheet(HexInput):
    """Where the bytes lie in the viewport, and their painting."""

    def __init__(self, model: HexModel, parent: QWidget | None = None) -> None:
        super().__init__(model, parent)
        self._zoom = 1.0
        self._cells: Cells | None = None
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.rows_wanted = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Hex view")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._more = QTimer(self)
        self._more.setSingleShot(True)
        self._more.setInterval(0)
        self._more.timeout.connect(self._paint_more)
        self._patient = True
        model.changed.connect(self._renew)
        model.source_changed.connect(self._other_source)
        model.moved.connect(self._moved)
        model.hovered.connect(self.viewport().update)
        self._renew()

    # Geometry

    def set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self._renew()

    def set_row(self, count: int) -> None:
        """Bytes a row; 0: the most that fit."""
        self.rows_wanted = count
        self._renew()
        self.show_caret()

    @property
    def _head(self) -> float:
        """Height of the column heads."""
        return self.geometry_.line

    @property
    def rows(self) -> int:
        """Rows there are, the one the caret can stand in behind the last byte included."""
        return len(self.model) // self.geometry_.row + 1

    @property
    def whole_rows(self) -> int:
        """Rows that are seen whole at once, at least 1."""
        return max(int((self.viewport().height() - self._head) // self.geometry_.line), 1)

    @property
    def first_row(self) -> int:
        return self.verticalScrollBar().value() * self._step

    def window_in_sight(self) -> HexWindow:
        row = self.geometry_.row
        start = self.first_row * row
        return look(self.model.source, start, min(start + (self.whole_rows + 1) * row, len(self.model)))

    def _renew(self) -> None:
        """Bytes, size or zoom changed: fit rows and scroll bars, keep the first byte in sight."""
        font = palette.mono_font(self._zoom, palette.MONO_SIZE - 1)
        first_byte = self.first_row * self.geometry_.row if hasattr(self, "geometry_") else 0
        self.geometry_ = Geometry.of(font, len(self.model), self.viewport().width(), self.rows_wanted)
        self.fonts = Fonts.of(font, self.geometry_)
        if self._cells is None or self._cells.g != self.geometry_ or self._cells.fonts != self.fonts:
            self._cells = Cells(self.geometry_, self.fonts, self._head)
        self.model.row, self.model.page = self.geometry_.row, self.whole_rows
        self._step = self.rows // MOST_STEPS + 1
        bar = self.verticalScrollBar()
        bar.setPageStep(max(self.whole_rows // self._step, 1))
        bar.setRange(0, max(self.rows - self.whole_rows, 0) // self._step)
        bar.setValue(first_byte // self.geometry_.row // self._step)
        across = self.horizontalScrollBar()
        across.setPageStep(self.viewport().width())
        across.setRange(0, max(int(self.geometry_.width) - self.viewport().width(), 0))
        self.viewport().update()

    def _other_source(self) -> None:
        self.verticalScrollBar().setValue(0)
        self._renew()

    def show_caret(self) -> None:
        """Scroll no more than needed; a caret far away comes to the middle."""
        row, first, seen = self.model.caret // self.geometry_.row, self.first_row, self.whole_rows
        if first <= row < first + seen:
            return
        near = first - seen <= row < first + 2 * seen
        want = (row if row < first else row - seen + 1) if near else row - seen // 2
        self.verticalScrollBar().setValue(max(want + self._step - 1, 0) // self._step)

    def _moved(self) -> None:
        self.show_caret()
        self.viewport().update()
        if QAccessible.isActive() and self.hasFocus():
            said = self.describe(words=True)
            self.setAccessibleDescription(said)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    def describe(self, words: bool = False) -> str:
        """The place of the caret in words, for the line beneath; words: and of its token, for screen readers."""
        model, at = self.model, self.model.caret
        start, end = model.selection
        parts = [f"Byte {at:,} ({at:#x})"]
        if start < end:
            parts = [f"{count_of(end - start, 'byte')} selected, {start:#x} to {end - 1:#x}"]
        here = look(model.source, at, at + 1)
        if here.data:
            parts.append(f"{here.data[0]:02x}, {ByteRole(int(here.roles[0])).word}")
            if here.characters:
                first, last, text = here.characters[0]
                shown = f" {text}" if text.isprintable() and not text.isspace() else ""
                place = f", byte {at - first + 1} of {last - first}" if last - first > 1 else ""
                parts.append(f"U+{ord(text):04X}{shown}{place}")
            owner = int(model.owners(at, at + 1)[0])
            if owner >= 0:
                parts.append(model.token_words(at) if words else f"token {owner:,}")
        return "   ".join(parts)

    def byte_at(self, point: QPoint) -> tuple[Column, int, bool]:
        """(column, byte nearest to a point, does the point lie on a byte?)"""
        g = self.geometry_
        row = self.first_row + int((point.y() - self._head) // g.line)
        x = point.x() + self.horizontalScrollBar().value()
        column, place = g.hit(x)
        byte = max(row, 0) * g.row + place
        if row < 0:
            byte = 0 if self.first_row == 0 else max(self.first_row - 1, 0) * g.row + place
        left, right = (g.hex_x(0), g.hex_x(g.row)) if column == "hex" else (g.text_x(0), g.text_x(g.row))
        on = left <= x < right and point.y() >= self._head and 0 <= byte < len(self.model)
        return column, min(byte, len(self.model)), on

    # What Qt calls

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, g = palette.current(), self.geometry_
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), colours.base)
            painter.translate(-self.horizontalScrollBar().value(), 0)
            self._paint_head(painter)
            if len(self.model) or self.hasFocus():
                width = max(g.width, self.viewport().width() + self.horizontalScrollBar().value())
                painter.setClipRect(QRectF(0, self._head, width, self.viewport().height()))
                assert self._cells is not None
                frame = HexPainter(painter, self.model, self.window_in_sight(), self._cells, self.column,
                                   self.hasFocus(), self._patient)
                self._patient = False
                frame.paint()
                if frame.unfinished:
                    self._more.start()
                painter.setClipping(False)
            if not len(self.model):
                quiet_text(painter, QRectF(self.viewport().rect()).adjusted(24, 40, -24, -24), NOTHING, colours.muted)
            if self.hasFocus():
                painter.resetTransform()
                painter.setPen(colours.focus)
                painter.drawRect(QRectF(self.viewport().rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_head(self, painter: QPainter) -> None:
        colours, g = palette.current(), self.geometry_
        right = max(g.width, float(self.viewport().width() + self.horizontalScrollBar().value()))
        painter.fillRect(QRectF(0, 0, right, self._head - 1), colours.window)
        painter.fillRect(QRectF(0, self._head - 1, right, 1), colours.border)
        y = g.ascent + 4
        painter.setPen(colours.muted)
        painter.setFont(self.fonts.hex)
        painter.drawText(round(g.hex_left), round(y), " ".join(f"{k:02X}" for k in range(g.row)))
        painter.setFont(self.fonts.plain)
        painter.drawText(round(g.text_left + 1), round(y), "Text"[: max(int(g.row * g.text_cell / g.advance), 1)])
        active = QRectF(g.hex_x(0), self._head - 2, g.row * g.cell, 2) if self.column == "hex" else QRectF(
            g.text_x(0), self._head - 2, g.row * g.text_cell, 2)
        painter.fillRect(active, colours.accent if self.hasFocus() else colours.border)

    def _paint_more(self) -> None:
        self._patient = True
        self.viewport().repaint()  # now, in an idle moment: asked for later, it would come with the next move

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._renew()
        self.show_caret()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.model.drop_half()
        self.viewport().update()
