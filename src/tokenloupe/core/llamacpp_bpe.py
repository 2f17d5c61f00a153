"""llama.cpp's byte-pair encoding: on the shared byte-level engine where the vocabulary is whole, else by symbols.

    >>> t = open_tokenizer("ggml-vocab-gpt-2.gguf")          # a LlamaByteLevel

Three things of llama.cpp are here and not in the shared engine: bytes that are no UTF-8 become U+FFFD before splitting;
a vocabulary may lack bytes (they are dropped) or write text as it is instead of in byte letters (gemma4, with `▁` for
spaces and `<0xE2>` for a byte without a token); special tokens are found by its own rules (llamacpp_marks.py).

Source: llama.cpp src/llama-vocab.cpp (MIT), as vendored in llama-cpp-python 0.3.36, written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import chain, pairwise

import numpy as np

from .bytelevel import ByteLevelTokenizer, Matcher, SpecialMatcher
from .bytemap import to_text
from .llamacpp import SPACED, LlamaEnds, LlamaModel, marked, tidied, untidy
from .llamacpp_marks import Marks
from .llamacpp_split import LlamaSplitter
from .llamacpp_unicode import read_utf8
from .roundtrip import judge
from .sentencepiece import Part, joined, lone
from .sp_normalizer import SPACE, SpannedText, runs
from .sp_pieces import Cutter, Pieces
from .stretch_table import StretchTable, outcomes_of
from .text import code_points, utf8_edges, utf8_widths
from .tokenizer import Encoding, Lost, SpecialMode
from .vocabulary import Int64s, MergeTable, Vocabulary

_NEVER = 1 << 62
_FEW = 40

#: The stage that takes out spaces before punctuation when ids become text.
TIDIED = "spaces before punctuation (clean_spaces)"


class LlamaByteLevel(ByteLevelTokenizer):
    """Byte-level BPE over a merge list with llama.cpp's splitting. ends: what add_special adds.

    clean_spaces: llama_detokenize takes out spaces before punctuation.
    """

    broken_utf8 = None  # they become the three bytes of U+FFFD

    def __init__(self, name: str, sha256: str, vocabulary: Vocabulary, splitter: LlamaSplitter, merges: MergeTable,
                 marks: Marks, ends: LlamaEnds, *, ignore_merges: bool = False, clean_spaces: bool = False,
                 warnings: Sequence[str] = (), extra: dict[str, str] | None = None) -> None:
        special, added = marked(vocabulary)
        super().__init__(name, "gguf", sha256, vocabulary, splitter, merges=merges, ignore_merges=ignore_merges,
                         special_tokens=special, added_tokens=added, matcher=_matcher(marks, special, added),
                         warnings=warnings)
        self.ends, self.extra, self.clean_spaces = ends, extra or {}, clean_spaces
        self._llama_splitter = splitter

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return self._encode_broken(data, special, bos_eos)
        found = super()._encode(data, special, False)
        if not bos_eos:
            return found
        middle = Part(found.ids, found.starts, found.ends)
        before, after = self._ends(data)
        return joined([*before, middle, *after], data, self.vocabulary)

    def encode_steps(self, data: bytes, special: SpecialMode, bos_eos: bool = False) -> Iterator[float | Encoding]:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            yield judge(self, self._encode_broken(data, special, bos_eos))
            return
        if bos_eos:
            yield judge(self, self._encode(data, special, True))
        else:
            yield from super().encode_steps(data, special)

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        """As llama_detokenize with unparse_special."""
        found = super().decode(ids)
        return tidied(found) if self.clean_spaces else found

    def decoding_keeps(self, data: bytes) -> bool:
        return not self.clean_spaces or not any(spaced in data for spaced in SPACED)

    def decoding_loses(self, data: bytes) -> list[Lost]:
        return [Lost(a, b, TIDIED) for a, b in untidy(data)] if self.clean_spaces else []

    def _ends(self, data: bytes) -> tuple[list[Part], list[Part]]:
        return [lone(i, 0, 0) for i in self.ends.before], [lone(i, len(data), len(data)) for i in self.ends.after]

    def _encode_broken(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        """Text that is not UTF-8: llama.cpp encodes a U+FFFD for each byte that belongs to no character."""
        parts: list[Part] = []
        done = 0
        for start, end, token_id in [*self.matcher.matches(data, special), (len(data), len(data), -1)]:
            if start > done:
                parts.append(self._broken_part(data[done:start], done))
            if token_id >= 0:
                parts.append(lone(token_id, start, end))
            done = end
        before, after = self._ends(data) if bos_eos else ([], [])
        return joined([*before, *parts, *after], data, self.vocabulary)

    def _broken_part(self, data: bytes, base: int) -> Part:
        chars = seen_text(data)
        clean = chars.text.encode("utf-8", "surrogatepass")
        edges = utf8_edges(code_points(chars.text))
        made = self.encode_pieces(clean, edges[np.array(self._llama_splitter.text_ends(chars.text), np.int64)])
        bad = np.flatnonzero(~chars.copied)
        lost = runs(chars.starts[bad] + base, chars.ends[bad] + base, ["invalid UTF-8"] * len(bad))
        starts, ends = chars.behind(made.starts, made.ends)
        return Part(made.ids, starts + base, ends + base, lost)


class _MarkMatcher(SpecialMatcher):
    """llama.cpp's way to find tokens that take no blanks with them, for those who ask what a matcher may find."""

    def __init__(self, marks: Marks, special: dict[str, int], added: dict[str, int]) -> None:
        super().__init__(special, added)
        self.marks = marks

    @property
    def said(self) -> tuple[str, ...]:
        return ()  # the longest text is looked for first: none hides another

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        return self.marks.matches(data, special)


