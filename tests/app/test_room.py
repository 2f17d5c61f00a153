"""Narrow windows and large fonts: what does not fit steps back in an order, nothing lies over anything else."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tokenloupe.app.look import usual_zoom
from tokenloupe.app.main import Program
from tokenloupe.app.main_window import TEXT_WIDTH, MainWindow
from tokenloupe.views.counts import UNITS, CountsBar


def large_font(factor: float) -> None:
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * factor)
    QApplication.setFont(font)


@pytest.mark.parametrize("width", [700, 640])
def test_a_panel_never_takes_the_texts_room(window: MainWindow, qapp: QApplication, width: int) -> None:
    window.resize(1280, 800)
    qapp.processEvents()
    window.resize(width, 600)
    qapp.processEvents()
    assert window.editor.width() >= TEXT_WIDTH - 4


@pytest.mark.parametrize("width", [300, 420, 1000])
@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_the_find_bars_parts_lie_beside_each_other(window: MainWindow, qapp: QApplication, width: int,
                                                   factor: float) -> None:
    large_font(factor)
    editor = window.editor
    window.docks.hide("tokens")
    window.resize(width, 600)
    editor.show_replace()
    qapp.processEvents()
    bar = editor.find_bar
    parts = [bar.field, bar.mode, bar.case, bar.back, bar.forth, bar.close_button, bar.replacing]
    places = [p.geometry() for p in parts]
    for k, a in enumerate(places):
        assert bar.rect().contains(a)
        assert not any(a.intersects(b) for b in places[k + 1 :])
    assert bar.field.width() > 100
    assert editor.viewport().geometry().top() >= bar.geometry().bottom()  # the text begins below


def test_figures_without_room_are_told_by_the_tooltip(window: MainWindow, qapp: QApplication) -> None:
    window.session.set_data(b"some words " * 50)
    window.session.select(3, 9)
    counts = window.findChild(CountsBar)
    assert counts is not None
    for width in range(counts.sizeHint().width() + 10, 40, -30):
        counts.resize(width, counts.height())
        shown = [k for k, place in enumerate(counts._places) if place.isVisibleTo(counts)]
        assert 0 in shown and (not {2, 3} & set(shown) or 1 in shown)
        assert sum(counts._places[k].sizeHint().width() + 20 for k in shown) - 20 <= width or shown == [0]
        for k in set(range(5)) - set(shown):
            assert f"{UNITS[k]}: " in counts.toolTip()
    counts.resize(counts.sizeHint())
    assert all(place.isVisibleTo(counts) for place in counts._places)


def test_who_made_the_systems_font_large_reads_a_large_text(program: Program) -> None:
    assert usual_zoom() == 1.0
    large_font(24 / QApplication.font().pointSizeF())
    window = program.open_window([])
    assert usual_zoom() == 2.0 and window.editor.zoom == 2.0
    window.look.set_zoom(1.0)
    assert program.open_window([]).editor.zoom == 1.0  # what was chosen stays
