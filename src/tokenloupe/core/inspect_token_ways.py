"""The best ways to cut a word into scored pieces: what a Unigram model chose, and what came next.

    >>> ways(tokenizer, "▁hello", 3)
    [Way(ids=(22172,), score=-9.8), Way(ids=(354, 2177), score=-16.1), ...]

A word's best way is part of the best way of the whole text as long as both its ends are token boundaries there, so a
word can be looked at alone. Scores are natural logarithms of probabilities: a way's score is the sum of its pieces'.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest

from .inspect_token_merges import spelled_rows
from .llamacpp import LlamaTokenizer
from .llamacpp_models import UgmModel
from .pipeline.models.unigram import Unigram
from .pipeline_tokenizer import PipelineTokenizer
from .sentencepiece import SentencePieceTokenizer
from .sp_unigram import UnigramModel
from .tokenizer import Tokenizer

#: Bytes of a word that is cut: nobody reads the alternatives of a longer one.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Way:
    """One segmentation: its ids and the sum of their scores."""

    ids: tuple[int, ...]
    score: float


def is_unigram(tokenizer: Tokenizer) -> bool:
    if isinstance(tokenizer, PipelineTokenizer):
        return isinstance(tokenizer.parts.model, Unigram)
    if isinstance(tokenizer, SentencePieceTokenizer):
        return isinstance(tokenizer.model, UnigramModel)
    return isinstance(tokenizer, LlamaTokenizer) and isinstance(tokenizer.model, UgmModel)


def ways(tokenizer: Tokenizer, word: str, count: int = 5) -> list[Way]:
    """The `count` best ways to write a word, as the vocabulary spells it, in ordinary pieces; best first. Empty where
    there is none, and for a word that is too long. Of equal scores the one with the longer first pieces is first.
    """
    data = word.encode("utf-8", "surrogatepass")
    v = tokenizer.vocabulary
    if not data or len(data) > LONGEST or v.scores is None:
        return []
    rows = spelled_rows(tokenizer)
    longest = min(max(map(len, rows), default=0), len(data))
    best: list[list[tuple[float, tuple[int, ...]]]] = [[] for _ in range(len(data) + 1)]
    best[0].append((0.0, ()))
    for end in range(1, len(data) + 1):
        found = []
        for start in range(max(end - longest, 0), end):
            if best[start] and (row := rows.get(data[start:end])) is not None:
                score, token_id = float(v.scores[row]), int(v.ids[row])
                found += [(total + score, (*ids, token_id)) for total, ids in best[start]]
        best[end] = nlargest(count, found, key=lambda way: way[0])
    return [Way(ids, total) for total, ids in best[-1]]


def score_of(tokenizer: Tokenizer, ids: list[int]) -> float | None:
    """The sum of the scores of some ids; None where there are no scores."""
    v = tokenizer.vocabulary
    if v.scores is None:
        return None
    rows = [v.row_of(i) for i in ids]
    return None if None in rows else float(sum(float(v.scores[r]) for r in rows if r is not None))
