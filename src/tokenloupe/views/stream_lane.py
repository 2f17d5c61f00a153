"""LaneView: one policy in the theatre. What a reader sees, then, in dashed cells, the bytes that are still held.

Only what a step has changed is painted again: the text area when the text or the held bytes differ, the line beneath
when its sentence does. U+FFFD are underlined by whose fault they are: waves for the policy's, dashes for bytes that are
no character, dots for one that is in the text.
"""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ..core import utf8
from ..core.stream_lanes import Lane, Replacement, StepView
from ..core.stream_words import lane_sentence, new_causes
from ..core.text import utf16_starts
from ..models.stream_player import StreamPlayer
from . import palette
from .stream_text import TailLine, TailText, displayed

#: Held bytes shown as cells; of more, the first and the last.
CELLS = 7
#: Below this width the sentence beneath gets two lines and the description moves into the tooltip.
NARROW = 640
_PAD = 10.0
_UNDERLINES = {
    "cut": QTextCharFormat.UnderlineStyle.WaveUnderline,
    "invalid": QTextCharFormat.UnderlineStyle.DashUnderline,
    "end": QTextCharFormat.UnderlineStyle.DashUnderline,
    "genuine": QTextCharFormat.UnderlineStyle.DotLine,
}


class LaneView(QWidget):
    """A lane of the player's run. lines: how many lines of text it shows."""

    def __init__(self, player: StreamPlayer, lane: Lane, lines: int = 2, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lane, self._player, self._lines = lane, player, lines
        self._painted: list[tuple[TailLine, QTextLayout, QPointF]] = []
        self._layouts: dict[tuple[int, int], QTextLayout] = {}
        self._key: tuple[int, ...] = ()
        self._sentence = ""
        self._bad = self._odd = False  # the last step showed a U+FFFD: the policy's fault, any but a genuine one
        self._cuts: list[int] = []  # for the first k marks: how many are the policy's fault
        self._right = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(200)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(lane.title)
        self.setToolTip("")
        self._set_fonts()
        self.moved()

    # Geometry

    def _set_fonts(self) -> None:
        self._title_font = QFont(self.font())
        self._title_font.setWeight(QFont.Weight.DemiBold)
        self._small = palette.small_font(self.font(), 0.92)
        self._cell_font = palette.mono_font(0.85)
        self._text_font = QFont(self.font())
        self._text_font.setPointSizeF(max(self.font().pointSizeF(), 8.0) * 1.3)
        self._tail = TailText(self._text_font)
        self._tail.set_width(max(self.width() - 4 * _PAD, 40.0))
        self._layouts.clear()
        self._line = max(self._tail.line_height, QFontMetricsF(self._cell_font).height() + 6)

    def _header(self) -> QRectF:
        return QRectF(_PAD, 6.0, self.width() - 2 * _PAD, QFontMetricsF(self._title_font).height() + 4)

    def _text_rect(self) -> QRectF:
        top = self._header().bottom() + 2
        return QRectF(_PAD, top, self.width() - 2 * _PAD, self._lines * self._line + 10)

    def _state_rect(self) -> QRectF:
        top = self._text_rect().bottom() + 3
        rows = 2 if self.width() < NARROW else 1
        return QRectF(_PAD, top, self.width() - 2 * _PAD, rows * QFontMetricsF(self._small).lineSpacing() + 2)

    def sizeHint(self) -> QSize:
        return QSize(600, self.height_for(600, self._lines))

    def height_for(self, width: int, lines: int) -> int:
        """The height it needs at a width for so many lines of text."""
        rows = 2 if width < NARROW else 1
        return round(6 + QFontMetricsF(self._title_font).height() + 6 + lines * self._line + 13
                     + rows * QFontMetricsF(self._small).lineSpacing() + 10)

    def set_lines(self, lines: int) -> None:
        if lines != self._lines:
            self._lines = lines
            self.setFixedHeight(self.height_for(self.width(), lines))
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._tail.set_width(max(self.width() - 4 * _PAD, 40.0))
        self._layouts.clear()
        self.setFixedHeight(self.height_for(self.width(), self._lines))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._set_fonts()
            self.setFixedHeight(self.height_for(self.width(), self._lines))
            self.update()
        super().changeEvent(event)

    # State

    @property
    def view(self) -> StepView:
        return self._player.run.view(self.lane, self._player.position)

    def moved(self) -> None:
        """The position has changed: repaint what differs."""
        run, position, lane = self._player.run, self._player.position, self.lane
        if position > 0:
            step = position - 1
            fresh = lane.shown_ends[step - 1] if step else 0
            key = (lane.shown_ends[step], lane.out_ends[step], lane.taken[step], fresh, run.edges[
                min(run.token_of(step) + 1, len(run.stream))] - lane.taken[step], int(position == run.steps))
        else:
            key = (0, 0, lane.first_taken, 0, 0, 0)
        if key != self._key:
            self._key = key
            self._right = run.expected[0].startswith(lane.text[: lane.shown_ends[position - 1]] if position else "")
            self.update(self._text_rect().toAlignedRect())
            self.update(self._header().toAlignedRect())
        causes = new_causes(run, lane, position)
        sentence = " · ".join(causes) or lane_sentence(run, lane, position)
        if sentence != self._sentence:
            self._sentence = sentence
            shown = bisect_left(lane.mark_chars, self._key[0])
            old = bisect_left(lane.mark_chars, self._key[3])
            kinds = {run.cause(mark).kind for mark in lane.marks[old:shown]}
            self._bad, self._odd = "cut" in kinds, bool(kinds - {"genuine"})
            self.update(self._state_rect().toAlignedRect())

    def describe(self) -> str:
        """The lane for a screen reader: the end of its text and what it does."""
        view = self.view
        return f"{view.visible[-200:] or 'nothing yet'}. {self.verdict()[1]}. {self._sentence}"

    def _wrong(self) -> int:
        """U+FFFD shown now that are the policy's fault."""
        run, lane = self._player.run, self.lane
        count = bisect_left(lane.mark_chars, self._key[0])
        while len(self._cuts) < count:
            cut = run.cause(lane.marks[len(self._cuts)]).kind == "cut"
            self._cuts.append((self._cuts[-1] if self._cuts else 0) + cut)
        return self._cuts[count - 1] if count else 0

    def verdict(self) -> tuple[bool, str]:
        """(right so far, in a few words)."""
        wrong = self._wrong()
        if wrong:
            return False, f"✗ {wrong:,} wrong U+FFFD"
        if self._player.at_end:
            ok, words = self._player.run.verdict(self.lane)
            return ok, ("✓ " if ok else "✗ ") + words
        return (True, "✓ right so far") if self._right else (False, "✗ not the text")

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = palette.current()
        dirty = QRectF(event.rect())
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colours.window)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            focused = self.hasFocus()
            painter.setPen(QPen(colours.focus if focused else colours.border, 2.0 if focused else 1.0))
            painter.setBrush(colours.raised)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
            if dirty.intersects(self._header()):
                self._paint_header(painter, colours)
            if dirty.intersects(self._text_rect()):
                self._paint_text(painter, colours)
            if dirty.intersects(self._state_rect()):
                self._paint_state(painter, colours)

    def _paint_header(self, painter: QPainter, colours: palette.Palette) -> None:
        area = self._header()
        ok, words = self.verdict()
        painter.setFont(self._small)
        metrics = QFontMetricsF(self._small)
        chip = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width() * 0.6)
        painter.setPen(colours.good if ok else colours.error)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, chip)
        room = area.width() - metrics.horizontalAdvance(chip) - 12
        painter.setFont(self._title_font)
        painter.setPen(colours.text)
        titles = QFontMetricsF(self._title_font)
        title = titles.elidedText(self.lane.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        left = titles.horizontalAdvance(title) + 10
        if self.width() >= NARROW and room - left > 120:
            painter.setFont(self._small)
            painter.setPen(colours.muted)
            about = metrics.elidedText(self.lane.about, Qt.TextElideMode.ElideRight, room - left)
            painter.drawText(area.adjusted(left, 0, 0, 0), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                             about)

    def _paint_state(self, painter: QPainter, colours: palette.Palette) -> None:
        painter.setFont(self._small)
        view = self.view
        warn = self._odd or bool(view.note)
        painter.setPen(colours.error if self._bad else colours.warning if warn else colours.muted)
        area, text = self._state_rect(), ("⚠ " if warn else "") + self._sentence
        metrics = QFontMetricsF(self._small)
        rows = 2 if self.width() < NARROW else 1
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width() * rows - (30 if rows > 1 else 0))
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap, text)

    def _paint_text(self, painter: QPainter, colours: palette.Palette) -> None:
        area = self._text_rect()
        painter.setPen(QPen(colours.grid, 1.0))
        painter.setBrush(colours.base)
        painter.drawRoundedRect(area, 4, 4)
        painter.setClipRect(area.adjusted(2, 2, -2, -2))
        view, text = self.view, self.lane.text
        shown, fresh = len(view.visible), len(view.visible) - len(view.emitted)
        lines = self._tail.last_lines(text, shown, self._lines)
        extra = self._extra_width(view)
        x = self._line_end(text, lines[-1], fresh) if lines else 0.0
        wraps = bool(extra) and x + extra > area.width() - 2 * _PAD and x > 0
        if wraps and len(lines) == self._lines:
            lines = lines[1:]
        self._painted = []
        y = area.top() + 5
        for line in lines:
            layout = self._line_layout(text, line, fresh, colours)
            origin = QPointF(area.left() + _PAD, y + (self._line - self._tail.line_height) / 2)
            painter.setPen(colours.text)
            layout.draw(painter, origin)
            self._painted.append((line, layout, origin))
            y += self._line
        if extra:
            left = area.left() + _PAD + (0.0 if wraps or not lines else x + 2)
            self._paint_waiting(painter, colours, view, left, y if wraps else y - self._line)
        elif not shown and not view.held:
            painter.setFont(self._small)
            painter.setPen(colours.faint)
            painter.drawText(QPointF(area.left() + _PAD, area.top() + 5 + QFontMetricsF(self._small).ascent() + 3),
                             "nothing yet")
        painter.setClipping(False)

    def _line_layout(self, text: str, line: TailLine, fresh: int, colours: palette.Palette) -> QTextLayout:
        """A line with its marks; whole old lines are kept from frame to frame."""
        key = (line.start, line.end)
        settled = line.end <= fresh
        if settled and key in self._layouts:
            return self._layouts[key]
        piece = text[line.start : line.end].rstrip("\n\r\x0b\x0c\u2028\u2029")
        layout = self._tail.layout(piece, wrap=False, formats=self._formats(piece, line.start, fresh, colours))
        if settled:
            if len(self._layouts) > 64:
                self._layouts.clear()
            self._layouts[key] = layout
        return layout

    def _formats(self, piece: str, start: int, fresh: int, colours: palette.Palette) -> list[QTextLayout.FormatRange]:
        units = utf16_starts(displayed(piece)).tolist()
        ranges: list[QTextLayout.FormatRange] = []

        def add(first: int, last: int, style: QTextCharFormat) -> None:
            made = QTextLayout.FormatRange()
            made.start, made.length, made.format = units[first], units[last] - units[first], style
            ranges.append(made)

        if fresh < start + len(piece):
            new = QTextCharFormat()
            new.setBackground(colours.hover)
            new.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            new.setUnderlineColor(colours.accent)
            add(max(fresh - start, 0), len(piece), new)
        for mark in self._marks(start, start + len(piece)):
            kind = self._player.run.cause(mark).kind
            style = QTextCharFormat()
            style.setUnderlineStyle(_UNDERLINES[kind])
            tone = {"cut": colours.error, "genuine": colours.muted}.get(kind, colours.warning)
            style.setUnderlineColor(tone)
            if kind != "genuine":
                style.setForeground(tone)
                style.setBackground(colours.error_fill if kind == "cut" else colours.warning_fill)
            add(mark.char - start, mark.char - start + 1, style)
        return ranges

    def _marks(self, start: int, end: int) -> list[Replacement]:
        chars = self.lane.mark_chars
        return self.lane.marks[bisect_left(chars, start) : bisect_left(chars, end)]

    def _line_end(self, text: str, line: TailLine, fresh: int) -> float:
        layout = self._line_layout(text, line, fresh, palette.current())
        if layout.lineCount() == 0:
            return 0.0
        first = layout.lineAt(0)
        return first.naturalTextRect().right() + (self._trailing(text, line))

    def _trailing(self, text: str, line: TailLine) -> float:
        """Spaces at the end, which the natural width leaves out."""
        piece = text[line.start : line.end].rstrip("\n\r")
        spaces = len(piece) - len(piece.rstrip(" "))
        return spaces * QFontMetricsF(self._text_font).horizontalAdvance(" ")

    # What waits

    def _extra_width(self, view: StepView) -> float:
        width = 0.0
        if view.stop_held:
            width += QFontMetricsF(self._small).horizontalAdvance(repr(view.stop_held)) + 18
        if view.held:
            cells = min(len(view.held), CELLS) + (1 if len(view.held) > CELLS else 0)
            width += cells * (self._cell_width() + 3) + 4
        return width

    def _cell_width(self) -> float:
        return QFontMetricsF(self._cell_font).horizontalAdvance("00") + 8

    def _paint_waiting(self, painter: QPainter, colours: palette.Palette, view: StepView, left: float,
                       top: float) -> None:
        """Text that may begin a stop string, and held bytes, as dashed boxes after the text."""
        height = self._line - 4
        if view.stop_held:
            shown = repr(view.stop_held)
            painter.setFont(self._small)
            box = QRectF(left + 3, top + 2, QFontMetricsF(self._small).horizontalAdvance(shown) + 10, height)
            painter.setPen(QPen(colours.special, 1.2, Qt.PenStyle.DotLine))
            painter.setBrush(colours.base)
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(colours.special)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)
            left = box.right() + 5
        if not view.held:
            return
        roles = utf8.roles(view.held).tolist()
        cells: list[int | None] = list(range(len(roles)))
        if len(roles) > CELLS:
            cells = [*range(3), None, *range(len(roles) - CELLS + 3, len(roles))]
        painter.setFont(self._cell_font)
        for index in cells:
            box = QRectF(left + 3, top + 2, self._cell_width(), height)
            if index is None:
                painter.setPen(colours.muted)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "…")
            else:
                style = colours.byte_style(roles[index], view.held[index])
                painter.setBrush(style.fill)
                painter.setPen(QPen(colours.muted, 1.2, Qt.PenStyle.DashLine))
                painter.drawRoundedRect(box, 3, 3)
                painter.setPen(style.text)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{view.held[index]:02X}")
            left += self._cell_width() + 3

    # Help

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.help_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def help_at(self, point: QPointF) -> str:
        """Why the U+FFFD under the pointer is there; elsewhere what the policy does and what it does now."""
        for line, layout, origin in self._painted:
            if layout.lineCount() and origin.y() <= point.y() < origin.y() + self._line:
                piece = self.lane.text[line.start : line.end]
                x = point.x() - origin.x()
                unit = layout.lineAt(0).xToCursor(x, QTextLine.CursorPosition.CursorOnCharacter)
                char = line.start + int(utf16_starts(piece).searchsorted(unit, side="right")) - 1
                for mark in self._marks(char, char + 1):
                    return _plain(self._player.run.cause(mark).sentence)
        return _plain(self.lane.about + (f"\n{self._sentence}" if self._sentence else ""))


def _plain(text: str) -> str:
    """Text for a tooltip, which would take it for markup."""
    from html import escape

    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>"
