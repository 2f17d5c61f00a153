"""Proofs that no text produces an entry: from the bytes, the merges, the split pattern or the kind of the entry.

    >>> Prover(index, tokenizer).proof(row)         # "" when nothing is proved
    'no merge that can fire makes it'

Each proof allows the tokenizer more than it can do, so that what it excludes is excluded: see reach_pattern.py for the
pattern, lineage_firing.py for the merges. A token of byte pair encoding lies inside one pre-token, always; and what
happens inside it depends on its own bytes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .bytelevel import ByteLevelTokenizer
from .census import completing_points
from .derive import last_parts
from .greedy import GreedyTokenizer
from .lineage import Lineage
from .pipeline.aligned import Aligned
from .pipeline.models.bpe import BPE
from .pipeline.normalizers import NormalForm
from .pipeline.pretokenizers import ByteLevel
from .pipeline_bytelevel import PipelineByteLevelTokenizer
from .pipeline_tokenizer import PipelineTokenizer
from .query import VocabularyIndex
from .reach_pattern import PreTokenShapes
from .reach_stages import StageProofs
from .reach_texts import spread
from .scripts import Utf8Class
from .sentencepiece import SentencePieceTokenizer
from .sp_models import BpeModel
from .tokenizer import Tokenizer
from .utf8 import pending
from .vocabulary import TokenKind

#: Entries that run through the merges in one slice.
SLICE = 512

NOT_UTF8 = "its bytes are part of no UTF-8 text"
NO_MERGE = "no merge that can fire makes it"
NOT_ALONE = "no merge that can fire makes it, and no pre-token is exactly its text"
NO_PRE_TOKEN = "no pre-token contains its text: the split pattern cuts it always"
NOT_NORMAL = "its text is not in the normal form that every text is brought to first"
SCORES = "its own characters merge to something else, whatever stands around them"


class Prover:
    """index, tokenizer: what the rows are of. engine: the byte-level model inside (reach_trial.py), where there is one:
    what it cannot produce the tokenizer cannot either."""

    def __init__(self, index: VocabularyIndex, tokenizer: Tokenizer, engine: ByteLevelTokenizer | None = None,
                 lineage: Lineage | None = None) -> None:
        self.index, self.vocabulary, self.outer = index, index.vocabulary, tokenizer
        self.tokenizer = tokenizer if engine is None else engine
        self._stages = StageProofs(index, tokenizer)
        self._lineage = Lineage(index) if lineage is None else lineage
        # Pre-tokens are bytes of (normalized) text, whatever the text: what is part of no UTF-8 is in none of them.
        self._bytes = isinstance(tokenizer, ByteLevelTokenizer | GreedyTokenizer) or (
            isinstance(tokenizer, PipelineTokenizer) and any(isinstance(p, ByteLevel)
                                                             for p in tokenizer.parts.pre_tokenizers))

    def proof(self, row: int) -> str:
        """Why no valid UTF-8 text yields the row's token, in one clause; "" when that is not known."""
        kind = TokenKind(int(self.vocabulary.kinds[row]))
        byte = kind == TokenKind.BYTE
        if (byte or (self._bytes and kind == TokenKind.NORMAL)) and self.index.classes[row] == Utf8Class.INVALID:
            return NOT_UTF8
        found = self._stages.proof(row)
        if found or kind != TokenKind.NORMAL or int(self.vocabulary.ids[row]) in self._stages.byte_ids:
            return found
        piece = self.vocabulary.bytes_at(row)
        if self._normal is not None and self.index.classes[row] in (Utf8Class.WHOLE, Utf8Class.ENDS_INSIDE) and (
                b"\n" not in piece) and not self._normal(piece):
            return NOT_NORMAL
        if self.shapes is not None and not self.shapes.fits_inside(piece):
            return NO_PRE_TOKEN
        if self.not_built(row):
            if not self._whole_first:
                return NO_MERGE
            if self.shapes is not None and not self.shapes.fits_whole(piece):
                return NOT_ALONE
        if self._scores is not None and len(self.vocabulary.raw_at(row)) > 1:
            return "" if last_parts(self.vocabulary.raw_at(row), self._scores) else SCORES
        return ""

    @cached_property
    def _normal(self) -> Callable[[bytes], bool] | None:
        """Can a text in the tokenizer's normal form have these bytes? None where there is no normal form, or there are
        other normalizers. Parts of a normalized text are normalized (Unicode Standard Annex 15): what changes is in
        none, and a cut character is in none when none of those that it may be is."""
        outer = self.outer
        if not isinstance(outer, PipelineTokenizer) or len(outer.parts.normalizers) != 1 or not isinstance(
                outer.parts.normalizers[0], NormalForm):
            return None
        if not self._bytes:  # what stands in a token is what stood in the text
            return None

        def normal(piece: bytes) -> bool:
            tail = pending(piece)
            if not tail:
                return outer.normalize(Aligned.of(piece)).text.encode() == piece
            front = piece[: len(piece) - tail].decode()
            points = completing_points(piece[len(piece) - tail :]).tolist()
            return any(stays(front, some) for some in (spread(points, 16), points))  # a few settle most

        def stays(front: str, points: list[int]) -> bool:
            lines = [front + chr(p) for p in points]
            # A line end composes with nothing: lines are normalized by themselves.
            made = outer.normalize(Aligned.of("\n".join(lines).encode())).text.split("\n")
            return any(a == b for a, b in zip(lines, made, strict=True))

        return normal

    @cached_property
    def shapes(self) -> PreTokenShapes | None:
        """What a pre-token can look like; None where the pattern does not say it all."""
        if not isinstance(self.tokenizer, ByteLevelTokenizer):
            return None
        shapes = PreTokenShapes.of(self.tokenizer.splitter)
        # In a tokenizer.json what the pattern does not match is a pre-token, too.
        if shapes is not None and isinstance(self.tokenizer, PipelineByteLevelTokenizer) and not shapes.covers:
            return None
        if self.tokenizer.engine.missing:  # bytes are dropped before merging: neighbours in a text need not be
            return None
        return shapes

    @property
    def _whole_first(self) -> bool:
        """A pre-token that is an entry is that token."""
        if isinstance(self.tokenizer, ByteLevelTokenizer):
            return self.tokenizer.engine.whole_first
        return isinstance(self.tokenizer, PipelineTokenizer) and bool(getattr(self.tokenizer.parts.model,
                                                                              "ignore_merges", False))

    def prepare(self, rows: Sequence[int]) -> Iterator[float]:
        """Find out for these rows whether merges make them, in slices; proof() does it for others one by one."""
        tokenizer = self.tokenizer
        if isinstance(tokenizer, ByteLevelTokenizer) and tokenizer.engine.merges is None:
            if not tokenizer.engine.missing:
                for at in range(0, len(rows), SLICE):
                    self._run(rows[at : at + SLICE])
                    yield at / len(rows)
            return
        if self._listed:
            yield from self._lineage.firing_steps()

    def not_built(self, row: int) -> bool:
        """True when no merges make the token of its own bytes; False when they do, or that cannot be said."""
        tokenizer = self.tokenizer
        if isinstance(tokenizer, ByteLevelTokenizer) and tokenizer.engine.merges is None:
            if tokenizer.engine.missing:
                return False
            if row not in self._made:
                self._run([row])
            return not self._made[row]
        return self._built is not None and not self._built[row]

    def _run(self, rows: Sequence[int]) -> None:
        """A rank file's entries through the merges, by themselves."""
        assert isinstance(self.tokenizer, ByteLevelTokenizer)
        v = self.vocabulary
        ids, counts = self.tokenizer.engine.merger.run([v.bytes_at(r) for r in rows])
        first = np.cumsum(counts) - counts
        for row, at, n in zip(rows, first.tolist(), counts.tolist(), strict=True):
            self._made[row] = n == 1 and int(ids[at]) == int(v.ids[row])

    @cached_property
    def _made(self) -> dict[int, bool]:
        return {}

    @property
    def _listed(self) -> bool:
        """Is it a model of listed merges over symbols that firing knows?"""
        tokenizer = self.tokenizer
        if isinstance(tokenizer, ByteLevelTokenizer):
            return not tokenizer.engine.missing
        if isinstance(tokenizer, PipelineTokenizer) and isinstance(tokenizer.parts.model, BPE):
            model = tokenizer.parts.model
            # With a mark for a word's inside or end, or a last byte map, symbols are not what firing takes them for.
            return not (model.prefix or model.suffix or tokenizer.vocabulary.merges is None)
        return False

    @cached_property
    def _built(self) -> NDArray[np.bool_] | None:
        """bool (n,): listed merges make the token of its own bytes; None where that cannot be said."""
        firing = self._lineage.firing if self._listed else None
        return None if firing is None else firing.built

    @cached_property
    def _scores(self) -> dict[str, float] | None:
        """Scores of the pieces of a SentencePiece BPE model; None for all others, and where user-defined pieces cut the
        text before it."""
        tokenizer = self.tokenizer
        if not (isinstance(tokenizer, SentencePieceTokenizer) and isinstance(tokenizer.model, BpeModel)):
            return None
        v = self.vocabulary
        if bool((v.kinds == TokenKind.ADDED).any()) or v.scores is None:
            return None
        rows = np.flatnonzero((v.kinds == TokenKind.NORMAL) | (v.kinds == TokenKind.UNUSED))
        return {v.raw_at(r): float(v.scores[r]) for r in rows.tolist()}
