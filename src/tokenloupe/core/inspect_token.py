"""Everything there is to say of one token of a document: its entry, its characters, and who else spells the same.

    >>> facts = token_facts(Document(gpt2, "歪".encode()), 0)
    >>> facts.id, facts.piece.hex(), facts.characters[0].part
    (162, 'e6', 'first 1 of 3 bytes')
    >>> facts.characters[0].code_point.number           # known from the tokens after it
    'U+6B6A'

Why the token begins and ends where it does is inspect_token_why.py's. `occurrences` finds the token's other places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import utf8
from .document import Document, TokenWindow
from .segments import Completeness, completeness
from .unicode_names import CodePoint, described
from .vocabulary import Int64s, TokenKind, Vocabulary

#: Tokens on either side whose bytes complete a character: the longest has four, so three others at most.
AROUND = 3
#: Characters and ways to spell that are told of one token; an entry of 128 spaces is no list of 128 rows.
MOST = 64
#: Tokens looked at in a slice when a document is searched.
SLICE = 1 << 17


@dataclass(frozen=True, slots=True)
class Character:
    """A code point that has bytes in the token, or bytes there that are no part of any.

    data: its bytes in the token, from byte_start of the token on. whole: all its bytes, those of the neighbours too.
    part: "" when all are here; "first 2 of 3 bytes", "last 1 of 3 bytes", "bytes 2 to 3 of 4". code_point: None for
    bytes that are no UTF-8; `fault` says why.
    """

    byte_start: int
    data: bytes
    whole: bytes
    code_point: CodePoint | None
    part: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class TwoParts:
    """Two entries whose bytes join to the token's."""

    left: int
    right: int
    left_bytes: bytes
    right_bytes: bytes


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """piece: what the token decodes to. start, end: byte offsets in the document. source: the document's bytes there,
    which a normalizer may have made into others. raw: the spelling in the file. rank: place among the merges, or in a
    file of ranks; None: it has none.

    same: other ids with the same bytes. two_parts: ways to put it together of two entries, `more_parts` beyond MOST.
    near: entries for the same text with another space before it or in another case.
    """

    index: int
    id: int
    start: int
    end: int
    piece: bytes
    source: bytes
    raw: str
    kind: TokenKind
    rank: int | None
    score: float | None
    completeness: Completeness
    characters: tuple[Character, ...]
    more_characters: int
    same: tuple[int, ...]
    two_parts: tuple[TwoParts, ...]
    more_parts: int
    near: tuple[tuple[int, bytes], ...]


def token_facts(document: Document, index: int) -> TokenFacts:
    """IndexError when there is no such token (yet)."""
    window = document.tokens(index, index + 1)
    if index < 0 or not len(window):
        raise IndexError(index)
    vocabulary = document.tokenizer.vocabulary
    token_id, start, end = int(window.ids[0]), int(window.starts[0]), int(window.ends[0])
    row = vocabulary.row_of(token_id)
    piece = b"" if row is None else vocabulary.bytes_at(row)
    kind = TokenKind(int(window.kinds[0]))
    before = joined(vocabulary, document.tokens(index - AROUND if index > AROUND else 0, index))
    after = joined(vocabulary, document.tokens(index + 1, index + 1 + AROUND))
    rows, more = characters(piece, before, after)
    parts, more_parts = two_parts(vocabulary, piece)
    return TokenFacts(
        index, token_id, start, end, piece, document.store.bytes(start, end),
        "" if row is None else vocabulary.raw_at(row), kind, rank_of(vocabulary, token_id, row),
        None if row is None or vocabulary.scores is None else float(vocabulary.scores[row]),
        completeness(piece), rows, more,
        tuple(i for i in same_bytes(vocabulary, piece) if i != token_id) if piece else (),
        parts, more_parts, near(vocabulary, piece),
    )


def joined(vocabulary: Vocabulary, window: TokenWindow) -> bytes:
    """What some tokens decode to, one by one."""
    return vocabulary.joined(window.ids)


def rank_of(vocabulary: Vocabulary, token_id: int, row: int | None) -> int | None:
    """The first merge that makes the token, or its rank in a file of ranks; None where there is neither."""
    if row is not None and vocabulary.ranks is not None and int(vocabulary.ranks[row]) >= 0:
        return int(vocabulary.ranks[row])
    if vocabulary.merges is not None and not vocabulary.merges.derived:
        making = np.flatnonzero(vocabulary.merges.result == token_id)
        return int(making[0]) if len(making) else None
    return None


