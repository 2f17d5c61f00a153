"""The merge table: rank, left, right and what they make, searched and sorted as the vocabulary is, with a way to each.

Merges that never fire, whatever the text, are quieter and say so; one button shows them alone. A rank file holds no
merges: they are derived, and the line above the table says that too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton, QToolButton, QWidget

from ..models.merges_rows import MergeRows, MergeSearch
from ..models.readable import readable
from ..models.session import Session
from .flow import FlowLayout
from .paged_table import PagedTable
from .panel_parts import go_to, keep_width, plain_label, popup
from .search_panel import SearchPanel
from .vocabulary_bar import MODES, RANKS, SearchBar
from .vocabulary_files import export_menu
from .vocabulary_go import back_and_forth, show_entry

PARTS = (("any", "In any of them"), ("result", "In what it makes"), ("left", "In the left part"),
         ("right", "In the right part"))


class MergeBrowser(SearchPanel):
    """The panel. bar: the search box; table: the PagedTable over `model`."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.model = MergeRows(self)
        self.search = MergeSearch(self.desk, self.model, self)
        self.bar = SearchBar("Search the merges", (MODES[0], RANKS, *MODES[1:]))
        self.table = PagedTable(self.model, "Merges", session)
        self.part, self.never, self.exports = QComboBox(), QToolButton(), QToolButton()
        self.note = plain_label()
        self.to_left, self.to_right, self.to_result, self.to_lineage = (
            QPushButton(t) for t in ("Left", "Right", "What it makes", "Lineage"))
        self._build()
        self._connect()
        self._renew()

    def _build(self) -> None:
        self.note.setObjectName("quiet")
        for data, title in PARTS:
            self.part.addItem(title, data)
        self.part.setAccessibleName("Where to search")
        self.never.setText("Never fires")
        self.never.setCheckable(True)
        self.never.setToolTip("Only merges that never fire, whatever the text")
        self.exports.setText("Export")
        for button in (self.never, self.exports):
            button.setObjectName("plain")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.bar.filters.addWidget(self.part)
        tools = FlowLayout()
        for widget in (self.count, self.never, self.exports):
            tools.addWidget(widget)
        entry = FlowLayout()
        for button, tip in ((self.to_left, "The left part in the vocabulary"),
                            (self.to_right, "The right part in the vocabulary"),
                            (self.to_result, "What it makes, in the vocabulary"),
                            (self.to_lineage, "How what it makes is built")):
            button.setToolTip(tip)
            entry.addWidget(button)
        self.stack([self.note], tools, entry)
        add = self.table.add_command
        for number, text in enumerate(("Show Left in Vocabulary", "Show Right in Vocabulary", "Show What It Makes")):
            add(text, lambda n=number: self.jump(n))
        add("Show Lineage", lambda: go_to(self, "lineage"))
        add("Copy Rows", self.table.copy)
        back_and_forth(self, self.desk)

    def _connect(self) -> None:
        desk = self.desk
        self.connect_search()
        self.part.currentIndexChanged.connect(self._again)
        self.never.toggled.connect(self._again)
        self.show_all.clicked.connect(lambda: desk.ask_merges(None))
        self.exports.clicked.connect(lambda: popup(export_menu(
            self.exports, "merges", self.exported, self.model.rowCount, self.session), self.exports))
        for number, button in enumerate((self.to_left, self.to_right, self.to_result)):
            button.clicked.connect(lambda _=False, n=number: self.jump(n))
        self.to_lineage.clicked.connect(lambda: go_to(self, "lineage"))
        desk.index_changed.connect(self._renew)
        desk.current_changed.connect(self._choose)
        desk.merges_asked.connect(self._merges_asked)
        desk.merges_changed.connect(self._renew)
        desk.firing_changed.connect(self.model.set_firing)
        desk.prepared.connect(lambda: self.bar.set_index(desk.index, scripts=True))

    # What is shown

    def _renew(self) -> None:
        """Another vocabulary, or its merges are known now."""
        desk = self.desk
        self.bar.set_index(desk.index, scripts=desk.ready)
        self.table.nothing = self._about()
        self.search.table = desk.merge_table
        self.model.set_table(self.search.table, desk.firing_ready)
        derived = desk.lineage is not None and desk.merges_ready and desk.lineage.derived
        self.note.setText(self._about() if derived else "")  # what else there is to say stands in the table
        self.note.setVisible(derived)
        # Derived merges fire by the way they are found.
        listed = desk.lineage is not None and desk.merges_ready and not desk.lineage.derived and len(
            desk.lineage.merges) > 0
        self.never.setEnabled(listed)
        self.never.setChecked(self.never.isChecked() and listed)
        self.table.set_absent("fires", not listed)
        desk.prepare()
        desk.want_merges(firing=True)
        self._merges_asked()
        self._enable()

    def _about(self) -> str:
        lineage = self.desk.lineage
        if lineage is None or not self.desk.merges_ready:
            return "Working out the merges…" if lineage is not None else "A tokenizer's merges are a table here."
        if not len(lineage.merges):
            return "This model has no merges: it chooses its tokens in another way."
        if lineage.derived:
            source = "scores" if lineage.vocabulary.scores is not None else "ranks"
            return f"Derived: the file holds no merges, they follow from its {source}."
        return ""

    def _asked(self, wanted: Any) -> None:
        cells = self.table.cells
        if wanted is not None and wanted.mode == "text":
            cells.mark(wanted.text, wanted.ignore_case, self._searched())
        else:
            cells.mark()
        self.search.set_filter(wanted)
        self._wrong(self.search.trouble)

    def _searched(self) -> tuple[str, ...]:
        """The columns that are searched."""
        part = self.part.currentData()
        return ("left", "right", "result") if part == "any" else (part,)

    def _again(self) -> None:
        self.search.part, self.search.dead = self.part.currentData(), self.never.isChecked()
        self.table.cells.found_in = self._searched()
        self.search.run()

    def _merges_asked(self) -> None:
        """The merges of one token, or all."""
        token_id, index = self.desk.merges_of, self.desk.index
        self.search.of = token_id
        self.listing.setVisible(token_id is not None)
        if token_id is not None and index is not None:
            text = readable(index.vocabulary.bytes_of(token_id) or b"", 40)
            self.listed.setText(f"Only: merges that make or use {token_id}  {text}")
            self.bar.clear()
            self.never.setChecked(False)
        self.search.run()

    def _shown(self) -> None:
        table = self.search.table
        found, total = len(self.model.rows), 0 if table is None else len(table)
        self.count.setText(f"{total:,} merges" if found == total else f"{found:,} of {total:,}")
        keep_width(self.count, f"{total:,} of {total:,}")
        self.table.nothing = "No merge fits.\nEsc in the box takes the search away." if total else self._about()
        self._place_current()

    def _place_current(self) -> None:
        """Mark the merge that makes the entry that is looked at, where it is among those shown."""
        place = self._current_place()
        self.table.place(place)
        if place < 0:
            self.table.scrollToTop()
        self._enable()

    def _current_place(self) -> int:
        index, token_id = self.desk.index, self.desk.current
        row = None if index is None or token_id is None else index.vocabulary.row_of(token_id)
        if index is None or row is None or self.search.table is None:
            return -1
        return self.model.place_of(int(index.merge_of[row]))

    def _choose(self) -> None:
        """Another entry is looked at: its merge, if it has one; else the table stays where it is."""
        ids, place = self.model.ids_at(self.table.currentIndex().row()), self._current_place()
        if place >= 0 and (ids is None or ids[2] != self.desk.current):
            self.table.place(place)
            self._enable()

    def _enable(self) -> None:
        one = self.table.currentIndex().isValid()
        for button in (self.to_left, self.to_right, self.to_result, self.to_lineage):
            button.setEnabled(one)

    # Linked

    def _moved(self, row: int) -> None:
        ids = self.model.ids_at(row)
        if ids is not None:
            self.desk.choose(ids[2], reveal=False)
        self._enable()

    def _opened(self, _row: int, column: str) -> None:
        parts = ("left", "right", "result")
        if column in parts:
            self.jump(parts.index(column))
        else:
            go_to(self, "lineage")

    def jump(self, part: int) -> None:
        """Show the left (0), the right (1) or what the current merge makes (2) in the vocabulary."""
        ids = self.model.ids_at(self.table.currentIndex().row())
        if ids is not None:
            show_entry(self, self.session, ids[part])

    def _into_table(self) -> None:
        if self.model.rowCount():
            self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def exported(self, format: str) -> Iterator[Any]:
        """Steps that make a text of all rows that are shown: "csv", "json" or "markdown"."""
        from ..core.query_export import export_merges_steps

        if self.search.table is not None:
            yield from export_merges_steps(self.search.table, self.model.rows, format)
