"""What the bytes at a place are as numbers and as text, in both byte orders: the rows of the data inspector.

    >>> {v.name: v.little for v in values(b"\\x00\\x3c\\x00\\x00") if v.name in ("f16", "u16")}
    {'u16': '15360', 'f16': '1.0'}

`data` begins at the caret and need not be longer than LOOKED. A value whose bytes are not there is "". Integers are
strings throughout: 2**63 and up do not survive a signed 64-bit variant on their way to a widget.
"""

from __future__ import annotations

import math
import struct
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .utf8 import expected_length

#: No value here looks at more bytes.
LOOKED = 16
#: A LEB128 number of 64 bits has at most ten bytes.
LEB_MOST = 10


@dataclass(frozen=True, slots=True)
class Value:
    """name: "u32", "UTF-8". size: bytes it takes (0: there is no such value here). little, big: by byte order; `big` is
    "" where there is no order."""

    name: str
    size: int
    little: str
    big: str = ""


def values(data: bytes) -> list[Value]:
    """All interpretations, always the same rows in the same order."""
    found = [Value("binary", *((1, f"{data[0]:08b}") if data else (0, "")))]
    for bits in (8, 16, 24, 32, 64):
        for signed in (False, True):
            found.append(_integer(data, bits // 8, signed))
    found.append(_float(data, "f16", "e"))
    found.append(_bf16(data))
    found.append(_float(data, "f32", "f"))
    found.append(_float(data, "f64", "d"))
    found += [_utf8(data), _utf16(data), *_leb(data)]
    return found


def _integer(data: bytes, size: int, signed: bool) -> Value:
    name = f"{'i' if signed else 'u'}{size * 8}"
    if len(data) < size:
        return Value(name, 0, "")
    little = str(int.from_bytes(data[:size], "little", signed=signed))
    return Value(name, size, little, "" if size == 1 else str(int.from_bytes(data[:size], "big", signed=signed)))


def _float(data: bytes, name: str, code: str) -> Value:
    """IEEE 754; as many digits as tell the value from its neighbours of the same width."""
    size = struct.calcsize(code)
    if len(data) < size:
        return Value(name, 0, "")
    little, big = (_number(struct.unpack(order + code, data[:size])[0], code) for order in "<>")
    return Value(name, size, little, big)


def _number(value: float, code: str) -> str:
    if not math.isfinite(value):
        return str(value)
    if value.is_integer() and abs(value) < 1e16:
        return f"{value:.1f}"  # exactly: 65504, where 65500 would tell it from its neighbours as well
    exact: np.floating[Any] = np.dtype(code).type(value)
    if 1e-4 <= abs(value) < 1e16:
        return np.format_float_positional(exact, trim="0")
    return np.format_float_scientific(exact, trim="-")


def _bf16(data: bytes) -> Value:
    """bfloat16: the upper half of an IEEE 754 binary32."""
    if len(data) < 2:
        return Value("bf16", 0, "")
    little = _float(b"\0\0" + data[:2], "", "f").little
    big = _float(b"\0\0" + data[1::-1], "", "f").little
    return Value("bf16", 2, little, big)


def _utf8(data: bytes) -> Value:
    size = expected_length(data[0]) if data else 0
    try:
        char = data[:size].decode("utf-8")
    except UnicodeDecodeError:
        char = ""
    return Value("UTF-8", size, describe(char)) if char else Value("UTF-8", 0, "not UTF-8 here" if data else "")


def _utf16(data: bytes) -> Value:
    """One code point; a surrogate that is alone is named, not shown."""
    shown, size = [], 0
    orders: tuple[Literal["little", "big"], ...] = ("little", "big")
    for order in orders:
        if len(data) < 2:
            return Value("UTF-16", 0, "")
        unit = int.from_bytes(data[:2], order)
        after = int.from_bytes(data[2:4], order) if len(data) >= 4 else 0
        if 0xD800 <= unit < 0xDC00 and 0xDC00 <= after < 0xE000:
            shown.append(describe(chr(0x10000 + ((unit - 0xD800) << 10) + after - 0xDC00)))
            size = 4
        elif 0xD800 <= unit < 0xE000:
            shown.append(f"U+{unit:04X} surrogate")
        else:
            shown.append(describe(chr(unit)))
    return Value("UTF-16", max(size, 2), *shown)


def describe(char: str) -> str:
    """U+00E9 é LATIN SMALL LETTER E WITH ACUTE"""
    picture = f" {char}" if char.isprintable() and not char.isspace() else ""
    name = unicodedata.name(char, "")
    return f"U+{ord(char):04X}{picture}{' ' + name if name else ''}"


def _leb(data: bytes) -> tuple[Value, Value]:
    """Little-endian base 128, unsigned and signed (DWARF 5, section 7.6), up to 64 bits."""
    size = next((k + 1 for k, b in enumerate(data[:LEB_MOST]) if b < 0x80), 0)
    if not size:
        return Value("ULEB128", 0, ""), Value("SLEB128", 0, "")
    number = sum((b & 0x7F) << (7 * k) for k, b in enumerate(data[:size]))
    signed = number - (1 << (7 * size)) if data[size - 1] & 0x40 else number
    return Value("ULEB128", size, str(number)), Value("SLEB128", size, str(signed))
