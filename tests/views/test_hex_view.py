"""The hex view as a user meets it: keys, mouse, editing with undo beside the editor, one selection and one hover."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from tokenloupe.core.hexsource import FileSource
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.editor import EditorView
from tokenloupe.views.hex_view import HexView

K = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT, ALT = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier,
                    Qt.KeyboardModifier.AltModifier)


@pytest.fixture
def make(qtbot):
    def made(data: bytes, width: int = 900, height: int = 300) -> HexView:
        session = Session(load_bundled("gpt2"), data, jobs=Jobs(synchronous=True))
        view = HexView(session)
        session.setParent(view)
        qtbot.addWidget(view)
        view.resize(width, height)
        view.show()
        view.sheet.setFocus()
        QApplication.processEvents()
        return view

    return made


def press(view: HexView, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, times: int = 1) -> None:
    for _ in range(times):
        QApplication.sendEvent(view.sheet, QKeyEvent(QEvent.Type.KeyPress, key, modifiers, ""))


def write(view: HexView, text: str) -> None:
    for char in text:
        QApplication.sendEvent(view.sheet, QKeyEvent(QEvent.Type.KeyPress, 0, NONE, char))


def point(view: HexView, byte: int, column: str = "hex") -> QPoint:
    """The middle of a byte's cell."""
    g, sheet = view.sheet.geometry_, view.sheet
    row, place = divmod(byte, g.row)
    x = g.hex_x(place) + g.cell / 2 if column == "hex" else g.text_x(place) + g.text_cell / 2
    return QPoint(round(x), round(sheet._head + (row - sheet.first_row + 0.5) * g.line))


