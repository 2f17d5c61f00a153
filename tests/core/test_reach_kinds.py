"""Reachability of random tokenizers of every kind: witnesses yield their tokens, no text yields what is unreachable."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

import gguf_random
import hf_random
import sp_build
from tokenloupe.core import reach as reach_module
from tokenloupe.core import reach_texts
from tokenloupe.core.errors import InputError
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Reachability, Status, reach
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.core.utf8 import is_valid
from tokenloupe.formats import open_bytes

LONG = os.environ.get("TOKENLOUPE_LONG") == "1"
SEEDS = range(150) if LONG else range(1)


@pytest.fixture(autouse=True)
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every assigned character is tried of each tokenizer: here those that the random ones are made of. In the normal
    run there are fewer neighbours, too: less is found then, and what is said must hold all the same."""
    few = np.array(sorted({ord(c) for c in "".join(gguf_random.LETTERS) if not 0xD800 <= ord(c) < 0xE000}))
    monkeypatch.setattr(reach_module, "characters", lambda: few)
    if not LONG:
        monkeypatch.setattr(reach_texts, "NEIGHBOURS", (" ", "a", "中"))
        monkeypatch.setattr(reach_texts, "PAIRS", (" ", "a"))
        monkeypatch.setattr(reach_texts, "WAYS", (4, 8, 8))


def produced(tokenizer: Tokenizer, texts: list[bytes]) -> set[int]:
    """Every token of the texts, with special tokens and without. The reference stops at some: none of those."""
    out: set[int] = set()
    for text in texts:
        for mode in ("text", "parse"):
            try:
                out |= set(tokenizer.encode_ids(text, special=mode).tolist())
            except InputError:
                continue
    return out


def texts_around(tokenizer: Tokenizer, rnd: random.Random, some: Callable[[], bytes]) -> list[bytes]:
    """Random texts, and the entries beside one another and beside random texts."""
    v = tokenizer.vocabulary
    entries = [p for p in (v.bytes_at(r) for r in range(len(v))) if p]
    letters = [e for e in entries if len(e) < 5][:8]
    out = [some() for _ in range(30 if LONG else 10)]
    out += [a + b for a, b in product(letters if LONG else letters[:4], repeat=2)]
    for entry in entries if LONG else rnd.sample(entries, min(len(entries), 40)):
        out += [entry, rnd.choice(entries) + entry, entry + rnd.choice(entries), some() + entry + some(),
                rnd.choice(letters or entries) + entry + rnd.choice(letters or entries)]
    return [t for t in out if is_valid(t)]


def check(tokenizer: Tokenizer, rnd: random.Random, some: Callable[[], bytes]) -> Reachability:
    found = reach(VocabularyIndex(tokenizer))
    for token_id in tokenizer.vocabulary.ids.tolist():
        witness = found.witness(token_id)
        if witness is not None:
            witness[0].decode()
            assert token_id in tokenizer.encode_ids(witness[0], special=witness[1])
    out = produced(tokenizer, texts_around(tokenizer, rnd, some))
    wrong = [i for i in out if i in tokenizer.vocabulary and found.status_of(i) == Status.UNREACHABLE]
    v = tokenizer.vocabulary
    assert not wrong, [(i, v.bytes_of(i), found.proofs[v.row_of(i) or 0]) for i in wrong]
    return found


@pytest.mark.parametrize("kind", hf_random.KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_tokenizer_json(kind: str, seed: int) -> None:
    rnd = random.Random(f"{kind}{seed}")
    while True:  # until one that the library does not refuse
        value = hf_random.random_tokenizer(rnd, kind)
        try:
            tokenizer = open_bytes(json.dumps(value).encode(), "t.json")
        except InputError:
            continue
        break
    check(tokenizer, rnd, lambda: hf_random.random_text(rnd, value).encode("utf-8", "ignore"))


@pytest.mark.parametrize("kind", ["bpe", "unigram", "word", "char"])
@pytest.mark.parametrize("seed", SEEDS)
def test_sentencepiece(kind: str, seed: int) -> None:
    rnd = random.Random(f"{kind}{seed}")
    data, _ = sp_build.random_model(rnd, kind)
    check(open_bytes(data, "t.model"), rnd, lambda: sp_build.random_text(rnd).encode())


@pytest.mark.parametrize("model", gguf_random.MODELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_gguf(model: str, seed: int) -> None:
    rnd = random.Random(f"{model}{seed}")
    tokenizer = open_bytes(gguf_random.random_vocabulary(rnd, model), "t.gguf")
    check(tokenizer, rnd, lambda: gguf_random.random_text(rnd))
