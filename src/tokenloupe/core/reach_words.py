"""Proofs for BERT's words in a GGUF file: what no word can have in it is no part of one.

    >>> WordParts(tokenizer.model).never("[unused0]")      # "[" is a word by itself
    True

A token is a stretch of "▁" and a word. A word is one character that stands alone (a mark, an ideograph), or several
that do not; each is what the normalizer leaves of some character of a text. What can be no such stretch is no token.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .llamacpp_models import WordPieceModel
from .llamacpp_unicode import base_map, lower_map
from .sp_normalizer import SPACE


class WordParts:
    """model: whose tokens they are."""

    def __init__(self, model: WordPieceModel) -> None:
        self.model = model

    def never(self, spelled: str) -> bool:
        """True only when no text yields the token spelled so."""
        ids = self.model.ids
        if self._joined(spelled) or (self._alone(spelled) and SPACE in ids and SPACE + spelled not in ids):
            return False
        rest = spelled[len(SPACE) :]
        return not (spelled.startswith(SPACE) and (self._joined(rest) or self._alone(rest)))

    def _joined(self, part: str) -> bool:
        """Can it be in a word of several characters?"""
        joined = self._characters[0]
        return all(joined[ord(c)] for c in part)

    def _alone(self, part: str) -> bool:
        """Can it be a word by itself, of one character? With "▁" before it, it is looked for first."""
        return len(part) == 1 and bool(self._characters[1][ord(part)])

    @cached_property
    def _characters(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Two bool (0x110000,): what characters of a text become in a word of several, and in one of their own."""
        seen = np.arange(0x110000)
        if self.model.strip_accents:
            _change(seen, base_map())
        space, gone, single = self.model.roles(seen.astype(np.uint32))
        shown = seen.copy()
        if self.model.lowercase:
            lower = np.arange(0x110000)
            _change(lower, lower_map())
            shown = lower[seen]
        kept = ~space & ~gone
        kept[0xD800:0xE000] = False  # of no UTF-8
        joined, alone = np.zeros(0x110000, np.bool_), np.zeros(0x110000, np.bool_)
        joined[shown[kept & ~single]] = True
        alone[shown[kept & single]] = True
        return joined, alone


def _change(points: NDArray[np.int64], changes: dict[int, str]) -> None:
    points[list(changes)] = [ord(c) for c in changes.values()]
