"""subword-nmt: golden output lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenloupe.core.sennrich import SubwordNmtTokenizer
from tokenloupe.formats import open_tokenizer


def test_golden(golden: Callable[[str], list[dict[str, Any]]], shared: Path) -> None:
    tokenizer = open_tokenizer(shared / "real" / "botchan_codes.txt")
    assert isinstance(tokenizer, SubwordNmtTokenizer)
    rows = golden("subword_nmt")
    wrong = [r["i"] for r in rows if tokenizer.process_line(r["text"]) != r["line"]]
    print(f"subword_nmt: {len(rows) - len(wrong)}/{len(rows)}")
    assert not wrong
