"""Sennrich's BPE over words (subword-nmt): the end of a word is part of a symbol, `@@` marks a piece that goes on.

    >>> t = SubwordNmtTokenizer("codes", "", [("t", "h"), ("th", "e</w>")], version=(0, 2))
    >>> t.process_line("the then"), [x.text for x in t.encode("the then").tokens]
    ('the th@@ e@@ n', ['the', 'th', 'e', '<unk>'])

The method has no ids: people number the pieces they find in their corpus. Here every piece that the codes can make has
one, in the order of the codes (`x@@` before `x`), 0 is `<unk>`; `process_line` gives the reference's line, whatever
characters are in it. The text is one line: only spaces part words, as in the reference.

Source: subword-nmt 0.3.8 apply_bpe.py (MIT); R. Sennrich, B. Haddow, A. Birch, "Neural Machine Translation of Rare
Words with Subword Units" (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from .text import decode_view
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer
from .vocabulary import Int64s, MergeTable, TokenKind, Vocabulary

END = "</w>"
MARK = "@@"
#: What process_line strips from a line; a tab or a no-break space is part of a word.
_BLANK = "\r\n "


class SubwordNmtTokenizer(Tokenizer):
    """codes: the merges in order. version: (0, 1) has `</w>` as a symbol of its own, (0, 2) as part of the last."""

    format = "subword-nmt"

    def __init__(self, name: str, sha256: str, codes: Sequence[tuple[str, str]], version: tuple[int, int],
                 warnings: tuple[str, ...] = ()) -> None:
        self.name, self.sha256, self.version, self.warnings = name, sha256, version, warnings
        self.codes = dict(reversed([(pair, rank) for rank, pair in enumerate(codes)]))  # the first of equal ones counts
        self.special_tokens, self.added_tokens = {}, {}
        pieces = ["<unk>"]
        for left, right in codes:
            for symbol in (left, right, left + right):
                text = symbol.removesuffix(END)
                if text:
                    pieces += [text + MARK, text]
        self._ids = {p: i for i, p in enumerate(dict.fromkeys(pieces))}
        self.vocabulary = Vocabulary.build(
            [(i, p.removesuffix(MARK).encode()) for p, i in self._ids.items()], kinds={0: TokenKind.UNKNOWN},
            raw={i: p for p, i in self._ids.items()}, merges=self._merge_table(),
        )
        self._final = np.array([not p.endswith(MARK) for p in self._ids], np.bool_)
        self._memory: dict[str, tuple[str, ...]] = {}
        self._numbers: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def _merge_table(self) -> MergeTable:
        """The codes over ids. A symbol goes on (`x@@`) unless it holds the end of a word; those that join a lone end of
        a word to something (version 0.1) make no new piece and are left out."""
        rows = []
        for left, right in sorted(self.codes, key=self.codes.__getitem__):
            if left.removesuffix(END) and right.removesuffix(END):
                pieces = (s.removesuffix(END) if s.endswith(END) else s + MARK for s in (left, right, left + right))
                rows.append([self._ids[p] for p in pieces])
        table = np.array(rows, np.int64).reshape(-1, 3)
        return MergeTable(table[:, 0], table[:, 1], table[:, 2])

    def process_line(self, line: str) -> str:
        """The line with its words in pieces, `@@` behind those that go on: what subword-nmt writes."""
        front = len(line) - len(line.lstrip(_BLANK))
        back = len(line) - len(line.rstrip(_BLANK))
        words = [w for w in line.strip(_BLANK).split(" ") if w]
        middle = " ".join(f"{MARK} ".join(self.segment(w)) for w in words)
        return line[:front] + middle + (line[-back:] if back and back != len(line) else "")

    def segment(self, word: str) -> tuple[str, ...]:
        """The pieces of one word."""
        found = self._memory.get(word)
        if found is None:
            found = self._memory[word] = self._merge(word)
        return found

    def _merge(self, word: str) -> tuple[str, ...]:
        if len(word) == 1:
            return (word,)
        symbols = [*word, END] if self.version == (0, 1) else [*word[:-1], word[-1] + END]
        while len(symbols) > 1:
            ranks = [(rank, i) for i, pair in enumerate(pairwise(symbols))
                     if (rank := self.codes.get(pair)) is not None]
            if not ranks:
                break
            best = min(ranks)[0]
            merged: list[str] = []
            done = 0
            for rank, i in ranks:  # all places of the best pair at once; of overlapping ones the left
                if rank == best and i >= done:
                    merged += [*symbols[done:i], symbols[i] + symbols[i + 1]]
                    done = i + 2
            symbols = merged + symbols[done:]
        if symbols[-1] == END:
            symbols.pop()
        else:
            symbols[-1] = symbols[-1].removesuffix(END)
        return tuple(symbols)

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        view = decode_view(data)
        text = view.text
        front = len(text) - len(text.lstrip(_BLANK))
        back = max(len(text.rstrip(_BLANK)), front)
        words = [w for w in text[front:back].split(" ") if w]
        found = list(map(self._numbered, words))
        ids = np.fromiter(chain.from_iterable(map(itemgetter(0), found)), np.int64)
        sizes = np.fromiter(chain.from_iterable(map(itemgetter(1), found)), np.int64, len(ids))
        marks = np.fromiter((c != " " for c in text), np.bool_, len(text))
        marks[:front] = marks[back:] = False
        inside = np.flatnonzero(marks)  # the characters of the words, one after another
        stops = np.cumsum(sizes)
        starts = view.byte_starts[inside[stops - sizes]]
        ends = view.byte_starts[inside[stops - 1] + 1]
        unknown = np.flatnonzero(ids == 0)
        lost = [(s, e, "no code knows this piece")
                for s, e in zip(starts[unknown].tolist(), ends[unknown].tolist(), strict=True)]
        return Encoding(data, ids, starts, ends, self.vocabulary.kinds[ids], self.vocabulary,
                        lost=tuple(Lost(*x) for x in sorted(lost + self._spaces(view.byte_starts, marks))))

    def _numbered(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(ids, characters) of the pieces of a word."""
        found = self._numbers.get(word)
        if found is None:
            pieces = self.segment(word)
            marked = [*(p + MARK for p in pieces[:-1]), pieces[-1]]
            found = tuple(self._ids.get(p, 0) for p in marked), tuple(map(len, pieces))
            self._numbers[word] = found
        return found

    def _spaces(self, byte_starts: Int64s, marks: NDArray[np.bool_]) -> list[tuple[int, int, str]]:
        """Spaces that do not come back: all but one between two words."""
        edges = np.flatnonzero(np.diff(np.concatenate([[True], marks, [True]]).astype(np.int8)))
        count = len(marks)
        lost = []
        for start, end in zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True):
            first = start if start == 0 or end == count else start + 1
            if end > first:
                lost.append((int(byte_starts[first]), int(byte_starts[end]), "spaces are not kept"))
        return lost

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        """Pieces that go on are joined, words parted by one space (the reference's `sed -r 's/(@@ )|(@@ ?$)//g'`)."""
        known = [int(i) for i in ids if int(i) in self.vocabulary]
        text = b"".join([self.vocabulary.bytes_at(i) + (b" " if self._final[i] else b"") for i in known])
        return text[:-1] if known and self._final[known[-1]] else text
