"""Beginning with characters gives what beginning with bytes gives, and what tiktoken gives, for any ranks and bytes."""

from __future__ import annotations

import random

import pytest

from tokenloupe.core.bytebpe_atoms import NEVER, crossing_ranks
from tokenloupe.core.bytebpe_batch import Merger
from tokenloupe.core.vocabulary import MergeTable, join_bytes
from tokenloupe.formats.bundled import load_bundled

from .bytelevel_vocabularies import ours, random_ranks, theirs, trained_ranks

LETTERS = " aé–жшया天气あ가😀👍\u0301\u200d"


def texts(rnd: random.Random, count: int) -> list[bytes]:
    """Pieces of characters that share bytes, some of them damaged."""
    out = []
    for _ in range(count):
        piece = bytearray("".join(rnd.choices(LETTERS, k=rnd.randint(1, 14))).encode())
        if rnd.random() < 0.3:
            at = rnd.randrange(len(piece))
            piece[at : at + rnd.randint(0, 2)] = bytes(rnd.choices(bytes(piece) + b"\x80\xbf\xe5\xf0\xff", k=1))
        out.append(bytes(piece))
    return [p for p in dict.fromkeys(out) if p]


@pytest.mark.parametrize("seed", range(24))
def test_any_ranks_give_what_tiktoken_gives(seed: int) -> None:
    """Random ranks, where a longer entry may rank before its parts, and entries that lie across characters."""
    rnd = random.Random(seed)
    alphabet = LETTERS.encode()
    ranks = trained_ranks(rnd, alphabet, 150) if seed % 2 else random_ranks(rnd, alphabet, 150, 7)
    if seed % 3 == 0:  # spans of real text: whole characters, parts of them, and what lies across two
        sample = b"".join(texts(rnd, 60))
        known = dict.fromkeys(ranks)
        for _ in range(150):
            at, size = rnd.randrange(len(sample)), rnd.randint(2, 6)
            known.setdefault(sample[at : at + size])
        longer = [k for k in known if len(k) > 1]
        rnd.shuffle(longer)
        ranks = {k: i for i, k in enumerate([*(bytes([b]) for b in range(256)), *longer])}
    engine, reference = ours(ranks).engine, theirs(ranks)
    pieces = texts(rnd, 150)
    assert engine.merger.atoms is not None
    ids, counts = engine.merger.run(pieces)
    wanted = [reference._encode_single_piece(p) for p in pieces]
    # A whole piece that is an entry is found by tiktoken before it merges.
    begin = 0
    for piece, expected, count in zip(pieces, wanted, counts.tolist(), strict=True):
        if piece not in ranks:
            assert ids[begin : begin + count].tolist() == expected, piece
        begin += count


@pytest.mark.parametrize("seed", range(12))
def test_a_merge_list_gives_what_it_gives_from_bytes(seed: int) -> None:
    rnd = random.Random(seed)
    mine = ours(trained_ranks(rnd, LETTERS.encode() * 3 + "".join(rnd.choices(LETTERS, k=90)).encode(), 200))
    merges = mine.merge_table
    order = list(range(len(merges)))
    rnd.shuffle(order)  # a list in any order: ranks need not rise with length
    merges = MergeTable(merges.left[order], merges.right[order], merges.result[order])
    engine = type(mine)("m", "m", "", mine.vocabulary, mine.splitter, merges=merges).engine
    pieces = texts(rnd, 200)
    ids, counts = engine.merger.run(pieces)
    plain = Merger.of_merges(engine.byte_ids, merges)
    assert plain.atoms is None
    wanted, number = plain.run(pieces)
    assert counts.tolist() == number.tolist() and ids.tolist() == wanted.tolist()


def test_characters_that_a_space_may_break_begin_as_bytes() -> None:
    """o200k has " \\xd0" as entry 300, before the letters that begin with that byte."""
    engine = load_bundled("o200k_base").engine
    blob, offsets = join_bytes([" ж".encode(), "шж".encode(), "天气".encode()])
    assert engine.merger.atoms is not None
    starts, symbols, first = engine.merger.atoms.of(blob, offsets)
    assert engine.table.get(b" \xd0") == 300
    assert starts.tolist() == [0, 1, 2, 3, 5, 7, 10, 13] and first.tolist() == [0, 3, 5, 7]
    assert symbols[3:].tolist() == [engine.table.get(c.encode()) for c in "шж天气"]


def test_merges_that_reach_into_a_character_are_known_by_two_bytes() -> None:
    entries = [*(bytes([b]) for b in range(256)), " \u0436".encode()[:2], "\u0436".encode(), "\u0436 ".encode()[1:]]
    blob, offsets = join_bytes(entries)
    import numpy as np

    after, before, points, whole = crossing_ranks(blob, offsets, np.arange(len(entries)))
    assert before[0x20 << 8 | 0xD0] == 256 and np.count_nonzero(before != NEVER) == 1
    assert after[0xB6 << 8 | 0x20] == 258 and np.count_nonzero(after != NEVER) == 1
    assert points.tolist() == [] and whole.tolist() == []  # nothing merges with a whole character
