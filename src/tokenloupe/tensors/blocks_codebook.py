"""Types whose codes are looked up in a table: IQ1 .. IQ4, MXFP4, NVFP4; and the ternary TQ types.

A code of IQ4_NL or MXFP4 names one of 16 uneven levels. A code of IQ1 to IQ3 names a point of a lattice: 8 (or 4)
weights at once, with their signs stored apart. (The lattices are data: grids.py.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .blocktypes import BlockType, Bytes, Field, Floats, Parts, half, nibbles, register, shifts, take
from .grids import grid, sign_patterns

D = "the scale of the block, a 16-bit float"
#: Levels of IQ4_NL and IQ4_XS (ggml's kvalues_iq4nl): denser near zero, where weights are.
IQ4_LEVELS = np.array((-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113), np.int8)
#: Twice the values of E2M1 (OCP Microscaling Formats 1.0): 0 .5 1 1.5 2 3 4 6 and their negatives.
E2M1_TWICE = np.array((0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12), np.int8)


def _e8m0_halves() -> Floats:
    """2**(e-128) for the 256 exponent bytes: half of E8M0's 2**(e-127), since the levels are doubled. As gguf has it:
    e = 255 (NaN in the standard) is 2**127, and e = 0 and 1 are subnormal, not zero."""
    exponent = np.arange(256, dtype=np.uint32)
    bits = np.where(exponent < 2, np.uint32(0x00200000) << np.minimum(exponent, 1), (exponent - np.uint32(1)) << 23)
    return bits.astype(np.uint32).view(np.float32)


def _ue4m3_halves() -> Floats:
    """Half of the unsigned E4M3 number (bias 7) of the 256 scale bytes; as in gguf, bit 7 is ignored and 0x7F is 0."""
    code = np.arange(256)
    exponent, fraction = (code >> 3) & 15, code & 7
    value = np.where(exponent == 0, fraction * 2.0**-9, (1 + fraction / 8) * 2.0 ** (exponent - 7))
    return np.where((code == 0) | (code == 0x7F), 0, value / 2).astype(np.float32)


_E8M0, _UE4M3 = _e8m0_halves(), _ue4m3_halves()


def _iq4_nl(blocks: Bytes) -> Parts:
    codes = nibbles(take(blocks, 2, 16))
    return Parts(IQ4_LEVELS[codes], half(blocks, 0), codes=codes)


def _iq4_xs_scales(blocks: Bytes) -> NDArray[np.int8]:
    """8 scales of 6 bits less 32: high pairs of bits in a 16-bit word, low nibbles in 4 bytes."""
    high = (take(blocks, 2, 2).view("<u2") >> np.arange(0, 16, 2, dtype=np.uint16)).astype(np.uint8) & np.uint8(3)
    low = shifts(take(blocks, 4, 4)[:, :, None], 0, 4, mask=15).reshape(-1, 8)
    return (low | (high << 4)).view(np.int8) - np.int8(32)


def _iq4_xs(blocks: Bytes) -> Parts:
    codes = shifts(take(blocks, 8, 128).reshape(-1, 8, 16), 0, 4, mask=15).reshape(-1, 256)
    return Parts(IQ4_LEVELS[codes], half(blocks, 0) * _iq4_xs_scales(blocks).astype(np.float32), codes=codes)


def _mxfp4(blocks: Bytes) -> Parts:
    codes = nibbles(take(blocks, 1, 16))
    return Parts(E2M1_TWICE[codes], _E8M0[take(blocks, 0, 1)], codes=codes)


def _nvfp4(blocks: Bytes) -> Parts:
    codes = nibbles(take(blocks, 4, 32).reshape(-1, 8)).reshape(-1, 64)
    return Parts(E2M1_TWICE[codes], _UE4M3[take(blocks, 0, 4)], codes=codes)


def _eighth_steps(d: Floats, nibble: Bytes, step: float) -> Floats:
    """d * (0.5 + nibble) * step in this order, float32."""
    return d * (np.float32(0.5) + nibble.astype(np.float32)) * np.float32(step)


def _sign_bits(packed: Bytes) -> NDArray[np.int8]:
    """One bit a weight, low bit first -> +1 or -1."""
    return np.int8(1) - np.int8(2) * np.unpackbits(packed, axis=1, bitorder="little").view(np.int8)


def _words(packed: Bytes) -> tuple[NDArray[np.int8], Bytes]:
    """Words of 28 sign bits (4 patterns of 7) under a 4-bit scale -> signs (n, words*32), scales (n, words)."""
    words = packed.view("<u4")
    patterns = (words[:, :, None] >> np.array([0, 7, 14, 21], np.uint32)) & np.uint32(127)
    return sign_patterns()[patterns].reshape(len(packed), -1), (words >> np.uint32(28)).astype(np.uint8)


def _iq2_xxs(blocks: Bytes) -> Parts:
    pairs = take(blocks, 2, 64).reshape(-1, 8, 8)  # 4 grid indices, then a word of signs and scale
    signs, scales = _words(np.ascontiguousarray(pairs[:, :, 4:]).reshape(-1, 32))
    points = grid("IQ2_XXS")[pairs[:, :, :4]].reshape(-1, 256)
    return Parts(points * signs, _eighth_steps(half(blocks, 0), scales, 0.25))


def _iq2_xs(blocks: Bytes) -> Parts:
    words = take(blocks, 2, 64).view("<u2")
    signs = sign_patterns()[words >> np.uint16(9)].reshape(-1, 256)
    scales = shifts(take(blocks, 66, 8)[:, :, None], 0, 4, mask=15).reshape(-1, 16)
    points = grid("IQ2_XS")[words & np.uint16(511)].reshape(-1, 256)
    return Parts(points * signs, _eighth_steps(half(blocks, 0), scales, 0.25))


def _iq2_s(blocks: Bytes) -> Parts:
    high = shifts(take(blocks, 66, 8)[:, :, None], 0, 2, 4, 6, mask=3).reshape(-1, 32)
    index = take(blocks, 2, 32).astype(np.uint16) | (high.astype(np.uint16) << np.uint16(8))
    scales = shifts(take(blocks, 74, 8)[:, :, None], 0, 4, mask=15).reshape(-1, 16)
    points = grid("IQ2_S")[index].reshape(-1, 256)
    return Parts(points * _sign_bits(take(blocks, 34, 32)), _eighth_steps(half(blocks, 0), scales, 0.25))


def _iq3_xxs(blocks: Bytes) -> Parts:
    signs, scales = _words(take(blocks, 66, 32))
    points = grid("IQ3_XXS")[take(blocks, 2, 64)].reshape(-1, 256)
    return Parts(points * signs, _eighth_steps(half(blocks, 0), scales, 0.5))


def _iq3_s(blocks: Bytes) -> Parts:
    high = np.unpackbits(take(blocks, 66, 8), axis=1, bitorder="little")
    index = take(blocks, 2, 64).astype(np.uint16) | (high.astype(np.uint16) << np.uint16(8))
    scales = shifts(take(blocks, 106, 4)[:, :, None], 0, 4, mask=15).reshape(-1, 8)
    points = grid("IQ3_S")[index].reshape(-1, 256)
    odd = (np.uint8(1) + np.uint8(2) * scales).astype(np.float32)
    return Parts(points * _sign_bits(take(blocks, 74, 32)), half(blocks, 0) * odd)


def _shifted(points: NDArray[np.int8], minus: NDArray[np.bool_]) -> Floats:
    """Lattice points moved by an eighth, down where `minus` says so."""
    return points.astype(np.float32) + np.where(minus, np.float32(-0.125), np.float32(0.125))[..., None]


def _iq1_s(blocks: Bytes) -> Parts:
    words = take(blocks, 34, 16).view("<u2")  # 4 x 3 high index bits, 3 scale bits, 1 bit of shift
    high = ((words[:, :, None] >> np.array([0, 3, 6, 9], np.uint16)) & np.uint16(7)).reshape(-1, 32)
    index = take(blocks, 2, 32).astype(np.uint16) | (high << np.uint16(8))
    points = grid("IQ1_S")[index].reshape(-1, 8, 32)
    odd = (np.uint16(2) * ((words >> np.uint16(12)) & np.uint16(7)) + np.uint16(1)).astype(np.float32)
    return Parts(_shifted(points, (words & np.uint16(0x8000)) != 0).reshape(-1, 256), half(blocks, 0) * odd)


def _iq1_m_d(blocks: Bytes) -> Floats:
    """The float16 whose four nibbles are the top nibbles of the four scale words, low nibble first."""
    tops = (take(blocks, 48, 8).view("<u2") & np.uint16(0xF000)) >> np.array([12, 8, 4, 0], np.uint16)
    return np.bitwise_or.reduce(tops, axis=1, keepdims=True).view(np.float16).astype(np.float32)


def _iq1_m(blocks: Bytes) -> Parts:
    words = take(blocks, 48, 8).view("<u2")
    scales = ((words[:, :, None] >> np.array([0, 3, 6, 9], np.uint16)) & np.uint16(7)).reshape(-1, 16)
    odd = (np.uint16(2) * scales + np.uint16(1)).astype(np.float32)
    high = shifts(take(blocks, 32, 16)[:, :, None], 0, 4, mask=15).reshape(-1, 32)
    index = take(blocks, 0, 32).astype(np.uint16) | ((high & np.uint8(7)).astype(np.uint16) << np.uint16(8))
    points = grid("IQ1_S")[index]
    return Parts(_shifted(points, (high & np.uint8(8)) != 0).reshape(-1, 256), _iq1_m_d(blocks) * odd)


def _tq1_0(blocks: Bytes) -> Parts:
    """Five base-3 digits a byte, stored as the byte's fraction of 256: multiply by a power of 3, take the top digit."""
    bulk = take(blocks, 0, 48)
    powers = np.array([1, 3, 9, 27, 81], np.uint8).reshape(1, 1, 5, 1)
    parts = [(bulk[:, None, None, :32] * powers).reshape(-1, 160), (bulk[:, None, None, 32:] * powers).reshape(-1, 80),
             (take(blocks, 48, 4)[:, None, None, :] * powers[:, :, :4]).reshape(-1, 16)]
    digits = ((np.concatenate(parts, axis=1).astype(np.uint16) * np.uint16(3)) >> np.uint16(8)).astype(np.uint8)
    return Parts(digits.view(np.int8) - np.int8(1), half(blocks, 52), codes=digits)


