"""The best way to cut words into scored pieces (Viterbi), for many words at once.

All words go forward together: what is known of every word up to its character p is carried over its pieces to where
they end, with one array operation for each length of piece; then all of them are read back from their ends. A few
words, and very long ones, are taken one by one: arrays pay for themselves from a dozen words on.

    >>> found = best_paths(trie, ["ab", "b"], scores=np.array([-1.0, -1.0, -1.5]), unknown=-11.0)
    >>> found.ids.tolist(), found.begins.tolist(), found.ends.tolist(), found.counts.tolist()
    ([2, 1], [0, 0], [2, 1], [1, 1])

Of equal sums the path wins whose last piece begins first, as in sentencepiece and `tokenizers`: a later one must be
better. A character that is no piece by itself may stand as an unknown one (id -1). Sums are made in the type of
`scores`, from left to right.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .piece_trie import END, PieceTrie, laid_out
from .ragged import places
from .text import code_points
from .vocabulary import Int64s

#: Fewer words are taken one by one.
FEW = 12
#: Longer words, in characters, are.
FAR = 96
#: Characters that go forward together: their arrays stay in the processor's cache.
TOGETHER = 1 << 15


@dataclass(frozen=True, slots=True)
class Paths:
    """ids (-1 unknown), begins, ends (characters of the word): int64, the pieces of all words in a row. counts: how
    many each word has. gaps: float64, by how much a word's path beat the next best at the tightest of its places.
    totals: the sum at each word's end. deepest: float64, the largest absolute sum at any place of it."""

    ids: Int64s
    begins: Int64s
    ends: Int64s
    counts: Int64s
    gaps: NDArray[np.float64]
    totals: NDArray[Any]
    deepest: NDArray[np.float64]


def best_paths(trie: PieceTrie, words: Sequence[str], scores: NDArray[Any], unknown: float,
               first: NDArray[Any] | None = None) -> Paths:
    """scores: by the trie's values. unknown: that of a character without a piece. first: the sum before each word."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    order = np.argsort(-lengths, kind="stable")
    begin = np.zeros(len(words), scores.dtype) if first is None else first
    made: list[tuple[Int64s, Paths]] = []
    alone = int(np.searchsorted(-lengths[order], -FAR)) if len(words) >= FEW else len(words)
    for i in order[:alone].tolist():
        made.append((np.array([i], np.int64), _one(trie, words[i], scores, unknown, begin[i])))
    sizes = np.cumsum(lengths[order[alone:]] + 1)
    done = 0
    while alone + done < len(words):
        base = int(sizes[done - 1]) if done else 0
        stop = max(done + 1, int(np.searchsorted(sizes, base + TOGETHER)))
        which = order[alone + done : alone + stop]
        made.append((which, _together(trie, [words[i] for i in which.tolist()], scores, unknown, begin[which])))
        done = stop
    return _in_order(made, len(words), scores.dtype)


def _in_order(made: list[tuple[Int64s, Paths]], count: int, dtype: Any) -> Paths:
    """Paths of words in any order -> in the order of the words."""
    counts, gaps, deepest, totals = np.zeros(count, np.int64), np.zeros(count), np.zeros(count), np.zeros(count, dtype)
    for which, paths in made:
        counts[which], gaps[which], deepest[which] = paths.counts, paths.gaps, paths.deepest
        totals[which] = paths.totals
    offsets = np.cumsum(counts) - counts
    out = np.empty((3, int(counts.sum())), np.int64)
    for which, paths in made:
        at = places(offsets[which], paths.counts)
        out[0, at], out[1, at], out[2, at] = paths.ids, paths.begins, paths.ends
    return Paths(out[0], out[1], out[2], counts, gaps, totals, deepest)


def _together(trie: PieceTrie, words: list[str], scores: NDArray[Any], unknown: float, first: NDArray[Any]) -> Paths:
    """words: the longest first. A cell for each character and one for each end, those of the first characters of all
    words, then those of the second, ..: base[p] is where those of place p begin."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    longest = int(lengths[0])
    alive = len(words) - np.searchsorted(lengths[::-1], np.arange(longest + 1))  # words with a cell at place p
    base = np.concatenate([[0], np.cumsum(alive)])
    offsets = np.cumsum(lengths) - lengths
    total = int(lengths.sum())
    place = np.arange(total) - np.repeat(offsets, lengths)
    points = np.full(int(base[-1]), END, np.int64)
    points[base[place] + np.repeat(np.arange(len(words)), lengths)] = code_points("".join(words))
    after = np.arange(len(points)) + np.repeat(alive, alive)
    edges = [(e.starts, e.ends, e.values, scores.take(e.values), np.searchsorted(e.starts, base).tolist())
             for e in trie.walk(points, after)]

    best = np.full(len(points), -np.inf, scores.dtype)
    best[: len(words)] = first
    second = np.full(len(points), -np.inf, scores.dtype)
    back = np.full(len(points), -1, np.int64)
    token = np.full(len(points), -1, np.int64)
    # Of one character every cell has an edge: the piece it is, or the unknown one.
    single = np.full(len(points), unknown, scores.dtype)
    single_id = np.full(len(points), -1, np.int64)
    if edges:
        single[edges[0][0]], single_id[edges[0][0]] = edges[0][3], edges[0][2]
    longer = edges[1:]
    edge_at = base.tolist()
    for p in range(longest):
        low, high, stop = edge_at[p], edge_at[p + 1], edge_at[p + 2]
        width = stop - high
        score = best[low : low + width] + single[low : low + width]
        _relax(slice(high, stop), score, np.arange(low, low + width), single_id[low : low + width],
               best, second, back, token)
        for starts, ends, values, points_of, bounds in longer:
            a, b = bounds[p], bounds[p + 1]
            if a < b:
                _relax(ends[a:b], best.take(starts[a:b]) + points_of[a:b], starts[a:b], values[a:b],
                       best, second, back, token)
    return _read_back(lengths, base, best, second, back, token)


