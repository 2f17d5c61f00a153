"""The "model" of a tokenizer.json -> a model of core/pipeline, every number and name checked."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from ..core.errors import InputError
from ..core.merge_lookup import WrittenMerges
from ..core.pipeline.fields import Fields
from ..core.pipeline.models.base import Model
from ..core.pipeline.models.bpe import BPE
from ..core.pipeline.models.unigram import Unigram
from ..core.pipeline.models.wordpiece import WordLevel, WordPiece

LARGEST_ID = (1 << 32) - 1
#: So few merges are looked up one by one.
FEW = 512


def make_model(f: Fields, warnings: list[str]) -> Model:
    kind = f.value.get("type")
    if kind is None:
        kind = _inferred(f)
        warnings.append(f"the model's type is not in the file: {kind} is inferred, as the library does")
    if not isinstance(kind, str) or kind not in MODELS:
        raise InputError(f"{kind!r} is no model of tokenizers 0.23", where="model.type",
                         todo=f"known are {', '.join(MODELS)}")
    return MODELS[kind](f, warnings)


def any_model(f: Fields) -> Model:
    """A model for the sake of its tables alone, of whatever type it says it is: by the type where that is known, else
    by what the "vocab" is. InputError: there is no vocabulary in it that can be read."""
    kind = f.value.get("type")
    if kind is None or (isinstance(kind, str) and kind in MODELS):
        return make_model(f, [])
    vocab = f.value.get("vocab")
    if not vocab:
        raise InputError("there is no vocabulary in the model", where=f.where)
    if isinstance(vocab, list):
        return _unigram(Fields({"vocab": vocab}, f.where), [])
    if isinstance(f.value.get("merges"), (list, WrittenMerges)):
        return BPE(vocabulary(f), merges_of(f))
    return WordLevel(vocabulary(f), "")


def _inferred(f: Fields) -> str:
    keys = f.value.keys()
    if {"vocab", "merges"} <= keys:
        return "BPE"
    if isinstance(f.value.get("vocab"), list):
        return "Unigram"
    if {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"} <= keys:
        return "WordPiece"
    if {"unk_token", "vocab"} <= keys:
        return "WordLevel"
    raise InputError("the model has no type and none can be told from its keys", where=f.where)


def vocabulary(f: Fields) -> dict[str, int]:
    """token -> id. InputError names the token whose id is no whole number from 0 to 4294967295."""
    vocab: dict[str, Any] = f.get("vocab", dict)
    if vocab and not _all_ids(vocab):
        for token, token_id in vocab.items():
            if type(token_id) is not int:
                raise InputError(f"the id of {token!r} is {token_id!r}, not a whole number", where="model.vocab")
            if not 0 <= token_id <= LARGEST_ID:
                raise InputError(f"the id of {token!r} is {token_id}, not between 0 and 4294967295",
                                 where="model.vocab")
    return vocab


def _all_ids(vocab: dict[str, Any]) -> bool:
    if set(map(type, vocab.values())) != {int}:
        return False
    try:
        ids = np.fromiter(vocab.values(), np.int64, len(vocab))
    except OverflowError:
        return False
    return int(ids.min()) >= 0 and int(ids.max()) <= LARGEST_ID


def merges_of(f: Fields) -> list[Any] | WrittenMerges:
    """(left, right) of every merge, from pairs or from "left right" strings; never a mixture."""
    if isinstance(f.value.get("merges"), WrittenMerges):
        return f.get("merges", WrittenMerges)
    merges = f.get("merges", list)
    kinds = set(map(type, merges))
    if kinds == {str}:
        merges = [m for m in merges if not m.startswith("#version")]  # the first line of a merges.txt
    if len(merges) > FEW and kinds in ({str}, {list}):
        written = WrittenMerges.of_strings(merges) if kinds == {str} else WrittenMerges.of_pairs(merges)
        if written is not None:
            return written
    if kinds <= {str}:
        pairs = list(map(str.split, merges, repeat(" ")))
        if set(map(len, pairs)) <= {2}:
            return pairs
        for index, pair in enumerate(pairs):
            if len(pair) != 2:
                raise InputError(f"merge {index + 1} is {' '.join(pair)!r}: two tokens with one space between "
                                 "are expected", where=f"model.merges[{index}]",
                                 todo="tokens with spaces need the form [\"left\", \"right\"]")
        return pairs
    if kinds == {list}:
        if set(map(len, merges)) == {2}:
            return merges  # that both are strings is found when they are looked up
        index = next(i for i, p in enumerate(merges) if len(p) != 2)
        raise InputError(f"merge {index + 1} is {merges[index]!r}, not two tokens", where=f"model.merges[{index}]")
    index = next((i for i, m in enumerate(merges) if type(m) is not type(merges[0])), 0)
    raise InputError(f"merge {index + 1} is not written as the first one is: strings and pairs are mixed",
                     where=f"model.merges[{index}]", todo="the library refuses it too")


def _bpe(f: Fields, warnings: list[str]) -> Model:
    dropout = f.value.get("dropout")
    if dropout:
        if not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
            raise InputError(f"dropout is {dropout!r}, not between 0 and 1", where=f.where)
        warnings.append(f"the model asks for BPE dropout of {dropout:g}: it is not applied, ids here are those without")
    return BPE(vocabulary(f), merges_of(f), unk_token=f.optional("unk_token", str),
               fuse_unk=f.optional("fuse_unk", bool) or False,
               byte_fallback=f.optional("byte_fallback", bool) or False,
               ignore_merges=f.optional("ignore_merges", bool) or False,
               prefix=f.optional("continuing_subword_prefix", str) or "",
               suffix=f.optional("end_of_word_suffix", str) or "")


def _wordpiece(f: Fields, warnings: list[str]) -> Model:
    return WordPiece(vocabulary(f), f.get("unk_token", str), f.get("continuing_subword_prefix", str),
                     f.get("max_input_chars_per_word", int))


def _wordlevel(f: Fields, warnings: list[str]) -> Model:
    return WordLevel(vocabulary(f), f.get("unk_token", str))


def _unigram(f: Fields, warnings: list[str]) -> Model:
    pieces = f.get("vocab", list)
    unknown = f.optional("unk_id", int)
    if unknown is not None and not 0 <= unknown < len(pieces):
        raise InputError(f"unk_id is {unknown} and there are {len(pieces):,} pieces", where="model.unk_id")
    for index, piece in enumerate(pieces):
        if not (type(piece) is list and len(piece) == 2 and type(piece[0]) is str and type(piece[1]) in (float, int)):
            raise InputError(f"piece {index} is {piece!r}, not a spelling and a score", where=f"model.vocab[{index}]")
    return Unigram(pieces, unknown, f.optional("byte_fallback", bool) or False)


MODELS = {"BPE": _bpe, "WordPiece": _wordpiece, "WordLevel": _wordlevel, "Unigram": _unigram}
