"""A file with an unknown stage: `encode` refuses it and names `vocab`, which opens the entries alone and says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokenloupe.cli import main

Capture = pytest.CaptureFixture[bytes]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({
        "version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": {"type": "Sparkle"},
        "post_processor": None, "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": {"Ġ": 0, "a": 1, "b": 2, "ab": 3, "Ġab": 4},
                  "merges": [["a", "b"], ["Ġ", "ab"]]}}))
    return str(path)


def answer(capsysbinary: Capture, *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsysbinary.readouterr().out)


def test_encode_refuses_in_one_line_and_says_what_works(file: str, capsysbinary: Capture) -> None:
    assert main(["encode", "-t", file, "ab"]) == 1
    out, error = capsysbinary.readouterr()
    assert not out and error.count(b"\n") == 1
    assert b"'Sparkle' is no pre-tokenizer" in error and b"`tokenloupe vocab` opens its vocabulary alone" in error


def test_vocab_and_lineage_open_it(file: str, capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "vocab", "-t", file, "--text", "ab")
    assert [(r["id"], r["text"]) for r in got["rows"]] == [(3, "ab"), (4, " ab")]
    assert len(got["warnings"]) == 1 and "only the vocabulary is open" in got["warnings"][0]
    assert [c["id"] for c in answer(capsysbinary, "lineage", "-t", file, "4")["built"]["children"]] == [0, 3]
    assert main(["vocab", "-t", file]) == 0
    assert b"only the vocabulary is open" in capsysbinary.readouterr().err


def test_the_audit_claims_nothing_about_texts(file: str, capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "vocab", "-t", file, "--audit")
    assert got["unreachable"] == [] and got["limits"].startswith("nothing was tried")
    assert "unreachable" not in got["totals"] and got["census"]["total"] == 5


def test_it_is_compared(file: str, capsysbinary: Capture) -> None:
    got = answer(capsysbinary, "vocab", "-t", "gpt2", "--against", file)
    assert got["shared"] == 5 and got["only_right"] == 0
