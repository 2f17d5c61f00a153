"""Tokenizers <-> the arrays that the cache keeps of them: vocabularies, and byte-level tokenizers of rank files.

    kept = freeze_ranks(tokenizer)          # None: not of a kind that is kept
    thaw_ranks(kept, "o200k_base")          # the same tokenizer, its look-up tables made

What a table costs is its hashing, so of a look-up table only the slots are kept (core/lookup.py): the keys are in the
vocabulary. Integers are kept as 32-bit ones where they fit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.bytebpe_atoms import NEVER, Crossing
from ..core.bytelevel import ByteLevelTokenizer, SpecialMatcher
from ..core.bytelevel_ends import EndedByteLevel, NormalizedTokenizer
from ..core.pattern import Splitter, compile_pattern
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import Int64s, MergeTable, Vocabulary
from .cache_file import Stored

Arrays = dict[str, NDArray[Any]]


def narrow(values: Int64s) -> NDArray[Any]:
    """The same numbers in 32 bits where they fit."""
    small = not len(values) or (int(values.min()) >= -(1 << 31) and int(values.max()) < 1 << 31)
    return values.astype("<i4" if small else "<i8")


def wide(arrays: Arrays, name: str) -> Int64s:
    return arrays[name].astype(np.int64)


def put_vocabulary(v: Vocabulary) -> Arrays:
    arrays: Arrays = {"ids": narrow(v.ids), "blob": np.frombuffer(v.blob, np.uint8), "offsets": narrow(v.offsets),
                      "kinds": v.kinds}
    if v.scores is not None:
        arrays["scores"] = v.scores
    if v.ranks is not None:
        arrays["ranks"] = narrow(v.ranks)
    if v.merges is not None:
        arrays |= {"left": narrow(v.merges.left), "right": narrow(v.merges.right), "result": narrow(v.merges.result)}
    if v.raw_blob is not None and v.raw_offsets is not None:
        arrays |= {"raw_blob": np.frombuffer(v.raw_blob, np.uint8), "raw_offsets": narrow(v.raw_offsets)}
    return arrays


def get_vocabulary(arrays: Arrays) -> Vocabulary:
    """ValueError when the arrays do not fit together."""
    count = len(arrays["ids"])
    merges = None
    if "left" in arrays:
        merges = MergeTable(wide(arrays, "left"), wide(arrays, "right"), wide(arrays, "result"))
        if not len(merges.left) == len(merges.right) == len(merges.result):
            raise ValueError("merges")
    raw = "raw_blob" in arrays
    made = Vocabulary(
        wide(arrays, "ids"), arrays["blob"].tobytes(), wide(arrays, "offsets"), arrays["kinds"],
        scores=arrays.get("scores"), ranks=wide(arrays, "ranks") if "ranks" in arrays else None, merges=merges,
        raw_blob=arrays["raw_blob"].tobytes() if raw else None,
        raw_offsets=wide(arrays, "raw_offsets") if raw else None,
    )
    if len(made.offsets) != count + 1 or len(made.kinds) != count or int(made.offsets[-1]) != len(made.blob):
        raise ValueError("vocabulary")
    if made.raw_offsets is not None and len(made.raw_offsets) != count + 1:
        raise ValueError("spellings")
    if any(a is not None and len(a) != count for a in (made.ranks, made.scores)):
        raise ValueError("ranks")
    return made


def put_slots(tokenizer: ByteLevelTokenizer) -> Arrays:
    """The tables of a tokenizer's engine, made now if they were not."""
    entries, pairs = tokenizer.engine.slots
    arrays: Arrays = {"slots": entries} | ({} if pairs is None else {"pair_slots": pairs})
    crossing = tokenizer.engine.crossing
    for name, ranks in (("after", crossing.after), ("before", crossing.before)):  # few of 65,536 are there
        at = np.flatnonzero(ranks != NEVER)
        arrays |= {f"{name}_at": at.astype(np.int32), f"{name}_ranks": narrow(ranks[at])}
    return arrays | {"whole_points": narrow(crossing.points), "whole_ranks": narrow(crossing.whole)}


def give_slots(tokenizer: ByteLevelTokenizer, arrays: Arrays) -> None:
    """The tables are put together at once, so that what does not fit is found here."""
    tokenizer.known_slots = (arrays["slots"], arrays.get("pair_slots"))
    tables = []
    for name in ("after", "before"):
        tables.append(np.full(1 << 16, NEVER, np.int64))
        tables[-1][arrays[f"{name}_at"]] = arrays[f"{name}_ranks"]
    tokenizer.known_crossing = Crossing(tables[0], tables[1], wide(arrays, "whole_points"), wide(arrays, "whole_ranks"))
    _ = tokenizer.engine.slots if "pair_slots" in arrays else tokenizer.engine.table


def thaw_own(kept: Stored) -> ByteLevelTokenizer:
    """Of one that is a ByteLevelTokenizer itself."""
    made = thaw_ranks(kept)
    if not isinstance(made, ByteLevelTokenizer):
        raise ValueError("another kind")
    return made


def freeze_ranks(tokenizer: Tokenizer) -> Stored | None:
    """Of a byte-level tokenizer of ranks whose matcher is SpecialMatcher, and of one behind a normal form."""
    inner = tokenizer.inner if isinstance(tokenizer, NormalizedTokenizer) else tokenizer
    if type(inner) not in (ByteLevelTokenizer, EndedByteLevel) or not isinstance(inner, ByteLevelTokenizer):
        return None
    matcher = inner.matcher
    if type(matcher) is not SpecialMatcher or type(inner.splitter) is not Splitter or inner.merges is not None:
        return None
    meta = {
        "format": inner.format, "pattern": inner.splitter.pattern, "engine": inner.splitter.engine,
        "warnings": list(inner.warnings[: len(inner.warnings) - len(matcher.said)]),
        "special": list(inner.special_tokens.items()), "added": list(inner.added_tokens.items()),
        "name": inner.name, "sha256": inner.sha256,
        "ends": [inner.before, inner.after] if isinstance(inner, EndedByteLevel) else None,
        "form": tokenizer.form if isinstance(tokenizer, NormalizedTokenizer) else None,
        "own": list(tokenizer.warnings[len(inner.warnings) :]),
    }
    return Stored(meta, put_vocabulary(inner.vocabulary) | put_slots(inner))


def thaw_ranks(kept: Stored) -> Tokenizer:
    meta = kept.meta
    special, added = dict(meta["special"]), dict(meta["added"])
    arguments = (meta["name"], meta["format"], meta["sha256"], get_vocabulary(kept.arrays),
                 compile_pattern(meta["pattern"], meta["engine"]))
    made: ByteLevelTokenizer
    if meta["ends"] is None:
        made = ByteLevelTokenizer(*arguments, special_tokens=special, added_tokens=added, warnings=meta["warnings"])
    else:
        before, after = map(tuple, meta["ends"])
        made = EndedByteLevel(*arguments, special_tokens=special, added_tokens=added, warnings=meta["warnings"],
                              matcher=SpecialMatcher(special, added), before=before, after=after)
    give_slots(made, kept.arrays)
    return made if meta["form"] is None else NormalizedTokenizer(made, meta["form"], tuple(meta["own"]))
