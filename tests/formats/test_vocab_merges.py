"""vocab.json + merges.txt against tokenizers and GPT-2's own rule; what is wrong is named by file and line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers

from tokenloupe import load
from tokenloupe.core.bytemap import CHARACTERS
from tokenloupe.core.errors import InputError
from tokenloupe.formats import open_bytes, open_tokenizer
from tokenloupe.formats.vocab_merges import read_merges

BYTES = {c: i for i, c in enumerate(CHARACTERS)}
VOCABULARY = {**BYTES, "ab": 256, "Ġa": 257, "abc": 258, "<|endoftext|>": 259}
MERGES = "#version: 0.2\na b\nĠ a\nab c\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "model")


def write(folder: Path, vocabulary: object = VOCABULARY, merges: str | bytes = MERGES,
          names: tuple[str, str] = ("vocab.json", "merges.txt")) -> Path:
    folder.mkdir(exist_ok=True)
    data = vocabulary if isinstance(vocabulary, bytes) else json.dumps(vocabulary, ensure_ascii=False).encode()
    (folder / names[0]).write_bytes(data)
    (folder / names[1]).write_bytes(merges if isinstance(merges, bytes) else merges.encode())
    return folder


@pytest.mark.parametrize("names", [("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"),
                                   ("gpt2-encoder.json", "gpt2-vocab.bpe"), ("my-vocab.json", "my-merges.txt")])
def test_either_file_opens_both(tmp_path: Path, names: tuple[str, str]) -> None:
    made = write(tmp_path / "model", names=names)
    for name in names:
        tokenizer = open_tokenizer(made / name)
        assert tokenizer.format == "vocab.json + merges.txt" and tokenizer.name == "model"
        assert tokenizer.encode("abc ab").ids.tolist() == [258, BYTES["Ġ"], 256]  # a b ranks before Ġ a
        assert tokenizer.special_tokens == {"<|endoftext|>": 259}
        assert tokenizer.encode("ab<|endoftext|>", special="parse").ids.tolist() == [256, 259]
    if names[0] in ("vocab.json", "encoder.json"):
        assert load(made).encode("ab").ids.tolist() == [256]


def test_two_pairs_in_one_folder_are_not_mixed(folder: Path) -> None:
    write(folder, {**BYTES, "xy": 300}, "#version: 0.2\nx y\n", ("encoder.json", "vocab.bpe"))
    for name in ("encoder.json", "vocab.bpe"):
        assert open_tokenizer(folder / name).encode("xyab").ids.tolist() == [300, BYTES["a"], BYTES["b"]]
    assert open_tokenizer(folder / "merges.txt").encode("ab").ids.tolist() == [256]


@pytest.mark.parametrize("seed", range(3))
def test_equals_tokenizers(seed: int, tmp_path: Path) -> None:
    rnd = random.Random(seed)
    vocabulary, pairs = dict(BYTES), []
    symbols = list("abcdĠĊ")
    for _ in range(120):
        left, right = rnd.choice(symbols), rnd.choice(symbols)
        if left + right not in vocabulary and len(left + right) < 12:
            vocabulary[left + right] = len(vocabulary)
            symbols.append(left + right)
            pairs.append((left, right))
    pairs.append(pairs[3])  # of a pair that is listed twice the later rank counts
    made = write(tmp_path / "m", vocabulary, "#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in pairs))
    reference = tokenizers.Tokenizer(models.BPE.from_file(str(made / "vocab.json"), str(made / "merges.txt")))
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer = open_tokenizer(made)
    for _ in range(200):
        text = "".join(rnd.choices("abcd \nabcd é", k=rnd.randint(0, 60)))
        assert tokenizer.encode(text).ids.tolist() == reference.encode(text).ids


def test_lines_end_in_newlines_only_and_one_header_counts() -> None:
    text = "#version: 0.2\n\u2028 a\na \x85\n#v ersion\n#version x\n"
    assert [(a, b) for _, a, b in read_merges(text.encode(), [])] == [
        ("\u2028", "a"), ("a", "\x85"), ("#v", "ersion"), ("#version", "x")]
    assert [(a, b) for _, a, b in read_merges(b"a b\n#version c\n", [])] == [("a", "b"), ("#version", "c")]


@pytest.mark.parametrize("merges", [
    b"#version: 0.2\r\na b\r\n\r\n", b"#version: 0.2\n\na b\n\n\n", b"\xef\xbb\xbf#version: 0.2\na b\n", b"a b"])
def test_harmless_oddities_are_accepted(folder: Path, merges: bytes) -> None:
    write(folder, merges=merges)
    tokenizer = open_tokenizer(folder)
    assert tokenizer.encode("abc").ids.tolist() == [256, BYTES["c"]]
    assert any("byte order mark" in w for w in tokenizer.warnings) == merges.startswith(b"\xef")


@pytest.mark.parametrize(("merges", "said"), [
    (b"#version: 0.2\na b c\n", "two tokens with one space between, here are 3, merges.txt, line 2"),
    (b"#version: 0.2\na b\nab\n", "here are 1, merges.txt, line 3"),
    (b"#version: 0.2\na  b\n", "two tokens with one space between, merges.txt, line 2"),
    (b"#version: 0.2\nx y\n", "needs the token 'xy', which is not in the vocabulary, merges.txt, line 2"),
    (b"#version: 0.2\na b\nqq b\n", "needs the token 'qq', which is not in the vocabulary, merges.txt, line 3"),
    (b"#version: 0.2\na \xff\n", "the file is not UTF-8, merges.txt, byte 16"),
    (b"#version: 0.2\na b\n".decode().encode("utf-16"), "UTF-16"),
])
def test_bad_merges_are_named(folder: Path, merges: bytes, said: str) -> None:
    write(folder, merges=merges)
    with pytest.raises(InputError) as caught:
        open_tokenizer(folder)
    assert said in str(caught.value)


@pytest.mark.parametrize(("vocabulary", "said"), [
    (json.dumps(VOCABULARY).encode("utf-16"), "UTF-16"),
    ({**BYTES, "ab": -1}, "the id of 'ab' is -1, not a whole number"),
    ({**BYTES, "ab": 1 << 32}, "the id of 'ab' is 4294967296"),
    ({**BYTES, "ab": 1.5}, "the id of 'ab' is 1.5"),
    ({**BYTES, "ab": 5}, "have the same id 5"),
    (b'{"a": 0, "b": 1', "the JSON ends too early"),
])
def test_bad_vocabularies_are_named(folder: Path, vocabulary: object, said: str) -> None:
    write(folder, vocabulary)
    with pytest.raises(InputError) as caught:
        open_tokenizer(folder / "vocab.json")
    assert said in str(caught.value) and "vocab.json" in str(caught.value)


def test_a_byte_order_mark_before_the_vocabulary_is_told(folder: Path) -> None:
    write(folder, b"\xef\xbb\xbf" + json.dumps(VOCABULARY).encode())
    tokenizer = open_tokenizer(folder)
    assert tokenizer.encode("ab").ids.tolist() == [256]
    assert any("byte order mark" in w for w in tokenizer.warnings)


def test_a_missing_companion_is_said(folder: Path) -> None:
    (folder / "merges.txt").unlink()
    with pytest.raises(InputError, match=r"the merges that belong to it are not there, vocab.json; put merges.txt"):
        open_tokenizer(folder)
    write(folder)
    (folder / "vocab.json").unlink()
    with pytest.raises(InputError, match=r"the vocabulary that belongs to it is not there, merges.txt; put vocab.json"):
        open_tokenizer(folder / "merges.txt")
    with pytest.raises(InputError, match="one of two files"):
        open_bytes(json.dumps(VOCABULARY).encode(), "vocab.json")


def test_what_lies_beside_is_read(folder: Path) -> None:
    (folder / "added_tokens.json").write_text('{"<|im_start|>": 300, "ab": 256, "<clash>": 5}')
    (folder / "special_tokens_map.json").write_text('{"eos_token": {"content": "<|im_start|>"}, "pad_token": "<nope>"}')
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "Qwen2Tokenizer"}')
    tokenizer = open_tokenizer(folder)
    assert tokenizer.special_tokens == {"<|endoftext|>": 259, "<|im_start|>": 300}
    assert tokenizer.added_tokens == {"ab": 256}
    assert any("'<clash>' the id 5" in w for w in tokenizer.warnings)
    assert tokenizer.encode("12<|im_start|>", special="parse").ids.tolist() == [BYTES["1"], BYTES["2"], 300]
    # Qwen's pattern takes digits one by one.
    assert len(tokenizer.pre_tokens(b"12")[0]) == 2


def test_a_guessed_pattern_is_said(folder: Path) -> None:
    assert any("no split pattern: GPT-2's is assumed" in w for w in open_tokenizer(folder).warnings)
    assert not any("assumed" in w for w in open_tokenizer(folder, pattern="gpt2").warnings)


def test_bytes_without_a_token_are_told(tmp_path: Path) -> None:
    tokenizer = open_tokenizer(write(tmp_path / "m", {"a": 0, "b": 1, "ab": 2}, "a b\n"))
    assert any("254 of the 256 bytes have no token" in w for w in tokenizer.warnings)
    made = tokenizer.encode("azb")
    assert (made.ids.tolist(), made.exact) == ([2], False)


def test_spellings_are_kept(folder: Path) -> None:
    vocabulary = open_tokenizer(folder).vocabulary
    row = vocabulary.row_of(257)
    assert row is not None and vocabulary.raw_at(row) == "Ġa" and vocabulary.bytes_of(257) == b" a"
