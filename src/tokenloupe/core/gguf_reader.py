"""The metadata of a GGUF file, read from a buffer: every number checked against the bytes that remain.

GGUF is a flat list of key-value pairs before the tensors. A vocabulary of 262,144 tokens and 515,000 merges is two
arrays of length-prefixed strings, so finding the strings is the whole cost. `StringArray` holds their positions alone;
nothing is decoded before somebody asks for it.

    >>> meta = read_metadata(mapped)                 # mmap, bytes or memoryview
    >>> meta.text("tokenizer.ggml.model"), len(meta.strings("tokenizer.ggml.tokens"))
    ('gpt2', 50257)

Source: the GGUF specification of ggml (docs/gguf.md, MIT), versions 2 and 3 in both byte orders. Version 1 has 32-bit
counts, was written for a few weeks in August 2023, and is named as old.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import accumulate, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InputError, one_line
from .lookup import eights
from .vocabulary import Int64s, split_bytes

Buffer = bytes | mmap.mmap | memoryview

MAGIC = b"GGUF"

#: Magics of the formats before GGUF, as they stand in the file (little-endian words): name.
LEGACY_MAGICS = {
    b"lmgg": "GGML", b"fmgg": "GGMF", b"tjgg": "GGJT", b"algg": "GGLA",
    b"ggml": "GGML", b"ggmf": "GGMF", b"ggjt": "GGJT", b"ggla": "GGLA",
}  # fmt: skip

#: A key longer than this is no key: the specification allows 65,535 bytes.
LONGEST_KEY = 65_535


class ValueType(IntEnum):
    """Types of metadata values, as numbered by the specification. `word` is how it is shown."""

    UINT8 = 0
    INT8 = 1
    UINT16 = 2
    INT16 = 3
    UINT32 = 4
    INT32 = 5
    FLOAT32 = 6
    BOOL = 7
    STRING = 8
    ARRAY = 9
    UINT64 = 10
    INT64 = 11
    FLOAT64 = 12

    @property
    def word(self) -> str:
        return self.name.lower()


#: struct letters and numpy codes of the fixed-size types.
_LETTERS = {
    ValueType.UINT8: "B", ValueType.INT8: "b", ValueType.UINT16: "H", ValueType.INT16: "h", ValueType.UINT32: "I",
    ValueType.INT32: "i", ValueType.FLOAT32: "f", ValueType.BOOL: "?", ValueType.UINT64: "Q", ValueType.INT64: "q",
    ValueType.FLOAT64: "d",
}  # fmt: skip
_NUMPY = {
    ValueType.UINT8: "u1", ValueType.INT8: "i1", ValueType.UINT16: "u2", ValueType.INT16: "i2", ValueType.UINT32: "u4",
    ValueType.INT32: "i4", ValueType.FLOAT32: "f4", ValueType.BOOL: "?", ValueType.UINT64: "u8", ValueType.INT64: "i8",
    ValueType.FLOAT64: "f8",
}  # fmt: skip


@dataclass(frozen=True)
class StringArray:
    """Strings that stay in the buffer. starts, lengths: int64 (n,), byte positions of each string's own bytes."""

    buffer: Buffer = field(repr=False)
    starts: Int64s = field(repr=False)
    lengths: Int64s = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> bytes:
        start = int(self.starts[index])
        return bytes(self.buffer[start : start + int(self.lengths[index])])

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.to_list())

    def region(self) -> tuple[bytes, Int64s, Int64s]:
        """(bytes, starts, ends): from the first string to the last, with the lengths between them."""
        if not len(self.starts):
            return b"", self.starts, self.starts
        first = int(self.starts[0])
        starts = self.starts - first
        ends = starts + self.lengths
        return bytes(self.buffer[first : first + int(ends[-1])]), starts, ends

    def joined(self) -> tuple[bytes, Int64s]:
        """All strings as (blob, offsets int64 (n+1,)): two arrays, no Python object a string."""
        data, starts, _ = self.region()
        region = np.frombuffer(data, np.uint8)
        keep = np.ones(len(region), np.bool_)
        for back in range(1, 9):  # the eight bytes of each length but the first
            keep[starts[1:] - back] = False
        offsets = np.zeros(len(self.starts) + 1, np.int64)
        np.cumsum(self.lengths, out=offsets[1:])
        return region[keep].tobytes(), offsets

    def to_list(self) -> list[bytes]:
        return split_bytes(*self.joined())


