"""GGUF files of metadata alone, written by hand from the specification: for tests of vocabularies."""

from __future__ import annotations

import struct
from collections.abc import Sequence

Value = str | bool | int | float | Sequence[str] | Sequence[int] | Sequence[float] | bytes


def build(entries: Sequence[tuple[str, Value]], *, version: int = 3, big_endian: bool = False) -> bytes:
    """Keys in order; int is uint32, a list of int is int32, of float float32, bytes an array of uint8."""
    order = ">" if big_endian else "<"
    out = b"GGUF" + struct.pack(order + "IQQ", version, 0, len(entries))
    for key, value in entries:
        out += text(key, order) + encoded(value, order)
    return out


def text(value: str | bytes, order: str) -> bytes:
    data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
    return struct.pack(order + "Q", len(data)) + data


def encoded(value: Value, order: str) -> bytes:
    if isinstance(value, bool):
        return struct.pack(order + "I?", 7, value)
    if isinstance(value, int):
        return struct.pack(order + "II", 4, value)
    if isinstance(value, float):
        return struct.pack(order + "If", 6, value)
    if isinstance(value, str):
        return struct.pack(order + "I", 8) + text(value, order)
    if isinstance(value, bytes):
        return struct.pack(order + "IIQ", 9, 0, len(value)) + value
    if value and isinstance(value[0], str):
        return struct.pack(order + "IIQ", 9, 8, len(value)) + b"".join(text(v, order) for v in value)
    kind, letter = (6, "f") if value and isinstance(value[0], float) else (5, "i")
    return struct.pack(order + "IIQ", 9, kind, len(value)) + struct.pack(f"{order}{len(value)}{letter}", *value)
