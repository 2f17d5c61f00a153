"""Rank files: read as tiktoken reads them, refused by the line where it would not."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest
import tiktoken.load

import tokenloupe
from tokenloupe.core.errors import InputError
from tokenloupe.formats import open_bytes, open_tokenizer
from tokenloupe.formats.bundled import BUNDLED, bundled_bytes
from tokenloupe.formats.tiktoken import _diagnose, _read_fast, parse
from tokenloupe.formats.tiktoken_known import recognise

ALL_BYTES = [(i, bytes([i])) for i in range(256)]


def file_of(entries: list[tuple[int, bytes]], end: bytes = b"\n") -> bytes:
    return b"".join(base64.b64encode(t) + b" %d" % i + end for i, t in entries)


def entries_of(data: bytes) -> dict[bytes, int]:
    ranks = parse(data)
    edges = ranks.offsets.tolist()
    return {ranks.blob[a:b]: i for a, b, i in zip(edges, edges[1:], ranks.ids.tolist(), strict=False)}


@pytest.mark.parametrize("seed", range(5))
def test_reads_what_tiktoken_reads(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rnd = random.Random(seed)
    tokens = list({rnd.randbytes(rnd.randint(1, 40)) for _ in range(500)})
    ids = rnd.sample(range(10 ** rnd.choice([3, 5, 9])), len(tokens))
    data = file_of(list(zip(ids, tokens, strict=True)))
    if seed == 4:
        data = data.rstrip(b"\n")
    (tmp_path / "ranks").write_bytes(data)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert entries_of(data) == tiktoken.load.load_tiktoken_bpe(str(tmp_path / "ranks"))
    assert _read_fast(data) is not None


def test_both_ways_of_reading_agree_on_a_real_file() -> None:
    data = bundled_bytes("p50k_base")
    fast, slow = _read_fast(data), _diagnose(data)
    assert fast is not None
    assert fast.blob == slow.blob
    assert fast.offsets.tolist() == slow.offsets.tolist() and fast.ids.tolist() == slow.ids.tolist()


def test_harmless_oddities_are_accepted() -> None:
    plain = file_of(ALL_BYTES)
    wanted = entries_of(plain)
    blank = plain.replace(b"\n", b"\n\n", 3) + b"\n\n"
    for odd in (file_of(ALL_BYTES, b"\r\n"), blank, b"\n" + plain, plain.replace(b"\n", b"\n \n", 2), plain + b" ",
                file_of(ALL_BYTES[::-1]), b"\xef\xbb\xbf" + plain, plain.replace(b" ", b"\t")):
        assert entries_of(odd) == wanted
    assert "byte order mark" in parse(b"\xef\xbb\xbf" + plain).warnings[0]
    assert not parse(plain).warnings


def test_an_empty_token_is_told() -> None:
    """The last line of openai/whisper's multilingual.tiktoken: base64.b64decode gives b"" for "="."""
    data = file_of(ALL_BYTES) + b"= 256\n"
    assert entries_of(data)[b""] == 256
    tokenizer = open_bytes(data, "x.tiktoken")
    assert any("rank 256, line 257, is empty" in w for w in tokenizer.warnings)
    assert tokenizer.encode("a b").ids.tolist() == [97, 32, 98]


@pytest.mark.parametrize(("line", "said"), [
    (b"YQ== 0 extra", "here are 3 fields, line 2"),
    (b"YQ==", "the rank is missing, line 2"),
    (b"YQ 300", "'YQ' is not base64, line 2"),
    (b"Y=Q= 300", "'Y=Q=' is not base64, line 2"),
    (b"YQ=\xc3\xa9 300", r"not base64, line 2"),
    (b"YQ== -1", "the rank '-1' is not a whole number"),
    (b"YQ== 1.5", "the rank '1.5' is not a whole number"),
    (b"YQ== 4294967296", "not a whole number from 0 to 4294967295"),
    (b"YQ== \xd9\xa1", "is not a whole number"),
    (b"YWI= 65", "rank 65 was given before, in line 68"),
    (b"QQ== 999", "the token 'QQ==' was there before, in line 68"),
])
def test_a_bad_line_is_named(line: bytes, said: str) -> None:
    lines = file_of(ALL_BYTES).split(b"\n")
    before = b"before" in said.encode()
    data = b"\n".join([lines[0], *lines[1:-1], line] if before else [lines[0], line, *lines[1:-1]])
    if before:
        said = said.replace("line 68", "line 66")
    with pytest.raises(InputError) as caught:
        parse(data)
    assert said in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_other_files_are_refused() -> None:
    for data in (b"", b"\n\n"):
        with pytest.raises(InputError, match="no rank in the file"):
            parse(data)
    with pytest.raises(InputError, match="UTF-16"):
        parse("YQ== 0\n".encode("utf-16"))


