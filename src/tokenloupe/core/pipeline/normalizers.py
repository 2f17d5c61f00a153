"""Normalizers: what is done to a text before it is cut.

    >>> normalizer = make_normalizer(Fields({"type": "Lowercase"}, "normalizer"))
    >>> normalizer.apply(Aligned.of(b"ABC")).text
    'abc'

Each keeps the alignment: what every new character comes from is known, also where the library's own offsets are not
right (composed Hangul, for example). NORMALIZERS is the registry: JSON type -> constructor.
"""

from __future__ import annotations

import binascii
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Protocol

import numpy as np
import regex
from numpy.typing import NDArray

from ..bytemap import SPELL
from ..errors import InputError
from ..precompiled import Precompiled
from ..text import code_points
from .aligned import Aligned, Edit
from .chars import lower_table, table
from .fields import Fields, unknown_stage
from .matching import Pattern
from .normal_form import normalize


class Normalizer(Protocol):
    @property
    def name(self) -> str: ...

    def apply(self, a: Aligned) -> Aligned: ...


@dataclass(frozen=True)
class NormalForm:
    """NFC, NFD, NFKC, NFKD."""

    name: str

    def apply(self, a: Aligned) -> Aligned:
        return normalize(a, self.name)


@dataclass(frozen=True)
class Lowercase:
    """Character by character: only U+0130 becomes two, and a final sigma is not special."""

    name: str = "Lowercase"

    def apply(self, a: Aligned) -> Aligned:
        if a.text.isascii():
            return a.replaced(a.text.lower())
        if "\u0130" in a.text:
            a = a.edited([Edit(i, i + 1, "i\u0307") for i, c in enumerate(a.text) if c == "\u0130"])
        return a.replaced(lower_table()[code_points(a.text)].tobytes().decode("utf-32-le", "surrogatepass"))


@dataclass(frozen=True)
class Strip:
    """White space at the ends."""

    left: bool
    right: bool
    name: str = "Strip"

    def apply(self, a: Aligned) -> Aligned:
        if not a.text or (a.text[0] > " " and a.text[0] < "\x7f" and " " < a.text[-1] < "\x7f"):
            return a
        solid = np.flatnonzero(~table("WHITESPACE")[code_points(a.text)])
        if not len(solid):
            return a.sub(0, 0) if self.left or self.right else a
        return a.sub(int(solid[0]) if self.left else 0, int(solid[-1]) + 1 if self.right else len(a.text))


@dataclass(frozen=True)
class Filter:
    """Drops the characters of a set, and turns those of another into a space (Nmt, StripAccents, a part of Bert's)."""

    name: str
    dropped: str
    spaces: str | None = None

    def apply(self, a: Aligned) -> Aligned:
        if a.text.isascii() and a.text.isprintable():
            return a
        a = a.kept(~table(self.dropped)[code_points(a.text)])
        if self.spaces is not None and a.text:
            points = code_points(a.text)
            spaces = table(self.spaces)[points]
            if spaces.any():
                a = a.replaced(np.where(spaces, np.uint32(32), points).astype("<u4").tobytes().decode("utf-32-le"))
        return a


@dataclass(frozen=True)
class Replace:
    pattern: Pattern
    content: str
    name: str = "Replace"

    def apply(self, a: Aligned) -> Aligned:
        pattern = self.pattern
        if not pattern.is_regex:
            if pattern.source not in a.text or not pattern.source:
                return a
            if len(pattern.source) == len(self.content) == 1:
                return a.replaced(a.text.replace(pattern.source, self.content))
        if not a.text:
            return a
        starts, ends = pattern.span_arrays(a.text)
        made = a.substituted(starts, ends, self.content)
        if self.content and len(starts) and starts[0] == 0 and a.starts[max(int(ends[0]) - 1, 0)] > a.starts[0]:
            return replace(made, shifted=True)
        return made


@dataclass(frozen=True)
class Prepend:
    content: str
    name: str = "Prepend"

    def apply(self, a: Aligned) -> Aligned:
        return a.inserted([0], self.content) if a.text else a


