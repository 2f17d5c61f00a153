"""Which tokens lie on a row, and which clusters they share.

    tokens = RowTokens.make(window, colours, row_start, row_end)
    solid, splits = tokens.on(row_text)

A *segment* is a piece of the row in one token (or in none: `token` -1). Segments cover the row in order without
overlap, whatever spans a tokenizer gives; a token without bytes of its own is a point. A cluster is *solid* where it
lies in one segment, *split* where a boundary falls inside it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.document import TokenWindow
from .row_text import RowText


class Segment(NamedTuple):
    """Bytes of the row, the token (index in the document; -1: none), its colour index, and whether it begins here.

    kind: core.vocabulary.TokenKind.
    """

    byte_start: int
    byte_end: int
    token: int
    colour: int
    begins: bool
    ends: bool
    kind: int


class Solid(NamedTuple):
    """UTF-16 units start .. end of the row's string, wholly inside one segment."""

    start: int
    end: int
    segment: Segment


class Split(NamedTuple):
    """A cluster that several segments share: its index and the segments, clipped to it."""

    cluster: int
    parts: tuple[Segment, ...]


class RowTokens(NamedTuple):
    """segments: in order. points: bytes at which a token without bytes of its own stands."""

    segments: tuple[Segment, ...]
    points: tuple[int, ...]

    @classmethod
    def make(cls, window: TokenWindow, colours: NDArray[np.uint8], row_start: int, row_end: int) -> RowTokens:
        """window: tokens that may touch the row; colours: their colour indices."""
        lo, hi = 0, len(window)
        starts, ends = window.starts, window.ends
        ordered = bool((starts[1:] >= ends[:-1]).all()) if hi > 1 else True
        if ordered:
            lo = int(np.searchsorted(ends, row_start, "right"))
            hi = int(np.searchsorted(starts, row_end, "left"))
        first = window.first_index
        rows = sorted(zip(starts[lo:hi].tolist(), ends[lo:hi].tolist(), range(first + lo, first + hi),
                          colours[lo:hi].tolist(), window.kinds[lo:hi].tolist(), strict=True))
        segments: list[Segment] = []
        points: list[int] = []
        at = row_start
        for start, end, token, colour, kind in rows:
            if start == end:
                if row_start <= start < row_end:
                    points.append(start - row_start)
                continue
            a, b = max(start, at), min(end, row_end)
            if a >= b:
                continue
            if a > at:
                segments.append(Segment(at - row_start, a - row_start, -1, 0, False, False, 0))
            segments.append(Segment(a - row_start, b - row_start, token, colour, a == start, b == end, kind))
            at = b
        if at < row_end:
            segments.append(Segment(at - row_start, row_end - row_start, -1, 0, False, False, 0))
        return cls(tuple(segments), tuple(points))

    @property
    def key(self) -> tuple[object, ...]:
        """Equal when the row looks the same: token indices do not count, they move with every edit before."""
        return tuple((s[0], s[1], s[2] >= 0, *s[3:]) for s in self.segments), self.points

    def on(self, row: RowText) -> tuple[list[Solid], list[Split]]:
        """Solid stretches and split clusters."""
        edges, units = row.cluster_bytes, row.cluster_utf16
        segments = self.segments
        if not segments:
            return [], []
        starts = np.fromiter((s.byte_start for s in segments), np.int64, len(segments))
        ends = np.append(starts[1:], segments[-1].byte_end)
        first = np.searchsorted(edges, starts, "left")
        last = np.searchsorted(edges, ends, "right") - 1
        top = len(units) - 1
        a, b = units[np.minimum(first, top)].tolist(), units[np.minimum(last, top)].tolist()
        solid = [Solid(x, y, s) for x, y, s in zip(a, b, segments, strict=True) if y > x and s.token >= 0]
        inside = starts[edges[np.minimum(first, top)] != starts]
        splits = []
        for cluster in np.unique(np.searchsorted(edges, inside, "right") - 1).tolist():
            low, high = int(edges[cluster]), int(edges[cluster + 1])
            i = int(np.searchsorted(starts, low, "right")) - 1
            j = int(np.searchsorted(starts, high, "left"))
            parts = tuple(
                s._replace(byte_start=max(s.byte_start, low), byte_end=min(s.byte_end, high),
                           begins=s.begins and s.byte_start >= low, ends=s.ends and s.byte_end <= high)
                for s in segments[i:j])
            splits.append(Split(cluster, parts))
        return solid, splits
