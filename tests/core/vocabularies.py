"""Small vocabularies with merge lists for tests of the table, the lineage and the audit."""

from __future__ import annotations

import numpy as np

from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.pattern import compile_pattern
from tokenloupe.core.vocabulary import MergeTable, TokenKind, Vocabulary

EVERYTHING = r"[\s\S]+"


def merge_tokenizer(
    merges: list[tuple[bytes, bytes]], more: dict[int, bytes] | None = None, kinds: dict[int, TokenKind] | None = None,
    pattern: str = EVERYTHING,
) -> ByteLevelTokenizer:
    """256 bytes, then what the merges make in order (each result once), then `more`."""
    ids = {bytes([b]): b for b in range(256)}
    for left, right in merges:
        ids.setdefault(left + right, len(ids))
    table = MergeTable(*(np.array([ids[x] for x in side], np.int64) for side in (
        [m[0] for m in merges], [m[1] for m in merges], [m[0] + m[1] for m in merges])))
    entries = [(i, piece) for piece, i in ids.items()] + list((more or {}).items())
    vocabulary = Vocabulary.build(entries, kinds=kinds, merges=table)
    special = {piece.decode(): i for i, piece in (more or {}).items() if (kinds or {}).get(i) == TokenKind.SPECIAL}
    added = {piece.decode(): i for i, piece in (more or {}).items() if (kinds or {}).get(i) == TokenKind.ADDED}
    return ByteLevelTokenizer("test", "test", "", vocabulary, compile_pattern(pattern), merges=table,
                              special_tokens=special, added_tokens=added)
