"""Start: from the process to the first painted window, to a text that can be typed in, and to its tokens, which a
thread makes meanwhile. Warm: the best of several.

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
print(time.time(), len(window.session), flush=True)
while not window.session.ready and time.time() < 60 + float(sys.argv[2]):
    app.processEvents()
app.processEvents()
window.repaint()
print(time.time(), window.session.document.token_count, flush=True)
"""


def once() -> tuple[float, float, float, str]:
    """(seconds to the first paint, to the text, to its tokens; what heavy was imported before the first)."""
    with tempfile.TemporaryDirectory() as home:
        begin = time.time()
        done = subprocess.run([sys.executable, "-c", PROGRAM, home, str(begin)], capture_output=True, text=True,
                              check=False,
                              env={**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")})
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    first, text, tokens = (line.split() for line in done.stdout.splitlines())
    return float(first[0]) - begin, float(text[0]) - begin, float(tokens[0]) - begin, first[1]


def main() -> int:
    runs = [once() for _ in range(RUNS)]
    painted, text, ready = (min(r[k] for r in runs) for k in range(3))
    print(f"first painted window  {painted:.2f} s (goal 0.70), imported before it: {runs[0][3]}")
    print(f"a text to type in     {text:.2f} s")
    print(f"text with its tokens  {ready:.2f} s")
    return 0 if painted < 0.7 else 1


if __name__ == "__main__":
    sys.exit(main())
