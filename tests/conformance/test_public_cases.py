"""Public fault cases of area encode, decode, load, vocab and utf8, each with its right value, under its id.

The cases and their files are reference data (cases/cases.jsonl); stream, gguf, quant and ui cases have tests beside the
code they are about. `test_no_case_is_forgotten` reads the list.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import tokenloupe
from tokenloupe.core.errors import InputError
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_bytes

from .conftest import json_lines

Find = Callable[[str], Path]


@pytest.fixture
def case_file(shared: Path) -> Find:
    return lambda name: shared / "cases" / "files" / name


def pieces(tokenizer: Tokenizer, text: str | bytes, special: str = "parse") -> list[str]:
    """The spellings of the tokens, as the file has them."""
    rows = [tokenizer.vocabulary.row_of(int(i)) for i in tokenizer.encode(text, special=special).ids]
    return [tokenizer.vocabulary.raw_at(r) for r in rows if r is not None]


def spans(tokenizer: Tokenizer, text: str) -> list[tuple[int, int]]:
    e = tokenizer.encode(text, special="parse")
    return list(zip(e.starts.tolist(), e.ends.tolist(), strict=True))


def ranks(*more: tuple[bytes, int]) -> bytes:
    """A rank file of the 256 bytes and these."""
    rows = [(bytes([b]), b) for b in range(256)] + list(more)
    return b"".join(base64.b64encode(p) + b" %d\n" % i for p, i in rows)


def tokenizer_json(model: dict[str, object], **stages: object) -> Tokenizer:
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        **stages,
        "model": model,
    }
    return open_bytes(json.dumps(document).encode(), "tokenizer.json")


def byte_level_vocabulary(*more: str) -> dict[str, int]:
    from tokenizers.pre_tokenizers import ByteLevel

    return {piece: i for i, piece in enumerate([*sorted(ByteLevel.alphabet()), *more])}


def test_no_case_is_forgotten(shared: Path) -> None:
    here = "\n".join(p.read_text("utf-8") for p in Path(__file__).parents[1].rglob("test_*.py"))
    rows = list(json_lines(shared / "cases" / "cases.jsonl"))
    areas = {"encode", "decode", "load", "vocab", "utf8"}
    assert [r["id"] for r in rows if r["area"] in areas and str(r["id"]) not in here] == []


# encode


def test_enc_ignore_merges(case_file: Find) -> None:
    """enc-ignore-merges"""
    assert pieces(tokenloupe.load(case_file("tj_ignore_merges_true.json")), "abc abc") == ["abc", "Ġ", "ab", "c"]
    assert pieces(tokenloupe.load(case_file("tj_ignore_merges_false.json")), "abc abc") == ["ab", "c", "Ġ", "ab", "c"]


def test_enc_whole_piece_hit(case_file: Find) -> None:
    """enc-whole-piece-hit: 258 is found by looking the piece up; no merges make it."""
    tokenizer = tokenloupe.load(case_file("tk_unreachable.tiktoken"), pattern=".+")
    assert tokenizer.encode(".:.:").ids.tolist() == [258]
    assert [t.bytes for t in tokenizer.encode(".:.:.").tokens] == [b".", b":.", b":."]


def test_enc_count_not_monotone() -> None:
    """enc-count-not-monotone: more text, fewer tokens; the live document recomputes."""
    tokenizer = open_bytes(
        ranks((b"bc", 256), (b"cd", 257), (b"ab", 258), (b"abcd", 259)), "x.tiktoken", pattern="cl100k_base"
    )
    document = tokenloupe.Document(tokenizer, b"")
    found = []
    for i, char in enumerate(b"abcde"):
        document.edit(i, 0, bytes([char]))
        found.append(document.token_count)
        assert document.encoding().ids.tolist() == tokenizer.encode(b"abcde"[: i + 1]).ids.tolist()
    assert found == [1, 1, 2, 1, 4]


def test_enc_emoji_byte_offsets() -> None:
    """enc-emoji-byte-offsets"""
    model = {"type": "BPE", "vocab": byte_level_vocabulary("ðŁ"), "merges": ["ð Ł"]}
    tokenizer = tokenizer_json(
        model, pre_tokenizer={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    )
    assert pieces(tokenizer, "a👍b") == ["a", "ðŁ", "ĳ", "į", "b"]
    assert spans(tokenizer, "a👍b") == [(0, 1), (1, 3), (3, 4), (4, 5), (5, 6)]


def test_enc_prefix_space_after_added() -> None:
    """enc-prefix-space-after-added: the added space has no source."""
    vocabulary = byte_level_vocabulary()
    tokenizer = tokenizer_json(
        {"type": "BPE", "vocab": vocabulary, "merges": []},
        pre_tokenizer={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        post_processor={"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        added_tokens=[
            {
                "id": len(vocabulary),
                "content": "<d>",
                "special": True,
                "normalized": False,
                "lstrip": False,
                "rstrip": False,
                "single_word": False,
            }
        ],
    )
    assert pieces(tokenizer, "<d>B x") == ["<d>", "Ġ", "B", "Ġ", "x"]
    assert spans(tokenizer, "<d>B x") == [(0, 3), (3, 3), (3, 4), (4, 5), (5, 6)]


def test_enc_falcon_sequence(case_file: Find) -> None:
    """enc-falcon-sequence"""
    found = pieces(tokenloupe.load(case_file("tj_falcon_pre.json")), "it's 12345!!!x")
    tokenizer = tokenloupe.load(case_file("tj_falcon_pre.json"))
    cuts = {a for a, _ in spans(tokenizer, "it's 12345!!!x")}
    # it | ' | s | Ġ | 123 | 45 | !!! | x: no token crosses these starts
    assert {0, 2, 3, 4, 5, 8, 10, 13} <= cuts
    assert "".join(found) == "it'sĠ12345!!!x"


def test_enc_nel_whitespace() -> None:
    """enc-nel-whitespace: U+0085 is white space, so '!' + 0xC2 is no piece."""
    tokenizer = open_bytes(ranks((b"!\xc2", 256)), "x.tiktoken", pattern=r" ?[^\s\p{L}\p{N}]+|\s+|\p{L}+")
    assert tokenizer.encode("!\u0085x").ids.tolist() == [33, 194, 133, 120]


def test_enc_digit_groups() -> None:
    """enc-digit-groups"""
    from tokenloupe.core.patterns import named

    def cut(text: str) -> list[str]:
        data = text.encode()
        ends = [0, *named("cl100k_base").ends(data).tolist()]
        return [data[a:b].decode() for a, b in pairwise(ends)]

    assert cut("1234567") == ["123", "456", "7"]
    assert cut("a\r\n\r\nb   c") == ["a", "\r\n\r\n", "b", "  ", " c"]


def test_enc_metaspace_first(case_file: Find) -> None:
    """enc-metaspace-first"""
    always, first, never = (tokenloupe.load(case_file(f"tj_metaspace_{n}.json")) for n in ("always", "first", "never"))
    assert pieces(always, "hi<s>hi") == ["▁hi", "<s>", "▁hi"]
    assert pieces(first, "hi<s>hi") == ["▁hi", "<s>", "hi"]
    assert pieces(never, "hi<s>hi") == ["hi", "<s>", "hi"]
    assert pieces(first, "<s>hi") == ["<s>", "hi"]


def test_enc_metaspace_legacy_field(case_file: Find) -> None:
    """enc-metaspace-legacy-field"""
    for name in ("tj_metaspace_legacy.json", "tj_metaspace_always.json"):
        assert pieces(tokenloupe.load(case_file(name)), "hi") == ["▁hi"]


def test_enc_added_normalized(case_file: Find) -> None:
    """enc-added-normalized"""
    import tokenizers

    path = case_file("tj_added_flags.json")
    reference = tokenizers.Tokenizer.from_file(str(path)).encode("say YES yes Yes", add_special_tokens=False)
    assert tokenloupe.load(path).encode("say YES yes Yes", special="parse").ids.tolist() == reference.ids


def test_enc_tiktoken_special_prefix() -> None:
    """enc-tiktoken-special-prefix: the file's order decides, and a warning says so."""
    from tokenloupe.core.bytelevel import ByteLevelTokenizer
    from tokenloupe.core.patterns import named
    from tokenloupe.core.vocabulary import TokenKind, Vocabulary

    specials = {"<|end|>": 300, "<|e": 302, "<|end|>x": 301}
    entries = [(b, bytes([b])) for b in range(256)] + [(i, t.encode()) for t, i in specials.items()]
    vocabulary = Vocabulary.build(
        entries, kinds=dict.fromkeys(specials.values(), TokenKind.SPECIAL), ranks={b: b for b in range(256)}
    )
    tokenizer = ByteLevelTokenizer("x", "tiktoken", "", vocabulary, named("cl100k_base"), special_tokens=specials)
    assert tokenizer.encode("a<|end|>x", special="parse").ids.tolist() == [97, 300, 120]
    assert any("<|e" in w for w in tokenizer.warnings)


