"""Bundled vocabularies and rank files against tiktoken: golden rows, public cases, 20,000 random texts a vocabulary."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest

from tokenloupe import load
from tokenloupe.core.errors import InputError
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_tokenizer
from tokenloupe.formats.bundled import BUNDLED, load_bundled

from ..formats.random_texts import random_bytes, random_text, reference
from .conftest import json_lines

TEXTS = 20_000
FETCHED = {"tt_qwen": "qwen.tiktoken", "tt_whisper_multilingual": "whisper-multilingual.tiktoken"}


def rows_of(shared: Path, name: str) -> list[tuple[str | bytes, list[int]]]:
    """(input, ids) of the golden rows whose input there is."""
    source = "bytes" if name.endswith(".bytes") else "texts"
    inputs = {r["i"]: bytes.fromhex(str(r["hex"])) if "hex" in r else r["text"]
              for r in json_lines(shared / "golden" / f"{source}.jsonl")}
    rows = list(json_lines(shared / "golden" / f"{name}.jsonl"))
    return [(inputs[r["i"]], r["ids"]) for r in rows if r["i"] in inputs]  # type: ignore[misc]


def check(tokenizer: Tokenizer, shared: Path, name: str) -> None:
    for kind in ("", ".bytes", ".special"):
        if not (shared / "golden" / f"{name}{kind}.jsonl").exists():
            continue
        for data, ids in rows_of(shared, name + kind):
            made = tokenizer.encode(data, special="parse" if kind == ".special" else "text")
            assert made.ids.tolist() == ids, (name + kind, data)
            assert made.exact and tokenizer.decode(ids) == made.data


@pytest.mark.parametrize("name", ["r50k_base", "p50k_base", "cl100k_base", "o200k_base"])
def test_golden_rows_of_bundled(name: str, shared: Path) -> None:
    check(load(name), shared, f"tt_{name}")


@pytest.mark.parametrize("name", FETCHED)
def test_golden_rows_of_files(name: str, shared: Path, real_file: Callable[[str], Path]) -> None:
    check(open_tokenizer(real_file(FETCHED[name])), shared, name)


def test_gpt2_as_two_files_has_the_ids_of_its_rank_file(shared: Path, real_file: Callable[[str], Path]) -> None:
    check(open_tokenizer(real_file("encoder.json")), shared, "tt_r50k_base")
    tokenizer = open_tokenizer(real_file("vocab.bpe"))
    derived, listed = load("r50k_base").merge_table, tokenizer.merge_table  # type: ignore[attr-defined]
    assert derived.derived and not listed.derived
    assert (derived.left == listed.left).all() and (derived.right == listed.right).all()
    assert (derived.result == listed.result).all()


@pytest.mark.parametrize("name", [n for n in BUNDLED if n != "gpt2"])
def test_random_texts(name: str) -> None:
    """A fifth of them is no UTF-8, a hundredth long enough for the ways that work on arrays."""
    rnd = random.Random(f"conformance {name}")
    tokenizer = load_bundled(name)
    theirs = reference(tokenizer)
    for number in range(TEXTS):
        if number % 5 == 0:
            data = random_bytes(rnd)
            got, wanted = tokenizer.encode(data).ids.tolist(), theirs._encode_bytes(data)
            assert got == wanted, data
            continue
        text = random_text(rnd, 7 if number % 200 else 400)
        special = number % 3 == 0
        got = tokenizer.encode(text, special="parse" if special else "text").ids.tolist()
        wanted = theirs.encode(text, allowed_special="all") if special else theirs.encode_ordinary(text)
        assert got == wanted, repr(text)


# -- public cases ----------------------------------------------------------------------------------------------------


def test_case_rank_files(shared: Path) -> None:
    files = shared / "cases" / "files"
    for name in ("tk_blank", "tk_crlf"):
        assert len(open_tokenizer(files / f"{name}.tiktoken").vocabulary) == 257
    assert len(open_tokenizer(files / "tk_space_line.tiktoken").vocabulary) == 2
    with pytest.raises(InputError, match=r"3 fields, tk_three_fields.tiktoken, line 1"):
        open_tokenizer(files / "tk_three_fields.tiktoken")
    tokenizer = open_tokenizer(files / "tk_unreachable.tiktoken", pattern=".+")
    assert tokenizer.encode(".:.:").ids.tolist() == [258]
    assert [t.bytes for t in tokenizer.encode(".:.:.").tokens] == [b".", b":.", b":."]
    # Known by content: cut off in the middle of line 52, and refused as a rank file.
    with pytest.raises(InputError, match=r"the rank is missing, spm_is_tiktoken.model, line 52"):
        open_tokenizer(files / "spm_is_tiktoken.model")


def test_case_stale_cache(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(b"YQ== 0\n")
    assert open_tokenizer(path).vocabulary.bytes_of(0) == b"a"
    path.write_bytes(b"Yg== 0\n")
    assert open_tokenizer(path).vocabulary.bytes_of(0) == b"b"


def test_case_merges_files(shared: Path, tmp_path: Path) -> None:
    files = shared / "cases" / "files"

    def opened(merges: str, vocabulary: bytes) -> Tokenizer:
        copy(files / merges, tmp_path / "merges.txt")
        (tmp_path / "vocab.json").write_bytes(vocabulary)
        return open_tokenizer(tmp_path / "merges.txt")

    small = b'{"a": 0, "b": 1, "ab": 2}'
    for odd in ("blank", "crlf", "bom"):
        assert opened(f"gpt2_merges_{odd}.txt", small).encode("ab").ids.tolist() == [2]
    with pytest.raises(InputError, match=r"here are 3, merges.txt, line 2"):
        opened("gpt2_merges_three.txt", small)
    with pytest.raises(InputError, match=r"needs the token 'x', which is not in the vocabulary, merges.txt, line 2"):
        opened("gpt2_merges_oov.txt", small)
    lines = '{"a": 0, "b": 1, "ab": 2, "\u2028": 3, "\u2028a": 4, "\x85": 5, "a\x85": 6}'
    assert len(opened("sp_merges_u2028.txt", lines.encode()).merge_table) == 3  # type: ignore[attr-defined]


def test_case_vocabulary_encodings(shared: Path, tmp_path: Path) -> None:
    (tmp_path / "merges.txt").write_bytes(b"#version: 0.2\n")
    for name in ("gpt2_vocab_bom.json", "gpt2_vocab_utf16.json"):
        copy(shared / "cases" / "files" / name, tmp_path / "vocab.json")
        if "bom" in name:
            assert any("byte order mark" in w for w in open_tokenizer(tmp_path).warnings)
        else:
            with pytest.raises(InputError, match="UTF-16"):
                open_tokenizer(tmp_path)
