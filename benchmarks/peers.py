"""A bundled vocabulary as tiktoken and as tokenizers have it, made from our own ranks: nothing is downloaded."""

from __future__ import annotations

import tiktoken
import tokenizers
from tokenizers import Regex, models, pre_tokenizers

from tokenloupe.core.bytelevel import ByteLevelTokenizer
from tokenloupe.core.bytemap import to_text
from tokenloupe.core.vocabulary import TokenKind


def ranks_of(tokenizer: ByteLevelTokenizer) -> dict[bytes, int]:
    v = tokenizer.vocabulary
    return {v.bytes_at(r): int(i) for r, i in enumerate(v.ids) if v.kinds[r] == TokenKind.NORMAL}


def as_tiktoken(tokenizer: ByteLevelTokenizer) -> tiktoken.Encoding:
    return tiktoken.Encoding(tokenizer.name, pat_str=tokenizer.splitter.pattern, mergeable_ranks=ranks_of(tokenizer),
                             special_tokens=tokenizer.special_tokens)


def as_tokenizers(tokenizer: ByteLevelTokenizer) -> tokenizers.Tokenizer:
    """With the merges that our derivation finds; whole pre-tokens are looked up first, as in a rank file."""
    spelled = {i: to_text(t) for t, i in ranks_of(tokenizer).items()}
    table = tokenizer.merge_table
    merges = [(spelled[a], spelled[b]) for a, b in zip(table.left.tolist(), table.right.tolist(), strict=True)]
    made = tokenizers.Tokenizer(models.BPE({t: i for i, t in spelled.items()}, merges, ignore_merges=True))
    made.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(tokenizer.splitter.pattern), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    return made
