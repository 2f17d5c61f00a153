"""Pre-tokenizers: where a normalized text is cut before the model sees it.

    >>> stages = make_pre_tokenizers(Fields({"type": "WhitespaceSplit"}, "pre_tokenizer"))
    >>> pieces = stages[0].run(Pieces.whole(Aligned.of(b"a bc ")))
    >>> pieces.texts()
    ['a', 'bc']

Stages that look at single characters cut all pieces at once with numpy; those with a regex cut piece by piece, because
to an anchor or a look-ahead the piece's end is the end. PRE_TOKENIZERS is the registry: JSON type -> constructor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..bytemap import SPELL
from ..errors import InputError
from ..pattern import FEW
from ..text import code_points
from ..vocabulary import Int64s
from .aligned import Aligned
from .chars import Bools, scripts, table
from .fields import Fields, unknown_stage
from .matching import Pattern
from .word_table import WordTable

#: The pattern of the ByteLevel stage (GPT-2's).
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


@dataclass(frozen=True, slots=True)
class Pieces:
    """Character ranges starts[i]:ends[i] of a text, in order, none empty. What lies between was removed.

    owners: the number of the section (what lies between two added tokens) that each comes from.
    """

    text: Aligned
    starts: Int64s
    ends: Int64s
    owners: Int64s

    @classmethod
    def whole(cls, text: Aligned) -> Pieces:
        count = 1 if text.text else 0
        return cls(text, np.zeros(count, np.int64), np.full(count, len(text.text), np.int64),
                   np.zeros(count, np.int64))

    def texts(self) -> list[str]:
        text = self.text.text
        return [text[a:b] for a, b in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]

    def cut(self, before: Bools, keep: Bools | None = None) -> Pieces:
        """Cut before the characters where `before` is true (bool (n,)), and drop those where `keep` is false.

        A character that is dropped must be cut from its neighbours by `before`.
        """
        if not len(self.starts):
            return self
        marks = before.copy()
        marks[self.starts] = True
        inside = np.zeros(len(before) + 1, np.int8)
        inside[self.starts] += 1  # starts are distinct, and so are ends
        inside[self.ends] -= 1
        inside_mask = np.cumsum(inside[:-1]) > 0
        if keep is not None:
            inside_mask &= keep
        starts = np.flatnonzero(marks & inside_mask)
        stop = marks | ~inside_mask
        stops = np.append(np.flatnonzero(stop), len(before))
        ends = stops[np.searchsorted(stops, starts, "right")]
        owners = self.owners[np.searchsorted(self.starts, starts, "right") - 1]
        return Pieces(self.text, starts, ends, owners)


class PreTokenizer(Protocol):
    @property
    def name(self) -> str: ...

    def run(self, pieces: Pieces) -> Pieces: ...


def by_behavior(behavior: str, match: Bools) -> tuple[Bools, Bools | None]:
    """(before, keep) for Pieces.cut where every character with match[i] is a delimiter by itself."""
    previous = np.append(False, match[:-1])
    if behavior == "Isolated":
        return match | previous, None
    if behavior == "Removed":
        return match | previous, ~match
    if behavior == "Contiguous":
        return match != previous, None
    if behavior == "MergedWithPrevious":
        return previous, None
    return match.copy(), None


@dataclass(frozen=True)
class CharSplit:
    """Cuts at the characters of a set: Digits, Punctuation, WhitespaceSplit, CharDelimiterSplit."""

    name: str
    charset: str
    behavior: str

    def run(self, pieces: Pieces) -> Pieces:
        points = code_points(pieces.text.text)
        match = points == ord(self.charset) if len(self.charset) == 1 else table(self.charset)[points]
        return pieces.cut(*by_behavior(self.behavior, match)) if match.any() else pieces


@dataclass(frozen=True)
class Whitespace:
    r"""`\w+|[^\w\s]+`, the rest removed."""

    name: str = "Whitespace"

    def run(self, pieces: Pieces) -> Pieces:
        points = code_points(pieces.text.text)
        space = table("WHITESPACE")[points]
        kind = table("WORD")[points].astype(np.int8) + 2 * space
        before = kind != np.append(-1, kind[:-1])
        return pieces.cut(before, ~space)


@dataclass(frozen=True)
class BertPreTokenizer:
    """White space removed, every punctuation character a piece."""

    name: str = "BertPreTokenizer"

    def run(self, pieces: Pieces) -> Pieces:
        points = code_points(pieces.text.text)
        space, mark = table("WHITESPACE")[points], table("PUNCTUATION")[points]
        alone = space | mark
        return pieces.cut(alone | np.append(False, alone[:-1]), ~space)


@dataclass(frozen=True)
class UnicodeScripts:
    """Cuts where the script changes; a space is of every script; what stands before a piece's first script is lost."""

    name: str = "UnicodeScripts"

    def run(self, pieces: Pieces) -> Pieces:
        script = scripts()[code_points(pieces.text.text)]
        real = np.flatnonzero(script)
        before = np.zeros(len(script), np.bool_)
        keep = np.ones(len(script), np.bool_)
        if len(real):
            before[real[1:][script[real[1:]] != script[real[:-1]]]] = True
        for start, end in zip(pieces.starts.tolist(), pieces.ends.tolist(), strict=True):
            if not script[start]:
                first = int(np.searchsorted(real, start))
                head = min(int(real[first]), end) if first < len(real) else end
                keep[start:head] = False
                if head < end:
                    before[head] = True
        return pieces.cut(before, keep)