def _tq2_0(blocks: Bytes) -> Parts:
    codes = shifts(take(blocks, 0, 64).reshape(-1, 2, 32), 0, 2, 4, 6, mask=3).reshape(-1, 256)
    return Parts(codes.view(np.int8) - np.int8(1), half(blocks, 64), codes=codes)


_NIBBLES = "byte j: low nibble = weight j, high nibble = weight j+16"
_INDEX = "indices of lattice points, 8 weights each"

IQ4_NL = register(BlockType(
    "IQ4_NL", 20, 32, 18, (Field("d", 0, "f16", 1, "scale", D), Field("qs", 2, "u8", 16, "codes", _NIBBLES)),
    unpack=_iq4_nl, level_range=(-127, 113), formula="level[q] * d",
    about="4-bit codes of 16 uneven levels, denser near zero; 4.5 bits a weight"))
IQ4_XS = register(BlockType(
    "IQ4_XS", 23, 256, 136,
    (Field("d", 0, "f16", 1, "scale", D), Field("scales_h", 2, "u16", 1, "scale", "high 2 bits of the 8 scales"),
     Field("scales_l", 4, "u8", 4, "scale", "low 4 bits of the 8 scales, which have 32 added"),
     Field("qs", 8, "u8", 128, "codes", "two codes a byte, 16 weights apart")),
    unpack=_iq4_xs, numbers=lambda b: {"d": half(b, 0)[:, 0], "scales": _iq4_xs_scales(b)},
    level_range=(-127, 113), formula="d * scale * level[q]",
    about="IQ4_NL in super-blocks of 256 with 8 scales, 4.25 bits a weight"))
