"""The matrix: what is painted where, zoom about the pointer, jumps, the map."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.tensors import blocks
from tokenloupe.views import block_matrix_headers as headers
from tokenloupe.views import palette
from tokenloupe.views.block_matrix import BlockMatrix
from tokenloupe.views.block_matrix_paint import MatrixPainter
from tokenloupe.views.block_matrix_view import MatrixView

RAMP = np.frombuffer(np.float16(1).tobytes() + bytes(j | (15 - j) << 4 for j in range(16)), np.uint8)


@pytest.fixture
def painter(qapp: object) -> MatrixPainter:
    made = MatrixPainter(blocks.by_name("Q4_0"))
    made.set_blocks(np.repeat(RAMP[None], 500, axis=0))
    return made


@pytest.mark.parametrize("scale", [4.0, 12.0, 20.0])
@pytest.mark.parametrize("theme", [palette.light, palette.dark])
def test_a_cell_has_the_colour_of_its_level(painter: MatrixPainter, scale: float, theme: object) -> None:
    palette.use(theme())  # type: ignore[operator]
    try:
        image = QImage(1366, 400, QImage.Format.Format_RGB32)
        with QPainter(image) as p:
            painter.paint(p, image.rect(), 0.0, 0.0, scale)
        cell = painter.cell_width(image.rect(), scale)
        head, top = painter.header(scale), painter.top(scale)
        assert (head > 0) == (top > 0) == (scale > 9)
        for weight, level in ((0, -8), (8, 0), (15, 7), (16, 7), (31, -8)):
            at = image.pixelColor(int(head + weight * cell + 3), int(top + 2 * scale + 1))
            assert at.rgb() == palette.level_colour(palette.current(), level, -8, 7).rgb()
    finally:
        palette.use(palette.light())


def test_super_blocks_are_rows_of_32_and_nan_scales_are_marked(qapp: object) -> None:
    t = blocks.by_name("Q4_K")
    data = np.random.default_rng(1).integers(0, 60, (9, 144), dtype=np.uint8)
    data[4, :2] = (0, 0x7E)
    made = MatrixPainter(t)
    made.set_blocks(data)
    assert (made.rows, made.block_of(17), made.row_of(2)) == (72, 2, 16)
    levels, scales = made.levels(13, 30)
    expected = blocks.parts(t, data)
    assert np.array_equal(levels[:19], expected.levels.reshape(-1, 32)[13:32])
    assert np.array_equal(scales[:19], expected.scales.reshape(-1)[13:32])
    assert np.all(levels[19:27] == -32768)


def test_plain_floats_are_rows_against_their_largest(qapp: object) -> None:
    made = MatrixPainter(blocks.by_name("F32"))
    values = np.array([1, -2, 4, np.nan] * 16, "<f4")
    made.set_blocks(values.view(np.uint8).reshape(-1, 4))
    levels, scales = made.levels(0, 5)
    assert levels.shape == (2, 32)
    assert levels[0, :4].tolist() == [32, -64, 127, -32768]
    assert scales.tolist() == [4, 4]


def test_less_than_a_pixel_a_row_samples(painter: MatrixPainter) -> None:
    levels, _ = painter.levels(0, 1000, 7)
    assert len(levels) == 72  # 500 rows, every seventh
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    with QPainter(image) as p:
        painter.paint(p, QRect(0, 0, 300, 300), 0.0, 0.0, 0.1)


def test_zoom_keeps_what_is_under_the_pointer(qtbot: QtBot, painter: MatrixPainter) -> None:
    view = MatrixView()
    qtbot.addWidget(view)
    view.resize(900, 400)
    view.set_painter(painter)
    view.show()
    view.first = 200.0
    view._bars()
    at = view.first + (100 - painter.top(view.scale)) / view.scale
    view.zoom(0.6, 100)
    assert view.first + (100 - painter.top(view.scale)) / view.scale == pytest.approx(at)
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.first + view.visible_rows == pytest.approx(501, abs=1)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.first == 0
    view.zoom(1e-9)
    assert view.visible_rows >= 400  # the whole, or a pixel a row


def test_the_panel_counts_jumps_and_maps(qtbot: QtBot) -> None:
    session = Session(jobs=Jobs(synchronous=True))
    panel = BlockMatrix(session)
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.show()
    file = panel.desk.file
    assert file is not None
    assert panel.census is not None
    assert panel.census.count == 576
    values = file.values(file.tensor("embedding.q4_0")).reshape(-1, 32)
    original = file.values(file.tensor("embedding.f32")).reshape(-1, 32)
    panel.jumps["largest_at"].click()
    assert panel.desk.block == np.abs(values).max(axis=1).argmax()
    panel.jumps["worst"].click()
    assert panel.desk.block == np.abs(values - original).max(axis=1).argmax()
    assert panel.error_note.text() == "Error against embedding.f32"
    assert not panel.jumps["first_nan"].isEnabled()
    for metric in range(panel.figure.count()):
        panel.figure.setCurrentIndex(metric)
        assert not panel.grab().isNull()
    panel.desk.choose(file.tensor("embedding.f16"))
    assert "F16" in panel.title.text()
    assert not panel.grab().isNull()
    half = file.values(file.tensor("embedding.f16")).ravel()
    panel.jumps["worst"].click()  # of single numbers: a block is a weight
    assert panel.desk.block == np.abs(half - original.ravel()).argmax()
    panel.figure.setCurrentText("error")
    panel.desk.choose(file.tensor("embedding.f32"))
    assert panel.error_note.text().startswith("No error: the file has no F32 tensor of this shape")
    assert not panel.jumps["worst"].isEnabled()
    assert panel.figure.currentText() == "scale"


@pytest.mark.parametrize("bits", ["<u4", "<u2"])
def test_signalling_nans_are_mapped_and_counted_without_a_warning(qtbot: QtBot, tmp_path: Path, bits: str) -> None:
    number = 0x7FA00000 if bits == "<u4" else 0x7D01
    np.save(tmp_path / "nan.npy", np.full((2, 64), number, bits).view("<f4" if bits == "<u4" else "<f2"))
    panel = BlockMatrix(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.resize(600, 500)
    panel.show()
    assert panel.desk.open(tmp_path / "nan.npy")
    for metric in range(panel.figure.count()):
        panel.figure.setCurrentIndex(metric)
        assert not panel.grab().isNull()
    assert panel.facts.text() == "no finite number\nrms 0\nNaN 128, ∞ 0"
    panel.desk.show_block(5)
    panel.jumps["first_nan"].click()
    assert panel.jumps["first_nan"].text() == "NaN" and panel.desk.block == 0


def test_the_keys_choose_a_block_and_open_it(qtbot: QtBot) -> None:
    panel = BlockMatrix(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.show()
    opened: list[int] = []
    panel.view.opened.connect(opened.append)
    file = panel.desk.file
    assert file is not None
    below = int(panel.view.visible_rows) + 3
    for _ in range(below):
        qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert panel.desk.block == panel.view.current == below
    assert panel.view.first == pytest.approx(below + 1 - panel.view.visible_rows)  # no further than it must
    levels = (file.block_bytes(file.tensor("embedding.q4_0"), below, 1)[0, 2:] & 15).astype(int) - 8
    assert f"Block {below}, scale " in panel.view.accessibleDescription()
    assert f"levels {' '.join(map(str, levels.tolist()))} " in panel.view.accessibleDescription()
    qtbot.keyClick(panel.view, Qt.Key.Key_Up)
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert opened == [below - 1]
    panel.desk.show_block(500)
    assert panel.view.first < 500 < panel.view.first + panel.view.visible_rows
    frame, y = palette.current().focus, panel.view.painter.top(20.0) + (500 - panel.view.first) * 20
    picture = panel.view.viewport().grab().toImage()
    assert any(picture.pixelColor(300, round(y) + d) == frame for d in (-1, 0, 1))
    panel.desk.choose(file.tensor("embedding.f32"))  # a row is 32 numbers, each a block
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert panel.desk.block == 32


def test_the_keys_pan_to_every_side(qtbot: QtBot, painter: MatrixPainter) -> None:
    view = MatrixView()
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.set_painter(painter)
    view.show()
    for key, moved in ((Qt.Key.Key_Right, True), (Qt.Key.Key_Left, False), (Qt.Key.Key_Left, False)):
        qtbot.keyClick(view, key)
        assert (view.left > 0) is moved


@pytest.mark.parametrize("name", ["Q4_K", "Q6_K", "NVFP4", "TQ2_0", "F16"])
def test_sampled_rows_are_rows(qapp: object, name: str) -> None:
    t = blocks.by_name(name)
    made = MatrixPainter(t)
    made.set_blocks(np.random.default_rng(5).integers(0, 100, (max(40, 3200 // t.weights), t.nbytes), dtype=np.uint8))
    all_levels, all_scales = made.levels(0, made.rows)
    levels, scales = made.levels(3, 1000, 5)
    assert np.array_equal(levels, all_levels[3::5])
    assert np.array_equal(scales, all_scales[3::5])


def test_all_32_columns_are_seen_with_their_numbers_at_900_pixels(qtbot: QtBot) -> None:
    panel = BlockMatrix(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.show()
    view = panel.view
    rect = view.viewport().rect()
    assert view.painter.numbers(rect, view.scale)
    right = view.painter.header(view.scale) + 32 * view.painter.cell_width(rect, view.scale)
    assert right <= rect.width()
    assert view.horizontalScrollBar().maximum() == 0


def test_rows_are_named_by_block_and_weight() -> None:
    """What stands left of a row: its block, within a super-block the first weight, of plain numbers their index."""
    assert [headers.row_name(blocks.by_name("Q4_0"), r) for r in (0, 1, 17)] == ["0", "1", "17"]
    assert [headers.row_name(blocks.by_name("Q4_K"), r) for r in (0, 1, 7, 8, 9)] == ["0", "+32", "+224", "1", "+32"]
    assert [headers.row_name(blocks.by_name("F32"), r) for r in (0, 1, 2)] == ["0", "32", "64"]


def luminance(colour: QColor) -> float:
    """WCAG 2.2's relative luminance."""
    s = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return float(np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("theme", [palette.light, palette.dark])
def test_digits_are_readable_on_every_level(theme: object) -> None:
    for level in range(-127, 128):
        fill = palette.level_colour(theme(), level, -127, 127)  # type: ignore[operator]
        high, low = sorted((luminance(fill), luminance(palette.ink_on(fill))), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, level
