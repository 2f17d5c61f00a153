"""Unigram: the segmentation whose pieces have the best sum of scores (Kudo 2018), found left to right (Viterbi).

    >>> model = Unigram([("<unk>", 0.0), ("a", -1.0), ("b", -1.0), ("ab", -1.5)], unknown_id=0)
    >>> model.word("ab")
    ([3], [0], [2])

As in `tokenizers`: scores are 64-bit floats added from the left, a later path must be better to win, a character that
is no piece costs the lowest score - 10, and unknown characters in a row are one token.
`Lattice` is the search alone, for other users (SentencePiece, GGUF t5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ...errors import InputError
from .base import Model, Word, byte_piece

UNKNOWN_PENALTY = 10.0


class Lattice:
    """pieces: spelling -> (id, score). unknown_score: what a character without a piece of its own costs.

    best("text") -> list of (start, end, id or -1) in characters; -1 for a character without a piece.
    With unknown_score None such a character is a LookupError, also when the best path would not use it.
    """

    def __init__(self, pieces: Iterable[tuple[str, int, float]], unknown_score: float | None) -> None:
        self.unknown_score = unknown_score
        #: every prefix of a piece -> (id, score) of the piece it is, or None
        self.prefixes: dict[str, tuple[int, float] | None] = {}
        prefixes = self.prefixes
        for spelling, token_id, score in pieces:
            for end in range(len(spelling) - 1, 0, -1):
                head = spelling[:end]
                if head in prefixes:
                    break
                prefixes[head] = None
            prefixes[spelling] = (token_id, score)

    def best(self, text: str) -> list[tuple[int, int, int]]:
        size = len(text)
        scores = [0.0] * (size + 1)
        begins = [-1] * (size + 1)
        found_ids = [-1] * (size + 1)
        get = self.prefixes.get
        missing = (0, 0.0)
        for start in range(size):
            here = scores[start]
            single = False
            end = start + 1
            piece = get(text[start:end], missing)
            while piece is not missing:
                if piece is not None:
                    score = piece[1] + here
                    if begins[end] < 0 or score > scores[end]:
                        scores[end], begins[end], found_ids[end] = score, start, piece[0]
                    if end == start + 1:
                        single = True
                end += 1
                if end > size:
                    break
                piece = get(text[start:end], missing)
            if not single:
                end = start + 1
                score = float("-inf") if self.unknown_score is None else self.unknown_score + here
                if begins[end] < 0 or score > scores[end]:
                    if self.unknown_score is None:
                        raise LookupError(text[start])
                    scores[end], begins[end], found_ids[end] = score, start, -1
        path = []
        end = size
        while end > 0:
            path.append((begins[end], end, found_ids[end]))
            end = begins[end]
        path.reverse()
        return path


class Unigram(Model):
    """pieces: (spelling, score) by id."""

    name = "Unigram"

    def __init__(self, pieces: Sequence[tuple[str, float]], unknown_id: int | None,
                 byte_fallback: bool = False) -> None:
        self.pieces, self.unknown_id, self.byte_fallback = pieces, unknown_id, byte_fallback
        self.vocab = {spelling: i for i, (spelling, _) in enumerate(pieces)}

    @property
    def size(self) -> int:
        return len(self.pieces)

    @cached_property
    def lattice(self) -> Lattice:
        lowest = min((score for _, score in self.pieces), default=float("inf"))
        # of a spelling that is there twice, the later one counts
        unknown = None if self.unknown_id is None else lowest - UNKNOWN_PENALTY
        return Lattice(((s, i, self.pieces[i][1]) for s, i in self.vocab.items()), unknown)

    @cached_property
    def byte_ids(self) -> list[int | None]:
        return [self.vocab.get(byte_piece(b)) for b in range(256)]

    def _need_unknown(self) -> int:
        if self.unknown_id is None:
            raise InputError("a character has no piece and the model no unknown token", where="model.unk_id",
                             todo="the library refuses this text too")
        return self.unknown_id

    def _runs(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of the pieces in characters; unknown ones in a row are one."""
        runs: list[tuple[int, int]] = []
        was_unknown = False
        try:
            path = self.lattice.best(text)
        except LookupError:
            self._need_unknown()
            raise
        for start, end, found in path:
            if found < 0:
                found = self._need_unknown()
            unknown = found == self.unknown_id
            if unknown and was_unknown:
                runs[-1] = (runs[-1][0], end)
            else:
                runs.append((start, end))
            was_unknown = unknown
        return runs

    def word(self, text: str) -> Word:
        ids: list[int] = []
        lows: list[int] = []
        highs: list[int] = []
        low = 0
        for start, end in self._runs(text):
            piece = text[start:end]
            data = piece.encode("utf-8")
            high = low + len(data)
            found = self.vocab.get(piece)
            if found is None and self.byte_fallback:
                pieces = [self.byte_ids[b] for b in data]
                if None not in pieces:
                    ids += pieces  # type: ignore[arg-type]
                    lows += range(low, high)
                    highs += range(low + 1, high + 1)
                    low = high
                    continue
            ids.append(self._need_unknown() if found is None else found)
            lows.append(low)
            highs.append(high)
            low = high
        return ids, lows, highs
