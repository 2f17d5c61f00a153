"""Fonts are looked for in rests, once a script; chance characters in bytes that are no text have none looked for."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel

from tokenloupe.core.hexsource import FileSource, Plain, look
from tokenloupe.core.utf8 import roles
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views import hex_glyphs
from tokenloupe.views.hex_glyphs import Hand, Layouts, Patience, by_chance
from tokenloupe.views.hex_view import HexView


@pytest.fixture(autouse=True)
def nothing_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hand, "_all", {})
    monkeypatch.setattr(Layouts, "_all", {})


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Characters that were laid out, in order."""
    found: list[str] = []
    lay = Layouts.lay
    monkeypatch.setattr(Layouts, "lay", lambda self, text: found.append(text) or lay(self, text))
    return found


def test_random_bytes_are_no_text_and_damaged_text_is() -> None:
    noise = random.Random(1).randbytes(4000)
    assert by_chance(roles(noise))[16:-16].mean() > 0.97
    text = "naïve 漢字 и العربية: ".encode() * 40
    broken = bytearray(text)
    for place in range(7, len(broken), 31):  # one byte of every 31 is wrong, and its character with it
        broken[place] = 0xFF
    assert not by_chance(roles(text)).any() and not by_chance(roles(bytes(broken))).any()
    assert not by_chance(roles("漢".encode() + b"\xff\xfe")).any() and not len(by_chance(roles(b"")))
    assert by_chance(np.array([5] * 6, np.uint8)).all() and not by_chance(np.array([5] * 5, np.uint8)).any()


def test_a_script_is_looked_for_once(qapp) -> None:
    hand = Hand(QFont())
    assert hand.has("Latin ñ") and hand.missing("a漢字ก") == ["字", "ก"]
    hand.fetch("漢")
    assert hand.has("北京") and Hand(QFont()).has("語") and not hand.has("ก")


def test_a_line_has_dots_until_moves_rest(qapp, qtbot) -> None:
    line, told = QLabel(), []
    qtbot.addWidget(line)
    patience = Patience(line, Jobs(), lambda: told.append(patience.text("x ก 漢", line.font())))
    assert patience.text("x ก 漢", line.font()) == "x · ·"
    qtbot.waitUntil(lambda: told == ["x ก 漢"])
    assert patience.text("x ཀ", line.font()) == "x ·"
    patience.begin()  # a move away: it is not wanted any more
    assert not patience._rest.isActive() and not Hand(line.font()).has("ཀ")


def paint(view: HexView, patient: bool = True) -> None:
    view.sheet._patient = patient
    view.sheet.viewport().grab()


def binary(folder: Path) -> Path:
    """Between ill-formed bytes: characters of Europe, and of elsewhere."""
    path = folder / "noise"
    path.write_bytes(b"\xff\xfe\x80".join(c.encode() for c in "éЖ漢กаأ") * 20)
    return path


def test_noise_brings_no_fonts_and_text_does(qapp, qtbot, tmp_path: Path, laid: list[str]) -> None:
    session = Session(load_bundled("gpt2"), "漢".encode(), jobs=Jobs(synchronous=True))
    view = HexView(session)
    qtbot.addWidget(view)
    view.resize(700, 400)
    paint(view)
    assert laid == ["漢"]
    view.model.show(FileSource(binary(tmp_path)))
    paint(view)
    assert set(laid) == {"漢", "é", "Ж", "а"}
    view.model.show(None)


def test_a_frame_after_a_move_asks_for_few_new_characters(qapp, qtbot, laid: list[str]) -> None:
    text = "".join(map(chr, range(0xC0, 0x100))) + "กཀ"
    session = Session(load_bundled("gpt2"), text.encode(), jobs=Jobs(synchronous=True))
    view = HexView(session)
    qtbot.addWidget(view)
    view.resize(700, 400)
    paint(view, patient=False)
    assert len(laid) <= 3 and not {"ก", "ཀ"} & set(laid)
    for _ in range(80):
        paint(view)
    assert {"ก", "ཀ", "À", "ÿ"} <= set(laid)
    assert look(Plain(text.encode()), 0, 2).characters == ((0, 2, "À"),)
    assert hex_glyphs.glyph("\u0301") == "\u25cc\u0301" and not hex_glyphs.glyph("\u200d")


def test_of_laid_out_characters_so_many_are_kept(qapp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hex_glyphs, "_MOST_LAID", 5)
    layouts = Layouts(QFont())
    for char in "abcdefgh":
        layouts.lay(char)
    assert [c for c in "abcdefgh" if layouts.get(c)] == list("defgh")
