"""Rows as comma-separated values that every reader takes for the same rows, and no spreadsheet for a formula.

    >>> print(csv_rows([[1, "a,b"], [2, "=1+1"]]), end="")
    1,"a,b"
    2,'=1+1

The text of a token may be anything, and whoever made the tokenizer or the stream chose it. A spreadsheet runs a cell
that begins with = + - @ (also after a tab or a CR) as a formula, so a text that begins so, or with an apostrophe, gets
an apostrophe in front: take one leading apostrophe away and every text is exact. Numbers are as they are.

Source: RFC 4180 for the quoting; OWASP's advice on CSV injection for the apostrophe.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

#: The last four are the full-width forms, which some spreadsheets take for the same.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_QUOTED = frozenset(',"\r\n')


def csv_cell(value: Any) -> str:
    """One cell: None is empty, a text is guarded and quoted where needed, anything else is its str()."""
    if not isinstance(value, str):
        return "" if value is None else str(value)
    text: str = "'" + value if value.startswith(_FORMULA) else value
    # Python's csv writer leaves a lone CR bare when the lines end in LF: readers would see two rows.
    if not _QUOTED.isdisjoint(text) or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def csv_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as lines that end in LF."""
    return "".join(",".join(map(csv_cell, row)) + "\n" for row in rows)
