"""Places where the tokens of a text fall apart: what stands before has no say in the tokens behind, and the other way.

    >>> seams = Seams.of(tokenizer)                      # None: nothing can be proved of this tokenizer
    >>> seams.last_before(store, byte_pos, low=0)        # byte of a seam, None when there is none from `low` on

A seam lies before a single space between two ASCII letters or digits, for a tokenizer of which all of this holds:

*   no stage before the model sees across it: white space and ASCII letters are never part of a longer thing that a
    normalizer changes, and no added token's text holds a letter and a space behind it;
*   a pre-tokenizer cuts there, or no piece of the model's vocabulary holds the letter and the space side by side, so
    that nothing is ever merged or matched across.

What the proof does not cover is looked at when it is used (document_whole.py): a token that lies across, such as a run
of unknown characters made one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .greedy import GreedyTokenizer
from .llamacpp import LlamaTokenizer
from .llamacpp_models import SpmModel, WordPieceModel
from .pipeline.models.bpe import BPE
from .pipeline.normalizers import Bert, Charsmap, Filter, Lowercase, NormalForm, Normalizer, Prepend, Replace, Strip
from .pipeline.pretokenizers import BertPreTokenizer, CharSplit, Metaspace, PreTokenizer, Split, Whitespace
from .pipeline_tokenizer import PipelineTokenizer
from .precompiled import Precompiled
from .sentencepiece import SentencePieceTokenizer
from .sp_models import BpeModel, CharModel, WordModel
from .sp_normalizer import SPACE
from .sp_unigram import UnigramModel
from .store import TextStore
from .tokenizer import Tokenizer

#: The characters a seam may lie between, and how far it is looked for.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
FIRST, FAR = 512, 1 << 14
#: Patterns of Replace stages that never match a single space between two letters, nor a letter.
_APART = frozenset((" {2,}", "\\s{2,}", "``", "''", "[\\r\\n\\t]", "\\n", "\\t", "\\r\\n"))


@dataclass(frozen=True, slots=True)
class Seams:
    """pattern: the byte before a seam, the space, and a look at the byte behind it. margin: bytes on either side that
    tell, all told, whether a place is a seam and what added token stands at it."""

    pattern: re.Pattern[bytes]
    margin: int

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Seams | None:
        """Found once for a tokenizer."""
        if "seams" not in tokenizer.__dict__:
            tokenizer.__dict__["seams"] = cls._made(tokenizer)
        found: Seams | None = tokenizer.__dict__["seams"]
        return found

    @classmethod
    def _made(cls, tokenizer: Tokenizer) -> Seams | None:
        letters = _letters(tokenizer)
        texts = [*tokenizer.special_tokens, *tokenizer.added_tokens]
        if isinstance(tokenizer, PipelineTokenizer):
            texts += tokenizer.added.spelled.values()
        if not letters or any(re.search(f"[{LETTERS}][ {SPACE}]", t) for t in texts):
            return None
        margin = 16 + max((len(t.encode("utf-8", "surrogatepass")) for t in texts), default=0)
        before = "".join(sorted(letters)).encode()
        return cls(re.compile(b"[" + before + b"] (?=[" + LETTERS.encode() + b"])"), margin)

    def last_before(self, store: TextStore, byte_pos: int, low: int = 0) -> int | None:
        """The last seam up to byte_pos, from byte `low` on."""
        size = FIRST
        while byte_pos > low:
            begin = max(byte_pos - size, low)
            found = [m.start() for m in self.pattern.finditer(store.bytes(begin, byte_pos + 2))]
            if found:
                return begin + found[-1] + 1
            if size >= FAR or begin == low:
                return None
            size *= 4
        return None

    def first_from(self, store: TextStore, byte_pos: int) -> int | None:
        """The first seam from byte_pos on."""
        size = FIRST
        while byte_pos < len(store):
            match = self.pattern.search(store.bytes(byte_pos - 1, byte_pos + size)) if byte_pos else None
            if match is not None:
                return byte_pos + match.start()
            if size >= FAR or byte_pos + size >= len(store):
                return None
            size *= 4
        return None


def _letters(tokenizer: Tokenizer) -> frozenset[str]:
    """Those that nothing holds together with a space behind them."""
    if isinstance(tokenizer, PipelineTokenizer):
        return _of_pipeline(tokenizer)
    if isinstance(tokenizer, SentencePieceTokenizer):
        return _of_sentencepiece(tokenizer)
    if isinstance(tokenizer, GreedyTokenizer):
        vocabulary = tokenizer.vocabulary
        return _apart((vocabulary.bytes_at(r).decode("latin-1") for r in range(len(vocabulary))), " ")
    if isinstance(tokenizer, LlamaTokenizer):
        if isinstance(tokenizer.model, SpmModel):
            return _apart(tokenizer.model.pieces.table.ids, SPACE)
        if isinstance(tokenizer.model, WordPieceModel):
            return frozenset(LETTERS)
    return frozenset()


def _apart(pieces: Iterable[str], space: str) -> frozenset[str]:
    """The letters that stand before a space in none of the pieces."""
    return frozenset(LETTERS) - set(re.findall(f"([{LETTERS}]){re.escape(space)}", "\0".join(pieces)))


def _keeps(rules: Precompiled) -> bool:
    """Does no rule change a space or a letter, by itself or as the first of more, or go over a space?"""
    singles, firsts, seconds = rules.openings
    own = {32, *map(ord, LETTERS)}
    return not own & set(singles) and 32 not in firsts and 32 not in seconds


def _of_sentencepiece(tokenizer: SentencePieceTokenizer) -> frozenset[str]:
    normalizer, model = tokenizer.normalizer, tokenizer.model
    if normalizer.suffix_mode or normalizer.space != SPACE or (normalizer.rules and not _keeps(normalizer.rules)) \
            or any(" " in p for p in normalizer.user_defined):
        return frozenset()
    if isinstance(model, UnigramModel) and model.single_precision:
        return frozenset()  # its sums of 32 bits run through the whole text
    if isinstance(model, BpeModel) and model._whole:
        return frozenset()
    if isinstance(model, (BpeModel, WordModel, CharModel, UnigramModel)):
        return _apart(model.table.ids, SPACE)
    return frozenset()


def _of_pipeline(tokenizer: PipelineTokenizer) -> frozenset[str]:
    parts = tokenizer.parts
    if not all(map(_is_local, parts.normalizers)):
        return frozenset()
    space = next((n.content for n in parts.normalizers if isinstance(n, Replace) and _of_space(n)), " ")
    for stage in parts.pre_tokenizers:
        if _cuts_at(stage, space):
            return frozenset(LETTERS)
        if isinstance(stage, Split) and not stage.pattern.is_regex and stage.pattern.source == " " != space:
            continue  # there are none left
        if not isinstance(stage, CharSplit):
            return frozenset()
    model = parts.model
    if tokenizer._bytes_last is not None or len(space) != 1 or not isinstance(model, BPE) or model.prefix \
            or model.suffix or model._cutter is None:
        return frozenset()
    return _apart(model.vocab, space)


def _of_space(stage: Replace) -> bool:
    return not stage.pattern.is_regex and stage.pattern.source == " "


def _is_local(stage: Normalizer) -> bool:
    """Does the stage leave a single space between letters one thing, and look at nothing beyond it?"""
    if isinstance(stage, Replace):
        source = stage.pattern.source
        if source in _APART:
            return True
        return not stage.pattern.is_regex and len(source) == 1 and source not in LETTERS
    if isinstance(stage, Charsmap):
        return _keeps(stage.rules)
    return isinstance(stage, (NormalForm, Lowercase, Strip, Filter, Prepend, Bert))


def _cuts_at(stage: PreTokenizer, space: str) -> bool:
    """Does a pre-token end before every space?"""
    if isinstance(stage, Metaspace):
        return stage.split and space in (" ", stage.replacement)
    if isinstance(stage, CharSplit):
        return space == " " and stage.charset == "WHITESPACE"
    return space == " " and isinstance(stage, (Whitespace, BertPreTokenizer))
