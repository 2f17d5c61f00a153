"""`tokenloupe encode`: ids, tokens with byte spans, counts and the round-trip verdict."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tokenloupe.core.vocabulary import TokenKind

from . import common

NAME = "encode"
KINDS = tuple(kind.word for kind in TokenKind)
HELP = "text (or any bytes) to token ids, with byte spans and the round-trip verdict"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_tokenizer_arguments(parser)
    common.add_text_arguments(parser)
    common.add_special_arguments(parser)
    parser.add_argument("--case", metavar="F", help="what a case file (.loupe) holds: is it still so?")
    parser.add_argument("--save-case", metavar="F", help="write text, tokenizer, settings and ids as a case file")
    out = parser.add_mutually_exclusive_group()
    out.add_argument("--json", action="store_true", help="one JSON document")
    out.add_argument("--ids", action="store_true", help="just the ids, space separated")
    out.add_argument(
        "--jsonl", metavar="FILE", help='lines {"text": ..} or {"hex": ..} in (-: standard input), {"ids": [..]} out'
    )


def run(args: argparse.Namespace) -> int:
    special = common.special_mode(args)
    if args.case is not None:
        return _case(args, special)
    if args.jsonl is not None:
        return _lines(args, special)
    data = common.read_input(args)
    tokenizer = common.load_tokenizer(args)
    if args.save_case is not None:
        _save_case(args, tokenizer, data, special)
    _tell(args, tokenizer, data, special, args.bos_eos, {})
    return 0


def _tell(args: argparse.Namespace, tokenizer: Any, data: bytes, special: Any, bos_eos: bool,
          more: dict[str, Any]) -> None:
    if args.ids:
        ids = tokenizer.encode_ids(data, special=special, bos_eos=bos_eos)
        common.print_text(" ".join(map(str, ids.tolist())))
        return
    encoding = tokenizer.encode(data, special=special, bos_eos=bos_eos)
    if args.json:
        common.print_json({**report(tokenizer, encoding), **more})
    else:
        _print(tokenizer, encoding)


def _save_case(args: argparse.Namespace, tokenizer: Any, data: bytes, special: Any) -> None:
    from tokenloupe.cases import save_case

    name = Path(args.file).name if args.file is not None else ""
    try:
        save_case(args.save_case, tokenizer, data, special=special, bos_eos=args.bos_eos, name=name)
    except common.InputError as error:
        raise common.FileError(args.save_case, error) from error


def _case(args: argparse.Namespace, special: Any) -> int:
    """Exit status 0 when the case holds; 1 and what differs on stderr when it does not, after what there is now."""
    from tokenloupe.cases import open_case

    others = args.text, args.file, args.hex, args.jsonl, args.save_case, args.pattern
    chosen = args.tokenizer != common.DEFAULT_TOKENIZER
    if any(other is not None for other in others) or chosen or special != "text" or args.bos_eos:
        return common.usage("--case brings its text, tokenizer and settings: give none beside it")
    try:
        opened = open_case(args.case)
    except common.InputError as error:
        raise common.FileError(args.case, error) from error
    case, tokenizer = opened.case, opened.tokenizer
    problem = common.InputError("; ".join(opened.problems))
    if tokenizer is None:
        raise common.FileError(args.case, problem)
    try:
        _tell(args, tokenizer, case.data, case.special, case.bos_eos,
              {"case": {"same": opened.same, "problems": list(opened.problems)}})
    except common.InputError as error:
        raise common.FileError(args.case, error) from error
    if not opened.same:
        common.complain(common.FileError(args.case, problem))
        return 1
    if not (args.json or args.ids):
        common.print_text("the case holds: the very tokenizer, and the same ids")
    return 0


def _lines(args: argparse.Namespace, special: Any) -> int:
    if args.text is not None or args.file is not None or args.hex is not None or args.save_case is not None:
        return common.usage("--jsonl takes its texts from FILE: give no TEXT, --file, --hex or --save-case beside it")
    tokenizer = common.load_tokenizer(args)
    name = common.file_name(args.jsonl)
    out = sys.stdout.buffer
    for number, row in common.json_lines(args.jsonl, common.TEXT_LINE):
        data = common.line_bytes(row, number, name)
        ids = tokenizer.encode_ids(data, special=special, bos_eos=args.bos_eos)
        out.write(common.dumps({"ids": np.ascontiguousarray(ids)}) + b"\n")  # (orjson takes no other array)
    return 0


def _rows(encoding: Any) -> Iterator[tuple[int, int, int, int]]:
    """id, start, end, kind of each token."""
    return zip(encoding.ids.tolist(), encoding.starts.tolist(), encoding.ends.tolist(), encoding.kinds.tolist(),
               strict=True)


def describe(tokenizer: Any) -> dict[str, Any]:
    """The "tokenizer" key of every JSON answer."""
    return {
        "name": tokenizer.name,
        "format": tokenizer.format,
        "sha256": tokenizer.sha256,
        "vocab_size": len(tokenizer.vocabulary),
        "max_id": tokenizer.vocabulary.size - 1,
        "warnings": list(tokenizer.warnings),
    }


def report(tokenizer: Any, encoding: Any) -> dict[str, Any]:
    """The JSON document."""
    from tokenloupe.core.text import counts

    count = counts(encoding.data)
    shown = {i: ((piece := encoding.vocabulary.bytes_of(i) or b"").hex(), piece.decode("utf-8", "replace"))
             for i in np.unique(encoding.ids).tolist()}
    return {
        "tokenizer": describe(tokenizer),
        "ids": encoding.ids.tolist(),
        "tokens": [
            {"id": i, "bytes": shown[i][0], "text": shown[i][1], "start": start, "end": end, "kind": KINDS[kind]}
            for i, start, end, kind in _rows(encoding)
        ],
        "counts": {
            "tokens": len(encoding),
            "bytes": count.bytes,
            "code_points": count.code_points,
            "graphemes": count.graphemes,
        },
        "roundtrip": {
            "exact": encoding.exact,
            "lost": [{"start": x.start, "end": x.end, "stage": x.stage} for x in encoding.lost],
        },
    }


def _print(tokenizer: Any, encoding: Any) -> None:
    from tokenloupe.core.text import counts
    from tokenloupe.core.wording import count_of

    from .segmentation import segmentation, token_text

    common.print_text(segmentation(encoding, colour=common.colours()))
    common.print_text()
    width = max([2, *(len(str(i)) for i in encoding.ids.tolist())])
    common.print_text(f"{'#':>5}  {'id':>{width}}  {'span':>11}  {'kind':<8}{'bytes':<26}text")
    shown: dict[int, str] = {}
    for index, (i, start, end, kind) in enumerate(_rows(encoding)):
        if i not in shown:
            piece = encoding.vocabulary.bytes_of(i) or b""
            hexed = piece.hex(" ") if len(piece) <= 8 else f"{piece[:7].hex(' ')} .."
            shown[i] = f"{hexed:<26}{token_text(piece)}"
        span = f"{start}:{end}"
        common.print_text(f"{index:>5}  {i:>{width}}  {span:>11}  {KINDS[kind]:<8}{shown[i]}")
    count = counts(encoding.data)
    per = f", {count.bytes / len(encoding):.2f} bytes a token" if len(encoding) else ""
    common.print_text()
    common.print_text(
        f"{tokenizer.name}: {count_of(len(encoding), 'token')}, {count_of(count.bytes, 'byte')}, "
        f"{count_of(count.code_points, 'code point')}, {count_of(count.graphemes, 'grapheme')}{per}"
    )
    if encoding.exact:
        common.print_text("round trip: exact")
    for lost in encoding.lost:
        piece = encoding.data[lost.start : lost.end]
        common.print_text(
            f"round trip: bytes {lost.start}:{lost.end} ({piece[:16].hex(' ')}{' ..' if len(piece) > 16 else ''}) "
            f"are lost at {lost.stage}"
        )