@dataclass(frozen=True)
class ByteLevelNormalizer:
    """Every byte becomes its character of GPT-2's byte map."""

    name: str = "ByteLevel"

    def apply(self, a: Aligned) -> Aligned:
        data, starts, ends = a.utf8()
        return Aligned(data.decode("latin-1").translate(SPELL), starts, ends)


@dataclass(frozen=True)
class Bert:
    """BertNormalizer: clean text, spaces around CJK ideographs, accents off, lower case; in this order."""

    clean_text: bool
    handle_chinese_chars: bool
    strip_accents: bool
    lowercase: bool
    name: str = "BertNormalizer"

    def apply(self, a: Aligned) -> Aligned:
        if self.clean_text:
            a = Filter(self.name, "BERT_CONTROL", "BERT_SPACE").apply(a)
        if not a.text.isascii():
            if self.handle_chinese_chars:
                around, text = ((0, 0), (0, 1), (1, 1)), a.text
                found = np.flatnonzero(table("CHINESE")[code_points(text)]).tolist()
                a = a.edited([Edit(i, i + 1, f" {text[i]} ", around) for i in found])
            if self.strip_accents:
                a = normalize(a, "NFD")
                a = a.kept(~table("BERT_MARK")[code_points(a.text)])
        return Lowercase().apply(a) if self.lowercase else a


@dataclass(frozen=True)
class Charsmap:
    """Precompiled: SentencePiece's rules, as the library applies them: to grapheme clusters of fewer than six bytes,
    then to single characters, each replaced as a whole by the rule of its SHORTEST prefix."""

    rules: Precompiled
    name: str = "Precompiled"

    def shortest(self, piece: str) -> str | None:
        found = self.rules.matches(piece.encode("utf-8"))
        return min(found)[1].decode("utf-8", "replace") if found else None

    @cached_property
    def known(self) -> NDArray[np.int8]:
        """int8 (0x110000,): 0 a character not met yet, 1 one without a rule of its own, 2 one with."""
        return np.zeros(0x110000, np.int8)

    @cached_property
    def memo(self) -> dict[str, str]:
        """Characters that have been met and have a rule -> the replacement."""
        return {}

    def apply(self, a: Aligned) -> Aligned:
        text = a.text
        points = code_points(text)
        known = self.known
        if not known[points].all():
            for point in np.unique(points[known[points] == 0]).tolist():
                new = self.shortest(chr(point))
                known[point] = 1 if new is None else 2
                if new is not None:
                    self.memo[chr(point)] = new
        singles = np.flatnonzero(known[points] == 2).tolist()
        memo = self.memo
        # Between a line end and what stands beside it there always is a boundary, but for CR LF.
        crlf = (points[:-1] == 13) & (points[1:] == 10)
        lone = ((points == 10) & ~np.append(False, crlf)) | ((points == 13) & ~np.append(crlf, False))
        joins = np.flatnonzero(joining(points) & ~lone) if len(points) else np.zeros(0, np.int64)
        clusters = self._clusters(text, joins) if len(joins) else {}
        inside = {i for start, (end, _) in clusters.items() for i in range(start, end)}
        edits = [Edit(i, i + 1, memo[text[i]]) for i in singles if i not in inside and memo[text[i]] != text[i]]
        edits += [Edit(start, end, new) for start, (end, new) in clusters.items()]
        edits.sort()
        return a.edited(edits)

    def _clusters(self, text: str, joins: NDArray[np.int64]) -> dict[int, tuple[int, str]]:
        """start -> (end, replacement) of the clusters of several characters that a rule changes as a whole."""
        breaks = np.flatnonzero(np.diff(joins) > 2)
        starts = np.maximum(joins[np.append(0, breaks + 1)] - 1, 0).tolist()
        ends = (joins[np.append(breaks, len(joins) - 1)] + 2).tolist()
        found: dict[int, tuple[int, str]] = {}
        pins = {p: _pinned(p) for p in np.unique(code_points(text)[joins]).tolist()}
        for start, end in zip(starts, ends, strict=True):
            part = text[start:end]
            for match in _CLUSTER.finditer(part.translate(pins)):
                cluster = part[match.start() : match.end()]
                if len(cluster) > 1 and len(cluster.encode("utf-8", "surrogatepass")) < 6:
                    new = self.shortest(cluster)
                    if new is not None:
                        found[start + match.start()] = (start + match.end(), new)
        return found


