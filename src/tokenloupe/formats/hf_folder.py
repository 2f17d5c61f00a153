"""What lies beside a tokenizer.json: tokenizer_config.json, added_tokens.json, special_tokens_map.json.

Tokens that only these know are added as the library's `add_tokens` would, in the order of their ids, and said.
`clean_up_tokenization_spaces` is never applied: decoding gives the tokens' own bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from ..core.pipeline.added import AddedToken
from ..core.pipeline.postprocessors import Template
from .registry import Source

ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
#: A file of settings beside a tokenizer is small; a larger one is something else.
LARGEST = 64 << 20


def beside(source: Source, tokens: Sequence[AddedToken], vocab: Mapping[str, int], template: Template,
           warnings: list[str]) -> tuple[list[AddedToken], Template]:
    """(further added tokens, template)."""
    config = _read(source.beside("tokenizer_config.json"), warnings)
    known = {t.content for t in tokens}
    found: dict[str, AddedToken] = {}
    decoder = config.get("added_tokens_decoder")
    if isinstance(decoder, dict):
        for key, value in decoder.items():
            if isinstance(value, dict) and isinstance(value.get("content"), str) and key.isdecimal():
                flags = (bool(value.get(k)) for k in ("single_word", "lstrip", "rstrip", "normalized", "special"))
                found.setdefault(value["content"], AddedToken(value["content"], int(key), *flags))
    for content, token_id in _read(source.beside("added_tokens.json"), warnings).items():
        if isinstance(token_id, int):
            found.setdefault(content, AddedToken(content, token_id, normalized=True))
    names = _read(source.beside("special_tokens_map.json"), warnings)
    if not (config or found or names):
        return [], template
    highest = max([*vocab.values(), *(t.file_id for t in tokens), *(t.file_id for t in found.values())], default=-1)
    for role in ROLES:
        text = _content(names.get(role)) or _content(config.get(role))
        if text and text not in known and text not in found:
            if text not in vocab:
                highest += 1
            found[text] = AddedToken(text, vocab.get(text, highest), special=True)
    extra = sorted((t for t in found.values() if t.content not in known), key=lambda t: t.file_id)
    if extra:
        shown = ", ".join(repr(t.content) for t in extra[:4]) + (" .." if len(extra) > 4 else "")
        warnings.append(f"{len(extra)} token{'s' if len(extra) > 1 else ''} added from the files beside it: {shown}")
    if config.get("clean_up_tokenization_spaces"):
        warnings.append("tokenizer_config.json asks for clean_up_tokenization_spaces: it is not applied")
    if template == [None]:
        ids = {**vocab, **{t.content: t.file_id for t in (*extra, *tokens)}}
        first = ids.get(_content(config.get("bos_token")) or "") if config.get("add_bos_token") else None
        last = ids.get(_content(config.get("eos_token")) or "") if config.get("add_eos_token") else None
        template = [*([] if first is None else [first]), None, *([] if last is None else [last])]
    return extra, template


def contents_beside(source: Source) -> list[str]:
    """What lies beside it, for the cache: a name and a SHA-256 each."""
    found = []
    for name in ("tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"):
        path = source.beside(name)
        if path is not None:
            try:
                data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
            except OSError:
                data = b""
            found.append(f"{name} {hashlib.sha256(data).hexdigest()}")
    return found


def _content(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("content")
    return value if isinstance(value, str) and value else None


def _read(path: Path | None, warnings: list[str]) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError("too large")
        value = orjson.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        warnings.append(f"{path.name} beside it cannot be read ({error}) and is passed over")
        return {}
    return value if isinstance(value, dict) else {}
