"""Which bytes of an input do not come back, and which stage lost them.

The decoded bytes are compared with the input (`byte_diff`); of what differs over thousands of bytes the stages' own
changes are told. Each span that differs is laid to the first stage that changed something
in it: a normalizer or pre-tokenizer by name, the model that had no token, or else the decoder.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from ..byte_diff import changed, stretch
from ..text import code_points
from ..tokenizer import Encoding, Lost, SpecialMode
from ..vocabulary import Int64s
from .aligned import Aligned
from .models.base import Model

if TYPE_CHECKING:
    from ..pipeline_tokenizer import PipelineTokenizer

#: No more than this many spans are told.
MOST = 2000

Change = tuple[int, int, str]


def explain_losses(tokenizer: PipelineTokenizer, made: Encoding, decoded: bytes,
                   special: SpecialMode) -> tuple[Lost, ...]:
    data = made.data
    changes = stage_changes(tokenizer, made, special)
    found = changed(data, decoded)
    if found is not None:
        spans = [(start, end) for start, end, _, _ in found]
    else:
        head, end, _ = stretch(data, decoded)
        spans = [(max(s, head), min(e, end)) for s, e, _ in changes if e >= head and s <= end]
        spans = sorted(set(spans))[:MOST] or [(head, end)]
    blame = _Blame(changes)
    return tuple(Lost(s, e, blame.of(s, e)) for s, e in spans[:MOST])


class _Blame:
    """Finds the first change at a span among many: only those are looked at that begin near enough to reach it."""

    def __init__(self, changes: list[Change]) -> None:
        self._changes = changes
        lows, highs = (np.fromiter((c[k] for c in changes), np.int64, len(changes)) for k in (0, 1))
        self._order = np.argsort(lows, kind="stable")
        self._lows, self._highs = lows[self._order], highs[self._order]
        self._widest = int((highs - lows).max(initial=0))

    def of(self, start: int, end: int) -> str:
        """The stage of the first change that overlaps the span, or else touches it."""
        near = slice(*np.searchsorted(self._lows, (start - self._widest, end + 1)))
        lows, highs, order = self._lows[near], self._highs[near], self._order[near]
        for hit in ((lows < end) & (start < highs), (lows <= end) & (start <= highs)):
            if hit.any():
                return self._changes[int(order[hit].min())][2]
        return "decoder"


def stage_changes(tokenizer: PipelineTokenizer, made: Encoding, special: SpecialMode) -> list[Change]:
    """(start, end, stage) of what each stage changed or dropped, in the order of the stages."""
    changes: list[Change] = []
    data = made.data
    raw = Aligned.of(data, keep_invalid=tokenizer._keep_invalid)
    changes += [(a, b, "not UTF-8") for a, b in _spans(raw, np.flatnonzero(code_points(raw.text) == 0xFFFD))
                if data[a:b] != b"\xef\xbf\xbd"][:MOST]
    allow = None if special == "parse" else frozenset() if special == "text" else special
    assert not isinstance(allow, str)
    for low, high, token in tokenizer.added.table(raw.text, tokenizer.added.raw, allow).tolist():
        if token >= 0:
            if raw.text[low:high] != tokenizer.added.by_id[token].content:
                changes.append((raw.edge(low), raw.edge(high), "added tokens"))
            continue
        text = raw.sub(low, high)
        for stage in tokenizer.parts.normalizers:
            after = stage.apply(text)
            changes += differing(text, after, stage.name)
            text = after
    sections = tokenizer.sections(data, special)
    pieces = tokenizer.pieces(sections)
    covered = np.zeros(len(data) + 1, np.int64)
    _cover(covered, pieces.text, pieces.starts, pieces.ends)
    given = np.flatnonzero(sections.ids >= 0)
    _cover(covered, sections.text, sections.starts[given], sections.ends[given])
    for start, end, token in zip(sections.starts.tolist(), sections.ends.tolist(), sections.ids.tolist(), strict=True):
        if token >= 0 and sections.text.text[start:end] != tokenizer.added.by_id[token].content:
            changes.append((sections.text.edge(start), int(sections.text.ends[end - 1]), "added tokens"))
    changes += [(a, b, "pre-tokenizer") for a, b in _gaps(covered, len(data))]
    unknown = tokenizer.parts.model.unknown_id
    if unknown is not None:
        at = np.flatnonzero(made.ids == unknown)
        changes += zip(made.starts[at].tolist(), made.ends[at].tolist(), repeat("model: no token"))
    drops = type(tokenizer.parts.model).dropped is not Model.dropped
    known: dict[str, list[tuple[int, int]]] = {}  # the words of a text come again and again
    for piece, start in zip(pieces.texts(), pieces.starts.tolist(), strict=True) if drops else ():
        found = known.get(piece)
        if found is None:
            found = known[piece] = tokenizer.dropped(piece)
        for low, high in found:
            first, last = start + low, start + high - 1
            changes.append((pieces.text.edge(first), int(pieces.text.ends[last]), "model: no token"))
    return changes


def _spans(text: Aligned, at: Int64s) -> Iterable[tuple[int, int]]:
    return zip(text.starts[at].tolist(), text.ends[at].tolist(), strict=True)


def differing(before: Aligned, after: Aligned, stage: str) -> list[Change]:
    """The input bytes whose characters are others after a stage."""
    if before.text == after.text:
        return []
    if _alike(before, after):
        return [(a, b, stage) for a, b in _spans(before, np.flatnonzero(code_points(before.text)
                                                                       != code_points(after.text)))]
    # Counted from the section's own first byte: a text has as many sections as it has added tokens.
    origin = min(int(a.starts.min()) for a in (before, after) if len(a.starts))
    (starts, ends), (after_starts, after_ends) = ((a.starts - origin, a.ends - origin) for a in (before, after))
    # Spans as one number each: of several characters with one span the last is the old one, as it stands at the end.
    base = 1 + max(int(e.max(initial=0)) for e in (ends, after_ends))
    old, new = starts * base + ends, after_starts * base + after_ends
    order = np.argsort(old, kind="stable")
    spans, points = old[order], code_points(before.text)[order]
    last = np.flatnonzero(np.concatenate((spans[1:] != spans[:-1], np.ones(len(spans[:1]), np.bool_))))
    spans, points = spans[last], points[last]
    altered = np.ones(len(new), np.bool_)
    if len(spans):
        at = np.minimum(np.searchsorted(spans, new), len(spans) - 1)
        altered = (spans[at] != new) | (points[at] != code_points(after.text)) | (after_starts == after_ends)
    covered = np.zeros(base + 1, np.int64)
    np.add.at(covered, after_starts, 1)
    np.add.at(covered, after_ends, -1)
    bare = np.concatenate(([0], np.cumsum(np.cumsum(covered) <= 0)))  # bytes before each that no character comes from
    starts, ends = spans // base, spans % base
    gone = (ends > starts) & (bare[ends] > bare[starts])
    found = np.unique(np.concatenate((new[altered], spans[gone])))
    return list(zip((found // base + origin).tolist(), (found % base + origin).tolist(), repeat(stage)))


def _alike(before: Aligned, after: Aligned) -> bool:
    """Whether character by character the same bytes are behind both, one character's bytes after the other's."""
    starts, ends = before.starts, before.ends
    return (len(starts) == len(after.starts) and bool((starts < ends).all() and (ends[:-1] <= starts[1:]).all())
            and np.array_equal(starts, after.starts) and np.array_equal(ends, after.ends))


def _cover(covered: Int64s, text: Aligned, starts: Int64s, ends: Int64s) -> None:
    """Count the bytes behind characters starts:ends, each pair a range that may be empty."""
    real = np.flatnonzero(ends > starts)
    np.add.at(covered, text.starts[starts[real]], 1)
    np.add.at(covered, text.ends[ends[real] - 1], -1)


def _gaps(covered: Int64s, size: int) -> list[tuple[int, int]]:
    bare = np.cumsum(covered)[:size] <= 0
    edges = np.flatnonzero(np.diff(np.concatenate(([False], bare, [False])).astype(np.int8)))
    return [(a, b) for a, b in edges.reshape(-1, 2).tolist()]
