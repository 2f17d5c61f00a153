"""Small tokenizers for the tests of the cache, and what makes two tokenizers the same."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import cache

TEXTS = ("", "abab cab", "a<x>b ab", "ab ▁ab\n\n", "é日x", "<0x41>ab" * 30)


def bpe(**model: Any) -> dict[str, Any]:
    vocab = {"a": 0, "b": 1, "ab": 2, "c": 3, "abab": 4, "▁": 5, "▁ab": 6, "Ġ": 7, "Ġab": 8}
    merges = [["a", "b"], ["ab", "ab"], ["▁", "ab"], ["Ġ", "ab"]]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": 9, "content": "<x>", "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True}],
        "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                  "vocab": vocab, "merges": merges, **model},
    }


def byte_level() -> dict[str, Any]:
    stage = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return bpe() | {"pre_tokenizer": stage, "decoder": stage}


def sentencepiece_like() -> dict[str, Any]:
    mark = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    back = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
    made = bpe(byte_fallback=True, fuse_unk=True)
    made["model"]["vocab"] |= {f"<0x{b:02X}>": 9 + b for b in range(256)}
    made["added_tokens"][0]["id"] = 265
    return made | {"normalizer": mark,
                   "decoder": {"type": "Sequence", "decoders": [back, {"type": "ByteFallback"}, {"type": "Fuse"}]}}


JSONS: dict[str, Callable[[], dict[str, Any]]] = {
    "plain": bpe, "byte level": byte_level, "sentencepiece": sentencepiece_like,
    "ignore_merges": lambda: bpe(ignore_merges=True), "suffix": lambda: bpe(end_of_word_suffix="▁"),
    "unknown": lambda: bpe(unk_token="c", fuse_unk=True),
}


def put(path: Path, value: dict[str, Any]) -> Path:
    path.write_bytes(orjson.dumps(value))
    return path


def stored(place: Path | None = None) -> list[Path]:
    place = place or cache.folder()
    assert place is not None
    return sorted(place.glob("*.tokenizer"))


def same(one: Tokenizer, other: Tokenizer) -> None:
    assert type(one) is type(other)
    for name in ("name", "format", "sha256", "warnings", "special_tokens", "added_tokens"):
        assert getattr(one, name) == getattr(other, name), name
    v, w = one.vocabulary, other.vocabulary
    assert (v.blob, v.raw_blob) == (w.blob, w.raw_blob)
    for name in ("ids", "offsets", "kinds", "scores", "ranks", "raw_offsets"):
        a, b = getattr(v, name), getattr(w, name)
        assert (a is None) == (b is None) and (a is None or np.array_equal(a, b)), name
    for text in TEXTS:
        for mode in ("text", "parse"):
            x, y = one.encode(text, special=mode), other.encode(text, special=mode)  # type: ignore[arg-type]
            assert x.ids.tolist() == y.ids.tolist()
            assert (x.starts.tolist(), x.ends.tolist()) == (y.starts.tolist(), y.ends.tolist())
            assert (x.lost, x.exact) == (y.lost, y.exact)
            assert one.decode(x.ids) == other.decode(y.ids)


def rank_file() -> bytes:
    tokens = [bytes([b]) for b in range(256)] + [b"ab", b"abab", b" ab", b"a sixteen byte token and more"]
    return b"".join(base64.b64encode(t) + b" %d\n" % i for i, t in enumerate(tokens))


class Parsed:
    """How often a file was parsed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tokenloupe.formats import tokenizer_json

        self.count = 0
        inner = tokenizer_json.parse

        def counted(*given: Any) -> Any:
            self.count += 1
            return inner(*given)

        monkeypatch.setattr(tokenizer_json, "parse", counted)
