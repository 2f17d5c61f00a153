"""llama.cpp's pre-tokenizers: piece sizes that llama.cpp's own unicode.cpp gave, for each list of patterns.

The numbers come from unicode_regex_split of the version vendored in llama-cpp-python 0.3.36, compiled by itself; the
same program and 33,000 random texts were compared when this was written, without a difference.
"""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from tokenloupe.core.llamacpp_patterns import GROUPS, PRE
from tokenloupe.core.llamacpp_split import splitter
from tokenloupe.core.llamacpp_unicode import category_letters, flags, read_utf8

TEXTS = (
    "it's I'LL 12345 x  y\r\n\r\n\t!?\xab\xe9\u0301\xbb\u65e5\u672c\ud55c\uad6d \xa0K \u0661\u0662\u0663\u0664\u0665",
    '<sentinel:12>IMGIMGABZ    a\t1\u3002\uff0cb_c $+<|`~ \u3000\u0e44\u0e17\u0e22 \u01c5\u02b0\xaa ',
    "\u4e2d\u6587abc\u4f60\u597d'll 1234567.89\n\n\n  end ",
)
SIZES = {
    "llama3": (
        "2 2 2 3 1 3 2 2 1 2 4 1 4 2 4 12 1 3 1 6 4",
        "9 1 2 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 3 3 1 1 2 3 1 4 1",
    ),
    "jais2": (
        "2 2 2 3 1 3 2 2 1 2 4 1 4 2 4 12 1 3 1 6 4",
        "9 1 2 10 2 1 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 3 3 1 1 2 3 1 4 1",
    ),
    "deepseek_llm": (
        "2 1 1 2 1 2 1 5 2 1 2 1 1 1 1 3 2 2 4 12 1 3 1 10",
        "1 8 1 2 1 9 3 2 1 1 3 3 1 1 1 7 4 9 3 4 1",
        "6 3 6 1 2 1 7 1 2 1 1 1 1 4 1",
    ),
    "deepseek3_llm": (
        "2 2 2 3 1 3 2 2 1 2 4 1 4 4 2 6 6 1 3 1 6 4",
        "9 1 2 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "6 3 6 3 1 3 3 1 1 2 3 1 4 1",
    ),
    "spark2_5": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 1 1 1 1 1 4 4 2 6 6 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "6 3 6 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 4 1",
    ),
    "youtu": (
        "4 5 1 1 1 1 1 1 2 1 2 4 1 4 4 2 6 6 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "6 3 6 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "deepseek_coder": (
        "2 1 1 2 1 2 1 1 1 1 1 1 2 1 2 1 1 1 1 5 2 2 2 12 1 3 1 2 2 2 2 2",
        "1 8 1 1 1 1 9 3 2 1 1 3 3 1 1 1 8 3 9 7 1",
        "6 3 6 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 4 1",
    ),
    "falcon": (
        "2 1 1 2 1 2 1 3 2 2 1 2 5 4 2 2 2 12 1 2 1 11",
        "1 8 1 2 1 9 3 2 1 1 6 1 1 1 1 6 1 3 9 7 1",
        "15 1 2 1 3 3 1 1 2 4 4 1",
    ),
    "starcoder": (
        "2 2 2 1 2 1 1 1 1 1 1 2 1 2 4 1 4 2 4 12 1 2 1 1 2 2 2 2 2",
        "1 8 1 1 1 1 9 3 2 1 1 6 1 1 1 7 1 3 9 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 4 4 1",
    ),
    "gpt2": (
        "2 2 2 1 2 6 2 1 2 4 1 4 2 4 12 1 2 1 11",
        "1 8 1 2 1 9 3 2 1 1 6 1 1 1 7 1 3 9 7 1",
        "15 3 8 1 2 4 4 1",
    ),
    "stablelm2": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 4 1 4 2 4 12 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "qwen35": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 4 1 4 4 14 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "poro": (
        "4 5 6 2 1 2 7 20 3 1 11",
        "22 3 2 1 1 6 3 4 1 2 4 9 7 1",
        "18 8 1 2 4 4 1",
    ),
    "viking": (
        "4 5 1 1 1 1 1 1 2 1 2 7 20 3 1 1 2 2 2 2 2",
        "10 1 1 10 3 2 1 1 6 3 4 1 2 4 9 7 1",
        "18 1 1 1 1 1 1 1 1 1 1 1 4 4 1",
    ),
    "tekken": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 4 1 4 2 4 12 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "chameleon": (
        "2 1 1 2 1 2 1 1 1 1 1 1 2 2 1 1 1 1 1 1 1 1 2 2 2 2 12 1 2 1 1 2 2 2 2 2",
        "1 8 1 1 1 1 9 4 1 1 1 3 3 1 1 1 1 1 1 1 1 1 1 1 3 9 7 1",
        "15 1 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 3 1",
    ),
    "gpt4o": (
        "4 5 1 3 2 2 1 2 4 1 4 2 4 12 1 3 1 6 4",
        "9 1 2 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "18 1 3 3 1 1 2 3 1 4 1",
    ),
    "granite_emb_multi": (
        "4 5 1 3 2 2 1 2 4 1 4 4 14 1 3 1 6 4",
        "9 1 2 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "18 1 3 3 1 1 2 3 1 4 1",
    ),
    "tiny_aya": (
        "4 5 1 2 3 2 1 2 4 1 4 4 14 1 3 1 4 6",
        "9 1 2 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "18 1 1 3 3 1 2 3 1 4 1",
    ),
    "kimi_k2": (
        "4 5 1 3 2 2 1 2 4 1 4 2 4 6 6 1 3 1 6 4",
        "9 1 2 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "6 3 6 3 1 3 3 1 1 2 3 1 4 1",
    ),
    "superbpe": (
        "10 2 3 37 10",
        "10 2 16 1 37",
        "19 1 3 3 1 2 9",
    ),
    "bailingmoe": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 4 1 4 2 4 12 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "seed_coder": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 4 1 4 2 4 12 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "ufakzeka": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 4 1 4 2 4 12 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "afmoe": (
        "2 2 2 3 1 2 3 2 1 2 4 1 4 4 2 12 1 3 1 4 6",
        "9 1 2 10 3 2 1 1 6 1 2 7 4 3 6 7 1",
        "6 3 6 3 1 1 3 3 1 2 3 1 4 1",
    ),
    "laguna": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 1 1 1 1 1 4 2 4 12 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "exaone_moe": (
        "2 2 2 3 1 1 1 1 1 1 2 1 2 4 1 4 4 14 1 3 1 2 2 2 2 2",
        "9 1 1 1 10 3 2 1 1 6 1 2 7 1 19 1",
        "15 3 1 1 1 1 1 1 1 1 1 1 1 3 1 4 1",
    ),
    "gemma4": (
        "21 1 1 1 38",
        "66",
        "29 3 6",
    ),
    "minicpm5": (
        "2 2 2 3 1 3 2 2 1 2 4 1 4 2 4 12 1 3 1 6 4",
        "9 1 2 10 3 2 1 1 6 1 2 7 1 12 7 1",
        "15 3 1 3 3 1 1 2 3 1 4 1",
    ),
    "whitespace": (
        "4 1 4 1 5 1 1 2 1 5 22 3 1 1 10",
        "22 4 1 1 10 1 6 4 9 1 6 1",
        "18 1 10 5 3 1",
    ),
    "default": (
        "2 1 1 2 1 2 1 3 2 2 1 2 5 4 2 2 2 12 1 2 1 1 10",
        "1 8 1 2 1 9 3 2 1 1 6 1 1 1 1 4 1 1 1 3 9 7 1",
        "15 1 2 1 3 3 1 1 2 4 4 1",
    ),
}


