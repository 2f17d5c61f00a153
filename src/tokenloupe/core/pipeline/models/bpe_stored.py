"""A BPE model that was read before and comes back as arrays: what takes long to make is there, the rest is made when a
text first needs it.

    StoredBPE(texts, ids, merges, slots, cutter="[^▁]*+", byte_fallback=True)

A vocabulary of 262,144 spellings as a dict takes 100 ms, the ranks of 515,000 merges another 200: a tokenizer on the
byte-level engine needs neither, the others the ranks only after many merges (`Ranks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import regex

from ...lookup import PairTable, Slots
from ...vocabulary import Int64s, MergeTable
from .base import StoredWords, Texts, byte_piece
from .bpe import BPE, rank_dict, single_tables

#: So many look-ups in the table cost what a dict of all pairs costs to make.
MANY = 100_000


class Ranks(Mapping[int, int]):
    """left << 32 | right -> rank, asked of the table, a microsecond each. asked: how often that was."""

    def __init__(self, pairs: PairTable) -> None:
        self._pairs, self.asked = pairs, 0

    def __getitem__(self, key: int) -> int:
        self.asked += 1
        found = self._pairs.get(key >> 32, key & 0xFFFFFFFF)
        if found < 0:
            raise KeyError(key)
        return found

    def get(self, key: int, default: int) -> int:  # type: ignore[override]
        self.asked += 1
        found = self._pairs.get(key >> 32, key & 0xFFFFFFFF)
        return default if found < 0 else found

    def __len__(self) -> int:
        return len(self._pairs.values) - 1

    def __iter__(self) -> Iterator[int]:
        low: list[int] = self._pairs.table.low[:-1].tolist()
        return iter(low)


class StoredBPE(StoredWords, BPE):
    """texts: the spellings when they are first needed, ids theirs; slots: of the table of pairs, None to make it;
    single: (code points, ids) of the spellings of one character; bytes_: the model's `byte_ids`; cutter: the pattern of
    `_cutter`, "" for none.
    """

    def __init__(self, texts: Texts, ids: Int64s, merges: MergeTable, slots: Slots | None, *,
                 single: tuple[Int64s, Int64s], bytes_: Sequence[int | None], cutter: str, unk_token: str | None,
                 unknown_id: int | None, fuse_unk: bool, byte_fallback: bool, ignore_merges: bool, prefix: str,
                 suffix: str) -> None:
        self.unk_token, self.unknown_id, self.fuse_unk = unk_token, unknown_id, fuse_unk
        self.byte_fallback, self.ignore_merges, self.prefix, self.suffix = byte_fallback, ignore_merges, prefix, suffix
        self._spelled_apart = bool(prefix or suffix)
        self.merges = merges
        self._texts, self._ids, self._slots = texts, ids, slots
        self._singles, self._bytes, self._cut = single, bytes_, cutter
        self._all: dict[int, int] | None = None

    @cached_property
    def symbols(self) -> Mapping[str, int]:
        if self._spelled_apart:
            return self.vocab
        pieces = {byte_piece(b): i for b, i in enumerate(self._bytes) if i is not None}
        return pieces | dict(zip(map(chr, self._singles[0].tolist()), self._singles[1].tolist(), strict=True))

    @property
    def ranks(self) -> Mapping[int, int]:
        if self._all is None and self._few.asked > MANY:
            self._all = rank_dict(self.merges)
        return self._few if self._all is None else self._all

    @cached_property
    def _few(self) -> Ranks:
        return Ranks(self.pairs)

    @cached_property
    def pairs(self) -> PairTable:
        return PairTable(self.merges.left, self.merges.right, np.arange(len(self.merges)), self._slots)

    @cached_property
    def _single(self) -> tuple[Int64s, Int64s]:
        if self.suffix:
            return single_tables(self.vocab, self.suffix)
        made = np.full(0x110000, -1, np.int64)
        made[self._singles[0]] = self._singles[1]
        return made, made

    @cached_property
    def _cutter(self) -> regex.Pattern[str] | None:
        return regex.compile(self._cut) if self._cut else None


def single_characters(model: BPE) -> tuple[Int64s, Int64s]:
    """The `single` of StoredBPE."""
    texts = list(model.vocab)
    rows = np.flatnonzero(np.fromiter(map(len, texts), np.int64, len(texts)) == 1).tolist()
    points = [ord(texts[row]) for row in rows]
    return np.array(points, np.int64), np.array([model.vocab[chr(point)] for point in points], np.int64)


def cutter_of(model: BPE) -> str:
    """The `cutter` of StoredBPE."""
    return model._cutter.pattern if model._cutter is not None else ""


