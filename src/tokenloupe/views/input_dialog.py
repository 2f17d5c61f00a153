"""Input as…: bytes given as hex, escapes, token ids, text or a file, with what they mean while they are typed.

    InputDialog(window, session).open()

What cannot be read is one sentence with its place, and the button takes the caret there. Nothing typed is lost: each
kind keeps its own text, also when the dialog is closed, and what it puts into the document is one step of Undo.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from ..core.byte_forms import escaped
from ..core.errors import InputError
from ..core.text import utf16_length
from ..models import inputs
from ..models.readable import readable
from ..models.session import Session
from . import palette
from .status import paragraph, restyle

#: ms after a key, and characters beyond which the text is read when the button is pressed.
PAUSE, LARGE = 120, 200_000


class Field(QPlainTextEdit):
    """A box for one kind. Qt's boxes turn CR and U+2029 into line ends and drop U+FEFF and lone surrogates: `text()`
    keeps what can be kept (NBSP, U+2028), and a paste of the others is told (`refused`) or written as escapes.
    """

    refused = Signal(str)

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self.setObjectName("field")
        self.setTabChangesFocus(True)
        self.setAccessibleName(inputs.TITLES[kind][0])
        self.setPlaceholderText(inputs.TITLES[kind][1])
        if kind != "text":
            self.setFont(palette.mono_font(size=palette.MONO_SIZE - 1))

    def text(self) -> str:
        return self.document().toRawText().replace("\u2029", "\n")

    def insertFromMimeData(self, source: QMimeData) -> None:
        given = source.text()
        strange = next(filter(_is_lost, given), None)
        if strange is None or self.kind in ("hex", "ids"):
            super().insertFromMimeData(source)
        elif self.kind == "escaped":
            self.insertPlainText("".join(_escape(c) if _is_lost(c) else c for c in given))
        else:
            self.refused.emit(f"this box cannot hold U+{ord(strange):04X}: paste into the text itself, or as Escaped "
                              "text")


def _is_lost(char: str) -> bool:
    """Would a box of Qt's lose or change it?"""
    return char in "\r\0\u2029\ufeff\ufdd0\ufdd1" or "\ud800" <= char <= "\udfff"


def _escape(char: str) -> str:
    """A character that the box would lose, as an escape."""
    if "\ud800" <= char <= "\udfff":
        return f"\\u{ord(char):04x}"
    written = escaped(char.encode("utf-8"))
    return written if written.startswith("\\") else f"\\u{{{ord(char):x}}}"


