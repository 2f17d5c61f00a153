"""The desk: which entry is looked at, lists, and what it makes in slices; places of a token equal a loop's."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.models.vocabulary_kinds import merges, ranks, unigram
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.models import vocabulary_desk
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.vocabulary_desk import HISTORY, VocabularyDesk


def desk_of(tokenizer: Tokenizer, data: bytes = b"", synchronous: bool = True) -> VocabularyDesk:
    session = Session(tokenizer, data, jobs=Jobs(synchronous=synchronous))
    desk = VocabularyDesk.of(session)
    desk.kept = session  # type: ignore[attr-defined]
    return desk


def test_one_desk_a_session(tmp_path: Path) -> None:
    desk = desk_of(merges(tmp_path))
    assert VocabularyDesk.of(desk.session) is desk


def test_choosing_and_the_way_back(tmp_path: Path) -> None:
    desk = desk_of(merges(tmp_path))
    heard: list[tuple[int | None, bool]] = []
    desk.current_changed.connect(lambda reveal: heard.append((desk.current, reveal)))
    assert not desk.choose(299) and heard == []
    assert desk.choose(257) and desk.choose(4294967295, reveal=False) and desk.choose(65)
    assert heard == [(257, True), (4294967295, False), (65, True)]
    desk.choose(65)  # somebody asks again: it is to be seen
    desk.choose(65, reveal=False)
    assert heard[3:] == [(65, True)] and desk.can_go == (True, False)
    desk.back()
    desk.back()
    assert desk.current == 257 and desk.can_go == (False, True)
    desk.back()
    assert desk.current == 257
    desk.forward()
    assert desk.current == 4294967295
    desk.choose(66)  # ends the way forward
    assert desk.can_go == (True, False)
    for n in range(3 * HISTORY):
        desk.choose(n % 200)
    steps = 0
    while desk.can_go[0]:
        desk.back()
        steps += 1
    assert steps <= HISTORY + 1


def test_lists(tmp_path: Path) -> None:
    desk = desk_of(merges(tmp_path))
    heard: list[str] = []
    desk.listing_changed.connect(lambda: heard.append("" if desk.listing is None else desk.listing.label))
    desk.list_all()
    assert heard == []
    desk.list_ids([4294967295, 299, 65], "some")
    assert desk.listing is not None and desk.listing.rows.tolist() == [269, 65]
    desk.list_all()
    assert heard == ["some", ""]


def test_merges_and_what_fires_are_made_when_asked_for(tmp_path: Path) -> None:
    for make, count in ((merges, 9), (ranks, 6), (unigram, 0)):
        desk = desk_of(make(tmp_path))
        heard: list[str] = []
        desk.merges_changed.connect(lambda h=heard: h.append("merges"))
        desk.firing_changed.connect(lambda h=heard: h.append("firing"))
        assert not desk.merges_ready
        desk.want_merges()
        assert heard == ["merges"] and not desk.firing_ready
        assert desk.lineage is not None and len(desk.lineage.merges) == count
        desk.want_merges(firing=True)
        desk.want_merges(firing=True)
        assert heard == ["merges", "firing"]
        desk.prepare()
        assert desk.ready


def test_another_tokenizer_drops_everything(qtbot: QtBot, tmp_path: Path) -> None:
    desk = desk_of(ranks(tmp_path), synchronous=False)
    desk.choose(256)
    desk.list_ids([1], "one")
    desk.ask_merges(256)
    desk.want_merges()
    desk.prepare()
    old = desk.index
    desk.session.set_tokenizer(merges(tmp_path))
    assert desk.index is not old and desk.current is None and desk.listing is None and desk.merges_of is None
    assert not desk.merges_ready and not desk.ready and desk.can_go == (False, False)
    with qtbot.waitSignal(desk.merges_changed):
        desk.want_merges()
    assert desk.lineage is not None and desk.lineage.index is desk.index and len(desk.lineage.merges) == 9


def test_another_mode_of_special_tokens_is_the_same_vocabulary(tmp_path: Path) -> None:
    desk = desk_of(merges(tmp_path))
    index = desk.index
    desk.choose(257)
    desk.session.set_special("parse")
    assert desk.index is index and desk.current == 257


@pytest.mark.parametrize("slice_", [1, 3, 1 << 16])
def test_places_in_the_text_equal_a_loop(tmp_path: Path, slice_: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary_desk, "TOKENS", slice_)
    desk = desk_of(merges(tmp_path), "the aa the我 <extra>aa the".encode())
    tokens = desk.session.document.encoding().tokens
    for token_id in {t.id for t in tokens}:
        places = [(t.start, t.end) for t in tokens if t.id == token_id]
        desk.session.select(0, 0)
        for step in range(len(places) + 2):
            desk.find_in_document(token_id)
            assert desk.session.selection == places[step % len(places)]
        desk.session.select(0, 0)
        for step in range(len(places) + 2):
            desk.find_in_document(token_id, backwards=True)
            assert desk.session.selection == places[(-1 - step) % len(places)]


def test_then_is_for_a_token_that_is_there(tmp_path: Path) -> None:
    desk = desk_of(merges(tmp_path), b"aa")
    heard: list[int] = []
    for token_id in (257, 263):
        desk.find_in_document(token_id, then=lambda i=token_id: heard.append(i))
    assert heard == [263]


def test_the_token_of_the_selection(tmp_path: Path) -> None:
    desk = desk_of(merges(tmp_path), b"the aa")
    tokens = desk.session.document.encoding().tokens
    for byte in range(6):
        desk.session.select(byte, byte)
        assert desk.token_of_selection() == next(t.id for t in tokens if t.start <= byte < t.end)
    desk.session.select(6, 6)
    assert desk.token_of_selection() == tokens[-1].id  # the caret at the end
    desk.session.set_data(b"")
    assert desk.token_of_selection() is None
    assert desk_of(merges(tmp_path)).token_of_selection() is None
