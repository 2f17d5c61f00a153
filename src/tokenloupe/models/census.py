"""The census of the session's tokenizer, as bars that know which entries they count; what completes a cut character.

    desk = CensusDesk.of(session)        # one a session; changed() when it has counted
    bar = desk.bars("utf8")[1]
    bar.label, bar.count, bar.rows()     # "begin inside a character", 361, array of rows

Counting is a job: a hundred milliseconds for 262,144 entries, in a few slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from ..core.census import BlockCoverage, Census
from ..core.census_report import WORDS, role_of_byte
from ..core.query import VocabularyIndex
from ..core.scripts import Utf8Class
from ..core.utf8 import pending
from ..core.vocabulary import Int64s, TokenKind
from .census_index import index_of
from .jobs import Latest
from .readable import readable
from .session import Session

#: Lengths from here on share bars.
LONG_FROM = (33, 65, 129)


@dataclass(frozen=True, slots=True)
class Bar:
    """count entries called `label`; rows() are they, None where there is nothing to show (holes). odd: nothing good."""

    label: str
    count: int
    rows: Callable[[], Int64s] | None = None
    about: str = ""
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Completer:
    """A token that makes the last character of another whole, and the character."""

    id: int
    bytes: bytes
    char: str


class CensusDesk(QObject):
    """changed(): `census` is of another tokenizer, counted; or None while there is none."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.census: Census | None = None
        self._job = Latest(session.jobs)
        session.tokenizer_changed.connect(self._renew)
        self._renew()

    @classmethod
    def of(cls, session: Session) -> CensusDesk:
        found = session.findChild(cls)
        return cls(session) if found is None else found

    def _renew(self) -> None:
        if not self.session.ready:
            return
        index = index_of(self.session)
        if self.census is not None and self.census.index is index:
            return  # another mode of special tokens
        self._job.start("Counting", _steps(Census(index)), done=self._done)

    def _done(self, census: Census) -> None:
        self.census = census
        self.changed.emit()

    @property
    def index(self) -> VocabularyIndex | None:
        return None if self.census is None else self.census.index

    def bars(self, chart: str) -> list[Bar]:
        """chart: "utf8" (they add up), "kind" (they overlap), "script" (they add up), "length" (they add up)."""
        if self.census is None:
            return []
        make = {"utf8": _utf8, "kind": _kinds, "script": _scripts, "length": _lengths}[chart]
        return make(self.census)

    def rows_with_byte(self, byte: int) -> Int64s:
        """Rows of the entries that have a byte."""
        assert self.census is not None
        v = self.census.vocabulary
        places = np.flatnonzero(np.frombuffer(v.blob, np.uint8) == byte)
        return np.unique(np.searchsorted(v.offsets, places, "right") - 1)

    def rows_with_points(self, first: int, last: int) -> Int64s:
        """Rows of the entries that have a whole character from first to last."""
        assert self.census is not None
        points = self.census.index.points
        hit = points.valid & (points.points >= first) & (points.points <= last)
        return np.unique(points.rows[hit]).astype(np.int64)

    def states(self, block: BlockCoverage) -> NDArray[np.uint8]:
        """PointState of each code point of a block."""
        assert self.census is not None
        return self.census.code_points[block.first : block.last + 1]

    def completers(self, token_id: int) -> list[Completer]:
        """The tokens that complete one, those with the shortest bytes first; [] when its last character is not cut."""
        if self.census is None:
            return []
        v = self.census.vocabulary
        piece = v.bytes_of(token_id) or b""
        tail = piece[len(piece) - pending(piece) :]
        if not tail:
            return []
        found = [(i, v.bytes_of(i) or b"") for i in self.census.completers(token_id).tolist()]
        found.sort(key=lambda f: (len(f[1]), f[1]))
        return [Completer(i, b, (tail + b).decode("utf-8", "ignore")[:1]) for i, b in found]

    def about_byte(self, byte: int) -> str:
        """One line of figures."""
        assert self.census is not None
        own, n = int(self.census.byte_ids[byte]), int(self.census.bytes_used[byte])
        sign = f" {readable(bytes([byte]))}" if byte < 0x80 else ""
        entry = f"its own entry is {own}" if own >= 0 else "no entry of its own"
        return f"Byte {byte:02X}{sign}, {role_of_byte(byte).word}: {n:,} times in the entries, {entry}"