_CLUSTER = regex.compile(r"\X")


_EXTENDS = regex.compile(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]")
_JOINS = regex.compile(r"[\r\n\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=ZWJ}\p{GCB=L}\p{GCB=V}\p{GCB=T}"
                       r"\p{GCB=LV}\p{GCB=LVT}\p{GCB=Regional_Indicator}]")


@cache
def _pinned(point: int) -> int:
    """A character of which `regex` and the library, of other versions of Unicode, do not agree whether it extends a
    cluster -> one that both take as the library takes this. Any other stays."""
    theirs = bool(table("EXTENDS")[point])
    # `regex` lets a virama join any two letters. Where it rightly joins two, the cluster has too many bytes to matter.
    if theirs and unicodedata.combining(chr(point)) == 9:
        return 0x301
    if theirs == (_EXTENDS.match(chr(point)) is not None):
        return point
    return 0x301 if theirs else 0xFFFF


@cache
def _joins() -> NDArray[np.int8]:
    """int8 (0x110000,): 0 a character not met yet, 1 one that stands alone in its grapheme cluster, 2 another."""
    return np.zeros(0x110000, np.int8)


def joining(points: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which characters can stand in a grapheme cluster with another one."""
    known = _joins()
    found = known[points]
    if not found.all():
        for point in np.unique(points[found == 0]).tolist():
            known[point] = 2 if _JOINS.match(chr(point)) or table("EXTENDS")[point] else 1
        found = known[points]
    joins: NDArray[np.bool_] = found == 2
    return joins


def _strip(f: Fields) -> Normalizer:
    return Strip(f.get("strip_left", bool), f.get("strip_right", bool))


def _bert(f: Fields) -> Normalizer:
    lower = f.get("lowercase", bool)
    accents = f.optional("strip_accents", bool)
    accents = lower if accents is None else accents
    return Bert(f.get("clean_text", bool), f.get("handle_chinese_chars", bool), accents, lower)


def _charsmap(f: Fields) -> Normalizer:
    try:
        blob = binascii.a2b_base64(f.get("precompiled_charsmap", str).encode("ascii"), strict_mode=True)
    except ValueError as error:
        raise InputError("precompiled_charsmap is not base64", where=f.where) from error
    return Charsmap(Precompiled(blob, f.where))


NORMALIZERS: dict[str, Callable[[Fields], Normalizer]] = {
    "NFC": lambda f: NormalForm("NFC"),
    "NFD": lambda f: NormalForm("NFD"),
    "NFKC": lambda f: NormalForm("NFKC"),
    "NFKD": lambda f: NormalForm("NFKD"),
    "Nmt": lambda f: Filter("Nmt", "NMT_DROPPED", "NMT_SPACES"),
    "Lowercase": lambda f: Lowercase(),
    "Strip": _strip,
    "StripAccents": lambda f: Filter("StripAccents", "COMBINING_MARK"),
    "Replace": lambda f: Replace(Pattern.from_json(f.value.get("pattern"), f.where), f.get("content", str)),
    "Prepend": lambda f: Prepend(f.get("prepend", str)),
    "BertNormalizer": _bert,
    "ByteLevel": lambda f: ByteLevelNormalizer(),
    "Precompiled": _charsmap,
}


def make_normalizers(fields: Fields) -> list[Normalizer]:
    """The stages in order; a Sequence is taken apart."""
    if fields.kind == "Sequence":
        return [n for part in fields.objects("normalizers") for n in make_normalizers(part)]
    if fields.kind not in NORMALIZERS:
        raise unknown_stage("normalizer", fields, {**NORMALIZERS, "Sequence": None})
    return [NORMALIZERS[fields.kind](fields)]
