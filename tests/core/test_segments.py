"""Segments against arithmetic: every byte once, in order, and split exactly where a cluster has several owners."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
import regex

import tokenloupe
from tokenloupe.core.segments import completeness, owners, segments, unseen
from tokenloupe.core.tables import code_span, markdown, readable
from tokenloupe.core.tokenizer import Encoding
from tokenloupe.core.vocabulary import Vocabulary


def encoding(data: bytes, spans: list[tuple[int, int]]) -> Encoding:
    vocabulary = Vocabulary.build((i, b"x") for i in range(8))
    starts, ends = (np.array([s[i] for s in spans], np.int64) for i in (0, 1))
    ids = np.zeros(len(spans), np.int64)
    return Encoding(data, ids, starts, ends, np.zeros(len(spans), np.uint8), vocabulary)


def test_a_split_character_has_a_part_per_token() -> None:
    # "hi 漢": 漢 is e6 bc a2
    e = encoding("hi 漢".encode(), [(0, 2), (2, 4), (4, 5), (5, 6)])
    assert [(s.text, s.parts) for s in segments(e)] == [
        ("hi", ((0, 0, 2),)),
        (" ", ((1, 2, 3),)),
        ("漢", ((1, 3, 4), (2, 4, 5), (3, 5, 6))),
    ]


def test_a_family_emoji_is_one_cluster_of_many_parts() -> None:
    family = "👨‍👩‍👧"
    e = encoding(b"a" + family.encode() + b"b", [(0, 3), (3, 8), (8, 19), (19, 20)])
    found = segments(e)
    assert [s.text for s in found] == ["a", family, "b"]
    assert [s.split for s in found] == [False, True, False]


def test_lost_bytes_shared_bytes_and_zero_width_tokens() -> None:
    e = encoding(b"abcd", [(0, 0), (0, 2), (1, 2), (3, 4)])
    assert owners(e).tolist() == [1, 1, -1, 3]
    assert [(s.text, s.parts[0][0]) for s in segments(e)] == [("ab", 1), ("c", -1), ("d", 3)]
    assert unseen(e) == [0, 2]


def test_empty_text_has_no_segments() -> None:
    assert segments(encoding(b"", [])) == []


def slow(e: Encoding) -> list[tuple[int, int, int]]:
    """(start, end, number of owners) of every grapheme cluster, by the definition."""
    text = e.data.decode("utf-8")
    owner = [-1] * len(e.data)
    for index in reversed(range(len(e))):
        for b in range(int(e.starts[index]), int(e.ends[index])):
            owner[b] = index
    clusters, at = [], 0
    for m in regex.finditer(r"\X", text):
        size = len(m.group().encode())
        clusters.append((at, at + size, len({owner[b] for b in range(at, at + size)})))
        at += size
    return clusters


@pytest.mark.parametrize("seed", range(60))
def test_against_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choice(["a", " ", "é", "e\u0301", "漢", "😀", "👨‍👩‍👧", "🇩🇪", "क्षि", "กำ"]) for _ in range(12))
    data = text.encode()
    cuts = sorted({0, len(data), *(rng.randrange(len(data)) for _ in range(9))})
    e = encoding(data, list(pairwise(cuts)))
    found = segments(e)
    assert b"".join(data[s.start : s.end] for s in found) == data
    assert [(s.start, s.end) for s in found if s.split] == [(a, b) for a, b, n in slow(e) if n > 1]
    for s in found:
        assert s.text == data[s.start : s.end].decode()
        assert [p[1:] for p in s.parts] == list(pairwise([s.parts[0][1], *(p[2] for p in s.parts)]))


def test_real_tokenizer_and_invalid_bytes() -> None:
    e = tokenloupe.load("gpt2").encode(b"a\xff\xfeb")
    assert next((s.text, s.valid) for s in segments(e)) == ("a", True)
    assert all(not s.valid for s in segments(e) if "\ufffd" in s.text)


@pytest.mark.parametrize(
    ("piece", "word"),
    [
        (b"", ""),
        (b"abc", ""),
        ("漢".encode(), ""),
        (b"\xe6\xbc", "partial: ends inside a character"),
        (b"\xa2", "partial: begins inside a character"),
        (b"\xa2 \xe6", "partial at both ends"),
        (b"\xff", "not UTF-8"),
        (b"a\xffb", "not UTF-8"),
        (b"\xc0\xaf", "not UTF-8"),
        (b"\xbf\xbf\xbf\xbf", "not UTF-8"),
        (b"\xed\xa0\x80", "not UTF-8"),
    ],
)
def test_completeness(piece: bytes, word: str) -> None:
    assert completeness(piece).word == word


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        (b" hi\n", "␣hi⏎"),
        (b"\xf0\x9f", "<f0 9f>"),
        (b"\x00\x1b", "␀␛"),
        ("\u200d".encode(), "[U+200D]"),
        ("\u00a0".encode(), "⍽"),
        (b"a\xe6\xbcb", "a<e6 bc>b"),
    ],
)
def test_readable(piece: bytes, text: str) -> None:
    assert readable(piece) == text


def test_markdown_escapes_pipes_and_backticks() -> None:
    assert code_span("a|b") == "`a\\|b`"
    assert code_span("`") == "`` ` ``"
    lines = markdown(tokenloupe.load("gpt2").encode("a|b`c\n")).splitlines()
    assert len({line.replace("\\|", "").count("|") for line in lines[2:]}) == 1
