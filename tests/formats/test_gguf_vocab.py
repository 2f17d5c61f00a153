"""GGUF vocabularies written by hand: each model's rules, with values worked out from llama.cpp's own."""

from __future__ import annotations

import pytest

from gguf_vocab_build import Value, build
from tokenloupe.core.bytemap import CHARACTERS
from tokenloupe.core.errors import InputError
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_bytes

NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
BYTES = [f"<0x{b:02X}>" for b in range(256)]


def opened(model: str, tokens: list[str], **keys: Value) -> Tokenizer:
    entries: list[tuple[str, Value]] = [("tokenizer.ggml.model", model), ("tokenizer.ggml.tokens", tokens)]
    return open_bytes(build(entries + [(f"tokenizer.ggml.{k}", v) for k, v in keys.items()]), "x.gguf")


def spm(**keys: Value) -> Tokenizer:
    tokens = ["<unk>", "<s>", "</s>", *BYTES, "▁", "h", "i", "hi", "▁hi", "<doc>"]
    types = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * 5, USER]
    scores = [0.0] * 259 + [-1.0, -2.0, -3.0, -4.0, -5.0, 0.0]
    return opened("llama", tokens, token_type=types, scores=scores, **keys)


def words(tokenizer: Tokenizer, text: str | bytes, **options: object) -> list[str]:
    return [tokenizer.vocabulary.raw_at(t.id) for t in tokenizer.encode(text, **options).tokens]  # type: ignore[arg-type]


def test_llama() -> None:
    tokenizer = spm()
    assert words(tokenizer, "hi") == ["▁hi"]
    assert words(tokenizer, "hi<doc>hi") == ["▁hi", "<doc>", "▁hi"]  # a special token before it: the prefix again
    assert words(tokenizer, "é") == ["▁", "<0xC3>", "<0xA9>"]
    assert words(tokenizer, "hi", bos_eos=True) == ["<s>", "▁hi"]
    assert words(tokenizer, "<s>hi") != words(tokenizer, "<s>hi", special="parse") == ["<s>", "▁hi"]
    assert words(spm(add_space_prefix=False, add_eos_token=True), "hi", bos_eos=True) == ["<s>", "hi", "</s>"]
    found = tokenizer.encode("hi hi")
    assert [(t.bytes, t.start, t.end) for t in found.tokens] == [(b" hi", 0, 2), (b" hi", 2, 5)] and found.exact


def test_llama_and_bytes_that_are_no_utf8() -> None:
    found = spm().encode(b"\xe2hi")
    assert [t.bytes for t in found.tokens] == [b" ", b"\xe2", b"h", b"i"]  # the first byte takes three with it
    assert [(t.start, t.end) for t in found.tokens] == [(0, 0), (0, 1), (1, 2), (2, 3)] and found.exact


def gpt2(merges: list[str], extra: list[str] | None = None, types: list[int] | None = None, **keys: Value) -> Tokenizer:
    tokens = [*CHARACTERS, *(m.replace(" ", "") for m in merges), *(extra or [])]
    if types:
        keys["token_type"] = [NORMAL] * (len(tokens) - len(types)) + types
    return opened("gpt2", tokens, merges=merges, **keys)


def test_gpt2() -> None:
    tokenizer = gpt2(["h i", "Ġ hi"], ["<|endoftext|>"], [CONTROL], pre="gpt-2", add_bos_token=True, bos_token_id=258)
    assert words(tokenizer, "hi hi") == ["hi", "Ġhi"] and tokenizer.warnings == ()
    assert words(tokenizer, "hi", bos_eos=True) == ["<|endoftext|>", "hi"]
    assert words(tokenizer, "a<|endoftext|>", special="parse") == ["a", "<|endoftext|>"]
    assert tokenizer.vocabulary.bytes_of(257) == b" hi" and tokenizer.special_tokens == {"<|endoftext|>": 258}
    broken = tokenizer.encode(b"hi\xff")
    assert [(t.bytes, t.start, t.end) for t in broken.tokens] == [
        (b"hi", 0, 2), (b"\xef", 2, 3), (b"\xbf", 2, 3), (b"\xbd", 2, 3)]
    assert broken.lost[0].stage == "invalid UTF-8"


def test_pre_names() -> None:
    assert any("does not say" in w for w in gpt2(["h i"]).warnings)
    assert any("'nope'" in w for w in gpt2(["h i"], pre="nope").warnings)
    assert words(gpt2(["1 2", "12 3"], pre="llama-bpe"), "1234") == ["123", "4"]
    assert words(gpt2(["1 2", "12 3"], pre="qwen2"), "1234") == ["1", "2", "3", "4"]


