"""The round-trip verdict: exact iff decoding gives the bytes back; else the stage, the bytes, what comes instead."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.document import Document
from tokenloupe.core.roundtrip_report import Verdict, losses, verify
from tokenloupe.core.tokenizer import Lost, Tokenizer
from tokenloupe.formats import open_bytes
from tokenloupe.formats.bundled import load_bundled

from .bytelevel_vocabularies import ours, ranks_of


def judged(document: Document) -> Verdict:
    *steps, verdict = verify(document)
    assert all(isinstance(s, float) and 0 <= s <= 1 for s in steps)
    assert isinstance(verdict, Verdict)
    return verdict


def pipeline(**stages: object) -> Tokenizer:
    whole = {"added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None,
             "decoder": {"type": "Fuse"}}
    model = {"type": "BPE", "vocab": {c: i for i, c in enumerate("abu ?")}, "merges": [], "unk_token": "?"}
    return open_bytes(json.dumps({**whole, "model": model, **stages}).encode(), "tokenizer.json")


@given(st.binary(max_size=40))
@settings(max_examples=100, deadline=None)
def test_byte_level_documents_are_exact(data: bytes) -> None:
    verdict = judged(Document(ours(ranks_of(b"ab", b"\xe2\x82")), data))
    assert (verdict.exact, verdict.size, verdict.losses) == (True, len(data), ())


@given(st.text(alphabet="abAB ux漢", max_size=20))
@settings(max_examples=100, deadline=None)
def test_the_verdict_is_the_decoders(text: str) -> None:
    tokenizer = pipeline(normalizer={"type": "Lowercase"})
    document = Document(tokenizer, text)
    verdict = judged(document)
    data = text.encode()
    decoded = tokenizer.decode(document.encoding().ids)
    assert verdict.exact == (decoded == data)
    assert bool(verdict.losses) != verdict.exact
    # What is lost, put back in its place, and nothing else: the input. What is given: the decoded text.
    out, at = b"", 0
    for loss in verdict.losses:
        assert data[loss.start : loss.end] == loss.lost
        assert loss.given is not None
        out += data[at : loss.start] + loss.given
        at = loss.end
    assert out + data[at:] == decoded
    assert verdict.lost_bytes == sum(len(x.lost) for x in verdict.losses)


def test_the_stage_and_the_tokens() -> None:
    verdict = judged(Document(pipeline(normalizer={"type": "Lowercase"}), "aBax"))
    assert [(x.stage, x.lost, x.given, x.first, x.last) for x in verdict.losses] == [
        ("Lowercase", b"B", b"b", 1, 2), ("model: no token", b"x", b"?", 3, 4)]
    assert verdict.stages == [("Lowercase", 1, 1), ("model: no token", 1, 1)]
    assert verdict.sentence == "Not exact: of 4 bytes 2 do not come back as they were, in 2 places."


def test_sentences() -> None:
    tokenizer = ours(ranks_of(b"ab"))
    assert judged(Document(tokenizer, b"ab")).sentence == "Exact: 1 token decodes to the same 2 bytes."
    assert judged(Document(tokenizer, b"abb")).sentence == "Exact: 2 tokens decode to the same 3 bytes."
    assert judged(Document(tokenizer, b"")).sentence == "There are no tokens."


def test_a_large_document_is_decoded_in_slices() -> None:
    data = b"ab x" * 40_000
    steps = list(verify(Document(ours(ranks_of(b"ab"), r"\S+|\s"), data)))
    assert len(steps) > 4
    assert steps[-1] == Verdict(True, len(data), len(data), 120_000)


def test_what_a_decoder_puts_in_is_told_beside_what_a_stage_lost() -> None:
    """A tokenizer that names its own losses says nothing of bytes that its decoder adds; a comparison does."""
    document = Document(load_bundled("gpt2"), b"aHb c")
    found = losses(document, (Lost(1, 2, "lower case"),), b"ahb  c ")
    assert [(x.start, x.end, x.stage, x.lost, x.given) for x in found] == [
        (1, 2, "lower case", b"H", b"h"), (4, 4, "decoder", b"", b" "), (5, 5, "decoder", b"", b" ")]
    assert Verdict(False, 5, 7, 3, found).sentence == (
        "Not exact: of 5 bytes 1 do not come back as they were, in 1 place; bytes are put in at 2 places.")
    found = losses(document, (Lost(1, 2, "lower case"),), b"ahb x")
    assert [(x.start, x.end, x.stage, x.lost, x.given) for x in found] == [
        (1, 2, "lower case", b"H", b"h"), (4, 5, "decoder", b"c", b"x")]
    found = losses(document, (Lost(5, 5, "decoder"),), b"aHb c ")
    assert [(x.start, x.end, x.stage, x.given) for x in found] == [(5, 5, "decoder", b" ")]
    assert Verdict(False, 5, 6, 3, found).sentence == "Not exact: bytes are put in at 1 place."
