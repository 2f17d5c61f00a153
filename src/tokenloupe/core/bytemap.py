"""GPT-2's byte map: 256 bytes written as 256 printable characters, one to one.

The 188 printable bytes of Latin-1 stand for themselves; the other 68, in byte order, for U+0100 and up. So a space
is U+0120 and a newline U+010A, and a `vocab.json` can spell every token as text, whatever its bytes.

    >>> to_text(b" hi\\n"), to_bytes("Ġhi")
    ('Ġhi\u010a', b' hi')

Source: openai/gpt-2, src/encoder.py, bytes_to_unicode (MIT). The map works byte by byte, so invalid UTF-8 survives.
"""

from __future__ import annotations

#: The bytes that stand for themselves: '!'..'~', '¡'..'¬', '®'..'ÿ'.
PRINTABLE = frozenset([*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)])

_moved = iter(range(0x100, 0x100 + 256 - len(PRINTABLE)))
#: 256 characters; the one at index b spells byte b.
CHARACTERS = "".join(chr(b if b in PRINTABLE else next(_moved)) for b in range(256))
#: character -> byte
BYTE_OF = {character: byte for byte, character in enumerate(CHARACTERS)}

#: For str.translate: code point of the spelling -> the character U+0000..U+00FF of the byte, and (SPELL) the way back.
_UNSPELL = {ord(character): byte for byte, character in enumerate(CHARACTERS)}
SPELL = dict(enumerate(CHARACTERS))


def to_text(piece: bytes) -> str:
    """The spelling of bytes: len(result) == len(piece)."""
    return piece.decode("latin-1").translate(SPELL)


def to_bytes(spelling: str) -> bytes | None:
    """The bytes of a spelling, or None when it holds a character that spells no byte (an added token's own text)."""
    # Characters the map leaves alone may still be outside it (U+0020, U+00AD): they spell nothing.
    if not BYTE_OF.keys() >= set(spelling):
        return None
    return spelling.translate(_UNSPELL).encode("latin-1")
