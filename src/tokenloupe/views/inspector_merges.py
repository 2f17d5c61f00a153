"""The merges of a pre-token as a picture: its symbols at the bottom, over them the bars that merges made of them.

    picture = MergePicture()
    picture.show_trace(trace, tokenizer, colours)

A bar stands over the two it was made of. The uppermost are the tokens, in the colours that they have in the text.
Arrows move between bars, in the order of the merges with Page Up and Page Down; the sentence of the chosen bar is told
to `said`. A long pre-token scrolls sideways.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from ..core.inspect_token_merges import Symbol, Trace
from ..core.inspect_token_why import quoted
from ..core.tokenizer import Tokenizer
from ..models.readable import readable
from . import palette

#: Least width of a symbol and height of a bar, in points; space between bars.
LEAF, BAR, GAP = 26, 24, 3


@dataclass(frozen=True, slots=True)
class Bar:
    """symbols first .. last-1 stand under it. step: number of the merge from 1, 0 for a symbol. token: its index among
    the tokens of the piece, -1 inside one."""

    first: int
    last: int
    level: int
    id: int
    step: int
    rank: int | None
    score: float | None
    token: int
    said: str


def bars_of(trace: Trace, tokenizer: Tokenizer) -> list[Bar]:
    """Symbols first, then the merges in their order; the token bars are those that no later one took."""
    v = tokenizer.vocabulary
    final = {(s.start, s.end): k for k, s in enumerate(trace.final)}
    places: dict[Symbol, tuple[int, int, int]] = {}
    bars: list[Bar] = []

    def name(symbol: Symbol) -> str:
        return quoted(v.bytes_of(symbol.id) or v.raw_at(v.row_of(symbol.id) or 0).encode("utf-8", "surrogatepass"))

    for k, symbol in enumerate(trace.symbols):
        places[symbol] = (k, k + 1, 0)
        bars.append(Bar(k, k + 1, 0, symbol.id, 0, None, None, final.get((symbol.start, symbol.end), -1),
                        f"Symbol {k + 1} of {len(trace.symbols)}: {name(symbol)}, entry {symbol.id}."))
    for number, step in enumerate(trace.steps, 1):
        left, right = places[step.left], places[step.right]
        made = step.symbol
        places[made] = (left[0], right[1], max(left[2], right[2]) + 1)
        by = f"merge {step.rank:,}" if step.rank is not None else f"score {step.score:.5g}"
        others = f"; {step.others} other place{'s' if step.others != 1 else ''} could have been joined" \
            if step.others else ""
        bars.append(Bar(*places[made], made.id, number, step.rank, step.score, final.get((made.start, made.end), -1),
                        f"Step {number} of {len(trace.steps)}: {by} joins {name(step.left)} and {name(step.right)} to "
                        f"entry {made.id}{others}."))
    return bars


def short(piece: bytes) -> str:
    """A bar's text: what is no whole character as bare hex, which takes the least room."""
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return piece.hex(" ") if len(piece) <= 4 else readable(piece)
    return readable(piece)


