"""The text as a sheet behind the viewport: which rows are seen, where they lie, and what lies at a place.

    sheet.seen()                      # [(row, y, RowPicture)] of what the viewport shows
    sheet.caret_rect(byte_pos)        # where a caret stands, None when its row is not seen
    sheet.byte_at(QPointF(40, 12))    # (byte, upstream) a click there means

The place of scrolling is a row and an offset in it, never a height from the top: rows far away have estimated heights,
and correcting one must not move what is being read. Pictures are kept by row number and moved along with edits;
layouts are kept by their bytes, so a row that comes back unchanged costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont

from ..core.bytelane_tokens import follow_one_another, tokens_around
from ..core.store import TextStore
from ..models.session import Session
from ..models.token_colours import TokenColours
from .row_layout import BELOW, Metrics, Preedit, RowLayout
from .row_picture import RowPicture
from .row_text import RowText
from .row_tokens import RowTokens
from .text_rows import RowsChanged, TextRows

if TYPE_CHECKING:
    from ..core.document import Change, TokenWindow

#: Pictures and layouts kept.
PICTURES, LAYOUTS = 400, 600
#: Space left of the text, in device-independent pixels.
MARGIN = 8.0
#: Space above the first row.
LEAD = 6.0


class Seen(NamedTuple):
    row: int
    y: float
    picture: RowPicture


class Sheet:
    def __init__(self, session: Session, font: QFont) -> None:
        self.session = session
        self.colours = TokenColours.of(session)
        self.metrics = Metrics.of(font)
        self.width, self.height = 600.0, 400.0
        self.wrap, self.cells = True, True
        self.show_controls, self.show_spaces = True, False
        self.numbers = False
        self.preedit: Preedit | None = None
        self.preedit_row = -1
        self.top_row, self.top_offset = 0, 0.0
        self.x = 0.0  # scrolled to the right by
        self.widest = 0.0
        self._pictures: dict[int, RowPicture] = {}
        self._before: dict[int, RowPicture] = {}  # what the rows that the last edit changed looked like
        self._layouts: dict[bytes, RowLayout] = {}
        self._texts: dict[bytes, RowText] = {}
        self._tokens_of: tuple[int, int] = (0, 0)
        self._tokens: object = None
        self._seen: list[Seen] = []
        self._seen_spans: list[tuple[int, int]] = []
        self._seen_at: tuple[object, ...] = ()
        self._version = 0
        self.rows = TextRows(self.store, self._estimate)

    @property
    def store(self) -> TextStore:
        return self.session.store

    @property
    def margin(self) -> float:
        """Left edge of the text: a margin, and line numbers where they are shown."""
        if not self.numbers:
            return MARGIN
        return MARGIN * 2 + self.metrics.cell_char * max(len(str(self.rows.lines)), 2)

    @property
    def text_width(self) -> float:
        return max(self.width - self.margin - MARGIN, 40.0)

    def _estimate(self, lengths: NDArray[np.int64]) -> NDArray[np.int32]:
        height = self.metrics.line_height + BELOW
        if not self.wrap:
            return np.full(len(lengths), int(height), np.int32)
        columns = max(self.text_width / self.metrics.char, 4.0)
        return (np.ceil(np.maximum(lengths, 1) / columns) * height).astype(np.int32)

    # Changes

    def renew(self) -> None:
        """Another text."""
        self._forget(layouts=True)
        self.top_row, self.top_offset, self.x, self.widest = 0, 0.0, 0.0, 0.0
        self.rows.reset(self.store)

    def restyle(self) -> None:
        """Another width, font or wrap: everything is laid out anew, at the same place of the text."""
        self._forget(layouts=True)
        self.rows.estimate_all()

    def tokens_renewed(self) -> None:
        """Other tokens for the same text."""
        self._forget(layouts=False)

    def _forget(self, layouts: bool) -> None:
        self._pictures.clear()
        self._before.clear()
        self._tokens = None
        self._version += 1
        if layouts:
            self._layouts.clear()
            self._texts.clear()
            self.widest = 0.0

    def set_preedit(self, preedit: Preedit | None, row: int) -> None:
        self._version += 1
        for old in {self.preedit_row, row}:
            self._pictures.pop(old, None)
        self.preedit, self.preedit_row = preedit, row

    def edited(self, change: Change) -> RowsChanged:
        """Follow an edit; returns the rows that changed."""
        self._tokens = None
        self._version += 1
        if change.byte_removed or change.byte_inserted:
            rows = self.rows.edit(change.byte_start, change.byte_removed, change.byte_inserted)
        else:
            rows = RowsChanged(self.rows.row_at(change.byte_start), 0, 0)
        more = rows.inserted - rows.removed
        after = rows.first + rows.removed
        self._before = {r: p for r in range(rows.first, after) if (p := self._pictures.get(r)) is not None}
        if more:
            self._pictures = {(r + more if r >= after else r): p for r, p in self._pictures.items()
                              if not rows.first <= r < after}
            if self.top_row >= after:
                self.top_row += more
        else:
            for row in range(rows.first, after):
                self._pictures.pop(row, None)
        low, high = change.byte_start, change.byte_start + change.byte_inserted
        if change.tokens_inserted or change.tokens_removed:
            # A token before the edit's own may have grown or shrunk: its neighbours tell how far the news reaches.
            last = change.first_token + change.tokens_inserted + 1  # the one after may have got another colour
            window = self.session.document.tokens(change.first_token, last)
            if len(window):
                low, high = min(low, int(window.starts.min())), max(high, int(window.ends.max()))
        for row in range(self.rows.row_at(low), self.rows.row_at(high) + 1):
            if (old := self._pictures.pop(row, None)) is not None:
                self._before[row] = old
        self.top_row = min(self.top_row, len(self.rows) - 1)
        return rows

    # Pictures

    def picture(self, row: int) -> RowPicture:
        known = self._pictures.get(row)
        if known is None:
            if len(self._pictures) > PICTURES:
                near = range(self.top_row - PICTURES // 4, self.top_row + PICTURES // 2)
                self._pictures = {r: p for r, p in self._pictures.items() if r in near}
            known = self._pictures[row] = self._make(row)
            self.rows.set_height(row, int(known.height))
            self.widest = max(self.widest, known.layout.width)
        return known

    def _make(self, row: int) -> RowPicture:
        start, end = self.rows.span(row)
        data = self.store.bytes(start, end)
        preedit = self.preedit if row == self.preedit_row else None
        limit = self.text_width if self.wrap else max(self.text_width, 2000.0)
        return RowPicture(self._layout(data, preedit), self._row_tokens(start, end), limit, self.cells,
                          LEAD if row == 0 else 0.0, self._before.pop(row, None))

    def text(self, data: bytes) -> RowText:
        known = self._texts.get(data)
        if known is None:
            if len(self._texts) > LAYOUTS:
                self._texts.clear()
            known = self._texts[data] = RowText.make(data, self.show_controls)
        return known

    def _layout(self, data: bytes, preedit: Preedit | None) -> RowLayout:
        known = self._layouts.get(data) if preedit is None else None
        if known is None:
            width = self.text_width if self.wrap else None
            known = RowLayout(self.text(data), self.metrics, width, show_ends=self.show_spaces, preedit=preedit)
            if preedit is None:
                if len(self._layouts) > LAYOUTS:
                    for key in list(self._layouts)[: LAYOUTS // 2]:
                        del self._layouts[key]
                self._layouts[data] = known
        return known

    def _row_tokens(self, start: int, end: int) -> RowTokens:
        if not self.session.ready:
            return RowTokens.none(end - start)
        document, last = self.session.document, end == len(self.store)
        if start == end and follow_one_another(document):
            return RowTokens.none(0)
        if self._tokens is None or not (self._tokens_of[0] <= start and end <= self._tokens_of[1]):
            window = self._window(start, end)
            colours = self.colours.window(window.first_index, window.first_index + len(window))
        else:
            window, colours = self._tokens  # type: ignore[misc]
        made = RowTokens.make(window, colours, start, end, document.complete_to, last)
        changed = self._changed_in(start, end)
        return made.with_changed(changed) if changed else made

    def _window(self, start: int, end: int) -> TokenWindow:
        """The tokens there; of a long text that is being tokenized, those that are seen before their turn."""
        document = self.session.document
        if document.complete or start < document.complete_to:
            return tokens_around(document, start, end)
        return document.preview(start, end)

    def _changed_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """Bytes start .. end that decoding gives back as others, as far as that is known without work."""
        document = self.session.document
        if not document.complete or follow_one_another(document):
            return []
        return [(max(x.start, start) - start, min(x.end, end) - start) for x in document.lost_in(start, end)
                if x.end > x.start]

    def _fetch_tokens(self, first: int, count: int) -> None:
        """Ask once for the tokens of all rows about to be made, not once a row."""
        spans = self.rows.spans(first, count)
        if self.session.ready and spans and spans[-1][1] > spans[0][0]:
            low, high = spans[0][0], spans[-1][1]
            window = self._window(low, high)
            self._tokens = (window, self.colours.window(window.first_index, window.first_index + len(window)))
            self._tokens_of = (low, high)

    def seen(self) -> list[Seen]:
        """The rows in the viewport, from the top."""
        at = (self._version, self.top_row, self.top_offset, self.height)
        if at == self._seen_at:
            return self._seen
        out: list[Seen] = []
        row, y = self.top_row, -self.top_offset
        total = len(self.rows)
        while row < total and y < self.height:
            if row not in self._pictures and self._tokens is None:
                self._fetch_tokens(row, min(int((self.height - y) / self.metrics.line_height) + 2, 200))
            picture = self.picture(row)
            out.append(Seen(row, y, picture))
            y += picture.height
            row += 1
        self._seen, self._seen_at = out, at
        self._seen_spans = self.rows.spans(out[0].row, len(out)) if out else []
        return out

    def seen_spans(self) -> list[tuple[Seen, int, int]]:
        """seen() with the bytes (start, end) of each row."""
        self.seen()
        return [(at, *span) for at, span in zip(self._seen, self._seen_spans, strict=True)]

    # Scrolling

    def scroll_by(self, pixels: float) -> None:
        """Move the text up by so many pixels, laying out what comes into sight."""
        self.top_offset += pixels
        while self.top_offset < 0 and self.top_row > 0:
            self.top_row -= 1
            self.top_offset += self.picture(self.top_row).height
        while self.top_row + 1 < len(self.rows) and self.top_offset >= self.picture(self.top_row).height:
            self.top_offset -= self.picture(self.top_row).height
            self.top_row += 1
        self.top_offset = max(self.top_offset, 0.0)
        self._stop_at_end()

    def _stop_at_end(self) -> None:
        """The last row's bottom never rises above the viewport's bottom (unless all the text is shorter)."""
        y, row = -self.top_offset, self.top_row
        while row < len(self.rows):
            y += self.picture(row).height
            row += 1
            if y >= self.height:
                return
        spare = self.height - y
        while spare > 0 and (self.top_row > 0 or self.top_offset > 0):
            if self.top_offset > 0:
                step = min(self.top_offset, spare)
                self.top_offset -= step
            else:
                self.top_row -= 1
                self.top_offset = self.picture(self.top_row).height
                step = 0.0
            spare -= step

    def scroll_to_y(self, y: float) -> None:
        """Far away: by estimated heights."""
        self.top_row = self.rows.row_at_y(int(y))
        self.top_offset = max(0.0, y - self.rows.y_of(self.top_row))
        self.scroll_by(0.0)

    @property
    def y(self) -> int:
        """The estimated height above the viewport: the scroll bar's value."""
        return int(self.rows.y_of(self.top_row) + self.top_offset)

    def reveal(self, byte_pos: int, upstream: bool = False) -> bool:
        """Scroll so that a byte's line is seen, as little as possible. Did anything move?"""
        before = (self.top_row, self.top_offset, self.x)
        row = self.rows.row_at(byte_pos)
        if not any(s.row == row for s in self.seen()):
            near = abs(row - self.top_row) < 3
            if row < self.top_row or not near:
                self.top_row, self.top_offset = row, 0.0
                if not near:
                    self.scroll_by(-self.height / 3)
        rect = self.caret_rect(byte_pos, upstream)
        if rect is None:
            self.top_row, self.top_offset = row, 0.0
            rect = self.caret_rect(byte_pos, upstream)
        if rect is not None:
            low, high = rect.top(), rect.bottom() + BELOW
            if low < 0:
                self.scroll_by(low)
            elif high > self.height:
                self.scroll_by(high - self.height)
            if not self.wrap:
                left = self.margin + 2 * self.metrics.char
                if rect.x() < left:
                    self.x = max(0.0, self.x - (left - rect.x()) - self.text_width / 4)
                elif rect.x() > self.width - 2 * self.metrics.char:
                    self.x += rect.x() - self.width + 2 * self.metrics.char + self.text_width / 4
        return before != (self.top_row, self.top_offset, self.x)

    # Places

    def place(self, byte_pos: int, upstream: bool = False) -> tuple[int, int, float]:
        """(row, visual line, x in the row) of a caret before a byte."""
        row = self.rows.row_at(byte_pos)
        start = self.rows.span(row)[0]
        if upstream and row > 0 and byte_pos == start and self.rows.continued(row):
            row -= 1
            start = self.rows.span(row)[0]
            layout = self.picture(row).layout
            line = len(layout.lines) - 1
            return row, line, layout.caret_x(line, byte_pos - start)
        layout = self.picture(row).layout
        line = layout.line_of(byte_pos - start, upstream)
        return row, line, layout.caret_x(line, byte_pos - start)

    def caret_rect(self, byte_pos: int, upstream: bool = False) -> QRectF | None:
        """In the viewport; None when the row is not seen."""
        row, line, x = self.place(byte_pos, upstream)
        for seen in self.seen():
            if seen.row == row:
                at = seen.picture.layout.lines[line]
                if self.preedit is not None and row == self.preedit_row:
                    x = self._preedit_x(seen.picture.layout, line, x)
                return QRectF(x + self.margin - self.x, seen.y + seen.picture.tops[line], 2.0, at.height - BELOW)
        return None

    def _preedit_x(self, layout: RowLayout, line: int, x: float) -> float:
        low, high = layout.preedit_range
        return layout.unit_x(line, high) if high > low else x

    def line_at(self, point: QPointF) -> tuple[Seen, int] | None:
        """The row and visual line at a place, clamped to what is seen; None for no text at all."""
        seen = self.seen()
        if not seen:
            return None
        at = seen[0]
        for at in seen:
            if point.y() < at.y + at.picture.height:
                break
        return at, at.picture.line_at_y(point.y() - at.y)

    def byte_at(self, point: QPointF) -> tuple[int, bool]:
        """(byte, upstream) of the caret a click means."""
        found = self.line_at(point)
        if found is None:
            return 0, False
        at, line = found
        byte_pos, upstream = at.picture.layout.byte_from_x(line, point.x() - self.margin + self.x)
        return self.rows.span(at.row)[0] + byte_pos, upstream

    def pin_at(self, point: QPointF) -> int:
        """The byte before which a token without bytes stands whose flag is drawn at a place; -1 where there is none."""
        found = self.line_at(point)
        if found is None:
            return -1
        at, line = found
        picture, body = at.picture, at.picture.layout.lines[line].height - BELOW
        place = QPointF(point.x() - self.margin + self.x, point.y() - at.y - picture.tops[line])
        start = self.rows.span(at.row)[0]
        return next((start + pin.byte_pos for pin in picture.shapes(line).pins if pin.area(body).contains(place)), -1)

    def exact_byte_at(self, point: QPointF) -> int:
        """The byte drawn at a place (in a hex cell, the byte of the cell); -1 where there is none."""
        found = self.line_at(point)
        if found is None:
            return -1
        at, line = found
        picture, x, y = at.picture, point.x() - self.margin + self.x, point.y() - at.y
        if not 0 <= y < picture.height:
            return -1
        start = self.rows.span(at.row)[0]
        inside = y - picture.tops[line] - picture.layout.lines[line].height
        if inside > 0:
            from .split_glyphs import CONNECTOR, STRIPE

            place = QPointF(x, inside + BELOW - STRIPE - CONNECTOR)
            for group in picture.groups(line)[0]:
                for cell in group.cells:
                    if cell.rect.contains(place):
                        return start + cell.segment.byte_start
            return -1
        byte_pos = picture.layout.exact_byte_from_x(line, x)
        return start + byte_pos if byte_pos >= 0 else -1
