"""JSON of a tokenizer file, read strictly and fast: encodings named, errors with their line, duplicate keys told."""

from __future__ import annotations

import contextlib
import json
import secrets
from typing import Any

import orjson

from ..core.errors import InputError
from .hf_merges import cut_out
from .json_bytes import keys_written

#: Files up to this size are looked through for duplicate keys by the slow, exact way.
SMALL = 1 << 18


def parse(data: bytes, warnings: list[str]) -> Any:
    """The JSON value. InputError names an encoding, a place, or what the JSON may not have."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:4].count(0) >= 2:
        raise InputError("the file is UTF-16, not UTF-8", where="byte 0", todo="save it as UTF-8")
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        warnings.append("the file begins with a UTF-8 byte order mark, which is passed over (the library refuses it)")
    value, rest = _with_merges(data)
    if len(data) <= SMALL or keys_written(rest) > keys_read(value):
        names = duplicate_keys(data)
        if names:
            shown = ", ".join(map(repr, names[:5]))
            warnings.append(f"the key{'s' if len(names) > 1 else ''} {shown} occur{'' if len(names) > 1 else 's'} "
                            "more than once in one object: the last value counts")
    return value


def _with_merges(data: bytes) -> tuple[Any, bytes]:
    """The value, many merges as WrittenMerges; and the bytes of it without them."""
    mark = secrets.token_hex(16)  # no file can hold it
    taken = cut_out(data, mark)
    if taken is not None:
        rest, merges = taken
        with contextlib.suppress(orjson.JSONDecodeError):
            value = orjson.loads(rest)
            model = value.get("model") if isinstance(value, dict) else None
            if isinstance(model, dict) and model.get("merges") == [mark]:
                model["merges"] = merges
                return value, rest
    try:
        return orjson.loads(data), data
    except orjson.JSONDecodeError as error:
        raise _told(data, error) from error


def _told(data: bytes, error: orjson.JSONDecodeError) -> InputError:
    place = f"line {error.lineno} column {error.colno}"
    text = error.msg.lower()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as broken:
        return InputError("the file is not UTF-8", where=f"byte {broken.start}", todo="save it as UTF-8")
    if "surrogate" in text or "hex escape" in text:
        return InputError("a string holds half of a surrogate pair (\\uD800..\\uDFFF)", where=place,
                          todo="such a token is no text: the library refuses it too")
    if "recursion" in text or "depth" in text:
        return InputError("the JSON is nested too deeply", where=place, todo="no tokenizer is nested like this")
    if "end of data" in text or "eof" in text or error.pos >= len(data.rstrip()):
        return InputError("the JSON ends too early", where=place, todo="the download is incomplete: fetch it again")
    return InputError(f"this is no JSON ({error.msg})", where=place, todo="check that the download is complete")


def keys_read(value: Any) -> int:
    """How many keys came out of it. A vocabulary is all tokens and not walked, nor are the merges."""
    count, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            count += len(item)
            waiting += [child for key, child in item.items()
                        if isinstance(child, (dict, list)) and key not in ("merges", "vocab")]
            if isinstance(item.get("vocab"), dict):
                count += len(item["vocab"])
        elif isinstance(item, list):
            waiting += [child for child in item if isinstance(child, (dict, list))]
    return count


def duplicate_keys(data: bytes) -> list[str]:
    """Keys that occur twice in one object, in order."""
    found: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> None:
        if len({k for k, _ in items}) != len(items):
            seen: set[str] = set()
            for key, _ in items:
                if key in seen:
                    found.append(key)
                seen.add(key)

    try:
        json.loads(data, object_pairs_hook=pairs)
    except (ValueError, RecursionError):  # what orjson reads and this does not is no duplicate key
        return []
    return found
