"""One block taken apart on one page: its bytes, its scale bit by bit, its codes, and the weights they become.

Types with one nibble a weight and byte are drawn as they are built: each byte as two halves, with lines to the two
weights it holds. Other types show their bytes by field and their weights as a grid. Pointing at a byte, a code or a
weight lights all that belong together; what is clicked can be changed, in a copy that is never written to the file.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..tensors import blockedit, blocks
from ..tensors.blocktypes import BlockType, Bytes, Field
from . import palette

NIBBLES = ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "IQ4_NL", "MXFP4")
#: Fill of the palette's token colours by the role of a field.
FILLS = {"scale": 5, "minimum": 2, "codes": 0, "high bits": 1, "signs": 3, "other": 4}

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


class BlockAnatomy(QWidget):
    """edited(): the block was changed here. picked(int weight): a weight is looked at (-1: none)."""

    edited = Signal()
    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.type: BlockType = blocks.by_name("Q4_0")
        self.block: Bytes = np.zeros(18, np.uint8)
        self.original = self.block
        self.hover_byte, self.weight = -1, 0
        self._spots: list[tuple[QRect, str, int]] = []
        self._height = 400
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Anatomy of a block")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._unpack()

    # The block

    def set_block(self, t: BlockType, block: Bytes) -> None:
        """Look at another block, uint8 (nbytes,); a copy is kept."""
        self.type, self.block = t, np.array(block, np.uint8)
        self.original = self.block.copy()
        self.weight = min(self.weight, t.weights - 1)
        self.hover_byte = -1
        self._unpack()

    def change(self, block: Bytes) -> None:
        """Another content of the same block: everything follows."""
        if not np.array_equal(block, self.block):
            self.block = block
            self._unpack()
            self.edited.emit()

    def restore(self) -> None:
        self.change(self.original.copy())

    @property
    def changed(self) -> bool:
        return not np.array_equal(self.block, self.original)

    def _unpack(self) -> None:
        row = self.block[None]
        self.parts = blocks.parts(self.type, row) if self.type.unpack is not None else None
        self.values = blocks.decode(self.type, row)[0] if self.type.decodes else np.zeros(0, np.float32)
        self.numbers = blocks.numbers(self.type, row)
        self._layout_height()
        self._say()
        self.update()

    def code(self, weight: int) -> float:
        """The stored code of a weight, or its level where codes are shared or signed."""
        p = self.parts
        if p is None:
            return 0
        return float(p.levels[0, weight] if p.codes is None or self.type.name == "Q8_0" else p.codes[0, weight])

    def sentence(self) -> str:
        """How the weight that is looked at comes out of its bytes, in one line."""
        w, p = self.weight, self.parts
        if p is None or w >= self.type.weights:
            return self.type.about
        own = blockedit.BitMap.of(self.type).bytes_of(w)
        where = ", ".join(f"byte {b} (0x{self.block[b]:02x})" for b in own[:4])
        group = w * p.scales.shape[1] // self.type.weights
        level, scale = float(p.levels[0, w]), float(p.scales[0, group])
        told = f"Weight {w}: {where}"
        if self.type.name in NIBBLES and len(own) and self.type.name not in ("Q5_0", "Q5_1"):
            told += f", {'low' if w < 16 else 'high'} nibble {int(self.code(w)) & 15:x}"
        told += f" → q = {self.code(w):g}"
        if level != self.code(w):
            offset = self.code(w) - level
            centred = self.type.name in ("Q4_0", "Q5_0", "Q3_K", "Q6_K")
            told += f" → {self.code(w):g} − {offset:g} = {level:g}" if centred else f" → level {level:g}"
        told += f" → {level:g} × {number(scale, 6)}"
        if p.mins is not None:
            told += f" {'+' if self.type.adds_minimum else '−'} {number(float(p.mins[0, group]), 6)}"
        return f"{told} = {number(float(self.values[w]), 6)}"

    def _say(self) -> None:
        self.setAccessibleDescription(self.sentence())
        self.picked.emit(self.weight)

    # Layout and painting

    @property
    def _columns(self) -> int:
        return 16 if self.width() >= 760 else 8 if self.width() >= 400 else 4

    def _layout_height(self) -> None:
        self._paint(None)
        self.setFixedHeight(self._height)

    def sizeHint(self) -> QSize:
        return QSize(720, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 200)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._layout_height()
        super().resizeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), palette.current().base)
            self._paint(painter)

    def _paint(self, p: QPainter | None) -> None:
        """Draw everything; with None, only find where everything lies."""
        self._spots = []
        line = self.fontMetrics().height()
        y = self._text(p, 12, WHAT.get(self.type.name, f"{self.type.weights} weights in {self.type.nbytes} bytes: "
                                       f"{self.type.about}. Weight = {self.type.formula}."), line) + line // 2
        y = self._bytes(p, y, line)
        for f in self.type.fields:
            if f.kind == "f16" and f.count == 1:
                y = self._half(p, y, line, f)
        y = self._other_numbers(p, y, line)
        if self.type.name in NIBBLES:
            y = self._nibbles(p, y, line)
        elif self.parts is not None:
            y = self._grid(p, y, line)
        elif self.type.name in blocks.FLOAT_BITS:
            y = self._plain_float(p, y, line)
        self._height = y + 10

    def _text(self, p: QPainter | None, y: int, text: str, line: int, muted: bool = False) -> int:
        room = QRect(12, y, max(100, self.width() - 24), 1000)
        flags = int(Qt.TextFlag.TextWordWrap)
        used = self.fontMetrics().boundingRect(room, flags, text)
        if p is not None:
            p.setPen(palette.current().muted if muted else palette.current().text)
            p.setFont(self.font())
            p.drawText(room, flags, text)
        return y + used.height()

    def _heading(self, p: QPainter | None, y: int, line: int, text: str) -> int:
        font = self.font()
        font.setBold(True)
        room, flags = QRect(12, y + 4, max(100, self.width() - 24), 1000), int(Qt.TextFlag.TextWordWrap)
        used = QFontMetrics(font).boundingRect(room, flags, text)
        if p is not None:
            p.setFont(font)
            p.setPen(palette.current().text)
            p.drawText(room, flags, text)
        return y + used.height() + 8

    def _cell(self, p: QPainter | None, rect: QRect, text: str, fill: QColor | None, kind: str, index: int,
              lit: bool = False, chosen: bool = False) -> None:
        self._spots.append((rect, kind, index))
        if p is None:
            return
        c = palette.current()
        if fill is not None:
            p.fillRect(rect, fill)
        pen = QPen(c.focus if lit or chosen else c.border, 2 if lit or chosen else 1)
        p.setPen(pen)
        p.drawRect(rect.adjusted(0, 0, -1, -1))
        p.setPen(c.token_text if fill is not None else c.text)
        p.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def _field_of(self, byte: int) -> Field | None:
        return next((f for f in self.type.fields if f.start <= byte < f.end), None)

    def _fill(self, role: str) -> QColor:
        return palette.current().fill_of(FILLS[role])

    def _lit_bytes(self) -> set[int]:
        lit = {self.hover_byte} if self.hover_byte >= 0 else set()
        if self.parts is not None and self.hover_byte < 0:
            lit |= set(blockedit.BitMap.of(self.type).bytes_of(self.weight))
        return lit

    def _lit_weights(self) -> set[int]:
        if self.hover_byte >= 0 and self.parts is not None:
            return set(blockedit.BitMap.of(self.type).weights_of(self.hover_byte))
        return {self.weight}

    def _bytes(self, p: QPainter | None, y: int, line: int) -> int:
        y = self._heading(p, y, line, f"The {self.type.nbytes} bytes in the file")
        mono = palette.mono_font(size=9.5)
        if p is not None:
            p.setFont(mono)
        width, height = 27, line + 8
        per_row = max(4, min(self.type.nbytes, (self.width() - 24) // width))
        lit = self._lit_bytes()
        for b in range(self.type.nbytes):
            f = self._field_of(b)
            rect = QRect(12 + b % per_row * width, y + b // per_row * height, width, height)
            self._cell(p, rect, f"{self.block[b]:02x}", self._fill(f.role) if f else None, "byte", b, b in lit)
        y += -(-self.type.nbytes // per_row) * height + 4
        x = 12
        if p is not None:
            p.setFont(palette.small_font(self.font()))
        for f in self.type.fields:  # legend
            text = f"{f.name}: {f.role}, {f.nbytes} byte{'s' if f.nbytes > 1 else ''}"
            need = self.fontMetrics().horizontalAdvance(text) + 26
            if x + need > self.width() and x > 12:
                x, y = 12, y + line + 2
            if p is not None:
                p.fillRect(QRect(x, y + 3, 11, 11), self._fill(f.role))
                p.setPen(palette.current().muted)
                p.drawText(x + 16, y + line - 4, text)
            x += need
        return y + line + 10

    def _half(self, p: QPainter | None, y: int, line: int, f: Field) -> int:
        """A 16-bit float as its bits, with the arithmetic written out."""
        bits = int(self.block[f.start]) | int(self.block[f.start + 1]) << 8
        name = "scale" if f.role == "scale" else "minimum"
        y = self._heading(
            p,
            y,
            line,
            f"The {name} {f.name}: bytes {self.block[f.start]:02x} {self.block[f.start + 1]:02x}"
            f" read backwards are 0x{bits:04x}, a 16-bit float",
        )
        if p is not None:
            p.setFont(palette.mono_font(size=9.5))
        width = min(24, (self.width() - 24 - 16) // 16)
        x = 12
        for i in range(16):
            bit = 15 - i
            x += 8 if i in (1, 6) else 0
            role = "minimum" if i == 0 else "scale" if i < 6 else "codes"
            self._cell(
                p, QRect(x, y, width, line + 6), str(bits >> bit & 1), self._fill(role), "bit", f.start * 8 + bit
            )
            if p is not None and i in (0, 1, 6):
                p.save()
                p.setFont(palette.small_font(self.font()))
                p.setPen(palette.current().muted)
                p.drawText(x, y + 2 * line + 6, {0: "sign", 1: "exponent", 6: "fraction"}[i])
                p.restore()
            x += width
        y += 2 * line + 12
        sign, exponent, fraction = bits >> 15, bits >> 10 & 31, bits & 1023
        value = float(np.array([bits], np.uint16).view(np.float16)[0])
        minus = "−" if sign else ""
        if exponent == 31:
            told = "an exponent of all ones: " + ("infinity" if fraction == 0 else "not a number (NaN)")
        elif exponent == 0:
            told = f"{minus}{fraction}/1024 × 2^−14 (exponent 0: subnormal) = {number(value, 7)}"
        else:
            told = f"{minus}(1 + {fraction}/1024) × 2^({exponent} − 15) = {number(value, 7)}"
        return self._text(p, y, f"{f.name} = {told}", line) + 10

    def _other_numbers(self, p: QPainter | None, y: int, line: int) -> int:
        """Scales and minima that are packed in fewer bits, unpacked."""
        halves = {f.name for f in self.type.fields if f.kind == "f16"}
        for name, column in self.numbers.items():
            if name in halves or name in ("x", "sign", "exponent", "fraction"):
                continue
            shown = " ".join(number(float(v)) for v in np.atleast_1d(column[0]))
            y = self._text(p, y, f"{name} = {shown}", line) + 6
        return y

    def _value_cell(self, p: QPainter | None, x: int, y: int, width: int, line: int, w: int, lit: bool) -> None:
        rect = QRect(x + 1, y, width - 2, 3 * line + 4)
        self._spots.append((rect, "weight", w))
        if p is None or self.parts is None:
            return
        c = palette.current()
        level = float(self.parts.levels[0, w])
        fill = palette.level_colour(c, level, *self.type.level_range)
        p.fillRect(rect, fill)
        p.setPen(QPen(c.focus if lit else c.border, 2 if lit else 1))
        p.drawRect(rect.adjusted(0, 0, -1, -1))
        p.setPen(palette.ink_on(fill))
        code = self.code(w)
        rows = (f"q {code:g}", f"{level:+g}" if level != code else "", number(float(self.values[w]), 3))
        for i, text in enumerate(r for r in rows if r):
            p.drawText(
                QRect(rect.left(), rect.top() + 2 + i * line, rect.width(), line), Qt.AlignmentFlag.AlignCenter, text
            )

    def _nibbles(self, p: QPainter | None, y: int, line: int) -> int:
        """Bands of bytes split into halves; the low half leads up to its weight, the high half down."""
        y = self._heading(p, y, line, "Each byte holds two codes: low nibble = weight j (above), "
                                      "high nibble = weight j+16 (below)")
        formula = self.type.formula.replace(" - ", " − ").replace("*", "×")
        middle_row = "q − 8, " if self.type.name == "Q4_0" else "q − 16, " if self.type.name == "Q5_0" else ""
        y = (
            self._text(
                p,
                y,
                f"In each weight: the code q, {middle_row}and the value {formula}. Click a nibble to "
                "count it up (with Shift down), a bit of the scale to flip it: the rest follows, and the file "
                "stays as it is.",
                line,
                muted=True,
            )
            + 6
        )
        codes = next(f for f in self.type.fields if f.name == "qs")
        columns = self._columns
        width = (self.width() - 24) // columns
        lit = self._lit_weights()
        cell, gap, box = 3 * line + 4, 22, line + 8
        for band in range(16 // columns):
            mono = palette.mono_font(size=9.0)
            for k in range(columns):
                j = band * columns + k
                byte = codes.start + j
                x = 12 + k * width
                if p is not None:
                    p.setFont(palette.small_font(self.font(), 0.82))
                    p.setPen(palette.current().muted)
                    p.drawText(QRect(x, y, width, line), Qt.AlignmentFlag.AlignCenter, str(j))
                    p.drawText(
                        QRect(x, y + 2 * (line + cell + gap) + box - line, width, line),
                        Qt.AlignmentFlag.AlignCenter,
                        str(j + 16),
                    )
                    p.setFont(palette.mono_font(size=8.5))
                top, middle = y + line, y + line + cell + gap
                self._value_cell(p, x, top, width, line, j, j in lit)
                self._value_cell(p, x, middle + box + gap, width, line, j + 16, j + 16 in lit)
                half = (width - 6) // 2
                high, low = QRect(x + 3, middle, half, box), QRect(x + 3 + half, middle, half, box)
                if p is not None:
                    self._line(p, low.center().x(), middle, x + width // 2, top + cell, j in lit)
                    self._line(p, high.center().x(), middle + box, x + width // 2, middle + box + gap, j + 16 in lit)
                    p.setFont(mono)
                value = int(self.block[byte])
                self._cell(p, high, f"{value >> 4:x}", self._fill("signs"), "code", j + 16, j + 16 in lit)
                self._cell(p, low, f"{value & 15:x}", self._fill("codes"), "code", j, j in lit)
            y += 2 * (line + cell + gap) + box + 8
        return y

    def _line(self, p: QPainter, x0: int, y0: int, x1: int, y1: int, lit: bool) -> None:
        c = palette.current()
        p.save()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(c.focus if lit else c.hatch, 2.5 if lit else 1.0))
        p.drawLine(x0, y0, x1, y1)
        p.restore()

    def _grid(self, p: QPainter | None, y: int, line: int) -> int:
        """All weights as cells: the level, and the value where there is room."""
        assert self.parts is not None
        groups = self.parts.scales.shape[1]
        y = self._heading(
            p,
            y,
            line,
            f"The {self.type.weights} weights: level, value"
            + (f" ({groups} small blocks of {self.type.weights // groups})" if groups > 1 else ""),
        )
        columns = self._columns
        width, height = (self.width() - 24) // columns, 2 * line + 4
        lit = self._lit_weights()
        for w in range(self.type.weights):
            rect = QRect(12 + w % columns * width + 1, y + w // columns * height, width - 2, height - 2)
            self._spots.append((rect, "weight", w))
            if p is None:
                continue
            c = palette.current()
            level = float(self.parts.levels[0, w])
            fill = palette.level_colour(c, level, *self.type.level_range)
            p.fillRect(rect, fill)
            p.setPen(QPen(c.focus if w in lit else c.border, 2 if w in lit else 1))
            p.drawRect(rect.adjusted(0, 0, -1, -1))
            p.setPen(palette.ink_on(fill))
            p.setFont(palette.mono_font(size=8.5))
            p.drawText(rect.adjusted(0, 1, 0, -line), Qt.AlignmentFlag.AlignCenter, f"{level:g}")
            p.drawText(rect.adjusted(0, line, 0, -1), Qt.AlignmentFlag.AlignCenter, number(float(self.values[w]), 3))
        return y + -(-self.type.weights // columns) * height + 4

    def _plain_float(self, p: QPainter | None, y: int, line: int) -> int:
        exponent, fraction = blocks.FLOAT_BITS[self.type.name]
        bits = int.from_bytes(self.block.tobytes(), "little")
        text = f"{bits:0{self.type.nbytes * 8}b}"
        y = self._heading(p, y, line, "sign | exponent | fraction")
        y = self._text(p, y, f"{text[0]} | {text[1 : 1 + exponent]} | {text[1 + exponent :]}", line) + 6
        told = (f"sign {text[0]}, exponent {int(text[1 : 1 + exponent], 2)} − {2 ** (exponent - 1) - 1}, fraction "
                f"{int(text[1 + exponent :], 2)}/{2**fraction} = {number(float(self.values[0]), 9)}")
        return self._text(p, y, told, line)

    # Hands

    def _at(self, pos: QPoint) -> tuple[str, int]:
        return next(((kind, index) for rect, kind, index in reversed(self._spots) if rect.contains(pos)), ("", -1))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        kind, index = self._at(event.position().toPoint())
        byte = index if kind == "byte" else -1
        weight = index if kind in ("weight", "code") else self.weight
        if (byte, weight) != (self.hover_byte, self.weight):
            self.hover_byte, self.weight = byte, weight
            self._say()
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus()
        kind, index = self._at(event.position().toPoint())
        if kind == "bit":
            block = self.block.copy()
            block[index // 8] ^= np.uint8(1 << index % 8)
            self.change(block)
        elif kind in ("code", "weight") and event.button() == Qt.MouseButton.LeftButton and kind == "code":
            step = -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self.step_code(index, step)

    def step_code(self, weight: int, step: int) -> None:
        """The code of a weight one up or down, round the ends."""
        top = blockedit.code_limit(self.type, weight)
        if top and self.parts is not None and self.parts.codes is not None:
            code = (int(self.parts.codes[0, weight]) + step) % (top + 1)
            self.weight = weight
            self.change(blockedit.with_code(self.type, self.block, weight, code))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        columns = self._columns
        moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -columns, Qt.Key.Key_Down: columns}
        steps = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Minus: -1}
        if key in moves:
            self.hover_byte = -1
            self.weight = max(0, min(self.type.weights - 1, self.weight + moves[Qt.Key(key)]))
            self._say()
            self.update()
        elif key in steps:
            self.step_code(self.weight, steps[Qt.Key(key)])
        elif event.text() and event.text() in "0123456789abcdef" and blockedit.code_limit(self.type, self.weight) == 15:
            self.change(blockedit.with_code(self.type, self.block, self.weight, int(event.text(), 16)))
        else:
            super().keyPressEvent(event)


