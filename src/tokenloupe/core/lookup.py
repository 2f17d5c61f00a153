"""An exact dictionary from byte strings to numbers that answers a whole array of questions at once.

A key of up to 15 bytes is two 64-bit words: its first eight bytes, and the rest with its length in the top byte. So a
span of a text is a key without being cut out of it: two unaligned loads, a mask, one multiplication each, and a look
into an open-addressing table whose keys are compared in full. Longer keys are few and live in a dict.

    >>> table = SpanTable.of([b"a", b"ab"], [0, 1])
    >>> text = Text(b"xab")
    >>> table.find(text, np.array([1, 1, 0]), np.array([1, 2, 1]))
    array([ 0,  1, -1])

Why not a dict for all: 250,000 look-ups a megabyte cost 60 ms there, 5 ms here, and the table takes 7 MB instead of 25.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .vocabulary import Int64s, join_bytes

UInt64s = NDArray[np.uint64]
Slots = NDArray[np.int32]

#: The longest key that fits two words (the sixteenth byte holds the length).
SHORT = 15

#: The last so many questions are answered one by one: a round of arrays costs more.
ALONE = 8
#: Of keys in order every so-manyth is looked up.
ANCHOR = 64
#: Up to so many spans are told apart by a dict.
EACH = 1024

#: Questions are taken so many at a time: what is in between stays in the processor's cache, which halves the time.
BLOCK = 1 << 14

_M1, _M2, _M3 = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93
_N1, _N2, _N3 = np.uint64(_M1), np.uint64(_M2), np.uint64(_M3)
_ALL = (1 << 64) - 1
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], np.uint64)
#: Of a key of n bytes: how many belong to the first word, how many to the second, and its length in the top byte.
_LOW = _MASKS[np.minimum(np.arange(SHORT + 1), 8)]
_HIGH = _MASKS[np.maximum(np.arange(SHORT + 1) - 8, 0)]
_TOP = np.arange(SHORT + 1, dtype=np.uint64) << np.uint64(56)

#: Where the second word has the length.
TOP_BYTE = np.uint64(0xFF << 56)


def eights(data: bytes, first: int = 0) -> UInt64s:
    """The eight bytes from each place on, little-endian, uint64 (len(data) - first - 7,); data has so many. A view: to
    copy it would cost more than what is asked of it. take() would; it is indexed."""
    return np.ndarray((len(data) - first - 7,), np.dtype("<u8"), buffer=data, offset=first, strides=(1,))


class Text:
    """Bytes made ready for look-ups: words[i] is the eight bytes from i on, little-endian, zeros past the end."""

    __slots__ = ("data", "words")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.words = eights(data + bytes(16))


def keys_of(text: Text, starts: Int64s, lengths: Int64s) -> tuple[UInt64s, UInt64s]:
    """The two words of spans of at most SHORT bytes."""
    low = text.words[starts]
    low &= _LOW.take(lengths)
    # Of a span of 8 bytes or less the second load is masked to nothing; its place must only exist.
    high = text.words[np.minimum(starts + 8, len(text.words) - 1)]
    high &= _HIGH.take(lengths)
    high |= _TOP.take(lengths)
    return low, high


def _joined(one: tuple[UInt64s, UInt64s], other: tuple[UInt64s, UInt64s], first: Int64s) -> tuple[UInt64s, UInt64s]:
    """The keys of spans one behind the other, from the keys of each. first: the lengths of the first ones."""
    (low, high), (more_low, more_high) = one, other
    length = (high & TOP_BYTE) + (more_high & TOP_BYTE)
    high, more_high = high & ~TOP_BYTE, more_high & ~TOP_BYTE
    shift = (8 * (first & 7)).astype(np.uint64)
    # Of a number shifted by no bit nothing is left over; a shift by 64 would be that of none.
    over = np.where(shift == 0, np.uint64(0), more_low >> ((np.uint64(64) - shift) & np.uint64(63)))
    moved, early = more_low << shift, first < 8
    low = np.where(early, low | moved, low)
    high = np.where(early, over | (more_high << shift), high | moved)
    return low, high | length


def shortened(low: UInt64s, high: UInt64s, size: int) -> tuple[UInt64s, UInt64s]:
    """The two words of the first `size` bytes of keys that have as many; high: without the length in its top byte."""
    return low & _LOW[size], (high & _HIGH[size]) | _TOP[size]


def _hash(low: UInt64s, high: UInt64s) -> UInt64s:
    mixed = low * _N1
    mixed += high * _N2
    mixed ^= mixed >> np.uint64(32)
    mixed *= _N3
    return mixed


class WordTable:
    """Open addressing over pairs of 64-bit words -> row number. A row's key is found at its slot or one of the next.

    low, high: uint64 (n,). Of equal keys the last row is found. slots: those of a table that was made of the same
    keys before (ValueError when they cannot be).
    """

    def __init__(self, low: UInt64s, high: UInt64s, slots: Slots | None = None) -> None:
        count = len(low)
        bits = max(4, int(2.5 * max(count, 1)).bit_length())
        self.shift = np.uint64(64 - bits)
        self.mask = (1 << bits) - 1
        # One row more than there are: the key of an empty slot, which no question equals (its length is 0).
        self.low = np.append(low, np.uint64(0))
        self.high = np.append(high, np.uint64(0))
        self.empty = count
        #: May some keys be equal? Of a table that was made before it is not known.
        self.doubled = slots is not None
        if slots is not None:
            if len(slots) != 1 << bits or int(slots.min()) < 0 or int(slots.max()) != count:
                raise ValueError("the slots are those of another table")
            self.slots = slots
            return
        self.slots = np.full(1 << bits, count, np.int32)
        rows = np.arange(count, dtype=np.int32)
        place = (_hash(low, high) >> self.shift).astype(np.int64)
        while len(rows):
            held = self.slots.take(place)
            free = held == count
            self.slots[place[free]] = rows[free]  # of several the last one stays, the others look further
            held = self.slots.take(place)
            on = np.flatnonzero(held != rows)
            rows, place, held = rows[on], place[on], held[on]
            same = (self.low.take(held) == self.low.take(rows)) & (self.high.take(held) == self.high.take(rows))
            self.doubled |= bool(same.any())
            later = same & (rows > held)
            self.slots[place[later]] = rows[later]
            on = np.flatnonzero(~same)
            rows, place = rows[on], (place[on] + 1) & self.mask

    def find(self, low: UInt64s, high: UInt64s) -> NDArray[np.int32]:
        """Row of each key; `empty` where there is none."""
        place = (_hash(low, high) >> self.shift).astype(np.int64)
        rows = self.slots.take(place)
        wrong = self.low.take(rows) != low
        wrong |= self.high.take(rows) != high
        wrong &= rows != self.empty
        left = np.flatnonzero(wrong)
        while len(left) > ALONE:
            place = (place.take(left) if len(place) != len(left) else place) + 1
            place &= self.mask
            found = self.slots.take(place)
            rows[left] = found
            wrong = self.low.take(found) != low.take(left)
            wrong |= self.high.take(found) != high.take(left)
            wrong &= found != self.empty
            left, place = left[wrong], place[wrong]
        if len(left):
            rows[left] = list(map(self.find_one, low.take(left).tolist(), high.take(left).tolist()))
        return rows

    def find_in_order(self, low: UInt64s, high: UInt64s) -> NDArray[np.int32]:
        """The same, quicker where most keys follow one another as the rows do, or are the one before again."""
        if self.doubled:
            return self.find(low, high)
        count = len(low)
        new = np.ones(count, np.bool_)
        new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
        nth = np.cumsum(new, dtype=np.int32)
        known = self.find(low[::ANCHOR], high[::ANCHOR]) - nth[::ANCHOR]
        rows = np.repeat(known, ANCHOR)[:count] + nth
        np.clip(rows, 0, self.empty, out=rows)
        wrong = np.flatnonzero((self.low.take(rows) != low) | (self.high.take(rows) != high))
        rows[wrong] = self.find(low.take(wrong), high.take(wrong))
        return rows

    @cached_property
    def _views(self) -> tuple[memoryview, memoryview, memoryview]:
        return self.slots.data, self.low.data, self.high.data

    def find_one(self, low: int, high: int) -> int:
        """The same for one key, without arrays (a microsecond instead of twenty)."""
        slots, lows, highs = self._views
        mixed = (low * _M1 + high * _M2) & _ALL
        mixed = ((mixed ^ (mixed >> 32)) * _M3) & _ALL
        place = mixed >> int(self.shift)
        row: int = slots[place]
        while row != self.empty and (lows[row] != low or highs[row] != high):
            place = (place + 1) & self.mask
            row = slots[place]
        return row


class SpanTable:
    """byte string -> number (int64, -1 for none). Of equal strings the last one counts."""

    def __init__(self, blob: bytes, offsets: Int64s, values: Int64s, slots: Slots | None = None) -> None:
        lengths = np.diff(offsets)
        short = np.flatnonzero((lengths <= SHORT) & (lengths > 0))
        text = Text(blob)
        self.table = WordTable(*keys_of(text, offsets[:-1][short], lengths[short]), slots)
        self.values = np.append(values[short], -1)
        long_rows = np.flatnonzero(lengths > SHORT).tolist()
        self.long: dict[bytes, int] = {
            blob[offsets[r] : offsets[r + 1]]: v for r, v in zip(long_rows, values[long_rows].tolist(), strict=True)
        }
        #: The longest key.
        self.longest = int(lengths.max(initial=0))

    @classmethod
    def of(cls, keys: Sequence[bytes], values: Sequence[int]) -> SpanTable:
        return cls(*join_bytes(keys), np.array(values, np.int64))

    def find(self, text: Text, starts: Int64s, lengths: Int64s) -> Int64s:
        """The number of each span text[start:start+length], -1 where it is no key."""
        if not len(starts):
            return np.zeros(0, np.int64)
        if len(starts) > BLOCK:
            return np.concatenate([self.find(text, starts[i : i + BLOCK], lengths[i : i + BLOCK])
                                   for i in range(0, len(starts), BLOCK)])
        if int(lengths.max()) <= SHORT:
            return self.values.take(self.table.find(*keys_of(text, starts, lengths)))
        out = np.full(len(starts), -1, np.int64)
        short = np.flatnonzero(lengths <= SHORT)
        out[short] = self.values.take(self.table.find(*keys_of(text, starts.take(short), lengths.take(short))))
        far = np.flatnonzero((lengths > SHORT) & (lengths <= self.longest))
        if len(far):
            data, get = text.data, self.long.get
            begins, ends = starts.take(far), starts.take(far) + lengths.take(far)
            out[far] = [get(data[a:b], -1) for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
        return out

    def find_parts(self, text: Text, starts: Int64s, mids: Int64s, rights: Int64s, ends: Int64s
                   ) -> tuple[Int64s, Int64s, Int64s]:
        """The numbers of text[starts:mids], of text[rights:ends], and of both one behind the other."""
        every = starts, mids, rights, ends
        found = [self._find_parts(text, *(a[i : i + BLOCK] for a in every)) for i in range(0, len(starts), BLOCK)]
        left, right, both = map(np.concatenate, zip(*found, strict=True)) if found else (starts, starts, starts)
        return left, right, both

    def _find_parts(self, text: Text, starts: Int64s, mids: Int64s, rights: Int64s, ends: Int64s
                    ) -> tuple[Int64s, Int64s, Int64s]:
        first, second = mids - starts, ends - rights
        short = np.flatnonzero(first + second <= SHORT)
        one = keys_of(text, starts.take(short), first.take(short))
        other = keys_of(text, rights.take(short), second.take(short))
        left, right = self.values.take(self.table.find(*one)), self.values.take(self.table.find(*other))
        # A vocabulary has its tokens as they were made.
        both = self.values.take(self.table.find_in_order(*_joined(one, other, first.take(short))))
        if len(short) == len(starts):
            return left, right, both
        out = np.full((3, len(starts)), -1, np.int64)
        out[:, short] = left, right, both
        far = np.flatnonzero(first + second > SHORT)
        starts, mids, rights, ends = (a.take(far) for a in (starts, mids, rights, ends))
        out[0, far] = self.find(text, starts, mids - starts)
        out[1, far] = self.find(text, rights, ends - rights)
        data, get = text.data, self.long.get
        spans = zip(*(a.tolist() for a in (starts, mids, rights, ends)), strict=True)
        out[2, far] = [get(data[a:b] + data[c:d], -1) for a, b, c, d in spans]
        return out[0], out[1], out[2]

    @cached_property
    def _values(self) -> memoryview:
        return self.values.data

    def get(self, key: bytes) -> int:
        """The number of one key, -1 for none."""
        n = len(key)
        if n > SHORT:
            return self.long.get(key, -1)
        found: int = self._values[self.table.find_one(
            int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little") | n << 56)]
        return found


def distinct(text: Text, starts: Int64s, lengths: Int64s) -> tuple[Int64s, Int64s]:
    """(which of the distinct ones each span text[start:start+length] is, a span that is each of those)."""
    count = len(starts)
    if count <= EACH:
        data = text.data
        seen: dict[bytes, int] = {}
        kind = np.fromiter((seen.setdefault(data[a : a + n], len(seen)) for a, n in
                            zip(starts.tolist(), lengths.tolist(), strict=True)), np.int64, count)
    else:
        kind = np.empty(count, np.int64)
        short = np.flatnonzero(lengths <= SHORT)
        low, high = keys_of(text, starts.take(short), lengths.take(short))
        table = WordTable(low, high)
        for i in range(0, len(short), BLOCK):
            kind[short[i : i + BLOCK]] = short.take(table.find(low[i : i + BLOCK], high[i : i + BLOCK]))
        data = text.data
        seen = {}
        for row in np.flatnonzero(lengths > SHORT).tolist():
            a = int(starts[row])
            kind[row] = seen.setdefault(data[a : a + int(lengths[row])], row)
        # Numbers of spans so far: those that stand for their equals are counted.
        stands = np.zeros(count, np.bool_)
        stands[kind] = True
        kind = (np.cumsum(stands) - 1).take(kind)
    rows = np.empty(int(kind.max(initial=-1)) + 1, np.int64)
    rows[kind] = np.arange(count)
    return kind, rows


class PairTable:
    """(left, right) -> number (-1 for none), for ids below 2**32. Of a pair that is there twice the last one counts."""

    def __init__(self, left: Int64s, right: Int64s, values: Int64s, slots: Slots | None = None) -> None:
        self.table = WordTable(*self._words(left, right), slots)
        self.values = np.append(values, -1)

    @staticmethod
    def _words(left: Int64s, right: Int64s) -> tuple[UInt64s, UInt64s]:
        low = left.astype(np.uint64) << np.uint64(32)
        low |= right.astype(np.uint64)
        return low, np.ones(len(low), np.uint64)

    def find(self, left: Int64s, right: Int64s) -> Int64s:
        return self.values.take(self.table.find(*self._words(left, right)))

    @cached_property
    def _values(self) -> memoryview:
        return self.values.data

    def get(self, left: int, right: int) -> int:
        found: int = self._values[self.table.find_one(left << 32 | right, 1)]
        return found
