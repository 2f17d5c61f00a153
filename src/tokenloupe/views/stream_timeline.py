"""TimelineView: the tokens as they arrive, with their bytes, and beneath them the characters these bytes make.

A character whose bytes lie in two tokens has a bracket across the gap between them: that gap is where every fault in
the lanes below comes from. Only the tokens around the current one are measured and painted, however long the stream.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..core import utf8
from ..core.stream_words import character_at, hex_bytes, quoted, short_label
from ..models.stream_player import StreamPlayer
from . import palette

#: Bytes of one token drawn as cells; of more, the first and the last.
CELLS = 6
_GAP = 10.0
_CELL_GAP = 2.0
#: Room around a token's box in its picture, for its outline.
_EDGE = 2.0


@dataclass(frozen=True, slots=True)
class Chip:
    """A token on the screen: its index in the stream, its box, and the cells of its bytes (byte offset, box)."""

    index: int
    box: QRectF
    cells: tuple[tuple[int, QRectF], ...]
    cut: bool


class TimelineView(QWidget):
    """chosen(int): a token was clicked, by its index in the stream. scrolled(int): the wheel asks for so many steps."""

    chosen = Signal(object)
    scrolled = Signal(int)

    def __init__(self, player: StreamPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._chips: list[Chip] = []
        self._widths: dict[int, float] = {}
        self._shapes: dict[int, Chip] = {}
        self._pictures: dict[int, QPixmap] = {}
        self._roles: bytes = b""
        self._wheel = 0
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Tokens as they arrive")
        self._set_fonts()
        player.run_changed.connect(self._renew)
        player.position_changed.connect(lambda *_: self.update())
        self._renew()

    def _set_fonts(self) -> None:
        self._label_font = QFont(self.font())
        self._cell_font = palette.mono_font(0.82)
        self._small = palette.small_font(self.font(), 0.85)
        self._cell = QFontMetricsF(self._cell_font).horizontalAdvance("00") + 6
        self._widths.clear()
        self._pictures.clear()
        self._shapes.clear()
        self.setFixedHeight(self.sizeHint().height())

    def fonts(self) -> list[QFont]:
        """Those in which it shows the stream's text."""
        return [self._label_font]

    def sizeHint(self) -> QSize:
        height = (10 + QFontMetricsF(self._label_font).height() + 6 + QFontMetricsF(self._cell_font).height() + 8
                  + 10 + QFontMetricsF(self._label_font).height() + 3)
        return QSize(600, round(height))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._set_fonts()
            self.update()
        super().changeEvent(event)

    def _renew(self) -> None:
        self._widths.clear()
        self._pictures.clear()
        self._shapes.clear()
        self._roles = self._player.run.roles
        self.update()

    # Measures

    def _label(self, index: int) -> str:
        stream = self._player.run.stream
        if index in stream.skipped or (stream.spellings is not None and not stream.spellings[index].isspace()):
            label = stream.label(index)
            return label if len(label) <= 16 else label[:15] + "…"
        return short_label(stream.pieces[index]) or "∅"

    def _shown_cells(self, index: int) -> list[int | None]:
        """Byte offsets of a token's cells; None is the ellipsis between."""
        start, end = self._player.run.edges[index], self._player.run.edges[index + 1]
        if end - start <= CELLS:
            return list(range(start, end))
        return [*range(start, start + 3), None, *range(end - 2, end)]

    def _width(self, index: int) -> float:
        if index not in self._widths:
            if len(self._widths) > 5000:
                self._widths.clear()
            label = QFontMetricsF(self._label_font).horizontalAdvance(self._label(index))
            cells = len(self._shown_cells(index)) * (self._cell + _CELL_GAP)
            self._widths[index] = max(label, cells, 14.0) + 14
        return self._widths[index]

    def _place(self) -> list[Chip]:
        """The chips that are in view: the current one a little right of the middle, or the first at the left edge."""
        run = self._player.run
        count = len(run.stream)
        if not count:
            return []
        current = min(max(run.token_of(self._player.position - 1), 0), count - 1)
        anchor = self.width() * 0.6
        x, first = anchor - self._width(current) / 2, current
        while first > 0 and x > 0:
            first -= 1
            x -= self._width(first) + _GAP
        if x > 8:
            x = 8.0
        chips: list[Chip] = []
        index = first
        while index < count and x < self.width():
            chips.append(self._chip(index, x))
            x += self._width(index) + _GAP
            index += 1
        return chips

    def _chip(self, index: int, x: float) -> Chip:
        """A token's geometry at x: worked out once at 0 and moved."""
        if index not in self._shapes:
            if len(self._shapes) > 256:
                self._shapes.clear()
            self._shapes[index] = self._shape(index)
        shape = self._shapes[index]
        x = round(x)
        return Chip(index, shape.box.translated(x, 0), tuple((o, box.translated(x, 0)) for o, box in shape.cells),
                    shape.cut)

    def _shape(self, index: int) -> Chip:
        label = QFontMetricsF(self._label_font).height()
        cell = QFontMetricsF(self._cell_font).height() + 2
        box = QRectF(0, 8, round(self._width(index)), round(label + cell + 12))
        shown = self._shown_cells(index)
        left = box.center().x() - len(shown) * (self._cell + _CELL_GAP) / 2
        cells = tuple((offset, QRectF(left + k * (self._cell + _CELL_GAP), box.bottom() - cell - 5, self._cell, cell))
                      for k, offset in enumerate(shown) if offset is not None)
        return Chip(index, box, cells, None in shown)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = palette.current()
        run, position = self._player.run, self._player.position
        self._chips = self._place()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(event.rect(), colours.base)
            current = run.token_of(position - 1) if position > 0 else -1
            for chip in self._chips:
                self._paint_chip(painter, colours, chip, chip.index <= current or chip.index < run.stream.prompt,
                                 chip.index == current)
            self._paint_characters(painter, colours, current)
            if not self._chips:
                painter.setPen(colours.faint)
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No tokens yet")
            painter.setPen(QPen(colours.border, 1.0))
            painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))

    def _paint_chip(self, painter: QPainter, colours: palette.Palette, chip: Chip, arrived: bool, now: bool) -> None:
        painter.setOpacity(1.0 if arrived else 0.6)
        painter.drawPixmap(chip.box.topLeft() - QPointF(_EDGE, _EDGE), self._picture(chip))
        painter.setOpacity(1.0)
        if now:
            painter.setPen(QPen(colours.focus, 3.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(chip.box, 5, 5)

    def _picture(self, chip: Chip) -> QPixmap:
        """A token's box, drawn once; painting only moves it."""
        if chip.index not in self._pictures:
            if len(self._pictures) > 256:
                self._pictures.clear()
            ratio = self.devicePixelRatioF()
            size = chip.box.size() + QSizeF(2 * _EDGE, 2 * _EDGE)
            picture = QPixmap(round(size.width() * ratio), round(size.height() * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(palette.current().base)
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.translate(QPointF(_EDGE, _EDGE) - chip.box.topLeft())
                self._draw_chip(painter, palette.current(), chip)
            self._pictures[chip.index] = picture
        return self._pictures[chip.index]

    def _draw_chip(self, painter: QPainter, colours: palette.Palette, chip: Chip) -> None:
        stream = self._player.run.stream
        plain = chip.index < stream.prompt or chip.index in stream.skipped
        painter.setBrush(colours.raised if plain else colours.fill_of(chip.index))
        if plain:
            painter.setPen(QPen(colours.special, 1.2, Qt.PenStyle.DotLine))
        else:
            painter.setPen(QPen(colours.edge_of(chip.index), 1.2))
        painter.drawRoundedRect(chip.box, 5, 5)
        painter.setPen(colours.text if plain else colours.token_text)
        painter.setFont(self._label_font)
        label = QRectF(chip.box.left(), chip.box.top() + 3, chip.box.width(),
                       QFontMetricsF(self._label_font).height() + 2)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self._label(chip.index))
        painter.setFont(self._cell_font)
        for offset, box in chip.cells:
            style = colours.byte_style(self._roles[offset], stream.data[offset])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.fill)
            painter.drawRoundedRect(box, 2, 2)
            painter.setPen(style.text)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{stream.data[offset]:02X}")
        if chip.cut:
            painter.setPen(colours.text if plain else colours.token_text)
            between = QRectF(chip.cells[2][1].right(), chip.cells[2][1].top(), self._cell + 2 * _CELL_GAP,
                             chip.cells[2][1].height())
            painter.drawText(between, Qt.AlignmentFlag.AlignCenter, "…")

    def _paint_characters(self, painter: QPainter, colours: palette.Palette, current: int) -> None:
        """Brackets under characters of several bytes: red where a token ends inside, dashed where nothing decodes."""
        data = self._player.run.stream.data
        where = {offset: (box, chip.index) for chip in self._chips for offset, box in chip.cells}
        done = -1
        painter.setFont(self._label_font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        line = QFontMetricsF(self._label_font).height()
        for offset, (left, first) in where.items():
            if offset < done or self._roles[offset] == utf8.ByteRole.ASCII:
                continue
            start, end, ok = character_at(data, offset)
            done = end
            if start != offset or end - 1 not in where:
                continue
            right, last = where[end - 1]
            split = first != last
            y, a, b = left.bottom() + 11, left.left() + 2, right.right() - 2
            tone = colours.error if split or not ok else colours.muted
            painter.setOpacity(1.0 if last <= current or current < 0 else 0.6)
            painter.setPen(QPen(tone, 2.0 if split else 1.0, Qt.PenStyle.SolidLine if ok else Qt.PenStyle.DashLine))
            painter.drawPolyline([QPointF(a, y - 4), QPointF(a, y), QPointF(b, y), QPointF(b, y - 4)])
            name = quoted(data[start:end].decode("utf-8")).strip("“”") if ok else "✗"
            painter.setPen(tone if not ok else colours.text)
            width = max(b - a, 60.0)
            below = QRectF((a + b - width) / 2, y + 1, width, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, name)
        painter.setOpacity(1.0)

    # The pointer

    def chip_at(self, point: QPointF) -> Chip | None:
        return next((c for c in self._chips if c.box.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        chip = self.chip_at(event.position())
        if chip is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(chip.index)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._wheel += event.angleDelta().y() or event.angleDelta().x()
        steps, self._wheel = int(self._wheel / 120), self._wheel - int(self._wheel / 120) * 120
        if steps:
            self.scrolled.emit(-steps)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        chip = self.chip_at(event.position())
        self.setToolTip(self._help(chip.index) if chip else "")
        super().mouseMoveEvent(event)

    def _help(self, index: int) -> str:
        from html import escape

        run = self._player.run
        stream = run.stream
        lines = [stream.label(index), hex_bytes(stream.pieces[index], 24)]
        if stream.ids is not None:
            lines.append(f"id {stream.ids[index]}")
        if index < stream.prompt:
            lines.append("of the prompt: not shown")
        elif stream.times is not None:
            lines.append(f"at {run.time_of(index - stream.prompt):,.0f} ms")
        return f"<p style='white-space: pre'>{escape(chr(10).join(lines))}</p>"
