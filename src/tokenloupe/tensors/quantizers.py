"""Float weights to blocks, bit for bit as gguf 0.19 (and, where it agrees, ggml's C code) makes them.

Every quantiser takes float32 (n, 32) and gives uint8 (n, nbytes). The speed is in two places: the largest value of a
block is found by a tree of whole-array maxima over neighbours (numpy's own reduction costs 2 ns a weight on rows of
32), and codes are packed as whole 16-byte elements.

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

from .blocktypes import Bytes, Floats

#: The largest float32 below one half: adding it and truncating is roundf, adding 0.5 is not (0.49999997).
_BELOW_HALF = np.nextafter(np.float32(0.5), np.float32(0))


def _extreme(values: Floats, pick: np.ufunc) -> Floats:
    """np.maximum or np.minimum of every row of 2**k values, (n, 1). NaN wins, as in np.max."""
    n, width = values.shape
    flat = values.reshape(-1)
    while width > 1:
        flat = pick(flat[0::2], flat[1::2])
        width //= 2
    found = flat.reshape(n, 1)
    # Which NaN of several, and which zero, is the reduction's choice: there, ask the one the reference asks.
    doubtful = np.flatnonzero((found == 0) | np.isnan(found))
    if doubtful.size:
        found[doubtful] = pick.reduce(values[doubtful], axis=1, keepdims=True)
    return found


def _largest(values: Floats) -> Floats:
    """The value of largest magnitude of every row, sign kept, the first one of equals: (n, 1)."""
    high, low = _extreme(values, np.maximum), _extreme(values, np.minimum)
    best = np.where(-low > high, low, high)
    # Equal magnitudes of both signs (all-zero blocks too), and NaN: the order in the row decides.
    doubtful = np.flatnonzero((-low == high) | np.isnan(high) | np.isnan(low))
    if doubtful.size:
        rows = values[doubtful]
        best[doubtful] = np.take_along_axis(rows, np.abs(rows).argmax(axis=1, keepdims=True), axis=1)
    return best


def _inverse(d: Floats) -> Floats:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return np.where(d == 0, np.float32(0), np.float32(1) / d)


def _codes(scaled: Floats, inverse: Floats, top: int) -> Bytes:
    """Truncate to 0 .. top. In place in `scaled`; the sum before it can reach top + 1.5.

    An inverse that overflowed (a scale below 2**-128) makes infinite codes: there the order of the reference, first
    the machine's conversion and then the limit, decides.
    """
    with np.errstate(invalid="ignore"):
        odd = np.flatnonzero(~np.isfinite(inverse))
        wild = np.minimum(scaled[odd].astype(np.uint8), np.uint8(top)) if odd.size else None
        codes = np.minimum(scaled, np.float32(top), out=scaled).astype(np.uint8)
        if wild is not None:
            codes[odd] = wild
    return codes


def _halves(values: Floats) -> Bytes:
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype("<f2").view(np.uint8)


def _pack(codes: Bytes) -> Bytes:
    """32 codes -> 16 bytes: low nibble code j, high nibble code j+16."""
    whole = codes.reshape(-1).view("V16")
    low = np.ascontiguousarray(whole[0::2]).view(np.uint8)
    high = np.ascontiguousarray(whole[1::2]).view(np.uint8)
    low &= np.uint8(15)
    return np.bitwise_or(low, np.left_shift(high, np.uint8(4), out=high), out=low).reshape(-1, 16)


def _join(*fields: Bytes) -> Bytes:
    """Fields (n, k) side by side, moved as one element a block."""
    n = len(fields[0])
    names = [f"f{i}" for i in range(len(fields))]
    formats = [f"V{f.shape[1]}" for f in fields]
    out = np.empty(n, np.dtype({"names": names, "formats": formats}))
    for name, fmt, field in zip(names, formats, fields, strict=True):
        out[name] = np.ascontiguousarray(field).reshape(-1).view(fmt)
    return out.view(np.uint8).reshape(n, -1)


def _around_zero(values: Floats, top: int) -> tuple[Bytes, Bytes]:
    """Scale bytes and codes of Q4_0 (top 15) and Q5_0 (top 31): d = the largest value / -8 or -16."""
    middle = (top + 1) // 2
    with np.errstate(over="ignore", invalid="ignore"):
        d = _largest(values) / np.float32(-middle)
        inverse = _inverse(d)
        scaled = values * inverse
        scaled += np.float32(middle + 0.5)
    return _halves(d), _codes(scaled, inverse, top)


def _above_minimum(values: Floats, top: int) -> tuple[Bytes, Bytes, Bytes]:
    """Scale bytes, minimum bytes and codes of Q4_1 (top 15) and Q5_1 (top 31)."""
    high, low = _extreme(values, np.maximum), _extreme(values, np.minimum)
    with np.errstate(over="ignore", invalid="ignore"):
        d = (high - low) / np.float32(top)
        scaled = values - low
        inverse = _inverse(d)
        scaled *= inverse
        scaled += np.float32(0.5)
    return _halves(d), _halves(low), _codes(scaled, inverse, top)


def _fifth(codes: Bytes) -> Bytes:
    return np.packbits(codes >> np.uint8(4), axis=1, bitorder="little")


def q4_0(values: Floats) -> Bytes:
    d, codes = _around_zero(values, 15)
    return _join(d, _pack(codes))


def q4_1(values: Floats) -> Bytes:
    d, m, codes = _above_minimum(values, 15)
    return _join(d, m, _pack(codes))


def q5_0(values: Floats) -> Bytes:
    d, codes = _around_zero(values, 31)
    return _join(d, _fifth(codes), _pack(codes))


def q5_1(values: Floats) -> Bytes:
    d, m, codes = _above_minimum(values, 31)
    return _join(d, m, _fifth(codes), _pack(codes))


def q8_0(values: Floats) -> Bytes:
    magnitude = np.abs(values)
    with np.errstate(over="ignore", invalid="ignore"):
        d = _extreme(magnitude, np.maximum) / np.float32(127)
        scaled = np.multiply(values, _inverse(d), out=magnitude)
        scaled += np.copysign(_BELOW_HALF, scaled)
        codes = scaled.astype(np.int8).view(np.uint8)
    return _join(_halves(d), codes)


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
