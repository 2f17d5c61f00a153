"""llama.cpp's view of code points: categories, white space, lower case, base characters, and how it reads UTF-8.

    >>> category_letters("a\u00e9\u0661 \u2003".encode().decode())     # one byte a character, ASCII as it is
    b'a\\xd2\\xd1 \\x0b'

Tables: llamacpp_tables.py. Rules: llama.cpp src/unicode.cpp (MIT), the version vendored in llama-cpp-python 0.3.36.
"""

from __future__ import annotations

import base64
import zlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from . import llamacpp_tables
from .text import code_points
from .vocabulary import Int64s

#: Category flags, as in unicode.h.
NUMBER, LETTER, SEPARATOR, MARK, PUNCTUATION, SYMBOL, CONTROL = 2, 4, 8, 16, 32, 64, 128
WHITESPACE = 256

#: The letters that stand for a category in a collapsed text; 0xD0 is none of them, 0x0B is white space.
LETTER_OF = {NUMBER: 0xD1, LETTER: 0xD2, PUNCTUATION: 0xD3, MARK: 0xD4, SYMBOL: 0xD5}
OTHER, SPACE_LETTER = 0xD0, 0x0B

_SIZE = 0x110000


def _unpacked(packed: str, width: int) -> NDArray[np.uint32]:
    return np.frombuffer(zlib.decompress(base64.b85decode(packed)), "<u4").reshape(-1, width)


@cache
def flags() -> NDArray[np.uint16]:
    """Category and WHITESPACE flags of every code point, uint16 (0x110000,)."""
    ranges = _unpacked(llamacpp_tables.RANGES, 2).astype(np.int64)
    out = np.ones(_SIZE, np.uint16)
    widths = np.diff(np.append(ranges[:, 0], _SIZE))
    out[: int(widths.sum())] = np.repeat(ranges[:, 1].astype(np.uint16), widths)
    out[_unpacked(llamacpp_tables.SPACES, 1).ravel()] |= WHITESPACE
    return out


@cache
def letters_of_points() -> NDArray[np.uint8]:
    """uint8 (0x110000,): the letter of each code point's category; ASCII stays itself."""
    table = np.full(_SIZE, OTHER, np.uint8)
    category = flags() & 0xFF
    for flag, letter in LETTER_OF.items():
        table[category == flag] = letter
    table[(flags() & WHITESPACE) > 0] = SPACE_LETTER
    table[:128] = np.arange(128)
    return table


def category_letters(text: str) -> bytes:
    """The text with each character beyond ASCII as the letter of its category: what llama.cpp's patterns run on."""
    if text.isascii():
        return text.encode()
    return letters_of_points()[code_points(text)].tobytes()


def ascii_spaces(text: str) -> str:
    """The text with white space beyond ASCII as U+000B, which is what std::regex counts as white space."""
    if text.isascii():
        return text
    points = code_points(text)
    spaces = (points > 0x7F) & ((flags()[points] & WHITESPACE) > 0)
    if not bool(spaces.any()):
        return text
    return np.where(spaces, np.uint32(SPACE_LETTER), points).tobytes().decode("utf-32-le", "surrogatepass")


@cache
def lower_map() -> dict[int, str]:
    """For str.translate: code point -> lower case."""
    return {a: chr(b) for a, b in _unpacked(llamacpp_tables.LOWER, 2).tolist()}


@cache
def base_map() -> dict[int, str]:
    """For str.translate: code point -> the first character of its canonical decomposition."""
    return {p: chr(base) for first, last, base in _unpacked(llamacpp_tables.NFD, 3).tolist()
            for p in range(first, last + 1) if p}


def read_utf8(data: bytes) -> tuple[str, Int64s]:
    """The text llama.cpp sees and the byte each character starts at, int64 (n+1,).

    It takes surrogates and overlong forms as they are spelled; any other byte that begins no character is U+FFFD.
    Characters beyond U+10FFFF, at which llama.cpp itself stops with an error, are read byte by byte.
    """
    points: list[int] = []
    starts: list[int] = []
    pos, size = 0, len(data)
    while pos < size:
        lead = data[pos]
        need = 1 if lead < 0x80 else 0 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        need = 0 if lead >= 0xF8 else need
        tail = data[pos + 1 : pos + need] if need else b""
        point = 0xFFFD
        if not need or len(tail) != need - 1 or any(b & 0xC0 != 0x80 for b in tail):
            need = 1
        else:
            point = lead if need == 1 else lead & (0x7F >> need)
            for byte in tail:
                point = point << 6 | byte & 0x3F
            if point > 0x10FFFF:
                point, need = 0xFFFD, 1
        points.append(point)
        starts.append(pos)
        pos += need
    text = np.array(points, "<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return text, np.array([*starts, size], np.int64)
