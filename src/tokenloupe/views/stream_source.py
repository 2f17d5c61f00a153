"""SourcePicker: what plays. The text in the editor, a scenario with one click, or one's own ids, bytes, recording.

stream_chosen(TokenStream, Scenario or None) says that there is something to play; problem(str) that there is not.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from .. import resources
from ..core.errors import InputError
from ..core.stream_recordings import recording
from ..core.stream_scenarios import SCENARIOS
from ..core.stream_sources import chunks, of_ids, parse_ids
from ..core.stream_tokens import TokenStream
from ..core.tokenizer import to_bytes
from ..models.session import Session
from . import palette

#: Tokens of the document that are played at most; of a longer text the first ones, or those of the selection.
LONGEST = 20_000
#: A recording of more bytes than this is refused.
LARGEST = 64 << 20

OWN = (
    ("ids", "Token ids", "Token ids of the tokenizer above, such as 464, 995, 0"),
    ("chunks", "Bytes in hex", "Chunks of bytes in hex, separated by commas, such as 476fe2, 82ac"),
    ("recording", "Recorded stream",
     'Paste a recorded stream: server-sent events (data: {"choices": ..}) or JSON lines. Or open a file.'),
)
#: What stands above an entry of the list.
HEADINGS = {SCENARIOS[0].id: "Scenarios", OWN[0][0]: "Your own"}


def _heading(text: str, widget: QListWidget) -> QListWidgetItem:
    item = QListWidgetItem(text)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    font = palette.small_font(widget.font())
    font.setCapitalization(font.Capitalization.AllUppercase)
    item.setFont(font)
    return item


class SourcePicker(QWidget):
    """A list where there is room for it, the same choices in a box where there is not (set_narrow)."""

    stream_chosen = Signal(object, object)
    problem = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.current = ""
        self.list = QListWidget()
        self.list.setAccessibleName("What to play")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setWordWrap(True)
        self.box = QComboBox()
        self.box.setAccessibleName("What to play")
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(16)
        self.list.setSpacing(2)
        for key, title in self._choices():
            if heading := HEADINGS.get(key):
                self.list.addItem(_heading(heading, self.list))
                self.box.insertSeparator(self.box.count())
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, key)
            self.list.addItem(item)
            self.box.addItem(title, key)
        self.list.currentItemChanged.connect(lambda now, _: self._picked(now, again=False))
        self.list.itemClicked.connect(lambda item: self._picked(item, again=True))
        self.box.activated.connect(lambda _: self.choose(self.box.currentData(), again=True))

        self.editor = QPlainTextEdit()
        self.editor.setTabChangesFocus(True)
        self.editor.setObjectName("field")
        self.editor.setFixedHeight(self.editor.fontMetrics().lineSpacing() * 4 + 14)
        self.open = QPushButton("Open file…")
        self.open.clicked.connect(self._open_file)
        self.example = QPushButton("Example")
        self.example.setToolTip("A recorded stream with the bytes of its tokens and the times they came")
        self.example.clicked.connect(self._open_example)
        self.skip = QCheckBox("Leave special tokens out")
        self.skip.toggled.connect(self.load)
        self._own = QWidget()
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.addWidget(self.open)
        buttons.addWidget(self.example)
        buttons.addStretch(1)
        own = QVBoxLayout(self._own)
        own.setContentsMargins(0, 0, 0, 0)
        own.addWidget(self.editor)
        own.addLayout(buttons)
        self._texts: dict[str, str] = {}
        self._first = 0  # which token of the document the stream begins with
        self._file: tuple[str, bytes] | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(250)
        self._later.timeout.connect(self.load)
        self.editor.textChanged.connect(self._typed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list, 1)
        column.addWidget(self.box)
        column.addWidget(self._own)
        column.addWidget(self.skip)
        self.set_narrow(False)
        self._show_own()

    def _picked(self, item: QListWidgetItem | None, again: bool) -> None:
        if item is not None and (key := item.data(Qt.ItemDataRole.UserRole)):
            self.choose(key, again)

    @staticmethod
    def _choices() -> list[tuple[str, str]]:
        return [("document", "The text in the editor"), *((s.id, s.title) for s in SCENARIOS),
                *((key, title) for key, title, _ in OWN)]

    def set_narrow(self, narrow: bool) -> None:
        self.list.setVisible(not narrow)
        self.box.setVisible(narrow)

    def choose(self, key: str, again: bool = False) -> None:
        """Take a source and load it; `again` loads it even when it is the current one."""
        if key == self.current and not again:
            return
        if any(self.current == key for key, _, _ in OWN):
            self._texts[self.current] = self.editor.toPlainText()
        changed, self.current = key != self.current, key
        with QSignalBlocker(self.list), QSignalBlocker(self.box):
            rows = range(self.list.count())
            self.list.setCurrentRow(next(i for i in rows if self.list.item(i).data(Qt.ItemDataRole.UserRole) == key))
            self.box.setCurrentIndex(self.box.findData(key))
        if changed:
            self._show_own()
        self.load()

    def _show_own(self) -> None:
        entry = next((o for o in OWN if o[0] == self.current), None)
        self._own.setVisible(entry is not None)
        self.open.setVisible(self.current == "recording")
        self.example.setVisible(self.current == "recording")
        self.skip.setVisible(self.current in ("document", "ids"))
        if entry is not None:
            with QSignalBlocker(self.editor):
                self.editor.setPlainText(self._texts.get(entry[0], ""))
            self.editor.setPlaceholderText(entry[2])
            self.editor.setAccessibleName(entry[1])
            self.editor.setAccessibleDescription(entry[2])

    def _typed(self) -> None:
        if self.current == "recording":  # what is typed now is played, no more the file whose beginning stood here
            self._file = None
        self._later.start()

    def _open_file(self) -> None:
        kinds = "Recorded streams (*.sse *.jsonl *.ndjson *.json *.txt *.log);;All files (*)"
        path, _ = QFileDialog.getOpenFileName(self, "Open a recorded stream", "", kinds)
        if path:
            self.open_recording(path)

    def _open_example(self) -> None:
        try:
            self.open_recording(str(resources.path("demos", "stream-recording.sse")))
        except InputError as error:
            self.problem.emit(str(error))

    def open_recording(self, path: str) -> None:
        """Play a recorded stream from a file."""
        try:
            if Path(path).stat().st_size > LARGEST:
                raise InputError("is too large for a recorded stream", todo=f"open one of at most {LARGEST >> 20} MB")
            data = Path(path).read_bytes()
        except OSError as error:
            self.problem.emit(f"{Path(path).name} cannot be read ({error.strerror})")
            return
        except InputError as error:
            self.problem.emit(f"{Path(path).name} {error}")
            return
        self.choose("recording")
        self._file = (Path(path).name, data)
        with QSignalBlocker(self.editor):
            self.editor.setPlainText(data[:20_000].decode("utf-8", "replace").replace("\0", "␀"))
        self.load()

    def load(self) -> None:
        """Make the stream of what is chosen."""
        self._later.stop()
        scenario = next((s for s in SCENARIOS if s.id == self.current), None)
        makers: dict[str, Callable[[], TokenStream]] = {
            "document": self._document, "ids": self._ids, "chunks": lambda: chunks(self.editor.toPlainText()),
            "recording": self._recording,
        }
        try:
            stream = scenario.make() if scenario is not None else makers[self.current]()
        except InputError as error:
            self.problem.emit(str(error))
            return
        except KeyError:
            return
        self.problem.emit("")
        self.stream_chosen.emit(stream, scenario)

    def _ids(self) -> TokenStream:
        ids = parse_ids(self.editor.toPlainText())
        if not self._session.ready:
            raise InputError("there is no tokenizer yet", todo="open one first")
        return of_ids(self._session.tokenizer, ids, skip_special=self.skip.isChecked())

    def _recording(self) -> TokenStream:
        if self._file is not None:
            return recording(self._file[1], name=self._file[0])
        text = self.editor.toPlainText()
        return recording(to_bytes(text)) if text.strip() else TokenStream.of_chunks([], name="a recorded stream")

    def _document(self) -> TokenStream:
        session = self._session
        if not session.ready:
            return TokenStream.of_chunks([], name="the text in the editor")
        start, end = session.selection
        if start == end:
            start, end = 0, len(session)
        window = session.document.window(start, end)
        self._first = window.first_index
        ids = window.ids[:LONGEST].tolist()
        return of_ids(session.tokenizer, ids, skip_special=self.skip.isChecked(), name="the text in the editor")


    def select(self, index: int) -> None:
        """Select token `index` of the stream in the editor."""
        if self._session.ready:
            window = self._session.document.tokens(self._first + index, self._first + index + 1)
            if len(window.ids):
                self._session.select(int(window.starts[0]), int(window.ends[0]))
