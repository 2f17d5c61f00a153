"""Strides: the same flat memory under changing shapes. Operations are buttons; nothing ever moves.

The first example is what a model is given: the ids of the document's lines as a [batch, seq] int32 tensor.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ..core.errors import InputError
from ..models.session import Session
from ..tensors.strided import Strided, element_count, token_batch
from . import palette
from .flow import FlowLayout
from .panel_parts import grow

DOCUMENT, BOOK, CUBE = "Token ids of the document, [batch, seq] int32", "Textbook example, 2 × 3", "A cube, 2 × 3 × 4"
#: Tokens of a line and lines that are drawn.
LONGEST, MOST_LINES = 12, 6
#: Cells drawn at most.
MOST_CELLS = 400


class StrideView(QWidget):
    """The tensor by index above, the flat memory beneath; what belongs together is lit. picked(index tuple)."""

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = Strided.row_major((2, 3))
        self.labels = [chr(97 + i) for i in range(6)]
        self.band = 3
        self.index: tuple[int, ...] = (0, 0)
        self._spots: list[tuple[QRect, tuple[int, ...]]] = []
        self._memory_spots: list[tuple[QRect, int]] = []
        self._tall, self._wide = 300, 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Tensor and memory")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(500, self._tall)

    def show_view(self, view: Strided, labels: list[str], band: int = 1) -> None:
        """band: elements of memory that share a colour, the rows of the tensor as it was made."""
        self.view, self.labels, self.band = view, labels, max(1, band)
        self.index = tuple(0 for _ in view.shape)
        self._measure()
        self.update()
        self.picked.emit(self.index)

    def _measure(self) -> None:
        self._paint(None)
        self.setFixedHeight(self._tall)
        self.setMinimumWidth(self._wide)  # a row of the tensor is not wrapped: what is wider scrolls

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._measure()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._measure()
        super().resizeEvent(event)

    @property
    def offset(self) -> int:
        """The memory element that the chosen index reads, -1 when there is none."""
        return self.view.offset_of(self.index) if self.view.elements else -1

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as p:
            p.fillRect(self.rect(), palette.current().base)
            self._paint(p)

    def _cell(self) -> QSize:
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(x) for x in self.labels[:MOST_CELLS]), default=20)
        return QSize(max(34, widest + 12), metrics.height() * 2 + 4)

    def _paint(self, p: QPainter | None) -> None:
        self._spots, self._memory_spots, self._wide = [], [], 0
        line, cell = self.fontMetrics().height(), self._cell()
        y = self._caption(p, 8, "By index (shape and strides)")
        y = self._tensor(p, y, cell, line)
        y = self._caption(p, y + 14, "In memory (flat, it never moves)")
        per_row = max(1, (self.width() - 20) // cell.width())
        used = set(self.view.offsets().reshape(-1).tolist()) if self.view.elements <= MOST_CELLS else set()
        for i in range(min(self.view.memory, MOST_CELLS)):
            rect = QRect(
                10 + i % per_row * cell.width(), y + i // per_row * (cell.height() + 2), cell.width() - 2, cell.height()
            )
            self._memory_spots.append((rect, i))
            self._draw(p, rect, self.labels[i] if i < len(self.labels) else "", str(i), i, i == self.offset, i in used)
        y += -(-min(self.view.memory, MOST_CELLS) // per_row) * (cell.height() + 2)
        if self.view.memory > MOST_CELLS:
            y = self._caption(p, y, f"… {self.view.memory - MOST_CELLS:,} more")
        self._tall = y + 10

    def _caption(self, p: QPainter | None, y: int, text: str) -> int:
        line = self.fontMetrics().height()
        if p is not None:
            p.setPen(palette.current().muted)
            p.setFont(self.font())
            p.drawText(QRect(10, y, self.width() - 20, line), Qt.AlignmentFlag.AlignLeft, text)
        return y + line + 4

    def _tensor(self, p: QPainter | None, y: int, cell: QSize, line: int) -> int:
        """The last two dimensions as tables, one for each index of the ones before."""
        shape = self.view.shape
        if not self.view.elements:
            return self._caption(p, y, "no elements")
        if self.view.elements > MOST_CELLS:
            return self._caption(p, y, f"{self.view.elements:,} elements: too many to draw")
        rows, columns = (shape[-2] if len(shape) > 1 else 1), (shape[-1] if shape else 1)
        x, widest = 10, columns * cell.width() + 16
        self._wide = columns * cell.width() + 20
        for outer in np.ndindex(*shape[:-2]):
            if x + widest > self.width() and x > 10:
                x, y = 10, y + rows * (cell.height() + 2) + line + 8
            top = y
            if outer and p is not None:
                p.setPen(palette.current().muted)
                p.drawText(x, y + line - 3, f"[{', '.join(map(str, outer))}, :, :]")
            top += line + 2 if outer else 0
            for r in range(rows):
                for k in range(columns):
                    index = (*outer, r, k)[-len(shape):] if shape else ()
                    rect = QRect(x + k * cell.width(), top + r * (cell.height() + 2), cell.width() - 2, cell.height())
                    at = self.view.offset_of(index)
                    self._spots.append((rect, index))
                    self._draw(
                        p, rect, self.labels[at] if at < len(self.labels) else "", f"@{at}", at, at == self.offset, True
                    )
            x += widest
        return y + rows * (cell.height() + 2) + (line + 2 if len(shape) > 2 else 0)

    def _draw(self, p: QPainter | None, rect: QRect, text: str, small: str, at: int, lit: bool, used: bool) -> None:
        if p is None:
            return
        c = palette.current()
        if used:
            p.fillRect(rect, c.fill_of(at // self.band))
        p.setPen(QPen(c.focus if lit else c.border, 3 if lit else 1))
        p.drawRect(rect.adjusted(0, 0, -1, -1))
        p.setPen(c.token_text if used else c.faint)
        p.setFont(self.font())
        half = rect.height() // 2
        p.drawText(QRect(rect.left(), rect.top() + 1, rect.width(), half), Qt.AlignmentFlag.AlignCenter, text)
        p.setFont(palette.small_font(self.font(), 0.8))
        p.drawText(QRect(rect.left(), rect.top() + half, rect.width(), half - 1), Qt.AlignmentFlag.AlignCenter, small)

    def _choose(self, index: tuple[int, ...]) -> None:
        if index != self.index:
            self.index = index
            self.update()
            self.picked.emit(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        pos = event.position().toPoint()
        found = next((index for rect, index in self._spots if rect.contains(pos)), None)
        if found is None:
            at = next((i for rect, i in self._memory_spots if rect.contains(pos)), None)
            if at is not None and self.view.elements <= MOST_CELLS:
                readers = self.view.indices_at(at)
                found = readers[0] if readers else None
        if found is not None:
            self._choose(found)

    mousePressEvent = mouseMoveEvent

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        up = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key = Qt.Key(event.key())
        if not self.view.elements or not self.view.shape or (key not in steps and key not in up):
            super().keyPressEvent(event)
            return
        row = int(np.ravel_multi_index(self.index, self.view.shape))
        row += steps.get(key, 0) + up.get(key, 0) * self.view.shape[-1]
        row = max(0, min(self.view.elements - 1, row))
        self._choose(tuple(int(i) for i in np.unravel_index(row, self.view.shape)))


class StridesPanel(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.example = QComboBox()
        self.example.setAccessibleName("Example")
        self.example.addItems((DOCUMENT, BOOK, CUBE))
        self.example.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.example.setMinimumContentsLength(18)
        self.argument = QLineEdit()
        self.argument.setAccessibleName("Operation to apply")
        self.argument.setPlaceholderText("reshape 3 2   slice 1 0:4:2   broadcast 4 2 3   transpose 1 0   select 0 1")
        self.picture = StrideView()
        self.facts, self.history = QLabel(), QLabel()
        for label in (self.facts, self.history):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.view, self.labels = Strided.row_major((2, 3)), [chr(97 + i) for i in range(6)]
        self.band = 3
        self.steps: list[str] = []
        self.trouble = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(150)
        self._soon.timeout.connect(self._refresh)
        self._build()
        session.document_changed.connect(lambda _c: self._later())
        session.tokenizer_changed.connect(self._later)
        if not session.ready:
            self.example.setCurrentText(BOOK)
        self.restart()

    def set_zoom(self, zoom: float) -> None:
        grow(zoom, self.picture, self.facts, self.history)

    def _build(self) -> None:
        top = FlowLayout()
        top.addWidget(self.example)
        for text, operation in (("Transpose", "transpose"), ("Every other column", "slice -1 ::2"),
                                ("First row", "select 0 0"), ("Flatten", "reshape -1"), ("Reverse", "slice -1 ::-1"),
                                ("Broadcast × 3", "broadcast 3"), ("Copy in order", "copy")):
            button = QPushButton(text)
            button.clicked.connect(lambda _=False, o=operation: self.apply(o))
            top.addWidget(button)
        back = QPushButton("Start again")
        back.clicked.connect(self.restart)
        top.addWidget(back)
        area = QScrollArea()
        area.setAccessibleName("Tensor and memory")
        area.setWidget(self.picture)
        area.setWidgetResizable(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addLayout(top)
        for widget in (self.argument, self.facts, self.history):
            layout.addWidget(widget)
        layout.addWidget(area, 1)
        self.example.currentIndexChanged.connect(self.restart)
        self.argument.returnPressed.connect(lambda: self.apply(self.argument.text()))
        self.picture.picked.connect(lambda _i: self._tell())
        self.setFocusProxy(self.picture)

    def _later(self) -> None:
        if self.example.currentText() == DOCUMENT:
            self._soon.start()

    def _refresh(self) -> None:
        """The document changed: the same steps over the new ids, as far as they still can be done."""
        steps = list(self.steps)
        self.restart()
        for step in steps:
            self.apply(step)

    def restart(self) -> None:
        """The example as it is in memory."""
        name = self.example.currentText()
        self.steps, self.trouble = [], ""
        if name == CUBE:
            self.view, self.labels = Strided.row_major((2, 3, 4)), [str(i) for i in range(24)]
        elif name == DOCUMENT and self.session.ready:
            self._document()
        else:
            self.view, self.labels = Strided.row_major((2, 3)), [chr(97 + i) for i in range(6)]
        self.band = self.view.shape[-1]
        self._show()

    def _document(self) -> None:
        """The first lines of the document, a row each, padded with zeros to the longest."""
        lines = [x for x in self.session.data[:20_000].split(b"\n") if x.strip()][:MOST_LINES] or [b""]
        try:
            ids = [self.session.tokenizer.encode(x[:400]).ids[:LONGEST].tolist() for x in lines]
            flat, self.view = token_batch(ids)
        except InputError as error:
            self.trouble = str(error)
            return
        self.labels = [str(i) for i in flat.tolist()]

    def apply(self, text: str) -> None:
        """One operation: its name and its numbers. What cannot be done is said and changes nothing."""
        try:
            self.view = operate(self.view, text)
            self.trouble = ""
            if text.split()[:1] == ["copy"]:
                self.band = self.view.shape[-1] if self.view.shape else 1
                self.labels = [self.labels[i] for i in self.picture.view.offsets().reshape(-1).tolist()]
            self.steps.append(" ".join(text.split()))
        except InputError as error:
            self.trouble = str(error)
        self._show()

    def _show(self) -> None:
        self.picture.show_view(self.view, self.labels, self.band)
        self._tell()

    def _tell(self) -> None:
        v = self.view
        why = v.why_not_contiguous()
        told = (
            f"shape {list(v.shape)}   strides {list(v.strides)}   starts at {v.offset}   "
            f"{v.itemsize} bytes an element\n"
            f"offset = {v.formula()}   {'contiguous' if not why else 'not contiguous: ' + why}"
        )
        index = self.picture.index
        if v.elements and len(index) == len(v.shape):
            sums = " + ".join(f"{i}·{s}" for i, s in zip(index, v.strides, strict=True)) or "0"
            at = v.offset_of(index)
            told += f"\nelement {tuple(index)}: {v.offset} + {sums} = {at}, byte {at * v.itemsize}"
        self.facts.setText(told)
        done = "  →  ".join(["as made", *self.steps])
        self.history.setText(f"⚠ {self.trouble}" if self.trouble else done)


def operate(view: Strided, text: str) -> Strided:
    """`transpose [order]`, `reshape lengths`, `broadcast lengths` (one length: a new dimension in front), `slice axis
    a:b:c`, `select axis index`, `copy`. InputError for what is none of them or cannot be done without moving data."""
    words = text.replace(",", " ").split()
    if not words:
        raise InputError("no operation is given", todo="for example: reshape 3 2")
    name, rest = words[0].lower(), words[1:]
    try:
        if name == "slice" and len(rest) == 2:
            parts = [int(x) if x else None for x in rest[1].split(":")]
            if 2 <= len(parts) <= 3:
                return view.slice(int(rest[0]), *parts)
        numbers = [int(x) for x in rest] if name != "slice" else []
    except ValueError as error:
        raise InputError(f"{text!r} has a word that is no number", todo="for example: slice 1 0:4:2") from error
    if any(abs(n) > 1 << 16 for n in numbers):
        raise InputError("a number is too large to draw", todo="stay below 65,536")
    if name == "transpose":
        return view.transpose(numbers or None)
    if name == "reshape" and numbers:
        return view.reshape(numbers)
    if name == "broadcast" and numbers:
        target = numbers if len(numbers) > len(view.shape) or len(numbers) > 1 else [*numbers, *view.shape]
        if element_count(target) > 1 << 20:
            raise InputError(f"{element_count(target):,} elements are too many to draw")
        return view.broadcast(target)
    if name == "select" and len(numbers) == 2:
        return view.select(*numbers)
    if name == "copy" and not numbers:
        return view.contiguous_copy()
    raise InputError(f"{text!r} is no operation", todo="transpose, reshape, broadcast, slice, select, copy")
