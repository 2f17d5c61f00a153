"""What a GGML block type is, and the one list that every type puts itself into.

A quantised tensor is a run of equal blocks. Each block holds `weights` numbers in `nbytes` bytes: one or more scales
and small integer codes. Every type here is described by the same three steps, so that one driver decodes them all and
one view takes them apart:

    codes   the small integers as stored                     Q4_0: 0 .. 15
    levels  what the scale multiplies, one a weight           Q4_0: code - 8
    value = scale of the weight's group * level (+ or - the minimum of the group)

Sources: ggml's block structs and dequantisers (ggml-common.h, ggml-quants.c, MIT licence); the reference in the tests
is gguf 0.19, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

#: Element kinds of a field, with the numpy type of one element (little-endian, as in a little-endian file).
KINDS = {"u8": "u1", "i8": "i1", "u16": "<u2", "u32": "<u4", "f16": "<f2", "bf16": "<u2", "f32": "<f4", "f64": "<f8",
         "i16": "<i2", "i32": "<i4", "i64": "<i8"}


@dataclass(frozen=True, slots=True)
class Field:
    """A run of bytes inside a block: `count` elements of `kind` (a key of KINDS) from byte `start`.

    role: what a view may colour it by. about: one line for somebody who has never seen the type.
    """

    name: str
    start: int
    kind: str
    count: int = 1
    role: Literal["scale", "minimum", "codes", "high bits", "signs", "other"] = "other"
    about: str = ""

    @property
    def item(self) -> int:
        """Bytes of one element."""
        return np.dtype(KINDS[self.kind]).itemsize

    @property
    def nbytes(self) -> int:
        return self.item * self.count

    @property
    def end(self) -> int:
        return self.start + self.nbytes


@dataclass(frozen=True, slots=True)
class Parts:
    """n blocks taken apart; value = scales * levels, then + or - mins (see BlockType.adds_minimum).

    levels: int8 or float32 (n, weights). scales, mins: float32 (n, groups), one for weights/groups neighbours.
    codes: uint8 (n, weights), the stored small integers; None where a code stands for several weights (IQ grids).
    """

    levels: NDArray[np.int8] | Floats
    scales: Floats
    mins: Floats | None = None
    codes: NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class BlockType:
    """A GGML type. id: its number in GGUF files. weights a block, nbytes a block.

    unpack(blocks uint8 (n, nbytes)) -> Parts; None for a type that can be shown as bytes only.
    numbers(blocks) -> the block's own numbers by name (d, dmin, scales ..), each (n,) or (n, k); None: as in `fields`.
    quantize(values float32 (n, weights)) -> uint8 (n, nbytes); None where there is no exact reference to follow.
    native: numpy type of a type of plain numbers ("<f4", "<i2", ..), else "".
    level_range: smallest and largest level, (-8, 7) for Q4_0; (0, 0) for plain numbers.
    """

    name: str
    id: int
    weights: int
    nbytes: int
    fields: tuple[Field, ...] = ()
    unpack: Callable[[Bytes], Parts] | None = None
    numbers: Callable[[Bytes], dict[str, NDArray[np.generic]]] | None = None
    quantize: Callable[[Floats], Bytes] | None = None
    adds_minimum: bool = False
    native: str = ""
    formula: str = ""
    level_range: tuple[int, int] = (0, 0)
    about: str = ""

    @property
    def bits_per_weight(self) -> float:
        """Bits of file a weight costs, scales included: 4.5 for Q4_0."""
        return self.nbytes * 8 / self.weights

    @property
    def decodes(self) -> bool:
        return self.unpack is not None or self.native != ""


#: Every type, in the order in which the families below blocks.py put themselves in.
TYPES: list[BlockType] = []


def register(block_type: BlockType) -> BlockType:
    """Add a type to the one list. ValueError when its name or number is taken or its fields do not fill the block."""
    for other in TYPES:
        if other.name == block_type.name or other.id == block_type.id:
            raise ValueError(f"{block_type.name} ({block_type.id}) collides with {other.name} ({other.id})")
    if block_type.fields:
        covered = sum(f.nbytes for f in block_type.fields)
        if covered != block_type.nbytes:
            raise ValueError(f"{block_type.name}: the fields cover {covered} of {block_type.nbytes} bytes")
    TYPES.append(block_type)
    return block_type


def take(blocks: Bytes, start: int, length: int) -> Bytes:
    """Bytes start:start+length of every block, contiguous (n, length).

    The bytes move as one element a block (a void of that length), 5 times faster than a copy of a strided slice.
    """
    n, size = blocks.shape
    if not blocks.flags.c_contiguous:
        blocks = np.ascontiguousarray(blocks)
    element = np.dtype({"names": ["x"], "formats": [f"V{length}"], "offsets": [start], "itemsize": size})
    # A field of a structured array is a view; the copy makes it contiguous.
    return np.ascontiguousarray(blocks.reshape(-1).view(element)["x"]).view(np.uint8).reshape(n, length)


def half(blocks: Bytes, start: int) -> Floats:
    """The float16 at byte `start` of every block as float32 (n, 1)."""
    return take(blocks, start, 2).view("<f2").astype(np.float32)


def nibbles(packed: Bytes) -> Bytes:
    """16 bytes a block -> 32 nibbles a block: the low ones are weights 0-15, the high ones 16-31.

        >>> nibbles(np.arange(16, dtype=np.uint8).reshape(1, 16) | 0x30)[0].tolist()[:2]
        [0, 1]
    """
    return shifts(packed[:, None, :], 0, 4, mask=15).reshape(len(packed), 2 * packed.shape[1])


def shift_bytes(values: Bytes, amount: int, mask: int) -> Bytes:
    """(values >> amount) & mask of a contiguous array; amount < 0 shifts left. Eight bytes at a time: numpy shifts
    words ten times faster than bytes, and the mask clears what came from the neighbour."""
    flat = np.ascontiguousarray(values).reshape(-1)
    if flat.size % 8:
        flat = np.concatenate([flat, np.zeros(-flat.size % 8, np.uint8)])
    words = flat.view(np.uint64)
    moved = np.left_shift(words, np.uint64(-amount)) if amount < 0 else np.right_shift(words, np.uint64(amount))
    moved &= np.uint64(mask * 0x0101010101010101)
    return moved.view(np.uint8)[: values.size].reshape(values.shape)


def shifts(packed: Bytes, *amounts: int, mask: int) -> Bytes:
    """(n, k, w) bytes -> (n, k, len(amounts), w): each byte shifted right by each amount and masked."""
    n, k, width = packed.shape
    out = np.empty((n, k, len(amounts), width), np.uint8)
    whole = out.reshape(-1).view(f"V{width}")  # w bytes move as one element
    for i, amount in enumerate(amounts):
        whole[i :: len(amounts)] = shift_bytes(packed, amount, mask).reshape(-1).view(f"V{width}")
    return out
