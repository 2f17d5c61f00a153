"""The tokens of an encoding as rows of text, for Markdown and other tables that people paste elsewhere."""

from __future__ import annotations

from .segments import characters, completeness
from .tokenizer import Encoding

HEAD = ("#", "id", "span", "bytes", "text", "kind", "")


def readable(piece: bytes) -> str:
    """A token's bytes on one line: characters as they are, spaces as ␣, controls by name, parts of characters as <hex>.

    >>> readable(b" hi\\n"), readable(b"\\xf0\\x9f")
    ('␣hi⏎', '<f0 9f>')
    """
    return "".join(
        f"<{part.hex(' ')}>" if isinstance(part, bytes) else "".join(map(mark, part)) for part in characters(piece)
    )


#: Characters that a line cannot show as themselves, and Unicode's own pictures of them where it has any.
_MARKS = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍", "\x7f": "␡", "\u00a0": "⍽"}


def mark(char: str) -> str:
    """One character, or the sign for it when it would not be seen."""
    if char in _MARKS:
        return _MARKS[char]
    if char < " ":
        return chr(0x2400 + ord(char))
    if char.isprintable():
        return char
    return f"[U+{ord(char):04X}]"


def rows(encoding: Encoding) -> list[tuple[str, ...]]:
    """One row a token, columns as HEAD."""
    table: list[tuple[str, ...]] = []
    for t in encoding.tokens:
        table.append(
            (
                str(t.index),
                str(t.id),
                f"{t.start}:{t.end}",
                t.bytes.hex(" "),
                readable(t.bytes),
                t.kind.word,
                completeness(t.bytes).word,
            )
        )
    return table


def markdown(encoding: Encoding) -> str:
    """A GitHub-flavoured Markdown table; every cell that could be read as markup is a code span."""
    lines = ["| # | id | span | bytes | text | kind | |", "|--:|--:|--:|---|---|---|---|"]
    for index, token_id, span, hexed, text, kind, note in rows(encoding):
        lines.append(f"| {index} | {token_id} | {span} | `{hexed}` | {code_span(text)} | {kind} | {note} |")
    return "\n".join(lines) + "\n"


def code_span(text: str) -> str:
    """A Markdown code span in a table cell: pipes escaped, the fence longer than any run of backticks."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", "\\|") if text else ""
