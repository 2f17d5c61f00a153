"""What tokens leave out is drawn: tokens without bytes, bytes without a token, bytes that come back changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from tokenloupe import load
from tokenloupe.core.bytelane_tokens import without_bytes
from tokenloupe.core.document import TokenWindow
from tokenloupe.core.excerpt import excerpt
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views import palette
from tokenloupe.views.editor import EditorView
from tokenloupe.views.editor_menu import pin_tip, token_tip
from tokenloupe.views.row_signs import MOST_FLAGS
from tokenloupe.views.row_text import RowText
from tokenloupe.views.row_tokens import RowTokens


def window(spans: list[tuple[int, int]], first: int = 0) -> TokenWindow:
    n = len(spans)
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    return TokenWindow(first, np.arange(n, dtype=np.int64), starts, ends, np.zeros(n, np.uint8))


def made(spans: list[tuple[int, int]], low: int, high: int, complete_to: int = 100, last: bool = False) -> RowTokens:
    return RowTokens.make(window(spans), np.arange(len(spans), dtype=np.uint8), low, high, complete_to, last)


def rows(tokens: RowTokens) -> list[tuple[int, int, bool, bool]]:
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), tokens.known.tolist(), tokens.lost.tolist(),
                    strict=True))


def test_a_token_without_bytes_is_a_point_of_the_row_it_stands_before() -> None:
    spans = [(0, 0), (0, 3), (3, 3), (3, 6), (6, 6)]
    assert made(spans, 0, 3).points == ((0, 0),)
    assert made(spans, 3, 6).points == ((0, 2),)
    assert made(spans, 3, 6, last=True).points == ((0, 2), (3, 4))
    assert rows(made(spans, 0, 3)) == [(0, 3, True, False)]
    assert made(spans, 6, 6, last=True).points == ((0, 4),)


def test_a_token_whose_bytes_others_have_stands_behind_them() -> None:
    assert made([(0, 3), (0, 3), (0, 3), (3, 4)], 0, 4).points == ((3, 1), (3, 2))
    assert made([(0, 3), (1, 2)], 0, 3).points == ((2, 1),)


def test_bytes_that_no_token_has_are_lost_as_far_as_there_are_tokens() -> None:
    spans = [(1, 2), (4, 5)]
    assert rows(made(spans, 0, 8, complete_to=8)) == [
        (0, 1, False, True), (1, 2, True, False), (2, 4, False, True), (4, 5, True, False), (5, 8, False, True)]
    assert rows(made(spans, 0, 8, complete_to=6))[-2:] == [(5, 6, False, True), (6, 8, False, False)]
    assert rows(made([], 0, 8, complete_to=8)) == [(0, 8, False, True)]
    assert rows(made([], 0, 8, complete_to=0)) == [(0, 8, False, False)]


def test_changed_bytes_are_told_apart_from_lost_ones() -> None:
    tokens = made([(1, 2), (4, 5)], 0, 6, complete_to=6)
    assert tokens.with_changed([(0, 3), (4, 6)]).changed == ((1, 2), (4, 5))
    solids, splits = tokens.on(RowText.make(b"abcdef"))
    assert solids.lost.tolist() == [True, False, True, False, True] and not splits


@pytest.fixture(name="nfkc")
def nfkc_fixture(qtbot, tmp_path: Path) -> Callable[[str], EditorView]:
    """A word-piece-less tokenizer: NFKC, a prefix "▁", a token a character, no "z"."""
    vocab = {token: k for k, token in enumerate([*"▁abfi1⁄2キロメートル"])}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({
        "version": "1.0", "added_tokens": [], "normalizer": {"type": "NFKC"},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
        "post_processor": None, "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always",
                                            "split": False},
        "model": {"type": "BPE", "vocab": vocab, "merges": [], "dropout": None, "unk_token": None,
                  "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": False,
                  "byte_fallback": False, "ignore_merges": False},
    }), "utf-8")
    tokenizer = load(str(path))

    def show(text: str) -> EditorView:
        session = Session(tokenizer, text.encode(), jobs=Jobs(synchronous=True))
        view = EditorView(session)
        session.setParent(view)
        qtbot.addWidget(view)
        view.resize(640, 300)
        view.show()
        view.setFocus()
        QApplication.processEvents()
        return view

    return show


def signs(view: EditorView, row: int = 0):
    return view.sheet.picture(row).shapes(0)


def test_a_prefix_space_and_the_halves_of_a_ligature_have_flags(nfkc) -> None:
    view = nfkc("ab\ufb01z½")
    # ▁ stands before byte 0; ﬁ is f and i of the same three bytes; ½ is 1, ⁄ and 2 of the same two.
    assert [(p.byte_pos, p.level) for p in signs(view).pins] == [(0, 0), (5, 0), (8, 0), (8, 1)]
    assert len(signs(view).lost) == 1  # z
    assert len(signs(view).strips) == 2  # ﬁ and ½ come back as others
    for pin, words in ((0, "made of no byte of the text, at byte 0"), (5, "bytes 2 to 5")):
        assert words in pin_tip(view, pin)
    assert "<b>4</b>" in pin_tip(view, 5) and pin_tip(view, 8).count("<hr>") == 1
    assert "Byte 5" in token_tip(view, 5) and "NFKC" in token_tip(view, 2)


def test_flags_follow_edits_and_stand_at_the_end_of_an_empty_row(nfkc) -> None:
    view = nfkc("ab")
    view.session.edit(0, 0, "½".encode(), "typing")
    assert [p.byte_pos for p in signs(view).pins] == [0, 2, 2]
    view.session.edit(0, 2, b"", "typing")
    assert [p.byte_pos for p in signs(view).pins] == [0]
    view.session.edit(2, 0, "b½".encode(), "typing")
    assert [p.byte_pos for p in signs(view).pins] == [0, 5, 5]
    assert signs(view).pins == nfkc("abb½").sheet.picture(0).shapes(0).pins


def test_many_tokens_at_one_place_have_a_few_flags_and_a_sign_for_more(nfkc) -> None:
    view = nfkc("a㌖b")  # one character that NFKC makes six of: キロメートル
    assert [p.level for p in signs(view).pins if p.byte_pos == 4] == [0, 1, 2, 3, 4]
    assert signs(view).pins[-1].level > MOST_FLAGS - 1 and pin_tip(view, 4).count("<hr>") == 4
    view.grab()


def test_the_pointer_on_a_flag_lights_it(nfkc) -> None:
    view = nfkc("a½b")
    pin = signs(view).pins[1]
    body = view.sheet.picture(0).layout.lines[0].height - 4
    at = pin.area(body).center() + QPointF(view.sheet.margin, view.sheet.picture(0).tops[0])
    assert view.sheet.pin_at(at) == 3
    view.mouse.hover(at)
    assert view.session.hover == (3, 3) and len(view.token_rects(3, 3)) == 2
    assert view.sheet.pin_at(at + QPointF(0, 14 + pin.area(body).height())) == -1
    view.mouse.leave()
    assert view.session.hover == (-1, -1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_signs_are_seen_in_both_themes(nfkc, theme: str) -> None:
    palette.use(palette.dark() if theme == "dark" else palette.light())
    try:
        with_signs, without = nfkc("az½").grab().toImage(), nfkc("aa11").grab().toImage()
        red = palette.current().error

        def near(image) -> int:
            return sum(abs(QColor(image.pixel(x, y)).hue() - red.hue()) < 12
                       and QColor(image.pixel(x, y)).saturation() > 60
                       for x in range(60) for y in range(40))

        assert near(with_signs) > near(without) + 20
    finally:
        palette.use(palette.light())


def test_a_token_without_bytes_is_told_and_lit_in_the_table(nfkc) -> None:
    from tokenloupe.views.token_table import TokenTable

    view = nfkc("a½b")  # ▁ a 1 ⁄ 2 b
    table = TokenTable(view.session, view)
    assert without_bytes(view.session.document, 0) == [0]
    assert without_bytes(view.session.document, 3) == [3, 4] and without_bytes(view.session.document, 1) == []
    view.session.hover_at(3, 3)
    assert table.view.rows_.hovered == (3, 4)
    view.session.hover_at(0, 0)
    assert table.view.rows_.hovered == (0, 0)
    view.session.select(0, 0)
    assert view.mirror.words() == "token 1, id 1, bytes 61, whole; " \
        "token 0, id 0, bytes 20, whole, made of no byte of the text"


def test_a_selection_takes_along_the_tokens_without_bytes_that_stand_in_it(nfkc) -> None:
    document = nfkc("ab½ab").session.document
    assert excerpt(document, 0, 2).encoding.ids.tolist() == [0, 1, 2]  # ▁ a b
    assert excerpt(document, 0, 4).encoding.ids.tolist() == [0, 1, 2, 5, 6, 7]
    assert excerpt(document, 4, 6).encoding.ids.tolist() == [1, 2]
