"""The pieces of a SentencePiece model, and where a text may be cut because no piece reaches over the place.

    >>> Cutter(["▁the", "▁", "t", "h"]).cut("▁the▁th")
    ['▁the', '▁th']

No piece reaches over a place where the two characters next to each other stand together in no piece, so each stretch
of a text can be encoded by itself, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from .ragged import places
from .sp_normalizer import SPACE
from .stretch_table import Outcomes
from .text import code_points, utf8_edges
from .vocabulary import Int64s, TokenKind

#: What a stretch of text becomes: ids, and the UTF-8 bytes of normalized text under each.
Pieces = tuple[tuple[int, ...], tuple[int, ...]]

#: A stretch longer than this is cut again, between characters that no piece holds side by side.
LONG = 48


class PieceTable:
    """pieces: their texts by id, or what makes them when they are first needed. kinds: of TokenKind. scores: float32.
    byte_ids: the id of each byte piece, or None. user_defined: the texts of those of kind ADDED, where they are known.

    ids: the pieces that text can match (normal, user-defined, unused). unk_id: -1 when there is none.
    """

    def __init__(self, pieces: list[str] | Callable[[], list[str]], kinds: NDArray[np.uint8],
                 scores: NDArray[np.float32], byte_ids: list[int] | None = None,
                 user_defined: list[str] | None = None) -> None:
        self._made, self.kinds, self.scores, self.byte_ids = pieces, kinds, scores, byte_ids
        unknown = np.flatnonzero(kinds == TokenKind.UNKNOWN)
        self.unk_id = int(unknown[0]) if len(unknown) else -1
        self.unused = frozenset(np.flatnonzero(kinds == TokenKind.UNUSED).tolist())
        if user_defined is None:
            user_defined = [self.pieces[i] for i in np.flatnonzero(kinds == TokenKind.ADDED).tolist()]
        self.user_defined = user_defined

    @cached_property
    def pieces(self) -> list[str]:
        return self._made() if callable(self._made) else self._made

    @cached_property
    def ids(self) -> dict[str, int]:
        usable = np.flatnonzero(np.isin(self.kinds, [TokenKind.NORMAL, TokenKind.ADDED, TokenKind.UNUSED])).tolist()
        return dict(zip(map(self.pieces.__getitem__, usable), usable, strict=True))

    @cached_property
    def given(self) -> dict[str, int]:
        """The pieces that may be given out."""
        return {p: i for p, i in self.ids.items() if i not in self.unused} if self.unused else self.ids

    def known(self, piece: str) -> int:
        """The id of a piece that may be given out, or the unknown id."""
        return self.given.get(piece, self.unk_id)

    def given_out(self, words: list[str], ids: Int64s, begins: Int64s, ends: Int64s, counts: Int64s,
                  byte_ids: list[int] | None) -> Outcomes:
        """Tokens of many words as they are given out: an unknown one (id -1) as byte pieces where there are any.

        begins, ends: in characters of the word. counts: how many tokens each word has.
        """
        text = "".join(words)
        edges = utf8_edges(code_points(text))
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        first = np.repeat(np.cumsum(lengths) - lengths, counts)
        starts = edges[first + begins]
        widths = edges[first + ends] - starts
        unknown = ids < 0
        ids = np.where(unknown, self.unk_id, ids)
        if byte_ids is not None and bool(unknown.any()):
            data = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
            times = np.where(unknown, widths, 1)
            spelled = np.array(byte_ids, np.int64)[data[places(starts, times)]]
            spread = np.repeat(unknown, times)
            ids = np.where(spread, spelled, np.repeat(ids, times))
            widths = np.where(spread, 1, np.repeat(widths, times))
            counts = np.diff(np.concatenate([[0], np.cumsum(times)])[np.concatenate([[0], np.cumsum(counts)])])
        return Outcomes(ids, widths, counts)

    def outcome(self, tokens: list[tuple[str, int]]) -> Pieces:
        """Tokens (text, id) as they are given out: an unknown one as byte pieces where the model has them."""
        ids: list[int] = []
        widths: list[int] = []
        for text, token_id in tokens:
            data = text.encode("utf-8", "surrogatepass")
            if token_id == self.unk_id and self.byte_ids is not None:
                ids += [self.byte_ids[b] for b in data]
                widths += [1] * len(data)
            else:
                ids.append(token_id)
                widths.append(len(data))
        return tuple(ids), tuple(widths)


class Cutter:
    """Where a normalized text may be cut because no piece reaches over the place."""

    def __init__(self, pieces: list[str]) -> None:
        self._joined = "\0".join(pieces)
        #: A mark before or behind every ▁ cuts where it may be cut, as long as no two stand together.
        self._marked = ""
        #: Where it cuts at every ▁ that stands alone: "before" it, "behind" it, or "" nowhere for sure.
        self.side = ""
        if not re.search(f"[^{SPACE}\\0]{SPACE}", self._joined):  # ▁ stands at the front of pieces alone
            self._words = re.compile(f"{SPACE}+[^{SPACE}]*|[^{SPACE}]+")
            self._marked, self.side = "\0" + SPACE, "before"
        elif not re.search(f"{SPACE}[^{SPACE}\\0]", self._joined):  # ... at the end
            self._words = re.compile(f"[^{SPACE}]*{SPACE}+|[^{SPACE}]+")
            self._marked, self.side = SPACE + "\0", "behind"
        else:
            self._words = re.compile("(?s:.+)")
        self._pairs: NDArray[np.uint64] | None = None

    def cut(self, text: str) -> list[str]:
        """The stretches of a text, in order."""
        words = self._cut_at_spaces(text)
        sizes = list(map(len, words))
        if len(words) and max(sizes) > LONG:
            long = [i for i, size in enumerate(sizes) if size > LONG]
            parts: list[list[str]] = []
            done = 0
            for i in long:
                parts += [words[done:i], self.cut_finely(words[i])]
                done = i + 1
            return list(chain.from_iterable([*parts, words[done:]]))
        return words

    def _cut_at_spaces(self, text: str) -> list[str]:
        if self._marked and "\0" not in text and SPACE + SPACE not in text:  # three times as fast as the pattern
            return marked_words(text, self._marked)
        found: list[str] = self._words.findall(text)
        return found

    def cut_finely(self, text: str) -> list[str]:
        """Cut between all characters that stand side by side in no piece."""
        if self._pairs is None:
            self._pairs = np.unique(_pair_keys(self._joined))
        keys = _pair_keys(text)
        at = np.minimum(np.searchsorted(self._pairs, keys), len(self._pairs) - 1)
        edges = [0, *(np.flatnonzero(self._pairs[at] != keys) + 1).tolist(), len(text)]
        return [text[a:b] for a, b in pairwise(edges)]


def marked_words(text: str, mark: str) -> list[str]:
    """The text cut where `mark`, a `▁` with a zero character before or behind it, has that character."""
    words = text.replace(SPACE, mark).split("\0")
    if not words[0]:
        del words[0]
    if words and not words[-1]:
        del words[-1]
    return words


def _pair_keys(text: str) -> NDArray[np.uint64]:
    points = code_points(text).astype(np.uint64)
    return (points[:-1] << np.uint64(32)) | points[1:]
