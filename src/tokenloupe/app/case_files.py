"""Case files of one window: open one (menu, drop, command line), save one.

    cases.open(path)        # text, tokenizer and settings as they were; what differs is told in the bar on top
    cases.save(path)        # the window's text, tokenizer, settings and ids

A text that came from a file of its own stays that file's: saving a case of it is a copy. A text that is in no file
lives in its case from then on, and Save writes the case again.
"""

from __future__ import annotations

from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from ..core.errors import InputError
from ..core.wording import count_of
from ..models.jobs import Latest, in_thread
from .text_file import full_path

if TYPE_CHECKING:
    from ..cases import OpenedCase
    from ..core.case_file import Case
    from .main_window import MainWindow

#: core.case_file.SUFFIX; that module needs numpy, which is not there before the first paint.
SUFFIX = ".loupe"
FILTER = f"Case files (*{SUFFIX})"


class CaseFiles(QObject):
    """path: the case that Save writes to, None for none."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._path: Path | None = None
        self._case: Case | None = None
        self._opening = Latest(window.session.jobs)

    @property
    def path(self) -> Path | None:
        """The case that the window shows; None when its text is another one by now."""
        mine = self._path is not None and self._window.files.path is None
        return self._path if mine and self._path and self._window.session.name == self._path.name else None

    # Opening

    def ask_open(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._window, "Open Case", self._window.files._folder(), FILTER)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Read the case and find its tokenizer; until both are there the window stays as it is."""
        from ..cases import open_case

        window = self._window
        known = [w.session.tokenizer for w in window.program.windows if w.session.ready]

        def failed(sentence: str) -> None:
            window.fail(sentence if path.name in sentence else f"{path.name}: {sentence}")
            self._settle()

        window.files.stop()  # the case brings its own tokenizer
        self._opening.start(f"Opening {path.name}", in_thread(lambda: open_case(path, known)),
                            done=lambda opened: self._show(path, opened), failed=failed,
                            cancelled=lambda: QTimer.singleShot(0, self, self._settle))

    def _settle(self) -> None:
        """No tokenizer came: a window that has none yet gets the one that was last in use."""
        if not self._window.session.ready and self._window in self._window.program.windows:
            self._window.files.open_remembered()

    def _show(self, path: Path, opened: OpenedCase) -> None:
        window = self._window
        if window.session.modified and len(window.session):
            window = window.new_window()
            window.files.stop()
        problems = list(opened.problems)
        case = opened.case
        if opened.tokenizer is not None:
            try:
                window.session.set_tokenizer(opened.tokenizer, case.special)
            except InputError:  # special tokens that it lacks: among the problems already
                window.session.set_tokenizer(opened.tokenizer)
        else:
            window.cases._settle()
        if case.bos_eos:
            problems.append("its ids have what the tokenizer adds around a text; the window shows the text alone")
        window.files.show_text(case.data, path.name)
        window.cases._path, window.cases._case = path, case
        window.settings.remember("recent_texts", full_path(path))
        if problems:
            window.notice.tell(f"{path.name}: {'; '.join(problems)}.", "warning")
        elif case.note:
            window.notice.tell(f"{path.name}: {case.note}", "info")

    # Saving

    def ask_save(self) -> bool:
        path = self.path
        if path is None:
            # The name may come from a file that somebody else made: its last part, and no more.
            stem = PureWindowsPath(Path(self._window.session.name).name).stem or "case"
            path = Path(self._window.files._folder()) / f"{stem}{SUFFIX}"
        name, _ = QFileDialog.getSaveFileName(self._window, "Save Case", str(path), FILTER)
        return bool(name) and self.save(Path(name if name.lower().endswith(SUFFIX) else name + SUFFIX))

    def save(self, path: Path) -> bool:
        """Write the case. False: it cannot be done now, which is told."""
        from ..cases import write_case

        window, session = self._window, self._window.session
        try:
            if not session.complete or not session.ready:
                raise InputError("the text has no tokens to its end yet", todo="save the case when it has")
            case = self._made(path)
            write_case(path, case)
        except InputError as error:
            window.fail(f"{path.name} was not saved: {error}")
            return False
        if window.files.path is None:
            self._path, self._case = path, case
            session.mark_saved(path.name)
        window.settings.remember("recent_texts", full_path(path))
        session.message.emit(f"Saved {path.name}, {count_of(len(case.data), 'byte')} and "
                             f"{count_of(len(case.ids), 'id')}")
        return True

    def _made(self, path: Path) -> Case:
        """What is to be written. What the opened case said of the same tokenizer stays as it stood there."""
        from ..cases import reference
        from ..core.case_check import same_tokenizer
        from ..core.case_file import Case

        session = self._window.session
        tokenizer, data, special = session.tokenizer, session.data, session.special
        about = reference(tokenizer, path.parent)
        old = self._case if self.path is not None else None
        if old is not None and self._path is not None and same_tokenizer(old.tokenizer, tokenizer) and (
                path.parent.resolve() == self._path.parent.resolve() or Path(old.tokenizer.source).is_absolute()):
            about = old.tokenizer
        bos_eos = old is not None and old.bos_eos
        ids = (tokenizer.encode(data, special=special, bos_eos=True).ids if bos_eos
               else session.document.tokens(0, session.document.token_count).ids)
        return Case(data, about, special, bos_eos, ids, old.name if old is not None else session.name,
                    old.note if old is not None else "")
