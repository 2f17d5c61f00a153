"""Tensors beside gguf-py in one run, as ratios: opening, dequantising, quantising. Above 1: we are faster.

    .venv/bin/python benchmarks/bench_tensors.py
    .venv/bin/python benchmarks/bench_tensors.py --weights 4000000 --skip-open

The file that is opened is made here: 256,000 tokens and 500,000 merges, which gguf-py needs about 20 seconds for. The
last table is the share of np.copy's bandwidth that dequantising to float32 reaches, and a frame of the block matrix.
"""

from __future__ import annotations

import argparse
import os
import struct
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from gguf import GGMLQuantizationType, quants

from tokenloupe.tensors import blocks
from tokenloupe.tensors.files import open_tensors


def best(work: Callable[[], Any], times: int = 3) -> float:
    """The best of a few runs, in seconds."""
    result = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        result = min(result, time.perf_counter() - start)
    return result


def vocabulary(path: Path, tokens: int = 256_000, merges: int = 500_000) -> None:
    """A GGUF of metadata alone, with as many tokens and merges as the largest vocabularies have."""

    def text(value: bytes) -> bytes:
        return struct.pack("<Q", len(value)) + value

    def strings(key: bytes, items: list[bytes]) -> bytes:
        return text(key) + struct.pack("<IIQ", 9, 8, len(items)) + b"".join(map(text, items))

    rng = np.random.default_rng(0)
    words = [bytes(w) for w in rng.integers(97, 123, (tokens, 7), dtype=np.uint8)]
    pairs = [words[i][:4] + b" " + words[j][:3] for i, j in rng.integers(0, tokens, (merges, 2))]
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 2)
    path.write_bytes(head + strings(b"tokenizer.ggml.tokens", words) + strings(b"tokenizer.ggml.merges", pairs))


def opening() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vocabulary.gguf"
        vocabulary(path)
        ours = best(lambda: open_tensors(path))
        theirs = best(lambda: gguf.GGUFReader(path), 1)
        print(f"open 256k tokens, 500k merges   gguf-py {theirs:8.2f} s   here {ours:6.3f} s   {theirs / ours:8.1f}x")


def sparse() -> None:
    size = 40 << 30
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sparse.gguf"
        rows = size // 2304
        info = struct.pack("<Q", 1) + b"w" + struct.pack("<I2QIQ", 2, 4096, rows, 2, 0)
        head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + info
        path.write_bytes(head + bytes(-len(head) % 32))
        os.truncate(path, path.stat().st_size + rows * 2304)
        print(f"open a sparse file of 40 GiB    {best(lambda: open_tensors(path)) * 1000:8.2f} ms")


def types(weights: int) -> None:
    values = np.random.default_rng(1).standard_normal((weights // 4096, 4096)).astype(np.float32)
    copy = best(lambda: values.copy())
    print(f"np.copy: {values.nbytes / copy / 1e9:.2f} GB/s")
    print(f"{'type':<8} {'dequantise':>11} {'GB/s':>6} {'of copy':>8}   {'quantise':>9} {'GB/s':>6}")
    for kind in GGMLQuantizationType:
        t = blocks.by_id(kind.value)
        if t is None or kind not in quants._type_traits:
            continue
        data = np.random.default_rng(2).integers(0, 256, (weights // t.weights, t.nbytes), dtype=np.uint8)
        if t.quantize is not None:
            data = blocks.quantize(t, values)
        data = data.reshape(weights // 4096, -1)  # in rows: gguf-py works on 16 rows at a time
        with np.errstate(all="ignore"):
            theirs = best(lambda k=kind, d=data: quants.dequantize(d, k))
        ours = best(lambda k=t, d=data: blocks.dequantize(k, d))
        line = f"{t.name:<8} {theirs / ours:>10.2f}x {weights * 4 / ours / 1e9:>6.2f} {copy / ours:>8.0%}"
        if t.quantize is not None:
            theirs = best(lambda k=kind: quants.quantize(values, k))
            ours = best(lambda k=t: blocks.quantize(k, values))
            line += f"   {theirs / ours:>8.2f}x {weights * 4 / ours / 1e9:>6.2f}"
        print(line, flush=True)


def frame() -> None:
    """One frame of the block matrix at 1920 x 1080, processor time, at every level of zoom."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        from PySide6.QtGui import QImage, QPainter
        from PySide6.QtWidgets import QApplication

        from tokenloupe.views.block_matrix_paint import MatrixPainter
    except ImportError as error:
        print(f"no frame of the matrix: {error}")
        return
    app = QApplication.instance() or QApplication([])
    data = np.random.default_rng(3).integers(0, 256, (200_000, 18), dtype=np.uint8)
    data[:, 1] &= 0x3F
    image = QImage(1920, 1080, QImage.Format.Format_RGB32)
    painter = MatrixPainter(blocks.by_name("Q4_0"))
    painter.set_blocks(data)
    for name, scale in (("whole tensor", 0.05), ("pixels", 1.0), ("cells", 8.0), ("numbers", 30.0)):
        def one(scale: float = scale) -> None:
            with QPainter(image) as p:
                painter.paint(p, image.rect(), 0.0, 1000.0, scale)

        one()
        start = time.process_time()
        for _ in range(10):
            one()
        print(f"matrix 1920x1080, {name:<13} {(time.process_time() - start) * 100:6.2f} ms a frame")
    app.processEvents()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--weights", type=int, default=1 << 23)
    parser.add_argument(
        "--skip-open", action="store_true", help="without the 20 seconds gguf-py needs to open a vocabulary"
    )
    args = parser.parse_args()
    if not args.skip_open:
        opening()
    sparse()
    types(args.weights)
    frame()


if __name__ == "__main__":
    main()
