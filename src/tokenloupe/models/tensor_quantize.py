"""What quantising does to a tensor, type by type: computed in slices, one table for the panel and its chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..tensors import blocks
from ..tensors.files import MOST_VALUES, TensorFile, TensorInfo
from ..tensors.statistics import Comparison, Totals

TYPES = ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "F16", "BF16")
#: Weights a slice of a job.
SLICE = 1 << 16
MOST_TYPED = 100_000


@dataclass(frozen=True, slots=True)
class Side:
    """One block side by side. original, restored, error: float32 (weights,); data: its bytes."""

    original: NDArray[np.float32]
    restored: NDArray[np.float32]
    error: NDArray[np.float32]
    data: bytes


def typed(text: str) -> NDArray[np.float32]:
    """Numbers separated by white space, commas or semicolons; a last block that is not full is filled with zeros.

    InputError names what is no number.
    """
    words = text.replace(",", " ").replace(";", " ").replace("−", "-").split()
    if not words:
        raise InputError("no numbers are typed in", todo="type some, separated by spaces")
    if len(words) > MOST_TYPED:
        raise InputError(f"{len(words):,} numbers are too many to type", todo=f"{MOST_TYPED:,} are taken; open a file")
    values = np.zeros(-(-len(words) // 32) * 32, np.float64)
    for i, word in enumerate(words):
        try:
            values[i] = float(word)
        except ValueError as error:
            raise InputError(f"{word[:30]!r} is no number", where=f"number {i + 1}") from error
    with np.errstate(over="ignore"):
        return values.astype(np.float32)


def values_of(file: TensorFile, tensor: TensorInfo) -> NDArray[np.float32]:
    """All values as float32 in index order. InputError for what is too large, cannot be decoded or has odd rows."""
    if tensor.elements > MOST_VALUES:
        raise InputError(f"{tensor.name} has {tensor.elements:,} values", todo="use `tokenloupe quantize` for so many")
    if tensor.row_length % 32:
        raise InputError(f"a row of {tensor.row_length:,} values of {tensor.name} is no whole number of blocks of 32")
    values = file.array(tensor)
    if np.iscomplexobj(values):
        raise InputError(f"{tensor.name} holds complex numbers")
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, np.float32).reshape(-1)


def comparison_steps(values: NDArray[np.float32]) -> Iterator[Any]:
    """Progress, and at the end a tuple of Comparison, one a type."""
    results: list[Comparison] = []
    total = len(values) * len(TYPES)
    done = 0
    for name in TYPES:
        totals = Totals(blocks.by_name(name))
        rows = values.reshape(-1, 32)
        for start in range(0, len(rows), SLICE // 32):
            piece = rows[start : start + SLICE // 32]
            totals.add(piece.reshape(-1, totals.block.weights))
            done += piece.size
            yield done / total
        results.append(totals.result())
    yield tuple(results)


def side(name: str, values: NDArray[np.float32], block: int) -> Side:
    """32 values, quantised and restored."""
    t = blocks.by_name(name)
    original = values[block * 32 : block * 32 + 32]
    data = blocks.quantize(t, original.reshape(-1, t.weights))
    restored = blocks.dequantize(t, data).reshape(-1)
    with np.errstate(invalid="ignore", over="ignore"):
        return Side(original, restored, restored - original, data.tobytes())


def worst_block(result: Comparison) -> int:
    """The block of 32 with the largest error; types of single numbers count their numbers."""
    return result.worst_block if blocks.by_name(result.type).weights == 32 else result.worst_block // 32
