"""A file of tensors dropped on the window opens in the tensor browser; its buttons lead to the other panels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tokenloupe.app.main_window import MainWindow
from tokenloupe.models.tensor_desk import TensorDesk


def test_it_opens_in_the_browser_and_leads_on(window: MainWindow, qapp: object, tmp_path: Path) -> None:
    path = tmp_path / "w.npy"
    np.save(path, np.arange(64, dtype="<f4").reshape(2, 32))
    window.files.open(path)
    desk = TensorDesk.of(window.session)
    assert desk.file is not None
    assert desk.file.path == path
    assert window.docks.is_shown("tensors")
    browser = window.docks.widget("tensors")
    browser.to_matrix.click()
    assert window.docks.is_shown("matrix")
    window.docks.widget("matrix").view.opened.emit(33)
    assert window.docks.is_shown("blocks")
    assert window.docks.widget("blocks").anatomy.values.tolist() == [33.0]


def test_a_damaged_one_is_told_and_nothing_is_opened(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(b"xx")
    before = TensorDesk.of(window.session).file
    window.files.open(path)
    assert TensorDesk.of(window.session).file is before
