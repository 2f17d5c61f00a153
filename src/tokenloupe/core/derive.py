"""The merges of any tokenizer: those in its file, or derived where the file has ranks or scores alone.

    >>> merges = merges_of(load_bundled("gpt2"))
    >>> merges.derived, len(merges)
    (True, 50000)

A rank file's entry is made of the two symbols that merges of lower ranks leave of it (core/bytelevel.py). That of a
SentencePiece BPE model is made of the two pieces that its own rule, best score first, joins last. A model that knows no
merges (Unigram, WordPiece, word lists, greedy matching) has None.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .llamacpp import LlamaTokenizer
from .llamacpp_models import SpmModel
from .sentencepiece import SentencePieceTokenizer
from .sp_models import BpeModel
from .tokenizer import Tokenizer
from .vocabulary import MergeTable, TokenKind, Vocabulary

_MADE: WeakKeyDictionary[Tokenizer, MergeTable] = WeakKeyDictionary()


def merges_of(tokenizer: Tokenizer) -> MergeTable | None:
    """The merge table, in rank order, remembered with the tokenizer. 0.7 s the first time for 200,000 ranks."""
    if isinstance(tokenizer, ByteLevelTokenizer):
        if tokenizer not in _MADE:
            _MADE[tokenizer] = tokenizer.merge_table
        return _MADE[tokenizer]
    if tokenizer.vocabulary.merges is not None:
        return tokenizer.vocabulary.merges
    scored = isinstance(tokenizer, SentencePieceTokenizer) and isinstance(tokenizer.model, BpeModel)
    if scored or (isinstance(tokenizer, LlamaTokenizer) and isinstance(tokenizer.model, SpmModel)):
        if tokenizer not in _MADE:
            _MADE[tokenizer] = derive_from_scores(tokenizer.vocabulary)
        return _MADE[tokenizer]
    return None


def derive_from_scores(vocabulary: Vocabulary) -> MergeTable:
    """Parts of SentencePiece BPE pieces: the last merge of each when best scores go first (leftmost of equals).

    Merges are in the order of the scores of what they make, best first. Pieces of one character, and those that the
    rule does not put together of two, are not in it.
    """
    assert vocabulary.scores is not None
    normal = np.flatnonzero((vocabulary.kinds == TokenKind.NORMAL) | (vocabulary.kinds == TokenKind.UNUSED))
    scores = vocabulary.scores[normal].tolist()
    spelled = [vocabulary.raw_at(r) for r in normal.tolist()]
    score_of = dict(zip(spelled, scores, strict=True))
    id_of = dict(zip(spelled, vocabulary.ids[normal].tolist(), strict=True))
    found: list[tuple[float, int, int, int]] = []
    for piece, score in zip(spelled, scores, strict=True):
        parts = last_parts(piece, score_of)
        if parts is not None and parts[0] in id_of and parts[1] in id_of:
            found.append((-score, id_of[piece], id_of[parts[0]], id_of[parts[1]]))
    found.sort()
    table = np.array([f[1:] for f in found], np.int64).reshape(-1, 3)
    return MergeTable(table[:, 1], table[:, 2], table[:, 0], derived=True)


def last_parts(piece: str, score_of: dict[str, float]) -> tuple[str, str] | None:
    """The two symbols that are joined last to make the piece, None when the rule does not end in the piece."""
    symbols = list(piece)
    while len(symbols) > 2:
        best, at = None, -1
        for i in range(len(symbols) - 1):
            score = score_of.get(symbols[i] + symbols[i + 1])
            if score is not None and (best is None or score > best):
                best, at = score, i
        if at < 0:
            return None
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]
    return (symbols[0], symbols[1]) if len(symbols) == 2 and piece in score_of else None
