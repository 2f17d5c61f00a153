"""Which tokens lie on a row, and which clusters they share.

    tokens = RowTokens.make(window, colours, row_start, row_end)
    solid, splits = tokens.on(row_text)

A *segment* is a piece of the row in one token (or in none: `token` -1). Segments cover the row in order without
overlap, whatever spans a tokenizer gives; a token without bytes of its own (a prefix space that stands nowhere in the
text; the second token of one character that a normalizer made two of) is a *point*. A cluster is *solid* where it lies
in one segment, *split* where a boundary falls inside it; bytes that no token has, where there are tokens, are *lost*. A
row may hold a thousand tokens: they are arrays, and a `Segment` is made only of what is split.
"""

from __future__ import annotations

from collections.abc import Iterable
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


class Point(NamedTuple):
    """A token without bytes of its own: where it stands in the row, from 0 to the row's size, and its colour index."""

    byte_pos: int
    colour: int


class Solids(NamedTuple):
    """UTF-16 units start .. end of the row's string, each stretch wholly inside one token, or in none (`lost`).

    begins: does the token begin there (and not in a split cluster or a row before)? kinds: core.vocabulary.TokenKind.
    """

    starts: Int64s
    ends: Int64s
    colours: NDArray[np.uint8]
    begins: NDArray[np.bool_]
    kinds: NDArray[np.uint8]
    lost: NDArray[np.bool_]


class Split(NamedTuple):
    """A cluster that several segments share: its index and the segments, clipped to it."""

    cluster: int
    parts: tuple[Segment, ...]


