"""What a vocabulary consists of: whole characters and parts of them, single bytes, specials, scripts, coverage.

    >>> census = Census(VocabularyIndex(load_bundled("gpt2")))
    >>> census.counts.whole, census.counts.byte, census.counts.replaced
    (49913, 256, 352)

Every entry is of exactly one UTF-8 class (scripts.Utf8Class), so the classes add up to the total. The other counts are
counts of their own and may overlap. `replaced` counts the ids that decode with U+FFFD when they are alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .census_blocks import BLOCKS
from .query import VocabularyIndex
from .scripts import MIXED, Utf8Class, names_of_codes
from .segments import completeness
from .unicode_tables import engine_class
from .utf8 import pending
from .vocabulary import Int64s, TokenKind


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of entries. total is the sum of whole .. empty.

    whole: whole characters; starts_mid, ends_mid, both: begins or ends inside a character; interior: continuation bytes
    alone; invalid: part of no UTF-8; empty: no bytes. Overlapping: byte: one byte long; special, added, unused,
    unknown, byte_pieces: by kind; replaced: decodes with U+FFFD alone; characters: exactly one code point.
    holes: ids below the largest that no entry has.
    """

    total: int
    whole: int
    starts_mid: int
    ends_mid: int
    both: int
    interior: int
    invalid: int
    empty: int
    byte: int
    special: int
    added: int
    unused: int
    unknown: int
    byte_pieces: int
    replaced: int
    characters: int
    holes: int


@dataclass(frozen=True, slots=True)
class BlockCoverage:
    """A Unicode block: first..last code point; assigned ones; single: how many of them are an entry by themselves (or
    nothing but a leading space before it); used: how many stand in any entry."""

    name: str
    first: int
    last: int
    assigned: int
    single: int
    used: int


class PointState(IntEnum):
    """Of a code point: no character of Unicode's (in the tables of tiktoken's engine); in no entry; in longer entries
    only; an entry by itself, or with nothing but a space before it."""

    UNASSIGNED = 0
    ABSENT = 1
    USED = 2
    SINGLE = 3


