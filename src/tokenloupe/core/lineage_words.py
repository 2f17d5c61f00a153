"""Which merges fire in models of words that join all places of a pair at once: subword-nmt's codes and CLIP.

    >>> t = SubwordNmtTokenizer("codes", "", [("a", "b"), ("b", "a</w>")], version=(0, 2))
    >>> [made for made in word_steps(t) if not isinstance(made, float)][0].alive.tolist()
    [True, True]

Byte pair encoding as other models do it joins one place at a time, so that a pair of lower rank that comes about goes
before the other places. Here it does not, and what lineage_firing.py finds need not hold. The proof does: as long as no
merge goes over the ends of a stretch, each round does inside it what it would do if the stretch were all there is. So a
merge fires only if it is the last one of its own result, and every entry is run through once. (One whose result ends a
word fires in the word that it is. Of the others a few may fire in no word, as a word has to go on behind them: nothing
is said of these.)

In codes of version 0.1 the end of a word is a symbol of its own. Merges with it make no new entry and are in no table,
but they take part in the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .clip import ClipTokenizer
from .sennrich import END, MARK, SubwordNmtTokenizer
from .tokenizer import Tokenizer

#: Entries that are run in one slice: some 5 ms.
SLICE = 128
#: Names that are read in one.
NAMES = 4096
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class WordFiring:
    """alive: bool (merges,): all others never fire. built: bool (n,): merges make the entry of its own characters."""

    alive: NDArray[np.bool_]
    built: NDArray[np.bool_]

    @property
    def dead(self) -> NDArray[np.bool_]:
        return np.logical_not(self.alive)


def word_steps(tokenizer: Tokenizer) -> Iterator[float | WordFiring]:
    """Progress 0..1, at last what fires. The tokenizer is one of the two."""
    if isinstance(tokenizer, SubwordNmtTokenizer):
        yield from _run(tokenizer, tokenizer.codes, _codes_symbols(tokenizer), _spelled)
    elif isinstance(tokenizer, ClipTokenizer):
        yield from _run(tokenizer, tokenizer.rank_of, _clip_symbols, lambda s: s)


def last_states(symbols: list[str], rank_of: Mapping[Pair, int]) -> Iterator[list[str]]:
    """The symbols after each round, as they are at first included."""
    yield symbols
    while len(symbols) > 1:
        best = min(pairwise(symbols), key=lambda pair: rank_of.get(pair, _NEVER))
        if best not in rank_of:
            return
        joined: list[str] = []
        i = 0
        while i < len(symbols):
            both = tuple(symbols[i : i + 2]) == best
            joined.append(symbols[i] + symbols[i + 1] if both else symbols[i])
            i += 1 + both
        symbols = joined
        yield symbols


_NEVER = 2**63 - 1


def _codes_symbols(tokenizer: SubwordNmtTokenizer) -> Callable[[str], list[str]]:
    apart = tokenizer.version == (0, 1)  # the end of a word is a symbol of its own

    def symbols(spelled: str) -> list[str]:
        """What a piece is cut into; it ends a word unless it is marked as going on."""
        if spelled.endswith(MARK):
            return list(spelled.removesuffix(MARK))
        return [*spelled, END] if apart else [*spelled[:-1], spelled[-1:] + END]

    return symbols


def _clip_symbols(spelled: str) -> list[str]:
    plain = spelled.removesuffix(END)
    return [*plain[:-1], plain[-1:] + spelled[len(plain):]]


def _spelled(symbol: str) -> str:
    """What a symbol is called among the entries."""
    return symbol.removesuffix(END) if symbol.endswith(END) else symbol + MARK


def _run(
    tokenizer: SubwordNmtTokenizer | ClipTokenizer, rank_of: Mapping[Pair, int],
    symbols_of: Callable[[str], list[str]], spelled: Callable[[str], str],
) -> Iterator[float | WordFiring]:
    v = tokenizer.vocabulary
    assert v.merges is not None
    names: list[str] = []
    for first in range(0, len(v), NAMES):
        names += map(v.raw_at, range(first, min(first + NAMES, len(v))))
        yield 0.0
    row_of = {name: row for row, name in enumerate(names)}
    built = np.zeros(len(v), np.bool_)
    last: set[Pair] = set()
    for number, (name, row) in enumerate(row_of.items(), 1):
        if not v.kinds[row]:
            built[row] = _comes_about(symbols_of(name), rank_of, last)
        if number % SLICE == 0:
            yield number / len(row_of)
    fired = {(spelled(left), spelled(right)) for left, right in last}
    yield 1.0
    alive = np.zeros(len(v.merges), np.bool_)
    left, right = (np.searchsorted(v.ids, side) for side in (v.merges.left, v.merges.right))
    for first in range(0, len(alive), NAMES):
        part = slice(first, first + NAMES)
        alive[part] = [(names[a], names[b]) in fired for a, b in zip(left[part].tolist(), right[part].tolist(),
                                                                     strict=True)]
        yield 1.0
    yield WordFiring(alive, built)


def _comes_about(symbols: list[str], rank_of: Mapping[Pair, int], last: set[Pair]) -> bool:
    """Whether one symbol is left at some time, beside a lone end of a word or not. last: gets the pair that becomes the
    only symbol."""
    before: list[str] = []
    made = False
    for state in last_states(symbols, rank_of):
        if len(state) == 1 and len(before) == 2:
            last.add((before[0], before[1]))
        made |= len(state) == 1 or (len(state) == 2 and state[1] == END)
        before = state
    return made
