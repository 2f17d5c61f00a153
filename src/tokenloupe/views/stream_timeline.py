"""TimelineView: the tokens as they arrive, with their bytes, and beneath them the characters these bytes make.

A character whose bytes lie in two tokens has a bracket across the gap between them: that gap is where every fault in
the lanes below comes from. Only the tokens around the current one are measured and painted, however long the stream.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..core import utf8
from ..core.stream_marks import quoted
from ..core.stream_words import character_at, hex_bytes, short_label
from ..models.stream_player import StreamPlayer
from . import palette

#: Bytes of one token drawn as cells; of more, the first and the last.
CELLS = 6
_GAP, _MARGIN = 10.0, 8.0
_CELL_GAP = 2.0
#: Room for a character's name under its bracket.
_NAME = 60.0
#: Room around a token's box in its picture, for its outline.
_EDGE = 2.0


@dataclass(frozen=True, slots=True)
class Chip:
    """A token on the screen: its index in the stream, its box, and the cells of its bytes (byte offset, box)."""

    index: int
    box: QRectF
    cells: tuple[tuple[int, QRectF], ...]
    cut: bool


def _forget(kept: dict[int, Any], most: int = 400) -> None:
    """Drop the older half of what is kept when it has become too much."""
    if len(kept) >= most:
        for index in list(kept)[: most // 2]:
            del kept[index]


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
        self._later: dict[int, QPixmap] = {}
        self._roles: bytes = b""
        self._wheel = 0
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Tokens as they arrive")
        self._set_fonts()
        player.run_changed.connect(self._renew)
        player.position_changed.connect(self._moved)
        self._renew()

    def _set_fonts(self) -> None:
        self._label_font = QFont(self.font())
        self._cell_font = palette.mono_font(0.82)
        self._small = palette.small_font(self.font(), 0.85)
        self._cell = QFontMetricsF(self._cell_font).horizontalAdvance("00") + 6
        self._widths.clear()
        self._pictures.clear()
        self._later.clear()
        self._shapes.clear()
        self.setFixedHeight(self.sizeHint().height())

    def sizeHint(self) -> QSize:
        height = (10 + QFontMetricsF(self._label_font).height() + 6 + QFontMetricsF(self._cell_font).height() + 8
                  + 10 + QFontMetricsF(self._label_font).height() + 3)
        return QSize(600, round(height))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._set_fonts()
            self._place(0.5)
            self.update()
        super().changeEvent(event)

    def _renew(self) -> None:
        self._widths.clear()
        self._pictures.clear()
        self._later.clear()
        self._shapes.clear()
        self._roles = self._player.run.roles
        self._place(0.5)
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
            _forget(self._widths)
            label = QFontMetricsF(self._label_font).horizontalAdvance(self._label(index))
            cells = len(self._shown_cells(index)) * (self._cell + _CELL_GAP)
            self._widths[index] = max(label, cells, 14.0) + 14
        return self._widths[index]

    def _current(self) -> int:
        """The index of the token that came last, -1 before the first."""
        run, position = self._player.run, self._player.position
        return min(run.token_of(position - 1), len(run.stream) - 1) if position > 0 else -1

    def _place(self, share: float = 0.0) -> None:
        """Lay the tokens out so that the current one stands at this share of the width (0: as far left as can be)."""
        run = self._player.run
        self._chips = []
        index = max(self._current(), 0)
        if not len(run.stream):
            return
        x = max(self.width() * share, _MARGIN)
        while index > 0 and x > 0:
            index -= 1
            x -= self._width(index) + _GAP
        x = min(x, _MARGIN)  # not further right than the first token needs
        # Nor further left than the last one needs: the end of the stream fills the row.
        rest, after = x - _GAP, index
        while after < len(run.stream) and rest < self.width() - _MARGIN:
            rest += _GAP + self._width(after)
            after += 1
        if after == len(run.stream):
            x += max(self.width() - _MARGIN - rest, 0.0)
            while index > 0 and x > 0:
                index -= 1
                x -= self._width(index) + _GAP
            x = min(x, _MARGIN)
        while index < len(run.stream) and x < self.width():
            self._chips.append(self._chip(index, x))
            x += self._width(index) + _GAP
            index += 1

    def _moved(self, before: int, now: int) -> None:
        """Only the tokens that came are painted again; at the edge the page turns."""
        current = self._current()
        if not self._chips:
            self._place()
            self.update()
            return
        first, last = self._chips[0].index, self._chips[-1].index
        box = self._chips[current - first].box if first <= current <= last else QRectF(-1, 0, 0, 0)
        fits = box.left() >= 0 and (box.right() <= self.width() - _MARGIN or box.left() <= _MARGIN)
        if current >= 0 and not fits:
            self._place(0.15 if now > before else 0.7)
            self.update()
            return
        if current < 0 and first > 0:
            self._place()
            self.update()
            return
        prompt = self._player.run.stream.prompt
        touched = sorted((prompt + before - 1, prompt + now - 1))
        # A character's bracket may begin three tokens before.
        low, high = max(touched[0] - 3, first), min(max(touched[1], touched[0] + 1), last)
        if low <= high:
            left, right = self._chips[low - first].box.left(), self._chips[high - first].box.right()
            around = _NAME / 2 + 4
            self.update(QRectF(left - around, 0, right - left + 2 * around, self.height()).toAlignedRect())
        if self._player.playing:  # the next page is drawn little by little
            began = time.perf_counter()
            for index in range(last, min(last + 60, len(self._player.run.stream))):
                if index not in self._later:
                    self._faded(self._chip(index, 0.0))
                    if time.perf_counter() - began > 0.001:
                        break

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place(0.5)
        super().resizeEvent(event)

    def _chip(self, index: int, x: float) -> Chip:
        """A token's geometry at x: worked out once at 0 and moved."""
        if index not in self._shapes:
            _forget(self._shapes)
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
        colours, stream = palette.current(), self._player.run.stream
        dirty, current = QRectF(event.rect()), self._current()
        chips = [c for c in self._chips if c.box.right() + 4 >= dirty.left() and c.box.left() - 4 <= dirty.right()]
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colours.base)
            for chip in chips:
                arrived = chip.index <= current or chip.index < stream.prompt
                picture = self._picture(chip) if arrived else self._faded(chip)
                painter.drawPixmap(chip.box.topLeft() - QPointF(_EDGE, _EDGE), picture)
                if chip.index == current:
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.setPen(QPen(colours.focus, 3.0))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRoundedRect(chip.box, 5, 5)
            if chips:
                first = self._chips[0].index
                around = self._chips[max(chips[0].index - first - 3, 0) : chips[-1].index - first + 4]
                self._paint_characters(painter, colours, around, current, dirty)
            elif not self._chips:
                painter.setPen(colours.faint)
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No tokens yet")
            painter.setPen(QPen(colours.border, 1.0))
            painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))

    def _faded(self, chip: Chip) -> QPixmap:
        """A token that is still to come."""
        if chip.index not in self._later:
            _forget(self._later)
            whole = self._picture(chip)
            faded = QPixmap(whole.size())
            faded.setDevicePixelRatio(whole.devicePixelRatio())
            faded.fill(palette.current().base)
            with QPainter(faded) as painter:
                painter.setOpacity(0.6)
                painter.drawPixmap(QPointF(0, 0), whole)
            self._later[chip.index] = faded
        return self._later[chip.index]

    def _picture(self, chip: Chip) -> QPixmap:
        """A token's box, drawn once; painting only moves it."""
        if chip.index not in self._pictures:
            _forget(self._pictures)
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

    def _paint_characters(self, painter: QPainter, colours: palette.Palette, chips: list[Chip], current: int,
                          dirty: QRectF) -> None:
        """Brackets under characters of several bytes: red where a token ends inside, dashed where nothing decodes."""
        data, prompt = self._player.run.stream.data, self._player.run.stream.prompt
        where = {offset: (box, chip.index) for chip in chips for offset, box in chip.cells}
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
            if right.right() + _NAME / 2 < dirty.left() or left.left() - _NAME / 2 > dirty.right():
                continue
            split = first != last
            y, a, b = left.bottom() + 11, left.left() + 2, right.right() - 2
            tone = colours.error if split or not ok else colours.muted
            painter.setOpacity(1.0 if last <= current or last < prompt else 0.6)
            painter.setPen(QPen(tone, 2.0 if split else 1.0, Qt.PenStyle.SolidLine if ok else Qt.PenStyle.DashLine))
            painter.drawPolyline([QPointF(a, y - 4), QPointF(a, y), QPointF(b, y), QPointF(b, y - 4)])
            name = quoted(data[start:end].decode("utf-8")).strip("“”") if ok else "✗"
            painter.setPen(tone if not ok else colours.text)
            width = max(b - a, _NAME)
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
