"""The byte lane as a user meets it: keys, mouse, zoom on a long line, one selection and one hover with other views."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
import regex
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from effort import calls
from hf_oracle import open_bytes
from tokenloupe.core.bytelane import UNITS
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views import palette
from tokenloupe.views.bytelane import ByteLane
from tokenloupe.views.bytelane_geometry import NARROWEST, WIDEST
from tokenloupe.views.hex_view import HexView

K = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
FAMILY = "👨‍👩‍👧"


@pytest.fixture
def make(qtbot):
    def made(data: bytes | str, tokenizer=None, width: int = 900, height: int = 300) -> ByteLane:
        data = data.encode() if isinstance(data, str) else data
        session = Session(tokenizer or load_bundled("gpt2"), data, jobs=Jobs(synchronous=True))
        view = ByteLane(session)
        session.setParent(view)
        qtbot.addWidget(view)
        view.resize(width, height)
        view.show()
        view.sheet.setFocus()
        QApplication.processEvents()
        return view

    return made


def press(view: ByteLane, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, times: int = 1) -> None:
    for _ in range(times):
        QApplication.sendEvent(view.sheet, QKeyEvent(QEvent.Type.KeyPress, key, modifiers, ""))


def point(view: ByteLane, unit: str, byte: float, down: float = 0.6) -> QPoint:
    """A place in the cell of a byte in a row."""
    sheet = view.sheet
    row = sheet.geometry_.row(unit)
    return QPoint(round(sheet.ruler.x(byte + 0.5)), round(sheet._top + row.top + row.height * down))


def mouse(view: ByteLane, kind: QEvent.Type, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
    port = view.sheet.viewport()
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else Qt.MouseButton.LeftButton
    QApplication.sendEvent(port, QMouseEvent(kind, QPointF(at), QPointF(port.mapToGlobal(at)), button, held, modifiers))


def hover(view: ByteLane, at: QPoint) -> None:
    port = view.sheet.viewport()
    no = Qt.MouseButton.NoButton
    QApplication.sendEvent(port, QMouseEvent(QEvent.Type.MouseMove, QPointF(at), QPointF(port.mapToGlobal(at)), no, no,
                                             NONE))


def click(view: ByteLane, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
    mouse(view, QEvent.Type.MouseButtonPress, at, modifiers)
    mouse(view, QEvent.Type.MouseButtonRelease, at, modifiers)


def wheel(view: ByteLane, turn: int, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
    port = view.sheet.viewport()
    QApplication.sendEvent(port, QWheelEvent(QPointF(at), QPointF(port.mapToGlobal(at)), QPoint(), QPoint(0, turn),
                                             Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False))


# What it is over

def test_the_caret_chooses_the_line_and_a_button_the_selection_alone(make) -> None:
    view = make("one\ntwo 漢\n\nfour")
    session, model = view.model.session, view.model
    assert model.range == (0, 4)
    session.select(6, 6)
    assert model.range == (4, 12)
    session.select(2, 6)
    assert model.range == (0, 12)  # both lines that the selection touches
    view.scope.click()
    assert model.range == (2, 6)
    session.select(9, 10)  # one byte inside 漢: whole code points are shown
    assert model.range == (8, 11)
    session.select(12, 12)
    assert model.range == (12, 13)
    view.scope.click()
    session.select(len(session), len(session))
    assert model.range == (13, 17)


def test_own_moves_keep_the_ruler_and_others_lines_change_it(make) -> None:
    view = make("one two\nthree")
    view.scope.click()
    view.model.session.select(0, 7)
    press(view, K.Key_Home)
    assert view.model.session.selection == (0, 3) and view.model.range == (0, 7)
    press(view, K.Key_Right)
    press(view, K.Key_Right)  # there is nothing more in what was selected
    assert view.model.session.selection == (3, 7) and view.model.range == (0, 7)
    view.scope.click()
    press(view, K.Key_Right, times=2)  # the line end, then on in the next line
    assert view.model.session.selection[0] == 8 and view.model.range == (8, 13)


@pytest.mark.parametrize("edit", [(2, 0, b"x"), (0, 3, b""), (7, 1, b""), (11, 0, b"yz"), (11, 0, b"\n"), (3, 0, b"\n"),
                                  (0, 11, b"q"), (10, 1, b""), (7, 0, "漢".encode())])
@pytest.mark.parametrize("caret", [0, 3, 8, 11])
def test_after_an_edit_the_line_is_the_one_found_anew(make, edit: tuple[int, int, bytes], caret: int) -> None:
    view = make("abc def\nxyz")
    session = view.model.session
    session.select(caret, caret)
    assert view.model.range
    session.edit(*edit)
    data, at = session.data, session.caret
    start = data.rfind(b"\n", 0, at) + 1
    end = data.find(b"\n", at) + 1 or len(data)
    assert view.model.range == (start, end)
    session.undo()
    at = session.caret
    assert view.model.range == ((0, 8) if at < 8 else (8, 11))


# Keys

def test_arrows_go_from_cell_to_cell_of_every_row(make) -> None:
    text = f"né {FAMILY} e\u0301"
    view = make(text)
    data = text.encode()
    clusters = [len(text[: m.start()].encode()) for m in regex.finditer(r"\X", text)] + [len(data)]
    points = [len(text[:i].encode()) for i in range(len(text) + 1)]
    tokens = [t.start for t in view.model.session.document.encoding().tokens] + [len(data)]
    pieces = [len(text[: m.start()].encode()) for m in regex.finditer(
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)] + [len(data)]
    expected = {"grapheme": clusters, "code point": points, "byte": list(range(len(data) + 1)), "token": tokens,
                "pre-token": pieces}
    for unit, edges in expected.items():
        view.model.set_unit(unit)
        press(view, K.Key_Home)
        seen = [view.model.session.selection]
        for _ in range(len(edges) - 2):
            press(view, K.Key_Right)
            seen.append(view.model.session.selection)
        assert seen == list(pairwise(edges)), unit
        press(view, K.Key_Right, times=2)
        assert view.model.session.selection == seen[-1]  # the end of the text
        press(view, K.Key_Left, times=len(seen) + 1)
        assert view.model.session.selection == seen[0]
        press(view, K.Key_End)
        assert view.model.session.selection == seen[-1]


def test_up_and_down_choose_the_row_and_move_nothing(make) -> None:
    view = make("abc")
    view.model.session.select(1, 1)
    press(view, K.Key_Up, times=9)
    assert view.model.unit == UNITS[0]
    for unit in UNITS[1:]:
        press(view, K.Key_Down)
        assert view.model.unit == unit
    press(view, K.Key_Down)
    assert view.model.unit == UNITS[-1] and view.model.session.selection == (1, 1)


def test_shift_extends_by_cells_and_enter_selects_one(make) -> None:
    view = make("né漢x")
    view.model.set_unit("code point")
    view.model.session.select(1, 1)
    press(view, K.Key_Right, SHIFT, times=2)
    assert (view.model.session.anchor, view.model.session.caret) == (1, 6)
    press(view, K.Key_Left, SHIFT)
    assert view.model.session.selection == (1, 3)
    press(view, K.Key_End, SHIFT)
    assert view.model.session.selection == (1, 7)
    view.model.session.select(4, 4)  # inside 漢
    press(view, K.Key_Return)
    assert view.model.session.selection == (3, 6)
    press(view, K.Key_End, CTRL)
    assert view.model.session.selection == (6, 7)
    press(view, K.Key_Home, CTRL)
    assert view.model.session.selection == (0, 1)


def words(normalizer: object):
    value = {"normalizer": normalizer, "pre_tokenizer": {"type": "WhitespaceSplit"},
             "model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1, "ab": 2}, "unk_token": "?"}}
    return open_bytes(json.dumps(value).encode(), "made")


def test_tokens_of_no_byte_and_bytes_of_no_token_are_reached_by_key_and_mouse(make) -> None:
    view = make("ab  a ", words({"type": "Prepend", "prepend": "a "}))
    press(view, K.Key_Home)
    press(view, K.Key_Left)
    seen = []
    for _ in range(6):
        seen.append((view.model.session.selection, view.place.text()))
        press(view, K.Key_Right)
    assert [s for s, _ in seen] == [(0, 0), (0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]
    assert "made of no byte of the text" in seen[0][1] and "id 1" in seen[0][1]
    # Decoding puts one space between words: of the two one comes back, and no token has either.
    assert sorted(text[:7] for _, text in seen[2:4]) == ["Byte 2 ", "No toke"] or [
        text[:7] for _, text in seen[2:4]] == ["No toke", "Byte 3 "]
    click(view, QPoint(round(view.sheet.ruler.x(0)), point(view, "token", 0, 0.15).y()))
    assert view.model.session.selection == (0, 0) and "made of no byte" in view.place.text()
    click(view, point(view, "token", 2))
    assert view.model.session.selection == (2, 3)
    assert not view.grab().isNull()


def test_the_normalizer_row_goes_from_change_to_change(make) -> None:
    view = make("A bb ﬁ xx É", words({"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"}]}))
    view.model.set_unit("change")
    seen = [view.model.session.selection]
    for _ in range(4):
        press(view, K.Key_Right)
        seen.append(view.model.session.selection)
    assert seen == [(0, 0), (5, 8), (12, 14), (12, 14), (12, 14)]
    assert view.place.text() == "The normalizer made “é” of “É”"
    press(view, K.Key_Left, times=2)
    assert view.model.session.selection == (0, 1)


# Mouse

def test_a_click_selects_a_cell_and_a_drag_several(make) -> None:
    view = make(f"x{FAMILY}é")
    session = view.model.session
    click(view, point(view, "grapheme", 3))
    assert session.selection == (1, 19) and view.model.unit == "grapheme"
    click(view, point(view, "code point", 6))
    assert session.selection == (5, 8)
    click(view, point(view, "byte", 6))
    assert session.selection == (6, 7)
    click(view, point(view, "byte", 9), SHIFT)
    assert session.selection == (6, 10)
    mouse(view, QEvent.Type.MouseButtonPress, point(view, "byte", 5))
    for byte in (4, 2):
        mouse(view, QEvent.Type.MouseMove, point(view, "byte", byte))
    assert session.selection == (2, 6)
    mouse(view, QEvent.Type.MouseMove, point(view, "byte", 8))
    assert session.selection == (5, 9)
    mouse(view, QEvent.Type.MouseButtonRelease, point(view, "byte", 8))
    click(view, QPoint(8, point(view, "pre-token", 0).y()))
    assert view.model.unit == "pre-token" and session.selection == (5, 9)


def test_hover_lights_other_views_and_never_moves_the_selection(make, qtbot) -> None:
    view = make("né 漢")
    session = view.model.session
    other = HexView(session)
    qtbot.addWidget(other)
    session.select(1, 3)
    for unit, byte, lit in (("byte", 2, (2, 3)), ("code point", 2, (1, 3)), ("grapheme", 5, (4, 7))):
        hover(view, point(view, unit, byte))
        assert session.hover == lit == other.model.hover and session.selection == (1, 3)
    hover(view, QPoint(4, 4))
    assert session.hover == (-1, -1)
    before = view.sheet.viewport().grab().toImage()
    other.model.hover_at(0)  # and the other way: hex view -> lane
    assert session.hover[0] == 0 and view.sheet.viewport().grab().toImage() != before
    view.model.set_unit("code point")
    other.model.select(4, 7)
    assert (view.model.current.start, view.model.current.end) == (4, 7)
    click(view, point(view, "code point", 1))
    assert other.model.selection == (1, 3)


# Zoom and scroll

def test_the_byte_under_the_pointer_stays_when_zooming(make) -> None:
    view = make("0123456789" * 5000)
    sheet = view.sheet
    sheet.scroll_to(100_000)
    at = QPoint(500, 60)
    for turn in (120, 120, 360, -120, -600, 240):
        before = sheet.ruler.place(500)
        wheel(view, turn, at, CTRL)
        assert abs(sheet.ruler.place(500) - before) < 1e-6 * max(before, 1) + 2 / sheet.cell
    for _ in range(80):
        press(view, K.Key_Minus)
    assert sheet.cell == pytest.approx(NARROWEST)
    assert not view.grab().isNull()
    for _ in range(120):
        press(view, K.Key_Plus)
    assert sheet.cell == pytest.approx(WIDEST)
    assert not view.grab().isNull()
    press(view, K.Key_0)
    assert sheet.cell == sheet.geometry_.base
    press(view, K.Key_F)
    assert sheet.cell == pytest.approx(NARROWEST)  # 50,000 bytes cannot fit in


def test_fit_shows_all_and_the_wheel_scrolls(make) -> None:
    view = make("0123456789" * 4)
    press(view, K.Key_F)
    assert view.sheet.ruler.x(40) <= view.sheet.viewport().width() and view.sheet._scroll == 0
    view = make("0123456789" * 50)
    wheel(view, -120, QPoint(300, 60), SHIFT)
    assert view.sheet._scroll > 0


def test_a_selection_made_elsewhere_comes_into_sight(make) -> None:
    view = make("0123456789" * 500)
    view.model.session.select(4000, 4010)
    ruler = view.sheet.ruler
    assert ruler.first <= 4000 < 4010 <= ruler.last
    view.model.session.select(5, 5)
    assert view.sheet.ruler.first <= 5


def test_one_line_of_a_megabyte_is_painted_by_what_is_in_sight(make) -> None:
    data = ("naïve 漢字 👨‍👩‍👧 नमस्ते, 12345! " * 30000).encode()[:1_000_000].decode("utf-8", "ignore").encode()
    view = make(data)
    sheet = view.sheet
    assert view.model.range == (0, len(data))

    def scroll(x: float) -> None:
        sheet.scroll_to(x)
        sheet.viewport().repaint()

    def key() -> None:
        view.model.session.edit(place, 0, b"x", "typing")
        sheet.viewport().repaint()

    efforts = [calls(lambda k=k: scroll(k * 900_000.0)) for k in range(30)]
    place = data.index(b"12345", 500_000)
    assert max(efforts) < 50_000
    assert max(calls(key) for _ in range(20)) < 50_000


def test_hidden_it_does_nothing(make) -> None:
    view = make("abc\ndef")
    view.hide()
    view.model.session.edit(0, 0, b"x")
    view.model.session.select(6, 6)
    view.show()
    QApplication.processEvents()
    assert view.sheet._shown_range == view.model.range == (5, 8)


# Looks

@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\xfe", b"\xf0\x9f\x98", b"a\x00\r\n", "\u0301\u200d\ufeff".encode(),
                                  b"<b>&amp;</b>", b"x" * 5000])
@pytest.mark.parametrize("width", [200, 320, 900])
def test_any_bytes_are_painted_at_any_width(make, data: bytes, width: int) -> None:
    view = make(data, width=width, height=180)
    for unit in UNITS:
        view.model.set_unit(unit)
        press(view, K.Key_Right)
        assert not view.grab().isNull()
    assert view.minimumSizeHint().width() <= 320


def test_cuts_of_both_kinds_have_marks_of_their_own(make) -> None:
    """👍🏽 in gpt2: cuts inside both code points (filled triangles) and one between them (a hollow diamond)."""
    view = make("👍🏽")
    lane = view.model.frame(0, 8).lane
    assert lane.cut_kinds[lane.cuts.tolist().index(4)] == 1 and 2 in lane.cut_kinds.tolist()
    image = view.sheet.viewport().grab().toImage()
    bottom = round(view.sheet._top + view.sheet.geometry_.row("grapheme").bottom)
    ink = palette.current()

    def tone(x: float, y: float) -> QColor:
        return QColor(image.pixel(round(x), round(y)))

    for cut, kind in zip(lane.cuts.tolist(), lane.cut_kinds.tolist(), strict=True):
        inside = tone(view.sheet.ruler.x(cut), bottom - 4)
        assert inside == (ink.error if kind == 2 else ink.base), (cut, kind)


def test_dark_is_dark(make) -> None:
    palette.use(palette.dark())
    try:
        view = make(b"ok \xff " + FAMILY.encode())
        image = view.sheet.viewport().grab().toImage()
        assert QColor(image.pixel(image.width() - 4, image.height() - 4)).lightness() < 60
    finally:
        palette.use(palette.light())


def test_names_for_screen_readers(make) -> None:
    view = make("é")
    assert view.sheet.accessibleName() == "Byte lane" and view.legend.accessibleDescription()
    for button in (view.scope, view.out, view.into, view.fit, view.key):
        assert button.accessibleName() and button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert view.place.text() == "Token 0, id 2634, bytes c3 a9, whole"  # tiktoken, gpt2
