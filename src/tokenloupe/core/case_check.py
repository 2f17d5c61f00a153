"""Does a case still hold? What differs, as sentences: the tokenizer by its hash, the ids from which token on.

    >>> differences(case, tokenizer, tokenizer.encode(case.data, special=case.special).ids)
    ('gpt2 is another file than the case was made with (SHA-256 176c…, not 1a2b…)', 'token 3 is 262, in the case 257')
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .case_file import Case, TokenizerRef
from .errors import one_line
from .tokenizer import Tokenizer
from .vocabulary import Int64s


def same_tokenizer(about: TokenizerRef, tokenizer: Tokenizer) -> bool:
    """Is it the file that the case was made with, opened in the same way?

    Of a tokenizer that came from no file the name is all there is to go by.
    """
    if dict(about.options) != dict(tokenizer.opened_with):
        return False
    if not about.sha256 or not tokenizer.sha256:
        return about.sha256 == tokenizer.sha256 and about.name == tokenizer.name
    return about.sha256 == tokenizer.sha256


def differences(case: Case, tokenizer: Tokenizer, ids: Int64s) -> tuple[str, ...]:
    """() when the case holds. ids: what the tokenizer gives for the case's input with the case's settings."""
    found = []
    about = case.tokenizer
    if not same_tokenizer(about, tokenizer):
        if dict(about.options) != dict(tokenizer.opened_with):
            found.append(f"{tokenizer.name} was opened with {_options(tokenizer.opened_with)}, in the case with "
                         f"{_options(about.options)}")
        else:
            found.append(f"{one_line(tokenizer.name)} is another file than the case was made with (SHA-256 "
                         f"{short(tokenizer.sha256)}, not {short(about.sha256)} of {one_line(about.name)})")
    first = first_difference(case.ids, ids)
    if first >= 0:
        here, there = (str(a[first]) if first < len(a) else "none" for a in (ids, case.ids))
        found.append(f"token {first:,} is {here}, in the case {there}")
    return tuple(found)


def first_difference(left: Int64s, right: Int64s) -> int:
    """The index of the first id that differs (or that only one of the two has); -1 when they are equal."""
    size = min(len(left), len(right))
    other = np.flatnonzero(left[:size] != right[:size])
    if len(other):
        return int(other[0])
    return -1 if len(left) == len(right) else size


def short(sha256: str) -> str:
    return f"{sha256[:8]}…" if sha256 else "unknown"


def _options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{one_line(k)}={one_line(v)}" for k, v in sorted(options.items())) or "no options"
