"""Which entries can some text produce? For each: a text that does (a witness), a proof that none does, or neither.

    >>> found = reach(VocabularyIndex(load_bundled("gpt2")))
    >>> found.status_of(995), found.witness(995)
    (<Status.OWN: 0>, (b' world', 'text'))

A text here is valid UTF-8, as the reference libraries take it. `encode(decode(id)) == [id]` is the first thing tried
and only that: many an entry needs a neighbour, and a part of a character needs the rest of it. Every witness has been
encoded, and the entry was among its tokens. The search is bounded (LIMITS says how); what it does not find and no proof
rules out is NONE_FOUND and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .lineage import Lineage
from .query import VocabularyIndex
from .reach_neighbours import Neighbours
from .reach_proofs import Prover
from .reach_texts import characters, contexts, quiet_letters
from .reach_trial import Trial
from .scripts import Utf8Class
from .tokenizer import SpecialMode, Tokenizer
from .vocabulary import Int64s, TokenKind, join_bytes
from .vocabulary_only import VocabularyOnly

#: Characters of which the tokens are looked at in one slice; texts that are tried: see Trial.slice.
SLICE = 1024
#: Entries whose texts are listed at a time.
GROUP = 256
#: Entries for which every possible neighbour is looked at: 0.1 to 1 s each.
MOST_NEIGHBOURS = 40

LIMITS = ("tried: the entry's own text, every assigned character alone, and the entry with up to 12 neighbours and 6 "
          "letters that no other entry has on either side, with 36 pairs of neighbours, or with up to 320 ways to "
          "complete its cut characters")

NOT_TRIED = "nothing was tried: only the vocabulary is known, not what encodes a text with it"


class Status(IntEnum):
    """OWN: its own text yields it. CONTEXT: another text does. UNREACHABLE: proved that none does. NONE_FOUND: neither
    a text nor a proof was found."""

    OWN = 0
    CONTEXT = 1
    UNREACHABLE = 2
    NONE_FOUND = 3

    @property
    def word(self) -> str:
        return ("its own text", "a text around it", "unreachable", "none found")[self]


@dataclass
class Reachability:
    """status: uint8 (n,) of Status. witnesses: row -> a text, for CONTEXT. proofs: row -> why no text can, for
    UNREACHABLE. parsed: rows whose witness must be encoded with special="parse"."""

    index: VocabularyIndex
    status: NDArray[np.uint8]
    witnesses: dict[int, bytes] = field(default_factory=dict)
    proofs: dict[int, str] = field(default_factory=dict)
    parsed: set[int] = field(default_factory=set)
    limits: str = LIMITS

    @property
    def tried(self) -> bool:
        """False when there was nothing to encode texts with."""
        return self.limits != NOT_TRIED

    def rows(self, status: Status) -> Int64s:
        """The rows of a status, ascending."""
        return np.flatnonzero(self.status == status)

    def status_of(self, token_id: int) -> Status:
        row = self.index.vocabulary.row_of(token_id)
        assert row is not None
        return Status(int(self.status[row]))

    def witness(self, token_id: int) -> tuple[bytes, SpecialMode] | None:
        """(text, the mode to encode it in), None when there is no witness."""
        row = self.index.vocabulary.row_of(token_id)
        assert row is not None
        if self.status[row] > Status.CONTEXT:
            return None
        mode: SpecialMode = "parse" if row in self.parsed else "text"
        text = self.witnesses.get(row)
        return (self.index.vocabulary.bytes_at(row) if text is None else text), mode


def reach(index: VocabularyIndex) -> Reachability:
    """All of `reach_steps` at once."""
    *_, last = reach_steps(index)
    assert isinstance(last, Reachability)
    return last


def reach_steps(index: VocabularyIndex, lineage: Lineage | None = None) -> Iterator[float | Reachability]:
    """Yields progress 0..1 in slices, at last the Reachability. Stop iterating to give up. lineage: of the index, where
    there is one already."""
    if index.tokenizer is None or isinstance(index.tokenizer, VocabularyOnly):
        yield Reachability(index, np.full(len(index), Status.NONE_FOUND, np.uint8), limits=NOT_TRIED)
        return
    search = _Search(index, index.tokenizer, lineage)
    yield from search.own_texts()
    yield from search.single_characters()
    yield from search.prove()
    yield from search.contexts()
    yield from search.neighbours()
    yield search.found


class _Search:
    """The stages, each over the rows that the ones before left open."""

    def __init__(self, index: VocabularyIndex, tokenizer: Tokenizer, lineage: Lineage | None) -> None:
        self.index, self.tokenizer, self.vocabulary = index, tokenizer, index.vocabulary
        self.trial = Trial(tokenizer)
        self.engine = self.trial.engine
        self.prover = Prover(index, tokenizer, self.engine, lineage)
        self.found = Reachability(index, np.full(len(index), Status.NONE_FOUND, np.uint8))
        self.ids: list[int] = self.vocabulary.ids.tolist()

    def open_rows(self) -> list[int]:
        rows: list[int] = self.found.rows(Status.NONE_FOUND).tolist()
        return rows

    def _note(self, row: int, text: bytes) -> None:
        own = text == self.vocabulary.bytes_at(row)
        self.found.status[row] = Status.OWN if own else Status.CONTEXT
        if not own:
            self.found.witnesses[row] = text

    def _try(self, rows: Sequence[int], texts: Sequence[bytes], mode: SpecialMode = "text") -> Iterator[None]:
        """Of several texts for one row the first that yields it is kept. In slices."""
        at = 0
        while at < len(texts):
            some = rows[at : at + self.trial.slice]
            good = self.trial.yields(texts[at : at + len(some)], [self.ids[r] for r in some], mode)
            for i in np.flatnonzero(good).tolist():
                if self.found.status[some[i]] == Status.NONE_FOUND:
                    self._note(some[i], texts[at + i])
            at += len(some)
            yield

    def own_texts(self) -> Iterator[float]:
        """Each entry's own text; special and added ones by their text, the former parsed."""
        by_id = {i: t for t, i in self.tokenizer.added_tokens.items()}
        special = {i: t for t, i in self.tokenizer.special_tokens.items()}
        modes: tuple[tuple[SpecialMode, dict[int, str]], ...] = (
            ("parse", special), ("text", {i: t for i, t in by_id.items() if i not in special}))
        for mode, names in modes:
            named = [(row, text.encode("utf-8", "surrogatepass")) for i, text in names.items()
                     if text and (row := self.vocabulary.row_of(i)) is not None]
            for _ in self._try([r for r, _ in named], [t for _, t in named], mode):
                yield 0.0
            if mode == "parse":
                self.found.parsed.update(r for r, _ in named if self.found.status[r] != Status.NONE_FOUND)
        whole = self.index.classes == Utf8Class.WHOLE
        rows = np.flatnonzero(whole & (self.found.status == Status.NONE_FOUND)).tolist()
        for at in range(0, len(rows), 8 * GROUP):
            some = rows[at : at + 8 * GROUP]
            for _ in self._try(some, [self.vocabulary.bytes_at(r) for r in some]):
                yield 0.6 * at / len(rows)

    def single_characters(self) -> Iterator[float]:
        """Parts of characters, byte pieces: every assigned character alone, those that yield an open entry tried."""
        wanted = (self.found.status == Status.NONE_FOUND) & (
            (self.index.classes != Utf8Class.WHOLE)
            | np.isin(self.vocabulary.kinds, (int(TokenKind.BYTE), int(TokenKind.UNKNOWN))))
        if not wanted.any():
            return
        chars = characters()
        yield 0.6
        for at in range(0, len(chars), SLICE):
            some = [chr(c).encode() for c in chars[at : at + SLICE].tolist()]
            ids, owner = self._tokens_of(some)
            rows = np.searchsorted(self.vocabulary.ids, ids)
            rows = np.minimum(rows, len(self.vocabulary) - 1)
            hits = np.flatnonzero(wanted[rows])
            if len(hits):
                _, first = np.unique(rows[hits], return_index=True)
                chosen = hits[first]
                share = 0.6 + 0.15 * at / len(chars)
                yield from (share for _ in self._try(rows[chosen].tolist(), [some[i] for i in owner[chosen].tolist()]))
                wanted[self.found.status != Status.NONE_FOUND] = False
            yield 0.6 + 0.15 * at / len(chars)
            if not wanted.any():
                return

    def _tokens_of(self, texts: list[bytes]) -> tuple[Int64s, Int64s]:
        """(ids, which text each is of): a hint where to look, verified afterwards."""
        blob, offsets = join_bytes(texts)
        if self.engine is not None:
            some = self.engine.encode_pieces(blob, offsets[1:], offsets[:-1])
            return some.ids, np.repeat(np.arange(len(texts)), some.counts)
        try:
            encoding = self.tokenizer._encode(blob, "text", False)
        except InputError:  # the library refuses one of them: one by one, then
            made = [self.trial.ids(t) for t in texts]
            return np.concatenate(made), np.repeat(np.arange(len(texts)), [len(ids) for ids in made])
        owner = np.searchsorted(offsets, encoding.starts, "right") - 1
        return encoding.ids, np.clip(owner, 0, len(texts) - 1)

    def prove(self) -> Iterator[float]:
        """Entries that no text can produce."""
        prover = self.prover
        for step in prover.prepare(self.open_rows()):
            yield 0.75 + 0.04 * step
        for number, row in enumerate(self.open_rows()):
            proof = prover.proof(row)
            if proof:
                self.found.status[row] = Status.UNREACHABLE
                self.found.proofs[row] = proof
            if number % 16 == 0:
                yield 0.79
        yield 0.8

    def contexts(self) -> Iterator[float]:
        """Neighbours and completions, a few at first and more for what is still open."""
        quiet = quiet_letters(self.index)
        yield 0.8
        for stage in range(3):
            rows = self.open_rows()
            for at in range(0, len(rows), GROUP):
                share = 0.8 + 0.17 * (stage + at / len(rows)) / 3
                yield from (share for _ in self._rounds(rows[at : at + GROUP], stage, quiet))

    def _rounds(self, rows: Sequence[int], stage: int, quiet: Sequence[str]) -> Iterator[None]:
        """The contexts of a stage for some rows: the first one of each, the next of those still open, two, four.."""
        texts = {}
        for row in rows:
            texts[row] = contexts(self.vocabulary.bytes_at(row), int(self.index.classes[row]), stage, quiet)
            if len(texts) % 32 == 0:
                yield
        first, size = 0, 1
        while texts:
            some = [(row, text) for row, listed in texts.items() for text in listed[first : first + size]]
            yield from self._try([row for row, _ in some], [text for _, text in some])
            first, size = first + size, first + size
            texts = {row: listed for row, listed in texts.items()
                     if len(listed) > first and self.found.status[row] == Status.NONE_FOUND}

    def neighbours(self) -> Iterator[float]:
        """Every token that could stand beside the entry: texts of them, or a proof that there is none."""
        if self.prover.shapes is None or self.engine is None:
            return
        opened = [r for r in self.open_rows() if self.vocabulary.kinds[r] == TokenKind.NORMAL][:MOST_NEIGHBOURS]
        beside = Neighbours(self.index, self.engine, self.prover.shapes) if opened else None
        if beside is not None:
            yield from (0.97 for _ in beside.prepare())
        for number, row in enumerate(opened):
            assert beside is not None
            share = 0.97 + 0.03 * number / len(opened)
            for step in beside.steps(row):
                if step is None:
                    yield share
                    continue
                texts, proof = step
                yield from (share for _ in self._try([row] * len(texts), texts))
                if proof:
                    self.found.status[row] = Status.UNREACHABLE
                    self.found.proofs[row] = proof
            yield share
