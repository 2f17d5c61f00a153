"""Which bit makes which weight, against the layouts of ggml's structs; changing a block and decoding it again."""

from __future__ import annotations

import numpy as np
import pytest

from tokenloupe.tensors import blockedit, blocks
from tokenloupe.tensors.blockedit import BitMap, Draft

CODED = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "MXFP4"]


def test_nibbles_of_q4_0() -> None:
    bits = BitMap.of(blocks.by_name("Q4_0"))
    for j in range(16):
        low, high = (2 + j) * 8, (2 + j) * 8 + 4
        assert bits.weight[low : low + 4].tolist() == [j] * 4
        assert bits.weight[high : high + 4].tolist() == [j + 16] * 4
        assert bits.power[low : low + 8].tolist() == [1, 2, 4, 8, 1, 2, 4, 8]
        assert bits.bytes_of(j) == bits.bytes_of(j + 16) == [2 + j]
        assert bits.weights_of(2 + j) == [j, j + 16]
    assert bits.weight[:16].tolist() == [-1] * 16  # the scale belongs to none alone


def test_fifth_bits_of_q5_0() -> None:
    bits = BitMap.of(blocks.by_name("Q5_0"))
    assert bits.weight[16:48].tolist() == list(range(32))
    assert set(bits.power[16:48].tolist()) == {16}
    assert bits.bytes_of(9) == [3, 15]  # the second byte of qh, the tenth of qs


@pytest.mark.parametrize("name", CODED)
def test_a_code_is_set_and_nothing_else_changes(name: str) -> None:
    t = blocks.by_name(name)
    block = np.random.default_rng(2).integers(0, 256, t.nbytes, dtype=np.uint8)
    before = blocks.parts(t, block).codes
    assert before is not None
    for weight in (0, 5, t.weights // 2, t.weights - 1):
        top = blockedit.code_limit(t, weight)
        assert top == {"Q8_0": 255, "Q5_0": 31, "Q5_1": 31, "Q5_K": 31, "Q6_K": 63, "Q3_K": 7, "Q2_K": 3}.get(name, 15)
        for code in (0, top, top // 2):
            after = blocks.parts(t, blockedit.with_code(t, block, weight, code)).codes
            assert after is not None
            assert after[0, weight] == code
            assert np.array_equal(np.delete(after, weight, 1), np.delete(before, weight, 1))


def test_a_weight_takes_the_nearest_value_its_scale_allows() -> None:
    t = blocks.by_name("Q4_0")
    block = np.frombuffer(np.float16(0.5).tobytes() + bytes([0x88] * 16), np.uint8)
    changed = blockedit.with_value(t, block, 20, 1.3)  # 1.5 is nearer than 1.0
    assert blocks.dequantize(t, changed)[0, 20] == 1.5
    assert blocks.dequantize(t, blockedit.with_value(t, block, 20, -99.0))[0, 20] == -4.0
    assert np.count_nonzero(changed != block) == 1


def test_another_scale() -> None:
    t = blocks.by_name("Q4_0")
    block = np.zeros(18, np.uint8)
    assert blocks.dequantize(t, blockedit.with_half(block, 0, 0.25))[0].tolist() == [-2.0] * 32
    assert block.tolist() == [0] * 18


def test_a_draft_remembers_every_step() -> None:
    draft = Draft(np.zeros(4, np.uint8))
    for value in (1, 2, 3):
        assert draft.change(blockedit.with_byte(draft.current, 0, value))
    assert not draft.change(draft.current.copy())  # nothing new is no step
    seen = []
    while draft.undo():
        seen.append(int(draft.current[0]))
    assert seen == [2, 1, 0] and not draft.changed and not draft.can_undo
    assert draft.redo() and draft.current[0] == 1
    assert draft.change(blockedit.with_flipped(draft.current, 8 + 7)) and not draft.can_redo
    assert draft.current.tolist() == [1, 128, 0, 0]


@pytest.mark.parametrize("name", ["Q4_0", "Q4_1", "Q5_0", "Q8_0", "IQ4_NL", "MXFP4", "Q3_K", "Q6_K"])
def test_the_next_value_is_the_next_of_all_that_the_weight_can_have(name: str) -> None:
    t = blocks.by_name(name)
    block = np.random.default_rng(4).integers(0, 256, t.nbytes, dtype=np.uint8)
    for f in t.fields:
        if f.kind == "f16":
            block[f.start : f.start + 2] = np.frombuffer(np.float16(-0.5).tobytes(), np.uint8)
    if name == "MXFP4":
        block[0] = 127
    w = 3
    choices = [blockedit.with_code(t, block, w, code) for code in range(blockedit.code_limit(t, w) + 1)]
    ladder = sorted({float(blocks.dequantize(t, c)[0, w]) for c in choices})
    at = blockedit.with_value(t, block, w, ladder[0])
    climbed = [ladder[0]]
    for _ in ladder[1:]:
        at = blockedit.with_next_value(t, at, w, 1)
        climbed.append(float(blocks.dequantize(t, at)[0, w]))
    assert climbed == ladder
    assert np.array_equal(blockedit.with_next_value(t, at, w, 1), at)
    assert float(blocks.dequantize(t, blockedit.with_next_value(t, at, w, -len(ladder)))[0, w]) == ladder[0]
