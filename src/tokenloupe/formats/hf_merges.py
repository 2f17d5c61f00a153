"""The merges of a tokenizer.json, most of a large file, taken out of its bytes all at once.

    >>> rest, merges = cut_out(data, "mark")        # rest: the file with ["mark"] in their place

A JSON reader makes half a million strings and lists of them, which are put together again to be looked up. Here the
places of the quotation marks tell where each token is; what stands between them must be the same everywhere. A file in
which anything is not as it nearly always is (None) is left to the JSON reader, which can say what is wrong, and where.
"""

from __future__ import annotations

import re

import numpy as np
import orjson

from ..core.lookup import eights
from ..core.merge_lookup import WrittenMerges
from ..core.utf8 import is_valid
from ..core.vocabulary import Int64s
from .json_bytes import BACKSLASH, BLOCK, QUOTE, Bytes, places, unescaped

#: Merges of fewer bytes are read as all JSON is.
LEAST = 1 << 15
#: The longest that may stand between two strings.
LONGEST_GAP = 256
#: So many merges with an escape in them are decoded one by one, or a part of all of them.
ESCAPED, ESCAPED_IN = 1000, 8
#: How many strings like that key are looked at.
_TRIES = 4

_KEY = b'"merges"'
# Not \s, which has blanks in it that are none in JSON.
_OPEN = re.compile(rb'"merges"[ \t\r\n]*:[ \t\r\n]*(\[)[ \t\r\n]*(\[[ \t\r\n]*)?"')
_COMMA = re.compile(rb"[ \t\r\n]*,[ \t\r\n]*")
_NEXT_PAIR = re.compile(rb"[ \t\r\n]*\][ \t\r\n]*,[ \t\r\n]*\[[ \t\r\n]*")
_CLOSE = re.compile(rb"[ \t\r\n]*(\])")
_CLOSE_PAIR = re.compile(rb"[ \t\r\n]*\][ \t\r\n]*(\])")

_BLANK = 32


def cut_out(data: bytes, mark: str) -> tuple[bytes, WrittenMerges] | None:
    """(the file without its "merges", those).

    mark: stands in their place, in a list; whoever asks must see that it is where it belongs, so that it may not be a
    string that the file has.
    """
    opened, at = None, -1
    for _ in range(_TRIES):
        at = data.find(_KEY, at + 1)
        opened = _OPEN.match(data, at) if at >= 0 else None
        if at < 0 or opened is not None:
            break
    if opened is None or len(data) - opened.end() < LEAST:
        return None
    first = opened.end() - 1
    buffer = np.frombuffer(data, np.uint8)[first:]
    slashes = places(buffer, BACKSLASH)
    quotes = unescaped(places(buffer, QUOTE), slashes)
    paired = opened[2] is not None
    found = _pairs(data, first, quotes) if paired else _strings(data, first, quotes)
    if found is None:
        return None
    count, gaps = found
    quotes = quotes[: count * (4 if paired else 2)]
    end = first + int(quotes[-1]) + 1
    closed = (_CLOSE_PAIR if paired else _CLOSE).match(data, end)
    if closed is None or data.find(_KEY, closed.end()) >= 0:  # of two the last one counts
        return None
    body = data[first:end]
    if _control(buffer[: len(body)]) != gaps or not is_valid(body):
        return None
    slashes = slashes[: int(np.searchsorted(slashes, len(body)))]
    merges = _in_pairs(body, quotes, slashes) if paired else _in_strings(body, quotes, slashes)
    if merges is None:
        return None
    return data[: opened.start(1)] + orjson.dumps([mark]) + data[closed.end() :], merges


def _alike(data: bytes, first: int, starts: Int64s, stops: Int64s, pattern: re.Pattern[bytes]) -> tuple[int, bytes]:
    """How many of the gaps starts:stops are as the first one is, and that one (b"" where it is not as it should be)."""
    if not len(starts):
        return 0, b""
    gap = data[first + int(starts[0]) : first + int(stops[0])]
    if len(gap) > LONGEST_GAP or len(data) < first + 8 or pattern.fullmatch(gap) is None:
        return 0, b""
    good = stops - starts == len(gap)
    count = len(good) if bool(good.all()) else int(np.argmin(good))
    # Eight bytes at a time; those behind the gap are masked out.
    padded = gap + bytes(-len(gap) % 8)
    words = eights(data, first)
    for base in range(0, len(gap), 8):
        mask = np.uint64((1 << 8 * min(8, len(gap) - base)) - 1)
        places = starts[:count] + base
        count = int(np.searchsorted(places, len(words)))  # in the last bytes of the file there is no such gap
        places = places[:count]
        same = (words[places] & mask) == np.uint64(int.from_bytes(padded[base : base + 8], "little"))
        if not bool(same.all()):
            count = int(np.argmin(same))
    return count, gap


