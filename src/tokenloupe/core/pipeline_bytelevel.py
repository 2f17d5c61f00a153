"""A tokenizer.json whose pipeline is pre-tokens and byte-level BPE and nothing else, run by the byte-level engine.

    >>> tokenizer = tokenloupe.load("llama3/tokenizer.json")
    >>> tokenizer.pipeline.stages()

The stages themselves are those of `PipelineTokenizer`, which stays inside: it finds the added tokens, cuts bytes that
are no UTF-8 (an invalid byte is one character of its own), decodes, and explains losses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from .byte_letters import letters_of
from .bytelevel import ByteLevelTokenizer
from .bytemap import SPELL
from .pattern import Splitter
from .pipeline.added import AddedTokens
from .pipeline.aligned import Aligned
from .pipeline.losses import explain_losses
from .pipeline.models.bpe import BPE
from .pipeline.pretokenizers import ByteLevel, CharSplit, Metaspace, Pieces, Split
from .pipeline_tokenizer import PipelineTokenizer, Sections, Stages
from .tokenizer import Encoding, SpecialMode
from .vocabulary import Int64s, Vocabulary


class StageSplitter(Splitter):
    """The cutting stages of a pipeline as a Splitter: what they remove is in no span."""

    def __init__(self, pipeline: PipelineTokenizer) -> None:
        self.pattern, self.engine = " > ".join(p.name for p in pipeline.parts.pre_tokenizers), "oniguruma"
        self.pipeline = pipeline

    @property
    def stages(self) -> list[Splitter] | None:
        *before, last = self.pipeline.parts.pre_tokenizers
        assert isinstance(last, ByteLevel)
        found: list[Splitter] = []
        for stage in [*before, last.splitting] if last.use_regex else before:
            if isinstance(stage, CharSplit):
                continue  # two characters alone decide on a boundary between them
            if not isinstance(stage, Split) or stage.behavior not in ("Isolated", "Removed") \
                    or stage.pattern.may_be_empty or stage.pattern.splitter is None:
                return None
            found.append(stage.pattern.splitter)
        return found or None

    def spans(self, data: bytes) -> tuple[Int64s, Int64s]:
        text = Aligned.of(data, keep_invalid=True)
        pieces = self.pipeline.cut(Pieces.whole(text))
        if not len(pieces.starts):
            return pieces.starts, pieces.ends
        return text.starts[pieces.starts], text.ends[pieces.ends - 1]

    def ends(self, data: bytes) -> Int64s:
        return self.spans(data)[1]


class AddedMatcher:
    """The added tokens of a pipeline without normalizers, as byte ranges."""

    def __init__(self, pipeline: PipelineTokenizer) -> None:
        self.pipeline = pipeline

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        added = self.pipeline.added
        if not added.raw.ids and not added.normalized.ids:
            return []
        found = self.pipeline.sections(data, special)
        given = np.flatnonzero(found.ids >= 0)
        starts, ends = found.text.starts[found.starts[given]], found.text.ends[found.ends[given] - 1]
        return list(zip(starts.tolist(), ends.tolist(), found.ids[given].tolist(), strict=True))


class PipelineByteLevelTokenizer(ByteLevelTokenizer):
    """pipeline: the same tokenizer stage by stage. The rest is as PipelineTokenizer has it."""

    broken_utf8: ClassVar[Literal["tail", "each"] | None] = "each"

    def __init__(self, pipeline: PipelineTokenizer, splitter: Splitter) -> None:
        # ByteLevelTokenizer's own constructor wants the vocabulary at once; here it is made when first asked for.
        model = pipeline.parts.model
        assert isinstance(model, BPE)
        self.pipeline = pipeline
        self.name, self.format, self.sha256 = pipeline.name, pipeline.format, pipeline.sha256
        self.warnings = pipeline.warnings
        self.special_tokens, self.added_tokens = pipeline.special_tokens, pipeline.added_tokens
        self.splitter, self.merges, self.ignore_merges = splitter, model.merges, model.ignore_merges
        self._own_matcher = False
        self.matcher = AddedMatcher(pipeline)
        #: Is what the pattern does not match removed?
        self._leaves_out = any(isinstance(p, Split) and p.behavior == "Removed" for p in pipeline.parts.pre_tokenizers)

    @cached_property
    def vocabulary(self) -> Vocabulary:  # type: ignore[override]
        return self.pipeline.vocabulary

    @property
    def parts(self) -> Stages:
        return self.pipeline.parts

    @property
    def added(self) -> AddedTokens:
        return self.pipeline.added

    @property
    def spellings(self) -> dict[int, str]:
        return self.pipeline.spellings

    def stages(self) -> list[tuple[str, str]]:
        return self.pipeline.stages()

    def sections(self, data: bytes, special: SpecialMode) -> Sections:
        return self.pipeline.sections(data, special)

    def pieces(self, sections: Sections) -> Pieces:
        return self.pipeline.pieces(sections)

    def decode_text(self, ids: Sequence[int] | Int64s) -> str:
        return self.pipeline.decode_text(ids)

    def pre_tokens(self, data: bytes) -> tuple[Int64s, Int64s]:
        if isinstance(self.splitter, StageSplitter):
            return self.splitter.spans(data)
        try:
            if not data.isascii():
                data.decode("utf-8")
        except UnicodeDecodeError:
            return StageSplitter(self.pipeline).spans(data)
        starts, ends = self.splitter.spans(data)
        if int((ends - starts).sum()) == len(data) or self._leaves_out:
            return starts, ends
        # what the pattern does not match is a pre-token too
        edges = np.unique(np.concatenate(([0], starts, ends, [len(data)])))
        return edges[:-1], edges[1:]

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        """All sections between added tokens at once: some files have hundreds of tokens that any text matches."""
        added = self.added
        found = None
        if added.raw.ids or added.normalized.ids:
            found = self.pipeline.sections(data, special)
        if found is None or len(found.ids) < 2:
            if found is not None and len(found.ids) and found.ids[0] >= 0:
                ids, starts, ends = found.ids, np.zeros(1, np.int64), np.array([len(data)], np.int64)
            else:
                begins, stops = self.pre_tokens(data)
                made = self.encode_pieces(data, stops, begins)
                ids, starts, ends = made.ids, made.starts, made.ends
        else:
            text = found.text
            pieces = self.pipeline.pieces(found)
            begins, stops = pieces.starts, pieces.ends
            if len(begins):
                begins, stops = text.starts[begins], text.ends[stops - 1]
            made = self.encode_pieces(data, stops, begins)
            given = np.flatnonzero(found.ids >= 0)
            order = np.argsort(np.concatenate((np.repeat(pieces.owners, made.counts), given)), kind="stable")
            ids = np.concatenate((made.ids, found.ids[given]))[order]
            starts = np.concatenate((made.starts, text.starts[found.starts[given]]))[order]
            ends = np.concatenate((made.ends, text.ends[found.ends[given] - 1]))[order]
        if bos_eos:
            ids, starts, ends = self.pipeline.around(ids, starts, ends, len(data))
        return Encoding(data, ids, starts, ends, self.pipeline.kinds_of(ids), self.vocabulary)

    def judged(self, made: Encoding, special: SpecialMode) -> Encoding:
        decoded = self.decode(made.ids)
        if decoded == made.data:
            return replace(made, exact=True, lost=())
        return replace(made, exact=False, lost=explain_losses(self.pipeline, made, decoded, "parse"))


def with_engine(pipeline: PipelineTokenizer,
                exact: bool | None = None) -> PipelineTokenizer | PipelineByteLevelTokenizer:
    """The same tokenizer on the byte-level engine where that is exact (looked into when not known), else the pipeline
    itself."""
    if not (engine_is_exact(pipeline) if exact is None else exact):
        return pipeline
    return PipelineByteLevelTokenizer(pipeline, _splitter(pipeline))


def engine_is_exact(pipeline: PipelineTokenizer) -> bool:
    model, last = pipeline.parts.model, pipeline.parts.pre_tokenizers[-1] if pipeline.parts.pre_tokenizers else None
    decoders = pipeline.parts.decoders
    if not (isinstance(model, BPE) and isinstance(last, ByteLevel) and not pipeline.parts.normalizers):
        return False
    if any(isinstance(p, (ByteLevel, Metaspace)) for p in pipeline.parts.pre_tokenizers[:-1]):
        return False  # a stage that changes the text
    if last.add_prefix_space or decoders is None or [d.name for d in decoders] != ["ByteLevel"]:
        return False
    if model.prefix or model.suffix or model.byte_fallback:
        return False
    if model.unk_token is not None and not all(c in model.vocab for c in SPELL.values()):
        return False
    given = np.fromiter(pipeline.added.by_id, np.int64)
    parts = (model.merges.left, model.merges.right, model.merges.result)
    if any(bool(np.isin(part, given).any()) for part in parts) or any(
        model.vocab.get(c) in pipeline.added.by_id for c in SPELL.values()
    ):
        return False
    if model.ignore_merges:
        # A whole pre-token is looked up: no entry may be spelled otherwise than in byte-map characters, and no added
        # token in them.
        spelled_otherwise = np.zeros(len(model.vocab), np.bool_)
        spelled_otherwise[letters_of(list(model.vocab))[2]] = True
        ids = np.fromiter(model.vocab.values(), np.int64, len(model.vocab))
        return bool((spelled_otherwise == np.isin(ids, given)).all())
    return True


def _splitter(pipeline: PipelineTokenizer) -> Splitter:
    """The pattern's own Splitter where one pattern does all the cutting (a document under edit knows those)."""
    *before, last = pipeline.parts.pre_tokenizers
    assert isinstance(last, ByteLevel)
    split: Split | None = None
    if last.use_regex and not before:
        split = last.splitting
    elif not last.use_regex and len(before) == 1 and isinstance(before[0], Split):
        split = before[0]
    # Matches are pieces, and what is not matched is, too, or is removed.
    if split is not None and (split.behavior == "Isolated" or (split.behavior == "Removed" and split.invert)) \
            and not split.pattern.may_be_empty:
        return split.pattern.splitter or StageSplitter(pipeline)
    return StageSplitter(pipeline)
