"""The K types: super-blocks of 256 weights, whose small blocks have scales of 4 to 8 bits under one or two float16s.

A weight of Q4_K is d * sc * q - dmin * mn: the super-block has d and dmin, each small block of 32 weights has a 6-bit
scale sc and a 6-bit minimum mn, each weight a 4-bit code q. Q3_K and Q6_K have no minimum and centre their codes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .blocktypes import BlockType, Bytes, Field, Parts, half, register, shift_bytes, shifts, take

Numbers = dict[str, NDArray[np.generic]]

D = "the scale of the super-block, a 16-bit float: the scales of the small blocks are multiplied by it"
DMIN = "the scale of the minima, a 16-bit float: the minima of the small blocks are multiplied by it"
SIX = "scales and minima of the 8 small blocks, 6 bits each"


def _floats(integers: NDArray[np.uint8] | NDArray[np.int8]) -> NDArray[np.float32]:
    return integers.astype(np.float32)


def _six_bits(packed: Bytes) -> tuple[Bytes, Bytes]:
    """12 bytes -> 8 scales and 8 minima of 6 bits. The first four lie in bytes 0-3 and 4-7; the last four have their
    low nibbles in bytes 8-11 and their high two bits on top of the first eight bytes."""
    first, second, third = packed[:, 0:4], packed[:, 4:8], packed[:, 8:12]
    scales = np.concatenate([first & 63, (third & 15) | ((first >> 2) & 48)], axis=1)
    minima = np.concatenate([second & 63, (third >> 4) | ((second >> 2) & 48)], axis=1)
    return scales, minima


def _q2_k(blocks: Bytes) -> Parts:
    packed = take(blocks, 0, 16)
    codes = shifts(take(blocks, 16, 64).reshape(-1, 2, 32), 0, 2, 4, 6, mask=3).reshape(-1, 256)
    return Parts(codes.view(np.int8), half(blocks, 80) * _floats(packed & 15), half(blocks, 82) * _floats(packed >> 4),
                 codes)


def _q2_k_numbers(blocks: Bytes) -> Numbers:
    packed = take(blocks, 0, 16)
    return {"d": half(blocks, 80)[:, 0], "dmin": half(blocks, 82)[:, 0], "scales": packed & 15, "mins": packed >> 4}


def _q3_k_scales(blocks: Bytes) -> NDArray[np.int8]:
    """16 scales of 6 bits less 32: low nibbles in 8 bytes, high pairs of bits in 4."""
    packed = take(blocks, 96, 12)
    low = shifts(packed[:, None, :8], 0, 4, mask=15).reshape(-1, 16)
    high = shifts(packed[:, None, 8:], 0, 2, 4, 6, mask=3).reshape(-1, 16)
    return (low | shift_bytes(high, -4, 0xF0)).view(np.int8) - np.int8(32)


def _q3_k(blocks: Bytes) -> Parts:
    high = shifts(take(blocks, 0, 32)[:, None, :], *range(8), mask=1).reshape(-1, 256)
    codes = shifts(take(blocks, 32, 64).reshape(-1, 2, 32), 0, 2, 4, 6, mask=3).reshape(-1, 256)
    codes |= shift_bytes(high, -2, 0xFC)
    return Parts(codes.view(np.int8) - np.int8(4), half(blocks, 108) * _floats(_q3_k_scales(blocks)), codes=codes)


def _q3_k_numbers(blocks: Bytes) -> Numbers:
    return {"d": half(blocks, 108)[:, 0], "scales": _q3_k_scales(blocks)}


def _with_six_bits(blocks: Bytes, codes: Bytes) -> Parts:
    scales, minima = _six_bits(take(blocks, 4, 12))
    return Parts(codes.view(np.int8), half(blocks, 0) * _floats(scales), half(blocks, 2) * _floats(minima), codes)


def _six_numbers(blocks: Bytes) -> Numbers:
    scales, minima = _six_bits(take(blocks, 4, 12))
    return {"d": half(blocks, 0)[:, 0], "dmin": half(blocks, 2)[:, 0], "scales": scales, "mins": minima}


def _q4_k(blocks: Bytes) -> Parts:
    return _with_six_bits(blocks, shifts(take(blocks, 16, 128).reshape(-1, 4, 32), 0, 4, mask=15).reshape(-1, 256))


def _q5_k(blocks: Bytes) -> Parts:
    high = shifts(take(blocks, 16, 32)[:, None, :], *range(8), mask=1).reshape(-1, 256)
    low = shifts(take(blocks, 48, 128).reshape(-1, 4, 32), 0, 4, mask=15).reshape(-1, 256)
    return _with_six_bits(blocks, low | shift_bytes(high, -4, 0xF0))


def _q6_k(blocks: Bytes) -> Parts:
    low = shifts(take(blocks, 0, 128).reshape(-1, 2, 64), 0, 4, mask=15).reshape(-1, 256)
    high = shifts(take(blocks, 128, 64).reshape(-1, 2, 32), 0, 2, 4, 6, mask=3).reshape(-1, 256)
    codes = low | shift_bytes(high, -4, 0xF0)
    scales = take(blocks, 192, 16).view(np.int8)
    return Parts(codes.view(np.int8) - np.int8(32), half(blocks, 208) * _floats(scales), codes=codes)


def _q6_k_numbers(blocks: Bytes) -> Numbers:
    return {"d": half(blocks, 208)[:, 0], "scales": take(blocks, 192, 16).view(np.int8)}


Q2_K = register(BlockType(
    "Q2_K", 10, 256, 84,
    (Field("scales", 0, "u8", 16, "scale", "16 small blocks of 16 weights: low nibble = scale, high nibble = minimum"),
     Field("qs", 16, "u8", 64, "codes", "four 2-bit codes a byte, 32 weights apart"),
     Field("d", 80, "f16", 1, "scale", D), Field("dmin", 82, "f16", 1, "minimum", DMIN)),
    unpack=_q2_k, numbers=_q2_k_numbers, level_range=(0, 3), formula="d * scale * q - dmin * min",
    about="2-bit codes, 16 small blocks of 16, 2.625 bits a weight"))
Q3_K = register(BlockType(
    "Q3_K", 11, 256, 110,
    (Field("hmask", 0, "u8", 32, "high bits", "bit k of byte j is the third bit of weight 32k+j"),
     Field("qs", 32, "u8", 64, "codes", "four 2-bit codes a byte, 32 weights apart"),
     Field("scales", 96, "u8", 12, "scale", "16 scales of 6 bits, stored with 32 added"),
     Field("d", 108, "f16", 1, "scale", D)),
    unpack=_q3_k, numbers=_q3_k_numbers, level_range=(-4, 3), formula="d * scale * (q - 4)",
    about="3-bit codes around zero, 16 small blocks of 16, 3.4375 bits a weight"))
Q4_K = register(BlockType(
    "Q4_K", 12, 256, 144,
    (Field("d", 0, "f16", 1, "scale", D), Field("dmin", 2, "f16", 1, "minimum", DMIN),
     Field("scales", 4, "u8", 12, "scale", SIX),
     Field("qs", 16, "u8", 128, "codes", "two 4-bit codes a byte, 32 weights apart")),
    unpack=_q4_k, numbers=_six_numbers, level_range=(0, 15), formula="d * scale * q - dmin * min",
    about="4-bit codes, 8 small blocks of 32, 4.5 bits a weight"))
Q5_K = register(BlockType(
    "Q5_K", 13, 256, 176,
    (Field("d", 0, "f16", 1, "scale", D), Field("dmin", 2, "f16", 1, "minimum", DMIN),
     Field("scales", 4, "u8", 12, "scale", SIX),
     Field("qh", 16, "u8", 32, "high bits", "bit k of byte j is the fifth bit of weight 32k+j"),
     Field("qs", 48, "u8", 128, "codes", "two 4-bit codes a byte, 32 weights apart")),
    unpack=_q5_k, numbers=_six_numbers, level_range=(0, 31), formula="d * scale * q - dmin * min",
    about="5-bit codes, 8 small blocks of 32, 5.5 bits a weight"))
Q6_K = register(BlockType(
    "Q6_K", 14, 256, 210,
    (Field("ql", 0, "u8", 128, "codes", "the low four bits, two codes a byte, 64 weights apart"),
     Field("qh", 128, "u8", 64, "high bits", "the high two bits, four codes a byte, 32 weights apart"),
     Field("scales", 192, "i8", 16, "scale", "16 small blocks of 16 weights: a signed byte each"),
     Field("d", 208, "f16", 1, "scale", D)),
    unpack=_q6_k, numbers=_q6_k_numbers, level_range=(-32, 31), formula="d * scale * (q - 32)",
    about="6-bit codes around zero, 16 small blocks of 16, 6.5625 bits a weight"))
