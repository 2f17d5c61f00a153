"""Cache: rank files, SentencePiece models, tekken.json, claude.json and RWKV's lists come back and give the ids of
their libraries."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
import sentencepiece
import tiktoken

import sp_build
from tokenloupe.formats import open_tokenizer
from tokenloupe.formats.bundled import load_bundled

from .cache_kit import TEXTS, rank_file, same, stored

pytestmark = pytest.mark.usefixtures("all_sizes_kept")


def test_a_rank_file_comes_back_and_gives_tiktokens_ids(tmp_path: Path) -> None:
    path = tmp_path / "my.tiktoken"
    path.write_bytes(rank_file())
    first, second = open_tokenizer(path, pattern="cl100k_base"), open_tokenizer(path, pattern="cl100k_base")
    assert len(stored()) == 1
    same(first, second)
    ranks = {base64.b64decode(x.split()[0]): int(x.split()[1]) for x in rank_file().splitlines()}
    theirs = tiktoken.Encoding("x", pat_str=second.splitter.pattern,  # type: ignore[attr-defined]
                               mergeable_ranks=ranks, special_tokens={})
    for text in TEXTS:
        assert second.encode(text).ids.tolist() == theirs.encode_ordinary(text)


def test_options_and_the_name_are_part_of_the_key(tmp_path: Path) -> None:
    for name in ("one.tiktoken", "two.tiktoken"):
        (tmp_path / name).write_bytes(rank_file())
    a = open_tokenizer(tmp_path / "one.tiktoken", pattern="gpt2")
    b = open_tokenizer(tmp_path / "one.tiktoken", pattern=r"\S+|\s+")
    c = open_tokenizer(tmp_path / "two.tiktoken", pattern="gpt2")
    assert a.splitter.pattern != b.splitter.pattern  # type: ignore[attr-defined]
    assert (a.name, c.name) == ("one", "two") and len(stored()) == 3


def test_a_bundled_vocabulary_comes_back() -> None:
    load_bundled.cache_clear()
    first = load_bundled("gpt2")
    load_bundled.cache_clear()
    assert len(stored()) == 1
    second = load_bundled("gpt2")
    load_bundled.cache_clear()
    same(first, second)
    assert second.encode("hello world").ids.tolist() == [31373, 995]  # openai/gpt-2's own


@pytest.mark.parametrize("model", ["unigram", "bpe", "word", "char"])
def test_a_sentencepiece_model_comes_back_and_gives_the_librarys_ids(model: str, tmp_path: Path) -> None:
    pieces = [*sp_build.BASE, *((f"<0x{b:02X}>", 0.0, sp_build.BYTE) for b in range(256)),
              *((t, -float(i), sp_build.NORMAL) for i, t in enumerate(["▁", "a", "b", "ab", "▁ab", "abab", "c", "é"])),
              ("<x>", 0.0, sp_build.USER), ("cab", -20.0, sp_build.UNUSED)]
    path = tmp_path / "my.model"
    path.write_bytes(sp_build.build(pieces, model=model, byte_fallback=True))
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert len(stored()) == 1
    same(first, second)
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(path))
    for text in TEXTS:
        assert second.encode(text).ids.tolist() == theirs.encode(text)


def tekken_file() -> bytes:
    vocab = [{"rank": r, "token_bytes": line.split()[0].decode()} for r, line in enumerate(rank_file().splitlines())]
    special = [{"rank": i, "token_str": t} for i, t in enumerate(["<unk>", "<s>", "</s>", "<x>"])]
    return orjson.dumps({"config": {"pattern": r"\S+|\s+", "default_vocab_size": len(vocab) + 4,
                                    "default_num_special_tokens": 4}, "vocab": vocab, "special_tokens": special})


def claude_file() -> bytes:
    ranks = " ".join(line.split()[0].decode() for line in rank_file().splitlines())
    return orjson.dumps({"pat_str": r"\S+|\s+", "special_tokens": {"<x>": 0}, "bpe_ranks": f"! 1 {ranks}"})


@pytest.mark.parametrize(("name", "made"), [("tekken.json", tekken_file), ("claude.json", claude_file)])
def test_ranks_in_json_come_back_and_give_tiktokens_ids(name: str, made: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(made())
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert len(stored()) == 1
    same(first, second)
    assert first.encode("ab", bos_eos=True).ids.tolist() == second.encode("ab", bos_eos=True).ids.tolist()
    base = 4 if name == "tekken.json" else 1
    ranks = {base64.b64decode(x.split()[0]): int(x.split()[1]) for x in rank_file().splitlines()}
    theirs = tiktoken.Encoding("x", pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens={})
    for text in TEXTS:
        assert second.encode(text).ids.tolist() == [i + base for i in theirs.encode_ordinary(text)]


def test_a_word_list_of_rwkv_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "rwkv.txt"
    path.write_bytes(b"1 'a' 1\n2 'b' 1\n4 'ab' 2\n9 b'ab\\xff' 3\n")
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert len(stored()) == 1
    same(first, second)
    assert second.encode(b"abab\xffa").ids.tolist() == [4, 9, 1]
