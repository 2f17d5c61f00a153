"""Witnesses yield their tokens; what is called unreachable is found by no search over all short texts."""

from __future__ import annotations

import random
from itertools import product

import pytest

from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.llamacpp_split import splitter
from tokenloupe.core.pattern import compile_pattern
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Reachability, Status, reach, reach_steps
from tokenloupe.core.reach_pattern import PreTokenShapes
from tokenloupe.core.segments import completeness
from tokenloupe.core.vocabulary import TokenKind
from tokenloupe.formats.bundled import load_bundled

from .bytelevel_vocabularies import ours, random_ranks
from .test_lineage import random_merges
from .vocabularies import merge_tokenizer


def check(tokenizer: ByteLevelTokenizer, alphabet: str, longest: int) -> Reachability:
    """Against every text over the alphabet up to a length."""
    found = reach(VocabularyIndex(tokenizer))
    for token_id in tokenizer.vocabulary.ids.tolist():
        witness = found.witness(token_id)
        if witness is not None:
            assert token_id in tokenizer.encode(witness[0], special=witness[1]).ids
            witness[0].decode("utf-8")
    produced = set()
    for size in range(longest + 1):
        for letters in product(alphabet, repeat=size):
            produced |= set(tokenizer.encode("".join(letters)).ids.tolist())
    wrong = [i for i in produced if found.status_of(i) == Status.UNREACHABLE]
    assert not wrong, [(i, tokenizer.vocabulary.bytes_of(i), found.proofs) for i in wrong]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_random_merge_lists(seed: int) -> None:
    rnd = random.Random(seed)
    tokenizer = merge_tokenizer(random_merges(rnd, trained=False))
    found = check(tokenizer, "abc", 6)
    # All is decided but what is longer than the search: the pattern takes any text for one pre-token.
    assert not [r for r in found.rows(Status.NONE_FOUND).tolist() if len(tokenizer.vocabulary.bytes_at(r)) < 6]


@pytest.mark.parametrize("seed", range(4))
def test_random_rank_files_under_a_pattern(seed: int) -> None:
    rnd = random.Random(seed)
    ranks = random_ranks(rnd, b"ab 1", 25, 4)
    tokenizer = ours(ranks, r" ?[a-z]+|\d{1,2}|\s+(?!\S)|\s+|[\s\S]")
    found = check(tokenizer, "ab 1", 5)
    assert any(p.startswith("no pre-token contains") for p in found.proofs.values())


def test_parts_of_characters_are_found_in_the_characters() -> None:
    tokenizer = merge_tokenizer([(b"\xe6", b"\x88"), (b"a", b"\xe6"), (b"\x91", b"b"), (b"\xc0", b"a")])
    found = reach(VocabularyIndex(tokenizer))
    for made in (256, 257, 258):
        witness = found.witness(made)
        assert witness is not None and made in tokenizer.encode(witness[0]).ids
        witness[0].decode("utf-8")
    assert found.status_of(259) == found.status_of(0xFF) == Status.UNREACHABLE


def test_a_neighbour_may_be_needed() -> None:
    tokenizer = ours({bytes([b]): b for b in range(256)} | {b" x": 256}, r"1 x|[\s\S]")
    found = reach(VocabularyIndex(tokenizer))
    assert found.status_of(256) == Status.CONTEXT
    assert found.witness(256) == (b"1 x", "text")


def test_a_token_that_needs_a_neighbour_it_cannot_have() -> None:
    # "ab" stands only before "c", and "bc" is merged first.
    tokenizer = ours({bytes([b]): b for b in range(256)} | {b"bc": 256, b"ab": 257}, r"abc|[\s\S]")
    found = check(tokenizer, "abc", 5)
    assert found.status_of(257) == Status.UNREACHABLE
    assert "no possible token after it" in found.proofs[257]


def test_special_and_added_tokens() -> None:
    tokenizer = merge_tokenizer([], {300: b"<s>", 301: b"<x>"}, {300: TokenKind.SPECIAL, 301: TokenKind.ADDED})
    found = reach(VocabularyIndex(tokenizer))
    assert found.witness(300) == (b"<s>", "parse")
    assert found.witness(301) == (b"<x>", "text")


