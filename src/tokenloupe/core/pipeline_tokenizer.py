"""PipelineTokenizer: a tokenizer.json's stages in order, with true byte spans through all of them.

    added tokens -> normalizers -> added tokens in the normalized text -> pre-tokenizers -> model -> post-processor

    >>> tokenizer = tokenloupe.load("tokenizer.json")
    >>> [name for stage, name in tokenizer.stages()]

All sections between added tokens are one text with cut marks, so that a chat log with a thousand special tokens costs a
few array operations and not a thousand runs of the stages. The reference is `tokenizers` 0.23.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from .bytemap import to_text
from .pipeline.added import AddedTokens
from .pipeline.aligned import Aligned
from .pipeline.decoders import Decoder, Literal
from .pipeline.losses import explain_losses
from .pipeline.models.base import Model, Word
from .pipeline.models.bpe import BPE
from .pipeline.normalizers import Lowercase, Normalizer, Replace
from .pipeline.postprocessors import Template
from .pipeline.pretokenizers import ByteLevel, Pieces, PreTokenizer
from .pipeline.vocabulary_of import build_vocabulary, spelling_table
from .pipeline.word_table import Batch, WordTable
from .tokenizer import Encoding, SpecialMode, Tokenizer
from .vocabulary import Int64s, TokenKind, Vocabulary

#: Pre-tokens longer than this are cut where the model allows it, so that their parts can be remembered.
LONG_WORD = 48
#: Fewer ids than this are few: the table of all spellings takes as long to make as looking up so many.
FEW = 20_000


@dataclass(frozen=True)
class Stages:
    """What a tokenizer.json is made of. template: None where the text goes (see postprocessors.py)."""

    normalizers: Sequence[Normalizer]
    pre_tokenizers: Sequence[PreTokenizer]
    model: Model
    template: Template
    post_names: Sequence[str]
    decoders: Sequence[Decoder] | None


@dataclass(frozen=True, slots=True)
class Sections:
    """A normalized text cut at added tokens: characters starts:ends, ids -1 where the model works."""

    text: Aligned
    starts: Int64s
    ends: Int64s
    ids: Int64s


class PipelineTokenizer(Tokenizer):
    """format: "tokenizer.json". warnings: what the user should know of the file (dropout, ids that moved, ..)."""

    def __init__(self, name: str, sha256: str, stages_: Stages, added: AddedTokens, warnings: Iterable[str] = (),
                 file_format: str = "tokenizer.json") -> None:
        self.name, self.format, self.sha256 = name, file_format, sha256
        self.parts, self.added = stages_, added
        self.warnings = (*warnings, *added.warnings)
        self.special_tokens, self.added_tokens = added.texts(special=True), added.texts(special=False)
        pre = list(stages_.pre_tokenizers)
        last = pre[-1] if pre else None
        #: The byte map runs a word at a time when it is the last stage.
        self._bytes_last = last if isinstance(last, ByteLevel) else None
        self._cuts = pre[:-1] if isinstance(last, ByteLevel) else pre
        self._keep_invalid = not stages_.normalizers and self._bytes_last is not None
        if self._bytes_last is not None:
            self._words = WordTable(self._byte_word, self._byte_batch if isinstance(stages_.model, BPE) else None)
        else:
            model = stages_.model
            self._words = WordTable(model.word, getattr(model, "batch", None), model.batched_from)

    @cached_property
    def vocabulary(self) -> Vocabulary:  # type: ignore[override]
        return build_vocabulary(self.parts.model, self.added, self.parts.decoders)

    #: One spelling at a time, where the table of all of them need not be made for a few.
    few_spellings: Callable[[int], str | None] | None = None

    @cached_property
    def spellings(self) -> dict[int, str]:
        """id -> spelling in the file; an added token's is a Literal."""
        return spelling_table(self.parts.model, self.added)

    def stages(self) -> list[tuple[str, str]]:
        """(stage, name) in the order in which a text goes through them, decoders last."""
        parts = self.parts
        return [("added tokens", "before normalization"),
                *(("normalizer", n.name) for n in parts.normalizers),
                *((("added tokens", "after normalization"),) if self.added.normalized.ids else ()),
                *(("pre-tokenizer", p.name) for p in parts.pre_tokenizers),
                ("model", parts.model.name),
                *(("post-processor", n) for n in parts.post_names),
                *(("decoder", d.name) for d in parts.decoders or ())]

    # -- text to sections --------------------------------------------------------------------------------------

    def normalize(self, text: Aligned) -> Aligned:
        for stage in self.parts.normalizers:
            text = stage.apply(text)
        return text

    def sections(self, data: bytes, special: SpecialMode) -> Sections:
        allow = None if special == "parse" else frozenset() if special == "text" else special
        assert not isinstance(allow, str)
        raw = Aligned.of(data, keep_invalid=self._keep_invalid)
        found = self.added.table(raw.text, self.added.raw, allow)
        if all(_keeps_length(n) for n in self.parts.normalizers):
            text = self.normalize(raw)
            if len(text) == len(raw):
                return self._sections_of(text, found, allow)
        texts = [raw.sub(a, b) if i >= 0 else self.normalize(raw.sub(a, b)) for a, b, i in found.tolist()]
        if not texts:
            return self._sections_of(raw, found, allow)
        joined = Aligned("".join(t.text for t in texts), np.concatenate([t.starts for t in texts]),
                         np.concatenate([t.ends for t in texts]), texts[0].shifted)
        edges = np.cumsum([0, *(len(t) for t in texts)])
        return self._sections_of(joined, np.column_stack([edges[:-1], edges[1:], found[:, 2]]), allow)

    def _sections_of(self, text: Aligned, table: Int64s, allow: frozenset[str] | None) -> Sections:
        """table: as AddedTokens.table has it."""
        if self.added.normalized.ids:
            found = [(a + s, a + e, token) if i < 0 else (a, b, i) for a, b, i in table.tolist()
                     for s, e, token in (self.added.find(text.text[a:b], self.added.normalized, allow)
                                         if i < 0 else [(0, 0, 0)])]
            table = np.array(found, np.int64).reshape(-1, 3)
        table = table[table[:, 1] > table[:, 0]]
        return Sections(text, *np.ascontiguousarray(table.T))

    def pieces(self, sections: Sections) -> Pieces:
        """The pre-tokens: all stages but a last byte map."""
        own = np.flatnonzero(sections.ids < 0)
        return self.cut(Pieces(sections.text, sections.starts[own], sections.ends[own], own))

    def cut(self, pieces: Pieces) -> Pieces:
        """Every pre-tokenizer stage but a last byte map."""
        for stage in self._cuts:
            pieces = stage.run(pieces)
        return self._bytes_last.cut(pieces) if self._bytes_last is not None else pieces

    # -- pieces to tokens --------------------------------------------------------------------------------------

    def _byte_word(self, word: str) -> Word:
        spelled = to_text(word.encode("utf-8", "surrogateescape"))
        ids, lows, highs = self.parts.model.word(spelled)
        if spelled.isascii():
            return ids, lows, highs
        index = {0: 0}  # byte offset in the UTF-8 of the spelled word -> which byte of the word
        at = 0
        for number, char in enumerate(spelled, 1):
            at += 1 if char < "\x80" else 2
            index[at] = number
        return ids, [_nearest(index, x) for x in lows], [_nearest(index, x) for x in highs]

    def _byte_batch(self, words: list[str]) -> Batch | None:
        assert isinstance(self.parts.model, BPE)
        return self.parts.model.batch([to_text(w.encode("utf-8", "surrogateescape")) for w in words], by_character=True)

    def dropped(self, word: str) -> list[tuple[int, int]]:
        """Character ranges of a pre-token that the model gives no token for."""
        if self._bytes_last is None:
            return _covering(word, self.parts.model.dropped(word))
        spelled = to_text(word.encode("utf-8", "surrogateescape"))  # a character a byte
        return _covering(word, _covering(spelled, self.parts.model.dropped(spelled)))

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        sections = self.sections(data, special)
        pieces = self.pieces(sections)
        words, char_starts, owners = self._parts(pieces)
        ids, lows, highs, counts = self._words.encode(words)
        text = pieces.text
        edges = text.byte_edges()
        shift = np.repeat(edges.take(char_starts), counts)
        starts, ends = text.behind(lows + shift, highs + shift, edges)
        given = np.flatnonzero(sections.ids >= 0)
        if len(given):
            whole = sections.text
            order = np.argsort(np.concatenate((np.repeat(owners, counts), given)), kind="stable")
            ids = np.concatenate((ids, sections.ids[given]))[order]
            starts = np.concatenate((starts, whole.starts[sections.starts[given]]))[order]
            ends = np.concatenate((ends, whole.ends[sections.ends[given] - 1]))[order]
        if bos_eos:
            ids, starts, ends = self.around(ids, starts, ends, len(data))
        return Encoding(data, ids, starts, ends, self.kinds_of(ids), self.vocabulary)

    def model_ids(self, pieces: Pieces) -> tuple[Int64s, Int64s]:
        """(ids, owners): the tokens of pre-tokens, and the section of each."""
        words, _, owners = self._parts(pieces)
        ids, _, _, counts = self._words.encode(words)
        return ids, np.repeat(owners, counts)

    def _parts(self, pieces: Pieces) -> tuple[list[str], Int64s, Int64s]:
        """(words, first character of each, section of each): long pieces cut where the model does not mind."""
        words, starts, owners = pieces.texts(), pieces.starts, pieces.owners
        if self._bytes_last is not None or not len(starts) or int((pieces.ends - starts).max()) <= LONG_WORD:
            return words, starts, owners
        out: list[str] = []
        numbers: list[int] = []
        for word in words:
            parts = self.parts.model.segments(word) if len(word) > LONG_WORD else None
            if parts is None:
                out.append(word)
                numbers.append(1)
            else:
                out += parts
                numbers.append(len(parts))
        counts = np.array(numbers, np.int64)
        lengths = np.fromiter(map(len, out), np.int64, len(out))
        first = np.cumsum(counts) - counts
        inside = np.cumsum(lengths) - lengths
        begins = np.repeat(starts - inside[first], counts) + inside
        return out, begins, np.repeat(owners, counts)

    def around(self, ids: Int64s, starts: Int64s, ends: Int64s, size: int) -> tuple[Int64s, Int64s, Int64s]:
        """The post-processor's tokens: zero width at the start, or at the end after the text."""
        template = self.parts.template
        first = template.index(None) if None in template else len(template)
        parts_ids: list[Int64s] = []
        parts_starts: list[Int64s] = []
        parts_ends: list[Int64s] = []
        for at, item in enumerate(template):
            if item is None:
                parts_ids.append(ids)
                parts_starts.append(starts)
                parts_ends.append(ends)
                continue
            edge = np.array([size if at > first else 0], np.int64)
            parts_ids.append(np.array([item], np.int64))
            parts_starts.append(edge)
            parts_ends.append(edge)
        none = [np.zeros(0, np.int64)]
        return (np.concatenate(parts_ids or none), np.concatenate(parts_starts or none),
                np.concatenate(parts_ends or none))

    def kinds_of(self, ids: Int64s) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        vocabulary = self.vocabulary
        if vocabulary.dense and len(ids) and int(ids.max()) < len(vocabulary):
            return vocabulary.kinds[ids]
        rows = np.searchsorted(vocabulary.ids, ids)
        inside = rows < len(vocabulary)
        inside[inside] = vocabulary.ids[rows[inside]] == ids[inside]
        kinds = np.full(len(ids), TokenKind.SPECIAL, np.uint8)  # the post-processor may name ids that nothing else has
        kinds[inside] = vocabulary.kinds[rows[inside]]
        return kinds

    def judged(self, made: Encoding, special: SpecialMode) -> Encoding:
        decoded = self.decode(made.ids)
        if decoded == made.data:
            return replace(made, exact=True, lost=())
        return replace(made, exact=False, lost=explain_losses(self, made, decoded, special))

    # -- tokens to text ----------------------------------------------------------------------------------------

    def decode_text(self, ids: Sequence[int] | Int64s) -> str:
        """The decoded text, with a byte that is no UTF-8 as U+DC00 + byte."""
        few = self.few_spellings if len(ids) < FEW and "spellings" not in self.__dict__ else None
        get = few or self.spellings.get
        tokens = [t for t in map(get, ids.tolist() if isinstance(ids, np.ndarray) else ids) if t is not None]
        if self.parts.decoders is None:
            return " ".join(tokens)
        for decoder in self.parts.decoders:
            tokens = decoder.chain(tokens)
        return "".join(tokens)

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        decoders = self.parts.decoders
        if decoders is not None and len(decoders) == 1 and decoders[0].name == "ByteLevel":
            return super().decode(ids)
        return self.decode_text(ids).encode("utf-8", "surrogateescape")


def _nearest(index: dict[int, int], offset: int) -> int:
    found = index.get(offset)
    return index[offset - 1] if found is None else found


def _keeps_length(stage: Normalizer) -> bool:
    """Whether a normalizer works a character at a time, and so on the whole text at once."""
    if isinstance(stage, Replace):
        return not stage.pattern.is_regex and len(stage.pattern.source) == len(stage.content) == 1
    return isinstance(stage, Lowercase)


__all__ = ["BPE", "Literal", "PipelineTokenizer", "Stages"]


def _covering(text: str, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Byte ranges of a text as the ranges of the characters they touch."""
    edges = list(accumulate((len(c.encode("utf-8", "surrogateescape")) for c in text), initial=0)) if ranges else []
    return [(bisect_right(edges, low) - 1, bisect_left(edges, high)) for low, high in ranges]
