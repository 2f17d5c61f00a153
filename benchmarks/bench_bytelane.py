"""The byte lane over one line of 1 MB: scrolling, jumps, zooming, hovering and typing, in CPU time a frame.

    .venv/bin/python benchmarks/bench_bytelane.py
    .venv/bin/python benchmarks/bench_bytelane.py --size 10000000 --frames 600

A frame is what one event costs the main thread until the next painting is done (user and system time): new cells and
all painting of the lane, without other views. 60 frames a second leave 16 ms. Offscreen; the raster is the one Qt uses
on a screen. The first round loads fonts for scripts not seen before, as the first scroll in the window does.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtWidgets import QApplication

from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.bytelane import ByteLane

PIECES = {
    "mixed": "The naïve 漢字 and 👨‍👩‍👧‍👦 👍🏽, नमस्ते العربية สวัสดี 12345! ",
    "code": '{"id": 12345, "name": "value", "list": [1, 2, 3], "ok": true}, ',
    "one CJK run": "北京是中华人民共和国的首都很多汉字会在字节中间被切开",
    "flags": "🇩🇪🇫🇷🇯🇵",
}


def told(name: str, taken: list[float]) -> None:
    ordered = sorted(taken)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    print(f"    {name:24} median {statistics.median(taken):6.2f} ms   p99 {p99:6.2f} ms   most {ordered[-1]:6.2f} ms")


def frames(view: ByteLane, count: int, act: Callable[[int], object]) -> list[float]:
    taken = []
    for k in range(count):
        before = time.process_time()
        act(k)
        QApplication.sendPostedEvents()  # all painting that was asked for, once
        taken.append((time.process_time() - before) * 1000)
    return taken


def run(name: str, piece: str, size: int, count: int, width: int) -> None:
    data = (piece * (size // len(piece.encode()) + 1)).encode()[:size].decode("utf-8", "ignore").encode()
    session = Session(load_bundled("o200k_base"), data, jobs=Jobs(synchronous=True))
    view = ByteLane(session)
    view.resize(width, 300)
    view.show()
    QApplication.processEvents()
    gc.collect()
    gc.freeze()  # as the window does when it has started
    sheet, rng = view.sheet, random.Random(1)
    resident = psutil.Process().memory_info().rss
    print(f"  {name}: {len(data):,} bytes in one line, {session.document.token_count:,} tokens")
    length = len(data)
    for cell in (1.0, 0.3):
        sheet.zoom_by(cell / sheet.scale)
        told(f"scroll, {sheet.ruler.room / sheet.cell:.0f} bytes seen",
             frames(view, count, lambda k: sheet.scroll_to(1000.0 + 60 * k)))
        places = [rng.uniform(0, length * sheet.cell) for _ in range(count)]
        told("jump anywhere", frames(view, count, lambda k, places=places: sheet.scroll_to(places[k])))
    told("zoom, a notch", frames(view, count, lambda k: sheet.zoom_by(1.15 if k // 12 % 2 else 1 / 1.15, 400)))
    sheet.reset_scale()
    places_ = [view.model.source.snap(rng.randrange(length), -1) for _ in range(count)]
    told("select anywhere", frames(view, count, lambda k: session.select(places_[k], places_[k])))
    told("hover", frames(view, count, lambda k: session.hover_at(places_[-1] + k % 9, places_[-1] + k % 9 + 1)))
    if name != "one CJK run":  # an edit in it is the tokenizer's work, see bench_edit.py
        at = data.index(b" ", length // 2) if b" " in data else 0
        session.select(at, at)
        told("type a letter", frames(view, count, lambda k: session.edit(at + k, 0, b"x", "typing")))
    print(f"    memory growth            {(psutil.Process().memory_info().rss - resident) / 1e6:6.1f} MB")
    view.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--text", choices=[*PIECES, "all"], default="all")
    args = parser.parse_args()
    app = QApplication([])
    print(f"byte lane, {args.width} x 300 (bar: p99 under 16 ms)")
    for name, piece in PIECES.items():
        if args.text in (name, "all"):
            run(name, piece, args.size, args.frames, args.width)
            app.processEvents()


if __name__ == "__main__":
    main()
