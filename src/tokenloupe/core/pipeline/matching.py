"""A pattern of a stage (`{"String": ..}` or `{"Regex": ..}`) -> what of a text it matches.

    >>> Pattern("l", is_regex=False).spans("hello")
    [(2, 3), (3, 4)]

Regexes are Oniguruma's (core/pattern.py). Empty matches count: they cut and they are replaced, as in the library, which
takes none right after another match and then goes on one character later.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..errors import InputError
from ..pattern import Splitter, compile_pattern
from ..vocabulary import Int64s


class Pattern:
    """source: the text of the pattern in the file."""

    def __init__(self, source: str, is_regex: bool) -> None:
        self.source, self.is_regex = source, is_regex
        self.splitter: Splitter | None = compile_pattern(source, "oniguruma") if is_regex else None

    @classmethod
    def from_json(cls, value: Any, where: str) -> Pattern:
        if isinstance(value, dict) and len(value) == 1:
            kind, source = next(iter(value.items()))
            if kind in ("String", "Regex") and isinstance(source, str):
                return cls(source, kind == "Regex")
        raise InputError("the pattern is neither {\"String\": ..} nor {\"Regex\": ..}", where=where)

    @property
    def may_be_empty(self) -> bool:
        """False only when it is certain that no match is empty."""
        return not self.source if self.splitter is None else self.splitter.may_be_empty

    def spans(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of all matches in order, in characters."""
        if self.splitter is None:
            size = len(self.source)
            if not size:
                return []
            found, at = [], text.find(self.source)
            while at >= 0:
                found.append((at, at + size))
                at = text.find(self.source, at + size)
            return found
        return self.splitter.text_spans(text, empty=True)

    def span_arrays(self, text: str) -> tuple[Int64s, Int64s]:
        """The same as two int64 arrays."""
        if self.splitter is None or self.may_be_empty:
            pairs = np.array(self.spans(text), np.int64).reshape(-1, 2)
            return pairs[:, 0], pairs[:, 1]
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:  # bytes that are no UTF-8: to a pattern each is a U+FFFD
            text = re.sub("[\udc80-\udcff]", "\ufffd", text)
            data = text.encode("utf-8")
        starts, ends = self.splitter.spans(data)
        if len(data) != len(text):
            count = np.cumsum((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)
            before = np.append(0, count)
            starts, ends = before[starts], before[ends]
        return starts, ends

    def replace(self, text: str, content: str) -> str:
        """text with every match replaced (for decoders)."""
        if not self.is_regex:
            return text.replace(self.source, content) if self.source else text
        out: list[str] = []
        done = 0
        for start, end in self.spans(text):
            out += (text[done:start], content)
            done = end
        return "".join((*out, text[done:]))
