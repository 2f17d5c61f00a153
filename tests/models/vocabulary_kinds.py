"""Small tokenizers of every kind that a vocabulary can have, each written to a file and opened as a user would."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.core.vocabularies import merge_tokenizer
from tokenloupe.api import load
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.core.vocabulary import TokenKind

MERGES = [(b"t", b"h"), (b"th", b"e"), (b"h", b"e"), (b" ", b"the"), (b"t", b"he"), (b"\xe6", b"\x88"),
          (b"\xe6\x88", b"\x91"), (b"\xd0", b"\x96"), (b"a", b"a")]
#: Ids of what the merges make: th 256, the 257, he 258, " the" 259 ("t" + "he" makes 257 again and never fires),
#: half a character 260, a Han character 261, a Cyrillic one 262, aa 263.
MORE = {300: b"<|end|>", 301: b"<extra>", 4294967295: b"huge", 305: b"\xff\xfe", 306: b"  ", 307: b"The"}


def merges(_: Path) -> Tokenizer:
    """A merge list, with holes, a huge id, a special and an added token, and bytes that are never UTF-8."""
    return merge_tokenizer(MERGES, MORE, {300: TokenKind.SPECIAL, 301: TokenKind.ADDED})


def ranks(folder: Path) -> Tokenizer:
    """A rank file: the parts are derived."""
    pieces = [bytes([b]) for b in range(256)] + [b"th", b"the", b"he", b" the", b"\xe6\x88", b"\xe6\x88\x91"]
    path = folder / "some.tiktoken"
    path.write_bytes(b"".join(b"%s %d\n" % (base64.b64encode(p), i) for i, p in enumerate(pieces)))
    return load(path, pattern="gpt2")


def _json(folder: Path, name: str, model: dict[str, Any], **more: Any) -> Tokenizer:
    path = folder / f"{name}.tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "model": model, **more}), "utf-8")
    return load(path)


def unigram(folder: Path) -> Tokenizer:
    vocab = [["<unk>", 0.0], ["▁the", -2.5], ["▁", -3.0], ["t", -4.0], ["he", -3.5], ["我", -6.0]]
    return _json(folder, "unigram", {"type": "Unigram", "unk_id": 0, "vocab": vocab},
                 pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
                 decoder={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})


def wordpiece(folder: Path) -> Tokenizer:
    vocab = {"[UNK]": 0, "the": 1, "##re": 2, "t": 3, "##h": 4, "我": 5}
    return _json(folder, "wordpiece", {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                                       "max_input_chars_per_word": 100, "vocab": vocab},
                 pre_tokenizer={"type": "BertPreTokenizer"}, decoder={"type": "WordPiece", "prefix": "##",
                                                                      "cleanup": True})


def byte_fallback(folder: Path) -> Tokenizer:
    """A BPE of characters with byte pieces: "e" and "<0x65>" decode to the same."""
    vocab = {"<unk>": 0, "<0x0A>": 1, "<0x65>": 2, "▁": 3, "t": 4, "h": 5, "e": 6, "▁t": 7, "he": 8, "▁the": 9}
    return _json(folder, "fallback", {"type": "BPE", "unk_token": "<unk>", "byte_fallback": True, "vocab": vocab,
                                      "merges": [["▁", "t"], ["h", "e"], ["▁t", "he"]]},
                 pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
                 decoder={"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"},
                                                            "content": " "}, {"type": "ByteFallback"},
                                                           {"type": "Fuse"}]})


def rwkv(folder: Path) -> Tokenizer:
    path = folder / "rwkv.txt"
    path.write_text("".join(f"{i} {p!r} {len(p)}\n" for i, p in enumerate([b"\x00", b"t", b"the", b"\xe6\x88"], 1)))
    return load(path)


def no_merges(_: Path) -> Tokenizer:
    """A merge list with nothing in it: 256 bytes."""
    return merge_tokenizer([])


KINDS: tuple[Callable[[Path], Tokenizer], ...] = (merges, ranks, unigram, wordpiece, byte_fallback, rwkv, no_merges)
