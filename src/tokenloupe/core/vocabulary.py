"""An immutable vocabulary: id -> bytes, kind, score, rank, and the merge table where the file has one.

A *row* is an entry's position in id order (0 .. len-1); an *id* is the number the model sees and may have holes or be
huge (4294967295), so nothing here allocates by id. All per-entry data are numpy arrays over rows, and all bytes are
one blob with offsets: 262,144 entries are a handful of arrays, and a table view reads them without Python objects.

    >>> v = Vocabulary.build([(0, b"a"), (1, b"b"), (7, b"ab")])
    >>> v.bytes_of(7), v.id_of(b"b"), len(v), v.size
    (b'ab', 1, 3, 8)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError

Int64s = NDArray[np.int64]


class TokenKind(IntEnum):
    """What an entry is. The names in lower case are the words the command line uses."""

    NORMAL = 0
    SPECIAL = 1  # control tokens: matched in text only when the user asks for it
    ADDED = 2  # added or user-defined: matched in text before the model runs
    BYTE = 3  # byte-fallback pieces such as <0x0A>
    UNKNOWN = 4
    UNUSED = 5

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class MergeTable:
    """Merges in rank order; rank is the index. `left`, `right`, `result` are token ids, int64, shape (n,).

    `derived` says that the file holds ranks only (.tiktoken) and the parts were worked out from them.
    """

    left: Int64s
    right: Int64s
    result: Int64s
    derived: bool = False

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True)
class Vocabulary:
    """ids: int64 (n,), ascending, unique. blob/offsets: the bytes of row r are blob[offsets[r]:offsets[r+1]].

    What a token's bytes are: what it decodes to. `▁the` of SentencePiece is b" the", `Ġthe` of GPT-2 is b" the",
    `##ing` of WordPiece is b"ing", `<0x0A>` is b"\\n". The spelling in the file is `raw(row)`.
    kinds: uint8 (n,) of TokenKind. scores: float32 (n,) (SentencePiece, Unigram) or None.
    ranks: int64 (n,) merge rank of each entry, -1 where it has none, or None.
    """

    ids: Int64s
    blob: bytes = field(repr=False)
    offsets: Int64s = field(repr=False)
    kinds: NDArray[np.uint8]
    scores: NDArray[np.float32] | None = None
    ranks: Int64s | None = None
    merges: MergeTable | None = None
    raw_blob: bytes | None = field(default=None, repr=False)
    raw_offsets: Int64s | None = field(default=None, repr=False)

    @classmethod
    def build(
        cls,
        entries: Iterable[tuple[int, bytes]],
        *,
        kinds: Mapping[int, TokenKind] | None = None,
        scores: Mapping[int, float] | None = None,
        ranks: Mapping[int, int] | None = None,
        raw: Mapping[int, str] | None = None,
        merges: MergeTable | None = None,
    ) -> Vocabulary:
        """From (id, bytes) pairs in any order. InputError when an id is there twice or negative."""
        rows = sorted(entries)
        for (a, _), (b, _) in pairwise(rows):
            if a == b:
                raise InputError(f"id {a} is given to two tokens", todo="one of the two must have another id")
        if rows and rows[0][0] < 0:
            raise InputError(f"id {rows[0][0]} is negative", todo="token ids start at 0")
        ids = np.fromiter((i for i, _ in rows), np.int64, len(rows))
        blob, offsets = join_bytes([b for _, b in rows])
        kind_row = np.zeros(len(rows), np.uint8)
        if kinds:
            kind_row[:] = [kinds.get(i, TokenKind.NORMAL) for i, _ in rows]
        raw_blob = raw_offsets = None
        if raw is not None:
            raw_blob, raw_offsets = join_bytes([
                raw[i].encode("utf-8", "surrogatepass") if i in raw else b for i, b in rows
            ])
        return cls(
            ids, blob, offsets, kind_row,
            scores=None if scores is None else np.array([scores.get(i, 0.0) for i, _ in rows], np.float32),
            ranks=None if ranks is None else np.array([ranks.get(i, -1) for i, _ in rows], np.int64),
            merges=merges, raw_blob=raw_blob, raw_offsets=raw_offsets,
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def size(self) -> int:
        """Largest id + 1: what a model's embedding needs at least."""
        return int(self.ids[-1]) + 1 if len(self.ids) else 0

    @cached_property
    def dense(self) -> bool:
        """True when ids are 0 .. n-1, so that row == id."""
        return len(self.ids) == 0 or (int(self.ids[-1]) == len(self.ids) - 1)

    def row_of(self, token_id: int) -> int | None:
        """The row of an id, or None when no entry has it."""
        if self.dense:
            return token_id if 0 <= token_id < len(self.ids) else None
        if not 0 <= token_id < 2**63:
            return None
        row = int(np.searchsorted(self.ids, token_id))
        return row if row < len(self.ids) and self.ids[row] == token_id else None

    def __contains__(self, token_id: int) -> bool:
        return self.row_of(token_id) is not None

    @cached_property
    def dense_to(self) -> int:
        """Ids below this are rows: holes stand among the special tokens, as a rule."""
        apart = self.ids != np.arange(len(self.ids))
        return int(np.argmax(apart)) if apart.any() else len(apart)

    def rows_of(self, ids: Int64s) -> Int64s:
        """The row of each id; ids that no entry has give any number, also one that is no row."""
        odd = np.flatnonzero((ids >= self.dense_to) | (ids < 0))
        if not len(odd):
            return ids
        rows = ids.copy()
        rows[odd] = np.searchsorted(self.ids, ids[odd])
        return rows

    @cached_property
    def lengths(self) -> Int64s:
        """Bytes of each row."""
        return np.diff(self.offsets)

    def joined(self, ids: Sequence[int] | Int64s) -> bytes:
        """The bytes of many ids, one after the other; unknown ids give nothing."""
        try:
            wanted = np.asarray(ids, np.int64).reshape(-1)
        except OverflowError:  # no token has an id beyond 64 bits
            wanted = np.array([i for i in ids if -1 <= i < 1 << 63], np.int64)
        if not len(self):
            return b""
        rows = self.rows_of(wanted)
        known = (rows >= 0) & (rows < len(self))
        known[known] = self.ids[rows[known]] == wanted[known]
        rows = rows[known]
        return gather(np.frombuffer(self.blob, np.uint8), self.offsets.take(rows), self.lengths.take(rows)).tobytes()

    def bytes_at(self, row: int) -> bytes:
        return self.blob[self.offsets[row] : self.offsets[row + 1]]

    def bytes_of(self, token_id: int) -> bytes | None:
        """The bytes a token decodes to, or None for an unknown id."""
        row = self.row_of(token_id)
        return None if row is None else self.bytes_at(row)

    def raw_at(self, row: int) -> str:
        """The spelling in the file (`Ġthe`, `▁the`, `<0x0A>`); the decoded text where the file holds bytes."""
        if self.raw_blob is None or self.raw_offsets is None:
            return self.bytes_at(row).decode("utf-8", "replace")
        raw = self.raw_blob[self.raw_offsets[row] : self.raw_offsets[row + 1]]
        try:
            return raw.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:  # a damaged file, or one whose pieces are bytes
            return raw.decode("utf-8", "replace")

    def kind_of(self, token_id: int) -> TokenKind | None:
        row = self.row_of(token_id)
        return None if row is None else TokenKind(int(self.kinds[row]))

    @cached_property
    def _id_by_bytes(self) -> dict[bytes, int]:
        """Lowest id first among entries with the same bytes, ordinary entries before special and byte pieces."""
        pieces = split_bytes(self.blob, self.offsets)
        table = dict(zip(reversed(pieces), reversed(self.ids.tolist()), strict=True))
        for row in np.flatnonzero((self.kinds == TokenKind.NORMAL) | (self.kinds == TokenKind.ADDED))[::-1].tolist():
            table[pieces[row]] = int(self.ids[row])
        return table

    @property
    def id_by_bytes(self) -> Mapping[bytes, int]:
        """Every spelling (b"" where there is one) -> what id_of() gives for it."""
        return self._id_by_bytes

    def id_of(self, piece: bytes) -> int | None:
        """The id of the entry that decodes to exactly these bytes, or None. For several: see ids_of."""
        return self._id_by_bytes.get(piece)

    def ids_of(self, piece: bytes) -> list[int]:
        """All ids that decode to these bytes ('e' and '<0x65>' do), ascending."""
        same = np.flatnonzero(np.diff(self.offsets) == len(piece))
        return [int(self.ids[r]) for r in same.tolist() if self.bytes_at(r) == piece]


