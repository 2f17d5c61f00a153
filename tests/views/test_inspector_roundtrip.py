"""The round-trip panel: the verdict of what is typed, a jump to each loss, large texts on demand."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_bytes
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.inspector_roundtrip import RoundTrip


def lowercasing() -> Tokenizer:
    vocab = {c: i for i, c in enumerate("ab ?")}
    return open_bytes(json.dumps({
        "added_tokens": [], "normalizer": {"type": "Lowercase"}, "pre_tokenizer": None, "post_processor": None,
        "decoder": {"type": "Fuse"},
        "model": {"type": "BPE", "vocab": vocab, "merges": [], "unk_token": "?"}}).encode(), "tokenizer.json")


@pytest.fixture
def session(qapp) -> Session:
    return Session(lowercasing(), b"aBaxab", jobs=Jobs(synchronous=True))


@pytest.fixture
def panel(qtbot: QtBot, session: Session) -> RoundTrip:
    made = RoundTrip(session)
    qtbot.addWidget(made)
    made.resize(320, 400)
    made.show()
    QApplication.processEvents()
    return made


def titles(panel: RoundTrip) -> list[tuple[str, str]]:
    return [(r.title, r.detail) for r in panel.model.rows.rows]


def test_what_is_lost_where_and_at_which_stage(panel: RoundTrip) -> None:
    assert panel.sentence.text() == "✗  Not exact: of 6 bytes 2 do not come back as they were, in 2 places."
    assert panel.sentence.objectName() == "bad"
    assert titles(panel) == [("B → b", "Lowercase; byte 1, token 1; 42 → 62"),
                             ("x → ?", "model: no token; byte 3, token 3; 78 → 3f")]
    assert panel.stages.text() == "Lowercase: 1 place, 1 byte\nmodel: no token: 1 place, 1 byte"


def test_jumps(panel: RoundTrip, session: Session) -> None:
    panel.next.click()
    assert session.selection == (1, 2)
    panel.next.click()
    assert session.selection == (3, 4)
    panel.next.click()
    assert session.selection == (1, 2)
    panel.previous.click()
    assert session.selection == (3, 4)
    panel.losses.setFocus()
    panel.losses.setCurrentIndex(panel.model.rows.index(0, 0))
    QApplication.sendEvent(panel.losses, QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Return,
                                                   Qt.KeyboardModifier.NoModifier))
    assert session.selection == (1, 2)


def test_it_follows_the_text_and_the_tokenizer(panel: RoundTrip, session: Session) -> None:
    session.edit(1, 1, b"b")
    assert len(titles(panel)) == 1
    session.edit(3, 1, b"")
    assert panel.sentence.text() == "✓  Exact: 5 tokens decode to the same 5 bytes."
    assert not panel.losses.isVisibleTo(panel) and not panel.next.isVisibleTo(panel)
    session.edit(0, 5, b"A")
    assert len(titles(panel)) == 1
    session.set_tokenizer(load_bundled("gpt2"))
    assert panel.sentence.text() == "✓  Exact: 1 token decodes to the same 1 byte."
    session.edit(0, 1, b"")
    assert "Type or open a text" in panel.sentence.text()


def test_a_large_text_is_judged_on_demand(panel: RoundTrip, session: Session, monkeypatch) -> None:
    monkeypatch.setattr("tokenloupe.models.inspector_roundtrip.AT_ONCE", 4)
    session.edit(0, 0, b"a")
    assert panel.model.verdict is None and panel.check.isVisibleTo(panel)
    assert panel.sentence.text() == "The text has 7 bytes: it is decoded when you ask for it."
    panel.check.click()
    assert panel.model.verdict is not None and len(titles(panel)) == 2
    assert not panel.check.isVisibleTo(panel)


def test_nothing_is_done_while_hidden(panel: RoundTrip, session: Session) -> None:
    panel.hide()
    session.edit(0, 0, b"B")
    assert panel.model.verdict is None
    panel.show()
    assert [t for t, _ in titles(panel)] == ["B → b", "B → b", "x → ?"]


def test_the_verdict_can_be_copied_and_has_names(panel: RoundTrip) -> None:
    panel.copy()
    assert "bytes 1–2\tLowercase\t42\t62\n" in QGuiApplication.clipboard().text()
    assert all(w.textFormat() == Qt.TextFormat.PlainText for w in panel.findChildren(QLabel))
    assert panel.losses.accessibleName() and panel.next.accessibleName()
    assert not panel.grab().isNull()
