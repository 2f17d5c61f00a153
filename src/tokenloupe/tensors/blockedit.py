"""Which bits of a block make which weight, found by asking the decoder; and a block changed in memory.

Nothing about a layout is written down twice: one bit of an empty block is set, the block is decoded, and the weight
whose code changed is the one the bit belongs to. It works for every type with codes.

    >>> m = BitMap.of(blocks.by_name("Q4_0"))
    >>> m.weight[[16, 20]].tolist(), int(m.power[16])       # bit 0 of byte 2: weight 0; bit 4: weight 16
    ([0, 16], 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from . import blocks
from .blocktypes import BlockType, Bytes


@dataclass(frozen=True)
class BitMap:
    """weight, power: int (nbytes*8,): the weight a bit belongs to and what it adds to its code; -1 and 0 for bits that
    belong to no single code. touched: bool (nbytes, weights): whether a byte's bits reach a weight's level at all.
    """

    weight: NDArray[np.int64]
    power: NDArray[np.int64]
    touched: NDArray[np.bool_]

    @classmethod
    def of(cls, t: BlockType) -> BitMap:
        return _map(t)

    def bytes_of(self, weight: int) -> list[int]:
        """The bytes that hold bits of a weight's code; those that reach its level where codes are shared."""
        own = sorted({int(b) // 8 for b in np.flatnonzero(self.weight == weight)})
        return own or [int(b) for b in np.flatnonzero(self.touched[:, weight])]

    def weights_of(self, byte: int) -> list[int]:
        """The weights whose code or level a byte reaches."""
        return [int(w) for w in np.flatnonzero(self.touched[byte])]


@cache
def _map(t: BlockType) -> BitMap:
    probes = np.zeros((t.nbytes * 8 + 1, t.nbytes), np.uint8)
    bit = np.arange(t.nbytes * 8)
    probes[bit + 1, bit // 8] = np.left_shift(1, bit % 8)
    p = blocks.parts(t, probes)
    changed = p.levels[1:] != p.levels[0]
    weight = np.full(t.nbytes * 8, -1)
    power = np.zeros(t.nbytes * 8, np.int64)
    if p.codes is not None:
        added = p.codes[1:].astype(np.int64) - p.codes[0].astype(np.int64)
        single = np.count_nonzero(added, axis=1) == 1
        weight[single] = added[single].argmax(axis=1)
        power[single] = added[single].max(axis=1)
    return BitMap(weight, power, changed.reshape(t.nbytes, 8, t.weights).any(axis=1))


def with_code(t: BlockType, block: Bytes, weight: int, code: int) -> Bytes:
    """The block, uint8 (nbytes,), with another code for one weight."""
    bits = BitMap.of(t)
    out = block.copy()
    for bit in np.flatnonzero(bits.weight == weight):
        mask = np.uint8(1 << (int(bit) % 8))
        if code & int(bits.power[bit]):
            out[bit // 8] |= mask
        else:
            out[bit // 8] &= ~mask
    return out


def code_limit(t: BlockType, weight: int) -> int:
    """The largest code of a weight: 15 for 4 bits; 0 when its code is not its own."""
    bits = BitMap.of(t)
    return int(bits.power[bits.weight == weight].sum())


def with_value(t: BlockType, block: Bytes, weight: int, value: float) -> Bytes:
    """The block with the code whose value is nearest to the wanted one, scale unchanged."""
    top = code_limit(t, weight)
    if not top:
        return block
    choices = np.stack([with_code(t, block, weight, code) for code in range(top + 1)])
    got = blocks.dequantize(t, choices)[:, weight].astype(np.float64)
    distance = np.where(np.isfinite(got), np.abs(got - value), np.inf)
    nearest: Bytes = choices[int(distance.argmin())]
    return nearest


def with_next_value(t: BlockType, block: Bytes, weight: int, steps: int) -> Bytes:
    """The block with the code of the next larger value of a weight (steps > 0) or smaller; the same block at the end.

    Codes are not in the order of their values when the scale is negative, nor in the E2M1 types.
    """
    top = code_limit(t, weight)
    if not top or not steps:
        return block
    choices = np.stack([with_code(t, block, weight, code) for code in range(top + 1)])
    got = blocks.dequantize(t, choices)[:, weight]
    now = blocks.dequantize(t, block[None])[0, weight]
    with np.errstate(invalid="ignore"):
        beyond = np.unique(got[got > now] if steps > 0 else got[got < now])
    if not beyond.size:
        return block
    wanted = beyond[min(steps, beyond.size) - 1] if steps > 0 else beyond[max(steps, -beyond.size)]
    chosen: Bytes = choices[int(np.flatnonzero(got == wanted)[0])]
    return chosen


def with_half(block: Bytes, start: int, value: float) -> Bytes:
    """The block with another 16-bit float at byte `start`."""
    out = block.copy()
    with np.errstate(over="ignore"):
        out[start : start + 2] = np.frombuffer(np.float32(value).astype("<f2").tobytes(), np.uint8)
    return out


def with_byte(block: Bytes, index: int, value: int) -> Bytes:
    """The block with another byte."""
    out = block.copy()
    out[index] = value
    return out


def with_flipped(block: Bytes, bit: int) -> Bytes:
    """The block with bit `bit % 8` of byte `bit // 8` the other way round."""
    return with_byte(block, bit // 8, int(block[bit // 8]) ^ (1 << bit % 8))


def editable(t: BlockType) -> bool:
    """Whether a change can be followed weight by weight: each weight has a code of its own, or is a plain float."""
    return t.name in blocks.FLOAT_BITS or (t.unpack is not None and code_limit(t, 0) > 0)


class Draft:
    """A block that is changed in memory, with everything it was before. original, current: uint8 (nbytes,).

    >>> draft = Draft(np.zeros(2, np.uint8))
    >>> draft.change(with_byte(draft.current, 1, 7)), draft.undo(), draft.current.tolist(), draft.changed
    (True, True, [0, 0], False)
    """

    def __init__(self, block: Bytes) -> None:
        self.original: Bytes = np.array(block, np.uint8)
        self.current: Bytes = self.original.copy()
        self._before: list[Bytes] = []
        self._after: list[Bytes] = []

    @property
    def changed(self) -> bool:
        return not np.array_equal(self.current, self.original)

    @property
    def can_undo(self) -> bool:
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        return bool(self._after)

    def change(self, block: Bytes) -> bool:
        """Another content; False when it is the same. What was undone cannot be redone any more."""
        if np.array_equal(block, self.current):
            return False
        self._before.append(self.current)
        self._after.clear()
        self.current = np.array(block, np.uint8)
        return True

    def undo(self) -> bool:
        return self._step(self._before, self._after)

    def redo(self) -> bool:
        return self._step(self._after, self._before)

    def _step(self, source: list[Bytes], target: list[Bytes]) -> bool:
        if not source:
            return False
        target.append(self.current)
        self.current = source.pop()
        return True
