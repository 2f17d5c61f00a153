"""Byte-level BPE against tiktoken and tokenizers: public cases, random vocabularies, any bytes."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
import tokenizers
from tokenizers import models, pre_tokenizers

from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.bytemap import to_text
from tokenloupe.core.errors import InputError
from tokenloupe.core.pattern import compile_pattern
from tokenloupe.core.patterns import CL100K
from tokenloupe.core.tokenizer import Encoding
from tokenloupe.core.vocabulary import MergeTable, Vocabulary

from .bytelevel_vocabularies import EVERYTHING, ours, random_ranks, ranks_of, theirs, trained_ranks


def test_of_equal_ranks_the_leftmost_merges_first() -> None:
    ranks = ranks_of(b"ee")
    assert ours(ranks).encode("eee").ids.tolist() == [256, ord("e")] == theirs(ranks).encode("eee")


def test_a_whole_pre_token_is_found_though_no_merge_makes_it() -> None:
    ranks = ranks_of(b":.", b".:", b".:.:")
    tokenizer = ours(ranks, ".+")
    assert tokenizer.encode(".:.:").ids.tolist() == [258] == theirs(ranks, ".+").encode(".:.:")
    assert [t.bytes for t in tokenizer.encode(".:.:.").tokens] == [b".", b":.", b":."]
    table = tokenizer.merge_table
    assert table.derived and 258 not in table.result.tolist()


def test_more_text_can_be_fewer_tokens() -> None:
    ranks = ranks_of(b"bc", b"cd", b"ab", b"abcd")
    tokenizer = ours(ranks, CL100K)
    assert [len(tokenizer.encode("abcde"[:n])) for n in range(1, 6)] == [1, 1, 2, 1, 4]


def test_spans_are_bytes_inside_a_character() -> None:
    ranks = ranks_of("👍".encode()[:2])
    made = ours(ranks).encode("a👍b")
    assert list(zip(made.starts.tolist(), made.ends.tolist(), strict=True)) == [(0, 1), (1, 3), (3, 4), (4, 5), (5, 6)]
    assert made.exact


def test_next_line_is_white_space() -> None:
    tokenizer = ours(ranks_of(b"!\xc2"), r" ?[^\s\p{L}\p{N}]+|\s+|\p{L}+")
    assert tokenizer.encode("!\x85x").ids.tolist() == [33, 194, 133, 120]


def test_digits_are_grouped_from_the_left() -> None:
    tokenizer = ours(ranks_of(), CL100K)
    starts, ends = tokenizer.pre_tokens(b"1234567 and a\r\n\r\nb   c")
    assert [b"1234567 and a\r\n\r\nb   c"[a:b] for a, b in zip(starts, ends, strict=True)] == [
        b"123", b"456", b"7", b" and", b" a", b"\r\n\r\n", b"b", b"  ", b" c"]


# -- special tokens --------------------------------------------------------------------------------------------------


def test_special_tokens_as_text_parsed_or_chosen() -> None:
    special = {"<|end|>": 300, "<|x|>": 301}
    tokenizer = ours(ranks_of(), special=special)
    reference = theirs(ranks_of(), special=special)
    text = "a<|end|>x<|x|>"
    assert tokenizer.encode(text).ids.tolist() == reference.encode_ordinary(text) == list(text.encode())
    assert tokenizer.encode(text, special="parse").ids.tolist() == [97, 300, 120, 301]
    chosen = tokenizer.encode(text, special=["<|x|>"])
    assert chosen.ids.tolist() == reference.encode(text, allowed_special={"<|x|>"}, disallowed_special=())
    assert [t.kind.word for t in chosen.tokens][-1] == "special"
    with pytest.raises(InputError, match="no special token '<s>'"):
        tokenizer.encode(text, special=["<s>"])


def test_a_special_token_that_begins_with_another_keeps_the_order_of_the_file() -> None:
    ids = {"<|e": 302, "<|end|>": 300, "<|end|>x": 301}
    for order in permutations(ids):
        tokenizer = ours(ranks_of(), special={t: ids[t] for t in order})
        first = next(t for t in order)
        assert tokenizer.encode("a<|end|>x", special="parse").ids.tolist()[1] == ids[first]
        assert any("begins with another" in w for w in tokenizer.warnings)
    assert not ours(ranks_of(), special={"<|a|>": 300, "<|b|>": 301}).warnings


def test_half_a_special_token_is_text() -> None:
    tokenizer = ours(ranks_of(), CL100K, {"<|end|>": 300})
    assert tokenizer.encode("<|end|<|end|>|>", special="parse").ids.tolist() == [*b"<|end|", 300, *b"|>"]


# -- random vocabularies ---------------------------------------------------------------------------------------------


def check(made: Encoding, wanted: list[int]) -> None:
    assert made.ids.tolist() == wanted
    assert made.exact
    assert made.starts.tolist() == [0, *made.ends.tolist()[:-1]][: len(made)]
    assert b"".join(t.bytes for t in made.tokens) == made.data


@pytest.mark.parametrize("seed", range(12))
def test_random_rank_files_equal_tiktoken(seed: int) -> None:
    rnd = random.Random(seed)
    alphabet = [b"ab", b"abc", b"abcdef \n", bytes(range(256))][seed % 4]
    ranks = trained_ranks(rnd, alphabet, 60) if seed % 3 else random_ranks(rnd, alphabet, 60, 7)
    mine, reference = ours(ranks), theirs(ranks)
    pieces = [bytes(rnd.choices(alphabet, k=int(rnd.expovariate(1 / 12)) + 1)) for _ in range(300)]
    pieces += [bytes(rnd.choices(alphabet, k=n)) for n in (63, 64, 65, 129, 257, 300, 700, 1500)]
    wanted = [reference._encode_single_piece(p) for p in pieces]
    assert [list(mine.encode_piece(p)) for p in pieces] == wanted
    # The same pieces side by side in one text go the way of arrays, first unknown and then remembered.
    data, ends = b"".join(pieces), np.cumsum([len(p) for p in pieces])
    fresh = ours(ranks)
    for _ in range(3):
        got = fresh.encode_pieces(data, ends)
        assert got.ids.tolist() == [i for ids in wanted for i in ids]
        assert got.counts.tolist() == [len(ids) for ids in wanted]
        assert got.ends.tolist()[-1] == len(data)


@pytest.mark.parametrize("seed", range(6))
def test_random_merge_lists_equal_tokenizers(seed: int) -> None:
    rnd = random.Random(seed)
    alphabet = [b"ab", b"abcd", b"abcdefgh "][seed % 3]
    ranks = trained_ranks(rnd, alphabet, 80)
    spelled = {to_text(t): i for t, i in ranks.items()}
    pairs = [(t[:n], t[n:]) for t in ranks for n in range(1, len(t)) if t[:n] in ranks and t[n:] in ranks]
    rnd.shuffle(pairs)  # several pairs a token, in any order: not only what training gives
    merges = MergeTable(*(np.array([ranks[x] for x in column], np.int64) for column in (
        [a for a, _ in pairs], [b for _, b in pairs], [a + b for a, b in pairs])))
    vocabulary = Vocabulary.build([(i, t) for t, i in ranks.items()])
    pieces = [bytes(rnd.choices(alphabet, k=int(rnd.expovariate(1 / 15)) + 1)) for _ in range(200)]
    pieces += [bytes(rnd.choices(alphabet, k=n)) for n in (70, 130, 300, 1200)]
    for ignore_merges in (False, True):
        reference = tokenizers.Tokenizer(models.BPE(
            spelled, [(to_text(a), to_text(b)) for a, b in pairs], ignore_merges=ignore_merges))
        reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        wanted = [reference.encode(p.decode()).ids for p in pieces]
        mine = ByteLevelTokenizer("test", "test", "", vocabulary, compile_pattern(EVERYTHING), merges=merges,
                                  ignore_merges=ignore_merges)
        assert [list(mine.encode_piece(p)) for p in pieces] == wanted
        got = mine.encode_pieces(b"".join(pieces), np.cumsum([len(p) for p in pieces]))
        assert got.ids.tolist() == [i for ids in wanted for i in ids]


@pytest.mark.parametrize("seed", range(4))
def test_any_bytes_equal_tiktoken(seed: int) -> None:
    rnd = random.Random(seed)
    parts = [b" ", b"  ", b"\n", b"\t", b"a", b"ab", b"  \n ", b"\r\n", b"1234", "é".encode(), "ก็".encode(),
             "👍".encode(),
             b"\xff", b"\xe2\x82", b"\xed\xa0\x80", b"\xc0\xaf", b"!?", b"'s", b"\0"]
    ranks = ranks_of(b"  ", b"\n\n", b" \n", b"ab", b" a", "é".encode(), "👍".encode()[:3], b"\n ", b"   ", b"\t\t")
    mine, reference = ours(ranks, CL100K), theirs(ranks, CL100K)
    for _ in range(400):
        data = b"".join(rnd.choices(parts, k=rnd.randint(0, 12)))
        check(mine.encode(data), reference._encode_bytes(data))


# -- vocabularies with holes -----------------------------------------------------------------------------------------


def test_bytes_without_a_token_are_dropped_and_merged_across() -> None:
    vocabulary = Vocabulary.build([(0, b"a"), (1, b"b"), (2, b"ab")])
    merges = MergeTable(*(np.array([x], np.int64) for x in (0, 1, 2)))
    tokenizer = ByteLevelTokenizer("t", "t", "", vocabulary, compile_pattern(r"\S+|\s+"), merges=merges)
    reference = tokenizers.Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    made = tokenizer.encode("azb")
    assert made.ids.tolist() == [2] == reference.encode("azb").ids
    assert (made.starts.tolist(), made.ends.tolist(), made.exact) == ([0], [3], False)
    assert tokenizer.encode("zz zz").ids.tolist() == []
    assert tokenizer.encode("zab z b").starts.tolist() == [1, 6]


def test_a_pattern_that_leaves_gaps_loses_them_and_says_so() -> None:
    tokenizer = ours(ranks_of(b"ab"), r"\w+")
    made = tokenizer.encode("ab  ab!")
    assert made.ids.tolist() == [256, 256] == theirs(ranks_of(b"ab"), r"\w+").encode("ab  ab!")
    assert (made.starts.tolist(), made.ends.tolist(), made.exact) == ([0, 4], [2, 6], False)
    assert made.lost


def test_decoding_gives_bytes_and_passes_over_unknown_ids() -> None:
    tokenizer = ours(ranks_of(b"ab"), special={"<s>": 400})
    assert tokenizer.decode([97, 256, 400, 399, -1, 2**40, 0xFF]) == b"aab<s>\xff"
    assert tokenizer.decode([]) == b""
    assert tokenizer.unknown_ids([97, 400, 399, -1]) == [399, -1]
    assert tokenizer.decode([97, 1 << 70, -(1 << 70), 97]) == b"aa"


def test_encoding_in_steps_is_encoding() -> None:
    rnd = random.Random(0)
    tokenizer = ours(trained_ranks(rnd, b"abc ", 100), r" ?\w+|\s+", {"<s>": 500})
    data = b"<s>".join(bytes(rnd.choices(b"abc  ", k=90_000)) for _ in range(3))
    *progress, made = tokenizer.encode_steps(data, "parse")
    assert isinstance(made, Encoding)
    whole = tokenizer.encode(data, special="parse")
    assert np.array_equal(made.ids, whole.ids) and np.array_equal(made.starts, whole.starts)
    assert len(progress) > 3 and progress == sorted(progress) and progress[-1] == 1.0


def test_empty_text() -> None:
    made = ours(ranks_of()).encode("")
    assert len(made) == 0 and made.exact
