"""The anatomy of a block: its sentence is the arithmetic, and a change anywhere is followed everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.tensors import blocks
from tokenloupe.views import palette
from tokenloupe.views.block_anatomy import BlockAnatomy
from tokenloupe.views.block_viewer import BlockViewer

from .tensor_kit import saved_over_itself

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
    qtbot.waitUntil(lambda: anatomy.hover == ("weight", 3))
    assert anatomy.weight == 0  # pointing is not choosing
    assert anatomy.sentence() == "Weight 3: byte 5 (0xc3), low nibble 3 → q = 3 → 3 − 8 = -5 → -5 × 0.5 = -2.5"
    assert anatomy.accessibleDescription() == anatomy.sentence()
    qtbot.mouseClick(anatomy, Qt.MouseButton.LeftButton, pos=spot(anatomy, "weight", 3))
    qtbot.keyClick(anatomy, Qt.Key.Key_Down)
    assert anatomy.weight == 19
    assert "high nibble c → q = 12 → 12 − 8 = 4 → 4 × 0.5 = 2" in anatomy.sentence()


def test_pointing_at_a_byte_lights_its_two_weights(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    qtbot.mouseMove(anatomy, spot(anatomy, "byte", 6))
    qtbot.waitUntil(lambda: anatomy.hover == ("byte", 6))
    assert anatomy._marks().weights == {4, 20}
    assert anatomy.sentence() == "Byte 6 is 0xb4, part of qs (codes): weights 4, 20"


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


def keys(widget: QWidget, qtbot: QtBot, *pressed: Qt.Key | str | QKeySequence) -> None:
    for key in pressed:
        if isinstance(key, QKeySequence):
            qtbot.keySequence(widget, key)
        elif isinstance(key, str):
            qtbot.keyClicks(widget, key)
        else:
            qtbot.keyClick(widget, key)


def test_by_keyboard_alone_nibble_scale_byte_and_undo(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    up, right = Qt.Key.Key_Up, Qt.Key.Key_Right
    keys(anatomy, qtbot, right, "f")  # weight 1: (15 - 8) * 0.5
    assert (anatomy.weight, anatomy.values[1]) == (1, 3.5)
    keys(anatomy, qtbot, up, Qt.Key.Key_Home)
    assert anatomy.cursor_on == ("bit", 15) and anatomy.sentence() == "Bit 15 of d, part of its sign, is 0"
    keys(anatomy, qtbot, " ")
    assert anatomy.values[1] == -3.5
    keys(anatomy, qtbot, right, right, right, right, right, "1")  # the lowest bit of the exponent: d = -1
    assert anatomy.values[1] == -7
    keys(anatomy, qtbot, "1")  # is so already
    assert anatomy.values[1] == -7
    keys(anatomy, qtbot, up, Qt.Key.Key_End, "80")  # the last byte: weight 15 is 0 - 8, weight 31 is 8 - 8
    assert anatomy.cursor_on == ("byte", 17) and (anatomy.values[15], anatomy.values[31]) == (8, 0)
    for _ in range(5):
        assert anatomy.changed
        keys(anatomy, qtbot, QKeySequence("Ctrl+Z"))
    assert not anatomy.changed and np.array_equal(anatomy.block, BLOCK)
    keys(anatomy, qtbot, QKeySequence(QKeySequence.StandardKey.Redo))
    assert anatomy.values[1] == 3.5


def test_undo_is_not_the_windows_while_the_block_has_the_focus(anatomy: BlockAnatomy) -> None:
    for sequence, own in (("Ctrl+Z", True), ("Ctrl+B", False)):
        combination = QKeySequence(sequence)[0]
        event = QKeyEvent(QEvent.Type.ShortcutOverride, combination.key(), combination.keyboardModifiers())
        event.ignore()
        QApplication.sendEvent(anatomy, event)
        assert event.isAccepted() == own


def test_other_buttons_and_chords_change_nothing(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    qtbot.mouseClick(anatomy, Qt.MouseButton.RightButton, pos=spot(anatomy, "bit", 15))
    qtbot.mouseClick(anatomy, Qt.MouseButton.RightButton, pos=spot(anatomy, "code", 2))
    qtbot.keyClick(anatomy, Qt.Key.Key_A, Qt.KeyboardModifier.AltModifier)
    assert not anatomy.changed


def test_wide_codes_take_two_digits_and_shared_codes_none(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    anatomy.set_block(blocks.by_name("Q6_K"), np.zeros(210, np.uint8))
    keys(anatomy, qtbot, "2", "a")
    assert anatomy.code(0) == 0x2A
    anatomy.set_block(blocks.by_name("IQ1_S"), np.zeros(50, np.uint8))
    keys(anatomy, qtbot, "2", "+", Qt.Key.Key_Up, "1", " ")
    assert not anatomy.changed


def test_the_scale_of_mxfp4_is_a_byte(anatomy: BlockAnatomy, qtbot: QtBot) -> None:
    block = np.zeros(17, np.uint8)
    block[:2] = 127, 2  # the scale 1, code 2: 1.0
    anatomy.set_block(blocks.by_name("MXFP4"), block)
    keys(anatomy, qtbot, Qt.Key.Key_Up, Qt.Key.Key_Home, Qt.Key.Key_Plus)
    assert anatomy.cursor_on == ("byte", 0) and (anatomy.block[0], anatomy.values[0]) == (128, 2.0)


@pytest.fixture
def panel(qtbot: QtBot) -> BlockViewer:
    made = BlockViewer(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(made)
    made.resize(700, 700)
    made.show()
    return made


@pytest.mark.parametrize("scale", [0x7E00, 0x7C00, 0xFC00])
def test_walking_through_the_boxes_of_a_broken_scale_changes_nothing(
    panel: BlockViewer, qtbot: QtBot, scale: int,
) -> None:
    block = BLOCK.copy()
    block[:2] = scale & 255, scale >> 8
    panel.anatomy.set_block(blocks.by_name("Q4_0"), block)
    panel._tell()
    for box in (panel.scale, panel.value):
        box.setFocus()
        box.editingFinished.emit()
        qtbot.keyClick(box, Qt.Key.Key_Return)
    assert not panel.anatomy.changed


def test_boxes_that_cannot_say_the_number_are_not_there(panel: BlockViewer) -> None:
    mxfp4 = np.full(17, 0x33, np.uint8)
    for exponent, shown in ((127, True), (248, False), (255, False)):  # 1.5, 1.5 * 2^121, NaN
        mxfp4[0] = exponent
        panel.anatomy.set_block(blocks.by_name("MXFP4"), mxfp4)
        panel._tell()
        assert not panel.scale.isVisible() and panel.value.isVisible() is shown
    panel.anatomy.set_block(blocks.by_name("Q4_0"), BLOCK)
    panel._tell()
    assert panel.scale.isVisible() and panel.scale.value() == 0.5 and panel.value.isVisible()


def test_the_arrows_of_the_value_box_go_from_code_to_code(panel: BlockViewer) -> None:
    for name, start, values in (("Q4_0", 8, [0.5, 1.0, 0.5, 0.0, -0.5]), ("IQ4_NL", 8, [6.5, 12.5, 6.5, 0.5, -5.0])):
        block = BLOCK.copy()
        block[2] = start
        panel.anatomy.set_block(blocks.by_name(name), block)  # d = 0.5; IQ4_NL's levels around 0: -10 1 13 25
        found = []
        for steps in (1, 1, -1, -1, -1):
            panel.value.stepBy(steps)
            found.append(float(panel.anatomy.values[0]))
        assert found == values


def test_a_change_and_its_undo_wait_for_one_to_come_back(panel: BlockViewer, qtbot: QtBot) -> None:
    keys(panel.anatomy, qtbot, "f" if panel.anatomy.code(0) != 15 else "0")
    changed = panel.anatomy.block.copy()
    panel.desk.show_block(1)
    assert not panel.anatomy.changed and not panel.undo.isEnabled() and panel.index.suffix() == ""
    panel.desk.show_block(0)
    assert np.array_equal(panel.anatomy.block, changed) and panel.index.suffix() == ", changed"
    panel.undo.click()
    assert not panel.anatomy.changed and panel.redo.isEnabled()


def test_pointing_at_the_block_leaves_a_number_that_is_being_typed(panel: BlockViewer, qtbot: QtBot) -> None:
    panel.value.lineEdit().setText("w0 = 0.12")
    qtbot.mouseMove(panel.anatomy, spot(panel.anatomy, "weight", 5))
    qtbot.waitUntil(lambda: panel.sentence.text().startswith("Weight 5"))
    assert panel.value.lineEdit().text() == "w0 = 0.12" and panel.anatomy.weight == 0


def test_a_copy_is_never_saved_over_the_file_under_another_name(
    panel: BlockViewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = saved_over_itself(panel, panel.save.click, tmp_path, monkeypatch)
    assert "never written over" in said[0]


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
    assert panel.anatomy.numbers["d"][0] == 1.0
    panel.value.setValue(-7.9)
    assert panel.value.value() == -8.0 and panel.anatomy.values[panel.anatomy.weight] == -8.0
    panel.copy.click()
    assert QApplication.clipboard().text().startswith("00 3c ")
    panel.restore.click()
    assert not panel.anatomy.changed
    assert file.files[0].path.read_bytes() == before
    names = [panel.tensors.itemText(i) for i in range(panel.tensors.count())]
    panel.tensors.setCurrentIndex(names.index("embedding.q8_0  (Q8_0)"))
    panel.tensors.activated.emit(names.index("embedding.q8_0  (Q8_0)"))
    assert panel.anatomy.type.name == "Q8_0"
