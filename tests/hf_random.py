"""Tokenizers made at random, as JSON, to be opened by the reference library and by this program.

    value = random_tokenizer(random.Random(1), "BPE")      # a dict, ready for json.dumps
    text = random_text(random.Random(2), value)

Vocabularies are small and made of awkward characters, so that flags and stages meet the cases where they matter.
"""

from __future__ import annotations

import random
from typing import Any

KINDS = ("BPE", "ByteLevelBPE", "Unigram", "WordPiece", "WordLevel")

#: Characters that stages treat specially: cases, accents (composed, decomposed), widths, scripts, marks, spaces.
CHARACTERS = (
    *"aaabbbcst  eE.,!'-_12<>#", "é", "É", "e\u0301", "\u0301", "\u0323", "ö", "Ā", "ß", "İ", "Σ", "ς", "Ω", "ﬁ", "½",
    "①",
    "京", "都", "ー", "が", "か\u3099", "ア", "각", "ᄀ", "ᅡ", "ᆨ", "👍", "👍🏽", "e", "٣", "²", "Ⅷ",
    "。", "「", "€", "+",
    "\u00ad",
    "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\u0085", "\u200b", "\u200d", "\ufeff", "▁", "Ġ", "\x00",
    "\x07", "\ufffd",
    "я", "Я", "α", "ก", "ำ", "क", "्", "ष", "س", "\u0e33", "\ua7cb", "\U0001e900", "ⅷ",
)
BYTE_CHARACTERS = tuple(
    chr(b) if 0x21 <= b < 0x7F or 0xA1 <= b < 0xAD or b >= 0xAE else None for b in range(256)
)
_rest = iter(range(256, 400))
BYTE_MAP = tuple(c if c is not None else chr(next(_rest)) for c in BYTE_CHARACTERS)

REGEXES = (r"\s+", r"\s", r"[^\s]+", r"\p{L}+", r"\p{N}{1,3}", r"\d", r"\w+|[^\w\s]+", r"(?=b)", r"\s+$", r"^\s+",
           r"a*",
           r"(?i:'s|'t)", r" ?\p{L}+| ?[^\s\p{L}]+|\s+(?!\S)|\s+", r"[\r\n]", r"b|c", r"\p{P}", r"[一-龥ぁ-ヿ]+", r".")
EMPTY = (r"(?=b)", r"a*")
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def piece(rng: random.Random, longest: int = 3) -> str:
    return "".join(rng.choice(CHARACTERS) for _ in range(rng.randint(1, longest)))


def pattern(rng: random.Random, empty: bool = True) -> dict[str, str]:
    """empty: regexes with empty matches too."""
    if rng.random() < 0.5:
        return {"String": rng.choice([" ", "a", "▁", "ab", "é", "  ", ".", piece(rng, 2)])}
    return {"Regex": rng.choice([r for r in REGEXES if empty or r not in EMPTY])}


def normalizer(rng: random.Random, bytes_too: bool = False) -> dict[str, Any]:
    """Not in it: an insertion (a Replace of nothing), which the library now and then makes twice; and, with a
    byte-level decoder, a replacement of byte-map characters in an added token, which the library decodes as bytes."""
    flag = lambda: rng.random() < 0.5  # noqa: E731
    return rng.choice([
        lambda: {"type": rng.choice(["NFC", "NFD", "NFKC", "NFKD"])},
        lambda: {"type": rng.choice(["Nmt", "Lowercase", "StripAccents"])},
        lambda: {"type": "Strip", "strip_left": flag(), "strip_right": flag()},
        lambda: {"type": "Replace", "pattern": pattern(rng, False),
                 "content": rng.choice(["", "▁", " ", "b", "xy", "b" if bytes_too else "é"])},
        lambda: {"type": "Prepend", "prepend": rng.choice(["▁", " ", "ab"])},
        lambda: {"type": "BertNormalizer", "clean_text": flag(), "handle_chinese_chars": flag(),
                 "strip_accents": rng.choice([None, True, False]), "lowercase": flag()},
        lambda: {"type": "Sequence", "normalizers": [normalizer(rng, bytes_too) for _ in range(rng.randint(0, 2))]},
    ])()


