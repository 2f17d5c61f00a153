"""safetensors: eight bytes of header length, a JSON header, then the data without a byte between the tensors.

    {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {"format": "pt"}}

Large models are several such files under an index (`model.safetensors.index.json`), which is read with all its shards.
Source: the format description of huggingface/safetensors (README, Apache-2.0): tensors must not overlap nor leave
holes, the header has at most 100 MB. What breaks a rule is said; the rest stays usable.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..core.errors import InputError, one_line
from . import blocks
from .blocks_plain import EXTRA
from .blocktypes import BlockType
from .files import AGAIN, DataFile, Meta, TensorFile, TensorInfo, contiguous_strides, map_file
from .layout import check_layout, flag_same_names

LARGEST_HEADER = 100_000_000
#: An index is a JSON file of one line a tensor.
LARGEST_INDEX = 1 << 26
MOST_DIMENSIONS = 64
#: The largest models have 200 shards.
MOST_SHARDS = 10_000

#: dtype -> bits of an element. Those not in TYPE are shown by size alone.
BITS = {"BOOL": 8, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
        "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "I64": 64, "U64": 64, "F64": 64,
        "C64": 64}


@lru_cache(64)
def element_type(dtype: str) -> BlockType | None:
    """How elements of a dtype are decoded, or None for one that is shown as bytes."""
    if dtype in EXTRA:
        return EXTRA[dtype]
    return next((t for t in blocks.TYPES if t.name == dtype and t.native), None)


def looks_like(head: bytes, name: str) -> bool:
    """Whether the first bytes are a header length and the start of a JSON object. A cut file is told by its name."""
    if name.lower().endswith(".safetensors"):
        return True
    return len(head) > 8 and head[8:9] == b"{" and 2 <= int.from_bytes(head[:8], "little") <= LARGEST_HEADER


def looks_like_index(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"


def open_safetensors(file: DataFile) -> TensorFile:
    """One .safetensors file."""
    size = file.size
    if size < 8:
        raise InputError(
            f"the file ends inside the header length, after {size} bytes", where=f"byte {size}", todo=AGAIN
        )
    length = int.from_bytes(bytes(file.buffer[:8]), "little")
    if length > LARGEST_HEADER:
        raise InputError(
            f"a header of {length:,} bytes is announced, the format allows {LARGEST_HEADER:,}",
            where="byte 0",
            todo="this is not a safetensors file, or it is damaged",
        )
    if length > size - 8:
        raise InputError(f"the file ends inside the header: {length:,} bytes are announced and {size - 8:,} are there",
                         where=f"byte {size:,}", todo=AGAIN)
    raw = bytes(file.buffer[8 : 8 + length])
    header, problems = _json_object(raw, "the header", 8)
    placed = replace(file, data_start=8 + length)
    metadata = _metadata(header.pop("__metadata__", None), problems)
    rows = [_tensor(i, name, entry, placed.data_start) for i, (name, entry) in enumerate(header.items())]
    rows, left = check_layout(rows, [placed], 1)
    label = "safetensors"
    return TensorFile(file.path, "safetensors", label, (placed,), metadata, tuple(rows), (*problems, *left))


def _json_object(raw: bytes, what: str, base: int) -> tuple[dict[str, Any], list[str]]:
    """A JSON object and sentences about keys that are there twice. InputError names the byte of a mistake."""
    problems: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            seen: set[str] = set()
            twice = [k for k, _ in items if k in seen or seen.add(k)]  # type: ignore[func-returns-value]
            problems.append(f"the key {one_line(twice[0])!r} is there twice: the last one is shown")
        return made

    try:
        text = raw.decode("utf-8-sig" if base == 0 else "utf-8")
        value = json.loads(text, object_pairs_hook=pairs)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{what} is not UTF-8", where=f"byte {base + error.start:,}", todo="the file is damaged"
        ) from error
    except json.JSONDecodeError as error:
        at = base + len(text[: error.pos].encode())
        raise InputError(
            f"{what} is not JSON ({error.msg})", where=f"byte {at:,}", todo="the file is damaged"
        ) from error
    except RecursionError as error:
        raise InputError(f"{what} is nested too deeply", where=f"byte {base:,}", todo="the file is damaged") from error
    except ValueError as error:  # a number of more digits than Python converts
        raise InputError(
            f"{what} holds a number of absurd length", where=f"byte {base:,}", todo="the file is damaged"
        ) from error
    if not isinstance(value, dict):
        raise InputError(f"{what} is no JSON object", where=f"byte {base:,}", todo="the file is damaged")
    return value, problems


def _metadata(value: Any, problems: list[str]) -> tuple[Meta, ...]:
    if value is None:
        return ()
    if not isinstance(value, dict):
        problems.append("__metadata__ is no object of strings")
        return ()
    return tuple(
        Meta(k, "string", v)
        if isinstance(v, str)
        else Meta(k, type(v).__name__, json.dumps(v)[:1000], "the format allows strings alone")
        for k, v in value.items()
    )


def _natural(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _tensor(index: int, name: str, entry: Any, data_start: int) -> TensorInfo:
    """One tensor of the header, judged."""
    problem, dtype, shape, start, end = _fields(entry)
    block: BlockType | None = None
    strides: tuple[int, ...] = ()
    if start >= 0:
        block = element_type(dtype)
        wanted = math.prod(shape) * BITS.get(dtype, 0)
        if dtype not in BITS:
            problem = f"{one_line(dtype)!r} is no known dtype"
        elif wanted % 8:
            problem = f"its shape asks for {wanted:,} bits, which are not whole bytes"
        elif wanted != 8 * (end - start):
            problem = f"its shape asks for {wanted // 8:,} bytes and its data_offsets for {end - start:,}"
        if block is not None:
            strides = contiguous_strides(shape, block)
            block = None if problem else block
    return TensorInfo(index, name, dtype, shape, strides, data_start + max(start, 0), end - start if start >= 0 else 0,
                      block, 0, problem, start >= 0)


def _fields(entry: Any) -> tuple[str | None, str, tuple[int, ...], int, int]:
    """What is wrong with an entry or None, its dtype, its shape, and the bytes of its data: (-1, -1) for none."""
    if not isinstance(entry, dict):
        return "its entry is no object", "?", (), -1, -1
    dtype, shape, offsets = entry.get("dtype"), entry.get("shape"), entry.get("data_offsets")
    if not isinstance(dtype, str):
        return "it has no dtype", "?", (), -1, -1
    dtype = dtype[:40]
    if not isinstance(shape, list) or len(shape) > MOST_DIMENSIONS or not all(map(_natural, shape)):
        return "its shape is no list of lengths", dtype, (), -1, -1
    lengths = tuple(shape)
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_natural, offsets)) or max(offsets) >= 2**63:
        return "its data_offsets are no pair of bytes", dtype, lengths, -1, -1
    start, end = offsets
    if end < start:
        return f"its data ends at byte {end:,} before it starts at {start:,}", dtype, lengths, -1, -1
    return None, dtype, lengths, start, end


def open_index(file: DataFile) -> TensorFile:
    """The index of a model in several shards, with all shards that are beside it."""
    if file.size > LARGEST_INDEX:
        raise InputError(
            f"{file.size:,} bytes of JSON are too many for an index of shards", todo="open the .safetensors file itself"
        )
    index, problems = _json_object(bytes(file.buffer[:]), "the index", 0)
    weights = index.get("weight_map")
    if not isinstance(weights, dict) or not all(isinstance(v, str) for v in weights.values()):
        raise InputError(
            "this JSON file has no weight_map: it is no index of safetensors shards",
            where="key weight_map",
            todo="open model.safetensors.index.json or a .safetensors file",
        )
    names = sorted(set(weights.values()))
    if len(names) > MOST_SHARDS:
        raise InputError(f"the index names {len(names):,} shards, more than {MOST_SHARDS:,} are not looked for",
                         where="key weight_map", todo="the file is damaged, or open the .safetensors file itself")
    files: list[DataFile] = []
    rows: list[TensorInfo] = []
    for name in names:
        shard = _shard(file, name, problems)
        if shard is not None:
            rows += [t.renumbered(len(rows) + t.index, len(files)) for t in shard.tensors]
            files += shard.files
    rows = flag_same_names(rows)
    rows += _absent(weights, rows, files, len(rows))
    said = index.get("metadata")
    metadata = tuple(Meta(k, type(v).__name__, v if isinstance(v, (bool, int, float, str)) else json.dumps(v)[:1000])
                     for k, v in said.items()) if isinstance(said, dict) else ()
    label = f"safetensors, {len(files)} shard{'s' if len(files) != 1 else ''}"
    return TensorFile(file.path, "safetensors", label, tuple(files), metadata, tuple(rows), tuple(problems))


def _shard(index: DataFile, name: str, problems: list[str]) -> TensorFile | None:
    if name in ("", ".", "..") or "/" in name or "\\" in name or ":" in name or "\0" in name:
        problems.append(f"the index names the shard {one_line(name)!r}, which is not beside it: left out")
        return None
    path = index.path.with_name(name)
    if not path.is_file():
        problems.append(f"the shard {one_line(name)} is missing beside the index")
        return None
    try:
        shard = open_safetensors(map_file(path))
    except InputError as error:
        problems.append(f"the shard {one_line(name)} cannot be read: {error}")
        return None
    problems.extend(f"{one_line(name)}: {p}" for p in shard.problems)
    return shard


def _absent(weights: dict[str, str], rows: list[TensorInfo], files: list[DataFile], start: int) -> list[TensorInfo]:
    """Rows for tensors the index promises and no shard has."""
    have = {(t.name, files[t.file].path.name) for t in rows}
    names = {t.name for t in rows}
    present = {f.path.name for f in files}
    absent: list[TensorInfo] = []
    for name, shard in weights.items():
        if (name, shard) in have or (name in names and shard not in present):
            continue
        why = (
            f"the shard {one_line(shard)} does not hold it"
            if shard in present
            else f"its shard {one_line(shard)} is missing"
        )
        absent.append(TensorInfo(start + len(absent), name, "?", (), (), 0, 0, None, 0, why, False))
    return absent
