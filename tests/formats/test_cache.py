"""The cache of parsed tokenizers: the same answers as from the file, never a stale one, and no way to fail."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
import sentencepiece
import tiktoken
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

import sp_build
from gguf_vocab_build import build
from tokenloupe.core.errors import InputError
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import cache, cache_file, open_tokenizer
from tokenloupe.formats.bundled import load_bundled

TEXTS = ("", "abab cab", "a<x>b ab", "ab ▁ab\n\n", "é日x", "<0x41>ab" * 30)


@pytest.fixture(autouse=True)
def _all_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "SMALLEST", 0)


def bpe(**model: Any) -> dict[str, Any]:
    vocab = {"a": 0, "b": 1, "ab": 2, "c": 3, "abab": 4, "▁": 5, "▁ab": 6, "Ġ": 7, "Ġab": 8}
    merges = [["a", "b"], ["ab", "ab"], ["▁", "ab"], ["Ġ", "ab"]]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": 9, "content": "<x>", "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True}],
        "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                  "vocab": vocab, "merges": merges, **model},
    }


def byte_level() -> dict[str, Any]:
    stage = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return bpe() | {"pre_tokenizer": stage, "decoder": stage}


def sentencepiece_like() -> dict[str, Any]:
    mark = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    back = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
    made = bpe(byte_fallback=True, fuse_unk=True)
    made["model"]["vocab"] |= {f"<0x{b:02X}>": 9 + b for b in range(256)}
    made["added_tokens"][0]["id"] = 265
    return made | {"normalizer": mark,
                   "decoder": {"type": "Sequence", "decoders": [back, {"type": "ByteFallback"}, {"type": "Fuse"}]}}


JSONS: dict[str, Callable[[], dict[str, Any]]] = {
    "plain": bpe, "byte level": byte_level, "sentencepiece": sentencepiece_like,
    "ignore_merges": lambda: bpe(ignore_merges=True), "suffix": lambda: bpe(end_of_word_suffix="▁"),
    "unknown": lambda: bpe(unk_token="c", fuse_unk=True),
}


def put(path: Path, value: dict[str, Any]) -> Path:
    path.write_bytes(orjson.dumps(value))
    return path


def stored(place: Path | None = None) -> list[Path]:
    place = place or cache.folder()
    assert place is not None
    return sorted(place.glob("*.tokenizer"))


class Parsed:
    """How often a file was parsed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tokenloupe.formats import tokenizer_json

        self.count = 0
        inner = tokenizer_json.parse

        def counted(*given: Any) -> Any:
            self.count += 1
            return inner(*given)

        monkeypatch.setattr(tokenizer_json, "parse", counted)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Parsed:
    return Parsed(monkeypatch)


def same(one: Tokenizer, other: Tokenizer) -> None:
    assert type(one) is type(other)
    for name in ("name", "format", "sha256", "warnings", "special_tokens", "added_tokens"):
        assert getattr(one, name) == getattr(other, name), name
    v, w = one.vocabulary, other.vocabulary
    assert (v.blob, v.raw_blob) == (w.blob, w.raw_blob)
    for name in ("ids", "offsets", "kinds", "scores", "ranks", "raw_offsets"):
        a, b = getattr(v, name), getattr(w, name)
        assert (a is None) == (b is None) and (a is None or np.array_equal(a, b)), name
    for text in TEXTS:
        for mode in ("text", "parse"):
            x, y = one.encode(text, special=mode), other.encode(text, special=mode)  # type: ignore[arg-type]
            assert x.ids.tolist() == y.ids.tolist()
            assert (x.starts.tolist(), x.ends.tolist()) == (y.starts.tolist(), y.ends.tolist())
            assert (x.lost, x.exact) == (y.lost, y.exact)
            assert one.decode(x.ids) == other.decode(y.ids)