MXFP4 = register(BlockType(
    "MXFP4", 39, 32, 17,
    (Field("e", 0, "u8", 1, "scale", "the scale is a power of two: 2 to the (e - 127)"),
     Field("qs", 1, "u8", 16, "codes", _NIBBLES)),
    unpack=_mxfp4, numbers=lambda b: {"e": take(b, 0, 1)[:, 0], "d": _E8M0[take(b, 0, 1)[:, 0]]},
    level_range=(-12, 12), formula="2 * E2M1[q] * d, d = 2^(e - 128)",
    about="4-bit floats under a power of two (OCP Microscaling), 4.25 bits a weight"))
NVFP4 = register(BlockType(
    "NVFP4", 40, 64, 36,
    (Field("d", 0, "u8", 4, "scale", "4 scales, unsigned 8-bit floats (4 exponent, 3 fraction bits), 16 weights each"),
     Field("qs", 4, "u8", 32, "codes", "two codes a byte, 8 weights apart")),
    unpack=_nvfp4, numbers=lambda b: {"d": _UE4M3[take(b, 0, 4)]},
    level_range=(-12, 12), formula="2 * E2M1[q] * d",
    about="4-bit floats under 8-bit float scales of 16 weights, 4.5 bits a weight"))
IQ2_XXS = register(BlockType(
    "IQ2_XXS", 16, 256, 66,
    (Field("d", 0, "f16", 1, "scale", D),
     Field("qs", 2, "u16", 32, "codes", "per 32 weights: 4 indices, 28 sign bits, scale")),
    unpack=_iq2_xxs, level_range=(-43, 43), formula="d * (0.5 + s) / 4 * point",
    about="8 weights from a lattice of 256 points, 2.0625 bits a weight"))