def test_shapes_of_a_pattern() -> None:
    shapes = PreTokenShapes.of(compile_pattern(r" ?[a-z]+|\d{1,3}|[^a-z\d]+"))
    assert shapes is not None and shapes.covers
    assert shapes.fits_inside(b"123") and not shapes.fits_inside(b"1234")
    assert not shapes.fits_inside(b"a ") and shapes.fits_whole(b" a") and not shapes.fits_whole(b"a1")
    assert shapes.fits_first(b" a") and not shapes.fits_last(b"\xe6")
    gaps = PreTokenShapes.of(compile_pattern(r"[a-z]+"))
    assert gaps is not None and not gaps.covers


def test_cut_characters_stand_for_all_that_have_their_bytes() -> None:
    shapes = PreTokenShapes.of(compile_pattern(r"a[\u4e00-\u9fff]|b[а-я]|[\s\S]"))
    assert shapes is not None
    assert shapes.fits_inside(b"a\xe6") and not shapes.fits_inside(b"a\xd0")
    assert shapes.fits_inside(b"b\xd0") and not shapes.fits_inside(b"b\xe6\x88")
    assert not shapes.fits_inside(b"\x91a") and shapes.fits_inside(b"\x91")


def test_progress_and_giving_up() -> None:
    steps = reach_steps(VocabularyIndex(load_bundled("gpt2")))
    seen = [next(steps) for _ in range(5)]
    assert all(isinstance(x, float) for x in seen) and seen == sorted(seen)  # type: ignore[type-var]
    steps.close()  # type: ignore[attr-defined]


def test_gpt2_is_decided_to_the_last_entry() -> None:
    tokenizer = load_bundled("gpt2")
    found = reach(VocabularyIndex(tokenizer))
    assert len(found.rows(Status.NONE_FOUND)) == 0
    # The 13 bytes that UTF-8 never has: C0, C1, F5..FF.
    assert sorted(tokenizer.vocabulary.bytes_at(r)[0] for r in found.rows(Status.UNREACHABLE).tolist()) == [
        0xC0, 0xC1, *range(0xF5, 0x100)]


def test_characters_beside_a_piece_are_those_that_fit_a_pre_token_with_it() -> None:
    """Against the question asked of each text by itself, cut characters on either side among them."""
    edges = [*(c.encode() for c in "ab1 \n中я😀"), b"\xe4", b"\xe4\xb8", b"\xb8\xad", b"\xad", b"\xf0\x9f", b"\x98\x80",
             b"a\xad", b"\xc0", b"\xff", "\u4e2d".encode()[:2], b"\xd1"]
    pieces = [*edges[:8], b"ab", b"a\xe4", b"\xad1", b"\xb8\xadb", b"\xad", b"\x98", b"a\xe4\xb8", b" b", b"1\n"]
    for pattern in (r" ?[a-z]+|\d{1,2}|\s+|[\s\S]", r"a[\u4e00-\u9fff]+|b[а-я]|[\s\S]", r"[^\d]+|\d"):
        shapes = PreTokenShapes.of(compile_pattern(pattern))
        assert shapes is not None
        for piece in pieces:
            before, after = shapes.fits_before(piece), shapes.fits_after(piece)
            for edge in edges:
                for text, found in ((edge + piece, before(edge)), (piece + edge, after(edge))):
                    assert found == (not completeness(text).invalid and shapes.fits_inside(text)), (pattern, text)


@pytest.mark.parametrize("group", ["gpt2", "llama3", "stablelm2"])
def test_patterns_over_category_letters_tell_characters_that_are_cut(group: str) -> None:
    """llama.cpp's patterns run on letters of categories, and their table is of code points all the same."""
    made = splitter(group)
    shapes = PreTokenShapes.of(made)
    assert shapes is not None
    for char in "é中я😀٣\u0301":
        assert bytes([made.table[ord(char)]]) == made.classes(char.encode())
        data = char.encode()
        assert all(shapes.fits_inside(data[i:]) and shapes.fits_inside(data[:i]) for i in range(1, len(data)))
    assert shapes.fits_inside("中".encode() + b"\xe4") and shapes.fits_inside(b"\xad" + "中".encode())
