"""How long the text is: tokens, bytes, code points, graphemes, bytes per token; of all and of the selection.

Tokens and bytes are known at once; the other two are counted in slices for a long text, and shown as … until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ..models import counting
from ..models.jobs import Latest
from ..models.session import Session
from . import palette
from .status import label

if TYPE_CHECKING:
    from ..core.document import Change
    from ..core.text import Counts

#: Longest wait before an edited text is counted again, in ms: short for a short text, a pause in typing for a long one.
SOON, PAUSE = 30, 400

UNITS = ("Tokens", "Bytes", "Code points", "Graphemes", "Bytes/token")


#: Places in UNITS in the order in which they stay when there is no room for all.
STAY = (0, 1, 4, 2, 3)
SPACE = 20


class CountsBar(QWidget):
    """Five figures with their captions; with a selection, its own figures stand before those of the whole text. Those
    that there is no room for are not shown, and told by the tooltip."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._whole: Counts | None = None
        self._part: Counts | None = None
        self._whole_job, self._part_job = Latest(session.jobs), Latest(session.jobs)
        self._timer, self._part_timer = QTimer(self), QTimer(self)
        for timer, run in ((self._timer, self._count_whole), (self._part_timer, self._count_part)):
            timer.setSingleShot(True)
            timer.timeout.connect(run)
        self._figures: list[QLabel] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        self._places: list[QWidget] = []
        for unit in UNITS:
            place = QWidget()
            column = QVBoxLayout(place)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            figure, caption = label("figure", about=unit), QLabel(unit)
            figure.setText("0")
            caption.setObjectName("caption")
            caption.setFont(palette.small_font(self.font()))
            column.addWidget(figure)
            column.addWidget(caption)
            row.addWidget(place)
            self._places.append(place)
            self._figures.append(figure)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        session.document_changed.connect(self._edited)
        session.tokenizer_changed.connect(self._changed)
        session.selection_changed.connect(self._select)
        self._changed()

    def texts(self) -> dict[str, str]:
        """What is shown, by unit."""
        return {unit: figure.text() for unit, figure in zip(UNITS, self._figures, strict=True)}

    # What there is room for

    def sizeHint(self) -> QSize:
        """Of all five, whether they are shown or not."""
        return self._size(UNITS)

    def minimumSizeHint(self) -> QSize:
        return self._size(UNITS[:1])

    def _size(self, units: Sequence[str]) -> QSize:
        sizes = [place.sizeHint() for place in self._places[: len(units)]]
        return QSize(sum(s.width() + SPACE for s in sizes) - SPACE, max(s.height() for s in sizes))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        left, out = self.width() + SPACE, []
        for k in STAY:
            left -= self._places[k].sizeHint().width() + SPACE
            if left < 0 and k != STAY[0]:
                out.append(k)
        for k, place in enumerate(self._places):
            place.setVisible(k not in out)
        selected = self._session.selection[0] < self._session.selection[1]
        lines = [f"{UNITS[k]}: {self._figures[k].text()}" for k in sorted(out)]
        self.setToolTip("\n".join((["Selected / whole text"] if selected else []) + lines))

    def _edited(self, change: Change) -> None:
        if change.byte_removed or change.byte_inserted:
            self._changed()
        else:  # more tokens of a large text, the same bytes
            self._show()

    def _changed(self) -> None:
        if not self._session.ready:
            return
        self._whole = None if len(self._session) > counting.AT_ONCE else self._whole
        self._part = None
        if self._session.jobs.synchronous:
            self._count_whole()
            self._count_part()
            return
        self._timer.start(SOON if len(self._session) <= counting.AT_ONCE else PAUSE)
        self._part_timer.start(SOON)
        self._show()

    def _select(self) -> None:
        self._part = None
        self._part_job.cancel()
        start, end = self._session.selection
        if self._session.jobs.synchronous:
            self._count_part()
        elif start < end:
            self._part_timer.start(SOON)
            self._show()
        else:
            self._show()

    def _count_whole(self) -> None:
        def done(counts: Counts) -> None:
            self._whole = counts
            self._show()

        if self._session.ready:
            self._whole_job.start("Counting", counting.steps(self._session.data), done=done)

    def _count_part(self) -> None:
        def done(counts: Counts) -> None:
            self._part = counts
            self._show()

        start, end = self._session.selection
        if self._session.ready and start < end:
            data = self._session.document.store.bytes(start, end)
            self._part_job.start("Counting", counting.steps(data), done=done)
        else:
            self._show()

    def _show(self) -> None:
        session = self._session
        if not session.ready:
            return
        document = session.document
        start, end = session.selection
        whole = self._column(document.token_count, len(document), self._whole, document.complete_to)
        if start < end:
            first, last = _touched(session, start, end)
            tokens = last - first
            part = self._column(tokens, end - start, self._part, end - start)
            shown = [f"{p} / {w}" for p, w in zip(part, whole, strict=True)]
        else:
            shown = whole
        for figure, text in zip(self._figures, shown, strict=True):
            if figure.text() != text:
                figure.setText(text)
        self._fit()

    @staticmethod
    def _column(tokens: int, size: int, counts: Counts | None, counted_bytes: int) -> list[str]:
        if counts is not None and counts.bytes != size:
            counts = None
        per = f"{counted_bytes / tokens:.2f}" if tokens else "–"
        return [
            f"{tokens:,}" + ("+" if counted_bytes < size else ""), f"{size:,}",
            f"{counts.code_points:,}" if counts else "…", f"{counts.graphemes:,}" if counts else "…", per,
        ]


def _touched(session: Session, byte_start: int, byte_end: int) -> tuple[int, int]:
    """first and last + 1 of the tokens that share a byte with the range."""
    document = session.document
    first, last = document.token_at(byte_start), document.token_at(byte_end - 1)
    if first < 0 or last < 0:
        window = document.window(byte_start, byte_end)
        return window.first_index, window.first_index + len(window)
    return min(first, last), max(first, last) + 1
