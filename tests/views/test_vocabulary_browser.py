"""The vocabulary browser by keyboard: searching, sorting, columns, copying, exports, and the ways to and from it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.models.vocabulary_kinds import KINDS, merges, ranks
from tests.views.vocabulary_kit import assert_named, panel_on, press
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.tensor_desk import TensorDesk
from tokenloupe.views.vocabulary_browser import VocabularyBrowser
from tokenloupe.views.vocabulary_files import EXPORTS

Key = Qt.Key


def browser_of(qtbot: QtBot, tokenizer: Tokenizer, data: bytes = b"", synchronous: bool = True) -> VocabularyBrowser:
    return panel_on(qtbot, VocabularyBrowser, tokenizer, data, synchronous)


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> VocabularyBrowser:
    return browser_of(qtbot, merges(tmp_path), b"the aa the\xe6\x88\x91 the")


def ids(panel: VocabularyBrowser) -> list[int]:
    index = panel.desk.index
    assert index is not None
    return index.vocabulary.ids[panel.model.rows].tolist()


def test_the_search_box_has_the_focus_and_answers_each_key(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    field = panel.bar.field
    assert panel.focusProxy() is panel.bar and panel.focusWidget() is field
    assert panel.count.text() == "270 entries"
    shown: list[str] = []
    panel.search.shown.connect(lambda: shown.append(panel.count.text()))
    press(qtbot, field, "the")
    assert len(shown) == 3 and shown[-1] == "3 of 270"  # the, " the", The
    assert ids(panel) == [257, 307, 259]
    press(qtbot, field, Key.Key_Escape)
    assert field.text() == "" and panel.count.text() == "270 entries"


def test_modes_by_keyboard(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    bar = panel.bar
    for mode, typed, found in (("hex", "e688", [260, 261]), ("id", "300-", [300, 301, 305, 306, 307, 4294967295]),
                               ("regex", "^t", [84, 116, 256, 257, 307]), ("raw", "aa", [263]), ("text", "aa", [263])):
        while bar.mode_id != mode:
            press(qtbot, bar.mode, Key.Key_Down if mode != "raw" and mode != "text" else Key.Key_Up)
        assert bar.field.placeholderText() == next(m[2] for m in bar.modes if m[0] == mode)
        bar.clear()
        press(qtbot, bar.field, typed)
        assert sorted(ids(panel)) == found, mode
        assert bar.case.isEnabled() == (mode in ("text", "raw", "regex"))


def test_match_case_and_filters(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    bar = panel.bar
    press(qtbot, bar.field, "The")
    press(qtbot, bar.case, Key.Key_Space)
    assert ids(panel) == [307]
    press(qtbot, bar.field, Key.Key_Escape)
    bar.script.setCurrentIndex(bar.script.findText("Han", Qt.MatchFlag.MatchStartsWith))
    assert ids(panel) == [261] and bar.script.currentText() == "Han  1"
    press(qtbot, bar.field, Key.Key_Escape)  # the box is empty: the filters go
    assert len(ids(panel)) == 270 and bar.script.currentIndex() == 0
    kinds = {bar.kind.itemText(i) for i in range(1, bar.kind.count())}
    assert kinds == {"normal  268", "special  1", "added  1"}
    bar.kind.setCurrentIndex(bar.kind.findText("special  1"))
    assert ids(panel) == [300]
    bar.kind.setCurrentIndex(0)
    press(qtbot, bar.length, "4-5")
    assert ids(panel) == [259, 4294967295]
    press(qtbot, bar.length, "x")
    assert panel.problem.isVisible() and "no length" in panel.problem.text()
    press(qtbot, bar.length, Key.Key_Escape)
    assert not panel.problem.isVisible() and len(ids(panel)) == 270


def test_what_cannot_be_read_is_said_once_and_taken_back(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    panel.bar.set_text("(", "regex")
    assert panel.problem.isVisible() and "cannot be used" in panel.problem.text()
    press(qtbot, panel.bar.field, ")")
    assert not panel.problem.isVisible()
    panel.bar.set_text("(", "regex")
    press(qtbot, panel.bar.length, "x", Key.Key_Backspace)  # the pattern is still wrong
    assert panel.problem.isVisible() and "cannot be used" in panel.problem.text()
    panel.bar.set_text("e6 8g", "hex")
    assert "'g' is no hex digit" in panel.problem.text()
    panel.bar.set_text("", "text")
    assert not panel.problem.isVisible()


def test_a_search_does_not_change_the_entry_that_is_looked_at(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    panel.desk.choose(301)
    changed: list[bool] = []
    panel.desk.current_changed.connect(changed.append)
    press(qtbot, panel.bar.field, "the")  # it is not among what is found
    assert panel.desk.current == 301 and changed == [] and not panel.table.currentIndex().isValid()
    press(qtbot, panel.bar.field, Key.Key_Escape)
    assert panel.desk.current == 301 and panel.model.id_at(panel.table.currentIndex().row()) == 301


def test_the_table_by_keyboard(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    field, table = panel.bar.field, panel.table
    press(qtbot, field, "the", Key.Key_Down)
    assert table.hasFocus() and table.currentIndex().row() == 0 and panel.desk.current == 257
    press(qtbot, table, Key.Key_Down, Key.Key_Down)
    assert panel.desk.current == 259
    press(qtbot, table, Key.Key_Home)
    assert panel.desk.current == 257
    press(qtbot, table, Key.Key_End)
    assert panel.desk.current == 259
    press(qtbot, table, Key.Key_Home, Key.Key_Up)
    assert field.hasFocus()  # above the first row is the box
    press(qtbot, field, Key.Key_Return)
    assert table.hasFocus()
    press(qtbot, table, Key.Key_Backspace)
    assert field.hasFocus() and field.text() == "th"
    press(qtbot, field, Key.Key_Down)
    press(qtbot, table, "a")  # a letter belongs to the box
    assert field.hasFocus() and field.text() == "tha" and ids(panel) == []
    assert "No entry fits" in table.nothing
    press(qtbot, field, Key.Key_Down)
    assert field.hasFocus()  # there is nothing to go to


def test_columns_sort_up_down_and_as_found(panel: VocabularyBrowser) -> None:
    across = panel.table.horizontalHeader()
    for name in ("id", "text", "bytes", "length", "kind", "rank", "left", "right", "script", "utf8"):
        at = panel.model.column_of(name)
        found = panel.model.rows.tolist()
        across.sectionClicked.emit(at)
        up = panel.model.rows.tolist()
        assert across.isSortIndicatorShown() and across.sortIndicatorSection() == at
        across.sectionClicked.emit(at)
        assert panel.model.rows.tolist() == up[::-1]
        across.sectionClicked.emit(at)
        assert panel.model.rows.tolist() == found and not across.isSortIndicatorShown()
    across.sectionClicked.emit(panel.model.column_of("length"))
    lengths = [len(panel.desk.index.vocabulary.bytes_at(r)) for r in panel.model.rows.tolist()]  # type: ignore[union-attr]
    assert lengths == sorted(lengths)


def test_columns_are_chosen_and_kept(qtbot: QtBot, tmp_path: Path, panel: VocabularyBrowser) -> None:
    menu = panel.table.columns_menu()
    titles = [a.text() for a in menu.actions()]
    assert titles == [c.title for c in panel.model.columns]
    for title in ("Kind", "UTF-8"):
        next(a for a in menu.actions() if a.text() == title).trigger()
    across = panel.table.horizontalHeader()
    across.moveSection(across.visualIndex(panel.model.column_of("length")), 0)
    panel.table.setColumnWidth(panel.model.column_of("text"), 222)
    panel.bar.mode.setCurrentIndex(2)
    panel.bar.case.setChecked(True)
    panel.follow.setChecked(False)
    state = json.loads(json.dumps(panel.save_state()))
    other = browser_of(qtbot, merges(tmp_path))
    other.restore_state(state)
    shown = [other.model.columns[c].id for c in other.table.shown_columns()]
    assert shown == [panel.model.columns[c].id for c in panel.table.shown_columns()]
    assert shown[0] == "length" and "kind" not in shown and "utf8" not in shown
    assert other.table.columnWidth(other.model.column_of("text")) == 222
    assert other.bar.mode_id == "hex" and other.bar.case.isChecked() and not other.follow.isChecked()


@pytest.mark.parametrize("state", [
    {}, {"table": 1, "bar": []}, {"table": {"hidden": 3, "order": {"a": 1}, "widths": [1]}, "bar": {"mode": 9}},
    {"table": {"hidden": ["id", "text", "bytes", "length", "kind", "rank", "left", "right", "script", "utf8", "raw"],
               "order": ["nobody", 7, None], "widths": {"id": -5, "text": "x", "bytes": 10**9}}}])
def test_settings_that_make_no_sense_are_left_out(panel: VocabularyBrowser, state: dict[str, Any]) -> None:
    panel.restore_state(state)
    assert panel.table.shown_columns() and not panel.grab().isNull()


def test_the_last_column_stays(panel: VocabularyBrowser) -> None:
    for column in panel.model.columns:
        panel.table.show_column(column.id, False)
    assert len(panel.table.shown_columns()) == 1


def test_the_raw_form_appears_when_it_is_searched(qtbot: QtBot, tmp_path: Path) -> None:
    from tests.models.vocabulary_kinds import byte_fallback

    panel = browser_of(qtbot, byte_fallback(tmp_path))
    raw = panel.model.column_of("raw")
    assert raw not in panel.table.shown_columns()
    panel.bar.set_text("<0x", "raw")
    assert raw in panel.table.shown_columns()
    assert [panel.model.cells(r)[raw] for r in range(2)] == ["<0x0A>", "<0x65>"]
    assert [panel.model.cells(r)[panel.model.column_of("text")] for r in range(2)] == ["↵", "e"]


def test_copying(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    clipboard = QGuiApplication.clipboard()
    press(qtbot, panel.bar.field, "the", Key.Key_Down)
    table = panel.table
    press(qtbot, table, (Key.Key_Down, Qt.KeyboardModifier.ShiftModifier))
    press(qtbot, table, (Key.Key_C, Qt.KeyboardModifier.ControlModifier))
    lines = clipboard.text().split("\n")
    assert [line.split("\t")[:3] for line in lines] == [["257", "the", "74 68 65"], ["307", "The", "54 68 65"]]
    commands = {a.text(): a for a in table.actions()}
    commands["Copy Ids"].trigger()
    assert clipboard.text() == "257 307"
    commands["Copy Text"].trigger()
    assert clipboard.text() == "the\nThe"
    press(qtbot, table, (Key.Key_A, Qt.KeyboardModifier.ControlModifier))
    commands["Copy Text"].trigger()
    assert clipboard.text() == "the\nThe\n the"  # as it is, no signs


def expected(panel: VocabularyBrowser) -> list[tuple[int, str, str]]:
    v = panel.desk.index.vocabulary  # type: ignore[union-attr]
    return [(int(v.ids[r]), v.bytes_at(r).decode("utf-8", "replace"), v.bytes_at(r).hex())
            for r in panel.model.rows.tolist()]


def test_exports_are_what_is_shown(panel: VocabularyBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    panel.bar.set_text("h", "text")
    panel.table.horizontalHeader().sectionClicked.emit(panel.model.column_of("text"))
    for column in ("kind", "script", "utf8", "length"):
        panel.table.show_column(column, False)
    wanted = expected(panel)
    assert len(wanted) == 8 and wanted[0][1] == " the"
    menu = {a.text(): a for a in panel._export_menu().actions() if a.text()}
    assert [f"Copy as {t}" for _, t, _ in EXPORTS] == list(menu)[:3]
    menu["Copy as CSV"].trigger()
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert rows[0] == ["id", "text", "bytes", "rank", "left", "left_text", "right", "right_text"]
    assert [(int(r[0]), r[1], r[2]) for r in rows[1:]] == wanted
    assert rows[1] == ["259", " the", "20746865", "3", "32", " ", "257", "the"]
    menu["Copy as JSON"].trigger()
    found = json.loads(QGuiApplication.clipboard().text())
    assert [(f["id"], f["text"], f["bytes"]) for f in found] == wanted
    menu["Copy as Markdown"].trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("| id | text | bytes | rank |") and len(lines) == 2 + len(wanted)
    assert "`␣the`" in lines[2]
    path = tmp_path / "out.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    menu["Save as JSON…"].trigger()
    assert json.loads(path.read_text("utf-8")) == found
    said: list[str] = []
    panel.session.failed.connect(said.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "x.csv"), ""))
    menu["Save as CSV…"].trigger()
    assert len(said) == 1 and "cannot be written" in said[0]


def test_the_entry_follows_the_text_and_back(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    panel.session.select(0, 3)
    assert panel.desk.current == 257 and panel.model.id_at(panel.table.currentIndex().row()) == 257
    panel.session.select(4, 6)
    assert panel.desk.current == 263
    panel.follow.setChecked(False)
    panel.session.select(0, 3)
    assert panel.desk.current == 263
    panel.desk.choose(259)  # " the" stands at 6 and 13
    said: list[str] = []
    panel.session.message.connect(said.append)
    panel.table.setFocus()
    for where, words in (((6, 10), "Place 1 of 2"), ((13, 17), "Place 2 of 2"), ((6, 10), "Place 1 of 2")):
        press(qtbot, panel.table, (Key.Key_Return, Qt.KeyboardModifier.ControlModifier))
        assert panel.session.selection == where and said[-1].startswith(words)
    panel.find_in_text(backwards=True)
    assert panel.session.selection == (13, 17)
    panel.desk.choose(301)
    panel.find_in_text()
    assert said[-1] == "The text does not have this token"


def test_parts_lists_and_the_way_back(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    panel.desk.choose(259)
    row = panel.table.currentIndex().row()
    panel.table.opened.emit(row, "right")  # a double click on "the"
    assert panel.desk.current == 257 and panel.table.currentIndex().row() == 257
    panel.table.opened.emit(257, "left")
    assert panel.desk.current == 256
    panel.table.setFocus()
    back, forward = ((k, Qt.KeyboardModifier.AltModifier) for k in (Key.Key_Left, Key.Key_Right))
    press(qtbot, panel.table, back, back)
    assert panel.desk.current == 259
    press(qtbot, panel.table, forward)
    assert panel.desk.current == 257
    panel.desk.list_ids([301, 300], "in a list")
    assert panel.listing.isVisible() and panel.listed.text() == "Only: in a list" and ids(panel) == [301, 300]
    panel.desk.choose(65)  # somebody asks for an entry that is not in it: the list goes
    assert not panel.listing.isVisible() and len(ids(panel)) == 270
    panel.desk.list_ids([301], "again")
    panel.show_all.click()
    assert not panel.listing.isVisible() and len(ids(panel)) == 270
    panel.bar.set_text("the")
    panel.desk.choose(65)  # and so does a search
    assert panel.bar.field.text() == "" and panel.model.id_at(panel.table.currentIndex().row()) == 65
    panel.show_merges()
    assert panel.desk.merges_of == 65


def test_scrolling_asks_for_pages_and_never_for_cells(
        panel: VocabularyBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a million rows: what scrolling costs is pages in sight, two at most a frame."""
    import numpy as np

    asked: list[int] = []
    monkeypatch.setattr(type(panel.model), "data", lambda self, index, role=0: asked.append(role))
    monkeypatch.setattr(type(panel.model), "flags", lambda self, index: asked.append(-1))
    panel.model.set_rows(np.arange(500_000) % 270)
    bar = panel.table.verticalScrollBar()
    panel.table.viewport().grab()
    before = panel.model.pages_made
    for i in range(60):
        bar.setValue(i * 7919 % bar.maximum())
        panel.table.viewport().grab()
    assert asked == [] and panel.model.pages_made - before <= 120


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_every_kind_of_tokenizer(qtbot: QtBot, tmp_path: Path, make: Callable[[Path], Tokenizer]) -> None:
    tokenizer = make(tmp_path)
    panel = browser_of(qtbot, tokenizer, b"the")
    assert panel.model.rowCount() == len(tokenizer.vocabulary) and not panel.grab().isNull()
    panel.bar.set_text("t")
    assert all(b"t" in tokenizer.vocabulary.bytes_of(i).lower() for i in ids(panel))  # type: ignore[union-attr]
    for button in (panel.to_text, panel.to_lineage, panel.to_merges):
        button.click()


