"""What the panels that search a table have in common: a box, the table, a line above it, what can be done with a row.

    class MergeBrowser(SearchPanel):
        def __init__(self, session, parent=None):
            super().__init__(session, parent)
            self.model = MergeRows(self)
            self.search = MergeSearch(self.desk, self.model, self)
            self.bar, self.table = SearchBar("Search the merges"), PagedTable(self.model, "Merges", session)
            ...                                        # stack(..), connect_search()

A subclass says what a search is (_asked), what was found (_shown), where the focus goes (_into_table), and what becomes
of a row that is moved to (_moved) or opened (_opened).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QVBoxLayout, QWidget

from ..models.session import Session
from ..models.vocabulary_desk import VocabularyDesk
from ..models.vocabulary_search import RowSearch
from .paged_table import PagedTable
from .panel_parts import plain_label
from .vocabulary_bar import SearchBar


class SearchPanel(QWidget):
    """bar: the search box; table: what is searched. listing: the line that says that only some rows are listed."""

    search: RowSearch
    bar: SearchBar
    table: PagedTable

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, VocabularyDesk.of(session)
        self.count, self.problem, self.listed = plain_label(), plain_label(), plain_label()
        self.show_all = QPushButton("Show all")
        self.listing = QWidget()
        self.problem.setObjectName("bad")
        self.problem.hide()
        self.count.setObjectName("caption")

    def stack(self, notes: list[QWidget], tools: QLayout, entry: QLayout) -> None:
        """The box, what is the matter, the listing, notes and tools above the table, what can be done with a row
        beneath it."""
        listing = QHBoxLayout(self.listing)
        listing.setContentsMargins(0, 0, 0, 0)
        listing.addWidget(self.listed, 1)
        listing.addWidget(self.show_all)
        head = QVBoxLayout()
        head.setContentsMargins(8, 8, 8, 6)
        head.setSpacing(6)
        for part in (self.bar, self.problem, self.listing, *notes):
            head.addWidget(part)
        head.addLayout(tools)
        foot = QVBoxLayout()
        foot.setContentsMargins(8, 6, 8, 8)
        foot.addLayout(entry)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addLayout(foot)
        self.setFocusProxy(self.bar)

    def connect_search(self) -> None:
        """Box, search and table to one another."""
        bar, search, table = self.bar, self.search, self.table
        bar.changed.connect(self._asked)
        bar.wrong.connect(self._wrong)
        bar.left.connect(self._into_table)
        search.shown.connect(self._shown)
        search.problem.connect(self._wrong)
        table.ordered.connect(self._ordered)
        table.typed.connect(bar.type_into)
        table.left_up.connect(bar.setFocus)
        table.moved.connect(self._moved)
        table.opened.connect(self._opened)

    # What a subclass says

    @abstractmethod
    def _asked(self, wanted: Any) -> None:
        """A Filter, or None, was typed."""

    @abstractmethod
    def _shown(self) -> None:
        """The table has what was asked for."""

    @abstractmethod
    def _into_table(self) -> None: ...

    @abstractmethod
    def _moved(self, row: int) -> None: ...

    @abstractmethod
    def _opened(self, row: int, column: str) -> None: ...

    # The same in all

    def _ordered(self, order: Any) -> None:
        self.table.set_order(order)
        self.search.set_order(order)

    def _wrong(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def copy(self) -> None:
        self.table.copy()

    def set_zoom(self, zoom: float) -> None:
        self.table.set_zoom(zoom)

    def save_state(self) -> dict[str, Any]:
        """Columns, their order and widths, how the search is meant: for settings."""
        return {"table": self.table.kept(), "bar": self.bar.kept()}

    def restore_state(self, state: dict[str, Any]) -> None:
        for part, restore in (("table", self.table.restore), ("bar", self.bar.restore)):
            if isinstance(state.get(part), dict):
                restore(state[part])
