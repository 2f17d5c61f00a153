"""`tokenloupe vocab`: entries of a vocabulary by text, bytes, id or regular expression; its census and audit."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from . import common

if TYPE_CHECKING:
    from tokenloupe.core.audit import Audit
    from tokenloupe.core.query import Filter, VocabularyIndex
    from tokenloupe.core.vocabulary import Int64s

NAME = "vocab"
HELP = "search a vocabulary by text, bytes, id or pattern; audit it"

KINDS = ("normal", "special", "added", "byte", "unknown", "unused")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_tokenizer_arguments(parser)
    parser.add_argument("--id", metavar="N", help="an id, or ranges: 7,10-20,100-")
    parser.add_argument("--text", metavar="S", help="entries whose decoded text contains S")
    parser.add_argument("--raw", metavar="S", help="entries whose spelling in the file contains S (Ġthe, ▁the)")
    parser.add_argument("--bytes", metavar="HEX", help="entries that contain these bytes")
    parser.add_argument("--regex", metavar="R", help="entries whose decoded text matches R somewhere")
    parser.add_argument("-i", "--ignore-case", action="store_true", help="for --text, --raw and --regex")
    parser.add_argument("--script", metavar="NAME", help="entries with a character of the script (Latin, Han, ..)")
    parser.add_argument("--kind", choices=KINDS, help="entries of this kind")
    parser.add_argument("--length", metavar="A:B", help="entries of A to B bytes; either may be left out")
    parser.add_argument("--sort", choices=["id", "bytes", "length", "rank", "score", "text", "script"],
                        help="order of the rows (without it: exact matches first, then by id)")
    parser.add_argument("--reverse", action="store_true", help="the other way round")
    parser.add_argument("--limit", type=int, default=50, metavar="N",
                        help="rows at most, 0: all (default: %(default)s)")
    parser.add_argument("--audit", action="store_true",
                        help="census, entries no text produces, and what is odd; Markdown without --json")
    parser.add_argument("--against", metavar="NAME|PATH", help="compare with another vocabulary, by script")
    parser.add_argument("--json", action="store_true", help="one JSON document")


def run(args: argparse.Namespace) -> int:
    from tokenloupe.core.query import Filter, VocabularyIndex

    if args.limit < 0:
        return common.usage("argument --limit: a number of rows, 0 for all")
    if args.audit and args.against is not None:
        return common.usage("give --audit or --against")
    wanted = filters(args)
    if (args.audit or args.against is not None) and wanted != [Filter()]:
        return common.usage("--audit and --against are about all entries: give no search beside them")
    tokenizer = common.load_tokenizer(args, vocabulary_will_do=True)
    index = VocabularyIndex(tokenizer)
    if args.audit:
        return _audit(index, args)
    if args.against is not None:
        other = common.load_tokenizer(args, args.against, vocabulary_will_do=True)
        return _against(index, VocabularyIndex(other), args)
    rows = found(index, wanted, args)
    if args.json:
        common.print_json(report(index, rows, args.limit))
    else:
        _print(index, rows, args.limit)
    return 0


def filters(args: argparse.Namespace) -> list[Filter]:
    """One filter for each thing asked for: all must hold."""
    from tokenloupe.core.query import Filter
    from tokenloupe.core.vocabulary import TokenKind

    length = None if args.length is None else _length(args.length)
    kind = None if args.kind is None else TokenKind[args.kind.upper()]
    wanted = [Filter(script=args.script, kind=kind, length=length)]
    for mode, text in (("id", args.id), ("text", args.text), ("raw", args.raw), ("hex", args.bytes),
                       ("regex", args.regex)):
        if text is not None:
            wanted.append(Filter(text, mode=mode, ignore_case=args.ignore_case))  # type: ignore[arg-type]
    return wanted


def _length(text: str) -> tuple[int | None, int | None]:
    parts = text.split(":")
    if len(parts) > 2 or any(p and not (p.isascii() and p.isdigit() and len(p) < 10) for p in parts):
        raise SystemExit(common.usage(f"argument --length: {text!r} is neither A:B nor a number"))
    numbers = [int(p) if p else None for p in parts]
    return numbers[0], numbers[-1]


def found(index: VocabularyIndex, wanted: list[Filter], args: argparse.Namespace) -> Int64s:
    """The rows that fit all filters, in the order asked for."""
    keep = np.ones(len(index), np.bool_)
    for one in wanted:
        there = np.zeros(len(index), np.bool_)
        there[index.search(one)] = True
        keep &= there
    rows = np.flatnonzero(keep)
    if args.sort:
        return index.sort(rows, args.sort, args.reverse)
    exact = _exact(index, rows, args)
    rows = np.concatenate((rows[exact], rows[~exact]))
    return rows[::-1] if args.reverse else rows


def _exact(index: VocabularyIndex, rows: Int64s, args: argparse.Namespace) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows are exactly the bytes or the text asked for."""
    if args.bytes is not None:
        whole = common.parse_hex(args.bytes, "--bytes") if len("".join(args.bytes.split())) % 2 == 0 else b""
    elif args.text is not None:
        whole = common.argument_bytes(args.text)
    else:
        return np.zeros(len(rows), np.bool_)
    out = index.lengths[rows] == len(whole)
    for i in np.flatnonzero(out).tolist():
        out[i] = index.vocabulary.bytes_at(int(rows[i])) == whole
    return out


