"""SentencePiece models against sentencepiece itself: random models of all four kinds, and what it refuses."""

from __future__ import annotations

import os
import random

import pytest
import sentencepiece

import sp_build
from sp_build import BASE, BYTE, CONTROL, NORMAL, SPACE, UNKNOWN, UNUSED, USER, build
from tokenloupe.core import sp_models
from tokenloupe.core.errors import InputError
from tokenloupe.core.sentencepiece import SentencePieceTokenizer
from tokenloupe.formats import sentencepiece as format_module
from tokenloupe.formats.registry import Source

LONG = os.environ.get("TOKENLOUPE_LONG") == "1"
BYTES = [(f"<0x{b:02X}>", 0.0, BYTE) for b in range(256)]


def load(data: bytes) -> SentencePieceTokenizer:
    assert format_module.sniff(Source(None, "x.model", data)) > 0
    return format_module.load(Source(None, "x.model", data), {})


def reference(data: bytes) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_proto=data)


def charsmap(rule: str) -> bytes:
    """The compiled rules that sentencepiece itself ships under a name."""
    spec = sentencepiece.SentencePieceNormalizer(rule_name=rule).serialized_model_proto()
    others = format_module.read_model(spec)[3]
    blob = format_module._settings(others[3]).bytes(2)
    assert blob
    return blob


