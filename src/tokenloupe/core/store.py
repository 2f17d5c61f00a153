"""Bytes under edit, kept in blocks, so that a keystroke in 10 MB moves a few kilobytes and not ten million.

    >>> s = TextStore(b"hello world")
    >>> s.replace(5, 1, b", ")
    b' '
    >>> s.data, len(s), s.bytes(0, 5)
    (b'hello, world', 12, b'hello')

Positions are byte offsets. The joined text is made when asked for and kept until the next edit.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

_Bytes = bytes  # the class has a method of that name

#: Blocks are cut to this size when made and may grow to twice it before they are cut again.
BLOCK = 16384


class TextStore:
    """`len(store)` bytes. Reading and replacing cost O(bytes touched + block size + number of blocks)."""

    __slots__ = ("_blocks", "_ends", "_joined", "_length")

    def __init__(self, data: bytes = b"") -> None:
        data = bytes(data)
        self._blocks: list[bytes] = _cut(data)
        self._ends: list[int] | None = None  # cumulative ends of the blocks, remade after an edit
        self._length = len(data)
        self._joined: bytes | None = data

    def __len__(self) -> int:
        return self._length

    @property
    def data(self) -> _Bytes:
        """The whole text as one bytes object; O(n) after an edit, then free until the next."""
        if self._joined is None:
            self._joined = b"".join(self._blocks)
        return self._joined

    def bytes(self, start: int, end: int) -> _Bytes:
        """The bytes start..end, both clamped to the text."""
        start, end = max(start, 0), min(end, self._length)
        if start >= end:
            return b""
        if self._joined is not None:
            return self._joined[start:end]
        first, at = self._find(start)
        last, _ = self._find(end - 1)
        base = start - at
        return b"".join(self._blocks[first : last + 1])[at : end - base]

    def replace(self, byte_pos: int, removed: int, inserted: _Bytes) -> _Bytes:
        """Replace `removed` bytes at byte_pos by `inserted`; returns the bytes that were there.

        ValueError when the range does not lie in the text.
        """
        if byte_pos < 0 or removed < 0 or byte_pos + removed > self._length:
            raise ValueError(f"bytes {byte_pos}..{byte_pos + removed} do not lie in a text of {self._length} bytes")
        old = self.bytes(byte_pos, byte_pos + removed)
        if not removed and not inserted:
            return old
        if not self._blocks:
            self._blocks = _cut(inserted)
        else:
            first, at = self._find(min(byte_pos, self._length - 1))
            at = byte_pos - self._starts(first)
            last = first if removed == 0 else self._find(byte_pos + removed - 1)[0]
            tail = self._blocks[last][byte_pos + removed - self._starts(last) :]
            whole = self._blocks[first][:at] + inserted + tail
            self._blocks[first : last + 1] = [whole] if 0 < len(whole) <= 2 * BLOCK else _cut(whole)
        self._length += len(inserted) - removed
        self._joined = None
        self._ends = None
        return old

    def _starts(self, block: int) -> int:
        return self._table()[block] - len(self._blocks[block])

    def _table(self) -> list[int]:
        if self._ends is None:
            self._ends = list(accumulate(map(len, self._blocks)))
        return self._ends

    def _find(self, byte_pos: int) -> tuple[int, int]:
        """Block that holds the byte at byte_pos (< length), and the offset in it."""
        block = bisect_right(self._table(), byte_pos)
        return block, byte_pos - self._starts(block)


def _cut(data: bytes) -> list[bytes]:
    return [data[i : i + BLOCK] for i in range(0, len(data), BLOCK)]
