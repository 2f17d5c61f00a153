"""Where a text may be cut so that its chunks, normalized and segmented one after another, give what the whole gives.

A cut is before a space (behind it where pieces end with their space) between two characters that the rules leave alone:
nothing reaches over it, neither a rule nor a user-defined piece nor a piece, and no space of it is dropped.

    >>> Chunker(SpNormalizer(), "before", size=4).edges(b"one two three")
    [0, 7, 13]

Of a text of many megabytes only the tokens have arrays of its size then, and whoever waits can be told how far it is.
Smaller chunks would be encoded no faster: what new words cost falls with how many are worked out together.
"""

from __future__ import annotations

from .sp_normalizer import SPACE, SpNormalizer

#: Bytes of a chunk.
SIZE = 1 << 17
#: Spaces that are looked at before a chunk is made longer.
_TRIES = 256
_BLANK = ("", " ", SPACE, "\ufffd")


class Chunker:
    """side: where the model's pieces let a text be cut at every space, "before" or "behind" it; "" for nowhere."""

    def __init__(self, normalizer: SpNormalizer, side: str, size: int = SIZE) -> None:
        self.size, self.shift = size, 1 if side == "behind" else 0
        rules = normalizer.rules
        self.rules, self.inner = rules, frozenset() if rules is None else rules.inner_points
        self.usable = (bool(side) and normalizer.space == SPACE
                       and not any(" " in p for p in normalizer.user_defined)
                       and 32 not in self.inner and not self._has_rule(" "))

    def edges(self, data: bytes) -> list[int]:
        """Byte positions: 0, the cuts, the end."""
        edges, size = [0], len(data)
        if self.usable:
            at = self.size
            while at + self.size < size and (cut := self._next(data, at)) >= 0:
                edges.append(cut)
                at = cut + self.size
        return [*edges, size]

    def _next(self, data: bytes, at: int) -> int:
        """The first cut from `at` on, -1 when there is none."""
        tries = 0
        while (at := data.find(b" ", at)) >= 0:
            before = data[max(0, at - 4) : at].decode("utf-8", "replace")[-1:]
            after = data[at + 1 : at + 5].decode("utf-8", "replace")[:1]
            if not (before in _BLANK or after in _BLANK or self._moves(before) or ord(after) in self.inner):
                return at + self.shift
            tries += 1
            at += 1 if tries % _TRIES else self.size
        return -1

    def _moves(self, character: str) -> bool:
        """Is it what a rule replaces, or may it be part of what a rule replaces?"""
        return ord(character) in self.inner or self._has_rule(character)

    def _has_rule(self, character: str) -> bool:
        return self.rules is not None and self.rules.longest_in_text(character, 0) is not None
