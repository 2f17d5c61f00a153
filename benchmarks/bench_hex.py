"""The hex view over a large file: first paint, random jumps, scrolling, memory.

    .venv/bin/python benchmarks/bench_hex.py                  # 100 MB of mixed text and binary
    .venv/bin/python benchmarks/bench_hex.py --size 1000000000 --jumps 500

First paint is from opening the file to the end of painting, wall clock. A jump is to a random byte: the scrolling and
the next painting of bytes, inspector and line, in CPU time of the main thread (user and system). Memory is the growth
of the resident set from before the file is opened, mapped pages included. The same for a text of 1 MB with its tokens.
Offscreen; the raster is the one Qt uses on a screen.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "qt.text.font.db=false")  # one line for each font without a script

import psutil
from PySide6.QtWidgets import QApplication

from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.hex_view import HexView

PIECE = "The bytes under 漢字 and emoji 😀, naïve and العربية.\r\n".encode()


def write_file(path: Path, size: int) -> None:
    """Half text of several scripts, half random bytes, in turns of 64 KiB."""
    rng, turn = random.Random(1), 65536
    text = (PIECE * (turn // len(PIECE) + 1))[:turn]
    with path.open("wb") as out:
        for at in range(0, size, turn):
            out.write((rng.randbytes(turn) if at // turn % 2 else text)[: size - at])


def jumps(view: HexView, count: int, seed: int = 2) -> list[float]:
    """CPU milliseconds of each jump, painting included."""
    rng, taken = random.Random(seed), []
    for _ in range(count):
        place = rng.randrange(len(view.model))
        before = time.process_time()
        view.model.select(place, place)
        QApplication.sendPostedEvents()  # all painting that was asked for, once
        taken.append((time.process_time() - before) * 1000)
        QApplication.processEvents()  # characters of scripts never seen before, which follow in frames of their own
    return taken


def scrolls(view: HexView, count: int) -> list[float]:
    taken, bar = [], view.sheet.verticalScrollBar()
    bar.setValue(0)
    for _ in range(count):
        before = time.process_time()
        bar.setValue(bar.value() + 3)
        view.sheet.viewport().repaint()
        taken.append((time.process_time() - before) * 1000)
    return taken


def told(name: str, taken: list[float], limit: str = "") -> None:
    ordered = sorted(taken)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    print(f"  {name:22} median {statistics.median(taken):6.2f} ms   p99 {p99:6.2f} ms   most {ordered[-1]:6.2f} ms"
          f"   {limit}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", type=int, default=100_000_000)
    parser.add_argument("--jumps", type=int, default=300)
    args = parser.parse_args()
    app = QApplication([])
    session = Session(load_bundled("o200k_base"), PIECE * (1_000_000 // len(PIECE)), jobs=Jobs(synchronous=True))
    view = HexView(session)
    view.resize(1280, 800)
    view.show()
    app.processEvents()
    gc.collect()
    gc.freeze()  # as the window does when it has started
    session.jobs.synchronous = False  # the line beneath follows in the next pause, as in the window
    memory = psutil.Process().memory_info
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.bin"
        write_file(path, args.size)
        print(f"a file of {args.size:,} bytes, 1280 x 800, {view.sheet.whole_rows} rows of {view.model.row}")
        resident, shared = memory().rss, getattr(memory(), "shared", 0)
        began = time.perf_counter()
        view.show_file(path)
        view.sheet.viewport().repaint()
        print(f"  first paint            {(time.perf_counter() - began) * 1000:6.1f} ms   (bar: 200)")
        told("random jump, CPU", jumps(view, args.jumps), "(each script of the random bytes for the first time)")
        told("the same, scripts known", jumps(view, args.jumps, 3), "(bar: p99 16)")
        told("three rows on, CPU", scrolls(view, args.jumps))
        began = time.perf_counter()
        view.bar.what.setCurrentIndex(1)
        view.bar._typed["find"] = "no such text in it"
        view.bar._kind = "go_to"
        session.jobs.synchronous = True
        view.bar.search(True)
        session.jobs.synchronous = False
        print(f"  search through all     {(time.perf_counter() - began) * 1000:6.0f} ms")
        mapped = getattr(memory(), "shared", 0) - shared
        print(f"  memory growth          {(memory().rss - resident) / 1e6:6.1f} MB   (bar: 50; "
              f"{mapped / 1e6:.1f} MB of it mapped, nearly all fonts)")
        view.show_text()
    print(f"a text of {len(view.model):,} bytes with its {session.document.token_count:,} tokens")
    told("random jump, CPU", jumps(view, args.jumps))
    told("three rows on, CPU", scrolls(view, args.jumps))


if __name__ == "__main__":
    main()
