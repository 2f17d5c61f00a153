"""The window's zoom reaches the panels of streams and tensors: what is looked at grows, at every width it is whole."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.panels import PANELS

#: Panel -> the parts whose text grows.
PARTS = {"stream": "timeline said look", "blocks": "sentence", "matrix": "view title", "quantize": "chart sides facts",
         "strides": "picture facts", "memory": "bars why", "tensors": "table tree map"}


def made(qtbot: QtBot, panel_id: str) -> Any:
    panel = next(p for p in PANELS if p.id == panel_id)
    module, name = panel.factory.split(":")
    widget = getattr(import_module(f"tokenloupe.views.{module}"), name)(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize("shown_first", [False, True])
@pytest.mark.parametrize("panel_id", PARTS)
def test_what_is_looked_at_grows(qtbot: QtBot, panel_id: str, shown_first: bool) -> None:
    widget = made(qtbot, panel_id)
    widget.resize(500, 700)
    if shown_first:
        widget.show()
    widget.set_zoom(2.0)
    widget.show()
    usual = QApplication.font().pointSizeF()
    for part in PARTS[panel_id].split():
        assert getattr(widget, part).font().pointSizeF() == 2 * usual, part
    assert not widget.grab().isNull()
    widget.set_zoom(1.0)
    assert getattr(widget, PARTS[panel_id].split()[0]).font().pointSizeF() == usual


def test_the_anatomy_grows_and_stays_within_its_width(qtbot: QtBot) -> None:
    widget = made(qtbot, "blocks")
    widget.resize(400, 700)
    widget.show()
    before = widget.anatomy.height()
    widget.set_zoom(2.0)
    assert widget.anatomy.height() > 1.8 * before
    assert all(rect.right() < widget.anatomy.width() for rect, _, _ in widget.anatomy._spots)


def test_lanes_that_come_later_grow_too(qtbot: QtBot) -> None:
    theatre = made(qtbot, "stream")
    theatre.set_zoom(2.0)
    theatre.options.shared.setChecked(True)  # two lanes more
    assert {view.font().pointSizeF() for view in theatre.lanes} == {2 * QApplication.font().pointSizeF()}
    theatre.resize(1100, 900)
    theatre.show()
    assert theatre._narrow and theatre._compact  # whoever doubles the text has half the room


def test_a_wide_tensor_is_reached_by_scrolling(qtbot: QtBot) -> None:
    panel = made(qtbot, "strides")
    panel.resize(320, 500)
    panel.show()
    panel.example.setCurrentText("A cube, 2 × 3 × 4")
    panel.apply("reshape -1")
    assert max(rect.right() for rect, _ in panel.picture._spots) < panel.picture.width()
    assert panel.picture.width() > panel.width()
