""".tiktoken rank files: a line is the base64 of a token's bytes, a space, and its rank: its id and its merge priority.

    >>> parse(b"YQ== 0\\nYg== 1\\n")
    Ranks(blob=b'ab', offsets=array([0, 1, 2]), ids=array([0, 1]), warnings=())

A well-formed file is read in a few array operations (200,000 lines in some 50 ms). Whatever is odd goes line by line
through `_diagnose`, which accepts what harms nothing (a byte order mark, CRLF, blank lines) and names the rest. The
pattern and the special tokens are not in the file: tiktoken_known.py.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from ..core.bytelevel import ByteLevelTokenizer
from ..core.errors import InputError
from ..core.pattern import Splitter, compile_pattern
from ..core.patterns import ALIASES, PATTERNS, named
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import Int64s, TokenKind, Vocabulary, gather, join_bytes, split_bytes
from .cache import through
from .registry import Format, Source
from .stored import freeze_ranks, thaw_ranks
from .tiktoken_known import BY_CONTENT, SPECIAL_TOKENS, recognise

__all__ = ["FORMAT", "SPECIAL_TOKENS", "Ranks", "build", "parse", "pattern_named"]

#: ids are 32-bit in the reference.
LARGEST_RANK = (1 << 32) - 1

_SIX_BITS = np.full(256, 255, np.uint8)
_SIX_BITS[list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")] = np.arange(64)
_SIX_BITS[ord("=")] = 64


@dataclass(frozen=True, slots=True)
class Ranks:
    """blob/offsets: the bytes of each token; ids: int64, ascending: its rank. See Vocabulary."""

    blob: bytes
    offsets: Int64s
    ids: Int64s
    warnings: tuple[str, ...] = ()


def parse(data: bytes, *, trusted: bool = False) -> Ranks:
    """InputError names the line that is no base64 and rank, or whose rank or token was there before.

    trusted: the file is known by its digest, so that no token can be there twice.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("the file is UTF-16, not ASCII", where="byte 0", todo="save it as ASCII or UTF-8")
    ranks = _read_fast(data)
    if ranks is None or not (trusted or len(set(split_bytes(ranks.blob, ranks.offsets))) == len(ranks.ids)):
        return _diagnose(data)
    return ranks


def _read_fast(data: bytes) -> Ranks | None:
    """The whole file at once, or None when it is not exactly `base64 SPACE digits NEWLINE` throughout."""
    raw = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", np.uint8)
    stops, gaps = np.flatnonzero(raw == 10), np.flatnonzero(raw == 32)
    starts = np.concatenate((np.zeros(1, np.int64), stops[:-1] + 1))
    if len(gaps) != len(stops) or not len(stops) or not bool(((starts < gaps) & (gaps + 1 < stops)).all()):
        return None
    lengths, digits = gaps - starts, stops - gaps - 1
    if bool((lengths & 3).any()) or int(digits.max()) > 9:
        return None
    ids = np.zeros(len(stops), np.int64)
    for place in range(int(digits.max())):
        here = np.flatnonzero(digits > place)
        digit = raw.take(stops[here] - 1 - place).astype(np.int64) - 48
        if bool(((digit < 0) | (digit > 9)).any()):
            return None
        ids[here] += digit * 10**place
    # base64: four characters are three bytes, fewer where the last four of a line are padded.
    six = _SIX_BITS.take(gather(raw, starts, lengths))
    if int(six.max()) == 255:
        return None
    last = np.cumsum(lengths) - 1
    pads = (six.take(last) == 64).astype(np.int64)
    pads += pads & (six.take(last - 1) == 64)
    if int(np.count_nonzero(six == 64)) != int(pads.sum()):
        return None
    four = (six & 63).reshape(-1, 4)
    three = np.empty((len(four), 3), np.uint8)
    three[:, 0] = four[:, 0] << 2 | four[:, 1] >> 4
    three[:, 1] = four[:, 1] << 4 | four[:, 2] >> 2
    three[:, 2] = four[:, 2] << 6 | four[:, 3]
    sizes = lengths // 4 * 3 - pads
    begins = np.cumsum(lengths // 4 * 3) - lengths // 4 * 3
    order = np.argsort(ids, kind="stable") if bool((np.diff(ids) <= 0).any()) else None
    if order is not None:
        ids, begins, sizes = ids[order], begins[order], sizes[order]
        if bool((np.diff(ids) == 0).any()):
            return None
    blob = gather(three.reshape(-1), begins, sizes).tobytes()
    return Ranks(blob, np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes))), ids)


