"""llama.cpp itself, without its weights: the library that an npm package brings, called through ctypes in a process
of its own (a vocabulary that it cannot stand stops the process that asks).

    python tests/llamacpp_live.py --fetch build/llama.cpp      # @node-llama-cpp/linux-x64, 10 MB, by npm pack
    found = answers(library(), [(gguf, [(text, parse, ends), ..]), ..])    # [[(ids, decoded), ..] or None, ..]
    python tests/llamacpp_live.py --record FILE                # tests/formats/llamacpp_recorded.json.xz made anew

The package is node-llama-cpp's (MIT) build of llama.cpp v0.4.0 (MIT); of struct llama_model_params of that version
only the place of vocab_only is used, and a test of known ids guards it.
"""

from __future__ import annotations

import base64
import ctypes
import json
import lzma
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PACKAGE, VERSION = "@node-llama-cpp/linux-x64", "3.21.1"
OURS = "answers: "
ROOT = Path(__file__).resolve().parents[1]

Text = tuple[bytes, bool, bool]  # the text, whether special tokens are parsed, whether ends are added
Answer = tuple[list[int], bytes | None]


def library() -> Path | None:
    """libllama of the package, where it has been fetched: TOKENLOUPE_LLAMA, or build/llama.cpp of the checkout."""
    folder = Path(os.environ.get("TOKENLOUPE_LLAMA", ROOT / "build" / "llama.cpp"))
    return next(iter(sorted(folder.rglob("libllama.v*.so"))), None)


def fetch(folder: Path) -> None:
    """By npm's ordinary client; the package is unpacked and not installed."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["npm", "pack", "--silent", f"{PACKAGE}@{VERSION}"], cwd=folder, check=True, timeout=240)
    for archive in folder.glob("*.tgz"):
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        archive.unlink()


def answers(found: Path, cases: Sequence[tuple[bytes, Sequence[Text]]]) -> list[list[Answer] | None]:
    """What llama.cpp gives for each text of each GGUF file; None for a file that it does not load."""
    with tempfile.TemporaryDirectory() as folder:
        listed = []
        for number, (gguf, texts) in enumerate(cases):
            path = Path(folder) / f"{number}.gguf"
            path.write_bytes(gguf)
            listed.append([str(path), [[t.hex(), parse, ends] for t, parse, ends in texts]])
        done = subprocess.run([sys.executable, __file__, str(found)], input=json.dumps(listed), text=True,
                              capture_output=True, timeout=120)
    rows: list[list[Answer] | None] = []
    for line in done.stdout.split("\n"):
        if not line.startswith(OURS):  # llama.cpp itself writes here now and then
            continue
        row = json.loads(line[len(OURS) :])
        rows.append(None if row is None else [(ids, None if d is None else bytes.fromhex(d)) for ids, d in row])
    if done.returncode or len(rows) != len(cases):
        raise RuntimeError(f"llama.cpp stopped at case {len(rows)} of {len(cases)}: {done.stderr[-300:]}")
    return rows


class _Params(ctypes.Structure):
    """struct llama_model_params, with room behind it: it is handed over by value."""

    _fields_ = [("before", ctypes.c_ubyte * 72), ("vocab_only", ctypes.c_bool), ("after", ctypes.c_ubyte * 119)]


class Llama:
    """The functions of libllama that vocabularies need."""

    def __init__(self, path: str) -> None:
        self.lib = lib = ctypes.CDLL(path)
        integers = ctypes.POINTER(ctypes.c_int32)
        lib.llama_model_default_params.restype = _Params
        lib.llama_model_load_from_file.argtypes = [ctypes.c_char_p, _Params]
        lib.llama_model_load_from_file.restype = ctypes.c_void_p
        lib.llama_model_get_vocab.argtypes = [ctypes.c_void_p]
        lib.llama_model_get_vocab.restype = ctypes.c_void_p
        lib.llama_model_free.argtypes = [ctypes.c_void_p]
        lib.llama_tokenize.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, integers, ctypes.c_int32,
                                       ctypes.c_bool, ctypes.c_bool]
        lib.llama_detokenize.argtypes = [ctypes.c_void_p, integers, ctypes.c_int32, ctypes.c_char_p, ctypes.c_int32,
                                         ctypes.c_bool, ctypes.c_bool]
        log = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
        self.silent = log(lambda level, text, data: None)
        lib.llama_log_set.argtypes = [log, ctypes.c_void_p]
        lib.llama_log_set(self.silent, None)

    def answers(self, path: str, texts: list[tuple[str, bool, bool]]) -> list[tuple[list[int], str | None]] | None:
        params = self.lib.llama_model_default_params()
        params.vocab_only = True
        model = self.lib.llama_model_load_from_file(path.encode(), params)
        if not model:
            return None
        vocab = self.lib.llama_model_get_vocab(model)
        out = []
        for hexed, parse, ends in texts:
            data = bytes.fromhex(hexed)
            room = len(data) * 4 + 64
            ids = (ctypes.c_int32 * room)()
            count = self.lib.llama_tokenize(vocab, data, len(data), ids, room, ends, parse)
            text = ctypes.create_string_buffer(size := len(data) * 16 + 256)
            width = self.lib.llama_detokenize(vocab, ids, count, text, size, False, True)
            out.append((list(ids[:count]), text.raw[:width].hex() if 0 <= width <= size else None))
        self.lib.llama_model_free(model)
        return out


def random_cases(model: str, seed: str, files: int, texts: int = 12) -> list[tuple[bytes, list[Text]]]:
    """Vocabularies and texts at random (gguf_random)."""
    from gguf_random import random_text, random_vocabulary

    rng = random.Random(f"{seed} {model}")
    return [(random_vocabulary(rng, model),
             [(random_text(rng), rng.random() < 0.5, rng.random() < 0.5) for _ in range(texts)]) for _ in range(files)]


def record(found: Path, target: Path, files: int = 40) -> None:
    """Random pairs of every model with llama.cpp's answers, as the file that tests read where it is not there."""
    from gguf_random import MODELS

    rows = []
    for model in MODELS:
        cases = random_cases(model, "recorded", files)
        for (gguf, texts), row in zip(cases, answers(found, cases), strict=True):
            if row is not None:
                kept = [[t.hex(), parse, ends, ids, None if d is None else d.hex()]
                        for (t, parse, ends), (ids, d) in zip(texts, row, strict=True)]
                rows.append({"model": model, "gguf": base64.b64encode(gguf).decode(), "texts": kept})
    target.write_bytes(lzma.compress(json.dumps(rows, separators=(",", ":")).encode(), preset=9))


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--fetch"]:
        fetch(Path(arguments[1]))
        return
    if arguments[:1] == ["--record"]:
        there = library()
        assert there is not None, "fetch the library first"
        record(there, Path(arguments[1]))
        return
    llama = Llama(arguments[0])
    cases: list[Any] = json.load(sys.stdin)
    for path, texts in cases:
        print(f"\n{OURS}{json.dumps(llama.answers(path, texts))}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
