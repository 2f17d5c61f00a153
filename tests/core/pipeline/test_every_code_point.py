"""Every code point through every stage that looks at single characters, against the library."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tokenizers import normalizers, pre_tokenizers

from tokenloupe.core.pipeline.aligned import Aligned
from tokenloupe.core.pipeline.fields import Fields
from tokenloupe.core.pipeline.normalizers import make_normalizers
from tokenloupe.core.pipeline.pretokenizers import Pieces, make_pre_tokenizers

EVERY = [chr(c) for c in (*range(0xD800), *range(0xE000, 0x110000))]


def normalized(value: dict[str, object], text: str) -> str:
    aligned = Aligned.of(text.encode("utf-8"))
    for stage in make_normalizers(Fields(value, "normalizer")):
        aligned = stage.apply(aligned)
    return aligned.text


def bert(**on: bool) -> normalizers.BertNormalizer:
    flags = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return normalizers.BertNormalizer(**{**flags, **on})


def bert_json(**on: bool) -> dict[str, object]:
    flags = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return {"type": "BertNormalizer", **flags, **on}


@pytest.mark.parametrize(("value", "reference"), [
    ({"type": "Lowercase"}, normalizers.Lowercase()),
    ({"type": "Nmt"}, normalizers.Nmt()),
    ({"type": "StripAccents"}, normalizers.StripAccents()),
    ({"type": "NFC"}, normalizers.NFC()),
    ({"type": "NFD"}, normalizers.NFD()),
    ({"type": "NFKC"}, normalizers.NFKC()),
    ({"type": "NFKD"}, normalizers.NFKD()),
    (bert_json(clean_text=True), bert(clean_text=True)),
    (bert_json(handle_chinese_chars=True), bert(handle_chinese_chars=True)),
    (bert_json(strip_accents=True), bert(strip_accents=True)),
])
def test_normalizer_on_every_code_point(value: dict[str, object], reference: normalizers.Normalizer) -> None:
    text = "x".join(EVERY)
    if str(value["type"]).startswith("NF"):  # the library's normal forms are quadratic in what follows a change
        parts = [text[i : i + 4096] for i in range(0, len(text), 4096)]
        wanted = "".join(reference.normalize_str(p) for p in parts)
        assert "".join(normalized(value, p) for p in parts) == wanted
    else:
        assert normalized(value, text) == reference.normalize_str(text)


MARKS = [chr(c) for c in (0x0334, 0x05B0, 0x0E38, 0x0F71, 0x0300, 0x0323, 0x0345, 0x0301, 0x3099)]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_marks_are_ordered_and_composed_as_the_library_does(form: str) -> None:
    """Every assigned mark between two others, and after letters it may compose with."""
    reference = getattr(normalizers, form)()
    strip = normalizers.StripAccents()
    marks = [c for c in EVERY if not strip.normalize_str(c)]
    for chunk in range(0, len(marks), 64):
        text = "".join("a" + m + mark + "E" + mark + m for m in marks[chunk : chunk + 64] for mark in MARKS)
        assert normalized({"type": form}, text) == reference.normalize_str(text)


@pytest.mark.parametrize(("value", "reference"), [
    ({"type": "Whitespace"}, pre_tokenizers.Whitespace()),
    ({"type": "WhitespaceSplit"}, pre_tokenizers.WhitespaceSplit()),
    ({"type": "BertPreTokenizer"}, pre_tokenizers.BertPreTokenizer()),
    ({"type": "Punctuation", "behavior": "Isolated"}, pre_tokenizers.Punctuation()),
    ({"type": "Digits", "individual_digits": True}, pre_tokenizers.Digits(individual_digits=True)),
    ({"type": "UnicodeScripts"}, pre_tokenizers.UnicodeScripts()),
])
def test_pre_tokenizer_on_every_code_point(value: dict[str, object],
                                           reference: pre_tokenizers.PreTokenizer) -> None:
    stage = make_pre_tokenizers(Fields(value, "pre_tokenizer"))[0]
    for at in range(0, len(EVERY), 1 << 17):
        text = "a".join(EVERY[at : at + (1 << 17)])
        wanted = [piece for piece, _ in reference.pre_tokenize_str(text)]
        pieces = stage.run(Pieces.whole(Aligned.of(text.encode("utf-8"))))
        assert pieces.texts() == wanted
        assert all(a <= b for a, b in pairwise(pieces.starts.tolist()))
