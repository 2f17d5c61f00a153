"""Proofs from stages: the best sum of parts by hand, contexts in rounds, letters that leave an entry alone."""

from __future__ import annotations

import math

import pytest

from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach_stages import best_of_parts
from tokenloupe.core.reach_texts import contexts, quiet_letters
from tokenloupe.core.scripts import Utf8Class
from tokenloupe.core.vocabulary import Vocabulary


@pytest.mark.parametrize(("text", "best"), [
    ("ab", -5.0),  # a + b; the whole is no part
    ("abc", -6.0),  # ab + c is -5.5 - 1, a + bc is -2 - 4
    ("c", -math.inf), ("ax", -math.inf), ("", -math.inf),
])
def test_the_best_sum_of_two_or_more_parts(text: str, best: float) -> None:
    scores = {"a": -2.0, "b": -3.0, "c": -1.0, "ab": -5.5, "bc": -4.0, "abc": 9.0}
    assert best_of_parts(text, scores) == best


def test_letters_that_few_entries_have() -> None:
    pieces = ["a", "b", "ab", "bb", "ж", "中", "1", "ჯ", "ж!"]
    index = VocabularyIndex(Vocabulary.build(list(enumerate(p.encode() for p in pieces))))
    # ჯ is in no other entry, ж in one, a in one and b in three; of a block of 256 code points one is enough.
    assert quiet_letters(index)[0] == "ჯ" and set(quiet_letters(index)) == {"ჯ", "ж", "a"}


def test_quiet_letters_are_neighbours_on_either_side_and_on_both() -> None:
    texts = contexts(b"x", Utf8Class.WHOLE, 0, ["ж"])
    assert {"жx".encode(), "xж".encode(), "жxж".encode(), b" x", b"x "} <= set(texts)
    assert len(texts) == len(set(texts))
