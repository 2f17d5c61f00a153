"""Memory with a vocabulary loaded and a megabyte encoded, beside tiktoken: growth of the resident set, fresh processes.

    .venv/bin/python benchmarks/bench_memory.py [--vocabulary o200k_base]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

OURS = """
import gc, psutil, numpy, regex
import tokenloupe.formats.bundled as bundled, tokenloupe.core.bytelevel
from corpus import code
text = code(1_000_000).encode()
gc.collect(); start = psutil.Process().memory_info().rss
tokenizer = bundled.load_bundled({name!r})
gc.collect(); loaded = psutil.Process().memory_info().rss
tokenizer.encode("hello")
gc.collect(); ready = psutil.Process().memory_info().rss
made = tokenizer.encode(text)
gc.collect(); used = psutil.Process().memory_info().rss
print(*((x - start) / 1e6 for x in (loaded, ready, used)))
"""
THEIRS = """
import gc, os, psutil, tiktoken, tiktoken.load
from corpus import code
text = code(1_000_000)
os.environ["TIKTOKEN_CACHE_DIR"] = ""
gc.collect(); start = psutil.Process().memory_info().rss
encoding = tiktoken.Encoding("x", pat_str={pattern!r}, special_tokens={{}},
                             mergeable_ranks=tiktoken.load.load_tiktoken_bpe({path!r}))
gc.collect(); loaded = psutil.Process().memory_info().rss
encoding.encode_ordinary("hello")
ready = psutil.Process().memory_info().rss
made = encoding.encode_ordinary(text)
gc.collect(); used = psutil.Process().memory_info().rss
print(*((x - start) / 1e6 for x in (loaded, ready, used)))
"""


def main() -> None:
    import tempfile

    from tokenloupe.formats.bundled import bundled_bytes, load_bundled

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--vocabulary", default="o200k_base")
    name = arguments.parse_args().vocabulary
    here = str(Path(__file__).parent)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ranks"
        path.write_bytes(bundled_bytes(name))
        programs = {"tokenloupe": OURS.format(name=name),
                    "tiktoken": THEIRS.format(pattern=load_bundled(name).splitter.pattern, path=str(path))}
        for who, program in programs.items():
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                                  cwd=here)
            loaded, ready, used = map(float, done.stdout.split())
            print(f"{who:12} loaded {loaded:6.1f} MB   first text {ready:6.1f} MB   1 MB encoded {used:6.1f} MB")


if __name__ == "__main__":
    main()
