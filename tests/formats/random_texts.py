"""Texts that find faults: all planes, kinds of white space, half-typed special tokens, bytes that are no UTF-8."""

from __future__ import annotations

import random
from functools import lru_cache

import tiktoken

from tokenloupe.core.bytelevel import ByteLevelTokenizer

SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2003\u2028\u2029\u202f\u205f\u3000\u200b\ufeff\u180e"
SPECIAL = ["<|endoftext|>", "<|endoftext|", "|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|fim_",
           "<|<|endoftext|>|>"]
RANGES = [(0x20, 0x7E)] * 6 + [
    (0, 0xFF), (0xC0, 0x24F), (0x2B0, 0x36F), (0x370, 0x3FF), (0x400, 0x52F), (0x590, 0x6FF),
    (0x900, 0x97F), (0xE00, 0xE7F),
    (0x1C80, 0x1CFF), (0x2000, 0x2BFF), (0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xA640, 0xA7FF), (0xAC00, 0xD7A3),
    (0xF900, 0xFFFD), (0x10000, 0x1FFFF), (0x1F300, 0x1FAFF), (0x20000, 0x3FFFF), (0xE0000, 0xE01FF),
    (0x40000, 0x10FFFF)]
PIECES = ["'s", "'S", "'ſ", "'ll", "'Re", "don't", "ſ", "İ", "K", "123456", "٣٤", "Ⅷ", "ab", "Hello", " the", "\r\n",
          "\n\n", "!?", "/", "//\n", "👩‍👩‍👧", "é", "ǅ", "ʰ", "ª", "   ", "\u0301", "_", "\0"]


def random_text(rnd: random.Random, longest: int = 40) -> str:
    """Up to `longest` parts; no surrogates."""
    parts = []
    while len(parts) < longest and rnd.random() < 0.94:
        kind = rnd.random()
        if kind < 0.25:
            parts.append("".join(rnd.choices(SPACES, k=rnd.randint(1, 3))))
        elif kind < 0.3:
            parts.append(rnd.choice(SPECIAL))
        elif kind < 0.55:
            parts.append(rnd.choice(PIECES))
        else:
            low, high = rnd.choice(RANGES)
            points = (rnd.randint(low, high) for _ in range(rnd.randint(1, 8)))
            parts.append("".join(chr(p) for p in points if not 0xD800 <= p < 0xE000))
    return "".join(parts)


def random_bytes(rnd: random.Random) -> bytes:
    """A text with bytes that are no UTF-8: cut characters, lone continuation bytes, surrogates, anything."""
    data = bytearray(random_text(rnd, 12).encode())
    for _ in range(rnd.randint(1, 3)):
        at = rnd.randint(0, len(data))
        bad = rnd.choice([b"\xff", b"\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf",
                          rnd.randbytes(3)])
        data[at : at + rnd.randint(0, 2)] = bad
    return bytes(data)


@lru_cache(maxsize=5)
def reference(tokenizer: ByteLevelTokenizer) -> tiktoken.Encoding:
    """tiktoken with the same ranks, pattern and special tokens; nothing is downloaded."""
    v = tokenizer.vocabulary
    ranks = {v.bytes_at(r): int(i) for r, i in enumerate(v.ids) if v.kinds[r] == 0}
    return tiktoken.Encoding(tokenizer.name, pat_str=tokenizer.splitter.pattern, mergeable_ranks=ranks,
                             special_tokens=tokenizer.special_tokens)
