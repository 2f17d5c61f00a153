"""GGUF: metadata, tensors and their places in the file; a split model with all the parts that are beside it.

The metadata reader is core/gguf_reader.py, the tensor infos are in gguf_infos.py.

Source: the GGUF specification of ggml (docs/gguf.md, MIT licence).
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from ..core.errors import InputError, one_line
from ..core.gguf_reader import LEGACY_MAGICS, Cursor, Entry, Metadata, Nested, ValueType, read_metadata
from ..core.wording import count_of
from .files import DataFile, Meta, TensorFile, TensorInfo, map_file
from .gguf_infos import judged, read_infos
from .layout import check_layout, flag_same_names

DEFAULT_ALIGNMENT = 32
_INTEGERS = (ValueType.UINT8, ValueType.INT8, ValueType.UINT16, ValueType.INT16, ValueType.UINT32, ValueType.INT32,
             ValueType.UINT64, ValueType.INT64)
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
    infos = read_infos(cursor, found.tensor_count)
    data_start = cursor.pos + -cursor.pos % alignment
    placed = replace(file, data_start=data_start)
    rows = [judged(i, info, data_start, alignment, found.big_endian) for i, info in enumerate(infos)]
    rows, left = check_layout(flag_same_names(rows), [placed], alignment)
    if found.tensor_count > len(rows):
        left = [f"{found.tensor_count:,} tensors are announced: the first {len(rows):,} are shown"]
    _original_shapes(rows, found)
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


def _original_shapes(rows: list[TensorInfo], found: Metadata) -> None:
    """A file of an image model stores some tensors flat and keeps the native shape in a key."""
    kept: dict[str, Entry] = {}
    for e in found.entries:
        if e.key.startswith(_ORIG_SHAPE):
            kept.setdefault(e.key.removeprefix(_ORIG_SHAPE), e)
    for index, t in enumerate(rows) if kept else ():
        if t.name in kept:
            rows[index] = _with_original_shape(t, kept[t.name])


def _with_original_shape(t: TensorInfo, e: Entry) -> TensorInfo:
    if e.element_type not in _INTEGERS or len(e.value) > 16:
        return t
    lengths = [int(n) for n in e.value]
    if min(lengths, default=0) < 0:
        return t.with_problem(f"the key {one_line(e.key)} has a negative length: {lengths}")
    original = f"original shape {'x'.join(map(str, lengths))} (key {one_line(e.key)})"
    product = math.prod(lengths)
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
    problems += _misplaced(opened, own, count)
    missing = []
    there = _names_beside(opened)  # asked once: a damaged file may count 65,535 parts
    for part in range(min(count, 99_999)):
        name = f"{match['stem']}-{part + 1:05}-of-{count:05}.gguf"
        if part == own:
            continue
        if name not in there:
            missing.append(part + 1)
            continue
        try:
            parts[part] = _read_one(map_file(opened.path.with_name(name)))
        except InputError as error:
            problems.append(f"part {part + 1} ({one_line(name)}) cannot be read: {error}")
            continue
        problems += [f"{one_line(name)}: {p}" for p in parts[part].problems] + _misplaced(parts[part], part, count)
    if missing:
        shown = ", ".join(map(str, missing[:8])) + (", .." if len(missing) > 8 else "")
        are = "is" if len(missing) == 1 else "are"
        problems.append(f"{len(missing):,} of {count:,} parts {are} missing beside this one: {shown}")
    return _merged(opened, parts, problems)


def _names_beside(opened: TensorFile) -> set[str]:
    try:
        return {path.name for path in opened.path.parent.iterdir()}
    except OSError:
        return set()


def _misplaced(part: TensorFile, number: int, count: int) -> list[str]:
    """What a part says of itself and its name does not: a copy under a wrong name, or of another model."""
    said, of = _plain_integer(part, "split.no"), _plain_integer(part, "split.count")
    problems = []
    if said is not None and said != number:
        problems.append(f"{one_line(part.path.name)} says that it is part {said + 1}, not part {number + 1}: it may be "
                        "a copy under a wrong name")
    if of != count:
        problems.append(f"{one_line(part.path.name)} says that it is one of {'no' if of is None else of} parts, not of "
                        f"{count}: it may belong to another model")
    return problems


def _merged(opened: TensorFile, parts: dict[int, TensorFile], problems: list[str]) -> TensorFile:
    order = sorted(parts)
    rows: list[TensorInfo] = []
    for number, part in enumerate(order):
        rows += [t.renumbered(len(rows) + t.index, number) for t in parts[part].tensors]
    total = _plain_integer(opened, "split.tensors.count")
    if total is not None and total != len(rows):
        here = f"{len(rows):,} {'is' if len(rows) == 1 else 'are'}"
        problems.append(f"split.tensors.count says {total:,} tensors and {here} here")
    main = parts[order[0]]
    return replace(opened, label=f"{opened.label}, {count_of(len(order), 'part')}",
                   files=tuple(parts[p].files[0] for p in order), metadata=main.metadata,
                   tensors=tuple(flag_same_names(rows)), problems=tuple(problems))
