"""An audit of the whole window: everything has a name, the keyboard gets everywhere, every action is in a menu.

It walks what is there, so a new panel or dialog is in it as soon as it is in `panels.PANELS`. What Qt makes itself of
our widgets (the buttons of a tab bar, the field inside a box of choices) is part of the widget it belongs to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTabBar,
    QToolButton,
    QWidget,
)

from qt_windows import windows_of
from tokenloupe import resources
from tokenloupe.app.main_window import MainWindow
from tokenloupe.panels import PANELS
from tokenloupe.views.editor_access import Mirror

TEXT = "hi 👍🏽 naïve 歪 <|endoftext|> \x00".encode() + b"\xff\n"
#: Actions that open something which does not wait for an answer before it returns.
DIALOGS = ("go_to", "input_as", "shortcuts", "about")
TAB = Qt.FocusPolicy.TabFocus


def name_of(widget: QWidget) -> str:
    """What a screen reader calls it."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""


def part_of_another(widget: QWidget) -> bool:
    """Is it inside a widget of Qt's that speaks for it?"""
    parent = widget.parentWidget()
    return isinstance(widget, QHeaderView | Mirror) or (
        isinstance(widget, QLineEdit | QAbstractScrollArea) and isinstance(parent, QComboBox | QAbstractSpinBox)) or (
        isinstance(widget, QToolButton) and isinstance(parent, QTabBar | QLineEdit))


def focusable(root: QWidget) -> list[QWidget]:
    """What can have the focus by keyboard, shown and enabled."""
    return [w for w in (root, *root.findChildren(QWidget))
            if w.focusPolicy() & TAB and w.isVisible() and w.isEnabled() and not part_of_another(w)
            and w.focusProxy() is None and w.window() is root.window()]


def described(widget: QWidget) -> str:
    return f"{type(widget).__name__} {name_of(widget)!r} in {type(widget.parentWidget()).__name__}"


def reached(root: QWidget) -> set[QWidget]:
    """All of root that Tab and Shift+Tab reach from where the focus is."""
    seen: set[QWidget] = set()
    start = QApplication.focusWidget()
    assert start is not None and (start is root or root.isAncestorOf(start)), f"{root} has not taken the focus"
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        start.setFocus(Qt.FocusReason.TabFocusReason)
        mine = {start}
        for _ in range(200):
            here = QApplication.focusWidget()
            QTest.keyClick(here, key)
            now = QApplication.focusWidget()
            if now is None or now is here or now in mine or not (now is root or root.isAncestorOf(now)):
                break
            mine.add(now)
        seen |= mine
    return seen


def choice(widget: QWidget) -> object:
    """What buttons of which one is chosen have in common: Tab goes to that one, arrows to the others."""
    if not isinstance(widget, QAbstractButton):
        return None
    group = widget.group()
    if group is not None and group.exclusive():
        return group
    return widget.parentWidget() if widget.autoExclusive() else None


def audit(root: QWidget) -> list[str]:
    """What is wrong with root and all that is in it; root has the focus."""
    wrong: list[str] = []
    able = focusable(root)
    for widget in able:
        name = name_of(widget)
        if not any(c.isalnum() for c in name):
            wrong.append(f"has no name: {described(widget)}")
    for shown in (w for w in root.findChildren(QLabel) if w.isVisible() and w.accessibleName() and w.text()):
        if shown.text() not in shown.accessibleName():
            wrong.append(f"its name hides its text {shown.text()!r}: {described(shown)}")
    got = reached(root)
    beside = {choice(w) for w in got} - {None}
    return wrong + [f"Tab does not reach it: {described(w)}" for w in able if w not in got and choice(w) not in beside]


@pytest.fixture
def opened(window: MainWindow) -> MainWindow:
    """A window with a text and a file of tensors."""
    window.session.set_data(TEXT)
    window.files.open(resources.path("demos", "tensor-embedding.gguf"))
    window.docks.toggle("tensors")
    QApplication.processEvents()
    return window


def turn(window: MainWindow) -> None:
    for _ in range(4):
        QApplication.processEvents()


