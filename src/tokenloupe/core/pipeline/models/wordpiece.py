"""WordPiece (greedy longest match) and WordLevel (whole words).

    >>> WordPiece({"[UNK]": 0, "tok": 1, "##en": 2}, "[UNK]", "##", 100).word("token")
    ([1, 2], [0, 3], [3, 5])
"""

from __future__ import annotations

from functools import cached_property

from ...errors import InputError
from .base import Model, Word


class WordPiece(Model):
    """A word with a part that is not there, or with more than `limit` characters, is one unknown token."""

    name = "WordPiece"

    def __init__(self, vocab: dict[str, int], unk_token: str, prefix: str, limit: int) -> None:
        self.vocab, self.unk_token, self.prefix, self.limit = vocab, unk_token, prefix, limit
        self.unknown_id = vocab.get(unk_token)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.vocab), default=0)

    def word(self, text: str) -> Word:
        if len(text) > self.limit:
            return self._unknown(text)
        ids: list[int] = []
        cuts = [0]
        get, longest, count = self.vocab.get, self._longest, len(text)
        start = 0
        while start < count:
            head = self.prefix if start else ""
            for end in range(min(count, start + longest), start, -1):
                found = get(head + text[start:end])
                if found is not None:
                    break
            else:
                return self._unknown(text)
            ids.append(found)
            cuts.append(end)
            start = end
        if not text.isascii():
            cuts = [len(text[:c].encode("utf-8")) for c in cuts]
        return ids, cuts[:-1], cuts[1:]

    def _unknown(self, text: str) -> Word:
        if self.unknown_id is None:
            raise InputError(f"the unknown token {self.unk_token!r} is needed and not in the vocabulary",
                             where="model.unk_token", todo="the library refuses this text too")
        return [self.unknown_id], [0], [len(text.encode("utf-8"))]


class WordLevel(Model):
    """A word is one token or the unknown one."""

    name = "WordLevel"

    def __init__(self, vocab: dict[str, int], unk_token: str) -> None:
        self.vocab, self.unk_token = vocab, unk_token
        self.unknown_id = vocab.get(unk_token)

    def word(self, text: str) -> Word:
        found = self.vocab.get(text, self.unknown_id)
        if found is None:
            raise InputError(f"the unknown token {self.unk_token!r} is needed and not in the vocabulary",
                             where="model.unk_token", todo="the library refuses this text too")
        return [found], [0], [len(text.encode("utf-8"))]
