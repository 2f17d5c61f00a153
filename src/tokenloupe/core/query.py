"""A vocabulary as a table that answers at once: which rows fit, in which order, and what stands in a column.

    >>> index = VocabularyIndex(load_bundled("o200k_base"))
    >>> rows = index.search(Filter("hello"))                       # a substring of the decoded text, case ignored
    >>> rows = index.search(Filter("20 68", mode="hex", script="Latin", length=(2, 4)))
    >>> index.sort(rows, "length", descending=True)[:5]

A search is array operations over one blob of all entries (2 MB for 262,144 of them): places where the rarest byte of
the wanted text stands, then its other bytes, then the rows those places are in. One letter costs as much as ten. A sort
is one `take` in a permutation that is made once a column. Rows are positions in id order, as in Vocabulary.

A regular expression has to look at every entry that a literal in it does not rule out: `search_steps` does that in
slices of some 8 ms for a main loop.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from time import thread_time
from typing import Literal

import numpy as np
import regex
from numpy.typing import NDArray

from .errors import InputError
from .query_forms import id_ranges, parse_hex, ranges
from .query_parts import Parts
from .query_prepare import points_steps, search_steps
from .query_text import ByteSearch, folded, literal_of, sort_bytes, sort_lengths, sort_steps, written_out
from .scripts import MIXED, Points, Utf8Class, names_of_codes
from .tokenizer import Tokenizer, to_bytes
from .vocabulary import Int64s, MergeTable, TokenKind, Vocabulary, split_bytes

Mode = Literal["text", "raw", "hex", "id", "rank", "regex"]
#: Columns that can be sorted by, in the order in which a table shows them.
COLUMNS = ("id", "text", "bytes", "kind", "length", "score", "rank", "left", "right", "script", "utf8")

#: CPU seconds a regular expression may take over the whole vocabulary, seconds it may take for one entry (which is as
#: long as a window can stand still for it), and entries it looks at in a slice at most.
TIME_LIMIT = 3.0
ONE_ENTRY = 0.25
SLICE = 4096
#: CPU seconds a slice should take.
SLICE_TIME = 0.008
#: Items a regular expression may have with its counts written out: compiling more takes longer than anybody waits, and
#: no time limit ends it.
MOST_ITEMS = 20_000


@dataclass(frozen=True, slots=True)
class Filter:
    """What is asked for; everything given must hold. Nothing given: all rows.

    text: by mode: "text" a substring of the decoded bytes; "raw" of the spelling in the file (Ġthe, ▁the); "hex" bytes,
    white space between them ignored, an odd digit at the end being the high half of one more byte; "id" ids and ranges
    ("7", "10-20, 99", "100-"), "rank" the same of ranks; "regex" searched in the decoded text (U+FFFD for bad bytes).
    ignore_case: of "text" and "raw" (characters whose other case takes as many bytes), and of "regex".
    script: a name ("Latin", "Old Italic"): entries with any character of it. kind, utf8: exactly that.
    length: (least, most) bytes; None leaves a side open.
    """

    text: str = ""
    mode: Mode = "text"
    ignore_case: bool = True
    script: str | None = None
    kind: TokenKind | None = None
    utf8: Utf8Class | None = None
    length: tuple[int | None, int | None] | None = None

    @property
    def empty(self) -> bool:
        """Nothing is asked for, however it is meant."""
        return self == Filter("", self.mode, self.ignore_case)


class VocabularyIndex:
    """vocabulary: what is looked at. Every array is over its rows and is made when first asked for."""

    def __init__(self, tokenizer: Tokenizer | Vocabulary) -> None:
        self.tokenizer = tokenizer if isinstance(tokenizer, Tokenizer) else None
        self.vocabulary: Vocabulary = tokenizer.vocabulary if isinstance(tokenizer, Tokenizer) else tokenizer
        self._orders: dict[str, Int64s] = {}
        self._places: dict[str, NDArray[np.int32]] = {}
        self._texts: list[str] | None = None
        #: Of what each entry is made; parts.steps() makes that in slices.
        self.parts = Parts(self.tokenizer, self.vocabulary)

    def __len__(self) -> int:
        return len(self.vocabulary)

    # -- columns -------------------------------------------------------------------------------------------------

    @cached_property
    def lengths(self) -> Int64s:
        """Bytes of each entry."""
        return np.diff(self.vocabulary.offsets)

    @cached_property
    def points(self) -> Points:
        """Code points of every entry."""
        return Points.of(self.vocabulary)

    @property
    def classes(self) -> NDArray[np.uint8]:
        """uint8 (n,) of Utf8Class."""
        return self.points.classes

    @property
    def script(self) -> NDArray[np.uint8]:
        """uint8 (n,): code of the script, see scripts.Points.script; the words: script_name(row)."""
        return self.points.script

    def script_name(self, row: int) -> str:
        return self.points.script_name(row)

    @cached_property
    def scripts(self) -> dict[str, int]:
        """Script name -> how many entries have a character of it, most first."""
        names, counted = names_of_codes(), self.points.script_counts
        counts = {names[c]: int(counted[c]) for c in range(1, min(len(names), MIXED)) if counted[c]}
        return dict(sorted(counts.items(), key=lambda item: -item[1]))

    @property
    def merges(self) -> MergeTable | None:
        """The merges of the file, or derived ones (`derived` says so); None where the model has none."""
        return self.parts.merges

    @property
    def merge_of(self) -> Int64s:
        """int64 (n,): index in `merges` of the merge that makes the entry, -1 for none. Of several, the one that can
        fire; the first listed where none can."""
        return self.parts.merge_of

    @property
    def left(self) -> Int64s:
        """int64 (n,): id of the left part, -1 for none."""
        return self.parts.left

    @property
    def right(self) -> Int64s:
        """int64 (n,): id of the right part, -1 for none."""
        return self.parts.right

    @property
    def ranks(self) -> Int64s:
        """int64 (n,): merge rank, -1 for none. A rank file's ids are its ranks."""
        return self.parts.ranks

    def _text_steps(self) -> Iterator[float]:
        """`_texts`, in slices: the decoded text of each entry, U+FFFD for ill-formed bytes: for regular expressions
        alone."""
        if self._texts is None:
            v, texts = self.vocabulary, list[str]()
            for first in range(0, len(self), SLICE):
                part = split_bytes(v.blob, v.offsets[first : first + SLICE + 1])
                texts += [piece.decode("utf-8", "replace") for piece in part]
                yield len(texts) / len(self)
            self._texts = texts

    # -- search --------------------------------------------------------------------------------------------------

    @cached_property
    def _exact(self) -> ByteSearch:
        return ByteSearch(self.vocabulary.blob, self.vocabulary.offsets)

    @cached_property
    def _folded(self) -> ByteSearch:
        return ByteSearch(folded(self.vocabulary.blob, self.vocabulary.offsets), self.vocabulary.offsets, self._exact)

    @cached_property
    def _raw(self) -> ByteSearch:
        v = self.vocabulary
        if v.raw_blob is None or v.raw_offsets is None:
            return self._exact
        return ByteSearch(v.raw_blob, v.raw_offsets)

    @cached_property
    def _raw_folded(self) -> ByteSearch:
        v = self.vocabulary
        if v.raw_blob is None or v.raw_offsets is None:
            return self._folded
        return ByteSearch(folded(v.raw_blob, v.raw_offsets), v.raw_offsets, self._raw)

    def prepare(self) -> Iterator[float]:
        """Make what searches and sorts need, in slices (progress 0..1), so that no keystroke waits for it."""
        steps: tuple[Callable[[], Iterator[float]], ...] = (
            lambda: self._search_made("_folded"), lambda: self._folded.letter_steps(), self.points_steps,
            self._text_order_steps, lambda: self._search_made("_raw_folded"))
        for number, step in enumerate(steps):
            for share in step():
                yield (number + share) / len(steps)
        yield 1.0

    def points_steps(self) -> Iterator[float]:
        """`points`, in slices."""
        yield from self._once("points", points_steps(self.vocabulary.blob, self.vocabulary.offsets))

    def _once(self, name: str, steps: Iterator[float | object]) -> Iterator[float]:
        """Make a cached property in slices; nothing when it is there."""
        if name not in self.__dict__:
            for step in steps:
                if isinstance(step, float):
                    yield step
                else:
                    self.__dict__.setdefault(name, step)

    def _search_made(self, name: Literal["_exact", "_folded", "_raw", "_raw_folded"]) -> Iterator[float]:
        """One of the tables that are searched, in slices."""
        v = self.vocabulary
        blob, offsets = v.blob, v.offsets
        if name in ("_raw", "_raw_folded"):
            if v.raw_blob is None or v.raw_offsets is None:
                name = "_exact" if name == "_raw" else "_folded"
            else:
                blob, offsets = v.raw_blob, v.raw_offsets
        if name in self.__dict__:
            return
        like: ByteSearch | None = None
        if name in ("_folded", "_raw_folded"):
            yield from self._search_made("_exact" if name == "_folded" else "_raw")
            like = self._exact if name == "_folded" else self._raw
        yield from self._once(name, search_steps(blob, offsets, like, like is not None))

    def _text_order_steps(self) -> Iterator[float]:
        if "text" not in self._orders:
            for step in sort_steps(self.vocabulary.blob, self.vocabulary.offsets):
                if isinstance(step, float):
                    yield step
                else:
                    self._orders.setdefault("text", step)

    def _needed(self, wanted: Filter) -> Iterator[float]:
        """Make what a search needs, in slices; nothing when it is there."""
        if wanted.script or wanted.utf8 is not None:
            yield from self.points_steps()
        if wanted.text and wanted.ignore_case and wanted.mode in ("text", "regex"):
            yield from self._search_made("_folded")
        elif wanted.text and wanted.ignore_case and wanted.mode == "raw":
            yield from self._search_made("_raw_folded")

    def search(self, wanted: Filter) -> Int64s:
        """The rows that fit, ascending, int64. InputError for hex, ids or a pattern that cannot be read, an unknown
        script, or a pattern that takes longer than TIME_LIMIT."""
        rows = None
        for step in self.search_steps(wanted):
            rows = step
        assert isinstance(rows, np.ndarray)
        return rows

    def search_steps(self, wanted: Filter) -> Iterator[float | Int64s]:
        """The same in slices: progress 0..1, at last the rows. What has been prepared costs no slice."""
        yield from self._needed(wanted)
        keep = self._restrictions(wanted)
        if wanted.mode == "regex" and wanted.text:
            yield from self._regex(wanted, keep)
            return
        found = self._text(wanted)
        if found is not None:
            keep = found if keep is None else keep & found
        yield np.arange(len(self)) if keep is None else np.flatnonzero(keep)

    def _restrictions(self, wanted: Filter) -> NDArray[np.bool_] | None:
        keep: NDArray[np.bool_] | None = None
        found: list[NDArray[np.bool_]] = []
        if wanted.kind is not None:
            found.append(self.vocabulary.kinds == wanted.kind)
        if wanted.length is not None:
            least, most = wanted.length
            if least is not None:
                found.append(self.lengths >= least)
            if most is not None:
                found.append(self.lengths <= most)
        if wanted.utf8 is not None:
            found.append(self.classes == wanted.utf8)
        if wanted.script:
            try:
                found.append(self.points.with_script(wanted.script))
            except KeyError:
                raise InputError(f"there is no script called {wanted.script!r}",
                                 todo="scripts are called as in Unicode: Latin, Cyrillic, Han, ..") from None
        for one in found:
            keep = one if keep is None else keep & one
        return keep

    def _text(self, wanted: Filter) -> NDArray[np.bool_] | None:
        text = wanted.text
        if not text or (wanted.mode in ("hex", "id", "rank") and not text.strip()):
            return None
        if wanted.mode == "rank":
            keep = np.zeros(len(self), np.bool_)
            for low, high in ranges(text, "rank"):
                keep |= (self.ranks >= low) & (self.ranks <= high)
            return keep
        if wanted.mode == "id":
            return id_ranges(text, self.vocabulary.ids)
        if wanted.mode == "hex":
            whole, half = parse_hex(text)
            return self._exact.find(whole, half)
        table = (self._folded if wanted.mode == "text" else self._raw_folded) if wanted.ignore_case else (
            self._exact if wanted.mode == "text" else self._raw)
        needle = to_bytes(text)
        if wanted.ignore_case:
            needle = folded(needle, np.array([0, len(needle)], np.int64))
        return table.find(needle)

    def _regex(self, wanted: Filter, keep: NDArray[np.bool_] | None) -> Iterator[float | Int64s]:
        if written_out(wanted.text) > MOST_ITEMS:
            raise InputError("the pattern is too large", where=repr(wanted.text), todo="use smaller counts")
        try:
            pattern = regex.compile(wanted.text, regex.IGNORECASE if wanted.ignore_case else 0)
        except (regex.error, OverflowError, RecursionError) as error:
            raise InputError(f"the pattern cannot be used ({error})", where=repr(wanted.text)) from error
        literal = literal_of(wanted.text, wanted.ignore_case)
        if literal:
            found = self._text(replace(wanted, text=literal, mode="text"))
            keep = found if keep is None or found is None else keep & found
        yield from self._text_steps()
        rows = np.arange(len(self)) if keep is None else np.flatnonzero(keep)
        texts = self._texts or []
        fits: list[int] = []
        search = pattern.search
        listed: list[int] = rows.tolist()
        first, size, spent = 0, 64, 0.0
        while first < len(listed):
            begun = thread_time()
            try:
                fits += [row for row in listed[first : first + size] if search(texts[row], timeout=ONE_ENTRY)]
            except TimeoutError:
                raise InputError("the pattern takes too long for one entry", where=repr(wanted.text),
                                 todo="simplify it") from None
            taken = thread_time() - begun
            spent += taken
            if spent > TIME_LIMIT:
                raise InputError(f"the pattern takes longer than {TIME_LIMIT:g} seconds", where=repr(wanted.text),
                                 todo="simplify it")
            first += size
            yield min(1.0, first / len(listed))
            if taken < SLICE_TIME / 2:
                size = min(2 * size, SLICE)
            elif taken > SLICE_TIME:
                size = max(size // 2, 1)
        yield np.array(fits, np.int64)

    def best_first(self, rows: Int64s, wanted: Filter) -> Int64s:
        """Rows that were found, with those first that are what was asked for and no more (text, raw, hex): letter by
        letter, then but for the case. The others stay in order."""
        if not wanted.text or wanted.mode not in ("text", "raw", "hex"):
            return rows
        needle = parse_hex(wanted.text)[0] if wanted.mode == "hex" else to_bytes(wanted.text)
        table = self._raw if wanted.mode == "raw" else self._exact
        starts, ends = table.offsets[rows], table.offsets[rows + 1]
        whole = ends - starts == len(needle)
        same = np.zeros(len(rows), np.bool_)
        for i in np.flatnonzero(whole).tolist():
            same[i] = table.data[starts[i] : ends[i]].tobytes() == needle
        return np.concatenate((rows[same], rows[whole & ~same], rows[~whole])) if whole.any() else rows

    # -- order ---------------------------------------------------------------------------------------------------

    def order_steps(self, column: str) -> Iterator[float]:
        """Make what order() needs, in slices; nothing when it is there. (Parts and ranks need `merges`: derive.py.)"""
        if column in ("script", "utf8"):
            yield from self.points_steps()
        elif column in ("text", "bytes"):
            yield from self._text_order_steps()

    def order(self, column: str) -> Int64s:
        """All rows sorted by a column, ascending; equal ones stay in the order of their ids. Remembered."""
        if column not in COLUMNS:
            raise InputError(f"there is no column {column!r}", todo=f"columns are {', '.join(COLUMNS)}")
        name = "text" if column == "bytes" else column  # UTF-8 sorts as its code points do
        if name not in self._orders:
            self._orders[name] = self._order(name)
        return self._orders[name]

    def _order(self, column: str) -> Int64s:
        v = self.vocabulary
        if column == "id":
            return np.arange(len(self))
        if column == "text":
            return sort_bytes(v.blob, v.offsets)
        if column == "length":
            return sort_lengths(self.lengths)
        if column == "kind":
            return np.argsort(v.kinds, kind="stable")
        if column == "utf8":
            return np.argsort(self.classes, kind="stable")
        if column == "script":
            names = [*names_of_codes(), *[""] * 256][:256]
            names[MIXED] = "\U0010ffff"
            places = np.argsort(np.argsort(np.array(names))).astype(np.uint16)
            return np.argsort(places[self.script], kind="stable")
        if column == "score":
            return np.arange(len(self)) if v.scores is None else np.argsort(v.scores, kind="stable")
        return np.argsort({"rank": self.ranks, "left": self.left, "right": self.right}[column], kind="stable")

    def id_of(self, piece: bytes) -> int | None:
        """The id of the entry with these bytes, as Vocabulary.id_of (which makes a dict of all entries first): by
        halving the entries in order."""
        v, order = self.vocabulary, self.order("text")
        first = bisect_left(order, piece, key=lambda row: v.bytes_at(int(row)))
        best: int | None = None
        for row in order[first:]:
            if v.bytes_at(int(row)) != piece:
                break
            if v.kinds[row] in (TokenKind.NORMAL, TokenKind.ADDED):
                return int(v.ids[row])
            best = int(v.ids[row]) if best is None else best
        return best

    def sort(self, rows: Int64s, column: str, descending: bool = False) -> Int64s:
        """The rows in the order of a column (COLUMNS). Entries without a value come first, or last when descending."""
        order = self.order(column)
        if len(rows) == len(self):
            out = order
        elif len(rows) * 8 > len(self):
            there = np.zeros(len(self), np.bool_)
            there[rows] = True
            out = order[there[order]]
        else:
            if column not in self._places:
                places = np.empty(len(self), np.int32)
                places[order] = np.arange(len(self), dtype=np.int32)
                self._places[column] = places
            out = rows[np.argsort(self._places[column][rows])]
        return out[::-1] if descending else out
