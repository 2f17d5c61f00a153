"""Where the strings of a JSON text are, by its bytes: quotation marks, escapes, keys. Whether it is JSON is not asked.

    >>> keys_written(b'{"a": 1, ":": "b"}')
    2
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ..core.vocabulary import Int64s

QUOTE, BACKSLASH, COLON = 34, 92, 58
Bytes = NDArray[np.uint8]

#: So many blanks between a key and its colon are stepped over in all places at once, more in each by itself.
ROUNDS = 16
_COLON = re.compile(rb"[ \t\r\n]*:")

#: Bytes that are looked through at a time.
BLOCK = 1 << 17


def places(buffer: Bytes, byte: int) -> Int64s:
    """Where a byte stands. What is in between stays in the processor's cache."""
    parts = [np.flatnonzero(buffer[i : i + BLOCK] == byte) + i for i in range(0, len(buffer), BLOCK)]
    return np.concatenate(parts)


def unescaped(quotes: Int64s, slashes: Int64s) -> Int64s:
    """The quotation marks that no backslash stands before; of several backslashes every second one is escaped."""
    if not len(slashes):
        return quotes
    heads = np.flatnonzero(np.append(True, np.diff(slashes) > 1))
    nth = np.arange(len(slashes)) - np.repeat(heads, np.diff(np.append(heads, len(slashes))))
    escaped = slashes[nth % 2 == 0] + 1
    at = np.searchsorted(quotes, escaped)
    at = at[quotes.take(at, mode="clip") == escaped] if len(quotes) else at[:0]
    return np.delete(quotes, at)


def keys_written(data: bytes) -> int:
    """How many keys there are: strings with a colon behind them."""
    buffer = np.frombuffer(data, np.uint8)
    at = unescaped(places(buffer, QUOTE), places(buffer, BACKSLASH))[1::2] + 1
    count = 0
    for _ in range(ROUNDS):
        at = at[at < len(buffer)]
        behind = buffer.take(at)
        count += int(np.count_nonzero(behind == COLON))
        at = at[behind <= 32] + 1  # blanks between a key and its colon
        if not len(at):
            return count
    return count + sum(_COLON.match(data, i) is not None for i in at.tolist())