def mouse(view: HexView, kind: QEvent.Type, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
    port = view.sheet.viewport()
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else Qt.MouseButton.LeftButton
    where = QPointF(at)
    QApplication.sendEvent(port, QMouseEvent(kind, where, QPointF(port.mapToGlobal(at)), button, held, modifiers))


def drag(view: HexView, first: int, last: int, column: str = "hex") -> None:
    mouse(view, QEvent.Type.MouseButtonPress, point(view, first, column))
    mouse(view, QEvent.Type.MouseMove, point(view, last, column))
    mouse(view, QEvent.Type.MouseButtonRelease, point(view, last, column))


# The bar of the issue: a byte of é, both views on one session

@pytest.mark.parametrize(("byte", "after", "mark"), [(0, b"x(\xa9y", ("A9", 2)), (1, b"x\xc3(y", ("C3", 1))])
def test_half_of_e_acute_becomes_an_opening_bracket(make, qtbot, byte: int, after: bytes, mark: tuple) -> None:
    view = make("xéy".encode())
    session = view.model.session
    editor = EditorView(session)
    qtbot.addWidget(editor)
    editor.resize(500, 200)
    editor.show()
    before = session.document.encoding().ids.tolist()
    session.select(1 + byte, 1 + byte)
    write(view, "2")
    assert session.data == "xéy".encode() and view.model.half == 2  # half a byte is no byte yet
    write(view, "8")
    assert session.data == after
    row = editor.sheet.text(editor.sheet.store.bytes(*editor.sheet.rows.span(0)))
    assert row.data == after
    assert [(m.label, m.byte_start) for m in row.marks if m.kind == "byte"] == [mark]  # the editor labels that byte
    editor.grab()
    view.grab()
    assert session.undo()
    row = editor.sheet.text(editor.sheet.store.bytes(*editor.sheet.rows.span(0)))
    assert row.text == "xéy" and not row.marks
    assert session.data == "xéy".encode() and not session.modified
    assert session.document.encoding().ids.tolist() == before
    assert session.redo() and session.data == after


# Keys

def test_arrows_go_by_byte_and_row(make) -> None:
    view = make(bytes(range(64)))
    model = view.model
    assert model.row == 16
    press(view, K.Key_Right, times=3)
    press(view, K.Key_Down)
    assert model.caret == 19
    press(view, K.Key_Left)
    press(view, K.Key_Up, times=5)
    assert model.caret == 2  # the first row keeps the column
    press(view, K.Key_End)
    assert model.caret == 15
    press(view, K.Key_Home)
    assert model.caret == 0
    press(view, K.Key_End, CTRL)
    assert model.caret == 64
    press(view, K.Key_Right)
    press(view, K.Key_Down)
    assert model.caret == 64
    press(view, K.Key_Home, CTRL)
    assert model.caret == 0


def test_shift_extends_and_arrows_collapse(make) -> None:
    view = make(bytes(range(64)))
    press(view, K.Key_Right, times=4)
    press(view, K.Key_Right, SHIFT, times=3)
    assert view.model.session.selection == (4, 7) and view.model.caret == 7
    press(view, K.Key_Right)
    assert view.model.selection == (7, 7)
    press(view, K.Key_Up, SHIFT)
    assert view.model.selection == (7, 7)
    press(view, K.Key_Home, SHIFT)
    press(view, K.Key_Right)
    assert view.model.selection == (7, 7)


def test_control_goes_by_token_and_alt_by_character(make) -> None:
    view = make("hi 😀 naïve".encode())
    tokens = view.model.session.document.encoding().tokens
    for token in tokens:
        press(view, K.Key_Right, CTRL)
        assert view.model.caret == token.end
    for token in reversed(tokens):
        press(view, K.Key_Left, CTRL)
        assert view.model.caret == token.start
    press(view, K.Key_Right, times=3)
    press(view, K.Key_Right, ALT)
    assert view.model.caret == 7
    press(view, K.Key_Left, ALT)
    assert view.model.caret == 3


def test_page_keys_keep_the_column(make) -> None:
    view = make(bytes(4096))
    page = view.sheet.whole_rows
    press(view, K.Key_Right, times=5)
    press(view, K.Key_PageDown)
    assert view.model.caret == 5 + 16 * page
    press(view, K.Key_PageUp, times=3)
    assert view.model.caret == 5


# Writing

def test_digits_write_over_and_one_undo_is_one_byte(make) -> None:
    view = make(b"abcd")
    write(view, "4142")
    assert view.model.session.data == b"ABcd" and view.model.caret == 2
    view.model.session.undo()
    assert view.model.session.data == b"Abcd"
    view.model.session.undo()
    assert view.model.session.data == b"abcd"


def test_insert_pushes_the_rest_on(make) -> None:
    view = make(b"abcd")
    press(view, K.Key_Insert)
    press(view, K.Key_Right)
    write(view, "fF00")
    assert view.model.session.data == b"a\xff\0bcd"
    assert view.mode.text() == "Insert"


def test_writing_at_the_end_appends(make) -> None:
    view = make(b"")
    write(view, "c3a9")
    assert view.model.session.data == "é".encode()


def test_a_half_byte_is_dropped_by_moving_escape_and_backspace(make) -> None:
    view = make(b"abcd")
    for key in (K.Key_Right, K.Key_Escape, K.Key_Backspace, K.Key_Return):
        view.sheet.set_column("hex")
        write(view, "7")
        assert view.model.half == 7
        press(view, key)
        assert view.model.half is None and view.model.session.data == b"abcd"


def test_the_text_column_takes_letters_and_input_methods(make) -> None:
    view = make(b"abcdef")
    press(view, K.Key_Return)
    write(view, "é")  # two bytes over two
    assert view.model.session.data == "écdef".encode()
    event = QInputMethodEvent("", [])
    event.setCommitString("漢")
    QApplication.sendEvent(view.sheet, event)
    assert view.model.session.data == "é漢f".encode()
    write(view, "yz")  # over the last byte, and one more
    assert view.model.session.data == "é漢yz".encode()


def test_delete_and_backspace(make) -> None:
    view = make(b"abcdef")
    press(view, K.Key_Right, times=2)
    press(view, K.Key_Delete)
    press(view, K.Key_Backspace)
    assert view.model.session.data == b"adef"
    press(view, K.Key_Right, SHIFT, times=2)
    press(view, K.Key_Delete)
    assert view.model.session.data == b"af"
    press(view, K.Key_End, CTRL)
    press(view, K.Key_Delete)
    press(view, K.Key_Home, CTRL)
    press(view, K.Key_Backspace)
    assert view.model.session.data == b"af"


def test_a_selection_is_replaced_when_inserting_and_written_over_else(make) -> None:
    view = make(b"abcdef")
    view.model.select(1, 4)
    write(view, "2d")
    assert view.model.session.data == b"a-cdef"
    press(view, K.Key_Insert)
    view.model.select(1, 4)
    write(view, "2e")
    assert view.model.session.data == b"a.ef"


# Clipboard

def test_copy_and_paste_in_both_columns(make) -> None:
    view = make(b"a\xc3\xff")
    view.select_all()
    view.copy()
    assert QGuiApplication.clipboard().text() == "61 c3 ff"
    press(view, K.Key_End, CTRL)
    view.paste()
    assert view.model.session.data == b"a\xc3\xffa\xc3\xff"
    view.sheet.set_column("text")
    view.model.select(0, 3)
    view.copy()
    view.model.select(6, 6)
    view.paste()
    assert view.model.session.data == b"a\xc3\xff" * 3
    view.sheet.set_column("hex")
    QGuiApplication.clipboard().setText("no hex")
    view.model.select(9, 9)
    view.paste()
    assert view.model.session.data == b"a\xc3\xff" * 3 + b"no hex"
    view.model.select(0, 3)
    view.cut()
    assert view.model.session.data == b"a\xc3\xff" * 2 + b"no hex"


# The mouse

@pytest.mark.parametrize("column", ["hex", "text"])
def test_dragging_selects_both_ends(make, column: str) -> None:
    view = make(bytes(range(64)))
    drag(view, 3, 21, column)
    assert view.model.session.selection == (3, 22) and view.model.caret == 22 and view.sheet.column == column
    drag(view, 21, 3, column)
    assert view.model.session.selection == (3, 22) and view.model.caret == 3
    mouse(view, QEvent.Type.MouseButtonPress, point(view, 30, column), SHIFT)
    assert view.model.selection == (22, 31)
    mouse(view, QEvent.Type.MouseButtonRelease, point(view, 30, column))
    mouse(view, QEvent.Type.MouseButtonPress, point(view, 9, column))
    assert view.model.selection == (9, 9)


def test_double_click_selects_the_token_and_hover_lights_it(make) -> None:
    view = make("hi 😀 naïve".encode())
    tokens = view.model.session.document.encoding().tokens
    inside = tokens[2]
    mouse(view, QEvent.Type.MouseButtonDblClick, point(view, inside.start))
    assert view.model.session.selection == (inside.start, inside.end)
    view.sheet.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, QPointF(point(view, 0)), QPointF(0, 0),
                                          Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, NONE))
    assert view.model.session.hover == (tokens[0].start, tokens[0].end)
    assert view.model.session.selection == (inside.start, inside.end)  # hovering moves nothing
    QApplication.sendEvent(view.sheet, QEvent(QEvent.Type.Leave))
    assert view.model.session.hover == (-1, -1)


