"""The merges of any tokenizer: those in its file, or derived where the file has ranks or scores alone.

    >>> merges = merges_of(load_bundled("gpt2"))
    >>> merges.derived, len(merges)
    (True, 50000)

A rank file's entry is made of the two symbols that merges of lower ranks leave of it (derive_ranks.py). That of a
SentencePiece BPE model is made of the two pieces that its own rule, best score first, joins last. A model that knows no
merges (Unigram, WordPiece, word lists, greedy matching) has None.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .tokenizer import Tokenizer
from .vocabulary import MergeTable, TokenKind, Vocabulary

_MADE: WeakKeyDictionary[Tokenizer, MergeTable] = WeakKeyDictionary()
#: Entries whose parts are worked out in one slice: some 5 ms.
SLICE = 512


def merges_of(tokenizer: Tokenizer) -> MergeTable | None:
    """The merge table, in rank order, remembered with the tokenizer. 1 s the first time for 200,000 ranks."""
    made: MergeTable | None = None
    for step in merges_steps(tokenizer):
        made = None if isinstance(step, float) else step
    return made


def merges_steps(tokenizer: Tokenizer) -> Iterator[float | MergeTable | None]:
    """The same in slices: progress 0..1, at last the table, or None."""
    if tokenizer in _MADE:
        yield _MADE[tokenizer]
        return
    vocabulary = tokenizer.vocabulary
    steps: Iterator[float | MergeTable | None]
    if isinstance(tokenizer, ByteLevelTokenizer):
        there = tokenizer.merges is not None or "merge_table" in tokenizer.__dict__
        steps = iter([tokenizer.merge_table]) if there else _rank_steps(tokenizer)
    elif vocabulary.merges is not None:
        steps = iter([vocabulary.merges])
    elif (inner := _behind_a_normalizer(tokenizer)) is not None:
        steps = merges_steps(inner)
    elif _by_scores(tokenizer):
        steps = _score_steps(vocabulary)
    else:
        yield None
        return
    for step in steps:
        if isinstance(step, MergeTable):
            _MADE[tokenizer] = step
        yield step


def _behind_a_normalizer(tokenizer: Tokenizer) -> Tokenizer | None:
    """The tokenizer that gets the normalized text, None where there is no such."""
    from .bytelevel_ends import NormalizedTokenizer

    return tokenizer.inner if isinstance(tokenizer, NormalizedTokenizer) else None


def _by_scores(tokenizer: Tokenizer) -> bool:
    """Whether the model joins the two pieces whose result has the best score."""
    # Late: nine modules that no other tokenizer needs, and the first table of a vocabulary would wait for them.
    from .llamacpp import LlamaTokenizer
    from .llamacpp_models import SpmModel
    from .sentencepiece import SentencePieceTokenizer
    from .sp_models import BpeModel

    return (isinstance(tokenizer, SentencePieceTokenizer) and isinstance(tokenizer.model, BpeModel)) or (
        isinstance(tokenizer, LlamaTokenizer) and isinstance(tokenizer.model, SpmModel))


def _rank_steps(tokenizer: ByteLevelTokenizer) -> Iterator[float | MergeTable]:
    for step in tokenizer.engine.derived_merges_steps():
        yield step if isinstance(step, float) else MergeTable(*step, derived=True)


def derive_from_scores(vocabulary: Vocabulary) -> MergeTable:
    """Parts of SentencePiece BPE pieces: the last merge of each when best scores go first (leftmost of equals).

    Merges are in the order of the scores of what they make, best first. Pieces of one character, and those that the
    rule does not put together of two, are not in it.
    """
    *_, made = _score_steps(vocabulary)
    assert isinstance(made, MergeTable)
    return made


def _score_steps(vocabulary: Vocabulary) -> Iterator[float | MergeTable]:
    assert vocabulary.scores is not None
    normal = np.flatnonzero((vocabulary.kinds == TokenKind.NORMAL) | (vocabulary.kinds == TokenKind.UNUSED))
    scores = vocabulary.scores[normal].tolist()
    spelled = [vocabulary.raw_at(r) for r in normal.tolist()]
    score_of = dict(zip(spelled, scores, strict=True))
    id_of = dict(zip(spelled, vocabulary.ids[normal].tolist(), strict=True))
    found: list[tuple[float, int, int, int]] = []
    for number, (piece, score) in enumerate(zip(spelled, scores, strict=True), 1):
        parts = last_parts(piece, score_of)
        if parts is not None and parts[0] in id_of and parts[1] in id_of:
            found.append((-score, id_of[piece], id_of[parts[0]], id_of[parts[1]]))
        if number % SLICE == 0:
            yield number / len(spelled)
    found.sort()
    table = np.array([f[1:] for f in found], np.int64).reshape(-1, 3)
    yield MergeTable(table[:, 1], table[:, 2], table[:, 0], derived=True)


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
