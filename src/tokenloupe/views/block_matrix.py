"""The block matrix: a tensor from afar down to its numbered codes, with a map, statistics and jumps to what stands out.

The map at the right shows the whole tensor by one figure a block, and where the matrix (block_matrix_view.py) is.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ..core.wording import count_of
from ..models.session import Session
from ..models.tensor_desk import TensorDesk
from ..tensors import blocks
from ..tensors.files import TensorInfo
from ..tensors.statistics import Census
from .block_map import Bars, MatrixMap
from .block_matrix_headers import WIDTH
from .block_matrix_paint import MatrixPainter
from .block_matrix_view import MatrixView
from .flow import FlowLayout
from .panel_parts import go_to, grow

#: Weights of the largest tensor whose errors are looked for: its float twin is read whole.
MOST_COMPARED = 1 << 24
NO_TWIN = "No error: the file has no F32 tensor of this shape (up to 16.8 million weights)"

METRICS = ("scale", "smallest", "largest", "rms", "error")


class BlockMatrix(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = TensorDesk.of(session)
        self.view, self.map = MatrixView(), MatrixMap()
        self.codes, self.powers = Bars("levels q"), Bars("scales by power of two")
        self.title, self.facts, self.error_note = QLabel(), QLabel(), QLabel()
        for label in (self.title, self.facts, self.error_note):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.figure = QComboBox()
        self.figure.setAccessibleName("Figure of the map")
        self.figure.addItems(METRICS)
        self.jumps: dict[str, QPushButton] = {}
        top = FlowLayout()
        for name, text in (("in", "Zoom in"), ("out", "Zoom out"), ("all", "Whole"), ("largest_at", "Largest"),
                           ("worst", "Worst error"), ("first_nan", "NaN scale"), ("first_infinite", "∞ scale"),
                           ("first_zero", "Zero block"), ("first_saturated", "Saturated")):
            self.jumps[name] = QPushButton(text)
            self.jumps[name].clicked.connect(lambda _=False, n=name: self._jump(n))
            top.addWidget(self.jumps[name])
        self.census: Census | None = None
        self.worst = -1
        self._layout(top)
        self.view.moved.connect(self._moved)
        self.view.picked.connect(self.desk.show_block)
        self.view.opened.connect(self._open)
        self.map.asked.connect(self._go)
        self.figure.currentIndexChanged.connect(self._draw_map)
        self.desk.tensor_changed.connect(self._show)
        self.desk.block_changed.connect(self._block)
        self.setFocusProxy(self.view)
        self._shown = False
        self.setMinimumSize(280, 240)

    def set_zoom(self, zoom: float) -> None:
        """The window's zoom is of the text; the matrix itself has its own."""
        grow(zoom, self.view, self.title)

    def _layout(self, top: FlowLayout) -> None:
        side = QVBoxLayout()
        for widget in (self.figure, self.map, self.error_note, self.facts, self.codes, self.powers):
            side.addWidget(widget, 1 if widget is self.map else 0)
        self.side = QWidget()
        self.side.setLayout(side)
        self.side.setFixedWidth(190)
        side.setContentsMargins(0, 0, 0, 0)
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 8, 8, 8)
        grid.addWidget(self.title, 0, 0, 1, 2)
        grid.addLayout(top, 1, 0, 1, 2)
        grid.addWidget(self.view, 2, 0)
        grid.addWidget(self.side, 2, 1)
        grid.setColumnStretch(0, 1)
        grid.setRowStretch(2, 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 240)  # narrower than with the map at the side, which hides then

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._shown:
            self._shown = True
            self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side.setVisible(self.width() >= 620)

    def _show(self) -> None:
        if not self._shown:
            return
        t = self.desk.tensor
        self.census, self.worst = None, -1
        usable = self.desk.usable and t is not None and t.block is not None and t.block.decodes
        self.view.setEnabled(bool(usable))
        if not usable or t is None or t.block is None:
            self.title.setText((t.problem or f"{t.type}: nothing that can be drawn") if t is not None else "No tensor")
            return
        shape = " × ".join(map(str, t.shape))
        self.title.setText(f"{t.name}: {t.type}, {shape}, {count_of(self.desk.block_count, 'block')}. "
                           "Each row is 32 weights; red is positive, blue negative.")
        painter = MatrixPainter(t.block)
        painter.set_source(self.desk.blocks, self.desk.block_count)
        self.view.set_painter(painter)
        self._draw_map()
        self.desk.census(self._counted)
        self._block()

    def _counted(self, census: Census) -> None:
        self.census = census
        low, _ = census.block.level_range
        if census.block.level_range != (0, 0):
            self.codes.set_pairs([(str(low + i), n) for i, n in enumerate(census.levels.tolist())])
        self.codes.setVisible(census.block.level_range != (0, 0))
        self.powers.setVisible(bool(census.scale_histogram()))
        self.powers.set_pairs([(f"2^{p}", n) for p, n in census.scale_histogram()])
        finite = census.minimum <= census.maximum
        told = [f"{census.minimum:.4g} to {census.maximum:.4g}" if finite else "no finite number",
                f"rms {census.rms:.4g}"]
        plain = census.block.weights < WIDTH
        if plain:
            told.append(f"NaN {census.nan_values:,}, ∞ {census.infinite_values:,}")
        else:
            told += [f"zero blocks {census.zero_blocks:,}",
                     f"NaN scales {census.nan_scales:,}, ∞ {census.infinite_scales:,}",
                     f"saturated {census.saturated:,}"]
        self.facts.setText("\n".join(told))
        for name, sign in (("first_nan", "NaN"), ("first_infinite", "∞")):
            self.jumps[name].setText(sign if plain else f"{sign} scale")
        for name, button in self.jumps.items():
            if name.startswith(("first", "largest")):
                button.setEnabled(getattr(census, name) >= 0)
        self.jumps["worst"].setEnabled(self.worst >= 0)

    # The map

    def _figures(self, metric: str, cells: int) -> np.ndarray:
        """One number for each of `cells` blocks spread over the tensor."""
        t, file = self.desk.tensor, self.desk.file
        assert t is not None and t.block is not None and file is not None
        count = self.desk.block_count
        plain = t.block.weights < WIDTH
        units = max(1, count // WIDTH) if plain else count
        at = np.unique(np.linspace(0, units - 1, min(cells, units)).astype(np.int64))
        whole = file.block_bytes(t, 0, count)
        if plain:
            whole = whole[: units * WIDTH].reshape(units, -1) if count >= WIDTH else whole.reshape(1, -1)
        data = np.ascontiguousarray(whole[at])
        if metric == "scale" and not plain:
            return blocks.parts(t.block, data).scales[:, 0]
        values = blocks.dequantize(t.block, data.reshape(-1, t.block.nbytes)).reshape(len(data), -1)
        if metric == "error":
            return self._errors(at, values)
        with np.errstate(invalid="ignore", over="ignore"):
            if metric == "smallest":
                return values.min(axis=1)
            if metric == "largest":
                return values.max(axis=1)
            return np.sqrt(np.square(values, dtype=np.float64).mean(axis=1))

    def _errors(self, at: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The largest error of each block against a float tensor of the same shape in this file; zeros without one."""
        other, file = self.original(), self.desk.file
        if other is None or file is None or values.shape[1] == 0:
            return np.zeros(len(at))
        flat = file.values(other).reshape(-1, values.shape[1])
        with np.errstate(invalid="ignore", over="ignore"):
            return np.abs(values - flat[at]).max(axis=1)

    def _find_worst(self) -> int:
        """The block with the largest finite error of the whole tensor, or -1. About 2 ns a weight."""
        t, other, file = self.desk.tensor, self.original(), self.desk.file
        if t is None or t.block is None or other is None or file is None:
            return -1
        flat, width = file.values(other).reshape(-1), t.block.weights
        step, worst, found = max(1, (1 << 18) // width), -1.0, -1
        for first in range(0, self.desk.block_count, step):
            values = blocks.dequantize(t.block, file.block_bytes(t, first, step)).reshape(-1)
            with np.errstate(invalid="ignore", over="ignore"):
                error = np.abs(values - flat[first * width : first * width + len(values)])
            error[~np.isfinite(error)] = -1
            at = int(error.argmax()) if error.size else 0
            if error.size and error[at] > worst:
                worst, found = float(error[at]), first + at // width
        return found

    def original(self) -> TensorInfo | None:
        """A float tensor of this file with the same shape as the chosen one, to measure errors against."""
        t, file = self.desk.tensor, self.desk.file
        if t is None or t.block is None or "c" in t.block.native or file is None or t.elements > MOST_COMPARED:
            return None
        same = (o for o in file.tensors if o.shape == t.shape and o.type == "F32" and o is not t)
        return next((o for o in same if o.readable), None)

    def _draw_map(self) -> None:
        if not self.desk.usable:
            return
        columns = 48
        twin = self.original()
        if twin is not None and self.worst < 0:
            self.worst = self._find_worst()
        why = f"Error against {twin.name}" if twin is not None else NO_TWIN
        model = self.figure.model()
        item = model.index(METRICS.index("error"), 0)
        model.setData(item, None if twin is not None else 0, int(Qt.ItemDataRole.UserRole) - 1)
        model.setData(item, why, Qt.ItemDataRole.ToolTipRole)
        if twin is None and self.figure.currentText() == "error":
            self.figure.setCurrentIndex(0)  # comes back here
            return
        self.jumps["worst"].setEnabled(self.worst >= 0)
        self.jumps["worst"].setToolTip(why)
        self.error_note.setText(why)
        figures = self._figures(self.figure.currentText(), 48 * 400)
        columns = max(1, min(columns, len(figures)))
        with np.errstate(invalid="ignore"):  # a signalling NaN among the scales of a damaged tensor
            padded = np.pad(figures.astype(np.float64), (0, -len(figures) % columns))
        self.map.set_figures(padded.reshape(-1, columns))
        self._moved()

    def _moved(self) -> None:
        rows = max(1, self.view.painter.rows)
        self.map.frame = (self.view.first / rows, min(1.0, (self.view.first + self.view.visible_rows) / rows))
        self.map.update()

    def _go(self, share: float) -> None:
        self.view.first = share * self.view.painter.rows - self.view.visible_rows / 2
        self.view._bars()
        self.view._moved()

    def _jump(self, name: str) -> None:
        if name in ("in", "out"):
            self.view.zoom(1.5 if name == "in" else 1 / 1.5)
        elif name == "all":
            self.view.zoom(1e-9)
        else:
            at = self.worst if name == "worst" else getattr(self.census, name, -1)
            if at >= 0:
                self.desk.show_block(at)
                self.view.show_block(at)

    def _block(self) -> None:
        self.view.set_current(self.desk.block)

    def _open(self, block: int) -> None:
        self.desk.show_block(block)
        go_to(self, "blocks")


