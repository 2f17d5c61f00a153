"""GGUF vocabularies made at random: each model of llama.cpp, small, with awkward types, scores, flags and split rules.

    data = random_vocabulary(random.Random(1), "t5")        # a GGUF file of metadata alone
    text = random_text(random.Random(2))                    # bytes, now and then no UTF-8

Left out is what llama.cpp stops at: a token that is there twice, a byte that a `llama` vocabulary has no token for.
"""

from __future__ import annotations

import random
import re
import struct
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import sentencepiece

from gguf_vocab_build import Value, build
from tokenloupe.core.bytemap import CHARACTERS
from tokenloupe.core.llamacpp_patterns import PRE
from tokenloupe.formats import sentencepiece as sentencepiece_format

MODELS = ("llama", "t5", "bert", "gpt2", "gemma4", "rwkv")
NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
BYTES = [f"<0x{b:02X}>" for b in range(256)]

LETTERS = ["a", "b", "c", "A", "É", "é", "e\u0301", "\u0301", "1", "2", "'", "!", ".", "▁", "\n", "你", "好", "が", "ﬁ",
           "😀", "한", "ا", "Ａ", "ß", "İ", " ", "\t", "\u3000", "\u200b", "\x85", "x"]
MARKS = ["<doc>", "<extra_id_0>", "<ex", "ab<", "<|im_end|>", "<|endoftext|>", "</s>", "[CLS]", "[MASK]", "<mask>",
         "<|start|>", "<|end|>", "<|call|>", "<|return|>", "<fim_prefix>", "<|fim_suffix|>", "▁<PRE>", "你x",
         "<|tool_response>", "[PAD]"]
TEXTS = [*LETTERS, *MARKS, " ", " ", "  ", "    ", "\n\n", "\r\n", "'s", "'LL", "123", "12345", "abc", "ab", "aba",
         "Hello",
         " world", "<0x41>", "\x00", "\ufffd", "\u2028", "👍🏽", "Ⅷ", "²", "ǅ", "ʰ", "क्षि", "สวัสดี", "#include", "==",
         "//", "—"]
