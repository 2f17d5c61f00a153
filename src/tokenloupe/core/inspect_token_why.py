"""Why a token begins and ends where it does, and why what stands around it is not one token.

    >>> why = explain(Document(gpt2, b"a tokenizer"), 1)
    >>> why.left
    'A pre-token ends here: alternative 2 of 7 of the split pattern, “ ?\\\\p{L}++”, matched “a” and no more.'
    >>> why.one
    ('No entry has the bytes of “ tokenizer”, 10 bytes: it takes 2 tokens.',)

Three things draw a boundary: a stage before the model (a special token, a pre-tokenizer, its pattern), the model
itself (no entry, no merge, a merge that came first, a better sum of scores), or the text's ends. What cannot be known
is said to be unknown: nothing here is guessed. Long texts of tokenizers that need all of it are looked at through an
excerpt, and only where that gives the same token.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .byte_forms import escaped
from .bytelevel import ByteLevelTokenizer
from .document import Document, TokenWindow
from .greedy import GreedyTokenizer
from .inspect_token_merges import Trace, merges_by_score, pairs_of, replay, spelled_rows
from .inspect_token_pieces import Branch, Piece, find_piece
from .inspect_token_ways import Way, is_unigram, score_of, ways
from .llamacpp import LlamaTokenizer
from .llamacpp_models import WordPieceModel
from .pipeline.models.bpe import BPE
from .pipeline.models.wordpiece import WordPiece
from .pipeline_tokenizer import PipelineTokenizer
from .tokenizer import Tokenizer
from .vocabulary import MergeTable, TokenKind
from .wording import count_of

#: A longer text of a tokenizer that needs all of it is looked at through an excerpt.
LIMIT = 1 << 15
#: Bytes on either side of a token that an excerpt of a long text has.
EXCERPT = 1 << 13
#: Characters of a text that a sentence quotes.
QUOTED = 40


@dataclass(frozen=True, slots=True)
class Why:
    """scheme: how the model works, in a few words. piece: what was segmented by itself, None where it is not known.

    tokens: index of the first token in it and how many. branch: the alternative of the pattern that matched it.
    left, right: why there is a boundary at the token's start and end. one: why the piece is one token, or is not.
    trace: its merges. ways: the best segmentations by score, the one in the document among them (`chosen`).
    """

    scheme: str
    piece: Piece | None
    tokens: tuple[int, int]
    left: str
    right: str
    one: tuple[str, ...]
    trace: Trace | None = None
    ways: tuple[Way, ...] = ()
    chosen: Way | None = None

    @property
    def branch(self) -> Branch | None:
        return self.piece.branch if self.piece is not None else None


def quoted(data: bytes) -> str:
    """Bytes as escaped text in quotation marks, the middle of a long one left out."""
    ends = 4 * QUOTED  # a character has at most four bytes: what is shown is made of these
    text = escaped(data if len(data) <= 2 * ends else data[:ends] + data[-ends:])
    if len(text) > QUOTED:
        text = f"{text[: QUOTED // 2]}…{text[-QUOTED // 2 :]}"
    return f"“{text}”"


def brief(pattern: str) -> str:
    """A pattern in quotation marks, the middle of a long one left out."""
    return f"“{pattern if len(pattern) <= 2 * QUOTED else f'{pattern[:QUOTED]}…{pattern[-QUOTED:]}'}”"


def explain(document: Document, index: int) -> Why:
    """IndexError when there is no such token (yet)."""
    window = document.tokens(index, index + 1)
    if index < 0 or not len(window):
        raise IndexError(index)
    start, end = int(window.starts[0]), int(window.ends[0])
    if document.pre_token_edges(0, 0) is None and len(document) > LIMIT:
        found = _excerpt(document, int(window.ids[0]), start, end)
        if found is None:
            scheme = scheme_of(document.tokenizer)
            unknown = f"The text is longer than {LIMIT >> 10} KiB, and no excerpt of it gives the same token."
            return Why(scheme, None, (index, 1), unknown, unknown, ())
        part, base, inner = found
        why = _Look(part, inner).why()
        moved = None if why.piece is None else why.piece.moved(base, index - inner)
        return Why(why.scheme, moved, (why.tokens[0] + index - inner, why.tokens[1]), why.left, why.right, why.one,
                   why.trace, why.ways, why.chosen)
    return _Look(document, index).why()


def prepare(tokenizer: Tokenizer) -> None:
    """Make the tables that explain() and token_facts() look things up in: up to a second for 262,144 entries, which a
    window had better not wait for. They are kept with the tokenizer."""
    tokenizer.vocabulary.id_of(b"")
    merges = listed_merges(tokenizer)
    if merges is not None:
        pairs_of(tokenizer, merges)
    if is_unigram(tokenizer) or merges_by_score(tokenizer):
        spelled_rows(tokenizer)
    if isinstance(tokenizer, ByteLevelTokenizer):
        _ = tokenizer.engine.byte_ids


def listed_merges(tokenizer: Tokenizer) -> MergeTable | None:
    """The merge list that the tokenizer works by; None where ranks or scores decide, or nothing is merged."""
    if isinstance(tokenizer, ByteLevelTokenizer):
        return tokenizer.merges
    if isinstance(tokenizer, PipelineTokenizer) and isinstance(tokenizer.parts.model, BPE):
        return tokenizer.parts.model.merges
    return None


def _excerpt(document: Document, token_id: int, start: int, end: int) -> tuple[Document, int, int] | None:
    """(a document of the lines around a token, where it begins, the token's index in it)."""
    store = document.store
    low, high = max(start - EXCERPT, 0), min(end + EXCERPT, len(store))
    before = store.bytes(low, start)
    if low:
        cut = max(before.find(b"\n"), 0)
        while cut < len(before) and before[cut] & 0xC0 == 0x80:
            cut += 1
        low += cut
    after = store.bytes(end, high)
    if high < len(store):
        cut = after.rfind(b"\n") + 1 or len(after)
        high = end + cut
        while high > end and store.bytes(high, high + 1)[0] & 0xC0 == 0x80:
            high -= 1
    part = Document(document.tokenizer, store.bytes(low, high), document.special)
    window = part.window(start - low, end - low)
    same = (window.ids == token_id) & (window.starts == start - low) & (window.ends == end - low)
    hit = np.flatnonzero(same)
    return (part, low, window.first_index + int(hit[0])) if len(hit) else None


def scheme_of(tokenizer: Tokenizer) -> str:
    """How the model makes tokens of a pre-token."""
    if isinstance(tokenizer, ByteLevelTokenizer):
        listed = tokenizer.merges is not None
        return f"byte-level BPE, by {'merge list' if listed else 'rank'}"
    if merges_by_score(tokenizer):
        return "BPE, best score first"
    if is_unigram(tokenizer):
        return "Unigram, best sum of scores"
    if isinstance(tokenizer, GreedyTokenizer):
        return "longest match"
    if isinstance(tokenizer, PipelineTokenizer):
        model = tokenizer.parts.model
        if isinstance(model, BPE):
            return "BPE, by merge list"
        return "WordPiece, longest match" if isinstance(model, WordPiece) else model.name
    if isinstance(tokenizer, LlamaTokenizer):
        return "WordPiece, longest match" if isinstance(tokenizer.model, WordPieceModel) else "BPE, by merge list"
    return type(tokenizer).__name__.removesuffix("Tokenizer")


class _Look:
    """One token in its document."""

    def __init__(self, document: Document, index: int) -> None:
        self.document, self.index = document, index
        self.tokenizer, self.vocabulary = document.tokenizer, document.tokenizer.vocabulary
        around = document.tokens(max(index - 1, 0), index + 2)
        here = index - around.first_index
        self.around, self.here = around, here
        self.id = int(around.ids[here])
        self.start, self.end = int(around.starts[here]), int(around.ends[here])
        self.piece = find_piece(document, index)
        self.first, self.count = self._tokens()
        self.ids: list[int] = document.tokens(self.first, self.first + self.count).ids.tolist()

    def _tokens(self) -> tuple[int, int]:
        """The tokens of the piece, as a run around this one."""
        if self.piece is None:
            return self.index, 1
        if self.piece.tokens is not None:
            return self.piece.tokens
        low, high = self.piece.start, self.piece.end
        window = self.document.window(low, high) if high > low else self.document.tokens(self.index, self.index + 1)
        inside = (window.starts >= low) & (window.ends <= high) & (window.ends > window.starts)
        run = np.flatnonzero(inside) + window.first_index
        if not len(run) or self.index not in range(int(run[0]), int(run[-1]) + 1):
            return self.index, 1
        first, last = int(run[0]), int(run[-1]) + 1
        if first and self._is_space_before(first - 1, low):
            first -= 1
        return first, last - first

    def _is_space_before(self, index: int, byte_pos: int) -> bool:
        """Is the token a prefix space of the piece, which has no bytes of the text?"""
        w = self.document.tokens(index, index + 1)
        kind = int(w.kinds[0])
        return int(w.starts[0]) == int(w.ends[0]) == byte_pos and kind == TokenKind.NORMAL

    def bytes_of(self, token_id: int) -> bytes:
        return self.vocabulary.bytes_of(token_id) or b""

    def why(self) -> Why:
        trace = self._trace()
        unigram = is_unigram(self.tokenizer)
        found = tuple(ways(self.tokenizer, self._word())) if unigram else ()
        score = score_of(self.tokenizer, self.ids) if unigram else None
        chosen = None if score is None else Way(tuple(self.ids), score)
        if chosen is not None and not any(w.ids == chosen.ids for w in found) and found:
            # Byte pieces, unknown or user-defined ones: the scores alone do not tell this story.
            found, chosen = (), None
        kind = TokenKind(int(self.around.kinds[self.here]))
        one = self._matched(kind) if kind in (TokenKind.SPECIAL, TokenKind.ADDED) else self._one(trace, found)
        return Why(scheme_of(self.tokenizer), self.piece, (self.first, self.count), self._edge(-1, trace),
                   self._edge(1, trace), one, trace, found, chosen)

    def _matched(self, kind: TokenKind) -> tuple[str, ...]:
        what = "a special token" if kind == TokenKind.SPECIAL else "an added token"
        return (f"It is {what}: its text is matched as a whole, before anything else looks at it.",)

    def _trace(self) -> Trace | None:
        """The merges of the piece, where they end in the document's own tokens."""
        piece = self.piece
        if piece is None or not self.ids:
            return None
        data = self.document.store.bytes(piece.start, piece.end)
        made = replay(self.tokenizer, data, piece.spelled, self.ids)
        return made if made is not None and made.ids == self.ids else None

    def _word(self) -> str:
        rows = [self.vocabulary.row_of(i) for i in self.ids]
        return "".join(self.vocabulary.raw_at(r) for r in rows if r is not None)

    # -- the token's edges ---------------------------------------------------------------------------------------

    def _edge(self, side: int, trace: Trace | None) -> str:
        """Why there is a boundary at the token's start (-1) or end (1)."""
        other = self.here + side
        begins = "begins" if side < 0 else "ends"
        if not 0 <= other < len(self.around):
            return f"The text {begins} here."
        for place, verb in ((self.here, begins), (other, "ends" if side < 0 else "begins")):
            kind, token_id = int(self.around.kinds[place]), int(self.around.ids[place])
            if kind in (TokenKind.SPECIAL, TokenKind.ADDED):
                what = "special" if kind == TokenKind.SPECIAL else "added"
                name = self.bytes_of(token_id) or self.vocabulary.raw_at(self.vocabulary.row_of(token_id) or 0).encode()
                return f"The {what} token {quoted(name)} {verb} here: it is found before the model runs."
        if not self.first <= self.index + side < self.first + self.count:
            return self._piece_edge(side)
        return self._model_edge(side, trace)

    def _piece_edge(self, side: int) -> str:
        neighbour = find_piece(self.document, self.index + side)
        before = neighbour if side < 0 else self.piece
        if before is None and isinstance(self.tokenizer, GreedyTokenizer):
            first = self.index - (side < 0)
            data = self.bytes_of(int(self.document.tokens(first, first + 1).ids[0]))
            return f"No longer entry than {quoted(data)} begins at the byte where that does, so the next begins here."
        if before is None:
            return "The tokenizer's stages are not known one by one here."
        data = self.document.store.bytes(before.start, before.end)
        stage = before.end_by or (self.piece.start_by if side < 0 and self.piece is not None else "")
        if before.word:
            return f"A word ends here, {quoted(data)}: the next begins with a space mark."
        if before.branch is not None:
            b = before.branch
            return (f"A pre-token ends here: alternative {b.number} of {b.of} of the split pattern, {brief(b.text)}, "
                    f"matched {quoted(data)} and no more.")
        if stage:
            return f"The pre-tokenizer {stage} cuts here, after {quoted(data)}."
        return f"A pre-token ends here: {quoted(data)} is segmented by itself."

    def _model_edge(self, side: int, trace: Trace | None) -> str:
        other = int(self.around.ids[self.here + side])
        pair = (other, self.id) if side < 0 else (self.id, other)
        left, right = map(self.bytes_of, pair)
        kinds = self.around.kinds[[self.here, self.here + side]].tolist()
        if TokenKind.UNKNOWN in kinds:
            return "The model cuts here: what it has no entry for is a token of its own."
        if TokenKind.BYTE in kinds:
            return "The model cuts here: a character without an entry is written in bytes, which join with nothing."
        entry = self.vocabulary.id_of(left + right) if left and right else None
        names = f"{quoted(left)} and {quoted(right)}"
        if entry is None:
            return f"The model cuts here: no entry has the bytes of {names} together."
        return f"The model cuts {names} apart though entry {entry} has the bytes of both: {self._because(pair, trace)}"

    def _because(self, pair: tuple[int, int], trace: Trace | None) -> str:
        """Why two neighbours are not one token though an entry has the bytes of both."""
        if is_unigram(self.tokenizer):
            return "this way to cut the word has the better sum of scores."
        merges = listed_merges(self.tokenizer)
        if merges is not None:
            if pairs_of(self.tokenizer, merges).get(*pair) < 0:
                entry = self.vocabulary.id_of(b"".join(map(self.bytes_of, pair)))
                return f"no merge joins these two; {self._made_of(merges, entry or 0)}."
            return "they were never neighbours while the merge could be made."
        if isinstance(self.tokenizer, GreedyTokenizer) or "longest" in scheme_of(self.tokenizer):
            return "it may stand only at the other place in a word (at its start, or inside)."
        return "the model's own order did not come to it."

    def _made_of(self, merges: MergeTable, entry: int) -> str:
        making = np.flatnonzero(merges.result == entry)
        if not len(making):
            return f"no merge makes entry {entry} at all"
        m = int(making[0])
        return (f"entry {entry} is made of {quoted(self.bytes_of(int(merges.left[m])))} and "
                f"{quoted(self.bytes_of(int(merges.right[m])))}, merge {m}")

    # -- one token or several ------------------------------------------------------------------------------------

    def _one(self, trace: Trace | None, found: tuple[Way, ...]) -> tuple[str, ...]:
        kind = int(self.around.kinds[self.here])
        if kind == TokenKind.UNKNOWN:
            data = self.document.store.bytes(self.start, self.end)
            return (f"It is the unknown token: no entry fits {quoted(data)}.",)
        if self.piece is None and self.count == 1:
            return ()
        whole = self.vocabulary.joined(self.ids)
        if self.count == 1:
            return self._is_one(trace, whole)
        entry = self.vocabulary.id_of(whole)
        if entry is None:
            return (f"No entry has the bytes of {quoted(whole)}, {count_of(len(whole), 'byte')}: "
                    f"it takes {count_of(self.count, 'token')}.",)
        first = f"Entry {entry} has the bytes of {quoted(whole)}, but it was not made."
        merges = listed_merges(self.tokenizer)
        if found:
            other = next((w for w in found if w.ids == (entry,)), None)
            return (f"{first[:-1]}: its score is {other.score:.2f}, that of the way taken "
                    f"{found[0].score:.2f}." if other else first,)
        if trace is None or merges is None:
            return (first,)
        return (first, self._stood_against(trace, merges, entry))

    def _is_one(self, trace: Trace | None, whole: bytes) -> tuple[str, ...]:
        if trace is None:
            return (f"{quoted(whole)} is one entry.",)
        if trace.whole:
            return (f"{quoted(whole)} is an entry: it is looked up whole, before any merge.",)
        if not trace.steps:
            return (f"{quoted(whole)} is a single symbol.",)
        last = trace.steps[-1]
        by = f"merge {last.rank}" if last.rank is not None else f"score {last.score:.2f}"
        return (f"The last of {len(trace.steps)} merges, {by}, joined {quoted(self.bytes_of(last.left.id))} and "
                f"{quoted(self.bytes_of(last.right.id))}.",)

    def _stood_against(self, trace: Trace, merges: MergeTable, entry: int) -> str:
        """The merge that kept the parts of an entry from standing side by side."""
        making = np.flatnonzero(merges.result == entry)
        if not len(making):
            return f"No merge makes entry {entry}: it is found only where it is looked up whole."
        m = int(making[0])
        left = self.bytes_of(int(merges.left[m]))
        right = self.bytes_of(int(merges.right[m]))
        needs = f"Merge {m} needs {quoted(left)} and {quoted(right)} side by side"
        step = trace.crossing(len(left))
        if step is not None:
            return (f"{needs}, but merge {step.rank} came first and joined {quoted(self.bytes_of(step.left.id))} and "
                    f"{quoted(self.bytes_of(step.right.id))} across the place between them.")
        missing = next((p for p, span in ((left, (0, len(left))), (right, (len(left), len(left) + len(right))))
                        if len(p) > 1 and trace.joined(*span) is None), None)
        return needs + (f", but {quoted(missing)} was never made." if missing is not None else ", and they never were.")


__all__ = ["Branch", "Piece", "TokenWindow", "Way", "Why", "explain", "quoted", "scheme_of"]
