"""CLIP's `bpe_simple_vocab_16e6.txt.gz`: a title line, then pairs of symbols in GPT-2's byte letters and `</w>`.

The file holds 262,145 lines of which CLIP uses the first 48,894. It may be opened as it is, gzipped, or unpacked.
Source: open_clip 3.3.0 simple_tokenizer.py (MIT).
"""

from __future__ import annotations

from ..core.clip import END, MERGES, ClipTokenizer
from ..core.errors import InputError
from .registry import Format, Source

_TITLE = b'"bpe_simple_vocab_16e6.txt#version: 0.2'


def sniff(source: Source) -> int:
    return 95 if source.head.startswith(_TITLE) else 0


def load(source: Source, options: dict[str, str]) -> ClipTokenizer:
    """InputError names the first line that is no pair, or whose symbols no earlier line makes."""
    try:
        lines = source.data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", where=f"byte {error.start:,}", todo="fetch it again") from error
    body = lines[1 : MERGES + 1]
    if len(lines) < MERGES + 1:
        raise InputError(f"{len(lines) - 1:,} merges are there and CLIP has {MERGES:,}", where=f"line {len(lines)}",
                         todo="the download is not complete: fetch it again")
    merges: list[tuple[str, str]] = []
    known: set[str] = set()
    for number, line in enumerate(body, 2):
        pair = line.split()
        if len(pair) != 2:
            raise InputError(f"{len(pair)} symbols where two belong", where=f"line {number}", todo="fetch it again")
        for symbol in pair:
            if len(symbol.removesuffix(END)) > 1 and symbol not in known:
                raise InputError(f"no earlier line makes {symbol[:40]!r}", where=f"line {number}",
                                 todo="the file is damaged: fetch it again")
        known.add(pair[0] + pair[1])
        merges.append((pair[0], pair[1]))
    warnings = ("ftfy and HTML unescaping, which CLIP applies first, are not applied: ids differ on text they change",)
    return ClipTokenizer(source.name, source.sha256, merges, warnings)


FORMAT = Format("clip", "CLIP merge table", (".gz", ".txt"), sniff, load)
