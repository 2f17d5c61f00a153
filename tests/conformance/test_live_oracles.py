"""Live oracles: per format at least 2,000 pairs of a tokenizer and a text, both made at random, given to the reference
and to us. tokenizer.json is in test_hf_oracle.py; the bundled rank files in test_tiktoken_conformance.py.

Where a format's program is no library (RWKV's trie, CLIP's script, the Go program), the reference is a slow one written
from its description, which shares nothing with the code it judges. TOKENLOUPE_LONG=1 takes ten times as many pairs.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import random
import unicodedata
from collections.abc import Callable, Iterable
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest
import regex
import sentencepiece
import tiktoken
import tokenizers
from subword_nmt.apply_bpe import BPE
from tokenizers import models, pre_tokenizers

import llamacpp_live
import sp_build
from gguf_random import MODELS
from tokenloupe.core.bytemap import CHARACTERS, to_text
from tokenloupe.core.patterns import PATTERNS
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import gob, open_bytes, open_tokenizer
from tokenloupe.formats.gob_codec import write_merge_rules

from ..formats.random_texts import random_text
from ..formats.test_clip import slow as slow_clip
from ..formats.test_rwkv import slow as slow_rwkv
from ..formats.test_subword_nmt import random_codes

FACTOR = 10 if os.environ.get("TOKENLOUPE_LONG") else 1
Note = Callable[[str, str, int], None]
PARTS = ["a", "b", "ab", "aa", "c", "é", "你", "好", " ", "  ", "\n", "\r\n", "1", "12", "'s", "!", "/", "A", "e\u0301",
         "ﬁ", "😀", "\u3000", "\u200b", "Hello", " the", "ſ", "ｶ\uff9e"]


def text_of(rng: random.Random, parts: list[str] | None = None, longest: int = 16) -> str:
    return "".join(rng.choices(parts or PARTS, k=rng.randint(0, longest)))


def random_ranks(rng: random.Random) -> dict[bytes, int]:
    """Ranks of 256 bytes in any order and of what merges of them make, ties and gaps in the making included."""
    order = [bytes((b,)) for b in range(256)]
    rng.shuffle(order)
    known = list(order)
    likely = [b"a", b"b", b" ", b"c", b"e", b"1", b"\n", b"\xe4", b"\xbd", b"\xa0", b"\xc3", b"\xa9", b"'", b"s", b"l"]
    for _ in range(rng.randint(0, 50)):
        made = rng.choice(likely) + rng.choice(likely)
        if made not in known:
            known.append(made)
            likely.append(made)
    return {token: rank for rank, token in enumerate(known)}


def rank_file(ranks: dict[bytes, int]) -> bytes:
    return b"".join(base64.b64encode(t) + b" %d\n" % r for t, r in ranks.items())


def compared(number: int, made: Iterable[tuple[Tokenizer, Callable[[str], list[int]], Callable[[], str]]]) -> int:
    """How many pairs agreed: `number` texts for each (ours, theirs, a text at random)."""
    pairs = 0
    for ours, theirs, text in made:
        for _ in range(number):
            given = text()
            assert ours.encode(given).ids.tolist() == theirs(given), (ours.format, given)
            pairs += 1
    return pairs


@pytest.mark.parametrize("kind", list(sp_build.TYPES))
def test_sentencepiece(kind: str, live_pairs: Note) -> None:
    def made() -> Iterable[tuple[Tokenizer, Callable[[str], list[int]], Callable[[], str]]]:
        for seed in range(105 * FACTOR):
            rng = random.Random(f"{kind} {seed}")
            data, _ = sp_build.random_model(rng, kind)
            theirs = sentencepiece.SentencePieceProcessor(model_proto=data)
            yield open_bytes(data), theirs.encode, lambda: sp_build.random_text(rng)  # noqa: B023

    live_pairs(f"SentencePiece {kind}", f"sentencepiece {version('sentencepiece')}", compared(20, made()))


@pytest.mark.parametrize("model", MODELS)
def test_gguf(model: str, live_pairs: Note) -> None:
    found = llamacpp_live.library()
    if found is None:
        pytest.skip("llama.cpp's library has not been fetched: python tests/llamacpp_live.py --fetch build/llama.cpp")
    cases = llamacpp_live.random_cases(model, "live", 180 * FACTOR)
    pairs = 0
    for (gguf, texts), row in zip(cases, llamacpp_live.answers(found, cases), strict=True):
        if row is None:  # a split rule younger than the library
            continue
        ours = open_bytes(gguf, "x.gguf")
        for (data, parse, ends), (ids, decoded) in zip(texts, row, strict=True):
            made = ours.encode(data, special="parse" if parse else "text", bos_eos=ends)
            assert made.ids.tolist() == ids, (model, data, parse, ends)
            assert decoded is None or ours.decode(ids) == decoded, (model, ids)
            assert bool((made.starts <= made.ends).all()) and made.ends.max(initial=0) <= len(data)
            pairs += 1
    live_pairs(f"GGUF {model}", "llama.cpp v0.4.0", pairs)


def test_rank_files(live_pairs: Note) -> None:
    """Small vocabularies; every known pattern."""

    def made() -> Iterable[tuple[Tokenizer, Callable[[str], list[int]], Callable[[], str]]]:
        for seed in range(110 * FACTOR):
            rng = random.Random(f"tiktoken {seed}")
            ranks, name = random_ranks(rng), rng.choice(sorted(PATTERNS))
            theirs = tiktoken.Encoding("x", pat_str=PATTERNS[name], mergeable_ranks=ranks, special_tokens={})
            yield (open_bytes(rank_file(ranks), "x.tiktoken", pattern=name), theirs.encode_ordinary,
                   lambda: random_text(rng, 9) if rng.random() < 0.5 else text_of(rng))  # noqa: B023

    live_pairs(".tiktoken", f"tiktoken {version('tiktoken')}", compared(20, made()))


def test_tekken_and_claude(live_pairs: Note) -> None:
    pattern = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    pairs = {"tekken": 0, "claude": 0}
    for seed in range(105 * FACTOR):
        rng = random.Random(f"tekken {seed}")
        ranks = random_ranks(rng)
        specials = rng.randint(3, 9)
        entries = [{"rank": r, "token_bytes": base64.b64encode(t).decode(), "token_str": None}
                   for t, r in ranks.items()]
        tekken = open_bytes(json.dumps({"config": {
            "pattern": pattern, "num_vocab_tokens": len(ranks), "default_vocab_size": specials + len(ranks),
            "default_num_special_tokens": specials, "version": "v3"}, "vocab": entries,
            "special_tokens": [{"rank": i, "token_str": f"<s{i}>"} for i in range(specials)]}).encode(), "tekken.json")
        first = rng.randint(1, 9)
        listed = " ".join(base64.b64encode(t).decode() for t in ranks)
        document = {"explicit_n_vocab": first + len(ranks), "pat_str": pattern, "special_tokens": {},
                    "bpe_ranks": f"! {first} {listed}"}
        claude = open_bytes(json.dumps(document).encode(), "claude.json")
        theirs = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        for _ in range(20):
            text = text_of(rng)
            assert tekken.encode(text).ids.tolist() == [i + specials for i in theirs.encode_ordinary(text)], text
            normal = unicodedata.normalize("NFKC", text)
            assert claude.encode(text).ids.tolist() == [i + first for i in theirs.encode_ordinary(normal)], text
            pairs["tekken"] += 1
            pairs["claude"] += 1
    live_pairs("tekken.json", f"tiktoken {version('tiktoken')}, ids shifted as mistral-common does", pairs["tekken"])
    live_pairs("claude.json", f"tiktoken {version('tiktoken')} on NFKC text", pairs["claude"])


def test_vocabulary_and_merges(live_pairs: Note, tmp_path: Path) -> None:
    def made() -> Iterable[tuple[Tokenizer, Callable[[str], list[int]], Callable[[], str]]]:
        for seed in range(105 * FACTOR):
            rng = random.Random(f"merges {seed}")
            vocabulary = {c: i for i, c in enumerate(CHARACTERS)}
            symbols, merges = [*"abcdĠĊ1Ã©ä½ł"], []
            for _ in range(rng.randint(0, 60)):
                left, right = rng.choice(symbols), rng.choice(symbols)
                vocabulary.setdefault(left + right, len(vocabulary))
                symbols.append(left + right)
                merges.append(f"{left} {right}\n")
            (tmp_path / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")
            (tmp_path / "merges.txt").write_text("#version: 0.2\n" + "".join(merges), "utf-8")
            files = str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")
            theirs = tokenizers.Tokenizer(models.BPE.from_file(*files))
            theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            yield open_tokenizer(tmp_path), lambda x: theirs.encode(x).ids, lambda: text_of(rng)  # noqa: B023

    live_pairs("vocab.json + merges.txt", f"tokenizers {version('tokenizers')}", compared(20, made()))


def test_subword_nmt(live_pairs: Note) -> None:
    pairs = 0
    parts = ["a", "b", "c", "d", "é", "你", " ", "  ", "x", "\t", "\n", "\u3000", "ab", "\u0301"]
    for seed in range(210 * FACTOR):
        rng = random.Random(f"codes {seed}")
        codes = random_codes(rng, rng.choice(["0.1", "0.2"]))
        ours, theirs = open_bytes(codes.encode(), "codes"), BPE(io.StringIO(codes))
        for _ in range(10):
            line = text_of(rng, parts)
            assert ours.process_line(line) == theirs.process_line(line), (codes, line)  # type: ignore[attr-defined]
            pairs += 1
    live_pairs("subword-nmt codes", f"subword-nmt {version('subword-nmt')}", pairs)


def test_rwkv(live_pairs: Note) -> None:
    pairs = 0
    for seed in range(210 * FACTOR):
        rng = random.Random(f"rwkv {seed}")
        some = [rng.randbytes(1) if rng.random() < 0.2 else rng.choice(PARTS).encode() for _ in range(30)]
        joined = [b"".join(rng.choices(some, k=rng.randint(1, 3))) for _ in range(40)]
        tokens = {t: i for i, t in enumerate(dict.fromkeys(joined))}
        shown = {t: t.decode() if _is_text(t) and rng.random() < 0.7 else t for t in tokens}
        lines = "".join(f"{i} {shown[t]!r} {len(t)}\n" for t, i in tokens.items())
        ours = open_bytes(lines.encode(), "x.txt")
        for _ in range(10):
            data = b"".join(rng.choices(some, k=rng.randint(0, 12)))
            assert ours.encode(data).ids.tolist() == slow_rwkv(tokens, data), (lines, data)
            pairs += 1
    live_pairs("RWKV trie", "a slow reference", pairs)


def _is_text(token: bytes) -> bool:
    try:
        return token.decode().isprintable()
    except UnicodeDecodeError:
        return False


def test_clip(live_pairs: Note) -> None:
    """Tables of a few merges, which a file may not have: the tokenizer is made without one."""
    from tokenloupe.core.clip import END, ClipTokenizer

    pairs = 0
    parts = ["h", "i", "HI", "hello", "low", "é", " ", "\n", "\x1c", "1", "!", "'s", "İ", "你", "lo"]
    for seed in range(105 * FACTOR):
        rng = random.Random(f"clip {seed}")
        symbols, merges = [*"hielow1!", "Ã", "©" + END, "i" + END, "o" + END, "w" + END, "s" + END], []
        for _ in range(rng.randint(1, 40)):
            left, right = rng.choice([s for s in symbols if not s.endswith(END)]), rng.choice(symbols)
            if (left, right) not in merges and left + right not in symbols:
                merges.append((left, right))
                symbols.append(left + right)
        ours = ClipTokenizer("clip", "", merges)
        for _ in range(20):
            text = text_of(rng, parts, 9)
            assert ours.encode(text).ids.tolist() == slow_clip(text, merges), (merges, text)
            pairs += 1
    live_pairs("CLIP table", "a slow reference", pairs)


def slow_gob(order: list[tuple[int, int]], text: str) -> list[int]:
    """The end token first; words by Go's pattern; in each the earliest merge wherever it stands, until none is left."""
    end, out = 256 + len(order), []
    pattern = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\t\n\f\r \p{L}\p{N}]+|[\t\n\f\r ]+")
    for number, stretch in enumerate(text.split("<|endoftext|>")):
        out += [end] if number else []
        for word in pattern.findall(stretch):
            ids = list(word.encode())
            while found := [order.index(p) for p in pairwise(ids) if p in order]:
                best, i = min(found), 0
                while i < len(ids) - 1:
                    if (ids[i], ids[i + 1]) == order[best]:
                        ids[i : i + 2] = [256 + best]
                    i += 1
            out += ids
    return out


