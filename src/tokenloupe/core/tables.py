"""The tokens of an encoding as rows of text, for Markdown and other tables that people paste elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from .segments import characters, completeness
from .tokenizer import Encoding

#: Rows made between two looks at the event loop.
AT_ONCE = 500

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


def rows(encoding: Encoding, first_token: int = 0, byte_start: int = 0) -> Iterator[tuple[str, ...]]:
    """One row a token, columns as HEAD. first_token, byte_start: where the encoding stands in its document."""
    for index in range(len(encoding)):
        t = encoding.token(index)
        yield (
            str(t.index + first_token),
            str(t.id),
            f"{t.start + byte_start}:{t.end + byte_start}",
            t.bytes.hex(" "),
            readable(t.bytes),
            t.kind.word,
            completeness(t.bytes).word,
        )


def markdown(encoding: Encoding) -> str:
    """A GitHub-flavoured Markdown table; every cell that could be read as markup is a code span."""
    return "".join(part for part in markdown_steps(encoding) if isinstance(part, str))


def markdown_steps(encoding: Encoding, first_token: int = 0, byte_start: int = 0) -> Iterator[float | str]:
    """The table in pieces that belong together, and progress 0..1 in between."""
    yield "| # | id | span | bytes | text | kind | |\n|--:|--:|--:|---|---|---|---|\n"
    lines = []
    for done, (index, token_id, span, hexed, text, kind, note) in enumerate(rows(encoding, first_token, byte_start), 1):
        lines.append(f"| {index} | {token_id} | {span} | `{hexed}` | {code_span(text)} | {kind} | {note} |\n")
        if len(lines) == AT_ONCE:
            yield "".join(lines)
            yield done / len(encoding)
            lines.clear()
    yield "".join(lines)


def code_span(text: str) -> str:
    """A Markdown code span in a table cell: pipes escaped, the fence longer than any run of backticks."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", "\\|") if text else ""
