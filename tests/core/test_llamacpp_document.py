"""A document under edit equals encoding it anew, for GGUF vocabularies: marks, broken UTF-8, llama.cpp's splits."""

from __future__ import annotations

import random

import pytest

from gguf_vocab_build import build
from tokenloupe.core.bytemap import CHARACTERS
from tokenloupe.core.document import Document
from tokenloupe.core.llamacpp import SPACED, tidied, untidy
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_bytes

PARTS = ["a", "hi", " hi", "  ", "\n", "1", "1234", "é", "你好", "😀", "'s", "!", "<|x|>", "<doc>", "<", "|", "x",
         "\u0301"]


def opened(pre: str) -> Tokenizer:
    merges = ["h i", "Ġ hi", "1 2", "Ã ©"]
    tokens = [*CHARACTERS, *(m.replace(" ", "") for m in merges), "<|x|>", "<doc>"]
    kinds = [1] * (len(tokens) - 2) + [3, 4]
    keys = {"model": "gpt2", "pre": pre, "tokens": tokens, "merges": merges, "token_type": kinds}
    return open_bytes(build([(f"tokenizer.ggml.{k}", v) for k, v in keys.items()]), "x.gguf")


@pytest.mark.parametrize("pre", ["gpt-2", "llama-bpe", "qwen2", "gpt-4o", "tekken", "deepseek-llm", "qwen35"])
def test_edits(pre: str) -> None:
    tokenizer = opened(pre)
    rng = random.Random(pre)
    for special in ("text", "parse"):
        for _ in range(6):
            document = Document(tokenizer, "".join(rng.choices(PARTS, k=rng.randint(0, 40))).encode(), special=special)
            for _ in range(8):
                at = rng.randint(0, len(document))
                removed = rng.randint(0, min(5, len(document) - at))
                new = "".join(rng.choices(PARTS, k=rng.randint(0, 3))).encode()
                new += b"\xff" if rng.random() < 0.1 else b""
                document.edit(at, removed, new)
                found, whole = document.encoding(), tokenizer.encode(document.data, special=special)
                assert found.ids.tolist() == whole.ids.tolist(), document.data
                assert found.starts.tolist() == whole.starts.tolist() and found.ends.tolist() == whole.ends.tolist()


def test_spaces_before_punctuation_are_lost_in_decoding() -> None:
    """llama_detokenize takes them out (clean_spaces) for gpt-2's vocabularies and not for qwen2's."""
    rng = random.Random(4)
    for _ in range(400):
        text = "".join(rng.choices([" ", "a", "!", ".", ",", "'", "s", "m", "re", "ve", "?", "t"], k=8)).encode()
        assert (tidied(text) == text) == (not any(s in text for s in SPACED)) == (not untidy(text))
    for pre, kept in (("gpt-2", False), ("qwen2", True)):
        tokenizer = opened(pre)
        made = tokenizer.encode("a !")
        assert made.exact == kept == Document(tokenizer, "a !").exact and tokenizer.encode("a!").exact
        assert [(x.start, x.end) for x in made.lost] == ([] if kept else [(1, 2)])
        assert tokenizer.decode(made.ids) == (b"a !" if kept else b"a!")
