"""A SentencePiece tokenizer: normalizer, model, decoder, with true byte spans through all of it.

    >>> t = open_tokenizer("mistral.model")
    >>> [(x.id, x.text, x.start, x.end) for x in t.encode("hi 😀").tokens]
    [(12014, ' hi', 0, 2), (29871, ' ', 2, 3), (243, ..., 3, 4), (162, ..., 4, 5), (155, ..., 5, 6), (131, ..., 6, 7)]

Ids are those of sentencepiece 0.2.3. Three things the library has no answer for are said here: `special="parse"` finds
control pieces in the text (the library never does) and encodes what is between them as texts of their own; `bos_eos`
adds both `<s>` and `</s>` where the model has them (its add_bos and add_eos); decoding byte pieces gives their bytes,
where the library turns those that are no UTF-8 into U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from .sp_chunks import SIZE, Chunker
from .sp_models import PieceModel
from .sp_normalizer import SPACE, Normalized, Spans, SpNormalizer, longest_first
from .sp_words import SpWords
from .tokenizer import Encoding, Lost, SpecialMode, Tokenizer, to_bytes
from .vocabulary import Int64s, TokenKind, Vocabulary, join_bytes

SPACE_BYTES = SPACE.encode()

#: A text larger than this is encoded in slices when somebody waits.
LARGE = 1 << 14


@dataclass(frozen=True, slots=True)
class SpSettings:
    """What a model says about decoding and its ends. bos_id, eos_id: None where the model has none."""

    bos_id: int | None = None
    eos_id: int | None = None
    unk_surface: bytes = " \u2047 ".encode()
    denormalizer: SpNormalizer | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of tokens: ids, starts, ends int64 (n,), and what was lost on the way."""

    ids: Int64s
    starts: Int64s
    ends: Int64s
    lost: Sequence[tuple[int, int, str]] = ()


def sp_vocabulary(
    raw: Sequence[bytes], kinds: NDArray[np.uint8], scores: NDArray[np.float32], unk_surface: bytes
) -> Vocabulary:
    """The pieces as entries. Their bytes are what they decode to: control pieces to nothing, byte pieces to a byte."""
    decoded = b"\xff".join(raw).replace(SPACE_BYTES, b" ").split(b"\xff")  # no UTF-8 holds 0xFF
    if len(decoded) != len(raw):
        decoded = [r.replace(SPACE_BYTES, b" ") for r in raw]
    for token_id in np.flatnonzero(kinds == TokenKind.SPECIAL).tolist():
        decoded[token_id] = b""
    for token_id in np.flatnonzero(kinds == TokenKind.UNKNOWN).tolist():
        decoded[token_id] = unk_surface
    for token_id in np.flatnonzero(kinds == TokenKind.BYTE).tolist():
        decoded[token_id] = bytes((int(raw[token_id][3:5], 16),))
    blob, offsets = join_bytes(decoded)
    raw_blob, raw_offsets = join_bytes(raw)
    return Vocabulary(np.arange(len(raw)), blob, offsets, kinds, scores=scores, raw_blob=raw_blob,
                      raw_offsets=raw_offsets)


