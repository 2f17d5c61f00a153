"""Float weights to blocks, bit for bit as gguf 0.19 (and, where it agrees, ggml's C code) makes them.

Every quantiser takes float32 (n, 32) and gives uint8 (n, nbytes). The speed is in one thing: numpy pays for every row
it begins, and rows of 32 are begun 2,048 times a chunk. So the blocks are turned into quads first, (8, n, 4): four
neighbours stay together, which is a copy of 16 bytes at a time, and everything done to a block is done in rows of 4n.
The codes of a quad are then one 32-bit word, and packing nibbles and fifth bits is arithmetic on words, (8, n).

Where references disagree, this module does what gguf 0.19 does, and says so:

* Q4_0 and Q5_0 of a block of -0.0 only: gguf takes the first value of largest magnitude, which is -0.0, so
  d = -0.0/-8 = +0 (bytes 00 00); the C code starts from +0 and gives -0 (00 80). Both decode to zeros.
* No fused multiply-add: x * (1/d) is rounded before 8.5 is added. A C build that fuses the two can give a code one off
  (x0 = bits 3fef439d, x1 = bits bf515b27: 12 here, 11 fused).
* NaN and infinities: the scale becomes NaN, infinite or zero and the codes are the machine's conversion of NaN to
  an integer, in the order of operations of gguf, so both agree on one machine. Such a block is worthless all the same.
* Q8_0 rounds half away from zero (C's roundf), and 0.49999997 to 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blocktypes import Bytes, Floats

Words = NDArray[np.uint32]

#: The largest float32 below one half: adding it and truncating is roundf, adding 0.5 is not (0.49999997).
_BELOW_HALF = np.nextafter(np.float32(0.5), np.float32(0)).view(np.uint32)
_SIGN = np.uint32(1 << 31)


def _quads(values: Floats) -> Floats:
    """Blocks (n, 32) as quads, (8, n, 4): weight 4q + k of block i is at [q, i, k]. Always a copy."""
    quads = np.empty((8, len(values), 4), np.float32)
    np.copyto(quads.view(np.complex128)[:, :, 0], values.view(np.complex128).T)  # 16 bytes, whatever they are
    return quads


def _extreme(quads: Floats, values: Floats, pick: np.ufunc, magnitude: bool = False) -> Floats:
    """np.maximum or np.minimum of every block, (n,). NaN wins, as in np.max. values: of the same blocks, (n, 32).

    magnitude: the quads are of the values without their signs.
    """
    four = pick.reduce(quads, axis=0)
    found: Floats = pick(pick(four[:, 0], four[:, 1]), pick(four[:, 2], four[:, 3]))
    # Which NaN of several, and which zero, is the reduction's choice: there, ask the one the reference asks.
    doubtful = np.flatnonzero((found == 0) | np.isnan(found))
    if doubtful.size:
        rows = values[doubtful]
        found[doubtful] = pick.reduce(np.abs(rows) if magnitude else rows, axis=1)
    return found


def _largest(quads: Floats, values: Floats) -> Floats:
    """The value of largest magnitude of every block, sign kept, the first one of equals: (n,)."""
    high, low = _extreme(quads, values, np.maximum), _extreme(quads, values, np.minimum)
    best = np.where(-low > high, low, high)
    # Equal magnitudes of both signs (all-zero blocks too), and NaN: the order in the block decides.
    doubtful = np.flatnonzero((-low == high) | np.isnan(high) | np.isnan(low))
    if doubtful.size:
        rows = values[doubtful]
        best[doubtful] = np.take_along_axis(rows, np.abs(rows).argmax(axis=1, keepdims=True), axis=1)[:, 0]
    return best


def _each(of_blocks: Floats) -> Floats:
    """A number a block, (n,), beside each of a quad's weights, (n, 4)."""
    return np.repeat(of_blocks, 4).reshape(-1, 4)


def _inverse(d: Floats) -> Floats:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return np.where(d == 0, np.float32(0), np.float32(1) / d)


def _codes(scaled: Floats, top: int) -> Words:
    """Truncate to 0 .. top; the four codes of a quad as one word, the first the lowest byte: (8, n).

    As in the reference the machine's conversion comes first and the limit after it: an inverse that overflowed (a
    scale below 2**-128) makes infinite codes, and their order decides what becomes of them.
    """
    with np.errstate(invalid="ignore"):
        codes = scaled.astype(np.uint8).reshape(8, -1)
    # A row of limits rather than one: numpy has a fast loop for two arrays of bytes, none for an array and a number.
    return np.minimum(codes, np.full(codes.shape[1], top, np.uint8), out=codes).view("<u4")


def _halves(values: Floats) -> NDArray[np.float16]:
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype("<f2")


