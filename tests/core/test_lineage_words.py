"""Merges of words that are joined at all places at once: against every short word, run as the method is described."""

from __future__ import annotations

import itertools
import random

import pytest

from tokenloupe.core.clip import ClipTokenizer
from tokenloupe.core.lineage import Lineage
from tokenloupe.core.lineage_words import word_steps
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.sennrich import SubwordNmtTokenizer

from .vocabularies import merge_tokenizer

END = "</w>"
Pair = tuple[str, str]


def joined(symbols: list[str], ranks: dict[Pair, int]) -> list[Pair]:
    """The pairs that are joined, in order: in each round the best one, wherever it stands."""
    out: list[Pair] = []
    while True:
        there = set(itertools.pairwise(symbols)) & set(ranks)
        if not there:
            return out
        best = min(there, key=ranks.__getitem__)
        out.append(best)
        at = 0
        while at < len(symbols) - 1:
            if (symbols[at], symbols[at + 1]) == best:
                symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
            at += 1


def fired_in_words(ranks: dict[Pair, int], version: tuple[int, int], longest: int = 7) -> set[Pair]:
    out: set[Pair] = set()
    for size in range(2, longest + 1):
        for letters in itertools.product("ab", repeat=size):
            symbols = [*letters, END] if version == (0, 1) else [*letters[:-1], letters[-1] + END]
            out |= set(joined(symbols, ranks))
    return out


def random_codes(rnd: random.Random, version: tuple[int, int]) -> list[Pair]:
    known = ["a", "b"] + ([END] if version == (0, 1) else ["a" + END, "b" + END])
    codes: list[Pair] = []
    for _ in range(rnd.randint(3, 14)):
        pair = rnd.choice([k for k in known if not k.endswith(END)]), rnd.choice(known)
        if pair not in codes and len("".join(pair).removesuffix(END)) < 6:
            codes.append(pair)
            known.append("".join(pair))
    if rnd.random() < 0.5:
        rnd.shuffle(codes)
    return codes


@pytest.mark.parametrize("version", [(0, 1), (0, 2)])
def test_what_is_called_dead_joins_in_no_word(version: tuple[int, int]) -> None:
    rnd = random.Random(3)
    for _ in range(60):
        codes = random_codes(rnd, version)
        tokenizer = SubwordNmtTokenizer("codes", "", codes, version)
        lineage = Lineage(VocabularyIndex(tokenizer))
        fired = fired_in_words(tokenizer.codes, version)
        listed = [c for c in codes if c[0].removesuffix(END) and c[1].removesuffix(END)]
        assert len(lineage.merges) == len(listed)
        for pair, dead in zip(listed, lineage.dead.tolist(), strict=True):
            if dead or pair[1].endswith(END):  # a word's end has nothing behind it that could matter
                assert dead == (pair not in fired), (codes, pair)


def test_all_places_at_once_are_not_one_after_the_other() -> None:
    """Of "abab", one place at a time makes "ab a b" and then "aba b"; all places at once make "ab ab"."""
    codes = [("ab", "a"), ("a", "b"), ("ab", "ab")]
    words = Lineage(VocabularyIndex(SubwordNmtTokenizer("codes", "", codes, (0, 2))))
    assert words.dead.tolist() == [False, False, False]
    assert joined([*"abab", "c" + END], {pair: rank for rank, pair in enumerate(codes)})[-1] == ("ab", "ab")
    others = Lineage(VocabularyIndex(merge_tokenizer([(a.encode(), b.encode()) for a, b in codes])))
    assert others.dead.tolist() == [False, False, True]


def test_the_end_of_a_word_as_a_symbol() -> None:
    """ "he" + the end of a word comes about by h + e; only then "t" joins it."""
    codes = [("h", "e"), ("he", END), ("t", "he" + END)]
    lineage = Lineage(VocabularyIndex(SubwordNmtTokenizer("codes", "", codes, (0, 1))))
    assert lineage.dead.tolist() == [False, False]  # (he, </w>) makes no new entry and is no row
    firing = lineage.firing
    assert firing is not None
    v = lineage.vocabulary
    assert {v.raw_at(r) for r in range(len(v)) if firing.built[r]} >= {"the", "he", "he@@", "t@@", "h@@"}
    assert "the@@" not in {v.raw_at(r) for r in range(len(v)) if firing.built[r]}


def test_clip_merges() -> None:
    """ "a b" first: so "b c" fires in "bc" alone, and what is made of "a" and "bc" never."""
    merges = [("a", "b"), ("b", "c" + END), ("a", "bc" + END), ("ab", "c" + END)]
    tokenizer = ClipTokenizer("clip", "", merges)
    *_, firing = word_steps(tokenizer)
    assert not isinstance(firing, float)
    assert firing.alive.tolist() == [True, True, False, True]
    lineage = Lineage(VocabularyIndex(tokenizer))
    assert lineage.dead.tolist() == [False, False, True, False]
