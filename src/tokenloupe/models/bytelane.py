"""What the byte lane shows and does, without pixels: the stretch under the ruler, its cells, the current row, moves.

    model = LaneModel(session)
    model.range                         # bytes of the caret's line, or of the selection (model.set_scope("selection"))
    model.frame(120, 200).tokens        # what these bytes show; kept until something changes
    model.set_unit("token"); model.move("right")     # the next token is selected in every view

A move selects the next cell of the current row, so that every other view marks the same bytes. Its own selections do
not change what the ruler is over as long as they lie within it; anyone else's do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from ..core import bytelane_words as words
from ..core.bytelane import UNITS, Lane, LaneSource, Unit
from ..core.bytelane_stages import NormalChange
from ..core.bytelane_tokens import LostBytes, TokenCell, follow_one_another, lost_bytes, token_cells, tokens_around
from .token_colours import TokenColours

if TYPE_CHECKING:
    from ..core.document import Change
    from .session import Session

Scope = Literal["line", "selection"]
Where = Literal["left", "right", "home", "end", "page_left", "page_right", "start", "finish"]

#: Stages that run over the whole text wait for a pause in typing where it has more bytes; the pause in milliseconds.
AT_ONCE, PAUSE = 8192, 150
#: Changes of the normalizer are looked for in so many bytes at once.
SEARCHED = 4096


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a row. start == end: something that no byte of the text is behind. index: of a token, else -1."""

    unit: Unit
    start: int
    end: int
    index: int = -1


@dataclass(frozen=True, slots=True)
class Frame:
    """What bytes start .. end show. pre_tokens, changes: None where there are none to know (see LaneModel.note)."""

    start: int
    end: int
    lane: Lane
    tokens: list[TokenCell]
    lost: list[LostBytes]
    pre_tokens: list[tuple[int, int]] | None
    changes: list[NormalChange] | None


