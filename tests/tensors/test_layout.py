"""Where tensors lie: the sweep over whole arrays beside a slow one, and files of very many tensors."""

from __future__ import annotations

import json
import struct
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenloupe.core.errors import InputError
from tokenloupe.tensors import gguf_infos
from tokenloupe.tensors.files import DataFile, TensorInfo, open_tensor_bytes, open_tensors
from tokenloupe.tensors.layout import check_layout

from .build import gguf, put, safetensors

places = st.tuples(st.one_of(st.integers(0, 60), st.just(2**62), st.just(2**64 - 16)),
                   st.one_of(st.integers(0, 30), st.just(2**62 + 5), st.just(2**63 - 1)))


def rows(found: list[tuple[int, int]]) -> list[TensorInfo]:
    return [TensorInfo(i, f"t{i}", "I8", (size,), (1,), at, size, None) for i, (at, size) in enumerate(found)]


def slowly(tensors: list[TensorInfo], size: int, data_start: int, alignment: int) -> tuple[list[set[str]], int]:
    """What is wrong with each, pair by pair, and where the furthest ends."""
    said: list[set[str]] = [set() for _ in tensors]
    for t in tensors:
        if t.end > size:
            said[t.index].add("past")
    filled = sorted((t for t in tensors if t.nbytes), key=lambda t: (t.offset, t.end))
    for k, t in enumerate(filled):
        before = [o for o in filled[:k] if o.end > t.offset]
        if before:
            said[t.index].add("overlap")
        reached = max([data_start, *(o.end for o in filled[:k])])
        if not before and t.offset - reached >= alignment and t.offset <= size:
            said[t.index].add("gap")
    for t in filled:
        for o in filled:  # both hear of it, if it is the furthest before the other
            if o is not t and o.offset < t.end and t.offset < o.end:
                said[t.index].add("may overlap")
    return said, max([data_start, *(t.end for t in filled)])


@settings(max_examples=300, deadline=None)
@example(found=[(1, 2**63 - 1), (1, 2**62 + 5)], size=1, start=0, alignment=1)  # both beyond 2**62
@given(found=st.lists(places, max_size=9), size=st.integers(1, 80), start=st.integers(0, 9),
       alignment=st.sampled_from([1, 4, 32]))
def test_the_sweep_finds_what_looking_at_every_pair_finds(
    found: list[tuple[int, int]], size: int, start: int, alignment: int
) -> None:
    tensors = rows([(at + start, length) for at, length in found])
    judged, problems = check_layout(tensors, [DataFile(Path("x"), size, start, b"")], alignment)
    expected, reached = slowly(tensors, size, start, alignment)
    far = 2**62  # beyond it places are not told apart
    for t, wanted in zip(judged, expected, strict=True):
        said = t.problem or ""
        assert ("data past end of file" in said) == ("past" in wanted), said
        assert t.readable == ("past" not in wanted)
        if t.offset < far:
            assert ("gap of" in said) == ("gap" in wanted), (said, wanted)
            if "overlap" in wanted:
                assert "overlap with" in said
        if "overlap with" in said:
            assert "may overlap" in wanted
    padded = reached + -(reached - start) % alignment
    assert bool(problems) == (size > padded)


def names(count: int) -> list[str]:
    return [f"t{i}" for i in range(count)]


@pytest.mark.parametrize("step", [0, 32, 3 * 32])
def test_ten_thousands_of_overlapping_tensors_open_at_once(step: int) -> None:
    count = 20_000
    data = gguf([], [(name, [64], 0, step * (i % 50)) for i, name in enumerate(names(count))], bytes(4096))
    before = time.process_time()
    file = open_tensor_bytes(data, "x.gguf")
    assert time.process_time() - before < 5  # 0.2 on a quiet machine
    assert len(file.tensors) == count
    assert all("overlap with" in (t.problem or "") for t in file.tensors)
    header = {name: {"dtype": "U8", "shape": [64], "data_offsets": [0, 64]} for name in names(count)}
    before = time.process_time()
    file = open_tensor_bytes(safetensors(header, bytes(64)), "x.safetensors")
    assert time.process_time() - before < 5
    assert all("overlap with" in (t.problem or "") for t in file.tensors)


def test_of_a_million_tensors_the_first_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf_infos, "MOST_TENSORS", 3)
    data = gguf([], [(name, [4], 0, 32 * i) for i, name in enumerate(names(9))], bytes(32 * 9))
    file = open_tensor_bytes(data, "x.gguf")
    assert [t.name for t in file.tensors] == names(3)
    assert file.problems == ("9 tensors are announced: the first 3 are shown",)
    assert file.files[0].data_start == len(data) - 32 * 9
    assert file.values(file.tensors[2]).tolist() == [0, 0, 0, 0]
    with pytest.raises(InputError, match="the file ends inside the offset of tensor 8"):
        open_tensor_bytes(data[: data.index(b"t8") + 2 + 4 + 8 + 4 + 3], "x.gguf")


def test_names_and_shapes_that_are_there_very_often() -> None:
    """Same names, and a key for each, are looked up and not searched for."""
    count = 5_000
    pairs = [(f"comfy.gguf.orig_shape.t{i}", 9, struct.pack("<IQii", 5, 2, 2, 2)) for i in range(count)]
    tensors = [("t0", [4], 0, 32 * i) for i in range(count)]
    before = time.process_time()
    file = open_tensor_bytes(gguf(pairs, tensors, bytes(32 * count)), "x.gguf")
    assert time.process_time() - before < 5
    assert all(t.problem == "another tensor has the same name" for t in file.tensors)
    assert all(t.notes == ("original shape 2x2 (key comfy.gguf.orig_shape.t0)",) for t in file.tensors)


def test_an_index_of_hostile_names(tmp_path: Path) -> None:
    """What an index names is looked for beside it and nowhere else."""
    entry = {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}
    secret = put(tmp_path, "secret.safetensors", safetensors({"s": entry}, b"x"))
    folder = tmp_path / "model"
    folder.mkdir()
    hostile = ["../secret.safetensors", str(secret), "..\\secret.safetensors", "..", ".", "", "a\0b", "C:x",
               "../../etc/passwd", "model.safetensors.index.json"]
    index = {"weight_map": {f"w{i}": name for i, name in enumerate(hostile)}}
    path = put(folder, "model.safetensors.index.json", json.dumps(index).encode())
    file = open_tensors(path)
    assert len(file.files) == 0 and not any(t.readable for t in file.tensors)
    assert sum("is not beside it: left out" in p for p in file.problems) == len(hostile) - 1
    assert sum("cannot be read" in p for p in file.problems) == 1  # the index itself
    assert all("\n" not in p and "\0" not in p for p in file.problems)


def test_an_index_of_too_many_shards(tmp_path: Path) -> None:
    index = {"weight_map": {f"w{i}": f"{i}.safetensors" for i in range(10_001)}}
    path = put(tmp_path, "model.safetensors.index.json", json.dumps(index).encode())
    with pytest.raises(InputError, match="the index names 10,001 shards"):
        open_tensors(path)
