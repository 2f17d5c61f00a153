"""Cache: GGUF vocabularies of every model come back as they were read."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from gguf_random import MODELS, random_text, random_vocabulary
from gguf_vocab_build import build
from tokenloupe.formats import open_tokenizer

from .cache_kit import same, stored

pytestmark = pytest.mark.usefixtures("all_sizes_kept")


def test_a_gguf_vocabulary_comes_back(tmp_path: Path) -> None:
    from tokenloupe.core.bytemap import BYTE_OF

    tokens = [*BYTE_OF, "ab", "Ġab", "<x>"]
    path = tmp_path / "v.gguf"
    path.write_bytes(build([
        ("tokenizer.ggml.model", "gpt2"), ("tokenizer.ggml.pre", "gpt-2"), ("tokenizer.ggml.tokens", tokens),
        ("tokenizer.ggml.token_type", [1] * (len(tokens) - 1) + [3]), ("tokenizer.ggml.merges", ["a b", "Ġ ab"]),
    ]))
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert len(stored()) == 1
    same(first, second)


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_gguf_vocabularies_off_the_byte_level_engine_come_back(model: str, tmp_path: Path) -> None:
    """A merge that gives a control token keeps a gpt2 vocabulary off the engine; llama's never is on it."""
    from tokenloupe.core.bytemap import BYTE_OF
    from tokenloupe.core.llamacpp import LlamaTokenizer

    path = tmp_path / "v.gguf"
    if model == "gpt2":
        tokens = [*BYTE_OF, "ab", "Ġab", "<x>", "cc"]
        kinds = [1] * (len(tokens) - 2) + [3, 3]
        more: list[tuple[str, Any]] = [("tokenizer.ggml.pre", "gpt-2"),
                                       ("tokenizer.ggml.merges", ["a b", "Ġ ab", "c c"])]
    else:
        tokens = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256)), "▁", "a", "b", "ab", "▁ab", "<x>"]
        kinds = [2, 3, 3, *[6] * 256, 1, 1, 1, 1, 1, 3]
        more = [("tokenizer.ggml.scores", [0.0] * 259 + [-float(i) for i in range(len(tokens) - 259)])]
    path.write_bytes(build([("tokenizer.ggml.model", model), ("tokenizer.ggml.tokens", tokens),
                            ("tokenizer.ggml.token_type", kinds), *more]))
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert type(first) is LlamaTokenizer and len(stored()) == 1
    same(first, second)
    assert first.encode("ab", bos_eos=True).ids.tolist() == second.encode("ab", bos_eos=True).ids.tolist()


@pytest.mark.parametrize("model", MODELS)
def test_random_vocabularies_come_back(model: str, tmp_path: Path) -> None:
    kept = 0
    for seed in range(12):
        rng = random.Random(f"cache {model} {seed}")
        path = tmp_path / f"{seed}.gguf"
        path.write_bytes(random_vocabulary(rng, model))
        before = len(stored())
        first, second = open_tokenizer(path), open_tokenizer(path)
        kept += len(stored()) - before
        same(first, second)
        for _ in range(6):
            text = random_text(rng)
            for ends in (False, True):
                one, other = (t.encode(text, special="parse", bos_eos=ends) for t in (first, second))
                assert one.ids.tolist() == other.ids.tolist() and one.lost == other.lost
                assert one.ends.tolist() == other.ends.tolist()
    assert kept == 12
