"""Input of every kind: what is read, and the one sentence with its place for what cannot be."""

from __future__ import annotations

import codecs
import random

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.byte_forms import FORMS, escaped
from tokenloupe.core.errors import InputError
from tokenloupe.core.id_forms import ID_FORMS, text_of
from tokenloupe.core.inputs import canonical, decode_ids, parse_escaped, parse_hex, parse_ids, parse_text, specials_in

from .bytelevel_vocabularies import ours, ranks_of, theirs, trained_ranks

BYTES = st.binary(max_size=60) | st.text(max_size=30).map(lambda s: s.encode("utf-8", "surrogatepass"))


@given(BYTES)
@settings(max_examples=300, deadline=None)
def test_what_the_program_writes_it_reads(data: bytes) -> None:
    assert parse_escaped(escaped(data)) == data
    assert parse_hex(FORMS["Hex"](data)) == data
    assert parse_hex("".join(f"\\x{b:02X}" for b in data)) == data
    assert parse_hex(", ".join(f"0x{b:x}" for b in data)) == data
    assert parse_hex(data.hex()) == data


@given(BYTES)
@settings(max_examples=200, deadline=None)
def test_escapes_mean_what_they_mean_in_python(data: bytes) -> None:
    body = repr(data)[2:-1]  # Python's own way of writing bytes
    assert parse_escaped(body) == codecs.escape_decode(body)[0] == data


