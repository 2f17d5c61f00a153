"""The inspector panel: it shows the selected token, by keyboard alone, as plain text, at 320 pixels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.inspector import Inspector
from tokenloupe.views.inspector_list import RowList
from tokenloupe.views.inspector_merges import bars_of, short


@pytest.fixture
def session(qapp) -> Session:
    return Session(load_bundled("gpt2"), "歪 a tokenizer token".encode(), jobs=Jobs(synchronous=True))


@pytest.fixture
def panel(qtbot: QtBot, session: Session) -> Inspector:
    made = Inspector(session)
    qtbot.addWidget(made)
    made.resize(320, 900)
    made.show()
    QApplication.processEvents()
    return made


def key(widget: QWidget, code: Qt.Key) -> None:
    QApplication.sendEvent(widget, QKeyEvent(QKeyEvent.Type.KeyPress, code, Qt.KeyboardModifier.NoModifier))


def titles(part: RowList) -> list[str]:
    model = part.model()
    return [model.row(k).title for k in range(model.rowCount())]  # type: ignore[attr-defined]


def test_it_shows_the_token_of_the_selection(panel: Inspector, session: Session) -> None:
    assert "29826" in titles(panel.facts)
    session.select(6, 6)
    assert "11241" in titles(panel.facts)
    assert panel.chip.accessibleDescription() == "·token"
    assert panel.place.text() == "Token 3 of 6"
    assert "No entry has the bytes of" in panel.why.text()
    assert panel.merges.isVisibleTo(panel) and not panel.ways.isVisibleTo(panel)
    assert panel.count.text() == "2 places, this is number 1"
    session.select(5, 21)
    assert panel.place.text() == "Token 3 of 6, the first of 3 selected"


def test_nothing_to_show(qtbot: QtBot) -> None:
    panel = Inspector(Session(load_bundled("gpt2"), b"", jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.show()
    assert panel.nothing.isVisible() and not panel.head.isVisible() and not panel.scroll.isVisible()
    assert "put the caret on a token" in panel.nothing.text()
    assert not panel.grab().isNull()


def test_everything_has_a_name_and_is_plain_text(panel: Inspector) -> None:
    for widget in panel.findChildren(QWidget):
        if isinstance(widget, QLabel):
            assert widget.textFormat() == Qt.TextFormat.PlainText
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            text = getattr(widget, "text", lambda: "")
            assert widget.accessibleName() or text(), widget


def test_by_keyboard_alone(panel: Inspector, session: Session) -> None:
    session.select(6, 6)
    panel.activateWindow()
    panel.places.setFocus()
    key(panel.places, Qt.Key.Key_End)
    key(panel.places, Qt.Key.Key_Return)
    assert session.selection == (15, 21)
    panel.facts.setFocus()
    key(panel.facts, Qt.Key.Key_Down)
    panel.facts.copy()
    assert QGuiApplication.clipboard().text() == "20 74 6f 6b 65 6e"  # the bytes of " token"
    seen: set[QWidget] = set()
    widget: QWidget | None = panel.facts
    while widget is not None and widget not in seen:
        seen.add(widget)
        widget = widget.nextInFocusChain()
    assert {panel.facts, panel.characters, panel.merges.canvas, panel.spellings, panel.places, panel.previous,
            panel.next, panel.in_vocabulary} <= seen


def test_copy_takes_everything_that_is_shown(panel: Inspector, session: Session) -> None:
    session.select(6, 6)
    panel.copy()
    text = QGuiApplication.clipboard().text()
    assert "Id: 11241\n" in text
    assert "Characters\n·\tU+0020  SPACE\tspace separator (Zs), 20" in text
    assert "No entry has the bytes of “ tokenizer”, 10 bytes" in text
    assert "·to + ken\ttwo entries, 284 and 3464" in text


def test_the_merges_as_bars(panel: Inspector, session: Session) -> None:
    """" tokenizer" of gpt2: ranks by tiktoken, 8 merges in the order of their ranks."""
    session.select(6, 6)
    assert panel.model.why is not None and panel.model.why.trace is not None
    bars = bars_of(panel.model.why.trace, session.tokenizer)
    merged = [b for b in bars if b.step]
    assert [b.step for b in merged] == list(range(1, 9))
    assert [b.rank for b in merged] == sorted(b.rank for b in merged if b.rank is not None)
    tokens = [b for b in bars if b.token >= 0]
    assert [(b.id, b.first, b.last) for b in tokens if b.id in (11241, 7509)] == [(7509, 6, 10), (11241, 0, 6)]
    canvas = panel.merges.canvas
    for a in bars:  # no two bars of one level lie over each other
        for b in bars:
            assert a is b or a.level != b.level or a.last <= b.first or b.last <= a.first
    canvas.setFocus()
    key(canvas, Qt.Key.Key_End)
    assert panel.said.text() == ("Step 8 of 8: merge 11,241 joins “ to” and “ken” to entry 11241.")
    key(canvas, Qt.Key.Key_Down)
    assert "merge 284 joins" in panel.said.text()
    key(canvas, Qt.Key.Key_Right)
    assert "to entry 3464" in panel.said.text()
    key(canvas, Qt.Key.Key_Up)
    assert "Step 8" in panel.said.text()
    assert short(b"\xe2\x82") == "e2 82"


def test_looks_in_both_themes_and_any_width(panel: Inspector, session: Session) -> None:
    for width in (320, 500, 900):
        panel.resize(width, 700)
        for place in (0, 6, 12):
            session.select(place, place)
            QApplication.processEvents()
            assert panel.scroll.widget().width() <= width  # nothing is cut off at the right
            assert not panel.grab().isNull()


def test_to_the_vocabulary(panel: Inspector, session: Session) -> None:
    from tokenloupe.models.vocabulary_desk import VocabularyDesk

    session.select(6, 6)
    panel.in_vocabulary.click()
    assert VocabularyDesk.of(session).current == 11241
