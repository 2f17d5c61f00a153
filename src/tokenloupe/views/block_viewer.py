"""The block viewer: which block of which tensor, its anatomy, and the hands to change a copy of it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
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
from .block_anatomy import BlockAnatomy
from .flow import FlowLayout
from .status import label

#: Blocks a spin box can count: Qt's integers have 32 bits.
MOST = 2**31 - 1


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
        self.scale = QDoubleSpinBox()
        self.scale.setAccessibleName("Scale of the block")
        self.scale.setDecimals(9)
        self.scale.setRange(-65504, 65504)
        self.scale.setPrefix("d = ")
        self.scale.setMaximumWidth(150)  # by its range it would ask for room for 65504.123456789
        self.value = QDoubleSpinBox()
        self.value.setAccessibleName("Value of the chosen weight")
        self.value.setDecimals(7)
        self.value.setRange(-1e9, 1e9)
        self.value.setMaximumWidth(150)
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
        self.tensors.activated.connect(self._tensor_chosen)
        self.index.valueChanged.connect(self._index_changed)
        self.scale.editingFinished.connect(self._scale_changed)
        self.value.editingFinished.connect(self._value_changed)
        self.restore.clicked.connect(self.anatomy.restore)
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._save)
        self.anatomy.picked.connect(self._tell)
        self.anatomy.edited.connect(self._tell)
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
        for widget in (self.tensors, self.index, self.scale, self.value, self.restore, self.copy, self.save):
            top.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addLayout(top)
        layout.addWidget(self.sentence)
        layout.addWidget(self.sheet, 1)
        self.setFocusProxy(self.anatomy)

    def _list(self) -> None:
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
            self.anatomy.set_block(self.desk.tensor.block, data[0])
            self._tell()
        elif self.desk.tensor is not None:
            self.sentence.setText(self.desk.tensor.problem or f"{self.desk.tensor.type} cannot be taken apart.")

    def _tell(self, _weight: object = None) -> None:
        a = self.anatomy
        self._following = True
        self.sentence.setText(a.sentence())
        editable = a.parts is not None and blockedit.code_limit(a.type, a.weight) > 0
        half = next((f for f in a.type.fields if f.kind == "f16" and f.name == "d"), None)
        self.scale.setEnabled(half is not None)
        if half is not None:
            d = float(np.atleast_1d(a.numbers["d"])[0]) if "d" in a.numbers else 0.0
            self.scale.setValue(d if np.isfinite(d) else 0.0)
            self.scale.setSingleStep(abs(d) / 16 if np.isfinite(d) and d else 0.01)
        self.value.setEnabled(editable)
        self.value.setPrefix(f"w{a.weight} = ")
        if a.weight < len(a.values) and np.isfinite(a.values[a.weight]):
            self.value.setValue(float(a.values[a.weight]))
        self.restore.setEnabled(a.changed)
        self._following = False

    def _tensor_chosen(self, row: int) -> None:
        if self.desk.file is not None and row >= 0:
            self.desk.choose(self.desk.file.tensors[self.tensors.itemData(row)])

    def _index_changed(self, value: int) -> None:
        if not self._following:
            self.desk.show_block(value)

    def _scale_changed(self) -> None:
        a = self.anatomy
        half = next((f for f in a.type.fields if f.kind == "f16" and f.name == "d"), None)
        if half is not None and not self._following and self.scale.value() != round(float(a.numbers["d"][0]), 9):
            a.change(blockedit.with_half(a.block, half.start, self.scale.value()))

    def _value_changed(self) -> None:
        a = self.anatomy
        if (
            not self._following
            and a.weight < len(a.values)
            and self.value.value() != round(float(a.values[a.weight]), 7)
        ):
            a.change(blockedit.with_value(a.type, a.block, a.weight, self.value.value()))
            self._tell()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.anatomy.block.tobytes().hex(" "))

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save the block's bytes", f"block-{self.desk.block}.bin")
        if not name:
            return
        file = self.desk.file
        if file is not None and any(str(f.path) == name for f in file.files):
            self.session.failed.emit("a block is never written over the file it came from; choose another name")
            return
        try:
            with open(name, "wb") as out:  # noqa: PTH123 - the dialog gives a string
                out.write(self.anatomy.block.tobytes())
        except OSError as error:
            self.session.failed.emit(f"{name} cannot be written ({error.strerror})")


