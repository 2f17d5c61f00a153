"""The session's vocabulary beside a second one: what both have, what one has alone, what has other ids; as rows.

    desk = CompareDesk.of(session)
    desk.open("cl100k_base")             # or the path of a file; changed() when it is compared
    rows = CompareRows(); rows.show(desk.both, "only_right", text="the", script="Latin")

The lists are arrays of ids; a filter is a mask over them, and cells are made for a page that is in sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from ..core.compare_vocabularies import VocabularyComparison, script_names
from ..core.csv_text import csv_rows
from ..core.errors import StageError
from ..core.query import Filter, VocabularyIndex
from ..core.tables import code_span, mark
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import Int64s
from .census_index import index_of
from .jobs import Latest, in_thread
from .paged_rows import Column, Page, PagedRows, page_of
from .readable import readable
from .session import Session

#: The lists, by the names of VocabularyComparison's properties.
LISTS = ("shared", "only_left", "only_right", "moved")


class CompareDesk(QObject):
    """changed(): `both` is there, or None (another tokenizer is being looked at). opening(str): a name being opened."""

    changed = Signal()
    opening = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.right: Tokenizer | None = None
        self.both: VocabularyComparison | None = None
        self._right_index: VocabularyIndex | None = None
        self._job = Latest(session.jobs)
        session.tokenizer_changed.connect(self._renew)

    @classmethod
    def of(cls, session: Session) -> CompareDesk:
        found = session.findChild(cls)
        return cls(session) if found is None else found

    def begin(self) -> None:
        """A second one to start with, when none was chosen yet: a bundled one that is not the first."""
        if self.right is None and self.session.ready and not self._job.running:
            from ..formats.bundled import BUNDLED

            self.open(next(name for name in BUNDLED if name != self.session.tokenizer.name))

    def open(self, name_or_path: str | Path) -> None:
        """Open the second one and compare. InputErrors go to session.failed, and what was there stays. Of a file with a
        stage that cannot be run the vocabulary is enough."""
        from ..api import load

        def read() -> Tokenizer:
            try:
                return load(name_or_path)
            except StageError:
                return load(name_or_path, vocabulary_only="yes")

        self.opening.emit(Path(name_or_path).name)
        self._job.start("Opening the second vocabulary", in_thread(read), done=self.set_right, failed=self._failed,
                        cancelled=self.changed.emit)

    def set_right(self, tokenizer: Tokenizer) -> None:
        self.right, self._right_index = tokenizer, VocabularyIndex(tokenizer)
        self._compare()

    def swap(self) -> None:
        """The second one becomes the session's tokenizer, and the other way round."""
        if self.right is not None and self.session.ready:
            left, right = self.session.tokenizer, self.right
            index = index_of(self.session)
            self.right, self._right_index = left, index
            self.session.set_tokenizer(right)  # compares

    @property
    def names(self) -> tuple[str, str]:
        left = self.session.tokenizer.name if self.session.ready else ""
        right = self.right.name if self.right is not None else ""
        return (left, right) if left != right else (f"{left} (left)", f"{right} (right)")

    # Inside

    def _renew(self) -> None:
        if self.both is None or self.both.left is not index_of(self.session):
            self._compare()

    def _compare(self) -> None:
        self.both = None
        if self._right_index is None or not self.session.ready:
            return
        self.changed.emit()
        both = VocabularyComparison(index_of(self.session), self._right_index)
        self._job.start("Comparing vocabularies", both.steps(), done=self._done)

    def _done(self, both: VocabularyComparison) -> None:
        self.both = both
        self.changed.emit()

    def _failed(self, sentence: str) -> None:
        self.session.failed.emit(sentence)
        self.changed.emit()


