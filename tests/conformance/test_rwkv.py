"""RWKV's trie vocabulary: golden rows for texts and for bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenloupe.formats import open_tokenizer


def test_golden(golden: Callable[[str], list[dict[str, Any]]], shared: Path) -> None:
    tokenizer = open_tokenizer(shared / "real" / "rwkv_vocab_v20230424.txt")
    assert tokenizer.format == "rwkv" and not tokenizer.warnings
    for name, key in (("rwkv", "text"), ("rwkv.bytes", "hex")):
        rows = golden(name)
        inputs = [r[key] if key == "text" else bytes.fromhex(r[key]) for r in rows]
        wrong = [r["i"] for r, x in zip(rows, inputs, strict=True) if tokenizer.encode(x).ids.tolist() != r["ids"]]
        print(f"{name}: {len(rows) - len(wrong)}/{len(rows)}")
        assert not wrong
        assert all(tokenizer.encode(x).exact for x in inputs)
