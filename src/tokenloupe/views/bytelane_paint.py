"""Painting the byte lane: the cells in sight, row by row, then what lies over all of them.

    LanePainter(painter, model, frame, ruler, texts, tops, focused=True).paint()

Lead bytes stand tall with a bar at their left, continuation bytes are lower and hang on it by a line, invalid bytes are
crossed, cut ones dashed. A token's edge that cuts a code point rises into it as a filled triangle, one that cuts only a
grapheme as a hollow diamond: neither is told by its colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from ..core.bytelane import CutKind, Unit
from ..core.bytelane_tokens import TokenCell
from ..core.utf8 import ByteRole
from ..models.bytelane import Frame, LaneModel
from ..models.readable import readable
from . import palette
from .bytelane_geometry import Ruler
from .bytelane_text import PLAIN, SMALL, Texts, cluster_text

_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
#: Height of a continuation byte's cell beneath the lead's top, of a mark, half the width of a mark; pixels.
LOWER, MARK, HALF = 5.0, 7.0, 4.0


def cut_mark(painter: QPainter, colours: palette.Palette, kind: int, x: float, bottom: float,
             size: float = 1.0) -> None:
    """A triangle (code point) or a diamond (grapheme) that stands on a row's lower edge."""
    high, half = MARK * size, HALF * size
    if kind == CutKind.CODE_POINT:
        painter.setPen(QPen(colours.base, 1))
        painter.setBrush(colours.error)
        points = [QPointF(x - half, bottom), QPointF(x, bottom - high), QPointF(x + half, bottom)]
    else:
        painter.setPen(QPen(colours.warning, 1.6))
        painter.setBrush(colours.base)
        middle = bottom - high / 2
        points = [QPointF(x, bottom - high), QPointF(x + half, middle), QPointF(x, bottom), QPointF(x - half, middle)]
    painter.drawPolygon(QPolygonF(points))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def cut_pen(colours: palette.Palette, kind: int) -> QPen:
    if kind == CutKind.CODE_POINT:
        return QPen(colours.error, 2)
    if kind == CutKind.GRAPHEME:
        return QPen(colours.warning, 1.5, Qt.PenStyle.DashLine)
    return QPen(colours.border, 1)


