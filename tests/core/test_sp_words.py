"""A long text taken by its words gives what sentencepiece gives, and the spans and losses of the text as a whole."""

from __future__ import annotations

import random

import numpy as np
import pytest
import sentencepiece

import sp_build
from tokenloupe.core import sentencepiece as own
from tokenloupe.core import sp_words, stretch_table
from tokenloupe.core.sp_chunks import Chunker
from tokenloupe.formats import open_bytes

from ..formats.test_sentencepiece import charsmap
from .test_sp_chunks import LETTERS

#: Beside letters: what rules make spaces of, drop, or join with its neighbours.
ODD = ["\n", "\n\n", "\u00a0", "\u200b", "\u1112\u1161\u11ab", "\u2581\u2581", "\0", "x" * 60]


def text_of(rng: random.Random) -> bytes:
    """Words that come again, line ends beside and between them, doubled spaces, now and then a byte that is no
    UTF-8."""
    some = ["".join(rng.choices(LETTERS, k=rng.randint(1, 9))) for _ in range(9)] + ["a", "b", "abc", "ab", "x"]
    odd = rng.random() < 0.5
    parts: list[str] = []
    for _ in range(rng.randint(3, 60)):
        parts += [rng.choice(ODD if odd and rng.random() < 0.1 else some), rng.choice([" ", " ", " ", "  ", ""])]
    made = "".join(parts).encode()
    at = rng.randrange(len(made)) if rng.random() < 0.2 else len(made)
    return made[:at] + b"\xff" * (at < len(made)) + made[at:]


@pytest.fixture(autouse=True)
def short_texts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sp_words, "LEAST", 0)
    monkeypatch.setattr(sp_words, "SPARSE", 1 << 40)
    monkeypatch.setattr(own, "LARGE", 0)


def agrees(made: own.SentencePieceTokenizer, theirs: sentencepiece.SentencePieceProcessor, text: bytes) -> bool:
    """Whether the text was taken by its words."""
    taken = made._words.usable and made._words.encode(text) is not None
    ids = theirs.encode(text)
    assert made.encode_ids(text).tolist() == ids, text
    found = made.encode(text)
    assert found.ids.tolist() == ids, text
    whole = open_bytes_like(made)
    wanted = whole.encode(text)
    for column in ("starts", "ends", "kinds"):
        assert np.array_equal(getattr(found, column), getattr(wanted, column)), (column, text)
    assert found.lost == wanted.lost, text
    *progress, last = made.encode_steps(text, "text")
    assert not isinstance(last, float) and last.ids.tolist() == ids and progress == sorted(progress)
    return taken


def open_bytes_like(made: own.SentencePieceTokenizer) -> own.SentencePieceTokenizer:
    """The same, taking no text by its words."""
    other = own.SentencePieceTokenizer(made.name, made.sha256, made.vocabulary, made.normalizer, made.model,
                                       made.settings)
    other._words.usable = False
    return other


@pytest.mark.parametrize("kind", list(sp_build.TYPES))
def test_words_give_what_the_library_gives(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {name: charsmap(name) for name in ("nmt_nfkc", "nmt_nfkc_cf", "nfkc")}
    build, taken = sp_build.build, 0
    for seed in range(36):
        rng = random.Random(f"words {kind} {seed}")
        blob = rules[rng.choice(list(rules))] if seed % 3 else b""
        monkeypatch.setattr(sp_build, "build", lambda *a, **k: build(*a, **k, charsmap=blob))  # noqa: B023
        data, _ = sp_build.random_model(rng, kind)
        made = open_bytes(data)
        assert isinstance(made, own.SentencePieceTokenizer)
        theirs = sentencepiece.SentencePieceProcessor(model_proto=data)
        if rng.random() < 0.3:
            made._words._chunker = Chunker(made.normalizer, made.model.side, rng.choice([8, 40]))
        taken += sum(agrees(made, theirs, text_of(rng)) for _ in range(8))
    assert taken > 60, taken


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_a_table_that_is_full_begins_anew_in_the_middle_of_a_text(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (stretch_table, sp_words):
        monkeypatch.setattr(module, "MOST_TOKENS", 40)
    for seed in range(12):
        rng = random.Random(f"full {kind} {seed}")
        data, _ = sp_build.random_model(rng, kind)
        made = open_bytes(data)
        assert isinstance(made, own.SentencePieceTokenizer)
        theirs = sentencepiece.SentencePieceProcessor(model_proto=data)
        made._words._chunker = Chunker(made.normalizer, made.model.side, 30)
        for _ in range(6):
            agrees(made, theirs, text_of(rng))


def test_a_word_at_whose_end_a_space_is_made_is_taken_with_the_next() -> None:
    pieces = [*sp_build.BASE, *((p, -float(i), sp_build.NORMAL) for i, p in enumerate(["▁", "a", "b", "▁a", "▁b"]))]
    model = sp_build.build(pieces, model="bpe", charsmap=charsmap("nmt_nfkc"))
    made = open_bytes(model)
    assert isinstance(made, own.SentencePieceTokenizer)
    text = b"a b\n a \n\nb a"
    found = made._words.encode(text)
    assert found is not None
    assert [text[a:b] for a, b in zip(found[1], found[2], strict=True)] == [
        b"a", b" b", b"\n a", b" \n\nb", b" a"]  # of a run of spaces the first is kept
