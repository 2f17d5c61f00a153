"""Where "Go to" goes: `120` is a byte offset, `#14` a token, `:3` a line (from 1). Hexadecimal bytes are `0x78`.

    go_to(session, "#14")       # selects token 14 everywhere; InputError says why it cannot
"""

from __future__ import annotations

from ..core.errors import InputError
from ..core.wording import count_of
from ..models.session import Session
from ..views.row_cut import line_ends


def go_to(session: Session, text: str) -> None:
    text = text.strip()
    kind, digits = (text[:1], text[1:]) if text[:1] in ("#", ":") else ("", text)
    try:
        number = int(digits.replace(",", "").replace("_", ""), 0 if digits[:2].lower() == "0x" else 10)
    except ValueError:
        raise InputError(f"{text!r} is no place", todo="type a byte offset, #token or :line") from None
    if kind == "#":
        _token(session, number)
    elif kind == ":":
        _line(session, number)
    else:
        if not 0 <= number <= len(session):
            raise InputError(f"there is no byte {number:,}", todo=f"the text has {count_of(len(session), 'byte')}")
        session.select(number, number)


def _token(session: Session, index: int) -> None:
    count = session.document.token_count
    if not 0 <= index < count:
        raise InputError(f"there is no token {index:,}", todo=f"the text has {count_of(count, 'token')}, from 0")
    window = session.document.tokens(index, index + 1)
    session.select(int(window.starts[0]), int(window.ends[0]))


def _line(session: Session, number: int) -> None:
    """The lines that the editor numbers."""
    ends = line_ends(session.data)
    if not 1 <= number <= len(ends) + 1:
        raise InputError(f"there is no line {number:,}", todo=f"the text has {count_of(len(ends) + 1, 'line')}")
    at = int(ends[number - 2]) if number > 1 else 0
    session.select(at, at)
