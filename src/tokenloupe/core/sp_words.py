"""Long texts by their words: what lies between two spaces is normalized and segmented once, and known by its bytes.

    >>> words = SpWords(normalizer, model, Chunker(normalizer, model.side))
    >>> words.encode(b"one two one two ..")         # ids, starts, ends, lost; None: better taken as a whole

It takes a model whose pieces do not reach over a space and rules that leave spaces alone. A word is then the same
wherever it stands, but for three: the first and the last (the prefix, spaces that are dropped), and one at whose end
the rules make a space of something else (U+00A0, say); that one is taken together with its neighbour. Line ends and
tabs that the rules make spaces of are cut at as spaces are.

Of a unigram model the running sum decides between nearly equal segmentations (sp_unigram.py): a word's stretches are
kept, and where the sum decides otherwise its tokens are given out anew.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .ragged import places
from .sp_chunks import Chunker
from .sp_models import PieceModel
from .sp_normalizer import SPACE, Normalized, Spans, SpNormalizer
from .sp_unigram import UnigramModel
from .stretch_table import MOST_TOKENS, SLICE_SECONDS, SLICE_WORDS, Numbers, room
from .text import code_points, utf8_edges
from .vocabulary import Int64s

#: A text needs so many bytes, and a space for every so many of them.
LEAST, SPARSE = 2048, 48
#: How often words are joined with their neighbours before a text is taken as a whole.
_ROUNDS = 8
#: What is wrong with a word by itself: nothing, or it must be taken together with the next, or the one before.
_FINE, _NEXT, _BEFORE = 0, 1, 2


class SpWords:
    """normalizer, model, chunker: of a SentencePiece tokenizer. usable: whether words are independent of each other."""

    def __init__(self, normalizer: SpNormalizer, model: PieceModel, chunker: Chunker) -> None:
        self.normalizer, self.model, self._chunker = normalizer, model, chunker
        self.usable = chunker.usable and not normalizer.units_matter
        self.space_first = model.side == "before"
        self._others_blank = _blanks(normalizer)
        blank = b"[ " + b"".join(map(re.escape, self._others_blank)) + b"]"
        black = b"[^" + blank[1:]
        self._blank = frozenset((b" ", *self._others_blank))
        self._apart = re.compile(blank + b"+" + black + b"*|" + black + b"+" if self.space_first
                                 else black + b"*" + blank + b"+|" + black + b"+")
        self._settling = model if isinstance(model, UnigramModel) and model.single_precision else None
        self.reset()

    def reset(self) -> None:
        self._known: Numbers[bytes] = Numbers()
        self._at_ends: dict[tuple[bytes, bool, bool], int] = {}
        self._others: dict[tuple[int, bytes], int] = {}  # of a word and its stretches as settled
        self._count = self._tokens = self._parts = 0
        #: Of each number its bytes as they stand in a text; of some, whether the text begins and ends with them.
        self._words: list[bytes] = []
        self._places: dict[int, tuple[bool, bool]] = {}
        self._lost: dict[int, Spans] = {}
        self._pending: list[tuple[Int64s, Int64s, Spans]] = []
        self._glue = np.zeros(0, np.int8)
        self._lossy = np.zeros(0, np.bool_)
        self._sizes, self._begins, self._counts = (np.zeros(0, np.int64) for _ in range(3))
        self._ids, self._starts, self._ends = (np.zeros(0, np.int64) for _ in range(3))
        self._part_begins, self._part_counts, self._stretches = (np.zeros(0, np.int64) for _ in range(3))
        self._beginnings = self._settling.known.beginnings if self._settling is not None else 0

    def suits(self, data: bytes) -> bool:
        """Is the text long enough, and does it have spaces enough?"""
        return self.usable and len(data) >= LEAST and data.count(b" ") * SPARSE > len(data)

    def encode(self, data: bytes, *, spans: bool = True) -> tuple[Int64s, Int64s, Int64s, Spans] | None:
        """ids, starts, ends, lost; None where the words cannot be told apart. spans: False leaves the rest empty."""
        total, made, lost = 0.0, [], []
        for start, end in pairwise(self._chunker.edges(data)):
            numbers = self._of_slice(data, start, end)
            if numbers is None:
                return None
            if self._settling is not None:
                total = self._settle(self._settling, numbers, total)
            made.append(self._gathered(numbers, start, spans))
            if spans:
                lost += self._lost_of(numbers, start)
        ids, starts, ends = map(np.concatenate, zip(*made, strict=True)) if len(made) > 1 else made[0]
        return ids, starts, ends, lost

    def prepare(self, data: bytes) -> Iterator[float]:
        """Work out in slices of about 8 ms what is new; yields progress 0..1."""
        began = time.perf_counter()
        for start, end in pairwise(self._chunker.edges(data)):
            self._make_room()
            new = [w for w in dict.fromkeys(self._cut(data, start, end)) if w not in self._known]
            for done in range(0, len(new), SLICE_WORDS):
                self._numbers(new[done : done + SLICE_WORDS])
                if time.perf_counter() - began > SLICE_SECONDS:
                    yield (start + done / len(new) * (end - start)) / len(data)
                    began = time.perf_counter()

    def _make_room(self) -> None:
        """Begin anew where there is too much, or the numbers of the model's stretches are of another time."""
        if self._tokens > MOST_TOKENS or self._stale():
            self.reset()

    def _stale(self) -> bool:
        """Has the model's table begun anew? The numbers of stretches are of another time then."""
        return self._settling is not None and self._settling.known.beginnings != self._beginnings

    def _cut(self, data: bytes, start: int, end: int) -> list[bytes]:
        """The words of a slice: without the space that parts them where that is all there is between them; otherwise
        all of them with all the spaces on their side."""
        body = data[start:end]
        if b"  " in body or any(c in body for c in self._others_blank):
            return self._apart.findall(body)
        if self.space_first:
            return (body[1:] if start else body).split(b" ")
        return (body if end == len(data) else body[:-1]).split(b" ")

    def _own(self, word: bytes) -> bytes:
        """The word with the spaces on its side."""
        if self.space_first:
            return word if word[:1] in self._blank else b" " + word
        return word if word[-1:] in self._blank else word + b" "

    def _of_slice(self, data: bytes, start: int, end: int) -> Int64s | None:
        """The numbers of the words of a slice, each fine by itself; None where that cannot be had."""
        for _ in range(2):
            self._make_room()
            numbers = self._fine_words(data, start, end)
            if not self._stale():  # else the model's table was full in the middle of it
                return numbers
        return None

    def _fine_words(self, data: bytes, start: int, end: int) -> Int64s | None:
        words = self._cut(data, start, end)
        begins, ends = start == 0, end == len(data)
        for _ in range(_ROUNDS):
            low, high = int(begins), len(words) - int(ends)
            if low > high:
                return None
            numbers = np.empty(len(words), np.int64)
            numbers[low:high] = self._numbers(words[low:high])
            if begins:
                numbers[0] = self._at_end(words[0], True, False)
            if ends:
                numbers[-1] = self._at_end(words[-1], False, True)
            glue = self._glue.take(numbers)
            if not bool(glue.any()):
                return numbers
            if glue[0] == _BEFORE or glue[-1] == _NEXT:
                return None
            with_next = np.union1d(np.flatnonzero(glue == _NEXT), np.flatnonzero(glue == _BEFORE) - 1)
            words = _glued(words, with_next, self._own, self.space_first)
        return None

    def _numbers(self, words: Sequence[bytes]) -> Int64s:
        return self._known.of(words, self._learn, self.reset)

    def _learn(self, words: list[bytes]) -> None:
        """Of words inside a text, whose numbers are the next ones."""
        own = list(map(self._own, words))
        first = self._take_numbers(own)
        self._work_out(np.arange(first, first + len(own)), own)

    def _at_end(self, word: bytes, begins: bool, ends: bool) -> int:
        """The number of a word with which a text begins or ends."""
        own = word if (begins if self.space_first else ends) else self._own(word)
        key = own, begins, ends
        if key not in self._at_ends:
            number = self._take_numbers([own])
            self._places[number] = begins, ends
            self._store(np.array([number]), [own], self.normalizer.normalize(own, begins=begins, ends=ends))
            self._at_ends[key] = number
        return self._at_ends[key]

    def _take_numbers(self, words: list[bytes]) -> int:
        """Room for further words; the number of the first."""
        first = self._count
        self._count = self._known.given = first + len(words)
        self._words += words
        self._glue, self._lossy = room(self._glue, self._count), room(self._lossy, self._count)
        self._sizes, self._begins = room(self._sizes, self._count), room(self._begins, self._count)
        self._counts, self._part_begins = room(self._counts, self._count), room(self._part_begins, self._count)
        self._part_counts = room(self._part_counts, self._count)
        return first

    def _work_out(self, numbers: Int64s, words: list[bytes]) -> None:
        """All of them together. A word that ends with a space that rules made changes the one behind it: what does not
        look fine is looked at again behind a word that does not."""
        odd = np.flatnonzero(self._store(numbers, words, self.normalizer.normalize(b"".join(words), begins=False,
                                                                                   ends=False)))
        if self.space_first and len(odd) and len(words) > 1:
            beside = self._take_numbers([b" a"])
            again = [w for i in odd.tolist() for w in (b" a", words[i])]
            self._store(np.column_stack([np.full(len(odd), beside), numbers[odd]]).ravel(), again,
                        self.normalizer.normalize(b"".join(again), begins=False, ends=False))

    def _store(self, numbers: Int64s, words: list[bytes], normalized: Normalized) -> Int64s:
        """What the words of one normalized text become. Returns `glue` of each; those are not segmented."""
        chars, text = normalized.chars, normalized.text
        sizes = np.fromiter(map(len, words), np.int64, len(words))
        firsts = np.cumsum(sizes) - sizes
        edges = np.append(np.searchsorted(chars.starts, firsts), len(text))
        edges[0] = 0
        headless = np.append(chars.starts, int(sizes.sum()))[edges[:-1]] > firsts  # what stood in front was dropped
        glue = self._glue_of(text, edges, headless, *self._place(int(numbers[0])))
        self._glue[numbers], self._sizes[numbers] = glue, sizes
        self._counts[numbers] = self._part_counts[numbers] = 0
        if bool(glue.any()):
            if len(words) > 1:
                good = np.flatnonzero(glue == _FINE)
                if len(good):
                    some = [words[i] for i in good.tolist()]
                    again = self.normalizer.normalize(b"".join(some), begins=False, ends=False)
                    self._store(numbers[good], some, again)
            return glue
        width_edges = utf8_edges(code_points(text))[edges]
        if self._settling is None:
            ids, widths = self.model.encode_finely(text)
        else:
            parts, counts = self._settling.words(text, edges)
            ids, widths = self._settling.known.gather(parts)
            self._part_counts[numbers] = counts
            self._part_begins[numbers] = self._parts + np.cumsum(counts) - counts
            self._stretches = room(self._stretches, self._parts + len(parts))
            self._stretches[self._parts : self._parts + len(parts)] = parts
            self._parts += len(parts)
        self._give_out(numbers, firsts, normalized, width_edges, ids, widths)
        if normalized.lost:
            self._pending.append((numbers, firsts, normalized.lost))
        return glue

    def _place(self, number: int) -> tuple[bool, bool]:
        """Whether a text begins, and ends, with the word."""
        return self._places.get(number, (False, False))

    def _glue_of(self, text: str, edges: Int64s, headless: NDArray[np.bool_], begins: bool, ends: bool) -> Int64s:
        """What is wrong with each word. begins, ends: of a word alone, whether the text begins and ends with it."""
        empty = edges[1:] == edges[:-1]
        marks = np.append(code_points(text) == ord(SPACE), False)
        opens, closes = marks[edges[:-1]] & ~empty, marks[edges[1:] - 1] & ~empty
        if self.space_first:
            wrong = (empty | closes) & (not ends)
            if not begins:
                wrong |= ~opens & ~empty
            return np.where(wrong, _NEXT, _FINE)
        before = ((opens | headless) & (not begins)) | (empty & ends)
        return np.where(before, _BEFORE, np.where(~closes & (not ends), _NEXT, _FINE))

    def _give_out(self, numbers: Int64s, firsts: Int64s, normalized: Normalized, width_edges: Int64s, ids: Int64s,
                  widths: Int64s) -> None:
        """Note the tokens of words. firsts: the byte at which each begins; width_edges: of the normalized text."""
        stops = np.cumsum(widths)
        counts = np.diff(np.searchsorted(stops, width_edges, side="right"))
        starts, ends = normalized.chars.behind(stops - widths, stops) if len(ids) else (ids, ids)
        base = np.repeat(firsts, counts)
        self._counts[numbers] = counts
        self._begins[numbers] = self._tokens + np.cumsum(counts) - counts
        stop = self._tokens + len(ids)
        self._ids, self._starts, self._ends = (room(a, stop) for a in (self._ids, self._starts, self._ends))
        self._ids[self._tokens : stop] = ids
        self._starts[self._tokens : stop], self._ends[self._tokens : stop] = starts - base, ends - base
        self._tokens = stop

    def _note_lost(self) -> None:
        """Note what words lose that were worked out since, each what is its own."""
        pending, self._pending = self._pending, []
        for numbers, firsts, lost in pending:
            edges = [*firsts.tolist()[1:], 1 << 62]
            owners = np.searchsorted(firsts, [x[0] for x in lost], side="right") - 1
            for owner, (start, end, stage) in zip(owners.tolist(), lost, strict=True):
                while start < end:
                    number, first, stop = int(numbers[owner]), int(firsts[owner]), min(end, edges[owner])
                    self._lost.setdefault(number, []).append((start - first, stop - first, stage))
                    self._lossy[number] = True
                    owner, start = owner + 1, stop

    def _settle(self, model: UnigramModel, numbers: Int64s, total: float) -> float:
        """Replace in `numbers` what 32-bit sums decide otherwise. total: the sum before; returns the one after."""
        counts = self._part_counts.take(numbers)
        own = self._stretches.take(places(self._part_begins.take(numbers), counts))
        settled = own.copy()
        total = model.settle(settled, total)
        changed = np.flatnonzero(settled != own)
        if len(changed):
            stops = np.cumsum(counts)
            for i in np.unique(np.searchsorted(stops, changed, side="right")).tolist():
                numbers[i] = self._other(model, int(numbers[i]), settled[stops[i] - counts[i] : stops[i]])
        return total

    def _other(self, model: UnigramModel, number: int, stretches: Int64s) -> int:
        """The number of a word whose stretches came out otherwise."""
        key = number, stretches.tobytes()
        if key not in self._others:
            word, (begins, ends) = self._words[number], self._place(number)
            other = self._take_numbers([word])
            normalized = self.normalizer.normalize(word, begins=begins, ends=ends)
            ids, widths = model.known.gather(stretches)
            self._give_out(np.array([other]), np.zeros(1, np.int64), normalized, np.array([0, int(widths.sum())]), ids,
                           widths)
            self._note_lost()
            self._sizes[other], self._lossy[other] = self._sizes[number], self._lossy[number]
            if number in self._lost:
                self._lost[other] = self._lost[number]
            self._others[key] = other
        return self._others[key]

    def _gathered(self, numbers: Int64s, start: int, spans: bool) -> tuple[Int64s, Int64s, Int64s]:
        """(ids, starts, ends) of the words of a slice that begins at byte `start`."""
        counts = self._counts.take(numbers)
        at = places(self._begins.take(numbers), counts)
        ids = self._ids.take(at)
        if not spans:
            return ids, ids[:0], ids[:0]
        base = np.repeat(self._first_bytes(numbers, start), counts)
        return ids, self._starts.take(at) + base, self._ends.take(at) + base

    def _first_bytes(self, numbers: Int64s, start: int) -> Int64s:
        sizes = self._sizes.take(numbers)
        first: Int64s = np.cumsum(sizes) - sizes + start
        return first

    def _lost_of(self, numbers: Int64s, start: int) -> Spans:
        self._note_lost()
        if not self._lost:
            return []
        rows = np.flatnonzero(self._lossy.take(numbers))
        own = zip(numbers[rows].tolist(), self._first_bytes(numbers, start)[rows].tolist(), strict=True)
        out: Spans = []
        open_until = -1
        open_at: dict[str, int] = {}  # what the word before lost up to its end: stage -> its place in `out`
        for (number, base), size in zip(own, self._sizes.take(numbers[rows]).tolist(), strict=True):
            still = open_at if open_until == base else {}
            open_until, open_at = base + size, {}
            for start, end, stage in self._lost[number]:
                if start == 0 and stage in still:
                    at = still.pop(stage)
                    out[at] = out[at][0], base + end, stage
                else:
                    at = len(out)
                    out.append((start + base, end + base, stage))
                if end == size:
                    open_at[stage] = at
        return out


def _blanks(normalizer: SpNormalizer) -> list[bytes]:
    """Of the control characters that end lines and part columns those that are to the rules what a space is."""
    rules = normalizer.rules
    if rules is None:
        return []
    longer = {*rules.inner_points, *rules.openings[1]}
    return [c.encode() for c in "\t\n\v\f\r" if rules.own.get(ord(c)) == " " and ord(c) not in longer
            and not any(c in p for p in normalizer.user_defined)]


def _glued(words: list[bytes], with_next: Int64s, own: Callable[[bytes], bytes], space_first: bool) -> list[bytes]:
    """Each word of `with_next` made one with the word behind it. own: a word with the spaces on its side."""
    out: list[bytes] = []
    done = 0
    for group in np.split(with_next, np.flatnonzero(np.diff(with_next) > 1) + 1):
        first, last = int(group[0]), int(group[-1]) + 1
        out += words[done:first]
        if space_first:
            out.append(words[first] + b"".join(map(own, words[first + 1 : last + 1])))
        else:
            out.append(b"".join(map(own, words[first:last])) + words[last])
        done = last + 1
    return out + words[done:]