def test_enc_unigram_bytefallback(case_file: Find) -> None:
    """enc-unigram-bytefallback-all-or-nothing, enc-unigram-run-offsets"""
    whole = tokenloupe.load(case_file("tj_unigram_byte_fallback.json"))
    assert pieces(whole, "a👍\nb") == ["a", "<0xF0>", "<0x9F>", "<0x91>", "<0x8D>", "<0x0A>", "b"]
    # The library gives (1, 3) in characters for all five; each byte is known: 4 of the emoji, 1 of the line end.
    assert spans(whole, "a👍\nb") == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]
    missing = tokenloupe.load(case_file("tj_unigram_byte_fallback_missing91.json"))
    assert pieces(missing, "a👍\nb") == ["a", "<unk>", "b"]
    with pytest.raises(InputError, match="256"):
        tokenloupe.load(case_file("spm_missing_byte.model"))


def test_enc_bpe_unk_order(case_file: Find) -> None:
    """enc-bpe-unk-order: out of text order, as the library has it."""
    fused = tokenloupe.load(case_file("tj_bpe_byte_fallback_missing91_fuse.json"))
    assert pieces(fused, "a👍👍\nb") == ["a", "<0x0A>", "<unk>", "b"]
    single = tokenloupe.load(case_file("tj_bpe_byte_fallback_missing91.json"))
    assert pieces(single, "a👍👍\nb") == ["a", "<unk>", "<0x0A>", "<unk>", "b"]


