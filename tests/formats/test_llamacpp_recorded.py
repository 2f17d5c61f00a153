"""Random small vocabularies of five kinds, with the ids and texts that llama.cpp itself gave for random texts.

llamacpp_recorded.json.xz was made with llama-vocab.cpp and unicode.cpp of the version vendored in llama-cpp-python
0.3.36, compiled without the rest of the program: 70 GGUF files and 840 texts, some of them no UTF-8, with specials
parsed or not and with ends or without. 14,000 more pairs agreed when this was recorded.
"""

from __future__ import annotations

import base64
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tokenloupe.formats import open_bytes


@cache
def recorded() -> list[dict[str, Any]]:
    packed = Path(__file__).with_name("llamacpp_recorded.json.xz").read_bytes()
    rows: list[dict[str, Any]] = json.loads(lzma.decompress(packed))
    return rows


@pytest.mark.parametrize("model", ["llama", "t5", "bert", "gpt2", "gemma4"])
def test_ids_and_texts(model: str) -> None:
    rows = [r for r in recorded() if r["model"] == model]
    assert len(rows) == 14
    for row in rows:
        tokenizer = open_bytes(base64.b64decode(row["gguf"]), "x.gguf")
        for text, parse, ends, ids, decoded in row["texts"]:
            data = bytes.fromhex(text)
            found = tokenizer.encode(data, special="parse" if parse else "text", bos_eos=bool(ends))
            assert found.ids.tolist() == ids, (data, parse, ends)
            assert bool((found.starts <= found.ends).all()) and found.ends.max(initial=0) <= len(data)
            if decoded is not None:
                assert tokenizer.decode(ids).hex() == decoded
