"""Charts of the census: a base that points at things by mouse and keyboard, horizontal bars, a histogram.

    chart = BarChart("By script")
    chart.set_bars(desk.bars("script"))
    chart.told.connect(readout.setText)      # the figures of what the pointer or the keyboard is at
    chart.chosen.connect(show_entries)       # index of the bar that was clicked, or Enter was pressed on

Every chart takes the focus; arrow keys move a mark over its parts, whose figures are told (and are the accessible
description), Enter chooses.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..models.census import Bar
from . import palette

#: Bars a chart shows before it is asked for all.
FIRST = 12


class Chart(QWidget):
    """Parts are numbered from 0. Subclasses say how many, where each is, what is said of it, and paint."""

    told = Signal(str)
    chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.current, self.hovered = 0, -1
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # What subclasses say

    def parts(self) -> int:
        return 0

    def place(self, part: int) -> QRectF:
        """The rectangle of a part."""
        raise NotImplementedError

    def part_at(self, at: QPointF) -> int:
        """-1 where there is none."""
        return next((i for i in range(self.parts()) if self.place(i).contains(at)), -1)

    def words(self, part: int) -> str:
        """One line of figures."""
        raise NotImplementedError

    def across(self) -> int:
        """Parts in a row: what Up and Down move by; 1 for a list."""
        return 1

    def paint(self, p: QPainter) -> None:
        raise NotImplementedError

    # Pointing

    def renew(self) -> None:
        """There is something else to show."""
        self.current, self.hovered = min(self.current, max(self.parts() - 1, 0)), -1
        self._describe()
        self.updateGeometry()
        self.update()

    def point_at(self, part: int) -> None:
        """Make a part the current one and tell its figures."""
        self.current = part
        self._describe()
        self.told.emit(self.words(part))
        self.update()

    def _describe(self) -> None:
        self.setAccessibleDescription(self.words(self.current) if self.current < self.parts() else "")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if part != self.hovered:
            self.hovered = part
            self.setCursor(Qt.CursorShape.PointingHandCursor if part >= 0 else Qt.CursorShape.ArrowCursor)
            self.told.emit(self.words(part) if part >= 0 else "")
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered = -1
        self.told.emit(self.words(self.current) if self.hasFocus() and self.current < self.parts() else "")
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if part >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.point_at(part)
            self.chosen.emit(part)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -self.across(),
                Qt.Key.Key_Down: self.across(), Qt.Key.Key_PageUp: -10 * self.across(),
                Qt.Key.Key_PageDown: 10 * self.across(), Qt.Key.Key_Home: -self.parts(),
                Qt.Key.Key_End: self.parts()}.get(Qt.Key(event.key()))
        if step is not None and self.parts():
            self.point_at(min(max(self.current + step, 0), self.parts() - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.current < self.parts():
            self.chosen.emit(self.current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.current < self.parts():
            self.told.emit(self.words(self.current))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.told.emit("")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as p:
            if not self.parts():
                return
            self.paint(p)
            if self.hasFocus() and self.current < self.parts():
                p.setPen(QPen(palette.current().focus, 2))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRect(self.place(self.current).adjusted(1, 1, -1, -1))


class LineChart(Chart):
    """A bar a line. Of many the first FIRST, and a line that shows the rest: also a part. usual: width asked for."""

    all = False
    usual = 300

    def lines(self) -> int:
        """How many bars there are."""
        raise NotImplementedError

    def parts(self) -> int:
        return self.lines() if self.all or self.lines() <= FIRST + 2 else FIRST + 1

    def more(self, part: int) -> bool:
        """Is it the line that shows the rest?"""
        return part == FIRST and self.parts() == FIRST + 1 < self.lines()

    def unfold(self) -> None:
        self.all = True
        self.renew()

    def _line(self) -> int:
        return self.fontMetrics().height() + 7

    def sizeHint(self) -> QSize:
        return QSize(self.usual, self._line() * max(self.parts(), 1) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def place(self, part: int) -> QRectF:
        return QRectF(0, part * self._line(), self.width(), self._line())

    def part_at(self, at: QPointF) -> int:
        part = int(at.y() // self._line())
        return part if 0 <= part < self.parts() else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if part >= 0 and self.more(part):
            self.unfold()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.more(self.current) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.unfold()
        else:
            super().keyPressEvent(event)

    def paint(self, p: QPainter) -> None:
        c = palette.current()
        for part in range(self.parts()):
            area = self.place(part)
            if part == self.hovered:
                p.fillRect(area, c.hover)
            if self.more(part):
                p.setPen(c.accent)
                p.drawText(area.adjusted(4, 0, -4, 0), Qt.AlignmentFlag.AlignVCenter,
                           f"Show {self.lines() - FIRST} more")


class BarChart(LineChart):
    """Label, bar, figure."""

    bars: Sequence[Bar] = ()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._total = 0
        self._labels = 0.0

    def set_bars(self, bars: list[Bar], total: int) -> None:
        """total: what a share is of."""
        self.bars, self._total = bars, total
        self._measure()
        self.renew()

    def _measure(self) -> None:
        measure = self.fontMetrics().horizontalAdvance
        self._labels = max((measure(b.label) for b in self.bars), default=0) + 14.0

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()
            self.updateGeometry()

    def lines(self) -> int:
        return len(self.bars)

    def words(self, part: int) -> str:
        if self.more(part):
            return f"{len(self.bars) - FIRST} more, {sum(b.count for b in self.bars[FIRST:]):,} entries"
        bar = self.bars[part]
        share = f", {bar.count / self._total:.2%} of all" if self._total and bar.rows is not None else ""
        return f"{bar.label}: {bar.count:,}{share}{f' ({bar.about})' if bar.about else ''}"

    def unfold(self) -> None:
        super().unfold()
        self.point_at(self.current)

    def paint(self, p: QPainter) -> None:
        super().paint(p)
        c, line = palette.current(), self._line()
        fill, strong = palette.counting(c)
        number = max(p.fontMetrics().horizontalAdvance(f"{b.count:,}") for b in self.bars) + 14.0
        left = min(self._labels, self.width() * 0.6)
        room = max(self.width() - left - number, 20.0)
        top = max(b.count for b in self.bars) or 1
        for i in range(self.parts()):
            if self.more(i):
                continue
            y, bar = i * line, self.bars[i]
            p.setPen(c.text if bar.count else c.faint)
            label = p.fontMetrics().elidedText(bar.label, Qt.TextElideMode.ElideMiddle, int(left) - 10)
            p.drawText(QRectF(4, y, left - 4, line), Qt.AlignmentFlag.AlignVCenter, label)
            wide = room * bar.count / top
            if bar.count:
                rect = QRectF(left, y + 3, max(wide, 2.0), line - 6)
                p.fillRect(rect, c.error_fill if bar.odd else fill)
                if bar.odd:
                    p.fillRect(rect, c.hatch_brush)
                p.fillRect(QRectF(rect.left(), rect.top(), 2, rect.height()), c.error if bar.odd else strong)
            p.setPen(c.muted if bar.count else c.faint)
            p.drawText(QRectF(left + (wide if bar.count else 0) + 6, y, number, line), Qt.AlignmentFlag.AlignVCenter,
                       f"{bar.count:,}")


class Histogram(Chart):
    """A column a bar, with the first, every eighth and the last label beneath; small counts are never nothing."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.bars: list[Bar] = []
        self._total = 0

    def set_bars(self, bars: list[Bar], total: int) -> None:
        self.bars, self._total = bars, total
        self.renew()

    def parts(self) -> int:
        return len(self.bars)

    def sizeHint(self) -> QSize:
        return QSize(300, 108 + 2 * self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def place(self, part: int) -> QRectF:
        wide = self.width() / max(len(self.bars), 1)
        return QRectF(part * wide, 0, wide, self.height() - self.fontMetrics().height() - 4)

    def part_at(self, at: QPointF) -> int:
        part = int(at.x() * len(self.bars) / max(self.width(), 1))
        return part if 0 <= part < len(self.bars) else -1

    def words(self, part: int) -> str:
        bar = self.bars[part]
        return f"{bar.label}: {bar.count:,} entries, {bar.count / max(self._total, 1):.2%} of all"

    def paint(self, p: QPainter) -> None:
        c = palette.current()
        fill, strong = palette.counting(c)
        small = palette.small_font(self.font())
        p.setFont(small)
        text = p.fontMetrics().height()
        base = self.place(0).bottom()
        room = base - text - 6
        top = max(b.count for b in self.bars) or 1
        last = -1e9
        for i, bar in enumerate(self.bars):
            area = self.place(i)
            if i == self.hovered:
                p.fillRect(area, c.hover)
            high = max(room * bar.count / top, 2.0) if bar.count else 0.0
            rect = QRectF(area.left() + 1, base - high, max(area.width() - 2, 1.0), high)
            p.fillRect(rect, fill)
            if bar.count:
                p.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 2), strong)
            figure = f"{bar.count:,}"
            if bar.count == top:
                p.setPen(c.muted)
                wide = p.fontMetrics().horizontalAdvance(figure) + 4.0
                at = min(max(rect.center().x() - wide / 2, 0), self.width() - wide)
                p.drawText(QRectF(at, rect.top() - text - 1, wide, text), Qt.AlignmentFlag.AlignCenter, figure)
            label = bar.label.replace(" bytes", "").replace(" byte", "").replace(" and more", "+").replace(" to ", "–")
            wide = p.fontMetrics().horizontalAdvance(label) + 6.0
            at = min(max(area.center().x() - wide / 2, 0), self.width() - wide)
            if i in (0, len(self.bars) - 1) or (i + 1) % 8 == 0:
                end = self.width() - p.fontMetrics().horizontalAdvance("129+") - 8
                if at >= last and (i == len(self.bars) - 1 or at + wide < end):
                    p.setPen(c.muted)
                    p.drawText(QRectF(at, base + 3, wide, text), Qt.AlignmentFlag.AlignCenter, label)
                    last = at + wide
        p.setPen(c.border)
        p.drawLine(QPointF(0, base), QPointF(self.width(), base))
