"""The audit panel: run, cancel, filter, show, put the witness into the text, save the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.core.test_audit import tampered
from tests.core.vocabularies import merge_tokenizer
from tokenloupe.core.audit_finding import KINDS
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.vocabulary_desk import VocabularyDesk
from tokenloupe.views.audit import AuditPanel


def panel_of(qtbot: QtBot, synchronous: bool = True) -> AuditPanel:
    panel = AuditPanel(Session(tampered(), b"mine", jobs=Jobs(synchronous=synchronous)))
    qtbot.addWidget(panel)
    panel.resize(900, 700)
    panel.show()
    return panel


@pytest.fixture
def panel(qtbot: QtBot) -> AuditPanel:
    made = panel_of(qtbot)
    assert made.about.isVisible() and not made.split.isVisible() and not made.save.isEnabled()
    made.run.click()
    return made


def kind(panel: AuditPanel, name: str) -> None:
    panel.kinds.selectRow(panel.kind_rows.kinds.index(name))


def test_every_kind_is_listed_those_that_were_found_first(panel: AuditPanel) -> None:
    assert panel.desk.audit is not None
    totals = panel.desk.audit.totals
    listed = [panel.kind_rows.cells(r) for r in range(panel.kind_rows.rowCount())]
    assert [c[1].lower() for c in listed[1:]] == [*(k.lower() for k in KINDS if k in totals),
                                                  *(k.lower() for k in KINDS if k not in totals)]
    assert listed[0][2] == f"{sum(totals.values()):,}" and listed[-1][2] == "none"
    assert [b.count for b in panel.reach.bars] == [len(panel.desk.audit.reach.rows(b)) for b in range(4)]


def test_a_kind_is_chosen_and_filtered(qtbot: QtBot, panel: AuditPanel) -> None:
    kind(panel, "duplicate")
    assert panel.rows.rowCount() == 3
    panel.filter.setText("305")
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 1)
    assert panel.detail.what.text().startswith("Duplicate: dup is 305")
    panel.filter.setText("")
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 3)
    kind(panel, "id twice")
    assert panel.rows.rowCount() == 0 and panel.detail.what.text() == "Nothing was found"


def test_proofs_and_witnesses_are_said(panel: AuditPanel) -> None:
    kind(panel, "fits no pre-token")
    assert "Proof: no pre-token contains its text" in panel.detail.more.text()
    assert not panel.detail.put.isEnabled()
    kind(panel, "needs a neighbour")
    assert "Witness:" in panel.detail.more.text() and panel.detail.put.isEnabled()


def test_the_witness_becomes_the_text(panel: AuditPanel) -> None:
    kind(panel, "needs a neighbour")
    token_id = panel.rows.shown[0].ids[0]
    panel.detail.put.click()
    assert panel.session.data != b"mine" and token_id in panel.session.document.encoding().ids
    panel.session.undo()
    assert panel.session.data == b"mine"


def test_entries_go_to_the_browser(qtbot: QtBot, panel: AuditPanel) -> None:
    desk = VocabularyDesk.of(panel.session)
    kind(panel, "unreachable")
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert desk.current == panel.rows.shown[0].ids[0]
    kind(panel, "duplicate")
    panel.table.opened.emit(0, "")
    assert desk.listing is not None and len(desk.listing.rows) == 2 and desk.listing.label == "Duplicate"
    kind(panel, "needs a neighbour")
    panel.all.click()
    assert panel.desk.audit is not None
    assert len(desk.listing.rows) == panel.desk.audit.totals["needs a neighbour"]
    panel.reach.chosen.emit(2)
    assert desk.listing.label == "no text can, proved"


def test_the_report(panel: AuditPanel, tmp_path: Path) -> None:
    panel.save_report(tmp_path / "audit.md")
    text = (tmp_path / "audit.md").read_text("utf-8")
    assert text.startswith("# Audit of test") and "## Duplicate: 3" in text
    panel.copy.click()
    assert QGuiApplication.clipboard().text() == text
    said: list[str] = []
    panel.session.failed.connect(said.append)
    panel.save_report(tmp_path / "no" / "audit.md")
    assert len(said) == 1 and "cannot be written" in said[0]


def test_its_picture_shows_an_audit_that_was_run(qtbot: QtBot) -> None:
    panel = panel_of(qtbot)
    panel.for_picture()
    assert panel.desk.audit is not None and panel.kind_rows.kind_at(panel.kinds.currentIndex().row()) == "unreachable"
    assert panel.table.currentIndex().row() == 0 and "Proof" in panel.detail.more.text()


def test_progress_and_cancel(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, synchronous=False)
    panel.run.click()
    assert panel.run.text() == "Cancel" and panel.progress.isVisible()
    panel.run.click()
    assert panel.run.text() == "Run audit" and panel.desk.audit is None and not panel.progress.isVisible()


def test_another_tokenizer_drops_the_findings(panel: AuditPanel) -> None:
    panel.session.set_tokenizer(merge_tokenizer([]))
    assert panel.desk.audit is None and panel.rows.rowCount() == 0 and panel.about.isVisible()


@pytest.mark.parametrize("size", [(900, 700), (480, 480), (320, 480)])
def test_it_fits(panel: AuditPanel, size: tuple[int, int]) -> None:
    panel.resize(*size)
    assert (panel.width(), panel.height()) == size
    assert not panel.grab().isNull()


def test_zoomed_the_kinds_keep_room_for_their_names(panel: AuditPanel) -> None:
    assert panel.split.orientation() == Qt.Orientation.Horizontal
    panel.set_zoom(2.0)  # 900 points are 450 of the usual ones: one above the other
    assert panel.split.orientation() == Qt.Orientation.Vertical and panel.kinds.width() > 500
    panel.resize(1600, 700)
    assert panel.split.orientation() == Qt.Orientation.Horizontal and panel.kinds.width() >= 450
    panel.set_zoom(1.0)
    assert panel.split.orientation() == Qt.Orientation.Horizontal and panel.kinds.width() <= 260
