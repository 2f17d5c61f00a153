"""Where a token comes from and where it goes: the merges that build it, and all that is built of it.

    >>> lineage = Lineage(VocabularyIndex(load_bundled("gpt2")))
    >>> tree = lineage.built(995)                      # b" world"
    >>> [child.bytes for child in tree.children]
    [b' wor', b'ld']
    >>> lineage.feeds(995).tolist()[:3]                # ids with " world" as one of their parts

The merge table says all of it, turned around once into arrays sorted by part. In a rank file the parts are derived
(`derived`), and every other way to cut a token in two entries is an alternative derivation that its ranks rule out.

A merge can never fire when others take its symbols first, whatever the text: lineage_firing.py and, for models of words
that join all places of a pair at once, lineage_words.py find these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .query import VocabularyIndex
from .vocabulary import Int64s, MergeTable

if TYPE_CHECKING:
    from .lineage_firing import Firing
    from .lineage_words import WordFiring

#: A tree is cut off at this depth: a damaged table may make a token of itself.
DEEPEST = 200
#: And at so many nodes: one whose results are not what their parts make may double with every level.
MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Node:
    """A token and the two it is made of (none for one that no merge makes). rank: of the merge, -1 for none."""

    id: int
    bytes: bytes
    rank: int
    children: tuple[Node, ...] = ()

    @property
    def depth(self) -> int:
        """Merges on the longest way down; 0 for a token that no merge makes."""
        return 1 + max(c.depth for c in self.children) if self.children else 0

    def leaves(self) -> list[Node]:
        """The tokens at the bottom, in order."""
        return [x for c in self.children for x in c.leaves()] if self.children else [self]


@dataclass(frozen=True, slots=True)
class Derivation:
    """A way to make a token of two entries. rank: of the merge that does so, -1 where none is listed.

    status: "used" is the one in the tree, "listed" another merge with the same result, "never fires" a listed one that
    cannot, "not a merge" a pair of entries whose bytes join to the token's and that no merge joins.
    """

    left: int
    right: int
    rank: int
    status: str


class Lineage:
    """index: the vocabulary. Everything is made when first asked for; nothing holds for a model without merges."""

    def __init__(self, index: VocabularyIndex) -> None:
        self.index, self.vocabulary = index, index.vocabulary

    @cached_property
    def merges(self) -> MergeTable:
        """The merges; an empty table where the model has none."""
        none = np.zeros(0, np.int64)
        return self.index.merges or MergeTable(none, none, none)

    @property
    def derived(self) -> bool:
        """Whether the parts were worked out: the file holds ranks or scores alone."""
        return self.merges.derived

    @cached_property
    def _by_left(self) -> Int64s:
        return np.argsort(self.merges.left, kind="stable")

    @cached_property
    def _by_right(self) -> Int64s:
        return np.argsort(self.merges.right, kind="stable")

    @cached_property
    def _by_result(self) -> Int64s:
        return np.argsort(self.merges.result, kind="stable")

    @staticmethod
    def _equal(order: Int64s, keys: Int64s, wanted: int) -> Int64s:
        low, high = np.searchsorted(keys, [wanted, wanted + 1], sorter=order)
        return np.sort(order[low:high])

    @cached_property
    def ranks(self) -> Int64s:
        """int64 (merges,), ascending: what is shown as rank: the place in the list, or the id it makes (rank file)."""
        rank_file = self.merges.derived and self.vocabulary.scores is None
        return self.merges.result if rank_file else np.arange(len(self.merges))

    def _rank(self, merge: int) -> int:
        return int(self.ranks[merge])

    def merges_making(self, token_id: int) -> Int64s:
        """Indices of the merges that make the token, best first."""
        return self._equal(self._by_result, self.merges.result, token_id)

    def merges_using(self, token_id: int) -> Int64s:
        """Indices of the merges that have the token as left or right part, best first."""
        left = self._equal(self._by_left, self.merges.left, token_id)
        right = self._equal(self._by_right, self.merges.right, token_id)
        return np.union1d(left, right)

    def feeds(self, token_id: int) -> Int64s:
        """Ids of the tokens that a merge makes of this one and another, in order of rank, each once."""
        made = self.merges.result[self.merges_using(token_id)]
        _, first = np.unique(made, return_index=True)
        return made[np.sort(first)]

    def built(self, token_id: int) -> Node:
        """The tree of the merges that build a token. The token must be in the vocabulary."""
        return self._node(token_id, DEEPEST, frozenset(), [MOST_NODES])

    def _node(self, token_id: int, room: int, above: frozenset[int], left: list[int]) -> Node:
        piece = self.vocabulary.bytes_of(token_id) or b""
        making = self._used(token_id)
        left[0] -= 2
        if making is None or room == 0 or token_id in above or left[0] <= 0:
            return Node(token_id, piece, -1)
        inner = above | {token_id}
        parts = tuple(self._node(int(side[making]), room - 1, inner, left)
                      for side in (self.merges.left, self.merges.right))
        return Node(token_id, piece, self._rank(making), parts)

    def _used(self, token_id: int) -> int | None:
        """The merge that really makes the token: the first that can fire, else the first listed."""
        row = self.vocabulary.row_of(token_id)
        merge = -1 if row is None else int(self.index.merge_of[row])
        return merge if merge >= 0 else None

    @property
    def firing(self) -> Firing | WordFiring | None:
        """Which merges can fire (query_parts.py); None for derived merges, which fire by the way they are found, and
        for none."""
        return self.index.parts.firing

    def firing_steps(self) -> Iterator[float]:
        """Work out `firing` in slices: progress 0..1; nothing when it is there."""
        yield from self.index.parts.firing_steps()

    def prepare(self) -> Iterator[float]:
        """Make all that the questions here need, in slices (progress 0..1)."""
        yield from self.firing_steps()
        for name in ("_by_left", "_by_right", "_by_result"):
            getattr(self, name)
            yield 1.0
        self.index.order("text")
        yield 1.0

    @property
    def dead(self) -> NDArray[np.bool_]:
        """bool (merges,): those that can never fire, whatever the text. 1 s the first time for 515,000 merges."""
        firing = self.firing
        return np.zeros(len(self.merges), np.bool_) if firing is None else firing.dead

    def alternatives(self, token_id: int) -> list[Derivation]:
        """Every way to put the token together of two entries: the one that is used first, then by rank, then the pairs
        that no merge joins, by the place of the cut."""
        piece = self.vocabulary.bytes_of(token_id)
        if piece is None:
            return []
        used = self._used(token_id)
        found: list[Derivation] = []
        seen: set[tuple[int, int]] = set()
        for m in self.merges_making(token_id).tolist():
            pair = int(self.merges.left[m]), int(self.merges.right[m])
            seen.add(pair)
            status = "never fires" if self.dead[m] else "used" if m == used else "listed"
            found.append(Derivation(*pair, self._rank(m), status))
        found.sort(key=lambda d: (d.status != "used", d.rank))
        for cut in range(1, len(piece) if len(self.merges) else 1):
            left = self.index.id_of(piece[:cut])
            right = None if left is None else self.index.id_of(piece[cut:])
            if left is not None and right is not None and (left, right) not in seen:
                found.append(Derivation(left, right, -1, "not a merge"))
        return found


__all__ = ["Derivation", "Lineage", "Node"]
