"""What a tokenizer's stages make of a text before its model sees it: normalizer changes and pre-tokens, by byte span.

    >>> stages = Stages(Document(bert, "Ünïcode".encode()))
    >>> stages.changes(0, 9)[0]
    NormalChange(start=0, end=2, before='Ü', after='u')

Byte-level tokenizers keep their pre-tokens beside the tokens, so a window of a long text costs what it shows. Others
have to run their stages over the whole text, and do so up to LIMIT bytes, once for a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .bytelevel_ends import NormalizedTokenizer
from .document import Document
from .pipeline.aligned import Aligned
from .pipeline.normal_form import normalize
from .pipeline_bytelevel import PipelineByteLevelTokenizer
from .pipeline_tokenizer import PipelineTokenizer
from .sentencepiece import SentencePieceTokenizer
from .vocabulary import Int64s

#: Bytes of a text over which stages that need all of it are run.
LIMIT = 1 << 18


@dataclass(frozen=True, slots=True)
class NormalChange:
    """Input bytes start:end (equal: something was put in there) and what the normalizer made of them ("": dropped)."""

    start: int
    end: int
    before: str
    after: str


class Stages:
    """Of a document as it is now: make another after a change."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @property
    def has_normalizer(self) -> bool:
        tokenizer = self.document.tokenizer
        if isinstance(tokenizer, PipelineTokenizer | PipelineByteLevelTokenizer):
            return bool(tokenizer.parts.normalizers)
        return isinstance(tokenizer, SentencePieceTokenizer | NormalizedTokenizer)

    @property
    def has_pre_tokens(self) -> bool:
        return isinstance(self.document.tokenizer, ByteLevelTokenizer | PipelineTokenizer)

    @property
    def too_long(self) -> bool:
        return len(self.document) > LIMIT

    # -- the normalizer ------------------------------------------------------------------------------------------

    def changes(self, start: int, end: int) -> list[NormalChange] | None:
        """Those that touch the bytes start .. end, in order. None: no normalizer, or the text is too long for it."""
        made = self._normalized
        if made is None:
            return None
        starts, ends = made.starts, made.ends
        # Spans ascend but for marks that a normal form put in order: a little more than what is asked for is looked at.
        low = max(int(np.searchsorted(starts, start, "left")) - 64, 0)
        high = min(int(np.searchsorted(starts, end, "right")) + 64, len(starts))
        first = int(starts[low]) if low < len(starts) and low else 0
        last = int(starts[high]) if high < len(starts) else len(self.document)
        part = Aligned(made.text[low:high], starts[low:high], ends[low:high])
        found = differences(self.document.store.bytes(first, last), first, part)
        return [c for c in found if (c.start < end and c.end > start) or (c.start == c.end and start <= c.start <= end)]

    @cached_property
    def _normalized(self) -> Aligned | None:
        tokenizer, document = self.document.tokenizer, self.document
        if self.too_long or not self.has_normalizer:
            return None
        if isinstance(tokenizer, PipelineTokenizer | PipelineByteLevelTokenizer):
            return tokenizer.sections(document.data, document.special).text
        if isinstance(tokenizer, NormalizedTokenizer):
            return normalize(Aligned.of(document.data, keep_invalid=True), tokenizer.form)
        assert isinstance(tokenizer, SentencePieceTokenizer)
        return _sentencepiece(tokenizer, document)

    # -- pre-tokens ----------------------------------------------------------------------------------------------

    def pre_tokens(self, start: int, end: int) -> tuple[Int64s, Int64s] | None:
        """(starts, ends) of those that touch the bytes. None: there are none to know, or the text is too long."""
        edges = self.document.pre_token_edges(start, end)
        if edges is not None:
            return edges[:-1], edges[1:]
        cut = self._cut
        if cut is None:
            return None
        starts, ends = cut
        hit = (starts < end) & (ends > start)
        return starts[hit], ends[hit]

    @cached_property
    def _cut(self) -> tuple[Int64s, Int64s] | None:
        tokenizer, document = self.document.tokenizer, self.document
        if self.too_long:
            return None
        if isinstance(tokenizer, PipelineTokenizer):
            sections = tokenizer.sections(document.data, document.special)
            pieces = tokenizer.pieces(sections)
            text = pieces.text
            given = sections.ids >= 0
            firsts = np.concatenate((pieces.starts, sections.starts[given]))
            lasts = np.concatenate((pieces.ends, sections.ends[given])) - 1
            starts, ends = text.starts[firsts], text.ends[lasts]
            order = np.argsort(starts, kind="stable")
            return starts[order], ends[order]
        if isinstance(tokenizer, ByteLevelTokenizer):
            parts = []
            for start, end, token_id in tokenizer._sections(document.data, document.special):
                if token_id >= 0:
                    parts.append((np.array([start], np.int64), np.array([end], np.int64)))
                else:
                    starts, ends = tokenizer.pre_tokens(document.data[start:end])
                    parts.append((starts + start, ends + start))
            none = [np.zeros(0, np.int64)]
            return np.concatenate([a for a, _ in parts] or none), np.concatenate([b for _, b in parts] or none)
        return None


def _sentencepiece(tokenizer: SentencePieceTokenizer, document: Document) -> Aligned:
    """The normalized text between control pieces, which pass as they are."""
    data = document.data
    texts, starts, ends = [], [], []

    def section(low: int, high: int) -> None:
        made = tokenizer.normalizer.normalize(data[low:high]).chars
        texts.append(made.text)
        starts.append(made.starts + low)
        ends.append(made.ends + low)

    done = 0
    for low, high, _ in tokenizer._find_special(data, document.special):
        if low > done:
            section(done, low)
        given = Aligned.of(data[low:high], low)
        texts.append(given.text)
        starts.append(given.starts)
        ends.append(given.ends)
        done = high
    if done < len(data):
        section(done, len(data))
    none = [np.zeros(0, np.int64)]
    return Aligned("".join(texts), np.concatenate(starts or none), np.concatenate(ends or none))


def differences(data: bytes, base: int, made: Aligned) -> list[NormalChange]:
    """Where a normalized text is not the input. data: the input from byte `base` on, as far as `made` goes.

    Characters whose sources overlap are one change (a letter and its mark that become one, or one that becomes two).
    """
    found: list[NormalChange] = []
    run: list[str] = []  # the characters that come from low .. high
    low = high = at = base

    def close() -> None:
        old = data[low - base : high - base]
        new = "".join(run)
        if run and new.encode("utf-8", "surrogateescape") != old:
            found.append(NormalChange(low, high, _shown(old), _shown(new.encode("utf-8", "surrogateescape"))))

    for char, start, end in zip(made.text, made.starts.tolist(), made.ends.tolist(), strict=True):
        if run and ((start < high and end > start) or (low, high) == (start, end)):
            low, high = min(low, start), max(high, end)
            run.append(char)
        else:
            close()
            if start > at:
                found.append(NormalChange(at, start, _shown(data[at - base : start - base]), ""))
            run, low, high = [char], start, end
        at = max(at, end)
    close()
    if at < base + len(data):
        found.append(NormalChange(at, base + len(data), _shown(data[at - base :]), ""))
    return found


def _shown(piece: bytes) -> str:
    return piece.decode("utf-8", "replace")
