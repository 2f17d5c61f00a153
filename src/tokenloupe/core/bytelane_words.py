"""What is in a cell of the byte lane, in words: for the line beneath it, for tips, and for screen readers.

    >>> token_words(3, 9468, b"\\xf0\\x9f\\x91", 0)
    'token 3, id 9468, bytes f0 9f 91, partial: ends inside a character'
    >>> byte_words(1, b"\\xe6\\xad\\xaa")
    'byte 1, ad, continuation, byte 2 of 3 of U+6B6A CJK UNIFIED IDEOGRAPH-6B6A'

Every token says its id, its bytes, and whether these are whole characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import utf8
from .bytelane_stages import NormalChange
from .segments import completeness
from .text import decode_view
from .unicode_names import described
from .utf8 import ByteRole
from .vocabulary import TokenKind
from .wording import count_of

if TYPE_CHECKING:
    from .document import Document, TokenWindow

#: More bytes of a token or cluster are not read out.
MOST_BYTES = 24
#: More characters are not quoted.
MOST_TEXT = 60


def hex_words(data: bytes) -> str:
    """Bytes in hex; of many the first, and how many more there are."""
    if len(data) <= MOST_BYTES:
        return data.hex(" ") or "none"
    return f"{data[:MOST_BYTES].hex(' ')} and {len(data) - MOST_BYTES:,} more"


def point_words(point: int) -> str:
    """U+00E9 LATIN SMALL LETTER E WITH ACUTE"""
    return f"U+{point:04X} {described(point).name}"


def whole_words(data: bytes) -> str:
    """Are a token's bytes whole characters, and if not, at which end?"""
    return completeness(data).word or "whole"


def token_words(index: int, token_id: int, data: bytes, kind: int, span: tuple[int, int] | None = None,
                source: bytes | None = None) -> str:
    """A token. span: its bytes in the text; source: what stands there, told where the token has other bytes."""
    parts = [f"token {index:,}", f"id {token_id}", f"bytes {hex_words(data)}", whole_words(data)]
    if kind != TokenKind.NORMAL:
        parts.append(TokenKind(kind).word)
    if span is not None and span[0] == span[1]:
        parts.append("made of no byte of the text")
    elif source is not None and source != data:
        parts.append(f"made of {hex_words(source)}")
    return ", ".join(parts)


def words_of(document: Document, window: TokenWindow, k: int) -> str:
    """The k-th token of a window of the document."""
    token_id, span = int(window.ids[k]), (int(window.starts[k]), int(window.ends[k]))
    return token_words(window.first_index + k, token_id, document.tokenizer.token_bytes(token_id) or b"",
                       int(window.kinds[k]), span, document.store.bytes(*span))


def byte_words(byte_pos: int, around: bytes, base: int = 0) -> str:
    """One byte. around: bytes of the text from `base` on that hold it and, where there are, the three on each side."""
    at = byte_pos - base
    role = ByteRole(int(utf8.roles(around)[at]))
    head = f"byte {byte_pos:,}, {around[at]:02x}, {role.word}"
    if role in (ByteRole.INVALID, ByteRole.TRUNCATED):
        fault = next((f for f in utf8.faults(around) if f.start <= at < f.end), None)
        return f"{head}: {fault.reason}" if fault is not None and fault.reason != role.word else head
    view = decode_view(around)
    which = view.cp_of_byte(at)
    start, end = int(view.byte_starts[which]), int(view.byte_starts[which + 1])
    place = f"byte {at - start + 1} of {end - start} of " if end - start > 1 else ""
    return f"{head}, {place}{point_words(ord(view.text[which]))}"


def code_point_words(start: int, data: bytes) -> str:
    """One code point, or one byte that is part of none."""
    view = decode_view(data)
    if len(view) != 1 or not view.valid[0]:
        return f"byte {start:,}, {hex_words(data)}, part of no character"
    where = f"byte {start:,}" if len(data) == 1 else f"bytes {start:,} to {start + len(data) - 1:,}"
    return f"{point_words(ord(view.text))}, {where}, {hex_words(data)}"


def grapheme_words(data: bytes) -> str:
    """One cluster and what it is made of."""
    view = decode_view(data)
    many = f"{len(view)} code points" if len(view) != 1 else "1 code point"
    points = ", ".join(point_words(ord(c)) for c in view.text[:8]) + (", …" if len(view) > 8 else "")
    return f"grapheme, {many}, {count_of(len(data), 'byte')}: {points}"


def change_words(change: NormalChange) -> str:
    """What the normalizer did to some characters."""
    if change.start == change.end:
        return f"the normalizer put in {quoted(change.after)}"
    if not change.after:
        return f"the normalizer dropped {quoted(change.before)}"
    return f"the normalizer made {quoted(change.after)} of {quoted(change.before)}"


def pre_token_words(start: int, data: bytes) -> str:
    return f"pre-token {quoted(data.decode('utf-8', 'replace'))}, {count_of(len(data), 'byte')} from byte {start:,}"


def lost_words(start: int, end: int, stage: str) -> str:
    """Bytes that no token has, or that come back changed."""
    where = f"byte {start:,}" if end - start == 1 else f"bytes {start:,} to {end - 1:,}"
    return f"{where} lost by {stage}" if stage else f"no token has {where}"


def quoted(text: str) -> str:
    """In quotation marks; what cannot be seen as U+ numbers."""
    cut = text[:MOST_TEXT]
    shown = "".join(c if c.isprintable() or c == " " else f"[U+{ord(c):04X}]" for c in cut)
    return f"“{shown}{'…' if len(text) > len(cut) else ''}”"
