"""TimelineView: the tokens as they arrive, with their bytes, and beneath them the characters these bytes make.

A character whose bytes lie in two tokens has a bracket across the gap between them: that gap is where every fault in
the lanes below comes from. Only the tokens around the current one are measured and painted, however long the stream.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..core.stream_words import hex_bytes
from ..models.stream_player import StreamPlayer
from . import palette
from .stream_chips import EDGE, Character, Chip, TokenChips

_GAP, _MARGIN = 10.0, 8.0
#: Room for a character's name under its bracket.
_NAME = 60.0


class TimelineView(QWidget):
    """chosen(int): a token was clicked, by its index in the stream. scrolled(int): the wheel asks for so many steps.

    turned: whether the last move turned the page, so that all of it is painted.
    """

    chosen = Signal(object)
    scrolled = Signal(int)

    def __init__(self, player: StreamPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._chips: list[Chip] = []
        self._characters: list[Character] = []
        self.turned = False
        self._wheel = 0
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Tokens as they arrive")
        player.run_changed.connect(self._renew)
        player.position_changed.connect(self._moved)
        self._renew()

    def _renew(self) -> None:
        """Another run, font, theme or screen: everything is measured and drawn anew."""
        self._ratio = self.devicePixelRatioF()
        self._made = TokenChips(self._player.run, self.font(), self._ratio)
        self.setFixedHeight(self.sizeHint().height())
        self._place(0.5)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, round(self._made.height))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._renew()
        super().changeEvent(event)

    def _current(self) -> int:
        """The index of the token that came last, -1 before the first."""
        run, position = self._player.run, self._player.position
        return min(run.token_of(position - 1), len(run.stream) - 1) if position > 0 else -1

    def _place(self, share: float = 0.0) -> None:
        """Lay the tokens out so that the current one stands at this share of the width (0: as far left as can be)."""
        run = self._player.run
        self._chips, self._characters = [], []
        index = max(self._current(), 0)
        if not len(run.stream):
            return
        x = max(self.width() * share, _MARGIN)
        while index > 0 and x > 0:
            index -= 1
            x -= self._made.width(index) + _GAP
        x = min(x, _MARGIN)  # not further right than the first token needs
        # Nor further left than the last one needs: the end of the stream fills the row.
        rest, after = x - _GAP, index
        while after < len(run.stream) and rest < self.width() - _MARGIN:
            rest += _GAP + self._made.width(after)
            after += 1
        if after == len(run.stream):
            x += max(self.width() - _MARGIN - rest, 0.0)
            while index > 0 and x > 0:
                index -= 1
                x -= self._made.width(index) + _GAP
            x = min(x, _MARGIN)
        while index < len(run.stream) and x < self.width():
            self._chips.append(self._made.chip(index, x))
            x += self._made.width(index) + _GAP
            index += 1
        self._characters = self._made.characters(self._chips)

    def _moved(self, before: int, now: int) -> None:
        """Only the tokens that came are painted again; at the edge the page turns."""
        current, self.turned = self._current(), True
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
        self.turned = False
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
                if not self._made.drawn_already(index):
                    self._made.faded(self._made.chip(index, 0.0))
                    if time.perf_counter() - began > 0.001:
                        break

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place(0.5)
        super().resizeEvent(event)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._ratio != self.devicePixelRatioF():
            self._renew()
        colours, stream = palette.current(), self._player.run.stream
        dirty, current = QRectF(event.rect()), self._current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colours.base)
            for chip in self._chips:
                if chip.box.right() + 4 < dirty.left() or chip.box.left() - 4 > dirty.right():
                    continue
                arrived = chip.index <= current or chip.index < stream.prompt
                picture = self._made.picture(chip) if arrived else self._made.faded(chip)
                painter.drawPixmap(chip.box.topLeft() - QPointF(EDGE, EDGE), picture)
                if chip.index == current:
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                    painter.setPen(QPen(colours.focus, 3.0))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRoundedRect(chip.box, 5, 5)
                    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            self._paint_characters(painter, colours, current, dirty)
            if not self._chips:
                painter.setPen(colours.faint)
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No tokens yet")
            painter.setPen(QPen(colours.border, 1.0))
            painter.drawLine(QPointF(0, self.height() - 0.5), QPointF(self.width(), self.height() - 0.5))

    def _paint_characters(self, painter: QPainter, colours: palette.Palette, current: int, dirty: QRectF) -> None:
        """Brackets under characters of several bytes: red where a token ends inside, dashed where nothing decodes."""
        prompt, line = self._player.run.stream.prompt, self._made.label_height
        painter.setFont(self._made.label_font)
        for c in self._characters:
            if c.right + _NAME / 2 < dirty.left() or c.left - _NAME / 2 > dirty.right():
                continue
            tone = colours.error if c.split or not c.ok else colours.muted
            painter.setOpacity(1.0 if c.last <= current or c.last < prompt else 0.6)
            painter.setPen(QPen(tone, 2.0 if c.split else 1.0, Qt.PenStyle.SolidLine if c.ok else Qt.PenStyle.DashLine))
            painter.drawPolyline([QPointF(c.left, c.y - 4), QPointF(c.left, c.y), QPointF(c.right, c.y),
                                  QPointF(c.right, c.y - 4)])
            painter.setPen(colours.text if c.ok else tone)
            width = max(c.right - c.left, _NAME)
            below = QRectF((c.left + c.right - width) / 2, c.y + 1, width, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, c.name)
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