def pin(painter: QPainter, edge: QColor, fill: QColor, x: float, top: float) -> None:
    """Something that no byte is behind: a flag that points at a place between bytes."""
    painter.setPen(QPen(edge, 1.4))
    painter.setBrush(fill)
    painter.drawPolygon(QPolygonF([QPointF(x - 5, top), QPointF(x + 5, top), QPointF(x, top + 9)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def changed_strip(painter: QPainter, colours: palette.Palette, area: QRectF) -> None:
    """Over bytes that a token has but that come back as others."""
    painter.fillRect(area, colours.base)
    painter.fillRect(area, QBrush(colours.error, Qt.BrushStyle.BDiagPattern))
    painter.setPen(QPen(colours.error, 1))
    painter.drawLine(QLineF(area.left(), area.bottom(), area.right(), area.bottom()))


def byte_cell(painter: QPainter, colours: palette.Palette, role: int, byte: int, area: QRectF) -> QRectF:
    """One byte's cell without its digits; gives what of it is for the digits."""
    style = colours.byte_style(role, byte)
    inner = area.adjusted(0.5, 2.5, -0.5, -2.5)
    if role == ByteRole.CONTINUATION:
        inner.setTop(inner.top() + LOWER)
    painter.fillRect(inner, style.brush)
    if ByteRole.LEAD2 <= role <= ByteRole.LEAD4:
        painter.fillRect(QRectF(inner.left(), inner.top(), min(3.0, inner.width() / 2), inner.height()), colours.accent)
    elif role == ByteRole.INVALID:
        painter.setPen(QPen(colours.error, 1.4))
        box = inner.adjusted(0.7, 0.7, -0.7, -0.7)
        painter.drawRect(box)
        corner = min(5.0, box.width() / 3)
        for x, step in ((box.left(), corner), (box.right(), -corner)):
            painter.drawLine(QLineF(x, box.top(), x + step, box.top() + corner))
            painter.drawLine(QLineF(x, box.bottom(), x + step, box.bottom() - corner))
    elif role == ByteRole.TRUNCATED:
        painter.setPen(QPen(colours.warning, 1.4, Qt.PenStyle.DashLine))
        painter.drawRect(inner.adjusted(0.7, 0.7, -0.7, -0.7))
    return inner


class LanePainter:
    """One frame of the sheet. top: y of the first row in the viewport."""

    def __init__(self, painter: QPainter, model: LaneModel, frame: Frame, ruler: Ruler, texts: Texts,
                 top: float) -> None:
        self.p, self.model, self.frame, self.ruler, self.texts, self.top = painter, model, frame, ruler, texts, top
        self.colours = palette.current()
        self.g = ruler.geometry
        self.first, self.last = max(ruler.first, frame.lane.start), min(ruler.last, frame.lane.end)
        self.selection = model.session.selection
        self._notes: list[Unit] = []  # rows that have a sentence instead of cells
        self._x0, self._cell = ruler.x(0), ruler.cell
        self._tops = {row.unit: (top + row.top, row.height) for row in self.g.rows}

    def paint(self) -> None:
        self._selected()
        self._lines()
        self._graphemes()
        self._code_points()
        self._bytes()
        self._changes()
        self._pre_tokens()
        self._tokens()
        self._cuts()
        for unit in self._notes:
            self._note(unit)
        self._over()

    # Places

    def area(self, unit: Unit, start: float, end: float) -> QRectF:
        top, height = self._tops[unit]
        return QRectF(self._x0 + start * self._cell, top, (end - start) * self._cell, height)

    def seen(self, area: QRectF) -> QRectF:
        """What of an area is in sight, so that a long cell's text stays there."""
        left = max(area.left(), self.g.gutter)
        return QRectF(left, area.top(), max(min(area.right(), self.ruler.width) - left, 0.0), area.height())

    def _pairs(self, edges: list[int]) -> Iterator[tuple[int, int]]:
        for a, b in pairwise(edges):
            if b > self.first and a < self.last:
                yield a, b

    def _ink(self, start: int, end: int) -> QColor:
        low, high = self.selection
        return self.colours.selection_text if low <= start and end <= high and low < high else self.colours.text

    # Beneath

    def _selected(self) -> None:
        low, high = self.selection
        if low < high and high > self.first and low < self.last:
            left, right = self.ruler.x(max(low, self.first - 1)), self.ruler.x(min(high, self.last + 1))
            self.p.fillRect(QRectF(left, self.top, right - left, self.g.height), self.colours.selection)

    def _lines(self) -> None:
        self.p.setPen(QPen(self.colours.grid, 1))
        right = self.ruler.width
        self.p.drawLines([QLineF(self.g.gutter, self.top + row.bottom - 0.5, right, self.top + row.bottom - 0.5)
                          for row in self.g.rows])

    # Rows

    def _graphemes(self) -> None:
        data, base = self.frame.lane.data, self.frame.lane.start
        frames: list[tuple[QRectF, bool]] = []
        for a, b in self._pairs(self.frame.lane.graphemes.tolist()):
            area = self.area("grapheme", a, b)
            frames.append((area.adjusted(1, 2.5, -1, -3.5), b - a > 1))
            if area.width() + 3 < self.g.letter:
                continue
            self.p.setPen(self._ink(a, b))
            if a >= base and b <= base + len(data):
                self.texts.draw(self.p, self.seen(area), cluster_text(data[a - base : b - base]), PLAIN, over=3)
        self._boxes(frames)

    def _boxes(self, frames: list[tuple[QRectF, bool]]) -> None:
        """(box, is it of several bytes?): those stand out."""
        if self.ruler.cell < 5:
            return
        self.p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for strong in (False, True):
            self.p.setPen(QPen(self.colours.invisible if strong else self.colours.border, 1))
            for box, several in frames:
                if several == strong:
                    self.p.drawRoundedRect(box, 3, 3)
        self.p.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _code_points(self) -> None:
        from ..core.unicode_names import described

        lane, base, half = self.frame.lane, self.frame.lane.start, self.g.small_line
        frames: list[tuple[QRectF, bool]] = []
        edges = lane.code_points.tolist()
        first = max(int(lane.code_points.searchsorted(self.first, "right")) - 1, 0)
        last = min(int(lane.code_points.searchsorted(self.last, "left")), len(lane.text))
        for k in range(first, last):
            a, b = edges[k], edges[k + 1]
            area = self.area("code point", a, b)
            frames.append((area.adjusted(1, 1.5, -1, -2.5), b - a > 1))
            if area.width() < (4 * self.g.letter if lane.valid[k] else self.g.letter):
                continue
            if not lane.valid[k]:
                self.p.setPen(self.colours.error)
                self.texts.draw(self.p, self.seen(area), "×", SMALL)
                continue
            seen = self.seen(area).adjusted(2, 3, -2, -4)
            upper, lower = QRectF(seen.left(), seen.top(), seen.width(), half), seen.adjusted(0, half, 0, 0)
            point, ink = ord(lane.text[k]), self._ink(a, b)
            number, room = f"{point:04X}", seen.width() + 2
            glyph = cluster_text(lane.data[a - base : b - base])
            shown = next((t for t in (f"{glyph} U+{number}", f"U+{number}", number)
                          if self.texts.width(t, SMALL) <= room), "")
            self.p.setPen(ink)
            name = self.texts.fitting(described(point).name, seen.width(), SMALL, least=6) if seen.width() > 40 else ""
            self.texts.draw(self.p, upper if name else seen, shown, SMALL, over=2)
            if name:
                self.p.setPen(ink if ink is not self.colours.text else self.colours.muted)
                self.texts.draw(self.p, lower, name, SMALL, over=2)
        self._boxes(frames)

    def _bytes(self) -> None:
        lane, base = self.frame.lane, self.frame.lane.start
        if self._cell < 5:
            self._narrow_bytes()
            return
        roles = lane.roles.tolist()
        digits = self._cell >= 2 * self.g.letter + 3
        font = PLAIN if self._cell >= 2 * self.g.digit + 6 else SMALL
        joins: list[QLineF] = []
        inks: dict[int, list[tuple[QRectF, str]]] = {}
        for at in range(self.first, self.last):
            byte, role = lane.data[at - base], roles[at - base]
            area = self.area("byte", at, at + 1)
            inner = byte_cell(self.p, self.colours, role, byte, area)
            if role == ByteRole.CONTINUATION:
                joins.append(QLineF(area.left() - 1, inner.bottom() - 0.5, area.right() - 0.5, inner.bottom() - 0.5))
            if digits:
                inks.setdefault(role, []).append((inner, f"{byte:02X}"))
        self.p.setPen(QPen(self.colours.accent, 1.6))
        self.p.drawLines(joins)
        for role, cells in inks.items():
            self.p.setPen(self.colours.byte_style(role).text)
            for inner, text in cells:
                self.texts.draw(self.p, inner, text, font)

    def _narrow_bytes(self) -> None:
        """Bytes of a few pixels: what neighbours have in common is one stroke, continuation bytes lower as ever."""
        roles = self.frame.lane.roles[self.first - self.frame.lane.start : self.last - self.frame.lane.start]
        edges = [0, *(np.flatnonzero(np.diff(roles)) + 1).tolist(), len(roles)]
        for a, b in pairwise(edges):
            if a < b:
                role = int(roles[a])
                area = self.area("byte", self.first + a, self.first + b).adjusted(
                    0, 2.5 + (LOWER if role == ByteRole.CONTINUATION else 0), 0, -2.5)
                strong = {ByteRole.INVALID: self.colours.error, ByteRole.TRUNCATED: self.colours.warning}
                lead = ByteRole.LEAD2 <= role <= ByteRole.LEAD4
                fill = self.colours.accent if lead else strong.get(ByteRole(role), self.colours.byte_style(role).fill)
                self.p.fillRect(area, fill)

    def _changes(self) -> None:
        if not self.frame.changes:
            self._notes.append("change")
            return
        pins: dict[int, int] = {}
        for change in self.frame.changes:
            if change.end < self.first or change.start > self.last:
                continue
            if change.start == change.end:
                area = self.area("change", change.start, change.start)
                x = area.left() + 9 * pins.setdefault(change.start, 0)
                pins[change.start] += 1
                pin(self.p, self.colours.good, self.colours.base, x, area.top() + 2)
                continue
            area = self.area("change", change.start, change.end).adjusted(1, 2.5, -1, -3.5)
            self.p.setPen(QPen(self.colours.good, 1.3, Qt.PenStyle.SolidLine if change.after else Qt.PenStyle.DashLine))
            self.p.drawRoundedRect(area, 3, 3)
            self.p.setPen(self._ink(change.start, change.end))
            inner = self.seen(area).adjusted(3, 0, -3, 0)
            before, after = readable(change.before.encode("utf-8", "surrogateescape"), 40), "dropped"
            if change.after:
                after = readable(change.after.encode("utf-8", "surrogateescape"), 40)
            texts = (f"{before} → {after}", f"→ {after}", after) if change.after else (after, "∅")
            any(self.texts.draw(self.p, inner, text, SMALL, over=2) for text in texts)

    def _pre_tokens(self) -> None:
        if self.frame.pre_tokens is None:
            self._notes.append("pre-token")
            return
        brackets: list[QLineF] = []
        self.p.setPen(QPen(self.colours.muted, 1))
        for a, b in self.frame.pre_tokens:
            if b <= self.first or a >= self.last:
                continue
            area = self.area("pre-token", a, b).adjusted(1, 2.5, -1, -3.5)
            left, right, y = area.left(), area.right(), area.bottom()
            brackets += (QLineF(left, y, right, y), QLineF(left, y, left, y - 6), QLineF(right, y, right, y - 6))
            if area.width() < self.g.letter:
                continue
            inner = self.seen(area).adjusted(3, 0, -3, -1)
            text = readable(self.model.session.document.store.bytes(a, min(b, a + 600)), 160)
            self.p.setPen(self._ink(a, b))
            self.texts.draw(self.p, inner, self.texts.fitting(text, inner.width() + 2, SMALL, least=2), SMALL, over=2)
        self.p.setPen(QPen(self.colours.muted, 1))
        self.p.drawLines(brackets)

    def _note(self, unit: Unit) -> None:
        """Why there is nothing in a row."""
        if text := self.model.note(unit):
            area = self.area(unit, 0, 0)
            room = QRectF(self.g.gutter + 8, area.top(), self.ruler.width - self.g.gutter - 12, area.height())
            text = self.texts.fitting(text, room.width(), SMALL)
            ground = QRectF(room.left() - 4, room.top() + 1, self.texts.width(text, SMALL) + 8, room.height() - 3)
            self.p.fillRect(ground, self.colours.base)
            self.p.setPen(self.colours.faint)
            self.texts.draw(self.p, room, text, SMALL, left=True)

    def _tokens(self) -> None:
        complete = self.model.source.document.complete_to
        if complete < self.last:
            area = self.seen(self.area("token", max(complete, self.first), self.last))
            self.p.fillRect(area, self.colours.hatch_brush)
            self.p.setPen(self.colours.muted)
            self.texts.draw(self.p, area, "no tokens yet", SMALL)
        for gap in self.frame.lost:
            if not gap.held:
                self._lost(gap.start, gap.end, gap.stage)
        top, height = self._tops["token"]
        boxes: list[tuple[TokenCell, QRectF, int]] = []
        for cell in self.frame.tokens:
            if cell.start < cell.end and cell.end > self.first and cell.start < self.last:
                each = (height - 4) / cell.levels
                area = QRectF(self._x0 + cell.start * self._cell + 0.5, top + 2 + cell.level * each,
                              (cell.end - cell.start) * self._cell - 1, each - (cell.levels > 1))
                boxes.append((cell, area, self.model.colours.at(cell.index)))
        self._token_grounds(boxes)
        for cell, area, _ in boxes:
            if cell.kind in (1, 2):
                self.p.setPen(QPen(self.colours.special, 1.4))
                self.p.drawRect(area.adjusted(0.7, 0.7, -0.7, -0.7))
            if area.width() >= self.g.letter:
                self._token_text(cell, area)
        for gap in self.frame.lost:
            if gap.held:
                area = self.area("token", gap.start, gap.end)
                changed_strip(self.p, self.colours, QRectF(area.left() + 1, area.top() + 2, area.width() - 2, 4))
        for cell in self.frame.tokens:
            if cell.start == cell.end and self.first <= cell.start <= self.last:
                colour = self.model.colours.at(cell.index)
                x = self.area("token", cell.start, cell.start).left() + 9 * cell.level
                pin(self.p, self.colours.edge_of(colour), self.colours.fill_of(colour), x, top + 1)

    def _token_grounds(self, boxes: list[tuple[TokenCell, QRectF, int]]) -> None:
        """Fills and lines, those of one colour together."""
        groups: dict[int, list[QRectF]] = {}
        for _, area, colour in boxes:
            groups.setdefault(colour, []).append(area)
        self.p.setPen(Qt.PenStyle.NoPen)
        for colour, areas in groups.items():
            self.p.setBrush(self.colours.fill_of(colour))
            self.p.drawRects(areas)
        self.p.setBrush(Qt.BrushStyle.NoBrush)
        for colour, areas in groups.items():
            self.p.setPen(self.colours.token_pen(colour))
            self.p.drawLines([QLineF(a.left(), a.bottom() - 1, a.right(), a.bottom() - 1) for a in areas])

    def _token_text(self, cell: TokenCell, area: QRectF) -> None:
        inner = self.seen(area).adjusted(2, 0, -2, 0)
        self.p.setPen(self.colours.token_text)
        data = self.model.token_bytes(cell.id)
        text = readable(data, 60)
        if area.height() < self.g.line + self.g.small_line:
            shown = f"{cell.id} {text}"
            shown = shown if self.texts.width(shown, SMALL) <= inner.width() else str(cell.id)
            if area.height() >= self.g.small_line - 2:
                self.texts.draw(self.p, inner, shown, SMALL)
            return
        upper = QRectF(inner.left(), inner.top() + 2, inner.width(), self.g.line)
        lower = QRectF(inner.left(), upper.bottom(), inner.width(), self.g.small_line)
        plain = [text, data.hex()] if text.startswith("⟨") and text.endswith("⟩") else [text]
        for shown, font in ((t, f) for f in (PLAIN, SMALL) for t in plain):
            if self.texts.draw(self.p, upper, shown, font, over=3):
                break
        else:
            self.texts.draw(self.p, upper, self.texts.fitting(text, inner.width() + 2, PLAIN, least=1), PLAIN, over=2)
        self.texts.draw(self.p, lower, str(cell.id), SMALL, over=2)

    def _lost(self, start: int, end: int, stage: str) -> None:
        """Bytes no token has: a hatched gap."""
        area = self.area("token", start, end).adjusted(1, 2, -1, -3)
        self.p.fillRect(area, self.colours.hatch_brush)
        self.p.setPen(QPen(self.colours.hatch, 1, Qt.PenStyle.DotLine))
        self.p.drawRect(area)
        inner = self.seen(area).adjusted(2, 0, -2, 0)
        words = ("no token",) if not stage else (f"lost: {stage}", "lost", "∅")
        for text in words:
            if self.texts.width(text, SMALL) <= inner.width():
                middle = QRectF(inner.center().x() - self.texts.width(text, SMALL) / 2 - 3,
                                inner.center().y() - self.g.small_line / 2,
                                self.texts.width(text, SMALL) + 6, self.g.small_line)
                self.p.fillRect(middle, self.colours.base)
                self.p.setPen(self.colours.error if stage else self.colours.muted)
                self.texts.draw(self.p, middle, text, SMALL)
                break

    # Over all rows

    def _cuts(self) -> None:
        """Edges of tokens, from the token row up to the row of what they cut."""
        lane = self.frame.lane
        bottom = self.top + self.g.row("token").top
        lines: dict[int, list[QLineF]] = {}
        marks: list[tuple[int, float, float]] = []
        for cut, kind in zip(lane.cuts.tolist(), lane.cut_kinds.tolist(), strict=True):
            if not self.first <= cut <= self.last:
                continue
            x = self.ruler.x(cut)
            to: Unit = {CutKind.BETWEEN: "change", CutKind.GRAPHEME: "code point"}.get(kind, "byte")  # type: ignore[assignment]
            lines.setdefault(kind, []).append(QLineF(x, bottom, x, self.top + self.g.row(to).top))
            if kind != CutKind.BETWEEN:
                rows: Iterable[Unit] = ("grapheme", "code point") if kind == CutKind.CODE_POINT else ("grapheme",)
                marks += [(kind, x, self.top + self.g.row(unit).bottom - 1) for unit in rows]
        for kind, edges in lines.items():
            self.p.setPen(cut_pen(self.colours, kind))
            self.p.drawLines(edges)
        size = min(1.0, self.ruler.cell / 9)
        if size < 0.4:
            return
        self.p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for kind, x, y in marks:
            cut_mark(self.p, self.colours, kind, x, y, size)
        self.p.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _over(self) -> None:
        p, colours = self.p, self.colours
        p.setBrush(Qt.BrushStyle.NoBrush)
        low, high = self.model.session.hover
        if low >= 0 and high >= self.first and low <= self.last:
            left, right = self.ruler.x(low), self.ruler.x(high)
            p.setPen(QPen(colours.accent, 1.5))
            p.drawRect(QRectF(left, self.top + 0.5, max(right - left, 1), self.g.height - 1.5))
        low, high = self.selection
        if low < high and high >= self.first and low <= self.last:
            p.setPen(QPen(colours.focus, 1))
            p.drawRect(QRectF(self.ruler.x(low), self.top + 0.5, self.ruler.x(high) - self.ruler.x(low),
                              self.g.height - 1.5))

    def ring(self, start: int, end: int, index: int, focused: bool) -> None:
        """Around the current cell; a bar at the caret where it lies between cells."""
        p, unit = self.p, self.model.unit
        area = self.area(unit, start, end)
        for cell in self.frame.tokens if index >= 0 else ():
            if cell.index == index and cell.levels > 1 and start < end:
                height = area.height() / cell.levels
                area = QRectF(area.left(), area.top() + cell.level * height, area.width(), height)
            elif cell.index == index and start == end:
                area = QRectF(area.left() + 9 * cell.level, area.top(), 0, area.height())
        if start == end:
            area.adjust(-6, 0, 6, 0)
        if area.right() < self.g.gutter:
            return
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(self.colours.focus, 2.4) if focused else QPen(self.colours.muted, 1.2, Qt.PenStyle.DotLine))
        p.drawRect(area.adjusted(1, 1.5, -1, -1.5))
