"""What tests of the tensor panels share: saving over the file that is read, under another name of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from tokenloupe.views.block_viewer import BlockViewer
from tokenloupe.views.quantize_panel import QuantizePanel


def saved_over_itself(panel: BlockViewer | QuantizePanel, save: Callable[[], object], folder: Path,
                      monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the window is told when a panel saves to a second name of the file it has open, which stays as it was."""
    assert panel.desk.file is not None
    path = folder / "m.gguf"
    path.write_bytes(panel.desk.file.path.read_bytes())
    assert panel.desk.open(path)
    before = path.read_bytes()
    os.link(path, folder / "same.bin")
    said: list[str] = []
    panel.session.failed.connect(said.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder / "same.bin"), ""))
    save()
    assert path.read_bytes() == before
    return said
