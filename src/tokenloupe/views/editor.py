"""The editor: a text as bytes, drawn with the tokens it becomes, edited in every usual way.

    view = EditorView(session)
    view.set_wrap(False); view.set_zoom(1.5); view.go_to_byte(1200)

The text is the session's: each key becomes `session.edit(...)`, and the view hears of it like every other view, by
document_changed and selection_changed. What the parts do: `editor_sheet` knows where everything lies, `editor_paint`
paints it, `editor_keys`, `editor_mouse` and `editor_ime` take input, `editor_moves` knows where the caret goes,
`editor_commands` holds the actions a menu calls.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from ..models.session import Session
from . import editor_menu, palette
from .editor_access import Mirror
from .editor_commands import Commands
from .editor_ime import InputMethod
from .editor_keys import Keys
from .editor_mouse import Mouse
from .editor_moves import Moves, Place
from .editor_paint import paint
from .editor_sheet import Seen, Sheet
from .find_bar import FindBar
from .row_layout import BELOW, Metrics
from .text_rows import RowsChanged

if TYPE_CHECKING:
    from ..core.document import Change

#: (byte_start, byte_end, token index, id)
TokenHere = tuple[int, int, int, int]


class EditorView(Commands, QAbstractScrollArea):
    """files_dropped(list of Path): files were dropped; without `file_handler` the first becomes the text.

    zoom_changed(float), view_changed(): wrap, marks or numbers were switched (for menus).
    """

    files_dropped = Signal(object)
    zoom_changed = Signal(object)
    view_changed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.zoom = 1.0
        self.read_only = False
        self.overwrite = False
        self.upstream = False
        self.goal_x: float | None = None
        self.placeholder = "Type or paste text here, or drop a file"
        self.file_handler: Callable[[list[Path]], None] | None = None
        self.caret_on = False
        self.current_token: TokenHere | None = None
        self._editing = False
        self._bar_value = 0
        self._hover_rects: list[QRectF] = []
        self.sheet = Sheet(session, palette.mono_font())
        self.moves = Moves(self.sheet)
        self._keys, self.mouse, self.ime = Keys(self), Mouse(self), InputMethod(self)
        self.mirror = Mirror(self)
        self.find_bar = FindBar(self)
        self.setAccessibleName("Text")
        self.setAccessibleDescription("The text, coloured by its tokens")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        viewport = self.viewport()
        viewport.setMouseTracking(True)
        viewport.setCursor(Qt.CursorShape.IBeamCursor)
        viewport.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAcceptDrops(True)
        viewport.setAcceptDrops(True)
        self.verticalScrollBar().valueChanged.connect(self._bar_moved)
        self.horizontalScrollBar().valueChanged.connect(self._side_moved)
        self._blink = QTimer(self)
        self._blink.timeout.connect(self._blinked)
        self.find_bar.searched.connect(viewport.update)
        self.find_bar.closed.connect(self.hide_find)
        session.document_changed.connect(self._document_changed)
        session.tokenizer_changed.connect(self._tokenizer_changed)
        session.selection_changed.connect(self._selection_changed)
        session.hover_changed.connect(self._hover_changed)
        self._resized()

    # What there is

    def bytes(self, start: int, end: int) -> bytes:
        data: bytes = self.sheet.store.bytes(start, end)  # type: ignore[attr-defined]
        return data

    @property
    def line_height(self) -> float:
        return self.sheet.metrics.line_height + BELOW

    def caret_rect(self) -> QRectF | None:
        """In the viewport; None when the caret is not in sight."""
        rect = self.sheet.caret_rect(self.session.caret, self.upstream)
        if rect is not None and self.overwrite:
            rect.setWidth(self.sheet.metrics.char)
            rect.setTop(rect.bottom() - 3)
        return rect

    def caret_is_rtl(self) -> bool:
        """Does the cluster at the caret run from right to left?"""
        row, line, _ = self.sheet.place(self.session.caret, self.upstream)
        layout = self.sheet.picture(row).layout
        cluster = layout.row.cluster_at(self.session.caret - self.sheet.rows.span(row)[0])
        if not layout.rtl or cluster + 1 >= len(layout.row.cluster_utf16):
            return False
        return layout.cluster_edges(line, cluster)[2]

    def drop_rect(self) -> QRectF | None:
        return None if self.mouse.drop_at is None else self.sheet.caret_rect(self.mouse.drop_at)

    def token_at(self, byte_pos: int) -> TokenHere | None:
        """The token that holds a byte (the narrowest where several do)."""
        if not self.session.ready or not 0 <= byte_pos < len(self.session):
            return None
        window = self.session.document.window(byte_pos, byte_pos + 1)
        found = [(e - s, s, e, window.first_index + k, i) for k, (s, e, i) in enumerate(
            zip(window.starts.tolist(), window.ends.tolist(), window.ids.tolist(), strict=True)) if s <= byte_pos < e]
        return min(found)[1:] if found else None

    def token_rects(self, start: int, end: int, *_: int) -> list[QRectF]:
        """Where bytes start .. end are seen in the viewport, as rectangles around whole clusters."""
        out: list[QRectF] = []
        if start < 0 or start >= end:
            return out
        left = self.sheet.margin - self.sheet.x
        for at, low, high in self.sheet.seen_spans():
            if low >= end or high <= start:
                continue
            layout = at.picture.layout
            row = layout.row
            first = row.cluster_at(max(start, low) - low)
            last = row.cluster_at(min(end, high) - 1 - low)
            for k, line in enumerate(layout.lines):
                for a, b in layout.spans_x(k, int(row.cluster_utf16[first]), int(row.cluster_utf16[last + 1])):
                    out.append(QRectF(a + left, at.y + at.picture.tops[k], b - a, line.height - BELOW))
        return out

    def matches_in(self, start: int, end: int) -> list[tuple[int, int]]:
        """Matches of the find bar that touch a stretch of the text."""
        query = self.find_bar.query
        if query is None or not self.find_bar_shown:
            return []
        low = max(0, start - query.longest)
        data = self.bytes(low, end + query.longest)
        return [(a + low, b + low) for a, b in query.all(data) if a + low < end and b + low > start]

    # What changed

    def _document_changed(self, change: Change) -> None:
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

    def _repaint_changed(self, before: dict[int, Seen], rows: RowsChanged) -> None:
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
            if was is not None:
                picture.adopt(was.picture)
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
        if bottom < height:  # the text became shorter than the viewport
            viewport.update(QRect(0, int(bottom), width, height))

    def _update_row_tail(self, at: Seen, was: Seen) -> None:
        """A row that wraps otherwise: what is above its first changed line stays."""
        new, old = at.picture, was.picture
        k = 0
        while k + 1 < min(len(new.tops), len(old.tops)) and new.tops[k + 1] == old.tops[k + 1] \
                and new.line_key(k) == old.line_key(k):
            k += 1
        top = int(at.y + new.tops[k])
        tallest = max(new.height, old.height)
        self.viewport().update(QRect(0, top, self.viewport().width(), int(at.y + tallest) - top))

    def _update_line(self, at: Seen, line: int) -> None:
        top = at.y + at.picture.tops[line]
        height = at.picture.bottom_of(line) - at.picture.tops[line]
        self.viewport().update(QRect(0, int(top), self.viewport().width(), int(height)))

    def _new_text(self) -> None:
        self.ime.drop()
        self.sheet.renew()
        self.goal_x, self.upstream, self.current_token = None, False, None
        self._set_bars()
        self._find_current()
        self.find_bar.recount()
        self.viewport().update()

    def _tokenizer_changed(self) -> None:
        if self.sheet.rows.store is not self.sheet.store:
            self._new_text()  # the session has got its document
            return
        self.sheet.tokens_renewed()
        self._find_current()
        self.viewport().update()

    def _selection_changed(self, start: int, end: int) -> None:
        self.upstream = False if not self._editing else self.upstream
        self.goal_x = None
        if self.sheet.rows.store is not self.sheet.store:
            return
        if not self._editing and self.isVisible() and self.sheet.reveal(self.session.caret):
            if end - start < 4096 and start != self.session.caret:
                self.sheet.reveal(start)
                self.sheet.reveal(self.session.caret)
            self.scrolled()
        self._show_selection()

    def _show_selection(self) -> None:
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

    def _update_bytes(self, low: int, high: int) -> None:
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

    def _find_current(self) -> None:
        """The token before the caret, as it is the one being typed; at the start the one after it."""
        caret = self.session.caret
        found = self.token_at(caret - 1) if caret else self.token_at(0)
        if found != self.current_token:
            old, self.current_token = self.current_token, found
            for token in (old, found):
                if token is not None:
                    self._update_bytes(token[0], token[1])

    def _hover_changed(self, start: int, end: int) -> None:
        for rect in self._hover_rects:
            self.viewport().update(rect.toAlignedRect().adjusted(-3, -3, 3, 3))
        self._hover_rects = self.token_rects(start, end) if self.isVisible() else []
        for rect in self._hover_rects:
            self.viewport().update(rect.toAlignedRect().adjusted(-3, -3, 3, 3))

    # Caret and selection

    def move_to(self, place: Place, selects: bool, reveal: bool = True) -> None:
        """Put the caret there; `selects` keeps the other end of the selection."""
        self._editing = True
        try:
            self.upstream = place.upstream
            anchor = self.session.anchor if selects else place.byte_pos
            self.session.select(anchor, place.byte_pos, caret=place.byte_pos)
        finally:
            self._editing = False
        self.goal_x = None
        self.ime.drop()
        if reveal and self.sheet.reveal(place.byte_pos, place.upstream):
            self.scrolled()
        self._show_selection()

    def select(self, anchor: int, caret: int, reveal: bool = True) -> None:
        self._editing = True
        try:
            self.upstream = False
            self.session.select(anchor, caret, caret=caret)
        finally:
            self._editing = False
        if reveal and self.sheet.reveal(self.session.caret):
            self.scrolled()
        self._show_selection()

    def keep_goal(self, x: float) -> None:
        """The column that moves up and down aim at, until another move."""
        self.goal_x = x

    def _restart_blink(self) -> None:
        self.caret_on = self.hasFocus() and self.ime.cursor_shown
        time = QGuiApplication.styleHints().cursorFlashTime()
        if self.caret_on and time > 0:
            self._blink.start(time // 2)
        else:
            self._blink.stop()

    def _blinked(self) -> None:
        self.caret_on = not self.caret_on and self.hasFocus()
        rect = self.caret_rect()
        if rect is not None:
            self.viewport().update(rect.toAlignedRect().adjusted(-6, -1, 2, 1))

    # Scrolling and size

    def scrolled(self) -> None:
        """The sheet was scrolled: bars and picture follow."""
        self._set_bars()
        self.viewport().update()

    def _set_bars(self) -> None:
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

    def _bar_moved(self, value: int) -> None:
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

    def _side_moved(self, value: int) -> None:
        self.sheet.x = float(value)
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The bars' valueChanged does it."""

    def _resized(self) -> None:
        sheet, viewport = self.sheet, self.viewport()
        width, height = float(viewport.width()), float(viewport.height())
        if self.find_bar_shown:
            bar = self.find_bar
            bar.setGeometry(0, 0, self.width(), bar.sizeHint().height())
        other = width != sheet.width
        sheet.width, sheet.height = width, height
        if other and sheet.wrap:
            sheet.restyle()
        sheet.scroll_by(0.0)
        self._set_bars()
        viewport.update()

    def restyle(self) -> None:
        """Font, marks or wrap changed: lay out anew, keeping the caret or the top of the view where it is."""
        self.sheet.metrics = Metrics.of(palette.mono_font(self.zoom))
        self.sheet.restyle()
        self.sheet.scroll_by(0.0)
        self.scrolled()
        self.view_changed.emit()

    # Qt's events

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            paint(painter, self, QRectF(event.rect()))
            if self.hasFocus():
                colours = palette.current()
                painter.setPen(colours.focus)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._resized()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.session.ready and self._keys.press(event):
            event.accept()
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            from .editor_keys import typed

            if typed(event):
                event.accept()  # letters are for the text, whatever shortcuts a window has
                return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            byte_pos = self.sheet.exact_byte_at(QPointF(event.pos()))
            tip = editor_menu.token_tip(self, byte_pos) if byte_pos >= 0 else ""
            QToolTip.showText(event.globalPos(), tip, self.viewport())
            return True
        if event.type() == QEvent.Type.Leave:
            self.mouse.leave()
        return super().viewportEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationFontChange):
            self.viewport().update()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.ime.event(event)
        self._restart_blink()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        return self.ime.query(query)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._restart_blink()
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._restart_blink()
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if step := event.angleDelta().y():
                self.set_zoom(self.zoom * 1.1 ** (step / 120))
            event.accept()
        else:
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouse.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mouse.double_click(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.mouse.release(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = editor_menu.context_menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.mouse.drag_over(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.mouse.drag_over(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.mouse.set_drop(None)

    def dropEvent(self, event: QDropEvent) -> None:
        self.mouse.drop(event)
