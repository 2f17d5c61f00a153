"""A few hundred random tokenizers of every model kind, in the reference library and here: ids, spellings, decoded text.

Thousands more: tests/conformance/test_hf_oracle.py.
"""

from __future__ import annotations

import random

import pytest

from hf_oracle import compare
from hf_random import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_random_tokenizers_give_the_librarys_ids(kind: str) -> None:
    problems: list[str] = []
    compared = 0
    for seed in range(70):
        found, number = compare(random.Random(f"{kind} {seed}"), kind, texts=3)
        problems += found
        compared += number
    assert not problems, "\n".join(problems[:5])
    assert compared > 150
