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

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from .text import decode_view
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer
from .vocabulary import Int64s, TokenKind, Vocabulary

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
            raw={i: p for p, i in self._ids.items()},
        )
        self._final = np.array([not p.endswith(MARK) for p in self._ids], np.bool_)
        self._memory: dict[str, tuple[str, ...]] = {}

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
        ids: list[int] = []
        edges: list[tuple[int, int]] = []
        lost: list[tuple[int, int, str]] = []
        text = view.text
        front = len(text) - len(text.lstrip(_BLANK))
        back = len(text.rstrip(_BLANK))
        end = 0
        for word in re.finditer("[^ ]+", text[front:back]) if back else ():
            start = front + word.start()
            if start > end + (1 if end else 0):
                lost.append((end + (1 if end else 0), start, "spaces are not kept"))
            pieces = self.segment(word[0])
            for i, piece in enumerate(pieces):
                end = start + len(piece)
                token_id = self._ids.get(piece if i + 1 == len(pieces) else piece + MARK, 0)
                if not token_id:
                    lost.append((start, end, "no code knows this piece"))
                ids.append(token_id)
                edges.append((start, end))
                start = end
        if len(text) > end:
            lost.append((end, len(text), "spaces are not kept"))
        spans = view.byte_starts[np.array(edges, np.int64).reshape(-1, 2)]
        token_ids = np.array(ids, np.int64)
        at = view.byte_starts.tolist()
        return Encoding(data, token_ids, spans[:, 0].copy(), spans[:, 1].copy(), self.vocabulary.kinds[token_ids],
                        self.vocabulary, lost=tuple(Lost(at[s], at[e], stage) for s, e, stage in lost))

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        """Pieces that go on are joined, words parted by one space (the reference's `sed -r 's/(@@ )|(@@ ?$)//g'`)."""
        known = [int(i) for i in ids if int(i) in self.vocabulary]
        text = b"".join([self.vocabulary.bytes_at(i) + (b" " if self._final[i] else b"") for i in known])
        return text[:-1] if known and self._final[known[-1]] else text
