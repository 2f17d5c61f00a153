"""A very long pre-token (a megabyte of Chinese, of a letter): made in parts at first, and after an edit only near it.

`LongFill` encodes it from cut to cut (longpiece.py), some thousand bytes at a time; `LongEdit` what is near an edit.

The fact used: BPE merges the pair of lowest rank, the leftmost of equal ones, so what happens on either side of a place
that no merge crosses does not depend on the other side. A sequence of tokens is therefore the BPE of its bytes exactly
when every two neighbours are the BPE of theirs. Tokens before and after the edit are kept, those of a stretch around it
made anew, and the stretch widened until both seams hold. It does not matter whether the edit cuts a pre-token in two,
joins two or changes one: a long one keeps what it shares with those that were there.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .document_pieces import Int32s, Run
from .store import TextStore
from .vocabulary import Int64s

#: Pre-tokens of fewer bytes are encoded as a whole.
LONG = 256
#: Tokens beside a seam that are made anew at first.
AROUND = 8
#: Longer ones are not encoded in one slice when a text is filled.
LONGEST = 1 << 15
#: Bytes of a slice at first, least and most.
SLICE, LEAST, MOST = 8192, 2048, 1 << 18
#: Seconds that a slice is to take when a text is filled.
SECONDS = 0.007
#: Seconds of this thread's own: on a busy machine slices must not shrink until they are nothing but overhead. (On
#: Windows that clock ticks 64 times a second.)
clock = time.perf_counter if sys.platform == "win32" else time.thread_time


def next_size(size: int, took: float, least: int, most: int) -> int:
    """Bytes of the next slice after one of `size` that took so many seconds: at most twice as many or half."""
    return int(min(max(size * min(max(SECONDS / max(took, 1e-6), 0.5), 2), least), most))


class LongFill:
    """The pre-token begin..end of a text, of more bytes than any entry; `at`: up to where it is encoded."""

    def __init__(self, tokenizer: ByteLevelTokenizer, begin: int, end: int) -> None:
        self.tokenizer, self.begin, self.end, self.at = tokenizer, begin, end, begin
        self._ids: list[Int64s] = []
        self._size = SLICE
        self._preparing = tokenizer.engine.prepare()

    def step(self, store: TextStore) -> Run | None:
        """Some milliseconds of work; the pre-token with all its tokens when it is done."""
        if next(self._preparing, True) is None:
            return None
        began = clock()
        size, asked = self._size, self._size
        margin = self.tokenizer.reach
        while True:
            stop = min(self.at + size, self.end)
            low = max(self.at - margin, self.begin)
            part = store.bytes(low, min(stop + margin, self.end))
            cuts = self.tokenizer.piece_cuts(part, self.at - low, stop - low) + low
            if stop == self.end:
                edges = np.concatenate(([self.at], cuts, [stop]))
                break
            if len(cuts):
                edges = np.concatenate(([self.at], cuts))
                stop = int(cuts[-1])
                break
            size *= 2
        self._ids.append(self.tokenizer.engine.merge_cut(store.bytes(self.at, stop), edges - self.at))
        self.at = stop
        self._size = next_size(asked, clock() - began, LEAST, MOST)
        if stop < self.end:
            return None
        ids = np.concatenate(self._ids)
        return Run(np.array([self.end - self.begin], np.int32), np.array([len(ids)], np.int32), ids,
                   self.tokenizer.lengths_of(ids).astype(np.int32))


class LongEdit:
    """old: the pre-tokens before the edit, `start` their first byte; the store has been edited at byte_pos."""

    def __init__(self, tokenizer: ByteLevelTokenizer, store: TextStore, old: Run, start: int, byte_pos: int,
                 removed: int, inserted: int) -> None:
        self.tokenizer, self.store, self.old, self.start = tokenizer, store, old, start
        self.byte_pos, self.removed, self.inserted = byte_pos, removed, inserted
        self.least = max(LONG, 2 * tokenizer.reach)

    def tokens(self, begin: int, end: int) -> tuple[Int64s, Int32s] | None:
        """(ids, lengths) of the new pre-token begin..end, or None when it is not long or shares too little."""
        if end - begin < self.least:
            return None
        shift = self.inserted - self.removed
        behind = self.byte_pos + self.inserted
        both = (self._kept(begin, min(end, self.byte_pos), self.byte_pos - 1, 0, begin, end),
                self._kept(max(begin, behind), end, self.byte_pos + self.removed, shift, begin, end))
        kept = [k for k in both if k is not None]
        if not kept:
            return None
        starts = self.old.token_starts
        # Each stretch of kept tokens [first, last), its place in the new text, and whether it starts or ends the whole.
        while True:
            places = [(int(starts[a]) + self.start + s, int(starts[b]) + self.start + s) for a, b, s in kept]
            gaps = list(zip([begin, *(p[1] for p in places)], [*(p[0] for p in places), end], strict=True))
            made = [self.tokenizer.encode_part(self.store.bytes(x, y)) if y > x else np.zeros(0, np.int64)
                    for x, y in gaps]
            wider = [self._narrower(kept, made, i, gaps) for i in range(len(kept))]
            if all(w is None for w in wider):
                break
            kept = [w or k for w, k in zip(wider, kept, strict=True)]
            kept = [(a, b, s) for a, b, s in kept if b - a > AROUND]
            if not kept:
                return None
        parts: list[Int64s] = [made[0]]
        lengths: list[Int32s] = [self._lengths(made[0])]
        for (a, b, _), fresh in zip(kept, made[1:], strict=True):
            parts += (self.old.ids[a:b], fresh)
            lengths += (self.old.lengths[a:b], self._lengths(fresh))
        return np.concatenate(parts), np.concatenate(lengths)

    def _kept(self, begin: int, end: int, inside: int, shift: int, piece_begin: int,
              piece_end: int) -> tuple[int, int, int] | None:
        """Tokens (first, last, shift) of the old pre-token that holds the byte `inside`, lying in begin..end (new).

        At the new pre-token's own ends they need no seam when they were at the old one's; elsewhere some are left off.
        """
        old = self.old
        if end - begin < self.least or not self.start <= inside < self.start + old.size:
            return None
        piece = int(old.piece_starts.searchsorted(inside - self.start, "right")) - 1
        offset = self.start + shift
        low, high = int(old.piece_starts[piece]) + offset, int(old.piece_starts[piece + 1]) + offset
        if high - low < self.least:
            return None
        first = int(old.token_starts.searchsorted(max(begin, low) - offset, "left"))
        last = int(old.token_starts.searchsorted(min(end, high) - offset, "right")) - 1
        first += 0 if low == begin == piece_begin else AROUND
        last -= 0 if high == end == piece_end else AROUND
        return (first, last, shift) if last - first > AROUND else None

    def _narrower(self, kept: list[tuple[int, int, int]], made: list[Int64s], i: int,
                  gaps: list[tuple[int, int]]) -> tuple[int, int, int] | None:
        """A stretch with less kept where one of its seams does not hold; None when both do."""
        first, last, shift = kept[i]
        by_left = by_right = 0
        before, after = made[i], made[i + 1]
        if len(before) and not self._pair(int(before[-1]), int(self.old.ids[first])):
            by_left = max(AROUND, 3 * self._tokens_in(gaps[i]))
        if len(after) and not self._pair(int(self.old.ids[last - 1]), int(after[0])):
            by_right = max(AROUND, 3 * self._tokens_in(gaps[i + 1]))
        if not by_left and not by_right:
            return None
        return first + by_left, last - by_right, shift

    @staticmethod
    def _tokens_in(gap: tuple[int, int]) -> int:
        return (gap[1] - gap[0]) // 4

    def _pair(self, left: int, right: int) -> bool:
        """Are two tokens the BPE of their bytes?"""
        bytes_of = self.tokenizer.vocabulary.bytes_of
        both = (bytes_of(left) or b"") + (bytes_of(right) or b"")
        return [int(i) for i in self.tokenizer.encode_part(both)] == [left, right]

    def _lengths(self, ids: Int64s) -> Int32s:
        return self.tokenizer.lengths_of(ids).astype(np.int32)


def end_of_run(store: TextStore, byte_pos: int, gone: bytes, inserted: bytes) -> int:
    """Where an edit may as well be said to have been: one more or less of a long run of one ASCII character is one more
    or less at the run's end, where it changes the fewest tokens. The store has been edited at byte_pos."""
    changed = inserted or gone
    if (inserted and gone) or changed[0] > 0x7F or changed.count(changed[0]) < len(changed):
        return byte_pos
    at = begin = byte_pos + len(inserted)
    while part := store.bytes(at, at + (LONG if at == begin else LONGEST)):
        same = len(part) - len(part.lstrip(changed[:1]))
        at += same
        if same < len(part):
            break
    return byte_pos + at - begin if at - begin >= LONG else byte_pos
