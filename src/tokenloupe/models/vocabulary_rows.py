"""The entries of a vocabulary as rows of a table: id, text, bytes, kind, parts, script, and how the bytes sit in UTF-8.

    model = VocabularyRows(parent)
    model.set_entries(index); model.set_rows(index.search(Filter("hello")))

A page is worked out from its own entries alone: the first one is there before anything of the whole vocabulary is.
Parts are shown as soon as the merges are known.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from .paged_rows import Column, Page, PagedRows
from .readable import readable

if TYPE_CHECKING:
    from ..core.query import VocabularyIndex
    from ..core.vocabulary import Int64s

#: Bytes of an entry that are shown; the rest is an ellipsis.
LONGEST = 48

_COLUMNS = (
    Column("id", "Id", "number", 7, "The number the model sees", strong=True),
    Column("text", "Text", "token", 18, "What the token decodes to: spaces and controls as signs, parts of characters "
                                       "as ⟨hex⟩", stretch=1),
    Column("raw", "In the file", "token", 16, "The spelling in the file: Ġ is a space in byte-level models, ▁ in "
                                              "SentencePiece"),
    Column("bytes", "Bytes", "bytes", 17, "The bytes it decodes to"),
    Column("length", "Length", "number", 6, "Bytes"),
    Column("kind", "Kind", "word", 7),
    Column("score", "Score", "number", 10, "What the model prefers: the higher the better"),
    Column("rank", "Rank", "number", 7, "Of the merge that makes it: the lower, the earlier"),
    Column("left", "Left", "token", 13, "The left one of the two tokens it is made of"),
    Column("right", "Right", "token", 13, "The right one of the two tokens it is made of"),
    Column("script", "Script", "word", 9, "The script of its letters; Common: digits, punctuation, spaces"),
    Column("utf8", "UTF-8", "word", 13, "Whether it is whole characters, or cuts one at an end"),
)
#: Columns that are shown until somebody chooses others.
AT_FIRST = ("id", "text", "bytes", "length", "kind", "score", "rank", "left", "right", "script", "utf8")


class VocabularyRows(PagedRows):
    """rows: rows of the index. parts: whether merges are known, so that parts and ranks can be shown."""

    columns = _COLUMNS

    def __init__(self, parent: object | None = None) -> None:
        super().__init__(parent)  # type: ignore[arg-type]
        self.entries: VocabularyIndex | None = None
        self.parts = False

    def set_entries(self, index: VocabularyIndex | None) -> None:
        """Another vocabulary, all its entries; columns that its kind has nothing for are left out."""
        self.entries, self.parts = index, False
        count = 0 if index is None else len(index)
        scored = index is not None and index.vocabulary.scores is not None
        left_out = {"rank"} if scored else {"score"}
        if index is not None and index.vocabulary.raw_blob is None:
            left_out.add("raw")
        self.set_columns(tuple(c for c in _COLUMNS if c.id not in left_out), np.arange(count))

    def set_parts(self) -> None:
        """The merges are known now."""
        self.parts = True
        self.forget()

    def id_at(self, place: int) -> int | None:
        """The id of the entry in a row of the table."""
        if self.entries is None or not 0 <= place < len(self.rows):
            return None
        return int(self.entries.vocabulary.ids[self.rows[place]])

    def _made(self, first: int, rows: Int64s) -> Page:
        assert self.entries is not None
        v, listed = self.entries.vocabulary, rows.tolist()
        pieces = [v.bytes_at(row) for row in listed]
        left, left_ids = self._parts(rows, "left")
        right, right_ids = self._parts(rows, "right")
        scripts, classes = _scripts(pieces)
        cells = {
            "id": list(map(str, v.ids[rows].tolist())),
            "text": list(map(readable, pieces)),
            "raw": [] if v.raw_blob is None else [
                readable(v.raw_at(row).encode("utf-8", "surrogatepass")) for row in listed],
            "bytes": [p[:LONGEST].hex(" ") + (" …" if len(p) > LONGEST else "") for p in pieces],
            "length": [f"{len(p):,}" for p in pieces],
            "kind": list(map(_kind_words().__getitem__, v.kinds[rows].tolist())),
            "score": [] if v.scores is None else [f"{s:.6g}" for s in v.scores[rows].tolist()],
            "rank": self._ranks(rows),
            "left": left, "right": right, "script": scripts, "utf8": classes,
        }
        return Page(first, [cells[c.id] for c in self.columns],
                    {self.column_of("left"): left_ids, self.column_of("right"): right_ids})

    def _ranks(self, rows: Int64s) -> list[str]:
        assert self.entries is not None
        known = self.parts or self.entries.vocabulary.ranks is not None
        return [f"{r:,}" if r >= 0 else "" for r in self.entries.ranks[rows].tolist()] if known else [""] * len(rows)

    def _parts(self, rows: Int64s, side: str) -> tuple[list[str], list[str]]:
        """(texts, ids) of the left or right parts; "" where there is none."""
        if not self.parts or self.entries is None:
            return [""] * len(rows), [""] * len(rows)
        ids = (self.entries.left if side == "left" else self.entries.right)[rows].tolist()
        bytes_of = self.entries.vocabulary.bytes_of
        return [readable(bytes_of(i) or b"") if i >= 0 else "" for i in ids], [str(i) if i >= 0 else "" for i in ids]


def _scripts(pieces: list[bytes]) -> tuple[list[str], list[str]]:
    """(scripts, UTF-8 classes) of some entries, from their own bytes."""
    from ..core.scripts import Points, Utf8Class
    from ..core.vocabulary import join_bytes

    points = Points.of_bytes(*join_bytes(pieces))
    return [points.script_name(i) for i in range(len(pieces))], [Utf8Class(c).word for c in points.classes.tolist()]


@cache
def _kind_words() -> list[str]:
    from ..core.vocabulary import TokenKind

    return [kind.word for kind in TokenKind]
