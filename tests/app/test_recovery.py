"""A killed window: the text is there again, all but the last two seconds. With a real process and a real SIGKILL."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from effort import calls
from tokenloupe.app import recovery
from tokenloupe.app.main import Program, application
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models import jobs
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session

#: Types into a real window, a letter every 20 ms, and says what the text is after each.
CHILD = textwrap.dedent("""
    import sys, time
    from pathlib import Path
    from PySide6.QtCore import QTimer
    from tokenloupe.app.main import Program, application
    app = application([])
    program = Program(app, Path(sys.argv[1]))
    program.settings.set("tokenizer", "gpt2")
    window = program.open_window([])
    session = window.session
    session.set_data(b"", "letter.txt")
    def type_one():
        session.edit(len(session), 0, b"%d " % len(session), "typing")
        print(time.monotonic(), len(session), flush=True)
    timer = QTimer()
    timer.timeout.connect(type_one)
    timer.start(20)
    app.exec()
""")


def test_sigkill_loses_at_most_two_seconds_of_typing(program: Program, tmp_path: Path) -> None:
    home = tmp_path / "killed"
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(home)], stdout=subprocess.PIPE, text=True,
                             env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    assert child.stdout is not None
    typed: list[tuple[float, int]] = []
    for line in child.stdout:
        when, size = line.split()
        typed.append((float(when), int(size)))
        if typed[-1][0] - typed[0][0] > 2.6:
            break
    killed = time.monotonic()
    child.kill()  # SIGKILL on POSIX, TerminateProcess on Windows: the process hears nothing of it
    child.wait()
    child.stdout.close()

    again = Program(application([]), home)
    window = again.open_window([], late=True)
    again.begin(window, [])
    due = max(size for when, size in typed if when <= killed - 2.0)
    expected = b""
    while len(expected) < len(window.session):
        expected += b"%d " % len(expected)
    assert window.session.data == expected and len(window.session) >= due > 0
    assert window.session.name == "letter.txt" and window.session.modified
    assert "here again" in window.notice.text
    window.session.edit(0, 0, b"x", "typing")
    window.close()


@pytest.fixture
def session(qapp) -> Session:
    return Session(load_bundled("gpt2"), b"", jobs=Jobs(synchronous=True))


def killed(folder: Path, data: bytes, name: str = "") -> Path:
    """A journal whose window is gone."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{len(list(folder.iterdir()))}.journal"
    recovery.save(file, data, name=name, path="", caret=0)
    return file


def test_every_byte_comes_back(tmp_path: Path) -> None:
    data = bytes(range(256)) + b"\n\r\n{}"
    killed(tmp_path, data, "näme\n")
    lost = list(recovery.left_behind(tmp_path))
    assert [(x.data, x.name) for x in lost] == [(data, "näme\n")]


def test_the_newest_comes_first_and_empty_ones_are_not_offered(tmp_path: Path) -> None:
    for i, data in enumerate((b"old", b"", b"new")):
        os.utime(killed(tmp_path, data), (1000 + i, 1000 + i))
    assert [x.data for x in recovery.left_behind(tmp_path)] == [b"new", b"old"]


@pytest.mark.parametrize("damage", [
    b"", b"{", b"\x00" * 400, b'{"version": 1}\nabc', b"[]\n", b'{"version": 2, "size": 0, "crc32": 0}\n',
    b"[" * 50_000 + b"\n", b'{"version":1,"name":"","path":"","size":3,"crc32":1,"caret":0,"saved":0}\nabc',
    b'{"version":1,"name":"","path":"","size":3,"crc32":891568578,"caret":"x","saved":0}\nabc'])
def test_damaged_journals_are_set_aside(tmp_path: Path, damage: bytes) -> None:
    killed(tmp_path, b"good")
    (tmp_path / "bad.journal").write_bytes(damage)
    assert [x.data for x in recovery.left_behind(tmp_path)] == [b"good"]
    assert (tmp_path / "bad.damaged").read_bytes() == damage and not (tmp_path / "bad.journal").exists()


def test_no_folder_is_no_error(tmp_path: Path) -> None:
    assert list(recovery.left_behind(tmp_path / "none")) == []


def test_the_text_of_a_living_window_is_not_offered(session: Session, tmp_path: Path) -> None:
    jobs.synchronous(True)
    journal = recovery.Journal(session, tmp_path)
    session.edit(0, 0, b"alive", "typing")
    journal.write()
    assert recovery.load(journal.file, recovery.lock_of(journal.file)).data == b"alive"
    assert list(recovery.left_behind(tmp_path)) == []
    journal.close(keep=True)
    assert [x.data for x in recovery.left_behind(tmp_path)] == [b"alive"]
    jobs.synchronous(False)


