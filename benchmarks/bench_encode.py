"""Bulk encoding beside tiktoken and tokenizers, in one run: CPU seconds a megabyte and ratios (above 1: we are faster).

    .venv/bin/python benchmarks/bench_encode.py                        # o200k_base and cl100k_base, 1 MB of each text
    .venv/bin/python benchmarks/bench_encode.py --vocabulary gpt2 --size 300000

"first": a text never seen, with an empty memory of pieces. "again": the same text once more, as a document that is
re-encoded. Ours includes byte spans and kinds; the libraries give bare ids (tokenizers: with its offsets). Every run
checks that the ids are tiktoken's.
"""

from __future__ import annotations

import argparse

from corpus import TEXTS, cpu
from peers import as_tiktoken, as_tokenizers

from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.formats.bundled import load_bundled


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--vocabulary", nargs="*", default=["o200k_base", "cl100k_base"])
    arguments.add_argument("--size", type=int, default=1_000_000)
    arguments.add_argument("--times", type=int, default=3)
    asked = arguments.parse_args()
    print(f"{'':24}{'first':>8}{'again':>8}{'split':>8}{'tiktoken':>10}{'tokenizers':>12}"
          "   first/tt again/tt first/tok")
    for name in asked.vocabulary:
        bundled = load_bundled(name)
        tt, hf = as_tiktoken(bundled), as_tokenizers(bundled)
        for kind, make in TEXTS.items():
            text = make(asked.size)
            data = text.encode()
            made: list[ByteLevelTokenizer] = []

            def fresh(base: ByteLevelTokenizer = bundled, made: list[ByteLevelTokenizer] = made) -> None:
                made[:] = [ByteLevelTokenizer(base.name, base.format, base.sha256, base.vocabulary, base.splitter)]
                made[0].engine.merger, made[0].engine.reach  # tables are made when first asked for

            first = cpu(lambda: made[0].encode(data), asked.times, fresh)  # noqa: B023
            again = cpu(lambda: made[0].encode(data), asked.times)  # noqa: B023
            split = cpu(lambda: made[0].pre_tokens(data), asked.times)  # noqa: B023
            theirs = cpu(lambda: tt.encode_ordinary(text), asked.times)  # noqa: B023
            other = cpu(lambda: hf.encode(text, add_special_tokens=False), 1)  # noqa: B023
            assert made[0].encode(data).ids.tolist() == tt.encode_ordinary(text)
            mega = len(data) / 1e6
            print(f"{name:14}{kind:10}{first / mega:8.3f}{again / mega:8.3f}{split / mega:8.3f}{theirs / mega:10.3f}"
                  f"{other / mega:12.3f}   {theirs / first:8.2f} {theirs / again:8.2f} {other / first:9.2f}")


if __name__ == "__main__":
    main()