def join_bytes(pieces: Sequence[bytes]) -> tuple[bytes, Int64s]:
    """Pieces -> (blob, offsets int64 (n+1,))."""
    offsets = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, pieces), np.int64, len(pieces)), out=offsets[1:])
    return b"".join(pieces), offsets


def gather(data: NDArray[np.uint8], starts: Int64s, lengths: Int64s) -> NDArray[np.uint8]:
    """The spans starts:+lengths of data, one after the other."""
    total = np.cumsum(lengths)
    if not len(total):
        return np.zeros(0, np.uint8)
    at = np.arange(int(total[-1]))
    at += np.repeat(starts - (total - lengths), lengths)
    return data.take(at)


def split_bytes(blob: bytes, offsets: Int64s) -> list[bytes]:
    """The inverse of join_bytes."""
    edges: list[Any] = offsets.tolist()
    return list(map(blob.__getitem__, map(slice, edges, chain(edges[1:]))))


def split_in_slices(blob: bytes, offsets: Int64s, size: int = 1 << 14) -> Iterator[tuple[int, list[bytes]]]:
    """(number of the first piece, so many pieces): the same, a slice of work at a time."""
    for at in range(0, len(offsets) - 1, size):
        yield at, split_bytes(blob, offsets[at : at + size + 1])
