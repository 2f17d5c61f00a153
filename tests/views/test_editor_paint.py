"""Drawing: no warning and no exception on hard texts, what is split and what is solid, colours, only what changed."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QApplication

from tokenloupe.core.vocabulary import TokenKind
from tokenloupe.models.token_colours import COLOURS, TokenColours, cycle, splice
from tokenloupe.views import palette, split_glyphs
from tokenloupe.views.row_text import RowText

from .editor_kit import FAMILY, key, make_fixture, type_text  # noqa: F401

HARD = {
    "empty": b"",
    "families": (FAMILY + "👩🏽‍❤️‍💋‍👨🏿🏳️‍🌈🇩🇪🇫🇷🇮👍🏽1️⃣").encode(),
    "thai": "กำลังเรียนภาษาไทย ครับ น้ำ".encode(),
    "devanagari": "क्षत्रिय हिन्दी र्क".encode(),
    "mixed directions": "abc العربية 123 שלום (x) \u202eabc\u202c \u2067ab\u2069\nשלום abc\n".encode(),
    "ligature": "\ufdfa الله \ufefb".encode(),
    "lone surrogates": b"a\xed\xa0\x80b\xed\xbf\xbf",
    "all bytes": bytes(range(256)),
    "marks": ("e" + "\u0301" * 1000 + "x").encode(),
    "marks alone": ("\u0301\u0e33\u200d\ufe0f").encode(),
    "line ends": "a\nb\rc\r\nd\u2028e\u2029\n\n".encode(),
    "blanks": "\t \u00a0\u3000\u2003\u202f \t".encode(),
    "invisible": ("\ufeff\u200b\u2060\xad\u180e\x00\x1b\x7f\x85\ufff9\ufffc\ufffd\ufdd0"
                  "\U000e0001\U0010ffff\ue000").encode(),
    "one line": b'{"a":12,"bc":[true,null]},' * 600,
    "one line of cjk": "東京都渋谷区の天気".encode() * 400,
    "half a character": "漢".encode()[:2] + b"\n" + "😀".encode()[1:],
    "special": b"a<|endoftext|>b<|endof",
}


@pytest.mark.parametrize("name", HARD)
def test_hard_texts_are_painted(make, name: str) -> None:
    for tokenizer in ("gpt2", "o200k_base") if name in ("families", "special") else ("gpt2",):
        view = make(HARD[name], tokenizer=tokenizer, special="parse")
        view.set_show_spaces(True)
        view.set_line_numbers(True)
        view.grab()
        view.set_wrap(False)
        view.set_show_controls(False)
        view.select_all()
        view.session.hover_at(0, min(4, len(view.session)))
        view.grab()
        view.set_show_cells(False)
        view.go_to_byte(len(view.session) // 2)
        type_text(view, "x")
        QApplication.processEvents()
        view.grab()


def test_dark_and_dense(make) -> None:
    palette.use(palette.dark())
    try:
        view = make(HARD["families"])
        view.set_zoom(2.0)
        picture = view.grab().toImage()
    finally:
        palette.use(palette.light())
    assert picture.pixelColor(picture.width() - 30, picture.height() - 30) == palette.dark().base


def test_placeholder_only_while_empty(make) -> None:
    view = make()
    empty = view.grab().toImage()
    type_text(view, " ")
    key(view, Qt.Key.Key_Backspace)
    view.placeholder = ""
    view.viewport().update()
    assert view.grab().toImage() != empty


def test_a_split_cluster_has_its_tokens_in_shares_of_bytes(make) -> None:
    view = make("a" + FAMILY + "b", tokenizer="gpt2")
    picture = view.sheet.picture(0)
    expected = view.session.document.window(1, 1 + len(FAMILY.encode()))
    (split,) = picture.shapes(0).splits
    assert [(s.byte_start, s.byte_end) for s in split.parts] == list(
        zip(expected.starts.tolist(), expected.ends.tolist(), strict=True))
    assert split.leading < split.trailing
    (group,) = picture.groups(0)[0]
    assert " ".join(c.text for c in group.cells) == FAMILY.encode().hex(" ")
    height = picture.height
    view.set_show_cells(False)
    assert view.sheet.picture(0).height < height and view.sheet.picture(0).shapes(0).splits


def test_a_split_from_right_to_left_is_mirrored(make) -> None:
    view = make("ئ", tokenizer="gpt2")  # two bytes, two tokens
    assert view.session.document.token_count == 2
    (split,) = view.sheet.picture(0).shapes(0).splits
    assert split.leading > split.trailing


def test_whole_clusters_are_filled_and_a_boundary_has_a_tick(make) -> None:
    view = make("hello world", tokenizer="gpt2")
    shapes = view.sheet.picture(0).shapes(0)
    assert sum(map(len, shapes.fills.values())) == 2 and len(shapes.ticks) == 2
    assert not shapes.splits and not shapes.frames


def test_special_tokens_are_framed(make) -> None:
    view = make("a<|endoftext|>", tokenizer="gpt2", special="parse")
    assert int(view.session.document.tokens(1, 2).kinds[0]) == TokenKind.SPECIAL
    assert len(view.sheet.picture(0).shapes(0).frames) == 1


def test_neighbours_have_different_colours_after_any_edit(make) -> None:
    view = make("one two three four five six seven eight", tokenizer="gpt2")
    colours = TokenColours.of(view.session)
    for at, text in ((3, " and"), (0, "xyz"), (20, "\n\n"), (11, "q")):
        view.session.edit(at, 2, text.encode())
        window = colours.window(0, view.session.document.token_count)
        assert (window[1:] != window[:-1]).all()


def test_colours_of_tokens_after_an_edit_stay(make) -> None:
    view = make("one two three four five six", tokenizer="gpt2")
    colours = TokenColours.of(view.session)
    before = colours.window(0, 6).tolist()
    view.session.edit(3, 0, b" more words")
    assert colours.window(5, 8).tolist() == before[3:]


def test_splice_keeps_neighbours_apart() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        row = bytearray(cycle(rng.randint(0, 5), rng.randint(0, 9)))
        for _ in range(6):
            first = rng.randint(0, len(row))
            removed, inserted = rng.randint(0, min(3, len(row) - first)), rng.choice((0, 1, 2, 3, 100))
            size = len(row)
            splice(row, first, removed, inserted)
            assert len(row) == size - removed + inserted
            assert all(a != b for a, b in pairwise(row)) and max(row, default=0) < COLOURS


def test_an_edit_asks_only_for_its_own_line(make, monkeypatch) -> None:
    view = make("\n".join(f"line {n} of the text" for n in range(40)), size=(600, 700))
    view.go_to_byte(100)
    view.grab()
    asked: list[int] = []
    monkeypatch.setattr(view, "_update_line", lambda at, line: asked.append(at.row))
    row = view.sheet.rows.row_at(100)
    type_text(view, "x")
    assert set(asked) == {row}


def test_the_sheet_after_edits_is_that_of_a_fresh_one(make) -> None:
    view = make("one two\nthree 😀 four\n" * 5, tokenizer="gpt2")
    view.grab()
    for at, removed, data in ((3, 0, b"\n"), (10, 4, b""), (0, 0, b"\xf0\x9f"), (30, 2, "é\r\n".encode())):
        view.session.edit(at, removed, data)
    fresh = make(view.session.data, tokenizer="gpt2")
    assert len(view.sheet.rows) == len(fresh.sheet.rows)
    for row in range(len(fresh.sheet.rows)):
        a, b = view.sheet.picture(row), fresh.sheet.picture(row)
        assert a.height == b.height and a.layout.row.data == b.layout.row.data
        assert a.solids.starts.tolist() == b.solids.starts.tolist()
        assert a.tops == b.tops


def test_labels() -> None:
    text = RowText.make("\ufeffa\u200d\u202e\u00a0\x00\u200b\r\n".encode())
    assert [m.label for m in text.marks] == ["BOM", "ZWJ", "RLO", "NUL", "ZWSP", "CRLF"]
    assert [m.label for m in RowText.make(b"\xff\xc3\n").marks] == ["FF", "C3", "LF"]
    hidden = RowText.make("\ufeffa\u200d\u202e\x00".encode(), controls=False)
    assert [m.label for m in hidden.marks if m.label] == ["NUL"]


@pytest.mark.parametrize("name", HARD)
def test_the_string_shown_and_its_clusters_agree(name: str) -> None:
    for controls in (True, False):
        text = RowText.make(HARD[name][:4000], controls)
        assert int(text.cluster_utf16[-1]) == len(text.text.encode("utf-16-le", "surrogatepass")) // 2
        assert int(text.cluster_bytes[-1]) == len(text.data)
        assert (text.cluster_bytes[1:] > text.cluster_bytes[:-1]).all()
        assert (text.cluster_utf16[1:] > text.cluster_utf16[:-1]).all()


def test_wrap_and_no_wrap(make) -> None:
    view = make("word " * 200 + "\nshort", size=(400, 300))
    assert len(view.sheet.picture(0).layout.lines) > 5
    view.set_wrap(False)
    assert len(view.sheet.picture(0).layout.lines) == 1
    view.go_to_byte(900)
    rect = view.caret_rect()
    assert rect is not None and 0 <= rect.x() <= view.viewport().width() and view.sheet.x > 0
    assert view.horizontalScrollBar().maximum() > 0
    view.set_wrap(True)
    assert view.sheet.x == 0 and view.horizontalScrollBar().maximum() == 0


def test_scrolling_by_the_bar_reaches_both_ends(make) -> None:
    view = make("some words to wrap here and there\n" * 3000, size=(200, 300))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    seen = view.sheet.seen()
    assert seen[-1].row == len(view.sheet.rows) - 1
    assert seen[-1].y + seen[-1].picture.height == pytest.approx(view.viewport().height(), abs=1)
    bar.setValue(0)
    assert view.sheet.top_row == 0 and view.sheet.top_offset == 0
    for _ in range(30):
        bar.setValue(bar.value() + 40)
    assert sum(view.sheet.picture(r).height for r in range(view.sheet.top_row)) + view.sheet.top_offset == 1200


def test_tokens_that_come_later_are_painted_then(make) -> None:
    from tokenloupe.views.row_tokens import RowTokens

    none = RowTokens.none(10)
    assert none.plain and none.on(RowText.make(b"0123456789"))[0].starts.tolist() == []


def test_cells_never_lie_over_each_other(make) -> None:
    view = make("กำลังเรียนภาษาไทยครับผม " * 6, tokenizer="gpt2", size=(420, 500))
    for row in range(len(view.sheet.rows)):
        picture = view.sheet.picture(row)
        for line in range(len(picture.layout.lines)):
            groups, rows, _ = picture.groups(line)
            assert rows <= split_glyphs.ROWS
            cells = [c.rect for g in groups for c in g.cells]
            region = QRegion()
            for rect in cells:
                inner = rect.adjusted(1, 1, -1, -1).toRect()
                assert not region.intersects(inner)
                region = region.united(inner)
                assert rect.right() <= picture.limit + 1


def test_tooltips_are_escaped(make) -> None:
    from tokenloupe.views.editor_menu import readable, token_tip

    view = make("<b>&", tokenizer="gpt2")
    tip = token_tip(view, 0)
    assert "&lt;" in tip and "3c" in tip
    assert readable(b"a\n\xff\x00 \xe2\x80\x8d") == "a\\n\\xff\\u{0} \\u{200d}"
    assert view.sheet.exact_byte_at(QPointF(1, 1)) == -1


def test_what_is_on_the_screen_after_edits_is_what_a_full_painting_gives(make, monkeypatch) -> None:
    """Rows that only moved are moved as pixels: no trace of where they were may stay."""
    rng = random.Random(11)
    lines = [f"line {n} of a text that wraps somewhere 漢字 {FAMILY if n % 5 == 0 else ''}\n" for n in range(30)]
    view = make("".join(lines), size=(420, 420), tokenizer="gpt2")
    monkeypatch.setattr(view, "_restart_blink", lambda: None)  # a caret that blinks would differ
    view._blink.stop()
    view.caret_on = False
    view.set_line_numbers(True)
    QApplication.processEvents()
    for step in range(25):
        at = view.moves.snapped(rng.randint(0, min(len(view.session), 700)))
        if step % 6 == 5:
            view.session.undo()
        elif step % 3 == 0:
            view.session.edit(at, 0, rng.choice((b"\n", b"x", b"some words more that wrap ", "😀".encode())))
        elif at < len(view.session):
            view.session.edit(at, view.moves.next(at) - at, b"")
        QApplication.processEvents()
        shown = _backing(view)
        view.viewport().update()
        QApplication.processEvents()
        assert _backing(view) == shown, step


def _backing(view) -> QImage:
    """What is on the screen; grab() would paint it anew."""
    return view.screen().grabWindow(view.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_a_line_more_paints_no_line_that_only_moved(make, monkeypatch) -> None:
    view = make("one line of text\n" * 200, size=(640, 600))
    view.session.select(70, 70)
    viewport, asked, moved = view.viewport(), [], []
    monkeypatch.setattr(viewport, "update", lambda *rects: asked.extend(rects))
    monkeypatch.setattr(viewport, "scroll", lambda *how: moved.append(how))
    view.session.edit(70, 0, b"\n")
    assert len(moved) == 1 and asked
    assert max(rect.bottom() for rect in asked) < 8 * view.line_height
