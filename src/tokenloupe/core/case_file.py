"""A case: a text, a tokenizer known by its hash, settings and the ids that came out, as one JSON file (.loupe).

    raw = dumps(Case(b"hi", TokenizerRef("gpt2", "tiktoken", sha256, "gpt2"), ids=np.array([5303])))
    loads(raw) == that case, and dumps(loads(raw)) == raw

One key a line, always the same keys in the same order, so that a case saved again is the same file and a diff
shows what changed. The input is base64: it is bytes, valid UTF-8 or not. A case file may come from anybody:
everything in it is checked, `source` is only a hint where to look, and the hash says whether it was found.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from .errors import InputError
from .tokenizer import SpecialMode
from .vocabulary import Int64s

SUFFIX = ".loupe"
FORMAT, VERSION = "tokenloupe case", 1
#: A larger file is neither written nor read: no case of a text that a person looks at is.
LARGEST = 64 << 20
#: What a tokenizer file can be opened with (formats/registry.py); a case may hold no other option.
OPTIONS = ("pattern", "end_token")


@dataclass(frozen=True, slots=True)
class TokenizerRef:
    """Which tokenizer. sha256: of its file, hex, "" when it came from none.

    source: a bundled name, `hub:owner/name`, or a path (relative: to the case file). options: it was opened with.
    """

    name: str
    format: str
    sha256: str
    source: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """ids: int64 (n,). name: what the text is called, only ever shown. note: what the case is about."""

    data: bytes
    tokenizer: TokenizerRef
    special: SpecialMode = "text"
    bos_eos: bool = False
    ids: Int64s = field(default_factory=lambda: np.zeros(0, np.int64))
    name: str = ""
    note: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and dumps(self) == dumps(other)

    __hash__ = None  # type: ignore[assignment]


def dumps(case: Case) -> bytes:
    """The file. Equal cases give equal bytes."""
    special = case.special if isinstance(case.special, str) else sorted(case.special)
    about = case.tokenizer
    lines = {
        "format": _json(FORMAT), "version": _json(VERSION), "name": _json(case.name), "note": _json(case.note),
        "input": _json(base64.b64encode(case.data).decode("ascii")),
        "tokenizer": _json({"name": about.name, "format": about.format, "sha256": about.sha256,
                            "source": about.source, "options": dict(sorted(about.options.items()))}),
        "settings": _json({"special": special, "bos_eos": case.bos_eos}),
        "ids": f"[{', '.join(map(str, case.ids.tolist()))}]",
    }
    return ("{\n" + ",\n".join(f'"{key}": {value}' for key, value in lines.items()) + "\n}\n").encode("utf-8")


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # a file name with bytes that are no UTF-8: lone surrogates
        return json.dumps(value)
    return text


def loads(raw: bytes) -> Case:
    """Read a case file. InputError says in one sentence what is wrong with it, and where."""
    if len(raw) > LARGEST:
        raise InputError(f"{len(raw):,} bytes are too many for a case", todo=f"at most {LARGEST >> 20} MiB are read")
    top = _Object(_parse(raw), "")
    if top.values.get("format") != FORMAT:
        raise InputError("this is no case file of Tokenloupe", where='key "format"',
                         todo=f'a case file begins with "format": "{FORMAT}"')
    version = top.take("version", int)
    if version != VERSION:
        newer = version > VERSION
        raise InputError(f"the case file is of version {_short(version)}", where='key "version"',
                         todo="a newer Tokenloupe made it" if newer else f"this Tokenloupe reads version {VERSION}")
    top.take("format", str)
    about = _Object(top.take("tokenizer", dict), "tokenizer.")
    settings = _Object(top.take("settings", dict), "settings.")
    case = Case(
        data=_input(top.take("input", str)), tokenizer=_reference(about), special=_special(settings),
        bos_eos=settings.take("bos_eos", bool), ids=_ids(top.take("ids", list)), name=top.take("name", str),
        note=top.take("note", str))
    for part in (about, settings, top):
        part.end()
    return case


class _Object:
    """A JSON object whose keys are taken one by one; what is left over at the end is none that is known."""

    def __init__(self, values: Any, path: str) -> None:
        if not isinstance(values, dict):
            raise InputError("this is no case file of Tokenloupe", where="line 1", todo="it must be a JSON object")
        self.values: dict[str, Any] = values
        self.path, self._left = path, set(values)

    def take(self, key: str, kind: type) -> Any:
        where = f'key "{self.path}{key}"'
        if key not in self.values:
            raise InputError("a key is missing", where=where, todo="the file is damaged: make it again")
        self._left.discard(key)
        value = self.values[key]
        if type(value) is not kind:  # True is no number here
            raise wrong(value, where, _WORDS[kind])
        return value

    def end(self) -> None:
        if self._left:
            raise InputError("the key is none of a case file's", where=f'key "{self.path}{min(self._left)}"',
                             todo="take it out, or put it into the note")


_WORDS = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}


def wrong(value: object, where: str, wanted: str) -> InputError:
    return InputError(f"{_short(value)} is not {wanted}", where=where, todo="the file is damaged: make it again")


def _short(value: object) -> str:
    """A value as JSON has it, in a few characters, without writing out a huge one."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 100:
        return "a number of many digits"
    shown = json.dumps(value[:40] if isinstance(value, str) else value)
    return shown if len(shown) <= 50 else f"{shown[:40]}…"


