"""Long pre-tokens: equal to tiktoken's, and done in the time of a blink."""

from __future__ import annotations

import random
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from tokenloupe.core import bytebpe, bytebpe_memo
from tokenloupe.core.longpiece import merge_long
from tokenloupe.core.lookup import Text
from tokenloupe.core.vocabulary import MergeTable
from tokenloupe.formats.bundled import load_bundled

from .bytelevel_vocabularies import ours, random_ranks, theirs, trained_ranks

CJK = "".join(chr(random.Random(1).choice(range(0x4E00, 0x9FA5))) for _ in range(20000))


@pytest.mark.parametrize("seed", range(8))
def test_long_pieces_equal_tiktoken(seed: int) -> None:
    rnd = random.Random(seed)
    alphabet = [b"a", b"ab", b"abcd", bytes(range(256))][seed % 4]
    ranks = trained_ranks(rnd, alphabet, 80) if seed % 3 else random_ranks(rnd, alphabet, 80, 20)
    mine, reference = ours(ranks), theirs(ranks)
    unit = bytes(rnd.choices(alphabet, k=5))
    for piece in (bytes(rnd.choices(alphabet, k=3000)), unit * 500, unit * 100 + b"q" * 999, b"a" * 2047 + unit * 9,
                  bytes(rnd.choices(alphabet, k=60)) * 30):
        wanted = reference._encode_single_piece(piece)
        assert mine.encode_piece(piece) == tuple(wanted)
        assert merge_long(mine.engine.merger, piece).tolist() == wanted


@pytest.mark.parametrize("seed", range(4))
def test_no_entry_lies_across_a_cut_and_every_such_place_is_one(seed: int) -> None:
    rnd = random.Random(seed)
    alphabet = b"abcdefgh"
    ranks = random_ranks(rnd, alphabet, 60, [4, 9, 15, 24][seed])
    data = b"".join(rnd.choice([*list(ranks)[256:], bytes(rnd.choices(alphabet, k=9))]) for _ in range(300))
    engine = ours(ranks).engine
    covered = np.zeros(len(data) + 1, bool)
    for token in list(ranks)[256:]:
        at = data.find(token)
        while at >= 0:
            covered[at + 1 : at + len(token)] = True
            at = data.find(token, at + 1)
    free = [i for i in range(1, len(data)) if not covered[i]]
    cuts = engine.reach.cuts(data).tolist()
    assert set(cuts) <= set(free)
    if engine.table.longest <= 15:  # of longer entries only the first 15 bytes are looked at
        assert cuts == free
    # A cut depends on its neighbourhood alone.
    inside = engine.reach.cuts(data, 500, 900).tolist()
    assert inside == [c for c in cuts if 500 < c < 900]


def test_what_stands_between_cuts_is_encoded_by_itself() -> None:
    tokenizer = load_bundled("o200k_base")
    piece = CJK.encode()
    cuts = [0, *tokenizer.piece_cuts(piece, 0, len(piece)).tolist()[::50], len(piece)]
    parts = [tokenizer.encode_part(piece[a:b]) for a, b in pairwise(cuts)]
    assert np.concatenate(parts).tolist() == list(tokenizer.encode_piece(piece))


def test_a_pair_that_ranks_lower_than_those_being_merged_goes_first() -> None:
    # bc is made with rank 300 at three places; abc has the lower rank 256 and appears once bc is there.
    ranks = {**{bytes([b]): b for b in range(256)}, b"abc": 256, b"cd": 257, b"bc": 258, b"ab": 259, b"abcabc": 260}
    mine, reference = ours(ranks), theirs(ranks)
    for piece in (b"abcabcabc" * 30, b"abcdabc" * 40, b"bcd" * 50 + b"abc" * 50):
        assert merge_long(mine.engine.merger, piece).tolist() == reference._encode_single_piece(piece)


MEGABYTE = {
    "letter": b"a" * (1 << 20),
    "spaces": b" " * (1 << 20),
    "period": b"=-" * (1 << 17),
    "cjk": (CJK * 5).encode(),
    "bytes": random.Random(2).randbytes(1 << 16),
}


@pytest.mark.parametrize("kind", MEGABYTE)
def test_up_to_a_megabyte_in_one_pre_token(kind: str) -> None:
    """tiktoken itself fails on a megabyte of spaces (its pattern overflows the stack): its merges alone do not."""
    tokenizer = load_bundled("cl100k_base")
    v = tokenizer.vocabulary
    ranks = {v.bytes_at(r): int(i) for r, i in enumerate(v.ids) if v.kinds[r] == 0}
    piece = MEGABYTE[kind]
    ids = tokenizer.engine.encode_huge(piece)
    assert ids.tolist() == theirs(ranks)._encode_single_piece(piece)


def test_the_memo_forgets_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytebpe_memo, "MEMO_PIECES", 600)
    rnd = random.Random(4)
    ranks = trained_ranks(rnd, b"abcd", 50)
    mine, reference = ours(ranks), theirs(ranks)
    for _ in range(6):
        pieces = [bytes(rnd.choices(b"abcd", k=9)) for _ in range(400)]
        got = mine.encode_pieces(b"".join(pieces), np.cumsum([len(p) for p in pieces]))
        assert got.ids.tolist() == [i for p in pieces for i in reference._encode_single_piece(p)]
    assert len(mine.engine._memo.numbers) <= 600


def test_the_table_lags_behind_and_stays_right() -> None:
    memo = bytebpe_memo.Memo()
    for start in range(0, 4000, 100):
        keys = [b"%d" % n for n in range(start, start + 100)]
        memo.add(keys, np.arange(start, start + 100), np.ones(100, np.int64))
        table = memo.lookup()
        if table is not None:
            got = table.find(Text(b"7"), np.array([0]), np.array([1]))
            assert memo.ids[memo.first[got]].tolist() == [7]
    assert memo.numbers[b"3999"] == 3999 and table is not None


def test_one_word_costs_nothing_that_grows_with_the_merge_list() -> None:
    """All results as a Python list are 7 ms and 10 MB, once made for every word that was not seen before."""
    count = 200_000
    rnd = np.random.default_rng(1)
    blob = bytes(range(256)) + b"ab" * count
    offsets = np.concatenate((np.arange(257), 256 + 2 * np.arange(1, count + 1)))
    pairs = rnd.permutation(1 << 24)[:count]
    merges = MergeTable(pairs >> 12, pairs & 4095, np.arange(256, 256 + count))
    engine = bytebpe.ByteBPE(blob, offsets, np.arange(256 + count), merges)
    engine.encode_one(b"first")  # tables are made
    tracemalloc.start()
    engine.encode_one(b"another")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000
