"""Which bits of a block make which weight, found by asking the decoder; and a block changed in memory.

Nothing about a layout is written down twice: one bit of an empty block is set, the block is decoded, and the weight
whose code changed is the one the bit belongs to. It works for every type with codes.

    >>> m = BitMap.of(by_name("Q4_0"))
    >>> m.weight[2 * 8], m.power[2 * 8], m.weight[2 * 8 + 4]        # bit 0 of byte 2: weight 0; bit 4: weight 16
    (0, 1, 16)
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


def with_half(block: Bytes, start: int, value: float) -> Bytes:
    """The block with another 16-bit float at byte `start`."""
    out = block.copy()
    with np.errstate(over="ignore"):
        out[start : start + 2] = np.frombuffer(np.float32(value).astype("<f2").tobytes(), np.uint8)
    return out
