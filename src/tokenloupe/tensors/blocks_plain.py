"""Types of plain numbers: a "block" is one number. F16 and BF16 are shown taken apart into sign, exponent, fraction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import quantizers
from .blocktypes import BlockType, Bytes, Field, Floats, Parts, register


def _plain(name: str, number: int, kind: str, native: str, about: str, **more: object) -> BlockType:
    size = int(native[2:])
    return register(BlockType(name, number, 1, size, (Field("x", 0, kind, 1, "codes", about),), native=native,
                              formula="x", about=about, **more))  # type: ignore[arg-type]


F32 = _plain("F32", 0, "f32", "<f4", "32-bit float: 1 sign, 8 exponent, 23 fraction bits", quantize=quantizers.f32)
F16 = _plain("F16", 1, "f16", "<f2", "16-bit float: 1 sign, 5 exponent, 10 fraction bits", quantize=quantizers.f16)
#: numpy has no bfloat16: `decode` in blocks.py widens the 16 bits.
BF16 = _plain("BF16", 30, "bf16", "<u2", "bfloat16: the upper half of a 32-bit float", quantize=quantizers.bf16)
F64 = _plain("F64", 28, "f64", "<f8", "64-bit float")
I8 = _plain("I8", 24, "i8", "<i1", "8-bit integer")
I16 = _plain("I16", 25, "i16", "<i2", "16-bit integer")
I32 = _plain("I32", 26, "i32", "<i4", "32-bit integer")
I64 = _plain("I64", 27, "i64", "<i8", "64-bit integer")


def _small_float(exponent_bits: int, fraction_bits: int, bias: int, *, finite: bool) -> Floats:
    """The 256 values of an 8-bit float. finite: no infinities, only all ones is NaN (E4M3FN); otherwise as IEEE 754."""
    code = np.arange(256)
    exponent = (code >> fraction_bits) & ((1 << exponent_bits) - 1)
    fraction = (code & ((1 << fraction_bits) - 1)) / (1 << fraction_bits)
    value = np.where(exponent == 0, fraction * 2.0 ** (1 - bias), (1 + fraction) * 2.0 ** (exponent - bias))
    if finite:
        value[(code & 0x7F) == 0x7F] = np.nan
    else:
        value[exponent == (1 << exponent_bits) - 1] = np.inf
        value[(exponent == (1 << exponent_bits) - 1) & (fraction != 0)] = np.nan
    return np.where(code >= 128, -value, value).astype(np.float32)


def _looked_up(table: Floats) -> Callable[[Bytes], Parts]:
    one = np.ones((1, 1), np.float32)

    def unpack(blocks: Bytes) -> Parts:
        return Parts(table[blocks], np.broadcast_to(one, (len(blocks), 1)), codes=blocks)

    return unpack


def _extra(name: str, native: str, about: str) -> BlockType:
    size = np.dtype(native).itemsize
    return BlockType(name, -1, 1, size, native=native, formula="x", about=about)


_POWERS = np.append(np.ldexp(np.float32(1), np.arange(255) - 127), np.float32(np.nan)).astype(np.float32)

#: Types of plain numbers that safetensors and .npy have and GGML has not. Not in TYPES: they have no GGML number.
EXTRA = {t.name: t for t in (
    _extra("BOOL", "|u1", "one byte, 0 or 1"),
    _extra("U8", "|u1", "8-bit unsigned integer"),
    _extra("U16", "<u2", "16-bit unsigned integer"),
    _extra("U32", "<u4", "32-bit unsigned integer"),
    _extra("U64", "<u8", "64-bit unsigned integer"),
    _extra("C64", "<c8", "complex number of two 32-bit floats"),
    _extra("C128", "<c16", "complex number of two 64-bit floats"),
    BlockType("F8_E4M3", -1, 1, 1, unpack=_looked_up(_small_float(4, 3, 7, finite=True)), formula="x",
              about="8-bit float: 1 sign, 4 exponent, 3 fraction bits, no infinity (OCP FP8)"),
    BlockType("F8_E5M2", -1, 1, 1, unpack=_looked_up(_small_float(5, 2, 15, finite=False)), formula="x",
              about="8-bit float: 1 sign, 5 exponent, 2 fraction bits (OCP FP8)"),
    BlockType("F8_E8M0", -1, 1, 1, unpack=_looked_up(_POWERS), formula="x",
              about="a power of two: 2 to the (x - 127), 255 is NaN (OCP Microscaling)"),
)}
