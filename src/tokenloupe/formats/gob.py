"""The seed's `merge_rules.gob`: a Go tokenizer's merges, read and written.

Ids 0-255 are bytes, merges count from 256 in training order, the end token `<|endoftext|>` is behind them and is found
in every text first. The split pattern is Go's: its white space is tab, line feed, form feed, carriage return and space.

    >>> t = tokenizer_of([(105, 115), (256, 32), (105, 110)])
    >>> t.encode("Hello world!<|endoftext|>").ids.tolist()
    [72, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100, 33, 259]

Source: the API documentation of github.com/itsubaki/gpt, package tokenizer; for the file, gob_codec.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.bytelevel import ByteLevelTokenizer
from ..core.errors import InputError
from ..core.pattern import compile_pattern
from ..core.tokenizer import SpecialMode
from ..core.vocabulary import MergeTable, TokenKind, Vocabulary
from .gob_codec import read_gob, write_merge_rules
from .registry import Format, Source

END_TOKEN = "<|endoftext|>"

#: `'(?:[sdmt]|ll|ve|re)| ?\pL+| ?\pN+| ?[^\s\pL\pN]+|\s+` with Go's \s, which is ASCII and lacks \v.
PATTERN = (r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\t\n\f\r \p{L}\p{N}]+|[\t\n\f\r ]+")


class _EndMatcher:
    """The end token is found whatever is asked for."""

    def __init__(self, text: str, token_id: int) -> None:
        self._text, self._id = text.encode(), token_id

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        out, at = [], data.find(self._text)
        while at >= 0:
            end = at + len(self._text)
            out.append((at, end, self._id))
            at = data.find(self._text, end)
        return out


def sniff(source: Source) -> int:
    """A gob message that defines a struct called DefaultDict."""
    return 95 if b"DefaultDict[" in source.head[:64] and source.head[1:2] == b"\x7f" else 0


def load(source: Source, options: dict[str, str]) -> ByteLevelTokenizer:
    """InputError names the byte where the stream breaks, or the merge that is wrong. options: end_token."""
    value = read_gob(source.data)
    order = _order(value)
    return tokenizer_of(order, source.name, source.sha256, options.get("end_token", END_TOKEN))


def _order(value: Any) -> list[tuple[int, int]]:
    """The merges in order, checked against the map of ids."""
    if not isinstance(value, dict) or not isinstance(value.get("Dict", {}), dict) or not isinstance(
            value.get("Order", []), list):
        raise InputError("the value is no DefaultDict of pairs", where="the gob value", todo=_WRONG)
    ids: dict[Any, Any] = value.get("Dict", {})
    order: list[tuple[int, int]] = value.get("Order", [])
    if len(ids) != len(order):
        raise InputError(f"{len(ids)} ids for {len(order)} merges", where="the gob value", todo=_WRONG)
    for i, pair in enumerate(order):
        if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(p, int) for p in pair)):
            raise InputError("a merge is no pair of numbers", where=f"merge {i}", todo=_WRONG)
        if ids.get(pair) != 256 + i:
            raise InputError(f"the merge {pair} has id {ids.get(pair)} where {256 + i} belongs", where=f"merge {i}",
                             todo=_WRONG)
    return order


def tokenizer_of(merges: Sequence[tuple[int, int]], name: str = "merge_rules.gob", sha256: str = "",
                 end_token: str = END_TOKEN) -> ByteLevelTokenizer:
    """NewBPETokenizer: merges -> tokenizer. InputError when a merge joins what no earlier one made."""
    pieces = [bytes((b,)) for b in range(256)]
    for i, (left, right) in enumerate(merges):
        if not (0 <= left < len(pieces) and 0 <= right < len(pieces)):
            raise InputError(f"the merge ({left}, {right}) joins a token that does not exist yet", where=f"merge {i}",
                             todo=_WRONG)
        pieces.append(pieces[left] + pieces[right])
    end_id = len(pieces)
    table = MergeTable(np.array([m[0] for m in merges], np.int64), np.array([m[1] for m in merges], np.int64),
                       np.arange(256, end_id, dtype=np.int64))
    vocabulary = Vocabulary.build(
        [*enumerate(pieces), (end_id, end_token.encode())], kinds={end_id: TokenKind.SPECIAL},
        ranks={256 + i: i for i in range(len(merges))}, merges=table,
    )
    end = {end_token: end_id}
    return ByteLevelTokenizer(name, "gob", sha256, vocabulary, compile_pattern(PATTERN), merges=table,
                              special_tokens=end, added_tokens=end, matcher=_EndMatcher(end_token, end_id))


def save(merges: MergeTable, ids: dict[tuple[int, int], int] | None = None) -> bytes:
    """The file of a tokenizer's merges. InputError when they are not a list over the 256 bytes in id order."""
    pairs = list(zip(merges.left.tolist(), merges.right.tolist(), strict=True))
    if merges.result.tolist() != list(range(256, 256 + len(pairs))):
        raise InputError("the merges do not make ids 256, 257, .. in order", where="merges",
                         todo="this format holds only tokenizers whose first 256 ids are the bytes")
    return write_merge_rules(pairs, ids)


_WRONG = "the file was not written by this tokenizer"

FORMAT = Format("gob", "merge_rules.gob of a Go tokenizer", (".gob",), sniff, load)