class RowTokens(NamedTuple):
    """Segments of the row as arrays. known: is it a token? begins: does the token begin here? lost: has no token it?

    points: in the order they are drawn. changed: (byte_start, byte_end) of bytes that tokens have and that come back
    as others; in order.
    """

    starts: Int64s
    ends: Int64s
    known: NDArray[np.bool_]
    colours: NDArray[np.uint8]
    begins: NDArray[np.bool_]
    kinds: NDArray[np.uint8]
    lost: NDArray[np.bool_]
    points: tuple[Point, ...] = ()
    changed: tuple[tuple[int, int], ...] = ()

    @classmethod
    def none(cls, size: int) -> RowTokens:
        """A row whose tokens are not known."""
        return _arrays([(0, size, False, 0, False, 0, False)] if size else [], ())

    @classmethod
    def make(cls, window: TokenWindow, colours: NDArray[np.uint8], row_start: int, row_end: int,
             complete_to: int = 0, last: bool = False) -> RowTokens:
        """window: tokens that may touch the row; colours: their colour indices.

        complete_to: up to this byte of the text what has no token is lost; behind it there may be tokens later.
        last: a token without bytes at the row's end stands in this row, not in the one after it.
        """
        starts, ends = window.starts, window.ends
        lo, hi = 0, len(window)
        if hi == 0 and complete_to < row_end:
            return cls.none(row_end - row_start)
        if bool((starts[1:] >= ends[:-1]).all()):
            lo = int(ends.searchsorted(row_start, "left"))
            hi = int(starts.searchsorted(row_end, "right"))
            inner = slice(int(ends.searchsorted(row_start, "right")), int(starts.searchsorted(row_end, "left")))
            a, b = np.maximum(starts[inner], row_start), np.minimum(ends[inner], row_end)
            if len(a) and a[0] == row_start and b[-1] == row_end and bool((a[1:] == b[:-1]).all()) \
                    and bool((starts[lo:hi] < ends[lo:hi]).all()):
                return cls(a - row_start, b - row_start, np.ones(len(a), np.bool_), colours[inner],
                           starts[inner] >= row_start, window.kinds[inner], np.zeros(len(a), np.bool_))
        tokens = sorted(zip(starts[lo:hi].tolist(), ends[lo:hi].tolist(), range(hi - lo), colours[lo:hi].tolist(),
                            window.kinds[lo:hi].tolist(), strict=True))
        return cls._general(tokens, row_start, row_end, complete_to, last)

    @classmethod
    def _general(cls, tokens: list[tuple[int, int, int, int, int]], row_start: int, row_end: int, complete_to: int,
                 last: bool) -> RowTokens:
        """Gaps, overlaps, and tokens without bytes."""
        rows: list[tuple[int, int, bool, int, bool, int, bool]] = []
        points: list[Point] = []
        at = row_start

        def gap(end: int) -> None:
            """Nothing has the bytes from `at` to `end`: what is behind complete_to may have a token later."""
            known_to = min(max(complete_to, at), end)
            for a, b, lost in ((at, known_to, True), (known_to, end, False)):
                if a < b:
                    rows.append((a - row_start, b - row_start, False, 0, False, 0, lost))

        for start, end, _, colour, kind in tokens:
            if start == end:
                if row_start <= start < row_end or (last and start == row_end):
                    points.append(Point(start - row_start, colour))
                continue
            if start >= row_end or end <= row_start:
                continue
            a, b = max(start, at), min(end, row_end)
            if a >= b:  # others have all of its bytes
                if end <= row_end:
                    points.append(Point(end - row_start, colour))
                continue
            if a > at:
                gap(a)
            rows.append((a - row_start, b - row_start, True, colour, a == start, kind, False))
            at = b
        if at < row_end:
            gap(row_end)
        return _arrays(rows, tuple(sorted(points, key=lambda p: p.byte_pos)))

    def with_changed(self, ranges: Iterable[tuple[int, int]]) -> RowTokens:
        """The same with bytes of the row that come back changed; of these, those that no token has are lost anyway."""
        gone = self.starts[self.lost].tolist(), self.ends[self.lost].tolist()
        out: list[tuple[int, int]] = []
        for start, end in ranges:
            at = start
            for a, b in zip(*gone, strict=True):
                if a < end and b > at:
                    if a > at:
                        out.append((at, a))
                    at = b
            if at < end:
                out.append((at, end))
        return self._replace(changed=tuple(out))

    @property
    def plain(self) -> bool:
        """No tokens at all (yet)? Then its text has the colour of text, not of text on tokens."""
        return not bool(self.known.any())

    def on(self, row: RowText) -> tuple[Solids, list[Split]]:
        """Solid stretches and split clusters."""
        edges, units = row.cluster_bytes, row.cluster_utf16
        first = edges.searchsorted(self.starts, "left")
        last = edges.searchsorted(self.ends, "right") - 1
        top = len(units) - 1
        a, b = units[np.minimum(first, top)], units[np.minimum(last, top)]
        whole = edges[np.minimum(first, top)] == self.starts
        keep = (b > a) & (self.known | self.lost)
        solid = Solids(a[keep], b[keep], self.colours[keep], (self.begins & whole)[keep], self.kinds[keep],
                       self.lost[keep])
        if bool(whole.all()):
            return solid, []
        inside = self.starts[~whole]
        splits = []
        for cluster in dict.fromkeys((edges.searchsorted(inside, "right") - 1).tolist()):
            low, high = int(edges[cluster]), int(edges[cluster + 1])
            i = int(self.starts.searchsorted(low, "right")) - 1
            j = int(self.starts.searchsorted(high, "left"))
            parts = zip(self.starts[i:j].tolist(), self.ends[i:j].tolist(), self.known[i:j].tolist(),
                        self.colours[i:j].tolist(), strict=True)
            splits.append(Split(cluster, tuple(
                Segment(max(s, low), min(e, high), 0 if known else -1, colour) for s, e, known, colour in parts)))
        return solid, splits


def _arrays(rows: list[tuple[int, int, bool, int, bool, int, bool]], points: tuple[Point, ...]) -> RowTokens:
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    kinds = (np.int64, np.int64, np.bool_, np.uint8, np.bool_, np.uint8, np.bool_)
    return RowTokens(*(np.array(c, k) for c, k in zip(columns, kinds, strict=True)), points)  # type: ignore[arg-type]
