"""The audit of whole vocabularies: CPU time in all, the longest slices, what is left undecided.

    .venv/bin/python benchmarks/bench_audit.py                                    # o200k_base
    .venv/bin/python benchmarks/bench_audit.py o200k_base gemma3.tokenizer.json ggml-vocab-bert-bge.gguf

The window runs an audit slice by slice between two events, so a slice is how long a key may wait. The bars: 30 s in all
for a bundled vocabulary, 30 ms a slice. Files are looked for as they are named and in the folder that TOKENLOUPE_REAL
names. --profile tells where the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import time

from realfiles import find

from tokenloupe.api import load
from tokenloupe.core.audit import Audit, audit_steps
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Status


def run(name: str, most: int) -> None:
    tokenizer = load(find(name))
    gc.collect()
    gc.freeze()  # as the window does when it has started
    steps = audit_steps(VocabularyIndex(tokenizer))
    slices: list[tuple[float, float, float]] = []
    last, share = None, 0.0
    while True:
        began = time.process_time()
        step = next(steps, None)
        spent = (time.process_time() - began) * 1000
        if step is None:
            break
        before, share = share, step if isinstance(step, float) else 1.0
        slices.append((spent, before, share))
        last = step
    assert isinstance(last, Audit)
    found = last.reach
    print(f"  {tokenizer.name}: {len(last.index):,} entries, {sum(s for s, _, _ in slices) / 1000:.1f} s in "
          f"{len(slices):,} slices; " + ", ".join(f"{len(found.rows(s)):,} {s.word}" for s in Status))
    for spent, before, share in sorted(slices, reverse=True)[:most]:
        print(f"    {spent:6.1f} ms from {before:.2%} to {share:.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", default=["o200k_base"], help="bundled names or files")
    parser.add_argument("--slices", type=int, default=5, help="so many of the longest")
    parser.add_argument("--profile", action="store_true")
    args = parser.parse_args()
    for name in args.names:
        if args.profile:
            profile = cProfile.Profile()
            profile.runcall(run, name, args.slices)
            pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
        else:
            run(name, args.slices)


if __name__ == "__main__":
    main()
