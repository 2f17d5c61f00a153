"""The merges of one pre-token, replayed step by step: what was joined, in which order, and what stood against it.

    >>> trace = replay(gpt2, b" lower")
    >>> [(gpt2.vocabulary.bytes_of(s.result), s.rank) for s in trace.steps]
    [(b'er', 263), (b' l', 300), (b'ow', 322), (b' low', 1877), (b' lower', 2793)]

A slow, plain restatement of byte pair encoding over symbols: look at all neighbours, join the pair that comes first (of
equal ones the leftmost), until none is left. It serves to explain; the ids are those of the fast engines, and a trace
whose end is not what the document has is not shown (`trace.ids` is compared by the caller).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .bytemap import to_text
from .llamacpp import LlamaTokenizer
from .llamacpp_models import SpmModel
from .pipeline.models.bpe import BPE
from .pipeline_tokenizer import PipelineTokenizer
from .sentencepiece import SentencePieceTokenizer
from .sp_models import BpeModel
from .tokenizer import Tokenizer
from .vocabulary import MergeTable, TokenKind, Vocabulary, split_bytes

#: Symbols of a pre-token that are replayed: each step looks at all neighbours, and nobody reads a longer list.
LONGEST = 256


@dataclass(frozen=True, slots=True)
class Symbol:
    """An entry on its way: bytes start .. end of what the symbols of the pre-token decode to."""

    id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """One merge: the symbols at place `at` and `at + 1` (before it) become one.

    rank: of the merge, by its list, the id in a rank file, or None where scores decide; score: of what it makes.
    others: how many other places could have been joined, all of them later by rank (or further right).
    """

    at: int
    left: Symbol
    right: Symbol
    result: int
    rank: int | None
    score: float | None
    others: int

    @property
    def symbol(self) -> Symbol:
        return Symbol(self.result, self.left.start, self.right.end)


@dataclass(frozen=True, slots=True)
class Trace:
    """symbols: what it begins with. steps in order. final: what is left. whole: the pre-token is an entry and was
    looked up as one, so that no merge was needed."""

    symbols: tuple[Symbol, ...]
    steps: tuple[Step, ...]
    final: tuple[Symbol, ...]
    whole: bool = False

    @property
    def ids(self) -> list[int]:
        return [s.id for s in self.final]

    def crossing(self, cut: int) -> Step | None:
        """The first merge whose result lies across a byte place: what keeps a boundary from being there."""
        return next((s for s in self.steps if s.left.start < cut < s.right.end), None)

    def joined(self, start: int, end: int) -> Step | None:
        """The merge that makes exactly these bytes."""
        return next((s for s in self.steps if (s.left.start, s.right.end) == (start, end)), None)


#: (left symbol, right symbol) -> (what sorts first, id made, rank, score), None where the two do not join.
Join = Callable[[Symbol, Symbol], "tuple[float, int, int | None, float | None] | None"]


def replay(tokenizer: Tokenizer, piece: bytes, spelled: str | None = None,
           ids: list[int] | None = None) -> Trace | None:
    """The merges of a pre-token; None for a tokenizer that does not merge, and for what is too long.

    piece: its bytes, for byte-level models. spelled: the normalized text of it, for models over characters, as the
    vocabulary spells it (`▁the`). ids: the tokens it has, by which byte pieces and unknown ones are known.
    """
    if isinstance(tokenizer, ByteLevelTokenizer):
        return _byte_level(tokenizer, piece)
    if isinstance(tokenizer, PipelineTokenizer) and isinstance(tokenizer.parts.model, BPE) and spelled is not None:
        return _model(tokenizer, tokenizer.parts.model, spelled)
    if merges_by_score(tokenizer) and ids is not None:
        return _scored(tokenizer, ids)
    return None


def merges_by_score(tokenizer: Tokenizer) -> bool:
    """A SentencePiece BPE model, of its own file or in a GGUF: best score first."""
    scored = isinstance(tokenizer, SentencePieceTokenizer) and isinstance(tokenizer.model, BpeModel)
    return scored or (isinstance(tokenizer, LlamaTokenizer) and isinstance(tokenizer.model, SpmModel))


def run(symbols: list[Symbol], join: Join) -> Trace:
    """Byte pair encoding in its plainest form."""
    given = tuple(symbols)
    steps: list[Step] = []
    pairs = [join(a, b) for a, b in pairwise(symbols)]
    while True:
        possible = [(p[0], k) for k, p in enumerate(pairs) if p is not None]
        if not possible:
            return Trace(given, tuple(steps), tuple(symbols))
        at = min(possible)[1]
        found = pairs[at]
        assert found is not None
        step = Step(at, symbols[at], symbols[at + 1], found[1], found[2], found[3], len(possible) - 1)
        steps.append(step)
        symbols[at : at + 2] = [step.symbol]
        del pairs[at]
        if at:
            pairs[at - 1] = join(symbols[at - 1], symbols[at])
        if at < len(pairs):
            pairs[at] = join(symbols[at], symbols[at + 1])


# -- by kind of tokenizer -----------------------------------------------------------------------------------------


def _byte_level(tokenizer: ByteLevelTokenizer, piece: bytes) -> Trace | None:
    engine = tokenizer.engine
    if engine.missing or len(piece) > LONGEST or not piece:
        return None
    whole = engine.table.get(piece) if engine.whole_first else -1
    if whole >= 0:
        found = (Symbol(whole, 0, len(piece)),)
        alone = _byte_level_run(tokenizer, piece)
        # The merges are told as well where they come to the same: they are how the entry was learnt.
        return Trace(alone.symbols, alone.steps, found, True) if alone.ids == [whole] else Trace(found, (), found, True)
    return _byte_level_run(tokenizer, piece)


def _byte_level_run(tokenizer: ByteLevelTokenizer, piece: bytes) -> Trace:
    engine = tokenizer.engine
    symbols = [Symbol(int(engine.byte_ids[b]), k, k + 1) for k, b in enumerate(piece)]
    if tokenizer.merges is None:

        def join(a: Symbol, b: Symbol) -> tuple[float, int, int | None, float | None] | None:
            made = engine.table.get(piece[a.start : b.end])
            return None if made < 0 else (float(made), int(made), int(made), None)

        return run(symbols, join)
    return run(symbols, _listed(tokenizer, tokenizer.merges))


def _model(tokenizer: PipelineTokenizer, model: BPE, spelled: str) -> Trace | None:
    """A tokenizer.json's BPE over characters (or over byte-map characters, where other stages change the text)."""
    if tokenizer._bytes_last is not None:
        spelled = to_text(spelled.encode("utf-8", "surrogateescape"))
    if len(spelled) > LONGEST or not spelled:
        return None
    if model.ignore_merges and (whole := model.vocab.get(spelled)) is not None:
        symbol = (Symbol(whole, 0, len(tokenizer.vocabulary.bytes_of(whole) or b"")),)
        return Trace(symbol, (), symbol, True)
    ids = model._symbols(spelled)[0]
    return run(placed(tokenizer.vocabulary, ids), _listed(tokenizer, model.merges))


