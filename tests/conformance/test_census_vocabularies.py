"""The census of real vocabularies against a slow count of its own; searches against a loop; cases of area vocab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokenloupe
from tokenloupe.core.census import Census
from tokenloupe.core.query import Filter, VocabularyIndex

from .conftest import json_lines

RealFile = Callable[[str], Path]
NAMES = ("gpt2", "o200k_base", "llama3.tokenizer.json", "gemma3.tokenizer.json")


def well_formed_inside(piece: bytes) -> bool:
    """Is there any text whose UTF-8 contains these bytes? Every start within a character, and every way to end one."""
    leads = [b"", b"\xc3", b"\xe1", b"\xe1\x80", b"\xf1", b"\xf1\x80", b"\xf1\x80\x80"]
    tails = [b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\xa0", b"\x90\x80\x80"]
    for lead in leads:
        for tail in tails:
            try:
                (lead + piece + tail).decode("utf-8")
            except UnicodeDecodeError:
                continue
            return True
    return False


def oracle(pieces: list[bytes]) -> Counter[str]:
    """One entry at a time, by Python's decoder alone."""
    out: Counter[str] = Counter()
    for piece in pieces:
        out["replaced"] += "\ufffd" in piece.decode("utf-8", "replace")
        out["byte"] += len(piece) == 1
        if not piece:
            out["empty"] += 1
            continue
        try:
            out["characters"] += len(piece.decode("utf-8")) == 1
            out["whole"] += 1
            continue
        except UnicodeDecodeError:
            pass
        if not well_formed_inside(piece):
            out["invalid"] += 1
        elif all(b & 0xC0 == 0x80 for b in piece):
            out["interior"] += 1
        else:
            begins = piece[0] & 0xC0 == 0x80
            rest = piece.lstrip(bytes(range(0x80, 0xC0)))
            try:
                rest.decode("utf-8")
                ends = False
            except UnicodeDecodeError:
                ends = True
            out["both" if begins and ends else "starts_mid" if begins else "ends_mid"] += 1
    return out


def index_of(name: str, real_file: RealFile) -> VocabularyIndex:
    return VocabularyIndex(tokenloupe.load(name if "." not in name else real_file(name)))


@pytest.mark.parametrize("name", NAMES)
def test_census(name: str, real_file: RealFile) -> None:
    index = index_of(name, real_file)
    v = index.vocabulary
    slow = oracle([v.bytes_at(r) for r in range(len(v))])
    counts = Census(index).counts
    for key in ("whole", "starts_mid", "ends_mid", "both", "interior", "invalid", "empty", "byte", "replaced",
                "characters"):
        assert getattr(counts, key) == slow[key], key
    assert counts.total == len(v)
    if name.startswith("llama3"):  # of the 128,000 that are not special
        assert counts.replaced == 1361 and counts.special == 256


@pytest.mark.parametrize("name", ["o200k_base", "gemma3.tokenizer.json"])
def test_searches_equal_a_loop(name: str, real_file: RealFile) -> None:
    index = index_of(name, real_file)
    v = index.vocabulary
    list(index.prepare())
    pieces = [v.bytes_at(r) for r in range(len(v))]
    for text in ("e", " ", "th", "ing", "的", "\n", "zzz", "function"):
        rows = index.search(Filter(text, ignore_case=False))
        assert rows.tolist() == [i for i, p in enumerate(pieces) if text.encode() in p]
    assert index.order("text").tolist() == sorted(range(len(pieces)), key=pieces.__getitem__)


def case(shared: Path, name: str) -> dict[str, Any]:
    return next(c for c in json_lines(shared / "cases" / "cases.jsonl") if c["id"] == name)


def opened(shared: Path, name: str) -> tokenloupe.Tokenizer:  # type: ignore[name-defined]
    return tokenloupe.load(shared / "cases" / "files" / name)


def test_case_same_text_two_ids(real_file: RealFile) -> None:
    tokenizer = tokenloupe.load(real_file("mistral-v1.model"))
    index = VocabularyIndex(tokenizer)
    rows = index.search(Filter("e", ignore_case=False))
    assert set(tokenizer.vocabulary.ids_of(b"e")) <= set(tokenizer.vocabulary.ids[rows].tolist())
    assert len(tokenizer.vocabulary.ids_of(b"e")) == 2


def test_case_huge_id(shared: Path) -> None:
    index = VocabularyIndex(opened(shared, "tj_id_u32max.json"))
    assert index.vocabulary.ids[index.search(Filter("4294967295", mode="id"))].tolist() == [4294967295]
    assert Census(index).counts.holes == 4294967296 - len(index)


def test_case_added_token_in_the_vocabulary_is_counted_once(shared: Path) -> None:
    tokenizer = opened(shared, "tj_added_conflict.json")
    assert len(tokenizer.vocabulary) == 5
    assert tokenizer.warnings  # the file's id is another than the vocabulary's
    assert tokenizer.vocabulary.bytes_of(1) == b"b" and tokenizer.vocabulary.bytes_of(3) == b"ab"


@pytest.mark.parametrize("name", ["tj_added_gap.json", "tj_dup_keys.json", "tj_added_conflict.json"])
def test_case_the_audit_repeats_what_the_file_has_wrong(shared: Path, name: str) -> None:
    from tokenloupe.core.audit import audit

    tokenizer = opened(shared, name)
    assert tokenizer.warnings
    assert [f.what for f in audit(VocabularyIndex(tokenizer)).of_kind("said at loading")] == list(tokenizer.warnings)


def test_case_tekken_live_ranks(shared: Path) -> None:
    index = VocabularyIndex(opened(shared, "tekken_truncated_vocab.json"))
    assert len(index) == 261
    assert not len(index.search(Filter("abc")))
    assert not len(index.search(Filter("e2 80", mode="hex")))
