"""What the models share.

    ids, lows, highs = model.word("hello")     # three lists of one length

lows/highs are byte offsets into the UTF-8 of the pre-token: the true ones (a byte-fallback token has the one byte it
stands for), also where the reference library reports others or emits tokens out of order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property

from ...vocabulary import Int64s

#: Makes the spellings of a vocabulary when a text first needs them.
Texts = Callable[[], list[str]]
Word = tuple[list[int], list[int], list[int]]


class Model(ABC):
    """name: the JSON type. vocab: spelling -> id as the library's token_to_id has it."""

    name: str
    vocab: dict[str, int]
    #: Of the tokens that stand for text without a token, for showing their kind.
    unknown_id: int | None = None
    #: New words of a text from which on `batch`, where a model has it, pays.
    batched_from: int = 48

    @abstractmethod
    def word(self, text: str) -> Word:
        """InputError where the library refuses (no unknown token in the vocabulary)."""

    def dropped(self, text: str) -> list[tuple[int, int]]:
        """Byte ranges of the pre-token that the model gives no token for."""
        return []

    def segments(self, text: str) -> list[str] | None:
        """A text as parts that the model treats one by one with the same result; None when it cannot be cut so."""
        return None

    @property
    def size(self) -> int:
        """What the library calls the vocabulary's size: where ids of new added tokens begin."""
        return len(self.vocab)


class StoredWords(Model):
    """A model that comes back as arrays: its spellings are made when they are first needed, ids are theirs."""

    _texts: Texts
    _ids: Int64s

    @cached_property
    def vocab(self) -> dict[str, int]:  # type: ignore[override]
        return dict(zip(self._texts(), self._ids.tolist(), strict=True))

    @property
    def size(self) -> int:
        return len(self._ids)


def byte_piece(byte: int) -> str:
    return f"<0x{byte:02X}>"


def utf8_widths(text: str) -> list[int]:
    if text.isascii():
        return [1] * len(text)
    return [1 if c < "\x80" else 2 if c < "\u0800" else 3 if c < "\U00010000" else 4 for c in text]
