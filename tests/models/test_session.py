"""What the views rely on: edits and undo by bytes, one selection, hover apart from it, tokens as of a full encode."""

from __future__ import annotations

import random

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session


@pytest.fixture
def session(qapp) -> Session:
    return Session(load_bundled("gpt2"), b"hello world", jobs=Jobs(synchronous=True))


def heard(signal) -> list[tuple]:
    got: list[tuple] = []
    signal.connect(lambda *args: got.append(args))
    return got


def type_in(session: Session, text: str) -> None:
    for char in text:
        session.edit(session.caret, 0, char.encode(), "typing")


def test_an_edit_tells_the_change_then_the_selection(session: Session) -> None:
    order: list[str] = []
    session.document_changed.connect(lambda c: order.append(f"{c.byte_start} -{c.byte_removed} +{c.byte_inserted}"))
    session.selection_changed.connect(lambda a, b: order.append(f"{a}..{b}"))
    session.edit(5, 1, b", ")
    assert session.data == b"hello, world"
    assert order == ["5 -1 +2", "7..7"]


def test_typing_is_undone_a_word_at_a_time(session: Session) -> None:
    session.select(11, 11)
    type_in(session, " how are")
    assert session.data == b"hello world how are"
    assert session.undo()
    assert session.data == b"hello world how "
    assert session.undo()
    assert session.data == b"hello world "
    assert session.undo()
    assert session.data == b"hello world"
    assert not session.undo()
    for text in (b"hello world ", b"hello world how ", b"hello world how are"):
        assert session.redo()
        assert session.data == text
    assert not session.redo()


def test_moving_the_caret_ends_a_step(session: Session) -> None:
    session.select(0, 0)
    type_in(session, "ab")
    session.select(0, 0)
    session.select(2, 2)
    type_in(session, "c")
    session.undo()
    assert session.data == b"abhello world"


def test_backspaces_and_deletes_coalesce(session: Session) -> None:
    session.select(11, 11)
    for _ in range(3):
        session.edit(session.caret - 1, 1, b"", "backspace")
    assert session.data == b"hello wo"
    session.undo()
    assert session.data == b"hello world"
    session.select(0, 0)
    for _ in range(2):
        session.edit(0, 1, b"", "delete")
    session.undo()
    assert session.data == b"hello world"


def test_undo_restores_the_selection_that_was_replaced(session: Session) -> None:
    session.select(0, 5)
    session.edit(0, 5, b"bye", "paste")
    assert session.selection == (3, 3)
    session.undo()
    assert session.selection == (0, 5)


def test_a_group_is_one_step(session: Session) -> None:
    with session.group():
        session.edit(0, 1, b"J")
        session.edit(6, 1, b"W")
        session.edit(10, 1, b"D")
    assert session.data == b"Jello WorlD"
    session.undo()
    assert session.data == b"hello world"
    session.redo()
    assert session.data == b"Jello WorlD"


def test_random_edits_undo_to_the_start_and_redo_to_the_end(session: Session) -> None:
    rng = random.Random(7)
    for _ in range(150):
        size = len(session)
        at = rng.randint(0, size)
        removed = rng.randint(0, min(4, size - at))
        inserted = bytes(rng.choice([0x20, 0x61, 0xC3, 0xA9, 0x0A, 0xFF]) for _ in range(rng.randint(0, 3)))
        session.edit(at, removed, inserted, rng.choice(["typing", "paste", "backspace", "delete"]))
    end = session.data
    assert session.document.encoding().ids.tolist() == session.tokenizer.encode(end).ids.tolist()
    while session.undo():
        pass
    assert session.data == b"hello world"
    while session.redo():
        pass
    assert session.data == end


def test_modified_follows_the_saved_state(session: Session) -> None:
    assert not session.modified
    session.edit(0, 0, b"x", "paste")
    assert session.modified
    session.mark_saved("a.txt")
    assert not session.modified and session.name == "a.txt"
    session.undo()
    assert session.modified
    session.redo()
    assert not session.modified
    session.undo()
    session.edit(0, 0, b"y", "paste")  # the saved text cannot be reached any more
    session.undo()
    assert session.modified


def test_selection_is_clamped_and_knows_its_caret(session: Session) -> None:
    session.select(9, 3)
    assert (session.selection, session.caret, session.anchor) == ((3, 9), 3, 9)
    session.select(3, 9, caret=3)
    assert (session.selection, session.caret) == ((3, 9), 3)
    session.select(-5, 99)
    assert session.selection == (0, 11)
    got = heard(session.selection_changed)
    session.select(0, 11)
    assert got == []  # nothing new


def test_deleting_a_selected_text_tells_the_new_selection(session: Session) -> None:
    session.select(0, 11)
    got = heard(session.selection_changed)
    session.edit(0, 11, b"", "cut")
    assert got == [(0, 0)] and session.data == b""


def test_hovering_never_moves_the_selection(session: Session) -> None:
    session.select(2, 4)
    got = heard(session.hover_changed)
    session.hover_at(6, 11)
    session.hover_at(6, 11)
    session.hover_at(-1, -1)
    assert got == [(6, 11), (-1, -1)] and session.selection == (2, 4)


def test_special_modes_and_another_tokenizer(session: Session) -> None:
    session.set_data(b"<|endoftext|>")
    assert session.document.token_count > 1
    changes = heard(session.tokenizer_changed)
    session.set_special("parse")
    assert session.document.encoding().ids.tolist() == [50256]
    session.set_tokenizer(load_bundled("r50k_base"))
    assert session.special == "parse" and session.document.encoding().ids.tolist() == [50256]
    assert len(changes) == 2
    with pytest.raises(InputError, match="no special token"):
        session.set_special(["<|nope|>"])
    assert session.special == "parse"


def test_text_before_there_is_a_tokenizer(qapp) -> None:
    session = Session(data=b"early")
    assert (session.ready, session.data, len(session)) == (False, b"early", 5)
    with pytest.raises(RuntimeError):
        _ = session.document
    session.set_tokenizer(load_bundled("gpt2"))
    assert session.ready and session.data == b"early"


def test_another_text_is_one_change_of_everything_and_nothing_to_undo(session: Session) -> None:
    session.edit(0, 0, b"x")
    got = heard(session.document_changed)
    session.set_data(b"other", "o.txt")
    change = got[0][0]
    assert (change.byte_start, change.byte_removed, change.byte_inserted) == (0, 12, 5)
    assert not session.can_undo and not session.modified and session.name == "o.txt"


def test_offsets_beyond_32_bits_pass_through_the_signals(session: Session) -> None:
    got = heard(session.hover_changed)
    session.hover_at(2**40, 2**63 + 5)
    assert got == [(2**40, 2**63 + 5)]


def test_nbsp_and_everything_else_arrives_as_it_was_typed(session: Session) -> None:
    odd = "\u00a0\r\n\u2028\ufeff\x00".encode() + b"\xed\xa0\x80\xff"
    session.set_data(b"")
    session.edit(0, 0, odd, "paste")
    assert session.data == odd
    assert session.tokenizer.decode(session.document.encoding().ids) == odd


def test_edits_outside_the_text_are_refused(session: Session) -> None:
    with pytest.raises(ValueError, match="do not lie"):
        session.edit(12, 0, b"x")
    assert session.data == b"hello world" and not session.can_undo
