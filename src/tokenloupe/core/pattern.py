"""A split pattern -> where the pre-tokens of a text end.

    >>> compile_pattern(r" ?\\p{L}+| ?\\p{N}+|\\s+").ends(b"one two 3")
    array([3, 7, 9])
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
import regex

from .errors import InputError
from .vocabulary import Int64s

#: Whose rules a pattern is read by: tiktoken (fancy-regex), tokenizers (Oniguruma) or llama.cpp's own.
Engine = Literal["fancy-regex", "oniguruma", "llama.cpp"]


class Splitter:
    """pattern: the text it was compiled from; engine: whose rules."""

    def __init__(self, pattern: str, engine: Engine = "fancy-regex") -> None:
        self.pattern, self.engine = pattern, engine
        try:
            self._regex = regex.compile(pattern.replace("\\s", "\\p{White_Space}").replace("\\S", "\\P{White_Space}"))
        except regex.error as error:
            raise InputError(f"the split pattern cannot be read ({error})", where=repr(pattern)[:80]) from error

    def spans(self, data: bytes) -> tuple[Int64s, Int64s]:
        """(starts, ends) int64 byte offsets of the matches in valid UTF-8; what lies between is matched by nothing."""
        text = data.decode("utf-8")
        pairs = [m.span() for m in self._regex.finditer(text) if m.end() > m.start()]
        edges = np.array(pairs, np.int64).reshape(-1, 2)
        if len(text) != len(data):
            at = np.flatnonzero((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)
            edges = np.append(at, len(data))[edges]
        return edges[:, 0].copy(), edges[:, 1].copy()

    def ends(self, data: bytes) -> Int64s:
        """Byte offsets at which the pre-tokens end, for patterns that match every text wholly."""
        return self.spans(data)[1]


@lru_cache(maxsize=64)
def compile_pattern(pattern: str, engine: Engine = "fancy-regex") -> Splitter:
    """InputError when the pattern cannot be read."""
    return Splitter(pattern, engine)