class LaneModel(QObject):
    """changed: bytes, tokens or the range. moved: selection, caret or current row. hovered: bytes under a pointer."""

    changed = Signal()
    moved = Signal()
    hovered = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.colours = TokenColours.of(session)
        self.source = LaneSource(session.document)
        self.unit: Unit = "token"
        self.scope: Scope = "line"
        #: Bytes a page has, set by the view.
        self.page = 32
        self._range: tuple[int, int] | None = None
        self._one_line = self._open_end = False  # is the range one line? does the text end with it, without a "\n"?
        self._frame: Frame | None = None
        self._own = False  # the selection is being moved by this model
        self._token = -1  # the current token, where bytes alone do not tell it
        self._waiting = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._stages_due)
        session.document_changed.connect(self._document_changed)
        session.tokenizer_changed.connect(self._tokenizer_changed)
        session.selection_changed.connect(self._selection_changed)
        session.hover_changed.connect(self.hovered)
        self._renew()

    # What is shown

    @property
    def range(self) -> tuple[int, int]:
        """(byte_start, byte_end) under the ruler: whole code points."""
        if self._range is None:
            start, end = self.session.selection
            if self.scope == "selection" and start < end:
                self._range = self.source.snap(start, -1), self.source.snap(end, 1)
                self._one_line = False
            else:
                self._range = low, high = self.source.line(start, end)
                self._one_line = start == end
                self._open_end = high == len(self) and (
                    low == high or self.session.document.store.bytes(high - 1, high) != b"\n")
        return self._range

    def set_scope(self, scope: Scope) -> None:
        if scope != self.scope:
            self.scope = scope
            self._range = None
            self.changed.emit()

    def frame(self, start: int, end: int) -> Frame:
        """What bytes start .. end show, clamped to the range; more may be given than was asked for."""
        low, high = self.range
        start = min(max(start, low), high)
        end = min(max(end, start), high)
        kept = self._frame
        if kept is None or not kept.start <= start <= end <= kept.end:
            margin = max((end - start) // 2, 16)
            kept = self._frame = self._make(max(start - margin, low), min(end + margin, high))
        return kept

    def _make(self, start: int, end: int) -> Frame:
        lane = self.source.lane(start, end)
        document = self.source.document
        tokens = token_cells(tokens_around(document, lane.start, lane.end), lane.start, lane.end)
        lost = lost_bytes(document, tokens, lane.start, lane.end)
        pre = changes = None
        if not self._waiting:
            found = self.source.pre_tokens(lane)
            pre = None if found is None else list(zip(found[0].tolist(), found[1].tolist(), strict=True))
            changes = self.source.changes(lane)
        return Frame(lane.start, lane.end, lane, tokens, lost, pre, changes)

    def note(self, unit: Unit) -> str:
        """Why a row is empty, in a few words; "" where it is not, or it is plain to see."""
        stages, name = self.source.stages, self.session.tokenizer.name
        if unit == "change":
            if not stages.has_normalizer:
                return f"{name} has no normalizer"
            if stages.too_long:
                return "not worked out for a text of this length"
            if not self._waiting and self._frame is not None and not self._frame.changes:
                return "no change here"
        if unit == "pre-token" and not self._waiting and self._frame is not None and self._frame.pre_tokens is None:
            return "not worked out for a text of this length" if stages.has_pre_tokens else f"{name} does not pre-split"
        if unit in ("change", "pre-token") and self._waiting:
            return "…"
        return ""

    def token_bytes(self, token_id: int) -> bytes:
        return self.session.tokenizer.token_bytes(token_id) or b""

    # The current cell

    @property
    def current(self) -> Cell:
        """Of the current row, the cell at the caret, or at the selection's moving end."""
        anchor, caret = self.session.anchor, self.session.caret
        at = caret - 1 if caret > anchor else caret
        if self.unit == "token":
            index = self._token if self._token >= 0 else self.session.document.token_at(at) if at < len(self) else -1
            return self._token_cell(index) if index >= 0 else self._gap(at)
        if self.unit == "change":
            found = [c for c in self._changes(at, at + 1) if c.start <= at < max(c.end, c.start + 1)]
            exact = [c for c in found if (c.start, c.end) == self.session.selection] or found
            return Cell("change", exact[0].start, exact[0].end) if exact else Cell("change", at, at)
        return Cell(self.unit, *self.source.span(self.unit, at))

    def _token_cell(self, index: int) -> Cell:
        one = self.session.document.tokens(index, index + 1)
        return Cell("token", int(one.starts[0]), int(one.ends[0]), index) if len(one) else Cell("token", 0, 0)

    def _gap(self, byte_pos: int) -> Cell:
        """The bytes around one that no token has, together with it."""
        low, high = self.range
        if low <= byte_pos < high:
            for gap in self.frame(byte_pos, byte_pos + 1).lost:
                if gap.start <= byte_pos < gap.end and not gap.held:
                    return Cell("token", gap.start, gap.end)
        return Cell("token", *self.source.span("token", byte_pos))

    def _changes(self, start: int, end: int) -> list[NormalChange]:
        return self.source.stages.changes(start, end) or []

    def cell_at(self, unit: Unit, byte_pos: int, level: float = 0.0) -> Cell | None:
        """The cell of a row over a byte; of tokens that share it the one at `level` (0 .. 1 of the row's height)."""
        if not 0 <= byte_pos < len(self):
            return None
        frame = self.frame(byte_pos, byte_pos + 1)
        if unit == "token":
            found = [c for c in frame.tokens if c.start <= byte_pos < c.end]
            best = next((c for c in found if c.level == int(level * c.levels)), found[0] if found else None)
            return Cell("token", best.start, best.end, best.index) if best else self._gap(byte_pos)
        if unit == "change":
            hit = next((c for c in frame.changes or () if c.start <= byte_pos < c.end), None)
            return Cell("change", hit.start, hit.end) if hit else None
        if unit == "pre-token":
            piece = next((p for p in frame.pre_tokens or () if p[0] <= byte_pos < p[1]), None)
            return Cell("pre-token", *piece) if piece else None
        return Cell(unit, *self.source.span(unit, byte_pos))

    def __len__(self) -> int:
        return len(self.session)

    # Moving

    def set_unit(self, unit: Unit) -> None:
        """Another row is the current one."""
        if unit != self.unit:
            self.unit = unit
            self._token = -1
            self.moved.emit()

    def next_unit(self, step: int) -> None:
        self.set_unit(UNITS[min(max(UNITS.index(self.unit) + step, 0), len(UNITS) - 1)])

    def select_cell(self, cell: Cell, extend: bool = False) -> None:
        """Select a cell's bytes; extend: from the anchor on to include them."""
        if cell.unit != self.unit:
            self.unit = cell.unit
        if extend:
            anchor = self.session.anchor
            self._select(anchor, cell.end if cell.end > anchor else cell.start)
        else:
            self._select(cell.start, cell.end, cell.index)

    def span(self, anchor: int, caret: int) -> None:
        """Select bytes of several cells."""
        self._select(anchor, caret)

    def move(self, where: Where, extend: bool = False) -> None:
        """Left and right: the cell before or after; home, end: the first and last under the ruler; page: as many bytes
        on as are in sight; start, finish: of the text. extend: the selection's moving end, from edge to edge."""
        low, high = self.range
        if extend:
            self._select(self.session.anchor, self._edge(where, low, high))
            return
        cell = self.current
        if where in ("left", "right"):
            target = self._beside(cell, 1 if where == "right" else -1)
        else:
            places = {"home": low, "end": high - 1, "page_left": max(cell.start - self.page, low),
                      "page_right": min(cell.start + self.page, high - 1), "start": 0, "finish": len(self) - 1}
            target = self._cell_over(min(max(places[where], 0), max(len(self) - 1, 0)))
        if target is not None and (self.scope == "line" or low <= target.start <= target.end <= high):
            self._select(target.start, target.end, target.index)

    def _edge(self, where: Where, low: int, high: int) -> int:
        caret = self.session.caret
        if where in ("left", "right"):
            unit: Unit = "code point" if self.unit == "change" else self.unit
            return self.source.step(unit, caret, 1 if where == "right" else -1)
        places = {"home": low, "end": high, "page_left": max(caret - self.page, low),
                  "page_right": min(caret + self.page, high), "start": 0, "finish": len(self)}
        return self.source.snap(places[where], 1)

    def _cell_over(self, byte_pos: int) -> Cell | None:
        if self.unit == "token":
            index = self.session.document.token_at(byte_pos) if len(self) else -1
            return self._token_cell(index) if index >= 0 else self._gap(byte_pos)
        return Cell(self.unit, *self.source.span("code point" if self.unit == "change" else self.unit, byte_pos))

    def _beside(self, cell: Cell, step: int) -> Cell | None:
        if self.unit == "token" and cell.index >= 0:
            index = cell.index + step
            beside = self._token_cell(index) if 0 <= index < self.session.document.token_count else None
            place = cell.end if step > 0 else cell.start - 1
            if 0 <= place < len(self) and self.session.document.token_at(place) < 0 and (
                    beside is None or (beside.start > place if step > 0 else beside.end <= place)):
                return self._gap(place)  # bytes that no token has lie between
            return beside
        if self.unit == "change":
            return self._change_beside(cell, step)
        place = cell.end if step > 0 else cell.start - 1
        return self._cell_over(place) if 0 <= place < len(self) else None

    def _change_beside(self, cell: Cell, step: int) -> Cell | None:
        """The next change of the normalizer, however far away."""
        here = (cell.start, cell.end)
        at = cell.start
        while True:
            low, high = (at, at + SEARCHED) if step > 0 else (at - SEARCHED, at)
            spans = [(c.start, c.end) for c in self._changes(max(low, 0), min(high, len(self)))]
            spans = [s for s in spans if (s > here if step > 0 else s < here)]
            if spans:
                return Cell("change", *(min(spans) if step > 0 else max(spans)))
            if low <= 0 if step < 0 else high >= len(self):
                return None
            at = high if step > 0 else low

    def _select(self, anchor: int, caret: int, token: int = -1) -> None:
        self._own = True
        self._token = token
        try:
            self.session.select(anchor, caret)
        finally:
            self._own = False
        low, high = self.range
        start, end = self.session.selection
        if not low <= start <= end <= high:
            self._range = None
            self.changed.emit()
        self.moved.emit()

    # Words and hover

    def words(self, cell: Cell) -> str:
        """What a cell is, in words; "" for a place without one."""
        store, unit = self.session.document.store, cell.unit
        data = store.bytes(cell.start, cell.end)
        if unit == "token" and cell.index >= 0:
            one = self.session.document.tokens(cell.index, cell.index + 1)
            return words.token_words(cell.index, int(one.ids[0]), self.token_bytes(int(one.ids[0])), int(one.kinds[0]),
                                     (cell.start, cell.end), data)
        if unit == "change":
            hit = next((c for c in self._changes(cell.start, max(cell.end, cell.start + 1))
                        if (c.start, c.end) == (cell.start, cell.end)), None)
            return words.change_words(hit) if hit else "no change by the normalizer"
        if not data:
            return ""
        if unit == "byte":
            low = max(cell.start - 3, 0)
            return words.byte_words(cell.start, store.bytes(low, min(cell.end + 3, len(store))), low)
        if unit == "token":
            missing = lost_bytes(self.source.document, [], cell.start, cell.end)
            return words.lost_words(cell.start, cell.end, missing[0].stage if missing else "")
        if unit == "pre-token":
            return words.pre_token_words(cell.start, data)
        return words.grapheme_words(data) if unit == "grapheme" else words.code_point_words(cell.start, data)

    def hover_at(self, cell: Cell | None) -> None:
        """Light the cell's bytes in every view; None: nothing is under the pointer."""
        self.session.hover_at(*((cell.start, cell.end) if cell is not None else (-1, -1)))

    # Inside

    def _renew(self) -> None:
        if self.source.document is self.session.document:
            self.source.renew()
        else:
            self.source = LaneSource(self.session.document)
        self._frame = None
        document, stages = self.session.document, self.source.stages
        self._waiting = not self.session.jobs.synchronous and len(document) > AT_ONCE and not stages.too_long and (
            stages.has_normalizer or (stages.has_pre_tokens and not follow_one_another(document)))
        if self._waiting:
            self._pause.start()

    def _stages_due(self) -> None:
        self._waiting = False
        self._frame = None
        self.changed.emit()

    def _tokenizer_changed(self) -> None:
        self._token = -1
        self._renew()
        self.changed.emit()

    def _document_changed(self, change: Change) -> None:
        self._token = -1
        grown = change.byte_inserted - change.byte_removed
        if change.byte_inserted or change.byte_removed:
            self._range = self._range_after(change, grown)
        self._renew()
        self.changed.emit()

    def _range_after(self, change: Change, grown: int) -> tuple[int, int] | None:
        """The same line, longer or shorter; None: look for it again. (A line can be as long as the text.)"""
        if self._range is None or not self._one_line:
            return None
        start, end = self._range
        first, last = change.byte_start, change.byte_start + change.byte_removed
        if first < start or not (last < end or (self._open_end and last == end)):
            return None
        if b"\n" in self.session.document.store.bytes(first, first + change.byte_inserted):
            return None
        return start, end + grown

    def _selection_changed(self) -> None:
        if not self._own:
            self._token = -1
            if self._range is not None and not self._stays():
                self._range = None
                self.changed.emit()
            self.moved.emit()

    def _stays(self) -> bool:
        """Is the range still right for a selection that another view made?"""
        start, end = self.session.selection
        if self.scope == "selection" and start < end:
            return False
        low, high = self._range or (0, 0)
        return self._one_line and low <= start and (end < high or (self._open_end and end == high))
