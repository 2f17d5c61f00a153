"""Tampered files of every format: each fault that the format can have is named by the right word, or the file refused.

A fault is put in by hand, so what must be found of it is known beforehand.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import gguf_vocab_build
import sp_build
from sp_build import BASE, BYTE, CONTROL, NORMAL
from tokenloupe.core import reach as reach_module
from tokenloupe.core.audit import Audit, Severity, audit
from tokenloupe.core.bytemap import CHARACTERS
from tokenloupe.core.errors import InputError
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Status
from tokenloupe.formats import open_bytes


@pytest.fixture(autouse=True)
def few_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not every assigned character of Unicode is tried of each of these."""
    monkeypatch.setattr(reach_module, "characters", lambda: np.array([ord(c) for c in "abc!é中😀"]))


def audited(data: bytes, name: str, **options: str) -> Audit:
    return audit(VocabularyIndex(open_bytes(data, name, **options)))


def about(found: Audit, kind: str, severity: Severity | None = None) -> set[tuple[int, ...]]:
    return {f.ids for f in found.of_kind(kind) if severity in (None, f.severity)}


def proof(found: Audit, token_id: int) -> str:
    row = found.index.vocabulary.row_of(token_id)
    assert row is not None
    return found.reach.proofs.get(row, "")


# tokenizer.json


def tokenizer_json(model: dict[str, Any], added: Sequence[tuple[int, str, bool]] = (), **stages: Any) -> bytes:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "pre_tokenizer": None,
        "post_processor": None, "decoder": None, "model": model,
        "added_tokens": [{"id": i, "content": c, "special": s, **flags} for i, c, s in added], **stages}).encode()


def test_tokenizer_json() -> None:
    vocab = {"a": 0, "b": 1, "c": 2, "bc": 3, "ab": 4, "abc": 5, "d": 9, "e": 9, "f": 10, "the": 11}
    merges = [["b", "c"], ["a", "b"], ["a", "bc"], ["ab", "c"]]
    # "end" is a word; the library gives the added ones the ids after the model's 10 entries: 10 and 11.
    found = audited(tokenizer_json({"type": "BPE", "vocab": vocab, "merges": merges},
                                   [(20, "end", True), (21, "<y>", False)]), "t.json")
    assert about(found, "id twice") == {(9,)}
    assert about(found, "hole") == {(6, 8)}
    assert about(found, "added token collides", Severity.ERROR) == {(10,), (11,)}
    assert about(found, "special is ordinary text") == {(10,)}
    assert about(found, "merge never fires") == {(5, 4, 2)}  # b + c goes first, wherever "abc" is
    (said,) = found.of_kind("said at loading")
    assert "20 in the file and 10 in the library" in said.what


def test_a_merge_that_takes_its_entry_along() -> None:
    vocab = {"a": 0, "b": 1, "c": 2, "bc": 3, "ab": 4, "abc": 5}
    found = audited(tokenizer_json({"type": "BPE", "vocab": vocab,
                                    "merges": [["b", "c"], ["a", "b"], ["ab", "c"]]}), "t.json")
    assert about(found, "merge never fires", Severity.WARNING) == {(5, 4, 2)}
    assert about(found, "unreachable") == {(5,)}


def test_wordpiece() -> None:
    vocab = {"[UNK]": 0, "[PAD]": 1, "a": 2, "##a": 3, "a-b": 4, "##!": 5, "!": 6, "中": 7, "##中": 8, "ab": 9, "b": 10}
    model = {"type": "WordPiece", "vocab": vocab, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
             "max_input_chars_per_word": 100}
    found = audited(tokenizer_json(
        model, [(1, "[PAD]", True)], pre_tokenizer={"type": "BertPreTokenizer"},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
        normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                    "lowercase": True}), "t.json")
    assert about(found, "unreachable") == {(4,), (5,), (8,)}  # punctuation and ideographs are words of their own
    assert found.reach.status_of(3) == Status.CONTEXT
    assert not found.of_kind("duplicate")  # a and ##a are two places of one text


@pytest.mark.parametrize(("score", "status"), [(-4.9, Status.OWN), (-5.1, Status.UNREACHABLE)])
def test_unigram_by_the_sum_of_scores(score: float, status: Status) -> None:
    pieces = [["<unk>", 0.0], ["a", -2.0], ["b", -3.0], ["ab", score]]
    found = audited(tokenizer_json({"type": "Unigram", "unk_id": 0, "vocab": pieces}), "t.json")
    assert found.reach.status_of(3) == status
    assert bool(proof(found, 3)) == (status == Status.UNREACHABLE)


def test_byte_pieces_that_a_decoder_does_not_know_are_reached() -> None:
    vocab = {"a": 0, "<0x62>": 1, "<0x63>": 2}
    found = audited(tokenizer_json({"type": "BPE", "vocab": vocab, "merges": [], "byte_fallback": True}), "t.json")
    assert found.index.tokenizer is not None and found.index.tokenizer.encode("bc").ids.tolist() == [1, 2]
    assert Status.UNREACHABLE not in (found.reach.status_of(1), found.reach.status_of(2))


