"""Small tensor files written by hand, straight from the format descriptions, to be opened by what is tested."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any


def gguf(
    pairs: list[tuple[str, int, bytes]],
    tensors: list[tuple[str, list[int], int, int]],
    data: bytes = b"",
    *,
    big: bool = False,
    version: int = 3,
    alignment: int = 32,
) -> bytes:
    """pairs: (key, value type, encoded value). tensors: (name, ne, type, offset). data: what follows the padding."""
    o = ">" if big else "<"
    out = b"GGUF" + struct.pack(f"{o}IQQ", version, len(tensors), len(pairs))
    for key, kind, value in pairs:
        out += text(key, big) + struct.pack(f"{o}I", kind) + value
    for name, ne, kind, offset in tensors:
        out += text(name, big) + struct.pack(f"{o}I{len(ne)}QIQ", len(ne), *ne, kind, offset)
    return out + bytes(-len(out) % alignment) + data


def text(value: str, big: bool = False) -> bytes:
    encoded = value.encode()
    return struct.pack(f"{'>' if big else '<'}Q", len(encoded)) + encoded


def u32(value: int, big: bool = False) -> bytes:
    return struct.pack(f"{'>' if big else '<'}I", value)


def array(kind: int, count: int, body: bytes, big: bool = False) -> bytes:
    return struct.pack(f"{'>' if big else '<'}IQ", kind, count) + body


def safetensors(header: dict[str, Any] | bytes, data: bytes = b"") -> bytes:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(raw).to_bytes(8, "little") + raw + data


def npy(header: str, data: bytes = b"", version: int = 1) -> bytes:
    raw = header.encode("utf-8" if version == 3 else "latin-1")
    size = 2 if version == 1 else 4
    return b"\x93NUMPY" + bytes([version, 0]) + len(raw).to_bytes(size, "little") + raw + data


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path