def _diagnose(data: bytes) -> Ranks:
    """Line by line: what is wrong, or the ranks with what was odd about the file in the warnings."""
    warnings: list[str] = []
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        warnings.append("the file begins with a UTF-8 byte order mark, which is passed over (tiktoken refuses it)")
    lines_of: dict[int, int] = {}
    tokens: dict[bytes, int] = {}
    entries: list[tuple[int, bytes]] = []
    todo = "check that the download is complete"
    for number, line in enumerate(data.split(b"\n"), 1):
        where = f"line {number}"
        fields = line.split()
        if not fields:
            continue
        if len(fields) == 1:
            raise InputError("the rank is missing", where=where, todo=todo)
        if len(fields) > 2:
            raise InputError(f"a line is a token and its rank, here are {len(fields)} fields", where=where, todo=todo)
        if not re.fullmatch(rb"[0-9]{1,10}", fields[1]) or int(fields[1]) > LARGEST_RANK:
            raise InputError(f"the rank {_shown(fields[1])} is not a whole number from 0 to {LARGEST_RANK}",
                             where=where, todo=todo)
        rank = int(fields[1])
        if fields[0] == b"=":  # openai/whisper's multilingual.tiktoken ends with such a line
            warnings.append(f"the token of rank {rank}, line {number}, is empty")
            token = b""
        else:
            try:
                token = base64.b64decode(fields[0], validate=True)
            except (ValueError, binascii.Error):
                raise InputError(f"{_shown(fields[0])} is not base64", where=where, todo=todo) from None
        if rank in lines_of:
            raise InputError(f"rank {rank} was given before, in line {lines_of[rank]}", where=where,
                             todo="one of the two lines must go")
        if token in tokens:
            raise InputError(f"the token {_shown(fields[0])} was there before, in line {tokens[token]}", where=where,
                             todo="one of the two lines must go")
        lines_of[rank], tokens[token] = number, number
        entries.append((rank, token))
    if not entries:
        raise InputError("there is no rank in the file", where="line 1", todo=todo)
    entries.sort()
    blob, offsets = join_bytes([token for _, token in entries])
    return Ranks(blob, offsets, np.array([rank for rank, _ in entries], np.int64), tuple(warnings))


def _shown(field: bytes) -> str:
    text = field.decode("ascii", "backslashreplace")
    return repr(text if len(text) <= 40 else text[:40] + "..")