def test_merge_rules(live_pairs: Note) -> None:
    """Characters whose class Go's Unicode and regex's agree on."""
    pairs = 0
    parts = ["a", "b", "c", "ab", "é", "你", " ", "  ", "\n", "\v", "\xa0", "1", "!", "'s", "'re",
             "<|endoftext|>", "<|endof"]
    for seed in range(105 * FACTOR):
        rng = random.Random(f"gob {seed}")
        order: list[tuple[int, int]] = []
        known = [97, 98, 99, 32, 0xC3, 0xA9, 0xE4, 0xBD, 0xA0, 33]
        for _ in range(rng.randint(0, 40)):
            pair = rng.choice(known), rng.choice(known)
            if pair not in order:
                order.append(pair)
                known.append(255 + len(order))
        ours = open_bytes(write_merge_rules(order), "merge_rules.gob") if order else gob.tokenizer_of(order)
        for _ in range(20):
            text = text_of(rng, parts, 12)
            assert ours.encode(text).ids.tolist() == slow_gob(order, text), (order, text)
            pairs += 1
    live_pairs("merge_rules.gob", "a slow reference", pairs)


def test_a_clip_table_opens_gzipped_or_not(shared: Path) -> None:
    path = shared / "real" / "bpe_simple_vocab_16e6.txt.gz"
    plain = open_bytes(gzip.decompress(path.read_bytes()), "bpe.txt")
    assert plain.encode("Hello <|x").ids.tolist() == open_tokenizer(path).encode("Hello <|x").ids.tolist()
    assert to_text(b" ") == "Ġ"
