"""True byte spans through every stage, also where the library's own offsets are wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenloupe.core.tokenizer import Encoding, Tokenizer
from tokenloupe.formats import open_bytes

BYTES = [f"<0x{b:02X}>" for b in range(256)]


def make(model: dict[str, Any], **parts: Any) -> Tokenizer:
    value = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None,
             "decoder": None, "model": model, **parts}
    return open_bytes(json.dumps(value).encode(), "test")


def bpe(tokens: list[str], merges: list[list[str]] | None = None, **options: Any) -> dict[str, Any]:
    return {"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges or [], **options}


def added(content: str, token_id: int, **flags: bool) -> dict[str, Any]:
    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"id": token_id, "content": content, **dict.fromkeys(names, False), **flags}


def seen(tokenizer: Tokenizer, made: Encoding) -> list[tuple[str, int, int]]:
    v = tokenizer.vocabulary
    rows = [v.row_of(int(i)) for i in made.ids]
    spans = zip(rows, made.starts.tolist(), made.ends.tolist(), strict=True)
    return [(v.raw_at(r), s, e) for r, s, e in spans if r is not None]


def test_composed_hangul_covers_all_its_jamo() -> None:
    """The library reports only the first jamo of each syllable."""
    t = make(bpe(["마", "실", "요"]), normalizer={"type": "NFKC"})
    text = "\u1106\u1161\u1109\u1175\u11af\u110b\u116d"
    made = t.encode(text)
    assert seen(t, made) == [("마", 0, 6), ("실", 6, 15), ("요", 15, 21)]
    assert not made.exact


def test_prefix_space_after_an_added_token_has_no_source() -> None:
    """The library gives it (4, 4) and the letter after it (3, 4)."""
    level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    t = make(bpe(["Ġ", "B", "x"]), pre_tokenizer=level, decoder=level, added_tokens=[added("<d>", 3, special=True)])
    made = t.encode("<d>B x", special="parse")
    assert seen(t, made) == [("<d>", 0, 3), ("Ġ", 3, 3), ("B", 3, 4), ("Ġ", 4, 5), ("x", 5, 6)]


def test_byte_fallback_tokens_have_the_byte_they_stand_for() -> None:
    """The library gives all five the span of the whole run."""
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": True,
             "vocab": [["<unk>", 0.0], ["a", -1.0], ["b", -1.0], *([t, -5.0] for t in BYTES)]}
    made = make(model).encode("a👍\nb")
    assert list(zip(made.starts.tolist(), made.ends.tolist(), strict=True)) == [
        (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]


def test_unknown_tokens_keep_their_place_when_the_library_emits_them_late() -> None:
    tokens = ["<unk>", "a", "b", *(t for t in BYTES if t != "<0x91>")]
    t = make(bpe(tokens, byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
    assert seen(t, t.encode("a👍👍\nb")) == [("a", 0, 1), ("<0x0A>", 9, 10), ("<unk>", 1, 9), ("b", 10, 11)]


def test_pieces_of_one_emoji_have_spans_of_their_own() -> None:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    t = make(bpe(["a", "b", "ð", "Ł", "ĳ", "į", "ðŁ"], [["ð", "Ł"]]), pre_tokenizer=level, decoder=level)
    made = t.encode("a👍b")
    assert seen(t, made) == [("a", 0, 1), ("ðŁ", 1, 3), ("ĳ", 3, 4), ("į", 4, 5), ("b", 5, 6)]
    assert made.exact


def test_accents_off_and_the_rest_stays_in_place() -> None:
    vocab = {t: i for i, t in enumerate(["[UNK]", "ハ", "##て", "e", "##x"])}
    t = make({"type": "WordPiece", "vocab": vocab, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 100},
             normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                         "strip_accents": None, "lowercase": True}, pre_tokenizer={"type": "BertPreTokenizer"})
    made = t.encode("バで éx")
    assert seen(t, made) == [("ハ", 0, 3), ("##て", 3, 6), ("e", 7, 9), ("##x", 9, 10)]


def test_a_dropped_character_is_told() -> None:
    t = make(bpe(["a", "b", "ab"], [["a", "b"]]))
    made = t.encode("azb")
    assert made.ids.tolist() == [2]
    assert [(x.start, x.end, x.stage) for x in made.lost] == [(1, 2, "model: no token")]


def test_bytes_without_a_token_are_told_as_the_byte_map_spells_them() -> None:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    t = make(bpe(["a", "Ġ", "Ã", "©"]), pre_tokenizer=level, decoder=level)
    made = t.encode("é a".encode() + b"\xff\xfea" + "è".encode())  # only Ã of è has a token
    assert made.ids.tolist() == [2, 3, 1, 0, 0, 2]
    assert [(x.start, x.end, x.stage) for x in made.lost] == [(4, 6, "model: no token"), (8, 9, "model: no token")]


def test_of_a_long_text_only_the_stage_that_lost_something_is_told() -> None:
    """Byte-level spellings of the other characters are in the vocabulary: they are not without a token."""
    from hf_random import BYTE_MAP

    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    t = make(bpe(list(BYTE_MAP)), normalizer={"type": "NFC"}, pre_tokenizer=level, decoder=level)
    made = t.encode("\u212b" + "中文 x" * 1500 + "\u212b")
    size = len(made.data)
    assert [(x.start, x.end, x.stage) for x in made.lost] == [(0, 3, "NFC"), (size - 3, size, "NFC")]


def test_of_many_losses_each_names_its_own_stage() -> None:
    t = make(bpe(["a", "b"]), normalizer={"type": "Lowercase"})
    made = t.encode("Azb" * 3000)
    told = {(x.start, x.end): x.stage for x in made.lost}
    assert len(told) == 2000
    assert all(stage == ("Lowercase" if start % 3 == 0 else "model: no token") for (start, _), stage in told.items())


def test_a_lost_space_names_its_stage() -> None:
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    t = make(bpe(["▁", "h", "i", "▁h", "▁hi"], [["▁", "h"], ["▁h", "i"]]), pre_tokenizer=space, decoder=space)
    made = t.encode("  hi")
    assert not made.exact and len(made.lost) == 1
    assert made.lost[0].end - made.lost[0].start == 1
    assert t.encode("hi hi").exact


@pytest.mark.parametrize(("normalizer", "text", "stage"), [
    ({"type": "Lowercase"}, "aBc", "Lowercase"),
    ({"type": "StripAccents"}, "ae\u0301c", "StripAccents"),
    ({"type": "Strip", "strip_left": True, "strip_right": True}, " abc", "Strip"),
    ({"type": "NFKC"}, "aﬁc", "NFKC"),
])
def test_a_normalizer_that_loses_something_is_named(normalizer: dict[str, Any], text: str, stage: str) -> None:
    t = make(bpe(sorted(set("abcdefghi ﬁé\u0301"))), normalizer=normalizer, decoder={"type": "Fuse"})
    made = t.encode(text)
    assert {x.stage for x in made.lost} == {stage}


def test_bytes_that_are_no_utf8_stay_themselves_in_a_byte_level_pipeline() -> None:
    from hf_random import BYTE_MAP

    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    t = make(bpe(list(BYTE_MAP)), pre_tokenizer=level, decoder=level)
    data = bytes(range(256)) + "é👍".encode() + b"\xe2\x82A\xff"
    made = t.encode(data)
    assert made.exact
    assert made.ids.tolist() == list(data)
    assert made.starts.tolist() == list(range(len(data)))


def test_bytes_that_are_no_utf8_are_one_replacement_character_each_elsewhere() -> None:
    t = make(bpe(["a", "\ufffd"]), decoder={"type": "Fuse"})
    made = t.encode(b"a\xe2\x82a\xff")
    assert seen(t, made) == [("a", 0, 1), ("\ufffd", 1, 2), ("\ufffd", 2, 3), ("a", 3, 4), ("\ufffd", 4, 5)]
    assert {x.stage for x in made.lost} == {"not UTF-8"}


def test_bos_and_eos_stand_around_with_no_source() -> None:
    template = {"type": "TemplateProcessing", "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}}], "pair": [], "special_tokens": {
        "<s>": {"id": "<s>", "ids": [7], "tokens": ["<s>"]}, "</s>": {"id": "</s>", "ids": [8], "tokens": ["</s>"]}}}
    t = make(bpe(["a"]), post_processor=template)
    made = t.encode("aa", bos_eos=True)
    assert made.ids.tolist() == [7, 0, 0, 8]
    assert made.starts.tolist() == [0, 0, 1, 2] and made.ends.tolist() == [0, 1, 2, 2]


def test_stages_are_listed_in_order() -> None:
    t = make(bpe(["a"]), normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]},
             pre_tokenizer={"type": "Whitespace"}, decoder={"type": "Fuse"})
    assert t.stages() == [  # type: ignore[attr-defined]
        ("added tokens", "before normalization"), ("normalizer", "NFC"), ("normalizer", "Lowercase"),
        ("pre-tokenizer", "Whitespace"), ("model", "BPE"), ("decoder", "Fuse")]
