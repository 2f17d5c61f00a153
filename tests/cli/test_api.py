"""The Python interface: what is wrong is said, with the file's name, and nothing is guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokenloupe


@pytest.mark.parametrize("text", [3, None, ["a"], 1.5])
def test_what_is_no_text_is_a_type_error(text: object) -> None:
    with pytest.raises(TypeError, match="a text is str or bytes, not"):
        tokenloupe.load("gpt2").encode(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [b"hi", bytearray(b"hi"), memoryview(b"hi"), "hi"])
def test_every_form_of_a_text(text: str | bytes) -> None:
    assert tokenloupe.load("gpt2").encode(text).ids.tolist() == [5303]  # tiktoken 0.14.0, gpt2


def test_an_error_names_its_file(tmp_path: Path) -> None:
    with pytest.raises(tokenloupe.InputError, match=r"cannot be read \(.+\), nowhere\.json; check the path"):
        tokenloupe.load(tmp_path / "nowhere.json")
    with pytest.raises(tokenloupe.InputError, match="no tokenizer is named"):
        tokenloupe.load("")


def test_an_option_that_is_not_there_is_a_type_error() -> None:
    with pytest.raises(TypeError, match=r"load\(\) has no option 'patern'"):
        tokenloupe.load("gpt2", patern="gpt2")


def test_ids_alone_are_those_of_the_encoding() -> None:
    tokenizer = tokenloupe.load("gpt2")
    ids = tokenizer.encode_ids("hi<|endoftext|>", special="parse")
    assert ids.tolist() == [5303, 50256] == tokenizer.encode("hi<|endoftext|>", special="parse").ids.tolist()
    with pytest.raises(tokenloupe.InputError, match="has no special token 'x'"):
        tokenizer.encode_ids("hi", special=["x"])
