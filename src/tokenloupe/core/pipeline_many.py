"""Many short texts through the stages of a tokenizer.json in one pass; each is a text by itself.

    >>> ids, owners = encode_many(tokenizer, [b"one", b" two"])     # tokens in order, and which text each is of

Stages cut and change all sections of a text at once (pipeline_tokenizer.py), so a thousand texts are a thousand
sections of one. Between texts that are normalized together stands a line end, over which nothing composes; texts that
an added token is in, and stages that look further than at a character and its marks, are prepared one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .pipeline.aligned import Aligned
from .pipeline.normalizers import Bert, Filter, Lowercase, NormalForm, Normalizer, Replace
from .pipeline.pretokenizers import Pieces
from .pipeline_tokenizer import PipelineTokenizer
from .text import code_points
from .tokenizer import SpecialMode
from .vocabulary import Int64s

BETWEEN = "\n"


@dataclass(frozen=True)
class _Prepared:
    """Normalized texts side by side. starts, ends: characters of each section; ids: -1 or an added token; owners: the
    text of each. Byte offsets count from the beginning of each text."""

    text: Aligned
    starts: Int64s
    ends: Int64s
    ids: Int64s
    owners: Int64s


def encode_many(tokenizer: PipelineTokenizer, texts: Sequence[bytes],
                special: SpecialMode = "text") -> tuple[Int64s, Int64s]:
    """(ids, owners), each int64 (n,): texts in order, tokens in order. InputError when the library refuses any."""
    if not texts:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    all_of_them = _prepare(tokenizer, texts, special)
    own = np.flatnonzero((all_of_them.ids < 0) & (all_of_them.ends > all_of_them.starts))
    pieces = tokenizer.cut(Pieces(all_of_them.text, all_of_them.starts[own], all_of_them.ends[own], own))
    ids, sections = tokenizer.model_ids(pieces)
    given = np.flatnonzero(all_of_them.ids >= 0)
    if len(given):
        sections = np.concatenate((sections, given))
        ids = np.concatenate((ids, all_of_them.ids[given]))
    owners = all_of_them.owners[sections]
    order = np.lexsort((sections, owners))
    return ids[order], owners[order]


def _prepare(tokenizer: PipelineTokenizer, texts: Sequence[bytes], special: SpecialMode) -> _Prepared:
    together = _together(tokenizer, texts)
    alone = np.ones(len(texts), np.bool_) if together is None else together.ids >= 0
    parts = [] if together is None else [together]
    for number in np.flatnonzero(alone).tolist():
        found = tokenizer.sections(texts[number], special)
        parts.append(_Prepared(found.text, found.starts, found.ends, found.ids, np.full(len(found.ids), number)))
    edges = np.cumsum([0, *(len(p.text) for p in parts)])[:-1]
    sizes = [len(p.ids) for p in parts]
    shift = np.repeat(edges, sizes)
    joined = Aligned("".join(p.text.text for p in parts), np.concatenate([p.text.starts for p in parts]),
                     np.concatenate([p.text.ends for p in parts]))
    starts, ends = (np.concatenate([getattr(p, side) for p in parts]) + shift for side in ("starts", "ends"))
    ids, owners = np.concatenate([p.ids for p in parts]), np.concatenate([p.owners for p in parts])
    if together is not None:  # those that had to be prepared alone are not taken twice
        skipped = np.zeros(len(ids), np.bool_)
        skipped[: len(together.ids)] = alone
        starts, ends, ids, owners = starts[~skipped], ends[~skipped], ids[~skipped], owners[~skipped]
    return _Prepared(joined, starts, ends, ids, owners)


def _together(tokenizer: PipelineTokenizer, texts: Sequence[bytes]) -> _Prepared | None:
    """One section a text; ids 0 where an added token may be in it, so that it must be prepared alone. None when the
    stages let no two texts be prepared together."""
    normalizers = tokenizer.parts.normalizers
    if not all(map(_is_local, normalizers)):
        return None
    blob = BETWEEN.encode().join(texts)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    bases = np.cumsum(sizes + 1) - sizes - 1
    raw = Aligned.of(blob, keep_invalid=tokenizer._keep_invalid)
    touched = np.zeros(len(texts), np.bool_)
    _touch(touched, tokenizer.added.raw.spans(raw.text), raw, bases)
    text = raw
    for stage in normalizers:
        text = stage.apply(text)
        between = _between(text, bases, sizes)
        if int(between.sum()) != len(texts) - 1 or not np.isin(code_points(text.text)[between], (10, 32)).all():
            return None
    text = text.kept(~_between(text, bases, sizes))
    _touch(touched, tokenizer.added.normalized.spans(text.text), text, bases)
    owners = np.searchsorted(bases, text.starts, "right") - 1
    edges = np.searchsorted(owners, np.arange(len(texts) + 1))
    moved = Aligned(text.text, text.starts - bases[owners], text.ends - bases[owners])
    return _Prepared(moved, edges[:-1], edges[1:], np.where(touched, 0, -1), np.arange(len(texts)))


def _between(text: Aligned, bases: Int64s, sizes: Int64s) -> NDArray[np.bool_]:
    """bool a character: it is what stands between two texts. (A space put behind a text's last character begins
    there, too, with nothing of the input behind it.)"""
    places = np.zeros(int(bases[-1] + sizes[-1]) + 1, np.bool_)
    places[bases[1:] - 1] = True
    return places[text.starts] & (text.ends > text.starts)


def _touch(touched: NDArray[np.bool_], spans: Iterable[tuple[int, int]], text: Aligned, bases: Int64s) -> None:
    """Mark the texts that a span is in or reaches into: what it hides of them is looked for in each alone."""
    found = np.array([s for s in spans if s[1] > s[0]], np.int64).reshape(-1, 2)
    first = np.searchsorted(bases, text.starts[found[:, 0]], "right") - 1
    last = np.searchsorted(bases, text.starts[found[:, 1] - 1], "right") - 1
    marks = np.zeros(len(bases) + 1, np.int64)
    np.add.at(marks, first, 1)
    np.add.at(marks, last + 1, -1)
    touched |= np.cumsum(marks[:-1]) > 0


def _is_local(stage: Normalizer) -> bool:
    """Does it change a character by itself, or with its marks?"""
    if isinstance(stage, Replace):
        return not stage.pattern.is_regex and len(stage.pattern.source) == 1
    return isinstance(stage, NormalForm | Lowercase | Filter | Bert)
