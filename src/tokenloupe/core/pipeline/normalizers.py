"""Normalizers: what is done to a text before it is cut.

    >>> normalizer = make_normalizer(Fields({"type": "Lowercase"}, "normalizer"))
    >>> normalizer.apply(Aligned.of(b"ABC")).text
    'abc'

Each keeps the alignment: what every new character comes from is known, also where the library's own offsets are not
right (composed Hangul, for example). NORMALIZERS is the registry: JSON type -> constructor.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Protocol

import numpy as np
import regex

from ..errors import InputError
from ..precompiled import Precompiled
from .aligned import Aligned, Edit
from .bytemap import TO_CHARS
from .chars import char_class, code_points, lower_map, table
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
        text = a.text.translate(lower_map())
        if len(text) == len(a.text):
            return a.replaced(text)
        return a.edited([Edit(i, i + 1, "i\u0307") for i, c in enumerate(a.text) if c == "\u0130"]).replaced(text)


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
        return a.edited([Edit(s, e, self.content, None if e > s else [(0, 0)] * len(self.content))
                         for s, e in pattern.spans(a.text)])


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
        return Aligned(data.decode("latin-1").translate(TO_CHARS), starts, ends)


@cache
def _chinese() -> regex.Pattern[str]:
    return regex.compile(f"[{char_class('CHINESE')}]")


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
                around = ((0, 0), (0, 1), (1, 1))
                a = a.edited([Edit(m.start(), m.end(), f" {m.group()} ", around) for m in _chinese().finditer(a.text)])
            if self.strip_accents:
                a = normalize(a, "NFD")
                a = a.kept(~table("BERT_MARK")[code_points(a.text)])
        return Lowercase().apply(a) if self.lowercase else a


@dataclass(frozen=True)
class Charsmap:
    """Precompiled: SentencePiece's rules, as the library applies them: to grapheme clusters of fewer than six bytes, then
    to single characters, each replaced as a whole by the rule of its SHORTEST prefix."""

    rules: Precompiled
    name: str = "Precompiled"

    def shortest(self, piece: str) -> str | None:
        data = piece.encode("utf-8")
        for end in range(1, len(data) + 1):
            found = self.rules.table.get(data[:end])
            if found is not None:
                return found.decode("utf-8", "replace")
        return None

    @cached_property
    def _regions(self) -> regex.Pattern[str]:
        """Where a rule can apply: between two printable ASCII characters there is always a cluster's end, so a cluster
        of several characters has another one in it."""
        single = "".join(f"\\U{ord(c):08x}" for c in sorted(self.memo) if " " <= c <= "~")
        other = f"(?:[^ -~]|[{single}])" if single else "[^ -~]"
        return regex.compile(f"[ -~]?(?:{other}+[ -~]?)+")

    def apply(self, a: Aligned) -> Aligned:
        edits: list[Edit] = []
        for region in self._regions.finditer(a.text):
            for match in regex.finditer(r"\X", region.group()):
                cluster, start = match.group(), region.start() + match.start()
                if len(cluster) > 1 and len(cluster.encode("utf-8")) < 6:
                    new = self.shortest(cluster)
                    if new is not None:
                        edits.append(Edit(start, start + len(cluster), new))
                        continue
                for at, char in enumerate(cluster, start):
                    if self.memo.get(char, char) != char:
                        edits.append(Edit(at, at + 1, self.memo[char]))
        return a.edited(edits)

    @cached_property
    def memo(self) -> dict[str, str]:
        """Single characters that have a rule -> its replacement."""
        made: dict[str, str] = {}
        for char in {k.decode("utf-8", "ignore")[:1] for k in self.rules.table} - {""}:
            new = self.shortest(char)
            if new is not None:
                made[char] = new
        return made


def _strip(f: Fields) -> Normalizer:
    return Strip(f.get("strip_left", bool), f.get("strip_right", bool))


def _bert(f: Fields) -> Normalizer:
    lower = f.get("lowercase", bool)
    accents = f.optional("strip_accents", bool)
    return Bert(f.get("clean_text", bool), f.get("handle_chinese_chars", bool), lower if accents is None else accents, lower)


def _charsmap(f: Fields) -> Normalizer:
    try:
        blob = binascii.a2b_base64(f.get("precompiled_charsmap", str).encode("ascii"), strict_mode=True)
    except ValueError as error:
        raise InputError("precompiled_charsmap is not base64", where=f.where) from error
    return Charsmap(Precompiled.from_blob(blob, f.where))


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
    if fields.type == "Sequence":
        return [n for part in fields.objects("normalizers") for n in make_normalizers(part)]
    if fields.type not in NORMALIZERS:
        raise unknown_stage("normalizer", fields, {**NORMALIZERS, "Sequence": None})
    return [NORMALIZERS[fields.type](fields)]
