"""GGUF: the tensor infos behind the metadata, judged one by one.

The metadata reader is core/gguf_reader.py. A tensor info is a name, 1 to 4 lengths (fastest first), a type number and
an offset from the start of the data. Every number may be a lie; the arithmetic is on Python integers, which do not
wrap, so 2**64 - 16 bytes are more than any file rather than none.

Source: the GGUF specification of ggml (docs/gguf.md, MIT licence).
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..core.errors import InputError, one_line
from ..core.gguf_reader import LEGACY_MAGICS, Cursor, Entry, Metadata, Nested, ValueType, read_metadata
from . import blocks
from .files import DataFile, Meta, TensorFile, TensorInfo, check_layout, contiguous_strides, map_file

#: GGML's limits: 4 dimensions, 63 bytes of name.
MOST_DIMENSIONS, LONGEST_NAME = 4, 63
#: A name longer than this is damage: the reader would carry it through every view.
ABSURD_NAME = 65_535
DEFAULT_ALIGNMENT = 32
_ORIG_SHAPE = "comfy.gguf.orig_shape."
_SPLIT_NAME = re.compile(r"(?P<stem>.*)-(?P<part>\d{5})-of-(?P<of>\d{5})\.gguf", re.DOTALL)


def is_legacy(head: bytes) -> bool:
    """Whether the magic is of a format before GGUF, or GGUF's in lower case: read_metadata names it."""
    return head[:4] in LEGACY_MAGICS or head[:4] == b"gguf"


def open_gguf(file: DataFile) -> TensorFile:
    """A GGUF file and, when it is one part of a split model, its siblings beside it."""
    first = _read_one(file)
    count = _plain_integer(first, "split.count")
    return first if count is None or count <= 1 else _join_parts(first, count)


def _read_one(file: DataFile) -> TensorFile:
    found = read_metadata(file.buffer)
    alignment, problems = _alignment(found)
    problems = [*found.problems, *problems]
    cursor = Cursor(file.buffer, found.tensor_infos_start, big_endian=found.big_endian)
    if found.tensor_count * 24 > cursor.remaining:  # the shortest: an empty name, no dimension, type, offset
        why = f"they cannot fit into the {cursor.remaining:,} bytes that remain"
        raise InputError(f"the file ends inside {found.tensor_count:,} tensor infos: {why}",
                         where="byte 8", todo="the download is not complete: fetch it again")
    infos = [_info(cursor, i, found.big_endian, alignment) for i in range(found.tensor_count)]
    data_start = cursor.pos + -cursor.pos % alignment
    placed = replace(file, data_start=data_start)
    rows = [replace(t, offset=t.offset + data_start) for t in infos]
    rows, left = check_layout(_same_names(rows), [placed], alignment)
    rows = [_original_shape(t, found) for t in rows]
    order = "big" if found.big_endian else "little"
    label = f"GGUF v{found.version}, {'big-endian (BIG)' if found.big_endian else 'little-endian'}"
    return TensorFile(file.path, "gguf", label, (placed,), _metadata(found), tuple(rows), (*problems, *left),
                      found.version, order, alignment)


def _metadata(found: Metadata) -> tuple[Meta, ...]:
    seen: dict[str, Entry] = {}
    twice = {e.key for e in found.entries if seen.setdefault(e.key, e) is not e}
    return tuple(_meta(e, twice) for e in found.entries)


def _meta(e: Entry, twice: set[str]) -> Meta:
    value = e.value.decode("utf-8", "replace") if isinstance(e.value, bytes) else e.value
    problem = "this key is there twice" if e.key in twice else e.problem
    if isinstance(value, Nested):
        value = f"{e.value_end - e.value_start:,} bytes, not read"
    return Meta(e.key, e.type_word, value, problem)


def _alignment(found: Metadata) -> tuple[int, list[str]]:
    e = found.entry("general.alignment")
    if e is None:
        return DEFAULT_ALIGNMENT, []
    if e.type is not ValueType.UINT32 or e.value < 1 or e.value & (e.value - 1):
        return DEFAULT_ALIGNMENT, [f"general.alignment is {e.value!r} ({e.type_word}), which is no power of two in a "
                                   f"uint32: {DEFAULT_ALIGNMENT} is assumed"]
    return int(e.value), []


def _info(cursor: Cursor, index: int, big: bool, alignment: int) -> TensorInfo:
    """One tensor info. InputError only where what follows it could not be found any more."""
    name = cursor.string(f"the name of tensor {index}", ABSURD_NAME).decode("utf-8", "replace")
    count = cursor.u32(f"the number of dimensions of tensor {index} ({name})")
    if count > MOST_DIMENSIONS and count * 8 > cursor.remaining:
        raise InputError(f"tensor {index} ({name}) claims {count:,} dimensions, GGML allows {MOST_DIMENSIONS}",
                         where=f"byte {cursor.pos - 4:,}", todo="the file is damaged")
    kept = min(count, MOST_DIMENSIONS)
    lengths = [cursor.u64(f"the dimensions of tensor {index} ({name})") for _ in range(kept)]
    cursor.pos += 8 * (count - kept)
    kind = cursor.u32(f"the type of tensor {index} ({name})")
    offset = cursor.u64(f"the offset of tensor {index} ({name})")
    return _judge(index, name, count, lengths, kind, offset, big, alignment)


