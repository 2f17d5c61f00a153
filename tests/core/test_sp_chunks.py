"""Chunks of a text, normalized and segmented one after another, give what the whole text gives."""

from __future__ import annotations

import random

import numpy as np
import pytest
import sentencepiece

import sp_build
from tokenloupe.core import sentencepiece as own
from tokenloupe.core.sp_chunks import Chunker
from tokenloupe.core.sp_normalizer import SpNormalizer
from tokenloupe.formats import open_bytes

from ..formats.test_sentencepiece import charsmap

LETTERS = ["a", "b", "c", "x", "\u00e9", "e\u0301", "\u4f60", "\U0001f600", "\u3000", "\ufb01", "A", "\u2581", "\t"]


def words(rng: random.Random) -> bytes:
    """Words and spaces, some of them doubled or missing; now and then a byte that is no UTF-8."""
    some = ["".join(rng.choices(LETTERS, k=rng.randint(1, 9))) for _ in range(12)] + ["a", "b", "abc", "ab", "x"]
    made = "".join(rng.choice(some) + rng.choice([" ", " ", " ", "  ", ""]) for _ in range(rng.randint(3, 60))).encode()
    at = rng.randrange(len(made)) if rng.random() < 0.2 else len(made)
    return made[:at] + b"\xff" * (at < len(made)) + made[at:]


@pytest.mark.parametrize("kind", list(sp_build.TYPES))
def test_chunks_give_what_the_whole_gives(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "SIZE", 0)  # every text may be cut
    rules = charsmap("nmt_nfkc_cf")
    build, cuts = sp_build.build, 0
    for seed in range(24):
        rng = random.Random(f"{kind} {seed}")
        blob = b"" if seed % 8 else rules
        monkeypatch.setattr(sp_build, "build", lambda *a, **k: build(*a, **k, charsmap=blob))  # noqa: B023
        data, _ = sp_build.random_model(rng, kind)
        chunked, whole = open_bytes(data), open_bytes(data)
        theirs = sentencepiece.SentencePieceProcessor(model_proto=data)
        for tokenizer, size in ((chunked, rng.choice([1, 4, 9, 20])), (whole, 1 << 30)):
            assert isinstance(tokenizer, own.SentencePieceTokenizer)
            tokenizer.__dict__["_chunker"] = Chunker(tokenizer.normalizer, tokenizer.model.side, size)
        for _ in range(6):
            text = words(rng)
            cuts += len(chunked._chunker.edges(text)) - 2  # type: ignore[attr-defined]
            found, wanted = chunked.encode(text), whole.encode(text)
            for column in ("ids", "starts", "ends", "kinds"):
                assert np.array_equal(getattr(found, column), getattr(wanted, column)), (seed, text)
            assert found.lost == wanted.lost
            assert found.ids.tolist() == theirs.encode(text), (seed, text)
            *progress, last = chunked.encode_steps(text, "text")
            assert not isinstance(last, float) and last.ids.tolist() == found.ids.tolist()
            assert progress == sorted(progress)
    assert cuts > 100


def test_where_a_text_is_cut() -> None:
    assert Chunker(SpNormalizer(), "before", 4).edges(b"one two three") == [0, 7, 13]
    assert Chunker(SpNormalizer(), "behind", 4).edges(b"one two three") == [0, 8, 13]
    assert Chunker(SpNormalizer(), "", 4).edges(b"one two three") == [0, 13]
    # Not beside another space, a byte that is no UTF-8, or the sign that spaces become.
    for beside in ("one  two", "one\xff two".encode("latin-1"), "one ▁two", "one▁ two"):
        data = beside if isinstance(beside, bytes) else beside.encode()
        assert Chunker(SpNormalizer(), "before", 1).edges(data + b"x" * 9) == [0, len(data) + 9]
    # Not where a user-defined piece may reach over a space.
    assert Chunker(SpNormalizer(user_defined=["two t"]), "before", 4).edges(b"one two three") == [0, 13]


def test_a_long_text_without_a_place_to_cut_is_one_chunk() -> None:
    assert Chunker(SpNormalizer(), "before", 100).edges("你好".encode() * 500) == [0, 3000]
    spaces = b"a" * 200 + b"  " * 2000 + b"b c" + b"d" * 400
    assert Chunker(SpNormalizer(), "before", 100).edges(spaces)[-1] == len(spaces)