def _matcher(marks: Marks, special: dict[str, int], added: dict[str, int]) -> Matcher:
    return marks if marks.strips else _MarkMatcher(marks, special, added)


def seen_text(data: bytes) -> SpannedText:
    """The text llama.cpp sees, with the bytes behind each character."""
    text, starts = read_utf8(data)
    widths = np.diff(starts)
    copied = utf8_widths(code_points(text)) == widths
    return SpannedText(text, starts[:-1], starts[1:], copied)


class PairMerger:
    """ranks: (left, right) -> rank. The lowest rank first, of equal ones the leftmost."""

    def __init__(self, ranks: Mapping[tuple[str, str], int]) -> None:
        self.ranks = ranks

    def merge(self, symbols: list[str]) -> list[str]:
        return self._few(symbols) if len(symbols) <= _FEW else self._many(symbols)

    def _few(self, symbols: list[str]) -> list[str]:
        rank = self.ranks.get
        pairs = [rank(pair, _NEVER) for pair in pairwise(symbols)]
        while pairs:
            best = min(pairs)
            if best == _NEVER:
                break
            i = pairs.index(best)
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            del pairs[i]
            if i:
                pairs[i - 1] = rank((symbols[i - 1], symbols[i]), _NEVER)
            if i < len(pairs):
                pairs[i] = rank((symbols[i], symbols[i + 1]), _NEVER)
        return symbols

    def _many(self, symbols: list[str]) -> list[str]:
        count, rank = len(symbols), self.ranks.get
        before, after = list(range(-1, count - 1)), [*range(1, count), -1]
        heap = [(r, i, i + 1, len(a) + len(b)) for i, (a, b) in enumerate(pairwise(symbols))
                if (r := rank((a, b))) is not None]
        heapify(heap)
        while heap:
            _, left, right, size = heappop(heap)
            a, b = symbols[left], symbols[right]
            if not a or not b or len(a) + len(b) != size:
                continue
            symbols[left], symbols[right] = a + b, ""
            after[left] = after[right]
            if after[right] >= 0:
                before[after[right]] = left
            for i, j in ((before[left], left), (left, after[left])):
                if i >= 0 and j >= 0 and (r := rank((symbols[i], symbols[j]))) is not None:
                    heappush(heap, (r, i, j, len(symbols[i]) + len(symbols[j])))
        return [s for s in symbols if s]


