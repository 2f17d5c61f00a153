"""How a token is built, as boxes: the token on top, beneath each box the two it is made of, the symbols at the bottom.

    boxes = boxes_of(lineage.built(995))
    boxes[0].children, boxes[1].depth, boxes[1].first, boxes[1].last      # (1, 4), 1, 0, 3

A box spans the columns first .. last (half open): one column for each symbol that no merge makes. So a box is as wide
as what it is made of, and its text fits where theirs do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .paged_rows import Column, Page, PagedRows
from .readable import readable

if TYPE_CHECKING:
    from ..core.lineage import Derivation, Lineage, Node
    from ..core.vocabulary import Int64s


@dataclass(frozen=True, slots=True)
class Box:
    """number: its place in the list; parent: -1 for the token itself; children: () for a symbol. rank: of the merge
    that makes it, -1 for none."""

    number: int
    id: int
    text: str
    bytes: bytes
    rank: int
    depth: int
    first: int
    last: int
    parent: int
    children: tuple[int, ...]


def boxes_of(root: Node) -> list[Box]:
    """All boxes, each before its parts, left before right."""
    out: list[Box] = []
    _add(root, 0, 0, -1, out)
    return out


def _add(node: Node, depth: int, column: int, parent: int, out: list[Box]) -> int:
    """Put a node and what is beneath it into the list; returns the column after it."""
    number = len(out)
    out.append(Box(number, node.id, readable(node.bytes, 60), node.bytes, node.rank, depth, column, column + 1, parent,
                   ()))
    at, children = column, []
    for child in node.children:
        children.append(len(out))
        at = _add(child, depth + 1, at, number, out)
    if children:
        out[number] = replace(out[number], last=at, children=tuple(children))
        return at
    return column + 1


def moves(boxes: list[Box], number: int) -> dict[str, int]:
    """Where the arrow keys lead from a box; keys that lead nowhere are left out."""
    box = boxes[number]
    out: dict[str, int] = {}
    if box.parent >= 0:
        out["up"] = box.parent
    if box.children:
        out["down"] = box.children[0]
    beside = list(_beside(boxes, box))
    left = [b for b in beside if b.last <= box.first]
    right = [b for b in beside if b.first >= box.last]
    if left:
        out["left"] = max(left, key=lambda b: (b.last, b.depth)).number
    if right:
        out["right"] = min(right, key=lambda b: (b.first, -b.depth)).number
    return out


def _beside(boxes: list[Box], box: Box) -> Iterator[Box]:
    """The boxes in the same row, and symbols that end above it."""
    for other in boxes:
        if other.depth == box.depth or (other.depth < box.depth and not other.children):
            yield other


class DerivationRows(PagedRows):
    """The ways to put one token together of two entries, the one that is used first."""

    columns = (
        Column("left", "Left", "token", 16, stretch=1),
        Column("right", "Right", "token", 16, stretch=1),
        Column("rank", "Rank", "number", 8, "Of the merge that joins them"),
        Column("status", "", "word", 14, "What becomes of it"),
    )

    def __init__(self, parent: object | None = None) -> None:
        super().__init__(parent)  # type: ignore[arg-type]
        self.ways: list[Derivation] = []
        self.lineage: Lineage | None = None

    def set_ways(self, lineage: Lineage | None, ways: list[Derivation]) -> None:
        self.lineage, self.ways = lineage, ways
        self.set_rows(np.arange(len(ways)))

    def _made(self, first: int, rows: Int64s) -> Page:
        assert self.lineage is not None
        bytes_of = self.lineage.vocabulary.bytes_of
        ways = [self.ways[r] for r in rows.tolist()]
        return Page(
            first,
            [[readable(bytes_of(w.left) or b"") for w in ways], [readable(bytes_of(w.right) or b"") for w in ways],
             [f"{w.rank:,}" if w.rank >= 0 else "" for w in ways], [w.status for w in ways]],
            {0: [str(w.left) for w in ways], 1: [str(w.right) for w in ways]},
            [w.status not in ("used", "listed") for w in ways])
