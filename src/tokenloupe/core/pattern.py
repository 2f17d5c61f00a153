"""A split pattern -> where the pre-tokens of a text start and end, exactly as the engine it is written for says.

    >>> compile_pattern(r" ?\\p{L}+| ?\\p{N}+|\\s+").ends(b"one two 3")
    array([3, 7, 9])

The idea is class bytes. All the sets of characters in the pattern divide the code points into a few classes (gpt2: 8,
o200k: 22); the text is mapped to one byte a character, its class, and the same pattern runs over those bytes, where a
set is a handful of bytes. Unicode is thereby pinned to tables taken from the engine (unicode_tables.py), and the
matcher is Python's own `re`, which is twice as fast as `regex` over text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import regex
from numpy.typing import NDArray

from .errors import InputError
from .pattern_reach import Reach, TooLarge
from .pattern_syntax import Alt, Atomic, Edge, Look, Node, Repeat, Seq, Set, parse
from .unicode_tables import POINTS, Bools
from .utf8 import decode_per_byte
from .vocabulary import Int64s

if TYPE_CHECKING:
    from .pattern_pairs import PairSplitter

#: Whose rules a pattern is read by: tiktoken (fancy-regex), tokenizers (Oniguruma) or llama.cpp's own.
Engine = Literal["fancy-regex", "oniguruma", "llama.cpp"]

#: Seconds of processor time that a pattern out of a file may take over one text before it is given up, by name: so
#: many, and so many a character (a sound pattern takes a tenth of that at most).
TIME_LIMIT, TIME_A_CHARACTER = 1.5, 3e-6
#: Texts of so many characters are split by pattern_pairs.py where it knows the pattern.
PAIRED = 1024
#: Up to so many characters a loop over matches is faster than arrays.
FEW = 256
#: Atoms a pattern may have when its repetitions are written out: the engine needs memory for each.
LARGEST = 100_000


class Splitter:
    """pattern: the text it was compiled from; engine: whose rules; trusted: known not to blow up on any text;
    may_be_empty: some match may have no character."""

    # A subclass that splits in a way of its own has no reach: nothing is known of how far it looks.
    _reach: Reach | bool | None = None
    trusted = False

    def __init__(self, pattern: str, engine: Engine = "fancy-regex", trusted: bool = False) -> None:
        self.pattern, self.engine, self.trusted = pattern, engine, trusted
        self._root = parse(pattern, engine)
        if _size(self._root) > LARGEST:
            raise InputError(f"the split pattern has more than {LARGEST:,} parts when its repetitions are written out",
                             where=repr(pattern)[:120])
        sets = list(_sets(self._root))
        self._table, self._first, kinds = _classes([s.members for s in sets])
        self.class_count = kinds
        members = {id(s): frozenset(np.flatnonzero(s.members[self._first]).tolist()) for s in sets}
        self._members = members
        # The table is for single bytes, too: ASCII text is mapped by bytes.translate alone.
        self._ascii = self._table[:256].tobytes()
        self.may_be_empty = _least(self._root) == 0
        written = _written(self._root, members, kinds)
        try:
            self._regex: Any = (re if trusted else regex).compile(written.encode("latin-1"), 16)  # 16: DOTALL in both
        except (re.error, regex.error, OverflowError) as error:
            raise InputError(f"the split pattern cannot be used ({error})", where=repr(pattern)[:120]) from error
        self._reach = False

    def __repr__(self) -> str:
        return f"Splitter({self.pattern!r}, {self.engine!r})"

    @property
    def reach(self) -> Reach | None:
        """How far matches look; None when the pattern looks behind or is too large for the question."""
        if isinstance(self._reach, bool):
            try:
                self._reach = Reach(self._root, self._members, self.class_count)
            except TooLarge:
                self._reach = None
        return self._reach

    @property
    def stages(self) -> list[Splitter] | None:
        """The patterns that cut a text, one after the other; None where something else does, too."""
        return [self]

    @property
    def tree(self) -> tuple[Node, dict[int, frozenset[int]]] | None:
        """(the pattern as a tree, the class bytes of each Set in it by its id()); None for a splitter that is no
        pattern."""
        return (self._root, self._members) if hasattr(self, "_root") else None

    @property
    def table(self) -> NDArray[np.uint8]:
        """uint8 (0x110000,): the class byte of each code point."""
        return self._table

    @cached_property
    def _pairs(self) -> PairSplitter | None:
        from .pattern_pairs import PairSplitter  # late: it knows the patterns that are compiled here

        return PairSplitter.of(self) if self.trusted else None

    def classes(self, data: bytes) -> bytes:
        """The class byte of each code point of valid UTF-8. UnicodeDecodeError when it is not valid."""
        if data.isascii():
            return data.translate(self._ascii)
        points = np.frombuffer(data.decode("utf-8").encode("utf-32-le"), np.uint32)
        return self._table[points].tobytes()

    def broken_classes(self, data: bytes) -> tuple[bytes, Int64s]:
        """(class bytes, byte edges of the characters) of any bytes: one that is no UTF-8 is a U+FFFD of its own."""
        text, starts, _ = decode_per_byte(data)
        return self._table[np.frombuffer(text.encode("utf-32-le"), np.uint32)].tobytes(), np.append(starts, len(data))

    def ends(self, data: bytes) -> Int64s:
        """Byte offsets at which the pre-tokens end, for patterns that match every text wholly."""
        return self.spans(data)[1]

    def spans(self, data: bytes) -> tuple[Int64s, Int64s]:
        """(starts, ends) int64 byte offsets of the matches in valid UTF-8; what lies between is matched by nothing.

        InputError, naming the pattern, when it takes too long.
        """
        starts, ends = self.spans_of_classes(self.classes(data))
        if not data.isascii():
            edges = char_edges(data)
            starts, ends = edges[starts], edges[ends]
        return starts, ends

    def text_spans(self, text: str, empty: bool = False) -> list[tuple[int, int]]:
        """(start, end) of the matches in code points of a str; a lone surrogate stands for a byte that is no UTF-8, and
        is taken for U+FFFD. empty: with the empty matches, by the rule of both engines: none right after a match."""
        classes = self._text_classes(text)
        if len(text) <= FEW and not self.may_be_empty:  # a pre-token that is cut further: arrays take ten times as long
            try:
                return [m.span() for m in self._regex.finditer(classes, **self._limit(classes))]
            except TimeoutError as error:
                raise self._too_long() from error
        starts, ends = self.spans_of_classes(classes, empty)
        return list(zip(starts.tolist(), ends.tolist(), strict=True))

    def _text_classes(self, text: str) -> bytes:
        if text.isascii():
            return text.encode().translate(self._ascii)
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        return self._table[np.where((points & 0xFFFFF800) == 0xD800, np.uint32(0xFFFD), points)].tobytes()

    def spans_of_classes(self, classes: bytes, empty: bool = False) -> tuple[Int64s, Int64s]:
        """The same as `spans` in characters, over class bytes."""
        try:
            if self.may_be_empty:
                pairs = list(self._with_empty(classes))
                edges = np.array(pairs, np.int64).reshape(-1, 2)
                if not empty:
                    edges = edges[edges[:, 0] < edges[:, 1]]
                return edges[:, 0].copy(), edges[:, 1].copy()
            known = self._pairs if len(classes) >= PAIRED else None
            if known is not None and (by_pairs := known.ends(classes)) is not None:
                return np.concatenate((np.zeros(1, np.int64), by_pairs[:-1])), by_pairs
            found = self._regex.findall(classes, **self._limit(classes))
            ends = np.cumsum(np.fromiter(map(len, found), np.int64, len(found)))
            if (int(ends[-1]) if len(found) else 0) == len(classes):
                starts = np.empty_like(ends)
                starts[1:], starts[:1] = ends[:-1], 0
                return starts, ends
            matches = self._regex.finditer(classes, **self._limit(classes))
            edges = np.array([m.span() for m in matches], np.int64).reshape(-1, 2)
            return edges[:, 0].copy(), edges[:, 1].copy()
        except TimeoutError as error:
            raise self._too_long() from error

    def _too_long(self) -> InputError:
        return InputError("the split pattern takes too long on this text", where=repr(self.pattern)[:120],
                          todo="a nested repetition in it may blow up")

    def _limit(self, classes: bytes) -> dict[str, float]:
        return {} if self.trusted else {"timeout": TIME_LIMIT + TIME_A_CHARACTER * len(classes)}

    def _with_empty(self, classes: bytes) -> Iterator[tuple[int, int]]:
        at, last = 0, -1
        limit = self._limit(classes)
        while at <= len(classes) and (match := self._regex.search(classes, at, **limit)):
            start, end = match.span()
            if start == end == last:
                at = end + 1
                continue
            yield start, end
            at = last = end


def char_edges(data: bytes) -> Int64s:
    """int64 (n+1,): byte offset of each code point of valid UTF-8, and the end."""
    return np.append(np.flatnonzero((np.frombuffer(data, np.uint8) & 0xC0) != 0x80), len(data))


def _sets(node: Node) -> Iterator[Set]:
    if isinstance(node, Set):
        yield node
    elif isinstance(node, Seq | Alt):
        for part in node.parts:
            yield from _sets(part)
    elif not isinstance(node, Edge):
        yield from _sets(node.part)


def _classes(sets: list[Bools]) -> tuple[NDArray[np.uint8], Int64s, int]:
    """(class of each code point uint8 (0x110000,), a code point of each class, number of classes)."""
    changes = [np.flatnonzero(s[1:] != s[:-1]) + 1 for s in sets]
    firsts = np.unique(np.concatenate([np.zeros(1, np.int64), *changes]))
    rows = np.stack([s[firsts] for s in sets], axis=1) if sets else np.zeros((1, 0), np.bool_)
    packed = np.packbits(rows, axis=1) if sets else np.zeros((1, 1), np.uint8)
    _, where, index = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    if len(where) > 256:
        raise InputError(f"the split pattern tells {len(where)} kinds of characters apart; at most 256 can be")
    lengths = np.diff(np.append(firsts, POINTS))
    return np.repeat(index.reshape(-1).astype(np.uint8), lengths), firsts[where], len(where)


def _least(node: Node) -> int:
    """Least number of characters a match of the node has."""
    if isinstance(node, Set):
        return 1
    if isinstance(node, Seq):
        return sum(map(_least, node.parts))
    if isinstance(node, Alt):
        return min(map(_least, node.parts))
    if isinstance(node, Repeat):
        return node.least * _least(node.part)
    return _least(node.part) if isinstance(node, Atomic) else 0


def _size(node: Node) -> int:
    """Number of atoms when every counted repetition is written out."""
    if isinstance(node, Seq | Alt):
        return sum(map(_size, node.parts))
    if isinstance(node, Repeat):
        return max(node.least, node.most or 1) * _size(node.part)
    return 1 if isinstance(node, Set | Edge) else 1 + _size(node.part)


def _written(node: Node, members: dict[int, frozenset[int]], kinds: int) -> str:
    """The node as a pattern over class bytes (as Latin-1), in the syntax that `re` and `regex` share."""
    if isinstance(node, Set):
        classes = sorted(members[id(node)])
        if len(classes) == kinds:
            return "."
        return "[" + "".join(f"\\x{c:02x}" for c in classes) + "]" if classes else "(?!)"
    if isinstance(node, Edge):
        return "\\A" if node.kind == "start" else "\\Z"
    if isinstance(node, Seq):
        return "".join(f"(?:{_written(p, members, kinds)})" if isinstance(p, Alt) else _written(p, members, kinds)
                       for p in node.parts)
    if isinstance(node, Alt):
        return "|".join(_written(p, members, kinds) for p in node.parts)
    inner = _written(node.part, members, kinds)
    if isinstance(node, Atomic):
        return f"(?>{inner})"
    if isinstance(node, Look):
        return f"(?{'' if node.ahead else '<'}{'!' if node.negative else '='}{inner})"
    if not isinstance(node.part, Set) or not members[id(node.part)]:
        inner = f"(?:{inner})"
    times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((node.least, node.most))
    if times is None:
        times = f"{{{node.least},{'' if node.most is None else node.most}}}"
    # "{1,3}+" is possessive in `re` as in `regex`
    return inner + times + {"greedy": "", "lazy": "?", "possessive": "+"}[node.mode]


@lru_cache(maxsize=64)
def compile_pattern(pattern: str, engine: Engine = "fancy-regex") -> Splitter:
    """InputError when the pattern cannot be read. Those that patterns.py knows run without a time limit."""
    from .patterns import is_trusted  # late: patterns.py is written with this module

    return Splitter(pattern, engine, is_trusted(pattern))
