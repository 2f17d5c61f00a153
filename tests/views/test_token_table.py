"""The table and the text are one selection; rows copy; two and a half million tokens are no more than forty."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent

from effort import calls
from tokenloupe.core.document import Change, TokenWindow
from tokenloupe.core.store import TextStore
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.models.token_colours import TokenColours
from tokenloupe.models.token_rows import TEXT as TEXT_COLUMN
from tokenloupe.views import palette
from tokenloupe.views.delegates import PADDING
from tokenloupe.views.token_table import TokenTable

TEXT = "hi 😀 naïve <s>".encode()


@pytest.fixture
def session(qapp) -> Session:
    return Session(load_bundled("gpt2"), TEXT, jobs=Jobs(synchronous=True))


@pytest.fixture
def table(session: Session, qtbot) -> TokenTable:
    made = TokenTable(session)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def rows(table: TokenTable) -> list[int]:
    return sorted({i.row() for i in table.view.selectionModel().selectedRows()})


def select_rows(table: TokenTable, first: int, last: int) -> None:
    flags = QItemSelectionModel.SelectionFlag
    for row, how in ((first, flags.ClearAndSelect), (last, flags.Select)):
        table.view.selectionModel().select(table.model.index(row, 0), how | flags.Rows)


def test_selecting_text_selects_its_rows(session: Session, table: TokenTable) -> None:
    tokens = session.document.encoding().tokens
    session.select(3, 9)  # the emoji, two more bytes
    assert rows(table) == [t.index for t in tokens if t.start < 9 and t.end > 3]
    session.select(0, 0)
    assert rows(table) == [] and table.view.currentIndex().row() == 0


def test_selecting_rows_selects_their_bytes(session: Session, table: TokenTable) -> None:
    tokens = session.document.encoding().tokens
    select_rows(table, 1, 2)
    assert session.selection == (tokens[1].start, tokens[2].end)
    assert rows(table) == [1, 2]  # its own signal came back and changed nothing


def test_hover_goes_both_ways_and_moves_nothing(session: Session, table: TokenTable) -> None:
    session.select(0, 2)
    session.hover_at(3, 7)
    tokens = session.document.encoding().tokens
    touched = [t.index for t in tokens if t.start < 7 and t.end > 3]
    assert table.view.rows_.hovered == (touched[0], touched[-1])
    where = QPointF(10, table.view.rowViewportPosition(0) + 4)
    table.view.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, where, where, Qt.MouseButton.NoButton,
                                          Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier))
    assert session.hover == (0, 2)
    QGuiApplication.sendEvent(table.view, QEvent(QEvent.Type.Leave))
    assert session.hover == (-1, -1) and session.selection == (0, 2)


def test_rows_are_copied_as_tab_separated_lines(session: Session, table: TokenTable) -> None:
    select_rows(table, 0, 1)
    table.copy()
    assert QGuiApplication.clipboard().text() == "0\t5303\thi\t68 69\t0–2\tnormal\n" + \
        f"1\t{session.document.encoding().ids[1]}\t·⟨f0 9f 98⟩\t20 f0 9f 98\t2–6\tnormal"  # tiktoken: 5303, 30325


def test_the_menu_copies_ids_and_text(session: Session, table: TokenTable) -> None:
    select_rows(table, 0, 2)
    actions = {a.text(): a for a in table.view.actions()}
    actions["Copy Ids"].trigger()
    assert QGuiApplication.clipboard().text() == " ".join(map(str, session.document.encoding().ids[:3].tolist()))
    actions["Copy Text"].trigger()
    assert QGuiApplication.clipboard().text() == "hi 😀"


def test_typing_keeps_rows_and_tokens_together(session: Session, table: TokenTable) -> None:
    session.select(len(session), len(session))
    for char in " and more 漢字":
        session.edit(session.caret, 0, char.encode(), "typing")
        assert table.model.rowCount() == session.document.token_count
    session.set_data(b"")
    assert table.model.rowCount() == 0 and not table.grab().isNull()


def test_it_is_painted_in_both_themes_at_320_pixels(session: Session, table: TokenTable) -> None:
    table.resize(320, 300)
    seen = set()
    for colours in (palette.light(), palette.dark()):
        palette.use(colours)
        image = table.grab().toImage()
        seen.add(bytes(image.constBits())[:200_000])
        found = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(40, 160, 3)}
        assert colours.token_fill[0].name() in found
    palette.use(palette.light())
    assert len(seen) == 2


def test_a_special_token_is_written_out(qapp, qtbot) -> None:
    session = Session(load_bundled("gpt2"), b"<|endoftext|>", special="parse", jobs=Jobs(synchronous=True))
    table = TokenTable(session)
    qtbot.addWidget(table)
    assert [table.model.cell(0, c) for c in (1, 2, 5)] == ["50256", "<|endoftext|>", "special"]


class _Many:
    """A document of 2.5 million two-byte tokens, without the text."""

    COUNT = 2_500_000
    complete, exact = True, True

    def __init__(self) -> None:
        self.tokenizer = load_bundled("gpt2")
        self.store = TextStore(b"ab" * self.COUNT)
        self.token_count = self.COUNT
        self.asked = 0

    def __len__(self) -> int:
        return 2 * self.COUNT

    @property
    def complete_to(self) -> int:
        return len(self)

    def tokens(self, first: int, last: int) -> TokenWindow:
        last = min(last, self.token_count)
        self.asked += last - first
        starts = np.arange(first, last, dtype=np.int64) * 2
        ids, kinds = np.full(len(starts), 397, np.int64), np.zeros(len(starts), np.uint8)
        return TokenWindow(first, ids, starts, starts + 2, kinds)

    def token_at(self, byte_pos: int) -> int:
        return byte_pos // 2


@pytest.fixture
def many(qtbot) -> Iterator[TokenTable]:
    session = Session(jobs=Jobs(synchronous=False))
    session._document = _Many()  # type: ignore[assignment]
    table = TokenTable(session)
    qtbot.addWidget(table)
    table.resize(600, 800)
    table.show()
    table.grab()
    yield table


def test_scrolling_2_500_000_rows_makes_only_what_is_seen(many: TokenTable) -> None:
    document = many._session.document
    for row in (10, 2_499_999, 1_000_000):
        document.asked = 0

        def scroll(row: int = row) -> None:
            many.view.scrollTo(many.model.index(row, 0))
            many.view.viewport().repaint()

        assert document.asked <= 3 * 128
        assert calls(scroll) < 50_000
    assert many.model.cell(2_499_999, 4) == "4999998–5000000"


def test_a_key_in_2_500_000_rows_costs_the_table_nothing_then(many: TokenTable, qtbot) -> None:
    session = many._session
    many.view.scrollTo(many.model.index(1_000_000, 0))
    document = session.document
    document.token_count += 1
    many.view.clearFocus()

    def key() -> None:
        session.document_changed.emit(Change(2_000_000, 0, 1, 1_000_000, 1, 2))
        session.select(2_000_001, 2_000_001)

    assert calls(key) < 200
    assert many.model.rowCount() == _Many.COUNT  # told later
    qtbot.waitUntil(lambda: many.model.rowCount() == _Many.COUNT + 1)
    qtbot.waitUntil(lambda: many.view.currentIndex().row() == 1_000_000)


def test_selecting_everything_of_2_500_000_rows(many: TokenTable) -> None:

    def select_all() -> None:
        many._session.select(0, 2 * _Many.COUNT)
        many._follow()
        many.grab()

    assert calls(select_all) < 50_000
    assert many.selected_rows() == range(_Many.COUNT)


def test_a_row_that_is_gone_is_empty(table: TokenTable) -> None:
    assert table.model.cell(999, 1) == "" and table.model.byte_span(999) == (0, 0)
    assert table.model.data(QModelIndex()) == ""


def test_a_row_has_the_colour_its_token_has_in_the_editor_after_edits(session: Session, table: TokenTable) -> None:
    before = [TokenColours.of(session).at(k) for k in range(session.document.token_count)]
    session.edit(0, 0, b"x ")  # tokens more at the start: those after keep their colours, their row numbers do not
    more = session.document.token_count - len(before)
    colours = TokenColours.of(session)
    assert more > 0 and [colours.at(k + more) for k in range(2, len(before))] == before[2:]
    image = table.view.viewport().grab().toImage()
    column = table.view.columnViewportPosition(TEXT_COLUMN)
    height = table.view.verticalHeader().defaultSectionSize()
    painted = [image.pixelColor(column + PADDING + 2, k * height + height // 2) for k in range(5)]
    assert painted == [palette.current().fill_of(colours.at(k)) for k in range(5)]
    assert painted != [palette.current().fill_of(k) for k in range(5)]
