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
from .ragged import places
from .sp_models import PieceModel
from .sp_pieces import LONG, Cutter, Pieces, PieceTable
from .stretch_table import Outcomes, StretchTable, outcomes_of
from .vocabulary import Int64s, TokenKind

#: An unknown character scores this much less than the worst piece.
UNKNOWN_PENALTY = 10.0

#: Where the reference sets the running sum back to zero.
RESET = 100_000.0

#: Half a unit in the last place of a 32-bit sum below that.
_HALF_UNIT = 2.0**-8

#: Words whose tokens are gathered together, those whose sums are, and those that are segmented anew together.
_WINDOW = 1 << 16
_BLOCK = 2048
_ANEW = 256
#: Up to so many pieces are looked for one by one where words are segmented anew.
_LOOKUPS = 1500
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
                total = self.settle(numbers, total)
            yield self.known.gather(numbers)

    def words(self, text: str, edges: Int64s) -> tuple[Int64s, Int64s]:
        """Numbers of the stretches of text[edges[0]:edges[1]] and so on, over whose ends no piece reaches, and how many
        each has: the finest there are, which many words share; one, where no sum before can change what it becomes."""
        known, parts = self.known, self._cutter.cut_finely(text)
        fine = known.numbers(parts)
        stops = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
        at = np.searchsorted(stops, edges, side="right")
        counts = np.diff(at)
        several = np.flatnonzero((counts > 1) & (np.diff(edges) <= LONG))
        if not len(several):
            return fine, counts
        own = fine.take(places(at[several], counts[several]))
        heads = np.cumsum(counts[several]) - counts[several]
        gaps = np.minimum.reduceat(known.gaps.take(own), heads)
        tokens = np.add.reduceat(known.counts.take(own), heads)
        sure = gaps > (tokens + np.diff(edges)[several] + 2.0) * _HALF_UNIT
        whole = several[sure]
        if not len(whole):
            return fine, counts
        ids, widths = known.gather(fine.take(places(at[whole], counts[whole])))
        deepest = np.add.reduceat(known.deepest.take(own), heads)[sure]
        bounds = zip(edges[whole].tolist(), edges[whole + 1].tolist(), strict=True)
        first = known.add(Outcomes(ids, widths, tokens[sure], gaps[sure], deepest), [text[a:b] for a, b in bounds])
        keep = np.ones(len(fine), np.bool_)
        keep[places(at[whole] + 1, counts[whole] - 1)] = False
        fine[at[whole]] = np.arange(first, first + len(whole))
        counts[whole] = 1
        return fine[keep], counts

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

    def settle(self, numbers: Int64s, total: float) -> float:
        """Replace in `numbers` what 32-bit sums decide otherwise. total: the sum before; returns the one after."""
        for base in range(0, len(numbers), _WINDOW):
            total = self._settle_window(numbers[base : base + _WINDOW], total)
        return total

    def _settle_window(self, numbers: Int64s, total: float) -> float:
        """total: the sum before the words; returns the one after them."""
        known, count = self.known, len(numbers)
        counts, gaps, deepest = (a.take(numbers) for a in (known.counts, known.gaps, known.deepest))
        ids = known.ids_at(known.places(numbers))
        scores = self._token_scores.take(ids)
        edges = np.concatenate([[0], np.cumsum(counts)])
        # Additions of the two paths, and what the 64-bit sums left out.
        additions = counts + known.lengths.take(numbers) + 2.0
        done, block = 0, _BLOCK
        while done < count:
            stop = min(done + block, count)
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
                done, total, block = stop, float(sums[-1]), min(4 * block, _WINDOW)
                continue
            block = _BLOCK
            firsts = at_words[unsure].tolist()
            if far[unsure[0]]:
                done, total = self._past_reset(numbers, done + int(unsure[0]), firsts[0])
                continue
            if bool(far[unsure].any()):
                unsure = unsure[: int(np.argmax(far[unsure]))]
            rows = (done + unsure).tolist()
            self._anew(numbers, rows, firsts)
            for row, first, after in zip(rows, firsts, at_words[unsure + 1].tolist(), strict=False):
                number, total = known.notes[int(numbers[row]), first]
                if number != numbers[row] or total != after:  # all sums behind it are others
                    numbers[row] = number
                    break
            done = row + 1
        return total

    def _anew(self, numbers: Int64s, rows: list[int], firsts: list[float]) -> None:
        """Note what words become by 32-bit sums that begin at `firsts`: (number, first) -> (number, sum after it)."""
        notes = self.known.notes
        asked = {(int(numbers[r]), f): r for r, f in zip(rows, firsts, strict=False)}
        new = {key: row for key, row in asked.items() if key not in notes}
        if not new:
            return
        if len(notes) > _NOTES:  # those asked for now are made anew with the new ones
            notes.clear()
            new = asked
        some = [self.known.texts[number] for number, _ in new]
        first = np.array([f for _, f in new], np.float32)
        if len(some) >= FEW:
            paths = best_paths(self.trie, some, self._single_scores, self.unknown_score, first)
            made, totals = self._given_out(some, paths), paths.totals.tolist()
        else:
            every = self._edges_of(some)
            found = [self.best_single(w, f, e) for w, f, e in zip(some, first.tolist(), every, strict=True)]
            made, totals = outcomes_of([f[:2] for f in found]), [f[2] for f in found]
        stops = np.cumsum(made.counts).tolist()
        ids = made.ids.tolist()
        for word, (number, sum_before) in enumerate(new):
            tokens = slice(stops[word - 1] if word else 0, stops[word])
            notes[number, sum_before] = self._number_of(number, ids[tokens], made.widths[tokens]), totals[word]

    def _edges_of(self, words: list[str]) -> list[WordEdges]:
        """As edges_of; of short words the pieces are looked up, which takes a tenth of what arrays take."""
        if sum(len(w) * min(len(w), self._longest) for w in words) > _LOOKUPS:
            return edges_of(self.trie, words)
        find, longest = self.table.given.get, self._longest
        every: list[WordEdges] = []
        for word in words:
            size = len(word)
            every.append([[(end, found) for end in range(start + 1, min(size, start + longest) + 1)
                           if (found := find(word[start:end])) is not None] for start in range(size)])
        return every

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.table.given), default=0)

    def _number_of(self, number: int, ids: list[int], widths: Int64s) -> int:
        """The number of the outcome `ids` for the stretch that has `number`: the same where it is its own."""
        known = self.known
        if ids == known.ids_at(known.places(np.array([number]))).tolist():
            return number
        key = (number, tuple(ids))
        if key not in known.notes:
            known.notes[key] = known.add(Outcomes(np.array(ids, np.int64), widths, np.array([len(ids)])),
                                          [known.texts[number]])
        return int(known.notes[key])

    def _past_reset(self, numbers: Int64s, at: int, total: float) -> tuple[int, float]:
        """Words one after another from `at` on, until the sum is far from the reset: (the next word, the sum)."""
        while at < len(numbers):
            key = (int(numbers[at]), total)
            if key not in self.known.notes:
                self._anew(numbers, [at], [total])
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
