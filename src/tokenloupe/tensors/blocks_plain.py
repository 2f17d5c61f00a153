"""Types of plain numbers: a "block" is one number. F16 and BF16 are shown taken apart into sign, exponent, fraction."""

from __future__ import annotations

from . import quantizers
from .blocktypes import BlockType, Field, register


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