def test_the_selection_of_the_others_is_shown_and_scrolled_to(make) -> None:
    view = make(bytes(100_000))
    view.model.session.select(80_000, 80_004)
    row = 80_004 // view.model.row
    assert view.sheet.first_row <= row < view.sheet.first_row + view.sheet.whole_rows
    view.grab()


# Tokens, faults, places

def test_owners_are_the_tokens(make) -> None:
    view = make("hi 😀 ÿ".encode() + b"\xff\xfe ok")
    encoding = view.model.session.document.encoding()
    want = [next(t.index for t in encoding.tokens if t.start <= k < t.end) for k in range(len(encoding.data))]
    assert view.model.owners(0, len(want)).tolist() == want
    assert view.model.owners(4, 9).tolist() == want[4:9]
    assert view.model.owners(5, 5).tolist() == []


def test_the_place_is_told_in_words(make) -> None:
    view = make("a€".encode() + b"\xff")
    view.model.select(2, 2)
    assert view.place.text().startswith("Byte 2 (0x2)   82, continuation   U+20AC €, byte 2 of 3   token ")
    view.model.select(4, 4)
    assert "ff, invalid" in view.place.text()
    view.model.select(0, 4)
    assert view.place.text().startswith("4 bytes selected, 0x0 to 0x3")


@pytest.mark.parametrize("width", [320, 480, 900])
def test_rows_fit_the_width(make, width: int) -> None:
    view = make(bytes(300), width)
    assert view.sheet.geometry_.width <= view.sheet.viewport().width()
    assert view.sheet.geometry_.row == (16 if width == 900 else view.sheet.geometry_.row) >= 4
    view.sheet.set_zoom(2.0)
    view.grab()


