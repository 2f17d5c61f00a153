"""Documents of a byte-level tokenizer.json behind a normal form (Qwen's NFC): as long as the text is in that form, the
byte-level model inside encodes it, and an edit needs to look at its surroundings alone.

    >>> inside(tokenizer)                                # a NormalByteLevel, None for any other tokenizer
    >>> normal.is_normal(store, 10, 20)                  # does normalizing leave these bytes, and those beside, alone?

What a normal form may change are certain characters (marks, jamo, signs that have another spelling) together with the
one before them. So a stretch is judged from a character that is none of these to the next such behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .pipeline.aligned import Aligned
from .pipeline.normal_form import changeable, normalize
from .pipeline.normalizers import NormalForm
from .pipeline_bytelevel import PipelineByteLevelTokenizer, engine_is_exact, with_engine
from .pipeline_tokenizer import PipelineTokenizer
from .store import TextStore
from .text import code_points
from .tokenizer import Tokenizer

#: Bytes looked at on either side at first.
AROUND = 32


class Normal:
    """forms: NFC, .., in the order they are applied."""

    def __init__(self, forms: Sequence[str]) -> None:
        self.forms = tuple(forms)
        self._changeable = np.logical_or.reduce([changeable(f.endswith("C"), "K" in f) for f in self.forms])

    def is_normal(self, store: TextStore, byte_start: int, byte_end: int) -> bool:
        """Of valid UTF-8: do the forms leave the text there as it is?"""
        around = AROUND
        while True:
            low, high = _char_at(store, byte_start - around), _char_at(store, byte_end + around)
            data = store.bytes(low, high)
            if data.isascii():
                return True
            text = data.decode("utf-8")
            fixed = np.flatnonzero(~self._changeable[code_points(text)])
            first = 0 if not low else int(fixed[0]) if len(fixed) else -1
            last = len(text) if high == len(store) else int(fixed[-1]) if len(fixed) else -1
            if (not low or len(text[:first].encode()) <= byte_start - low) and first >= 0 and last > first and (
                    high == len(store) or high - low - len(text[last:].encode()) >= byte_end - low):
                break
            if not low and high == len(store):
                break
            around *= 4
        part = Aligned.of(text[first:last].encode())
        return all(normalize(part, form).text == part.text for form in self.forms)


def _char_at(store: TextStore, byte_pos: int) -> int:
    """The place, or one up to three bytes further on where a character starts."""
    if byte_pos <= 0 or byte_pos >= len(store):
        return min(max(byte_pos, 0), len(store))
    part = store.bytes(byte_pos, byte_pos + 4)
    return byte_pos + next((k for k, byte in enumerate(part) if byte & 0xC0 != 0x80), len(part))


class NormalByteLevel(PipelineByteLevelTokenizer):
    """The model inside, for normalized text that is UTF-8."""

    broken_utf8 = None
    normal: Normal


def inside(tokenizer: Tokenizer) -> ByteLevelTokenizer | None:
    """What encodes a document of the tokenizer while its text is as `Lexer` demands: itself when it is byte-level."""
    if isinstance(tokenizer, ByteLevelTokenizer):
        return tokenizer
    if not isinstance(tokenizer, PipelineTokenizer):
        return None
    if "inside" not in tokenizer.__dict__:
        tokenizer.__dict__["inside"] = _made(tokenizer)  # once for a tokenizer: its tables take a moment
    made: ByteLevelTokenizer | None = tokenizer.__dict__["inside"]
    return made


def _made(tokenizer: PipelineTokenizer) -> NormalByteLevel | None:
    parts = tokenizer.parts
    forms = [n.name for n in parts.normalizers if isinstance(n, NormalForm)]
    if not forms or len(forms) != len(parts.normalizers):
        return None
    plain = PipelineTokenizer(tokenizer.name, tokenizer.sha256, replace(parts, normalizers=()), tokenizer.added)
    plain.__dict__["vocabulary"] = tokenizer.vocabulary
    if not engine_is_exact(plain):
        return None
    engine = with_engine(plain, True)
    assert isinstance(engine, PipelineByteLevelTokenizer)
    made = NormalByteLevel(plain, engine.splitter)
    made.normal = Normal(forms)
    return made