def _relax(at: Any, score: NDArray[Any], starts: Int64s, values: Int64s, best: NDArray[Any], second: NDArray[Any],
           back: Int64s, token: Int64s) -> None:
    """Paths that reach the cells `at`, each once."""
    old = best[at]
    better = score > old
    second[at] = np.maximum(second[at], np.minimum(score, old))
    best[at] = np.where(better, score, old)
    back[at] = np.where(better, starts, back[at])
    token[at] = np.where(better, values, token[at])


def _read_back(lengths: Int64s, base: Int64s, best: NDArray[Any], second: NDArray[Any], back: Int64s,
               token: Int64s) -> Paths:
    count = len(lengths)
    cell = base[lengths] + np.arange(count)
    totals = best[cell]
    gaps = np.full(count, np.inf)
    margin = best.astype(np.float64) - second
    deepest = np.zeros(count)
    heights = np.abs(best)
    for low, high in pairwise(base.tolist()):
        np.maximum(deepest[: high - low], heights[low:high], out=deepest[: high - low])
    words = np.arange(count)
    place = lengths
    rows: list[tuple[Int64s, Int64s, Int64s, Int64s]] = []
    while True:
        on = np.flatnonzero(place > 0)
        if not len(on):
            break
        words, cell, place = words[on], cell[on], place[on]
        gaps[words] = np.minimum(gaps[words], margin[cell])
        earlier = back[cell]
        begins = np.searchsorted(base, earlier, side="right") - 1
        rows.append((words, token[cell], begins, place))
        cell, place = earlier, begins
    none = np.zeros(0, np.int64)
    counts = np.bincount(np.concatenate([none, *(r[0] for r in rows)]), minlength=count)
    last = np.cumsum(counts) - 1
    out = np.empty((3, int(counts.sum())), np.int64)
    for step, (which, ids, begins, ends) in enumerate(rows):  # the last piece of each word first
        at = last[which] - step
        out[0, at], out[1, at], out[2, at] = ids, begins, ends
    return Paths(out[0], out[1], out[2], counts, gaps, totals, deepest)


#: For each character of a word: (end, value) of the pieces that begin there, the shortest first.
WordEdges = list[list[tuple[int, int]]]


def edges_of(trie: PieceTrie, words: Sequence[str]) -> list[WordEdges]:
    """The edges of some words; lists of lists, for those that are taken one by one."""
    points, after, cells = laid_out(words)
    flat: WordEdges = [[] for _ in range(len(points))]
    first = np.repeat(cells[:-1], np.diff(cells))
    for e in trie.walk(points, after):
        inside = (e.ends - first[e.starts]).tolist()
        for start, end, value in zip(e.starts.tolist(), inside, e.values.tolist(), strict=True):
            flat[start].append((end, value))
    return [flat[a : b - 1] for a, b in pairwise(cells.tolist())]


def _one(trie: PieceTrie, word: str, scores: NDArray[Any], unknown: float, first: Any) -> Paths:
    """The same for one word."""
    size, dtype = len(word), scores.dtype
    narrow = dtype == np.float32
    infinite = float("inf")
    best, second = [-infinite] * (size + 1), [-infinite] * (size + 1)
    back, token = [-1] * (size + 1), [-1] * (size + 1)
    best[0] = float(first)
    rounded = array("f", [0.0])
    weigh = scores.item
    for start, edges in enumerate(edges_of(trie, [word])[0]):
        here = best[start]
        if not edges or edges[0][0] != start + 1:
            edges.append((start + 1, -1))
        for end, value in edges:
            score = here + (weigh(value) if value >= 0 else unknown)
            if narrow:
                rounded[0] = score
                score = rounded[0]
            if score > best[end]:
                second[end], best[end], back[end], token[end] = best[end], score, start, value
            elif score > second[end]:
                second[end] = score
    rows: list[tuple[int, int, int]] = []
    gap, end = infinite, size
    while end > 0:
        gap = min(gap, best[end] - second[end])
        rows.append((token[end], back[end], end))
        end = back[end]
    table = np.array(rows[::-1], np.int64).reshape(-1, 3)
    return Paths(table[:, 0], table[:, 1], table[:, 2], np.array([len(rows)], np.int64), np.array([gap]),
                 np.array([best[size]], dtype), np.array([max(map(abs, best))]))
