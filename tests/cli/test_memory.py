"""`tokenloupe memory`: figures worked out by hand."""

from __future__ import annotations

import argparse
import json

import pytest

from tokenloupe.cli import main
from tokenloupe.cli.memory import byte_count, number


def test_json(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["memory", "--params", "64000", "--embedding", "6400", "--budget", "40000", "--json"]) == 0
    found = json.loads(capsysbinary.readouterr().out)
    assert {k: found[k] for k in ("f16", "int8", "int4", "q4_0", "chosen")} == {
        "f16": 128_000, "int8": 68_000, "int4": 57_600 * 34 // 64 + 6_800, "q4_0": 36_000, "chosen": "int4",
    }  # fmt: skip
    assert "int8" in found["why"]


def test_nothing_fits(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["memory", "--params", "64000", "--budget", "1", "--json"]) == 0
    assert json.loads(capsysbinary.readouterr().out)["chosen"] is None


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "--params", "7B", "--budget", "6GiB"]) == 0
    out = capsys.readouterr().out
    assert "14,000,000,000 bytes" in out
    assert "* int4" in out


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7000", 7000),
        ("7B", 7 * 10**9),
        ("7e9", 7 * 10**9),
        ("1.5k", 1500),
        ("8 GB", 8 * 10**9),
        ("6GiB", 6 << 30),
        ("1,000", 1000),
    ],
)
def test_numbers(text: str, value: int) -> None:
    assert number(text) == value


def test_a_number_beyond_all_measure_is_one_short_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "--params", "1e99"]) == 1
    assert len(capsys.readouterr().err) < 120


def test_bytes_are_not_billions() -> None:
    assert byte_count("100B") == 100
    assert byte_count("100 bytes") == 100
    assert byte_count("2GB") == 2 * 10**9


@pytest.mark.parametrize("word", ["", "x", "-5", "1e", "5 apples", "1.5"])
def test_what_is_no_number(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        number(word)
    with pytest.raises(SystemExit) as stopped:
        main(["memory", f"--params={word}"])
    assert stopped.value.code == 2
