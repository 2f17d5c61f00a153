"""The window as a user meets it: files and drops, bad files, theme, keyboard, docks, counts, plain text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent, QKeyEvent, QMouseEvent, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tokenloupe.app.main import Program
from tokenloupe.app.main_window import MainWindow
from tokenloupe.panels import PANELS
from tokenloupe.views import palette


def drop(window: MainWindow, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
    where = QPointF(50, 50)
    window.dropEvent(QDropEvent(where, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton,
                                Qt.KeyboardModifier.NoModifier))


def small_tokenizer(folder: Path) -> Path:
    """A tokenizer.json with a special token; "ab" is 3."""
    file = folder / "small" / "tokenizer.json"
    file.parent.mkdir()
    file.write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "post_processor": None,
        "added_tokens": [{"id": 4, "content": "<s>", "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True}],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                  "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3}, "merges": [["a", "b"]]},
    }))
    return file


# Files

def test_dropping_a_tokenizer_file_opens_it(fill, tmp_path: Path) -> None:
    window = fill(b"abc")
    drop(window, small_tokenizer(tmp_path))
    assert window.session.document.encoding().ids.tolist() == [3, 2]
    assert window.session.data == b"abc"  # the text stays
    assert [Path(p).name for p in window.settings.recent("recent_tokenizers")] == ["tokenizer.json"]
    assert window.settings.get("tokenizer", "").endswith("tokenizer.json")


def test_dropping_a_folder_opens_the_tokenizer_in_it(window: MainWindow, tmp_path: Path) -> None:
    drop(window, small_tokenizer(tmp_path).parent)
    assert window.session.tokenizer.vocabulary.id_of(b"ab") == 3


def test_dropping_a_text_file_opens_its_bytes(window: MainWindow, tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfcaf\xe9\r\nnul\x00 \xc2\xa0end"
    (tmp_path / "odd & <b>.txt").write_bytes(data)
    drop(window, tmp_path / "odd & <b>.txt")
    assert window.session.data == data and window.session.name == "odd & <b>.txt"
    assert window.windowTitle() == "odd & <b>.txt[*] – Tokenloupe"
    assert not window.session.modified


def test_a_text_about_tokenizers_is_a_text(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# tokenizer.json\nIGh1 is base64, aGk= 3\n{\"model\": 1}\n")
    drop(window, tmp_path / "notes.md")
    assert window.session.data.startswith(b"# tokenizer.json")


BAD = {
    "tokenizer.json": b"{\"model\": ",
    "empty.model": b"",
    "pointer.tiktoken": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    "page.gguf": b"<!doctype html><html>Not found</html>",
    "broken.tiktoken": b"IQ== 0\n!!!! 1\n",
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_sentence_and_nothing_is_lost(fill, tmp_path: Path, name: str) -> None:
    window = fill(b"precious")
    before = window.session.tokenizer
    (tmp_path / name).write_bytes(BAD[name])
    drop(window, tmp_path / name)
    assert window.notice.isVisible() and len(window.notice.text) > 10 and "\n" not in window.notice.text
    assert "Traceback" not in window.notice.text
    assert window.session.data == b"precious" and window.session.tokenizer is before
    assert window.picker.button.text() == "gpt2"
    assert window.settings.recent("recent_tokenizers") == []


def test_a_missing_file_is_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    window.files.open(tmp_path / "nothing.txt")
    assert "nothing.txt cannot be read" in window.notice.text
    window.notice.dismiss()
    assert not window.notice.isVisible()


def test_an_unsaved_text_is_never_replaced(fill, program: Program, tmp_path: Path) -> None:
    window = fill(b"")
    window.session.edit(0, 0, b"unsaved", "typing")
    (tmp_path / "other.txt").write_bytes(b"other")
    drop(window, tmp_path / "other.txt")
    assert window.session.data == b"unsaved"
    assert [w.session.data for w in program.windows] == [b"unsaved", b"other"]


def test_saving_writes_the_bytes_as_they_are(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "out.bin"
    file.write_bytes(b"old")
    window.files.open_text(file)
    data = b"\r\n\xff\x00" + "é\u2028".encode()
    window.session.edit(0, 3, data, "paste")
    assert window.isWindowModified()
    assert window.files.save()
    assert file.read_bytes() == data and not window.isWindowModified()


def test_a_text_that_cannot_be_saved_is_still_there(window: MainWindow, tmp_path: Path) -> None:
    window.session.edit(0, 0, b"keep", "typing")
    window.files.path = tmp_path / "no such folder" / "a.txt"
    assert not window.files.save()
    assert "was not saved" in window.notice.text and window.session.data == b"keep" and window.session.modified


def test_a_saved_tokenizer_that_is_gone_does_not_stop_the_start(program: Program, tmp_path: Path) -> None:
    program.settings.set("tokenizer", str(tmp_path / "gone.model"))
    window = program.open_window([])
    assert window.session.tokenizer.name == "o200k_base" and "gone.model" in window.notice.text


# What is shown

def test_counts_of_the_text_and_of_the_selection(fill) -> None:
    window = fill("a👨‍👩‍👧é".encode())  # 1 + 18 + 2 bytes, 1 + 5 + 1 code points, 3 graphemes
    shown = window.counts.texts()
    assert (shown["Bytes"], shown["Code points"], shown["Graphemes"]) == ("21", "7", "3")
    count = window.session.document.token_count
    assert shown["Tokens"] == str(count) and shown["Bytes/token"] == f"{21 / count:.2f}"
    window.session.select(1, 19)
    shown = window.counts.texts()
    assert (shown["Bytes"], shown["Code points"], shown["Graphemes"]) == ("18 / 21", "5 / 7", "1 / 3")


def test_the_status_line_knows_the_place_and_the_round_trip(fill) -> None:
    window = fill("ab\ncé d".encode())
    window.session.select(6, 6)  # behind the é of the second line
    assert window.status.caret.text().startswith("Ln 2, Col 3   Byte 6   Token ")
    assert "exact" in window.status.verdict.text()


def test_screen_text_is_plain_text(fill, tmp_path: Path) -> None:
    window = fill(b"<s>ab")
    drop(window, small_tokenizer(tmp_path))
    window.actions_["special_parse"].trigger()
    table = window.docks.show("tokens")
    assert table.model.cell(0, 2) == "<s>"
    window.fail("the token <s> & <b>bold</b>")
    for text in window.findChildren(QLabel):
        assert text.textFormat() == Qt.TextFormat.PlainText or "<" not in text.text()
    assert window.notice.text.endswith("the token <s> & <b>bold</b>")


def test_theme_switches_palette_and_style(window: MainWindow, qapp) -> None:
    window.actions_["theme_dark"].trigger()
    assert palette.current() is palette.dark()
    assert qapp.palette().color(QPalette.ColorRole.Base) == palette.dark().base
    image = window.grab().toImage()
    assert QColor(image.pixel(4, 4)).lightness() < 80
    assert window.settings.get("theme", "") == "dark"
    window.actions_["theme_light"].trigger()
    assert QColor(window.grab().toImage().pixel(4, 4)).lightness() > 200
    window.actions_["theme_system"].trigger()
    assert window.theme.choice == "system"


# Keyboard

def chain(window: QWidget) -> list[QWidget]:
    """The widgets Tab reaches, in order."""
    first = window.focusWidget()
    assert first is not None
    seen, at = [first], first.nextInFocusChain()
    while at is not first:
        if at.isVisibleTo(window) and at.isEnabled() and at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            seen.append(at)
        at = at.nextInFocusChain()
    return seen


def test_tab_reaches_every_control_and_each_has_a_name(window: MainWindow) -> None:
    window.docks.show("tokens")
    window.fail("a sentence")
    reached = chain(window)
    for widget in (window.picker.button, window.picker.special, window.docks.widget("tokens").view):
        assert widget in reached
    for widget in reached:
        assert widget.accessibleName() or getattr(widget, "text", lambda: "")() or widget is window.editor \
            or widget.metaObject().className() == "QTabBar", widget


def test_focus_is_visible(window: MainWindow, qapp) -> None:
    for widget in (window.picker.button, window.docks.show("tokens").view):
        window.focus_text()
        qapp.processEvents()
        without = widget.grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        qapp.processEvents()
        if not widget.hasFocus():
            pytest.skip("this platform gives no focus to windows")
        assert widget.grab().toImage() != without


def test_f6_goes_round_the_panes(window: MainWindow, qapp) -> None:
    table = window.docks.show("tokens").view
    window.focus_text()
    qapp.processEvents()
    if not window.isActiveWindow():
        pytest.skip("this platform gives no focus to windows")
    window.actions_["next_pane"].trigger()
    assert QApplication.focusWidget() is table
    window.actions_["next_pane"].trigger()
    assert QApplication.focusWidget() is not table
    window.actions_["previous_pane"].trigger()
    assert QApplication.focusWidget() is table


# Panels

@pytest.mark.parametrize("panel", PANELS, ids=lambda p: p.id)
def test_every_panel_opens_shows_and_hides(window: MainWindow, qapp, panel) -> None:
    assert panel.where in ("right", "bottom", "tab")
    widget = window.docks.show(panel.id)
    qapp.processEvents()
    assert widget is not None and window.docks.is_shown(panel.id) and widget.isVisible()
    assert widget.minimumSizeHint().width() <= 320
    assert window.actions_[f"panel_{panel.id}"].isChecked()
    assert not widget.grab().isNull()
    window.session.set_data(b"")  # an empty text, an odd one, another tokenizer: nothing may fail
    window.session.set_data("<s>\xff 👨‍👩‍👧‍👦\n".encode() + b"\xff\xc3")
    window.session.select(2, 9)
    window.session.hover_at(0, 1)
    window.files.open_tokenizer("r50k_base")
    qapp.processEvents()
    window.docks.hide(panel.id)
    assert not window.docks.is_shown(panel.id)
    assert window.docks.show(panel.id) is widget  # made once


def test_only_the_tokens_are_shown_at_first(window: MainWindow) -> None:
    assert window.docks.shown() == ["tokens"]


def test_the_layout_is_remembered(program: Program, qapp) -> None:
    first = program.open_window([])
    for panel in PANELS:
        first.docks.show(panel.id)
    first.docks.hide("tokens")
    expected = first.docks.shown()
    first.close()
    second = program.open_window([])
    assert second.docks.shown() == expected
    second.actions_["reset_layout"].trigger()
    assert second.docks.shown() == ["tokens"]


@pytest.mark.parametrize("layout", [
    {"version": 1, "docks": "!!"}, {"version": 99}, {"docks": 5}, {"version": 1, "docks": "AAAA", "tabs": [1, "no"]}])
def test_a_damaged_layout_is_the_first_one(program: Program, layout: dict) -> None:
    program.settings.set("layout", layout)
    assert program.open_window([]).docks.shown() == ["tokens"]


def test_a_large_text_shows_progress_and_can_be_cancelled(qapp, qtbot, tmp_path: Path) -> None:
    from tokenloupe.app.main import application

    program = Program(application([]), tmp_path / "large")  # its jobs run in slices
    program.settings.set("tokenizer", "gpt2")
    window = program.open_window([])
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    window.session.set_data(b"word and other words, " * 200_000)  # 4.4 MB
    assert not window.session.complete
    qtbot.waitUntil(lambda: window.status.cancel.isVisible() or window.session.complete, timeout=20_000)
    if not window.session.complete:
        window.status.cancel.click()
        reached = window.session.document.complete_to
        assert 0 < reached < len(window.session)
        assert "Tokenizing" not in [job.label for job in window.session.jobs.active]
        assert window.session.data.endswith(b"words, ")
    window.session.set_data(b"")
    window.close()


def test_moving_over_a_row_lights_the_token_and_keeps_the_selection(fill) -> None:
    window = fill(b"hello world")
    window.session.select(0, 5)
    view = window.docks.show("tokens").view
    where = QPointF(20, view.rowViewportPosition(1) + 5)
    view.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, where, where, Qt.MouseButton.NoButton,
                                    Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier))
    assert window.session.hover == (5, 11) and window.session.selection == (0, 5)


def test_the_theme_follows_the_system_until_the_user_chooses(window: MainWindow, monkeypatch) -> None:
    window.actions_["theme_system"].trigger()
    monkeypatch.setattr(window.theme, "_system_dark", lambda: True)
    window.theme._system_changed()
    assert palette.current() is palette.dark()
    monkeypatch.setattr(window.theme, "_system_dark", lambda: False)
    window.theme._system_changed()
    assert palette.current() is palette.light()
    window.actions_["theme_dark"].trigger()
    window.theme._system_changed()
    assert palette.current() is palette.dark()


def test_a_fault_of_the_program_is_told_and_the_window_lives(program: Program, window: MainWindow, capsys) -> None:
    window.session.edit(0, 0, b"text", "typing")
    program.mishap(ZeroDivisionError, ZeroDivisionError("x"), None)
    assert "your text is safe" in window.notice.text and window.session.data == b"text"
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize(("broken", "then"), [(["gpt2"], "o200k_base"), (["gpt2", "o200k_base"], None)])
def test_a_fault_while_the_first_tokenizer_is_read_leaves_another(
    program: Program, monkeypatch, broken: list[str], then: str | None
) -> None:
    from tokenloupe import api

    load, asked = api.load, []

    def faulty(name: str, **options: str):
        asked.append(name)
        if name in broken:
            raise ZeroDivisionError
        return load(name, **options)

    monkeypatch.setattr(api, "load", faulty)
    window = MainWindow(program)
    program.windows.append(window)
    with pytest.raises(ZeroDivisionError):
        window.begin([], None)
    assert asked == ["gpt2", "o200k_base"] and not window.session.jobs.active
    assert (window.session.tokenizer.name if window.session.ready else None) == then


def test_a_fault_while_another_tokenizer_is_taken_keeps_the_one_in_use(fill, monkeypatch) -> None:
    from tokenloupe.core.document import Document

    window = fill(b"text")
    begin = Document._begin

    def faulty(document: Document) -> None:
        if document.tokenizer.name == "cl100k_base":
            raise ZeroDivisionError
        begin(document)

    monkeypatch.setattr(Document, "_begin", faulty)
    with pytest.raises(ZeroDivisionError):
        window.files.open_tokenizer("cl100k_base")
    assert window.session.tokenizer.name == "gpt2" and window.session.document.token_count == 1
    window.session.edit(4, 0, b" text")
    assert window.session.document.token_count == 2


def test_without_a_display_it_is_one_line(monkeypatch, capsys) -> None:
    from tokenloupe.app import main

    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert main.run([]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_warnings_of_a_tokenizer_are_shown(window: MainWindow) -> None:
    class Warned:
        def __getattr__(self, name: str) -> object:
            return getattr(tokenizer, name)

        warnings = ("the pattern is a guess", "dropout is ignored")

    tokenizer = window.session.tokenizer
    window.session.set_tokenizer(Warned())  # type: ignore[arg-type]
    assert window.notice.text.endswith("The pattern is a guess.  Dropout is ignored.") and window.notice.isVisible()


def test_tab_types_a_tab_and_shift_tab_leads_out(fill, qapp: QApplication) -> None:
    window = fill(b"ab")
    window.docks.show("tokens")
    window.focus_text()
    window.session.select(1, 1)
    qapp.processEvents()
    for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        QApplication.sendEvent(window.editor, QKeyEvent(kind, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier, "\t"))
    assert window.session.data == b"a\tb"
    window.editor.set_read_only(True)
    QApplication.sendEvent(window.editor, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Tab,
                                                    Qt.KeyboardModifier.NoModifier, "\t"))
    assert window.session.data == b"a\tb"
    if window.isActiveWindow():
        assert QApplication.focusWidget() is not window.editor
        window.focus_text()
        QApplication.sendEvent(window.editor, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Backtab,
                                                        Qt.KeyboardModifier.ShiftModifier, ""))
        assert QApplication.focusWidget() is not window.editor and window.session.data == b"a\tb"


def test_alt_and_a_letter_opens_a_menu_and_types_nothing(fill, qapp: QApplication, monkeypatch) -> None:
    window = fill(b"")
    alt, ctrl = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier

    def press(modifiers: Qt.KeyboardModifier) -> bool:
        """Does the text claim the key before menus and shortcuts can?"""
        claim = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_F, modifiers, "f")
        claim.ignore()
        window.editor.event(claim)  # not sent: the menu would open
        window.editor.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F, modifiers, "f"))
        return claim.isAccepted()

    monkeypatch.setattr("sys.platform", "linux")
    assert not press(alt) and window.session.data == b""
    assert not press(alt | ctrl) and window.session.data == b""  # Ctrl+Alt+1 shows a panel
    monkeypatch.setattr("sys.platform", "win32")
    assert not press(alt) and press(alt | ctrl) and window.session.data == b"f"  # AltGr
    monkeypatch.setattr("sys.platform", "darwin")
    assert press(alt) and not press(alt | ctrl) and window.session.data == b"ff"  # Option; Option with Command