def test_enc_wordpiece_limits(case_file: Find) -> None:
    """enc-wordpiece-limits, dec-cleanup-spaces"""
    tokenizer = tokenloupe.load(case_file("tj_wordpiece.json"))
    assert pieces(tokenizer, "token tokx aaaaaa éééééé ééééé") == [
        "tok",
        "##en",
        "[UNK]",
        "[UNK]",
        "[UNK]",
        "é",
        "##é",
        "##é",
        "##é",
        "##é",
    ]


def test_dec_cleanup_is_the_wordpiece_decoders_alone(tmp_path: Path) -> None:
    """dec-cleanup-spaces: tokenizer_config's clean_up_tokenization_spaces changes nothing for byte-level BPE."""
    from tokenizers import Tokenizer as Reference
    from tokenizers import decoders, models, pre_tokenizers

    reference = Reference(models.BPE(vocab=byte_level_vocabulary(), merges=[]))
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    reference.decoder = decoders.ByteLevel()
    reference.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text('{"clean_up_tokenization_spaces": true}')
    tokenizer = tokenloupe.load(tmp_path)
    encoding = tokenizer.encode("x != y . ok")
    assert tokenizer.decode(encoding.ids) == b"x != y . ok"
    assert encoding.exact


def test_enc_bert_accent_spans() -> None:
    """enc-bert-accent-spans: U+3067 with a combining voiced mark decomposes; spans are of the original."""
    vocabulary = {t: i for i, t in enumerate(["[UNK]", "ハ", "##て", "e", "##x"])}
    tokenizer = tokenizer_json(
        {
            "type": "WordPiece",
            "vocab": vocabulary,
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
        },
        normalizer={
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": True,
            "lowercase": False,
        },
        pre_tokenizer={"type": "BertPreTokenizer"},
    )
    text = "バで e\u0301x"
    at = [len(text[:i].encode()) for i in range(len(text) + 1)]
    assert pieces(tokenizer, text) == ["ハ", "##て", "e", "##x"]
    # in characters (0,1) (1,2) (3,4) (5,6); the accent's own bytes belong to the letter it stood on or to nobody
    found = spans(tokenizer, text)
    assert [(a, b) for a, b in found[:2]] == [(at[0], at[1]), (at[1], at[2])]
    assert found[2][0] == at[3]
    assert found[3] == (at[5], at[6])


def test_enc_nfkc_hangul_spans(case_file: Find) -> None:
    """enc-nfkc-hangul-spans: true spans cover all seven jamo."""
    jamo = "\u1106\u1161\u1109\u1175\u11af\u110b\u116d"
    assert spans(tokenloupe.load(case_file("tj_nfkc.json")), jamo) == [(0, 6), (6, 15), (15, 21)]


def test_enc_oov_no_unk_merge_across(case_file: Find) -> None:
    """enc-oov-no-unk-merge-across: z vanishes, and it is said."""
    tokenizer = tokenloupe.load(case_file("tj_oov_no_unk.json"))
    encoding = tokenizer.encode("azb")
    assert pieces(tokenizer, "azb") == ["ab"]
    assert not encoding.exact
    assert any(x.start <= 1 < x.end for x in encoding.lost)


