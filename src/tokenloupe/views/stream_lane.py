"""LaneView: one policy in the theatre. What a reader sees, then, in dashed cells, the bytes that are still held.

Only what a step has changed is painted again: of the text area the last line, where the lines above stay. U+FFFD are
underlined by whose fault they are: waves for the policy's, dashes for bytes that are no character, dots for one that
is in the text itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextLayout,
    QTextLine,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..core.stream import incomplete_tail
from ..core.stream_lanes import Lane, Replacement, StepView
from ..core.stream_words import lane_sentence, new_causes
from ..core.text import utf16_length, utf16_starts
from ..core.utf8 import ByteRole
from ..models.stream_player import StreamPlayer
from . import palette
from .stream_lane_style import NARROW, PAD, LaneStyle
from .stream_text import TailLine, TailText

#: Held bytes shown as cells; of more, the first three and the last.
CELLS = 7
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc"
                            "\U00010800-\U00010fff]")
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Plan:
    """The text area of a moment: its lines with their places, where the boxes of what waits begin and how wide they
    are, where in the text what is new begins, and whether the boxes have a line of their own."""

    lines: list[tuple[TailLine, QTextLayout, QPointF]]
    waiting_x: float
    waiting_y: float
    extra: float
    fresh: int
    wraps: bool


class LaneView(QWidget):
    """A lane of the player's run."""

    def __init__(self, player: StreamPlayer, lane: Lane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lane, self._player, self._lines, self._run = lane, player, 2, player.run
        self._plan: Plan | None = None
        self._layouts: dict[tuple[int, int], QTextLayout] = {}  # whole old lines
        self._key: tuple[int, ...] = ()
        self._view: StepView | None = None
        self._words = (True, "")
        self._sentence = ""
        self._bad = self._odd = False  # the last step showed a U+FFFD: the policy's fault; any but a genuine one
        self._cuts: list[int] = []  # for the first k marks: how many are the policy's fault
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(200)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self._restyle()
        self.set_lane(lane)

    def set_lane(self, lane: Lane) -> None:
        """Show a lane of the player's present run."""
        self.lane, self._run = lane, self._player.run
        self.setAccessibleName(lane.title)
        self._cuts.clear()
        self._layouts.clear()
        self._tail.reset()
        self._key, self._plan, self._sentence, self._words = (), None, "", (True, "")
        self._bad = self._odd = False
        self.moved()
        self.speak()
        self.update()

    # Geometry

    def _restyle(self) -> None:
        self._style = LaneStyle(self.font())
        self._tail = TailText(self._style.text_font)
        self._layouts.clear()
        self._arrange()

    def _arrange(self) -> None:
        self._at = self._style.geometry(self.width(), self._lines)
        self._tail.set_width(max(self._at.text.width() - 2 * PAD, 40.0))
        self._plan = None  # made anew when it is painted
        if self.height() != self._at.height or self.minimumHeight() != self._at.height:
            self.setFixedHeight(self._at.height)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, self._style.geometry(600, self._lines).height)

    def height_for(self, width: int, lines: int) -> int:
        """The height it needs at a width for so many lines of text."""
        return self._style.geometry(width, lines).height

    def set_lines(self, lines: int) -> None:
        if lines != self._lines:
            self._lines = lines
            self._arrange()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() != event.oldSize().width():
            self._layouts.clear()
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._restyle()
            self._key = ()
            self.moved()
            self.speak()
        super().changeEvent(event)

    # State

    @property
    def view(self) -> StepView:
        """The lane at the player's position."""
        if self._view is None:
            self._view = self._run.view(self.lane, self._player.position)
        return self._view

    def moved(self) -> None:
        """The position has changed: repaint of the text what differs. The words stay until speak()."""
        if self._player.run is not self._run:  # put away, until set_lane()
            return
        position = self._player.position
        self._view = None
        view = self.view
        shown = len(view.visible)
        key = (shown, len(view.stop_held), len(view.held), shown - len(view.emitted), view.matched is not None,
               position == self._run.steps)
        if key != self._key or view.held:
            self._key = key
            self._lay_out()

    def speak(self) -> None:
        """Bring verdict and sentence to the player's position."""
        if self._player.run is not self._run:
            return
        run, position, lane, view = self._run, self._player.position, self.lane, self.view
        shown = len(view.visible)
        words = self.verdict()
        if words != self._words:
            self._words = words
            self.update(self._at.chip.toAlignedRect())
        causes = new_causes(run, lane, position)
        sentence = " · ".join(causes) or lane_sentence(run, lane, position, view)
        if sentence != self._sentence:
            self._sentence = sentence
            kinds = {run.cause(mark).kind for mark in self._marks(self._key[3], shown)}
            self._bad, self._odd = "cut" in kinds, bool(kinds - {"genuine"})
            self.update(self._at.state.toAlignedRect())

    def describe(self) -> str:
        """The lane for a screen reader: the end of its text, whether it is right, and what it does."""
        return f"{self.view.visible[-200:] or 'nothing yet'}. {self.verdict()[1]}. {self._sentence}"

    def _marks(self, start: int, end: int) -> list[Replacement]:
        chars = self.lane.mark_chars
        return self.lane.marks[bisect_left(chars, start) : bisect_left(chars, end)]

    def _wrong(self) -> int:
        """U+FFFD shown now that are the policy's fault."""
        run, lane = self._run, self.lane
        count = bisect_left(lane.mark_chars, len(self.view.visible))
        while len(self._cuts) < count:
            cut = run.cause(lane.marks[len(self._cuts)]).kind == "cut"
            self._cuts.append((self._cuts[-1] if self._cuts else 0) + cut)
        return self._cuts[count - 1] if count else 0

    def verdict(self) -> tuple[bool, str]:
        """(right so far, in a few words)."""
        if wrong := self._wrong():
            return False, f"✗ {wrong:,} wrong U+FFFD"
        if self._player.at_end:
            ok, words = self._run.verdict(self.lane)
            return ok, ("✓ " if ok else "✗ ") + words
        right = self._run.expected[0].startswith(self.view.visible)
        return (True, "✓ right so far") if right else (False, "✗ not the text")

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, at, dirty = palette.current(), self._at, event.region()
        with QPainter(self) as painter:
            if event.rect().left() < 3:  # not only what a step changes, but the card itself
                self._paint_card(painter, colours)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            for area, paint in ((at.chip, self._paint_verdict), (at.inner, self._paint_text),
                                (at.state, self._paint_state)):
                whole = area.toAlignedRect()
                if dirty.intersects(whole):
                    painter.setClipRegion(dirty.intersected(whole))
                    paint(painter, colours)

    def _paint_card(self, painter: QPainter, colours: palette.Palette) -> None:
        style, at = self._style, self._at
        painter.fillRect(self.rect(), colours.window)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        painter.setPen(QPen(colours.focus if focused else colours.border, 2.0 if focused else 1.0))
        painter.setBrush(colours.raised)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.setPen(QPen(colours.grid, 1.0))
        painter.setBrush(colours.base)
        painter.drawRoundedRect(at.text, 4, 4)
        painter.setFont(style.title_font)
        painter.setPen(colours.text)
        title = style.titles.elidedText(self.lane.title, Qt.TextElideMode.ElideRight, at.title.width())
        painter.drawText(at.title, _LEFT, title)
        left = style.titles.horizontalAdvance(title) + 10
        if self.width() >= NARROW:
            painter.setFont(style.small)
            painter.setPen(colours.muted)
            painter.drawText(at.title.adjusted(left, 0, 0, 0), _LEFT,
                             style.fitting((self.lane.about, self.lane.gist), at.title.width() - left))

    def _paint_verdict(self, painter: QPainter, colours: palette.Palette) -> None:
        ok, words = self._words
        painter.fillRect(self._at.chip, colours.raised)
        painter.setFont(self._style.small)
        painter.setPen(colours.good if ok else colours.error)
        painter.drawText(self._at.chip, _RIGHT, self._style.elided(words, self._at.chip.width()))

    def _paint_state(self, painter: QPainter, colours: palette.Palette) -> None:
        area, rows = self._at.state, self._at.rows
        warn = self._odd or bool(self.view.note)
        painter.fillRect(area, colours.raised)
        painter.setFont(self._style.small)
        painter.setPen(colours.error if self._bad else colours.warning if warn else colours.muted)
        text = self._style.elided(("⚠ " if warn else "") + self._sentence,
                                  area.width() * rows - (30 if rows > 1 else 0))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        painter.drawText(area, flags | Qt.TextFlag.TextWordWrap if rows > 1 else flags, text)

    def _lay_out(self) -> None:
        """Plan what the text area shows now, and ask for the part of it that differs to be painted."""
        before, self._plan = self._plan, self._make_plan()
        self.update(self._difference(before, self._plan).toAlignedRect())

    def _make_plan(self) -> Plan:
        style, area, view, text = self._style, self._at.text, self.view, self.lane.text
        shown, fresh = len(view.visible), len(view.visible) - len(view.emitted)
        lines = self._tail.last_lines(text, shown, self._lines)
        layouts = [self._line_layout(text, line, fresh) for line in lines]
        extra = self._extra_width(view)
        x = self._line_end(text, lines[-1], layouts[-1]) if lines else 0.0
        wraps = bool(extra) and x > 0 and x + extra > area.width() - 2 * PAD
        if wraps and len(lines) == self._lines:
            lines, layouts = lines[1:], layouts[1:]
        placed = []
        y = area.top() + 5
        for line, layout in zip(lines, layouts, strict=True):
            ascent = layout.lineAt(0).ascent() if layout.lineCount() else 0.0  # of the highest font in the line
            top = y + (style.line - style.text_line) / 2 + style.ascent - ascent
            placed.append((line, layout, QPointF(area.left() + PAD, top)))
            y += style.line
        left = 0.0 if wraps or not lines else x + 2
        return Plan(placed, area.left() + PAD + left, y if wraps else y - style.line, extra, fresh, wraps)

    def _difference(self, old: Plan | None, new: Plan) -> QRectF:
        """Where two plans differ: from the beginning of the first word that was or is new, in the last line."""
        inner = self._at.inner
        if old is None or old.wraps or new.wraps or len(old.lines) != len(new.lines) or not new.lines:
            return inner
        if any(plan.lines[-1][0].end == 0 for plan in (old, new)):  # "nothing yet"
            return inner
        line, layout, origin = new.lines[-1]
        first = min(old.fresh, new.fresh)
        if any(a[0].start != b[0].start for a, b in zip(old.lines, new.lines, strict=True)) or first < line.start:
            return inner  # lines move, or what was new above is so no more
        left = inner.left()
        piece = self.lane.text[line.start : first]
        if layout.lineCount() and (piece.isascii() or not _RIGHT_TO_LEFT.search(self.lane.text, line.start, line.end)):
            word = piece.rfind(" ") + 1  # within a word a new character may change those before it
            x, _ = layout.lineAt(0).cursorToX(utf16_length(piece[:word]))  # type: ignore[misc] # a pair, whatever its stub says
            left = origin.x() + x - 4
        right = max(p.waiting_x + p.extra for p in (old, new)) + 8
        # A line in which a font is higher than the text font reaches into the one above.
        top = min(p.lines[-1][2].y() for p in (old, new)) - 2 if len(new.lines) > 1 else inner.top()
        return QRectF(left, top, right - left, inner.bottom() - top).intersected(inner)

    def _paint_text(self, painter: QPainter, colours: palette.Palette) -> None:
        if self._plan is None:
            self._plan = self._make_plan()
        style, plan, view = self._style, self._plan, self.view
        painter.fillRect(self._at.inner, colours.base)
        top = painter.clipBoundingRect().top()
        painter.setPen(colours.text)
        for _, layout, origin in plan.lines:
            if origin.y() + 1.5 * style.line > top:  # its underlines reach into the next
                layout.draw(painter, origin)
        if plan.extra:
            self._paint_waiting(painter, colours, view, plan.waiting_x, plan.waiting_y)
        elif not view.visible and not view.held:
            painter.setFont(style.small)
            painter.setPen(colours.faint)
            painter.drawText(self._at.inner.adjusted(PAD - 2, 0, 0, 0), _LEFT, "nothing yet")

    def _line_layout(self, text: str, line: TailLine, fresh: int) -> QTextLayout:
        """A line with its marks; whole old lines are kept from frame to frame."""
        key = (line.start, line.end)
        settled = line.end <= fresh
        if settled and key in self._layouts:
            return self._layouts[key]
        piece = text[line.start : line.end].rstrip("\n\r\x0b\x0c\u2028\u2029")
        marks = self._marks(line.start, line.start + len(piece))
        kinds = ((mark.char - line.start, self._run.cause(mark).kind) for mark in marks)
        ranges = self._style.ranges(piece, max(fresh - line.start, 0), kinds)
        layout = self._tail.layout(piece, wrap=False, formats=ranges)
        if settled:
            if len(self._layouts) > 64:
                self._layouts.clear()
            self._layouts[key] = layout
        return layout

    def _line_end(self, text: str, line: TailLine, layout: QTextLayout) -> float:
        """Where the line ends, with the spaces at its end, which its natural width leaves out."""
        if layout.lineCount() == 0:
            return 0.0
        piece = text[line.start : line.end].rstrip("\n\r")
        spaces = len(piece) - len(piece.rstrip(" "))
        return layout.lineAt(0).naturalTextRect().right() + spaces * self._style.space

    # What waits

    def _extra_width(self, view: StepView) -> float:
        width = 0.0
        if view.stop_held:
            width += self._style.smalls.horizontalAdvance(repr(view.stop_held)) + 18
        if view.held:
            width += (min(len(view.held), CELLS) + (len(view.held) > CELLS)) * (self._style.cell_width + 3) + 4
        return width

    def _paint_waiting(self, painter: QPainter, colours: palette.Palette, view: StepView, left: float,
                       top: float) -> None:
        """Text that may begin a stop string, and held bytes, as dashed boxes after the text."""
        style = self._style
        if view.stop_held:
            shown = repr(view.stop_held)
            painter.setFont(style.small)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(left + 3, top + 2, style.smalls.horizontalAdvance(shown) + 10, style.line - 4)
            painter.setPen(QPen(colours.special, 1.2, Qt.PenStyle.DotLine))
            painter.setBrush(colours.base)
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(colours.special)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)
            left = box.right() + 5
        count = len(view.held)
        cells: list[int | None] = list(range(count))
        if count > CELLS:
            cells = [*range(3), None, *range(count - CELLS + 3, count)]
        position = self._player.position
        offset = self.lane.taken[position - 1] if position else self.lane.first_taken
        whole = count - incomplete_tail(view.held[-3:])
        for index in cells:
            if index is None:
                painter.setFont(style.cell_font)
                painter.setPen(colours.muted)
                painter.drawText(QRectF(left + 3, top + 2, style.cell_width, style.line - 4),
                                 Qt.AlignmentFlag.AlignCenter, "…")
            else:
                role = self._run.roles[offset + index] if index < whole else ByteRole.TRUNCATED
                painter.drawPixmap(QPointF(left + 3, top + 2),
                                   style.cell(view.held[index], role, self.devicePixelRatioF()))
            left += style.cell_width + 3

    # Help, not by overriding event(): Python in the middle of a deferred delete ends the process.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.setToolTip(self.help_at(event.position()))
        super().mouseMoveEvent(event)

    def help_at(self, point: QPointF) -> str:
        """Why the U+FFFD under the pointer is there; elsewhere what the policy does and what it does now."""
        for line, layout, origin in self._plan.lines if self._plan else ():
            if layout.lineCount() and origin.y() <= point.y() < origin.y() + self._style.line:
                piece = self.lane.text[line.start : line.end]
                x = point.x() - origin.x()
                unit = layout.lineAt(0).xToCursor(x, QTextLine.CursorPosition.CursorOnCharacter)
                char = line.start + int(utf16_starts(piece).searchsorted(unit, side="right")) - 1
                for mark in self._marks(char, char + 1):
                    return _markup(self._run.cause(mark).sentence)
        return _markup(self.lane.about + (f"\n{self._sentence}" if self._sentence else ""))


def _markup(text: str) -> str:
    """Text for a tooltip, which would take it for markup."""
    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>"
