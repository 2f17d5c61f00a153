"""The bytes after each kind of input: what is typed, pasted, dropped or committed is what is tokenized."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QInputMethodEvent, QKeySequence, QTextCharFormat

from tokenloupe.core.errors import InputError
from tokenloupe.views.editor import EditorView
from tokenloupe.views.editor_clipboard import BYTES, bytes_of, from_hex, mime_of, unescape

from .editor_kit import CTRL, FAMILY, NONE, SHIFT, click, ime, key, make_fixture, place, type_text  # noqa: F401

K = QKeySequence.StandardKey

# The case ui-nbsp-lost of the collected faults, and more that QPlainTextEdit changes or drops.
KEPT = ["a\u00a0b", "a\u2028b\u2029c", "a\r\nb", "a\rb", "\ufeffab", "\ufdd0", "\ud83d", "\ud83dx\ude00",
        "\0", "\x1b[0m",
        "\u200b\u200d\u202e", "e\u0301", FAMILY, "\U0001f600", "\t", "\n\n", "\ufffc", "\ufffd", "\U000f0000"]


def raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("text", KEPT, ids=ascii)
def test_pasted_text_stays_what_it_is(make, text: str) -> None:
    view = make("<>")
    view.move_to(view_place(1), False)
    QGuiApplication.clipboard().setMimeData(mime_of(raw(text)))
    key(view, K.Paste)
    assert view.session.data == b"<" + raw(text) + b">"
    view.select_all()
    view.copy()
    assert bytes_of(QGuiApplication.clipboard().mimeData()) == view.session.data
    view.grab()


def view_place(byte_pos: int):
    from tokenloupe.views.editor_moves import Place

    return Place(byte_pos)


def test_all_bytes_survive_the_clipboard(make) -> None:
    view = make(bytes(range(256)))
    view.select_all()
    key(view, K.Cut)
    assert view.session.data == b""
    key(view, K.Paste)
    key(view, K.Paste)
    assert view.session.data == bytes(range(256)) * 2


@pytest.mark.parametrize("text", ["a\u00a0b", "a\r\nb\rc\n", "\ufeffx", "a\u2028b"], ids=ascii)
def test_text_of_other_programs_is_pasted_as_it_is(make, text: str) -> None:
    view = make()
    mime = QMimeData()
    mime.setData("text/plain", QByteArray(text.encode()))  # PySide's setText drops a leading U+FEFF
    QGuiApplication.clipboard().setMimeData(mime)
    view.paste()
    assert view.session.data == text.encode()


def test_raw_utf8_of_other_programs_is_taken_before_qts_reading_of_it() -> None:
    mime = QMimeData()
    mime.setText("a?b")
    mime.setData("text/plain;charset=utf-8", QByteArray(b"a\xffb\r\n"))
    assert bytes_of(mime) == b"a\xffb\r\n"


def test_other_programs_get_readable_text() -> None:
    mime = mime_of(b"a\xff\xf0\x9f\x98\x80")
    assert mime.text() == "a\ufffd\U0001f600" and mime.hasFormat(BYTES)


def test_escapes_and_hex() -> None:
    assert unescape(r"a\xff\u200d\u{1f600}\n\0\\x") == b"a\xff\xe2\x80\x8d\xf0\x9f\x98\x80\n\0\\x"
    assert unescape(r"\ud83d\ude00") == "\U0001f600".encode()  # a pair joins
    assert unescape(r"\ud83d") == b"\xed\xa0\xbd"
    assert from_hex("f0 9f,98 80 0xff\\x00") == b"\xf0\x9f\x98\x80\xff\0"
    for bad in ("f", "zz", "0x1"):
        with pytest.raises(InputError):
            from_hex(bad)
    with pytest.raises(InputError):
        unescape(r"\u{110000}")


def test_paste_of_escapes_and_of_hex(make) -> None:
    view = make()
    QGuiApplication.clipboard().setText(r"\ud83d")
    view.paste_escapes()
    QGuiApplication.clipboard().setText("ff 00")
    view.paste_hex()
    assert view.session.data == b"\xed\xa0\xbd\xff\0"
    said: list[str] = []
    view.session.failed.connect(said.append)
    QGuiApplication.clipboard().setText("no hex")
    view.paste_hex()
    assert len(said) == 1 and view.session.data == b"\xed\xa0\xbd\xff\0"


def test_typing(make) -> None:
    view = make()
    type_text(view, "hé漢😀\u00a0\u200b")
    assert view.session.data == "hé漢😀\u00a0\u200b".encode()
    key(view, Qt.Key.Key_Return)
    key(view, Qt.Key.Key_Tab)
    key(view, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert view.session.data == "hé漢😀\u00a0\u200b\n\t\n".encode()
    assert view.session.caret == len(view.session)


def test_typing_takes_the_place_of_the_selection(make) -> None:
    view = make("hello world")
    view.select(0, 5)
    type_text(view, "x")
    assert view.session.data == b"x world"


def test_control_keys_type_nothing(make) -> None:
    view = make("a")
    for modifiers in (CTRL, CTRL | SHIFT):
        event_key = Qt.Key.Key_J
        key(view, event_key, modifiers)
    assert view.session.data == b"a"


def test_overwrite(make) -> None:
    view = make(f"a{FAMILY}b\nc")
    view.move_to(view_place(1), False)
    key(view, Qt.Key.Key_Insert)
    type_text(view, "xyz")
    assert view.session.data == b"axyz\nc"  # the end of the line is kept


@pytest.mark.parametrize(("text", "left"), [
    ("ab", "a"), (f"a{FAMILY}", "a"), ("a🇩🇪🇫🇷", "a🇩🇪"), ("a\r\n", "a"), ("e\u0301", "e"), ("กำ", "ก"), ("a👍🏽", "a"),
    ("漢字", "漢")])
def test_backspace_takes_an_emoji_whole_and_a_mark_alone(make, text: str, left: str) -> None:
    view = make(text)
    view.move_to(view_place(len(text.encode())), False)
    key(view, Qt.Key.Key_Backspace)
    assert view.session.data == left.encode()


def test_backspace_and_delete_take_one_byte_that_is_no_utf8(make) -> None:
    view = make(b"a\xf0\x9f\xffb")
    view.move_to(view_place(4), False)
    key(view, Qt.Key.Key_Backspace)
    assert view.session.data == b"a\xf0\x9fb"
    view.move_to(view_place(1), False)
    key(view, K.Delete)
    assert view.session.data == b"a\x9fb"


def test_delete_takes_a_cluster(make) -> None:
    view = make(f"{FAMILY}x")
    key(view, K.Delete)
    assert view.session.data == b"x"
    key(view, Qt.Key.Key_Backspace)
    assert view.session.data == b"x"


def test_delete_words(make) -> None:
    view = make("one two three")
    view.move_to(view_place(7), False)
    key(view, K.DeleteStartOfWord)
    assert view.session.data == b"one  three"
    view.move_to(view_place(0), False)
    key(view, K.DeleteEndOfWord)
    assert view.session.data == b"three"


def test_undo_takes_back_a_word_and_restores_the_caret(make) -> None:
    view = make()
    type_text(view, "hello world")
    key(view, K.Undo)
    assert view.session.data in (b"hello ", b"hello")
    key(view, K.Undo, times=3)
    assert view.session.data == b"" and not view.session.can_undo
    key(view, K.Redo, times=5)
    assert view.session.data == b"hello world" and view.session.caret == 11


def test_undo_of_a_paste_over_a_selection(make) -> None:
    view = make("abc")
    view.select(1, 2)
    QGuiApplication.clipboard().setText("XY")
    view.paste()
    assert view.session.data == b"aXYc"
    view.undo()
    assert view.session.data == b"abc" and view.session.selection == (1, 2)


def test_a_move_ends_the_step(make) -> None:
    view = make()
    type_text(view, "ab")
    key(view, K.MoveToPreviousChar)
    type_text(view, "c")
    view.undo()
    assert view.session.data == b"ab"


def test_read_only_takes_nothing(make) -> None:
    view = make("abc")
    view.set_read_only(True)
    view.select(0, 2)
    QGuiApplication.clipboard().setText("X")
    type_text(view, "x")
    for which in (K.Cut, K.Paste, K.Delete, Qt.Key.Key_Backspace, K.Undo):
        key(view, which)
    ime(view, "y")
    assert view.session.data == b"abc"
    key(view, K.Copy)
    assert bytes_of(QGuiApplication.clipboard().mimeData()) == b"ab"


# Input methods

def test_ime_commit(make) -> None:
    view = make("ab")
    view.move_to(view_place(1), False)
    ime(view, preedit="にほ")
    assert view.session.data == b"ab"  # composing is not text
    row = view.sheet.picture(0).layout
    assert "にほ" in row.row.text
    ime(view, commit="日本")
    assert view.session.data == "a日本b".encode() and view.session.caret == 7
    assert "にほ" not in view.sheet.picture(0).layout.row.text


def test_ime_caret_stands_behind_the_composed_text(make) -> None:
    view = make("ab")
    view.move_to(view_place(1), False)
    before = view.caret_rect().x()
    shape = QTextCharFormat()
    shape.setFontUnderline(True)
    attribute = QInputMethodEvent.Attribute(QInputMethodEvent.AttributeType.TextFormat, 0, 2, shape)
    ime(view, preedit="xy", attributes=[attribute])
    assert view.caret_rect().x() >= before + 2 * view.sheet.metrics.char - 1
    view.grab()
    ime(view)  # cancelled
    assert view.caret_rect().x() == pytest.approx(before) and view.session.data == b"ab"


def test_ime_replaces_committed_text(make) -> None:
    view = make("x😀né")
    end = len("x😀né".encode())
    view.move_to(view_place(end), False)
    ime(view, commit="ö", start=-2, length=2)  # UTF-16 units before the caret
    assert view.session.data == "x😀ö".encode()
    ime(view, commit="", start=-3, length=2)  # the emoji, two units, between x and ö
    assert view.session.data == "xö".encode()


def test_ime_replaces_beside_bytes_that_are_no_utf8(make) -> None:
    view = make(b"\xff\xfeab")
    view.move_to(view_place(4), False)
    ime(view, commit="c", start=-1, length=1)
    assert view.session.data == b"\xff\xfeac"


def test_ime_queries(make) -> None:
    view = make("one\nx😀yz")
    view.move_to(view_place(9), False)  # behind the emoji in the second line
    Q = Qt.InputMethodQuery
    assert view.inputMethodQuery(Q.ImEnabled) is True
    assert view.inputMethodQuery(Q.ImSurroundingText) == "x😀yz"
    assert view.inputMethodQuery(Q.ImCursorPosition) == 3  # UTF-16: the emoji is two
    assert view.inputMethodQuery(Q.ImTextBeforeCursor) == "x😀"
    assert view.inputMethodQuery(Q.ImTextAfterCursor) == "yz"
    rect = view.inputMethodQuery(Q.ImCursorRectangle)
    assert rect.height() > 5 and rect.x() == int(view.caret_rect().toRect().x())
    view.select(9, 10)
    assert view.inputMethodQuery(Q.ImCurrentSelection) == "y"
    assert view.inputMethodQuery(Q.ImAnchorPosition) == 3


@pytest.mark.parametrize("answers", [True, False])
def test_a_click_commits_what_is_composed_and_an_edit_resets_it(make, monkeypatch, answers: bool) -> None:
    view, asked = make("abc"), []

    class Method:
        def commit(self) -> None:
            asked.append("commit")
            if answers:
                ime(view, commit="に")

        def reset(self) -> None:
            asked.append("reset")

    monkeypatch.setattr("tokenloupe.views.editor_ime.QGuiApplication.inputMethod", Method)
    ime(view, preedit="に")
    click(view, 1)
    assert asked == (["commit"] if answers else ["commit", "reset"]) and view.ime.composing == ""
    assert view.session.data.decode() == ("にabc" if answers else "abc")
    ime(view, preedit="ほ")
    asked.clear()
    view.session.edit(0, 0, b"x", "edit")  # from elsewhere, a panel say
    assert asked == ["reset"] and view.ime.composing == ""


def test_composed_text_overwrites_too(make) -> None:
    view = make("abc")
    view.overwrite = True
    ime(view, preedit="に")
    assert view.session.data == b"abc"
    ime(view, commit="日")
    assert view.session.data.decode() == "日bc"


def test_what_is_composed_over_a_selection_is_taken_back_in_one_step(make) -> None:
    view = make("abc")
    view.select(1, 2)
    ime(view, preedit="に")
    ime(view, preedit="にほん")
    ime(view, commit="日本")
    ime(view, preedit="ご")
    ime(view, commit="語")  # another word, a step of its own
    view.undo()
    assert view.session.data.decode() == "a日本c"
    view.undo()
    assert view.session.data == b"abc" and view.session.selection == (1, 2) and not view.session.can_undo
    view.redo()
    assert view.session.data.decode() == "a日本c"


def test_composing_over_a_selection_removes_it(make) -> None:
    view = make("abc")
    view.select(0, 2)
    ime(view, preedit="x")
    assert view.session.data == b"c"


# Drop

def drop(view: EditorView, mime: QMimeData, byte_pos: int, action: Qt.DropAction = Qt.DropAction.CopyAction) -> None:
    event = QDropEvent(place(view, byte_pos), action, mime, Qt.MouseButton.LeftButton, NONE)
    view.dropEvent(event)  # Qt itself hands one on only while a drag is on


def test_dropped_text_goes_where_it_falls(make) -> None:
    view = make("hello")
    drop(view, mime_of(b"\xff!"), 2)
    assert view.session.data == b"he\xff!llo" and view.session.selection == (2, 4)


def test_a_selection_dragged_within_moves_and_is_one_undo(make) -> None:
    view = make("one two")
    view.select(0, 4)
    view.mouse._dragging = True
    drop(view, mime_of(b"one "), 7, Qt.DropAction.MoveAction)
    assert view.session.data == b"twoone " and view.session.selection == (3, 7)
    view.undo()
    assert view.session.data == b"one two"


def test_a_dropped_file_becomes_the_text(make, tmp_path: Path) -> None:
    file = tmp_path / "naïve 🦙.txt"
    file.write_bytes(b"\xef\xbb\xbfa\r\n\xff")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file))])
    view = make("old")
    drop(view, mime, 0)
    assert view.session.data == b"\xef\xbb\xbfa\r\n\xff" and view.session.name == file.name
    got: list[list[Path]] = []
    view.file_handler = got.append
    drop(view, mime, 0)
    assert got == [[file]]


def test_a_file_that_is_gone_is_said(make, tmp_path: Path) -> None:
    said: list[str] = []
    view = make("old")
    view.session.failed.connect(said.append)
    view.open_files([tmp_path / "none"])
    assert len(said) == 1 and "none" in said[0] and view.session.data == b"old"


def test_a_drop_where_the_pointer_is_shows_a_caret(make) -> None:
    view = make("hello")
    view.mouse.set_drop(3)
    assert view.drop_rect() is not None
    view.grab()
    view.mouse.set_drop(None)
    assert view.drop_rect() is None
    assert isinstance(place(view, 0), QPointF)
