"""How tokens are built, what they feed, and merges that never fire: against a run of every merge's own result."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest

from tokenloupe.api import load
from tokenloupe.core.derive import last_parts, merges_of
from tokenloupe.core.lineage import Lineage
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.formats.bundled import load_bundled

from .vocabularies import merge_tokenizer


def lineage_of(merges: list[tuple[bytes, bytes]]) -> Lineage:
    return Lineage(VocabularyIndex(merge_tokenizer(merges)))


def bpe(piece: bytes, ranks: dict[tuple[bytes, bytes], int]) -> list[list[bytes]]:
    """Every state of the plainest byte pair encoding, from single bytes on."""
    parts = [bytes([b]) for b in piece]
    states = [parts]
    while True:
        pairs = [(ranks[a, b], i) for i, (a, b) in enumerate(itertools.pairwise(parts)) if (a, b) in ranks]
        if not pairs:
            return states
        _, i = min(pairs)
        parts = [*parts[:i], parts[i] + parts[i + 1], *parts[i + 2 :]]
        states.append(parts)


def random_merges(rnd: random.Random, trained: bool) -> list[tuple[bytes, bytes]]:
    known = [b"a", b"b", b"c"]
    merges: list[tuple[bytes, bytes]] = []
    for _ in range(rnd.randint(1, 25)):
        pair = rnd.choice(known), rnd.choice(known)
        if pair not in merges and len(pair[0] + pair[1]) < 12:
            merges.append(pair)
            known.append(pair[0] + pair[1])
    if not trained:
        rnd.shuffle(merges)
    return merges


@pytest.mark.parametrize("trained", [True, False])
def test_dead_merges_are_those_that_do_not_make_their_own_result(trained: bool) -> None:
    """The oracle is independent of the proof: every text of up to seven of the letters is encoded."""
    from itertools import product

    rnd = random.Random(5)
    for _ in range(12):
        merges = random_merges(rnd, trained)
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        fired = set()
        for size in range(2, 7):
            for letters in product(b"abc", repeat=size):
                states = bpe(bytes(letters), ranks)
                for before, after in itertools.pairwise(states):
                    at = next(i for i, (x, y) in enumerate(zip(before, after, strict=False)) if x != y)
                    fired.add((before[at], before[at + 1]))
        dead = lineage_of(merges).dead.tolist()
        for pair, is_dead in zip(merges, dead, strict=True):
            if len(pair[0] + pair[1]) <= 6:
                assert is_dead == (pair not in fired), (merges, pair)
            else:  # too long for the texts above: its own result decides
                states = bpe(pair[0] + pair[1], ranks)
                assert is_dead == (list(pair) not in states), (merges, pair)


def test_tree_feeds_and_alternatives() -> None:
    lineage = lineage_of([(b"a", b"b"), (b"b", b"c"), (b"ab", b"c"), (b"a", b"bc")])
    ab, bc, abc = 256, 257, 258
    tree = lineage.built(abc)
    assert (tree.rank, [c.id for c in tree.children], tree.depth) == (2, [ab, ord("c")], 2)
    assert [x.bytes for x in tree.leaves()] == [b"a", b"b", b"c"]
    assert lineage.feeds(ord("b")).tolist() == [ab, bc]
    assert lineage.feeds(bc).tolist() == [abc]
    assert [(d.left, d.right, d.status) for d in lineage.alternatives(abc)] == [
        (ab, ord("c"), "used"), (ord("a"), bc, "never fires")]
    assert lineage.dead.tolist() == [False, False, False, True]
    assert not lineage.derived


def test_equal_ranks_go_left_first() -> None:
    lineage = lineage_of([(b"a", b"a"), (b"a", b"aa"), (b"aa", b"a")])
    assert lineage.dead.tolist() == [False, True, False]


def test_a_token_that_is_made_of_itself_ends() -> None:
    import numpy as np

    from tokenloupe.core.vocabulary import MergeTable, Vocabulary

    table = MergeTable(np.array([0]), np.array([1]), np.array([0]))
    lineage = Lineage(VocabularyIndex(Vocabulary.build([(0, b"a"), (1, b"")], merges=table)))
    assert lineage.built(0).id == 0
    assert lineage.dead.tolist() == [True]


def test_rank_files_are_derived_and_every_derived_merge_makes_its_token() -> None:
    tokenizer = load_bundled("gpt2")
    lineage = Lineage(VocabularyIndex(tokenizer))
    assert lineage.derived
    assert not lineage.dead.any()
    tree = lineage.built(995)
    assert (tree.bytes, [c.bytes for c in tree.children]) == (b" world", [b" wor", b"ld"])
    assert 995 in lineage.feeds(tree.children[0].id).tolist()
    merges = merges_of(tokenizer)
    assert merges is lineage.merges
    v = tokenizer.vocabulary
    for i in range(0, len(merges), 97):
        left, right, made = (v.bytes_of(int(x[i])) for x in (merges.left, merges.right, merges.result))
        assert left is not None and right is not None and left + right == made


def test_scores_choose_the_last_parts() -> None:
    scores = {"ab": -1.0, "bc": -2.0, "abc": -3.0, "a": -9.0, "b": -9.0, "c": -9.0}
    assert last_parts("abc", scores) == ("ab", "c")
    assert last_parts("abd", scores) is None
    assert last_parts("a", scores) is None


def test_models_without_merges_have_none() -> None:
    from tokenloupe.core.vocabulary import Vocabulary

    lineage = Lineage(VocabularyIndex(Vocabulary.build([(0, b"a"), (1, b"ab")])))
    assert lineage.built(1).children == ()
    assert lineage.feeds(0).tolist() == [] and lineage.alternatives(1) == []


def test_codes_of_words_and_what_stands_behind_a_normalizer() -> None:
    from tokenloupe.core.bytelevel_ends import NormalizedTokenizer
    from tokenloupe.core.sennrich import SubwordNmtTokenizer

    codes = [("t", "h"), ("th", "e</w>"), ("h", "e</w>"), ("a", "</w>"), ("t", "he</w>")]
    lineage = Lineage(VocabularyIndex(SubwordNmtTokenizer("codes", "", codes, (0, 2))))
    v = lineage.vocabulary
    m = lineage.merges
    assert [tuple(v.raw_at(int(x[i])) for x in (m.left, m.right, m.result)) for i in range(len(m))] == [
        ("t@@", "h@@", "th@@"), ("th@@", "e", "the"), ("h@@", "e", "he"), ("t@@", "he", "the")]
    assert lineage.dead.tolist() == [False, False, False, True]  # t and h are joined first
    the = next(i for i in v.ids.tolist() if v.raw_at(i) == "the")
    assert [v.raw_at(leaf.id) for leaf in lineage.built(the).leaves()] == ["t@@", "h@@", "e"]

    inner = load_bundled("gpt2")
    assert merges_of(NormalizedTokenizer(inner, "NFKC")) is merges_of(inner)


@pytest.mark.parametrize(("inside", "end"), [("##", "</w>"), ("##", ""), ("", "</w>"), ("", "")])
def test_merges_of_marked_symbols(inside: str, end: str, tmp_path: Path) -> None:
    """No merge that fires in some word of up to six letters is called dead."""
    rnd = random.Random(11)
    for _ in range(12):
        begin = {c + e for c in "ab" for e in (end, "")}
        known = sorted(begin | {inside + symbol for symbol in begin})
        merges: list[tuple[str, str]] = []
        for _ in range(rnd.randint(3, 12)):
            left = rnd.choice([k for k in known if not end or not k.endswith(end)])
            right = rnd.choice([k for k in known if k.startswith(inside)])
            made = left + right.removeprefix(inside)
            if (left, right) not in merges and len(made) < 12:
                merges.append((left, right))
                known += [made] if made not in known else []
        if rnd.random() < 0.5:
            rnd.shuffle(merges)
        path = tmp_path / "tokenizer.json"
        path.write_text(json.dumps({
            "version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"},
            "model": {"type": "BPE", "vocab": {k: i for i, k in enumerate(known)}, "merges": merges,
                      "continuing_subword_prefix": inside or None, "end_of_word_suffix": end or None}}), "utf-8")
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        dead = Lineage(VocabularyIndex(load(path))).dead.tolist()
        assert len(dead) == len(merges)
        for size in range(2, 7):
            for letters in itertools.product("ab", repeat=size):
                symbols = [(inside if i else "") + c for i, c in enumerate(letters)]
                symbols[-1] += end
                while there := [(ranks[pair], i) for i, pair in enumerate(itertools.pairwise(symbols))
                                if pair in ranks]:
                    rank, i = min(there)
                    assert not dead[rank], (merges, rank, letters)
                    symbols[i : i + 2] = [symbols[i] + symbols[i + 1].removeprefix(inside)]


def test_parts_are_those_of_the_merge_that_fires() -> None:
    """Files that list every pair (llama3's) have merges in front that never fire: "a" + "bc" is never joined here."""
    tokenizer = merge_tokenizer([(b"a", b"b"), (b"b", b"c"), (b"a", b"bc"), (b"ab", b"c")])
    index, lineage = VocabularyIndex(tokenizer), Lineage(VocabularyIndex(tokenizer))
    abc, ab = (tokenizer.vocabulary.id_of(p) for p in (b"abc", b"ab"))
    assert abc is not None and ab is not None
    assert lineage.dead.tolist() == [False, False, True, False]
    assert (index.left[abc], index.right[abc], index.ranks[abc]) == (ab, ord("c"), 3)
    for row, token_id in enumerate(tokenizer.vocabulary.ids.tolist()):
        tree = lineage.built(token_id)
        parts = [c.id for c in tree.children] or [-1, -1]
        assert [index.left[row], index.right[row]] == parts and index.ranks[row] == tree.rank
