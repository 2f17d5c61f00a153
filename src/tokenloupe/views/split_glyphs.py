"""A cluster whose bytes lie in several tokens: hatched, a stripe beneath in the tokens' shares, and its bytes in cells.

    groups, rows, hidden = arrange(splits_with_edges, metrics, limit=700.0, data=row_bytes)
    paint_cluster(painter, split, ...)      # hatch and stripe, in the line
    paint_groups(painter, groups, ...)      # connectors and hex cells, beneath it

The stripe is divided by share of bytes (mirrored where the cluster runs from right to left); the cells are what can be
read: one a token, its bytes in hexadecimal, dashed where the token goes on in the cluster beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPaintEngine, QPainter, QPen, QTransform

from .palette import Palette
from .row_layout import Metrics
from .row_tokens import Segment

STRIPE = 5.0
#: Between the stripe and the first row of cells.
CONNECTOR = 7.0
#: Between groups of cells, and between rows of them.
GAP, ROW_GAP = 6.0, 3.0
ROWS = 4
#: A group that would stand further than this from its cluster gets a row of its own while there are rows.
FAR = 60.0


class SplitCluster(NamedTuple):
    """A split cluster with its place: x of its leading and trailing edge (leading > trailing: right to left)."""

    leading: float
    trailing: float
    parts: tuple[Segment, ...]


class Cell(NamedTuple):
    rect: QRectF
    text: str
    segment: Segment


class Group(NamedTuple):
    """The cells of one cluster; anchor: x at the middle of the cluster's stripe."""

    anchor: float
    cells: tuple[Cell, ...]


def arrange(splits: Sequence[SplitCluster], metrics: Metrics, limit: float,
            data: bytes) -> tuple[list[Group], int, int]:
    """(groups, rows of cells, clusters left out). y of the cells counts from the top of the first row of cells."""
    more = 9 * metrics.cell_char
    ends: list[float] = []  # x where each row of cells is taken up to
    groups: list[Group] = []
    hidden = 0
    for split in sorted(splits, key=lambda s: min(s.leading, s.trailing)):
        left = min(split.leading, split.trailing)
        for texts, widths, parts in _fitting(split, metrics, limit, data):
            total = sum(widths)
            row = _row_for(ends, left, total, limit, more)
            if row is None:
                hidden += 1
                break
            if row == len(ends):
                ends.append(0.0)
            x = max(left - 4 if left > 4 else left, ends[row])
            x = max(min(x, limit - total - (more if row == ROWS - 1 else 0.0)), ends[row])
            y = row * (metrics.cell_height + ROW_GAP)
            cells = []
            for text, width, segment in zip(texts, widths, parts, strict=True):
                cells.append(Cell(QRectF(x, y, width, metrics.cell_height), text, segment))
                x += width
            ends[row] = x + GAP
            groups.append(Group((split.leading + split.trailing) / 2, tuple(cells)))
    return groups, len(ends), hidden


def _fitting(split: SplitCluster, metrics: Metrics, limit: float,
             data: bytes) -> list[tuple[list[str], list[float], list[Segment]]]:
    """(texts, widths, segments) of a cluster's cells, in several pieces where one would be wider than the limit."""
    out: list[tuple[list[str], list[float], list[Segment]]] = [([], [], [])]
    for segment in split.parts:
        text = data[segment.byte_start : segment.byte_end].hex(" ")
        width = round(len(text) * metrics.cell_char + 7)
        if out[-1][1] and sum(out[-1][1]) + width > limit:
            out.append(([], [], []))
        for column, value in zip(out[-1], (text, width, segment), strict=True):
            column.append(value)  # type: ignore[arg-type]
    return out


def _row_for(ends: list[float], left: float, width: float, limit: float, more: float) -> int | None:
    """The row of cells nearest to the cluster that has room; None when there is none.

    more: what the last row keeps free, for the number of those left out.
    """
    room = [limit - (more if r == ROWS - 1 else 0.0) for r in range(ROWS)]
    best = min(range(len(ends)), key=lambda r: (max(ends[r] - left, 0.0), r), default=None)
    if best is not None and ends[best] - left <= FAR and (ends[best] + width <= room[best] or ends[best] == 0):
        return best
    if len(ends) < ROWS:
        return len(ends)
    if best is None:
        return None
    roomy = [r for r in range(len(ends)) if ends[r] + width <= room[r]]
    return min(roomy, key=lambda r: ends[r]) if roomy else None


def height(rows: int, metrics: Metrics) -> float:
    """Of the cells and their connectors, beneath a line."""
    return CONNECTOR + rows * (metrics.cell_height + ROW_GAP) + 3 if rows else 0.0


@lru_cache(8)
def _hatch(colour: int, style: Qt.BrushStyle) -> tuple[QBrush, QPen]:
    faint = QColor.fromRgba(colour)
    pen = QPen(faint, 1.0)
    faint.setAlpha(105)  # the glyph on it is to be read
    return QBrush(faint, style), pen


