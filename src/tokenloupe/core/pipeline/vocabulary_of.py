"""The Vocabulary of a pipeline: what each token decodes to, its kind, its spelling, the merges.

    >>> build_vocabulary(WordLevel({"a": 0}, "[UNK]"), AddedTokens([], {}, 0), None).bytes_of(0)
    b'a'
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..byte_letters import letters_of, utf8_of, with_rows
from ..vocabulary import Int64s, TokenKind, Vocabulary, join_bytes, split_bytes
from .added import AddedTokens
from .decoders import (
    ByteFallbackDecoder,
    ByteLevelDecoder,
    Decoder,
    Fuse,
    Literal,
    MetaspaceDecoder,
    ReplaceDecoder,
    StripDecoder,
)
from .models.base import Model
from .models.bpe import BPE
from .models.unigram import Unigram


def spelling_table(model: Model, added: AddedTokens) -> dict[int, str]:
    """id -> spelling; of two spellings with one id the model's later one, and an added token before both."""
    if isinstance(model, Unigram):
        table: dict[int, str] = dict(enumerate(s for s, _ in model.pieces))
    else:
        table = dict(zip(model.vocab.values(), model.vocab.keys(), strict=True))
    for token_id, text in added.spelled.items():
        table[token_id] = Literal(text)
    return table


def build_vocabulary(model: Model, added: AddedTokens, decoders: Sequence[Decoder] | None) -> Vocabulary:
    table = spelling_table(model, added)
    ids = np.fromiter(table.keys(), np.int64, len(table))
    spelled = list(table.values())
    if len(ids) > 1 and not bool((np.diff(ids) > 0).all()):
        order = np.argsort(ids, kind="stable")
        ids = ids[order]
        spelled = [spelled[i] for i in order.tolist()]
    kinds = np.zeros(len(ids), np.uint8)

    def mark(some: list[int], kind: TokenKind) -> None:
        rows = np.searchsorted(ids, np.array(some, np.int64))
        kinds[rows] = kind

    if any(isinstance(d, ByteFallbackDecoder) for d in decoders or ()):
        bytes_ = getattr(model, "byte_ids", [])
        mark([i for i in bytes_ if i is not None], TokenKind.BYTE)
    if model.unknown_id is not None and model.unknown_id in table:
        mark([model.unknown_id], TokenKind.UNKNOWN)
    mark([i for i, t in added.by_id.items() if t.content not in added.special], TokenKind.ADDED)
    mark([i for i, t in added.by_id.items() if t.content in added.special and i != model.unknown_id], TokenKind.SPECIAL)
    blob, offsets = _byte_level(spelled) if _is_byte_level(decoders) else join_bytes(decoded_bytes(spelled, decoders))
    raw_blob, raw_offsets = utf8_of(spelled)
    scores = None
    if isinstance(model, Unigram):
        scores = np.zeros(len(ids), np.float32)
        scores[np.searchsorted(ids, np.arange(len(model.pieces)))] = [score for _, score in model.pieces]
    ranks = merges = None
    if isinstance(model, BPE):
        merges = model.merges
        ranks = np.full(len(ids), -1, np.int64)
        rows = np.searchsorted(ids, merges.result[::-1])
        ranks[rows] = np.arange(len(merges) - 1, -1, -1)
    return Vocabulary(ids, blob, offsets, kinds, scores, ranks, merges, raw_blob, raw_offsets)


def decoded_bytes(spelled: Sequence[str], decoders: Sequence[Decoder] | None) -> list[bytes]:
    """What each token decodes to in the middle of a text."""
    if decoders is None or not decoders:
        return [s.encode("utf-8", "surrogatepass") for s in spelled]
    if _is_byte_level(decoders):
        return split_bytes(*_byte_level(spelled))
    texts = list(spelled)
    for step in decoders:
        texts = alone(step, texts)
    if all(map(str.isascii, texts)):
        return list(map(str.encode, texts))
    return [t.encode("utf-8", "surrogateescape") for t in texts]


def alone(step: Decoder, texts: list[str]) -> list[str]:
    """A decoder over every token by itself, the common ones without a call for each."""
    if isinstance(step, (Fuse, StripDecoder)):
        return texts
    if isinstance(step, ReplaceDecoder) and not step.pattern.is_regex and step.pattern.source:
        old, new = step.pattern.source, step.content
        return [t.replace(old, new) for t in texts]
    if isinstance(step, MetaspaceDecoder):
        return [t.replace(step.replacement, " ") for t in texts]
    if isinstance(step, ByteFallbackDecoder):
        return [step.alone(t) if len(t) == 6 and t.startswith("<0x") else t for t in texts]
    return list(map(step.alone, texts))


def _is_byte_level(decoders: Sequence[Decoder] | None) -> bool:
    return decoders is not None and [d.name for d in decoders] == ["ByteLevel"]


def _byte_level(spelled: Sequence[str]) -> tuple[bytes, Int64s]:
    """Through the byte map backwards, all at once; one by one where a spelling is no byte-map text."""
    blob, offsets, odd = letters_of(spelled)
    apart = [*odd, *(i for i, kind in enumerate(map(type, spelled)) if kind is not str)]
    raw = ByteLevelDecoder().raw
    return with_rows(blob, offsets, {i: raw(spelled[i]) for i in apart})
