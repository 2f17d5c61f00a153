"""`tokenloupe memory`: what a model's weights need at f16, int8, int4 and Q4_0, and whether int8 or int4 fits."""

from __future__ import annotations

import argparse

from tokenloupe.core.errors import InputError
from tokenloupe.tensors.memory import estimate, parse_bytes, parse_count

from . import common
from .tensors import size_text

NAME = "memory"
HELP = "how much memory a model's weights need at each width, and which fits"


def number(text: str) -> int:
    """A whole number of weights, also as 7B or 7e9, as argparse asks for it."""
    try:
        return parse_count(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def byte_count(text: str) -> int:
    """A number of bytes, also as 6GiB or 8 GB."""
    try:
        return parse_bytes(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--params", type=number, required=True, metavar="N", help="weights of the model (7B, 7e9)")
    parser.add_argument("--embedding", type=number, default=0, metavar="N",
                        help="weights of its token embedding, part of N")
    parser.add_argument("--budget", type=byte_count, metavar="BYTES", help="memory there is (8GiB)")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    e = estimate(args.params, args.embedding, args.budget)
    if args.json:
        common.print_json({
            "f16": e.f16, "int8": e.int8, "int4": e.int4, "chosen": e.chosen or None, "why": e.why, "q4_0": e.q4_0,
            "int4_all": e.int4_all, "params": e.params, "embedding": e.embedding, "budget": e.budget,
        })  # fmt: skip
        return 0
    for name, size, note in (
        ("f16", e.f16, "2 bytes a weight"),
        ("int8", e.int8, "34/32: a 16-bit scale per 32 weights"),
        ("int4", e.int4, "34/64: a 16-bit scale per 64 weights; the embedding at int8"),
        ("q4_0", e.q4_0, "18/32: a 16-bit scale per 32 weights"),
    ):
        mark = "*" if name == e.chosen else " "
        common.print_text(f"{mark} {name:<5} {size:>22,} bytes  {size_text(size):>10}   {note}")
    common.print_text(e.why)
    return 0
