"""A SentencePiece BPE model's merges by id, for many stretches at once (pipeline/models/bpe_batch.py does the merging).

    columns = Columns.of(table)                 # which pairs make each piece: a while's work for a large vocabulary
    ids, begins, ends, counts = columns.merge(["▁the", "▁th"])

A piece of the vocabulary is made by every pair of pieces that spell it; its score is the rank of all of them.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from .lookup import PairTable
from .piece_trie import PieceTrie, laid_out
from .pipeline.models.bpe_batch import merge_columns, worth
from .sp_normalizer import longest_first
from .sp_pieces import PieceTable
from .stretch_table import Outcomes
from .text import code_points
from .vocabulary import Int64s

#: Pieces that a stretch is looked through for.
MOST_ASIDE = 256


class Columns:
    """The merges of a BPE model by id, for many stretches at once (bpe_batch.py).

    letters: the id of each code point; what is no piece has an id behind those of the pieces. pairs: (left, right) ->
    rank. results: by rank. aside: finds what only the one-by-one way can do, pieces of one score (the place decides
    then) and user-defined ones (which are never joined).
    """

    def __init__(self, letters: Int64s, pairs: PairTable, results: Int64s, table: PieceTable,
                 aside: re.Pattern[str] | None) -> None:
        self.letters, self.pairs, self.results, self.aside = letters, pairs, results, aside
        self.shown = np.append(np.arange(len(table.kinds)), -1)
        self.shown[list(table.unused)] = -1

    @classmethod
    def of(cls, table: PieceTable) -> Columns | None:
        """None when there are too many pieces to be set aside."""
        pieces, ids, count = list(table.ids), list(table.ids.values()), len(table.kinds)
        single = dict.fromkeys("".join(pieces))
        behind = [c for c in single if c not in table.ids]  # a character that is no piece may be part of one
        letters = np.full(max(map(ord, single), default=0) + 2, count + len(behind), np.int64)
        letters[[ord(c) for c in single]] = [table.ids.get(c, -1) for c in single]
        letters[[ord(c) for c in behind]] = np.arange(count, count + len(behind))
        own = np.array([*ids, *range(count, count + len(behind))], np.int64)
        trie = PieceTrie([*pieces, *behind], own)
        points, after, edges = laid_out(pieces)
        starts, stops = edges[:-1], edges[1:] - 1  # of each piece, and the cell behind it
        opens, closes = np.zeros(len(points), np.bool_), np.zeros(len(points), np.bool_)
        opens[starts], closes[stops] = True, True
        left, right = np.full(len(points), -1, np.int64), np.full(len(points), -1, np.int64)
        for e in trie.walk(points, after):  # at each cell inside a piece: what ends there, and what begins
            some = opens[e.starts]
            left[e.ends[some]] = e.values[some]
            some = closes[e.ends]
            right[e.starts[some]] = e.values[some]
        cells = np.flatnonzero((left >= 0) & (right >= 0) & ~opens & ~closes)
        owner = np.searchsorted(stops, cells)
        given = np.array(score_ranks(table.scores, ids), np.int64)
        made = np.unique(owner)
        made = made[np.argsort(given[made], kind="stable")]
        _, place, times = np.unique(given[made], return_inverse=True, return_counts=True)
        aside = {pieces[i] for i in made[times[place] > 1].tolist()} | set(table.user_defined)
        if len(aside) > MOST_ASIDE:
            return None
        ranks = np.zeros(len(pieces), np.int64)
        ranks[made] = np.arange(len(made))
        results = np.array(ids, np.int64)[made]
        return cls(letters, PairTable(left[cells], right[cells], ranks[owner]), results, table, longest_first(aside))

    def takes(self, stretches: list[str]) -> NDArray[np.bool_]:
        """Which stretches can be done here."""
        good = worth(np.fromiter(map(len, stretches), np.int64, len(stretches)))
        if self.aside is not None:
            find = self.aside.search
            good &= np.fromiter((find(s) is None for s in stretches), np.bool_, len(stretches))
        return good

    def merge(self, stretches: list[str]) -> tuple[Int64s, Int64s, Int64s, Int64s]:
        """(ids, -1 unknown; begins; ends, in characters of the stretch; how many each has)."""
        lengths = np.fromiter(map(len, stretches), np.int64, len(stretches))
        symbols = self.letters.take(code_points("".join(stretches)), mode="clip")
        ids, begins, counts = merge_columns(symbols, np.cumsum(lengths) - lengths, lengths, self.pairs, self.results)
        ends = np.append(begins[1:], 0)
        ends[np.cumsum(counts) - 1] = lengths
        return self.shown.take(ids, mode="clip"), begins, ends, counts


def woven(first: NDArray[np.bool_], one: Outcomes, other: Outcomes) -> Outcomes:
    """Two outcomes as one: stretches of `one` where `first` is true, of `other` elsewhere."""
    counts = np.empty(len(first), np.int64)
    counts[first], counts[~first] = one.counts, other.counts
    mine = np.repeat(first, counts)
    ids, widths = np.empty(len(mine), np.int64), np.empty(len(mine), np.int64)
    ids[mine], ids[~mine] = one.ids, other.ids
    widths[mine], widths[~mine] = one.widths, other.widths
    return Outcomes(ids, widths, counts)


def score_ranks(scores: NDArray[np.float32], ids: list[int]) -> list[int]:
    """Merge order by score, best first; equal scores share a rank. -0.0 comes after 0.0, as in the reference."""
    bits = scores[ids].view(np.int32).astype(np.int64)
    order = np.where(bits < 0, -(bits & 0x7FFFFFFF) - 1, bits)
    ranks: list[int] = np.unique(-order, return_inverse=True)[1].tolist()
    return ranks
