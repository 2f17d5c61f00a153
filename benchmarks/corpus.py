"""Texts for the benchmarks, the same on every machine with the same Python: the standard library's own source and
documentation, and seeded words in nine scripts whose frequencies fall as those of words do.

    TEXTS["code"](1_000_000) -> str
"""

from __future__ import annotations

import json
import random
import statistics
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: script -> (first letter, last letter, whether words stand apart)
SCRIPTS = {
    "th": (0xE01, 0xE5B, False), "hi": (0x904, 0x96F, True), "ru": (0x410, 0x44F, True), "el": (0x391, 0x3C9, True),
    "ar": (0x621, 0x64A, True), "ko": (0xAC00, 0xD7A3, True), "ja": (0x3041, 0x30FF, False),
    "zh": (0x4E00, 0x5FFF, False),
    "he": (0x5D0, 0x5EA, True),
}


def code(size: int) -> str:
    folder = Path(sysconfig.get_paths()["stdlib"])
    parts, length = [], 0
    for path in sorted(folder.glob("*.py")):
        text = path.read_text("utf-8", "replace")
        parts.append(text)
        length += len(text)
        if length >= size:
            break
    return ("".join(parts) * (size // max(length, 1) + 1))[:size]


def prose(size: int) -> str:
    from pydoc_data.topics import topics

    text = "\n".join(topics[key] for key in sorted(topics))
    return (text * (size // len(text) + 1))[:size]


def languages(size: int) -> str:
    rnd = random.Random(3)
    words = {
        name: ["".join(chr(min(int(rnd.triangular(a, b, a + (b - a) // 5)), b)) for _ in range(rnd.randint(1, 7)))
               for _ in range(4000)]
        for name, (a, b, _) in SCRIPTS.items()
    }
    parts, length = [], 0
    while length < size:
        name = rnd.choice(list(SCRIPTS))
        some = [words[name][min(int(rnd.expovariate(1 / 300)), 3999)] for _ in range(rnd.randint(4, 15))]
        parts.append((" " if SCRIPTS[name][2] else "").join(some) + ". ")
        length += len(parts[-1].encode())
    return "".join(parts)


def cjk(size: int) -> str:
    """Without a space or a stop: one pre-token."""
    rnd = random.Random(4)
    return "".join(chr(0x4E00 + min(int(rnd.expovariate(1 / 600)), 0x51A0)) for _ in range(size // 3))


def json_line(size: int) -> str:
    rnd = random.Random(5)
    rows: list[dict[str, Any]] = []
    length = 0
    while length < size:
        name = rnd.choice(("alpha", "beta", "gamma")) + str(rnd.randrange(99))
        rows.append({"id": rnd.randrange(10**9), "name": name, "value": round(rnd.random() * 1000, 3),
                     "tags": rnd.sample(["a", "b", "c", "d"], 2)})
        length += 70
    return json.dumps(rows, separators=(",", ":"))[:size]


TEXTS: dict[str, Callable[[int], str]] = {"code": code, "prose": prose, "languages": languages, "json": json_line}


def cpu(work: Callable[[], Any], times: int = 3, fresh: Callable[[], Any] | None = None) -> float:
    """Median CPU seconds of this process, all its threads. fresh: runs before each, not counted."""
    took = []
    for _ in range(times):
        if fresh is not None:
            fresh()
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return statistics.median(took)
