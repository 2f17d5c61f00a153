"""The inspector's model: which token, when it is looked at, its places, what is said of it in plain text."""

from __future__ import annotations

import pytest

from tokenloupe.core.vocabulary import TokenKind
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models import inspector_text as text
from tokenloupe.models.inspector import InspectorModel
from tokenloupe.models.inspector_rows import ROW, Row
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session


@pytest.fixture
def session(qapp) -> Session:
    """gpt2: " token" is 11241, "izer" 7509 (tiktoken 0.14)."""
    return Session(load_bundled("gpt2"), "歪 a tokenizer token".encode(), jobs=Jobs(synchronous=True))


@pytest.fixture
def model(session: Session) -> InspectorModel:
    made = InspectorModel(session)
    made.set_active(True)
    return made


def test_it_follows_the_selection(session: Session, model: InspectorModel) -> None:
    assert model.facts is not None and (model.facts.index, model.facts.id) == (0, 29826)
    session.select(7, 7)  # inside " token"
    assert model.facts is not None and (model.facts.id, model.facts.start, model.facts.end) == (11241, 5, 11)
    session.select(12, 14)
    assert model.facts is not None and model.facts.id == 7509
    session.select(0, len(session))
    assert model.facts is not None and (model.facts.index, model.selected) == (0, session.document.token_count)
    session.select(len(session), len(session))  # the end of the text: its last token
    assert model.facts is not None and model.facts.index == session.document.token_count - 1


def test_moving_by_token_selects_it_in_the_text(session: Session, model: InspectorModel) -> None:
    model.step(1)
    assert session.selection == (2, 3)
    model.step(-1)
    assert session.selection == (0, 2)
    model.step(-1)  # there is none before
    assert session.selection == (0, 2)


def test_nothing_is_done_while_nobody_looks(session: Session, model: InspectorModel) -> None:
    model.set_active(False)
    seen = []
    model.changed.connect(lambda: seen.append(1))
    session.select(7, 7)
    session.edit(0, 0, b"x")
    assert seen == []
    model.set_active(True)
    assert seen and model.facts is not None and model.facts.start <= 1


def test_all_places_of_a_token(session: Session, model: InspectorModel) -> None:
    session.select(6, 6)
    assert model.counted_id == 11241
    rows = model.occurrences
    assert rows.rowCount() == 2
    first: Row = rows.data(rows.index(0, 0), ROW)
    assert (first.title, first.detail, first.value) == ("·token", "token 3, byte 5", 3)
    assert (first.before, first.after) == ("歪·a", "izer·token")
    model.next_place(1)
    assert session.selection == (15, 21)
    model.next_place(1)
    assert session.selection == (5, 11)
    model.next_place(-1)
    assert session.selection == (15, 21)
    session.edit(15, 6, b"")
    session.select(6, 6)
    assert rows.rowCount() == 1


def test_an_empty_text_says_what_to_do(qapp) -> None:
    made = InspectorModel(session := Session(load_bundled("gpt2"), b"", jobs=Jobs(synchronous=True)))
    made.set_active(True)
    assert made.facts is None and "put the caret on a token" in made.nothing
    session.edit(0, 0, b"hi")
    assert made.facts is not None and made.nothing == ""
    alone = InspectorModel(Session(jobs=Jobs(synchronous=True)))
    alone.set_active(True)
    assert alone.nothing == "There is no tokenizer yet."


def test_large_documents_are_searched_when_asked(session: Session, model: InspectorModel, monkeypatch) -> None:
    monkeypatch.setattr("tokenloupe.models.inspector.AT_ONCE", 3)
    session.edit(len(session), 0, b" token")
    session.select(6, 6)
    assert not model.countable and model.counted_id is None and model.occurrences.rowCount() == 0
    model.count()
    assert model.counted_id == 11241 and model.occurrences.rowCount() == 3


def test_what_is_said(session: Session, model: InspectorModel) -> None:
    assert model.facts is not None and model.why is not None
    pairs = {r.detail: r for r in text.fact_rows(model.facts, model.why)}
    assert pairs["Id"].title == "29826"
    assert pairs["Bytes"].title == "e6 ad"
    assert (pairs["UTF-8"].title, pairs["UTF-8"].mark) == ("ends inside a character", "part")
    assert pairs["Rank"].title == "29,826"
    (character,) = text.character_rows(model.facts)
    assert (character.title, character.sign, character.mark) == ("U+6B6A  CJK UNIFIED IDEOGRAPH-6B6A", "歪", "part")
    assert character.detail == "first 2 of 3 bytes of e6 ad aa: e6 ad; other letter (Lo)"
    session.select(6, 6)
    assert model.facts is not None
    spelled = {(r.title, r.detail) for r in text.spelling_rows(model.facts)}
    assert ("·to + ken", "two entries, 284 and 3464") in spelled
    assert ("token", "entry 30001, another space or case") in spelled


def test_markup_is_text(qapp) -> None:
    session = Session(load_bundled("gpt2"), b"<s>&amp;<b>", jobs=Jobs(synchronous=True))
    made = InspectorModel(session)
    made.set_active(True)
    while made.facts is not None and made.facts.end < len(session):
        rows = text.fact_rows(made.facts)
        assert rows[2].title == made.facts.piece.decode()
        made.step(1)


def test_special_tokens(qapp) -> None:
    session = Session(load_bundled("gpt2"), b"a<|endoftext|>b", special="parse", jobs=Jobs(synchronous=True))
    made = InspectorModel(session)
    made.set_active(True)
    made.step(1)
    assert made.facts is not None and made.facts.kind == TokenKind.SPECIAL
    assert made.why is not None and made.why.trace is None
    assert "special token" in text.why_text(made.why)
