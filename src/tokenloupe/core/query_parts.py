"""Of what each entry of a vocabulary is made, for all at once: the merge that makes it, its two parts, its rank.

    >>> parts = Parts(tokenizer, tokenizer.vocabulary)
    >>> for progress in parts.steps(): ...                     # in slices, for a main loop
    >>> parts.left[row], parts.right[row]                      # ids

Files list merges that never fire: of llama3's 280,147 that is more than half, as every pair that joins to an entry is
listed. So of several merges with one result the one that can fire is the one that counts, not the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from .derive import merges_of, merges_steps
from .lineage_firing import Firing
from .lineage_symbols import sizes_of, symbols_of
from .tokenizer import Tokenizer
from .vocabulary import Int64s, MergeTable, TokenKind, Vocabulary

if TYPE_CHECKING:
    from .lineage_words import WordFiring

#: Merges that are looked at in one slice.
SLICE = 1 << 16


class Parts:
    """Every array is over the rows of the vocabulary and is made when first asked for."""

    def __init__(self, tokenizer: Tokenizer | None, vocabulary: Vocabulary) -> None:
        self.tokenizer, self.vocabulary = tokenizer, vocabulary
        self._firing: Firing | WordFiring | None = None

    @cached_property
    def merges(self) -> MergeTable | None:
        return self.vocabulary.merges if self.tokenizer is None else merges_of(self.tokenizer)

    def steps(self) -> Iterator[float]:
        """Make `merge_of`, `left`, `right` and `ranks` in slices (progress 0..1)."""
        if self.tokenizer is not None and "merges" not in self.__dict__:
            for step in merges_steps(self.tokenizer):
                if isinstance(step, float):
                    yield 0.5 * step
        if "merge_of" not in self.__dict__:
            for made in self._merge_of_steps():
                if isinstance(made, float):
                    yield 0.5 + 0.5 * made
                else:
                    self.__dict__.setdefault("merge_of", made)
        for name in ("left", "right", "ranks"):
            getattr(self, name)
            yield 1.0

    # -- which merges fire ---------------------------------------------------------------------------------------

    @property
    def firing(self) -> Firing | WordFiring | None:
        """What lineage_firing.py (lineage_words.py for models of words) finds; None for derived merges, which fire by
        the way they are found, and for none."""
        for _ in self.firing_steps():
            pass
        return self._firing

    def firing_steps(self) -> Iterator[float]:
        """Work out `firing` in slices: progress 0..1; nothing when it is there."""
        merges = self.merges
        if self._firing is not None or merges is None or merges.derived or not len(merges):
            return
        for step in self._firing_made(merges):
            if isinstance(step, float):
                yield step
            else:
                self._firing = self._firing or step

    def _firing_made(self, merges: MergeTable) -> Iterator[float | Firing | WordFiring]:
        if self.tokenizer is not None and self.tokenizer.format in ("clip", "subword-nmt"):
            from .lineage_words import word_steps  # late: with it come the models of words

            yield from word_steps(self.tokenizer)
        else:
            symbols = symbols_of(self.tokenizer, self.vocabulary)
            yield 0.0
            sizes = sizes_of(self.tokenizer, self.vocabulary)
            yield 0.0
            yield from Firing.steps(merges, self.vocabulary.ids, sizes, symbols)

    # -- columns -------------------------------------------------------------------------------------------------

    @cached_property
    def merge_of(self) -> Int64s:
        """int64 (n,): index in `merges`, see VocabularyIndex."""
        *_, out = self._merge_of_steps()
        assert not isinstance(out, float)
        return out

    def _merge_of_steps(self) -> Iterator[float | Int64s]:
        v, merges = self.vocabulary, self.merges
        out = np.full(len(v), -1, np.int64)
        if merges is None or not len(merges) or not len(v):
            yield out
            return
        several = False
        for last in range(len(merges), 0, -SLICE):  # of several the first is written last
            first = max(last - SLICE, 0)
            rows = self._rows(merges.result[first:last])[::-1]
            several |= bool((out[rows] >= 0).any()) or len(np.unique(rows)) < len(rows)
            out[rows] = np.arange(last - 1, first - 1, -1)
            yield 0.3 * (1 - first / len(merges))
        if several and not merges.derived:
            for step in self.firing_steps():
                yield 0.3 + 0.7 * step
            alive = np.flatnonzero(~self._firing.dead)[::-1] if self._firing is not None else np.zeros(0, np.int64)
            for at in range(0, len(alive), SLICE):
                some = alive[at : at + SLICE]
                out[self._rows(merges.result[some])] = some
                yield 1.0
        yield out

    def _rows(self, ids: Int64s) -> Int64s:
        v = self.vocabulary
        return ids if v.dense else np.minimum(np.searchsorted(v.ids, ids), len(v) - 1)

    @cached_property
    def left(self) -> Int64s:
        return self._part("left")

    @cached_property
    def right(self) -> Int64s:
        return self._part("right")

    def _part(self, side: Literal["left", "right"]) -> Int64s:
        if self.merges is None or not len(self.merges):
            return np.full(len(self.vocabulary), -1, np.int64)
        parts = self.merges.left if side == "left" else self.merges.right
        return np.where(self.merge_of >= 0, parts[self.merge_of], -1)

    @cached_property
    def ranks(self) -> Int64s:
        v = self.vocabulary
        if v.ranks is not None:
            return v.ranks
        if self.merges is not None and not self.merges.derived:
            return self.merge_of
        if self.merges is not None and v.scores is None:
            return np.where(v.kinds == TokenKind.NORMAL, v.ids, -1)
        return np.full(len(v), -1, np.int64)
