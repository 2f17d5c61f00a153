"""Charts of two vocabularies: one bar of what is shared and what is not, and the same for every script.

The three parts differ in colour and in pattern: the left one alone is hatched one way, the right one alone the other.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from ..core.compare_vocabularies import ComparisonCounts
from . import palette
from .census_charts import FIRST, Chart, LineChart

#: The parts of a bar from left to right: lists of VocabularyComparison.
PARTS = ("only_left", "shared", "only_right")
_PATTERNS = (Qt.BrushStyle.BDiagPattern, Qt.BrushStyle.NoBrush, Qt.BrushStyle.FDiagPattern)


def paint_part(p: QPainter, rect: QRectF, part: int) -> None:
    """One part of a bar (or its sign in a legend)."""
    c = palette.current()
    fill, strong = palette.counting(c)
    warm = 1 if c.dark else 3
    tone, edge = ((fill, strong), (c.raised, c.faint), (c.fill_of(warm), c.edge_of(warm)))[part]
    if rect.width() < 4:  # no room for a pattern between two edges
        p.fillRect(rect, edge)
        return
    p.fillRect(rect, tone)
    if _PATTERNS[part] != Qt.BrushStyle.NoBrush:
        faint = QColor(edge)
        faint.setAlphaF(0.45)
        p.fillRect(rect, QBrush(faint, _PATTERNS[part]))
    p.setPen(QPen(edge, 1))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))


class Overlap(Chart):
    """The whole of both as one bar with three parts, their figures beneath; a part is chosen to list its entries."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.counts: ComparisonCounts | None = None
        self.names = ("", "")

    def set_counts(self, counts: ComparisonCounts | None, names: tuple[str, str]) -> None:
        self.counts, self.names = counts, names
        self.renew()

    def parts(self) -> int:
        return 3 if self.counts is not None else 0

    def _numbers(self) -> tuple[int, int, int]:
        c = self.counts
        return (c.only_left, c.shared, c.only_right) if c is not None else (0, 0, 0)

    def sizeHint(self) -> QSize:
        return QSize(300, 26 + 2 * self.fontMetrics().height() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def place(self, part: int) -> QRectF:
        """At least 14 points wide, so that it can be hit."""
        numbers = self._numbers()
        total = sum(numbers) or 1
        room = max(self.width() - 3 * 14.0, 1.0)
        widths = [14.0 + room * n / total for n in numbers]
        return QRectF(sum(widths[:part]), 0, widths[part], 26)

    def words(self, part: int) -> str:
        c = self.counts
        assert c is not None
        n = self._numbers()[part]
        if part == 1:
            return f"In both: {n:,} entries, {c.moved:,} of them with another id"
        return f"Only in {self.names[0 if part == 0 else 1]}: {n:,} entries"

    def paint(self, p: QPainter) -> None:
        c, numbers = palette.current(), self._numbers()
        for part in range(3):
            area = self.place(part)
            paint_part(p, area, part)
            if part == self.hovered:
                p.setPen(QPen(c.text, 1.5))
                p.drawRect(area.adjusted(1, 1, -1, -1))
        line = p.fontMetrics().height()
        flags = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        third = self.width() / 3
        for part, label in enumerate((self.names[0], "both", self.names[1])):
            box = QRectF(part * third, 30, third, line)
            label = p.fontMetrics().elidedText(label, Qt.TextElideMode.ElideMiddle, int(third) - 8)
            p.setPen(c.muted)
            p.drawText(box, flags[part], f"only {label}" if part != 1 and len(label) < 14 else label)
            p.setPen(c.text)
            p.drawText(box.translated(0, line), flags[part], f"{numbers[part]:,}")


class ScriptBars(LineChart):
    """A bar of three parts a script, to one scale."""

    usual = 260

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.scripts: list[tuple[str, int, int, int]] = []
        self.names = ("", "")
        self.chosen_script = ""

    def set_scripts(self, scripts: list[tuple[str, int, int, int]], names: tuple[str, str]) -> None:
        """(script, shared, only left, only right)."""
        self.scripts, self.names = scripts, names
        self.renew()

    def lines(self) -> int:
        return len(self.scripts)

    def words(self, part: int) -> str:
        if self.more(part):
            return f"{len(self.scripts) - FIRST} more scripts"
        name, shared, left, right = self.scripts[part]
        return f"{name}: {shared:,} in both, {left:,} only in {self.names[0]}, {right:,} only in {self.names[1]}"

    def paint(self, p: QPainter) -> None:
        super().paint(p)
        c, line = palette.current(), self._line()
        measure = p.fontMetrics().horizontalAdvance
        left = min(max(measure(s[0]) for s in self.scripts) + 14.0, self.width() * 0.42)
        sums = [sum(s[1:]) for s in self.scripts]
        number = max(measure(f"{n:,}") for n in sums) + 14.0
        room, top = max(self.width() - left - number, 20.0), max(sums) or 1
        for i in range(self.parts()):
            if self.more(i):
                continue
            y, (name, shared, one, other) = i * line, self.scripts[i]
            if name == self.chosen_script:
                p.fillRect(QRectF(0, y, self.width(), line), c.selection)
            p.setPen(c.selection_text if name == self.chosen_script else c.text)
            p.drawText(QRectF(4, y, left - 4, line), Qt.AlignmentFlag.AlignVCenter,
                       p.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, int(left) - 10))
            x = left
            for part, n in enumerate((one, shared, other)):
                if n:
                    wide = max(room * n / top, 2.0)
                    paint_part(p, QRectF(x, y + 3, wide, line - 6), part)
                    x += wide
            p.setPen(c.selection_text if name == self.chosen_script else c.muted)
            p.drawText(QRectF(x + 6, y, number, line), Qt.AlignmentFlag.AlignVCenter, f"{sums[i]:,}")
