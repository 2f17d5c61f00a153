"""A GGUF vocabulary <-> what the cache keeps of it: those on the byte-level engine, BPE of spellings, SPM, unigram,
WordPiece and RWKV.

    kept = freeze(tokenizer)                # None: of another model, which is not kept
    tokenizer = thaw(kept, "model.gguf")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.byte_letters import texts_of, utf8_of
from ..core.llamacpp import LlamaEnds, LlamaModel, LlamaTokenizer
from ..core.llamacpp_bpe import LlamaByteLevel, SymbolBpe
from ..core.llamacpp_marks import Mark, Marks
from ..core.llamacpp_models import RwkvModel, SpmModel, UgmModel, WordPieceModel
from ..core.llamacpp_split import LlamaSplitter, splitter
from ..core.precompiled import Precompiled
from ..core.sp_pieces import PieceTable
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import Int64s, Vocabulary, join_bytes, split_bytes
from .cache_file import Stored
from .stored import Arrays, get_vocabulary, give_slots, narrow, put_slots, put_vocabulary, wide


def freeze(tokenizer: Tokenizer) -> Stored | None:
    if type(tokenizer) is LlamaTokenizer:
        kept = _put_model(tokenizer)
        if kept is None:
            return None
        meta = _common(tokenizer.sha256, tokenizer.marks.marks, tokenizer.ends, tokenizer.warnings, tokenizer.extra)
        return Stored(meta | kept[0], put_vocabulary(tokenizer.vocabulary) | kept[1])
    if type(tokenizer) is not LlamaByteLevel or not isinstance(tokenizer.splitter, LlamaSplitter):
        return None
    found = getattr(tokenizer.matcher, "marks", None)  # of one matcher its Marks, of Marks themselves the list
    marks = found.marks if isinstance(found, Marks) else found
    if marks is None or tokenizer.merges is not tokenizer.vocabulary.merges:
        return None
    meta = _common(tokenizer.sha256, marks, tokenizer.ends, tokenizer.warnings, tokenizer.extra) | {
        "kind": "bytes", "group": tokenizer.splitter.group, "ignore_merges": tokenizer.ignore_merges,
        "clean_spaces": tokenizer.clean_spaces,
    }
    return Stored(meta, put_vocabulary(tokenizer.vocabulary) | put_slots(tokenizer))


def _common(sha256: str, marks: Sequence[Mark | tuple[bytes, int, bool]], ends: LlamaEnds, warnings: Sequence[str],
            extra: dict[str, str]) -> dict[str, Any]:
    each = [m if isinstance(m, Mark) else Mark(*m) for m in marks]
    return {"sha256": sha256, "marks": [(m.text.decode("latin-1"), m.id, m.only_parsed, m.lstrip, m.rstrip)
                                        for m in each],
            "before": ends.before, "after": ends.after, "warnings": list(warnings), "extra": extra}


def _put_model(tokenizer: LlamaTokenizer) -> tuple[dict[str, Any], Arrays] | None:
    model = tokenizer.model
    if type(model) is SpmModel:
        return {"kind": "spm", "bytes": model.pieces.byte_tokens, "add_space_prefix": model.add_space_prefix}, {}
    if type(model) is UgmModel:
        return _put_unigram(model)
    if type(model) is WordPieceModel:
        return {"kind": "words", "model": {"unk_id": model.unk_id, "lowercase": model.lowercase,
                                           "strip_accents": model.strip_accents}}, {}
    if type(model) is RwkvModel:
        return {"kind": "trie", "unk_id": model.unk_id}, {}
    if type(model) is not SymbolBpe:
        return None
    arrays: Arrays = {}
    for side, texts in zip(("left", "right"), model.listed(), strict=True):
        blob, offsets = _joined(texts)
        arrays |= {f"{side}_parts": np.frombuffer(blob, np.uint8), f"{side}_edges": narrow(offsets)}
    return {"kind": "symbols", "group": model.splitter.group, "model": {
        "byte_letters": model.byte_letters, "escape_spaces": model.escape_spaces, "ignore_merges": model.ignore_merges,
        "clean_spaces": model.clean_spaces, "whole_newlines": model.whole_newlines}}, arrays


def _joined(texts: list[str]) -> tuple[bytes, Int64s]:
    """In UTF-8, all at once where no text holds a byte that is none."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return join_bytes([t.encode("utf-8", "surrogateescape") for t in texts])
    return utf8_of(texts)


