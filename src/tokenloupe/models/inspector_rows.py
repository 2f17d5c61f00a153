"""Rows of the inspector's lists: a name and a value, or a title with a line beneath it; made of plain text.

    model = Rows([Row("U+6B6A", "CJK UNIFIED IDEOGRAPH-6B6A", sign="歪", mark="part")])

A row knows what a copy of it is and what a screen reader says. OccurrenceRows makes its rows when they are looked at:
a token may stand in two million places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ..core.vocabulary import Int64s
from .readable import readable

if TYPE_CHECKING:
    from .session import Session

Index = QModelIndex | QPersistentModelIndex

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
#: The Row itself, for the delegate.
ROW = int(Qt.ItemDataRole.UserRole) + 1
#: Bytes before and after a token in the list of its places.
CONTEXT = 14


@dataclass(frozen=True, slots=True)
class Row:
    """title: what stands first. detail: what is said of it. sign: the character itself, or "".

    mark: "" or "part" (cut), "bad" (no UTF-8), "lost" (a quiet line), "here" (the one in the document). value: the id,
    byte place or token index that activating the row goes to, -1 for none.
    """

    title: str
    detail: str = ""
    sign: str = ""
    mark: str = ""
    value: int = -1
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """For the clipboard, and for who cannot see it."""
        return "\t".join(x for x in (self.sign, f"{self.before}{self.title}{self.after}", self.detail) if x)

    @property
    def spoken(self) -> str:
        return ", ".join(x for x in (self.sign, self.before + self.title + self.after, self.detail) if x)


class Rows(QAbstractListModel):
    """A short list, made at once."""

    def __init__(self, rows: list[Row] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = list(rows or ())

    def set_rows(self, rows: list[Row]) -> None:
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def row(self, number: int) -> Row:
        return self.rows[number]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own signature)
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if role not in (_DISPLAY, _ACCESSIBLE, ROW) or not 0 <= index.row() < self.rowCount():
            return None
        row = self.row(index.row())
        return row if role == ROW else row.spoken if role == _ACCESSIBLE else row.text


class OccurrenceRows(Rows):
    """The places of a token in the document, each between the bytes around it. indices: of tokens, int64 (n,)."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(None, parent)
        self._session = session
        self.indices: Int64s = np.zeros(0, np.int64)

    def set_indices(self, indices: Int64s) -> None:
        self.beginResetModel()
        self.indices = indices
        self.endResetModel()

    def place_of(self, token_index: int) -> int:
        """The row of a token, -1 when it is not in the list."""
        at = int(np.searchsorted(self.indices, token_index))
        return at if at < len(self.indices) and self.indices[at] == token_index else -1

    def row(self, number: int) -> Row:
        index = int(self.indices[number])
        document = self._session.document
        window = document.tokens(index, index + 1)
        if not len(window):  # the document has changed, and the list is about to
            return Row("")
        start, end = int(window.starts[0]), int(window.ends[0])
        store = document.store
        before = readable(store.bytes(max(start - CONTEXT, 0), start))
        after = readable(store.bytes(end, min(end + CONTEXT, len(document))))
        return Row(readable(store.bytes(start, end), 40), f"token {index:,}, byte {start:,}", value=index,
                   before=before, after=after)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.indices)
