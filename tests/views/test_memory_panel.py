"""The memory panel: the estimate of its fields."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.memory_panel import MemoryPanel


def test_estimates(qtbot: QtBot) -> None:
    panel = MemoryPanel(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.resize(320, 480)
    panel.show()
    panel.params.setText("64000")
    panel.embedding.setText("6400")
    panel.budget.setText("40000")
    assert panel.bars.estimate is not None
    assert (panel.bars.estimate.int4, panel.bars.estimate.chosen) == (57_600 * 34 // 64 + 6_800, "int4")
    panel.budget.setText("many")
    assert "'many' is no number" in panel.why.text()
    panel.budget.setText("")
    panel.take.click()
    assert panel.bars.estimate.params == 8 * 48 * 384
    assert not panel.grab().isNull()


def test_a_number_that_is_none_leaves_no_bars_of_other_numbers(qtbot: QtBot) -> None:
    panel = MemoryPanel(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.params.setText("seven")
    assert "'seven' is no number" in panel.why.text() and panel.bars.estimate is None
    panel.params.setText("7B")
    assert panel.bars.estimate is not None and panel.bars.estimate.f16 == 14 * 10**9
