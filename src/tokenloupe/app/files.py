"""Opening and saving: text files as the bytes they are, tokenizer files by their content, and what is dropped.

    files.open(path)                  # what the file is decides: a tokenizer, or a text
    files.open_tokenizer("o200k_base")

Nothing is ever lost: an unsaved text is not replaced, another window opens; a file is written whole or not at all;
what cannot be opened is one sentence in the bar above the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QIODevice, QObject, QSaveFile
from PySide6.QtWidgets import QFileDialog

from ..core.errors import InputError, StageError
from ..models.jobs import Latest
from .case_files import SUFFIX
from .opening import opening
from .text_file import Stamp, from_utf16, full_path, read_text, refuse_special, shown_name, stamp_of, unreadable

if TYPE_CHECKING:
    from ..core.tokenizer import Tokenizer
    from .main_window import MainWindow

#: Names that are a tokenizer whatever is in them: a damaged one is told to be damaged, not shown as a text.
ALWAYS_TOKENIZER = ("tokenizer.json", "tekken.json", "vocab.json", "encoder.json", "merges.txt", "vocab.bpe")
ALWAYS_SUFFIX = (".tiktoken", ".model", ".gguf", ".gob")
#: Files of tensors alone; a GGUF has a tokenizer most of the time, and the tensor panel opens its weights.
TENSOR_SUFFIX = (".safetensors", ".safetensors.index.json", ".npy", ".npz")
#: Files that are opened at once.
TOGETHER = 12
#: How sure a format must be of a file of another name.
SURE = 50


class Files(QObject):
    """The files of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._opening = Latest(window.session.jobs)
        self._wanted = ""  # the tokenizer that is being opened
        self._together = self._shown = False  # several files are being opened, and one of them is the text here

    @property
    def path(self) -> Path | None:
        """The file that Save writes to, None for none. The journal has it, so that a restored text knows it too."""
        path = self._window.journal.path
        return Path(path) if path else None

    @path.setter
    def path(self, path: Path | None) -> None:
        self._window.journal.path = str(path) if path else ""

    @property
    def _stamp(self) -> Stamp | None:
        """Of that file when it was last read or written here; the journal has it, likewise."""
        return self._window.journal.stamp

    @_stamp.setter
    def _stamp(self, stamp: Stamp | None) -> None:
        self._window.journal.stamp = stamp

    # Any file

    def open_all(self, paths: list[Path]) -> None:
        """Files that were dropped or named together: of several texts the first is shown here, each other one in
        a window of its own."""
        self._together = True
        try:
            for path in paths[:TOGETHER]:
                self.open(path)
        finally:
            self._together = self._shown = False
        if len(paths) > TOGETHER:
            self._window.fail(f"{len(paths):,} files are too many at once: the first {TOGETHER} were opened")

    def open(self, path: Path) -> None:
        """A file or folder of whatever kind, as it is dropped or named on the command line."""
        try:
            refuse_special(path)
            if path.suffix.lower() == SUFFIX:
                self._window.cases.open(path)
            elif path.name.lower().endswith(TENSOR_SUFFIX):
                self.open_tensors(path)
            elif is_tokenizer(path):
                self.open_tokenizer(str(path))
            else:
                self.open_text(path)
        except InputError as error:
            self._window.fail(str(error))
        except (OSError, ValueError) as error:  # there is nothing at the path, or it is no path
            self._window.fail(str(unreadable(path, error)))

    def open_tensors(self, path: Path) -> None:
        """A file of tensors into the tensor panels."""
        from ..models.tensor_desk import TensorDesk

        if TensorDesk.of(self._window.session).open(path):
            self._window.docks.show("tensors")

    # Texts

    def ask_text(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._window, "Open Text", self._folder())
        if name.lower().endswith(SUFFIX):
            self._window.cases.open(Path(name))
        elif name:
            self.open_text(Path(name))

    def open_text(self, path: Path) -> None:
        """A text file's bytes; in another window when this one's text is in no file."""
        try:
            data, stamp = read_text(path)
        except InputError as error:
            self._window.fail(str(error))
            return
        window = self.show_text(data, path.name, path)
        window.files._stamp = stamp
        window.settings.remember("recent_texts", full_path(path))
        if (converted := from_utf16(data)) is not None:
            window.notice.tell(f"{path.name} is UTF-16, and what you see are its bytes.", "info", "Convert to UTF-8",
                               lambda: window.files._convert(data, converted))

    def _convert(self, data: bytes, converted: bytes) -> None:
        """As an edit, which Undo takes back; not when the text has become another one."""
        session = self._window.session
        if session.data == data:
            session.edit(0, len(data), converted, "convert", caret=0)

    def open_example(self, name: str, _checked: bool = False) -> None:
        from ..resources import path

        self.show_text(path("demos", name).read_bytes(), "")

    def show_text(self, data: bytes, name: str, path: Path | None = None) -> MainWindow:
        """In this window, or in another one when this one's text is in no file; which it is."""
        window = self._window
        if self._shown or (window.session.modified and len(window.session)):
            window = window.new_window()
        self._shown = self._together
        window.session.set_data(data, name)
        window.files.path, window.files._stamp = path, None
        return window

    def save(self) -> bool:
        case = self._window.cases.path
        if case is not None:
            return self._window.cases.save(case)
        if self.path is None:
            return self.save_as()
        path, now = self.path, stamp_of(self.path)
        if self._stamp is not None and now is not None and now != self._stamp:
            self._window.notice.tell(f"{path.name} was changed by another program, and was not saved.", "warning",
                                     "Save Anyway", lambda: self._write(path))
            return False
        return self._write(path)

    def save_as(self) -> bool:
        start = str(self.path) if self.path else str(Path(self._folder()) / "text.txt")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save Text", start)
        return bool(name) and self._write(Path(name))

    def _write(self, path: Path) -> bool:
        data = self._window.session.data
        problem = write_file(path, data)
        if problem:
            self._window.fail(f"{shown_name(path)} was not saved: {problem}; the text is still here")
            return False
        self.path, self._stamp = path, stamp_of(path)
        self._window.session.mark_saved(path.name)
        self._window.settings.remember("recent_texts", full_path(path))
        self._window.session.message.emit(f"Saved {path.name}, {len(data):,} bytes")
        return True

    # Tokenizers

    def ask_tokenizer(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._window, "Open Tokenizer", self._folder("recent_tokenizers"))
        if name:
            self.open_tokenizer(name)

    def ask_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self._window, "Open Tokenizer Folder",
                                                self._folder("recent_tokenizers"))
        if name:
            self.open_tokenizer(name)

    def ask_hub(self) -> None:
        from ..views.hub_dialog import HubDialog

        HubDialog(self._window, self._window.session.jobs, lambda path: self.open_tokenizer(str(path))).open()

    def open_remembered(self) -> None:
        """The tokenizer that was in use when the last window was closed."""
        from ..formats.bundled import DEFAULT

        self.open_tokenizer(self._window.settings.get("tokenizer", DEFAULT))

    def stop(self) -> None:
        """The window closes."""
        self._wanted = ""
        self._opening.cancel()

    def _default(self, instead_of: tuple[str, ...]) -> None:
        """What was wanted did not come: a window without any tokenizer gets the one of the first start, or else the
        smallest."""
        from ..formats.bundled import DEFAULT

        left = [name for name in (DEFAULT, "gpt2") if name not in instead_of]
        if left and not self._window.session.ready and self._wanted == instead_of[-1]:
            self.open_tokenizer(left[0], instead_of=instead_of)

    def open_tokenizer(self, name: str, vocabulary_only: bool = False, instead_of: tuple[str, ...] = ()) -> None:
        """A bundled name or a path; the tokenizer in use stays until the other one is there. vocabulary_only: of a file
        with a stage that cannot be run. instead_of: those that did not come before this one."""
        window = self._window
        self._wanted = name
        shown = Path(name).name or name

        stage: list[StageError] = []

        def steps() -> Iterator[Any]:
            try:
                yield from opening(name, **({"vocabulary_only": "yes"} if vocabulary_only else {}))
            except StageError as error:
                stage.append(error)
                raise

        def done(tokenizer: Tokenizer) -> None:
            window.session.set_tokenizer(tokenizer)
            if vocabulary_only:  # the next start begins with one that gives tokens
                return
            bundled = name in dict.fromkeys(value for value, _, _ in bundled_offers())
            window.settings.set("tokenizer", name if bundled else full_path(name))
            if not bundled:
                window.settings.remember("recent_tokenizers", full_path(name))

        def failed(sentence: str) -> None:
            window.picker.refresh()
            sentence = f"{shown}: {sentence}" if shown not in sentence else sentence
            if stage:
                window.notice.tell(sentence, "error", "Open Its Vocabulary",
                                   lambda: self.open_tokenizer(name, vocabulary_only=True))
            else:
                window.fail(sentence)
            window.settings.forget("recent_tokenizers", full_path(name))
            self._default((*instead_of, name))

        def faulted() -> None:  # which the window tells
            window.picker.refresh()
            self._default((*instead_of, name))

        def cancelled() -> None:
            if self._wanted == name:  # by the user, and not because another one is opened
                window.picker.refresh()
                self._default((*instead_of, name))

        window.picker.loading(shown)
        self._opening.start(f"Opening {shown}", steps(), done=done, failed=failed, cancelled=cancelled,
                            faulted=faulted)

    def _folder(self, recent: str = "recent_texts") -> str:
        if recent == "recent_texts" and self.path is not None:
            return str(self.path.parent)
        last = self._window.settings.recent(recent)
        return str(Path(last[0]).parent) if last else str(Path.home())


def is_tokenizer(path: Path) -> bool:
    """Is a file a tokenizer? By its name when that leaves no doubt, else by its content. InputError: not readable."""
    if path.is_dir() or path.name in ALWAYS_TOKENIZER or path.suffix.lower() in ALWAYS_SUFFIX:
        return True
    from ..formats import Source, formats

    source = Source(path, path.name)
    try:
        return max((f.sniff(source) for f in formats()), default=0) >= SURE
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def write_file(path: Path, data: bytes) -> str:
    """Write a file whole or not at all; "" when that is done, else why not."""
    try:
        refuse_special(path)
    except FileNotFoundError:
        pass
    except InputError:
        return "this is no file"
    except (OSError, ValueError) as error:
        return str(getattr(error, "strerror", None) or error)
    file = QSaveFile(str(path))
    file.setDirectWriteFallback(True)  # a folder where no file may be made
    good = file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(data) == len(data) and file.commit()
    return "" if good else file.errorString()


def bundled_offers() -> list[tuple[str, str, str]]:
    """(name, title, what uses it) of the vocabularies that come with the program."""
    from ..formats.bundled import BUNDLED

    return [(b.name, b.name, b.description) for b in BUNDLED.values()]
