"""What the vocabulary consists of, as charts: classes of UTF-8, kinds, lengths, scripts, bytes, Unicode blocks.

Hover, or move by arrow keys inside a chart, and the line beneath tells the figures. A click or Enter lists the entries
in the browser. `Copy` gives all tables as Markdown or CSV.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core import census_report
from ..models.census import CensusDesk
from ..models.session import Session
from . import palette
from .census_charts import BarChart, Chart, Histogram
from .census_complete import Completers
from .census_maps import BlockMap, ByteMap, PointGrid, about_block, point_fills
from .panel_parts import Heading, grow
from .status import label
from .vocabulary_go import show_entries

#: From this width on there are two columns.
TWO_COLUMNS = 720
HINT = "Point at a bar or a cell; a click or Enter lists its entries."
POINT_HINT = "Choose a block above to see its characters."


class CensusPanel(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, CensusDesk.of(session)
        self.title, self.readout, self.block = Heading(), label(), label("caption")
        self.copy = QToolButton()
        self.utf8, self.kinds, self.scripts = BarChart("UTF-8"), BarChart("Kinds"), BarChart("By script")
        self.lengths, self.bytes = Histogram("By length"), ByteMap("Bytes")
        self.blocks, self.points = BlockMap("Unicode blocks"), PointGrid("Code points")
        self.completers = Completers(session, self.desk)
        self.charts: tuple[Chart, ...] = (self.utf8, self.kinds, self.lengths, self.scripts, self.bytes, self.blocks,
                                          self.points)
        self._build()
        self._connect()
        self._show()

    def _build(self) -> None:
        self.copy.setText("Copy")
        self.copy.setObjectName("chooser")
        self.copy.setAccessibleName("Copy the census")
        self.copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        menu = QMenu(self.copy)
        menu.addAction("As Markdown").triggered.connect(lambda: self._copy(census_report.markdown, "Markdown"))
        menu.addAction("As CSV").triggered.connect(lambda: self._copy(census_report.csv, "CSV"))
        self.copy.setMenu(menu)
        left, right = QVBoxLayout(), QVBoxLayout()
        for column, sections in (
            (left, (("Where their bytes lie in UTF-8", "Each entry is in one line", (self.utf8,)),
                    ("Kinds", "An entry may be in several lines", (self.kinds,)),
                    ("Length in bytes", "", (self.lengths,)),
                    ("Script of their letters", "", (self.scripts,)))),
            (right, (("Bytes of all entries", "Deeper: in more places. Hatched: in none. Dot: also an entry by itself",
                      (self.bytes,)),
                     ("Characters by Unicode block", "", (Legend(), self.blocks, self.block, self.points)),
                     ("Which tokens complete this one?", "", (self.completers,)))),
        ):
            column.setSpacing(4)
            for title, about, widgets in sections:
                _section(column, title, about, widgets)
            column.addStretch(1)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setContentsMargins(14, 4, 14, 14)
        self._columns.setSpacing(28)
        self._columns.addLayout(left, 1)
        self._columns.addLayout(right, 1)
        inner = QWidget()
        inner.setLayout(self._columns)
        self.area = QScrollArea()
        self.area.setAccessibleName("Figures of the census")
        self.area.setWidget(inner)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        top = QHBoxLayout()
        top.setContentsMargins(14, 8, 14, 0)
        top.addWidget(self.title, 1)
        top.addWidget(self.copy)
        self.readout.setWordWrap(True)
        self.readout.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.readout.setMinimumHeight(2 * self.fontMetrics().height())
        foot = QFrame()
        foot.setObjectName("foot")
        QVBoxLayout(foot).addWidget(self.readout)
        foot.layout().setContentsMargins(14, 4, 14, 6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.area, 1)
        layout.addWidget(foot)
        self.setFocusProxy(self.utf8)

    def _connect(self) -> None:
        for chart in self.charts:
            chart.told.connect(self._tell)
            if isinstance(chart, BarChart | Histogram):
                chart.chosen.connect(lambda part, c=chart: self._bar_chosen(c, part))
        self.bytes.chosen.connect(self._byte_chosen)
        self.blocks.chosen.connect(self._block_chosen)
        self.points.chosen.connect(self._point_chosen)
        self.desk.changed.connect(self._show)

    def set_zoom(self, zoom: float) -> None:
        self.completers.table.set_zoom(zoom)
        grow(zoom, self.readout, self.block, self.completers.about, *self.charts)

    def _show(self) -> None:
        census = self.desk.census
        if census is None:
            self.title.setText("Counting…")
            return
        tokenizer = self.session.tokenizer
        total = census.counts.total
        self.title.setText(f"{tokenizer.name}: {total:,} entries")
        for chart, name in ((self.utf8, "utf8"), (self.kinds, "kind"), (self.scripts, "script")):
            chart.set_bars(self.desk.bars(name), total)
        self.lengths.set_bars(self.desk.bars("length"), total)
        self.bytes.set_desk(self.desk)
        self.blocks.set_blocks(census.coverage)
        used = [b.used for b in census.coverage]
        self.blocks.current = used.index(max(used)) if used else 0  # the block that there is most to see of
        self._block_chosen(self.blocks.current)
        self._tell("")

    def _tell(self, words: str) -> None:
        self.readout.setText(words or HINT)

    def _bar_chosen(self, chart: BarChart | Histogram, part: int) -> None:
        bar = chart.bars[part]
        if bar.rows is None or not bar.count:
            self.session.message.emit(f"{bar.label}: there are no entries to list")
            return
        show_entries(self, self.session, bar.rows(), bar.label)

    def _byte_chosen(self, byte: int) -> None:
        show_entries(self, self.session, self.desk.rows_with_byte(byte), f"with the byte {byte:02x}")

    def _block_chosen(self, part: int) -> None:
        block = self.blocks.blocks[part] if part < len(self.blocks.blocks) else None
        self.points.set_block(self.desk, block)
        self.block.setText(about_block(block) if block is not None else POINT_HINT)

    def _point_chosen(self, part: int) -> None:
        point = self.points.code_point(part)
        rows = self.desk.rows_with_points(point, point)
        if len(rows):
            show_entries(self, self.session, rows, f"with U+{point:04X}")
        else:
            self.session.message.emit(f"U+{point:04X} stands in no entry")

    def _copy(self, make: Callable[..., str], form: str) -> None:
        if self.desk.census is not None:
            QGuiApplication.clipboard().setText(make(self.desk.census))
            self.session.message.emit(f"Copied the census as {form}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= TWO_COLUMNS
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)


def _section(column: QVBoxLayout, title: str, about: str, widgets: tuple[QWidget, ...]) -> None:
    heading: QLabel = label("figure")
    heading.setText(title)
    heading.setContentsMargins(0, 12, 0, 0)
    column.addWidget(heading)
    if about:
        note: QLabel = label("caption")
        note.setText(about)
        note.setWordWrap(True)
        column.addWidget(note)
    for widget in widgets:
        if isinstance(widget, QLabel):
            widget.setWordWrap(True)
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        column.addWidget(widget)


class Legend(QWidget):
    """What the tones of the maps of characters mean."""

    WORDS = ("in no entry", "in longer entries", "an entry by itself")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Legend")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(300, self.fontMetrics().height() + 6)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = palette.current()
        fills: tuple[QColor, ...] = point_fills(c)[1:]
        with QPainter(self) as p:
            p.setFont(palette.small_font(self.font()))
            x, side = 0.0, 11.0
            for fill, words in zip(fills, self.WORDS, strict=True):
                box = QRectF(x + 0.5, (self.height() - side) / 2, side, side)
                p.fillRect(box, fill)
                p.setPen(QPen(c.border, 1))
                p.drawRect(box)
                p.setPen(c.muted)
                at = QPointF(x + side + 6, self.height() / 2 + p.fontMetrics().ascent() / 2 - 1)
                p.drawText(at, words)
                x += side + 6 + p.fontMetrics().horizontalAdvance(words) + 16
