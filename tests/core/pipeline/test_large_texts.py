"""What is done otherwise in large texts (added tokens cut out, long words merged together, spans of tokens alone) gives
what `tokenizers` gives."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

from tokenloupe.core.pipeline.added import SHORT
from tokenloupe.core.pipeline.aligned import Aligned, Edit
from tokenloupe.core.pipeline.models.bpe_batch import CLASSES, ENOUGH, LONG, worth
from tokenloupe.formats import open_bytes

LETTERS = "abé中😀"


def trained(rng: random.Random, merges: int) -> Tokenizer:
    """Merges of random pairs of what there is."""
    vocab = {c: i for i, c in enumerate([*LETTERS, "▁", "<unk>"])}
    pairs: list[tuple[str, str]] = []
    while len(pairs) < merges:
        left, right = rng.choices([t for t in vocab if t != "<unk>"], k=2)
        if left + right not in vocab and len(left + right) < 6:
            vocab[left + right] = len(vocab)
            pairs.append((left, right))
    return Tokenizer(models.BPE(vocab, pairs, unk_token="<unk>"))


def assert_as_the_library(reference: Tokenizer, text: str) -> None:
    ours = open_bytes(reference.to_str().encode(), "tokenizer.json")
    at = np.cumsum([0, *(len(c.encode()) for c in text)])
    for as_text in (False, True):
        reference.encode_special_tokens = as_text
        wanted = reference.encode(text, add_special_tokens=False)
        encoding = ours.encode(text, special="text" if as_text else "parse")
        assert encoding.ids.tolist() == wanted.ids
        offsets = np.array(wanted.offsets, np.int64).reshape(-1, 2)
        assert encoding.starts.tolist() == at[offsets[:, 0]].tolist()
        assert encoding.ends.tolist() == at[offsets[:, 1]].tolist()


@pytest.mark.parametrize("seed", range(6))
def test_many_long_words(seed: int) -> None:
    rng = random.Random(seed)
    reference = trained(rng, 30)
    reference.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    sizes = [rng.randint(LONG + 1, CLASSES[-1] + 20) for _ in range(10 * ENOUGH)] + list(range(1, LONG))
    assert worth(np.array(sizes))[: 10 * ENOUGH].any()
    text = " ".join("".join(rng.choices(LETTERS, k=size)) for size in sizes)
    assert_as_the_library(reference, text)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("flags", [{}, {"special": True}, {"normalized": True}, {"lstrip": True}, {"rstrip": True},
                                   {"single_word": True}])
def test_added_tokens_of_a_large_text(seed: int, flags: dict[str, bool]) -> None:
    rng = random.Random(f"{seed}{flags}")
    reference = trained(rng, 12)
    if rng.random() < 0.5:
        reference.normalizer = normalizers.Replace(" ", "▁")
    contents = ["\n", "\n\n", "ab", "aba", "é中", "😀b", "b b"]
    plain = {"normalized": False} | flags
    added = [AddedToken(c, **plain) for c in rng.sample(contents, 5)]
    (reference.add_special_tokens if flags.get("special") else reference.add_tokens)(added)
    words = [*LETTERS, "\n", "\n\n", "\n\n\n", "ab", "aba", "é中", " ", "b b"]
    text = "".join(rng.choices(words, k=SHORT))
    text = rng.choice(["", "\n", "ab"]) + text + rng.choice(["", "\n", "ab"])
    assert_as_the_library(reference, text)


def test_spans_of_tokens_are_those_of_their_bytes() -> None:
    rng = random.Random(5)
    for _ in range(300):
        data = "".join(rng.choices([*LETTERS, " "], k=rng.randint(0, 12))).encode()
        data += rng.choice([b"", b"\xe4\xb8", b"\xff"])
        text = Aligned.of(data, keep_invalid=rng.random() < 0.5)
        if len(text) > 3:
            at = rng.randrange(len(text) - 1)
            text = text.edited([Edit(at, at + 1 + rng.randrange(2), rng.choice(["", "x", "éé", "中", "😀"]))])
        if rng.random() < 0.5:
            text = text.inserted([0], "▁")
        spelled, starts, ends = text.utf8()
        edges = text.byte_edges()
        assert edges.tolist() == [len(text.text[:i].encode("utf-8", "surrogateescape")) for i in range(len(text) + 1)]
        size = len(spelled)
        spans = [(a, b) for a in range(size) for b in range(a + 1, size + 1)]
        lows, highs = np.array(spans, np.int64).reshape(-1, 2).T
        begins, stops = text.behind(lows, highs, edges)
        assert begins.tolist() == [starts[a] for a, _ in spans]
        assert stops.tolist() == [max(ends[b - 1], starts[a]) for a, b in spans]
        if size:
            nothing = text.behind(np.array([0, size]), np.array([0, size]), edges)
            assert [x.tolist() for x in nothing] == [[starts[0], text.ends[-1]]] * 2
