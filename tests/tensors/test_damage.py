"""No file, however damaged, makes opening crash or hang: see mutate.py. The full run is in tests/conformance."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.tensors.files import open_tensors

from . import mutate


def test_a_file_cut_at_every_byte(tmp_path: Path) -> None:
    refused: dict[str, int] = {}
    for name, length, verdict in mutate.cuts(tmp_path):
        refused[name] = refused.get(name, 0) + bool(verdict)
        assert length or verdict  # the empty file is refused
    # What is cut inside the data still opens: the header is refused as far as it reaches, the rest is not.
    for name, data in mutate.samples().items():
        assert refused[name] < len(data) or name.endswith((".npz", ".json")), name


def test_samples_are_sound(tmp_path: Path) -> None:
    for name, data in mutate.samples().items():
        (tmp_path / name).write_bytes(data)
        assert mutate.exercise(tmp_path / name) == ""


def test_random_mutations(tmp_path: Path) -> None:
    slowest, which = mutate.run(150, 7, tmp_path)
    assert slowest < 2, which


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.gguf")
    with pytest.raises(InputError, match="this is not a file"):
        open_tensors(tmp_path / "model.gguf")
