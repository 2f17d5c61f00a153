"""Cases in the window: saved, opened by menu, drop and command line; what differs is told; nothing unsaved is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

import tokenloupe
from tests.app.test_window import drop, small_tokenizer
from tokenloupe.app import case_files
from tokenloupe.app.main import Program
from tokenloupe.app.main_window import MainWindow
from tokenloupe.cases import read_case
from tokenloupe.core.case_file import SUFFIX, Case, TokenizerRef, dumps, loads

TEXT = "é 👨‍👩‍👧 漢 ع ".encode() + b"\xc3(\xff <|endoftext|>"


@pytest.fixture
def choose(monkeypatch):
    """The next file dialog gives this path; what it was asked is noted."""
    asked: list[tuple] = []

    def chosen(path: Path | None) -> list[tuple]:
        def answer(*args: object) -> tuple[str, str]:
            asked.append(args)
            return (str(path) if path else "", "")

        monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
        monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
        return asked

    return chosen


def test_the_suffix_is_the_cores() -> None:
    assert case_files.SUFFIX == SUFFIX


def test_saved_dropped_into_another_window_and_saved_again(fill, program: Program, tmp_path: Path, choose) -> None:
    window = fill(TEXT)
    window.session.set_tokenizer(tokenloupe.load("cl100k_base"), "parse")
    ids = window.session.document.encoding().ids.tolist()
    choose(tmp_path / "first")
    window.actions_["save_case"].trigger()
    raw = (tmp_path / "first.loupe").read_bytes()
    assert loads(raw).ids.tolist() == ids
    other = program.open_window([])
    assert other.session.tokenizer.name == "gpt2" and other.session.special == "text"
    drop(other, tmp_path / "first.loupe")
    assert other.session.data == TEXT and other.session.tokenizer.name == "cl100k_base"
    assert other.session.special == "parse" and other.session.document.encoding().ids.tolist() == ids
    assert not other.session.modified and other.session.name == "first.loupe" and not other.notice.isVisible()
    assert other.files.save()  # Ctrl+S writes the case, not a text
    assert (tmp_path / "first.loupe").read_bytes() == raw
    choose(tmp_path / "second.loupe")
    assert other.cases.ask_save()
    assert (tmp_path / "second.loupe").read_bytes() == raw


def test_a_case_named_on_the_command_line(program: Program, tmp_path: Path) -> None:
    tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load("r50k_base"), "hello world", note="two words")
    window = program.open_window([tmp_path / "a.loupe"])
    assert window.session.data == b"hello world" and window.session.tokenizer.name == "r50k_base"
    assert window.session.document.encoding().ids.tolist() == [31373, 995]  # tiktoken
    assert window.notice.text.endswith("a.loupe: two words")
    assert window.settings.get("tokenizer", "") == "gpt2"  # a case does not change what new windows begin with


def test_opened_by_both_dialogs(window: MainWindow, tmp_path: Path, choose) -> None:
    tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load("gpt2"), "one")
    choose(tmp_path / "a.loupe")
    window.actions_["open_case"].trigger()
    assert window.session.data == b"one"
    tokenloupe.save_case(tmp_path / "b.loupe", tokenloupe.load("gpt2"), "two")
    choose(tmp_path / "b.loupe")
    window.actions_["open"].trigger()
    assert window.session.data == b"two" and window.cases.path == tmp_path / "b.loupe"
    choose(None)
    window.actions_["open_case"].trigger()
    assert window.session.data == b"two"


def test_a_changed_and_a_missing_tokenizer_are_told(fill, tmp_path: Path) -> None:
    window = fill(b"abc")
    file = small_tokenizer(tmp_path)
    tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load(file), "abc")
    values = json.loads(file.read_text())
    values["model"]["merges"] = []
    file.write_text(json.dumps(values))
    window.files.open(tmp_path / "a.loupe")
    assert "another file than the case was made with" in window.notice.text
    assert "token 0 is 0, in the case 3" in window.notice.text
    assert window.session.document.encoding().ids.tolist() == [0, 1, 2]
    window.notice.dismiss()
    before = window.session.tokenizer
    file.unlink()
    window.files.open(tmp_path / "a.loupe")
    assert "the tokenizer of the case is not here" in window.notice.text and "\n" not in window.notice.text
    assert window.session.data == b"abc" and window.session.tokenizer is before


def test_a_case_whose_tokenizer_is_open_in_some_window_finds_it(fill, program: Program, tmp_path: Path) -> None:
    window = fill(b"abc")
    file = small_tokenizer(tmp_path)
    window.session.set_tokenizer(tokenloupe.load(file))
    assert window.cases.save(tmp_path / "a.loupe")
    file.unlink()
    other = program.open_window([tmp_path / "a.loupe"])
    assert other.session.tokenizer is window.session.tokenizer and not other.notice.isVisible()


def test_unsaved_text_is_not_replaced(fill, program: Program, tmp_path: Path) -> None:
    window = fill(b"")
    window.session.edit(0, 0, b"unsaved", "typing")
    tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load("r50k_base"), "other")
    drop(window, tmp_path / "a.loupe")
    assert window.session.data == b"unsaved" and window.session.tokenizer.name == "gpt2"
    other = program.windows[1]
    assert other.session.data == b"other" and other.session.tokenizer.name == "r50k_base"
    assert other.cases.path == tmp_path / "a.loupe" and window.cases.path is None


@pytest.mark.parametrize("raw", [
    b"", b"{", b"[" * 9999, dumps(Case(b"x", TokenizerRef("n", "f", "")))[:-40], b"\xff\xfe{}", b'{"format": 1}'])
def test_a_bad_case_is_one_sentence_and_nothing_changes(fill, tmp_path: Path, raw: bytes) -> None:
    window = fill(b"precious")
    (tmp_path / "bad.loupe").write_bytes(raw)
    drop(window, tmp_path / "bad.loupe")
    assert window.notice.isVisible() and "bad.loupe" in window.notice.text
    assert "\n" not in window.notice.text
    assert window.session.data == b"precious" and window.session.name == "" and window.session.ready


def test_a_window_whose_first_file_is_a_bad_case_still_gets_a_tokenizer(program: Program, tmp_path: Path) -> None:
    (tmp_path / "bad.loupe").write_bytes(b"no")
    window = program.open_window([tmp_path / "bad.loupe", tmp_path / "gone.loupe"])
    assert window.session.ready and window.session.tokenizer.name == "gpt2"


def test_a_case_of_a_text_file_leaves_the_text_its_file(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(b"text")
    window.files.open_text(tmp_path / "t.txt")
    window.session.edit(4, 0, b"!", "typing")
    assert window.cases.save(tmp_path / "t.loupe")
    assert window.session.modified and window.cases.path is None and window.session.name == "t.txt"
    assert read_case(tmp_path / "t.loupe").data == b"text!"
    assert window.files.save() and (tmp_path / "t.txt").read_bytes() == b"text!"


def test_an_untitled_text_lives_in_its_case(fill, tmp_path: Path, choose) -> None:
    window = fill(b"")
    window.session.edit(0, 0, b"hi", "typing")
    choose(tmp_path / "a.loupe")
    assert window.cases.ask_save() and not window.session.modified
    window.session.edit(2, 0, b"!", "typing")
    assert window.files.save() and read_case(tmp_path / "a.loupe").data == b"hi!"
    window.session.set_data(b"other", "")  # another text: Save would ask for its file
    assert window.cases.path is None


def test_the_proposed_name_is_a_name_only(fill, tmp_path: Path, choose) -> None:
    window = fill(b"x")
    for name in ("../../etc/passwd", "..\\..\\boot.ini", "/x", "..", "C:\\a\\b.txt", ""):
        window.session.set_data(b"x", name)
        asked = choose(None)
        window.cases.ask_save()
        proposed = Path(asked[-1][2])
        assert str(proposed.parent) == window.files._folder() and proposed.name.endswith(".loupe")
        assert "\\" not in proposed.name and ":" not in proposed.name


def test_a_place_that_cannot_be_written_is_told(fill, tmp_path: Path) -> None:
    window = fill(b"x")
    assert not window.cases.save(tmp_path / "none" / "a.loupe")
    assert "a.loupe was not saved: " in window.notice.text


def test_note_and_name_and_added_ends_of_a_case_stay(window: MainWindow, tmp_path: Path, qapp: QApplication) -> None:
    made = tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load("gpt2"), "hi", bos_eos=True, name="n", note="why")
    window.files.open(tmp_path / "a.loupe")
    assert "the window shows the text alone" in window.notice.text
    assert window.cases.save(tmp_path / "b.loupe")
    assert read_case(tmp_path / "b.loupe") == made
