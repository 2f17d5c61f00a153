"""The tensor infos of a GGUF file: read one after the other, then judged one by one.

    name: u64 length and bytes | u32 dimensions | u64 each, fastest first | u32 type | u64 offset from the data's start

Every number may be a lie; the arithmetic is on Python integers, which do not wrap, so 2**64 - 16 bytes are more than
any file rather than none. A file may have 100,000 of them: what is right is read with two calls, and only where that
fails the field is looked for that is to blame.

Source: the GGUF specification of ggml (docs/gguf.md, MIT licence).
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from ..core.errors import InputError
from ..core.gguf_reader import Cursor
from . import blocks
from .files import TensorInfo, contiguous_strides

#: GGML's limits: 4 dimensions, 63 bytes of name.
MOST_DIMENSIONS, LONGEST_NAME = 4, 63
#: A name longer than this is damage: the reader would carry it through every view.
ABSURD_NAME = 65_535
#: The shortest info: an empty name, no dimension, type, offset.
SHORTEST = 24
#: Files that are used have 2,000 tensors at most, experts and all. Of a damaged one that announces a million, what lies
#: behind these is passed over: rows for them would only take the memory of the machine.
MOST_TENSORS = 65_536


class Info(NamedTuple):
    """One info as it stands in the file. dimensions: as announced; lengths: of those, MOST_DIMENSIONS at most."""

    name: bytes
    dimensions: int
    lengths: tuple[int, ...]
    kind: int
    offset: int


def read_infos(cursor: Cursor, count: int) -> list[Info]:
    """`count` infos from the cursor on, or the first MOST_TENSORS of them; the cursor comes to stand behind all.

    InputError only where what follows could not be found any more.
    """
    if count * SHORTEST > cursor.remaining:
        why = f"they cannot fit into the {cursor.remaining:,} bytes that remain"
        raise InputError(f"the file ends inside {count:,} tensor infos: {why}",
                         where="byte 8", todo="the download is not complete: fetch it again")
    buffer, size = cursor.buffer, cursor.size
    length_of = struct.Struct(f"{cursor.order}Q").unpack_from
    dimensions_of = struct.Struct(f"{cursor.order}I").unpack_from
    rests = [struct.Struct(f"{cursor.order}{n}QIQ") for n in range(MOST_DIMENSIONS + 1)]
    infos: list[Info] = []
    pos = cursor.pos
    for index in range(count):
        if pos + SHORTEST <= size:
            (length,) = length_of(buffer, pos)
            after = pos + 8 + length
            if length <= ABSURD_NAME and after + 16 <= size:
                (dimensions,) = dimensions_of(buffer, after)
                if dimensions <= MOST_DIMENSIONS and after + 16 + 8 * dimensions <= size:
                    if index >= MOST_TENSORS:
                        pos = after + 16 + 8 * dimensions
                        continue
                    *lengths, kind, offset = rests[dimensions].unpack_from(buffer, after + 4)
                    infos.append(Info(bytes(buffer[pos + 8 : after]), dimensions, tuple(lengths), kind, offset))
                    pos = after + 16 + 8 * dimensions
                    continue
        cursor.pos = pos
        info = _carefully(cursor, index)
        if index < MOST_TENSORS:
            infos.append(info)
        pos = cursor.pos
    cursor.pos = pos
    return infos


def _carefully(cursor: Cursor, index: int) -> Info:
    """An info field by field, so that the error names the one at which the file ends."""
    name = cursor.string(f"the name of tensor {index}", ABSURD_NAME)
    said = f"tensor {index} ({name.decode('utf-8', 'replace')})"
    count = cursor.u32(f"the number of dimensions of {said}")
    if count > MOST_DIMENSIONS and count * 8 > cursor.remaining:
        raise InputError(f"{said} claims {count:,} dimensions, GGML allows {MOST_DIMENSIONS}",
                         where=f"byte {cursor.pos - 4:,}", todo="the file is damaged")
    kept = min(count, MOST_DIMENSIONS)
    lengths = [cursor.u64(f"the dimensions of {said}") for _ in range(kept)]
    cursor.pos += 8 * (count - kept)
    kind = cursor.u32(f"the type of {said}")
    return Info(name, count, tuple(lengths), kind, cursor.u64(f"the offset of {said}"))


def judged(index: int, info: Info, data_start: int, alignment: int, big_endian: bool) -> TensorInfo:
    """The row of an info, with what is wrong with it by itself."""
    name, kind, lengths = info.name.decode("utf-8", "replace"), info.kind, info.lengths
    block = blocks.by_id(kind)
    shape = lengths[::-1]
    type_name = block.name if block else blocks.REMOVED.get(kind, f"type {kind}")
    strides: tuple[int, ...] = ()
    elements = nbytes = 0
    refusal = ""
    if info.dimensions > MOST_DIMENSIONS:
        refusal = f"it has {info.dimensions:,} dimensions, GGML allows {MOST_DIMENSIONS}"
    elif block is None:
        why = ("is a type that GGML has withdrawn: it needs a program of its time" if kind in blocks.REMOVED
               else "is no type of GGML that is known: its size cannot be told")
        refusal = f"{type_name} {why}"
    elif lengths and max(lengths) >= 2**63:
        negative = next(n for n in lengths if n >= 2**63)
        refusal = f"dimension {negative} is negative as a signed number ({negative - 2**64})"
    else:
        elements = 1
        for length in lengths:
            elements *= length
        weights = block.weights
        strides = contiguous_strides(shape, block)
        nbytes = -(-elements // weights) * block.nbytes
        if lengths and lengths[0] % weights:
            refusal = (f"a row of {lengths[0]:,} is not a multiple of the block of {weights} "
                       f"({lengths[0]} % {weights} = {lengths[0] % weights})")
        elif nbytes >= 2**63:
            refusal = f"its {nbytes} bytes are more than any file has"
    problem: str | None = refusal or None
    if not refusal and (elements == 0 or info.offset % alignment or len(info.name) > LONGEST_NAME):
        said = ["a dimension is 0: it has no elements"] if elements == 0 else []
        if info.offset % alignment:
            said.append(f"unaligned: offset {info.offset:,} is not a multiple of {alignment}")
        if len(name.encode()) > LONGEST_NAME:
            said.append(f"the name has {len(name.encode())} bytes, GGML allows {LONGEST_NAME}")
        problem = "; ".join(said) or None
    return TensorInfo(index, name, type_name, shape, strides, data_start + info.offset, nbytes, block, 0, problem,
                      not refusal, (), big_endian)
