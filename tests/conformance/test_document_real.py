"""Documents of real tokenizers that are no byte-level ones: edits between seams equal encoding all anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tokenloupe
from tokenloupe.core.document import Document
from tokenloupe.core.seams import Seams

PARTS = ["a", "the ", " the", " ", "  ", "\n", "quick ", "Über", "e\u0301", "中文", "語彙を", "か\u3099", "言語模型",
         "слово ", "한국어 ", "▁", "<s>", " </s>", "[MASK]", "\t", "½", "ﬁ", "1 2 3", "<0x0A>", "do not ", "👩\u200d🚀",
         *["one two three ", "to be or not to be ", "tokenization of "] * 5,
         *["天気は晴れです漢字を分割", "把文本切成记号"] * 4]
ODD = [b"\xff", b"\xe4\xb8", b"\x80"]
FILES = ("mistral-v1.model", "mistral-v3.model", "mistral-v0.1.tokenizer.json", "minilm.tokenizer.json",
         "gemma3.tokenizer.json", "rwkv.txt", "ggml-vocab-llama-spm.gguf", "ggml-vocab-bert-bge.gguf",
         "botchan_bpe_bytefb_digits.model", "botchan_char.model", "botchan_word.model",
         "botchan_unigram_precompiled.tokenizer.json", "botchan_wordlevel.tokenizer.json")


@pytest.mark.parametrize("name", FILES)
def test_edits(name: str, real_file: Callable[[str], Path]) -> None:
    tokenizer = tokenloupe.load(real_file(name))
    assert Seams.of(tokenizer) is not None
    rng = random.Random(name)

    def text(most: int) -> bytes:
        return b"".join(rng.choice(ODD) if rng.random() < 0.02 else rng.choice(PARTS).encode()
                        for _ in range(rng.randint(0, most)))

    for special in ("text", "parse") * 3:
        document = Document(tokenizer, text(100), special)
        for _ in range(6):
            at = rng.randint(0, len(document))
            document.edit(at, rng.randint(0, min(rng.choice((0, 1, 20)), len(document) - at)), text(3))
            found = document.tokens(0, document.token_count)
            whole = tokenizer._encode(document.data, document.special, False)
            for column in ("ids", "starts", "ends", "kinds"):
                assert np.array_equal(getattr(found, column), getattr(whole, column)), (document.data, column)
