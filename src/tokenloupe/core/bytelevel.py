"""Byte-level BPE: pre-tokens, then merges of bytes, for rank files (.tiktoken) and for merge lists (GPT-2, tokenizer.json).

    >>> t = load_bundled("gpt2")
    >>> t.encode("hello world").ids
    array([31373,   995])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import regex

from .pattern import Splitter
from .tokenizer import Encoding, SpecialMode, Tokenizer
from .vocabulary import Int64s, MergeTable, TokenKind, Vocabulary


class Matcher(Protocol):
    """Finds added and special tokens before the model runs."""

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        """(byte_start, byte_end, id), sorted and disjoint."""


class SpecialMatcher:
    """tiktoken's rule: one alternation in the order of the file; at a place the first that fits wins."""

    def __init__(self, tokens: dict[str, int]) -> None:
        self._ids = {text.encode("utf-8", "surrogatepass"): i for text, i in tokens.items()}
        self._compiled: dict[frozenset[str] | None, regex.Pattern[bytes] | None] = {}

    def _pattern(self, chosen: frozenset[str] | None) -> regex.Pattern[bytes] | None:
        if chosen not in self._compiled:
            texts = [t for t in self._ids if t and (chosen is None or t.decode("utf-8", "surrogatepass") in chosen)]
            self._compiled[chosen] = regex.compile(b"|".join(map(regex.escape, texts))) if texts else None
        return self._compiled[chosen]

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        if special == "text":
            return []
        pattern = self._pattern(None if special == "parse" else special)
        if pattern is None:
            return []
        return [(m.start(), m.end(), self._ids[m.group()]) for m in pattern.finditer(data)]


@dataclass(frozen=True, slots=True)
class Pieces:
    """ids, starts, ends: int64 (tokens,), byte offsets into the data given; counts: int64 (pre-tokens,), tokens of each."""

    ids: Int64s
    starts: Int64s
    ends: Int64s
    counts: Int64s


