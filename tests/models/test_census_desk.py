"""The census as bars: each bar's rows are what it counts, by a loop over the entries."""

from __future__ import annotations

import pytest

from tests.core.vocabularies import merge_tokenizer
from tokenloupe.core.census import PointState
from tokenloupe.core.census_report import csv, markdown
from tokenloupe.core.vocabulary import TokenKind
from tokenloupe.models.census import CensusDesk
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.paged_rows import PAGE, CellRows, Column
from tokenloupe.models.session import Session

MERGES = [(b"\xe6", b"\x88"), (b"\xe6\x88", b"\x91"), (b"t", b"h"), (b"\x91", b"b"), (b"\xd0", b"\xbf"),
          (b"a", b"\xe6")]
MORE = {300: b"<s>", 301: b"<x>", 302: b"x" * 70, 303: b"\xff\xff"}


def session_of(**more: object) -> Session:
    tokenizer = merge_tokenizer(MERGES, MORE, {300: TokenKind.SPECIAL, 301: TokenKind.ADDED})
    return Session(tokenizer, jobs=Jobs(synchronous=True), **more)  # type: ignore[arg-type]


@pytest.fixture
def desk() -> CensusDesk:
    return CensusDesk.of(session_of())


def test_every_bar_counts_its_rows(desk: CensusDesk) -> None:
    for chart in ("utf8", "kind", "script", "length"):
        for bar in desk.bars(chart):
            assert bar.rows is None or len(bar.rows()) == bar.count, bar.label
    assert desk.index is not None
    for chart in ("utf8", "script", "length"):  # each entry is in one line
        assert sum(b.count for b in desk.bars(chart)) == len(desk.index)


def test_bars_of_a_small_vocabulary(desk: CensusDesk) -> None:
    utf8 = {b.label: b.count for b in desk.bars("utf8")}
    # 128 ASCII bytes, th, 我, п, <s>, <x>, x * 70; E6 88 and a E6 and the 51 lead bytes C2..F4 end inside;
    # 91 62 starts inside; 80..BF are inside; C0, C1, F5..FF and FF FF are in no text.
    assert utf8 == {"whole characters": 134, "begin inside a character": 1, "end inside a character": 53,
                    "cut at both ends": 0, "continuation bytes alone": 64, "part of no UTF-8": 14, "without bytes": 0}
    kinds = {b.label: b.count for b in desk.bars("kind")}
    assert kinds["of one byte"] == 256 and kinds["special"] == 1 and kinds["added"] == 1
    assert kinds["exactly one character"] == 130
    assert kinds["ids without an entry"] == 38  # 262 .. 299
    lengths = {b.label: b.count for b in desk.bars("length")}
    assert lengths["1 byte"] == 256 and lengths["65 to 128 bytes"] == 1 and lengths["3 bytes"] == 3
    assert "129 bytes and more" not in lengths


def test_bytes_and_code_points(desk: CensusDesk) -> None:
    assert desk.census is not None
    v = desk.census.vocabulary
    for byte in (0x91, 0xE6, 0x78, 0xFF):
        ids = [i for i in v.ids.tolist() if bytes([byte]) in (v.bytes_of(i) or b"")]
        assert v.ids[desk.rows_with_byte(byte)].tolist() == ids
    assert v.ids[desk.rows_with_points(0x6211, 0x6211)].tolist() == [257]
    assert "lead of 3" in desk.about_byte(0xE6) and "its own entry is 230" in desk.about_byte(0xE6)
    block = next(b for b in desk.census.coverage if b.name == "CJK Unified Ideographs")
    states = desk.states(block)
    assert len(states) == 0x9FFF - 0x4E00 + 1
    assert states[0x6211 - 0x4E00] == PointState.SINGLE and states[0] == PointState.ABSENT


def test_what_completes_a_token(desk: CensusDesk) -> None:
    found = desk.completers(256)  # E6 88
    assert [(c.id, c.bytes, c.char) for c in found[:3]] == [
        (0x80, b"\x80", "\u6200"), (0x81, b"\x81", "\u6201"), (0x82, b"\x82", "\u6202")]
    assert (259, b"\x91b", "我") in [(c.id, c.bytes, c.char) for c in found]
    assert len(found) == 65
    assert desk.completers(257) == [] and desk.completers(9999) == []


def test_another_tokenizer_is_counted_and_a_mode_is_not() -> None:
    session = session_of()
    desk = CensusDesk.of(session)
    assert CensusDesk.of(session) is desk
    heard: list[int] = []
    desk.changed.connect(lambda: heard.append(1))
    session.set_special("parse")
    assert not heard
    session.set_tokenizer(merge_tokenizer([]))
    assert heard == [1] and desk.census is not None and desk.census.counts.total == 256


def test_tables_are_copied(desk: CensusDesk) -> None:
    assert desk.census is not None
    text, table = markdown(desk.census), csv(desk.census)
    assert "| 134 | whole characters |" in text and "| `e6` | lead of 3 | 4 | 230 |" in text
    assert "entries,whole characters,134" in table and "bytes long,70,1" in table and "times byte,e6,4" in table


def test_pages_are_made_once_and_not_by_row() -> None:
    asked: list[tuple[int, int]] = []

    def source(first: int, last: int) -> list[tuple[str, ...]]:
        asked.append((first, last))
        return [(str(i),) for i in range(first, last)]

    rows = CellRows((Column("n", "n", "number"),))
    rows.set_cells(300_000, source)
    assert rows.cells(70) == ("70",) and rows.cells(0) == ("0",) and rows.cells(PAGE) == (str(PAGE),)
    assert rows.cells(299_999) == ("299999",)
    assert asked == [(PAGE, 2 * PAGE), (0, PAGE), (300_000 // PAGE * PAGE, 300_000)]  # the last one is short
    assert rows.pages_made == 3
