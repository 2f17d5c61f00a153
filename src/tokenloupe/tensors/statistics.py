"""What a whole tensor looks like: its range, its scales, and the blocks that deserve a look.

    >>> s = Census(by_name("Q4_0"))
    >>> for piece in pieces: s.add(piece)            # uint8 (n, 18), any number of times
    >>> s.zero_blocks, s.nan_scales, s.saturated, s.worst

One NaN scale poisons a model, so NaN and infinite scales are counted, with the first of each. Work is in chunks: a
tensor of any size, bounded memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import blocks
from .blocktypes import BlockType, Bytes, Floats

#: A block is saturated when more than this share of its levels are the smallest or the largest.
SATURATED = 0.3

#: Bars of the histogram of scales, by power of two.
_EXPONENTS = range(-40, 41)


@dataclass
class Census:
    """Running totals over blocks of one type. Block indices count from the first block added.

    first_nan, first_infinite: blocks with such a scale; of plain numbers, which have none, the first such number.
    """

    block: BlockType
    count: int = 0
    zero_blocks: int = 0
    nan_scales: int = 0
    infinite_scales: int = 0
    saturated: int = 0
    nan_values: int = 0
    infinite_values: int = 0
    minimum: float = np.inf
    maximum: float = -np.inf
    total: float = 0.0
    squares: float = 0.0
    first_nan: int = -1
    first_infinite: int = -1
    first_zero: int = -1
    first_saturated: int = -1
    largest_at: int = -1
    levels: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    scales: NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(_EXPONENTS), np.int64))

    def __post_init__(self) -> None:
        low, high = self.block.level_range
        self.levels = np.zeros(high - low + 1, np.int64)

    def add(self, data: Bytes) -> None:
        """More blocks, uint8 (n, nbytes)."""
        for piece in blocks.chunks(self.block, len(data)):
            self._add(data[piece])

    def _add(self, data: Bytes) -> None:
        values = blocks.dequantize(self.block, data)
        self._values(values)
        if self.block.unpack is not None and self.block.weights > 1:
            self._scales(data, values)
        elif self.nan_values or self.infinite_values:
            self._note("first_nan", np.isnan(values).any(axis=1))
            self._note("first_infinite", np.isinf(values).any(axis=1))
        self.count += len(data)

    def _note(self, name: str, where: Any) -> int:
        hits = int(np.count_nonzero(where))
        if hits and getattr(self, name) < 0:
            setattr(self, name, self.count + int(where.argmax()))
        return hits

    def _values(self, values: Floats) -> None:
        finite = np.isfinite(values)
        if finite.all():
            good = values
        else:
            nans = np.isnan(values)
            self.nan_values += int(np.count_nonzero(nans))
            self.infinite_values += int(values.size - np.count_nonzero(finite) - np.count_nonzero(nans))
            good = values[finite]
        if good.size:
            low, high = float(good.min()), float(good.max())
            if max(-low, high) > max(-self.minimum, self.maximum):
                rows = np.where(finite, np.abs(values), 0).max(axis=1)
                self.largest_at = self.count + int(rows.argmax())
            self.minimum, self.maximum = min(self.minimum, low), max(self.maximum, high)
            self.total += float(good.sum(dtype=np.float64))
            self.squares += float(np.square(good, dtype=np.float64).sum())

    def _scales(self, data: Bytes, values: Floats) -> None:
        p = blocks.parts(self.block, data)
        self.nan_scales += self._note("first_nan", np.any(np.isnan(p.scales), axis=1))
        self.infinite_scales += self._note("first_infinite", np.any(np.isinf(p.scales), axis=1))
        self.zero_blocks += self._note("first_zero", (values == 0).all(axis=1))
        real = np.abs(p.scales[np.isfinite(p.scales) & (p.scales != 0)])
        power = np.clip(np.floor(np.log2(real)) - _EXPONENTS.start, 0, len(_EXPONENTS) - 1).astype(np.int64)
        self.scales += np.bincount(power, minlength=len(_EXPONENTS))
        low, high = self.block.level_range
        level = np.clip(np.rint(p.levels), low, high).astype(np.int64)
        self.levels += np.bincount(level.reshape(-1) - low, minlength=high - low + 1)
        ends = (level == low) | (level == high)
        self.saturated += self._note("first_saturated", np.count_nonzero(ends, axis=1) > SATURATED * self.block.weights)

    @property
    def weights(self) -> int:
        return self.count * self.block.weights

    @property
    def mean(self) -> float:
        good = self.weights - self.nan_values - self.infinite_values
        return self.total / good if good else 0.0

    @property
    def rms(self) -> float:
        good = self.weights - self.nan_values - self.infinite_values
        return float(np.sqrt(self.squares / good)) if good else 0.0

    def scale_histogram(self) -> list[tuple[int, int]]:
        """(power of two, number of scales) for the powers that occur."""
        return [(p, n) for p, n in zip(_EXPONENTS, self.scales.tolist(), strict=True) if n]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A float tensor quantised and restored. Errors are absolute, over finite values; blocks are counted from 0.

    type, nbytes, bits_per_weight; max_error; rms_error; mean_error (restored - original); relative: rms error over the
    rms of the original; worst_block: with the largest single error, and its error.
    """

    type: str
    weights: int
    nbytes: int
    bits_per_weight: float
    max_error: float
    rms_error: float
    mean_error: float
    relative: float
    worst_block: int
    worst_block_rms: float
    not_finite: int


