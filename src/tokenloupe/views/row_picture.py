"""One row as it is drawn: its layout, its tokens, and the rectangles that follow from both, made once and kept.

    picture = RowPicture(layout, tokens, limit=700.0, cells=True)
    picture.height, picture.shapes(0).fills     # colour index -> rectangles

All places count from the row's top left corner. A line with split clusters has room beneath for their hex cells; that
is why heights come from here and not from the layout. Geometry is made line by line when it is first painted, and
`line_key` tells which visual lines an edit left as they were.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QRectF

from ..core.vocabulary import TokenKind
from . import split_glyphs
from .row_layout import BELOW, RowLayout
from .row_signs import STRIP, Pin
from .row_tokens import Point, RowTokens, Split
from .split_glyphs import Group, SplitCluster

#: More split clusters than this in one visual line are hatched only, without cells: nobody reads 300 cells.
MOST = 300
_FRAMED = (int(TokenKind.SPECIAL), int(TokenKind.ADDED))


class LineShapes(NamedTuple):
    """What is painted of one visual line besides its text; y counts from the line's top.

    fills: colour index -> rectangles as high as the line, the room for the tokens' pattern lines included. lost: the
    same of bytes that no token has. strips: over bytes that come back changed. pins: tokens without bytes.
    """

    fills: dict[int, list[QRectF]]
    ticks: list[QLineF]
    frames: list[QRectF]
    splits: list[SplitCluster]
    lost: list[QRectF]
    strips: list[QRectF]
    pins: list[Pin]


class RowPicture:
    """tops: y of each visual line. height: of the row. limit: width the hex cells may use.

    lead: room above the row (above the first one of a text). old: the row before an edit; what the edit left as it
    was is taken from it.
    """

    def __init__(self, layout: RowLayout, tokens: RowTokens, limit: float, cells: bool, lead: float = 0.0,
                 old: RowPicture | None = None) -> None:
        self.layout, self.tokens, self.limit = layout, tokens, limit
        self.solids, splits = tokens.on(layout.row)
        lines = layout.lines
        self._shapes: list[LineShapes | None] = [None] * len(lines)
        self._keys: list[tuple[object, ...] | None] = [None] * len(lines)
        self._groups: dict[int, tuple[list[Group], int, int]] = {}
        self._splits = self._by_line(splits) if splits else {}
        self._points: dict[int, list[Point]] = {}
        for point in tokens.points:
            self._points.setdefault(layout.line_of(point.byte_pos), []).append(point)
        self.tops: list[float] = []
        arranged = self._adopt(old) if old is not None else {}
        y = lead
        for k, line in enumerate(lines):
            self.tops.append(y)
            y += line.height
            if k in self._splits:
                y += split_glyphs.STRIPE - BELOW + 1
                if cells:
                    found = arranged.get(k) or split_glyphs.arrange(
                        self.shapes(k).splits[:MOST], layout.metrics, limit, layout.row.data)
                    self._groups[k] = found
                    y += split_glyphs.height(found[1], layout.metrics)
        self.height = round(y)

    def _by_line(self, splits: list[Split]) -> dict[int, list[Split]]:
        units, lines = self.layout.row.cluster_utf16, self.layout.lines
        out: dict[int, list[Split]] = {}
        k = 0
        for split in splits:
            unit = int(units[split.cluster])
            while k + 1 < len(lines) and unit >= lines[k].end:
                k += 1
            out.setdefault(k, []).append(split)
        return out

    def line_at_y(self, y: float) -> int:
        """The visual line at y from the row's top, clamped; cells belong to the line above them."""
        k = 0
        while k + 1 < len(self.tops) and y >= self.tops[k + 1]:
            k += 1
        return k

    def bottom_of(self, line: int) -> float:
        return self.tops[line + 1] if line + 1 < len(self.tops) else self.height

    def groups(self, line: int) -> tuple[list[Group], int, int]:
        return self._groups.get(line, ([], 0, 0))

    def _slice(self, k: int) -> slice:
        """Which solid stretches touch a visual line."""
        line, solids = self.layout.lines[k], self.solids
        return slice(int(solids.ends.searchsorted(line.start, "right")),
                     int(solids.starts.searchsorted(line.end, "left")))

    def line_key(self, k: int) -> tuple[object, ...]:
        """Equal for two visual lines that look the same. A row with two directions changes as a whole."""
        known = self._keys[k]
        if known is None:
            known = self._keys[k] = self._key(k)
        return known

    def _adopt(self, old: RowPicture) -> dict[int, tuple[list[Group], int, int]]:
        """Take over the shapes of those visual lines that an edit left as they were; returns cells that stay, too.

        Cells know the byte they begin with: only those of lines that did not move in the row stay.
        """
        made = {old.line_key(k): k for k, shapes in enumerate(old._shapes) if shapes is not None}
        cells: dict[int, tuple[list[Group], int, int]] = {}
        same = old.limit == self.limit and old.layout.metrics is self.layout.metrics
        for k, line in enumerate(self.layout.lines):
            at = made.get(self.line_key(k))
            if at is not None:
                self._shapes[k] = self._moved(k, old.shapes(at))
                if same and at in old._groups and old.layout.line_bytes(at)[0] == self.layout.line_bytes(k)[0] \
                        and line.start == old.layout.lines[at].start:
                    cells[k] = old._groups[at]
        return cells

    def _moved(self, k: int, shapes: LineShapes) -> LineShapes:
        """The shapes of an equal line: the same places, but the bytes of clusters and pins counted in this row."""
        here, points = self._splits.get(k, ()), self._points.get(k, ())
        if here:
            shapes = shapes._replace(splits=[SplitCluster(s.leading, s.trailing, split.parts)
                                             for s, split in zip(shapes.splits, here, strict=True)])
        if points:
            shapes = shapes._replace(pins=[pin._replace(byte_pos=point.byte_pos)
                                           for pin, point in zip(shapes.pins, points, strict=True)])
        return shapes

    def _key(self, k: int) -> tuple[object, ...]:
        layout, solids = self.layout, self.solids
        line, row = layout.lines[k], layout.row
        if row.rtl or layout.preedit_range[1]:
            return (k, row.data, row.text, self.tokens.starts.tobytes(), self.tokens.colours.tobytes(),
                    self.tokens.lost.tobytes(), self.tokens.points, self.tokens.changed, layout.preedit_range)
        cut = self._slice(k)
        a, b = row.cluster_utf16.searchsorted((line.start, line.end))
        low, high = int(row.cluster_bytes[a]), int(row.cluster_bytes[min(b, len(row.cluster_bytes) - 1)])
        splits = tuple((int(row.cluster_utf16[s.cluster]) - line.start,
                        *((p.byte_end - p.byte_start, p.token, p.colour) for p in s.parts))
                       for s in self._splits.get(k, ()))
        points = tuple((p.byte_pos - low, p.colour) for p in self._points.get(k, ()))
        changed = tuple((max(a, low) - low, min(b, high) - low) for a, b in self.tokens.changed if a < high and b > low)
        return (line.height, row.data[low:high], splits, points, changed, solids.lost[cut].tobytes(),
                (solids.starts[cut] - line.start).tobytes(), (solids.ends[cut] - line.start).tobytes(),
                solids.colours[cut].tobytes(), solids.begins[cut].tobytes(), solids.kinds[cut].tobytes())

    def shapes(self, k: int) -> LineShapes:
        """The shapes of one visual line, made when first asked for."""
        known = self._shapes[k]
        if known is None:
            known = self._shapes[k] = self._make(k)
        return known

    def _make(self, k: int) -> LineShapes:
        layout, cut = self.layout, self._slice(k)
        out = LineShapes({}, [], [], [], [], [], [])
        if layout.rtl:
            self._two_directions(k, cut, out)
        else:
            self._one_direction(k, cut, out)
        for cluster, parts in self._splits.get(k, ()):
            x0, x1, _ = layout.cluster_edges(k, cluster)
            out.splits.append(SplitCluster(x0, x1, parts))
        self._signs(k, out)
        return out

    def _one_direction(self, k: int, cut: slice, out: LineShapes) -> None:
        """Each token lies in one place. Made on every key for every line behind it: hence lists, not a loop."""
        line, solids, fills = self.layout.lines[k], self.solids, out.fills
        starts = np.maximum(solids.starts[cut], line.start)
        ends = np.minimum(solids.ends[cut], line.end).tolist()
        to_x, height, bottom = line.text_line.cursorToX, line.height, line.height - BELOW
        lefts = [to_x(unit)[0] for unit in starts.tolist()]
        follows = (starts[1:] == solids.ends[cut][:-1]).tolist()
        rights = [x if same else to_x(end)[0] for x, same, end in zip(lefts[1:], follows, ends, strict=False)]
        rights += [to_x(end)[0] for end in ends[-1:]]
        rects = [QRectF(x, 0.0, y - x, height) for x, y in zip(lefts, rights, strict=True)]
        lost = solids.lost[cut]
        if bool(lost.any()):
            out.lost.extend(rect for rect, gone in zip(rects, lost.tolist(), strict=True) if gone)
            rects = [rect for rect, gone in zip(rects, lost.tolist(), strict=True) if not gone]
            own = zip(solids.colours[cut][~lost].tolist(), rects, strict=True)
        else:
            own = zip(solids.colours[cut].tolist(), rects, strict=True)
        for colour, rect in own:
            if (listed := fills.get(colour)) is None:
                fills[colour] = [rect]
            else:
                listed.append(rect)
        begins = solids.begins[cut] & (solids.starts[cut] >= line.start)
        out.ticks.extend([QLineF(x + 0.5, 0.0, x + 0.5, bottom)
                          for x, here in zip(lefts, begins.tolist(), strict=True) if here])
        kinds = solids.kinds[cut]
        for i in np.flatnonzero((kinds == _FRAMED[0]) | (kinds == _FRAMED[1])).tolist():
            out.frames.append(QRectF(lefts[i] + 1, 1, rights[i] - lefts[i] - 2, bottom - 2))

    def _signs(self, k: int, out: LineShapes) -> None:
        """What is not in the tokens' fills: changed bytes, and tokens without bytes."""
        layout, level, before = self.layout, 0, -1
        for low, high in self.tokens.changed:
            out.strips.extend(QRectF(a, 0.0, b - a, STRIP) for a, b in layout.bytes_x(k, low, high) if b > a)
        for point in self._points.get(k, ()):
            level = level + 1 if point.byte_pos == before else 0
            before = point.byte_pos
            out.pins.append(Pin(layout.caret_x(k, point.byte_pos), point.byte_pos, point.colour, level))

    def _two_directions(self, k: int, cut: slice, out: LineShapes) -> None:
        """A token may lie in several places; its tick stands at its leading edge, on the right in Arabic."""
        layout, line = self.layout, self.layout.lines[k]
        bottom = line.height - BELOW
        for start, end, colour, begins, kind, lost in zip(*(c[cut].tolist() for c in self.solids), strict=True):
            spans = layout.spans_x(k, start, end)
            for left, right in spans:
                fills = out.lost if lost else out.fills.setdefault(colour, [])
                fills.append(QRectF(left, 0.0, right - left, line.height))
                if kind in _FRAMED:
                    out.frames.append(QRectF(left + 1, 1, right - left - 2, bottom - 2))
            if spans and begins and start >= line.start:
                x = layout.cluster_edges(k, layout.row.cluster_of_utf16(start))[0]
                out.ticks.append(QLineF(x + 0.5, 0, x + 0.5, bottom))
