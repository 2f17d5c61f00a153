"""A killed window loses at most two seconds of typing: the text is journaled, and is there again at the next start.

    journal = Journal(session)               # one for each window; nothing else to call while the window lives
    for lost in left_behind(): ...           # at start: texts whose window is gone, newest first
    journal.close(keep=session.modified)     # a text that is in no file is kept for the next start

A second after the first edit since the last write, the text is written to a file of the window's own, beside it and
then renamed over it, by a thread: a reader finds the old text or the new one, never half. A lock file tells that the
window lives; the operating system frees it with the process, so several windows and processes keep apart.

Format: one line of JSON (version, name, path, size, crc32, caret, stamp of the text's file, saved), then the bytes as
they are.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QLockFile, QObject, QTimer

from ..models.jobs import Writer
from ..models.session import Session
from .settings import state_folder
from .text_file import Stamp, as_stamp

#: From the first unwritten edit to the write, in ms; the rest of the two seconds is for the disk.
DELAY = 1000
#: When the write before has not ended.
RETRY = 100
#: When the disk did not take it, in ms.
AGAIN = 5000
VERSION = 1
#: Texts of dead windows offered at start; older ones stay on disk until these are dealt with.
OFFERED = 20


@dataclass(frozen=True, slots=True)
class Lost:
    """A text that a window left behind. path: the file it was opened from or saved to, "" for none; stamp: of that file
    then.

    While the lock is held no other process takes the same text over.
    """

    journal: Path
    lock: QLockFile
    data: bytes
    name: str
    path: str
    caret: int
    when: float
    stamp: Stamp | None = None


class Journal(QObject):
    """Writes the session's text while it differs from what is in its file."""

    def __init__(self, session: Session, folder: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.path = ""  # of the text's own file, "" for none, set by the window
        self.stamp: Stamp | None = None  # of that file, likewise
        self._folder = folder if folder is not None else journal_folder()
        self.file = self._folder / f"{os.getpid()}-{uuid4().hex[:12]}.journal"
        self._lock: QLockFile | None = None
        self._written = session.revision
        self._adopted: list[Lost] = []
        self._locks: list[QLockFile] = []
        self._writer = Writer(self)
        self._writer.finished.connect(self._finished)
        self._told = False  # that the disk does not take it
        self._safe = False  # what was last to be written is on the disk
        self._writing: tuple[Lost, ...] = ()  # the adopted texts that are in it
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.write)
        session.document_changed.connect(self._changed)
        session.state_changed.connect(self._changed)

    def adopt(self, lost: Lost) -> None:
        """This window shows a lost text now: its old journal goes once the text is in this window's own."""
        self._adopted.append(lost)
        self._locks.append(lost.lock)
        self._written = -1
        self._changed()

    def write(self) -> None:
        """Write the text now if it has changed; in a thread."""
        session = self._session
        if self._written == session.revision:
            return
        if not session.modified and not self._adopted:  # in its file, or an example: nothing to lose
            self._written = session.revision
            self._remove()
            return
        if self._lock is None and not self._open():
            return
        if self._writer.busy:
            self._timer.start(RETRY)
            return
        data = session.data
        head = {"name": session.name, "path": self.path, "caret": session.caret, "stamp": self.stamp}
        adopted = self._writing = tuple(self._adopted)

        def run() -> None:
            self._safe = False
            save(self.file, data, **head)
            for old in adopted:
                remove(old.journal)
            self._safe = True

        self._written = session.revision
        self._writer.start(run)

    def keep(self) -> bool:
        """Write the text now and wait for it; False when it could not be written."""
        self._writer.wait()
        self._written = -1
        self.write()
        self._writer.wait()
        return self._safe

    def close(self, keep: bool) -> None:
        """The window closes. keep: leave the text for the next start."""
        self._timer.stop()
        self._writer.wait()
        if keep:
            self.write()
            self._writer.wait()
            self._timer.stop()
        else:
            for old in self._adopted:
                remove(old.journal)
            self._remove()
        self._session.document_changed.disconnect(self._changed)
        self._session.state_changed.disconnect(self._changed)
        for lock in (*self._locks, self._lock):
            if lock is not None:
                lock.unlock()
        self._locks.clear()
        self._lock = None

    # Inside

    def _finished(self, problem: OSError | None) -> None:
        """A full disk: told once, and tried again until it works."""
        if problem is None:
            self._told = False
            self._adopted = [lost for lost in self._adopted if lost not in self._writing]
            return
        if self._lock is None:
            return  # closed
        self._written = -1
        self._timer.start(AGAIN)
        if not self._told:
            self._told = True
            self._session.failed.emit(f"The text cannot be kept safe from a crash ({problem.strerror or problem}): "
                                      "save it to a file on another disk")

    def _changed(self) -> None:
        if self._session.revision != self._written and not self._timer.isActive():
            self._timer.start(DELAY)
        elif not self._session.modified and self._lock is not None and not self._timer.isActive():
            self._written = -1  # saved: what is in the journal is not needed any more
            self._timer.start(DELAY)

    def _open(self) -> bool:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            self._session.failed.emit(f"The text cannot be kept safe from a crash: {error.strerror or error}")
            return False
        self._lock = lock_of(self.file)
        return self._lock.tryLock(0)

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)


