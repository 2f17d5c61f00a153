"""Blocks of every GGML type to numbers and back.

    >>> import numpy as np
    >>> block = bytes.fromhex("0038") + bytes([0x19]) * 16      # d = 0.5, low nibbles 9, high nibbles 1
    >>> dequantize("Q4_0", block)[0, [0, 16]].tolist()           # (9 - 8) * 0.5, (1 - 8) * 0.5
    [0.5, -3.5]

All work goes through chunks of 65,536 weights, so temporaries stay in the processor's cache and never grow with the
tensor. Values equal gguf 0.19's bit for bit; what is known to differ from C builds is in quantizers.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from . import blocks_codebook, blocks_k, blocks_legacy, blocks_plain  # noqa: F401  each registers its types
from .blocktypes import KINDS, TYPES, BlockType, Bytes, Floats, Parts

__all__ = ["REMOVED", "TYPES", "BlockType", "by_id", "by_name", "chunks", "decode", "dequantize", "numbers", "parts",
           "quantize",
           "split_blocks", "swap_bytes"]

#: Weights a chunk: 256 KB of float32.
CHUNK = 65536

#: Type numbers that GGML has withdrawn; files with them need their old program.
REMOVED = {4: "Q4_2", 5: "Q4_3", 31: "Q4_0_4_4", 32: "Q4_0_4_8", 33: "Q4_0_8_8", 36: "IQ4_NL_4_4", 37: "IQ4_NL_4_8",
           38: "IQ4_NL_8_8"}

_BY_NAME = {t.name: t for t in TYPES}
_BY_ID = {t.id: t for t in TYPES}


def by_name(name: str) -> BlockType:
    """The type called `name`, in any case. InputError lists the names."""
    try:
        return _BY_NAME[name.upper()]
    except KeyError:
        raise InputError(f"{name!r} is no GGML type", todo=f"known are {' '.join(sorted(_BY_NAME))}") from None


def by_id(number: int) -> BlockType | None:
    """The type with this number in GGUF files, or None."""
    return _BY_ID.get(number)


def split_blocks(block_type: BlockType, data: Any) -> Bytes:
    """Any buffer or array as uint8 (n, nbytes), uncopied where contiguous. InputError when it does not divide."""
    flat = data if isinstance(data, np.ndarray) else np.frombuffer(data, np.uint8)
    if flat.dtype != np.uint8:
        flat = np.ascontiguousarray(flat).view(np.uint8)
    if flat.size % block_type.nbytes:
        raise InputError(
            f"{flat.size} bytes are not a whole number of {block_type.name} blocks of {block_type.nbytes} bytes",
            todo="check the type and the range",
        )
    return flat.reshape(-1, block_type.nbytes)


def chunks(block_type: BlockType, n: int) -> Iterator[slice]:
    """Slices of blocks of about CHUNK weights."""
    step = max(1, CHUNK // block_type.weights)
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def _known(block_type: BlockType | str) -> BlockType:
    return by_name(block_type) if isinstance(block_type, str) else block_type


def parts(block_type: BlockType | str, data: Any) -> Parts:
    """Blocks taken apart, all at once: for a screenful, not for a tensor (see `chunks`)."""
    t = _known(block_type)
    if t.unpack is None:
        raise InputError(
            f"{t.name} has no blocks to take apart", todo="its values are plain numbers" if t.native else ""
        )
    with np.errstate(invalid="ignore", over="ignore"):
        return t.unpack(split_blocks(t, data))


def numbers(block_type: BlockType | str, data: Any) -> dict[str, NDArray[Any]]:
    """What blocks hold beside their codes, by name: "d" float32 (n,), "scales" (n, 16), .. A plain number is "x"; a
    float has "sign", "exponent" and "fraction" beside it, as stored.

        >>> numbers("F16", b"\\x00\\x3c")["exponent"].tolist()         # 1.0 is 2 to the (15 - 15)
        [15]
    """
    t = _known(block_type)
    data = split_blocks(t, data)
    if t.native:
        return {"x": decode(t, data)[:, 0], **_taken_apart(t, data)}
    if t.numbers is not None:
        return dict(t.numbers(data))
    found: dict[str, NDArray[Any]] = {}
    for field in t.fields:
        if field.role in ("scale", "minimum"):
            column = np.ascontiguousarray(data[:, field.start : field.end]).view(KINDS[field.kind])
            column = column.astype(np.float32) if field.kind == "f16" else column
            found[field.name] = column[:, 0] if field.count == 1 else column
    return found


#: Exponent and fraction bits of the float types.
FLOAT_BITS = {"F32": (8, 23), "F16": (5, 10), "BF16": (8, 7), "F64": (11, 52)}
#: Types whose byte j of `qs` holds weight j in its low half and weight j + 16 in its high half.
HALVES = frozenset({"Q4_0", "Q4_1", "Q5_0", "Q5_1", "IQ4_NL", "MXFP4"})


def _taken_apart(t: BlockType, data: Bytes) -> dict[str, NDArray[Any]]:
    if t.name not in FLOAT_BITS:
        return {}
    exponent, fraction = FLOAT_BITS[t.name]
    bits = np.ascontiguousarray(data).view(f"<u{t.nbytes}")[:, 0].astype(np.uint64)
    one = np.uint64(1)
    return {
        "sign": bits >> np.uint64(exponent + fraction),
        "exponent": (bits >> np.uint64(fraction)) & ((one << np.uint64(exponent)) - one),
        "fraction": bits & ((one << np.uint64(fraction)) - one),
    }


def _combine(t: BlockType, p: Parts, out: Floats) -> None:
    """scales * levels (+ or - mins) into out, (n, weights) contiguous."""
    flat, width = out.reshape(-1), t.weights // p.scales.shape[1]
    np.copyto(out, p.levels)
    # Repeated to full length first: numpy broadcasts a number over 16 or 32 neighbours more slowly than it copies it.
    np.multiply(np.repeat(p.scales.reshape(-1), width), flat, out=flat)
    if p.mins is not None:
        (np.add if t.adds_minimum else np.subtract)(flat, np.repeat(p.mins.reshape(-1), width), out=flat)


def dequantize(block_type: BlockType | str, data: Any, out: Floats | None = None) -> Floats:
    """float32 (n, weights) of n blocks. data: bytes, a buffer or an array. F32, F16 and BF16 give (n, 1).

    InputError for a type that cannot be decoded or a length that is no whole number of blocks.
    """
    t = _known(block_type)
    blocks = split_blocks(t, data)
    if out is None:
        out = np.empty((len(blocks), t.weights), np.float32)
    if t.native:
        with np.errstate(over="ignore", invalid="ignore"):  # a float64 beyond float32 is infinite
            np.copyto(out, decode(t, blocks), casting="unsafe")
        return out
    if t.unpack is None:
        raise InputError(f"{t.name} blocks cannot be decoded ({t.about})", todo="look at their bytes instead")
    with np.errstate(invalid="ignore", over="ignore"):
        for piece in chunks(t, len(blocks)):
            _combine(t, t.unpack(blocks[piece]), out[piece])
    return out


def decode(block_type: BlockType | str, data: Any) -> NDArray[Any]:
    """Like dequantize, in the type's own precision: float64 and integers stay what they are."""
    t = _known(block_type)
    blocks = split_blocks(t, data)
    if not t.native:
        return dequantize(t, blocks)
    numbers = np.ascontiguousarray(blocks).view(t.native)
    if t.name == "BF16":
        return (numbers.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return numbers


def quantize(block_type: BlockType | str, values: NDArray[Any]) -> Bytes:
    """Blocks uint8 (n, nbytes) of float values, whose rows (last axis) must be whole numbers of blocks.

    InputError for a type without an exact reference to follow, or a row that does not divide.
    """
    t = _known(block_type)
    if t.quantize is None:
        raise InputError(f"quantising to {t.name} is not offered",
                         todo=f"offered are {' '.join(x.name for x in TYPES if x.quantize)}")
    row = values.shape[-1] if values.ndim else 0
    if row % t.weights or values.ndim == 0:
        raise InputError(f"a row of {row} values is not a whole number of {t.name} blocks of {t.weights}",
                         todo="choose another type or tensor")
    flat = values.reshape(-1, t.weights)
    out = np.empty((len(flat), t.nbytes), np.uint8)
    for piece in chunks(t, len(flat)):
        out[piece] = t.quantize(np.ascontiguousarray(flat[piece], np.float32))
    return out


def swap_bytes(t: BlockType, blocks: Bytes) -> Bytes:
    """Blocks of a big-endian file as a little-endian file has them: every field of more than one byte is turned."""
    swapped = np.array(blocks)
    for field in t.fields:
        if field.item > 1:
            numbers = np.ascontiguousarray(blocks[:, field.start : field.end]).view(KINDS[field.kind])
            swapped[:, field.start : field.end] = numbers.byteswap().view(np.uint8)
    return swapped
