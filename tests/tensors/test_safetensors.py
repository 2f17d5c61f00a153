"""safetensors files built by hand, their index, and headers that lie."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.tensors.files import open_tensors

from .build import put, safetensors


def entry(dtype: str, shape: list[int], start: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


def test_values_of_every_plain_dtype(tmp_path: Path) -> None:
    columns = {
        "F64": np.array([1.5, -2], "<f8"),
        "F32": np.array([1.5, -2], "<f4"),
        "F16": np.array([1.5, -2], "<f2"),
        "BF16": np.array([0x3FC0, 0xC000], "<u2"),
        "I64": np.array([1, -(2**62)], "<i8"),
        "I32": np.array([1, -2], "<i4"),
        "I16": np.array([1, -2], "<i2"),
        "I8": np.array([1, -2], "i1"),
        "U8": np.array([1, 255], "u1"),
        "U16": np.array([1, 65535], "<u2"),
        "U32": np.array([1, 2**32 - 1], "<u4"),
        "U64": np.array([1, 2**64 - 1], "<u8"),
        "BOOL": np.array([0, 1], "u1"),
        "F8_E4M3": np.array([0x3C, 0xFE], "u1"),
        "F8_E5M2": np.array([0x3E, 0xC0], "u1"),
        "F8_E8M0": np.array([127, 128], "u1"),
        "C64": np.array([1 + 2j, -3], "<c8"),
    }
    header, data = {}, b""
    for name, column in columns.items():
        header[name] = entry(name, [2], len(data), len(data) + column.nbytes)
        data += column.tobytes()
    file = open_tensors(put(tmp_path, "a.safetensors", safetensors(header, data)))
    assert not file.problems
    assert all(t.problem is None for t in file.tensors)
    # E4M3: 0 0111 100 = 1.5, 1 1111 110 = -448. E5M2: 0 01111 10 = 1.5, 1 10000 00 = -2. E8M0: 2**0, 2**1.
    small = {"BF16": [1.5, -2.0], "F8_E4M3": [1.5, -448.0], "F8_E5M2": [1.5, -2.0], "F8_E8M0": [1.0, 2.0]}
    for t in file.tensors:
        assert file.values(t).tolist() == small.get(t.name, columns[t.name].tolist()), t.name


def test_metadata_shape_and_place(tmp_path: Path) -> None:
    header = {"__metadata__": {"format": "pt"}, "w": entry("F32", [2, 3], 0, 24)}
    file = open_tensors(put(tmp_path, "a.safetensors", safetensors(header, np.arange(6, dtype="<f4").tobytes())))
    t = file.tensors[0]
    assert (t.shape, t.strides, t.nbytes, t.offset) == ((2, 3), (12, 4), 24, file.files[0].data_start)
    assert [(m.key, m.value) for m in file.metadata] == [("format", "pt")]
    assert file.array(t).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("header", "size", "sentence"),
    [
        ({"a": entry("F32", [2], 0, 8), "b": entry("F32", [2], 4, 12)}, 12, "overlap with b"),
        ({"a": entry("F32", [2], 0, 8), "b": entry("F32", [2], 12, 20)}, 20, "gap of 4 bytes before it"),
        ({"a": entry("F32", [2], 0, 8)}, 4, "data past end of file: 4 of 8 bytes are missing"),
        ({"a": entry("F32", [3], 0, 8)}, 8, "its shape asks for 12 bytes and its data_offsets for 8"),
        ({"a": entry("F99", [2], 0, 8)}, 8, "'F99' is no known dtype"),
        ({"a": entry("F32", [2], 8, 0)}, 8, "its data ends at byte 0 before it starts at 8"),
        ({"a": entry("F32", [-1], 0, 8)}, 8, "its shape is no list of lengths"),
        ({"a": {"dtype": "F32", "shape": [2]}}, 8, "its data_offsets are no pair of bytes"),
        ({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 10**30]}}, 8, "its data_offsets are no pair"),
        ({"a": {"dtype": 7, "shape": [2], "data_offsets": [0, 8]}}, 8, "it has no dtype"),
        ({"a": 5}, 8, "its entry is no object"),
        ({"a": entry("F32", [2**40, 2**40], 0, 8)}, 8, "its shape asks for 4,835,703,278,458,516,698,824,704 bytes"),
        ({"a": entry("F4", [16], 0, 8)}, 8, ""),
        ({"a": entry("F32", [0], 0, 0)}, 0, ""),
    ],
)
def test_what_is_wrong_with_a_tensor(tmp_path: Path, header: dict[str, Any], size: int, sentence: str) -> None:
    file = open_tensors(put(tmp_path, "a.safetensors", safetensors(header, bytes(size))))
    told = "; ".join(t.problem for t in file.tensors if t.problem)
    assert (sentence in told) if sentence else not told


def test_trailing_bytes_and_duplicate_keys(tmp_path: Path) -> None:
    raw = (
        b'{"a": {"dtype":"U8","shape":[1],"data_offsets":[0,1]}, "a": {"dtype":"U8","shape":[2],"data_offsets":[0,2]}}'
    )
    file = open_tensors(put(tmp_path, "a.safetensors", safetensors(raw, bytes(7))))
    assert file.problems == ("the key 'a' is there twice: the last one is shown",
                             "5 trailing bytes after the last tensor that belong to no tensor")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\x02\0\0", "the file ends inside the header length, after 3 bytes"),
        (
            (2**40).to_bytes(8, "little") + b"{}",
            "a header of 1,099,511,627,776 bytes is announced, the format allows 100,000,000",
        ),
        ((50).to_bytes(8, "little") + b"{}", "the file ends inside the header: 50 bytes are announced and 2 are there"),
        (safetensors(b'{"a": }'), r"the header is not JSON (Expecting value), byte 14"),
        (safetensors(b"[1, 2]"), "the header is no JSON object"),
        (safetensors(b'{"\xff": 1}'), "the header is not UTF-8, byte 10"),
        (safetensors(b'{"a":' + b"[" * 100_000), "the header is nested too deeply"),
        (safetensors(b'{"a":' + b"9" * 5000 + b"}"), "the header holds a number of absurd length"),
    ],
)
def test_headers_that_cannot_be_read(tmp_path: Path, data: bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        open_tensors(put(tmp_path, "a.safetensors", data))


def test_an_index_opens_all_its_shards(tmp_path: Path) -> None:
    for i in (1, 2):
        header = {f"t{i}": entry("F32", [1], 0, 4)}
        put(tmp_path, f"model-0000{i}-of-00002.safetensors", safetensors(header, np.float32(i).tobytes()))
    shards = {f"t{i}": f"model-0000{i}-of-00002.safetensors" for i in (1, 2)}
    index = {"metadata": {"total_size": 8}, "weight_map": shards}
    path = put(tmp_path, "model.safetensors.index.json", json.dumps(index).encode())
    file = open_tensors(path)
    assert [(t.name, t.file, file.values(t).tolist()) for t in file.tensors] == [("t1", 0, [1]), ("t2", 1, [2])]
    assert not file.problems
    assert open_tensors(tmp_path).tensors == file.tensors  # a folder opens by its index

    shards |= {"t3": "model-00002-of-00002.safetensors", "t4": "gone.safetensors", "t5": "../x.safetensors"}
    path.write_text(json.dumps(index))
    told = open_tensors(path)
    assert [t.problem for t in told.tensors[2:]] == [
        "the shard model-00002-of-00002.safetensors does not hold it", "its shard gone.safetensors is missing",
        "its shard ../x.safetensors is missing",
    ]
    assert told.problems == ("the index names the shard '../x.safetensors', which is not beside it: left out",
                             "the shard gone.safetensors is missing beside the index")


def test_a_tensor_in_two_shards_is_not_called_absent(tmp_path: Path) -> None:
    put(tmp_path, "one.safetensors", safetensors({"a": entry("F32", [1], 0, 4)}, bytes(4)))
    both = {"a": entry("F32", [1], 0, 4), "b": entry("F32", [1], 4, 8)}
    put(tmp_path, "two.safetensors", safetensors(both, bytes(8)))
    path = put(tmp_path, "model.safetensors.index.json", json.dumps(
        {"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}}).encode())
    assert [(t.name, t.problem) for t in open_tensors(path).tensors] == [
        ("a", "another tensor has the same name"), ("a", "another tensor has the same name"), ("b", None)]


def test_elements_that_do_not_fill_their_last_byte(tmp_path: Path) -> None:
    data = safetensors({"a": entry("F4", [3], 0, 2), "b": entry("F4", [4], 2, 4)}, bytes(4))
    assert [t.problem for t in open_tensors(put(tmp_path, "x.safetensors", data)).tensors] == [
        "its shape asks for 12 bits, which are not whole bytes", None]


def test_a_json_file_that_is_no_index(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this JSON file has no weight_map"):
        open_tensors(put(tmp_path, "config.json", b'{"model_type": "llama"}'))
