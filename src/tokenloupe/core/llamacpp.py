"""llama.cpp's tokenizers for the vocabularies that are not byte-level BPE: llama (SPM), bert (WPM), t5 (UGM), gemma4.

All share one frame: special tokens are cut out first, what is between them goes through a model, the ends are added.

    >>> t = open_tokenizer("ggml-vocab-llama-spm.gguf")
    >>> t.encode("This is 🦙.cpp").ids.tolist()
    [910, 338, 29871, 243, 162, 169, 156, 29889, 8223]

`special="text"` is llama_tokenize with parse_special=0, "parse" with parse_special=1, `bos_eos` is add_special=1.
Source: llama.cpp src/llama-vocab.cpp (MIT), as vendored in llama-cpp-python 0.3.36, written anew.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .llamacpp_marks import Marks
from .sentencepiece import Part, joined, lone
from .tokenizer import Encoding, SpecialMode, Tokenizer
from .vocabulary import Int64s, TokenKind, Vocabulary


@dataclass(frozen=True, slots=True)
class LlamaEnds:
    """before, after: the ids that add_special puts there."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


_TIDY = re.compile(rb" ([?!.,])")
_APOSTROPHE = re.compile(rb" ' ")
_SHORT = re.compile(rb" (?='(?:[sm]|re|ve))")
_SPACED = re.compile(rb" (?=[?!.,]|' |'(?:[sm]|re|ve))")
#: One of these is in every text that `tidied` changes, and it changes every text with one.
SPACED = (b" ?", b" !", b" .", b" ,", b" ' ", b" 's", b" 'm", b" 're", b" 've")


def tidied(text: bytes) -> bytes:
    """Spaces before punctuation taken out, as `clean_up_tokenization_spaces` does."""
    return _SHORT.sub(b"", _APOSTROPHE.sub(b"'", _TIDY.sub(rb"\1", text)))


def untidy(text: bytes) -> list[tuple[int, int]]:
    """The spaces that `tidied` may take out: [(byte_start, byte_end)]; none exactly when it changes nothing."""
    return [m.span() for m in _SPACED.finditer(text)]


class LlamaModel(ABC):
    """What encodes a stretch of text between special tokens."""

    @abstractmethod
    def encode(self, data: bytes, first: bool) -> Part:
        """first: nothing or a special token stands before it. Spans count from the start of `data`."""

    def decode(self, pieces: list[bytes]) -> bytes:
        """The bytes of tokens, joined as llama_detokenize does."""
        return b"".join(pieces)


class LlamaTokenizer(Tokenizer):
    """model: see LlamaModel. extra: metadata kept for later (chat template and the like)."""

    format = "gguf"

    def __init__(self, name: str, sha256: str, vocabulary: Vocabulary, model: LlamaModel, marks: Marks, ends: LlamaEnds,
                 warnings: tuple[str, ...] = (), extra: dict[str, str] | None = None) -> None:
        self.name, self.sha256, self.vocabulary, self.warnings = name, sha256, vocabulary, warnings
        self.model, self.marks, self.ends, self.extra = model, marks, ends, extra or {}
        self.special_tokens, self.added_tokens = marked(vocabulary)
        self._pieces: list[bytes] | None = None

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        parts = [lone(i, 0, 0) for i in self.ends.before] if bos_eos else []
        first, done = True, 0
        for start, end, token_id in [*self.marks.matches(data, special), (len(data), len(data), -1)]:
            if start > done:
                part = self.model.encode(data[done:start], first)
                parts.append(Part(part.ids, part.starts + done, part.ends + done,
                                  [(s + done, e + done, why) for s, e, why in part.lost]))
                first = False
            if token_id >= 0:
                parts.append(lone(token_id, start, end))
                first = True
            done = end
        if bos_eos:
            parts += [lone(i, len(data), len(data)) for i in self.ends.after]
        return joined(parts, data, self.vocabulary)

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        """As llama_detokenize with unparse_special: special tokens as they are spelled; unknown ids give nothing."""
        if self._pieces is None:
            self._pieces = [self.vocabulary.bytes_at(r) for r in range(len(self.vocabulary))]
        pieces = self._pieces
        return self.model.decode([pieces[int(i)] for i in ids if 0 <= int(i) < len(pieces)])


def marked(vocabulary: Vocabulary) -> tuple[dict[str, int], dict[str, int]]:
    """(special tokens, added tokens) by their text."""
    kinds = vocabulary.kinds
    special = np.flatnonzero((kinds == TokenKind.SPECIAL) | (kinds == TokenKind.UNKNOWN))
    return ({vocabulary.raw_at(i): i for i in special.tolist()},
            {vocabulary.raw_at(i): i for i in np.flatnonzero(kinds == TokenKind.ADDED).tolist()})
