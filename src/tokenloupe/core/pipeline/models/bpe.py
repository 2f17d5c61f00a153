"""BPE as `tokenizers` has it: characters (or byte-map characters) merged by the file's list of merges.

    >>> model = BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])
    >>> model.word("abb")
    ([2, 1], [0, 2], [2, 3])

Options of the file: unknown token (fused or not), byte fallback, continuing-subword prefix, end-of-word suffix, and
whether a whole pre-token is looked up first (ignore_merges). What the library does with a character it has no token
for, and when, is kept to the letter: unknown tokens wait until the next known character, even past byte tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter

import numpy as np
import regex

from ...byte_letters import utf8_of
from ...errors import InputError
from ...lookup import PairTable, SpanTable
from ...merge_lookup import WrittenMerges, merge_ids
from ...text import code_points, utf8_edges
from ...vocabulary import Int64s, MergeTable
from ..word_table import Batch
from .base import Model, Word, byte_piece, utf8_widths
from .bpe_batch import merge_columns, worth
from .merging import merge, merge_plain


class BPE(Model):
    """merges: (left, right) spellings in rank order; every part and result must be in the vocabulary."""

    name = "BPE"

    def __init__(self, vocab: dict[str, int], merges: Sequence[Sequence[str]] | WrittenMerges, *,
                 unk_token: str | None = None, fuse_unk: bool = False, byte_fallback: bool = False,
                 ignore_merges: bool = False, prefix: str = "", suffix: str = "") -> None:
        self.vocab, self.unk_token, self.fuse_unk = vocab, unk_token, fuse_unk
        self.byte_fallback, self.ignore_merges, self.prefix, self.suffix = byte_fallback, ignore_merges, prefix, suffix
        self.unknown_id = vocab.get(unk_token) if unk_token is not None else None
        self._spelled_apart = bool(prefix or suffix)
        self.merges = self._table(merges)

    def _table(self, merges: Sequence[Sequence[str]] | WrittenMerges) -> MergeTable:
        """InputError that names the merge (counted from 1) and the token that is not in the vocabulary."""
        if isinstance(merges, WrittenMerges):
            if not self.prefix:
                ids = SpanTable(*utf8_of(list(self.vocab)), np.fromiter(self.vocab.values(), np.int64, len(self.vocab)))
                found = merge_ids(ids, merges)
                if found is not None:
                    return found
            merges = list(zip(*([p.decode() for p in side] for side in merges.parts()), strict=True))
        count = len(merges)
        lefts, rights = list(map(itemgetter(0), merges)), list(map(itemgetter(1), merges))
        cut = len(self.prefix.encode("utf-8"))
        get = self.vocab.__getitem__
        try:
            left, right = np.fromiter(map(get, lefts), np.int64, count), np.fromiter(map(get, rights), np.int64, count)
            made = map("".join, merges) if not cut else [
                a + b.encode("utf-8")[cut:].decode("utf-8", "replace") for a, b in zip(lefts, rights, strict=True)]
            return MergeTable(left, right, np.fromiter(map(get, made), np.int64, count))
        except (KeyError, TypeError):
            raise self._missing(lefts, rights, cut) from None

    def _missing(self, lefts: list[str], rights: list[str], cut: int) -> InputError:
        for index, (left, right) in enumerate(zip(lefts, rights, strict=True)):
            where = f"model.merges[{index}]"
            if not (isinstance(left, str) and isinstance(right, str)):
                return InputError(f"merge {index + 1} is {[left, right]!r}, not two tokens", where=where)
            for part in (left, right, left + right.encode("utf-8")[cut:].decode("utf-8", "replace")):
                if part not in self.vocab:
                    return InputError(f"merge {index + 1} needs the token {part!r}, which is not in the vocabulary",
                                      where=where, todo="the vocabulary and the merges are not of one tokenizer")
        return InputError("the merges cannot be read", where="model.merges")

    @cached_property
    def ranks(self) -> Mapping[int, int]:
        return rank_dict(self.merges)

    @cached_property
    def results(self) -> list[int]:
        made: list[int] = self.merges.result.tolist()
        return made

    @cached_property
    def byte_ids(self) -> list[int | None]:
        return [self.symbols.get(byte_piece(b)) for b in range(256)]

    @property
    def symbols(self) -> Mapping[str, int]:
        """What is looked up of a character: spellings of one (with the prefix or suffix), and of bytes."""
        return self.vocab

    def word(self, text: str) -> Word:
        if self.ignore_merges:
            whole = self.vocab.get(text)
            if whole is not None:
                return [whole], [0], [len(text.encode("utf-8"))]
        if not self._spelled_apart:
            plain = list(map(self.symbols.get, text))
            if None not in plain:
                if text.isascii():
                    cuts = list(range(len(plain) + 1))
                else:
                    cuts = [0, *accumulate(utf8_widths(text))]
                return merge_plain(plain, cuts, self.ranks, self.results)  # type: ignore[arg-type]
        ids, lows, highs = self._symbols(text)
        return merge(ids, lows, highs, self.ranks, self.results)

    def _symbols(self, text: str) -> Word:
        vocab = self.symbols
        ids: list[int] = []
        lows: list[int] = []
        highs: list[int] = []
        waiting: tuple[int, int, int] | None = None
        low, last = 0, len(text) - 1
        for index, (char, width) in enumerate(zip(text, utf8_widths(text), strict=True)):
            high = low + width
            spelled = (self.prefix if index else "") + char + (self.suffix if index == last else "")
            found = vocab.get(spelled)
            if found is not None:
                if waiting is not None:
                    _add(ids, lows, highs, waiting)
                    waiting = None
                _add(ids, lows, highs, (found, low, high))
                low = high
                continue
            if self.byte_fallback:
                pieces = [self.byte_ids[b] for b in spelled.encode("utf-8")]
                if None not in pieces:
                    shift = low - (len(self.prefix.encode("utf-8")) if index else 0)
                    for at, piece in enumerate(pieces, shift):
                        assert piece is not None
                        _add(ids, lows, highs, (piece, min(max(at, low), high), min(max(at + 1, low), high)))
                    low = high
                    continue
            if self.unk_token is not None:
                if self.unknown_id is None:
                    raise InputError(f"the unknown token {self.unk_token!r} is needed and not in the vocabulary",
                                     where="model.unk_token", todo="the library refuses this text too")
                if waiting is not None and self.fuse_unk:
                    waiting = (waiting[0], waiting[1], high)
                else:
                    if waiting is not None:
                        _add(ids, lows, highs, waiting)
                    waiting = (self.unknown_id, low, high)
            low = high
        if waiting is not None:
            _add(ids, lows, highs, waiting)
        return ids, lows, highs

    @cached_property
    def pairs(self) -> PairTable:
        return PairTable(self.merges.left, self.merges.right, np.arange(len(self.merges)))

    @cached_property
    def _single(self) -> tuple[Int64s, Int64s]:
        """Two int64 (0x110000,): the id of each character that is a token, else -1; and of each as a word's last."""
        return single_tables(self.vocab, self.suffix)

    def batch(self, words: list[str], by_character: bool = False) -> Batch | None:
        """Many words at once: those of them whose characters all are tokens and that are not very long.

        by_character: lows and highs count characters, not bytes.
        """
        if self.prefix or self.ignore_merges or not len(self.merges):
            return None
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        points = code_points("".join(words))
        singles, lasts = self._single
        symbols = singles.take(points)
        begins = np.cumsum(lengths) - lengths
        if self.suffix and len(points):
            ends = begins + lengths - 1
            symbols[ends] = lasts.take(points[ends])
        known = np.concatenate(([0], np.cumsum(symbols >= 0)))
        good = known[begins + lengths] - known[begins] == lengths
        good[good] = worth(lengths[good])
        some = np.flatnonzero(good)
        if not len(some):
            return None
        begins, lengths = begins[some], lengths[some]
        ids, rows, counts = merge_columns(symbols, begins, lengths, self.pairs, self.merges.result)
        chars = np.repeat(begins, counts) + rows  # the character each token begins at, among all words'
        ends = np.append(chars[1:], 0)
        ends[np.cumsum(counts) - 1] = begins + lengths
        if by_character:
            base = np.repeat(begins, counts)
            return Batch(some, ids, chars - base, ends - base, counts)
        at = utf8_edges(points)
        base = np.repeat(at[begins], counts)
        return Batch(some, ids, at[chars] - base, at[ends] - base, counts)

    def dropped(self, text: str) -> list[tuple[int, int]]:
        if self.unk_token is not None or (self.ignore_merges and text in self.vocab):
            return []
        covered, size = np.zeros(len(text.encode("utf-8")), np.bool_), len(text.encode("utf-8"))
        _, lows, highs = self._symbols(text)
        for low, high in zip(lows, highs, strict=True):
            covered[low:high] = True
        edges = np.flatnonzero(np.diff(np.concatenate(([True], covered, [True])).astype(np.int8)))
        return [(a, min(b, size)) for a, b in edges.reshape(-1, 2).tolist()]

    @cached_property
    def _cutter(self) -> regex.Pattern[str] | None:
        """Parts that no merge joins: a cut before `▁`, after any character that no left part of a merge with a right
        part in `▁` ends in. Every symbol must then be spelled as the text it stands for, so no merge may touch the
        unknown token or a byte token, and the pre-token must not have a prefix or suffix."""
        mark = "▁"
        if self.prefix or self.suffix or mark not in self.vocab:
            return None
        odd = {i for i in (*self.byte_ids, self.unknown_id) if i is not None}
        parts = np.concatenate([self.merges.left, self.merges.right, self.merges.result])
        if odd and bool(np.isin(parts, np.fromiter(odd, np.int64)).any()):
            return None
        starting = np.fromiter((i for s, i in self.vocab.items() if s.startswith(mark)), np.int64)
        lefts = np.unique(self.merges.left[np.isin(self.merges.right, starting)])
        wanted = set(lefts.tolist())
        last = {s[-1] for s, i in self.vocab.items() if i in wanted and s}
        if len(last) > 64:
            return None
        # A character that becomes byte tokens is a part by itself; of these the ASCII ones (newlines!) are cut at.
        alone = ""
        if self.byte_fallback and None not in self.byte_ids:
            alone = "".join(f"\\x{p:02x}" for p in range(128) if chr(p) not in self.vocab)
        elif self.unknown_id is None:
            return None  # characters that are left out: what is around them may merge
        others = "".join(f"\\U{ord(c):08x}" for c in sorted(last - {mark}))
        lead = "▁*+" if mark in last else "▁?+"
        if mark not in last and others:
            return None
        some = f"[^▁{alone}]*+"
        after = f"(?:(?<=[{others}])▁++{some})*+" if others else ""
        return regex.compile((f"[{alone}]|" if alone else "") + lead + some + after)

    def segments(self, text: str) -> list[str] | None:
        if len(text) < 16 or self._cutter is None or (self.ignore_merges and text in self.vocab):
            return None
        parts: list[str] = self._cutter.findall(text)
        if parts and not parts[-1]:
            parts.pop()
        # with ignore_merges a part must not be looked up whole: it is no pre-token
        return parts if not self.ignore_merges else None


def rank_dict(merges: MergeTable) -> dict[int, int]:
    """left << 32 | right -> rank; of a pair listed twice the later rank, as in the library."""
    keys = (merges.left.astype(np.uint64) << np.uint64(32)) | merges.right.astype(np.uint64)
    return dict(zip(keys.tolist(), range(len(keys)), strict=True))


def single_tables(vocab: Mapping[str, int], suffix: str) -> tuple[Int64s, Int64s]:
    """Two int64 (0x110000,): see BPE._single."""
    made = np.full(0x110000, -1, np.int64)
    last = np.full(0x110000, -1, np.int64) if suffix else made
    size = 1 + len(suffix)
    for spelled, token_id in vocab.items():
        if len(spelled) == 1:
            made[ord(spelled)] = token_id
        if suffix and len(spelled) == size and spelled.endswith(suffix):
            last[ord(spelled[0])] = token_id
    return made, last


def _add(ids: list[int], lows: list[int], highs: list[int], symbol: tuple[int, int, int]) -> None:
    ids.append(symbol[0])
    lows.append(symbol[1])
    highs.append(symbol[2])

