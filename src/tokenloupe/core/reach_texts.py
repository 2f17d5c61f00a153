"""Texts in which an entry might come about: neighbours for whole characters, the rest of the character for parts.

    >>> contexts(b"\\xe6\\x88", Utf8Class.ENDS_INSIDE, 0)[0].decode()
    '戀'

All are valid UTF-8. A stage is a longer list than the one before: the first settles most.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TypeVar

import numpy as np

from .census import completing_points
from .query import VocabularyIndex
from .scripts import Utf8Class
from .unicode_tables import engine_class
from .utf8 import continuing, is_valid, pending
from .vocabulary import Int64s, TokenKind

T = TypeVar("T")

#: Neighbours on one side: blanks, letters of both cases, a digit, line ends, signs, a letter of two and of three bytes.
NEIGHBOURS = (" ", "a", "A", "1", "\n", "!", "\t", "'", "é", "中", "  ", "\r\n")
#: Tried on both sides at once.
PAIRS = (" ", "a", "1", "\n", "!", "中")
#: Letters that no other entry has, as neighbours.
QUIET = 6
#: Ways to complete a cut character that are tried, by stage.
WAYS = (16, 64, 320)


@cache
def _assigned() -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    out = ~engine_class("fancy-regex", "Cn")
    out[0xD800:0xE000] = False
    return out


@cache
def characters() -> Int64s:
    """Code points of every assigned character and some of the private ones."""
    use = _assigned() & ~engine_class("fancy-regex", "Co")
    for first in (0xE000, 0xF0000, 0x100000):
        use[first : first + 64] = True
    return np.flatnonzero(use)


def quiet_letters(index: VocabularyIndex) -> list[str]:
    """Letters that are entries and in as few others as can be: beside them an entry is left alone. Of several scripts,
    and of more than letters that some pre-tokenizers make words of their own (Han)."""
    points = index.points
    sizes = np.diff(points.offsets)
    alone = (sizes == 1) & (index.vocabulary.kinds == TokenKind.NORMAL) & (index.classes == Utf8Class.WHOLE)
    single = points.points[points.offsets[:-1][alone]]
    uses = np.bincount(points.points[points.valid & ~alone[points.rows]], minlength=0x110000)
    chosen: list[str] = []
    blocks: set[int] = set()
    for point in single[np.argsort(uses[single], kind="stable")].tolist():
        if point >> 8 not in blocks and chr(point).isalpha() and not 0x4E00 <= point < 0xA000:
            blocks.add(point >> 8)
            chosen.append(chr(point))
            if len(chosen) == QUIET:
                break
    return chosen


def contexts(piece: bytes, utf8: int, stage: int, quiet: Sequence[str] = ()) -> list[bytes]:
    """Texts to try, those of earlier stages not among them as a rule. utf8: the entry's Utf8Class. quiet: letters
    that are likely to leave it alone."""
    if utf8 == Utf8Class.WHOLE:
        if stage == 0:
            usual, some = [n.encode() for n in NEIGHBOURS], [q.encode() for q in quiet]
            before = [*usual[:2], *some, *usual[2:]]
            return [*(n + piece for n in before), *(piece + n for n in before), *(q + piece + q for q in some)]
        return [a.encode() + piece + b.encode() for a in PAIRS for b in PAIRS] if stage == 1 else []
    if utf8 in (Utf8Class.INVALID, Utf8Class.EMPTY):
        return []
    ways = WAYS[stage]
    head = continuing(piece)
    fronts = _fronts(piece[:head], ways) if head else [b""]
    tail = piece[len(piece) - pending(piece[head:]) :] if pending(piece[head:]) else b""
    backs = _completions(tail, ways) if tail else [b""]
    each = max(1, int(ways**0.5)) if head and tail else ways
    texts = [a + piece + b for a in fronts[:each] for b in backs[:each]]
    if utf8 == Utf8Class.INTERIOR:  # the middle of a character of three or four bytes, too
        texts += _around(piece, ways)
    if stage == 2:
        texts += [n.encode() + t for t in texts[:32] for n in PAIRS] + [t + n.encode() for t in texts[:32]
                                                                         for n in PAIRS]
    return [t for t in texts if is_valid(t)]


@lru_cache(maxsize=512)
def _completions(tail: bytes, ways: int) -> list[bytes]:
    """What completes a cut character (a lead byte and what follows it), such that it is an assigned one if it can be;
    at most so many ways, evenly over all."""
    points = completing_points(tail)
    good = points[_assigned()[points]]
    return [chr(p).encode()[len(tail) :] for p in spread((good if len(good) else points).tolist(), ways)]


@lru_cache(maxsize=1024)
def _fronts(head: bytes, ways: int) -> list[bytes]:
    """Lead bytes (and what follows them) before continuation bytes, such that both are one character."""
    size, value = len(head), 0
    for byte in head:
        value = value << 6 | (byte & 0x3F)
    step = 1 << (6 * size)
    points = np.arange(value, 0x110000, step)
    points = points[points >= (0x80, 0x800, 0x10000)[size - 1]]
    points = points[(points < 0xD800) | (points > 0xDFFF)]
    good = points[_assigned()[points]]
    chosen = good if len(good) else points
    return [chr(p).encode()[:-size] for p in spread(chosen.tolist(), ways)]


def _around(piece: bytes, ways: int) -> list[bytes]:
    """Characters that have these continuation bytes inside, and more of them behind."""
    out: list[bytes] = []
    for lead in (b"\xe1", b"\xe4", b"\xe5", b"\xe3", b"\xe0", b"\xea", b"\xf0", b"\xf1", b"\xf3"):
        for middle in (b"", b"\x90", b"\x9f", b"\xa0"):
            front = lead + middle + piece
            if pending(front) == len(front):
                out += [front + h for h in _completions(front, max(1, ways // 8))]
    return out


def spread(items: list[T], count: int) -> list[T]:
    """At most so many of them, evenly over the list."""
    if len(items) <= count:
        return items
    return [items[i * len(items) // count] for i in range(count)]
