r"""Input of every kind as bytes: text, hex, escapes, a list of token ids. What is wrong is one sentence with its place.

    >>> parse_hex("61 ff"), parse_escaped("a\\xff\\u{1f600}")
    (b'a\xff', b'a\xff\xf0\x9f\x98\x80')
    >>> parse_ids("[31373, 995]")
    [31373, 995]

`canonical` answers what ids alone do not say: are they what the tokenizer itself makes of the text they decode to?
KINDS is the one list of kinds; the window's dialog and the command line read bytes by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import NoReturn

from .errors import InputError
from .tokenizer import SpecialMode, Tokenizer, to_bytes

_HEX = frozenset("0123456789abcdefABCDEF")
#: What may stand between hex bytes: white space, and the commas, colons, braces and quotes of sources and dumps.
_BETWEEN = re.compile(r"[\s,:;{}()\[\]]+")
_PREFIX = re.compile(r"0[xX]|\\x|\$")
#: More digits than an id has in any file; int() of thousands of digits is refused by Python itself.
LONGEST_ID = 40


def place(text: str, at: int) -> str:
    """Where a character stands, for an error: `character 5`, or line and column (from 1) in text of several lines."""
    if "\n" not in text:
        return f"character {at + 1}"
    line_start = text.rfind("\n", 0, at) + 1
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - line_start + 1}"


def shown(char: str) -> str:
    return repr(char) if char.isprintable() else f"U+{ord(char):04X}"


def parse_text(text: str) -> bytes:
    """Its UTF-8; a lone surrogate keeps its three bytes."""
    return to_bytes(text)


def parse_hex(text: str) -> bytes:
    r"""Two hex digits a byte, in either case. Between bytes white space, commas, colons and brackets may stand, and
    before each `0x` or `\x`; a byte alone may have one digit (`0x0 0xa`). InputError names the place that is none.

    >>> parse_hex("{0x48, 0x69}"), parse_hex("48:69"), parse_hex("4869")
    (b'Hi', b'Hi', b'Hi')
    """
    out = bytearray()
    at = 0
    while at < len(text):
        gap = _BETWEEN.match(text, at)
        if gap:
            at = gap.end()
            continue
        prefix = _PREFIX.match(text, at)
        start = prefix.end() if prefix else at
        end = start
        while end < len(text) and text[end] in _HEX and not (end > start and _PREFIX.match(text, end)):
            end += 1
        digits = text[start:end]
        if end < len(text) and not (_BETWEEN.match(text, end) or _PREFIX.match(text, end)):
            raise InputError(f"{shown(text[end])} is no hex digit", where=place(text, end),
                             todo="give two hex digits a byte")
        if not digits:
            raise InputError("a prefix is followed by no hex digit", where=place(text, at),
                             todo="give two hex digits a byte")
        if len(digits) == 1 and prefix:
            digits = "0" + digits
        if len(digits) % 2:
            raise InputError(f"an odd number of digits ({len(digits)}) is not whole bytes", where=place(text, at),
                             todo="give two hex digits a byte")
        out += bytes.fromhex(digits)
        at = end
    return bytes(out)


_SHORT = {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\", "'": b"'", '"': b'"', "a": b"\a", "b": b"\b", "f": b"\f",
          "v": b"\v", "e": b"\x1b", "\n": b""}
_OCTAL = re.compile(r"[0-7]{1,3}")


def parse_escaped(text: str) -> bytes:
    r"""Text with escapes: \n \r \t \0 \\ \' \" \a \b \f \v \e, \xNN (a byte), \NNN (a byte, octal), \uNNNN and
    \UNNNNNNNN and \u{N..} (a code point in UTF-8; a surrogate pair is one, a lone surrogate its three bytes). A
    backslash at a line's end joins the lines. It reads what `byte_forms.escaped` writes.

    >>> parse_escaped(r"\xe6\xad\xaa") == "歪".encode()
    True
    """
    out = bytearray()
    points: list[str] = []  # characters that wait: a surrogate may be half of a pair

    def settle() -> None:
        out.extend(to_bytes("".join(points)))
        points.clear()

    at = 0
    while at < len(text):
        slash = text.find("\\", at)
        if slash != at:
            end = len(text) if slash < 0 else slash
            points.append(text[at:end])
            at = end
            continue
        at, made = _escape(text, slash)
        if isinstance(made, str):
            points.append(made)
        else:
            settle()
            out += made
    settle()
    return bytes(out)


def _escape(text: str, slash: int) -> tuple[int, str | bytes]:
    """(end, a character or bytes) of the escape at a backslash."""
    at = slash + 1

    def fail(what: str) -> NoReturn:
        raise InputError(what, where=place(text, slash), todo="write \\\\ for a backslash itself")

    if at >= len(text):
        fail("the text ends with a single backslash")
    kind = text[at]
    if kind in _SHORT:
        return at + 1, _SHORT[kind]
    if octal := _OCTAL.match(text, at):
        value = int(octal[0], 8)
        if value > 255:
            fail(f"\\{octal[0]} is more than a byte holds (\\377)")
        return octal.end(), bytes([value])
    if kind == "u" and text.startswith("{", at + 1):
        close = text.find("}", at)
        digits = text[at + 2 : close] if close >= 0 else ""
        if not digits or len(digits) > 8 or not _HEX.issuperset(digits):
            fail("\\u{ is not followed by one to six hex digits and }")
        return close + 1, _point(digits, fail)
    size = {"x": 2, "u": 4, "U": 8}.get(kind)
    if size is None:
        fail(f"\\{kind if kind.isprintable() else shown(kind)} is no escape that is known")
    digits = text[at + 1 : at + 1 + size]
    if len(digits) < size or not _HEX.issuperset(digits):
        fail(f"\\{kind} is not followed by {size} hex digits")
    end = at + 1 + size
    return (end, bytes.fromhex(digits)) if kind == "x" else (end, _point(digits, fail))


def _point(digits: str, fail: Callable[[str], NoReturn]) -> str:
    value = int(digits, 16)
    if value > 0x10FFFF:
        fail(f"there is no code point {value:X}: the last is 10FFFF")
    return chr(value)


_ID = re.compile(r"[^\s,;\[\](){}]+")
#: What stands around a list in source: `ids = [`, `numpy.array([`, and `], dtype=numpy.int64)`.
_SOURCE = re.compile(r"\s*(?:[A-Za-z_]\w*\s*=\s*)?(?:[A-Za-z_][\w.]*\()?\s*(?=\[)", re.ASCII)
_SOURCE_END = re.compile(r"(?<=\]),?\s*(?:dtype\s*=\s*[\w.]+\s*)?\)?\s*$", re.ASCII)


def parse_ids(text: str) -> list[int]:
    """Whole numbers, separated by white space, commas or semicolons, with or without brackets; a list may stand in
    Python source as `id_forms` writes it (`ids = [..]`, `numpy.array([..], dtype=..)`). InputError names the word that
    is none, and its place. A negative number is a number; that no token has it is for the tokenizer to say.
    """
    ids = []
    body = text.rstrip()
    begin, end = _SOURCE.match(text), _SOURCE_END.search(body[-200:])
    first = begin.end() if begin else 0
    last = len(body) - (len(end[0]) if end else 0)
    for match in _ID.finditer(text, first, last):
        word = match[0]
        if not re.fullmatch(r"[+-]?[0-9]+", word, re.ASCII):
            raise InputError(f"{word[:40]!r} is no token id", where=place(text, match.start()),
                             todo="give whole numbers")
        if len(word) > LONGEST_ID:
            raise InputError(f"a number of {len(word):,} digits is no token id", where=place(text, match.start()),
                             todo="give whole numbers")
        ids.append(int(word))
    return ids


#: Kind -> how its text is read as bytes. Ids need a tokenizer: see `canonical`.
KINDS: dict[str, Callable[[str], bytes]] = {"text": parse_text, "hex": parse_hex, "escaped": parse_escaped}


@dataclass(frozen=True, slots=True)
class Canonical:
    """ids as given; data: what they decode to; unknown: those that no token has (they decode to nothing), in order.

    own: the ids that the tokenizer makes of `data`. first: index of the first difference between the two, None when
    they are the same. byte_pos: where in `data` the two go apart, as far as that is known (None where it is not).
    """

    ids: tuple[int, ...]
    data: bytes
    unknown: tuple[int, ...]
    own: tuple[int, ...]
    first: int | None
    byte_pos: int | None

    @property
    def same(self) -> bool:
        return self.first is None

    def at(self, side: str, index: int) -> int | None:
        """The id at an index of "given" or "own", None behind its end."""
        ids = self.ids if side == "given" else self.own
        return ids[index] if 0 <= index < len(ids) else None


def decode_ids(tokenizer: Tokenizer, ids: list[int]) -> tuple[bytes, list[int]]:
    """(bytes, ids that no token has) of some ids. Unknown ones give nothing."""
    unknown = tokenizer.unknown_ids(ids)
    missing = set(unknown)
    return tokenizer.decode([i for i in ids if i not in missing]), unknown


def canonical(tokenizer: Tokenizer, ids: list[int], special: SpecialMode = "text") -> Canonical:
    """Are these ids the tokenizer's own for the text they decode to? Special tokens among them are matched in it when
    `special` says so; with "text" their characters are ordinary text, as they are when a user types them.

    InputError where the tokenizer refuses the text (no token for a character and none for unknown ones).
    """
    data, unknown = decode_ids(tokenizer, ids)
    own = tokenizer.encode(data, special=special).ids.tolist()
    first = next((i for i, (a, b) in enumerate(zip_longest(ids, own)) if a != b), None)
    byte_pos = None
    if first is not None:
        before = tokenizer.decode(ids[:first]) if not unknown else None
        if before is not None and data.startswith(before):
            byte_pos = len(before)
    return Canonical(tuple(ids), data, tuple(unknown), tuple(own), first, byte_pos)


def specials_in(tokenizer: Tokenizer, ids: list[int]) -> frozenset[str]:
    """Texts of the special tokens among the ids: what a text must be parsed for to give these ids again."""
    wanted = set(ids)
    return frozenset(text for text, token_id in tokenizer.special_tokens.items() if token_id in wanted)
