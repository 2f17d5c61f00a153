"""NumPy's .npy and .npz without numpy's reader: no pickle is ever loaded.

A .npy header is a Python dictionary literal. It is at most 64 KB here, made of the few characters such a literal needs,
and parsed by ast.literal_eval. An .npz is a zip: stored members are read from the map in place, deflated ones are
unpacked on demand, never beyond the size their header promises.

Source: numpy.lib.format (BSD), versions 1.0 to 3.0.
"""

from __future__ import annotations

import ast
import re
import struct
import zipfile
import zlib
from dataclasses import replace
from typing import IO, Any, cast

from ..core.errors import InputError, one_line
from .blocktypes import BlockType
from .files import AGAIN, DataFile, TensorFile, TensorInfo
from .layout import check_layout, flag_same_names
from .safetensors import element_type

MAGIC = b"\x93NUMPY"
LARGEST_HEADER = 65_536
MOST_DIMENSIONS = 64
#: A deflated member is unpacked into memory: larger ones are refused.
LARGEST_MEMBER = 1 << 30
MOST_MEMBERS = 100_000

_SIMPLE = re.compile(r"[<>|=]?([biufcSUV])(\d{1,9})")
#: Python 2 wrote lengths as 3L.
_LONG = re.compile(r"(?<=\d)L\b")
_ORDERED_TIME = re.compile(r"[<>|=]?[mM]8(\[[A-Za-z0-9 /]{1,40}\])?")
_OBJECTS = "it holds Python objects (a pickle), which are never loaded"
#: name of numpy kind and size -> the type's name here
_NAMES = {"b1": "BOOL", "u1": "U8", "i1": "I8", "u2": "U16", "i2": "I16", "u4": "U32", "i4": "I32", "u8": "U64",
          "i8": "I64", "f2": "F16", "f4": "F32", "f8": "F64", "c8": "C64", "c16": "C128"}


def open_npy(file: DataFile) -> TensorFile:
    """One .npy file: one tensor, called by the file's name."""
    row, data_start, version = _header(bytes(file.buffer[: LARGEST_HEADER + 12]), file.path.stem)
    placed = replace(file, data_start=data_start)
    rows, left = check_layout([replace(row, offset=data_start)], [placed], 1)
    order = "big" if row.big_endian else "little"
    return TensorFile(
        file.path,
        "npy",
        f"NumPy array (.npy {version[0]}.{version[1]})",
        (placed,),
        (),
        tuple(rows),
        tuple(left) if row.readable else (),  # what follows a refused header has no known length
        version[0],
        order,
    )


def _header(head: bytes, name: str) -> tuple[TensorInfo, int, tuple[int, int]]:
    """(the tensor, byte where data starts, version). head: as much of the file as a header can have, or all of it."""
    if len(head) < 10:
        raise InputError(
            f"the file ends inside the header, after {len(head)} bytes", where=f"byte {len(head)}", todo=AGAIN
        )
    version = (head[6], head[7])
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise InputError(
            f"version {version[0]}.{version[1]} of .npy is not known", where="byte 6", todo="1.0, 2.0 and 3.0 are read"
        )
    size = 2 if version[0] == 1 else 4
    start = 8 + size
    length = int.from_bytes(head[8:start], "little")
    if length > LARGEST_HEADER:
        raise InputError(f"a header of {length:,} bytes is announced, {LARGEST_HEADER:,} are read", where="byte 8",
                         todo="the file is damaged")
    if len(head) < start + length:
        raise InputError("the file ends inside the header", where=f"byte {len(head):,}", todo=AGAIN)
    text = head[start : start + length].decode("latin-1" if version[0] < 3 else "utf-8", "replace")
    if version[0] < 3:
        text = _LONG.sub("", text)
    found = _literal(text, start)
    return _tensor(name, found), start + length, version


def _literal(text: str, base: int) -> dict[str, Any]:
    """The header's dictionary. Depth and size are checked before ast sees it: it has no limits of its own."""
    depth = deepest = 0
    quote, escaped = "", False
    for c in text:
        if quote:  # a field may be called "("
            quote = "" if c == quote and not escaped else quote
            escaped = c == "\\" and not escaped
        elif c in "'\"":
            quote, escaped = c, False
        else:
            depth += (c in "([{") - (c in ")]}")
            deepest = max(deepest, depth)
    if deepest > 12 or depth or quote or not text.lstrip().startswith("{"):
        raise InputError("the header is no dictionary", where=f"byte {base}", todo="the file is damaged")
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise InputError(
            "the header is no dictionary of plain values", where=f"byte {base}", todo="the file is damaged"
        ) from error
    if (
        not isinstance(value, dict)
        or not all(isinstance(k, str) for k in value)
        or set(value) != {"descr", "fortran_order", "shape"}
    ):
        raise InputError(
            "the header must have exactly descr, fortran_order and shape",
            where=f"byte {base}",
            todo="the file is damaged",
        )
    return value


