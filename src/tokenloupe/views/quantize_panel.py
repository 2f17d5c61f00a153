"""Quantise: original, restored and error side by side; what each type costs in bits and gives back in error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import InputError
from ..core.wording import count_of
from ..models import tensor_quantize as model
from ..models.jobs import Latest
from ..models.session import Session
from ..models.tensor_desk import TensorDesk
from ..tensors import blocks
from ..tensors.statistics import Comparison
from . import palette
from .block_page import number
from .flow import FlowLayout
from .panel_parts import grow, label_bar

TYPED = "Numbers typed below"


class SideBySide(QWidget):
    """32 values as rows: original and restored as bars from zero, the error as a bar of its own scale, and figures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side: model.Side | None = None
        self.setAccessibleName("Original, restored, error")

    def set_side(self, side: model.Side | None) -> None:
        self.side = side
        line = self.fontMetrics().height() + 3
        self.setFixedHeight(line * 34)
        if side is not None:
            self.setAccessibleDescription(f"{len(side.original)} values, largest error {_top(side.error):.6g}")
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.set_side(self.side)
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, s = palette.current(), self.side
        with QPainter(self) as p:
            p.fillRect(self.rect(), c.base)
            if s is None:
                return
            line = self.fontMetrics().height() + 3
            p.setFont(palette.small_font(self.font(), 0.9))
            index = p.fontMetrics().horizontalAdvance("31") + 16
            third = (self.width() - index) / 3
            p.setPen(c.muted)
            for k, title in enumerate(("original", "restored", "error (own scale)")):
                short = p.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(third) - 6)
                p.drawText(QRectF(index + k * third + 4, 0, third, line), Qt.AlignmentFlag.AlignVCenter, short)
            columns = (s.original, s.restored, s.error)
            tops = [_top(np.concatenate([s.original, s.restored]))] * 2 + [_top(s.error)]
            p.setFont(palette.mono_beside(self.font(), 0.77))
            for i in range(len(s.original)):
                y = line * (i + 1)
                p.setPen(c.faint)
                p.drawText(
                    QRect(0, y, index - 6, line), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(i)
                )
                for k, (column, top) in enumerate(zip(columns, tops, strict=True)):
                    self._bar(
                        p, QRectF(index + k * third + 4, y + 1, third - 10, line - 2), float(column[i]), top, k == 2
                    )

    def _bar(self, p: QPainter, room: QRectF, value: float, top: float, error: bool) -> None:
        """A figure, and left of it a bar from zero where the column is wide enough."""
        c, metrics = palette.current(), p.fontMetrics()
        if room.width() > 7 * self.fontMetrics().height():
            figure = min(metrics.horizontalAdvance("-0.0001234") + 8.0, room.width() * 0.45)
            place = room.adjusted(0, 0, -figure, 0)
            middle = place.left() + place.width() / 2
            if np.isfinite(value) and top:
                width = value / top * place.width() / 2
                fill = c.warning_fill if error else palette.level_colour(c, value / top * 0.6, -1, 1)
                p.fillRect(QRectF(min(middle, middle + width), place.top(), abs(width), place.height()), fill)
                if error:
                    p.setPen(QPen(c.warning, 1))
                    p.drawRect(QRectF(min(middle, middle + width), place.top(), abs(width), place.height() - 1))
            p.setPen(QPen(c.grid, 1))
            p.drawLine(int(middle), int(place.top()), int(middle), int(place.bottom()))
        texts = (number(value, digits) for digits in (4, 3, 2))
        text = next((t for t in texts if metrics.horizontalAdvance(t) <= room.width()), number(value, 1))
        p.setPen(c.text)
        p.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def _top(values: NDArray[np.float32]) -> float:
    good = np.abs(values[np.isfinite(values)])
    return float(good.max()) if good.size else 0.0


