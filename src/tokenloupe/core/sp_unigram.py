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
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .best_paths import FEW, Paths, WordEdges, best_paths, edges_of
from .piece_trie import PieceTrie
from .sp_models import PieceModel
from .sp_pieces import Cutter, Pieces, PieceTable
from .stretch_table import Outcomes, StretchTable, outcomes_of
from .vocabulary import Int64s, TokenKind

#: An unknown character scores this much less than the worst piece.
UNKNOWN_PENALTY = 10.0

#: Where the reference sets the running sum back to zero.
RESET = 100_000.0

#: Words whose tokens are gathered together, those whose sums are, and those that are segmented anew together.
_WINDOW = 1 << 16
_BLOCK = 2048
_ANEW = 256
#: What 32-bit sums made of words, remembered.
_NOTES = 1 << 17


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
            for row, piece in zip(np.flatnonzero(table.kinds == TokenKind.ADDED), table.user_defined, strict=True):
                scores[row] = np.float32(0.1 * (len(piece.encode("utf-8", "surrogateescape")) - 1))
        #: By id, float64: what each piece adds; float32 beside it, and as tokens are given out.
        self.node_scores = scores.astype(np.float64)
        self._single_scores = scores.copy()
        if table.unk_id >= 0:
            scores[table.unk_id] = self.unknown_score
        for byte, token_id in enumerate(table.byte_ids or ()):  # an unknown character's first byte carries its score
            scores[token_id] = 0.0 if 0x80 <= byte < 0xC0 else self.unknown_score
        self._token_scores = scores
        self.known = StretchTable(self.outcomes)

    def prepare(self, text: str) -> Iterator[float]:
        return self.known.prepare(self._cutter.cut(text))

    def encode(self, text: str) -> tuple[Int64s, Int64s]:
        return next(self.encode_chunks([text]))

    def encode_chunks(self, texts: Iterable[str]) -> Iterator[tuple[Int64s, Int64s]]:
        total = 0.0  # the sum goes on from chunk to chunk
        for text in texts:
            words = self._cutter.cut(text)
            numbers = self.known.numbers(words)
            if self.single_precision:
                total = self._settle(words, numbers, total)
            yield self.known.gather(numbers)

    @property
    def side(self) -> str:
        return self._cutter.side

    @cached_property
    def _cutter(self) -> Cutter:
        return Cutter(list(self.table.ids))

    @cached_property
    def trie(self) -> PieceTrie:
        ids = np.fromiter(self.table.ids.values(), np.int64, len(self.table.ids))
        return PieceTrie(list(self.table.ids), np.where(self.table.kinds[ids] == TokenKind.UNUSED, -1, ids))

    def outcomes(self, words: list[str]) -> Outcomes:
        """Of each word the best segmentation in 64 bits, and by how much it beat the next."""
        return self._given_out(words, best_paths(self.trie, words, self.node_scores, self.unknown_score))

    def _given_out(self, words: list[str], paths: Paths) -> Outcomes:
        made = self.table.given_out(words, paths.ids, paths.begins, paths.ends, paths.counts, self.table.byte_ids)
        return replace(made, gaps=paths.gaps, deepest=paths.deepest)

    def _settle(self, words: list[str], numbers: Int64s, total: float) -> float:
        """Replace in `numbers` what 32-bit sums decide otherwise. total: the sum before; returns the one after."""
        for base in range(0, len(words), _WINDOW):
            part = slice(base, base + _WINDOW)
            total = self._settle_window(words[part], numbers[part], total)
        return total

    def _settle_window(self, words: list[str], numbers: Int64s, total: float) -> float:
        """total: the sum before the words; returns the one after them."""
        known = self.known
        counts, gaps, deepest = (a.take(numbers) for a in (known.counts, known.gaps, known.deepest))
        ids = known.ids_at(known.places(numbers))
        scores = self._token_scores.take(ids)
        edges = np.concatenate([[0], np.cumsum(counts)])
        # Additions of the two paths, and what the 64-bit sums left out.
        additions = counts + np.fromiter(map(len, words), np.int64, len(words)) + 2.0
        done = 0
        while done < len(words):
            stop = min(done + _BLOCK, len(words))
            before = edges[done : stop + 1] - edges[done]
            sums = np.empty(int(before[-1]) + 1, np.float32)
            sums[0] = total
            sums[1:] = scores[edges[done] : edges[stop]]
            with np.errstate(over="ignore"):  # scores of a damaged file may be as large as they come
                np.add.accumulate(sums, out=sums)
            at_words = sums.take(before)
            heights = np.abs(at_words.astype(np.float64))
            reach = np.maximum(heights[:-1], heights[1:]) + deepest[done:stop]
            far = ~(reach <= RESET * 0.9999)  # where the reference may set its sum back; also of no finite sum
            half_unit = np.ldexp(1.0, np.frexp(reach)[1] - 25)  # of the last place: the most an addition rounds by
            unsure = np.flatnonzero((gaps[done:stop] <= additions[done:stop] * half_unit) | far)[:_ANEW]
            if not len(unsure):
                done, total = stop, float(sums[-1])
                continue
            firsts = at_words[unsure].tolist()
            if far[unsure[0]]:
                done, total = self._past_reset(words, numbers, done + int(unsure[0]), firsts[0])
                continue
            if bool(far[unsure].any()):
                unsure = unsure[: int(np.argmax(far[unsure]))]
            rows = (done + unsure).tolist()
            self._anew(words, numbers, rows, firsts)
            for row, first, after in zip(rows, firsts, at_words[unsure + 1].tolist(), strict=False):
                number, total = known.notes[int(numbers[row]), first]
                if number != numbers[row] or total != after:  # all sums behind it are others
                    numbers[row] = number
                    break
            done = row + 1
        return total

    def _anew(self, words: list[str], numbers: Int64s, rows: list[int], firsts: list[float]) -> None:
        """Note what words become by 32-bit sums that begin at `firsts`: (number, first) -> (number, sum after it)."""
        notes = self.known.notes
        asked = {(int(numbers[r]), f): r for r, f in zip(rows, firsts, strict=False)}
        new = {key: row for key, row in asked.items() if key not in notes}
        if not new:
            return
        if len(notes) > _NOTES:  # those asked for now are made anew with the new ones
            notes.clear()
            new = asked
        some = [words[r] for r in new.values()]
        first = np.array([f for _, f in new], np.float32)
        if len(some) >= FEW:
            paths = best_paths(self.trie, some, self._single_scores, self.unknown_score, first)
            made, totals = self._given_out(some, paths), paths.totals.tolist()
        else:
            every = edges_of(self.trie, some)
            found = [self.best_single(w, f, e) for w, f, e in zip(some, first.tolist(), every, strict=True)]
            made, totals = outcomes_of([f[:2] for f in found]), [f[2] for f in found]
        stops = np.cumsum(made.counts).tolist()
        ids = made.ids.tolist()
        for word, (number, sum_before) in enumerate(new):
            tokens = slice(stops[word - 1] if word else 0, stops[word])
            notes[number, sum_before] = self._number_of(number, ids[tokens], made.widths[tokens]), totals[word]

    def _number_of(self, number: int, ids: list[int], widths: Int64s) -> int:
        """The number of the outcome `ids` for the stretch that has `number`: the same where it is its own."""
        known = self.known
        if ids == known.ids_at(known.places(np.array([number]))).tolist():
            return number
        key = (number, tuple(ids))
        if key not in known.notes:
            known.notes[key] = known.add(Outcomes(np.array(ids, np.int64), widths, np.array([len(ids)])))
        return int(known.notes[key])

    def _past_reset(self, words: list[str], numbers: Int64s, at: int, total: float) -> tuple[int, float]:
        """Words one after another from `at` on, until the sum is far from the reset: (the next word, the sum)."""
        while at < len(words):
            key = (int(numbers[at]), total)
            if key not in self.known.notes:
                self._anew(words, numbers, [at], [total])
            numbers[at], total = self.known.notes[key]
            at += 1
            if abs(total) < RESET * 0.99:
                break
        return at, total

    def best_single(self, word: str, total: float, every: WordEdges) -> tuple[tuple[int, ...], tuple[int, ...], float]:
        """The best segmentation by 32-bit sums that start at `total`: (ids, widths, the sum after it)."""
        weigh, unk_id, unknown = self.node_scores.item, self.table.unk_id, self.unknown_score
        size = len(word)
        best = array("f", bytes(4 * (size + 1)))
        begin, token = [-1] * (size + 1), [unk_id] * (size + 1)
        best[0] = total
        rounded = array("f", [0.0])
        frontier = 0
        for start, edges in enumerate(every):
            here = best[start]
            if here < -RESET or here > RESET:
                for i in range(start, frontier + 1):
                    if i == start or begin[i] >= 0:
                        best[i] -= here
                here = 0.0
            if not edges or edges[0][0] != start + 1:
                edges.append((start + 1, -1))
            for end, found in edges:
                frontier = max(frontier, end)
                rounded[0] = here + (weigh(found) if found >= 0 else unknown)
                score = rounded[0]
                if begin[end] < 0 or score > best[end]:
                    best[end], begin[end], token[end] = score, start, (found if found >= 0 else unk_id)
        ids, widths = self._path(word, begin, token)
        return ids, widths, best[size]

    def _path(self, word: str, begin: list[int], token: list[int]) -> Pieces:
        tokens, end = [], len(word)
        while end > 0:
            tokens.append((word[begin[end] : end], token[end]))
            end = begin[end]
        tokens.reverse()
        return self.table.outcome(tokens)
