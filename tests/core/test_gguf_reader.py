"""The GGUF metadata reader: values against hand-written files and gguf-py, hostile counts, cuts at every byte."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gguf_vocab_build import build
from tokenloupe.core import gguf_reader
from tokenloupe.core.errors import InputError
from tokenloupe.core.gguf_reader import StringArray, ValueType, read_metadata

KEYS = [("a", "text"), ("b", True), ("c", 7), ("d", 1.5), ("e", ["x", "", "y" * 300]), ("f", [1, -2]), ("g", [0.5])]


@pytest.mark.parametrize("big_endian", [False, True])
@pytest.mark.parametrize("version", [2, 3])
def test_every_kind_of_value(version: int, big_endian: bool) -> None:
    meta = read_metadata(build(KEYS, version=version, big_endian=big_endian))
    assert (meta.version, meta.big_endian, meta.tensor_count) == (version, big_endian, 0)
    assert meta.text("a") == "text" and meta.flag("b") is True and meta.integer("c") == 7
    strings = meta.strings("e")
    assert strings is not None and strings.to_list() == [b"x", b"", b"y" * 300] and strings[2] == b"y" * 300
    numbers = meta.numbers("f")
    assert numbers is not None and numbers.tolist() == [1, -2] and numbers.dtype.isnative
    assert meta.entry("g").type_word == "float32[1]" and meta.text("missing") is None  # type: ignore[union-attr]


def test_a_file_that_gguf_py_wrote(tmp_path: Path) -> None:
    writer = gguf.GGUFWriter(tmp_path / "x.gguf", "llama")
    writer.add_token_list([f"token {i} " + "é" * (i % 200) for i in range(9000)])
    writer.add_token_scores([float(-i) for i in range(9000)])
    writer.add_uint64("big", 2**63 + 5)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    meta = read_metadata((tmp_path / "x.gguf").read_bytes())
    strings, scores = meta.strings("tokenizer.ggml.tokens"), meta.numbers("tokenizer.ggml.scores")
    assert strings is not None
    assert strings.to_list() == [(f"token {i} " + "é" * (i % 200)).encode() for i in range(9000)]
    assert scores is not None and scores.dtype == np.float32 and scores[8999] == -8999
    assert meta.integer("big") == 2**63 + 5


@settings(max_examples=80, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=8), st.binary(min_size=250, max_size=270)), max_size=60), st.booleans())
def test_strings_of_any_length(values: list[bytes], big_endian: bool) -> None:
    texts = [v.decode("utf-8", "surrogateescape") for v in values] or ["a"]
    found = read_metadata(build([("k", texts)], big_endian=big_endian)).strings("k")
    assert isinstance(found, StringArray)
    blob, offsets = found.joined()
    assert [blob[a:b] for a, b in pairwise(offsets)] == (values or [b"a"])
    assert [found[i] for i in range(len(found))] == (values or [b"a"])


@pytest.mark.parametrize("value", [b"", b"\0", b"\0" * 9, b"x" * 300])
def test_a_chain_that_breaks_everywhere_is_not_looked_for_again_and_again(
    value: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    chain = gguf_reader.Cursor._chain
    monkeypatch.setattr(gguf_reader.Cursor, "_chain", lambda self, most: calls.append(most) or chain(self, most))
    count = 300_000
    data = count.to_bytes(8, "little") + (len(value).to_bytes(8, "little") + value) * count
    found = gguf_reader.Cursor(data).array(ValueType.STRING, "k")
    assert isinstance(found, StringArray) and len(found) == count
    assert bool((found.lengths == len(value)).all()) and found[count - 1] == value
    assert len(calls) <= 60 * (1 + len(data) // (1 << 23)), len(calls)  # a chunk has 4,096 strings: 73 of them


@pytest.mark.parametrize("region", [200, 1 << 20])
def test_many_strings_with_odd_ones_among_them(region: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengths are looked for by the zeros behind them: empty strings, zeros in strings, long ones break the chain."""
    monkeypatch.setattr(gguf_reader, "_REGION", region)
    monkeypatch.setattr(gguf_reader, "_FEW_STRINGS", 3)
    odd = [b"", b"\0" * 9, b"\1" + b"\0" * 7, b"a" + b"\0" * 7 + b"b", b"x" * 255, b"x" * 256, b"y" * 300]
    values = [odd[i % len(odd)] if i % 37 == 5 else b"token%d" % i for i in range(2000)]
    for count in (2000, 1998, 70):
        found = read_metadata(build([("s", [v.decode() for v in values[:count]]), ("n", 7)])).strings("s")
        assert found is not None and found.to_list() == values[:count]


