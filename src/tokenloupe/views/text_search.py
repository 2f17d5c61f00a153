"""Finding text or bytes in bytes: both ways, around the end, with or without case.

    query = Query.text("straße", case=False)
    query.next(data, 120)       # (start, end) or None; goes on at the start

A pattern is a regular expression over bytes: without case, each character becomes the choice of its cases in UTF-8, so
nothing is decoded and the text may hold any bytes. `text_search_regex` finds what the user's own expression matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import regex

from ..core.errors import InputError
from ..core.tokenizer import to_bytes
from .editor_clipboard import from_hex

#: Characters of a query: a longer one would take seconds to prepare.
LONGEST = 1000
Span = tuple[int, int]
#: bytes(start, end) of the text
Fetch = Callable[[int, int], bytes]


@dataclass(frozen=True)
class Query:
    """source: the expression over bytes. longest: the most bytes a match can have. replaces: by text -> bytes."""

    source: bytes
    longest: int
    replaces: Callable[[str], bytes]

    @classmethod
    def text(cls, text: str, case: bool = False) -> Query | None:
        """None when there is nothing to find. InputError when it is too long."""
        if not text:
            return None
        check_length(text)
        choices = [sorted({to_bytes(f) for f in (_cases(c) if not case else {c})}, key=len, reverse=True) for c in text]
        source = b"".join(b"(?:" + b"|".join(map(regex.escape, forms)) + b")" for forms in choices)
        return cls(source, sum(len(f[0]) for f in choices), to_bytes)

    @classmethod
    def hex(cls, text: str) -> Query | None:
        """Bytes in hexadecimal. InputError when it is not."""
        data = from_hex(text)
        return cls(regex.escape(data), len(data), from_hex) if data else None

    @cached_property
    def pattern(self) -> regex.Pattern[bytes]:
        return regex.compile(self.source)

    @cached_property
    def backward(self) -> regex.Pattern[bytes]:
        return regex.compile(b"(?r)" + self.source)

    def next(self, data: bytes, byte_pos: int) -> Span | None:
        """The first match at byte_pos or after it, else the first of all."""
        found = self.pattern.search(data, byte_pos) or self.pattern.search(data, 0, byte_pos + self.longest)
        return found.span() if found else None

    def previous(self, data: bytes, byte_pos: int) -> Span | None:
        """The last match that ends at byte_pos or before it, else the last of all."""
        found = self.backward.search(data, 0, byte_pos) or \
            self.backward.search(data, max(0, byte_pos - self.longest))
        return found.span() if found else None

    def all(self, data: bytes, limit: int = 1 << 30) -> Iterator[Span]:
        for k, found in enumerate(self.pattern.finditer(data)):
            if k >= limit:
                return
            yield found.span()

    def near(self, fetch: Fetch, start: int, end: int) -> list[Span]:
        """Matches that touch bytes start .. end, to be marked."""
        low = max(0, start - self.longest)
        data = fetch(low, end + self.longest)
        return [(a + low, b + low) for a, b in self.all(data) if a + low < end and b + low > start]

    def replacement(self, data: bytes, start: int, end: int, by: str) -> bytes:
        """What takes the place of one match. InputError: `by` cannot be read."""
        return self.replaces(by)

    def replace_all(self, data: bytes, by: str) -> tuple[int, int, bytes, int]:
        """(start, end, bytes, matches): what bytes start .. end become, from the first match to the last."""
        spans, new = list(self.all(data)), self.replaces(by)
        return joined(data, [(a, b, new) for a, b in spans])


def joined(data: bytes, changes: list[tuple[int, int, bytes]]) -> tuple[int, int, bytes, int]:
    """Many replacements in the order of the text as one."""
    if not changes:
        return 0, 0, b"", 0
    start = at = changes[0][0]
    out = []
    for a, b, new in changes:
        out += [data[at:a], new]
        at = b
    return start, at, b"".join(out), len(changes)


def check_length(text: str) -> None:
    if len(text) > LONGEST:
        raise InputError(f"{len(text):,} characters are too many to find", todo=f"{LONGEST:,} at most")


def _cases(char: str) -> set[str]:
    return {char, char.lower(), char.upper(), char.title(), char.casefold(), *(
        f for f in (char.lower().upper(), char.upper().lower()))}
