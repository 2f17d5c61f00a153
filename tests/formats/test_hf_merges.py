"""Merges taken out of a tokenizer.json by its bytes, against what a JSON reader makes of them."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.formats import hf_json, hf_merges, open_bytes
from tokenloupe.formats.json_bytes import keys_written

TOKEN = st.text(alphabet="ab\"\\\n/é日😀],[{}:", min_size=1, max_size=7)
MERGES = st.lists(st.tuples(TOKEN, TOKEN), min_size=2, max_size=9)
DUMPS = st.sampled_from([
    {"separators": (",", ":")}, {"indent": 2, "ensure_ascii": False}, {"indent": 4}, {"ensure_ascii": False}, {},
    {"indent": "\t", "ensure_ascii": False},
])


@pytest.fixture(autouse=True, scope="module")
def small_ones_too() -> object:
    """A file of any size."""
    patch = pytest.MonkeyPatch()
    patch.setattr(hf_merges, "LEAST", 0)
    yield
    patch.undo()


def taken(document: object, data: bytes) -> list[list[str]] | None:
    """The merges that are cut out of the document, the rest of which must be as it was."""
    found = hf_merges.cut_out(data, "mark")
    if found is None:
        return None
    rest, merges = orjson.loads(found[0]), found[1]
    assert rest["model"]["merges"] == ["mark"]
    rest["model"]["merges"] = document["model"]["merges"]  # type: ignore[index]
    assert rest == document
    return [[a.decode(), b.decode()] for a, b in zip(*merges.parts(), strict=True)]


@settings(max_examples=400, deadline=None)
@given(MERGES, DUMPS, st.booleans(), st.booleans())
def test_what_is_cut_out_is_what_is_read(
    merges: list[tuple[str, str]], how: dict[str, Any], paired: bool, behind: bool
) -> None:
    listed = [list(m) if paired else " ".join(m) for m in merges]
    document = {"added_tokens": [{"content": "merges"}], "model": {"vocab": {"merges": 1, ":": 2}, "merges": listed}}
    if behind:
        document["model"]["unk_token"] = "the merges"
        document["last"] = ["a", "b"]
    assert taken(document, json.dumps(document, **how).encode()) == [list(m) for m in merges]


@pytest.mark.parametrize("merges", [
    '["a b", 1]', '["a b", "ab"]', '["a b c", "d"]', '["a b" , "c d","e f"]', '["a b", ["c", "d"]]',
    '[["a","b"],["c"]]',
    '[["a","b","c"],["d","e","f"]]', '["a b", "c\\ud800 d"]', '["a b", "c\td"]', '["a b", "c\\x d"]', '["a b", "c d"',
    '["a b", " d"]', '["a b",, "c d"]', '["a b"; "c d"]', '["a b", "c\\u0020d e"]', '[["a", ""], ["b", "c"]]',
    '["a b", "c d"] ]', '["a b", "c d", "e f"}', '["a b", "c d"], "merges": ["e f", "g h"]',
    '["a b",\f"c d"]', '[\v"a b", "c d"]', '["a b", "c d"\f]', '[["a","b"],\f["c","d"]]', '["a b", "c d",]',
])
def test_what_is_otherwise_is_left_to_the_json_reader(merges: str) -> None:
    data = f'{{"model": {{"merges": {merges}}}}}'.encode()
    found = hf_merges.cut_out(data, "mark")
    if found is not None:  # then what is left is as wrong as it was, or the place is another
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(found[0])
        with pytest.raises(hf_json.InputError):
            hf_json.parse(data, [])


def test_bytes_that_are_no_text_are_left_to_the_json_reader() -> None:
    data = b'{"model": {"merges": ["a b", "c\xff d"]}}'
    assert hf_merges.cut_out(data, "mark") is None
    with pytest.raises(hf_json.InputError, match="not UTF-8"):
        hf_json.parse(data, [])


def test_only_the_models_own_merges_are_taken_for_them() -> None:
    for text in ('{"model": {"merges": [-1]}, "x": {"merges": ["a b", "c d"]}}',
                 '{"model": {"merges": ["a b", "c d"], "m\\u0065rges": [-1]}}',
                 '{"model": {}, "merges": ["a b", "c d"]}'):
        assert hf_json.parse(text.encode(), []) == json.loads(text)


def test_a_file_that_ends_a_little_behind_a_string() -> None:
    whole = b'{"model":{"merges":["a b","c d","e f","g h"]}}'
    for cut in range(len(whole)):
        for tail in (b"", b',"",""', b'","', b'",""', b'"]', b'"]}'):
            data = whole[:cut] + tail
            try:
                wanted = orjson.loads(data)
            except orjson.JSONDecodeError:
                with pytest.raises(hf_json.InputError):
                    hf_json.parse(data, [])
            else:
                assert type(hf_json.parse(data, [])) is type(wanted)


def test_what_would_take_long_is_left_to_the_json_reader() -> None:
    wide = b" " * (hf_merges.LONGEST_GAP + 1)
    assert hf_merges.cut_out(b'{"model": {"merges": ["a b",' + wide + b'"c d"]}}', "mark") is None
    escaped = json.dumps({"model": {"merges": ["\n a"] * (hf_merges.ESCAPED + 1)}}).encode()
    assert hf_merges.cut_out(escaped, "mark") is None


def test_a_version_line_is_no_merge() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    vocab = {t: i for i, t in enumerate([*"abcd", "ab", "cd"])}
    for merges in (["#version: 0.2", "a b", "c d"], ["a b", "#version: 0.2 - x", "c d"]):
        text = json.dumps({"model": {"type": "BPE", "vocab": vocab, "merges": merges}})
        assert hf_merges.cut_out(text.encode(), "mark") is None
        theirs = tokenizers.Tokenizer.from_str(json.dumps({
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": None, "post_processor": None, "decoder": None, "model": json.loads(text)["model"]}))
        made = open_bytes(json.dumps({"version": "1.0", "added_tokens": [], **json.loads(text)}).encode())
        assert made.encode("abcdab").ids.tolist() == theirs.encode("abcdab").ids == [4, 5, 4]


def test_merges_that_are_no_models_stay_what_they_are() -> None:
    value = hf_json.parse(b'{"model": {"vocab": {}}, "other": {"merges": ["a b", "c d"]}}', [])
    assert value == {"model": {"vocab": {}}, "other": {"merges": ["a b", "c d"]}}


JSON = st.recursive(st.one_of(st.none(), st.integers(), TOKEN), lambda inner: st.one_of(
    st.lists(inner, max_size=4), st.dictionaries(TOKEN, inner, max_size=4)), max_leaves=12)


def keys_in(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(keys_in, value.values()))
    return sum(map(keys_in, value)) if isinstance(value, list) else 0


@settings(max_examples=300, deadline=None)
@given(JSON, DUMPS, st.sampled_from(["", " ", "\n\t"]))
def test_keys_are_counted_exactly(value: object, how: dict[str, Any], blank: str) -> None:
    comma, colon = how.get("separators", (", ", ": "))
    text = json.dumps(value, **{**how, "separators": (comma, blank + colon)})
    assert keys_written(text.encode()) == keys_in(value)


def test_a_key_far_from_its_colon() -> None:
    assert keys_written(b'{"a"' + b" " * 300_000 + b':1, "b": "c"' + b"\n" * 40 + b"}") == 2
