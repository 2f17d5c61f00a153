"""`tokenloupe tensors`: a file's metadata and tensors as JSON and for people."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tensors.build import array, gguf, put, safetensors, text, u32
from tokenloupe.cli import main


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Two rows of Q4_0, a vector of F32 whose data is cut, and metadata of every shape."""
    tokens = array(8, 40, b"".join(text(f"t{i}") for i in range(40)))
    pairs = [
        ("general.architecture", 8, text("llama")),
        ("scale", 6, struct.pack("<f", float("nan"))),
        ("tokens", 9, tokens),
    ]
    block = np.float16(0.5).tobytes() + bytes([0x19] * 16)
    return put(tmp_path, "m.gguf", gguf(pairs, [("w", [32, 2], 2, 0), ("b", [4], 0, 64)], block * 2 + bytes(28 + 8)))


def answer(capture: pytest.CaptureFixture[bytes], *arguments: str) -> Any:
    assert main(list(arguments)) == 0
    return json.loads(capture.readouterr().out)


def test_json(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    found = answer(capsysbinary, "tensors", str(model), "--json")
    assert (found["format"], found["version"], found["byte_order"], found["alignment"]) == ("gguf", 3, "little", 32)
    w, b = found["tensors"]
    assert {k: w[k] for k in ("name", "type", "shape", "strides", "bytes", "problem", "ne", "nb")} == {
        "name": "w", "type": "Q4_0", "shape": [2, 32], "strides": [18, 18], "bytes": 36, "problem": None, "ne": [32, 2],
        "nb": [18, 18],
    }  # fmt: skip
    assert w["offset"] == found["files"][0]["data_start"]
    assert b["problem"].startswith("data past end of file: 8 of 16 bytes are missing")
    values = {m["key"]: m["value"] for m in found["metadata"]}
    assert values["scale"] is None  # NaN: valid JSON all the same
    assert values["tokens"] == [f"t{i}" for i in range(32)]
    tokens = found["metadata"][2]
    assert (tokens["type"], tokens["count"], tokens["truncated"]) == ("string[40]", 40, True)


def test_one_key_in_full(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert len(answer(capsysbinary, "tensors", str(model), "--key", "tokens", "--json")["value"]) == 40
    assert main(["tensors", str(model), "--key", "tokens"]) == 0
    assert capsysbinary.readouterr().out.split() == [f"t{i}".encode() for i in range(40)]
    assert main(["tensors", str(model), "--key", "nope"]) == 1
    assert b"there is no metadata key 'nope'" in capsysbinary.readouterr().err


def test_for_people(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tensors", str(model)]) == 0
    out = capsys.readouterr().out
    for piece in (
        "GGUF v3, little-endian",
        "general.architecture = llama",
        "string[40] [t0, t1",
        "2x32",
        "! data past end of file",
    ):
        assert piece in out


def test_statistics(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    stats = answer(capsysbinary, "tensors", str(model), "--stats", "w", "--json")["stats"]
    assert (stats["blocks"], stats["minimum"], stats["maximum"], stats["scales_by_power"]) == (2, -3.5, 0.5, [[-1, 2]])
    assert stats["levels"][1] == stats["levels"][9] == 32  # 16 codes of 1 and 16 of 9 in each of two blocks


def test_safetensors(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    header = {"__metadata__": {"format": "pt"}, "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
    found = answer(
        capsysbinary, "tensors", str(put(tmp_path, "a.safetensors", safetensors(header, bytes(24)))), "--json"
    )
    assert found["format"] == "safetensors"
    assert found["metadata"] == [{"key": "format", "type": "string", "value": "pt", "problem": None}]
    assert (found["tensors"][0]["shape"], found["tensors"][0]["strides"]) == ([2, 3], [12, 4])


@pytest.mark.parametrize("data", [b"", b"GGUF", b"no tensors here at all", gguf([("x", 9, array(9, 99, u32(4)))], [])])
def test_what_cannot_be_read_is_one_line(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path, "x.gguf", data)
    assert main(["tensors", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"tokenloupe: {path}: ")
    assert error.count("\n") == 1


def test_json_stays_valid_with_nan_beside_numbers_beyond_64_bits(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    nans = array(6, 2, struct.pack("<2f", float("nan"), float("inf")))
    data = gguf([("scores", 9, nans), ("x", 12, struct.pack("<d", float("-inf")))], [("a", [2**40, 2**40], 0, 0)])
    assert main(["tensors", str(put(tmp_path, "m.gguf", data)), "--json"]) == 0
    out = capsysbinary.readouterr().out
    found = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert [m["value"] for m in found["metadata"]] == [[None, None], None]
    assert found["tensors"][0]["bytes"] == 4 * 2**80


def test_no_file_and_no_tensor_of_that_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tensors", ""]) == 1
    assert capsys.readouterr().err == "tokenloupe: no file is named; give the name of a tensor file\n"
    path = tmp_path / "w.npy"
    np.save(path, np.ones(2, np.float32))
    assert main(["tensors", str(path), "--stats", "x"]) == 1
    assert capsys.readouterr().err == f"tokenloupe: {path}: there is no tensor 'x'; it has w\n"
