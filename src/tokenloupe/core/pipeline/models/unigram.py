"""Unigram: the segmentation whose pieces have the best sum of scores (Kudo 2018), found left to right (Viterbi).

    >>> model = Unigram([("<unk>", 0.0), ("a", -1.0), ("b", -1.0), ("ab", -1.5)], unknown_id=0)
    >>> model.word("ab")
    ([3], [0], [2])

As in `tokenizers`: scores are 64-bit floats added from the left, a later path must be better to win, a character that
is no piece costs the lowest score - 10, and unknown characters in a row are one token. Without an unknown token a
character that no piece ends with is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...best_paths import best_paths, edges_of
from ...errors import InputError
from ...piece_trie import PieceTrie
from ...ragged import places
from ...text import code_points, utf8_edges
from ...vocabulary import Int64s
from ..word_table import Batch
from .base import Model, Word, byte_piece

UNKNOWN_PENALTY = 10.0


class Unigram(Model):
    """pieces: (spelling, score) by id."""

    name = "Unigram"
    batched_from = 1

    def __init__(self, pieces: Sequence[tuple[str, float]], unknown_id: int | None,
                 byte_fallback: bool = False) -> None:
        self.pieces, self.unknown_id, self.byte_fallback = pieces, unknown_id, byte_fallback
        self.scores = np.fromiter((score for _, score in pieces), np.float64, len(pieces))

    @cached_property
    def vocab(self) -> dict[str, int]:  # type: ignore[override]
        """Of a spelling that is there twice, the later one counts."""
        return {spelling: i for i, (spelling, _) in enumerate(self.pieces)}

    @property
    def size(self) -> int:
        return len(self.pieces)

    @cached_property
    def trie(self) -> PieceTrie:
        return PieceTrie(list(self.vocab), np.fromiter(self.vocab.values(), np.int64, len(self.vocab)))

    @cached_property
    def unknown_score(self) -> float:
        if self.unknown_id is None:
            return float("-inf")
        return float(self.scores.min(initial=np.inf)) - UNKNOWN_PENALTY

    @cached_property
    def byte_ids(self) -> list[int | None]:
        return [self.vocab.get(byte_piece(b)) for b in range(256)]

    def word(self, text: str) -> Word:
        made = self.batch([text])
        if made is None or not len(made.which):
            raise InputError("a character has no piece and the model no unknown token", where="model.unk_id",
                             todo="the library refuses this text too")
        return made.ids.tolist(), made.lows.tolist(), made.highs.tolist()

    def batch(self, words: list[str]) -> Batch | None:
        """All words but those that are refused."""
        which = np.arange(len(words))
        if self.unknown_id is None:
            which = np.array([i for i, w in enumerate(words) if self._covered(w)], np.int64)
            words = [words[i] for i in which.tolist()]
        paths = best_paths(self.trie, words, self.scores, self.unknown_score)
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        first = np.cumsum(lengths) - lengths
        owner = np.repeat(np.arange(len(words)), paths.counts)
        ids, begins, ends = paths.ids, first[owner] + paths.begins, first[owner] + paths.ends
        text = "".join(words)
        edges = utf8_edges(code_points(text))
        unknown = ids < 0 if self.unknown_id is None else (ids < 0) | (ids == self.unknown_id)
        if not bool(unknown.any()):
            base = edges[first[owner]]
            return Batch(which, ids, edges[begins] - base, edges[ends] - base, paths.counts)
        # Unknown ones in a row are one, within a word.
        later = unknown[1:] & unknown[:-1] & (owner[1:] == owner[:-1])
        keep = np.flatnonzero(np.concatenate([[True], ~later]))
        last = np.append(keep[1:], len(ids)) - 1
        ids, begins, ends, owner = ids[keep], begins[keep], ends[last], owner[keep]
        lows, highs = edges[begins], edges[ends]
        times = np.ones(len(ids), np.int64)
        made = self._runs(text, begins, ends, np.flatnonzero(unknown[keep]))
        for at, tokens in made.items():
            times[at] = len(tokens)
            ids[at] = tokens[0]
        if bool((times > 1).any()):  # bytes
            spread = np.repeat(times, times) > 1
            lows = places(lows, times)
            ids, highs = np.repeat(ids, times), np.repeat(highs, times)
            ids[spread] = [t for tokens in made.values() if len(tokens) > 1 for t in tokens]
            highs = np.where(spread, lows + 1, highs)
            owner = np.repeat(owner, times)
        base = edges[first[owner]]
        return Batch(which, ids, lows - base, highs - base, np.bincount(owner, minlength=len(words)))

    def _runs(self, text: str, begins: Int64s, ends: Int64s, which: Int64s) -> dict[int, list[int]]:
        """The tokens of runs that are unknown: the piece that the run as a whole is, else its bytes, else unknown."""
        made: dict[int, list[int]] = {}
        unknown = [] if self.unknown_id is None else [self.unknown_id]
        for at, begin, end in zip(which.tolist(), begins[which].tolist(), ends[which].tolist(), strict=True):
            piece = text[begin:end]
            found = self.vocab.get(piece)
            made[at] = unknown if found is None else [found]
            if found is None and self.byte_fallback:
                tokens = [t for b in piece.encode("utf-8") if (t := self.byte_ids[b]) is not None]
                if len(tokens) == len(piece.encode("utf-8")):
                    made[at] = tokens
        return made

    def _covered(self, word: str) -> bool:
        """Does a piece end with every character?"""
        reached = {end for edges in edges_of(self.trie, [word])[0] for end, _ in edges}
        return len(reached) == len(word)
