"""The audit as a job: it ends, is cancelled, is dropped with its tokenizer; its findings are filtered."""

from __future__ import annotations

import pytest

from tests.core.test_audit import tampered
from tests.core.vocabularies import merge_tokenizer
from tokenloupe.core.audit import audit
from tokenloupe.core.query import VocabularyIndex
from tokenloupe.core.reach import Status
from tokenloupe.models.audit import AuditDesk, FindingRows
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session


@pytest.fixture(scope="module")
def desk() -> AuditDesk:
    found = AuditDesk.of(Session(tampered(), jobs=Jobs(synchronous=True)))
    found.start()
    return found


def test_it_finds_what_the_core_finds(desk: AuditDesk) -> None:
    assert desk.audit is not None and not desk.running
    assert desk.audit.totals == audit(VocabularyIndex(tampered())).totals
    assert desk.report().startswith("# Audit of test")


def test_findings_are_filtered_by_kind_text_and_id(desk: AuditDesk) -> None:
    rows = FindingRows()
    rows.show(desk.audit)
    assert desk.audit is not None and rows.rowCount() == len(desk.audit.findings)
    rows.show(desk.audit, "duplicate")
    assert {f.ids for f in rows.shown} == {(305, 306), (258, 301), (303, 312)}
    rows.show(desk.audit, "duplicate", "306")
    assert [f.ids for f in rows.shown] == [(305, 306)]
    rows.show(desk.audit, "", "MERGE 3")
    assert [f.kind for f in rows.shown] == ["merge never fires"]
    assert rows.cells(0)[0] == "•" and rows.cells(0)[1] == "258"
    ids = desk.audit.index.vocabulary.ids[rows.rows_in_index(desk.audit)].tolist()
    assert ids == [ord("t"), 257, 258]
    rows.show(None)
    assert rows.rowCount() == 0


def test_a_witness_becomes_the_text_and_undo_brings_the_old_one_back() -> None:
    session = Session(tampered(), b"mine", jobs=Jobs(synchronous=True))
    desk = AuditDesk.of(session)
    desk.start()
    byte = 0xE6  # a lead byte needs the rest of its character
    assert desk.audit is not None and desk.audit.reach.status_of(byte) == Status.CONTEXT
    assert desk.show_witness(byte)
    start, end = session.selection
    assert session.data[start:end] == b"\xe6" and byte in session.document.encoding().ids
    session.undo()
    assert session.data == b"mine"
    assert desk.show_witness(300)  # <s>: special
    assert session.special == "parse" and session.document.encoding().ids.tolist() == [300]
    assert not desk.show_witness(310) and not desk.show_witness(99999)


def test_it_can_be_cancelled_and_another_tokenizer_ends_it(qapp: object) -> None:
    session = Session(tampered(), jobs=Jobs(synchronous=False))
    desk = AuditDesk.of(session)
    heard: list[bool] = []
    desk.changed.connect(lambda: heard.append(desk.running))
    desk.start()
    desk.start()  # one at a time
    assert desk.running and len(session.jobs.active) == 1
    desk.cancel()
    assert not desk.running and desk.audit is None and heard == [True, False]
    desk.start()
    session.set_tokenizer(merge_tokenizer([]))
    assert not desk.running and not session.jobs.active
