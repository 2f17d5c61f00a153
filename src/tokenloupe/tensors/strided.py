"""A tensor is flat memory, a shape and strides: transposing, slicing and broadcasting change the last two alone.

    >>> t = Strided.row_major((2, 3))
    >>> t.strides, t.offset_of((1, 2))                  # element (i, j) is at 3i + j
    ((3, 1), 5)
    >>> t.transpose().strides, t.transpose().offset_of((2, 1))
    ((1, 3), 5)
    >>> t.transpose().why_not_contiguous()
    'dimension 1 steps by 3 where the row-major order of this shape steps by 1'

Strides and offsets count elements, as in the textbook; multiply by `itemsize` for bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError

#: A view that is drawn lists its elements: more than this are not.
MOST_DRAWN = 1 << 20


def row_major_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The stride of each dimension is the product of the lengths after it: (2, 3) -> (3, 1)."""
    strides: list[int] = []
    step = 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def element_count(shape: Sequence[int]) -> int:
    count = 1
    for length in shape:
        count *= length
    return count


@dataclass(frozen=True, slots=True)
class Strided:
    """shape, strides (elements, may be 0 or negative), offset (element of the memory where index 0 .. 0 lies).

    memory: elements of the flat memory underneath, which no operation here changes. itemsize: bytes an element.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    memory: int
    itemsize: int = 4

    @classmethod
    def row_major(cls, shape: Sequence[int], itemsize: int = 4) -> Strided:
        """A contiguous tensor. InputError for a negative length."""
        lengths = tuple(int(n) for n in shape)
        if any(n < 0 for n in lengths):
            raise InputError(f"a shape has no negative length: {lengths}")
        return cls(lengths, row_major_strides(lengths), 0, element_count(lengths), itemsize)

    @property
    def elements(self) -> int:
        return element_count(self.shape)

    @property
    def dimensions(self) -> int:
        return len(self.shape)

    def _axis(self, axis: int) -> int:
        if not -self.dimensions <= axis < self.dimensions:
            raise InputError(f"there is no dimension {axis}", todo=f"the tensor has {self.dimensions}, counted from 0")
        return axis % self.dimensions

    def offset_of(self, index: Sequence[int]) -> int:
        """The element of the flat memory behind an index: offset + sum of index * stride."""
        if len(index) != self.dimensions:
            raise InputError(f"{len(index)} indices for {self.dimensions} dimensions")
        for axis, (i, length) in enumerate(zip(index, self.shape, strict=True)):
            if not 0 <= i < length:
                raise InputError(f"index {i} is outside dimension {axis} of length {length}")
        return self.offset + sum(i * s for i, s in zip(index, self.strides, strict=True))

    def formula(self) -> str:
        """`3i + j`: how an index becomes an offset."""
        names = "ijklmnopqrstuvw" if self.dimensions <= 15 else ""
        terms = []
        for axis, stride in enumerate(self.strides):
            name = names[axis] if names else f"i{axis}"
            if stride == 1:
                terms.append(name)
            elif stride:
                terms.append(f"{stride}{name}")
        if self.offset or not terms:
            terms.insert(0, str(self.offset))
        return " + ".join(terms).replace("+ -", "- ")

    def indices_at(self, offset: int) -> list[tuple[int, ...]]:
        """Every index that reads this element of the memory: none, one, or several (broadcast)."""
        if self.elements > MOST_DRAWN:
            raise InputError(f"{self.elements:,} elements are too many to list")
        return [i for i in product(*map(range, self.shape)) if self.offset_of(i) == offset]

    def offsets(self) -> NDArray[np.int64]:
        """The memory offset of every element, int64 in this shape. InputError beyond a million elements."""
        if self.elements > MOST_DRAWN:
            raise InputError(f"{self.elements:,} elements are too many to list", todo="choose a smaller shape")
        out = np.full(self.shape, self.offset, np.int64)
        for axis, (length, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
            steps = np.arange(length, dtype=np.int64) * stride
            out += steps.reshape([-1 if a == axis else 1 for a in range(self.dimensions)])
        return out

    # Contiguity

    def why_not_contiguous(self) -> str:
        """"" for a view whose elements lie one after the other in index order, else the reason."""
        if self.elements == 0:
            return ""
        wanted = row_major_strides(self.shape)
        for axis in reversed(range(self.dimensions)):
            if self.shape[axis] != 1 and self.strides[axis] != wanted[axis]:
                if self.strides[axis] == 0:
                    return f"dimension {axis} has stride 0: its {self.shape[axis]} indices read the same elements"
                told = f"dimension {axis} steps by {self.strides[axis]}"
                return f"{told} where the row-major order of this shape steps by {wanted[axis]}"
        return ""

    @property
    def contiguous(self) -> bool:
        return not self.why_not_contiguous()

    # Operations: each gives another view of the same memory

    def transpose(self, order: Sequence[int] | None = None) -> Strided:
        """Dimensions in another order (all reversed by default): strides travel with their lengths."""
        axes = list(range(self.dimensions))[::-1] if order is None else [self._axis(a) for a in order]
        if sorted(axes) != list(range(self.dimensions)):
            raise InputError(f"{tuple(order or ())} is no order of {self.dimensions} dimensions",
                             todo="name each dimension once")
        return replace(self, shape=tuple(self.shape[a] for a in axes), strides=tuple(self.strides[a] for a in axes))

    def slice(self, axis: int, start: int | None = None, stop: int | None = None, step: int | None = None) -> Strided:
        """start:stop:step of one dimension, by Python's rules: the offset moves, the stride is multiplied by step."""
        axis = self._axis(axis)
        if step == 0:
            raise InputError("a step of 0 goes nowhere")
        first, last, by = slice(start, stop, step).indices(self.shape[axis])
        length = len(range(first, last, by))
        shape, strides = list(self.shape), list(self.strides)
        shape[axis], strides[axis] = length, strides[axis] * by
        moved = self.offset + (first * self.strides[axis] if length else 0)
        return replace(self, shape=tuple(shape), strides=tuple(strides), offset=moved)

    def select(self, axis: int, index: int) -> Strided:
        """One index of a dimension, which disappears."""
        axis = self._axis(axis)
        length = self.shape[axis]
        if not -length <= index < length:
            raise InputError(f"index {index} is outside dimension {axis} of length {length}")
        moved = self.offset + index % length * self.strides[axis]
        shape, strides = list(self.shape), list(self.strides)
        del shape[axis], strides[axis]
        return replace(self, shape=tuple(shape), strides=tuple(strides), offset=moved)

    def broadcast(self, shape: Sequence[int]) -> Strided:
        """Lengths of 1, and new leading dimensions, repeated by a stride of 0."""
        target = tuple(int(n) for n in shape)
        new = len(target) - self.dimensions
        if new < 0 or any(n < 0 for n in target):
            raise InputError(f"shape {self.shape} cannot be broadcast to {target}",
                             todo="a broadcast adds dimensions in front")
        strides = [0] * new
        for axis, (old, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
            if old != target[new + axis] and old != 1:
                raise InputError(f"shape {self.shape} cannot be broadcast to {target}",
                                 todo=f"only lengths of 1 are repeated, and dimension {axis} has {old}")
            strides.append(stride if old == target[new + axis] else 0)
        return replace(self, shape=target, strides=tuple(strides))

    def reshape(self, shape: Sequence[int]) -> Strided:
        """The same elements in index order under another shape, without a copy. One length may be -1.

        InputError says why when the strides cannot express it and data would have to move.
        """
        target = self._complete(shape)
        if self.elements == 0:
            return replace(self, shape=target, strides=row_major_strides(target))
        # Neighbouring dimensions that step evenly through memory are one run; new lengths must fill whole runs.
        runs: list[list[int]] = []  # [elements, stride of the last]
        for length, stride in zip(self.shape, self.strides, strict=True):
            if length == 1:
                continue
            if runs and runs[-1][1] == stride * length:
                runs[-1] = [runs[-1][0] * length, stride]
            else:
                runs.append([length, stride])
        strides: list[int] = []
        left = runs[-1][0] if runs else 1
        step = runs[-1][1] if runs else 1
        for axis in reversed(range(len(target))):
            length = target[axis]
            if length != 1 and left == 1 and len(runs) > 1:
                runs.pop()
                left, step = runs[-1]
            if left % length:
                raise InputError(
                    f"{self.shape} cannot become {target} without moving data",
                    where=f"new dimension {axis} of length {length} would step unevenly through memory",
                    todo=f"copy first: {self.why_not_contiguous()}")
            strides.append(step)
            left //= length
            step *= length
        return replace(self, shape=target, strides=tuple(reversed(strides)))

    def _complete(self, shape: Sequence[int]) -> tuple[int, ...]:
        lengths = [int(n) for n in shape]
        if lengths.count(-1) > 1 or any(n < -1 for n in lengths):
            raise InputError(f"{tuple(lengths)} is no shape", todo="one length at most may be -1")
        if -1 in lengths:
            rest = element_count([n for n in lengths if n != -1])
            if rest == 0 or self.elements % rest:
                raise InputError(f"{self.elements} elements do not divide into {tuple(lengths)}")
            lengths[lengths.index(-1)] = self.elements // rest
        if element_count(lengths) != self.elements:
            raise InputError(f"{tuple(lengths)} has {element_count(lengths)} elements and the tensor {self.elements}")
        return tuple(lengths)

    def contiguous_copy(self) -> Strided:
        """What a copy in index order would be: new memory of just these elements."""
        return Strided.row_major(self.shape, self.itemsize)


def token_batch(ids: Sequence[Sequence[int]], pad: int = 0) -> tuple[NDArray[np.int32], Strided]:
    """Token ids of several texts as the [batch, seq] int32 tensor a model is given, short rows padded.

        >>> token_batch([[5, 6, 7], [8]])[0].tolist(), token_batch([[5, 6, 7], [8]])[1].strides
        ([5, 6, 7, 8, 0, 0], (3, 1))

    Returns the flat memory and its view. InputError when an id does not fit 32 bits.
    """
    longest = max(map(len, ids), default=0)
    flat = np.full(len(ids) * longest, pad, np.int64)
    for row, line in enumerate(ids):
        flat[row * longest : row * longest + len(line)] = line
    if flat.size and (flat.max() > 2**31 - 1 or flat.min() < -(2**31)):
        raise InputError(f"id {int(flat.max())} does not fit a 32-bit integer", todo="such ids need int64 tensors")
    return flat.astype(np.int32), Strided.row_major((len(ids), longest), 4)
