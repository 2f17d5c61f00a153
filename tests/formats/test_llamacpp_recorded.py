"""Random small vocabularies of six models, with the ids and texts that llama.cpp itself gave for random texts.

llamacpp_recorded.json.xz was made by tests/llamacpp_live.py --record with llama.cpp v0.4.0 (MIT, the ggml authors), the
library of the npm package @node-llama-cpp/linux-x64 3.21.1 (MIT): 240 GGUF files, less those whose split rule it does
not know yet, and twelve texts of each, some of them no UTF-8, with specials parsed or not and with ends or without.
tests/conformance/test_live_oracles.py asks the library itself where it is there.
"""

from __future__ import annotations

import base64
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gguf_random import MODELS
from tokenloupe.formats import open_bytes


@cache
def recorded() -> list[dict[str, Any]]:
    packed = Path(__file__).with_name("llamacpp_recorded.json.xz").read_bytes()
    rows: list[dict[str, Any]] = json.loads(lzma.decompress(packed))
    return rows


@pytest.mark.parametrize("model", MODELS)
def test_ids_and_texts(model: str) -> None:
    rows = [r for r in recorded() if r["model"] == model]
    assert sum(len(r["texts"]) for r in rows) >= 400
    for row in rows:
        tokenizer = open_bytes(base64.b64decode(row["gguf"]), "x.gguf")
        for text, parse, ends, ids, decoded in row["texts"]:
            data = bytes.fromhex(text)
            found = tokenizer.encode(data, special="parse" if parse else "text", bos_eos=bool(ends))
            assert found.ids.tolist() == ids, (data, parse, ends)
            assert bool((found.starts <= found.ends).all()) and found.ends.max(initial=0) <= len(data)
            if decoded is not None:
                assert tokenizer.decode(ids).hex() == decoded