class ByteLevelTokenizer(Tokenizer):
    """A tokenizer whose pipeline is: special tokens, split pattern, byte-level BPE."""

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
        self.special_tokens = special_tokens or {}
        self.added_tokens = added_tokens or {}
        self.matcher: Matcher = matcher or SpecialMatcher({**self.added_tokens, **self.special_tokens})
        self.warnings = tuple(warnings)
        special_ids = set(self.special_tokens.values()) | set(self.added_tokens.values())
        pieces = [(vocabulary.bytes_at(r), int(i)) for r, i in enumerate(vocabulary.ids) if int(i) not in special_ids]
        self._id_of = dict(pieces)
        self._pairs = (
            None if merges is None else {
                (left, right): (rank, result) for rank, (left, right, result) in enumerate(
                    zip(merges.left.tolist(), merges.right.tolist(), merges.result.tolist(), strict=True))
            }
        )
        self._cache: dict[bytes, list[int]] = {}

    def encode_piece(self, piece: bytes) -> list[int]:
        """The ids of one pre-token."""
        ids = self._cache.get(piece)
        if ids is None:
            ids = self._cache[piece] = self._merge(piece)
        return ids

    def _merge(self, piece: bytes) -> list[int]:
        if (self._pairs is None or self.ignore_merges) and piece in self._id_of:
            return [self._id_of[piece]]
        ids = [self._id_of[piece[i : i + 1]] for i in range(len(piece)) if piece[i : i + 1] in self._id_of]
        if self._pairs is not None:
            while len(ids) > 1:
                rank, at, result = min(
                    (*self._pairs.get((ids[i], ids[i + 1]), (1 << 62, 0)), i)[::2] + (
                        self._pairs.get((ids[i], ids[i + 1]), (0, 0))[1],) for i in range(len(ids) - 1))
                if rank == 1 << 62:
                    break
                ids[at : at + 2] = [result]
            return ids
        edges = list(range(len(piece) + 1))
        while len(edges) > 2:
            rank, at = min(
                (self._id_of.get(piece[edges[i] : edges[i + 2]], 1 << 62), i) for i in range(len(edges) - 2))
            if rank == 1 << 62:
                break
            del edges[at + 1]
        return [self._id_of[piece[a:b]] for a, b in zip(edges, edges[1:], strict=False)]

    def encode_pieces(self, data: bytes, ends: Int64s, starts: Int64s | None = None) -> Pieces:
        """Many pre-tokens of one text at once: they end at `ends` (and begin where the one before ends, or at `starts`)."""
        stops = np.asarray(ends, np.int64)
        begins = np.concatenate([[0], stops[:-1]]).astype(np.int64) if starts is None else starts
        ids: list[int] = []
        counts: list[int] = []
        token_starts: list[int] = []
        for a, b in zip(begins.tolist(), stops.tolist(), strict=True):
            made = self.encode_piece(data[a:b])
            ids += made
            counts.append(len(made))
            for i in made:
                token_starts.append(a)
                a += len(self.vocabulary.bytes_of(i) or b"")
        got = np.array(ids, np.int64)
        at = np.array(token_starts, np.int64)
        lengths = np.array([len(self.vocabulary.bytes_of(i) or b"") for i in ids], np.int64)
        return Pieces(got, at, at + lengths, np.array(counts, np.int64))

    def pre_tokens(self, data: bytes) -> tuple[Int64s, Int64s]:
        """(starts, ends) of the pre-tokens of a text without special tokens, valid UTF-8 or not.

        Bytes that are not UTF-8 follow tiktoken's `_encode_bytes`: the text before the first of them is split as
        usual, its last pre-token is taken back and becomes one with all the bytes that follow.
        """
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            good = error.start
        else:
            return self.splitter.spans(data)
        starts, ends = self.splitter.spans(data[:good])
        if not len(ends):
            return np.array([0], np.int64), np.array([len(data)], np.int64)
        tail = self._unstable_from(data, starts, ends)
        keep = int(np.searchsorted(starts, tail))
        if keep and ends[keep - 1] > tail:  # only some tokens of a pre-token were taken back
            ends[keep - 1] = tail
        return np.append(starts[:keep], tail), np.append(ends[:keep], len(data))

    def _unstable_from(self, data: bytes, starts: Int64s, ends: Int64s) -> int:
        """Where tiktoken starts its last piece: the last pre-token, or further back over tokens of blanks alone."""
        def blank(piece: bytes) -> bool:
            return not piece.strip(b" \n\t")

        last = self.encode_piece(data[starts[-1] : ends[-1]])
        at = int(starts[-1])
        if not last or not blank(self.vocabulary.bytes_of(last[0]) or b"x"):
            return at
        for a, b in zip(starts[-2::-1].tolist(), ends[-2::-1].tolist(), strict=True):
            b_ = b
            for i in reversed(self.encode_piece(data[a:b])):
                piece = self.vocabulary.bytes_of(i) or b"x"
                if not blank(piece):
                    return at
                b_ -= len(piece)
                at = b_
        return at

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        parts: list[tuple[Int64s, Int64s, Int64s]] = []
        at = 0
        for a, b, token_id in [*self.matcher.matches(data, special), (len(data), len(data), -1)]:
            if a > at:
                section = data[at:a]
                starts, ends = self.pre_tokens(section)
                made = self.encode_pieces(section, ends, starts)
                parts.append((made.ids, made.starts + at, made.ends + at))
            if token_id >= 0:
                parts.append((np.array([token_id]), np.array([a]), np.array([b])))
            at = b
        empty = np.zeros(0, np.int64)
        ids, starts, ends = (np.concatenate([p[k] for p in parts] or [empty]) for k in range(3))
        return Encoding(data, ids, starts, ends, self._kinds(ids), self.vocabulary)

    def _kinds(self, ids: Int64s) -> np.ndarray:  # type: ignore[type-arg]
        v = self.vocabulary
        if v.dense:
            return v.kinds[ids] if len(ids) else np.zeros(0, np.uint8)
        return v.kinds[np.searchsorted(v.ids, ids)]


def special_kinds(tokens: Iterable[int]) -> dict[int, TokenKind]:
    """kinds for Vocabulary.build: all of them SPECIAL."""
    return dict.fromkeys(tokens, TokenKind.SPECIAL)
