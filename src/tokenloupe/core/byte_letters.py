"""Many spellings at once: what they are as UTF-8, and which bytes the letters of GPT-2's byte map stand for.

    >>> letters_of(["Ġhi", "日"])
    (b' hi', array([0, 3, 3]), [1])

Spellings that hold a character which is no letter of the map come out empty and are named; `with_rows` puts in what
they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .bytemap import BYTE_OF
from .text import code_points
from .vocabulary import Int64s, split_bytes

#: By code point: the byte, 256 where none is; the last is of all that are greater.
_TABLE = np.full(max(map(ord, BYTE_OF)) + 2, 256, np.int16)
_TABLE[list(map(ord, BYTE_OF))] = list(BYTE_OF.values())

Pieces = tuple[bytes, Int64s]


def _edges(texts: Sequence[str]) -> Int64s:
    edges = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=edges[1:])
    return edges


def utf8_of(texts: Sequence[str], behind: str = "") -> Pieces:
    """(blob, offsets int64 (n+1,)) of the spellings in UTF-8; half a surrogate pair keeps its three bytes.

    behind: what is put behind each of them. TypeError when one is no string.
    """
    text, edges = "".join(texts), _edges(texts)
    if behind:
        text = behind.join([*texts, ""])
        edges += np.arange(len(edges)) * len(behind)
    blob = text.encode("utf-8", "surrogatepass")
    if len(blob) == len(text):
        return blob, edges
    first = np.flatnonzero((np.frombuffer(blob, np.uint8) & 0xC0) != 0x80)
    return blob, np.append(first, len(blob)).take(edges)


def texts_of(pieces: Sequence[bytes]) -> list[str]:
    """The way back, piece by piece as with "surrogateescape"; by one call where no piece holds the byte 0xFF."""
    texts = b"\xff".join(pieces).decode("utf-8", "surrogateescape").split("\udcff")
    return texts if len(texts) == len(pieces) else [p.decode("utf-8", "surrogateescape") for p in pieces]


def letters_of(texts: Sequence[str]) -> tuple[bytes, Int64s, list[int]]:
    """(blob, offsets int64 (n+1,), the rows that are no byte-map text: empty in the blob)."""
    return _letters("".join(texts), _edges(texts))


def letters_of_utf8(blob: bytes, offsets: Int64s) -> tuple[bytes, Int64s, list[int]]:
    """The same of spellings in UTF-8, one behind the other; of what is none with "surrogateescape"."""
    data = np.frombuffer(blob, np.uint8)
    lead = np.append((data & 0xC0) != 0x80, True)
    try:
        text = blob.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if len(text) != int(np.count_nonzero(lead)) - 1 or not bool(lead.take(offsets).all()):
        return letters_of(texts_of(split_bytes(blob, offsets)))
    return _letters(text, (np.cumsum(lead) - 1).take(offsets))


def _letters(text: str, edges: Int64s) -> tuple[bytes, Int64s, list[int]]:
    values = _TABLE.take(code_points(text), mode="clip")
    wrong = np.flatnonzero(values == 256)
    if not len(wrong):
        return values.astype(np.uint8).tobytes(), edges, []
    odd = np.unique(np.searchsorted(edges, wrong, side="right") - 1)
    sizes = np.diff(edges)
    keep = np.ones(len(sizes), np.bool_)
    keep[odd] = False
    kept = values[np.repeat(keep, sizes)].astype(np.uint8).tobytes()
    return kept, np.concatenate([[0], np.cumsum(np.where(keep, sizes, 0))]), odd.tolist()


def with_rows(blob: bytes, offsets: Int64s, rows: Mapping[int, bytes]) -> Pieces:
    """The pieces with those of some rows replaced."""
    sizes = np.diff(offsets)
    parts, done = [], 0
    for row in sorted(rows):
        parts += [blob[done : int(offsets[row])], rows[row]]
        done = int(offsets[row + 1])
        sizes[row] = len(rows[row])
    parts.append(blob[done:])
    return b"".join(parts), np.concatenate([[0], np.cumsum(sizes)])