BROKEN = [b"\xff", b"\x80", b"\xe4\xbd", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80"]


def random_text(rng: random.Random) -> bytes:
    data = bytearray("".join(rng.choices(TEXTS, k=rng.randint(0, 14))).encode())
    if rng.random() < 0.15:
        at = rng.randint(0, len(data))
        data[at:at] = rng.choice(BROKEN)
    return bytes(data)


def random_vocabulary(rng: random.Random, model: str) -> bytes:
    made = {"llama": _pieces, "t5": _pieces, "bert": _words, "gpt2": _bpe, "gemma4": _bpe, "rwkv": _trie}[model]
    keys: list[tuple[str, Value]] = [("model", model), *made(rng, model)]
    tokens = dict(keys)["tokens"]
    masked = not isinstance(tokens, int | float) and "<mask>" in tokens  # models whose mask takes the blanks before it
    architecture = rng.choice(["llama"] * 3 + ["nomic-bert-moe", "jina-bert-v3"]) if masked else "llama"
    entries: list[tuple[str, Value]] = [("general.architecture", architecture)]
    if rng.random() < 0.15:
        named = rng.choice(["Phi-3 mini", "phi3", "Modern-BERT base", "x"])
        entries.append(("general.name", named))
        for token in ("</s>", "<unk>", "<s>", "<|endoftext|>") if named.lower().startswith("phi") else ():
            _append(dict(keys), token)  # llama.cpp wants them
    return build(entries + [(f"tokenizer.ggml.{k}", v) for k, v in keys])


def _append(keys: dict[str, Value], token: str) -> None:
    columns = [(c, v) for k, v in (("tokens", token), ("token_type", CONTROL), ("scores", 0.0))
               if isinstance(c := keys.get(k), list)]
    if token not in columns[0][0]:
        for column, value in columns:
            column.append(value)


def _flags(rng: random.Random, *names: str) -> list[tuple[str, Value]]:
    return [(name, rng.random() < 0.5) for name in names if rng.random() < 0.5]


def _named(rng: random.Random, count: int, *names: str) -> list[tuple[str, Value]]:
    return [(f"{name}_token_id", rng.randrange(count)) for name in names if rng.random() < 0.3]


def _marked(rng: random.Random, tokens: list[str], types: list[int]) -> None:
    """Some tokens that llama.cpp looks for in text, of any type."""
    for mark in rng.sample(MARKS, rng.randint(0, 6)):
        other = {"<fim_prefix>": "▁<PRE>", "▁<PRE>": "<fim_prefix>"}.get(mark)  # of two a hash table tells
        if mark not in tokens and other not in tokens:
            tokens.append(mark)
            types.append(rng.choice([NORMAL, CONTROL, USER, USER, UNUSED, UNKNOWN]))


def _combinations(rng: random.Random, letters: list[str], longest: int) -> list[str]:
    some = ["".join(rng.choices(letters, k=rng.randint(1, longest))) for _ in range(rng.randint(5, 50))]
    return list(dict.fromkeys(some))


def _score(rng: random.Random, scale: float) -> float:
    """Coarse scores, so that sums and neighbours tie; rounded to what a file can hold."""
    value = -round(rng.uniform(0, 12) / scale) * scale if scale else -rng.uniform(0, 12)
    rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return rounded


def _pieces(rng: random.Random, model: str) -> list[tuple[str, Value]]:
    """llama and t5: pieces with scores."""
    tokens, types = ["<unk>", "<s>", "</s>"], [UNKNOWN, CONTROL, CONTROL]
    if model == "llama" or rng.random() < 0.3:
        tokens += BYTES
        types += [BYTE] * 256
    scale = rng.choice([1.0, 0.1, 0.25, 0.0])
    letters = rng.sample(LETTERS, rng.randint(4, len(LETTERS)))
    for piece in _combinations(rng, [*letters, "▁"], 5):
        if piece not in tokens:
            tokens.append(piece)
            types.append(NORMAL if rng.random() < 0.8 else rng.choice([USER, UNUSED, CONTROL]))
    if NORMAL not in types:
        tokens.append("zz")
        types.append(NORMAL)
    _marked(rng, tokens, types)
    keys: list[tuple[str, Value]] = [("tokens", tokens), ("token_type", types),
                                     ("scores", [_score(rng, scale) for _ in tokens])]
    keys += _flags(rng, "add_space_prefix", "add_bos_token", "add_eos_token")
    if model == "t5":
        keys += _flags(rng, "remove_extra_whitespaces")
        if rng.random() < 0.4:
            keys.append(("precompiled_charsmap", _charsmap(rng.randrange(6))))
    keys += _named(rng, len(tokens), "eos", "unknown")
    if model == "t5" or rng.random() < 0.3:  # llama.cpp stops when t5 is to add a BOS that it does not have
        keys.append(("bos_token_id", rng.randrange(len(tokens))))
    return keys


RULES = ("A>a", "É>é", "ﬁ>fi", "ab>c", "1>", "\u3000> ", "Ａ>A", "が>か", "\t> ", "e\u0301>é", "你>你好", "x>▁")


@cache
def _charsmap(seed: int) -> bytes:
    """Rules as sentencepiece compiles them, of a few replacements: a double array and the texts behind it."""
    chosen = random.Random(seed).sample(RULES, 5)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rules.tsv"
        hexed = [[" ".join(f"{ord(c):X}" for c in side) for side in rule.split(">")] for rule in chosen]
        path.write_text("".join(f"{a}\t{b}\n" for a, b in hexed), "utf-8")
        proto = sentencepiece.SentencePieceNormalizer(rule_tsv=str(path)).serialized_model_proto()
    blob = sentencepiece_format._settings(sentencepiece_format.read_model(proto)[3][3]).bytes(2)
    assert blob
    return blob


def _words(rng: random.Random, model: str) -> list[tuple[str, Value]]:
    """bert: words with `▁` before them, and what follows in a word without."""
    tokens, types = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"], [CONTROL, CONTROL, CONTROL, CONTROL]
    letters = rng.sample(["a", "b", "c", "e", "1", "2", "!", "'", "你", "好", "x", "fi", "ß", "A", "É", "s"], 9)
    for piece in _combinations(rng, letters, 3):
        for token in (piece, "▁" + piece):
            if rng.random() < 0.7 and token not in tokens:
                tokens.append(token)
                types.append(NORMAL)
    _marked(rng, tokens, types)
    keys: list[tuple[str, Value]] = [("tokens", tokens), ("token_type", types), ("unknown_token_id", 1),
                                     ("bos_token_id", 2), ("seperator_token_id", 3)]
    return keys + _flags(rng, "normalizer.lowercase", "normalizer.strip_accents")


def _bpe(rng: random.Random, model: str) -> list[tuple[str, Value]]:
    """gpt2: byte letters and merges of them. gemma4: characters, `▁`, and bytes to fall back on."""
    if model == "gpt2":
        tokens = [c for c in CHARACTERS if rng.random() < 0.997]
        types = [NORMAL] * len(tokens)
        likely = [*"abcsALltvre12'!", "Ġ", "Ċ", "ä", "½", "ł", "Ã", "©"]
    else:
        tokens, types = ["<pad>", "<eos>", "<bos>", "<unk>", *BYTES], [*[CONTROL] * 3, UNKNOWN, *[BYTE] * 256]
        likely = ["a", "b", "c", "▁", "é", "1", "你", "\n", "x", "😀", "'", "s"]
        tokens += likely
        types += [NORMAL] * len(likely)
    likely = [t for t in likely if t in tokens]
    merges: list[str] = []
    for _ in range(rng.randint(1, 60)):
        left, right = rng.choice(likely), rng.choice(likely)
        if left + right not in tokens:
            tokens.append(left + right)
            types.append(NORMAL)
            likely.append(left + right)
        merges.append(f"{left} {right}")
    _marked(rng, tokens, types)
    keys: list[tuple[str, Value]] = [("tokens", tokens), ("token_type", types), ("merges", merges)]
    if model == "gpt2":
        keys.append(("pre", rng.choice(sorted(n for n in PRE if n not in ("gemma4", "whitespace")))))
    keys += _flags(rng, "add_bos_token", "add_eos_token")
    if model == "gemma4":
        return [*keys, ("bos_token_id", 2), ("eos_token_id", 1)]
    return keys + [(f"{name}_token_id", rng.randrange(len(tokens))) for name in ("bos", "eos")]


def _trie(rng: random.Random, model: str) -> list[tuple[str, Value]]:
    """rwkv: escaped bytes, the longest first."""
    tokens = ["<s>", "<"]
    for _ in range(rng.randint(3, 60)):
        raw = "".join(rng.choices(["a", "b", "c", "1", " ", "\\n", "\\t", "\\xe4", "\\xbd", "\\xa0", "\\xff", "\\\\",
                                   "\\'", "é", "你", "<", "\\x80"], k=rng.randint(1, 4)))
        first = re.match(r"\\x..|\\.|[ -~]", raw)
        # llama.cpp never ends on a text whose first byte begins tokens and is none.
        for token in (first[0] if first else f"\\x{raw.encode()[0]:02x}", raw):
            if token not in tokens:
                tokens.append(token)
    # Without an unknown token llama.cpp stops when it decodes what it has not.
    keys = [("unknown_token_id", rng.randrange(len(tokens)))]
    return [("tokens", tokens), *keys, *_named(rng, len(tokens), "bos", "eos")]
