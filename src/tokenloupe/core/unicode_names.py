"""What a code point is called: its number, Unicode name and general category, in words a reader knows.

    >>> described(0x6B6A)
    CodePoint(point=27498, name='CJK UNIFIED IDEOGRAPH-6B6A', category='Lo', word='other letter')
    >>> described(0x0A).name, described(0x378).name            # controls have no name in the standard, only aliases
    ('LINE FEED', 'unassigned in Unicode 14')

Names and categories are the standard library's, so their Unicode version is Python's (14 for 3.11, 15 for 3.12, 15.1
for 3.13): `VERSION` says which, and a newer character is called unassigned in that version, not unassigned.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

#: The Unicode version of the names, without trailing zeros: "14", "15.1".
VERSION = unicodedata.unidata_version.removesuffix(".0").removesuffix(".0")

#: General categories in words (Unicode Standard Annex 44, table 12).
CATEGORIES = {
    "Lu": "uppercase letter", "Ll": "lowercase letter", "Lt": "titlecase letter", "Lm": "modifier letter",
    "Lo": "other letter", "Mn": "nonspacing mark", "Mc": "spacing mark", "Me": "enclosing mark",
    "Nd": "decimal number", "Nl": "letter number", "No": "other number", "Pc": "connector punctuation",
    "Pd": "dash punctuation", "Ps": "open punctuation", "Pe": "close punctuation", "Pi": "initial punctuation",
    "Pf": "final punctuation", "Po": "other punctuation", "Sm": "math symbol", "Sc": "currency symbol",
    "Sk": "modifier symbol", "So": "other symbol", "Zs": "space separator", "Zl": "line separator",
    "Zp": "paragraph separator", "Cc": "control", "Cf": "format", "Cs": "surrogate", "Co": "private use",
    "Cn": "unassigned",
}

# The aliases of kind "control" in the standard's NameAliases.txt, first of each; 80, 81, 84 and 99 are "figment" ones.
_C0 = (
    "NULL|START OF HEADING|START OF TEXT|END OF TEXT|END OF TRANSMISSION|ENQUIRY|ACKNOWLEDGE|ALERT|BACKSPACE|"
    "CHARACTER TABULATION|LINE FEED|LINE TABULATION|FORM FEED|CARRIAGE RETURN|SHIFT OUT|SHIFT IN|DATA LINK ESCAPE|"
    "DEVICE CONTROL ONE|DEVICE CONTROL TWO|DEVICE CONTROL THREE|DEVICE CONTROL FOUR|NEGATIVE ACKNOWLEDGE|"
    "SYNCHRONOUS IDLE|END OF TRANSMISSION BLOCK|CANCEL|END OF MEDIUM|SUBSTITUTE|ESCAPE|INFORMATION SEPARATOR FOUR|"
    "INFORMATION SEPARATOR THREE|INFORMATION SEPARATOR TWO|INFORMATION SEPARATOR ONE"
)
_C1 = (
    "PADDING CHARACTER|HIGH OCTET PRESET|BREAK PERMITTED HERE|NO BREAK HERE|INDEX|NEXT LINE|START OF SELECTED AREA|"
    "END OF SELECTED AREA|CHARACTER TABULATION SET|CHARACTER TABULATION WITH JUSTIFICATION|LINE TABULATION SET|"
    "PARTIAL LINE FORWARD|PARTIAL LINE BACKWARD|REVERSE LINE FEED|SINGLE SHIFT TWO|SINGLE SHIFT THREE|"
    "DEVICE CONTROL STRING|PRIVATE USE ONE|PRIVATE USE TWO|SET TRANSMIT STATE|CANCEL CHARACTER|MESSAGE WAITING|"
    "START OF GUARDED AREA|END OF GUARDED AREA|START OF STRING|SINGLE GRAPHIC CHARACTER INTRODUCER|"
    "SINGLE CHARACTER INTRODUCER|CONTROL SEQUENCE INTRODUCER|STRING TERMINATOR|OPERATING SYSTEM COMMAND|"
    "PRIVACY MESSAGE|APPLICATION PROGRAM COMMAND"
)
_CONTROLS = {0x7F: "DELETE", **dict(enumerate(_C0.split("|"))), **dict(enumerate(_C1.split("|"), 0x80))}


@dataclass(frozen=True, slots=True)
class CodePoint:
    """point: 0 .. 0x10FFFF. name: never empty. category: two letters; word: the same in words."""

    point: int
    name: str
    category: str
    word: str

    @property
    def number(self) -> str:
        """U+0041, U+1F600."""
        return f"U+{self.point:04X}"


def described(point: int) -> CodePoint:
    """ValueError (a programming error) outside 0 .. 0x10FFFF."""
    char = chr(point)
    category = unicodedata.category(char)
    return CodePoint(point, _name(char, point, category), category, CATEGORIES[category])


def _name(char: str, point: int, category: str) -> str:
    name = unicodedata.name(char, "") or _CONTROLS.get(point, "")
    if name:
        return name
    if category == "Cs":
        return f"{'high' if point < 0xDC00 else 'low'} surrogate"
    if category == "Co":
        return "private use"
    if point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF:
        return "noncharacter"
    return f"unassigned in Unicode {VERSION}"