class SymbolBpe(LlamaModel):
    """BPE over the spellings of the vocabulary. byte_letters: whether they are GPT-2's byte letters or plain text.

    spellings: gives those of the tokens by id, merges the left and right spellings of the merges, when first needed.
    escape_spaces: spaces become `▁` first. whole_newlines: a run of line feeds that is a token stays whole (gemma4).
    """

    def __init__(self, spellings: Callable[[], list[str]], merges: Callable[[], tuple[list[str], list[str]]],
                 splitter: LlamaSplitter, *, byte_letters: bool, escape_spaces: bool = False,
                 ignore_merges: bool = False, clean_spaces: bool = False, whole_newlines: bool = False) -> None:
        self._spellings, self.listed, self.splitter = spellings, merges, splitter
        self.byte_letters, self.escape_spaces = byte_letters, escape_spaces
        self.ignore_merges, self.clean_spaces, self.whole_newlines = ignore_merges, clean_spaces, whole_newlines
        self.known = StretchTable(lambda words: outcomes_of(list(map(self._pieces, words))))

    @cached_property
    def ids(self) -> dict[str, int]:
        """Spelling -> id; of equal spellings the last counts, as in llama.cpp."""
        return {text: token_id for token_id, text in enumerate(self._spellings())}

    @cached_property
    def merger(self) -> PairMerger:
        left, right = self.listed()
        pairs = zip(reversed(left), reversed(right), strict=True)
        return PairMerger(dict(zip(pairs, range(len(left) - 1, -1, -1), strict=True)))  # of equal ones the first counts

    @cached_property
    def _cutter(self) -> Cutter:
        """No merge reaches over two characters that no merged piece holds side by side."""
        return Cutter([a + b for a, b in self.merger.ranks])

    def encode(self, data: bytes, first: bool) -> Part:
        chars = seen_text(data)
        bad = np.flatnonzero(~chars.copied)
        lost = runs(chars.starts[bad], chars.ends[bad], ["invalid UTF-8"] * len(bad))
        if self.escape_spaces:
            space = code_points(chars.text) == 32
            chars = SpannedText(chars.text.replace(" ", SPACE), chars.starts, chars.ends, chars.copied & ~space)
        edges = [0, *self.splitter.text_ends(chars.text)]
        words = [chars.text[a:b] for a, b in pairwise(edges)]
        ids, widths = self.known.gather(self.known.numbers(list(chain.from_iterable(map(self._stretches, words)))))
        stops = np.cumsum(widths)
        token_starts, token_ends = chars.behind(stops - widths, stops)
        keep = ids >= 0
        if not bool(keep.all()):
            at = np.flatnonzero(~keep)
            lost = sorted(lost + runs(token_starts[at], token_ends[at], ["no token for this byte"] * len(at)))
        return Part(ids[keep], token_starts[keep], token_ends[keep], lost)

    def decode(self, pieces: list[bytes]) -> bytes:
        return tidied(b"".join(pieces)) if self.clean_spaces else b"".join(pieces)

    def _stretches(self, word: str) -> list[str]:
        if self.byte_letters:
            return [to_text(word.encode("utf-8", "surrogatepass"))]
        if self.whole_newlines and not word.strip("\n") and word in self.ids:
            return [word]
        return self._cutter.cut(word)

    def _pieces(self, word: str) -> Pieces:
        whole = (self.ignore_merges or (self.whole_newlines and not word.strip("\n"))) and word in self.ids
        ids: list[int] = []
        widths: list[int] = []
        for symbol in [word] if whole else self.merger.merge(list(word)):
            found = self.ids.get(symbol)
            if found is not None:
                ids.append(found)
                widths.append(len(symbol) if self.byte_letters else len(symbol.encode("utf-8", "surrogatepass")))
            elif self.byte_letters:
                # llama.cpp looks for a token of each byte of the letters: only ASCII ones can be there.
                for letter in symbol:
                    ids.append(self.ids.get(letter, -1) if letter.isascii() else -1)
                    widths.append(1)
            else:
                for byte in symbol.encode("utf-8", "surrogatepass"):
                    ids.append(self.ids.get(f"<0x{byte:02X}>", -1))
                    widths.append(1)
        return tuple(ids), tuple(widths)
