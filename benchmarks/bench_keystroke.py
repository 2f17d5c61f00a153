"""A keystroke in the middle of a text, from the key event to the end of painting, in CPU time of the main thread.

    .venv/bin/python benchmarks/bench_keystroke.py                    # code, prose, cjk, json at 10 kB, 1 MB, 10 MB
    .venv/bin/python benchmarks/bench_keystroke.py --keys 100 --sizes 1000000 --kinds code,json

Each key is a QKeyEvent handed to the editor (o200k_base), followed by all painting it asked for. The parts: the
document's edit (store and tokens), the editor's own work (rows, layouts, geometry), painting. Opening is from set_data
to the end of the first painting. Offscreen; the raster is the one Qt uses on a screen.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from tokenloupe.core.document import Document
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.session import Session
from tokenloupe.views.editor import EditorView

_PROSE = ("the quick brown fox tokenization of language models reads bytes in pairs and counts them again until no "
          "pair is left which surprises people who expected words Unfortunately however it's John's world")
WORDS = _PROSE.split()
CJK = "東京都渋谷区の天気は晴れです漢字を分割する言語模型把文本切成记号然后再合并成词元学習済みモデルの語彙"
CODE = ("def encode(self, text, *, special=None):", "    for piece in self.pattern.findall(text):",
        "        ids.extend(self.cache.get(piece) or self._merge(piece))", "    return [i for i in ids if i >= 0]",
        "    # a comment about what comes next", "class Merge(NamedTuple):", "    left: int = 0", "",
        '    name: str = "o200k_base"', "        raise ValueError(f\"{name!r} at {line}\")")


def text_of(kind: str, size: int, rng: random.Random) -> bytes:
    """About `size` bytes; prose and CJK in paragraphs, code in lines, JSON in one line."""
    out: list[str] = []
    length = 0
    while length < size:
        if kind == "prose":
            piece = " ".join(rng.choices(WORDS, k=rng.randint(30, 160))).capitalize() + ".\n"
        elif kind == "cjk":
            piece = "".join(rng.choices(CJK, k=rng.randint(40, 300))) + "。\n"
        elif kind == "code":
            piece = rng.choice(CODE) + "\n"
        else:
            name, tag = rng.choices(WORDS, k=2)
            piece = f'{{"id":{rng.randint(0, 10**6)},"name":"{name}","tags":["{tag}",null]}},'
        out.append(piece)
        length += len(piece.encode())
    return "".join(out).encode()


class Stopwatch:
    """CPU seconds spent in a method, added up."""

    def __init__(self, owner: object, name: str) -> None:
        self.spent = 0.0
        inner = getattr(owner, name)

        def timed(*args: object, **more: object) -> object:
            start = time.thread_time()
            try:
                return inner(*args, **more)
            finally:
                self.spent += time.thread_time() - start

        setattr(owner, name, timed)

    def take(self) -> float:
        spent, self.spent = self.spent, 0.0
        return spent


def quantiles(values: list[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2] * 1e3:6.2f} {ordered[int(len(ordered) * 0.99)] * 1e3:6.2f}"


def measure(app: QApplication, kind: str, size: int, keys: int) -> None:
    rng = random.Random(size)
    data = text_of(kind, size, rng)
    session = Session(load_bundled("o200k_base"))
    view = EditorView(session)
    view.resize(1000, 800)
    view.show()
    view.setFocus()
    app.processEvents()
    start = time.perf_counter()
    session.stop_filling()
    session.set_data(data)
    view.viewport().repaint()
    opened = time.perf_counter() - start
    start = time.perf_counter()
    while not session.complete:
        app.processEvents()
    filled = time.perf_counter() - start
    view.go_to_byte(view.moves.snapped(len(session) // 2))
    app.processEvents()
    gc.collect()
    gc.freeze()
    document = Stopwatch(Document, "edit")
    painting = Stopwatch(view, "paintEvent")
    spent: dict[str, list[float]] = {"all": [], "document": [], "editor": [], "paint": []}
    for k in range(keys):
        if k % 40 == 39:  # somewhere else near the middle
            view.go_to_byte(view.moves.snapped(len(session) // 2 + rng.randint(-size // 10, size // 10)))
            app.processEvents()
            document.take(), painting.take()
        if k % 11 == 10:
            key, letter = Qt.Key.Key_Backspace, "\b"
        elif k % 17 == 16 and kind != "json":
            key, letter = Qt.Key.Key_Return, "\r"
        else:
            key, letter = Qt.Key.Key_A, rng.choice("天気" if kind == "cjk" else "etaoin  .")
        event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, letter)
        start = time.thread_time()
        QApplication.sendEvent(view, event)
        QApplication.sendPostedEvents()
        app.processEvents()
        whole = time.thread_time() - start
        inside, drawn = document.take(), painting.take()
        for name, value in (("all", whole), ("document", inside), ("paint", drawn),
                            ("editor", whole - inside - drawn)):
            spent[name].append(value)
    view.close()
    print(f"{kind:6} {size:>10,}  " + "   ".join(quantiles(spent[n]) for n in ("all", "document", "editor", "paint"))
          + f"   {opened * 1e3:7.0f} {filled:6.1f}", flush=True)
    view.deleteLater()
    session.deleteLater()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keys", type=int, default=300)
    parser.add_argument("--sizes", default="10000,1000000,10000000")
    parser.add_argument("--kinds", default="code,prose,cjk,json")
    options = parser.parse_args()
    app = QApplication.instance() or QApplication([])
    print("main thread CPU in ms, median and 99th percentile of", options.keys, "keys\n"
          "kind        bytes        a key          document         editor           paint      open ms  fill s")
    for size in map(int, options.sizes.split(",")):
        for kind in options.kinds.split(","):
            measure(app, kind, size, options.keys)


if __name__ == "__main__":
    main()
