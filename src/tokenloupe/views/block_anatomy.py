"""One block taken apart on one page, with hands: point, click or walk with the keys, and change a copy of it.

Pointing at a byte, a code or a weight lights all that belong together; what is clicked stays chosen while the pointer
goes elsewhere. Keys: the arrows walk over weights, scale bits and bytes; + and - count the chosen one, hex digits type
it, Space flips a bit; Ctrl+Z and Ctrl+Y undo and redo. The file is never written.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontInfo, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ..tensors import blockedit, blocks
from ..tensors.blockedit import BitMap, Draft
from ..tensors.blocktypes import BlockType, Bytes
from . import palette
from .block_page import HALF, Content, Marks, Page, number

#: What the keys can be on.
STOPS = ("weight", "bit", "byte")
UNDO, REDO = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo


class BlockAnatomy(QWidget):
    """edited(): the block was changed here. picked(int weight): a weight, a byte or a bit is looked at.

    walked(QRect): where the keys are now.
    """

    edited = Signal()
    picked = Signal(object)
    walked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cursor_on: tuple[str, int] = ("weight", 0)
        self.hover: tuple[str, int] | None = None
        self._weight, self._zoom = 0, 1.0
        self._spots: list[tuple[QRect, str, int]] = []
        self._height = 400
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Anatomy of a block")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_draft(blocks.by_name("Q4_0"), Draft(np.zeros(18, np.uint8)))

    # The block

    def set_block(self, t: BlockType, block: Bytes) -> None:
        """Look at another block, uint8 (nbytes,); a copy is kept."""
        self.set_draft(t, Draft(block))

    def set_draft(self, t: BlockType, draft: Draft) -> None:
        """Look at a block that may have been changed before; it goes on being changed in place."""
        self.type, self.draft = t, draft
        self._weight = min(self._weight, t.weights - 1)
        kind, index = self.cursor_on
        if kind != "weight" or index >= t.weights:
            self.cursor_on = ("weight", self._weight)
        self.hover = None
        self._unpack()

    @property
    def block(self) -> Bytes:
        return self.draft.current

    @property
    def changed(self) -> bool:
        return self.draft.changed

    @property
    def weight(self) -> int:
        """The weight that was chosen last; choosing one puts the keys on it."""
        return self._weight

    @weight.setter
    def weight(self, weight: int) -> None:
        self._choose("weight", max(0, min(self.type.weights - 1, weight)))

    def change(self, block: Bytes) -> None:
        """Another content of the same block: everything follows."""
        self._follow(self.draft.change(block))

    def undo(self) -> None:
        self._follow(self.draft.undo())

    def redo(self) -> None:
        self._follow(self.draft.redo())

    def restore(self) -> None:
        """Back to the bytes of the file; this too can be undone."""
        self.change(self.draft.original.copy())

    def _follow(self, changed: bool) -> None:
        if changed:
            self._unpack()
            self.edited.emit()

    def _unpack(self) -> None:
        self.content = Content.of(self.type, self.block)
        self.parts, self.values, self.numbers = self.content.parts, self.content.values, self.content.numbers
        self._layout_height()
        self._say()
        self.update()

    def code(self, weight: int) -> float:
        """The stored code of a weight, or its level where codes are shared or signed."""
        return self.content.code(weight)

    # In words

    @property
    def looked_at(self) -> tuple[str, int]:
        """What the pointer is on, else what the keys are on."""
        return self.hover or self.cursor_on

    def sentence(self) -> str:
        """How what is looked at comes out of its bytes, in one line."""
        kind, index = self.looked_at
        if kind == "byte":
            return self._of_byte(index)
        if kind == "bit":
            f = self.content.field_of(index // 8)
            bit = index - (f.start * 8 if f is not None else 0)
            told = f"Bit {bit} of {f.name if f is not None else 'the block'}, part of its {HALF[bit % 16]}"
            return f"{told}, is {int(self.block[index // 8]) >> index % 8 & 1}"
        return self._of_weight(index)

    def _of_byte(self, byte: int) -> str:
        f = self.content.field_of(byte)
        told = f"Byte {byte} is 0x{self.block[byte]:02x}"
        if f is None:
            return told
        told += f", part of {f.name} ({f.role})"
        weights = BitMap.of(self.type).weights_of(byte) if self.parts is not None else []
        if weights and len(weights) <= 8:
            return f"{told}: weight{'s' if len(weights) > 1 else ''} {', '.join(map(str, weights))}"
        return f"{told}: {f.about}" if f.about else told

    def _of_weight(self, w: int) -> str:
        p = self.parts
        if p is None or w >= self.type.weights:
            return self.type.about
        own = BitMap.of(self.type).bytes_of(w)
        where = ", ".join(f"byte {b} (0x{self.block[b]:02x})" for b in own[:4])
        group = w * p.scales.shape[1] // self.type.weights
        level, scale = float(p.levels[0, w]), float(p.scales[0, group])
        told = f"Weight {w}: {where}"
        if self.type.name in blocks.HALVES and len(own) and self.type.name not in ("Q5_0", "Q5_1"):
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
        self.picked.emit(self._weight)

    # Layout and painting

    def _marks(self) -> Marks:
        kind, index = self.looked_at
        if self.parts is None:
            return Marks(frozenset({index} if kind == "byte" else ()), frozenset(), self.cursor_on)
        bits = BitMap.of(self.type)
        if kind == "byte":
            return Marks(frozenset({index}), frozenset(bits.weights_of(index)), self.cursor_on)
        if kind == "bit":
            return Marks(frozenset({index // 8}), frozenset(), self.cursor_on)
        return Marks(frozenset(bits.bytes_of(index)), frozenset({index}), self.cursor_on)

    def set_zoom(self, zoom: float) -> None:
        """Text, cells and bits at a zoom of the widget's font."""
        self._zoom = zoom
        self._layout_height()
        self.update()

    def _page(self, painter: QPainter | None) -> Page:
        font = QFont(self.font())
        font.setPointSizeF(QFontInfo(font).pointSizeF() * self._zoom)
        return Page(self.content, self._marks(), self.width(), font, painter).walk()

    def _layout_height(self) -> None:
        page = self._page(None)
        self._spots, self._height = page.spots, page.height
        self.setFixedHeight(self._height)

    def sizeHint(self) -> QSize:
        return QSize(720, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(280, 200)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._layout_height()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._layout_height()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), palette.current().base)
            self._page(painter)

    # Hands

    def _at(self, pos: QPoint) -> tuple[str, int] | None:
        return next(((kind, index) for rect, kind, index in reversed(self._spots) if rect.contains(pos)), None)

    def _choose(self, kind: str, index: int) -> None:
        self.cursor_on = (kind, index)
        if kind == "weight":
            self._weight = index
        self._say()
        self.update()
        place = next((rect for rect, k, i in self._spots if (k, i) == (kind, index)), None)
        if place is not None:
            self.walked.emit(place)

    def _point(self, found: tuple[str, int] | None) -> None:
        hover = ("weight", found[1]) if found is not None and found[0] == "code" else found
        if hover != self.hover:
            self.hover = hover
            self._say()
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point(self._at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus()
        found = self._at(event.position().toPoint())
        if found is None or event.button() != Qt.MouseButton.LeftButton:
            return
        kind, index = found
        self._choose("weight" if kind == "code" else kind, index)
        if kind == "bit":
            self._flip(index)
        elif kind == "code":
            self.step_code(index, -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)

    def _flip(self, bit: int) -> None:
        if blockedit.editable(self.type):
            self.change(blockedit.with_flipped(self.block, bit))

    def step_code(self, weight: int, step: int) -> None:
        """The code of a weight one up or down, round the ends."""
        top = blockedit.code_limit(self.type, weight)
        if top and self.parts is not None and self.parts.codes is not None:
            code = (int(self.parts.codes[0, weight]) + step) % (top + 1)
            self._choose("weight", weight)
            self.change(blockedit.with_code(self.type, self.block, weight, code))

    def step_value(self, weight: int, step: int) -> None:
        """The code whose value is the next larger (or smaller) one; nothing at the ends."""
        self.change(blockedit.with_next_value(self.type, self.block, weight, step))

    def event(self, event: QEvent) -> bool:
        """Undo and redo are this widget's while it has the focus, not the window's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and (
                event.matches(UNDO) or event.matches(REDO)):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(UNDO):
            self.undo()
        elif event.matches(REDO):
            self.redo()
        elif event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier) or not (
                self._walked(Qt.Key(event.key())) or self._counted(Qt.Key(event.key()), event.text())):
            super().keyPressEvent(event)

    def _walked(self, key: Qt.Key) -> bool:
        """Left and right go along bytes, bits or weights; up and down to what lies nearest above or below."""
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home,
                       Qt.Key.Key_End):
            return False
        self.hover = None
        kind, index = self.cursor_on
        same = [(rect, i) for rect, k, i in self._spots if k == kind]
        if kind == "bit":
            order = [i for _, i in same]  # as drawn: the sign first
        else:
            order = sorted(i for _, i in same)
        here = next((rect for rect, i in same if i == index), None)
        if here is None:
            return bool(order)
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            found = _beyond(here, [s for s in self._spots if s[1] in STOPS], up=key == Qt.Key.Key_Up)
            if found is not None:
                self._choose(*found)
            return True
        at = order.index(index)
        to = {Qt.Key.Key_Left: at - 1, Qt.Key.Key_Right: at + 1, Qt.Key.Key_Home: 0}.get(key, len(order) - 1)
        self._choose(kind, order[max(0, min(len(order) - 1, to))])
        return True

    def _counted(self, key: Qt.Key, text: str) -> bool:
        """Keys that change what the keys are on; False for all others."""
        kind, index = self.cursor_on
        step = {Qt.Key.Key_Plus: 1, Qt.Key.Key_Equal: 1, Qt.Key.Key_Minus: -1}.get(key, 0)
        digit = int(text, 16) if len(text) == 1 and text in "0123456789abcdefABCDEF" else -1
        if not blockedit.editable(self.type):
            return False
        if kind == "bit":
            if key == Qt.Key.Key_Space or digit == 1 - (int(self.block[index // 8]) >> index % 8 & 1):
                self._flip(index)
            return key == Qt.Key.Key_Space or digit in (0, 1)
        if not step and digit < 0:
            return False
        if kind == "byte":  # typed digits move in from the right: two of them make the byte
            old = int(self.block[index])
            self.change(blockedit.with_byte(self.block, index, (old + step if step else old << 4 | digit) & 255))
        elif step:
            self.step_code(index, step)
        elif self.parts is not None and self.parts.codes is not None:
            top, old = blockedit.code_limit(self.type, index), int(self.parts.codes[0, index])
            code = digit if top < 16 else (old << 4 | digit) & top  # wide codes take two digits, as bytes do
            if code <= top:
                self.change(blockedit.with_code(self.type, self.block, index, code))
        return True


def _beyond(here: QRect, spots: list[tuple[QRect, str, int]], up: bool) -> tuple[str, int] | None:
    """What lies above (or below) a place: of the nearest row, the one nearest sideways."""
    beyond = [s for s in spots if (s[0].bottom() < here.top() if up else s[0].top() > here.bottom())]
    if not beyond:
        return None
    edge = max(s[0].bottom() for s in beyond) if up else min(s[0].top() for s in beyond)
    row = [s for s in beyond if (s[0].bottom() if up else s[0].top()) == edge]
    _, kind, index = min(row, key=lambda s: abs(s[0].center().x() - here.center().x()))
    return kind, index