def compare(block: BlockType, values: Floats) -> Comparison:
    """Quantise values (float32, last axis whole blocks) to a type and say how far the restored values are off."""
    last: Comparison | None = None
    for last in compare_steps(block, values):  # noqa: B007
        pass
    assert last is not None
    return last


def compare_steps(block: BlockType, values: Floats) -> Iterator[Comparison]:
    """The same in slices of about a million weights, each yielding the figures so far: for a main loop."""
    flat = values.reshape(-1, values.shape[-1] if values.ndim else 1)
    if values.ndim == 0 or flat.shape[1] % block.weights:
        blocks.quantize(block, values)  # raises the sentence for it
    rows = values.reshape(-1, block.weights)
    step = max(1, (1 << 20) // block.weights)
    totals = Totals(block)
    for start in range(0, max(1, len(rows)), step):
        totals.add(np.ascontiguousarray(rows[start : start + step], np.float32))
        yield totals.result()


class Totals:
    """Running errors of a quantisation; see Comparison for what they mean."""

    def __init__(self, block: BlockType) -> None:
        self.block, self.count, self.finite = block, 0, 0
        self.square = self.sum = self.original = 0.0
        self.largest, self.worst, self.worst_rms = 0.0, -1, 0.0

    def add(self, rows: Floats) -> Bytes:
        """More blocks, float32 (n, weights); returns their bytes."""
        data = blocks.quantize(self.block, rows)
        restored = blocks.dequantize(self.block, data).reshape(rows.shape)
        with np.errstate(invalid="ignore", over="ignore"):
            error = restored.astype(np.float64) - rows
            finite = np.isfinite(error)
            error[~finite] = 0
            size = np.abs(error).max(axis=1) if error.size else np.zeros(0)
            self.original += float(np.square(rows, dtype=np.float64, where=finite, out=np.zeros(rows.shape)).sum())
        if size.size and (self.worst < 0 or size.max() > self.largest):
            at = int(size.argmax())
            self.largest, self.worst = float(size[at]), self.count + at
            self.worst_rms = float(np.sqrt(np.square(error[at]).mean()))
        self.square += float(np.square(error).sum())
        self.sum += float(error.sum())
        self.finite += int(np.count_nonzero(finite))
        self.count += len(rows)
        return data

    def result(self) -> Comparison:
        """The figures so far."""
        t, weights = self.block, self.count * self.block.weights
        n = max(1, self.finite)
        rms = float(np.sqrt(self.square / n))
        base = float(np.sqrt(self.original / n))
        return Comparison(t.name, weights, self.count * t.nbytes, t.bits_per_weight, self.largest, rms, self.sum / n,
                          rms / base if base else 0.0, self.worst, self.worst_rms, weights - self.finite)
