"""The block viewer: which block of which tensor, its anatomy, and the hands to change a copy of it.

What is changed stays changed, with its undo, while one looks at other blocks of the file; nothing is written to it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ..models.session import Session
from ..models.tensor_desk import TensorDesk
from ..tensors import blockedit
from ..tensors.blocktypes import Bytes, Field
from .block_anatomy import BlockAnatomy
from .flow import FlowLayout
from .panel_parts import grow
from .status import label

#: Blocks a spin box can count: Qt's integers have 32 bits.
MOST = 2**31 - 1


class NumberBox(QDoubleSpinBox):
    """A number that is taken over when it is complete, not at every digit. stepped: called by the arrows instead of
    adding a step, where the next number is not a fixed distance away."""

    def __init__(self, name: str, decimals: int, largest: float) -> None:
        super().__init__()
        self.stepped: Callable[[int], None] | None = None
        self.setAccessibleName(name)
        self.setDecimals(decimals)
        self.setRange(-largest, largest)
        self.setKeyboardTracking(False)
        # By its range it would ask for room for 65504.123456789.
        self.setMaximumWidth(self.fontMetrics().horizontalAdvance("w000 = -0.1234567") + 40)

    def stepBy(self, steps: int) -> None:
        if self.stepped is not None:
            self.stepped(steps)
        else:
            super().stepBy(steps)


class BlockViewer(QWidget):
    """The panel. `anatomy` is the picture; `desk` what all tensor panels share."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.desk = TensorDesk.of(session)
        self.anatomy = BlockAnatomy()
        self.tensors = QComboBox()
        self.tensors.setAccessibleName("Tensor")
        self.tensors.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.tensors.setMinimumContentsLength(16)
        self.index = QSpinBox()
        self.index.setAccessibleName("Block number")
        self.index.setPrefix("block ")
        self.scale = NumberBox("Scale of the block", 9, 65504)
        self.scale.setPrefix("d = ")
        self.value = NumberBox("Value of the chosen weight", 7, 1e9)
        self.value.stepped = lambda steps: self.anatomy.step_value(self.anatomy.weight, steps)
        self.undo, self.redo = QPushButton("Undo"), QPushButton("Redo")
        self.restore = QPushButton("Restore")
        self.restore.setToolTip("Back to the bytes of the file. Nothing here is ever written to it.")
        self.copy = QPushButton("Copy bytes")
        self.save = QPushButton("Save copy…")
        self.save.setToolTip("Write the changed block to a file of its own")
        self.sentence = label("", about="How the weight is computed")
        self.sentence.setWordWrap(True)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sentence.setMinimumHeight(self.fontMetrics().height() * 2 + 4)
        self._build()
        self._following = False
        self._drafts: dict[tuple[int, int], blockedit.Draft] = {}  # (tensor, block) -> what was changed in this file
        self.tensors.activated.connect(self._tensor_chosen)
        self.index.valueChanged.connect(self._index_changed)
        self.scale.valueChanged.connect(self._scale_changed)
        self.value.valueChanged.connect(self._value_changed)
        self.undo.clicked.connect(self.anatomy.undo)
        self.redo.clicked.connect(self.anatomy.redo)
        self.restore.clicked.connect(self.anatomy.restore)
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._save)
        self.anatomy.picked.connect(lambda _: self.sentence.setText(self.anatomy.sentence()))
        self.anatomy.edited.connect(self._tell)
        self.anatomy.walked.connect(self._walked)
        self.desk.file_changed.connect(self._list)
        self.desk.tensor_changed.connect(self._show)
        self.desk.block_changed.connect(self._show)
        self._list()
        self._show()

    def _build(self) -> None:
        self.sheet = QScrollArea()
        self.sheet.setWidget(self.anatomy)
        self.sheet.setWidgetResizable(True)
        self.sheet.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sheet.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = FlowLayout()
        for widget in (self.tensors, self.index, self.scale, self.value, self.undo, self.redo, self.restore,
                       self.copy, self.save):
            top.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addLayout(top)
        layout.addWidget(self.sentence)
        layout.addWidget(self.sheet, 1)
        self.setFocusProxy(self.anatomy)

    def set_zoom(self, zoom: float) -> None:
        self.anatomy.set_zoom(zoom)
        grow(zoom, self.sentence)
        self.sentence.setMinimumHeight(self.sentence.fontMetrics().height() * 2 + 4)

    def _list(self) -> None:
        self._drafts.clear()
        self.tensors.clear()
        for t in self.desk.file.tensors[:5000] if self.desk.file else ():
            self.tensors.addItem(f"{t.name}  ({t.type})", t.index)

    def _show(self) -> None:
        self._following = True
        count = max(1, self.desk.block_count)
        self.index.setRange(0, min(MOST, count - 1))
        self.index.setValue(min(MOST, self.desk.block))
        if self.desk.tensor is not None:
            self.tensors.setCurrentIndex(self.tensors.findData(self.desk.tensor.index))
        self._following = False
        data = self.desk.blocks(self.desk.block, 1)
        usable = data is not None and len(data) > 0
        self.anatomy.setVisible(usable)
        if data is not None and usable and self.desk.tensor is not None and self.desk.tensor.block is not None:
            self.anatomy.set_draft(self.desk.tensor.block, self._draft(self.desk.tensor.index, data[0]))
            self._tell()
        elif self.desk.tensor is not None:
            self.sentence.setText(self.desk.tensor.problem or f"{self.desk.tensor.type} cannot be taken apart.")

    def _draft(self, tensor: int, block: Bytes) -> blockedit.Draft:
        """The draft of the current block, as it was left."""
        self._drafts = {place: draft for place, draft in self._drafts.items() if draft.changed}
        return self._drafts.setdefault((tensor, self.desk.block), blockedit.Draft(block))

    def _walked(self, place: QRect) -> None:
        self._tell()
        self.sheet.ensureVisible(place.center().x(), place.center().y())

    @property
    def _half(self) -> Field | None:
        """Where the type keeps the scale d as a 16-bit float, if it does."""
        return next((f for f in self.anatomy.type.fields if f.kind == "f16" and f.name == "d"), None)

    def _tell(self) -> None:
        """Sentence, boxes and buttons. Pointing changes the sentence alone: a number may be half typed."""
        a = self.anatomy
        self._following = True
        self.sentence.setText(a.sentence())
        editable = a.parts is not None and blockedit.code_limit(a.type, a.weight) > 0
        self.scale.setVisible(self._half is not None)
        if self._half is not None:
            d = float(np.atleast_1d(a.numbers["d"])[0]) if "d" in a.numbers else 0.0
            self.scale.setValue(d if np.isfinite(d) else 0.0)
            self.scale.setSingleStep(abs(d) / 16 if np.isfinite(d) and d else 0.01)
        self.value.setPrefix(f"w{a.weight} = ")
        value = float(a.values[a.weight]) if a.weight < len(a.values) else 0.0
        told = bool(np.isfinite(value)) and abs(value) <= self.value.maximum()
        self.value.setVisible(told)  # a box of numbers has no NaN, and MXFP4 reaches far beyond it
        self.value.setEnabled(editable)
        self.value.setValue(value if told else 0.0)
        self.restore.setEnabled(a.changed)
        self.undo.setEnabled(a.draft.can_undo)
        self.redo.setEnabled(a.draft.can_redo)
        self.index.setSuffix(", changed" if a.changed else "")
        self._following = False

    def _tensor_chosen(self, row: int) -> None:
        if self.desk.file is not None and row >= 0:
            self.desk.choose(self.desk.file.tensors[self.tensors.itemData(row)])

    def _index_changed(self, value: int) -> None:
        if not self._following:
            self.desk.show_block(value)

    def _scale_changed(self, value: float) -> None:
        a, half = self.anatomy, self._half
        if half is not None and not self._following:
            a.change(blockedit.with_half(a.block, half.start, value))
            self._tell()  # with the scale that 16 bits can hold

    def _value_changed(self, value: float) -> None:
        a = self.anatomy
        if not self._following and a.weight < len(a.values):
            a.change(blockedit.with_value(a.type, a.block, a.weight, value))
            self._tell()  # with the value that a code stands for

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.anatomy.block.tobytes().hex(" "))

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the block's bytes", f"block-{self.desk.block}.bin")
        if name:
            self.desk.write(name, self.anatomy.block.tobytes(),
                            "a block is never written over the file it came from; choose another name")