def test_control_tokens_by_their_text() -> None:
    """`<|im_end|>` is a control token whatever type the file gives it; gpt-oss's `<|start|>` is always matched."""
    tokenizer = gpt2(["h i"], ["<|im_end|>", "<|start|>"], [NORMAL, CONTROL], pre="gpt-2")
    assert tokenizer.special_tokens == {"<|im_end|>": 257} and tokenizer.added_tokens == {"<|start|>": 258}
    assert tokenizer.encode("<|start|>").ids.tolist() == [258]
    assert 257 not in tokenizer.encode("<|im_end|>").ids.tolist()


def test_merges_that_do_not_fit_are_named() -> None:
    with pytest.raises(InputError, match=r"'hix' is not in the vocabulary.*merge 1"):
        opened("gpt2", [*CHARACTERS, "hi"], merges=["h i", "hi x"], pre="gpt-2")
    with pytest.raises(InputError, match="no merges"):
        opened("gpt2", list(CHARACTERS), pre="gpt-2")


def test_bert() -> None:
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁hello", "▁he", "llo", "▁!", "s", "▁cafe"]
    tokenizer = opened("bert", tokens, token_type=[3, 3, 3, 3, *[1] * 6], unknown_token_id=1, bos_token_id=2,
                       seperator_token_id=3)
    assert words(tokenizer, "Hello hellos! x") == ["▁hello", "▁hello", "s", "▁!", "[UNK]"]
    assert words(tokenizer, "hello", bos_eos=True) == ["[CLS]", "▁hello", "[SEP]"]
    found = tokenizer.encode("  Café!")
    assert [(t.start, t.end) for t in found.tokens] == [(2, 7), (7, 8)]
    assert "lower-casing and accents" in {x.stage for x in found.lost}
    assert tokenizer.decode([4, 7]) == b" hello!"


def test_t5() -> None:
    tokens = ["<pad>", "</s>", "<unk>", "▁", "a", "▁a", "b", "<x>"]
    types = [CONTROL, CONTROL, UNKNOWN, NORMAL, NORMAL, NORMAL, UNUSED, USER]
    tokenizer = opened("t5", tokens, token_type=types, scores=[0.0, 0.0, 0.0, -2.0, -2.0, -3.0, -1.0, 0.0],
                       add_space_prefix=True, remove_extra_whitespaces=True)
    assert words(tokenizer, "a  a") == ["▁a", "▁a"]
    assert words(tokenizer, "ab", bos_eos=True) == ["▁a", "b", "</s>"]  # unused pieces count here
    assert words(tokenizer, "zz<x>a") == ["▁", "<unk>", "<x>", "▁a"]
    found = tokenizer.encode(" a  a ")
    assert [(t.start, t.end) for t in found.tokens] == [(0, 2), (3, 5)]
    assert [(x.start, x.end) for x in found.lost] == [(2, 3), (5, 6)]


def test_gemma4() -> None:
    tokens = ["<pad>", "<eos>", "<bos>", "<unk>", *BYTES, "▁", "a", "b", "ab", "▁ab", "\n", "\n\n"]
    tokenizer = opened("gemma4", tokens, merges=["a b", "▁ ab", "\n \n"], token_type=[3, 3, 3, 2, *[6] * 256, *[1] * 7],
                       bos_token_id=2, eos_token_id=1)
    assert words(tokenizer, "ab ab\n\né", bos_eos=True) == ["<bos>", "ab", "▁ab", "\n\n", "<0xC3>", "<0xA9>"]
    assert tokenizer.encode("ab ab\n\né").exact


def test_rwkv() -> None:
    tokenizer = opened("rwkv", ["<s>", "a", "ab", "\\n", "\\xe4", "\\\\"])
    assert tokenizer.encode(b"aab\n\xe4\\").ids.tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("model", ["plamo2", "no_vocab", "something"])
def test_models_that_are_not_supported_are_named(model: str) -> None:
    with pytest.raises(InputError, match=model):
        opened(model, ["a"])


def test_arrays_of_wrong_lengths_are_named() -> None:
    with pytest.raises(InputError, match="1 token types for 2 tokens"):
        opened("llama", ["a", "b"], token_type=[1])
    with pytest.raises(InputError, match="1 scores for 2 tokens"):
        opened("llama", ["a", "b"], scores=[1.0])
    with pytest.raises(InputError, match="no vocabulary"):
        open_bytes(build([("general.architecture", "llama")]), "x.gguf")
