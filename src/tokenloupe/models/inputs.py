"""Input as hex, escapes, ids, text or a file: what was typed is kept, what it means is said, and it becomes the text.

    draft = InputDraft.of(session)           # one a window: a dialog that is closed loses nothing
    draft.texts["hex"] = "48 69"
    given = read(draft.kind, draft.text, session)      # InputError: one sentence with its place
    put(session, given.data, replace=True)             # one step of Undo
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ..core.errors import InputError
from ..core.inputs import KINDS, Canonical, canonical, decode_ids, parse_ids, specials_in
from ..core.wording import count_of
from .readable import readable

if TYPE_CHECKING:
    from ..core.tokenizer import Tokenizer
    from .session import Session

#: Kind -> (title, what to write).
TITLES: dict[str, tuple[str, str]] = {
    "hex": ("Hex bytes", "Two hex digits a byte: 48 69, 0x48 0x69, \\x48\\x69 or 4869"),
    "escaped": ("Escaped text", "Text with \\n \\t \\\\ \\xNN (a byte), \\uNNNN and \\u{N…} (a code point)"),
    "ids": ("Token ids", "Whole numbers, as 15496, 995 or [15496, 995]"),
    "text": ("Text", "Text, as it is; line ends are \\n"),
    "file": ("File", "The bytes of a file, whatever they are"),
}
#: A larger file would not fit into memory several times.
LARGEST = 512 << 20
#: Ids are compared with the tokenizer's own up to so many.
COMPARED = 100_000


class InputDraft(QObject):
    """What was typed in each kind, kept with the session. replace: the whole text, or at the caret."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.kind = "hex"
        self.texts = dict.fromkeys(TITLES, "")
        self.replace = True

    @classmethod
    def of(cls, session: Session) -> InputDraft:
        found = session.findChild(cls)
        return found if isinstance(found, cls) else cls(session)

    @property
    def text(self) -> str:
        return self.texts[self.kind]


@dataclass(frozen=True, slots=True)
class Given:
    """data: the bytes. canonical: of ids, whether they are the tokenizer's own; None for other kinds and where it
    cannot be told. unknown: ids that no token has."""

    data: bytes
    canonical: Canonical | None = None
    unknown: tuple[int, ...] = ()


def read(kind: str, text: str, session: Session) -> Given:
    """What was typed as bytes. InputError when it cannot be read."""
    if kind == "file":
        return Given(read_file(text))
    if kind != "ids":
        return Given(KINDS[kind](text))
    ids = parse_ids(text)
    if not session.ready:
        raise InputError("there is no tokenizer yet", todo="choose one, then give its ids")
    tokenizer = session.tokenizer
    data, unknown = decode_ids(tokenizer, ids)
    found = None
    if len(ids) <= COMPARED:
        try:
            found = canonical(tokenizer, ids, specials_in(tokenizer, ids) or "text")
        except InputError:  # the text of these ids is one that the tokenizer refuses
            found = None
    return Given(data, found, tuple(unknown))


def read_file(name: str) -> bytes:
    """A file's bytes. InputError when there is none, it cannot be read or is too large."""
    if not name.strip():
        raise InputError("no file is named", todo="write its path, or browse for it")
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path.name} is no file", todo="choose a file")
        size = path.stat().st_size
        if size > LARGEST:
            raise InputError(f"{size:,} bytes are too many for a text", where=path.name,
                             todo=f"files up to {LARGEST >> 20} MiB are shown")
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a zero character in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path.name} cannot be read ({reason})", todo="check the path and its permissions") from error


def put(session: Session, data: bytes, replace: bool) -> None:
    """The bytes become the text, or stand where the selection is; one step of Undo."""
    start, end = (0, len(session)) if replace else session.selection
    session.edit(start, end - start, data, "paste")


def verdict(given: Given, tokenizer: Tokenizer | None) -> tuple[str, str]:
    """(one of "good", "warn", "quiet", a sentence) on what was typed; of ids, whether they are canonical."""
    lines, tone = [], "quiet"
    if given.unknown:
        shown = ", ".join(map(str, given.unknown[:6])) + (", …" if len(given.unknown) > 6 else "")
        lines.append(f"No token has the id{'s' if len(given.unknown) > 1 else ''} {shown}: nothing stands for "
                     f"{'them' if len(given.unknown) > 1 else 'it'}.")
        tone = "warn"
    found = given.canonical
    if found is not None and tokenizer is not None and found.ids:
        if found.same:
            lines.append("Canonical: the tokenizer makes these ids of their text.")
            tone = "good"
        else:
            at = found.first or 0
            place = "" if found.byte_pos is None else f", byte {found.byte_pos:,}"
            ours, own = found.at("given", at), found.at("own", at)
            here = "these end" if ours is None else f"here {_named(tokenizer, ours)}"
            there = "the tokenizer's own end" if own is None else f"the tokenizer's own {_named(tokenizer, own)}"
            lines.append(f"Not canonical. At index {at:,}{place}: {here}, {there}; "
                         f"{count_of(len(found.ids), 'id')} here, {len(found.own):,} its own.")
            tone = "warn"
    return tone, " ".join(lines)


def _named(tokenizer: Tokenizer, token_id: int) -> str:
    piece = tokenizer.token_bytes(token_id) if token_id in tokenizer.vocabulary else None
    return f"{token_id} (no such token)" if piece is None else f"{token_id} “{readable(piece, 24)}”"


def summary(data: bytes) -> str:
    """How many bytes, and whether they are UTF-8: "3 bytes, 1 code point", "2 bytes, not UTF-8 at byte 1"."""
    size = count_of(len(data), "byte")
    try:
        points = len(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return f"{size}, not UTF-8 at byte {error.start:,}"
    return f"{size}, {count_of(points, 'code point')}"


def position(error: InputError, text: str) -> int | None:
    """Where in the text an error is, as an index; None where it does not say."""
    if match := re.fullmatch(r"character (\d+)", error.where):
        return int(match[1]) - 1
    if match := re.fullmatch(r"line (\d+), column (\d+)", error.where):
        lines = text.split("\n")[: int(match[1]) - 1]
        return sum(len(x) + 1 for x in lines) + int(match[2]) - 1
    return None
