"""Counting a text of any size in slices: bytes, code points, graphemes.

    job = jobs.start("Counting", steps(data), done=show)      # show(Counts(...))

A chunk is counted up to its last grapheme, which may go on in the next: the next begins with it.
"""

from __future__ import annotations

from collections.abc import Iterator

#: Bytes counted at once; about 5 ms.
CHUNK = 1 << 16
#: A text up to this size is counted without slices.
AT_ONCE = 1 << 15


def steps(data: bytes, chunk: int = CHUNK) -> Iterator[object]:
    """Yields progress 0..1 and at last core.text.Counts."""
    from ..core.text import Counts, counts, decode_view

    code_points = graphemes = at = 0
    size = chunk
    while len(data) - at > size:
        end = at + size
        for _ in range(3):  # not inside a character
            if data[end] & 0xC0 != 0x80:
                break
            end -= 1
        view = decode_view(data[at:end])
        starts = view.grapheme_byte_starts
        if len(starts) < 3:  # one grapheme fills the chunk: a larger one
            size *= 2
            continue
        last = int(starts[-2])
        code_points += view.cp_of_byte(last)
        graphemes += len(starts) - 2
        at, size = at + last, chunk
        yield at / len(data)
    rest = counts(data[at:])
    yield Counts(len(data), code_points + rest.code_points, graphemes + rest.graphemes)