@dataclass(frozen=True, slots=True)
class Nested:
    """An array of arrays, stepped over and not kept. count: its elements. inside: arrays in it, at every depth."""

    count: int
    inside: int

    def __len__(self) -> int:
        return self.count


@dataclass(frozen=True, slots=True)
class Entry:
    """One key and its value, which stands at bytes value_start..value_end of the file.

    value: bool, int, float; bytes for a string; a numpy array (native byte order) or a StringArray for an array, whose
    element_type is then set; Nested for an array of arrays.
    """

    key: str
    type: ValueType
    value: Any
    value_start: int
    value_end: int
    element_type: ValueType | None = None

    @property
    def problem(self) -> str | None:
        """What is wrong with the value, or None."""
        if not isinstance(self.value, Nested):
            return None
        return f"an array of arrays ({self.value.inside:,} inside), which GGUF readers refuse: it is stepped over"

    @property
    def type_word(self) -> str:
        """`uint32`, `string[50257]`: the type as people write it."""
        if self.element_type is None:
            return self.type.word
        return f"{self.element_type.word}[{len(self.value)}]"


@dataclass(frozen=True)
class Metadata:
    """version: 2 or 3. big_endian: of all numbers in the file. tensor_infos_start: the byte where tensor infos begin.

    entries: in file order, duplicates included. problems: sentences about what is wrong but does not stop the reading.
    """

    version: int
    big_endian: bool
    tensor_count: int
    entries: tuple[Entry, ...]
    tensor_infos_start: int
    problems: tuple[str, ...] = ()

    def entry(self, key: str) -> Entry | None:
        """The first entry of this key, or None."""
        return next((e for e in self.entries if e.key == key), None)

    def text(self, key: str) -> str | None:
        """A string value, or None where the key is absent. InputError when it is no string."""
        e = self._typed(key, (ValueType.STRING,), "a string")
        return None if e is None else e.value.decode("utf-8", "replace")

    def integer(self, key: str) -> int | None:
        """An integer value of any width, or None where the key is absent."""
        e = self._typed(key, _INTEGERS, "an integer")
        return None if e is None else int(e.value)

    def flag(self, key: str) -> bool | None:
        """A boolean value, or None where the key is absent."""
        e = self._typed(key, (ValueType.BOOL,), "a boolean")
        return None if e is None else bool(e.value)

    def strings(self, key: str) -> StringArray | None:
        """An array of strings, or None where the key is absent."""
        e = self._typed_array(key, (ValueType.STRING,), "an array of strings")
        return None if e is None else e.value

    def numbers(self, key: str) -> NDArray[Any] | None:
        """An array of numbers, or None where the key is absent."""
        e = self._typed_array(key, tuple(_NUMPY), "an array of numbers")
        return None if e is None else e.value

    def _typed(self, key: str, types: tuple[ValueType, ...], wanted: str) -> Entry | None:
        e = self.entry(key)
        if e is not None and e.type not in types:
            raise InputError(f"{wanted} is expected and {e.type_word} is there", where=f"key {key}",
                             todo="the file was written with a wrong type for this key")
        return e

    def _typed_array(self, key: str, types: tuple[ValueType, ...], wanted: str) -> Entry | None:
        e = self.entry(key)
        if e is not None and e.element_type not in types:
            raise InputError(f"{wanted} is expected and {e.type_word} is there", where=f"key {key}",
                             todo="the file was written with a wrong type for this key")
        return e


_INTEGERS = (ValueType.UINT8, ValueType.INT8, ValueType.UINT16, ValueType.INT16, ValueType.UINT32, ValueType.INT32,
             ValueType.UINT64, ValueType.INT64)


