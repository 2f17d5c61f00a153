"""Search and order of the vocabulary as it is typed: equal to a loop, at once where it is quick, else in slices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import regex
from pytestqt.qtbot import QtBot

from tests.core.test_query import class_of
from tests.models.vocabulary_kinds import KINDS, merges
from tokenloupe.core.derive import merges_of
from tokenloupe.core.query import Filter
from tokenloupe.core.scripts import Utf8Class
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.core.vocabulary import TokenKind
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.vocabulary_desk import VocabularyDesk
from tokenloupe.models.vocabulary_rows import VocabularyRows
from tokenloupe.models.vocabulary_search import VocabularySearch

Make = Callable[[Path], Tokenizer]


def search_of(tokenizer: Tokenizer, synchronous: bool = True) -> VocabularySearch:
    desk = VocabularyDesk.of(Session(tokenizer, jobs=Jobs(synchronous=synchronous)))
    rows = VocabularyRows()
    rows.set_entries(desk.index)
    search = VocabularySearch(desk, rows)
    search.kept = (desk.session, rows)  # type: ignore[attr-defined]
    return search


def ids(search: VocabularySearch) -> list[int]:
    return search.desk.index.vocabulary.ids[search.model.rows].tolist()  # type: ignore[union-attr]


def lower(text: str) -> str:
    return "".join(c.lower() if len(c.lower()) == 1 and len(c.lower().encode("utf-8", "replace")) ==
                   len(c.encode("utf-8", "replace")) else c for c in text)


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_every_way_to_ask_finds_what_a_loop_finds(make: Make, tmp_path: Path) -> None:
    tokenizer = make(tmp_path)
    v, search = tokenizer.vocabulary, search_of(tokenizer)
    entries = [(i, v.bytes_at(r), TokenKind(int(v.kinds[r])), v.raw_at(r)) for r, i in enumerate(v.ids.tolist())]

    def text(piece: bytes) -> str:
        return piece.decode("utf-8", "surrogateescape")

    def raw(entry: Any) -> str:
        return entry[3] if v.raw_blob is not None else text(entry[1])

    asked: list[tuple[Filter, Callable[[Any], bool]]] = [
        (Filter("the"), lambda e: "the" in lower(text(e[1]))),
        (Filter("T"), lambda e: "t" in lower(text(e[1]))),
        (Filter("The", ignore_case=False), lambda e: "The" in text(e[1])),
        (Filter("我"), lambda e: "我" in text(e[1])),
        (Filter("ж"), lambda e: "ж" in lower(text(e[1]))),
        (Filter("▁", mode="raw"), lambda e: "▁" in raw(e)),
        (Filter("0X6", mode="raw"), lambda e: "0x6" in lower(raw(e))),
        (Filter("##", mode="raw", ignore_case=False), lambda e: "##" in raw(e)),
        (Filter("e6 88", mode="hex"), lambda e: b"\xe6\x88" in e[1]),
        (Filter("7", mode="hex"), lambda e: any(b >> 4 == 7 for b in e[1])),
        (Filter("20 7", mode="hex"), lambda e: any(e[1][k] == 0x20 and e[1][k + 1] >> 4 == 7
                                                   for k in range(len(e[1]) - 1))),
        (Filter("2-4, 258, 1000-", mode="id"), lambda e: 2 <= e[0] <= 4 or e[0] == 258 or e[0] >= 1000),
        (Filter("^[[:alpha:]]{2,}$", mode="regex"), lambda e: bool(
            regex.search("^[[:alpha:]]{2,}$", e[1].decode("utf-8", "replace"), regex.I))),
        (Filter(script="Han"), lambda e: "我" in text(e[1]) or "戀" in text(e[1])),
        (Filter(kind=TokenKind.SPECIAL), lambda e: e[2] == TokenKind.SPECIAL),
        (Filter(kind=TokenKind.BYTE), lambda e: e[2] == TokenKind.BYTE),
        (Filter(utf8=Utf8Class.ENDS_INSIDE), lambda e: class_of(e[1]) == Utf8Class.ENDS_INSIDE),
        (Filter(utf8=Utf8Class.INVALID), lambda e: class_of(e[1]) == Utf8Class.INVALID),
        (Filter(length=(2, 3)), lambda e: 2 <= len(e[1]) <= 3),
        (Filter("e", length=(None, 2), kind=TokenKind.NORMAL, utf8=Utf8Class.WHOLE), lambda e: (
            "e" in lower(text(e[1])) and len(e[1]) <= 2 and e[2] == TokenKind.NORMAL and
            class_of(e[1]) == Utf8Class.WHOLE)),
    ]
    for wanted, fits in asked:
        search.set_filter(wanted)
        assert sorted(ids(search)) == [e[0] for e in entries if fits(e)], wanted
    search.set_filter(None)
    assert ids(search) == v.ids.tolist()


@pytest.mark.parametrize("make", KINDS, ids=lambda k: k.__name__)
def test_every_column_sorts_as_its_values_do(make: Make, tmp_path: Path) -> None:
    tokenizer = make(tmp_path)
    v, search = tokenizer.vocabulary, search_of(tokenizer)
    search.desk.want_merges()
    merges = merges_of(tokenizer)
    first: dict[int, int] = {}
    for n, made in enumerate([] if merges is None else merges.result.tolist()):
        first.setdefault(made, n)
    values: dict[str, Callable[[int], Any]] = {
        "id": lambda r: int(v.ids[r]), "text": v.bytes_at, "bytes": v.bytes_at, "length": lambda r: len(v.bytes_at(r)),
        "kind": lambda r: int(v.kinds[r]), "utf8": lambda r: int(class_of(v.bytes_at(r))),
    }
    if v.scores is not None:
        values["score"] = lambda r: float(v.scores[r])  # type: ignore[index]
    if merges is not None:
        for side in ("left", "right"):
            values[side] = lambda r, s=side: (  # type: ignore[misc]
                int(getattr(merges, s)[first[int(v.ids[r])]]) if int(v.ids[r]) in first else -1)
    for column, value in values.items():
        for wanted in (None, Filter("h"), Filter("7-", mode="id")):
            search.set_filter(wanted)
            search.set_order(None)
            found = sorted(search.model.rows.tolist())
            search.set_order((column, False))
            assert search.model.rows.tolist() == sorted(found, key=value), column
            search.set_order((column, True))
            assert search.model.rows.tolist() == sorted(found, key=value)[::-1], column


def test_what_was_asked_for_stands_first(tmp_path: Path) -> None:
    search = search_of(merges(tmp_path))
    search.set_filter(Filter("the"))
    assert ids(search) == [257, 307, 259]  # the, The, " the"
    search.set_filter(Filter("THE"))
    assert ids(search) == [257, 307, 259]
    search.set_filter(Filter("The"))
    assert ids(search) == [307, 257, 259]
    search.set_order(("id", False))
    assert ids(search) == [257, 259, 307]


def test_a_listing_is_searched_in_its_own_order(tmp_path: Path) -> None:
    search = search_of(merges(tmp_path))
    search.desk.list_ids([259, 65, 257, 123456], "chosen")
    search.run()
    assert ids(search) == [259, 65, 257]
    search.set_filter(Filter("the"))
    assert ids(search) == [259, 257]
    search.set_order(("id", False))
    assert ids(search) == [257, 259]
    search.desk.list_all()
    search.run()
    assert ids(search) == [257, 259, 307]


def test_what_cannot_be_read_is_said_and_the_rows_stay(tmp_path: Path) -> None:
    search = search_of(merges(tmp_path))
    said: list[str] = []
    search.problem.connect(said.append)
    search.set_filter(Filter("the"))
    for wanted in (Filter("(", mode="regex"), Filter("0g", mode="hex"), Filter("x", mode="id"),
                   Filter(script="Klingon")):
        said.clear()
        search.set_filter(wanted)
        assert len(said) == 1 and said[0] and "\n" not in said[0]
        assert len(ids(search)) == 3
    search.set_filter(Filter("he", ignore_case=False))
    assert said[-1] == ""


def test_a_pattern_that_blows_up_is_given_up_and_the_next_search_goes_on(
        qtbot: QtBot, tmp_path: Path) -> None:
    tokenizer = merges(tmp_path)
    search = search_of(tokenizer)
    search.desk.index._texts = ["a" * 40 + "b"] * 270  # type: ignore[union-attr]
    said: list[str] = []
    search.problem.connect(said.append)
    search.set_filter(Filter("(a|a|aa)+$", mode="regex"))
    assert "too long for one entry" in said[-1] and "simplify" in said[-1]
    assert len(ids(search)) == 270  # what was there before
    search.set_filter(Filter("the"))
    assert said[-1] == "" and ids(search)[0] == 257


def test_what_takes_longer_goes_on_in_slices_and_the_last_key_wins(
        qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenloupe.models.vocabulary_search.AT_ONCE", -1.0)  # nothing is quick
    monkeypatch.setattr("tokenloupe.core.query.SLICE", 16)
    search = search_of(merges(tmp_path), synchronous=False)
    search.set_filter(Filter("t.*e", mode="regex"))
    assert search.running and len(search.model.rows) == 270  # the rows before stay until it is done
    with qtbot.waitSignal(search.shown):
        pass
    assert ids(search) == [257, 259, 307]
    search.set_filter(Filter("h.g", mode="regex"))
    search.set_filter(Filter("aa+", mode="regex"))
    with qtbot.waitSignal(search.shown):
        pass
    assert ids(search) == [263] and not search.running


def test_an_order_that_needs_the_merges_waits_for_them(tmp_path: Path) -> None:
    search = search_of(merges(tmp_path))
    asked: list[bool] = []
    search.desk.merges_changed.connect(lambda: asked.append(True))
    assert not search.desk.merges_ready
    search.set_order(("rank", True))
    assert asked  # it asked for them; the browser runs it again then
    search.run()
    assert ids(search)[:3] == [263, 262, 261]
