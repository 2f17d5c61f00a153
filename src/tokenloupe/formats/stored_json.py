"""A tokenizer.json <-> what the cache keeps of it: its JSON without the two large tables, and arrays.

    kept = freeze(tokenizer, without_tables(value))
    tokenizer = thaw(kept, name, sha256, stages.of, normalized)

The stages are made of their JSON as when the file is parsed: they are small.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from ..core.pipeline.added import AddedToken, AddedTokens
from ..core.pipeline.decoders import Literal
from ..core.pipeline.models.base import Model
from ..core.pipeline.models.bpe import BPE
from ..core.pipeline.models.bpe_stored import StoredBPE, cutter_of, single_characters
from ..core.pipeline.models.plain_stored import StoredUnigram, StoredWordLevel, StoredWordPiece
from ..core.pipeline.models.unigram import Unigram
from ..core.pipeline.models.wordpiece import WordLevel, WordPiece
from ..core.pipeline.postprocessors import Template
from ..core.pipeline_bytelevel import PipelineByteLevelTokenizer, with_engine
from ..core.pipeline_tokenizer import PipelineTokenizer, Stages
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import Int64s, Vocabulary
from .cache_file import Stored
from .stored import Arrays, get_vocabulary, give_slots, put_slots, put_vocabulary, wide

LARGE = ("model", "added_tokens")


def without_tables(value: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in value.items() if k not in LARGE}


def freeze(tokenizer: Tokenizer, root: dict[str, Any]) -> Stored | None:
    """root: the file's JSON without its tables. None for a model that is not kept."""
    engine = isinstance(tokenizer, PipelineByteLevelTokenizer)
    pipeline = tokenizer.pipeline if isinstance(tokenizer, PipelineByteLevelTokenizer) else tokenizer
    if not isinstance(pipeline, PipelineTokenizer):
        return None
    model, added, vocabulary = pipeline.parts.model, pipeline.added, pipeline.vocabulary
    kept = _put_model(model, engine)
    rows = None if kept is None else _rows_of(model, added, vocabulary)
    if kept is None or rows is None:
        return None
    about, tables = kept
    arrays = put_vocabulary(vocabulary) | {"rows": rows.astype(np.int32)} | tables
    if isinstance(tokenizer, PipelineByteLevelTokenizer):
        arrays |= put_slots(tokenizer)
    own = len(pipeline.warnings) - len(added.warnings)
    meta = {
        "root": root, "engine": engine, "kind": model.name, "warnings": list(pipeline.warnings[:own]),
        "template": list(pipeline.parts.template),
        "tokens": [(t.content, t.file_id, *t.flags[1:]) for t in added.listed],
        "known": {t.content: model.vocab[t.content] for t in added.listed if t.content in model.vocab},
        "model": about,
    }
    return Stored(meta, arrays)


def _put_model(model: Model, engine: bool) -> tuple[dict[str, Any], Arrays] | None:
    """(what JSON can say of a model, its arrays beside the vocabulary's); None for one that is not kept."""
    if type(model) is BPE:
        points, ids = single_characters(model)
        arrays: Arrays = {"single_points": points, "single_ids": ids}
        if not engine:
            arrays["pair_slots"] = model.pairs.table.slots
        return {"unk_token": model.unk_token, "unknown_id": model.unknown_id, "fuse_unk": model.fuse_unk,
                "byte_fallback": model.byte_fallback, "ignore_merges": model.ignore_merges, "prefix": model.prefix,
                "suffix": model.suffix, "bytes_": model.byte_ids, "cutter": "" if engine else cutter_of(model)}, arrays
    if type(model) is Unigram:
        return {"unknown_id": model.unknown_id, "byte_fallback": model.byte_fallback}, {"piece_scores": model.scores}
    if type(model) is WordPiece:
        return {"unk_token": model.unk_token, "unknown_id": model.unknown_id, "prefix": model.prefix,
                "limit": model.limit}, {}
    return ({"unk_token": model.unk_token, "unknown_id": model.unknown_id}, {}) if type(model) is WordLevel else None


