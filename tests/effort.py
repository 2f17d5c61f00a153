"""What a piece of work costs, counted and not timed: a busy machine does not change it.

    assert calls(lambda: table.scroll()) < 2000
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls(work: Callable[[], object]) -> int:
    """Calls of functions, Python's own and C's, that `work` makes in this thread; those Qt makes of ours included."""
    count = 0

    def count_one(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(count_one)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
