"""Reading a stage's JSON: fields with their types, refused by name when they are wrong."""

from __future__ import annotations

from typing import Any, TypeVar, overload

from ..errors import InputError

T = TypeVar("T")
_MISSING = object()


class Fields:
    """A JSON object with the place it stands at: `Fields({...}, "normalizer.normalizers[2]")`."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise InputError(f"an object is expected, not {_kind(value)}", where=where)
        self.value: dict[str, Any] = value
        self.where = where

    @property
    def kind(self) -> str:
        """The "type" of a stage."""
        return self.get("type", str)

    @overload
    def get(self, key: str, expected: type[T]) -> T: ...

    @overload
    def get(self, key: str, expected: type[T], default: T) -> T: ...

    def get(self, key: str, expected: type[T], default: Any = _MISSING) -> T:
        """The field, checked; its default when it is absent. InputError names the key and what is there."""
        found = self.value.get(key, _MISSING)
        if found is _MISSING:
            if default is _MISSING:
                raise InputError(f"the key {key!r} is missing", where=self.where)
            return default  # type: ignore[no-any-return]
        if not isinstance(found, expected) or (expected is int and isinstance(found, bool)):
            raise InputError(f"{key!r} should be {expected.__name__}, not {_kind(found)}", where=self.where)
        return found

    def optional(self, key: str, expected: type[T]) -> T | None:
        """None for a field that is absent or null."""
        return None if self.value.get(key) is None else self.get(key, expected)

    def objects(self, key: str) -> list[Fields]:
        return [Fields(item, f"{self.where}.{key}[{i}]") for i, item in enumerate(self.get(key, list))]

    def char(self, key: str, default: str | None = None) -> str:
        """A field of exactly one character."""
        found = self.get(key, str) if default is None else self.get(key, str, default)
        if len(found) != 1:
            raise InputError(f"{key!r} should be one character, not {found!r}", where=self.where)
        return found


def unknown_stage(stage: str, fields: Fields, known: dict[str, Any]) -> InputError:
    return InputError(f"{fields.kind!r} is no {stage} of tokenizers 0.23", where=fields.where,
                      todo=f"known are {', '.join(known)}")


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", int: "a number",
             float: "a number with a fraction", type(None): "null"}
    return names.get(type(value), type(value).__name__)
