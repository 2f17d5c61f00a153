"""One row as it is drawn: its layout, its tokens, and the rectangles that follow from both, made once and kept.

    picture = RowPicture(layout, tokens, limit=700.0, cells=True)
    picture.height, picture.lines[0].fills     # colour index -> rectangles

All places count from the row's top left corner. A line with split clusters has room beneath for their hex cells; that
is why heights come from here and not from the layout. Geometry is made line by line when it is first painted.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QLineF, QRectF

from ..core.vocabulary import TokenKind
from . import split_glyphs
from .row_layout import BELOW, RowLayout
from .row_tokens import RowTokens, Segment, Solid, Split
from .split_glyphs import Group, SplitCluster

#: More split clusters than this in one visual line are hatched only, without cells: nobody reads 300 cells.
MOST = 300
_FRAMED = (int(TokenKind.SPECIAL), int(TokenKind.ADDED))


class LineShapes(NamedTuple):
    """What is painted of one visual line besides its text; y counts from the line's top."""

    fills: dict[int, list[QRectF]]
    ticks: dict[int, list[QLineF]]
    unders: dict[int, list[QLineF]]
    frames: list[QRectF]
    splits: list[SplitCluster]
    places: list[tuple[float, float, Segment]]


class RowPicture:
    """tops: y of each visual line. height: of the row. limit: width the hex cells may use.
    lead: room above the row (above the first one of a text).
    """

    def __init__(self, layout: RowLayout, tokens: RowTokens, limit: float, cells: bool,
                 lead: float = 0.0) -> None:
        self.layout, self.tokens, self.limit = layout, tokens, limit
        self.solid, self.splits = tokens.on(layout.row)
        lines = layout.lines
        self._shapes: list[LineShapes | None] = [None] * len(lines)
        self._groups: dict[int, tuple[list[Group], int, int]] = {}
        self._of_line: list[tuple[list[Solid], list[Split]]] | None = None
        self.tops: list[float] = []
        y = lead
        split_lines = self._split_lines() if self.splits else ()
        for k, line in enumerate(lines):
            self.tops.append(y)
            y += line.height
            if k in split_lines:
                y += split_glyphs.STRIPE - BELOW + 1
                if cells:
                    found = split_glyphs.arrange(self.shapes(k).splits[:MOST], layout.metrics, limit, layout.row.data)
                    self._groups[k] = found
                    y += split_glyphs.height(found[1], layout.metrics)
        self.height = round(y)

    def _split_lines(self) -> set[int]:
        units, lines = self.layout.row.cluster_utf16, self.layout.lines
        out, k = set(), 0
        for split in self.splits:
            unit = int(units[split.cluster])
            while k + 1 < len(lines) and unit >= lines[k].end:
                k += 1
            out.add(k)
        return out

    def line_at_y(self, y: float) -> int:
        """The visual line at y from the row's top, clamped; cells belong to the line above them."""
        k = 0
        while k + 1 < len(self.tops) and y >= self.tops[k + 1]:
            k += 1
        return k

    def groups(self, line: int) -> tuple[list[Group], int, int]:
        return self._groups.get(line, ([], 0, 0))

    def _divide(self) -> list[tuple[list[Solid], list[Split]]]:
        """Solid stretches and splits by visual line."""
        out: list[tuple[list[Solid], list[Split]]] = [([], []) for _ in self.layout.lines]
        lines, units = self.layout.lines, self.layout.row.cluster_utf16
        k = 0
        for solid in self.solid:
            while k + 1 < len(lines) and solid.start >= lines[k].end:
                k += 1
            j = k
            while j < len(lines) and lines[j].start < solid.end:
                out[j][0].append(solid)
                j += 1
        k = 0
        for split in self.splits:
            while k + 1 < len(lines) and int(units[split.cluster]) >= lines[k].end:
                k += 1
            out[k][1].append(split)
        return out

    def shapes(self, k: int) -> LineShapes:
        """The shapes of one visual line, made when first asked for."""
        known = self._shapes[k]
        if known is None:
            if self._of_line is None:
                self._of_line = self._divide()
            known = self._shapes[k] = self._make(k, *self._of_line[k])
        return known

    def _make(self, k: int, solids: list[Solid], splits: list[Split]) -> LineShapes:
        layout, line = self.layout, self.layout.lines[k]
        out = LineShapes({}, {}, {}, [], [], [])
        bottom = line.height - BELOW
        under = bottom + BELOW / 2
        for start, end, segment in solids:
            spans = layout.spans_x(k, start, end)
            for left, right in spans:
                out.fills.setdefault(segment.colour, []).append(QRectF(left, 0, right - left, bottom))
                out.unders.setdefault(segment.colour, []).append(QLineF(left + 1, under, right - 1, under))
                if segment.kind in _FRAMED:
                    out.frames.append(QRectF(left + 1, 1, right - left - 2, bottom - 2))
                out.places.append((left, right, segment))
            if spans and segment.begins and start >= line.start:
                # The leading edge: on the right where the token runs from right to left.
                x = layout.cluster_edges(k, layout.row.cluster_of_utf16(start))[0] if layout.rtl else spans[0][0]
                out.ticks.setdefault(segment.colour, []).append(QLineF(x + 0.5, 0, x + 0.5, bottom))
        for cluster, parts in splits:
            x0, x1, _ = layout.cluster_edges(k, cluster)
            out.splits.append(SplitCluster(x0, x1, parts))
        return out
