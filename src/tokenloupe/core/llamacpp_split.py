"""llama.cpp's pre-tokenizers: lists of patterns, each splitting further what the ones before it left.

    >>> LlamaSplitter("llama3").ends(b"it's 12345")
    array([ 2,  4,  5,  8, 10])

llama.cpp runs a pattern in one of three ways and so does this: a pattern with `\\p{..}` on a text in which every
character beyond ASCII is one letter for its category; a pattern without on the text itself; and some well-known ones by
functions of its own, whose every effect is here too (three digits from the right keep the text before them, a space at
the end of a stretch is a piece). std::regex takes alternatives in order, as Python's `re` does.

Source: llama.cpp src/unicode.cpp (MIT), the version vendored in llama-cpp-python 0.3.36; tested against it, compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from .llamacpp_patterns import GROUPS
from .llamacpp_unicode import ascii_spaces, category_letters, letters_of_points
from .pattern import Splitter
from .text import code_points, decode_view
from .vocabulary import Int64s

Ends = list[int]
#: (text, its category letters, where stretches end so far) -> where they end now; in characters.
Stage = Callable[[str, bytes, Ends], Ends]

#: The ASCII members of each category beside its letter, for the inside of a character class.
_MEMBERS = {
    "N": b"\xd10-9",
    "L": b"\xd2A-Za-z",
    "P": rb"!-#%-*,-/:-;?-@\[-\]_\{\}" + b"\xd3",
    "M": b"\xd4",
    "S": rb"\$\+<->\^`\|~" + b"\xd5",
}
_CATEGORY = re.compile(rb"\\p\{([NLPMS])[ultmo]?\}")

_GPT2 = GROUPS["gpt2"][0]
_DIGITS = re.compile(b"[\xd10-9]+")


class LlamaSplitter(Splitter):
    """group: a name in llamacpp_patterns.GROUPS."""

    def __init__(self, group: str) -> None:
        self.group = group
        patterns = GROUPS[group]
        self._stages = [_stage(p) for p in patterns]
        # One pattern over category letters is a pattern like any other, on another alphabet: the base class knows how
        # far its matches look, so that a document under edit can. Of lists of patterns it knows nothing.
        if len(patterns) == 1 and "\\p{" in patterns[0] and patterns[0] != r"\p{Han}+":
            super().__init__(_over_letters(_whole(patterns[0])).decode("latin-1"), trusted=True)
        self.pattern = "\n".join(patterns)
        self.engine = "llama.cpp"

    @property
    def table(self) -> NDArray[np.uint8]:
        return self._of_points

    @cached_property
    def _of_points(self) -> NDArray[np.uint8]:
        return np.frombuffer(self._ascii, np.uint8)[letters_of_points()]

    def classes(self, data: bytes) -> bytes:
        """The base class's letter of each character's category letter."""
        return category_letters(data.decode("utf-8")).translate(self._ascii)

    def text_ends(self, text: str) -> Ends:
        """Where the pieces of a text end, in characters."""
        letters = category_letters(text)
        ends = [len(text)] if text else []
        for stage in self._stages:
            ends = stage(text, letters, ends)
        return ends

    def ends(self, data: bytes) -> Int64s:
        """Byte offsets at which the pieces of valid UTF-8 end."""
        view = decode_view(data)
        return view.byte_starts[np.array(self.text_ends(view.text), np.int64)]

    def spans(self, data: bytes) -> tuple[Int64s, Int64s]:
        ends = self.ends(data)
        return np.concatenate([[0], ends[:-1]])[: len(ends)], ends


@lru_cache(maxsize=64)
def splitter(group: str) -> LlamaSplitter:
    return LlamaSplitter(group)


def _stage(pattern: str) -> Stage:
    if pattern == r"\p{Han}+":
        return _kimi
    if pattern in (r"\p{AFMoE_digits}", r"\d{1,3}(?=(?:\d{3})*\b)"):
        return _threes
    if "\\p{" in pattern:
        return _by_letters(_whole(pattern))
    return _by_text(pattern)


def _whole(pattern: str) -> str:
    """GPT-2's pattern lacks its last alternative, which llama.cpp's function for it has."""
    return pattern + r"|\s+" if pattern == _GPT2 else pattern


def _by_letters(pattern: str) -> Stage:
    compiled = re.compile(_over_letters(pattern))

    def split(text: str, letters: bytes, ends: Ends) -> Ends:
        return _split(compiled.finditer, letters, ends)

    return split


def _by_text(pattern: str) -> Stage:
    compiled = re.compile(pattern.replace("+$", r"+\Z"), re.ASCII)

    def split(text: str, letters: bytes, ends: Ends) -> Ends:
        return _split(compiled.finditer, ascii_spaces(text), ends)

    return split


def _over_letters(pattern: str) -> bytes:
    """A pattern over category letters."""
    raw = pattern.encode().replace(b"+$", rb"+\Z")
    # (?=[\p{L}])([^a-z]) is a letter that is not a-z, which is one class.
    for category, members in ((b"L", b"\xd2"), (b"LM", b"\xd2\xd4")):
        ahead = b"(?=[" + b"".join(b"\\p{%c}" % c for c in category) + b"])"
        raw = raw.replace(b"(" + ahead + b"([^a-z]))", b"[A-Z" + members + b"]")
        raw = raw.replace(b"(" + ahead + b"([^A-Z]))", b"[a-z" + members + b"]")
    out, inside, done = b"", False, 0
    for i in range(len(raw)):
        byte = raw[i : i + 1]
        if i < done:
            continue
        found = _CATEGORY.match(raw, i)
        if found:
            members = _MEMBERS[found[1].decode()]
            out += members if inside else b"[" + members + b"]"
            done = found.end()
            continue
        if byte == b"\\":
            out += raw[i : i + 2]
            done = i + 2
            continue
        inside = byte == b"[" or (inside and byte != b"]")
        out += byte
    return out


def _split(finditer: Callable[..., object], subject: str | bytes, ends: Ends) -> Ends:
    """Matches and what lies between them, stretch by stretch. An empty match cuts too."""
    out: Ends = []
    start = 0
    for end in ends:
        done = start
        for match in finditer(subject, start, end):  # type: ignore[attr-defined]
            a, b = match.span()
            if a > done:
                out.append(a)
            if b > a:
                out.append(b)
            done = b
        if done < end:
            out.append(end)
        start = end
    return out


def _threes(text: str, letters: bytes, ends: Ends) -> Ends:
    """Numbers in groups of three from the right. What stands before a number stays with its first group."""
    out: Ends = []
    start = 0
    for end in ends:
        for match in _DIGITS.finditer(letters, start, end):
            first, last = match.span()
            out += range(first + ((last - first) % 3 or 3), last + 1, 3)
        if not out or out[-1] < end:
            out.append(end)
        start = end
    return out


#: Han characters as unicode_cpt_is_han has them.
_HAN = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
        (0x2B820, 0x2CEAF), (0x2CEB0, 0x2EBEF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
#: 0xD6 is a Han letter here, 0xD7 a Han character that is no letter (or number) in llama.cpp's table.
_KIMI = re.compile(
    rb"[\xd6\xd7]+"
    rb"|[^\r\nA-Za-z\xd2\xd60-9\xd1]?[A-Za-z\xd2]+(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?"
    rb"|[0-9\xd1]{1,3}"
    rb"| ?[^\t-\r A-Za-z\xd2\xd60-9\xd1]+[\r\n]*"
    rb"|[\t-\r ]*[\r\n]+|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+"
)


def _kimi(text: str, letters: bytes, ends: Ends) -> Ends:
    if not text.isascii():
        points = code_points(text)
        han = np.zeros(len(points), np.bool_)
        for first, last in _HAN:
            han |= (points >= first) & (points <= last)
        marked = np.frombuffer(letters, np.uint8)
        letters = np.where(han, np.where(marked == 0xD2, 0xD6, 0xD7), marked).astype(np.uint8).tobytes()
    return _split(_KIMI.finditer, letters, ends)