# .tiktoken


RANKS = [*((bytes([b]), b) for b in range(256)), (b"th", 256), (b"he", 257), (b"the", 258), (b"1234", 260)]


def rank_file(ranks: list[tuple[bytes, int]]) -> bytes:
    return b"".join(base64.b64encode(piece) + b" %d\n" % rank for piece, rank in ranks)


def test_tiktoken() -> None:
    found = audited(rank_file(RANKS), "t.tiktoken", pattern=r"[a-z]+|\d{1,3}|[\s\S]")
    assert about(found, "hole") == {(259,)}
    assert about(found, "fits no pre-token") == {(260,)}
    assert not found.of_kind("merge never fires")  # a rank file lists none


@pytest.mark.parametrize("tampered", [(b"th", 300), (b"zz", 258)])
def test_a_rank_file_with_one_thing_twice_is_refused(tampered: tuple[bytes, int]) -> None:
    with pytest.raises(InputError, match="before, in line 25"):
        open_bytes(rank_file([*RANKS, tampered]), "t.tiktoken", pattern="cl100k")


# SentencePiece


def test_sentencepiece_bpe() -> None:
    pieces = [*BASE, ("▁", -1.0, NORMAL), ("a", -2.0, NORMAL), ("b", -2.0, NORMAL), ("c", -2.0, NORMAL),
              ("bc", -3.0, NORMAL), ("ab", -4.0, NORMAL), ("abc", -5.0, NORMAL), ("end", 0.0, CONTROL),
              ("pаy", -9.0, NORMAL), ("abcabc", -2.5, NORMAL)]
    found = audited(sp_build.build(pieces, model="bpe"), "t.model")
    assert about(found, "special is ordinary text") == {(10,)}
    assert about(found, "look-alike") == {(11,)}
    assert found.reach.status_of(8) <= Status.CONTEXT  # "ab", where no c is
    assert found.reach.status_of(9) <= Status.CONTEXT and found.reach.status_of(12) <= Status.CONTEXT
    assert about(found, "unreachable") == {(11,)}  # p and y are no pieces, and no two pieces make it


def test_sentencepiece_scores_that_leave_a_piece_out() -> None:
    pieces = [*BASE, ("▁", -1.0, NORMAL), ("a", -2.0, NORMAL), ("b", -2.0, NORMAL), ("c", -2.0, NORMAL),
              ("bc", -3.0, NORMAL), ("ab", -2.5, NORMAL), ("d", -2.0, NORMAL), ("bcd", -4.0, NORMAL),
              ("abcd", -5.0, NORMAL)]
    found = audited(sp_build.build(pieces, model="bpe"), "t.model")
    # ab before bc: then c and d stand alone, and "abcd" is made of a + bcd alone.
    assert about(found, "unreachable") == {(11,)}


def test_sentencepiece_byte_pieces() -> None:
    pieces = [*BASE, *((f"<0x{b:02X}>", 0.0, BYTE) for b in range(256)), ("▁", -1.0, NORMAL), ("a", -2.0, NORMAL),
              *((chr(c), -3.0, NORMAL) for c in range(0x80, 0xC0))]
    found = audited(sp_build.build(pieces, model="bpe", byte_fallback=True), "t.model")
    by_byte = {b: found.reach.status_of(3 + b) for b in range(256)}
    never = {0xC0, 0xC1, *range(0xF5, 0x100)}  # of UTF-8
    # "a" and U+0080..U+00BF (C2 xx) have entries; a space is ▁.
    assert {b for b, s in by_byte.items() if s == Status.UNREACHABLE} == never | {0x20, 0x61, 0xC2}
    assert proof(found, 0) == "byte pieces spell every character that has no entry"
    assert found.reach.status_of(0) == Status.UNREACHABLE


def test_a_piece_that_is_there_twice_is_refused() -> None:
    with pytest.raises(InputError, match="is there twice"):
        open_bytes(sp_build.build([*BASE, ("a", -1.0, NORMAL), ("a", -2.0, NORMAL)]), "t.model")


# GGUF


def test_gguf() -> None:
    tokens = [*CHARACTERS, "th", "he", "the", "th", "end", "<x>", "qq"]
    found = audited(gguf_vocab_build.build([
        ("general.architecture", "llama"), ("tokenizer.ggml.model", "gpt2"), ("tokenizer.ggml.pre", "gpt-2"),
        ("tokenizer.ggml.tokens", tokens), ("tokenizer.ggml.token_type", [1] * 260 + [3, 4, 1]),
        ("tokenizer.ggml.merges", ["t h", "h e", "th e", "t he"])]), "t.gguf")
    assert about(found, "duplicate") == {(256, 259)}
    assert about(found, "special is ordinary text") == {(260,)}
    assert about(found, "merge never fires") == {(258, ord("t"), 257)}  # t + h goes first
    assert {(256,), (262,)} <= about(found, "unreachable")  # of two "th" the later one counts; nothing makes "qq"
    assert any("spelled like another" in f.what for f in found.of_kind("said at loading"))