class InputDialog(QDialog):
    def __init__(self, parent: QWidget | None, session: Session) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Input as…")
        self._session, self.draft = session, inputs.InputDraft.of(session)
        self._error: InputError | None = None
        self._restoring = True  # boxes are being filled: nobody types
        self.kind, self.boxes = QComboBox(), QStackedWidget()
        self.kind.setAccessibleName("Kind of input")
        self.fields: dict[str, Field] = {}
        self.path, browse = QLineEdit(), QPushButton("Browse…")
        for kind, (title, _) in inputs.TITLES.items():
            self.kind.addItem(title, kind)
            if kind != "file":
                field = self.fields[kind] = Field(kind)
                field.textChanged.connect(self._typed)
                field.refused.connect(self._refuse)
                self.boxes.addWidget(field)
        self.boxes.addWidget(self._file_page(browse))
        self.about, self.bytes, self.shown, self.verdict, self.problem = (_line(n) for n in (
            "quiet", "caption", "plain_text", "quiet", "bad"))
        for made, name in ((self.bytes, "Size"), (self.shown, "Bytes"), (self.verdict, "Verdict"),
                           (self.problem, "Problem")):
            made.setAccessibleName(name)
        self.place = QPushButton("Show the place")
        self.place.clicked.connect(self._show_place)
        self.whole, self.here = QRadioButton("Replace the text"), QRadioButton("Insert at the caret")
        self._where = QButtonGroup(self)
        for button in (self.whole, self.here):
            self._where.addButton(button)
        which = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(which.Ok | which.Cancel)
        self.ok = self.buttons.button(which.Ok)
        self.buttons.accepted.connect(self.put)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PAUSE)
        self._soon.timeout.connect(self.look)
        self._restore()
        self.kind.currentIndexChanged.connect(self._kind_changed)
        self.whole.toggled.connect(self._where_changed)
        browse.clicked.connect(self._browse)
        self.path.textChanged.connect(self._typed)
        self._kind_changed()

    def _file_page(self, browse: QPushButton) -> QWidget:
        page = QWidget()
        self.path.setAccessibleName("Path of the file")
        self.path.setPlaceholderText("Path of a file")
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        row.setAlignment(Qt.AlignmentFlag.AlignTop)
        return page

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        where, trouble = QHBoxLayout(), QHBoxLayout()
        where.addWidget(self.whole)
        where.addWidget(self.here)
        where.addStretch(1)
        trouble.addWidget(self.problem, 1)
        trouble.addWidget(self.place)
        column.addWidget(self.kind)
        column.addWidget(self.about)
        column.addWidget(self.boxes, 1)
        for made in (self.bytes, self.shown, self.verdict):
            column.addWidget(made)
        column.addLayout(trouble)
        column.addLayout(where)
        column.addWidget(self.buttons)
        self.resize(520, 420)

    def _restore(self) -> None:
        for kind, field in self.fields.items():
            field.setPlainText(self.draft.texts[kind])
        self.path.setText(self.draft.texts["file"])
        self.kind.setCurrentIndex(list(inputs.TITLES).index(self.draft.kind))
        (self.whole if self.draft.replace else self.here).setChecked(True)
        self._restoring = False

    # What is typed

    def _kind_changed(self) -> None:
        self.draft.kind = self.kind.currentData()
        self.boxes.setCurrentIndex(self.kind.currentIndex())
        self.about.setText(inputs.TITLES[self.draft.kind][1])
        self._focused().setFocus()
        self._typed()

    def _where_changed(self) -> None:
        self.draft.replace = self.whole.isChecked()
        self.ok.setText("Replace" if self.draft.replace else "Insert")

    def _focused(self) -> QWidget:
        return self.path if self.draft.kind == "file" else self.fields[self.draft.kind]

    def _typed(self) -> None:
        if self._restoring:
            return
        kind = self.draft.kind
        self.draft.texts[kind] = self.path.text() if kind == "file" else self.fields[kind].text()
        self._where_changed()
        if self._session.jobs.synchronous:
            self.look()
        else:
            self._soon.start()

    def look(self) -> None:
        """Read what is typed and say what it is."""
        text = self.draft.text
        self._tell(None)
        for made in (self.bytes, self.shown, self.verdict):
            made.setText("")
        if len(text) > LARGE or self.draft.kind == "file":
            long = self.draft.kind != "file"
            self.bytes.setText("A long text: it is read when you press the button." if long else "")
            return
        if not text:
            return
        try:
            given = inputs.read(self.draft.kind, text, self._session)
        except InputError as error:
            self._tell(error)
            return
        self._say(given)

    def _say(self, given: inputs.Given) -> None:
        self.bytes.setText(inputs.summary(given.data))
        if self.draft.kind != "text":
            self.shown.setText(readable(given.data, 160))
        tokenizer = self._session.tokenizer if self._session.ready else None
        tone, sentence = inputs.verdict(given, tokenizer)
        restyle(self.verdict, tone)
        self.verdict.setText(sentence)

    def _tell(self, error: InputError | None) -> None:
        self._error = error
        self.problem.setText(str(error) if error is not None else "")
        self.problem.setVisible(error is not None)
        self.place.setVisible(error is not None and self._place() is not None)

    def _refuse(self, sentence: str) -> None:
        self._tell(InputError(sentence))

    def _place(self) -> int | None:
        return None if self._error is None else inputs.position(self._error, self.draft.text)

    def _show_place(self) -> None:
        at = self._place()
        field = self.fields.get(self.draft.kind)
        if at is not None and field is not None:
            cursor = field.textCursor()
            wide = utf16_length(self.draft.text[:at])  # Qt counts UTF-16 units
            cursor.setPosition(min(wide, max(field.document().characterCount() - 1, 0)))
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
            field.setTextCursor(cursor)
            field.setFocus()

    def _browse(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Open Bytes", str(Path(self.path.text()).parent))
        if name:
            self.path.setText(name)

    # What is done

    def put(self) -> None:
        """Put the bytes into the document, or say why not; the dialog stays open then."""
        session = self._session
        try:
            given = inputs.read(self.draft.kind, self.draft.text, session)
        except InputError as error:
            self._tell(error)
            self._show_place()
            return
        if not session.ready:
            self._tell(InputError("there is no tokenizer yet", todo="wait until it is open"))
            return
        inputs.put(session, given.data, self.draft.replace)
        session.message.emit(f"Put in {inputs.summary(given.data)}")
        self.accept()


def _line(name: str) -> QLabel:
    made = paragraph(name)
    made.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    return made