@dataclass(frozen=True)
class FixedLength:
    """Every `length` characters."""

    length: int
    name: str = "FixedLength"

    def run(self, pieces: Pieces) -> Pieces:
        if not len(pieces.starts):
            return pieces
        counts = -(-(pieces.ends - pieces.starts) // self.length)
        piece = np.repeat(np.arange(len(counts)), counts)
        starts = pieces.starts[piece] + (np.arange(len(piece)) - (np.cumsum(counts) - counts)[piece]) * self.length
        return Pieces(pieces.text, starts, np.minimum(starts + self.length, pieces.ends[piece]), pieces.owners[piece])


class Split:
    """Cuts at what a pattern matches; `invert`: at what it does not match."""

    def __init__(self, pattern: Pattern, behavior: str, invert: bool, name: str = "Split") -> None:
        self.pattern, self.behavior, self.invert, self.name = pattern, behavior, invert, name
        self._table = WordTable(self._one)

    def run(self, pieces: Pieces) -> Pieces:
        text = pieces.text.text
        if not self.pattern.is_regex and self.pattern.source not in text and not self.invert:
            return pieces
        if len(pieces.starts) == 1:
            begin = int(pieces.starts[0])
            starts, ends = self.ranges(text[begin : int(pieces.ends[0])])
            return Pieces(pieces.text, starts + begin, ends + begin, np.repeat(pieces.owners, len(starts)))
        _, starts, ends, counts = self._table.encode(pieces.texts())
        shift = np.repeat(pieces.starts, counts)
        return Pieces(pieces.text, starts + shift, ends + shift, np.repeat(pieces.owners, counts))

    def _one(self, piece: str) -> tuple[list[int], list[int], list[int]]:
        """The ranges in the form of a model's word: (anything, starts, ends)."""
        found = self._short(piece) if len(piece) <= FEW else None
        if found is None:
            starts, ends = self.ranges(piece)
            found = (starts.tolist(), ends.tolist())
        return found[0], found[0], found[1]

    def _short(self, text: str) -> tuple[list[int], list[int]] | None:
        """`ranges` without arrays for the usual behaviour; None for the others."""
        if self.behavior != "Isolated" or self.pattern.may_be_empty:
            return None
        found = self.pattern.spans(text)
        if not found:
            return [0], [len(text)]
        starts: list[int] = []
        done = 0
        for start, end in found:
            if start > done:
                starts.append(done)
            starts.append(start)
            done = end
        if done < len(text):
            starts.append(done)
        return starts, [*starts[1:], len(text)]

    def ranges(self, text: str) -> tuple[Int64s, Int64s]:
        """The pieces of one text, none of them empty."""
        found, stops = self.pattern.span_arrays(text)
        if not self.pattern.is_regex and not self.pattern.source:
            found = stops = np.zeros(0, np.int64)
        # Segments in turn: what is not matched (left out when empty), a match (kept when empty: it still cuts), ..
        gap_from, gap_to = np.append(0, stops), np.append(found, len(text))
        count = 2 * len(found) + 1
        a, b, match = np.empty(count, np.int64), np.empty(count, np.int64), np.zeros(count, np.bool_)
        a[0::2], b[0::2] = gap_from, gap_to
        a[1::2], b[1::2], match[1::2] = found, stops, True
        some = match | (b > a)
        a, b, match = a[some], b[some], match[some] != self.invert
        if self.behavior == "Removed":
            a, b = a[~match], b[~match]
        elif self.behavior != "Isolated" and len(a):
            after, first = match[1:], match[:-1]
            if self.behavior == "MergedWithPrevious":
                joined = after & ~first
            elif self.behavior == "MergedWithNext":
                joined = first & ~after
            else:
                joined = first == after
            begins = np.append(True, ~joined)
            a, b = a[begins], b[np.append(begins[1:], True)]
        some = b > a
        return a[some], b[some]


class Metaspace:
    """Spaces become the replacement (`▁`), one is put before a piece that has none, and pieces begin at it."""

    def __init__(self, replacement: str, prepend: str, split: bool) -> None:
        self.replacement, self.prepend, self.split, self.name = replacement, prepend, split, "Metaspace"

    def run(self, pieces: Pieces) -> Pieces:
        if not len(pieces.starts):
            return pieces
        text = pieces.text.replaced(pieces.text.text.replace(" ", self.replacement))
        starts, ends = pieces.starts, pieces.ends
        if self.prepend != "never":
            lacking = [i for i, p in enumerate(starts.tolist()) if text.text[p] != self.replacement
                       and (self.prepend == "always" or (int(text.starts[p]) == 0 and not (text.shifted and not p)))]
            if lacking:
                text = text.inserted(starts[lacking].tolist(), self.replacement)
                added = np.zeros(len(starts), np.int64)
                added[lacking] = 1
                ends = ends + np.cumsum(added)
                starts = starts + np.cumsum(added) - added
        pieces = Pieces(text, starts, ends, pieces.owners)
        if not self.split:
            return pieces
        return pieces.cut(code_points(text.text) == ord(self.replacement))


class ByteLevel:
    """GPT-2's: a space before a piece that has none (if asked), its pattern (if asked), every byte its character."""

    def __init__(self, add_prefix_space: bool, use_regex: bool) -> None:
        self.add_prefix_space, self.use_regex, self.name = add_prefix_space, use_regex, "ByteLevel"

    @cached_property
    def splitting(self) -> Split:
        return Split(Pattern(GPT2_PATTERN, True), "Isolated", False, "ByteLevel")

    def cut(self, pieces: Pieces) -> Pieces:
        """Everything but the byte map."""
        if self.add_prefix_space and len(pieces.starts):
            text = pieces.text.text
            lacking = [i for i, p in enumerate(pieces.starts.tolist()) if text[p] != " "]
            if lacking:
                added = np.zeros(len(pieces.starts), np.int64)
                added[lacking] = 1
                total = np.cumsum(added)
                pieces = Pieces(pieces.text.inserted(pieces.starts[lacking].tolist(), " "),
                                pieces.starts + total - added, pieces.ends + total, pieces.owners)
        return self.splitting.run(pieces) if self.use_regex and len(pieces.starts) else pieces

    def run(self, pieces: Pieces) -> Pieces:
        pieces = self.cut(pieces)
        before = pieces.text.byte_edges()
        data, starts, ends = pieces.text.utf8()
        text = Aligned(data.decode("latin-1").translate(SPELL), starts, ends)
        return Pieces(text, before[pieces.starts], before[pieces.ends], pieces.owners)


def behavior_of(f: Fields, key: str = "behavior", default: str | None = None) -> str:
    found = f.get(key, str) if default is None else f.get(key, str, default)
    if found not in BEHAVIORS:
        raise InputError(f"{found!r} is no behaviour of a split", where=f.where,
                         todo=f"known are {', '.join(BEHAVIORS)}")
    return found


def metaspace_fields(f: Fields) -> tuple[str, str, bool]:
    """(replacement, prepend scheme, split), from the present form or the old one with add_prefix_space."""
    scheme = f.get("prepend_scheme", str, "always")
    if f.optional("add_prefix_space", bool) is False and scheme != "never":
        raise InputError(f"add_prefix_space is false and prepend_scheme is {scheme!r}", where=f.where,
                         todo='the library refuses this too: write "prepend_scheme": "never"')
    if scheme not in ("always", "first", "never"):
        raise InputError(f"{scheme!r} is no prepend_scheme", where=f.where, todo="known are always, first, never")
    return f.char("replacement"), scheme, f.get("split", bool, True)


def _fixed(f: Fields) -> PreTokenizer:
    length = f.get("length", int, 5)
    if length < 1:
        raise InputError(f"the length {length} is not positive", where=f.where)
    return FixedLength(length)


PRE_TOKENIZERS: dict[str, Callable[[Fields], PreTokenizer]] = {
    "ByteLevel": lambda f: ByteLevel(f.get("add_prefix_space", bool), f.get("use_regex", bool, True)),
    "Split": lambda f: Split(Pattern.from_json(f.value.get("pattern"), f.where), behavior_of(f), f.get("invert", bool)),
    "Digits": lambda f: CharSplit("Digits", "NUMERIC",
                                  "Isolated" if f.get("individual_digits", bool) else "Contiguous"),
    "Punctuation": lambda f: CharSplit("Punctuation", "PUNCTUATION", behavior_of(f, default="Isolated")),
    "Metaspace": lambda f: Metaspace(*metaspace_fields(f)),
    "Whitespace": lambda f: Whitespace(),
    "WhitespaceSplit": lambda f: CharSplit("WhitespaceSplit", "WHITESPACE", "Removed"),
    "BertPreTokenizer": lambda f: BertPreTokenizer(),
    "CharDelimiterSplit": lambda f: CharSplit("CharDelimiterSplit", f.char("delimiter"), "Removed"),
    "UnicodeScripts": lambda f: UnicodeScripts(),
    "FixedLength": _fixed,
}


def make_pre_tokenizers(fields: Fields) -> list[PreTokenizer]:
    """The stages in order; a Sequence is taken apart."""
    if fields.kind == "Sequence":
        return [p for part in fields.objects("pretokenizers") for p in make_pre_tokenizers(part)]
    if fields.kind not in PRE_TOKENIZERS:
        raise unknown_stage("pre-tokenizer", fields, {**PRE_TOKENIZERS, "Sequence": None})
    return [PRE_TOKENIZERS[fields.kind](fields)]