class Cursor:
    """Reads forward through a buffer; every read names what it was about when the file ends inside it.

        cursor = Cursor(buffer, pos=meta.tensor_infos_start, big_endian=meta.big_endian)
        name = cursor.string("the name of tensor 0")
    """

    def __init__(self, buffer: Buffer, pos: int = 0, *, big_endian: bool = False) -> None:
        self.buffer, self.pos, self.size = buffer, pos, len(buffer)
        self.order = ">" if big_endian else "<"
        self._u64 = struct.Struct(self.order + "Q")

    @property
    def remaining(self) -> int:
        return self.size - self.pos

    def need(self, count: int, what: str) -> None:
        """InputError unless `count` more bytes are there."""
        if count > self.size - self.pos:
            raise InputError(f"the file ends inside {what}", where=f"byte {self.size:,}", todo=_AGAIN)

    def scalar(self, kind: ValueType, what: str) -> Any:
        """One number or boolean."""
        form = struct.Struct(self.order + _LETTERS[kind])
        self.need(form.size, what)
        (value,) = form.unpack_from(self.buffer, self.pos)
        self.pos += form.size
        return value

    def u32(self, what: str) -> int:
        return int(self.scalar(ValueType.UINT32, what))

    def u64(self, what: str) -> int:
        return int(self.scalar(ValueType.UINT64, what))

    def string(self, what: str, longest: int | None = None) -> bytes:
        """A length and that many bytes."""
        start = self.pos
        length = self.u64(f"the length of {what}")
        if longest is not None and length > longest:
            raise InputError(f"the length of {what} is {length:,}", where=f"byte {start:,}", todo="the file is damaged")
        self.need(length, what)
        value = bytes(self.buffer[self.pos : self.pos + length])
        self.pos += length
        return value

    def count(self, smallest: int, what: str) -> int:
        """A 64-bit count of items of at least `smallest` bytes each: refused when they cannot fit into what remains."""
        start = self.pos
        number = self.u64(f"the number of {what}")
        if number * smallest > self.remaining:
            left = f"they cannot fit into the {self.remaining:,} bytes that remain"
            raise InputError(f"the file ends inside {number:,} {what}: {left}", where=f"byte {start:,}", todo=_AGAIN)
        return number

    def strings(self, count: int, what: str) -> StringArray:
        """`count` strings, found without reading them. About 60 ns a string."""
        starts = np.empty(count, np.int64)
        buffer, big = self.buffer, self.order == ">"
        low = 7 if big else 0
        done, patience, pause = 0, 1, 0
        while done < count:
            pause -= 1
            if not big and count - done > _FEW_STRINGS and pause < 0:
                began = self.pos
                found = self._chain(count - done)
                starts[done : done + len(found)] = found
                done += len(found)
                if self.pos - began > _REGION // 4 or done == count:
                    patience = 1
                    continue
                # Full of zeros or of long strings: looking through all of it again and again would not pay.
                pause, patience = patience, min(2 * patience, _MOST_PATIENCE)
            step = min(_STRIDE, count - done)
            # Nearly every string is shorter than 256 bytes, so the low byte of its length is the length: chase those
            # through the chunk, then look at all eight bytes of each at once.
            try:
                edges = list(accumulate(repeat(None, step), lambda p, _: p + 8 + buffer[p + low], initial=self.pos))
            except IndexError:
                edges = []
            if edges and edges[-1] <= self.size and self._short(edges[:-1], low):
                starts[done : done + step] = edges[:-1]
                self.pos = edges[-1]
            else:
                for i in range(done, done + step):
                    starts[i] = self.pos
                    self.need(8, f"the length of item {i} of {what}")
                    (length,) = self._u64.unpack_from(buffer, self.pos)
                    self.pos += 8
                    self.need(length, f"item {i} of {what}")
                    self.pos += length
            done += step
        ends = np.append(starts[1:], self.pos) if count else starts
        return StringArray(buffer, starts + 8, ends - starts - 8)

    def _chain(self, most: int) -> Int64s:
        """Step over up to `most` strings of a region, as far as they are seen at once: the file positions of their
        lengths. A length below 256 is a byte with seven zeros behind it, which text has nowhere; each must lead to the
        next. Longer strings, and places that look like a length, are passed one by one."""
        region = bytes(self.buffer[self.pos : self.pos + _REGION])
        if len(region) < 8:
            return np.zeros(0, np.int64)
        data = np.frombuffer(region, np.uint8)
        words = eights(region)
        places = np.flatnonzero(words < 256)
        after = places + 8 + data.take(places)
        breaks = np.append(np.flatnonzero(after[:-1] != places[1:]), len(places) - 1)
        found: list[Int64s] = []
        pos = count = 0
        for _ in range(_MOST_BREAKS):
            if count == most or pos >= len(words):
                break
            i = int(np.searchsorted(places, pos))
            if i < len(places) and int(places[i]) == pos:
                stop = min(int(breaks[np.searchsorted(breaks, i)]) + 1, i + most - count)
                if int(after[stop - 1]) > len(region):
                    stop -= 1
                if stop == i:
                    break
                found.append(places[i:stop])
                pos = int(after[stop - 1])
            else:
                end = pos + 8 + int(words[pos])
                if end > len(region):
                    break
                found.append(np.array([pos]))
                pos = end
            count += len(found[-1])
        first, self.pos = self.pos, self.pos + pos
        return np.concatenate(found) + first if found else np.zeros(0, np.int64)

    def _short(self, edges: list[int], low: int) -> bool:
        """Whether the seven high bytes of every length are zero. edges: file positions of the lengths."""
        first = edges[0]
        region = np.frombuffer(bytes(self.buffer[first : edges[-1] + 8]), np.uint8)
        at = np.array(edges, np.int64) - first
        others = np.delete(np.arange(8), low)
        return not bool(region[at[:, None] + others].any())

    def step_over(self, what: str) -> Nested:
        """An array of arrays, its element type already read: the cursor goes behind it.

        One loop with the lengths still open on a list, so no depth is too deep; `MOST_INSIDE` bounds the time.
        """
        count = self.count(12, f"arrays of {what}")
        open_counts, inside = [count], 0
        head, deeper = struct.Struct(self.order + "IQ"), int(ValueType.ARRAY)
        while open_counts:
            if not open_counts[-1]:
                open_counts.pop()
                continue
            open_counts[-1] -= 1
            inside += 1
            if inside > MOST_INSIDE:
                raise InputError(f"{what} is an array of arrays with more than {MOST_INSIDE:,} inside",
                                 where=f"byte {self.pos:,}", todo="the file was written wrongly: flatten the value")
            if self.size - self.pos >= 12:  # by far the most are arrays again
                number, count_inside = head.unpack_from(self.buffer, self.pos)
                if number == deeper and count_inside * 12 <= self.size - self.pos - 12:
                    open_counts.append(count_inside)
                    self.pos += 12
                    continue
            kind = _kind(self, f"the element type of an array inside {what}")
            if kind is ValueType.ARRAY:
                open_counts.append(self.count(12, f"arrays inside {what}"))
            elif kind is ValueType.STRING:
                self.strings(self.count(8, f"strings inside {what}"), what)
            else:
                size = np.dtype(_NUMPY[kind]).itemsize
                number = self.count(size, f"elements inside {what}")
                self.pos += size * number
        return Nested(count, inside)

    def array(self, kind: ValueType, what: str) -> NDArray[Any] | StringArray:
        """A count and that many elements."""
        if kind is ValueType.STRING:
            return self.strings(self.count(8, f"strings of {what}"), what)
        code = np.dtype(self.order + _NUMPY[kind])
        number = self.count(code.itemsize, f"elements of {what}")
        size = number * code.itemsize
        values = np.frombuffer(bytes(self.buffer[self.pos : self.pos + size]), code)
        self.pos += size
        return values.astype(code.newbyteorder("="), copy=False)


