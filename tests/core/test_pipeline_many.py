"""Many texts at once have the ids that each has alone: random tokenizers of every kind and stage."""

from __future__ import annotations

import json
import os
import random

import numpy as np
import pytest

import hf_random
from tokenloupe.core.errors import InputError
from tokenloupe.core.pipeline.added import MANY, Matcher
from tokenloupe.core.pipeline_many import encode_many
from tokenloupe.core.pipeline_tokenizer import PipelineTokenizer
from tokenloupe.core.tokenizer import SpecialMode
from tokenloupe.formats import open_bytes

LONG = os.environ.get("TOKENLOUPE_LONG") == "1"
SEEDS = range(400) if LONG else range(12)
#: Ends and beginnings that might go together if nothing stood between two texts.
EDGES = [b"", b"e", "\u0301".encode(), "\u0323".encode(), b"\r", b"\n", b" ", "ᄀ".encode(), "ᅡ".encode(), "中".encode(),
         b"\xe4", b"\xb8\xad", b"b", "İ".encode(), b"\x00", "▁".encode()]


def check(tokenizer: PipelineTokenizer, texts: list[bytes], mode: SpecialMode) -> None:
    expected = []
    for text in texts:
        try:
            expected.append(tokenizer.encode_ids(text, special=mode).tolist())
        except InputError:  # the library refuses it, and so any that it is among
            with pytest.raises(InputError):
                encode_many(tokenizer, texts, mode)
            return
    ids, owners = encode_many(tokenizer, texts, mode)
    assert np.all(np.diff(owners) >= 0)
    assert [ids[owners == i].tolist() for i in range(len(texts))] == expected


@pytest.mark.parametrize("kind", hf_random.KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_tokenizers(kind: str, seed: int) -> None:
    rnd = random.Random(f"many {kind}{seed}")
    value = hf_random.random_tokenizer(rnd, kind)
    try:
        tokenizer = open_bytes(json.dumps(value).encode(), "t.json")
    except InputError:
        return
    if not isinstance(tokenizer, PipelineTokenizer):
        return
    for _ in range(4):
        texts = [hf_random.random_text(rnd, value).encode("utf-8", "ignore") for _ in range(6)] + rnd.sample(EDGES, 8)
        rnd.shuffle(texts)
        check(tokenizer, texts, "text")
        check(tokenizer, texts, "parse")


def test_no_texts() -> None:
    value = {"version": "1.0", "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}
    tokenizer = open_bytes(json.dumps(value).encode(), "t.json")
    assert isinstance(tokenizer, PipelineTokenizer)
    assert [x.tolist() for x in encode_many(tokenizer, [])] == [[], []]
    check(tokenizer, [b"", b""], "text")


def test_thousands_of_added_tokens_are_looked_up_as_a_pattern_finds_them() -> None:
    rnd = random.Random(7)
    texts = {"".join(rnd.choice("ab<\n]") for _ in range(rnd.randint(1, 7))) for _ in range(900)}
    short = rnd.sample(sorted(texts), MANY + 20)
    matcher, other = (Matcher({t: i for i, t in enumerate(short)}) for _ in range(2))
    assert other.pattern is not None
    for _ in range(300):
        text = "".join(rnd.choice("abxyz<\n] ") for _ in range(rnd.randint(0, 40)))
        assert list(matcher.spans(text)) == list(other.spans(text)), text
    assert "pattern" not in matcher.__dict__
