"""The census panel: figures by pointer and keyboard, entries listed, pages instead of rows, narrow and wide."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.core.vocabularies import merge_tokenizer
from tests.models.test_census_desk import session_of
from tokenloupe.models.census import Bar
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.vocabulary_desk import VocabularyDesk
from tokenloupe.views.census import HINT, CensusPanel
from tokenloupe.views.census_charts import Chart


@pytest.fixture
def panel(qtbot: QtBot) -> CensusPanel:
    made = CensusPanel(session_of(data=b"abc th"))
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made


def listed(panel: CensusPanel) -> list[int]:
    listing = VocabularyDesk.of(panel.session).listing
    assert listing is not None and panel.desk.index is not None
    return panel.desk.index.vocabulary.ids[listing.rows].tolist()


def test_every_chart_tells_its_figures_by_keyboard(qtbot: QtBot, panel: CensusPanel) -> None:
    for chart in panel.charts:
        assert chart.accessibleName() and chart.focusPolicy() == Qt.FocusPolicy.StrongFocus
        assert chart.parts()
        chart.setFocus()
        qtbot.keyClick(chart, Qt.Key.Key_End)
        assert chart.current == chart.parts() - 1
        assert panel.readout.text() == chart.words(chart.current) == chart.accessibleDescription()
        qtbot.keyClick(chart, Qt.Key.Key_Home)
        assert chart.current == 0


def test_every_part_is_where_the_pointer_finds_it(panel: CensusPanel) -> None:
    for chart in panel.charts:
        for part in range(0, chart.parts(), max(chart.parts() // 40, 1)):
            assert chart.part_at(chart.place(part).center()) == part, (chart.accessibleName(), part)


def test_pointing_tells_and_leaving_gives_the_hint_back(qtbot: QtBot, panel: CensusPanel) -> None:
    chart = panel.utf8
    qtbot.mouseMove(chart, chart.place(2).center().toPoint())
    assert panel.readout.text() == chart.words(2)
    assert "53" in panel.readout.text()
    qtbot.mouseMove(panel, QPoint(2, 2))
    chart.leaveEvent(None)  # type: ignore[arg-type]
    assert panel.readout.text() == HINT


def test_a_bar_a_byte_a_character_list_their_entries(qtbot: QtBot, panel: CensusPanel) -> None:
    qtbot.mouseClick(panel.utf8, Qt.MouseButton.LeftButton, pos=panel.utf8.place(1).center().toPoint())
    assert listed(panel) == [259]  # 91 62
    panel.bytes.setFocus()
    panel.bytes.point_at(0xD0)
    qtbot.keyClick(panel.bytes, Qt.Key.Key_Return)
    assert listed(panel) == [0xD0, 260]
    names = [b.name for b in panel.blocks.blocks]
    panel.blocks.chosen.emit(names.index("Cyrillic"))
    assert panel.points.block is not None and panel.points.block.name == "Cyrillic"
    panel.points.chosen.emit(0x43F - 0x400)
    assert listed(panel) == [260]
    assert "п" in panel.points.words(0x43F - 0x400) and "an entry by itself" in panel.points.words(0x43F - 0x400)


def test_holes_list_nothing(panel: CensusPanel) -> None:
    said: list[str] = []
    panel.session.message.connect(said.append)
    panel.kinds.chosen.emit(len(panel.kinds.bars) - 1)
    assert VocabularyDesk.of(panel.session).listing is None and "no entries to list" in said[0]


def test_the_rest_of_the_scripts_is_unfolded(qtbot: QtBot, panel: CensusPanel) -> None:
    scripts = panel.scripts
    scripts.set_bars([Bar(f"script {i}", 100 - i) for i in range(30)], 3000)
    assert scripts.parts() == 13
    scripts.setFocus()
    qtbot.keyClick(scripts, Qt.Key.Key_End)
    assert scripts.words(scripts.current).endswith("entries")
    qtbot.keyClick(scripts, Qt.Key.Key_Return)
    assert scripts.parts() == len(scripts.bars)
    assert VocabularyDesk.of(panel.session).listing is None


def test_copied(panel: CensusPanel) -> None:
    for action in panel.copy.menu().actions():
        action.trigger()
        assert "whole characters" in QGuiApplication.clipboard().text()


@pytest.mark.parametrize("size", [(1100, 800), (480, 480), (320, 480)])
def test_it_fits_its_width(qtbot: QtBot, panel: CensusPanel, size: tuple[int, int]) -> None:
    panel.resize(*size)
    assert panel.width() == size[0]
    qtbot.waitUntil(lambda: panel.area.widget().width() <= panel.area.viewport().width())
    for chart in panel.charts:
        for part in (0, chart.parts() - 1):
            assert chart.place(part).right() <= chart.width() + 1
    assert not panel.grab().isNull()


def test_completers(qtbot: QtBot, panel: CensusPanel) -> None:
    section = panel.completers
    section.set_id(256)
    assert "ends with 2 bytes of a character. 65 tokens complete it" in section.about.text()
    assert section.rows.cells(0) == ("\u6200", "128", "80", "⟨80⟩")
    section.set_id(257)
    assert "does not end inside a character" in section.about.text() and section.rows.rowCount() == 0
    section.set_id(290)
    assert section.about.text() == "No entry has the id 290."
    VocabularyDesk.of(panel.session).choose(0xD0)
    assert section.id.text() == "208" and len(section.found) == 65  # 80..BF, and 91 62
    panel.session.select(4, 6)
    section.from_text.click()
    assert section.id.text() == "258"  # th
    section.set_id(0xD0)
    section.table.selectRow(0)
    section.table.opened.emit(0, "")
    assert VocabularyDesk.of(panel.session).current == section.found[0].id


def test_scrolling_asks_for_pages_and_never_for_cells(qtbot: QtBot, panel: CensusPanel,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    rows, table = panel.completers.rows, panel.completers.table
    asked: list[int] = []
    real = type(rows).data
    monkeypatch.setattr(type(rows), "data", lambda self, index, role=0: asked.append(role) or real(self, index, role))
    rows.set_cells(400_000, lambda first, last: [("x", str(i), "", "") for i in range(first, last)])
    table.grab()
    before = rows.pages_made
    for i in range(50):
        table.verticalScrollBar().setValue(i * 7919 % table.verticalScrollBar().maximum())
        table.viewport().grab()
    assert not asked
    assert rows.pages_made - before <= 100  # two pages at most are in sight


def test_a_vocabulary_of_nothing(qtbot: QtBot) -> None:
    session = Session(merge_tokenizer([]), jobs=Jobs(synchronous=True))
    panel = CensusPanel(session)
    qtbot.addWidget(panel)
    panel.show()
    assert isinstance(panel.utf8, Chart) and not panel.grab().isNull()


def test_it_grows_with_the_window(panel: CensusPanel) -> None:
    line, labels = panel.utf8._line(), panel.utf8._labels
    panel.set_zoom(2.0)
    assert panel.utf8._line() > 1.5 * line and panel.utf8._labels > 1.5 * labels
    assert panel.completers.table.verticalHeader().defaultSectionSize() > 22
    panel.set_zoom(1.0)
    assert (panel.utf8._line(), panel.utf8._labels) == (line, labels)
