"""Lines are counted alike beside the text, in the status line and by "Go to"."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tokenloupe.app.main_window import MainWindow
from tokenloupe.app.places import go_to
from tokenloupe.core.errors import InputError
from tokenloupe.views.status import place_in

TEXT = "a\r\nb\rc\u2028é\u2029\n\x85\x0b\x0cd\r".encode() + b"\xff\xf0\x9f"
#: Where each line of TEXT begins, by hand.
STARTS = (0, 3, 5, 9, 14, 15, 21)


def test_lines_and_columns(fill, qapp: QApplication) -> None:
    window: MainWindow = fill(TEXT)
    rows = window.editor.sheet.rows
    assert [rows.span(r)[0] for r in range(len(rows))] == list(STARTS)
    for number, start in enumerate(STARTS, 1):
        go_to(window.session, f":{number}")
        assert window.session.caret == start
        assert window.editor.place_of(start) == place_in(window.session, start) == (number, 1)
        assert f"Ln {number}, Col 1 " in window.status.caret.text()
    for at in range(len(TEXT) + 1):
        if at not in (1, 12, 13) and TEXT[at : at + 1] < b"\x80":
            assert window.editor.place_of(at) == place_in(window.session, at)
    assert place_in(window.session, 2) == window.editor.place_of(2) == (1, 3)  # within CRLF
    assert place_in(window.session, len(TEXT)) == (7, 4)  # each byte that is no UTF-8 is a column
    for bad in (":8", ":0", ":-1"):
        with pytest.raises(InputError, match="no line"):
            go_to(window.session, bad)


def test_the_place_after_an_edit_is_that_of_the_new_text(fill) -> None:
    window: MainWindow = fill(b"one\ntwo\nthree")
    window.session.select(13, 13)
    assert "Ln 3, Col 6 " in window.status.caret.text()
    window.session.edit(3, 1, b"", "delete", caret=12)
    assert "Ln 2, Col 6 " in window.status.caret.text()
    window.session.edit(0, 0, b"\n\n", "paste", caret=14)
    assert "Ln 4, Col 6 " in window.status.caret.text()