def test_enc_special() -> None:
    """enc-special-disallowed, enc-special-before-regex: text or parsed as asked, never an exception."""
    tokenizer = tokenloupe.load("cl100k_base")
    assert len(tokenizer.encode("x<|endoftext|>y")) > 3
    assert tokenizer.encode("x<|endoftext|>y", special="parse").ids.tolist() == [87, 100257, 88]


def test_enc_space_after_special() -> None:
    """enc-space-after-special: Prepend and Replace run on each section."""
    tokenizer = tokenizer_json(
        {"type": "BPE", "vocab": {t: i for i, t in enumerate(["x", "b", "▁", "▁b", "▁▁"])}, "merges": ["▁ b", "▁ ▁"]},
        normalizer={
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        },
        added_tokens=[
            {
                "id": 5,
                "content": "<s>",
                "special": True,
                "normalized": False,
                "lstrip": False,
                "rstrip": False,
                "single_word": False,
            }
        ],
    )
    assert pieces(tokenizer, "x<s> b") == ["▁", "x", "<s>", "▁", "▁b"]


# decode


def test_dec_added_bytemap(case_file: Find) -> None:
    """dec-added-bytemap: an added token's content is text, not byte-map characters."""
    tokenizer = tokenloupe.load(case_file("tj_added_bytemap.json"))
    for text in ("ilÖveyou", "čau", "đem"):
        ids = tokenizer.encode(text, special="parse").ids
        assert tokenizer.decode(ids).decode() == text


def test_dec_unknown_id() -> None:
    """dec-unknown-id: no such token is named, the rest goes on."""
    tokenizer = tokenloupe.load("gpt2")
    assert tokenizer.unknown_ids([31373, -1, 2**31, 995]) == [-1, 2**31]
    assert tokenizer.decode([31373, -1, 2**31, 995]) == b"hello world"


def test_dec_metaspace_decoder(case_file: Find) -> None:
    """dec-metaspace-decoder, dec-metaspace-double-space"""
    always, never = (tokenloupe.load(case_file(f"tj_metaspace_{n}.json")) for n in ("always", "never"))
    hi = always.encode("hi hi").ids
    assert pieces(always, "hi hi") == ["▁hi", "▁hi"]
    assert always.decode(hi) == b"hi hi"
    assert never.decode(hi) == b" hi hi"
    for text, back in (("  hi", b" hi"), (" hi", b"hi")):
        encoding = always.encode(text)
        assert always.decode(encoding.ids) == back
        assert not encoding.exact
        assert encoding.lost


# load


def test_load_tiktoken_lines(case_file: Find) -> None:
    """load-tiktoken-blank-lines"""
    for name in ("tk_blank.tiktoken", "tk_crlf.tiktoken"):
        assert len(tokenloupe.load(case_file(name), pattern="gpt2").vocabulary) >= 257
    for name in ("tk_space_line.tiktoken", "tk_three_fields.tiktoken"):
        try:
            tokenloupe.load(case_file(name), pattern="gpt2")
        except InputError as error:
            assert "line" in str(error)


def test_load_reads_the_file_again(tmp_path: Path) -> None:
    """load-tiktoken-stale-cache"""
    file = tmp_path / "x.tiktoken"
    file.write_bytes(ranks((b"ab", 256)))
    assert tokenloupe.load(file, pattern="gpt2").encode("ab").ids.tolist() == [256]
    file.write_bytes(ranks((b"cd", 256)))
    assert tokenloupe.load(file, pattern="gpt2").encode("ab").ids.tolist() == [97, 98]


def test_load_wrong_kind_of_model(case_file: Find) -> None:
    """load-wrong-kind-model: by content, base64 lines are a rank file whatever the suffix."""
    from tokenloupe.formats import formats
    from tokenloupe.formats.registry import Source

    source = Source(case_file("spm_is_tiktoken.model"), "spm_is_tiktoken.model")
    best = max(formats(), key=lambda f: f.sniff(source))
    assert best.name == "tiktoken"
    assert tokenloupe.load(case_file("spm_unigram.model")).format != "tiktoken"


