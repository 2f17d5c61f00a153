"""Counts over small tensors whose answer is known by construction; errors against plain numpy."""

from __future__ import annotations

import numpy as np
import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.tensors import blocks, statistics
from tokenloupe.tensors.statistics import Census, compare

Q4_0 = blocks.by_name("Q4_0")


def block(d: float, codes: list[int]) -> bytes:
    packed = bytes(codes[j] | codes[j + 16] << 4 for j in range(16))
    return np.float16(d).tobytes() + packed


def test_what_is_counted() -> None:
    ramp = [i % 16 for i in range(32)]
    data = b"".join([
        block(0.5, ramp), block(0.0, ramp), block(2.0, [8] * 32), block(np.nan, [8] * 32), block(np.inf, ramp),
        block(-0.25, [0] * 16 + [15] * 16),
    ])  # fmt: skip
    census = Census(Q4_0)
    census.add(blocks.split_blocks(Q4_0, data))
    assert (census.count, census.zero_blocks, census.first_zero) == (6, 2, 1)
    assert (census.nan_scales, census.first_nan, census.infinite_scales, census.first_infinite) == (1, 3, 1, 4)
    assert (census.saturated, census.first_saturated) == (1, 5)
    # inf * 0 is NaN: the two codes of 8 in the ramp; the NaN scale makes 32
    assert (census.nan_values, census.infinite_values) == (34, 30)
    assert (census.minimum, census.maximum, census.largest_at) == (-4.0, 3.5, 0)
    assert census.levels.sum() == 6 * 32
    assert census.levels[0] == 3 * 2 + 16  # code 0: twice in each ramp, 16 in the last
    assert census.scale_histogram() == [(-2, 1), (-1, 1), (1, 1)]


def test_pieces_add_up() -> None:
    data = np.random.default_rng(2).integers(0, 256, (9000, 18), dtype=np.uint8)
    whole, parts = Census(Q4_0), Census(Q4_0)
    whole.add(data)
    for start in range(0, 9000, 1234):
        parts.add(data[start : start + 1234])
    for name in ("count", "zero_blocks", "nan_scales", "nan_values", "first_nan", "largest_at", "minimum", "maximum"):
        assert getattr(whole, name) == getattr(parts, name), name
    assert np.array_equal(whole.levels, parts.levels)


def test_errors_are_those_of_numpy() -> None:
    values = np.random.default_rng(4).standard_normal((40, 64)).astype(np.float32)
    values[7, 3] = 90
    found = compare(Q4_0, values)
    back = blocks.dequantize(Q4_0, blocks.quantize(Q4_0, values)).reshape(values.shape)
    error = back.astype(np.float64) - values
    assert (found.nbytes, found.bits_per_weight, found.weights) == (80 * 18, 4.5, 2560)
    assert found.max_error == pytest.approx(np.abs(error).max(), rel=1e-12)
    assert found.rms_error == pytest.approx(np.sqrt((error**2).mean()), rel=1e-12)
    assert found.relative == pytest.approx(np.sqrt((error**2).sum() / (values.astype(float) ** 2).sum()), rel=1e-9)
    assert found.worst_block == np.abs(error).max(axis=1).argmax() * 2 + np.abs(error).reshape(40, 2, 32).max(axis=2)[
        np.abs(error).max(axis=1).argmax()
    ].argmax()


def test_values_that_are_not_finite_are_counted_apart() -> None:
    values = np.ones((2, 32), np.float32)
    values[1, 5] = np.nan
    found = compare(Q4_0, values)
    assert found.not_finite == 32
    assert np.isfinite(found.rms_error)


def test_steps_end_with_the_whole() -> None:
    values = np.random.default_rng(6).standard_normal((1, 1 << 21)).astype(np.float32)
    steps = list(statistics.compare_steps(blocks.by_name("Q8_0"), values))
    assert [s.weights for s in steps] == [1 << 20, 1 << 21]
    assert steps[-1] == compare(blocks.by_name("Q8_0"), values)


def test_a_row_that_does_not_divide_is_refused() -> None:
    with pytest.raises(InputError, match="a row of 33 values"):
        compare(Q4_0, np.zeros((32, 33), np.float32))


def test_plain_numbers_tell_their_first_nan_and_infinity() -> None:
    values = np.ones(200_000, np.float32)  # more than a chunk
    values[[150_001, 180_000]], values[170_002] = np.nan, np.inf
    census = Census(blocks.by_name("F32"))
    for part in np.split(values, 4):
        census.add(part.view(np.uint8).reshape(-1, 4))
    assert (census.first_nan, census.first_infinite) == (150_001, 170_002)
    assert (census.nan_values, census.infinite_values) == (2, 1)
