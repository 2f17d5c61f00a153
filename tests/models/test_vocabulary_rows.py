"""The rows of the vocabulary table: every cell equals what a loop over the entries says, for every kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtTest import QAbstractItemModelTester

from tests.core.test_query import class_of
from tests.models.vocabulary_kinds import KINDS, merges
from tokenloupe.core.derive import merges_of
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.core.vocabulary import TokenKind, Vocabulary
from tokenloupe.models.paged_rows import PAGE, PAGES_KEPT
from tokenloupe.models.readable import readable
from tokenloupe.models.vocabulary_rows import LONGEST, VocabularyRows

Make = Callable[[Path], Tokenizer]


def rows_of(tokenizer: Tokenizer | Vocabulary, parts: bool = True) -> VocabularyRows:
    rows = VocabularyRows()
    rows.set_entries(VocabularyIndex(tokenizer))
    if parts:
        rows.set_parts()
    return rows


def column(rows: VocabularyRows, name: str) -> list[str]:
    return [rows.cells(r)[rows.column_of(name)] for r in range(rows.rowCount())]


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_every_cell_equals_the_entry(make: Make, tmp_path: Path) -> None:
    tokenizer = make(tmp_path)
    v, rows = tokenizer.vocabulary, rows_of(tokenizer)
    pieces = [v.bytes_of(i) for i in v.ids.tolist()]
    assert None not in pieces and rows.rowCount() == len(pieces)
    assert column(rows, "id") == [str(i) for i in v.ids.tolist()]
    assert column(rows, "text") == [readable(p or b"") for p in pieces]
    assert column(rows, "bytes") == [(p or b"").hex(" ") for p in pieces]
    assert column(rows, "length") == [str(len(p or b"")) for p in pieces]
    assert column(rows, "kind") == [TokenKind(k).name.lower() for k in v.kinds.tolist()]
    assert column(rows, "utf8") == [class_of(p or b"").word for p in pieces]
    assert column(rows, "script") == [VocabularyIndex(v).script_name(r) for r in range(len(v))]
    names = {c.id for c in rows.columns}
    assert ("score" in names) == (v.scores is not None) and ("rank" in names) == (v.scores is None)
    assert ("raw" in names) == (v.raw_blob is not None)
    if v.raw_blob is not None:
        assert column(rows, "raw") == [readable(v.raw_at(r).encode()) for r in range(len(v))]
    if v.scores is not None:
        assert [float(s) for s in column(rows, "score")] == pytest.approx(v.scores.tolist(), rel=1e-5)


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_parts_are_those_of_the_first_merge_that_makes_an_entry(make: Make, tmp_path: Path) -> None:
    tokenizer = make(tmp_path)
    v, table = tokenizer.vocabulary, merges_of(tokenizer)
    first: dict[int, tuple[int, int, int]] = {}
    if table is not None:
        for rank, (a, b, c) in enumerate(zip(*(x.tolist() for x in (table.left, table.right, table.result)),
                                             strict=True)):
            first.setdefault(c, (a, b, rank))
    rows = rows_of(tokenizer)
    left, right = rows.column_of("left"), rows.column_of("right")
    for row, token_id in enumerate(v.ids.tolist()):
        parts = first.get(token_id)
        for part, at in ((0, left), (1, right)):
            wanted = "" if parts is None else f"{readable(v.bytes_of(parts[part]) or b'')} {parts[part]}"
            assert rows.cell(row, at) == wanted
    if v.scores is None and table is not None and not table.derived:
        assert column(rows, "rank") == [str(first[i][2]) if i in first else "" for i in v.ids.tolist()]


def test_parts_and_ranks_are_blank_until_merges_are_known(tmp_path: Path) -> None:
    rows = rows_of(merges(tmp_path), parts=False)
    assert set(column(rows, "left")) == set(column(rows, "rank")) == {""}
    told: list[bool] = []
    rows.renewed.connect(lambda: told.append(True))
    rows.set_parts()
    assert told and "th 256" in {rows.cell(r, rows.column_of("left")) for r in range(rows.rowCount())}


def test_long_entries_are_cut_and_their_tip_is_bounded() -> None:
    rows = rows_of(Vocabulary.build([(0, b"a" * 5000), (1, b"")]), parts=False)
    shown = rows.cells(0)[rows.column_of("bytes")]
    assert shown == "61 " * (LONGEST - 1) + "61 …" and rows.cells(0)[rows.column_of("length")] == "5,000"
    assert len(rows.tip(0, rows.column_of("text"))) < 250
    assert rows.cells(1)[rows.column_of("text")] == "" and rows.cells(2) == () and rows.tip(9, 0) == ""


def test_places_and_ids_in_any_order(tmp_path: Path) -> None:
    rows = rows_of(merges(tmp_path))
    assert rows.entries is not None
    ids = rows.entries.vocabulary.ids.tolist()
    assert [rows.place_of(r) for r in range(len(ids))] == list(range(len(ids)))
    order = np.array([5, 3, 269, 0])
    rows.set_rows(order)
    assert [rows.place_of(r) for r in (5, 3, 269, 0, 1)] == [0, 1, 2, 3, -1]
    assert [rows.id_at(p) for p in (-1, 0, 2, 4)] == [None, ids[5], 4294967295, None]
    rows.set_rows(np.arange(len(ids))[::-1].copy())
    assert all(rows.place_of(r) == len(ids) - 1 - r for r in range(len(ids)))


def test_lines_for_the_clipboard(tmp_path: Path) -> None:
    rows = rows_of(merges(tmp_path))
    chosen = [rows.column_of(c) for c in ("id", "text", "left")]
    assert list(rows.lines([257, 32], chosen)) == ["257\tthe\tth 256", "32\t·\t"]


def test_half_a_million_rows_cost_pages_not_rows() -> None:
    count = 500_000
    numbers = np.arange(count)
    offsets = np.arange(count + 1, dtype=np.int64) * 6
    blob = b"".join(b"%06d" % n for n in range(count))
    rows = rows_of(Vocabulary(numbers, blob, offsets, np.zeros(count, np.uint8)), parts=False)
    assert rows.pages_made == 0  # a new vocabulary costs nothing until it is looked at
    assert rows.cells(499_999)[:2] == ("499999", "499999") and rows.cells(123_456)[1] == "123456"
    rows.set_rows(numbers[::-1])
    assert rows.cells(0)[0] == "499999"
    assert rows.pages_made == 3
    for row in range(0, 200 * PAGE, PAGE // 2):
        rows.page(row)
    assert rows.pages_made == 3 + 199 and len(rows._pages) == PAGES_KEPT


def test_qt_is_told_what_changes(qapp: object, tmp_path: Path) -> None:
    rows = rows_of(merges(tmp_path))
    assert isinstance(rows, QAbstractItemModel)
    tester = QAbstractItemModelTester(rows, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for some in ([1, 2, 3], [], list(range(200)), [4], [7]):
        rows.set_rows(np.array(some, np.int64))
        assert rows.rowCount() == len(some)
    rows.set_entries(None)
    assert rows.rowCount() == 0
    del tester
