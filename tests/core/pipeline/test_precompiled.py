"""Precompiled: the library's way with SentencePiece's rules (clusters, shortest prefix), on every code point."""

from __future__ import annotations

import base64
import struct

from tokenizers import normalizers

from tokenloupe.core.pipeline.aligned import Aligned
from tokenloupe.core.pipeline.fields import Fields
from tokenloupe.core.pipeline.normalizers import make_normalizers


def one_rule(replacement: bytes) -> bytes:
    """x -> replacement: a double-array trie of three units (root, the node of x, its value)."""
    units = [0] * 256
    base, leaf = 1, 2
    child = base ^ ord("x")
    units[0] = base << 10
    units[child] = (leaf ^ child) << 10 | ord("x") | 1 << 8
    units[leaf] = 1 << 31
    trie = struct.pack("<256I", *units)
    return struct.pack("<I", len(trie)) + trie + replacement + b"\0"


def test_every_character_after_a_rule() -> None:
    """A cluster of fewer than six bytes that begins with x is replaced as a whole, whatever else is in it."""
    blob = one_rule(b"yz")
    reference = normalizers.Precompiled(blob)
    value = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(blob).decode()}
    ours = make_normalizers(Fields(value, "normalizer"))[0]
    every = [chr(c) for c in (*range(0xD800), *range(0xE000, 0x110000))]
    for at in range(0, len(every), 1 << 15):
        text = "".join("x" + c for c in every[at : at + (1 << 15)])
        assert ours.apply(Aligned.of(text.encode())).text == reference.normalize_str(text)


def test_what_is_replaced_keeps_its_source() -> None:
    value = {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(one_rule(b"yz")).decode()}
    made = make_normalizers(Fields(value, "normalizer"))[0].apply(Aligned.of("axe\u0301x\u0301b".encode()))
    assert made.text == "ayze\u0301yzb"
    assert made.starts.tolist() == [0, 1, 1, 2, 3, 5, 5, 8]
    assert made.ends.tolist() == [1, 2, 2, 3, 5, 8, 8, 9]