def test_every_panel_has_names_and_the_keyboard_reaches_all_of_it(opened: MainWindow) -> None:
    wrong: list[str] = []
    for panel in PANELS:
        opened.focus_text()
        opened.actions_[f"panel_{panel.id}"].trigger()
        turn(opened)
        made = opened.docks.widget(panel.id)
        assert made is not None and made.isVisible(), panel.id
        if panel.id == "inspector":  # what it says of the token, not what comes after
            assert name_of(QApplication.focusWidget()) == "Facts of the token"
        wrong += [f"{panel.id}: {what}" for what in audit(made)]
    assert not wrong, "\n".join(wrong)


def test_the_window_has_names(opened: MainWindow) -> None:
    assert [described(w) for w in focusable(opened) if not any(c.isalnum() for c in name_of(w))] == []


def test_f6_goes_round_all_that_is_shown(opened: MainWindow) -> None:
    """Tab types a tab in the text, so F6 leads out of it, and to every part of the window."""
    for panel in ("tokens", "hex", "census"):
        if not opened.docks.is_shown(panel):
            opened.actions_[f"panel_{panel}"].trigger()
    opened.focus_text()
    turn(opened)
    places = []
    for _ in range(12):
        places.append(QApplication.focusWidget())
        opened.actions_["next_pane"].trigger()
        turn(opened)
    for panel in ("tokens", "hex"):
        dock = opened.docks.widget(panel)
        assert any(dock is p or dock.isAncestorOf(p) for p in places if p is not None), panel
    assert opened.editor in places


@pytest.mark.parametrize("action", DIALOGS)
def test_a_dialog_has_names_and_the_keyboard_reaches_all_of_it(opened: MainWindow, action: str) -> None:
    opened.actions_[action].trigger()
    turn(opened)
    (dialog,) = [w for w in windows_of() if isinstance(w, QDialog) and w.isVisible()]
    try:
        dialog.activateWindow()
        turn(opened)
        assert dialog.windowTitle()
        assert not (wrong := audit(dialog)), "\n".join(wrong)
    finally:
        dialog.close()


def test_the_find_bar_has_names_and_the_keyboard_reaches_all_of_it(opened: MainWindow) -> None:
    opened.focus_text()
    opened.actions_["find"].trigger()
    turn(opened)
    assert not (wrong := audit(opened.editor.find_bar)), "\n".join(wrong)


def actions_in(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        yield action
        if isinstance(action.menu(), QMenu):
            yield from actions_in(action.menu())


def test_every_action_of_the_window_has_a_place_in_a_menu(opened: MainWindow) -> None:
    placed = {a for menu in opened.actions_.menus.values() for a in actions_in(menu)}
    homeless = [a.text() for a in opened.findChildren(QAction, options=Qt.FindChildOption.FindDirectChildrenOnly)
                if a.text() and not a.isSeparator() and a not in placed]
    assert homeless == []
    nameless = [a.objectName() for a in placed if not a.isSeparator() and not any(c.isalnum() for c in a.text())]
    assert nameless == []


def sequences(root: QObject) -> Iterator[tuple[str, str]]:
    """(keys, what they belong to) of all that answers keys anywhere in the window."""
    for action in root.findChildren(QAction):
        wide = action.shortcutContext() not in (Qt.ShortcutContext.WidgetShortcut,
                                                Qt.ShortcutContext.WidgetWithChildrenShortcut)
        for keys in action.shortcuts() if wide else ():
            yield keys.toString(QKeySequence.SequenceFormat.PortableText), action.text()
    for shortcut in root.findChildren(QShortcut):
        if shortcut.context() == Qt.ShortcutContext.WindowShortcut:
            yield shortcut.key().toString(QKeySequence.SequenceFormat.PortableText), "a shortcut"


def test_no_keys_mean_two_things(opened: MainWindow) -> None:
    """With every panel made: none has a shortcut of its own that another has, or that begins another's."""
    for panel in PANELS:
        if not opened.docks.is_shown(panel.id):
            opened.actions_[f"panel_{panel.id}"].trigger()
    turn(opened)
    found = [(keys, owner) for keys, owner in sequences(opened) if keys]
    assert [keys for keys, n in Counter(keys for keys, _ in found).items() if n > 1] == []
    alone = {keys for keys, _ in found}
    assert [keys for keys in alone for other in alone if other.startswith(keys + ", ")] == []
