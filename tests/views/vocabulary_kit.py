"""What tests of the panels over a vocabulary share: a panel on a session of its own, keys, and the names of parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session

Panel = TypeVar("Panel", bound=QWidget)


def panel_on(qtbot: QtBot, make: Callable[[Session], Panel], tokenizer: Tokenizer, data: bytes = b"",
             synchronous: bool = True) -> Panel:
    """A panel with the focus. synchronous: jobs are done when what starts them returns."""
    panel = make(Session(tokenizer, data, jobs=Jobs(synchronous=synchronous)))
    qtbot.addWidget(panel)
    panel.resize(900, 600)
    panel.show()
    panel.setFocus()
    return panel


def press(qtbot: QtBot, widget: QWidget, *keys: Any) -> None:
    """Keys one after the other: a text, a key, or (key, modifiers)."""
    for key in keys:
        if isinstance(key, str):
            qtbot.keyClicks(widget, key)
        else:
            qtbot.keyClick(widget, *(key if isinstance(key, tuple) else (key,)))


def assert_named(panel: QWidget) -> None:
    """All that the Tab key reaches has a name or a text."""
    for widget in panel.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.focusProxy() is None:
            assert widget.accessibleName() or getattr(widget, "text", str)(), widget
