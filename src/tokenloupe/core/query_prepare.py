"""What a vocabulary's search needs, made a few thousand entries at a time, so that a main loop can do it in slices.

    for step in points_steps(vocabulary.blob, vocabulary.offsets):     # 0.1, 0.2, .., then the Points
        ...

Each is what the function of the same name makes at once: entries are looked at one by one in all of them, so that
putting the parts together gives the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .query_text import folded
from .scripts import Points
from .vocabulary import Int64s

#: Bytes of entries that are looked at in one slice: some 5 to 10 ms.
SLICE = 1 << 16


def slices(offsets: Int64s) -> Iterator[tuple[int, int]]:
    """(first row, row after the last) of parts of about SLICE bytes and at most as many rows."""
    count, first = len(offsets) - 1, 0
    while first < count:
        last = int(np.searchsorted(offsets, int(offsets[first]) + SLICE, "right")) - 1
        last = min(max(last, first + 1), first + SLICE, count)
        yield first, last
        first = last


def points_steps(blob: bytes, offsets: Int64s) -> Iterator[float | Points]:
    """Points.of_bytes in slices."""
    parts: list[Points] = []
    for first, last in slices(offsets):
        begin, end = int(offsets[first]), int(offsets[last])
        parts.append(Points.of_bytes(blob[begin:end], offsets[first : last + 1] - begin))
        yield last / (len(offsets) - 1)
    if not parts:
        yield Points.of_bytes(blob, offsets)
        return
    sizes = np.cumsum([0, *(len(p.points) for p in parts)])
    yield Points(
        np.concatenate([p.points for p in parts]), np.concatenate([p.valid for p in parts]),
        np.concatenate([[0], *(p.offsets[1:] + size for p, size in zip(parts, sizes[:-1].tolist(), strict=True))]),
        np.concatenate([p.classes for p in parts]))


def folded_steps(blob: bytes, offsets: Int64s) -> Iterator[float | bytes]:
    """query_text.folded in slices."""
    parts: list[bytes] = []
    for first, last in slices(offsets):
        begin, end = int(offsets[first]), int(offsets[last])
        parts.append(folded(blob[begin:end], offsets[first : last + 1] - begin))
        yield last / (len(offsets) - 1)
    yield b"".join(parts)
