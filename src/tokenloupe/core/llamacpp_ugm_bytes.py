"""The unigram model of llama.cpp byte by byte: for text that is not UTF-8, and for models that can cut a character.

llama.cpp lets the beginning of a user-defined token pass its rules, even when that beginning is half a character; what
follows is then read from the middle. Text and models with neither never come here (llamacpp_models.UgmModel is fast).

    >>> UgmBytes(pieces, beginnings, rules, ...).encode(b"\\xe2bc")
    ([20, 0], [0, 1], [1, 3])

Source: llama.cpp src/llama-vocab.cpp, llm_tokenizer_ugm_session (MIT), as vendored in llama-cpp-python 0.3.36.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .precompiled import Precompiled

_REPLACEMENT = "\ufffd".encode()


def char_length(lead: int) -> int:
    """Bytes that a first byte asks for; a continuation byte counts as one."""
    return 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _character(data: bytes, pos: int) -> int:
    """Bytes of the character at `pos` as llama.cpp reads UTF-8 (surrogates and overlong forms too), 0 when none is."""
    lead = data[pos]
    if lead < 0x80:
        return 1
    size = char_length(lead)
    tail = data[pos + 1 : pos + size]
    if lead < 0xC0 or lead >= 0xF8 or len(tail) != size - 1 or any(b & 0xC0 != 0x80 for b in tail):
        return 0
    return size


@dataclass(frozen=True, slots=True)
class UgmBytes:
    """pieces: token -> (id, score). prefixes: of all pieces. beginnings: of all user-defined tokens."""

    pieces: Mapping[bytes, tuple[int, float]]
    prefixes: frozenset[bytes]
    beginnings: frozenset[bytes]
    rules: Precompiled | None
    space: bytes
    prefix: bool
    suffix: bool
    merge_spaces: bool
    unk_id: int
    unknown_score: float

    def encode(self, data: bytes) -> tuple[list[int], list[int], list[int]]:
        """(ids, starts, ends); neighbouring unknown tokens are one."""
        text, starts, ends = self._normalized(data)
        if not text:
            return [], [], []
        ids: list[int] = []
        token_starts: list[int] = []
        token_ends: list[int] = []
        for begin, end, token_id in self._best(bytes(text)):
            if ids and ids[-1] == token_id == self.unk_id:
                token_ends[-1] = ends[end - 1]
                continue
            ids.append(token_id)
            token_starts.append(starts[begin])
            token_ends.append(ends[end - 1])
        return ids, token_starts, token_ends

    def _unit(self, data: bytes, pos: int) -> tuple[bytes, int, bool]:
        """(what it becomes, bytes taken, copied as it is) of what stands at `pos`."""
        end = pos + 1
        while end <= len(data) and data[pos:end] in self.beginnings:
            end += 1
        if end > pos + 1:
            return data[pos : end - 1], end - 1 - pos, True
        found = self.rules.longest(data, pos) if self.rules is not None else None
        if found is not None:
            return found[1], found[0], False
        size = _character(data, pos)
        return (data[pos : pos + size], size, True) if size else (_REPLACEMENT, 1, False)

    def _normalized(self, data: bytes) -> tuple[bytearray, list[int], list[int]]:
        text = bytearray()
        starts: list[int] = []
        ends: list[int] = []

        def put(new: bytes, start: int, end: int) -> None:
            text.extend(new)
            starts.extend([start] * len(new))
            ends.extend([end] * len(new))

        prepended = in_word = False
        pos = 0
        space_at = (0, 0)
        while pos < len(data):
            made, taken, copied = self._unit(data, pos)
            for k, byte in enumerate(made):
                at = (pos + k, pos + k + 1) if copied else (pos, pos + taken)
                if byte != 0x20:
                    if not in_word:
                        in_word = True
                        if self.merge_spaces:
                            put(self.space, *(space_at if space_at[1] == at[0] else (at[0], at[0])))
                            prepended = True
                        elif self.prefix and not prepended:
                            put(self.space, at[0], at[0])
                            prepended = True
                    put(bytes((byte,)), *at)
                else:
                    in_word = False
                    space_at = at
                    if not self.merge_spaces:
                        put(self.space, *at)
            pos += taken
        if self.suffix:
            put(self.space, len(data), len(data))
        return text, starts, ends

    def _best(self, text: bytes) -> list[tuple[int, int, int]]:
        """(begin, end, id) of the tokens of the best segmentation."""
        size = len(text)
        lowest = float("-inf")
        score = [lowest] * (size + 1)
        begin, token = [0] * (size + 1), [self.unk_id] * (size + 1)
        score[0] = 0.0
        pos = 0
        while pos < size:
            width = min(char_length(text[pos]), size - pos)
            here, single = score[pos], False
            for end in range(pos + 1, size + 1):
                part = text[pos:end]
                found = self.pieces.get(part)
                if found is not None:
                    single = single or end - pos == width
                    if here + found[1] > score[end]:
                        score[end], begin[end], token[end] = here + found[1], pos, found[0]
                if part not in self.prefixes:
                    break
            if not single and here + self.unknown_score > score[pos + width]:
                score[pos + width], begin[pos + width], token[pos + width] = here + self.unknown_score, pos, self.unk_id
            pos += width
        out, end = [], size
        while end > 0:
            out.append((begin[end], end, token[end]))
            end = begin[end]
        return out[::-1]
