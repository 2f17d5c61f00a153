"""`tokenloupe encode --jsonl` gives the reference's ids on every golden row: the command that others build on.

A table of matched/total per tokenizer is printed at the end of the run (see conftest.py).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import GOLDEN, SHARED, json_lines

INDEX = json.loads((SHARED / "golden" / "index.json").read_text("utf-8")) if SHARED.is_dir() else {}
#: Rank files whose split pattern the file's name does not say, and how the reference took special tokens.
BUNDLED = {
    "tt_r50k_base": "r50k_base",
    "tt_p50k_base": "p50k_base",
    "tt_cl100k_base": "cl100k_base",
    "tt_o200k_base": "o200k_base",
}


#: The inputs of the .special rows, which texts.jsonl does not hold; the ids spell them out.
SPECIAL_TEXTS = {139: "<|endoftext|>", 140: "a<|endoftext|>b", 141: "<|im_start|>user\nhi<|im_end|>"}


def input_rows(name: str) -> list[dict[str, object]]:
    """The inputs of a golden file, in its order, each with the ids (or output line) of the reference."""
    entry = INDEX[name]
    golden = list(json_lines(SHARED / "golden" / f"{name}.jsonl"))
    if "text" in golden[0]:  # llama.cpp's own pairs carry their text
        return [{"i": i, **row} for i, row in enumerate(golden)]
    inputs = {row["i"]: row for row in json_lines(SHARED / "golden" / entry["input"])}
    inputs |= {i: {"i": i, "text": text} for i, text in SPECIAL_TEXTS.items() if i not in inputs}
    return [{**inputs[row["i"]], **row} for row in golden]


def _find(name: str) -> Path:
    from .conftest import REAL

    for folder in (SHARED / "real", REAL):
        if (folder / name).is_file():
            return folder / name
    pytest.skip(f"{name} has not been fetched")


def tokenizer_of(name: str) -> str:
    base = name.split(".")[0]
    if base in BUNDLED:
        return BUNDLED[base]
    return str(_find(INDEX[name]["file"].removeprefix("fetch_real.py ").removeprefix("real/")))


def compared(name: str, row: dict[str, object]) -> bool:
    """Rows whose reference did something to the text that no tokenizer file says (see golden/README.md)."""
    import unicodedata

    text = row.get("text")
    if name.startswith("tt_claude"):
        if not isinstance(text, str):
            text = bytes.fromhex(str(row["hex"])).decode("utf-8", "surrogateescape")
        return unicodedata.is_normalized("NFKC", text)
    if name.startswith("clip_open_clip") and isinstance(text, str):
        return not row.get("cleaned") and _plain(text)
    return True


def _plain(text: str) -> bool:
    """A text that ftfy and HTML unescaping leave alone: printable ASCII without entities."""
    return text.isascii() and text.isprintable() and "&" not in text


@pytest.mark.parametrize("name", [n for n in INDEX if n != "subword_nmt"])
def test_every_golden_row(name: str, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    rows = [row for row in input_rows(name) if compared(name, row)]
    lines = tmp_path / "in.jsonl"
    lines.write_text(
        "".join(json.dumps({k: row[k] for k in ("text", "hex") if k in row}) + "\n" for row in rows), "utf-8"
    )
    special = "parse" if name.startswith("hf_") or name.endswith(".special") else "text"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tokenloupe",
            "encode",
            "--jsonl",
            str(lines),
            "-t",
            tokenizer_of(name),
            "--special",
            special,
        ],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    ours = [json.loads(line)["ids"] for line in done.stdout.split(b"\n") if line]
    wrong = [row["i"] for row, ids in zip(rows, ours, strict=True) if ids != row["ids"]]
    record_property(GOLDEN, [name, len(rows) - len(wrong), len(rows)])
    assert wrong == []
    assert rows, "no row was compared"
