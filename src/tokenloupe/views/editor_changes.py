"""What the editor does when the session tells of a change: follow it, and ask for the least painting.

A mixin of EditorView. Visual lines that an edit left as they were are not painted, rows that only moved are moved as
pixels, and what cannot be seen costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication

from . import palette
from .editor_sheet import Seen
from .row_layout import Metrics
from .text_rows import RowsChanged

if TYPE_CHECKING:
    from ..core.document import Change
    from .editor import EditorView as _View
else:
    _View = object


class Changes:
    def _document_changed(self: _View, change: Change) -> None:
        if change.byte_start == 0 and change.byte_removed and change.byte_inserted == len(self.session) \
                and self.sheet.rows.store is not self.sheet.store:
            self._new_text()
            return
        if self.sheet.rows.store is not self.sheet.store:
            self._new_text()
            return
        before = {s.row: s for s in self.sheet.seen()} if self.isVisible() else {}
        rows = self.sheet.edited(change)
        if change.byte_removed or change.byte_inserted:
            self.ime.drop()
        self._repaint_changed(before, rows)
        self._set_bars()
        self.find_bar.recount()
        self.mirror.later()

    def _repaint_changed(self: _View, before: dict[int, Seen], rows: RowsChanged) -> None:
        """Ask for the visual lines that changed to be painted; rows that only moved are moved on the screen."""
        if not self.isVisible():
            return
        viewport, more = self.viewport(), rows.inserted - rows.removed
        after, old = rows.first + rows.inserted, rows.first + rows.removed
        width, height = viewport.width(), viewport.height()
        bottom = 0.0
        for at in self.sheet.seen():
            was = before.get(at.row - more if at.row >= after else at.row if at.row < old else -1)
            picture = at.picture
            bottom = at.y + picture.height
            if was is not None and was.picture is picture:
                if was.y != at.y:  # this one and all below it are as they were, further up or down
                    top, by = int(min(was.y, at.y)), int(at.y - was.y)
                    # All but the pixels of the focus frame, which stays.
                    viewport.scroll(0, by, QRect(1, max(top, 1), width - 2, height - max(top, 1) - 1))
                    if self.sheet.numbers:
                        viewport.update(QRect(0, top, int(self.sheet.margin), height))
                    break
                continue
            if was is not None and was.y == at.y and was.picture.tops == picture.tops:
                for k in range(len(picture.tops)):
                    if was.picture.line_key(k) != picture.line_key(k):
                        self._update_line(at, k)
                tallest = max(was.picture.height, picture.height)
                if was.picture.height != picture.height:
                    viewport.update(QRect(0, int(at.y + picture.tops[-1]), width, int(tallest)))
            elif was is not None and was.y == at.y:
                self._update_row_tail(at, was)
            else:
                viewport.update(QRect(0, int(at.y), width, int(picture.height)))
        else:
            if bottom < height:  # the text became shorter than the viewport
                viewport.update(QRect(0, int(bottom), width, height))

    def _update_row_tail(self: _View, at: Seen, was: Seen) -> None:
        """A row that wraps otherwise: what is above its first changed line stays."""
        new, old = at.picture, was.picture
        k = 0
        while k + 1 < min(len(new.tops), len(old.tops)) and new.tops[k + 1] == old.tops[k + 1] \
                and new.line_key(k) == old.line_key(k):
            k += 1
        top = int(at.y + new.tops[k])
        tallest = max(new.height, old.height)
        self.viewport().update(QRect(0, top, self.viewport().width(), int(at.y + tallest) - top))

    def _update_line(self: _View, at: Seen, line: int) -> None:
        top = at.y + at.picture.tops[line]
        height = at.picture.bottom_of(line) - at.picture.tops[line]
        self.viewport().update(QRect(0, int(top), self.viewport().width(), int(height)))

    def _new_text(self: _View) -> None:
        self.ime.drop()
        self.sheet.renew()
        self.goal_x, self.upstream, self.current_token = None, False, None
        self._set_bars()
        self._find_current()
        self.find_bar.recount()
        self.viewport().update()

    def _tokenizer_changed(self: _View) -> None:
        if self.sheet.rows.store is not self.sheet.store:
            self._new_text()  # the session has got its document
            return
        self.sheet.tokens_renewed()
        self._find_current()
        self.viewport().update()

    def _selection_changed(self: _View, start: int, end: int) -> None:
        if self._editing:
            return  # by this view, which shows it when all is done
        self.upstream = False
        self.goal_x = None
        if self.sheet.rows.store is not self.sheet.store:
            return
        if self.isVisible() and self.sheet.reveal(self.session.caret):
            if end - start < 4096 and start != self.session.caret:
                self.sheet.reveal(start)
                self.sheet.reveal(self.session.caret)
            self.scrolled()
        self._show_selection()

    def _show_selection(self: _View) -> None:
        """Paint what the selection was and what it is, and start the caret's blinking anew."""
        span = (*self.session.selection, self.session.caret)
        old = getattr(self, "_shown", (0, 0, 0))
        self._shown = span
        self._update_bytes(min(old[0], old[2]), max(old[1], old[2]))
        self._update_bytes(min(span[0], span[2]), max(span[1], span[2]))
        self._find_current()
        self._restart_blink()
        self.updateMicroFocus()
        self.mirror.later()

    def _update_bytes(self: _View, low: int, high: int) -> None:
        """Repaint the visual lines that show bytes low .. high, both included."""
        if not self.isVisible():
            return
        for at, start, end in self.sheet.seen_spans():
            if start <= high and end >= low:
                layout, picture = at.picture.layout, at.picture
                first = layout.line_of(max(low - start, 0), True)
                last = layout.line_of(min(high - start, end - start))
                for k in range(first, last + 1) if last - first < 200 else range(len(picture.tops)):
                    self._update_line(at, k)

    def _find_current(self: _View) -> None:
        """The token before the caret, as it is the one being typed; at the start the one after it."""
        caret = self.session.caret
        found = self.token_at(caret - 1) if caret else self.token_at(0)
        if found != self.current_token:
            old, self.current_token = self.current_token, found
            for token in (old, found):
                if token is not None:
                    self._update_bytes(token[0], token[1])

    def _hover_changed(self: _View, start: int, end: int) -> None:
        for rect in self._hover_rects:
            self.viewport().update(rect.toAlignedRect().adjusted(-3, -3, 3, 3))
        self._hover_rects = self.token_rects(start, end) if self.isVisible() else []
        for rect in self._hover_rects:
            self.viewport().update(rect.toAlignedRect().adjusted(-3, -3, 3, 3))

    def _restart_blink(self: _View) -> None:
        self.caret_on = self.hasFocus() and self.ime.cursor_shown
        time = QGuiApplication.styleHints().cursorFlashTime()
        if self.caret_on and time > 0:
            self._blink.start(time // 2)
        else:
            self._blink.stop()

    def _blinked(self: _View) -> None:
        self.caret_on = not self.caret_on and self.hasFocus()
        rect = self.caret_rect()
        if rect is not None:
            self.viewport().update(rect.toAlignedRect().adjusted(-6, -1, 2, 1))

    # Scrolling and size

    def scrolled(self: _View) -> None:
        """The sheet was scrolled: bars and picture follow."""
        self._set_bars()
        self.viewport().update()

    def _set_bars(self: _View) -> None:
        bar, side, sheet = self.verticalScrollBar(), self.horizontalScrollBar(), self.sheet
        height = int(sheet.height)
        bar.blockSignals(True)
        bar.setPageStep(height)
        bar.setSingleStep(int(self.line_height))
        bar.setRange(0, max(0, sheet.rows.height - height))
        self._bar_value = min(sheet.y, bar.maximum())
        bar.setValue(self._bar_value)
        bar.blockSignals(False)
        side.blockSignals(True)
        width = 0 if sheet.wrap else max(0, int(sheet.widest - sheet.text_width + 4 * sheet.metrics.char))
        side.setRange(0, max(width, int(sheet.x)))
        side.setPageStep(int(sheet.text_width))
        side.setSingleStep(int(sheet.metrics.char * 4))
        side.setValue(int(sheet.x))
        side.blockSignals(False)

    def _bar_moved(self: _View, value: int) -> None:
        by = value - self._bar_value
        bar = self.verticalScrollBar()
        if value == bar.minimum():
            self.sheet.scroll_to_y(0)
        elif abs(by) <= 3 * self.sheet.height:
            self.sheet.scroll_by(by)
        else:
            self.sheet.scroll_to_y(value)
        if value == bar.maximum():
            self.sheet.top_row = len(self.sheet.rows) - 1
            self.sheet.scroll_by(0.0)
        self.scrolled()

    def _side_moved(self: _View, value: int) -> None:
        self.sheet.x = float(value)
        self.viewport().update()

    def scrollContentsBy(self: _View, dx: int, dy: int) -> None:
        """The bars' valueChanged does it."""

    def _resized(self: _View) -> None:
        sheet, viewport = self.sheet, self.viewport()
        width, height = float(viewport.width()), float(viewport.height())
        if self.find_bar_shown:
            bar = self.find_bar
            bar.fit(self.width())
            high = bar.sizeHint().height()
            bar.setGeometry(0, 0, self.width(), high)
            if self.viewportMargins().top() != high:
                self.setViewportMargins(0, high, 0, 0)  # and back here, by the viewport's new size
                return
        other = width != sheet.width
        sheet.width, sheet.height = width, height
        if other and sheet.wrap:
            sheet.restyle()
        sheet.scroll_by(0.0)
        self._set_bars()
        viewport.update()

    def restyle(self: _View) -> None:
        """Font, marks or wrap changed: lay out anew, keeping the caret or the top of the view where it is."""
        self.sheet.metrics = Metrics.of(palette.mono_font(self.zoom))
        self.sheet.restyle()
        self.sheet.scroll_by(0.0)
        self.scrolled()
        self.view_changed.emit()
