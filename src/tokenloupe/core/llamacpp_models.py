"""The models of llama.cpp's frame (llamacpp.py): SPM, WordPiece (WPM), RWKV and unigram (UGM).

    >>> SpmModel(table, add_space_prefix=True).encode(b"hi", True).ids

Source: llama.cpp src/llama-vocab.cpp (MIT), as vendored in llama-cpp-python 0.3.36, written anew; where it differs from
the library a model comes from (the space before every first word, half a user-defined token that stops rules) so does
this.
"""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .byte_letters import utf8_of
from .greedy import LongestMatch, greedy_part
from .llamacpp import LlamaModel, tidied
from .llamacpp_ugm_bytes import UgmBytes
from .llamacpp_unicode import CONTROL, MARK, PUNCTUATION, SYMBOL, WHITESPACE, base_map, flags, lower_map, read_utf8
from .precompiled import Precompiled
from .sentencepiece import Part
from .sp_models import BpeModel
from .sp_normalizer import SPACE, SpannedText, Spans, edited, runs
from .sp_pieces import Pieces, PieceTable
from .sp_unigram import UnigramModel
from .text import code_points, decode_view
from .utf8 import is_valid
from .vocabulary import Int64s

_NOTHING = np.zeros(0, np.int64)


class _SpmPieces(BpeModel):
    """BPE by score in which every token can be made by merging, control tokens too, and a byte falls back to `<0xXX>`,
    then to the token that is the byte itself."""

    def __init__(self, table: PieceTable, byte_tokens: list[int]) -> None:
        super().__init__(table)
        self.byte_tokens = byte_tokens
        self._symbols = None
        self._whole = False

    @property
    def _byte_ids(self) -> list[int]:
        return self.byte_tokens

    def encode_stretch(self, text: str) -> Pieces:
        return self.outcome(self.merge(list(text)))

    def merge(self, symbols: list[str]) -> list[str]:
        return self._merge_few(symbols) if len(symbols) <= 40 else self._merge_many(symbols, frozenset(), None)

    def outcome(self, symbols: list[str]) -> Pieces:
        ids: list[int] = []
        widths: list[int] = []
        for symbol in symbols:
            data = symbol.encode("utf-8", "surrogateescape")
            found = self.table.ids.get(symbol)
            if found is not None:
                ids.append(found)
                widths.append(len(data))
            else:
                ids += [self.byte_tokens[b] for b in data]
                widths += [1] * len(data)
        return tuple(ids), tuple(widths)


class SpmModel(LlamaModel):
    """table: all tokens as ordinary pieces. byte_tokens: the id for each byte, -1 where there is none (it is lost)."""

    def __init__(self, table: PieceTable, byte_tokens: list[int], *, add_space_prefix: bool) -> None:
        self.add_space_prefix = add_space_prefix
        self.pieces = _SpmPieces(table, byte_tokens)

    def encode(self, data: bytes, first: bool) -> Part:
        prefix = self.add_space_prefix and first
        raw = b" " + data if prefix else data
        text = raw.replace(b" ", SPACE.encode())
        try:
            ids, widths = self.pieces.encode(text.decode("utf-8"))
        except UnicodeDecodeError:
            found = self.pieces.outcome(self.pieces.merge(_symbols(text)))
            ids, widths = np.array(found[0], np.int64), np.array(found[1], np.int64)
        # Byte k of the escaped text comes from byte origin[k] of the input; the prefix from nothing.
        plain = np.frombuffer(raw, np.uint8)
        origin = np.repeat(np.arange(len(raw)), np.where(plain == 32, 3, 1))
        shift = 1 if prefix else 0
        stops = np.cumsum(widths)
        starts = np.maximum(origin[stops - widths] - shift, 0)
        ends = np.maximum(origin[stops - 1] + 1 - shift, 0)
        literal = [(m.start(), m.end(), "escaped spaces") for m in re.finditer(SPACE.encode(), data)]
        return _known(ids, starts, ends, literal)

    def decode(self, pieces: list[bytes]) -> bytes:
        """The space that the prefix made goes from the first token."""
        if self.add_space_prefix and pieces and pieces[0].startswith(b" "):
            pieces = [pieces[0][1:], *pieces[1:]]
        return b"".join(pieces)


