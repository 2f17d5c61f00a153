"""What a merge table starts from: the symbols a text is cut into before any merge, and sizes that add up over merges.

    >>> symbols_of(None, Vocabulary.build([(0, b"a"), (1, b"ab")])).tolist()
    [True, False]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bytelevel import ByteLevelTokenizer
from .tokenizer import Tokenizer
from .vocabulary import Int64s, TokenKind, Vocabulary


def symbols_of(tokenizer: Tokenizer | None, vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """bool (n,): the tokens that a pre-token is cut into before any merge: bytes in byte-level models, else characters
    (with the mark of a word's end, or of a word's inside, where the model has one) and byte pieces."""
    if _of_bytes(tokenizer):
        return np.asarray(np.diff(vocabulary.offsets) == 1)
    prefix, suffix = _marks(tokenizer)
    blob, offsets = _spelled(vocabulary)
    # Characters of each spelling: bytes that continue none.
    begun = np.zeros(len(blob) + 1, np.int32)
    np.cumsum((np.frombuffer(blob, np.uint8) & 0xC0) != 0x80, out=begun[1:])
    characters = np.diff(begun[offsets])
    out: NDArray[np.bool_] = (vocabulary.kinds == TokenKind.BYTE) | (characters == 1) | (np.diff(offsets) == 1)
    if prefix or suffix:
        most = 1 + len(prefix) + len(suffix)
        for row in np.flatnonzero((characters > 1) & (characters <= most)).tolist():
            out[row] |= len(vocabulary.raw_at(row).removeprefix(prefix).removesuffix(suffix)) == 1
    return out


def sizes_of(tokenizer: Tokenizer | None, vocabulary: Vocabulary) -> Int64s:
    """int64 (n,): sizes of the tokens of which a merge's result has the sum: bytes of what is spelled, the mark of a
    word's inside apart, which goes with the merge. (What they decode to need not add up.)"""
    if _of_bytes(tokenizer):
        return np.diff(vocabulary.offsets)
    blob, offsets = _spelled(vocabulary)
    sizes = np.diff(offsets)
    mark = _marks(tokenizer)[0].encode()
    if mark:
        text, there = np.frombuffer(blob, np.uint8), sizes >= len(mark)
        for i, byte in enumerate(mark):
            there[there] = text[offsets[:-1][there] + i] == byte
        sizes[there] -= len(mark)
    return sizes


def _of_bytes(tokenizer: Tokenizer | None) -> bool:
    return tokenizer is None or isinstance(tokenizer, ByteLevelTokenizer)


def _spelled(vocabulary: Vocabulary) -> tuple[bytes, Int64s]:
    if vocabulary.raw_blob is None or vocabulary.raw_offsets is None:
        return vocabulary.blob, vocabulary.offsets
    return vocabulary.raw_blob, vocabulary.raw_offsets


def _marks(tokenizer: Tokenizer | None) -> tuple[str, str]:
    """The marks of a word's inside and of its end."""
    from .pipeline.models.bpe import BPE  # late: a vocabulary of another kind needs none of these
    from .pipeline_tokenizer import PipelineTokenizer

    if isinstance(tokenizer, PipelineTokenizer) and isinstance(tokenizer.parts.model, BPE):
        return tokenizer.parts.model.prefix, tokenizer.parts.model.suffix
    return "", ""
