"""What is wrong with the tables: ids used twice, holes, duplicates, added and special tokens that collide, dead merges.

    >>> [f.kind for f in table_findings(index)]
    ['hole', 'merge never fires']
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from .audit_finding import MOST, Finding, More, Severity, shown
from .bytelevel import ByteLevelTokenizer
from .lineage import Lineage
from .pipeline.models.bpe_stored import StoredBPE
from .pipeline.models.plain_stored import StoredWordLevel, StoredWordPiece
from .pipeline_bytelevel import PipelineByteLevelTokenizer
from .pipeline_tokenizer import PipelineTokenizer
from .query import VocabularyIndex
from .tokenizer import Tokenizer
from .vocabulary import TokenKind, split_in_slices

#: Findings between two looks at the event loop; ids that one finding tells.
SLICE, TOLD = 256, 8


def table_findings(index: VocabularyIndex) -> Iterator[Finding | More]:
    """All of `table_steps` at once."""
    for step in table_steps(index, Lineage(index)):
        if not isinstance(step, float):
            yield step


def table_steps(index: VocabularyIndex, lineage: Lineage) -> Iterator[float | Finding | More]:
    """Findings about ids, texts, added tokens and merges; progress 0..1 in between."""
    yield from _ids_twice(index)
    yield 0.1
    yield from _duplicates(index)
    yield 0.25
    yield from _holes(index)
    yield 0.3
    if index.tokenizer is not None:
        yield from _added(index, index.tokenizer)
        for warning in index.tokenizer.warnings:
            yield Finding("said at loading", Severity.NOTE, (), warning)
    yield from _merges(index, lineage)


def _ids_twice(index: VocabularyIndex) -> Iterable[Finding]:
    v = index.vocabulary
    for row in np.flatnonzero(np.diff(v.ids) == 0).tolist():
        yield Finding("id twice", Severity.ERROR, (int(v.ids[row]),),
                      f"it is both {shown(v.bytes_at(row))} and {shown(v.bytes_at(row + 1))}")
    listed = spellings_of(index.tokenizer)
    if len(set(listed.values())) != len(listed):
        by_id: dict[int, list[str]] = defaultdict(list)
        for text, token_id in listed.items():
            by_id[token_id].append(text)
        for token_id, texts in by_id.items():
            if len(texts) > 1:
                yield Finding("id twice", Severity.ERROR, (token_id,),
                              f"the file gives it to {' and '.join(map(repr, texts[:4]))}")


def spellings_of(tokenizer: Tokenizer | None) -> dict[str, int]:
    """spelling -> id as the file's model lists them, where several spellings may have one id; {} for other formats, and
    for models out of the cache: of those with such ids none is kept."""
    if isinstance(tokenizer, PipelineTokenizer | PipelineByteLevelTokenizer) and not isinstance(
            tokenizer.parts.model, StoredBPE | StoredWordPiece | StoredWordLevel):
        listed: dict[str, int] | None = getattr(tokenizer.parts.model, "vocab", None)
        return listed or {}
    return {}


def _duplicates(index: VocabularyIndex) -> Iterator[float | Finding]:
    v = index.vocabulary
    seen: set[bytes] = set()
    several: set[bytes] = set()
    for _, pieces in split_in_slices(v.blob, v.offsets):
        new = set(pieces)
        if len(new) < len(pieces):
            several |= {piece for piece, count in Counter(pieces).items() if count > 1}
        several |= new & seen
        seen |= new
        yield 0.15
    several.discard(b"")
    rows_of: dict[bytes, list[int]] = {}  # in the order of their first rows
    for start, pieces in split_in_slices(v.blob, v.offsets) if several else ():
        for row, piece in enumerate(pieces, start):
            if piece in several:
                rows_of.setdefault(piece, []).append(row)
        yield 0.2
    model = index.tokenizer.parts.model if isinstance(index.tokenizer, PipelineTokenizer) else None
    prefix: str = getattr(model, "prefix", "")
    for number, (piece, rows) in enumerate(rows_of.items(), 1):
        if number % SLICE == 0:
            yield 0.25
        kinds = [TokenKind(int(v.kinds[r])) for r in rows]
        if prefix and len(rows) == 2:  # a word's beginning and a word's inside are no doubles
            first, second = sorted((v.raw_at(r) for r in rows), key=len)
            if second == prefix + first:
                continue
        ordinary = sum(k in (TokenKind.NORMAL, TokenKind.ADDED) for k in kinds) > 1
        said = ", ".join(f"{int(v.ids[r])} ({k.word})" for r, k in list(zip(rows, kinds, strict=True))[:TOLD])
        if len(rows) > TOLD:
            said += f" and {len(rows) - TOLD} more"
        if sorted(kinds) == [TokenKind.NORMAL, TokenKind.BYTE]:
            said = "a byte piece and an ordinary entry"
        yield Finding("duplicate", Severity.WARNING if ordinary else Severity.NOTE,
                      tuple(int(v.ids[r]) for r in rows), f"{shown(piece)} is {said}")


def _holes(index: VocabularyIndex) -> Iterable[Finding | More]:
    ids = index.vocabulary.ids
    if not len(ids):
        return
    before = np.concatenate(([-1], ids))
    holes = np.flatnonzero(np.diff(before) > 1)
    if len(holes) > MOST:
        yield More("hole", len(holes) - MOST)
    for at in holes[:MOST].tolist():
        first, last = int(before[at]) + 1, int(before[at + 1]) - 1
        several = f"the {last - first + 1} ids {first}..{last}"
        text = f"no entry has {f'id {first}' if first == last else several}"
        yield Finding("hole", Severity.NOTE, (first,) if first == last else (first, last), text)


def _added(index: VocabularyIndex, tokenizer: Tokenizer) -> Iterator[float | Finding]:
    v = index.vocabulary
    both = [*((t, i, "special") for t, i in tokenizer.special_tokens.items()),
            *((t, i, "added") for t, i in tokenizer.added_tokens.items())]
    owners: dict[int, list[str]] = defaultdict(list)
    for text, token_id, _ in both:
        owners[token_id].append(text)
    for token_id, texts in owners.items():
        if len(texts) > 1:
            yield Finding("added token collides", Severity.ERROR, (token_id,),
                          f"the added tokens {' and '.join(map(repr, texts[:4]))} have one id")
    listed = spellings_of(tokenizer)
    by_id = {i: t for t, i in listed.items()}
    wanted = {t.encode("utf-8", "surrogatepass") for t, _, _ in both if t}
    ordinary: dict[bytes, list[int]] = defaultdict(list)  # spelling -> ids of ordinary entries
    for start, pieces in split_in_slices(v.blob, v.offsets):
        for at, entry in enumerate(pieces, start):
            if entry in wanted and v.kinds[at] == TokenKind.NORMAL:
                ordinary[entry].append(int(v.ids[at]))
        yield 0.3
    for number, (text, token_id, word) in enumerate(both):
        if number % 512 == 511:
            yield 0.3
        piece = text.encode("utf-8", "surrogatepass")
        row = v.row_of(token_id)
        if row is None:
            yield Finding("added token collides", Severity.ERROR, (token_id,),
                          f"the {word} token {text!r} has an id that no entry has")
            continue
        if v.raw_at(row) != text and v.bytes_at(row) != piece:
            yield Finding("added token collides", Severity.ERROR, (token_id,),
                          f"the {word} token {text!r} has the id of the entry {shown(v.bytes_at(row))}")
        elif by_id.get(token_id, text) != text:
            yield Finding("added token collides", Severity.ERROR, (token_id,),
                          f"the {word} token {text!r} takes the id that the model gives to {by_id[token_id]!r}")
        others = [i for i in ordinary.get(piece, ()) if i != token_id]
        if others:
            kind = "special is ordinary text" if word == "special" else "added token collides"
            yield Finding(kind, Severity.ERROR, (token_id, *others),
                          f"the {word} token {text!r} has the text of the ordinary entry {others[0]}")
        elif word == "special" and text and all(c.isalnum() or c.isspace() for c in text):
            yield Finding("special is ordinary text", Severity.WARNING, (token_id,),
                          f"the special token {text!r} is a word like any other: text that has it may become the token")
    yield 0.3
    yield from _prefixes(both)
    yield 0.3


def _prefixes(both: list[tuple[str, int, str]]) -> Iterable[Finding]:
    """Of two added tokens one of which begins with the other, one hides the other or depends on the order. Runs of one
    character of every length are meant so."""
    ordered = sorted((t, i) for t, i, _ in both if t)
    for (a, first), (b, second) in pairwise(ordered):
        if b.startswith(a) and first != second and len(set(b)) > 1:
            yield Finding("added token collides", Severity.NOTE, (first, second),
                          f"the added token {b!r} begins with another, {a!r}")


def _merges(index: VocabularyIndex, lineage: Lineage) -> Iterator[float | Finding | More]:
    """Merges that the file lists. Derived ones fire by the way they are found; there is nothing to look for."""
    tokenizer = index.tokenizer
    listed = tokenizer.merges is not None if isinstance(tokenizer, ByteLevelTokenizer) else (
        index.vocabulary.merges is not None)
    if not listed:
        return
    for step in lineage.firing_steps():
        yield 0.3 + 0.7 * step
    firing = lineage.firing
    if firing is None:
        return
    merges, v = lineage.merges, index.vocabulary
    dead = np.flatnonzero(firing.dead)
    lost = ~firing.built[np.searchsorted(v.ids, merges.result[dead])]
    ordered = [*((m, True) for m in dead[lost][:MOST].tolist()), *((m, False) for m in dead[~lost][:MOST].tolist())]
    for m, gone in ordered[:MOST]:  # the worse ones first
        left, right, made = int(merges.left[m]), int(merges.right[m]), int(merges.result[m])
        spelled = f"{shown(v.bytes_of(left) or b'')} + {shown(v.bytes_of(right) or b'')}"
        why = "and no other merge makes the entry" if gone else "another merge makes the entry"
        yield Finding("merge never fires", Severity.WARNING if gone else Severity.NOTE, (made, left, right),
                      f"merge {m}, {spelled}, never fires: {why}")
    if len(dead) > MOST:
        yield More("merge never fires", len(dead) - MOST)
