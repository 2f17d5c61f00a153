"""merge_rules.gob: the examples of the API page, Go's documented encoding, round trips, damaged streams."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.errors import InputError
from tokenloupe.formats import gob, open_bytes
from tokenloupe.formats.gob_codec import int_bytes, read_gob, uint_bytes, write_merge_rules

MERGES = [(105, 115), (256, 32), (105, 110)]  # "is", "is ", "in"


def test_the_page_s_vocabulary_and_encode_examples() -> None:
    tokenizer = gob.tokenizer_of(MERGES)
    assert tokenizer.vocabulary.size == 260
    ids = tokenizer.encode("Hello world!<|endoftext|>").ids.tolist()
    assert ids == [72, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100, 33, 259]
    assert tokenizer.decode(ids) == b"Hello world!<|endoftext|>"
    assert tokenizer.decode([72, 5000, 101]) == b"He"  # ids out of range are passed over


def test_the_page_s_trained_example() -> None:
    """[266 260 33] for "Say hello!": 260 is " hello" and 266 is "Say" with the merges of that training text."""
    order = [(104, 101), (256, 108), (257, 108), (258, 111), (32, 259)]  # 256 he, 257 hel, 258 hell, 259 hello, 260
    order += [(87, 104), (261, 121), (32, 262), (83, 97), (74, 117), (264, 121)]  # .. 264 Sa, 265 Ju, 266 Say
    tokenizer = gob.tokenizer_of(order)
    assert [(t.id, t.bytes) for t in tokenizer.encode("Say hello!").tokens] == [
        (266, b"Say"), (260, b" hello"), (33, b"!")]


def test_the_end_token_is_found_first_whatever_is_asked() -> None:
    tokenizer = gob.tokenizer_of(MERGES)
    for mode in ("text", "parse"):
        assert tokenizer.encode("is<|endoftext|><|endoftext|>is", special=mode).ids.tolist() == [256, 259, 259, 256]


def test_go_s_white_space() -> None:
    r"""Go's \s is ASCII without \v: U+000B, U+0085 and U+00A0 go with punctuation, and there is no \s+(?!\S)."""
    starts, ends = gob.tokenizer_of([]).splitter.spans("a  b\v!\u00a0\u0085 \t\n".encode())
    pieces = ["a  b\v!\u00a0\u0085 \t\n".encode()[a:b] for a, b in zip(starts, ends, strict=True)]
    assert pieces == [b"a", b"  ", b"b", "\v!\u00a0\u0085".encode(), b" \t\n"]


def test_numbers_as_the_gob_documentation_has_them() -> None:
    assert uint_bytes(7) == b"\x07" and uint_bytes(256) == b"\xfe\x01\x00"
    assert int_bytes(-129) == b"\xfe\x01\x01" and int_bytes(3) == b"\x06"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 70_000), st.integers(0, 70_000)), unique=True, max_size=40))
def test_written_then_read(pairs: list[tuple[int, int]]) -> None:
    value = read_gob(write_merge_rules(pairs))
    assert value.get("Order", []) == pairs
    assert value.get("Dict", {}) == {p: 256 + i for i, p in enumerate(pairs)}


def test_a_file_opens_and_is_saved_the_same() -> None:
    data = write_merge_rules(MERGES)
    tokenizer = open_bytes(data, "merge_rules.gob")
    assert tokenizer.format == "gob" and tokenizer.encode("is in").ids.tolist() == [256, 32, 258]
    assert tokenizer.vocabulary.merges is not None and gob.save(tokenizer.vocabulary.merges) == data


@pytest.mark.parametrize("cut", range(1, 40))
def test_cut_streams_are_named(cut: int) -> None:
    data = write_merge_rules(MERGES)
    with pytest.raises(InputError):
        read_gob(data[:-cut])


def test_wrong_merges_are_named() -> None:
    with pytest.raises(InputError, match="does not exist yet, merge 1"):
        gob.tokenizer_of([(1, 2), (300, 4)])
    with pytest.raises(InputError, match="where 256 belongs, merge 0"):
        open_bytes(write_merge_rules([(1, 2)], {(1, 2): 300}))