def _tensor(name: str, found: dict[str, Any]) -> TensorInfo:
    row = TensorInfo(0, name, "?", (), (), 0, 0, None)
    shape = found["shape"]
    if (not isinstance(shape, tuple) or len(shape) > MOST_DIMENSIONS
            or not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 2**63 for n in shape)):
        return row.with_problem("its shape is no tuple of lengths", readable=False)
    if not isinstance(found["fortran_order"], bool):
        return row.with_problem("fortran_order is neither True nor False", readable=False)
    row = replace(row, shape=shape)
    item, type_name, block, big, why = _dtype(found["descr"])
    row = replace(row, type=type_name, block=block, big_endian=big)
    if why:
        return row.with_problem(why, readable=False)
    row = replace(row, strides=_strides(shape, item, found["fortran_order"]), nbytes=row.elements * item)
    if row.nbytes >= 2**63:
        return row.with_problem(f"{row.nbytes} bytes are more than any file has", readable=False)
    return (
        replace(row, notes=("Fortran order: the first index moves fastest",))
        if found["fortran_order"] and len(shape) > 1
        else row
    )


def _strides(shape: tuple[int, ...], item: int, fortran: bool) -> tuple[int, ...]:
    steps = []
    step = item
    for length in shape if fortran else reversed(shape):
        steps.append(step)
        step *= length
    return tuple(steps if fortran else reversed(steps))


def _dtype(descr: Any) -> tuple[int, str, BlockType | None, bool, str]:
    """(bytes an item, name, how it is decoded or None, big-endian, problem or "")."""
    if not isinstance(descr, str):
        item = _record_size(descr, 0)
        if item is not None:
            return item, "record", None, False, ""
        return (0, "object", None, False, _OBJECTS) if _holds_objects(descr, 0) else (
            0, "?", None, False, "its descr is no data type")
    if "O" in descr:
        return 0, "object", None, False, _OBJECTS
    simple = _SIMPLE.fullmatch(descr)
    if simple is None:
        if _ORDERED_TIME.fullmatch(descr):
            return 8, descr, None, descr[0] == ">", ""
        return 0, descr[:40], None, False, f"{one_line(descr[:40])!r} is no data type that is read"
    kind, size = simple[1], int(simple[2])
    name = _NAMES.get(f"{kind}{size}")
    if name is None:
        if kind in "SV":
            return size, descr, None, False, ""
        if kind == "U":
            return 4 * size, descr, None, descr[0] == ">", ""
        return (size, descr, None, False, "") if (kind, size) in (("f", 16), ("c", 32), ("f", 12), ("c", 24)) else (
            0, descr[:40], None, False, f"{one_line(descr[:40])!r} is no data type that is read")
    return size if kind != "b" else 1, name, element_type(name), descr[0] == ">", ""


def _holds_objects(descr: Any, depth: int) -> bool:
    """Whether a field of a structured type is a Python object."""
    if isinstance(descr, str):
        return "O" in descr
    return isinstance(descr, list) and depth <= 4 and any(
        isinstance(f, tuple) and len(f) > 1 and _holds_objects(f[1], depth + 1) for f in descr[:1000])


def _record_size(descr: Any, depth: int) -> int | None:
    """Bytes of a structured type: [(name, type), (name, type, shape), ..]; None when it is none, or holds objects."""
    if not isinstance(descr, list) or depth > 4 or len(descr) > 1000:
        return None
    total = 0
    for field in descr:
        if not isinstance(field, tuple) or len(field) not in (2, 3):
            return None
        item = _record_size(field[1], depth + 1) if not isinstance(field[1], str) else _dtype(field[1])[0] or None
        if item is None:
            return None
        for n in (
            field[2] if len(field) == 3 and isinstance(field[2], tuple) else (field[2],) if len(field) == 3 else ()
        ):
            if not isinstance(n, int) or not 0 <= n < 2**31:
                return None
            item *= n
        total += item
    return total if total < 2**31 else None


