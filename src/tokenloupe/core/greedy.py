"""Greedy longest match: at each byte the longest token that stands there is taken (RWKV's "trie" tokenizer).

    >>> match = LongestMatch({b"a": 1, b"ab": 2, b"b": 3})
    >>> match.encode(b"abb")
    ([2, 3], [0, 2], [])

Source: rwkv 0.8.32 rwkv_tokenizer.py (Apache-2.0), whose trie this replaces by a table of the lengths that tokens with
the same first two bytes have.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer
from .vocabulary import TokenKind, Vocabulary


class LongestMatch:
    """tokens: bytes -> id, none of them empty."""

    def __init__(self, tokens: Mapping[bytes, int]) -> None:
        self.tokens = tokens
        lengths: dict[bytes, set[int]] = {}
        for token in tokens:
            lengths.setdefault(token[:2], set()).add(len(token))
        self._lengths = {key: tuple(sorted(found, reverse=True)) for key, found in lengths.items()}

    def encode(self, data: bytes) -> tuple[list[int], list[int], list[int]]:
        """(ids, the byte each starts at, the bytes where no token begins)."""
        tokens, lengths = self.tokens, self._lengths
        ids: list[int] = []
        starts: list[int] = []
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
            pos += length
        return ids, starts, missed


class GreedyTokenizer(Tokenizer):
    """A vocabulary whose tokens are matched greedily. unk_id: given for a byte that begins no token, where there is."""

    def __init__(self, name: str, sha256: str, vocabulary: Vocabulary, *, format: str = "rwkv",
                 unk_id: int | None = None, warnings: tuple[str, ...] = ()) -> None:
        self.name, self.sha256, self.vocabulary, self.format = name, sha256, vocabulary, format
        self.unk_id, self.warnings = unk_id, warnings
        self.special_tokens, self.added_tokens = {}, {}
        normal = np.flatnonzero(vocabulary.kinds == TokenKind.NORMAL).tolist()
        # Of two tokens with the same bytes the later one is matched, as in the reference.
        self.match = LongestMatch({b: int(vocabulary.ids[r]) for r in normal if (b := vocabulary.bytes_at(r))})

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        ids, starts, missed = self.match.encode(data)
        lost: list[Lost] = []
        for byte_pos in missed:
            if lost and lost[-1].end == byte_pos:
                lost[-1] = Lost(lost[-1].start, byte_pos + 1, lost[-1].stage)
            else:
                lost.append(Lost(byte_pos, byte_pos + 1, "no token begins with this byte"))
        at = np.array(starts, np.int64)
        token_ids = np.array(ids, np.int64)
        widths = np.diff(self.vocabulary.offsets)
        ends = at + widths[np.searchsorted(self.vocabulary.ids, token_ids)]
        if missed and self.unk_id is not None:
            places = np.array(missed, np.int64)
            order = np.argsort(np.concatenate([at, places]), kind="stable")
            token_ids = np.concatenate([token_ids, np.full(len(places), self.unk_id)])[order]
            at, ends = np.concatenate([at, places])[order], np.concatenate([ends, places + 1])[order]
        kinds = self.vocabulary.kinds[np.searchsorted(self.vocabulary.ids, token_ids)]
        return Encoding(data, token_ids, at, ends, kinds, self.vocabulary, lost=tuple(lost))
