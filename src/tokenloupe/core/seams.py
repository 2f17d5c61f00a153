"""Places where the tokens of a text fall apart: what stands before has no say in the tokens behind, and the other way.

    >>> seams = Seams.of(tokenizer)                      # None: nothing can be proved of this tokenizer
    >>> seams.last_before(store, byte_pos)               # byte of a seam, None when there is none near

A seam lies before a single space between two letters or digits, or between two characters of Chinese, Japanese or
Korean, for a tokenizer of which all of this holds:

*   no stage before the model sees across it: white space and such characters are never part of a longer thing that a
    normalizer changes, and no added token's text lies there;
*   a pre-tokenizer cuts there, or no piece of the model's vocabulary holds the two characters side by side, so that
    nothing is ever merged or matched across.

What the proof does not cover is looked at when it is used (document_whole.py): a token that lies across, such as a run
of unknown characters made one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

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

#: The ASCII characters a seam may lie between.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
#: Characters that stand side by side without spaces: ideographs; with kana and Hangul syllables.
IDEOGRAPHS = "\u4e00-\u9fff"
DENSE = IDEOGRAPHS + "\u3041-\u3096\u30a1-\u30fa\uac00-\ud7a3"
#: A letter that joins what follows it to one cluster, whatever that is.
_JOINS = "\u0d4e"
#: How far a seam is looked for: at first, and at most.
FIRST, FAR = 512, 1 << 14
#: Patterns of Replace stages that never match a single space between two letters, nor a letter.
_APART = frozenset((" {2,}", "\\s{2,}", "``", "''", "[\\r\\n\\t]", "\\n", "\\t", "\\r\\n"))


@dataclass(frozen=True, slots=True)
class Apart:
    """What a vocabulary never holds together. letters: of LETTERS, before a space; beyond: any letter beyond ASCII
    before a space; dense: the characters between which there may be a seam, "" for none; pairs: those that are held."""

    letters: frozenset[str]
    beyond: bool = True
    dense: str = ""
    pairs: frozenset[str] = frozenset()

    @classmethod
    def of(cls, pieces: Iterable[str], space: str, dense: str = "") -> Apart:
        joined = "\0".join(pieces)
        before = set(re.findall(f"(?s:(.)){re.escape(space)}", joined))
        # A normalizer may make any letter an ASCII one, or a mark the last of it.
        beyond = before.isdisjoint(LETTERS) and not any(
            c.isalpha() or unicodedata.category(c)[0] == "M" for c in before if c > "\x7f")
        pairs = re.findall(f"(?=([{dense}]{{2}}))", joined) if dense else ()
        return cls(frozenset(LETTERS) - before, beyond, dense, frozenset(pairs))


#: What is cut at all white space.
_WORDS = Apart(frozenset(LETTERS))


class Seams:
    """margin: bytes on either side that tell, all told, whether a place is a seam and what added token stands at it."""

    def __init__(self, apart: Apart, margin: int) -> None:
        self.apart, self.margin = apart, margin
        before = "".join(sorted(apart.letters))
        self._plain = re.compile(f"[{before}] (?=[{LETTERS}])".encode() if before else b"(?!)")
        high = r"[^\x00-\x7f]"
        ascii_left = f"|[{before}] (?={high})" if before else ""
        self._spaces = re.compile(f"{high} (?=[{LETTERS}]|{high}){ascii_left}") if apart.beyond else None
        self._dense = re.compile(f"(?=([{apart.dense}]{{2}}))") if apart.dense else None

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Seams | None:
        """Found once for a tokenizer."""
        if "seams" not in tokenizer.__dict__:
            tokenizer.__dict__["seams"] = cls._made(tokenizer)
        found: Seams | None = tokenizer.__dict__["seams"]
        return found

    @classmethod
    def _made(cls, tokenizer: Tokenizer) -> Seams | None:
        apart = _apart(tokenizer)
        texts = [*tokenizer.special_tokens, *tokenizer.added_tokens]
        if isinstance(tokenizer, PipelineTokenizer):
            texts += tokenizer.added.spelled.values()
        if apart is None or any(re.search(f"\\w[ {SPACE}]|[{DENSE}]", t) for t in texts):
            return None
        return cls(apart, 16 + max((len(t.encode("utf-8", "surrogatepass")) for t in texts), default=0))

    def last_before(self, store: TextStore, byte_pos: int) -> int | None:
        """The last seam up to byte_pos; None when there is none near."""
        size = FIRST
        while byte_pos > 0:
            begin = max(byte_pos - size, 0)
            for place in sorted(self._places(store.bytes(begin, byte_pos + 5)), reverse=True):
                if begin + place <= byte_pos and _is_whole(store, begin + place):
                    return begin + place
            if size >= FAR or begin == 0:
                return None
            size *= 4
        return None

    def first_from(self, store: TextStore, byte_pos: int) -> int | None:
        """The first seam from byte_pos on; None when there is none near."""
        size = FIRST
        while byte_pos < len(store):
            begin = max(byte_pos - 4, 0)
            for place in sorted(self._places(store.bytes(begin, byte_pos + size))):
                if begin + place >= byte_pos and _is_whole(store, begin + place):
                    return begin + place
            if size >= FAR or byte_pos + size >= len(store):
                return None
            size *= 4
        return None

    def _places(self, part: bytes) -> list[int]:
        """The seams in a part of a text: those of ASCII letters alone where there are any well inside."""
        found = [m.start() + 1 for m in self._plain.finditer(part)]
        if len(found) > 2 or part.isascii():
            return found
        text = part.decode("utf-8", "surrogateescape")
        return [*found, *_bytes_of(text, self._beyond(text))]

    def _beyond(self, text: str) -> Iterator[int]:
        """Characters of a text before which a seam lies that has to do with characters beyond ASCII."""
        for match in self._spaces.finditer(text) if self._spaces is not None else ():
            left, right = text[match.start()], text[match.end()]
            if all(c < "\x80" or (c.isalpha() and c <= "\uffff" and c != _JOINS) for c in (left, right)):
                yield match.start() + 1
        for match in self._dense.finditer(text) if self._dense is not None else ():
            if match[1] not in self.apart.pairs:
                yield match.start() + 1


def _is_whole(store: TextStore, byte_pos: int) -> bool:
    """Are the characters just before a place whole? (Some libraries take so many bytes as the first one says.)"""
    part = store.bytes(byte_pos - 7, byte_pos)
    try:
        part[next((k for k, byte in enumerate(part) if byte & 0xC0 != 0x80), 0) :].decode()
    except UnicodeDecodeError:
        return False
    return True


def _bytes_of(text: str, places: Iterable[int]) -> Iterator[int]:
    """Places in characters as places in bytes."""
    at = byte = 0
    for place in sorted(places):
        byte += len(text[at:place].encode("utf-8", "surrogateescape"))
        at = place
        yield byte


def _apart(tokenizer: Tokenizer) -> Apart | None:
    if isinstance(tokenizer, PipelineTokenizer):
        return _of_pipeline(tokenizer)
    if isinstance(tokenizer, SentencePieceTokenizer):
        return _of_sentencepiece(tokenizer)
    if isinstance(tokenizer, GreedyTokenizer):
        vocabulary = tokenizer.vocabulary
        pieces = (vocabulary.bytes_at(r).decode("latin-1") for r in range(len(vocabulary)))
        return replace(Apart.of(pieces, " "), beyond=False)
    if isinstance(tokenizer, LlamaTokenizer):
        if isinstance(tokenizer.model, SpmModel):
            return Apart.of(tokenizer.model.pieces.table.ids, SPACE, DENSE)
        if isinstance(tokenizer.model, WordPieceModel):
            return replace(_WORDS, dense=IDEOGRAPHS)
    return None


def _keeps(rules: Precompiled) -> bool:
    """Does no rule change a space or an ASCII letter, by itself or as the first of more, or go over a space?"""
    singles, firsts, seconds = rules.openings
    own = {32, *map(ord, LETTERS)}
    return not own & set(singles) and 32 not in firsts and 32 not in seconds


def _keeps_dense(rules: Precompiled | None) -> bool:
    """Has no rule to do with two characters of DENSE?"""
    if rules is None:
        return True
    singles, _, seconds = rules.openings
    return re.search(f"[{DENSE}]", "".join(map(chr, [*singles, *seconds]))) is None


def _of_sentencepiece(tokenizer: SentencePieceTokenizer) -> Apart | None:
    normalizer, model = tokenizer.normalizer, tokenizer.model
    rules = normalizer.rules
    if normalizer.suffix_mode or normalizer.space != SPACE or (rules is not None and not _keeps(rules)) \
            or any(" " in p for p in normalizer.user_defined):
        return None
    if isinstance(model, UnigramModel) and model.single_precision:
        return None  # its sums of 32 bits run through the whole text
    if isinstance(model, BpeModel) and model._whole:
        return None
    if not isinstance(model, (BpeModel, WordModel, CharModel, UnigramModel)):
        return None
    dense = DENSE if isinstance(model, (BpeModel, CharModel)) and _keeps_dense(rules) else ""
    return _unruled(Apart.of(model.table.ids, SPACE, dense), rules)


def _unruled(apart: Apart, rules: Precompiled | None) -> Apart:
    """Letters beyond ASCII may be changed by rules, so that nothing is known of them."""
    return apart if rules is None else replace(apart, beyond=False)


def _of_pipeline(tokenizer: PipelineTokenizer) -> Apart | None:
    parts = tokenizer.parts
    if not all(map(_is_local, parts.normalizers)):
        return None
    maps = [n.rules for n in parts.normalizers if isinstance(n, Charsmap)]
    rules = maps[0] if maps else None
    space = next((n.content for n in parts.normalizers if isinstance(n, Replace) and _of_space(n)), " ")
    for stage in parts.pre_tokenizers:
        if _cuts_at(stage, space):
            apart = any(isinstance(n, Bert) and n.handle_chinese_chars for n in parts.normalizers) \
                and isinstance(stage, BertPreTokenizer)
            return _unruled(replace(_WORDS, dense=IDEOGRAPHS if apart else ""), rules)
        if isinstance(stage, Split) and not stage.pattern.is_regex and stage.pattern.source == " " != space:
            continue  # there are none left
        if not isinstance(stage, CharSplit):
            return None
    model = parts.model
    if tokenizer._bytes_last is not None or len(space) != 1 or not isinstance(model, BPE) or model.prefix \
            or model.suffix or model._cutter is None:
        return None
    apart_too = len(maps) < 2 and _keeps_dense(rules) and not any(
        isinstance(n, Bert) or (isinstance(n, NormalForm) and n.name.endswith("D")) or n.name == "StripAccents"
        for n in parts.normalizers)
    return _unruled(Apart.of(model.vocab, space, DENSE if apart_too else ""), rules)


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