def journal_folder() -> Path:
    return state_folder() / "journals"


def lock_of(journal: Path) -> QLockFile:
    """The lock of a journal's window. Qt takes a lock for stale only when its process is gone."""
    lock = QLockFile(str(journal.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    return lock


def save(file: Path, data: bytes, *, name: str, path: str, caret: int, stamp: Stamp | None = None) -> None:
    """Write a journal atomically. OSError when the disk does not take it."""
    head = {"version": VERSION, "name": name, "path": path, "size": len(data), "crc32": zlib.crc32(data),
            "caret": caret, "stamp": stamp, "saved": time.time()}
    new = file.with_suffix(".tmp")
    try:
        with new.open("wb") as out:
            out.write(json.dumps(head).encode() + b"\n")
            out.write(data)
        new.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)  # half of it takes room where there is none
        raise


def load(file: Path, lock: QLockFile) -> Lost | None:
    """A journal, or None when it is damaged."""
    raw = file.read_bytes()
    line, _, data = raw.partition(b"\n")
    try:
        head = json.loads(line)
        good = head["version"] == VERSION and head["size"] == len(data) and head["crc32"] == zlib.crc32(data)
        if good:
            return Lost(file, lock, data, str(head["name"]), str(head["path"]), int(head["caret"]),
                        float(head["saved"]), as_stamp(head.get("stamp")))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        pass
    return None


def left_behind(folder: Path | None = None) -> Iterator[Lost]:
    """Texts whose window is gone, newest first. Damaged journals are set aside as *.damaged and passed over.

    The caller takes each over (Journal.adopt) or leaves it for another time.
    """
    folder = folder if folder is not None else journal_folder()
    found: list[tuple[float, Path]] = []
    try:
        for file in folder.glob("*.journal"):
            found.append((file.stat().st_mtime, file))
    except OSError:
        return
    for _, file in sorted(found, reverse=True)[:OFFERED]:
        lock = lock_of(file)
        if not lock.tryLock(0):
            continue  # its window lives, or another start is taking it over
        lost = None
        try:
            lost = load(file, lock)
            file.with_suffix(".tmp").unlink(missing_ok=True)
            if lost is None:
                file.replace(file.with_suffix(".damaged"))
            elif not lost.data:
                file.unlink()
        except OSError:
            lost = None
        if lost is not None and lost.data:
            yield lost
        else:
            lock.unlock()


def remove(journal: Path) -> None:
    """A journal and its lock, gone."""
    try:
        journal.unlink(missing_ok=True)
        journal.with_suffix(".lock").unlink(missing_ok=True)
    except OSError:
        pass
