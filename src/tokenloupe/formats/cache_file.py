"""The container of the cache: a few flat arrays in one file, mapped on open, and a JSON header that says what they are.

    write(path, key, Stored({"name": "x"}, {"ids": np.arange(3)}))
    read(path, key).arrays["ids"]

    8 bytes  magic            8 bytes  size of the whole file
    4 bytes  header's size    4 bytes  CRC-32 of all that follows
    header   {"key": .., "meta": {..}, "arrays": [[name, dtype, length, offset], ..]}, then the arrays, each on 64 bytes

Nothing in it is ever run: it is no pickle. A file that is cut, changed by one bit, of another version or of another key
is `None`, as if it were not there. It is written under another name and moved into place, so that whoever reads has the
old file or the new one, whole.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

MAGIC = b"TLstore1"
_FIXED = struct.Struct("<8sQII")
_ALIGN = 64
#: What an array may be of.
DTYPES = ("|u1", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8")


@dataclass(frozen=True, slots=True)
class Stored:
    """meta: JSON values. arrays: one-dimensional; those that were read cannot be written to."""

    meta: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def pack(key: str, stored: Stored) -> list[bytes | memoryview]:
    """The file, in parts."""
    flat = {name: np.ascontiguousarray(a) for name, a in stored.arrays.items()}
    rows: list[list[Any]] = []
    at = 0
    for name, array in flat.items():
        dtype = array.dtype.newbyteorder("<").str
        if dtype not in DTYPES or array.ndim != 1:
            raise ValueError(f"{name} is {array.dtype} of {array.ndim} dimensions")
        flat[name] = array.astype(dtype, copy=False)
        rows.append([name, dtype, len(array), at])
        at += array.nbytes + -array.nbytes % _ALIGN
    header = orjson.dumps({"key": key, "meta": stored.meta, "arrays": rows})
    header += b" " * (-(_FIXED.size + len(header)) % _ALIGN)
    body: list[bytes | memoryview] = [header]
    for array in flat.values():
        body += [array.data.cast("B") if array.nbytes else b"", bytes(-array.nbytes % _ALIGN)]
    crc = 0
    for part in body:
        crc = zlib.crc32(part, crc)
    return [_FIXED.pack(MAGIC, _FIXED.size + len(header) + at, len(header), crc), *body]


def write(path: Path, key: str, stored: Stored) -> None:
    """OSError when it cannot be written; nothing is left behind then."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix="new-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pack(key, stored))
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def read(path: Path, key: str) -> Stored | None:
    """None when there is no such file, or it is damaged, or another's."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size < _FIXED.size:
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    return unpack(mapped, key)


def unpack(data: mmap.mmap | bytes, key: str) -> Stored | None:
    """What `pack` made, or None."""
    if len(data) < _FIXED.size:
        return None
    magic, size, head, crc = _FIXED.unpack_from(data)
    body = memoryview(data)[_FIXED.size :]
    if magic != MAGIC or size != len(data) or head > len(body) or zlib.crc32(body) != crc:
        return None
    try:
        header = orjson.loads(body[:head])
        if header["key"] != key:
            return None
        arrays = {}
        for name, dtype, length, at in header["arrays"]:
            kind = np.dtype(dtype)
            start = _FIXED.size + head + at
            if dtype not in DTYPES or min(length, at) < 0 or start + length * kind.itemsize > len(data):
                return None
            arrays[name] = np.frombuffer(data, kind, length, start) if length else np.zeros(0, kind)
        meta = header["meta"]
    except (ValueError, KeyError, TypeError):
        return None
    return Stored(meta, arrays) if isinstance(meta, dict) else None
