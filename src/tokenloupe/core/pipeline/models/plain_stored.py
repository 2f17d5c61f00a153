"""Models other than BPE that were read before and come back as arrays: their spellings are made when a text needs them.

    StoredUnigram(texts, scores, unknown_id=0, byte_fallback=False)     # texts() -> the spellings by id
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...vocabulary import Int64s
from .base import StoredWords, Texts
from .unigram import Unigram
from .wordpiece import WordLevel, WordPiece


class StoredUnigram(Unigram):
    """scores: float64, by id."""

    def __init__(self, texts: Texts, scores: NDArray[np.float64], unknown_id: int | None, byte_fallback: bool) -> None:
        self._texts, self.scores = texts, scores
        self.unknown_id, self.byte_fallback = unknown_id, byte_fallback

    @cached_property
    def pieces(self) -> list[tuple[str, float]]:  # type: ignore[override]
        return list(zip(self._texts(), self.scores.tolist(), strict=True))

    @property
    def size(self) -> int:
        return len(self.scores)


class StoredWordPiece(StoredWords, WordPiece):
    """ids: of the spellings."""

    def __init__(self, texts: Texts, ids: Int64s, unk_token: str, unknown_id: int | None, prefix: str,
                 limit: int) -> None:
        self._texts, self._ids, self.unk_token, self.unknown_id = texts, ids, unk_token, unknown_id
        self.prefix, self.limit = prefix, limit


class StoredWordLevel(StoredWords, WordLevel):
    """ids: of the spellings."""

    def __init__(self, texts: Texts, ids: Int64s, unk_token: str, unknown_id: int | None) -> None:
        self._texts, self._ids, self.unk_token, self.unknown_id = texts, ids, unk_token, unknown_id
