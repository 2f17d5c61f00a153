"""Cache: a tokenizer.json of every model comes back as it was parsed and gives the library's ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import cache_file, open_tokenizer

from .cache_kit import JSONS, TEXTS, Parsed, bpe, put, same, sentencepiece_like, stored

pytestmark = pytest.mark.usefixtures("all_sizes_kept")


@pytest.mark.parametrize("kind", JSONS)
def test_a_tokenizer_json_comes_back_and_gives_the_librarys_ids(kind: str, tmp_path: Path, parsed: Parsed) -> None:
    path = put(tmp_path / "tokenizer.json", JSONS[kind]())
    first = open_tokenizer(path)
    second = open_tokenizer(path)
    assert parsed.count == 1 and len(stored()) == 1
    same(first, second)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    for text in TEXTS:
        assert second.encode(text, special="parse").ids.tolist() == theirs.encode(text, add_special_tokens=False).ids


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="ab c▁é<x>\n", max_size=300))
def test_texts_of_all_lengths_are_encoded_the_same(text: str) -> None:
    """Few words and many, short and long: each takes another way through the model."""
    fresh, kept = _pair()
    assert kept.encode(text).ids.tolist() == fresh.encode(text).ids.tolist()


def _pair(made: list[Tokenizer] = []) -> list[Tokenizer]:  # noqa: B006
    if not made:
        from tokenloupe.formats import stored_json, tokenizer_json
        from tokenloupe.formats.registry import Source

        value = sentencepiece_like()
        source = Source(None, "tokenizer.json", orjson.dumps(value))
        fresh = tokenizer_json.build(value, source, [])
        kept = stored_json.freeze(fresh, stored_json.without_tables(value))
        assert kept is not None
        packed = b"".join(cache_file.pack("k", kept))
        back = cache_file.unpack(packed, "k")
        assert back is not None
        made += [fresh, tokenizer_json.thaw(back, source)]
    return made


WORDS = {"[UNK]": 0, "a": 1, "ab": 2, "##ab": 3, "c": 4, "##c": 5, "a<x>b": 6, "é日x": 7}
OTHER_MODELS: dict[str, dict[str, Any]] = {
    "WordLevel": {"type": "WordLevel", "vocab": WORDS, "unk_token": "[UNK]"},
    "WordPiece": {"type": "WordPiece", "vocab": WORDS, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100},
    "Unigram": {"type": "Unigram", "unk_id": 0, "byte_fallback": False,
                "vocab": [["<unk>", 0.0], ["a", -1.1], ["b", -1.2], ["ab", -2.3000001], ["abab", -4.6], ["日x", -3.0]]},
    "Unigram of bytes": {"type": "Unigram", "unk_id": 0, "byte_fallback": True,
                         "vocab": [["<unk>", 0.0], ["ab", -2.0], *([f"<0x{b:02X}>", -9.0] for b in range(256))]},
}


@pytest.mark.parametrize("kind", OTHER_MODELS)
def test_other_models_come_back_and_give_the_librarys_ids(kind: str, tmp_path: Path, parsed: Parsed) -> None:
    value = bpe() | {"model": OTHER_MODELS[kind], "pre_tokenizer": {"type": "WhitespaceSplit"}}
    value["added_tokens"][0]["id"] = len(OTHER_MODELS[kind]["vocab"])
    path = put(tmp_path / "tokenizer.json", value)
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert parsed.count == 1 and len(stored()) == 1
    same(first, second)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    for text in TEXTS:
        assert second.encode(text, special="parse").ids.tolist() == theirs.encode(text, add_special_tokens=False).ids


def test_a_model_with_a_spelling_twice_is_parsed_each_time(tmp_path: Path, parsed: Parsed) -> None:
    """Of two pieces with one spelling only one can be told from the vocabulary when an added token has the other's."""
    pieces = [["<unk>", 0.0], ["<x>", -1.0], ["<x>", -2.0], ["a", -1.0]]
    value = bpe() | {"model": {"type": "Unigram", "unk_id": 0, "vocab": pieces}}
    path = put(tmp_path / "tokenizer.json", value)
    same(open_tokenizer(path), open_tokenizer(path))
