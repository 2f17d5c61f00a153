"""Caret and selection: by keys and mouse, over graphemes, both directions, wraps, surrogates and invalid bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtWidgets import QApplication

from tokenloupe.views.editor import EditorView
from tokenloupe.views.editor_moves import Place

from .editor_kit import CTRL, FAMILY, NONE, SHIFT, click, key, make_fixture, mouse, place  # noqa: F401

K = QKeySequence.StandardKey


def stops(view: EditorView, which: K, start: int) -> list[int]:
    """Every place a key stops at from `start` on."""
    view.move_to(Place(start), False)
    out = [view.session.caret]
    while True:
        key(view, which)
        if view.session.caret == out[-1]:
            return out
        out.append(view.session.caret)


def clusters(text: str) -> list[int]:
    out, at = [0], 0
    for cluster in regex.findall(r"\X", text):
        at += len(cluster.encode())
        out.append(at)
    return out


@pytest.mark.parametrize("text", [
    "abc", f"a{FAMILY}b", "e\u0301\u0323x", "🇩🇪🇫🇷🇮", "กำลังเรียน", "क्षत्रिय", "a\r\nb\rc\nd", "\ufeff\u200bx", "a\u2028b",
    "漢字", "한국어", "x\t\u00a0y", "👍🏽"])
def test_right_and_left_stop_at_every_grapheme(make, text: str) -> None:
    view = make(text)
    expected = clusters(text)
    assert stops(view, K.MoveToNextChar, 0) == expected
    assert stops(view, K.MoveToPreviousChar, len(text.encode())) == expected[::-1]


def test_every_byte_that_is_no_utf8_is_a_stop(make) -> None:
    data = b"a\xff\xf0\x9f\x98" + "\u0301".encode() + b"\xed\xa0\x80z"
    view = make(data)
    assert stops(view, K.MoveToNextChar, 0) == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11]


def test_in_a_right_to_left_line_right_goes_back(make) -> None:
    text = "שלום"
    view = make(text)
    assert stops(view, K.MoveToPreviousChar, 0) == [0, 2, 4, 6, 8]  # Left: onwards
    assert stops(view, K.MoveToNextChar, 8) == [8, 6, 4, 2, 0]
    view.move_to(Place(0), False)
    right = view.caret_rect().x()
    view.move_to(Place(8), False)
    assert view.caret_rect().x() < right and view.caret_is_rtl() is False
    view.move_to(Place(2), False)
    assert view.caret_is_rtl()


def test_caret_inside_mixed_directions(make) -> None:
    text = "ab שלום cd"
    view = make(text)
    x = [view.sheet.caret_rect(b).x() for b in clusters(text)]
    hebrew = x[4:7]
    assert hebrew == sorted(hebrew, reverse=True)  # inside the word carets go left
    assert x[:3] == sorted(x[:3]) and x[9:] == sorted(x[9:])


def test_words(make) -> None:
    view = make("one  two, x\nthree")
    assert stops(view, K.MoveToNextWord, 0) == [0, 5, 8, 10, 11, 12, 17]
    assert stops(view, K.MoveToPreviousWord, 17) == [17, 12, 11, 10, 8, 5, 0]


@pytest.mark.parametrize("text", ["\u0600!", "a\u06dd'b", "\U000110bdx", "क्षत्रिय", f"a{FAMILY}b", "\u200b\u0301'",
                                  "\u1100\u1161", "a\xad\u0600\u0600\n!"])
def test_words_end_at_clusters_and_every_key_moves(make, text: str) -> None:
    view = make(text)
    size = len(text.encode())
    stops = {0}
    while max(stops) < size:
        stops.add(view.moves.next(max(stops)))
    for stop in stops:
        right, left = view.moves.word_right(stop), view.moves.word_left(stop)
        assert right in stops and left in stops
        assert (right > stop or stop == size) and (left < stop or stop == 0)
        if stop < view.moves.block_end(stop):
            low, high = view.moves.word_at(stop)
            assert low <= stop < high and {low, high} <= stops


def test_a_word_over_the_cut_of_a_long_line(make) -> None:
    view = make(b"x" * 5000 + b" tail")
    row_end = view.sheet.rows.span(0)[1]
    low, high = view.moves.word_at(row_end)
    assert low < row_end < high
    assert view.moves.word_right(4990) == 5001


def test_up_and_down_keep_the_column(make) -> None:
    view = make("long line here\nab\nlong line here")
    view.move_to(Place(9), False)
    key(view, K.MoveToNextLine)
    assert view.session.caret == 17  # the end of "ab"
    key(view, K.MoveToNextLine)
    assert view.session.caret == 18 + 9
    key(view, K.MoveToPreviousLine, times=2)
    assert view.session.caret == 9
    key(view, K.MoveToPreviousLine)
    assert view.session.caret == 0
    key(view, K.SelectEndOfDocument)
    assert view.session.selection == (0, len(view.session))


def test_home_and_end_at_a_wrap(make) -> None:
    view = make("word " * 60, size=(400, 300))
    assert len(view.sheet.picture(0).layout.lines) > 2
    end_of_first = view.sheet.picture(0).layout.line_bytes(0)[1]
    key(view, K.MoveToEndOfLine)
    assert view.session.caret == end_of_first and view.upstream
    assert view.caret_rect().y() == view.sheet.caret_rect(0).y()  # still on the first line
    key(view, K.MoveToStartOfLine)
    assert view.session.caret == 0
    view.move_to(Place(end_of_first), False)
    key(view, K.MoveToStartOfLine)
    assert view.session.caret == end_of_first
    key(view, K.MoveToNextLine)
    key(view, K.SelectStartOfLine)
    assert view.session.caret >= end_of_first


def test_down_crosses_every_visual_line(make) -> None:
    view = make(b"y" * 4000 + b"\nend", size=(400, 300))
    lines = sum(len(view.sheet.picture(r).layout.lines) for r in range(len(view.sheet.rows)))
    view.move_to(Place(0), False)
    for _ in range(lines - 1):
        before = view.session.caret
        key(view, K.MoveToNextLine)
        assert view.session.caret > before
    assert view.session.caret == 4001


def test_pages_and_document_ends(make) -> None:
    view = make("line\n" * 500)
    key(view, K.MoveToNextPage)
    page = view.session.caret
    assert 50 < page < 300
    key(view, K.MoveToEndOfDocument)
    assert view.session.caret == 2500 and view.caret_rect() is not None
    key(view, K.SelectStartOfDocument)
    assert view.session.selection == (0, 2500) and view.caret_rect().y() < 50
    key(view, K.MoveToNextPage)
    key(view, K.MoveToPreviousPage)
    assert view.session.caret == 0


def test_shift_selects_and_a_move_collapses(make) -> None:
    view = make("abcdef")
    key(view, K.SelectNextChar, times=3)
    assert view.session.selection == (0, 3) and view.session.caret == 3
    key(view, K.MoveToPreviousChar)
    assert view.session.selection == (0, 0)
    key(view, K.SelectNextChar, times=3)
    key(view, K.MoveToNextChar)
    assert view.session.selection == (3, 3)
    key(view, K.SelectAll)
    assert view.session.selection == (0, 6)


# The mouse

@pytest.mark.parametrize("text", ["abc def", "漢字かな", f"a{FAMILY}b😀", "กำลัง", "שלום", "tab\tx", "क्षत्रिय"])
def test_a_click_at_a_caret_gives_that_caret(make, text: str) -> None:
    view = make(text)
    for byte_pos in clusters(text):
        found, _ = view.sheet.byte_at(place(view, byte_pos) + QPointF(0.2, 0))
        a, b = view.sheet.caret_rect(found).x(), view.sheet.caret_rect(byte_pos).x()
        assert a == pytest.approx(b, abs=0.6)


@pytest.mark.parametrize("text", ["abc", f"x{FAMILY}", "漢é", "a\xad\u200bx"])
def test_the_byte_under_the_pointer(make, text: str) -> None:
    view = make(text)
    edges = clusters(text)
    for low, high in pairwise(edges):
        a, b = view.sheet.caret_rect(low), view.sheet.caret_rect(high)
        point = QPointF(a.x() + (b.x() - a.x()) * 0.5, a.center().y())
        assert low <= view.sheet.exact_byte_at(point) < high
    assert view.sheet.exact_byte_at(QPointF(600, 390)) == -1


def test_inside_a_cluster_x_goes_by_share_of_bytes(make) -> None:
    view = make(FAMILY)
    size = len(FAMILY.encode())
    a, b = view.sheet.caret_rect(0).x(), view.sheet.caret_rect(size).x()
    assert view.sheet.caret_rect(size // 5).x() == pytest.approx(a + (b - a) / 5, abs=0.5)


def test_clicks(make) -> None:
    view = make("one two\nthree")
    click(view, 5)
    assert view.session.selection == (5, 5)
    click(view, 9, SHIFT)
    assert view.session.selection == (5, 9) and view.session.caret == 9
    point = place(view, 5) + QPointF(2, 0)
    mouse(view, QEvent.Type.MouseButtonDblClick, point)
    assert view.session.selection == (4, 7)
    mouse(view, QEvent.Type.MouseButtonRelease, point, held=False)
    mouse(view, QEvent.Type.MouseButtonPress, point)  # the third click: the line with its end
    assert view.session.selection == (0, 8)
    mouse(view, QEvent.Type.MouseButtonRelease, point, held=False)


def test_dragging_selects_and_by_words_after_a_double_click(make) -> None:
    view = make("one two three")
    mouse(view, QEvent.Type.MouseButtonPress, place(view, 1))
    mouse(view, QEvent.Type.MouseMove, place(view, 6))
    assert view.session.selection == (1, 6) and view.session.caret == 6
    mouse(view, QEvent.Type.MouseButtonRelease, place(view, 6), held=False)
    mouse(view, QEvent.Type.MouseButtonDblClick, place(view, 5) + QPointF(1, 0))
    mouse(view, QEvent.Type.MouseMove, place(view, 10))
    assert view.session.selection == (4, 13)
    mouse(view, QEvent.Type.MouseMove, place(view, 1))
    assert view.session.selection == (0, 7)
    mouse(view, QEvent.Type.MouseButtonRelease, place(view, 1), held=False)


def test_dragging_below_the_view_scrolls(make) -> None:
    view = make("line\n" * 200)
    mouse(view, QEvent.Type.MouseButtonPress, place(view, 1))
    mouse(view, QEvent.Type.MouseMove, QPointF(50, view.viewport().height() + 60))
    before = view.session.caret
    for _ in range(5):
        view.mouse._autoscroll()
    assert view.sheet.y > 200 and view.session.caret > before
    mouse(view, QEvent.Type.MouseButtonRelease, QPointF(50, 50), held=False)
    assert not view.mouse._scroll.isActive()


def test_hover_tells_the_token_and_never_selects(make) -> None:
    view = make("hello world", tokenizer="gpt2")
    view.select(1, 3)
    mouse(view, QEvent.Type.MouseMove, place(view, 8) + QPointF(2, 0), held=False, button=Qt.MouseButton.NoButton)
    assert view.session.hover == (5, 11) and view.session.selection == (1, 3)  # " world" is one token
    view.grab()
    view.mouse.leave()
    assert view.session.hover == (-1, -1)


def test_a_selection_from_elsewhere_is_shown_and_scrolled_to(make) -> None:
    view = make("line\n" * 1000)
    view.session.select(4000, 4004)
    assert view.caret_rect() is not None and view.sheet.top_row > 500
    view.go_to_byte(3)
    assert view.session.caret == 3 and view.sheet.top_row == 0
    view.go_to_token(1)
    assert view.session.selection == (4, 5)


def test_a_click_keeps_the_view_where_it_is(make) -> None:
    view = make("line\n" * 1000)
    view.go_to_byte(2500)
    top = view.sheet.y
    click(view, view.session.caret + 1)
    assert view.sheet.y == top


def test_ctrl_wheel_and_keys_zoom(make) -> None:
    view = make("text")
    height = view.sheet.metrics.line_height
    key(view, K.ZoomIn, times=3)
    assert view.zoom == pytest.approx(1.1**3) and view.sheet.metrics.line_height > height
    key(view, Qt.Key.Key_0, CTRL)
    assert view.zoom == 1.0 and view.sheet.metrics.line_height == height
    view.set_zoom(1000)
    assert view.zoom == 6.0


def test_the_wheel_scrolls_and_with_ctrl_zooms(make) -> None:
    view = make("line\n" * 500)

    def turn(modifiers: Qt.KeyboardModifier, by: int) -> None:
        point = QPointF(50, 50)
        where = QPointF(view.viewport().mapToGlobal(QPoint(50, 50)))
        QApplication.sendEvent(view.viewport(), QWheelEvent(
            point, where, QPoint(), QPoint(0, by), Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase,
            False))

    turn(NONE, -120)
    assert view.sheet.y > 0 and view.zoom == 1.0
    turn(NONE, 480)
    assert view.sheet.y == 0
    turn(CTRL, 120)
    assert view.zoom == pytest.approx(1.1)
