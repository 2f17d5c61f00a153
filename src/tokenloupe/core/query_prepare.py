"""What a vocabulary's search needs, made a few thousand entries at a time, so that a main loop can do it in slices.

    for step in points_steps(vocabulary.blob, vocabulary.offsets):     # 0.1, 0.2, .., then the Points
        ...

Each is what the function of the same name makes at once: entries are looked at one by one in all of them, so that
putting the parts together gives the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .query_text import ByteSearch, folded, lower_case
from .scripts import Points
from .vocabulary import Int64s

#: Bytes of entries that are looked at in one slice: some 5 ms.
SLICE = 1 << 15


def slices(offsets: Int64s) -> Iterator[tuple[int, int]]:
    """(first row, row after the last) of parts of about SLICE bytes and at most as many rows."""
    count, first = len(offsets) - 1, 0
    while first < count:
        last = int(np.searchsorted(offsets, int(offsets[first]) + SLICE, "right")) - 1
        last = min(max(last, first + 1), first + SLICE, count)
        yield first, last
        first = last


def points_steps(blob: bytes, offsets: Int64s) -> Iterator[float | Points]:
    """Points.of_bytes in slices; with the script of each entry and the entries of each script."""
    parts: list[Points] = []
    for first, last in slices(offsets):
        begin, end = int(offsets[first]), int(offsets[last])
        part = Points.of_bytes(blob[begin:end], offsets[first : last + 1] - begin)
        _ = part.script, part.script_counts
        parts.append(part)
        yield last / (len(offsets) - 1)
    yield Points.joined(parts) if parts else Points.of_bytes(blob, offsets)


def search_steps(blob: bytes, offsets: Int64s, like: ByteSearch | None, fold: bool) -> Iterator[float | ByteSearch]:
    """A ByteSearch over the entries, or over their folded() form, in slices. like: as there."""
    if fold:
        lower_case()
        yield 0.0
    parts: list[bytes] = []
    counts = np.zeros(256, np.int64)
    for first, last in slices(offsets):
        begin, end = int(offsets[first]), int(offsets[last])
        part = blob[begin:end]
        if fold:
            part = folded(part, offsets[first : last + 1] - begin)
            parts.append(part)
        counts += np.bincount(np.frombuffer(part, np.uint8), minlength=256)
        yield last / (len(offsets) - 1)
    yield ByteSearch(b"".join(parts) if fold else blob, offsets, like, counts)
