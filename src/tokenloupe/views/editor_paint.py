"""Painting: of each row seen the fills of its tokens, its text, then what tells tokens apart without colour.

    paint(painter, view, clip)      # from EditorView.paintEvent

From back to front: token fills, hatches, matches of the find bar, the selection, text, ticks, frames of special tokens,
signs of what tokens leave out, labels of invisible characters, hover, caret. Rows outside the clip cost nothing, so an
edit paints the rows it changed.
"""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from . import palette, row_signs, split_glyphs
from .editor_sheet import MARGIN, Seen
from .palette import Palette
from .row_layout import BELOW
from .row_picture import RowPicture
from .texture import period, texture

if TYPE_CHECKING:
    from .editor import EditorView

Band = tuple[int, int]


@cache
def _texture(theme: str, colour: int, body: int, ratio: int) -> QBrush:
    """A token's fill, `body` high, and its pattern line beneath, as one texture; ratio: device pixels a pixel."""
    colours = palette.dark() if theme == "dark" else palette.light()
    pen = colours.token_pen(colour)
    width, height = period(pen), int(body + BELOW)

    def draw(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, width, height), colours.base)
        painter.fillRect(QRectF(0, 0, width, body), colours.fill_of(colour))
        painter.setPen(pen)
        painter.drawLine(QPointF(0, body + BELOW / 2), QPointF(width, body + BELOW / 2))

    return texture(width, height, ratio, draw)


def tinted(colour: QColor, alpha: int) -> QColor:
    out = QColor(colour)
    out.setAlpha(alpha)
    return out


def paint(painter: QPainter, view: EditorView, clip: QRectF) -> None:
    colours = palette.current()
    sheet = view.sheet
    painter.fillRect(clip, colours.base)
    if len(view.session) == 0 and sheet.preedit is None:
        _placeholder(painter, view, colours)
    seen = [s for s in sheet.seen_spans() if s[0].y < clip.bottom() and s[0].y + s[0].picture.height > clip.top()]
    left = sheet.margin - sheet.x
    if sheet.numbers:
        painter.save()
        painter.setClipRect(QRectF(sheet.margin - MARGIN / 2, 0, sheet.width, sheet.height))
    for at, start, end in seen:
        painter.translate(left, at.y)
        _row(painter, view, at, start, end, clip.translated(-left, -at.y), colours)
        painter.translate(-left, -at.y)
    _overlays(painter, view, colours)
    if sheet.numbers:
        painter.restore()
        _numbers(painter, view, [at for at, _, _ in seen], colours)


def _placeholder(painter: QPainter, view: EditorView, colours: Palette) -> None:
    painter.setFont(view.sheet.metrics.font)
    painter.setPen(colours.faint)
    area = QRectF(view.sheet.margin, 0, view.sheet.text_width, view.sheet.height)
    painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap), view.placeholder)


def _row(painter: QPainter, view: EditorView, at: Seen, start: int, end: int, clip: QRectF, colours: Palette) -> None:
    picture, sheet = at.picture, view.sheet
    layout = picture.layout
    low, high = view.session.selection
    matches = view.matches_in(start, end)
    plain = picture.tokens.plain
    ratio = ceil(painter.device().devicePixelRatioF())
    for k, line in enumerate(layout.lines):
        top = picture.tops[k]
        if picture.bottom_of(k) <= clip.top() or top >= clip.bottom():
            continue
        painter.translate(0, top)
        shapes = picture.shapes(k)
        body = line.height - BELOW
        painter.setPen(Qt.PenStyle.NoPen)
        for colour, rects in shapes.fills.items():
            painter.setBrush(_texture(colours.name, colour, int(body), ratio))
            painter.drawRects(rects)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if shapes.lost:
            row_signs.paint_lost(painter, shapes.lost, body, colours)
        for split in shapes.splits:
            split_glyphs.paint_cluster(painter, split, 0, body, colours)
        for a, b in matches:
            _band(painter, picture, k, (a - start, b - start), body, tinted(colours.warning, 70), colours.warning)
        if low < high and low < end and high > start:
            _band(painter, picture, k, (low - start, high - start), body, tinted(colours.selection, 170),
                  colours.accent)
        if layout.preedit_range[1] > layout.preedit_range[0]:
            for x0, x1 in layout.spans_x(k, *layout.preedit_range):
                painter.fillRect(QRectF(x0, 0, x1 - x0, body), colours.hover)
        painter.setPen(colours.text if plain else colours.token_text)
        line.text_line.draw(painter, QPointF(0.0, line.top))
        if shapes.ticks:
            painter.setPen(colours.muted)
            painter.drawLines(shapes.ticks)
        if shapes.frames:
            painter.setPen(QPen(colours.special, 1.6))
            for frame in shapes.frames:
                painter.drawRoundedRect(frame, 4, 4)
        if shapes.strips:
            row_signs.paint_changed(painter, shapes.strips, colours)
        if shapes.pins:
            row_signs.paint_pins(painter, shapes.pins, body, colours)
        groups, _rows, hidden = picture.groups(k)
        if groups:
            split_glyphs.paint_groups(painter, groups, body + split_glyphs.STRIPE, layout.metrics, colours, hidden,
                                      picture.limit)
        painter.translate(0, -top)
    _marks(painter, view, picture, clip, colours)
    if not sheet.rows.hard(at.row) and at.row + 1 < len(sheet.rows):
        _goes_on(painter, picture, colours)


