"""The merge table by keyboard: search by part, never fires, jumps, exports."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.models.vocabulary_kinds import KINDS, MERGES, merges, ranks, unigram
from tests.views.vocabulary_kit import assert_named, panel_on, press
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.merge_browser import MergeBrowser
from tokenloupe.views.paged_columns import LEAST
from tokenloupe.views.vocabulary_files import export_menu

Key = Qt.Key


def browser_of(qtbot: QtBot, tokenizer: Tokenizer, data: bytes = b"") -> MergeBrowser:
    return panel_on(qtbot, MergeBrowser, tokenizer, data)


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> MergeBrowser:
    return browser_of(qtbot, merges(tmp_path))


def pieces(panel: MergeBrowser) -> list[tuple[bytes, bytes]]:
    """The merges that are shown, as bytes."""
    v = panel.desk.index.vocabulary  # type: ignore[union-attr]
    found = [panel.model.ids_at(n) for n in range(panel.model.rowCount())]
    return [(v.bytes_of(m[0]) or b"", v.bytes_of(m[1]) or b"") for m in found if m is not None]


def test_all_merges_in_order(panel: MergeBrowser) -> None:
    assert pieces(panel) == MERGES and panel.count.text() == "9 merges" and not panel.note.isVisible()
    assert panel.focusWidget() is panel.bar.field


def test_search_by_part_and_rank(qtbot: QtBot, panel: MergeBrowser) -> None:
    press(qtbot, panel.bar.field, "the")
    wanted = {
        "any": lambda a, b: any(b"the" in p for p in (a, b, a + b)), "result": lambda a, b: b"the" in a + b,
        "left": lambda a, b: b"the" in a, "right": lambda a, b: b"the" in b}
    for at in range(panel.part.count()):
        panel.part.setCurrentIndex(at)
        fits = wanted[panel.part.currentData()]
        assert pieces(panel) == [m for m in MERGES if fits(*m)], panel.part.currentText()
    panel.part.setCurrentIndex(0)
    panel.bar.set_text("0, 7-", "rank")
    assert pieces(panel) == [MERGES[0], *MERGES[7:]]
    panel.bar.set_text("7-x", "rank")
    assert panel.problem.isVisible() and "neither a rank nor a range" in panel.problem.text()
    press(qtbot, panel.bar.field, Key.Key_Escape)
    assert not panel.problem.isVisible() and len(pieces(panel)) == 9


def test_merges_that_never_fire(qtbot: QtBot, panel: MergeBrowser) -> None:
    assert panel.never.isEnabled()
    press(qtbot, panel.never, Key.Key_Space)
    assert pieces(panel) == [(b"t", b"he")] and panel.count.text() == "1 of 9"
    assert panel.model.cells(0)[5] == "never fires"
    panel.never.setChecked(False)
    panel.table.horizontalHeader().sectionClicked.emit(panel.model.column_of("fires"))
    assert pieces(panel)[0] == (b"t", b"he") and len(pieces(panel)) == 9


def test_derived_merges_say_so_and_always_fire(qtbot: QtBot, tmp_path: Path) -> None:
    panel = browser_of(qtbot, ranks(tmp_path))
    assert "Derived" in panel.note.text() and "ranks" in panel.note.text() and panel.note.isVisible()
    assert not panel.never.isEnabled() and panel.model.column_of("fires") not in panel.table.shown_columns()
    panel.session.set_tokenizer(merges(tmp_path))
    assert panel.never.isEnabled() and panel.model.column_of("fires") in panel.table.shown_columns()
    assert not panel.note.isVisible()


def test_a_model_without_merges_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    panel = browser_of(qtbot, unigram(tmp_path))
    assert "no merges" in panel.table.nothing and panel.model.rowCount() == 0 and not panel.never.isEnabled()
    assert not panel.grab().isNull()


def test_the_table_leads_to_parts_and_result(qtbot: QtBot, panel: MergeBrowser) -> None:
    press(qtbot, panel.bar.field, Key.Key_Down)
    assert panel.table.hasFocus() and panel.desk.current == 256  # what the first one makes
    assert all(b.isEnabled() for b in (panel.to_left, panel.to_right, panel.to_result, panel.to_lineage))
    press(qtbot, panel.table, Key.Key_Down)
    assert panel.desk.current == 257
    for button, token_id in ((panel.to_left, 256), (panel.to_right, ord("e")), (panel.to_result, 257)):
        panel.table.selectRow(1)
        button.click()
        assert panel.desk.current == token_id
    panel.table.opened.emit(1, "left")
    assert panel.desk.current == 256
    press(qtbot, panel.table, Key.Key_Home, Key.Key_Up)
    assert panel.bar.field.hasFocus()


def test_the_table_follows_the_entry_that_is_looked_at(panel: MergeBrowser) -> None:
    panel.desk.choose(259)
    assert panel.table.currentIndex().row() == 3 and panel.to_left.isEnabled()
    panel.desk.choose(257)  # two merges make it: the first
    assert panel.table.currentIndex().row() == 1
    panel.desk.choose(ord("t"))  # no merge makes it: the table stays
    assert panel.table.currentIndex().row() == 1 and panel.desk.current == ord("t")
    panel.table.selectRow(4)  # by hand: the other one that makes 257
    assert panel.desk.current == 257 and panel.table.currentIndex().row() == 4


def test_merges_of_one_token(qtbot: QtBot, panel: MergeBrowser) -> None:
    panel.bar.set_text("nothing has this")
    panel.never.setChecked(True)
    panel.desk.ask_merges(257)
    assert panel.listed.text() == "Only: merges that make or use 257  the" and panel.bar.field.text() == ""
    assert pieces(panel) == [(b"th", b"e"), (b"t", b"he"), (b" ", b"the")]  # what makes it stands first
    panel.show_all.click()
    assert not panel.listing.isVisible() and pieces(panel) == MERGES


def test_a_search_keeps_the_entry_that_is_looked_at(qtbot: QtBot, panel: MergeBrowser) -> None:
    press(qtbot, panel.bar.field, Key.Key_Down, )
    press(qtbot, panel.table, Key.Key_End)
    assert panel.desk.current == 263
    press(qtbot, panel.bar.field, "th")
    assert panel.desk.current == 263


def test_exports(panel: MergeBrowser) -> None:
    panel.bar.set_text("the")
    panel.table.horizontalHeader().sectionClicked.emit(panel.model.column_of("right"))
    shown = pieces(panel)
    menu = {a.text(): a for a in export_menu(
        panel.exports, "merges", panel.exported, panel.model.rowCount, panel.session).actions() if a.text()}
    menu["Copy as CSV"].trigger()
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert rows[0] == ["rank", "left", "left_text", "right", "right_text", "result", "result_text", "fires"]
    assert [(r[2].encode(), r[4].encode()) for r in rows[1:]] == shown
    for row in rows[1:]:
        left, right = row[2].encode(), row[4].encode()
        assert MERGES[int(row[0])] == (left, right) and row[6].encode() == left + right
        assert row[7] == ("never" if (left, right) == (b"t", b"he") else "yes")
    menu["Copy as JSON"].trigger()
    assert [(m["left_text"].encode(), m["right_text"].encode())
            for m in json.loads(QGuiApplication.clipboard().text())] == shown
    menu["Copy as Markdown"].trigger()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 2 + len(shown)


def test_settings(qtbot: QtBot, tmp_path: Path, panel: MergeBrowser) -> None:
    panel.table.show_column("length", False)
    panel.bar.mode.setCurrentIndex(1)
    other = browser_of(qtbot, merges(tmp_path))
    other.restore_state(json.loads(json.dumps(panel.save_state())))
    assert other.model.column_of("length") not in other.table.shown_columns() and other.bar.mode_id == "rank"


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_every_kind_of_tokenizer(qtbot: QtBot, tmp_path: Path, make: Callable[[Path], Tokenizer]) -> None:
    panel = browser_of(qtbot, make(tmp_path), b"the")
    assert not panel.grab().isNull()
    panel.desk.ask_merges(int(panel.session.tokenizer.vocabulary.ids[0]))
    panel.bar.set_text("h")
    assert all(b"h" in a + b for a, b in pieces(panel))


def test_before_there_is_a_tokenizer(qtbot: QtBot) -> None:
    panel = MergeBrowser(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.show()
    panel.bar.set_text("the")
    assert panel.table.nothing and not panel.to_left.isEnabled() and not panel.never.isEnabled()
    assert not panel.grab().isNull()


@pytest.mark.parametrize("size", [(900, 600), (480, 480), (320, 480)])
def test_it_fits(panel: MergeBrowser, size: tuple[int, int]) -> None:
    panel.resize(*size)
    assert (panel.width(), panel.height()) == size and panel.table.viewport().height() > 100
    assert not panel.grab().isNull()


def test_everything_has_a_name(panel: MergeBrowser) -> None:
    assert_named(panel)


def test_back_and_forth_by_keyboard(qtbot: QtBot, panel: MergeBrowser) -> None:
    for token_id in (256, 259):
        panel.desk.choose(token_id)
    panel.bar.field.setFocus()
    qtbot.keyClick(panel.bar.field, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert panel.desk.current == 256
    qtbot.keyClick(panel.bar.field, Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert panel.desk.current == 259


def test_all_columns_are_in_sight_where_a_little_less_for_each_will_do(panel: MergeBrowser) -> None:
    across = panel.table.horizontalHeader()
    least = panel.table.cells.width_for(LEAST)
    for width in range(330, 700, 10):
        panel.resize(width, 500)
        columns = panel.table.shown_columns()
        tokens = [c for c in columns if panel.model.columns[c].look == "token"]
        fits = across.length() <= panel.table.viewport().width()
        assert all(panel.table.columnWidth(c) >= least for c in tokens)
        smallest = sum(least if c in tokens else panel.table.columnWidth(c) for c in columns)
        assert fits == (smallest <= panel.table.viewport().width()), width
