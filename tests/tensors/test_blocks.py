"""Blocks against gguf 0.19, bit for bit, and against values worked out by hand."""

from __future__ import annotations

import warnings

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType, quants
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tokenloupe.core.errors import InputError
from tokenloupe.tensors import blocks
from tokenloupe.tensors.blocktypes import BlockType, Field, register

DECODED = [t.name for t in GGMLQuantizationType if t in quants._type_traits]
QUANTISED = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "BF16", "F16"]


def bits(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, np.float32).view(np.uint32)


def reference(name: str, data: np.ndarray) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return quants.dequantize(data, GGMLQuantizationType[name])


def reference_quantize(name: str, values: np.ndarray) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return quants.quantize(values, GGMLQuantizationType[name]).view(np.uint8).reshape(-1)


def test_every_type_has_the_size_and_number_of_the_reference() -> None:
    for kind in GGMLQuantizationType:
        found = blocks.by_id(kind.value)
        assert found is not None, kind
        assert (found.name, found.weights, found.nbytes) == (kind.name, *gguf.GGML_QUANT_SIZES[kind])


def test_type_sizes() -> None:
    """Case type-sizes."""
    names = "Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL MXFP4 BF16"
    sizes = "32/18 32/20 32/22 32/24 32/34 256/84 256/110 256/144 256/176 256/210 32/18 32/17 1/2"
    assert " ".join(f"{blocks.by_name(n).weights}/{blocks.by_name(n).nbytes}" for n in names.split()) == sizes


@pytest.mark.parametrize("name", DECODED)
def test_random_blocks_decode_bit_for_bit(name: str) -> None:
    t = blocks.by_name(name)
    data = np.random.default_rng(len(name)).integers(0, 256, (700, t.nbytes), dtype=np.uint8)
    expected = reference(name, data)
    assert np.array_equal(bits(blocks.dequantize(t, data)).reshape(expected.shape), bits(expected))


@pytest.mark.parametrize("name", [n for n in DECODED if n != "BF16"])
def test_parts_say_the_same_as_values(name: str) -> None:
    """value = scale * level (+ or - minimum): what the anatomy shows is what is decoded."""
    t = blocks.by_name(name)
    data = np.random.default_rng(3).integers(0, 256, (64, t.nbytes), dtype=np.uint8)
    p = blocks.parts(t, data)
    group = t.weights // p.scales.shape[1]
    with np.errstate(invalid="ignore", over="ignore"):
        told = np.repeat(p.scales, group, axis=1) * p.levels.astype(np.float32)
        if p.mins is not None:
            told = told + np.repeat(p.mins, group, axis=1) * (1 if t.adds_minimum else -1)
    assert np.array_equal(told, blocks.dequantize(t, data), equal_nan=True)
    low, high = t.level_range
    assert p.levels.min() >= min(low, -128 if name == "Q8_0" else low) - 0.125
    assert p.levels.max() <= high + 0.125


@pytest.mark.parametrize("name", ["F32", "F16"])
def test_plain_floats_decode(name: str) -> None:
    data = np.random.default_rng(0).integers(0, 256, (1000, blocks.by_name(name).nbytes), dtype=np.uint8)
    expected = reference(name, data)
    assert np.array_equal(blocks.dequantize(name, data).reshape(expected.shape), expected, equal_nan=True)


def test_more_than_one_chunk_and_any_buffer() -> None:
    data = np.random.default_rng(1).integers(0, 256, (5000, 18), dtype=np.uint8)
    data[:, 1] &= 0x3F
    expected = reference("Q4_0", data)
    assert np.array_equal(blocks.dequantize("q4_0", data.tobytes()), expected)
    assert np.array_equal(blocks.dequantize("Q4_0", memoryview(data.tobytes())), expected)
    spread = np.zeros((5000, 40), np.uint8)
    spread[:, :18] = data
    assert np.array_equal(blocks.dequantize("Q4_0", spread[:, :18]), expected)


# Quantising


def hard_blocks(seed: int) -> np.ndarray:
    """Blocks with ties, zeros of both signs, subnormals, huge numbers, and any bit pattern at all."""
    rng = np.random.default_rng(seed)
    ordinary = rng.standard_normal((400, 32)) * np.exp(rng.normal(0, 8, (400, 1)))
    ties = rng.integers(-3, 4, (300, 32))
    zeros = np.where(rng.random((100, 32)) < 0.5, 0.0, -0.0)
    tiny = rng.standard_normal((200, 32)) * 1e-38
    huge = np.clip(rng.standard_normal((200, 32)) * 1e38, -3e38, 3e38)
    subnormal = rng.integers(0, 2**20, (100, 32), dtype=np.uint32).view(np.float32)
    parts = [x.astype(np.float32) for x in (ordinary, ties, zeros, tiny, huge)]
    anything = rng.integers(0, 2**32, (400, 32), dtype=np.uint32).view(np.float32)
    return np.concatenate([*parts, subnormal, anything])


