"""The document's tokens as rows: index, id, text, bytes, span, kind. Nothing is made before it is seen.

    model = TokenRows(session)
    model.page(1200).texts[...]      # what the delegate paints; 128 rows are made at once and kept

The model is addressed by row number, so an edit needs no more than the new number of rows: it is told to the view at
its end, at most every `NEWS` milliseconds, and what is on screen is painted anew. With 2.5 million tokens a keystroke
costs the view nothing and the pause after it 15 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal

from ..core.bytelane_words import words_of
from .readable import readable
from .session import Session

if TYPE_CHECKING:
    from ..core.document import Change

Index = QModelIndex | QPersistentModelIndex

HEADERS = ("#", "Id", "Text", "Bytes", "Span", "Kind")
INDEX, ID, TEXT, BYTES, SPAN, KIND = range(6)
PAGE = 128
PAGES_KEPT = 64
NEWS = 120

# The short forms as plain integers: looking an enum member up costs 25 times as much, thousands of times a frame.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Page:
    """Rows first .. of PAGE: what is shown of each. Ids are str: QVariant mangles integers of 2**63 and more."""

    first: int
    ids: list[str]
    texts: list[str]
    hexes: list[str]
    spans: list[tuple[int, int]]
    kinds: list[int]


class TokenRows(QAbstractTableModel):
    """rows_settled(): the rows are those of the text again (after the pause that `NEWS` makes)."""

    rows_settled = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._count = 0
        self._pages: dict[int, Page] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(NEWS)
        self._timer.timeout.connect(self.settle)
        session.document_changed.connect(self._changed)
        session.tokenizer_changed.connect(self._renewed)
        self._renewed()

    # What Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own signature)
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation == Qt.Orientation.Horizontal:
            if role == _DISPLAY:
                return HEADERS[section]
            if role == _ALIGNMENT:
                return _RIGHT if section in (INDEX, ID, SPAN) else _LEFT
        return None

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if role == _ACCESSIBLE and index.column() == INDEX:
            return self.words(index.row())
        if role in (_DISPLAY, _ACCESSIBLE):
            return self.cell(index.row(), index.column())
        if role == _ALIGNMENT:
            return _RIGHT if index.column() in (INDEX, ID, SPAN) else _LEFT
        return None

    # What the views ask

    def page(self, row: int) -> Page:
        """The page that holds a row; rows behind the last token are absent from its lists."""
        number = row // PAGE
        page = self._pages.get(number)
        if page is None:
            if len(self._pages) >= PAGES_KEPT:
                del self._pages[next(iter(self._pages))]
            page = self._pages[number] = self._made(number * PAGE)
        return page

    def cell(self, row: int, column: int) -> str:
        """What stands in a cell; "" for a row that is gone."""
        page = self.page(row)
        i = row - page.first
        if i >= len(page.ids):
            return ""
        if column == INDEX:
            return str(row)
        if column == ID:
            return page.ids[i]
        if column == TEXT:
            return page.texts[i]
        if column == BYTES:
            return page.hexes[i]
        if column == SPAN:
            return span_text(*page.spans[i])
        return self.kind_word(page.kinds[i])

    def kind_word(self, kind: int) -> str:
        from ..core.vocabulary import TokenKind

        return TokenKind(kind).word

    def words(self, row: int) -> str:
        """A row's token for a screen reader: index, id, bytes, whether these are whole characters."""
        document = self._session.document
        window = document.tokens(row, row + 1)
        return words_of(document, window, 0) if len(window) else ""

    def byte_span(self, row: int) -> tuple[int, int]:
        """(byte_start, byte_end) of a row's token; (0, 0) for a row that is gone."""
        page = self.page(row)
        i = row - page.first
        return page.spans[i] if 0 <= i < len(page.spans) else (0, 0)

    def rows_of(self, byte_start: int, byte_end: int) -> tuple[int, int]:
        """(first, last) of the rows whose tokens share a byte with the range; (-1, -1) when there is none."""
        if not self._session.ready or byte_start < 0:
            return -1, -1
        document = self._session.document
        if byte_start >= byte_end:
            row = document.token_at(byte_start) if byte_start < document.complete_to else -1
            return row, row
        first, last = document.token_at(byte_start), document.token_at(byte_end - 1)
        if first < 0 or last < 0:
            window = document.window(byte_start, byte_end)
            if not len(window):
                return -1, -1
            first, last = window.first_index, window.first_index + len(window) - 1
        return min(first, last), max(first, last)

    def lines(self, rows: Iterator[int]) -> Iterator[str]:
        """Rows as tab-separated lines, for the clipboard."""
        for row in rows:
            yield "\t".join(self.cell(row, column) for column in range(len(HEADERS)))

    # Changes

    def settle(self) -> None:
        """Tell the view of the number of rows now, and that what it shows is new."""
        self._timer.stop()
        count = self._session.document.token_count if self._session.ready else 0
        old = self._count
        if count > old:
            self.beginInsertRows(QModelIndex(), old, count - 1)
            self._count = count
            self.endInsertRows()
        elif count < old:
            self.beginRemoveRows(QModelIndex(), count, old - 1)
            self._count = count
            self.endRemoveRows()
        self.rows_settled.emit()

    def _changed(self, change: Change) -> None:
        first = change.first_token // PAGE
        for number in [n for n in self._pages if n >= first]:
            del self._pages[number]
        if self._session.jobs.synchronous:
            self.settle()
        elif not self._timer.isActive():
            self._timer.start()

    def _renewed(self) -> None:
        self.beginResetModel()
        self._pages.clear()
        self._timer.stop()
        self._count = self._session.document.token_count if self._session.ready else 0
        self.endResetModel()
        self.rows_settled.emit()

    def _made(self, first: int) -> Page:
        document = self._session.document
        window = document.tokens(first, first + PAGE)
        ids = window.ids.tolist()
        token_bytes = document.tokenizer.token_bytes
        pieces = [token_bytes(i) or b"" for i in ids]
        return Page(
            first, [str(i) for i in ids], [readable(p) for p in pieces],
            [p[:64].hex(" ") + (" …" if len(p) > 64 else "") for p in pieces],
            list(zip(window.starts.tolist(), window.ends.tolist(), strict=True)), window.kinds.tolist(),
        )


def span_text(byte_start: int, byte_end: int) -> str:
    """Half open, as ids, slices and the command line have it."""
    return f"{byte_start}–{byte_end}"
