"""Input as: each kind becomes the text in one step of Undo; what is wrong is told with its place, nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tokenloupe.core.errors import InputError
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models import inputs
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.input_dialog import InputDialog


@pytest.fixture
def session(qapp) -> Session:
    """gpt2: hello 31373, he 258, llo 18798, " world" 995 (tiktoken 0.14)."""
    return Session(load_bundled("gpt2"), b"before", jobs=Jobs(synchronous=True))


@pytest.fixture
def dialog(qtbot: QtBot, session: Session) -> InputDialog:
    made = InputDialog(None, session)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def choose(dialog: InputDialog, kind: str, text: str) -> None:
    dialog.kind.setCurrentIndex(dialog.kind.findData(kind))
    if kind == "file":
        dialog.path.setText(text)
    else:
        dialog.fields[kind].setPlainText(text)


@pytest.mark.parametrize(
    ("kind", "text", "data"),
    [
        ("hex", "68 69\nff", b"hi\xff"),
        ("escaped", "a\\n\\xff\\u{1f600}\nb", b"a\n\xff\xf0\x9f\x98\x80\nb"),
        ("ids", "[31373, 995]", b"hello world"),
        ("text", "a\u00a0b\u2028c\nd", "a\u00a0b\u2028c\nd".encode()),  # a box of Qt's own would change both
    ],
)
def test_each_kind_becomes_the_text(dialog: InputDialog, session: Session, kind: str, text: str, data: bytes) -> None:
    choose(dialog, kind, text)
    assert dialog.bytes.text().startswith(f"{len(data)} bytes")
    dialog.put()
    assert session.data == data
    assert not dialog.isVisible()
    session.undo()
    assert session.data == b"before"


def test_at_the_caret(dialog: InputDialog, session: Session) -> None:
    session.select(2, 4)
    choose(dialog, "hex", "21")
    dialog.here.setChecked(True)
    assert dialog.ok.text() == "Insert"
    dialog.put()
    assert session.data == b"be!re"
    session.undo()
    assert session.data == b"before"


def test_a_binary_file(dialog: InputDialog, session: Session, tmp_path: Path) -> None:
    file = tmp_path / "é🦙.bin"
    file.write_bytes(bytes(range(256)))
    choose(dialog, "file", str(file))
    dialog.put()
    assert session.data == bytes(range(256))


@pytest.mark.parametrize("name", ["", "nowhere/at/all", "\0", "."])
def test_a_file_that_cannot_be_read_is_one_sentence(dialog: InputDialog, session: Session, name: str) -> None:
    choose(dialog, "file", name)
    dialog.put()
    assert dialog.isVisible() and dialog.problem.text() and "\n" not in dialog.problem.text()
    assert session.data == b"before"


def test_what_is_wrong_is_shown_at_its_place(dialog: InputDialog, session: Session) -> None:
    choose(dialog, "hex", "68\n6g 70")
    assert dialog.problem.text() == "'g' is no hex digit, line 2, column 2; give two hex digits a byte"
    assert dialog.place.isVisible()
    dialog.put()
    assert dialog.isVisible() and session.data == b"before"
    field = dialog.fields["hex"]
    assert field.textCursor().selectedText() == "g"
    assert field.text() == "68\n6g 70"
    choose(dialog, "escaped", "😀\\q")  # a place is counted in characters, Qt's in UTF-16 units
    dialog.put()
    assert dialog.fields["escaped"].textCursor().selectedText() == "\\"


def test_nothing_that_was_typed_is_lost(dialog: InputDialog, session: Session, qtbot: QtBot) -> None:
    choose(dialog, "hex", "6")
    choose(dialog, "ids", "12 x")
    dialog.here.setChecked(True)
    dialog.reject()
    again = InputDialog(None, session)
    again.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(again)
    assert (again.draft.kind, again.fields["ids"].text(), again.fields["hex"].text()) == ("ids", "12 x", "6")
    assert again.here.isChecked()


def test_are_the_ids_canonical(dialog: InputDialog) -> None:
    choose(dialog, "ids", "31373 995")
    assert dialog.verdict.text() == "Canonical: the tokenizer makes these ids of their text."
    assert dialog.verdict.objectName() == "good"
    choose(dialog, "ids", "31373 995 258 18798")
    assert dialog.verdict.text() == ("Not canonical. At index 2, byte 11: here 258 “he”, the tokenizer's own 31373 "
                                     "“hello”; 4 ids here, 3 its own.")
    assert dialog.verdict.objectName() == "warn"
    choose(dialog, "ids", "31373 -1 2147483648")
    assert dialog.verdict.text().startswith("No token has the ids -1, 2147483648: nothing stands for them.")
    assert dialog.verdict.text().endswith("At index 1: here -1 (no such token), the tokenizer's own end; 3 ids here, 1 "
                                          "its own.")
    assert dialog.bytes.text() == "5 bytes, 5 code points"
    choose(dialog, "ids", "31373 50256")  # with <|endoftext|>, which is matched where it is among the ids
    assert dialog.verdict.objectName() == "good"


def test_a_paste_that_the_box_would_change(dialog: InputDialog) -> None:
    mime = QMimeData()
    mime.setText("a\ufeffb\r\nc")
    dialog.kind.setCurrentIndex(dialog.kind.findData("text"))
    dialog.fields["text"].insertFromMimeData(mime)
    assert "cannot hold U+FEFF" in dialog.problem.text() and dialog.fields["text"].text() == ""
    dialog.kind.setCurrentIndex(dialog.kind.findData("escaped"))
    dialog.fields["escaped"].insertFromMimeData(mime)
    assert inputs.KINDS["escaped"](dialog.fields["escaped"].text()) == "a\ufeffb\r\nc".encode()


def test_names_and_plain_text(dialog: InputDialog) -> None:
    choose(dialog, "escaped", "<b>x</b>")
    assert dialog.shown.text() == "<b>x</b>"
    assert all(w.textFormat() == Qt.TextFormat.PlainText for w in dialog.findChildren(QLabel))
    for widget in dialog.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            assert widget.accessibleName() or getattr(widget, "text", lambda: "x")(), widget


def test_without_a_tokenizer(qtbot: QtBot) -> None:
    made = InputDialog(None, Session(jobs=Jobs(synchronous=True)))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    choose(made, "ids", "1 2")
    assert made.problem.text() == "there is no tokenizer yet; choose one, then give its ids"
    choose(made, "hex", "41")
    made.put()
    assert made.problem.text().startswith("there is no tokenizer yet")


def test_places_of_errors() -> None:
    assert inputs.position(InputError("x", where="character 3"), "abc") == 2
    assert inputs.position(InputError("x", where="line 2, column 1"), "ab\nc") == 3
    assert inputs.position(InputError("x", where="a file"), "ab") is None
