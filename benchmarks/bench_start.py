"""Start: from the process to the first painted window, and to the text with its tokens. Warm: the best of several.

    QT_QPA_PLATFORM=offscreen python benchmarks/bench_start.py

Goal: the first painted window under 0.7 s. Each start is a process of its own with a home of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

RUNS = 5
PROGRAM = """
import sys, time
from tokenloupe.app.main import Program, application
from pathlib import Path
app = application([])
program = Program(app, Path(sys.argv[1]))
window = program.open_window([], late=True)
app.processEvents()
heavy = sorted({"numpy", "regex", "orjson"} & set(sys.modules))
print(time.time(), ",".join(heavy) or "-", flush=True)
program.begin(window, [])
app.processEvents()
window.repaint()
print(time.time(), window.session.document.token_count, flush=True)
"""


def once() -> tuple[float, float, str]:
    """(seconds to the first paint, seconds to the tokens, what heavy was imported before the first)."""
    with tempfile.TemporaryDirectory() as home:
        begin = time.time()
        done = subprocess.run([sys.executable, "-c", PROGRAM, home], capture_output=True, text=True, check=False,
                              env={**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")})
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    first, second = (line.split() for line in done.stdout.splitlines())
    return float(first[0]) - begin, float(second[0]) - begin, first[1]


def main() -> int:
    runs = [once() for _ in range(RUNS)]
    painted, ready = min(r[0] for r in runs), min(r[1] for r in runs)
    print(f"first painted window  {painted:.2f} s (goal 0.70), imported before it: {runs[0][2]}")
    print(f"text with its tokens  {ready:.2f} s")
    return 0 if painted < 0.7 else 1


if __name__ == "__main__":
    sys.exit(main())
