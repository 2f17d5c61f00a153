"""Rows against the encoding itself; counting in chunks against counting at once; readable text never lies."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from tokenloupe.core.text import counts
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models import counting, token_rows
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.readable import readable
from tokenloupe.models.session import Session
from tokenloupe.models.token_rows import TokenRows

TEXT = "hi 😀 naïve <s> \r\n".encode() * 60


@pytest.fixture
def rows(qapp, qtmodeltester) -> TokenRows:
    model = TokenRows(Session(load_bundled("gpt2"), TEXT, jobs=Jobs(synchronous=True)))
    qtmodeltester.check(model)
    return model


def test_every_row_is_the_token_of_the_encoding(rows: TokenRows) -> None:
    encoding = rows._session.document.encoding()
    assert rows.rowCount() == len(encoding)
    for token in encoding.tokens[::7]:
        assert rows.cell(token.index, token_rows.ID) == str(token.id)
        assert rows.cell(token.index, token_rows.BYTES) == token.bytes.hex(" ")
        assert rows.byte_span(token.index) == (token.start, token.end)
        assert rows.cell(token.index, token_rows.KIND) == "normal"
        assert rows.data(rows.index(token.index, token_rows.ID), Qt.ItemDataRole.DisplayRole) == str(token.id)


def test_rows_follow_edits(rows: TokenRows) -> None:
    session = rows._session
    for at, removed, inserted in ((0, 0, b"New words here. "), (40, 200, b""), (len(session) - 220, 5, b"\xff\xfe")):
        rows.cell(0, 0), rows.cell(rows.rowCount() - 1, 0)  # pages are kept
        session.edit(at, removed, inserted)
        encoding = session.document.encoding()
        assert rows.rowCount() == len(encoding)
        assert [rows.cell(i, token_rows.ID) for i in range(len(encoding))] == list(map(str, encoding.ids.tolist()))
        assert rows.byte_span(len(encoding) - 1) == (encoding.starts[-1], encoding.ends[-1])


def test_rows_of_a_byte_range(rows: TokenRows) -> None:
    encoding = rows._session.document.encoding()
    for start, end in ((0, 1), (3, 7), (3, 4), (5, 30), (len(TEXT) - 1, len(TEXT))):
        touched = [t.index for t in encoding.tokens if t.start < end and t.end > start]
        assert rows.rows_of(start, end) == (touched[0], touched[-1])
    assert rows.rows_of(-1, -1) == (-1, -1)


def test_an_id_of_64_bits_is_shown_in_full(qapp) -> None:
    from tokenloupe.models.token_rows import Page

    model = TokenRows(Session(load_bundled("gpt2"), b"a", jobs=Jobs(synchronous=True)))
    big = str(2**64 - 1)
    model._pages[0] = Page(0, [big], ["a"], ["61"], [(0, 1)], [0])
    assert model.data(model.index(0, token_rows.ID)) == "18446744073709551615"


def test_a_session_without_a_tokenizer_has_no_rows(qapp) -> None:
    session = Session(data=b"abc")
    model = TokenRows(session)
    assert model.rowCount() == 0 and model.rows_of(0, 1) == (-1, -1)
    session.set_tokenizer(load_bundled("gpt2"))
    assert model.rowCount() == 1


PARTS = [
    b"a", b" ", b"\r", b"\n", "é".encode(), "漢".encode(), "👨\u200d👩\u200d👧\u200d👦".encode(), "🇯🇵".encode(),
    "ก็".encode(), "क्षि".encode(), "\u0301".encode(), "\u200d".encode(), b"\xff", b"\xe2\x82", b"\xf0\x9f\x98",
]


@given(st.lists(st.sampled_from(PARTS), max_size=60), st.integers(8, 40))
@settings(max_examples=150, deadline=None)
def test_counting_in_chunks_is_counting_at_once(parts: list[bytes], chunk: int) -> None:
    data = b"".join(parts)
    last = list(counting.steps(data, chunk))[-1]
    assert last == counts(data)


@pytest.mark.parametrize(("data", "shown"), [
    (b" hello\n", "·hello↵"), ("é".encode()[:1], "⟨c3⟩"), (b"<s>", "<s>"), (b"\x00\x1b", "␀␛"), (b"", ""),
    ("a\u00a0b".encode(), "a[NBSP]b"), ("👨\u200d".encode(), "👨[ZWJ]"), (b"\xff\xfeok\x80", "⟨ff fe⟩ok⟨80⟩"),
    ("\u0301".encode(), "◌\u0301"), ("e\u0301 \u0301".encode(), "e\u0301·◌\u0301"),
    ("विद्या".encode(), "विद्या"), ("\ue000".encode(), "[U+E000]"), (b"\xed\xa0\x80", "⟨ed a0 80⟩"),
])
def test_readable(data: bytes, shown: str) -> None:
    assert readable(data) == shown


def test_a_long_token_is_cut() -> None:
    assert readable(b"x" * 100_000, longest=20) == "x" * 20 + "…"
