"""Byte-level BPE tokenizers: special tokens, then a split pattern, then merges of bytes.

    >>> tokenizer = load_bundled("gpt2")
    >>> tokenizer.encode("hello world").ids
    array([31373,   995])

Two kinds. A rank file (tiktoken) looks a whole pre-token up first, and merges two symbols when their bytes together
are an entry; the entry's id is its rank. A merge list (GPT-2's files, tokenizer.json) has ranks of its own. The lowest
rank is merged first and, of equal ranks, the leftmost. The engine is bytebpe.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import ClassVar, Literal, Protocol

import numpy as np
import regex
from numpy.typing import NDArray

from .bytebpe import ByteBPE
from .bytebpe_atoms import Crossing
from .lookup import Slots
from .pattern import Splitter
from .roundtrip import judge
from .tokenizer import Encoding, SpecialMode, Tokenizer
from .vocabulary import Int64s, MergeTable, TokenKind, Vocabulary, gather

#: encode_steps works in slices of so many bytes: some 8 ms.
STEP = 1 << 16


class Matcher(Protocol):
    """Finds added and special tokens before the pattern runs."""

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        """(byte_start, byte_end, id), sorted and disjoint."""


class SpecialMatcher:
    """tiktoken's rule: one alternation in the order of the file; at a place the first that fits wins.

    always: texts that are matched in every mode (added tokens). The reference walks a hash map, so that where one
    special token begins with another its choice is not reproducible: the file's order is kept here, and `said` warns.
    """

    def __init__(self, special: dict[str, int], always: dict[str, int] | None = None) -> None:
        self._special = {t.encode("utf-8", "surrogatepass"): t for t in special if t}
        self._always = [t.encode("utf-8", "surrogatepass") for t in always or () if t]
        self._ids = {t.encode("utf-8", "surrogatepass"): i for t, i in {**(always or {}), **special}.items()}
        self._compiled: dict[SpecialMode, regex.Pattern[bytes] | None] = {}

    @property
    def said(self) -> tuple[str, ...]:
        """A warning where one special token begins with another."""
        texts = sorted(self._special)
        pairs = [(a, b) for a, b in combinations(texts, 2) if b.startswith(a)] if len(texts) < 64 else [
            (a, b) for a, b in pairwise(texts) if b.startswith(a)]
        if not pairs:
            return ()
        a, b = (self._special[x] for x in pairs[0])
        return (f"the special token {b!r} begins with another, {a!r}: the one that is first in the file is matched, "
                "tiktoken's choice may differ",)

    def _pattern(self, special: SpecialMode) -> regex.Pattern[bytes] | None:
        if special not in self._compiled:
            chosen = [] if special == "text" else [
                t for t, name in self._special.items() if special == "parse" or name in special]
            texts = [*chosen, *self._always]
            self._compiled[special] = regex.compile(b"|".join(map(regex.escape, texts))) if texts else None
        return self._compiled[special]

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        pattern = self._pattern(special)
        return [] if pattern is None else [(*m.span(), self._ids[m.group()]) for m in pattern.finditer(data)]


@dataclass(frozen=True, slots=True)
class Pieces:
    """ids, starts, ends: int64 (tokens,), offsets into the data given; counts: int64 (pre-tokens,), tokens of each."""

    ids: Int64s
    starts: Int64s
    ends: Int64s
    counts: Int64s


class ByteLevelTokenizer(Tokenizer):
    """vocabulary: all entries; those of kind NORMAL are the model's. merges: None for a rank file (ids are ranks).

    special_tokens are matched when asked for, added_tokens always; `matcher` replaces the matching of both.
    """

    def __init__(
        self,
        name: str,
        format: str,
        sha256: str,
        vocabulary: Vocabulary,
        splitter: Splitter,
        *,
        merges: MergeTable | None = None,
        ignore_merges: bool = False,
        special_tokens: dict[str, int] | None = None,
        added_tokens: dict[str, int] | None = None,
        matcher: Matcher | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        self.name, self.format, self.sha256 = name, format, sha256
        self.vocabulary, self.splitter = vocabulary, splitter
        self.merges, self.ignore_merges = merges, ignore_merges
        self.special_tokens = dict(special_tokens or {})
        self.added_tokens = dict(added_tokens or {})
        self._own_matcher = matcher is None
        self.matcher: Matcher = matcher or SpecialMatcher(self.special_tokens, self.added_tokens)
        said = self.matcher.said if isinstance(self.matcher, SpecialMatcher) else ()
        self.warnings = (*warnings, *said)

    #: What bytes that are no UTF-8 become: "tail", see pre_tokens; "each", a character of its own, as U+FFFD is one;
    #: None, something else.
    broken_utf8: ClassVar[Literal["tail", "each"] | None] = "tail"
    #: The engine's `slots` and `crossing`, where they are known from an earlier time.
    known_slots: tuple[Slots, Slots | None] | None = None
    known_crossing: Crossing | None = None

    @cached_property
    def engine(self) -> ByteBPE:
        """The BPE of pre-tokens. Built when first asked for."""
        v = self.vocabulary
        rows = np.flatnonzero(v.kinds == TokenKind.NORMAL)
        if len(rows) and int(rows[-1] - rows[0]) == len(rows) - 1:  # special ones come last, as a rule, or first
            some = slice(int(rows[0]), int(rows[-1]) + 1)
            low, high = int(v.offsets[some.start]), int(v.offsets[some.stop])
            offsets = v.offsets[some.start : some.stop + 1]
            return ByteBPE(v.blob[low:high], offsets - low if low else offsets, v.ids[some],
                           self.merges, self.ignore_merges, self.known_slots, self.known_crossing)
        lengths = np.diff(v.offsets)[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        blob = gather(np.frombuffer(v.blob, np.uint8), v.offsets[:-1][rows], lengths).tobytes()
        return ByteBPE(blob, offsets, v.ids[rows], self.merges, self.ignore_merges, self.known_slots,
                       self.known_crossing)

    def lengths_of(self, ids: Int64s) -> Int64s:
        """Bytes of each id."""
        return self.vocabulary.lengths.take(self.vocabulary.rows_of(ids))

    @cached_property
    def merge_table(self) -> MergeTable:
        """The merges in rank order. A rank file has none: they are derived, an entry's parts being the last two symbols
        that merges of lower ranks leave of it. Entries that no merge makes (they are only found whole) are not in it.
        """
        if self.merges is not None:
            return self.merges
        left, right, made = self.engine.derived_merges()
        return MergeTable(left, right, made, derived=True)

    # -- pieces: what a document under edit works with -----------------------------------------------------------

    def encode_piece(self, piece: bytes) -> tuple[int, ...]:
        """The ids of one pre-token (its bytes that have no token are left out)."""
        engine = self.engine
        return engine.encode_one(piece.translate(None, engine.missing) if engine.missing else piece)

    def encode_pieces(self, data: bytes, ends: Int64s, starts: Int64s | None = None) -> Pieces:
        """Many pre-tokens of one text: they end at `ends`, and begin at `starts` or where the one before ends."""
        ends = np.asarray(ends, np.int64)
        begins = np.concatenate((np.zeros(1, np.int64), ends[:-1]))[: len(ends)] if starts is None else starts
        if self.engine.missing:
            return self._without_missing(data, begins, ends)
        ids, counts = self.engine.encode(data, begins, ends)
        lengths = self.lengths_of(ids)
        stops = np.cumsum(lengths)
        if len(ends):
            # Spans count on from each pre-token's start: gaps between pre-tokens shift what follows.
            before = np.cumsum(ends - begins) - (ends - begins)
            if not np.array_equal(before, begins):
                stops += np.repeat(begins - before, counts)
        return Pieces(ids, stops - lengths, stops, counts)

    def _without_missing(self, data: bytes, starts: Int64s, ends: Int64s) -> Pieces:
        """Bytes that have no token are dropped and what is around them merges across, as `tokenizers` does it."""
        have = np.ones(256, np.bool_)
        have[list(self.engine.missing)] = False
        there = have[np.frombuffer(data, np.uint8)]
        kept = np.flatnonzero(there)
        position: Int64s = np.concatenate((np.zeros(1, np.int64), np.cumsum(there, dtype=np.int64)))
        ids, counts = self.engine.encode(data.translate(None, self.engine.missing), position[starts], position[ends])
        lengths = self.lengths_of(ids)
        # Positions among the kept bytes of all pre-tokens, then in the text.
        own = zip(position[starts].tolist(), position[ends].tolist(), strict=True)
        inside = np.concatenate([kept[a:b] for a, b in own] or [kept[:0]])
        stops = np.cumsum(lengths)
        if not len(ids):
            return Pieces(ids, stops, stops, counts)
        return Pieces(ids, inside[stops - lengths], inside[stops - 1] + 1, counts)

    def piece_cuts(self, data: bytes, start: int, end: int) -> Int64s:
        """Offsets between start and end, inside one pre-token `data`, that no token can lie across.

        For editing inside a pre-token of a megabyte. A cut depends only on the `reach` bytes on either side of it, so
        those further than that from an edit stay cuts; what stands between two cuts is encoded by `encode_part`
        alone, exactly. Valid for pre-tokens longer than `reach` (a shorter one may be an entry as a whole).
        """
        return self.engine.reach.cuts(data, start, end)

    @cached_property
    def reach(self) -> int:
        """Bytes of the longest entry."""
        return int(self.engine.table.longest)

    def encode_part(self, part: bytes) -> Int64s:
        """The ids of the bytes between two cuts of a pre-token: merges alone, no look-up of the whole."""
        return self.engine.merge_part(part)

    # -- texts ---------------------------------------------------------------------------------------------------

    def pre_tokens(self, data: bytes) -> tuple[Int64s, Int64s]:
        """(starts, ends) of the pre-tokens of a text without special tokens, valid UTF-8 or not.

        Bytes that are not UTF-8 follow tiktoken's `_encode_bytes`: the text before the first of them is split as
        usual, its last pre-token (or more of it: see `_unstable_from`) is taken back and is one with all that follows.
        That what is left of a pre-token taken back in part encodes to the tokens it had is a property of BPE: no
        merge went over the seam, so those on either side do not depend on each other.
        """
        try:
            if not data.isascii():
                data.decode("utf-8")
        except UnicodeDecodeError as error:
            return self.with_tail(data, *self.splitter.spans(data[: error.start]))
        return self.splitter.spans(data)

    def with_tail(self, data: bytes, starts: Int64s, ends: Int64s) -> tuple[Int64s, Int64s]:
        """(starts, ends) of the pre-tokens of `data` from those of the part of it that is UTF-8."""
        if not len(ends):
            return np.array([0], np.int64), np.array([len(data)], np.int64)
        tail = self._unstable_from(data, starts, ends)
        keep = int(np.searchsorted(starts, tail))
        ends = ends[:keep].copy()
        if keep:
            ends[-1] = min(int(ends[-1]), tail)
        return np.append(starts[:keep], tail), np.append(ends, len(data))

    def _unstable_from(self, data: bytes, starts: Int64s, ends: Int64s) -> int:
        """Where tiktoken's last piece starts: at the last pre-token; when that begins with a token of spaces, newlines
        and tabs alone, further back over all such tokens before it."""
        def blank(token_id: int) -> bool:
            return not (self.vocabulary.bytes_of(token_id) or b"x").strip(b" \n\t")

        at = int(starts[-1])
        last = self.encode_piece(data[at : ends[-1]])
        if not last or not blank(last[0]):
            return at
        for a, b in zip(starts[-2::-1].tolist(), ends[-2::-1].tolist(), strict=True):
            at = int(b)
            for i in reversed(self.encode_piece(data[a:b])):
                if not blank(i):
                    return at
                at -= int(self.vocabulary.lengths[self.vocabulary.row_of(i) or 0])
        return at

    def _sections(self, data: bytes, special: SpecialMode) -> Iterator[tuple[int, int, int]]:
        """(byte_start, byte_end, id of the special or added token, -1 for text), in order, without gaps."""
        at = 0
        for a, b, token_id in self.matcher.matches(data, special):
            if a > at:
                yield at, a, -1
            yield a, b, token_id
            at = int(b)
        if at < len(data):
            yield at, len(data), -1

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        parts: list[tuple[Int64s, Int64s, Int64s]] = []
        for start, end, token_id in self._sections(data, special):
            if token_id >= 0:
                parts.append(tuple(np.array([x], np.int64) for x in (token_id, start, end)))  # type: ignore[arg-type]
                continue
            section = data[start:end]
            begins, ends = self.pre_tokens(section)
            made = self.encode_pieces(section, ends, begins)
            parts.append((made.ids, made.starts + start, made.ends + start) if start else
                         (made.ids, made.starts, made.ends))
        return self._encoding(data, parts)

    def _encoding(self, data: bytes, parts: Sequence[tuple[Int64s, Int64s, Int64s]]) -> Encoding:
        if len(parts) == 1:
            ids, starts, ends = parts[0]
        else:
            none = [np.zeros(0, np.int64)]
            ids, starts, ends = (np.concatenate([p[k] for p in parts] or none) for k in range(3))
        return Encoding(data, ids, starts, ends, self.kinds_of(ids), self.vocabulary)

    def kinds_of(self, ids: Int64s) -> NDArray[np.uint8]:
        """TokenKind of each id."""
        return self.vocabulary.kinds.take(self.vocabulary.rows_of(ids))

    def judged(self, made: Encoding, special: SpecialMode) -> Encoding:
        # A token's span is the bytes it decodes to, so spans that cover the text are a proof; but not where tokens
        # are found by another's rules, or where bytes were dropped between merged ones.
        if self._own_matcher and not self.engine.missing and int((made.ends - made.starts).sum()) == len(made.data):
            return replace(made, exact=True)
        return judge(self, made)

    def encode_steps(self, data: bytes, special: SpecialMode, bos_eos: bool = False) -> Iterator[float | Encoding]:
        parts: list[tuple[Int64s, Int64s, Int64s]] = []
        for start, end, token_id in self._sections(data, special):
            if token_id >= 0:
                parts.append(tuple(np.array([x], np.int64) for x in (token_id, start, end)))  # type: ignore[arg-type]
                continue
            section = data[start:end]
            begins, ends = self.pre_tokens(section)
            edges = np.flatnonzero(np.diff(begins // STEP)) + 1
            for a, b in zip([0, *edges.tolist()], [*edges.tolist(), len(ends)], strict=True):
                made = self.encode_pieces(section, ends[a:b], begins[a:b])
                parts.append((made.ids, made.starts + start, made.ends + start))
                yield (start + int(ends[b - 1])) / len(data) if b else 0.0
        yield self.judged(self._encoding(data, parts), special)


def special_kinds(tokens: Iterable[int]) -> dict[int, TokenKind]:
    """kinds for Vocabulary.build: all of them SPECIAL."""
    return dict.fromkeys(tokens, TokenKind.SPECIAL)
