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
