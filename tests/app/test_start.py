"""The window before its tokenizer is there: a thread reads it, what is typed meanwhile is kept and then tokenized."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from tokenloupe.app import opening
from tokenloupe.app.main import Program, application
from tokenloupe.formats import cache
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.panels import PANELS

from .test_window import small_tokenizer


@pytest.fixture
def program(qapp, tmp_path: Path) -> Iterator[Program]:
    """Its jobs run in slices, as they do for a user."""
    made = Program(application([]), tmp_path / "program")
    made.settings.set("tokenizer", "gpt2")
    yield made
    for window in tuple(made.windows):
        window.close()
    qapp.processEvents()


def type_into(widget, text: str) -> None:
    for letter in text:
        QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter))


def test_what_is_typed_before_the_tokenizer_is_there_is_kept_and_tokenized(program: Program, qtbot) -> None:
    window = program.open_window([])
    assert not window.session.ready  # the thread's result arrives by the event loop, which did not run yet
    type_into(window.editor, "hello worlt")
    window.editor.backspace()
    type_into(window.editor, "d")
    assert window.session.data == b"hello world" and window.session.can_undo
    assert not window.editor.grab().isNull()  # it is drawn, without tokens
    window.editor.undo()
    window.editor.redo()
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    assert window.session.document.encoding().ids.tolist() == [31373, 995]  # tiktoken's
    assert window.session.caret == 11 and window.session.can_undo
    assert window.docks.widget("tokens") is not None and window.counts.texts()["Tokens"] == "2"
    window.session.undo()
    assert window.session.data != b"hello world"


def test_an_input_method_and_the_clipboard_work_before_there_is_a_tokenizer(program: Program, qtbot) -> None:
    from PySide6.QtGui import QInputMethodEvent

    window = program.open_window([])
    event = QInputMethodEvent()
    event.setCommitString("\u5929")
    QApplication.sendEvent(window.editor, event)
    window.editor.select_all()
    window.editor.copy()
    window.editor.paste()
    window.editor.paste()
    assert not window.session.ready and window.session.data == "\u5929\u5929".encode()
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    assert window.session.document.encoding().ids.tolist() == load_bundled("gpt2").encode("\u5929\u5929").ids.tolist()


def test_the_view_stays_where_it_is_when_the_tokenizer_comes(program: Program, qtbot) -> None:
    window = program.open_window([])
    window.session.set_data(b"line\n" * 2000)
    window.editor.go_to_byte(5000)
    top = window.editor.sheet.top_row
    assert top > 900
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    assert (window.editor.sheet.top_row, window.session.caret) == (top, 5000)


def test_a_tokenizer_named_at_the_start_is_the_one(program: Program, qtbot, tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_bytes(b"abc")
    window = program.open_window([small_tokenizer(tmp_path), text])
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    assert window.session.document.encoding().ids.tolist() == [3, 2]
    assert window.settings.get("tokenizer", "").endswith("tokenizer.json")


def test_a_damaged_tokenizer_named_at_the_start_leaves_the_first_ones_default(program: Program, qtbot,
                                                                             tmp_path: Path) -> None:
    bad = tmp_path / "tokenizer.json"
    bad.write_bytes(b"{")
    window = program.open_window([bad])
    type_into(window.editor, "hi")
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    assert window.session.tokenizer.name == "o200k_base" and "tokenizer.json" in window.notice.text
    assert window.session.data == b"hi"


def test_cancelling_the_start_gives_the_default(program: Program, qtbot) -> None:
    window = program.open_window([])
    window.session.jobs.active[0].cancel()
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    assert window.session.tokenizer.name == "o200k_base"


def test_closing_while_the_tokenizer_is_read_ends_well(program: Program, qtbot, qapp) -> None:
    window = program.open_window([])
    type_into(window.editor, "unsaved")
    window.close()
    qapp.processEvents()
    assert not program.windows
    lost = next(iter(program.journals.glob("*.journal")))
    assert lost.read_bytes().endswith(b"unsaved")


def test_pages_asked_for_before_there_is_a_tokenizer_are_shown_then(program: Program, qtbot) -> None:
    window = program.open_window([])
    page = next(p.id for p in PANELS if p.where == "tab")
    assert window.docks.show(page) is None and not window.docks.is_shown(page)
    qtbot.waitUntil(lambda: window.session.ready, timeout=20_000)
    assert window.docks.is_shown(page)


def big_tokenizer(folder: Path) -> Path:
    """A tokenizer.json large enough to be read by a process of its own (by white space)."""
    file = small_tokenizer(folder)
    file.write_bytes(file.read_bytes() + b" " * opening.LARGE)
    return file


def test_a_large_file_is_first_read_by_a_process_of_its_own(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(cache, "SETTLED", -1.0)  # the file is new, and believed all the same
    file = big_tokenizer(tmp_path)
    assert cache.is_new(file)
    steps = opening.opening(str(file))
    assert next(steps) is None  # the process is under way
    result = [s for s in steps if s is not None][-1]
    assert result.encode("abc").ids.tolist() == [3, 2]
    assert not cache.is_new(file)


def test_cancelling_ends_the_process_that_reads(tmp_path: Path, monkeypatch) -> None:
    started = []

    class Watched(opening.subprocess.Popen):
        def __init__(self, *args: object, **more: object) -> None:
            super().__init__(*args, **more)
            started.append(self)

    monkeypatch.setattr(opening.subprocess, "Popen", Watched)
    steps = opening.opening(str(big_tokenizer(tmp_path)))
    next(steps)
    steps.close()
    assert started[0].returncode is not None


def test_nothing_is_read_twice_where_nothing_is_kept(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TOKENLOUPE_CACHE", "off")
    monkeypatch.setattr(opening.subprocess, "Popen", None)
    result = [s for s in opening.opening(str(big_tokenizer(tmp_path))) if s is not None][-1]
    assert result.encode("abc").ids.tolist() == [3, 2]
