"""Rows: terminators, cuts of long lines, and that an edit leaves the same rows as the whole text cut anew."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.store import TextStore
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.editor import EditorView
from tokenloupe.views.row_cut import CHARACTERS, cut_rows, line_ends
from tokenloupe.views.text_rows import TextRows

PIECES = [b"a", b" ", b"\n", b"\r", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xe2", b"\x80", "é".encode(), b"\xff",
          b"x" * 700, "漢".encode() * 300, "👨‍👩‍👧".encode()]
# Python's own splitlines breaks at more (VT, FF, FS..US, NEL): the terminators here, written as a pattern.
ENDS = regex.compile(rb"\r\n|\n|\r|\xe2\x80[\xa8\xa9]")


def test_lines_end_at_lf_crlf_cr_and_the_unicode_separators() -> None:
    data = "a\nb\r\nc\rd\u2028e\u2029f\x0b\x0c\x85".encode()
    assert line_ends(data).tolist() == [m.end() for m in ENDS.finditer(data)]
    lengths, hard = cut_rows(data, last=True)
    assert lengths.tolist() == [2, 3, 2, 4, 4, 5] and hard.tolist() == [True] * 5 + [False]


def test_there_always_is_a_last_row() -> None:
    for data, rows in ((b"", 1), (b"\n", 2), (b"a", 1), (b"a\r", 2)):
        assert len(TextRows(TextStore(data))) == rows


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30),
       st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 9), st.lists(st.sampled_from(PIECES), max_size=3)),
                max_size=6))
def test_an_edit_leaves_rows_that_cover_the_text(start: list[bytes], edits: list[tuple[int, int, list[bytes]]]) -> None:
    store = TextStore(b"".join(start))
    rows = TextRows(store)
    for at, removed, pieces in edits:
        at = at % (len(store) + 1)
        removed = min(removed, len(store) - at)
        inserted = b"".join(pieces)
        before = len(rows)
        store.replace(at, removed, inserted)
        change = rows.edit(at, removed, len(inserted))
        assert len(rows) == before + change.inserted - change.removed
    spans = rows.spans(0, 10**6)
    assert spans[0][0] == 0 and spans[-1][1] == len(store) and len(spans) == len(rows)
    assert all(a[1] == b[0] for a, b in pairwise(spans))
    assert all(end > begin for begin, end in spans[:-1])
    assert [end for row, (_, end) in enumerate(spans) if rows.hard(row)] == [m.end() for m in ENDS.finditer(store.data)]
    for row, (begin, end) in enumerate(spans):
        assert rows.span(row) == (begin, end)
        assert begin == end or rows.row_at(begin) == rows.row_at(end - 1) == row
    for line in range(rows.lines):
        row = rows.row_of_line(line)
        assert rows.line_of(row) == line and not rows.continued(row)


@pytest.mark.parametrize("piece", ["word, ", "漢字", "e\u0301", "👨‍👩‍👧‍👦", "กำลัง", "क्षत्रि", "🇩🇪🇫🇷x", "\u0600a"])
def test_a_line_of_1_mb_is_cut_between_graphemes(piece: str) -> None:
    size = 1_000_000 if len(piece) < 4 and piece.isascii() else 150_000
    text = piece * (size // len(piece.encode()))
    lengths, hard = cut_rows(text.encode(), last=True)
    assert not hard.any() and int(lengths.sum()) == len(text.encode())
    boundaries, at = set(), 0
    for cluster in regex.findall(r"\X", text):
        boundaries.add(at)
        at += len(cluster.encode())
    at = 0
    for length in lengths.tolist():
        assert at in boundaries
        at += length
    assert int(lengths.max()) <= 3 * CHARACTERS


def test_a_cluster_longer_than_a_row_is_cut_between_characters() -> None:
    data = ("e" + "\u0301" * 5000).encode()
    lengths, _ = cut_rows(data, last=True)
    at = 0
    for length in lengths.tolist():
        data[at : at + length].decode()
        at += length
    assert at == len(data) and len(lengths) > 1


def test_a_deletion_joins_small_pieces() -> None:
    store = TextStore(b"x" * 9000)
    rows = TextRows(store)
    for _ in range(300):
        store.replace(1500, 20, b"")
        rows.edit(1500, 20, 0)
    assert len(store) == 3000 and len(rows) <= 6


def test_places_down_the_page_follow_heights() -> None:
    rows = TextRows(TextStore(b"a\n" * 2000))
    rng = random.Random(3)
    heights = [rng.randint(1, 40) for _ in range(len(rows))]
    for row, height in enumerate(heights):
        rows.set_height(row, height)
    assert rows.height == sum(heights)
    for row in (0, 1, 511, 512, 513, 1999, 2000):
        assert rows.y_of(row) == sum(heights[:row])
        assert rows.row_at_y(rows.y_of(row)) == row
        assert rows.row_at_y(rows.y_of(row) + heights[row] - 1) == row
    assert rows.row_at_y(10**9) == len(rows) - 1 and rows.row_at_y(-5) == 0


def test_a_line_of_many_rows_is_one_line() -> None:
    rows = TextRows(TextStore(b"a\n" + b"y" * 10_000 + b"\nz"))
    row = rows.row_at(6000)
    assert rows.lines == 3 and rows.line_of(row) == 1 and rows.continued(row)
    assert rows.line_span(row) == (2, 10_003)


def test_the_rows_in_sight_have_their_tokens_before_the_rest_is_done(qtbot) -> None:
    """A long text is opened and its middle looked at, while tokens are still being made at its start."""
    session = Session(load_bundled("gpt2"), jobs=Jobs(synchronous=False))
    view = EditorView(session)
    session.setParent(view)
    qtbot.addWidget(view)
    view.resize(640, 400)
    view.show()
    session.set_data(b"the words of a line, 123\n" * 40_000)
    assert not session.complete
    session.stop_filling()
    view.go_to_byte(len(session) // 2)
    for at, start, end in view.sheet.seen_spans():
        if start < end:
            assert at.picture.tokens.known.all() and at.picture.tokens.ends[-1] == end - start
    before = [at.picture.tokens.starts.tolist() for at in view.sheet.seen()]
    session.resume_filling()
    qtbot.waitUntil(lambda: session.complete, timeout=60_000)
    assert [at.picture.tokens.starts.tolist() for at in view.sheet.seen()] == before
