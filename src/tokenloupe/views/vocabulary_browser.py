"""The vocabulary as one table: searched as it is typed, sorted by any column, linked with the text and the merges.

The entry that is chosen here is the one that the lineage and the merge table show; selecting a token in the text
chooses it here. Entries that another panel wants to be seen come as a list with a name, which one button takes away.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from ..models.session import Session
from ..models.vocabulary_rows import AT_FIRST, VocabularyRows
from ..models.vocabulary_search import VocabularySearch
from .flow import FlowLayout
from .paged_table import PagedTable
from .panel_parts import go_to, keep_width, popup, show_text
from .search_panel import SearchPanel
from .vocabulary_bar import SearchBar
from .vocabulary_files import entries, export_menu
from .vocabulary_go import back_and_forth

#: Milliseconds after which the entry follows the selection in the text.
FOLLOW = 60


class VocabularyBrowser(SearchPanel):
    """The panel. bar: the search box; table: the PagedTable over `model`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.model = VocabularyRows(self)
        self.search = VocabularySearch(self.desk, self.model, self)
        self.bar = SearchBar("Search the vocabulary")
        self.table = PagedTable(self.model, "Entries of the vocabulary", session)
        self.table.hidden = {c.id for c in self.model.columns} - set(AT_FIRST)
        self.follow, self.columns, self.exports = QToolButton(), QToolButton(), QToolButton()
        self.to_text, self.to_lineage, self.to_merges, self.to_embedding = (
            QPushButton(t) for t in ("Find in text", "Lineage", "Merges", "Embedding row"))
        self._stale = True  # the first entry is the token at the caret
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(FOLLOW)
        self._soon.timeout.connect(self._follow)
        self._build()
        self._commands()
        self._connect()
        self._renew()

    def _build(self) -> None:
        self.follow.setText("Follow text")
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        self.follow.setToolTip("The token selected in the text is chosen here")
        self.columns.setText("Columns")
        self.exports.setText("Export")
        for button in (self.follow, self.columns, self.exports):
            button.setObjectName("plain")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        tools = FlowLayout()
        for widget in (self.count, self.follow, self.columns, self.exports):
            tools.addWidget(widget)
        entry = FlowLayout()
        for button in (self.to_text, self.to_lineage, self.to_merges, self.to_embedding):
            entry.addWidget(button)
        self.stack([], tools, entry)

    def _commands(self) -> None:
        add = self.table.add_command
        add("Find in Text", self.find_in_text, "Ctrl+Return")
        add("Find Previous in Text", lambda: self.find_in_text(backwards=True), "Ctrl+Shift+Return")
        add("Show Lineage", lambda: go_to(self, "lineage"))
        add("Show Merges of It", self.show_merges)
        add("Copy Rows", self.table.copy)
        add("Copy Ids", lambda: self.table.copy_column("id", " "))
        add("Copy Text", self.copy_text)
        back_and_forth(self, self.desk)

    def _connect(self) -> None:
        desk, table = self.desk, self.table
        self.connect_search()
        self.columns.clicked.connect(lambda: popup(table.columns_menu(), self.columns))
        self.exports.clicked.connect(lambda: popup(self._export_menu(), self.exports))
        self.show_all.clicked.connect(desk.list_all)
        self.to_text.clicked.connect(lambda: self.find_in_text())
        self.to_lineage.clicked.connect(lambda: go_to(self, "lineage"))
        self.to_merges.clicked.connect(self.show_merges)
        self.to_embedding.clicked.connect(self._to_embedding)
        desk.index_changed.connect(self._renew)
        desk.current_changed.connect(self._choose)
        desk.listing_changed.connect(self._listing)
        desk.prepared.connect(lambda: self.bar.set_index(desk.index, scripts=True))
        desk.merges_changed.connect(self._merges_known)
        self.session.selection_changed.connect(self._text_selected)

    # What is shown

    def save_state(self) -> dict[str, Any]:
        """Columns, their order and widths, how the search is meant: for settings."""
        return {**super().save_state(), "follow": self.follow.isChecked()}

    def restore_state(self, state: dict[str, Any]) -> None:
        super().restore_state(state)
        self.follow.setChecked(state.get("follow") is not False)

    def _renew(self) -> None:
        """Another vocabulary."""
        desk = self.desk
        self.model.set_entries(desk.index)
        self.bar.set_index(desk.index, scripts=desk.ready)
        self.table.nothing = "" if desk.index is not None else "A tokenizer's vocabulary is a table here."
        if desk.merges_ready:
            self.model.set_parts()
        desk.prepare()
        desk.want_merges()
        self._listing()
        self._enable()

    def _merges_known(self) -> None:
        self.model.set_parts()
        if self.search.order is not None and self.search.order[0] in ("rank", "left", "right"):
            self.search.run()

    def _asked(self, wanted: Any) -> None:
        cells = self.table.cells
        if wanted is not None and wanted.mode in ("text", "raw"):
            cells.mark(wanted.text, wanted.ignore_case, (wanted.mode,))
        else:
            cells.mark()
        if wanted is not None and wanted.mode == "raw" and "raw" in self.table.hidden:
            self.table.show_column("raw", True)
        self.search.set_filter(wanted)
        self._wrong(self.search.trouble)

    def _listing(self) -> None:
        listing = self.desk.listing
        self.listing.setVisible(listing is not None)
        if listing is not None:
            self.listed.setText(f"Only: {listing.label}")
            self.bar.clear()
        self.search.run()

    def _shown(self) -> None:
        found, total = len(self.model.rows), len(self.desk.index or ())
        self.count.setText(f"{total:,} entries" if found == total else f"{found:,} of {total:,}")
        keep_width(self.count, f"{total:,} of {total:,}")
        if self.desk.index is not None:
            self.table.nothing = "No entry fits.\nEsc in the box takes the search away." if total else (
                "This vocabulary is empty.")
        self._place_current()

    def _place_current(self) -> bool:
        """Mark the current entry where it stands now; False when it is not among those shown."""
        row, index = None, self.desk.index
        if index is not None and self.desk.current is not None:
            row = index.vocabulary.row_of(self.desk.current)
        place = -1 if row is None else self.model.place_of(row)
        self.table.place(place)
        if place < 0:
            self.table.scrollToTop()
        self._enable()
        return place >= 0

    def _enable(self) -> None:
        one = self.desk.current is not None
        for button in (self.to_text, self.to_lineage, self.to_merges, self.to_embedding):
            button.setEnabled(one)

    # Linked

    def _moved(self, row: int) -> None:
        token_id = self.model.id_at(row)
        if token_id is not None:
            self.desk.choose(token_id, reveal=False)
        self._enable()

    def _opened(self, row: int, column: str) -> None:
        """A double click on a part goes to it, anything else to the lineage."""
        index = self.desk.index
        if index is not None and column in ("left", "right"):
            part = int(getattr(index, column)[self.model.rows[row]]) if self.desk.merges_ready else -1
            if part >= 0:
                self.desk.choose(part)
                return
        go_to(self, "lineage")

    def _choose(self, reveal: bool) -> None:
        """Another entry is the current one."""
        row = self.table.currentIndex().row()
        if row >= 0 and self.model.id_at(row) == self.desk.current:
            if reveal:
                self.table.place(row)
            return
        if not self._place_current() and reveal and self.desk.current is not None:
            self.desk.list_all()
            self.bar.clear()
            self._place_current()

    def _text_selected(self) -> None:
        if self.follow.isChecked():
            self._stale = True
            if self.session.jobs.synchronous:
                self._follow()
            elif self.isVisible() and not self._soon.isActive():
                self._soon.start()

    def _follow(self) -> None:
        """The token that is selected in the text is the current entry."""
        if self._stale and self.follow.isChecked():
            self._stale = False
            token_id = self.desk.token_of_selection()
            if token_id is not None:
                self.desk.choose(token_id, reveal=False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def _into_table(self) -> None:
        if self.model.rowCount():
            self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if not self.table.currentIndex().isValid():
                self.table.setCurrentIndex(self.model.index(0, 0))

    # What can be done with an entry

    def find_in_text(self, backwards: bool = False) -> None:
        """Select the next place of the entry in the text, and show the text."""
        if self.desk.current is not None:
            self.desk.find_in_document(self.desk.current, backwards, lambda: show_text(self))

    def show_merges(self) -> None:
        """The merge table with the merges that make the entry or use it."""
        if self.desk.current is not None:
            self.desk.ask_merges(self.desk.current)
            go_to(self, "merges")

    def copy_text(self) -> None:
        """The text of the selected entries, one a line, as it is."""
        index, rows = self.desk.index, self.model.rows
        if index is not None:
            v = index.vocabulary
            self.table.gather(lambda part: "\n".join(
                v.bytes_at(int(rows[r])).decode("utf-8", "replace") for r in part), "\n")

    def _to_embedding(self) -> None:
        from ..models.tensor_desk import TensorDesk

        token_id, index, tensors = self.desk.current, self.desk.index, TensorDesk.of(self.session)
        if token_id is None or index is None:
            return
        file = None if tensors.is_example else tensors.file
        if file is not None and tensors.show_token(token_id):
            rows, size = tensors.tensor.shape[0] if tensors.tensor is not None else 0, index.vocabulary.size
            if rows < size:  # (more rows than ids are padding)
                self.session.message.emit(f"{file.path.name} has {rows:,} rows and this vocabulary {size:,} ids: "
                                          "the file may be of another model")
            go_to(self, "blocks")
        else:
            which = "only the example of a tensor file is open" if tensors.is_example else (
                "no tensor file is open" if file is None else
                f"{file.path.name} has no embedding row for token {token_id}")
            self.session.failed.emit(f"{which}; open the model's file in the panel Tensor file")

    def exported(self, format: str) -> Iterator[Any]:
        """Steps that make a text of all rows that are shown: "csv", "json" or "markdown"."""
        columns = [self.model.columns[c].id for c in self.table.shown_columns()]
        return entries(self.desk, self.model.rows, columns, format)

    def _export_menu(self) -> QMenu:
        return export_menu(self.exports, "vocabulary", self.exported, self.model.rowCount, self.session)
