"""The audit of a tampered tokenizer names every fault; that of a clean one names none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tokenloupe.core.audit import KINDS, Audit, audit, audit_steps
from tokenloupe.core.audit_report import markdown
from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.compare_vocabularies import ComparisonCounts, VocabularyComparison
from tokenloupe.core.pattern import compile_pattern
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.vocabulary import TokenKind, Vocabulary
from tokenloupe.formats.bundled import load_bundled

from .vocabularies import merge_tokenizer

WORDS = r"[a-z<>|]+|\d{1,3}|[\s\S]"


def tampered() -> ByteLevelTokenizer:
    """th, he, the (th + e); 300 and 301 are holes' edges."""
    return merge_tokenizer(
        [(b"t", b"h"), (b"h", b"e"), (b"th", b"e"), (b"t", b"he"), (b"1", b"2"), (b"12", b"3"), (b"123", b"4")],
        {
            300: b"<s>", 301: b"the", 302: b"end", 303: b"<x>", 305: b"dup", 306: b"dup", 307: "pаy".encode(),
            308: "a\u202eb".encode(), 309: b"x\x01", 310: b"a" * 70, 311: "a\u200bb".encode(), 312: b"<x>",
        },
        {300: TokenKind.SPECIAL, 301: TokenKind.SPECIAL, 302: TokenKind.SPECIAL, 303: TokenKind.ADDED},
        WORDS)


@pytest.fixture(scope="module")
def found() -> Audit:
    return audit(VocabularyIndex(tampered()))


def about(found: Audit, kind: str) -> set[tuple[int, ...]]:
    return {f.ids for f in found.of_kind(kind)}


def test_holes(found: Audit) -> None:
    assert about(found, "hole") == {(262, 299), (304,)}


def test_two_ids_for_the_same_bytes(found: Audit) -> None:
    assert about(found, "duplicate") == {(305, 306), (258, 301), (303, 312)}


def test_a_merge_that_cannot_fire(found: Audit) -> None:
    (dead,) = found.of_kind("merge never fires")
    assert dead.ids == (258, ord("t"), 257) and "merge 3" in dead.what


def test_a_special_that_is_ordinary_text(found: Audit) -> None:
    assert about(found, "special is ordinary text") == {(301, 258), (302,)}


def test_an_added_token_that_collides(found: Audit) -> None:
    assert (303, 312) in about(found, "added token collides")


def test_an_added_token_with_the_id_of_another_entry() -> None:
    tokenizer = tampered()
    tokenizer.added_tokens["<y>"] = 300  # <s> has it
    tokenizer.added_tokens["<z>"] = 9999
    found = audit(VocabularyIndex(tokenizer))
    assert {(300,), (9999,)} <= about(found, "added token collides")


def test_an_entry_longer_than_any_pre_token(found: Audit) -> None:
    assert (261,) in about(found, "fits no pre-token")  # 1234, and the pattern takes three digits


def test_entries_without_merges_are_unreachable(found: Audit) -> None:
    assert {(305,), (306,), (310,)} <= about(found, "unreachable")


def test_characters(found: Audit) -> None:
    assert about(found, "look-alike") == {(307,)}
    assert about(found, "bidirectional control") == {(308,)}
    assert about(found, "control character") == {(309,)}
    assert about(found, "invisible") == {(311,)}
    assert about(found, "long") == {(310,)}


def test_an_id_that_two_entries_have() -> None:
    tokenizer = tampered()
    ids = tokenizer.vocabulary.ids.copy()
    ids[-1] = ids[-2]
    tokenizer.vocabulary = replace(tokenizer.vocabulary, ids=ids)
    assert about(audit(VocabularyIndex(tokenizer)), "id twice") == {(311,)}


def test_what_was_said_at_loading_is_repeated() -> None:
    tokenizer = merge_tokenizer([])
    tokenizer.warnings = ("the pattern is a guess",)
    (said,) = audit(VocabularyIndex(tokenizer)).of_kind("said at loading")
    assert said.what == "the pattern is a guess"


