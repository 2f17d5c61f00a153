"""The tree of a token as boxes: where they lie is arithmetic, the arrow keys reach every one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.core.test_lineage import lineage_of, random_merges
from tests.models.vocabulary_kinds import byte_fallback, merges, rwkv
from tokenloupe.core.lineage import Lineage
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.models.lineage_tree import Box, DerivationRows, boxes_of, moves


def check(boxes: list[Box], root_id: int) -> None:
    root = boxes[0]
    assert (root.id, root.depth, root.first, root.parent) == (root_id, 0, 0, -1)
    symbols = [b for b in boxes if not b.children]
    assert sorted((b.first, b.last) for b in symbols) == [(n, n + 1) for n in range(root.last)]
    assert b"".join(b.bytes for b in sorted(symbols, key=lambda b: b.first)) == root.bytes
    for number, box in enumerate(boxes):
        assert box.number == number
        for child in (boxes[c] for c in box.children):
            assert (child.parent, child.depth) == (number, box.depth + 1)
        if box.children:
            left, right = (boxes[c] for c in box.children)
            assert (left.first, left.last, right.last) == (box.first, right.first, box.last)
            assert left.bytes + right.bytes == box.bytes


def test_boxes_of_random_merges_tile_the_token() -> None:
    rnd = random.Random(3)
    for _ in range(30):
        found = random_merges(rnd, trained=True)
        lineage = lineage_of(found)
        for token_id in lineage.vocabulary.ids.tolist()[256:]:
            boxes = boxes_of(lineage.built(token_id))
            check(boxes, token_id)
            assert len(boxes) == 2 * boxes[0].last - 1  # a full binary tree


def test_the_arrow_keys_reach_every_box_and_come_back() -> None:
    lineage = lineage_of([(b"a", b"b"), (b"c", b"d"), (b"ab", b"cd"), (b"abcd", b"e"), (b"f", b"abcde")])
    boxes = boxes_of(lineage.built(260))
    seen, todo = {0}, [0]
    while todo:
        for key, to in moves(boxes, at := todo.pop()).items():
            box, other = boxes[at], boxes[to]
            if key == "left":
                assert other.last <= box.first
            elif key == "right":
                assert other.first >= box.last
            elif key == "up":
                assert at in other.children
            else:
                assert to == box.children[0]
            if to not in seen:
                seen.add(to)
                todo.append(to)
    assert seen == set(range(len(boxes)))
    assert moves(boxes, 0) == {"down": 1}
    # From the first symbol "f" right lies what begins after it in the same row.
    f = next(b for b in boxes if b.bytes == b"f")
    assert boxes[moves(boxes, f.number)["right"]].bytes == b"abcde"


def test_one_symbol_is_one_box_without_a_way(tmp_path: Path) -> None:
    for make, token_id in ((merges, ord("t")), (rwkv, 3), (byte_fallback, 1)):
        lineage = Lineage(VocabularyIndex(make(tmp_path)))
        boxes = boxes_of(lineage.built(token_id))
        assert len(boxes) == 1 and boxes[0].rank == -1 and moves(boxes, 0) == {}


def test_a_piece_with_a_mark_for_the_space(tmp_path: Path) -> None:
    lineage = Lineage(VocabularyIndex(byte_fallback(tmp_path)))
    boxes = boxes_of(lineage.built(9))  # ▁the
    assert [(b.id, b.text, b.first, b.last) for b in boxes] == [
        (9, "·the", 0, 4), (7, "·t", 0, 2), (3, "·", 0, 1), (4, "t", 1, 2), (8, "he", 2, 4), (5, "h", 2, 3),
        (6, "e", 3, 4)]


@pytest.mark.parametrize("depth", [3, 150])
def test_a_deep_tree(depth: int) -> None:
    lineage = lineage_of([(b"a" * n, b"b" if n == 1 else b"a") if n > 1 else (b"a", b"a") for n in range(1, depth)])
    deepest = max(lineage.vocabulary.ids.tolist())
    boxes = boxes_of(lineage.built(deepest))
    check(boxes, deepest)


def test_rows_of_ways_to_make_a_token(tmp_path: Path) -> None:
    lineage = Lineage(VocabularyIndex(merges(tmp_path)))
    rows = DerivationRows()
    rows.set_ways(lineage, lineage.alternatives(257))
    assert [rows.cells(n) for n in range(2)] == [("th", "e", "1", "used"), ("t", "he", "4", "never fires")]
    assert rows.cell(0, 0) == "th 256" and rows.page(0).faded == [False, True]
    rows.set_ways(lineage, lineage.alternatives(259))
    # " the" is also " t" + "he"? There is no " t": only the pair that is used.
    assert [rows.cells(n)[:2] for n in range(rows.rowCount())] == [("·", "the")]
    rows.set_ways(None, [])
    assert rows.rowCount() == 0
