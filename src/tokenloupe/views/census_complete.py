"""Which tokens complete this one? An entry that ends inside a character, and all that make the character whole.

The entry is the one that browser, merge table and lineage look at; another id can be typed.
"""

from __future__ import annotations

from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ..core.scripts import Utf8Class
from ..models.census import CensusDesk, Completer
from ..models.paged_rows import CellRows, Column
from ..models.readable import readable
from ..models.session import Session
from ..models.vocabulary_desk import VocabularyDesk
from .paged_table import PagedTable
from .status import label
from .vocabulary_go import show_entry

COLUMNS = (
    Column("makes", "Makes", "token", 5), Column("id", "Id", "number", 7, strong=True),
    Column("bytes", "Bytes", "bytes", 12, stretch=1), Column("text", "Text", "token", 8, stretch=2),
)


class Completers(QWidget):
    """The section of the census."""

    def __init__(self, session: Session, desk: CensusDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, desk
        self.shared = VocabularyDesk.of(session)
        self.id, self.about = QLineEdit(), label("caption")
        self.from_text = QPushButton("Token at the caret")
        self.rows = CellRows(COLUMNS, self)
        self.table = PagedTable(self.rows, "Tokens that complete it", session)
        self.table.nothing = "No token completes it."
        self.table.add_command("Copy Rows", self.table.copy)
        self.found: list[Completer] = []
        self._going = False
        self.id.setPlaceholderText("token id")
        self.id.setAccessibleName("Token that is to be completed")
        self.id.setValidator(QIntValidator(0, 2**31 - 1, self))
        self.id.setMaximumWidth(120)
        self.about.setWordWrap(True)
        self.about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.table.setMinimumHeight(170)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(self.id)
        top.addWidget(self.from_text)
        top.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.addLayout(top)
        layout.addWidget(self.about)
        layout.addWidget(self.table)
        self.id.textEdited.connect(lambda _: self._show())
        self.from_text.clicked.connect(self._take_from_text)
        self.table.opened.connect(lambda row, _: self._to_browser(row))
        self.shared.current_changed.connect(self._follow)
        desk.changed.connect(self._begin)
        self._begin()

    def set_id(self, token_id: int) -> None:
        self.id.setText(str(token_id))
        self._show()

    def _begin(self) -> None:
        """With an entry that there is something to say of: the first that ends inside a character."""
        if self.desk.census is None:
            return
        if self.shared.current is not None:
            self._follow()
            return
        rows = self.desk.census.rows_of(Utf8Class.ENDS_INSIDE)
        if len(rows):  # a lead byte alone says little: one that has more of its character
            longer = rows[self.desk.census.index.lengths[rows] > 1]
            self.set_id(int(self.desk.census.vocabulary.ids[(longer if len(longer) else rows)[0]]))
        else:
            self._show()

    def _follow(self) -> None:
        if self.shared.current is not None and not self._going:
            self.set_id(self.shared.current)

    def _to_browser(self, row: int) -> None:
        """The completer in the browser; this section stays at what it completes."""
        self._going = True
        show_entry(self, self.session, self.found[row].id)
        self._going = False

    def _take_from_text(self) -> None:
        token_id = self.shared.token_of_selection()
        if token_id is not None:
            self.set_id(token_id)

    def _show(self) -> None:
        census = self.desk.census
        text = self.id.text().strip()
        self.found = []
        if census is None or not text:
            self.about.setText("Type the id of an entry, or take the token at the caret.")
        else:
            token_id = int(text)
            piece = census.vocabulary.bytes_of(token_id)
            if piece is None:
                self.about.setText(f"No entry has the id {token_id}.")
            else:
                self.found = self.desk.completers(token_id)
                self.about.setText(self._words(token_id, piece))
        found = self.found
        self.rows.set_cells(len(found), lambda first, last: [
            (readable(c.char.encode()), str(c.id), c.bytes.hex(" "), readable(c.bytes)) for c in found[first:last]])

    def _words(self, token_id: int, piece: bytes) -> str:
        from ..core.utf8 import pending

        tail = pending(piece)
        if not tail:
            return f"{readable(piece, 40)} does not end inside a character: nothing has to complete it."
        shown = f"{readable(piece, 40)} ends with {tail} byte{'s' if tail > 1 else ''} of a character"
        chars = len({c.char for c in self.found})
        if not self.found:
            return f"{shown}, and no single token completes it."
        return f"{shown}. {len(self.found):,} tokens complete it, to {chars:,} different characters."
