"""subword-nmt codes files: a version line, then two symbols a line, the pair merged first on top.

    #version: 0.2
    t h
    th e</w>

A file of GPT-2's form begins with `#version` too; what tells them apart is `</w>` and the lack of GPT-2's byte letters.
Source: subword-nmt 0.3.8 apply_bpe.py (MIT).
"""

from __future__ import annotations

from ..core.errors import InputError
from ..core.sennrich import END, SubwordNmtTokenizer
from .registry import Format, Source

_BYTE_LETTERS = ("\u0120", "\u010a")  # Ġ and Ċ: GPT-2's space and line feed


def sniff(source: Source) -> int:
    """Lines of two words, `</w>` among them, no byte letters; the version line of subword-nmt or none at all."""
    lines = source.head.decode("utf-8", "replace").split("\n")
    if len(lines) > 2:
        lines.pop()  # cut by the end of the head
    first = lines[0].startswith("#version:")
    body = [line.rstrip("\r") for line in lines[first:] if line.strip()]
    if not body or any(len(line.strip(" ").split(" ")) != 2 for line in body):
        return 0
    text = "\n".join(body)
    if END not in text or any(c in text for c in _BYTE_LETTERS):
        return 0
    return 80 if first else 60


def load(source: Source, options: dict[str, str]) -> SubwordNmtTokenizer:
    """InputError names the line that has not exactly two symbols, or a version that the reference does not know."""
    try:
        text = source.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", where=f"byte {error.start:,}", todo="save it as UTF-8") from error
    lines = text.rstrip("\n").split("\n")
    version, first = (0, 1), 1
    if lines[0].startswith("#version:"):
        version, first = _version(lines.pop(0)), 2
    codes: list[tuple[str, str]] = []
    for number, line in enumerate(lines, first):
        symbols = line.strip("\r\n ").split(" ")
        if len(symbols) != 2:
            raise InputError(f"{len(symbols)} symbols where two belong: {line.strip()[:40]!r}", where=f"line {number}",
                             todo="a codes file has two symbols a line, parted by one space")
        codes.append((symbols[0], symbols[1]))
    warnings = ("subword-nmt has no ids: those shown number the pieces in the order of the codes",)
    return SubwordNmtTokenizer(source.name, source.sha256, codes, version, warnings)


def _version(line: str) -> tuple[int, int]:
    words = line.rstrip("\r").split()
    known = {"0.1": (0, 1), "0.2": (0, 2)}
    if words[-1] not in known:
        raise InputError(f"version {words[-1][:20]!r} is not known", where="line 1",
                         todo="subword-nmt writes 0.1 and 0.2")
    return known[words[-1]]


FORMAT = Format("subword-nmt", "subword-nmt codes", (".codes", ".bpe", ".txt"), sniff, load)