def test_another_tokenizer_is_another_table(qtbot: QtBot, tmp_path: Path, panel: VocabularyBrowser) -> None:
    panel.bar.set_text("the")
    panel.desk.choose(259)
    panel.session.set_tokenizer(ranks(tmp_path))
    assert panel.desk.current in (None, 257) and panel.bar.field.text() == "the"
    assert sorted(ids(panel)) == [257, 259]
    panel.bar.clear()
    assert panel.model.rowCount() == len(panel.session.tokenizer.vocabulary)


def test_an_embedding_row_needs_a_file(panel: VocabularyBrowser, tmp_path: Path) -> None:
    """The example's 48 rows are not those of the tokenizer's model; a file of fewer rows than ids says so."""
    said: list[str] = []
    panel.session.failed.connect(said.append)
    panel.desk.choose(5)
    panel.to_embedding.click()
    assert len(said) == 1 and "only the example" in said[0] and "open the model's file" in said[0]
    tensors = TensorDesk.of(panel.session)
    before = tensors.block
    header = json.dumps({"wte.weight": {"dtype": "F32", "shape": [8, 4], "data_offsets": [0, 128]}}).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(128))
    assert tensors.open(path) and not tensors.is_example
    noted: list[str] = []
    panel.session.message.connect(noted.append)
    panel.to_embedding.click()
    assert tensors.token_of_block() is None or tensors.block == 5 * 4 != before
    assert len(said) == 1 and "8 rows" in noted[-1] and "another model" in noted[-1]
    panel.desk.choose(4294967295)
    panel.to_embedding.click()
    assert "model.safetensors has no embedding row for token 4294967295" in said[-1]


