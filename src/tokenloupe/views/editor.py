"""The editor: a text as bytes, drawn with the tokens it becomes, edited in every usual way.

    view = EditorView(session)
    view.set_wrap(False); view.set_zoom(1.5); view.go_to_byte(1200)

The text is the session's: each key becomes `session.edit(...)`, and the view hears of it like every other view, by
document_changed and selection_changed. What the parts do: `editor_sheet` knows where everything lies, `editor_paint`
paints it, `editor_keys`, `editor_mouse` and `editor_ime` take input, `editor_moves` knows where the caret goes,
`editor_commands` and `editor_find` hold the actions a menu calls, `editor_changes` follows the session,
`editor_events` takes Qt's events.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QWidget

from ..models.session import Session
from . import palette
from .editor_access import Mirror
from .editor_changes import Changes
from .editor_commands import Commands
from .editor_events import Events
from .editor_find import Finding
from .editor_ime import InputMethod
from .editor_keys import Keys
from .editor_mouse import Mouse
from .editor_moves import Moves, Place
from .editor_sheet import Sheet
from .find_bar import FindBar
from .row_layout import BELOW
from .status import column_of, place_in

#: (byte_start, byte_end, token index, id)
TokenHere = tuple[int, int, int, int]


class EditorView(Commands, Finding, Changes, Events):
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
        #: What "Go to" in the context menu opens; None leaves it out.
        self.where_asked: Callable[[], None] | None = None
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
        return self.sheet.store.bytes(start, end)

    def place_of(self, byte_pos: int) -> tuple[int, int]:
        """(line, column) from 1, the line as it is numbered beside the text; a column is a code point."""
        rows = self.sheet.rows
        if rows.store is not self.sheet.store or rows.size != len(self.session):
            return place_in(self.session, byte_pos)  # the rows have not heard of the last edit yet
        line = rows.line_of(rows.row_at(byte_pos))
        start = rows.span(rows.row_of_line(line))[0]
        return line + 1, column_of(self.bytes(start, byte_pos))

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
        """Where bytes start .. end are seen in the viewport, as rectangles around whole clusters; of an empty range the
        flags of tokens without bytes that stand there."""
        out: list[QRectF] = []
        if start < 0 or start > end:
            return out
        left = self.sheet.margin - self.sheet.x
        if start == end:
            for at, low, high in self.sheet.seen_spans():
                if low <= start <= high:
                    for k, line in enumerate(at.picture.layout.lines):
                        out += [pin.area(line.height - BELOW).translated(left, at.y + at.picture.tops[k])
                                for pin in at.picture.shapes(k).pins if low + pin.byte_pos == start]
            return out
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
