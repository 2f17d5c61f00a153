"""`tokenloupe decode`: ids back to bytes and text; ids that no token has are named, not guessed."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tokenloupe.core.errors import InputError

from . import common

NAME = "decode"
HELP = "token ids to bytes and text"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_tokenizer_arguments(parser)
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="token ids, separated by spaces or commas; -: standard input"
    )
    out = parser.add_mutually_exclusive_group()
    out.add_argument("--json", action="store_true", help="one JSON document")
    out.add_argument(
        "--jsonl", metavar="FILE", help='lines {"ids": [..]} in (-: standard input), {"bytes", "text"} out'
    )


def run(args: argparse.Namespace) -> int:
    if args.jsonl is not None:
        return _lines(args)
    from .segmentation import token_text

    ids = parse_ids(args.ids)
    tokenizer = common.load_tokenizer(args)
    answer = report(tokenizer, ids)
    if args.json:
        common.print_json(answer)
        return 0
    common.print_text(answer["text"])
    for token in answer["tokens"]:
        piece = None if token["bytes"] is None else bytes.fromhex(token["bytes"])
        shown = f"{piece.hex(' '):<30}  {token_text(piece)}" if piece is not None else "no such token"
        common.print_text(f"{token['id']:>10}  {shown}")
    if not answer["unknown"] and (note := difference(answer["canonical"])) is not None:
        common.print_text(note)
    if answer["unknown"]:
        print(
            f"tokenloupe: note: no such token in {tokenizer.name}: {' '.join(map(str, answer['unknown']))}",
            file=sys.stderr,
        )
    return 0


def parse_ids(words: list[str]) -> list[int]:
    """Ids from the command line or standard input. InputError names the word that is no number."""
    from tokenloupe.core.inputs import parse_ids as parse

    return parse(sys.stdin.read() if words in ([], ["-"]) else " ".join(words))


def report(tokenizer: Any, ids: list[int]) -> dict[str, Any]:
    """The JSON document. A token of "unknown" id has null bytes and text.

    canonical: are the ids what the tokenizer makes of that text (special tokens among them matched)? "first": index of
    the first that is not, with the id "given" there and the tokenizer's "own" (null behind the end of either list).
    """
    from .encode import describe

    unknown = tokenizer.unknown_ids(ids)
    missing = set(unknown)
    data = tokenizer.decode([i for i in ids if i not in missing])
    tokens = []
    for token_id in ids:
        piece = None if token_id in missing else tokenizer.token_bytes(token_id)
        tokens.append(
            {
                "id": token_id,
                "bytes": None if piece is None else piece.hex(),
                "text": None if piece is None else piece.decode("utf-8", "replace"),
            }
        )
    return {
        "tokenizer": describe(tokenizer),
        "bytes": data.hex(),
        "text": data.decode("utf-8", "replace"),
        "tokens": tokens,
        "unknown": unknown,
        "canonical": canonical_form(tokenizer, ids),
    }


def canonical_form(tokenizer: Any, ids: list[int]) -> dict[str, Any] | None:
    """None where the tokenizer cannot encode the text (it has no token for a character and none for unknown ones)."""
    from tokenloupe.core.inputs import canonical, specials_in

    try:
        found = canonical(tokenizer, ids, specials_in(tokenizer, ids) or "text")
    except InputError:
        return None
    at = found.first
    if at is None:
        return {"same": True, "first": None}
    return {"same": False, "first": at, "given": found.at("given", at), "own": found.at("own", at), "ids": found.own}


def difference(canonical: dict[str, Any] | None) -> str | None:
    """A line for people where the ids are not the tokenizer's own, else None."""
    if canonical is None or canonical["same"]:
        return None
    given, own = ("the end" if canonical[k] is None else canonical[k] for k in ("given", "own"))
    return f"not canonical: encoding this text gives {own} at index {canonical['first']}, here is {given}"


def _lines(args: argparse.Namespace) -> int:
    if args.ids:
        return common.usage("--jsonl takes its ids from FILE: give no ID beside it")
    tokenizer = common.load_tokenizer(args)
    name = common.file_name(args.jsonl)
    for number, row in common.json_lines(args.jsonl, '{"ids": [1, 2]}'):
        ids = row.get("ids")
        if not isinstance(ids, list) or not all(isinstance(i, int) and not isinstance(i, bool) for i in ids):
            raise common.FileError(
                name,
                InputError(
                    'the line has no "ids" list of whole numbers', where=f"line {number}", todo='write {"ids": [1, 2]}'
                ),
            )
        missing = set(tokenizer.unknown_ids(ids))
        data = tokenizer.decode([i for i in ids if i not in missing])
        answer = {"bytes": data.hex(), "text": data.decode("utf-8", "replace")}
        if missing:
            answer["unknown"] = [i for i in ids if i in missing]
        sys.stdout.buffer.write(common.dumps(answer) + b"\n")
    return 0
