"""Where two byte strings differ, byte for byte, and what is left out or put in as whole characters where it can be.

    >>> changed("स्त".encode(), "सत".encode())         # the sign between the two is gone
    [(3, 6, 3, 3)]

Its letters begin with the same bytes, so leaving out bytes 4 to 7 would give the same: of all such readings the one
that cuts no character is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

import numpy as np

from .utf8 import is_boundary

#: Differences are worked out for a stretch of up to this many bytes, both sides together: the work grows as its square.
DIFF_LIMIT = 6000
#: The fewest characters to leave out and put in are looked for up to so many; texts that are less alike are compared by
#: their longest equal stretches, which takes up to a second.
FEWEST = 700

Block = tuple[int, int, int, int]


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


def changed(old: bytes, new: bytes) -> list[Block] | None:
    """(start, end in old, start, end in new) of each difference, in order; None where there is too much to compare."""
    head, old_end, new_end = stretch(old, new)
    if old_end - head + new_end - head > DIFF_LIMIT:
        return None
    blocks = _differing(old[head:old_end], new[head:new_end])
    found = [(head + i, head + j, head + k, head + m) for i, j, k, m in blocks]
    made: list[Block] = []
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


def _differing(old: bytes, new: bytes) -> list[Block]:
    if not old or not new:
        return [(0, len(old), 0, len(new))] if old or new else []
    # What is no UTF-8 is a character a byte.
    a, b = (data.decode("utf-8", "surrogateescape") for data in (old, new))
    blocks = fewest(a, b)
    if blocks is None:
        return _unlike(old, new)
    at, to = ([*accumulate((len(c.encode("utf-8", "surrogateescape")) for c in text), initial=0)] for text in (a, b))
    found = []
    for i, j, k, m in blocks:
        i, j, k, m = at[i], at[j], to[k], to[m]
        found += [(i + p, i + q, k + r, k + s) for p, q, r, s in _unlike(old[i:j], new[k:m])]
    return found


def _unlike(old: bytes, new: bytes) -> list[Block]:
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(i, j, k, m) for tag, i, j, k, m in codes if tag != "equal"]


def fewest(old: Sequence[object], new: Sequence[object]) -> list[Block] | None:
    """The fewest items to leave out and put in; None when they are more than FEWEST.

    Myers, "An O(ND) difference algorithm and its variations" (1986): how far into `old` each diagonal reaches with so
    many changes, one more change a round.

    >>> fewest("abcd", "abxd")
    [(2, 3, 2, 3)]
    """
    size, other = len(old), len(new)
    most = min(FEWEST, size + other)
    middle = most + 1
    reach = [0] * (2 * middle + 1)  # at middle + k: diagonal k, on which a place in old is one in new plus k
    rounds: list[list[int]] = []
    for changes in range(most + 1):
        rounds.append(reach[middle - changes - 1 : middle + changes + 2])
        for k in range(-changes, changes + 1, 2):
            before, behind = reach[middle + k - 1], reach[middle + k + 1]
            x = behind if k == -changes or (k != changes and before < behind) else before + 1
            y = x - k
            while x < size and y < other and old[x] == new[y]:
                x += 1
                y += 1
            reach[middle + k] = x
            if x >= size and y >= other:
                return _walked(rounds, size, other)
    return None


def _walked(rounds: list[list[int]], x: int, y: int) -> list[Block]:
    """The way back from the end; changes that touch are one."""
    found: list[Block] = []
    for changes in range(len(rounds) - 1, 0, -1):
        k = x - y
        before, behind = rounds[changes][changes + k], rounds[changes][changes + k + 2]
        if k == -changes or (k != changes and before < behind):
            x, y = behind, behind - (k + 1)
            block = (x, x, y, y + 1)
        else:
            x, y = before, before - (k - 1)
            block = (x, x + 1, y, y)
        if found and (block[1], block[3]) == (found[-1][0], found[-1][2]):
            later = found.pop()
            block = (block[0], later[1], block[2], later[3])
        found.append(block)
    return found[::-1]


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