def _band(painter: QPainter, picture: RowPicture, line: int, band: Band, body: float, fill: QColor,
          edge: QColor) -> None:
    """A range of bytes of the row, on one visual line."""
    for left, right in picture.layout.bytes_x(line, *band):
        rect = QRectF(left, 0, right - left, body)
        painter.fillRect(rect, fill)
        painter.setPen(QPen(edge, 1.0))
        painter.drawLines([QLineF(left, 0.5, right, 0.5), QLineF(left, body - 0.5, right, body - 0.5)])


def _marks(painter: QPainter, view: EditorView, picture: RowPicture, clip: QRectF, colours: Palette) -> None:
    layout, sheet = picture.layout, view.sheet
    metrics = layout.metrics
    painter.setFont(metrics.label_font)
    k = 0
    for mark in layout.row.marks:
        while k + 1 < len(layout.lines) and mark.utf16_start >= layout.lines[k].end:
            k += 1
        line, top = layout.lines[k], picture.tops[k]
        if top > clip.bottom() or top + line.height < clip.top():
            continue
        body = line.height - BELOW
        width = layout.mark_width(mark, sheet.show_spaces)
        if mark.kind == "above":
            _above(painter, picture, k, mark.utf16_start, mark.label, top, colours)
            continue
        left = layout.unit_left(k, mark.utf16_start)
        box = QRectF(left + 1, top + body * 0.2, width - 2, body * 0.6)
        if mark.kind == "end":
            if not sheet.show_spaces and mark.label in ("LF", "CRLF"):
                continue
            painter.setPen(colours.invisible if mark.label == "LF" else colours.special)
        else:
            painter.setPen(QPen(colours.error if mark.kind == "byte" else colours.special, 1.0))
            painter.setBrush(colours.error_fill if mark.kind == "byte" else QBrush(colours.base))
            painter.drawRoundedRect(box, 2.5, 2.5)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.label)
    if sheet.show_spaces:
        _spaces(painter, picture, clip, colours)


def _above(painter: QPainter, picture: RowPicture, k: int, unit: int, label: str, top: float, colours: Palette) -> None:
    """A joiner: a small triangle at the top, where Qt knows no place inside the cluster by interpolation."""
    layout = picture.layout
    row = layout.row
    cluster = row.cluster_of_utf16(unit)
    if not label or cluster + 1 >= len(row.cluster_utf16):
        return
    x0, x1, _ = layout.cluster_edges(k, cluster)
    low, high = int(row.cluster_utf16[cluster]), int(row.cluster_utf16[cluster + 1])
    x = x0 + (x1 - x0) * (unit + 0.5 - low) / (high - low)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.special)
    painter.drawPolygon([QPointF(x - 2.5, top), QPointF(x + 2.5, top), QPointF(x, top + 4)])
    painter.setBrush(Qt.BrushStyle.NoBrush)


_DOTS = {" ": "·", "\t": "→", "\u00a0": "°", "\u3000": "□"}


def _spaces(painter: QPainter, picture: RowPicture, clip: QRectF, colours: Palette) -> None:
    layout = picture.layout
    row = layout.row
    end = row.cluster_utf16[-1] - (1 if row.body < len(row.data) else 0)
    painter.setPen(colours.invisible)
    painter.setFont(layout.metrics.font)
    unit = 0
    k = 0
    for char in row.text:
        if unit >= end:
            break
        if char.isspace():
            while k + 1 < len(layout.lines) and unit >= layout.lines[k].end:
                k += 1
            top, line = picture.tops[k], layout.lines[k]
            if top + line.height > clip.top() and top < clip.bottom():
                a, b = layout.unit_x(k, unit), layout.unit_x(k, unit + 1)
                box = QRectF(min(a, b) - 4, top, abs(b - a) + 8, line.height - BELOW)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, _DOTS.get(char, "⎵"))
        unit += 1 if ord(char) <= 0xFFFF else 2


def _goes_on(painter: QPainter, picture: RowPicture, colours: Palette) -> None:
    """The line goes on in the next row: a hooked arrow behind its last piece."""
    layout = picture.layout
    k = len(layout.lines) - 1
    painter.setFont(layout.metrics.label_font)
    painter.setPen(colours.faint)
    x = layout.unit_x(k, layout.lines[k].end)
    painter.drawText(QPointF(x + 3, picture.tops[k] + layout.metrics.ascent), "↩")


def _numbers(painter: QPainter, view: EditorView, seen: list[Seen], colours: Palette) -> None:
    sheet = view.sheet
    painter.setFont(sheet.metrics.cell_font)
    painter.setPen(colours.faint)
    width = sheet.margin - MARGIN * 1.5
    for at in seen:
        if not sheet.rows.continued(at.row):
            box = QRectF(MARGIN / 2, at.y + at.picture.tops[0], width, sheet.metrics.line_height)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                             str(sheet.rows.line_of(at.row) + 1))


def _overlays(painter: QPainter, view: EditorView, colours: Palette) -> None:
    """The token at the caret lightly, the token under the pointer, the caret."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    token = view.current_token
    if token is not None and view.session.selection[0] == view.session.selection[1]:
        painter.setPen(QPen(tinted(colours.accent, 150), 1.2))
        for rect in view.token_rects(*token):
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3)
    if view.session.hover[0] >= 0:
        painter.setPen(QPen(colours.accent, 2.0))
        for rect in view.token_rects(*view.session.hover):
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3)
    if view.caret_on:
        rect = view.caret_rect()
        if rect is not None:
            painter.fillRect(rect, colours.text)
            if view.caret_is_rtl():
                painter.fillRect(QRectF(rect.left() - 4, rect.top(), 4, 2), colours.text)
    drop = view.drop_rect()
    if drop is not None:
        painter.fillRect(drop, colours.accent)