class SentencePieceTokenizer(Tokenizer):
    """normalizer, model: the stages. settings: see SpSettings."""

    format = "sentencepiece"

    def __init__(self, name: str, sha256: str, vocabulary: Vocabulary, normalizer: SpNormalizer, model: PieceModel,
                 settings: SpSettings, warnings: tuple[str, ...] = ()) -> None:
        self.name, self.sha256, self.vocabulary, self.warnings = name, sha256, vocabulary, warnings
        self.normalizer, self.model, self.settings = normalizer, model, settings
        kinds = vocabulary.kinds
        self.special_tokens = {vocabulary.raw_at(i): i for i in np.flatnonzero(kinds == TokenKind.SPECIAL).tolist()}
        self.added_tokens = {vocabulary.raw_at(i): i for i in np.flatnonzero(kinds == TokenKind.ADDED).tolist()}
        self._unk_id = model.table.unk_id
        self._pieces: list[bytes] | None = None

    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        return joined(self._parts(data, special, bos_eos), data, self.vocabulary)

    def encode_ids(
        self, text: str | bytes, *, special: SpecialMode | Iterable[str] = "text", bos_eos: bool = False
    ) -> Int64s:
        parts = self._parts(to_bytes(text), self.special_mode(special), bos_eos, spans=False)
        return parts[0].ids if len(parts) == 1 else np.concatenate([np.zeros(0, np.int64), *(p.ids for p in parts)])

    def _parts(self, data: bytes, special: SpecialMode, bos_eos: bool, *, spans: bool = True) -> list[Part]:
        """spans: False where the ids alone are asked for; the parts may have no more then."""
        parts: list[Part] = []
        if bos_eos and self.settings.bos_id is not None:
            parts.append(lone(self.settings.bos_id, 0, 0))
        done = 0
        for start, end, token_id in self._find_special(data, special):
            if start > done:
                parts.append(self._section(data[done:start], done, spans))
            parts.append(lone(token_id, start, end))
            done = end
        if done < len(data):
            parts.append(self._section(data[done:] if done else data, done, spans))
        if bos_eos and self.settings.eos_id is not None:
            parts.append(lone(self.settings.eos_id, len(data), len(data)))
        return parts

    def _find_special(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        """(start, end, id) of the control pieces that stand in the text and are asked for."""
        if special == "text":
            return []
        wanted = self.special_tokens if special == "parse" else {s: self.special_tokens[s] for s in special}
        pattern = longest_first(wanted)
        if pattern is None:
            return []
        by_bytes = {s.encode("utf-8", "surrogatepass"): i for s, i in wanted.items()}
        ordered = sorted(by_bytes, key=len, reverse=True)
        found = re.finditer(b"|".join(map(re.escape, ordered)), data)
        return [(m.start(), m.end(), by_bytes[m[0]]) for m in found]

    @cached_property
    def _chunker(self) -> Chunker:
        return Chunker(self.normalizer, self.model.side)

    def _normalized(self, data: bytes) -> Iterator[tuple[int, int, Normalized]]:
        """(byte_start, byte_end, normalized) of the chunks of one text; a short text is one chunk."""
        edges = self._chunker.edges(data) if len(data) > 2 * SIZE else [0, len(data)]
        for start, end in pairwise(edges):
            chunk = data[start:end]
            yield start, end, self.normalizer.normalize(chunk, begins=start == 0, ends=end == len(data))

    @cached_property
    def _words(self) -> SpWords:
        return SpWords(self.normalizer, self.model, self._chunker)

    def _section(self, data: bytes, base: int, spans: bool) -> Part:
        """One text, which stands at byte `base` of the input. spans: False where they are not asked for."""
        found = self._words.encode(data, spans=spans) if self._words.suits(data) else None
        if found is None:
            found = self._by_chunks(data)
        ids, starts, ends, lost = found
        if self.model.table.byte_ids is None:
            unknown = ids == self._unk_id
            if bool(unknown.any()):
                if not len(starts):
                    return Part(ids[_without_repeats(unknown)], starts, ends)
                ids, starts, ends, unknown = _join_unknown(ids, starts, ends, unknown)
                at = np.flatnonzero(unknown)
                lost += zip(starts[at].tolist(), ends[at].tolist(), repeat("unknown piece"))
        return Part(ids, starts + base, ends + base, shifted(lost, base)) if base else Part(ids, starts, ends, lost)

    def _by_chunks(self, data: bytes) -> tuple[Int64s, Int64s, Int64s, Spans]:
        """ids, starts, ends, lost of one text, normalized and segmented chunk by chunk."""
        made: list[tuple[int, Normalized]] = []
        lost: Spans = []

        def texts() -> Iterator[str]:
            for start, _, normalized in self._normalized(data):
                lost.extend(shifted(normalized.lost, start))
                if normalized.text:
                    made.append((start, normalized))
                    yield normalized.text

        columns: list[tuple[Int64s, Int64s, Int64s]] = []
        for ids, widths in self.model.encode_chunks(texts()):
            start, normalized = made.pop()
            stops = np.cumsum(widths)
            starts, ends = normalized.chars.behind(stops - widths, stops)
            columns.append((ids, starts + start, ends + start))
        if not columns:
            nothing = np.zeros(0, np.int64)
            return nothing, nothing, nothing, lost
        ids, starts, ends = map(np.concatenate, zip(*columns, strict=True)) if len(columns) > 1 else columns[0]
        return ids, starts, ends, lost

    def encode_steps(self, data: bytes, special: SpecialMode, bos_eos: bool = False) -> Iterator[float | Encoding]:
        """Every word that is new is worked out in slices first; what is left is looking up."""
        if len(data) > LARGE:
            if self._words.suits(data):
                yield from (0.9 * progress for progress in self._words.prepare(data))
            else:
                for start, end, normalized in self._normalized(data):
                    for progress in self.model.prepare(normalized.text):
                        yield (start + progress * (end - start)) / len(data) * 0.9
                    yield end / len(data) * 0.9
        yield self.encode(data, special=special, bos_eos=bos_eos)

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        """As sentencepiece decodes; unknown ids give nothing."""
        if self._pieces is None:
            self._pieces = [self.vocabulary.bytes_at(r) for r in range(len(self.vocabulary))]
        count = len(self._pieces)
        listed = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        valid = [i for i in listed if 0 <= i < count]
        out: list[bytes] = []
        done = 0
        if self.normalizer.add_dummy_prefix or self.normalizer.remove_extra_whitespaces:
            done = self._decode_front(valid, out)
        out += map(self._pieces.__getitem__, valid[done:])
        text = b"".join(out)
        if self.settings.denormalizer is not None:
            return self.settings.denormalizer.normalize(text).text.encode()
        return text

    def _decode_front(self, ids: list[int], out: list[bytes]) -> int:
        """Decode up to where the text has begun; spaces at its front go. Returns how many ids that took."""
        kinds = self.vocabulary.kinds
        assert self._pieces is not None
        for done, token_id in enumerate(ids):
            kind, piece = int(kinds[token_id]), self._pieces[token_id]
            if kind == TokenKind.SPECIAL:
                continue
            if kind in (TokenKind.BYTE, TokenKind.UNKNOWN):
                out.append(piece)
                if piece:
                    return done + 1
                continue
            stripped = piece[1:] if self.vocabulary.raw_at(token_id).startswith(SPACE) else piece
            out.append(stripped)
            if stripped or (piece is not stripped and not self.normalizer.remove_extra_whitespaces):
                return done + 1
        return len(ids)


def lone(token_id: int, start: int, end: int) -> Part:
    """One token of known place."""
    return Part(np.array([token_id], np.int64), np.array([start], np.int64), np.array([end], np.int64))


def shifted(lost: Sequence[tuple[int, int, str]], base: int) -> list[tuple[int, int, str]]:
    return [(s + base, e + base, stage) for s, e, stage in lost] if base else list(lost)


def joined(parts: list[Part], data: bytes, vocabulary: Vocabulary) -> Encoding:
    """The parts as one encoding."""
    if len(parts) == 1:
        ids, starts, ends = parts[0].ids, parts[0].starts, parts[0].ends
    else:
        none = np.zeros(0, np.int64)
        ids, starts, ends = (np.concatenate([none, *columns]) for columns in (
            [p.ids for p in parts], [p.starts for p in parts], [p.ends for p in parts]))
    rows = ids if vocabulary.dense else np.searchsorted(vocabulary.ids, ids)
    lost = [x for p in parts for x in p.lost]
    lost.sort()
    return Encoding(
        data, ids, starts, ends, vocabulary.kinds[rows], vocabulary, lost=tuple(map(Lost._make, lost)),
    )


def _without_repeats(unknown: NDArray[np.bool_]) -> Int64s:
    """Where tokens are that are no unknown one behind another."""
    return np.flatnonzero(~(unknown & np.concatenate([[False], unknown[:-1]])))


def _join_unknown(
    ids: Int64s, starts: Int64s, ends: Int64s, unknown: NDArray[np.bool_]
) -> tuple[Int64s, Int64s, Int64s, NDArray[np.bool_]]:
    """Neighbouring unknown tokens made one."""
    keep = _without_repeats(unknown)
    last = np.append(keep[1:], len(ids)) - 1
    return ids[keep], starts[keep], ends[last], unknown[keep]