def _get_model(kind: str, about: dict[str, Any], arrays: Arrays, vocabulary: Vocabulary, rows: Int64s) -> Model:
    def texts() -> list[str]:
        return spellings(vocabulary, rows)

    if kind == "Unigram":
        return StoredUnigram(texts, arrays["piece_scores"].astype(np.float64), **about)
    if kind == "WordPiece":
        return StoredWordPiece(texts, vocabulary.ids[rows], **about)
    if kind == "WordLevel":
        return StoredWordLevel(texts, vocabulary.ids[rows], **about)
    if vocabulary.merges is None:
        raise ValueError("merges")
    return StoredBPE(texts, vocabulary.ids[rows], vocabulary.merges, arrays["pair_slots"],
                     single=(wide(arrays, "single_points"), wide(arrays, "single_ids")), **about)


def _rows_of(model: Model, added: AddedTokens, vocabulary: Vocabulary) -> Int64s | None:
    """The vocabulary's rows that are the model's, in its order; None when its spellings are not all there."""
    if isinstance(model, Unigram):
        ids = np.arange(len(model.pieces))
    else:
        ids = np.fromiter(model.vocab.values(), np.int64, len(model.vocab))
    if not len(ids) or not bool(np.diff(np.sort(ids)).all()):
        return None
    own = ids[np.isin(ids, np.fromiter(added.spelled, np.int64, len(added.spelled)))].tolist()
    if any(model.vocab.get(added.spelled[i]) != i for i in own):
        return None
    return np.searchsorted(vocabulary.ids, ids)


def thaw(kept: Stored, name: str, sha256: str, stages: Callable[[Model, Template], Stages],
         normalized: Callable[[str], str]) -> Tokenizer:
    meta, arrays = kept.meta, kept.arrays
    vocabulary = get_vocabulary(arrays)
    rows = wide(arrays, "rows")
    engine: bool = meta["engine"]
    model = _get_model(meta["kind"], meta["model"], arrays, vocabulary, rows)
    added = AddedTokens([AddedToken(*t) for t in meta["tokens"]], meta["known"], len(rows), normalized)
    pipeline = PipelineTokenizer(name, sha256, stages(model, meta["template"]), added, meta["warnings"])
    pipeline.vocabulary = vocabulary
    pipeline.few_spellings = _one_spelling(vocabulary, added)
    made = with_engine(pipeline, engine)
    if isinstance(made, PipelineByteLevelTokenizer):
        give_slots(made, arrays)
    elif isinstance(model, BPE):
        _ = model.pairs
    return made


def _one_spelling(vocabulary: Vocabulary, added: AddedTokens) -> Callable[[int], str | None]:
    """What PipelineTokenizer.spellings has, for one id."""

    def get(token_id: int) -> str | None:
        row = vocabulary.row_of(token_id)
        if row is None:
            return None
        text = vocabulary.raw_at(row)
        return Literal(text) if token_id in added.spelled else text

    return get


def spellings(vocabulary: Vocabulary, rows: Int64s) -> list[str]:
    """The spelling of every row asked for."""
    assert vocabulary.raw_blob is not None and vocabulary.raw_offsets is not None
    data = np.frombuffer(vocabulary.raw_blob, np.uint8)
    # Offsets in characters: how many bytes before each are no continuation.
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum((data & 0xC0) != 0x80, dtype=np.int64)))
    edges = before[vocabulary.raw_offsets].tolist()
    text = vocabulary.raw_blob.decode("utf-8", "surrogatepass")
    every = list(map(text.__getitem__, map(slice, edges, chain(edges[1:]))))
    if len(rows) == len(every) and bool((np.diff(rows) == 1).all()):
        return every[: len(rows)]
    return list(map(every.__getitem__, rows.tolist()))
