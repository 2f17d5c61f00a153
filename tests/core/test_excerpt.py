"""A part of a document as a document: it answers all that one answers, with the tokens it had."""

from __future__ import annotations

import inspect
import json

import pytest

from hf_oracle import open_bytes
from tokenloupe.core.document import Document
from tokenloupe.core.excerpt import ExcerptDocument, excerpt
from tokenloupe.formats.bundled import load_bundled


def lower():
    value = {"normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "WhitespaceSplit"},
             "model": {"type": "WordLevel", "vocab": {"?": 0, "ab": 1}, "unk_token": "?"}}
    return open_bytes(json.dumps(value).encode(), "lower")


def test_whatever_a_document_keeps_inside_its_part_answers_for_itself() -> None:
    """A part has no tokens table of its own: a method of Document that reads one must be there anew."""
    reads = {name for name, method in inspect.getmembers(Document)
             if not name.startswith("_") and "self._tokens" in _source(method)}
    assert reads and reads <= set(vars(ExcerptDocument))


def _source(member: object) -> str:
    function = member.fget if isinstance(member, property) else member
    return inspect.getsource(function) if inspect.isfunction(function) else ""


@pytest.mark.parametrize(("name", "text"), [("gpt2", "naïve 漢字 words"), ("lower", "AB ab Ab x")])
def test_answers_are_those_of_the_document(name: str, text: str) -> None:
    document = Document(lower() if name == "lower" else load_bundled(name), text.encode())
    for _ in document.fill():
        pass
    part = ExcerptDocument(document.tokenizer, excerpt(document, 0, 0).encoding)
    size = len(document)
    assert (len(part), part.token_count, part.exact, part.complete_to, part.complete) == (
        size, document.token_count, document.exact, size, True)
    for start in range(size + 1):
        assert part.token_at(start) == document.token_at(start)
        for end in range(start, size + 1):
            ours, theirs = part.window(start, end), document.window(start, end)
            assert ours.ids.tolist() == theirs.ids.tolist() == part.preview(start, end).ids.tolist()
            assert [(x.start, x.end) for x in part.lost_in(start, end)] == [
                (x.start, x.end) for x in document.encoding().lost if x.start < end and x.end > start]
