r"""What a token was cut out of: the pre-token around it, and the stage or the alternative of the pattern that made it.

    >>> piece = find_piece(Document(gpt2, b"it's 42"), 1)
    >>> piece.start, piece.end, piece.branch
    (2, 4, Branch(number=1, of=6, text="'(?:[sdmt]|ll|ve|re)"))

The alternative is found by matching each alone where the pre-token begins: a pattern's first that matches there is the
one that the engine takes. Models that segment a text as a whole (SentencePiece) have no pre-tokens; there the piece is
the word: the tokens from one that begins with the space mark to the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np
import regex

from .bytelane_stages import Stages
from .bytelevel import ByteLevelTokenizer
from .document import Document
from .llamacpp import LlamaTokenizer
from .pattern import TIME_LIMIT, Splitter, _written
from .pattern_syntax import Alt
from .pipeline.pretokenizers import Pieces, Split
from .pipeline_bytelevel import PipelineByteLevelTokenizer, StageSplitter
from .pipeline_tokenizer import PipelineTokenizer
from .sentencepiece import SentencePieceTokenizer
from .sp_normalizer import SPACE
from .vocabulary import Int64s, TokenKind

#: Bytes behind a pre-token that its pattern may look at; what it says is checked against where the pre-token ends.
AHEAD = 1024
#: Bytes before it, for patterns that look behind.
BEHIND = 64
#: Tokens of a word that is looked for by space marks, and characters of a piece that is one.
WORD = 64
LONG = 256


@dataclass(frozen=True, slots=True)
class Branch:
    """Alternative `number` (from 1) of `of` in a split pattern; text: as the pattern has it."""

    number: int
    of: int
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes start .. end of the document that are segmented by themselves.

    spelled: the text that the model saw, None for a byte-level model. branch: of the split pattern, None where no
    single pattern cuts. start_by, end_by: the pre-tokenizer stage that cut there, "" where it is not known or none did.
    tokens: (first, count), None: those inside the bytes. word: the piece is a word of a text that is segmented whole.
    """

    start: int
    end: int
    spelled: str | None = None
    branch: Branch | None = None
    start_by: str = ""
    end_by: str = ""
    tokens: tuple[int, int] | None = None
    word: bool = False

    def moved(self, bytes_on: int, tokens_on: int = 0) -> Piece:
        """The same piece in a text with something before it."""
        tokens = None if self.tokens is None else (self.tokens[0] + tokens_on, self.tokens[1])
        return replace(self, start=self.start + bytes_on, end=self.end + bytes_on, tokens=tokens)


def find_piece(document: Document, index: int) -> Piece | None:
    """The piece around a token; None for a token that stages before the model found, and where nothing is known."""
    window = document.tokens(index, index + 1)
    if not len(window) or int(window.kinds[0]) in (TokenKind.SPECIAL, TokenKind.ADDED):
        return None
    start, end = int(window.starts[0]), int(window.ends[0])
    tokenizer = document.tokenizer
    if isinstance(tokenizer, ByteLevelTokenizer):
        return _byte_level(document, tokenizer, start, end)
    if isinstance(tokenizer, PipelineTokenizer):
        found = _staged(document, tokenizer).find(start, end)
        return found if found is not None and len(found.spelled or "") <= LONG else _word(document, index)
    if isinstance(tokenizer, SentencePieceTokenizer | LlamaTokenizer):
        return _word(document, index)
    return None


def _byte_level(document: Document, tokenizer: ByteLevelTokenizer, start: int, end: int) -> Piece | None:
    edges = document.pre_token_edges(start, end)
    if edges is not None:
        starts, ends = edges[:-1], edges[1:]
    else:
        found = Stages(document).pre_tokens(start, end)
        if found is None:
            return None
        starts, ends = found
    hit = np.flatnonzero((starts <= start) & (ends >= end))
    if not len(hit):
        return None
    low, high = int(starts[hit[0]]), int(ends[hit[0]])
    if isinstance(tokenizer.splitter, StageSplitter):
        assert isinstance(tokenizer, PipelineByteLevelTokenizer)
        staged = _staged(document, tokenizer.pipeline)
        return Piece(low, high, start_by=staged.by(low), end_by=staged.by(high))
    return Piece(low, high, branch=_document_branch(document, tokenizer.splitter, low, high))


