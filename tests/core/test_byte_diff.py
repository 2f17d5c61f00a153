"""Differences put the old into the new; what is left out or put in is whole characters where that can be."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.byte_diff import DIFF_LIMIT, changed, fewest, stretch
from tokenloupe.core.utf8 import is_boundary

PIECES = st.sampled_from(["a", "b", "é", "स", "\u094d", "त", "े", "漢", "👍", "👎"]).map(str.encode) | st.sampled_from(
    [b"\xff", b"\xe0\xa4", b"\x8d"])
TEXTS = st.lists(PIECES, max_size=12).map(b"".join)


@settings(max_examples=400)
@given(TEXTS, TEXTS)
def test_what_differs_put_in_gives_the_other(old: bytes, new: bytes) -> None:
    found = changed(old, new)
    assert found is not None
    made, at = b"", 0
    for start, end, first, last in found:
        assert at <= start <= end and (end > start or last > first)
        made += old[at:start]
        assert len(made) == first
        made += new[first:last]
        at = end
    assert made + old[at:] == new


@settings(max_examples=300)
@given(st.lists(st.sampled_from("aस\u094dते漢字éè"), min_size=1, max_size=10), st.data())
def test_one_character_left_out_or_put_in_is_one(chars: list[str], data: st.DataObject) -> None:
    """However alike the bytes around it: a slice of the text with its ends between characters."""
    gone = data.draw(st.integers(0, len(chars) - 1))
    old, new = "".join(chars).encode(), "".join(chars[:gone] + chars[gone + 1 :]).encode()
    [(start, end, first, last)] = changed(old, new) or []
    assert first == last and old[start:end] == chars[gone].encode() and is_boundary(old, start)
    [(start, end, first, last)] = changed(new, old) or []
    assert start == end and new[:start].decode() + chars[gone] + new[start:].decode() == old.decode()


def test_a_virama_that_a_normalizer_drops() -> None:
    assert changed("स्त".encode(), "सत".encode()) == [(3, 6, 3, 3)]
    assert changed("सत".encode(), "स्त".encode()) == [(3, 3, 3, 6)]
    assert changed("é".encode(), "è".encode()) == [(1, 2, 1, 2)]  # one byte is another
    assert changed(b"", b"") == [] and changed(b"ab", b"ab") == []


def test_too_much_to_compare() -> None:
    assert changed(b"a" * DIFF_LIMIT, b"b") is None
    assert stretch(b"x" + b"a" * DIFF_LIMIT + b"y", b"xby") == (1, DIFF_LIMIT + 1, 2)


@settings(max_examples=300)
@given(st.text("abc", max_size=9), st.text("abc", max_size=9))
def test_the_fewest_changes(old: str, new: str) -> None:
    """As many as a table of all pairs of beginnings finds, by the definition of the longest common subsequence."""
    common = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, a in enumerate(old):
        for j, b in enumerate(new):
            common[i + 1][j + 1] = common[i][j] + 1 if a == b else max(common[i][j + 1], common[i + 1][j])
    found = fewest(old, new)
    assert found is not None
    assert sum(j - i + m - k for i, j, k, m in found) == len(old) + len(new) - 2 * common[-1][-1]
    made, at = "", 0
    for i, j, k, m in found:
        made += old[at:i] + new[k:m]
        at = j
    assert made + old[at:] == new


def test_a_long_text_that_is_much_alike_and_one_that_is_not() -> None:
    old = ("The Quick fox\n" * 150).encode()
    found = changed(old, old.lower())
    assert found == [(at, at + 1, at, at + 1) for line in range(150) for at in (line * 14, line * 14 + 4)]
    assert fewest("ab" * 1000, "cd" * 1000) is None
    assert changed(b"ab" * 1000, b"cd" * 1000) == [(0, 2000, 0, 2000)]
