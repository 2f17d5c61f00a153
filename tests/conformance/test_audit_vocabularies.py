"""The audit of whole vocabularies: every witness is encoded, and what is called unreachable is looked for by force."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokenloupe
from tokenloupe.core.audit import Audit, audit
from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.pattern import compile_pattern
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Status, reach
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.core.utf8 import is_valid
from tokenloupe.core.vocabulary import MergeTable, TokenKind, Vocabulary
from tokenloupe.formats import open_bytes
from tokenloupe.formats.bundled import BUNDLED, load_bundled

RealFile = Callable[[str], Path]
LONG = bool(os.environ.get("TOKENLOUPE_LONG"))
#: One character of every kind that a split pattern tells apart, as neighbours.
NEIGHBOURS = (*" aAzé1٣²\n\r\t!'/._-中あ한я\u0301\u00a0\u2028", "  ", "😀", "'s")


def witnesses_hold(found: Audit) -> int:
    """How many there are. Those that are the entry's own text are sampled in the normal run."""
    tokenizer, v = found.index.tokenizer, found.index.vocabulary
    assert tokenizer is not None
    rows = [*found.reach.rows(Status.OWN).tolist(), *found.reach.rows(Status.CONTEXT).tolist()]
    for row in rows:
        if not LONG and found.reach.status[row] == Status.OWN and row % 80:
            continue
        token_id = int(v.ids[row])
        witness = found.reach.witness(token_id)
        assert witness is not None
        witness[0].decode("utf-8")
        assert token_id in tokenizer.encode_ids(witness[0], special=witness[1]), (token_id, witness)
    return len(rows)


@pytest.mark.parametrize("name", list(BUNDLED) if LONG else ["o200k_base", "p50k_base"])
def test_bundled_vocabularies(name: str) -> None:
    start = time.process_time()
    found = audit(VocabularyIndex(load_bundled(name)))
    assert time.process_time() - start < 30
    assert len(found.reach.rows(Status.NONE_FOUND)) == 0
    assert witnesses_hold(found) == len(found.index) - found.totals["unreachable"]
    invalid = [bytes([b]) for b in (0xC0, 0xC1, *range(0xF5, 0x100))]
    unreachable = [found.index.vocabulary.bytes_at(r) for r in found.reach.rows(Status.UNREACHABLE).tolist()]
    assert set(invalid) <= set(unreachable)


#: Files of every kind: in the normal run the small ones.
SMALL = ["botchan_bpe_bytefb_digits.model", "botchan_en_unigram_1000.model", "botchan_uni_suffix_bytefb_nfkccf.model",
         "botchan_wordlevel.tokenizer.json"]
LARGE = ["qwen3.tokenizer.json", "gemma3.tokenizer.json", "mistral-v1.model", "botchan_en_bpe_1000.model",
         "botchan_unigram_precompiled.tokenizer.json", "minilm.tokenizer.json", "clip.tokenizer.json",
         "robbert1000.tokenizer.json", "rwkv_vocab_v20230424.txt", "ggml-vocab-bert-bge.gguf", "ggml-vocab-gpt-2.gguf",
         "llama3.tokenizer.json", "ggml-vocab-llama-spm.gguf"]


@pytest.mark.parametrize("name", [*SMALL, *LARGE] if LONG else SMALL)
def test_files_of_every_kind(name: str, real_file: RealFile) -> None:
    """Every witness holds, and no text made of the entries themselves, in any order, has what is called unreachable."""
    found = audit(VocabularyIndex(tokenloupe.load(real_file(name))))
    witnesses_hold(found)
    tokenizer, v = found.index.tokenizer, found.index.vocabulary
    assert tokenizer is not None
    unreachable = {int(v.ids[r]): r for r in found.reach.rows(Status.UNREACHABLE).tolist()}
    rnd = random.Random(name)
    pieces = [v.bytes_at(r) for r in range(len(v))]
    those = [pieces[r] for r in unreachable.values()] or pieces
    for row in rnd.sample([*unreachable.values()], min(len(unreachable), 2000 if LONG else 20)):
        texts = neighbourhoods(pieces[row], rnd, 6)
        for text in rnd.sample(texts, min(len(texts), 60)):
            assert int(v.ids[row]) not in tokenizer.encode_ids(text), (row, text, found.reach.proofs[row])
    for _ in range(40 if LONG else 6):
        some = [p for _ in range(1000) for p in (rnd.choice(pieces), rnd.choice(those), rnd.choice(pieces))]
        text = rnd.choice([b"", b" ", b"a"]).join(some).decode("utf-8", "ignore")
        for mode in ("text", "parse"):
            wrong = set(tokenizer.encode_ids(text, special=mode).tolist()) & set(unreachable)
            assert not wrong, [(i, found.reach.proofs[unreachable[i]]) for i in wrong]


def struck_merges() -> Tokenizer:
    """gpt2's entries with merges struck out: thousands that nothing can produce."""
    base = load_bundled("gpt2")
    merges, v = base.merge_table, base.vocabulary
    rnd = random.Random(11)
    kept = [m for m in range(len(merges)) if m < 5000 or rnd.random() > 0.03]
    table = MergeTable(merges.left[kept], merges.right[kept], merges.result[kept])
    vocabulary = Vocabulary(v.ids, v.blob, v.offsets, v.kinds, merges=table)
    return ByteLevelTokenizer("struck", "test", "", vocabulary, base.splitter, merges=table)


