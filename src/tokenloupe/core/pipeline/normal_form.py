"""NFC, NFD, NFKC, NFKD as `tokenizers` has them (Unicode 12), with the source characters of every result character.

    >>> normalize_chunk("e\\u0301", composed=True, compatibility=False)
    ('é', ((0, 2),))

A decomposition, once in Unicode, never changes; so Python's data of any later version serve, held to the code points
that the library knows (hf_tables.py). Only runs that can change are looked at; each is worked out once and remembered.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

import numpy as np

from ..text import code_points
from .aligned import Aligned, Edit
from .chars import Bools, ranges, table

L_BASE, V_BASE, T_BASE, S_BASE = 0x1100, 0x1161, 0x11A7, 0xAC00
L_COUNT, V_COUNT, T_COUNT, S_COUNT = 19, 21, 28, 11172


@cache
def decomposition(char: str, compatibility: bool) -> str:
    """The full decomposition of one character, before reordering."""
    point = ord(char)
    if 0 <= point - S_BASE < S_COUNT:
        index = point - S_BASE
        parts = [chr(L_BASE + index // (V_COUNT * T_COUNT)), chr(V_BASE + index % (V_COUNT * T_COUNT) // T_COUNT)]
        return "".join(parts + ([chr(T_BASE + index % T_COUNT)] if index % T_COUNT else []))
    if not (table("CANONICAL")[point] or (compatibility and table("COMPATIBILITY")[point])):
        return char
    mapping = unicodedata.decomposition(char).split()
    if mapping[0].startswith("<"):
        if not compatibility:
            return char
        mapping = mapping[1:]
    return "".join(decomposition(chr(int(x, 16)), compatibility) for x in mapping)


@cache
def combining_class(char: str) -> int:
    return unicodedata.combining(char) if table("COMBINING_CLASS")[ord(char)] or table("CANONICAL")[ord(char)] else 0


@cache
def compositions() -> dict[tuple[str, str], str]:
    """(first, second) -> primary composite; Hangul apart."""
    made = {}
    for first, last in ranges("CANONICAL"):
        for point in range(first, last + 1):
            char = chr(point)
            if 0 <= point - S_BASE < S_COUNT or unicodedata.normalize("NFC", char) != char:
                continue
            parts = unicodedata.decomposition(char).split()
            if len(parts) == 2:
                made[chr(int(parts[0], 16)), chr(int(parts[1], 16))] = char
    return made


def compose(first: str, second: str) -> str | None:
    a, b = ord(first), ord(second)
    if 0 <= a - L_BASE < L_COUNT and 0 <= b - V_BASE < V_COUNT:
        return chr(S_BASE + ((a - L_BASE) * V_COUNT + b - V_BASE) * T_COUNT)
    if 0 <= a - S_BASE < S_COUNT and (a - S_BASE) % T_COUNT == 0 and 0 < b - T_BASE < T_COUNT:
        return chr(a + b - T_BASE)
    return compositions().get((first, second))


@lru_cache(maxsize=1 << 15)
def normalize_chunk(text: str, composed: bool, compatibility: bool) -> tuple[str, tuple[tuple[int, int], ...]]:
    """(result, for each of its characters the (from, to) characters of `text` it comes from)."""
    parts = [(c, i, i + 1) for i, char in enumerate(text) for c in decomposition(char, compatibility)]
    ordered: list[tuple[str, int, int]] = []
    at = 0
    while at < len(parts):  # marks between two starters, sorted by class, those of one class in their order
        stop = at + 1
        if combining_class(parts[at][0]):
            while stop < len(parts) and combining_class(parts[stop][0]):
                stop += 1
            ordered += sorted(parts[at:stop], key=lambda p: combining_class(p[0]))
        else:
            ordered.append(parts[at])
        at = stop
    if composed:
        ordered = _composed(ordered)
    return "".join(c for c, _, _ in ordered), tuple((a, b) for _, a, b in ordered)


def _composed(parts: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """The canonical composition algorithm (UAX #15): a mark joins the last starter unless one before it blocks."""
    out: list[tuple[str, int, int]] = []
    starter, last_class = -1, 0
    for char, low, high in parts:
        order = combining_class(char)
        if starter >= 0 and (len(out) - 1 == starter or last_class < order):
            base, a, b = out[starter]
            joined = compose(base, char)
            if joined is not None:
                out[starter] = (joined, min(a, low), max(b, high))
                continue
        if order == 0:
            starter, last_class = len(out), 0
        else:
            last_class = order
        out.append((char, low, high))
    return out


@cache
def changeable(composed: bool, compatibility: bool) -> Bools:
    """bool (0x110000,): characters at which normalization may change a text, together with the one before them."""
    made = table("COMBINING_CLASS") | table("CANONICAL")
    if compatibility:
        made = made | table("COMPATIBILITY")
    if composed:
        made = made.copy()
        made[S_BASE : S_BASE + S_COUNT] = False  # composed Hangul stays as it is
        for char in compositions().values():
            if normalize_chunk(char, True, compatibility)[0] == char:
                made[ord(char)] = False
        for _, second in compositions():
            made[ord(second)] = True
        made[V_BASE : V_BASE + V_COUNT] = True
        made[T_BASE + 1 : T_BASE + T_COUNT] = True
    return made


def normalize(a: Aligned, form: str) -> Aligned:
    """form: NFC, NFD, NFKC or NFKD."""
    if a.text.isascii():
        return a
    composed, compatibility = form.endswith("C"), "K" in form
    hits = np.flatnonzero(changeable(composed, compatibility)[code_points(a.text)])
    if not len(hits):
        return a
    breaks = np.flatnonzero(np.diff(hits) > 1)
    starts = np.maximum(hits[np.append(0, breaks + 1)] - 1, 0).tolist()
    ends = (hits[np.append(breaks, len(hits) - 1)] + 1).tolist()
    text = a.text
    edits = []
    done = 0
    for start, end in zip(starts, ends, strict=True):
        start = max(start, done)
        old = text[start:end]
        new, sources = normalize_chunk(old, composed, compatibility)
        if new != old:
            edits.append(Edit(start, end, new, sources))
        done = end
    return a.edited(edits)
