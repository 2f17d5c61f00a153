"""Names of code points: the standard's for characters, its aliases for controls, words for what has no name."""

from __future__ import annotations

import unicodedata

import pytest

from tokenloupe.core.unicode_names import CATEGORIES, VERSION, described


@pytest.mark.parametrize(
    ("point", "number", "name", "category"),
    [
        (0x41, "U+0041", "LATIN CAPITAL LETTER A", "Lu"),
        (0x6B6A, "U+6B6A", "CJK UNIFIED IDEOGRAPH-6B6A", "Lo"),
        (0xAC00, "U+AC00", "HANGUL SYLLABLE GA", "Lo"),
        (0x1F600, "U+1F600", "GRINNING FACE", "So"),
        (0x200D, "U+200D", "ZERO WIDTH JOINER", "Cf"),
        # NameAliases.txt of the Unicode character database
        (0x00, "U+0000", "NULL", "Cc"),
        (0x0A, "U+000A", "LINE FEED", "Cc"),
        (0x1B, "U+001B", "ESCAPE", "Cc"),
        (0x1F, "U+001F", "INFORMATION SEPARATOR ONE", "Cc"),
        (0x7F, "U+007F", "DELETE", "Cc"),
        (0x85, "U+0085", "NEXT LINE", "Cc"),
        (0x9F, "U+009F", "APPLICATION PROGRAM COMMAND", "Cc"),
        (0xD83D, "U+D83D", "high surrogate", "Cs"),
        (0xDE00, "U+DE00", "low surrogate", "Cs"),
        (0xE000, "U+E000", "private use", "Co"),
        (0xFDD0, "U+FDD0", "noncharacter", "Cn"),
        (0x10FFFF, "U+10FFFF", "noncharacter", "Cn"),
    ],
)
def test_named(point: int, number: str, name: str, category: str) -> None:
    found = described(point)
    assert (found.number, found.name, found.category) == (number, name, category)
    assert found.word == CATEGORIES[category]


def test_version_is_said() -> None:
    assert VERSION in unicodedata.unidata_version
    assert described(0x378).name == f"unassigned in Unicode {VERSION}"


def test_every_code_point_has_a_name_and_a_word() -> None:
    assert all(described(p).name and described(p).word for p in range(0, 0x110000, 97))
