"""A part of a document with the tokens it has there: what a selection is when it is shown elsewhere.

    part = excerpt(document, 120, 180)
    part.encoding.data, part.encoding.ids       # tokens are those of the document, never encoded anew
    part.byte_start, part.first_token           # where they stand in it

A part encoded by itself would have other tokens at its ends. So the range grows until no token and no grapheme cluster
is cut at either end, and carries its tokens along; ExcerptDocument shows them to any view that shows documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from .bytelane_tokens import tokens_around
from .document import Change, Document, TokenWindow
from .errors import InputError
from .store import TextStore
from .text import decode_view
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer
from .vocabulary import Int64s

#: Bytes on either side within which the edge of a grapheme cluster is looked for.
AROUND = 4096
#: A chain of tokens and clusters that cut each other is followed this far.
TURNS = 64


@dataclass(frozen=True, slots=True)
class Excerpt:
    """encoding: of the bytes byte_start .. byte_start + len(encoding.data), spans relative to them.

    first_token: the document's index of its first token. whole: it is all of the document.
    """

    encoding: Encoding
    byte_start: int
    first_token: int
    whole: bool

    @property
    def byte_end(self) -> int:
        return self.byte_start + len(self.encoding.data)


def excerpt(document: Document, byte_start: int, byte_end: int) -> Excerpt:
    """The tokens that share a byte with the range; all of the document when it is empty.

    InputError: the document has no tokens there yet.
    """
    if byte_start >= byte_end:
        if not document.complete:
            raise InputError("the text has no tokens to its end yet", todo="wait until it has, or select a part")
        return Excerpt(document.encoding(), 0, 0, True)
    start, end = grown(document, byte_start, byte_end)
    if end > document.complete_to:
        raise InputError("the selection has no tokens to its end yet", todo="wait until it has")
    window = _tokens_of(document, start, end)
    data = document.store.bytes(start, end)
    whole = document.encoding() if not document.exact and document.complete else None
    lost = () if whole is None else tuple(
        Lost(max(item.start, start) - start, min(item.end, end) - start, item.stage)
        for item in whole.lost if item.start < end and item.end > start)
    encoding = Encoding(data, window.ids, np.clip(window.starts - start, 0, len(data)),
                        np.clip(window.ends - start, 0, len(data)), window.kinds, document.tokenizer.vocabulary,
                        lost, not lost)
    return Excerpt(encoding, start, window.first_index, start == 0 and end == len(document))


def _tokens_of(document: Document, start: int, end: int) -> TokenWindow:
    """Those that share a byte with the range, and those without bytes that stand in it (at the text's end, too)."""
    window = tokens_around(document, start, end)
    count = len(window)
    while end < len(document) and count and int(window.starts[count - 1]) == int(window.ends[count - 1]) == end:
        count -= 1
    return window if count == len(window) else document.tokens(window.first_index, window.first_index + count)


def grown(document: Document, byte_start: int, byte_end: int) -> tuple[int, int]:
    """The range made wider until neither a token nor a grapheme cluster is cut at its ends."""
    start, end = max(byte_start, 0), min(byte_end, len(document))
    for _ in range(TURNS):
        before = start, end
        window = document.window(start, end)
        if len(window):
            start = min(start, int(window.starts.min()))
            end = max(end, int(window.ends.max()))
        start, end = cluster_edges(document.store, start)[0], cluster_edges(document.store, end)[1]
        if (start, end) == before:
            break
    return start, end


def cluster_edges(store: TextStore, byte_pos: int) -> tuple[int, int]:
    """The edges of the grapheme cluster that a place lies inside of; the place itself, twice, when it is an edge."""
    low, high = max(byte_pos - AROUND, 0), min(byte_pos + AROUND, len(store))
    if not low < byte_pos < high:
        return byte_pos, byte_pos
    around = store.bytes(low, high)
    # A line end is always an edge, so what is before it need not be looked at.
    line = around.rfind(b"\n", 0, byte_pos - low) + 1
    if low + line == byte_pos:
        return byte_pos, byte_pos
    start, end = decode_view(around[line:]).grapheme_at_byte(byte_pos - low - line)
    start, end = start + low + line, end + low + line
    return (byte_pos, byte_pos) if start == byte_pos else (start, end)


class ExcerptDocument(Document):
    """An Excerpt as a document that is not edited: its tokens are what they were where it came from."""

    def __init__(self, tokenizer: Tokenizer, encoding: Encoding) -> None:
        self.store = TextStore(encoding.data)
        self.tokenizer = tokenizer
        self.special: SpecialMode = "text"
        self._given = encoding

    @property
    def complete_to(self) -> int:
        return len(self.store)

    @property
    def token_count(self) -> int:
        return len(self._given)

    @property
    def exact(self) -> bool:
        return self._given.exact

    def lost_in(self, byte_start: int, byte_end: int) -> list[Lost]:
        return [x for x in self._given.lost if x.start < byte_end and x.end > byte_start]

    def take_settled(self) -> int:
        return self.token_count

    def fill(self) -> Iterator[float]:
        yield 1.0

    def edit(self, byte_pos: int, removed: int, inserted: bytes | str) -> Change:
        raise RuntimeError("an excerpt is not edited")

    def set_data(self, data: bytes) -> None:
        raise RuntimeError("an excerpt is not edited")

    def set_tokenizer(self, tokenizer: Tokenizer, special: SpecialMode | Iterable[str] | None = None) -> None:
        raise RuntimeError("an excerpt keeps its tokens")

    def set_special(self, special: SpecialMode | Iterable[str]) -> None:
        raise RuntimeError("an excerpt keeps its tokens")

    def tokens(self, first: int, last: int) -> TokenWindow:
        e = self._given
        first = min(max(first, 0), len(e))
        cut = slice(first, min(max(last, first), len(e)))
        return TokenWindow(first, e.ids[cut], e.starts[cut], e.ends[cut], e.kinds[cut])

    def window(self, byte_start: int, byte_end: int) -> TokenWindow:
        e = self._given
        if byte_start >= byte_end:
            hit = np.flatnonzero((e.starts <= byte_start) & (e.ends >= byte_start))
        else:
            hit = np.flatnonzero((e.starts < byte_end) & (e.ends > byte_start))
        return self.tokens(int(hit[0]), int(hit[-1]) + 1) if len(hit) else self.tokens(0, 0)

    def preview(self, byte_start: int, byte_end: int) -> TokenWindow:
        return self.window(byte_start, byte_end)

    def token_at(self, byte_pos: int) -> int:
        e = self._given
        if byte_pos >= len(self.store):
            return len(e) - 1
        hit = np.flatnonzero((e.starts <= byte_pos) & (e.ends > byte_pos))
        return int(hit[0]) if len(hit) else -1

    def pre_token_edges(self, byte_start: int, byte_end: int) -> Int64s | None:
        return None

    def encoding(self) -> Encoding:
        return self._given
