"""Edits of a document of any tokenizer file: CPU ms of keeping the tokens right after a key, without the window.

    .venv/bin/python benchmarks/bench_edit_files.py build/real/mistral-v1.model build/real/minilm.tokenizer.json

150 letters typed at five places of a text. "whole": the same text encoded anew, which is what an edit would cost where
nothing can be proved of a tokenizer. "kept": edits after which the tokens were there at once.
"""

from __future__ import annotations

import argparse
import gc
import random
import time

from bench_keystroke import quantiles, text_of

import tokenloupe
from tokenloupe.core.document import Document


def measure(path: str, kind: str, size: int) -> None:
    tokenizer = tokenloupe.load(path)
    data = text_of(kind, size, random.Random(2))
    start = time.thread_time()
    document = Document(tokenizer, data)
    for _ in document.fill():
        pass
    whole = time.thread_time() - start
    gc.collect()
    gc.freeze()
    rng = random.Random(1)
    spent: list[float] = []
    kept = place = 0
    for k in range(150):
        if k % 30 == 0:
            place = rng.randrange(len(document))
        while place < len(document) and document.store.bytes(place, place + 1)[0] & 0xC0 == 0x80:
            place += 1
        start = time.thread_time()
        document.edit(place, 0, b"e")
        spent.append(time.thread_time() - start)
        kept += document.complete
        for _ in document.fill():
            pass
        place += 1
    print(f"{path.rsplit('/', 1)[-1]:32} {kind:6} {whole * 1e3:8.0f}   {quantiles(spent)}   {kept:4} of {len(spent)}",
          flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--kinds", default="code,prose,cjk")
    options = parser.parse_args()
    print("file                             text     whole   an edit, p50, p99   kept")
    for path in options.files:
        for kind in options.kinds.split(","):
            measure(path, kind, options.size)


if __name__ == "__main__":
    main()
