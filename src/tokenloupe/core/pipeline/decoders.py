"""Decoders: the spellings of tokens back to text.

    >>> decoders = make_decoders(Fields({"type": "Metaspace", "replacement": "▁"}, "decoder"))
    >>> "".join(decoders[0].chain(["▁hi", "▁there"]))
    'hi there'

Where the library writes U+FFFD for bytes that are no UTF-8, the bytes are kept here, as surrogates U+DC80..U+DCFF in
the strings (Python's surrogateescape): what is decoded is bytes, and text is a rendering of it. The spelling of an
added token is text, never byte-map characters, so those are marked by the type `Literal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Protocol

from ..bytemap import to_bytes
from .fields import Fields, unknown_stage
from .matching import Pattern
from .pretokenizers import metaspace_fields


class Literal(str):
    """An added token's spelling."""

    __slots__ = ()


class Decoder(Protocol):
    @property
    def name(self) -> str: ...

    def chain(self, tokens: list[str]) -> list[str]:
        """All tokens, as they come from the stage before."""

    def alone(self, token: str) -> str:
        """One token in the middle of a text."""


def escaped(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def each(tokens: list[str], change: Callable[[str], str]) -> list[str]:
    """A change of every token, worked out once for each spelling."""
    made = {token: change(token) for token in set(tokens)}
    return [made[token] for token in tokens]


@dataclass(frozen=True)
class ByteLevelDecoder:
    name: str = "ByteLevel"

    def raw(self, token: str) -> bytes:
        if not isinstance(token, Literal):
            data = to_bytes(token)
            if data is not None:
                return data
        return token.encode("utf-8", "surrogateescape")

    def chain(self, tokens: list[str]) -> list[str]:
        return [escaped(b"".join(map(self.raw, tokens)))]

    def alone(self, token: str) -> str:
        return escaped(self.raw(token))


#: What WordPiece's clean-up replaces, in this order.
CLEANUPS = ((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m"),
            (" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"))


def cleaned(text: str) -> str:
    for old, new in CLEANUPS:
        text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class WordPieceDecoder:
    prefix: str
    cleanup: bool
    name: str = "WordPiece"

    def chain(self, tokens: list[str]) -> list[str]:
        return [self._text(t) for t in tokens[:1]] + each(tokens[1:], self._later)

    def _later(self, token: str) -> str:
        return self._text(token[len(self.prefix) :] if token.startswith(self.prefix) else " " + token)

    def _text(self, token: str) -> str:
        return cleaned(token) if self.cleanup else token

    def alone(self, token: str) -> str:
        return token[len(self.prefix) :] if token.startswith(self.prefix) else token


@dataclass(frozen=True)
class MetaspaceDecoder:
    replacement: str
    strip_first: bool
    name: str = "Metaspace"

    def chain(self, tokens: list[str]) -> list[str]:
        first = "" if self.strip_first else " "
        return [t.replace(self.replacement, first) for t in tokens[:1]] + each(tokens[1:], self.alone)

    def alone(self, token: str) -> str:
        return token.replace(self.replacement, " ")


@dataclass(frozen=True)
class BPEDecoder:
    suffix: str
    name: str = "BPEDecoder"

    def chain(self, tokens: list[str]) -> list[str]:
        return each(tokens[:-1], partial(self._ended, by=" ")) + [self._ended(t, "") for t in tokens[-1:]]

    def _ended(self, token: str, by: str) -> str:
        return token.replace(self.suffix, by) if self.suffix else _between(token, by)

    def alone(self, token: str) -> str:
        return token.replace(self.suffix, " ") if self.suffix else token


def _between(text: str, filler: str) -> str:
    """Rust's replace of an empty pattern: `filler` around every character."""
    return filler + "".join(c + filler for c in text)


_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")


@dataclass(frozen=True)
class ByteFallbackDecoder:
    name: str = "ByteFallback"

    def byte(self, token: str) -> int:
        match = _BYTE.fullmatch(token)
        return int(match.group(1), 16) if match else -1

    def chain(self, tokens: list[str]) -> list[str]:
        values = {token: byte for token in set(tokens) if (byte := self.byte(token)) >= 0}
        out: list[str] = []
        for is_byte, run in groupby(tokens, values.__contains__):
            if not is_byte:
                out += run
                continue
            data = bytes(values[token] for token in run)
            try:
                out.append(data.decode("utf-8"))
            except UnicodeDecodeError:  # of such a run the library keeps no character at all
                out += (chr(0xDC00 + b) if b > 0x7F else _spoilt(b) for b in data)
        return out

    def alone(self, token: str) -> str:
        byte = self.byte(token)
        return token if byte < 0 else escaped(bytes((byte,)))


def _spoilt(byte: int) -> str:
    """An ASCII byte in a run that is no UTF-8. The bytes are what is decoded, so it stays."""
    return chr(byte)


@dataclass(frozen=True)
class Fuse:
    name: str = "Fuse"

    def chain(self, tokens: list[str]) -> list[str]:
        return ["".join(tokens)]

    def alone(self, token: str) -> str:
        return token


@dataclass(frozen=True)
class StripDecoder:
    content: str
    start: int
    stop: int
    name: str = "Strip"

    def chain(self, tokens: list[str]) -> list[str]:
        return each(tokens, self._strip)

    def _strip(self, token: str) -> str:
        begin, end = 0, len(token)
        while begin < min(self.start, end) and token[begin] == self.content:
            begin += 1
        while end > max(begin, len(token) - self.stop) and token[end - 1] == self.content:
            end -= 1
        return token[begin:end]

    def alone(self, token: str) -> str:
        return token


@dataclass(frozen=True)
class ReplaceDecoder:
    pattern: Pattern
    content: str
    name: str = "Replace"

    def chain(self, tokens: list[str]) -> list[str]:
        return each(tokens, lambda t: self.pattern.replace(t, self.content) if t else t)

    def alone(self, token: str) -> str:
        return self.pattern.replace(token, self.content)


@dataclass(frozen=True)
class CTC:
    pad_token: str
    word_delimiter_token: str
    cleanup: bool
    name: str = "CTC"

    def chain(self, tokens: list[str]) -> list[str]:
        return [text for token, _ in groupby(tokens) if (text := self.alone(token))]

    def alone(self, token: str) -> str:
        text = token.replace(self.pad_token, "") if self.pad_token else token
        if self.cleanup:
            text = cleaned(text)
            text = text.replace(self.word_delimiter_token, " ") if self.word_delimiter_token else _between(text, " ")
        return text


def _metaspace(f: Fields) -> Decoder:
    replacement, scheme, _ = metaspace_fields(f)
    return MetaspaceDecoder(replacement, scheme != "never")


DECODERS: dict[str, Callable[[Fields], Decoder]] = {
    "ByteLevel": lambda f: ByteLevelDecoder(),
    "WordPiece": lambda f: WordPieceDecoder(f.get("prefix", str), f.get("cleanup", bool)),
    "Metaspace": _metaspace,
    "BPEDecoder": lambda f: BPEDecoder(f.get("suffix", str)),
    "ByteFallback": lambda f: ByteFallbackDecoder(),
    "Fuse": lambda f: Fuse(),
    "Strip": lambda f: StripDecoder(f.char("content"), f.get("start", int), f.get("stop", int)),
    "Replace": lambda f: ReplaceDecoder(Pattern.from_json(f.value.get("pattern"), f.where), f.get("content", str)),
    "CTC": lambda f: CTC(f.get("pad_token", str), f.get("word_delimiter_token", str), f.get("cleanup", bool)),
}


def make_decoders(fields: Fields) -> list[Decoder]:
    """The stages in order; a Sequence is taken apart."""
    if fields.kind == "Sequence":
        return [d for part in fields.objects("decoders") for d in make_decoders(part)]
    if fields.kind not in DECODERS:
        raise unknown_stage("decoder", fields, {**DECODERS, "Sequence": None})
    return [DECODERS[fields.kind](fields)]
