"""Documents of tokenizers that are no byte-level ones: between two seams an edit is worked out by itself, and the
tokens equal those of encoding all anew."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pytest

from tokenloupe.core import document_whole
from tokenloupe.core.document import Document
from tokenloupe.core.document_whole import Whole
from tokenloupe.core.seams import Seams
from tokenloupe.core.store import TextStore
from tokenloupe.core.token_gap import LostTable, TokenGap
from tokenloupe.core.tokenizer import Lost, SpecialMode, Tokenizer
from tokenloupe.formats import open_bytes

from ..sp_build import build, random_model

PARTS = ["a", "the ", " the", " ", "  ", "\n", "quick ", "Ü", "e\u0301", "中文", "語彙を", "か\u3099", "言語模型",
         "слово ", "한국어 ", "▁", "<s>", " <s>", "<m>", "\t", "½", "x y",
         *["one two three ", "to be or not to be "] * 5]
ODD = [b"\xff", b"\xe4\xb8", b"\x80"]
WORDS = ["[UNK]", "one", "two", "t", "##wo", "##o", "to", "be", "or", "a", "the", "x", "y", "not", "quick", "u", "e"]
MERGES = ["▁ ▁", "t o", "▁ to", "o n", "on e", "▁ one", "b e", "t h", "th e", "▁ t", "e ▁"]


def token(number: int, content: str, **flags: bool) -> dict[str, Any]:
    return {"id": number, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
            "normalized": False, "special": True, **flags}


def tokenizer_json(**stages: Any) -> Tokenizer:
    size = len(stages["model"]["vocab"])
    value = {"version": "1.0", "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None,
             "added_tokens": [token(size, "<s>"), token(size + 1, "<m>", lstrip=True, rstrip=True)], **stages}
    return open_bytes(orjson.dumps(value), "tokenizer.json")


def word_piece() -> Tokenizer:
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
             "max_input_chars_per_word": 100, "vocab": {w: i for i, w in enumerate(WORDS)}}
    bert = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
            "lowercase": True}
    return tokenizer_json(model=model, normalizer=bert, pre_tokenizer={"type": "BertPreTokenizer"},
                          decoder={"type": "WordPiece", "prefix": "##", "cleanup": True})


def spelled_bpe() -> Tokenizer:
    """As Llama 2's: no pre-tokenizer, spaces written as signs. A piece ends in "e▁": there is no seam behind an e."""
    letters = sorted({c for m in MERGES for c in m.replace(" ", "")} | set("acfiklqruwxy"))
    vocab = ["<unk>", *letters, *(m.replace(" ", "") for m in MERGES)]
    model = {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": False,
             "vocab": {w: i for i, w in enumerate(dict.fromkeys(vocab))}, "merges": MERGES}
    signs = {"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}
    back = {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
    return tokenizer_json(model=model, normalizer=signs, decoder=back)


def unigram() -> Tokenizer:
    pieces = ["<unk>", "▁", "▁one", "▁t", "wo", "▁to", "▁be", "o", "n", "t", "e", "▁or", "a", "he", "x", "y"]
    model = {"type": "Unigram", "unk_id": 0, "vocab": [[p, -1.0 - i / 8] for i, p in enumerate(pieces)],
             "byte_fallback": False}
    return tokenizer_json(model=model, decoder={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
                          pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})


MADE = {"word pieces": word_piece, "spelled BPE": spelled_bpe, "unigram": unigram}


@pytest.fixture(params=list(MADE))
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return MADE[request.param]()


def text(rng: random.Random, most: int) -> bytes:
    return b"".join(rng.choice(ODD) if rng.random() < 0.02 else rng.choice(PARTS).encode()
                    for _ in range(rng.randint(0, most)))


def check(document: Document, special: SpecialMode) -> None:
    """The document is what encoding its text gives."""
    whole = document.tokenizer._encode(document.data, special, False)
    found = document.tokens(0, document.token_count)
    for name in ("ids", "starts", "ends", "kinds"):
        assert getattr(found, name).tolist() == getattr(whole, name).tolist(), (document.data, name)


def test_edits(tokenizer: Tokenizer) -> None:
    rng = random.Random(tokenizer.format)
    partly = 0
    for round_ in range(12):
        special: SpecialMode = "parse" if round_ % 2 else "text"
        document = Document(tokenizer, text(rng, 60), special)
        for _ in range(8):
            before = document.tokens(0, document.token_count)
            at = rng.randint(0, len(document))
            removed = rng.randint(0, min(rng.choice((0, 1, 9)), len(document) - at))
            new = text(rng, 3)
            change = document.edit(at, removed, new)
            check(document, special)
            after = document.tokens(0, document.token_count)
            first, last = change.first_token, change.first_token + change.tokens_removed
            assert before.ids[:first].tolist() == after.ids[:first].tolist()
            assert before.ids[last:].tolist() == after.ids[first + change.tokens_inserted :].tolist()
            assert (before.starts[last:] + len(new) - removed).tolist() == \
                after.starts[first + change.tokens_inserted :].tolist()
            part = document._tokens
            assert isinstance(part, Whole)
            partly += part._encoding is None
            if rng.random() < 0.7:
                continue
            fresh = Document(tokenizer, document.data, special)
            assert document.exact == fresh.exact
            low, high = sorted(rng.randint(0, len(document)) for _ in range(2))
            for place in ((low, high), (low, low)):
                assert document.window(*place).starts.tolist() == fresh.window(*place).starts.tolist()
            assert document.token_at(low) == fresh.token_at(low)
            if rng.random() < 0.5:
                assert document.encoding().lost == fresh.encoding().lost
    assert partly > 50


def test_little_is_encoded(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is larger than what is encoded at once keeps its tokens, and no more than its surroundings are
    encoded."""
    document = Document(tokenizer, b"one two to be or not " * 8000)
    document.encoding()
    seen: list[int] = []
    encode = type(tokenizer).encode

    def counted(self: Tokenizer, data: bytes, **more: Any) -> Any:
        seen.append(len(data))
        return encode(self, data, **more)

    monkeypatch.setattr(type(tokenizer), "encode", counted)
    for place in (90_000, 90_003, 0, len(document), 50_000):
        document.edit(place, 0, b"x")
        assert document.complete
    assert max(seen) < 2000
    monkeypatch.undo()
    check(document, "text")


def test_seams_lie_where_no_piece_does() -> None:
    seams = Seams.of(spelled_bpe())
    assert seams is not None
    store = TextStore(b"the one  x to be or  not ")
    assert [p for p in range(len(store)) if seams.first_from(store, p) == p] == [10, 13]  # not behind an e
    assert seams.last_before(store, len(store)) == 13
    assert not seams.apart.beyond  # what a normalizer makes an e of is not known
    assert seams.last_before(store, 12) == 10 and seams.last_before(store, 9) is None


def test_seams_beyond_ascii() -> None:
    seams = Seams.of(word_piece())
    assert seams is not None
    data = "слово и \u0301 дело 語彙を".encode()
    found = [data[:p].decode() for p in range(1, len(data)) if seams.first_from(TextStore(data), p) == p]
    assert found == ["слово", "слово и \u0301 дело", "слово и \u0301 дело 語"]


def test_no_seams_where_nothing_is_proved() -> None:
    made = word_piece()
    parts = made.parts  # type: ignore[attr-defined]
    model = {"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0}}
    assert Seams.of(tokenizer_json(model=model)) is None
    split = {"type": "Split", "pattern": {"Regex": "a b|."}, "behavior": "Isolated", "invert": False}
    assert Seams.of(tokenizer_json(model=model, pre_tokenizer=split)) is None
    swap = {"type": "Replace", "pattern": {"Regex": "a b"}, "content": "c"}
    assert Seams.of(tokenizer_json(model=model, normalizer=swap, pre_tokenizer={"type": "WhitespaceSplit"})) is None
    over = [token(1, "go on")]
    assert Seams.of(tokenizer_json(model=model, pre_tokenizer={"type": "WhitespaceSplit"}, added_tokens=over)) is None
    assert Seams.of(made) is not None and replace(parts) == parts


def test_sentencepiece() -> None:
    spelled = ["<unk>", "▁", "▁o", "ne", "▁one", "o", "n", "e"]
    pieces = [(p, -float(i), 1 if i else 2) for i, p in enumerate(spelled)]
    tokenizer = open_bytes(build(pieces, model="bpe"), "m.model")
    assert Seams.of(tokenizer) is not None
    document = Document(tokenizer, b"one none one one one eon one one one one one" * 3)
    rng = random.Random(3)
    for _ in range(60):
        document.edit(rng.randint(0, len(document)), 0, rng.choice((b" ", b"o", b"one ", b"z", b"\xff")))
        check(document, "text")
    single = open_bytes(build(pieces), "m.model")
    assert Seams.of(single) is None  # its sums are rounded along the whole text


def test_random_models() -> None:
    """Of any kind, pieces with spaces inside included."""
    rng = random.Random(11)
    some = 0
    for _ in range(30):
        model, told = random_model(rng)
        tokenizer = open_bytes(model, "m.model")
        some += Seams.of(tokenizer) is not None
        document = Document(tokenizer, "".join(rng.choices(["a ", "b c", "c", "é", "ab ba ", "你", " "], k=60)))
        for _ in range(6):
            document.edit(rng.randint(0, len(document)), 0, rng.choice((b" ", b"a", b"b c", b"ab ", b"\xff")))
            whole = tokenizer.encode(document.data)
            found = document.tokens(0, document.token_count)
            assert (found.ids.tolist(), found.starts.tolist()) == (whole.ids.tolist(), whole.starts.tolist()), told
    assert some > 5


def test_gap() -> None:
    rng = random.Random(5)
    starts = np.cumsum([rng.randint(0, 3) for _ in range(40)])
    plain = [(i, int(s), int(s) + 2, i % 3) for i, s in enumerate(starts)]

    def columns(rows: list[tuple[int, int, int, int]]) -> tuple[Any, Any, Any, Any]:
        table = np.array(rows, np.int64).reshape(-1, 4)
        return table[:, 0], table[:, 1], table[:, 2], table[:, 3].astype(np.uint8)

    gap = TokenGap(*columns(plain))
    for turn in range(200):
        first = rng.randint(0, len(plain))
        last = rng.randint(first, min(first + 4, len(plain)))
        at = plain[first - 1][1] if first else 0
        new = [(1000 + turn, at, at + 2, 1)] * rng.randint(0, 4)
        shift = rng.randint(0, 5)
        plain = plain[:first] + new + [(i, s + shift, e + shift, k) for i, s, e, k in plain[last:]]
        gap.splice(first, last, *columns(new), shift)
        assert len(gap) == len(plain)
        low, high = sorted(rng.randint(0, len(plain)) for _ in range(2))
        assert [tuple(map(int, row)) for row in zip(*gap.tokens(low, high), strict=True)] == plain[low:high]
        place = rng.randint(0, plain[-1][2] if plain else 0)
        assert gap.starting_before(place) == sum(s < place for _, s, _, _ in plain)
        assert gap.ending_to(place) == sum(e <= place for _, _, e, _ in plain)


def test_lost_table() -> None:
    table = LostTable([Lost(0, 0, "a"), Lost(2, 6, "b"), Lost(8, 9, "c")])
    assert table.touching(5, 8) == [Lost(2, 6, "b")]
    table.splice(4, 7, [Lost(3, 5, "d"), Lost(90, 95, "e")], 1, to_end=False)
    assert table.all() == (Lost(0, 0, "a"), Lost(2, 4, "b"), Lost(4, 5, "d"), Lost(9, 10, "c"))
    table.splice(9, 10, [], 0, to_end=True)
    assert len(table) == 3


def test_far_seams_fall_back(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without seams near, a text of some size is encoded whole, as before."""
    monkeypatch.setattr(document_whole, "AT_ONCE", 64)
    document = Document(tokenizer, b"to." * 100)
    document.edit(150, 0, b"x")
    assert not document.complete
    document.encoding()
    check(document, "text")