IQ2_XS = register(BlockType(
    "IQ2_XS", 17, 256, 74,
    (Field("d", 0, "f16", 1, "scale", D), Field("qs", 2, "u16", 32, "codes", "9 bits of index, 7 of signs"),
     Field("scales", 66, "u8", 8, "scale", "16 scales of 4 bits")),
    unpack=_iq2_xs, level_range=(-43, 43), formula="d * (0.5 + s) / 4 * point",
    about="8 weights from a lattice of 512 points, 2.3125 bits a weight"))
IQ2_S = register(BlockType(
    "IQ2_S", 22, 256, 82,
    (Field("d", 0, "f16", 1, "scale", D), Field("qs", 2, "u8", 32, "codes", _INDEX),
     Field("signs", 34, "u8", 32, "signs", "one bit a weight"),
     Field("qh", 66, "u8", 8, "high bits", "2 more bits an index"),
     Field("scales", 74, "u8", 8, "scale", "16 scales of 4 bits")),
    unpack=_iq2_s, level_range=(-43, 43), formula="d * (0.5 + s) / 4 * point",
    about="8 weights from a lattice of 1024 points, 2.5625 bits a weight"))
IQ3_XXS = register(BlockType(
    "IQ3_XXS", 18, 256, 98,
    (Field("d", 0, "f16", 1, "scale", D),
     Field("qs", 2, "u8", 64, "codes", "indices of lattice points, 4 weights each"),
     Field("signs", 66, "u32", 8, "signs", "per 32 weights: 28 sign bits and a scale of 4 bits")),
    unpack=_iq3_xxs, level_range=(-62, 62), formula="d * (0.5 + s) / 2 * point",
    about="4 weights from a lattice of 256 points, 3.0625 bits a weight"))
IQ3_S = register(BlockType(
    "IQ3_S", 21, 256, 110,
    (Field("d", 0, "f16", 1, "scale", D),
     Field("qs", 2, "u8", 64, "codes", "indices of lattice points, 4 weights each"),
     Field("qh", 66, "u8", 8, "high bits", "the ninth bit of each index"),
     Field("signs", 74, "u8", 32, "signs", "one bit a weight"),
     Field("scales", 106, "u8", 4, "scale", "8 scales of 4 bits")),
    unpack=_iq3_s, level_range=(-15, 15), formula="d * (1 + 2s) * point",
    about="4 weights from a lattice of 512 points, 3.4375 bits a weight"))
IQ1_S = register(BlockType(
    "IQ1_S", 19, 256, 50,
    (Field("d", 0, "f16", 1, "scale", D), Field("qs", 2, "u8", 32, "codes", _INDEX),
     Field("qh", 34, "u16", 8, "high bits", "per 32 weights: 12 index bits, 3 scale bits, the shift's sign")),
    unpack=_iq1_s, level_range=(-1, 1), formula="d * (1 + 2s) * (point ± 1/8)",
    about="8 weights from 2048 ternary points, 1.5625 bits a weight"))
IQ1_M = register(
    BlockType(
        "IQ1_M",
        29,
        256,
        56,
        (
            Field("qs", 0, "u8", 32, "codes", _INDEX),
            Field("qh", 32, "u8", 16, "high bits", "3 index bits and the shift's sign"),
            Field(
                "scales",
                48,
                "u16",
                4,
                "scale",
                "16 scales of 3 bits; the four top nibbles together are the 16-bit float d",
            ),
        ),
        unpack=_iq1_m,
        numbers=lambda b: {"d": _iq1_m_d(b)[:, 0]},
        level_range=(-1, 1),
        formula="d * (1 + 2s) * (point ± 1/8)",
        about="8 weights from 2048 ternary points, 1.75 bits a weight",
    )
)
TQ1_0 = register(BlockType(
    "TQ1_0", 34, 256, 54,
    (Field("qs", 0, "u8", 48, "codes", "five base-3 digits a byte"),
     Field("qh", 48, "u8", 4, "codes", "four base-3 digits a byte"),
     Field("d", 52, "f16", 1, "scale", D)),
    unpack=_tq1_0, level_range=(-1, 1), formula="(q - 1) * d",
    about="-1, 0 or 1 in base 3, 1.6875 bits a weight"))
TQ2_0 = register(BlockType(
    "TQ2_0", 35, 256, 66,
    (Field("qs", 0, "u8", 64, "codes", "four 2-bit codes a byte, 32 weights apart"),
     Field("d", 64, "f16", 1, "scale", D)),
    unpack=_tq2_0, level_range=(-1, 2), formula="(q - 1) * d",
    about="-1, 0 or 1 in two bits, 2.0625 bits a weight"))
