"""Memory estimate: parameters, embedding and budget to bytes at f16, int8, int4 and Q4_0, and which of them fits."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFormLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ..core.errors import InputError
from ..models.session import Session
from ..models.tensor_desk import TensorDesk
from ..tensors.embedding import token_embedding
from ..tensors.memory import Estimate, estimate, parse_bytes, parse_count
from . import palette
from .panel_parts import grow, label_bar

ROWS = (
    ("f16", "2 bytes a weight"),
    ("int8", "34/32, 16-bit scale per 32"),
    ("int4", "34/64, 16-bit scale per 64; embedding at int8"),
    ("q4_0", "18/32, 16-bit scale per 32"),
)


def size_text(count: int) -> str:
    return (
        f"{count / 2**30:.2f} GiB"
        if count >= 2**30
        else f"{count / 2**20:.1f} MiB"
        if count >= 2**20
        else f"{count:,} B"
    )


class MemoryBars(QWidget):
    """A bar for each width, the budget as a line through them; what is chosen is marked by a word and a frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.estimate: Estimate | None = None
        self.setAccessibleName("Memory at each width")
        self.setMinimumHeight(self.sizeHint().height())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(300, line + 4 + len(ROWS) * (2 * line + 16) + 8)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.setMinimumHeight(self.sizeHint().height())
            self.updateGeometry()
        super().changeEvent(event)

    def show_estimate(self, e: Estimate | None) -> None:
        self.estimate = e
        if e is None:
            self.setAccessibleDescription("")
        else:
            self.setAccessibleDescription("; ".join(f"{n}: {getattr(e, n):,} bytes" for n, _ in ROWS))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, e = palette.current(), self.estimate
        if e is None:
            return
        line = self.fontMetrics().height()
        top = max(e.f16, e.budget or 0) or 1
        with QPainter(self) as p:
            if e.budget is not None:
                said, small = f"budget {size_text(e.budget)}", palette.small_font(self.font())
                needed = QFontMetricsF(small).horizontalAdvance(said)
                left = min(max(e.budget / top * (self.width() - 2) - needed / 2, 0.0), self.width() - needed - 1)
                p.setFont(small)
                p.setPen(c.error)
                p.drawText(QRectF(left, 0, needed + 1, line), Qt.AlignmentFlag.AlignVCenter, said)
                p.setFont(self.font())
            for i, (name, note) in enumerate(ROWS):
                y = line + 8 + i * (2 * line + 16)
                size = getattr(e, name)
                chosen = name == e.chosen
                bar = QRectF(0, y, max(2.0, size / top * (self.width() - 2)), line + 6)
                p.fillRect(bar, c.fill_of(i))
                p.setPen(QPen(c.focus if chosen else c.edge_of(i), 3 if chosen else 1))
                p.drawRect(bar.adjusted(1, 1, -1, -1))
                label = f"{name}  {size_text(size)}{'  chosen' if chosen else ''}"
                if e.budget is not None and size > e.budget:
                    label += "  does not fit"
                if e.budget is not None:  # across the bars alone, and beneath what they say
                    x = round(e.budget / top * (self.width() - 2))
                    p.setPen(QPen(c.error, 2, Qt.PenStyle.DashLine))
                    p.drawLine(x, int(y) - 3, x, int(bar.bottom()) + 3)
                p.setPen(c.text)
                label_bar(p, bar, self.width(), label, c.fill_of(i), c.window)
                p.setPen(c.muted)
                p.setFont(palette.small_font(self.font()))
                told = p.fontMetrics().elidedText(f"{size:,} bytes; {note}", Qt.TextElideMode.ElideRight,
                                                  self.width() - 10)
                p.drawText(QRectF(8, y + line + 7, self.width() - 8, line), Qt.AlignmentFlag.AlignVCenter, told)
                p.setFont(self.font())


class MemoryPanel(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = TensorDesk.of(session)
        self.params, self.embedding, self.budget = QLineEdit("7B"), QLineEdit("131,072,000"), QLineEdit("6 GiB")
        self.take = QPushButton("From the open file")
        self.why, self.bars = QLabel(), MemoryBars()
        self.why.setTextFormat(Qt.TextFormat.PlainText)
        self.why.setWordWrap(True)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for label, field in (
            ("Parameters", self.params),
            ("of them embedding", self.embedding),
            ("Memory there is", self.budget),
        ):
            form.addRow(label, field)
            field.setAccessibleName(label)
            field.textChanged.connect(self._show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addLayout(form)
        for widget in (self.take, self.bars, self.why):
            layout.addWidget(widget)
        layout.addStretch(1)
        self.take.clicked.connect(self._from_file)
        self.setFocusProxy(self.params)
        self._show()

    def set_zoom(self, zoom: float) -> None:
        grow(zoom, self.bars, self.why)

    def _from_file(self) -> None:
        file = self.desk.file
        if file is None:
            return
        good = [t for t in file.tensors if t.readable]
        embedding = token_embedding(file)
        self.params.setText(f"{sum(t.elements for t in good):,}")
        self.embedding.setText(f"{embedding.elements if embedding is not None else 0:,}")

    def _show(self) -> None:
        try:
            budget = self.budget.text().strip()
            e = estimate(parse_count(self.params.text()), parse_count(self.embedding.text() or "0"),
                         parse_bytes(budget) if budget else None)
        except InputError as error:
            self.why.setText(str(error))
            self.bars.show_estimate(None)  # not those of other numbers
            return
        self.bars.show_estimate(e)
        self.why.setText(f"{e.why}.")