@pytest.mark.parametrize("group", GROUPS)
def test_pieces(group: str) -> None:
    for text, sizes in zip(TEXTS, SIZES[group], strict=True):
        ends = splitter(group).ends(text.encode()).tolist()
        assert [b - a for a, b in pairwise([0, *ends])] == [int(x) for x in sizes.split()]


@pytest.mark.parametrize("group", GROUPS)
def test_pieces_cover_any_text(group: str) -> None:
    rng = random.Random(group)
    for _ in range(20):
        data = "".join(chr(rng.choice([rng.randrange(128), rng.randrange(0xD800), rng.randrange(0xE000, 0x110000)]))
                       for _ in range(rng.randint(0, 12))).encode()
        starts, ends = splitter(group).spans(data)
        assert len(starts) == len(ends) and bool((starts < ends).all())
        assert (b"".join(data[a:b] for a, b in zip(starts, ends, strict=True))) == data


def test_every_name_has_its_group() -> None:
    assert len(PRE) == 91 and {p.group for p in PRE.values()} | {"default"} == set(GROUPS)


def test_tables_say_of_every_code_point_what_it_is() -> None:
    assert len(flags()) == 0x110000 and bool((flags() > 0).all())
    assert category_letters("aé٣—\u0301$\u2003\u0378") == b"a\xd2\xd1\xd3\xd4$\x0b\xd0"


@pytest.mark.parametrize(
    ("data", "text", "starts"),
    [
        (b"a\xffb", "a\ufffdb", [0, 1, 2, 3]),
        (b"\xe2\x82", "\ufffd\ufffd", [0, 1, 2]),
        (b"\xc0\x80", "\0", [0, 2]),  # overlong, taken as spelled
        (b"\xed\xa0\x80", "\ud800", [0, 3]),
        (b"\xf8a", "\ufffda", [0, 1, 2]),
    ],
)
def test_how_it_reads_what_is_no_utf8(data: bytes, text: str, starts: list[int]) -> None:
    found, at = read_utf8(data)
    assert found == text and np.array_equal(at, starts)