def _judge(
    index: int, name: str, count: int, lengths: list[int], kind: int, offset: int, big: bool, alignment: int
) -> TensorInfo:
    block = blocks.by_id(kind)
    shape = tuple(reversed(lengths))
    type_name = block.name if block else blocks.REMOVED.get(kind, f"type {kind}")
    row = TensorInfo(index, name, type_name, shape, (), offset, 0, block, big_endian=big)
    if count > MOST_DIMENSIONS:
        return row.with_problem(f"it has {count:,} dimensions, GGML allows {MOST_DIMENSIONS}", readable=False)
    if block is None:
        why = ("is a type that GGML has withdrawn: it needs a program of its time" if kind in blocks.REMOVED
               else "is no type of GGML that is known: its size cannot be told")
        return row.with_problem(f"{type_name} {why}", readable=False)
    negative = [n for n in lengths if n >= 2**63]
    if negative:
        return row.with_problem(f"dimension {negative[0]} is negative as a signed number ({negative[0] - 2**64})",
                                readable=False)
    elements = row.elements
    row = replace(row, strides=contiguous_strides(shape, block),
                  nbytes=-(-elements // block.weights) * block.nbytes)
    if lengths and lengths[0] % block.weights:
        rest = lengths[0] % block.weights
        why = (f"a row of {lengths[0]:,} is not a multiple of the block of {block.weights} "
               f"({lengths[0]} % {block.weights} = {rest})")
        return row.with_problem(why, readable=False)
    if row.nbytes >= 2**63:
        return row.with_problem(f"its {row.nbytes} bytes are more than any file has", readable=False)
    if elements == 0:
        row = row.with_problem("a dimension is 0: it has no elements")
    if offset % alignment:
        row = row.with_problem(f"unaligned: offset {offset:,} is not a multiple of {alignment}")
    if len(name.encode()) > LONGEST_NAME:
        row = row.with_problem(f"the name has {len(name.encode())} bytes, GGML allows {LONGEST_NAME}")
    return row


def _same_names(rows: list[TensorInfo]) -> list[TensorInfo]:
    first: dict[str, int] = {}
    for t in rows:
        if t.name in first:
            rows[t.index] = rows[t.index].with_problem("another tensor has the same name")
            rows[first[t.name]] = rows[first[t.name]].with_problem("another tensor has the same name")
        else:
            first[t.name] = t.index
    return rows


def _original_shape(t: TensorInfo, found: Metadata) -> TensorInfo:
    """A file of an image model stores some tensors flat and keeps the native shape in a key."""
    key = f"{_ORIG_SHAPE}{t.name}"
    e = found.entry(key)
    if e is None or e.element_type in (None, ValueType.STRING, ValueType.ARRAY) or len(e.value) > 16:
        return t
    lengths = [int(n) for n in e.value]
    original = f"original shape {'x'.join(map(str, lengths))} (key {one_line(key)})"
    product = 1
    for n in lengths:
        product *= n
    t = replace(t, notes=(*t.notes, original))
    return t if product == t.elements else t.with_problem(
        f"{original} has {product:,} elements and the stored shape {t.elements:,}")


def _plain_integer(file: TensorFile, key: str) -> int | None:
    m = file.meta(key)
    return m.value if m is not None and isinstance(m.value, int) and not isinstance(m.value, bool) else None


def _join_parts(opened: TensorFile, count: int) -> TensorFile:
    """All parts of a split model that are beside the opened one, as one file. Missing parts are named."""
    parts, problems = {}, list(opened.problems)
    match = _SPLIT_NAME.fullmatch(opened.path.name)
    own = _plain_integer(opened, "split.no") or 0
    if match is None or int(match["of"]) != count:
        ending = f"-{own + 1:05}-of-{count:05}.gguf"
        problems.append(f"this is part {own + 1} of {count} and its name does not end in {ending}: "
                        "the other parts cannot be found")
        return replace(opened, problems=tuple(problems))
    own = int(match["part"]) - 1
    parts[own] = opened
    missing = []
    for part in range(min(count, 99_999)):
        sibling = opened.path.with_name(f"{match['stem']}-{part + 1:05}-of-{count:05}.gguf")
        if part == own:
            continue
        if not sibling.is_file():
            missing.append(part + 1)
            continue
        try:
            parts[part] = _read_one(map_file(sibling))
        except InputError as error:
            problems.append(f"part {part + 1} ({sibling.name}) cannot be read: {error}")
            continue
        problems += [f"{sibling.name}: {p}" for p in parts[part].problems]
    if missing:
        shown = ", ".join(map(str, missing[:8])) + (", .." if len(missing) > 8 else "")
        problems.append(f"{len(missing)} of {count} parts are missing beside this one: {shown}")
    return _merged(opened, parts, problems)


def _merged(opened: TensorFile, parts: dict[int, TensorFile], problems: list[str]) -> TensorFile:
    order = sorted(parts)
    rows: list[TensorInfo] = []
    for number, part in enumerate(order):
        rows += [replace(t, index=len(rows) + t.index, file=number) for t in parts[part].tensors]
    total = _plain_integer(opened, "split.tensors.count")
    if total is not None and total != len(rows):
        problems.append(f"split.tensors.count says {total:,} tensors and {len(rows):,} are here")
    main = parts[order[0]]
    return replace(opened, label=f"{opened.label}, {len(order)} parts", files=tuple(parts[p].files[0] for p in order),
                   metadata=main.metadata, tensors=tuple(_same_names(rows)), problems=tuple(problems))