def build(ranks: Ranks, name: str, sha256: str, splitter: Splitter, special: dict[str, int],
          warnings: tuple[str, ...] = ()) -> ByteLevelTokenizer:
    """A tokenizer. A special token whose id is a rank is InputError, except where that entry is empty."""
    said = [*ranks.warnings, *warnings]
    texts: dict[int, bytes] = {}
    for text, i in special.items():  # of two texts with one id, the later is what the id decodes to
        texts[i] = text.encode("utf-8", "surrogatepass")
    taken = _taken(ranks, texts)
    if taken:
        i = min(taken)
        raise InputError(f"the special token {texts[i].decode()!r} has id {i}, which is a rank in the file",
                         todo="give it another id")
    added = sorted(texts)
    blob, offsets = join_bytes([texts[i] for i in added])
    ids = np.concatenate((ranks.ids, np.array(added, np.int64)))
    all_offsets = np.concatenate((ranks.offsets, offsets[1:] + len(ranks.blob)))
    kinds = np.zeros(len(ids), np.uint8)
    kinds[len(ranks.ids) :] = TokenKind.SPECIAL
    order_of = np.concatenate((ranks.ids, np.full(len(added), -1, np.int64)))
    whole = ranks.blob + blob
    if bool((np.diff(ids) < 0).any()):
        order = np.argsort(ids)
        begins, lengths = all_offsets[:-1][order], np.diff(all_offsets)[order]
        whole = gather(np.frombuffer(whole, np.uint8), begins, lengths).tobytes()
        all_offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        ids, kinds, order_of = ids[order], kinds[order], order_of[order]
    singles = np.frombuffer(ranks.blob, np.uint8)[ranks.offsets[:-1][np.diff(ranks.offsets) == 1]]
    missing = 256 - int(np.count_nonzero(np.bincount(singles, minlength=256)))
    if missing:
        said.append(f"{missing} of the 256 bytes have no token: they are dropped from a text "
                    "(tiktoken cannot encode such a text at all)")
    vocabulary = Vocabulary(ids, whole, all_offsets, kinds, ranks=order_of)
    return ByteLevelTokenizer(name, "tiktoken", sha256, vocabulary, splitter, special_tokens=special, warnings=said)


def _taken(ranks: Ranks, ids: Iterable[int]) -> set[int]:
    """Those ids that the file has as ranks. (np.isin would import numpy.ma: 80 ms.)"""
    last = len(ranks.ids) - 1
    return {i for i in ids if ranks.ids[min(int(np.searchsorted(ranks.ids, i)), last)] == i}


def _few(ids: set[int]) -> str:
    return ", ".join(map(str, sorted(ids)[:3])) + (" .." if len(ids) > 3 else "")


def pattern_named(asked: str) -> Splitter:
    """The splitter of a known name or of a regex. A single word that is no known name is a slip, not a regex."""
    name = ALIASES.get(asked, asked)
    return named(name) if name in PATTERNS or re.fullmatch(r"[A-Za-z]\w*(-\w+)*", name) else compile_pattern(asked)


_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2} [0-9]+( [^\r]*)?\r?")


def _sniff(source: Source) -> int:
    lines = source.head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if len(lines) > 2 and len(source.head) == 4096:
        lines.pop()  # cut by the end of the head
    lines = [line for line in lines if line.strip()]
    fits = [bool(_LINE.fullmatch(x)) and len(x.split()[0]) % 4 == 0 for x in lines]
    if not fits or not fits[0] or sum(fits) * 2 < len(fits):
        return 0
    return 85


def _load(source: Source, options: dict[str, str]) -> Tokenizer:
    """What the file is taken for depends on its name, too."""
    return through("tiktoken", source, load=lambda: _parse(source, options), freeze=freeze_ranks, thaw=thaw_ranks,
                   options=(source.name, options.get("pattern", "")))


def _parse(source: Source, options: dict[str, str]) -> Tokenizer:
    try:
        ranks = parse(source.data, trusted=source.sha256 in BY_CONTENT)
    except InputError as error:
        raise InputError(error.what, where=f"{source.name}, {error.where}", todo=error.todo) from error
    known = recognise(source.name, source.sha256, len(ranks.ids))
    asked = ALIASES.get(options.get("pattern", ""), options.get("pattern", ""))
    special, warnings = known.special, known.warnings
    if asked:
        special = SPECIAL_TOKENS.get(asked, special)
        warnings = ()
    taken = _taken(ranks, special.values())
    if taken:
        special = {text: i for text, i in special.items() if i not in taken}
        warnings = (*warnings, f"special tokens with the ids {_few(taken)} are left out: these are ranks in this file")
    stem = PurePath(source.name).name.removesuffix(".tiktoken")
    return build(ranks, stem, source.sha256, pattern_named(asked or known.pattern), special, warnings)


FORMAT = Format("tiktoken", "tiktoken rank file", (".tiktoken",), _sniff, _load)
