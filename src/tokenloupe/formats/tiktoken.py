""".tiktoken rank files: a line is base64 of a token's bytes, a space, its rank; the rank is the id and the merge order.

    >>> parse(b"YQ== 0\\nYg== 1\\n")
    [(0, b'a'), (1, b'b')]
"""

from __future__ import annotations

import base64
import binascii
from pathlib import PurePath

from ..core.bytelevel import ByteLevelTokenizer, special_kinds
from ..core.errors import InputError
from ..core.pattern import Splitter, compile_pattern
from ..core.patterns import PATTERNS, named
from ..core.vocabulary import Vocabulary
from .registry import Format, Source

#: name -> special token -> id, in the reference's order (openai/tiktoken, tiktoken_ext/openai_public.py).
SPECIAL_TOKENS: dict[str, dict[str, int]] = {
    "gpt2": {"<|endoftext|>": 50256},
    "r50k_base": {"<|endoftext|>": 50256},
    "p50k_base": {"<|endoftext|>": 50256},
    "cl100k_base": {
        "<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    },
    "o200k_base": {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
}


def parse(data: bytes) -> list[tuple[int, bytes]]:
    """(rank, bytes) of every line."""
    entries = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        fields = line.split()
        if not fields:
            continue
        try:
            piece, rank = fields
            entries.append((int(rank), base64.b64decode(piece, validate=True)))
        except (ValueError, binascii.Error) as error:
            raise InputError("not base64, a space and a rank", where=f"line {number}") from error
    return entries


def build(data: bytes, name: str, sha256: str, splitter: Splitter, special: dict[str, int],
          warnings: tuple[str, ...] = ()) -> ByteLevelTokenizer:
    """A tokenizer from a rank file's bytes."""
    entries = parse(data)
    ranks = {i: i for i, _ in entries}
    entries += [(i, t.encode()) for t, i in special.items()]
    vocabulary = Vocabulary.build(entries, kinds=special_kinds(special.values()), ranks=ranks)
    return ByteLevelTokenizer(name, "tiktoken", sha256, vocabulary, splitter, special_tokens=special, warnings=warnings)


def pattern_named(asked: str) -> Splitter:
    """The splitter of a known name or of a regex."""
    return named(asked) if asked in PATTERNS else compile_pattern(asked)


def _sniff(source: Source) -> int:
    line = source.head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n")[0].split()
    if len(line) not in (2, 3) or not line[1].isdigit():
        return 0
    try:
        base64.b64decode(line[0], validate=True)
    except (ValueError, binascii.Error):
        return 0
    return 80


def _load(source: Source, options: dict[str, str]) -> ByteLevelTokenizer:
    stem = PurePath(source.name).name.split(".")[0]
    asked = options.get("pattern", "")
    if asked:
        splitter = pattern_named(asked)
    elif stem in PATTERNS:
        splitter = named(stem)
    else:
        splitter = named("cl100k_base")
    return build(source.data, stem, source.sha256, splitter, SPECIAL_TOKENS.get(stem, {}))


FORMAT = Format("tiktoken", "tiktoken rank file", (".tiktoken",), _sniff, _load)
