"""The vocabulary browser: first table, each key in the search box, each sort, each scrolled frame, in CPU time.

    .venv/bin/python benchmarks/bench_vocabulary.py                                   # o200k_base
    .venv/bin/python benchmarks/bench_vocabulary.py o200k_base gemma3.tokenizer.json --rounds 5

A key is a QKeyEvent handed to the box of the panel, and all that follows until the painting it asked for is done: the
search, the order, the new rows, the marks. The bar is about all keys together, first letters and Backspace included:
16 ms in the median, 50 ms at p99; what the first letters cost, which find most, is told apart. A sort within 60 ms; the
first table within 100 ms of a loaded tokenizer (imports included). Beside the search itself stands
the same one as a loop over a list of all texts in lower case, which is what a table without an index would do. Files
are looked for as they are named and in the folder that TOKENLOUPE_REAL names. Offscreen, synchronous painting.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QTableView
from realfiles import find

from tokenloupe.api import load
from tokenloupe.models.session import Session

if TYPE_CHECKING:  # its import is a part of the first table
    from tokenloupe.core.query import VocabularyIndex
    from tokenloupe.views.vocabulary_browser import VocabularyBrowser

#: What is typed, letter by letter, and taken back by Backspace. (mode, text)
TYPED = (
    ("text", "e"), ("text", "the"), ("text", " "), ("text", "tokenization"), ("text", "日本"), ("text", "."),
    ("raw", "▁the"), ("raw", "Ġin"), ("hex", "e68891"), ("hex", "20"), ("hex", "65"), ("id", "100-"),
    ("id", "5,700-999"),
)


def told(name: str, taken: list[float], more: str = "") -> None:
    ordered = sorted(taken)
    p99 = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    median = statistics.median(taken)
    print(f"    {name:34} median {median:6.1f} ms   p99 {p99:6.1f} ms   most {ordered[-1]:6.1f} ms{more}")


def cpu(act: Callable[[], object]) -> float:
    before = time.process_time()
    act()
    return (time.process_time() - before) * 1000


def settled() -> None:
    for _ in range(3):
        QApplication.processEvents()


def run(name: str, rounds: int) -> None:
    session = Session(load(find(name)), b"hello world")
    print(f"  {session.tokenizer.name}: {len(session.tokenizer.vocabulary):,} entries")
    gc.collect()
    gc.freeze()  # as the window does when it has started
    made: list[VocabularyBrowser] = []

    def first_table() -> None:
        from tokenloupe.views.vocabulary_browser import VocabularyBrowser

        panel = VocabularyBrowser(session)
        made.append(panel)
        panel.resize(900, 600)
        panel.show()
        panel.grab()

    print(f"    {'first table':34} {cpu(first_table):6.1f} ms")
    panel = made[0]
    slices: list[float] = []
    while not (panel.desk.ready and panel.desk.merges_ready):
        slices.append(cpu(QApplication.processEvents))
    print(f"    {'made in the background':34} {sum(slices):6.0f} ms in all, "
          f"{max(slices, default=0.0):.1f} ms at once at most")
    keys(panel, rounds)
    order(panel)
    scroll(panel)
    panel.close()
    panel.deleteLater()
    settled()


def keys(panel: VocabularyBrowser, rounds: int) -> None:
    field, index = panel.bar.field, panel.desk.index
    assert index is not None
    taken: list[float] = []
    single: list[float] = []
    modes = [m[0] for m in panel.bar.modes]

    def press(key: Qt.Key, text: str) -> None:
        QApplication.sendEvent(field, QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, text))
        panel.table.viewport().repaint()
        QApplication.processEvents()
        while panel.search.running:
            QApplication.processEvents()

    for mode, text in TYPED * rounds:
        panel.bar.set_text("", mode)
        assert panel.bar.mode_id == modes[panel.bar.mode.currentIndex()]
        settled()
        for n, letter in enumerate(text):
            spent = cpu(lambda c=letter: press(Qt.Key.Key_unknown, c))
            taken.append(spent)
            if n == 0:
                single.append(spent)
        for _ in text:
            taken.append(cpu(lambda: press(Qt.Key.Key_Backspace, "\b")))
    told("a key", taken, f"   ({len(taken)} keys)")
    told("the first letter", single)
    panel.bar.set_text("", "text")
    panel._ordered(("length", True))
    settled()
    sorted_: list[float] = []
    for mode, text in (t for t in TYPED if t[0] == "text"):
        panel.bar.set_text("", mode)
        settled()
        sorted_ += [cpu(lambda c=letter: press(Qt.Key.Key_unknown, c)) for letter in text]
    told("a key, sorted by length", sorted_)
    panel._ordered(None)
    panel.bar.clear()
    compare(index)


def compare(index: VocabularyIndex) -> None:
    """The search alone beside a loop over all texts."""
    from tokenloupe.core.query import Filter
    from tokenloupe.core.vocabulary import split_bytes

    v = index.vocabulary
    texts = [p.decode("utf-8", "replace").lower() for p in split_bytes(v.blob, v.offsets)]
    for word in ("e", "the", "tokenization", "日"):
        own = min(cpu(lambda w=word: index.search(Filter(w))) for _ in range(5))
        loop = min(cpu(lambda w=word: [i for i, t in enumerate(texts) if w in t]) for _ in range(5))
        print(f"    {f'search {word!r}':34} {own:6.1f} ms   a loop {loop:6.1f} ms   {loop / own:5.1f} times as fast")


def order(panel: VocabularyBrowser) -> None:
    for column in panel.model.columns:
        if column.id == "raw":
            continue

        def sort(descending: bool, name: str = column.id) -> None:
            panel._ordered((name, descending))
            panel.table.viewport().repaint()
            while panel.search.running:
                QApplication.processEvents()

        first, again = cpu(lambda s=sort: s(False)), cpu(lambda s=sort: s(True))
        print(f"    {f'sort by {column.id}':34} {first:6.1f} ms, the other way {again:.1f} ms")
    panel._ordered(None)


def scroll(panel: VocabularyBrowser) -> None:
    table: QTableView = panel.table
    bar, before = table.verticalScrollBar(), panel.model.pages_made

    def frames(step: int) -> list[float]:
        return [cpu(lambda k=k: (bar.setValue(k * step % (bar.maximum() + 1)), table.viewport().repaint()))
                for k in range(200)]

    told("scroll, three rows a frame", frames(3))
    told("jump anywhere", frames(7919))
    print(f"    {'pages of 64 rows made':34} {panel.model.pages_made - before:6} in 400 frames")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", default=["o200k_base"], help="bundled names or files")
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    app = QApplication([])
    from tokenloupe.views.token_table import TokenTable

    warm = TokenTable(Session(load("gpt2"), b"hello"))  # fonts and styles, which a window has long had
    warm.show()
    warm.grab()
    print("vocabulary browser, CPU time (bar: a key 16 ms median and 50 ms p99, a sort 60 ms, first table 100 ms)")
    for name in args.names:
        run(name, args.rounds)
        app.processEvents()


if __name__ == "__main__":
    main()
