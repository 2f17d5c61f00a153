"""The pre-tokens of a text and their tokens, in blocks, so that one of a million can change in microseconds.

A block has some hundreds of pre-tokens: their byte lengths and token counts, and the ids and byte lengths of their
tokens. Positions are sums: within a block made when asked for, over the blocks kept as two arrays.

    >>> table.replace(2, 1, run)          # one pre-token, the third, becomes those of another run
    >>> table.token_at_byte(4), table.piece_at_byte(4)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .vocabulary import Int64s

Int32s = NDArray[np.int32]
#: ids, starts, ends, kinds of tokens: their bytes in the whole text.
Columns = tuple[Int64s, Int64s, Int64s, NDArray[np.uint8]]

#: Pre-tokens in a new block; a block is cut in two when it has three times as many.
BLOCK = 512


@dataclass(frozen=True, slots=True)
class TokenChange:
    """Tokens first .. +removed became `inserted` others."""

    first: int
    removed: int
    inserted: int


@dataclass(frozen=True)
class Run:
    """Consecutive pre-tokens. sizes (bytes) and counts (tokens): int32 (pieces,); ids: int64 (tokens,); lengths
    (bytes): int32 (tokens,)."""

    sizes: Int32s
    counts: Int32s
    ids: Int64s
    lengths: Int32s

    @cached_property
    def size(self) -> int:
        return int(self.sizes.sum())

    @cached_property
    def piece_starts(self) -> Int64s:
        """Byte offset of each pre-token in the run, and the end: (pieces + 1,)."""
        return starts_of(self.sizes)

    @cached_property
    def token_starts(self) -> Int64s:
        """Byte offset of each token in the run, and the end: (tokens + 1,)."""
        return starts_of(self.lengths)

    @cached_property
    def first_tokens(self) -> Int64s:
        """Index of the first token of each pre-token, and the number of tokens: (pieces + 1,)."""
        return starts_of(self.counts)

    def pieces(self, first: int, last: int) -> Run:
        """The pre-tokens first..last-1."""
        a, b = self.first_tokens[first], self.first_tokens[last]
        return Run(self.sizes[first:last], self.counts[first:last], self.ids[a:b], self.lengths[a:b])


def starts_of(sizes: NDArray[np.signedinteger]) -> Int64s:
    out = np.zeros(len(sizes) + 1, np.int64)
    sizes.cumsum(out=out[1:])
    return out


EMPTY = Run(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.int32))


def joined(runs: list[Run]) -> Run:
    if len(runs) == 1:
        return runs[0]
    if not runs:
        return EMPTY
    return Run(np.concatenate([r.sizes for r in runs]), np.concatenate([r.counts for r in runs]),
               np.concatenate([r.ids for r in runs]), np.concatenate([r.lengths for r in runs]))


class PieceTable:
    """All pre-tokens from the start of the text on. `size` bytes, `token_count` tokens, len(table) pre-tokens."""

    def __init__(self) -> None:
        self._blocks: list[Run] = []
        self._sum()

    def _sum(self) -> None:
        blocks = self._blocks
        self._set(np.fromiter((b.size for b in blocks), np.int64, len(blocks)),
                  np.fromiter((len(b.ids) for b in blocks), np.int64, len(blocks)),
                  np.fromiter((len(b.sizes) for b in blocks), np.int64, len(blocks)))

    def _set(self, sizes: Int64s, tokens: Int64s, pieces: Int64s) -> None:
        self._sizes, self._tokens, self._pieces = sizes, tokens, pieces
        self._byte_starts, self._token_starts, self._piece_starts = map(starts_of, (sizes, tokens, pieces))

    @property
    def size(self) -> int:
        return int(self._byte_starts[-1])

    @property
    def token_count(self) -> int:
        return int(self._token_starts[-1])

    def __len__(self) -> int:
        return int(self._piece_starts[-1])

    def _block_of(self, starts: Int64s, value: int) -> int:
        """The block that holds a byte, token or piece; the last one for the end."""
        return min(int(starts.searchsorted(value, "right")) - 1, len(self._blocks) - 1)

    def piece_at_byte(self, byte_pos: int) -> int:
        """Index of the pre-token that holds the byte; len(self) from the end on."""
        if byte_pos >= self.size:
            return len(self)
        block = self._block_of(self._byte_starts, byte_pos)
        inside = byte_pos - int(self._byte_starts[block])
        return int(self._piece_starts[block] + self._blocks[block].piece_starts.searchsorted(inside, "right")) - 1

    def piece_start(self, piece: int) -> int:
        """Byte at which a pre-token starts; of len(self) the end of the last."""
        if piece >= len(self):
            return self.size
        block = self._block_of(self._piece_starts, piece)
        inside = piece - int(self._piece_starts[block])
        return int(self._byte_starts[block] + self._blocks[block].piece_starts[inside])

    def token_at_byte(self, byte_pos: int) -> int:
        """Index of the token that holds the byte; token_count from the end on."""
        if byte_pos >= self.size:
            return self.token_count
        block = self._block_of(self._byte_starts, byte_pos)
        inside = byte_pos - int(self._byte_starts[block])
        return int(self._token_starts[block] + self._blocks[block].token_starts.searchsorted(inside, "right")) - 1

    def piece_tokens(self, piece: int) -> int:
        """Index of the first token of a pre-token."""
        if piece >= len(self):
            return self.token_count
        block = self._block_of(self._piece_starts, piece)
        return int(self._token_starts[block] + self._blocks[block].first_tokens[piece - self._piece_starts[block]])

    def tokens(self, first: int, last: int) -> tuple[Int64s, Int64s]:
        """(ids, starts) of the tokens first..last-1 (which exist); starts has one more: the end of the last."""
        if first >= last:
            return np.zeros(0, np.int64), np.zeros(1, np.int64)
        low, high = self._block_of(self._token_starts, first), self._block_of(self._token_starts, last - 1)
        ids, starts = [], []
        for block in range(low, high + 1):
            run, base = self._blocks[block], int(self._token_starts[block])
            a, b = max(first - base, 0), min(last - base, len(run.ids))
            ids.append(run.ids[a:b])
            starts.append(run.token_starts[a:b] + self._byte_starts[block])
            if block == high:
                starts.append(run.token_starts[b : b + 1] + self._byte_starts[block])
        return np.concatenate(ids), np.concatenate(starts)

    def run(self, first: int, last: int) -> Run:
        """The pre-tokens first..last-1."""
        if first >= last:
            return EMPTY
        low, high = self._block_of(self._piece_starts, first), self._block_of(self._piece_starts, last - 1)
        parts = []
        for block in range(low, high + 1):
            base = int(self._piece_starts[block])
            run = self._blocks[block]
            parts.append(run.pieces(max(first - base, 0), min(last - base, len(run.sizes))))
        return joined(parts)

    def replace(self, first: int, removed: int, run: Run) -> None:
        """Put a run in the place of `removed` pre-tokens from `first` on."""
        if not self._blocks:
            self._splice(0, 0, [run])
            return
        low = self._block_of(self._piece_starts, first)
        high = self._block_of(self._piece_starts, first + removed - 1) if removed else low
        before = self._blocks[low].pieces(0, first - int(self._piece_starts[low]))
        last = self._blocks[high]
        after = last.pieces(first + removed - int(self._piece_starts[high]), len(last.sizes))
        self._splice(low, high + 1, [before, run, after])

    def _splice(self, low: int, high: int, runs: list[Run]) -> None:
        whole = joined([r for r in runs if len(r.sizes)])
        count = len(whole.sizes)
        if count <= 3 * BLOCK:
            new = [whole] if count else []
        else:
            new = [whole.pieces(i, min(i + BLOCK, count)) for i in range(0, count, BLOCK)]
        self._blocks[low:high] = new

        def spliced(old: Int64s, values: list[int]) -> Int64s:
            return np.concatenate((old[:low], np.array(values, np.int64), old[high:]))

        self._set(spliced(self._sizes, [b.size for b in new]), spliced(self._tokens, [len(b.ids) for b in new]),
                  spliced(self._pieces, [len(b.sizes) for b in new]))


def leading(same: NDArray[np.bool_]) -> int:
    """How many are true before the first that is not."""
    return len(same) if same.all() else int(np.argmin(same))


def narrowed(token: int, old: Run, new: Run, start: int, byte_pos: int, removed: int, inserted: int) -> TokenChange:
    """Without the tokens at both ends that are the same and outside of the edit."""
    n = min(len(old.ids), len(new.ids))
    same = (old.ids[:n] == new.ids[:n]) & (old.lengths[:n] == new.lengths[:n])
    same &= old.token_starts[1 : n + 1] + start <= byte_pos
    before = leading(same)
    room = n - before
    a, b = len(old.ids) - room, len(new.ids) - room
    same = (old.ids[a:] == new.ids[b:]) & (old.lengths[a:] == new.lengths[b:])
    same &= old.token_starts[a:-1] + start >= byte_pos + removed
    # Their ends agree only when both runs end at the same place, which `old` and `new` do up to the edit's shift.
    if old.size + inserted - removed != new.size:
        same[:] = False
    after = leading(same[::-1])
    return TokenChange(token + before, len(old.ids) - before - after, len(new.ids) - before - after)
