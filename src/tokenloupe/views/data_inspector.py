"""The data inspector: what the bytes at the hex view's caret are as numbers and text, in both byte orders.

Rows are core/byte_values.py's; a click on a row selects the bytes the value takes. Plain text, copied row by row.
"""

from __future__ import annotations

from functools import partial
from html import escape

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from ..core.byte_values import LOOKED, Value, values
from ..models.hex_model import HexModel
from . import palette
from .hex_glyphs import Patience

#: ms
FOLLOW = 50


class DataInspector(QTreeWidget):
    def __init__(self, model: HexModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._zoom = model, 1.0
        self._shown: list[Value] = []
        self._patience = Patience(self, model.session.jobs, partial(self.refresh, anew=True))
        self.setAccessibleName("Data inspector")
        self.setHeaderLabels(["Type", "Little endian", "Big endian"])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        head = self.header()
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(True)
        for value in values(b""):
            self.addTopLevelItem(QTreeWidgetItem([value.name, "", ""]))
        self._restyle()
        self.itemClicked.connect(self._clicked)
        # A key held down does not wait for this: it follows in the next pause, at most FOLLOW later.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(FOLLOW)
        self._soon.timeout.connect(self.refresh)
        for signal in (model.moved, model.changed, model.source_changed):
            signal.connect(self._later)

    def _later(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def refresh(self, anew: bool = False) -> None:
        """anew: fonts have come that were not there."""
        if self.isHidden():
            return
        at = self._model.selection[0]
        found = values(self._model.source.bytes(at, at + LOOKED))
        if found == self._shown and not anew:
            return
        self._shown = found
        self._patience.begin()
        for row, value in enumerate(found):
            item = self.topLevelItem(row)
            for column, whole in ((1, value.little), (2, value.big)):
                text = self._patience.text(whole, item.font(column))
                if item.text(column) != text:
                    item.setText(column, text)
                    item.setToolTip(column, escape(whole))

    def set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self._restyle()

    def copy(self) -> None:
        """The current row: type and values."""
        item = self.currentItem()
        if item is not None:
            QGuiApplication.clipboard().setText("\t".join(filter(None, (item.text(k) for k in range(3)))))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header().resizeSection(1, max((self.viewport().width() - self.header().sectionSize(0)) // 2, 60))

    def _restyle(self) -> None:
        font, colours = palette.mono_font(self._zoom, palette.MONO_SIZE - 1.5), palette.current()
        self.header().resizeSection(0, self.fontMetrics().horizontalAdvance("SLEB128") + 24)
        for row in range(self.topLevelItemCount()):
            item = self.topLevelItem(row)
            item.setForeground(0, colours.muted)
            for column in (1, 2):
                item.setFont(column, font)

    def _clicked(self, item: QTreeWidgetItem) -> None:
        row = self.indexOfTopLevelItem(item)
        if row < len(self._shown) and self._shown[row].size:
            at = self._model.selection[0]
            self._model.select(at + self._shown[row].size, at)  # the caret stays, so the rows stay
