"""Q4_0 and its siblings: 32 weights share one float16 scale.

Q4_0, 18 bytes: the scale d, then 16 bytes of two 4-bit codes each. Byte j holds weight j in its low nibble and weight
j+16 in its high nibble; a weight is (code - 8) * d. Q4_1 and Q5_1 add a minimum m: code * d + m. The fifth bits of Q5
are 32 bits of their own. Q8_0 is one signed byte a weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import quantizers
from .blocktypes import BlockType, Bytes, Field, Parts, half, nibbles, register, shift_bytes, take

D = "the scale of the block, a 16-bit float: every level is multiplied by it"
M = "the minimum of the block, a 16-bit float: it is added to every weight"


def _signed(codes: Bytes, middle: int) -> NDArray[np.int8]:
    """codes - middle as int8, without a wider temporary."""
    return np.subtract(codes.view(np.int8), np.int8(middle))


def _q4_0(blocks: Bytes) -> Parts:
    codes = nibbles(take(blocks, 2, 16))
    return Parts(_signed(codes, 8), half(blocks, 0), codes=codes)


def _q4_1(blocks: Bytes) -> Parts:
    codes = nibbles(take(blocks, 4, 16))
    return Parts(codes.view(np.int8), half(blocks, 0), half(blocks, 2), codes=codes)


def _fifth_bits(codes: Bytes, packed: Bytes) -> Bytes:
    """Nibbles with bit 4 of weight i taken from bit i of 32 little-endian bits."""
    bits = np.unpackbits(packed, axis=1, bitorder="little")
    return np.bitwise_or(codes, shift_bytes(bits, -4, 0xF0), out=codes)


def _q5_0(blocks: Bytes) -> Parts:
    codes = _fifth_bits(nibbles(take(blocks, 6, 16)), take(blocks, 2, 4))
    return Parts(_signed(codes, 16), half(blocks, 0), codes=codes)


def _q5_1(blocks: Bytes) -> Parts:
    codes = _fifth_bits(nibbles(take(blocks, 8, 16)), take(blocks, 4, 4))
    return Parts(codes.view(np.int8), half(blocks, 0), half(blocks, 2), codes=codes)


def _q8_0(blocks: Bytes) -> Parts:
    codes = take(blocks, 2, 32)
    return Parts(codes.view(np.int8), half(blocks, 0), codes=codes)


Q4_0 = register(BlockType(
    "Q4_0", 2, 32, 18,
    (Field("d", 0, "f16", 1, "scale", D),
     Field("qs", 2, "u8", 16, "codes", "byte j: low nibble = weight j, high nibble = weight j+16")),
    unpack=_q4_0, quantize=quantizers.q4_0, level_range=(-8, 7), formula="(q - 8) * d",
    about="4-bit codes around zero: 32 weights, one scale, 4.5 bits a weight"))
Q4_1 = register(BlockType(
    "Q4_1", 3, 32, 20,
    (Field("d", 0, "f16", 1, "scale", D), Field("m", 2, "f16", 1, "minimum", M),
     Field("qs", 4, "u8", 16, "codes", "byte j: low nibble = weight j, high nibble = weight j+16")),
    unpack=_q4_1, quantize=quantizers.q4_1, adds_minimum=True, level_range=(0, 15), formula="q * d + m",
    about="4-bit codes above a minimum: 32 weights, scale and minimum, 5 bits a weight"))
Q5_0 = register(BlockType(
    "Q5_0", 6, 32, 22,
    (Field("d", 0, "f16", 1, "scale", D),
     Field("qh", 2, "u32", 1, "high bits", "bit i is the fifth bit of weight i"),
     Field("qs", 6, "u8", 16, "codes", "byte j: low nibble = weight j, high nibble = weight j+16")),
    unpack=_q5_0, quantize=quantizers.q5_0, level_range=(-16, 15), formula="(q - 16) * d",
    about="5-bit codes around zero: the fifth bits are stored apart, 5.5 bits a weight"))
Q5_1 = register(BlockType(
    "Q5_1", 7, 32, 24,
    (Field("d", 0, "f16", 1, "scale", D), Field("m", 2, "f16", 1, "minimum", M),
     Field("qh", 4, "u32", 1, "high bits", "bit i is the fifth bit of weight i"),
     Field("qs", 8, "u8", 16, "codes", "byte j: low nibble = weight j, high nibble = weight j+16")),
    unpack=_q5_1, quantize=quantizers.q5_1, adds_minimum=True, level_range=(0, 31), formula="q * d + m",
    about="5-bit codes above a minimum, 6 bits a weight"))
Q8_0 = register(BlockType(
    "Q8_0", 8, 32, 34,
    (Field("d", 0, "f16", 1, "scale", D), Field("qs", 2, "i8", 32, "codes", "one signed byte a weight")),
    unpack=_q8_0, quantize=quantizers.q8_0, level_range=(-127, 127), formula="q * d",
    about="signed bytes: 32 weights, one scale, 8.5 bits a weight"))
# Q8_1 and Q8_K exist between kernels only and Q1_0 is too new for the reference to decode: shown as bytes.
register(BlockType("Q8_1", 9, 32, 40, about="an intermediate of matrix products, not stored in model files"))
register(BlockType("Q8_K", 15, 256, 292, about="an intermediate of matrix products, not stored in model files"))
register(BlockType("Q1_0", 41, 128, 18, about="one bit a weight; the reference library does not decode it"))
