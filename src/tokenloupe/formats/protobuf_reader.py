"""Protocol-buffer messages as field -> values, with every length checked: enough of the wire format to read a file.

    >>> [(f.number, f.value) for f in fields(b"\\x0a\\x02hi\\x10\\x05")]
    [(1, b'hi'), (2, 5)]

Source: the protocol-buffers encoding (protobuf.dev/programming-guides/encoding): a field is a varint of
number << 3 | wire type, then a varint (0), 8 bytes (1), a length and that many bytes (2), or 4 bytes (5). Groups (3, 4)
are skipped.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from ..core.errors import InputError

VARINT, FIXED64, BYTES, GROUP, END_GROUP, FIXED32 = 0, 1, 2, 3, 4, 5

#: Groups nested deeper than this are refused (the reference's recursion limit).
DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Field:
    """number: the field's. wire: its wire type. value: int (varint), bytes (length-delimited, or the 4 or 8 raw ones).

    start: the byte of the message at which the field's key stands.
    """

    number: int
    wire: int
    value: int | bytes
    start: int

    def integer(self) -> int:
        """The value as a number. InputError when it is none."""
        if not isinstance(self.value, int):
            raise InputError(f"field {self.number} is no number", where=f"byte {self.start:,}", todo=_DAMAGED)
        return self.value

    def signed32(self) -> int:
        """The value as int32: negative ones are written as 64-bit."""
        low = self.integer() & 0xFFFFFFFF
        return low - (1 << 32) if low >> 31 else low

    def data(self) -> bytes:
        """The value of a length-delimited field. InputError when it is none."""
        if self.wire != BYTES or not isinstance(self.value, bytes):
            raise InputError(f"field {self.number} is no bytes", where=f"byte {self.start:,}", todo=_DAMAGED)
        return self.value

    def float32(self) -> float:
        if self.wire != FIXED32 or not isinstance(self.value, bytes):
            raise InputError(f"field {self.number} is no float", where=f"byte {self.start:,}", todo=_DAMAGED)
        return float(struct.unpack("<f", self.value)[0])


_DAMAGED = "the file is damaged or of another format"
_CUT = "the download is not complete: fetch it again"


def varint(data: bytes, pos: int) -> tuple[int, int]:
    """(value below 2**64, position after it). InputError when it is cut or longer than ten bytes."""
    value = shift = 0
    start = pos
    while True:
        if pos >= len(data):
            raise InputError("the file ends inside a number", where=f"byte {pos:,}", todo=_CUT)
        byte = data[pos]
        pos += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, pos
        shift += 7
        if shift > 63:
            raise InputError("a number has more than ten bytes", where=f"byte {start:,}", todo=_DAMAGED)


def fields(data: bytes, base: int = 0) -> Iterator[Field]:
    """The fields of one message, in order; `base` is added to the positions that errors name."""
    pos, depth = 0, 0
    while pos < len(data):
        start = pos
        key, pos = varint(data, pos)
        number, wire = key >> 3, key & 7
        value: int | bytes
        if not 0 < number < 1 << 29:
            raise InputError(f"field number {number} is not allowed", where=f"byte {base + start:,}", todo=_DAMAGED)
        if wire == VARINT:
            value, pos = varint(data, pos)
        elif wire in (GROUP, END_GROUP):
            depth += 1 if wire == GROUP else -1
            if not 0 <= depth <= DEEPEST:
                raise InputError("groups do not nest", where=f"byte {base + start:,}", todo=_DAMAGED)
            continue
        elif wire in (BYTES, FIXED32, FIXED64):
            if wire == BYTES:
                size, pos = varint(data, pos)
            else:
                size = 4 if wire == FIXED32 else 8
            if size > len(data) - pos:
                raise InputError(f"field {number} should have {size:,} bytes and {len(data) - pos:,} remain",
                                 where=f"byte {base + start:,}", todo=_CUT)
            value = data[pos : pos + size]
            pos += size
        else:
            raise InputError(f"wire type {wire} does not exist", where=f"byte {base + start:,}", todo=_DAMAGED)
        if not depth:
            yield Field(number, wire, value, base + start)
    if depth:
        raise InputError("a group is not closed", where=f"byte {base + len(data):,}", todo=_DAMAGED)


def only(data: bytes, numbers: frozenset[int]) -> bytes:
    """The message with the fields of these numbers alone, groups left out."""
    out = bytearray()
    for f in fields(data):
        if f.number in numbers:
            out += _written(f.number << 3 | f.wire)
            if isinstance(f.value, int):
                out += _written(f.value)
            else:
                out += (_written(len(f.value)) if f.wire == BYTES else b"") + f.value
    return bytes(out)


def _written(value: int) -> bytes:
    """A varint."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))
