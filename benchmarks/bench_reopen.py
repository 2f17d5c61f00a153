"""Reopening from the cache, beside `tokenizers` and tiktoken in the same run. Ratios above 1: we are faster.

    .venv/bin/python benchmarks/bench_reopen.py llama3/tokenizer.json gemma3/tokenizer.json o200k_base.tiktoken ..

first: parsed and put into an empty cache (a folder of this run's own); again: out of it; and encode: with the first
text, for which tables are made. Of a file that `tokenizers` does not open only our times are shown. CPU seconds, best
of several. The goal is a ratio of 10.
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import tiktoken
import tiktoken.load
import tokenizers
from corpus import cpu

from tokenloupe.formats import open_tokenizer

TEXT = "The quick brown fox, 12345 日本語 and 👩‍👩‍👧.\n" * 20


def peer(path: Path) -> Callable[[], object] | None:
    """What the reference does to open the file."""
    if path.name.endswith("tokenizer.json"):
        return lambda: tokenizers.Tokenizer.from_file(str(path)).encode(TEXT)
    if path.suffix == ".tiktoken":
        pattern = open_tokenizer(path).splitter.pattern  # type: ignore[attr-defined]
        return lambda: tiktoken.Encoding(
            "x", pat_str=pattern, mergeable_ranks=tiktoken.load.load_tiktoken_bpe(str(path)), special_tokens={}
        ).encode_ordinary(TEXT)
    return None


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="+", type=Path)
    arguments.add_argument("--times", type=int, default=3)
    asked = arguments.parse_args()
    os.environ["TIKTOKEN_CACHE_DIR"] = ""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for path in asked.files:
            gc.collect()
            first = cpu(lambda: open_tokenizer(path), 1, gc.collect)  # noqa: B023
            again = cpu(lambda: open_tokenizer(path), asked.times, gc.collect)  # noqa: B023
            both = cpu(lambda: open_tokenizer(path).encode(TEXT), asked.times, gc.collect)  # noqa: B023
            line = f"{path.name:28} first {first:6.3f} s  again {again:6.3f} s  and encode {both:6.3f} s"
            theirs = peer(path)
            if theirs is not None:
                other = cpu(theirs, asked.times, gc.collect)
                line += f"  reference {other:6.3f} s  ratio {other / again:5.1f}, with encode {other / both:5.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
