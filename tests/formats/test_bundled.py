"""The bundled vocabularies: what tiktoken publishes, and equal to it on random texts of every kind."""

from __future__ import annotations

import hashlib
import lzma
import random
from pathlib import Path

import pytest

from tokenloupe import load, resources
from tokenloupe.core.errors import InputError
from tokenloupe.formats.bundled import BUNDLED, bundled_bytes, load_bundled

from .random_texts import random_bytes, random_text, reference

#: tiktoken's explicit_n_vocab, and the ids of "hello world" that its own tests and README give.
SIZES = {"gpt2": 50257, "r50k_base": 50257, "p50k_base": 50281, "cl100k_base": 100277, "o200k_base": 200019}
HELLO = {"gpt2": [31373, 995], "r50k_base": [31373, 995], "p50k_base": [31373, 995], "cl100k_base": [15339, 1917],
         "o200k_base": [24912, 2375]}


@pytest.mark.parametrize("name", BUNDLED)
def test_is_the_published_file(name: str) -> None:
    tokenizer = load(name)
    assert hashlib.sha256(bundled_bytes(name)).hexdigest() == BUNDLED[name].sha256 == tokenizer.sha256
    assert tokenizer.vocabulary.size == SIZES[name] == BUNDLED[name].size
    assert tokenizer.encode("hello world").ids.tolist() == HELLO[name]
    assert tokenizer.warnings == ()
    assert load(name) is tokenizer


def test_gpt2_has_one_special_token_and_cl100k_five() -> None:
    assert load("gpt2").special_tokens == {"<|endoftext|>": 50256}
    assert load("cl100k_base").special_tokens == {
        "<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276}


def test_a_damaged_copy_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = resources.path("vocabularies", "r50k_base.tiktoken.xz").read_bytes()
    monkeypatch.setattr("tokenloupe.formats.bundled.path", lambda *parts: tmp_path / parts[-1])
    damaged = tmp_path / "r50k_base.tiktoken.xz"
    damaged.write_bytes(good[:5000])
    with pytest.raises(InputError, match="cannot be unpacked"):
        bundled_bytes("r50k_base")
    damaged.write_bytes(lzma.compress(lzma.decompress(good).replace(b"IQ== 0\n", b"IQ== 1\n", 1)))
    with pytest.raises(InputError, match="its SHA-256 differs"):
        bundled_bytes("r50k_base")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="o200k_base, cl100k_base"):
        load_bundled("o400k")


@pytest.mark.parametrize("name", BUNDLED)
def test_random_texts_equal_tiktoken(name: str) -> None:
    rnd = random.Random(name)
    tokenizer, theirs = load(name), reference(load_bundled(name))
    for _ in range(150):
        text = random_text(rnd)
        made = tokenizer.encode(text)
        assert made.ids.tolist() == theirs.encode_ordinary(text), repr(text)
        assert made.exact and tokenizer.decode(made.ids) == text.encode()
        parsed = tokenizer.encode(text, special="parse")
        assert parsed.ids.tolist() == theirs.encode(text, allowed_special="all"), repr(text)
    for _ in range(80):
        data = random_bytes(rnd)
        assert tokenizer.encode(data).ids.tolist() == theirs._encode_bytes(data), data


def test_a_long_text_equals_tiktoken() -> None:
    """Long enough for the array ways, the memo and blocks of a megabyte."""
    rnd = random.Random(7)
    tokenizer, theirs = load("o200k_base"), reference(load_bundled("o200k_base"))
    words = [random_text(rnd, 8) for _ in range(2000)]
    text = "".join(rnd.choices(words, k=25_000))
    made = tokenizer.encode(text)
    assert made.ids.tolist() == theirs.encode_ordinary(text)
    assert made.starts[0] == 0 and (made.starts[1:] == made.ends[:-1]).all() and made.ends[-1] == len(text.encode())
    assert made.exact and tokenizer.decode(made.ids) == made.data
