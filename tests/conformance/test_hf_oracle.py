"""2,000 random tokenizer and text pairs a model kind in the reference library and here; more with TOKENLOUPE_LONG=1."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from importlib.metadata import version

import pytest

from hf_oracle import compare
from hf_random import KINDS

TOKENIZERS = 20_000 if os.environ.get("TOKENLOUPE_LONG") else 750


@pytest.mark.parametrize("kind", KINDS)
def test_random_tokenizers(kind: str, live_pairs: Callable[[str, str, int], None]) -> None:
    problems: list[str] = []
    compared = 0
    for seed in range(TOKENIZERS):
        found, number = compare(random.Random(f"conformance {kind} {seed}"), kind, texts=3)
        problems += found
        compared += number
    print(f"{kind}: {compared - len(problems)}/{compared}")
    assert not problems, f"{len(problems)} of {compared}\n" + "\n".join(problems[:5])
    assert compared >= 2_000
    live_pairs(f"tokenizer.json {kind}", f"tokenizers {version('tokenizers')}", compared)
