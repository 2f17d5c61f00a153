"""Small vocabularies for tests: the same one as ours and as the reference library's."""

from __future__ import annotations

import random

import tiktoken

from tokenloupe.core.bytelevel import ByteLevelTokenizer, special_kinds
from tokenloupe.core.pattern import compile_pattern
from tokenloupe.core.vocabulary import Vocabulary

EVERYTHING = r"[\s\S]+"


def ranks_of(*tokens: bytes) -> dict[bytes, int]:
    """256 bytes and then the tokens, in rank order."""
    ranks = {bytes([b]): b for b in range(256)}
    for token in tokens:
        ranks.setdefault(token, len(ranks))
    return ranks


def ours(ranks: dict[bytes, int], pattern: str = EVERYTHING,
         special: dict[str, int] | None = None) -> ByteLevelTokenizer:
    special = special or {}
    entries = [(i, t) for t, i in ranks.items()] + [(i, t.encode()) for t, i in special.items()]
    vocabulary = Vocabulary.build(entries, kinds=special_kinds(special.values()), ranks={i: i for i in ranks.values()})
    return ByteLevelTokenizer("test", "tiktoken", "", vocabulary, compile_pattern(pattern), special_tokens=special)


def theirs(ranks: dict[bytes, int], pattern: str = EVERYTHING,
           special: dict[str, int] | None = None) -> tiktoken.Encoding:
    return tiktoken.Encoding("test", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special or {})


def random_ranks(rnd: random.Random, alphabet: bytes, count: int, longest: int) -> dict[bytes, int]:
    """Tokens that no training would give: parts need not exist, and a part may rank after the whole."""
    tokens = [bytes(rnd.choices(alphabet, k=rnd.randint(2, longest))) for _ in range(count)]
    rnd.shuffle(tokens)
    return ranks_of(*tokens)


def trained_ranks(rnd: random.Random, alphabet: bytes, count: int) -> dict[bytes, int]:
    """Tokens as training gives them: each is made of two earlier ones."""
    tokens = [bytes([b]) for b in alphabet]
    ranks = ranks_of()
    for _ in range(20 * count):  # of one letter there are no more than the longest allows
        token = rnd.choice(tokens) + rnd.choice(tokens)
        if token not in ranks and len(token) <= 40 and len(ranks) < 256 + count:
            ranks[token] = len(ranks)
            tokens.append(token)
    return ranks
