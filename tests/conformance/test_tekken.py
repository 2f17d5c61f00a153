"""tekken.json and claude.json: golden rows and the public fault cases."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenloupe.formats import open_tokenizer

Golden = Callable[[str], list[dict[str, Any]]]


def test_tekken_golden(golden: Golden, real_file: Callable[[str], Path]) -> None:
    tokenizer = open_tokenizer(real_file("tekken_240718.json"))
    rows = golden("tekken_240718")
    wrong = [r["i"] for r in rows if tokenizer.encode(r["text"]).ids.tolist() != r["ids"]]
    print(f"tekken_240718: {len(rows) - len(wrong)}/{len(rows)}")
    assert not wrong
    # real-tekken-shift, real-tekken-cut
    assert tokenizer.decode([13440, 81040, 1625, 3621, 13244, 10628, 113521]).decode() == "很抱歉，我无法提供"
    assert tokenizer.encode("访").ids.tolist() == [5538, 1191]
    assert tokenizer.vocabulary.size == 131072 and tokenizer.vocabulary.raw_at(999) == "<SPECIAL_999>"
    assert list(tokenizer.special_tokens)[:4] == ["<unk>", "<s>", "</s>", "[INST]"] and len(tokenizer.warnings) == 2


def test_claude_golden(golden: Golden, real_file: Callable[[str], Path]) -> None:
    """The golden ids are of raw ranks without NFKC: only rows that NFKC leaves alone are compared."""
    tokenizer = open_tokenizer(real_file("claude.json"))
    rows = [r for r in golden("tt_claude_tiktoken") if unicodedata.normalize("NFKC", r["text"]) == r["text"]]
    wrong = [r["i"] for r in rows if tokenizer.encode(r["text"]).ids.tolist() != r["ids"]]
    print(f"tt_claude_tiktoken: {len(rows) - len(wrong)}/{len(rows)}")
    assert not wrong and len(rows) > 70
    for row in golden("tt_claude_tiktoken.bytes"):
        assert tokenizer.encode(bytes.fromhex(row["hex"])).ids.tolist() == row["ids"]


def test_case_truncated_vocabulary(shared: Path) -> None:
    """voc-tekken-truncated: only 261 - 4 = 257 ranks are live."""
    vocabulary = open_tokenizer(shared / "cases" / "files" / "tekken_truncated_vocab.json").vocabulary
    assert vocabulary.id_of(b"ab") == 260 and vocabulary.id_of(b"abc") is None and vocabulary.id_of(b"\xe2\x80") is None


def test_case_no_special_tokens(shared: Path) -> None:
    """voc-tekken-no-specials"""
    bare = open_tokenizer(shared / "cases" / "files" / "tekken_no_specials.json")
    assert list(bare.special_tokens) == ["<unk>", "<s>", "</s>", "[INST]"] and bare.warnings
    few = open_tokenizer(shared / "cases" / "files" / "tekken_few_specials.json")
    assert list(few.special_tokens) == ["<unk>", "<s>", "<SPECIAL_2>", "<SPECIAL_3>"] and few.warnings
