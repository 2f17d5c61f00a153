"""SentencePiece `.model` files: a protocol-buffer message read without protobuf, checked as sentencepiece checks it.

The message is a list of pieces (text, score, type), then the trainer's and the normalizer's settings. The pieces are
nearly the whole file and nearly all of one shape, so they are found by their lengths and read as arrays; those of
another shape are read field by field.

Source: sentencepiece 0.2.3, sentencepiece_model.proto and model_interface.cc (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, repeat

import numpy as np
from numpy.typing import NDArray

from ..core.byte_letters import texts_of
from ..core.errors import InputError
from ..core.precompiled import Precompiled
from ..core.sentencepiece import SentencePieceTokenizer, SpSettings, sp_vocabulary
from ..core.sp_models import BpeModel, CharModel, PieceModel, WordModel
from ..core.sp_normalizer import SpNormalizer
from ..core.sp_pieces import PieceTable
from ..core.sp_unigram import UnigramModel
from ..core.vocabulary import TokenKind, Vocabulary, split_bytes
from .cache import through
from .cache_file import Stored
from .protobuf_reader import BYTES, Field, fields, only, varint
from .registry import Format, Source
from .stored import get_vocabulary, put_vocabulary

#: SentencePiece.Type -> our kinds; anything else reads as NORMAL, the default, as protobuf has it.
KINDS = {1: TokenKind.NORMAL, 2: TokenKind.UNKNOWN, 3: TokenKind.SPECIAL, 4: TokenKind.ADDED, 5: TokenKind.UNUSED,
         6: TokenKind.BYTE}

MODEL_TYPES = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}
_MODELS: dict[int, Callable[[PieceTable], PieceModel]] = {1: UnigramModel, 2: BpeModel, 3: WordModel, 4: CharModel}

#: sentencepiece refuses longer pieces.
LONGEST_PIECE = 8000

#: Of the trainer's settings: model_type, treat_whitespace_as_suffix, byte_fallback, unk_surface, bos_piece, eos_piece.
TRAINER_FIELDS = frozenset([3, 24, 35, 44, 46, 47])

_BYTE_PIECES = {f"<0x{b:02X}>".encode(): b for b in range(256)}


def sniff(source: Source) -> int:
    """A first field 1 that holds a message with a field 1 of text: no other format here begins so."""
    head = source.head
    if len(head) < 4 or head[0] != 0x0A:
        return 0
    try:
        size, pos = varint(head, 1)
        if not 2 <= size < 1 << 20:
            return 0
        if head[pos] in (0x15, 0x18):  # score or type first, as no writer known does
            return 60
        length, inner = varint(head, pos + 1)
    except (InputError, IndexError):
        return 0
    return 90 if head[pos] == 0x0A and 0 <= length <= size - (inner - pos) else 0


def load(source: Source, options: dict[str, str]) -> SentencePieceTokenizer:
    """InputError says what sentencepiece would: which piece, which byte."""
    others: dict[int, list[bytes]] = {}  # what is no piece: kept with the arrays
    return through("sentencepiece", source, load=lambda: _parse(source, others),
                   freeze=lambda made: _freeze(made, others), thaw=lambda kept: _thaw(kept, source))


def _parse(source: Source, others: dict[int, list[bytes]]) -> SentencePieceTokenizer:
    raw, scores, types, found = read_model(source.data)
    others.update(found)
    if not raw:
        raise InputError("the model has no pieces", where=source.name, todo="the file is damaged or of another format")
    trainer = _settings(others.get(2, []))
    model_type = trainer.number(3, 1)
    if model_type not in MODEL_TYPES:
        raise InputError(f"model type {model_type} is not known", where="trainer_spec.model_type",
                         todo="known are 1 unigram, 2 BPE, 3 word, 4 char")
    byte_fallback = bool(trainer.number(35, 0))
    kinds = np.array([KINDS.get(t, TokenKind.NORMAL) for t in range(256)], np.uint8)[types]
    warnings: list[str] = []
    if byte_fallback:
        _retire_null_piece(raw, kinds, warnings)
    _check(raw, kinds, scores, MODEL_TYPES[model_type], byte_fallback)
    vocabulary = sp_vocabulary(raw, kinds, scores, _surface(trainer))
    return _made(source, vocabulary, others, tuple(warnings))


def _made(source: Source, vocabulary: Vocabulary, others: dict[int, list[bytes]],
          warnings: tuple[str, ...]) -> SentencePieceTokenizer:
    """The tokenizer of checked pieces and of the other messages."""
    trainer, spec = _settings(others.get(2, [])), _settings(others.get(3, []))
    blob, offsets, kinds, scores = vocabulary.raw_blob, vocabulary.raw_offsets, vocabulary.kinds, vocabulary.scores
    assert blob is not None and offsets is not None and scores is not None

    def spelled(kind: TokenKind) -> dict[bytes, int]:
        return {blob[offsets[i] : offsets[i + 1]]: i for i in np.flatnonzero(kinds == kind).tolist()}

    byte_ids: list[int] | None = None
    if trainer.number(35, 0):
        ids = spelled(TokenKind.BYTE)
        byte_ids = [ids[b] for b in _BYTE_PIECES]
    own = [piece.decode("utf-8", "surrogateescape") for piece in spelled(TokenKind.ADDED)]
    table = PieceTable(lambda: texts_of(split_bytes(blob, offsets)), kinds, scores, byte_ids, own)
    reserved = spelled(TokenKind.SPECIAL)
    settings = SpSettings(
        bos_id=reserved.get(trainer.bytes(46) or b"<s>"),
        eos_id=reserved.get(trainer.bytes(47) or b"</s>"),
        unk_surface=_surface(trainer),
        denormalizer=_denormalizer(others.get(5, [])),
    )
    return SentencePieceTokenizer(source.name, source.sha256, vocabulary,
                                  _normalizer(spec, table.user_defined, bool(trainer.number(24, 0))),
                                  _MODELS[trainer.number(3, 1)](table), settings, warnings)


def _freeze(made: SentencePieceTokenizer, others: dict[int, list[bytes]]) -> Stored:
    # Messages of one field that follow one another are one message: protobuf merges them. The trainer's may list
    # thousands of symbols that nobody asks for.
    messages = {n: b"".join(others[n]) for n in (2, 3, 5) if n in others}
    if 2 in messages:
        messages[2] = only(messages[2], TRAINER_FIELDS)
    arrays = {f"message_{n}": np.frombuffer(data, np.uint8) for n, data in messages.items()}
    return Stored({"warnings": list(made.warnings)}, put_vocabulary(made.vocabulary) | arrays)


def _thaw(kept: Stored, source: Source) -> SentencePieceTokenizer:
    others = {n: [kept.arrays[f"message_{n}"].tobytes()] for n in (2, 3, 5) if f"message_{n}" in kept.arrays}
    return _made(source, get_vocabulary(kept.arrays), others, tuple(kept.meta["warnings"]))


def _surface(trainer: _Settings) -> bytes:
    """What the unknown piece decodes to."""
    found = trainer.bytes(44)
    return " \u2047 ".encode() if found is None else found


class _Settings(dict[int, Field]):
    """The last value of each field of a settings message."""

    def number(self, field: int, default: int) -> int:
        return self[field].signed32() if field in self else default

    def bytes(self, field: int) -> bytes | None:
        return self[field].data() if field in self else None


def _settings(messages: list[bytes]) -> _Settings:
    return _Settings({f.number: f for m in messages for f in fields(m)})


def _normalizer(spec: _Settings, user_defined: list[str], suffix_mode: bool) -> SpNormalizer:
    blob = spec.bytes(2)
    return SpNormalizer(
        Precompiled(blob) if blob else None,
        name=(spec.bytes(1) or b"").decode("utf-8", "replace"),
        user_defined=user_defined,
        add_dummy_prefix=bool(spec.number(3, 1)),
        remove_extra_whitespaces=bool(spec.number(4, 1)),
        escape_whitespaces=bool(spec.number(5, 1)),
        treat_whitespace_as_suffix=suffix_mode,
    )


def _denormalizer(messages: list[bytes]) -> SpNormalizer | None:
    spec = _settings(messages)
    return _normalizer(spec, [], False) if spec.bytes(2) else None


def _retire_null_piece(raw: list[bytes], kinds: NDArray[np.uint8], warnings: list[str]) -> None:
    """Converted models hold a piece of one zero byte beside <0x00>; sentencepiece sets it aside."""
    for i, piece in enumerate(raw if b"\0" in raw else ()):
        if piece == b"\0":
            kinds[i] = TokenKind.UNUSED
            warnings.append(f"piece {i} is a zero byte and is not used, as in sentencepiece: <0x00> stands for it")


def _check(raw: list[bytes], kinds: NDArray[np.uint8], scores: NDArray[np.float32], model: str, fallback: bool) -> None:
    """What sentencepiece refuses, in its order."""
    reserved = np.isin(kinds, [TokenKind.UNKNOWN, TokenKind.SPECIAL, TokenKind.BYTE])
    seen: set[tuple[bytes, bool]] = set()
    unknown = -1
    clean = min(map(len, raw)) > 0 and max(map(len, raw)) < LONGEST_PIECE and len(set(raw)) == len(raw)
    clean = clean and b"\0" not in b"".join(raw)
    for i in np.flatnonzero(reserved).tolist() if clean else range(len(raw)):
        piece, kind, is_reserved = raw[i], int(kinds[i]), bool(reserved[i])
        where = f"piece {i}"
        if not piece:
            raise InputError("a piece must not be empty", where=where, todo=_MODEL)
        if len(piece) >= LONGEST_PIECE:
            raise InputError(f"a piece of {len(piece):,} bytes is too long", where=where, todo=_MODEL)
        if piece == b"\0" and kind == TokenKind.UNUSED:
            continue
        if b"\0" in piece:
            raise InputError("a piece must not hold a zero byte", where=where, todo=_MODEL)
        key = (piece, is_reserved and model != "bpe")
        if key in seen:
            raise InputError(f"the piece {_shown(piece)} is there twice", where=where, todo=_MODEL)
        seen.add(key)
        if kind == TokenKind.UNKNOWN:
            if unknown >= 0:
                raise InputError(f"a second unknown piece; the first is {unknown}", where=where, todo=_MODEL)
            unknown = i
        if kind == TokenKind.BYTE:
            if not fallback:
                raise InputError(f"the byte piece {_shown(piece)} is there and byte_fallback is false", where=where,
                                 todo=_MODEL)
            if piece not in _BYTE_PIECES:
                raise InputError(f"{_shown(piece)} is no byte piece: they run from <0x00> to <0xFF>", where=where,
                                 todo=_MODEL)
    if unknown < 0 and not fallback:
        raise InputError("no piece is the unknown one", where="pieces", todo=_MODEL)
    if fallback:
        held = {raw[i] for i in np.flatnonzero(kinds == TokenKind.BYTE).tolist()}
        missing = [p.decode() for p in _BYTE_PIECES if p not in held]
        if missing:
            raise InputError(f"byte_fallback is true and {len(missing)} of the 256 byte pieces are missing, first "
                             f"{missing[0]}", where="pieces", todo=_MODEL)
    if model == "unigram":
        if not bool(np.isfinite(scores).all()):
            bad = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise InputError("the score is not a finite number", where=f"piece {bad}", todo=_MODEL)
        if bool(reserved.all()):
            raise InputError("no piece can match text", where="pieces", todo=_MODEL)


_MODEL = "sentencepiece refuses such a model too: train or convert it again"


def _shown(piece: bytes) -> str:
    return repr(piece.decode("utf-8", "replace")[:40])


def read_model(
    data: bytes,
) -> tuple[list[bytes], NDArray[np.float32], NDArray[np.uint8], dict[int, list[bytes]]]:
    """(texts, scores, types) of the pieces, and the other messages by field number."""
    raw: list[bytes] = []
    scores: list[NDArray[np.float32]] = []
    types: list[NDArray[np.uint8]] = []
    others: dict[int, list[bytes]] = {}
    array = np.frombuffer(data, np.uint8)
    pos = 0
    while pos < len(data):
        starts, pos = _run(data, array, pos)
        if len(starts):
            texts, values, kinds = _read_run(data, array, starts)
            raw += texts
            scores.append(values)
            types.append(kinds)
        if pos >= len(data):
            break
        key, inner = varint(data, pos)
        if key & 7 == BYTES:
            size, inner = varint(data, inner)
            if size > len(data) - inner:
                raise InputError(f"field {key >> 3} should have {size:,} bytes and {len(data) - inner:,} remain",
                                 where=f"byte {pos:,}", todo="the download is not complete: fetch it again")
            message = data[inner : inner + size]
            if key >> 3 == 1:
                text, score, kind = _read_piece(message, pos)
                raw.append(text)
                scores.append(np.array([score], np.float32))
                types.append(np.array([kind], np.uint8))
            else:
                others.setdefault(key >> 3, []).append(message)
            pos = inner + size
        else:  # an extension: read and passed over
            pos += _skip(data, pos)
    none = np.zeros(0)
    return (raw, np.concatenate([none.astype(np.float32), *scores]), np.concatenate([none.astype(np.uint8), *types]),
            others)


def _skip(data: bytes, pos: int) -> int:
    """Bytes of the field at `pos`, which is no message."""
    key, after = varint(data, pos)
    wire = key & 7
    if wire == 0:
        after = varint(data, after)[1]
    elif wire in (1, 5):
        after += 8 if wire == 1 else 4
    if wire not in (0, 1, 5) or not key >> 3 or after > len(data):
        raise InputError("this is no SentencePiece model", where=f"byte {pos:,}", todo="the file is damaged")
    return after - pos


#: Pieces found together.
_STRIDE = 4096


def _run(data: bytes, array: NDArray[np.uint8], pos: int) -> tuple[NDArray[np.int64], int]:
    """Starts of the pieces (field 1, shorter than 128 bytes) that follow one another from `pos`, and where they end."""
    found: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    while pos < len(data):
        room = min(_STRIDE, (len(data) - pos) // 2)
        edges: list[int] = [pos]
        if room:
            try:
                edges = list(accumulate(repeat(None, room), lambda p, _: p + 2 + data[p + 1], initial=pos))
            except IndexError:
                edges = _walk(data, pos)
        at = np.array(edges, np.int64)
        at = at[at + 1 < len(data)]
        good = (array[at] == 0x0A) & (array[at + 1] < 0x80)
        good &= at + 2 + array[at + 1] <= len(data)
        count = len(good) if bool(good.all()) else int(np.argmin(good))
        if not count:
            break
        found.append(at[:count])
        pos = int(at[count - 1]) + 2 + data[int(at[count - 1]) + 1]
        if count < len(at):
            break
    return np.concatenate(found), pos


def _walk(data: bytes, pos: int) -> list[int]:
    """The same steps one by one, up to the end of the file."""
    edges = []
    while pos + 1 < len(data):
        edges.append(pos)
        pos += 2 + data[pos + 1]
    return edges


def _read_run(
    data: bytes, array: NDArray[np.uint8], starts: NDArray[np.int64]
) -> tuple[list[bytes], NDArray[np.float32], NDArray[np.uint8]]:
    """Text, score and type of the pieces at `starts`; those not written in that order are read field by field."""
    size = array[starts + 1].astype(np.int64)
    last = len(array) - 1
    width = np.where(size > 1, array[np.minimum(starts + 3, last)], 0).astype(np.int64)
    text = starts + 4
    after = text + width
    plain = (size > 1) & (array[np.minimum(starts + 2, last)] == 0x0A) & (array[np.minimum(after, last)] == 0x15)
    rest = size - 2 - width
    typed = rest == 7
    plain &= (rest == 5) | (typed & (array[np.minimum(after + 5, last)] == 0x18)
                            & (array[np.minimum(after + 6, last)] < 0x80))
    scores = array[np.minimum(after[:, None] + np.arange(1, 5), last)].copy().view("<f4").ravel().astype(np.float32)
    types = np.where(typed, array[np.minimum(after + 6, last)], 1).astype(np.uint8)
    raw = list(map(data.__getitem__, map(slice, text.tolist(), after.tolist())))
    for i in np.flatnonzero(~plain).tolist():
        start = int(starts[i])
        raw[i], scores[i], types[i] = _read_piece(data[start + 2 : start + 2 + int(size[i])], start)
    return raw, scores, types


def _read_piece(message: bytes, start: int) -> tuple[bytes, float, int]:
    text, score, kind = b"", 0.0, 1
    for f in fields(message, start + 2):
        if f.number == 1:
            text = f.data()
        elif f.number == 2:
            score = f.float32()
        elif f.number == 3:
            kind = f.integer() if f.integer() in KINDS else kind
    return text, score, kind


FORMAT = Format("sentencepiece", "SentencePiece model", (".model",), sniff, load)