def entry(index: VocabularyIndex, row: int) -> dict[str, Any]:
    """One row of the JSON answer."""
    v = index.vocabulary
    piece = v.bytes_at(row)
    known = {"rank": int(index.ranks[row]), "left": int(index.left[row]), "right": int(index.right[row])}
    return {
        "id": int(v.ids[row]),
        "bytes": piece.hex(),
        "text": piece.decode("utf-8", "replace"),
        "kind": _kind(index, row),
        "score": None if v.scores is None else float(v.scores[row]),
        **{name: None if value < 0 else value for name, value in known.items()},
        "raw": v.raw_at(row) if v.raw_blob is not None else None,
        "script": index.script_name(row),
        "utf8": _utf8(index, row),
    }


def _kind(index: VocabularyIndex, row: int) -> str:
    from tokenloupe.core.vocabulary import TokenKind

    return TokenKind(int(index.vocabulary.kinds[row])).word


def _utf8(index: VocabularyIndex, row: int) -> str:
    from tokenloupe.core.scripts import Utf8Class

    return Utf8Class(int(index.classes[row])).word


def report(index: VocabularyIndex, rows: Int64s, limit: int) -> dict[str, Any]:
    """The JSON document."""
    shown = rows[:limit] if limit else rows
    return {
        "total": len(index),
        "matches": len(rows),
        "rows": [entry(index, r) for r in shown.tolist()],
        "warnings": [] if index.tokenizer is None else list(index.tokenizer.warnings),
        "parts": "none" if index.merges is None else "derived" if index.merges.derived else "merges",
    }


def _print(index: VocabularyIndex, rows: Int64s, limit: int) -> None:
    from tokenloupe.core.tables import readable

    shown = (rows[:limit] if limit else rows).tolist()
    scored = index.vocabulary.scores is not None
    width = max([2, *(len(str(int(index.vocabulary.ids[r]))) for r in shown)])
    common.print_text(f"{'id':>{width}}  {'kind':<8}{'length':>6}  {'score' if scored else 'rank':>10}  "
                      f"{'left + right':<17} {'script':<12} text")
    for row in shown:
        one = entry(index, row)
        parts = "" if one["left"] is None else f"{one['left']} + {one['right']}"
        number = one["score"] if scored else one["rank"]
        mark = "" if one["utf8"] in ("whole", "empty") else f"  ({one['utf8']})"
        common.print_text(
            f"{one['id']:>{width}}  {one['kind']:<8}{int(index.lengths[row]):>6}  "
            f"{'' if number is None else format(number, 'g' if scored else 'd'):>10}  {parts:<17} "
            f"{one['script']:<12} {readable(index.vocabulary.bytes_at(row))}{mark}"
        )
    more = f", {len(rows) - len(shown)} not shown" if len(shown) < len(rows) else ""
    derived = "; parts are derived from the ranks" if index.merges is not None and index.merges.derived else ""
    common.print_text(f"{len(rows)} of {len(index)} entries{more}{derived}")


