"""Anthropic's `claude.json`: a pattern, special tokens, and rank lists of base64 in one string.

    {"pat_str": "..", "special_tokens": {"<EOT>": 0, ..}, "bpe_ranks": "! 5 IQ== Ig== ..", "explicit_n_vocab": 65000}

`bpe_ranks` is lines of `! FIRST TOKEN TOKEN ..`, ranks counting from FIRST. The reference puts text through NFKC first.
Source: @anthropic-ai/tokenizer 0.0.4 (MIT), which runs tiktoken.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

import orjson

from ..core.bytelevel import ByteLevelTokenizer, special_kinds
from ..core.bytelevel_ends import NormalizedTokenizer
from ..core.errors import InputError
from ..core.pattern import compile_pattern
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import Vocabulary
from .cache import through
from .registry import Format, Source
from .stored import freeze_ranks, thaw_ranks


def sniff(source: Source) -> int:
    head = source.head.lstrip()
    return 95 if head.startswith(b"{") and b'"pat_str"' in head and b'"bpe_ranks"' in head else 0


def load(source: Source, options: dict[str, str]) -> Tokenizer:
    """InputError names the key, or the rank whose base64 cannot be read."""
    return through("claude", source, load=lambda: _parse(source), freeze=freeze_ranks, thaw=thaw_ranks,
                   options=(source.name,))


def _parse(source: Source) -> Tokenizer:
    try:
        document: Any = orjson.loads(source.data)
    except orjson.JSONDecodeError as error:
        raise InputError(f"the JSON cannot be read ({error.msg})", where=f"line {error.lineno}, column {error.colno}",
                         todo="the download may not be complete: fetch it again") from error
    pattern, listed = document.get("pat_str"), document.get("bpe_ranks")
    special = document.get("special_tokens", {})
    if not isinstance(pattern, str) or not isinstance(listed, str):
        raise InputError("pat_str and bpe_ranks must be strings", where="key bpe_ranks", todo=_AGAIN)
    if not isinstance(special, dict) or not all(type(v) is int and v >= 0 for v in special.values()):
        raise InputError("special_tokens must give each text an id", where="key special_tokens", todo=_AGAIN)
    entries = _ranks(listed)
    ranks = {i: i for i, _ in entries}
    vocabulary = Vocabulary.build([*entries, *((i, t.encode("utf-8", "surrogatepass")) for t, i in special.items())],
                                  kinds=special_kinds(special.values()), ranks=ranks)
    inner = ByteLevelTokenizer(source.name, "claude", source.sha256, vocabulary, compile_pattern(pattern),
                               special_tokens=special)
    return NormalizedTokenizer(inner, "NFKC")


def _ranks(text: str) -> list[tuple[int, bytes]]:
    out: list[tuple[int, bytes]] = []
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split(" ")
        if not line:
            continue
        if len(words) < 2 or words[0] != "!" or not words[1].isdecimal():
            raise InputError("no line of `! FIRST TOKEN ..`", where=f"key bpe_ranks, line {number}", todo=_AGAIN)
        first = int(words[1])
        for rank, word in enumerate(words[2:], first):
            try:
                out.append((rank, base64.b64decode(word, validate=True)))
            except (ValueError, binascii.Error) as error:
                raise InputError(f"{word[:20]!r} is no base64", where=f"key bpe_ranks, rank {rank}",
                                 todo=_AGAIN) from error
    if not out:
        raise InputError("there are no ranks", where="key bpe_ranks", todo=_AGAIN)
    return out


_AGAIN = "the file is damaged: fetch it again"

FORMAT = Format("claude", "Claude ranks", (".json",), sniff, load)
