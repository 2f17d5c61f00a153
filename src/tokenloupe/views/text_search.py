"""Finding text or bytes in bytes: both ways, around the end, with or without case.

    query = Query.text("straße", case=False)
    query.next(data, 120)       # (start, end) or None; goes on at the start

A pattern is a regular expression over bytes: without case, each character becomes the choice of its cases in UTF-8, so
nothing is decoded and the text may hold any bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from ..core.tokenizer import to_bytes
from .editor_clipboard import from_hex


@dataclass(frozen=True)
class Query:
    """longest: the most bytes a match can have."""

    pattern: regex.Pattern[bytes]
    backward: regex.Pattern[bytes]
    longest: int

    @classmethod
    def text(cls, text: str, case: bool = False) -> Query | None:
        """None when there is nothing to find."""
        if not text:
            return None
        choices = [sorted({to_bytes(f) for f in (_cases(c) if not case else {c})}, key=len, reverse=True) for c in text]
        source = b"".join(b"(?:" + b"|".join(map(regex.escape, forms)) + b")" for forms in choices)
        return cls(regex.compile(source), regex.compile(b"(?r)" + source), sum(len(f[0]) for f in choices))

    @classmethod
    def hex(cls, text: str) -> Query | None:
        """Bytes in hexadecimal. InputError when it is not."""
        data = from_hex(text)
        if not data:
            return None
        source = regex.escape(data)
        return cls(regex.compile(source), regex.compile(b"(?r)" + source), len(data))

    def next(self, data: bytes, byte_pos: int) -> tuple[int, int] | None:
        """The first match at byte_pos or after it, else the first of all."""
        found = self.pattern.search(data, byte_pos) or self.pattern.search(data)
        return found.span() if found else None

    def previous(self, data: bytes, byte_pos: int) -> tuple[int, int] | None:
        """The last match that ends at byte_pos or before it, else the last of all."""
        found = self.backward.search(data, 0, byte_pos) or self.backward.search(data)
        return found.span() if found else None

    def all(self, data: bytes, limit: int = 1 << 30) -> Iterator[tuple[int, int]]:
        for k, found in enumerate(self.pattern.finditer(data)):
            if k >= limit:
                return
            yield found.span()


def _cases(char: str) -> set[str]:
    return {char, char.lower(), char.upper(), char.title(), char.casefold(), *(
        f for f in (char.lower().upper(), char.upper().lower()))}
