"""A text that knows, character by character, which bytes of the input it comes from.

    >>> a = Aligned.of("é b".encode())
    >>> a.edited([Edit(0, 1, "e")]).text, a.edited([Edit(0, 1, "e")]).ends.tolist()
    ('e b', [2, 3, 4])

Every stage that changes the text makes another Aligned by `edited`, `kept` or `replaced`; what a character comes from
is never guessed afterwards. A character that nothing in the input is behind (a prefix space) has start == end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ragged import places
from ..text import code_points, utf8_widths
from ..vocabulary import Int64s
from .chars import Bools


class Edit(NamedTuple):
    """Characters start:end become `text`. sources: for each new character the (from, to) characters, counted from
    `start`, that it comes from; None when each of them comes from all of start:end. (k, k) is zero width before k."""

    start: int
    end: int
    text: str
    sources: Sequence[tuple[int, int]] | None = None


@dataclass(frozen=True, slots=True)
class Aligned:
    """text; starts, ends: int64 (len(text),), byte offsets into the input.

    shifted: that the library takes the first character to come from later than it does (after a Replace of several
    characters at the start): Metaspace's "first" asks whether a piece is at offset 0, and asks the library.
    """

    text: str
    starts: Int64s
    ends: Int64s
    shifted: bool = False

    @classmethod
    def of(cls, data: bytes, base: int = 0, keep_invalid: bool = False) -> Aligned:
        """A piece of the input that begins at byte `base`. A byte that is not part of valid UTF-8 is one U+FFFD;
        with keep_invalid it is U+DC00 + byte, which `utf8` turns back into the byte."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            # surrogateescape makes one character of every invalid byte, and valid text never has surrogates
            escaped = data.decode("utf-8", "surrogateescape")
            points = code_points(escaped)
            broken = (points >= 0xDC80) & (points <= 0xDCFF)
            widths = np.where(broken, 1, utf8_widths(points))
            ends = np.cumsum(widths) + base
            if keep_invalid:
                return cls(escaped, ends - widths, ends)
            text = np.where(broken, np.uint32(0xFFFD), points).astype("<u4").tobytes().decode("utf-32-le")
            return cls(text, ends - widths, ends)
        if len(text) == len(data):
            starts = np.arange(base, base + len(data), dtype=np.int64)
            return cls(text, starts, starts + 1)
        starts = np.flatnonzero((np.frombuffer(data, np.uint8) & 0xC0) != 0x80) + base
        return cls(text, starts, np.append(starts[1:], base + len(data)))

    def __len__(self) -> int:
        return len(self.text)

    def sub(self, start: int, end: int) -> Aligned:
        """Characters start:end."""
        return Aligned(self.text[start:end], self.starts[start:end], self.ends[start:end], self.shifted and not start)

    def kept(self, keep: Bools) -> Aligned:
        """Only the characters where keep (bool (n,)) is true."""
        if keep.all():
            return self
        text = code_points(self.text)[keep].tobytes().decode("utf-32-le", "surrogatepass")
        return Aligned(text, self.starts[keep], self.ends[keep], self.shifted)

    def replaced(self, text: str) -> Aligned:
        """Another text of the same length, character for character."""
        assert len(text) == len(self.text)
        return Aligned(text, self.starts, self.ends, self.shifted)

    def edge(self, index: int) -> int:
        """The byte offset before character `index` (at the end: after the last one)."""
        if index < len(self.starts):
            return int(self.starts[index])
        return int(self.ends[-1]) if len(self.ends) else 0

    def edited(self, edits: Sequence[Edit]) -> Aligned:
        """All edits at once; they are in order and do not overlap (several may insert at one place)."""
        if not edits:
            return self
        pieces: list[str] = []
        done = 0
        text = self.text
        for start, end, new, _ in edits:
            pieces += (text[done:start], new)
            done = end
        pieces.append(text[done:])
        starts = np.array([e[0] for e in edits], np.int64)
        ends = np.array([e[1] for e in edits], np.int64)
        sizes = np.array([len(e[2]) for e in edits], np.int64)
        own = [(i, e[3]) for i, e in enumerate(edits) if e[3] is not None]
        sources = None
        if own:
            which = np.array([i for i, _ in own], np.int64)
            flat = np.array([pair for _, pairs in own for pair in pairs], np.int64).reshape(-1, 2)
            sources = (which, flat)
        return self._rebuilt("".join(pieces), starts, ends, sizes, sources)

    def substituted(self, starts: Int64s, ends: Int64s, content: str) -> Aligned:
        """Every range becomes `content`; ranges are in order and do not overlap. An empty range is an insertion."""
        if len(content) == 1:  # what already is the content needs no change
            points = code_points(self.text)[np.minimum(starts, len(self.text) - 1)]
            same = (ends - starts == 1) & (points == ord(content))
            starts, ends = starts[~same], ends[~same]
        if not len(starts):
            return self
        text = self.text
        gaps = [text[a:b] for a, b in zip([0, *ends.tolist()], [*starts.tolist(), len(text)], strict=True)]
        return self._rebuilt(content.join(gaps), starts, ends, np.full(len(starts), len(content), np.int64), None)

    def _rebuilt(self, text: str, edit_from: Int64s, edit_to: Int64s, sizes: Int64s,
                 sources: tuple[Int64s, Int64s] | None) -> Aligned:
        """sources: (numbers of the edits that have their own, (from, to) of all their characters in a row)."""
        count = len(self.text)
        # Runs in turn: kept, edit, kept, edit, .., kept. `low`/`high` are the source characters of every new one.
        kept_from = np.append(0, edit_to)
        lengths = np.empty(2 * len(edit_from) + 1, np.int64)
        lengths[0::2], lengths[1::2] = np.append(edit_from, count) - kept_from, sizes
        begins = np.cumsum(lengths) - lengths
        shift = np.empty_like(lengths)
        shift[0::2], shift[1::2] = kept_from - begins[0::2], 0
        fixed = np.zeros_like(lengths)
        fixed[1::2] = edit_from
        width = np.ones_like(lengths)
        width[1::2] = edit_to - edit_from
        low = np.arange(int(lengths.sum())) + np.repeat(shift, lengths)
        edited = np.repeat(np.tile(np.array([False, True]), len(edit_from) + 1)[:-1], lengths)
        low[edited] = np.repeat(edit_from, sizes)
        high = low + np.repeat(width, lengths)
        if sources is not None:
            which, flat = sources
            own = sizes[which]
            at = places(begins[2 * which + 1], own)
            base = np.repeat(edit_from[which], own)
            low[at], high[at] = base + flat[:, 0], base + flat[:, 1]
        if not count:
            none = np.zeros(len(low), np.int64)
            return Aligned(text, none, none, self.shifted)
        edges = np.append(self.starts, self.ends[-1])
        empty = high <= low
        starts = edges[low]
        ends = np.where(empty, starts, self.ends[np.maximum(high - 1, 0)])
        return Aligned(text, starts, ends, self.shifted)

    def inserted(self, places: Sequence[int], text: str) -> Aligned:
        """`text` before each of the characters at `places`, with nothing of the input behind it."""
        none = [(0, 0)] * len(text)
        return self.edited([Edit(p, p, text, none) for p in places])

    def utf8(self) -> tuple[bytes, Int64s, Int64s]:
        """(bytes, starts, ends): the text's UTF-8, and the input bytes that each of its bytes comes from.

        A character of n bytes that comes from n bytes is taken byte by byte; otherwise each of its bytes comes from
        all of the character's source.
        """
        if self.text.isascii():
            return self.text.encode("ascii"), self.starts, self.ends
        data = self.text.encode("utf-8", "surrogateescape")
        widths = self.char_widths()
        lead = np.cumsum(widths) - widths
        owner = np.repeat(np.arange(len(lead)), widths)
        starts, ends = self.starts[owner], self.ends[owner]
        inside = np.arange(len(data)) - lead[owner]
        whole = self._bytewise(widths)[owner]
        starts = np.where(whole, starts + inside, starts)
        return data, starts, np.where(whole, starts + 1, ends)

    def behind(self, lows: Int64s, highs: Int64s, edges: Int64s) -> tuple[Int64s, Int64s]:
        """(starts, ends) in the input of the spans lows:highs of the text's UTF-8, where `utf8` tells it of every byte.
        edges: `byte_edges`. A span without a byte stands before the byte at `low`, or at the end."""
        count, size = len(self.text), int(edges[-1])
        if not count:
            none = np.zeros(len(lows), np.int64)
            return none, none
        first, last = np.minimum(lows, size - 1), np.maximum(highs - 1, 0)
        if size == count:
            starts, ends = self.starts.take(first), self.ends.take(last)
        else:
            widths = np.diff(edges)
            owner, whole = np.repeat(np.arange(count, dtype=np.int32), widths), self._bytewise(widths)
            chars = owner.take(first)
            starts = self.starts.take(chars)
            starts += np.where(whole.take(chars), first - edges.take(chars), 0)
            chars = owner.take(last)
            ends = np.where(whole.take(chars), self.starts.take(chars) + last - edges.take(chars) + 1,
                            self.ends.take(chars))
        ends = np.where(highs > lows, ends, starts)
        starts = np.where(lows >= size, self.ends[-1], starts)
        return starts, np.maximum(ends, starts)

    def _bytewise(self, widths: Int64s) -> Bools:
        """bool (n,): does each byte of a character of several come from a byte of the input? widths: `char_widths`."""
        own: Bools = (widths > 1) & (self.ends - self.starts == widths)
        return own

    def byte_edges(self) -> Int64s:
        """int64 (n + 1,): where each character begins in the text's UTF-8, and the end."""
        if self.text.isascii():
            return np.arange(len(self.text) + 1)
        return np.append(0, np.cumsum(self.char_widths()))

    def char_widths(self) -> NDArray[np.int64]:
        """int64 (n,): how many UTF-8 bytes each character has."""
        if self.text.isascii():
            return np.ones(len(self.text), np.int64)
        points = code_points(self.text)
        widths = utf8_widths(points)
        widths[(points >= 0xDC80) & (points <= 0xDCFF)] = 1
        return widths
