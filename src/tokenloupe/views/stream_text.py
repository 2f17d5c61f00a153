"""The end of a growing text, wrapped into lines: only the last lines are laid out, whatever the length before.

    tail = TailText(font)
    tail.set_width(400)
    tail.last_lines(text, end, 3)      # -> [TailLine(start, end), ..]

Lines are broken as a reader would see them appear: greedily, so that a full line never changes when text is added. The
beginnings of lines are kept, and a step forward or back lays out the last one or two lines again and no more.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextOption

from ..core.text import utf16_starts

#: Characters laid out at once when a long text is caught up with.
_CHUNK = 2000
#: A line with so many characters, or a space, begins where it begins for good.
_SETTLED = 24
_ENDS = frozenset("\n\r\x0b\x0c\u2028\u2029\t")
_SEPARATORS = str.maketrans({"\n": "\u2028", "\r": "\u2028", "\x0b": "\u2028", "\x0c": "\u2028", "\u2029": "\u2028"})


@dataclass(frozen=True, slots=True)
class TailLine:
    """One line on the screen: text[start:end], without its line end."""

    start: int
    end: int


def displayed(text: str) -> str:
    """The text as QTextLayout should get it: line separators for line ends, code point for code point."""
    return text.replace("\r\n", "\u200b\n").translate(_SEPARATORS)


class TailText:
    """Where lines begin, for one text that only ever grows at its end (an earlier state is a prefix of it)."""

    def __init__(self, font: QFont) -> None:
        self._font = font
        self._width = 0.0
        self._starts = [0]  # code points
        self._laid_to = 0
        self._used = 0.0  # an estimate of the last line's width
        self._metrics = QFontMetricsF(font)

    def set_font(self, font: QFont) -> None:
        self._font, self._metrics = font, QFontMetricsF(font)
        self.reset()

    def set_width(self, width: float) -> None:
        if width != self._width:
            self._width = width
            self.reset()

    def reset(self) -> None:
        """Another text."""
        self._starts, self._laid_to, self._used = [0], 0, 0.0

    @property
    def line_height(self) -> float:
        return self._metrics.lineSpacing()

    def last_lines(self, text: str, end: int, count: int) -> list[TailLine]:
        """The last `count` lines of text[:end]; `text` is the whole text there is so far."""
        if self._width <= 0:
            return []
        self._lay_out(text, end)
        starts = self._starts
        if end == 0:
            return [TailLine(0, 0)]
        last = bisect_right(starts, end) - 1
        if starts[last] == end and text[end - 1] not in "\n\r\x0b\x0c\u2028\u2029":
            last -= 1
        first = max(last - count + 1, 0)
        return [TailLine(starts[k], min(starts[k + 1] if k < last else end, end)) for k in range(first, last + 1)]

    def _lay_out(self, text: str, end: int) -> None:
        """Bring the beginnings of lines up to date for text[:end]."""
        if end == self._laid_to:
            return
        begun = text[self._starts[-1] : self._laid_to]
        settled = len(begun) > _SETTLED or " " in begun[1:]
        if settled and 0 < end - self._laid_to < 64:
            added = text[self._laid_to : end]
            self._used += self._metrics.horizontalAdvance(added)
            if self._used < 0.9 * self._width and not _ENDS.intersection(begun[-1:] + added):
                self._laid_to = end  # surely no new line: nothing to lay out
                return
        # With less text the last line may begin elsewhere, and as long as its first word grows (or shrinks: an emoji
        # family becomes one picture when it is complete). The line before it is full. A line end may come in two parts.
        if not settled or end < self._laid_to or begun.endswith("\r"):
            keep = bisect_right(self._starts, end) - 1
            del self._starts[max(keep, 1) :]
        at = self._starts[-1]
        while True:
            stop = min(at + _CHUNK, end)
            begins = self._break(text[at:stop])
            if stop == end:
                self._starts += [at + b for b in begins]
                break
            # The last line of a chunk may go on; one longer than a chunk is cut there.
            self._starts += [at + b for b in begins[:-1] or begins or [stop - at]]
            at = self._starts[-1]
        self._laid_to = end
        self._used = self._metrics.horizontalAdvance(text[self._starts[-1] : end])

    def _break(self, text: str) -> list[int]:
        """Code-point offsets where the second and later lines of a text begin."""
        if not text:
            return []
        layout = self.layout(text)
        units = [layout.lineAt(k).textStart() for k in range(1, layout.lineCount())]
        if not units:
            return []
        starts = utf16_starts(text)
        found: list[int] = np.searchsorted(starts, units).tolist()
        return found

    def layout(self, text: str, wrap: bool = True, formats: list[QTextLayout.FormatRange] | None = None) -> QTextLayout:
        """A laid-out text at (0, 0); formats are in UTF-16 units."""
        layout = QTextLayout(displayed(text), self._font)
        if formats:
            layout.setFormats(formats)
        layout.setCacheEnabled(True)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(4 * self._metrics.horizontalAdvance(" "))
        layout.setTextOption(option)
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self._width if wrap else 1e6)
            line.setPosition(QPointF(0.0, y))
            y += self.line_height
        layout.endLayout()
        return layout

