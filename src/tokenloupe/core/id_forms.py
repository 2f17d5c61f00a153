"""Token ids written for elsewhere: a list, JSON, Python, NumPy. ID_FORMS is the one list.

    >>> b"".join(p for p in write(np.array([1, 2]), "python") if isinstance(p, bytes))
    b'ids = [\\n    1, 2,\\n]\\n'

Written in slices, so that the ids of a large text do not stop a window: a float is progress, bytes are a piece.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import numpy as np

from .vocabulary import Int64s

#: Ids written between two looks at the event loop, and ids a line in Python source.
AT_ONCE, LINE = 20_000, 12


def write(ids: Int64s, form: str) -> Iterator[float | bytes]:
    """One of ID_FORMS, in pieces that belong together."""
    yield from ID_FORMS[form](ids)


def text_of(ids: Int64s, form: str) -> Iterator[float | bytes]:
    """What the clipboard gets: as write(), but an array is source that makes it."""
    if form != "npy":
        yield from write(ids, form)
        return
    yield b"numpy.array(["
    yield from _joined(ids)
    yield b"], dtype=numpy.int64)\n"


def _joined(ids: Int64s) -> Iterator[float | bytes]:
    for at in range(0, len(ids), AT_ONCE):
        yield (b", " if at else b"") + ", ".join(map(str, ids[at : at + AT_ONCE].tolist())).encode("ascii")
        yield min((at + AT_ONCE) / len(ids), 1.0)


def _list(ids: Int64s) -> Iterator[float | bytes]:
    yield from _joined(ids)
    yield b"\n"


def _json(ids: Int64s) -> Iterator[float | bytes]:
    yield b"["
    yield from _joined(ids)
    yield b"]\n"


def _python(ids: Int64s) -> Iterator[float | bytes]:
    yield b"ids = ["
    step = AT_ONCE // LINE * LINE
    for at in range(0, len(ids), step):
        words = list(map(str, ids[at : at + step].tolist()))
        lines = (", ".join(words[k : k + LINE]) for k in range(0, len(words), LINE))
        yield "".join(f"\n    {line}," for line in lines).encode("ascii")
        yield min((at + step) / len(ids), 1.0)
    yield b"\n]\n" if len(ids) else b"]\n"


def _npy(ids: Int64s) -> Iterator[float | bytes]:
    """The NPY format, version 1.0: little-endian int64, one dimension."""
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(ids, "<i8"), version=(1, 0), allow_pickle=False)
    yield out.getvalue()


ID_FORMS: dict[str, Callable[[Int64s], Iterator[float | bytes]]] = {
    "list": _list, "json": _json, "python": _python, "npy": _npy,
}
