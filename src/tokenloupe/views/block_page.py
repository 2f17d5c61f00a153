"""The page of a block: where its bytes, bits, codes and weights are drawn, and how. No hands: see block_anatomy.py.

Types with one nibble a weight and byte are drawn as they are built: each byte as two halves, with lines to the two
weights it holds. Other types show their bytes by field and their weights as a grid. The same walk draws (with a
painter) and measures (without): afterwards `spots` says what lies where, `height` how much room it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from ..core.wording import count_of
from ..tensors import blockedit, blocks
from ..tensors.blocktypes import BlockType, Bytes, Field, Parts
from . import palette

#: Fill of the palette's token colours by the role of a field.
FILLS = {"scale": 5, "minimum": 2, "codes": 0, "high bits": 1, "signs": 3, "other": 4}
#: The parts of a 16-bit float by bit: 15 is the sign, 14 to 10 the exponent, the rest the fraction.
HALF = ("fraction",) * 10 + ("exponent",) * 5 + ("sign",)

WHAT = {
    "Q4_0": "32 weights live in 18 bytes. Each weight is a whole number q from 0 to 15 (4 bits, half a byte). "
            "Take 8 away, multiply by the scale d that all 32 share: that is the weight.",
    "Q4_1": "32 weights live in 20 bytes. Each weight is a whole number q from 0 to 15. Multiply it by the scale d, "
            "add the minimum m: that is the weight.",
    "Q5_0": "32 weights live in 22 bytes. Each weight is a whole number q from 0 to 31: four bits in a nibble, the "
            "fifth in a word of its own. Take 16 away, multiply by d.",
    "Q5_1": "32 weights live in 24 bytes. Each weight is a whole number q from 0 to 31: four bits in a nibble, the "
            "fifth in a word of its own. Multiply it by d, add the minimum m.",
    "Q8_0": "32 weights live in 34 bytes. Each weight is a signed byte. Multiply it by the scale d that all 32 share.",
    "IQ4_NL": "32 weights live in 18 bytes. Each nibble q picks one of 16 uneven levels; times d it is the weight.",
    "MXFP4": "32 weights live in 17 bytes. Each nibble is a tiny float (E2M1), the first byte a power of two for all.",
}  # fmt: skip


def number(value: float, digits: int = 4) -> str:
    """A number in few characters."""
    return f"{value:.{digits}g}" if np.isfinite(value) else ("NaN" if np.isnan(value) else "−∞" if value < 0 else "∞")


@dataclass(frozen=True)
class Content:
    """A block taken apart. parts: None for plain numbers and bytes. values: (weights,), empty where not decoded."""

    type: BlockType
    block: Bytes
    parts: Parts | None
    values: NDArray[Any]
    numbers: dict[str, NDArray[Any]]

    @classmethod
    def of(cls, t: BlockType, block: Bytes) -> Content:
        row = block[None]
        return cls(t, block, blocks.parts(t, row) if t.unpack is not None else None,
                   blocks.decode(t, row)[0] if t.decodes else np.zeros(0, np.float32), blocks.numbers(t, row))

    def code(self, weight: int) -> float:
        """The stored code of a weight, or its level where codes are shared or signed."""
        p = self.parts
        if p is None:
            return 0
        return float(p.levels[0, weight] if p.codes is None or self.type.name == "Q8_0" else p.codes[0, weight])

    def field_of(self, byte: int) -> Field | None:
        return next((f for f in self.type.fields if f.start <= byte < f.end), None)


@dataclass(frozen=True)
class Marks:
    """What is lit, and the one spot the keys are on: ("weight" | "byte" | "bit", index)."""

    bytes: frozenset[int]
    weights: frozenset[int]
    cursor: tuple[str, int]


class Page:
    """One walk over the page. spots: (rectangle, kind, index) of all that can be pointed at; height in pixels."""

    def __init__(self, content: Content, marks: Marks, width: int, font: QFont, painter: QPainter | None) -> None:
        self.c, self.type, self.block = content, content.type, content.block
        self.marks, self.width, self.font, self.p = marks, width, font, painter
        self.metrics = QFontMetrics(font)
        self.line = self.metrics.height()
        self.mono, self.small_mono = palette.mono_beside(font, 0.86), palette.mono_beside(font, 0.77)
        self.spots: list[tuple[QRect, str, int]] = []
        self.height = 0

    def walk(self) -> Page:
        t = self.type
        told = f"{count_of(t.weights, 'weight')} in {count_of(t.nbytes, 'byte')}: {t.about}. Weight = {t.formula}."
        y = self._text(12, WHAT.get(t.name, told)) + self.line // 2
        y = self._bytes(y)
        for f in self.type.fields:
            if f.kind == "f16" and f.count == 1:
                y = self._half(y, f)
        y = self._other_numbers(y)
        if self.type.name in blocks.HALVES:
            y = self._nibbles(y)
        elif self.c.parts is not None:
            y = self._grid(y)
        elif self.type.name in blocks.FLOAT_BITS and self.type.name != "F16":  # whose bits are there already
            y = self._plain_float(y)
        self.height = y + 10
        return self

    # Text

    def _text(self, y: int, text: str, muted: bool = False) -> int:
        return self._wrapped(y, text, self.font, palette.current().muted if muted else palette.current().text)

    def _heading(self, y: int, text: str) -> int:
        font = QFont(self.font)
        font.setBold(True)
        return self._wrapped(y + 4, text, font, palette.current().text) + 4

    def _wrapped(self, y: int, text: str, font: QFont, ink: QColor) -> int:
        room, flags = QRect(12, y, max(100, self.width - 24), 1000), int(Qt.TextFlag.TextWordWrap)
        used = QFontMetrics(font).boundingRect(room, flags, text)
        if self.p is not None:
            self.p.setFont(font)
            self.p.setPen(ink)
            self.p.drawText(room, flags, text)
        return y + used.height()

    # Cells

    def _cell(self, rect: QRect, text: str, role: str, kind: str, index: int, lit: bool = False) -> None:
        self.spots.append((rect, kind, index))
        if self.p is None:
            return
        if role:
            self.p.fillRect(rect, self._fill(role))
        self._frame(rect, lit, self.marks.cursor == (kind, index))
        self.p.setPen(palette.current().token_text if role else palette.current().text)
        self.p.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def _frame(self, rect: QRect, lit: bool, on: bool) -> None:
        assert self.p is not None
        c = palette.current()
        self.p.setPen(QPen(c.focus if lit or on else c.border, 3 if on else 2 if lit else 1))
        self.p.drawRect(rect.adjusted(0, 0, -1, -1))

    def _fill(self, role: str) -> QColor:
        return palette.current().fill_of(FILLS[role])

    def _bytes(self, y: int) -> int:
        y = self._heading(y, f"The {count_of(self.type.nbytes, 'byte')} in the file")
        if self.p is not None:
            self.p.setFont(self.mono)
        width, height = QFontMetrics(self.mono).horizontalAdvance("00") + 10, self.line + 8
        per_row = max(4, min(self.type.nbytes, (self.width - 24) // width))
        for b in range(self.type.nbytes):
            f = self.c.field_of(b)
            rect = QRect(12 + b % per_row * width, y + b // per_row * height, width, height)
            self._cell(rect, f"{self.block[b]:02x}", f.role if f else "", "byte", b, b in self.marks.bytes)
        return self._legend(y + -(-self.type.nbytes // per_row) * height + 4)

    def _legend(self, y: int) -> int:
        x, box = 12, self.line * 2 // 3
        if self.p is not None:
            self.p.setFont(palette.small_font(self.font))
        for f in self.type.fields:
            text = f"{f.name}: {f.role}, {count_of(f.nbytes, 'byte')}"
            need = self.metrics.horizontalAdvance(text) + box + 15
            if x + need > self.width and x > 12:
                x, y = 12, y + self.line + 2
            if self.p is not None:
                self.p.fillRect(QRect(x, y + (self.line - box) // 2, box, box), self._fill(f.role))
                self.p.setPen(palette.current().muted)
                self.p.drawText(QRect(x + box + 5, y, need, self.line), Qt.AlignmentFlag.AlignVCenter, text)
            x += need
        return y + self.line + 10

    def _half(self, y: int, f: Field) -> int:
        """A 16-bit float as its bits, with the arithmetic written out."""
        bits = int(self.block[f.start]) | int(self.block[f.start + 1]) << 8
        name = f.role if f.role in ("scale", "minimum") else "number"
        y = self._heading(y, f"The {name} {f.name}: bytes {self.block[f.start]:02x} {self.block[f.start + 1]:02x}"
                             f" read backwards are 0x{bits:04x}, a 16-bit float")
        width = min(QFontMetrics(self.mono).horizontalAdvance("0") + 16, (self.width - 24 - 16) // 16)
        x = 12
        for i in range(16):
            bit = 15 - i
            x += 8 if i in (1, 6) else 0
            role = "minimum" if i == 0 else "scale" if i < 6 else "codes"
            if self.p is not None:
                self.p.setFont(self.mono)
            rect = QRect(x, y, width, self.line + 6)
            self._cell(rect, str(bits >> bit & 1), role, "bit", f.start * 8 + bit)
            if self.p is not None and i in (0, 1, 6):
                small = palette.small_font(self.font)
                room = width + 8 if i == 0 else 5 * width if i == 1 else 10 * width
                text = QFontMetrics(small).elidedText(HALF[bit], Qt.TextElideMode.ElideRight, room)
                self.p.setFont(small)
                self.p.setPen(palette.current().muted)
                self.p.drawText(x, y + 2 * self.line + 6, text)
            x += width
        y += 2 * self.line + 12
        sign, exponent, fraction = bits >> 15, bits >> 10 & 31, bits & 1023
        value = float(np.array([bits], np.uint16).view(np.float16)[0])
        minus = "−" if sign else ""
        if exponent == 31:
            told = "an exponent of all ones: " + ("infinity" if fraction == 0 else "not a number (NaN)")
        elif exponent == 0:
            told = f"{minus}{fraction}/1024 × 2^−14 (exponent 0: subnormal) = {number(value, 7)}"
        else:
            told = f"{minus}(1 + {fraction}/1024) × 2^({exponent} − 15) = {number(value, 7)}"
        return self._text(y, f"{f.name} = {told}") + 10

    def _other_numbers(self, y: int) -> int:
        """Scales and minima that are packed in fewer bits, unpacked."""
        halves = {f.name for f in self.type.fields if f.kind == "f16"}
        for name, column in self.c.numbers.items():
            if name in halves or name in ("x", "sign", "exponent", "fraction"):
                continue
            shown = " ".join(number(float(v)) for v in np.atleast_1d(column[0]))
            y = self._text(y, f"{name} = {shown}") + 6
        return y

    # Weights

    @property
    def columns(self) -> int:
        """Weights beside each other: as many as have room for their value."""
        need = QFontMetrics(self.small_mono).horizontalAdvance("-0.0226") + 2
        return next((n for n in (16, 8, 4, 2) if (self.width - 24) // n >= need), 1)

    def _value(self, weight: int, room: int) -> str:
        """A weight's value in as many digits as there is room for."""
        value, metrics = float(self.c.values[weight]), QFontMetrics(self.small_mono)
        return next((t for t in (number(value, d) for d in (3, 2)) if metrics.horizontalAdvance(t) <= room),
                    number(value, 1))

    def _weight(self, rect: QRect, w: int, rows: tuple[str, ...]) -> None:
        """A weight's cell, coloured by its level."""
        self.spots.append((rect, "weight", w))
        if self.p is None or self.c.parts is None:
            return
        fill = palette.level_colour(palette.current(), float(self.c.parts.levels[0, w]), *self.type.level_range)
        self.p.fillRect(rect, fill)
        self._frame(rect, w in self.marks.weights, self.marks.cursor == ("weight", w))
        self.p.setPen(palette.ink_on(fill))
        self.p.setFont(self.small_mono)
        for i, text in enumerate(r for r in rows if r):
            self.p.drawText(QRect(rect.left(), rect.top() + 2 + i * self.line, rect.width(), self.line),
                            Qt.AlignmentFlag.AlignCenter, text)

    def _coded(self, x: int, y: int, width: int, w: int) -> None:
        rows: tuple[str, ...] = ()
        if self.c.parts is not None:
            code, level = self.c.code(w), float(self.c.parts.levels[0, w])
            rows = (f"q {code:g}", f"{level:+g}" if level != code else "", self._value(w, width - 4))
        self._weight(QRect(x + 1, y, width - 2, 3 * self.line + 4), w, rows)

    def _nibbles(self, y: int) -> int:
        """Bands of bytes split into halves; the low half leads up to its weight, the high half down."""
        y = self._heading(y, "Each byte holds two codes: low nibble = weight j (above), "
                             "high nibble = weight j+16 (below)")
        formula = self.type.formula.replace(" - ", " − ").replace("*", "×")
        middle_row = "q − 8, " if self.type.name == "Q4_0" else "q − 16, " if self.type.name == "Q5_0" else ""
        y = self._text(y, f"In each weight: the code q, {middle_row}and the value {formula}. Click a nibble to "
                          "count it up (with Shift down), a bit of the scale to flip it; or walk there with the arrow "
                          "keys and press +, −, a digit or Space. The rest follows, and the file stays as it is.",
                       muted=True) + 6
        codes = next(f for f in self.type.fields if f.name == "qs")
        columns = min(16, self.columns)
        width = (self.width - 24) // columns
        for first in range(0, 16, columns):
            y = self._band(y, range(first, min(16, first + columns)), codes.start, width)
        return y

    def _band(self, y: int, bytes_of_band: range, start: int, width: int) -> int:
        line, lit = self.line, self.marks.weights
        cell, gap, box = 3 * line + 4, 22, line + 8
        top, middle = y + line, y + line + cell + gap
        half = (width - 6) // 2
        for k, j in enumerate(bytes_of_band):
            x = 12 + k * width
            if self.p is not None:
                self.p.setFont(palette.small_font(self.font, 0.82))
                self.p.setPen(palette.current().muted)
                for at, text in ((y, str(j)), (y + 2 * (line + cell + gap) + box - line, str(j + 16))):
                    self.p.drawText(QRect(x, at, width, line), Qt.AlignmentFlag.AlignCenter, text)
            self._coded(x, top, width, j)
            self._coded(x, middle + box + gap, width, j + 16)
            high, low = QRect(x + 3, middle, half, box), QRect(x + 3 + half, middle, half, box)
            if self.p is not None:
                self._line(low.center().x(), middle, x + width // 2, top + cell, j in lit)
                self._line(high.center().x(), middle + box, x + width // 2, middle + box + gap, j + 16 in lit)
                self.p.setFont(self.mono)
            value = int(self.block[start + j])
            self._cell(high, f"{value >> 4:x}", "signs", "code", j + 16, j + 16 in lit)
            self._cell(low, f"{value & 15:x}", "codes", "code", j, j in lit)
        return y + 2 * (line + cell + gap) + box + 8

    def _line(self, x0: int, y0: int, x1: int, y1: int, lit: bool) -> None:
        assert self.p is not None
        c = palette.current()
        self.p.save()
        self.p.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.p.setPen(QPen(c.focus if lit else c.hatch, 2.5 if lit else 1.0))
        self.p.drawLine(x0, y0, x1, y1)
        self.p.restore()

    def _grid(self, y: int) -> int:
        """All weights as cells: the level, and the value where there is room."""
        assert self.c.parts is not None
        groups = self.c.parts.scales.shape[1]
        small = f" ({groups} small blocks of {self.type.weights // groups})" if groups > 1 else ""
        y = self._heading(y, f"The {self.type.weights} weights: level, value{small}")
        hands = "arrow keys walk, + and − count a code, digits type it" if blockedit.editable(self.type) else ""
        y = self._text(y, hands or "To be looked at: several weights share a code here.", muted=True) + 6
        columns = self.columns
        width, height = (self.width - 24) // columns, 2 * self.line + 6
        for w in range(self.type.weights):
            rect = QRect(12 + w % columns * width + 1, y + w // columns * height, width - 2, height - 2)
            self._weight(rect, w, (f"{float(self.c.parts.levels[0, w]):g}", self._value(w, width - 4)))
        return y + -(-self.type.weights // columns) * height + 4

    def _plain_float(self, y: int) -> int:
        exponent, fraction = blocks.FLOAT_BITS[self.type.name]
        text = f"{int.from_bytes(self.block.tobytes(), 'little'):0{self.type.nbytes * 8}b}"
        y = self._heading(y, "sign | exponent | fraction")
        y = self._text(y, f"{text[0]} | {text[1 : 1 + exponent]} | {text[1 + exponent :]}") + 6
        told = (f"sign {text[0]}, exponent {int(text[1 : 1 + exponent], 2)} − {2 ** (exponent - 1) - 1}, fraction "
                f"{int(text[1 + exponent :], 2)}/{2**fraction} = {number(float(self.c.values[0]), 9)}")
        return self._text(y, told)
