"""GGUF vocabularies: every golden row of llama.cpp, its own .inp/.out pairs, and the public fault cases."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_tokenizer

NAMES = ("bert-bge", "deepseek-coder", "deepseek-llm", "falcon", "gpt-2", "gpt-neox", "llama-bpe", "llama-spm", "mpt",
         "phi-3", "qwen2", "starcoder")
SHIPPED = tuple(n for n in NAMES if n != "gpt-neox")


@lru_cache(maxsize=2)  # the tests of one vocabulary follow one another
def opened(path: Path) -> Tokenizer:
    return open_tokenizer(path)


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str, golden: Callable[[str], list[dict[str, Any]]], real_file: Callable[[str], Path]) -> None:
    tokenizer = opened(real_file(f"ggml-vocab-{name}.gguf"))
    rows = golden(f"gg_{name}")
    wrong = []
    for row in rows:
        found = tokenizer.encode(row["text"])
        if found.ids.tolist() != row["ids"]:
            wrong.append(row["i"])
        assert bool((found.starts <= found.ends).all()) and found.ends.max(initial=0) <= len(found.data)
        assert found.exact or found.lost
    print(f"gg_{name}: {len(rows) - len(wrong)}/{len(rows)}")
    assert not wrong


@pytest.mark.parametrize("name", SHIPPED)
def test_llama_cpp_s_own_pairs(name: str, real_file: Callable[[str], Path]) -> None:
    path = real_file(f"ggml-vocab-{name}.gguf")
    texts = path.with_name(path.name + ".inp").read_bytes().split(b"\n__ggml_vocab_test__\n")
    lines = path.with_name(path.name + ".out").read_text("utf-8").split("\n")
    tokenizer = opened(path)
    wrong = [i for i, (text, line) in enumerate(zip(texts, lines, strict=False))
             if tokenizer.encode(text).ids.tolist() != [int(x) for x in line.split()]]
    print(f"gg_{name}.shipped: {len(texts) - len(wrong)}/{len(texts)}")
    assert not wrong


def test_case_llama(real_file: Callable[[str], Path]) -> None:
    """real-llama2-llama"""
    found = open_tokenizer(real_file("ggml-vocab-llama-spm.gguf")).encode("This is 🦙.cpp")
    assert found.ids.tolist() == [910, 338, 29871, 243, 162, 169, 156, 29889, 8223]
    assert [(t.start, t.end) for t in found.tokens] == [
        (0, 4), (4, 7), (7, 8), (8, 9), (9, 10), (10, 11), (11, 12), (12, 13), (13, 16)]


def test_case_truncated(shared: Path) -> None:
    for size in (0, 3, 4, 8, 20, 24, 40):
        with pytest.raises(InputError, match=r"empty|ends inside|cannot fit|UTF|plain|known"):
            open_tokenizer(shared / "cases" / "files" / f"trunc_{size}.gguf")


def test_case_magic(shared: Path) -> None:
    with pytest.raises(InputError, match="legacy GGJT v3 file, not GGUF"):
        open_tokenizer(shared / "cases" / "files" / "magic_ggjt.bin")
    with pytest.raises(InputError, match="lower case"):
        open_tokenizer(shared / "cases" / "files" / "magic_gguf_lower.gguf")


def test_case_nested_arrays(shared: Path) -> None:
    for name in ("nested_array.gguf", "nested_array_deep.gguf"):
        with pytest.raises(InputError, match="array of arrays"):
            open_tokenizer(shared / "cases" / "files" / name)


def test_case_no_pre(shared: Path) -> None:
    """gguf-no-pre: a warning that ids may differ."""
    for name, said in (("tok_no_pre.gguf", "does not say how to split"), ("tok_pre_unknown.gguf", "made-up-pre")):
        warnings = open_tokenizer(shared / "cases" / "files" / name).warnings
        assert any(said in w and "may differ" in w for w in warnings)


def test_case_merge_out_of_vocabulary(shared: Path) -> None:
    """load-merges-oov: the merge and the token are named."""
    with pytest.raises(InputError, match=r"'x' is not in the vocabulary.*merge 1"):
        open_tokenizer(shared / "cases" / "files" / "tok_merge_oov.gguf")


def test_case_merge_with_a_space(shared: Path) -> None:
    """load-merges-with-space: 'a  b' is split at the first space that is not its first character."""
    tokenizer = open_tokenizer(shared / "cases" / "files" / "tok_merge_space.gguf")
    assert "a b" in [tokenizer.vocabulary.raw_at(i) for i in range(len(tokenizer.vocabulary))]


def test_case_a_file_name_beyond_ascii(shared: Path) -> None:
    with pytest.raises(InputError, match="no vocabulary"):
        open_tokenizer(shared / "cases" / "files" / "日本語 ファイル 🦙.gguf")
