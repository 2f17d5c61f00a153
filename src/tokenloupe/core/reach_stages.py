"""Proofs that no text produces an entry, from what stands around merges: byte pieces, pre-tokenizers, better spellings.

    >>> StageProofs(index, tokenizer).proof(row)    # "" when nothing is proved
    'the pre-tokenizers always cut its text'

They are for SentencePiece models and for the models of a tokenizer.json that work on characters; reach_proofs.py has
those for byte pair encoding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from .llamacpp import LlamaTokenizer
from .llamacpp_models import WordPieceModel
from .pipeline.aligned import Aligned
from .pipeline.models.bpe import BPE
from .pipeline.models.unigram import Unigram
from .pipeline.models.wordpiece import WordLevel, WordPiece
from .pipeline.normalizers import Bert, Prepend, Replace
from .pipeline.pretokenizers import BertPreTokenizer, ByteLevel, CharSplit, Metaspace, Pieces, PreTokenizer, Whitespace
from .pipeline_tokenizer import PipelineTokenizer
from .query import VocabularyIndex
from .reach_words import WordParts
from .sentencepiece import SentencePieceTokenizer
from .sp_models import BpeModel, CharModel
from .sp_unigram import UnigramModel
from .tokenizer import Tokenizer
from .vocabulary import TokenKind

OWN_ENTRY = "its character has an entry of its own, and byte pieces spell only characters that have none"
OWN_ENTRIES = "every character that has its byte has an entry of its own, and byte pieces spell those that have none"
NO_UNKNOWN = "byte pieces spell every character that has no entry"
NO_SPACE = "every space is written another way before the model sees it"
ALWAYS_CUT = "the pre-tokenizers always cut its text"
NO_WORD = ("no word has its text: it has characters that the normalizer changes, or that are words by themselves, and "
           "those have an entry with ▁ of their own")
OUTSCORED = "other entries spell its text with a better score, whatever stands around it"

#: By how much the other spelling must be better. sentencepiece adds in single precision: a sum of 8 million is exact
#: to 1 only, and that takes some million characters. `tokenizers` adds in double precision.
MARGIN_SINGLE, MARGIN = 1.0, 1e-6


#: A character of every kind that the stages which cut between two characters tell apart, but one's own delimiter.
_KINDS = ("a", "1", "!", " ", "中")


class StageProofs:
    """index, tokenizer: what the rows are of."""

    def __init__(self, index: VocabularyIndex, tokenizer: Tokenizer) -> None:
        self.index, self.tokenizer, self.vocabulary = index, tokenizer, index.vocabulary

    def proof(self, row: int) -> str:
        """Why no text yields the row's token, in one clause; "" when that is not known."""
        kind = TokenKind(int(self.vocabulary.kinds[row]))
        if kind == TokenKind.UNKNOWN:
            return NO_UNKNOWN if self._spells and all(self._byte_pieces) else ""
        if kind == TokenKind.BYTE:
            return self._never_spelled(self.vocabulary.bytes_at(row)) if self._spells else ""
        if kind != TokenKind.NORMAL or int(self.vocabulary.ids[row]) in self.byte_ids:
            return ""
        if self._always_cut(row):
            return ALWAYS_CUT
        if self._words is not None and self._words.never(self.vocabulary.raw_at(row)):
            return NO_WORD
        return OUTSCORED if self._outscored(row) else ""

    # Byte pieces

    @cached_property
    def byte_ids(self) -> frozenset[int]:
        """Ids that a tokenizer.json's model gives for bytes, whatever its decoder (and so their kind) makes of them."""
        if not isinstance(self.tokenizer, PipelineTokenizer):
            return frozenset()
        model = self.tokenizer.parts.model
        if not isinstance(model, BPE | Unigram) or not model.byte_fallback:
            return frozenset()
        return frozenset(i for i in model.byte_ids if i is not None)

    @cached_property
    def _spells(self) -> bool:
        """Does the model spell by byte pieces the characters that have no entry, and those alone?"""
        tokenizer = self.tokenizer
        if isinstance(tokenizer, SentencePieceTokenizer):
            table = getattr(tokenizer.model, "table", None)
            # (A word model spells whole words by bytes, whatever their characters are.)
            return isinstance(tokenizer.model, BpeModel | CharModel | UnigramModel) and (
                table is not None and table.byte_ids is not None)
        if not isinstance(tokenizer, PipelineTokenizer):
            return False
        model = tokenizer.parts.model
        if isinstance(model, BPE):
            return model.byte_fallback and not (model.prefix or model.suffix)
        return isinstance(model, Unigram) and model.byte_fallback

    @cached_property
    def _byte_pieces(self) -> list[bool]:
        v = self.vocabulary
        there = {v.bytes_at(r) for r in np.flatnonzero(v.kinds == TokenKind.BYTE).tolist()}
        return [bytes([b]) in there for b in range(256)]

    def _never_spelled(self, byte: bytes) -> str:
        value = byte[0]
        if value == 0x20 and self._no_spaces:
            return NO_SPACE
        if value < 0x80:
            return OWN_ENTRY if byte in self._characters else ""
        if 0xC2 <= value < 0xE0 and all(bytes([value, low]) in self._characters for low in range(0x80, 0xC0)):
            return OWN_ENTRIES
        return ""

    @cached_property
    def _characters(self) -> frozenset[bytes]:
        """Characters of one or two bytes that are ordinary entries."""
        v = self.vocabulary
        rows = np.flatnonzero((v.kinds == TokenKind.NORMAL) & (self.index.lengths <= 2)).tolist()
        return frozenset(v.bytes_at(r) for r in rows
                         if len(v.raw_at(r)) == 1 and v.raw_at(r).encode("utf-8", "surrogatepass") == v.bytes_at(r))

    @cached_property
    def _no_spaces(self) -> bool:
        """Is every space another character before the model comes?"""
        tokenizer = self.tokenizer
        if isinstance(tokenizer, SentencePieceTokenizer):
            return tokenizer.normalizer.space != " "
        if not isinstance(tokenizer, PipelineTokenizer):
            return False
        simple = [n for n in tokenizer.parts.normalizers if isinstance(n, Replace | Prepend) and " " not in n.content]
        return len(simple) == len(tokenizer.parts.normalizers) and any(
            isinstance(n, Replace) and not n.pattern.is_regex and n.pattern.source == " " for n in simple)

    # Pre-tokenizers

    @cached_property
    def _cutting(self) -> list[PreTokenizer]:
        """Stages that cut between two characters wherever these stand. None of a pipeline that rewrites pre-tokens, or
        whose model has more in an entry's spelling than the text."""
        tokenizer = self.tokenizer
        if not isinstance(tokenizer, PipelineTokenizer):
            return []
        model, stages = tokenizer.parts.model, tokenizer.parts.pre_tokenizers
        plain = isinstance(model, WordPiece | WordLevel | Unigram) or (
            isinstance(model, BPE) and not (model.prefix or model.suffix))
        if not plain or any(isinstance(s, ByteLevel | Metaspace) for s in stages):
            return []
        found: list[PreTokenizer] = [
            s for s in stages if isinstance(s, Whitespace | BertPreTokenizer)
            or (isinstance(s, CharSplit) and len(s.charset) > 1)]
        normalizers = tokenizer.parts.normalizers
        if len(normalizers) == 1 and isinstance(normalizers[0], Bert) and normalizers[0].handle_chinese_chars and any(
                isinstance(s, Whitespace | BertPreTokenizer) for s in found):
            # It puts spaces around ideographs, and nothing else becomes one of them.
            found.append(CharSplit("BertNormalizer", "CHINESE", "Isolated"))
        return found

    def _always_cut(self, row: int) -> bool:
        if not self._cutting:
            return False
        text = self.vocabulary.raw_at(row)
        assert isinstance(self.tokenizer, PipelineTokenizer)
        model = self.tokenizer.parts.model
        if isinstance(model, WordPiece) and model.prefix and text.startswith(model.prefix):
            inner = text[len(model.prefix):]
            if inner and not self._cut(inner) and not all(self._cut(c + inner, 1) for c in _KINDS):
                return False
        return self._cut(text)

    def _cut(self, text: str, only_at: int = 0) -> bool:
        """Is the text cut somewhere inside, or a character of it taken away (or: cut there)?"""
        if not text or "\ufffd" in text:
            return False
        pieces = Pieces.whole(Aligned.of(text.encode("utf-8", "surrogatepass")))
        for stage in self._cutting:
            made = stage.run(pieces)
            starts, ends = made.starts.tolist(), made.ends.tolist()
            if only_at:
                if not any(a < only_at < b for a, b in zip(starts, ends, strict=True)):
                    return True
            elif starts != [0] or ends != [len(text)]:
                return True
        return False

    @cached_property
    def _words(self) -> WordParts | None:
        tokenizer = self.tokenizer
        if isinstance(tokenizer, LlamaTokenizer) and isinstance(tokenizer.model, WordPieceModel):
            return WordParts(tokenizer.model)
        return None

    # Scores

    @cached_property
    def _spelling(self) -> tuple[dict[str, float], float] | None:
        """The scores of the pieces that a text can be spelled with, and the margin; None for models without such, or
        where user-defined pieces cut the text and count for more."""
        tokenizer, v = self.tokenizer, self.vocabulary
        if v.scores is None:
            return None
        if isinstance(tokenizer, SentencePieceTokenizer) and isinstance(tokenizer.model, UnigramModel):
            if bool((v.kinds == TokenKind.ADDED).any()):
                return None
            margin = MARGIN_SINGLE
        elif isinstance(tokenizer, PipelineTokenizer) and isinstance(tokenizer.parts.model, Unigram):
            margin = MARGIN
        else:
            return None
        return {v.raw_at(r): float(v.scores[r]) for r in np.flatnonzero(v.kinds == TokenKind.NORMAL).tolist()}, margin

    def _outscored(self, row: int) -> bool:
        if self._spelling is None:
            return False
        score_of, margin = self._spelling
        text = self.vocabulary.raw_at(row)
        return best_of_parts(text, score_of) > score_of[text] + margin


def best_of_parts(text: str, score_of: Mapping[str, float]) -> float:
    """The best sum of scores of two or more pieces that spell the text; -inf when there are none."""
    best = [0.0, *(-math.inf for _ in text)]
    for start in range(len(text)):
        if best[start] == -math.inf:
            continue
        for end in range(start + 1, len(text) + (start > 0)):
            score = score_of.get(text[start:end])
            if score is not None and best[start] + score > best[end]:
                best[end] = best[start] + score
    return best[-1] if len(text) > 1 else -math.inf
