"""The status line (where the caret is, does the text come back, what is under way) and the bar for one sentence on top.

Both show plain text only: a token `<s>` or a file called `<b>` is what it says.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QStatusBar, QToolButton, QWidget

from ..models.jobs import Job
from ..models.session import Session

#: A job shows its progress after this long, in ms.
PATIENCE = 300
#: How long a sentence stays in the status line, in ms.
STAY = 8000
#: A caret's place is worked out this long after it moved, in ms: a key held down does not wait for it.
SOON = 40

#: (line, column), both from 1, of a byte position; the editor has it, the status line can work it out.
Place = Callable[[int], tuple[int, int]]


class Said(QLabel):
    """A label that says what its text is about. An accessible name alone would hide the text from a screen reader."""

    def __init__(self, about: str) -> None:
        super().__init__()
        self._about = about
        self.setAccessibleName(about)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(f"{self._about}: {text}" if text else self._about)


def label(name: str = "quiet", about: str = "") -> QLabel:
    """about: what the text is about, for screen readers, where no caption says it."""
    made = Said(about) if about else QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setObjectName(name)
    return made


def paragraph(name: str = "quiet", about: str = "") -> QLabel:
    """A label of as many lines as it needs, which can be selected and copied."""
    made = label(name, about)
    made.setWordWrap(True)
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
    return made


def tool_button(parent: QWidget, text: str, tip: str) -> QToolButton:
    """A small button of a bar. tip: what it does, which is its accessible name, and its key in parentheses."""
    made = QToolButton(parent)
    made.setText(text)
    made.setToolTip(tip)
    made.setAccessibleName(tip.split(" (")[0])
    return made


def plain_button(parent: QWidget, text: str, tip: str, run: Callable[..., object] | None = None) -> QToolButton:
    """One in a panel, which leaves the focus where it is when it is clicked. run: what it does."""
    made = tool_button(parent, text, tip)
    made.setObjectName("plain")
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if run is not None:
        made.clicked.connect(run)
    return made


def flat_button(parent: QWidget, text: str, tip: str) -> QToolButton:
    """One in a bar over the text, with a frame under the pointer alone."""
    made = tool_button(parent, text, tip)
    made.setAutoRaise(True)
    return made


def restyle(widget: QWidget, name: str) -> None:
    """Another object name, and with it another look."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class StatusLine(QStatusBar):
    """place: who knows lines and columns better than counting newlines; set by the window."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.place: Place = lambda byte_pos: place_in(session, byte_pos)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(8, 0, 12, 0)
        self._job: Job | None = None
        self.progress_label, self.progress, self.cancel = label(), QProgressBar(), QPushButton("Cancel")
        self.progress.setFixedWidth(120)
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress")
        self.cancel.clicked.connect(self._cancel)
        self.verdict, self.caret = label(about="Round trip"), label(about="Caret")
        for widget in (self.progress_label, self.progress, self.cancel, self.verdict, self.caret):
            self.addPermanentWidget(widget)
            widget.setContentsMargins(6, 0, 6, 0)
        self._show_job(None)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SOON)
        self._timer.timeout.connect(self.refresh)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._look_at_jobs)
        for signal in (session.selection_changed, session.document_changed, session.tokenizer_changed):
            signal.connect(self._later)
        session.message.connect(lambda text: self.showMessage(text, STAY))
        session.jobs.started.connect(lambda _: self._patience.start(PATIENCE))
        session.jobs.progressed.connect(self._progressed)
        session.jobs.ended.connect(self._ended)
        self.refresh()

    def refresh(self) -> None:
        """Work out what is shown now."""
        session = self._session
        if not session.ready:
            self.caret.setText("")
            self.verdict.setText("")
            return
        line, column = self.place(session.caret)
        document = session.document
        token = document.token_at(session.caret) if session.caret < document.complete_to else -1
        self.caret.setText(f"Ln {line:,}, Col {column:,}   Byte {session.caret:,}"
                           + (f"   Token {token:,}" if token >= 0 and document.token_count else ""))
        if not len(document):
            self.verdict.setText("")
        elif not document.complete:
            self.verdict.setText("Tokenized to byte " + f"{document.complete_to:,}")
            restyle(self.verdict, "quiet")
        elif document.exact:
            self.verdict.setText("✓ Round trip exact")
            self.verdict.setToolTip("Decoding the ids gives the text back, byte for byte")
            restyle(self.verdict, "good")
        else:
            self.verdict.setText("✗ Round trip loses bytes")
            self.verdict.setToolTip("Decoding the ids does not give the same bytes back")
            restyle(self.verdict, "bad")

    def _later(self) -> None:
        if self._session.jobs.synchronous:
            self.refresh()
        elif not self._timer.isActive():
            self._timer.start()

    def _look_at_jobs(self) -> None:
        active = self._session.jobs.active
        self._show_job(max(active, key=lambda job: job.seconds, default=None))  # the one that is longest under way

    def _progressed(self, job: Job) -> None:
        if job is self._job:
            self.progress.setValue(round(job.fraction * 1000))

    def _ended(self, job: Job) -> None:
        if job is self._job:
            self._look_at_jobs()
            self._later()

    def _show_job(self, job: Job | None) -> None:
        self._job = job
        if job is not None:
            self.progress_label.setText(f"{job.label}…")
            self.progress.setValue(round(job.fraction * 1000))
        for widget in (self.progress_label, self.progress, self.cancel):
            widget.setVisible(job is not None)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()


def place_in(session: Session, byte_pos: int) -> tuple[int, int]:
    """(line, column) from 1 of a byte position; lines end as in the editor, a column is a code point."""
    from .row_cut import line_ends

    before = session.store.bytes(0, byte_pos)
    if before.endswith(b"\r") and session.store.bytes(byte_pos, byte_pos + 1) == b"\n":
        before = before[:-1] + b" "  # within CRLF, which is one line end
    ends = line_ends(before)
    return len(ends) + 1, column_of(before[int(ends[-1]) if len(ends) else 0 :])


def column_of(before: bytes) -> int:
    """The column, from 1, behind these bytes of a line; a byte that is no UTF-8 is one."""
    from ..core.utf8 import decode_per_byte

    try:
        return len(before.decode("utf-8")) + 1
    except UnicodeDecodeError:
        return len(decode_per_byte(before)[0]) + 1


class NoticeBar(QFrame):
    """One sentence above the text, until it is closed or another comes. It never takes the focus and blocks nothing."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._label = label("sentence")
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._button, self._close = QPushButton(), QToolButton()
        self._close.setObjectName("plain")
        self._close.setText("✕")
        self._close.setAccessibleName("Close this message")
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.dismiss)
        self._run: Callable[[], object] | None = None
        self._button.clicked.connect(self._clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 6, 6)
        row.setSpacing(8)
        row.addWidget(self._label, 1)
        row.addWidget(self._button)
        row.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def tell(self, sentence: str, severity: str = "warning", button: str = "",
             run: Callable[[], object] | None = None) -> None:
        """severity: "error", "warning" or "info". button, run: something the user can do about it."""
        self.setProperty("severity", severity)
        for widget in (self, self._label):
            widget.style().unpolish(widget)
            widget.style().polish(widget)
        sign = {"error": "✗", "warning": "⚠"}.get(severity, "ℹ")
        self._label.setText(f"{sign}  {sentence}")
        self.setAccessibleName(sentence)
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self._run = run
        self.show()

    def dismiss(self) -> None:
        self.hide()
        self._run = None
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def _clicked(self) -> None:
        run = self._run
        self.dismiss()
        if run is not None:
            run()
