"""Every text and byte row of the golden inputs: the lane's model is what the slow oracle works out, cut by cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from bytelane_oracle import Truth, check
from tokenloupe.core.bytelane import LaneSource
from tokenloupe.core.document import Document
from tokenloupe.formats.bundled import load_bundled

from .conftest import json_lines

INPUTS = ("texts.jsonl", "bytes.jsonl")


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
@pytest.mark.parametrize("inputs", INPUTS)
def test_the_lane_of_every_golden_input(shared: Path, name: str, inputs: str) -> None:
    tokenizer = load_bundled(name)
    rows = list(json_lines(shared / "golden" / inputs))
    assert rows
    for row in rows:
        data = bytes.fromhex(str(row["hex"])) if "hex" in row else str(row["text"]).encode("utf-8", "surrogatepass")
        document = Document(tokenizer, data)
        source, truth = LaneSource(document), Truth.of(document.encoding())
        check(source, truth, 0, len(data))
        for start in range(0, len(data), 16):
            check(source, truth, start, min(start + 5, len(data)))


def test_a_tokenizer_with_spans_of_its_own(shared: Path) -> None:
    """SentencePiece: a prefix space has no bytes, and spans are those of the input."""
    from tokenloupe import load

    tokenizer = load(next(iter(sorted((shared / "real").glob("*.model")))))
    for row in json_lines(shared / "golden" / "texts.jsonl"):
        data = str(row["text"]).encode("utf-8", "surrogatepass")
        document = Document(tokenizer, data)
        check(LaneSource(document), Truth.of(document.encoding()), 0, len(data))
