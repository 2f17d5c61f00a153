"""Files that are none, paths that are none, files that others change: one sentence each, and the text stays."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tokenloupe.app import text_file
from tokenloupe.app.main import Program
from tokenloupe.app.main_window import MainWindow
from tokenloupe.app.recovery import left_behind
from tokenloupe.core.errors import InputError

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no pipes and devices as files")


@POSIX
@pytest.mark.parametrize("suffix", ["", ".txt", ".npy", ".loupe", ".gguf", "tokenizer.json"])
def test_a_pipe_is_never_waited_for(fill, tmp_path: Path, suffix: str) -> None:
    window = fill(b"precious")
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    window.files.open(pipe)
    assert "neither a file nor a folder" in window.notice.text
    window.notice.dismiss()
    window.files.open_text(pipe)
    assert "neither a file nor a folder" in window.notice.text
    window.notice.dismiss()
    assert not window.files._write(pipe)
    assert "no file" in window.notice.text and window.session.data == b"precious"


@POSIX
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full", "/dev/null"])
def test_a_device_is_not_read(fill, name: str) -> None:
    window = fill(b"precious")
    window.files.open(Path(name))
    assert "neither a file nor a folder" in window.notice.text and window.session.data == b"precious"


@pytest.mark.parametrize("path", ["a" * 300, "zero\0in it", "/no/such/folder/x"])
def test_what_is_no_path_is_one_sentence(fill, path: str) -> None:
    window = fill(b"precious")
    for run in (window.files.open, window.files.open_text, window.files._write, window.files.open_tokenizer):
        window.notice.dismiss()
        run(path if run == window.files.open_tokenizer else Path(path))
        assert window.notice.isVisible() and len(window.notice.text) < 400
    assert window.session.data == b"precious"


@pytest.mark.parametrize("path", ["a" * 300, "zero\0in it", "/no/such/folder/x"])
def test_a_recent_text_that_is_no_path_is_one_sentence_and_not_offered_again(fill, path: str) -> None:
    window = fill(b"precious")
    window.settings.remember("recent_texts", path)
    window.recents.menu.aboutToShow.emit()
    window.recents.menu.actions()[0].trigger()
    assert window.notice.isVisible() and len(window.notice.text) < 400
    assert window.settings.recent("recent_texts") == [] and window.session.data == b"precious"


@POSIX
def test_a_loop_of_links_is_one_sentence(fill, tmp_path: Path) -> None:
    window = fill(b"precious")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    window.files.open(tmp_path / "loop")
    assert "loop cannot be read" in window.notice.text
    assert not window.files._write(tmp_path / "loop")


@pytest.mark.parametrize("name", ["\0", "", "a" * 300])
def test_a_start_with_a_tokenizer_that_is_no_path_has_the_default(program: Program, name: str) -> None:
    program.settings.set("tokenizer", name)
    assert program.open_window([]).session.tokenizer.name == "o200k_base"


@POSIX
def test_a_file_that_holds_more_than_it_tells_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_file, "LARGEST_TEXT", 100)
    (tmp_path / "a").write_bytes(b"x" * 101)
    with pytest.raises(InputError, match="too many"):
        text_file.read_text(tmp_path / "a")
    monkeypatch.setattr(text_file.os, "fstat", lambda _: Path(os.devnull).stat())  # size 0, as in /proc
    with pytest.raises(InputError, match="101 bytes are too many"):
        text_file.read_text(tmp_path / "a")


def test_a_file_that_another_program_changed_is_not_overwritten_unasked(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"mine")
    window.files.open_text(file)
    window.session.edit(4, 0, b"!", "typing")
    file.write_bytes(b"somebody else's")
    assert not window.files.save()
    assert "changed by another program" in window.notice.text and file.read_bytes() == b"somebody else's"
    assert window.session.modified
    window.notice._button.click()
    assert file.read_bytes() == b"mine!" and not window.session.modified
    window.session.edit(5, 0, b"?", "typing")
    assert window.files.save() and file.read_bytes() == b"mine!?"  # its own writing is no change by others
    file.unlink()
    assert window.files.save() and file.read_bytes() == b"mine!?"


def test_a_restored_text_knows_that_its_file_was_changed_meanwhile(program: Program, window: MainWindow,
                                                                   tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    for others in (b"somebody else's", None):
        file.write_bytes(b"mine")
        window.files.open_text(file)
        window.session.edit(4, 0, b"!", "typing")
        window.close()  # as after a crash, the text is in the journal
        if others is not None:
            file.write_bytes(others)
        (lost,) = left_behind(program.journals)
        window = program.open_window([], lost)
        assert window.session.data == b"mine!" and window.files.path == file
        assert window.files.save() == (others is None)
        assert file.read_bytes() == (others or b"mine!")
        if others is not None:
            window.notice._button.click()


@pytest.mark.parametrize("stamp", ["null", "5", "[1, 2]", "[1, 2, \"x\"]", "[true, 1, 2]", "[1.5, 1, 2]"])
def test_a_stamp_that_is_none_is_not_compared(stamp: str) -> None:
    assert text_file.as_stamp(json.loads(stamp)) is None
    assert text_file.as_stamp([1, 2, 3]) == (1, 2, 3)


@POSIX
def test_saving_through_a_link_writes_the_file_it_leads_to(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"a")
    (tmp_path / "real.txt").chmod(0o640)
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    window.files.open_text(tmp_path / "link.txt")
    window.session.edit(1, 0, b"b", "typing")
    assert window.files.save()
    assert (tmp_path / "link.txt").is_symlink() and (tmp_path / "real.txt").read_bytes() == b"ab"
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o640


def test_a_disk_without_room_leaves_the_file(window: MainWindow, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    window.files.open_text(file)
    window.session.edit(3, 0, b"new", "typing")
    monkeypatch.setattr("tokenloupe.app.files.QSaveFile.write", lambda self, data: -1)
    assert not window.files.save()
    assert "was not saved" in window.notice.text and file.read_bytes() == b"old" and window.session.modified


@pytest.mark.parametrize(("raw", "text"), [
    (b"\xff\xfeh\x00\xe4\x00", "\ufeffhä"), (b"\xfe\xff\x00h\xd8\x3d\xde\x00", "\ufeffh😀"),
    (b"\xff\xfe\x3d\xd8", "\ufeff\ud83d"), (b"\xff\xfe\x00\x00a\x00\x00\x00", None), (b"\xff\xfea", None),
    (b"\xef\xbb\xbfa", None)])
def test_utf16_is_shown_as_bytes_and_can_be_converted(window: MainWindow, tmp_path: Path, raw: bytes,
                                                      text: str | None) -> None:
    (tmp_path / "a.txt").write_bytes(raw)
    window.files.open_text(tmp_path / "a.txt")
    assert window.session.data == raw and not window.session.modified
    assert window.notice.isVisible() == (text is not None)
    if text is not None:
        window.notice._button.click()
        assert window.session.data == text.encode("utf-8", "surrogatepass")
        window.session.undo()
        assert window.session.data == raw


def test_of_several_texts_none_takes_the_place_of_another(window: MainWindow, program: Program, tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_bytes(name.encode())
    window.open_files([tmp_path / "a.txt", tmp_path / "gone.txt", tmp_path / "b.txt", tmp_path / "c.txt"])
    assert [w.session.data for w in program.windows] == [b"a", b"b", b"c"]
    assert [w.files.path for w in program.windows] == [tmp_path / f"{n}.txt" for n in "abc"]
    window.open_files([tmp_path / "c.txt"])  # one alone is shown here, as always
    assert window.session.data == b"c" and len(program.windows) == 3
    window.open_files([tmp_path / "gone.txt"] * 40)
    assert "40 files are too many" in window.notice.text


def test_recent_texts_are_offered_and_one_that_is_gone_is_told_once(window: MainWindow, tmp_path: Path) -> None:
    def offered() -> list[str]:
        window.recents.menu.aboutToShow.emit()
        return [a.text() for a in window.recents.menu.actions()]

    assert offered() == ["None yet"]
    for name in ("a & b.txt", "c.txt"):
        (tmp_path / name).write_bytes(name.encode())
        window.files.open_text(tmp_path / name)
    assert [t.split("  ")[:2] for t in offered()] == [["&1", "c.txt"], ["&2", "a && b.txt"]]
    window.recents.menu.actions()[1].trigger()
    assert window.session.data == b"a & b.txt"
    (tmp_path / "c.txt").unlink()
    assert len(offered()) == 2
    window.recents.menu.actions()[1].trigger()
    assert "c.txt cannot be read" in window.notice.text and len(offered()) == 1
    assert window.session.data == b"a & b.txt"


@pytest.mark.parametrize(("name", "title"), [
    ("a[*].txt", "a[*].txt – Tokenloupe"), ("a\nb\x00", "a\ufffdb\ufffd – Tokenloupe"),
    ("", "Untitled – Tokenloupe"), ("x" * 5000, "x" * 200 + " – Tokenloupe")])
def test_a_title_is_one_line_and_says_the_name(window: MainWindow, qapp, name: str, title: str) -> None:
    window.session.set_data(b"", name)
    shown = window.windowTitle().replace("[*][*]", "\0").replace("[*]", "").replace("\0", "[*]")  # as Qt reads it
    assert shown == title