@given(st.text(alphabet=st.characters(exclude_characters="\\"), max_size=20))
@settings(deadline=None)
def test_text_without_a_backslash_is_itself(text: str) -> None:
    assert parse_escaped(text) == parse_text(text)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (r"\u6b6a", "歪".encode()),
        (r"\ud83d\ude00", "😀".encode()),  # a surrogate pair is one code point
        (r"\ud83d", b"\xed\xa0\xbd"),  # a lone surrogate keeps its three bytes
        (r"\u{1f600}\U0001F600", "😀😀".encode()),
        (r"\ud83d\x41", b"\xed\xa0\xbdA"),
        (r"\0\12\177\377", b"\0\n\x7f\xff"),
        (r"\e[0m\a\b\f\v\'\"\\", b"\x1b[0m\a\b\f\v'\"\\"),
        ("a\\\nb", b"ab"),
        ("a\nb", b"a\nb"),
        ("", b""),
    ],
)
def test_escapes(text: str, data: bytes) -> None:
    assert parse_escaped(text) == data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", b""), (" \n", b""), ("48 69", b"Hi"), ("48:69", b"Hi"), ("{0x48, 0x69}", b"Hi"), ("[48,69];", b"Hi"),
        ("0x48690a", b"Hi\n"), ("0x0 0xa", b"\0\n"), (r"\x48\x69", b"Hi"), ("fF", b"\xff"),
    ],
)
def test_hex(text: str, data: bytes) -> None:
    assert parse_hex(text) == data


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (parse_hex, "48 6g", "'g' is no hex digit, character 5; give two hex digits a byte"),
        (parse_hex, "48 6", "an odd number of digits (1) is not whole bytes, character 4; give two hex digits a byte"),
        (parse_hex, "48\n4g", "'g' is no hex digit, line 2, column 2; give two hex digits a byte"),
        (parse_hex, "0x", "a prefix is followed by no hex digit, character 1; give two hex digits a byte"),
        (parse_hex, "\u200b48", "U+200B is no hex digit, character 1; give two hex digits a byte"),
        (parse_hex, "١١", "'١' is no hex digit, character 1; give two hex digits a byte"),
        (parse_escaped, r"ab\q", r"\q is no escape that is known, character 3; write \\ for a backslash itself"),
        (parse_escaped, "ab\n\\x4", r"\x is not followed by 2 hex digits, line 2, column 1; "
                                    r"write \\ for a backslash itself"),
        (parse_escaped, "\\", r"the text ends with a single backslash, character 1; write \\ for a backslash itself"),
        (parse_escaped, r"\u{110000}", r"there is no code point 110000: the last is 10FFFF, character 1; "
                                       r"write \\ for a backslash itself"),
        (parse_escaped, r"\u{}", r"\u{ is not followed by one to six hex digits and }, character 1; "
                                 r"write \\ for a backslash itself"),
        (parse_escaped, r"\400", r"\400 is more than a byte holds (\377), character 1; "
                                 r"write \\ for a backslash itself"),
        (parse_ids, "1 2 x3", "'x3' is no token id, character 5; give whole numbers"),
        (parse_ids, "[1, 2.5]", "'2.5' is no token id, character 5; give whole numbers"),
        (parse_ids, "1\n2\n9" + "9" * 5000, "a number of 5,001 digits is no token id, line 3, column 1; "
                                            "give whole numbers"),
        (parse_ids, "١", "'١' is no token id, character 1; give whole numbers"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_its_place(read: object, text: str, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        read(text)  # type: ignore[operator]
    assert str(error.value) == sentence


def test_ids() -> None:
    assert parse_ids("[31373, 995]") == parse_ids("31373 995") == parse_ids("31373;\n(995)") == [31373, 995]
    assert parse_ids("") == []
    assert parse_ids("-1 2147483648") == [-1, 2**31]


@pytest.mark.parametrize("form", sorted(ID_FORMS))
def test_ids_that_the_program_writes_it_reads(form: str) -> None:
    for ids in ([], [7], list(range(30)), [2**31, 0, 5]):
        text = b"".join(p for p in text_of(np.array(ids, np.int64), form) if isinstance(p, bytes)).decode()
        assert parse_ids(text) == parse_ids(f"  {text}\n") == ids


def test_ids_in_source_and_what_is_none() -> None:
    assert parse_ids("input_ids = torch.tensor([[1, 2], [3, 4]])") == [1, 2, 3, 4]
    for text, place in (("ids = 5", 1), ("a = b = [1]", 1), ("x = [1, y]", 9), ("[1] and [2]", 5), ("f(1)", 1)):
        with pytest.raises(InputError, match=f"is no token id, character {place};"):
            parse_ids(text)


# Is a list of ids what the tokenizer makes of its text?


def test_canonical_and_not() -> None:
    tokenizer = ours(ranks_of(b"he", b"hel", b"lo", b"hello"))
    ids = tokenizer.encode("hello").ids.tolist()
    assert ids == theirs(ranks_of(b"he", b"hel", b"lo", b"hello")).encode("hello")
    assert canonical(tokenizer, ids).same
    found = canonical(tokenizer, [*b"a", 257, 258])  # a|hel|lo
    assert (found.data, found.same, found.first, found.byte_pos) == (b"ahello", False, 1, 1)
    assert (found.at("given", 1), found.at("own", 1)) == (257, 259)
    assert found.own == (97, 259)
    # the shorter list ends where they go apart
    longer = canonical(tokenizer, [259, 257, 258])
    assert (longer.first, longer.at("given", 1), longer.at("own", 1), longer.byte_pos) == (1, 257, 259, 5)


def test_ids_that_no_token_has_are_named_and_the_rest_decoded() -> None:
    tokenizer = ours(ranks_of(b"ab"))
    for strange in (-1, 300, 2**31, 2**63, 2**70):
        found = canonical(tokenizer, [97, strange, 98])
        assert (found.data, found.unknown, found.same, found.first) == (b"ab", (strange,), False, 0)
        assert decode_ids(tokenizer, [97, strange, 98]) == (b"ab", [strange])


def test_special_tokens_are_parsed_when_that_is_asked_for() -> None:
    tokenizer = ours(ranks_of(), special={"<s>": 300, "</s>": 301})
    ids = [300, 97]
    assert not canonical(tokenizer, ids).same
    assert specials_in(tokenizer, ids) == {"<s>"}
    assert canonical(tokenizer, ids, specials_in(tokenizer, ids)).same


def test_canonical_agrees_with_the_reference() -> None:
    """tiktoken decides: ids are canonical iff its encoding of what it decodes them to is the same list."""
    rnd = random.Random(4)
    for _ in range(60):
        ranks = trained_ranks(rnd, b"abc ", 30)
        tokenizer, reference = ours(ranks), theirs(ranks)
        assert isinstance(reference, tiktoken.Encoding)
        # Pieces in any order, so that most lists are not canonical; the letters only, so that the text is UTF-8.
        ids = [rnd.choice([i for t, i in ranks.items() if set(t) <= set(b"abc ")]) for _ in range(rnd.randint(0, 6))]
        own = reference.encode(reference.decode(ids), disallowed_special=())
        found = canonical(tokenizer, ids)
        assert (found.same, list(found.own)) == (own == ids, own)
        if not found.same:
            assert found.first is not None
            assert ids[: found.first] == own[: found.first]
            assert found.at("given", found.first) != found.at("own", found.first)
