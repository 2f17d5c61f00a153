"""Case files: what is written is read back, equal cases are equal files, and nothing a file says is believed."""

from __future__ import annotations

import base64
import json
import tracemalloc
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.case_check import differences, first_difference
from tokenloupe.core.case_file import LARGEST, Case, TokenizerRef, dumps, loads
from tokenloupe.core.errors import InputError

SHA = "0123456789abcdef" * 4
texts = st.text(st.characters(exclude_categories=()), max_size=12)  # lone surrogates, too: names of files have them
cases = st.builds(
    Case,
    data=st.binary(max_size=40),
    tokenizer=st.builds(TokenizerRef, texts, texts, st.sampled_from(["", SHA]), texts,
                        st.dictionaries(st.sampled_from(["pattern", "end_token"]), texts).map(MappingProxyType)),
    special=st.one_of(st.just("text"), st.just("parse"), st.frozensets(texts, max_size=3)),
    bos_eos=st.booleans(),
    ids=st.lists(st.integers(0, 2**63 - 1), max_size=9).map(lambda i: np.array(i, np.int64)),
    name=texts, note=texts,
)


@given(cases)
@settings(max_examples=150, deadline=None)
def test_written_read_and_written_again_is_the_same_file(case: Case) -> None:
    raw = dumps(case)
    read = loads(raw)
    assert dumps(read) == raw and read == case
    assert (read.data, read.ids.tolist(), read.special) == (case.data, case.ids.tolist(), case.special)


def test_the_file_is_plain_json_with_the_input_in_base64() -> None:
    case = Case(b"a\xff\x00", TokenizerRef("gpt2", "tiktoken", SHA, "gpt2"), frozenset("ba"), True,
                np.array([1, 2**63 - 1]), "n", "é")
    values = json.loads(dumps(case))
    assert list(values) == ["format", "version", "name", "note", "input", "tokenizer", "settings", "ids"]
    assert base64.b64decode(values["input"]) == b"a\xff\x00" and values["ids"] == [1, 2**63 - 1]
    assert values["settings"] == {"special": ["a", "b"], "bos_eos": True} and values["note"] == "é"


def test_byte_order_mark_and_other_spacing_are_read() -> None:
    case = Case(b"x", TokenizerRef("n", "f", ""))
    assert loads(b"\xef\xbb\xbf" + json.dumps(json.loads(dumps(case)), indent=4).encode()) == case


def changed(**changes: Any) -> bytes:
    """A good file with some keys changed; "a__b" is key b of object a; None takes a key out."""
    values = json.loads(dumps(Case(b"hi", TokenizerRef("gpt2", "tiktoken", SHA, "gpt2"), ids=np.array([5303]))))
    for path, value in changes.items():
        *way, key = path.split("__")
        inner = values
        for step in way:
            inner = inner[step]
        if value is None:
            del inner[key]
        else:
            inner[key] = value
    return json.dumps(values).encode()


