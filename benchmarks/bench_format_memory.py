"""Memory of each format beside its own library: fresh processes, growth over what the imports take.

    .venv/bin/python benchmarks/bench_format_memory.py                 # files found in ../shared/real and build/real
    .venv/bin/python benchmarks/bench_format_memory.py --only llama3 --cold

"loaded" and "encoded" are the resident set after opening and after 300 kB of text, "peak" the most it ever was, all in
MB. --cold: nothing in the cache (the file is parsed and kept). Ratios above 1: we take less.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from realfiles import files

PROGRAM = """
import gc, resource, psutil
{imports}
from bench_formats import languages, prose
text = prose(150_000) + languages(150_000)
gc.collect()
start = psutil.Process().memory_info().rss
model = {load}
gc.collect()
loaded = psutil.Process().memory_info().rss
made = {encode}
gc.collect()
used = psutil.Process().memory_info().rss
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(*((x - start) / 1e6 for x in (loaded, used, max(peak, used))))
"""

OURS = ("import numpy, regex\nfrom tokenloupe.formats import formats, open_tokenizer\nformats()",
        "open_tokenizer({path!r})", "model._encode(text.encode(), 'text', False)")
PEERS = {
    "sentencepiece": ("import sentencepiece", "sentencepiece.SentencePieceProcessor(model_file={path!r})",
                      "model.encode(text)"),
    "tokenizers": ("import tokenizers", "tokenizers.Tokenizer.from_file({path!r})", "model.encode(text)"),
    "gguf-py": ("from gguf import GGUFReader", "GGUFReader({path!r})", "None"),
    "tiktoken": ("import tiktoken\nfrom pathlib import Path\nfrom bench_formats import _tekken",
                 "_tekken(Path({path!r}))", "model.encode_ordinary(text)"),
    "subword-nmt": ("from subword_nmt.apply_bpe import BPE", "BPE(open({path!r}, encoding='utf-8'))",
                    "model.process_line(text)"),
}


def peer_of(name: str) -> str | None:
    ends = {".model": "sentencepiece", "tokenizer.json": "tokenizers", ".gguf": "gguf-py", "codes.txt": "subword-nmt"}
    return "tiktoken" if name.startswith("tekken") else next((p for e, p in ends.items() if name.endswith(e)), None)


def measured(program: tuple[str, str, str], path: Path, cache: str) -> list[float] | None:
    """(loaded, encoded, peak) in MB, None where the library does not open the file."""
    imports, load, encode = program
    code = PROGRAM.format(imports=imports, load=load.format(path=str(path)), encode=encode)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parent,
                          env={**os.environ, "XDG_CACHE_HOME": cache})
    return [float(x) for x in done.stdout.split()] if done.returncode == 0 else None


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default="", help="files whose name holds this")
    arguments.add_argument("--cold", action="store_true")
    asked = arguments.parse_args()
    print(f"{'file':40} {'library':14}    loaded             encoded            peak      (ours / theirs = ratio)")
    for path in files():
        name, library = path.name, peer_of(path.name)
        if library is None or asked.only not in name:
            continue
        with tempfile.TemporaryDirectory() as cache:
            ours = measured(OURS, path, cache)
            if not asked.cold:
                ours = measured(OURS, path, cache)
            theirs = measured(PEERS[library], path, cache)
        if ours is None or theirs is None:
            continue
        cells = "  ".join(f"{a:6.1f} /{b:6.1f} ={b / max(a, 0.1):5.1f}" for a, b in zip(ours, theirs, strict=True))
        print(f"{name:40} {library:14} {cells}", flush=True)


if __name__ == "__main__":
    main()
