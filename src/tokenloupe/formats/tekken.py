"""Mistral's `tekken.json`: byte tokens by rank behind a block of special tokens; the id is rank + special count.

    {"config": {"pattern", "default_vocab_size", "default_num_special_tokens", "version"}, "vocab": [{"rank",
     "token_bytes"}], "special_tokens": [{"rank", "token_str"}]}

Only the first default_vocab_size - special ranks are live: the rest of the list was never given an embedding.
Source: mistral-common 1.13.1 tokens/tokenizers/tekken.py (Apache-2.0), which runs tiktoken on the live ranks.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

import orjson

from ..core.bytelevel import SpecialMatcher
from ..core.bytelevel_ends import EndedByteLevel
from ..core.errors import InputError
from ..core.pattern import compile_pattern
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import TokenKind, Vocabulary
from .cache import through
from .registry import Format, Source
from .stored import freeze_ranks, thaw_ranks

#: The special tokens of files older than their list (mistral-common: DEPRECATED_SPECIAL_TOKENS).
DEFAULT_SPECIALS = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]",
    "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)


def sniff(source: Source) -> int:
    head = source.head.lstrip()
    if not head.startswith(b"{"):
        return 0
    return 95 if b'"default_vocab_size"' in head and b'"pattern"' in head else 0


def load(source: Source, options: dict[str, str]) -> Tokenizer:
    """InputError names the key or the vocabulary entry that is wrong."""
    return through("tekken", source, load=lambda: _parse(source), freeze=freeze_ranks, thaw=thaw_ranks,
                   options=(source.name,))


def _parse(source: Source) -> Tokenizer:
    try:
        document = orjson.loads(source.data)
    except orjson.JSONDecodeError as error:
        raise InputError(f"the JSON cannot be read ({error.msg})", where=f"line {error.lineno}, column {error.colno}",
                         todo="the download may not be complete: fetch it again") from error
    config = _of(document, "config", dict, "")
    count = _number(config, "default_num_special_tokens")
    size = _number(config, "default_vocab_size")
    vocab = _of(document, "vocab", list, "")
    live = size - count
    if not 0 < live <= len(vocab):
        raise InputError(f"{live:,} live ranks (default_vocab_size - special tokens) and {len(vocab):,} entries",
                         where="config.default_vocab_size", todo=_AGAIN)
    warnings: list[str] = []
    if live < len(vocab):
        warnings.append(f"{len(vocab) - live:,} of {len(vocab):,} entries are beyond default_vocab_size and not used")
    specials = _specials(document, count, warnings)
    entries = [(rank + count, token) for rank, token in enumerate(_live(vocab[:live]))]
    ids = {i: i - count for i, _ in entries}
    entries += [(i, text.encode()) for i, text in enumerate(specials)]
    vocabulary = Vocabulary.build(entries, kinds=dict.fromkeys(range(count), TokenKind.SPECIAL), ranks=ids)
    special_ids = {text: i for i, text in enumerate(specials)}
    before, after = special_ids.get("<s>"), special_ids.get("</s>")
    return EndedByteLevel(
        source.name, "tekken", source.sha256, vocabulary, compile_pattern(_of(config, "pattern", str, "config.")),
        special_tokens=special_ids, matcher=SpecialMatcher(special_ids, {}), warnings=warnings,
        before=() if before is None else (before,), after=() if after is None else (after,),
    )


def _specials(document: dict[str, Any], count: int, warnings: list[str]) -> list[str]:
    """The texts of ids 0 .. count-1."""
    listed = document.get("special_tokens")
    if listed is None:
        warnings.append("the file lists no special tokens: mistral-common's default list is used")
        texts = list(DEFAULT_SPECIALS[:count])
    elif isinstance(listed, list):
        texts = []
        for i, entry in enumerate(listed):
            if not isinstance(entry, dict) or not isinstance(entry.get("token_str"), str) or entry.get("rank") != i:
                raise InputError(f"no token of rank {i} with a token_str", where=f"special_tokens[{i}]", todo=_AGAIN)
            texts.append(entry["token_str"])
    else:
        raise InputError("this is no list", where="special_tokens", todo=_AGAIN)
    if len(texts) > count or len(set(texts)) < len(texts):
        raise InputError(f"{len(texts)} special tokens, {len(set(texts))} different, where {count} belong",
                         where="special_tokens", todo=_AGAIN)
    if len(texts) < count and listed is not None:
        warnings.append(f"{count - len(texts)} special tokens are not listed: they are shown as <SPECIAL_n>")
    return texts + [f"<SPECIAL_{i}>" for i in range(len(texts), count)]


def _live(vocab: list[Any]) -> list[bytes]:
    out: list[bytes] = []
    for rank, entry in enumerate(vocab):
        try:
            if entry["rank"] != rank:
                raise InputError(f"rank {entry['rank']} where {rank} belongs", where=f"vocab[{rank}]", todo=_AGAIN)
            out.append(base64.b64decode(entry["token_bytes"], validate=True))
        except (KeyError, TypeError, ValueError, binascii.Error) as error:
            raise InputError("no entry with a rank and base64 token_bytes", where=f"vocab[{rank}]",
                             todo=_AGAIN) from error
    singles = {t for t in out[:256] if len(t) == 1}
    if len(singles) != 256:
        raise InputError("the first 256 ranks are not the 256 bytes", where="vocab", todo=_AGAIN)
    if len(set(out)) != len(out):
        raise InputError("two ranks have the same bytes", where="vocab", todo=_AGAIN)
    return out


def _of(document: Any, key: str, kind: type, path: str) -> Any:
    value = document.get(key) if isinstance(document, dict) else None
    if not isinstance(value, kind):
        raise InputError(f"{path}{key} is missing or of a wrong type", where=f"key {path}{key}", todo=_AGAIN)
    return value


def _number(config: dict[str, Any], key: str) -> int:
    value = config.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        raise InputError(f"config.{key} is {value!r}, no count", where=f"key config.{key}", todo=_AGAIN)
    return value


_AGAIN = "the file is damaged: fetch it again"

FORMAT = Format("tekken", "Mistral tekken.json", (".json",), sniff, load)
