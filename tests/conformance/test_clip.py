"""CLIP: golden rows that its ftfy and HTML unescaping leave alone."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenloupe.formats import open_tokenizer

#: What ftfy 6 changes: control characters, terminal escapes, ligatures, full- and half-width forms, curly quotes.
MENDED = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufeff\ufb00-\ufb06\uff00-\uffef\u2018-\u201f\u01c4-\u01cc\u3000]")


def left_alone(text: str) -> bool:
    return unicodedata.normalize("NFC", text) == text and html.unescape(text) == text and not MENDED.search(text)


def test_golden(golden: Callable[[str], list[dict[str, Any]]], shared: Path) -> None:
    tokenizer = open_tokenizer(shared / "real" / "bpe_simple_vocab_16e6.txt.gz")
    assert tokenizer.vocabulary.size == 49408 and any("ftfy" in w for w in tokenizer.warnings)
    rows = [r for r in golden("clip_open_clip") if left_alone(r["text"])]
    wrong = [r["i"] for r in rows if tokenizer.encode(r["text"], special="parse").ids.tolist() != r["ids"]]
    print(f"clip_open_clip: {len(rows) - len(wrong)}/{len(rows)}")
    assert not wrong and len(rows) > 65