def test_two_starts_do_not_take_the_same_text(tmp_path: Path) -> None:
    killed(tmp_path, b"once")
    first = list(recovery.left_behind(tmp_path))
    assert len(first) == 1 and list(recovery.left_behind(tmp_path)) == []


def test_a_text_taken_over_is_safe_at_every_moment(session: Session, tmp_path: Path) -> None:
    jobs.synchronous(True)
    old = killed(tmp_path, b"text")
    lost = next(recovery.left_behind(tmp_path))
    journal = recovery.Journal(session, tmp_path)
    session.set_data(lost.data, modified=True)
    journal.adopt(lost)
    assert old.exists()  # until the new journal is written
    journal.write()
    assert not old.exists() and journal.file.exists()
    journal.close(keep=False)
    assert list(tmp_path.glob("*.journal")) == []
    jobs.synchronous(False)


def test_windows_of_one_process_have_journals_of_their_own(program: Program, tmp_path: Path) -> None:
    texts = (b"one", b"two", b"three")
    for text in texts:
        window = program.open_window([])
        window.session.edit(0, 0, text, "typing")
    for window in tuple(program.windows):
        window.close()
    assert {x.data for x in recovery.left_behind(program.journals)} == set(texts)


def test_closing_keeps_unsaved_text_and_forgets_saved_text(program: Program, tmp_path: Path) -> None:
    window = program.open_window([])
    window.session.edit(0, 0, b"saved", "typing")
    window.files.path = tmp_path / "a.txt"
    window.files.save()
    window.close()
    assert list(recovery.left_behind(program.journals)) == []


def test_opening_a_text_journals_nothing(program: Program) -> None:
    window = program.open_window([])
    window.session.set_data(b"x" * 100, "a.txt")
    window.journal.write()
    assert not program.journals.exists() or list(program.journals.glob("*.journal")) == []


def test_a_text_of_10_mb_is_written_by_a_thread(qapp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(load_bundled("gpt2"), b"", jobs=Jobs(synchronous=False))
    session.stop_filling()
    session._pending = b""
    session.document.store.replace(0, 0, b"word and words " * 700_000)
    session.revision += 1
    session._history._saved = None
    journal = recovery.Journal(session, tmp_path)
    journal._written = -1
    threads = []
    write = recovery.save

    def told(*args: object, **more: object) -> None:
        threads.append(threading.current_thread())
        write(*args, **more)

    monkeypatch.setattr(recovery, "save", told)
    assert calls(journal.write) < 500  # joining the blocks and starting the thread
    journal._writer.wait()
    assert len(threads) == 1 and threads[0] is not threading.main_thread()
    assert journal.file.stat().st_size > 10_000_000
    journal.close(keep=False)


def test_a_folder_that_cannot_be_made_is_told(session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    said: list[str] = []
    session.failed.connect(said.append)
    journal = recovery.Journal(session, tmp_path / "file" / "journals")
    session.edit(0, 0, b"x", "typing")
    journal.write()
    assert len(said) == 1 and "crash" in said[0]
    journal.close(keep=False)


def test_a_full_disk_is_told_once_and_tried_again(session: Session, tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    session.failed.connect(said.append)
    journal = recovery.Journal(session, tmp_path)
    journal._writer.synchronous = True
    write = recovery.save

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recovery, "save", full)
    session.edit(0, 0, b"x", "typing")
    journal.write()
    journal.write()
    assert len(said) == 1 and "No space left on device" in said[0]
    assert journal._timer.isActive() and not journal.keep()
    monkeypatch.setattr(recovery, "save", write)
    journal.write()  # as the timer does
    assert journal.keep()
    assert journal.file.read_bytes().endswith(b"\nx")
    journal.close(keep=False)


def test_half_a_journal_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        recovery.save(tmp_path / "a.journal", b"text", name="", path="", caret=0)
    assert list(tmp_path.iterdir()) == []


def test_a_window_whose_text_cannot_be_kept_closes_at_the_second_time(
        program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    window = program.open_window([])
    window.session.edit(0, 0, b"x", "typing")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recovery, "save", full)
    assert not window.close() and window.isVisible() and "in no file" in window.notice.text
    assert window.close()


@pytest.mark.parametrize("field", ['"caret": 1e999', '"saved": 1e999, "caret": 1e400', '"name": 5, "caret": []'])
def test_a_journal_whose_head_is_nonsense_is_set_aside(tmp_path: Path, field: str) -> None:
    recovery.save(tmp_path / "a.journal", b"text", name="", path="", caret=0)
    head, _, data = (tmp_path / "a.journal").read_bytes().partition(b"\n")
    (tmp_path / "a.journal").write_bytes(head[:-1] + b", " + field.encode() + b"}\n" + data)
    assert list(recovery.left_behind(tmp_path)) == []
    assert (tmp_path / "a.damaged").exists()
