"""Find, go to, the context menu and what a screen reader gets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tokenloupe.core.errors import InputError
from tokenloupe.views.editor_menu import context_menu
from tokenloupe.views.text_search import Query

from .editor_kit import FAMILY, key, make_fixture, type_text  # noqa: F401


def spans(query: Query | None, data: bytes) -> list[tuple[int, int]]:
    assert query is not None
    return list(query.all(data))


def test_text_with_and_without_case() -> None:
    data = "Äpfel äpfel ÄPFEL".encode()
    assert spans(Query.text("äpfel"), data) == [(0, 6), (7, 13), (14, 20)]
    assert spans(Query.text("äpfel", case=True), data) == [(7, 13)]
    assert spans(Query.text("."), b"a.b") == [(1, 2)]  # no pattern language
    assert Query.text("") is None


def test_bytes() -> None:
    assert spans(Query.hex("9f 98"), "x😀".encode()) == [(2, 4)]
    assert spans(Query.hex("ff"), b"\xff\xff") == [(0, 1), (1, 2)]
    with pytest.raises(InputError):
        Query.hex("9f 9")


def test_next_and_previous_go_on_at_the_other_end() -> None:
    query, data = Query.text("ab"), b"ab--ab--ab"
    assert query is not None
    assert query.next(data, 1) == (4, 6) and query.next(data, 9) == (0, 2)
    assert query.previous(data, 8) == (4, 6) and query.previous(data, 1) == (8, 10)
    assert Query.text("x").next(data, 0) is None


def test_the_bar(make) -> None:
    view = make("one two one\n" * 50 + FAMILY)
    view.select(0, 3)
    view.show_find()
    assert view.find_bar_shown and view.find_bar.field.text() == "one"
    key(view.find_bar.field, Qt.Key.Key_Return)
    assert view.session.selection == (8, 11)
    view.find_next()
    assert view.session.selection == (12, 15)
    view.find_previous()
    view.find_previous()
    assert view.session.selection == (0, 3)
    view.find_previous()
    assert view.session.selection == (12 * 49 + 8, 12 * 49 + 11)  # round the start
    view.find_bar.count_now()
    assert view.find_bar.count.text() == "100 of 100"
    assert view.matches_in(0, 12) == [(0, 3), (8, 11)]
    view.grab()
    key(view.find_bar.field, Qt.Key.Key_Escape)
    assert not view.find_bar_shown and view.matches_in(0, 12) == []


def test_the_bar_finds_bytes_and_says_what_is_wrong(make) -> None:
    view = make(b"a\xf0\x9f\x98\xffb")
    view.show_find()
    view.find_bar.mode.setCurrentIndex(1)
    view.find_bar.field.setText("98 ff")
    view.find_next()
    assert view.session.selection == (3, 5)
    view.find_bar.field.setText("9")
    assert view.find_bar.query is None and "two digits" in view.find_bar.count.text()
    view.find_bar.field.setText("00")
    view.find_bar.count_now()
    assert view.find_bar.count.text() == "no match"
    said: list[str] = []
    view.session.message.connect(said.append)
    view.find_next()
    assert said == ["No match"]


def test_the_bar_fits_a_narrow_window(make) -> None:
    view = make("text", size=(320, 200))
    view.show_find()
    assert view.find_bar.minimumSizeHint().width() <= 320 and view.find_bar.width() == 320


def test_the_context_menu(make) -> None:
    view = make("hello world")
    view.select(0, 8)
    actions = {a.text().replace("&", ""): a for a in context_menu(view).actions() if a.text()}
    assert actions["Copy"].isEnabled() and not actions["Undo"].isEnabled()
    actions["Copy ids"].trigger()
    assert QGuiApplication.clipboard().text() == " ".join(map(str, view.session.document.window(0, 8).ids.tolist()))
    actions["Copy bytes as hex"].trigger()
    assert QGuiApplication.clipboard().text() == b"hello wo".hex(" ")
    actions["Wrap lines"].trigger()
    assert not view.sheet.wrap
    view.set_read_only(True)
    actions = {a.text().replace("&", ""): a for a in context_menu(view).actions() if a.text()}
    assert not actions["Paste"].isEnabled() and not actions["Cut"].isEnabled() and actions["Copy"].isEnabled()


def test_a_screen_reader_gets_the_line_the_caret_and_the_selection(make) -> None:
    view = make(b"first\nx\xff" + "😀 second".encode())
    view.select(6, 8)
    view.mirror.feed()
    assert view.mirror.toPlainText() == "x\ufffd😀 second"
    assert view.mirror.textCursor().selectedText() == "x\ufffd"
    view.go_to_byte(12)
    view.mirror.feed()
    assert view.mirror.textCursor().position() == 4
    assert view.accessibleName() and view.mirror.focusProxy() is view and view.mirror.hasFocus()
    type_text(view, "!")
    view.mirror.feed()
    assert view.mirror.toPlainText() == "x\ufffd😀! second"


def test_a_session_that_gets_its_tokenizer_later(qtbot) -> None:
    from tokenloupe.formats.bundled import load_bundled
    from tokenloupe.models.jobs import Jobs
    from tokenloupe.models.session import Session
    from tokenloupe.views.editor import EditorView

    session = Session(None, b"early", jobs=Jobs(synchronous=True))
    view = EditorView(session)
    qtbot.addWidget(view)
    view.show()
    view.grab()
    session.set_data(b"two\nlines")
    session.set_tokenizer(load_bundled("gpt2"))
    assert len(view.sheet.rows) == 2 and not view.sheet.picture(0).tokens.plain
    view.setFocus()
    type_text(view, "x")
    assert session.data == b"xtwo\nlines"
    session.set_data(b"other", "name")
    assert len(view.sheet.rows) == 1 and view.sheet.picture(0).layout.row.data == b"other"
    view.grab()
