"""A token's bytes as one line that a person can read: nothing invisible, nothing that means something else.

    >>> readable(b" hello\\n"), readable("é".encode()[:1]), readable("👨\\u200d".encode())
    ('·hello↵', '⟨c3⟩', '👨[ZWJ]')

Bytes that are no valid UTF-8 by themselves stand in ⟨⟩ as hex: a token often holds only part of a character.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

#: Signs for what would not be seen. A space is a middle dot, as in editors that show them.
SIGNS = {
    " ": "·", "\n": "↵", "\r": "␍", "\t": "⇥", "\x7f": "␡", "\u00a0": "[NBSP]", "\u00ad": "[SHY]", "\u200b": "[ZWSP]",
    "\u200c": "[ZWNJ]", "\u200d": "[ZWJ]", "\u200e": "[LRM]", "\u200f": "[RLM]", "\u2028": "[LS]", "\u2029": "[PS]",
    "\u2060": "[WJ]", "\u3000": "[IDSP]", "\ufe0e": "[VS15]", "\ufe0f": "[VS16]", "\ufeff": "[BOM]",
}
SIGNS |= {chr(c): chr(0x2400 + c) for c in range(32) if chr(c) not in SIGNS}
#: Characters shown; the rest of a longer token is an ellipsis.
LONGEST = 200


@lru_cache(maxsize=8192)
def readable(data: bytes, longest: int = LONGEST) -> str:
    """One line of text for any bytes; at most about `longest` characters."""
    cut = data[: 4 * longest]
    out: list[str] = []
    at = 0
    while at < len(cut):
        try:
            text, end = cut[at:].decode("utf-8"), len(cut)
        except UnicodeDecodeError as error:
            text, end = cut[at : at + error.start].decode("utf-8"), at + error.start
        before = ""
        for char in text:
            out.append(_sign(char, before))
            before = char if out[-1][-1] == char else ""
        bad = end
        while bad < len(cut):  # one bracket for a run of bytes without a meaning of their own
            try:
                cut[bad:].decode("utf-8")
                break
            except UnicodeDecodeError as error:
                if error.start:
                    break
                bad += max(error.end, 1)
        if bad > end:
            out.append(f"⟨{cut[end:bad].hex(' ')}⟩")
        at = bad
    if len(out) > longest or len(cut) < len(data):
        return "".join(out[:longest]) + "…"
    return "".join(out)


def _sign(char: str, before: str) -> str:
    """What stands for a character. before: the one it follows, where that one is shown as it is."""
    sign = SIGNS.get(char)
    if sign is not None:
        return sign
    kind = unicodedata.category(char)
    if kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"):
        return f"[U+{ord(char):04X}]"
    if kind in ("Mn", "Me") and not (before and unicodedata.category(before)[0] in "LMNPS"):
        return f"◌{char}"  # a combining mark alone needs something to stand on
    return char
