"""The four segmentation models of SentencePiece over normalized text: BPE, word and char (unigram: sp_unigram.py).

    >>> model = BpeModel(PieceTable(["<unk>", "▁", "h", "i", "hi", "▁hi"], kinds, scores))
    >>> model.encode("▁hi")                     # ids, and how many UTF-8 bytes of the text each token covers
    (array([5]), array([5]))

A text is cut where no piece reaches over (sp_pieces.py) and each stretch is encoded once: that is where the speed comes
from.
Source of the rules: sentencepiece 0.2.3 bpe_model.cc, word_model.cc, char_model.cc (Apache-2.0), written anew.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import pairwise, repeat

import numpy as np

from .sp_columns import Columns, score_ranks, woven
from .sp_normalizer import SPACE, longest_first
from .sp_pieces import Cutter, Pieces, PieceTable, marked_words
from .stretch_table import Outcomes, StretchTable, outcomes_of
from .text import code_points, utf8_widths
from .vocabulary import Int64s


class PieceModel(ABC):
    """A model of SentencePiece."""

    table: PieceTable

    @abstractmethod
    def encode(self, text: str) -> tuple[Int64s, Int64s]:
        """ids and widths (UTF-8 bytes of `text`), int64 (n,). Neighbouring unknown tokens are not joined yet."""

    def encode_chunks(self, texts: Iterable[str]) -> Iterator[tuple[Int64s, Int64s]]:
        """The same of each chunk of one text in order, cut on the side of a `▁` that `side` names."""
        return map(self.encode, texts)

    def encode_finely(self, text: str) -> tuple[Int64s, Int64s]:
        """As encode(), cutting where it can: of many words that are new. It pays where they share their parts."""
        return self.encode(text)

    @property
    def side(self) -> str:
        """Where a text may be cut at every `▁` that stands alone: "before" it, "behind" it, or "" nowhere for sure."""
        return ""

    def prepare(self, text: str) -> Iterator[float]:
        """Work out in slices of about 8 ms what `encode` will look up; yields progress 0..1."""
        yield 1.0


class StretchModel(PieceModel):
    """A model whose answer for a text is the answers for its stretches, one after another."""

    def __init__(self, table: PieceTable) -> None:
        self.table = table
        self.known = StretchTable(self.outcomes)

    @abstractmethod
    def stretches(self, text: str) -> list[str]: ...

    @abstractmethod
    def outcomes(self, stretches: list[str]) -> Outcomes:
        """Of many stretches at once."""

    def prepare(self, text: str) -> Iterator[float]:
        return self.known.prepare(self.stretches(text))

    def encode(self, text: str) -> tuple[Int64s, Int64s]:
        return self.known.gather(self.known.numbers(self.stretches(text)))


def looked_up(table: PieceTable, stretches: list[str]) -> Outcomes:
    """Of stretches that are each one piece or unknown as a whole."""
    ids = np.fromiter(map(table.given.get, stretches, repeat(-1)), np.int64, len(stretches))
    lengths = np.fromiter(map(len, stretches), np.int64, len(stretches))
    ones = np.ones(len(ids), np.int64)
    return table.given_out(stretches, ids, np.zeros(len(ids), np.int64), lengths, ones, table.byte_ids)


class WordModel(StretchModel):
    """A word, with the `▁` before it, is in the vocabulary or it is unknown."""

    @property
    def side(self) -> str:
        return "before"

    def stretches(self, text: str) -> list[str]:
        if "\0" in text:
            return re.findall(f"{SPACE}[^{SPACE}]*|[^{SPACE}]+", text)
        return marked_words(text, "\0" + SPACE)

    def encode_finely(self, text: str) -> tuple[Int64s, Int64s]:
        made = self.outcomes(self.stretches(text))
        return made.ids, made.widths

    def outcomes(self, stretches: list[str]) -> Outcomes:
        return looked_up(self.table, stretches)


class CharModel(StretchModel):
    """Every character, or user-defined piece, by itself."""

    def __init__(self, table: PieceTable) -> None:
        super().__init__(table)
        self._side = "" if any(SPACE in p.lstrip(SPACE) for p in table.user_defined) else "before"
        pieces = longest_first(table.user_defined)
        self._symbols = re.compile((f"{pieces.pattern}|" if pieces else "") + "(?s:.)")

    def stretches(self, text: str) -> list[str]:
        return self._symbols.findall(text)

    @property
    def side(self) -> str:
        return self._side

    def outcomes(self, stretches: list[str]) -> Outcomes:
        return looked_up(self.table, stretches)

    def encode(self, text: str) -> tuple[Int64s, Int64s]:
        return super().encode(text) if self.table.user_defined else self._all_at_once(text)

    @cached_property
    def _lookup(self) -> Int64s:
        """The id of each code point; the last one is of all that are greater."""
        known = {ord(p): self.table.known(p) for p in self.table.ids if len(p) == 1}
        table = np.full(max(known, default=0) + 2, self.table.unk_id, np.int64)
        table[list(known)] = list(known.values())
        return table

    def _all_at_once(self, text: str) -> tuple[Int64s, Int64s]:
        """Without user-defined pieces every character is looked up alone."""
        points = code_points(text)
        ids = self._lookup.take(points, mode="clip")
        widths = utf8_widths(points)
        if self.table.byte_ids is None or not bool((ids == self.table.unk_id).any()):
            return ids, widths
        data = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
        whole = np.repeat(ids != self.table.unk_id, widths)
        first = np.zeros(len(data), np.bool_)
        first[np.cumsum(widths) - widths] = True
        keep = first | ~whole
        byte_ids = np.array(self.table.byte_ids, np.int64)[data]
        return (np.where(whole, np.repeat(ids, widths), byte_ids)[keep],
                np.where(whole, np.repeat(widths, widths), 1)[keep])


#: More new stretches than this, and than a part of the pieces, are merged together: from about so many on it pays to
#: work out which pairs make each piece. Once that is known, a few stretches do.
MANY, MADE_IN, FEW_STRETCHES = 256, 3, 24

#: A pair that is no piece: later than every rank.
_NEVER = 1 << 62

#: Up to so many symbols the best pair is looked for anew after each merge; a heap pays beyond.
_FEW = 40

#: The reference stops taking an unused piece apart at this depth.
_DEEPEST = 100


class BpeModel(StretchModel):
    """The best-scored pair is joined first, of equal ones the leftmost; user-defined pieces are never joined."""

    def __init__(self, table: PieceTable) -> None:
        super().__init__(table)
        pieces = longest_first(table.user_defined)
        self._symbols = None if pieces is None else re.compile(f"({pieces.pattern})|(?s:.)")
        # How an unused piece is taken apart again depends on where in the whole text it was last put together.
        self._whole = any(len(table.pieces[i]) > 1 for i in table.unused)
        self._met = 0  # new stretches so far

    @cached_property
    def _rank(self) -> dict[str, int]:
        return dict(zip(self.table.ids, score_ranks(self.table.scores, list(self.table.ids.values())), strict=True))

    @cached_property
    def _cutter(self) -> Cutter:
        return Cutter(list(self.table.ids))

    @property
    def side(self) -> str:
        return "" if self._whole else self._cutter.side

    def stretches(self, text: str) -> list[str]:
        return [text] if self._whole and text else self._cutter.cut(text)

    def encode_finely(self, text: str) -> tuple[Int64s, Int64s]:
        return self.encode(text) if self._whole else self.known.gather(
            self.known.numbers(self._cutter.cut_finely(text)))

    @property
    def _byte_ids(self) -> list[int] | None:
        """What unknown characters become."""
        return self.table.byte_ids

    @cached_property
    def _columns(self) -> Columns | None:
        return None if self._whole else Columns.of(self.table)

    def outcomes(self, stretches: list[str]) -> Outcomes:
        """Of many new stretches together; the tables for that take a while to make, which very many are worth."""
        self._met += len(stretches)
        worth = "_columns" in self.__dict__ or self._met > max(MANY, len(self.table.ids) // MADE_IN)
        columns = self._columns if worth and len(stretches) > FEW_STRETCHES else None
        if columns is None:
            return self._one_by_one(stretches)
        good = columns.takes(stretches)
        some = [s for s, fits in zip(stretches, good.tolist(), strict=True) if fits]
        if not some:
            return self._one_by_one(stretches)
        made = self.table.given_out(some, *columns.merge(some), self._byte_ids)
        if len(some) == len(stretches):
            return made
        others = self._one_by_one([s for s, fits in zip(stretches, good.tolist(), strict=True) if not fits])
        return woven(good, made, others)

    def _one_by_one(self, stretches: list[str]) -> Outcomes:
        return outcomes_of(list(map(self.encode_stretch, stretches)))

    def encode_stretch(self, text: str) -> Pieces:
        frozen: frozenset[int] | None = None
        if self._symbols is None:
            symbols = list(text)
        else:
            found = list(self._symbols.finditer(text))
            symbols = [m[0] for m in found]
            frozen = frozenset(i for i, m in enumerate(found) if m[1] is not None) or None
        parts: dict[str, tuple[str, str]] | None = {} if self._whole else None
        if len(symbols) <= _FEW and frozen is None and parts is None:
            merged = self._merge_few(symbols)
        else:
            merged = self._merge_many(symbols, frozen or frozenset(), parts)
        if parts is None:
            return self.table.outcome([(s, self.table.known(s)) for s in merged])
        return self.table.outcome([t for s in merged for t in self._apart(s, parts)])

    def _merge_few(self, symbols: list[str]) -> list[str]:
        rank = self._rank.get
        pairs = [rank(a + b, _NEVER) for a, b in pairwise(symbols)]
        while pairs:
            best = min(pairs)
            if best == _NEVER:
                break
            i = pairs.index(best)
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            del pairs[i]
            if i:
                pairs[i - 1] = rank(symbols[i - 1] + symbols[i], _NEVER)
            if i < len(pairs):
                pairs[i] = rank(symbols[i] + symbols[i + 1], _NEVER)
        return symbols

    def _merge_many(
        self, symbols: list[str], frozen: frozenset[int], parts: dict[str, tuple[str, str]] | None
    ) -> list[str]:
        """The same with a heap. parts: filled with how each unused piece was last put together."""
        count = len(symbols)
        before, after = list(range(-1, count - 1)), [*range(1, count), -1]
        rank, unused, ids = self._rank, self.table.unused, self.table.ids
        heap: list[tuple[int, int, int, int]] = []  # rank, left, right, length of both

        def look(left: int, right: int) -> None:
            if left < 0 or right < 0 or left in frozen or right in frozen:
                return
            piece = symbols[left] + symbols[right]
            found = rank.get(piece)
            if found is not None:
                heap.append((found, left, right, len(piece)))
                if parts is not None and ids[piece] in unused:
                    parts[piece] = (symbols[left], symbols[right])

        for i in range(count - 1):
            look(i, i + 1)
        heapify(heap)
        while heap:
            _, left, right, length = heappop(heap)
            a, b = symbols[left], symbols[right]
            if not a or not b or len(a) + len(b) != length:
                continue
            symbols[left], symbols[right] = a + b, ""
            after[left] = after[right]
            if after[right] >= 0:
                before[after[right]] = left
            for pair in ((before[left], left), (left, after[left])):
                held = len(heap)
                look(*pair)
                if len(heap) > held:
                    heappush(heap, heap.pop())
        return [s for s in symbols if s]

    def _apart(self, piece: str, parts: dict[str, tuple[str, str]], depth: int = 0) -> list[tuple[str, int]]:
        found = self.table.ids.get(piece, self.table.unk_id)
        if depth > _DEEPEST or found not in self.table.unused:
            return [(piece, found)]
        if piece not in parts:
            return [(piece, self.table.unk_id)]
        left, right = parts[piece]
        return self._apart(left, parts, depth + 1) + self._apart(right, parts, depth + 1)
