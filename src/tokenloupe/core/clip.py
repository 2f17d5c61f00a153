"""CLIP's tokenizer: lower-cased text, words with `</w>` on their last byte, byte-level BPE; spans into the input.

    >>> [(x.id, x.text, x.start, x.end) for x in t.encode("Hello  WORLD").tokens]
    [(3306, 'hello ', 0, 5), (1002, 'world ', 7, 12)]

The reference first mends the text (ftfy) and undoes HTML entities; neither is applied here, which the tokenizer says.
Source: open_clip 3.3.0 and openai/CLIP simple_tokenizer.py (MIT).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import regex

from .sp_normalizer import SpannedText, Spans, bytes_behind, runs
from .text import decode_view
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer
from .vocabulary import Int64s, MergeTable, TokenKind, Vocabulary

END = "</w>"

#: Merges that make the vocabulary of 49,408: two times 256 bytes and two special tokens are the rest.
MERGES = 49152 - 256 - 2

#: The end tokens as open_clip spells them; openai/CLIP has `<|startoftext|>` and `<|endoftext|>` for the same ids.
SPECIALS = {"<start_of_text>": 0, "<end_of_text>": 1, "<|startoftext|>": 0, "<|endoftext|>": 1}

PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


def byte_letters() -> list[str]:
    """GPT-2's letter of each byte, in CLIP's id order: the 188 printable bytes first, then the others."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [b for b in range(256) if b not in printable]
    return [chr(b) for b in printable] + [chr(256 + i) for i in range(len(rest))]


def byte_order() -> list[int]:
    """The byte each of `byte_letters` stands for."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    return printable + [b for b in range(256) if b not in printable]


class ClipTokenizer(Tokenizer):
    """merges: pairs of symbols written in byte letters, the last of a word with `</w>`, in order of rank."""

    format = "clip"

    def __init__(
        self, name: str, sha256: str, merges: Sequence[tuple[str, str]], warnings: tuple[str, ...] = ()
    ) -> None:
        self.name, self.sha256, self.warnings = name, sha256, warnings
        letters, order = byte_letters(), byte_order()
        self._letter_of = {b: letter for letter, b in zip(letters, order, strict=True)}
        byte_of = {letter: b for b, letter in self._letter_of.items()}
        symbols = [*letters, *(c + END for c in letters), *(a + b for a, b in merges)]
        #: Of a pair that is listed twice the later rank.
        self.rank_of = {pair: rank for rank, pair in enumerate(merges)}
        self._ids = {s: i for i, s in enumerate(symbols)}
        base = len(symbols)
        entries = [(i, bytes(byte_of[c] for c in s.removesuffix(END)) + (b" " if s.endswith(END) else b""))
                   for i, s in enumerate(symbols)]
        ends = list(SPECIALS)[:2]
        self.vocabulary = Vocabulary.build(
            entries + [(base + i, s.encode()) for i, s in enumerate(ends)],
            kinds={base: TokenKind.SPECIAL, base + 1: TokenKind.SPECIAL},
            ranks={len(letters) * 2 + r: r for r in range(len(merges))},
            raw=dict(enumerate([*symbols, *ends])),
            merges=MergeTable(self._column(merges, 0), self._column(merges, 1),
                              np.arange(len(merges), dtype=np.int64) + len(letters) * 2),
        )
        self.special_tokens = {s: base + i for s, i in SPECIALS.items()}
        self.added_tokens = {}
        self._ends = (base, base + 1)
        self._memory: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def _column(self, merges: Sequence[tuple[str, str]], side: int) -> Int64s:
        return np.array([self._ids[m[side]] for m in merges], np.int64)

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        text, lost = _lowered(data)
        wanted = () if special == "text" else self.special_tokens if special == "parse" else sorted(special)
        pattern = regex.compile("|".join([*(regex.escape(s) for s in wanted), PATTERN]), regex.IGNORECASE)
        starts, ends = bytes_behind(text)
        width = np.array([len(c.encode("utf-8", "surrogatepass")) for c in text.text], np.int64)
        edges = np.concatenate([[0], np.cumsum(width)]).tolist()
        ids: list[int] = [self._ends[0]] if bos_eos else []
        spans: list[tuple[int, int]] = [(0, 0)] if bos_eos else []
        for match in pattern.finditer(text.text):
            at = edges[match.start()]
            if match[0] in wanted:
                ids.append(self.special_tokens[match[0]])
                spans.append((int(starts[at]), int(ends[edges[match.end()] - 1])))
                continue
            for token_id, size in zip(*self._word(match[0]), strict=True):
                ids.append(token_id)
                spans.append((int(starts[at]), int(ends[at + size - 1])))
                at += size
        if bos_eos:
            ids.append(self._ends[1])
            spans.append((len(data), len(data)))
        both = np.array(spans, np.int64).reshape(-1, 2)
        token_ids = np.array(ids, np.int64)
        return Encoding(data, token_ids, both[:, 0].copy(), both[:, 1].copy(), self.vocabulary.kinds[token_ids],
                        self.vocabulary, lost=tuple(Lost(*x) for x in lost + _spaces(data, both)))

    def _word(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(ids, bytes of each) of one word."""
        found = self._memory.get(word)
        if found is None:
            symbols = [self._letter_of[b] for b in word.encode("utf-8", "surrogatepass")]
            symbols[-1] += END
            while len(symbols) > 1:
                best = min(pairwise(symbols), key=lambda pair: self.rank_of.get(pair, MERGES + 1))
                if best not in self.rank_of:
                    break
                symbols = _joined(symbols, best)
            found = (tuple(self._ids[s] for s in symbols), tuple(len(s.removesuffix(END)) for s in symbols))
            self._memory[word] = found
        return found


def _joined(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    """All places of the pair joined, from the left."""
    out: list[str] = []
    i = 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            out.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


def _lowered(data: bytes) -> tuple[SpannedText, Spans]:
    """The text in lower case, with what `str.split` calls white space made spaces; and what that changed."""
    view = decode_view(data)
    parts = [c.lower() for c in view.text]
    counts = np.array([len(p) for p in parts], np.int64)
    which = np.repeat(np.arange(len(parts)), counts)
    whole = view.text.lower()  # differs from `parts` by the final sigma alone
    lowered = whole if len(whole) == len(which) else "".join(parts)
    clean = "".join([" " if c.isspace() else c for c in lowered])
    same = np.array([p == c for p, c in zip(parts, view.text, strict=True)], np.bool_).reshape(-1) & view.valid
    starts, ends = view.byte_starts[:-1], view.byte_starts[1:]
    changed = np.flatnonzero(~same)
    stages = ["lower-casing" if v else "invalid UTF-8" for v in view.valid[changed].tolist()]
    return (SpannedText(clean, starts[which], ends[which], same[which]), runs(starts[changed], ends[changed], stages))


def _spaces(data: bytes, spans: Int64s) -> Spans:
    """Input between tokens that is not the one space that decoding puts there."""
    lost: Spans = []
    end = 0
    for start, stop in [*spans.tolist(), (len(data), len(data))]:
        if start > end and data[end:start] != b" ":
            lost.append((end, start, "white space"))
        end = max(end, stop)
    return lost
