"""StopMatcher: cut a stream of text at the first stop string, hold back no more than needed. No dependencies: copy it.

A stop string may begin in one token and end in a later one. So a suffix that could begin a stop is held until it is
clear; everything before it goes out at once.

    >>> matcher = StopMatcher(["\\nUser:"])
    >>> [matcher.push(t) for t in ("Hi", "\\nUs", "er:", " more")], matcher.matched
    (['Hi', '', '', ''], '\\nUser:')
    >>> matcher = StopMatcher(["\\nUser:"])
    >>> [matcher.push(t) for t in ("Hi", "\\nUs", "ual")], matcher.flush()
    (['Hi', '', '\\nUsual'], '')

Its input is text, so put it after a StreamDecoder, never on bytes or on text decoded token by token: a stop whose
character is cut between two tokens would never match, and a shared buffer answers neither question right.

What holds for every text and every way of cutting it (the tests check all of it):

1. the stop that is *completed* first wins; of stops completed by the same character, the longest;
2. the text before it comes out, whole and in order, and nothing of the stop or after it;
3. what is held is the longest suffix of the text that begins some stop, and nothing else;
4. without a match, the outputs joined with flush() are the text.

This is the automaton of Aho and Corasick (Efficient string matching, CACM 18(6), 1975), one step a character.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


class StopMatcher:
    """stops: the strings to stop at. ValueError for an empty one, which would stop every stream at once.

    matched: the stop that was found, or None. held: the text that waits.
    """

    __slots__ = ("_depth", "_fail", "_found", "_next", "_state", "held", "matched", "stops")

    def __init__(self, stops: Iterable[str]) -> None:
        self.stops = tuple(stops)
        self.matched: str | None = None
        self.held = ""
        self._state = 0
        self._next: list[dict[str, int]] = [{}]  # the trie: state -> character -> state
        self._depth = [0]  # characters of a stop that a state has seen
        self._found: list[str | None] = [None]  # the longest stop that ends in a state
        for stop in self.stops:
            if not stop:
                raise ValueError("an empty stop string matches everywhere")
            state = 0
            for character in stop:
                if character not in self._next[state]:
                    self._next[state][character] = len(self._next)
                    self._next.append({})
                    self._depth.append(self._depth[state] + 1)
                    self._found.append(None)
                state = self._next[state][character]
            self._found[state] = stop
        self._link()

    def _link(self) -> None:
        """Where to go on from when a character does not fit: the longest proper suffix that begins a stop."""
        self._fail = [0] * len(self._next)
        queue = deque(self._next[0].values())
        while queue:
            state = queue.popleft()
            if self._found[state] is None:
                self._found[state] = self._found[self._fail[state]]
            for character, child in self._next[state].items():
                queue.append(child)
                back = self._fail[state]
                while back and character not in self._next[back]:
                    back = self._fail[back]
                self._fail[child] = self._next[back].get(character, 0)

    def push(self, text: str) -> str:
        """The text that can be shown now. After a match: nothing, for ever."""
        if self.matched is not None:
            return ""
        state, following, fail = self._state, self._next, self._fail
        for index, character in enumerate(text):
            while state and character not in following[state]:
                state = fail[state]
            state = following[state].get(character, 0)
            if (stop := self._found[state]) is not None:
                self.matched, shown = stop, self.held + text[: index + 1]
                self.held = ""
                return shown[: len(shown) - len(stop)]
        shown = self.held + text
        self._state = state
        cut = len(shown) - self._depth[state]
        self.held = shown[cut:]
        return shown[:cut]

    def flush(self) -> str:
        """The end of the stream: what was held began no stop after all."""
        held, self.held = self.held, ""
        self._state = 0
        return held
