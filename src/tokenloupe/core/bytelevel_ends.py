"""Byte-level tokenizers with something around them: ids at both ends, a normalizer in front.

    >>> t = EndedByteLevel("tekken", ..., before=(1,), after=(2,))
    >>> t.encode("hi", bos_eos=True).ids[0]
    1

`NormalizedTokenizer` puts a normalizer before any tokenizer and maps its spans back: NFKC before Claude's ranks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .pipeline.aligned import Aligned
from .pipeline.normal_form import normalize
from .roundtrip import judge
from .sentencepiece import Part, joined, lone
from .sp_normalizer import SpannedText, bytes_behind, runs
from .text import code_points, utf8_widths
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer
from .vocabulary import Int64s


class EndedByteLevel(ByteLevelTokenizer):
    """before, after: the ids that bos_eos adds."""

    def __init__(self, *args: Any, before: tuple[int, ...] = (), after: tuple[int, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before, self.after = before, after

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        found = super()._encode(data, special, False)
        if not bos_eos:
            return found
        parts = [*(lone(i, 0, 0) for i in self.before), Part(found.ids, found.starts, found.ends),
                 *(lone(i, len(data), len(data)) for i in self.after)]
        return joined(parts, data, self.vocabulary)

    def encode_steps(self, data: bytes, special: SpecialMode, bos_eos: bool = False) -> Iterator[float | Encoding]:
        if bos_eos:
            yield judge(self, self._encode(data, special, True))
        else:
            yield from super().encode_steps(data, special)


class NormalizedTokenizer(Tokenizer):
    """inner: encodes the normalized text. form: "NFC", "NFKC", ... applied to the whole text first.

    Bytes that are no UTF-8 pass the normalizer untouched.
    """

    def __init__(self, inner: Tokenizer, form: str, warnings: tuple[str, ...] = ()) -> None:
        self.inner, self.form = inner, form
        self.name, self.format, self.sha256 = inner.name, inner.format, inner.sha256
        self.vocabulary, self.warnings = inner.vocabulary, (*inner.warnings, *warnings)
        self.special_tokens, self.added_tokens = inner.special_tokens, inner.added_tokens

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        if data.isascii():
            return self.inner._encode(data, special, bos_eos)
        chars = self._normalized(data)
        clean = chars.text.encode("utf-8", "surrogateescape")
        if clean == data:
            return self.inner._encode(data, special, bos_eos)
        found = self.inner._encode(clean, special, bos_eos)
        points = code_points(chars.text)
        broken = (points >= 0xDC80) & (points <= 0xDCFF)
        starts, ends = bytes_behind(chars, np.where(broken, 1, utf8_widths(points)))
        bad = np.flatnonzero(~chars.copied)
        lost = [Lost(*x) for x in runs(chars.starts[bad], chars.ends[bad], [self.form] * len(bad))]
        empty = found.ends <= found.starts
        first = np.append(starts, len(data))[found.starts]
        last = np.where(empty, first, np.append(ends, len(data))[np.maximum(found.ends - 1, 0)])
        return Encoding(data, found.ids, first, last, found.kinds, self.vocabulary, lost=tuple(lost))

    def _normalized(self, data: bytes) -> SpannedText:
        """The normalized text; a byte that is no UTF-8 is U+DC00 + byte."""
        source = Aligned.of(data, keep_invalid=True)
        made = normalize(source, self.form)
        at = np.minimum(np.searchsorted(source.starts, made.starts), len(source) - 1)
        same = (source.starts[at] == made.starts) & (source.ends[at] == made.ends)
        same &= code_points(source.text)[at] == code_points(made.text)
        again = made.starts[1:] == made.starts[:-1]  # several characters from one
        same[1:] &= ~again
        same[:-1] &= ~again
        return SpannedText(made.text, made.starts, made.ends, same)

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        return self.inner.decode(ids)