def short_words() -> Tokenizer:
    """gpt2's ranks under a pattern that cuts letters into fours and takes no space along."""
    v = load_bundled("gpt2").vocabulary
    return ByteLevelTokenizer("short", "test", "", v, compile_pattern(r"\p{L}{1,4}|\d{1,2}|[^\p{L}\d]"))


def changed(data: bytes, change: Callable[[dict[str, Any], random.Random], None]) -> Tokenizer:
    """A tokenizer.json with its model changed."""
    value = json.loads(data)
    change(value["model"], random.Random(5))
    return open_bytes(json.dumps(value).encode(), "changed.json")


def fewer_points(model: dict[str, Any], rnd: random.Random) -> None:
    for piece in model["vocab"]:
        if len(piece[0]) > 2 and rnd.random() < 0.4:
            piece[1] -= 20.0


def fewer_merges(model: dict[str, Any], rnd: random.Random) -> None:
    model["merges"] = [m for m in model["merges"] if rnd.random() > 0.2]


def joined_words(model: dict[str, Any], rnd: random.Random) -> None:
    marks = "!-.,;(中?"
    model["vocab"] = {k if i < 1100 or rnd.random() < 0.9 else f"{k}{rnd.choice(marks)}{i}": i
                      for i, k in enumerate(model["vocab"])}


CRIPPLED: dict[str, tuple[str, Callable[[bytes], Tokenizer]]] = {
    "struck merges": ("", lambda _: struck_merges()),
    "short words": ("", lambda _: short_words()),
    "unigram": ("botchan_unigram_precompiled.tokenizer.json", lambda data: changed(data, fewer_points)),
    "merges of characters": ("robbert1000.tokenizer.json", lambda data: changed(data, fewer_merges)),
    "wordpiece": ("minilm.tokenizer.json", lambda data: changed(data, joined_words)),
}


def neighbourhoods(piece: bytes, rnd: random.Random, pairs: int) -> list[bytes]:
    """The piece alone, with every neighbour on either side, and with some (or all) pairs on both; of a piece that is
    cut inside a character, with ways to complete that."""
    if not is_valid(piece):
        fronts = [b"", *(bytes([x]) for x in range(0xC2, 0xE0)), b"\xe4", b"\xe4\xb8", b"\xf0\x9f", b"\xf0\x9f\x98"]
        backs = [b"", *(bytes([x]) for x in range(0x80, 0xC0)), b"\x80\x80", b"\x98\x80", b"\xa4\xa4", b"\x9f\x98\x80"]
        whole = [a + piece + b for a in fronts for b in backs]
        return [t for t in whole if is_valid(t)]
    both = [(a, b) for a in NEIGHBOURS for b in NEIGHBOURS]
    if pairs < len(both):
        both = rnd.sample(both, pairs)
    return [piece, *(n.encode() + piece for n in NEIGHBOURS), *(piece + n.encode() for n in NEIGHBOURS),
            *(a.encode() + piece + b.encode() for a, b in both)]


@pytest.mark.parametrize("kind", CRIPPLED if LONG else ["struck merges", "unigram", "merges of characters"])
def test_what_is_called_unreachable_is_not_found_by_force(kind: str, real_file: RealFile) -> None:
    """2,000 of each kind of byte-level model, what the others have."""
    file, make = CRIPPLED[kind]
    tokenizer = make(real_file(file).read_bytes() if file else b"")
    found = reach(VocabularyIndex(tokenizer))
    v, rnd = tokenizer.vocabulary, random.Random(3)
    rows = [r for r in found.rows(Status.UNREACHABLE).tolist() if v.kinds[r] == TokenKind.NORMAL]
    fast = isinstance(tokenizer, ByteLevelTokenizer)
    assert len(rows) > (2000 if fast else 80)
    chosen = rnd.sample(rows, min(len(rows), 2000 if fast or LONG else 40))
    for row in chosen:
        piece, token_id = v.bytes_at(row), int(v.ids[row])
        texts = neighbourhoods(piece, rnd, 1000 if LONG else 4)
        if not texts:  # bytes of no UTF-8
            continue
        if isinstance(tokenizer, ByteLevelTokenizer):  # each text in pre-tokens by itself, all of them merged at once
            cuts = [tokenizer.pre_tokens(text) for text in texts]
            bases = np.cumsum([0, *map(len, texts)])
            starts = np.concatenate([s + base for (s, _), base in zip(cuts, bases, strict=False)])
            ends = np.concatenate([e + base for (_, e), base in zip(cuts, bases, strict=False)])
            made = tokenizer.encode_pieces(b"".join(texts), ends, starts)
            assert token_id not in made.ids, (token_id, piece, found.proofs[row])
            continue
        for text in texts:
            ids = tokenizer._encode(text, "text", False).ids
            assert token_id not in ids, (token_id, text, found.proofs[row])


def test_llama3(real_file: RealFile) -> None:
    """The file lists merges; a whole pre-token that is an entry is that token (ignore_merges)."""
    index = VocabularyIndex(tokenloupe.load(real_file("llama3.tokenizer.json")))
    found = reach(index)
    assert len(found.rows(Status.NONE_FOUND)) == 0
    rows = found.rows(Status.CONTEXT).tolist()
    tokenizer = index.tokenizer
    assert tokenizer is not None
    for row in rows[::10]:
        token_id = int(index.vocabulary.ids[row])
        witness = found.witness(token_id)
        assert witness is not None and token_id in tokenizer.encode(witness[0], special=witness[1]).ids
