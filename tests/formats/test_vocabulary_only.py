"""A tokenizer.json with a stage of an unknown type: one sentence, and its vocabulary alone on request."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenloupe.core.audit import audit
from tokenloupe.core.audit_report import markdown
from tokenloupe.core.errors import InputError, StageError
from tokenloupe.core.lineage import Lineage
from tokenloupe.core.query import Filter, VocabularyIndex
from tokenloupe.core.vocabulary import TokenKind
from tokenloupe.core.vocabulary_only import VocabularyOnly
from tokenloupe.formats import open_bytes

VOCAB = {"Ġ": 0, "a": 1, "b": 2, "ab": 3, "Ġab": 4}
MERGES = [["a", "b"], ["Ġ", "ab"]]
BPE = {"type": "BPE", "vocab": VOCAB, "merges": MERGES}


def written(**changes: Any) -> bytes:
    return json.dumps({
        "version": "1.0", "normalizer": None, "pre_tokenizer": None, "post_processor": None,
        "added_tokens": [{"id": 5, "content": "<s>", "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True}],
        "decoder": {"type": "ByteLevel"}, "model": BPE, **changes}).encode()


STAGES = [
    ({"pre_tokenizer": {"type": "Sparkle"}}, "'Sparkle' is no pre-tokenizer"),
    ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "Sparkle"}]}}, "'Sparkle' is no normalizer"),
    ({"post_processor": {"type": "Sparkle"}}, "'Sparkle' is no post-processor"),
    ({"model": {**BPE, "type": "Sparkle"}}, "'Sparkle' is no model"),
    ({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(("}, "behavior": "Isolated", "invert": False}}, ""),
]


@pytest.mark.parametrize(("changes", "said"), STAGES)
def test_one_sentence_and_the_vocabulary_alone(changes: dict[str, Any], said: str) -> None:
    data = written(**changes)
    with pytest.raises(StageError) as caught:
        open_bytes(data, "t.json")
    assert said in str(caught.value) and "t.json" in str(caught.value) and "\n" not in str(caught.value)
    only = open_bytes(data, "t.json", vocabulary_only="yes")
    assert isinstance(only, VocabularyOnly)
    assert [only.vocabulary.bytes_of(i) for i in range(6)] == [b" ", b"a", b"b", b"ab", b" ab", b"<s>"]
    assert only.vocabulary.kind_of(5) == TokenKind.SPECIAL and only.special_tokens == {"<s>": 5}
    assert said in only.warnings[0] and "a text gives no tokens" in only.warnings[0]
    assert only.decode([4, 3]) == b" abab"
    assert Lineage(VocabularyIndex(only)).merges.result.tolist() == [3, 4]


def test_no_ids_are_guessed_and_all_of_the_text_is_lost() -> None:
    only = open_bytes(written(pre_tokenizer={"type": "Sparkle"}), "t.json", vocabulary_only="yes")
    encoding = only.encode("ab <s>", special="parse")
    assert len(encoding) == 0 and not encoding.exact
    assert [(x.start, x.end, x.stage) for x in encoding.lost] == [(0, 6, "pre_tokenizer")]
    assert only.encode("").exact


@pytest.mark.parametrize(("vocab", "pieces"), [
    ({"a": 0, "b": 3}, {0: b"a", 3: b"b"}),
    ([["a", -1.5], ["▁b", -2.0]], {0: b"a", 1: "▁b".encode()}),
])
def test_a_model_of_an_unknown_type_with_a_table_or_a_list(vocab: Any, pieces: dict[int, bytes]) -> None:
    data = written(model={"type": "Sparkle", "vocab": vocab}, added_tokens=[], decoder=None)
    only = open_bytes(data, "t.json", vocabulary_only="yes")
    assert {int(i): only.vocabulary.bytes_of(int(i)) for i in only.vocabulary.ids} == pieces


def test_a_decoder_of_an_unknown_type_leaves_the_spelling_of_the_file() -> None:
    only = open_bytes(written(decoder={"type": "Sparkle"}), "t.json", vocabulary_only="yes")
    assert only.vocabulary.bytes_of(4) == "Ġab".encode()
    assert any("as the file spells them" in w for w in only.warnings)


@pytest.mark.parametrize("model", [{"type": "Sparkle"}, {"type": "Sparkle", "vocab": {}},
                                   {"type": "Sparkle", "vocab": {"a": -1}}, {"type": "Sparkle", "vocab": 7}])
def test_without_a_vocabulary_nothing_is_offered(model: dict[str, Any]) -> None:
    for options in ({}, {"vocabulary_only": "yes"}):
        with pytest.raises(InputError) as caught:
            open_bytes(written(model=model), "t.json", **options)
        assert not isinstance(caught.value, StageError) and "'Sparkle' is no model" in str(caught.value)


def test_a_file_that_can_be_run_is_opened_whole() -> None:
    assert open_bytes(written(), "t.json", vocabulary_only="yes").encode("ab").ids.tolist() == [3]


def test_it_is_searched_and_audited_without_a_guess() -> None:
    only = open_bytes(written(pre_tokenizer={"type": "Sparkle"}), "t.json", vocabulary_only="yes")
    index = VocabularyIndex(only)
    assert index.search(Filter("ab")).tolist() == [3, 4]
    found = audit(index)
    assert not found.reach.tried and not {"none found", "unreachable", "decodes differently"} & set(found.totals)
    assert found.counts.total == 6 and "nothing was tried" in markdown(found).lower()
