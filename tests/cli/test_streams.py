"""Standard streams that are closed, full or gone: one sentence and an exit status, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a shell line in which T is tokenloupe."""
    command = line.replace("T ", f"{sys.executable} -m tokenloupe ", 1)
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("command", ["encode", "decode", "encode --jsonl -", "stream --recording -"])
def test_closed_standard_input(command: str) -> None:
    done = shell(f"T {command} <&-")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("tokenloupe: standard input") and done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize(("command", "where"), [("encode hi", ">&-"), ("encode --json hi", ">/dev/full"),
                                                ("decode 1", ">/dev/full"), ("memory --params 7e9 --json", ">&-")])
def test_output_that_cannot_be_written(command: str, where: str) -> None:
    if where == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = shell(f"T {command} {where}")
    assert done.returncode == 1
    assert done.stderr.startswith("tokenloupe: standard input or output: cannot be read or written (")
    assert done.stderr.count("\n") == 1, done.stderr


def test_closed_standard_error_leaves_the_answer_alone() -> None:
    done = shell("T encode --ids hi 2>&-")
    assert (done.returncode, done.stdout) == (0, "3686\n")
    done = shell("T encode --file /no/such/file 2>&-")
    assert (done.returncode, done.stdout) == (1, "")


def test_reader_that_has_gone() -> None:
    done = shell("yes '{\"text\": \"hello\"}' | head -20000 | T encode --jsonl - | head -1")
    assert (done.stdout, done.stderr) == ('{"ids":[24912]}\n', "")


@pytest.mark.parametrize("command", ["vocab --help", "encode 'naïve 😀'", "decode 88038",
                                     "encode --file /no/such/fïle"])
def test_an_encoding_without_the_character_escapes_it(command: str) -> None:
    done = shell(f"LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 T {command}")
    assert done.returncode == (1 if "file" in command else 0) and "Traceback" not in done.stderr
    assert done.stdout.isascii() and done.stderr.isascii()


def test_a_name_in_json_is_utf_8_whatever_the_locale_is(tmp_path: Path) -> None:
    done = shell(f"LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 T render a --json --out {tmp_path}/é.html")
    assert done.stdout == f'{{"out":"{tmp_path}/é.html","tokens":1}}\n'
