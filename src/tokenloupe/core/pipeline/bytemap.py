"""GPT-2's byte map: a bijection of the 256 bytes to printable characters (space is U+0120, `Ġ`).

    >>> "".join(TO_CHARS[b] for b in " é".encode())
    'ĠÃ©'
"""

from __future__ import annotations

_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_OTHERS = tuple(b for b in range(256) if b not in _PRINTABLE)

#: byte -> character: 188 printable ones stand for themselves, the others for U+0100.. in byte order.
TO_CHARS: dict[int, str] = {b: chr(b) for b in _PRINTABLE} | {b: chr(0x100 + i) for i, b in enumerate(_OTHERS)}
TO_BYTE: dict[str, int] = {c: b for b, c in TO_CHARS.items()}
#: For str.translate: a mapped text, read as latin-1 afterwards, is the bytes.
TO_LATIN: dict[int, int] = {ord(c): b for b, c in TO_CHARS.items()}


def mapped(data: bytes) -> str:
    return data.decode("latin-1").translate(TO_CHARS)


def unmapped(text: str) -> bytes | None:
    """The bytes of a mapped text, or None when a character in it is no byte's."""
    try:
        data = text.translate(TO_LATIN).encode("latin-1")
    except UnicodeEncodeError:
        return None
    # a Latin-1 character that stands for no byte (U+00A0, U+00AD, controls, space) would have passed unchanged
    return data if all(c in TO_BYTE for c in set(text)) else None
