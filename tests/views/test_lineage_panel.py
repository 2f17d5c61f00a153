"""The lineage panel: the tree by keyboard and pointer, what a token feeds, other ways to make it, and the way back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from tests.core.vocabularies import merge_tokenizer
from tests.models.vocabulary_kinds import KINDS, merges, ranks
from tests.views.vocabulary_kit import assert_named, panel_on, press
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.lineage_panel import LineagePanel

Key = Qt.Key


def panel_of(qtbot: QtBot, tokenizer: Tokenizer, data: bytes = b"") -> LineagePanel:
    return panel_on(qtbot, LineagePanel, tokenizer, data)


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> LineagePanel:
    made = panel_of(qtbot, merges(tmp_path), b"aa the")
    made.desk.choose(259)  # " the"
    return made


def texts(panel: LineagePanel) -> list[str]:
    return [b.text for b in panel.tree.boxes]


def test_the_token_at_the_caret_to_begin_with(qtbot: QtBot, tmp_path: Path) -> None:
    panel = panel_of(qtbot, merges(tmp_path), b"aa the")
    assert panel.desk.current == 263 and texts(panel) == ["aa", "a", "a"]
    assert panel.focusWidget() is panel.tree


def test_what_is_said_of_a_token(panel: LineagePanel) -> None:
    assert panel.token.text() == "·the"
    assert panel.about.text() == "id 259 · 4 bytes: 20 74 68 65"
    assert panel.note.text() == "4 symbols, 3 merges, 3 levels."
    assert texts(panel) == ["·the", "·", "the", "th", "t", "h", "e"]
    assert panel.pages.tabText(0) == "Feeds 0 tokens" and panel.pages.tabText(1) == "1 way to make it"
    panel.desk.choose(256)  # th: in one merge that fires
    assert panel.note.text() == "2 symbols, 1 merge, 1 level."
    assert panel.pages.tabText(0) == "Feeds 1 token"
    panel.desk.choose(ord("t"))
    assert panel.note.text() == "No merge makes it."
    assert panel.pages.tabText(0) == "Feeds 2 tokens"  # th, and "the" that never fires
    assert [panel.feed_rows.cells(n)[5] for n in range(2)] == ["", "never fires"]


def test_the_arrow_keys_and_enter(qtbot: QtBot, panel: LineagePanel) -> None:
    tree = panel.tree
    press(qtbot, tree, Key.Key_Down, Key.Key_Right)
    assert tree.boxes[tree.current].text == "the"
    assert tree.accessibleDescription() == "the, id 257, rank 1, bytes 74 68 65, made of th + e"
    press(qtbot, tree, Key.Key_Down, Key.Key_Down)
    assert tree.accessibleDescription() == "t, id 116, bytes 74, a symbol that no merge makes"
    press(qtbot, tree, Key.Key_Home)
    assert tree.current == 0
    press(qtbot, tree, Key.Key_Down, Key.Key_Right, Key.Key_Return)
    assert panel.desk.current == 257 and tree.current == 0
    press(qtbot, tree, (Key.Key_Left, Qt.KeyboardModifier.AltModifier))
    assert panel.desk.current == 259
    press(qtbot, tree, (Key.Key_Right, Qt.KeyboardModifier.AltModifier))
    assert panel.desk.current == 257


def test_boxes_are_where_the_pointer_finds_them(qtbot: QtBot, panel: LineagePanel) -> None:
    tree = panel.tree
    for box in tree.boxes:
        assert tree.box_at(tree.place(box).center()) == box.number
        for child in box.children:  # each part lies under what it is a part of
            outer, inner = tree.place(box), tree.place(tree.boxes[child])
            assert outer.left() <= inner.left() and inner.right() <= outer.right() + 0.01
            assert inner.top() > outer.bottom()
    assert tree.box_at(QPointF(1, 1)) == -1
    point = tree.place(tree.boxes[2]).center().toPoint()
    qtbot.mouseClick(tree, Qt.MouseButton.LeftButton, pos=point)
    assert tree.current == 2 and panel.desk.current == 259
    qtbot.mouseDClick(tree, Qt.MouseButton.LeftButton, pos=point)
    assert panel.desk.current == 257


def test_tooltips_are_plain_text(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, merge_tokenizer([(b"<", b"b"), (b"<b", b">")]))
    panel.desk.choose(257)
    at = panel.tree.place(panel.tree.boxes[0]).center().toPoint()
    QApplication.sendEvent(panel.tree, QHelpEvent(QEvent.Type.ToolTip, at, panel.tree.mapToGlobal(at)))
    assert "&lt;b>" in QToolTip.text()
    assert panel.token.textFormat() == Qt.TextFormat.PlainText and panel.token.text() == "<b>"
    QToolTip.hideText()


def test_tables_lead_on(qtbot: QtBot, panel: LineagePanel) -> None:
    panel.desk.choose(257)
    assert panel.feed_rows.ids_at(0) == (32, 257, 259)
    panel.feeds.setFocus()
    press(qtbot, panel.feeds, Key.Key_Return)
    assert panel.desk.current == 259  # what it makes
    panel.desk.choose(257)
    panel.feeds.opened.emit(0, "left")
    assert panel.desk.current == 32
    panel.desk.choose(257)
    panel.pages.setCurrentIndex(1)
    assert [panel.way_rows.cells(n)[3] for n in range(2)] == ["used", "never fires"]
    panel.ways.opened.emit(1, "right")
    assert panel.desk.current == 258
    panel.desk.choose(257)
    panel.ways.opened.emit(0, "left")
    assert panel.desk.current == 256


def test_an_id_or_a_text_is_typed(qtbot: QtBot, panel: LineagePanel) -> None:
    said: list[str] = []
    panel.session.failed.connect(said.append)
    for typed, token_id in (("the", 257), ("263", 263), (" the", 259), ("4294967295", 4294967295), ("t", 116)):
        panel.go.clear()
        press(qtbot, panel.go, typed, Key.Key_Return)
        assert panel.desk.current == token_id and said == []
    for typed in ("999", "no such", "9" * 40):
        panel.go.clear()
        press(qtbot, panel.go, typed, Key.Key_Return)
        assert panel.desk.current == 116 and len(said) == 1 and typed in said.pop()


def test_to_the_text(panel: LineagePanel) -> None:
    panel.in_text.click()
    assert panel.session.selection == (2, 6)


def test_derived_parts_say_so(qtbot: QtBot, tmp_path: Path) -> None:
    panel = panel_of(qtbot, ranks(tmp_path))
    panel.desk.choose(257)
    assert "Derived: the file holds no merges, they follow from its ranks." in panel.note.text()
    assert panel.feed_rows.column_of("fires") not in panel.feeds.shown_columns()
    assert "rank" not in panel.tree._note(panel.tree.boxes[0])  # in a rank file the id says it
    panel.session.set_tokenizer(merges(tmp_path))
    panel.desk.choose(257)
    assert panel.feed_rows.column_of("fires") in panel.feeds.shown_columns()


def test_a_wide_tree_is_scrolled_to_the_current_box(qtbot: QtBot) -> None:
    panel = panel_of(qtbot, merge_tokenizer([(b"a", b"a"), (b"aa", b"aa"), (b"a" * 4, b"a" * 4), (b"a" * 8, b"a" * 8),
                                             (b"a" * 16, b"a" * 16)]))
    panel.resize(320, 480)
    panel.desk.choose(260)
    bar = panel.scroll.horizontalScrollBar()
    assert bar.maximum() > 0 and bar.value() == 0
    panel.tree.setFocus()
    press(qtbot, panel.tree, *[Key.Key_Down] * 5)
    for _ in range(31):
        press(qtbot, panel.tree, Key.Key_Right)
    box = panel.tree.boxes[panel.tree.current]
    assert box.last == 32 and bar.value() > 0
    seen = panel.tree.visibleRegion().boundingRect()
    assert seen.contains(panel.tree.place(box).center().toPoint())


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_every_kind_of_tokenizer(qtbot: QtBot, tmp_path: Path, make: Callable[[Path], Tokenizer]) -> None:
    tokenizer = make(tmp_path)
    panel = panel_of(qtbot, tokenizer, b"the")
    for token_id in (int(tokenizer.vocabulary.ids[0]), int(tokenizer.vocabulary.ids[-1])):
        panel.desk.choose(token_id)
        assert panel.about.text().startswith(f"id {token_id} · ") and panel.tree.boxes[0].id == token_id
        assert not panel.grab().isNull()


def test_its_picture_shows_the_longest_token_of_the_text(panel: LineagePanel) -> None:
    panel.desk.choose(65)
    panel.for_picture()
    assert panel.desk.current == 259  # " the"


def test_settings(qtbot: QtBot, tmp_path: Path, panel: LineagePanel) -> None:
    panel.feeds.show_column("rank", False)
    other = panel_of(qtbot, merges(tmp_path))
    other.restore_state(json.loads(json.dumps(panel.save_state())))
    assert other.feed_rows.column_of("rank") not in other.feeds.shown_columns()
    other.restore_state({"feeds": 1, "ways": None})


def test_before_there_is_a_tokenizer(qtbot: QtBot) -> None:
    panel = LineagePanel(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.show()
    press(qtbot, panel.go, "the", Key.Key_Return)
    press(qtbot, panel.tree, Key.Key_Down, Key.Key_Return, Key.Key_Home)
    assert "Choose a token" in panel.about.text() and not panel.in_text.isEnabled() and not panel.grab().isNull()


@pytest.mark.parametrize("size", [(900, 600), (480, 480), (320, 480)])
def test_it_fits(panel: LineagePanel, size: tuple[int, int]) -> None:
    panel.resize(*size)
    assert (panel.width(), panel.height()) == size
    QTest.mouseMove(panel.tree, QPoint(20, 20))
    assert not panel.grab().isNull()


def test_everything_has_a_name(panel: LineagePanel) -> None:
    assert_named(panel)