def open_npz(file: DataFile) -> TensorFile:
    """An .npz archive: one tensor a member. A PyTorch archive (a zip with data.pkl) is named, not loaded."""
    try:
        archive = zipfile.ZipFile(cast("IO[bytes]", _Window(file.buffer, file.size)))
        members = archive.infolist()
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        struct.error,
        NotImplementedError,
        ValueError,
        OverflowError,
        EOFError,
    ) as error:
        raise InputError(
            f"the zip directory cannot be read ({_short(error)})", where=f"byte {file.size:,}", todo=AGAIN
        ) from error
    if len(members) > MOST_MEMBERS:
        raise InputError(f"{len(members):,} members are too many for an .npz", todo="the file is damaged")
    if any(m.filename.endswith("data.pkl") for m in members):
        raise InputError(
            "this is a PyTorch file: its structure is a Python pickle, which is never loaded",
            where="member data.pkl",
            todo="convert the model to safetensors",
        )
    rows: list[TensorInfo] = []
    names: dict[int, zipfile.ZipInfo] = {}
    problems: list[str] = []
    for member in members:
        if member.filename.endswith("/"):
            continue
        row, starts = _member(file, archive, member, len(rows))
        rows.append(row)
        if not starts:
            names[row.index] = member
    if not rows:
        problems.append("the archive is empty")

    def load(tensor: TensorInfo) -> bytes | None:
        member = names.get(tensor.index)
        return None if member is None else _unpack(archive, member, tensor)

    return TensorFile(file.path, "npz", "NumPy archive (.npz)", (file,), (), tuple(flag_same_names(rows)),
                      tuple(problems), loader=load)


def _short(error: Exception) -> str:
    return one_line(" ".join(str(error).split())) or type(error).__name__


_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    struct.error,
    ValueError,
    OverflowError,
)


def _member(file: DataFile, archive: zipfile.ZipFile, member: zipfile.ZipInfo, index: int) -> tuple[TensorInfo, int]:
    """(the tensor, byte of its data in the file or 0 when it must be unpacked)."""
    name = member.filename.removesuffix(".npy")
    bad = TensorInfo(index, name, "?", (), (), 0, 0, None)
    if member.flag_bits & 1:
        return bad.with_problem("it is encrypted", readable=False), 0
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return bad.with_problem(
            f"it is compressed by a method ({member.compress_type}) that .npz does not use", readable=False
        ), 0
    try:
        with archive.open(member) as stream:
            head = stream.read(LARGEST_HEADER + 12)
    except _ZIP_ERRORS as error:
        return bad.with_problem(f"it cannot be unpacked ({_short(error)})", readable=False), 0
    if head[:6] != MAGIC:
        return bad.with_problem("it is no .npy array", readable=False), 0
    try:
        row, header, _ = _header(head, name)
    except InputError as error:
        return bad.with_problem(f"{error.what}, {error.where} of the member", readable=False), 0
    row = replace(row, index=index)
    if row.nbytes + header > member.file_size and row.readable:
        row = row.with_problem(f"data past end of file: {row.nbytes:,} bytes are promised and the member has "
                               f"{max(0, member.file_size - header):,}", readable=False)
    if member.compress_type == zipfile.ZIP_STORED:
        start = _stored_at(file, member) + header
        if start + row.nbytes <= file.size:
            return replace(row, offset=start), start
    return replace(row, notes=(*row.notes, "deflated: unpacked when looked at")), 0


def _stored_at(file: DataFile, member: zipfile.ZipInfo) -> int:
    """The byte where a stored member's contents begin: behind its own local header, whose lengths may differ."""
    at = member.header_offset
    local = bytes(file.buffer[at : at + 30])
    return at + 30 + int.from_bytes(local[26:28], "little") + int.from_bytes(local[28:30], "little")


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, tensor: TensorInfo) -> bytes:
    """The data of a deflated member. Reading stops at the promised size, whatever the stream holds."""
    if tensor.nbytes > LARGEST_MEMBER:
        raise InputError(
            f"{tensor.name} is compressed and has {tensor.nbytes:,} bytes: too many to unpack into memory",
            where=member.filename,
            todo="save it with numpy.savez (not savez_compressed)",
        )
    try:
        with archive.open(member) as stream:
            _, header, _ = _header(stream.read(LARGEST_HEADER + 12), tensor.name)
        with archive.open(member) as stream:
            stream.read(header)
            data = stream.read(tensor.nbytes)
    except _ZIP_ERRORS as error:
        raise InputError(
            f"{tensor.name} cannot be unpacked ({_short(error)})", where=member.filename, todo=AGAIN
        ) from error
    if len(data) != tensor.nbytes:
        raise InputError(
            f"{tensor.name} ends after {len(data):,} of {tensor.nbytes:,} bytes",
            where=member.filename,
            todo=AGAIN,
        )
    return data


class _Window:
    """The few methods of a file that zipfile asks for, over a map that others use too (an mmap has one position)."""

    def __init__(self, buffer: Any, size: int) -> None:
        self._view, self._size, self._at = memoryview(buffer), size, 0

    def read(self, count: int = -1) -> bytes:
        stop = self._size if count is None or count < 0 else min(self._size, self._at + count)
        data = bytes(self._view[self._at : stop])
        self._at = max(self._at, stop)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        at = (0, self._at, self._size)[whence] + offset
        if at < 0:
            raise ValueError("a position before the start of the file")
        self._at = at
        return at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        """The map is closed by its owner."""
