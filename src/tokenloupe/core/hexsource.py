"""Bytes to look at, a window at a time: the text under edit, or a file of any size that is mapped, never read whole.

    >>> window = look(Plain("né".encode()), 0, 3)
    >>> window.roles.tolist(), window.characters
    ([0, 1, 4], ((0, 1, 'n'), (1, 3, 'é')))

A window knows the three bytes on either side of it, so a character that begins or ends outside is still seen whole:
no UTF-8 encoding is longer than four bytes, and whether one is well-formed is decided by its own bytes alone.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .utf8 import LENGTH, ByteRole, roles

_Bytes = bytes  # the sources have a method of that name

#: Bytes searched between two looks at the event loop.
CHUNK = 1 << 20
#: After this many bytes brought in, the pages of a mapped file are given back to the system.
PAGES_KEPT = 1 << 20
#: A system brings in up to this much around a page that is looked at (Linux: fault_around_bytes).
BROUGHT_IN = 1 << 16


class Source(Protocol):
    """`bytes` clamps both ends to what there is."""

    name: str

    def __len__(self) -> int: ...
    def bytes(self, start: int, end: int) -> _Bytes: ...


class Plain:
    """Bytes in memory."""

    def __init__(self, data: _Bytes, name: str = "") -> None:
        self.name = name
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def bytes(self, start: int, end: int) -> _Bytes:
        return self._data[max(start, 0) : max(end, 0)]


def _mark(about: os.stat_result) -> tuple[int, ...]:
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns


class FileSource:
    """A file by memory map, read-only. InputError: it cannot be opened. close() when it is not needed any more."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        try:
            if not path.is_file():  # a pipe or a device would block, or has no end
                raise InputError(f"{path.name} is no file that can be shown", todo="choose a regular file")
            self._file = path.open("rb")
        except OSError as error:
            raise InputError(f"{path.name} cannot be read ({error.strerror or error})",
                             todo="check the path and its permissions") from error
        about = os.fstat(self._file.fileno())
        self._size, self._was = about.st_size, _mark(about)
        self._map: mmap.mmap | None = None
        self._touched = 0
        if self._size:
            try:
                self._map = mmap.mmap(self._file.fileno(), self._size, access=mmap.ACCESS_READ)
            except (OSError, ValueError) as error:
                self._file.close()
                raise InputError(f"{path.name} cannot be mapped into memory ({error})") from error

    def __len__(self) -> int:
        return self._size

    def bytes(self, start: int, end: int) -> _Bytes:
        """Bytes start..end. A file that was cut short meanwhile ends where it now ends (a mapped page that is gone
        would end the process)."""
        if self._map is None:
            return b""
        now = os.fstat(self._file.fileno()).st_size
        start, end = max(start, 0), min(end, self._size, now)
        if start >= end:
            return b""
        self._touched += end - start + BROUGHT_IN
        found = self._map[start:end]
        if self._touched > PAGES_KEPT and hasattr(self._map, "madvise"):
            self._touched = 0
            self._map.madvise(mmap.MADV_DONTNEED)
        return found

    def news(self) -> Literal["", "changed", "gone"]:
        """What has become of the file since it was opened: another length, other bytes, another file of its name."""
        try:
            now = self.path.stat()
        except OSError:
            return "gone"
        return "" if _mark(now) == self._was else "changed"

    def close(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None
        self._size = 0
        self._file.close()


@dataclass(frozen=True, slots=True)
class HexWindow:
    """Bytes start .. start + len(data) of a source.

    roles: core.utf8.ByteRole of each, uint8 (n,). characters: (byte_start, byte_end, text) of every character that has
    a byte in the window, in order, offsets into the source; bytes outside well-formed UTF-8 are in none.
    """

    start: int
    data: bytes
    roles: NDArray[np.uint8]
    characters: tuple[tuple[int, int, str], ...]

    @property
    def end(self) -> int:
        return self.start + len(self.data)


def look(source: Source, start: int, end: int) -> HexWindow:
    """The window start..end of a source, clamped. O(window)."""
    start = max(start, 0)
    before = min(3, start)
    around = source.bytes(start - before, end + 3)
    data = around[before : before + max(end - start, 0)]
    all_roles = roles(around)
    array = np.frombuffer(around, np.uint8)
    heads = np.flatnonzero(all_roles <= ByteRole.LEAD4)
    stops = heads + LENGTH[array[heads]]
    seen = (stops > before) & (heads < before + len(data))
    base = start - before
    characters = tuple(
        (base + a, base + b, around[a:b].decode("utf-8"))
        for a, b in zip(heads[seen].tolist(), stops[seen].tolist(), strict=True))
    return HexWindow(start, data, all_roles[before : before + len(data)], characters)


def character_at(source: Source, byte_pos: int) -> tuple[int, int, str] | None:
    """(byte_start, byte_end, text) of the character that holds the byte; None when the byte is in none."""
    found = look(source, byte_pos, byte_pos + 1).characters
    return found[0] if found else None


def go_to(text: str, caret: int, size: int) -> int:
    """Where `text` goes: 0x1f0 or 1f0h, 496, +0x10 and -16 from the caret, 50% of the size. InputError: nowhere.

    >>> go_to("+0x10", 16, 100), go_to("50%", 0, 9)
    (32, 4)
    """
    typed = text.strip().replace("_", "").replace(",", "").lower()
    sign = typed[:1] if typed[:1] in ("+", "-") else ""
    number = typed[len(sign) :].strip()
    try:
        if not number.isascii() or not number[:1].isalnum():
            raise ValueError
        if number.endswith("%"):
            share = float(number[:-1])
            if not (0 <= share <= 100) or sign:
                raise ValueError
            return int(size * share / 100)
        if number.startswith("0x") or number.endswith("h"):
            value = int(number.removesuffix("h"), 16)
        else:
            value = int(number)
    except ValueError:
        raise InputError(f"{text.strip()!r} is no offset", todo="type 496, 0x1f0, +16, -0x10 or 50%") from None
    place = caret + value if sign == "+" else caret - value if sign == "-" else value
    if not 0 <= place <= size:
        raise InputError(f"there is no byte {place:,}", todo=f"there are {size:,} bytes")
    return place


class Pattern(Protocol):
    def search(self, string: bytes) -> Match | None: ...


class Match(Protocol):
    def span(self) -> tuple[int, int]: ...


def find(source: Source, forth: Pattern, back: Pattern, longest: int, byte_pos: int,
         forward: bool = True) -> Iterator[float | tuple[int, int] | None]:
    """The next match at byte_pos or after it (forward), the last that ends at byte_pos or before it (else); around the
    end where there is none. Yields progress 0..1 and at last (start, end) or None. A chunk is in memory at a time.

    longest: the most bytes a match has. back: the same pattern, which searches from the end.
    """
    size, over, done = len(source), max(longest - 1, 0), 0
    if forward:
        for start, stop in ((byte_pos, size), (0, min(byte_pos + over, size))):
            for at in range(start, stop, CHUNK):
                if found := forth.search(source.bytes(at, min(at + CHUNK + over, stop))):
                    a, b = found.span()
                    yield at + a, at + b
                    return
                done += CHUNK
                yield min(done / max(size, 1), 1.0)
    else:
        for start, stop in ((0, byte_pos), (max(byte_pos - over, 0), size)):
            for at in range(stop, start, -CHUNK):
                low = max(at - CHUNK - over, start)
                if found := back.search(source.bytes(low, at)):
                    a, b = found.span()
                    yield low + a, low + b
                    return
                done += CHUNK
                yield min(done / max(size, 1), 1.0)
    yield None
