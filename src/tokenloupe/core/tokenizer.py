"""Tokenizer: what every tokenizer answers, whatever its file. Encoding: ids with spans into the input's bytes.

A text is bytes: any bytes can be inspected, valid UTF-8 or not. A `str` is taken as its UTF-8; surrogate pairs are
joined, a lone surrogate keeps its three bytes (which are not valid UTF-8 and are shown so).

    >>> tokenizer = tokenloupe.load("o200k_base")
    >>> e = tokenizer.encode("hi 😀")
    >>> [(t.id, t.bytes, t.start, t.end) for t in e.tokens]

Subclasses implement `_encode`; everything else (round trip, decoding, special-token modes) is here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .vocabulary import Int64s, TokenKind, Vocabulary

#: "text": special tokens in the input are ordinary text; "parse": all are matched; a collection: only those texts are.
SpecialMode = Literal["text", "parse"] | frozenset[str]


def to_bytes(text: str | bytes | bytearray | memoryview) -> bytes:
    """The bytes a text stands for. Surrogate pairs are joined; a lone surrogate is its three-byte (WTF-8) form."""
    if not isinstance(text, str):
        if not isinstance(text, (bytes, bytearray, memoryview)):
            raise TypeError(f"a text is str or bytes, not {type(text).__name__}")  # bytes(3) would be three zero bytes
        return bytes(text)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return joined.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an encoding. start/end: byte offsets into the input; equal where nothing in it is behind the token.

    `bytes` is what the id decodes to, which need not equal the input's bytes in start:end (a normalizer may have run).
    """

    index: int
    id: int
    bytes: bytes
    start: int
    end: int
    kind: TokenKind

    @property
    def text(self) -> str:
        """A rendering of the bytes; invalid ones are U+FFFD."""
        return self.bytes.decode("utf-8", "replace")


class Lost(NamedTuple):
    """Input bytes that come back changed or not at all, and the stage that lost them. (A named tuple: a text may have
    tens of thousands, and they are made six times as fast.)"""

    start: int
    end: int
    stage: str


@dataclass(frozen=True)
class Encoding:
    """ids, starts, ends: int64 (n,); kinds: uint8 (n,) of TokenKind. Spans are byte offsets into `data`.

    Spans are the true ones even where the reference library's are not; they need not be sorted nor disjoint
    (some references emit tokens out of text order), so a view must sort before it slices.
    """

    data: bytes
    ids: Int64s
    starts: Int64s
    ends: Int64s
    kinds: NDArray[np.uint8]
    vocabulary: Vocabulary
    lost: tuple[Lost, ...] = ()
    exact: bool = True

    def __len__(self) -> int:
        return len(self.ids)

    def token(self, index: int) -> Token:
        token_id = int(self.ids[index])
        return Token(index, token_id, self.vocabulary.bytes_of(token_id) or b"", int(self.starts[index]),
                     int(self.ends[index]), TokenKind(int(self.kinds[index])))

    @cached_property
    def tokens(self) -> list[Token]:
        return [self.token(i) for i in range(len(self.ids))]


class Tokenizer(ABC):
    """name: what the user calls it; format: e.g. "tiktoken", "tokenizer.json"; sha256: hex digest of the file's bytes.

    warnings: sentences the user should read (a guessed pattern, dropout ignored, colliding ids), possibly none.
    special_tokens: text -> id of the tokens that `special="parse"` matches. added_tokens: those matched in any mode.
    opened_from, opened_with: what load() was asked for (a bundled name, hub:..., an absolute path) and its options.
    """

    name: str
    format: str
    sha256: str
    vocabulary: Vocabulary
    warnings: tuple[str, ...] = ()
    special_tokens: dict[str, int]
    added_tokens: dict[str, int]
    opened_from: str = ""
    opened_with: Mapping[str, str] = MappingProxyType({})

    @abstractmethod
    def _encode(self, data: bytes, special: SpecialMode, bos_eos: bool) -> Encoding:
        """Ids and true spans. `lost`/`exact` may be left at their defaults: encode() fills them in."""

    def encode(
        self, text: str | bytes, *, special: SpecialMode | Iterable[str] = "text", bos_eos: bool = False
    ) -> Encoding:
        """Encode a text or any bytes. InputError when `special` names a token the tokenizer does not have."""
        mode = self.special_mode(special)
        return self.judged(self._encode(to_bytes(text), mode, bos_eos), mode)

    def judged(self, made: Encoding, special: SpecialMode) -> Encoding:
        """Tokens with their round-trip verdict. `made.lost`: what the stages are known to have lost."""
        from .roundtrip import judge  # late: roundtrip reads this module's types

        return judge(self, made)

    def encode_ids(
        self, text: str | bytes, *, special: SpecialMode | Iterable[str] = "text", bos_eos: bool = False
    ) -> Int64s:
        """The ids alone, without the work of a round-trip verdict. InputError as encode()."""
        return self._encode(to_bytes(text), self.special_mode(special), bos_eos).ids

    def special_mode(self, special: SpecialMode | Iterable[str]) -> SpecialMode:
        """Checked form of what a caller asked for."""
        from .errors import InputError

        if special == "text" or special == "parse":
            return "text" if special == "text" else "parse"
        chosen = frozenset([special] if isinstance(special, str) else special)
        for name in sorted(chosen):
            if name not in self.special_tokens:
                raise InputError(f"{self.name} has no special token {name!r}",
                                 todo=f"it has {', '.join(list(self.special_tokens)[:8]) or 'none'}")
        return chosen

    def decoding_keeps(self, data: bytes) -> bool:
        """Does the reference's decoder give back a text whose tokens' bytes are all there?"""
        return True

    def decoding_loses(self, data: bytes) -> list[Lost]:
        """What the reference's decoder loses of a text whose tokens' bytes are all there."""
        return []

    def token_bytes(self, token_id: int) -> bytes | None:
        """The bytes one id stands for by itself, None for an unknown id."""
        return self.vocabulary.bytes_of(token_id)

    def decode(self, ids: Sequence[int] | Int64s) -> bytes:
        """Ids to bytes, as the reference decodes them; unknown ids give nothing. Byte-level: the joined token bytes."""
        return self.vocabulary.joined(ids)

    def unknown_ids(self, ids: Iterable[int]) -> list[int]:
        """Those ids that the vocabulary does not have, in order."""
        return [i for i in ids if i not in self.vocabulary]

    def encode_steps(self, data: bytes, special: SpecialMode, bos_eos: bool = False) -> Iterator[float | Encoding]:
        """Encode in slices of about 8 ms for a main loop: yields progress 0..1 and at last the Encoding.

        A tokenizer that cannot work in slices does it all in one.
        """
        yield self.encode(data, special=special, bos_eos=bos_eos)
