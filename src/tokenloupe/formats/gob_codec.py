"""Go's gob encoding, as far as a struct of maps, slices, arrays and plain values needs: read any, write one.

A stream is messages. One that begins with a negative id defines the type of that (positive) id; the others hold a value
of the type they begin with. Numbers are bytes below 128, or the complement of a byte count and big-endian bytes; signed
ones are shifted left by one with the sign in the lowest bit. Fields of a struct are sent as steps from the one before,
zero fields not at all.

    >>> read_gob(write_merge_rules([(105, 115)]))
    {'Dict': {(105, 115): 256}, 'Order': [(105, 115)]}

Source: the documentation of Go's package encoding/gob (BSD-3).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.errors import InputError

# The ids of the types that every stream knows.
BOOL, INT, UINT, FLOAT, BYTES, STRING, COMPLEX = 1, 2, 3, 4, 5, 6, 7
#: The first id that a stream defines itself.
FIRST = 64
#: Types inside types: no real stream comes near, a hostile one ends here.
DEEPEST = 32

#: What a wire type's field numbers mean: 1 array, 2 slice, 3 struct, 4 map.
_ARRAY, _SLICE, _STRUCT, _MAP = 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class WireType:
    """kind: 1 array, 2 slice, 3 struct, 4 map. key, elem: type ids. fields: (name, type id) of a struct."""

    kind: int
    name: str = ""
    key: int = 0
    elem: int = 0
    length: int = 0
    fields: tuple[tuple[str, int], ...] = ()


def _broken(what: str, pos: int) -> InputError:
    return InputError(what, where=f"byte {pos:,}", todo="the file is damaged or not a gob stream")


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.pos = data, 0
        self.types: dict[int, WireType] = {}

    def unsigned(self) -> int:
        if self.pos >= len(self.data):
            raise _broken("the file ends inside a number", self.pos)
        first = self.data[self.pos]
        self.pos += 1
        if first < 128:
            return first
        size = 256 - first
        if size > 8:
            raise _broken(f"a number of {size} bytes", self.pos - 1)
        return int.from_bytes(self.take(size, "a number"), "big")

    def signed(self) -> int:
        value = self.unsigned()
        return ~(value >> 1) if value & 1 else value >> 1

    def take(self, size: int, what: str) -> bytes:
        if size > len(self.data) - self.pos:
            raise _broken(f"the file ends inside {what}", self.pos)
        self.pos += size
        return self.data[self.pos - size : self.pos]

    def count(self, what: str) -> int:
        number = self.unsigned()
        if number > len(self.data) - self.pos:  # every item takes a byte at least
            raise _broken(f"{number:,} {what} cannot fit into what remains", self.pos)
        return number

    def string(self) -> bytes:
        return self.take(self.count("bytes"), "a string")

    def steps(self, last: int) -> Iterable[int]:
        """Field numbers (from 1) of a struct, as they come."""
        field = 0
        while True:
            step = self.unsigned()
            if not step:
                return
            field += step
            if field > last:
                raise _broken(f"field {field} of a struct that has {last}", self.pos)
            yield field

    def define(self, type_id: int) -> None:
        """Read a wireType and keep it."""
        for kind in self.steps(4):
            name, key, elem, length = "", 0, 0, 0
            fields: list[tuple[str, int]] = []
            for part in self.steps(3):
                if part == 1:
                    name = self._common()
                elif kind == _STRUCT:
                    fields = [self._field() for _ in range(self.count("fields"))]
                elif part == 2:
                    elem = self.signed()
                elif kind == _ARRAY:
                    length = self.signed()
                else:
                    key, elem = elem, self.signed()
            self.types[type_id] = WireType(kind, name, key, elem, length, tuple(fields))

    def _common(self) -> str:
        name = ""
        for part in self.steps(2):
            if part == 1:
                name = self.string().decode("utf-8", "replace")
            else:
                self.signed()
        return name

    def _field(self) -> tuple[str, int]:
        name, type_id = "", 0
        for part in self.steps(2):
            if part == 1:
                name = self.string().decode("utf-8", "replace")
            else:
                type_id = self.signed()
        return name, type_id

    def value(self, type_id: int, depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise _broken("types inside types without an end", self.pos)
        if type_id in (INT, UINT, BOOL):
            return self.signed() if type_id == INT else self.unsigned()
        if type_id in (BYTES, STRING):
            return self.string()
        if type_id == FLOAT:
            return struct.unpack("<d", self.unsigned().to_bytes(8, "big"))[0]
        wire = self.types.get(type_id)
        if wire is None:
            raise _broken(f"type {type_id} is not defined", self.pos)
        if wire.kind == _STRUCT:
            out: dict[Any, Any] = {}
            for field in self.steps(len(wire.fields)):
                name, inner = wire.fields[field - 1]
                out[name] = self.value(inner, depth + 1)
            return out
        number = self.count("items")
        if wire.kind == _MAP:
            return {_frozen(self.value(wire.key, depth + 1)): self.value(wire.elem, depth + 1) for _ in range(number)}
        if wire.kind == _ARRAY and number != wire.length:
            raise _broken(f"an array of {wire.length} has {number} items", self.pos)
        items = [self.value(wire.elem, depth + 1) for _ in range(number)]
        return tuple(items) if wire.kind == _ARRAY else items


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, (list, tuple)) else repr(value) if isinstance(
        value, dict) else value


def read_gob(data: bytes) -> Any:
    """The first value of the stream: a struct as dict, a map as dict, an array as tuple, a slice as list."""
    reader = _Reader(data)
    while reader.pos < len(data):
        size = reader.unsigned()
        start = reader.pos
        if size > len(data) - start:
            raise InputError(f"a message of {size:,} bytes and {len(data) - start:,} remain", where=f"byte {start:,}",
                             todo="the download is not complete: fetch it again")
        type_id = reader.signed()
        if type_id < 0:
            reader.define(-type_id)
        else:
            wire = reader.types.get(type_id)
            # A value that is no struct has a zero before it.
            if (wire is None or wire.kind != _STRUCT) and reader.unsigned():
                raise _broken("a value without its leading zero", reader.pos)
            value = reader.value(type_id)
        if reader.pos != start + size:
            raise _broken(f"a message should end at byte {start + size:,}", reader.pos)
        if type_id > 0:
            return value
    raise _broken("the stream holds no value", len(data))


def uint_bytes(value: int) -> bytes:
    if value < 128:
        return bytes((value,))
    body = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return bytes((256 - len(body),)) + body


def int_bytes(value: int) -> bytes:
    return uint_bytes(value << 1 if value >= 0 else (~value << 1) | 1)


def _string(text: str) -> bytes:
    return uint_bytes(len(text)) + text.encode()


def _message(body: bytes) -> bytes:
    return uint_bytes(len(body)) + body


def _pair(pair: tuple[int, int]) -> bytes:
    return b"\x02" + int_bytes(pair[0]) + int_bytes(pair[1])


def write_merge_rules(
    order: Sequence[tuple[int, int]], ids: dict[tuple[int, int], int] | None = None,
    name: str = "DefaultDict[github.com/itsubaki/gpt/tokenizer.Pair]",
) -> bytes:
    """A `DefaultDict[Pair]`: struct {Dict map[Pair]int; Order []Pair} with Pair an array of two ints.

    order: the merges, first to last. ids: pair -> id, written in this dict's order (Go's own order is random); the
    merges from 256 on when it is not given. The types are numbered as Go numbers them: 64 the struct, 65 Pair, 66 the
    map, 67 the slice.
    """
    ids = {p: 256 + i for i, p in enumerate(order)} if ids is None else ids
    struct_id, pair_id, map_id, slice_id = FIRST, FIRST + 1, FIRST + 2, FIRST + 3
    fields = b"".join(
        b"\x01" + _string(n) + b"\x01" + int_bytes(t) + b"\x00" for n, t in (("Dict", map_id), ("Order", slice_id))
    )
    out = [
        int_bytes(-struct_id) + b"\x03\x01\x01" + _string(name) + b"\x01" + int_bytes(struct_id) + b"\x00\x01\x02"
        + fields + b"\x00\x00",
        int_bytes(-map_id) + b"\x04\x01\x01" + _string("map[tokenizer.Pair]int") + b"\x01" + int_bytes(map_id)
        + b"\x00\x01" + int_bytes(pair_id) + b"\x01" + int_bytes(INT) + b"\x00\x00",
        int_bytes(-pair_id) + b"\x01\x01\x02" + int_bytes(pair_id) + b"\x00\x01" + int_bytes(INT) + b"\x01"
        + int_bytes(2) + b"\x00\x00",
        int_bytes(-slice_id) + b"\x02\x01\x01" + _string("[]tokenizer.Pair") + b"\x01" + int_bytes(slice_id)
        + b"\x00\x01" + int_bytes(pair_id) + b"\x00\x00",
    ]
    value = int_bytes(struct_id)
    step = 1
    if ids:
        value += b"\x01" + uint_bytes(len(ids)) + b"".join(_pair(p) + int_bytes(i) for p, i in ids.items())
    else:
        step = 2
    if order:
        value += bytes((step,)) + uint_bytes(len(order)) + b"".join(map(_pair, order))
    return b"".join(map(_message, [*out, value + b"\x00"]))
