"""Added tokens: matched in the text before the model runs, with their flags, as the library does it.

    >>> tokens = AddedTokens([AddedToken("<s>", 1, special=True)], {"a": 0}, 1, [])
    >>> tokens.find("a<s>a", tokens.raw, allow=None)
    [(0, 1, -1), (1, 4, 1), (4, 5, -1)]

The leftmost and, of those, the longest is taken; a special token that is not allowed is passed over together with what
it covers. Ids are what the library gives, which need not be what the file says: `warnings` tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..vocabulary import Int64s
from .chars import table

#: From so many tokens on, and in texts up to so many characters, tokens are looked up where one may begin.
MANY, SHORT = 512, 1 << 16


@dataclass(frozen=True, slots=True)
class AddedToken:
    """One entry of "added_tokens". file_id: the id in the file."""

    content: str
    file_id: int
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = False

    @property
    def flags(self) -> tuple[str, bool, bool, bool, bool, bool]:
        return self.content, self.single_word, self.lstrip, self.rstrip, self.normalized, self.special


@dataclass(frozen=True)
class Matcher:
    """ids: text -> id. pattern: finds any of the texts, longest first, as its group; None where there
    is none to find."""

    ids: dict[str, int] = field(default_factory=dict)

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        return re.compile(f"({longest_of(self.ids)})") if self.ids else None

    def spans(self, text: str) -> Iterable[tuple[int, int]]:
        """(start, end) of the texts in this one, the leftmost and of those the longest, none over another. Few of
        thousands are in a short text: they are looked up (six thousand of gemma's take 0.5 s to compile)."""
        if len(self.ids) < MANY or len(text) > SHORT or "pattern" in self.__dict__:
            return [m.span() for m in self.pattern.finditer(text)] if self.pattern is not None else []
        return self._looked_up(text)

    def table(self, text: str) -> Int64s:
        """Where there are texts to find: int64 (n, 3), (start, end, id or -1) in characters, covering the text, which
        is not empty. Many times as fast as match by match: the pattern cuts, and the lengths of the parts are summed.
        """
        assert self.pattern is not None
        parts = self.pattern.split(text)
        ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
        found = np.full((len(parts), 3), -1, np.int64)
        found[0, 0] = 0
        found[1:, 0], found[:, 1] = ends[:-1], ends
        found[1::2, 2] = list(map(self.ids.__getitem__, parts[1::2]))
        return found[found[:, 1] > found[:, 0]]

    def _looked_up(self, text: str) -> Iterator[tuple[int, int]]:
        lengths, done = self._lengths, 0
        for match in self._first.finditer(text):
            at = match.start()
            if at < done:
                continue
            for size in (*lengths.get(text[at : at + 2], ()), *lengths.get(text[at], ())):
                if at + size <= len(text) and text[at : at + size] in self.ids:
                    done = at + size
                    yield at, done
                    break

    @cached_property
    def _first(self) -> re.Pattern[str]:
        return re.compile(f"[{''.join(map(re.escape, sorted({t[0] for t in self.ids if t})))}]")

    @cached_property
    def _lengths(self) -> dict[str, tuple[int, ...]]:
        """The first two characters (or the only one) -> lengths of the texts that begin so, the longest first."""
        found: dict[str, set[int]] = {}
        for text in self.ids:
            found.setdefault(text[:2], set()).add(len(text))
        return {start: tuple(sorted(sizes, reverse=True)) for start, sizes in found.items()}


class AddedTokens:
    """listed: as given. ids: content -> id; by_id: id -> the entry whose flags count. raw, normalized: matchers."""

    def __init__(self, tokens: Sequence[AddedToken], vocab: dict[str, int], size: int,
                 normalize: Callable[[str], str] | None = None) -> None:
        self.listed = tuple(tokens)
        self.ids: dict[str, int] = {}
        self.by_id: dict[int, AddedToken] = {}
        self.warnings: list[str] = []
        self.special: set[str] = {t.content for t in tokens if t.special and t.content}
        highest = -1
        seen: set[tuple[object, ...]] = set()
        moved: list[str] = []
        for token in tokens:
            if not token.content or token.flags in seen:
                continue
            if token.content in self.ids:
                new = self.ids[token.content]
            elif token.content in vocab:
                new = vocab[token.content]
            elif highest < 0 or (highest < size and size):
                new = size
            else:
                new = highest + 1
            if new != token.file_id:
                moved.append(f"{token.content!r} has id {token.file_id} in the file and {new} in the library")
            self.ids[token.content] = new
            highest = max(highest, new)
            old = self.by_id.get(new)
            if old is not None:
                seen.discard(old.flags)
            self.by_id[new] = token
            seen.add(token.flags)
        if moved:
            more = f" (and {len(moved) - 3} more)" if len(moved) > 3 else ""
            self.warnings.append(
                "; ".join(moved[:3]) + more + ": the library's ids are used, the model may have the others")
        # Of a text that is listed twice the later flags count; special tokens go first where two become one text.
        order = {t.content: i for i, t in enumerate(tokens)}
        listed = sorted(self.by_id.values(), key=lambda t: (t.content not in self.special, order[t.content]))
        self.raw = _matcher([(t.content, self.ids[t.content]) for t in listed if not t.normalized])
        to_text = normalize or (lambda text: text)
        #: id -> the text it decodes to: of a normalized token the normalized one, as in the library.
        ever = {t.content for t in tokens if t.normalized}
        self.spelled = {i: to_text(t.content) if t.content in ever else t.content for i, t in self.by_id.items()}
        self.normalized = _matcher([(self.spelled[self.ids[t.content]], self.ids[t.content])
                                    for t in listed if t.normalized])

    def texts(self, *, special: bool) -> dict[str, int]:
        """text -> id of the special tokens, or of the others."""
        return {t.content: i for i, t in self.by_id.items() if (t.content in self.special) is special}

    def table(self, text: str, matcher: Matcher, allow: frozenset[str] | None) -> Int64s:
        """What `find` finds, int64 (n, 3); nothing in no text."""
        if not text:
            return np.zeros((0, 3), np.int64)
        if len(text) > SHORT and matcher.ids and self._plain(matcher, allow):
            return matcher.table(text)
        return np.array(self.find(text, matcher, allow), np.int64)

    def _plain(self, matcher: Matcher, allow: frozenset[str] | None) -> bool:
        """Is every text of the matcher a token wherever it stands, and of that length?"""
        tokens = [self.by_id[i] for i in matcher.ids.values()]
        return not any(t.single_word or t.lstrip or t.rstrip for t in tokens) and (
            allow is None or allow >= {t.content for t in tokens} & self.special)

    def find(self, text: str, matcher: Matcher, allow: frozenset[str] | None) -> list[tuple[int, int, int]]:
        """(start, end, id or -1) in characters, covering the text. allow: contents of the special tokens that are
        matched; None for all of them."""
        found: list[tuple[int, int, int]] = []
        done = 0
        for start, end in matcher.spans(text):
            token_id = matcher.ids[text[start:end]]
            token = self.by_id[token_id]
            if allow is not None and token.content in self.special and token.content not in allow:
                continue
            if token.single_word:
                words = table("RUST_WORD")
                if (start and words[ord(text[start - 1])]) or (end < len(text) and words[ord(text[end])]):
                    continue
            if token.lstrip:
                spaces = table("WHITESPACE")
                while start > done and spaces[ord(text[start - 1])]:
                    start -= 1
                start = max(start, done)
            if token.rstrip:
                spaces = table("WHITESPACE")
                while end < len(text) and spaces[ord(text[end])]:
                    end += 1
            if done < start:
                found.append((done, start, -1))
            found.append((start, end, token_id))
            done = end
        if done != len(text) or not found:
            found.append((done, len(text), -1))
        return found


def _matcher(items: Iterable[tuple[str, int]]) -> Matcher:
    ids: dict[str, int] = {}
    for text, token_id in items:
        ids.setdefault(text, token_id)
    return Matcher(ids)


def longest_of(texts: Iterable[str]) -> str:
    """A regex that matches the longest of the texts: a tree of their prefixes, so that thousands cost little.

    >>> longest_of(["ab", "abc", "x"])
    '(?:ab(?:c)?|x)'
    """
    ordered = sorted(set(texts))
    if max(map(len, ordered)) > 200:  # such a tree might be deeper than the compiler can go
        return "|".join(map(re.escape, sorted(ordered, key=len, reverse=True)))
    return _tree(ordered, 0)


def _tree(texts: list[str], depth: int) -> str:
    """texts: sorted, all with the same first `depth` characters."""
    optional = len(texts[0]) == depth
    rest = texts[1:] if optional else texts
    if not rest:
        return ""
    branches = []
    at = 0
    while at < len(rest):
        stop = at + 1
        char = rest[at][depth]
        while stop < len(rest) and rest[stop][depth] == char:
            stop += 1
        group = rest[at:stop]
        common = depth + 1
        first, last = group[0], group[-1]
        while common < len(first) and common < len(last) and first[common] == last[common]:
            common += 1
        branches.append(re.escape(first[depth:common]) + _tree(group, common))
        at = stop
    if len(branches) == 1 and not optional:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if optional else "")

