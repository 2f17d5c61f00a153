"""Loading: bundled vocabularies beside tiktoken, tokenizer.json beside tokenizers. Ratios above 1: we are faster.

    .venv/bin/python benchmarks/bench_load.py [tokenizer.json ..]

tiktoken reads the same rank file from a temporary folder and makes an Encoding with the same pattern. "encode" is the
first text after loading: our tables are made then. Files given on the command line are opened by both.
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
from pathlib import Path

import tiktoken
import tiktoken.load
import tokenizers
from corpus import cpu

from tokenloupe.formats import open_tokenizer
from tokenloupe.formats.bundled import BUNDLED, bundled_bytes, load_bundled

TEXT = "The quick brown fox, 12345 日本語 and 👩‍👩‍👧.\n" * 20


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", nargs="*", type=Path)
    arguments.add_argument("--times", type=int, default=5)
    asked = arguments.parse_args()
    os.environ["TIKTOKEN_CACHE_DIR"] = ""
    with tempfile.TemporaryDirectory() as folder:
        for name in BUNDLED:
            path = Path(folder) / f"{name}.tiktoken"
            path.write_bytes(bundled_bytes(name))
            pattern = load_bundled(name).splitter.pattern

            def theirs(name: str = name, path: Path = path, pattern: str = pattern) -> None:
                ranks = tiktoken.load.load_tiktoken_bpe(str(path), expected_hash=BUNDLED[name].sha256)
                tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={}).encode_ordinary(TEXT)

            load_bundled.cache_clear()
            gc.collect()
            mine = cpu(lambda: load_bundled(name), asked.times, load_bundled.cache_clear)  # noqa: B023
            both = cpu(lambda: load_bundled(name).encode(TEXT), asked.times, load_bundled.cache_clear)  # noqa: B023
            other = cpu(theirs, asked.times)
            print(f"{name:24} load {mine:6.3f} s  and encode {both:6.3f} s  tiktoken {other:6.3f} s  "
                  f"ratio {other / both:5.2f}")
    for path in asked.files:
        gc.collect()
        mine = cpu(lambda: open_tokenizer(path).encode(TEXT), 3, gc.collect)  # noqa: B023
        other = cpu(lambda: tokenizers.Tokenizer.from_file(str(path)).encode(TEXT), 3, gc.collect)  # noqa: B023
        print(f"{path.name:24} load and encode {mine:6.3f} s  tokenizers {other:6.3f} s  ratio {other / mine:5.2f}")


if __name__ == "__main__":
    main()
