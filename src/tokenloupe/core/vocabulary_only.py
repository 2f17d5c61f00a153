"""A vocabulary whose tokenizer this program cannot run: everything about the entries, no tokens of any text.

    >>> only = load("tokenizer.json", vocabulary_only="yes")     # its pre-tokenizer is of a kind that is not known
    >>> only.vocabulary.bytes_of(17), len(only.encode("hello"))
    (b'hel', 0)

Ids that a guess gives would look like the right ones. So a text has none here, all of it is lost at the stage that is
not known, and a warning says so; browsing, searching, the census, lineage and decoding work.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer
from .vocabulary import Vocabulary


class VocabularyOnly(Tokenizer):
    """stage: the place of what cannot be run ("pre_tokenizer"); the first of `warnings` says what is the matter."""

    def __init__(self, name: str, file_format: str, sha256: str, vocabulary: Vocabulary, stage: str,
                 warnings: Iterable[str], special_tokens: dict[str, int], added_tokens: dict[str, int]) -> None:
        self.name, self.format, self.sha256 = name, file_format, sha256
        self.vocabulary, self.stage, self.warnings = vocabulary, stage, tuple(warnings)
        self.special_tokens, self.added_tokens = special_tokens, added_tokens

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        none = np.zeros(0, np.int64)
        lost = (Lost(0, len(data), self.stage),) if data else ()
        return Encoding(data, none, none, none, np.zeros(0, np.uint8), self.vocabulary, lost, not data)
