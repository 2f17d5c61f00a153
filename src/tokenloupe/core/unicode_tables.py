"""Sets of code points as each regex engine has them, pinned, so that a newer Unicode in a library changes no token id.

    >>> bool(engine_class("fancy-regex", "Lu")[ord("A")]), bool(engine_class("oniguruma", r"\\s")[0x85])
    (True, True)

Source: unicode_tables_data.py, asked of the engines over all code points. llama.cpp is given fancy-regex's tables: its
own data are the Unicode database's, and differ from these in recently assigned characters only.
"""

from __future__ import annotations

import base64
import zlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .unicode_tables_data import CATEGORIES, DATA

Bools = NDArray[np.bool_]
POINTS = 0x110000

_CATEGORY_NAMES = CATEGORIES.split()
_LONG = {
    "letter": "L", "mark": "M", "number": "N", "punctuation": "P", "symbol": "S", "separator": "Z", "other": "C",
    "punct": "P", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt", "modifierletter": "Lm",
    "otherletter": "Lo", "nonspacingmark": "Mn", "spacingmark": "Mc", "enclosingmark": "Me", "decimalnumber": "Nd",
    "letternumber": "Nl", "othernumber": "No", "connectorpunctuation": "Pc", "dashpunctuation": "Pd",
    "openpunctuation": "Ps", "closepunctuation": "Pe", "initialpunctuation": "Pi", "finalpunctuation": "Pf",
    "otherpunctuation": "Po", "mathsymbol": "Sm", "currencysymbol": "Sc", "modifiersymbol": "Sk", "othersymbol": "So",
    "spaceseparator": "Zs", "lineseparator": "Zl", "paragraphseparator": "Zp", "control": "Cc", "format": "Cf",
    "privateuse": "Co", "unassigned": "Cn",
}


def _numbers(text: str) -> list[int]:
    out, value, shift = [], 0, 0
    for byte in zlib.decompress(base64.b85decode(text)):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            out.append(value)
            value = shift = 0
    return out


def _tables(engine: str) -> dict[str, str]:
    return DATA["fancy-regex" if engine == "llama.cpp" else engine]


@cache
def _codes(engine: str, table: str) -> NDArray[np.uint8]:
    pairs = np.array(_numbers(_tables(engine)[table]), np.int64).reshape(-1, 2)
    return np.repeat(pairs[:, 1].astype(np.uint8), pairs[:, 0])


@cache
def engine_class(engine: str, name: str) -> Bools:
    """bool (0x110000,), read-only: the code points that a class of the engine has. Surrogates are in none but Cs.

    name: a general category or group of them ("Lu", "L", "LC"), "Any", "ASCII", a script ("Han"), a property
    ("Alphabetic", "White_Space"), a shorthand (r"\\s", r"\\w", r"\\d") or a POSIX bracket ("[:alpha:]").
    KeyError when the engine has no such class, as far as the tables say.
    """
    made = _find(engine, name)
    made.flags.writeable = False
    return made


def _find(engine: str, name: str) -> Bools:
    tables = _tables(engine)
    if name in tables and name not in ("categories", "scripts", "folds", "script names"):
        runs = np.array(_numbers(tables[name]), np.int64)
        runs = np.append(runs, POINTS - runs.sum())
        return np.repeat(np.arange(len(runs)) % 2 == 1, runs)
    plain = name.lower().replace("_", "").replace(" ", "").replace("-", "")
    if plain == "any":
        return np.ones(POINTS, np.bool_)
    if plain == "ascii":
        return np.arange(POINTS) < 128
    if plain in ("lc", "l&"):
        return _find(engine, "Lu") | _find(engine, "Ll") | _find(engine, "Lt")
    short = _LONG.get(plain, plain)
    wanted = [i + 1 for i, c in enumerate(_CATEGORY_NAMES) if c.lower().startswith(short.lower())]
    if wanted and len(short) <= 2:
        return np.isin(_codes(engine, "categories"), wanted)
    for i, script in enumerate(tables["script names"].split()):
        if script.lower().replace("_", "") == plain:
            return np.asarray(_codes(engine, "scripts") == i + 1)
    for key in tables:
        if key.lower().replace("_", "") == plain and key[0] not in "\\[":
            return _find(engine, key) if key not in ("categories", "scripts", "folds") else _missing(name)
    return _missing(name)


def _missing(name: str) -> Bools:
    raise KeyError(name)


@cache
def case_orbits(engine: str) -> dict[int, tuple[int, ...]]:
    """code point -> all that it matches under (?i), itself among them; absent when that is only itself."""
    found: dict[int, tuple[int, ...]] = {}
    orbit: list[int] = []
    for point in _numbers(_tables(engine)["folds"]):
        if point:
            orbit.append(point)
        else:
            found.update(dict.fromkeys(orbit, tuple(orbit)))
            orbit = []
    return found


def fold(engine: str, members: Bools) -> Bools:
    """The set with everything that matches one of its members under (?i)."""
    out = members.copy()
    for point, orbit in case_orbits(engine).items():
        if members[point]:
            out[list(orbit)] = True
    return out


@cache
def script_codes(engine: str = "fancy-regex") -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """(uint8 (0x110000,), names): the script of each code point as an index into names; names[0] is "Unknown"."""
    codes = _codes(engine, "scripts")
    codes.flags.writeable = False
    return codes, ("Unknown", *_tables(engine)["script names"].split())