def _steps(census: Census) -> Iterator[Any]:
    for share in census.index.points_steps():
        yield 0.8 * share
    steps: tuple[Callable[[], object], ...] = (
        lambda: census.counts, lambda: census.by_script, lambda: census.code_points, lambda: census.coverage,
        lambda: census.byte_ids)
    for number, step in enumerate(steps, 1):
        step()
        yield 0.8 + 0.2 * number / len(steps)
    yield census


def _utf8(census: Census) -> list[Bar]:
    counts = census.counts
    told = {
        Utf8Class.WHOLE: ("whole", "valid UTF-8 by themselves"),
        Utf8Class.STARTS_INSIDE: ("starts_mid", "their first bytes continue a character of the token before"),
        Utf8Class.ENDS_INSIDE: ("ends_mid", "the next token has to complete their last character"),
        Utf8Class.BOTH: ("both", "begin and end inside a character"),
        Utf8Class.INTERIOR: ("interior", "the inside or the end of one character"),
        Utf8Class.INVALID: ("invalid", "no valid text has these bytes in a row"),
        Utf8Class.EMPTY: ("empty", "they decode to nothing"),
    }
    return [Bar(WORDS[name], getattr(counts, name), lambda c=utf8: census.rows_of(c), about,  # type: ignore[misc]
                utf8 in (Utf8Class.INVALID, Utf8Class.EMPTY)) for utf8, (name, about) in told.items()]


def _kinds(census: Census) -> list[Bar]:
    counts, index, v = census.counts, census.index, census.vocabulary

    def of_kind(kind: TokenKind) -> Callable[[], Int64s]:
        return lambda: np.flatnonzero(v.kinds == kind)

    return [
        Bar(WORDS["characters"], counts.characters, lambda: np.flatnonzero(
            (np.diff(index.points.offsets) == 1) & (index.classes == Utf8Class.WHOLE)), "one code point and no more"),
        Bar(WORDS["byte"], counts.byte, lambda: np.flatnonzero(index.lengths == 1), "256 of them spell any text"),
        Bar(WORDS["replaced"], counts.replaced, lambda: census.replaced_rows,
            "what a decoder that takes tokens one by one shows as �"),
        Bar(WORDS["special"], counts.special, of_kind(TokenKind.SPECIAL), "matched in a text only when asked for"),
        Bar(WORDS["added"], counts.added, of_kind(TokenKind.ADDED), "matched in a text before the model runs"),
        Bar(WORDS["byte_pieces"], counts.byte_pieces, of_kind(TokenKind.BYTE), "byte fallback, such as <0x0A>"),
        Bar(WORDS["unknown"], counts.unknown, of_kind(TokenKind.UNKNOWN), "what has no entry becomes this"),
        Bar(WORDS["unused"], counts.unused, of_kind(TokenKind.UNUSED), "marked so in the file", True),
        Bar(WORDS["holes"], counts.holes, None, "ids below the largest that nothing has"),
    ]


def _scripts(census: Census) -> list[Bar]:
    index = census.index
    return [Bar(name, n, lambda c=code: np.flatnonzero(index.script == c), "")  # type: ignore[misc]
            for name, n, code in census.script_codes]


def _lengths(census: Census) -> list[Bar]:
    lengths, by = census.index.lengths, census.by_length

    def bar(least: int, most: int, label: str) -> Bar:
        n = int(by[least : most + 1].sum())
        return Bar(label, n, lambda: np.flatnonzero((lengths >= least) & (lengths <= most)), "")

    longest = len(by) - 1
    out = [bar(k, k, f"{k} byte{'s' if k != 1 else ''}") for k in range(0 if len(by) and by[0] else 1,
                                                                       min(longest, LONG_FROM[0] - 1) + 1)]
    edges = [*LONG_FROM, 2**62]
    for least, after in pairwise(edges):
        if longest >= least:
            words = f"{least} bytes and more" if after > 2**32 else f"{least} to {after - 1} bytes"
            out.append(bar(least, after - 1, words))
    return out
