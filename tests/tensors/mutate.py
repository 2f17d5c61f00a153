"""Damaged tensor files: cut at every byte, and changed at random. Whatever they hold, opening says so in one sentence.

Run as a program (`python -m tests.tensors.mutate COUNT SEED`) it makes COUNT mutations of each small file and prints
the slowest case in seconds and the growth of memory in bytes; the conformance run uses it so.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tokenloupe.cli import common
from tokenloupe.cli.tensors import report
from tokenloupe.core.errors import InputError
from tokenloupe.tensors.files import open_tensor_bytes, open_tensors

from .build import array, gguf, npy, safetensors, text, u32


def samples() -> dict[str, bytes]:
    """One small valid file a format and byte order."""
    out: dict[str, bytes] = {}
    for big in (False, True):
        pairs = [
            ("general.architecture", 8, text("llama", big)),
            ("general.alignment", 4, u32(32, big)),
            ("split.count", 4, u32(1, big)),
            ("tokens", 9, array(8, 3, text("a", big) + text("bb", big) + text("", big), big)),
            ("scores", 9, array(6, 3, bytes(12), big)),
            ("comfy.gguf.orig_shape.a", 9, array(5, 2, u32(4, big) + u32(8, big), big)),
        ]
        tensors = [("a", [8, 4], 0, 0), ("b", [32, 2], 2, 128), ("c", [256], 12, 192), ("d", [4], 1, 352)]
        data = np.random.default_rng(1).integers(0, 256, 360, dtype=np.uint8).tobytes()
        out["big.gguf" if big else "little.gguf"] = gguf(pairs, tensors, data, big=big)
    header = {
        "__metadata__": {"format": "pt"},
        "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "b": {"dtype": "BF16", "shape": [4], "data_offsets": [24, 32]},
        "c": {"dtype": "F8_E4M3", "shape": [8], "data_offsets": [32, 40]},
    }
    out["a.safetensors"] = safetensors(header, bytes(range(40)))
    out["a.npy"] = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }\n", bytes(48))
    for name, save in (("a.npz", np.savez), ("b.npz", np.savez_compressed)):
        stream = io.BytesIO()
        save(stream, x=np.arange(40, dtype="<f4"), y=np.arange(6, dtype=">i2"))
        out[name] = stream.getvalue()
    out["a.safetensors.index.json"] = (
        b'{"metadata": {"total_size": 1}, "weight_map": {"a": "a.safetensors", "b": "b.safetensors"}}'
    )
    return out


EXTREME = [0, 1, 2, 3, 7, 12, 31, 32, 33, 64, 127, 128, 255]
WORDS = [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**60, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 4, 2**64 - 16]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """One to four changes: a byte, a bit, a length-like word, a cut, a piece twice, a piece gone, digits made huge."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(7)
        at = rng.randrange(len(out)) if out else 0
        if kind == 0 and out:
            out[at] = rng.choice(EXTREME)
        elif kind == 1 and out:
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            size = rng.choice((2, 4, 8))
            word = rng.choice(WORDS) % 2 ** (8 * size)
            out[at : at + size] = word.to_bytes(size, rng.choice(("little", "big")))
        elif kind == 3:
            del out[at:]
        elif kind == 4:
            piece = out[at : at + rng.randint(1, 40)]
            out[at:at] = piece * rng.randint(1, 3)
        elif kind == 5:
            del out[at : at + rng.randint(1, 40)]
        else:
            out[at:at] = rng.choice((b"9" * 30, b"[" * 60, b"{", b'"', b"\x00" * 9, b"-", b"e99", b"\xff\xfe"))
    return bytes(out)


def exercise(path: Path, data: bytes | None = None) -> str:
    """Open the file and look at everything a window would look at; "" or the sentence that refused it.

    data: open these bytes as if the file held them (writing 20,000 files takes longer than opening them).
    """
    try:
        file = open_tensors(path) if data is None else open_tensor_bytes(data, str(path))
    except InputError as error:
        assert "\n" not in str(error)
        return str(error)
    common.dumps(report(file))
    for t in file.tensors:
        try:
            file.block_bytes(t, 0, 2)
            file.values(t, 0, 64)
            file.raw(t)
        except InputError as error:
            assert str(error)
    return ""


def run(count: int, seed: int, folder: Path) -> tuple[float, str]:
    """(slowest case in seconds, which it was) over `count` mutations of every sample."""
    slowest, which = 0.0, ""
    for name, data in samples().items():
        rng = random.Random(f"{seed} {name}")
        path = folder / name
        for i in range(count):
            changed = mutated(data, rng)
            if mapped := i % 50 == 0:
                path.write_bytes(changed)
            before = time.process_time()
            exercise(path, None if mapped else changed)
            taken = time.process_time() - before
            if taken > slowest:
                slowest, which = taken, f"{name} {i}"
    return slowest, which


def cuts(folder: Path) -> Iterator[tuple[str, int, str]]:
    """(name, length, verdict) of every sample cut at every byte."""
    for name, data in samples().items():
        path = folder / name
        for length in range(len(data)):
            if mapped := length % 50 == 0:
                path.write_bytes(data[:length])
            yield name, length, exercise(path, None if mapped else data[:length])


def peak_memory() -> int:
    """The most bytes this process has had resident. (ru_maxrss would count what the parent had when it forked.)"""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(x.split()[1]) * 1024 for x in status.read_text().splitlines() if x.startswith("VmHWM"))
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        run(1, seed, Path(folder))  # modules are loaded
        before = peak_memory()
        slowest, which = run(count, seed, Path(folder))
        grown = peak_memory() - before
    print(f"{slowest:.3f} {grown} {which}")


if __name__ == "__main__":
    main()