def test_what_stands_beside_the_count_stays_where_it_is(qtbot: QtBot, panel: VocabularyBrowser) -> None:
    panel.resize(900, 600)
    panel.bar.set_text("the")
    QApplication.processEvents()
    before = panel.follow.geometry()
    panel.bar.set_text("no such entry")
    QApplication.processEvents()
    assert panel.follow.geometry() == before


def test_before_there_is_a_tokenizer(qtbot: QtBot) -> None:
    panel = VocabularyBrowser(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.show()
    panel.bar.set_text("the")
    assert panel.table.nothing and not panel.to_text.isEnabled() and not panel.grab().isNull()


@pytest.mark.parametrize("size", [(900, 600), (480, 480), (320, 480)])
def test_it_fits(panel: VocabularyBrowser, size: tuple[int, int]) -> None:
    panel.resize(*size)
    assert (panel.width(), panel.height()) == size and panel.table.viewport().height() > 100
    assert not panel.grab().isNull()


def test_everything_has_a_name(panel: VocabularyBrowser) -> None:
    assert_named(panel)
    assert panel.table.accessibleName() == "Entries of the vocabulary"


def test_what_was_found_is_marked_where_it_stands(panel: VocabularyBrowser) -> None:
    """In Hebrew the first letter is the rightmost; behind Latin letters the word begins at its right end."""
    cells = panel.table.cells
    word = "שלום"
    whole = cells.place_in(word, 0, 4)[1]
    assert cells.place_in("abcd", 1, 3) == (cells.char, 2 * cells.char)
    first, last = cells.place_in(word, 0, 1), cells.place_in(word, 3, 4)
    assert last[0] == pytest.approx(0, abs=1) and first[0] + first[1] == pytest.approx(whole, abs=1)
    assert first[0] > last[0] + last[1] - 1
    mixed = cells.place_in("ab" + word, 2, 3)
    assert mixed[0] + mixed[1] == pytest.approx(2 * cells.char + whole, abs=2)
    panel.bar.set_text("the")
    assert not panel.grab().isNull()
