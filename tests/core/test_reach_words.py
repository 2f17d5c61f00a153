"""What no word of BERT's can have, by hand; a GGUF file with such entries."""

from __future__ import annotations

import pytest

import gguf_vocab_build
from tokenloupe.core.llamacpp_models import WordPieceModel
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Status, reach
from tokenloupe.core.reach_words import WordParts
from tokenloupe.formats import open_bytes

IDS = {"▁": 0, "▁hi": 1, "▁!": 2}


@pytest.mark.parametrize(("spelled", "never"), [
    ("hi", False), ("▁hi", False), ("▁", False),
    ("Hi", True), ("é", True),  # lower case, without accents
    ("[unused1]", True), ("▁a-b", True),  # marks are words by themselves
    ("▁!", False), ("!", True),  # "▁!" is there and goes first
    ("?", False),  # "▁" and "?"
    ("中", False), ("中国", True), ("a b", True), ("▁▁a", False),
])
def test_what_a_word_can_have(spelled: str, never: bool) -> None:
    assert WordParts(WordPieceModel(IDS, 9)).never(spelled) == never


def test_cased_models() -> None:
    parts = WordParts(WordPieceModel(IDS, 9, lowercase=False, strip_accents=False))
    assert not parts.never("Hi") and not parts.never("é") and parts.never("a-b")
    assert WordParts(WordPieceModel({}, 9)).never("?")  # nothing for "▁": the word is unknown


def test_a_file_with_entries_that_no_word_has() -> None:
    tokens = ["[UNK]", "▁hi", "hi", "▁!", "!", "Hi", "[unused1]", "▁中", "中国"]
    found = reach(VocabularyIndex(open_bytes(gguf_vocab_build.build([
        ("general.architecture", "bert"), ("tokenizer.ggml.model", "bert"), ("tokenizer.ggml.pre", "jina-v2-en"),
        ("tokenizer.ggml.unknown_token_id", 0), ("tokenizer.ggml.tokens", tokens),
        ("tokenizer.ggml.token_type", [2] + [1] * 8)]), "t.gguf")))
    assert [found.status_of(i) for i in (4, 5, 6, 8)] == [Status.UNREACHABLE] * 4
    assert max(found.status_of(i) for i in (1, 3, 7)) <= Status.CONTEXT
