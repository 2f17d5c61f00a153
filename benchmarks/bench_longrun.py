"""One pre-token of a megabyte beside tiktoken: letters, spaces, a period, CJK without a space, random bytes.

    .venv/bin/python benchmarks/bench_longrun.py [--size 1048576] [--vocabulary o200k_base]

tiktoken is asked for the merges of the piece alone (`_encode_single_piece`); its `encode` of a megabyte of spaces ends
in a stack overflow of its pattern, of ours it does not. "edit": a letter put into the middle of the CJK run, encoded
between the two nearest cuts.
"""

from __future__ import annotations

import argparse
import random

from corpus import cjk, cpu
from peers import as_tiktoken

from tokenloupe.formats.bundled import load_bundled


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--size", type=int, default=1 << 20)
    arguments.add_argument("--vocabulary", default="o200k_base")
    asked = arguments.parse_args()
    size = asked.size
    tokenizer = load_bundled(asked.vocabulary)
    theirs = as_tiktoken(tokenizer)
    rnd = random.Random(1)
    letters = bytes(rnd.choices(b"abcdefghijklmnopqrstuvwxyz", k=size))
    pieces = {"one letter": b"a" * size, "spaces": b" " * size, "=-": b"=-" * (size // 2), "cjk": cjk(size).encode(),
              "random letters": letters, "random bytes": rnd.randbytes(size)}
    print(f"cuts table made in {cpu(lambda: tokenizer.engine.reach, 1):.2f} s, once")
    for name, piece in pieces.items():
        mine = cpu(lambda: tokenizer.engine.encode_huge(piece), 3)  # noqa: B023
        other = cpu(lambda: theirs._encode_single_piece(piece), 1)  # noqa: B023
        assert tokenizer.engine.encode_huge(piece).tolist() == theirs._encode_single_piece(piece)
        whole = cpu(lambda: tokenizer.encode(piece), 1)  # noqa: B023
        print(f"{name:16} merges {mine:7.3f} s  tiktoken {other:7.3f} s  ratio {other / mine:6.2f}   "
              f"whole encode with spans {whole:.3f} s")
    piece = pieces["cjk"]
    middle = size // 6 * 3

    def edit() -> None:
        changed = piece[:middle] + "字".encode() + piece[middle:]
        cuts = tokenizer.piece_cuts(changed, middle - 600, middle + 600).tolist()
        left = [c for c in cuts if c <= middle - tokenizer.reach][-1]
        right = next(c for c in cuts if c >= middle + 3 + tokenizer.reach)
        tokenizer.encode_part(changed[left:right])

    print(f"{'edit in cjk':16} {cpu(edit, 9) * 1000:.2f} ms")


if __name__ == "__main__":
    main()