def _pack(codes: Words, top: int) -> Words:
    """32 codes -> 16 bytes: low nibble code j, high nibble code j+16. (8, n) -> (4, n) words."""
    packed = codes[4:] << np.uint32(4)
    if top == 15:
        packed |= codes[:4]
        return packed
    packed &= np.uint32(0xF0F0F0F0)
    packed |= codes[:4] & np.uint32(0x0F0F0F0F)
    return packed


def _fifth(codes: Words) -> Words:
    """Bit 4 of 32 codes as one word a block, (n,)."""
    bits = codes >> np.uint32(4)
    bits &= np.uint32(0x01010101)
    # Bits 0, 8, 16 and 24 of a word are moved to 24 .. 27 by one multiplication: no two sums meet, so nothing carries.
    bits *= np.uint32(0x01020408)
    bits >>= np.uint32(24)
    bits &= np.uint32(15)
    bits <<= np.arange(0, 32, 4, dtype=np.uint32)[:, None]
    joined: Words = np.bitwise_or.reduce(bits, axis=0)
    return joined


def _join(words: Words, *fields: NDArray[Any]) -> Bytes:
    """Fields, (n,) of halves or words, and then the words of codes, (m, n), side by side: (n, nbytes)."""
    columns = [*fields, *words]
    out = np.empty((words.shape[1], sum(c.itemsize for c in columns)), np.uint8)
    at = 0
    for column in columns:
        np.ndarray(len(column), column.dtype.newbyteorder("<"), out, at, (out.shape[1],))[:] = column
        at += column.itemsize
    return out


def _around_zero(values: Floats, top: int) -> tuple[NDArray[np.float16], Words]:
    """Scales and codes of Q4_0 (top 15) and Q5_0 (top 31): d = the largest value / -8 or -16."""
    middle = (top + 1) // 2
    quads = _quads(values)
    with np.errstate(over="ignore", invalid="ignore"):
        d = _largest(quads, values) / np.float32(-middle)
        quads *= _each(_inverse(d))
        quads += np.float32(middle + 0.5)
    return _halves(d), _codes(quads, top)


def _above_minimum(values: Floats, top: int) -> tuple[NDArray[np.float16], NDArray[np.float16], Words]:
    """Scales, minimums and codes of Q4_1 (top 15) and Q5_1 (top 31)."""
    quads = _quads(values)
    high, low = _extreme(quads, values, np.maximum), _extreme(quads, values, np.minimum)
    with np.errstate(over="ignore", invalid="ignore"):
        d = (high - low) / np.float32(top)
        quads -= _each(low)
        quads *= _each(_inverse(d))
        quads += np.float32(0.5)
    return _halves(d), _halves(low), _codes(quads, top)


def q4_0(values: Floats) -> Bytes:
    d, codes = _around_zero(values, 15)
    return _join(_pack(codes, 15), d)


def q4_1(values: Floats) -> Bytes:
    d, m, codes = _above_minimum(values, 15)
    return _join(_pack(codes, 15), d, m)


def q5_0(values: Floats) -> Bytes:
    d, codes = _around_zero(values, 31)
    return _join(_pack(codes, 31), d, _fifth(codes))


def q5_1(values: Floats) -> Bytes:
    d, m, codes = _above_minimum(values, 31)
    return _join(_pack(codes, 31), d, m, _fifth(codes))


def q8_0(values: Floats) -> Bytes:
    quads = _quads(values)
    with np.errstate(over="ignore", invalid="ignore"):
        d = _extreme(np.abs(quads), values, np.maximum, magnitude=True) / np.float32(127)
        quads *= _each(_inverse(d))
        bits = quads.view(np.uint32) & _SIGN
        bits |= _BELOW_HALF  # with the sign of each: np.copysign takes longer than all the rest
        quads += bits.view(np.float32)
        codes = quads.astype(np.int8).reshape(8, -1).view("<u4")
    return _join(codes, _halves(d))


def bf16(values: Floats) -> Bytes:
    """float32 -> bfloat16, nearest even; NaN stays NaN and becomes quiet; subnormals are kept."""
    bits = values.view(np.uint32)
    nan = (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
    # The sum cannot wrap for anything but a NaN, which is replaced.
    rounded = (bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))) >> np.uint32(16)
    if nan.any():
        rounded = np.where(nan, (bits >> np.uint32(16)) | np.uint32(0x40), rounded)
    return rounded.astype("<u2").view(np.uint8).reshape(len(values), -1)


def f16(values: Floats) -> Bytes:
    """float32 -> float16, nearest even; what is too large becomes infinite."""
    return _halves(values).view(np.uint8).reshape(len(values), -1)


def f32(values: Floats) -> NDArray[np.uint8]:
    return values.astype("<f4").view(np.uint8).reshape(len(values), -1)
