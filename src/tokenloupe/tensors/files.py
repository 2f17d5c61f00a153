"""A file of tensors, whatever its format: metadata, a table of tensors, and their bytes by memory map.

    >>> file = open_tensors("model-q4_0.gguf")
    >>> t = file.tensors[0]
    >>> t.name, t.type, t.shape, t.strides, t.offset, t.nbytes, t.problem
    ('token_embd.weight', 'Q4_0', (32000, 4096), (2304, 18), 1735424, 73728000, None)
    >>> file.values(t, 0, 32)                       # the first 32 weights, decoded

Opening reads the header alone: a 40 GB file opens as fast as its header allows. What is wrong with one tensor is a
sentence in that tensor's row; the others stay usable. Only a header that cannot be read at all is an InputError.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from . import blocks
from .blocktypes import BlockType, Bytes

AGAIN = "the download is not complete: fetch it again"

#: Values decoded at once by `values`: a caller that wants more asks in pieces.
MOST_VALUES = 1 << 26


@dataclass(frozen=True, slots=True)
class Meta:
    """One metadata entry. type: as people write it (`uint32`, `string[50257]`). value: bool, int, float, str or array.

    An array (numpy, or a sequence of bytes that is found but not decoded) is browsed by `count` and `items`.
    problem: what is wrong with the entry, or None.
    """

    key: str
    type: str
    value: Any
    problem: str | None = None

    @property
    def count(self) -> int | None:
        """Elements of an array, None for a single value."""
        return None if isinstance(self.value, (bool, int, float, str)) or self.value is None else len(self.value)

    def items(self, start: int, stop: int) -> list[Any]:
        """Elements start..stop of an array as Python values; strings that are not UTF-8 show U+FFFD."""
        stop = min(stop, self.count or 0)
        if isinstance(self.value, np.ndarray):
            return list(self.value[start:stop].tolist())
        return [v.decode("utf-8", "replace") if isinstance(v, bytes) else v
                for v in (self.value[i] for i in range(start, stop))]


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """A row of the tensor table.

    shape: elements, slowest dimension first (the reverse of GGUF's ne). strides: bytes from one index to the next,
    in the order of shape; the last of a quantised tensor is the bytes of one block (see `block`).
    offset: byte of its file where the data starts; nbytes: of data, as its type and shape ask for.
    file: index into TensorFile.files. problem: one sentence, or None. readable: whether its bytes can be had at all.
    notes: what is worth knowing and not wrong. big_endian: of the numbers in its data.
    """

    index: int
    name: str
    type: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    nbytes: int
    block: BlockType | None
    file: int = 0
    problem: str | None = None
    readable: bool = True
    notes: tuple[str, ...] = ()
    big_endian: bool = False

    @property
    def elements(self) -> int:
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def end(self) -> int:
        return self.offset + self.nbytes

    @property
    def row_length(self) -> int:
        """Elements of the fastest dimension; 1 for a scalar."""
        return self.shape[-1] if self.shape else 1

    @property
    def contiguous(self) -> bool:
        """Whether elements lie in the order of their indices (a Fortran-ordered .npy does not)."""
        return self.block is None or self.strides == contiguous_strides(self.shape, self.block)

    def with_problem(self, sentence: str, *, readable: bool | None = None) -> TensorInfo:
        """The row with one more problem."""
        both = sentence if self.problem is None else f"{self.problem}; {sentence}"
        return self._copy(self.index, self.file, both, self.readable if readable is None else readable)

    def renumbered(self, index: int, file: int) -> TensorInfo:
        """The row as it stands in a table of several files."""
        return self._copy(index, file, self.problem, self.readable)

    def _copy(self, index: int, file: int, problem: str | None, readable: bool) -> TensorInfo:
        # Not dataclasses.replace, which takes five times as long: a model, or a damaged file, may have 100,000 rows.
        return TensorInfo(index, self.name, self.type, self.shape, self.strides, self.offset, self.nbytes, self.block,
                          file, problem, readable, self.notes, self.big_endian)


def contiguous_strides(shape: tuple[int, ...], block: BlockType | None, item: int = 1) -> tuple[int, ...]:
    """Bytes from one index to the next of a row-major tensor.

        >>> contiguous_strides((3, 64), by_name("Q4_0"))       # 18 bytes a block of 32, 2 blocks a row
        (36, 18)
    """
    if not shape:
        return ()
    weights, size = (1, item) if block is None else (block.weights, block.nbytes)
    strides = [size]
    step = -(-shape[-1] // weights) * size
    for length in reversed(shape[:-1]):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


@dataclass(frozen=True)
class DataFile:
    """One file on the disk. data_start: byte where tensor data begins."""

    path: Path
    size: int
    data_start: int
    buffer: Any = field(repr=False, default=b"")


@dataclass(frozen=True)
class TensorFile:
    """format: "gguf", "safetensors", "npy" or "npz". label: for people ("GGUF v3, big-endian (BIG)").

    problems: sentences about the file as a whole. loader(tensor) -> its bytes, where they are not in a buffer
    (compressed members).
    """

    path: Path
    format: str
    label: str
    files: tuple[DataFile, ...]
    metadata: tuple[Meta, ...]
    tensors: tuple[TensorInfo, ...]
    problems: tuple[str, ...] = ()
    version: int | None = None
    byte_order: str = "little"
    alignment: int | None = None
    loader: Callable[[TensorInfo], bytes | None] | None = None

    @property
    def size(self) -> int:
        """Bytes of all its files together."""
        return sum(f.size for f in self.files)

    @cached_property
    def _by_name(self) -> dict[str, TensorInfo]:
        return {t.name: t for t in reversed(self.tensors)}

    def tensor(self, name: str) -> TensorInfo:
        """The (first) tensor of this name, or the one of this number. InputError offers what is there."""
        found = self._by_name.get(name)
        if found is None and name.isascii() and name.isdigit() and len(name) < 12 and int(name) < len(self.tensors):
            found = self.tensors[int(name)]
        if found is None:
            names = ", ".join(t.name for t in self.tensors[:6])
            raise InputError(
                f"there is no tensor {name!r}",
                where=self.path.name,
                todo=f"it has {names}{', ..' if len(self.tensors) > 6 else ''}" if names else "it has none",
            )
        return found

    def reads(self, path: Path) -> bool:
        """Whether a path leads to a file that is open here, by whatever name: nothing is ever written to it."""
        return path.exists() and any(path.samefile(f.path) for f in self.files)

    def meta(self, key: str) -> Meta | None:
        return next((m for m in self.metadata if m.key == key), None)

    def raw(self, tensor: TensorInfo) -> Bytes:
        """The tensor's bytes, uint8, read-only, as the file has them. InputError when they cannot be had."""
        if not tensor.readable:
            raise InputError(
                f"the data of {tensor.name} cannot be read: {tensor.problem}", where=self.path.name
            )
        if self.loader is not None:
            loaded = self.loader(tensor)
            if loaded is not None:
                return np.frombuffer(loaded, np.uint8)
        if not tensor.nbytes:
            return np.zeros(0, np.uint8)
        return np.frombuffer(self.files[tensor.file].buffer, np.uint8, tensor.nbytes, tensor.offset)

    def block_count(self, tensor: TensorInfo) -> int:
        """Blocks (or plain numbers) of a tensor; 0 when its type is unknown."""
        return tensor.nbytes // tensor.block.nbytes if tensor.block else 0

    def block_bytes(self, tensor: TensorInfo, first: int, count: int) -> Bytes:
        """Blocks first .. first+count, uint8 (count, nbytes), little-endian whatever the file is."""
        if tensor.block is None:
            raise InputError(
                f"{tensor.name} is of type {tensor.type}, which cannot be decoded", where=self.path.name
            )
        whole = self.raw(tensor).reshape(-1, tensor.block.nbytes)
        if not 0 <= first <= len(whole):
            raise InputError(
                f"block {first:,} is not there: {tensor.name} has {len(whole):,}",
                where=self.path.name,
                todo="blocks are counted from 0",
            )
        chosen = whole[first : first + max(0, count)]
        if tensor.big_endian and tensor.block.nbytes > 1:
            chosen = _turned(tensor.block, chosen)
        return chosen

    def values(self, tensor: TensorInfo, start: int = 0, count: int | None = None) -> NDArray[Any]:
        """Elements start .. start+count in file order, decoded: float32, or the type's own numbers for plain types."""
        block = tensor.block
        count = tensor.elements - start if count is None else min(count, tensor.elements - start)
        if count > MOST_VALUES:
            raise InputError(f"{count:,} values at once are too many", todo=f"ask for {MOST_VALUES:,} or fewer")
        if block is None or count <= 0:
            self.block_bytes(tensor, 0, 0)
            return np.zeros(0, np.float32)
        first = start // block.weights
        last = -(-(start + count) // block.weights)
        decoded = blocks.decode(block, self.block_bytes(tensor, first, last - first)).reshape(-1)
        return decoded[start - first * block.weights :][:count]


    def array(self, tensor: TensorInfo) -> NDArray[Any]:
        """All values in the order of their indices, in the tensor's shape. InputError beyond MOST_VALUES."""
        flat = self.values(tensor)
        if tensor.contiguous or tensor.block is None:
            return flat.reshape(tensor.shape)
        return flat.reshape(tensor.shape[::-1]).transpose()  # Fortran order, the only other one that is read


def _turned(block: BlockType, chosen: Bytes) -> Bytes:
    if not block.native:
        return blocks.swap_bytes(block, chosen)
    item = block.nbytes // (2 if "c" in block.native else 1)
    return np.ascontiguousarray(chosen).reshape(-1, item)[:, ::-1].reshape(len(chosen), block.nbytes)


def map_file(path: Path) -> DataFile:
    """The file memory-mapped read-only. InputError when it cannot be read or is empty."""
    try:
        if path.exists() and not path.is_file():  # a folder, or a pipe that opening might wait for without end
            raise InputError("this is not a file", todo="open a tensor file")
        with path.open("rb") as handle:
            size = os.fstat(handle.fileno()).st_size
            if size == 0:
                raise InputError("the file is empty", where="byte 0", todo=AGAIN)
            mapped = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read ({reason})", todo="check the path and its permissions") from error
    return DataFile(path, size, 0, mapped)


def open_tensors(path: str | Path) -> TensorFile:
    """Open a GGUF, safetensors (or its index), .npy or .npz file by its content. InputError says what it is instead."""
    from . import refuse

    target = Path(path)
    if target.is_dir():
        target = refuse.main_file(target)
    return _open(map_file(target))


def open_tensor_bytes(data: bytes, name: str = "bytes") -> TensorFile:
    """The same from bytes already in memory. name: for messages, and for its suffix."""
    if not data:
        raise InputError("the file is empty", where="byte 0", todo=AGAIN)
    return _open(DataFile(Path(name), len(data), 0, data))


def _open(file: DataFile) -> TensorFile:
    from . import gguf, npy, refuse, safetensors

    head = bytes(file.buffer[:64])
    if head[:4] == b"GGUF" or gguf.is_legacy(head):
        return gguf.open_gguf(file)
    if head[:6] == npy.MAGIC:
        return npy.open_npy(file)
    if head[:4] == b"PK\x03\x04" or head[:4] == b"PK\x05\x06":
        return npy.open_npz(file)
    if safetensors.looks_like(head, file.path.name):
        return safetensors.open_safetensors(file)
    if safetensors.looks_like_index(head):
        return safetensors.open_index(file)
    raise refuse.no_tensors(head)