def placed(vocabulary: Vocabulary, ids: list[int]) -> list[Symbol]:
    """Symbols side by side, each as wide as its bytes (at least one, that every place has a symbol)."""
    at, found = 0, []
    for token_id in ids:
        end = at + max(len(vocabulary.bytes_of(token_id) or b""), 1)
        found.append(Symbol(token_id, at, end))
        at = end
    return found


class _Pairs:
    """A merge list turned around: (left, right) -> index. Of a pair that is listed twice the last counts, as in the
    reference libraries."""

    def __init__(self, merges: MergeTable) -> None:
        keys = merges.left.astype(np.uint64) << np.uint64(32) | merges.right.astype(np.uint64)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def get(self, left: int, right: int) -> int:
        place = int(np.searchsorted(self._keys, np.uint64(left << 32 | right), "right")) - 1
        return int(self._order[place]) if place >= 0 and int(self._keys[place]) == left << 32 | right else -1


_PAIRS: WeakKeyDictionary[Tokenizer, _Pairs] = WeakKeyDictionary()


def _listed(tokenizer: Tokenizer, merges: MergeTable) -> Join:
    pairs = pairs_of(tokenizer, merges)

    def join(a: Symbol, b: Symbol) -> tuple[float, int, int | None, float | None] | None:
        rank = pairs.get(a.id, b.id)
        return None if rank < 0 else (float(rank), int(merges.result[rank]), rank, None)

    return join


def pairs_of(tokenizer: Tokenizer, merges: MergeTable) -> _Pairs:
    """The merges by pair, remembered with the tokenizer."""
    if tokenizer not in _PAIRS:
        _PAIRS[tokenizer] = _Pairs(merges)
    return _PAIRS[tokenizer]


_SPELLED: WeakKeyDictionary[Tokenizer, dict[bytes, int]] = WeakKeyDictionary()


def spelled_rows(tokenizer: Tokenizer) -> dict[bytes, int]:
    """Spelling in the file -> row, of the entries that text can match; remembered with the tokenizer."""
    if tokenizer not in _SPELLED:
        v = tokenizer.vocabulary
        if v.raw_blob is not None and v.raw_offsets is not None:
            pieces = split_bytes(v.raw_blob, v.raw_offsets)
        else:
            pieces = split_bytes(v.blob, v.offsets)
        usable = np.isin(v.kinds, [TokenKind.NORMAL, TokenKind.UNUSED]).tolist()
        _SPELLED[tokenizer] = {p: r for r, p in enumerate(pieces) if usable[r]}
    return _SPELLED[tokenizer]


def _scored(tokenizer: Tokenizer, ids: list[int]) -> Trace | None:
    """SentencePiece's BPE over the characters that the tokens are spelled with; byte pieces join with nothing."""
    v = tokenizer.vocabulary
    rows = spelled_rows(tokenizer)
    symbols: list[int] = []
    for token_id in ids:
        row = v.row_of(token_id)
        if row is None or v.kinds[row] not in (TokenKind.NORMAL, TokenKind.BYTE):
            return None
        spelled = v.raw_at(row) if v.kinds[row] == TokenKind.NORMAL else ""
        found = [rows.get(c.encode("utf-8")) for c in spelled] or [row]
        if None in found or len(symbols) + len(found) > LONGEST:
            return None
        symbols += [int(v.ids[r]) for r in found if r is not None]
    scores = v.scores
    if scores is None or not symbols:
        return None

    def spelling(symbol: Symbol) -> bytes:
        return v.raw_at(v.row_of(symbol.id) or 0).encode("utf-8", "surrogatepass")

    def join(a: Symbol, b: Symbol) -> tuple[float, int, int | None, float | None] | None:
        row = rows.get(spelling(a) + spelling(b))
        return None if row is None else (-float(scores[row]), int(v.ids[row]), None, float(scores[row]))

    return run(placed(v, symbols), join)
