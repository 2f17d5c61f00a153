"""A tokenizer with an unknown stage in the window: a sentence, and a button that opens its vocabulary alone."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtWidgets import QPushButton

from tokenloupe.app.main_window import MainWindow
from tokenloupe.models.compare_vocab import CompareDesk
from tokenloupe.panels import PANELS

from .test_window import small_tokenizer


def unknown(folder: Path) -> Path:
    file = small_tokenizer(folder)
    file.write_text(json.dumps({**json.loads(file.read_text()), "pre_tokenizer": {"type": "Sparkle"}}))
    return file


def test_the_notice_offers_the_vocabulary(fill, tmp_path: Path) -> None:
    window: MainWindow = fill(b"abc")
    before = window.session.tokenizer
    window.files.open(unknown(tmp_path))
    assert "'Sparkle' is no pre-tokenizer" in window.notice.text
    assert window.session.tokenizer is before
    button = window.notice.findChild(QPushButton)
    assert button.isVisible() and button.text() == "Open Its Vocabulary"
    button.click()
    session = window.session
    assert session.tokenizer.vocabulary.id_of(b"ab") == 3 and len(session.tokenizer.vocabulary) == 5
    assert "a text gives no tokens" in window.notice.text and window.notice.isVisible()
    assert session.data == b"abc" and session.document.token_count == 0
    assert not window.settings.get("tokenizer", "").endswith("tokenizer.json")  # the next start has one with tokens


def test_every_panel_is_alive_without_tokens(fill, tmp_path: Path) -> None:
    window: MainWindow = fill(b"abc \xff\n\xe2\x82\xac")
    window.files.open_tokenizer(str(unknown(tmp_path)), vocabulary_only=True)
    for panel in PANELS:
        window.docks.show(panel.id)
    session = window.session
    session.edit(0, 1, "x€".encode())
    session.undo()
    session.select(1, 2)
    session.set_special("parse")
    assert session.document.token_count == 0
    window.grab()


def test_an_ordinary_failure_offers_nothing(window: MainWindow, tmp_path: Path) -> None:
    file = small_tokenizer(tmp_path)
    file.write_text(file.read_text()[:-30])
    window.files.open(file)
    assert window.notice.isVisible() and not window.notice.findChild(QPushButton).isVisible()


def test_a_window_that_begins_with_it_has_the_default_and_the_offer(program, qapp, tmp_path: Path) -> None:
    program.settings.set("tokenizer", str(unknown(tmp_path)))
    window = program.open_window([])
    assert window.session.ready and window.session.tokenizer.name == "o200k_base"
    button = window.notice.findChild(QPushButton)
    assert "'Sparkle' is no pre-tokenizer" in window.notice.text and button.isVisible()
    button.click()
    assert window.session.tokenizer.name == "tokenizer.json"


def test_it_can_be_the_second_of_two_vocabularies(fill, tmp_path: Path) -> None:
    window: MainWindow = fill(b"abc")
    desk = CompareDesk.of(window.session)
    desk.open(unknown(tmp_path))
    assert desk.both is not None and desk.both.counts.shared + desk.both.counts.only_right == 5