def metaspace(rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.2:
        return {"type": "Metaspace", "replacement": "▁", "add_prefix_space": rng.random() < 0.5}
    return {"type": "Metaspace", "replacement": rng.choice(["▁", "▁", "_"]),
            "prepend_scheme": rng.choice(["always", "first", "never"]), "split": rng.random() < 0.6}


def pre_tokenizer(rng: random.Random, bytes_too: bool = False) -> dict[str, Any]:
    flag = lambda: rng.random() < 0.5  # noqa: E731
    return rng.choice([
        lambda: {"type": rng.choice(["Whitespace", "WhitespaceSplit", "BertPreTokenizer", "UnicodeScripts"])},
        lambda: {"type": "Digits", "individual_digits": flag()},
        lambda: {"type": "Punctuation", "behavior": rng.choice(BEHAVIORS)},
        lambda: metaspace(rng),
        lambda: {"type": "Split", "pattern": pattern(rng), "behavior": rng.choice(BEHAVIORS), "invert": flag()},
        lambda: {"type": "Split", "pattern": pattern(rng), "behavior": rng.choice(BEHAVIORS), "invert": flag()},
        lambda: {"type": "CharDelimiterSplit", "delimiter": rng.choice(["a", " ", "é", "京"])},
        lambda: {"type": "FixedLength", "length": rng.randint(1, 4)},
        lambda: {"type": "Sequence", "pretokenizers": [pre_tokenizer(rng) for _ in range(rng.randint(0, 3))]},
    ])()


def byte_level(rng: random.Random) -> dict[str, Any]:
    return {"type": "ByteLevel", "add_prefix_space": rng.random() < 0.4, "trim_offsets": rng.random() < 0.5,
            "use_regex": rng.random() < 0.6}


def decoder(rng: random.Random) -> dict[str, Any]:
    flag = lambda: rng.random() < 0.5  # noqa: E731
    return rng.choice([
        lambda: {"type": "WordPiece", "prefix": "##", "cleanup": flag()},
        lambda: {**metaspace(rng), "replacement": "▁"},
        lambda: {"type": "BPEDecoder", "suffix": rng.choice(["</w>", "b"])},
        lambda: {"type": "ByteFallback"},
        lambda: {"type": "Fuse"},
        lambda: {"type": "Replace", "pattern": pattern(rng), "content": rng.choice(["", " ", "b", "xy"])},
        lambda: {"type": "CTC", "pad_token": rng.choice(["a", "<pad>"]), "word_delimiter_token": "b",
                 "cleanup": flag()},
        lambda: {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": rng.randint(0, 1), "stop": 0}][: rng.randint(1, 4)]},
    ])()


def added(rng: random.Random, index: int, bytes_too: bool) -> dict[str, Any]:
    """With a byte-level decoder no token of byte-map characters: the library decodes those as bytes, by a fault."""
    special = rng.random() < 0.5
    content = rng.choice(["<s>", "<d>", "YES", "ab", " a", "京a", "▁▁", "a b", "\n", "<s>a", "yes",
                          *(["京"] if bytes_too else ["é", "Éa", piece(rng)])])
    flag = lambda: rng.random() < 0.3  # noqa: E731
    return {"id": index, "content": content, "single_word": flag(), "lstrip": flag(), "rstrip": flag(),
            "normalized": flag(), "special": special}


def vocabulary(rng: random.Random, bytes_too: bool, joined: bool = True) -> list[str]:
    if bytes_too:
        tokens = [c for c in BYTE_MAP if rng.random() < 0.97]
    else:
        single = sorted({c for piece_ in CHARACTERS for c in piece_})
        tokens = [c for c in single if rng.random() < 0.8]
    rng.shuffle(tokens)
    return tokens


def bpe(rng: random.Random, bytes_too: bool) -> dict[str, Any]:
    fallback = not bytes_too and rng.random() < 0.4
    prefix = "##" if not bytes_too and rng.random() < 0.12 else None
    suffix = "</w>" if not bytes_too and rng.random() < 0.2 else None
    tokens = vocabulary(rng, bytes_too)
    if prefix:
        tokens += [prefix + t for t in tokens if rng.random() < 0.8]
    if suffix:
        tokens += [t + suffix for t in tokens if rng.random() < 0.8]
    if fallback:
        missing = rng.choice([None, None, 0x91, 0xCC, 0x0A])
        tokens += [f"<0x{b:02X}>" for b in range(256) if b != missing]
    likely = [t for t in tokens if set(t) <= set("abcst eEĠ▁é1.#</w>")]
    merges: list[tuple[str, str]] = []
    for _ in range(rng.randint(0, 40)):
        left, right = rng.choice(likely or tokens), rng.choice(likely or tokens)
        if prefix and not right.startswith(prefix):
            continue
        if suffix and left.endswith(suffix):
            continue
        made = left + (right[len(prefix) :] if prefix else right)
        if made not in tokens:
            tokens.append(made)
            likely.append(made)
        merges.append((left, right))
    unknown = rng.choice([None, "[UNK]", "[UNK]", "a"])
    if unknown == "[UNK]":
        tokens.insert(rng.randint(0, len(tokens)), unknown)
    if unknown == "a" and "a" not in tokens:
        tokens.append("a")
    written: list[Any] = [list(m) for m in merges]
    if rng.random() < 0.3 and not any(" " in p for m in merges for p in m):
        written = [" ".join(m) for m in merges]
    return {"type": "BPE", "dropout": None, "unk_token": unknown, "continuing_subword_prefix": prefix,
            "end_of_word_suffix": suffix, "fuse_unk": rng.random() < 0.5, "byte_fallback": fallback,
            "ignore_merges": rng.random() < 0.3, "vocab": {t: i for i, t in enumerate(dict.fromkeys(tokens))},
            "merges": written}


def model(rng: random.Random, kind: str) -> dict[str, Any]:
    if kind == "BPE":
        return bpe(rng, False)
    if kind == "ByteLevelBPE":
        return bpe(rng, True)
    tokens = vocabulary(rng, False) + [piece(rng, 4) for _ in range(40)]
    tokens += ["".join(rng.choice("abc▁") for _ in range(rng.randint(2, 4))) for _ in range(30)]
    tokens = list(dict.fromkeys(tokens))
    if kind == "Unigram":
        fallback = rng.random() < 0.5
        missing = rng.choice([None, None, 0x91])
        if fallback:
            tokens += [f"<0x{b:02X}>" for b in range(256) if b != missing]
        scores = [-rng.choice([1.0, 2.0, 2.5, rng.random() * 10]) for _ in tokens]
        unknown = rng.randrange(len(tokens)) if rng.random() < 0.1 else 0
        return {"type": "Unigram", "unk_id": rng.choice([unknown] * 9 + [None]), "byte_fallback": fallback,
                "vocab": [["<unk>", 0.0], *([t, s] for t, s in zip(tokens, scores, strict=True))]}
    unknown_tokens = ["[UNK]"] if rng.random() < 0.9 else []
    if kind == "WordPiece":
        tokens += ["##" + t for t in tokens if rng.random() < 0.8]
        vocab = {t: i for i, t in enumerate(dict.fromkeys(unknown_tokens + tokens))}
        return {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "max_input_chars_per_word": rng.choice([3, 5, 100]), "vocab": vocab}
    vocab = {t: i for i, t in enumerate(dict.fromkeys(unknown_tokens + tokens))}
    return {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}


def random_tokenizer(rng: random.Random, kind: str) -> dict[str, Any]:
    """The JSON value of a tokenizer.json."""
    made = model(rng, kind)
    size = len(made["vocab"])
    stages: list[dict[str, Any]] = [pre_tokenizer(rng) for _ in range(rng.choice([0, 1, 1, 2]))]
    decode: dict[str, Any] | None = decoder(rng) if rng.random() < 0.8 else None
    if kind == "ByteLevelBPE":
        stages.append(byte_level(rng))
        decode = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
        if rng.random() < 0.1:
            stages.append(pre_tokenizer(rng))
    elif kind in ("BPE", "Unigram") and rng.random() < 0.4:
        stages.append(metaspace(rng))
    pre: dict[str, Any] | None = stages[0] if len(stages) == 1 else {"type": "Sequence", "pretokenizers": stages}
    tokens = [added(rng, size + i, kind == "ByteLevelBPE") for i in range(rng.choice([0, 0, 1, 2, 4]))]
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": tokens,
            "normalizer": normalizer(rng, kind == "ByteLevelBPE") if rng.random() < 0.5 else None,
            "pre_tokenizer": pre if stages else None, "post_processor": None, "decoder": decode, "model": made}


def random_text(rng: random.Random, value: dict[str, Any]) -> str:
    contents = [t["content"] for t in value["added_tokens"]]
    pool = [rng.choice(CHARACTERS) for _ in range(12)] + ["a", "b", " "]
    parts = []
    for _ in range(rng.randint(0, 24)):
        parts.append(rng.choice(contents) if contents and rng.random() < 0.12 else rng.choice(pool))
    return "".join(parts)
