"""The tail of a growing text: incremental lines equal those laid out from scratch, forwards and backwards."""

from __future__ import annotations

import random
from itertools import pairwise

from PySide6.QtGui import QFont, QTextLayout, QTextOption
from pytestqt.qtbot import QtBot

from tokenloupe.core.text import utf16_starts
from tokenloupe.views.stream_text import TailText, displayed

WORDS = ["a", "word", "longer-word", "日本語の文章", "👩‍👩‍👧", "x" * 60, "é\u0301", "\n", "\n\n", "مرحبا", "tab\tbed",
         "\r\n"]


def from_scratch(font: QFont, text: str, width: float) -> list[int]:
    """Line starts, by Qt, of the whole text at once."""
    layout = QTextLayout(displayed(text), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTabStopDistance(4 * TailText(font)._metrics.horizontalAdvance(" "))
    layout.setTextOption(option)
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    units = utf16_starts(text).tolist()
    return [units.index(s) for s in starts] or [0]


def test_any_path_gives_the_lines_of_a_fresh_layout(qtbot: QtBot) -> None:
    r = random.Random(3)
    font = QFont()
    for _ in range(25):
        text = "".join(r.choice(WORDS) + r.choice((" ", "")) for _ in range(60))
        tail = TailText(font)
        tail.set_width(180)
        end = 0
        for _ in range(40):
            end = max(0, min(len(text), end + r.choice((1, 2, 3, 7, 30, -1, -2, -20, -90))))
            lines = tail.last_lines(text, end, 1000)
            expected = from_scratch(font, text[:end], 180)
            found = [line.start for line in lines]
            assert found == expected or found == [s for s in expected if s < end], (text[:end], found, expected)
            assert lines[-1].end == end
        assert [x.start for x in tail.last_lines(text, end, 2)] == [x.start for x in tail.last_lines(text, end, 9)][-2:]


def test_a_long_text_without_a_break(qtbot: QtBot) -> None:
    tail = TailText(QFont())
    tail.set_width(300)
    text = "汉" * 30_000
    lines = tail.last_lines(text, len(text), 3)
    assert len(lines) == 3 and lines[-1].end == len(text)
    assert all(a.end == b.start for a, b in pairwise(lines))


def test_nothing_yet(qtbot: QtBot) -> None:
    tail = TailText(QFont())
    assert tail.last_lines("abc", 3, 2) == []  # no width yet
    tail.set_width(100)
    assert [(line.start, line.end) for line in tail.last_lines("abc", 0, 2)] == [(0, 0)]