class Census:
    """index: the vocabulary."""

    def __init__(self, index: VocabularyIndex) -> None:
        self.index, self.vocabulary = index, index.vocabulary

    @cached_property
    def counts(self) -> Counts:
        v, index = self.vocabulary, self.index
        by = np.bincount(index.classes, minlength=len(Utf8Class)).tolist()
        kinds = np.bincount(v.kinds, minlength=len(TokenKind)).tolist()
        replaced = len(self.replaced_rows)
        sizes = np.diff(index.points.offsets)
        return Counts(
            total=len(v), whole=by[Utf8Class.WHOLE], starts_mid=by[Utf8Class.STARTS_INSIDE],
            ends_mid=by[Utf8Class.ENDS_INSIDE], both=by[Utf8Class.BOTH], interior=by[Utf8Class.INTERIOR],
            invalid=by[Utf8Class.INVALID], empty=by[Utf8Class.EMPTY], byte=int(np.count_nonzero(index.lengths == 1)),
            special=kinds[TokenKind.SPECIAL], added=kinds[TokenKind.ADDED], unused=kinds[TokenKind.UNUSED],
            unknown=kinds[TokenKind.UNKNOWN], byte_pieces=kinds[TokenKind.BYTE], replaced=replaced,
            characters=int(np.count_nonzero((sizes == 1) & (index.classes == Utf8Class.WHOLE))),
            holes=v.size - len(v),
        )

    @cached_property
    def replaced_rows(self) -> Int64s:
        """Rows that decode with U+FFFD when they are alone: ill-formed, or U+FFFD itself."""
        points = self.index.points
        out = np.zeros(len(self.vocabulary), np.bool_)
        out[points.rows[points.points == 0xFFFD]] = True
        return np.flatnonzero(out)

    def rows_of(self, utf8: Utf8Class) -> Int64s:
        """The rows of a class."""
        return np.flatnonzero(self.index.classes == utf8)

    @cached_property
    def script_codes(self) -> list[tuple[str, int, int]]:
        """(script, entries whose letters are of it alone, its code in index.script), most first; among them "several
        scripts", and "no whole character"."""
        counts = np.bincount(self.index.script, minlength=256).tolist()
        names = [*names_of_codes(), *[""] * 256]
        names[0], names[MIXED] = "no whole character", "several scripts"
        return sorted(((names[c], n, c) for c, n in enumerate(counts) if n), key=lambda x: (-x[1], x[0]))

    @property
    def by_script(self) -> list[tuple[str, int]]:
        """(script, entries), most first."""
        return [(name, n) for name, n, _ in self.script_codes]

    @cached_property
    def by_length(self) -> Int64s:
        """int64: [k] is the number of entries of k bytes."""
        return np.bincount(self.index.lengths).astype(np.int64)

    @cached_property
    def bytes_used(self) -> Int64s:
        """int64 (256,): how often each byte stands in the entries, for the 16 x 16 map."""
        return np.bincount(np.frombuffer(self.vocabulary.blob, np.uint8), minlength=256).astype(np.int64)

    @cached_property
    def byte_ids(self) -> Int64s:
        """int64 (256,): the id of each single byte as an entry (ordinary ones first), -1 where there is none."""
        v, out = self.vocabulary, np.full(256, -1, np.int64)
        rows = np.flatnonzero(self.index.lengths == 1)[::-1]  # of several the lowest is written last
        ordinary = (v.kinds[rows] == TokenKind.NORMAL) | (v.kinds[rows] == TokenKind.ADDED)
        for some in (rows[~ordinary], rows[ordinary]):
            out[np.frombuffer(v.blob, np.uint8)[v.offsets[some]]] = v.ids[some]
        return out

    @cached_property
    def code_points(self) -> NDArray[np.uint8]:
        """uint8 (0x110000,) of PointState: what the vocabulary has of each code point."""
        points = self.index.points
        out = np.full(0x110000, PointState.ABSENT, np.uint8)
        out[points.points[points.valid]] = PointState.USED
        whole = self.index.classes == Utf8Class.WHOLE
        sizes, starts = np.diff(points.offsets), points.offsets[:-1]
        out[points.points[starts[whole & (sizes == 1)]]] = PointState.SINGLE
        two = starts[whole & (sizes == 2)]
        out[points.points[two[points.points[two] == 0x20] + 1]] = PointState.SINGLE
        out[engine_class("fancy-regex", "Cn")] = PointState.UNASSIGNED
        out[0xD800:0xE000] = PointState.UNASSIGNED  # surrogates are no characters
        return out

    @cached_property
    def coverage(self) -> list[BlockCoverage]:
        """Code-point coverage by Unicode block, in code-point order: blocks with an assigned character."""
        state = self.code_points
        firsts = np.array([b[0] for b in BLOCKS])
        lasts = np.array([b[1] for b in BLOCKS])
        sums = [np.concatenate(([0], np.cumsum(x))) for x in (
            state != PointState.UNASSIGNED, state == PointState.SINGLE, state >= PointState.USED)]
        numbers = [(s[lasts + 1] - s[firsts]).tolist() for s in sums]
        return [BlockCoverage(name, a, b, n, one, any_) for (a, b, name), n, one, any_ in
                zip(BLOCKS, *numbers, strict=True) if n]

    def completers(self, token_id: int) -> Int64s:
        """Ids of the tokens that complete this one: right after it, its last character becomes whole. Empty when it
        does not end inside a character."""
        piece = self.vocabulary.bytes_of(token_id)
        if piece is None:
            return np.zeros(0, np.int64)
        tail = piece[len(piece) - pending(piece):]
        heads = completing_heads(tail)
        if not heads:
            return np.zeros(0, np.int64)
        data = np.frombuffer(self.vocabulary.blob + bytes(4), np.uint8)
        starts = self.vocabulary.offsets[:-1]
        need = len(heads[0])
        rows = np.flatnonzero((self.index.lengths >= need) & ((data[starts] & 0xC0) == 0x80))
        allowed = set(heads)
        begins = starts[rows].tolist()
        blob = self.vocabulary.blob
        fits = [row for row, at in zip(rows.tolist(), begins, strict=True) if blob[at : at + need] in allowed]
        # What follows must be UTF-8 (or be cut short) as well.
        good = [r for r in fits if not completeness(self.vocabulary.bytes_at(r)[need:] or b"a").invalid
                and not completeness(self.vocabulary.bytes_at(r)[need:] or b"a").starts_inside]
        return self.vocabulary.ids[good]


def completing_heads(tail: bytes) -> list[bytes]:
    """The byte strings that make `tail` (a lead byte and what follows it) one whole character.

    >>> len(completing_heads(b"\\xe6\\x88")), completing_heads(b"a")
    (64, [])
    """
    return [chr(p).encode()[len(tail) :] for p in completing_points(tail).tolist()]


def completing_points(tail: bytes) -> Int64s:
    """The code points of the characters that begin with these bytes, ascending; none where no cut character has them.

    >>> [hex(p) for p in completing_points(b"\\xe6\\x88")[[0, -1]]]
    ['0x6200', '0x623f']
    """
    from .utf8 import LENGTH

    if not tail or pending(tail) != len(tail):
        return np.zeros(0, np.int64)
    size = int(LENGTH[tail[0]])
    first = tail[0] & (0x7F >> size)
    for byte in tail[1:]:
        first = first << 6 | (byte & 0x3F)
    shift = 6 * (size - len(tail))
    points = np.arange(first << shift, (first + 1) << shift, dtype=np.int64)
    least = (0x80, 0x800, 0x10000)[size - 2]
    return points[(points >= least) & (points < 0x110000) & ((points < 0xD800) | (points > 0xDFFF))]
