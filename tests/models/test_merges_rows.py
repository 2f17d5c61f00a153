"""The merge table: rows, search and order equal a loop over the merges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models.vocabulary_kinds import KINDS, MERGES, merges, ranks
from tokenloupe.core.lineage import Lineage
from tokenloupe.core.lineage_merges import COLUMNS, PARTS, MergeIndex
from tokenloupe.core.query import Filter, VocabularyIndex
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.merges_rows import NEVER, MergeRows, MergeSearch
from tokenloupe.models.readable import readable
from tokenloupe.models.session import Session
from tokenloupe.models.vocabulary_desk import VocabularyDesk

Make = Callable[[Path], Tokenizer]


def table_of(tokenizer: Tokenizer) -> MergeIndex:
    return MergeIndex(Lineage(VocabularyIndex(tokenizer)))


def triples(table: MergeIndex) -> list[tuple[int, int, int]]:
    m = table.lineage.merges
    return list(zip(m.left.tolist(), m.right.tolist(), m.result.tolist(), strict=True))


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_every_cell_equals_the_merge(make: Make, tmp_path: Path) -> None:
    table, rows = table_of(make(tmp_path)), MergeRows()
    v = table.index.vocabulary
    rows.set_table(table, firing=True)
    rows.set_rows(table.search(None))
    assert rows.rowCount() == len(table)
    for n, merge in enumerate(triples(table)):
        pieces = [v.bytes_of(i) or b"" for i in merge]
        cells = rows.cells(n)
        assert cells[1:4] == tuple(readable(p) for p in pieces) and rows.ids_at(n) == merge
        assert cells[4] == str(len(pieces[2]))
        assert [rows.cell(n, c) for c in (1, 2, 3)] == [
            f"{readable(p)} {i}" for p, i in zip(pieces, merge, strict=True)]
        assert cells[0] == (f"{merge[2]:,}" if table.lineage.derived and v.scores is None else f"{n:,}")
        if make is not merges:
            assert cells[5] == ""
    assert rows.ids_at(-1) is None and rows.ids_at(len(table)) is None


def test_what_never_fires_is_known_later_and_quieter(tmp_path: Path) -> None:
    table, rows = table_of(merges(tmp_path)), MergeRows()
    rows.set_table(table)
    rows.set_rows(table.search(None))
    assert {rows.cells(n)[5] for n in range(9)} == {""}
    rows.set_firing()
    # "t" + "he" makes "the", but "t" + "h" is earlier: whatever holds "the" begins so.
    assert [n for n in range(9) if rows.cells(n)[5] == NEVER] == [MERGES.index((b"t", b"he"))]
    assert rows.page(0).faded == [n == MERGES.index((b"t", b"he")) for n in range(9)]


@pytest.mark.parametrize("make", [merges, ranks], ids=lambda k: k.__name__)
def test_search_by_part_equals_a_loop(make: Make, tmp_path: Path) -> None:
    table = table_of(make(tmp_path))
    v, all_of = table.index.vocabulary, triples(table)

    def has(token_id: int) -> bool:
        return b"h" in (v.bytes_of(token_id) or b"").lower()

    for part in PARTS:
        fits = {"left": lambda m: has(m[0]), "right": lambda m: has(m[1]), "result": lambda m: has(m[2]),
                "any": lambda m: any(map(has, m))}[part]
        assert table.search(Filter("h"), part).tolist() == [n for n, m in enumerate(all_of) if fits(m)]
        assert table.search(Filter("e6 8", mode="hex"), part).tolist() == [
            n for n, m in enumerate(all_of) if any(b"\xe6\x88" in (v.bytes_of(i) or b"") for i in {
                "left": m[:1], "right": m[1:2], "result": m[2:], "any": m}[part])]
    shown = table.lineage.ranks.tolist()
    assert table.search(Filter("1-3, 257", mode="rank")).tolist() == [
        n for n, r in enumerate(shown) if 1 <= r <= 3 or r == 257]
    assert table.search(Filter("", mode="rank", length=(3, None))).tolist() == [
        n for n, m in enumerate(all_of) if any(len(v.bytes_of(i) or b"") >= 3 for i in m)]
    for token_id in (ord("t"), 256, 257):
        assert table.search(None, of=token_id).tolist() == [n for n, m in enumerate(all_of) if token_id in m]
    assert table.search(Filter("the"), "result", of=ord("t")).tolist() == [
        n for n, m in enumerate(all_of) if ord("t") in m and b"the" in (v.bytes_of(m[2]) or b"")]


@pytest.mark.parametrize("make", [merges, ranks], ids=lambda k: k.__name__)
def test_every_column_sorts_as_its_values_do(make: Make, tmp_path: Path) -> None:
    table = table_of(make(tmp_path))
    v, all_of = table.index.vocabulary, triples(table)
    dead = table.lineage.dead.tolist()
    values: dict[str, Callable[[int], Any]] = {
        "rank": lambda n: n, "left": lambda n: v.bytes_of(all_of[n][0]), "right": lambda n: v.bytes_of(all_of[n][1]),
        "result": lambda n: v.bytes_of(all_of[n][2]), "length": lambda n: len(v.bytes_of(all_of[n][2]) or b""),
        "fires": lambda n: not dead[n]}
    assert set(values) == set(COLUMNS)
    for rows in (np.arange(len(table)), np.arange(0, len(table), 2)):
        for column, value in values.items():
            assert table.sort(rows, column).tolist() == sorted(rows.tolist(), key=value), column
            assert table.sort(rows, column, True).tolist() == sorted(rows.tolist(), key=value)[::-1], column


def test_the_search_of_the_panel(tmp_path: Path) -> None:
    session = Session(merges(tmp_path), jobs=Jobs(synchronous=True))
    desk, rows = VocabularyDesk.of(session), MergeRows()
    search = MergeSearch(desk, rows)
    search.run()
    assert rows.rowCount() == 0  # the merges are not known yet
    desk.want_merges(firing=True)
    assert desk.lineage is not None
    search.table = MergeIndex(desk.lineage)
    rows.set_table(search.table, firing=True)
    search.dead = True
    search.run()
    assert [rows.ids_at(0)] == [(ord("t"), 258, 257)] and rows.rowCount() == 1
    search.dead, search.of = False, 257
    search.run()  # what makes it, then what it feeds
    assert [rows.ids_at(n) for n in range(3)] == [(256, 101, 257), (116, 258, 257), (32, 257, 259)]
    search.set_order(("fires", False))
    assert rows.ids_at(0) == (116, 258, 257)
    search.of = None
    search.set_order(None)
    search.part = "left"
    search.set_filter(Filter("th"))
    assert [rows.ids_at(n) for n in range(rows.rowCount())] == [(256, 101, 257)]