GOOD = changed()
HOSTILE = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\t", "the file is empty"),
    "no JSON": (b"hello", "no JSON"),
    "not UTF-8": (b'{"format": "\xff"}', "not UTF-8, byte 12"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "not UTF-8"),
    "a list": (b"[]", "no case file"),
    "a number": (b"7", "no case file"),
    "another JSON": (b'{"model": {}}', 'key "format"'),
    "deep lists": (b"[" * 100_000, "nests too deeply"),
    "deep objects": (b'{"a":' * 100_000, "nests too deeply"),
    "deep in place": (GOOD.replace(b"[5303]", b"[" * 50_000 + b"]" * 50_000), "nests too deeply"),
    "digits": (GOOD.replace(b"5303", b"9" * 5000), "thousands of digits"),
    "many digits": (GOOD.replace(b"5303", b"9" * 4000), "a number of many digits is not a token id"),
    "a key twice": (GOOD[:-1] + b', "note": ""}', "a key twice"),
    "NaN": (GOOD.replace(b"5303", b"NaN"), "NaN is no JSON"),
    "Infinity": (GOOD.replace(b"5303", b"-Infinity"), "-Infinity is no JSON"),
    "newer": (changed(version=2), "a newer Tokenloupe"),
    "older": (changed(version=0), "reads version 1"),
    "version text": (changed(version="1"), '"1" is not a whole number, key "version"'),
    "version true": (changed(version=True), "true is not a whole number"),
    "version huge": (GOOD.replace(b'"version": 1', b'"version": 1' + b"0" * 3000), "a number of many digits"),
    "no input": (changed(input=None), 'a key is missing, key "input"'),
    "input list": (changed(input=[104]), 'a list is not a text, key "input"'),
    "base64 sign": (changed(input="aG!k"), "not base64, key \"input\", character 3"),
    "base64 length": (changed(input="aGk"), "not base64"),
    "base64 line": (changed(input="aG\nk="), "not base64"),
    "base64 bits": (changed(input="aGl="), "bits behind its end"),
    "base64 letters": (changed(input="é" * 4), "not base64"),
    "ids text": (changed(ids="5303"), 'not a list, key "ids"'),
    "id text": (changed(ids=[1, "2"]), '"2" is not a whole number, key "ids", place 1'),
    "id true": (changed(ids=[True]), "true is not a whole number"),
    "id float": (changed(ids=[1, 2.0]), "2.0 is not a whole number"),
    "id float huge": (GOOD.replace(b"5303", b"1e999"), "is not a whole number"),
    "id negative": (changed(ids=[3, -1]), 'place 1'),
    "id too large": (changed(ids=[2**63]), "9223372036854775808 is not a token id"),
    "id object": (changed(ids=[{}]), "an object is not a whole number"),
    "ids null": (GOOD.replace(b"[5303]", b"null"), "null is not a list"),
    "tokenizer list": (changed(tokenizer=[]), 'not an object, key "tokenizer"'),
    "no name": (changed(tokenizer__name=None), 'key "tokenizer.name"'),
    "sha short": (changed(tokenizer__sha256="ab"), "64 digits"),
    "sha upper": (changed(tokenizer__sha256=SHA.upper()), "64 digits"),
    "sha line": (changed(tokenizer__sha256=SHA + "\n"), "64 digits"),
    "option": (changed(tokenizer__options={"name_or_path": "/etc/passwd"}), "no tokenizer is opened with this option"),
    "option list": (changed(tokenizer__options={"pattern": ["x"]}), 'not a text, key "tokenizer.options.pattern"'),
    "special": (changed(settings__special="all"), '"text", "parse" or a list'),
    "special number": (changed(settings__special=[1]), "1 is not a text"),
    "special null": (changed(settings={"bos_eos": False}), 'key "settings.special"'),
    "bos": (changed(settings__bos_eos=1), "1 is not true or false"),
    "unknown key": (changed(x=1), 'none of a case file\'s, key "x"'),
    "unknown inside": (changed(tokenizer__run="rm"), 'key "tokenizer.run"'),
    "a long key": (changed(**{"k" * 100_000: 1}), "none of a case file's"),
    "an ugly key": (changed(**{"a\nb\x1b[31m": 1}), "a\\nb\\x1b[31m"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_damaged_or_hostile_file_is_one_sentence(name: str) -> None:
    raw, says = HOSTILE[name]
    with pytest.raises(InputError) as caught:
        loads(raw)
    sentence = str(caught.value)
    assert says in sentence
    assert "\n" not in sentence and sentence.isprintable() and len(sentence) < 1000


def test_cut_anywhere_it_is_one_sentence() -> None:
    raw = dumps(Case("é漢".encode(), TokenizerRef("ü", "f", SHA), note="漢字"))
    for end in range(len(raw) - 2):  # without the last line end and brace
        with pytest.raises(InputError):
            loads(raw[:end])


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_a_changed_byte_is_another_case_or_one_sentence(data: st.DataObject) -> None:
    raw = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        read = loads(bytes(raw))
    except InputError:
        return
    assert loads(dumps(read)) == read


def test_too_large_is_refused_unread_and_nothing_is_allocated_from_a_number() -> None:
    with pytest.raises(InputError, match="too many for a case"):
        loads(bytes(LARGEST + 1))
    tracemalloc.start()
    for raw in (HOSTILE["version huge"][0], HOSTILE["id too large"][0], HOSTILE["many digits"][0]):
        with pytest.raises(InputError):
            loads(raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


class Stub:
    def __init__(self, name: str, sha256: str, **opened_with: str) -> None:
        self.name, self.sha256, self.opened_with = name, sha256, opened_with


@pytest.mark.parametrize(("here", "ids", "told"), [
    (Stub("gpt2", SHA), [1, 2], ()),
    (Stub("other name", SHA), [1, 2], ()),
    (Stub("gpt2", "f" * 64), [1, 2], ("another file", )),
    (Stub("gpt2", ""), [1, 2], ("SHA-256 unknown, not 01234567…", )),
    (Stub("gpt2", SHA, pattern="cl100k"), [1, 2], ("opened with pattern=cl100k, in the case with no options", )),
    (Stub("gpt2", SHA), [1, 3], ("token 1 is 3, in the case 2", )),
    (Stub("gpt2", SHA), [1], ("token 1 is none, in the case 2", )),
    (Stub("gpt2", SHA), [1, 2, 9], ("token 2 is 9, in the case none", )),
    (Stub("gpt2", "f" * 64), [], ("another file", "token 0 is none, in the case 1")),
])
def test_what_differs_is_told(here: Stub, ids: list[int], told: tuple[str, ...]) -> None:
    case = Case(b"", TokenizerRef("gpt2", "tiktoken", SHA), ids=np.array([1, 2]))
    found = differences(case, here, np.array(ids, np.int64))  # type: ignore[arg-type]
    assert len(found) == len(told) and all(part in sentence for part, sentence in zip(told, found, strict=True))


def test_a_tokenizer_of_no_file_goes_by_its_name() -> None:
    case = Case(b"", TokenizerRef("trained", "gob", ""))
    assert differences(case, Stub("trained", ""), np.zeros(0, np.int64)) == ()  # type: ignore[arg-type]
    assert differences(case, Stub("other", ""), np.zeros(0, np.int64)) != ()  # type: ignore[arg-type]


@given(st.lists(st.integers(0, 3), max_size=6), st.lists(st.integers(0, 3), max_size=6))
@settings(max_examples=100)
def test_first_difference(left: list[int], right: list[int]) -> None:
    slow = next((i for i in range(max(len(left), len(right))) if left[i : i + 1] != right[i : i + 1]), -1)
    assert first_difference(np.array(left, np.int64), np.array(right, np.int64)) == slow
