"""Where a stream comes from: token ids of a tokenizer, chunks in hex, tokens spelled out for an example.

    >>> [p.hex() for p in chunks("476fe2, 82ace286").pieces]
    ['476fe2', '82ace286']
    >>> stream = spelled(["▁hi", "▁hi"], decoder="metaspace")
    >>> stream.decode(0, 2), stream.pieces, stream.alone          # alone, each one loses its space
    ('hi hi', (b'hi', b' hi'), (b'hi', b'hi'))

Recorded streams of a server are read by stream_recordings.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from typing import Literal

from . import utf8
from .errors import InputError
from .stream_tokens import TokenStream
from .tokenizer import Tokenizer
from .vocabulary import TokenKind

_BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>\Z")


def chunks(text: str, *, name: str = "chunks of bytes") -> TokenStream:
    """Hex of each chunk, separated by commas; white space inside a chunk is ignored. InputError names the chunk."""
    parts = text.split(",") if text.strip() else []
    return TokenStream.of_chunks([_hex(part, number) for number, part in enumerate(parts, 1)], name=name)


def _hex(part: str, number: int) -> bytes:
    digits = "".join(part.split())
    wrong = next((c for c in digits if c not in "0123456789abcdefABCDEF"), None)
    if wrong is not None:
        raise InputError(f"{wrong!r} is no hex digit", where=f"chunk {number}", todo="write two hex digits a byte")
    if len(digits) % 2:
        said = "1 hex digit is no whole byte" if len(digits) == 1 else f"{len(digits)} hex digits are not whole bytes"
        raise InputError(said, where=f"chunk {number}",
                         todo="write two hex digits a byte")
    return bytes.fromhex(digits)


def parse_ids(text: str) -> list[int]:
    """Token ids separated by commas or white space, brackets allowed. InputError names what is no id."""
    words = re.split(r"[\s,;]+", text.strip().strip("[]()").strip())
    out = []
    for number, word in enumerate(words, 1):
        if not word and len(words) == 1:
            break
        if not (word.isascii() and word.isdigit() and len(word) <= 19):
            raise InputError(f"{word!r} is no token id", where=f"item {number}", todo="write ids as 464, 995, 0")
        out.append(int(word))
    return out


def of_ids(
    tokenizer: Tokenizer, ids: Sequence[int], *, prompt_ids: Sequence[int] = (), skip_special: bool = False,
    name: str = "",
) -> TokenStream:
    """Tokens of a tokenizer. prompt_ids come before them and are not shown. Unknown ids give nothing, and a note."""
    every = [*map(int, prompt_ids), *map(int, ids)]
    kinds = [tokenizer.vocabulary.kind_of(i) for i in every]
    special = set(tokenizer.special_tokens.values())  # [UNK] is one of them in some files, so the kind does not say it
    skipped = frozenset(k for k, i in enumerate(every) if skip_special and i in special)
    left_out = skipped | {k for k, kind in enumerate(kinds) if kind is None}
    kept = [i for k, i in enumerate(every) if k not in left_out]
    byte_pieces = [k for k, kind in enumerate(kinds) if kind == TokenKind.BYTE]

    def decode(first: int, last: int) -> str:
        return library_text(tokenizer, [every[k] for k in range(first, last) if k not in left_out])

    pieces = iter(_pieces(tokenizer, kept))
    known: dict[int, bytes] = {}

    def alone(token_id: int) -> bytes:
        if token_id not in known:
            known[token_id] = tokenizer.decode([token_id])
        return known[token_id]

    for k in byte_pieces:
        known[every[k]] = tokenizer.token_bytes(every[k]) or b""
    unknown = [i for i, kind in zip(every, kinds, strict=True) if kind is None]
    notes = (f"{len(unknown)} ids are not in the vocabulary and give nothing: "
             f"{', '.join(map(str, unknown[:5]))}{' ..' if len(unknown) > 5 else ''}",) if unknown else ()
    return TokenStream(
        name or f"tokens of {tokenizer.name}",
        tuple(b"" if k in left_out else next(pieces) for k in range(len(every))),
        tuple(b"" if k in left_out else alone(i) for k, i in enumerate(every)),
        decode, ids=tuple(every), prompt=len(prompt_ids), skipped=skipped, notes=notes,
    )


def library_text(tokenizer: Tokenizer, ids: list[int]) -> str:
    """What Hugging Face tokenizers decodes ids to. It differs from the bytes in one thing: of a run of byte-fallback
    tokens that is no UTF-8 as a whole, it keeps nothing, not even the characters that are in it, and writes one U+FFFD
    for each token."""
    data = tokenizer.decode(ids)
    if data.isascii() or utf8.is_valid(data):
        return data.decode("utf-8")
    out, copied = "", 0
    for is_byte, group in groupby(range(len(ids)), lambda k: tokenizer.vocabulary.kind_of(ids[k]) == TokenKind.BYTE):
        run = list(group)
        raw = b"".join(tokenizer.token_bytes(ids[k]) or b"" for k in run)
        if is_byte and not utf8.is_valid(raw):
            end = len(tokenizer.decode(ids[: run[-1] + 1]))
            out += data[copied : max(end - len(raw), copied)].decode("utf-8", "replace") + "\ufffd" * len(run)
            copied = end
    return out + data[copied:].decode("utf-8", "replace")


def _pieces(tokenizer: Tokenizer, ids: list[int]) -> list[bytes]:
    """The bytes each token adds to the text of those before it.

    Most tokenizers: the token's own bytes. A decoder that treats the first token apart (Metaspace) or puts spaces
    between tokens (WordPiece): what the pair of tokens decodes to, less what the first of them does.
    """
    plain = [tokenizer.token_bytes(i) or b"" for i in ids]
    if not ids:
        return plain
    whole = tokenizer.decode(ids).decode("utf-8", "replace")

    def right(pieces: list[bytes]) -> bool:
        return b"".join(pieces).decode("utf-8", "replace") == whole

    if right(plain):
        return plain
    first_apart = [tokenizer.decode(ids[:1]), *plain[1:]]
    if right(first_apart):
        return first_apart
    grown = first_apart[:1]
    for k in range(1, len(ids)):
        before, both = tokenizer.decode(ids[k - 1 : k]), tokenizer.decode(ids[k - 1 : k + 1])
        is_byte = tokenizer.vocabulary.kind_of(ids[k]) == TokenKind.BYTE
        grown.append(both[len(before) :] if both.startswith(before) and not is_byte else plain[k])
    return grown if right(grown) else first_apart


Decoder = Literal["bytes", "metaspace", "llama"]


def spelled(
    tokens: Iterable[str | bytes], *, decoder: Decoder = "bytes", special: Collection[str] = (),
    skip_special: bool = False, name: str = "example", prompt: int = 0,
) -> TokenStream:
    """Tokens by their spelling, decoded as a tokenizer.json of that kind is.

    "bytes": the token's own bytes. "metaspace": ▁ is a space, but not in the first token. "llama": ▁ is a space,
    <0x0A> is a byte, bytes that are no character together are one U+FFFD each, one space at the front is dropped.
    """
    given = tuple(tokens)
    words = tuple(t if isinstance(t, str) else t.hex(" ").upper() for t in given)
    skipped = frozenset(k for k, w in enumerate(words) if skip_special and w in special)
    rule = {"bytes": _join_bytes, "metaspace": _join_metaspace, "llama": _join_llama}[decoder]

    def decode(first: int, last: int) -> str:
        return rule([given[k] for k in range(first, last) if k not in skipped])

    kept = [k for k in range(len(given)) if k not in skipped]
    pieces, alone = [b""] * len(given), [b""] * len(given)
    for place, k in enumerate(kept):
        raw = _raw(given[k], decoder)
        lone = rule([given[k]]).encode("utf-8") if _is_text(given[k]) else raw
        pieces[k], alone[k] = (lone if place == 0 else raw), lone
    return TokenStream(name, tuple(pieces), tuple(alone), decode, ids=None, prompt=prompt, skipped=skipped,
                       spellings=words)


def _is_text(token: str | bytes) -> bool:
    return isinstance(token, str) and not _BYTE_PIECE.match(token)


def _raw(token: str | bytes, decoder: Decoder) -> bytes:
    if isinstance(token, bytes):
        return token
    if decoder == "bytes":
        return token.encode("utf-8")
    if decoder == "llama" and (byte := _BYTE_PIECE.match(token)):
        return bytes.fromhex(byte[1])
    return token.replace("▁", " ").encode("utf-8")


def _join_bytes(tokens: Sequence[str | bytes]) -> str:
    return b"".join(t if isinstance(t, bytes) else t.encode("utf-8") for t in tokens).decode("utf-8", "replace")


def _join_metaspace(tokens: Sequence[str | bytes]) -> str:
    words = [str(t) for t in tokens]
    return "".join(w.replace("▁", "" if i == 0 else " ") for i, w in enumerate(words))


def _join_llama(tokens: Sequence[str | bytes]) -> str:
    out: list[str] = []
    run = bytearray()

    def end_run() -> None:
        try:
            out.append(run.decode("utf-8"))
        except UnicodeDecodeError:
            out.append("\ufffd" * len(run))
        run.clear()

    for token in tokens:
        raw = _raw(token, "llama")
        if _is_text(token):
            end_run()
            out.append(raw.decode("utf-8"))
        else:
            run += raw
    end_run()
    text = "".join(out)
    return text[1:] if text.startswith(" ") else text


#: For type checkers of callers that keep a source to call later.
Source = Callable[[], TokenStream]
