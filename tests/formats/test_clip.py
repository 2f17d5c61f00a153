"""CLIP's tokenizer on a small merge table, against the algorithm as openai/CLIP describes it."""

from __future__ import annotations

import gzip
import random
from itertools import pairwise

import pytest
import regex

from tokenloupe.core.bytemap import to_text
from tokenloupe.core.clip import END, MERGES, PATTERN, ClipTokenizer, byte_letters
from tokenloupe.core.errors import InputError
from tokenloupe.formats import open_bytes

PAIRS = [("h", "i" + END), ("l", "o"), ("l", "o" + END), ("h", "e"), ("he", "l"), ("hel", "lo" + END),
         ("lo", "w" + END), ("Ã", "©" + END)]


def slow(text: str, merges: list[tuple[str, str]]) -> list[int]:
    """Lower case, white space collapsed, words by the pattern, the lowest-ranked pair joined everywhere, again."""
    letters = byte_letters()
    names = [*letters, *(c + END for c in letters), *(a + b for a, b in merges)]
    ids = {n: i for i, n in enumerate(names)}
    out: list[int] = []
    for word in regex.findall(PATTERN, " ".join(text.split()).strip().lower(), regex.IGNORECASE):
        spelled = to_text(word.encode())
        symbols = [*spelled[:-1], spelled[-1] + END]
        while True:
            pairs = [p for p in pairwise(symbols) if p in merges]
            if not pairs:
                break
            best = min(pairs, key=merges.index)
            i = 0
            while i < len(symbols) - 1:
                if (symbols[i], symbols[i + 1]) == best:
                    symbols[i : i + 2] = ["".join(best)]
                i += 1
        out += [ids[s] for s in symbols]
    return out


def test_random_texts() -> None:
    tokenizer = ClipTokenizer("clip", "", PAIRS)
    rng = random.Random(3)
    for _ in range(300):
        parts = ["h", "i", "HI", "hello", "low", "é", " ", "\n", "\x1c", "1", "!", "'s", "İ", "你"]
        text = "".join(rng.choices(parts, k=9))
        assert tokenizer.encode(text).ids.tolist() == slow(text, PAIRS), text


def test_spans_and_losses() -> None:
    tokenizer = ClipTokenizer("clip", "", PAIRS)
    found = tokenizer.encode("HI  é")
    assert [(t.bytes, t.start, t.end) for t in found.tokens] == [(b"hi ", 0, 2), ("é ".encode(), 4, 6)]
    assert [(x.start, x.end, x.stage) for x in found.lost] == [(0, 2, "lower-casing"), (2, 4, "white space")]
    assert tokenizer.encode("hi", bos_eos=True).ids.tolist() == [520, 512, 521]
    assert tokenizer.encode("<|startoftext|>hi", special="parse").ids.tolist() == [520, 512]


def test_a_table_cut_short_is_named() -> None:
    text = b'"bpe_simple_vocab_16e6.txt#version: 0.2\nh i</w>\n'
    with pytest.raises(InputError, match=f"2 merges are there and CLIP has {MERGES:,}"):
        open_bytes(gzip.compress(text, mtime=0), "bpe.txt.gz")
