"""What a tensor file holds: metadata as a tree, tensors as a table, the file drawn to scale, and what is wrong with it.

A file is opened by the button or dropped here. Choosing a tensor makes it the one that the other tensor panels show;
the file's tokenizer opens from here, and a token id jumps to its row of the embedding and back.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ..core.wording import count_of
from ..models import tensor_rows
from ..models.jobs import in_thread
from ..models.session import Session
from ..models.tensor_desk import TensorDesk
from ..models.vocabulary_desk import VocabularyDesk
from ..tensors.files import TensorFile
from . import palette
from .flow import FlowLayout
from .panel_parts import go_to, grow

FILTER = "Tensor files (*.gguf *.safetensors *.safetensors.index.json *.npy *.npz);;All files (*)"


class FileMap(QWidget):
    """Each file of the model as a bar in proportion: header, tensors, gaps. picked(row of a tensor)."""

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file: TensorFile | None = None
        self.chosen = -1
        self.setAccessibleName("Map of the file")
        self.setMouseTracking(True)
        self._fit()

    def _fit(self) -> None:
        """A line of text, the bar, a line of text."""
        self._line = QFontMetrics(palette.small_font(self.font())).height()
        self.setFixedHeight(2 * self._line + self.fontMetrics().height() + 12)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)

    def set_file(self, file: TensorFile | None) -> None:
        self.file, self.chosen = file, -1
        self.update()

    def _spans(self) -> list[tuple[float, float, int]]:
        """(from, to, tensor row or -1 for a header), as shares of all files together."""
        if self.file is None or not self.file.size:
            return []
        total, before, starts = self.file.size, 0, []
        spans: list[tuple[float, float, int]] = []
        for f in self.file.files:
            starts.append(before)
            spans.append((before / total, (before + f.data_start) / total, -1))
            before += f.size
        for t in self.file.tensors:
            if t.nbytes and t.nbytes < 2**63 and t.offset < self.file.files[t.file].size:
                at = starts[t.file] + t.offset
                end = starts[t.file] + min(t.end, self.file.files[t.file].size)
                spans.append((at / total, end / total, t.index))
        return spans

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = palette.current()
        with QPainter(self) as p:
            line = self._line
            bar = QRectF(0, line + 2, self.width(), self.height() - 2 * line - 4)
            p.setFont(palette.small_font(self.font()))
            p.setPen(c.muted)
            told = "The file to scale; hatched belongs to no tensor"
            p.drawText(QRectF(0, 0, self.width(), line), Qt.AlignmentFlag.AlignVCenter,
                       p.fontMetrics().elidedText(told, Qt.TextElideMode.ElideRight, self.width()))
            p.fillRect(bar, c.base)
            p.fillRect(bar, c.hatch_brush)
            last = -1.0
            for start, end, row in self._spans():
                x, width = start * bar.width(), max(1.0, (end - start) * bar.width())
                if x + width - last < 0.5:
                    continue  # thousands of small tensors share a pixel
                last = x + width
                piece = QRectF(x, bar.top(), width, bar.height())
                p.fillRect(piece, c.alternate if row < 0 else c.fill_of(row))
                if width > 4:
                    p.setPen(QPen(c.border if row < 0 else c.edge_of(row), 1))
                    p.drawRect(piece.adjusted(0, 0, -1, -1))
                if row == self.chosen and row >= 0:
                    p.setPen(QPen(c.focus, 3))
                    p.drawRect(piece.adjusted(1, 1, -1, -1))
            p.setPen(c.muted)
            size = self.file.size if self.file else 0
            under = QRectF(0, bar.bottom() + 1, self.width(), line)
            p.drawText(under, Qt.AlignmentFlag.AlignLeft, "0")
            p.drawText(under, Qt.AlignmentFlag.AlignRight, f"{size:,} bytes")

    def _at(self, x: float) -> int:
        share = x / max(1, self.width())
        return next((row for start, end, row in self._spans() if start <= share < end), -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._at(event.position().x())
        if self.file is not None and row >= 0:
            t = self.file.tensors[row]
            self.setToolTip(f"{t.name}\n{t.type}, {t.nbytes:,} bytes from {t.offset:,}")
        else:
            self.setToolTip("")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._at(event.position().x())
        if row >= 0:
            self.picked.emit(row)


class TensorBrowser(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, TensorDesk.of(session)
        self.rows, self.tree_model = tensor_rows.TensorRows(self), tensor_rows.MetaTree(self)
        self.table, self.tree, self.map = QTableView(), QTreeView(), FileMap()
        self.title, self.problems = QLabel(), QLabel()
        for label in (self.title, self.problems):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.open_button, self.vocabulary = QPushButton("Open…"), QPushButton("Open its tokenizer")
        self.token = QLineEdit()
        self.token.setPlaceholderText("token id")
        self.token.setAccessibleName("Token id whose embedding row to show")
        self.token.setMaximumWidth(110)
        self.to_row, self.to_token = QPushButton("Embedding row"), QPushButton("Row's token")
        self.to_blocks, self.to_matrix = QPushButton("Blocks"), QPushButton("Matrix")
        self.setAcceptDrops(True)
        self._build()
        self._connect()
        self._show_file()

    def _build(self) -> None:
        self.table.setModel(self.rows)
        self.table.setAccessibleName("Tensors")
        self.table.setTabKeyNavigation(False)  # Tab leaves it, as it leaves every other view
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setAlternatingRowColors(True)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        header = self.table.horizontalHeader()
        header.setResizeContentsPrecision(0)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        for column, width in enumerate((190, 60, 100, 90, 95, 95, 60, 150)):
            header.resizeSection(column, width)
        self.tree.setModel(self.tree_model)
        self.tree.setAccessibleName("Metadata")
        self.tree.setUniformRowHeights(True)
        self.tree.setAlternatingRowColors(True)
        self.tree.header().resizeSection(0, 210)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.tree)
        split.addWidget(self.table)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        top = FlowLayout()
        for widget in (self.open_button, self.to_blocks, self.to_matrix, self.vocabulary, self.token, self.to_row,
                       self.to_token):
            top.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addLayout(top)
        for widget in (self.title, self.problems, self.map):
            layout.addWidget(widget)
        layout.addWidget(split, 1)
        self.setFocusProxy(self.table)

    def set_zoom(self, zoom: float) -> None:
        before = self.table.fontMetrics().height()
        grow(zoom, self.table, self.tree, self.map)
        line, header = self.table.fontMetrics().height(), self.table.horizontalHeader()
        self.table.verticalHeader().setDefaultSectionSize(line + 6)
        for column in range(self.rows.columnCount()):
            header.resizeSection(column, round(header.sectionSize(column) * line / before))
        self.tree.header().resizeSection(0, round(self.tree.header().sectionSize(0) * line / before))

    def _connect(self) -> None:
        self.open_button.clicked.connect(self._ask)
        self.vocabulary.clicked.connect(self.open_tokenizer)
        self.to_blocks.clicked.connect(lambda: go_to(self, "blocks"))
        self.to_matrix.clicked.connect(lambda: go_to(self, "matrix"))
        self.to_row.clicked.connect(self._to_row)
        self.token.returnPressed.connect(self._to_row)
        self.to_token.clicked.connect(self._to_token)
        self.map.picked.connect(lambda row: self.table.selectRow(row))
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.table.activated.connect(lambda _index: go_to(self, "blocks"))
        self.desk.file_changed.connect(self._show_file)
        self.desk.tensor_changed.connect(self._show_tensor)

    # The file

    def _ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open tensors", "", FILTER)
        if name:
            self.desk.open(Path(name))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(u.isLocalFile() for u in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = [u.toLocalFile() for u in event.mimeData().urls() if u.isLocalFile()]
        if files:
            self.desk.open(Path(files[0]))

    def _show_file(self) -> None:
        file = self.desk.file
        self.rows.set_file(file)
        self.tree_model.set_entries(file.metadata if file else ())
        self.map.set_file(file)
        self.problems.clear()
        if file is None:
            self.title.setText("No file")
            return
        wrong = [t for t in file.tensors if t.problem]
        self.title.setText(f"{file.path.name}: {file.label}, {file.size:,} bytes, "
                           f"{count_of(len(file.tensors), 'tensor')}, {count_of(len(file.metadata), 'metadata key')}")
        told = [*file.problems[:4], *(f"{t.name}: {t.problem}" for t in wrong[:4])]
        rest = len(file.problems) + len(wrong) - len(told)
        self.problems.setText("\n".join(f"⚠ {x}" for x in told) + (f"\n… and {rest} more" if rest > 0 else ""))
        self.problems.setVisible(bool(told))
        self.vocabulary.setEnabled(file.meta("tokenizer.ggml.model") is not None)
        self._show_tensor()

    def _show_tensor(self) -> None:
        t = self.desk.tensor
        if t is not None and self.table.currentIndex().row() != t.index:
            self.table.selectRow(t.index)
        self.map.chosen = t.index if t is not None else -1
        self.map.update()
        for button in (self.to_blocks, self.to_matrix):
            button.setEnabled(self.desk.usable)

    def _row_chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and self.desk.file is not None:
            self.desk.choose(self.desk.file.tensors[index.row()])

    # The vocabulary

    def open_tokenizer(self) -> None:
        """The tokenizer inside the file becomes the session's; the vocabulary browser shows it."""
        if self.desk.file is None:
            return
        path = self.desk.file.files[0].path
        from ..formats import open_tokenizer

        self.session.jobs.start("Opening the tokenizer", in_thread(lambda: open_tokenizer(path)), done=self._opened)

    def _opened(self, tokenizer: object) -> None:
        self.session.set_tokenizer(tokenizer)  # type: ignore[arg-type]
        go_to(self, "vocabulary")

    def _to_row(self) -> None:
        text = self.token.text().strip()
        if not (text.isascii() and text.isdigit()) or not self.desk.show_token(int(text[:18])):
            self.session.failed.emit(f"this file has no embedding row for token {text or '(none)'}")
            return
        go_to(self, "blocks")

    def _to_token(self) -> None:
        """The token whose embedding row the current block belongs to: its entry in the vocabulary."""
        row = self.desk.token_of_block()
        if row is None:
            self.session.failed.emit("the chosen tensor is no matrix with one row a token")
            return
        self.token.setText(str(row))
        said = f"block {self.desk.block:,} is part of row {row:,}"
        if not self.session.ready:
            self.session.message.emit(f"{said}; there is no tokenizer yet to look token {row:,} up in")
        elif VocabularyDesk.of(self.session).choose(row):
            piece = self.session.tokenizer.token_bytes(row) or b""
            self.session.message.emit(f"{said}: token {row:,} {piece.decode('utf-8', 'replace')!r}")
            go_to(self, "vocabulary")
        else:
            self.session.failed.emit(f"{said}; {self.session.tokenizer.name} has no token {row:,}")
