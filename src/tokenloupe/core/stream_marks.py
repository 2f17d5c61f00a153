"""Which bytes of a stream are behind each character that went out, and above all behind each U+FFFD.

    >>> decode_marked(b"a\\xe2\\x82", base=10)
    ('a�', (Mark(char=1, byte_start=11, byte_end=13),))
    >>> decode_marked(b"a\\xe2\\x82", base=10, rule="go")[0]
    'a��'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from unicodedata import category

from .utf8 import subpart_length

REPLACEMENT = "\ufffd"
#: In text decoded with "surrogateescape": a genuine U+FFFD, or a run of ill-formed bytes.
_DOUBTFUL = re.compile("\ufffd|[\udc80-\udcff]+")
Rule = Literal["go", "unicode"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One U+FFFD that was given out: its place in the emission's text and the stream's bytes behind it."""

    char: int
    byte_start: int
    byte_end: int


def parts(data: bytes, rule: Rule = "unicode") -> Iterator[tuple[str, int, int]]:
    """The characters of any bytes, (character, start, end) each; U+FFFD for ill-formed bytes by the rule."""
    at = taken = 0
    for character in data.decode("utf-8", "surrogateescape"):
        if not "\udc80" <= character <= "\udcff":  # lone surrogates stand for ill-formed bytes, one each
            size = len(character.encode("utf-8"))
            yield character, at, at + size
            at += size
            continue
        if at >= taken:
            taken = at + (1 if rule == "go" else subpart_length(data, at))
            yield REPLACEMENT, at, taken
        at += 1


def decode_marked(data: bytes, base: int, rule: Rule = "unicode") -> tuple[str, tuple[Mark, ...]]:
    """Bytes that stand at `base` in the stream -> (text, a Mark for each U+FFFD in it)."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = REPLACEMENT
    if REPLACEMENT not in text:
        return text, ()
    # From one U+FFFD to the next rather than character by character: there may be megabytes between them.
    escaped = data.decode("utf-8", "surrogateescape")
    out: list[str] = []
    marks: list[Mark] = []
    copied = at = char = 0  # characters of `escaped`, bytes of data, characters given out
    for found in _DOUBTFUL.finditer(escaped):
        between = escaped[copied : found.start()]
        out.append(between)
        char += len(between)
        at += len(between) if between.isascii() else len(between.encode("utf-8"))
        end = at + (3 if found[0] == REPLACEMENT else len(found[0]))
        while at < end:
            size = 3 if found[0] == REPLACEMENT else 1 if rule == "go" else subpart_length(data, at)
            out.append(REPLACEMENT)
            marks.append(Mark(char, base + at, base + at + size))
            char += 1
            at += size
        copied = found.end()
    out.append(escaped[copied:])
    return "".join(out), tuple(marks)


def marks_of(text: str, data: bytes, start: int, end: int) -> tuple[Mark, ...]:
    """The bytes behind each U+FFFD of a text that decodes data[start:end], or the beginning of it.

    Where the text and the bytes have not the same U+FFFD (a library put some in by itself), each is ascribed to all.
    """
    places = [i for i, c in enumerate(text) if c == REPLACEMENT] if REPLACEMENT in text else []
    if not places:
        return ()
    found = [(a, b) for c, a, b in parts(data[start:end]) if c == REPLACEMENT]
    if len(found) < len(places):
        found = [(0, end - start)] * len(places)
    return tuple(Mark(i, start + a, start + b) for i, (a, b) in zip(places, found, strict=False))


def char_starts(text: str, data: bytes, start: int, end: int) -> list[int]:
    """Byte offset of each character of a text that decodes data[start:end], and the end: len(text)+1 offsets.

    Where the text is not what the bytes decode to, offsets are clipped to the bytes.
    """
    if REPLACEMENT in text:
        ends = [start + b for _, _, b in parts(data[start:end])][: len(text)]
        return [start, *ends, *[end] * (len(text) - len(ends))]
    out = [start]
    for character in text:
        out.append(min(out[-1] + len(character.encode("utf-8", "surrogatepass")), end))
    return out


def quoted(character: str) -> str:
    """A character in quotation marks, or by its number where one would see nothing or it would join the marks."""
    if character.isprintable() and character not in "\ufffd " and not category(character).startswith("M"):
        return f"“{character}”"
    return f"U+{ord(character):04X}"
