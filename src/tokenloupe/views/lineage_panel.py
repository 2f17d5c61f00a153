"""Where a token comes from and where it goes: the tree of merges that builds it, what it feeds, other ways to make it.

It follows the entry that is looked at (models/vocabulary_desk.py): a row of the vocabulary or of the merges, or a token
in the text. Enter or a double click on a part looks at that one; Alt+Left goes back.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..models.lineage_tree import DerivationRows, boxes_of
from ..models.merges_rows import MergeRows
from ..models.readable import readable
from ..models.session import Session
from ..models.vocabulary_desk import VocabularyDesk
from . import palette
from .flow import FlowLayout
from .lineage_tree import LineageTree
from .paged_table import PagedTable
from .panel_parts import plain_label, show_text
from .vocabulary_go import back_and_forth, show_entry


class LineagePanel(QWidget):
    """The panel. tree: how it is built; feeds, ways: the tables beneath it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, VocabularyDesk.of(session)
        self.tree, self.scroll = LineageTree(), QScrollArea()
        self.feed_rows, self.way_rows = MergeRows(self), DerivationRows(self)
        self.feeds = PagedTable(self.feed_rows, "What the token feeds", session)
        self.ways = PagedTable(self.way_rows, "Ways to make the token", session)
        self.pages, self.split = QTabWidget(), QSplitter(Qt.Orientation.Vertical)
        self._split_by_hand = False
        self.back, self.forward = _arrow("◀", "Back (Alt+Left)"), _arrow("▶", "Forward (Alt+Right)")
        self.token, self.about, self.note = plain_label(), plain_label(), plain_label()
        self.go = QLineEdit()
        self.in_vocabulary, self.in_text = QPushButton("In vocabulary"), QPushButton("Find in text")
        self._build()
        self._connect()
        self._renew()

    def _build(self) -> None:
        self.token.setFont(palette.mono_font(1.0, palette.MONO_SIZE + 3))
        self.about.setObjectName("caption")
        self.note.setObjectName("quiet")
        self.go.setPlaceholderText("Id or text")
        self.go.setAccessibleName("Id or text of the token to look at")
        self.go.setToolTip("An id, or the whole text of a token; Enter")
        self.go.setMinimumWidth(110)
        first = QHBoxLayout()
        first.setSpacing(6)
        for widget in (self.back, self.forward):
            first.addWidget(widget)
        first.addWidget(self.token, 1)
        buttons = FlowLayout()
        for widget in (self.go, self.in_vocabulary, self.in_text):
            buttons.addWidget(widget)
        head = QVBoxLayout()
        head.setContentsMargins(8, 8, 8, 6)
        head.setSpacing(6)
        head.addLayout(first)
        head.addWidget(self.about)
        head.addWidget(self.note)
        head.addLayout(buttons)
        self.scroll.setWidget(self.tree)
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.feeds.nothing, self.ways.nothing = "No merge uses this token.", "Nothing else makes this token."
        self.feeds.show_column("length", False)
        self.pages.addTab(self.feeds, "Feeds")
        self.pages.addTab(self.ways, "Ways to make it")
        self.pages.setDocumentMode(True)
        self.pages.tabBar().setAccessibleName("What it feeds, or ways to make it")
        self.split.addWidget(self.scroll)
        self.split.addWidget(self.pages)
        self.split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.split, 1)
        self.setFocusProxy(self.tree)
        for table in (self.feeds, self.ways):
            table.add_command("Copy Rows", table.copy)
        back_and_forth(self, self.desk)

    def _connect(self) -> None:
        desk = self.desk
        self.tree.opened.connect(desk.choose)
        self.tree.moved.connect(self._into_sight)
        self.feeds.opened.connect(self._feed_opened)
        self.ways.opened.connect(self._way_opened)
        self.back.clicked.connect(desk.back)
        self.forward.clicked.connect(desk.forward)
        self.go.returnPressed.connect(self._asked)
        self.in_vocabulary.clicked.connect(self._to_vocabulary)
        self.in_text.clicked.connect(self._to_text)
        self.split.splitterMoved.connect(self._by_hand)
        for bar in (self.scroll.horizontalScrollBar(), self.scroll.verticalScrollBar()):
            bar.valueChanged.connect(self.tree.update)  # texts stand in the middle of what is in sight
        desk.index_changed.connect(self._renew)
        desk.current_changed.connect(self._show)
        desk.firing_changed.connect(self._show)

    # What is shown

    def set_zoom(self, zoom: float) -> None:
        for part in (self.tree, self.feeds, self.ways):
            part.set_zoom(zoom)
        self.token.setFont(palette.mono_font(zoom, palette.MONO_SIZE + 3))

    def save_state(self) -> dict[str, Any]:
        return {"feeds": self.feeds.kept(), "ways": self.ways.kept()}

    def restore_state(self, state: dict[str, Any]) -> None:
        for name, table in (("feeds", self.feeds), ("ways", self.ways)):
            if isinstance(state.get(name), dict):
                table.restore(state[name])

    def _renew(self) -> None:
        """Another vocabulary."""
        self.desk.want_merges(firing=True)
        if self.desk.current is None:
            token_id = self.desk.token_of_selection()
            if token_id is not None:
                self.desk.choose(token_id, reveal=False)
        self._show()

    def _show(self, _reveal: bool = False) -> None:
        desk, lineage = self.desk, self.desk.lineage
        token_id, ready = desk.current, desk.firing_ready and lineage is not None
        can_back, can_forward = desk.can_go
        self.back.setEnabled(can_back)
        self.forward.setEnabled(can_forward)
        for button in (self.in_vocabulary, self.in_text):
            button.setEnabled(token_id is not None)
        if token_id is None or lineage is None:
            self.token.setText("")
            self.about.setText("Choose a token in the text, in the vocabulary, or by its id.")
        else:
            piece = lineage.vocabulary.bytes_of(token_id) or b""
            kind = lineage.vocabulary.kind_of(token_id)
            self.token.setText(readable(piece, 120))
            self.about.setText(f"id {token_id} · {len(piece)} byte{'s' if len(piece) != 1 else ''}: "
                               f"{piece[:24].hex(' ')}{' …' if len(piece) > 24 else ''}"
                               + (f" · {kind.word}" if kind else ""))
        if token_id is None or not ready or lineage is None:
            self.note.setText("Working out the merges…" if lineage is not None and not ready else "")
            self.tree.set_boxes([], False)
            self.feed_rows.set_table(None)
            self.way_rows.set_ways(None, [])
            self._titles(0, 0)
        else:
            self._show_lineage(token_id)
        self.note.setVisible(bool(self.note.text()))

    def _show_lineage(self, token_id: int) -> None:
        lineage = self.desk.lineage
        assert lineage is not None
        root = lineage.built(token_id)
        rank_file = lineage.derived and lineage.vocabulary.scores is None
        self.tree.set_boxes(boxes_of(root), ranks=not rank_file)
        self.scroll.horizontalScrollBar().setValue(0)
        self.scroll.verticalScrollBar().setValue(0)
        self._share()
        self.note.setText(self._words(len(root.leaves()), root.depth))
        if self.feed_rows.table is not self.desk.merge_table:
            self.feed_rows.set_table(self.desk.merge_table, firing=True)
        using, ways = lineage.merges_using(token_id), lineage.alternatives(token_id)
        self.feed_rows.set_rows(using)
        self.way_rows.set_ways(lineage, ways)
        self.feeds.set_absent("fires", lineage.derived)
        for table in (self.feeds, self.ways):
            table.place(-1)
            table.scrollToTop()
        self._titles(len(np.unique(lineage.merges.result[using])), len(ways))

    def _by_hand(self) -> None:
        self._split_by_hand = True

    def _share(self) -> None:
        """As much room for the tree as it needs, two thirds at most, until somebody moves the edge."""
        if not self._split_by_hand and self.split.height() > 0:
            room = self.split.height() - self.split.handleWidth()
            tall = self.tree.sizeHint().height()
            if self.tree.sizeHint().width() > self.scroll.viewport().width():
                tall += self.scroll.horizontalScrollBar().sizeHint().height()
            tall = max(min(tall, room * 2 // 3), min(90, room // 2))
            self.split.setSizes([tall, room - tall])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share()

    def for_picture(self) -> None:
        """The longest token of the text whose tree is seen as a whole."""
        document = self.session.document
        found = document.tokens(0, min(document.token_count, 2000))
        if len(found):
            sizes = found.ends - found.starts
            self.desk.choose(int(found.ids[(sizes * (sizes <= 12)).argmax()]))

    def _words(self, symbols: int, depth: int) -> str:
        lineage = self.desk.lineage
        assert lineage is not None
        if not len(lineage.merges):
            return "This model has no merges: its tokens are whole entries."
        source = "scores" if lineage.vocabulary.scores is not None else "ranks"
        derived = f" Derived: the file holds no merges, they follow from its {source}." if lineage.derived else ""
        if symbols == 1:
            return f"No merge makes it.{derived}"
        merges = symbols - 1
        return (f"{symbols} symbols, {merges} merge{'s' if merges != 1 else ''}, "
                f"{depth} level{'s' if depth != 1 else ''}.{derived}")

    def _titles(self, feeds: int, ways: int) -> None:
        self.pages.setTabText(0, f"Feeds {feeds:,} token{'s' if feeds != 1 else ''}")
        self.pages.setTabText(1, f"{ways:,} way{'s' if ways != 1 else ''} to make it")

    # Jumps

    def _into_sight(self, place: QRect) -> None:
        centre = place.center()
        self.scroll.ensureVisible(centre.x(), centre.y(), min(place.width() // 2 + 12, 200), place.height())

    def _feed_opened(self, row: int, column: str) -> None:
        ids = self.feed_rows.ids_at(row)
        if ids is not None:
            self.desk.choose(ids[{"left": 0, "right": 1}.get(column, 2)])

    def _way_opened(self, row: int, column: str) -> None:
        if 0 <= row < len(self.way_rows.ways):
            way = self.way_rows.ways[row]
            self.desk.choose(way.right if column == "right" else way.left)

    def _asked(self) -> None:
        """What was typed: the whole text of a token, else its id."""
        text, index = self.go.text(), self.desk.index
        if index is None or not text:
            return
        found = index.id_of(text.encode("utf-8", "surrogatepass"))
        plain = text.strip()
        if plain.isascii() and plain.isdigit() and int(plain[:19]) in index.vocabulary:
            found = int(plain[:19])
        if found is None or not self.desk.choose(found):
            self.session.failed.emit(f"this vocabulary has no token {text!r}")
        else:
            self.go.selectAll()

    def _to_vocabulary(self) -> None:
        if self.desk.current is not None:
            show_entry(self, self.session, self.desk.current)

    def _to_text(self) -> None:
        if self.desk.current is not None:
            self.desk.find_in_document(self.desk.current, then=lambda: show_text(self))


def _arrow(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setObjectName("plain")
    button.setToolTip(tip)
    button.setAccessibleName(tip.partition(" (")[0])
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
