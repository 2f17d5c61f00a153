"""Finding what a regular expression matches, in bytes that need not be text, in bounded time.

    query = Expression.make(r"\\p{L}+(?=ing)", case=False)
    query.next("sing".encode(), 0)       # (0, 1)

The text is decoded so that a byte that is no UTF-8 is one character (a lone surrogate U+DC80 .. U+DCFF, Python's
"surrogateescape"), which maps back exactly. An expression may backtrack without end: each question has a time limit,
and a match without characters is none, as nobody could see it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import regex

from ..core.errors import InputError
from .text_search import Fetch, Span, check_length, joined

#: Seconds that one question may take, and the marks of one stretch on the screen.
PATIENCE, GLANCE = 1.0, 0.05
#: Bytes around a stretch that are looked at for its marks.
AROUND = 4096


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


class Expression:
    """The same questions as text_search.Query."""

    def __init__(self, pattern: regex.Pattern[str]) -> None:
        self._pattern = pattern
        self._data, self._text = b"", ""
        self._slow = False  # it took too long once: no marks, or every painting would wait

    @classmethod
    def make(cls, source: str, case: bool = False) -> Expression | None:
        """None when there is nothing to find. InputError when it is no expression."""
        if not source:
            return None
        check_length(source)
        flags = regex.MULTILINE | (0 if case else regex.IGNORECASE)
        try:
            return cls(regex.compile(source, flags))
        except (regex.error, ValueError, OverflowError, RecursionError) as error:
            reason = error.msg if isinstance(error, regex.error) else "it is too deep or too large"
            raise InputError("this is no regular expression", todo=str(reason)) from error

    def next(self, data: bytes, byte_pos: int) -> Span | None:
        """The first match at byte_pos or after it, else the first of all. InputError: it takes too long."""
        text = self._read(data)
        start = len(_decoded(data[:_char_start(data, byte_pos)]))
        for begin, least in ((start, byte_pos), (0, 0)):
            for found in self._matches(text, begin):
                span = self._span(found.span())
                if span[0] >= least:
                    return span
        return None

    def previous(self, data: bytes, byte_pos: int) -> Span | None:
        """The last match that ends at byte_pos or before it, else the last of all. Matches are those that a search from
        the start gives."""
        before = last = None
        for span in self.all(data):
            last = span
            if span[1] <= byte_pos:
                before = span
            elif before is not None:
                break
        return before or last

    def all(self, data: bytes, limit: int = 1 << 30) -> Iterator[Span]:
        for k, (_, start, end) in enumerate(self._placed(self._read(data))):
            if k >= limit:
                return
            yield start, end

    def near(self, fetch: Fetch, start: int, end: int) -> list[Span]:
        """Matches that touch bytes start .. end, to be marked. Those that depend on what is further away than AROUND
        may be missed, and all of them when it takes too long."""
        if self._slow:
            return []
        low = max(0, start - AROUND)
        data = fetch(low, end + AROUND)
        newline = data.rfind(b"\n", 0, start - low)
        if newline >= 0:  # stays in sight: the line begins behind it
            low, data = low + newline, data[newline:]
        out = []
        try:
            for _, first, last in self._placed(_decoded(data), low, 1 if low else 0, GLANCE):
                if first >= end:
                    break
                if last > start:
                    out.append((first, last))
        except InputError:
            return []
        return out

    def replacement(self, data: bytes, start: int, end: int, by: str) -> bytes:
        r"""What takes the place of one match: \1 and \g<name> are what its groups matched."""
        text, at = self._read(data), len(_decoded(data[:start]))
        found = next(self._matches(text, at), None)
        if found is None or found.start() != at:
            raise InputError("this is no match any more")
        return _expanded(found, by)

    def replace_all(self, data: bytes, by: str) -> tuple[int, int, bytes, int]:
        """(start, end, bytes, matches): what bytes start .. end become, from the first match to the last."""
        return joined(data, [(start, end, _expanded(found, by))
                             for found, start, end in self._placed(self._read(data))])

    # Inside

    def _read(self, data: bytes) -> str:
        if data is not self._data:
            self._data, self._text = data, _decoded(data)
        return self._text

    def _span(self, span: Span) -> Span:
        start = _size(self._text[: span[0]])
        return start, start + _size(self._text[span[0] : span[1]])

    def _placed(self, text: str, low: int = 0, begin: int = 0,
                patience: float = 0) -> Iterator[tuple[regex.Match[str], int, int]]:
        """Matches in order, with the bytes where they start and end. low: the byte of the text's first character."""
        plain, at, byte = text.isascii(), 0, low
        for found in self._matches(text, begin, patience):
            a, b = found.span()
            if plain:  # a character is a byte
                yield found, low + a, low + b
                continue
            start = byte + _size(text[at:a])
            at, byte = b, start + _size(text[a:b])
            yield found, start, byte

    def _matches(self, text: str, begin: int = 0, patience: float = 0) -> Iterator[regex.Match[str]]:
        patience = patience or PATIENCE
        until = time.monotonic() + patience
        try:
            for k, found in enumerate(self._pattern.finditer(text, begin, timeout=patience)):
                if k % 256 == 255 and time.monotonic() > until:
                    raise TimeoutError
                if found.end() > found.start():
                    yield found
        except (TimeoutError, MemoryError) as error:
            self._slow = True
            raise InputError("this expression takes too long here", todo="make it more exact") from error


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


def _char_start(data: bytes, byte_pos: int) -> int:
    """Not inside a character: at most three bytes before."""
    for _ in range(3):
        if 0 < byte_pos < len(data) and data[byte_pos] & 0xC0 == 0x80:
            byte_pos -= 1
    return byte_pos


def _expanded(found: regex.Match[str], by: str) -> bytes:
    try:
        new = found.expand(by)
    except (regex.error, IndexError, ValueError, OverflowError) as error:
        raise InputError("the replacement cannot be read", todo=f"{error}") from error
    try:
        return new.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a surrogate pair in the replacement
        return new.encode("utf-8", "surrogatepass")
