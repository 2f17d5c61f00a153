"""Long texts cut before `▁`, words encoded together, long merges by a heap: all as the library encodes the whole."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from tokenizers import Tokenizer as Reference

from tokenloupe.core import pipeline_tokenizer
from tokenloupe.core.pipeline import word_table
from tokenloupe.core.pipeline.models.bpe import BPE
from tokenloupe.formats import open_bytes

LETTERS = "ab>▁é\n"


def random_model(rng: random.Random) -> dict[str, Any]:
    fallback = rng.random() < 0.5
    letters = LETTERS if not fallback else rng.choice(["ab>▁é", "ab>▁", "b▁é"])
    tokens = list(letters)
    merges: list[list[str]] = []
    for _ in range(rng.randint(3, 60)):
        left, right = rng.choice(tokens), rng.choice(tokens)
        if len(left + right) > 8 or (rng.random() < 0.8 and right.startswith("▁") and not left.endswith("▁")):
            continue
        if [left, right] not in merges:
            merges.append([left, right])
        if left + right not in tokens:
            tokens.append(left + right)
    if fallback:
        tokens += [f"<0x{b:02X}>" for b in range(256)]
    unknown = rng.choice(["<unk>", None])
    if unknown:
        tokens.append(unknown)
    return {"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges, "byte_fallback": fallback,
            "unk_token": unknown, "fuse_unk": rng.random() < 0.5}


def both(model: dict[str, Any], **parts: Any) -> tuple[Reference, Any]:
    text = json.dumps({"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None,
                       "post_processor": None, "decoder": None, "model": model, **parts})
    return Reference.from_str(text), open_bytes(text.encode(), "t")


def test_cut_texts_give_the_same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline_tokenizer, "LONG_WORD", 15)
    cut = 0
    for seed in range(150):
        rng = random.Random(f"cuts {seed}")
        reference, ours = both(random_model(rng))
        for _ in range(4):
            text = "".join(rng.choice("aab>▁▁é\nc ") for _ in range(rng.randint(20, 90)))
            cut += ours.parts.model.segments(text) is not None
            made = ours.encode(text)
            assert made.ids.tolist() == reference.encode(text).ids, (seed, text)
            assert (made.starts[1:] >= made.starts[:-1]).sum() >= 0
    assert cut > 150


def test_no_cut_where_a_merge_may_cross() -> None:
    vocab = {t: i for i, t in enumerate(["a", ">", "▁", "▁▁", ">▁", "a▁", "<unk>"])}
    after = BPE(vocab, [("▁", "▁"), (">", "▁")], unk_token="<unk>")
    assert after.segments("aaaa▁aaaa▁>▁aaaaaa") == ["aaaa", "▁aaaa", "▁>▁aaaaaa"]
    letter = BPE(vocab, [("▁", "▁"), ("a", "▁")], unk_token="<unk>")
    assert letter.segments("aaaa▁>>>>▁>▁>>>>>>") == ["aaaa▁>>>>", "▁>", "▁>>>>>>"]
    # a token that stands for any unknown character merges: nothing is known of what may cross
    assert BPE(vocab, [("▁", "▁"), ("<unk>", "▁")][:1], unk_token="▁").segments("aaaa▁>>>>▁>▁>>>>>>") is None


@pytest.mark.parametrize("many", [1, 1 << 30])
def test_words_together_and_one_by_one(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr(word_table, "MANY", many)
    rng = random.Random(5)
    for seed in range(40):
        model = random_model(random.Random(f"words {seed}"))
        reference, ours = both(model, pre_tokenizer={"type": "CharDelimiterSplit", "delimiter": " "})
        text = " ".join("".join(rng.choice("aabb>▁é\n") for _ in range(rng.randint(1, 30))) for _ in range(60))
        made = ours.encode(text)
        assert made.ids.tolist() == reference.encode(text).ids
        assert made.starts.tolist() == sorted(made.starts.tolist())


@pytest.mark.parametrize("text", ["a" * 20_000, "ab" * 10_000, "▁" * 20_001, "aé" * 9_000 + "b"])
def test_one_long_pre_token(text: str) -> None:
    tokens = ["a", "b", "é", "▁", "aa", "ab", "aaaa", "▁▁", "▁▁▁▁", "aé", "aéaé", "ba"]
    merges = [["a", "a"], ["▁", "▁"], ["a", "b"], ["aa", "aa"], ["▁▁", "▁▁"], ["a", "é"], ["aé", "aé"], ["b", "a"]]
    reference, ours = both({"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges})
    assert ours.encode(text).ids.tolist() == reference.encode(text).ids