class MergeCanvas(QWidget):
    """said(str): the sentence of the bar that is chosen."""

    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: list[Bar] = []
        self.current = -1
        self._texts: list[str] = []
        self._colours: list[int] = []
        self._leaves = self._levels = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Merges")

    def show_trace(self, trace: Trace, tokenizer: Tokenizer, colours: list[int]) -> None:
        """colours: colour index of each token of the piece."""
        self.bars = bars_of(trace, tokenizer)
        v = tokenizer.vocabulary
        self._texts = [short(v.bytes_of(b.id) or b"") for b in self.bars]
        self._colours = colours
        self._leaves = len(trace.symbols)
        self._levels = max((b.level for b in self.bars), default=0) + 1
        self.current = -1
        self.setAccessibleDescription("\n".join(b.said for b in self.bars if b.step) or "No merge.")
        self.setMinimumSize(self._leaves * LEAF, self._levels * (BAR + GAP))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def area(self, bar: Bar) -> QRectF:
        """Where a bar is drawn."""
        leaf = min(max(self.width() / max(self._leaves, 1), LEAF), 3 * LEAF)
        top = self.height() - (bar.level + 1) * (BAR + GAP)
        return QRectF(bar.first * leaf, top, (bar.last - bar.first) * leaf - 1, BAR)

    def choose(self, number: int) -> None:
        if self.bars:
            self.current = min(max(number, 0), len(self.bars) - 1)
            self.said.emit(self.bars[self.current].said)
            scroll = self.parentWidget().parentWidget() if self.parentWidget() is not None else None
            if isinstance(scroll, QScrollArea):
                place = self.area(self.bars[self.current]).toRect()
                scroll.ensureVisible(place.center().x(), place.center().y(), min(place.width() // 2 + 4, 60), 4)
            self.update()

    def _over(self, bar: Bar) -> int | None:
        """The bar that was made of this one."""
        return next((k for k, b in enumerate(self.bars)
                     if b.step and b.first <= bar.first and b.last >= bar.last and b is not bar
                     and b.level > bar.level), None)

    def _at(self, x: float, y: float) -> int:
        return next((k for k, b in enumerate(self.bars) if self.area(b).contains(x, y)), -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, bars = event.key(), self.bars
        if not bars or key not in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home,
                                   Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
            return
        here = bars[max(self.current, 0)]
        if self.current < 0 or key == Qt.Key.Key_Home:
            self.choose(0)
        elif key == Qt.Key.Key_End:
            self.choose(len(bars) - 1)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.choose(self.current + (1 if key == Qt.Key.Key_PageDown else -1))
        elif key == Qt.Key.Key_Up:
            over = self._over(here)
            self.choose(self.current if over is None else over)
        elif key == Qt.Key.Key_Down:
            under = [k for k, b in enumerate(bars) if b.first == here.first and b.level < here.level]
            self.choose(max(under, key=lambda k: bars[k].level, default=self.current))
        else:
            place = here.last if key == Qt.Key.Key_Right else here.first - 1
            beside = [k for k, b in enumerate(bars) if b.first <= place < b.last and b.level <= here.level]
            self.choose(max(beside, key=lambda k: bars[k].level, default=self.current))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._at(event.position().x(), event.position().y())
        if found >= 0:
            self.choose(found)
        super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self._at(event.pos().x(), event.pos().y())
            if found >= 0:
                from html import escape

                QToolTip.showText(event.globalPos(), f"<p>{escape(self.bars[found].said)}</p>", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.current < 0:
            self.choose(len(self.bars) - 1)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        c = palette.current()
        with QPainter(self) as p:
            p.fillRect(event.rect(), c.window)
            font = palette.mono_font(size=palette.MONO_SIZE - 2)
            small = palette.small_font(self.font(), 0.8)
            mono, quiet = QFontMetricsF(font), QFontMetricsF(small)
            for k, bar in enumerate(self.bars):
                area = self.area(bar)
                if not area.intersects(QRectF(event.rect())):
                    continue
                token = bar.token >= 0
                colour = self._colours[bar.token] if token and bar.token < len(self._colours) else bar.token
                p.fillRect(area, c.fill_of(colour) if token else c.raised)
                p.setPen(QPen(c.border, 1))
                p.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
                if token:
                    p.setPen(c.token_pen(colour))
                    p.drawLine(QLineF(area.left(), area.bottom(), area.right(), area.bottom()))
                rank = "" if bar.step == 0 else f"{bar.rank:,}" if bar.rank is not None else f"{bar.score:.4g}"
                inner = area.adjusted(4, 0, -4, 0)
                beside = mono.horizontalAdvance(self._texts[k]) + quiet.horizontalAdvance(rank) + 6 <= inner.width()
                ink = c.token_text if token else c.text
                p.setFont(font)
                p.setPen(ink)
                where = Qt.AlignmentFlag.AlignLeft if rank and beside else Qt.AlignmentFlag.AlignHCenter
                tight = mono.horizontalAdvance(self._texts[k]) > inner.width()
                p.drawText(area.adjusted(1, 0, -1, 0) if tight else inner, int(Qt.AlignmentFlag.AlignVCenter | where),
                           mono.elidedText(self._texts[k], Qt.TextElideMode.ElideRight, area.width() - 2))
                if rank and beside:
                    p.setFont(small)
                    p.setPen(ink if token else c.muted)
                    p.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), rank)
                if k == self.current:
                    p.setPen(QPen(c.focus, 2 if self.hasFocus() else 1))
                    p.drawRect(area.adjusted(1, 1, -1, -1))


class MergePicture(QScrollArea):
    """The canvas, scrolled sideways when the pre-token is long; as high as its bars."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = MergeCanvas()
        self.setWidget(self.canvas)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_trace(self, trace: Trace, tokenizer: Tokenizer, colours: list[int]) -> None:
        self.canvas.show_trace(trace, tokenizer, colours)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        wide = self.canvas.minimumWidth() > self.width()
        return QSize(200, self.canvas.minimumHeight() + (self.horizontalScrollBar().sizeHint().height() if wide else 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.updateGeometry()
