"""`tokenloupe quantize`: the bytes gguf-py makes, and errors worked out with numpy."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
import pytest
from gguf import quants

from tokenloupe.cli import main


@pytest.fixture
def values(tmp_path: Path) -> tuple[Path, np.ndarray]:
    array = np.random.default_rng(8).standard_normal((6, 64)).astype(np.float32)
    np.save(tmp_path / "w.npy", array)
    return tmp_path / "w.npy", array


@pytest.mark.parametrize("name", ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"])
def test_bytes_and_errors(name: str, values: tuple[Path, np.ndarray], tmp_path: Path,
                          capsysbinary: pytest.CaptureFixture[bytes]) -> None:  # fmt: skip
    path, array = values
    out = tmp_path / "out.bin"
    assert main(["quantize", str(path), "--tensor", "w", "--type", name.lower(), "--out", str(out), "--json"]) == 0
    found = json.loads(capsysbinary.readouterr().out)
    expected = quants.quantize(array, gguf.GGMLQuantizationType[name])
    assert out.read_bytes() == expected.tobytes()
    error = quants.dequantize(expected, gguf.GGMLQuantizationType[name]).astype(np.float64) - array
    assert (found["type"], found["bytes"], found["weights"]) == (name, expected.nbytes, 384)
    assert found["bits_per_weight"] == expected.nbytes * 8 / 384
    assert found["max_error"] == pytest.approx(np.abs(error).max(), rel=1e-12)
    assert found["rms_error"] == pytest.approx(np.sqrt((error**2).mean()), rel=1e-12)
    assert found["worst_block"] == int(np.abs(error).reshape(-1, 32).max(axis=1).argmax())


def test_fortran_order_is_quantised_by_rows(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    array = np.random.default_rng(8).standard_normal((6, 64)).astype(np.float32)
    np.save(tmp_path / "f.npy", np.asfortranarray(array))
    out = tmp_path / "out.bin"
    assert main(["quantize", str(tmp_path / "f.npy"), "--tensor", "f", "--type", "Q8_0", "--out", str(out)]) == 0
    assert out.read_bytes() == quants.quantize(array, gguf.GGMLQuantizationType.Q8_0).tobytes()


def test_all_types_side_by_side(values: tuple[Path, np.ndarray], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["quantize", str(values[0]), "--tensor", "w", "--type", "all", "--json"]) == 0
    found = json.loads(capsysbinary.readouterr().out)["types"]
    errors = {f["type"]: f["rms_error"] for f in found}
    assert errors["Q8_0"] < errors["Q5_0"] < errors["Q4_0"]
    assert main(["quantize", str(values[0]), "--tensor", "w", "--type", "all"]) == 0
    assert b"Q4_0" in capsysbinary.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--type", "Q4_K"], "quantising to Q4_K is not offered"),
        (["--type", "X"], "'X' is no GGML type"),
        (["--type", "Q4_0", "--out", "SELF"], "--out is the file that is read"),
    ],
)
def test_mistakes(arguments: list[str], sentence: str, values: tuple[Path, np.ndarray],
                  capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    arguments = [str(values[0]) if a == "SELF" else a for a in arguments]
    before = values[0].read_bytes()
    assert main(["quantize", str(values[0]), "--tensor", "w", *arguments]) == 1
    assert sentence in capsys.readouterr().err
    assert values[0].read_bytes() == before


def test_rows_that_do_not_divide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "w.npy", np.zeros((32, 33), np.float32))
    assert main(["quantize", str(tmp_path / "w.npy"), "--tensor", "w", "--type", "Q4_0"]) == 1
    assert "a row of 33 values is not a whole number of blocks of 32" in capsys.readouterr().err


@pytest.mark.parametrize(
    "array", [np.ones((3, 5), np.float32), np.ones(32, np.complex64), np.ones((0, 32), np.float32)],
    ids=["rows of 5", "complex", "empty"])
def test_what_cannot_be_quantised_leaves_the_target_alone(array: np.ndarray, tmp_path: Path,
                                                          capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "w.npy", array)
    out = tmp_path / "precious.bin"
    out.write_bytes(b"precious")
    command = ["quantize", str(tmp_path / "w.npy"), "--tensor", "w", "--type", "Q4_0", "--out", str(out)]
    assert main(command) == 1
    assert out.read_bytes() == b"precious"
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and ("has no elements" in error) == (array.size == 0)


def test_a_disk_that_is_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").is_char_device():
        pytest.skip("no /dev/full here")
    np.save(tmp_path / "w.npy", np.ones(64, np.float32))
    assert main(["quantize", str(tmp_path / "w.npy"), "--tensor", "w", "--type", "Q4_0", "--out", "/dev/full"]) == 1
    assert "/dev/full cannot be written (" in capsys.readouterr().err
