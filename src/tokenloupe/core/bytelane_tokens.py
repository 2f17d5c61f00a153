"""Where the tokens of a window lie on a ruler of bytes: side by side, over one another, and those of no byte at all.

    >>> [(c.index, c.start, c.end, c.level, c.levels) for c in token_cells(window)]      # "ﬁ" by NFKC: f and i share 3
    [(0, 0, 3, 0, 2), (1, 0, 3, 1, 2)]

Byte-level tokens follow one another. Behind a normalizer several can come from the same bytes: they share a level each.
A token that no byte of the text is behind (a prefix space, a token that a template adds) has an empty span; what no
token has is lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .document import Document, TokenWindow


@dataclass(frozen=True, slots=True)
class TokenCell:
    """index: in the document. level of levels: which of those that share bytes; of empty spans, which at the place."""

    index: int
    id: int
    start: int
    end: int
    kind: int
    level: int = 0
    levels: int = 1


@dataclass(frozen=True, slots=True)
class LostBytes:
    """start:end come back changed or not at all; stage: what lost them, "" where it is not known. held: a token has
    them all the same (and decodes to other bytes)."""

    start: int
    end: int
    stage: str
    held: bool


def token_cells(tokens: TokenWindow, start: int, end: int) -> list[TokenCell]:
    """Those that touch bytes start .. end, by where they begin; empty ones at the edges included."""
    starts, ends = tokens.starts, tokens.ends
    if not len(tokens):
        return []
    if (ends > starts).all() and (starts[1:] >= ends[:-1]).all():
        return [TokenCell(tokens.first_index + k, i, a, b, kind) for k, (i, a, b, kind) in enumerate(zip(
            tokens.ids.tolist(), starts.tolist(), ends.tolist(), tokens.kinds.tolist(), strict=True))]
    wide: list[TokenCell] = []
    empty: dict[int, list[TokenCell]] = {}
    for k in np.lexsort((ends, starts)).tolist():
        cell = TokenCell(tokens.first_index + k, int(tokens.ids[k]), int(starts[k]), int(ends[k]), int(tokens.kinds[k]))
        if cell.start == cell.end:
            if start <= cell.start <= end:
                empty.setdefault(cell.start, []).append(cell)
        elif cell.start < end and cell.end > start:
            wide.append(cell)
    placed = list(_levelled(wide))
    for cells in empty.values():
        placed += [_at(cell, level, len(cells)) for level, cell in enumerate(sorted(cells, key=lambda c: c.index))]
    return sorted(placed, key=lambda c: (c.start, c.end, c.index))


def _levelled(cells: list[TokenCell]) -> Iterable[TokenCell]:
    """Levels for groups of cells that overlap; cells ascend by start."""
    group: list[TokenCell] = []
    until = -1
    for cell in [*cells, None]:
        if cell is None or cell.start >= until:
            free: list[int] = []  # where each level is free again
            chosen = []
            for member in group:
                level = next((k for k, edge in enumerate(free) if edge <= member.start), len(free))
                free[level : level + 1] = [member.end]
                chosen.append(level)
            yield from (_at(member, level, len(free)) for member, level in zip(group, chosen, strict=True))
            group = []
        if cell is not None:
            group.append(cell)
            until = max(until, cell.end)


def _at(cell: TokenCell, level: int, levels: int) -> TokenCell:
    return TokenCell(cell.index, cell.id, cell.start, cell.end, cell.kind, level, levels)


def follow_one_another(document: Document) -> bool:
    """Do the tokens stand side by side, with none left out? (Byte-level ones that an edit does not encode anew.)"""
    return document.pre_token_edges(0, 0) is not None


def tokens_around(document: Document, start: int, end: int) -> TokenWindow:
    """Document.window, with the empty-span tokens that stand at the window's edges."""
    found = document.window(start, end)
    if follow_one_another(document) and len(found):
        return found
    low, high = (found.first_index, found.first_index + len(found)) if len(found) else (
        max(document.token_at(start), 0), max(document.token_at(start), 0))
    first, last = low, high
    while first > 0 and _is_empty_at(document, first - 1, start, end):
        first -= 1
    while last < document.token_count and _is_empty_at(document, last, start, end):
        last += 1
    return found if (first, last) == (low, high) and len(found) else document.tokens(first, last)


def without_bytes(document: Document, byte_pos: int) -> list[int]:
    """Indices of the tokens that have no byte of their own and stand before a byte: those of empty spans there, and
    those that end there and whose bytes an earlier token has."""
    if follow_one_another(document):
        return []
    window = tokens_around(document, byte_pos, byte_pos)
    spans = list(zip(window.starts.tolist(), window.ends.tolist(), strict=True))
    owner = document.token_at(byte_pos - 1) - window.first_index if byte_pos else -1
    covered = [k for k, (start, end) in enumerate(spans) if start < end == byte_pos and k != owner
               and any(a <= start and b >= end for a, b in spans[:k])]
    empty = [k for k, (start, end) in enumerate(spans) if start == end == byte_pos]
    return [window.first_index + k for k in (*empty, *covered)]


def _is_empty_at(document: Document, index: int, start: int, end: int) -> bool:
    one = document.tokens(index, index + 1)
    return int(one.starts[0]) == int(one.ends[0]) and start <= int(one.starts[0]) <= end


def lost_bytes(document: Document, cells: list[TokenCell], start: int, end: int) -> list[LostBytes]:
    """What of bytes start .. end (as far as there are tokens) no token has, or comes back changed."""
    end = min(end, document.complete_to)
    if start >= end or follow_one_another(document):
        return []
    held = np.zeros(end - start, np.bool_)
    for cell in cells:
        held[max(cell.start - start, 0) : max(cell.end - start, 0)] = True
    stages: list[str | None] = [None] * (end - start)
    for item in document.lost_in(start, end) if document.complete else ():
        for place in range(max(item.start, start), min(item.end, end)):
            stages[place - start] = item.stage
    found: list[LostBytes] = []
    at = 0
    while at < end - start:
        stop = at + 1
        while stop < end - start and (stages[stop], held[stop]) == (stages[at], held[at]):
            stop += 1
        if stages[at] is not None or not held[at]:
            found.append(LostBytes(start + at, start + stop, stages[at] or "", bool(held[at])))
        at = stop
    return found
