"""What people type in a search box, read: ids and ranges, bytes in hex, lengths.

    >>> parse_hex("e6 8"), length_range("2-4"), length_range("10-")
    ((b'\\xe6', 8), (2, 4), (10, None))
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .vocabulary import Int64s

_MOST = 2**63 - 1
_RANGE = re.compile(r"\s*(\d{1,19})\s*(?:(-|\.\.)\s*(\d{1,19})?)?\s*$", re.ASCII)


def ranges(text: str, what: str = "id") -> list[tuple[int, int]]:
    """The (first, last) of "7, 10-20, 100-", clamped to 63 bits; InputError names the part that is neither."""
    out: list[tuple[int, int]] = []
    for part in text.split(","):
        if not part.strip():
            continue
        match = _RANGE.match(part)
        if match is None:
            raise InputError(f"{part.strip()!r} is neither {'an' if what == 'id' else 'a'} {what} nor a range",
                             todo="write 7, 10-20 or 100-")
        low = int(match[1])
        high = low if match[2] is None else int(match[3]) if match[3] else _MOST
        out.append((min(low, _MOST), min(high, _MOST)))
    return out


def id_ranges(text: str, ids: Int64s, what: str = "id") -> NDArray[np.bool_]:
    """bool (n,): which of the ids (ascending) lie in the ranges of a text."""
    keep = np.zeros(len(ids), np.bool_)
    for low, high in ranges(text, what):
        keep[np.searchsorted(ids, low) : np.searchsorted(ids, high, "right")] = True
    return keep


def parse_hex(text: str) -> tuple[bytes, int | None]:
    """(whole bytes, the high half of one more or None). InputError names the digit that is none."""
    digits = "".join(text.split()).lower()
    bad = next((c for c in digits if c not in "0123456789abcdef"), None)
    if bad is not None:
        raise InputError(f"{bad!r} is no hex digit", todo="write bytes as two digits each: e6 88 91")
    half = int(digits[-1], 16) if len(digits) % 2 else None
    return bytes.fromhex(digits[: len(digits) // 2 * 2]), half


_LENGTH = re.compile(r"\s*(\d{0,9})\s*(-?)\s*(\d{0,9})\s*$", re.ASCII)


def length_range(text: str) -> tuple[int | None, int | None] | None:
    """ "3", "2-4", "10-", "-5" as (least, most); None for nothing. InputError for anything else."""
    if not text.strip():
        return None
    match = _LENGTH.match(text)
    if match is None or not (match[1] or match[3]) or (not match[2] and match[3]):
        raise InputError(f"{text.strip()!r} is no length", todo="write 3, 2-4 or 10-")
    least, most = (int(match[g]) if match[g] else None for g in (1, 3))
    return (least, most) if match[2] else (least, least)
