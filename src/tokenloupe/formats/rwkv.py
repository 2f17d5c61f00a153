r"""RWKV's trie vocabulary (`rwkv_vocab_v20230424.txt`): a line is an id, a Python string or bytes literal, its length.

    256 b'\xff' 1
    257 '\t\t' 2

The literals are checked by a pattern before `ast.literal_eval` reads them, so that a line can only ever be a literal.
Source: rwkv 0.8.32 rwkv_tokenizer.py (Apache-2.0).
"""

from __future__ import annotations

import ast
import re

from ..core.errors import InputError
from ..core.greedy import GreedyTokenizer
from ..core.vocabulary import Vocabulary
from .cache import through
from .cache_file import Stored
from .registry import Format, Source
from .stored import get_vocabulary, put_vocabulary

_LINE = re.compile(r"""(\d{1,18}) (b?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")) (\d{1,9})\s*""", re.DOTALL)

#: Literals read by one call.
_TOGETHER = 4096


def sniff(source: Source) -> int:
    lines = source.head.split(b"\n")[:3]
    texts = [line.decode("utf-8", "replace").rstrip("\r") for line in (lines[:-1] or lines)]
    return 95 if texts and all(_LINE.fullmatch(t) for t in texts) else 0


def load(source: Source, options: dict[str, str]) -> GreedyTokenizer:
    """InputError names the line that is no entry, gives a wrong length, or repeats an id."""
    return through("rwkv", source, load=lambda: _parse(source), freeze=_freeze, thaw=lambda kept: _thaw(kept, source))


def _freeze(made: GreedyTokenizer) -> Stored:
    return Stored({"warnings": list(made.warnings)}, put_vocabulary(made.vocabulary))


def _thaw(kept: Stored, source: Source) -> GreedyTokenizer:
    return GreedyTokenizer(source.name, source.sha256, get_vocabulary(kept.arrays),
                           warnings=tuple(kept.meta["warnings"]))


def _parse(source: Source) -> GreedyTokenizer:
    try:
        lines = source.data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", where=f"byte {error.start:,}", todo="fetch it again") from error
    found = [(i, _LINE.fullmatch(line)) for i, line in enumerate(lines, 1) if line.strip()]
    for i, match in found:
        if match is None:
            raise InputError("no entry of an id, a literal and a length", where=f"line {i}", todo=_AGAIN)
    entries = [(i, m) for i, m in found if m is not None]
    values = _literals([m[2] for _, m in entries], [i for i, _ in entries])
    rows: dict[int, bytes] = {}
    for (line, match), token in zip(entries, values, strict=True):
        token_id = int(match[1])
        if not token or len(token) != int(match[3]):
            raise InputError(f"the literal has {len(token)} bytes and the line says {match[3]}", where=f"line {line}",
                             todo=_AGAIN)
        if token_id in rows:
            raise InputError(f"id {token_id} is given a second time", where=f"line {line}", todo=_AGAIN)
        rows[token_id] = token
    if not rows:
        raise InputError("the vocabulary has no entries", where=source.name, todo=_AGAIN)
    return GreedyTokenizer(source.name, source.sha256, Vocabulary.build(rows.items()), warnings=_missing(rows))


def _missing(rows: dict[int, bytes]) -> tuple[str, ...]:
    single = {t for t in rows.values() if len(t) == 1}
    if len(single) == 256:
        return ()
    return (f"{256 - len(single)} of the 256 single bytes have no token: a text that needs one loses it",)


def _literals(literals: list[str], lines: list[int]) -> list[bytes]:
    """The bytes of literals that match the pattern above; those without a backslash need no parser."""
    values: list[bytes | None] = [None if "\\" in t or t[0] == "b" else t[1:-1].encode() for t in literals]
    hard = [i for i, v in enumerate(values) if v is None]
    for start in range(0, len(hard), _TOGETHER):
        some = hard[start : start + _TOGETHER]
        for i, value in zip(some, _evaluated([literals[i] for i in some], [lines[i] for i in some]), strict=True):
            values[i] = value
    return [v for v in values if v is not None]


def _evaluated(literals: list[str], lines: list[int]) -> list[bytes]:
    try:
        read = ast.literal_eval("[" + ",".join(literals) + "]")
        return [v if isinstance(v, bytes) else v.encode() for v in read]
    except (ValueError, SyntaxError, MemoryError) as error:
        if len(literals) == 1:
            raise InputError("the literal cannot be read", where=f"line {lines[0]}", todo=_AGAIN) from error
        middle = len(literals) // 2
        return _evaluated(literals[:middle], lines[:middle]) + _evaluated(literals[middle:], lines[middle:])


_AGAIN = "the file is damaged: fetch it again"

FORMAT = Format("rwkv", "RWKV trie vocabulary", (".txt",), sniff, load)
