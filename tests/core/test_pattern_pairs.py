"""Boundaries by pairs of characters against the matcher itself and, on long texts, against tiktoken's own engine."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core import pattern_pairs
from tokenloupe.core.pattern import PAIRED, Engine, Splitter, compile_pattern
from tokenloupe.core.pattern_pairs import FAMILIES, PairSplitter

ODD = "aAsStTrReEvVlLmMdDzZ0123 \n\r\t\v\f/.,'!_-\u00a0\u0085\u2028\u3000\u200b\x1c\x1f\x00éÉſKıßǅʰ中文あ한́٣Ⅷ²😀‍️𝒜«͸"
WORDS = ["'s", "'RE", "'ſ", "'lL", "   ", "\r\n", " \n ", "//\n", "the", "123", "\n\n", "word ", "Word ", "x. ", " ("]
TEXTS = st.one_of(
    st.text(st.sampled_from("aAbstTlLvVeE' .1\n/"), min_size=4, max_size=30),
    st.lists(st.sampled_from([*ODD, *WORDS]), min_size=4, max_size=30).map("".join),
)
LONG = bool(os.environ.get("TOKENLOUPE_LONG"))


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much of a text is left to the matcher, the pairs decide the rest."""
    monkeypatch.setattr(pattern_pairs, "ZONES", 0)
    monkeypatch.setattr(pattern_pairs, "LEAST", 1 << 40)


def by_matcher(splitter: Splitter, classes: bytes) -> list[int]:
    return [m.end() for m in splitter._regex.finditer(classes)]


@pytest.mark.parametrize("engine", ["fancy-regex", "oniguruma", "llama.cpp"])
@pytest.mark.parametrize("pattern", FAMILIES)
@pytest.mark.usefixtures("no_limits")
def test_pairs_are_what_the_matcher_says(pattern: str, engine: Engine) -> None:
    splitter = compile_pattern(pattern, engine)
    pairs = PairSplitter.of(splitter)
    assert pairs is not None

    @settings(max_examples=20_000 if LONG else 120, deadline=None)
    @given(TEXTS)
    def same(text: str) -> None:
        classes = splitter.classes(text.encode())
        ends = pairs.ends(classes)
        assert ends is not None
        assert ends.tolist() == by_matcher(splitter, classes)

    same()
    rnd = random.Random(pattern + engine)
    for _ in range(20_000 if LONG else 300):
        same_text = "".join(rnd.choices([*ODD, *WORDS], k=40))
        classes = splitter.classes(same_text.encode())
        ends = pairs.ends(classes)
        assert ends is not None and ends.tolist() == by_matcher(splitter, classes), same_text


@pytest.mark.parametrize("pattern", FAMILIES)
def test_long_texts_are_split_as_tiktoken_does(pattern: str) -> None:
    """With single bytes as its only tokens but for whole pieces, tiktoken shows its pieces: their lengths sum up."""
    rnd = random.Random(7)
    splitter = compile_pattern(pattern)
    for _ in range(20 if LONG else 3):
        words = ["".join(rnd.choices(ODD, k=rnd.randint(1, 3))) for _ in range(20)]
        text = "".join(rnd.choices([" word", "Word", ".", ", ", "\n    ", " 12345", "don't", " (x)", *words],
                                   [20, 5, 5, 5, 5, 2, 2, 3, *[0.1] * 20], k=2000))
        data = text.encode()
        assert len(text) >= PAIRED
        starts, ends = splitter.spans(data)
        pieces = sorted({data[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)} -
                        {bytes([b]) for b in range(256)})
        ranks = {bytes([b]): b for b in range(256)} | {p: 256 + i for i, p in enumerate(pieces)}
        theirs = tiktoken.Encoding("pieces", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        # A piece that tiktoken cuts otherwise than we do is not an entry, so its tokens would not be ours.
        assert [len(theirs.decode_single_token_bytes(i)) for i in theirs.encode_ordinary(text)] == np.diff(
            ends, prepend=0).tolist()


@pytest.mark.parametrize("text", ["1\n" * 5000, " " * 5000, "\n" * 5000, "'" * 5000, "a's" * 2000, "\u0301" * 5000,
                                  "中A" * 3000, " \n" * 3000, "!\n/" * 2000, "7" * 5000, "'s'S" * 1500])
@pytest.mark.parametrize("pattern", FAMILIES)
def test_texts_of_one_kind(pattern: str, text: str) -> None:
    splitter = compile_pattern(pattern)
    classes = splitter.classes(text.encode())
    assert splitter.spans_of_classes(classes)[1].tolist() == by_matcher(splitter, classes)


def test_a_pattern_that_is_not_known_has_no_pairs() -> None:
    assert PairSplitter.of(compile_pattern(r"\p{L}+|\P{L}+")) is None
