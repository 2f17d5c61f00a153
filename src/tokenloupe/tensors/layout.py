"""Where tensors lie in their file: cut off, in each other's way, with gaps between, and what is left over.

One sweep over the tensors in the order of their offsets, done on whole arrays, so that a file of 100,000 tensors is
judged as fast as one of a hundred. Sentences are made for what is wrong alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..core.errors import one_line
from .files import DataFile, TensorInfo

#: Overlaps of one tensor that are told one by one; of 50,000 over the same bytes the others are counted.
MOST_OVERLAPS = 4
#: No file reaches this byte: what a damaged header places beyond is taken to lie here, where 64 bits cannot wrap.
_FAR = 1 << 62


def check_layout(
    tensors: Sequence[TensorInfo], files: Sequence[DataFile], alignment: int
) -> tuple[list[TensorInfo], list[str]]:
    """Each tensor's place in its file judged: cut, overlapping, gapped; and what is left over at the end of a file.

    alignment: the next tensor may start anywhere up to the next multiple of it without a gap (1: no padding).
    Returns the rows with their problems, in the same order, and sentences about the files.
    """
    rows = list(tensors)
    problems: list[str] = []
    said: dict[int, list[str]] = {}
    cut: set[int] = set()
    for number, file in enumerate(files):
        own = [i for i, t in enumerate(rows) if t.file == number and t.nbytes < 2**63]
        _past_the_end(rows, own, file, said, cut)
        reached = _sweep(rows, own, file, alignment, said)
        padded = reached + -(reached - file.data_start) % alignment
        if file.size > padded:
            name = f" of {file.path.name}" if len(files) > 1 else ""
            after = "the last tensor" if own else "the header"
            problems.append(f"{file.size - padded:,} trailing bytes after {after}{name} that belong to no tensor")
    for index, sentences in said.items():
        rows[index] = rows[index].with_problem("; ".join(sentences), readable=False if index in cut else None)
    return rows, problems


def flag_same_names(rows: list[TensorInfo]) -> list[TensorInfo]:
    """The rows, with a problem in each whose name another one has: only the first is found by it."""
    if len({t.name for t in rows}) == len(rows):
        return rows
    count = Counter(t.name for t in rows)
    return [t.with_problem("another tensor has the same name") if count[t.name] > 1 else t for t in rows]


def _past_the_end(rows: list[TensorInfo], own: list[int], file: DataFile, said: dict[int, list[str]],
                  cut: set[int]) -> None:
    for index in own:
        t = rows[index]
        if t.end <= file.size or not t.readable:
            continue
        cut.add(index)
        missing = t.end - max(t.offset, file.size)
        said.setdefault(index, []).append(
            f"data past end of file: {missing:,} of {t.nbytes:,} bytes are missing, the file is cut at byte "
            f"{file.size:,}" if t.offset < file.size else
            f"data past end of file: it would start at byte {t.offset:,} of {file.size:,}")


def _sweep(rows: list[TensorInfo], own: list[int], file: DataFile, alignment: int, said: dict[int, list[str]]) -> int:
    """Overlaps and gaps of the tensors of one file; returns the byte that the furthest of them reaches."""
    filled = [i for i in own if rows[i].nbytes]
    if not filled:
        return file.data_start
    starts = _positions([rows[i].offset for i in filled])
    ends = _positions([rows[i].end for i in filled])
    order = np.lexsort((ends, starts))
    if ends.max() == _FAR:  # of those that reach beyond, the order by their own numbers
        order = np.array(sorted(range(len(filled)), key=lambda k: (rows[filled[k]].offset, rows[filled[k]].end)))
    starts, ends = starts[order], ends[order]
    index = np.array(filled)[order]
    reach = np.maximum.accumulate(np.concatenate([[file.data_start], ends]))  # before each tensor, and at last
    before = reach[:-1]
    # The tensor that reaches furthest so far holds the bytes that the next one overlaps with.
    count = np.arange(len(index))
    furthest = np.maximum.accumulate(np.where(ends > before, count, -1))
    holders = np.concatenate([[-1], furthest[:-1]])
    overlap = (starts < before) & (holders >= 0)
    _tell_overlaps(rows, index, holders, np.flatnonzero(overlap), said)
    for k in np.flatnonzero(~overlap & (starts - before >= alignment) & (starts <= file.size)).tolist():
        gap = int(starts[k] - before[k])
        said.setdefault(int(index[k]), []).append(f"gap of {gap:,} bytes before it that belong to no tensor")
    return int(reach[-1])


def _positions(values: list[int]) -> NDArray[np.int64]:
    return np.array([min(v, _FAR) for v in values], np.int64)


def _tell_overlaps(rows: list[TensorInfo], index: NDArray[np.int64], holders: NDArray[np.int64],
                   found: NDArray[np.int64], said: dict[int, list[str]]) -> None:
    """Both tensors of an overlap hear of it; one that many begin inside hears of the first few and their count."""
    met: dict[int, int] = {}
    names: dict[int, str] = {}
    for own, other in zip(index[found].tolist(), index[holders[found]].tolist(), strict=True):
        both = f"bytes {rows[own].offset:,} to {min(rows[own].end, rows[other].end):,} of the file are in both"
        if other not in names:
            names[other] = one_line(rows[other].name)
        said.setdefault(own, []).append(f"overlap with {names[other]}: {both}")
        met[other] = met.get(other, 0) + 1
        if met[other] <= MOST_OVERLAPS:
            said.setdefault(other, []).append(f"overlap with {one_line(rows[own].name)}: {both}")
    for other, count in met.items():
        if count > MOST_OVERLAPS:
            said[other].append(f"overlap with {count - MOST_OVERLAPS:,} more tensors")