#: Bytes in which lengths are looked for at once, and the strings from which on that pays.
_REGION, _FEW_STRINGS = 1 << 20, 64
#: Interruptions of a chain of short strings in one region.
_MOST_BREAKS = 512
#: The most chunks that are gone through string by string before a chain is looked for again.
_MOST_PATIENCE = 64
#: Strings looked at together: large enough for numpy, small enough that one long string among them costs little.
_STRIDE = 4096

#: Arrays inside an array of arrays that are stepped over, at every depth: about a second.
MOST_INSIDE = 400_000

_AGAIN = "the download is not complete: fetch it again"


def is_gguf(head: bytes | memoryview) -> bool:
    return bytes(head[:4]) == MAGIC


def read_header(buffer: Buffer) -> tuple[int, bool, Cursor]:
    """(version, big_endian, a cursor behind the version). InputError for what is no GGUF file."""
    magic = bytes(buffer[:4])
    if magic != MAGIC:
        raise _no_gguf(magic, buffer)
    cursor = Cursor(buffer, 4)
    version = cursor.u32("the version")
    big = version & 0xFFFF == 0 and version != 0
    if big:
        version = int.from_bytes(version.to_bytes(4, "little"), "big")
        cursor = Cursor(buffer, 8, big_endian=True)
    if version == 1:
        raise InputError("this is GGUF version 1, which no current program writes or reads", where="byte 4",
                         todo="convert it with gguf-convert of the time, or fetch a newer file of the model")
    if version not in (2, 3):
        raise InputError(f"GGUF version {version} is not known", where="byte 4",
                         todo="versions 2 and 3 are read; the file is damaged or newer than this program")
    return version, big, cursor