def _audit(index: VocabularyIndex, args: argparse.Namespace) -> int:
    from tokenloupe.core.audit import Audit, audit_steps
    from tokenloupe.core.audit_report import markdown

    telling = sys.stderr.isatty() and not args.json
    done: Audit | None = None
    for step in audit_steps(index):
        if isinstance(step, Audit):
            done = step
        elif telling:
            print(f"\r{step:4.0%}", end="", file=sys.stderr, flush=True)
    if telling:
        print("\r    \r", end="", file=sys.stderr, flush=True)
    assert done is not None
    if args.json:
        common.print_json(audit_report(done))
    else:
        common.print_text(markdown(done))
    return 0


def audit_report(audit: Audit) -> dict[str, Any]:
    """The JSON document of --audit. "unreachable": the entries that their own text does not produce, with a text that
    does, or null and the proof that none does (or "none found" as the status)."""
    from tokenloupe.core.reach import Status

    found, vocabulary = audit.reach, audit.index.vocabulary
    suspects = np.flatnonzero(found.status != Status.OWN).tolist() if found.tried else []
    return {
        "census": asdict(audit.counts),
        "unreachable": [
            {
                "id": int(vocabulary.ids[row]),
                "witness": found.witnesses[row].decode("utf-8", "replace") if row in found.witnesses else None,
                "bytes": vocabulary.bytes_at(row).hex(),
                "status": Status(int(found.status[row])).name.lower().replace("_", " "),
                "proof": found.proofs.get(row),
                "special": "parse" if row in found.parsed else "text",
            }
            for row in suspects
        ],
        "limits": found.limits,
        "totals": audit.totals,
        "findings": [
            {
                "kind": f.kind, "severity": f.severity.word, "ids": list(f.ids), "what": f.what,
                "proof": f.proof or None, "witness": None if f.witness is None else f.witness.hex(),
            }
            for f in audit.findings
        ],
    }


def _against(left: VocabularyIndex, right: VocabularyIndex, args: argparse.Namespace) -> int:
    from tokenloupe.core.compare_vocabularies import VocabularyComparison
    from tokenloupe.core.tables import readable

    both = VocabularyComparison(left, right)
    limit = args.limit or None
    names = [getattr(x.tokenizer, "name", "") for x in (left, right)]
    if args.json:
        common.print_json({
            "tokenizers": names, **asdict(both.counts), "moved_ids": both.moved[:limit],
            "left_ids": both.only_left[:limit], "right_ids": both.only_right[:limit],
            "by_script": [{"script": s, "shared": a, "only_left": b, "only_right": c} for s, a, b, c in both.by_script],
        })
        return 0
    c = both.counts
    common.print_text(f"{c.shared} entries in both, {c.moved} of them with another id; "
                      f"{c.only_left} in {names[0]} alone, {c.only_right} in {names[1]} alone")
    common.print_text(f"{'script':<22}{'both':>9}{names[0][:16]:>18}{names[1][:16]:>18}")
    for script, shared, one, other in both.by_script:
        common.print_text(f"{script:<22}{shared:>9}{one:>18}{other:>18}")
    for name, index, ids in ((names[0], left, both.only_left), (names[1], right, both.only_right)):
        if len(ids):
            common.print_text(f"in {name} alone")
            for i in ids[:limit].tolist():
                common.print_text(f"  {i} {readable(index.vocabulary.bytes_of(i) or b'')}")
    return 0
