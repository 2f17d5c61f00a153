"""TextStore against a bytearray."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core import store as module
from tokenloupe.core.store import TextStore

EDITS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 90), st.binary(max_size=150)), max_size=30)


@settings(max_examples=150, deadline=None)
@given(start=st.binary(max_size=200), edits=EDITS, size=st.sampled_from([1, 7, 64]))
def test_is_a_bytearray(start: bytes, edits: list[tuple[int, int, bytes]], size: int) -> None:
    whole, module.BLOCK = module.BLOCK, size
    try:
        text, store = bytearray(start), TextStore(start)
        for at, removed, inserted in edits:
            at = min(at, len(text))
            removed = min(removed, len(text) - at)
            assert store.replace(at, removed, inserted) == bytes(text[at : at + removed])
            text[at : at + removed] = inserted
            assert len(store) == len(text)
            assert store.bytes(at - 3, at + 40) == bytes(text[max(at - 3, 0) : at + 40])
        assert store.data == bytes(text)
        assert store.bytes(0, len(text)) == bytes(text)
    finally:
        module.BLOCK = whole


@pytest.mark.parametrize(("at", "removed"), [(-1, 0), (0, 4), (4, 0), (2, -1)])
def test_ranges_outside_of_the_text_are_refused(at: int, removed: int) -> None:
    store = TextStore(b"abc")
    with pytest.raises(ValueError, match="do not lie in a text of 3 bytes"):
        store.replace(at, removed, b"x")
    assert store.data == b"abc"


def test_a_long_text_is_in_blocks() -> None:
    data = bytes(range(256)) * 1000
    store = TextStore(data)
    store.replace(100_000, 1, b"!")
    assert store.bytes(99_999, 100_002) == data[99_999:100_000] + b"!" + data[100_001:100_002]
    assert store.data == data[:100_000] + b"!" + data[100_001:]
