"""Tries and best paths as arrays, against the plainest ways to say them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core import best_paths as module
from tokenloupe.core.best_paths import best_paths, edges_of
from tokenloupe.core.piece_trie import PieceTrie, cells_of

LETTERS = "ab▁é日😀"
PIECES = st.lists(st.text(alphabet=LETTERS, max_size=5), max_size=12, unique=True)


@settings(max_examples=120, deadline=None)
@given(PIECES, st.text(alphabet=LETTERS + "x\U0010ffff", max_size=20))
def test_every_piece_is_found_at_every_place(pieces: list[str], text: str) -> None:
    hidden = set(pieces[1::3])  # not to be given out
    values = np.array([-1 if p in hidden else 10 + i for i, p in enumerate(pieces)], np.int64)
    found = {(a, b, v) for e in PieceTrie(pieces, values).walk(*cells_of(text))
             for a, b, v in zip(e.starts.tolist(), e.ends.tolist(), e.values.tolist(), strict=True)}
    wanted = {(a, b, 10 + pieces.index(text[a:b])) for a in range(len(text)) for b in range(a + 1, len(text) + 1)
              if text[a:b] in pieces and text[a:b] not in hidden}
    assert found == wanted


def plainly(pieces: dict[str, int], word: str, scores: Any, unknown: float, first: Any) -> tuple[list[int], Any, float]:
    """(ids, sum, gap) by the definition: from the left, a later path must be better."""
    kind = scores.dtype.type
    best: list[Any] = [kind(first)] + [None] * len(word)
    every: list[list[Any]] = [[] for _ in range(len(word) + 1)]
    back: list[tuple[int, int]] = [(0, 0)] * (len(word) + 1)
    for start in range(len(word)):
        ends = [(end, pieces[word[start:end]]) for end in range(start + 1, len(word) + 1) if word[start:end] in pieces]
        if not ends or ends[0][0] != start + 1:
            ends.append((start + 1, -1))
        for end, piece in ends:
            total = best[start] + (scores[piece] if piece >= 0 else kind(unknown))
            every[end].append(total)
            if best[end] is None or total > best[end]:
                best[end], back[end] = total, (start, piece)
    ids: list[int] = []
    gap, end = float("inf"), len(word)
    while end:
        ranked = sorted(every[end], reverse=True)
        gap = min(gap, float(ranked[0]) - float(ranked[1]) if len(ranked) > 1 else float("inf"))
        ids.append(back[end][1])
        end = back[end][0]
    return ids[::-1], best[-1], gap


@pytest.mark.parametrize("few", [0, 10**6])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_best_path_is_the_one_by_definition(few: int, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """few: whether words are taken together or one by one. Coarse scores: ties are what is hard."""
    monkeypatch.setattr(module, "FEW", few)
    monkeypatch.setattr(module, "TOGETHER", 64)
    rng = random.Random(few)
    for _ in range(60):
        made = ("".join(rng.choices(LETTERS, k=rng.randint(1, 4))) for _ in range(rng.randint(1, 25)))
        pieces = list(dict.fromkeys(made))
        ids = {p: i for i, p in enumerate(pieces)}
        scores = np.array([rng.choice([-1.0, -2.0, -0.1, -3.3]) for _ in pieces], kind)
        words = ["".join(rng.choices(LETTERS, k=rng.randint(0, 14))) for _ in range(rng.randint(1, 30))]
        first = np.array([rng.choice([0.0, -1000.1, -65536.3]) for _ in words], kind)
        trie = PieceTrie(pieces, np.arange(len(pieces)))
        found = best_paths(trie, words, scores, -11.5, first)
        stops = np.cumsum(found.counts).tolist()
        for i, word in enumerate(words):
            own = slice(stops[i] - int(found.counts[i]), stops[i])
            wanted, total, gap = plainly(ids, word, scores, -11.5, first[i])
            assert found.ids[own].tolist() == wanted
            assert found.totals[i] == total and found.gaps[i] == gap
            spans = list(zip(found.begins[own].tolist(), found.ends[own].tolist(), strict=True))
            assert "".join(word[a:b] for a, b in spans) == word
            assert all(t < 0 or pieces[t] == word[a:b] for t, (a, b) in zip(wanted, spans, strict=True))


def test_a_very_long_word_beside_short_ones() -> None:
    trie = PieceTrie(["a", "aa", "b"], np.arange(3))
    words = ["a" * 1000, *["ab"] * 40, "", "x" * 300]
    found = best_paths(trie, words, np.array([-1.0, -1.5, -1.0]), -20.0)
    assert found.counts.tolist() == [500, *[2] * 40, 0, 300]
    assert found.totals[0] == -750.0 and found.totals[-1] == -6000.0
    assert found.ids[-300:].tolist() == [-1] * 300


def test_edges_of_words_are_their_own() -> None:
    trie = PieceTrie(["a", "ab", "ba"], np.arange(3))
    assert edges_of(trie, ["ab", "", "ba"]) == [[[(1, 0), (2, 1)], []], [], [[(2, 2)], [(2, 0)]]]