def _known(ids: Int64s, starts: Int64s, ends: Int64s, lost: Spans) -> Part:
    """Without the bytes that have no token."""
    if len(ids) and bool((ids < 0).any()):
        at = np.flatnonzero(ids < 0)
        lost = lost + runs(starts[at], ends[at], ["no token for this byte"] * len(at))
        keep = ids >= 0
        ids, starts, ends = ids[keep], starts[keep], ends[keep]
    return Part(ids, starts, ends, lost)


def _symbols(data: bytes) -> list[str]:
    """Characters by their first byte alone: how llama.cpp cuts text that need not be UTF-8."""
    out, pos = [], 0
    while pos < len(data):
        lead = data[pos]
        size = 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        out.append(data[pos : pos + size].decode("utf-8", "surrogateescape"))
        pos += size
    return out


#: Chinese characters, each a word of its own; the gap before U+2B920 is the library's.
_CHINESE = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
            (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


class WordPieceModel(LlamaModel):
    """BERT: words by white space and punctuation, each the longest tokens from the left, or unknown as a whole.

    ids: token text (`▁hello`, `ing`) -> id. lowercase, strip_accents: the normalizer's settings.
    """

    def __init__(self, ids: dict[str, int], unk_id: int, *, lowercase: bool = True, strip_accents: bool = True) -> None:
        self.ids, self.unk_id = ids, unk_id
        self.lowercase, self.strip_accents = lowercase, strip_accents
        #: In bytes; half a surrogate pair, which stands for a byte that is no UTF-8, is taken for three.
        self._longest = int(np.diff(utf8_of(list(ids))[1]).max(initial=0))
        self._memory: dict[str, list[tuple[int, int]]] = {}

    def encode(self, data: bytes, first: bool) -> Part:
        text, char_starts = read_utf8(data)
        seen = text.translate(base_map()) if self.strip_accents else text
        space, gone, alone = self.roles(code_points(seen))
        shown = seen.translate(lower_map()) if self.lowercase else seen
        ids: list[int] = []
        edges: list[tuple[int, int]] = []
        lost: Spans = []
        at = char_starts.tolist()
        for first_char, members in _words(space.tolist(), gone.tolist(), alone.tolist()):
            word = "".join([shown[i] for i in members])
            place = 0
            for token_id, size in self._pieces(word):
                covered = members[place : place + size]
                ids.append(token_id)
                start = covered[0] if covered else (members[place] if place < len(members) else first_char)
                edges.append((at[start], at[covered[-1] + 1] if covered else at[start]))
                place += size
                if token_id == self.unk_id:
                    lost.append((*edges[-1], "unknown word"))
        changed = [i for i, (a, b) in enumerate(zip(text, shown, strict=True)) if a != b and not gone[i]]
        lost += [(at[i], at[i + 1], "lower-casing and accents") for i in changed]
        lost += [(at[i], at[i + 1], "characters that BERT drops") for i in np.flatnonzero(gone).tolist()]
        spans = np.array(edges, np.int64).reshape(-1, 2)
        return Part(np.array(ids, np.int64), spans[:, 0].copy(), spans[:, 1].copy(), sorted(lost))

    def roles(self, points: NDArray[np.uint32]) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """bool of each character: it is space, it is dropped, it is a word by itself."""
        flag = flags()[points]
        space: NDArray[np.bool_] = (flag & WHITESPACE) > 0
        gone = ~space & ((points == 0) | (points == 0xFFFD) | ((flag & CONTROL) > 0))
        if self.strip_accents:
            gone |= ~space & ((flag & MARK) > 0)
        alone = ((flag & PUNCTUATION) > 0) | ((points < 0x7F) & ((flag & SYMBOL) > 0))
        for low, high in _CHINESE:
            alone |= (points >= low) & (points <= high)
        return space, gone, alone

    def _pieces(self, word: str) -> list[tuple[int, int]]:
        """(id, characters of the word) of its tokens; the `▁` put before it counts for none."""
        found = self._memory.get(word)
        if found is None:
            found = self._memory[word] = self._longest_first(word)
        return found

    def _longest_first(self, word: str) -> list[tuple[int, int]]:
        text = SPACE + word
        out: list[tuple[int, int]] = []
        pos = 0
        while pos < len(text):
            for end in range(min(len(text), pos + self._longest + 1), pos, -1):
                token_id = self.ids.get(text[pos:end])
                if token_id is not None:
                    out.append((token_id, end - pos - (pos == 0)))
                    pos = end
                    break
            else:
                return [(self.unk_id, len(word))]
        return out

    def decode(self, pieces: list[bytes]) -> bytes:
        return tidied(b"".join(pieces))


def _words(space: list[bool], gone: list[bool], alone: list[bool]) -> list[tuple[int, list[int]]]:
    """(place, indices of the characters) of each word."""
    words: list[tuple[int, list[int]]] = []
    current: list[int] = []
    for i in range(len(space)):
        if space[i]:
            if current:
                words.append((current[0], current))
                current = []
        elif gone[i]:
            continue
        elif alone[i]:
            if current:
                words.append((current[0], current))
                current = []
            words.append((i, [i]))
        else:
            current.append(i)
    if current:
        words.append((current[0], current))
    return words


class RwkvModel(LlamaModel):
    """The longest token at each byte. unk_id: given for a byte that begins none."""

    def __init__(self, tokens: dict[bytes, int], unk_id: int | None) -> None:
        self.match, self.unk_id = LongestMatch(tokens), unk_id

    def encode(self, data: bytes, first: bool) -> Part:
        return greedy_part(self.match, data, self.unk_id)


class UgmModel(LlamaModel):
    """T5: rules, spaces, then the best-scored segmentation, added up in 64 bits.

    table: even half a user-defined token passes the rules untouched. normal_scores: of the ordinary tokens; an unknown
    character scores less than the lowest.
    """

    def __init__(self, table: PieceTable, normal_scores: NDArray[np.float32], rules: Precompiled | None, *,
                 add_space_prefix: bool, remove_extra_whitespaces: bool, escape_whitespaces: bool = True,
                 suffix_mode: bool = False) -> None:
        self.unigram = UnigramModel(table, single_precision=False, normal_scores=normal_scores)
        self.normal_scores = normal_scores
        self.rules = rules
        self.prefix = add_space_prefix and not suffix_mode
        self.suffix = add_space_prefix and suffix_mode
        self.add_space_prefix = add_space_prefix
        self.merge_spaces = remove_extra_whitespaces
        self.space = SPACE if escape_whitespaces else " "
        self.unk_id = table.unk_id
        self.table = table
        self._cuts_characters = not all(p.isascii() for p in table.user_defined)
        self._beginnings = frozenset(p[:n] for p in table.user_defined for n in range(1, len(p) + 1))
        starters = "".join(re.escape(c) for c in sorted({p[0] for p in table.user_defined if p}))
        self._starter = re.compile(f"[{starters}]") if starters else None

    @cached_property
    def _bytes(self) -> UgmBytes:
        raw = {p.encode("utf-8", "surrogateescape"): i for p, i in self.table.ids.items()}
        own = [p.encode("utf-8", "surrogateescape") for p in self.table.user_defined]
        return UgmBytes(
            {p: (i, float(self.unigram.node_scores[i])) for p, i in raw.items()},
            frozenset(p[:n] for p in raw for n in range(1, len(p) + 1)),
            frozenset(p[:n] for p in own for n in range(1, len(p) + 1)), self.rules, self.space.encode(), self.prefix,
            self.suffix, self.merge_spaces, self.unk_id, self.unigram.unknown_score,
        )

    def encode(self, data: bytes, first: bool) -> Part:
        if self._cuts_characters or not is_valid(data):
            ids, at, to = (np.array(column, np.int64) for column in self._bytes.encode(data))
            return Part(ids, at, to)
        chars, lost = self._normalized(data)
        if not chars.text:
            return Part(_NOTHING, _NOTHING, _NOTHING, lost)
        ids, widths = self.unigram.encode(chars.text)
        stops = np.cumsum(widths)
        token_starts, token_ends = chars.behind(stops - widths, stops)
        unknown = ids == self.unk_id
        if bool(unknown.any()):
            keep = np.flatnonzero(~(unknown & np.concatenate([[False], unknown[:-1]])))
            last = np.append(keep[1:], len(ids)) - 1
            ids, token_starts, token_ends = ids[keep], token_starts[keep], token_ends[last]
            at = np.flatnonzero(unknown[keep])
            lost = lost + runs(token_starts[at], token_ends[at], ["unknown piece"] * len(at))
        return Part(ids, token_starts, token_ends, sorted(lost))

    def _normalized(self, data: bytes) -> tuple[SpannedText, Spans]:
        view = decode_view(data)
        chars = SpannedText(view.text, view.byte_starts[:-1], view.byte_starts[1:], view.valid)
        edits = self._edits(chars.text)
        gone = [(int(chars.starts[a]), int(chars.ends[b - 1]), "normalization rules") for a, b, new in edits if not new]
        if edits:
            chars = edited(chars, edits)
        at = np.flatnonzero(~chars.copied)
        lost = gone + runs(chars.starts[at], chars.ends[at], ["normalization rules"] * len(at))
        return self._spaced(chars, lost, len(data))

    def _edits(self, text: str) -> list[tuple[int, int, str]]:
        """What the rules replace. A stretch that begins a user-defined token passes, whether or not it ends it."""
        edits: list[tuple[int, int, str]] = []
        rules, pos = self.rules, 0
        if rules is None:
            return edits
        rule = rules.find(text, 0)
        mark = self._starter.search(text, 0) if self._starter else None
        while rule is not None:
            if mark is not None and mark.start() <= rule[0]:
                end = mark.start() + 1
                while text[mark.start() : end + 1] in self._beginnings and end < len(text):
                    end += 1
                pos = end
            else:
                pos = rule[1]
                edits.append(rule)
            if rule[0] < pos:
                rule = rules.find(text, pos)
            if mark is not None and mark.start() < pos:
                mark = self._starter.search(text, pos) if self._starter else None
        return edits

    def _spaced(self, chars: SpannedText, lost: Spans, size: int) -> tuple[SpannedText, Spans]:
        """Spaces as this model has them: with merging, one before each word and none else; and the prefix or suffix."""
        text = chars.text
        blank = code_points(text) == 32 if text else np.zeros(0, np.bool_)
        begins = ~blank & np.concatenate([[True], blank[:-1]])[: len(blank)]
        parts: list[str] = []
        starts: list[Int64s] = []
        ends: list[Int64s] = []
        copied: list[NDArray[np.bool_]] = []
        first = True
        done = 0

        def put(new: str, a: int, b: int) -> None:
            parts.append(new)
            starts.append(np.array([a], np.int64))
            ends.append(np.array([b], np.int64))
            copied.append(np.zeros(1, np.bool_))

        for i in [*np.flatnonzero(begins).tolist(), len(text)]:
            spaces = i
            while spaces > done and blank[spaces - 1]:
                spaces -= 1
            parts.append(text[done:spaces])
            starts.append(chars.starts[done:spaces])
            ends.append(chars.ends[done:spaces])
            copied.append(chars.copied[done:spaces])
            a = int(chars.starts[i]) if i < len(text) else size
            if not self.merge_spaces:
                for k in range(spaces, i):
                    put(self.space, int(chars.starts[k]), int(chars.ends[k]))
                if i < len(text) and first and self.prefix:
                    put(self.space, a, a)
            else:
                gap = i - spaces
                if i < len(text):
                    kept = gap > 0
                    put(self.space, int(chars.starts[i - 1]) if kept else a, int(chars.ends[i - 1]) if kept else a)
                dropped = spaces, (i - 1 if i < len(text) and gap else i)
                if dropped[1] > dropped[0]:
                    lost = [*lost, (int(chars.starts[dropped[0]]), int(chars.ends[dropped[1] - 1]), "extra spaces")]
            if i < len(text):
                first = False
            done = i
        if self.suffix:
            put(self.space, size, size)
        none = np.zeros(0, np.bool_)
        return SpannedText("".join(parts), np.concatenate([_NOTHING, *starts]), np.concatenate([_NOTHING, *ends]),
                           np.concatenate([none, *copied])), lost

    def decode(self, pieces: list[bytes]) -> bytes:
        if self.add_space_prefix and pieces and pieces[0].startswith(b" "):
            pieces = [pieces[0][1:], *pieces[1:]]
        return b"".join(pieces)
