"""How far a match has looked: an automaton that is alive as long as any way through the pattern is.

A match that starts at p and after which the automaton is dead at q has looked at no character from q on, whatever the
matcher tried: the automaton follows all alternatives, all lengths and all look-aheads at once. So a change from q on
cannot change that match. This one fact makes re-lexing after an edit safe for every pattern without look-behind: no
proof by hand for any of them is needed.

    >>> reach.dead_at(reach.START, classes_of(b"don't stop"), 0)   # the apostrophe kept it alive, the second blank not
    6
"""

from __future__ import annotations

from .pattern_syntax import Alt, Atomic, Edge, Look, Node, Repeat, Seq, Set

_MOST_STATES = 3000
_MOST_DFA = 20000


class TooLarge(Exception):
    """The automaton would have too many states, or the pattern looks behind."""


class Reach:
    """START: the state before a match. ANY: all states at once, for matches that started anywhere before."""

    START = 1
    ANY = 2

    def __init__(self, root: Node, classes_of: dict[int, frozenset[int]], count: int) -> None:
        """classes_of: id(Set node) -> the class bytes in it; count: number of classes. Raises TooLarge."""
        self._count = count
        self._classes_of = classes_of
        self._eps: list[list[int]] = []
        self._step: list[tuple[frozenset[int], int] | None] = []
        self._everything = frozenset(range(count))
        self._end = self._state()
        start = self._build(root, self._end)
        self._closures: dict[int, frozenset[int]] = {}
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._rows: list[list[int]] = []
        self._number(frozenset())
        first = self._closure(start)
        self._number(first) if first else self._rows.append([0] * count)
        every = frozenset(s for s, step in enumerate(self._step) if step is not None)
        self.ANY = self._number(every)

    def _state(self) -> int:
        if len(self._eps) >= _MOST_STATES:
            raise TooLarge
        self._eps.append([])
        self._step.append(None)
        return len(self._eps) - 1

    def _consume(self, classes: frozenset[int], then: int) -> int:
        state = self._state()
        self._step[state] = (classes, then)
        return state

    def _branch(self, *targets: int) -> int:
        state = self._state()
        self._eps[state] = list(targets)
        return state

    def _build(self, node: Node, then: int) -> int:
        """The state from which the node leads to `then`; more ways than the matcher has are allowed, fewer not."""
        if isinstance(node, Set):
            return self._consume(self._classes_of[id(node)], then)
        if isinstance(node, Seq):
            for part in reversed(node.parts):
                then = self._build(part, then)
            return then
        if isinstance(node, Alt):
            return self._branch(*[self._build(part, then) for part in node.parts])
        if isinstance(node, Atomic):
            return self._build(node.part, then)
        if isinstance(node, Look):
            if not node.ahead:
                raise TooLarge
            return self._branch(self._build(node.part, self._end), then)
        if isinstance(node, Edge):
            if node.kind == "start":
                raise TooLarge
            return self._branch(self._consume(self._everything, self._end), then)
        assert isinstance(node, Repeat)
        if node.most is None:
            loop = self._branch(then)
            self._eps[loop].append(self._build(node.part, loop))
            then = loop
        else:
            out = then
            for _ in range(node.most - node.least):
                then = self._branch(out, self._build(node.part, then))
        for _ in range(node.least):
            then = self._build(node.part, then)
        return then

    def _closure(self, state: int) -> frozenset[int]:
        """The states with a step that are reached without one."""
        found = self._closures.get(state)
        if found is None:
            seen, todo, out = {state}, [state], set()
            while todo:
                at = todo.pop()
                if self._step[at] is not None:
                    out.add(at)
                for target in self._eps[at]:
                    if target not in seen:
                        seen.add(target)
                        todo.append(target)
            found = self._closures[state] = frozenset(out)
        return found

    def _number(self, states: frozenset[int]) -> int:
        number = self._numbers.get(states)
        if number is None:
            if len(self._sets) > _MOST_DFA:
                raise TooLarge
            number = self._numbers[states] = len(self._sets)
            self._sets.append(states)
            self._rows.append([-1] * self._count if states else [0] * self._count)
        return number

    def _next(self, state: int, klass: int) -> int:
        out: set[int] = set()
        for s in self._sets[state]:
            step = self._step[s]
            if step is not None and klass in step[0]:
                out |= self._closure(step[1])
        number = self._rows[state][klass] = self._number(frozenset(out))
        return number

    def dead_at(self, state: int, classes: bytes, at: int) -> int:
        """From `state` before the character `at` of the class bytes: the number of the first character that nobody
        looked at, or -1 when something is still alive at the end of `classes` (its end itself may have been seen).
        """
        rows = self._rows
        if not self._sets[state]:
            return at
        for here in range(at, len(classes)):
            klass = classes[here]
            following = rows[state][klass]
            if following < 0:
                following = self._next(state, klass)
            if not following:
                return here + 1
            state = following
        return -1