def _strings(data: bytes, first: int, quotes: Int64s) -> tuple[int, int] | None:
    """How many "left right" strings there are, and how many control characters stand between them."""
    last = len(quotes) // 2
    gaps, gap = _alike(data, first, quotes[1 : 2 * last - 1 : 2] + 1, quotes[2 : 2 * last : 2], _COMMA)
    return (gaps + 1, gaps * _control(np.frombuffer(gap, np.uint8))) if gap else None


def _pairs(data: bytes, first: int, quotes: Int64s) -> tuple[int, int] | None:
    """How many ["left", "right"] pairs there are, and how many control characters stand between the strings."""
    last = len(quotes) // 4
    inside, comma = _alike(data, first, quotes[1 : 4 * last : 4] + 1, quotes[2 : 4 * last : 4], _COMMA)
    between, gap = _alike(data, first, quotes[3 : 4 * last - 1 : 4] + 1, quotes[4 : 4 * last : 4], _NEXT_PAIR)
    if not comma or not gap:
        return None
    count = min(inside, between + 1)
    return count, (count * _control(np.frombuffer(comma, np.uint8))
                   + (count - 1) * _control(np.frombuffer(gap, np.uint8)))


def _control(some: Bytes) -> int:
    return sum(int(np.count_nonzero(some[i : i + BLOCK] < 32)) for i in range(0, len(some), BLOCK))


def _in_strings(body: bytes, quotes: Int64s, slashes: Int64s) -> WrittenMerges | None:
    """body: from the first quotation mark to the last."""
    opens, closes = quotes[::2], quotes[1::2]
    blanks = places(np.frombuffer(body, np.uint8), _BLANK)
    between = body[int(closes[0]) : int(opens[1])].count(b" ")
    if len(blanks) != len(opens) + between * (len(opens) - 1):
        return None
    starts, mids, ends = opens + 1, blanks[:: between + 1].copy(), closes.copy()
    if not bool(((mids > starts) & (mids + 1 < ends)).all()):
        return None
    put: list[tuple[int, int, bytes, bytes]] = []
    rows = np.unique(np.searchsorted(opens, slashes, side="right") - 1)
    if _too_many(rows, opens) or b'"#version' in body:  # a line that is no merge
        return None
    for middle, low, high in zip(*(a[rows].tolist() for a in (mids, opens, closes)), strict=True):
        decoded = _decoded(body[low : high + 1])
        parts = decoded.split(b" ") if decoded is not None else []
        if len(parts) != 2 or not all(parts):
            return None
        put.append((middle, middle + 1, parts[0], parts[1]))
    return WrittenMerges(_put(body, rows, put, starts, ends), starts, mids, ends)


def _in_pairs(body: bytes, quotes: Int64s, slashes: Int64s) -> WrittenMerges | None:
    """body: from the first quotation mark to the last."""
    starts, mids, rights, ends = quotes[::4] + 1, quotes[1::4].copy(), quotes[2::4] + 1, quotes[3::4].copy()
    if not bool(((mids > starts) & (rights < ends)).all()):
        return None
    put: list[tuple[int, int, bytes, bytes]] = []
    rows = np.unique(np.searchsorted(starts, slashes, side="right") - 1)
    if _too_many(rows, starts):
        return None
    for low, middle, second, high in zip(*(a[rows].tolist() for a in (starts, mids, rights, ends)), strict=True):
        left, right = _decoded(body[low - 1 : middle + 1]), _decoded(body[second - 1 : high + 1])
        if not left or not right:
            return None
        put.append((middle, second, left, right))
    return WrittenMerges(_put(body, rows, put, starts, ends), starts, mids, ends, int(rights[0] - mids[0]))


def _too_many(rows: Int64s, every: Int64s) -> bool:
    return len(rows) > max(ESCAPED, len(every) // ESCAPED_IN)


def _decoded(string: bytes) -> bytes | None:
    """A JSON string, with its quotation marks, as UTF-8."""
    try:
        text: str = orjson.loads(string)
    except orjson.JSONDecodeError:
        return None
    return text.encode()


def _put(body: bytes, rows: Int64s, put: list[tuple[int, int, bytes, bytes]], starts: Int64s, ends: Int64s) -> bytes:
    """body with the parts of some merges as they are without escapes, which were longer: next to what parts them.

    put: of each of `rows` where the left part ends and the right one begins, and both.
    """
    if not put:
        return body
    blob = bytearray(body)
    for middle, second, left, right in put:
        blob[middle - len(left) : middle] = left
        blob[second : second + len(right)] = right
    starts[rows] = [middle - len(left) for middle, _, left, _ in put]
    ends[rows] = [second + len(right) for _, second, _, right in put]
    return bytes(blob)