# -- what comes out is what went in ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", JSONS)
def test_a_tokenizer_json_comes_back_and_gives_the_librarys_ids(kind: str, tmp_path: Path, parsed: Parsed) -> None:
    path = put(tmp_path / "tokenizer.json", JSONS[kind]())
    first = open_tokenizer(path)
    second = open_tokenizer(path)
    assert parsed.count == 1 and len(stored()) == 1
    same(first, second)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    for text in TEXTS:
        assert second.encode(text, special="parse").ids.tolist() == theirs.encode(text, add_special_tokens=False).ids


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="ab c▁é<x>\n", max_size=300))
def test_texts_of_all_lengths_are_encoded_the_same(text: str) -> None:
    """Few words and many, short and long: each takes another way through the model."""
    fresh, kept = _pair()
    assert kept.encode(text).ids.tolist() == fresh.encode(text).ids.tolist()


def _pair(made: list[Tokenizer] = []) -> list[Tokenizer]:  # noqa: B006
    if not made:
        from tokenloupe.formats import stored_json, tokenizer_json
        from tokenloupe.formats.registry import Source

        value = sentencepiece_like()
        source = Source(None, "tokenizer.json", orjson.dumps(value))
        fresh = tokenizer_json.build(value, source, [])
        kept = stored_json.freeze(fresh, stored_json.without_tables(value))
        assert kept is not None
        packed = b"".join(cache_file.pack("k", kept))
        back = cache_file.unpack(packed, "k")
        assert back is not None
        made += [fresh, tokenizer_json.thaw(back, source)]
    return made


def rank_file() -> bytes:
    tokens = [bytes([b]) for b in range(256)] + [b"ab", b"abab", b" ab", b"a sixteen byte token and more"]
    return b"".join(base64.b64encode(t) + b" %d\n" % i for i, t in enumerate(tokens))


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


def test_a_gguf_vocabulary_comes_back(tmp_path: Path) -> None:
    from tokenloupe.core.bytemap import BYTE_OF

    tokens = [*BYTE_OF, "ab", "Ġab", "<x>"]
    path = tmp_path / "v.gguf"
    path.write_bytes(build([
        ("tokenizer.ggml.model", "gpt2"), ("tokenizer.ggml.pre", "gpt-2"), ("tokenizer.ggml.tokens", tokens),
        ("tokenizer.ggml.token_type", [1] * (len(tokens) - 1) + [3]), ("tokenizer.ggml.merges", ["a b", "Ġ ab"]),
    ]))
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert len(stored()) == 1
    same(first, second)


