"""The array dictionaries answer as a dict does."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tokenloupe.core.lookup import BLOCK, SHORT, PairTable, SpanTable, Text


@pytest.mark.parametrize("seed", range(6))
def test_spans_are_found_as_in_a_dict(seed: int) -> None:
    rnd = random.Random(seed)
    alphabet = [b"ab", b"\0\x01", bytes(range(256)), b"a", b"\0", b"\xff\0a"][seed]
    keys = [bytes(rnd.choices(alphabet, k=rnd.choice([1, 2, 3, 7, 8, 9, 14, 15, 16, 17, 40]))) for _ in range(800)]
    values = [rnd.randrange(1 << 32) for _ in keys]
    wanted = dict(zip(keys, values, strict=True))  # the last of equal keys counts
    table = SpanTable.of(keys, values)
    data = b"".join(rnd.choices(keys, k=300)) + bytes(rnd.choices(alphabet, k=300))
    spans = [(a, min(a + rnd.randrange(1, 45), len(data))) for a in (rnd.randrange(len(data)) for _ in range(4000))]
    starts, ends = np.array(spans, np.int64).T
    got = table.find(Text(data), starts, ends - starts)
    assert got.tolist() == [wanted.get(data[a:b], -1) for a, b in spans]
    assert [table.get(k) for k in keys] == [wanted[k] for k in keys]
    assert all(table.get(data[a:b]) == wanted.get(data[a:b], -1) for a, b in spans[:500])


def test_a_length_is_part_of_the_key() -> None:
    table = SpanTable.of([b"a", b"a\0\0", b"\0" * 8], [1, 2, 3])
    text = Text(b"a" + b"\0" * 20)
    starts = np.array([0, 0, 0, 1, 1, 1])
    assert table.find(text, starts, np.array([1, 2, 3, 7, 8, 9])).tolist() == [1, -1, 2, -1, 3, -1]


def test_keys_at_the_very_end_of_a_text() -> None:
    for size in range(1, SHORT + 3):
        key = bytes(range(1, size + 1))
        table = SpanTable.of([key], [7])
        assert table.find(Text(key), np.array([0]), np.array([size])).tolist() == [7]
        assert table.find(Text(key + b"x"), np.array([1]), np.array([size])).tolist() == [-1]


def test_empty_tables_and_empty_questions() -> None:
    none = np.zeros(0, np.int64)
    empty = SpanTable.of([], [])
    assert empty.find(Text(b"abc"), np.array([0, 1]), np.array([1, 2])).tolist() == [-1, -1]
    assert empty.get(b"a") == -1
    assert empty.find(Text(b""), none, none).tolist() == []
    assert SpanTable.of([b""], [1]).get(b"a") == -1


def test_more_questions_than_a_block() -> None:
    table = SpanTable.of([b"a", b"b"], [0, 1])
    data = b"ab" * BLOCK
    at = np.arange(len(data))
    assert np.array_equal(table.find(Text(data), at, np.ones(len(at), np.int64)), at % 2)


def test_pairs_are_found_as_in_a_dict() -> None:
    rnd = random.Random(5)
    pairs = [tuple(rnd.randrange(1 << rnd.choice([3, 18, 32])) for _ in range(2)) for _ in range(3000)]
    wanted = {pair: i for i, pair in enumerate(pairs)}
    left, right = np.array(pairs, np.int64).T
    table = PairTable(left, right, np.arange(len(pairs)))
    asked = [*pairs, *((b, a) for a, b in pairs)]
    left, right = np.array(asked, np.int64).T
    assert table.find(left, right).tolist() == [wanted.get(p, -1) for p in asked]
    assert [table.get(*p) for p in asked[-200:]] == [wanted.get(p, -1) for p in asked[-200:]]
