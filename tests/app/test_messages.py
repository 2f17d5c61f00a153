"""Notes of Qt that are dropped, and all others that are not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tokenloupe.app.messages import worth_saying


@pytest.mark.parametrize(("message", "said"), [
    ('OpenType support missing for "DejaVu Sans Mono", script 11', False),
    ("This plugin does not support propagateSizeHints()", False),
    ("QPainter::begin: Paint device returned engine == 0, type: 1", True),
    ("qt.qpa.xcb: could not connect to display", True),
])
def test_what_is_said(message: str, said: bool) -> None:
    assert worth_saying(message) is said


def test_the_first_look_is_quiet(tmp_path: object) -> None:
    done = subprocess.run([sys.executable, "-m", "tokenloupe.app.pictures", "--first-look", f"{tmp_path}/a.png"],
                          capture_output=True, text=True, check=True)
    assert done.stderr == ""