def test_cut_at_every_byte_it_says_where() -> None:
    data = build(KEYS)
    for size in range(len(data)):
        with pytest.raises(InputError) as error:
            read_metadata(data[:size])
        assert "byte" in str(error.value)


def hostile(kind: int, count: int, element: int | None = None) -> bytes:
    array = b"" if element is None else struct.pack("<I", element)
    return (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<I", kind) + array
            + struct.pack("<Q", count) + b"\0" * 40)


def nested(value: bytes) -> bytes:
    """A file of the keys k, an array whose encoded value this is, and z = 7."""
    first = struct.pack("<Q", 1) + b"k" + struct.pack("<I", 9) + value
    last = struct.pack("<Q", 1) + b"z" + struct.pack("<II", 4, 7)
    return b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + first + last


@pytest.mark.parametrize(
    ("value", "word", "inside"),
    [
        (struct.pack("<IQ", 9, 0), "array[0]", 0),
        (struct.pack("<IQIQ2I", 9, 1, 4, 2, 5, 6), "array[1]", 1),
        (struct.pack("<IQIQQ", 9, 2, 8, 1, 3) + b"abc" + struct.pack("<IQ", 8, 0), "array[2]", 2),
        (struct.pack("<IQ", 9, 1) * 240_000 + struct.pack("<IQ", 0, 3) + b"abc", "array[1]", 240_000),
    ],
)
def test_arrays_of_arrays_are_stepped_over(value: bytes, word: str, inside: int) -> None:
    meta = read_metadata(nested(value))
    k = meta.entry("k")
    assert k is not None and k.type_word == word and k.value.inside == inside
    assert k.problem is not None and k.problem in meta.problems[0] and "array of arrays" in k.problem
    assert (k.value_end - k.value_start, meta.integer("z")) == (len(value), 7)
    with pytest.raises(InputError, match="key k"):
        meta.numbers("k")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (hostile(8, 2**62), "the file ends inside the value of key k"),
        (hostile(9, 2**61, 8), "strings of key k.*cannot fit"),
        (hostile(9, 2**63, 5), "elements of key k.*cannot fit"),
        (hostile(9, 2**61, 9), "arrays of key k.*cannot fit"),
        (hostile(9, 9, 9), "arrays of key k.*cannot fit"),
        (nested(struct.pack("<IQ", 9, 1) * 3 + struct.pack("<IQ", 4, 9)), "elements inside key k.*cannot fit"),
        (nested(struct.pack("<IQ", 9, 400_001) + struct.pack("<IQ", 0, 0) * 400_001), "more than 400,000 inside"),
        (hostile(77, 1), "the type of key k is 77"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "keys.*cannot fit"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 2**50) + bytes(9), "the length of key 0"),
        (b"GGUF" + struct.pack("<III", 1, 0, 0), "version 1"),
        (b"GGUF" + struct.pack("<IQQ", 9, 0, 0), "version 9 is not known"),
        (b"tjgg\3\0\0\0", "legacy GGJT v3"),
    ],
)
def test_hostile_files_are_refused_before_anything_is_allocated(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_metadata(data)


def test_a_key_that_is_there_twice_is_a_problem_with_both_values() -> None:
    meta = read_metadata(build([("x", 1), ("x", 2)]))
    assert meta.problems == ("the key x is there twice: 1 and 2",) and meta.integer("x") == 1


def test_a_value_of_a_wrong_type_is_named() -> None:
    meta = read_metadata(build(KEYS))
    for read in (meta.text, meta.flag, meta.strings, meta.numbers):
        with pytest.raises(InputError, match="key c"):
            read("c")
    assert ValueType(4).word == "uint32"