class CompareRows(PagedRows):
    """left, right: int64 ids of the rows in sight, -1 where that side does not have the entry. rows: of the index of
    the side that the list is about."""

    columns = (
        Column("left", "Left id", "number", 8, strong=True), Column("right", "Right id", "number", 8, strong=True),
        Column("bytes", "Bytes", "bytes", 12, stretch=2, narrow=420),
        Column("text", "Text", "token", 12, stretch=3), Column("script", "Script", "word", 11, narrow=520),
    )

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.left: Int64s = np.zeros(0, np.int64)
        self.right: Int64s = np.zeros(0, np.int64)
        self.both: VocabularyComparison | None = None
        self._index: VocabularyIndex | None = None

    def show(self, both: VocabularyComparison | None, which: str = "shared", text: str = "", script: str = "",
             order: tuple[str, bool] | None = None) -> None:
        """which: of LISTS. text: in the decoded text, or an id. script: of its letters, as by_script calls it.
        order: (id of a column, descending), None for the order of ids."""
        self.both = both
        if both is None:
            self.left = self.right = np.zeros(0, np.int64)
            self.set_rows(np.zeros(0, np.int64))
            return
        pairs = _pairs(both, which)
        left, right = pairs[:, 0], pairs[:, 1]
        index, ids = (both.right, right) if which == "only_right" else (both.left, left)
        rows = np.searchsorted(index.vocabulary.ids, ids)
        keep = np.ones(len(rows), np.bool_)
        if script:
            keep &= index.script[rows] == script_names().index(script)
        if text:
            keep &= _fits(index, text)[rows] | _is_id(text, left, right)
        kept = np.flatnonzero(keep)
        if order is not None:
            kept = kept[self._order(index, rows[kept], left[kept], right[kept], order[0])]
            if order[1]:
                kept = kept[::-1]
        self.left, self.right, self._index = left[kept], right[kept], index
        self.set_rows(rows[kept])

    def _order(self, index: VocabularyIndex, rows: Int64s, left: Int64s, right: Int64s, column: str) -> Int64s:
        if column in ("left", "right"):
            return np.argsort(left if column == "left" else right, kind="stable")
        places = np.empty(len(index), np.int64)
        places[index.order(column)] = np.arange(len(index))
        return np.argsort(places[rows], kind="stable")

    def _made(self, first: int, rows: Int64s) -> Page:
        assert self._index is not None
        v, last = self._index.vocabulary, first + len(rows)
        out: list[tuple[str, ...]] = []
        for a, b, row in zip(self.left[first:last].tolist(), self.right[first:last].tolist(), rows.tolist(),
                             strict=True):
            piece = v.bytes_at(row)
            out.append((str(a) if a >= 0 else "", str(b) if b >= 0 else "", piece[:24].hex(" "),
                        readable(piece, 80), self._index.script_name(row)))
        return page_of(first, out, len(self.columns))

    def steps_of_csv(self) -> Iterator[Any]:
        """Progress, at last the rows in sight as CSV."""
        parts = ["left id,right id,bytes,text,script\n"]
        count = self.rowCount()
        for first in range(0, count, 512):
            parts.append(csv_rows(self.cells(row) for row in range(first, min(first + 512, count))))
            yield first / count
        yield "".join(parts)


def markdown(both: VocabularyComparison, names: tuple[str, str]) -> str:
    """The figures, in all and by script."""
    left, right = (code_span("".join(map(mark, n))) for n in names)
    c = both.counts
    lines = [f"# {left} and {right}", "", "| entries | |", "|--:|---|", f"| {c.shared} | in both |",
             f"| {c.moved} | of these with another id |", f"| {c.only_left} | in {left} alone |",
             f"| {c.only_right} | in {right} alone |", "", f"| script | both | {left} alone | {right} alone |",
             "|---|--:|--:|--:|"]
    return "\n".join([*lines, *(f"| {s} | {n} | {a} | {b} |" for s, n, a, b in both.by_script), ""])


def _pairs(both: VocabularyComparison, which: str) -> Int64s:
    """int64 (n, 2): ids left and right."""
    if which == "only_left":
        return _one_sided(both.only_left, 0)
    if which == "only_right":
        return _one_sided(both.only_right, 1)
    return both.shared if which == "shared" else both.moved


def _one_sided(ids: Int64s, side: int) -> Int64s:
    out = np.full((len(ids), 2), -1, np.int64)
    out[:, side] = ids
    return out


def _fits(index: VocabularyIndex, text: str) -> NDArray[np.bool_]:
    out = np.zeros(len(index), np.bool_)
    out[index.search(Filter(text))] = True
    return out


def _is_id(text: str, left: Int64s, right: Int64s) -> NDArray[np.bool_]:
    stripped = text.strip()
    if not (stripped.isascii() and stripped.isdigit() and len(stripped) < 19):
        return np.zeros(len(left), np.bool_)
    return np.asarray((left == int(stripped)) | (right == int(stripped)))
