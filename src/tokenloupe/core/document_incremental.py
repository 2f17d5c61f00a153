"""Tokens of a byte-level tokenizer under edit: only the pre-tokens that an edit can reach are lexed and encoded anew.

    anchor (document_anchor.py) -> lex on until a new boundary was a boundary before -> encode what is between them

A text is filled from its start; `complete_to` says how far. A tokenizer of which nothing can be proved raises
CannotLex: document.py then encodes the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from .bytelevel import ByteLevelTokenizer
from .document_anchor import CannotLex
from .document_lexer import Lexed, Lexer, Uncertain
from .document_pieces import EMPTY, Columns, PieceTable, Run, TokenChange, joined, leading, narrowed
from .longedit import LONGEST, SECONDS, LongEdit, LongFill, clock, next_size
from .store import TextStore
from .tokenizer import SpecialMode
from .utf8 import is_valid
from .vocabulary import Int64s

#: Bytes lexed behind an edit at first; four times as many as long as that is too few.
AHEAD = 192
#: Bytes that the first slice has at least when a text is filled: what is on screen at first.
FIRST = 8192
#: Bytes that are lexed and encoded before the clock is looked at: at first, least and most; of ASCII text and of other,
#: which may be fifty times as slow.
PLAIN, OTHER = (16384, 8192, 131072), (4096, 4096, 65536)
#: Bytes behind an edit up to which all is made anew at once; more is filled in later.
FAR = 1 << 16
#: Bytes before a place that is previewed, and behind it.
BEFORE = 2048
#: More tokens than there are.
MANY = 1 << 62
#: Pre-tokens back from an edit at first; twice as many as long as none of them is safe.
BACK = 3

_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")


class Incremental:
    """store: the text, of which this keeps the tokens. CannotLex when it cannot."""

    def __init__(self, tokenizer: ByteLevelTokenizer | None, store: TextStore, special: SpecialMode) -> None:
        if tokenizer is None:
            raise CannotLex
        self.tokenizer, self.store = tokenizer, store
        self.lexer = Lexer(tokenizer, special)
        self.table = PieceTable()
        self._seen = 0  # the text from here on was not looked at for the tokens there are
        self._size = {True: PLAIN[0], False: OTHER[0]}
        #: Tokens from here on have changed in the course of filling; whoever has told of that sets it to MANY.
        self.settled_to = MANY
        self._long: LongFill | None = None  # what follows the tokens there are, unfinished
        self._preparing: Iterator[None] | None = None
        if self.lexer.broken is None and not is_valid(store.data):
            raise CannotLex

    @property
    def complete_to(self) -> int:
        return self.table.size

    def __len__(self) -> int:
        return self.table.token_count

    def tokens(self, first: int, last: int) -> Columns:
        """ids, starts, ends, kinds of tokens first .. last-1, which exist."""
        return self._columns(*self.table.tokens(first, last))

    def _columns(self, ids: Int64s, edges: Int64s) -> Columns:
        return ids, edges[:-1], edges[1:], self.tokenizer.kinds_of(ids)

    def touching(self, byte_start: int, byte_end: int) -> tuple[int, int]:
        """(first, last + 1) of the tokens that share a byte with the range; of those that touch it when it is empty."""
        table, size = self.table, len(self.store)
        byte_start, byte_end = min(max(byte_start, 0), size), min(byte_end, size)
        if byte_start >= byte_end:  # the tokens on both sides of a place
            return table.token_at_byte(byte_start - 1) if byte_start else 0, table.token_at_byte(byte_start) + 1
        return table.token_at_byte(byte_start), table.token_at_byte(byte_end - 1) + 1

    def token_at(self, byte_pos: int) -> int:
        """The token that holds the byte, -1 when there is none."""
        index = self.table.token_at_byte(byte_pos)
        return index if index < len(self) else -1

    def fill_slice(self) -> None:
        """Some milliseconds' worth of tokens more."""
        began = clock()
        while self.table.size < len(self.store):
            self._some()
            if clock() - began >= SECONDS / 2 and (self.table.size >= FIRST or self._long is not None):
                break

    def _some(self) -> None:
        """The next few thousand bytes, or a step on the way to them."""
        if self._long is not None:
            self._go_on()
            return
        if self._preparing is None and self.tokenizer.engine.wants_reach and self.table.size >= FIRST:
            self._preparing = self.tokenizer.engine.prepare()
        if self._preparing is not None and next(self._preparing, True) is None:
            return
        began = clock()
        size, plain = self._next(self.table.size)
        start, lexed = self._lexed(size)
        self._seen = lexed.seen
        ends, ids = lexed.ends, lexed.ids
        huge = np.flatnonzero((np.diff(ends, prepend=start) > LONGEST) & (ids < 0))
        if len(huge):
            first = int(huge[0])
            begin = int(ends[first - 1]) if first else start
            self._long = LongFill(self.tokenizer, begin, int(ends[first]))
            ends, ids = ends[:first], ids[:first]
            self._seen = max(begin, lexed.seen)
        if len(ends):
            self.table.replace(len(self.table), 0, self._run(start, ends, ids))
        _, least, most = PLAIN if plain else OTHER
        self._size[plain] = next_size(size, clock() - began, least, most)

    def _lexed(self, size: int) -> tuple[int, Lexed]:
        """What follows the tokens there are, from about `size` bytes; some of those are taken away when they must."""
        start, back = self.table.size, 0
        while True:
            try:
                lexed = self.lexer.lex(self.store, start, start + size)
            except Uncertain:
                back = 2 * back or BACK
                first, start = self._anchor(start, back)
                self.settled_to = min(self.settled_to, self.table.piece_tokens(first))
                self.table.replace(first, len(self.table) - first, EMPTY)
                continue
            if len(lexed.ends):
                return start, lexed
            size *= 2

    def _next(self, start: int) -> tuple[int, bool]:
        """(bytes to lex next, whether they are ASCII)."""
        size = self._size[True]
        part = self.store.bytes(start, start + size)
        if part.isascii():
            return size, True
        found = _BEYOND_ASCII.search(part)
        assert found is not None
        return (found.start(), True) if found.start() > size // 4 else (self._size[False], False)

    def _go_on(self) -> None:
        """A part of the long pre-token that is being encoded."""
        assert self._long is not None
        run = self._long.step(self.store)
        if run is not None:
            self.table.replace(len(self.table), 0, run)
            self._long = None

    def fill(self) -> Iterator[float]:
        while self.complete_to < len(self.store):
            self.fill_slice()
            yield (self.complete_to if self._long is None else self._long.at) / len(self.store)

    def preview(self, byte_start: int, byte_end: int) -> tuple[int, Columns]:
        """(a guess of the first one's index, tokens) of a place that filling has not come to, from pre-tokens that
        begin a little before it: those of the whole text as a rule, as pre-tokens fall into step soon. None where they
        are too long."""
        count = len(self)
        begin = max(byte_start - BEFORE, self.table.size)
        head = self.store.bytes(begin, begin + 4)
        begin += next((k for k, byte in enumerate(head) if byte & 0xC0 != 0x80), 0) if begin > self.table.size else 0
        try:
            lexed = self.lexer.lex(self.store, begin, byte_end + BEFORE)
            if not len(lexed.ends) or int(np.diff(lexed.ends, prepend=begin).max()) > BEFORE:
                return count, self.tokens(count, count)
            run = self._run(begin, lexed.ends, lexed.ids)
        except (Uncertain, CannotLex):
            return count, self.tokens(count, count)
        edges = run.token_starts + begin
        first = max(int(edges.searchsorted(byte_start, "right")) - 1, 0)
        last = max(int(edges[:-1].searchsorted(byte_end, "left")), first)
        guess = int(begin * count / self.complete_to) if self.complete_to else 0
        return max(guess, count) + first, self._columns(run.ids[first:last], edges[first : last + 1])

    def _run(self, start: int, ends: Int64s, ids: Int64s) -> Run:
        return self.lexer.encode(self.store, start, ends, ids)

    def _made(self, known: LongEdit, edges: Int64s, ids: Int64s) -> Run:
        """The pre-tokens between `edges`; the long ones with the tokens that they share with those before the edit."""
        runs: list[Run] = []
        done = 0
        for index in np.flatnonzero((np.diff(edges) >= known.least) & (ids < 0)).tolist():
            begin, end = int(edges[index]), int(edges[index + 1])
            found = known.tokens(begin, end)
            if found is None:
                continue
            if index > done:
                runs.append(self._run(int(edges[done]), edges[done + 1 : index + 1], ids[done:index]))
            tokens, lengths = found
            runs.append(Run(np.array([end - begin], np.int32), np.array([len(tokens)], np.int32), tokens, lengths))
            done = index + 1
        if done < len(ids) or not runs:
            runs.append(self._run(int(edges[done]), edges[done + 1 :], ids[done:]))
        return joined(runs)

    def edit(self, byte_pos: int, removed: int, inserted: int) -> TokenChange:
        """The store has been edited: tell which tokens changed."""
        self._long = None
        table, done = self.table, self.table.size
        if done < len(self.store) - inserted + removed and byte_pos >= max(self._seen, done + self.lexer.margin):
            return TokenChange(table.token_count, 0, 0)
        back = 0
        while True:
            first, start = self._anchor(byte_pos, back)
            try:
                return self._edit_from(first, start, byte_pos, removed, inserted)
            except Uncertain:
                back = 2 * back or BACK

    def _edit_from(self, first: int, start: int, byte_pos: int, removed: int, inserted: int) -> TokenChange:
        """The same; `start`, where the pre-token `first` starts, is a boundary still."""
        table, done = self.table, self.table.size
        shift = inserted - removed
        if inserted > FAR:
            token = table.piece_tokens(first)
            change = TokenChange(token, table.token_count - token, 0)
            table.replace(first, len(table) - first, EMPTY)
            self._seen = 0
            return change
        least = ahead = max(AHEAD, self._rest(byte_pos + removed))
        while True:
            end = byte_pos + inserted + ahead
            lexed = self.lexer.lex(self.store, start, end)
            synced = self._sync(lexed.ends, byte_pos, removed, inserted)
            if synced is not None:
                count, last = synced
                self._seen = max(self._seen + shift if self._seen > byte_pos else 0, lexed.seen)
                return self._put(first, last, start, lexed.ends[:count], lexed.ids[:count], byte_pos, removed, inserted)
            if end >= len(self.store):
                break
            # Behind the last token there was, or far away: what follows is filled in later.
            if len(lexed.ends) and (end - shift > done or ahead > max(least, FAR)):
                break
            ahead *= 4
        self._seen = lexed.seen
        return self._put(first, len(table), start, lexed.ends, lexed.ids, byte_pos, removed, inserted, tail=True)

    def _rest(self, byte_pos: int) -> int:
        """Bytes to look ahead to get over the pre-token that holds the byte."""
        piece = self.table.piece_at_byte(byte_pos)
        rest = self.table.piece_start(piece + 1) - byte_pos if piece < len(self.table) else 0
        return rest + AHEAD if rest > AHEAD // 2 else 0

    def _anchor(self, byte_pos: int, more: int = 0) -> tuple[int, int]:
        """(pre-token, its first byte) to lex from, `more` pre-tokens before the byte at least."""
        here = self.table.piece_at_byte(min(byte_pos, self.table.size))
        if more:
            here = max(here - more, 0)
            byte_pos = min(byte_pos, self.table.piece_start(here))
        back = BACK
        while True:
            low = max(here - back, 0)
            run = self.table.run(low, here)
            starts = run.piece_starts + self.table.piece_start(low)
            found = self.lexer.anchor(self.store, starts, byte_pos)
            if found is not None:
                return low + int(starts.searchsorted(found)), found
            if not low:
                return 0, 0
            back *= 2

    def _sync(self, ends: Int64s, byte_pos: int, removed: int, inserted: int) -> tuple[int, int] | None:
        """(number of new pre-tokens, old pre-token that follows): the first boundary behind the edit that was one."""
        table, shift = self.table, inserted - removed
        least = byte_pos + inserted + self.lexer.margin
        for index in range(int(ends.searchsorted(least)), len(ends)):
            new = int(ends[index])
            old = new - shift
            if old > table.size:
                return None
            piece = table.piece_at_byte(old)
            if table.piece_start(piece) == old and self.lexer.clear(self.store, new) \
                    and self.lexer.goes_on(self.store, new, byte_pos + inserted) and not self._is_tail(piece, new):
                return index + 1, piece
        return None

    def _is_tail(self, piece: int, start: int) -> bool:
        """Is a pre-token, which starts at this byte now, one of bytes that are no UTF-8? Its start is no boundary by
        itself."""
        if self.lexer.broken != "tail" or piece >= len(self.table):
            return False
        size = self.table.piece_start(piece + 1) - self.table.piece_start(piece)
        return not is_valid(self.store.bytes(start, start + size))

    def _put(self, first: int, last: int, start: int, ends: Int64s, ids: Int64s, byte_pos: int, removed: int,
             inserted: int, tail: bool = False) -> TokenChange:
        """Replace the pre-tokens first..last-1 by those that end at `ends`; encodes only what is not as it was."""
        table = self.table
        old = table.run(first, last)
        begins = np.concatenate((np.array([start], np.int64), ends))
        sizes = np.diff(begins)
        # Pre-tokens before the edit that have the same ends have the same tokens, and so has a special one.
        n = min(len(sizes), len(old.sizes))
        same = (sizes[:n] == old.sizes[:n]) & (ends[:n] <= byte_pos)
        keep = leading(same)
        room = n - keep
        moved = (sizes[len(sizes) - room :] == old.sizes[len(old.sizes) - room :]) & (
            begins[len(sizes) - room : len(sizes)] >= byte_pos + inserted)
        after = 0
        if not tail:
            after = leading(moved[::-1])
            if self.lexer.margin:
                after = 0  # a special token may have become text of the same length
        if self.lexer.margin:
            keep = 0
        new_first, new_last = keep, len(sizes) - after
        shrunk = old.pieces(keep, len(old.sizes) - after)
        known = LongEdit(self.tokenizer, self.store, shrunk, int(begins[new_first]), byte_pos, removed, inserted)
        run = self._made(known, begins[new_first : new_last + 1], ids[new_first:new_last])
        token = table.piece_tokens(first + keep)
        table.replace(first + keep, len(shrunk.sizes), run)
        return narrowed(token, shrunk, run, int(begins[new_first]), byte_pos, removed, inserted)
