"""The panel of two vocabularies: a list by button, part or script; filter, order, browser, swap."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.vocabulary_desk import VocabularyDesk
from tokenloupe.views.compare_vocab import CompareVocabularies


@pytest.fixture
def panel(qtbot: QtBot) -> CompareVocabularies:
    session = Session(load_bundled("gpt2"), jobs=Jobs(synchronous=True))
    made = CompareVocabularies(session)
    qtbot.addWidget(made)
    made.desk.open("p50k_base")
    made.resize(900, 700)
    made.show()
    return made


def test_lists(panel: CompareVocabularies) -> None:
    assert panel.picker.text() == "p50k_base"
    assert panel.buttons["shared"].isChecked() and panel.rows.rowCount() == 50257  # no id differs
    panel.buttons["only_right"].click()
    assert panel.rows.rowCount() == 24 and panel.found.text() == "24 entries"
    panel.overlap.chosen.emit(1)
    assert panel.rows.rowCount() == 50257 and panel.buttons["shared"].isChecked()
    assert "24 entries" in panel.overlap.words(2) and "p50k_base" in panel.overlap.words(2)


def test_a_script_is_chosen_and_chosen_off(panel: CompareVocabularies) -> None:
    names = [s[0] for s in panel.scripts.scripts]
    part = names.index("Common")
    panel.buttons["only_right"].click()
    panel.scripts.chosen.emit(part)
    assert panel.rows.rowCount() == 24 and panel.found.text() == "24 entries of Common"
    panel.scripts.chosen.emit(names.index("Latin"))
    assert panel.rows.rowCount() == 0
    panel.scripts.chosen.emit(names.index("Latin"))
    assert panel.rows.rowCount() == 24


def test_filter_and_order(qtbot: QtBot, panel: CompareVocabularies) -> None:
    panel.filter.setText(" world")
    qtbot.waitUntil(lambda: panel.rows.rowCount() < 100)
    assert all("world" in panel.rows.cells(r)[3].lower() for r in range(panel.rows.rowCount()))
    panel.table.horizontalHeader().sectionClicked.emit(0)
    panel.table.horizontalHeader().sectionClicked.emit(0)
    assert panel.rows.left.tolist() == sorted(panel.rows.left.tolist(), reverse=True)


def test_to_the_browser(qtbot: QtBot, panel: CompareVocabularies) -> None:
    desk = VocabularyDesk.of(panel.session)
    panel.table.setFocus()
    panel.table.selectRow(7)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert desk.current == panel.rows.left[7]
    panel.filter.setText("995")
    panel._list()
    panel._all_to_browser()
    assert desk.listing is not None and desk.listing.label == "also in p50k_base"
    panel.filter.clear()
    panel.buttons["only_right"].click()
    said: list[str] = []
    panel.session.message.connect(said.append)
    panel.table.opened.emit(0, "")
    assert "does not have this entry" in said[0]


def test_swap_and_copy(panel: CompareVocabularies) -> None:
    panel.swap.click()
    assert panel.session.tokenizer.name == "p50k_base" and panel.picker.text() == "gpt2"
    panel.buttons["only_left"].click()
    assert panel.rows.rowCount() == 24
    panel._copy_markdown()
    assert "| 24 | in `p50k_base` alone |" in QGuiApplication.clipboard().text()
    panel._copy_csv()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 25


def test_scrolling_asks_for_pages_and_never_for_cells(panel: CompareVocabularies,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(type(panel.rows), "data", lambda self, index, role=0: asked.append(role))
    before = panel.rows.pages_made
    bar = panel.table.verticalScrollBar()
    for i in range(60):
        bar.setValue(i * 7919 % bar.maximum())
        panel.table.viewport().grab()
    assert not asked and panel.rows.pages_made - before <= 120


@pytest.mark.parametrize("size", [(900, 700), (480, 480), (320, 480)])
def test_it_fits(panel: CompareVocabularies, size: tuple[int, int]) -> None:
    panel.resize(*size)
    assert (panel.width(), panel.height()) == size
    assert not panel.grab().isNull()
    assert panel.focusProxy().focusPolicy() == Qt.FocusPolicy.StrongFocus