def _no_gguf(magic: bytes, buffer: Buffer) -> InputError:
    if len(magic) < 4:
        return InputError("the file ends inside the magic", where=f"byte {len(magic)}", todo=_AGAIN)
    name = LEGACY_MAGICS.get(magic)
    if name:
        told = "" if name == "GGML" or len(buffer) < 8 else f" v{int.from_bytes(bytes(buffer[4:8]), 'little')}"
        return InputError(f"this is a legacy {name}{told} file, not GGUF", where="byte 0",
                          todo="convert it or fetch a GGUF file of the model")
    if magic == b"gguf":
        return InputError("the magic is 'gguf' in lower case, not 'GGUF'", where="byte 0", todo="the file is damaged")
    return InputError("this is not a GGUF file", where="byte 0", todo="check which file it is")


def read_metadata(buffer: Buffer) -> Metadata:
    """All key-value pairs. InputError names key and byte where the file is cut or lies about a count."""
    version, big, cursor = read_header(buffer)
    tensor_count = cursor.u64("the number of tensors")
    kv_count = cursor.count(13, "keys")  # the shortest: a length, an empty key, a type, one byte
    entries: list[Entry] = []
    first: dict[str, Entry] = {}
    problems: list[str] = []
    for index in range(kv_count):
        key = cursor.string(f"key {index}", LONGEST_KEY).decode("utf-8", "replace")
        entry = _entry(cursor, key)
        if key in first:
            problems.append(f"the key {one_line(key)} is there twice: {_shown(first[key])} and {_shown(entry)}")
        else:
            first[key] = entry
        if entry.problem:
            problems.append(f"the key {one_line(key)} is {entry.problem}")
        entries.append(entry)
    return Metadata(version, big, tensor_count, tuple(entries), cursor.pos, tuple(problems))


def _entry(cursor: Cursor, key: str) -> Entry:
    kind = _kind(cursor, f"the type of key {key}")
    start = cursor.pos
    if kind is ValueType.STRING:
        return Entry(key, kind, cursor.string(f"the value of key {key}"), start, cursor.pos)
    if kind is not ValueType.ARRAY:
        return Entry(key, kind, cursor.scalar(kind, f"the value of key {key}"), start, cursor.pos)
    element = _kind(cursor, f"the element type of key {key}")
    if element is ValueType.ARRAY:
        return Entry(key, kind, cursor.step_over(f"key {key}"), start, cursor.pos, element)
    return Entry(key, kind, cursor.array(element, f"key {key}"), start, cursor.pos, element)


def _kind(cursor: Cursor, what: str) -> ValueType:
    start = cursor.pos
    number = cursor.u32(what)
    if number > max(ValueType):
        raise InputError(f"{what} is {number}, which is none", where=f"byte {start:,}", todo="the file is damaged")
    return ValueType(number)


def _shown(entry: Entry) -> str:
    if entry.element_type is not None:
        return entry.type_word
    value = entry.value.decode("utf-8", "replace") if isinstance(entry.value, bytes) else entry.value
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
