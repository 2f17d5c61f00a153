"""The unigram model: the segmentation whose piece scores add up to the most (Viterbi), in the reference's arithmetic.

sentencepiece adds 32-bit floats along the whole text, so which of two nearly equal segmentations it takes depends on
the sum before the word. Here a word's best segmentation is found once, in 64 bits, with the *gap* to the runner-up on
its path. For a text the 32-bit sum before each word is worked out (one cumulative sum); only words whose gap is not
larger than the rounding error possible at that sum are segmented again, exactly, with the sum they start from.

    >>> model = UnigramModel(table)
    >>> model.encode("▁Hello▁world")[0]

Source: sentencepiece 0.2.3 unigram_model.cc, EncodeOptimized (Apache-2.0), written anew. Taku Kudo, "Subword
Regularization" (2018).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from .sp_models import REMEMBERED, Cutter, PieceModel, Pieces, PieceTable, prepared
from .vocabulary import Int64s, TokenKind

#: An unknown character scores this much less than the worst piece.
UNKNOWN_PENALTY = 10.0

#: Where the reference sets the running sum back to zero.
RESET = 100_000.0

#: (ids, widths, gap, characters)
_Found = tuple[tuple[int, ...], tuple[int, ...], float, int]

#: In the prefix table: a prefix that is no piece, or a piece that may not be given out.
_PREFIX = -1

#: Words looked at together.
_BLOCK = 2048

_INFINITE = float("inf")


class _Memory(dict[str, _Found]):
    def __init__(self, model: UnigramModel) -> None:
        self.model = model

    def __missing__(self, word: str) -> _Found:
        if len(self) > REMEMBERED:
            self.clear()
        found = self[word] = self.model.best(word)
        return found


class UnigramModel(PieceModel):
    """single_precision: add as sentencepiece does; otherwise in 64 bits, as llama.cpp does.

    normal_scores: where given, the scores that tell an unknown character's, and the table's scores hold for all pieces.
    """

    def __init__(self, table: PieceTable, *, single_precision: bool = True,
                 normal_scores: NDArray[np.float32] | None = None) -> None:
        self.table, self.single_precision = table, single_precision
        normal = table.scores[table.kinds == TokenKind.NORMAL] if normal_scores is None else normal_scores
        lowest = np.float32(normal.min()) if len(normal) else np.float32(np.finfo(np.float32).max)
        self.unknown_score = float(np.float32(lowest - np.float32(UNKNOWN_PENALTY)))
        scores = table.scores.copy()
        if normal_scores is None:
            for piece in table.user_defined:
                scores[table.ids[piece]] = np.float32(0.1 * (len(piece.encode()) - 1))
        self.node_scores = scores.tolist()
        if table.unk_id >= 0:
            scores[table.unk_id] = self.unknown_score
        for byte, token_id in enumerate(table.byte_ids or ()):  # an unknown character's first byte carries its score
            scores[token_id] = 0.0 if 0x80 <= byte < 0xC0 else self.unknown_score
        self._token_scores = scores
        largest = max(abs(float(np.abs(table.scores).max(initial=0.0))), abs(self.unknown_score))
        self._worst_step = min(largest, 1e6)
        self.memory = _Memory(self)

    def prepare(self, text: str) -> Iterator[float]:
        return prepared(self.memory, self._cutter.cut(text))

    def encode(self, text: str) -> tuple[Int64s, Int64s]:
        words = self._cutter.cut(text)
        found = list(map(self.memory.__getitem__, words))
        if self.single_precision:
            self._settle(words, found)
        ids = np.fromiter(chain.from_iterable(map(itemgetter(0), found)), np.int64)
        return ids, np.fromiter(chain.from_iterable(map(itemgetter(1), found)), np.int64, len(ids))

    def _settle(self, words: list[str], found: list[_Found]) -> None:
        """Replace in `found` what 32-bit sums decide otherwise."""
        done, total = 0, 0.0
        while done < len(words):
            part = found[done : done + _BLOCK]
            counts = np.fromiter((len(f[0]) for f in part), np.int64, len(part))
            ids = np.fromiter(chain.from_iterable(map(itemgetter(0), part)), np.int64)
            sums = np.empty(len(ids) + 1, np.float32)
            sums[0] = total
            sums[1:] = self._token_scores[ids]
            with np.errstate(over="ignore"):  # scores of a damaged file may be as large as they come
                np.add.accumulate(sums, out=sums)
            edges = np.concatenate([[0], np.cumsum(counts)])
            heights = np.abs(sums[edges].astype(np.float64))
            chars = np.fromiter(map(itemgetter(3), part), np.float64, len(part))
            gaps = np.fromiter(map(itemgetter(2), part), np.float64, len(part))
            reach = np.maximum(heights[:-1], heights[1:]) + chars * self._worst_step
            # Each addition rounds by at most half a unit of the last place, 2**-24 of the sum; two paths, and what the
            # 64-bit sums left out.
            unsure = (gaps <= 2.0 * (chars + 2.0) * reach * 2.0**-24) | (reach > RESET * 0.999) | ~np.isfinite(reach)
            taken = len(part)
            total = float(sums[-1])
            for i in np.flatnonzero(unsure).tolist():
                word_ids, widths, after = self.best_single(words[done + i], float(sums[edges[i]]))
                if word_ids != part[i][0]:
                    found[done + i] = (word_ids, widths, 0.0, len(words[done + i]))
                if word_ids != part[i][0] or after != float(sums[edges[i + 1]]):  # all sums behind it are others
                    taken, total = i + 1, after
                    break
            done += taken

    @cached_property
    def _cutter(self) -> Cutter:
        return Cutter(list(self.table.ids))

    @cached_property
    def prefixes(self) -> dict[str, int]:
        """Every prefix of every piece -> the id of the piece it is, or _PREFIX."""
        table: dict[str, int] = {}
        unused = self.table.unused
        for piece, token_id in self.table.ids.items():
            for end in range(len(piece) - 1, 0, -1):
                prefix = piece[:end]
                if prefix in table:
                    break
                table[prefix] = _PREFIX
            table[piece] = _PREFIX if token_id in unused else token_id
        return table

    def best(self, word: str) -> _Found:
        """The best segmentation in 64 bits, and by how much it beat the next at the tightest of its places."""
        prefixes, scores, unk_id, unknown = self.prefixes, self.node_scores, self.table.unk_id, self.unknown_score
        size = len(word)
        best = [-_INFINITE] * (size + 1)
        second = [-_INFINITE] * (size + 1)
        begin, token = [-1] * (size + 1), [unk_id] * (size + 1)
        best[0] = 0.0
        for start in range(size):
            here = best[start]
            single = False
            for end in range(start + 1, size + 1):
                found = prefixes.get(word[start:end])
                if found is None:
                    break
                if found < 0:
                    continue
                single = single or end == start + 1
                score = here + scores[found]
                if begin[end] < 0 or score > best[end]:
                    second[end] = best[end]
                    best[end], begin[end], token[end] = score, start, found
                elif score > second[end]:
                    second[end] = score
            if not single:
                score = here + unknown
                end = start + 1
                if begin[end] < 0 or score > best[end]:
                    second[end] = best[end]
                    best[end], begin[end], token[end] = score, start, unk_id
                elif score > second[end]:
                    second[end] = score
        gap, end = _INFINITE, size
        while end > 0:
            gap = min(gap, best[end] - second[end])
            end = begin[end]
        ids, widths = self._path(word, begin, token)
        return ids, widths, gap, size

    def best_single(self, word: str, total: float) -> tuple[tuple[int, ...], tuple[int, ...], float]:
        """The best segmentation by 32-bit sums that start at `total`: (ids, widths, the sum after it)."""
        prefixes, scores, unk_id, unknown = self.prefixes, self.node_scores, self.table.unk_id, self.unknown_score
        size = len(word)
        best = array("f", bytes(4 * (size + 1)))
        begin, token = [-1] * (size + 1), [unk_id] * (size + 1)
        best[0] = total
        rounded = array("f", [0.0])
        frontier = 0
        for start in range(size):
            here = best[start]
            if here < -RESET or here > RESET:
                for i in range(start, frontier + 1):
                    if i == start or begin[i] >= 0:
                        best[i] -= here
                here = 0.0
            single = False
            for end in range(start + 1, size + 1):
                found = prefixes.get(word[start:end])
                if found is None:
                    break
                if found < 0:
                    continue
                single = single or end == start + 1
                frontier = max(frontier, end)
                rounded[0] = here + scores[found]
                score = rounded[0]
                if begin[end] < 0 or score > best[end]:
                    best[end], begin[end], token[end] = score, start, found
            if not single:
                end = start + 1
                frontier = max(frontier, end)
                rounded[0] = here + unknown
                score = rounded[0]
                if begin[end] < 0 or score > best[end]:
                    best[end], begin[end], token[end] = score, start, unk_id
        ids, widths = self._path(word, begin, token)
        return ids, widths, best[size]

    def _path(self, word: str, begin: list[int], token: list[int]) -> Pieces:
        tokens, end = [], len(word)
        while end > 0:
            tokens.append((word[begin[end] : end], token[end]))
            end = begin[end]
        tokens.reverse()
        return self.table.outcome(tokens)
