"""What arrives: a stream of pieces (tokens or chunks of bytes), and when.

    >>> stream = TokenStream.of_chunks([b"Go\\xe2", b"\\x82\\xac"])
    >>> stream.data, stream.starts.tolist(), stream.decode(0, 2)
    (b'Go\\xe2\\x82\\xac', [0, 3, 5], 'Go€')
    >>> Timing(rate=100).arrivals(3).tolist()
    [10.0, 20.0, 30.0]
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .vocabulary import Int64s

Milliseconds = NDArray[np.float64]


@dataclass(frozen=True)
class TokenStream:
    """pieces: the bytes each token adds to the text, in order. ids: their token ids, or None for plain chunks.

    alone: what each token gives when it is decoded by itself, where that is something else (a Metaspace tokenizer
        strips the space), else the same tuple as `pieces`.
    decode(first, last): the text of the tokens first .. last-1 decoded together, as the reference library does it.
    prompt: that many pieces at the front are the prompt: they came before the stream and are never shown.
    skipped: indices of special tokens that are left out of the text. times: arrival of each piece in ms, when recorded.
    notes: sentences about the source (a line that could not be read, a finish reason).
    """

    name: str
    pieces: tuple[bytes, ...]
    alone: tuple[bytes, ...]
    decode: Callable[[int, int], str]
    ids: tuple[int, ...] | None = None
    prompt: int = 0
    skipped: frozenset[int] = frozenset()
    times: Milliseconds | None = None
    spellings: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of_chunks(
        cls, pieces: Sequence[bytes], *, name: str = "chunks of bytes", prompt: int = 0,
        times: Milliseconds | None = None, notes: tuple[str, ...] = (), ids: tuple[int, ...] | None = None,
    ) -> TokenStream:
        """Pieces whose bytes are all there is to know: decoding them together is decoding their bytes."""
        held = tuple(pieces)

        def decode(first: int, last: int) -> str:
            return b"".join(held[first:last]).decode("utf-8", "replace")

        return cls(name, held, held, decode, ids=ids, prompt=prompt, times=times, notes=notes)

    def __len__(self) -> int:
        """Pieces, with those of the prompt."""
        return len(self.pieces)

    @cached_property
    def data(self) -> bytes:
        """All bytes, with those of the prompt."""
        return b"".join(self.pieces)

    @cached_property
    def starts(self) -> Int64s:
        """Byte offset of each piece and the end, int64 (n+1,)."""
        out = np.zeros(len(self.pieces) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, self.pieces), np.int64, len(self.pieces)), out=out[1:])
        return out

    @property
    def shown_from(self) -> int:
        """The byte where the prompt ends and the stream begins."""
        return int(self.starts[self.prompt])

    def label(self, index: int) -> str:
        """A piece for a reader: its spelling in the file, its text, or its bytes when they are no text alone."""
        if self.spellings is not None:
            return self.spellings[index]
        piece = self.pieces[index]
        try:
            return piece.decode("utf-8")
        except UnicodeDecodeError:
            return piece.hex(" ").upper()


@dataclass(frozen=True, slots=True)
class Timing:
    """When simulated tokens arrive. rate: tokens a second, on average.

    jitter: 0 evenly .. 1 as random as radioactive decay. burst: pieces that arrive together, on average (a network that
    gathers them). seed: the same seed gives the same times on every machine.
    """

    rate: float = 20.0
    jitter: float = 0.0
    burst: int = 1
    seed: int = 1

    def arrivals(self, count: int) -> Milliseconds:
        """Arrival of each piece in ms, ascending, float64 (count,). InputError for a rate that is no speed."""
        if not (0 < self.rate <= 1e6 and 0 <= self.jitter <= 1 and self.burst >= 1):
            raise InputError("the speed must be above 0 and at most 1,000,000 tokens a second",
                             todo="give a rate such as 20, a jitter from 0 to 1 and a burst of 1 or more")
        even = 1000.0 / self.rate
        chance = random.Random(self.seed)
        gaps = [even * (1 - self.jitter - self.jitter * math.log(1 - chance.random())) if self.jitter else even
                for _ in range(count)]
        times = list(accumulate(gaps))
        if self.burst > 1:  # a piece waits for the last one of its burst
            first = 0
            while first < count:
                size = 1
                while chance.random() > 1 / self.burst:
                    size += 1
                last = min(first + size, count) - 1
                times[first : last + 1] = [times[last]] * (last + 1 - first)
                first = last + 1
        return np.array(times, np.float64)
