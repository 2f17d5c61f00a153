"""What can be seen in the entries themselves: control and bidirectional characters, look-alikes, very long ones.

    >>> [f.kind for f in entry_findings(VocabularyIndex(Vocabulary.build([(0, "pаy".encode())]))) if f]   # Cyrillic а
    ['look-alike']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from .audit_finding import Finding, More, Severity, shown
from .pipeline_tokenizer import PipelineTokenizer
from .query import VocabularyIndex
from .reach_trial import Trial
from .scripts import Utf8Class
from .tables import readable
from .tokenizer import Tokenizer
from .vocabulary import TokenKind, Vocabulary, split_in_slices
from .vocabulary_only import VocabularyOnly

LONG = 64
_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_INVISIBLE = (0x00AD, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF,
              *range(0xE0000, 0xE0080))
#: Letters of other scripts that look like a Latin one (a selection of Unicode's confusables, UTS #39).
LOOK_ALIKES = dict(zip(
    "аеорсхуіјѕһԁԛԝАВЕКМНОРСТХУЅІЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳօս",
    "aeopcxyijshdqwABEKMHOPCTXYSIJABEZHIKMNOPTYXovcjou", strict=True))
SLICE = 256


def entry_findings(index: VocabularyIndex) -> Iterator[Finding | None]:
    """The findings; None now and then, where a slice of work ends."""
    parts: tuple[Callable[[VocabularyIndex], Iterable[Finding | None]], ...] = (_with_characters, _look_alikes, _long)
    for part in parts:
        yield None
        for number, finding in enumerate(part(index), 1):
            yield finding
            if number % SLICE == 0:
                yield None


def _with_characters(index: VocabularyIndex) -> Iterable[Finding]:
    v, points = index.vocabulary, index.points
    control = np.zeros(0x110000, np.bool_)
    control[:32] = control[0x7F:0xA0] = True
    control[[9, 10, 13]] = False
    bidi, invisible = np.zeros(0x110000, np.bool_), np.zeros(0x110000, np.bool_)
    bidi[list(_BIDI)] = True
    invisible[list(_INVISIBLE)] = True
    for kind, table, severity in (("control character", control, Severity.NOTE),
                                  ("bidirectional control", bidi, Severity.WARNING),
                                  ("invisible", invisible, Severity.NOTE)):
        hits = np.flatnonzero(points.valid & table[points.points])
        rows = np.unique(points.rows[hits])
        if kind == "control character":
            rows = rows[index.lengths[rows] > 1]  # single bytes are what a byte-level vocabulary begins with
        for row in rows.tolist():
            chars = points.points[points.offsets[row] : points.offsets[row + 1]]
            named = ", ".join(dict.fromkeys(f"U+{c:04X}" for c in chars[table[chars]].tolist()))
            yield Finding(kind, severity, (int(v.ids[row]),), f"{shown(v.bytes_at(row))} has {named}")


def _look_alikes(index: VocabularyIndex) -> Iterable[Finding | None]:
    v, points = index.vocabulary, index.points
    table = np.zeros(0x110000, np.bool_)
    table[[ord(c) for c in LOOK_ALIKES]] = True
    rows = np.unique(points.rows[points.valid & table[points.points]])
    latin: list[tuple[int, bytes]] = []  # rows that look all Latin, and as what
    for number, row in enumerate(rows[index.classes[rows] == Utf8Class.WHOLE].tolist()):
        if number % (8 * SLICE) == 0:
            yield None
        text = v.bytes_at(row).decode()
        letters = [c for c in text if c.isalpha()]
        if any("a" <= c.lower() <= "z" for c in letters):
            strange = "".join(dict.fromkeys(c for c in letters if c in LOOK_ALIKES))
            yield Finding("look-alike", Severity.WARNING, (int(v.ids[row]),),
                          f"{shown(text.encode())} mixes Latin letters with {strange}, which only look like them")
        elif len(letters) > 1 and all(c in LOOK_ALIKES for c in letters):
            latin.append((row, "".join(LOOK_ALIKES.get(c, c) for c in text).encode()))
    wanted = {piece for _, piece in latin}
    found: dict[bytes, int] = {}
    for first, pieces in split_in_slices(v.blob, v.offsets) if wanted else ():
        for at, piece in enumerate(pieces, first):
            if piece in wanted and v.kinds[at] in (TokenKind.NORMAL, TokenKind.ADDED):
                found.setdefault(piece, int(v.ids[at]))
        yield None
    for row, piece in latin:
        if piece in found:
            yield Finding("look-alike", Severity.NOTE, (int(v.ids[row]), found[piece]),
                          f"{shown(v.bytes_at(row))} looks like the entry {found[piece]}, which is Latin")


def _long(index: VocabularyIndex) -> Iterable[Finding]:
    v = index.vocabulary
    rows = np.flatnonzero((index.lengths >= LONG) & np.isin(v.kinds, (TokenKind.NORMAL, TokenKind.ADDED)))
    for row in rows[np.argsort(-index.lengths[rows], kind="stable")].tolist():
        text = v.bytes_at(row).decode("utf-8", "replace")
        runs = [(c, len(list(some))) for c, some in groupby(text)]
        longest = max(runs, key=lambda r: r[1])
        what = (f"{longest[1]} times {readable(longest[0].encode())}" if len(runs) <= 3
                else readable(text[:40].encode()) + ("…" if len(text) > 40 else ""))
        yield Finding("long", Severity.NOTE, (int(v.ids[row]),), f"{int(index.lengths[row])} bytes: {what}")


def roundtrip_findings(index: VocabularyIndex) -> Iterator[float | Finding | More]:
    """Entries whose text comes back changed; progress 0..1 in between. Byte-level models with all bytes have none."""
    tokenizer, v = index.tokenizer, index.vocabulary
    if tokenizer is None or isinstance(tokenizer, VocabularyOnly):
        return
    trial = Trial(tokenizer)
    complete = trial.engine is not None and not trial.engine.engine.missing
    if complete and trial.engine is tokenizer:
        return
    usual: NDArray[np.bool_] = np.asarray((index.classes == Utf8Class.WHOLE) & (v.kinds == TokenKind.NORMAL))
    rows = np.flatnonzero(usual).tolist()
    if complete:  # only what a normal form changes can come back as something else
        changed: list[int] = []
        for at in range(0, len(rows), SLICE):
            some = rows[at : at + SLICE]
            kept = trial.kept([v.bytes_at(r) for r in some])
            changed += [r for r, same in zip(some, kept.tolist(), strict=True) if not same]
            yield 0.9 * at / len(rows)
        rows = changed
    alike: dict[str, int] = {}  # entries that lose the spaces before or behind them, by stages: one is written out
    size = SLICE // 4 if isinstance(tokenizer, PipelineTokenizer) else SLICE // 16
    for at in range(0, len(rows), size):
        some = rows[at : at + size]
        share = 0.9 + 0.1 * at / len(rows) if complete else at / len(rows)
        yield share
        same = trial.comes_back([v.bytes_at(r) for r in some], [int(v.ids[r]) for r in some])
        for number, row in enumerate(r for r, s in zip(some, same.tolist(), strict=True) if not s):
            if number % (SLICE // 16) == SLICE // 16 - 1:
                yield share
            finding = _changed(tokenizer, v, row, alike)
            if finding is not None:
                yield finding
    more = sum(alike.values()) - len(alike)
    if more:
        yield More("decodes differently", more)


def _changed(tokenizer: Tokenizer, v: Vocabulary, row: int, alike: dict[str, int]) -> Finding | None:
    """What is said of an entry that comes back changed; None of one that is counted with others that are alike."""
    piece = v.bytes_at(row)
    encoding = tokenizer.encode(piece)
    back = tokenizer.decode(encoding.ids)
    stages = ", ".join(dict.fromkeys(lost.stage for lost in encoding.lost))
    lost = f" (lost at: {stages})" if stages else ""
    if back and back.strip(b" ") == piece.strip(b" "):
        alike[lost] = alike.get(lost, 0) + 1
        if alike[lost] > 1:
            return None
        lost += ", as do others with a space at an end" if len(piece) > len(back) else ", as do others"
    return Finding("decodes differently", Severity.NOTE, (int(v.ids[row]),),
                   f"{shown(piece)} comes back as {shown(back) or 'nothing'}{lost}")
