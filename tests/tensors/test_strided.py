"""Strided views against numpy's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.errors import InputError
from tokenloupe.tensors.strided import Strided, token_batch


def same(view: Strided, array: np.ndarray, memory: np.ndarray) -> None:
    """The view reads what numpy's array of the same operations reads, at numpy's strides."""
    assert view.shape == array.shape
    assert np.array_equal(memory[view.offsets()], array)
    for axis, (length, stride) in enumerate(zip(view.shape, view.strides, strict=True)):
        if length > 1 and array.size:
            assert stride * array.itemsize == array.strides[axis]


def test_the_book_example() -> None:
    t = Strided.row_major((2, 3))
    assert (t.strides, t.formula()) == ((3, 1), "3i + j")
    assert [t.offset_of((i, j)) for i in range(2) for j in range(3)] == [0, 1, 2, 3, 4, 5]
    assert t.contiguous
    turned = t.transpose()
    assert (turned.shape, turned.strides, turned.offset_of((2, 1))) == ((3, 2), (1, 3), 5)
    assert turned.why_not_contiguous() == "dimension 1 steps by 3 where the row-major order of this shape steps by 1"


@given(data=st.data(), shape=st.lists(st.integers(0, 5), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_chain_of_operations_is_numpy_s(data: st.DataObject, shape: list[int]) -> None:
    memory = np.arange(int(np.prod(shape)), dtype=np.int32) + 1000
    array, view = memory.reshape(shape), Strided.row_major(shape)
    for _ in range(data.draw(st.integers(0, 5))):
        kind = data.draw(st.sampled_from(["transpose", "slice", "select", "broadcast"]))
        if kind == "transpose":
            order = data.draw(st.permutations(range(array.ndim)))
            array, view = array.transpose(order), view.transpose(order)
        elif kind == "slice" and array.ndim:
            axis = data.draw(st.integers(0, array.ndim - 1))
            edge = st.one_of(st.none(), st.integers(-6, 6))
            a, b, c = data.draw(edge), data.draw(edge), data.draw(edge.filter(lambda x: x != 0))
            chosen = tuple(slice(a, b, c) if k == axis else slice(None) for k in range(array.ndim))
            array, view = array[chosen], view.slice(axis, a, b, c)
        elif kind == "select" and array.ndim and min(array.shape, default=0) > 0:
            axis = data.draw(st.integers(0, array.ndim - 1))
            index = data.draw(st.integers(-array.shape[axis], array.shape[axis] - 1))
            array, view = array[(slice(None),) * axis + (index,)], view.select(axis, index)
        elif kind == "broadcast" and array.ndim < 4:
            target = (data.draw(st.integers(1, 3)), *(3 if n == 1 else n for n in array.shape))
            array, view = np.broadcast_to(array, target), view.broadcast(target)
    assert view.shape == array.shape
    assert np.array_equal(memory[view.offsets()] if array.size else np.zeros(array.shape), array)
    if 0 not in array.strides:
        assert view.contiguous == array.flags.c_contiguous


SHAPES = [(2, 3, 4), (6, 4), (24,), (4, 6), (3, 8), (2, 12), (2, 2, 6), (1, 24), (24, 1), (2, 3, 2, 2), (8, 3)]


@pytest.mark.parametrize("target", SHAPES)
@pytest.mark.parametrize("make", ["plain", "transposed", "sliced", "swapped", "broadcast"])
def test_reshape_without_a_copy_exactly_where_numpy_can(make: str, target: tuple[int, ...]) -> None:
    memory = np.arange(96, dtype=np.int32)
    array, view = memory[:24].reshape(2, 3, 4), Strided((2, 3, 4), (12, 4, 1), 0, 96)
    if make == "transposed":
        array, view = array.T, view.transpose()
    elif make == "swapped":
        array, view = array.transpose(1, 0, 2), view.transpose((1, 0, 2))
    elif make == "sliced":
        array = memory.reshape(2, 6, 8)[:, ::2, ::2]
        view = Strided.row_major((2, 6, 8)).slice(1, None, None, 2).slice(2, None, None, 2)
    elif make == "broadcast":
        array = np.broadcast_to(memory[:12].reshape(1, 3, 4), (2, 3, 4))
        view = Strided.row_major((1, 3, 4)).broadcast((2, 3, 4))
    expected = array.reshape(target)  # copies where it must
    if not np.shares_memory(expected, array):
        with pytest.raises(InputError, match="without moving data"):
            view.reshape(target)
        return
    same(view.reshape(target), expected, memory)


def test_reshape_refuses_other_sizes_and_completes_one_length() -> None:
    t = Strided.row_major((2, 3))
    assert t.reshape((3, -1)).shape == (3, 2)
    with pytest.raises(InputError, match=r"\(4, 2\) has 8 elements and the tensor 6"):
        t.reshape((4, 2))
    with pytest.raises(InputError, match="6 elements do not divide into"):
        t.reshape((4, -1))


def test_broadcast_says_what_it_cannot_repeat() -> None:
    with pytest.raises(InputError, match="only lengths of 1 are repeated, and dimension 1 has 3"):
        Strided.row_major((2, 3)).broadcast((2, 6))
    repeated = Strided.row_major((1, 3)).broadcast((4, 3))
    assert repeated.strides == (0, 1)
    assert repeated.indices_at(1) == [(0, 1), (1, 1), (2, 1), (3, 1)]
    assert "stride 0" in repeated.why_not_contiguous()


def test_a_batch_of_token_ids_is_one_flat_array() -> None:
    flat, view = token_batch([[5, 6, 7], [8]])
    assert flat.dtype == np.int32
    assert flat.tolist() == [5, 6, 7, 8, 0, 0]
    assert (view.shape, view.strides, view.itemsize) == ((2, 3), (3, 1), 4)
    assert flat[view.offset_of((1, 0))] == 8
    with pytest.raises(InputError, match="4294967295 does not fit a 32-bit integer"):
        token_batch([[4294967295]])


def test_indices_are_checked() -> None:
    t = Strided.row_major((2, 3))
    with pytest.raises(InputError, match="index 3 is outside dimension 1 of length 3"):
        t.offset_of((0, 3))
    with pytest.raises(InputError, match="a step of 0"):
        t.slice(0, None, None, 0)
    with pytest.raises(InputError, match="too many to list"):
        Strided.row_major((2000, 2000)).offsets()