def test_bytes_without_a_token_come_back_as_nothing() -> None:
    vocabulary = Vocabulary.build([(0, b"a"), (1, b"b"), (2, b"ac")])
    tokenizer = ByteLevelTokenizer("test", "test", "", vocabulary, compile_pattern(r"[\s\S]+"))
    changed = audit(VocabularyIndex(tokenizer)).of_kind("decodes differently")
    assert [f.ids for f in changed] == [(2,)]  # c is dropped, what is left is "a"


def test_a_clean_vocabulary(found: Audit) -> None:
    clean = audit(VocabularyIndex(merge_tokenizer([(b"t", b"h"), (b"th", b"e")])))
    assert set(clean.totals) == {"unreachable", "needs a neighbour"}  # the bytes of UTF-8, alone
    assert clean.totals["unreachable"] == 13
    assert clean.totals["needs a neighbour"] == 128 - 13


def test_the_report_names_every_kind(found: Audit) -> None:
    text = markdown(found)
    for kind, total in found.totals.items():
        assert f"## {kind[:1].upper()}{kind[1:]}: {total}" in text
    assert all(k in text for k in KINDS if k not in found.totals)
    assert text.startswith("# Audit of test")
    assert markdown(found, 1).count("more") >= 1


def test_progress_goes_up_and_it_can_be_given_up() -> None:
    steps = audit_steps(VocabularyIndex(load_bundled("gpt2")))
    seen = [next(steps) for _ in range(6)]
    assert seen == sorted(seen)  # type: ignore[type-var]
    steps.close()  # type: ignore[attr-defined]


def test_two_vocabularies() -> None:
    left = VocabularyIndex(Vocabulary.build([(0, b"a"), (1, b"b"), (2, "я".encode()), (3, b"a")]))
    right = VocabularyIndex(Vocabulary.build([(0, b"a"), (5, b"b"), (9, b" ")]))
    both = VocabularyComparison(left, right)
    assert both.counts == ComparisonCounts(shared=2, only_left=1, only_right=1, moved=1)
    assert (both.moved.tolist(), both.only_left.tolist(), both.only_right.tolist()) == ([[1, 5]], [2], [9])
    assert both.by_script == [("Latin", 2, 0, 0), ("Common", 0, 0, 1), ("Cyrillic", 0, 1, 0)]


def test_p50k_is_gpt2_and_runs_of_spaces() -> None:
    both = VocabularyComparison(VocabularyIndex(load_bundled("gpt2")), VocabularyIndex(load_bundled("p50k_base")))
    assert both.counts == ComparisonCounts(shared=50257, only_left=0, only_right=24, moved=0)
    spaces = [load_bundled("p50k_base").vocabulary.bytes_of(i) for i in both.only_right.tolist()]
    assert spaces == [b" " * n for n in range(2, 26)]
    assert np.array_equal(both.shared[:, 0], both.shared[:, 1])


def test_sentences_are_short_whatever_the_entries_are() -> None:
    """Entries of 100 kB, a spelling that 5,000 ids share, and 3,000 holes: every sentence fits a line or two, every
    count is whole."""
    long = "\u202e".encode() + b"a" * 100_000
    pieces = [long, long, *[b"dup"] * 5000, *(b"%d" % n for n in range(3000))]
    vocabulary = Vocabulary.build([(2 * i, piece) for i, piece in enumerate(pieces)])
    result = audit(VocabularyIndex(vocabulary))
    assert result.totals["hole"] == len(pieces) - 1 and result.totals["duplicate"] == 2
    assert {f.ids for f in result.of_kind("duplicate")} == {(0, 2), tuple(range(4, 10004, 2))}
    assert max(len(f.what) for f in result.findings) < 400
    assert "and 4992 more" in next(f.what for f in result.of_kind("duplicate") if len(f.ids) > 2)
    assert max(map(len, markdown(result).splitlines())) < 60_000 and "a" * 200 not in markdown(result)
