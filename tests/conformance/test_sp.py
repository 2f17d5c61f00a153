"""SentencePiece: every golden row and the public fault cases. Random pairs: test_live_oracles.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from tokenloupe.core.errors import InputError
from tokenloupe.formats import open_tokenizer

FILES = {
    "sp_botchan_bpe_bytefb_digits": "botchan_bpe_bytefb_digits.model",
    "sp_botchan_char": "botchan_char.model",
    "sp_botchan_en_bpe_1000": "botchan_en_bpe_1000.model",
    "sp_botchan_en_unigram_1000": "botchan_en_unigram_1000.model",
    "sp_botchan_uni_suffix_bytefb_nfkccf": "botchan_uni_suffix_bytefb_nfkccf.model",
    "sp_botchan_word": "botchan_word.model",
    "sp_mistral_240323.v3": "mistral-v3.model",
    "sp_mistral_v1": "mistral-v1.model",
}


@pytest.mark.parametrize("name", FILES)
def test_golden(name: str, golden: Callable[[str], list[dict[str, Any]]], real_file: Callable[[str], Path]) -> None:
    path = real_file(FILES[name])
    ours, theirs = open_tokenizer(path), sentencepiece.SentencePieceProcessor(model_file=str(path))
    rows = golden(name)
    wrong = [r["i"] for r in rows if ours.encode(r["text"]).ids.tolist() != r["ids"]]
    print(f"{name}: {len(rows) - len(wrong)}/{len(rows)}")
    assert not wrong
    for row in rows:
        text = theirs.decode(row["ids"])
        if "\ufffd" not in text:
            assert ours.decode(row["ids"]).decode() == text


def pieces(path: Path, text: str) -> list[str]:
    tokenizer = open_tokenizer(path)
    return [tokenizer.vocabulary.raw_at(t.id) for t in tokenizer.encode(text).tokens]


CASES = [
    ("enc-spm-dummy-prefix", "spm_uds.model", "<doc>hi", ["▁", "<doc>", "hi"]),
    ("enc-spm-dummy-prefix", "spm_uds.model", "hi<doc>", ["▁hi", "<doc>"]),
    ("enc-spm-whitespace", "spm_unigram.model", "  hi ", ["▁hi"]),
    ("enc-spm-whitespace", "spm_keepws.model", "  hi ", ["▁", "▁", "▁hi", "▁"]),
    ("enc-spm-whitespace", "spm_nodummy.model", "  hi ", ["hi"]),
    ("enc-spm-whitespace", "spm_nodummy_keepws.model", "  hi ", ["▁", "▁hi", "▁"]),
    ("enc-spm-unused-piece", "spm_unused.model", "hi", ["▁", "hi"]),
    ("enc-spm-bpe-score-order", "spm_bpe_bf.model", "abc", ["▁a", "bc"]),
]


@pytest.mark.parametrize(("case", "file", "text", "expected"), CASES)
def test_cases(shared: Path, case: str, file: str, text: str, expected: list[str]) -> None:
    assert pieces(shared / "cases" / "files" / file, text) == expected, case


def test_case_control_pieces_are_not_matched_in_text(shared: Path) -> None:
    """enc-spm-dummy-prefix: 'hi<s>' is ▁ | hi< | <unk>.. : the user-defined 'hi<' wins and <s> is no match."""
    path = shared / "cases" / "files" / "spm_uds.model"
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(path))
    assert open_tokenizer(path).encode("hi<s>").ids.tolist() == theirs.encode("hi<s>")
    assert pieces(path, "hi<s>")[:2] == ["▁", "hi<"]


def test_case_lost_spaces_are_shown(shared: Path) -> None:
    found = open_tokenizer(shared / "cases" / "files" / "spm_unigram.model").encode("  hi ")
    assert not found.exact and sum(x.end - x.start for x in found.lost) == 3


def test_case_missing_byte_piece_is_refused(shared: Path) -> None:
    with pytest.raises(InputError, match="256 byte pieces"):
        open_tokenizer(shared / "cases" / "files" / "spm_missing_byte.model")


def test_case_raw_bytes_come_from_byte_pieces(shared: Path) -> None:
    """dec-spm-bytes-out"""
    tokenizer = open_tokenizer(shared / "cases" / "files" / "spm_unigram_bf.model")
    ids = [i for b in (0xF0, 0x9F) for i in tokenizer.vocabulary.ids_of(bytes((b,)))]
    assert tokenizer.decode(ids) == b"\xf0\x9f"


def test_case_same_text_two_ids(shared: Path) -> None:
    """dec-same-text-two-ids: 'e' and '<0x65>' decode to the same byte."""
    vocabulary = open_tokenizer(shared / "cases" / "files" / "spm_bpe_bf.model").vocabulary
    letter = next(p for p in (b"a", b"b", b"c", b"h", b"e") if len(vocabulary.ids_of(p)) == 2)
    first, second = vocabulary.ids_of(letter)
    assert {vocabulary.raw_at(first), vocabulary.raw_at(second)} == {letter.decode(), f"<0x{letter[0]:02X}>"}


def test_case_unknown_ids_are_marked_and_decoding_goes_on(shared: Path) -> None:
    tokenizer = open_tokenizer(shared / "cases" / "files" / "spm_unigram.model")
    ids = tokenizer.encode("hi").ids.tolist()
    assert tokenizer.unknown_ids([-1, 2**31, *ids]) == [-1, 2**31]
    assert tokenizer.decode([-1, 2**31, *ids]) == b"hi"
