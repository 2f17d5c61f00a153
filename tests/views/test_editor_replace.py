"""Regular expressions over any bytes, in bounded time, and replacing: every value by Python's re or by hand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from tokenloupe.core.errors import InputError
from tokenloupe.views import text_search_regex
from tokenloupe.views.editor import EditorView
from tokenloupe.views.find_bar import BYTES, REGEX
from tokenloupe.views.text_search import LONGEST, Query
from tokenloupe.views.text_search_regex import Expression

from .editor_kit import CTRL, key, make_fixture  # noqa: F401

PIECES = st.sampled_from([b"a", b"ab", b"\n", b" ", "é".encode(), "漢".encode(), "😀".encode(), b"\xff", b"\xf0\x9f",
                          b"\xed\xa0\x80", b"1", b"b"])
PATTERNS = ["a+b?", "(?<=a).", "^.", ".$", r"\w+", r"[^a]", "漢|é", r"(a)(b)?", "b*", r"\s+(?!\S)", "😀"]


def expected(source: str, data: bytes) -> list[tuple[int, int]]:
    text = data.decode("utf-8", "surrogateescape")

    def size(n: int) -> int:
        return len(text[:n].encode("utf-8", "surrogateescape"))

    return [(size(m.start()), size(m.end())) for m in re.compile(source, re.M).finditer(text) if m[0]]


@settings(max_examples=60)
@given(st.lists(PIECES, max_size=12), st.sampled_from(PATTERNS), st.data())
def test_matches_are_those_of_re(pieces: list[bytes], source: str, draw: st.DataObject) -> None:
    data = b"".join(pieces)
    query, spans = Expression.make(source, case=True), expected(source, data)
    assert query is not None
    assert list(query.all(data)) == spans
    at = draw.draw(st.integers(0, len(data)))
    before = [s for s in spans if s[1] <= at]
    assert query.previous(data, at) == (before[-1] if before else spans[-1] if spans else None)
    if at in {0, *(b for _, b in spans)}:  # from other places a match may begin in the middle of one of these
        after = [s for s in spans if s[0] >= at]
        assert query.next(data, at) == (after[0] if after else spans[0] if spans else None)
    low, high = sorted((at, draw.draw(st.integers(0, len(data)))))
    assert query.near(lambda a, b: data[a:b], low, high) == [s for s in spans if s[0] < high and s[1] > low]


def test_the_next_match_after_half_a_character_is_not_before_it() -> None:
    query = Expression.make("[^a]")
    assert query is not None
    assert query.next(b"\xf0\x9f", 1) == (1, 2) and query.next(b"\xf0\x9f", 2) == (0, 1)


def test_lines_begin_where_they_do_far_down_the_text() -> None:
    data = b"x" * 9000 + b"\nab" + b"y" * 9000
    query = Expression.make("^.")
    assert query is not None
    assert query.near(lambda a, b: data[a:b], 9001, 9010) == [(9001, 9002)]
    assert query.near(lambda a, b: data[a:b], 4000, 4010) == []  # where the stretch looked at begins is no line


@pytest.mark.parametrize("source", ["(", "[", "a{2,1}", r"\p{Nonsense}", "(?P<1>a)", "(" * 900, "x" * (LONGEST + 1)])
def test_what_is_no_expression_is_one_sentence(source: str) -> None:
    with pytest.raises(InputError):
        Expression.make(source)


def test_an_expression_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch, make) -> None:
    monkeypatch.setattr(text_search_regex, "PATIENCE", 0.05)
    view = make(b"a" * 40)
    view.show_find()
    view.find_bar.mode.setCurrentIndex(REGEX)
    view.find_bar.field.setText("(a|aa)+[^a]$")
    for run in (view.find_next, view.find_previous, view.find_bar.count_now, lambda: view.replace_all("x"),
                lambda: view.replace_next("x")):
        view.find_bar.tell("")
        run()
        assert "takes too long" in view.find_bar.count.text()
    assert view.session.data == b"a" * 40 and not view.session.can_undo


def test_a_query_that_is_too_long_is_told_at_once(make) -> None:
    view = make(b"abc")
    view.show_find()
    view.find_bar.field.setText("Ab" * 16000)
    assert view.find_bar.query is None and "at most" in view.find_bar.count.text()
    assert Query.text("x" * LONGEST) is not None


@pytest.mark.parametrize(("text", "find", "by", "after"), [
    ("one two one", "one", "1", "1 two 1"), ("ONE one", "one", "", " "), ("aaa", "aa", "b", "ba"),
    ("straße", "SS", "x", "straße"), ("😀é😀", "😀", "漢", "漢é漢")])
def test_replace_all_is_one_step(make, text: str, find: str, by: str, after: str) -> None:
    view = make(text)
    view.show_replace()
    view.find_bar.field.setText(find)
    view.replace_all(by)
    assert view.session.data.decode() == after
    view.undo()
    assert view.session.data.decode() == text and not view.session.can_undo


def test_groups_and_bytes_take_part_in_what_replaces(make) -> None:
    view = make(b"k1=v1;k2=\xff2")
    view.show_replace()
    view.find_bar.mode.setCurrentIndex(REGEX)
    view.find_bar.field.setText(r"(\w+)=([^;]+)")
    view.replace_all(r"\2=\g<1>")
    assert view.session.data == b"v1=k1;\xff2=k2"
    view.replace_all(r"\7")
    assert view.session.data == b"v1=k1;\xff2=k2" and "cannot be read" in view.find_bar.count.text()
    view.find_bar.mode.setCurrentIndex(BYTES)
    view.find_bar.field.setText("ff 32")
    view.replace_all("zz")
    assert view.session.data == b"v1=k1;\xff2=k2" and "hexadecimal" in view.find_bar.count.text()
    view.replace_all("f0 9f")
    assert view.session.data == b"v1=k1;\xf0\x9f=k2"


def test_one_after_the_other_by_keys(make) -> None:
    view = make("cat dog cat cat")
    key(view, QKeySequence.StandardKey.Replace) if QKeySequence.keyBindings(QKeySequence.StandardKey.Replace) \
        else view.show_replace()
    bar = view.find_bar
    assert bar.replacing.isVisible()
    bar.field.setText("cat")
    bar.replacing.field.setText("cats")

    def enter(modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QApplication.sendEvent(bar.replacing.field, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, modifiers, ""))

    enter()
    assert view.session.selection == (0, 3) and not view.session.can_undo  # the first is selected, not yet replaced
    enter()
    assert view.session.data == b"cats dog cat cat" and view.session.selection == (9, 12)
    enter(CTRL)  # all that are left, and those that were made: "cat" in "cats"
    assert view.session.data == b"catss dog cats cats"
    QApplication.sendEvent(bar.replacing.field, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape,
                                                          Qt.KeyboardModifier.NoModifier, ""))
    assert bar.isHidden() and view.hasFocus()


def test_nothing_is_replaced_in_what_is_only_to_be_read(make) -> None:
    view = make("cat")
    view.set_read_only(True)
    view.show_replace()
    view.find_bar.field.setText("cat")
    view.replace_all("dog")
    view.replace_next("dog")
    assert view.session.data == b"cat" and not view.find_bar.replacing.isVisible()


# The clipboard of other programs


def pasted(view: EditorView, mime: QMimeData) -> bytes:
    QGuiApplication.clipboard().setMimeData(mime)
    view.paste()
    return view.session.data


def test_copied_files_are_opened_and_addresses_are_text(make, tmp_path) -> None:
    (tmp_path / "a.txt").write_bytes(b"what is in it")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    assert pasted(make(b""), mime) == b"what is in it"
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/a")])
    assert pasted(make(b""), mime) == b"https://example.org/a"


def test_rich_text_without_plain_text_is_its_text(make) -> None:
    mime = QMimeData()
    mime.setHtml("<p>a&nbsp;<b>b</b></p><p>c<br>d &lt;s&gt;</p><img src='http://127.0.0.1:1/x.png'>")
    assert pasted(make(b""), mime).decode().rstrip("\n") == "a\u00a0b\nc\nd <s>"
