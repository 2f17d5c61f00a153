"""tokenizer.json read strictly: what is wrong is named with its place, and what is odd is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_bytes, open_tokenizer

BPE: dict[str, Any] = {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4},
                       "merges": [["a", "b"], ["b", "c"]]}


def written(**changes: Any) -> bytes:
    value = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
             "pre_tokenizer": None, "post_processor": None, "decoder": None, "model": BPE}
    return json.dumps({**value, **changes}).encode()


def opened(**changes: Any) -> Tokenizer:
    return open_bytes(written(**changes), "t.json")


def model(**changes: Any) -> dict[str, Any]:
    return {**BPE, **changes}


def added(content: str, token_id: int, **flags: bool) -> dict[str, Any]:
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"id": token_id, "content": content, **dict.fromkeys(names, False), **flags}


def refused(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        open_bytes(data, "t.json")
    text = str(caught.value)
    assert "\n" not in text and not text.endswith(".")
    return text


def test_merges_as_pairs_and_as_strings_are_the_same() -> None:
    pairs, strings = opened(), opened(model=model(merges=["a b", "b c"]))
    assert pairs.encode("abcbc").ids.tolist() == strings.encode("abcbc").ids.tolist() == [3, 2, 4]


@pytest.mark.parametrize(("changes", "said"), [
    ({"merges": [["a", "b"], "b c"]}, "merge 2"),
    ({"merges": ["a b", "a  b"]}, "merge 2"),
    ({"merges": [["a", "b"], ["b", "c", "a"]]}, "merge 2"),
    ({"merges": [["a", "b"], ["b", 1]]}, "merge 2"),
    ({"merges": [["a", "b"], ["c", "c"]]}, "merge 2 needs the token 'cc'"),
    ({"merges": [["a", "x"]]}, "merge 1 needs the token 'x'"),
    ({"vocab": {"a": -1}, "merges": []}, "the id of 'a' is -1"),
    ({"vocab": {"a": 1.0}, "merges": []}, "the id of 'a' is 1.0"),
    ({"vocab": {"a": "0"}, "merges": []}, "the id of 'a' is '0'"),
    ({"vocab": {"a": 1 << 32}, "merges": []}, "the id of 'a' is 4294967296"),
    ({"vocab": ["a"], "merges": []}, "'vocab' should be dict"),
    ({"type": "Magic"}, "'Magic' is no model"),
    ({"type": []}, "[] is no model"),
    ({"type": {"a": 1}}, "is no model"),
    ({"dropout": 2.0}, "dropout is 2.0"),
])
def test_a_wrong_model_is_refused_with_the_place(changes: dict[str, Any], said: str) -> None:
    text = refused(written(model=model(**changes)))
    assert said in text and "model" in text


@pytest.mark.parametrize("key", ["normalizer", "pre_tokenizer", "post_processor", "decoder"])
def test_an_unknown_stage_is_refused_by_name(key: str) -> None:
    text = refused(written(**{key: {"type": "Sparkle"}}))
    assert "'Sparkle'" in text and key in text
    many = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "post_processor": "processors",
            "decoder": "decoders"}[key]
    text = refused(written(**{key: {"type": "Sequence", many: [{"type": "Sparkle"}]}}))
    assert f"{key}.{many}[0]" in text


def test_encodings_and_damage_are_named() -> None:
    data = written()
    assert "UTF-16" in refused(data.decode().encode("utf-16"))
    assert "ends too early" in refused(data[:-40])
    assert "half of a surrogate pair" in refused(written().replace(b'"ab"', b'"\\ud83d"'))
    assert "nested too deeply" in refused(b'{"version": "1.0", "added_tokens": [], "model": ' + b"[" * 100_000)
    assert "nested too deeply" in refused(b"[" * 100_000)
    assert "not UTF-8" in refused(data.replace(b'"ab"', b'"\xff"'))


def test_a_byte_order_mark_is_passed_over_and_told() -> None:
    tokenizer = open_bytes(b"\xef\xbb\xbf" + written(), "t.json")
    assert tokenizer.encode("ab").ids.tolist() == [3]
    assert any("byte order mark" in w for w in tokenizer.warnings)


def test_a_key_that_is_there_twice_is_told_and_the_last_one_counts() -> None:
    tokenizer = open_bytes(written().replace(b'"a": 0', b'"a": 7, "a": 0'), "t.json")
    assert tokenizer.encode("a").ids.tolist() == [0]
    assert any("'a'" in w and "more than once" in w for w in tokenizer.warnings)


def test_a_doubled_key_in_a_large_file_is_found() -> None:
    vocab = {f"token {i}": i for i in range(40_000)}
    data = written(model={"type": "WordLevel", "vocab": {**vocab, "[UNK]": 40_000}, "unk_token": "[UNK]"})
    assert not open_bytes(data, "t.json").warnings
    doubled = data.replace(b'"token 17": 17,', b'"token 17": 17, "token 17": 17,')
    assert any("'token 17'" in w for w in open_bytes(doubled, "t.json").warnings)


def test_the_type_of_the_model_is_inferred_as_the_library_does() -> None:
    without = {k: v for k, v in BPE.items() if k != "type"}
    assert opened(model=without).encode("abc").ids.tolist() == [3, 2]
    assert opened(model={"vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}).encode("a").ids.tolist() == [0]
    assert opened(model={"vocab": [["<unk>", 0.0], ["a", -1.0]], "unk_id": 0}).encode("a").ids.tolist() == [1]


def test_an_added_token_whose_id_the_library_changes_is_told() -> None:
    gap = opened(added_tokens=[added("<x>", 10, special=True)])
    assert gap.special_tokens == {"<x>": 5}
    assert any("10" in w and "5" in w for w in gap.warnings)
    conflict = opened(added_tokens=[added("ab", 1)])
    assert conflict.added_tokens == {"ab": 3} and len(conflict.vocabulary) == 5
    assert any("'ab'" in w for w in conflict.warnings)


def test_a_huge_id_costs_nothing() -> None:
    tokenizer = opened(model={"type": "BPE", "vocab": {"a": 0, "b": (1 << 32) - 1}, "merges": []})
    assert tokenizer.encode("ab").ids.tolist() == [0, (1 << 32) - 1]
    assert tokenizer.vocabulary.size == 1 << 32
    assert tokenizer.decode([(1 << 32) - 1]) == b"b"


def test_what_the_file_asks_for_and_is_not_done_is_told() -> None:
    tokenizer = opened(model=model(dropout=0.1), truncation={"max_length": 8})
    assert any("dropout" in w for w in tokenizer.warnings)
    assert any("truncation" in w for w in tokenizer.warnings)
    assert tokenizer.encode("ab").ids.tolist() == [3]


def test_special_tokens_as_text_parsed_and_chosen() -> None:
    t = opened(added_tokens=[added("<a>", 5, special=True), added("<b>", 6, special=True), added("<c>", 7)],
               model=model(vocab={**BPE["vocab"]}))
    assert t.encode("<a><b><c>", special="parse").ids.tolist() == [5, 6, 7]
    assert t.encode("<a>c<b><c>").ids.tolist() == [0, 2, 1, 7]
    assert t.encode("<a>c<b><c>", special=["<b>"]).ids.tolist() == [0, 2, 6, 7]
    with pytest.raises(InputError, match="no special token '<zz>'"):
        t.encode("a", special=["<zz>"])


def test_decoding_an_added_token_gives_its_text() -> None:
    """The library reads it as byte-map characters and spoils it."""
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    more = [added("ilÖveyou", 5), added("čau", 6), added("đem", 7)]
    t = opened(pre_tokenizer=level, decoder=level, added_tokens=more)
    assert [t.decode([i]).decode() for i in (5, 6, 7)] == ["ilÖveyou", "čau", "đem"]
    assert t.decode([5, 99, 6]).decode() == "ilÖveyoučau"


def test_files_beside_it_add_their_tokens(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(written(decoder={"type": "Fuse"}))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({
        "clean_up_tokenization_spaces": True, "bos_token": "<s>", "add_bos_token": True,
        "eos_token": {"content": "</s>"},
        "added_tokens_decoder": {"5": added("<s>", 5, special=True), "6": added("</s>", 6, special=True)}}))
    (tmp_path / "added_tokens.json").write_text('{"<more>": 7}')
    t = open_tokenizer(tmp_path)
    assert t.special_tokens == {"<s>": 5, "</s>": 6} and t.added_tokens == {"<more>": 7}
    assert t.encode("ab<more>", bos_eos=True).ids.tolist() == [5, 3, 7]
    assert any("clean_up_tokenization_spaces" in w for w in t.warnings)
    assert any("3 tokens added" in w for w in t.warnings)


def test_a_damaged_file_beside_it_is_told_and_passed_over(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(written())
    (tmp_path / "tokenizer_config.json").write_text("{oops")
    t = open_tokenizer(tmp_path / "tokenizer.json")
    assert any("tokenizer_config.json" in w for w in t.warnings)


def test_other_json_files_are_left_to_others() -> None:
    from tokenloupe.formats import Source
    from tokenloupe.formats.tokenizer_json import FORMAT

    assert FORMAT.sniff(Source(None, "vocab.json", b'{"!": 0, "model": 1}')) == 0
    assert FORMAT.sniff(Source(None, "config.json", b'{"model_type": "gpt2", "vocab_size": 3}')) == 0
    assert FORMAT.sniff(Source(None, "tokenizer.json", written())) > 50
