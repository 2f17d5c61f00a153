"""The public fault cases of tokenizer.json, with their right values; and the library beside us on each file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer as Reference

from hf_oracle import compare_text
from tokenloupe.core.errors import InputError
from tokenloupe.core.pipeline_tokenizer import PipelineTokenizer
from tokenloupe.formats import open_tokenizer

Opener = Callable[[str], PipelineTokenizer]


@pytest.fixture
def case(shared: Path) -> Opener:
    def find(name: str) -> PipelineTokenizer:
        return open_tokenizer(shared / "cases/files" / name)  # type: ignore[return-value]

    return find


def tokens(tokenizer: PipelineTokenizer, text: str, special: str = "parse") -> list[str]:
    return [tokenizer.spellings[int(i)] for i in tokenizer.encode(text, special=special).ids]  # type: ignore[arg-type]


def spans(tokenizer: PipelineTokenizer, text: str) -> list[tuple[int, int]]:
    made = tokenizer.encode(text, special="parse")
    return list(zip(made.starts.tolist(), made.ends.tolist(), strict=True))


@pytest.mark.parametrize(("name", "text", "wanted"), [
    ("tj_ignore_merges_true.json", "abc abc", ["abc", "Ġ", "ab", "c"]),
    ("tj_ignore_merges_false.json", "abc abc", ["ab", "c", "Ġ", "ab", "c"]),
    ("tj_metaspace_always.json", "hi<s>hi", ["▁hi", "<s>", "▁hi"]),
    ("tj_metaspace_first.json", "hi<s>hi", ["▁hi", "<s>", "hi"]),
    ("tj_metaspace_first.json", "<s>hi", ["<s>", "hi"]),
    ("tj_metaspace_never.json", "hi<s>hi", ["hi", "<s>", "hi"]),
    ("tj_metaspace_legacy.json", "hi", ["▁hi"]),
    ("tj_unigram_byte_fallback.json", "a👍\nb", ["a", "<0xF0>", "<0x9F>", "<0x91>", "<0x8D>", "<0x0A>", "b"]),
    ("tj_bpe_byte_fallback_missing91_fuse.json", "a👍👍\nb", ["a", "<0x0A>", "<unk>", "b"]),
    ("tj_bpe_byte_fallback_missing91.json", "a👍👍\nb", ["a", "<unk>", "<0x0A>", "<unk>", "b"]),
    ("tj_oov_no_unk.json", "azb", ["ab"]),
    ("tj_merges_list.json", "abc", ["ab", "c"]),
    ("tj_merges_str.json", "abc", ["ab", "c"]),
    ("tj_merges_dup.json", "abc", ["a", "bc"]),
    ("tj_merges_space_list.json", "a b", ["a b"]),
    ("tj_no_model_type.json", "abc", ["ab", "c"]),
])
def test_tokens(case: Opener, name: str, text: str, wanted: list[str]) -> None:
    assert tokens(case(name), text) == wanted


def test_every_stage_of_a_pre_tokenizer_sequence_cuts(case: Opener) -> None:
    t = case("tj_falcon_pre.json")
    pieces = t.pieces(t.sections(b"it's 12345!!!x", "parse"))
    assert pieces.texts() == ["it", "'", "s", "Ġ", "123", "45", "!!!", "x"]


def test_one_missing_byte_makes_the_whole_run_unknown(case: Opener) -> None:
    t = case("tj_unigram_byte_fallback_missing91.json")
    made = t.encode("a👍\nb")
    assert len(made.ids) == 3 and spans(t, "a👍\nb") == [(0, 1), (1, 6), (6, 7)]


def test_wordpiece_counts_characters(case: Opener) -> None:
    t = case("tj_wordpiece.json")
    assert tokens(t, "token tokx aaaaaa éééééé ééééé") == [
        "tok", "##en", "[UNK]", "[UNK]", "[UNK]", "é", "##é", "##é", "##é", "##é"]


def test_added_token_is_searched_before_or_after_normalization(case: Opener, shared: Path) -> None:
    t = case("tj_added_flags.json")
    reference = Reference.from_file(str(shared / "cases/files/tj_added_flags.json"))
    assert t.encode("say YES yes Yes", special="parse").ids.tolist() == reference.encode("say YES yes Yes").ids


def test_hangul_spans_are_whole(case: Opener) -> None:
    assert spans(case("tj_nfkc.json"), "\u1106\u1161\u1109\u1175\u11af\u110b\u116d") == [(0, 6), (6, 15), (15, 21)]


def test_decoding(case: Opener) -> None:
    always, never = case("tj_metaspace_always.json"), case("tj_metaspace_never.json")
    hi = next(i for i, s in always.spellings.items() if s == "▁hi")
    assert (always.decode([hi, hi]), never.decode([hi, hi])) == (b"hi hi", b" hi hi")
    for text, back in (("  hi", b" hi"), (" hi", b"hi")):
        made = always.encode(text)
        assert not made.exact and always.decode(made.ids) == back and len(made.lost) == 1
    added = case("tj_added_bytemap.json")
    assert sorted(added.decode([i]).decode() for i in added.added.by_id) == sorted(["ilÖveyou", "čau", "đem"])


def test_vocabulary_facts(case: Opener) -> None:
    assert case("tj_id_u32max.json").vocabulary.size == 1 << 32
    conflict = case("tj_added_conflict.json")
    assert len(conflict.vocabulary) == 5 and conflict.warnings
    assert (conflict.special_tokens | conflict.added_tokens)["ab"] == 3
    gap = case("tj_added_gap.json")
    assert "<x>" in gap.special_tokens | gap.added_tokens and "10" in gap.warnings[0] and "5" in gap.warnings[0]
    assert any("'a'" in w for w in case("tj_dup_keys.json").warnings)
    assert any("byte order mark" in w for w in case("tj_bom.json").warnings)


@pytest.mark.parametrize(("name", "said"), [
    ("tj_merges_mixed.json", "mixed"), ("tj_merges_space_str.json", "merge 1"), ("tj_merges_oov.json", "'bc'"),
    ("tj_neg_id.json", "-1"), ("tj_float_id.json", "0.0"), ("tj_lone_surrogate.json", "surrogate"),
    ("tj_truncated.json", "too early"), ("tj_unknown_pretok.json", "QuantumSplit"), ("tj_deep.json", "nested"),
    ("tj_utf16.json", "UTF-16"),
])
def test_refused_with_a_named_cause(case: Opener, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        case(name)


TEXTS = ("abc abc", "hi<s>hi", "a👍👍\nb", "say YES yes Yes", "it's 12345!!!x", "  hi", "token tokx éééééé",
         "azb", "a b")


def test_every_file_that_the_library_opens_gives_its_ids(shared: Path) -> None:
    for path in sorted((shared / "cases/files").glob("tj_*.json")):
        try:
            reference = Reference.from_file(str(path))
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            continue
        ours = open_tokenizer(path)
        for text in TEXTS:
            problem = compare_text(reference, ours, text, "parse", {"type": "ByteLevel"})  # type: ignore[arg-type]
            if problem and not problem.startswith("decoded"):
                pytest.fail(f"{path.name}: {problem} on {text!r}")