def paint_cluster(painter: QPainter, split: SplitCluster, top: float, bottom: float, colours: Palette) -> None:
    """Hatch from top to bottom, and the stripe beneath."""
    left, width = min(split.leading, split.trailing), abs(split.trailing - split.leading)
    brush, pen = _hatch(colours.hatch.rgba(), colours.hatch_brush.style())
    painter.fillRect(QRectF(left, top, width, bottom - top), brush)
    painter.setPen(pen)
    painter.drawLines([QLineF(left + 0.5, top, left + 0.5, bottom),
                       QLineF(left + width - 0.5, top, left + width - 0.5, bottom)])
    total = sum(s.byte_end - s.byte_start for s in split.parts)
    done = 0
    for segment in split.parts:
        share = segment.byte_end - segment.byte_start
        x0 = split.leading + (split.trailing - split.leading) * done / total
        x1 = split.leading + (split.trailing - split.leading) * (done + share) / total
        done += share
        colour = colours.edge_of(segment.colour) if segment.token >= 0 else colours.hatch
        bar = QRectF(min(x0, x1), bottom, abs(x1 - x0), STRIPE)
        painter.fillRect(bar.adjusted(0.4, 0, -0.4, 0) if bar.width() > 2.5 else bar, colour)


def paint_groups(painter: QPainter, groups: Sequence[Group], stripe_bottom: float, metrics: Metrics,
                 colours: Palette, hidden: int, limit: float) -> None:
    """Connectors first, so that cells of an upper row hide those that pass to a lower one."""
    top = stripe_bottom + CONNECTOR
    painter.setPen(QPen(colours.hatch, 1.0))
    painter.drawLines([
        QLineF(g.anchor, stripe_bottom, min(max(g.anchor, g.cells[0].rect.left() + 3), g.cells[-1].rect.right() - 3),
               top + g.cells[0].rect.top())
        for g in groups])
    painter.setFont(metrics.cell_font)
    ratio = _pixels(painter)
    for group in groups:
        for cell in group.cells:
            rect = cell.rect.translated(0, top)
            if ratio:
                painter.drawImage(rect.topLeft(), _kept_cell(cell, metrics, colours, ratio))
            else:
                _paint_cell(painter, rect, cell, colours)
    if hidden and groups:
        last = max((c.rect for c in groups[-1].cells), key=QRectF.right)
        painter.setPen(colours.muted)
        bottom = max(g.cells[0].rect.top() for g in groups)
        label = f"+{hidden} more"
        width = len(label) * metrics.cell_char
        x = min(max((c.rect.right() for g in groups for c in g.cells if c.rect.top() == bottom), default=last.right())
                + GAP, limit - width)
        painter.drawText(QPointF(max(x, 0.0), top + bottom + metrics.cell_height - 4), label)


def _paint_cell(painter: QPainter, rect: QRectF, cell: Cell, colours: Palette) -> None:
    known = cell.segment.token >= 0
    painter.fillRect(rect, colours.fill_of(cell.segment.colour) if known else colours.base)
    painter.setPen(colours.token_text if known else colours.text)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, cell.text)
    edge = colours.edge_of(cell.segment.colour) if known else colours.hatch
    painter.setPen(QPen(edge, 1.0, Qt.PenStyle.DashLine))
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))


_UNSCALED = (QTransform.TransformationType.TxNone, QTransform.TransformationType.TxTranslate)
#: Cells as they were painted, of this many; then they are painted anew.
_KEPT = 2048
_cells: dict[tuple[object, ...], QImage] = {}


def _kept_cell(cell: Cell, metrics: Metrics, colours: Palette, ratio: float) -> QImage:
    """A cell's picture: a dashed frame and a text cost ten times as much as to copy it."""
    size = cell.rect.size()
    key = (cell.text, cell.segment.token >= 0, cell.segment.colour, size.width(), size.height(), colours.name,
           metrics.cell_font.key(), ratio)
    known = _cells.get(key)
    if known is None:
        if len(_cells) >= _KEPT:
            _cells.clear()
        known = QImage(ceil(size.width() * ratio), ceil(size.height() * ratio),
                       QImage.Format.Format_ARGB32_Premultiplied)
        known.setDevicePixelRatio(ratio)
        with QPainter(known) as painter:
            painter.setFont(metrics.cell_font)
            _paint_cell(painter, QRectF(0.0, 0.0, size.width(), size.height()), cell, colours)
        _cells[key] = known
    return known


def _pixels(painter: QPainter) -> float:
    """Device pixels a pixel where what is painted becomes pixels as it is; 0 on a page, and where it is made larger."""
    engine = painter.paintEngine()
    plain = painter.worldTransform().type() in _UNSCALED
    raster = engine is not None and engine.type() == QPaintEngine.Type.Raster
    return painter.device().devicePixelRatioF() if plain and raster else 0.0
