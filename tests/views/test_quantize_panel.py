"""The quantise panel: the reference's errors, typed numbers, the worst block."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType, quants
from pytestqt.qtbot import QtBot

from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.quantize_panel import TYPED, QuantizePanel

from .tensor_kit import saved_over_itself


def test_the_example_is_compared_and_the_worst_block_found(qtbot: QtBot) -> None:
    panel = QuantizePanel(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.resize(480, 480)
    panel.show()
    file = panel.desk.file
    assert file is not None
    values = file.array(file.tensor("embedding.f32"))
    q = quants.quantize(values, GGMLQuantizationType.Q4_0)
    error = np.abs(quants.dequantize(q, GGMLQuantizationType.Q4_0) - values)
    assert f"largest error {error.max():.5g}" in panel.facts.text()
    panel.worst.click()
    assert panel.index.value() == error.reshape(-1, 32).max(axis=1).argmax()
    assert panel.sides.side is not None
    assert np.abs(panel.sides.side.error).max() == error.max()
    panel.chart.chosen.emit("Q8_0")
    assert panel.type.currentText() == "Q8_0"
    assert not panel.grab().isNull()


def test_typed_numbers_and_what_is_none(qtbot: QtBot) -> None:
    panel = QuantizePanel(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.show()
    panel.source.setCurrentIndex(panel.source.findText(TYPED))
    panel.numbers.setPlainText("8 -8 1")
    panel._take()
    assert panel.sides.side is not None
    assert panel.sides.side.original[:3].tolist() == [8, -8, 1]
    assert panel.sides.side.restored[0] == 8.0  # the first of the largest is 8: d = -1, q = 0
    panel.numbers.setPlainText("8 eight")
    panel._take()
    assert "'eight' is no number" in panel.facts.text()
    assert panel.sides.side is None


def test_the_blocks_are_never_saved_over_the_file_under_another_name(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    panel = QuantizePanel(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    said = saved_over_itself(panel, panel._save, tmp_path, monkeypatch)
    assert "never written" in said[0]