def _document_branch(document: Document, splitter: Splitter, start: int, end: int) -> Branch | None:
    """The alternative that matched bytes start .. end of valid UTF-8."""
    store = document.store
    stop = min(end + AHEAD, len(document))
    after = document.window(end, stop) if stop > end else None
    if after is not None:  # the next special token is the end of what the pattern sees
        given = np.isin(after.kinds, [TokenKind.SPECIAL, TokenKind.ADDED]) & (after.starts >= end)
        stop = min(int(after.starts[given].min()), stop) if given.any() else stop
    begin = max(start - BEHIND, 0)
    try:
        before = store.bytes(begin, start).lstrip(bytes(range(0x80, 0xC0))).decode("utf-8")
        here = store.bytes(start, end).decode("utf-8")
        data = store.bytes(end, stop)
        if stop < len(document):  # cut anywhere: a character may be cut
            data = data.decode("utf-8", "ignore").encode("utf-8")
        text = before + here + data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return branch_of(splitter, text, len(before), len(before) + len(here))


_COMPILED: WeakKeyDictionary[Splitter, tuple[list[Any], list[str]]] = WeakKeyDictionary()


def branch_of(splitter: Splitter, text: str, start: int, end: int) -> Branch | None:
    """Which alternative of a pattern matches characters start .. end; None when none does exactly that."""
    if splitter.tree is None:
        return None
    matchers, texts = _alternatives(splitter)
    clean = re.sub("[\ud800-\udfff]", "\ufffd", text)
    classes = splitter.classes(clean.encode("utf-8"))
    limit = {} if splitter.trusted else {"timeout": TIME_LIMIT}
    try:
        for number, matcher in enumerate(matchers, 1):
            match = matcher.match(classes, start, **limit)
            if match is not None:
                return Branch(number, len(matchers), texts[number - 1]) if match.end() == end else None
    except TimeoutError:
        return None
    return None


def _alternatives(splitter: Splitter) -> tuple[list[Any], list[str]]:
    if splitter not in _COMPILED:
        assert splitter.tree is not None
        root, members = splitter.tree
        parts = root.parts if isinstance(root, Alt) else (root,)
        compiler = re if splitter.trusted else regex
        matchers: list[Any] = [compiler.compile(_written(p, members, splitter.class_count).encode("latin-1"), 16)
                               for p in parts]
        texts = alternatives(splitter.pattern)
        if len(texts) != len(parts):  # a rule of the engine's own stands behind the pattern, or a group around it
            texts = [splitter.pattern if len(parts) == 1 else f"number {k + 1}" for k in range(len(parts))]
        _COMPILED[splitter] = matchers, texts
    return _COMPILED[splitter]


def alternatives(pattern: str) -> list[str]:
    r"""The alternatives of a pattern at its top level, as they are written.

    >>> alternatives(r"'s|[a|b]+|(x|y)\||z")
    ["'s", '[a|b]+', '(x|y)\\|', 'z']
    """
    found, depth, brackets, at, begin = [], 0, 0, 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif brackets:
            brackets += (char == "[") - (char == "]")
        elif char == "[":
            brackets = 1
            if pattern.startswith("]", at + 1):  # a ] that is first stands for itself
                at += 1
            elif pattern.startswith("^]", at + 1):
                at += 2
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            found.append(pattern[begin:at])
            begin = at + 1
        at += 1
    return [*found, pattern[begin:]]


# -- tokenizer.json's stages --------------------------------------------------------------------------------------


