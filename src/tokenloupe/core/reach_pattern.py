"""Which strings can lie inside a pre-token, and which can be one: a split pattern as an automaton that allows too much.

    >>> inside = PreTokenShapes.of(named("cl100k_base"))
    >>> inside.fits_inside(b"123"), inside.fits_inside(b"1234"), inside.fits_inside(b"a b")
    (True, False, False)

Look-arounds, anchors, and the order and greed of alternatives are left out, so that the automaton accepts every
pre-token that the pattern can cut, and perhaps more. What it refuses is therefore no part of any pre-token of any text:
a proof. What it accepts proves nothing.

A cut character at either end stands for all characters that have those bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from .pattern import Splitter
from .pattern_reach import Reach, TooLarge
from .pattern_syntax import Alt, Edge, Look, Node
from .segments import completeness
from .utf8 import LENGTH, continuing, is_valid, pending

#: The first code point of two, three and four bytes.
_LEAST = (0x80, 0x800, 0x10000)


class _Shapes(Reach):
    """Reach without look-arounds; a match that has just ended is alive, so that `alive` means `accepted so far`."""

    #: Look-arounds may be met by something (True), or are taken never to be (False).
    loose = True

    def __init__(self, root: Node, classes_of: dict[int, frozenset[int]], count: int) -> None:
        self._ended = False
        super().__init__(root, classes_of, count)

    def _state(self) -> int:
        state = super()._state()
        if not self._ended:  # the first state is the end: it consumes nothing, and is alive
            self._ended = True
            self._step[state] = (frozenset(), state)
        return state

    def _build(self, node: Node, then: int) -> int:
        if isinstance(node, Look | Edge):
            return then if self.loose else self._branch()
        return super()._build(node, then)

    def run(self, state: int, classes: bytes) -> int:
        """The state after the classes, 0 when there is none."""
        for klass in classes:
            following = self._rows[state][klass]
            state = self._next(state, klass) if following < 0 else following
            if not state:
                return 0
        return state

    def run_some(self, state: int, classes: frozenset[int]) -> int:
        """The state after a character of any of the classes."""
        out: set[int] = set()
        for s in self._sets[state]:
            step = self._step[s]
            if step is not None and not classes.isdisjoint(step[0]):
                out |= self._closure(step[1])
        return self._number(frozenset(out))

    def accepts(self, state: int) -> bool:
        return self._end in self._sets[state]


class _Strict(_Shapes):
    loose = False


class PreTokenShapes:
    """splitter: a pattern. Made by `of`."""

    def __init__(self, splitter: Splitter, shapes: _Shapes) -> None:
        self.splitter, self._shapes = splitter, shapes
        self._parts: dict[bytes, frozenset[int]] = {}
        #: The state after a character; whether one can follow in a state.
        self._states: dict[bytes, int] = {}
        self._after: dict[int, dict[bytes, bool]] = {}

    @classmethod
    def of(cls, splitter: Splitter) -> PreTokenShapes | None:
        """None when the splitter is no single pattern, or too large for the question."""
        if splitter.tree is None:
            return None
        root, members = splitter.tree
        try:
            return cls(splitter, _Shapes(root, members, splitter.class_count))
        except TooLarge:
            return None

    @cached_property
    def covers(self) -> bool:
        """True when every character by itself is matched by some way without look-around: no text has a gap."""
        assert self.splitter.tree is not None
        root, members = self.splitter.tree
        if not isinstance(root, Alt):
            root = Alt((root,))
        try:
            strict = _Strict(root, members, self.splitter.class_count)
        except TooLarge:
            return False
        return all(strict.accepts(strict.run(strict.START, bytes([c]))) for c in range(self.splitter.class_count))

    def fits_inside(self, piece: bytes) -> bool:
        """False only when no pre-token contains these bytes."""
        return self._run(piece, self._shapes.ANY) != 0

    def fits_first(self, piece: bytes) -> bool:
        """False only when no pre-token begins with these bytes."""
        return not 0x80 <= piece[0] < 0xC0 and self._run(piece, self._shapes.START) != 0

    def fits_last(self, piece: bytes) -> bool:
        """False only when no pre-token ends with these bytes."""
        return not pending(piece[continuing(piece) :]) and self._shapes.accepts(self._run(piece, self._shapes.ANY))

    def fits_whole(self, piece: bytes) -> bool:
        """False only when no pre-token is exactly these bytes."""
        return is_valid(piece) and self._shapes.accepts(self._run(piece, self._shapes.START))

    def fits_before(self, piece: bytes) -> Callable[[bytes], bool]:
        """Asked of up to a character: False only when no pre-token has it right before the piece. An automaton in the
        same state goes on in the same way, so that of thousands of characters few are run."""
        shapes, runs = self._shapes, dict[int, bool]()
        whole = not 0x80 <= piece[0] < 0xC0

        def fits(edge: bytes) -> bool:
            if pending(edge) or 0x80 <= edge[0] < 0xC0:
                text = edge + piece
                return not completeness(text).invalid and self.fits_inside(text)
            if not whole:
                return False
            state = self._states.get(edge)
            if state is None:
                state = self._states[edge] = 0 if completeness(edge).invalid else self._run(edge, shapes.ANY)
            if state not in runs:
                runs[state] = state != 0 and self._run(piece, state) != 0
            return runs[state]

        return fits

    def fits_after(self, piece: bytes) -> Callable[[bytes], bool]:
        """Asked of up to a character: False only when no pre-token has it right after the piece."""
        inside = all(0x80 <= b < 0xC0 for b in piece)  # of a character: more of it may follow, or the next one
        if pending(piece) or inside:
            def joined(edge: bytes) -> bool:
                text = piece + edge
                return (inside or 0x80 <= edge[0] < 0xC0) and not completeness(text).invalid and self.fits_inside(text)

            return joined
        state = self._run(piece, self._shapes.ANY)
        runs = self._after.setdefault(state, {})

        def fits(edge: bytes) -> bool:
            if edge not in runs:
                runs[edge] = not 0x80 <= edge[0] < 0xC0 and not completeness(edge).invalid and (
                    self._run(edge, state) != 0)
            return runs[edge]

        return fits

    def _run(self, piece: bytes, state: int) -> int:
        shapes = self._shapes
        try:
            head = continuing(piece)
            if head:
                inside = head == len(piece) < 3  # it need not be the end of its character
                state = shapes.run_some(state, self._every if inside else self._ending(piece[:head]))
            tail = pending(piece[head:])
            whole = piece[head : len(piece) - tail]
            if not is_valid(whole):
                return shapes.ANY  # no text at all has these bytes: not a question for a pattern
            state = shapes.run(state, self.splitter.classes(whole)) if state else 0
            return shapes.run_some(state, self._beginning(piece[len(piece) - tail :])) if tail and state else state
        except TooLarge:
            return shapes.ANY

    @cached_property
    def _every(self) -> frozenset[int]:
        return frozenset(range(self.splitter.class_count))

    def _beginning(self, tail: bytes) -> frozenset[int]:
        """The classes of the characters that begin with these bytes, a lead byte first."""
        if tail not in self._parts:
            missing = int(LENGTH[tail[0]]) - len(tail)
            low = tail[0] & (0x7F >> int(LENGTH[tail[0]]))
            for byte in tail[1:]:
                low = low << 6 | (byte & 0x3F)
            low <<= 6 * missing
            stop, low = low + (1 << (6 * missing)), max(low, _LEAST[len(tail) + missing - 2])
            self._parts[tail] = frozenset(np.unique(self.splitter.table[low:stop]).tolist())
        return self._parts[tail]

    def _ending(self, head: bytes) -> frozenset[int]:
        """The classes of the characters that end with these continuation bytes."""
        if head not in self._parts:
            value = 0
            for byte in head:
                value = value << 6 | (byte & 0x3F)
            step = 1 << (6 * len(head))
            least = _LEAST[len(head) - 1]
            some = self.splitter.table[value + max(0, -(-(least - value) // step)) * step :: step]
            self._parts[head] = frozenset(np.unique(some).tolist())
        return self._parts[head]
