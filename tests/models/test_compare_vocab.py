"""Two vocabularies as rows: lists, filters, orders; the second one is opened, swapped, refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokenloupe.core.compare_vocabularies import VocabularyComparison
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.vocabulary import Vocabulary
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.compare_vocab import CompareDesk, CompareRows, markdown
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session


@pytest.fixture
def both() -> VocabularyComparison:
    left = Vocabulary.build([(0, b"a"), (1, b"b"), (2, "я".encode()), (3, b"a"), (4, b"the"), (5, b""), (6, b"\xe6")])
    right = Vocabulary.build([(0, b"a"), (5, b"b"), (9, b" "), (10, b"the"), (11, "да".encode())])
    return VocabularyComparison(VocabularyIndex(left), VocabularyIndex(right))


def pairs(rows: CompareRows) -> list[tuple[int, int]]:
    return list(zip(rows.left.tolist(), rows.right.tolist(), strict=True))


def test_lists(both: VocabularyComparison) -> None:
    rows = CompareRows()
    expected = {"shared": [(0, 0), (1, 5), (4, 10)], "moved": [(1, 5), (4, 10)], "only_left": [(2, -1), (6, -1)],
                "only_right": [(-1, 9), (-1, 11)]}
    for which, wanted in expected.items():
        rows.show(both, which)
        assert pairs(rows) == wanted, which
    assert rows.cells(0) == ("", "9", "20", "·", "Common")
    rows.show(both, "only_left")
    assert rows.cells(1) == ("6", "", "e6", "⟨e6⟩", "")


def test_filters_and_orders(both: VocabularyComparison) -> None:
    rows = CompareRows()
    rows.show(both, "shared", "H")
    assert pairs(rows) == [(4, 10)]
    rows.show(both, "shared", "5")
    assert pairs(rows) == [(1, 5)]
    rows.show(both, "only_left", script="Cyrillic")
    assert pairs(rows) == [(2, -1)]
    rows.show(both, "only_left", script="no whole character")
    assert pairs(rows) == [(6, -1)]
    rows.show(both, "shared", order=("right", True))
    assert pairs(rows) == [(4, 10), (1, 5), (0, 0)]
    rows.show(both, "only_right", order=("text", False))
    assert pairs(rows) == [(-1, 9), (-1, 11)]
    assert list(rows.steps_of_csv())[-1] == (
        'left id,right id,bytes,text,script\n,9,20,·,Common\n,11,d0 b4 d0 b0,да,Cyrillic\n')


def test_the_second_one_is_opened_and_swapped(tmp_path: Path) -> None:
    session = Session(load_bundled("gpt2"), jobs=Jobs(synchronous=True))
    desk = CompareDesk.of(session)
    desk.begin()
    assert desk.right is not None and desk.right.name == "o200k_base"
    desk.open("p50k_base")
    assert desk.both is not None and desk.both.counts.only_right == 24 and desk.names == ("gpt2", "p50k_base")
    assert "| 24 | in `p50k_base` alone |" in markdown(desk.both, desk.names)
    desk.swap()
    assert session.tokenizer.name == "p50k_base"
    assert desk.names == ("p50k_base", "gpt2") and desk.both is not None and desk.both.counts.only_left == 24
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({"version": "1.0", "model": {
        "type": "WordLevel", "vocab": {"a": 0, "<unk>": 1, "zebra-crossing": 2}, "unk_token": "<unk>"},
        "added_tokens": [], "normalizer": None, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None,
        "decoder": None}))
    desk.open(file)
    assert desk.both is not None and desk.both.counts.shared == 1


def test_a_file_that_is_none_is_refused_in_one_sentence(tmp_path: Path) -> None:
    session = Session(load_bundled("gpt2"), jobs=Jobs(synchronous=True))
    desk = CompareDesk.of(session)
    desk.open("p50k_base")
    before = desk.both
    said: list[str] = []
    session.failed.connect(said.append)
    (tmp_path / "none.json").write_text("{")
    desk.open(tmp_path / "none.json")
    assert len(said) == 1 and desk.both is before
