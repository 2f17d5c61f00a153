"""tekken.json and claude.json built by hand, against tiktoken with the same ranks."""

from __future__ import annotations

import base64
import json
import unicodedata
from typing import Any

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.errors import InputError
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats import open_bytes

PATTERN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
MORE = [b"ab", b" a", b"\xe4\xbd", b"\xe4\xbd\xa0", b"abab", b"!!"]
RANKS = {**{bytes((b,)): b for b in range(256)}, **{t: 256 + i for i, t in enumerate(MORE)}}
REFERENCE = tiktoken.Encoding("x", pat_str=PATTERN, mergeable_ranks=RANKS, special_tokens={})
LETTERS = ["a", "b", " ", "你", "!", "\n", "1", "é", "/", "\u0301", "ﬁ", "Å", "ｶ", "ﾞ"]
TEXTS = st.text(st.sampled_from(LETTERS), max_size=12)


def tekken(live: int | None = None, **changes: Any) -> bytes:
    vocab = [{"rank": i, "token_bytes": base64.b64encode(t).decode(), "token_str": None} for t, i in RANKS.items()]
    document: dict[str, Any] = {
        "config": {"pattern": PATTERN, "num_vocab_tokens": len(vocab), "default_num_special_tokens": 4,
                   "default_vocab_size": 4 + (live or len(vocab)), "version": "v3"},
        "vocab": vocab,
        "special_tokens": [{"rank": i, "token_str": t} for i, t in enumerate(["<unk>", "<s>", "</s>"])],
    }
    return json.dumps({k: v for k, v in {**document, **changes}.items() if v is not None}).encode()


def claude() -> bytes:
    ranks = "! 5 " + " ".join(base64.b64encode(t).decode() for t in RANKS)
    return json.dumps({"explicit_n_vocab": 267, "pat_str": PATTERN, "special_tokens": {"<EOT>": 0, "<META>": 1},
                       "bpe_ranks": ranks}).encode()


@pytest.fixture(scope="module")
def opened() -> tuple[Tokenizer, Tokenizer]:
    return open_bytes(tekken(), "tekken.json"), open_bytes(claude(), "claude.json")


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_ids_are_tiktoken_s_shifted(opened: tuple[Tokenizer, Tokenizer], text: str) -> None:
    expected = REFERENCE.encode_ordinary(text)
    assert opened[0].encode(text).ids.tolist() == [i + 4 for i in expected]
    normal = unicodedata.normalize("NFKC", text)
    found = opened[1].encode(text)
    assert found.ids.tolist() == [i + 5 for i in REFERENCE.encode_ordinary(normal)]
    assert bool((found.starts <= found.ends).all()) and found.ends.max(initial=0) <= len(text.encode())


def test_tekken_specials_and_ends(opened: tuple[Tokenizer, Tokenizer]) -> None:
    tokenizer = opened[0]
    assert tokenizer.special_tokens == {"<unk>": 0, "<s>": 1, "</s>": 2, "<SPECIAL_3>": 3}
    assert tokenizer.encode("ab", bos_eos=True).ids.tolist() == [1, 260, 2]
    assert tokenizer.encode("<s>ab", special="parse").ids.tolist() == [1, 260]
    assert len(tokenizer.encode("<s>ab")) > 2


def test_only_live_ranks_are_tokens() -> None:
    tokenizer = open_bytes(tekken(257), "tekken.json")
    assert tokenizer.vocabulary.id_of(b"ab") == 260 and tokenizer.vocabulary.id_of(b" a") is None
    assert any("beyond default_vocab_size" in w for w in tokenizer.warnings)


def test_default_specials_when_none_are_listed() -> None:
    tokenizer = open_bytes(tekken(special_tokens=None), "tekken.json")
    assert list(tokenizer.special_tokens) == ["<unk>", "<s>", "</s>", "[INST]"] and tokenizer.warnings


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"vocab": [{"rank": 0}]}, "live ranks"),
        ({"vocab": [{"rank": 1, "token_bytes": "YQ=="}] * 262}, r"rank 1 where 0 belongs, vocab\[0\]"),
        ({"vocab": [{"rank": i, "token_bytes": "?"} for i in range(262)]}, r"base64 token_bytes, vocab\[0\]"),
        ({"special_tokens": [{"rank": 1, "token_str": "x"}]}, r"special_tokens\[0\]"),
        ({"special_tokens": [{"rank": i, "token_str": str(i)} for i in range(5)]}, "where 4 belong"),
    ],
)
def test_wrong_parts_are_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_bytes(tekken(**changes), "tekken.json")


def test_nfkc_spans(opened: tuple[Tokenizer, Tokenizer]) -> None:
    found = opened[1].encode("ﬁa\u0301")
    assert [(t.bytes, t.start, t.end) for t in found.tokens] == [
        (b"f", 0, 3), (b"i", 0, 3), (b"\xc3", 3, 6), (b"\xa1", 3, 6)]
    assert [(x.start, x.end, x.stage) for x in found.lost] == [(0, 6, "NFKC")]
    assert opened[1].encode(b"\xff\xef\xac\x81").ids.tolist() == [255 + 5, ord("f") + 5, ord("i") + 5]


def test_claude_s_ranks_are_checked() -> None:
    for ranks, said in (("? 5 YQ==", "no line of"), ("! 5 Y", "rank 5"), ("", "no ranks")):
        document = json.dumps({"pat_str": PATTERN, "bpe_ranks": ranks, "special_tokens": {}}).encode()
        with pytest.raises(InputError, match=said):
            open_bytes(document, "claude.json")