def characters(piece: bytes, before: bytes = b"", after: bytes = b"") -> tuple[tuple[Character, ...], int]:
    """The characters of a token between the bytes of its neighbours, and how many more than MOST there are."""
    if not piece:
        return (), 0
    before, after = before[-3:], after[:3]
    low, high = len(before), len(before) + len(piece)
    text, edges, good = utf8.decode_per_byte(before + piece + after)
    whole = before + piece + after
    ends = np.append(edges[1:], len(whole))
    spans = [(a, b, ord(c)) for a, b, c, ok in zip(edges.tolist(), ends.tolist(), text, good.tolist(), strict=True)
             if ok and a < high and b > low]
    bad = [(f.start, f.end, f.reason) for f in utf8.faults(whole) if f.start < high and f.end > low]
    found: list[Character] = []
    for a, b, point in spans:
        inside = max(a, low), min(b, high)
        part = _part(inside[0] - a, inside[1] - a, b - a)
        found.append(Character(inside[0] - low, whole[slice(*inside)], whole[a:b], described(point), part))
    for a, b, fault in bad:
        inside = max(a, low), min(b, high)
        part = _part(inside[0] - a, inside[1] - a, b - a)
        found.append(Character(inside[0] - low, whole[slice(*inside)], whole[a:b], None, part, fault))
    found.sort(key=lambda c: c.byte_start)
    return tuple(found[:MOST]), max(len(found) - MOST, 0)


def _part(first: int, last: int, size: int) -> str:
    """Bytes first .. last-1 of a character of `size`, in words; "" for all of them."""
    if (first, last) == (0, size):
        return ""
    if first == 0:
        return f"first {last} of {size} bytes"
    if last == size:
        return f"last {size - first} of {size} bytes"
    return f"byte {first + 1} of {size}" if last == first + 1 else f"bytes {first + 1} to {last} of {size}"


def same_bytes(vocabulary: Vocabulary, piece: bytes) -> list[int]:
    """All ids that decode to these bytes, ascending. As Vocabulary.ids_of, without a look at each of its length."""
    if not piece:
        return []
    starts = vocabulary.offsets[:-1]
    rows = np.flatnonzero(np.diff(vocabulary.offsets) == len(piece))
    blob = np.frombuffer(vocabulary.blob, np.uint8)
    for k in range(len(piece)):
        if len(rows) < 8:
            break
        rows = rows[blob[starts[rows] + k] == piece[k]]
    return [int(vocabulary.ids[r]) for r in rows.tolist() if vocabulary.bytes_at(r) == piece]


def two_parts(vocabulary: Vocabulary, piece: bytes) -> tuple[tuple[TwoParts, ...], int]:
    """Pairs of entries that join to the bytes, by the place of the cut, and how many more than MOST there are."""
    found = []
    for cut in range(1, len(piece)):
        left, right = vocabulary.id_of(piece[:cut]), vocabulary.id_of(piece[cut:])
        if left is not None and right is not None:
            found.append(TwoParts(left, right, piece[:cut], piece[cut:]))
    return tuple(found[:MOST]), max(len(found) - MOST, 0)


def near(vocabulary: Vocabulary, piece: bytes) -> tuple[tuple[int, bytes], ...]:
    """Entries for the same text with or without a space before it, and in another case; (id, bytes) each."""
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        return ()
    bare = text.removeprefix(" ")
    if not bare.strip():
        return ()
    forms = [space + form for form in (bare, bare.lower(), bare.capitalize(), bare.upper()) for space in ("", " ")]
    wanted = [f.encode("utf-8") for f in dict.fromkeys(forms) if f != text]
    return tuple((i, form) for form in wanted if (i := vocabulary.id_of(form)) is not None)


def occurrences(document: Document, token_id: int) -> Iterator[float | Int64s]:
    """Indices of all tokens of this id in the document: progress 0..1 in slices, and at last the array int64 (n,).

    The document must not change meanwhile: begin anew when it does.
    """
    count = document.token_count
    found: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    for first in range(0, count, SLICE):
        window = document.tokens(first, min(first + SLICE, count))
        found.append(np.flatnonzero(window.ids == token_id) + first)
        yield min(first + SLICE, count) / count
    yield np.concatenate(found)
