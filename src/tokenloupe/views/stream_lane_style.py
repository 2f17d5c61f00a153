"""How a lane looks: fonts, where its parts are, marks under its text, cells of held bytes. Made once a theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPixmap, QTextCharFormat, QTextLayout

from ..core.stream_lanes import Run
from ..core.stream_words import short_label
from ..core.text import GRAPHEME, utf16_starts
from . import palette
from .stream_text import TailText

#: Below this width the description is in the tooltip alone, and below the other the sentence beneath gets two lines.
NARROW, WORDY = 560, 820
PAD = 10.0
#: Characters of sentences and labels that a font may not have.
SIGNS = "⚠✓✗…·×“”’␣↵⇥∅\ufffd"
#: So many different graphemes and labels are drawn beforehand, and so many characters of each lane.
MANY, LOOKED_AT = 1000, 20_000
_UNDERLINES = {
    "new": QTextCharFormat.UnderlineStyle.SingleUnderline,
    "cut": QTextCharFormat.UnderlineStyle.WaveUnderline,
    "invalid": QTextCharFormat.UnderlineStyle.DashUnderline,
    "end": QTextCharFormat.UnderlineStyle.DashUnderline,
    "genuine": QTextCharFormat.UnderlineStyle.DotLine,
}


@dataclass(frozen=True, slots=True)
class Geometry:
    """title, chip: the parts of the header. text: the framed area; inner: what changes in it. state: the sentence."""

    title: QRectF
    chip: QRectF
    text: QRectF
    inner: QRectF
    state: QRectF
    height: int
    rows: int


def warm_up(run: Run, style: LaneStyle, label_font: QFont) -> Iterator[float]:
    """Lay out and draw what will be shown, out of sight and in slices: fonts are loaded then, and stop no frame.

    What lanes show, not the text alone: a mark after U+FFFD sends Qt through all its fonts. label_font: the tokens'.
    """
    while not run.compute(seconds=0.006):
        yield 0.0
    sheet, tail = QPixmap(600, 40), TailText(style.text_font)
    for lane in run.lanes:
        text = lane.text[:LOOKED_AT]
        for at in range(0, len(text), 150):
            piece = text[at : at + 150].replace("\n", " ")
            marks = ((k, "cut") for k, c in enumerate(piece) if c == "\ufffd")
            layout = tail.layout(piece, wrap=False, formats=style.ranges(piece, max(len(piece) - 5, 0), marks))
            with QPainter(sheet) as painter:
                layout.draw(painter, QPointF(0, 0))
            yield at / len(text)
    seen = run.reference[:LOOKED_AT]  # sentences name single characters
    for font, words in ((style.small, [*sorted({*GRAPHEME.findall(seen), *seen})[:MANY], *SIGNS]),
                        (label_font, list(dict.fromkeys(map(short_label, run.stream.pieces[:LOOKED_AT])))[:MANY])):
        for at in range(0, len(words), 8):
            with QPainter(sheet) as painter:
                painter.setFont(font)
                for word in words[at : at + 8]:
                    painter.drawText(0, 30, word[:32])
            yield at / len(words)


class LaneStyle:
    """Fonts and pictures for a widget's font in the present theme."""

    def __init__(self, font: QFont) -> None:
        self.title_font = QFont(font)
        self.title_font.setWeight(QFont.Weight.DemiBold)
        self.small = palette.small_font(font, 0.92)
        self.cell_font = palette.mono_beside(font, 0.85)
        self.text_font = QFont(font)
        self.text_font.setPointSizeF(max(font.pointSizeF(), 8.0) * 1.3)
        self.titles = QFontMetricsF(self.title_font)
        self.smalls = QFontMetricsF(self.small)
        self.cell_width = round(QFontMetricsF(self.cell_font).horizontalAdvance("00") + 8)
        texts = QFontMetricsF(self.text_font)
        self.space = texts.horizontalAdvance(" ")
        self.text_line = texts.lineSpacing()
        self.ascent = texts.ascent()
        self.line = round(max(self.text_line, QFontMetricsF(self.cell_font).height() + 6))
        self._formats = {kind: self._format(kind) for kind in _UNDERLINES}
        self._cells: dict[tuple[int, int, float], QPixmap] = {}

    def geometry(self, width: int, lines: int) -> Geometry:
        """Where things are in a lane of this width with so many lines of text."""
        room = width - 2 * PAD
        chip = round(min(max(room * 0.27, 130.0), 230.0))
        top = round(self.titles.height() + 4)
        title = QRectF(PAD, 6.0, room - chip - 8, top)
        text = QRectF(PAD, title.bottom() + 2, room, lines * self.line + 10)  # whole pixels: what is painted again fits
        rows = 2 if width < WORDY else 1
        state = QRectF(PAD, text.bottom() + 3, room, round(rows * self.smalls.lineSpacing() + 2))
        return Geometry(title, QRectF(PAD + room - chip, 6.0, chip, top), text, text.adjusted(2, 2, -2, -2), state,
                        round(state.bottom() + 5), rows)

    def fitting(self, texts: Iterable[str], width: float) -> str:
        """The first text that is not too wide, or "": an explanation cut short explains nothing."""
        return next((text for text in texts if self.smalls.horizontalAdvance(text) <= width), "")

    def elided(self, text: str, width: float) -> str:
        """The text, cut with … where it surely or possibly is too wide."""
        if text.isascii() and len(text) * self.smalls.averageCharWidth() * 1.6 < width:
            return text
        return self.smalls.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def _format(self, kind: str) -> QTextCharFormat:
        colours = palette.current()
        made = QTextCharFormat()
        made.setUnderlineStyle(_UNDERLINES[kind])
        tones = {"new": colours.accent, "cut": colours.error, "genuine": colours.muted}
        fills = {"new": colours.hover, "cut": colours.error_fill, "invalid": colours.warning_fill,
                 "end": colours.warning_fill}
        made.setUnderlineColor(tones.get(kind, colours.warning))
        if kind in fills:
            made.setBackground(fills[kind])
        if kind in ("cut", "invalid", "end"):
            made.setForeground(tones.get(kind, colours.warning))
        return made

    def ranges(self, piece: str, new_from: int, marks: Iterable[tuple[int, str]]) -> list[QTextLayout.FormatRange]:
        """Formats for a line: what is new from a character on, and U+FFFD as (character, kind of cause)."""
        wide = not piece.isascii() and max(piece) > "\uffff"
        units: list[int] | range = utf16_starts(piece).tolist() if wide else range(len(piece) + 1)
        out: list[QTextLayout.FormatRange] = []

        def add(first: int, last: int, kind: str) -> None:
            made = QTextLayout.FormatRange()
            made.start, made.length, made.format = units[first], units[last] - units[first], self._formats[kind]
            out.append(made)

        if new_from < len(piece):
            add(new_from, len(piece), "new")
        run_from, run_to, run_kind = 0, -1, ""
        for char, kind in marks:  # neighbours of a kind are one range
            if char == run_to and kind == run_kind:
                run_to += 1
                continue
            if run_to > run_from:
                add(run_from, run_to, run_kind)
            run_from, run_to, run_kind = char, char + 1, kind
        if run_to > run_from:
            add(run_from, run_to, run_kind)
        return out

    def cell(self, byte: int, role: int, ratio: float) -> QPixmap:
        """A held byte as a dashed cell, drawn once."""
        key = (byte, role, ratio)
        if key not in self._cells:
            colours, height = palette.current(), round(self.line - 4)
            picture = QPixmap(round(self.cell_width * ratio), round(height * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(colours.base)
            style = colours.byte_style(role, byte)
            box = QRectF(0.5, 0.5, self.cell_width - 1, height - 1)
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setFont(self.cell_font)
                painter.setBrush(style.fill)
                painter.setPen(QPen(colours.muted, 1.2, Qt.PenStyle.DashLine))
                painter.drawRoundedRect(box, 3, 3)
                painter.setPen(style.text)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{byte:02X}")
            self._cells[key] = picture
        return self._cells[key]
