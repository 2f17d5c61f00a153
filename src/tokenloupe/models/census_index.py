"""The index of the session's vocabulary that census, audit and comparison share: one a tokenizer.

    index = index_of(session)            # the same object until the session has another tokenizer
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from ..core.query import VocabularyIndex
from .session import Session


class _Kept(QObject):
    """Lives as long as the session."""

    index: VocabularyIndex | None = None


def index_of(session: Session) -> VocabularyIndex:
    """RuntimeError (a programming error) when the session has no tokenizer."""
    kept = session.findChild(_Kept) or _Kept(session)
    tokenizer = session.tokenizer
    if kept.index is None or kept.index.tokenizer is not tokenizer:
        kept.index = VocabularyIndex(tokenizer)
    return kept.index