class TypeChart(QWidget):
    """Each type as a bar of its bits a weight and a bar of its rms error (logarithmic). chosen(type name)."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.results: tuple[Comparison, ...] = ()
        self.type = "Q4_0"
        self.setAccessibleName("Types compared")
        self.setMinimumHeight(self.sizeHint().height())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.setMinimumHeight(self.sizeHint().height())
            self.updateGeometry()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(400, (self.fontMetrics().height() + 8) * (len(model.TYPES) + 1) + 6)

    def set_results(self, results: tuple[Comparison, ...], chosen: str) -> None:
        self.results, self.type = results, chosen
        self.setAccessibleDescription("; ".join(
            f"{r.type}: {r.bits_per_weight:g} bits, rms error {r.rms_error:.4g}" for r in results))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = palette.current()
        line = self.fontMetrics().height() + 8
        with QPainter(self) as p:
            name = max(56, p.fontMetrics().horizontalAdvance("Q4_0 ") + 12)
            half = (self.width() - name - 16) / 2
            p.setFont(palette.small_font(self.font()))
            p.setPen(c.muted)
            p.drawText(QRectF(name, 0, half, line), Qt.AlignmentFlag.AlignVCenter, "bits a weight")
            title = p.fontMetrics().elidedText("rms error, log scale", Qt.TextElideMode.ElideRight, int(half))
            p.drawText(QRectF(name + half + 16, 0, half, line), Qt.AlignmentFlag.AlignVCenter, title)
            p.setFont(self.font())
            errors = [r.rms_error for r in self.results if r.rms_error > 0]
            low, high = (np.log10(min(errors)) - 0.3, np.log10(max(errors))) if errors else (0.0, 1.0)
            for i, r in enumerate(self.results):
                y = line * (i + 1)
                if r.type == self.type:
                    p.fillRect(QRectF(0, y, self.width(), line), c.hover)
                p.setPen(c.text)
                p.drawText(QRectF(4, y, name, line), Qt.AlignmentFlag.AlignVCenter, r.type)
                self._bar(
                    p, QRectF(name, y + 3, half, line - 6), r.bits_per_weight / 16, f"{r.bits_per_weight:g}", False
                )
                share = (np.log10(r.rms_error) - low) / (high - low or 1) if r.rms_error > 0 else 0.0
                self._bar(p, QRectF(name + half + 16, y + 3, half, line - 6), float(share),
                          f"{r.rms_error:.3g}  ({r.relative:.2%})", True)

    def _bar(self, p: QPainter, room: QRectF, share: float, text: str, error: bool) -> None:
        c = palette.current()
        wide = QRectF(room.left(), room.top(), max(2.0, min(1.0, share) * room.width()), room.height())
        p.fillRect(wide, c.fill_of(2 if error else 0))
        p.setPen(QPen(c.edge_of(2 if error else 0), 1))
        p.drawRect(wide.adjusted(0, 0, -1, -1))
        p.setPen(c.text)
        needed = p.fontMetrics().horizontalAdvance(text) + 10
        if needed > wide.width() and wide.right() + needed > room.right():
            text = text.split("  ")[0]  # there is room neither inside nor beside: the figure alone
        label_bar(p, wide, room.right(), text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = int(event.position().y() // (self.fontMetrics().height() + 8)) - 1
        if 0 <= row < len(self.results):
            self.chosen.emit(self.results[row].type)


class QuantizePanel(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, TensorDesk.of(session)
        self.source, self.type = QComboBox(), QComboBox()
        self.source.setAccessibleName("What to quantise")
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.source.setMinimumContentsLength(14)
        self.type.setAccessibleName("Type")
        self.type.addItems(model.TYPES)
        self.index = QSpinBox()
        self.index.setPrefix("block ")
        self.index.setAccessibleName("Block number")
        self.worst, self.save = QPushButton("Worst block"), QPushButton("Save bytes…")
        self.numbers = QPlainTextEdit("0.5 -1.25 0.031 2 -2.4 0.7 0 1e-3 -0.9 1.1")
        self.numbers.setAccessibleName("Numbers to quantise")
        self.numbers.setMaximumHeight(70)
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        self.facts.setWordWrap(True)
        self.facts.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.chart, self.sides = TypeChart(), SideBySide()
        self.values: NDArray[np.float32] = np.zeros(0, np.float32)
        self.results: tuple[Comparison, ...] = ()
        self._job = Latest(session.jobs)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(200)
        self._build()
        self._list()

    def set_zoom(self, zoom: float) -> None:
        grow(zoom, self.facts, self.chart, self.sides, self.numbers)
        self.numbers.setMaximumHeight(self.numbers.fontMetrics().height() * 4)

    def _build(self) -> None:
        top = FlowLayout()
        for widget in (self.source, self.type, self.index, self.worst, self.save):
            top.addWidget(widget)
        area = QScrollArea()
        area.setAccessibleName("Original, restored, error")
        area.setWidget(self.sides)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addLayout(top)
        for widget in (self.numbers, self.facts, self.chart):
            layout.addWidget(widget)
        layout.addWidget(area, 1)
        self.source.currentIndexChanged.connect(self._take)
        self.type.currentIndexChanged.connect(self._show)
        self.index.valueChanged.connect(self._show)
        self.worst.clicked.connect(self._to_worst)
        self.save.clicked.connect(self._save)
        self.numbers.textChanged.connect(self._typing.start)
        self._typing.timeout.connect(self._take)
        self.chart.chosen.connect(self.type.setCurrentText)
        self.desk.file_changed.connect(self._list)

    def _list(self) -> None:
        self.source.blockSignals(True)
        self.source.clear()
        for t in self.desk.file.tensors[:5000] if self.desk.file else ():
            if t.readable and t.block is not None and t.row_length % 32 == 0:
                self.source.addItem(f"{t.name}  ({t.type})", t.index)
        self.source.addItem(TYPED, -1)
        self.source.blockSignals(False)
        self._take()

    def _take(self) -> None:
        """The values chosen, and every type computed on them."""
        row = self.source.currentData()
        self.numbers.setVisible(row == -1)
        try:
            if row is None or row == -1 or self.desk.file is None:
                self.values = model.typed(self.numbers.toPlainText())
            else:
                self.values = model.values_of(self.desk.file, self.desk.file.tensors[row])
        except InputError as error:
            self._job.cancel()
            self.values, self.results = np.zeros(0, np.float32), ()
            self.chart.set_results((), self.type.currentText())
            self.sides.set_side(None)
            self.facts.setText(str(error))
            return
        self.index.setRange(0, max(0, len(self.values) // 32 - 1))
        self.results = ()
        self._job.start("Comparing types", model.comparison_steps(self.values), done=self._compared)
        self._show()

    def _compared(self, results: tuple[Comparison, ...]) -> None:
        self.results = results
        self._show()

    def _show(self) -> None:
        name = self.type.currentText()
        if not len(self.values):
            return
        side = model.side(name, self.values, self.index.value())
        self.sides.set_side(side)
        self.chart.set_results(self.results, name)
        result = next((r for r in self.results if r.type == name), None)
        rule = {"Q4_0": "d = the value of largest magnitude / −8 (its sign kept); q = x / d + 8, rounded, 0 to 15. ",
                "Q8_0": "d = the largest magnitude / 127; q = x / d, rounded half away from zero. "}.get(name, "")
        told = f"{blocks.by_name(name).about}. {rule}"
        if result is not None:
            told += (
                f"{count_of(result.weights, 'weight')}, {count_of(result.nbytes, 'byte')}, "
                f"{result.bits_per_weight:g} bits a weight; "
                f"largest error {result.max_error:.5g}, "
                f"rms {result.rms_error:.5g} ({result.relative:.2%} of the rms value)"
            )
            if result.not_finite:
                told += f"; {result.not_finite:,} values are not finite"
        self.facts.setText(told)
        self.worst.setEnabled(result is not None)

    def _to_worst(self) -> None:
        result = next((r for r in self.results if r.type == self.type.currentText()), None)
        if result is not None:
            self.index.setValue(model.worst_block(result))

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the blocks", f"tensor.{self.type.currentText().lower()}.bin")
        if name:
            made = blocks.quantize(blocks.by_name(self.type.currentText()), self.values.reshape(-1, 32))
            self.desk.write(name, made.tobytes(), "the file that is read is never written; choose another name")
