"""Sets of code points, as `tokenizers` has them: tables over all of Unicode, and look-ups of a whole text at once.

    >>> text = "a1 b"
    >>> table("NUMERIC")[code_points(text)]
    array([False,  True, False, False])

The data are in hf_tables.py, asked of the library over all code points; Python's own `unicodedata` is another version
of Unicode in every Python and agrees with none of the library's parts.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from . import hf_tables

Bools = NDArray[np.bool_]

#: U+20 and the code points that `Nmt` of the library turns into it, and those it drops.
NMT_SPACES = ((0x9, 0xA), (0xC, 0xD), (0x1680, 0x1680), (0x200B, 0x200F), (0x2028, 0x2029), (0x2581, 0x2581),
              (0xFEFF, 0xFEFF), (0xFFFD, 0xFFFD))
NMT_DROPPED = ((0x1, 0x8), (0xB, 0xB), (0xE, 0x1F), (0x7F, 0x7F), (0x8F, 0x8F), (0x9F, 0x9F))
#: What BertNormalizer puts spaces around.
CHINESE = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B81F),
           (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F))
INLINE = {"NMT_SPACES": NMT_SPACES, "NMT_DROPPED": NMT_DROPPED, "CHINESE": CHINESE}


@cache
def ranges(name: str) -> tuple[tuple[int, int], ...]:
    """(first, last) code points, ascending, of a set in hf_tables or in this module."""
    if name in INLINE:
        return INLINE[name]
    out, end = [], 0
    for part in getattr(hf_tables, name).split(";"):
        gap, length = (int(x, 16) for x in part.split(","))
        out.append((end + gap, end + gap + length - 1))
        end += gap + length
    return tuple(out)


@cache
def table(name: str) -> Bools:
    """bool (0x110000,): whether each code point is in the set."""
    made = np.zeros(0x110000, np.bool_)
    for first, last in ranges(name):
        made[first : last + 1] = True
    return made


@cache
def scripts() -> NDArray[np.uint8]:
    """uint8 (0x110000,): a number a script; 0 joins every script (UnicodeScripts calls it Any)."""
    made = np.zeros(0x110000, np.uint8)
    end = 0
    for part in hf_tables.SCRIPTS.split(";"):
        gap, length, number = (int(x, 16) for x in part.split(","))
        made[end + gap : end + gap + length] = number
        end += gap + length
    return made


@cache
def lower_map() -> dict[int, int | str]:
    """code point -> its lower case, for str.translate. Character by character: a final sigma is not special."""
    made: dict[int, int | str] = {0x130: "i\u0307"}
    for part in hf_tables.LOWER.split(";"):
        first, last, step, delta = part.split(",")
        for point in range(int(first, 16), int(last, 16) + 1, int(step)):
            made[point] = point + int(delta)
    return made


@cache
def lower_table() -> NDArray[np.uint32]:
    """uint32 (0x110000,): the lower case of every code point but U+0130, which becomes two."""
    made = np.arange(0x110000, dtype=np.uint32)
    for point, low in lower_map().items():
        if isinstance(low, int):
            made[point] = low
    return made


@cache
def char_class(*names: str, but: tuple[str, ...] = ()) -> str:
    """A set (or the union of several, less others) as the inside of a regex character class."""
    made = np.zeros(0x110000, np.bool_)
    for name in names:
        made |= table(name)
    for name in but:
        made &= ~table(name)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], made, [False])).astype(np.int8)))
    return "".join(f"\\U{a:08x}-\\U{b - 1:08x}" for a, b in edges.reshape(-1, 2).tolist())
