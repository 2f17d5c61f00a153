"""Entries of byte pair encoding that need a neighbour: every token that could be one, or a proof that there is none.

    >>> texts, proof = Neighbours(index, tokenizer, shapes).texts_or_proof(row)

If two tokens U, T stand side by side in a pre-token, then the bytes U + T by themselves merge to just these two: no
merge went over their ends, so what happened inside depended on them alone. Hence, when T can be neither the first token
of a pre-token nor have any U before it (or neither the last nor have any after it), no text yields T. The pattern says
which places T can stand at (reach_pattern.py), a batch of merges over all U + T says which neighbours it can have.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .query import VocabularyIndex
from .reach_pattern import PreTokenShapes
from .segments import completeness
from .utf8 import continuing, is_valid
from .vocabulary import TokenKind

#: Texts that are tried for one entry.
MOST_TEXTS = 400
#: Neighbours looked at in one slice.
SLICE = 384


class Neighbours:
    """shapes: of the tokenizer's own pattern."""

    def __init__(self, index: VocabularyIndex, tokenizer: ByteLevelTokenizer, shapes: PreTokenShapes) -> None:
        self.index, self.tokenizer, self.shapes = index, tokenizer, shapes
        self.vocabulary = index.vocabulary
        self._prepared = False
        self._first_parts: dict[bytes, list[int]] = {}
        self._last_parts: dict[bytes, list[int]] = {}

    def texts_or_proof(self, row: int) -> tuple[list[bytes], str]:
        """(texts to try, ""), or ([], the proof that no text yields the row's token)."""
        *_, last = self.steps(row)
        assert last is not None
        return last

    def steps(self, row: int) -> Iterator[tuple[list[bytes], str] | None]:
        """The same in slices: None in between, the answer at last."""
        piece = self.vocabulary.bytes_at(row)
        whole = self.tokenizer.engine.whole_first and self.shapes.fits_whole(piece)
        sides: list[list[bytes]] = []
        for before in (True, False):
            first = self.shapes.fits_first(piece) if before else self.shapes.fits_last(piece)
            found: list[bytes] = []
            for some in self._beside(row, piece, before):
                found += some
                yield None
                if len(found) >= MOST_TEXTS:  # texts there are enough, and a proof there is none
                    break
            if not found and not first and not whole:
                place = "start a pre-token, and has no possible token before it" if before else (
                    "end a pre-token, and has no possible token after it")
                yield [], f"it cannot {place}"
                return
            sides.append([*([b""] if first else []), *found])
        befores, afters = (x[:20] if len(x) > 20 and len(y) > 1 else x for x, y in (sides, sides[::-1]))
        texts = [a + piece + b for a in befores for b in afters]
        yield [t for t in texts if is_valid(t)][:MOST_TEXTS], ""

    def _beside(self, row: int, piece: bytes, before: bool) -> Iterator[list[bytes]]:
        """The tokens U such that U + piece (or piece + U) merges to the two, and fits a pre-token; in slices."""
        def join(other: bytes) -> bytes:
            return other + piece if before else piece + other

        rows: list[int] = []
        fits = self.shapes.fits_before(piece) if before else self.shapes.fits_after(piece)
        for number, (edge, some) in enumerate(self._edges(before).items()):
            if fits(edge):
                rows += some
            if number % (8 * SLICE) == 0:
                yield []
        here = int(self.vocabulary.ids[row])
        mine, its = (1, 0) if before else (0, 1)
        for at in range(0, len(rows), SLICE):
            part = rows[at : at + SLICE]
            pieces = [self.vocabulary.bytes_at(r) for r in part]
            joined = [join(u) for u in pieces]
            ids, counts = self.tokenizer.engine.merger.run(joined)
            first = np.cumsum(counts) - counts
            two = np.flatnonzero(counts == 2)
            theirs = self.vocabulary.ids[np.array(part, np.int64)[two]]
            good = two[(ids[first[two] + mine] == here) & (ids[first[two] + its] == theirs)]
            yield [pieces[i] for i in good.tolist()
                   if not completeness(joined[i]).invalid and self.shapes.fits_inside(joined[i])]

    def _edges(self, before: bool) -> dict[bytes, list[int]]:
        for _ in self.prepare():
            pass
        return self._last_parts if before else self._first_parts

    def prepare(self) -> Iterator[None]:
        """The first and the last character (or what there is of it, where it is cut) of ordinary entries -> their rows,
        in slices; done once."""
        if self._prepared:
            return
        rows = np.flatnonzero((self.vocabulary.kinds == TokenKind.NORMAL) & (self.index.lengths > 0)).tolist()
        for number, row in enumerate(rows, 1):
            piece = self.vocabulary.bytes_at(row)
            self._first_parts.setdefault(piece[: _first(piece)], []).append(row)
            self._last_parts.setdefault(piece[len(piece) - _last(piece) :], []).append(row)
            if number % (8 * SLICE) == 0:
                yield
        self._prepared = True


def _first(piece: bytes) -> int:
    """Bytes of the first character, or of the continuation bytes before any."""
    return 1 + continuing(piece[1:4])


def _last(piece: bytes) -> int:
    """Bytes of the last character, or of what there is of it."""
    size = 1
    while size < min(4, len(piece)) and 0x80 <= piece[-size] < 0xC0:
        size += 1
    return size