def test_a_rank_file_is_known_by_content_whatever_its_name() -> None:
    tokenizer = open_bytes(bundled_bytes("r50k_base"), "tokenizer.model")
    assert tokenizer.format == "tiktoken" and tokenizer.special_tokens == {"<|endoftext|>": 50256}
    assert not tokenizer.warnings
    assert tokenizer.encode("hello world").ids.tolist() == [31373, 995]
    assert tokenizer.vocabulary.size == 50257


def test_a_guessed_pattern_is_said_and_a_named_one_is_not() -> None:
    data = file_of(ALL_BYTES)
    assert "does not say its split pattern" in open_bytes(data, "mine.tiktoken").warnings[0]
    assert not open_bytes(data, "mine.tiktoken", pattern="gpt2").warnings
    own = open_bytes(file_of([*ALL_BYTES, (256, b"a b")]), "mine.tiktoken", pattern=r"[\s\S]+")
    assert own.encode("a b").ids.tolist() == [256]
    with pytest.raises(InputError):
        open_bytes(data, "mine.tiktoken", pattern="(")


def test_names_decide_where_content_is_shared_and_special_ids_never_collide() -> None:
    assert recognise("gpt2.tiktoken", BUNDLED["gpt2"].sha256, 50256).pattern == "gpt2"
    assert recognise("o200k_harmony.tiktoken", "", 199998).special["<|channel|>"] == 200005
    assert recognise("qwen2.tiktoken", "", 300).special["<|im_start|>"] == 151644
    said = recognise("r50k_base.tiktoken", "", 60000)
    assert not said.special and "left out" in said.warnings[0]
    taken = open_bytes(file_of([*ALL_BYTES, (50256, b"ab")]), "gpt2.tiktoken")
    assert "<|endoftext|>" not in taken.special_tokens and any("are left out" in w for w in taken.warnings)


def test_missing_bytes_are_told() -> None:
    tokenizer = open_bytes(file_of([(0, b"a"), (1, b"b"), (2, b"ab")]), "small.tiktoken", pattern=r"[\s\S]+")
    assert any("254 of the 256 bytes have no token" in w for w in tokenizer.warnings)
    assert tokenizer.encode("azb").exact is False


def test_special_token_tables_of_the_reference() -> None:
    """Counts and ends that openai/whisper and meta-llama/llama3 publish: 51865 ids; 128000..128255."""
    whisper = recognise("multilingual.tiktoken", "", 50257).special
    assert len(whisper) == 51865 - 50257
    assert [whisper[f"<|{t}|>"] for t in ("startoftranscript", "en", "notimestamps")] == [50258, 50259, 50363]
    assert max(whisper.values()) == 51864 and whisper["<|30.00|>"] == 51864
    llama = recognise("llama3.tiktoken", "", 128000).special
    assert sorted(llama.values()) == list(range(128000, 128256)) and llama["<|eot_id|>"] == 128009


def test_opens_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "日本語 ファイル.tiktoken"
    path.write_bytes(file_of(ALL_BYTES))
    assert open_tokenizer(path, pattern="gpt2").encode("a").ids.tolist() == [97]
    path.write_bytes(b"YQ== 0\nYg==\n")
    with pytest.raises(InputError, match=r"日本語 ファイル.tiktoken, line 2"):
        open_tokenizer(path)


def test_short_names_of_patterns_are_names_and_a_slip_is_no_regex() -> None:
    """As a regex, "cl100k" would match nothing of most texts: no tokens, and nobody told why."""
    data = file_of(ALL_BYTES)
    for short in ("cl100k", "o200k", "r50k", "p50k"):
        long = open_bytes(data, "mine.tiktoken", pattern=f"{short}_base")
        made = open_bytes(data, "mine.tiktoken", pattern=short)
        assert made.encode("hi 12").ids.tolist() == list(b"hi 12")
        assert made.special_tokens == long.special_tokens
    with pytest.raises(InputError, match=r"'cl100'; known are gpt2"):
        open_bytes(data, "mine.tiktoken", pattern="cl100")


def test_a_bundled_vocabulary_takes_no_pattern() -> None:
    with pytest.raises(InputError, match="its own split pattern"):
        tokenloupe.load("gpt2", pattern="cl100k")