class _Staged:
    """The pre-tokens of a document after each stage of a pipeline."""

    def __init__(self, document: Document, tokenizer: PipelineTokenizer) -> None:
        sections = tokenizer.sections(document.data, document.special)
        own = np.flatnonzero(sections.ids < 0)
        pieces = Pieces(sections.text, sections.starts[own], sections.ends[own], own)
        self._after: list[tuple[str, set[int]]] = []
        seen = _edges(pieces)
        steps = [(s.name, s.run) for s in tokenizer._cuts]
        last = tokenizer._bytes_last
        if last is not None:
            steps.append((last.name, last.cut))
        for name, run in steps:
            pieces = run(pieces)
            edges = _edges(pieces)
            self._after.append((name, edges - seen))
            seen |= edges
        self.pieces = pieces
        self.starts, self.ends = _spans(pieces)
        self.splitter = _one_pattern(tokenizer)

    def by(self, byte_pos: int) -> str:
        """The stage that cut at a place, "" for none."""
        return next((name for name, edges in self._after if byte_pos in edges), "")

    def find(self, start: int, end: int) -> Piece | None:
        hit = np.flatnonzero((self.starts <= start) & (self.ends >= end))
        if start == end:  # zero width: a prefix space, which belongs to what begins here
            hit = hit[self.starts[hit] == start][:1] if (self.starts[hit] == start).any() else hit
        if not len(hit):
            return None
        k = int(hit[0])
        low, high = int(self.pieces.starts[k]), int(self.pieces.ends[k])
        text = self.pieces.text.text
        branch = None
        if self.splitter is not None:
            begin = max(low - BEHIND, 0)
            branch = branch_of(self.splitter, text[begin : high + AHEAD], low - begin, high - begin)
        a, b = int(self.starts[k]), int(self.ends[k])
        return Piece(a, b, text[low:high], branch, self.by(a), self.by(b))


def _one_pattern(tokenizer: PipelineTokenizer) -> Splitter | None:
    """The pattern that does all the cutting and changes nothing, where there is just one."""
    last, before = tokenizer._bytes_last, tokenizer._cuts
    splits = [s for s in before if isinstance(s, Split)]
    if last is not None and last.use_regex and not before:
        splits = [last.splitting]
    elif len(splits) != len(before) or len(before) != 1 or (last is not None and last.use_regex):
        return None
    split = splits[0]
    return split.pattern.splitter if split.behavior == "Isolated" and not split.pattern.may_be_empty else None


def _spans(pieces: Pieces) -> tuple[Int64s, Int64s]:
    if not len(pieces.starts):
        return pieces.starts, pieces.ends
    return pieces.text.starts[pieces.starts], pieces.text.ends[pieces.ends - 1]


def _edges(pieces: Pieces) -> set[int]:
    starts, ends = _spans(pieces)
    return {*starts.tolist(), *ends.tolist()}


_last: tuple[Any, bytes, object, _Staged] | None = None


def _staged(document: Document, tokenizer: PipelineTokenizer) -> _Staged:
    """Of the document as it is now; of the last one looked at it is remembered."""
    global _last
    data = document.data
    if _last is None or _last[0]() is not tokenizer or _last[1] is not data or _last[2] != document.special:
        _last = ref(tokenizer), data, document.special, _Staged(document, tokenizer)
    return _last[3]


# -- words of texts that are segmented whole ------------------------------------------------------------------------


def _word(document: Document, index: int) -> Piece | None:
    """The tokens around one, from one that begins with the space mark to the next."""
    first = max(index - WORD, 0)
    window = document.tokens(first, index + WORD)
    v = document.tokenizer.vocabulary
    rows = [v.row_of(i) for i in window.ids.tolist()]
    spelled = ["" if r is None else v.raw_at(r) for r in rows]
    apart = np.isin(window.kinds, [TokenKind.SPECIAL, TokenKind.ADDED]).tolist()
    low = high = index - first
    while low > 0 and not spelled[low].startswith(SPACE) and not apart[low - 1]:
        low -= 1
    while high + 1 < len(spelled) and not spelled[high + 1].startswith(SPACE) and not apart[high + 1]:
        high += 1
    if low == 0 < first or (high - index + first >= WORD - 1):
        return None
    starts, ends = window.starts[low : high + 1], window.ends[low : high + 1]
    return Piece(int(starts.min()), int(ends.max()), "".join(spelled[low : high + 1]),
                 tokens=(first + low, high - low + 1), word=True)
