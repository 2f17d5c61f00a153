"""The anatomy of a block: its sentence is the arithmetic, and a change anywhere is followed everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.tensors import blocks
from tokenloupe.views import palette
from tokenloupe.views.block_anatomy import BlockAnatomy
from tokenloupe.views.block_viewer import BlockViewer

#: d = 0.5; byte j is j in the low nibble and 15 - j in the high one.
BLOCK = np.frombuffer(bytes.fromhex("0038") + bytes(j | (15 - j) << 4 for j in range(16)), np.uint8)


@pytest.fixture
def anatomy(qtbot: QtBot) -> BlockAnatomy:
    widget = BlockAnatomy()
    qtbot.addWidget(widget)
    widget.resize(900, 600)
    widget.set_block(blocks.by_name("Q4_0"), BLOCK)
    widget.show()
    return widget


def spot(widget: BlockAnatomy, kind: str, index: int) -> QPoint:
    return next(rect.center() for rect, k, i in widget._spots if (k, i) == (kind, index))


def test_the_sentence_is_the_arithmetic(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    qtbot.mouseMove(anatomy, spot(anatomy, "weight", 3))
    qtbot.waitUntil(lambda: anatomy.weight == 3)
    assert anatomy.sentence() == "Weight 3: byte 5 (0xc3), low nibble 3 → q = 3 → 3 − 8 = -5 → -5 × 0.5 = -2.5"
    assert anatomy.accessibleDescription() == anatomy.sentence()
    qtbot.keyClick(anatomy, Qt.Key.Key_Down)
    assert anatomy.weight == 19
    assert "high nibble c → q = 12 → 12 − 8 = 4 → 4 × 0.5 = 2" in anatomy.sentence()


def test_pointing_at_a_byte_lights_its_two_weights(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    qtbot.mouseMove(anatomy, spot(anatomy, "byte", 6))
    qtbot.waitUntil(lambda: anatomy.hover_byte == 6)
    assert anatomy._lit_weights() == {4, 20}


def test_a_click_on_a_nibble_counts_it_up(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    with qtbot.waitSignal(anatomy.edited):
        qtbot.mouseClick(anatomy, Qt.MouseButton.LeftButton, pos=spot(anatomy, "code", 2))
    assert (anatomy.code(2), anatomy.values[2], anatomy.block[4]) == (3, -2.5, 0xD3)
    qtbot.mouseClick(anatomy, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, spot(anatomy, "code", 0))
    assert anatomy.code(0) == 15
    assert anatomy.changed
    anatomy.restore()
    assert np.array_equal(anatomy.block, BLOCK)


def test_a_bit_of_the_scale_flips(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    qtbot.mouseClick(anatomy, Qt.MouseButton.LeftButton, pos=spot(anatomy, "bit", 15))
    assert anatomy.values[0] == 4.0  # (0 - 8) * -0.5
    qtbot.mouseClick(anatomy, Qt.MouseButton.LeftButton, pos=spot(anatomy, "bit", 10))
    assert anatomy.values[0] == 8.0  # the exponent's lowest bit: 0.5 becomes 1


def test_hex_digits_and_plus_change_the_chosen_code(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    anatomy.weight = 17
    qtbot.keyClicks(anatomy, "a")
    assert anatomy.code(17) == 10
    qtbot.keyClick(anatomy, Qt.Key.Key_Plus)
    assert anatomy.code(17) == 11


@pytest.mark.parametrize("name", [t.name for t in blocks.TYPES])
@pytest.mark.parametrize("theme", [palette.light, palette.dark])
def test_every_type_is_drawn(anatomy: BlockAnatomy, name: str, theme: object) -> None:
    palette.use(theme())  # type: ignore[operator]
    try:
        t = blocks.by_name(name)
        anatomy.set_block(t, np.random.default_rng(1).integers(0, 256, t.nbytes, dtype=np.uint8))
        assert anatomy.height() > 100
        assert anatomy.sentence()
        assert not anatomy.grab().isNull()
    finally:
        palette.use(palette.light())


def test_the_panel_changes_a_copy_and_never_the_file(qtbot: QtBot, tmp_path: Path) -> None:
    session = Session(jobs=Jobs(synchronous=True))
    panel = BlockViewer(session)
    qtbot.addWidget(panel)
    panel.resize(320, 480)
    panel.show()
    file = panel.desk.file
    assert file is not None
    before = file.files[0].path.read_bytes()
    panel.desk.show_block(3)
    assert panel.index.value() == 3
    panel.scale.setValue(1.0)
    panel.scale.editingFinished.emit()
    assert panel.anatomy.numbers["d"][0] == 1.0
    panel.value.setValue(-7.9)
    panel.value.editingFinished.emit()
    assert panel.anatomy.values[panel.anatomy.weight] == -8.0
    panel.copy.click()
    assert QApplication.clipboard().text().startswith("00 3c ")
    panel.restore.click()
    assert not panel.anatomy.changed
    assert file.files[0].path.read_bytes() == before
    names = [panel.tensors.itemText(i) for i in range(panel.tensors.count())]
    panel.tensors.setCurrentIndex(names.index("embedding.q8_0  (Q8_0)"))
    panel.tensors.activated.emit(names.index("embedding.q8_0  (Q8_0)"))
    assert panel.anatomy.type.name == "Q8_0"