@pytest.mark.parametrize("name", QUANTISED)
@pytest.mark.parametrize("seed", [1, 2])
def test_quantising_is_bit_for_bit_the_reference(name: str, seed: int) -> None:
    values = hard_blocks(seed)
    assert np.array_equal(blocks.quantize(name, values).reshape(-1), reference_quantize(name, values))


@pytest.mark.parametrize("name", QUANTISED)
@given(
    values=hnp.arrays(
        np.float32, (3, 32), elements=st.floats(width=32, allow_nan=False, allow_infinity=False), fill=st.nothing()
    )
)
@settings(max_examples=15, deadline=None)
def test_quantising_any_finite_floats(name: str, values: np.ndarray) -> None:
    assert np.array_equal(blocks.quantize(name, values).reshape(-1), reference_quantize(name, values))


def test_q4_0_of_a_zero_block_has_minus_zero_for_scale() -> None:
    """Case q40-zero-block: d = 0/-8 = -0, every value comes back as -0.0, no NaN."""
    data = blocks.quantize("Q4_0", np.zeros((1, 32), np.float32))
    assert data.tobytes() == b"\x00\x80" + b"\x88" * 16
    back = blocks.dequantize("Q4_0", data)
    assert np.all(back == 0)
    assert np.all(np.signbit(back))


def test_q4_0_of_minus_zeros_follows_gguf_and_decodes_to_zeros() -> None:
    """Case q40-neg-zero-block: gguf-py gives 00 00 (we follow it), the C rule 00 80; both decode to zeros."""
    data = blocks.quantize("Q4_0", np.full((1, 32), -0.0, np.float32))
    assert data.tobytes()[:2] == b"\x00\x00"
    c_rule = b"\x00\x80" + data.tobytes()[2:]
    assert np.all(blocks.dequantize("Q4_0", data) == 0)
    assert np.all(blocks.dequantize("Q4_0", c_rule) == 0)


def test_q4_0_rounds_without_fused_multiply_add() -> None:
    """Case q40-fma-rounding: 12 as gguf-py has it; a C build that fuses gives 11."""
    values = np.zeros((1, 32), np.float32)
    values[0, :2] = np.array([0x3FEF439D, 0xBF515B27], np.uint32).view(np.float32)
    data = blocks.quantize("Q4_0", values)
    assert blocks.parts("Q4_0", data).codes[0, 1] == 12


def test_q8_0_rounds_half_away_from_zero() -> None:
    """Case q80-half-rounding: C's roundf, not banker's rounding, not floor(x + .5)."""
    values = np.zeros((1, 32), np.float32)
    values[0, :8] = [127, 0.49999997, -0.49999997, 0.5, -0.5, 1.5, 2.5, -2.5]
    data = blocks.quantize("Q8_0", values)
    assert blocks.parts("Q8_0", data).levels[0, :8].tolist() == [127, 0, 0, 1, -1, 2, 3, -3]


def test_q8_0_rounding_beside_every_half() -> None:
    """Within 3 units in the last place of every n + 1/2 below 127, with d = 1 exactly."""
    halves = np.arange(0.5, 127, 1, np.float32).view(np.int32)
    near = np.concatenate([(halves + step).view(np.float32) for step in range(-3, 4)])
    rows = np.zeros((len(near), 32), np.float32)
    rows[:, 0], rows[:, 1], rows[:, 2] = 127, near, -near
    expected = np.floor(near.astype(np.float64) + 0.5)
    levels = blocks.parts("Q8_0", blocks.quantize("Q8_0", rows)).levels
    assert np.array_equal(levels[:, 1], expected)
    assert np.array_equal(levels[:, 2], -expected)


def test_mxfp4_codebook_and_scales() -> None:
    """Case mxfp4-codebook: E8M0 scale, E2M1 codes; e=0 is subnormal and not zero; e=255 as gguf-py has it."""
    codes = bytes(range(16))
    values = blocks.dequantize("MXFP4", b"\x7f" + codes)[0, :16]
    assert values.tolist() == [0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6]
    assert blocks.dequantize("MXFP4", b"\x00" + codes)[0, 2] == np.float32(2.0**-127)
    top = blocks.dequantize("MXFP4", b"\xff" + codes)[0]
    assert top[1] == np.float32(2.0**127)
    assert np.isinf(top[7])


