"""Where two byte strings differ, byte for byte, and what is left out or put in as whole characters where it can be.

    >>> changed("स्त".encode(), "सत".encode())         # the sign between the two is gone
    [(3, 6, 3, 3)]

Its letters begin with the same bytes, so leaving out bytes 4 to 7 would give the same: of all such readings the one
that cuts no character is taken.
"""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np

from .utf8 import is_boundary

#: Differences are worked out for a stretch of up to this many bytes, both sides together: the work grows as its square.
DIFF_LIMIT = 6000


def stretch(old: bytes, new: bytes) -> tuple[int, int, int]:
    """(start, end in old, end in new) of what a common start and end leave over."""
    a, b = np.frombuffer(old, np.uint8), np.frombuffer(new, np.uint8)
    limit = min(len(a), len(b))
    unequal = np.flatnonzero(a[:limit] != b[:limit])
    head = int(unequal[0]) if len(unequal) else limit
    room = limit - head
    unequal = np.flatnonzero(a[len(a) - room :][::-1] != b[len(b) - room :][::-1])
    tail = int(unequal[0]) if len(unequal) else room
    return head, len(old) - tail, len(new) - tail


def changed(old: bytes, new: bytes) -> list[tuple[int, int, int, int]] | None:
    """(start, end in old, start, end in new) of each difference, in order; None where there is too much to compare."""
    head, old_end, new_end = stretch(old, new)
    if old_end - head + new_end - head > DIFF_LIMIT:
        return None
    codes = SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=False).get_opcodes()
    found = [(head + i, head + j, head + k, head + m) for tag, i, j, k, m in codes if tag != "equal"]
    made: list[tuple[int, int, int, int]] = []
    for index, (i, j, k, m) in enumerate(found):
        low = made[-1][1] if made else 0
        high = found[index + 1][0] if index + 1 < len(found) else len(old)
        if k == m:
            by = _slide(old, i, j, low - i, high - j)
        elif i == j:
            by = _slide(new, k, m, low - i, high - j)
        else:
            by = 0
        made.append((i + by, j + by, k + by, m + by))
    return made


def _slide(data: bytes, start: int, end: int, least: int, most: int) -> int:
    """By how much start..end can be moved, least..most, so that without it data is the same and no character is cut;
    0 where that cannot be. The smallest move, to the left before to the right."""
    if is_boundary(data, start) and is_boundary(data, end):
        return 0
    for step, limit in ((-1, least), (1, most)):
        by = 0
        while by != limit:
            leaves, comes = (start + by - 1, end + by - 1) if step < 0 else (start + by, end + by)
            if leaves < 0 or comes >= len(data) or data[leaves] != data[comes]:
                break
            by += step
            if is_boundary(data, start + by) and is_boundary(data, end + by):
                return by
    return 0
