"""Numbers in sentences.

    count_of(1, "token"), count_of(2500, "token"), count_of(3, "entry", "entries")
"""

from __future__ import annotations


def count_of(number: int, what: str, more: str = "") -> str:
    """The number and the right form of its noun. more: the plural where it is not the singular and an s.

    >>> count_of(1, "token"), count_of(2500, "token"), count_of(0, "entry", "entries")
    ('1 token', '2,500 tokens', '0 entries')
    """
    return f"{number:,} {what if number == 1 else more or what + 's'}"
