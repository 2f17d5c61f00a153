"""All pieces of a vocabulary as a trie of arrays: every place of a text is walked down at once.

Each character of a text is a *cell*; a walk begins at every cell and goes from character to character as long as a
piece goes on, all of them a step at a time. So finding every piece at every place costs a few array operations for each
character of the longest piece, and no look at a dictionary.

    >>> trie = PieceTrie(["a", "ab", "b"], np.array([5, 6, 7]))
    >>> [(e.starts.tolist(), e.ends.tolist(), e.values.tolist()) for e in trie.walk(*cells_of("ab"))]
    [([0, 1], [1, 2], [5, 7]), ([0], [2], [6])]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .lookup import PairTable
from .text import code_points
from .vocabulary import Int64s

Int32s = NDArray[np.int32]

#: The point of a cell that no piece goes on from: no code point.
END = 0x110000


@dataclass(frozen=True, slots=True)
class Edges:
    """Pieces of one length: the cells they begin at (ascending), the cells after them, and their values."""

    starts: Int64s
    ends: Int64s
    values: Int64s


class PieceTrie:
    """pieces: each of them once. values: int64 (n,), at least 0; -1 for a piece that is not to be found."""

    def __init__(self, pieces: Sequence[str], values: Int64s) -> None:
        order = sorted(range(len(pieces)), key=pieces.__getitem__)
        ordered = [pieces[i] for i in order]
        self._build(ordered, values[np.array(order, np.int64)] if order else np.zeros(0, np.int64))

    def _build(self, pieces: list[str], values: Int64s) -> None:
        """A level at a time: of pieces in order, one opens a new node where it differs from the one before it."""
        points = code_points("".join(pieces)).astype(np.int64)
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        offsets = np.cumsum(lengths) - lengths
        shared = np.ones(len(pieces), np.bool_)
        shared[:1] = False
        node = np.zeros(len(pieces), np.int64)
        parents: list[Int64s] = [np.zeros(0, np.int64)]
        letters: list[Int64s] = [np.zeros(0, np.int64)]
        held: list[Int64s] = [np.full(1, -1, np.int64)]
        count, depth = 1, 0
        rows = np.flatnonzero(lengths > 0)
        while len(rows):
            letter = points[offsets[rows] + depth]
            before = np.maximum(rows - 1, 0)
            same = shared[rows] & (lengths[before] > depth)
            same[same] = points[offsets[before[same]] + depth] == letter[same]
            shared[rows] = same
            new = ~same
            parents.append(node[rows[new]])
            letters.append(letter[new])
            node[rows] = count - 1 + np.cumsum(new)
            made = len(parents[-1])
            level = np.full(made, -1, np.int64)
            full = rows[lengths[rows] == depth + 1]
            level[node[full] - count] = values[full]
            held.append(level)
            count += made
            depth += 1
            rows = rows[lengths[rows] > depth]
        parent, letter = np.concatenate(parents), np.concatenate(letters)
        self.values = np.concatenate(held)
        self._inner = np.bincount(parent, minlength=count) > 0
        top = parent == 0
        self._roots = np.zeros(int(letter[top].max(initial=0)) + 2, np.int64)
        self._roots[letter[top]] = np.flatnonzero(top) + 1
        below = np.flatnonzero(~top)
        self._children = PairTable(parent[below], letter[below], below + 1)

    def walk(self, points: Int64s, after: Int64s) -> Iterator[Edges]:
        """Every piece at every cell, the shortest first. points: the code point of each cell, END where a text ends.
        after: the cell behind each one."""
        node = self._roots.take(points, mode="clip")
        starts = np.flatnonzero(node)
        node = node.take(starts)
        cells = after.take(starts)
        while len(starts):
            values = self.values.take(node)
            known = np.flatnonzero(values >= 0)
            yield Edges(starts.take(known), cells.take(known), values.take(known))
            on = np.flatnonzero(self._inner.take(node))
            starts, cells, node = starts.take(on), cells.take(on), node.take(on)
            letters = points.take(cells)
            node = self._children.find(node, letters)
            on = np.flatnonzero(node >= 0)
            starts, node, cells = starts.take(on), node.take(on), after.take(cells.take(on))


def cells_of(text: str) -> tuple[Int64s, Int64s]:
    """(points, after) of one text: its characters and the cell at its end."""
    return laid_out([text])[:2]


def laid_out(texts: Sequence[str]) -> tuple[Int64s, Int64s, Int64s]:
    """(points, after, edges) of some texts, one behind the other: the cells of text i are edges[i]:edges[i+1], the last
    of them its end, where `after` stays."""
    edges = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=edges[1:])
    points = code_points("\0".join([*texts, ""])).astype(np.int64)
    after = np.arange(1, len(points) + 1)
    stops = edges[1:] - 1
    points[stops], after[stops] = END, stops
    return points, after, edges
