"""A segmentation as a reader sees it: grapheme clusters in text order, each in one token or split between several.

    >>> [(s.text, s.parts) for s in segments(encoding)]        # "hi 漢" in gpt2
    [('hi', ((0, 0, 2),)), (' ', ((1, 2, 3),)), ('漢', ((1, 3, 4), (2, 4, 5), (3, 5, 6)))]

Neighbouring clusters that lie wholly in the same token are one segment. Tokens with no bytes of their own in the input
(zero width, or another token has the bytes) are named by `unseen`, so that no token is lost from a picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .text import decode_view
from .tokenizer import Encoding
from .vocabulary import Int64s


@dataclass(frozen=True, slots=True)
class Segment:
    """text of data[start:end] (an invalid byte is one U+FFFD).

    parts: (token index, byte start, byte end) in text order; the index is -1 for bytes that no token has. One part:
    the segment lies in one token. Several: one cluster that is split.
    valid: False when any byte is not part of valid UTF-8.
    """

    start: int
    end: int
    text: str
    parts: tuple[tuple[int, int, int], ...]
    valid: bool

    @property
    def split(self) -> bool:
        return len(self.parts) > 1


def owners(encoding: Encoding) -> Int64s:
    """The token index of every input byte, -1 where no token has it; of several, the first in order."""
    owner = np.full(len(encoding.data), -1, np.int64)
    spans = zip(encoding.starts.tolist(), encoding.ends.tolist(), strict=True)
    for index, (start, end) in reversed(list(enumerate(spans))):
        owner[start:end] = index
    return owner


def segments(encoding: Encoding) -> list[Segment]:
    """All of the input in text order. O(n)."""
    data = encoding.data
    view = decode_view(data)
    owner = owners(encoding)
    edges = [*view.grapheme_byte_starts.tolist()]
    if not edges or edges[-1] != len(data):
        edges.append(len(data))
    changes = np.flatnonzero(np.diff(owner)) + 1
    found: list[Segment] = []

    def piece(start: int, end: int, parts: tuple[tuple[int, int, int], ...]) -> Segment:
        first, last = view.cp_of_byte(start), view.cp_of_byte(end) if end < len(data) else len(view)
        return Segment(start, end, view.text[first:last], parts, bool(view.valid[first:last].all()))

    run = 0  # where the run of whole clusters in one token began
    for start, end in pairwise(edges):
        inside = changes[np.searchsorted(changes, start, "right") : np.searchsorted(changes, end, "left")].tolist()
        begins = start in changes[np.searchsorted(changes, start) :][:1]
        if (inside or begins) and run < start:
            found.append(piece(run, start, ((int(owner[run]), run, start),)))
            run = start
        if inside:
            cuts = [start, *inside, end]
            found.append(piece(start, end, tuple((int(owner[a]), a, b) for a, b in pairwise(cuts))))
            run = end
    if run < len(data):
        found.append(piece(run, len(data), ((int(owner[run]), run, len(data)),)))
    return found


def unseen(encoding: Encoding) -> list[int]:
    """Indices of the tokens that own no byte of the input."""
    owner = owners(encoding)
    seen = set(np.unique(owner).tolist())
    return [i for i in range(len(encoding)) if i not in seen]


@dataclass(frozen=True, slots=True)
class Completeness:
    """How a token's bytes sit in UTF-8. starts_inside: begins with continuation bytes; ends_inside: its last character
    is cut; invalid: bytes that are part of no character however it is completed."""

    starts_inside: bool
    ends_inside: bool
    invalid: bool

    @property
    def whole(self) -> bool:
        return not (self.starts_inside or self.ends_inside or self.invalid)

    @property
    def word(self) -> str:
        """For tables and screen readers: "" when whole."""
        if self.invalid:
            return "not UTF-8"
        if self.starts_inside and self.ends_inside:
            return "partial at both ends"
        if self.starts_inside:
            return "partial: begins inside a character"
        return "partial: ends inside a character" if self.ends_inside else ""


def completeness(piece: bytes) -> Completeness:
    """Whether a token's bytes are whole characters.

    >>> completeness(b"\\x98\\x80").starts_inside, completeness(b"ok\\xf0\\x9f").ends_inside
    (True, True)
    """
    from .utf8 import continuing, pending

    head = continuing(piece)
    rest = piece[head:]
    tail = pending(rest)
    middle = rest[: len(rest) - tail]
    try:
        middle.decode("utf-8")
        invalid = False
    except UnicodeDecodeError:
        invalid = True
    return Completeness(head > 0, tail > 0, invalid)


def characters(piece: bytes) -> list[str | bytes]:
    """A token's bytes as runs of whole characters (str) and of bytes that are none (a lead with its continuations).

    >>> characters(b"ok\\xf0\\x9f")
    ['ok', b'\\xf0\\x9f']
    """
    parts: list[str | bytes] = []
    rest = piece
    while rest:
        try:
            parts.append(rest.decode("utf-8"))
            break
        except UnicodeDecodeError as error:
            if error.start:
                parts.append(rest[: error.start].decode("utf-8"))
            stop = error.end
            while stop < len(rest) and 0x80 <= rest[stop] < 0xC0:
                stop += 1
            parts.append(rest[error.start : stop])
            rest = rest[stop:]
    return parts
