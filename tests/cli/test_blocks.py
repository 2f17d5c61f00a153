"""`tokenloupe blocks`: one block taken apart, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.tensors.build import gguf, put
from tokenloupe.cli import main

#: d = 0.5; byte j holds code j in its low nibble (weight j) and 15 - j in its high nibble (weight j + 16).
BLOCK = bytes.fromhex("0038") + bytes(j | (15 - j) << 4 for j in range(16))
CODES = [*range(16), *reversed(range(16))]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    nan = np.float16(np.nan).tobytes() + BLOCK[2:]
    return put(
        tmp_path,
        "m.gguf",
        gguf(
            [],
            [("w", [32, 3], 2, 0), ("h", [2], 1, 64), ("q", [32], 9, 96)],
            (BLOCK + nan + BLOCK).ljust(64, b"\0") + b"\x00\x3c\x00\xfc".ljust(32, b"\0") + bytes(40),
        ),
    )


def test_a_block_by_hand(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["blocks", str(model), "--tensor", "w", "--json"]) == 0
    (block,) = json.loads(capsysbinary.readouterr().out)
    assert (block["index"], block["type"], block["raw"], block["fields"]) == (0, "Q4_0", BLOCK.hex(), {"d": 0.5})
    assert block["q"] == CODES
    assert block["levels"] == [q - 8 for q in CODES]
    assert block["values"] == [(q - 8) * 0.5 for q in CODES]


def test_a_range_of_blocks_and_their_places(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["blocks", str(model), "--tensor", "w", "--index", "1", "--count", "9", "--json"]) == 0
    second, third = json.loads(capsysbinary.readouterr().out)
    assert (second["index"], third["index"], third["offset"] - second["offset"]) == (1, 2, 18)
    assert second["fields"] == {"d": None}  # NaN is null
    assert second["values"] == [None] * 32
    assert model.read_bytes()[third["offset"] :][:18].hex() == third["raw"]


def test_plain_floats_are_taken_apart(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["blocks", str(model), "--tensor", "h", "--count", "2", "--json"]) == 0
    one, infinite = json.loads(capsysbinary.readouterr().out)
    assert one["fields"] == {"x": 1.0, "sign": 0, "exponent": 15, "fraction": 0}
    assert infinite["fields"] == {"x": None, "sign": 1, "exponent": 31, "fraction": 0}


def test_a_type_that_is_bytes_alone(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["blocks", str(model), "--tensor", "q", "--json"]) == 0
    (block,) = json.loads(capsysbinary.readouterr().out)
    assert (block["type"], block["raw"], block["values"]) == ("Q8_1", "00" * 40, [])


def test_for_people(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blocks", str(model), "--tensor", "w"]) == 0
    out = capsys.readouterr().out
    for piece in ("block 0 at byte", "00 38 f0 e1", "d = 0.5", "(q - 8) * d", "-3.5"):
        assert piece in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--tensor", "w", "--index", "3"], "block 3 is not there: w has 3"),
        (["--tensor", "w", "--index", "-1"], "block -1 is not there"),
        (["--tensor", "nope"], "there is no tensor 'nope'"),
        (["--tensor", "w", "--count", "1000000"], "1,000,000 blocks at once"),
    ],
)
def test_mistakes(arguments: list[str], sentence: str, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blocks", str(model), *arguments]) == 1
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_no_blocks_are_an_empty_list(model: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    for tensor in ("w", "h", "q"):
        assert main(["blocks", str(model), "--tensor", tensor, "--count", "0", "--json"]) == 0
        assert json.loads(capsysbinary.readouterr().out) == []


def test_a_tensor_that_cannot_be_read_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "s.npy", np.zeros(3, [("a", "<i4"), ("b", "<f8")]))
    assert main(["blocks", str(tmp_path / "s.npy"), "--tensor", "s"]) == 1
    error = capsys.readouterr().err
    assert "s cannot be read: " in error and "has 0" not in error and error.count("\n") == 1


def test_complex_numbers_are_pairs(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    np.save(tmp_path / "c.npy", np.array([1.5 - 2j, 3], np.complex64))
    command = ["blocks", str(tmp_path / "c.npy"), "--tensor", "0", "--count", "2"]
    assert main([*command, "--json"]) == 0
    first, second = json.loads(capsysbinary.readouterr().out)
    assert first["fields"]["x"] == [1.5, -2] and first["values"] == [[1.5, -2]] and second["values"] == [[3, 0]]
    assert main(command) == 0
    assert b"x = 1.5-2i" in capsysbinary.readouterr().out