def test_bf16_rounds_to_even_and_keeps_nan_and_subnormals() -> None:
    """Case bf16-rounding-nan: nearest even, quiet NaN."""
    values = np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8, 0, np.finfo(np.float32).max, 1e-40], np.float32)
    values[2:3] = np.array([0x7F800001], np.uint32).view(np.float32)
    assert blocks.quantize("BF16", values[:, None]).view("<u2")[:, 0].tolist() == [0x3F80, 0x3F82, 0x7FC0, 0x7F80, 1]


def test_q6_k_nan_scale_over_zeros_is_256_nans() -> None:
    """Case q6k-nan-scale-zero-payload."""
    data = bytes(208) + b"\x00\x7e"
    assert np.isnan(blocks.dequantize("Q6_K", data)).sum() == 256


def test_numbers_take_a_half_apart() -> None:
    # -0.15625 = -1.25 * 2**-3: sign 1, exponent 15 - 3, fraction 0.25 * 1024
    found = blocks.numbers("F16", np.float16(-0.15625).tobytes())
    assert {k: v.tolist() for k, v in found.items()} == {
        "x": [-0.15625],
        "sign": [1],
        "exponent": [12],
        "fraction": [256],
    }


def test_numbers_of_super_blocks() -> None:
    data = np.random.default_rng(5).integers(0, 256, (9, 144), dtype=np.uint8)
    scales, minima = quants.Q4_K.get_scale_min(data[:, 4:16])
    found = blocks.numbers("Q4_K", data)
    assert np.array_equal(found["scales"], scales)
    assert np.array_equal(found["mins"], minima)
    assert np.array_equal(found["d"], data[:, :2].copy().view("<f2")[:, 0].astype(np.float32), equal_nan=True)


@pytest.mark.parametrize("t", [t for t in blocks.TYPES if t.fields], ids=lambda t: t.name)
def test_bytes_of_a_big_endian_file_turn_back(t: BlockType) -> None:
    data = np.random.default_rng(9).integers(0, 256, (20, t.nbytes), dtype=np.uint8)
    big = data.copy()
    for f in t.fields:  # element by element, by hand
        for at in range(f.start, f.end, f.item):
            big[:, at : at + f.item] = data[:, at : at + f.item][:, ::-1]
    assert np.array_equal(blocks.swap_bytes(t, big), data)


def test_mistakes_are_one_sentence() -> None:
    with pytest.raises(InputError, match="17 bytes are not a whole number of Q4_0 blocks of 18 bytes"):
        blocks.dequantize("Q4_0", bytes(17))
    with pytest.raises(InputError, match="'Q9_9' is no GGML type"):
        blocks.dequantize("Q9_9", b"")
    with pytest.raises(InputError, match="Q8_1 blocks cannot be decoded"):
        blocks.dequantize("Q8_1", bytes(40))
    with pytest.raises(InputError, match="a row of 48 values is not a whole number of Q4_0 blocks of 32"):
        blocks.quantize("Q4_0", np.zeros((2, 48), np.float32))
    with pytest.raises(InputError, match="quantising to Q4_K is not offered"):
        blocks.quantize("Q4_K", np.zeros((1, 256), np.float32))


def test_the_registry_refuses_a_second_type_of_a_name_or_number() -> None:
    before = list(blocks.TYPES)
    with pytest.raises(ValueError, match=r"Q4_0 \(99\) collides with Q4_0 \(2\)"):
        register(BlockType("Q4_0", 99, 32, 18))
    with pytest.raises(ValueError, match=r"collides with Q4_0 \(2\)"):
        register(BlockType("NEW", 2, 32, 18))
    with pytest.raises(ValueError, match="the fields cover 2 of 18 bytes"):
        register(BlockType("NEW", 99, 32, 18, (Field("d", 0, "f16"),)))
    assert before == blocks.TYPES


@pytest.mark.parametrize("name", ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_quantising_leaves_its_input_alone(name: str, count: int) -> None:
    values = np.linspace(-3, 2, 32 * count, dtype=np.float32).reshape(count, 32)
    before = values.copy()
    values.flags.writeable = False
    made = blocks.quantize(name, values)
    assert (values == before).all()
    assert made.tobytes() == quants.quantize(values, GGMLQuantizationType[name]).tobytes()
