"""A document under edit equals encoding it anew, for byte-level tokenizer.json files: one pattern or several, what is
not matched kept or removed, bytes that are no UTF-8."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from tokenloupe.core.bytemap import CHARACTERS
from tokenloupe.core.document import Document
from tokenloupe.core.document_incremental import Incremental
from tokenloupe.core.document_whole import Whole
from tokenloupe.core.patterns import O200K
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_bytes

PARTS = ["a", "hi", " hi", "  ", "\n", "1", "1234", "é", "你好", "😀", "'s", "!", "<|x|>", "<|", "x",
         "\u0301", " \n\n", "ない"]
#: What NFC changes, alone or beside others.
CHANGED = ["A\u030a", "\u212b", "\u1100\u1161", "\u11a8", "가", "=", "\u0338", "\u0323", "न", "\u093c", "\u094d"]
ODD = [b"\xff", b"\xe4\xb8", b"\x80", b"\xe4", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xad"]


def split(pattern: str, behavior: str = "Isolated", invert: bool = False) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}


STAGES = {
    "isolated": [split(O200K)],
    "matches kept": [split(O200K, "Removed", True)],
    "words kept": [split(r" ?\p{L}+|\p{N}", "Removed", True)],
    "several": [split(r"\p{N}{1,3}"), split("[一-龥\u3040-ヿ]+"),
                split(r"[!-/:-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+"
                      r"|\s+(?!\S)|\s+")],
}


def opened(name: str) -> Tokenizer:
    """name: of STAGES. "bytes missing": the vocabulary lacks those that no UTF-8 has; "NFC": behind that normal form.
    """
    stages = STAGES[name.split(", ")[0]]
    merges = ["h i", "Ġ hi", "1 2", "Ã ©", "ä ½", "Ġ Ġ"]
    never = {0xC0, 0xC1, *range(0xF5, 0x100)} if name.endswith("missing") else set()
    tokens = [*(c for b, c in enumerate(CHARACTERS) if b not in never), *(m.replace(" ", "") for m in merges)]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    added = {"id": len(tokens), "content": "<|x|>", "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": True}
    value = {"version": "1.0", "added_tokens": [added],
             "normalizer": {"type": "NFC"} if name.endswith("NFC") else None,
             "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*stages, level]}, "post_processor": None,
             "decoder": level,
             "model": {"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges}}
    return open_bytes(json.dumps(value).encode(), "tokenizer.json")


@pytest.mark.parametrize("name", [*STAGES, "isolated, bytes missing", "several, bytes missing", "isolated, NFC"])
def test_edits(name: str) -> None:
    tokenizer = opened(name)
    rng = random.Random(name)
    parts = [*PARTS, *CHANGED] if name.endswith("NFC") else PARTS

    def text(most: int, odd: float) -> bytes:
        return b"".join(rng.choice(ODD) if rng.random() < odd else rng.choice(parts).encode()
                        for _ in range(rng.randint(0, most)))

    for special in ("text", "parse"):
        for odd in (0.0, 0.15):
            for _ in range(8):
                document = Document(tokenizer, text(40, odd), special)
                for _ in range(8):
                    at = rng.randint(0, len(document))
                    removed = rng.randint(0, min(5, len(document) - at))
                    document.edit(at, removed, text(3, odd))
                    found, whole = document.encoding(), tokenizer.encode(document.data, special=special)
                    assert found.ids.tolist() == whole.ids.tolist(), document.data
                    assert np.array_equal(found.starts, whole.starts) and np.array_equal(found.ends, whole.ends)


@pytest.mark.parametrize("name", ["isolated", "matches kept", "several", "several, bytes missing", "isolated, NFC"])
def test_an_edit_is_local(name: str) -> None:
    document = Document(opened(name), "hi 1234, 你好! ".encode() * 400)
    document.encoding()
    assert document.edit(3000, 0, b"x").tokens_removed < 30
    if not name.endswith(("missing", "NFC")):
        assert document.edit(3003, 0, b"\xff").tokens_removed < 30
    assert isinstance(document._tokens, Incremental)


def test_a_text_that_is_normalized_again_is_edited_incrementally() -> None:
    document = Document(opened("isolated, NFC"), b"hi e" * 20)
    for inserted, kind in (("\u0301", Whole), ("", Incremental), ("é", Incremental), ("\u0323", Whole)):
        document.edit(40, len(document) - 80, inserted)
        assert isinstance(document._tokens, kind)
        assert document.encoding().ids.tolist() == document.tokenizer.encode(document.data).ids.tolist()
