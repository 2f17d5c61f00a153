"""The audit of whole vocabularies: every witness is encoded, and what is called unreachable is looked for by force."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tokenloupe
from tokenloupe.core.audit import Audit, audit
from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Status, reach
from tokenloupe.core.utf8 import is_valid
from tokenloupe.core.vocabulary import MergeTable, TokenKind, Vocabulary
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
        if not LONG and found.reach.status[row] == Status.OWN and row % 20:
            continue
        token_id = int(v.ids[row])
        witness = found.reach.witness(token_id)
        assert witness is not None
        witness[0].decode("utf-8")
        assert token_id in tokenizer.encode(witness[0], special=witness[1]).ids, (token_id, witness)
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


def crippled() -> ByteLevelTokenizer:
    """gpt2's entries under another's pattern and with merges struck out: thousands that nothing can produce."""
    base = load_bundled("gpt2")
    merges, v = base.merge_table, base.vocabulary
    rnd = random.Random(11)
    kept = [m for m in range(len(merges)) if m < 5000 or rnd.random() > 0.03]
    table = MergeTable(merges.left[kept], merges.right[kept], merges.result[kept])
    vocabulary = Vocabulary(v.ids, v.blob, v.offsets, v.kinds, merges=table)
    return ByteLevelTokenizer("crippled", "test", "", vocabulary, base.splitter, merges=table)


def test_two_thousand_that_are_called_unreachable_are_not_found_by_force() -> None:
    tokenizer = crippled()
    found = reach(VocabularyIndex(tokenizer))
    v = tokenizer.vocabulary
    rows = [r for r in found.rows(Status.UNREACHABLE).tolist() if v.kinds[r] == TokenKind.NORMAL]
    assert len(rows) > 2000
    chosen = random.Random(3).sample(rows, 2000)
    for row in chosen:
        piece, token_id = v.bytes_at(row), int(v.ids[row])
        texts = [piece, *(n.encode() + piece for n in NEIGHBOURS), *(piece + n.encode() for n in NEIGHBOURS)]
        for text in filter(is_valid, texts):
            ends, starts = tokenizer.pre_tokens(text)[::-1]
            assert token_id not in tokenizer.encode_pieces(text, ends, starts).ids, (token_id, text)


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
