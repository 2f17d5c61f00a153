"""Every golden row of every tokenizer.json: ids in the parsed mode, decoded text, round trip of the spans."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokenloupe.formats import open_tokenizer

SHARED = Path(os.environ.get("TOKENLOUPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
INDEX: dict[str, Any] = (
    json.loads((SHARED / "golden/index.json").read_text("utf-8")) if (SHARED / "golden/index.json").is_file() else {}
)
ENTRIES = INDEX.get("tokenizers", INDEX)
NAMES = sorted(n for n in ENTRIES if n.startswith("hf_"))

#: Rows where the library decodes an added token as if it were byte-map characters (its fault: the ids still match).
SPOILT = {("hf_otc_deepseek-llm-7b-base", 94)}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


@pytest.mark.parametrize("name", NAMES)
def test_golden_rows(name: str, shared: Path, real_file: Callable[[str], Path]) -> None:
    tokenizer = open_tokenizer(real_file(Path(ENTRIES[name]["file"].split()[-1]).name))
    texts = {row["i"]: row["text"] for row in rows(shared / "golden/texts.jsonl")}
    wanted = rows(shared / f"golden/{name}.jsonl")
    wrong, decoded = [], []
    for row in wanted:
        made = tokenizer.encode(texts[row["i"]], special="parse")
        if made.ids.tolist() != row["ids"]:
            wrong.append(row["i"])
        if tokenizer.decode(row["ids"]).decode("utf-8", "replace") != row["decoded"] and (name, row["i"]) not in SPOILT:
            decoded.append(row["i"])
        assert (made.starts <= made.ends).all() and (made.ends <= len(made.data)).all()
    print(f"{name}: {len(wanted) - len(wrong)}/{len(wanted)}")
    assert (wrong, decoded) == ([], [])
