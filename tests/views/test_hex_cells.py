"""What a jump finds ready made: rectangles by place, and glyphs at fixed places that say the window's bytes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QRawFont

from tokenloupe.views import palette
from tokenloupe.views.hex_cells import Cells, Fonts, runs
from tokenloupe.views.hex_geometry import Geometry


@pytest.fixture(name="cells")
def cells_fixture(qapp) -> Cells:
    font = palette.mono_font()
    g = Geometry.of(font, 1000, 900, 4)
    return Cells(g, Fonts.of(font, g), 20.0)


def glyphs(cells: Cells, text: str) -> list[int]:
    return QRawFont.fromFont(cells.fonts.plain).glyphIndexesForString(text)


def test_bytes_are_cut_into_the_rows_of_the_window() -> None:
    assert runs(2, 9, 10, 4) == [(0, 2, 4), (1, 0, 4), (2, 0, 1)]
    assert runs(-3, 1, 10, 4) == [(0, 0, 1)] and runs(9, 99, 10, 4) == [(2, 1, 2)] and runs(5, 5, 10, 4) == []


def test_digits_letters_and_offsets_are_those_of_the_bytes(cells: Cells) -> None:
    data = b"A\xffz\n~\x80"
    assert cells.digits(data).glyphIndexes()[:12] == glyphs(cells, data.hex())
    bad = np.array([False, True, False, False, False, True])
    assert cells.letters(data, bad).glyphIndexes()[:6] == glyphs(cells, "A×z·~×")
    assert cells.offsets(0x1F0, 2, -1).glyphIndexes() == glyphs(cells, "01F001F4")
    assert cells.offsets(0x1F0, 2, 1).glyphIndexes() == glyphs(cells, "01F0    ")


def test_what_is_not_there_any_more_is_blank(cells: Cells) -> None:
    cells.digits(bytes(40))
    assert set(cells.digits(b"\x00").glyphIndexes()[2:]) == set(glyphs(cells, " "))


def test_glyphs_stand_in_their_cells(cells: Cells) -> None:
    g = cells.g
    places = cells.digits(bytes(8)).positions()
    assert places[10] == QPointF(g.hex_left + g.cell, 20 + g.line + g.ascent + 4)
    assert cells.rect("hex", (1, 1, 2)).contains(places[10] - QPointF(0, 2))


def test_rectangles_are_made_once(cells: Cells) -> None:
    assert cells.rect("text", (0, 1, 3)) is cells.rect("text", (0, 1, 3))
    assert cells.bad(5) is cells.bad(5) and cells.character(2, 5, 8) is cells.character(2, 5, 8)


def test_a_character_over_a_row_end_or_the_windows_end(cells: Cells) -> None:
    across = cells.character(2, 5, 8)
    assert len(across.brackets) == 4 and len(across.frames) == 2  # two lines, its begin and its end
    assert across.place == cells.rect("text", (0, 2, 4)) and across.others == (cells.rect("text", (1, 0, 1)),)
    cut = cells.character(6, 9, 8)
    assert len(cut.brackets) == 2 and len(cut.frames) == 1  # its end is not in sight
    assert len(cells.character(6, 9, 12).frames) == 2
    assert len(cells.character(-2, 1, 8).brackets) == 2  # its begin is not