def test_load_merges(case_file: Find) -> None:
    """load-merges-two-forms, load-merges-with-space, load-merges-oov, load-merges-dup, load-no-model-type"""
    listed, strings = (tokenloupe.load(case_file(f"tj_merges_{n}.json")) for n in ("list", "str"))
    assert pieces(listed, "abc") == pieces(strings, "abc")
    for name in ("tj_merges_mixed.json", "tj_merges_space_str.json", "tj_merges_oov.json"):
        with pytest.raises(InputError):
            tokenloupe.load(case_file(name))
    assert pieces(tokenloupe.load(case_file("tj_merges_space_list.json")), "a b") == ["a b"]
    assert pieces(tokenloupe.load(case_file("tj_merges_dup.json")), "abc") == ["a", "bc"]
    assert pieces(tokenloupe.load(case_file("tj_no_model_type.json")), "abc") == ["ab", "c"]


def test_load_merges_lines(case_file: Find, tmp_path: Path) -> None:
    """load-merges-lines, load-merges-blank-crlf-bom: only \\n ends a line; others are read or named by line."""
    data = case_file("sp_merges_u2028.txt").read_bytes()
    assert len([line for line in data.split(b"\n") if line]) == 4
    for name in ("gpt2_merges_blank.txt", "gpt2_merges_crlf.txt", "gpt2_merges_bom.txt", "gpt2_merges_three.txt"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "merges.txt").write_bytes(case_file(name).read_bytes())
        (folder / "vocab.json").write_text(json.dumps(byte_level_vocabulary("ab", "bc", "abc")), "utf-8")
        try:
            tokenloupe.load(folder)
        except InputError as error:
            assert re.search(r"line \d", str(error)), name


def test_load_encodings(case_file: Find) -> None:
    """load-bom-utf16-json"""
    for name in ("tj_bom.json", "gpt2_vocab_bom.json"):
        try:
            tokenloupe.load(case_file(name))
        except InputError as error:
            assert "BOM" in str(error) or "merges" in str(error), name
    for name in ("tj_utf16.json", "gpt2_vocab_utf16.json"):
        with pytest.raises(InputError, match="UTF-16"):
            tokenloupe.load(case_file(name))


@pytest.mark.parametrize("name", ["neg_id", "float_id", "lone_surrogate", "truncated", "unknown_pretok", "deep"])
def test_load_odd_json(name: str, case_file: Find) -> None:
    """load-json-odd-values"""
    with pytest.raises(InputError) as refusal:
        tokenloupe.load(case_file(f"tj_{name}.json"))
    assert len(str(refusal.value)) > 20


def test_load_non_ascii_path(tmp_path: Path) -> None:
    """load-non-ascii-path"""
    file = tmp_path / "日本語 ファイル 🦙.tiktoken"
    file.write_bytes(ranks((b"ab", 256)))
    tokenizer = tokenloupe.load(file, pattern="gpt2")
    assert "日本語 ファイル 🦙" in tokenizer.name
    assert tokenizer.encode("ab").ids.tolist() == [256]


def test_real_rwkv_other_format(real_file: Find) -> None:
    """real-rwkv-other-format"""
    assert "rwkv" in tokenloupe.load(real_file("rwkv_vocab_v20230424.txt")).format.lower()


# vocab, utf8


def test_voc_huge_id(case_file: Find) -> None:
    """voc-huge-id"""
    tokenizer = tokenloupe.load(case_file("tj_id_u32max.json"))
    assert tokenizer.vocabulary.size == 2**32
    assert len(tokenizer.vocabulary) < 100


def test_voc_added(case_file: Find) -> None:
    """voc-added-in-vocab, voc-added-id-conflict, voc-added-id-gap, voc-json-dup-keys"""
    conflict = tokenloupe.load(case_file("tj_added_conflict.json"))
    assert len(conflict.vocabulary) == 5
    assert conflict.vocabulary.id_of(b"b") == 1
    assert conflict.encode("ab", special="parse").ids.tolist() == [3]
    assert conflict.warnings
    gap = tokenloupe.load(case_file("tj_added_gap.json"))
    assert gap.encode("<x>", special="parse").ids.tolist() == [5]
    assert any("10" in w for w in gap.warnings)
    twice = tokenloupe.load(case_file("tj_dup_keys.json"))
    assert twice.vocabulary.id_of(b"a") == 0
    assert twice.warnings


def test_real_llama3_partial_tokens(real_file: Find) -> None:
    """real-llama3-partial-tokens: 1361 of 128,000 ids decode with U+FFFD alone."""
    vocabulary = tokenloupe.load(real_file("llama3.tokenizer.json")).vocabulary
    rows = np.flatnonzero(vocabulary.ids < 128_000).tolist()
    assert sum("\ufffd" in vocabulary.bytes_at(r).decode("utf-8", "replace") for r in rows) == 1361