@pytest.mark.parametrize("seed", range(400 if LONG else 12))
def test_random_models_give_the_reference_s_ids_and_text(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        data, described = sp_build.random_model(rng)
        ours, theirs = load(data), reference(data)
        for _ in range(8):
            text = sp_build.random_text(rng) * (rng.randint(2, 9) if rng.random() < 0.1 else 1)
            expected = theirs.encode(text)
            found = ours.encode(text)
            assert found.ids.tolist() == expected, (described, text)
            assert bool((found.starts <= found.ends).all()) and found.ends.max(initial=0) <= len(text.encode())
            decoded = theirs.decode(expected)
            if "\ufffd" not in decoded:
                assert ours.decode(expected).decode() == decoded, (described, text)


@pytest.mark.parametrize("seed", range(200 if LONG else 40))
def test_many_stretches_merged_together_give_the_reference_s_ids(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, with the way that only very many new words take."""
    for name, value in (("MANY", 0), ("MADE_IN", 1 << 30), ("FEW_STRETCHES", 0)):
        monkeypatch.setattr(sp_models, name, value)
    rng = random.Random(seed)
    data, described = sp_build.random_model(rng, "bpe")
    ours, theirs = load(data), reference(data)
    for _ in range(8):
        text = sp_build.random_text(rng) * rng.choice([1, 1, 1, 7])
        assert ours.encode(text).ids.tolist() == theirs.encode(text), (described, text)


@pytest.mark.parametrize("rule", ["nmt_nfkc", "nmt_nfkc_cf"])
def test_the_rules_that_sentencepiece_ships(rule: str) -> None:
    rng = random.Random(rule)
    texts = [SPACE, "a", "fi", "1", "カ", "가", "각", "é"]
    pieces = [*BASE, *BYTES, *((c, -float(i), NORMAL) for i, c in enumerate(texts))]
    data = build(pieces, model="char", byte_fallback=True, charsmap=charsmap(rule))
    ours, theirs = load(data), reference(data)
    normalizer = sentencepiece.SentencePieceNormalizer(rule_name=rule)
    odd = ["\ufb01", "①", "\uff21", "e\u0301", "\u1100\u1161\u11a8", "\uff76\uff9e", "\u3000", "\u200b", "\ufeff", "½",
           "\u0130", "ẞ", "\x01", "\t", "\xa0", "\ufffd", "\u2581", "A", " ", "", "𝐀", "😀", "\u0344",
           "\u1e9b\u0323", "ς"]
    for _ in range(3000 if LONG else 150):
        text = "".join(rng.choices(odd, k=rng.randint(0, 10)))
        if rng.random() < 0.5:
            text += chr(rng.choice([rng.randrange(1, 0xD800), rng.randrange(0xE000, 0x30000)]))
        assert ours.encode(text).ids.tolist() == theirs.encode(text), ascii(text)
        assert normalizer.normalize(text) is not None


BROKEN = [b"\xff", b"a\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xc0\x80", b"\xf5"]


@pytest.mark.parametrize("data", BROKEN)
def test_bytes_that_are_no_utf8_are_one_replacement_character_each(data: bytes) -> None:
    model = build([*BASE, *BYTES, (SPACE, -1.0, NORMAL), ("o", -2.0, NORMAL)], byte_fallback=True)
    found = load(model).encode(data)
    assert found.ids.tolist() == reference(model).encode(data)
    assert [x.stage for x in found.lost] and found.exact is False


def test_prefix_has_no_bytes_and_lost_spaces_are_named() -> None:
    tokenizer = load(build([*BASE, (SPACE, -1.0, NORMAL), ("hi", -1.0, NORMAL)]))
    found = tokenizer.encode("  hi ")
    assert [(t.bytes, t.start, t.end) for t in found.tokens] == [(b" ", 2, 2), (b"hi", 2, 4)]
    assert [(x.start, x.end, x.stage) for x in found.lost] == [
        (0, 2, "remove_extra_whitespaces"), (4, 5, "remove_extra_whitespaces")]


def test_byte_pieces_have_their_own_bytes() -> None:
    tokenizer = load(build([*BASE, *BYTES, (SPACE, -1.0, NORMAL), ("a", -1.0, NORMAL)], byte_fallback=True))
    found = tokenizer.encode("a😀")
    assert [(t.bytes, t.start, t.end) for t in found.tokens] == [
        (b" ", 0, 0), (b"a", 0, 1), (b"\xf0", 1, 2), (b"\x9f", 2, 3), (b"\x98", 3, 4), (b"\x80", 4, 5)]
    assert tokenizer.decode(found.ids[2:4]) == b"\xf0\x9f"  # the library would give U+FFFD twice
    assert found.exact


def test_a_replaced_character_is_behind_every_token_of_its_replacement() -> None:
    pieces = [*BASE, (SPACE, -1.0, NORMAL), ("f", -1.0, NORMAL), ("i", -1.0, NORMAL), ("x", -1.0, NORMAL)]
    found = load(build(pieces, charsmap=charsmap("nmt_nfkc"))).encode("\ufb01x")
    assert [(t.bytes, t.start, t.end) for t in found.tokens] == [(b" ", 0, 0), (b"f", 0, 3), (b"i", 0, 3), (b"x", 3, 4)]
    assert (found.lost[0].start, found.lost[0].end) == (0, 3)


def test_long_texts_follow_the_reference_s_rounding_and_its_reset() -> None:
    """Scores in tenths tie again and again; sums pass 100,000, where the reference starts anew."""
    rng = random.Random(5)
    letters = "abcd"
    texts = {"".join(rng.choices(letters, k=rng.randint(1, 4))) for _ in range(60)} | set(letters)
    pieces = [*BASE, (SPACE, -3.0, NORMAL), *((t, -round(rng.uniform(1, 90), 1), NORMAL) for t in sorted(texts))]
    data = build(pieces)
    text = " ".join("".join(rng.choices(letters, k=rng.randint(1, 12))) for _ in range(3000))
    assert load(data).encode(text).ids.tolist() == reference(data).encode(text)


def test_special_modes_and_ends() -> None:
    tokenizer = load(build([*BASE, (SPACE + "a", -1.0, NORMAL), ("<x>", 0.0, USER)]))
    assert tokenizer.special_tokens == {"<s>": 1, "</s>": 2} and tokenizer.added_tokens == {"<x>": 4}
    assert tokenizer.encode("a<s>a", special="parse").ids.tolist() == [3, 1, 3]
    assert tokenizer.encode("a", bos_eos=True).ids.tolist() == [1, 3, 2]
    assert tokenizer.vocabulary.raw_at(3) == SPACE + "a" and tokenizer.vocabulary.bytes_of(3) == b" a"


REFUSED = {
    "no unknown piece": build([("a", 0.0, NORMAL)]),
    "two unknown pieces": build([("<unk>", 0.0, UNKNOWN), ("<u>", 0.0, UNKNOWN), ("a", 0.0, NORMAL)]),
    "an empty piece": build([*BASE, ("", 0.0, NORMAL)]),
    "a zero byte": build([*BASE, ("a\0b", 0.0, NORMAL)]),
    "a piece twice": build([*BASE, ("a", 0.0, NORMAL), ("a", -1.0, NORMAL)]),
    "a piece too long": build([*BASE, ("a" * 8000, 0.0, NORMAL)]),
    "a byte piece without fallback": build([*BASE, ("<0x41>", 0.0, BYTE), ("a", 0.0, NORMAL)]),
    "no such byte piece": build([*BASE, *BYTES[:-1], ("<0xZZ>", 0.0, BYTE), ("a", 0.0, NORMAL)], byte_fallback=True),
    "a byte piece is missing": build([*BASE, *BYTES[:-1], ("a", 0.0, NORMAL)], byte_fallback=True),
    "a score that is no number": build([*BASE, ("a", float("nan"), NORMAL)]),
    "nothing matches text": build(BASE),
    "rules cut short": build([*BASE, ("a", 0.0, NORMAL)], charsmap=b"\0\4\0\0abc"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_sentencepiece_refuses_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(Exception):  # noqa: B017  the library has no exception type of its own
        reference(REFUSED[name])
    with pytest.raises(InputError) as error:
        load(REFUSED[name])
    assert error.value.where


def test_one_control_piece_may_have_a_normal_piece_s_text_except_in_bpe() -> None:
    twice = [("<unk>", 0.0, UNKNOWN), ("a", 0.0, CONTROL), ("a", -1.0, NORMAL)]
    assert load(build(twice)).encode("a").ids.tolist() == reference(build(twice)).encode("a")
    with pytest.raises(InputError, match="there twice"):
        load(build(twice, model="bpe"))


@pytest.mark.parametrize("cut", range(1, 60))
def test_cut_anywhere_it_is_an_error_and_never_a_crash(cut: int) -> None:
    data = build([*BASE, ("a", -1.0, NORMAL), (SPACE, -1.0, UNUSED)])
    source = Source(None, "x.model", data[: len(data) - cut])
    if format_module.sniff(source):
        try:
            format_module.load(source, {})
        except InputError as error:
            assert str(error)


def test_pieces_in_another_order_of_fields_are_read_too() -> None:
    odd = sp_build.message(1, sp_build.number(3, UNKNOWN) + sp_build.message(1, b"<unk>")) + sp_build.message(
        1, sp_build.message(1, b"a" * 200) + b"\x15\0\0\x80\xbf") + sp_build.message(2, sp_build.number(3, 4))
    assert load(odd).encode("a" * 200).ids.tolist() == reference(odd).encode("a" * 200)
    assert load(odd).vocabulary.scores.tolist() == [0.0, -1.0]


def test_a_large_text_is_encoded_in_slices_to_the_same_tokens() -> None:
    rng = random.Random(9)
    texts = {"".join(rng.choices("abcd", k=rng.randint(1, 4))) for _ in range(60)} | set("abcd")
    for model in ("unigram", "bpe"):
        pieces = [*BASE, (SPACE, -3.0, NORMAL), *((t, -rng.uniform(1, 9), NORMAL) for t in sorted(texts))]
        data = build(pieces, model=model)
        text = " ".join("".join(rng.choices("abcd", k=rng.randint(1, 14))) for _ in range(6000)).encode()
        *progress, found = load(data).encode_steps(text, "text")
        assert not isinstance(found, float) and found.ids.tolist() == reference(data).encode(text)
        assert progress == sorted(progress) and all(isinstance(p, float) and 0 <= p <= 1 for p in progress)


def test_a_control_piece_that_is_no_text_does_not_hinder_the_others() -> None:
    data = build([*BASE, ("<x>", 0.0, CONTROL), (SPACE + "a", -1.0, NORMAL)]).replace(b"<x>", b"<\x80>")
    t = load(data)
    assert t.special_tokens["<\ufffd>"] == 3
    assert t.encode("a", special="parse").ids.tolist() == reference(data).encode("a") == [4]
