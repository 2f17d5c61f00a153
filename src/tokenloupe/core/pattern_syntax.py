"""A split regex as a tree whose leaves are sets of code points: what the pattern says, by the rules of its engine.

    >>> parse(r"\\p{L}+|\\s", "fancy-regex")
    Alt((Repeat(Set(..), 1, None, "greedy"), Set(..)))

Case folding and classes are resolved here from the engine's own tables, so nothing after it knows of Unicode.
What differs by engine: `$` (end of text; of any line in Oniguruma's Ruby syntax), `^`, `{1,3}+` (possessive; in Ruby
syntax "repeated once more"), `{2}?`, the classes and the folding. What a split pattern has no use for (back
references, conditions, named calls) is refused by name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .errors import InputError
from .unicode_tables import POINTS, Bools, engine_class, fold


@dataclass(frozen=True, eq=False)
class Set:
    """One code point out of a set, bool (0x110000,)."""

    members: Bools


@dataclass(frozen=True, eq=False)
class Seq:
    parts: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Alt:
    parts: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Repeat:
    """mode: "greedy", "lazy" or "possessive"; most None: without bound."""

    part: Node
    least: int
    most: int | None
    mode: str


@dataclass(frozen=True, eq=False)
class Atomic:
    part: Node


@dataclass(frozen=True, eq=False)
class Look:
    part: Node
    ahead: bool
    negative: bool


@dataclass(frozen=True, eq=False)
class Edge:
    """kind: "start" or "end" of the whole text."""

    kind: str


Node = Set | Seq | Alt | Repeat | Atomic | Look | Edge

_ESCAPES = {"n": 10, "r": 13, "t": 9, "f": 12, "v": 11, "a": 7, "e": 27, "0": 0}
_MOST_REPEATS = 1000
_DEEPEST = 60


def one(point: int) -> Bools:
    made = np.zeros(POINTS, np.bool_)
    made[point] = True
    return made


def parse(pattern: str, engine: str) -> Node:
    """InputError with the position in the pattern when it cannot be read or has a construct that is not supported."""
    return _Parser(pattern, engine).whole()


class _Parser:
    def __init__(self, pattern: str, engine: str) -> None:
        self.text, self.engine, self.at = pattern, engine, 0
        self.ruby = engine == "oniguruma"
        self.icase = self.dotall = self.extended = self.multiline = False
        self.depth = 0

    def fail(self, what: str) -> InputError:
        return InputError(f"the split pattern cannot be used: {what}",
                          where=f"character {self.at} of {self.text[:120]!r}")

    def take(self, literal: str) -> bool:
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def next(self) -> str:
        if self.at >= len(self.text):
            raise self.fail("it ends in the middle")
        self.at += 1
        return self.text[self.at - 1]

    def whole(self) -> Node:
        node = self.alternatives()
        if self.at < len(self.text):
            raise self.fail("there is a ) without its (")
        return node

    def alternatives(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.fail("groups are nested too deeply")
        saved = self.icase, self.dotall, self.extended, self.multiline
        parts = [self.sequence()]
        while self.take("|"):
            parts.append(self.sequence())
        self.icase, self.dotall, self.extended, self.multiline = saved
        self.depth -= 1
        return parts[0] if len(parts) == 1 else Alt(tuple(parts))

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            if self.extended and (self.text[self.at].isspace() or self.text[self.at] == "#"):
                if self.next() == "#":
                    while self.at < len(self.text) and self.next() != "\n":
                        pass
                continue
            atom = self.atom()
            if atom is not None:
                parts.append(self.repeated(atom))
        return parts[0] if len(parts) == 1 else Seq(tuple(parts))

    def repeated(self, node: Node) -> Node:
        while self.at < len(self.text):
            interval = False
            if self.take("*"):
                least, most = 0, None
            elif self.take("+"):
                least, most = 1, None
            elif self.take("?"):
                least, most = 0, 1
            else:
                bounds = self.interval()
                if bounds is None:
                    return node
                (least, most), interval = bounds, True
            if max(least, most or 0) > _MOST_REPEATS:
                raise self.fail(f"a repetition of more than {_MOST_REPEATS} is not supported")
            mode = "greedy"
            if interval and self.ruby:
                if least == most and self.take("?"):
                    node = Repeat(node, least, most, mode)
                    least, most = 0, 1
                elif self.take("?"):
                    mode = "lazy"
            elif self.take("?"):
                mode = "lazy"
            elif self.take("+"):
                mode = "possessive"
            node = Repeat(node, least, most, mode)
        return node

    def interval(self) -> tuple[int, int | None] | None:
        if not self.text.startswith("{", self.at):
            return None
        close = self.text.find("}", self.at)
        low, comma, high = self.text[self.at + 1 : max(close, self.at + 1)].partition(",")
        if close < 0 or not (low.isdecimal() or (not low and high.isdecimal() and self.ruby)) or (
            high and not high.isdecimal()
        ):
            return None
        if len(low) > 6 or len(high) > 6:
            raise self.fail("a repetition that large is not supported")
        self.at = close + 1
        least = int(low or 0)
        most = least if not comma else int(high) if high else None
        if most is not None and most < least:
            raise self.fail("a repetition has its larger number first")
        return least, most

    def atom(self) -> Node | None:
        char = self.next()
        if char == "(":
            return self.group()
        if char == "[":
            members = self.bracket()
            return Set(members)
        if char == ".":
            return Set(np.ones(POINTS, np.bool_) if self.dotall else ~one(10))
        if char == "^":
            return Alt((Edge("start"), Look(Set(one(10)), False, False))) if self.lines else Edge("start")
        if char == "$":
            return Alt((Edge("end"), Look(Set(one(10)), True, False))) if self.lines else Edge("end")
        if char == "\\":
            return self.escape()
        if char in "*+?":
            raise self.fail("there is nothing to repeat")
        return Set(self.cased(one(ord(char))))

    @property
    def lines(self) -> bool:
        return self.ruby or self.multiline

    def cased(self, members: Bools) -> Bools:
        return fold(self.engine, members) if self.icase else members

    def group(self) -> Node | None:
        wrap: str = ""
        saved = self.icase, self.dotall, self.extended, self.multiline
        if self.take("?"):
            for sign in ("<=", "<!", "=", "!", ">", ":"):
                if self.take(sign):
                    wrap = sign
                    break
            else:
                if self.take("#"):
                    while self.next() != ")":
                        pass
                    return None
                if self.take("P<") or self.take("<"):
                    while self.next() != ">":
                        pass
                elif self.flags():
                    return None
        node = self.alternatives()
        self.icase, self.dotall, self.extended, self.multiline = saved
        if not self.take(")"):
            raise self.fail("a ( is not closed")
        if wrap == ">":
            return Atomic(node)
        if wrap in ("=", "!", "<=", "<!"):
            return Look(node, "<" not in wrap, "!" in wrap)
        return node

    def flags(self) -> bool:
        """Reads `i-s:` or `i)`; True when the flags hold for the rest of the enclosing group."""
        on = True
        while True:
            char = self.next()
            if char == "-":
                on = False
            elif char == "i":
                self.icase = on
            elif char == "x":
                self.extended = on
            elif char == "s" and not self.ruby:
                self.dotall = on
            elif char == "m":
                if self.ruby:
                    self.dotall = on
                else:
                    self.multiline = on
            elif char == "u" and not self.ruby and on:
                pass
            elif char == ":":
                return False
            elif char == ")":
                return True
            else:
                self.at -= 1
                raise self.fail(f"the group (?{char} is not supported")

    def escape(self) -> Node:
        char = self.text[self.at : self.at + 1]
        if char in ("A", "z", "b", "B", "Z", "G", "K", "X", "R") and char:
            self.at += 1
            if char == "A":
                return Edge("start")
            if char == "z":
                return Edge("end")
            if char in "bB":
                word = Set(engine_class(self.engine, "\\w"))
                behind, ahead = Look(word, False, False), Look(word, True, False)
                no_behind, no_ahead = Look(word, False, True), Look(word, True, True)
                pairs = ((behind, no_ahead), (no_behind, ahead)) if char == "b" else (
                    (behind, ahead), (no_behind, no_ahead))
                return Alt(tuple(Seq(p) for p in pairs))
            raise self.fail(f"\\{char} is not supported")
        if char.isdigit() and char != "0":
            raise self.fail("references back to a group are not supported")
        return Set(self.cased(self.escaped_set()))

    def escaped_set(self) -> Bools:
        """The set after a backslash, inside or outside of brackets."""
        char = self.next()
        if char in "sSwWdD" or (char in "hH" and self.ruby):
            members = engine_class(self.engine, "\\" + char.lower())
            return members if char.islower() else ~members
        if char in "pP":
            name = self.next()
            if name == "{":
                close = self.text.find("}", self.at)
                if close < 0:
                    raise self.fail("a \\p{ is not closed")
                name, self.at = self.text[self.at : close], close + 1
            negative = (char == "P") != name.startswith("^")
            name = name.removeprefix("^")
            for prefix in ("gc=", "General_Category=", "sc=", "Script="):
                name = name.removeprefix(prefix)
            try:
                members = engine_class(self.engine, name)
            except KeyError as error:
                raise self.fail(f"the class \\p{{{name}}} is not known") from error
            return ~members if negative else members
        return one(self.escaped_point(char))

    def escaped_point(self, char: str) -> int:
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char in "xuU":
            if char in "xu" and self.take("{"):
                close = self.text.find("}", self.at)
                digits, self.at = self.text[self.at : max(close, self.at)], close + 1
            else:
                width = {"x": 2, "u": 4, "U": 8}[char]
                digits, self.at = self.text[self.at : self.at + width], self.at + width
            try:
                point = int(digits, 16)
            except ValueError as error:
                raise self.fail(f"\\{char} is not followed by hexadecimal digits") from error
            if point >= POINTS:
                raise self.fail(f"there is no code point {digits}")
            return point
        if char.isalnum():
            raise self.fail(f"\\{char} is not supported")
        return ord(char)

    def bracket(self) -> Bools:
        """The members of [...], after the [."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.fail("brackets are nested too deeply")
        negative = self.take("^")
        members = np.zeros(POINTS, np.bool_)
        result: Bools | None = None
        first = True
        while True:
            char = self.next()
            if char == "]" and not first:
                break
            first = False
            if char == "&" and self.take("&"):
                result = self.cased(members) if result is None else result & self.cased(members)
                members = np.zeros(POINTS, np.bool_)
                continue
            if char == "-" and not self.ruby and self.text.startswith("-", self.at):
                raise self.fail("a difference of classes (--) is not supported")
            if char == "[":
                members = members | (self.posix() if self.text.startswith(":", self.at) else self.bracket())
                continue
            low: int | None
            if char == "\\":
                if self.text[self.at : self.at + 1] in tuple("sSwWdDpP") or (
                    self.ruby and self.text[self.at : self.at + 1] in ("h", "H")
                ):
                    members = members | self.escaped_set()
                    continue
                escaped = self.next()
                low = 8 if escaped == "b" else self.escaped_point(escaped)
            else:
                low = ord(char)
            high = low
            if self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                end = self.next()
                if end == "[" or (end == "\\" and self.text[self.at : self.at + 1] in tuple("sSwWdDpP")):
                    raise self.fail("a range ends in a class")
                high = self.escaped_point(self.next()) if end == "\\" else ord(end)
                if high < low:
                    raise self.fail("a range has its larger end first")
            members[low : high + 1] = True
        self.depth -= 1
        members = self.cased(members)
        if result is not None:
            members = result & members
        return ~members if negative else members

    def posix(self) -> Bools:
        close = self.text.find(":]", self.at)
        name = self.text[self.at + 1 : close] if close > 0 else ""
        negative, name = name.startswith("^"), name.removeprefix("^")
        try:
            members = engine_class(self.engine, f"[:{name}:]")
        except KeyError as error:
            raise self.fail(f"the class [:{name}:] is not known") from error
        self.at = close + 2
        return ~members if negative else members