@pytest.mark.parametrize("model", ["llama", "gpt2"])
def test_gguf_vocabularies_off_the_byte_level_engine_come_back(model: str, tmp_path: Path) -> None:
    """A merge that gives a control token keeps a gpt2 vocabulary off the engine; llama's never is on it."""
    from tokenloupe.core.bytemap import BYTE_OF
    from tokenloupe.core.llamacpp import LlamaTokenizer

    path = tmp_path / "v.gguf"
    if model == "gpt2":
        tokens = [*BYTE_OF, "ab", "Ġab", "<x>", "cc"]
        kinds = [1] * (len(tokens) - 2) + [3, 3]
        more: list[tuple[str, Any]] = [("tokenizer.ggml.pre", "gpt-2"),
                                       ("tokenizer.ggml.merges", ["a b", "Ġ ab", "c c"])]
    else:
        tokens = ["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256)), "▁", "a", "b", "ab", "▁ab", "<x>"]
        kinds = [2, 3, 3, *[6] * 256, 1, 1, 1, 1, 1, 3]
        more = [("tokenizer.ggml.scores", [0.0] * 259 + [-float(i) for i in range(len(tokens) - 259)])]
    path.write_bytes(build([("tokenizer.ggml.model", model), ("tokenizer.ggml.tokens", tokens),
                            ("tokenizer.ggml.token_type", kinds), *more]))
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert type(first) is LlamaTokenizer and len(stored()) == 1
    same(first, second)
    assert first.encode("ab", bos_eos=True).ids.tolist() == second.encode("ab", bos_eos=True).ids.tolist()


WORDS = {"[UNK]": 0, "a": 1, "ab": 2, "##ab": 3, "c": 4, "##c": 5, "a<x>b": 6, "é日x": 7}
OTHER_MODELS: dict[str, dict[str, Any]] = {
    "WordLevel": {"type": "WordLevel", "vocab": WORDS, "unk_token": "[UNK]"},
    "WordPiece": {"type": "WordPiece", "vocab": WORDS, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100},
    "Unigram": {"type": "Unigram", "unk_id": 0, "byte_fallback": False,
                "vocab": [["<unk>", 0.0], ["a", -1.1], ["b", -1.2], ["ab", -2.3000001], ["abab", -4.6], ["日x", -3.0]]},
    "Unigram of bytes": {"type": "Unigram", "unk_id": 0, "byte_fallback": True,
                         "vocab": [["<unk>", 0.0], ["ab", -2.0], *([f"<0x{b:02X}>", -9.0] for b in range(256))]},
}


@pytest.mark.parametrize("kind", OTHER_MODELS)
def test_other_models_come_back_and_give_the_librarys_ids(kind: str, tmp_path: Path, parsed: Parsed) -> None:
    value = bpe() | {"model": OTHER_MODELS[kind], "pre_tokenizer": {"type": "WhitespaceSplit"}}
    value["added_tokens"][0]["id"] = len(OTHER_MODELS[kind]["vocab"])
    path = put(tmp_path / "tokenizer.json", value)
    first, second = open_tokenizer(path), open_tokenizer(path)
    assert parsed.count == 1 and len(stored()) == 1
    same(first, second)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    for text in TEXTS:
        assert second.encode(text, special="parse").ids.tolist() == theirs.encode(text, add_special_tokens=False).ids


def test_a_model_with_a_spelling_twice_is_parsed_each_time(tmp_path: Path, parsed: Parsed) -> None:
    """Of two pieces with one spelling only one can be told from the vocabulary when an added token has the other's."""
    pieces = [["<unk>", 0.0], ["<x>", -1.0], ["<x>", -2.0], ["a", -1.0]]
    value = bpe() | {"model": {"type": "Unigram", "unk_id": 0, "vocab": pieces}}
    path = put(tmp_path / "tokenizer.json", value)
    same(open_tokenizer(path), open_tokenizer(path))


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


# -- never a stale one -------------------------------------------------------------------------------------------


def test_a_changed_file_of_the_same_size_and_time_is_read_anew(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    when = path.stat().st_mtime_ns
    assert open_tokenizer(path).encode("c").ids.tolist() == [3]
    value = bpe()
    value["model"]["vocab"]["a"], value["model"]["vocab"]["c"] = 3, 0
    put(path, value)
    os.utime(path, ns=(when, when))
    assert open_tokenizer(path).encode("c").ids.tolist() == [0]


def test_the_hash_of_an_unchanged_file_is_remembered_once_it_has_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    place = cache.folder()
    assert place is not None and list(place.glob("*.known")) == []  # it might change again within a tick
    now = cache.time.time()
    monkeypatch.setattr(cache.time, "time", lambda: now + 60)
    open_tokenizer(path)
    assert len(list(place.glob("*.known"))) == 1
    from tokenloupe.formats.registry import Source

    read = []
    monkeypatch.setattr(Source, "data", property(lambda self: read.append(1) or path.read_bytes()))
    made = open_tokenizer(path)
    assert made.encode("abc").ids.tolist() == [2, 3] and read == [] and parsed.count == 1
    assert made.sha256 == __import__("hashlib").sha256(path.read_bytes()).hexdigest()
    value = bpe()
    value["model"]["vocab"]["a"], value["model"]["vocab"]["c"] = 3, 0
    put(path, value)
    assert open_tokenizer(path).encode("c").ids.tolist() == [0] and read


@pytest.mark.parametrize("note", [b"", b"{}", b"[1, 2]", b'[[1,2,3,4,5], "../../x"]', b"\xff" * 40, b"null"])
def test_a_damaged_note_of_a_hash_is_passed_over(note: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    now = cache.time.time()
    monkeypatch.setattr(cache.time, "time", lambda: now + 60)
    open_tokenizer(path)
    place = cache.folder()
    assert place is not None
    (known,) = place.glob("*.known")
    known.write_bytes(note)
    assert open_tokenizer(path).encode("abc").ids.tolist() == [2, 3]


def test_the_files_beside_it_count(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    assert "<y>" not in open_tokenizer(path).special_tokens
    put(tmp_path / "special_tokens_map.json", {"bos_token": "<y>"})
    for _ in range(2):
        assert open_tokenizer(path).special_tokens["<y>"] == 10
    (tmp_path / "special_tokens_map.json").unlink()
    assert "<y>" not in open_tokenizer(path).special_tokens


def test_another_version_of_the_program_is_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    monkeypatch.setattr(cache, "__version__", "99")
    open_tokenizer(path)
    assert parsed.count == 2 and len(stored()) == 2


# -- damage, other processes, bounds -----------------------------------------------------------------------------


def test_a_cut_or_changed_file_is_parsed_anew_and_mended(tmp_path: Path, parsed: Parsed) -> None:
    path = put(tmp_path / "tokenizer.json", byte_level())
    open_tokenizer(path)
    (kept,) = stored()
    good = kept.read_bytes()
    places = sorted({*range(0, 200, 7), *range(200, len(good), 211), len(good) - 1})
    for at in places:
        kept.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        assert open_tokenizer(path).encode("abab").ids.tolist() == [4]
        assert kept.read_bytes() == good
    for size in (0, 1, 23, 24, 100, len(good) - 1):
        kept.write_bytes(good[:size])
        assert open_tokenizer(path).encode("abab").ids.tolist() == [4]
        assert kept.read_bytes() == good
    assert parsed.count == 1 + len(places) + 6


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_bytes_are_taken_for_a_kept_tokenizer(data: bytes) -> None:
    assert cache_file.unpack(data, "k") is None
    assert cache_file.unpack(cache_file.MAGIC + data, "k") is None


def sealed(header: Any, body: bytes = b"") -> bytes:
    """A file with a right checksum and whatever header."""
    import zlib

    head = orjson.dumps(header)
    rest = head + body
    return cache_file._FIXED.pack(cache_file.MAGIC, 24 + len(rest), len(head), zlib.crc32(rest)) + rest


@pytest.mark.parametrize("header", [
    [], None, {}, {"key": "k"}, {"key": "k", "arrays": [], "meta": 3}, {"key": "other", "arrays": [], "meta": {}},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", 1 << 40, 0]]},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", -1, 0]]},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", 1, -8]]},
    {"key": "k", "meta": {}, "arrays": [["a", "|O8", 1, 0]]}, {"key": "k", "meta": {}, "arrays": [["a"]]},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", "1", 0]]}, {"key": "k", "meta": {}, "arrays": [["a", "no", 1, 0]]},
])  # fmt: skip
def test_a_header_that_says_too_much_is_refused(header: Any) -> None:
    assert cache_file.unpack(sealed(header, bytes(64)), "k") is None


def test_the_container_gives_back_what_it_was_given(tmp_path: Path) -> None:
    arrays = {"a": np.arange(5, dtype=np.int64), "none": np.zeros(0, np.float32), "b": np.array([1, 255], np.uint8)}
    path = tmp_path / "x"
    cache_file.write(path, "key", cache_file.Stored({"n": [1, "ü"]}, arrays))
    back = cache_file.read(path, "key")
    assert back is not None and back.meta == {"n": [1, "ü"]} and list(back.arrays) == list(arrays)
    assert all(np.array_equal(back.arrays[k], arrays[k]) and back.arrays[k].dtype == arrays[k].dtype for k in arrays)
    assert cache_file.read(path, "another key") is None
    with pytest.raises(ValueError, match="read-only"):
        back.arrays["a"][0] = 1
    assert [p.name for p in tmp_path.iterdir() if p.name != "home"] == ["x"]


def test_arrays_that_do_not_fit_together_are_parsed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    """A right checksum over wrong tables (a fault of another version, say) still gives right ids."""
    path = put(tmp_path / "tokenizer.json", byte_level())
    fresh = open_tokenizer(path)
    (kept,) = stored()
    key = orjson.loads(kept.read_bytes()[24:].split(b',"meta"')[0] + b"}")["key"]
    whole = cache_file.read(kept, key)
    assert whole is not None
    names = ("ids", "blob", "offsets", "kinds", "ranks", "left", "right", "result", "raw_offsets", "slots",
             "pair_slots")
    for name in names:
        cache_file.write(kept, key, cache_file.Stored(whole.meta, whole.arrays | {name: whole.arrays[name][:-1]}))
        same(open_tokenizer(path), fresh)
    assert parsed.count == 1 + len(names)


def test_two_processes_at_once(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", byte_level())
    program = (
        "import sys; from tokenloupe.formats import cache, open_tokenizer; cache.SMALLEST = 0\n"
        f"for _ in range(30): assert open_tokenizer({str(path)!r}).encode('abab').ids.tolist() == [4]\n"
        "for p in cache.folder().glob('*.tokenizer'): p.unlink(missing_ok=True)\n"
        f"for _ in range(30): assert open_tokenizer({str(path)!r}).encode('abab').ids.tolist() == [4]\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) for _ in range(2)]
    for one in running:
        assert one.communicate()[1] == b"" and one.returncode == 0
    place = cache.folder()
    assert place is not None and list(place.glob("*.part")) == []


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    for age, name in enumerate("abcd"):
        file = place / f"{name}.tokenizer"
        file.write_bytes(bytes(100))
        os.utime(file, (1000 - age, 1000 - age))
    (place / "other.txt").write_text("not ours")
    (place / "dead.part").write_bytes(b"x")
    os.utime(place / "dead.part", (1000, 1000))
    cache.prune(place, 250)
    assert sorted(p.name for p in place.iterdir()) == ["a.tokenizer", "b.tokenizer", "other.txt"]


def test_opening_makes_it_recent(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    (kept,) = stored()
    os.utime(kept, (1000, 1000))
    open_tokenizer(path)
    assert kept.stat().st_mtime > 2000


@pytest.mark.parametrize("value", ["off", "OFF", "0"])
def test_it_can_be_switched_off(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed) -> None:
    monkeypatch.setenv("TOKENLOUPE_CACHE", value)
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    open_tokenizer(path)
    assert cache.folder() is None and parsed.count == 2


def test_a_folder_that_cannot_be_made_or_written_is_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache.folder() is None
    assert open_tokenizer(path).encode("abc").ids.tolist() == [2, 3]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache_file.tempfile, "mkstemp", full)
    for _ in range(2):
        assert open_tokenizer(path).encode("abc").ids.tolist() == [2, 3]
    assert stored() == [] and parsed.count == 3


def test_small_files_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "SMALLEST", 1 << 20)
    open_tokenizer(put(tmp_path / "tokenizer.json", bpe()))
    assert stored() == []


def test_what_is_wrong_with_a_file_is_said_each_time(tmp_path: Path) -> None:
    value = bpe()
    value["model"]["merges"].append(["a", "nowhere"])
    path = put(tmp_path / "tokenizer.json", value)
    for _ in range(2):
        with pytest.raises(InputError, match=r"merge 5 needs the token 'nowhere'"):
            open_tokenizer(path)
    assert stored() == []
