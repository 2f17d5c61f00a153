"""Rows of different lengths that stand in a flat array: where the items of some of them are.

    >>> places(np.array([10, 20]), np.array([2, 3]))
    array([10, 11, 20, 21, 22])
"""

from __future__ import annotations

import numpy as np

from .vocabulary import Int64s


def places(begins: Int64s, counts: Int64s) -> Int64s:
    """begins[0], begins[0] + 1, .. as many as counts[0], then those of the next row; `begins` itself when all rows have
    one item."""
    total = int(counts.sum())
    if total == len(counts) and (not total or int(counts.min()) == 1):
        return begins
    return np.repeat(begins - (np.cumsum(counts) - counts), counts) + np.arange(total)