def _parse(raw: bytes) -> Any:
    """JSON without what JSON does not have: NaN, a key twice."""
    if not raw.strip():
        raise InputError("the file is empty", where="byte 0", todo="make the case again")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            raise InputError("an object has a key twice", todo="keep one of the two")
        return found

    def constant(name: str) -> Any:
        raise InputError(f"{name} is no JSON", todo="write a number")

    try:
        text = raw.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise InputError("the case file is not UTF-8", where=f"byte {error.start:,}",
                         todo="a case is opened as a .loupe file, a text as any other") from error
    except json.JSONDecodeError as error:
        ended = not text[error.pos :].strip() or error.msg.startswith("Unterminated")
        what = "the case file ends in the middle" if ended else f"the case file is no JSON ({error.msg})"
        raise InputError(what, where=f"line {error.lineno}, column {error.colno}",
                         todo="it was cut short: fetch it again" if ended else "the file is damaged") from error
    except RecursionError:
        raise InputError("the JSON nests too deeply for a case file", todo="the file is damaged") from None
    except ValueError as error:  # Python reads whole numbers of up to 4,300 digits
        raise InputError("the case file holds a number of thousands of digits", todo="the file is damaged") from error


def _input(text: str) -> bytes:
    where = 'key "input"'
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        bad = re.search(r"[^A-Za-z0-9+/=]", text)
        place = f", character {bad.start() + 1:,}" if bad else ""
        raise InputError("the input is not base64", where=where + place, todo="the file is damaged") from error
    if base64.b64encode(data) != text.encode("ascii"):
        raise InputError("the base64 of the input has bits behind its end", where=where, todo="the file is damaged")
    return data


def _reference(about: _Object) -> TokenizerRef:
    sha256 = about.take("sha256", str)
    if not re.fullmatch(r"(?:[0-9a-f]{64})?", sha256):
        raise wrong(sha256, 'key "tokenizer.sha256"', "64 digits of hexadecimal")
    options = about.take("options", dict)
    for key, value in options.items():
        where = f'key "tokenizer.options.{key}"'
        if key not in OPTIONS:
            raise InputError("no tokenizer is opened with this option", where=where, todo="take it out")
        if not isinstance(value, str):
            raise wrong(value, where, "a text")
    return TokenizerRef(about.take("name", str), about.take("format", str), sha256, about.take("source", str),
                        MappingProxyType(options))


def _special(settings: _Object) -> SpecialMode:
    where = 'key "settings.special"'
    special = settings.values.get("special")
    if type(special) is list:
        for item in settings.take("special", list):
            if not isinstance(item, str):
                raise wrong(item, where, "a text")
        return frozenset(special)
    text = settings.take("special", str)
    if text == "text":
        return "text"
    if text == "parse":
        return "parse"
    raise wrong(text, where, '"text", "parse" or a list of tokens')


def _ids(found: list[Any]) -> Int64s:
    for index, value in enumerate(found) if set(map(type, found)) - {int} else ():
        if type(value) is not int:
            raise wrong(value, f'key "ids", place {index:,}', "a whole number")
    try:
        ids = np.array(found, np.int64)
    except OverflowError:
        ids = np.array([i if 0 <= i < 1 << 63 else -1 for i in found], np.int64)
    if len(ids) and (ids < 0).any():
        index = int(np.argmax(ids < 0))
        raise wrong(found[index], f'key "ids", place {index:,}', "a token id")
    return ids
