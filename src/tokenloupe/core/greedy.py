"""Greedy longest match: at each byte the longest token that stands there is taken (RWKV's "trie" tokenizer).

    >>> match = LongestMatch({b"a": 1, b"ab": 2, b"b": 3})
    >>> match.encode(b"abb")
    ([2, 3], [0, 2], [2, 3], [])

Source: rwkv 0.8.32 rwkv_tokenizer.py (Apache-2.0), whose trie this replaces by a table of the lengths that tokens with
the same first two bytes have.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from .sentencepiece import Part, joined
from .sp_normalizer import runs
from .tokenizer import Encoding, SpecialMode, Tokenizer
from .vocabulary import TokenKind, Vocabulary, split_bytes


class LongestMatch:
    """tokens: bytes -> id, none of them empty."""

    def __init__(self, tokens: Mapping[bytes, int]) -> None:
        self.tokens = tokens
        lengths: dict[bytes, set[int]] = {}
        for token in tokens:
            lengths.setdefault(token[:2], set()).add(len(token))
        self._lengths = {key: tuple(sorted(found, reverse=True)) for key, found in lengths.items()}

    def encode(self, data: bytes) -> tuple[list[int], list[int], list[int], list[int]]:
        """(ids, the byte each starts at, the byte each ends at, the bytes where no token begins)."""
        tokens, lengths = self.tokens, self._lengths
        ids: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        missed: list[int] = []
        pos, size = 0, len(data)
        while pos < size:
            found = None
            for length in lengths.get(data[pos : pos + 2], ()):
                found = tokens.get(data[pos : pos + length])
                if found is not None:
                    break
            else:
                length = 1
                found = tokens.get(data[pos : pos + 1])
            if found is None:
                missed.append(pos)
            else:
                ids.append(found)
                starts.append(pos)
                ends.append(min(pos + length, size))
            pos += length
        return ids, starts, ends, missed


class GreedyTokenizer(Tokenizer):
    """A vocabulary whose tokens are matched greedily."""

    format = "rwkv"

    def __init__(self, name: str, sha256: str, vocabulary: Vocabulary, *, warnings: tuple[str, ...] = ()) -> None:
        self.name, self.sha256, self.vocabulary, self.warnings = name, sha256, vocabulary, warnings
        self.special_tokens, self.added_tokens = {}, {}

    @cached_property
    def match(self) -> LongestMatch:
        """Of two tokens with the same bytes the later one is matched, as in the reference."""
        v = self.vocabulary
        normal = v.kinds == TokenKind.NORMAL
        each = zip(split_bytes(v.blob, v.offsets), v.ids.tolist(), normal.tolist(), strict=True)
        return LongestMatch({b: i for b, i, good in each if good and b})

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        return joined([greedy_part(self.match, data, None)], data, self.vocabulary)


def greedy_part(match: LongestMatch, data: bytes, unk_id: int | None) -> Part:
    """The tokens of a text. unk_id: given for a byte that begins no token, where there is one."""
    ids, starts, ends, missed = match.encode(data)
    places = np.array(missed, np.int64)
    lost = runs(places, places + 1, ["no token begins with this byte"] * len(missed))
    token_ids, at, to = (np.array(column, np.int64) for column in (ids, starts, ends))
    if missed and unk_id is not None:
        order = np.argsort(np.concatenate([at, places]), kind="stable")
        token_ids = np.concatenate([token_ids, np.full(len(places), unk_id)])[order]
        at, to = np.concatenate([at, places])[order], np.concatenate([to, places + 1])[order]
    return Part(token_ids, at, to, lost)
