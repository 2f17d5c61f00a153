"""A window-less editor for tests: what a user does, as events, and what the bytes are afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication

from tokenloupe.formats.bundled import load_bundled
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.views.editor import EditorView

NONE = Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
FAMILY = "👨‍👩‍👧‍👦"

Make = Callable[..., EditorView]


@pytest.fixture(name="make")
def make_fixture(qtbot) -> Make:
    def made(data: bytes | str = b"", *, tokenizer: str = "gpt2", size: tuple[int, int] = (640, 400),
             special: str = "text") -> EditorView:
        raw = data.encode() if isinstance(data, str) else data
        session = Session(load_bundled(tokenizer), raw, special=special, jobs=Jobs(synchronous=True))
        view = EditorView(session)
        session.setParent(view)
        qtbot.addWidget(view)
        view.resize(*size)
        view.show()
        view.setFocus()
        QApplication.processEvents()
        return view

    return made


def key(view: EditorView, which: Qt.Key | QKeySequence.StandardKey, modifiers: Qt.KeyboardModifier = NONE,
        times: int = 1) -> None:
    """Press a key, or whatever this platform binds to a standard key."""
    if isinstance(which, QKeySequence.StandardKey):
        combination = QKeySequence.keyBindings(which)[0][0]
        which, modifiers = combination.key(), combination.keyboardModifiers()
    for _ in range(times):
        QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyPress, which, modifiers, ""))


def type_text(view: EditorView, text: str) -> None:
    """Type characters one by one (qtbot.keyClicks aborts on non-ASCII)."""
    for char in text:
        QApplication.sendEvent(view, QKeyEvent(QEvent.Type.KeyPress, 0, NONE, char))


def ime(view: EditorView, commit: str = "", preedit: str = "", start: int = 0, length: int = 0,
        attributes: list | None = None) -> None:
    event = QInputMethodEvent(preedit, attributes or [])
    event.setCommitString(commit, start, length)
    QApplication.sendEvent(view, event)


def place(view: EditorView, byte_pos: int) -> QPointF:
    """The middle of the caret before a byte, in the viewport."""
    rect = view.sheet.caret_rect(byte_pos)
    assert rect is not None
    return QPointF(rect.x(), rect.center().y())


def mouse(view: EditorView, kind: QEvent.Type, point: QPointF, modifiers: Qt.KeyboardModifier = NONE,
          button: Qt.MouseButton = Qt.MouseButton.LeftButton, held: bool = True) -> None:
    buttons = button if held else Qt.MouseButton.NoButton
    where = QPointF(view.viewport().mapToGlobal(point.toPoint()))
    moving = kind == QEvent.Type.MouseMove
    event = QMouseEvent(kind, point, where, Qt.MouseButton.NoButton if moving else button, buttons, modifiers)
    QApplication.sendEvent(view.viewport(), event)


def click(view: EditorView, byte_pos: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
    point = place(view, byte_pos)
    mouse(view, QEvent.Type.MouseButtonPress, point, modifiers)
    mouse(view, QEvent.Type.MouseButtonRelease, point, modifiers, held=False)
