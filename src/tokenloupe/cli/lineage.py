"""`tokenloupe lineage ID`: how a token is built, and what it feeds."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tokenloupe.core.errors import InputError

from . import common

if TYPE_CHECKING:
    from tokenloupe.core.lineage import Lineage, Node

NAME = "lineage"
HELP = "how a token is built by merges, and which tokens are built of it"

#: Lines of tokens that are fed, shown to people; --json gives all.
SHOWN = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_tokenizer_arguments(parser)
    parser.add_argument("id", metavar="ID", help="a token id")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    from tokenloupe.core.lineage import Lineage
    from tokenloupe.core.query import VocabularyIndex

    digits = args.id.strip()
    if not (digits.isascii() and digits.isdigit()):
        return common.usage(f"argument ID: {args.id!r} is no token id")
    tokenizer = common.load_tokenizer(args, vocabulary_will_do=True)
    token_id = int(digits[:30])
    if token_id not in tokenizer.vocabulary:
        raise InputError(f"{tokenizer.name} has no token {digits}",
                         todo=f"its largest id is {tokenizer.vocabulary.size - 1}")
    lineage = Lineage(VocabularyIndex(tokenizer))
    if args.json:
        common.print_json(report(lineage, token_id))
    else:
        _print(lineage, token_id)
    return 0


def report(lineage: Lineage, token_id: int) -> dict[str, Any]:
    """The JSON document."""
    built = lineage.built(token_id)
    return {
        "id": token_id,
        "bytes": built.bytes.hex(),
        "built": _tree(built),
        "feeds": lineage.feeds(token_id).tolist(),
        "derived": lineage.derived,
        "depth": built.depth,
        "alternatives": [
            {"left": d.left, "right": d.right, "rank": None if d.rank < 0 else d.rank, "status": d.status}
            for d in lineage.alternatives(token_id)
        ],
        "dead_merges": [int(m) for m in lineage.merges_using(token_id) if lineage.dead[m]],
    }


def _tree(node: Node) -> dict[str, Any]:
    return {"id": node.id, "bytes": node.bytes.hex(), "rank": None if node.rank < 0 else node.rank,
            "children": [_tree(c) for c in node.children]}


def _print(lineage: Lineage, token_id: int) -> None:
    from tokenloupe.core.tables import readable

    def show(i: int) -> str:
        return f"{i} {readable(lineage.vocabulary.bytes_of(i) or b'')}"

    if not len(lineage.merges):
        common.print_text(f"{show(token_id)}: this model has no merges")
        return
    note = " (derived: the file holds no merges)" if lineage.derived else ""
    common.print_text(f"built{note}")

    def branch(node: Node, indent: str, last: bool, top: bool) -> None:
        rank = f"  rank {node.rank}" if node.rank >= 0 else ""
        mark = "" if top else ("└─ " if last else "├─ ")
        common.print_text(f"  {indent}{mark}{show(node.id)}{rank}")
        inner = indent if top else indent + ("   " if last else "│  ")
        for number, child in enumerate(node.children, 1):
            branch(child, inner, number == len(node.children), False)

    branch(lineage.built(token_id), "", True, True)
    others = [d for d in lineage.alternatives(token_id) if d.status != "used"]
    if others:
        common.print_text("other ways to put it together")
        for d in others:
            rank = f"  rank {d.rank}" if d.rank >= 0 else ""
            common.print_text(f"  {show(d.left)}  +  {show(d.right)}{rank}  ({d.status})")
    feeds = lineage.feeds(token_id).tolist()
    common.print_text(f"feeds {len(feeds)} tokens")
    for i in feeds[:SHOWN]:
        common.print_text(f"  {show(i)}")
    if len(feeds) > SHOWN:
        common.print_text(f"  .. and {len(feeds) - SHOWN} more (--json lists all)")
