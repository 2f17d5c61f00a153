"""Which tokens lie on a row, and which clusters they share.

    tokens = RowTokens.make(window, colours, row_start, row_end)
    solid, splits = tokens.on(row_text)

A *segment* is a piece of the row in one token (or in none: `token` -1). Segments cover the row in order without
overlap, whatever spans a tokenizer gives; a token without bytes of its own is a point. A cluster is *solid* where it
lies in one segment, *split* where a boundary falls inside it. A row may hold a thousand tokens: they are arrays, and
a `Segment` is made only of what is split.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.document import TokenWindow
from .row_text import RowText

Int64s = NDArray[np.int64]


class Segment(NamedTuple):
    """Bytes of the row, whether they are in a token (0) or in none (-1), and its colour index."""

    byte_start: int
    byte_end: int
    token: int
    colour: int


class Solids(NamedTuple):
    """UTF-16 units start .. end of the row's string, each stretch wholly inside one token.

    begins: does the token begin there (and not in a split cluster or a row before)? kinds: core.vocabulary.TokenKind.
    """

    starts: Int64s
    ends: Int64s
    colours: NDArray[np.uint8]
    begins: NDArray[np.bool_]
    kinds: NDArray[np.uint8]


class Split(NamedTuple):
    """A cluster that several segments share: its index and the segments, clipped to it."""

    cluster: int
    parts: tuple[Segment, ...]


class RowTokens(NamedTuple):
    """Segments of the row as arrays. known: is it a token? begins: does the token begin here? points: see module."""

    starts: Int64s
    ends: Int64s
    known: NDArray[np.bool_]
    colours: NDArray[np.uint8]
    begins: NDArray[np.bool_]
    kinds: NDArray[np.uint8]
    points: tuple[int, ...] = ()

    @classmethod
    def none(cls, size: int) -> RowTokens:
        """A row whose tokens are not known."""
        return _arrays([(0, size, False, 0, False, 0)] if size else [], ())

    @classmethod
    def make(cls, window: TokenWindow, colours: NDArray[np.uint8], row_start: int, row_end: int) -> RowTokens:
        """window: tokens that may touch the row; colours: their colour indices."""
        starts, ends = window.starts, window.ends
        lo, hi = 0, len(window)
        if hi == 0:
            return cls.none(row_end - row_start)
        if bool((starts[1:] >= ends[:-1]).all()):
            lo = int(np.searchsorted(ends, row_start, "right"))
            hi = int(np.searchsorted(starts, row_end, "left"))
            a, b = np.maximum(starts[lo:hi], row_start), np.minimum(ends[lo:hi], row_end)
            if hi > lo and a[0] == row_start and b[-1] == row_end and bool((a[1:] == b[:-1]).all()) \
                    and bool((b > a).all()):
                return cls(a - row_start, b - row_start, np.ones(hi - lo, np.bool_), colours[lo:hi],
                           starts[lo:hi] >= row_start, window.kinds[lo:hi])
        return cls._general(sorted(zip(starts[lo:hi].tolist(), ends[lo:hi].tolist(), colours[lo:hi].tolist(),
                                       window.kinds[lo:hi].tolist(), strict=True)), row_start, row_end)

    @classmethod
    def _general(cls, tokens: list[tuple[int, int, int, int]], row_start: int, row_end: int) -> RowTokens:
        """Gaps, overlaps, and tokens without bytes."""
        rows: list[tuple[int, int, bool, int, bool, int]] = []
        points: list[int] = []
        at = row_start
        for start, end, colour, kind in tokens:
            if start == end:
                if row_start <= start < row_end:
                    points.append(start - row_start)
                continue
            a, b = max(start, at), min(end, row_end)
            if a >= b:
                continue
            if a > at:
                rows.append((at - row_start, a - row_start, False, 0, False, 0))
            rows.append((a - row_start, b - row_start, True, colour, a == start, kind))
            at = b
        if at < row_end:
            rows.append((at - row_start, row_end - row_start, False, 0, False, 0))
        return _arrays(rows, tuple(points))

    @property
    def plain(self) -> bool:
        """No tokens at all (yet)?"""
        return not bool(self.known.any())

    def on(self, row: RowText) -> tuple[Solids, list[Split]]:
        """Solid stretches and split clusters."""
        edges, units = row.cluster_bytes, row.cluster_utf16
        first = np.searchsorted(edges, self.starts, "left")
        last = np.searchsorted(edges, self.ends, "right") - 1
        top = len(units) - 1
        a, b = units[np.minimum(first, top)], units[np.minimum(last, top)]
        whole = edges[np.minimum(first, top)] == self.starts
        keep = (b > a) & self.known
        solid = Solids(a[keep], b[keep], self.colours[keep], (self.begins & whole)[keep], self.kinds[keep])
        if bool(whole.all()):
            return solid, []
        inside = self.starts[~whole]
        splits = []
        for cluster in dict.fromkeys((np.searchsorted(edges, inside, "right") - 1).tolist()):
            low, high = int(edges[cluster]), int(edges[cluster + 1])
            i = int(np.searchsorted(self.starts, low, "right")) - 1
            j = int(np.searchsorted(self.starts, high, "left"))
            parts = zip(self.starts[i:j].tolist(), self.ends[i:j].tolist(), self.known[i:j].tolist(),
                        self.colours[i:j].tolist(), strict=True)
            splits.append(Split(cluster, tuple(
                Segment(max(s, low), min(e, high), 0 if known else -1, colour) for s, e, known, colour in parts)))
        return solid, splits


def _arrays(rows: list[tuple[int, int, bool, int, bool, int]], points: tuple[int, ...]) -> RowTokens:
    columns = list(zip(*rows, strict=True)) if rows else [()] * 6
    kinds = (np.int64, np.int64, np.bool_, np.uint8, np.bool_, np.uint8)
    return RowTokens(*(np.array(c, k) for c, k in zip(columns, kinds, strict=True)), points)  # type: ignore[arg-type]
