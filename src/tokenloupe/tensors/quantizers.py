"""Float weights to blocks, bit for bit as gguf 0.19 (and, where it agrees, ggml's C code) makes them.

Every quantiser takes float32 (n, 32) and gives uint8 (n, nbytes). The speed is in one thing: the blocks are turned into
columns, (32, n), first. numpy pays for every row it begins, and rows of 32 are begun 2,048 times a chunk; over columns
the largest value, the multiplication by 1/d and the packing of nibbles are each 32 long rows.

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

import numpy as np
from numpy.typing import NDArray

from .blocktypes import Bytes, Floats, shift_bytes

#: The largest float32 below one half: adding it and truncating is roundf, adding 0.5 is not (0.49999997).
_BELOW_HALF = np.nextafter(np.float32(0.5), np.float32(0))


def _columns(values: Floats) -> Floats:
    """Blocks as columns, (32, n), always a copy: what is done a block is then done over whole rows of n."""
    return np.array(values.T, order="C")


def _extreme(columns: Floats, pick: np.ufunc) -> Floats:
    """np.maximum or np.minimum of every column, (n,). NaN wins, as in np.max."""
    found: Floats = pick.reduce(columns, axis=0)
    # Which NaN of several, and which zero, is the reduction's choice: there, ask the one the reference asks.
    doubtful = np.flatnonzero((found == 0) | np.isnan(found))
    if doubtful.size:
        found[doubtful] = pick.reduce(np.ascontiguousarray(columns[:, doubtful].T), axis=1)
    return found


def _largest(columns: Floats) -> Floats:
    """The value of largest magnitude of every column, sign kept, the first one of equals: (n,)."""
    high, low = _extreme(columns, np.maximum), _extreme(columns, np.minimum)
    best = np.where(-low > high, low, high)
    # Equal magnitudes of both signs (all-zero blocks too), and NaN: the order in the column decides.
    doubtful = np.flatnonzero((-low == high) | np.isnan(high) | np.isnan(low))
    if doubtful.size:
        rows = np.ascontiguousarray(columns[:, doubtful].T)
        best[doubtful] = np.take_along_axis(rows, np.abs(rows).argmax(axis=1, keepdims=True), axis=1)[:, 0]
    return best


def _inverse(d: Floats) -> Floats:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return np.where(d == 0, np.float32(0), np.float32(1) / d)


def _codes(scaled: Floats, top: int) -> Bytes:
    """Truncate to 0 .. top, (32, n).

    As in the reference the machine's conversion comes first and the limit after it: an inverse that overflowed (a
    scale below 2**-128) makes infinite codes, and their order decides what becomes of them.
    """
    with np.errstate(invalid="ignore"):
        codes = scaled.astype(np.uint8)
    # A row of limits rather than one: numpy has a fast loop for two arrays of bytes, none for an array and a number.
    return np.minimum(codes, np.full(codes.shape[1], top, np.uint8), out=codes)


def _halves(values: Floats) -> Bytes:
    """float16 bytes, (n, 2)."""
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype("<f2").view(np.uint8).reshape(len(values), -1)


def _pack(codes: Bytes) -> Bytes:
    """32 codes -> 16 bytes: low nibble code j, high nibble code j+16. (32, n) -> (16, n)."""
    return (codes[:16] & np.uint8(15)) | shift_bytes(codes[16:], -4, 0xF0)


def _join(columns: Bytes, *fields: Bytes) -> Bytes:
    """Fields (n, k) and then the codes, which are columns still, side by side: (n, nbytes)."""
    width = sum(f.shape[1] for f in fields)
    out = np.empty((columns.shape[1], width + len(columns)), np.uint8)
    at = 0
    for f in fields:
        out[:, at : at + f.shape[1]] = f
        at += f.shape[1]
    out[:, at:] = columns.T
    return out


def _around_zero(values: Floats, top: int) -> tuple[Bytes, Bytes]:
    """Scale bytes and codes of Q4_0 (top 15) and Q5_0 (top 31): d = the largest value / -8 or -16."""
    middle = (top + 1) // 2
    columns = _columns(values)
    with np.errstate(over="ignore", invalid="ignore"):
        d = _largest(columns) / np.float32(-middle)
        columns *= _inverse(d)
        columns += np.float32(middle + 0.5)
    return _halves(d), _codes(columns, top)


def _above_minimum(values: Floats, top: int) -> tuple[Bytes, Bytes, Bytes]:
    """Scale bytes, minimum bytes and codes of Q4_1 (top 15) and Q5_1 (top 31)."""
    columns = _columns(values)
    high, low = _extreme(columns, np.maximum), _extreme(columns, np.minimum)
    with np.errstate(over="ignore", invalid="ignore"):
        d = (high - low) / np.float32(top)
        columns -= low
        columns *= _inverse(d)
        columns += np.float32(0.5)
    return _halves(d), _halves(low), _codes(columns, top)


def _fifth(codes: Bytes) -> Bytes:
    """Bit 4 of 32 codes as 4 bytes a block, (n, 4)."""
    bits = shift_bytes(codes, 4, 1).reshape(4, 8, -1)
    packed = bits[:, 7].copy()
    for i in range(6, -1, -1):  # np.packbits along the first axis is slower than all the rest together
        packed += packed
        packed += bits[:, i]
    return np.ascontiguousarray(packed.T)


def q4_0(values: Floats) -> Bytes:
    d, codes = _around_zero(values, 15)
    return _join(_pack(codes), d)


def q4_1(values: Floats) -> Bytes:
    d, m, codes = _above_minimum(values, 15)
    return _join(_pack(codes), d, m)


def q5_0(values: Floats) -> Bytes:
    d, codes = _around_zero(values, 31)
    return _join(_pack(codes), d, _fifth(codes))


def q5_1(values: Floats) -> Bytes:
    d, m, codes = _above_minimum(values, 31)
    return _join(_pack(codes), d, m, _fifth(codes))


def q8_0(values: Floats) -> Bytes:
    columns = _columns(values)
    magnitude = np.abs(columns)
    with np.errstate(over="ignore", invalid="ignore"):
        d = _extreme(magnitude, np.maximum) / np.float32(127)
        columns *= _inverse(d)
        columns += np.copysign(_BELOW_HALF, columns)
        codes = columns.astype(np.int8).view(np.uint8)
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
    return _halves(values).reshape(len(values), -1)


def f32(values: Floats) -> NDArray[np.uint8]:
    return values.astype("<f4").view(np.uint8).reshape(len(values), -1)