def test_a_file_is_shown_and_not_edited(make, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes("häy".encode() * 100)
    view = make(b"text")
    view.model.session.select(2, 2)
    view.model.show(FileSource(tmp_path / "a.bin"))
    press(view, K.Key_Right, CTRL, times=2)
    assert view.model.caret == 3 and view.model.session.caret == 2
    write(view, "00")
    press(view, K.Key_Delete)
    assert (tmp_path / "a.bin").read_bytes() == "häy".encode() * 100 and view.model.session.data == b"text"
    view.grab()
    view.select_all()
    assert view.selected_bytes() == "häy".encode() * 100
    view.model.show(None)
    assert view.model.caret == 2 and len(view.model) == 4


# Going, finding, values

def test_go_to_an_offset(make) -> None:
    view = make(bytes(1000))
    press(view, K.Key_G, CTRL)
    view.bar.field.setText("0x1f0")
    view.bar.go()
    assert view.model.caret == 496 and not view.bar.isVisible() and view.sheet.hasFocus()
    press(view, K.Key_G, CTRL)
    view.bar.field.setText("5000")
    view.bar.go()
    assert view.model.caret == 496 and "1,000 bytes" in view.bar.answer.text()
    press_bar_escape = QKeyEvent(QEvent.Type.KeyPress, K.Key_Escape, NONE, "")
    QApplication.sendEvent(view.bar, press_bar_escape)
    assert not view.bar.isVisible()


def test_the_windows_keys_mean_this_view_while_it_has_the_focus(make) -> None:
    view = make(b"abc")
    for key, modifiers in ((K.Key_F, CTRL), (K.Key_G, CTRL), (K.Key_F3, NONE), (K.Key_F3, SHIFT)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers, "")
        event.ignore()
        QApplication.sendEvent(view.sheet, event)
        assert event.isAccepted()


def test_find_bytes_and_text(make) -> None:
    view = make("x Straße é STRASSE".encode() + b"\xff\x00")
    press(view, K.Key_F, CTRL)
    view.bar.field.setText("c3 9f")
    view.bar.go()
    assert view.model.selection == (6, 8) and view.bar.answer.text() == "at 0x6"
    view.bar.field.setText("ff00")
    view.bar.search(True)
    assert view.model.selection == (20, 22)
    view.bar.search(True)
    assert view.bar.answer.text() == "at 0x14, around the end"
    view.bar.what.setCurrentIndex(2)
    view.bar.field.setText("STRA")
    view.bar.search(True)
    assert view.model.selection == (2, 6)
    press(view, K.Key_F3)
    assert view.model.selection == (13, 17)
    press(view, K.Key_F3, SHIFT)
    assert view.model.selection == (2, 6)
    view.bar.what.setCurrentIndex(1)
    view.bar.field.setText("stra")
    view.bar.search(True)
    assert view.bar.answer.text() == "not found" and view.model.selection == (2, 6)
    view.bar.what.setCurrentIndex(0)
    view.bar.field.setText("xyz")
    view.bar.search(True)
    assert "hexadecimal" in view.bar.answer.text()
    view.grab()


def test_copy_as(make) -> None:
    view = make(b"a\xc3\xa9\xff")
    view.select_all()
    clipboard = QGuiApplication.clipboard()
    for form, want in (("Hex", "61 c3 a9 ff"), ("Python bytes", "b'a\\xc3\\xa9\\xff'"), ("Text", "aé\ufffd"),
                       ("Escaped Text", "aé\\xff")):
        view.copy_as(form)
        assert clipboard.text() == want
    view.copy_as("C Array")
    assert "data[4] = {\n    0x61, 0xc3, 0xa9, 0xff\n}" in clipboard.text()
    names = [a.text() for a in view.menu().actions()]
    assert "Copy As" in names


def test_the_inspector_follows_the_caret(make, qtbot) -> None:
    view = make(b"\0" * 7 + b"\x80" + "é".encode())
    rows = {view.inspector.topLevelItem(k).text(0): k for k in range(view.inspector.topLevelItemCount())}
    assert view.inspector.isVisible()
    view.inspector.refresh()
    assert view.inspector.topLevelItem(rows["u64"]).text(1) == "9223372036854775808"
    view.model.select(8, 8)
    qtbot.waitUntil(lambda: not view.inspector._soon.isActive())
    assert view.inspector.topLevelItem(rows["UTF-8"]).text(1) == "U+00E9 é LATIN SMALL LETTER E WITH ACUTE"
    assert view.inspector.topLevelItem(rows["u64"]).text(1) == ""
    view.inspector.itemClicked.emit(view.inspector.topLevelItem(rows["UTF-8"]), 0)
    assert view.model.session.selection == (8, 10)
    view.model.session.edit(8, 1, b"\xc4", "hex", caret=8)
    qtbot.waitUntil(lambda: not view.inspector._soon.isActive())
    assert view.inspector.topLevelItem(rows["u8"]).text(1) == "196"
    view.resize(320, 300)
    QApplication.processEvents()
    assert not view.inspector.isVisible()
    view.inspect.click()
    assert view.inspector.isVisible()
    view.grab()


# Files

def test_a_large_file_is_paged_through(make, tmp_path: Path) -> None:
    """A sparse file of 5 GiB with something in its middle: places beyond 32 bits are reached and found."""
    file = tmp_path / "large.bin"
    with file.open("wb") as out:
        out.truncate(5 << 30)
        out.seek((5 << 30) - 100)
        out.write("here é".encode())
    view = make(b"text")
    view.show_file(file)
    assert len(view.model) == 5 << 30 and view.place.text().startswith("large.bin, 5,368,709,120 bytes")
    view._asked("go_to")
    view.bar.field.setText("0x13fffffa1")
    view.bar.go()
    assert view.model.caret == (5 << 30) - 95 and " U+00E9 é, byte 1 of 2" in view.place.text()
    press(view, K.Key_End, CTRL)
    assert view.model.caret == 5 << 30
    view.sheet.column = "text"
    view._asked("find")
    view.bar.field.setText("HERE")
    view.bar.what.setCurrentIndex(2)
    view.bar.search(False)
    assert view.model.selection == ((5 << 30) - 100, (5 << 30) - 96)
    view.grab()
    view.show_text()
    assert view.model.is_text and view.model.session.data == b"text"


def test_a_file_that_cannot_be_read_is_one_sentence(make, tmp_path: Path) -> None:
    view = make(b"text")
    told: list[str] = []
    view.model.session.failed.connect(told.append)
    view.show_file(tmp_path / "nothing")
    view.show_file(tmp_path)
    assert len(told) == 2 and "nothing" in told[0] and view.model.is_text


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open is not cut short or removed")
def test_a_file_that_changes_while_it_is_shown(make, tmp_path: Path) -> None:
    """Grown, cut short, written over, replaced, removed and back: what is there now is shown, the caret stays."""
    path, said = tmp_path / "log", []
    path.write_bytes(bytes(1000))
    view = make(b"text")
    view.model.session.message.connect(said.append)
    view.show_file(path)
    view.model.select(700, 710)
    view.look_again()
    assert not said and len(view.model) == 1000 and view._watch.isActive()
    for data, selection in ((bytes(5000), (700, 710)), (b"x" * 705, (700, 705)), (b"y" * 705, (700, 705)),
                            (b"", (0, 0)), (b"abc", (0, 0))):
        path.write_bytes(data)
        os.utime(path, ns=(0, len(said) + 10**9 * len(data) + data[:1].count(b"y")))
        view.look_again()
        view.grab()
        assert view.model.source.bytes(0, 9999) == data and view.model.selection == selection
        assert f"{len(data):,} bytes" in view.place.text()
    assert said == ["log has become shorter: it was 5,000 bytes", "log has become shorter: it was 705 bytes"]
    path.unlink()
    view.look_again()
    view.look_again()
    assert said[2:] == ["log is not there any more; what was open is shown"]
    assert view.model.source.bytes(0, 9) == b"abc"
    path.write_bytes(b"back")
    view.look_again()
    assert view.model.source.bytes(0, 9) == b"back"
    view.show_text()
    assert not view._watch.isActive() and view.model.is_text


def test_a_wide_panel_becomes_narrow_at_once(make) -> None:
    view = make(bytes(100), width=1200)
    assert view.inspector.isVisible() and 300 <= view.inspector.width() <= 440
    view.resize(330, 300)
    QApplication.processEvents()
    assert view.width() == 330


def test_zoom_is_the_inspectors_too(make) -> None:
    """Values as large as the bytes beside them; they leave the bytes their room."""
    view = make(bytes(100), width=1100)
    font = view.inspector.topLevelItem(0).font(1)
    assert view.inspector.isVisible() and view.model.row == 16
    view.set_zoom(2.0)
    QApplication.processEvents()
    assert view.inspector.topLevelItem(0).font(1).pointSizeF() == 2 * font.pointSizeF()
    assert not view.inspector.isVisible() and view.model.row == 16
    view.set_zoom(1.0)
    assert view.inspector.isVisible() and view.inspector.topLevelItem(0).font(1) == font
