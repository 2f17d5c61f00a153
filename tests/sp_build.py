"""Small SentencePiece models for tests: written by hand, and made at random.

    >>> build([("<unk>", 0.0, 2), ("▁hi", -1.0, 1)], model="unigram")
"""

from __future__ import annotations

import random
import struct

TYPES = {"unigram": 1, "bpe": 2, "word": 3, "char": 4}
NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
SPACE = "\u2581"

Piece = tuple[str, float, int]
BASE: list[Piece] = [("<unk>", 0.0, UNKNOWN), ("<s>", 0.0, CONTROL), ("</s>", 0.0, CONTROL)]


def build(
    pieces: list[Piece], *, model: str = "unigram", byte_fallback: bool = False, suffix: bool = False,
    prefix: bool = True, remove_extra: bool = True, escape: bool = True, charsmap: bytes = b"",
) -> bytes:
    """A serialized ModelProto."""
    trainer = number(3, TYPES[model]) + number(24, suffix) + number(35, byte_fallback)
    spec = number(3, prefix) + number(4, remove_extra) + number(5, escape) + (message(2, charsmap) if charsmap else b"")
    return b"".join(message(1, piece(*p)) for p in pieces) + message(2, trainer) + message(3, spec)


def piece(text: str, score: float, kind: int) -> bytes:
    body = message(1, text.encode()) + b"\x15" + struct.pack("<f", score)
    return body + (number(3, kind) if kind != NORMAL else b"")


def message(field: int, body: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(body)) + body


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(int(value))


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))


LETTERS = ["a", "b", "c", SPACE, "\u00e9", "\u4f60", "\U0001f600", "\u0301"]


def random_model(rng: random.Random, kind: str = "") -> tuple[bytes, str]:
    """A model, of any kind where none is asked for, with a random vocabulary and settings; a line that says which."""
    kind = kind or rng.choice(list(TYPES))
    letters = rng.sample(LETTERS, rng.randint(3, len(LETTERS)))
    scale = rng.choice([1.0, 0.1, 0.25, 0.0])  # coarse scores: ties are what is hard
    texts = {"".join(rng.choices(letters, k=rng.randint(1, 5))) for _ in range(rng.randint(5, 40))}
    if rng.random() < 0.6:  # as trained models are: the space at the front alone
        texts = {t[0] + t[1:].replace(SPACE, "") for t in texts}
    pieces = list(BASE)
    fallback = rng.random() < 0.4
    if fallback:
        pieces += [(f"<0x{b:02X}>", 0.0, BYTE) for b in range(256)]
    for text in sorted(texts):
        score = -round(rng.uniform(0, 12) / scale) * scale if scale else -rng.uniform(0, 12)
        choice = rng.random()
        pieces.append((text, score, USER if choice < 0.08 else UNUSED if choice < 0.16 else NORMAL))
    if not any(p[2] == NORMAL for p in pieces):
        pieces.append(("zz", -1.0, NORMAL))
    settings = {"byte_fallback": fallback, "suffix": rng.random() < 0.25, "prefix": rng.random() < 0.7,
                "remove_extra": rng.random() < 0.6, "escape": rng.random() < 0.9}
    return build(pieces, model=kind, **settings), f"{kind} {settings} {pieces[3 + 256 * fallback:]}"


def random_text(rng: random.Random) -> str:
    alphabet = [*LETTERS, " ", " ", "  ", "x", "\n", "<s>", "\ufffd", "abc", "ab"]
    return "".join(rng.choices(alphabet, k=rng.randint(0, 24)))