def _put_unigram(model: UgmModel) -> tuple[dict[str, Any], Arrays]:
    """A table's kinds and scores are not the vocabulary's: they say what may be matched and what it counts."""
    table = model.table
    rules = b"" if model.rules is None else model.rules.blob
    arrays: Arrays = {"piece_kinds": table.kinds, "piece_scores": table.scores,
                      "normal_scores": model.normal_scores, "rules": np.frombuffer(rules, np.uint8)}
    return {"kind": "unigram", "unk_id": table.unk_id, "model": {
        "add_space_prefix": model.add_space_prefix, "remove_extra_whitespaces": model.merge_spaces}}, arrays


def thaw(kept: Stored, name: str) -> LlamaByteLevel | LlamaTokenizer:
    meta = kept.meta
    vocabulary = get_vocabulary(kept.arrays)
    marks = Marks([Mark(text.encode("latin-1"), *rest) for text, *rest in meta["marks"]])
    ends = LlamaEnds(tuple(meta["before"]), tuple(meta["after"]))
    if meta["kind"] != "bytes":
        model = _MODELS[meta["kind"]](meta, kept.arrays, vocabulary)
        return LlamaTokenizer(name, meta["sha256"], vocabulary, model, marks, ends, tuple(meta["warnings"]),
                              meta["extra"])
    if vocabulary.merges is None:
        raise ValueError("merges")
    made = LlamaByteLevel(
        name, meta["sha256"], vocabulary, splitter(meta["group"]), vocabulary.merges, marks, ends,
        ignore_merges=meta["ignore_merges"], clean_spaces=meta["clean_spaces"], warnings=meta["warnings"],
        extra=meta["extra"],
    )
    give_slots(made, kept.arrays)
    return made


def _texts(vocabulary: Vocabulary) -> list[str]:
    assert vocabulary.raw_blob is not None and vocabulary.raw_offsets is not None
    return texts_of(split_bytes(vocabulary.raw_blob, vocabulary.raw_offsets))


def _spm(meta: dict[str, Any], arrays: Arrays, vocabulary: Vocabulary) -> SpmModel:
    if vocabulary.scores is None or len(meta["bytes"]) != 256:
        raise ValueError("scores")
    kinds, scores = np.zeros(len(vocabulary), np.uint8), vocabulary.scores + np.float32(0.0)
    return SpmModel(PieceTable(lambda: _texts(vocabulary), kinds, scores), meta["bytes"],
                    add_space_prefix=meta["add_space_prefix"])


def _symbols(meta: dict[str, Any], arrays: Arrays, vocabulary: Vocabulary) -> SymbolBpe:
    sides = [(arrays[f"{side}_parts"].tobytes(), wide(arrays, f"{side}_edges")) for side in ("left", "right")]
    if len(sides[0][1]) != len(sides[1][1]):
        raise ValueError("merges")

    def merges() -> tuple[list[str], list[str]]:
        left, right = (texts_of(split_bytes(*side)) for side in sides)
        return left, right

    return SymbolBpe(lambda: _texts(vocabulary), merges, splitter(meta["group"]), **meta["model"])


def _unigram(meta: dict[str, Any], arrays: Arrays, vocabulary: Vocabulary) -> UgmModel:
    kinds, scores = arrays["piece_kinds"], arrays["piece_scores"]
    if not len(kinds) == len(scores) == len(vocabulary):
        raise ValueError("pieces")
    table = PieceTable(lambda: _texts(vocabulary), kinds, scores)
    table.unk_id = meta["unk_id"]
    rules = arrays["rules"].tobytes()
    return UgmModel(table, arrays["normal_scores"], Precompiled(rules) if rules else None, **meta["model"])


def _words(meta: dict[str, Any], arrays: Arrays, vocabulary: Vocabulary) -> WordPieceModel:
    texts = _texts(vocabulary)
    return WordPieceModel(dict(zip(texts, range(len(texts)), strict=True)), **meta["model"])


def _trie(meta: dict[str, Any], arrays: Arrays, vocabulary: Vocabulary) -> RwkvModel:
    tokens = split_bytes(vocabulary.blob, vocabulary.offsets)
    return RwkvModel({t: i for i, t in enumerate(tokens) if t}, meta["unk_id"])


_MODELS: dict[str, Callable[[dict[str, Any], Arrays, Vocabulary], LlamaModel]] = {
    "spm": _spm, "symbols": _symbols, "unigram": _unigram, "words": _words, "trie": _trie,
}  # fmt: skip
