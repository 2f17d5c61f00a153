"""Rows of a vocabulary, or of its merges, as CSV, JSON or Markdown, in slices: what a table shows, for use elsewhere.

    >>> text = export(index, index.search(Filter("hello")), ("id", "text", "bytes"), "csv")
    >>> text.splitlines()[0]
    'id,text,bytes'

Bytes are lower-case hex. Text is what the bytes decode to, U+FFFD for those that are no UTF-8; in Markdown, spaces and
controls are signs; in CSV, what a spreadsheet would run as a formula has an apostrophe in front (csv_text.py). Parts
are ids, with their text in columns of their own ("left_text").
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .csv_text import csv_rows
from .lineage_merges import MergeIndex
from .query import VocabularyIndex
from .scripts import Utf8Class
from .tables import code_span, readable
from .vocabulary import Int64s, TokenKind

FORMATS = ("csv", "json", "markdown")
#: Rows of one slice: some 5 to 10 ms.
SLICE = 1024
_TEXTS = ("text", "raw", "left_text", "right_text", "result_text")
_NUMBERS = ("id", "length", "score", "rank", "left", "right", "result")


def export(index: VocabularyIndex, rows: Int64s, columns: Sequence[str], format: str) -> str:
    """All of it at once. columns: of query.COLUMNS, and "raw", the spelling in the file."""
    *_, text = export_steps(index, rows, columns, format)
    assert isinstance(text, str)
    return text


def export_steps(
    index: VocabularyIndex, rows: Int64s, columns: Sequence[str], format: str,
) -> Iterator[float | str]:
    """The same in slices: progress 0..1, at last the text."""
    names = [n for c in columns for n in ((c, f"{c}_text") if c in ("left", "right") else (c,))]
    yield from _written(names, rows, lambda row: _values(index, row, names), format)


def export_merges_steps(table: MergeIndex, rows: Int64s, format: str) -> Iterator[float | str]:
    """Rows of the merge table in slices: rank, the three tokens with their texts, whether it ever fires."""
    names = ["rank", *(n for part in ("left", "right", "result") for n in (part, f"{part}_text")), "fires"]
    lineage, v = table.lineage, table.index.vocabulary

    def values(row: int) -> list[Any]:
        out: list[Any] = [int(lineage.ranks[row])]
        for ids in (lineage.merges.left, lineage.merges.right, lineage.merges.result):
            out += [int(ids[row]), (v.bytes_of(int(ids[row])) or b"").decode("utf-8", "replace")]
        return [*out, "never" if lineage.dead[row] else "yes"]

    yield from lineage.firing_steps()
    yield from _written(names, rows, values, format)


def _written(
    names: Sequence[str], rows: Int64s, values_of: Callable[[int], list[Any]], format: str,
) -> Iterator[float | str]:
    parts: list[str] = []
    if format == "csv":
        parts.append(",".join(names) + "\n")
    elif format == "markdown":
        parts.append(f"| {' | '.join(n.replace('_', ' ') for n in names)} |\n")
        parts.append(f"|{'|'.join('--:' if n in _NUMBERS else '---' for n in names)}|\n")
    for first in range(0, len(rows), SLICE):
        values = list(map(values_of, rows[first : first + SLICE].tolist()))
        if format == "csv":
            parts.append(csv_rows(values))
        elif format == "json":
            lines = [json.dumps(dict(zip(names, map(_finite, v), strict=True)), ensure_ascii=False) for v in values]
            parts.append((",\n" if first else "[\n") + ",\n".join(lines))
        else:
            parts += [_markdown(names, v) for v in values]
        yield min(1.0, (first + SLICE) / len(rows))
    if format == "json":
        parts.append("\n]\n" if len(rows) else "[]\n")
    yield "".join(parts)


def _finite(value: Any) -> Any:
    """JSON has no word for a score that is no number or without end: null."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _values(index: VocabularyIndex, row: int, names: Sequence[str]) -> list[Any]:
    v = index.vocabulary
    piece = v.bytes_at(row)
    out: list[Any] = []
    for name in names:
        if name in ("left", "right", "rank"):
            number = int({"left": index.left, "right": index.right, "rank": index.ranks}[name][row])
            out.append(number if number >= 0 else None)
        elif name in ("left_text", "right_text"):
            part = int((index.left if name == "left_text" else index.right)[row])
            out.append((v.bytes_of(part) or b"").decode("utf-8", "replace") if part >= 0 else None)
        elif name == "id":
            out.append(int(v.ids[row]))
        elif name == "text":
            out.append(piece.decode("utf-8", "replace"))
        elif name == "raw":
            out.append(v.raw_at(row).encode("utf-8", "backslashreplace").decode("utf-8"))
        elif name == "bytes":
            out.append(piece.hex())
        elif name == "length":
            out.append(len(piece))
        elif name == "kind":
            out.append(TokenKind(int(v.kinds[row])).word)
        elif name == "score":
            out.append(None if v.scores is None else float(v.scores[row]))
        elif name == "script":
            out.append(index.script_name(row))
        else:
            out.append(Utf8Class(int(index.classes[row])).word)
    return out


def _markdown(names: Sequence[str], values: list[Any]) -> str:
    cells = []
    for name, value in zip(names, values, strict=True):
        if value is None:
            cells.append("")
        elif name in _TEXTS:
            cells.append(code_span(readable(value.encode("utf-8"))))
        elif name == "bytes":
            cells.append(f"`{bytes.fromhex(value).hex(' ')}`" if value else "")
        else:
            cells.append(f"{value:g}" if isinstance(value, float) else str(value))
    return f"| {' | '.join(cells)} |\n"
