"""The hf-decode-stream policy against tokenizers' own DecodeStream, step for step, on tokenizers built here."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import tokenizers
from tokenizers import AddedToken, Tokenizer, decoders, models
from tokenizers.decoders import DecodeStream

from tokenloupe.core.stream_lanes import Run
from tokenloupe.core.stream_sources import spelled
from tokenloupe.core.stream_tokens import TokenStream


def byte_characters() -> dict[int, str]:
    """GPT-2's byte map, from its description: printable bytes are themselves, the others follow at U+0100."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in printable]
    return {**{b: chr(b) for b in printable}, **{b: chr(0x100 + i) for i, b in enumerate(others)}}


def byte_level() -> Tokenizer:
    characters = byte_characters()
    pieces = [bytes([b]) for b in range(256)] + [b"Go\xe2", b"\x82\xac\xe2\x86", b"\x92\xf0\x9f", b"\x99\x82",
                                                "🙂".encode(), b" the", b"\xef\xbf", "\ufffd".encode(), b"\xbd "]
    vocabulary = {"".join(characters[b] for b in piece): i for i, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken("<|end|>", special=True)])
    return tokenizer


def metaspace(scheme: str = "always") -> Tokenizer:
    words = ["▁", "▁hi", "hi", "▁▁x", "é", "▁日", "\ufffd", "a\ufffd", "."]
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="."))
    tokenizer.decoder = decoders.Metaspace(prepend_scheme=scheme)
    return tokenizer


LLAMA_WORDS = ["▁", "▁hi", "hi", "▁▁x", "é", "\ufffd", *(f"<0x{b:02X}>" for b in range(0x78, 0x100))]


def llama() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(LLAMA_WORDS)}, unk_token="hi"))
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                           decoders.Strip(" ", 1, 0)])
    return tokenizer


def word_piece() -> Tokenizer:
    words = ["hello", "##ing", "world", ",", "do", "n't", "##\ufffd", "é"]
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(words)}, unk_token=","))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


MAKERS: list[Callable[[], Tokenizer]] = [byte_level, metaspace, llama, word_piece]


def stream_of(tokenizer: Tokenizer, ids: list[int], prompt: int, skip: bool) -> TokenStream:
    """The policy's own algorithm alone is under test here: decoding is the library's."""
    pieces = tuple(tokenizer.decode([i], skip_special_tokens=skip).encode() for i in ids)
    return TokenStream("test", pieces, pieces,
                       lambda first, last: tokenizer.decode(ids[first:last], skip_special_tokens=skip),
                       ids=tuple(ids), prompt=prompt)


def reference(tokenizer: Tokenizer, ids: list[int], prompt: int, primed: bool, skip: bool) -> list[str | None]:
    stream = DecodeStream(ids=ids[:prompt] if primed else None, skip_special_tokens=skip)
    out: list[str | None] = []
    for token_id in ids[prompt:]:
        try:
            out.append(stream.step(tokenizer, token_id))
        except Exception as error:  # noqa: BLE001 - the library raises bare Exception
            assert "prefix" in str(error).lower()
            out.append("error")
    return out


def ours(stream: TokenStream, primed: bool) -> list[str | None]:
    run = Run(stream, ("hf-decode-stream",), primed=primed)
    run.compute()
    lane = run.lanes[0]
    out: list[str | None] = []
    for position in range(1, run.steps):
        view = run.view(lane, position)
        out.append("error" if "raises an error" in view.note else view.emitted or None)
    return out


def test_the_version_that_is_reproduced() -> None:
    assert tokenizers.__version__.startswith("0.23.")


@pytest.mark.parametrize("make", MAKERS)
def test_step_for_step(make: Callable[[], Tokenizer]) -> None:
    tokenizer = make()
    size = tokenizer.get_vocab_size()
    r = random.Random(23)
    telling = [tokenizer.token_to_id(t) for t in tokenizer.get_vocab() if tokenizer.token_to_id(t) >= size - 30]
    compared = waited = 0
    for _ in range(1500):
        ids = [r.choice(telling) if r.random() < 0.6 else r.randrange(size) for _ in range(r.randint(1, 12))]
        prompt = r.choice((0, 0, r.randint(0, len(ids) - 1)))
        primed, skip = r.random() < 0.7, r.random() < 0.5
        expected = reference(tokenizer, ids, prompt, primed, skip)
        assert ours(stream_of(tokenizer, ids, prompt, skip), primed) == expected, (ids, prompt, primed, skip)
        compared += len(expected)
        waited += expected.count(None)
    assert compared > 5000 and waited > 100


def test_an_invalid_prefix_is_an_error_in_both() -> None:
    # ByteFallback: y, which was given out already, becomes U+FFFD because of the half character that follows it.
    tokenizer = llama()
    words = ("<0x79>", "<0xE2>", "hi", "▁hi")
    ids = [tokenizer.token_to_id(w) for w in words]
    assert [tokenizer.decode(ids[:n]) for n in (1, 2, 3)] == ["y", "\ufffd\ufffd", "\ufffd\ufffdhi"]
    expected = reference(tokenizer, ids, 0, False, False)
    assert expected[:3] == ["y", None, "error"]
    assert ours(stream_of(tokenizer, ids, 0, False), False) == expected
    assert ours(spelled(words, decoder="llama"), False) == expected


def test_the_known_failures_are_labelled() -> None:
    run = Run(TokenStream.of_chunks([b"a", b"\xef\xbf\xbd", b"b", b"\xff", b"c", b"\xf0\x9f", b"\xef\xbf\xbd"]),
              ("hf-decode-stream",))
    run.compute()
    notes = [run.view(run.lanes[0], p).note for p in range(1, run.steps + 1)]
    assert "genuine U+FFFD" in notes[1] and "invalid byte" in notes[3] and notes[5] == ""
    assert "genuine U+FFFD" in notes[6] and "no flush: the last 5 bytes never come out" in notes[7]


@pytest.mark.parametrize(("kind", "make"), [("metaspace", metaspace), ("llama", llama)])
def test_spelled_tokens_decode_as_the_library_does(kind: str, make: Callable[[], Tokenizer]) -> None:
    tokenizer = make()
    words = sorted(tokenizer.get_vocab(), key=tokenizer.token_to_id)
    r = random.Random(29)
    for _ in range(1500):
        chosen = [r.choice(words[:6] if r.random() < 0.4 else words) for _ in range(r.randint(1, 8))]
        ids = [tokenizer.token_to_id(w) for w in chosen]
        stream = spelled(chosen, decoder=kind)  # type: ignore[arg-type]
        for first in range(len(ids)):
            assert stream.decode(first, len(ids)) == tokenizer.decode(ids[first:]), chosen
        for index, token_id in enumerate(ids):
            if not chosen[index].startswith("<0x"):
                assert stream.alone[index].decode() == tokenizer.decode([token_id])
        if not any(w.startswith("<0x") for w in chosen):
            assert stream.data.decode() == tokenizer.decode(ids), chosen
